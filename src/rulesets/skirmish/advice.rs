//! What the quick AI makes of its offers: what an attack is worth, what a cell
//! offers and what it risks. Everything is read from what the side knows.

use super::{
    acts::{
        AID, CHARGE, CLOSE, DISENGAGE, GO_PRONE, LEAVE, OPEN, RUN, SHOOT, STAND_UP, STRIKE, THROW,
        defend::DEFEND,
    },
    odds::Forecast,
    reactions::OPPORTUNITY,
    round::DONE,
    sk::Sk,
};
use crate::{
    battle::{Attack, Choice, Id, Modifier, Offer, PASS},
    grid::{Cell, Cover, Range, Space, cells_apart},
    levels::Goal,
};
use bevy::ecs::{system::In, world::World};
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

fn best(In((who, offers)): In<(Id, Arc<[Offer]>)>, sk: Sk) -> usize {
    let mind = Mind::new(&sk, who);
    let mut best = (i32::MIN, 0);
    for (n, offer) in offers.iter().enumerate().filter(|o| o.1.is_legal()) {
        let score = mind.score(&offer.choice);
        if score > best.0 {
            best = (score, n);
        }
    }
    best.1
}

/// One of its weapons against one foe, as far as it does not depend on where
/// it stands.
struct Shot {
    target: Space,
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
}

/// A foe as a danger: what its best attack does to this one on average.
struct Danger {
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
    shots: Vec<Shot>,
    dangers: Vec<Danger>,
    range: OnceCell<Range>,
    field: OnceCell<Vec<u16>>,
}

impl<'a, 'w, 's> Mind<'a, 'w, 's> {
    fn new(sk: &'a Sk<'w, 's>, who: Id) -> Self {
        let mut mind = Self {
            sk,
            who,
            shots: vec![],
            dangers: vec![],
            range: OnceCell::new(),
            field: OnceCell::new(),
        };
        for foe in sk.view.foes(sk.body(who).side) {
            mind.shots.extend(mind.shots_at(foe));
            mind.dangers.push(mind.danger_of(foe));
        }
        mind
    }

