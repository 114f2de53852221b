//! Lasting conditions and bleeding of a unit for its cards, in any ruleset.

use super::StatusBadge;
use crate::{
    battle::{ActiveCondition, Id, capitalised},
    rulesets::common::{
        State,
        bleed::{Bleeds, lies_bleeding, rounds_until},
        conditions::TimesConditions,
    },
    ui::art::icons::Icon,
    words::{count, numeral},
};

/// A badge for each condition: name, effect, spell, rounds left.
pub fn lasting<R: TimesConditions>(state: &State<R>, who: Id) -> Vec<StatusBadge> {
    let view = R::view(state);
    let show = |lasting: &ActiveCondition| {
        let condition = &lasting.condition;
        let mut words = capitalised(&condition.name);
        if lasting.defense > 0 {
            words += &format!(", {} {} better", view.names().defense(), lasting.defense);
        } else if !condition.idle {
            words += &format!(", {}", condition.effect_text());
        }
        if let Some(spell) = lasting.spell {
            words += &format!(": {}", view.names().spell(spell));
        }
        let left = R::left(state, lasting).max(1);
        words += &format!(", {}", count(left as usize, "round"));
        StatusBadge::of_condition(condition, words)
    };
    view.conditions(who).iter().map(show).collect()
}

/// Rounds, with this one, after which a fallen unit that bleeds is dead. `None` for any other unit.
pub fn rounds_to_live<R: Bleeds>(state: &State<R>, who: Id) -> Option<u16> {
    lies_bleeding::<R>(state, who)
        .then(|| rounds_until(R::view(state).body(who).hp, R::dead_at(state), 1))
}

/// The condition of a fallen unit that bleeds, with the hit points at which it dies. `None` for
/// any other unit, also for a dead one.
pub fn bleeding<R: Bleeds>(state: &State<R>, who: Id) -> Option<StatusBadge> {
    lies_bleeding::<R>(state, who).then(|| {
        let death = numeral(R::dead_at(state));
        let words = format!("Bleeding: 1 HP a round, dies at {death} HP");
        StatusBadge::bad(Icon::Bleeding, words)
    })
}
