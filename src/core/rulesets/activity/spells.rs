//! Spells: targets, casting rolls and effects (AC-03, AC-20, AC-34).

use super::{
    Activity,
    events::ActivityEvent,
    numbers::row,
    odds::{Forecast, RollResult, chance_of},
    query::{ActivityQuery, maneuver, open_ended},
    state::{Lasts, Timed},
    targets::{CAST_AT, CAST_TO},
    wounds,
};
use crate::rulesets::activity::content::{ActivitySpell, Grant};
use crate::{
    battle::{
        ActiveCondition, CheckRoll, Choice, DiceBox, EventKind, Id, Modifier, Offer, Roll, Rule,
        SpellId, State, StepOutcome, Why, sum,
    },
    content::{Effect, Save, Spell, SpellArea},
    grid::{Cell, Cover, Space},
    rulesets::common::conditions::{TimesConditions, begins},
    rulesets::common::damage::{Loss, Losses},
    rulesets::common::{areas, hiding::knows_of, room::Revive},
    system_step,
};
use bevy_ecs::system::{In, ResMut};
use std::sync::Arc;

/// Every target or cell that a spell can be aimed at now.
pub fn aims(ac: &ActivityQuery, who: Id, spell: SpellId) -> Vec<Offer> {
    let kind = ac.view.spell(spell);
    match kind.area {
        SpellArea::One => single_targets(ac, who, spell, kind),
        _ => places(ac, who, spell, kind),
    }
}

/// Harmful spells target enemies, helpful ones target allies.
fn single_targets(ac: &ActivityQuery, who: Id, spell: SpellId, kind: &Spell) -> Vec<Offer> {
    let unseen = |id: Id| kind.effect.harms() && ac.actor(id).hidden;
    let fits = |&id: &Id| areas::suits(&ac.view, who, kind, id) && !unseen(id);
    let offer = |id: Id| {
        let legal = can_reach(ac, who, ac.body(id).space(), kind);
        Offer::from(Choice::new(&CAST_AT, who).spell(spell).at(id), legal)
    };
    ac.view.ids().filter(fits).map(offer).collect()
}

/// Cells of visible enemies; for a blast also the cells around them, which may cover more
/// targets.
fn places(ac: &ActivityQuery, who: Id, spell: SpellId, kind: &Spell) -> Vec<Offer> {
    let here = ac.body(who).space();
    let mut cells: Vec<Cell> = vec![];
    for enemy in ac.enemies(who) {
        for cell in ac.body(enemy).space().cells() {
            cells.push(cell);
            if matches!(kind.area, SpellArea::Blast(_)) {
                cells.extend(cell.neighbours().filter(|&c| ac.view.board.contains(c)));
            }
        }
    }
    cells.retain(|c| !here.contains(*c));
    cells.sort_unstable();
    cells.dedup();
    let offer = |cell: Cell| {
        let choice = Choice::new(&CAST_TO, who).spell(spell).to(cell);
        let legal = match kind.area {
            SpellArea::Blast(_) => can_reach(ac, who, Space::one(cell), kind),
            _ => Ok(()),
        };
        let legal = legal.and_then(|()| {
            let mut caught = caught(ac, who, kind, cell).into_iter();
            Why::new("AC-34", "it would catch nobody")
                .unless(caught.any(|id| knows_of::<Activity>(ac, who, id)))
        });
        Offer::from(choice, legal)
    };
    cells.into_iter().map(offer).collect()
}

fn can_reach(ac: &ActivityQuery, who: Id, target: Space, kind: &Spell) -> Result<(), Why> {
    areas::in_range(&ac.view, who, kind.range.max(5), target, "AC-34")
}

/// Units in an area, both allies and enemies, in id order (GR-41). Harmful areas include fallen
/// units (AC-33).
pub fn caught(ac: &ActivityQuery, who: Id, kind: &Spell, to: Cell) -> Vec<Id> {
    let grants = kind.section::<ActivitySpell>().grants.is_some();
    let may_be = |id| match grants {
        true => ac.is_up(id),
        false => areas::is_exposed(&ac.view, kind, id),
    };
    areas::caught(&ac.view, who, kind, to.into(), may_be)
}

system_step! {
    /// Casts a spell that is due: the casting roll and its effects.
    pub struct Cast {
        pub who: Id,
        pub spell: SpellId,
        pub points: i32,
        /// Penalty to the roll for hastening, 0 or less.
        pub haste: i32,
        pub at: Option<Id>,
        pub to: Option<Cell>,
    } => cast
}

/// Modifiers to a casting roll.
pub fn casting(ac: &ActivityQuery, who: Id, haste: i32) -> Vec<Modifier> {
    let mut parts = vec![own_casting(ac, who)];
    Modifier::push(&mut parts, haste.min(0), "hastened", "AC-03");
    Modifier::push(&mut parts, ac.actor(who).penalty.min(0), "wounds", "AC-31");
    parts
}

