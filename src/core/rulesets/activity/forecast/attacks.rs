//! Forecasts of attacks, spells and declarations, made by the functions that resolve them.

use super::plans::supposing;
use crate::rulesets::common::{act::attack_of, ask, attacks::ToHit, table};
use crate::{
    battle::{
        Attack, AttackForecast, Choice, Id, Item, Modifier, OddsLine, SpellId, Spread, Trade, Why,
        of_unit_mut, run_system, signed, sum,
    },
    content::Effect,
    rulesets::activity::{
        Activity,
        acts::attack,
        charge::share_after,
        chi,
        content::ActivitySpell,
        declared,
        movement::OPPORTUNITY,
        numbers::tables,
        odds::{AttackChances, Forecast, RollResult, chance_of, each_roll},
        perception,
        plan::{self, most_parry, parry_ob, planned_weapons},
        planning::attack_percent,
        query::ActivityQuery,
        spells::{self, casting, casting_chance, fumbles_at, resistance_chance, spell_forecast},
        state::{ActionKind, Actor, PlannedAction},
        targets::{SHOOT, STRIKE},
    },
};
use bevy_ecs::{system::In, world::World};

/// The attack of a choice, with its planned share of the round.
pub fn planned_attack(ac: &ActivityQuery, choice: &Choice) -> Attack {
    attack(ac, choice, attack_percent(ac, choice.actor(), choice.verb))
}

pub fn attack_forecast(world: &mut World, choice: &Choice) -> Option<Result<AttackForecast, Why>> {
    let read = |ac: &ActivityQuery, choice: Choice| {
        let (attack, from) = attack_of::<Activity>(ac, &choice)?;
        let forecast = ac.forecast_from(&attack, from);
        Some(forecast.map(|f| describe_attack(ac, choice, &attack, f)))
    };
    ask::<Activity, _, _>(world, read, choice.clone())
}

/// Probabilities of concussion hits lost. A target killed by a critical counts as dropped.
pub fn spread(In(choice): In<Choice>, ac: ActivityQuery) -> Spread {
    let forecast = attack_of::<Activity>(&ac, &choice).map(|(a, from)| ac.forecast_from(&a, from));
    let mut spread = Spread::default();
    let Some(Ok(f)) = forecast else { return spread };
    each_roll(|first, roll, weight| {
        let chance = weight as f32 / 10_000.0;
        let row = match f.comes(first, roll + f.bonus()) {
            RollResult::Hit(total) => f.row(total),
            RollResult::Fumble | RollResult::Miss(_) => None,
        };
        let points = row.map_or(0, |row| row.hits);
        let drops = row.is_some_and(|row| row.dead || row.hits >= f.hits);
        spread.add(points, chance, if drops { chance } else { 0.0 });
    });
    spread
}

fn describe_attack(
    ac: &ActivityQuery,
    choice: Choice,
    attack: &Attack,
    f: Forecast,
) -> AttackForecast {
    let chances = f.chances();
    let (least, most) = f.span();
    let mut all = notes(&f, &chances);
    all.extend(parried(ac, attack, &f));
    AttackForecast {
        by: attack.by,
        at: attack.at,
        weapon: ac.weapon(attack.with).name.clone(),
        against: format!("DB {}", f.db()),
        needs: needs(&f),
        percent: AttackChances::percent(chances.hit),
        damage: format!("{least} to {most} damage"),
        drop_percent: AttackChances::percent(chances.drop),
        attacks: 1,
        answered: None,
        screen: None,
        mean: Some(mean(&chances)),
        notes: all,
        cover: f.cover,
        worth: chances.worth(),
        modifiers: f.modifiers,
        against_modifiers: f.defence,
        choice,
    }
}

