//! What to declare, given what the enemy may do.

use super::{Evaluation, NEVER, evaluation::CROWD};
use crate::rulesets::phased::content::{PhasedArms, PhasedSpell};
use crate::{
    battle::{Choice, Id, Offer},
    content::SpellArea,
    grid::{Cell, Space},
    rulesets::phased::{
        fast,
        movement::{charge_feet, charge_line},
        query::PhasedQuery,
        reactions::FREE_ATTACK,
        routine::{AttackWay, Routine},
        spells,
        state::{DeclaredPlan, Job},
    },
};

/// A normal turn: attack from here, or else move closer.
pub fn as_it_comes(eval: &Evaluation) -> i32 {
    let here = eval.state.body(eval.who).at;
    eval.offense(here).max(60)
}

/// A charge attacks before both groups and hits more often, but leaves the unit open, and a set
/// weapon would attack it first (PH-42).
pub fn charge(eval: &Evaluation, choice: &Choice) -> i32 {
    let (Some(at), Some(with)) = (choice.at, choice.with) else {
        return NEVER;
    };
    let ph = eval.state;
    if eval.has_far_to_go() || eval.is_protected() {
        return NEVER;
    }
    let routine = Routine::of_charge(ph, choice);
    let blows = ph.blows(&routine);
    let harm = |blow| {
        let forecast = ph.unobstructed_forecast(blow);
        let hp = forecast.hp.max(1);
        forecast.mean_damage_x200() * 4 / hp + forecast.drop().percent() as i32 * 6
    };
    let value: i32 = blows.iter().map(harm).sum();
    let spoils = if ph.fighter(at).concentrates() {
        super::SPOILT / 2
    } else {
        0
    };
    let can_be_set = |item| ph.weapon(item).section::<PhasedArms>().set;
    let may_be_set = ph.strike_items(at).into_iter().any(can_be_set) && !ph.in_melee(at);
    let risk = if may_be_set {
        eval.danger_from(at) / 3
    } else {
        0
    };
    let swap = if ph.readying(eval.who, with).unwrap_or(0) > 0 {
        15
    } else {
        0
    };
    let crowd = match charge_end(ph, eval.who, at) {
        Some(end) if is_claimed(eval, end) => CROWD,
        Some(end) => eval.crowd(end),
        None => 0,
    };
    value + spoils + 40 - risk - eval.danger_from(at) / 8 - swap - crowd
}

/// The cell where a unit's charge would end.
fn charge_end(ph: &PhasedQuery, who: Id, at: Id) -> Option<Cell> {
    let line = charge_line(ph, who, at, charge_feet(ph, who)).ok()?;
    line.last().copied()
}

/// Whether an ally has declared a charge that ends there.
fn is_claimed(eval: &Evaluation, end: Cell) -> bool {
    let (ph, space) = (eval.state, eval.space(end));
    let mut comrades = ph
        .view
        .standing(ph.body(eval.who).side)
        .filter(|&id| id != eval.who);
    comrades.any(|id| match ph.fighter(id).plan {
        Some(DeclaredPlan::Charge { at, .. }) => charge_end(ph, id, at)
            .is_some_and(|there| Space::new(there, ph.body(id).size).overlaps(space)),
        _ => false,
    })
}

