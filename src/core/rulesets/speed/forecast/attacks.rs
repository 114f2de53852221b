//! Forecasts of attacks, checks and spells under Speed, and the effects of reactions on them.

use crate::battle::{
    Attack, AttackForecast, Choice, Defended, Id, Modifier, OddsLine, SpellId, Spread, Why,
    numeral, signed,
};
use crate::rulesets::common::{act::attack_of, attacks::ToHit, forecast::dice_and};
use crate::rulesets::speed::{
    RIPOSTE, Speed,
    acts::{self, declare, heal, intimidate, magic},
    content::{Ability, SpeedSpell},
    count_of,
    odds::Forecast,
    query::{SpeedQuery, numbers},
    reactions,
    wounds::{heal_target, is_fatal},
};
use bevy_ecs::system::In;

/// Percent chance that the best riposte of `by` hits `at`; 0 if no riposte is possible.
pub(super) fn chance(In((by, at)): In<(Id, Id)>, sp: SpeedQuery) -> u32 {
    best_riposte(&sp, by, at).unwrap_or(0)
}

/// Percent chance that the best riposte of `by` hits `at`. `None` if no riposte is possible.
fn best_riposte(sp: &SpeedQuery, by: Id, at: Id) -> Option<u32> {
    let weapons = sp.ready_weapons(by).filter_map(|item| {
        let choice = Choice::new(&RIPOSTE, by).at(at).with(item);
        sp.forecast(&reactions::riposte(&choice, "SP-12")?).ok()
    });
    weapons.map(|f| f.hit_percent()).max()
}

pub(super) fn attack(sp: &SpeedQuery, choice: Choice) -> Option<Result<AttackForecast, Why>> {
    let (attack, _) = attack_of::<Speed>(sp, &choice)?;
    Some(forecast(sp, choice, attack))
}

fn forecast(sp: &SpeedQuery, choice: Choice, attack: Attack) -> Result<AttackForecast, Why> {
    let f = sp.forecast(&attack)?;
    let (least, most) = f.span(true);
    let times = f.times;
    let text = format!("critical hit (×{times}, {least} to {most}, all to Wound Points)");
    let critical = f.critical_outcomes() as u32 * 5;
    let mut notes = vec![OddsLine::chance(text, critical, "SP-26")];
    let guards = sp.fighter(attack.at).full_defense && sp.answers(attack.at).is_some();
    let back = guards.then(|| best_riposte(sp, attack.at, attack.by));
    notes.extend(back.flatten().map(|percent| {
        let text = format!("Full Defense ripostes even if missed: {percent}%");
        OddsLine::note(text, "SP-10")
    }));
    Ok(AttackForecast {
        by: attack.by,
        at: attack.at,
        weapon: sp.weapon(attack.with).name.clone(),
        against: against(&f),
        needs: needs(&f),
        percent: f.hit_percent(),
        damage: damage(&f),
        drop_percent: f.drop_percent(),
        attacks: 1,
        answered: answered(sp, &attack, &f),
        screen: None,
        mean: None,
        notes,
        cover: f.cover,
        worth: f.mean_damage_x200(),
        modifiers: f.modifiers,
        against_modifiers: f.defense_modifiers,
        choice,
    })
}

fn against(f: &Forecast) -> String {
    format!("Defense {}", f.defense)
}

fn damage(f: &Forecast) -> String {
    let dice = dice_and(f.damage.dice, f.damage.bonus());
    let (least, most) = f.span(false);
    let armour = f.damage.armour;
    format!("{dice} − {armour} armour: {least} to {most} damage")
}

/// The attack if the target uses Full Defense (SP-10). Only while the attacker cannot
/// know whether the target has declared it.
pub(super) fn answered(sp: &SpeedQuery, attack: &Attack, f: &Forecast) -> Option<Defended> {
    let target = sp.fighter(attack.at);
    if target.full_defense || target.acted || target.now.is_some() || target.declared.is_some() {
        return None;
    }
    let mut harder = f.clone();
    let bonus = numbers().full_defense;
    harder.defense += i32::from(bonus);
    let modifier = Modifier::new(bonus, "full defense", "SP-10");
    harder.defense_modifiers.push(modifier);
    Some(Defended {
        brief: "if it defends",
        how: "if the target uses Full Defense",
        against: against(&harder),
        needs: needs(&harder),
        percent: harder.hit_percent(),
        damage: damage(&harder),
        drop_percent: harder.drop_percent(),
        spread: spread_of(&harder),
        against_modifiers: harder.defense_modifiers,
        rule: "SP-10",
    })
}

/// Probabilities of the damage after armour. A critical hit skips Stress.
pub(super) fn spread(In(choice): In<Choice>, sp: SpeedQuery) -> Spread {
    let forecast = attack_of::<Speed>(&sp, &choice).map(|(attack, _)| sp.forecast(&attack));
    match forecast {
        Some(Ok(f)) => spread_of(&f),
        _ => Spread::default(),
    }
}