fn own_casting(ac: &ActivityQuery, who: Id) -> Modifier {
    Modifier::new(ac.stats(who).casting as i16, "casting", "AC-34")
}

/// The highest first die that fumbles a spell: 5, plus 1 for every 2 points of hastening
/// penalty (AC-34).
pub fn fumbles_at(ac: &ActivityQuery, haste: i32) -> i32 {
    ac.tables().casting_fumble - haste / 2
}

/// Chance that a casting roll succeeds, out of 10,000 (AC-34).
pub fn casting_chance(ac: &ActivityQuery, who: Id, haste: i32) -> u32 {
    let bonus = sum(&casting(ac, who, haste));
    chance_of(bonus, ac.tables().casting_target, fumbles_at(ac, haste))
}

/// Chance that the unit resists a spell, out of 10,000 (AC-35).
pub fn resistance_chance(ac: &ActivityQuery, who: Id, kind: &Spell) -> u32 {
    match kind.save {
        Save::None => 0,
        _ => chance_of(ac.stats(who).resistance, ac.tables().maneuver_target, 0),
    }
}

/// A spell that has begun is cast, whatever other units do at the same count (AC-11).
fn cast(In(cast): In<Cast>, ac: ActivityQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let Cast { who, spell, .. } = cast;
    let mut outcome = StepOutcome::default();
    outcome.emit("AC-34", ActivityEvent::Cast { who, spell });
    let points = cast.points;
    outcome.emit("AC-34", ActivityEvent::Power { who, points });
    let roll = open_ended(casting(&ac, who, cast.haste), &mut dice);
    let against = ac.tables().casting_target;
    let fumbled = roll.face() <= fumbles_at(&ac, cast.haste);
    let passed = !fumbled && roll.total() >= against;
    let what = format!("casting {}", ac.view.names().spell(spell));
    CheckRoll::by(who, what, roll).emit("AC-34", against, passed, &mut outcome);
    if fumbled {
        fumble(&ac, who, &mut dice, &mut outcome);
    }
    if !passed {
        return outcome;
    }
    let kind = ac.view.spell(spell);
    let victims = match (cast.at, cast.to) {
        (Some(at), _) => vec![at],
        (_, Some(to)) => {
            let caught = caught(&ac, who, kind, to);
            caught.iter().for_each(|&id| ac.reveal(id, &mut outcome));
            outcome.emit("GR-41", EventKind::caught(spell, &caught));
            caught
        }
        _ => vec![who],
    };
    effect(&ac, &cast, kind, &victims, &mut dice, &mut outcome);
    outcome
}

fn fumble(ac: &ActivityQuery, who: Id, dice: &mut DiceBox, outcome: &mut StepOutcome) {
    let roll = Roll::one(100, dice.roll(100), vec![]);
    let row = row(&ac.tables().spell_fumbles, roll.total());
    let check = CheckRoll::by(who, format!("fumbled spell, {}", row.text), roll);
    outcome.emit("AC-34", check);
    if row.hits > 0 {
        hurt(who, who, row.hits, "recoil", outcome);
        wounds::sink(ac, who, Loss::plain(row.hits), outcome);
    }
    wounds::mark(ac, who, row, outcome);
}

fn hurt(who: Id, by: Id, points: i32, label: &str, outcome: &mut StepOutcome) {
    let roll = Roll::fixed(points, label.to_owned(), "AC-31");
    outcome.emit("AC-31", EventKind::damaged(who, Some(by), points, roll));
}

fn effect(
    ac: &ActivityQuery,
    cast: &Cast,
    kind: &Spell,
    victims: &[Id],
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) {
    let mut lost = Losses::default();
    let own = kind.section::<ActivitySpell>();
    for &who in victims {
        match (own.grants, &kind.effect) {
            (Some(grant), _) => {
                let (rule, what) = match grant {
                    Grant::Swift => ("AC-25", Lasts::Swift),
                    Grant::QuickLoad => ("AC-24", Lasts::QuickLoad),
                };
                // One more round: declarations of the next round use the effect.
                let rounds = rounds(kind) + 1;
                let lasting = Timed { what, rounds };
                outcome.emit(rule, ActivityEvent::Lasts { who, lasting });
            }
            (None, Effect::Damage(_)) => bolt(ac, cast, kind, who, dice, outcome, &mut lost),
            (None, Effect::Heal(dice_of)) => {
                let most = i32::from(dice_of.count) * i32::from(dice_of.sides);
                let points = most + 3 * (cast.points - own.points);
                heal(ac, who, points, outcome);
            }
            (None, Effect::Lasts { condition, .. }) => {
                if condition.harms() && resists(ac, who, kind, dice, outcome) {
                    continue;
                }
                let mut condition = condition.clone();
                // More power makes a protection spell stronger.
                let more = cast.points - own.points;
                if condition.defense > 0 && more != 0 {
                    Arc::make_mut(&mut condition).defense += more;
                }
                let source = (cast.who, Some(cast.spell));
                let began = begins::<Activity>(ac, source, who, &condition, rounds(kind));
                outcome.emit(Activity::LASTS, began);
            }
        }
    }
    for (who, loss) in lost {
        wounds::sink(ac, who, loss, outcome);
    }
}

