//! The flow of a round: initiative, declarations, counts from low to high, the end of the
//! round.

use super::{
    Speed,
    acts::declare,
    content::{Ability, Declare, SpeedSettings},
    declared::{Declared, FLEEING, HOLD},
    end_checks::EndChecks,
    events::SpeedEvent,
    numbers::SpeedCondition,
    query::SpeedQuery,
    state::{Ailment, Clock},
    turn::{Tie, Turn},
    upkeep::Bleed,
};
use crate::{
    battle::{
        Answer, CheckRoll, Choice, CurrentLevel, Decision, DiceBox, EventKind, FirstMove, Id,
        Modifier, Offer, Offers, PASS, Roll, Seen, Side, State, Step, StepOutcome,
    },
    levels::Awareness,
    rulesets::common::{ask as ask_rules, leave::Arrivals, room::room},
    system_step,
};
use bevy_ecs::{
    system::{In, Res, ResMut},
    world::World,
};

/// Rolls initiative for these units, one after the other. Like monsters share one roll if the
/// level says so (SP-02).
#[derive(Clone, Debug)]
pub struct Initiative(pub Vec<Id>);
system_step!(Initiative, initiative);

fn initiative(
    In(Initiative(who)): In<Initiative>,
    sp: SpeedQuery,
    first: Option<Res<FirstMove>>,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let mut rolled: Vec<(Id, i32)> = vec![];
    let mut rolls = vec![];
    let shared = sp.settings().shared;
    for id in who {
        let alike = |of: &&(Id, i32)| {
            let (a, b) = (sp.view.creature(of.0), sp.view.creature(id));
            shared && !b.is_hero() && a.id == b.id && sp.side(of.0) == sp.side(id)
        };
        let (base, roll) = match rolled.iter().find(alike) {
            Some((_, base)) => (*base, None),
            None => {
                let agility = sp.modifier(id, Ability::Agility);
                let parts = [(-agility, "Agility"), (sp.stats(id).initiative, "trait")];
                // A high initiative roll is bad, so the penalty is added instead of subtracted.
                let dizzy = sp.concussed(id).map(|m| Modifier {
                    value: -m.value,
                    ..m
                });
                let modifiers = Modifier::list("SP-02", parts).chain(dizzy);
                dice.roll_for(id);
                let roll = Roll::one(12, dice.roll(12), modifiers.collect());
                (roll.total(), Some(roll))
            }
        };
        rolled.push((id, base));
        rolls.push(roll);
    }
    if let Some(first) = first.filter(|_| sp.clock.round == 0) {
        // The lowest count acts first, so counts are negated before the first move is given to
        // players.
        let mut counts: Vec<_> = rolled.iter().map(|r| (sp.side(r.0), -r.1)).collect();
        first.give_best_counts(&mut counts);
        let handed = rolled.iter_mut().zip(counts);
        handed.for_each(|(rolled, count)| rolled.1 = -count.1);
    }
    for ((who, base), roll) in rolled.into_iter().zip(rolls) {
        if let Some(roll) = roll {
            outcome.emit("SP-02", CheckRoll::initiative(who, roll));
        }
        outcome.emit("SP-02", SpeedEvent::Ready { who, base });
    }
    outcome
}

system_step! {
    /// Starts a round: actions are renewed, and due units enter, including fled units that
    /// return.
    pub struct RoundStart => round_start
}

fn round_start(In(_): In<RoundStart>, sp: SpeedQuery) -> StepOutcome {
    let round = sp.clock.round + 1;
    StepOutcome::default()
        .and("SP-03", EventKind::RoundBegan { round })
        .and("SP-03", SpeedEvent::Refreshed)
        .then(Arrivals::<Speed>::of())
        .then(Declarations { only: None })
}

