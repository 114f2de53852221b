//! Carries out plans when their units come up, unless that would do something the player was not
//! shown.

use super::walk;
use crate::{
    battle::{Choice, Id, Why},
    control::orders::{Fallback, NextStep, Reason},
    ui::{Session, shown::UnitView},
};
use bevy::ecs::world::World;

/// The next step of the plans of the units that must act now.
pub fn next(session: &mut Session) -> NextStep {
    let asked = session.question().filter(|q| q.is_turn()).cloned();
    let Some(asked) = asked.filter(|_| !session.is_declaring()) else {
        return NextStep::Ask;
    };
    let round = session.round();
    if session.intents().in_round(round).next().is_none() {
        return NextStep::Ask;
    }
    match session.next_step(&asked) {
        // After an action that no plan gave, the player ends the group if a unit of it has more to
        // do.
        NextStep::Pass(end)
            if end.who.is_none()
                && session.acted_unplanned().is_some()
                && session.idle_members().next().is_some() =>
        {
            NextStep::Ask
        }
        step => step,
    }
}

/// The units in the area of a spell: those that it would catch by accident, which are allies of a
/// harmful spell and enemies of a helpful one, and the others. `None` without an area.
pub fn in_area<'s>(
    session: &'s Session,
    spell: &Choice,
) -> Option<(Vec<&'s UnitView>, Vec<&'s UnitView>)> {
    let who = spell.who.filter(|_| spell.spell.is_some())?;
    let (area, harms) = (session.queries.area(spell), session.queries.harms(spell));
    let (shown, side) = (session.shown(), session.shown().unit(who).side);
    let inside = shown.units.iter().filter(|p| p.is_up() && p.is_in(&area));
    (!area.is_empty()).then(|| inside.partition(|p| (p.side == side) == harms))
}

/// The warning about a unit that a spell would catch by accident.
pub fn caught_line(unit: &UnitView) -> String {
    format!("{} is in the area.", unit.name)
}

/// A unit that a spell would catch by accident because its target moved.
fn caught(session: &Session, orders: &[Choice]) -> Option<Reason> {
    let (caught, _) = in_area(session, orders.last()?)?;
    Some(Reason::Caught {
        who: caught.first()?.id,
    })
}

/// An enemy that may attack the unit during a planned move and was not in the preview, because
/// enemies moved or the shortest path changed.
fn risks_more(session: &Session, who: Id, orders: &[Choice]) -> Option<Reason> {
    let intent = session.intent(who).filter(|intent| intent.plan.is_move())?;
    let asks = intent.plan.fallback == Fallback::Ask;
    let known = intent.possible_attackers.filter(|_| asks)?;
    let rules = session.queries.rules;
    let read = |world: &mut World| walk::provoked(rules, world, who, orders);
    let all = session.queries.ask(read);
    let new = all.iter().find(|one| known & one.by.bit() == 0)?;
    Some(Reason::Risk {
        by: new.by,
        percent: new.percent,
    })
}

/// The result of carrying out a step.
#[derive(Clone, PartialEq, Debug)]
pub enum Went {
    On,
    /// The player must decide.
    Asks,
    /// A plan failed: the player decides for this unit.
    Failed(Id),
}

/// Carries out the next step of the plans.
pub fn go_on(session: &mut Session) -> Went {
    match next(session) {
        NextStep::Ask => Went::Asks,
        NextStep::Give(who, orders) => {
            // The player must decide about that.
            let more = || risks_more(session, who, &orders);
            if let Some(why) = caught(session, &orders).or_else(more) {
                return failed(session, who, why);
            }
            let intent = session.intent(who);
            if intent.is_some_and(|intent| intent.plan.is_done_by(&orders)) {
                session.has_begun(who);
            }
            match session.give_planned(&orders) {
                Ok(()) => Went::On,
                Err(refused) => {
                    let why = Why::new("GR-00", refused.to_string());
                    let target = None;
                    failed(session, who, Reason::Refused { target, why })
                }
            }
        }
        NextStep::Pass(choice) => {
            // The offer was legal. If it is refused anyway, the player decides.
            if session.give_planned(std::slice::from_ref(&choice)).is_err()
                && let Some(who) = choice.who
            {
                session.ask_again(who);
            }
            Went::On
        }
        NextStep::Failed(who, reason) => failed(session, who, reason),
    }
}

fn failed(session: &mut Session, who: Id, reason: Reason) -> Went {
    session.fail(who, reason);
    Went::Failed(who)
}
