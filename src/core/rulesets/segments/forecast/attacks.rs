//! Forecasts of attacks and spells, and the attacks that actions provoke.

use crate::rulesets::common::{
    act::{attack_of, provokes},
    attacks::ToHit,
    damage::Odds,
    forecast::{any_of, damage_text, needs_on_d20, spell_odds, spread_of as spread_of_damage},
};
use crate::rulesets::segments::{
    Segments,
    acts::{SHOOT, THROW},
    content::SegmentsSpell,
    declare::rest,
    events::{completion, describe_intent},
    odds::Forecast,
    query::SegmentsQuery,
    reactions::{AT_BACK, reaction_attacks},
    state::{AttackSpec, segment_of},
};
use crate::{
    battle::{Attack, AttackForecast, Choice, Id, OddsLine, Provoked, SpellId, Spread, Why},
    grid::{Cell, Cover, Space},
    words::count,
};
use bevy_ecs::system::In;

pub(super) fn attack(se: &SegmentsQuery, choice: Choice) -> Option<Result<AttackForecast, Why>> {
    let (all, from) = attack_of::<Segments>(se, &choice)?;
    let first = all.first()?;
    let shown = se.forecast_from(first, from).map(|forecast| {
        let part = chance_at_target(se, first);
        let rest = all[1..].iter().filter_map(|b| {
            let forecast = se.forecast_from(b, from).ok()?;
            let name = se.view.names().item(b.attack.with);
            let text = format!("and {name}: {}", dice(&forecast));
            let percent = part.and(forecast.hit()).percent();
            Some(OddsLine::chance(text, percent, "SE-34"))
        });
        let mut notes: Vec<OddsLine> = rest.collect();
        if is_tied(se, first.attack.by, first.attack.at) {
            let text = "simultaneous: movement goes first and can change this";
            notes.push(OddsLine::note(text, "SE-32"));
        }
        let around = se.melee_around(first.attack.by, first.attack.at);
        if first.attack.ranged && around.len() > 1 {
            let names = around.iter().map(|a| se.view.names().name(a.0));
            let names = names.collect::<Vec<_>>().join(", ");
            let Odds { favourable, of } = part;
            let text =
                format!("into melee: hits one of {names} at random; {favourable} in {of} this one");
            notes.push(OddsLine::note(text, "SE-53"));
        }
        let Attack { by, at, with, .. } = first.attack;
        let here = Space::new(from, se.body(by).size);
        let sight = se.view.board.sight(here, se.body(at).space());
        let (ac, total) = (forecast.ac, forecast.against());
        AttackForecast {
            choice,
            by,
            at,
            weapon: se.view.names().item(with).to_owned(),
            against: format!("AC {ac}: needs a total of {total}"),
            needs: needs_on_d20(forecast.needs()),
            percent: part.and(forecast.hit()).percent(),
            damage: dice(&forecast),
            drop_percent: spread_of(se, &all, from).drop_percent(),
            attacks: all.len(),
            answered: None,
            screen: None,
            mean: None,
            notes,
            cover: sight.cover.unwrap_or(Cover::None),
            worth: forecast.mean_damage_x200(),
            modifiers: forecast.modifiers,
            against_modifiers: forecast.ac_modifiers,
        }
    });
    Some(shown)
}

/// SE-53: a missile shot into a melee may hit an ally of the shooter.
pub(super) fn warnings(In(choice): In<Choice>, se: SegmentsQuery) -> Vec<String> {
    let is_missile = choice.verb == &SHOOT || choice.verb == &THROW;
    let (Some(by), Some(at), true) = (choice.who, choice.at, is_missile) else {
        return vec![];
    };
    let around = se.melee_around(by, at);
    let all: u32 = around.iter().map(|a| u32::from(a.1)).sum();
    let side = se.body(by).side;
    let own = around.iter().filter(|a| se.body(a.0).side == side);
    let line = |&(ally, size): &(Id, u16)| {
        let name = se.view.names().title(ally);
        let percent = 100 * u32::from(size) / all.max(1);
        format!("It may fly at {name} instead: {percent}%.")
    };
    own.map(line).collect()
}

/// Whether attacker and target both act in this segment, so that they choose in secret.
fn is_tied(se: &SegmentsQuery, by: Id, at: Id) -> bool {
    let (mine, theirs) = (se.fighter(by), se.fighter(at));
    se.clock.segment > 0 && mine.due == se.clock.segment && theirs.due == mine.due
}

/// SE-53: the chance that a missile flies at its intended target.
fn chance_at_target(se: &SegmentsQuery, spec: &AttackSpec) -> Odds {
    let attack = &spec.attack;
    if !attack.ranged {
        return Odds::SURE;
    }
    let around = se.melee_around(attack.by, attack.at);
    let own = around.iter().filter(|a| a.0 == attack.at);
    Odds {
        favourable: own.map(|a| u32::from(a.1)).sum(),
        of: around.iter().map(|a| u32::from(a.1)).sum(),
    }
}

