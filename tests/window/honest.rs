//! Honest forecasts: they include the target's possible reactions, and the damage if the
//! chance to hit alone says little.

use super::kit::{rounds::give_or_on, shell::against};
use fivefoot::{
    battle::{AttackForecast, Chance, Choice, Decision, Event, EventKind, Id, Offer, PASS},
    control::{
        Player,
        recording::SideController,
        simulation::{Enemies, Observed},
    },
    levels,
    rulesets::{self, speed::declared::FULL_DEFENSE},
    ui::Session,
};
use fivefoot_kit::{field, level, sample};
use std::collections::BTreeMap;

const ANN: Id = Id(0);
const GOB: Id = Id(1);

/// The best attack of a unit on an adjacent one.
fn best(rules: &str, by: u16, at: u16) -> (Session, AttackForecast) {
    let units = [
        ("ann", "party", (2, 1), 12),
        ("gob", "goblins", (3, 1), 9),
        ("gab", "goblins", (9, 1), 9),
    ];
    let level = field(&["...........", "...........", "..........."], &units);
    let rules = rulesets::find(rules).expect("a ruleset of the game");
    let session = Session::new(&level, rules, 2);
    let mut all = session.queries.attacks(Id(by), Id(at));
    all.retain(|attack| attack.percent > 0);
    let best = all.into_iter().next().expect("an attack");
    (session, best)
}

#[test]
fn the_targets_possible_reaction_is_part_of_the_forecast() {
    for (rules, rule, least) in [("Skirmish", "SK-17", 10), ("Speed", "SP-10", 5)] {
        let (_, attack) = best(rules, 0, 1);
        let answered = attack.answered.expect("it may defend itself");
        assert_eq!(answered.rule, rule);
        let left = answered.percent;
        assert!(
            left + least <= attack.percent && left + 40 >= attack.percent,
            "{rules}: {left}% of {}%",
            attack.percent
        );
    }
    // Total defense costs the attacker 2 outcomes out of 20 (SK-17).
    let (_, forecast) = best("Skirmish", 0, 1);
    let left = forecast.answered.map(|answered| answered.percent);
    assert_eq!(left, Some(forecast.percent - 10));
}

/// PH-50: an enemy of the same melee can be attacked past an ally, and the forecast says why.
#[test]
fn an_attack_past_an_ally_names_its_rule() {
    let units = [
        ("ann", "party", (1, 2), 12),
        ("bob", "party", (2, 1), 12),
        ("gob", "goblins", (2, 2), 9),
        ("gab", "goblins", (3, 2), 9),
    ];
    let level = field(&["........."; 5], &units);
    let rules = rulesets::find("Phased").expect("a ruleset of the game");
    let session = Session::new(&level, rules, 2);
    let is_explained = |at: u16| {
        let all = session.queries.attacks(ANN, Id(at));
        let mut notes = all.iter().flat_map(|attack| &attack.notes);
        notes.any(|note| note.rule == "PH-50")
    };
    assert!(is_explained(3), "10 ft away");
    assert!(!is_explained(2), "adjacent");
}

/// SP-10: a target under full defense can attack back, and the attacker's forecast shows the
/// chance. Before the target's count it shows none.
#[test]
fn an_attack_on_full_defense_forecasts_the_attack_back() {
    let units = [("ann", "party", (2, 1), 12), ("gob", "goblins", (3, 1), 9)];
    let level = field(&["......", "......", "......"], &units);
    let rules = rulesets::find("Speed").expect("a ruleset of the game");
    let mut session = against(Player::Idle, &level, rules, 2);
    let back = |session: &Session| {
        let attack = session.queries.attacks(GOB, ANN).into_iter().next();
        let notes = attack.map_or(vec![], |forecast| forecast.notes);
        notes.into_iter().find(|note| note.rule == "SP-10")
    };
    session.catch_up();
    assert_eq!(back(&session), None, "she has not declared it");
    for _ in 0..40 {
        session.catch_up();
        if let Some(told) = back(&session) {
            let riposte = session.queries.attacks(ANN, GOB)[0].percent;
            assert!(
                told.text.ends_with(&format!(": {riposte}%")),
                "{}",
                told.text
            );
            return;
        }
        if session.awaits_ai() {
            session.think();
            continue;
        }
        let offers = session.offers_of(ANN);
        let defends = offers.iter().find(|o| o.choice.verb == &FULL_DEFENSE);
        let choice = match defends.filter(|o| o.is_legal()) {
            Some(offer) => offer.choice.clone(),
            None => session.pass_choice(ANN).expect("a way to do nothing"),
        };
        session.give(&[choice]).expect("it is on offer");
    }
    panic!("full defense never came");
}

