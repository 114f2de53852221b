//! What the quick AI makes of its offers: what an attack is worth, what a cell
//! offers and what it risks. Everything is read from what the side knows.

use super::{
    acts::{
        AID, CHARGE, CHARGE_THROW, CLOSE, DISENGAGE, GO_PRONE, LEAVE, OPEN, RUN, SHOOT, STAND_UP,
        STRIKE, THROW, charge_attack, defend::DEFEND,
    },
    odds::Forecast,
    reactions::OPPORTUNITY,
    round::DONE,
    sk::Sk,
};
use crate::{
    battle::{Attack, Choice, Id, Modifier, Offer, PASS, movement::Ways},
    grid::{Cell, Cover, Space, cells_apart},
    levels::Goal,
};
use bevy::ecs::{
    system::{In, Local},
    world::World,
};
use std::{cell::OnceCell, sync::Arc};

/// To take a foe's last hit point is worth this much; all other worths are
/// measured by it.
const KILL: i32 = 1000;
/// To take all its hit points but one, by damage alone.
const HURT: i32 = 600;
/// What its own life is worth to it.
const OWN_LIFE: i32 = 900;

/// The place of the offer that looks best; the first of equals.
pub fn advise(world: &mut World, who: Id, offers: &Arc<[Offer]>) -> usize {
    match world.run_system_cached_with(best, (who, offers.clone())) {
        Ok(n) => n,
        Err(e) => panic!("the AI's look at the offers of {who:?}: {e}"),
    }
}

fn best(
    In((who, offers)): In<(Id, Arc<[Offer]>)>,
    sk: Sk,
    mut kept: Local<Option<(u64, Arc<Vec<u16>>)>>,
) -> usize {
    // With neither Main nor Move left there is nothing that it would still do.
    let idle = offers.iter().position(|o| o.choice.verb == &DONE);
    if let Some(done) = idle.filter(|_| !sk.fighter(who).can_move()) {
        return done;
    }
    let mind = Mind::new(&sk, who, &mut kept);
    let mut best = (i32::MIN, 0);
    for (n, offer) in offers.iter().enumerate().filter(|o| o.1.is_legal()) {
        let score = mind.score(offer);
        if score > best.0 {
            best = (score, n);
        }
    }
    best.1
}

/// A foe and what it has against it, as far as that does not depend on where
/// it stands.
struct Target {
    space: Space,
    shots: Vec<Shot>,
}

/// One of its weapons against one foe.
struct Shot {
    ranged: bool,
    /// Feet: reach, or normal and long range.
    near: u16,
    far: u16,
    both_hands: bool,
    /// Faces of the d20 that hit in the open, perhaps below 0 or over 20.
    hits: i32,
    /// Worth of a hit, of a miss, each a twentieth.
    hit: i32,
    miss: i32,
    /// Worth at best.
    most: i32,
}

impl Shot {
    /// What it is worth when so many faces of the d20 hit.
    fn worth(&self, hits: i32) -> i32 {
        let hits = hits.clamp(0, 20);
        hits * self.hit + (20 - hits) * self.miss
    }
}

/// A foe as a danger: what its best attack does to this one on average.
struct Danger {
    foe: Id,
    space: Space,
    /// Feet that it can come and strike in a turn.
    strike: u16,
    /// Worth lost to its best attack in melee, and from afar.
    melee: i32,
    ranged: i32,
    range: u16,
}

struct Mind<'a, 'w, 's> {
    sk: &'a Sk<'w, 's>,
    who: Id,
    targets: Vec<Target>,
    dangers: Vec<Danger>,
    ways: OnceCell<Ways>,
    /// Steps to the nearest foe, from every cell.
    field: Arc<Vec<u16>>,
    /// Steps to where an objective sends it, if any does.
    goal: OnceCell<Option<Vec<u16>>>,
}

