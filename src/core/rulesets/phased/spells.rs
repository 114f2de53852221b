//! Spells: begun, aimed, spoiled, completed (PH-20 to PH-27).

use super::{
    Phased, concentration,
    end_checks::EndChecks,
    events::PhasedEvent,
    query::PhasedQuery,
    state::{Casting, Group, PhasePart},
    wounds,
};
use crate::rulesets::phased::content::{Craft, PhasedSpell};
use crate::{
    battle::{
        ActiveCondition, Choice, DiceBox, EventKind, Id, Roll, Rule, SpellId, State, StepOutcome,
        Why,
    },
    content::{Effect, Save, Spell, SpellArea},
    grid::Cell,
    rulesets::common::conditions::{TimesConditions, lay},
    rulesets::common::damage::{Losses, after_save},
    rulesets::common::{areas, bleed, checks::Check},
    system_step,
};
use bevy_ecs::system::{In, ResMut};
use std::collections::BTreeSet;

/// Segments per round. A spell with this casting time resolves last (PH-24).
pub const ROUND: u8 = 10;
/// The initiative key of a spell that takes the whole round.
const LAST: u16 = 100;

/// PH-22: whether the unit can declare this spell or use this ability, or why not.
pub fn can_begin(ph: &PhasedQuery, who: Id, spell: SpellId) -> Result<(), Why> {
    let (known, fighter) = (ph.view.spell(spell), ph.fighter(who));
    let own = ph.spell_numbers(spell);
    Why::new("PH-22", "only one spell per round").when(own.is_spell && fighter.spelled)?;
    let why = "it needs concentration, and a spell is already being cast";
    Why::new("PH-21", why).when(own.upkeep && fighter.casting.is_some())?;
    fighter.castings.needs_left(spell, known, "PH-22")?;
    // An ability takes up segments of this round (PH-18).
    let innate = own.craft == Craft::Innate;
    Why::new("PH-10", "too few of the round's ten segments are left")
        .when(innate && fighter.segments + own.segments > ROUND)
}

/// Begins a spell on the first segment (PH-22). It ends a spell that the caster keeps up (PH-21).
pub fn begin(ph: &PhasedQuery, who: Id, spell: SpellId, outcome: &mut StepOutcome) {
    concentration::lets_go(ph, who, outcome);
    ph.reveal(who, outcome);
    let segments = ph.spell_numbers(spell).segments;
    let SpellId(spell) = spell;
    let casts = PhasedEvent::Casts {
        who,
        spell,
        segments,
    };
    outcome.emit("PH-22", casts);
}

/// Continues a spell with a casting time longer than a round.
pub fn continue_cast(ph: &PhasedQuery, who: Id, outcome: &mut StepOutcome) {
    if let Some(casting) = ph.fighter(who).casting {
        let segments = casting.segments.saturating_sub(ROUND).max(1);
        outcome.emit("PH-10", PhasedEvent::CastsOn { who, segments });
    }
}

/// PH-23: whether the unit casts a spell that completes this round and has no target yet.
pub fn must_aim(ph: &PhasedQuery, who: Id) -> bool {
    let casting = ph.fighter(who).casting;
    casting.is_some_and(|c| c.at.is_none() && c.to.is_none() && c.segments <= ROUND)
}

/// Whether a spell is meant for a unit: allies for help (fallen ones for healing), enemies for harm
/// (fallen ones for damage, PH-60).
pub fn is_subject(ph: &PhasedQuery, who: Id, spell: &Spell, id: Id) -> bool {
    let (body, friend) = (ph.body(id), ph.body(id).side == ph.body(who).side);
    let is_here = body.is_up() || spell.effect.affects_downed() && body.state == State::Down;
    match spell.effect.harms() {
        false => friend && is_here,
        true => !friend && is_here && !ph.fighter(id).hidden,
    }
}