/// SK-71: the card says when a unit has used up what it can do once per battle.
#[test]
fn an_extra_action_that_was_taken_is_marked_as_used() {
    let text = r#"(
        title: "Once", map: ["......"],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        combatants: [
            (kind: "lin", side: "party", at: (0, 0)),
            (kind: "goblin", side: "goblins", at: (5, 0)),
        ],
    )"#;
    let rules = rulesets::find("Skirmish").expect("a ruleset of the game");
    let mut session = against(Player::Idle, &level(text), rules, 2);
    let line = |session: &Session| {
        let traits = session.queries.traits(ANN).into_iter();
        let mut lines = traits.map(|one| one.text);
        let line = lines.find(|line| line.starts_with("one extra action per battle"));
        line.expect("Lin has the trait")
    };
    assert_eq!(line(&session), "one extra action per battle");
    let is_spare = |offer: &Offer| offer.choice.verb.name == "spare Main" && offer.is_legal();
    for _ in 0..40 {
        session.catch_up();
        let is_offered = session.offers_of(ANN).iter().any(is_spare);
        give_or_on(&mut session, ANN, is_spare);
        if is_offered {
            assert_eq!(line(&session), "one extra action per battle (used)");
            return;
        }
    }
    panic!("it was never on offer");
}

/// SP-24: an action of a badly wounded unit costs a Wound Point, and the game warns before
/// it.
#[test]
fn an_action_that_costs_a_wound_point_is_warned_of() {
    let text = r#"(
        title: "The last breath",
        map: ["......", "......", "......"],
        sides: [(id: "party"), (id: "foes")],
        combatants: [
            (kind: "mara", side: "party", at: (1, 1)),
            (kind: "brandt", side: "party", at: (2, 1)),
            (kind: "ogre", side: "foes", at: (3, 0)),
            (kind: "sergeant", side: "foes", at: (2, 2)),
        ],
    )"#;
    let level = level(text);
    let rules = rulesets::find("Speed").expect("a ruleset of the game");
    let (mut warned, mut strained) = (0, 0);
    for seed in 1..12 {
        let mut session = against(Player::Quick, &level, rules, seed);
        for _ in 0..300 {
            session.catch_up();
            if session.awaits_ai() {
                session.think();
                continue;
            }
            if session.awaits_end_of_turn() {
                session.end_turn();
                continue;
            }
            let Some(asked) = session.question().cloned() else {
                break;
            };
            let who = asked.actors.first().copied().unwrap_or(ANN);
            let is_act = session.is_players_turn() && !session.is_declaring();
            // The AI would not pay for it, so give the unit's first possible action.
            let is_down = !session.shown().unit(who).is_up();
            let offers = session.offers_of(who);
            let mut acts = offers
                .iter()
                .filter(|o| o.is_legal() && o.numbers.is_none());
            let act = acts.find(|o| o.choice.at.is_some() || o.choice.to.is_some());
            let choice = match act.filter(|_| is_down) {
                Some(act) => act.choice.clone(),
                None => session.queries.sensible(who, &offers),
            };
            let lines = session.queries.warnings(&choice);
            let before = session.game.length();
            session
                .give(std::slice::from_ref(&choice))
                .expect("it is on offer");
            let events = &session.game.events()[before..];
            let fact = choice.who.map(|who| format!("Strained {{ who: {who:?} }}"));
            let is_it = |e: &Event| {
                fact.as_ref()
                    .is_some_and(|f| format!("{:?}", e.what).contains(f))
            };
            let costs = events.iter().any(is_it);
            if is_act && costs {
                strained += 1;
                assert!(
                    lines.iter().any(|l| l.contains("Wound Point")),
                    "{choice:?}"
                );
            }
            warned += usize::from(!lines.is_empty());
        }
    }
    assert!(
        strained > 2 && warned <= strained * 2,
        "{strained} of {warned}"
    );
}

#[test]
fn under_activity_the_damage_is_shown_first() {
    let (session, attack) = best("Activity", 0, 1);
    let mean = attack.mean.expect("hits to be expected");
    let spread = session.queries.spread(&attack.choice).mean();
    assert!((mean - spread).abs() < 0.02, "{mean} and {spread}");
    let trades = session.queries.trades(&attack.choice);
    let share = &trades[0];
    // From the smallest share for a melee to the whole round, damage rises with the share.
    assert!(share.dealt.len() > 5 && share.taken.is_empty());
    assert!(share.dealt.is_sorted_by(|a, b| a.0 < b.0 && a.1 <= b.1));
    let now = share
        .dealt
        .iter()
        .find(|(percent, _)| *percent == share.now);
    let (_, now) = now.expect("the share that it takes now");
    assert!((now - mean).abs() < 0.02, "{now} and {mean}");
}

