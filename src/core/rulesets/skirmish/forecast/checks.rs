//! The chances of actions that are not plain attacks under Skirmish: checks and saves.

use super::attacks;
use crate::rulesets::common::damage::Odds;
use crate::rulesets::skirmish::{
    acts::{
        DRAG, GRAPPLE, HURL, SHOVE_DOWN, aid_chance, drop_at, execution_chances, haul_chance,
        maneuver_chance, parley,
        swarm::{self, SWARM_FAR},
    },
    numbers,
    odds::SWARM_RULE,
    query::SkirmishQuery,
};
use crate::{
    battle::{Attack, Choice, Id, OddsLine, RolledAttack, Side, movement::fall_dice},
    grid::{Cell, cells_apart},
};

/// The odds of dragging or throwing a held unit (SK-53).
pub fn haul(sk: &SkirmishQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let line = |(at, chance): (Id, Odds)| {
        let words = format!("{}, else breaks free", effect(sk, choice, at));
        OddsLine::chance(words, chance.percent(), "SK-53").each(at, sk.view.names())
    };
    let chance = choice.at.zip(haul_chance(sk, choice));
    chance.map(|chance| vec![line(chance)])
}

/// What a maneuver, drag or throw does to its target if it succeeds: "pushed 5 ft to the east over
/// the edge, falls 20 ft (2d6 damage)" (GR-32). Before a direction is chosen, the one with the longest
/// fall.
fn effect(sk: &SkirmishQuery, choice: &Choice, at: Id) -> String {
    let done = match choice.verb {
        verb if verb == &GRAPPLE => return String::from("held in place"),
        verb if verb == &SHOVE_DOWN => return String::from("knocked prone"),
        verb if verb == &DRAG => "dragged",
        verb if verb == &HURL => "thrown",
        _ => "pushed",
    };
    let here = sk.body(at).at;
    let way = |to: Cell| Cell::describe_path(&[here, to]).unwrap_or_default();
    let drop = |to: Cell| choice.who.map_or(0, |who| drop_at(sk, who, at, to));
    let falls = |to: Cell| {
        let (feet, dice) = (drop(to), fall_dice(drop(to)));
        (dice > 0).then(|| format!("over the edge, falls {feet} ft ({dice}d6 damage)"))
    };
    match choice.to {
        Some(to) => match falls(to) {
            Some(falls) => format!("{done} {} {falls}", way(to)),
            None if choice.verb == &HURL => format!("{done} {} and knocked prone", way(to)),
            None => format!("{done} {}", way(to)),
        },
        None => {
            let deepest = here.neighbours().max_by_key(|&to| drop(to));
            match deepest.and_then(|to| Some((to, falls(to)?))) {
                Some((to, falls)) => format!("{done} away, or {} {falls}", way(to)),
                None => format!("{done} away"),
            }
        }
    }
}

/// The odds of first aid (SK-61).
pub fn aid(sk: &SkirmishQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let (at, chance) = (choice.at?, aid_chance(sk, choice)?);
    let words = format!("{} stays down but won't die", sk.view.names().title(at));
    Some(vec![
        OddsLine::chance(words, chance.percent(), "SK-61").of(at),
    ])
}

/// The odds of the swarm's one attack, if this unit joins (SK-13).
pub fn swarming(sk: &SkirmishQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let (by, at, with) = (choice.who?, choice.at?, choice.with?);
    let own = || sk.view.standing(sk.body(by).side).filter(|&id| id != by);
    let of_swarm = |id: &Id| sk.stance(*id).swarm.is_some_and(|s| s.at == at);
    let joined = own().filter(of_swarm).count();
    if joined == 0 && !own().any(|id| swarm::could_join(sk, id)) {
        let words = "No attack follows: no ally has a Main left to join";
        return Some(vec![OddsLine::note(words, SWARM_RULE)]);
    }
    let attack = Attack {
        extra: swarm::bonus(joined.max(1)),
        ..Attack::new(by, at, with, choice.verb == &SWARM_FAR, SWARM_RULE)
    };
    let words = match joined {
        0 => "Hits, with one helper".to_owned(),
        1 => "Hits, with the 1 already in".to_owned(),
        n => format!("Hits, with the {n} already in"),
    };
    let forecast = sk.forecast(&attack).ok()?;
    let points = forecast.shock.points();
    let miss = (points > 0).then(|| format!("; Shock: at least {points}, hit or miss"));
    let does = attacks::damage(&forecast) + &miss.unwrap_or_default();
    let drops = format!("{}% to drop", forecast.drop_past().percent());
    let after = "One of the swarm must attack afterwards";
    Some(vec![
        OddsLine::chance(words, forecast.hit_past().percent(), SWARM_RULE).of(at),
        OddsLine::note(does, "SK-40"),
        OddsLine::note(drops, SWARM_RULE),
        OddsLine::note(after, SWARM_RULE),
    ])
}

