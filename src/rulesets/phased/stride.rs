//! Moving: where one gets to, and the steps of it.

use super::{concentration, fast::FLEE, ph::Ph, wounds};
use crate::{
    battle::{
        Change, DiceBox, Flow, Id, Verb,
        movement::{Ways, fall},
    },
    grid::{Cell, Occupant, Range, Space},
    system_step,
};
use bevy::ecs::system::{In, ResMut};
use std::collections::VecDeque;

/// What is left of a move. Nothing interrupts it but a wall that was not
/// there, or a fall.
#[derive(Clone, Debug)]
pub struct Stride {
    who: Id,
    path: VecDeque<Cell>,
    /// Those in whose cell it means to end (PH-52), as a bit set.
    meets: u64,
}
system_step!(Stride, stride);

impl Stride {
    /// `path`: the cells to step on, in order.
    pub fn new(who: Id, path: impl IntoIterator<Item = Cell>) -> Self {
        Self {
            who,
            path: path.into_iter().collect(),
            meets: u64::MAX,
        }
    }

    /// It stops short of who has come to its end since it was chosen: two who
    /// move at once do not squeeze into one cell by mistake.
    pub fn expecting(self, ph: &Ph, end: Cell) -> Self {
        let meets = jostle(ph, self.who, end);
        Self { meets, ..self }
    }
}

fn stride(In(mut step): In<Stride>, ph: Ph, mut dice: ResMut<DiceBox>) -> Flow {
    let who = step.who;
    let mut flow = Flow::default();
    if !ph.is_up(who) {
        return flow;
    }
    ph.reveal(who, &mut flow);
    while let Some(&end) = step.path.back()
        && jostle(&ph, who, end) & !step.meets != 0
    {
        step.path.pop_back();
        step.meets = 0;
    }
    let mut ways = ph.view.ways(who, |_| None);
    ph.overlook_hidden(who, &mut ways);
    let (mut at, mut odd, mut jostled) = (ph.body(who).at, false, 0u64);
    for to in step.path {
        if let Some(foe) = ph.lurker(who, Space::new(to, ph.body(who).size)) {
            ph.reveal(foe, &mut flow);
            let why = "somebody was hiding there".into();
            flow.emit("PH-06", Change::Stopped { who, why });
            break;
        }
        let cost = ph
            .view
            .walk(who, &ways, |walk| walk.step_in_move(at, to, odd));
        let cost = match cost {
            Ok(cost) => cost,
            Err(why) => {
                let why = why.to_string().into();
                flow.emit("GR-30", Change::Stopped { who, why });
                break;
            }
        };
        odd ^= cost.diagonal;
        let (from, feet) = (at, cost.feet);
        flow.emit(
            "GR-31",
            Change::Moved {
                who,
                from,
                to,
                feet,
            },
        );
        at = to;
        jostled |= jostle(&ph, who, to);
        if cost.fall > 0 {
            let points = fall(who, cost.fall, &mut dice, &mut flow);
            concentration::breaks(&ph, who, &mut flow);
            wounds::suffer(&ph, who, points, true, &mut flow);
            break;
        }
    }
    // PH-25: who passes and who is passed.
    for other in ph.view.ids().filter(|id| jostled & id.bit() != 0) {
        if ph.fighter(other).concentrates() {
            concentration::breaks(&ph, other, &mut flow);
        }
    }
    if jostled != 0 && ph.fighter(who).concentrates() {
        concentration::breaks(&ph, who, &mut flow);
    }
    flow
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
