//! Moving: where one gets to, and the steps of it.

use super::{Phased, acts, concentration, fast::FLEE, ph::Ph, wounds};
use crate::{
    battle::{
        Change, Choice, DiceBox, Flow, Id, Verb, Why,
        movement::{Ways, fall},
    },
    grid::{Cell, Occupant, Range, Space, Walk},
    rulesets::common::{
        moves::{self, MoveStep, Moves},
        paths::HandLaid,
    },
};

/// How somebody moves.
#[derive(Clone, Copy, Debug)]
pub struct Gait {
    /// Feet of the whole move.
    feet: u16,
    /// Those in whose cell it means to end (PH-52), as a bit set. It stops short
    /// of others who have come there since the move was chosen: two who move at
    /// once do not squeeze into one cell by mistake.
    meets: u64,
}

pub type Mover = moves::Mover<Gait>;

/// A move of so many feet at most along these cells, in order.
pub fn go(who: Id, feet: u16, path: Vec<Cell>) -> MoveStep<Phased> {
    let meets = u64::MAX;
    MoveStep::of(Mover::new(who, Gait { feet, meets }, path))
}

/// The same, and nobody is to come to its end meanwhile.
pub fn go_to(ph: &Ph, who: Id, feet: u16, path: Vec<Cell>) -> MoveStep<Phased> {
    let meets = path.last().map_or(0, |&end| jostle(ph, who, end));
    MoveStep::of(Mover::new(who, Gait { feet, meets }, path))
}

impl Moves for Phased {
    type Gait = Gait;

    fn ways(ph: &Ph, mover: &Mover) -> Ways {
        ph.ways(mover.who)
    }

    fn budget(_: &Ph, mover: &Mover) -> Result<u16, Why> {
        Ok(mover.gait.feet)
    }

    fn sets_out(ph: &Ph, mover: &mut Mover, flow: &mut Flow) {
        ph.reveal(mover.who, flow);
        while let Some(&end) = mover.path.back()
            && jostle(ph, mover.who, end) & !mover.gait.meets != 0
        {
            mover.path.pop_back();
            mover.gait.meets = 0;
        }
    }

    fn finds(ph: &Ph, mover: &Mover, to: Cell, flow: &mut Flow) -> bool {
        let who = mover.who;
        let Some(foe) = ph.lurker(who, Space::new(to, ph.body(who).size)) else {
            return false;
        };
        ph.reveal(foe, flow);
        let why = "somebody was hiding there".into();
        flow.emit("PH-06", Change::Stopped { who, why });
        true
    }

    fn goes(ph: &Ph, mover: &mut Mover, to: Cell, _: u16, _: &mut Flow) {
        mover.met |= jostle(ph, mover.who, to);
    }

    fn falls(ph: &Ph, who: Id, feet: u16, dice: &mut DiceBox, flow: &mut Flow) {
        let points = fall(who, feet, dice, flow);
        concentration::breaks(ph, who, flow);
        wounds::suffer(ph, who, points, true, flow);
    }

    /// PH-25: concentration ends of who passes and of who is passed. Two may
    /// squeeze into a cell (PH-52).
    fn stops(ph: &Ph, mover: &Mover, flow: &mut Flow) {
        for other in ph.view.ids().filter(|id| mover.met & id.bit() != 0) {
            if ph.fighter(other).concentrates() {
                concentration::jostled(ph, other, flow);
            }
        }
        if mover.met != 0 && ph.fighter(mover.who).concentrates() {
            concentration::jostled(ph, mover.who, flow);
        }
    }
}

impl HandLaid for Phased {
    fn is_move(verb: &'static Verb) -> bool {
        verb == &acts::GO
    }

    fn mover(ph: &Ph, _: &Choice, who: Id) -> Result<Mover, Why> {
        acts::can_go(ph, who)?;
        if !ph.clock.part.has_other() {
            return Err(Why::new("PH-13", "not in this part of the round"));
        }
        let (feet, meets) = (ph.rate(who), 0);
        Ok(Mover::new(who, Gait { feet, meets }, []))
    }

    fn may_end(ph: &Ph, who: Id, ways: &Ways, _: &Walk, at: Cell) -> bool {
        ph.may_end(who, ways, at)
    }
}

