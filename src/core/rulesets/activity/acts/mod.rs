//! Actions that take a share of the round: how each is declared, its cost, its targets when it
//! is due, and how it begins. [`ACTS`] is the order in which they are listed.

mod charge;
mod chi;
mod doing;
mod door;
mod go;
mod look;
mod parry;
mod posture;
mod spell;
mod stanch;
mod strike;
mod things;

use super::{
    STAY,
    movement::{OPPORTUNITY, opportunity},
};
use crate::{battle::PASS, rulesets::common::act::group_of};
use row::*;

pub use doing::{CountActions, OWN_WILL, drop_all_actions, drop_next_action};
pub use go::{walk, walks};
pub use stanch::bleeding;
pub use strike::{attack, will_be_loaded};
pub use things::load_first;

/// The cost of an action, and how it is carried out when it is due.
pub struct ActionRules {
    /// Whether the kind belongs to this action.
    pub is: fn(ActionKind) -> bool,
    /// The full cost in percent of a round (AC-01).
    pub cost: fn(&ActivityQuery, Id, ActionKind) -> i32,
    pub begin: Begin,
}

/// How an action begins when it is due.
pub enum Begin {
    /// On a target that is chosen then.
    Aimed {
        /// Every way to carry out the declared action.
        targets: fn(&ActivityQuery, Id, &PlannedAction) -> Vec<Offer>,
        begin: fn(&ActivityQuery, &PlannedAction, &Choice, &mut CountActions),
    },
    /// Without a choice.
    Plain(fn(&ActivityQuery, Id, &PlannedAction, &mut CountActions)),
}

/// Imports for files that define rows.
mod row {
    pub(in super::super) use super::super::{
        Activity,
        content::Talent,
        declared,
        events::ActivityEvent,
        forecast::attacks as attacks_of,
        query::ActivityQuery,
        state::{ActionKind, PlannedAction},
        targets,
    };
    pub use super::{ActionRules, Begin};
    pub(super) use super::{fixed, spanning};
    pub use crate::battle::OddsLine;

    // A group has the declarations (AC-09), and the choices when they are due. Its `begin`
    // returns the kind of a declaration.
    crate::rulesets::common::act::row_types!(Activity);

    /// A declaration shows the chances of its plan.
    pub const PLAN: Chances = Chances::Odds(attacks_of::plan);
    /// The worth of what the quick AI chooses as a last resort.
    pub const LAST_RESORT: crate::rulesets::common::act::Worth<Activity> = |_, _| -1;

    /// Help text of every item button.
    pub const ITEMS: &str = "Draw or drop: 20% of the round. Change weapons: 50%. Pick up: 100%.";
}

/// Every action of a round.
pub static ACTS: &[ActGroup] = &[
    strike::ACT,
    charge::ACT,
    parry::ACT,
    go::ACT,
    posture::ACT,
    door::ACT,
    things::LOAD,
    things::HANDS,
    things::TAKE,
    stanch::ACT,
    stanch::HERB_ACT,
    chi::ACT,
    look::ACT,
    spell::ACT,
];

/// Actions that refine, end or skip a declaration, and reactions.
pub static OTHERS: &[Act] = rows! {
    declared::HASTEN: 'm' "Hasten" Spell (plain), "Cast a spell faster, with a worse casting roll.",
        PLAN, LAST_RESORT;
    declared::PARRY: 'd' "Parry" Parry, "Turn part of your melee OB into DB against every melee attack this round.",
        Chances::Odds(attacks_of::kept), LAST_RESORT;
    declared::READY: no button,
        Chances::None, LAST_RESORT;
    targets::GIVE_UP: 'x' "Skip" Close, "Skip this planned action.",
        Chances::None, |eval, _| eval.give_up();
    targets::WAIT: no button,
        Chances::None, |_, _| 1;
    STAY: no button,
        Chances::None, |eval, _| eval.stay_here();
    OPPORTUNITY: ' ' "Strike" Snap, "",
        Chances::Attack(opportunity), |eval, offer| eval.attack(&offer.choice), auto_reaction;
    PASS: no button,
        Chances::None, |_, _| 0;
};

/// The action that a kind belongs to.
pub fn of(kind: ActionKind) -> &'static ActGroup {
    let act = ACTS.iter().find(|act| (act.when.is)(kind));
    act.expect("every kind is an act's")
}

/// Every way to carry out a planned action. `None` if there is nothing to choose.
pub fn targets(ac: &ActivityQuery, who: Id, planned: &PlannedAction) -> Option<Vec<Offer>> {
    match of(planned.kind).when.begin {
        Begin::Aimed { targets, .. } => Some(targets(ac, who, planned)),
        Begin::Plain(_) => None,
    }
}

/// The full cost of an action in percent (AC-01, AC-24).
pub fn cost(ac: &ActivityQuery, who: Id, kind: ActionKind) -> i32 {
    (of(kind).when.cost)(ac, who, kind)
}

/// Percent left for a further action, or why it has no room (AC-10). It needs at least
/// `percent`, unless it can continue in the next round.
fn room(ac: &ActivityQuery, who: Id, percent: i32, overruns: bool) -> Result<i32, Why> {
    let actor = ac.actor(who);
    let most = ac.tables().max_actions;
    if actor.actions() >= most {
        let text = format!("{most} actions are already planned");
        return Err(Why::new("AC-10", text));
    }
    let left = actor.capacity - actor.planned();
    Why::new("AC-10", "the whole round is planned").when(left <= 0)?;
    if left < percent && !overruns {
        let text = format!("it takes {percent}%, but only {left}% is left");
        return Err(Why::new("AC-01", text));
    }
    Ok(left)
}

/// Adds the offer of an action that takes any share from `least` to `full` percent.
fn spanning(
    ac: &ActivityQuery,
    who: Id,
    verb: &'static Action,
    least: i32,
    full: i32,
    out: &mut Vec<Offer>,
) {
    let choice = Choice::new(verb, who);
    out.push(match room(ac, who, least, false) {
        Ok(left) => Offer::legal(choice).ranging(least, full.min(left)),
        Err(why) => Offer::not(choice, why).ranging(least, full),
    });
}

/// Adds the offer of an action with a fixed cost.
fn fixed(ac: &ActivityQuery, choice: Choice, legal: Result<(), Why>, out: &mut Vec<Offer>) {
    let who = choice.actor();
    let act = group_of(ACTS, &choice);
    let kind = (act.begin)(ac, &choice);
    let cost = (act.when.cost)(ac, who, kind);
    let fits = room(ac, who, cost, kind.may_overrun()).map(|_| ());
    out.push(Offer::from(choice, legal.and(fits)));
}
