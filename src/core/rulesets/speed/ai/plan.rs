//! What to declare: the action that promises most at its count, given what enemies can do until
//! then.

use super::super::{
    acts::{
        CAST,
        declare::modifier,
        heal::{self, patients},
        intimidate::{self, can_lose_heart, is_in_earshot},
        magic,
    },
    content::{Ability, SpeedSpell},
    declared::*,
    query::numbers,
    wounds::heal_target,
};
use super::{AttackOption, COUNT, Evaluation, Hurt};
use crate::{
    battle::{Choice, Id, ItemPlace, Offer, State},
    content::SpellArea,
    grid::{Cell, cells_apart},
    rulesets::common::{
        ai::{Danger, NEVER},
        inventory::price_of_throwing,
    },
};

/// Worth of moving to a better place.
pub const GO: i32 = 30;

/// The worth of a declaration whose action has this `worth`. Later counts cost. A fallen unit
/// pays for every action with a Wound Point, so it never takes postures (SP-24).
pub fn declared(
    eval: &Evaluation,
    offer: &Offer,
    worth: fn(&Evaluation, &Choice) -> Option<i32>,
) -> i32 {
    let choice = &offer.choice;
    let verb = choice.verb;
    let down = eval.state.body(eval.who).state == State::Down;
    let posture = [
        &FULL_DEFENSE,
        &DEFENSIVE,
        &DEFENSIVE_MOVE,
        &STANDING_UP,
        &DOOR,
        &HOLD,
    ];
    if down && posture.contains(&verb) {
        return NEVER;
    }
    let price = if down && verb != &MOVING { 150 } else { 0 };
    let cost = || modifier(eval.state, choice) * COUNT + price;
    worth(eval, choice).map_or(NEVER, |worth| worth - cost())
}

/// Feet that the unit can move this round.
fn feet_per_move(eval: &Evaluation) -> u16 {
    eval.state.feet_left(eval.who).unwrap_or(0)
}

/// The worth of attacking the best target with this weapon: 0 if the unit can reach none, `None`
/// without a weapon. Ripostes on the way cost, unless the unit attacks defensively (SP-11).
pub fn attack(eval: &Evaluation, choice: &Choice) -> Option<i32> {
    let (sp, item) = (eval.state, choice.with?);
    let ranged = choice.verb == &THROWING || eval.shoots(item);
    let here = eval.space(eval.here);
    let feet = feet_per_move(eval);
    let mut best = None;
    let targets = eval.targets().iter();
    let options = targets.flat_map(|t| t.options.all.iter().map(move |option| (t, option)));
    let is_it = |a: &AttackOption| a.item == item && a.ranged == ranged && a.most > 0;
    for (target, option) in options.filter(|(_, option)| is_it(option)) {
        let far = eval.feet_to(target.space);
        let shot = super::attack(eval.who, target.id, item, ranged);
        let mut worth = option.most - price_of_throwing(eval.view, &shot);
        if ranged {
            let sees = eval.view.board.sight(here, target.space).los;
            if far > option.far + feet || !sees && !eval.can_reach_target(target, option) {
                continue;
            }
            if !sees || far > option.far {
                worth = worth * 6 / 10;
            }
            if eval.is_hindered_at(eval.here) {
                worth = worth * 7 / 10;
            }
        } else if far > option.far {
            if far > option.far + feet || !eval.can_reach_target(target, option) {
                continue;
            }
            worth = worth * 9 / 10;
            if choice.verb == &ATTACK && sp.threat_reach(target.id).is_some() {
                worth -= eval.cost_of_provoking(target.id.bit()) / 2;
            }
        } else if choice.verb == &DEFENSIVE {
            // The target is in reach already, so there is no riposte to avoid.
            worth -= 1;
        }
        best = best.max(Some(worth));
    }
    let at_belt = sp.inventory(eval.who).place(item) == Some(ItemPlace::Belt);
    let extra = if at_belt { 30 } else { 40 };
    Some(best.map_or(0, |best| best + extra))
}

