//! How the quick AI plans a unit's 100%.

use super::super::{
    acts,
    charge::{can_charge, most_kept},
    declared,
    plan::{most_parry, spell_time},
    spells,
    state::ActionKind,
    targets,
};
use super::Evaluation;
use crate::rulesets::activity::content::{ActivityArms, ActivitySpell};
use crate::{
    battle::{Action, Attack, Choice, Id, Item, ItemPlace, Offer},
    content::Make,
    grid::Cell,
    rulesets::common::gear::price_of_throwing,
};

/// DB at which a missile parry is worth half of the round.
const WORTH_A_PARRY: i32 = 15;

impl Evaluation<'_, '_, '_> {
    pub(super) fn declare(&self, offers: &[Offer]) -> Choice {
        let ac = self.state;
        let find = |verb: &'static Action| {
            let fits = |o: &&Offer| o.is_legal() && o.choice.verb == verb;
            offers.iter().find(fits)
        };
        let number = |offer: &Offer, n: i32| {
            let (least, most) = offer.numbers.unwrap_or((n, n));
            offer.choice.clone().number(n.clamp(least, most))
        };
        if let Some(offer) = find(&declared::HASTEN) {
            return number(offer, self.time_of_spell());
        }
        let actor = ac.actor(self.who);
        let left = actor.capacity - actor.planned();
        // A protected unit keeps away, however near the enemy is.
        let near = self.foe_in_reach().filter(|_| !self.is_protected());
        let ready = || {
            let offer = find(&declared::READY).unwrap_or(&offers[0]);
            offer.choice.clone()
        };
        let fights = actor
            .plan
            .iter()
            .any(|p| matches!(p.deed, ActionKind::Melee | ActionKind::Charge));
        if fights {
            // A unit with 200% activity attacks twice (AC-25).
            let least = ac.tables().costs.melee.0;
            if near.is_some()
                && left >= least
                && let Some(offer) = find(&declared::MELEE)
            {
                return number(offer, left.min(100));
            }
            let share = self.parry_share();
            if let Some(offer) = find(&declared::PARRY).filter(|_| share > 0) {
                return number(offer, share);
            }
            return ready();
        }
        if ac.body(self.who).prone
            && let Some(offer) = find(&declared::STAND_UP)
        {
            return offer.choice.clone();
        }
        // With an enemy adjacent, do not continue loading (AC-09).
        if near.is_some()
            && let Some(offer) = find(&targets::GIVE_UP).filter(|_| self.only_loads())
        {
            return offer.choice.clone();
        }
        if let Some(choice) = self.tends(find, near.is_some()) {
            return choice;
        }
        if let Some(choice) = self.casts(offers, left, near.is_some()) {
            return choice;
        }
        if near.is_some() {
            if let Some(draw) = self.arms(find, false) {
                return draw;
            }
            return find(&declared::MELEE).map_or_else(ready, |o| number(o, 100));
        }
        if let Some(choice) = self.shoots(offers, left) {
            return choice;
        }
        if self.keeps() && !self.is_sent() {
            let waits = self.awaits(find, number, left);
            let waits = waits.or_else(|| self.meets_missiles(find, usize::MAX));
            let waits = waits.or_else(|| self.quickens(find));
            return waits.unwrap_or_else(ready);
        }
        // Behind its shield, the unit moves with leftover activity (AC-10).
        if self.plans(ActionKind::ParryMissile) {
            return ready();
        }
        self.closes_in(find, number, left).unwrap_or_else(ready)
    }

    /// Percent for the named spell: hastened to fit into this round if possible, otherwise its
    /// full time (AC-03).
    fn time_of_spell(&self) -> i32 {
        let ac = self.state;
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

    fn plans(&self, deed: ActionKind) -> bool {
        let plan = &self.state.actor(self.who).plan;
        plan.iter().any(|p| p.deed == deed)
    }

    /// Whether the carried-over action is a load that leaves no room for a melee.
    fn only_loads(&self) -> bool {
        let actor = self.state.actor(self.who);
        let room = actor.capacity - self.state.tables().costs.melee.0;
        let first = actor.plan.first();
        first.is_some_and(|p| matches!(p.deed, ActionKind::Reload(_)) && p.percent > room)
    }

    /// A missile parry, if its DB is worth it and between 1 and `most` enemies can shoot at the
    /// unit (AC-22).
    fn meets_missiles<'o>(
        &self,
        find: impl Fn(&'static Action) -> Option<&'o Offer>,
        most: usize,
    ) -> Option<Choice> {
        let ac = self.state;
        let offer = find(&declared::PARRY_MISSILE)?;
        if self.plans(ActionKind::ParryMissile) || ac.missile_parry(self.who) < WORTH_A_PARRY {
            return None;
        }
        let aims = |enemy: &Id| {
            let mut arms = ac.gear(*enemy).ready();
            arms.any(|with| {
                let attack = Attack::new(*enemy, self.who, with, true, "AC-01");
                ac.weapon(with).ranged.is_some() && ac.forecast(&attack).is_ok()
            })
        };
        let aiming = ac.enemies(self.who).filter(aims).count();
        (1..=most).contains(&aiming).then(|| offer.choice.clone())
    }

    /// Chi speed, when the unit cannot reach an enemy this round anyway (AC-25).
    fn quickens<'o>(&self, find: impl Fn(&'static Action) -> Option<&'o Offer>) -> Option<Choice> {
        let offer = find(&declared::CHI_SPEED).filter(|_| !self.plans(ActionKind::ChiSpeed))?;
        Some(offer.choice.clone())
    }

    /// The plan of a unit that does not approach enemies: a protected unit moves out of danger;
    /// others prepare a melee if an enemy could arrive this round.
    fn awaits<'o>(
        &self,
        find: impl Fn(&'static Action) -> Option<&'o Offer>,
        number: impl Fn(&Offer, i32) -> Choice,
        left: i32,
    ) -> Option<Choice> {
        let ac = self.state;
        let here = ac.body(self.who).space();
        let moves = ac
            .actor(self.who)
            .plan
            .iter()
            .any(|p| p.deed == ActionKind::Move);
        if self.is_protected() {
            let flees = !moves && self.danger(self.here) > 0;
            return find(&declared::MOVE)
                .filter(|_| flees)
                .map(|o| number(o, left));
        }
        let costs = &ac.tables().costs;
        let share = costs.melee.1 - costs.melee.0;
        let mut enemies = ac.enemies(self.who);
        let comes = enemies.any(|enemy| {
            let apart = 5 * crate::grid::cells_apart(here, ac.body(enemy).space());
            apart <= ac.feet(enemy, share, false) + 10
        });
        if !comes {
            return None;
        }
        let draw = self.arms(&find, false);
        draw.or_else(|| find(&declared::MELEE).map(|o| number(o, left)))
    }

    /// OB to keep for parrying (AC-13): the more the enemies in reach outmatch the unit, the
    /// more it keeps.
    fn parry_share(&self) -> i32 {
        let ac = self.state;
        let mut most = most_parry(ac, self.who);
        let charge = ac.actor(self.who).plan.iter();
        if let Some(charge) = charge.rev().find(|p| p.deed == ActionKind::Charge)
            && let Some(kept) = most_kept(ac, self.who, charge.percent)
        {
            most = most.min(kept).max(0);
        }
        let enemies = ac.enemies(self.who).filter(|&enemy| {
            let reach = ac.strike_reach(enemy);
            reach.is_some_and(|feet| ac.view.in_reach(enemy, self.who, feet))
        });
        let enemies: Vec<Id> = enemies.collect();
        if enemies.is_empty() && self.keeps() {
            return most / 3;
        }
        let enemies = enemies.into_iter();
        let theirs: i32 = enemies.map(|enemy| self.menace(enemy)).sum();
        let hp = ac.body(self.who).hp.max(1);
        // Expected hits lost in a round, in percent of the unit's hits.
        let peril = theirs * 100 / hp;
        match peril {
            ..=25 => 0,
            26..=50 => most / 4,
            51..=90 => most / 2,
            _ => most * 2 / 3,
        }
    }

    /// Average hits of the enemy's best melee attack.
    fn menace(&self, enemy: Id) -> i32 {
        let ac = self.state;
        let arms = ac
            .gear(enemy)
            .ready()
            .filter(|&n| ac.weapon(n).melee.is_some());
        let blows = arms.filter_map(|with| {
            let attack = Attack::new(enemy, self.who, with, false, "AC-01");
            let forecast = ac.forecast(&attack).ok()?;
            Some(forecast.chances().mean_hits_by_10k as i32 / 10_000)
        });
        blows.max().unwrap_or(0)
    }

    fn foe_in_reach(&self) -> Option<Id> {
        let ac = self.state;
        let arms = ac.gear(self.who).at_hand();
        let reach = arms.filter_map(|n| ac.reach(self.who, n)).max()?;
        ac.enemies(self.who)
            .find(|&enemy| ac.view.in_reach(self.who, enemy, reach))
    }

    fn tends<'o>(
        &self,
        find: impl Fn(&'static Action) -> Option<&'o Offer>,
        busy: bool,
    ) -> Option<Choice> {
        let mine = self.state.actor(self.who).bleeding;
        if !self.state.actor(self.who).plan.is_empty() {
            return None;
        }
        if mine > 0
            && let Some(herb) = find(&declared::HERB)
        {
            return Some(herb.choice.clone());
        }
        let close = |id: Id| id == self.who || self.state.view.within(self.who, id, 5);
        let side = self.state.body(self.who).side;
        let bleeds = |id: &Id| {
            let body = self.state.body(*id);
            let alive = matches!(
                body.state,
                crate::battle::State::Up | crate::battle::State::Down
            );
            alive && body.side == side && self.state.actor(*id).bleeding >= 2 && close(*id)
        };
        let somebody = self.state.view.ids().any(|id| bleeds(&id));
        let offer = find(&declared::STANCH).filter(|_| somebody && !busy)?;
        Some(offer.choice.clone())
    }

    /// The available spell with the highest worth. `None` if none is worth enough.
    fn casts(&self, offers: &[Offer], left: i32, busy: bool) -> Option<Choice> {
        let ac = self.state;
        let spells = offers
            .iter()
            .filter(|o| o.is_legal() && o.choice.verb == &declared::SPELL);
        let mut best: Option<(i32, Choice)> = None;
        for offer in spells {
            let Some(spell) = offer.choice.spell else {
                continue;
            };
            let kind = ac.view.spell(spell);
            if busy && !kind.section::<ActivitySpell>().instantaneous {
                continue;
            }
            let aims = spells::aims(ac, self.who, spell);
            let worths = aims
                .iter()
                .filter(|o| o.is_legal())
                .map(|o| self.spell_worth(&o.choice));
            let Some(worth) = worths.max().filter(|&w| w > 60) else {
                continue;
            };
            if best.as_ref().is_none_or(|b| worth > b.0) {
                let (least, most) = offer.numbers?;
                let cost = ac.tables().costs.spell_per_point;
                let in_time = (left / cost).clamp(least, most);
                let points = if kind.effect.harms() { in_time } else { least };
                best = Some((worth, offer.choice.clone().number(points)));
            }
        }
        best.map(|b| b.1)
    }

    /// Draws a fitting weapon, for melee or ranged. `None` if one is already held or planned.
    fn arms<'o>(
        &self,
        find: impl Fn(&'static Action) -> Option<&'o Offer>,
        ranged: bool,
    ) -> Option<Choice> {
        let ac = self.state;
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
        let planned = |d: ActionKind| matches!(d, ActionKind::Draw(_) | ActionKind::Change(_));
        let actor = ac.actor(self.who);
        if gear.ready().any(fits) || actor.plan.iter().any(|p| planned(p.deed)) {
            return None;
        }
        let offer = find(&declared::DRAW).or_else(|| find(&declared::CHANGE))?;
        offer
            .choice
            .with
            .is_some_and(fits)
            .then(|| offer.choice.clone())
    }

    /// Shooting, and the loading that it needs.
    fn shoots(&self, offers: &[Offer], left: i32) -> Option<Choice> {
        let ac = self.state;
        let actor = ac.actor(self.who);
        let gear = ac.gear(self.who);
        let bow = gear
            .ready()
            .find(|&n| ac.weapon(n).section::<ActivityArms>().reload > 0);
        let bow = bow.or_else(|| self.missile());
        let bow = bow.or_else(|| self.bow_at_belt())?;
        let find = |verb: &'static Action| {
            let fits = |o: &&Offer| {
                o.is_legal() && o.choice.verb == verb && o.choice.with.is_none_or(|n| n == bow)
            };
            offers.iter().find(fits).map(|o| o.choice.clone())
        };
        let throws = ac.weapon(bow).leaves_the_hand();
        let loaded = throws || actor.loaded.contains(&bow);
        let (least, full) = ac.tables().costs.missile;
        if !self.sees_a_mark(bow) && loaded {
            return None;
        }
        let is_drawn = self.plans(ActionKind::Draw(bow)) || self.plans(ActionKind::Change(bow));
        if gear.place(bow) == Some(ItemPlace::Belt) && !is_drawn {
            return find(&declared::DRAW).or_else(|| find(&declared::CHANGE));
        }
        // One shot per load; with 200% activity, that can be two (AC-25).
        let next = if acts::will_be_loaded(ac, self.who, bow) {
            let shot = find(&declared::MISSILE).filter(|_| left >= least);
            shot.map(|shot| shot.number(full.min(left)))
        } else {
            find(&declared::RELOAD)
        };
        next.or_else(|| find(&declared::READY))
    }

    /// A bow at the belt, when the battle makes no progress with the weapon in hand.
    fn bow_at_belt(&self) -> Option<Item> {
        let ac = self.state;
        let shoots = |n: &Item| ac.weapon(*n).section::<ActivityArms>().reload > 0;
        let bow = ac.gear(self.who).at(ItemPlace::Belt).find(shoots)?;
        let is_stuck = self.patience_left() < 100 && ac.feet_to_strike(self.who, 100).is_none();
        (is_stuck && self.sees_a_mark(bow)).then_some(bow)
    }

    /// A weapon that the unit can throw without loss: the one in hand, or if the hand is empty,
    /// one at the belt.
    fn missile(&self) -> Option<Item> {
        let ac = self.state;
        let gear = ac.gear(self.who);
        let first = || gear.at(ItemPlace::Belt).next();
        let item = gear.in_hand().or_else(first)?;
        let at = ac.enemies(self.who).next()?;
        let throw = Attack::new(self.who, at, item, true, "AC-01");
        let spared = price_of_throwing(&ac.view, &throw) == 0;
        let again = self.plans(ActionKind::Missile);
        (ac.weapon(item).leaves_the_hand() && spared && !again).then_some(item)
    }

    fn sees_a_mark(&self, bow: Item) -> bool {
        let ac = self.state;
        let mut enemies = ac.enemies(self.who);
        enemies.any(|at| {
            let attack = Attack::new(self.who, at, bow, true, "AC-01");
            ac.forecast(&attack).is_ok()
        })
    }

    /// Approaching the enemy: a charge, a move and a melee, or only a move; through a door if
    /// that is the way.
    fn closes_in<'o>(
        &self,
        find: impl Fn(&'static Action) -> Option<&'o Offer>,
        number: impl Fn(&Offer, i32) -> Choice,
        left: i32,
    ) -> Option<Choice> {
        let ac = self.state;
        let actor = ac.actor(self.who);
        let moves = actor.plan.iter().any(|p| p.deed == ActionKind::Move);
        let least = ac.tables().costs.melee.0;
        if moves {
            return find(&declared::MELEE)
                .filter(|_| left >= least && ac.feet_to_strike(self.who, actor.planned()).is_some())
                .map(|o| number(o, left));
        }
        let near = ac.feet_to_strike(self.who, left - least);
        // A unit that holds a bow or the like moves until it sees a target, instead of drawing
        // a melee weapon.
        let shoots = |n: Item| ac.weapon(n).section::<ActivityArms>().reload > 0;
        let bow = ac.gear(self.who).in_hand().is_some_and(shoots);
        if let Some(draw) = self.arms(&find, false).filter(|_| !bow || near.is_some()) {
            return Some(draw);
        }
        if let Some(door) = find(&declared::DOOR).filter(|_| self.stands_at_a_door()) {
            let planned = actor.plan.iter().any(|p| p.deed == ActionKind::Door);
            if !planned {
                return Some(door.choice.clone());
            }
        }
        if near.is_none()
            && let Some(chi) = self.quickens(&find)
        {
            return Some(chi);
        }
        let offer = find(&declared::MOVE)?;
        if let Some(feet) = near {
            if feet >= ac.tables().charge_least
                && let Some(charge) = find(&declared::CHARGE)
                && self.can_charge()
            {
                return Some(number(charge, 100));
            }
            return Some(number(offer, ac.percent_of(self.who, feet)));
        }
        let shield = self.meets_missiles(&find, 1);
        let shield = shield.filter(|_| actor.plan.is_empty());
        shield.or_else(|| Some(number(offer, left)))
    }

    fn can_charge(&self) -> bool {
        can_charge(self.state, self.who, 100)
    }

    fn stands_at_a_door(&self) -> bool {
        let board = &self.state.view.board;
        let here = self.state.body(self.who).at;
        let steps = self.paces_to_go(here);
        let mut around = self
            .state
            .body(self.who)
            .space()
            .cells()
            .flat_map(Cell::neighbours);
        around.any(|c| board.door(c) == Some(false) && self.paces_to_go(c) < steps)
    }
}
