//! The steps of a move, and the attacks that leaving a reach draws (AC-36).

use super::{ac::Ac, attack::Volley, event::Fact, harm};
use crate::{
    battle::{
        Answer, Attack, Change, Choice, Decision, DiceBox, Flow, Id, Modifier, Moment, Offer,
        Offers, PASS, Verb, Window, movement::fall,
    },
    grid::Cell,
    system_step,
};
use bevy::ecs::system::{In, ResMut};
use std::collections::VecDeque;

/// What is left of a move. It goes on until a step leaves the reach of a foe
/// who may still strike this round; that foe is asked before the step.
#[derive(Clone, Debug)]
pub struct Stride {
    who: Id,
    path: VecDeque<Cell>,
    /// A defensive withdrawal: leaving a reach draws nothing.
    unhindered: bool,
    /// Foes that were asked at this move already.
    asked: u64,
    odd: bool,
}
system_step!(Stride, stride);

impl Stride {
    pub fn new(who: Id, path: impl IntoIterator<Item = Cell>, unhindered: bool) -> Self {
        Self {
            who,
            path: path.into_iter().collect(),
            unhindered,
            asked: 0,
            odd: false,
        }
    }
}

fn stride(In(mut step): In<Stride>, ac: Ac, mut dice: ResMut<DiceBox>) -> Flow {
    let who = step.who;
    let mut flow = Flow::default();
    if !ac.is_up(who) {
        return flow;
    }
    if ac.actor(who).is_helpless() {
        ac.view.make_room(who, ac.body(who).at, &mut flow);
        return flow;
    }
    let ways = ac.ways(who, step.unhindered);
    let mut at = ac.body(who).at;
    let mut feet = 0;
    while let Some(&to) = step.path.front() {
        let left = ways.left(at, to) & !step.asked;
        if left != 0 {
            step.asked |= left;
            let foes = ac.view.ids().filter(|id| left & id.bit() != 0).collect();
            ran(&mut flow, who, feet);
            flow.push(Opening::to(who, foes));
            flow.push(step);
            return flow;
        }
        let walked = ac
            .view
            .walk(who, &ways, |walk| walk.step_in_move(at, to, step.odd));
        let cost = match walked {
            Ok(cost) => cost,
            Err(why) => {
                let why = why.to_string().into();
                flow.emit("GR-30", Change::Stopped { who, why });
                break;
            }
        };
        step.odd ^= cost.diagonal;
        feet += cost.feet;
        flow.emit(
            "GR-31",
            Change::Moved {
                who,
                from: at,
                to,
                feet: cost.feet,
            },
        );
        at = to;
        step.path.pop_front();
        if cost.fall > 0 {
            let points = fall(who, cost.fall, &mut dice, &mut flow);
            harm::sink(&ac, who, points, false, &mut flow);
            break;
        }
    }
    // Somebody may have come there since the way was chosen.
    ac.view.make_room(who, at, &mut flow);
    ran(&mut flow, who, feet);
    flow
}

fn ran(flow: &mut Flow, who: Id, feet: u16) {
    if feet > 0 {
        flow.emit("AC-23", Fact::Ran { who, feet }.event());
    }
}

pub static OPPORTUNITY: Verb = Verb {
    name: "attack of opportunity",
    phrase: "attack of opportunity on {at} with {with}",
    told: "takes the opportunity to strike at {at} with {with}",
    rule: "AC-36",
};

/// Somebody leaves the reach of these foes.
#[derive(Clone, Debug)]
pub struct Opening(Window<(Id, Vec<Id>)>);
system_step!(Opening, opening);

impl Opening {
    fn to(who: Id, foes: Vec<Id>) -> Self {
        Self(Window::open((who, foes)))
    }
}

fn opening(In(Opening(window)): In<Opening>, ac: Ac, mut answer: ResMut<Answer>) -> Flow {
    let who = |m: &(Id, Vec<Id>)| m.1.clone();
    let choices = match window.run(&mut answer, who, |m, id| question(&ac, m.0, id)) {
        Moment::Asks(question, window) => return Flow::ask(question, Opening(window)),
        Moment::Closed => return Flow::default(),
        Moment::React(choices) => choices,
    };
    let mut flow = Flow::default();
    let mut attacks = vec![];
    for choice in choices {
        let Some(attack) = opportunity(&ac, &choice) else {
            continue;
        };
        flow.emit("AC-36", Change::Acted { choice });
        flow.emit("AC-36", Fact::Struck { who: attack.by }.event());
        attacks.push(attack);
    }
    flow.then(Volley::of(attacks))
}

fn question(ac: &Ac, mover: Id, id: Id) -> Option<Decision> {
    if !ac.is_up(id) || !ac.is_up(mover) || ac.threat_reach(id).is_none() {
        return None;
    }
    let armed = ac.gear(id).ready();
    let armed = armed.filter(|&n| ac.weapon(n).arms_for_melee());
    let mut offers: Vec<Offer> = armed
        .map(|n| {
            let choice = Choice::new(&OPPORTUNITY, id).at(mover).with(n);
            let legal = opportunity(ac, &choice).map_or(Ok(()), |a| ac.forecast(&a).map(|_| ()));
            Offer::from(choice, legal)
        })
        .collect();
    if !offers.iter().any(Offer::is_legal) {
        return None;
    }
    offers.push(Offer::legal(Choice::new(&PASS, id)));
    let names = ac.view.names();
    Some(Decision {
        side: ac.body(id).side,
        prompt: format!(
            "{} leaves the reach of {}",
            names.title(mover),
            names.name(id)
        ),
        rule: "AC-36",
        actors: vec![id],
        common: vec![],
        offers: Offers::Listed(offers),
        reaction: true,
    })
}

/// The attack of an answer to somebody's leaving.
pub fn opportunity(ac: &Ac, choice: &Choice) -> Option<Attack> {
    if choice.verb != &OPPORTUNITY {
        return None;
    }
    let (by, at, with) = (choice.who?, choice.at?, choice.with?);
    let hurried = ac.tables().opportunity as i16;
    let mut extra = vec![Modifier::new(hurried, "in passing", "AC-36")];
    // What is set aside for parrying is not there to strike with (AC-13).
    let kept = ac.actor(by).parry as i16;
    if kept > 0 {
        extra.push(Modifier::new(-kept, "kept for parrying", "AC-13"));
    }
    Some(Attack {
        by,
        at,
        with,
        ranged: false,
        rule: "AC-36",
        extra,
    })
}
