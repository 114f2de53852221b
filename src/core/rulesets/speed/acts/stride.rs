//! Moving (SP-08): any number of times in one's turn, up to the speed in all;
//! who comes into a foe's reach draws its riposte (SP-12).

use super::super::{
    Speed,
    declared::{DEFENSIVE_MOVE, MOVING},
    events::SpeedEvent,
    numbers::tables,
    reactions::{Reactions, Trigger},
    sp::{self, Sp},
    wounds::{DamageTally, Harm},
};
use super::{
    Act, Begun, When,
    declaration::{Declaration, NOTHING},
    own,
};
use crate::{
    battle::{
        Action, Choice, DiceBox, EventKind, Id, Offer, StepOutcome, Why,
        movement::{Occupancy, fall_roll},
    },
    grid::{Board, Cell, StepRules},
    rulesets::common::{
        moves::{self, Moves},
        paths::HandLaid,
    },
};

pub static MOVE: Action = Action::new("go", "move to {to}", "moves to {to}", "SP-08");
pub static CRAWL: Action = Action::new("crawl", "crawl to {to}", "crawls to {to}", "SP-24");

pub(super) const ACT: Act = Act {
    verbs: &[&MOVE, &CRAWL],
    at_once: &[&MOVE],
    when: When::Always,
    offers,
    begin,
};

pub(super) const DECLARED: Declaration = Declaration {
    verbs: &[&MOVING],
    offers: |_, who, out| out.push(Offer::legal(Choice::new(&MOVING, who))),
    adds: |_, _| tables().initiative.moving,
    at_count: NOTHING,
};

/// The fallen may do this too, for a Wound Point (SP-24); they guard themselves
/// as soon as their count comes.
pub(super) const DEFENSIVELY: Declaration = Declaration {
    verbs: &[&DEFENSIVE_MOVE],
    offers: |sp, who, out| {
        let legal = match sp.is_up(who) {
            true => Ok(()),
            false => sp.may_act(who),
        };
        out.push(Offer::from(Choice::new(&DEFENSIVE_MOVE, who), legal));
    },
    adds: |_, _| tables().initiative.defensive,
    at_count: |sp, who, _, outcome| {
        if !sp.is_up(who) {
            own::takes(sp, who, outcome);
        }
    },
};

fn offers(sp: &Sp, who: Id, out: &mut Vec<Offer>) {
    let here = sp.body(who).at;
    let before = out.len();
    if let Err(why) = sp.feet_left(who) {
        out.push(Offer::not(Choice::new(&MOVE, who), why));
        return;
    }
    if !sp.is_up(who) {
        let ways = sp.ways(who);
        sp.walk(who, &ways, |walk| {
            let free = |to: &Cell| {
                sp.view.board.contains(*to)
                    && walk.may_stop(*to)
                    && walk.step(here, *to).is_ok_and(|step| step.fall == 0)
            };
            let cells = here.neighbours().filter(free);
            out.extend(
                cells.map(|to| Offer::legal(Choice::new(&CRAWL, who).to(to)).priced(sp::CRAWL, 0)),
            );
        });
    } else {
        let range = sp.range(who);
        let ends = range.cells().filter(|end| end.may_stop && end.cell != here);
        out.extend(Offer::to_any(Choice::new(&MOVE, who), ends));
    }
    if out.len() == before {
        let why = Why::new("SP-08", "there is no way to anywhere");
        out.push(Offer::not(Choice::new(&MOVE, who), why));
    }
}

fn begin(sp: &Sp, choice: &Choice) -> Begun {
    let who = choice.who.expect("an act has an actor");
    let to = choice.to.expect("a move has an end");
    let outcome = StepOutcome::default();
    if choice.verb == &CRAWL {
        let feet = sp::CRAWL;
        return outcome
            .and("SP-24", SpeedEvent::Crawled { who, to })
            .and("SP-24", SpeedEvent::Strode { who, feet })
            .into();
    }
    let path = match &choice.along {
        Some(cells) => cells.to_vec(),
        None => sp.range(who).path(to).split_off(1),
    };
    let choice = choice.clone();
    Begun {
        movers: vec![Mover::new(who, (), path)],
        ..outcome.and("SP-08", EventKind::Acted { choice }).into()
    }
}

pub type Mover = moves::Mover<()>;

impl Moves for Speed {
    /// There is but one.
    type Gait = ();

    fn ways(sp: &Sp, mover: &Mover) -> Occupancy {
        sp.ways(mover.who)
    }

    fn budget(sp: &Sp, mover: &Mover) -> Result<u16, Why> {
        Ok(mover.feet + sp.feet_left(mover.who)?)
    }

    fn walk_on<T>(
        sp: &Sp,
        board: &Board,
        who: Id,
        ways: &Occupancy,
        use_it: impl FnOnce(&StepRules) -> T,
    ) -> T {
        sp.walk_on(board, who, ways, use_it)
    }

    fn goes(_: &Sp, mover: &mut Mover, _: Cell, feet: u16, outcome: &mut StepOutcome) {
        let who = mover.who;
        outcome.emit("SP-08", SpeedEvent::Strode { who, feet });
    }

    fn falls(sp: &Sp, who: Id, feet: u16, dice: &mut DiceBox, outcome: &mut StepOutcome) {
        fall(sp, who, feet, dice, outcome);
    }

    /// A foe into whose reach a step comes is asked after it, once a move.
    fn enters(
        sp: &Sp,
        mover: &mut Mover,
        ways: &Occupancy,
        from: Cell,
        to: Cell,
    ) -> Option<StepOutcome> {
        let entered = mover.first_time(ways.left(to, from));
        let by = mover.who;
        let foes = sp.view.ids().filter(|id| entered & id.bit() != 0).collect();
        let open = || StepOutcome::default().then(Reactions::open(Trigger::Entered { by, foes }));
        (entered != 0).then(open)
    }
}

impl HandLaid for Speed {
    fn is_move(verb: &'static Action) -> bool {
        verb == &MOVE
    }

    fn mover(sp: &Sp, _: &Choice, who: Id) -> Result<Mover, Why> {
        match sp.is_up(who) {
            true => Ok(Mover::new(who, (), [])),
            false => Err(Why::new("SP-24", "it only crawls")),
        }
    }
}

/// GR-32: 1d6 for every 10 ft, and prone.
fn fall(sp: &Sp, who: Id, feet: u16, dice: &mut DiceBox, outcome: &mut StepOutcome) {
    let roll = fall_roll(feet, dice);
    outcome.emit("GR-32", EventKind::Prone { who, prone: true });
    let mut toll = DamageTally::default();
    let harm = Harm {
        who,
        by: None,
        points: roll.total(),
        critical: false,
        lethal: true,
        kind: None,
        roll,
    };
    toll.take(sp, harm, outcome);
    toll.close(sp, outcome);
}
