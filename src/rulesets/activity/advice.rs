//! What the quick AI makes of its offers: how it plans its 100%, whom it
//! strikes, where it goes. Everything is read from what the side knows.

use super::{
    ac::Ac,
    odds::Forecast,
    plan::{self, most_parry, spell_time},
    spell,
    state::Deed,
    stride::{OPPORTUNITY, opportunity},
    turn,
};
use crate::{
    battle::{Attack, Choice, Field, Id, Item, Offer, PASS, Verb},
    content::{Effect, Make},
    grid::{Cell, Cover, Space},
    levels::Goal,
};
use bevy::ecs::{system::In, world::World};
use std::{cell::OnceCell, sync::Arc};

/// The choice that looks best.
pub fn advise(world: &mut World, who: Id, offers: &Arc<Vec<Offer>>) -> Choice {
    match world.run_system_cached_with(best, (who, offers.clone())) {
        Ok(choice) => choice,
        Err(e) => panic!("the AI's look at the offers of {who:?}: {e}"),
    }
}

fn best(In((who, offers)): In<(Id, Arc<Vec<Offer>>)>, ac: Ac) -> Choice {
    let mind = Mind {
        ac: &ac,
        who,
        field: OnceCell::new(),
    };
    let declares = |o: &Offer| plan::VERBS.contains(&o.choice.verb);
    if offers.iter().any(declares) {
        return mind.declare(&offers);
    }
    let legal = offers.iter().filter(|o| o.is_legal());
    let best = legal
        .rev()
        .max_by_key(|o| mind.score(&o.choice, o.provoked));
    best.unwrap_or(&offers[0]).choice.clone()
}

struct Mind<'a, 'w, 's> {
    ac: &'a Ac<'w, 's>,
    who: Id,
    /// Steps to where it wants to be: its objective, or the foes.
    field: OnceCell<Field>,
}

/// What an attack is worth: to drop a foe is worth most.
fn worth(forecast: &Forecast) -> i32 {
    let chances = forecast.chances();
    let hits = chances.hits_by_100 as i32 / 100;
    let share = hits.min(forecast.hits * 100) * 6 / forecast.hits.max(1);
    chances.drop as i32 / 10 + share + chances.stun_by_100 as i32 / 1000 - 1
}