/// AC-13, AC-22: the attack against the strongest parry that the target may have declared in
/// secret, with what it holds. `None` if it cannot parry, or its declaration is known.
fn parried(ac: &ActivityQuery, attack: &Attack, f: &Forecast) -> Option<OddsLine> {
    let target = ac.actor(attack.at);
    let (most, rule) = match attack.ranged {
        true => (ac.missile_parry(attack.at), "AC-22"),
        false => {
            let obs = ac.view.ready_weapons(attack.at);
            let obs = obs.map(|item| ac.base_ob(attack.at, item, false));
            (obs.max().unwrap_or(0) + target.penalty, "AC-13")
        }
    };
    let is_known = target.declared || f.defence.iter().any(|part| part.rule == rule);
    let cannot = ac.is_helpless(attack.at) || ac.body(attack.at).flees;
    if is_known || cannot || most <= 0 {
        return None;
    }
    let mut f = f.clone();
    Modifier::push(&mut f.defence, most, "parry", rule);
    let (db, chances) = (f.db(), f.chances());
    let (mean, drops) = (mean(&chances), AttackChances::percent(chances.drop));
    let text = format!("if it parries, up to DB {db}: {mean:.1} damage, {drops}% to drop");
    Some(OddsLine::note(text, rule))
}

/// Average concussion hits lost.
fn mean(chances: &AttackChances) -> f32 {
    chances.mean_hits_by_10k as f32 / 10_000.0
}

/// Average concussion hits lost, with `more` added to the roll.
fn mean_with(f: &Forecast, more: i32) -> f32 {
    let mut f = f.clone();
    let parry = Modifier::new(more as i16, "parry", "AC-13");
    f.modifiers.push(parry);
    mean(&f.chances())
}

/// For a melee attack, the average damage for each share of the round (AC-02), and for each
/// amount of OB kept for parrying (AC-13), the latter together with the damage of the target's
/// best attack in return.
pub fn trades(In(choice): In<Choice>, ac: ActivityQuery) -> Vec<Trade> {
    let made = attack_of::<Activity>(&ac, &choice).filter(|_| choice.verb == &STRIKE);
    let Some((made, here)) = made else {
        return vec![];
    };
    let (ac, by, costs) = (&ac, made.by, &ac.tables().costs);
    let Ok(f) = ac.forecast_from(&made, here) else {
        return vec![];
    };
    let at_share = |percent: i32| {
        let forecast = ac.forecast_from(&attack(ac, &choice, percent), here);
        forecast.ok().map(|f| (percent, mean(&f.chances())))
    };
    let shares = (costs.melee.0..=costs.melee.1).step_by(5);
    let mut all = vec![Trade {
        over: "share of the round, %",
        now: attack_percent(ac, by, choice.verb),
        dealt: shares.filter_map(at_share).collect(),
        taken: vec![],
    }];
    let ob = parry_ob(ac, by).unwrap_or(0).max(0);
    let kept = ac.actor(by).parry;
    let back = best_attack(ac, made.at, by);
    if ob >= 10 && ac.may_parry(by) {
        let steps = (0..=ob).step_by((ob as usize / 10).max(1));
        // Kept OB is missing from the unit's attack and raises its DB against the target's.
        let parried = ac.parry(by);
        let dealt = steps.clone().map(|k| (k, mean_with(&f, kept - k)));
        all.push(Trade {
            over: "OB kept for parrying",
            now: kept,
            dealt: dealt.collect(),
            taken: back.map_or(vec![], |back| {
                steps.map(|k| (k, mean_with(&back, parried - k))).collect()
            }),
        });
    }
    all
}

/// The melee attack of `by` on `at` with the highest average damage, with any weapon that is
/// ready. `None` if no attack is possible.
fn best_attack(ac: &ActivityQuery, by: Id, at: Id) -> Option<Forecast> {
    let ready = ac.inventory(by).ready();
    let all = ready.filter_map(|with| {
        let choice = Choice::new(&STRIKE, by).at(at).with(with);
        let made = attack(ac, &choice, ac.tables().costs.melee.1);
        let f = ac.forecast_from(&made, ac.body(by).at).ok()?;
        Some((mean(&f.chances()), f))
    });
    all.max_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, f)| f)
}

/// The lowest die that hits.
fn needs(f: &Forecast) -> String {
    match f.needs().max(f.fumble + 1) {
        n if n <= 1 => String::from("hits on any roll"),
        n if n >= i32::from(tables().open_ended) => format!("needs {n}: open-ended roll only"),
        n => format!("needs {n}+ on d100"),
    }
}

