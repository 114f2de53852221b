//! Simulation of plans against the enemies' possible actions, and the risks it finds.

use super::kit::{
    levels::spoiled::{ARCHER, GOBLIN, LEVEL, MARA},
    rounds::{
        DECLARED, begun, begun_against, came_off, click, expected, on, plan, point, simulated,
        spell_of,
    },
};
use fivefoot::{
    battle::{Event, EventKind, Id, Moment},
    control::{
        Player,
        orders::{Fallback, Order, Reason},
        simulation::{Casts, Failures, PlanOutcome, Simulation},
    },
    rulesets::find,
    ui::{
        Selection, Session,
        preview::{
            ActionPreview, Click, OrderDraft, outcome,
            risks::{Risks, risks},
        },
    },
};
use fivefoot_kit as kit;

const YSOLDE: Id = Id(1);
fn tried(session: &Session, draft: &OrderDraft) -> PlanOutcome {
    let mut all = simulated(session, Some(draft)).plans;
    all.remove(&draft.who()).expect("it can be tried")
}

fn risks_of(session: &Session, draft: &OrderDraft) -> Risks {
    let timeline = expected(session, Some(draft));
    risks(session, &timeline, &draft.intent, std::iter::empty())
}

/// A plan that fails in simulated rounds shows how often and what happens then. A plan that
/// always succeeds shows nothing, and one that is not needed does not fail.
#[test]
fn failures_in_simulated_rounds_are_shown() {
    let mut has_odds = false;
    for id in DECLARED {
        let level = kit::level(LEVEL);
        let mut session = begun(&level, find(id).expect("a ruleset"), 3);
        let there = session.shown().unit(GOBLIN).at;
        let draft = click(&mut session, &point(MARA, there));
        let risks = risks_of(&session, &draft);
        // An order that was suggested has no odds yet: those of its moment are shown.
        let mut suggested = draft.clone();
        suggested.intent.odds.clear();
        has_odds |= risks_of(&session, &suggested).odds.contains("to hit");
        let of = |succeeded: u32, failures: Vec<Failures>| Simulation {
            rounds: 100,
            plans: [(
                MARA,
                PlanOutcome {
                    succeeded,
                    failures,
                    ..PlanOutcome::default()
                },
            )]
            .into(),
            ..Simulation::default()
        };
        let sure = risks.lines(&session, Some(&of(100, vec![])), MARA);
        // Only attacks that it provokes for sure.
        assert!(sure.iter().all(|line| line.contains("may attack")), "{id}");
        let far = Failures {
            reason: Reason::OutOfReach {
                target: GOBLIN,
                feet: 0,
            },
            by: vec![],
            rounds: 10,
        };
        let lines = risks.lines(&session, Some(&of(90, vec![far])), MARA);
        let fails = String::from("fails 10%: Goblin will be out of reach");
        let all = [sure.clone(), vec![fails]].concat();
        assert_eq!(lines, all, "{id}");
        // The rate counts the failures.
        let beside = risks.beside_rate(&session, Some(&of(90, vec![])), MARA);
        assert_eq!(beside, sure, "{id}");
        // An ally is likely to drop the target first.
        let gone = |rounds: u32| Failures {
            reason: Reason::Gone {
                target: GOBLIN,
                has_left: false,
            },
            by: vec![],
            rounds,
        };
        let unneeded = of(28, vec![gone(72)]);
        assert_eq!(risks.lines(&session, Some(&unneeded), MARA), sure, "{id}");
        let names = session.game.names();
        let words = outcome::not_needed(&unneeded, MARA, names);
        let expected = "not needed 72%: Goblin will be down by then";
        assert_eq!(words.as_deref(), Some(expected), "{id}");
        // The label on the board and the card give the same reason.
        let main = outcome::main_share(&unneeded, MARA, names);
        assert_eq!(main.as_deref(), Some(expected), "{id}");
        let reason = outcome::main_reason(&unneeded, MARA, names);
        assert_eq!(
            reason.as_deref(),
            Some("Goblin will be down by then"),
            "{id}"
        );
        let below = |rounds| {
            let simulation = of(100 - rounds, vec![gone(rounds)]);
            outcome::qualification(&simulation, MARA, names)
        };
        assert_eq!(below(20).as_deref(), Some("Not needed 20%"), "{id}");
        assert_eq!(below(5), None, "{id}");
        assert_eq!(risks.fallback, Some(Fallback::Ask), "{id}");
    }
    assert!(has_odds);
}

