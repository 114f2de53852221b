//! Forecasts of attacks under Skirmish, the attacks that actions provoke, and what reactions
//! change.

use super::paths::cover;
use crate::rulesets::common::{
    act::{attack_of, provokes},
    ask,
    attacks::ToHit,
    damage::{Damage, Odds},
    forecast::{damage_text, spread_of},
    surprise::best,
};
use crate::rulesets::skirmish::{
    OPPORTUNITY, REROLL, REROLL_CHECK, Skirmish,
    acts::{
        CHARGE, CHARGE_THROW, DISENGAGE, EXECUTE, EXECUTE_SHOT, GRAPPLE, OPEN, RUN, SHOVE,
        SHOVE_DOWN, cast,
        defend::{self, DEFEND},
        execution,
        hold::ACT_NOW,
        parley, snap,
    },
    awareness, numbers,
    odds::{Forecast, ShockForecast, ShockStop},
    query::SkirmishQuery,
    screens::{Answered, rule as screen_rule},
    spells,
    state::Fighter,
};
use crate::{
    battle::{
        Attack, AttackForecast, Body, Choice, Defended, Id, Modifier, OddsLine, Offer, PASS,
        Provoked, RolledAttack, Screen, Spread, Why, of_unit, of_unit_mut, signed, standing_at,
    },
    grid::{Cell, Space},
    words::count,
};
use bevy_ecs::world::World;

/// The best percent chance of an attack of opportunity.
pub(super) fn opportunity(sk: &SkirmishQuery, by_at: (Id, Id)) -> u32 {
    let chances = opportunities(sk, by_at).map(|forecast| forecast.hit().percent());
    chances.max().unwrap_or(0)
}

/// The possible attacks of opportunity, one for each weapon held.
fn opportunities(sk: &SkirmishQuery, (by, at): (Id, Id)) -> impl Iterator<Item = Forecast> {
    let weapons = sk.view.ready_weapons(by);
    weapons.filter_map(move |with| sk.forecast(&Attack::new(by, at, with, false, "SK-06")).ok())
}

pub(super) fn attack_forecast(
    sk: &SkirmishQuery,
    choice: Choice,
) -> Option<Result<AttackForecast, Why>> {
    let (attack, from) = attack_of::<Skirmish>(sk, &choice)?;
    let forecast = sk.forecast_from(&attack, from);
    Some(forecast.map(|forecast| describe_attack(sk, choice, &attack, from, forecast)))
}

/// SK-12: the snap attacks that enemies could make before an attack is resolved, from where the
/// attacker then stands.
pub(super) fn interrupts(world: &mut World, choice: &Choice) -> Option<String> {
    let who = choice.who?;
    let at = choice.to.unwrap_or(of_unit::<Body>(world, who).at);
    begun(world, choice, |world| {
        standing_at(world, who, at, |world| {
            ask::<Skirmish, _, _>(world, snaps_first, choice.clone())
        })
    })
}

/// The snap attacks that may be worth an enemy's Main in answer to an attack, with the chances of
/// the best.
fn snaps_first(sk: &SkirmishQuery, choice: Choice) -> Option<String> {
    let (attack, from) = attack_of::<Skirmish>(sk, &choice)?;
    let is_deadly = snap::could_drop(&sk.forecast_from(&attack, from).ok()?);
    let best_snap = |by: Id| {
        // A target that may die before it can use its Main has nothing to lose.
        let is_doomed = is_deadly && by == attack.at;
        let wise = |f: &Forecast| is_doomed || snap::is_wise(sk, by, f);
        let offers = snap::offers(sk, by, attack.by, wise).into_iter();
        let forecast = |offer: Offer| sk.forecast(&snap::attack(&offer.choice)).ok();
        let forecast = best(offers.filter_map(forecast), Forecast::worth)?;
        Some((by, forecast))
    };
    let enemies = sk.known_enemies(sk.body(attack.by).side);
    let snaps = Vec::from_iter(enemies.filter_map(best_snap));
    let others = snaps.len().saturating_sub(1);
    let (by, forecast) = best(snaps.into_iter(), |snap| snap.1.worth())?;
    let name = sk.view.names().title(by);
    let hits = forecast.hit_past().percent();
    let drops = forecast.drop_past().percent();
    let chances = format!("{hits}% to hit, {drops}% to drop");
    Some(match others {
        0 => format!("{name} may snap first: {chances}"),
        n => format!(
            "{name} and {} may snap first: up to {chances}",
            count(n, "other")
        ),
    })
}

