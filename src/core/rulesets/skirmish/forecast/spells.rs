//! What spells would do under Skirmish, and to which units.

use crate::{
    battle::{Choice, Id, Odds},
    content::{Effect, Save},
    grid::Cell,
    rulesets::{
        common::forecast::{save_fails_percent, save_text},
        skirmish::{acts::cast, query::SkirmishQuery},
    },
};
use bevy_ecs::system::In;

/// The cells that a casting covers.
pub(super) fn area(In(choice): In<Choice>, sk: SkirmishQuery) -> Vec<Cell> {
    cast::cells(&sk, &choice)
}

/// The castings left, then one line per unit that would be caught: the effect, and the chance that
/// its save fails.
pub fn odds(sk: &SkirmishQuery, choice: &Choice) -> Vec<Odds> {
    let (Some(caster), Some(id)) = (choice.who, choice.spell) else {
        return vec![];
    };
    let left = sk.castings_left(caster, id);
    let left = left.map(|left| Odds::note(format!("casts left: {left}"), "SK-70"));
    let spell = sk.view.spell(id);
    let Ok(caught) = cast::aim(sk, choice) else {
        return Vec::from_iter(left);
    };
    let effect = match spell.effect {
        Effect::Damage(dice) => format!("{dice} damage, {} to {}", dice.min(), dice.max()),
        _ => spell.effect.does(sk.view.names().defense()),
    };
    let line = |who: Id| {
        let odds = match spell.save {
            Save::None => Odds::chance(effect.clone(), 100, "SK-70"),
            save => {
                let needs = sk.save_needs(who, 0);
                let text = format!("{effect}; {}", save_text(needs, save));
                Odds::failed_save(text, save_fails_percent(needs), "SK-70")
            }
        };
        odds.each(who, sk.view.names())
    };
    left.into_iter()
        .chain(caught.into_iter().map(line))
        .collect()
}