/// A spell's worth, less the risk that it is spoiled before it completes.
pub fn cast(eval: &Evaluation, choice: &Choice) -> i32 {
    let (ph, who) = (eval.state, eval.who);
    let Some(spell) = choice.spell else {
        return NEVER;
    };
    let known = ph.view.spell(spell);
    let best = match known.area {
        SpellArea::One => {
            let in_reach = ph.view.ids().filter(|&id| {
                let meant = spells::is_subject(ph, who, known, id);
                meant && spells::can_affect(ph, who, known, id).is_ok()
            });
            in_reach
                .map(|id| eval.spell_on(known, id))
                .max()
                .unwrap_or(0)
        }
        SpellArea::Blast(_) | SpellArea::Cone(_) | SpellArea::Line(_) => {
            let feet = match known.area {
                SpellArea::Cone(n) | SpellArea::Line(n) => n,
                _ => known.range,
            };
            let near = |id: &Id| {
                ph.view.within(who, *id, feet.clamp(0, 1000) as u16)
                    && ph
                        .view
                        .board
                        .sight(ph.body(who).space(), ph.body(*id).space())
                        .los
            };
            let meant = |id: &Id| spells::is_subject(ph, who, known, *id);
            let aimed = ph.view.ids().filter(meant).filter(near).map(|at| {
                let caught = spells::caught(ph, who, known, ph.body(at).at);
                caught
                    .into_iter()
                    .map(|id| eval.spell_on(known, id))
                    .sum::<i32>()
            });
            aimed.max().unwrap_or(0)
        }
    };
    let slow = i32::from(known.section::<PhasedSpell>().segments.min(10));
    let sure = (90 - 2 * slow - 35 * adjacent_penalty(eval)).max(5);
    if best <= 0 { NEVER } else { best * sure / 100 }
}

/// The number of enemies that could break the unit's concentration: adjacent ones, and half of the
/// ones that could shoot.
fn adjacent_penalty(eval: &Evaluation) -> i32 {
    let (ph, who) = (eval.state, eval.who);
    let beside = ph.adjacent_enemies(who).count() as i32;
    let shoots = |enemy: &Id| {
        let shot = |item| {
            ph.look(&Routine::new(*enemy, who, item, AttackWay::Shoot, "PH-35"))
                .is_ok()
        };
        ph.gear(*enemy).at_hand().any(shot)
    };
    let shooters = ph
        .enemies_seen(who)
        .filter(|enemy| !ph.in_melee(*enemy) && shoots(enemy))
        .count();
    beside + (shooters as i32).div_euclid(2)
}

/// The worth of not reacting. The unit's own casting is worth more than an attack out of turn, a
/// spell that it keeps up more than a free attack, which would end it (PH-21).
pub fn own_spell(eval: &Evaluation, offers: &[Offer]) -> i32 {
    let f = eval.state.fighter(eval.who);
    let free = offers.iter().any(|o| o.choice.verb == &FREE_ATTACK);
    match f.casting.is_some() || free && f.upkeep.is_some() {
        true => 500,
        false => 0,
    }
}

/// Setting a weapon pays if an enemy is likely to charge.
pub fn set(eval: &Evaluation, choice: &Choice) -> i32 {
    let (ph, who) = (eval.state, eval.who);
    let Some(with) = choice.with else {
        return NEVER;
    };
    if ph.clock.round > 4 || eval.has_far_to_go() {
        return NEVER;
    }
    let comes = |enemy: &Id| {
        let shoots = ph
            .gear(*enemy)
            .at_hand()
            .any(|i| ph.weapon(i).ranged.is_some());
        !shoots && charge_line(ph, *enemy, who, charge_feet(ph, *enemy)).is_ok()
    };
    let times = ph.tables().numbers.set_times;
    let value = |enemy| {
        let routine = Routine::new(who, enemy, with, AttackWay::Strike, "PH-42").times(times);
        let first = ph.blows(&routine).into_iter().next();
        let forecast = first.map(|blow| ph.unobstructed_forecast(&blow));
        forecast.map_or(0, |f| f.mean_damage_x200() * 3 / f.hp.max(1))
    };
    ph.enemies_seen(who)
        .filter(comes)
        .map(value)
        .max()
        .map_or(NEVER, |n| n / 2)
}

/// Acting in LOW pays for a unit that waits for enemies anyway: one that comes close in HIGH is
/// attacked first (PH-16).
pub fn delay(eval: &Evaluation) -> i32 {
    let (ph, who) = (eval.state, eval.who);
    let here = ph.body(who).at;
    // A spell is better used early.
    if ph.fighter(who).casting.is_some() {
        return NEVER;
    }
    if ph.in_melee(who) || eval.offense(here) > 0 || ph.clock.round > 4 || eval.has_far_to_go() {
        return NEVER;
    }
    let near = |enemy: &Id| {
        let feet = ph.rate(*enemy) * 2 + 5;
        !ph.in_melee(*enemy) && ph.view.within(who, *enemy, feet)
    };
    match ph.enemies_seen(who).any(|enemy| near(&enemy)) {
        true => 70,
        false => NEVER,
    }
}