/// Reads a world as if a unit had begun an action: a charge lowers its AC (SK-14). The world is
/// restored afterwards.
fn begun<T>(world: &mut World, choice: &Choice, read: impl FnOnce(&mut World) -> T) -> T {
    let who = choice.actor();
    let charges = [&CHARGE, &CHARGE_THROW].contains(&choice.verb);
    let before = of_unit::<Fighter>(world, who).charged;
    of_unit_mut::<Fighter>(world, who).charged |= charges;
    let seen = read(world);
    of_unit_mut::<Fighter>(world, who).charged = before;
    seen
}

pub(super) fn spread(sk: &SkirmishQuery, choice: Choice) -> Spread {
    let attack = attack_of::<Skirmish>(sk, &choice);
    let forecast = attack.and_then(|(attack, from)| sk.forecast_from(&attack, from).ok());
    forecast.map_or_else(Spread::default, |f| spread_past(&f))
}

/// The damage to the target. It takes none if a unit that screens it intercepts the attack.
fn spread_past(f: &Forecast) -> Spread {
    let mut spread = spread_of(f.hit().as_f32(), &f.damage, f.shock.points(), f.hp);
    let pass = f.pass.as_f32();
    for bar in &mut spread.bars {
        (bar.chance, bar.drops) = (bar.chance * pass, bar.drops * pass);
    }
    spread.add(0, 1.0 - pass, 0.0);
    spread
}

/// Damage as text: "1d8+2: 3 to 10". With the bonus of a swarm, which never exceeds the dice
/// (SK-13): "1d6+2, +1 for helpers (dice up to 6): 4 to 8". If the Shock exceeds the lowest roll:
/// "1d8+2, at least 4 (Shock): 4 to 10".
pub(super) fn damage(forecast: &Forecast) -> String {
    let damage = &forecast.damage;
    let mut more = match damage.within {
        0 => String::new(),
        n => {
            let most = u32::from(damage.dice.count) * u32::from(damage.dice.sides);
            format!(", {} for helpers (dice up to {most})", signed(n))
        }
    };
    let rolled = Damage {
        least: 0,
        ..damage.clone()
    };
    if rolled.span().0 < damage.least {
        more += &format!(", at least {} (Shock)", damage.least);
    }
    damage_text(damage, &more)
}

/// The attack if the target takes Total Defense. `None` if it cannot. A reaction is answered like
/// any other attack (SK-17).
pub(super) fn answered(
    sk: &SkirmishQuery,
    attack: &Attack,
    forecast: &Forecast,
) -> Option<Defended> {
    let may_defend = sk.can_act(attack.at) && defend::legal(sk, attack.at).is_ok();
    if !may_defend {
        return None;
    }
    let mut harder = forecast.clone();
    let bonus = numbers::TOTAL_DEFENSE;
    harder.ac += i32::from(bonus);
    let modifier = Modifier::new(bonus, "total defense", "SK-17");
    harder.ac_modifiers.push(modifier);
    harder.shock = ShockForecast::None;
    harder.damage.least = 0;
    Some(Defended {
        brief: "if it defends",
        how: "if the target uses Total Defense",
        against: against(&harder),
        needs: needs(&harder),
        percent: harder.hit_past().percent(),
        damage: damage(&harder),
        drop_percent: harder.drop_past().percent(),
        spread: spread_past(&harder),
        against_modifiers: harder.ac_modifiers,
        rule: "SK-17",
    })
}

/// SK-15, SK-16: the attack if a unit that screens the target intercepts it.
fn intercepted(
    sk: &SkirmishQuery,
    (attack, from): (&Attack, Cell),
    by: &[Id],
    pass: Odds,
) -> OddsLine {
    let instead = |&at: &Id| {
        let attack = Attack {
            at,
            ..attack.clone()
        };
        let forecast = sk.forecast_alone(&attack, from).ok();
        forecast.map_or(0, |forecast| forecast.hit().percent())
    };
    let hits = by.iter().map(instead).max().unwrap_or(0);
    let text = match by {
        [one] => format!(
            "attacks {} instead ({hits}% to hit)",
            sk.view.names().name(*one)
        ),
        _ => format!("attacks a unit that screens instead (up to {hits}% to hit)"),
    };
    OddsLine::chance(text, pass.complement().percent(), screen_rule(attack))
}

fn against(forecast: &Forecast) -> String {
    format!("AC {}", forecast.ac)
}

fn needs(forecast: &Forecast) -> String {
    let needs = match forecast.needs() {
        ..=1 => String::from("any d20 roll hits"),
        n @ 2..=19 => format!("needs {n}+ on d20"),
        20 => String::from("needs 20 on d20"),
        n => format!("needs {n} on d20: impossible"),
    };
    match forecast.pass {
        Odds::SURE => needs,
        pass => format!("{}% to get past, then {needs}", pass.percent()),
    }
}

