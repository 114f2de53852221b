//! Conditions as data: every field of `assets/content/conditions.ron` has its effect under every
//! ruleset.

use fivefoot_core::{
    battle::{
        ActiveCondition, AttackForecast, Battle, Conditions, DiceBox, EventKind, Id, Replica,
        Ruleset, Setup, SpellId, level_setup, of_unit_mut,
    },
    bevy_ecs::world::World,
    content::{Condition, Content, check_file, schema::SECTIONS},
    control::exchange,
    icons::Icon,
    rulesets::ALL,
};
use fivefoot_kit as kit;
use std::sync::Arc;

/// The unit with the condition, and its enemy beside it.
const WHO: Id = Id(0);
const ENEMY: Id = Id(1);
/// Later than the last moment of any battle here, in any ruleset's count of moments.
const NEVER: i32 = 1_000_000;

/// Two goblins side by side. The first has the condition, caused by the other's spell.
fn with(condition: Option<Condition>) -> Setup {
    let level = kit::level(
        r#"(
        title: "Two",
        map: ["................................................................................"],
        sides: [(id: "a"), (id: "b")],
        combatants: [
            (kind: "goblin", name: "ann", side: "a", at: (39, 0), with: (weapons: ["sword"], morale: Fearless, activity: (ob: 10, db: 40))),
            (kind: "goblin", name: "bob", side: "b", at: (40, 0), with: (weapons: ["sword"], morale: Fearless, activity: (ob: 10, db: 40), spells: ["hex"])),
        ],
        kinds: (spells: {"hex": (range: 60, save: Negates, effect: Hold(rounds: 5))}),
    )"#,
    );
    let setup = level_setup(&level);
    Arc::new(move |world: &mut World| {
        setup(world);
        let Some(condition) = &condition else { return };
        let lasting = ActiveCondition {
            condition: Arc::new(condition.clone()),
            defense: condition.defense,
            since: 0,
            until: NEVER,
            by: ENEMY,
            spell: Some(SpellId(0)),
        };
        of_unit_mut::<Conditions>(world, WHO).0.push(lasting);
    })
}

fn battle(rules: &'static Ruleset, condition: Option<&Condition>, seed: u64) -> Battle {
    Battle::new(with(condition.cloned()), rules, DiceBox::seeded(seed))
}

/// What a battle shows that a field has changed: compared without the condition and with it.
type Effect = fn(&'static Ruleset, Option<&Condition>) -> i64;

/// Each field with a condition that sets it, and its effect.
fn fields() -> [(&'static str, Condition, Effect); 5] {
    let named = || Condition {
        id: "tested".into(),
        name: "tested".into(),
        ..Condition::default()
    };
    [
        (
            "half_speed",
            Condition {
                half_speed: true,
                ..named()
            },
            |rules, condition| {
                let mut known = Replica::new(&with(condition.cloned()), rules, None);
                let range = (rules.range)(&mut known.world, WHO);
                range.cells().filter(|end| end.may_stop).count() as i64
            },
        ),
        (
            "idle",
            Condition {
                idle: true,
                ..named()
            },
            acts,
        ),
        (
            "to_hit",
            Condition {
                to_hit: -4,
                ..named()
            },
            |rules, condition| i64::from(best(rules, condition, (WHO, ENEMY)).percent),
        ),
        (
            "defense",
            Condition {
                defense: 4,
                ..named()
            },
            |rules, condition| i64::from(best(rules, condition, (ENEMY, WHO)).percent),
        ),
        (
            "save_ends",
            Condition {
                save_ends: true,
                ..named()
            },
            |rules, condition| {
                let ends = |seed| {
                    let mut battle = battle(rules, condition, seed);
                    while battle.asked().is_some() && battle.rounds() < 12 {
                        battle.answer_quickly();
                    }
                    let mut events = battle.events().iter();
                    events.any(|e| matches!(e.what, EventKind::ConditionEnded { who: WHO, .. }))
                };
                i64::from((1..20).any(ends))
            },
        ),
    ]
}

/// How often the unit acts, moves or attacks in the first round.
fn acts(rules: &'static Ruleset, condition: Option<&Condition>) -> i64 {
    let mut battle = battle(rules, condition, 1);
    while battle.asked().is_some() && battle.rounds() < 2 {
        battle.answer_quickly();
    }
    let is_own = |kind: &EventKind| match kind {
        EventKind::Moved { who, .. } => *who == WHO,
        EventKind::AttackRolled { rolled_attack } => rolled_attack.attack.by == WHO,
        _ => false,
    };
    battle.events().iter().filter(|e| is_own(&e.what)).count() as i64
}

/// The best attack of one unit on another.
fn best(
    rules: &'static Ruleset,
    condition: Option<&Condition>,
    (by, at): (Id, Id),
) -> AttackForecast {
    let mut known = Replica::new(&with(condition.cloned()), rules, None);
    let all = exchange::attacks(rules, &mut known.world, by, at);
    all.into_iter().next().expect("they stand side by side")
}

#[test]
fn every_field_is_tested() {
    let mut sections = SECTIONS.iter();
    let section = sections.find(|section| section.section == "Conditions");
    let known = section
        .unwrap()
        .fields
        .iter()
        .flat_map(|field| &field.names);
    let looks = ["name", "icon"];
    let known = known.map(String::as_str);
    let effects: Vec<&str> = known.filter(|name| !looks.contains(name)).collect();
    assert_eq!(effects, fields().map(|field| field.0));
}

#[test]
fn every_field_has_its_effect_under_every_ruleset() {
    for rules in ALL {
        for (field, condition, effect) in fields() {
            let (plain, changed) = (effect(rules, None), effect(rules, Some(&condition)));
            assert_ne!(plain, changed, "{field} under {}", rules.id);
            let grows = field == "save_ends";
            assert_eq!(
                changed > plain,
                grows,
                "{field} under {}: {plain} to {changed}",
                rules.id
            );
            if field == "idle" {
                assert_eq!(changed, 0, "an idle unit acts under {}", rules.id);
            }
        }
    }
}

/// The badge of a condition has the icon of its entry, or else one by its effect.
#[test]
fn a_condition_can_have_an_icon_of_its_own() {
    let icon = |fields: &str| {
        let text = format!("(conditions: {{\"dazed\": ({fields})}})");
        let read = check_file("own.ron", &text, Content::built_in()).ok();
        let (content, _) = read.expect("it has no problems");
        content.conditions.get("dazed").expect("it is there").icon()
    };
    assert_eq!(icon("to_hit: -1"), Icon::Stunned);
    assert_eq!(icon("to_hit: -1, icon: Fist"), Icon::Fist);
}
