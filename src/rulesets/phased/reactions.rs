//! Out of turn: free attacks (PH-40), immediate attacks (PH-41), immediate
//! spells (PH-10).

use super::{
    acts, concentration,
    fact::Fact,
    fighter::Plan,
    ph::Ph,
    routine::{Routine, Way},
    spells,
    volley::Volley,
};
use crate::{
    battle::{
        self, Answer, Change, Choice, Decision, Flow, Id, Offer, Offers, PASS, Rule, Verb, Why,
        Window,
    },
    system_step,
};
use bevy::ecs::system::{In, ResMut};

/// When others may react under Phased.
#[derive(Clone, Debug)]
pub enum Moment {
    /// Attacks were rolled and not yet settled.
    Rolled(Vec<u32>),
    /// Somebody turns to flee from melee (PH-40).
    Flight { by: Id },
    /// Somebody does in melee what gives an opening (PH-41).
    Opening { by: Id, rule: Rule },
}

/// The window of such a moment.
#[derive(Clone, Debug)]
pub struct Reactions(Window<Moment>);
system_step!(Reactions, react);

impl Reactions {
    pub fn open(moment: Moment) -> Self {
        Self(Window::open(moment))
    }
}

pub static FREE_ATTACK: Verb = Verb {
    name: "free attack",
    phrase: "free attack on {at} with {with}",
    told: "takes a free attack on {at} with {with}",
    rule: "PH-40",
};
pub static IMMEDIATE_ATTACK: Verb = Verb {
    name: "immediate attack",
    phrase: "immediate attack on {at} with {with}",
    told: "attacks {at} at once with {with}",
    rule: "PH-41",
};

fn react(In(Reactions(window)): In<Reactions>, ph: Ph, mut answer: ResMut<Answer>) -> Flow {
    let moment = window.moment.clone();
    let who = |m: &Moment| candidates(&ph, m);
    let choices = match window.run(&mut answer, who, |m, id| question(&ph, m, id)) {
        battle::Moment::Asks(question, window) => return Flow::ask(question, Reactions(window)),
        battle::Moment::Closed => return Flow::default(),
        battle::Moment::React(choices) => choices,
    };
    let mut flow = Flow::default();
    let mut blows = vec![];
    for choice in &choices {
        let choice = choice.clone();
        flow.emit(
            choice.verb.rule,
            Change::Acted {
                choice: choice.clone(),
            },
        );
        if choice.verb == &acts::CAST {
            spells::immediate(&ph, &choice, &mut flow);
        } else if let Some(routine) = routine(&ph, &choice) {
            pay(&ph, &choice, &mut flow);
            blows.extend(ph.blows(&routine));
        }
    }
    if !blows.is_empty() {
        flow.push(Volley(blows));
    }
    match moment {
        // One attack from each foe, and it was asked.
        Moment::Flight { .. } | Moment::Opening { .. } => flow,
        moment => flow.then(Reactions::open(moment)),
    }
}

fn candidates(ph: &Ph, moment: &Moment) -> Vec<Id> {
    match moment {
        Moment::Rolled(serials) => {
            let mut out: Vec<Id> = vec![];
            for shot in serials.iter().filter_map(|&n| ph.flights.get(n)) {
                if !out.contains(&shot.attack.at) {
                    out.push(shot.attack.at);
                }
            }
            out
        }
        Moment::Flight { by } | Moment::Opening { by, .. } => {
            ph.view.foes(ph.body(*by).side).collect()
        }
    }
}

/// The attack that an answer stands for.
pub fn routine(ph: &Ph, choice: &Choice) -> Option<Routine> {
    let (by, at, with) = (choice.who?, choice.at?, choice.with?);
    let plain = Routine::new(by, at, with, Way::Strike, choice.verb.rule);
    if choice.verb == &FREE_ATTACK {
        let bonus = ph.tables().numbers.free_attack_on_flight;
        return Some(plain.plus(bonus, "in flight", "PH-40"));
    }
    (choice.verb == &IMMEDIATE_ATTACK).then_some(plain)
}