fn describe_attack(
    sk: &SkirmishQuery,
    choice: Choice,
    attack: &Attack,
    from: Cell,
    forecast: Forecast,
) -> AttackForecast {
    let answered = answered(sk, attack, &forecast);
    let unless = match answered {
        Some(_) => "; none if it defends",
        None => "",
    };
    let miss = match &forecast.shock {
        ShockForecast::None => None,
        ShockForecast::Does(n) => {
            Some((format!("Shock: at least {n}, hit or miss{unless}"), "SK-40"))
        }
        ShockForecast::Stopped { by, .. } => Some(match by {
            ShockStop::Shield => (String::from("Shock: the shield stops the first"), "SK-42"),
            ShockStop::TotalDefense => (String::from("Shock: stopped by total defense"), "SK-17"),
            ShockStop::Immune => (String::from("Shock: immune"), "SK-71"),
        }),
    };
    let mut notes = Vec::from_iter(miss.map(|(text, rule)| OddsLine::note(text, rule)));
    let screeners = match forecast.pass {
        Odds::SURE => vec![],
        _ => sk.screeners(attack, from, &Answered::new()),
    };
    if !screeners.is_empty() {
        notes.push(intercepted(sk, (attack, from), &screeners, forecast.pass));
    }
    let screen = (!screeners.is_empty()).then(|| Screen::new(screeners, sk.view.names()));
    AttackForecast {
        by: attack.by,
        at: attack.at,
        weapon: sk.view.names().item(attack.with).to_owned(),
        against: against(&forecast),
        against_modifiers: forecast.ac_modifiers.clone(),
        needs: needs(&forecast),
        percent: forecast.hit_past().percent(),
        damage: damage(&forecast),
        drop_percent: forecast.drop_past().percent(),
        attacks: 1,
        answered,
        screen,
        mean: None,
        notes,
        cover: cover(sk, attack.by, from, attack.at),
        worth: forecast.worth(),
        modifiers: forecast.modifiers,
        choice,
    }
}

/// SK-06: the attacks that an action provokes where the unit stands. A run's provoked attacks are
/// part of its path.
pub(super) fn provoked(world: &mut World, choice: &Choice) -> Vec<Provoked> {
    let Some(who) = choice.who.filter(|_| provokes::<Skirmish>(choice.verb)) else {
        return vec![];
    };
    let enemies = ask::<Skirmish, _, _>(world, |sk, who| sk.provoked_beside(who), who);
    // The charger's AC drops before the attacks that its start provokes (SK-14).
    begun(world, choice, |world| {
        let provoked =
            |by| Provoked::here(by, ask::<Skirmish, _, _>(world, opportunity, (by, who)));
        enemies.into_iter().map(provoked).collect()
    })
}

/// SK-70: the chance that the attacks which a casting provokes leave the caster unhurt. A wound
/// spoils the spell.
pub fn casts_unhurt(sk: &SkirmishQuery, who: Id) -> Odds {
    let by = |enemy| {
        let chances = opportunities(sk, (enemy, who)).map(|forecast| forecast.leaves_unhurt());
        chances.min_by(|a, b| a.as_f32().total_cmp(&b.as_f32()))
    };
    let chances = sk.provoked_beside(who).into_iter().filter_map(by);
    chances.fold(Odds::SURE, Odds::and)
}

/// SK-52: a unit that disengages in a grapple stays where it is.
/// SK-40, SK-70: Shock wounds even if the attack misses, and any wound spoils a spell. SK-56: a
/// call to parley alarms unaware units.
pub(super) fn warnings(sk: &SkirmishQuery, choice: Choice) -> Vec<String> {
    let Some(who) = choice.who else { return vec![] };
    if choice.verb == &parley::PARLEY {
        return alarms_units(&parley::alarmed(sk, who));
    }
    if choice.verb == &DISENGAGE {
        let stays = sk.free_to_move(who).err();
        let name = sk.view.names().title(who);
        let stays = stays.map(|why| format!("{name} is {} and can't leave.", why.text));
        return Vec::from_iter(stays);
    }
    if choice.spell.is_none() || !provokes::<Skirmish>(choice.verb) {
        return vec![];
    }
    let does = |forecast: Forecast| matches!(forecast.shock, ShockForecast::Does(1..));
    let enemies = sk.provoked_beside(who).into_iter();
    let enemies = enemies.filter(|&by| opportunities(sk, (by, who)).any(does));
    let line = |by| {
        let name = sk.view.names().title(by);
        format!("{name}'s Shock would spoil the spell even if the attack misses.")
    };
    enemies.map(line).collect()
}

