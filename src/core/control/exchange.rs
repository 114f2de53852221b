//! Attacks that units could make on each other, in any unit's turn: enemies' attacks on a
//! unit, and attacks both ways from a cell where the unit could stand.

use crate::{
    battle::{
        AttackApproach, AttackForecast, Choice, Harmless, Id, Item, Ruleset, Shot, SpellId, View,
        standing_at, with_doors_open,
    },
    grid::{Cell, Cover, Space, cells_apart},
};
use bevy_ecs::world::World;
use std::cmp::Reverse;

/// How many of the closest cells are checked first.
const CLOSE: usize = 16;

/// The best attacks of a unit at a cell and one of its enemies on each other.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exchange {
    pub enemy: Id,
    /// Why the enemy attacks nobody in its next turn. `None` if only distance or sight can keep it
    /// from attacking the unit.
    pub harmless: Option<Harmless>,
    /// The unit's best attack on the enemy, with the chance that counts the enemy's answer.
    pub gives: Option<Shot>,
    /// The enemy's best attack on the unit, with its plain chance.
    pub takes: Option<Shot>,
    /// Without such an attack: its best one in its next turn, after a move.
    pub comes: Option<Shot>,
}

impl Exchange {
    /// Whether there is an attack either way.
    pub fn is_any(&self) -> bool {
        self.gives.or(self.takes).or(self.comes).is_some()
    }
}

/// Every plain attack of `by` on `at`, possible or not.
pub(super) fn plain_attacks(rules: &Ruleset, world: &mut World, by: Id, at: Id) -> Vec<Choice> {
    let items: Vec<(Item, bool)> = View::read(world, |view| {
        let items = view.inventory(by).at_hand();
        let items = items.map(|item| (item, view.weapon(item).is_thrown()));
        items.collect()
    });
    let ways = rules.planning.attacks.iter().flat_map(|&(verb, kind)| {
        let fitting = items.iter().filter(move |item| kind.fits(item.1));
        fitting.map(move |&(item, _)| Choice::new(verb, by).at(at).with(item))
    });
    ways.collect()
}

/// The plain attacks of `by` on `at` with a chance to hit, most promising first.
pub fn attacks(rules: &Ruleset, world: &mut World, by: Id, at: Id) -> Vec<AttackForecast> {
    let ways = plain_attacks(rules, world, by, at).into_iter();
    let possible = ways.filter_map(|way| (rules.forecasting.attack)(world, &way)?.ok());
    let mut out: Vec<AttackForecast> = possible.collect();
    out.retain(|forecast| forecast.percent > 0);
    out.sort_by_key(|forecast| (Reverse(forecast.worth), Reverse(forecast.percent)));
    out
}

/// A throw at an adjacent enemy is clearly better than melee if its chance to drop the target is
/// higher by more than this, in percent, or if it does half as much damage again.
const CLEARLY: u32 = 10;

/// The melee attack that a player expects instead of a throw at an adjacent enemy: the unit keeps
/// its weapons in hand, unless the throw is clearly better and another weapon is left. `None` for
/// other attacks, and for a unit without a weapon for melee.
pub fn instead_of_throw(rules: &Ruleset, world: &mut World, throw: &Choice) -> Option<Choice> {
    let strike = rules.planning.melee()?;
    let (by, at, with) = (throw.who?, throw.at?, throw.with?);
    let is_ranged = throw.verb != strike && rules.planning.is_attack(throw.verb);
    let is_lost_beside = |view: View| {
        let is_near = cells_apart(view.body(by).space(), view.body(at).space()) <= 1;
        is_near && view.weapon(with).leaves_the_hand()
    };
    if !is_ranged || !View::read(world, is_lost_beside) {
        return None;
    }
    let (mut melee, mut thrown) = (vec![], None);
    for attack in attacks(rules, world, by, at) {
        let choice = &attack.choice;
        let item = choice.with?;
        if (choice.verb, item) == (throw.verb, with) {
            thrown = Some(attack);
        } else if choice.verb == strike
            && View::read(world, |view| view.weapon(item).arms_for_melee())
        {
            melee.push(attack);
        }
    }
    let best = melee.first()?;
    let leaves_other = melee.iter().any(|attack| attack.choice.with != Some(with));
    let is_better = thrown.is_some_and(|thrown| {
        thrown.drop_percent > best.drop_percent + CLEARLY || 2 * thrown.worth >= 3 * best.worth
    });
    (!(is_better && leaves_other)).then(|| best.choice.clone())
}

/// The plain attacks of an enemy on `at` in its next turn, most promising first. Empty while a
/// condition holds the enemy.
pub fn answers(rules: &Ruleset, world: &mut World, enemy: Id, at: Id) -> Vec<AttackForecast> {
    match View::read(world, |view| view.is_held(enemy)) {
        true => vec![],
        false => attacks(rules, world, enemy, at),
    }
}

