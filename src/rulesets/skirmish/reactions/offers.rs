//! Who is asked at a moment, and what each may answer.
//!
//! Who has nothing sensible to say is not asked: a plain miss asks nobody, a
//! snap attack is for who could drop the one that it answers, or spoil a
//! spell, or has nothing to lose: its life, or a Main that is of no more use.

use super::{Moment, OPPORTUNITY, REROLL, opportunity};
use crate::{
    battle::{Choice, Decision, Id, InFlight, Offer, Offers, PASS, Rule, Verb},
    content::Trait,
    rulesets::skirmish::{
        acts::{CHARGE, CHARGE_THROW, defend, hold::ACT_NOW, snap},
        odds::Forecast,
        sk::Sk,
    },
};

/// A moment as those see it who may answer.
pub(super) struct Room<'a, 'w, 's> {
    sk: &'a Sk<'w, 's>,
    moment: &'a Moment,
    /// The attacks in flight that it is about, as things stand.
    shots: Vec<Shot<'a>>,
}

/// An attack in flight, and what would become of it.
struct Shot<'a> {
    flight: &'a InFlight,
    forecast: Forecast,
}

impl Shot<'_> {
    fn hits(&self) -> bool {
        self.flight.roll.total() >= self.forecast.ac
    }

    fn harms(&self) -> bool {
        self.hits() || self.forecast.shock.points() > 0
    }

    /// The most that it could do as it is.
    fn worst(&self) -> i32 {
        if self.hits() {
            self.forecast.damage.span().1
        } else {
            self.forecast.shock.points()
        }
    }
}

/// Whether anybody would be asked before somebody does what it has chosen.
pub fn is_answered(sk: &Sk, choice: &Choice) -> bool {
    let moment = Moment::Declared(choice.clone());
    !Room::of(sk, &moment).who().is_empty()
}

fn is_charge(verb: &'static Verb) -> bool {
    verb == &CHARGE || verb == &CHARGE_THROW
}