/// A unit enters and rolls initiative at once; an unaware one is surprised (SP-06).
pub fn enter(sp: &SpeedQuery, who: Id, at: crate::grid::Cell, outcome: &mut StepOutcome) {
    outcome.emit("SP-06", EventKind::Entered { who, at });
    let combatant = &sp.view.level().combatants[who.index()];
    if combatant.awareness == Awareness::Unaware {
        outcome.emit("SP-01", surprised(who));
    }
    outcome.push(Initiative(vec![who]));
}

pub fn surprised(who: Id) -> EventKind {
    let ailment = Ailment::new(SpeedCondition::Surprised, Some(1), None);
    SpeedEvent::Afflicted { who, ailment }.into()
}

system_step! {
    /// Every unit that can declares, in the order of SP-05. The next is the first in that order
    /// that has not declared yet.
    struct Declarations {
        /// If set, only this side declares, and the other sides do not see what it declares.
        only: Option<Side>,
    } => declarations
}

/// A step in which `side` declares again. `None` unless declarations are sealed and still in
/// progress.
pub fn redeclare(world: &World, side: Side) -> Option<Box<dyn Step>> {
    let settings: &SpeedSettings = world.resource::<CurrentLevel>().0.section();
    let declaring = world.resource::<Clock>().count.is_none();
    let only = Some(side);
    let sealed = settings.declare == Declare::Sealed;
    (sealed && declaring).then(|| Box::new(Declarations { only }) as Box<dyn Step>)
}

fn declarations(
    In(step): In<Declarations>,
    sp: SpeedQuery,
    mut answer: ResMut<Answer>,
) -> StepOutcome {
    let order = sp.settings().declare;
    if let Some(choice) = answer.take() {
        let who = choice.actor();
        let (declared, open) = (declare::declared(&sp, choice), order != Declare::Sealed);
        let mut outcome = StepOutcome::default();
        let seen = Seen::all_if(open, sp.side(who));
        outcome.emit_to("SP-05", seen, SpeedEvent::Declared { declared, open });
        return outcome.then(step);
    }
    let is_in = |id: &Id| step.only.is_none_or(|side| sp.side(*id) == side);
    let ids = sp.view.ids().filter(|&id| must_declare(&sp, id));
    match ids.filter(is_in).min_by_key(|&id| place(&sp, id)) {
        Some(who) => StepOutcome::ask(ask(&sp, who), step),
        None if step.only.is_some() => StepOutcome::default(),
        None => StepOutcome::default().then(Reveal),
    }
}

fn must_declare(sp: &SpeedQuery, id: Id) -> bool {
    let fighter = sp.fighter(id);
    let open = fighter.declared.is_none() && !sp.body(id).flees && fighter.base.is_some();
    open && sp.can_act(id).is_ok()
}

/// The unit's place in the order of declaration. If declarations are sealed, units of players
/// come last, so that all others are recorded before a player is asked.
fn place(sp: &SpeedQuery, id: Id) -> (i32, i32, Id) {
    let side = sp.side(id);
    match sp.settings().declare {
        Declare::Sealed => {
            let player = sp.view.roster.sides[side.index()].player;
            (player.into(), side.0.into(), id)
        }
        Declare::RoundRobin => {
            let before = sp.view.ids().take_while(|&n| n != id);
            let nth = before.filter(|&n| sp.side(n) == side).count();
            (nth as i32, side.0.into(), id)
        }
        Declare::ByAgility => {
            let score = sp.fighter(id).score(sp.stats(id), Ability::Agility);
            (-score, 0, id)
        }
    }
}

fn ask(sp: &SpeedQuery, who: Id) -> Decision {
    let prompt = format!("What will {} do this round?", sp.view.names().name(who));
    let offers =
        Offers::ByActor(|world, who| ask_rules::<Speed, _, _>(world, declare::offers, who));
    sp.view.asks(who, "SP-03", prompt, offers)
}

system_step! {
    /// Reveals sealed declarations to all sides. Fleeing units get a declaration too, so that
    /// they have a count.
    struct Reveal => reveal
}