/// Those who may strike at somebody that flees from where it stands (PH-40),
/// each with the attacks that it could make.
pub fn strikers(ph: &Ph, by: Id) -> Vec<(Id, Vec<Choice>)> {
    let moment = Moment::Flight { by };
    let foes = ph.view.foes(ph.body(by).side);
    let able = foes.filter(|&foe| may_strike(ph, foe, &moment).is_ok());
    let attacks = |foe: Id| {
        let choice = |with| Choice::new(&FREE_ATTACK, foe).at(by).with(with);
        let mut all: Vec<Choice> = ph.ready_arms(foe).into_iter().map(choice).collect();
        all.retain(|c| routine(ph, c).is_some_and(|r| ph.look(&r).is_ok()));
        (foe, all)
    };
    able.map(attacks).filter(|s| !s.1.is_empty()).collect()
}

/// What a reaction costs who makes it.
fn pay(ph: &Ph, choice: &Choice, flow: &mut Flow) {
    let (Some(who), Some(on)) = (choice.who, choice.at) else {
        return;
    };
    if choice.verb == &FREE_ATTACK {
        // Whatever needs concentration is over.
        concentration::breaks(ph, who, flow);
        flow.emit("PH-40", Fact::FreeAttack { who, on }.event());
        return;
    }
    // It is the major action: a spell under way is lost, and no more (PH-21).
    concentration::spoils(ph, who, flow);
    if ph.fighter(who).plan != Some(Plan::Open) {
        flow.emit("PH-41", Fact::Dropped { who }.event());
    }
    flow.emit("PH-41", Fact::Spent { who }.event());
}

/// PH-40, PH-41: whether it may strike out of turn at all.
fn may_strike(ph: &Ph, id: Id, moment: &Moment) -> Result<(), Why> {
    let fighter = ph.fighter(id);
    if !ph.can_act(id) || fighter.fleeing || fighter.hidden {
        return Err(Why::new("PH-06", "it cannot react"));
    }
    if fighter.listens {
        return Err(Why::new("PH-04", "it listens to what is offered"));
    }
    match moment {
        Moment::Flight { by } => {
            if ph.fighter(*by).drew_free & id.bit() != 0 {
                return Err(Why::new("PH-40", "one free attack on each foe a round"));
            }
            if fighter.struck_free == ph.clock.stamp {
                return Err(Why::new("PH-40", "one free attack a segment"));
            }
            Ok(())
        }
        // A spell or work under way is a major action begun: that may be given up.
        _ if fighter.spent && fighter.casting.is_none() && fighter.work.is_none() => {
            Err(Why::new("PH-41", "the major action is spent"))
        }
        _ => Ok(()),
    }
}

/// What one may answer to a moment; none if nothing.
fn question(ph: &Ph, moment: &Moment, id: Id) -> Option<Decision> {
    let names = ph.view.names();
    let (mut offers, prompt, rule) = match moment {
        Moment::Rolled(serials) => {
            let offers = spells::immediate_offers(ph, id);
            let shots = serials.iter().filter_map(|&n| ph.flights.get(n));
            let by = shots
                .filter(|s| s.attack.at == id)
                .map(|s| s.attack.by)
                .next()?;
            let prompt = format!("{} attacks {}", names.title(by), names.name(id));
            (offers, prompt, "PH-10")
        }
        Moment::Flight { by } | Moment::Opening { by, .. } => {
            may_strike(ph, id, moment).ok()?;
            if !ph.is_up(*by) {
                return None;
            }
            let (verb, rule) = match moment {
                Moment::Flight { .. } => (&FREE_ATTACK, "PH-40"),
                _ => (&IMMEDIATE_ATTACK, "PH-41"),
            };
            let choice = |with| Choice::new(verb, id).at(*by).with(with);
            let offer = |choice: Choice| {
                let legal = routine(ph, &choice).map_or(Ok(()), |r| ph.look(&r).map(|_| ()));
                Offer::from(choice, legal)
            };
            let offers = ph
                .ready_arms(id)
                .into_iter()
                .map(choice)
                .map(offer)
                .collect();
            let what = match moment {
                Moment::Flight { .. } => "flees from",
                _ => "gives an opening to",
            };
            let prompt = format!("{} {what} {}", names.title(*by), names.name(id));
            (offers, prompt, rule)
        }
    };
    if !offers.iter().any(Offer::is_legal) {
        return None;
    }
    offers.push(Offer::legal(Choice::new(&PASS, id)));
    Some(Decision {
        side: ph.body(id).side,
        prompt,
        rule,
        actors: vec![id],
        common: vec![],
        offers: Offers::Listed(offers),
        reaction: true,
    })
}