/// A parley is for the weaker side, and keeps enemies from attacking that could attack this round.
pub fn parley(eval: &Evaluation) -> i32 {
    let (ph, who) = (eval.state, eval.who);
    let side = ph.body(who).side;
    let strength =
        |ids: &mut dyn Iterator<Item = Id>| ids.map(|id| ph.body(id).hp.max(0)).sum::<i32>();
    let own = strength(&mut ph.view.standing(side));
    let theirs = strength(&mut ph.view.enemies(side));
    let first = ph.view.standing(side).find(|&id| !ph.in_melee(id));
    if own * 2 > theirs || first.is_some_and(|id| id != who) {
        return NEVER;
    }
    let hearers = fast::hearers(ph, who).into_iter();
    hearers.filter(|&enemy| ph.can_act(enemy)).count() as i32 * 60
}

/// Fleeing from a losing melee: for a unit with a place to reach or without room to fight, or for a
/// caster that is no match for the enemies next to it.
pub fn flight(eval: &Evaluation) -> i32 {
    let (ph, who) = (eval.state, eval.who);
    if !ph.in_melee(who) {
        return NEVER;
    }
    let (body, drawn) = (ph.body(who), eval.danger_beside());
    if eval.has_far_to_go() || is_crowded_out(eval) {
        // Fleeing is worth as much as the best cell it leads to.
        let ends = ph.flight_ends(who, 0).into_iter();
        let best = ends.map(|end| eval.place(end.to)).max();
        let gain = best.map_or(0, |best| best - eval.place(body.at));
        return gain - drawn;
    }
    let casts = ph.view.sheet(who).spells.iter().any(|&s| {
        ph.view
            .spell(s)
            .section::<PhasedSpell>()
            .craft
            .is_declared()
            && spells::can_begin(ph, who, s).is_ok()
    });
    let hurt = body.hp * 3 <= body.max_hp;
    let weak = eval.offense(body.at) * 3 < drawn;
    match casts && weak && !hurt {
        true => drawn / 2,
        false => NEVER,
    }
}

/// Units that share a cell cannot fight (PH-52): all but the first of them should leave.
fn is_crowded_out(eval: &Evaluation) -> bool {
    let (ph, space) = (eval.state, eval.state.body(eval.who).space());
    let mut before = ph.view.ids().take_while(|&id| id != eval.who);
    before.any(|id| ph.is_up(id) && ph.body(id).space().overlaps(space))
}

/// Worth more the closer the ally is to death. One helper is enough, and the work takes a round in
/// which enemies may come.
pub fn bind(eval: &Evaluation, choice: &Choice) -> i32 {
    let (ph, who) = (eval.state, eval.who);
    let Some(fallen) = choice.at else {
        return NEVER;
    };
    let what = Job::Bind { at: fallen };
    let same = |id: Id| ph.fighter(id).plan == Some(DeclaredPlan::Work { what });
    let mut others = ph.view.standing(ph.body(who).side).filter(|&id| id != who);
    if ph.in_melee(who) || others.any(same) {
        return NEVER;
    }
    let near_death = (-ph.body(fallen).hp).clamp(0, 10);
    150 + 50 * near_death - eval.danger(ph.body(who).at) / 4
}

/// Loading is worth what the unit could do from here; not in melee.
pub fn load(eval: &Evaluation) -> i32 {
    let here = eval.state.body(eval.who).at;
    match eval.state.in_melee(eval.who)
        || eval.state.fighter(eval.who).work.is_none() && eval.offense(here) < 1
    {
        true => NEVER,
        false => eval.offense(here) + 20,
    }
}
