//! What anybody could do to anybody, whoever's turn it is: the attacks of a foe
//! on one's own, and both from where one could stand.

use crate::{
    battle::{
        AttackForecast, Choice, Id, Item, Ruleset, Shot, SpellId, ThreatRange, View, run_system,
        standing_at,
    },
    grid::{Cell, Cover, Space, cells_apart},
};
use bevy_ecs::{system::In, world::World};
use std::cmp::Reverse;

/// Places near somebody that are looked at first.
const CLOSE: usize = 16;

/// What lies between somebody at a place and one of its foes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Exchange {
    pub foe: Id,
    /// Its best attack on the foe.
    pub gives: Option<Shot>,
    /// The foe's best attack on it.
    pub takes: Option<Shot>,
}

/// The plain attacks of one on another, the most promising first.
pub fn blows(rules: &Ruleset, world: &mut World, by: Id, at: Id) -> Vec<AttackForecast> {
    fn at_hand(In(who): In<Id>, view: View) -> Vec<(Item, bool)> {
        let items = view.gear(who).at_hand();
        items
            .map(|item| (item, view.weapon(item).is_thrown()))
            .collect()
    }
    let items = run_system(world, at_hand, by);
    let mut out = vec![];
    for &(verb, arms) in rules.planning.attacks {
        for &(item, _) in items.iter().filter(|item| arms.fits(item.1)) {
            let choice = Choice::new(verb, by).at(at).with(item);
            out.extend((rules.forecasting.attack)(world, &choice).and_then(Result::ok));
        }
    }
    out.retain(|blow| blow.percent > 0);
    out.sort_by_key(|blow| (Reverse(blow.worth), Reverse(blow.percent)));
    out
}

/// The same of a foe who is to act yet: none while something holds it.
pub fn answers(rules: &Ruleset, world: &mut World, foe: Id, at: Id) -> Vec<AttackForecast> {
    fn is_held(In(who): In<Id>, view: View) -> bool {
        view.is_held(who)
    }
    match run_system(world, is_held, foe) {
        true => vec![],
        false => blows(rules, world, foe, at),
    }
}

/// The best attack of a foe on somebody in its next turn, where it could then stand
/// being known: from where it is now, from the nearest of these places, or from the
/// one that sees most of them; where that is the same, from the one nearest to it.
pub fn coming(
    rules: &Ruleset,
    world: &mut World,
    (foe, at): (Id, Id),
    range: &ThreatRange,
) -> Option<AttackForecast> {
    type Asked = (Id, Id, Vec<Cell>);
    fn places(In((foe, at, mut stands)): In<Asked>, view: View) -> Vec<Cell> {
        let (body, there) = (view.body(foe), view.body(at).space());
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
        // Mostly it is one of those close by, and the others need no look.
        stands.sort_unstable_by_key(|&cell| (apart(cell), way(cell)));
        let (close, rest) = stands.split_at(CLOSE.min(stands.len()));
        let seen = match seen(close) {
            none if none.is_empty() => seen(rest),
            some => some,
        };
        let nearest = seen
            .iter()
            .min_by_key(|(cover, at)| (apart(*at), *cover, way(*at)));
        let open = seen
            .iter()
            .min_by_key(|(cover, at)| (*cover, apart(*at), way(*at)));
        let mut all = vec![body.at];
        all.extend(nearest.into_iter().chain(open).map(|(_, cell)| *cell));
        all.dedup();
        all
    }
    let places = run_system(world, places, (foe, at, range.stands.clone()));
    let strikes = |blow: &AttackForecast| {
        Some(blow.choice.verb) == rules.planning.attacks.first().map(|a| a.0)
    };
    let mut all = vec![];
    for (n, cell) in places.into_iter().enumerate() {
        let found = standing_at(world, foe, cell, |world| answers(rules, world, foe, at));
        let is_open = |blow: &AttackForecast| n == 0 || range.goes_to_shoot || strikes(blow);
        all.extend(found.into_iter().filter(is_open));
    }
    all.extend(charge(rules, world, (foe, at), range));
    all.into_iter()
        .min_by_key(|blow| (Reverse(blow.worth), Reverse(blow.percent)))
}

/// The best charge of somebody at a foe in its next turn.
pub fn charge(
    rules: &Ruleset,
    world: &mut World,
    (foe, at): (Id, Id),
    range: &ThreatRange,
) -> Option<AttackForecast> {
    fn look(In((foe, at)): In<(Id, Id)>, view: View) -> (Space, Vec<Item>) {
        let strikes = |item: &Item| view.weapon(*item).melee.is_some();
        let items = view.gear(foe).at_hand().filter(strikes);
        (view.body(at).space(), items.collect())
    }
    let verb = *rules.planning.charge.first()?;
    let (there, items) = run_system(world, look, (foe, at));
    let end = range.charge_end(there)?;
    let blows = items.into_iter().filter_map(|item| {
        let choice = Choice::new(verb, foe).at(at).with(item).to(end);
        (rules.forecasting.attack)(world, &choice).and_then(Result::ok)
    });
    blows.max_by_key(|blow| (blow.worth, blow.percent))
}

/// A spell is to harm those whom it catches.
pub fn harms(world: &mut World, spell: SpellId) -> bool {
    fn look(In(spell): In<SpellId>, view: View) -> bool {
        view.spell(spell).effect.harms()
    }
    run_system(world, look, spell)
}

/// What would lie between somebody and each of some foes if it stood there:
/// only foes with an attack either way.
pub fn exchanges(
    rules: &Ruleset,
    world: &mut World,
    who: Id,
    at: Cell,
    foes: &[Id],
) -> Vec<Exchange> {
    standing_at(world, who, at, |world| {
        let exchange = |&foe: &Id| Exchange {
            foe,
            gives: blows(rules, world, who, foe).first().map(shot),
            takes: answers(rules, world, foe, who).first().map(shot),
        };
        let all = foes.iter().map(exchange);
        all.filter(|e| e.gives.is_some() || e.takes.is_some())
            .collect()
    })
}

fn shot(blow: &AttackForecast) -> Shot {
    Shot {
        at: blow.at,
        with: blow.choice.with.unwrap_or(Item(0)),
        percent: blow.percent,
        cover: blow.cover,
    }
}