/// The odds of stopping each of the three enemies nearest to the protected ally (SK-15).
pub fn screening(sk: &SkirmishQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let (who, ward) = (choice.who?, choice.at?);
    let mine = sk.check_to_screen(who);
    let there = sk.body(ward).space();
    let mut enemies: Vec<Id> = sk.known_enemies(sk.body(who).side).collect();
    enemies.sort_by_key(|&enemy| cells_apart(sk.body(enemy).space(), there));
    let stop = |&by: &Id| {
        let with = sk.inventory(by).ready().next()?;
        let ranged = sk.weapon(with).melee.is_none();
        let attack = Attack::new(by, ward, with, ranged, "SK-10");
        let past = sk.check_to_pass(&attack).odds_against(&mine).percent();
        let words = format!("Stops {}", sk.view.names().name(by));
        Some(OddsLine::chance(words, 100 - past, "SK-15").of(by))
    };
    let mut lines: Vec<OddsLine> = enemies.iter().take(3).filter_map(stop).collect();
    let most = match sk.combat_skill(who) {
        1 => "Stops 1 attacker per round".to_owned(),
        n => format!("Stops {n} attackers per round"),
    };
    lines.push(OddsLine::note(most, "SK-15"));
    Some(lines)
}

/// The odds that a reroll hits, or that its check succeeds (SK-71). If the target can still use
/// Total Defense, its chance with it comes first: both may react at the same moment. A roll that
/// misses again does its Shock like the first.
pub fn again(sk: &SkirmishQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    if let Some(percent) = choice.number {
        let percent = percent.clamp(0, 100) as u32;
        let text = "The new roll succeeds";
        return Some(vec![OddsLine::chance(text, percent, "SK-71")]);
    }
    let own = |s: &&RolledAttack| Some(s.attack.by) == choice.who && Some(s.attack.at) == choice.at;
    let rolled_attack = sk.pending_attacks.all().iter().rev().find(own)?;
    // The attack has already passed any screens.
    let from = sk.body(rolled_attack.attack.by).at;
    let forecast = sk.forecast_alone(&rolled_attack.attack, from).ok()?;
    let percent = forecast.hit().percent();
    let (mut words, chance, unless) = match attacks::answered(sk, &rolled_attack.attack, &forecast)
    {
        Some(left) => {
            let words = format!("The new roll hits {}, else {percent}%", left.brief);
            (words, left.percent, " unless it defends")
        }
        None => (String::from("The new roll hits"), percent, ""),
    };
    let points = forecast.shock.points();
    if points > 0 {
        words += &format!("; a miss still does {points} Shock{unless}");
    }
    Some(vec![OddsLine::chance(words, chance, "SK-71")])
}

/// The odds of a maneuver: a hit, then an opposed check (SK-50, SK-51).
pub fn maneuver(sk: &SkirmishQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let (at, chances) = (choice.at?, maneuver_chance(sk, choice)?);
    let screened = chances.pass != Odds::SURE;
    let pass = screened.then_some(("gets past the guard", chances.pass));
    let then = [("hits", chances.hit), ("then wins the check", chances.win)];
    let rule = choice.verb.rule;
    let whole = OddsLine::chance(effect(sk, choice, at), chances.all().percent(), rule);
    let line = |(words, chance): (&str, Odds)| {
        OddsLine::note(format!("{words}: {}%", chance.percent()), rule)
    };
    let parts = pass.into_iter().chain(then).map(line);
    let whole = std::iter::once(whole.each(at, sk.view.names()));
    Some(whole.chain(parts).collect())
}

/// The odds of an execution: a hit, then a failed save (SK-56).
pub fn execution(sk: &SkirmishQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let at = choice.at?;
    let (hit, fails) = execution_chances(sk, choice);
    let (name, rule) = (sk.view.names().name(at), choice.verb.rule);
    if hit == Odds::SURE {
        let text = format!("Execute succeeds: {name}'s save fails");
        return Some(vec![OddsLine::chance(text, fails.percent(), rule).of(at)]);
    }
    let text = format!("Execute succeeds: hits, then {name}'s save fails");
    let save = format!("after a hit, the save fails: {}%", fails.percent());
    Some(vec![
        OddsLine::chance(text, hit.and(fails).percent(), rule).of(at),
        OddsLine::note(format!("hits: {}%", hit.percent()), rule),
        OddsLine::note(save, rule),
    ])
}

/// That an enemy out of sight can be stalked (SK-56): it is legal only from nearby.
pub fn stalking(sk: &SkirmishQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let (here, there) = (sk.body(choice.who?).space(), sk.body(choice.at?).space());
    if sk.view.board.sight(here, there).los {
        return None;
    }
    let words = format!("Needs no line of sight within {} ft", numbers::NEAR);
    Some(vec![OddsLine::note(words, "SK-56")])
}

/// The odds of breaking free of each holder, with one roll against all (SK-51).
pub fn break_free(sk: &SkirmishQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let who = choice.who?;
    let line = |by: Id| {
        let words = format!("Breaks free from {}", sk.view.names().name(by));
        OddsLine::chance(words, sk.odds_to_break(who, by).percent(), "SK-51").of(by)
    };
    Some(sk.holders(who).map(line).collect())
}

/// The odds of a parley with each side that listens, with one roll against all (SK-20).
pub fn parley(sk: &SkirmishQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let who = choice.who?;
    let check = parley::check(sk, who);
    let line = |(side, score): (Side, i32)| {
        let side = sk.view.names().side_in_line(side);
        let words = format!("Chance to force a morale check on {side}");
        OddsLine::chance(words, check.odds(score + 1).percent(), "SK-20")
    };
    Some(parley::sides(sk, who).map(line).collect())
}
