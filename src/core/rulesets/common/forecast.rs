//! What the attack forecasts of all rulesets share: damage as text and as a distribution, and where
//! a unit could go and which attacks that provokes.

use super::damage::{Damage, Odds};
use crate::{
    battle::{
        Choice, Cost, CowStr, Id, OddsLine, Provoked, Reach, Rule, Spread, View, Way, signed,
        standing_at,
    },
    content::{Dice, Effect, Save, Spell},
    grid::{Cell, Price, Range, StepRules},
};
use bevy_ecs::world::World;

/// Dice and a bonus as text: "1d8+2".
pub(in crate::rulesets) fn dice_and(dice: Dice, bonus: i32) -> String {
    match bonus {
        0 => dice.to_string(),
        n => format!("{dice}{}", signed(n)),
    }
}

/// Damage as text: "1d8+2: 3 to 10". `times` is the text of a multiplier.
pub(in crate::rulesets) fn damage_text(damage: &Damage, times: &str) -> String {
    let dice = dice_and(damage.dice, damage.bonus());
    let (low, high) = damage.span();
    format!("{dice}{times}: {low} to {high}")
}

/// The damage distribution of an attack. `hit` is the chance to hit, from 0 to 1; `miss` the damage
/// of a miss. `enough` points drop the target.
pub(in crate::rulesets) fn spread_of(hit: f32, damage: &Damage, miss: i32, enough: i32) -> Spread {
    let at_least = |points| damage.at_least(points).as_f32();
    Spread::of(hit, damage.span(), at_least, miss, enough)
}

/// What a d20 must show to hit if a 20 always hits and a 1 never does: "needs 12+ on d20".
pub(in crate::rulesets) fn needs_on_d20(needs: i32) -> String {
    match needs {
        ..=2 => String::from("hits on 2+"),
        3..=19 => format!("needs {needs}+ on d20"),
        _ => String::from("needs a natural 20"),
    }
}

/// The text after a chance that a save fails: "fails the save (14+ halves)".
pub(in crate::rulesets) fn save_text(needs: i32, save: Save) -> String {
    let does = match save {
        Save::None => return String::from("no save"),
        Save::Half => "halves",
        Save::Negates => "negates",
    };
    format!("fails the save ({needs}+ {does})")
}

/// A spell's effect on a unit that saves with `needs` or more, and the chance that it drops the
/// unit. `rules` are those of the effect, the save and the drop.
pub(in crate::rulesets) fn spell_odds(
    view: &View,
    spell: &Spell,
    who: Id,
    needs: i32,
    rules: [Rule; 3],
) -> impl Iterator<Item = OddsLine> {
    // Every d20 below `needs` fails.
    let (names, fails) = (view.names(), (needs - 1).clamp(0, 20) as u32 * 5);
    let effect = spell.effect.effect_text(names.defense());
    let odds = match spell.save {
        Save::None => OddsLine::note(effect, rules[0]),
        save => {
            let text = format!("{effect}; {}", save_text(needs, save));
            OddsLine::failed_save(text, fails, rules[1])
        }
    };
    let drops = spell_drops(spell, Odds::SURE, fails, view.body(who).hp);
    let drops = drops.map(|text| OddsLine::note(text, rules[2]));
    let lines = [odds].into_iter().chain(drops);
    lines.map(move |odds| odds.each(who, names))
}

/// The chance that a spell drops a unit with `hp` hit points: "55% to drop". `works` is the chance
/// that the spell takes effect at all, and `fails` the chance in percent that the unit's save then
/// fails. `None` if the spell does no damage, or the unit is down.
pub(in crate::rulesets) fn spell_drops(
    spell: &Spell,
    works: Odds,
    fails: u32,
    hp: i32,
) -> Option<String> {
    let Effect::Damage(dice) = spell.effect else {
        return None;
    };
    let damage = Damage::new(dice, vec![]);
    let drops_at = |points: i32| f64::from(damage.at_least(points).as_f32());
    let fails = f64::from(fails) / 100.0;
    let drops = match spell.save {
        Save::None => drops_at(hp),
        Save::Half => fails * drops_at(hp) + (1.0 - fails) * drops_at(2 * hp),
        Save::Negates => fails * drops_at(hp),
    };
    let percent = f64::from(works.as_f32()) * drops * 100.0;
    (hp > 0).then(|| format!("{percent:.0}% to drop"))
}