/// A disrupted spell is shown beside its caster with the unit that disrupted it, like every
/// failed plan. A spell that takes effect is not.
#[test]
fn a_disrupted_spell_is_shown_where_it_failed() {
    let mut all = (0, 0);
    for id in ["Segments", "Phased", "Activity"] {
        let (mut told, mut came) = (0, 0);
        for seed in 1..=20 {
            let level = kit::level(LEVEL);
            let rules = find(id).expect("a ruleset");
            let mut session = begun_against(Player::Quick, &level, rules, seed);
            let round = session.shown().clock.round;
            let Some(draft) = spell_of(&mut session, YSOLDE, ARCHER) else {
                continue;
            };
            plan(&mut session, &draft);
            let mut failed = vec![];
            while session.shown().clock.round == round && !session.game.is_over() {
                failed.extend(on(&mut session));
                failed.extend(session.intents().all_failures().iter().map(|f| f.who));
            }
            let caster_is_up = session.shown().unit(YSOLDE).is_up();
            let mut casts = Casts::default();
            let is_out = |e: &Event| {
                if let EventKind::Acted { choice } = &e.what {
                    casts.note(choice);
                }
                let cast = casts.take(session.game.world(), e);
                cast.is_some_and(|cast| cast.who == Some(YSOLDE))
            };
            let is_out = session.known_events().any(is_out);
            let is_told = failed.contains(&YSOLDE);
            assert!(!(is_out && is_told), "{id}, seed {seed}: it took effect");
            let is_lost = caster_is_up && !is_out && !session.game.is_over();
            assert!(
                !is_lost || is_told,
                "{id}, seed {seed}: it is lost in silence"
            );
            (told, came) = (told + u32::from(is_told), came + u32::from(is_out));
        }
        println!("{id}: {told} told of, {came} took effect");
        assert!(told + came > 0, "{id}");
        all = (all.0 + told, all.1 + came);
    }
    assert!(all.0 > 0 && all.1 > 0, "{all:?}");
}

/// If an ally is expected to drop a plan's target first, the plan says so, with the rate at
/// which it still succeeds.
#[test]
fn an_expected_failure_is_shown_with_its_success_rate() {
    let text = LEVEL.replace(
        r#"(kind: "goblin", side: "foes", at: (6, 4))"#,
        r#"(kind: "goblin", side: "foes", at: (2, 4), with: (segments: (hp: 1), phased: (hp: 1)))"#,
    );
    let level = kit::level(&text);
    for id in ["Segments", "Phased"] {
        let mut session = begun(&level, find(id).expect("a ruleset"), 3);
        let there = session.shown().unit(GOBLIN).at;
        let first = click(&mut session, &point(MARA, there));
        let Some(spell) = spell_of(&mut session, YSOLDE, GOBLIN) else {
            continue;
        };
        plan(&mut session, &first);
        let fails = expected(&session, Some(&spell))
            .failures
            .contains_key(&YSOLDE);
        let found = tried(&session, &spell);
        println!("{id}: fails as expected: {fails}, {found:?}");
        assert!(found.succeeded < 100 || !fails, "{id}: {found:?}");
    }
}