    fn shots_at(&self, foe: Id) -> Vec<Shot> {
        let (sk, who) = (self.sk, self.who);
        let sheet = sk.view.sheet(who);
        let mut out = vec![];
        for with in sheet.items() {
            let weapon = sheet.weapon(with);
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
                out.push(Shot {
                    target: sk.body(foe).space(),
                    ranged,
                    near,
                    far,
                    both_hands: weapon.needs_two_hands_to_shoot(),
                    hits: 21 - plain.needs(),
                    hit,
                    miss,
                });
            }
        }
        out
    }

    fn danger_of(&self, foe: Id) -> Danger {
        let (sk, who) = (self.sk, self.who);
        let sheet = sk.view.sheet(foe);
        let mut danger = Danger {
            space: sk.body(foe).space(),
            strike: 0,
            melee: 0,
            ranged: 0,
            range: 0,
        };
        let hp = sk.body(who).hp.max(1);
        for with in sheet.items() {
            let weapon = sheet.weapon(with);
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

    fn score(&self, choice: &Choice) -> i32 {
        let (sk, who) = (self.sk, self.who);
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
        } else if verb == &CHARGE {
            self.charge(choice)
        } else if verb == &RUN {
            self.run(choice.to.unwrap_or(here))
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
        let (Some(at), Some(with), Some(to)) = (choice.at, choice.with, choice.to) else {
            return 0;
        };
        let attack = Attack {
            by: self.who,
            at,
            with,
            ranged: self.sk.reach(self.who, with).is_none(),
            rule: "SK-14",
            extra: vec![Modifier::new(2, "charge", "SK-14")],
        };
        let Ok(forecast) = self.sk.forecast_from(&attack, to) else {
            return i32::MIN + 1;
        };
        let (hit, miss) = worth(&forecast);
        let hits = forecast.hit().favourable as i32;
        let drawn = self.opening(self.sk.provoked_by(self.who).into_iter());
        hits * hit + (20 - hits) * miss + self.place(to) - drawn - self.danger(to) / 8
    }

    /// A run is worth what can be done from its end, less what it draws.
    fn run(&self, to: Cell) -> i32 {
        let range = self.range.get_or_init(|| self.sk.run_range(self.who, 1));
        let Some(reached) = range.get(to) else {
            return i32::MIN + 1;
        };
        let drawn = self
            .sk
            .view
            .ids()
            .filter(|id| reached.provoked & id.bit() != 0);
        let fighter = self.sk.fighter(self.who);
        let then = if fighter.moves > 0 && fighter.mains > 0 {
            self.offense(to)
        } else {
            0
        };
        then + self.place(to) - self.opening(drawn) - i32::from(reached.feet) / 5
    }

    /// The best attack from a cell.
    fn offense(&self, from: Cell) -> i32 {
        let sk = self.sk;
        let here = Space::new(from, sk.body(self.who).size);
        let threatened = OnceCell::new();
        let mut best = 0;
        for shot in &self.shots {
            let far = cells_apart(here, shot.target) * 5;
            if !shot.ranged && far > shot.far {
                continue;
            }
            let sight = sk.view.board.sight(here, shot.target);
            if !sight.los || !sk.view.board.within(here, shot.target, shot.far) {
                continue;
            }
            let mut hits = shot.hits;
            match sight.cover {
                Some(Cover::Half) => hits -= 2,
                Some(Cover::Full) => hits -= 4,
                _ => {}
            }
            if shot.ranged {
                if *threatened.get_or_init(|| sk.is_threatened_at(self.who, here)) {
                    if shot.both_hands {
                        continue;
                    }
                    hits -= 4;
                }
                if !sk.view.board.within(here, shot.target, shot.near) {
                    hits -= 2;
                }
            }
            let hits = hits.clamp(0, 20);
            best = best.max(hits * shot.hit + (20 - hits) * shot.miss);
        }
        best
    }

    /// What it is worth to stand somewhere when the turn ends: near enough to
    /// its goal, out of harm.
    fn place(&self, at: Cell) -> i32 {
        let next = self.offense(at) / 3;
        next - self.danger(at) / 2 - self.way_to_go(at)
    }

    /// What the foes could do to it there until its next turn.
    fn danger(&self, at: Cell) -> i32 {
        let board = &self.sk.view.board;
        let here = Space::new(at, self.sk.body(self.who).size);
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
    /// shoot from there is where it wants to be.
    fn way_to_go(&self, at: Cell) -> i32 {
        let sk = self.sk;
        if let Some(cells) = self.steps_to_goal(at) {
            return i32::from(cells) * 40;
        }
        let here = Space::new(at, sk.body(self.who).size);
        let near = self.shots.iter().map(|s| cells_apart(here, s.target)).min();
        if self.offense(at) > 0 {
            // Fighters close in, however well they shoot; archers stay.
            return 0;
        }
        let sees = self
            .shots
            .iter()
            .any(|s| sk.view.board.sight(here, s.target).los);
        let steps = if sees {
            near.unwrap_or(0)
        } else {
            self.steps_to_foes(at)
        };
        i32::from(steps.min(200)) * 25
    }

    /// Steps to the place that an objective of its side sends it to, if any.
    fn steps_to_goal(&self, at: Cell) -> Option<u16> {
        let sk = self.sk;
        let side = sk.body(self.who).side;
        let own = sk
            .view
            .level()
            .objectives
            .iter()
            .filter(|o| side == o.side.into());
        let mut best: Option<u16> = None;
        for objective in own {
            let area = match &objective.goal {
                Goal::Reach { who, area, .. } if who.iter().any(|&w| Id::from(w) == self.who) => {
                    area
                }
                Goal::Capture { area, .. } => area,
                _ => continue,
            };
            let field = self
                .field
                .get_or_init(|| self.distances(area.iter().copied()));
            let steps = field[self.index(at)];
            best = Some(best.map_or(steps, |b| b.min(steps)));
        }
        best
    }

    fn steps_to_foes(&self, at: Cell) -> u16 {
        let foes = self.dangers.iter().flat_map(|d| d.space.cells());
        self.field.get_or_init(|| self.distances(foes))[self.index(at)]
    }

    fn index(&self, cell: Cell) -> usize {
        let width = usize::from(self.sk.view.board.width());
        usize::try_from(cell.y).unwrap_or(0) * width + usize::try_from(cell.x).unwrap_or(0)
    }

    /// Steps from every cell to the nearest of `goals`, creatures aside; a shut
    /// door counts as three steps more.
    fn distances(&self, goals: impl Iterator<Item = Cell>) -> Vec<u16> {
        let board = &self.sk.view.board;
        let mut steps = vec![u16::MAX; usize::from(board.width()) * usize::from(board.height())];
        let mut rings = vec![goals.filter(|&c| board.contains(c)).collect::<Vec<_>>()];
        let mut ring = 0;
        while ring < rings.len() {
            for cell in std::mem::take(&mut rings[ring]) {
                let n = self.index(cell);
                if steps[n] <= ring as u16 {
                    continue;
                }
                steps[n] = ring as u16;
                for to in cell.neighbours().into_iter().filter(|&c| board.contains(c)) {
                    let cost = match board.door(to) {
                        Some(false) => 4,
                        _ if board.can_stand(Space { at: to, size: 1 }) => 1,
                        _ => continue,
                    };
                    let flat = (board.stand(to) - board.stand(cell)).abs() <= 5.0;
                    if flat && steps[self.index(to)] > (ring + cost) as u16 {
                        if rings.len() <= ring + cost {
                            rings.resize_with(ring + cost + 1, Vec::new);
                        }
                        rings[ring + cost].push(to);
                    }
                }
            }
            ring += 1;
        }
        steps
    }

    /// What the attacks of those to whom it gives an opening may cost it.
    fn opening(&self, foes: impl Iterator<Item = Id>) -> i32 {
        foes.map(|foe| self.danger_of(foe).melee).sum()
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