/// Other effects of the attack (AC-30, AC-31).
fn notes(f: &Forecast, chances: &AttackChances) -> Vec<OddsLine> {
    let (_, cap) = tables().size(f.size);
    let table = format!("{} total: up to {cap}", f.attack.name());
    let mut notes = vec![OddsLine::note(table, "AC-31")];
    let kinds = [
        (chances.stun, "stunned", "AC-31"),
        (chances.bleed, "bleeding", "AC-31"),
        (chances.dead, "kills outright", "AC-31"),
        (chances.fumble, "fumble", "AC-30"),
    ];
    for (chance, text, rule) in kinds {
        if AttackChances::percent(chance) > 0 {
            notes.push(OddsLine::chance(text, AttackChances::percent(chance), rule));
        }
    }
    notes
}

/// The chances of a choice. Chances of a declaration are read as if it had been declared.
pub fn odds(world: &mut World, choice: &Choice) -> Vec<OddsLine> {
    let declares = declared::VERBS.contains(&choice.verb);
    match choice.who.filter(|_| declares) {
        Some(who) => declared(world, who, choice),
        None => table::odds::<Activity>(world, choice),
    }
}

fn declared(world: &mut World, who: Id, choice: &Choice) -> Vec<OddsLine> {
    fn planned_move(In(who): In<Id>, ac: ActivityQuery) -> u16 {
        let plan = &ac.actor(who).plan;
        let is_attack =
            |p: &PlannedAction| matches!(p.kind, ActionKind::Melee | ActionKind::Missile);
        let Some((_, before)) = plan.split_last().filter(|(last, _)| is_attack(last)) else {
            return 0;
        };
        let moves = before.iter().filter(|p| p.kind == ActionKind::Move);
        moves.map(|p| ac.feet(who, p.percent, false)).sum()
    }
    let seen = supposing(world, choice, |world| {
        // An attack is shown with the penalty for the whole move planned before it.
        let feet = run_system(world, planned_move, who);
        of_unit_mut::<Actor>(world, who).moved += feet;
        let mut seen = table::odds::<Activity>(world, choice);
        if feet > 0 {
            let text = format!("after the full move, {feet} ft");
            seen.push(OddsLine::note(text, "AC-23"));
        }
        seen
    });
    seen.unwrap_or_default()
}

/// The chances of the action declared last: its share of the round, its count and its effects.
pub fn plan(ac: &ActivityQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let who = choice.who?;
    let actor = ac.actor(who);
    if let Some((spell, points)) = actor.naming {
        return Some(named(ac, who, spell, points));
    }
    let planned = actor.plan.last()?;
    let mut all = vec![when(ac, who, planned)];
    match planned.kind {
        ActionKind::Melee | ActionKind::Missile | ActionKind::Charge => {
            strikes(ac, who, planned, &mut all)
        }
        ActionKind::Move => {
            let feet = ac.feet(who, planned.percent, false);
            all.push(OddsLine::note(format!("up to {feet} ft"), "AC-01"));
            let tens = (i32::from(feet) + 9) / 10 * ac.tables().move_penalty;
            let text = format!("attack after the full move: OB {}", signed(-tens));
            all.push(OddsLine::note(text, "AC-23"));
        }
        ActionKind::Spell { .. } | ActionKind::Instant { .. } => {
            all.push(casts(ac, who, planned.haste))
        }
        ActionKind::ParryMissile => {
            let db = ac.missile_parry(who);
            let text = format!("DB {} against one missile", signed(db));
            all.push(OddsLine::note(text, "AC-22"));
        }
        ActionKind::Perceive => {
            let t = ac.tables();
            let less = (planned.percent - t.costs.perception.1).min(0);
            let bonus = sum(&perception::parts(ac, who)) + less;
            let percent = AttackChances::percent(chance_of(bonus, t.maneuver_target, 0));
            let text = format!("perception {} against {}", signed(bonus), t.maneuver_target);
            all.push(OddsLine::chance(text, percent, "AC-35"));
        }
        ActionKind::ChiSpeed => {
            let (bonus, target) = (sum(&chi::parts(ac, who)), ac.tables().maneuver_target);
            let text = format!("the maneuver {} against {target}", signed(bonus));
            let percent = AttackChances::percent(chi::chance(ac, who));
            all.push(OddsLine::chance(text, percent, "AC-25"));
        }
        _ => {}
    }
    Some(all)
}
/// The share that the last action of the plan takes, and its count (AC-11, AC-14).
fn when(ac: &ActivityQuery, who: Id, planned: &PlannedAction) -> OddsLine {
    let actor = ac.actor(who);
    let place = actor.plan.len() - 1;
    let percent = planned.percent;
    let text = match actor.fall(place, ac.tables().count_per_tenth) {
        Some(0) => format!("{percent}% of the round, at your initiative count"),
        Some(fall) => format!("{percent}% of the round, at your initiative count − {fall}"),
        None => format!("{percent}%: continues into the next round"),
    };
    OddsLine::note(text, "AC-11")
}