/// The best attack of `enemy` on `at` in the enemy's next turn. It attacks from its current cell,
/// from the cell nearest to the target, or from the one with the least cover in between; ties go to
/// the nearer cell.
pub fn coming(rules: &Ruleset, world: &mut World, (enemy, at): (Id, Id)) -> Option<AttackForecast> {
    let places = |view: View, mut stands: Vec<Cell>| {
        let (body, there) = (view.body(enemy), view.body(at).space());
        let from = |cell: Cell| Space::new(cell, body.size);
        let apart = |cell: Cell| cells_apart(from(cell), there);
        let way = |cell: Cell| (cells_apart(body.space(), from(cell)), cell.y, cell.x);
        let seen = |cells: &[Cell]| -> Vec<(Cover, Cell)> {
            let seen = cells.iter().filter_map(|&cell| {
                let sight = view.board.sight(from(cell), there);
                let cover = sight.cover.unwrap_or(Cover::None);
                sight.los.then_some((cover, cell))
            });
            seen.collect()
        };
        // Usually one of the close cells has a line of sight, and the others need no check.
        stands.sort_unstable_by_key(|&cell| (apart(cell), way(cell)));
        let (close, rest) = stands.split_at(CLOSE.min(stands.len()));
        let seen = match seen(close) {
            none if none.is_empty() => seen(rest),
            some => some,
        };
        let seen = seen.iter();
        let nearest = (seen.clone()).min_by_key(|(cover, at)| (apart(*at), *cover, way(*at)));
        let open = seen.min_by_key(|(cover, at)| (*cover, apart(*at), way(*at)));
        let mut all = vec![body.at];
        all.extend(nearest.into_iter().chain(open).map(|(_, cell)| *cell));
        all.dedup();
        all
    };
    let approach = (rules.attack_approach)(world, (enemy, at));
    let charge = best_charge(rules, world, (enemy, at), &approach);
    let places = View::read(world, |view| places(view, approach.stands));
    let strikes = |forecast: &AttackForecast| {
        Some(forecast.choice.verb) == rules.planning.attacks.first().map(|a| a.0)
    };
    let mut all = vec![];
    for (n, cell) in places.into_iter().enumerate() {
        let found = standing_at(world, enemy, cell, |world| answers(rules, world, enemy, at));
        let is_open =
            |forecast: &AttackForecast| n == 0 || approach.goes_to_shoot || strikes(forecast);
        all.extend(found.into_iter().filter(is_open));
    }
    all.extend(charge);
    all.into_iter()
        .min_by_key(|forecast| (Reverse(forecast.worth), Reverse(forecast.percent)))
}

/// The best charge of `enemy` at `at` in its next turn. `None` if it cannot charge.
pub fn charge(rules: &Ruleset, world: &mut World, (enemy, at): (Id, Id)) -> Option<AttackForecast> {
    let approach = (rules.attack_approach)(world, (enemy, at));
    best_charge(rules, world, (enemy, at), &approach)
}

fn best_charge(
    rules: &Ruleset,
    world: &mut World,
    (enemy, at): (Id, Id),
    approach: &AttackApproach,
) -> Option<AttackForecast> {
    let charges = charges(rules, world, (enemy, at), approach).into_iter();
    let attacks = charges.filter_map(|way| (rules.forecasting.attack)(world, &way)?.ok());
    attacks.max_by_key(|attack| (attack.worth, attack.percent))
}

/// Every charge of a unit at another, with each of its melee weapons. Empty if there is no way to
/// charge it.
pub(super) fn charges(
    rules: &Ruleset,
    world: &mut World,
    (who, at): (Id, Id),
    approach: &AttackApproach,
) -> Vec<Choice> {
    let verb = rules.planning.charge.first().copied();
    let Some((verb, end)) = verb.zip(approach.charge_end) else {
        return vec![];
    };
    View::read(world, |view| {
        let strikes = |item: &Item| view.weapon(*item).melee.is_some();
        let items = view.inventory(who).at_hand().filter(strikes);
        let charge = |item| Choice::new(verb, who).at(at).with(item).to(end);
        items.map(charge).collect()
    })
}

/// Whether a spell harms the units that it affects.
pub fn harms(world: &mut World, spell: SpellId) -> bool {
    View::read(world, |view| view.spell(spell).effect.harms())
}

/// What the unit and each of these enemies could do to each other if the unit stood at `at`.
/// Only enemies with an attack either way are listed.
pub fn exchanges(
    rules: &Ruleset,
    world: &mut World,
    who: Id,
    at: Cell,
    enemies: &[Id],
) -> Vec<Exchange> {
    let enemies = enemies.iter();
    let enemies = enemies.map(|&enemy| (enemy, (rules.harmless)(world, enemy)));
    let enemies: Vec<(Id, Option<Harmless>)> = enemies.collect();
    // The enemy's chance is the plain one, as on the card: the player decides on the unit's own
    // answer when it comes.
    let plain = |forecast: &AttackForecast| shot(forecast, forecast.percent);
    let likely = |forecast: &AttackForecast| shot(forecast, forecast.likely_percent());
    standing_at(world, who, at, |world| {
        let exchange = |&(enemy, harmless): &(Id, Option<Harmless>)| {
            let gives = attacks(rules, world, who, enemy);
            let takes = match harmless {
                None => answers(rules, world, enemy, who),
                Some(_) => vec![],
            };
            Exchange {
                enemy,
                harmless,
                gives: gives.first().map(likely),
                takes: takes.first().map(plain),
                comes: None,
            }
        };
        let mut all: Vec<Exchange> = enemies.iter().map(exchange).collect();
        let moves = |e: &&mut Exchange| e.takes.is_none() && e.harmless.is_none();
        let mut moving = all.iter_mut().filter(moves).peekable();
        if moving.peek().is_some() {
            with_doors_open(world, |world| {
                for exchange in moving {
                    let forecast = coming(rules, world, (exchange.enemy, who));
                    exchange.comes = forecast.as_ref().map(plain);
                }
            });
        }
        all.retain(Exchange::is_any);
        all
    })
}

fn shot(forecast: &AttackForecast, percent: u32) -> Shot {
    Shot {
        at: forecast.at,
        with: forecast.choice.with.unwrap_or(Item(0)),
        percent,
        cover: forecast.cover,
        worth: forecast.worth,
    }
}
