//! The chances of what is decided by no plain attack under Skirmish: checks,
//! saves, spells.

use super::spells;
use crate::{
    battle::{Choice, Id},
    rulesets::skirmish::{
        acts::{
            BREAK_FREE, EXECUTE, EXECUTE_SHOT, GRAPPLE, SHOVE, SHOVE_DOWN, aim_of,
            execution_chances, maneuver_chance,
            parley::{self, PARLEY},
        },
        odds::Odds as Chance,
        sk::Sk,
    },
    ui::read::Odds,
};
use bevy::ecs::system::In;

pub(super) fn odds(In(choice): In<Choice>, sk: Sk) -> Vec<Odds> {
    if choice.spell.is_some() {
        return spells::odds(&choice, &sk);
    }
    let verb = choice.verb;
    if verb == &PARLEY {
        parley(&choice, &sk)
    } else if [&SHOVE, &SHOVE_DOWN, &GRAPPLE].contains(&verb) {
        maneuver(&choice, &sk)
    } else if verb == &BREAK_FREE {
        break_free(&choice, &sk)
    } else if [&EXECUTE, &EXECUTE_SHOT].contains(&verb) {
        execution(&choice, &sk)
    } else {
        vec![]
    }
}

/// SK-50, SK-51: a hit, and then an opposed check.
fn maneuver(choice: &Choice, sk: &Sk) -> Vec<Odds> {
    let (Some(at), Some((hit, won))) = (choice.at, maneuver_chance(sk, choice, aim_of(choice)))
    else {
        return vec![];
    };
    both(choice, at, ("hits", hit), ("wins the check then", won))
}

/// SK-56: a hit, and then a save that fails.
fn execution(choice: &Choice, sk: &Sk) -> Vec<Odds> {
    let Some(at) = choice.at else { return vec![] };
    let (hit, fails) = execution_chances(sk, choice);
    both(choice, at, ("hits", hit), ("the save fails then", fails))
}

/// Two chances one after the other: both come to pass, and each by itself.
fn both(choice: &Choice, at: Id, first: (&str, Chance), second: (&str, Chance)) -> Vec<Odds> {
    let rule = choice.verb.rule;
    let whole = Chance {
        favourable: first.1.favourable * second.1.favourable,
        of: first.1.of * second.1.of,
    };
    let line = |(words, chance): (&str, Chance)| {
        Odds::note(format!("{words}: {}%", chance.percent()), rule)
    };
    vec![
        Odds::chance("Succeeds", whole.percent(), rule).of(at),
        line(first),
        line(second),
    ]
}

/// SK-51: one roll against each who holds it.
fn break_free(choice: &Choice, sk: &Sk) -> Vec<Odds> {
    let Some(who) = choice.who else { return vec![] };
    let line = |by: Id| {
        let words = format!("From {}", sk.view.names().key(by));
        Odds::chance(words, sk.odds_to_break(who, by).percent(), "SK-51").of(by)
    };
    sk.holders(who).map(line).collect()
}

/// SK-20: one roll against the boldest of each side that listens.
fn parley(choice: &Choice, sk: &Sk) -> Vec<Odds> {
    let Some(who) = choice.who else { return vec![] };
    let check = parley::check(sk, who);
    let line = |(side, score): (crate::battle::Side, i32)| {
        let side = crate::battle::capitalised(sk.view.names().side(side));
        let chance = check.odds(score + 1).percent();
        Odds::chance(format!("{side} must check morale"), chance, "SK-20")
    };
    parley::sides(sk, who).map(line).collect()
}