fn reveal(In(_): In<Reveal>, sp: SpeedQuery) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let sealed = sp.settings().declare == Declare::Sealed;
    for id in sp.view.ids() {
        let fighter = sp.fighter(id);
        let flees = sp.body(id).flees && sp.is_up(id) && fighter.base.is_some();
        let declared = match &fighter.declared {
            Some(declared) if sealed => declared.clone(),
            None if flees => declare::declared(&sp, Choice::new(&FLEEING, id)),
            _ => continue,
        };
        let open = true;
        let declared = SpeedEvent::Declared { declared, open };
        outcome.emit_reveal("SP-05", sp.side(id), declared);
    }
    outcome.then(Count)
}

system_step! {
    /// Resolves the lowest remaining count, until none remains (SP-03).
    pub struct Count => count
}

fn count(In(_): In<Count>, sp: SpeedQuery) -> StepOutcome {
    let next = next_count(&sp);
    let mut outcome = StepOutcome::default();
    if let Some((who, at, count)) = newcomer(&sp, next, &mut outcome) {
        enter(&sp, who, at, &mut outcome);
        return outcome.then(Late { who, count }).then(Count);
    }
    let may = |h: &Id| next.is_none_or(|n| sp.fighter(*h).pending().is_some_and(|d| d.count < n));
    let holders: Vec<Id> = pending(&sp, true).filter(may).collect();
    let outcome = StepOutcome::default();
    match (next, holders.is_empty()) {
        (None, true) => outcome.then(Bleed),
        // A unit that holds past the last opportunity loses its action.
        (None, false) => outcome.then(Holds(holders)).then(Bleed),
        (_, false) => outcome.then(Holds(holders)).then(Resolve),
        _ => outcome.then(Resolve),
    }
}

/// Units that still act this round: the holding ones, or all others.
fn pending<'a>(sp: &'a SpeedQuery, holding: bool) -> impl Iterator<Item = Id> + 'a {
    sp.view.ids().filter(move |&id| is_pending(sp, id, holding))
}

/// Whether the unit still acts this round, and holds if `holding`.
fn is_pending(sp: &SpeedQuery, id: Id, holding: bool) -> bool {
    let pending = sp.fighter(id).pending();
    pending.is_some_and(|d| (d.choice.verb == &HOLD) == holding) && sp.can_act(id).is_ok()
}

fn next_count(sp: &SpeedQuery) -> Option<i32> {
    let counts = pending(sp, false).filter_map(|id| sp.fighter(id).pending().map(|d| d.count));
    counts.min()
}

/// The next unit that enters this round at or before the next count: its id, cell and count.
/// `None` if no unit is due or there is no room.
fn newcomer(
    sp: &SpeedQuery,
    next: Option<i32>,
    outcome: &mut StepOutcome,
) -> Option<(Id, crate::grid::Cell, i32)> {
    let waits = |id: &Id| sp.body(*id).state == State::Waiting;
    let due = sp.view.ids().filter(waits).filter_map(|id| {
        let combatant = &sp.view.level().combatants[id.index()];
        let count = combatant.arrives_at?;
        let now = combatant.arrives == Some(u32::from(sp.clock.round));
        (now && next.is_none_or(|n| count <= n)).then_some((count, id))
    });
    let (count, who) = due.min()?;
    let cell = sp.view.level().combatants[who.index()].cell;
    Some((who, room::<Speed>(sp, who, cell, &[], outcome)?, count))
}

system_step! {
    /// A newcomer declares at once. If its count has passed, it makes up for it in the next
    /// round (SP-06).
    struct Late { who: Id, count: i32 } => late
}

fn late(In(step): In<Late>, sp: SpeedQuery, mut answer: ResMut<Answer>) -> StepOutcome {
    let who = step.who;
    let Some(choice) = answer.take() else {
        return match must_declare(&sp, who) {
            true => StepOutcome::ask(ask(&sp, who), step),
            false => StepOutcome::default(),
        };
    };
    let declared = declare::declared(&sp, choice);
    // Hold has no count to miss: it can act at any later count (SP-04).
    let missed = declared.count < step.count && declared.choice.verb != &HOLD;
    let open = true;
    let mut outcome = StepOutcome::default().and("SP-06", SpeedEvent::Declared { declared, open });
    if missed {
        outcome.emit("SP-06", SpeedEvent::Missed { who });
    }
    outcome
}

