//! A combat system's row in the engine's table of rulesets.

use super::{
    CombatSystem, State, act, ai::QuickAi, ask, attacks::ToHit, damage::Damage, paths::CustomPaths,
};
use crate::{
    battle::{
        self, Attack, Body, Choice, CurrentLevel, Expected, Id, OddsLine, PerCombatant, Roster,
        Side, Stat, Step, Thing, all_units_mut, dice_text, of_unit,
    },
    content::{Armour, Spell, Weapon},
    grid::Range,
    levels::Combatant,
};
use bevy_ecs::world::World;
use serde_json::{Value, json};
use std::sync::Arc;

/// What a combat system answers for the window, the AI, scenarios and tools.
pub trait RulesetHooks: QuickAi + CustomPaths + HasFigures {
    /// The cells that one move takes a unit to now.
    fn range(state: &State<Self>, who: Id) -> Arc<Range>;

    /// The expected result of an attack that is about to be rolled. `None` if the attack is
    /// impossible.
    fn expected(state: &State<Self>, attack: Attack) -> Option<Expected>;

    /// The total with which a rolled attack would hit as things stand. `None` if nothing after the
    /// roll can change it, or if the attack is not possible any more.
    fn needed(_: &State<Self>, _: Attack) -> Option<i32> {
        None
    }

    /// Gives a unit the hit points of a bonus or handicap of this many steps.
    fn add_bonus_hp(world: &mut World, who: Id, steps: u8) {
        crate::battle::handicap::add_bonus_hp(world, who, steps);
    }

    /// Units of other sides that a side does not know of.
    fn unknown(world: &mut World, side: Side) -> Vec<Id> {
        concealed(world, side)
    }

    /// The step in which a side declares again what this world does not know of its plans. `None`
    /// if nothing was declared in secret.
    fn redeclare(_: &World, _: Side) -> Option<Box<dyn Step>> {
        None
    }
}

/// Figures of a combat system: its own numbers for units and items.
pub trait HasFigures: CombatSystem {
    /// The figures of a unit that attacks another.
    fn figures(_: &State<Self>, _who: Id, _at: Id) -> Vec<Stat> {
        vec![]
    }

    /// The figures of a weapon.
    fn weapon(_: &Weapon) -> Vec<Stat> {
        vec![]
    }

    /// The figures of an armour or a shield.
    fn armour(_: &Armour) -> Vec<Stat> {
        vec![]
    }

    fn spell(_: &Spell) -> Vec<Stat> {
        vec![]
    }
}

/// Defines the table of a combat system with [`RulesetHooks`]: its codex text, the components and
/// resources that it stores in a battle, and the other fields. The system's module must define
/// `install` and the content sections.
macro_rules! ruleset {
    (
        $system:ident, codex: $codex:literal, keeps: [$($part:ty),*] [$($whole:ty),*],
        $($field:ident: $value:expr),* $(,)?
    ) => {
        pub static RULESET: crate::battle::Ruleset = crate::battle::Ruleset {
            id: stringify!($system),
            $($field: $value,)*
            sections: content::SECTIONS,
            codex: shipped!("assets/" $codex),
            install,
            policy: crate::rulesets::common::ai::policy::<$system>,
            few_offers: ruleset!(
                @ask $system,
                <$system as crate::rulesets::common::ai::QuickAi>::sufficient_offers
            ),
            best_attack_values: crate::rulesets::common::ai::best_attack_values::<$system>,
            rank: crate::rulesets::common::ai::rank::<$system>,
            path: crate::rulesets::common::paths::check_path::<$system>,
            copy: |_from, _to| {
                $(crate::battle::copy_all_units::<$part>(_from, _to);)*
                $(crate::battle::copy_resource::<$whole>(_from, _to);)*
            },
            acts: crate::rulesets::common::act::infos::<$system>,
            range: ruleset!(
                @ask $system,
                <$system as crate::rulesets::common::table::RulesetHooks>::range
            ),
            expected: crate::rulesets::common::table::expected::<$system>,
            needed: crate::rulesets::common::table::needed::<$system>,
            unknown: <$system as crate::rulesets::common::table::RulesetHooks>::unknown,
            redeclare: <$system as crate::rulesets::common::table::RulesetHooks>::redeclare,
            add_bonus_hp: <$system as crate::rulesets::common::table::RulesetHooks>::add_bonus_hp,
            strength: ruleset!(@ask $system, crate::rulesets::common::ai::strength::<$system>),
            harmless: ruleset!(@ask $system, crate::rulesets::common::ai::harmless::<$system>),
            threat_range: ruleset!(@ask $system, crate::rulesets::common::ai::threat_range::<$system>),
            attack_approach: ruleset!(
                @ask $system,
                crate::rulesets::common::ai::attack_approach::<$system>
            ),
            profile: crate::rulesets::common::table::figures::<$system>,
            thing: crate::rulesets::common::table::thing::<$system>,
        };
    };
    (@ask $system:ident, $read:expr) => {
        |world, input| crate::rulesets::common::ask::<$system, _, _>(world, $read, input)
    };
}
pub(crate) use ruleset;

