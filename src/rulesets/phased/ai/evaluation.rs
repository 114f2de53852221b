//! What an attack is worth, what a cell offers, and what it risks.

use super::{NEVER, SPOILT};
use crate::{
    battle::{Choice, Id, sent_to},
    content::{Effect, Save, Spell},
    grid::{Cell, Cover, Space, cells_apart},
    levels::Goal,
    rulesets::{
        common::ai::field::{Field, Fields},
        phased::{
            fighter::Group,
            ph::Ph,
            routine::{Routine, Way},
            spells,
        },
    },
};

/// To take a foe's last hit point is worth this much; all else is measured by
/// it.
const KILL: i32 = 1000;
/// To take all its hit points but one, by damage alone.
const HURT: i32 = 600;

/// To share a cell takes two out of the fight.
const CROWD: i32 = 2 * KILL;

/// A foe, with what each has against the other where nothing is in the way.
struct Foe {
    id: Id,
    space: Space,
    /// Worth of its best routine against me, in melee and from afar.
    melee: i32,
    ranged: i32,
    range: u16,
    /// Feet that it can come in a round.
    rate: u16,
    /// Worth of mine against it.
    strike: i32,
    shots: Vec<(u16, u16, i32)>,
}

pub struct Evaluation<'a, 'w, 's> {
    pub ph: &'a Ph<'w, 's>,
    pub who: Id,
    foes: Vec<Foe>,
    /// Paces to the nearest foe.
    to_foes: Field,
    /// Its own side has lost if it falls.
    is_ward: bool,
    /// Paces to where an objective sends it, if any does.
    goal: Option<Field>,
}

impl<'a, 'w, 's> Evaluation<'a, 'w, 's> {
    pub fn new(ph: &'a Ph<'w, 's>, who: Id, fields: &mut Fields) -> Self {
        let foes: Vec<Foe> = ph.foes_seen(who).map(|foe| regard(ph, who, foe)).collect();
        let (board, sent) = (&ph.view.board, sent_to(&ph.view, who));
        let bodies = foes.iter().map(|f| f.space).collect();
        Self {
            ph,
            who,
            foes,
            to_foes: fields.nearest_of(board, bodies),
            is_ward: is_ward(ph, who),
            goal: (!sent.is_empty()).then(|| fields.to(board, &sent)),
        }
    }

    /// What a routine is worth as things stand: harm, and a spell that it may
    /// spoil. Who listens is left alone.
    pub fn attack(&self, routine: &Routine) -> i32 {
        let Ok(forecasts) = self.ph.look(routine) else {
            return 0;
        };
        let target = self.ph.fighter(routine.at);
        let mut miss = 1000;
        let mut harm = 0;
        for forecast in &forecasts {
            let hit = forecast.hit().favourable as i32;
            miss = miss * (20 - hit) / 20;
            harm += hit * worth(forecast);
        }
        let mut value = harm / 20;
        if target.concentrates() {
            value += SPOILT * (1000 - miss) / 1000;
        }
        if target.listens {
            value -= KILL / 2;
        }
        value
    }

    /// What a spell is worth on one of those whom it takes: friends count
    /// against it.
    pub fn spell_on(&self, spell: &Spell, id: Id) -> i32 {
        let ph = self.ph;
        let body = ph.body(id);
        let friend = body.side == ph.body(self.who).side;
        // Nobody needs to be struck when down; a fallen friend may die of it.
        if !body.is_up() && matches!(spell.effect, Effect::Damage(_)) {
            return if friend { -KILL } else { 0 };
        }
        let known = ph.knows(self.who, id, false);
        if known && spells::is_immune(ph, spell, id) {
            return 0;
        }
        let (needs, _) = spells::save_against(ph, id, spell);
        let fails = match spell.save {
            Save::None => 20,
            _ => (needs - 1).clamp(0, 20),
        };
        match spell.effect {
            Effect::Damage(dice) => {
                let mean = dice.twice_mean() / 2;
                let half = if spell.save == Save::Half {
                    mean / 2
                } else {
                    0
                };
                let points = (mean * fails + half * (20 - fails)) / 20;
                let hp = body.hp.max(1);
                let harm = points.min(hp) * HURT / hp + if points >= hp { KILL / 2 } else { 0 };
                let spoilt = if ph.fighter(id).concentrates() {
                    SPOILT
                } else {
                    0
                };
                let value = harm + spoilt;
                if friend { -value * 3 / 2 } else { value }
            }
            Effect::Hold { rounds } => {
                let held = ph.fighter(id).held > 0;
                let danger = self.danger_from(Some(id)) + 200;
                if friend || held {
                    0
                } else {
                    danger * fails / 20 * rounds.min(4) / 2
                }
            }
            Effect::Heal(dice) => {
                let lost = (body.max_hp - body.hp).min(dice.twice_mean() / 2);
                let dying = if body.is_up() { 0 } else { 500 };
                if friend {
                    lost * HURT / body.max_hp.max(1) + dying
                } else {
                    0
                }
            }
            Effect::Ward { ac, .. } => {
                let warded = ph.fighter(id).ward.is_some();
                if friend && !warded {
                    20 * ac + if ph.in_melee(id) { 60 } else { 0 }
                } else {
                    0
                }
            }
        }
    }

