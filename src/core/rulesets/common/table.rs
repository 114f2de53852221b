//! A combat system's row in the engine's table of rulesets.

use super::{
    CombatSystem, State, act,
    ai::{self, QuickAi},
    ask,
    attacks::ToHit,
    damage::Damage,
    paths::{CustomPaths, check_path},
};
use crate::{
    battle::{
        self, Attack, Body, Choice, CurrentLevel, Expected, Forecasting, Id, OddsLine,
        PerCombatant, Planning, Roster, Ruleset, Side, Stat, Step, Thing, all_units_mut, dice_text,
        of_unit,
    },
    content::{Armour, Creature, OwnSections, Spell, Weapon},
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
/// resources that it stores in a battle, how a battle begins, the hit points of a creature, and the
/// fields in which it differs from most rulesets ([`usual`]). The system's module must define
/// `install` and the content sections.
macro_rules! ruleset {
    (
        $system:ident, codex: $codex:literal, keeps: [$($part:ty),*] [$($whole:ty),*],
        first: $first:expr, hit_points: $hit_points:expr, $($field:ident: $value:expr),* $(,)?
    ) => {
        pub static RULESET: crate::battle::Ruleset = crate::battle::Ruleset {
            id: stringify!($system),
            codex: shipped!("assets/" $codex),
            sections: content::SECTIONS,
            $($field: $value,)*
            ..crate::rulesets::common::table::usual::<$system>(
                install,
                |_from, _to| {
                    $(crate::battle::copy_all_units::<$part>(_from, _to);)*
                    $(crate::battle::copy_resource::<$whole>(_from, _to);)*
                },
                $first,
                $hit_points,
            )
        };
    };
}
pub(crate) use ruleset;

/// What the hooks of a combat system put into its table, and the values that most rulesets have in
/// the other fields; its names are still empty.
pub const fn usual<R: RulesetHooks>(
    install: fn(&mut World),
    copy: fn(&World, &mut World),
    first: fn() -> Box<dyn Step>,
    hit_points: fn(&Creature) -> i32,
) -> Ruleset {
    Ruleset {
        id: "",
        rule_prefix: "",
        defense: "AC",
        sections: OwnSections::NONE,
        kinds: &[],
        codex: ("", ""),
        tables: None,
        level: &[],
        round_seconds: 6,
        hit_points,
        hit_points_field: "hp",
        hit_points_name: "HP",
        initiative: true,
        surprises_all: false,
        add_bonus_hp: R::add_bonus_hp,
        install,
        first,
        policy: ai::policy::<R>,
        few_offers: |world, who| ask::<R, _, _>(world, R::sufficient_offers, who),
        best_attack_values: ai::best_attack_values::<R>,
        rank: ai::rank::<R>,
        redeclare: R::redeclare,
        strength: |world, without| ask::<R, _, _>(world, ai::strength::<R>, without),
        harmless: |world, who| ask::<R, _, _>(world, ai::harmless::<R>, who),
        threat_range: |world, who| ask::<R, _, _>(world, ai::threat_range::<R>, who),
        attack_approach: |world, both| ask::<R, _, _>(world, ai::attack_approach::<R>, both),
        path: check_path::<R>,
        copy,
        acts: act::infos::<R>,
        chances: false,
        range: |world, who| ask::<R, _, _>(world, R::range, who),
        expected: |world, attack| ask::<R, _, _>(world, R::expected, attack.clone()),
        needed: |world, attack| ask::<R, _, _>(world, R::needed, attack.clone()),
        profile: |world, id, at| {
            ask::<R, _, _>(world, |state, (id, at)| R::figures(state, id, at), (id, at))
        },
        thing: thing::<R>,
        unknown: R::unknown,
        probes: &[],
        planning: &Planning::NONE,
        forecasting: &Forecasting::NONE,
    }
}

/// The figures of a weapon, an armour or a spell.
fn thing<R: HasFigures>(thing: &Thing) -> Vec<Stat> {
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