fn spread_of(f: &Forecast) -> Spread {
    let mut spread = Spread::default();
    let [hits, crits] = [f.outcomes(), f.critical_outcomes()].map(|n| n as f32 / 20.0);
    spread.add(0, 1.0 - hits, 0.0);
    let mut sums = vec![];
    let all = f.sums(|sum, ways| sums.push((sum, ways))).max(1) as f32;
    for (sum, ways) in sums {
        for (share, critical) in [(hits - crits, false), (crits, true)] {
            let loss = f.loss(f.damage(sum, critical), critical);
            let chance = share * ways as f32 / all;
            let taken = loss.stress + loss.wounds;
            spread.add(taken, chance, if f.drops(loss) { chance } else { 0.0 });
        }
    }
    spread
}

fn needs(f: &Forecast) -> String {
    match f.needs() {
        n if n < 2 => "hits on any roll".into(),
        n if n > 20 => "cannot hit".into(),
        n => format!("needs {n}+ on d20"),
    }
}

/// The count of a declaration (SP-04).
pub fn declared(sp: &SpeedQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let count = count_of(sp, choice);
    let more = declare::modifier(sp, choice);
    let when = format!("at count {} ({})", numeral(count), signed(more));
    Some(vec![OddsLine::note(when, "SP-04")])
}

/// The count of a declared spell, and the chance that the casting succeeds.
pub fn declared_casting(sp: &SpeedQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let mut all = declared(sp, choice)?;
    let spell = choice.who.zip(choice.spell);
    all.extend(spell.map(|(who, spell)| casting(sp, who, spell)));
    Some(all)
}

/// The chance of a heal check (SP-25).
pub fn tend(sp: &SpeedQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let (who, at) = (choice.who?, choice.at?);
    let check = heal::check(sp, who);
    let target = heal_target(sp, at);
    let text = format!("heal {} against {target}", signed(check.bonus()));
    let percent = check.outcomes(target) as u32 * 5;
    Some(vec![OddsLine::chance(text, percent, "SP-25").of(at)])
}

/// What the target's morale check must reach after an intimidation (SP-30).
pub fn intimidate(sp: &SpeedQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let (who, at) = (choice.who?, choice.at?);
    let bonus = signed(intimidate::check(sp, who).bonus());
    let text = format!("flees or surrenders unless morale reaches 1d20 {bonus}");
    Some(vec![OddsLine::note(text, "SP-30").of(at)])
}

/// The chance that the casting succeeds, and the spell's effect on each affected unit.
pub fn cast(sp: &SpeedQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let mut all = vec![casting(sp, choice.who?, choice.spell?)];
    all.extend(touched(sp, choice)?);
    Some(all)
}

/// The effect of a spell or potion on each affected unit.
pub fn touched(sp: &SpeedQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let what = sp.view.spell(choice.spell?).effect.effect_text("Defense");
    let names = sp.view.names();
    let touched = |id: Id| OddsLine::note(&*what, "SP-32").each(id, names);
    Some(sp.caught(choice).into_iter().map(touched).collect())
}

/// The chance that a casting succeeds (SP-32).
fn casting(sp: &SpeedQuery, who: Id, spell: SpellId) -> OddsLine {
    let check = magic::check(sp, who);
    let target = sp.view.spell(spell).section::<SpeedSpell>().target;
    let text = format!("casting {} against {target}", signed(check.bonus()));
    OddsLine::chance(text, check.outcomes(target) as u32 * 5, "SP-32")
}

/// Warns that the action costs a strained unit 1 Wound Point, and whether that kills it (SP-24,
/// SP-25).
pub(super) fn warnings(In(choice): In<Choice>, sp: SpeedQuery) -> Vec<String> {
    let is_act = acts::is_act(choice.verb);
    let Some(who) = choice.who.filter(|&who| is_act && sp.is_strained(who, 0)) else {
        return vec![];
    };
    let name = sp.view.names().title(who);
    let strength = sp.fighter(who).score(sp.stats(who), Ability::Strength);
    let dies = match is_fatal(sp.body(who).hp - 1, strength) {
        true => " and dies",
        false => "",
    };
    vec![format!("Straining costs {name} 1 Wound Point{dies}.")]
}

/// SP-12: a riposte that hardly helps is seldom worth the reaction.
pub(super) fn is_futile(sp: &SpeedQuery, choice: Choice) -> bool {
    choice.verb == &RIPOSTE && matches!(attack(sp, choice), Some(Ok(attack)) if attack.is_slight())
}

pub(super) fn changes(In(choice): In<Choice>, sp: SpeedQuery) -> Vec<String> {
    if choice.verb != &RIPOSTE {
        return vec![];
    }
    let mut lines = vec!["Uses this round's reaction.".to_owned()];
    if choice.who.is_some_and(|who| sp.is_strained(who, 0)) {
        lines.push("Costs 1 Wound Point.".to_owned());
    }
    lines
}
