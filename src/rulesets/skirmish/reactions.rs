//! Answers to what somebody else does: attacks of opportunity, total defense.

use super::{acts::defend, sk::Sk, volley::Volley};
use crate::{
    battle::{
        self, Answer, Attack, Change, Choice, Decision, Flow, Id, Offer, Offers, PASS, Rule, Verb,
        Window,
    },
    system_step,
};
use bevy::ecs::system::{In, ResMut};

/// When others may react under Skirmish.
#[derive(Clone, Debug)]
pub enum Moment {
    /// Attacks were rolled and not yet settled (SK-17).
    Rolled(Vec<u32>),
    /// `by` does what draws attacks of opportunity from these foes (SK-06).
    Provoked { by: Id, foes: Vec<Id>, rule: Rule },
    /// `by` casts a spell, which a wound would spoil (SK-70).
    Casting { by: Id },
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

pub static OPPORTUNITY: Verb = Verb {
    name: "attack of opportunity",
    phrase: "attack of opportunity on {at} with {with}",
    told: "takes the opportunity to strike at {at} with {with}",
    rule: "SK-06",
};

fn react(In(Reactions(window)): In<Reactions>, sk: Sk, mut answer: ResMut<Answer>) -> Flow {
    let moment = window.moment.clone();
    let who = |m: &Moment| match m {
        Moment::Rolled(serials) => targets(&sk, serials),
        Moment::Provoked { foes, .. } => foes.clone(),
        Moment::Casting { by } => sk.view.foes(sk.body(*by).side).collect(),
    };
    let choices = match window.run(&mut answer, who, |m, id| question(&sk, m, id)) {
        battle::Moment::Asks(question, window) => return Flow::ask(question, Reactions(window)),
        battle::Moment::Closed => return Flow::default(),
        battle::Moment::React(choices) => choices,
    };
    // All of them see the state before any applies (SK-05): events and dice of
    // this flow come from that one state.
    let mut flow = Flow::default();
    let mut attacks = vec![];
    for choice in choices {
        let Some(who) = choice.who else { continue };
        flow.emit(
            choice.verb.rule,
            Change::Acted {
                choice: choice.clone(),
            },
        );
        if choice.verb == &defend::DEFEND {
            defend::take(who, &mut flow);
        } else {
            attacks.extend(opportunity(&choice));
        }
    }
    if !attacks.is_empty() {
        flow.push(Volley(attacks));
    }
    match moment {
        // Each foe has one attack for one act: nobody is asked again.
        Moment::Provoked { .. } => flow,
        moment => flow.then(Reactions::open(moment)),
    }
}

/// Those against whom an attack is in flight, each once, in order of its attack.
fn targets(sk: &Sk, serials: &[u32]) -> Vec<Id> {
    let mut out: Vec<Id> = vec![];
    for shot in serials.iter().filter_map(|&n| sk.flights.get(n)) {
        if !out.contains(&shot.attack.at) {
            out.push(shot.attack.at);
        }
    }
    out
}

/// What one may answer to a moment; none if nothing.
fn question(sk: &Sk, moment: &Moment, id: Id) -> Option<Decision> {
    if !sk.can_act(id) {
        return None;
    }
    let (mut offers, prompt, rule) = match moment {
        Moment::Rolled(serials) => {
            let prompt = threat_to(sk, serials, id)?;
            let choice = Choice::new(&defend::DEFEND, id);
            defend::legal(sk, id).ok()?;
            (vec![Offer::legal(choice)], prompt, "SK-17")
        }
        Moment::Provoked { by, rule, .. } => {
            if !sk.is_up(*by) {
                return None;
            }
            let offers = opportunities(sk, id, *by);
            let names = sk.view.names();
            let prompt = format!("{} gives {} an opening", names.title(*by), names.key(id));
            (offers, prompt, *rule)
        }
        // Nothing that is played yet answers a casting.
        Moment::Casting { .. } => return None,
    };
    if !offers.iter().any(Offer::is_legal) {
        return None;
    }
    offers.push(Offer::legal(Choice::new(&PASS, id)));
    Some(Decision {
        side: sk.body(id).side,
        prompt,
        rule,
        actors: vec![id],
        common: vec![],
        offers: Offers::Listed(offers),
        reaction: true,
    })
}

/// The attack in flight that would hurt `id` as things stand, in words.
fn threat_to(sk: &Sk, serials: &[u32], id: Id) -> Option<String> {
    let shots = serials.iter().filter_map(|&n| sk.flights.get(n));
    for shot in shots.filter(|s| s.attack.at == id && sk.is_up(s.attack.by)) {
        let Ok(forecast) = sk.forecast(&shot.attack) else {
            continue;
        };
        let (by, total, ac) = (
            sk.view.names().title(shot.attack.by),
            shot.roll.total(),
            forecast.ac,
        );
        if total >= ac {
            return Some(format!(
                "{by} hits {} with {total} against AC {ac}",
                sk.view.names().key(id)
            ));
        }
        if forecast.shock.points() > 0 {
            let n = forecast.shock.points();
            return Some(format!(
                "{by} misses {}, but the Shock does {n}",
                sk.view.names().key(id)
            ));
        }
    }
    None
}

/// SK-06: the attacks that `id` could make on somebody who gives it an opening:
/// with what it has in hand, or what is part of it.
fn opportunities(sk: &Sk, id: Id, on: Id) -> Vec<Offer> {
    let armed = sk
        .gear(id)
        .ready()
        .filter(|&n| sk.weapon(n).arms_for_melee());
    let choice = |n| Choice::new(&OPPORTUNITY, id).at(on).with(n);
    let offer = |choice: Choice| {
        let legal = opportunity(&choice).map(|attack| sk.forecast(&attack).map(|_| ()));
        Offer::from(choice, legal.unwrap_or(Ok(())))
    };
    armed.map(choice).map(offer).collect()
}

fn opportunity(choice: &Choice) -> Option<Attack> {
    let (by, at, with) = (choice.who?, choice.at?, choice.with?);
    Some(Attack {
        by,
        at,
        with,
        ranged: false,
        rule: "SK-06",
        extra: vec![],
    })
}
