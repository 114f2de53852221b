//! Spells that take effect (SE-40, SE-41).

use super::{
    Segments, end_checks::EndChecks, events::SegmentsEvent, query::SegmentsQuery, state::Casting,
    wounds,
};
use crate::rulesets::segments::numbers;
use crate::{
    battle::{
        ActiveCondition, Answer, Choice, DiceBox, EventKind, Id, Offer, Offers, Poll, Roll, Rule,
        SpellId, State, StepOutcome, Why, capitalised,
    },
    content::{Dice, Effect, Save, SpellArea},
    grid::{Cell, Space},
    rulesets::common::{areas, ask, bleed, verbs},
    rulesets::common::{
        checks::Check,
        conditions::{TimesConditions, expire, lay},
        damage::{Losses, after_save},
    },
    system_step,
};
use bevy_ecs::system::{In, ResMut};
use std::collections::BTreeSet;

verbs! {
    /// Aims a completed spell at one unit.
    AIM = "release at", "release {spell} at {at}", "casts {spell} at {at}", "SE-40";
    /// Aims a completed spell at a cell, or in a direction.
    AIM_PLACE = "release towards", "release {spell} towards {to}", "casts {spell} towards {to}",
        "SE-40";
    /// Drops a completed spell, by choice or because there is no target.
    LET_GO = "let go", "let {spell} go", "lets {spell} go", "SE-20";
}

system_step! {
    /// All spells that are complete at one moment: before any unit acts in a segment of a round
    /// (SE-40), or as a surprise segment ends (SE-14). Their casters choose targets in secret, then
    /// the spells take effect together.
    pub struct Due { pub poll: Option<Poll> } => due
}

fn due(
    In(mut step): In<Due>,
    se: SegmentsQuery,
    mut answer: ResMut<Answer>,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let moment = se.clock.now() + i32::from(se.clock.round == 0);
    let ready = |id: &Id| se.casting(*id).is_some_and(|c| c.ready <= moment);
    let casters = || Poll::of(se.view.ids().filter(ready));
    let mut poll = step.poll.take().unwrap_or_else(casters);
    // Spells of several sides take effect simultaneously (SE-32).
    let mut sides = se.view.ids().filter(ready).map(|id| se.body(id).side);
    let first = sides.next();
    let rule = match sides.any(|side| Some(side) != first) {
        true => "SE-32",
        false => "SE-40",
    };
    let ask = |who: Id| {
        let Casting { spell, .. } = se.casting(who)?;
        let name = capitalised(se.view.names().spell(spell));
        let offers = Offers::ByActor(|world, who| ask::<Segments, _, _>(world, offers, who));
        Some(se.view.asks(who, rule, format!("{name} is ready"), offers))
    };
    if let Some(question) = poll.next(&mut answer, ask) {
        step.poll = Some(poll);
        return StepOutcome::ask(question, step);
    }
    let said = poll.open(&mut answer);
    if said.is_empty() {
        return StepOutcome::default();
    }
    let mut harm = Harm {
        firm: said.iter().filter_map(|choice| choice.who).collect(),
        ..Harm::default()
    };
    let mut outcome = StepOutcome::default();
    for choice in said {
        outcome.emit(choice.verb.rule, EventKind::acted(&choice));
        let who = choice.actor();
        outcome.emit("SE-40", SegmentsEvent::CastEnded { who });
        if choice.verb != &LET_GO {
            take_effect(&se, &choice, &mut dice, &mut harm, &mut outcome);
        }
    }
    harm.apply_all(&se, &mut outcome);
    outcome.then(EndChecks)
}

/// The targets or cells at which a completed spell can be aimed, or dropping it.
fn offers(se: &SegmentsQuery, who: Id) -> Vec<Offer> {
    let Some(Casting { spell, .. }) = se.casting(who) else {
        return vec![];
    };
    let mut out = offers_to_aim(se, who, spell);
    out.push(Offer::legal(Choice::new(&LET_GO, who).spell(spell)));
    out
}