impl<'a, 'w, 's> Mind<'a, 'w, 's> {
    fn new(sk: &'a Sk<'w, 's>, who: Id, kept: &mut Option<(u64, Arc<Vec<u16>>)>) -> Self {
        let mut mind = Self {
            sk,
            who,
            targets: vec![],
            dangers: vec![],
            ways: OnceCell::new(),
            field: Arc::default(),
            goal: OnceCell::new(),
        };
        for foe in sk.view.foes(sk.body(who).side) {
            let target = Target {
                space: sk.body(foe).space(),
                shots: mind.shots_at(foe),
            };
            mind.targets.push(target);
            mind.dangers.push(mind.danger_of(foe));
        }
        // The foes stand still while its side moves: one search serves a turn.
        let key = mind.where_foes_are();
        mind.field = match kept {
            Some((k, field)) if *k == key => field.clone(),
            _ => {
                let foes = mind.dangers.iter().flat_map(|d| d.space.cells());
                let field = Arc::new(mind.distances(foes));
                kept.insert((key, field)).1.clone()
            }
        };
        mind
    }

    /// A number that changes when a foe or a door moves (FNV-1a).
    fn where_foes_are(&self) -> u64 {
        let board = &self.sk.view.board;
        let cells = self.dangers.iter().map(|d| (d.space.at, true));
        let doors = board.doors().map(|c| (c, board.door(c) == Some(true)));
        cells
            .chain(doors)
            .fold(0xcbf2_9ce4_8422_2325, |hash, (cell, flag)| {
                let bits = u64::from(cell.x as u16) << 24
                    | u64::from(cell.y as u16) << 8
                    | u64::from(flag);
                (hash ^ bits).wrapping_mul(0x0100_0000_01b3)
            })
    }

    fn shots_at(&self, foe: Id) -> Vec<Shot> {
        let (sk, who) = (self.sk, self.who);
        let mut out = vec![];
        for with in sk.gear(who).at_hand() {
            let weapon = sk.weapon(with);
            for ranged in [false, true] {
                let span = if ranged {
                    let feet = |n: i32| n.clamp(0, 30_000) as u16;
                    weapon
                        .ranged
                        .as_ref()
                        .map(|r| (feet(r.normal), feet(r.long)))
                } else {
                    sk.reach(who, with).map(|reach| (reach, reach))
                };
                let Some((near, far)) = span else { continue };
                let attack = Attack {
                    by: who,
                    at: foe,
                    with,
                    ranged,
                    rule: "SK-10",
                    extra: vec![],
                };
                let plain = sk.plain_forecast(&attack);
                let (hit, miss) = worth(&plain);
                let hits = 21 - plain.needs();
                out.push(Shot {
                    ranged,
                    near,
                    far,
                    both_hands: weapon.needs_two_hands_to_shoot(),
                    hits,
                    hit,
                    miss,
                    most: hits.clamp(0, 20) * hit + (20 - hits.clamp(0, 20)) * miss,
                });
            }
        }
        out
    }

    fn danger_of(&self, foe: Id) -> Danger {
        let (sk, who) = (self.sk, self.who);
        let mut danger = Danger {
            foe,
            space: sk.body(foe).space(),
            strike: 0,
            melee: 0,
            ranged: 0,
            range: 0,
        };
        let hp = sk.body(who).hp.max(1);
        for with in sk.gear(foe).at_hand() {
            let weapon = sk.weapon(with);
            for ranged in [false, true] {
                let attack = Attack {
                    by: foe,
                    at: who,
                    with,
                    ranged,
                    rule: "SK-10",
                    extra: vec![],
                };
                if ranged && weapon.ranged.is_none() || !ranged && weapon.melee.is_none() {
                    continue;
                }
                let plain = sk.plain_forecast(&attack);
                let loss = plain.expected_by_200() * OWN_LIFE / 200 / hp;
                if ranged {
                    danger.ranged = danger.ranged.max(loss);
                    let far = weapon
                        .ranged
                        .as_ref()
                        .map_or(0, |r| r.long.clamp(0, 30_000) as u16);
                    danger.range = danger.range.max(far);
                } else {
                    danger.melee = danger.melee.max(loss);
                    let reach = sk.reach(foe, with).unwrap_or(5);
                    danger.strike = danger.strike.max(sk.speed(foe) + reach);
                }
            }
        }
        danger
    }