/// The worth of Full Defense, which is for outnumbered units: some attacks miss because of it, and
/// one attacker faces a riposte (SP-10). 0 for a unit with only one enemy near, or hardly hurt.
pub fn full_defense(eval: &Evaluation, _: &Choice) -> Option<i32> {
    let sp = eval.state;
    // Near enemies, in hundredths.
    let (mut saved, mut near) = (0, 0);
    for danger in eval.dangers() {
        let at_hand = eval.feet_to(danger.space) <= 10 && danger.melee > 0;
        // The enemy may attack a third side instead.
        let (loss, share) = match at_hand {
            true => (danger.melee, 100 / (1 + danger.rivals)),
            false => (danger.ranged / 2, 0),
        };
        let fewer_hits = i32::from(numbers().full_defense).min(danger.outcomes);
        saved += loss * fewer_hits / danger.outcomes.max(1);
        near += share;
    }
    let (fighter, body) = (sp.fighter(eval.who), sp.body(eval.who));
    let left = (fighter.stress + body.hp) * 100 / (fighter.max_stress + body.max_hp).max(1);
    let is_near = |id| id != eval.who && eval.feet_to(sp.body(id).space()) <= 10;
    let allies = eval.view.standing(eval.side()).filter(|&id| is_near(id));
    let alone = near > 100 * (1 + allies.count() as i32);
    if near == 0 || !(alone || near >= 200 && left < 50) {
        return Some(0);
    }
    Some(match sp.threat_reach(eval.who) {
        Some(_) => saved + eval.melee_worth() * 9 / 10,
        None => saved,
    })
}

/// The worth of a spell or a potion at its best target.
pub fn cast(eval: &Evaluation, choice: &Choice) -> Option<i32> {
    let (sp, who, id) = (eval.state, eval.who, choice.spell?);
    let is_potion = choice.verb == &USING;
    let kind = sp.view.spell(id);
    let all = sp.view.ids().filter(|&at| sp.is_there(at));
    let reach = if is_potion { 5 } else { kind.range };
    let reach = match kind.area {
        SpellArea::Cone(n) | SpellArea::Line(n) => reach.max(n),
        _ => reach,
    };
    let far = reach.clamp(0, 3000) as u16 + feet_per_move(eval);
    let near = all.filter(|&at| at == who || sp.view.within(who, at, far));
    let aimed = |at| on_target(eval, &Choice::new(&CAST, who).at(at).spell(id));
    let best = near.map(aimed).max().unwrap_or(0);
    if is_potion {
        return Some(best);
    }
    let section = kind.section::<SpeedSpell>();
    let owed = (section.mana - sp.fighter(who).mana).max(0) * 25;
    Some(best * magic::check(sp, who).outcomes(section.target) / 20 - owed)
}

/// The worth of a spell with this aim.
pub fn on_target(eval: &Evaluation, choice: &Choice) -> i32 {
    let sp = eval.state;
    let Some(spell) = choice.spell else { return 0 };
    let kind = sp.view.spell(spell);
    eval.spell_on_all(kind, sp.caught(choice))
}

/// The worth of opening a closed door that the unit can reach and that is on its shortest way.
pub fn door(eval: &Evaluation, _: &Choice) -> Option<i32> {
    if !eval.is_sent_by_objective() && eval.holds_out() {
        return None;
    }
    let way = i32::from(eval.steps_to_destination(eval.here));
    let feet = i32::from(feet_per_move(eval));
    let board = &eval.view.board;
    let mut shut = board.doors().filter(|&d| board.door(d) == Some(false));
    let ahead = |door: Cell| {
        let steps = i32::from(cells_apart(eval.space(eval.here), door.into()));
        // The way through the door is no longer than any other.
        (steps - 1) * 5 <= feet && i32::from(eval.steps_to_destination(door)) + steps <= way
    };
    shut.any(ahead).then_some(GO + 40)
}

