//! Movement (SP-08): any number of moves in a turn, up to the speed in all. A unit that enters
//! an enemy's reach provokes its riposte (SP-12).

use super::{
    super::{
        declared::{DEFENSIVE_MOVE, MOVING},
        query::{self},
        reactions::{Reactions, Trigger},
        wounds::{DamageTally, Harm},
    },
    Begun, own,
    row::*,
};
use crate::{
    battle::movement::{Occupancy, fall_roll},
    grid::StepCost,
    rulesets::common::{
        hiding::Hides,
        moves::{self, Moves, Strides},
        paths::CustomPaths,
    },
};

verbs! {
    MOVE = "go", "move to {to}", "moves to {to}", "SP-08";
    CRAWL = "crawl", "crawl to {to}", "crawls to {to}", "SP-24";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        MOVE: no button,
            Chances::None, worth_of_move, moving;
        CRAWL: ' ' "Crawl" Prone, "";
    },
    when: When::Moving,
    offers,
    begin,
};

pub(super) const DECLARED: Declaration = Declaration {
    verbs: &[&MOVING],
    offers: |_, who, out| out.push(Offer::legal(Choice::new(&MOVING, who))),
    adds: |_, _| tables().initiative.moving,
    at_count: NOTHING,
};

/// Fallen units can declare this too, for a Wound Point (SP-24). The protection starts when the
/// count comes.
pub(super) const DEFENSIVELY: Declaration = Declaration {
    verbs: &[&DEFENSIVE_MOVE],
    offers: |sp, who, out| {
        let up = sp.is_up(who);
        let legal = if up { Ok(()) } else { sp.may_act(who) };
        out.push(Offer::from(Choice::new(&DEFENSIVE_MOVE, who), legal));
    },
    adds: |_, _| tables().initiative.defensive,
    at_count: |sp, who, _, outcome| {
        if !sp.is_up(who) {
            own::takes(sp, who, outcome);
        }
    },
};

fn offers(sp: &SpeedQuery, who: Id, out: &mut Vec<Offer>) {
    let here = sp.body(who).at;
    let before = out.len();
    if let Err(why) = sp.feet_left(who) {
        out.push(Offer::not(Choice::new(&MOVE, who), why));
        return;
    }
    if !sp.is_up(who) {
        let occupancy = sp.occupancy(who);
        sp.view.walk(who, &occupancy, |walk| {
            let free = |to: &Cell| {
                sp.view.board.contains(*to)
                    && walk.may_stop(*to)
                    && walk.step(here, *to).is_ok_and(|step| step.fall == 0)
            };
            let offer = |to| Offer::legal(Choice::new(&CRAWL, who).to(to)).priced(query::CRAWL, 0);
            out.extend(here.neighbours().filter(free).map(offer));
        });
    } else {
        let range = sp.range(who);
        let ends = range.cells().filter(|end| end.may_stop && end.cell != here);
        out.extend(Offer::to_any(Choice::new(&MOVE, who), ends));
    }
    if out.len() == before {
        let why = Why::new("SP-08", "there is nowhere to go");
        out.push(Offer::not(Choice::new(&MOVE, who), why));
    }
}

fn begin(sp: &SpeedQuery, choice: &Choice) -> Begun {
    let who = choice.actor();
    let to = choice.to.expect("a move has an end");
    if choice.verb == &CRAWL {
        return Begun {
            movers: vec![Mover::new(who, MoveMode::Crawl, [to])],
            ..StepOutcome::default().into()
        };
    }
    let path = choice.path_or(|| sp.range(who).path(to).split_off(1));
    Begun {
        movers: vec![walker(who, path)],
        ..StepOutcome::announcing(choice).into()
    }
}

/// How a unit moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MoveMode {
    Walk,
    /// Incapacitated units crawl, one cell at a time (SP-24).
    Crawl,
}

pub type Mover = moves::Mover<MoveMode>;

/// The movement of a unit that walks along these cells, in order.
pub fn walker(who: Id, path: Vec<Cell>) -> Mover {
    Mover::new(who, MoveMode::Walk, path)
}

