//! A plan is tried out against what the foes may do, and what spoils it is told.

use super::kit::{
    levels::spoiled::{ARCHER, GOBLIN, LEVEL, MARA},
    rounds::{DECLARED, begun, begun_against, came_off, click, on, plan, point, spell_of},
};
use fivefoot::{
    battle::{Event, EventKind, Id},
    control::{Player, orders::Order},
    grid::Cell,
    levels::built_in,
    rulesets::find,
    ui::{
        Selection, Session,
        preview::{
            ActionPreview, Click, Draft, Offers,
            ahead::ahead,
            perils::{Perils, perils},
            tries::{Tried, try_all},
        },
        session::{Casts, Held},
    },
};
use fivefoot_kit as kit;

const YSOLDE: Id = Id(1);
fn tried(session: &Session, draft: &Draft) -> Tried {
    let mut all = try_all(session, Some(draft), &|| false);
    all.remove(&draft.who()).expect("it can be tried")
}

fn perils_of(session: &Session, draft: &Draft) -> Perils {
    let seen = ahead(session, Some(draft)).expect("the round is foreseen");
    perils(session, &seen, &draft.intent, draft.is_aimed)
}

/// A spell is tried like an attack: how often it takes effect, and what it comes to else,
/// by whose doing. All together are all rounds that were tried; foes who never come first
/// in them are not told of.
#[test]
fn what_spoils_a_spell_is_told_with_how_often() {
    let mut named = 0;
    for id in DECLARED {
        let level = kit::level(LEVEL);
        let mut session = begun(&level, find(id).expect("a ruleset"), 3);
        let Some(draft) = spell_of(&mut session, YSOLDE, ARCHER) else {
            continue;
        };
        let found = tried(&session, &draft);
        let spoiled: u32 = found.why_not.iter().map(|why| why.0).sum();
        assert_eq!(found.percent + spoiled, 100, "{id}: {found:?}");
        let perils = perils_of(&session, &draft);
        let lines = perils.lines(Some(&found));
        println!("{id}, {}: {}% {lines:?}", draft.label, found.percent);
        let is_named = |why: &str| why.contains(" by ");
        let could = |lines: &[String]| lines.iter().any(|line| line.contains("first ("));
        assert!(could(&perils.lines(None)), "{id}: before it is tried");
        let Some((percent, why)) = found.why_not.first() else {
            assert_eq!(lines, Vec::<String>::new(), "{id}: nothing spoils it");
            continue;
        };
        named += u32::from(found.why_not.iter().any(|why| is_named(&why.1)));
        assert!(
            lines.contains(&format!("fails {percent}%: {why}")),
            "{id}: {lines:?}"
        );
        assert!(!could(&lines), "{id}: it is counted");
    }
    assert!(named > 1, "by whose doing");
}

/// What was tried says more than what could be: a target that never goes is not said to
/// be gone, and what is done otherwise is told where it comes to that.
#[test]
fn what_was_tried_takes_the_place_of_what_could_be() {
    for id in DECLARED {
        let level = kit::level(LEVEL);
        let mut session = begun(&level, find(id).expect("a ruleset"), 3);
        let there = session.shown().person(GOBLIN).at;
        let draft = click(&mut session, &point(MARA, there));
        let perils = perils_of(&session, &draft);
        let sure = Tried {
            percent: 100,
            ..Tried::default()
        };
        assert_eq!(perils.lines(Some(&sure)), Vec::<String>::new(), "{id}");
        let doubtful = Tried {
            percent: 90,
            why_not: vec![(10, "goblin is out of reach".into())],
            ..Tried::default()
        };
        let lines = perils.lines(Some(&doubtful));
        assert_eq!(lines[0], "fails 10%: goblin is out of reach", "{id}");
        assert_eq!(
            (lines.len(), perils.otherwise),
            (1, Some("you choose")),
            "{id}"
        );
    }
}

