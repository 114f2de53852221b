//! What to declare, given what the enemy may do.

use super::super::{
    fast,
    movement::charge_line,
    reactions::FREE_ATTACK,
    state::{DeclaredPlan, Job},
};
use super::{
    AttackWay, CROWD, Evaluation, Phased, PhasedQuery, PhasedSpell, QuickAi, Routine, charge_feet,
    spells,
};
use crate::{
    battle::{Choice, Id},
    content::SpellArea,
    grid::{Cell, Space},
};

/// A charge attacks before both groups and hits more often, but leaves the unit open, and a set
/// weapon would attack it first (PH-42).
pub fn charge(eval: &Evaluation, choice: &Choice) -> Option<i32> {
    let (ph, at, with) = (eval.state, choice.at?, choice.with?);
    if eval.has_far_to_go() || eval.is_protected() {
        return None;
    }
    let routine = Routine::of_charge(ph, choice);
    let specs = ph.specs(&routine);
    let harm = |spec| {
        let forecast = ph.unobstructed_forecast(spec);
        let hp = forecast.hp.max(1);
        forecast.mean_damage_x200() * 4 / hp + forecast.drop().percent() as i32 * 6
    };
    let value: i32 = specs.iter().map(harm).sum();
    let spoils = Phased::worth_of_disrupting(ph, at) / 2;
    let can_be_set = |item| ph.weapon_stats(item).set;
    let may_be_set = ph.strike_items(at).into_iter().any(can_be_set) && !ph.in_melee(at);
    let risk = i32::from(may_be_set) * eval.danger_from(at) / 3;
    let swap = i32::from(ph.readying(eval.who, with).unwrap_or(0) > 0) * 15;
    let crowd = match charge_end(ph, eval.who, at) {
        Some(end) if is_claimed(eval, end) => CROWD,
        Some(end) => eval.crowd(end),
        None => 0,
    };
    Some(value + spoils + 40 - risk - eval.danger_from(at) / 8 - swap - crowd)
}

/// The cell where a unit's charge would end.
fn charge_end(ph: &PhasedQuery, who: Id, at: Id) -> Option<Cell> {
    let line = charge_line(ph, who, at, charge_feet(ph, who)).ok()?;
    line.last().copied()
}

/// Whether an ally has declared a charge that ends there.
fn is_claimed(eval: &Evaluation, end: Cell) -> bool {
    let (ph, space) = (eval.state, eval.space(end));
    let standing = eval.view.standing(eval.side());
    let mut comrades = standing.filter(|&id| id != eval.who);
    comrades.any(|id| match ph.fighter(id).plan {
        Some(DeclaredPlan::Charge { at, .. }) => charge_end(ph, id, at)
            .is_some_and(|there| Space::new(there, ph.body(id).size).overlaps(space)),
        _ => false,
    })
}

/// A spell's worth, less the risk that it is spoiled before it completes.
pub fn cast(eval: &Evaluation, choice: &Choice) -> Option<i32> {
    let (ph, who, view) = (eval.state, eval.who, eval.view);
    let known = view.spell(choice.spell?);
    let feet = match known.area {
        SpellArea::Cone(n) | SpellArea::Line(n) => n,
        SpellArea::One | SpellArea::Blast(_) => known.range,
    };
    let in_sight = |at: Id| {
        let (here, there) = (ph.body(who).space(), ph.body(at).space());
        view.within(who, at, feet.clamp(0, 1000) as u16) && view.board.sight(here, there).los
    };
    let worth = |at: Id| match known.area {
        SpellArea::One => {
            let can_affect = spells::can_affect(ph, who, known, at).is_ok();
            can_affect.then(|| eval.spell_on(known, at))
        }
        _ => {
            let caught = || spells::caught(ph, who, known, ph.body(at).at);
            in_sight(at).then(|| eval.spell_on_all(known, caught()))
        }
    };
    let subjects = view
        .ids()
        .filter(|&at| spells::is_subject(ph, who, known, at));
    let best = subjects.filter_map(worth).max().unwrap_or(0);
    let slow = i32::from(known.section::<PhasedSpell>().segments.min(10));
    let sure = (90 - 2 * slow - 35 * adjacent_penalty(eval)).max(5);
    (best > 0).then_some(best * sure / 100)
}

/// The number of enemies that could break the unit's concentration: adjacent ones, and half of the
/// ones that could shoot.
fn adjacent_penalty(eval: &Evaluation) -> i32 {
    let (ph, who) = (eval.state, eval.who);
    let beside = ph.adjacent_enemies(who).count() as i32;
    let shoots = |enemy: &Id| {
        let shot = |item| Routine::new(*enemy, who, item, AttackWay::Shoot, "PH-35");
        let mut items = ph.inventory(*enemy).at_hand();
        !ph.in_melee(*enemy) && items.any(|item| ph.can_make(&shot(item)).is_ok())
    };
    let shooters = ph.enemies_seen(who).filter(shoots).count();
    beside + shooters as i32 / 2
}

/// The worth of not reacting. The unit's own casting is worth more than an attack out of turn, a
/// spell that it keeps up more than a free attack, which would end it (PH-21).
pub fn own_spell(eval: &Evaluation) -> i32 {
    let f = eval.state.fighter(eval.who);
    let free = eval.offers.iter().any(|o| o.choice.verb == &FREE_ATTACK);
    let casts = f.casting.is_some() || free && f.upkeep.is_some();
    if casts { 500 } else { 0 }
}

