//! What spells have done to combatants and what casters have left, and the
//! events that change it (SK-70).

use super::sk::Sk;
use crate::{
    battle::{
        Cue, CueKind, Depth, EventKind, Id, Line, Names, RulesetEvent, SpellId, component_mut,
        signed,
    },
    content::Effect,
};
use bevy::ecs::{component::Component, world::World};
use serde::Serialize;
use std::sync::Arc;

/// A combatant's spells: what it has cast, and what lies on it.
#[derive(Component, Clone, PartialEq, Debug, Default)]
pub struct Magic {
    /// Castings so far of each spell that it has cast.
    pub cast: Vec<(SpellId, u8)>,
    /// The spells that last on it, in the order in which they came.
    pub lasting: Vec<Lasting>,
}

/// A spell that lasts on somebody.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Lasting {
    pub spell: SpellId,
    /// Whose it is: it ends at the start of a turn of this one's side.
    pub by: Id,
    /// Turns of that side that must begin until it ends.
    pub rounds: u8,
}

impl Magic {
    pub fn times_cast(&self, spell: SpellId) -> u8 {
        let found = self.cast.iter().find(|c| c.0 == spell);
        found.map_or(0, |c| c.1)
    }

    fn laid(&mut self, new: Lasting) {
        // The same spell once more lasts longer, but does no more.
        self.lasting.retain(|old| old.spell != new.spell);
        self.lasting.push(new);
    }
}

impl Sk<'_, '_> {
    /// Held by a spell: it does nothing, answers nothing and threatens nobody.
    pub fn is_helpless(&self, id: Id) -> bool {
        let held = |l: &Lasting| matches!(self.view.spell(l.spell).effect, Effect::Hold { .. });
        self.magic(id).lasting.iter().any(held)
    }

    /// Total defense holds: the helpless do not dodge (SK-17).
    pub fn defends(&self, id: Id) -> bool {
        self.fighter(id).defending && !self.is_helpless(id)
    }

    /// Stands, is free to act, and suspects that it might have to (SK-56).
    pub fn can_act(&self, id: Id) -> bool {
        self.is_up(id) && !self.is_helpless(id) && !self.is_unaware(id)
    }

    /// The best ward on somebody: AC and the spell that gives it. Wards do not
    /// add up.
    pub fn ward(&self, id: Id) -> Option<(i32, SpellId)> {
        let ward = |l: &Lasting| match self.view.spell(l.spell).effect {
            Effect::Ward { ac, .. } => Some((ac, l.spell)),
            _ => None,
        };
        let wards = self.magic(id).lasting.iter().filter_map(ward);
        wards.max_by_key(|w| w.0)
    }

    /// Castings that it has left in this battle; `None`: as many as it likes.
    pub fn castings_left(&self, id: Id, spell: SpellId) -> Option<i32> {
        let uses = self.view.spell(spell).uses?;
        Some(uses - i32::from(self.magic(id).times_cast(spell)))
    }
}

/// What happens to spells.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Spellwork {
    /// A casting begins: it counts, whatever comes of it.
    Begun {
        who: Id,
        spell: SpellId,
    },
    Spoiled {
        who: Id,
        spell: SpellId,
    },
    /// A ward or a hold comes to lie on somebody.
    Laid {
        who: Id,
        lasting: Lasting,
        effect: Told,
    },
    /// A round of a lasting spell is over; with none left it ends.
    Waned {
        who: Id,
        spell: SpellId,
        left: u8,
    },
}

/// A lasting effect, for telling.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub enum Told {
    Ward(i32),
    Hold,
}

impl Spellwork {
    pub fn event(self) -> EventKind {
        EventKind::Ruleset(Arc::new(self))
    }
}

impl RulesetEvent for Spellwork {
    fn apply(&self, world: &mut World) {
        match self {
            Self::Begun { who, spell } => {
                let mut magic = component_mut::<Magic>(world, *who);
                match magic.cast.iter_mut().find(|c| c.0 == *spell) {
                    Some(known) => known.1 += 1,
                    None => magic.cast.push((*spell, 1)),
                }
            }
            Self::Spoiled { .. } => {}
            Self::Laid { who, lasting, .. } => component_mut::<Magic>(world, *who).laid(*lasting),
            Self::Waned { who, spell, left } => {
                let mut magic = component_mut::<Magic>(world, *who);
                if *left == 0 {
                    magic.lasting.retain(|l| l.spell != *spell);
                }
                for l in magic.lasting.iter_mut().filter(|l| l.spell == *spell) {
                    l.rounds = *left;
                }
            }
        }
    }

    fn describe(&self, names: &Names) -> Option<Line> {
        let title = |id: &Id| names.title(*id);
        let rounds = |n: u8| format!("{n} round{}", if n == 1 { "" } else { "s" });
        match self {
            Self::Begun { .. } => None,
            Self::Spoiled { who, spell } => Line::new(
                Depth::Fact,
                format!("{}'s {} is spoiled", title(who), names.spell(*spell)),
            ),
            Self::Laid {
                who,
                lasting,
                effect,
            } => {
                let what = match effect {
                    Told::Ward(ac) => format!("is warded, AC {}", signed(*ac)),
                    Told::Hold => "is held and helpless".to_owned(),
                };
                let last = rounds(lasting.rounds);
                Line::new(Depth::Fact, format!("{} {what}, for {last}", title(who)))
            }
            Self::Waned {
                who,
                spell,
                left: 0,
            } => Line::new(
                Depth::Fact,
                format!("{} is out of {}", title(who), names.spell(*spell)),
            ),
            Self::Waned { who, spell, left } => Line::new(
                Depth::Trace,
                format!(
                    "{} lies on {} for {} more",
                    names.spell(*spell),
                    names.name(*who),
                    rounds(*left)
                ),
            ),
        }
    }

    fn cue(&self) -> Option<Cue> {
        use CueKind::*;
        match self {
            Self::Spoiled { who, .. } => Cue::of(Bad, *who, "loses the spell"),
            Self::Laid {
                who,
                effect: Told::Ward(_),
                ..
            } => Cue::of(Good, *who, "warded"),
            Self::Laid {
                who,
                effect: Told::Hold,
                ..
            } => Cue::of(Bad, *who, "held"),
            _ => None,
        }
    }

    fn data(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
    }
}

/// At the start of a side's turn what its members have cast comes a round
/// nearer to its end.
pub fn wane(sk: &Sk, side: crate::battle::Side, outcome: &mut crate::battle::StepOutcome) {
    for who in sk.view.ids() {
        for lasting in &sk.magic(who).lasting {
            if sk.body(lasting.by).side == side {
                let (spell, left) = (lasting.spell, lasting.rounds.saturating_sub(1));
                outcome.emit("SK-70", Spellwork::Waned { who, spell, left }.event());
            }
        }
    }
}
