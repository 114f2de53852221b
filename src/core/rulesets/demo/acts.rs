//! The actions of a turn: move (DE-02), strike (DE-03) and guard (DE-04).

use super::{Demo, attacks::suffer, state::DemoQuery};
use crate::rulesets::common::verbs;
use crate::{
    battle::{Action, Attack, Choice, Id, Offer, StepOutcome, Why, run_system},
    grid::Range,
    rulesets::common::{
        hiding::Hides,
        moves::{self, Moves},
        paths::CustomPaths,
    },
};
use bevy_ecs::{system::In, world::World};
use std::sync::Arc;

verbs! {
    MOVE = "move", "move to {to}", "moves to {to}", "DE-02";
    STRIKE = "strike", "strike {at} with {with}", "strikes at {at}", "DE-03";
    GUARD = "guard", "guard", "is on guard", "DE-04";
}

/// Every action of the unit; impossible ones carry their reason.
pub fn list(world: &mut World, who: Id) -> Vec<Offer> {
    run_system(world, offers, who)
}

fn offers(In(who): In<Id>, de: DemoQuery) -> Vec<Offer> {
    let mut out = vec![Offer::legal(Choice::new(&GUARD, who))];
    for enemy in de.view.enemies(de.view.body(who).side) {
        for with in de.view.inventory(who).at_hand() {
            let choice = Choice::new(&STRIKE, who).at(enemy).with(with);
            let legal = attack(&de, &choice).map(|attack| de.forecast(&attack).map(drop));
            out.extend(legal.map(|legal| Offer::from(choice, legal)));
        }
    }
    let (here, range) = (de.view.body(who).at, de.range(who));
    let mut ends: Vec<_> = range.cells().collect();
    ends.retain(|end| end.may_stop && end.cell != here);
    out.extend(Offer::to_any(Choice::new(&MOVE, who), ends.into_iter()));
    out
}

/// The attack that a choice stands for, given where the units stand now: melee if the target is
/// in reach, else ranged if the weapon can shoot. `None` if the choice has no target or weapon.
pub fn attack(de: &DemoQuery, choice: &Choice) -> Option<Attack> {
    let (by, at, with) = (choice.who?, choice.at?, choice.with?);
    let weapon = de.view.weapon(with);
    let reaches = |feet| de.view.in_reach(by, at, feet);
    let ranged = weapon.ranged.is_some() && !de.reach(by, with).is_some_and(reaches);
    Some(Attack::new(by, at, with, ranged, "DE-03"))
}

/// A moving unit. The ruleset stores no data of its own about a move.
pub type Mover = moves::Mover<()>;

/// The movement of a choice. `None` if the choice is not a move.
pub fn mover(de: &DemoQuery, choice: &Choice) -> Option<Mover> {
    let (who, to) = (choice.who?, choice.to?);
    let path = choice.path_or(|| de.range(who).path(to).into_iter().skip(1).collect());
    Some(Mover::new(who, (), path))
}

impl DemoQuery<'_, '_> {
    /// The cells that the unit can reach with one move.
    pub fn range(&self, who: Id) -> Arc<Range> {
        let feet = self.view.speed(who);
        let occupancy = self.view.occupancy(who, |_| None);
        self.view.range(who, occupancy, feet)
    }
}

impl Hides for Demo {}

impl Moves for Demo {
    type MoveMode = ();

    fn budget(de: &DemoQuery, mover: &Mover) -> Result<u16, Why> {
        Ok(de.view.speed(mover.who))
    }

    fn lands(de: &DemoQuery, who: Id, points: i32, outcome: &mut StepOutcome) {
        suffer(de, who, points, outcome);
    }
}

impl CustomPaths for Demo {
    fn is_move(verb: &'static Action) -> bool {
        verb == &MOVE
    }

    fn mover(_: &DemoQuery, _: &Choice, who: Id) -> Result<Mover, Why> {
        Ok(Mover::new(who, (), []))
    }
}
