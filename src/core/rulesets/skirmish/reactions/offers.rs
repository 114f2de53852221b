//! Which units are asked at a trigger, and what each may answer.
//!
//! Instants are legal at any moment (SK-04), and all of them are listed. Units are asked only when
//! it matters: nobody for a plain miss; for a snap attack if it could drop the enemy or spoil a
//! spell, or if the unit has nothing to lose because it would die or its Main is no longer useful;
//! for a held action if the enemy attacks or can be attacked.
//! All other offers are rare: they alone prompt only units that want to be asked at every chance.

use crate::rulesets::common::{attacks::attack_of, reactions::question as ask_reaction};
use crate::{
    battle::{Action, Choice, Decision, Id, Offer, RolledAttack, Rule},
    content::Trait,
    grid::cells_apart,
    rulesets::skirmish::{
        acts::{CHARGE, CHARGE_THROW, defend, hold::ACT_NOW, snap},
        odds::Forecast,
        query::SkirmishQuery,
        triggers::{OPPORTUNITY, REROLL, Trigger},
    },
};

/// A trigger and the attacks it is about, as the reacting units see them.
pub(super) struct Room<'a, 'w, 's> {
    sk: &'a SkirmishQuery<'w, 's>,
    moment: &'a Trigger,
    /// The rolled attacks of the trigger, forecast as things stand.
    shots: Vec<Shot<'a>>,
}

/// A rolled attack and its current forecast.
struct Shot<'a> {
    rolled: &'a RolledAttack,
    forecast: Forecast,
}

impl Shot<'_> {
    fn hits(&self) -> bool {
        self.rolled.roll.total() >= self.forecast.ac
    }

    fn harms(&self) -> bool {
        self.hits() || self.forecast.shock.points() > 0
    }

    /// The mean damage of a hit, and its chance to drop the target: "about 5 damage, 40% to drop".
    fn damage(&self) -> String {
        let (damage, hp) = (&self.forecast.damage, self.forecast.hp);
        let mean = (damage.mean_x10() + 5) / 10;
        match damage.at_least(hp).percent() {
            0 => format!("about {mean} damage"),
            percent => format!("about {mean} damage, {percent}% to drop"),
        }
    }

    /// The most damage that the attack could do now.
    fn worst(&self) -> i32 {
        if self.hits() {
            self.forecast.damage.span().1
        } else {
            self.forecast.shock.points()
        }
    }
}

/// Whether any unit would be asked before a chosen action happens.
pub fn is_answered(sk: &SkirmishQuery, choice: &Choice) -> bool {
    let moment = Trigger::Declared(choice.clone());
    !Room::of(sk, &moment).who().is_empty()
}

fn is_charge(verb: &'static Action) -> bool {
    verb == &CHARGE || verb == &CHARGE_THROW
}