/// Restores hits and stanches bleeding. A fallen unit that has hits again recovers.
fn heal(ac: &ActivityQuery, who: Id, points: i32, outcome: &mut StepOutcome) {
    if ac.actor(who).bleeding > 0 {
        outcome.emit("AC-33", ActivityEvent::Stanched { who });
    }
    let body = ac.body(who);
    let hp = body.hp + points;
    match body.state == State::Down && hp > 0 {
        true => outcome.push(Revive::<Activity>::of(who, hp.min(body.max_hp), "AC-33")),
        false => outcome.emit("AC-34", EventKind::Healed { who, points }),
    }
}

/// Duration in rounds. Minutes count five times as in the two-second system, that is thirty
/// rounds each (AC-20).
pub fn rounds(kind: &Spell) -> i32 {
    const ROUNDS_A_MINUTE: i32 = 6;
    if let Some(minutes) = kind.section::<ActivitySpell>().minutes {
        return minutes * 5 * ROUNDS_A_MINUTE;
    }
    match kind.effect {
        Effect::Lasts { rounds, .. } => rounds,
        _ => 1,
    }
}

/// The forecast of a spell's attack: casting skill, plus 5 for every point above its base form,
/// against everything in the target's DB except its shield and missile parry.
pub fn spell_forecast(ac: &ActivityQuery, by: Id, at: Id, kind: &Spell, points: i32) -> Forecast {
    let own = kind.section::<ActivitySpell>();
    let mut modifiers = vec![own_casting(ac, by)];
    let more = 5 * (points - own.points).max(0);
    Modifier::push(&mut modifiers, more, "more power", "AC-34");
    let mut defence = ac.defence(at, true);
    defence.retain(|m| m.rule != "AC-22" && m.label != "shield");
    Forecast {
        modifiers,
        defence,
        attack: own.attack,
        size: own.size,
        fumble: 0,
        hits: ac.body(at).hp,
        cover: Cover::None,
    }
}

/// Rolls a spell's attack and looks it up in the table of its attack type (AC-31).
fn bolt(
    ac: &ActivityQuery,
    cast: &Cast,
    kind: &Spell,
    at: Id,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
    lost: &mut Losses,
) {
    let forecast = spell_forecast(ac, cast.who, at, kind, cast.points);
    let halves = kind.save == Save::Half && resists(ac, at, kind, dice, outcome);
    let roll = open_ended(forecast.modifiers.clone(), dice);
    let comes = forecast.comes_to(&roll);
    let hit = matches!(comes, RollResult::Hit(_));
    let check = CheckRoll::by(cast.who, kind.name.clone(), roll).at(at);
    check.emit("AC-31", forecast.db() + 1, hit, outcome);
    let RollResult::Hit(sum) = comes else { return };
    let Some(row) = forecast.row(sum) else { return };
    let points = if halves { row.hits / 2 } else { row.hits };
    hurt(at, cast.who, points, &row.text, outcome);
    if !halves {
        wounds::mark(ac, at, row, outcome);
    }
    lost.add(at, points, row.dead && !halves);
}

/// A lasting effect ends with the last of its rounds (AC-20).
impl TimesConditions for Activity {
    const LASTS: Rule = "AC-20";
    const POINT: i32 = 5;

    fn saves(
        ac: &ActivityQuery,
        who: Id,
        _: &ActiveCondition,
        dice: &mut DiceBox,
        outcome: &mut StepOutcome,
    ) -> bool {
        resistance_roll(ac, who, dice, outcome)
    }
}

/// Rolls resistance: an open-ended d100 plus resistance; 101 or more resists (AC-35).
fn resists(
    ac: &ActivityQuery,
    who: Id,
    kind: &Spell,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) -> bool {
    kind.save != Save::None && resistance_roll(ac, who, dice, outcome)
}

fn resistance_roll(
    ac: &ActivityQuery,
    who: Id,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) -> bool {
    let bonus = ac.stats(who).resistance as i16;
    let modifiers = vec![Modifier::new(bonus, "resistance", "AC-35")];
    maneuver(who, "resistance", modifiers, dice, outcome)
}