/// Asks the units that hold before each count after their own, and once more when no count is
/// left (SP-04).
#[derive(Clone, Debug)]
struct Holds(Vec<Id>);
system_step!(Holds, holds);

fn holds(
    In(Holds(mut left)): In<Holds>,
    sp: SpeedQuery,
    mut answer: ResMut<Answer>,
) -> StepOutcome {
    if let Some(choice) = answer.take() {
        let who = left.remove(0);
        if choice.verb == &PASS {
            return StepOutcome::default().then(Holds(left));
        }
        let declared = Declared {
            count: held_count(&sp, &choice),
            ..declare::declared(&sp, choice)
        };
        let open = true;
        return StepOutcome::default()
            .and("SP-04", SpeedEvent::Declared { declared, open })
            .then(Turn { who })
            .then(Holds(left));
    }
    let next = next_count(&sp);
    while let Some(&who) = left.first() {
        if is_pending(&sp, who, true) {
            let mut offers = declare::offers(&sp, who);
            offers.retain(|o| o.choice.verb != &HOLD && is_due(&sp, &o.choice, next));
            offers.push(Offer::legal(Choice::new(&PASS, who)));
            let when = match next {
                Some(n) => format!("before count {n}"),
                None => "at the end of the round".into(),
            };
            let name = sp.view.names().title(who);
            let question = Decision {
                prompt: format!("{name} holds: act {when}?"),
                rule: "SP-04",
                offers: Offers::listed(offers),
                reaction: true,
                ..ask(&sp, who)
            };
            return StepOutcome::ask(question, Holds(left));
        }
        left.remove(0);
    }
    StepOutcome::default()
}

/// The count of a held action: just before the next count, or with the last one if none is
/// left. Never before the action's own count.
fn held_count(sp: &SpeedQuery, choice: &Choice) -> i32 {
    let own = declare::declared(sp, choice.clone()).count;
    let now = next_count(sp).map(|next| next - 1).or(sp.clock.count);
    now.unwrap_or(own).max(own)
}

/// The count of an action that is declared now, by a unit that holds or has not declared yet.
pub fn count_of(sp: &SpeedQuery, choice: &Choice) -> i32 {
    let pending = choice.who.and_then(|who| sp.fighter(who).pending());
    match pending.is_some_and(|d| d.choice.verb == &HOLD) {
        true => held_count(sp, choice),
        false => declare::declared(sp, choice.clone()).count,
    }
}

/// Whether a held action can start now: its own count must have passed, so that waiting never
/// makes it faster. At its own count it would resolve together with other actions, not before
/// them (SP-03).
fn is_due(sp: &SpeedQuery, choice: &Choice, next: Option<i32>) -> bool {
    let own = declare::declared(sp, choice.clone()).count;
    next.is_none_or(|next| own < next)
}

system_step! {
    /// Resolves the actions of the lowest count; equal counts resolve at the same time (SP-03).
    struct Resolve => resolve
}

fn resolve(In(_): In<Resolve>, sp: SpeedQuery) -> StepOutcome {
    let Some(count) = next_count(&sp) else {
        return StepOutcome::default().then(Count);
    };
    let is_due = |id: &Id| sp.fighter(*id).pending().is_some_and(|d| d.count == count);
    let mut due: Vec<Id> = pending(&sp, false).filter(is_due).collect();
    due.sort_by_key(|&id| (sp.side(id), id));
    let outcome = StepOutcome::default().and("SP-03", SpeedEvent::Count { count });
    let outcome = match due[..] {
        [who] => outcome.then(Turn { who }),
        _ => outcome.then(Tie { actors: due }),
    };
    outcome.then(EndChecks).then(Count)
}