/// SK-56: the unaware units that an attack or a harmful spell alarms, and what follows if the
/// victim of an execution survives.
pub(super) fn alerts(sk: &SkirmishQuery, choice: Choice) -> Vec<String> {
    if [&EXECUTE, &EXECUTE_SHOT].contains(&choice.verb) {
        let execution = execution(&choice);
        let Ok(forecast) = sk.forecast(&execution) else {
            return vec![];
        };
        let does = format!("{} damage", forecast.damage.span().1);
        // A failure alarms every side.
        let alarmed = awareness::unaware(sk, sk.view.roster.sides());
        let alarms = count(alarmed.len(), "unaware unit");
        return vec![match execution.ranged {
            true => format!("If it misses, or the save passes ({does}), it alarms {alarms}."),
            false => format!("If the save passes: {does}, and it alarms {alarms}."),
        }];
    }
    let is_maneuver = [&GRAPPLE, &SHOVE, &SHOVE_DOWN].contains(&choice.verb);
    let is_attack = is_maneuver || attack_of::<Skirmish>(sk, &choice).is_some();
    let attacks = match choice.who.zip(choice.spell) {
        Some(casting) => {
            let caught = cast::aim(sk, &choice).unwrap_or_default();
            spells::attacks(sk, casting, &caught)
        }
        None => Vec::from_iter(choice.who.zip(choice.at).filter(|_| is_attack)),
    };
    alarms_units(&awareness::alarmed(sk, &attacks))
}

/// SK-56: only attacks, calls and failed executions alarm unaware units; opening a door and
/// coming into their view do not.
pub(super) fn reassures(sk: &SkirmishQuery, choice: Choice) -> Option<&'static str> {
    let body = sk.body(choice.who?);
    let unaware = || {
        let enemies = sk.known_enemies(body.side);
        enemies.filter(|&enemy| sk.is_unaware(enemy))
    };
    let is_seen = |at: Cell| {
        let space = Space::new(at, body.size);
        unaware().any(|enemy| sk.view.board.sight(sk.body(enemy).space(), space).los)
    };
    match choice.to {
        Some(_) if choice.verb == &OPEN && unaware().next().is_some() => {
            Some("Opening it alarms nobody.")
        }
        Some(to) if choice.verb == &RUN && is_seen(to) && !is_seen(body.at) => {
            Some("Being seen there alarms nobody.")
        }
        _ => None,
    }
}

/// "It alarms 5 unaware units." Nothing without units.
fn alarms_units(alarmed: &[Id]) -> Vec<String> {
    match alarmed.len() {
        0 => vec![],
        n => vec![format!("It alarms {}.", count(n, "unaware unit"))],
    }
}

pub(super) fn changes(world: &mut World, choice: &Choice) -> Vec<String> {
    match choice.who {
        Some(who) if choice.verb == &DEFEND => defense(world, who),
        Some(_) => ask::<Skirmish, _, _>(world, changes_by, choice.clone()),
        None => vec![],
    }
}

/// What a reaction other than Total Defense changes, and what it costs.
fn changes_by(sk: &SkirmishQuery, choice: Choice) -> Vec<String> {
    let (who, verb) = (choice.actor(), choice.verb);
    if snap::is_snap(verb) {
        // SK-12: if the enemy falls, its rolled attacks are cancelled.
        let rolled_attacks = sk.pending_attacks.all().iter();
        let cancelled =
            rolled_attacks.filter(|rolled_attack| Some(rolled_attack.attack.by) == choice.at);
        let lines = cancelled.map(|_| String::from("dropping it cancels the hit"));
        lines.chain([price_of_main(sk, who)]).collect()
    } else if verb == &OPPORTUNITY {
        vec![String::from("free")]
    } else if verb == &REROLL || verb == &REROLL_CHECK {
        vec![String::from("uses no action, once in a battle")]
    } else if verb == &ACT_NOW {
        vec![acting_now(sk, who)]
    } else if verb == &PASS && sk.waits(who) {
        vec![String::from("Keep holding until the round ends.")]
    } else {
        vec![]
    }
}

/// SK-26: what a held action could do, with the best attack from where the unit stands: "Take the
/// rest of the turn: sword at goblin 1, 60%, 20% to drop".
fn acting_now(sk: &SkirmishQuery, who: Id) -> String {
    let enemies = sk.known_enemies(sk.body(who).side);
    let attacks = enemies.flat_map(|at| sk.ready_attacks(who, at, "SK-26"));
    let possible = attacks.filter_map(|attack| Some((sk.forecast(&attack).ok()?, attack)));
    let Some((forecast, attack)) = best(possible, |p| p.0.worth()) else {
        return String::from("Take the rest of the turn now.");
    };
    let names = sk.view.names();
    let (item, at) = (names.item(attack.with), names.name(attack.at));
    let hits = forecast.hit_past().percent();
    let drops = forecast.drop_past().percent();
    format!("Take the rest of the turn: {item} at {at}, {hits}%, {drops}% to drop")
}