impl Mind<'_, '_, '_> {
    fn declare(&self, offers: &[Offer]) -> Choice {
        let ac = self.ac;
        let find = |verb: &'static Verb| {
            let fits = |o: &&Offer| o.is_legal() && o.choice.verb == verb;
            offers.iter().find(fits)
        };
        let number = |offer: &Offer, n: i32| {
            let (least, most) = offer.numbers.unwrap_or((n, n));
            offer.choice.clone().number(n.clamp(least, most))
        };
        if let Some(offer) = find(&plan::HASTEN) {
            return number(offer, self.time_of_spell());
        }
        let actor = ac.actor(self.who);
        let left = actor.capacity - actor.planned();
        let near = self.foe_in_reach();
        let ready = || {
            let offer = find(&plan::READY).unwrap_or(&offers[0]);
            offer.choice.clone()
        };
        let fights = actor
            .plan
            .iter()
            .any(|p| matches!(p.deed, Deed::Melee | Deed::Charge));
        if fights {
            let share = self.parry_share();
            if let Some(offer) = find(&plan::PARRY).filter(|_| share > 0) {
                return number(offer, share);
            }
            return ready();
        }
        if ac.body(self.who).prone
            && let Some(offer) = find(&plan::STAND_UP)
        {
            return offer.choice.clone();
        }
        if let Some(choice) = self.tends(find, near.is_some()) {
            return choice;
        }
        if let Some(choice) = self.casts(offers, near.is_some()) {
            return choice;
        }
        if near.is_some() {
            if let Some(draw) = self.arms(find, false) {
                return draw;
            }
            return find(&plan::MELEE).map_or_else(ready, |o| number(o, 100));
        }
        if let Some(choice) = self.shoots(offers, left) {
            return choice;
        }
        self.closes_in(find, number, left).unwrap_or_else(ready)
    }

    /// AC-03: in this round if the base form allows that, else unhurried.
    fn time_of_spell(&self) -> i32 {
        let ac = self.ac;
        let actor = ac.actor(self.who);
        let Some((spell, points)) = actor.naming else {
            return 0;
        };
        let (least, full) = spell_time(ac, spell, points);
        let left = actor.capacity - actor.planned();
        if full > left && least <= left {
            left
        } else {
            full
        }
    }

    /// AC-13: more of the OB, the more the foes in reach outmatch it.
    fn parry_share(&self) -> i32 {
        let ac = self.ac;
        let most = most_parry(ac, self.who);
        let foes = ac.foes(self.who).filter(|&foe| {
            let reach = ac.threat_reach(foe);
            reach.is_some_and(|feet| ac.view.in_reach(foe, self.who, feet))
        });
        let theirs: i32 = foes.map(|foe| self.menace(foe)).sum();
        let hp = ac.body(self.who).hp.max(1);
        // Hits to be expected in a round, in percent of what it has.
        let peril = theirs * 100 / hp;
        match peril {
            ..=25 => 0,
            26..=50 => most / 4,
            51..=90 => most / 2,
            _ => most * 2 / 3,
        }
    }

    /// Hits that a foe's best blow is to be expected to do.
    fn menace(&self, foe: Id) -> i32 {
        let ac = self.ac;
        let arms = ac
            .gear(foe)
            .ready()
            .filter(|&n| ac.weapon(n).melee.is_some());
        let blows = arms.filter_map(|with| {
            let attack = Attack {
                by: foe,
                at: self.who,
                with,
                ranged: false,
                rule: "AC-01",
                extra: vec![],
            };
            let forecast = ac.forecast(&attack).ok()?;
            Some(forecast.chances().hits_by_100 as i32 / 10_000)
        });
        blows.max().unwrap_or(0)
    }

    fn foe_in_reach(&self) -> Option<Id> {
        let ac = self.ac;
        let arms = ac.gear(self.who).at_hand();
        let reach = arms.filter_map(|n| ac.reach(self.who, n)).max()?;
        ac.foes(self.who)
            .find(|&foe| ac.view.in_reach(self.who, foe, reach))
    }

    fn tends<'o>(
        &self,
        find: impl Fn(&'static Verb) -> Option<&'o Offer>,
        busy: bool,
    ) -> Option<Choice> {
        let mine = self.ac.actor(self.who).bleeding;
        if !self.ac.actor(self.who).plan.is_empty() {
            return None;
        }
        if mine > 0
            && let Some(herb) = find(&plan::HERB)
        {
            return Some(herb.choice.clone());
        }
        let close = |id: Id| id == self.who || self.ac.view.within(self.who, id, 5);
        let side = self.ac.body(self.who).side;
        let bleeds = |id: &Id| {
            let body = self.ac.body(*id);
            let alive = matches!(
                body.state,
                crate::battle::State::Up | crate::battle::State::Down
            );
            alive && body.side == side && self.ac.actor(*id).bleeding >= 2 && close(*id)
        };
        let somebody = self.ac.view.ids().any(|id| bleeds(&id));
        let offer = find(&plan::STANCH).filter(|_| somebody && !busy)?;
        Some(offer.choice.clone())
    }

    /// A spell that does more than a blow would, and is allowed now.
    fn casts(&self, offers: &[Offer], busy: bool) -> Option<Choice> {
        let ac = self.ac;
        let spells = offers
            .iter()
            .filter(|o| o.is_legal() && o.choice.verb == &plan::SPELL);
        let mut best: Option<(i32, Choice)> = None;
        for offer in spells {
            let Some(spell) = offer.choice.spell else {
                continue;
            };
            let kind = ac.view.spell(spell);
            if busy && !kind.activity.instantaneous {
                continue;
            }
            let aims = spell::aims(ac, self.who, spell);
            let worths = aims
                .iter()
                .filter(|o| o.is_legal())
                .map(|o| self.spell_worth(&o.choice, kind.activity.points));
            let Some(worth) = worths.max().filter(|&w| w > 60) else {
                continue;
            };
            if best.as_ref().is_none_or(|b| worth > b.0) {
                let (least, most) = offer.numbers?;
                let cost = ac.tables().costs.spell_per_point;
                let in_time = (100 / cost).clamp(least, most);
                let points = if spell::harms(kind) { in_time } else { least };
                best = Some((worth, offer.choice.clone().number(points)));
            }
        }
        best.map(|b| b.1)
    }

    /// What a spell aimed so is worth: foes hurt, friends spared.
    fn spell_worth(&self, choice: &Choice, points: i32) -> i32 {
        let ac = self.ac;
        let Some(kind) = choice.spell.map(|s| ac.view.spell(s)) else {
            return 0;
        };
        let caught = match (choice.at, choice.to) {
            (Some(at), _) => vec![at],
            (_, Some(to)) => spell::caught(ac, self.who, kind, to),
            _ => vec![],
        };
        let side = ac.body(self.who).side;
        let one = |id: Id| {
            let body = ac.body(id);
            let friend = body.side == side;
            let harm = match kind.effect {
                Effect::Damage(_) => worth(&spell::spell_forecast(ac, self.who, id, kind, points)),
                Effect::Hold { .. } if ac.actor(id).is_helpless() => 0,
                Effect::Hold { .. } => 250,
                Effect::Ward { .. } if ac.actor(id).ward() > 0 => return 0,
                Effect::Ward { .. } => return 40 + 60 * i32::from(ac.is_threatened(id)),
                Effect::Heal(_) => {
                    let lost = body.max_hp - body.hp;
                    return lost * 400 / body.max_hp.max(1);
                }
            };
            if friend { -2 * harm } else { harm }
        };
        caught.into_iter().map(one).sum()
    }

    /// A weapon in hand that fits: one for melee, or one that shoots.
    fn arms<'o>(
        &self,
        find: impl Fn(&'static Verb) -> Option<&'o Offer>,
        ranged: bool,
    ) -> Option<Choice> {
        let ac = self.ac;
        let gear = ac.gear(self.who);
        let fits = |n: Item| {
            let weapon = ac.weapon(n);
            let good = if ranged {
                weapon.ranged.is_some()
            } else {
                weapon.melee.is_some()
            };
            good && weapon.make != Make::Unarmed
        };
        let planned = |d: Deed| matches!(d, Deed::Draw(_) | Deed::Change(_));
        let actor = ac.actor(self.who);
        if gear.ready().any(fits) || actor.plan.iter().any(|p| planned(p.deed)) {
            return None;
        }
        let offer = find(&plan::DRAW).or_else(|| find(&plan::CHANGE))?;
        offer
            .choice
            .with
            .is_some_and(fits)
            .then(|| offer.choice.clone())
    }

    /// Shooting, with what loading it takes before or after.
    fn shoots(&self, offers: &[Offer], left: i32) -> Option<Choice> {
        let ac = self.ac;
        let actor = ac.actor(self.who);
        let gear = ac.gear(self.who);
        let bow = gear.ready().find(|&n| {
            let weapon = ac.weapon(n);
            weapon.ranged.is_some() && weapon.activity.reload > 0
        })?;
        let find = |verb: &'static Verb| {
            let fits = |o: &&Offer| {
                o.is_legal() && o.choice.verb == verb && o.choice.with.is_none_or(|n| n == bow)
            };
            offers.iter().find(fits)
        };
        let has = |wanted: Deed| actor.plan.iter().any(|p| p.deed == wanted);
        let loaded = actor.loaded.contains(&bow);
        let (least, full) = ac.tables().costs.missile;
        if !self.sees_a_mark(bow) && loaded {
            return None;
        }
        if !loaded && !has(Deed::Reload(bow)) {
            return find(&plan::RELOAD).map(|o| o.choice.clone());
        }
        if !has(Deed::Missile) && left >= least {
            let offer = find(&plan::MISSILE)?;
            return Some(offer.choice.clone().number(full.min(left)));
        }
        if has(Deed::Missile) && loaded && !has(Deed::Reload(bow)) {
            return find(&plan::RELOAD).map(|o| o.choice.clone());
        }
        find(&plan::READY).map(|o| o.choice.clone())
    }

    fn sees_a_mark(&self, bow: Item) -> bool {
        let ac = self.ac;
        let mut foes = ac.foes(self.who);
        foes.any(|at| {
            let attack = Attack {
                by: self.who,
                at,
                with: bow,
                ranged: true,
                rule: "AC-01",
                extra: vec![],
            };
            ac.forecast(&attack).is_ok()
        })
    }

    /// To the foes: a charge, a move and a blow, or a move alone; through a
    /// door if that is the way.
    fn closes_in<'o>(
        &self,
        find: impl Fn(&'static Verb) -> Option<&'o Offer>,
        number: impl Fn(&Offer, i32) -> Choice,
        left: i32,
    ) -> Option<Choice> {
        let ac = self.ac;
        let actor = ac.actor(self.who);
        let moves = actor.plan.iter().any(|p| p.deed == Deed::Move);
        let least = ac.tables().costs.melee.0;
        if moves {
            return find(&plan::MELEE)
                .filter(|_| left >= least && self.reach_by_foot(actor.planned()).is_some())
                .map(|o| number(o, left));
        }
        if let Some(draw) = self.arms(&find, false) {
            return Some(draw);
        }
        if let Some(door) = find(&plan::DOOR).filter(|_| self.stands_at_a_door()) {
            let planned = actor.plan.iter().any(|p| p.deed == Deed::Door);
            if !planned {
                return Some(door.choice.clone());
            }
        }
        let offer = find(&plan::MOVE)?;
        if let Some(feet) = self.reach_by_foot(left - least) {
            if feet >= ac.tables().charge_least
                && let Some(charge) = find(&plan::CHARGE)
                && self.can_charge()
            {
                return Some(number(charge, 100));
            }
            return Some(number(offer, ac.percent_of(self.who, feet)));
        }
        Some(number(offer, left))
    }

    /// Feet to the nearest cell from which it could strike, within a share.
    fn reach_by_foot(&self, percent: i32) -> Option<u16> {
        let ac = self.ac;
        let range = ac.range(self.who, percent, false);
        let ends = range
            .cells()
            .filter(|e| e.may_stop && self.strikes_from(e.cell));
        ends.map(|e| e.feet).min()
    }

    fn strikes_from(&self, cell: Cell) -> bool {
        let ac = self.ac;
        let size = ac.body(self.who).size;
        let arms = ac.gear(self.who).ready();
        let Some(reach) = arms.filter_map(|n| ac.reach(self.who, n)).max() else {
            return false;
        };
        let here = Space::new(cell, size);
        let mut foes = ac.foes(self.who);
        foes.any(|foe| ac.view.board.in_reach(here, ac.body(foe).space(), reach))
    }

    fn can_charge(&self) -> bool {
        turn::can_charge(self.ac, self.who, 100)
    }

    fn stands_at_a_door(&self) -> bool {
        let board = &self.ac.view.board;
        let here = self.ac.body(self.who).at;
        let steps = self.field().steps(here);
        let mut around = self
            .ac
            .body(self.who)
            .space()
            .cells()
            .flat_map(Cell::neighbours);
        around.any(|c| board.door(c) == Some(false) && self.field().steps(c) < steps)
    }

    fn score(&self, choice: &Choice, provoked: u64) -> i32 {
        let ac = self.ac;
        let verb = choice.verb;
        let percent = ac.actor(self.who).coming().map_or(100, |p| p.percent);
        if verb == &PASS || verb == &turn::GIVE_UP {
            0
        } else if verb == &OPPORTUNITY {
            let attack = opportunity(choice).and_then(|a| ac.forecast(&a).ok());
            1 + attack.map_or(0, |f| worth(&f))
        } else if verb == &turn::STRIKE || verb == &turn::SHOOT {
            let forecast = ac.forecast(&turn::attack(ac, choice, percent));
            1 + forecast.map_or(-1, |f| worth(&f))
        } else if verb == &turn::CHARGE {
            let attack = turn::attack(ac, choice, percent);
            let from = choice.to.unwrap_or(ac.body(self.who).at);
            1 + ac.forecast_from(&attack, from).map_or(-1, |f| worth(&f))
        } else if verb == &turn::MOVE || verb == &turn::WITHDRAW {
            self.place(choice.to, provoked) + i32::from(verb == &turn::WITHDRAW)
        } else if verb == &super::round::STAY {
            self.place(Some(ac.body(self.who).at), 0) + 1
        } else if verb == &turn::CAST_AT || verb == &turn::CAST_TO {
            let points = choice.spell.map_or(0, |s| ac.view.spell(s).activity.points);
            self.spell_worth(choice, points)
        } else if verb == &turn::STANCH {
            let bleeds = choice.at.map_or(0, |id| ac.actor(id).bleeding);
            10 + bleeds
        } else if verb == &turn::OPEN {
            let here = self.field().steps(ac.body(self.who).at);
            let there = choice.to.map_or(u16::MAX, |c| self.field().steps(c));
            if there < here { 50 } else { -1 }
        } else {
            -1
        }
    }

    /// What it is worth to stand somewhere: near the foes for those who strike,
    /// in cover with a mark in sight for those who shoot.
    fn place(&self, cell: Option<Cell>, provoked: u64) -> i32 {
        let ac = self.ac;
        let Some(cell) = cell else { return -1 };
        let drawn = 30 * provoked.count_ones() as i32;
        let steps = i32::from(self.field().steps(cell).min(999));
        let gear = ac.gear(self.who);
        let bow = gear.ready().find(|&n| ac.weapon(n).activity.reload > 0);
        let Some(bow) = bow else {
            let strikes = if self.strikes_from(cell) { 40 } else { 0 };
            return 1000 + strikes - steps - drawn;
        };
        let here = Space::new(cell, ac.body(self.who).size);
        let (mut marks, mut danger) = (0, 0);
        for foe in ac.foes(self.who) {
            let there = ac.body(foe).space();
            let sight = ac.view.board.sight(here, there);
            let attack = Attack {
                by: self.who,
                at: foe,
                with: bow,
                ranged: true,
                rule: "AC-01",
                extra: vec![],
            };
            if sight.los && ac.forecast_from(&attack, cell).is_ok() {
                marks = marks.max(match sight.cover {
                    Some(Cover::Full) => 10,
                    Some(Cover::Half) => 30,
                    _ => 50,
                });
            }
            let apart = i32::from(crate::grid::cells_apart(here, there));
            danger += (6 - apart).max(0) * 6;
        }
        let far = if marks == 0 { steps } else { 0 };
        1000 + marks - danger - far - drawn
    }

    fn field(&self) -> &Field {
        self.field.get_or_init(|| {
            let ac = self.ac;
            let goals = self.sent_to();
            if !goals.is_empty() {
                return ac.view.field(goals.into_iter());
            }
            let foes = ac.foes(self.who);
            let cells: Vec<Cell> = foes.flat_map(|foe| ac.body(foe).space().cells()).collect();
            ac.view.field(cells.into_iter())
        })
    }

    /// Where an objective sends it.
    fn sent_to(&self) -> Vec<Cell> {
        let side = self.ac.body(self.who).side;
        let objectives = self.ac.view.level().objectives.iter();
        let mine = objectives.filter(|o| o.side.0 == side.0);
        let areas = mine.filter_map(|o| match &o.goal {
            Goal::Reach { who, area, .. } => {
                let sent = who.iter().any(|&w| Id::from(w) == self.who);
                sent.then_some(area)
            }
            Goal::Capture { area, .. } => Some(area),
            _ => None,
        });
        areas.flatten().copied().collect()
    }
}
