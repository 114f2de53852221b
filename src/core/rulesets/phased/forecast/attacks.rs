//! Forecasts of attacks and spells, and the attacks that actions provoke.

use crate::rulesets::common::{
    act::attack_of,
    attacks::ToHit,
    damage::Odds,
    forecast::{any_of, damage_text, needs_on_d20, spell_odds, spread_of as spread_of_damage},
};
use crate::rulesets::phased::{
    Phased, acts, declare,
    fast::FLEE,
    odds::Forecast,
    query::PhasedQuery,
    reactions::{self, Trigger},
    routine::{AttackWay, Routine},
    spells,
};
use crate::{
    battle::{AttackForecast, Choice, Id, OddsLine, Provoked, Spread, Why, capitalised, signed},
    content::Attribute,
    grid::{Board, Cover, Space},
};
use bevy_ecs::system::In;

/// The forecasts of a routine's attacks, or why it is not possible.
pub fn forecasts(
    ph: &PhasedQuery,
    choice: &Choice,
    routine: &Routine,
) -> Result<Vec<Forecast>, Why> {
    match choice.verb == &declare::CHARGE {
        // From the end of the charge.
        true => ph.charge_forecasts(routine),
        false => ph.routine_forecasts(routine),
    }
}

/// The damage spread of the whole routine.
pub(super) fn spread(In(choice): In<Choice>, ph: PhasedQuery) -> Spread {
    let all = attack_of::<Phased>(&ph, &choice).and_then(|r| forecasts(&ph, &choice, &r.0).ok());
    spread_of(&all.unwrap_or_default())
}

fn spread_of(all: &[Forecast]) -> Spread {
    Spread::sum(all.iter().map(|f| {
        let one = spread_of_damage(f.hit().as_f32(), &f.damage, 0, f.hp);
        (one, f.hp)
    }))
}

pub(super) fn attack(ph: &PhasedQuery, choice: Choice) -> Option<Result<AttackForecast, Why>> {
    let (routine, _) = attack_of::<Phased>(ph, &choice)?;
    let forecasts = forecasts(ph, &choice, &routine);
    Some(forecasts.map(|forecasts| describe_attack(ph, choice, &routine, &forecasts)))
}

/// "1d8+2: 3 to 10".
fn damage(forecast: &Forecast) -> String {
    let times = match forecast.damage.times {
        1 => String::new(),
        n => format!(" times {n}"),
    };
    damage_text(&forecast.damage, &times)
}

/// The cover symbol for the hidden percentage of a target (PH-27): half from the first percentage
/// with a penalty, full from 75%.
fn cover(hidden: u8) -> Cover {
    match hidden {
        0..25 => Cover::None,
        25..75 => Cover::Half,
        75.. => Cover::Full,
    }
}

/// The cover symbol between two spaces; `None` without a line of sight.
pub(super) fn cover_between(board: &Board, from: Space, to: Space) -> Option<Cover> {
    let is_seen = board.sight(from, to).los;
    is_seen.then(|| cover(board.unseen_share(from, to)))
}