    /// What the attacks of a foe are worth to it, against me.
    pub fn danger_from(&self, foe: Option<Id>) -> i32 {
        let known = self.foes.iter().find(|f| Some(f.id) == foe);
        known.map_or(0, |f| f.melee.max(f.ranged))
    }

    /// What those next to it may do to it now.
    pub fn danger_beside(&self) -> i32 {
        let beside = self
            .foes
            .iter()
            .filter(|f| self.ph.reaches(f.id, self.who).is_ok());
        beside.map(|f| f.melee).sum()
    }

    /// What it is worth to stand somewhere when the round is over.
    pub fn place(&self, at: Cell) -> i32 {
        if self.is_ward {
            return -self.danger(at) - self.crowd(at);
        }
        let offense = self.offense(at);
        offense / 3 - self.danger(at) / 3 - self.way_to_go(at, offense) - self.crowd(at)
    }

    /// Nobody fights who shares a cell (PH-52).
    fn crowd(&self, at: Cell) -> i32 {
        let space = self.space(at);
        let there = |id: Id| {
            let body = self.ph.body(id);
            id != self.who && body.is_up() && body.space().overlaps(space)
        };
        match self.ph.view.ids().any(there) {
            true => CROWD,
            false => 0,
        }
    }

    /// Its best attack from a cell, next round.
    pub fn offense(&self, at: Cell) -> i32 {
        let board = &self.ph.view.board;
        let here = self.space(at);
        let beside = |f: &&Foe| cells_apart(here, f.space) <= 1 && board.in_reach(here, f.space, 5);
        if let Some(best) = self.foes.iter().filter(beside).map(|f| f.strike).max() {
            return best.max(1);
        }
        let mut best = 0;
        for foe in &self.foes {
            let most = foe.shots.iter().map(|s| s.2).max().unwrap_or(0);
            if most <= best {
                continue;
            }
            let sight = board.sight(here, foe.space);
            let Some(distance) = board.distance(here, foe.space).filter(|_| sight.los) else {
                continue;
            };
            let clear = match sight.cover {
                Some(Cover::Full) => 3,
                Some(Cover::Half) => 7,
                _ => 10,
            };
            for &(near, far, worth) in &foe.shots {
                if distance.is_within(far.into()) {
                    let near = distance.is_within(near.into());
                    let range = if near { 10 } else { 8 };
                    best = best.max(worth * clear * range / 100);
                }
            }
        }
        best
    }

    fn space(&self, at: Cell) -> Space {
        Space::new(at, self.ph.body(self.who).size)
    }

    /// What the foes could do to it there in the next round.
    pub fn danger(&self, at: Cell) -> i32 {
        let board = &self.ph.view.board;
        let here = self.space(at);
        let mut sum = 0;
        for foe in &self.foes {
            let apart = cells_apart(foe.space, here) * 5;
            let melee = match apart {
                0..=5 => foe.melee,
                _ if apart <= foe.rate + 5 => foe.melee / 2,
                _ => 0,
            };
            let mut ranged = 0;
            if foe.ranged > melee && apart <= foe.range {
                let sight = board.sight(foe.space, here);
                ranged = match (sight.los, sight.cover) {
                    (false, _) => 0,
                    (_, Some(Cover::Half)) => foe.ranged * 7 / 10,
                    (_, Some(Cover::Full)) => foe.ranged * 3 / 10,
                    _ => foe.ranged,
                };
            }
            sum += melee.max(ranged);
        }
        sum
    }

    /// How far it is from where it wants to be, at so much a cell; who can
    /// attack from there is where it wants to be.
    fn way_to_go(&self, at: Cell, offense: i32) -> i32 {
        if let Some(cells) = self.steps_to_goal(at) {
            return i32::from(cells) * 40;
        }
        if offense > 0 {
            return 0;
        }
        // Who waits in ambush does not wait for ever.
        let haste = 20 + 5 * i32::from(self.ph.clock.round.min(10));
        i32::from(self.steps_to_foes(at).min(200)) * haste
    }

    pub fn is_ward(&self) -> bool {
        self.is_ward
    }