impl<'a, 'w, 's> Room<'a, 'w, 's> {
    pub fn of(sk: &'a Sk<'w, 's>, moment: &'a Moment) -> Self {
        let shots = match moment {
            Moment::Rolled(serials) => {
                let flights = serials.iter().filter_map(|&n| sk.flights.get(n));
                let shot = |flight: &'a InFlight| {
                    let forecast = sk.forecast(&flight.attack).ok()?;
                    Some(Shot { flight, forecast })
                };
                flights.filter_map(shot).collect()
            }
            _ => vec![],
        };
        Self { sk, moment, shots }
    }

    /// Those who may have something to say, in id order but for the targets of
    /// attacks, who come first.
    pub fn who(&self) -> Vec<Id> {
        let sk = self.sk;
        match self.moment {
            Moment::Rolled(_) => self.about_a_roll(),
            Moment::Provoked { foes, .. } | Moment::Near { foes, .. } => foes.clone(),
            Moment::Declared(choice) => {
                let Some(by) = choice.who else { return vec![] };
                let snaps = is_charge(choice.verb);
                let side = sk.body(by).side;
                let may = |&id: &Id| sk.waits(id) || snaps && snap::may(sk, id).is_ok();
                sk.view.foes(side).filter(may).collect()
            }
            Moment::Casting { by } => {
                let may = |&id: &Id| sk.waits(id) || snap::may(sk, id).is_ok();
                sk.view.foes(sk.body(*by).side).filter(may).collect()
            }
            Moment::TurnOver(side) => {
                // Others will come before it; if not, this is its last moment.
                let last = sk.is_last(*side);
                let may = |&id: &Id| sk.waits(id) && (last || sk.body(id).side != *side);
                sk.view.ids().filter(may).collect()
            }
        }
    }

    fn about_a_roll(&self) -> Vec<Id> {
        let sk = self.sk;
        let mut out: Vec<Id> = vec![];
        let mut add = |id| {
            if !out.contains(&id) {
                out.push(id);
            }
        };
        for shot in &self.shots {
            let attack = &shot.flight.attack;
            if shot.harms() {
                add(attack.at);
                let comrades = sk.view.foes(sk.body(attack.by).side);
                let may = |&id: &Id| sk.waits(id) || snap::may(sk, id).is_ok();
                comrades.filter(may).for_each(&mut add);
            }
            if self.may_reroll(shot) {
                add(attack.by);
            }
        }
        out
    }

    /// What one may answer; none if nothing.
    pub fn question(&self, id: Id) -> Option<Decision> {
        let sk = self.sk;
        let opening = matches!(self.moment, Moment::Provoked { .. });
        if !sk.can_react(id) || sk.stance(id).hidden && !opening {
            return None;
        }
        let names = sk.view.names();
        let wise = |f: &Forecast| self.is_wise(id, f);
        let (mut offers, prompt, rule): (Vec<Offer>, String, Rule) = match self.moment {
            Moment::Rolled(_) => self.to_a_roll(id)?,
            Moment::Provoked { by, .. } => {
                let mut offers = opportunities(sk, id, self.up(*by)?);
                offers.extend(snap::offers(sk, id, *by, wise));
                let prompt = format!("{} gives {} an opening", names.title(*by), names.name(id));
                (offers, prompt, "SK-06")
            }
            Moment::Declared(choice) => {
                let by = self.up(choice.who?)?;
                let mut offers = vec![];
                if is_charge(choice.verb) {
                    offers = snap::offers(sk, id, by, wise);
                }
                let prompt = format!("About to be done: {}", choice.text(names));
                (offers, prompt, "SK-26")
            }
            Moment::Near { by, .. } => {
                let offers = snap::offers(sk, id, self.up(*by)?, wise);
                let prompt = format!("{} comes near {}", names.title(*by), names.name(id));
                // A snap attack, unless there is only an action that was held.
                let rule = if offers.is_empty() { "SK-26" } else { "SK-12" };
                (offers, prompt, rule)
            }
            Moment::Casting { by } => {
                let offers = snap::offers(sk, id, self.up(*by)?, |_| true);
                let prompt = format!("{} casts a spell", names.title(*by));
                (offers, prompt, "SK-70")
            }
            Moment::TurnOver(side) => {
                let prompt = format!("The turn of {} is over", names.side_in_line(*side));
                (vec![], prompt, "SK-26")
            }
        };
        if sk.waits(id) {
            offers.push(Offer::legal(Choice::new(&ACT_NOW, id)));
        }
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

    /// Whether a snap may be worth the Main: it could drop the foe, or the Main
    /// would be lost anyway, its own turn of the round being over.
    fn is_wise(&self, id: Id, f: &Forecast) -> bool {
        snap::could_drop(f) || self.sk.turn_is_over(self.sk.body(id).side)
    }

    /// Nobody answers who is down already.
    fn up(&self, id: Id) -> Option<Id> {
        self.sk.is_up(id).then_some(id)
    }

    /// Answers to attacks that were rolled: by who is attacked, by comrades who
    /// could drop the attacker first, by the attacker itself.
    fn to_a_roll(&self, id: Id) -> Option<(Vec<Offer>, String, Rule)> {
        let sk = self.sk;
        let mut offers = vec![];
        let mut told: Option<(&Shot, Rule)> = None;
        let at_me = |s: &&Shot| s.harms() && s.flight.attack.at == id;
        if let Some(shot) = self.shots.iter().find(at_me) {
            if defend::legal(sk, id).is_ok() {
                offers.push(Offer::legal(Choice::new(&defend::DEFEND, id)));
                told = Some((shot, "SK-17"));
            }
            // Who may not live to use its Main may as well use it now.
            let doomed = shot.worst() >= sk.body(id).hp;
            let wise = |f: &Forecast| doomed || self.is_wise(id, f);
            self.snap_at(shot, id, wise, &mut offers);
        }
        let mine = sk.body(id).side;
        for shot in self.shots.iter().filter(|s| s.harms()) {
            let attack = &shot.flight.attack;
            if attack.at == id || sk.body(attack.by).side == mine {
                continue;
            }
            self.snap_at(shot, id, |f| self.is_wise(id, f), &mut offers);
            told = told.or(Some((shot, "SK-12")));
        }
        for shot in self.shots.iter().filter(|s| s.flight.attack.by == id) {
            if self.may_reroll(shot) {
                let at = shot.flight.attack.at;
                offers.push(Offer::legal(Choice::new(&REROLL, id).at(at)));
                told = told.or(Some((shot, "SK-71")));
            }
        }
        let (shot, rule) = told.or_else(|| {
            let shot = self.shots.iter().find(at_me)?;
            Some((shot, "SK-12"))
        })?;
        Some((offers, self.words(shot), rule))
    }

    fn snap_at(
        &self,
        shot: &Shot,
        id: Id,
        wise: impl Fn(&Forecast) -> bool,
        offers: &mut Vec<Offer>,
    ) {
        let by = shot.flight.attack.by;
        if offers.iter().all(|o| o.choice.at != Some(by)) {
            offers.extend(snap::offers(self.sk, id, by, wise));
        }
    }

    /// SK-71: once a battle, when the roll misses and another could hit.
    fn may_reroll(&self, shot: &Shot) -> bool {
        let sk = self.sk;
        let by = shot.flight.attack.by;
        let (roll, ac) = (&shot.flight.roll, shot.forecast.ac);
        let best = roll.total() - i32::from(roll.dice[0].1) + 20;
        sk.view.creature(by).has(Trait::Reroll)
            && !sk.stance(by).rerolled
            && !shot.hits()
            && best >= ac
    }

    /// The attack as things stand, in words.
    fn words(&self, shot: &Shot) -> String {
        let names = self.sk.view.names();
        let attack = &shot.flight.attack;
        let (by, at) = (names.title(attack.by), names.name(attack.at));
        let (total, ac) = (shot.flight.roll.total(), shot.forecast.ac);
        if shot.hits() {
            return format!("{by} hits {at} with {total} against AC {ac}");
        }
        match shot.forecast.shock.points() {
            0 => format!("{by} misses {at} with {total} against AC {ac}"),
            n => format!("{by} misses {at}, but the Shock does {n}"),
        }
    }
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
        let legal = opportunity(&choice).map(|attack| sk.can_attack(&attack));
        Offer::from(choice, legal.unwrap_or(Ok(())))
    };
    armed.map(choice).map(offer).collect()
}