fn describe_attack(
    ph: &PhasedQuery,
    choice: Choice,
    routine: &Routine,
    all: &[Forecast],
) -> AttackForecast {
    let forecast = &all[0];
    let (ac, total) = (forecast.ac, forecast.against());
    let mut notes: Vec<OddsLine> = vec![];
    let (needs, against) = match forecast.called {
        true => {
            let text = "a weak spot: neither the total nor the AC counts";
            notes.push(OddsLine::note(text, "PH-38"));
            (String::from("only a natural 20 hits"), format!("AC {ac}"))
        }
        false => {
            let against = format!("AC {ac}: needs a total of {total}");
            (needs_on_d20(forecast.needs()), against)
        }
    };
    for (n, more) in all.iter().enumerate().skip(1) {
        let text = format!("attack {}: {}", n + 1, damage(more));
        notes.push(OddsLine::chance(text, more.hit().percent(), "PH-35"));
    }
    let is_melee = routine.way != AttackWay::Shoot && choice.verb != &declare::CHARGE;
    if is_melee {
        let speed = ph.speed_of(routine.by, routine.with, routine.way);
        let change = ph.readying(routine.by, routine.with).unwrap_or(0);
        let text = match change {
            0 => format!("weapon speed {speed}, breaks ties"),
            n => format!("weapon speed {speed}, breaks ties, including {n} to change weapons"),
        };
        notes.push(OddsLine::note(text, "PH-02"));
    }
    let is_in_melee = ph.melee(routine.by) & routine.at.bit() != 0;
    if is_melee && is_in_melee && !ph.is_adjacent(routine.by, routine.at) {
        let feet = ph.melee_reach(routine.by);
        let text = format!("same melee: reaches any enemy within {feet} ft, past allies too");
        notes.push(OddsLine::note(text, "PH-50"));
    }
    if forecast.foiled.is_some() && forecast.known {
        notes.push(OddsLine::note("no effect", "PH-37"));
    }
    let (here, there) = (ph.body(routine.by).space(), ph.body(routine.at).space());
    AttackForecast {
        by: routine.by,
        at: routine.at,
        weapon: ph.view.names().item(routine.with).to_owned(),
        against,
        against_modifiers: forecast.ac_modifiers.clone(),
        needs,
        percent: forecast.hit().percent(),
        damage: damage(forecast),
        drop_percent: spread_of(all).drop_percent(),
        attacks: all.len(),
        answered: None,
        screen: None,
        mean: None,
        notes,
        cover: cover(ph.view.board.unseen_share(here, there)),
        worth: all.iter().map(Forecast::mean_damage_x200).sum(),
        modifiers: forecast.modifiers.clone(),
        choice,
    }
}

/// PH-04: the chance that enemies listen to a parley.
pub fn parley(ph: &PhasedQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let who = choice.who?;
    let cha = ph.view.creature(who).modifier(Attribute::Cha);
    let needs = ph.tables().numbers.parley_needs - cha;
    let listens = Odds::of_sum(2, 6, |sum| sum >= needs);
    let cha = signed(cha);
    let text = format!("enemies listen and don't attack this round (2d6, CHA {cha})");
    Some(vec![OddsLine::chance(text, listens.percent(), "PH-04")])
}

/// PH-38: the chance that a grab takes the item.
pub fn grab(ph: &PhasedQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let item = choice.with.map_or("it", |with| ph.view.names().item(with));
    let text = format!("takes {item}, needs {} on d20", acts::GRABS_AT);
    let percent = u32::from(21 - acts::GRABS_AT) * 5;
    Some(vec![OddsLine::chance(text, percent, "PH-38")])
}

/// PH-24: when a declared spell takes effect.
pub fn declared_spell(ph: &PhasedQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let (who, id) = (choice.who?, choice.spell?);
    let n = ph.spell_numbers(id).segments;
    let (low, rounds) = (n + ph.tables().numbers.low_spell, n.div_ceil(10));
    let text = match n {
        10 => String::from("takes the whole round; lost if the caster is hurt"),
        11.. => format!("takes {rounds} rounds; lost if the caster is hurt"),
        _ if ph.fighter(who).passed_up.late => {
            format!(
                "works near the end of the round: segment {low} of the Spells phase, as it is delayed; lost if hurt before"
            )
        }
        _ => format!(
            "works near the end of the round: segment {n} of the Spells phase, or {low} if its side acts second (LOW); lost if hurt before"
        ),
    };
    let mut out = vec![OddsLine::note(text, "PH-24")];
    out.extend(spell(ph, choice)?);
    Some(out)
}

