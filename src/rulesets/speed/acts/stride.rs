//! Moving (SP-08): any number of times in one's turn, up to the speed in all;
//! who comes into a foe's reach draws its riposte (SP-12).

use super::super::{
    Speed,
    facts::Fact,
    reactions::{Moment, Reactions},
    sp::{self, Sp},
    wounds::{Harm, Toll},
};
use crate::{
    battle::{
        Change, Choice, DiceBox, Flow, Id, Offer, Verb, Why,
        movement::{Ways, fall_roll},
    },
    grid::{Cell, Walk},
    rulesets::common::{
        moves::{self, MoveStep, Moves},
        paths::HandLaid,
    },
};

pub static MOVE: Verb = Verb {
    name: "go",
    phrase: "move to {to}",
    told: "moves to {to}",
    rule: "SP-08",
};
pub static CRAWL: Verb = Verb {
    name: "crawl",
    phrase: "crawl to {to}",
    told: "crawls to {to}",
    rule: "SP-24",
};

pub fn offers(sp: &Sp, who: Id, out: &mut Vec<Offer>) {
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
        out.extend(ends.map(|end| {
            Offer::legal(Choice::new(&MOVE, who).to(end.cell)).priced(end.feet, end.provoked)
        }));
    }
    if out.len() == before {
        let why = Why::new("SP-08", "there is no way to anywhere");
        out.push(Offer::not(Choice::new(&MOVE, who), why));
    }
}

pub fn begin(sp: &Sp, choice: &Choice) -> Flow {
    let who = choice.who.expect("an act has an actor");
    let to = choice.to.expect("a move has an end");
    if choice.verb == &CRAWL {
        let feet = sp::CRAWL;
        return Flow::default()
            .and("SP-24", Fact::Crawled { who, to }.event())
            .and("SP-24", Fact::Strode { who, feet }.event());
    }
    let mut flow = Flow::default();
    let mover = set_out(sp, choice, &mut flow);
    flow.then(MoveStep::<Speed>::of(mover))
}

/// A move is told; who is on the way by it.
pub fn set_out(sp: &Sp, choice: &Choice, flow: &mut Flow) -> Mover {
    let who = choice.who.expect("an act has an actor");
    let to = choice.to.expect("a move has an end");
    let path = match &choice.along {
        Some(cells) => cells.to_vec(),
        None => sp.range(who).path(to).split_off(1),
    };
    let acted = Change::Acted {
        choice: choice.clone(),
    };
    flow.emit("SP-08", acted);
    Mover::new(who, (), path)
}

/// A move along these cells, in order.
pub fn go(who: Id, path: impl IntoIterator<Item = Cell>) -> MoveStep<Speed> {
    MoveStep::of(Mover::new(who, (), path))
}

pub type Mover = moves::Mover<()>;

impl Moves for Speed {
    /// There is but one.
    type Gait = ();

    fn ways(sp: &Sp, mover: &Mover) -> Ways {
        sp.ways(mover.who)
    }

    fn budget(sp: &Sp, mover: &Mover) -> Result<u16, Why> {
        Ok(mover.feet + sp.feet_left(mover.who)?)
    }

    fn walk<T>(sp: &Sp, who: Id, ways: &Ways, use_it: impl FnOnce(&Walk) -> T) -> T {
        sp.walk(who, ways, use_it)
    }

    fn goes(_: &Sp, mover: &mut Mover, _: Cell, feet: u16, flow: &mut Flow) {
        let who = mover.who;
        flow.emit("SP-08", Fact::Strode { who, feet }.event());
    }

    fn falls(sp: &Sp, who: Id, feet: u16, dice: &mut DiceBox, flow: &mut Flow) {
        fall(sp, who, feet, dice, flow);
    }

    /// A foe into whose reach a step comes is asked after it, once a move.
    fn enters(sp: &Sp, mover: &mut Mover, ways: &Ways, from: Cell, to: Cell) -> Option<Flow> {
        let entered = mover.first_time(ways.left(to, from));
        let by = mover.who;
        let foes = sp.view.ids().filter(|id| entered & id.bit() != 0).collect();
        let open = || Flow::default().then(Reactions::open(Moment::Entered { by, foes }));
        (entered != 0).then(open)
    }
}

impl HandLaid for Speed {
    fn is_move(verb: &'static Verb) -> bool {
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
fn fall(sp: &Sp, who: Id, feet: u16, dice: &mut DiceBox, flow: &mut Flow) {
    let roll = fall_roll(feet, dice);
    flow.emit("GR-32", Change::Prone { who, prone: true });
    let mut toll = Toll::new(sp);
    let harm = Harm {
        who,
        by: None,
        points: roll.total(),
        critical: false,
        lethal: true,
        kind: None,
        roll,
    };
    toll.take(harm, flow);
    toll.close(flow);
}