/// What a reaction that spends the Main costs: before the unit's turn, the Main of that turn
/// (SK-12).
fn price_of_main(sk: &SkirmishQuery, who: Id) -> String {
    match sk.is_before_turn(sk.body(who).side) {
        true => String::from("uses next turn's Main"),
        false => String::from("uses Main"),
    }
}

/// SK-12, SK-17: a reaction that spends the Main of the turn to come leaves none to attack with.
pub(super) fn forfeits(sk: &SkirmishQuery, choice: Choice) -> Option<String> {
    let who = choice.who?;
    (snap::spends_main(choice.verb) && sk.is_before_turn(sk.body(who).side))
        .then(|| format!("{} can't attack next turn", sk.view.names().title(who)))
}

/// SK-17: what Total Defense would change about each attack already rolled.
fn defense(world: &mut World, who: Id) -> Vec<String> {
    let all = both_ways(world, who);
    let is_one = all.len() == 1;
    let line = |(threat, higher): (Threat, i32)| {
        let Threat { total, ac, .. } = threat;
        let (by, shock) = (threat.by, threat.shock);
        let verdict = match (total >= ac, total >= higher) {
            (true, false) => format!("{total} becomes a miss (AC {higher})"),
            (true, true) => format!("{total} still hits AC {higher}"),
            (false, _) if shock > 0 => format!("no Shock ({shock} less)"),
            (false, _) => format!("{total} misses AC {ac} anyway"),
        };
        match is_one {
            true => verdict,
            false => format!("{by}: {verdict}"),
        }
    };
    let lines = all.into_iter().map(line);
    let price = ask::<Skirmish, _, _>(world, price_of_main, who);
    lines.chain([price]).collect()
}

/// A rolled attack: the attacker's name, the total, the AC, and the Shock of a miss.
struct Threat {
    by: String,
    total: i32,
    ac: i32,
    shock: i32,
}

/// The rolled attacks on a unit, each with the AC that Total Defense would give.
fn both_ways(world: &mut World, who: Id) -> Vec<(Threat, i32)> {
    let plain = ask::<Skirmish, _, _>(world, threats, who);
    of_unit_mut::<Fighter>(world, who).defending = true;
    let defended = ask::<Skirmish, _, _>(world, threats, who);
    of_unit_mut::<Fighter>(world, who).defending = false;
    let higher = defended.into_iter().map(|threat| threat.ac);
    std::iter::zip(plain, higher).collect()
}

/// Whether a snap attack hardly helps (SK-12), a unit in a grapple could not leave after it has
/// disengaged (SK-52), or Total Defense would change none of the rolled attacks. A later attack opens
/// its own prompt.
pub(super) fn is_futile(world: &mut World, choice: &Choice) -> bool {
    if choice.verb == &DISENGAGE {
        return ask::<Skirmish, _, _>(world, |sk, who| sk.in_grapple(who), choice.actor());
    }
    if snap::is_snap(choice.verb) {
        let attack = ask::<Skirmish, _, _>(world, attack_forecast, choice.clone());
        return matches!(attack, Some(Ok(attack)) if attack.is_slight());
    }
    let Some(who) = choice.who.filter(|_| choice.verb == &DEFEND) else {
        return false;
    };
    let all = both_ways(world, who);
    let turned = |(threat, higher): &(Threat, i32)| {
        (threat.ac..*higher).contains(&threat.total) || threat.total < threat.ac && threat.shock > 0
    };
    !all.is_empty() && !all.iter().any(turned)
}

/// The rolled attacks on a unit.
fn threats(sk: &SkirmishQuery, who: Id) -> Vec<Threat> {
    let rolled_attacks = sk.pending_attacks.all().iter();
    let threat = |rolled_attack: &RolledAttack| {
        let forecast = sk.forecast(&rolled_attack.attack).ok()?;
        Some(Threat {
            by: sk.view.names().title(rolled_attack.attack.by).to_owned(),
            total: rolled_attack.roll.total(),
            ac: forecast.ac,
            shock: forecast.shock.points(),
        })
    };
    let at_it = rolled_attacks.filter(|s| s.attack.at == who);
    at_it.filter_map(threat).collect()
}
