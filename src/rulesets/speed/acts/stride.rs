//! Moving (SP-08): any number of times in one's turn, up to the speed in all;
//! who comes into a foe's reach draws its riposte (SP-12).

use super::super::{
    facts::Fact,
    reactions::{Moment, Reactions},
    sp::{self, Sp},
    wounds::{Harm, Toll},
};
use crate::{
    battle::{Change, Choice, DiceBox, Flow, Id, Offer, Verb, Why, movement::fall_roll},
    grid::Cell,
    system_step,
};
use bevy::ecs::{
    system::{In, ResMut},
    world::World,
};
use std::collections::VecDeque;

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
    let path = match &choice.along {
        Some(cells) => cells.to_vec(),
        None => sp.range(who).path(to).split_off(1),
    };
    let acted = Change::Acted {
        choice: choice.clone(),
    };
    Flow::default()
        .and("SP-08", acted)
        .then(Stride::new(who, path))
}

/// What is left of a move. After each step into the reach of a foe that foe
/// is asked; then it goes on.
#[derive(Clone, Debug)]
pub struct Stride {
    who: Id,
    path: VecDeque<Cell>,
    /// The foes who have had their chance at this move, as a bit set.
    asked: u64,
    /// An odd number of diagonals lies behind (GR-31).
    odd: bool,
}
system_step!(Stride, stride);

impl Stride {
    /// `path`: the cells to step on, in order.
    pub fn new(who: Id, path: impl IntoIterator<Item = Cell>) -> Self {
        Self {
            who,
            path: path.into_iter().collect(),
            asked: 0,
            odd: false,
        }
    }
}

fn stride(In(mut step): In<Stride>, sp: Sp, mut dice: ResMut<DiceBox>) -> Flow {
    let who = step.who;
    let mut flow = Flow::default();
    if !sp.is_up(who) {
        return flow;
    }
    let ways = sp.ways(who);
    let mut at = sp.body(who).at;
    while let Some(&to) = step.path.front() {
        let priced = sp.walk(who, &ways, |walk| walk.step_in_move(at, to, step.odd));
        let cost = match priced {
            Ok(cost) => cost,
            Err(why) => {
                let why = why.to_string().into();
                flow.emit("GR-30", Change::Stopped { who, why });
                sp.view.make_room(who, at, &mut flow);
                return flow;
            }
        };
        step.odd ^= cost.diagonal;
        let (from, feet) = (at, cost.feet);
        let moved = Change::Moved {
            who,
            from,
            to,
            feet,
        };
        flow.emit("GR-31", moved);
        flow.emit("SP-08", Fact::Strode { who, feet }.event());
        at = to;
        step.path.pop_front();
        let entered = ways.left(to, from) & !step.asked;
        if cost.fall > 0 {
            fall(&sp, who, cost.fall, &mut dice, &mut flow);
            step.path.clear();
        }
        if entered != 0 {
            step.asked |= entered;
            let foes = sp.view.ids().filter(|id| entered & id.bit() != 0);
            let moment = Moment::Entered {
                by: who,
                foes: foes.collect(),
            };
            flow.push(Reactions::open(moment));
            flow.push(MakeRoom { who, rest: step });
            return flow;
        }
    }
    // Somebody may have come there since the way was chosen.
    sp.view.make_room(who, at, &mut flow);
    flow
}

/// After a riposte: the move goes on if the mover is up.
#[derive(Clone, Debug)]
struct MakeRoom {
    who: Id,
    rest: Stride,
}
system_step!(MakeRoom, go_on);

fn go_on(In(MakeRoom { who, rest }): In<MakeRoom>, sp: Sp) -> Flow {
    let mut flow = Flow::default();
    if !sp.is_up(who) {
        return flow;
    }
    // A blow may have taken away what the rest of the way needs.
    if rest.path.is_empty() || sp.feet_left(who).is_err() {
        sp.view.make_room(who, sp.body(who).at, &mut flow);
        return flow;
    }
    flow.then(rest)
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

/// A move along a path laid by hand: it starts next to the mover, ends where
/// one may stop, and the feet that are left suffice.
pub fn check_path(world: &mut World, choice: &Choice) -> Result<(), Why> {
    fn check(In(choice): In<Choice>, sp: Sp) -> Result<(), Why> {
        let no = |text: String| Err(Why::new("GR-33", text));
        let (Some(who), Some(along)) = (choice.who, &choice.along) else {
            return no("a path needs somebody to walk it".into());
        };
        if choice.verb != &MOVE || along.last().copied() != choice.to {
            return no("only a move follows a path, to the path's last cell".into());
        }
        let left = sp.feet_left(who)?;
        if !sp.is_up(who) {
            return no("it only crawls".into());
        }
        let cells: Vec<Cell> = std::iter::once(sp.body(who).at)
            .chain(along.iter().copied())
            .collect();
        let ways = sp.ways(who);
        sp.walk(who, &ways, |walk| match walk.price(&cells) {
            Err(misstep) => no(misstep.to_string()),
            Ok(price) if price.feet > left => {
                no(format!("{} ft, and {left} ft are left", price.feet))
            }
            Ok(_) if !choice.to.is_some_and(|to| walk.may_stop(to)) => {
                no("somebody stands there".into())
            }
            Ok(_) => Ok(()),
        })
    }
    crate::battle::run_system(world, check, choice.clone())
}