/// PH-26: whether range, line of effect and line of sight to a unit are clear, or why not. The
/// caster can always affect itself.
pub fn can_affect(ph: &PhasedQuery, who: Id, spell: &Spell, id: Id) -> Result<(), Why> {
    if id == who {
        return Ok(());
    }
    Why::new("PH-26", "the target is no longer there")
        .unless(matches!(ph.body(id).state, State::Up | State::Down))?;
    let (here, there) = (ph.body(who).space(), ph.body(id).space());
    let board = &ph.view.board;
    let touch = spell.range <= 5;
    let feet = spell.range.clamp(5, 30_000) as u16;
    if !board.within(here, there, feet) {
        return Err(Why::new("PH-26", format!("beyond {feet} ft")));
    }
    if touch {
        return Ok(());
    }
    Why::new("PH-26", "the surface of the water is in the way")
        .when(is_under_water(ph, who) != is_under_water(ph, id))?;
    Why::new("PH-26", "no line of sight").unless(board.sight(here, there).los)?;
    Why::new("PH-26", NO_EFFECT).unless(board.line_of_effect(here, there))?;
    Why::new("PH-26", "the target is concealed by three quarters or more")
        .when(board.concealment(here, there) >= 75)
}

/// A prone unit in water is under water.
fn is_under_water(ph: &PhasedQuery, id: Id) -> bool {
    let body = ph.body(id);
    let wet = |cell| ph.view.board.ground(cell).is_some_and(|g| g.water);
    body.prone && body.space().cells().all(wet)
}

/// Whether an area can be placed at a cell, or why not: in range, with line of effect. Areas that
/// start at the caster need only a direction.
pub fn can_point(ph: &PhasedQuery, who: Id, spell: &Spell, cell: Cell) -> Result<(), Why> {
    let here = ph.body(who).space();
    if !matches!(spell.area, SpellArea::Blast(_)) {
        return Why::new("PH-26", "no direction").when(here.contains(cell));
    }
    let feet = spell.range.clamp(0, 30_000) as u16;
    let board = &ph.view.board;
    if !board.within(here, cell.into(), feet) {
        return Err(Why::new("PH-26", format!("beyond {feet} ft")));
    }
    Why::new("PH-26", "no line of sight").unless(board.sight(here, cell.into()).los)?;
    Why::new("PH-26", NO_EFFECT).unless(board.line_of_effect(here, cell.into()))
}

/// The reason why an effect is blocked.
const NO_EFFECT: &str = "no line of effect: an opening of 1 ft, cover of no more than half";

/// The units that a spell catches, in id order. Damage hits fallen units too (PH-60).
pub fn caught(ph: &PhasedQuery, who: Id, spell: &Spell, to: Cell) -> Vec<Id> {
    // The surface of water stops a spell (PH-26).
    let under = is_under_water(ph, who);
    let may_be = |id| areas::is_exposed(&ph.view, spell, id) && is_under_water(ph, id) == under;
    areas::caught(&ph.view, who, spell, to.into(), may_be)
}

/// PH-24: a spell's initiative key, which orders the spells of a round.
pub fn key(ph: &PhasedQuery, who: Id, casting: &Casting) -> u16 {
    if casting.segments >= ROUND {
        return LAST;
    }
    // In an initiative tie all sides are HIGH; delayed units are LOW (PH-17).
    let more = match ph.group(who) {
        Group::Low => ph.tables().numbers.low_spell,
        Group::High => 0,
    };
    u16::from(casting.segments) + u16::from(more)
}

/// Spells that complete this round, with their keys, in order.
fn pending(ph: &PhasedQuery) -> Vec<(u16, Id, Casting)> {
    let of = |id: Id| {
        let casting = ph.fighter(id).casting.filter(|c| c.segments <= ROUND)?;
        ph.is_up(id).then(|| (key(ph, id, &casting), id, casting))
    };
    let mut all: Vec<_> = ph.view.ids().filter_map(of).collect();
    all.sort_by_key(|p| (p.0, p.1));
    all
}

system_step! {
    /// PH-01, step 7: resolves spells.
    pub struct Begin => begin_step
}

fn begin_step(In(_): In<Begin>, ph: PhasedQuery) -> StepOutcome {
    let (part, group) = (PhasePart::Spells, Group::Low);
    let mut outcome = StepOutcome::default().and("PH-01", PhasedEvent::Part { part, group });
    for who in ph.view.ids() {
        // A caster that fell has lost its spell.
        if ph.fighter(who).casting.is_some() && !ph.is_up(who) {
            concentration::breaks(&ph, who, &mut outcome);
        }
    }
    let pending = pending(&ph);
    let keys = pending.iter().map(|p| (p.1, p.2.spell.0, p.0));
    let keys: Vec<_> = keys.collect();
    if keys.is_empty() {
        return outcome;
    }
    outcome
        .and("PH-24", PhasedEvent::Chart { keys })
        .then(Resolve)
}

