//! What the window and the log show is the same as if the hidden were not there, as
//! long as nobody has come upon them.

use super::kit::rounds::settle;
use fivefoot::{
    battle::{Chance, Choice, DiceBox, Id, Item, Progress, Ruleset, State},
    control::{Player, recording::Seat},
    levels::Level,
    rulesets::ALL,
    ui::{ActionPreview, Selection, Session},
};
use fivefoot_kit::{self as kit, level};
use std::sync::Arc;

/// Two in sight, two in hiding, one of them of a side of which nobody else is there.
const TWO_SIDES: &str = r#"(
    title: "Hidden things",
    map: [
        "..../.....",
        "....#.....",
        "....#.....",
    ],
    sides: [(id: "party"), (id: "goblins"), (id: "lurkers", name: "The lurkers")],
    combatants: [
        (kind: "mara", side: "party", at: (3, 0)),
        (kind: "tobin", side: "party", at: (1, 1)),
        (kind: "goblin", side: "goblins", at: (8, 1)),
        (kind: "goblin", side: "goblins", at: (9, 0), hidden: true),
        (kind: "goblin", side: "goblins", at: (9, 2)),
        (kind: "lurker", side: "lurkers", at: (2, 2), hidden: true),
    ],
    reinforcements: [(round: 90, combatants: [(kind: "lurker", side: "lurkers", at: (9, 1))])],
    surprise: Caught(["goblins", "lurkers"]),
)"#;

/// One in sight, so that it has no number, an objective that counts heads, archers,
/// a caster and somebody hidden in the way.
const REEDS: &str = r#"(
    title: "In the reeds",
    map: [
        "..............",
        "..,,....~~....",
        "..............",
        "....=...~~....",
        "..............",
    ],
    sides: [(id: "party"), (id: "marsh")],
    combatants: [
        (kind: "brandt", side: "party", at: (1, 1)),
        (kind: "anselm", side: "party", at: (1, 3)),
        (kind: "wat", side: "party", at: (0, 2)),
        (kind: "goblin", side: "marsh", at: (6, 2), hidden: true),
        (kind: "goblin_archer", side: "marsh", at: (12, 4), hidden: true),
        (kind: "goblin", side: "marsh", at: (11, 1)),
        (kind: "goblin_archer", side: "marsh", at: (13, 2)),
        (kind: "goblin_archer", side: "marsh", at: (13, 3)),
    ],
    objectives: [(side: "party", goal: Defeat(["marsh"]), text: "Drive them off")],
)"#;

fn without_hidden(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.contains("hidden: true"));
    lines.collect::<Vec<_>>().join("\n")
}

/// Others do nothing, and no die depends on those that the hidden have rolled.
fn session(level: &Arc<Level>, rules: &'static Ruleset) -> Session {
    let seats = (0..level.sides.len()).map(|side| match side {
        0 => Seat::Human,
        _ => Seat::Ai(Player::Idle),
    });
    let dice = (1, DiceBox::steady());
    Session::with_dice(level, rules, dice, seats.collect())
}

/// Whether none of those who hide has been seen.
fn is_silent(session: &Session) -> bool {
    let level = session.game.level();
    let mut all = std::iter::zip(&level.combatants, &session.shown().people);
    all.all(|(combatant, person)| !combatant.hidden || person.state == State::Waiting)
}

/// All that the window shows and offers, with names in place of numbers.
fn view(session: &mut Session) -> String {
    let mut out = String::new();
    let names = session.game.names().clone();
    for line in session.told().filter_map(|event| event.describe(&names)) {
        out += &format!("log: {}\n", line.text);
    }
    let shown = session.shown().clone();
    for person in shown.people.iter().filter(|p| p.state != State::Waiting) {
        out += &format!("unit: {person:?}\n");
    }
    out += &format!("clock: {:?}\nground: {:?}\n", shown.clock, shown.ground);
    out += &format!(
        "aims: {:?}\nchance: {:?}\n",
        session.aims(),
        session.chance()
    );
    let Some(asked) = session.question().cloned() else {
        return out;
    };
    for &who in &asked.actors {
        let mut look = |selection: Selection| {
            let preview = ActionPreview::of(session, &selection);
            let (armed, cursor) = (selection.armed, selection.cursor);
            out += &format!("preview of {who:?}, {armed:?} at {cursor:?}: {preview:?}\n");
            preview
        };
        let chosen = Selection {
            chosen: Some(who),
            ..Selection::default()
        };
        let acts = look(chosen.clone()).acts;
        for act in acts {
            look(Selection {
                armed: Some(act.key),
                ..chosen.clone()
            });
        }
        for enemy in shown
            .people
            .iter()
            .filter(|p| p.is_up() && p.side != asked.side)
        {
            look(Selection {
                cursor: Some(enemy.at),
                ..chosen.clone()
            });
        }
        for cell in shown.board.cells().step_by(23) {
            look(Selection {
                cursor: Some(cell),
                ..chosen.clone()
            });
        }
        let offers = session.offers_of(who);
        // The window asks nobody who would let it pass anyway.
        let sensible = session.reads.sensible(who, &offers);
        out += &format!("{SENSIBLE}{who:?}: {}\n", sensible.text(&names));
    }
    // Longer numbers first; and a line for each part, to see what differs.
    for person in shown.people.iter().rev() {
        out = out.replace(&format!("{:?}", person.id), &format!("<{}>", person.name));
    }
    let out = with_names(&out, "provoked: ", |set| {
        // One bit for each id.
        let in_set = shown.people.iter().filter(|p| set & p.id.bit() != 0);
        let names: Vec<&str> = in_set.map(|p| p.name.as_str()).collect();
        names.join(" and ")
    });
    let out = with_names(&out, "Item(", |item| {
        names.item(Item(item as u8)).to_string()
    });
    out.replace(", ", "\n  ")
}