/// The targets or cells at which a spell could be aimed now.
pub fn offers_to_aim(se: &SegmentsQuery, who: Id, spell: SpellId) -> Vec<Offer> {
    let kind = se.view.spell(spell);
    let mut out = vec![];
    if kind.area == SpellArea::One {
        // Units on the field, standing or fallen.
        let is_here = |id: &Id| matches!(se.body(*id).state, State::Up | State::Down);
        for at in se.view.ids().filter(is_here) {
            let choice = Choice::new(&AIM, who).spell(spell).at(at);
            out.push(Offer::from(choice, se.can_target(who, spell, at)));
        }
    } else {
        let cells = se.aims(who, spell).into_iter();
        out.extend(cells.map(|to| Offer::legal(Choice::new(&AIM_PLACE, who).spell(spell).to(to))));
    }
    out
}

impl SegmentsQuery<'_, '_> {
    /// Whether a spell with a single target can be aimed at this unit: harm at standing enemies,
    /// help at allies and the caster.
    pub fn can_target(&self, who: Id, spell: SpellId, at: Id) -> Result<(), Why> {
        let kind = self.view.spell(spell);
        let body = self.body(at);
        let hurt = body.hp < body.max_hp || !matches!(kind.effect, Effect::Heal(_));
        Why::new("SE-40", "the spell has no effect there")
            .when(!hurt || !areas::suits(&self.view, who, kind, at))?;
        areas::in_range(&self.view, who, kind.range, body.space(), "SE-40")
    }

    /// Cells at which, or towards which, a spell with an area can be aimed.
    pub fn aims(&self, who: Id, spell: SpellId) -> Vec<Cell> {
        let kind = self.view.spell(spell);
        let board = &self.view.board;
        let here = self.body(who).space();
        let feet = match kind.area {
            SpellArea::Cone(feet) | SpellArea::Line(feet) => feet,
            _ => kind.range,
        };
        let feet = feet.clamp(0, 30_000) as u16;
        let is_aim = |cell: &Cell| {
            let there = Space::one(*cell);
            let apart = board.distance(here, there);
            let near = apart.is_some_and(|apart| apart.is_within(feet.into()));
            near && !here.contains(*cell) && board.can_stand(there) && board.sight(here, there).los
        };
        board.cells().filter(is_aim).collect()
    }

    /// Units in the area of a spell aimed at a cell. Damage hits fallen units too (SE-54).
    pub fn caught(&self, who: Id, spell: SpellId, to: Cell) -> Vec<Id> {
        let kind = self.view.spell(spell);
        let may_be = |id| areas::is_exposed(&self.view, kind, id);
        areas::caught(&self.view, who, kind, to.into(), may_be)
    }
}

/// The harm that all spells of one moment do.
#[derive(Default)]
struct Harm {
    lost: Losses,
    /// Units that cannot lose a spell any more: theirs takes effect in this moment, or is already
    /// lost.
    firm: BTreeSet<Id>,
}

impl Harm {
    /// SE-41: damage or a failed save spoils the unit's spell.
    fn shakes(&mut self, se: &SegmentsQuery, who: Id, outcome: &mut StepOutcome) {
        if self.firm.insert(who) {
            wounds::disrupt(se, who, outcome);
        }
    }

    fn apply_all(self, se: &SegmentsQuery, outcome: &mut StepOutcome) {
        for (who, loss) in self.lost {
            bleed::fall::<Segments>(se, who, loss, outcome);
        }
    }
}