/// A spell that is spoiled is told of beside its caster, with whose doing it was, like
/// every plan that fails; one that takes effect never is.
#[test]
fn a_spoiled_spell_is_told_of_where_it_failed() {
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
            let caster_is_up = session.shown().person(YSOLDE).is_up();
            let mut casts = Casts::default();
            let is_out = |e: &Event| {
                if let EventKind::Acted { choice } = &e.what {
                    casts.note(choice);
                }
                let cast = casts.take(&session.game, e);
                cast.is_some_and(|cast| cast.who == Some(YSOLDE))
            };
            let is_out = session.told().any(is_out);
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

/// Who is to strike at whoever comes is tried as well: how often they attack at all and
/// what it costs them, and that they may fell whom others aim at.
#[test]
fn who_meets_whoever_comes_is_tried_as_well() {
    for by_button in [false, true] {
        let place = if by_button { "(4, 4)" } else { "(2, 4)" };
        let weak = format!("at: {place}, with: (activity: (hits: 6))");
        let level = kit::level(&LEVEL.replace("at: (6, 4)", &weak));
        let mut session = begun(&level, find("Activity").expect("a ruleset"), 3);
        if by_button {
            let guarded = Offers::Preset(1).draft(&mut session, MARA);
            plan(&mut session, &guarded.expect("she may keep her guard"));
        } else {
            let orders = session
                .reads
                .declare(MARA, &fivefoot::battle::Purpose::Guard);
            session.give(&orders).expect("she may keep her guard");
            session.catch_up();
        }
        let goblin = session.shown().person(GOBLIN).at;
        let draft = click(&mut session, &point(YSOLDE, goblin));
        let all = try_all(&session, Some(&draft), &|| false);
        let (mara, ysolde) = (&all[&MARA], &all[&YSOLDE]);
        assert!(mara.is_open && mara.percent > 0, "{mara:?}");
        let share = format!("finds a target: {}%", mara.percent);
        assert_eq!(mara.share(), Some(share));
        assert!(!ysolde.is_open, "{ysolde:?}");
        let falls = |why: &(u32, String)| why.1.contains("Goblin is already down");
        let is_felled = ysolde.why_not.iter().any(falls);
        assert!(by_button || is_felled, "{ysolde:?}");
    }
}

/// A move is tried as well: whoever takes the cell first is named.
#[test]
fn a_move_is_tried_and_who_stands_there_is_named() {
    for id in DECLARED {
        let level = kit::level(LEVEL);
        let mut session = begun(&level, find(id).expect("a ruleset"), 3);
        let draft = click(&mut session, &point(MARA, Cell::new(1, 5)));
        let found = tried(&session, &draft);
        assert!(
            found.percent > 0,
            "{id}: it is free, and at hand: {found:?}"
        );
        // Between the two the goblin is mostly there first, or strikes.
        let draft = click(&mut session, &point(MARA, Cell::new(3, 4)));
        let found = tried(&session, &draft);
        let sum: u32 = found.why_not.iter().map(|why| why.0).sum();
        assert_eq!(found.percent + sum, 100, "{id}");
        println!("{id}: {found:?}");
    }
}

/// Who is expected to find its target felled by a comrade is told so, with how often it
/// comes off all the same.
#[test]
fn what_is_expected_to_fail_is_told_with_its_chance() {
    let text = LEVEL.replace(
        r#"(kind: "goblin", side: "foes", at: (6, 4))"#,
        r#"(kind: "goblin", side: "foes", at: (2, 4), with: (segments: (hp: 1), phased: (hp: 1)))"#,
    );
    let level = kit::level(&text);
    for id in ["Segments", "Phased"] {
        let mut session = begun(&level, find(id).expect("a ruleset"), 3);
        let there = session.shown().person(GOBLIN).at;
        let first = click(&mut session, &point(MARA, there));
        let Some(spell) = spell_of(&mut session, YSOLDE, GOBLIN) else {
            continue;
        };
        plan(&mut session, &first);
        let seen = ahead(&session, Some(&spell)).expect("the round is foreseen");
        let fails = seen.failures.iter().any(|failed| failed.who == YSOLDE);
        let found = tried(&session, &spell);
        println!("{id}: fails as expected: {fails}, {found:?}");
        assert!(found.percent < 100 || !fails, "{id}: {found:?}");
    }
}

/// The weapon that was shown is the one that is struck with, also where another would be
/// a little better by then.
#[test]
fn what_was_shown_to_strike_with_is_kept() {
    for id in DECLARED {
        let text = LEVEL.replace(r#"at: (6, 4)"#, r#"at: (2, 4)"#);
        let level = kit::level(&text);
        let mut session = begun(&level, find(id).expect("a ruleset"), 3);
        let there = session.shown().person(GOBLIN).at;
        let draft = click(&mut session, &point(MARA, there));
        let blow = draft.blow.clone().expect("it is beside her");
        let with = match draft.intent.plan.order {
            Order::Attack { with, .. } => with,
            _ => None,
        };
        assert_eq!(with, blow.choice.with, "{id}");
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
        let struck = session.told().find_map(|e| match &e.what {
            EventKind::AttackRolled { shot } if shot.attack.by == MARA => Some(shot.attack.with),
            _ => None,
        });
        assert_eq!(struck, blow.choice.with, "{id}");
    }
}

/// A spell that reaches its target is cast as it was declared, near or far, whatever the
/// caster is asked before its moment.
#[test]
fn a_spell_within_its_range_is_cast_as_declared() {
    for id in DECLARED {
        for far in [3, 8, 9] {
            let text = LEVEL
                .replace(r#"(kind: "mara", side: "party", at: (1, 4)),"#, "")
                .replace(r#"at: (2, 1)"#, r#"at: (1, 1)"#)
                .replace(r#"at: (6, 4)"#, &format!("at: ({far}, 1)"));
            let text: String = text.lines().filter(|l| !l.contains("archer")).collect();
            let level = kit::level(&text);
            let (caster, goblin) = (Id(0), Id(1));
            let mut session = begun(&level, find(id).expect("a ruleset"), 3);
            let round = session.shown().clock.round;
            let draft = spell_of(&mut session, caster, goblin).expect("she may cast");
            let seen = ahead(&session, Some(&draft)).expect("the round is foreseen");
            assert_eq!(seen.failures, vec![], "{id}, {far}");
            plan(&mut session, &draft);
            let mut failed = vec![];
            for _ in 0..200 {
                if session.shown().clock.round != round || session.game.is_over() {
                    break;
                }
                failed.extend(on(&mut session));
            }
            assert_eq!(
                failed,
                vec![],
                "{id}, {far}: {:?}",
                session.intents().all_failures()
            );
        }
    }
}

/// The last word of somebody who has declared a spell is no other plan: their spell is
/// still told of, with the same chances.
#[test]
fn the_last_word_leaves_the_spell_as_it_is() {
    let level = kit::level(LEVEL);
    let mut session = begun(&level, find("Activity").expect("a ruleset"), 3);
    let draft = spell_of(&mut session, YSOLDE, ARCHER).expect("she has a spell");
    plan(&mut session, &draft);
    let archer = session.shown().person(ARCHER).at;
    let more = ActionPreview::of(&mut session, &point(YSOLDE, archer)).click;
    assert!(matches!(more, Click::No(_)), "no other plan: {more:?}");
    let offers = session.offers_apart(YSOLDE);
    let done = &session.reads.reader.planning.done;
    let mut offers = offers.iter().map(|offer| &offer.choice);
    let done = offers.find(|choice| done.contains(&choice.verb));
    let held = Held {
        who: YSOLDE,
        orders: vec![done.expect("she may be done").clone()],
        intent: None,
        label: String::from("Done"),
    };
    let found = try_all(&session, Some(&Draft::held(&held)), &|| false);
    let tried = found.get(&YSOLDE).expect("her spell is tried");
    assert!(tried.percent > 30, "{tried:?}");
}

/// What is done first may be answered, by a riposte (SP-16): the blow still comes, and
/// the round goes on for the others.
#[test]
fn an_answer_to_the_move_does_not_end_the_round() {
    let level = built_in().iter().find(|level| level.id == "toll_gate");
    let level = level.expect("a built-in level");
    let rules = find("Speed").expect("a ruleset");
    let mut session = begun_against(Player::Quick, level, rules, 11);
    let person = |session: &Session, name: &str| {
        let people = session.shown().people.iter();
        let found = people.into_iter().find(|p| &*p.name == name);
        found.map(|p| (p.id, p.at)).expect("somebody of that name")
    };
    let (_, goblin) = person(&session, "Goblin 1");
    for name in ["Mara", "Brandt", "Tobin"] {
        let (who, _) = person(&session, name);
        let draft = click(&mut session, &point(who, goblin));
        for (id, tried) in try_all(&session, Some(&draft), &|| false) {
            assert!(tried.percent > 75, "{id:?}: {tried:?}");
            let is_over = |why: &(u32, String)| why.1.starts_with("ran out of time");
            assert!(!tried.why_not.iter().any(is_over), "{id:?}: {tried:?}");
        }
        plan(&mut session, &draft);
    }
}

/// When a plan comes where that hangs on dice: the span of four times in five, or the
/// part of the round that is the most frequent.
#[test]
fn when_a_plan_comes_is_told_as_far_as_it_is_known() {
    let times = |all: &[(&str, &str, u32)]| {
        let all = all.iter();
        let times = all.map(|&(when, stop, count)| ((when.into(), stop.into()), count));
        let tried = Tried {
            times: times.collect(),
            ..Tried::default()
        };
        tried.when()
    };
    assert_eq!(times(&[]), None);
    assert_eq!(times(&[("Segment 3", "3", 50)]), None, "always then");
    let even = [
        ("Segment 1", "1", 10),
        ("Segment 2", "2", 10),
        ("Segment 6", "6", 10),
    ];
    assert_eq!(times(&even).as_deref(), Some("Segment 1 to 6"));
    let odd = [
        ("Count 12", "12", 1),
        ("Count 4", "4", 48),
        ("Count −2", "−2", 1),
    ];
    assert_eq!(
        times(&odd).as_deref(),
        Some("Count 4"),
        "what is rare is left out"
    );
    let below = [("Count −2", "−2", 20), ("Count 3", "3", 20)];
    assert_eq!(times(&below).as_deref(), Some("Count −2 to 3"));
    let named = [("HIGH: missiles", "HIGH", 30), ("LOW: missiles", "LOW", 20)];
    assert_eq!(times(&named).as_deref(), Some("HIGH: missiles (60%)"));
}

/// A foe too far for a blow is charged with what the button for an attack declares
/// (SE-51): it is shown, and comes.
#[test]
fn a_charge_is_planned_by_the_button_for_an_attack() {
    let level = kit::level(LEVEL);
    let mut session = begun(&level, find("Segments").expect("a ruleset"), 3);
    let goblin = session.shown().person(GOBLIN).at;
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
    let blow = draft.blow.as_ref().expect("its chances are known");
    assert_eq!(blow.choice.verb.name, "charge");
    let found = ahead(&session, Some(&draft)).expect("the round is foreseen");
    let act = found.acts.iter().find(|act| act.who == MARA);
    let act = act.unwrap_or_else(|| panic!("{found:?}"));
    assert_eq!(act.at, Some(GOBLIN), "{act:?}");
    let came = (1..=10).filter(|&seed| came_off(&session, &draft, seed).is_ok());
    assert!(came.count() > 5, "mostly it comes");
}

/// What differs only by whose doing it was is told as one.
#[test]
fn whose_doing_it_may_be_is_told_together() {
    let level = kit::level(LEVEL);
    let mut session = begun(&level, find("Phased").expect("a ruleset"), 3);
    let draft = spell_of(&mut session, YSOLDE, ARCHER).expect("she has a spell");
    let found = tried(&session, &draft);
    let falls = found
        .why_not
        .iter()
        .filter(|why| why.1.contains("is downed before acting, by"));
    assert!(falls.count() <= 1, "{found:?}");
    assert!(
        found.why_not.iter().any(|why| why.1.contains(" or ")),
        "{found:?}"
    );
}

/// A spell that is declared without a target is tried as well: how often it comes so far
/// that it can be aimed, and what spoils it else.
#[test]
fn a_spell_that_is_aimed_later_is_tried() {
    let level = kit::level(LEVEL);
    for id in ["Segments", "Phased"] {
        let rules = find(id).expect("a ruleset");
        let mut session = begun_against(Player::Quick, &level, rules, 3);
        let offers = session.offers_apart(YSOLDE);
        let mut spells = offers
            .iter()
            .filter(|o| o.is_legal() && o.choice.spell.is_some());
        let open = spells.find(|o| o.choice.at.is_none() && o.choice.to.is_none());
        let order = open.expect("a spell that is aimed later").choice.clone();
        session.give(&[order]).expect("it is on offer");
        session.catch_up();
        let found = try_all(&session, None, &|| false);
        let tried = found.get(&YSOLDE).expect("it is tried");
        println!("{id}: {tried:?}");
        let spoiled: u32 = tried.why_not.iter().map(|why| why.0).sum();
        assert!((1..100).contains(&tried.percent), "{id}: {tried:?}");
        assert_eq!(tried.percent + spoiled, 100, "{id}: {tried:?}");
    }
}