/// The start of a line about what the quick AI would do.
const SENSIBLE: &str = "sensible for ";

fn without_suggestions(view: &str) -> String {
    let lines = view.lines().filter(|line| !line.starts_with(SENSIBLE));
    lines.collect::<Vec<_>>().join("\n")
}

/// Rounds without progress.
fn idle(session: &Session) -> u32 {
    session.reads.ask(|world| world.resource::<Progress>().idle)
}

/// A text with a name for each number that stands behind this mark.
fn with_names(text: &str, mark: &str, name: impl Fn(u64) -> String) -> String {
    let mut parts = text.split(mark);
    let mut named = parts.next().unwrap_or_default().to_string();
    for part in parts {
        let digits = part.chars().take_while(char::is_ascii_digit).count();
        named += mark;
        // What stands there may be a list of something else.
        if let Ok(number) = part[..digits].parse() {
            named += &name(number);
        }
        named += &part[digits..];
    }
    named
}

/// The lines in which two views differ, some of them.
fn differences(with: &str, without: &str) -> Vec<String> {
    let lines = std::iter::zip(with.lines(), without.lines()).filter(|(a, b)| a != b);
    lines
        .take(6)
        .map(|(a, b)| format!("{a}\n     not: {b}"))
        .collect()
}

fn legal(session: &mut Session, who: Id) -> Vec<Choice> {
    let offers = session.offers_of(who);
    let legal = offers.iter().filter(|offer| offer.is_legal());
    let with_number = |offer: &fivefoot::battle::Offer| match offer.numbers {
        Some((_, most)) => offer.choice.clone().number(most),
        None => offer.choice.clone(),
    };
    legal.map(with_number).collect()
}

/// Plays both battles alike until somebody in hiding is seen; how often they were
/// compared.
fn compare(text: &str, rules: &'static Ruleset, seed: u64) -> usize {
    let (with, without) = (level(text), level(&without_hidden(text)));
    let (mut with, mut without) = (session(&with, rules), session(&without, rules));
    let mut chance = Chance::new(seed);
    for n in 0..kit::sample(12, 40) {
        settle(&mut with);
        settle(&mut without);
        if !is_silent(&with) {
            return n;
        }
        let (mut a, mut b) = (view(&mut with), view(&mut without));
        // A hidden unit that comes nearer keeps the battle from being a draw (OP-07), and
        // the AI loses its patience by the rounds that are left until then.
        if idle(&with) != idle(&without) {
            (a, b) = (without_suggestions(&a), without_suggestions(&b));
        }
        let what = format!("{} {seed}, question {n}", rules.id);
        assert!(a == b, "{what}: {:#?}", differences(&a, &b));
        let Some(asked) = with.question().cloned() else {
            return n;
        };
        let answers = match asked.actors.first() {
            None => [
                asked.common[0].clone(),
                without.question().unwrap().common[0].clone(),
            ],
            Some(_) => {
                let nth = chance.below(asked.actors.len());
                let other = without.question().expect("it is asked as well").actors[nth];
                let all = legal(&mut with, asked.actors[nth]);
                let others = legal(&mut without, other);
                assert_eq!(all.len(), others.len(), "{what}");
                let pick = chance.below(all.len());
                [all[pick].clone(), others[pick].clone()]
            }
        };
        let [own, other] = answers;
        with.give(std::slice::from_ref(&own))
            .expect("it is on offer");
        without
            .give(std::slice::from_ref(&other))
            .expect("it is on offer");
    }
    kit::sample(12, 40)
}

#[test]
fn the_hidden_change_nothing_that_is_shown() {
    let marsh = include_str!("../../levels/marsh.ron");
    for rules in ALL.iter().copied().filter(hides) {
        let mut compared = 0;
        for text in [TWO_SIDES, REEDS, marsh] {
            for seed in 0..kit::sample(2, 5) {
                compared += compare(text, rules, seed);
            }
        }
        assert!(
            compared > kit::sample(24, 60) as usize,
            "{}: only {compared} views",
            rules.id
        );
    }
}

/// The others show everybody: their rules know of nobody who is hidden altogether.
fn hides(rules: &&'static Ruleset) -> bool {
    is_silent(&session(&level(REEDS), rules))
}

#[test]
fn three_rulesets_hide_somebody() {
    let all = ALL.iter().copied().filter(hides);
    assert_eq!(
        all.map(|rules| rules.id).collect::<Vec<_>>(),
        ["Skirmish", "Phased", "Activity"]
    );
}

/// Numbers go on from those in sight to those in hiding.
#[test]
fn no_number_is_missing_among_those_in_sight() {
    let names = |text: &str| {
        let level = level(text);
        let all = level.combatants.iter().map(|c| c.name.clone());
        all.filter(|name| name.starts_with("goblin"))
            .collect::<Vec<_>>()
    };
    assert_eq!(names(TWO_SIDES), ["goblin 1", "goblin 3", "goblin 2"]);
    assert_eq!(
        names(REEDS),
        [
            "goblin 2",
            "goblin archer 3",
            "goblin",
            "goblin archer 1",
            "goblin archer 2"
        ]
    );
}
