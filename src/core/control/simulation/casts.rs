//! Spells being cast, and which event is the first effect of each.

use crate::{
    battle::{Choice, CueKind, Event, EventKind, Roster},
    content::{Spell, SpellArea},
};
use bevy_ecs::world::World;

/// Spells that units were seen to cast and that have not taken effect yet.
#[derive(Clone, Debug, Default)]
pub struct Casts(Vec<Choice>);

impl Casts {
    /// Notes a unit's new action: it ends the unit's earlier cast, and may begin one.
    pub fn note(&mut self, choice: &Choice) {
        self.0.retain(|cast| cast.who != choice.who);
        if choice.spell.is_some() {
            self.0.push(choice.clone());
        }
    }

    /// Forgets all casts.
    pub fn forget(&mut self) {
        self.0.clear();
    }

    /// The spell whose first effect this event is, if any. `world` can be any world of the
    /// battle.
    pub fn take(&mut self, world: &World, event: &Event) -> Option<Choice> {
        let lost = match &event.what {
            EventKind::Stopped { who, .. } => Some(*who),
            // The casting roll fails.
            EventKind::Checked(check) if check.passed == Some(false) && check.at.is_none() => {
                check.who
            }
            _ => None,
        };
        if lost.is_some() {
            self.0.retain(|cast| cast.who != lost);
        }
        let stock = &world.resource::<Roster>().stock;
        let is_due = |cast: &Choice| {
            let spell = cast.spell.map(|spell| stock.spell(spell));
            spell.is_some_and(|spell| takes_effect(cast, spell, event))
        };
        let n = self.0.iter().position(is_due)?;
        Some(self.0.remove(n))
    }
}

/// Whether an event is an effect of a spell that was cast this way.
fn takes_effect(cast: &Choice, spell: &Spell, event: &Event) -> bool {
    if spell.area != SpellArea::One {
        return matches!(&event.what, EventKind::Caught { spell, .. } if Some(*spell) == cast.spell);
    }
    let Some(caster) = cast.who else { return false };
    let target = cast.at.unwrap_or(caster);
    match &event.what {
        EventKind::Damaged { who, by, .. } => *who == target && *by == Some(caster),
        EventKind::ConditionBegan { who, lasting, .. } => *who == target && lasting.by == caster,
        EventKind::Healed { who, .. } | EventKind::Revived { who, .. } => *who == target,
        // The target's save, or the spell's attack on it.
        EventKind::Checked(check) => {
            let is_save = check.who == Some(target) && target != caster && check.passed.is_some();
            is_save || check.who == Some(caster) && check.at == Some(target)
        }
        EventKind::Ruleset(own) => own.cue().is_some_and(|cue| {
            let is_effect = match cue.kind {
                CueKind::Harm => cue.by == Some(caster),
                CueKind::Bad => target != caster,
                CueKind::Good => true,
                _ => false,
            };
            is_effect && cue.who == Some(target)
        }),
        _ => false,
    }
}