/// The save of each target of a spell.
pub fn spell(ph: &PhasedQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let (who, spell) = (choice.who?, choice.spell?);
    let known = ph.view.spell(spell);
    let mut out = vec![];
    let targets = match (choice.at, choice.to) {
        (Some(at), _) => vec![at],
        (_, Some(to)) => spells::caught(ph, who, known, to),
        _ => vec![],
    };
    for id in targets {
        let (needs, _) = spells::save_against(ph, id, known);
        let names = ph.view.names();
        // The target may have moved by the time the spell completes (PH-26).
        let one = choice.at == Some(id);
        if let Err(why) = spells::can_affect(ph, who, known, id)
            && one
        {
            let text = format!("right now, {}", why.text);
            out.push(OddsLine::note(text, why.rule).each(id, names));
        }
        if spells::is_immune(ph, known, id) && ph.knows(who, id, false) {
            out.push(OddsLine::note("no effect", "PH-43").each(id, names));
            continue;
        }
        let rules = ["PH-24", "PH-60", "PH-60"];
        out.extend(spell_odds(&ph.view, known, id, needs, rules));
    }
    Some(out)
}

/// The attacks that fleeing (PH-40) or another action in melee (PH-41) provokes.
pub(super) fn provoked(In(choice): In<Choice>, ph: PhasedQuery) -> Vec<Provoked> {
    let Some(by) = choice.who else { return vec![] };
    let flees = [&declare::FLIGHT, &FLEE].contains(&choice.verb);
    let flight = flees.then_some(Trigger::Flight { by });
    let Some(moment) = flight.or_else(|| acts::opening(&choice)) else {
        return vec![];
    };
    // The chance that any attack of the routine hits.
    let chance = |choice: &Choice| {
        let routine = reactions::routine(&ph, choice)?;
        let all = ph.routine_forecasts(&routine).ok()?;
        Some(any_of(all.iter().map(|f| f.hit().percent())))
    };
    let strikers = reactions::strikers(&ph, by, &moment).into_iter();
    let best = |(enemy, attacks): (Id, Vec<Choice>)| {
        let percent = attacks.iter().filter_map(chance).max()?;
        Some(Provoked::here(enemy, percent))
    };
    strikers.filter_map(best).collect()
}

/// Warns about losses: a spell without a target (PH-23), or a held weapon that would act later than
/// this attack (PH-02).
pub(super) fn warnings(In(choice): In<Choice>, ph: PhasedQuery) -> Vec<String> {
    let Some(who) = choice.who else { return vec![] };
    let names = ph.view.names();
    if choice.verb == &acts::DONE {
        let casting = ph.fighter(who).casting;
        let casting = casting.filter(|_| spells::must_aim(&ph, who));
        let spell = casting.map(|c| capitalised(names.spell(c.spell)));
        return Vec::from_iter(spell.map(|s| format!("{s} has no target yet: the spell is lost.")));
    }
    let held = acts::held_later_weapons(&ph, &choice).into_iter();
    held.map(|(item, speed)| {
        let (item, done) = (capitalised(names.item(item)), "Done waits for that");
        format!("{item} (held) acts at speed {speed}: {done}.")
    })
    .collect()
}

/// PH-41: an immediate attack that hardly helps is seldom worth the major action.
pub(super) fn is_futile(ph: &PhasedQuery, choice: Choice) -> bool {
    choice.verb == &reactions::IMMEDIATE_ATTACK
        && matches!(attack(ph, choice), Some(Ok(attack)) if attack.is_slight())
}

pub(super) fn changes(In(choice): In<Choice>, ph: PhasedQuery) -> Vec<String> {
    let Some(who) = choice.who else { return vec![] };
    let mut lines = vec![];
    if choice.verb == &reactions::IMMEDIATE_ATTACK {
        lines.push(String::from("Uses this round's major action."));
    }
    let f = ph.fighter(who);
    let free = choice.verb == &reactions::FREE_ATTACK;
    if choice.verb != &reactions::CAST && f.casting.is_some() {
        lines.push(String::from("Breaks concentration: your spell is lost."));
    } else if free && f.upkeep.is_some() {
        lines.push(String::from("Ends the spell you are concentrating on."));
    }
    lines
}