system_step! {
    /// Resolves all spells with the lowest key simultaneously, then queues the next ones.
    struct Resolve => resolve
}

fn resolve(In(_): In<Resolve>, ph: PhasedQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let all = pending(&ph);
    let Some(first) = all.first() else {
        return StepOutcome::default();
    };
    let mut outcome = StepOutcome::default();
    let now = || all.iter().filter(|p| p.0 == first.0);
    let mut toll = DamageTally {
        firm: now().map(|p| p.1).collect(),
        ..DamageTally::default()
    };
    for (_, who, casting) in now() {
        let SpellId(spell) = casting.spell;
        outcome.emit("PH-24", PhasedEvent::CastDone { who: *who, spell });
        take_effect(&ph, *who, *casting, &mut dice, &mut outcome, &mut toll);
    }
    toll.take(&ph, &mut outcome);
    outcome.then(EndChecks).then(Resolve)
}

/// What all simultaneous spells do to their targets.
#[derive(Default)]
struct DamageTally {
    lost: Losses,
    /// Targets of harmful spells (PH-04).
    attacked: BTreeSet<Id>,
    /// Units whose concentration cannot break any more: their own spell completes now, or the break
    /// is already logged.
    firm: BTreeSet<Id>,
}

impl DamageTally {
    /// PH-20: damage, a failed save or a hindrance breaks the unit's concentration.
    fn shakes(&mut self, ph: &PhasedQuery, who: Id, outcome: &mut StepOutcome) {
        if self.firm.insert(who) {
            concentration::breaks(ph, who, outcome);
        }
    }

    fn take(self, ph: &PhasedQuery, outcome: &mut StepOutcome) {
        for &who in self.attacked.iter().filter(|&&id| ph.fighter(id).listens) {
            outcome.emit("PH-04", PhasedEvent::HearsNoMore { who });
        }
        for (who, loss) in self.lost {
            bleed::fall::<Phased>(ph, who, loss, outcome);
        }
    }
}

/// The units that a completed spell affects, or why it has no effect.
fn targets(ph: &PhasedQuery, who: Id, casting: Casting) -> Result<Vec<Id>, Why> {
    let spell = ph.view.spell(casting.spell);
    match (casting.at, casting.to) {
        (Some(at), _) => can_affect(ph, who, spell, at).map(|()| vec![at]),
        (_, Some(to)) => {
            let is_blast = matches!(spell.area, SpellArea::Blast(_));
            Why::new("PH-26", "no line of effect")
                .when(is_blast && can_point(ph, who, spell, to).is_err())?;
            Ok(caught(ph, who, spell, to))
        }
        _ => Err(Why::new("PH-23", "no target was named")),
    }
}

/// Finds a spell's targets, rolls their saves and applies the effect. Losses are collected in
/// `toll`, because several spells may be simultaneous.
fn take_effect(
    ph: &PhasedQuery,
    who: Id,
    casting: Casting,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
    toll: &mut DamageTally,
) {
    let spell = ph.view.spell(casting.spell);
    let targets = match targets(ph, who, casting) {
        Ok(targets) => targets,
        Err(why) => {
            outcome.emit_stop(who, why);
            return;
        }
    };
    if casting.at.is_none() {
        outcome.emit("GR-41", EventKind::caught(casting.spell, &targets));
    }
    let rolled = match spell.effect {
        Effect::Damage(d) | Effect::Heal(d) => Roll::thrown(d, "spell", "PH-24", dice),
        _ => Roll::default(),
    };
    // The spell's dice are logged once, with its first target.
    let mut roll_to_log = Some(rolled.clone());
    for id in targets {
        ph.reveal(id, outcome);
        if spell.effect.harms() {
            toll.attacked.insert(id);
        }
        if is_immune(ph, spell, id) {
            wounds::emit_no_effect(ph, "PH-43", id, who, false, outcome);
            continue;
        }
        let saved = spell.save != Save::None && saves(ph, id, spell, dice, outcome);
        if !saved && spell.save != Save::None {
            toll.shakes(ph, id, outcome);
        }
        let whole = rolled.total().max(0);
        let Some(points) = after_save(whole, spell.save, saved) else {
            continue;
        };
        match spell.effect {
            Effect::Damage(_) => {
                let mut roll = roll_to_log.take().unwrap_or_default();
                let label = if saved { "half" } else { "rolled once for all" };
                roll.set_total(points, label, "PH-60");
                let by = Some(who);
                outcome.emit("PH-24", EventKind::damaged(id, by, points, roll));
                if points > 0 {
                    toll.shakes(ph, id, outcome);
                }
                toll.lost.add(id, points, true);
            }
            Effect::Heal(_) => wounds::heal(ph, id, whole, outcome),
            Effect::Lasts { ref condition, .. } => {
                if condition.impedes() {
                    toll.shakes(ph, id, outcome);
                }
                lay::<Phased>(ph, who, casting.spell, id, outcome);
                keep_up(ph, who, casting.spell, id, outcome);
            }
        }
    }
}