    pub fn way_here(&self) -> i32 {
        let here = self.ph.body(self.who).at;
        self.way_to_go(here, self.offense(here))
    }

    pub fn has_far_to_go(&self) -> bool {
        let here = self.ph.body(self.who).at;
        self.steps_to_goal(here).is_some_and(|steps| steps > 0)
    }

    /// Some foe who does not shoot can be here before it would be struck; and
    /// none shoots (PH-16).
    pub fn had_better_wait(&self) -> bool {
        if self.ph.clock.round > 6 || self.has_far_to_go() {
            return false;
        }
        let here = self.space(self.ph.body(self.who).at);
        let comes = |f: &&Foe| {
            let apart = cells_apart(f.space, here) * 5;
            let later = self.ph.group(f.id) == Group::Low;
            later && !self.ph.in_melee(f.id) && apart <= f.rate + 5 && f.melee > 0
        };
        self.foes.iter().all(|f| f.ranged == 0) && self.foes.iter().any(|f| comes(&f))
    }

    /// A door is opened when the way to the foes leads through it.
    pub fn open(&self, choice: &Choice) -> i32 {
        let here = self.ph.body(self.who).at;
        let Some(door) = choice.to else { return NEVER };
        let (from, through) = match (self.steps_to_goal(here), self.steps_to_goal(door)) {
            (Some(a), Some(b)) => (a, b),
            _ if self.offense(here) > 0 => return NEVER,
            _ => (self.steps_to_foes(here), self.steps_to_foes(door)),
        };
        match through < from {
            true => self.place(here) + 60,
            false => NEVER,
        }
    }

    /// Paces to the place that an objective of its side sends it to, if any.
    fn steps_to_goal(&self, at: Cell) -> Option<u16> {
        self.goal.as_ref().map(|field| field.paces(at))
    }

    fn steps_to_foes(&self, at: Cell) -> u16 {
        self.to_foes.paces(at)
    }
}

/// Whether an objective of its side is that it stays on its feet.
fn is_ward(ph: &Ph, who: Id) -> bool {
    let side = ph.body(who).side;
    let objectives = &ph.view.level().objectives;
    let mut own = objectives.iter().filter(|o| side == o.side.into());
    own.any(
        |o| matches!(&o.goal, Goal::Protect(wards) if wards.iter().any(|&w| Id::from(w) == who)),
    )
}

/// What a foe and I have against each other, in the open.
fn regard(ph: &Ph, who: Id, foe: Id) -> Foe {
    let (melee, shots_at_me) = arms(ph, foe, who);
    let (strike, shots) = arms(ph, who, foe);
    Foe {
        id: foe,
        space: ph.body(foe).space(),
        melee,
        ranged: shots_at_me.iter().map(|s| s.2).max().unwrap_or(0),
        range: shots_at_me.iter().map(|s| s.1).max().unwrap_or(0),
        rate: if ph.fighter(foe).held > 0 {
            0
        } else {
            ph.rate(foe)
        },
        strike,
        shots,
    }
}

/// The worth of the best routine in melee, and of each kind of missile with
/// its normal and its longest range in feet.
fn arms(ph: &Ph, by: Id, at: Id) -> (i32, Vec<(u16, u16, i32)>) {
    let value = |routine: Routine| {
        let blows = ph.blows(&routine);
        let one = |blow| {
            let forecast = ph.plain_forecast(blow);
            forecast.hit().favourable as i32 * worth(&forecast)
        };
        blows.iter().map(one).sum::<i32>() / 20
    };
    let items = ph.strike_items(by);
    let ready = items.into_iter().filter(|&i| ph.readying(by, i).is_ok());
    let melee = ready.map(|i| value(Routine::new(by, at, i, Way::Strike, "PH-35")));
    let melee = melee.max().unwrap_or(0);
    let feet = |n: i32| n.clamp(0, 30_000) as u16;
    let mut shots = vec![];
    for item in ph.gear(by).at_hand() {
        if let Some(ranged) = &ph.weapon(item).ranged {
            let worth = value(Routine::new(by, at, item, Way::Shoot, "PH-35"));
            shots.push((feet(ranged.normal), feet(ranged.long), worth));
        }
    }
    (melee, shots)
}

/// What a hit is worth.
fn worth(f: &crate::rulesets::phased::odds::Forecast) -> i32 {
    let hp = f.hp.max(1);
    let mean = f.damage.mean_by_ten().min(hp * 10);
    let drop = f.damage.at_least(hp);
    let kill = (KILL * drop.favourable as i32).checked_div(drop.of as i32);
    mean * HURT / 10 / hp + kill.unwrap_or(0)
}