/// The best OB that an attack with this percent has (AC-02), and the chances against the best
/// three targets in reach.
fn strikes(ac: &ActivityQuery, who: Id, planned: &PlannedAction, all: &mut Vec<OddsLine>) {
    let ranged = planned.kind == ActionKind::Missile;
    let verb = if ranged { &SHOOT } else { &STRIKE };
    let weapons: Vec<_> = match ranged {
        true => ac.inventory(who).ready().collect(),
        false => planned_weapons(ac, who),
    };
    let fits = |&n: &Item| match ranged {
        true => ac.weapon(n).ranged.is_some(),
        false => ac.weapon(n).melee.is_some(),
    };
    let weapons = weapons.into_iter().filter(fits);
    let Some(with) = weapons.max_by_key(|&n| ac.base_ob(who, n, ranged)) else {
        let text = "with the weapon held at that moment";
        all.push(OddsLine::note(text, "AC-01"));
        return;
    };
    let base = ac.base_ob(who, with, ranged);
    // A charge is shown with its shortest run and the OB that this leaves.
    let least = ac.tables().charge_least;
    let charge = (planned.kind == ActionKind::Charge).then_some(least);
    let percent = charge.map_or(planned.percent, |feet| {
        share_after(ac, who, planned.percent, feet)
    });
    let effort = sum(&ac.effort(who, percent, ranged, charge)) + ac.actor(who).penalty;
    let name = &ac.weapon(with).name;
    let ob = format!("OB {} with {name}", signed(base + effort));
    if let Some(feet) = charge {
        all.push(OddsLine::note(format!("{ob}, after {feet} ft"), "AC-21"));
        return;
    }
    all.push(OddsLine::note(ob, "AC-02"));
    let chances = |at: Id| {
        let choice = Choice::new(verb, who).at(at).with(with);
        let forecast = ac.forecast(&attack(ac, &choice, planned.percent));
        Some((forecast.ok()?.chances(), at))
    };
    let mut enemies: Vec<(AttackChances, Id)> = ac.enemies(who).filter_map(chances).collect();
    enemies.sort_by_key(|f| std::cmp::Reverse(f.0.mean_hits_by_10k));
    for (chances, at) in enemies.into_iter().take(3) {
        let name = ac.view.names().title(at);
        let (mean, drop) = (mean(&chances), AttackChances::percent(chances.drop));
        let text = format!("{name}, from here: average {mean:.1} damage, {drop}% to drop; hits");
        all.push(OddsLine::chance(text, AttackChances::percent(chances.hit), "AC-30").of(at));
    }
}

/// The OB kept for parrying, and the OB left to attack with (AC-13).
pub fn kept(ac: &ActivityQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let who = choice.who?;
    let share = ac.actor(who).parry;
    let left = most_parry(ac, who) - share;
    let mut all = vec![
        OddsLine::note(format!("DB {} against melee", signed(share)), "AC-13"),
        OddsLine::note(format!("OB {} left to attack", signed(left)), "AC-13"),
    ];
    let first = ac.actor(who).plan.first();
    if first.is_some_and(|p| !p.kind.allows_parry()) {
        let text = "works only around a melee action";
        all.push(OddsLine::note(text, "AC-13"));
    }
    Some(all)
}