/// Those in whose cells it is, as a bit set.
fn jostle(ph: &Ph, who: Id, at: Cell) -> u64 {
    let space = Space::new(at, ph.body(who).size);
    let there = |id: &Id| {
        let known = !ph.fighter(*id).hidden || ph.body(*id).side == ph.body(who).side;
        *id != who && known && ph.is_up(*id) && ph.body(*id).space().overlaps(space)
    };
    ph.view
        .ids()
        .filter(there)
        .fold(0, |set, id| set | id.bit())
}

impl Ph<'_, '_> {
    /// The ways of a mover; to come next to a foe is to be in melee (PH-50).
    pub fn ways(&self, who: Id) -> Ways {
        let reach = |foe: Id| (!self.fighter(foe).hidden).then_some(5);
        let mut ways = self.view.ways(who, reach);
        self.overlook_hidden(who, &mut ways);
        ways
    }

    /// Where so many feet take it, whatever it passes on the way.
    pub fn range(&self, who: Id, feet: u16) -> Range {
        let ways = self.ways(who);
        self.range_by(who, &ways, feet)
    }

    fn range_by(&self, who: Id, ways: &Ways, feet: u16) -> Range {
        let from = self.body(who).at;
        self.view.walk(who, ways, |walk| walk.range(from, feet))
    }

    /// The ends of a move of so many feet, with what each costs: it may come
    /// next to a foe, and there it stops, for leaving melee is flight (PH-50).
    /// One may squeeze into an ally's cell (PH-52).
    pub fn ends(&self, who: Id, feet: u16) -> Vec<(Cell, u16)> {
        let routes = Routes::of(self, who, feet);
        let here = self.body(who).at;
        let cells = routes.straight.cells().filter(|end| end.cell != here);
        let stops = |cell: Cell| self.may_end(who, &routes.ways, cell);
        let priced = |end: crate::grid::Reached| {
            let feet = match end.provoked {
                0 => end.feet,
                _ => routes.round.as_ref()?.get(end.cell)?.feet,
            };
            Some((end.cell, feet))
        };
        cells
            .filter(|end| stops(end.cell))
            .filter_map(priced)
            .collect()
    }

    /// The cells of such a move, without the first.
    pub fn path(&self, who: Id, feet: u16, to: Cell) -> Vec<Cell> {
        let routes = Routes::of(self, who, feet);
        let direct = routes.straight.get(to).is_some_and(|end| end.provoked == 0);
        let path = match &routes.round {
            Some(round) if !direct => round.path(to),
            _ => routes.straight.path(to),
        };
        path.into_iter().skip(1).collect()
    }

    /// The ends of a walk of this kind: flight passes whom it likes, all others
    /// keep clear of foes.
    pub fn walk_ends(&self, who: Id, verb: &'static Verb, feet: u16) -> Vec<(Cell, u16)> {
        if verb != &FLEE {
            return self.ends(who, feet);
        }
        let (range, ways) = (self.range(who, feet), self.ways(who));
        let here = self.body(who).at;
        let ends = range
            .cells()
            .filter(|e| e.cell != here && self.may_end(who, &ways, e.cell));
        ends.map(|e| (e.cell, e.feet)).collect()
    }

    /// The cells of such a walk, without the first.
    pub fn walk_path(&self, who: Id, verb: &'static Verb, to: Cell) -> Vec<Cell> {
        let rate = self.rate(who);
        match verb == &FLEE {
            true => self.range(who, rate).path(to).into_iter().skip(1).collect(),
            false => self.path(who, rate, to),
        }
    }

    /// GR-03, PH-52: nobody stands there, or an ally does who makes room.
    pub fn may_end(&self, who: Id, ways: &Ways, at: Cell) -> bool {
        let space = Space::new(at, self.body(who).size);
        let taken = space.cells().map(|c| ways.occupant(c));
        taken.max().is_none_or(|o| o < Occupant::Foe)
    }
}

/// Two searches: the nearest ways, and those that keep clear of foes.
struct Routes {
    ways: Ways,
    straight: Range,
    round: Option<Range>,
}

impl Routes {
    fn of(ph: &Ph, who: Id, feet: u16) -> Self {
        let ways = ph.ways(who);
        let straight = ph.range_by(who, &ways, feet);
        let passes = straight.cells().any(|end| end.provoked != 0);
        let round = passes.then(|| {
            let quiet = ways.avoiding_threats(ph.body(who).at);
            ph.range_by(who, &quiet, feet)
        });
        Self {
            ways,
            straight,
            round,
        }
    }
}