/// PH-21: notes that the caster must concentrate to keep the effect up.
pub fn keep_up(ph: &PhasedQuery, who: Id, spell: SpellId, on: Id, outcome: &mut StepOutcome) {
    if ph.spell_numbers(spell).upkeep {
        let SpellId(spell) = spell;
        outcome.emit("PH-21", PhasedEvent::KeepsUp { who, spell, on });
    }
}

/// The use of an innate ability or immediate spell.
pub fn used(ph: &PhasedQuery, who: Id, spell: SpellId) -> PhasedEvent {
    let (is_spell, SpellId(spell)) = (ph.spell_numbers(spell).is_spell, spell);
    PhasedEvent::Used {
        who,
        spell,
        is_spell,
    }
}

/// PH-43: whether the unit is immune to a tag of the spell or to a tag that it implies.
pub fn is_immune(ph: &PhasedQuery, spell: &Spell, id: Id) -> bool {
    let tags = spell.section::<PhasedSpell>().tags.iter().copied();
    let mut tags = ph.tables().all_tags(tags).into_iter();
    tags.any(|tag| ph.stats(id).immune.contains(&tag))
}

/// PH-60: the roll that the unit needs to save against this spell, and the name of the save.
pub fn save_against(ph: &PhasedQuery, id: Id, spell: &Spell) -> (i32, &'static str) {
    let saves = ph.stats(id).saves;
    match spell.area {
        _ if spell.effect.holds() => (saves.body, "save against holding"),
        SpellArea::One => (saves.magic, "save against magic"),
        _ => (saves.breath, "save against breath"),
    }
}

fn saves(
    ph: &PhasedQuery,
    id: Id,
    spell: &Spell,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) -> bool {
    let (against, what) = save_against(ph, id, spell);
    Check::d20(id, what, vec![]).passes("PH-60", against, dice, outcome)
}

/// A lasting effect ends at the end of its last round (PH-60).
impl TimesConditions for Phased {
    const LASTS: Rule = "PH-60";

    /// An effect that begins after both groups' turns counts the next round as its first.
    fn next(ph: &PhasedQuery, _: Id) -> i32 {
        i32::from(ph.clock.round) + i32::from(ph.clock.part.is_late())
    }

    fn saves(
        ph: &PhasedQuery,
        who: Id,
        from: &ActiveCondition,
        dice: &mut DiceBox,
        outcome: &mut StepOutcome,
    ) -> bool {
        let Some(id) = from.spell else { return false };
        let passed = saves(ph, who, ph.view.spell(id), dice, outcome);
        if !passed {
            outcome.push(Shaken { who });
        }
        passed
    }
}

system_step! {
    /// PH-20, PH-21: a unit's save at the end of the round has failed, which breaks its
    /// concentration.
    struct Shaken { who: Id } => shaken
}

fn shaken(In(Shaken { who }): In<Shaken>, ph: PhasedQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    concentration::breaks(&ph, who, &mut outcome);
    outcome
}

system_step! {
    /// PH-18: innate abilities take effect. Abilities in one step are simultaneous, so that two
    /// units can drop each other.
    pub struct Unleash { pub choices: Vec<Choice> } => unleash
}

fn unleash(
    In(Unleash { choices }): In<Unleash>,
    ph: PhasedQuery,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let mut toll = DamageTally::default();
    for choice in choices {
        let (Some(who), Some(spell)) = (choice.who, choice.spell) else {
            continue;
        };
        let casting = Casting {
            spell,
            at: choice.at,
            to: choice.to,
            segments: 1,
        };
        if ph.is_up(who) {
            take_effect(&ph, who, casting, &mut dice, &mut outcome, &mut toll);
        }
    }
    toll.take(&ph, &mut outcome);
    outcome.then(EndChecks)
}