impl<'a, 'w, 's> Room<'a, 'w, 's> {
    pub fn of(sk: &'a SkirmishQuery<'w, 's>, moment: &'a Trigger) -> Self {
        let shots = match moment {
            Trigger::Rolled(serials) => {
                let pending = serials.iter().filter_map(|&n| sk.pending_attacks.get(n));
                let shot = |rolled: &'a RolledAttack| {
                    let forecast = sk.forecast(&rolled.attack).ok()?;
                    Some(Shot { rolled, forecast })
                };
                pending.filter_map(shot).collect()
            }
            _ => vec![],
        };
        Self { sk, moment, shots }
    }

    /// The units that may be asked: targets of attacks first, otherwise in id order.
    pub fn who(&self) -> Vec<Id> {
        let sk = self.sk;
        let mut who = self.who_by_default();
        // Only the enemies that were provoked can use an opening.
        if !sk.view.prompted.is_empty() && !matches!(self.moment, Trigger::Provoked { .. }) {
            let others = sk.view.ids().filter(|&id| sk.is_up(id));
            let others: Vec<Id> = others.filter(|id| !who.contains(id)).collect();
            who.extend(others);
        }
        who
    }

    fn who_by_default(&self) -> Vec<Id> {
        let sk = self.sk;
        match self.moment {
            Trigger::Rolled(_) => self.about_a_roll(),
            Trigger::Provoked { enemies, .. } | Trigger::Near { enemies, .. } => enemies.clone(),
            Trigger::Declared(choice) => {
                let Some(by) = choice.who else { return vec![] };
                let enemies = sk.view.enemies(sk.body(by).side);
                match is_charge(choice.verb) {
                    true => enemies.filter(|&id| self.is_ready(id)).collect(),
                    false => enemies.filter(|&id| sk.waits(id)).collect(),
                }
            }
            Trigger::Casting { by } => {
                let enemies = sk.view.enemies(sk.body(*by).side);
                enemies.filter(|&id| self.is_ready(id)).collect()
            }
            Trigger::TurnOver(side) => {
                // Units of this side are asked only if no other turn follows this round: their last
                // moment. Other units are asked only if they see a unit of this side.
                let (last, seen) = (sk.is_last(*side), sk.is_seen(*side));
                let may = |&id: &Id| {
                    let is_own = sk.body(id).side == *side;
                    sk.waits(id) && if is_own { last } else { seen }
                };
                sk.view.ids().filter(may).collect()
            }
            Trigger::Checked { .. } | Trigger::TurnBegins(_) | Trigger::After(_) => vec![],
        }
    }

    /// Whether a unit has a held action or could make snap attacks.
    fn is_ready(&self, id: Id) -> bool {
        self.sk.waits(id) || snap::may(self.sk, id).is_ok()
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
            let attack = &shot.rolled.attack;
            if shot.harms() {
                add(attack.at);
                let comrades = sk.view.enemies(sk.body(attack.by).side);
                comrades.filter(|&id| self.is_ready(id)).for_each(&mut add);
            }
            if self.may_reroll(shot) {
                add(attack.by);
            }
        }
        out
    }

    /// The prompt for a unit. `None` if it has no legal offer, or only rare ones and does not want
    /// to be asked at every chance.
    pub fn question(&self, id: Id) -> Option<Decision> {
        let sk = self.sk;
        if !sk.can_react(id) {
            return None;
        }
        let mut offers = self.worth_asking(id);
        if !offers.iter().any(Offer::is_legal) && !sk.view.prompted.contains(id) {
            return None;
        }
        let (prompt, rule) = self.prompt(id, &offers);
        self.add_rare(id, &mut offers);
        ask_reaction(&sk.view, id, rule, prompt, offers)
    }

    /// The offers for which a unit is asked by default.
    fn worth_asking(&self, id: Id) -> Vec<Offer> {
        let sk = self.sk;
        // A hidden unit waits for an opening (SK-06); its other offers are never a reason to ask.
        let is_opening = matches!(self.moment, Trigger::Provoked { .. });
        if sk.stance(id).hidden && !is_opening {
            return vec![];
        }
        let wise = |f: &Forecast| snap::is_wise(sk, id, f);
        let is_enemy = |by: &Id| sk.is_up(*by) && sk.body(*by).side != sk.body(id).side;
        let mut offers = match self.moment {
            Trigger::Rolled(_) => self.to_a_roll(id),
            Trigger::Provoked { by, .. } if is_enemy(by) => {
                let mut offers = opportunities(sk, id, *by);
                offers.extend(snap::offers(sk, id, *by, wise));
                offers
            }
            Trigger::Declared(choice) => match choice.who.filter(is_enemy) {
                Some(by) if is_charge(choice.verb) => snap::offers(sk, id, by, wise),
                Some(_) => vec![],
                None => return vec![],
            },
            Trigger::Near { by, enemies } if enemies.contains(&id) && is_enemy(by) => {
                snap::offers(sk, id, *by, wise)
            }
            Trigger::Casting { by } if is_enemy(by) => snap::offers(sk, id, *by, |_| true),
            Trigger::TurnOver(side) if sk.is_last(*side) || sk.body(id).side != *side => vec![],
            _ => return vec![],
        };
        if sk.waits(id) && self.is_worth_acting(id) {
            offers.push(Offer::legal(Choice::new(&ACT_NOW, id)));
        }
        offers
    }

    /// SK-26: whether a held action could do something about an enemy that acts or moves: what it
    /// does is aimed at the unit's side, or the unit can attack it from where it stands.
    fn is_worth_acting(&self, id: Id) -> bool {
        let sk = self.sk;
        match self.moment {
            Trigger::Declared(choice) => {
                let side = sk.body(id).side;
                let is_aimed = choice.at.is_some_and(|at| sk.body(at).side == side);
                is_aimed || choice.who.is_some_and(|by| can_attack(sk, id, by))
            }
            Trigger::Near { by, .. } => can_attack(sk, id, *by),
            Trigger::Rolled(_) => self.about_a_roll().contains(&id),
            _ => true,
        }
    }

    /// Adds every other legal Instant as a rare offer (SK-04).
    fn add_rare(&self, id: Id, offers: &mut Vec<Offer>) {
        let sk = self.sk;
        let mut add = |offer: Offer| {
            if offer.is_legal() && offers.iter().all(|o| o.choice != offer.choice) {
                offers.push(offer.rare());
            }
        };
        if defend::legal(sk, id).is_ok() {
            add(Offer::legal(Choice::new(&defend::DEFEND, id)));
        }
        if snap::may(sk, id).is_ok() {
            for enemy in sk.known_enemies(sk.body(id).side) {
                let offers = snap::offers(sk, id, enemy, |_| true);
                offers.into_iter().for_each(&mut add);
            }
        }
        if sk.waits(id) {
            add(Offer::legal(Choice::new(&ACT_NOW, id)));
        }
    }

    /// The prompt text for a trigger, and the rule by which `id` is asked.
    fn prompt(&self, id: Id, offers: &[Offer]) -> (String, Rule) {
        let sk = self.sk;
        let names = sk.view.names();
        let has = |verb: &'static Action| offers.iter().any(|o| o.choice.verb == verb);
        match self.moment {
            Trigger::Rolled(_) => {
                let shot = self.shot_that_matters(id);
                let prompt = shot.map_or("An attack is rolled".into(), |s| self.words(s));
                let rule = match offers {
                    _ if has(&defend::DEFEND) => "SK-17",
                    _ if has(&REROLL) => "SK-71",
                    [] => "SK-04",
                    _ => "SK-12",
                };
                (prompt, rule)
            }
            Trigger::Checked { who, what, passed } => {
                let verdict = if *passed { "succeeds" } else { "fails" };
                (format!("{}, {what}: {verdict}", names.title(*who)), "SK-04")
            }
            Trigger::Provoked { by, .. } => {
                let (by, who) = (names.title(*by), names.name(id));
                (format!("{by} gives {who} an opening"), "SK-06")
            }
            Trigger::Declared(choice) => {
                let place = choice.counts_from().map(|from| sk.body(from).at);
                let does = choice.log_text_from(names, place);
                (format!("About to happen: {does}"), "SK-26")
            }
            Trigger::Near { by, .. } => {
                let (who, at) = (names.title(*by), sk.body(*by).at);
                if offers.is_empty() {
                    return (format!("{who} goes to {at}"), "SK-04");
                }
                // The snap attack's rule, unless a held action is the only offer.
                let only_held = offers.iter().all(|o| o.choice.verb == &ACT_NOW);
                let rule = if only_held { "SK-26" } else { "SK-12" };
                let feet = 5 * cells_apart(sk.body(*by).space(), sk.body(id).space());
                let prompt = format!("{who} comes within {feet} ft of {}", names.name(id));
                (prompt, rule)
            }
            Trigger::Casting { by } => (format!("{} casts a spell", names.title(*by)), "SK-70"),
            Trigger::TurnOver(side) => {
                let side = names.side_in_line(*side);
                (format!("The turn of {side} is over"), "SK-26")
            }
            Trigger::TurnBegins(side) => {
                let side = names.side_in_line(*side);
                (format!("The turn of {side} begins"), "SK-04")
            }
            Trigger::After(choice) => (format!("After: {}", choice.log_text(names)), "SK-04"),
        }
    }

    /// The rolled attack that matters most to a unit.
    fn shot_that_matters(&self, id: Id) -> Option<&Shot<'a>> {
        let mine = self.sk.body(id).side;
        let ranked = |shot: &&Shot| {
            let attack = &shot.rolled.attack;
            match shot.harms() {
                true if attack.at == id => 0,
                true if self.sk.body(attack.by).side != mine => 1,
                _ if attack.by == id => 2,
                _ => 3,
            }
        };
        self.shots.iter().min_by_key(ranked)
    }

    /// The offers after attack rolls: for the target, for its allies that could drop the attacker
    /// first, for the attacker.
    fn to_a_roll(&self, id: Id) -> Vec<Offer> {
        let sk = self.sk;
        let mut offers = vec![];
        let at_me = |s: &&Shot| s.harms() && s.rolled.attack.at == id;
        if let Some(shot) = self.shots.iter().find(at_me) {
            if defend::legal(sk, id).is_ok() {
                offers.push(Offer::legal(Choice::new(&defend::DEFEND, id)));
            }
            // A target that may die before it can use its Main has nothing to lose.
            let doomed = shot.worst() >= sk.body(id).hp;
            let wise = |f: &Forecast| doomed || snap::is_wise(sk, id, f);
            self.snap_at(shot, id, wise, &mut offers);
        }
        let mine = sk.body(id).side;
        for shot in self.shots.iter().filter(|s| s.harms()) {
            let attack = &shot.rolled.attack;
            if attack.at == id || sk.body(attack.by).side == mine {
                continue;
            }
            self.snap_at(shot, id, |f| snap::is_wise(sk, id, f), &mut offers);
        }
        for shot in self.shots.iter().filter(|s| s.rolled.attack.by == id) {
            if self.may_reroll(shot) {
                let at = shot.rolled.attack.at;
                offers.push(Offer::legal(Choice::new(&REROLL, id).at(at)));
            }
        }
        offers
    }

    fn snap_at(
        &self,
        shot: &Shot,
        id: Id,
        wise: impl Fn(&Forecast) -> bool,
        offers: &mut Vec<Offer>,
    ) {
        let by = shot.rolled.attack.by;
        if offers.iter().all(|o| o.choice.at != Some(by)) {
            offers.extend(snap::offers(self.sk, id, by, wise));
        }
    }

    /// SK-71: once per battle, if the roll misses and a reroll could hit.
    fn may_reroll(&self, shot: &Shot) -> bool {
        let sk = self.sk;
        let by = shot.rolled.attack.by;
        let (roll, ac) = (&shot.rolled.roll, shot.forecast.ac);
        let best = roll.total() - i32::from(roll.dice[0].1) + 20;
        sk.view.creature(by).has(Trait::Reroll)
            && !sk.stance(by).rerolled
            && !shot.hits()
            && best >= ac
    }

    /// The attack as it stands, as prompt text.
    fn words(&self, shot: &Shot) -> String {
        let names = self.sk.view.names();
        let attack = &shot.rolled.attack;
        let (by, at) = (names.title(attack.by), names.name(attack.at));
        let (total, ac) = (shot.rolled.roll.total(), shot.forecast.ac);
        if shot.hits() {
            let stake = self.stake(shot);
            return format!("{by} hits {at} with {total} against AC {ac}: {stake}");
        }
        match shot.forecast.shock.points() {
            0 => format!("{by} misses {at} with {total} against AC {ac}"),
            n => format!("{by} misses {at}, but the Shock does {n}"),
        }
    }

    /// What a hit does: "about 5 damage, 40% to drop"; of a maneuver, the chance to win the check
    /// that follows: "55% to grapple".
    fn stake(&self, shot: &Shot) -> String {
        let attack = &shot.rolled.attack;
        let goal = match attack.rule {
            "SK-50" => "shove",
            "SK-51" => "grapple",
            _ => return shot.damage(),
        };
        match self.sk.maneuver_checks(attack) {
            Ok((mine, theirs)) => {
                let percent = mine.odds_against(&theirs).percent();
                format!("{percent}% to {goal}")
            }
            Err(why) => why.text.into_owned(),
        }
    }
}

/// Whether a unit can attack another with a ready weapon. Units with spells always may.
fn can_attack(sk: &SkirmishQuery, id: Id, at: Id) -> bool {
    let mut attacks = sk.ready_attacks(id, at, "SK-26");
    !sk.view.sheet(id).spells.is_empty() || attacks.any(|attack| sk.can_attack(&attack).is_ok())
}

/// SK-06: the attacks of opportunity of `id` on a unit that provokes them, with its ready weapons.
fn opportunities(sk: &SkirmishQuery, id: Id, on: Id) -> Vec<Offer> {
    let offer = |n| {
        let choice = Choice::new(&OPPORTUNITY, id).at(on).with(n);
        let legal = sk.can_attack(&attack_of(&choice, false));
        Offer::from(choice, legal)
    };
    sk.view.ready_weapons(id).map(offer).collect()
}
