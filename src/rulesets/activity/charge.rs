//! Charges: a straight run into an attack (AC-21).

use super::{
    ac::Ac,
    targets::{attack, usable},
    turn::CHARGE,
};
use crate::{
    battle::{Attack, Choice, Id, Item, Offer, Why},
    grid::{Cell, Occupant, Space},
};

/// Feet of a charge.
pub fn run_of(ac: &Ac, choice: &Choice) -> u16 {
    let (Some(who), Some(foe)) = (choice.who, choice.at) else {
        return 0;
    };
    let path = run_up(ac, who, foe, u16::MAX);
    let end = path.iter().find(|pace| Some(pace.cell) == choice.to);
    end.map_or(0, |pace| pace.run)
}

/// AC-21: a straight run of at least 25 ft into an attack, both paid for.
pub fn charges(ac: &Ac, who: Id, percent: i32) -> Vec<Offer> {
    let t = ac.tables();
    let feet = ac.feet(who, percent - t.costs.melee.0, false);
    let mut out = vec![];
    for foe in ac.foes(who) {
        let path = run_up(ac, who, foe, feet);
        let arms: Vec<Item> = ac
            .gear(who)
            .ready()
            .filter(|&n| usable(ac, who, n, false))
            .collect();
        for item in arms {
            let first = path.iter().find(|step| {
                let choice = Choice::new(&CHARGE, who).at(foe).with(item).to(step.cell);
                let attack = Attack {
                    extra: vec![],
                    ..attack(ac, &choice, percent)
                };
                ac.forecast_from(&attack, step.cell).is_ok()
            });
            let Some(&Pace { cell, run, drawn }) = first else {
                continue;
            };
            let choice = Choice::new(&CHARGE, who).at(foe).with(item).to(cell);
            let legal = if run < t.charge_least {
                let text = format!("a run of {run} ft, and {} are needed", t.charge_least);
                Err(Why::new("AC-21", text))
            } else {
                Ok(())
            };
            out.push(Offer::from(choice, legal).priced(run, drawn));
        }
    }
    out
}

/// Some foe could be charged now with so many percent.
pub fn can_charge(ac: &Ac, who: Id, percent: i32) -> bool {
    charges(ac, who, percent).iter().any(Offer::is_legal)
}

/// A cell of a run.
#[derive(Clone, Copy, Debug)]
pub struct Pace {
    pub cell: Cell,
    /// Feet to it.
    pub run: u16,
    /// The foes whose reach is left by then, as a bit set (AC-36).
    pub drawn: u64,
}

/// The cells of the straight line towards `foe`. Every cell that the line
/// crosses must be free.
pub fn run_up(ac: &Ac, who: Id, foe: Id, budget: u16) -> Vec<Pace> {
    let (mine, theirs) = (ac.body(who), ac.body(foe));
    if mine.prone {
        return vec![];
    }
    let end = i16::from(theirs.size) - 1;
    let clamp = |v: i16, low: i16| v.clamp(low, low + end);
    let goal = Cell::new(clamp(mine.at.x, theirs.at.x), clamp(mine.at.y, theirs.at.y));
    let ways = ac.ways(who, false);
    let (mut path, mut at, mut feet, mut odd) = (vec![], mine.at, 0, false);
    let mut drawn = 0;
    for stage in crate::grid::straight(mine.at, goal) {
        let blocked = |cell: &Cell| {
            let space = Space::new(*cell, mine.size);
            let taken = |c| ways.occupant(c) != Occupant::Nobody;
            space.cells().any(taken) || !ac.view.board.can_stand(space)
        };
        if stage.crossed.iter().any(blocked) || blocked(&stage.to) {
            break;
        }
        let step = ac
            .view
            .walk(who, &ways, |walk| walk.step_in_move(at, stage.to, odd));
        let Ok(cost) = step else { break };
        if cost.fall > 0 || feet + cost.feet > budget {
            break;
        }
        feet += cost.feet;
        odd ^= cost.diagonal;
        drawn |= ways.left(at, stage.to);
        at = stage.to;
        path.push(Pace {
            cell: at,
            run: feet,
            drawn,
        });
    }
    path
}