    fn score(&self, offer: &Offer) -> i32 {
        let (sk, who) = (self.sk, self.who);
        let choice = &offer.choice;
        let here = sk.body(who).at;
        let verb = choice.verb;
        if verb == &PASS {
            0
        } else if verb == &DONE {
            self.place(here)
        } else if verb == &STRIKE || verb == &SHOOT || verb == &THROW {
            self.attack(choice, vec![]) + self.place(here) + 20
        } else if verb == &OPPORTUNITY {
            1 + self.attack(choice, vec![])
        } else if verb == &CHARGE || verb == &CHARGE_THROW {
            self.charge(choice)
        } else if verb == &RUN {
            self.run(offer)
        } else if verb == &DEFEND {
            self.defend()
        } else if verb == &DISENGAGE {
            self.disengage()
        } else if verb == &STAND_UP {
            self.place(here) + 250 - self.opening(sk.provoked_by(who).into_iter())
        } else if verb == &AID {
            self.aid(choice)
        } else if verb == &OPEN {
            self.open(choice)
        } else if verb == &LEAVE || verb == &CLOSE || verb == &GO_PRONE {
            i32::MIN + 1
        } else {
            self.place(here) - 1
        }
    }

    /// What an attack is worth as things stand.
    fn attack(&self, choice: &Choice, extra: Vec<Modifier>) -> i32 {
        let (Some(at), Some(with)) = (choice.at, choice.with) else {
            return 0;
        };
        let ranged = choice.verb == &SHOOT || choice.verb == &THROW;
        let attack = Attack {
            by: self.who,
            at,
            with,
            ranged,
            rule: choice.verb.rule,
            extra,
        };
        self.sk.forecast(&attack).map_or(0, |f| {
            let (hit, miss) = worth(&f);
            let hits = f.hit().favourable as i32;
            hits * hit + (20 - hits) * miss
        })
    }

    /// A charge uses up the turn and costs 2 AC.
    fn charge(&self, choice: &Choice) -> i32 {
        let Some(to) = choice.to else {
            return i32::MIN + 1;
        };
        let Ok(forecast) = self.sk.forecast_from(&charge_attack(choice), to) else {
            return i32::MIN + 1;
        };
        let (hit, miss) = worth(&forecast);
        let hits = forecast.hit().favourable as i32;
        let drawn = self.opening(self.sk.provoked_by(self.who).into_iter());
        hits * hit + (20 - hits) * miss + self.place(to) - drawn - self.danger(to) / 8
    }

    /// A run is worth what can be done from its end, less what it draws.
    fn run(&self, offer: &Offer) -> i32 {
        let Some(to) = offer.choice.to else {
            return i32::MIN + 1;
        };
        let fighter = self.sk.fighter(self.who);
        let both = fighter.moves > 0 && fighter.mains > 0;
        let offense = self.offense(to);
        let then = if both { offense } else { 0 };
        let drawn = if offer.provoked == 0 {
            0
        } else {
            self.opening(
                self.sk
                    .view
                    .ids()
                    .filter(|id| offer.provoked & id.bit() != 0),
            )
        };
        then + self.place_with(to, offense) - drawn - i32::from(offer.feet) / 5
    }

    /// The best attack from a cell.
    fn offense(&self, from: Cell) -> i32 {
        let board = &self.sk.view.board;
        let here = self.space(from);
        let mut best = 0;
        for target in &self.targets {
            let sight = board.sight(here, target.space);
            if !sight.los {
                continue;
            }
            let cover = match sight.cover {
                Some(Cover::Half) => -2,
                Some(Cover::Full) => -4,
                _ => 0,
            };
            let apart = cells_apart(here, target.space) * 5;
            let Some(distance) = board.distance(here, target.space) else {
                continue;
            };
            let within = |feet: u16| match feet {
                0..=10 => apart <= feet && board.within(here, target.space, feet),
                _ => distance.is_within(feet.into()),
            };
            for shot in &target.shots {
                // Nothing that it could do here beats what it has: no need to look.
                if shot.most <= best || !within(shot.far) {
                    continue;
                }
                let mut hits = shot.hits + cover;
                if shot.ranged {
                    if self.is_threatened(from) {
                        if shot.both_hands {
                            continue;
                        }
                        hits -= 4;
                    }
                    if !within(shot.near) {
                        hits -= 2;
                    }
                }
                best = best.max(shot.worth(hits));
            }
        }
        best
    }

