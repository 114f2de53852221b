//! Consequences of falls and arrivals: dropped plans (AC-33) and morale (AC-37).

use super::{
    Activity,
    acts::drop_all_actions,
    query::{ActivityQuery, open_ended},
};
use crate::battle::{CheckRoll, DiceBox, Fallen, Id, Modifier, Rule, Shaken, StepOutcome};
use crate::rulesets::common::{
    end_checks::{EndCheckHooks, Morale, end_checks, occasions},
    flee::takes_flight,
};

end_checks!(Activity);

impl EndCheckHooks for Activity {
    const FALLEN: Fallen = Fallen::MayRise;

    fn follows(ac: &ActivityQuery, outcome: &mut StepOutcome) {
        for who in ac.view.ids().filter(|&id| ac.is_up(id)) {
            lets_go(ac, who, outcome);
        }
        occasions::<Self>(ac, outcome);
    }
}

/// A stunned or held unit drops its plan, including actions in progress (AC-33).
fn lets_go(ac: &ActivityQuery, who: Id, outcome: &mut StepOutcome) {
    let actor = ac.actor(who);
    if actor.stunned > 0 {
        drop_all_actions(ac, who, "AC-33", "stunned", outcome);
    } else if ac.view.is_held(who) {
        drop_all_actions(ac, who, "AC-33", "held", outcome);
    }
}

impl Morale for Activity {
    const MORALE: Rule = "AC-37";

    /// A morale roll against the highest target of all occasions.
    fn check(ac: &ActivityQuery, who: Id, news: Shaken, dice: &mut DiceBox) -> Option<CheckRoll> {
        let is_bold = ac.view.creature(who).is_fearless();
        if is_bold || ac.body(who).flees || ac.actor(who).hidden {
            return None;
        }
        let (first, half, leader) = ac.tables().morale;
        let all = [
            (news.first_fall, first),
            (news.half, half),
            (news.leader, leader),
        ];
        let against = all.into_iter().filter(|o| o.0).map(|o| o.1).max()?;
        let bonus = ac.stats(who).morale as i16;
        let roll = open_ended(vec![Modifier::new(bonus, "steadiness", "AC-37")], dice);
        let holds = roll.total() >= against;
        let check = CheckRoll::by(who, "morale", roll);
        Some(check.against(against).passed(holds))
    }

    fn fails(ac: &ActivityQuery, who: Id, _: &CheckRoll, outcome: &mut StepOutcome) -> bool {
        takes_flight::<Self>(ac, who, outcome)
    }
}