/// Setting a weapon pays if an enemy is likely to charge.
pub fn set(eval: &Evaluation, choice: &Choice) -> Option<i32> {
    let (ph, who, with) = (eval.state, eval.who, choice.with?);
    if ph.clock.round > 4 || eval.has_far_to_go() {
        return None;
    }
    let comes = |enemy: &Id| {
        let mut items = ph.inventory(*enemy).at_hand();
        let shoots = items.any(|item| ph.weapon(item).ranged.is_some());
        !shoots && charge_line(ph, *enemy, who, charge_feet(ph, *enemy)).is_ok()
    };
    let times = ph.tables().numbers.set_times;
    let value = |enemy| {
        let routine = Routine::new(who, enemy, with, AttackWay::Strike, "PH-42").times(times);
        let first = ph.specs(&routine).into_iter().next();
        let forecast = first.map(|spec| ph.unobstructed_forecast(&spec));
        forecast.map_or(0, |f| f.mean_damage_x200() * 3 / f.hp.max(1))
    };
    let best = ph.enemies_seen(who).filter(comes).map(value).max();
    best.map(|n| n / 2)
}

/// Acting in LOW pays for a unit that waits for enemies anyway: one that comes close in HIGH is
/// attacked first (PH-16).
pub fn delay(eval: &Evaluation) -> Option<i32> {
    let (ph, who) = (eval.state, eval.who);
    // A spell is better used early.
    if ph.fighter(who).casting.is_some()
        || ph.in_melee(who)
        || eval.offense(eval.here) > 0
        || ph.clock.round > 4
        || eval.has_far_to_go()
    {
        return None;
    }
    let near = |enemy: Id| {
        let feet = ph.rate(enemy) * 2 + 5;
        !ph.in_melee(enemy) && ph.view.within(who, enemy, feet)
    };
    ph.enemies_seen(who).any(near).then_some(70)
}

/// A parley is for the weaker side, and keeps enemies from attacking that could attack this round.
pub fn parley(eval: &Evaluation) -> Option<i32> {
    let (ph, who) = (eval.state, eval.who);
    let (view, side) = (eval.view, eval.side());
    let hp = |id| view.body(id).hp.max(0);
    let own: i32 = view.standing(side).map(hp).sum();
    let theirs: i32 = view.enemies(side).map(hp).sum();
    let first = view.standing(side).find(|&id| !ph.in_melee(id));
    if own * 2 > theirs || first.is_some_and(|id| id != who) {
        return None;
    }
    let hearers = fast::hearers(ph, who).into_iter();
    Some(hearers.filter(|&enemy| ph.can_act(enemy)).count() as i32 * 60)
}

/// Fleeing from a losing melee: for a unit with a place to reach or without room to fight, or for a
/// caster that is no match for the enemies next to it.
pub fn flight(eval: &Evaluation) -> Option<i32> {
    let (ph, who) = (eval.state, eval.who);
    if !ph.in_melee(who) {
        return None;
    }
    // The danger from enemies that can attack the unit where it stands.
    let beside = eval.dangers().iter();
    let beside = beside.filter(|danger| ph.reaches(danger.enemy, who).is_ok());
    let (body, provoked) = (ph.body(who), beside.map(|danger| danger.melee).sum::<i32>());
    if eval.has_far_to_go() || is_crowded_out(eval) {
        // Fleeing is worth as much as the best cell it leads to.
        let ends = ph.flight_ends(who, 0).into_iter();
        let best = ends.map(|end| eval.place(end.to)).max();
        let gain = best.map_or(0, |best| best - eval.stay());
        return Some(gain - provoked);
    }
    let casts = eval.view.sheet(who).spells.iter().any(|&id| {
        let craft = eval.view.spell(id).section::<PhasedSpell>().craft;
        craft.is_declared() && spells::can_begin(ph, who, id).is_ok()
    });
    let hurt = body.hp * 3 <= body.max_hp;
    let weak = eval.offense(eval.here) * 3 < provoked;
    (casts && weak && !hurt).then_some(provoked / 2)
}

/// Units that share a cell cannot fight (PH-52): all but the first of them should leave.
fn is_crowded_out(eval: &Evaluation) -> bool {
    let (ph, space) = (eval.state, eval.space(eval.here));
    let mut before = ph.view.ids().take_while(|&id| id != eval.who);
    before.any(|id| ph.is_up(id) && ph.body(id).space().overlaps(space))
}

/// Worth more the closer the ally is to death. One helper is enough, and the work takes a round in
/// which enemies may come.
pub fn bind(eval: &Evaluation, choice: &Choice) -> Option<i32> {
    let (ph, who, fallen) = (eval.state, eval.who, choice.at?);
    let what = Job::Bind { at: fallen };
    let same = |id: Id| ph.fighter(id).plan == Some(DeclaredPlan::Work { what });
    let mut others = eval.view.standing(eval.side()).filter(|&id| id != who);
    if ph.in_melee(who) || others.any(same) {
        return None;
    }
    let near_death = (-ph.body(fallen).hp).clamp(0, 10);
    Some(150 + 50 * near_death - eval.danger(eval.here) / 4)
}

/// Loading is worth what the unit could do from here; not in melee.
pub fn load(eval: &Evaluation) -> Option<i32> {
    let (ph, who, offense) = (eval.state, eval.who, eval.offense(eval.here));
    let is_at_work = ph.fighter(who).work.is_some();
    (!ph.in_melee(who) && (is_at_work || offense > 0)).then_some(offense + 20)
}