    /// A foe, armed for melee, would have it in reach there.
    fn is_threatened(&self, at: Cell) -> bool {
        let ways = || self.sk.view.ways(self.who, |foe| self.sk.threat_reach(foe));
        self.ways.get_or_init(ways).threats(at) != 0
    }

    fn space(&self, at: Cell) -> Space {
        Space::new(at, self.sk.body(self.who).size)
    }

    /// What it is worth to stand somewhere when the turn ends: near enough to
    /// its goal, out of harm.
    fn place(&self, at: Cell) -> i32 {
        self.place_with(at, self.offense(at))
    }

    /// The same, its best attack from there being known.
    fn place_with(&self, at: Cell, offense: i32) -> i32 {
        offense / 3 - self.danger(at) / 2 - self.way_to_go(at, offense)
    }

    /// What the foes could do to it there until its next turn.
    fn danger(&self, at: Cell) -> i32 {
        let board = &self.sk.view.board;
        let here = self.space(at);
        let mut sum = 0;
        for foe in &self.dangers {
            let far = cells_apart(foe.space, here) * 5;
            let melee = if far <= foe.strike { foe.melee } else { 0 };
            let mut ranged = 0;
            if foe.ranged > melee && far <= foe.range {
                let sight = board.sight(foe.space, here);
                ranged = match (sight.los, sight.cover) {
                    (false, _) => 0,
                    (_, Some(Cover::Half)) => foe.ranged * 7 / 10,
                    (_, Some(Cover::Full)) => foe.ranged * 4 / 10,
                    _ => foe.ranged,
                };
            }
            sum += melee.max(ranged);
        }
        sum
    }

    /// How far it is from where it wants to be, at so much a cell. Who can
    /// attack from there is where it wants to be.
    fn way_to_go(&self, at: Cell, offense: i32) -> i32 {
        if let Some(cells) = self.steps_to_goal(at) {
            return i32::from(cells) * 40;
        }
        if offense > 0 {
            return 0;
        }
        // Who waits in ambush does not wait for ever.
        let haste = 20 + 5 * i32::from(self.sk.clock.round.min(10));
        i32::from(self.steps_to_foes(at).min(200)) * haste
    }

    /// Steps to the place that an objective of its side sends it to, if any.
    fn steps_to_goal(&self, at: Cell) -> Option<u16> {
        let field = self.goal.get_or_init(|| {
            let sk = self.sk;
            let side = sk.body(self.who).side;
            let own = sk
                .view
                .level()
                .objectives
                .iter()
                .filter(|o| side == o.side.into());
            let areas = own.filter_map(|o| match &o.goal {
                Goal::Reach { who, area, .. } => {
                    who.iter().any(|&w| Id::from(w) == self.who).then_some(area)
                }
                Goal::Capture { area, .. } => Some(area),
                _ => None,
            });
            let cells: Vec<Cell> = areas.flatten().copied().collect();
            (!cells.is_empty()).then(|| self.distances(cells.into_iter()))
        });
        field.as_ref().map(|steps| steps[self.index(at)])
    }

    fn steps_to_foes(&self, at: Cell) -> u16 {
        self.field.get(self.index(at)).copied().unwrap_or(u16::MAX)
    }

    fn index(&self, cell: Cell) -> usize {
        let width = usize::from(self.sk.view.board.width());
        usize::try_from(cell.y).unwrap_or(0) * width + usize::try_from(cell.x).unwrap_or(0)
    }

    /// Steps from every cell to the nearest of `goals`, creatures aside; a shut
    /// door counts as three steps more.
    fn distances(&self, goals: impl Iterator<Item = Cell>) -> Vec<u16> {
        /// What it costs to enter each cell, and how high one stands there.
        const WALL: u16 = u16::MAX;
        let board = &self.sk.view.board;
        let ground: Vec<(u16, f64)> = board
            .cells()
            .map(|c| match board.door(c) {
                Some(false) => (4, board.stand(c)),
                _ if board.can_stand(Space::one(c)) => (1, board.stand(c)),
                _ => (WALL, 0.0),
            })
            .collect();
        let mut steps = vec![u16::MAX; ground.len()];
        let mut rings: [Vec<Cell>; 5] = Default::default();
        rings[0].extend(goals.filter(|&c| board.contains(c)));
        let (mut ring, mut idle) = (0u16, 0);
        // Costs are 1 or 4: five rings in turn hold all that is open.
        while idle < rings.len() {
            idle += 1;
            for cell in std::mem::take(&mut rings[usize::from(ring) % 5]) {
                let n = self.index(cell);
                if steps[n] <= ring {
                    continue;
                }
                steps[n] = ring;
                idle = 0;
                for to in cell.neighbours().filter(|&c| board.contains(c)) {
                    let (cost, height) = ground[self.index(to)];
                    let flat = (height - ground[n].1).abs() <= 5.0;
                    if cost != WALL && flat && steps[self.index(to)] > ring + cost {
                        rings[usize::from(ring + cost) % 5].push(to);
                    }
                }
            }
            ring += 1;
        }
        steps
    }