/// Every action for which the acting unit rolls at once, before any other decision, has its
/// chances on screen before: in its attack forecast, its odds, or the lines of a reaction.
/// A new action without them fails this test.
#[test]
fn every_action_with_a_roll_shows_its_chances_first() {
    for rules in rulesets::ALL {
        let mut seen = BTreeMap::new();
        for (seed, level) in (0..).zip(levels::built_in().iter().take(6)) {
            let mut session = Session::new(level, rules, seed);
            let mut chance = Chance::new(seed);
            for _ in 0..150 {
                session.catch_up();
                let asked = session.question().cloned();
                if session.awaits_ai() {
                    session.think();
                } else if session.awaits_end_of_turn() {
                    session.end_turn();
                } else if let Some(asked) = asked {
                    ask(&mut session, &asked, &mut chance, &mut seen);
                } else {
                    break;
                }
            }
        }
        let rolling = seen.iter().filter(|(_, attempts)| attempts.rolled > 0);
        let rolling: Vec<&str> = rolling.map(|(verb, _)| *verb).collect();
        assert!(rolling.len() > 3, "{}: {rolling:?}", rules.id);
    }
}

/// How often an action was tried in a fork, and how often the acting unit rolled.
#[derive(Default)]
struct Attempts {
    tried: u32,
    rolled: u32,
}

/// Checks a third of the offers, and answers the decision.
fn ask(
    session: &mut Session,
    asked: &Decision,
    chance: &mut Chance,
    seen: &mut BTreeMap<&'static str, Attempts>,
) {
    const ROLLED: u32 = 4;
    // Most actions never roll; this limits how often each is tried.
    let tried = sample(12, u32::MAX);
    let Some(&who) = asked.actors.first() else {
        session.give(&asked.common[..1]).expect("it is on offer");
        return;
    };
    let offers = session.offers_of(who);
    let legal: Vec<&Offer> = offers.iter().filter(|o| o.is_legal()).collect();
    let acts = legal.iter().filter(|o| o.numbers.is_none());
    for offer in acts.filter(|o| o.choice.verb != &PASS && !session.is_declaring()) {
        let choice = &offer.choice;
        let attempts = seen.entry(choice.verb.name).or_default();
        if chance.below(3) > 0 || attempts.rolled >= ROLLED || attempts.tried >= tried {
            continue;
        }
        attempts.tried += 1;
        let Some(what) = rolls(session, choice) else {
            continue;
        };
        attempts.rolled += 1;
        let queries = &session.queries;
        let is_told = matches!(queries.attack(choice), Some(Ok(_)))
            || !queries.odds(choice).is_empty()
            || !queries.changes(choice).is_empty();
        let text = choice.text(session.game.names());
        assert!(is_told, "{}: {text} rolls: {what}", session.game.rules().id);
    }
    let offer = legal[chance.below(legal.len())];
    let any = match offer.numbers {
        Some((_, most)) => offer.choice.clone().number(most),
        None => offer.choice.clone(),
    };
    let offers = session.offers_of(who);
    let wise = session.queries.sensible(who, &offers);
    let choice = if chance.below(2) == 0 {
        any
    } else {
        wise.clone()
    };
    if session.give(&[choice]).is_err() {
        session.give(&[wise]).expect("it is on offer");
    }
}

/// What the acting unit rolls before the next decision, if anything.
fn rolls(session: &Session, choice: &Choice) -> Option<String> {
    let mut fork = session.situation(None)?.fork(Enemies::Seeded(7));
    let mut found = None;
    fork.answer(choice, &mut |_, observed| {
        let Observed::Event(event) = observed else {
            return;
        };
        let roll = match &event.what {
            EventKind::AttackRolled { rolled_attack }
                if Some(rolled_attack.attack.by) == choice.who =>
            {
                Some(format!("attack {}", event.rule))
            }
            EventKind::Checked(check) if check.who == choice.who => {
                Some(format!("{} {}", check.what, event.rule))
            }
            _ => None,
        };
        found = found.take().or(roll);
    });
    found
}

/// As soon as the screen shows that a round begins, the round's number is the new one.
#[test]
fn a_round_begins_under_its_own_number() {
    for rules in rulesets::ALL {
        let controllers = vec![SideController::Ai(Player::Quick); 2];
        let mut session =
            Session::with_controllers(&levels::default_level(), rules, 3, controllers);
        let mut begun = 0;
        while begun < 3 && !session.game.is_over() {
            while let Some(event) = session.next_event() {
                if let EventKind::RoundBegan { round } = event.what {
                    assert_eq!(session.shown().clock.round, round, "{}", rules.id);
                    begun = round;
                }
            }
            if session.awaits_ai() {
                session.think();
            }
        }
        assert!(begun > 1, "{}", rules.id);
    }
}