/// Under Speed, a hidden unit can surprise others and is then seen.
impl Hides for Speed {}

impl Moves for Speed {
    type MoveMode = MoveMode;

    fn occupancy(sp: &SpeedQuery, mover: &Mover) -> Occupancy {
        sp.occupancy(mover.who)
    }

    fn budget(sp: &SpeedQuery, mover: &Mover) -> Result<u16, Why> {
        Ok(mover.feet + sp.feet_left(mover.who)?)
    }

    fn may_go_on(sp: &SpeedQuery, mover: &Mover) -> bool {
        match mover.gait {
            MoveMode::Walk => sp.is_up(mover.who),
            MoveMode::Crawl => sp.is_there(mover.who),
        }
    }

    fn price(mover: &Mover, cost: StepCost) -> StepCost {
        let feet = match mover.gait {
            MoveMode::Walk => cost.feet,
            MoveMode::Crawl => query::CRAWL,
        };
        StepCost { feet, ..cost }
    }

    fn steps(mover: &Mover, [from, to]: [Cell; 2], feet: u16, outcome: &mut StepOutcome) {
        let who = mover.who;
        match mover.gait {
            MoveMode::Walk => outcome.emit("GR-31", EventKind::moved(who, from, to, feet)),
            MoveMode::Crawl => outcome.emit("SP-24", SpeedEvent::Crawled { who, to }),
        }
    }

    fn goes(_: &SpeedQuery, mover: &mut Mover, _: Cell, feet: u16, outcome: &mut StepOutcome) {
        let who = mover.who;
        let rule = match mover.gait {
            MoveMode::Walk => "SP-08",
            MoveMode::Crawl => "SP-24",
        };
        outcome.emit(rule, SpeedEvent::Strode { who, feet });
    }

    fn falls(
        sp: &SpeedQuery,
        who: Id,
        by: Option<Id>,
        feet: u16,
        dice: &mut DiceBox,
        outcome: &mut StepOutcome,
    ) {
        let roll = fall_roll(feet, dice);
        outcome.emit("GR-32", EventKind::Prone { who, prone: true });
        let mut toll = DamageTally::default();
        let harm = Harm {
            by,
            ..Harm::plain(who, None, roll.total(), roll)
        };
        toll.take(sp, harm, outcome);
        toll.close(sp, outcome);
    }

    /// Enemies that this step brings the unit into reach of. Each enemy is asked at most once
    /// per move. If both units move, each may have entered the other's reach.
    fn enters(sp: &SpeedQuery, mover: &mut Mover, _: &Occupancy, strides: &Strides) -> Option<u64> {
        if sp.is_guarded(mover.who) {
            return None;
        }
        let own = strides.of(&sp.view, mover.who);
        let is_entered = |enemy: &Id| {
            let enemies = strides.of(&sp.view, *enemy);
            sp.threat_reach(*enemy).is_some_and(|feet| {
                let reaches = |n: usize| sp.view.board.in_reach(enemies[n], own[n], feet);
                reaches(1) && !reaches(0)
            })
        };
        let entered = sp.view.enemies(sp.side(mover.who)).filter(is_entered);
        let entered = mover.first_time(entered.fold(0, |set, enemy| set | enemy.bit()));
        (entered != 0).then_some(entered)
    }

    fn entered(sp: &SpeedQuery, entered: Vec<(Id, u64)>, outcome: &mut StepOutcome) {
        let of = |(by, enemies)| sp.view.of_bits(enemies).map(move |enemy| (enemy, by));
        let pairs = entered.into_iter().flat_map(of).collect();
        outcome.push(Reactions::open(Trigger::Entered(pairs)));
    }
}

impl CustomPaths for Speed {
    fn is_move(verb: &'static Action) -> bool {
        verb == &MOVE
    }

    fn mover(sp: &SpeedQuery, _: &Choice, who: Id) -> Result<Mover, Why> {
        Why::of_actor("SP-24", "can only crawl").unless(sp.is_up(who))?;
        Ok(walker(who, vec![]))
    }
}