/// The damage spread of the whole routine.
pub(super) fn spread(In(choice): In<Choice>, se: SegmentsQuery) -> Spread {
    let specs = attack_of::<Segments>(&se, &choice);
    specs.map_or_else(Spread::default, |(all, from)| spread_of(&se, &all, from))
}

fn spread_of(se: &SegmentsQuery, all: &[AttackSpec], from: Cell) -> Spread {
    let part = |first: &AttackSpec| chance_at_target(se, first).as_f32();
    let part = all.first().map_or(1.0, part);
    let forecasts = all.iter().filter_map(|b| se.forecast_from(b, from).ok());
    Spread::sum(forecasts.map(|f| {
        let hit = part * f.outcomes() as f32 / 20.0;
        (spread_of_damage(hit, &f.damage, 0, f.hp), f.hp)
    }))
}

/// "1d8+2: 3 to 10".
fn dice(forecast: &Forecast) -> String {
    let is_double = forecast.damage.times > 1;
    damage_text(&forecast.damage, if is_double { ", double" } else { "" })
}

/// SE-40: how long a declared spell takes.
pub fn declared_spell(se: &SegmentsQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let casting = choice.spell.map_or(1, |spell| casting(se, spell));
    let segments = count(casting as usize, "segment");
    let text = format!("{segments} to cast; lost if damaged first");
    Some(vec![OddsLine::note(text, "SE-40")])
}

/// SE-40: when a spell that begins now takes effect.
pub fn casting_now(se: &SegmentsQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let casting = choice.spell.map_or(1, |spell| casting(se, spell));
    let moment = completion(&se.clock, se.clock.now() + casting);
    let text = format!("takes effect {moment}; lost if damaged first");
    Some(vec![OddsLine::note(text, "SE-40")])
}

fn casting(se: &SegmentsQuery, spell: SpellId) -> i32 {
    se.view.spell(spell).section::<SegmentsSpell>().casting
}

/// A spell's effect on its target.
pub fn at_one(se: &SegmentsQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    spell_on(se, choice, choice.at.into_iter().collect())
}

/// A spell's effect on each unit in its area.
pub fn at_place(se: &SegmentsQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let caught = se.caught(choice.who?, choice.spell?, choice.to?);
    spell_on(se, choice, caught)
}

fn spell_on(se: &SegmentsQuery, choice: &Choice, caught: Vec<Id>) -> Option<Vec<OddsLine>> {
    let kind = se.view.spell(choice.spell?);
    let odds = |at: Id| {
        let rules = ["SE-40", "SE-50", "SE-40"];
        spell_odds(&se.view, kind, at, se.stats(at).save, rules)
    };
    Some(caught.into_iter().flat_map(odds).collect())
}

/// What each undeclared unit would declare.
pub fn as_armed(se: &SegmentsQuery, _: &Choice) -> Option<Vec<OddsLine>> {
    let names = se.view.names();
    let all = se.view.roster.sides().flat_map(|side| rest(se, side));
    let line =
        |(who, intent)| OddsLine::note(describe_intent(intent, names), "SE-20").each(who, names);
    Some(all.map(line).collect())
}

/// The sides that act in the segment a unit would hold to, or just before it (SE-35).
pub fn who_acts_about(se: &SegmentsQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let segment = choice.number?;
    let sides = |n: i32| {
        let sides = se.view.roster.sides();
        let then = sides.filter(move |&side| i32::from(segment_of(&se.clock, side)) == n);
        then.map(|side| se.view.names().side_in_line(side))
    };
    let at_once = sides(segment).map(|side| format!("same segment as {side}"));
    let after = sides(segment - 1).map(|side| format!("just after {side}"));
    let notes = at_once.chain(after);
    Some(notes.map(|text| OddsLine::note(text, "SE-35")).collect())
}

/// SE-52: the enemies that attack a unit as it leaves the battle. Attacks on a move are part of its
/// path.
pub(super) fn provoked(In(choice): In<Choice>, se: SegmentsQuery) -> Vec<Provoked> {
    let Some(who) = choice.who.filter(|_| provokes::<Segments>(choice.verb)) else {
        return vec![];
    };
    let strikers = se.strikers(who);
    let provoked = |by| Provoked::here(by, at_back(&se, by, who));
    se.view.of_bits(strikers).map(provoked).collect()
}

/// The best chance, in percent, that an attack routine on a fleeing unit hits (SE-52).
pub(super) fn at_back(se: &SegmentsQuery, by: Id, who: Id) -> u32 {
    let openers = se.openers(by);
    let chance = |item| {
        let specs = reaction_attacks(se, &Choice::new(&AT_BACK, by).at(who).with(item));
        let forecasts = specs.iter().filter_map(|spec| se.forecast(spec).ok());
        any_of(forecasts.map(|f| f.hit().percent()))
    };
    let weapons = se
        .view
        .ready_weapons(by)
        .filter(|item| openers.contains(item));
    weapons.map(chance).max().unwrap_or(0)
}