    /// What the attacks of those to whom it gives an opening may cost it.
    fn opening(&self, foes: impl Iterator<Item = Id>) -> i32 {
        let cost = |foe: Id| {
            self.dangers
                .iter()
                .find(|d| d.foe == foe)
                .map_or(0, |d| d.melee)
        };
        foes.map(cost).sum()
    }

    /// In answer to a roll: is the hit, or the Shock, worth the Main? On its
    /// own turn: only with nothing better to do, and danger about.
    fn defend(&self) -> i32 {
        let sk = self.sk;
        let mine = sk.body(self.who);
        let mut saved = 0;
        for shot in sk.flights.all().iter().filter(|s| s.attack.at == self.who) {
            let Ok(forecast) = sk.forecast(&shot.attack) else {
                continue;
            };
            let total = shot.roll.total();
            let loss = if total >= forecast.ac + 2 {
                continue;
            } else if total >= forecast.ac {
                forecast.damage.mean_by_ten() * OWN_LIFE / 10 / mine.hp.max(1)
                    + forecast.damage.at_least(mine.hp).percent() as i32 * 8
            } else {
                forecast.shock.points() * OWN_LIFE / mine.hp.max(1)
            };
            saved += loss;
        }
        if saved > 0 {
            return saved - self.offense(mine.at).max(150);
        }
        if !sk.flights.all().is_empty() {
            return -1;
        }
        self.place(mine.at) + self.danger(mine.at) / 10
    }

    /// Worth it for who cannot fight here and would be cut down in leaving.
    fn disengage(&self) -> i32 {
        let sk = self.sk;
        let here = sk.body(self.who).at;
        if sk.fighter(self.who).moves == 0 {
            return i32::MIN + 1;
        }
        let drawn = self.opening(sk.provoked_by(self.who).into_iter());
        self.place(here) - self.offense(here) / 3 + drawn / 2
    }

    fn aid(&self, choice: &Choice) -> i32 {
        let Some(ally) = choice.at else { return 0 };
        let rounds = i32::from(self.sk.fighter(ally).dying.unwrap_or(0));
        let drawn = self.opening(self.sk.provoked_by(self.who).into_iter());
        200 + rounds * 60 - drawn + self.place(self.sk.body(self.who).at)
    }

    /// A door is opened when the way to the foes leads through it.
    fn open(&self, choice: &Choice) -> i32 {
        let sk = self.sk;
        let here = sk.body(self.who).at;
        let Some(door) = choice.to else { return 0 };
        let (here_steps, door_steps) = match (self.steps_to_goal(here), self.steps_to_goal(door)) {
            (Some(a), Some(b)) => (a, b),
            _ if self.offense(here) > 0 => return i32::MIN + 1,
            _ => (self.steps_to_foes(here), self.steps_to_foes(door)),
        };
        if door_steps < here_steps {
            self.place(here) + 60
        } else {
            i32::MIN + 1
        }
    }
}

/// What a hit and a miss are worth, a twentieth of each.
fn worth(f: &Forecast) -> (i32, i32) {
    let hp = f.hp.max(1);
    let mean = (f.damage.mean_by_ten()).min(hp * 10);
    let drop = f.damage.at_least(hp);
    let kill = (KILL * drop.favourable as i32)
        .checked_div(drop.of as i32)
        .unwrap_or(0);
    let hit = mean * HURT / 10 / hp + kill;
    let shock = f.shock.points();
    let miss = shock.min(hp) * HURT / hp + if shock >= hp { KILL } else { 0 };
    (hit / 20, miss / 20)
}
