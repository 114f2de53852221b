//! Perception: noticing hidden units (AC-01, AC-35).

use super::{
    Activity,
    events::ActivityEvent,
    query::{ActivityQuery, open_ended},
};
use crate::{
    battle::{Body, CheckRoll, DiceBox, Id, Modifier, Rule, Seen, StepOutcome},
    grid::{Cell, Space},
    rulesets::common::hiding::Hides,
    system_step,
};
use bevy_ecs::system::{In, ResMut};

system_step! {
    /// Combat perception: every unit with a hidden enemy in line of sight makes a free roll at
    /// -50 (AC-01).
    pub struct FreePerception => free_perception
}

fn free_perception(
    In(_): In<FreePerception>,
    ac: ActivityQuery,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let t = ac.tables();
    let mut seen = vec![];
    for who in ac.view.ids().filter(|&id| ac.is_up(id)) {
        let extra = Modifier::new(t.hidden_perception as i16, "in combat", "AC-01");
        roll_perception(&ac, who, vec![extra], &mut dice, &mut seen, &mut outcome);
    }
    outcome
}

system_step! {
    /// A perception roll for hidden enemies.
    pub struct PerceptionRoll { pub who: Id, pub extra: Vec<Modifier> } => perception_roll
}

fn perception_roll(
    In(PerceptionRoll { who, extra }): In<PerceptionRoll>,
    ac: ActivityQuery,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    roll_perception(&ac, who, extra, &mut dice, &mut vec![], &mut outcome);
    outcome
}

/// Modifiers to a perception roll, apart from situational ones (AC-35).
pub fn parts(ac: &ActivityQuery, who: Id) -> Vec<Modifier> {
    let perception = ac.stats(who).perception as i16;
    let own = Modifier::new(perception, "perception", "AC-35");
    [own].into_iter().chain(ac.hindrances(who)).collect()
}

/// Rolls an open-ended d100 plus perception; 101 or more notices every hidden enemy in line of
/// sight (AC-35). No roll if none is in sight. `seen` lists units that are already noticed.
fn roll_perception(
    ac: &ActivityQuery,
    who: Id,
    extra: Vec<Modifier>,
    dice: &mut DiceBox,
    seen: &mut Vec<Id>,
    outcome: &mut StepOutcome,
) {
    let board = &ac.view.board;
    let here = ac.body(who).space();
    let lurks = |id: &Id| {
        let hidden = ac.actor(*id).hidden && !seen.contains(id);
        hidden && board.sight(here, ac.body(*id).space()).los
    };
    let side = ac.body(who).side;
    let found: Vec<Id> = ac.view.enemies(side).filter(lurks).collect();
    if found.is_empty() {
        return;
    }
    let mut modifiers = parts(ac, who);
    modifiers.extend(extra);
    let roll = open_ended(modifiers, dice);
    let against = ac.tables().maneuver_target;
    let passed = roll.total() >= against;
    let check = CheckRoll::by(who, "perception", roll).against(against);
    // A failed roll is visible only to the hidden side: it would reveal that there is a hidden
    // unit.
    let hiders = ac.body(found[0]).side;
    outcome.emit_to("AC-35", Seen::all_if(passed, hiders), check.passed(passed));
    if passed {
        for who in found {
            ac.reveal_by(who, "AC-35", outcome);
            seen.push(who);
        }
    }
}

impl ActivityQuery<'_, '_> {
    /// Reveals a hidden unit that acts (AC-01).
    pub fn reveal(&self, who: Id, outcome: &mut StepOutcome) {
        self.reveal_by(who, "AC-01", outcome);
    }

    fn reveal_by(&self, who: Id, rule: Rule, outcome: &mut StepOutcome) {
        if self.actor(who).hidden {
            let &Body { at, side, .. } = self.body(who);
            outcome.emit_reveal(rule, side, ActivityEvent::Revealed { who, at });
        }
    }

    /// Hidden enemies whose reach a step leaves, as a bit set. They can attack too (AC-36).
    pub fn left_in_hiding(&self, who: Id, from: Cell, to: Cell) -> u64 {
        let body = self.body(who);
        let [here, there] = [from, to].map(|at| Space::new(at, body.size));
        let is_left = |enemy: &Id| {
            let reaches = |space: Space| {
                let feet = self.threat_reach(*enemy);
                let own = self.body(*enemy).space();
                feet.is_some_and(|feet| self.view.board.in_reach(own, space, feet))
            };
            self.actor(*enemy).hidden && reaches(here) && !reaches(there)
        };
        let left = self.view.enemies(body.side).filter(is_left);
        left.fold(0, |set, enemy| set | enemy.bit())
    }
}

/// Only its own side knows of a hidden unit, until the unit acts or is noticed.
impl Hides for Activity {
    const FOUND: Rule = "AC-35";

    fn is_hidden(ac: &ActivityQuery, who: Id) -> bool {
        ac.actor(who).hidden
    }

    fn reveal(ac: &ActivityQuery, who: Id, outcome: &mut StepOutcome) {
        ac.reveal(who, outcome);
    }
}