/// The figures of a weapon, an armour or a spell.
pub fn thing<R: HasFigures>(thing: &Thing) -> Vec<Stat> {
    match thing {
        Thing::Weapon(weapon) => R::weapon(weapon),
        Thing::Armour(armour) => R::armour(armour),
        Thing::Spell(spell) => R::spell(spell),
    }
}

/// A figure for an attack: the bonus to hit and the damage text, "+5" and "1d8+2".
pub fn hit_and_damage(forecast: &impl ToHit, damage: &Damage) -> Value {
    json!({
        "hit": forecast.bonus(),
        "damage": dice_text(damage.dice, &damage.modifiers),
    })
}

/// The chances of a choice that is not an attack, one per line.
pub fn odds<R: QuickAi>(world: &mut World, choice: &Choice) -> Vec<OddsLine> {
    ask::<R, _, _>(
        world,
        |state, choice| act::odds::<R>(state, &choice),
        choice.clone(),
    )
}

pub fn expected<R: RulesetHooks>(world: &mut World, attack: &Attack) -> Option<Expected> {
    ask::<R, _, _>(world, R::expected, attack.clone())
}

pub fn needed<R: RulesetHooks>(world: &mut World, attack: &Attack) -> Option<i32> {
    ask::<R, _, _>(world, R::needed, attack.clone())
}

pub fn figures<R: RulesetHooks>(world: &mut World, id: Id, at: Id) -> Vec<Stat> {
    ask::<R, _, _>(world, |state, (id, at)| R::figures(state, id, at), (id, at))
}

/// Gives every combatant a part of its state, by its level entry.
pub fn give_each<T: Send + Sync + 'static>(world: &mut World, part: impl FnMut(&Combatant) -> T) {
    let level = world.resource::<CurrentLevel>().0.clone();
    let all: PerCombatant<T> = level.combatants.iter().map(part).collect();
    world.insert_resource(all);
}

/// Hides the units that begin hidden by their level entry from other sides, until they are revealed.
pub fn conceal(world: &mut World) {
    let level = world.resource::<CurrentLevel>().0.clone();
    let bodies = all_units_mut::<Body>(world).iter_mut();
    for (body, combatant) in bodies.zip(&level.combatants) {
        if combatant.hidden {
            body.state = battle::State::Waiting;
        }
    }
}

/// Units of other sides that were hidden as the battle began and have not been seen.
pub fn concealed(world: &mut World, side: Side) -> Vec<Id> {
    let level = &world.resource::<CurrentLevel>().0;
    let is_hidden = |id: &Id| {
        let combatant = &level.combatants[id.index()];
        let body = of_unit::<Body>(world, *id);
        let is_away = body.state == battle::State::Waiting && body.side != side;
        is_away && combatant.hidden && combatant.arrives.is_none()
    };
    world.resource::<Roster>().ids().filter(is_hidden).collect()
}