/// The casting time of a spell, in full and at the least (AC-01, AC-03).
fn named(ac: &ActivityQuery, who: Id, spell: SpellId, points: i32) -> Vec<OddsLine> {
    let (least, full) = plan::spell_time(ac, spell, points);
    let kind = ac.view.spell(spell);
    let own = kind.section::<ActivitySpell>();
    let more = match &kind.effect {
        _ if own.grants.is_some() => None,
        Effect::Damage(_) => Some("+5 to its attack"),
        Effect::Heal(_) => Some("+3 HP"),
        Effect::Lasts { condition, .. } if condition.defense > 0 => Some("DB +5"),
        Effect::Lasts { .. } => None,
    };
    let more = more.filter(|_| own.most > own.points).map(|more| {
        let text = format!("each power point beyond {}: {more}", own.points);
        OddsLine::note(text, "AC-34")
    });
    let time = format!("{full}%, or at least {least}% hastened");
    let mut all = vec![OddsLine::note(time, "AC-03"), casts(ac, who, 0)];
    all.extend(more);
    all
}

/// The chance that a casting succeeds (AC-34).
fn casts(ac: &ActivityQuery, who: Id, haste: i32) -> OddsLine {
    let bonus = sum(&casting(ac, who, haste));
    let hastened = match haste {
        0 => String::new(),
        n => format!(", hastened {}", signed(n)),
    };
    let (target, fumble) = (ac.tables().casting_target, fumbles_at(ac, haste));
    let bonus = signed(bonus);
    let text = format!("casting {bonus}{hastened} against {target}, fumbles up to {fumble}");
    let percent = AttackChances::percent(casting_chance(ac, who, haste));
    OddsLine::chance(text, percent, "AC-34")
}

/// The chances of a spell that is due: its casting, and its effect on each affected unit.
pub fn cast(ac: &ActivityQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let (who, spell) = (choice.who?, choice.spell?);
    let kind = ac.view.spell(spell);
    let own = kind.section::<ActivitySpell>();
    let planned = ac.actor(who).coming();
    let planned = planned.and_then(|p| Some((p.kind.spell()?.1, p.haste)));
    let (points, haste) = planned.unwrap_or((own.points, 0));
    let casting = casts(ac, who, haste);
    // The combined chance: the casting succeeds, and then the effect.
    let comes = casting.percent.unwrap_or(100);
    let both = |percent: u32| (comes * percent + 50) / 100;
    let mut all = vec![casting];
    let caught = match (choice.at, choice.to) {
        (Some(at), _) => vec![at],
        (_, Some(to)) => spells::caught(ac, who, kind, to),
        _ => vec![],
    };
    let (more, long) = (points - own.points, spells::rounds(kind));
    for at in caught {
        let resists = || AttackChances::percent(resistance_chance(ac, at, kind));
        let odds = match &kind.effect {
            _ if own.grants.is_some() => OddsLine::note("quickened", "AC-25"),
            Effect::Damage(_) => {
                let f = spell_forecast(ac, who, at, kind, points);
                let chances = f.chances();
                let (least, most) = f.span();
                let resisted = match resists() {
                    0 => String::new(),
                    n => format!(", resists {n}%"),
                };
                let name = f.attack.name();
                let text = format!("{name}: {least} to {most} damage{resisted}; including casting");
                OddsLine::chance(text, both(AttackChances::percent(chances.hit)), "AC-31")
            }
            Effect::Lasts { condition, .. } if condition.harms() => {
                let text = format!("{} for {long} rounds; including casting", condition.name);
                OddsLine::chance(text, both(100 - resists()), "AC-35")
            }
            Effect::Heal(dice) => {
                let back = i32::from(dice.count) * i32::from(dice.sides) + 3 * more;
                OddsLine::note(format!("heals {back} HP"), "AC-34")
            }
            Effect::Lasts { condition, .. } => {
                let db = signed(5 * condition.defense + 5 * more);
                OddsLine::note(format!("DB {db} for {long} rounds"), "AC-20")
            }
        };
        all.push(odds.each(at, ac.view.names()));
    }
    Some(all)
}

pub fn changes(_: &mut World, choice: &Choice) -> Vec<String> {
    match choice.verb == &OPPORTUNITY {
        true => vec![String::from("Costs no activity; once per round.")],
        false => vec![],
    }
}