/// A unit attacks with the weapon from the preview, even if another has become slightly
/// better.
#[test]
fn the_previewed_weapon_is_used() {
    for id in DECLARED {
        let text = LEVEL.replace(r#"at: (6, 4)"#, r#"at: (2, 4)"#);
        let level = kit::level(&text);
        let mut session = begun(&level, find(id).expect("a ruleset"), 3);
        let there = session.shown().unit(GOBLIN).at;
        let draft = click(&mut session, &point(MARA, there));
        let attack = draft.attack.clone().expect("it is beside her");
        let with = match draft.intent.plan.order {
            Order::Attack { with, .. } => with,
            _ => None,
        };
        assert_eq!(with, attack.choice.with, "{id}");
        assert!(
            draft.intent.odds.contains("to drop"),
            "{id}: {}",
            draft.intent.odds
        );
        plan(&mut session, &draft);
        for _ in 0..200 {
            if session.game.is_over() || session.shown().clock.round > 1 {
                break;
            }
            on(&mut session);
        }
        let struck = session.known_events().find_map(|e| match &e.what {
            EventKind::AttackRolled { rolled_attack } if rolled_attack.attack.by == MARA => {
                Some(rolled_attack.attack.with)
            }
            _ => None,
        });
        assert_eq!(struck, attack.choice.with, "{id}");
    }
}

/// A caster's confirmation of the declaration is not a new plan: the spell is still shown,
/// with unchanged success rates.
#[test]
fn confirming_a_declaration_keeps_the_spell() {
    let level = kit::level(LEVEL);
    let mut session = begun(&level, find("Activity").expect("a ruleset"), 3);
    let draft = spell_of(&mut session, YSOLDE, ARCHER).expect("she has a spell");
    plan(&mut session, &draft);
    let archer = session.shown().unit(ARCHER).at;
    let more = ActionPreview::of(&mut session, &point(YSOLDE, archer)).click;
    assert!(matches!(more, Click::No(_)), "no other plan: {more:?}");
    let offers = session.offers_of(YSOLDE);
    let done = &session.queries.rules.planning.done;
    let mut offers = offers.iter().map(|offer| &offer.choice);
    let done = offers.find(|choice| done.contains(&choice.verb));
    let held = session.said(YSOLDE, vec![done.expect("she may be done").clone()]);
    let found = tried(&session, &OrderDraft::of(held));
    assert!(found.succeeded > 30, "{found:?}");
}

/// If dice decide when a plan is carried out, it shows the range that covers 80% of the
/// simulated rounds, or the most frequent part of the round.
#[test]
fn the_time_of_a_plan_is_shown_as_a_range() {
    let times = |all: &[(&str, &str, u32)]| {
        let moment = |name: &str, label: &str| Moment {
            count: label.replace('−', "-").parse().ok(),
            label: label.into(),
            step: String::new(),
            name: name.into(),
        };
        let all = all.iter();
        let moments = all.map(|&(name, label, n)| (moment(name, label), n));
        outcome::when(&PlanOutcome {
            moments: moments.collect(),
            ..PlanOutcome::default()
        })
    };
    assert_eq!(times(&[]), None);
    assert_eq!(times(&[("Segment 3", "3", 50)]), None, "always then");
    let even = [
        ("Segment 1", "1", 10),
        ("Segment 2", "2", 10),
        ("Segment 6", "6", 10),
    ];
    assert_eq!(times(&even).as_deref(), Some("segment 1 to 6"));
    let odd = [
        ("Count 12", "12", 1),
        ("Count 4", "4", 48),
        ("Count −2", "−2", 1),
    ];
    assert_eq!(
        times(&odd).as_deref(),
        Some("count 4"),
        "what is rare is left out"
    );
    let below = [("Count −2", "−2", 20), ("Count 3", "3", 20)];
    assert_eq!(times(&below).as_deref(), Some("count −2 to 3"));
    let named = [("HIGH: missiles", "HIGH", 30), ("LOW: missiles", "LOW", 20)];
    assert_eq!(times(&named).as_deref(), Some("HIGH: missiles (60%)"));
}

/// The attack button plans a charge at an enemy that is too far away for an attack (SE-51):
/// the charge is previewed and carried out.
#[test]
fn a_charge_is_planned_with_the_attack_button() {
    let level = kit::level(LEVEL);
    let mut session = begun(&level, find("Segments").expect("a ruleset"), 3);
    let goblin = session.shown().unit(GOBLIN).at;
    let preview = ActionPreview::of(&mut session, &point(MARA, goblin));
    let mut acts = preview.acts.iter();
    let attack = acts.find(|act| {
        act.offers
            .iter()
            .any(|o| o.choice.verb.name == "declare attack")
    });
    let selection = Selection {
        armed: Some(attack.expect("a button").key),
        ..point(MARA, goblin)
    };
    let draft = click(&mut session, &selection);
    let forecast = draft.attack.as_ref().expect("its chances are known");
    assert_eq!(forecast.choice.verb.name, "charge");
    let found = expected(&session, Some(&draft));
    let act = found.acts.iter().find(|act| act.who == MARA);
    let act = act.unwrap_or_else(|| panic!("{found:?}"));
    assert_eq!(act.at, Some(GOBLIN), "{act:?}");
    let came = (1..=10).filter(|&seed| came_off(&session, &draft, seed).is_ok());
    assert!(came.count() > 5, "mostly it comes");
}
