//! How the quick AI plans a unit's 100%.

use super::super::{
    charge::{can_charge, most_kept},
    plan::{most_parry, spell_time},
};
use super::{ActionKind, ActivitySpell, Evaluation, acts, declared, spells, targets};
use crate::{
    battle::{Action, Attack, Choice, Id, Item, ItemPlace, Offer},
    grid::Cell,
    rulesets::common::inventory::price_of_throwing,
};

/// DB at which a missile parry is worth half of the round.
const WORTH_A_PARRY: i32 = 15;

impl Evaluation<'_, '_, '_> {
    pub(super) fn declare(&self) -> Choice {
        let next = self.next_part().or_else(|| self.first(&declared::READY));
        next.unwrap_or_else(|| self.offers[0].choice.clone())
    }

    /// The legal offers of an action.
    fn legal(&self, verb: &'static Action) -> impl Iterator<Item = &Offer> {
        let fits = move |o: &&Offer| o.is_legal() && o.choice.verb == verb;
        self.offers.iter().filter(fits)
    }

    /// The first choice of an action. `None` if it is not possible.
    fn first(&self, verb: &'static Action) -> Option<Choice> {
        self.legal(verb).next().map(|o| o.choice.clone())
    }

    /// The first choice of an action, with the number that it allows nearest to `n`.
    fn number(&self, verb: &'static Action, n: i32) -> Option<Choice> {
        let offer = self.legal(verb).next()?;
        let (least, most) = offer.numbers.unwrap_or((n, n));
        Some(offer.choice.clone().number(n.min(most).max(least)))
    }

    /// What to add to the plan. `None` if it is complete.
    fn next_part(&self) -> Option<Choice> {
        let ac = self.state;
        if let Some(time) = self.number(&declared::HASTEN, self.time_of_spell()) {
            return Some(time);
        }
        // A protected unit keeps away, however near the enemy is.
        let is_near = self.is_foe_in_reach() && !self.is_protected();
        if self.plans(ActionKind::Melee) || self.plans(ActionKind::Charge) {
            // A unit with 200% activity attacks twice (AC-25).
            if is_near
                && self.left() >= ac.tables().costs.melee.0
                && let Some(again) = self.number(&declared::MELEE, self.left().min(100))
            {
                return Some(again);
            }
            return match self.parry_share() {
                share @ 1.. => self.number(&declared::PARRY, share),
                _ => None,
            };
        }
        // With an enemy adjacent, do not continue loading (AC-09).
        let stops = || is_near && self.only_loads();
        let urgent = self
            .first(&declared::STAND_UP)
            .or_else(|| self.first(&targets::GIVE_UP).filter(|_| stops()))
            .or_else(|| self.tends(is_near))
            .or_else(|| self.casts(is_near));
        if urgent.is_some() {
            return urgent;
        }
        if is_near {
            let draw = self.draws();
            return draw.or_else(|| self.number(&declared::MELEE, 100));
        }
        if let Some(choice) = self.shoots() {
            return Some(choice);
        }
        if self.holds_out() && !self.is_sent_by_objective() {
            let waits = self.awaits();
            let waits = waits.or_else(|| self.meets_missiles(usize::MAX));
            return waits.or_else(|| self.quickens());
        }
        // Behind its shield, the unit moves with leftover activity (AC-10).
        if self.plans(ActionKind::ParryMissile) {
            return None;
        }
        self.closes_in()
    }

    /// Percent of the round that is not planned yet.
    fn left(&self) -> i32 {
        let actor = self.state.actor(self.who);
        actor.capacity - actor.planned()
    }

    /// Percent for the named spell: hastened to fit into this round if possible, otherwise its
    /// full time (AC-03).
    fn time_of_spell(&self) -> i32 {
        let Some((spell, points)) = self.state.actor(self.who).naming else {
            return 0;
        };
        let (least, full) = spell_time(self.state, spell, points);
        let left = self.left();
        let fits = (least..full).contains(&left);
        if fits { left } else { full }
    }

    fn plans(&self, kind: ActionKind) -> bool {
        let plan = &self.state.actor(self.who).plan;
        plan.iter().any(|p| p.kind == kind)
    }

    /// Whether the carried-over action is a load that leaves no room for a melee.
    fn only_loads(&self) -> bool {
        let actor = self.state.actor(self.who);
        let room = actor.capacity - self.state.tables().costs.melee.0;
        let first = actor.plan.first();
        first.is_some_and(|p| matches!(p.kind, ActionKind::Reload(_)) && p.percent > room)
    }

    /// Whether `by` could shoot or throw an item at `at` now.
    fn can_shoot(&self, by: Id, at: Id, with: Item) -> bool {
        let attack = Attack::new(by, at, with, true, "AC-01");
        self.state.can_attack(&attack).is_ok()
    }

    /// Whether an item is a bow or the like, which takes activity to load.
    fn is_bow(&self, item: Item) -> bool {
        self.state.reload(item) > 0
    }

    /// A missile parry, if its DB is worth it and between 1 and `most` enemies can shoot at the
    /// unit (AC-22).
    fn meets_missiles(&self, most: usize) -> Option<Choice> {
        let ac = self.state;
        let parry = self.first(&declared::PARRY_MISSILE)?;
        if self.plans(ActionKind::ParryMissile) || ac.missile_parry(self.who) < WORTH_A_PARRY {
            return None;
        }
        let aims = |enemy: &Id| {
            let mut weapons = ac.usable_weapons(*enemy, true);
            weapons.any(|n| self.can_shoot(*enemy, self.who, n))
        };
        let aiming = ac.enemies(self.who).filter(aims).count();
        (1..=most).contains(&aiming).then_some(parry)
    }

    /// Chi speed, when the unit cannot reach an enemy this round anyway (AC-25).
    fn quickens(&self) -> Option<Choice> {
        let chi = self.first(&declared::CHI_SPEED);
        chi.filter(|_| !self.plans(ActionKind::ChiSpeed))
    }

    /// The plan of a unit that does not approach enemies: a protected unit moves out of danger;
    /// others prepare a melee if an enemy could arrive this round.
    fn awaits(&self) -> Option<Choice> {
        let ac = self.state;
        if self.is_protected() {
            let flees = !self.plans(ActionKind::Move) && self.danger(self.here) > 0;
            return self.number(&declared::MOVE, self.left()).filter(|_| flees);
        }
        let (least, full) = ac.tables().costs.melee;
        let comes = |enemy: Id| {
            let apart = self.feet_to(ac.body(enemy).space());
            apart <= ac.feet(enemy, full - least, false) + 10
        };
        if !ac.enemies(self.who).any(comes) {
            return None;
        }
        let draw = self.draws();
        draw.or_else(|| self.number(&declared::MELEE, self.left()))
    }

    /// OB to keep for parrying (AC-13): the more the enemies in reach outmatch the unit, the
    /// more it keeps.
    fn parry_share(&self) -> i32 {
        let ac = self.state;
        let mut most = most_parry(ac, self.who);
        let charge = ac.actor(self.who).plan.iter();
        if let Some(charge) = charge.rev().find(|p| p.kind == ActionKind::Charge)
            && let Some(kept) = most_kept(ac, self.who, charge.percent)
        {
            most = most.min(kept).max(0);
        }
        if self.holds_out() && !ac.is_threatened(self.who) {
            return most / 3;
        }
        let enemies = ac.threatened_by(self.who);
        let theirs: i32 = enemies.map(|enemy| self.menace(enemy)).sum();
        // Expected hits lost in a round, in percent of the unit's hits.
        match theirs * 100 / ac.body(self.who).hp.max(1) {
            ..=25 => 0,
            26..=50 => most / 4,
            51..=90 => most / 2,
            _ => most * 2 / 3,
        }
    }

    /// Average hits of the enemy's best melee attack.
    fn menace(&self, enemy: Id) -> i32 {
        let ac = self.state;
        let weapons = ac.inventory(enemy).ready();
        let weapons = weapons.filter(|&n| ac.weapon(n).melee.is_some());
        let specs = weapons.filter_map(|with| {
            let attack = Attack::new(enemy, self.who, with, false, "AC-01");
            let forecast = ac.forecast(&attack).ok()?;
            Some(forecast.chances().mean_hits_by_10k as i32 / 10_000)
        });
        specs.max().unwrap_or(0)
    }

    fn is_foe_in_reach(&self) -> bool {
        let ac = self.state;
        let weapons = ac.inventory(self.who).at_hand();
        let reach = weapons.filter_map(|n| ac.reach(self.who, n)).max();
        let in_reach = |feet| {
            let mut enemies = ac.enemies(self.who);
            enemies.any(|enemy| self.view.in_reach(self.who, enemy, feet))
        };
        reach.is_some_and(in_reach)
    }

    /// A herb for the unit's own bleeding, or stanching that of an ally.
    fn tends(&self, busy: bool) -> Option<Choice> {
        let (ac, who) = (self.state, self.who);
        if !ac.actor(who).plan.is_empty() {
            return None;
        }
        let needs_it = |id: Id| {
            let is_near = id == who || self.view.within(who, id, 5);
            is_near && ac.actor(id).bleeding >= 2
        };
        let stanch = || self.first(&declared::STANCH).filter(|_| !busy);
        let herb = self.first(&declared::HERB);
        herb.or_else(|| stanch().filter(|_| acts::bleeding(ac, who).any(needs_it)))
    }

    /// The available spell with the highest worth. `None` if none is worth enough.
    fn casts(&self, busy: bool) -> Option<Choice> {
        let ac = self.state;
        let mut best: Option<(i32, Choice)> = None;
        for offer in self.legal(&declared::SPELL) {
            let Some(spell) = offer.choice.spell else {
                continue;
            };
            let kind = self.view.spell(spell);
            if busy && !kind.section::<ActivitySpell>().instantaneous {
                continue;
            }
            let aims = spells::aims(ac, self.who, spell);
            let legal = aims.iter().filter(|o| o.is_legal());
            let worth = legal.map(|o| self.spell_worth(&o.choice)).max();
            let least_worth = best.as_ref().map_or(60, |b| b.0);
            if let Some(worth) = worth.filter(|&w| w > least_worth) {
                let (least, most) = offer.numbers?;
                let cost = ac.tables().costs.spell_per_point;
                let in_time = (self.left() / cost).clamp(least, most);
                let points = if kind.effect.harms() { in_time } else { least };
                best = Some((worth, offer.choice.clone().number(points)));
            }
        }
        best.map(|b| b.1)
    }

    /// Draws a melee weapon. `None` if one is already held, or any is about to be drawn.
    fn draws(&self) -> Option<Choice> {
        let ac = self.state;
        let fits = |n: Item| ac.weapon(n).arms_for_melee();
        let is_draw = |d: ActionKind| matches!(d, ActionKind::Draw(_) | ActionKind::Change(_));
        let mut plan = ac.actor(self.who).plan.iter();
        if ac.inventory(self.who).ready().any(fits) || plan.any(|p| is_draw(p.kind)) {
            return None;
        }
        let draw = self.first(&declared::DRAW);
        let draw = draw.or_else(|| self.first(&declared::CHANGE))?;
        draw.with.is_some_and(fits).then_some(draw)
    }

    /// Shooting, and the loading that it needs.
    fn shoots(&self) -> Option<Choice> {
        let ac = self.state;
        let inventory = ac.inventory(self.who);
        let bow = inventory.ready().find(|&n| self.is_bow(n));
        let bow = bow.or_else(|| self.missile());
        let bow = bow.or_else(|| self.bow_at_belt())?;
        let find = |verb: &'static Action| {
            let mut all = self.legal(verb).map(|o| &o.choice);
            all.find(|c| c.with.is_none_or(|n| n == bow)).cloned()
        };
        let throws = ac.weapon(bow).leaves_the_hand();
        let loaded = throws || ac.actor(self.who).loaded.contains(&bow);
        if loaded && !self.sees_a_mark(bow) {
            return None;
        }
        let is_drawn = self.plans(ActionKind::Draw(bow)) || self.plans(ActionKind::Change(bow));
        if inventory.place(bow) == Some(ItemPlace::Belt) && !is_drawn {
            return find(&declared::DRAW).or_else(|| find(&declared::CHANGE));
        }
        // One shot per load; with 200% activity, that can be two (AC-25).
        let next = if acts::will_be_loaded(ac, self.who, bow) {
            let ((least, full), left) = (ac.tables().costs.missile, self.left());
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
        let mut belt = ac.inventory(self.who).at(ItemPlace::Belt);
        let bow = belt.find(|&n| self.is_bow(n))?;
        let is_stuck = self.patience_left() < 100 && ac.feet_to_strike(self.who, 100).is_none();
        (is_stuck && self.sees_a_mark(bow)).then_some(bow)
    }

    /// A weapon that the unit can throw without loss: the one in hand, or if the hand is empty,
    /// one at the belt.
    fn missile(&self) -> Option<Item> {
        let ac = self.state;
        let inventory = ac.inventory(self.who);
        let first = || inventory.at(ItemPlace::Belt).next();
        let item = inventory.in_hand().or_else(first)?;
        let at = ac.enemies(self.who).next()?;
        let throw = Attack::new(self.who, at, item, true, "AC-01");
        let spared = price_of_throwing(self.view, &throw) == 0;
        let again = self.plans(ActionKind::Missile);
        (ac.weapon(item).leaves_the_hand() && spared && !again).then_some(item)
    }

    fn sees_a_mark(&self, bow: Item) -> bool {
        let mut enemies = self.state.enemies(self.who);
        enemies.any(|at| self.can_shoot(self.who, at, bow))
    }

    /// Approaching the enemy: a charge, a move and a melee, or only a move; through a door if
    /// that is the way.
    fn closes_in(&self) -> Option<Choice> {
        let (ac, left) = (self.state, self.left());
        let actor = ac.actor(self.who);
        let least = ac.tables().costs.melee.0;
        if self.plans(ActionKind::Move) {
            let melee = self.number(&declared::MELEE, left)?;
            let strikes = || ac.feet_to_strike(self.who, actor.planned()).is_some();
            return (left >= least && strikes()).then_some(melee);
        }
        let near = ac.feet_to_strike(self.who, left - least);
        // A unit that holds a bow or the like moves until it sees a target, instead of drawing
        // a melee weapon.
        let in_hand = ac.inventory(self.who).in_hand();
        let holds_bow = in_hand.is_some_and(|n| self.is_bow(n));
        let draw = self.draws().filter(|_| !holds_bow || near.is_some());
        let opens = || !self.plans(ActionKind::Door) && self.stands_at_a_door();
        let before = draw
            .or_else(|| self.first(&declared::DOOR).filter(|_| opens()))
            .or_else(|| self.quickens().filter(|_| near.is_none()));
        if before.is_some() {
            return before;
        }
        let percent = near.map_or(left, |feet| ac.percent_of(self.who, feet));
        let go = self.number(&declared::MOVE, percent)?;
        let instead = match near {
            Some(feet) if feet >= ac.tables().charge_least => {
                let charge = self.number(&declared::CHARGE, 100);
                charge.filter(|_| can_charge(ac, self.who, 100))
            }
            None if actor.plan.is_empty() => self.meets_missiles(1),
            _ => None,
        };
        instead.or(Some(go))
    }

    fn stands_at_a_door(&self) -> bool {
        let mut around = self.space(self.here).cells().flat_map(Cell::neighbours);
        around.any(|c| self.view.board.door(c) == Some(false) && self.is_nearer(c))
    }
}