fn take_effect(
    se: &SegmentsQuery,
    choice: &Choice,
    dice: &mut DiceBox,
    harm: &mut Harm,
    outcome: &mut StepOutcome,
) {
    let who = choice.actor();
    let spell = choice.spell.expect("it is a spell");
    let kind = se.view.spell(spell);
    let targets = match (choice.at, choice.to) {
        (Some(at), _) => vec![at],
        (_, Some(to)) => {
            let caught = se.caught(who, spell, to);
            outcome.emit("GR-41", EventKind::caught(spell, &caught));
            caught
        }
        _ => vec![],
    };
    match kind.effect {
        Effect::Damage(d) => {
            let (full, roll) = rolled(d, dice);
            for at in targets {
                let saved = saved(se, at, kind.save, dice, harm, outcome);
                let Some(points) = after_save(full, kind.save, saved) else {
                    continue;
                };
                let mut roll = roll.clone();
                if points < full {
                    roll.set_total(points, "saved", "SE-50");
                }
                let by = Some(who);
                outcome.emit("SE-40", EventKind::damaged(at, by, points, roll));
                if points > 0 {
                    harm.shakes(se, at, outcome);
                }
                harm.lost.add(at, points, true);
            }
        }
        Effect::Heal(d) => {
            for at in targets {
                let (points, _) = rolled(d, dice);
                outcome.emit("SE-40", EventKind::Healed { who: at, points });
                bleed::revive::<Segments>(se, at, outcome);
            }
        }
        Effect::Lasts { ref condition, .. } => {
            for at in targets {
                if condition.harms() {
                    if saved(se, at, kind.save, dice, harm, outcome) {
                        continue;
                    }
                    harm.shakes(se, at, outcome);
                }
                lay::<Segments>(se, who, spell, at, outcome);
            }
        }
    }
}

/// Rounds of a lasting effect count from the segment in which it began (SE-40).
impl TimesConditions for Segments {
    const LASTS: Rule = "SE-40";

    /// The moment one round from now, as [`Clock::now`](super::state::Clock::now) counts.
    fn next(se: &SegmentsQuery, _: Id) -> i32 {
        se.clock.now() + numbers::ROUND
    }

    fn until(se: &SegmentsQuery, _: Id, rounds: i32) -> i32 {
        se.clock.now() + rounds * numbers::ROUND
    }

    fn left(se: &SegmentsQuery, lasting: &ActiveCondition) -> i32 {
        rounds_left(lasting, se.clock.now())
    }

    fn saves(
        se: &SegmentsQuery,
        who: Id,
        _: &ActiveCondition,
        dice: &mut DiceBox,
        outcome: &mut StepOutcome,
    ) -> bool {
        save_roll(se, who, dice, outcome)
    }
}

/// Rounds that an effect has left at moment `now`, rounded up.
fn rounds_left(lasting: &ActiveCondition, now: i32) -> i32 {
    (lasting.until - now + numbers::ROUND - 1).div_euclid(numbers::ROUND)
}

/// Advances lasting effects to the moment `next`: effects end, or are a round older. A failed save
/// against an effect spoils the unit's spell (SE-41).
pub fn lapse(se: &SegmentsQuery, next: i32, dice: &mut DiceBox, outcome: &mut StepOutcome) {
    let now = se.clock.now();
    let ages =
        |_, lasting: &ActiveCondition| rounds_left(lasting, next) < rounds_left(lasting, now);
    for who in expire::<Segments>(se, next, ages, dice, outcome) {
        wounds::disrupt(se, who, outcome);
    }
}

/// SE-50: rolls a save; it succeeds if a d20 reaches the unit's save number.
fn save_roll(se: &SegmentsQuery, who: Id, dice: &mut DiceBox, outcome: &mut StepOutcome) -> bool {
    Check::d20(who, "save", vec![]).passes("SE-50", se.stats(who).save, dice, outcome)
}

/// Rolls a save against a spell and returns whether it succeeds. A failed save spoils the unit's
/// own spell (SE-41).
fn saved(
    se: &SegmentsQuery,
    who: Id,
    save: Save,
    dice: &mut DiceBox,
    harm: &mut Harm,
    outcome: &mut StepOutcome,
) -> bool {
    if save == Save::None {
        return false;
    }
    let passed = save_roll(se, who, dice, outcome);
    if !passed {
        harm.shakes(se, who, outcome);
    }
    passed
}

fn rolled(d: Dice, dice: &mut DiceBox) -> (i32, Roll) {
    let roll = Roll::thrown(d, "spell", "SE-40", dice);
    (roll.total().max(0), roll)
}
