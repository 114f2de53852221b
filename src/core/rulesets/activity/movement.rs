//! Movement, and the attacks that leaving a reach provokes (AC-36).

use super::{
    Activity,
    attacks::AttackBatch,
    charge,
    events::ActivityEvent,
    query::ActivityQuery,
    ready::{self, Met},
    targets, wounds,
};
use crate::rulesets::common::{attacks, sorted};
use crate::{
    battle::{
        Action, Answer, Attack, Choice, Decision, DiceBox, EventKind, Id, Item, Modifier, Offer,
        Rule, StepOutcome, Why, Window, WindowState, movement::Occupancy,
    },
    grid::Cell,
    rulesets::common::{
        damage::Loss,
        moves::{self, Moves, Strides},
        paths::CustomPaths,
        reactions::{self, Reactions, Reacts},
    },
};

/// How a unit moves. An enemy whose reach a step leaves, and that can still attack this round,
/// is asked before the step.
#[derive(Clone, Copy, Debug)]
pub struct MoveMode {
    /// Feet of the whole move.
    pub feet: u16,
    /// Whether it is a defensive withdrawal, which provokes nothing when it leaves a reach.
    pub withdraws: bool,
    /// The weapon of a charge. `None` for other moves.
    pub with: Option<Item>,
}

pub type Mover = moves::Mover<MoveMode>;

/// A unit that moves at most `feet` feet along these cells.
pub fn mover(who: Id, feet: u16, withdraws: bool, path: Vec<Cell>) -> Mover {
    let gait = MoveMode {
        feet,
        withdraws,
        with: None,
    };
    Mover::new(who, gait, path)
}

pub fn charger(ac: &ActivityQuery, attack: &Attack, feet: u16, path: Vec<Cell>) -> Mover {
    let enemy = attack.at;
    let mut mover = mover(attack.by, feet, false, path).at(enemy, ac.body(enemy).at);
    mover.gait.with = Some(attack.with);
    mover
}

impl Moves for Activity {
    type MoveMode = MoveMode;
    const CONTACT: Rule = "AC-21";

    fn occupancy(ac: &ActivityQuery, mover: &Mover) -> Occupancy {
        ac.occupancy(mover.who, mover.gait.withdraws)
    }

    fn budget(_: &ActivityQuery, mover: &Mover) -> Result<u16, Why> {
        Ok(mover.gait.feet)
    }

    fn is_able(ac: &ActivityQuery, who: Id) -> bool {
        ac.is_up(who) && !ac.is_helpless(who)
    }

    /// A unit that moves is no longer hidden.
    fn sets_out(ac: &ActivityQuery, mover: &mut Mover, outcome: &mut StepOutcome) {
        ac.reveal(mover.who, outcome);
    }

    fn leaves(ac: &ActivityQuery, mover: &Mover, occupancy: &Occupancy, to: Cell) -> u64 {
        let (who, from) = (mover.who, ac.body(mover.who).at);
        match mover.gait.withdraws {
            true => 0,
            false => occupancy.left(from, to) | ac.left_in_hiding(who, from, to),
        }
    }

    fn left(ac: &ActivityQuery, left: Vec<(Id, u64)>, outcome: &mut StepOutcome) {
        let from = |(by, enemies)| ac.view.of_bits(enemies).map(move |enemy| (enemy, by));
        outcome.push(Opening::open(left.into_iter().flat_map(from).collect()));
    }

    fn goes(_: &ActivityQuery, mover: &mut Mover, _: Cell, feet: u16, outcome: &mut StepOutcome) {
        let who = mover.who;
        outcome.emit("AC-23", ActivityEvent::Ran { who, feet });
    }

    /// Waiting enemies attack before the move continues (AC-15).
    fn enters(
        ac: &ActivityQuery,
        mover: &mut Mover,
        _: &Occupancy,
        strides: &Strides,
    ) -> Option<u64> {
        let [_, there] = strides.of(&ac.view, mover.who);
        ready::reaches(ac, mover.who, there.at).then_some(0)
    }

    fn entered(_: &ActivityQuery, _: Vec<(Id, u64)>, outcome: &mut StepOutcome) {
        outcome.push(Met);
    }

    fn lands(ac: &ActivityQuery, who: Id, points: i32, outcome: &mut StepOutcome) {
        wounds::sink(ac, who, Loss::plain(points), outcome);
    }