/// The worth of healing the ally in reach that needs it most; `None` if there is none. Most is at
/// stake for one that is dying; a fallen one could fight again (SP-25).
pub fn heal(eval: &Evaluation, _: &Choice) -> Option<i32> {
    let (sp, who) = (eval.state, eval.who);
    let check = heal::check(sp, who);
    let far = 5 + feet_per_move(eval);
    let near = patients(sp, who).filter(|&p| p == who || sp.view.within(who, p, far));
    let worth = |patient: Id| {
        let body = sp.body(patient);
        let need = match (body.state, body.hp) {
            (State::Down, hp) if hp < 0 => 480,
            (State::Down, _) => 320,
            _ if sp.fighter(patient).has(Hurt::Suffocating) => 400,
            _ => 120,
        };
        need * check.outcomes(heal_target(sp, patient)) / 20
    };
    near.map(worth).max()
}

/// Worth of putting an enemy out of the fight with everything it could still do.
const TAKEN_OUT: i32 = 1200;

/// The worth of intimidating the best enemy in earshot, which puts it out of the fight if its morale
/// fails (SP-30); a little less if the unit must move first. `None` if no enemy hears it.
pub fn threaten(eval: &Evaluation, _: &Choice) -> Option<i32> {
    let near = numbers().intimidate_feet;
    let far = near + feet_per_move(eval);
    let enemies = eval.dangers().iter().filter_map(|danger| {
        let (apart, enemy) = (eval.feet_to(danger.space), danger.enemy);
        if apart <= near {
            return threat_to(eval, enemy, eval.here);
        }
        let worth = threat(eval, enemy)? * 9 / 10;
        let hears = |from| is_in_earshot(eval.state, from, enemy);
        (apart <= far && eval.can_get_where(hears)).then_some(worth)
    });
    enemies.max()
}

/// The worth of intimidating one enemy from a cell; `None` if it would be out of earshot there, or
/// has no morale to lose.
pub fn threat_to(eval: &Evaluation, enemy: Id, at: Cell) -> Option<i32> {
    threat(eval, enemy).filter(|_| is_in_earshot(eval.state, eval.space(at), enemy))
}

/// The worth of intimidating an enemy at any distance. `None` if it has no morale to lose.
fn threat(eval: &Evaluation, enemy: Id) -> Option<i32> {
    let threats = eval.own.threats.get_or_init(|| {
        let enemies = eval.enemies.iter();
        enemies.map(|&id| (id, compute_threat(eval, id))).collect()
    });
    let found = threats.iter().find(|(id, _)| *id == enemy);
    found.map_or_else(|| compute_threat(eval, enemy), |(_, worth)| *worth)
}

fn compute_threat(eval: &Evaluation, enemy: Id) -> Option<i32> {
    let (sp, who) = (eval.state, eval.who);
    let fighter = sp.fighter(enemy);
    if !can_lose_heart(sp, enemy) {
        return None;
    }
    let check = intimidate::check(sp, who);
    let allies = sp.view.standing(sp.side(enemy)).count() as i32 - 1;
    let firm =
        sp.modifier(enemy, Ability::Insight) + sp.stats(enemy).hit_dice + allies + fighter.steady;
    // 1d20 and 3d6 both average 10.5; together they scatter by about six points either way.
    let percent = (50 + (check.bonus() - firm) * 7).clamp(2, 95);
    Some(match fighter.intimidated {
        Some(_) => 0,
        None => percent * TAKEN_OUT / 100,
    })
}

/// The worth of holding, more than that of a move if enemies will come near: the attack is ready
/// when they arrive.
pub fn hold(eval: &Evaluation, _: &Choice) -> Option<i32> {
    let comes = |d: &Danger| eval.feet_to(d.space) <= d.strike;
    let early = eval.state.clock.round <= 3 || eval.holds_out();
    let will_attack = early && eval.offense(eval.here) <= 0 && eval.dangers().iter().any(comes);
    Some(match will_attack {
        _ if eval.is_sent_by_objective() => 0,
        true => GO + 15,
        false if eval.holds_out() => GO + 2,
        false => 0,
    })
}