/// The chance in percent that at least one of several things happens.
pub(in crate::rulesets) fn any_of(percents: impl Iterator<Item = u32>) -> u32 {
    let none: f64 = percents.map(|p| 1.0 - f64::from(p) / 100.0).product();
    ((1.0 - none) * 100.0).round() as u32
}

/// The cells where a move within a range can end, except its start. Each gets the same `cost`.
pub(in crate::rulesets) fn move_ends(
    range: &Range,
    cost: Cost,
) -> impl Iterator<Item = Reach> + '_ {
    let (here, all) = (range.from(), range.cells());
    let ends = all.filter(move |end| end.may_stop && end.cell != here);
    ends.map(move |end| Reach {
        cell: end.cell,
        feet: end.feet,
        cost,
    })
}

/// The custom path of a player (GR-33) through waypoints in order, including both ends. A step
/// between adjacent cells is taken as it is, even over a ledge. `None` if there is no path to a
/// waypoint.
pub(in crate::rulesets) fn waypoint_path(
    walk: &StepRules,
    from: Cell,
    via: &[Cell],
    to: Cell,
) -> Option<Vec<Cell>> {
    let mut path = vec![from];
    for &next in via.iter().chain([&to]) {
        let last = *path.last()?;
        if last == next {
            continue;
        }
        match walk.step(last, next) {
            Ok(_) => path.push(next),
            Err(_) => path.extend_from_slice(walk.path(last, next)?.get(1..)?),
        }
    }
    Some(path)
}

/// The path of one move and its price: through the waypoints `via`, or the cheapest if there are
/// none. `None` if no unit can stop at its end, or if it is longer than `most` feet.
pub(in crate::rulesets) fn one_move(
    walk: &StepRules,
    from: Cell,
    via: &[Cell],
    to: Cell,
    most: u16,
) -> Option<(Vec<Cell>, Price)> {
    let path = match via {
        [] => walk.path(from, to)?,
        via => waypoint_path(walk, from, via, to)?,
    };
    let price = walk.price(&path).ok()?;
    (price.feet <= most && walk.may_stop(to)).then_some((path, price))
}

/// One move along a path, before the attacks that it provokes are known.
pub(in crate::rulesets) fn unprovoked_way(
    order: Choice,
    path: Vec<Cell>,
    price: &Price,
    (cost, words): (Cost, impl Into<CowStr>),
) -> Way {
    Way {
        orders: vec![order],
        cost,
        price: words.into(),
        feet: price.feet,
        path,
        provoked: vec![],
        fall: deepest_fall(price),
        shots: vec![],
    }
}

/// The deepest fall on a path, in feet; 0 without one.
pub(in crate::rulesets) fn deepest_fall(price: &Price) -> u16 {
    let falls = price.steps.iter().map(|step| step.fall);
    falls.max().unwrap_or(0)
}

/// A path whose provoked attacks have no chances yet.
pub(in crate::rulesets) struct Route {
    pub way: Way,
    /// Each enemy that attacks, with the index of the step that provokes it.
    pub strikes: Vec<(Id, usize)>,
}

impl Route {
    /// Adds the chance of each provoked attack, in percent, computed with the moving unit where
    /// the attack happens.
    pub fn with_chances(
        self,
        world: &mut World,
        who: Id,
        chance: impl Fn(&mut World, Id) -> u32,
    ) -> Way {
        let Self { mut way, strikes } = self;
        for (by, step) in strikes {
            let at = way.path[step];
            let percent = standing_at(world, who, at, |world| chance(world, by));
            way.provoked.push(Provoked { by, step, percent });
        }
        way
    }
}

/// The enemies that a path provokes, each once, with the index of the first step that does.
/// `provoked_by` gives the enemies that a step between two cells provokes, as a bit set.
pub(in crate::rulesets) fn provoked(
    view: &View,
    path: &[Cell],
    provoked_by: impl Fn(Cell, Cell) -> u64,
) -> Vec<(Id, usize)> {
    let (mut out, mut seen) = (vec![], 0);
    for (n, step) in path.windows(2).enumerate() {
        let now = provoked_by(step[0], step[1]) & !seen;
        seen |= now;
        out.extend(view.of_bits(now).map(|by| (by, n)));
    }
    out
}