    fn reaches(ac: &ActivityQuery, mover: &Mover, target: Id) -> bool {
        let with = mover.gait.with;
        let at = ac.body(mover.who).at;
        with.is_some_and(|with| charge::strikes_from(ac, mover.who, target, with, at))
    }

    fn follows(ac: &ActivityQuery, mover: &Mover, target: Id) -> Option<Vec<Cell>> {
        let (who, with) = (mover.who, mover.gait.with?);
        let left = mover.gait.feet.saturating_sub(mover.feet);
        let line = charge::charge_lane(ac, who, target, left);
        let strikes = |&at: &Cell| charge::strikes_from(ac, who, target, with, at);
        Some(line.to(line.cells().find(strikes)?))
    }
}

impl CustomPaths for Activity {
    fn is_move(verb: &'static Action) -> bool {
        verb == &targets::MOVE || verb == &targets::WITHDRAW
    }

    fn mover(ac: &ActivityQuery, choice: &Choice, who: Id) -> Result<Mover, Why> {
        let withdraws = choice.verb == &targets::WITHDRAW;
        let feet = ac.feet(who, super::move_percent(ac, who), withdraws);
        Ok(mover(who, feet, withdraws, vec![]))
    }
}

pub static OPPORTUNITY: Action = attacks::opportunity("AC-36");

/// The window in which enemies can attack units that leave their reach.
type Opening = Reactions<Activity>;

impl Reacts for Activity {
    /// Each enemy, and a unit that leaves its reach.
    type Moment = Vec<(Id, Id)>;

    fn asks(
        ac: &ActivityQuery,
        window: Window<Self::Moment>,
        answer: &mut Answer,
    ) -> WindowState<Self::Moment> {
        let enemies = |pairs: &Self::Moment| sorted(pairs.iter().map(|pair| pair.0));
        window.run(answer, enemies, |pairs, id| question(ac, pairs, id))
    }

    fn reacts(
        ac: &ActivityQuery,
        _: Self::Moment,
        choices: Vec<Choice>,
        _: &mut DiceBox,
    ) -> StepOutcome {
        let mut outcome = StepOutcome::default();
        let mut attacks = vec![];
        for choice in choices {
            let Some(attack) = opportunity(ac, &choice) else {
                continue;
            };
            outcome.emit("AC-36", EventKind::Acted { choice });
            outcome.emit("AC-36", ActivityEvent::Struck { who: attack.by });
            attacks.push(attack.into());
        }
        outcome.then(AttackBatch::of(attacks))
    }
}

/// The unit's decision about attacking a unit that leaves its reach. `None` if it cannot
/// attack.
fn question(ac: &ActivityQuery, pairs: &[(Id, Id)], id: Id) -> Option<Decision> {
    if !ac.is_up(id) || ac.threat_reach(id).is_none() {
        return None;
    }
    let own = pairs.iter().filter(|pair| pair.0 == id).map(|pair| pair.1);
    let movers: Vec<Id> = own.filter(|&mover| ac.is_up(mover)).collect();
    let mut offers = vec![];
    for &mover in &movers {
        for item in ac.view.ready_weapons(id) {
            let choice = Choice::new(&OPPORTUNITY, id).at(mover).with(item);
            let legal = opportunity(ac, &choice).map_or(Ok(()), |a| ac.can_attack(&a));
            offers.push(Offer::from(choice, legal));
        }
    }
    let leave = ["leaves the reach of", "leave the reach of"];
    let prompt = reactions::prompt(ac.view.names(), &movers, leave, id);
    reactions::question(&ac.view, id, "AC-36", prompt, offers)
}

/// The attack of a reaction to a unit that leaves a reach. `None` if the choice is not such a
/// reaction.
pub fn opportunity(ac: &ActivityQuery, choice: &Choice) -> Option<Attack> {
    if choice.verb != &OPPORTUNITY {
        return None;
    }
    let (by, at, with) = (choice.who?, choice.at?, choice.with?);
    let hurried = ac.tables().opportunity as i16;
    let mut extra = vec![Modifier::new(hurried, "in passing", "AC-36")];
    // OB set aside for parrying is not available for the attack (AC-13).
    let kept = ac.actor(by).parry;
    Modifier::push(&mut extra, -kept, "kept for parrying", "AC-13");
    let plain = Attack::new(by, at, with, false, "AC-36");
    Some(Attack { extra, ..plain })
}
