//! What is foreseen of a round is what comes of it, as long as nobody interferes.

use super::kit::rounds::{
    DECLARED, begun, came_off, cell_of, click, expected, in_round, on, plan, point, spell_of,
};
use fivefoot::{
    battle::{Choice, EventKind, Id, Offer, Ruleset, State},
    control::orders::Reason,
    grid::Cell,
    levels::Level,
    rulesets::{find, speed::declared::FULL_DEFENSE},
    ui::{
        Selection, Session,
        preview::{ActionPreview, Draft, Offers, course::Course, risks::risks},
        selection::Settled,
        session::Failure,
    },
};
use fivefoot_kit::{self as kit, plans::NOBODY};
use std::{collections::BTreeSet, sync::Arc};

const MARA: Id = Id(0);
const TOBIN: Id = Id(1);
const BRANDT: Id = Id(2);
const YSOLDE: Id = Id(3);
const TROLL: Id = Id(4);
/// All but the one behind walls, of whom nobody knows.
const KNOWN: usize = 5;

fn level(foe: &str) -> Arc<Level> {
    kit::level(&NOBODY.replace("FOE", foe))
}

/// The first spell that can be chosen and aimed at somebody.
fn spell(session: &mut Session, at: Id) -> Option<Draft> {
    spell_of(session, YSOLDE, at)
}

/// Whatever is left to be declared of somebody: numbers as they stand, and the
/// last word.
fn settle(session: &mut Session, who: Id) {
    for _ in 0..4 {
        let is_asked = session
            .question()
            .is_some_and(|q| q.actors.contains(&who) && session.is_declaring());
        if !is_asked {
            return;
        }
        let offers = session.offers_of(who);
        let choice = match &offers[..] {
            [only] => {
                let most = only.numbers.map(|n| n.1);
                match most {
                    Some(most) => only.choice.clone().number(most),
                    None => only.choice.clone(),
                }
            }
            _ => session.let_go(who).expect("a last word"),
        };
        session.give(&[choice]).expect("it is on offer");
        session.catch_up();
    }
}

/// What one is to do.
#[derive(Clone, Copy)]
enum Aim {
    /// The foe, or a cell, by a click.
    At(Cell),
    Spell,
}

/// Acts of a round of which one hangs on the other.
fn aims(session: &Session, kind: u64) -> [(Id, Aim); 2] {
    let foe = Aim::At(cell_of(session, TROLL));
    match kind % 4 {
        // A blow after a volley.
        0 => [(TOBIN, foe), (MARA, foe)],
        // A shot past somebody who goes in between.
        1 => [(MARA, Aim::At(Cell::new(4, 1))), (TOBIN, foe)],
        // Two at one foe, each at a place of its own.
        2 => [(MARA, foe), (BRANDT, foe)],
        // A spell behind a screen.
        _ => [(BRANDT, Aim::At(Cell::new(3, 3))), (YSOLDE, Aim::Spell)],
    }
}

/// Whoever is asked declares what they are to do; the others nothing. What was
/// shown for the last of it.
fn declare(session: &mut Session, aims: &[(Id, Aim)]) -> Option<Course> {
    let (mut done, mut seen) = (vec![], None);
    while session.is_declaring() {
        let asked = session.question().cloned().expect("somebody declares");
        let mut open = aims.iter().filter(|a| !done.contains(&a.0));
        let Some(&(who, aim)) = open.find(|a| asked.actors.contains(&a.0)) else {
            let mut idle = || asked.actors.iter().find_map(|&who| session.let_go(who));
            let choice = asked.common.first().cloned().or_else(&mut idle);
            let choice = choice.expect("a way to declare nothing");
            session.give(&[choice]).expect("it is on offer");
            session.catch_up();
            continue;
        };
        done.push(who);
        let draft = match aim {
            Aim::At(cell) => Some(click(session, &point(who, cell))),
            Aim::Spell => spell(session, TROLL),
        };
        if draft.is_some() || seen.is_none() {
            seen = Some(expected(session, draft.as_ref()));
        }
        if let Some(draft) = draft {
            plan(session, &draft);
            settle(session, who);
        }
        if aims.iter().all(|a| done.contains(&a.0)) {
            break;
        }
    }
    seen
}

/// Where everybody stands, and who has done something to whom.
type Outcome = (Vec<Option<Cell>>, BTreeSet<(Id, Id)>);

fn shown(course: &Course) -> Outcome {
    let last = course.frames.last().expect("the round has an end");
    let known = last.people.iter().take(KNOWN);
    let cells = known.map(|p| p.is_up().then_some(p.at));
    let deeds = course.acts.iter().filter_map(|d| Some((d.who, d.at?)));
    (cells.collect(), deeds.collect())
}

fn came(session: &Session, from: usize) -> Outcome {
    let known = session.shown().people.iter().take(KNOWN);
    let cells = known.map(|p| (p.state == State::Up).then_some(p.at));
    let own = |who: Id| session.shown().person(who).side == session.player();
    let deeds = session.told_since(from).filter_map(|e| match &e.what {
        EventKind::Acted { choice } => choice.who.zip(choice.at),
        EventKind::AttackRolled { shot } => Some((shot.attack.by, shot.attack.at)),
        _ => None,
    });
    let deeds = deeds.filter(|d| own(d.0) && !own(d.1));
    (cells.collect(), deeds.collect())
}

/// Plays a round in which nobody interferes and nobody is felled. None: it came as
/// it was shown; otherwise what did not.
fn differs(rules: &'static Ruleset, level: &Arc<Level>, seed: u64) -> Option<String> {
    let mut session = begun(level, rules, seed);
    let aims = aims(&session, seed);
    let (round, from) = (session.shown().clock.round, session.shown().events);
    let seen = declare(&mut session, &aims);
    let mut failed = vec![];
    for _ in 0..600 {
        let is_over = session.over().is_some() || session.shown().clock.round != round;
        let rest_declares = session.is_declaring();
        if is_over {
            break;
        }
        if rest_declares {
            // Who has no plan does nothing.
            let asked = session.question().cloned().expect("somebody declares");
            let idle = asked.actors.iter().find_map(|&who| session.let_go(who));
            let idle = asked.common.first().cloned().or(idle);
            session
                .give(&[idle.expect("a way to declare nothing")])
                .expect("it is on offer");
            session.catch_up();
            continue;
        }
        on(&mut session);
        failed.extend_from_slice(session.intents().all_failures());
    }
    let seen = seen.expect("the round is foreseen");
    // What is cast as it was shown may still fail by its own dice.
    let acted = came(&session, from).1;
    let is_cast = |who: Id| {
        let mut plans = session.intents().in_round(round);
        plans.any(|i| i.who() == who && i.is_spell()) && acted.iter().any(|deed| deed.0 == who)
    };
    failed.retain(|f| !is_cast(f.who));
    let fails = BTreeSet::from_iter(failed.iter().map(|f: &Failure| f.who));
    let fails_as_shown = fails == BTreeSet::from_iter(seen.failures.keys().copied());
    let (seen, came) = (shown(&seen), came(&session, from));
    let words = format!(
        "{} {seed}: shown {seen:?}, came {came:?}, {failed:?}",
        rules.id
    );
    let is_up = |outcome: &Outcome| Vec::from_iter(outcome.0.iter().map(Option::is_some));
    assert_eq!(is_up(&seen), is_up(&came), "nobody is felled: {words}");
    (seen != came || !fails_as_shown).then_some(words)
}

/// Rounds in each of the four systems, as the board shows them.
#[test]
fn plans_come_out_as_they_were_shown() {
    let level = level("ogre");
    for id in DECLARED {
        let rules = find(id).expect("a ruleset of the game");
        let count = kit::sample(12, 100);
        let odd: Vec<String> = (1..=count)
            .filter_map(|seed| differs(rules, &level, seed))
            .collect();
        println!("{id}: {} of {count} came otherwise", odd.len());
        let told = odd[..odd.len().min(3)].join("\n");
        assert!(odd.is_empty(), "{} others: {told}", odd.len());
    }
}

/// What was declared by the act bar is the same again too, and leaves open what it
/// left open.
#[test]
fn what_was_declared_by_a_button_is_the_same_again() {
    let speed = find("Speed").expect("a ruleset");
    let mut session = begun(&level("ogre"), speed, 3);
    // A plan of a round before is not what counts.
    let there = cell_of(&session, TROLL);
    let draft = click(&mut session, &point(MARA, there));
    plan(&mut session, &draft);
    let to_round = |session: &mut Session, round: u16| {
        for _ in 0..400 {
            session.catch_up();
            if session.is_declaring() && session.shown().clock.round == round {
                return;
            }
            on(session);
        }
        panic!("round {round} never comes");
    };
    to_round(&mut session, 2);
    session
        .give(&[Choice::new(&FULL_DEFENSE, MARA)])
        .expect("it is on offer");
    to_round(&mut session, 3);
    let again = Offers::Again.draft(&mut session, MARA).expect("the same");
    assert_eq!(again.orders, [Choice::new(&FULL_DEFENSE, MARA)]);
    assert!(!again.is_aimed && again.label == "Full defense");
    // Undone, it was never said.
    session
        .give(&[Choice::new(&FULL_DEFENSE, MARA)])
        .expect("it is on offer");
    session.undo();
    session.catch_up();
    let round = session.shown().clock.round;
    let said = session.intents().said_before(MARA, round + 1);
    assert_eq!(said, Some(again.orders), "that of the round before");
}

/// What a plan says of its attack is what it is once it comes: with the share of the
/// round that it has, what is kept for parrying, and the way there (AC-02, AC-13, AC-23).
#[test]
fn the_chances_of_a_plan_are_those_of_its_attack() {
    let mut tried = BTreeSet::new();
    for rules in DECLARED {
        for presses in [None, Some(0), Some(1), Some(3)] {
            let mut session = begun(&level("ogre"), find(rules).expect("a ruleset"), 3);
            let draft = match presses {
                None => {
                    let there = cell_of(&session, TROLL);
                    click(&mut session, &point(MARA, there))
                }
                Some(n) if n < session.reads.reader.presets.len() => {
                    match Offers::Preset(n).draft(&mut session, MARA) {
                        Ok(draft) if draft.intent.at() == Some(TROLL) => draft,
                        _ => continue,
                    }
                }
                Some(_) => continue,
            };
            let told = draft.blow.clone().expect("it is for an attack");
            plan(&mut session, &draft);
            settle(&mut session, MARA);
            let is_it = |c: &Choice| c.verb == told.choice.verb && c.at == Some(TROLL);
            let mut came = None;
            for _ in 0..200 {
                session.catch_up();
                if session.shown().clock.round > 1 {
                    break;
                }
                let is_asked = session.question().is_some_and(|q| q.actors.contains(&MARA));
                if is_asked && !session.is_declaring() {
                    let offers = session.offers_of(MARA);
                    let now = offers.iter().find(|o| o.is_legal() && is_it(&o.choice));
                    if let Some(offer) = now {
                        came = session.reads.attack(&offer.choice).and_then(Result::ok);
                        break;
                    }
                }
                on(&mut session);
            }
            let Some(came) = came else { continue };
            assert_eq!(
                (came.percent, came.mean),
                (told.percent, told.mean),
                "{rules} {presses:?}: {:?} {:?}",
                told.modifiers,
                came.modifiers
            );
            tried.insert(rules);
        }
    }
    assert!(tried.contains("Activity") && tried.len() > 2, "{tried:?}");
}

/// A throw that is planned is drawn as one, also at whom one could go up to, and
/// where others of the side come before it in a tie and do nothing (PH-02, PH-04).
#[test]
fn a_throw_that_is_planned_is_drawn_as_a_throw() {
    let phased = find("Phased").expect("a ruleset");
    for foe in ["ogre", "goblin"] {
        let mut session = begun(&level(foe), phased, 3);
        let there = cell_of(&session, TROLL);
        let draft = click(&mut session, &point(MARA, there));
        assert!(draft.label.starts_with("Throw"), "{}", draft.label);
        let seen = expected(&session, Some(&draft));
        let mut acts = seen.acts.iter().filter(|act| act.who == MARA);
        let throw = acts.next().expect("she does it");
        assert!(throw.what.starts_with("Throw"), "{foe}: {throw:?}");
        assert_eq!(
            (throw.at, &throw.path[..]),
            (Some(TROLL), &[cell_of(&session, MARA)][..])
        );
    }
}

/// A bow is shot, under every system, and not thrown.
#[test]
fn a_bow_is_shot() {
    for id in DECLARED {
        let mut session = begun(&level("ogre"), find(id).expect("a ruleset"), 3);
        // Under Speed one after the other is asked.
        let mut asked = session.question().into_iter().flat_map(|q| &q.actors);
        if !asked.any(|who| *who == TOBIN) {
            continue;
        }
        let there = cell_of(&session, TROLL);
        let draft = click(&mut session, &point(TOBIN, there));
        assert!(!draft.label.contains("hrow"), "{id}: {}", draft.label);
    }
}

/// A flame burst meant for a cell; none if she is not asked for it.
fn burst(session: &mut Session, there: Cell) -> Option<Draft> {
    let preview = ActionPreview::of(session, &point(YSOLDE, there));
    let names = session.game.names();
    let named = |o: &&Offer| {
        let spell = o.choice.spell.map(|spell| names.spell(spell));
        spell == Some("flame burst")
    };
    let mut acts = preview.acts.iter();
    let (key, choice) = acts.find_map(|act| {
        let offer = act.offers.iter().find(named)?;
        Some((act.key, offer.choice.clone()))
    })?;
    let selection = Selection {
        armed: Some(key),
        trail: vec![Settled::all_of(&choice)],
        ..point(YSOLDE, there)
    };
    Some(click(session, &selection))
}

/// A spell that covers an area is aimed at the place of the one that it is for, and
/// that is all that was meant.
#[test]
fn an_area_is_meant_for_whom_it_covers() {
    let mut tried = vec![];
    for id in ["Segments", "Phased", "Speed"] {
        let mut session = begun(&level("goblin"), find(id).expect("a ruleset"), 3);
        let here = cell_of(&session, TROLL);
        let Some(draft) = burst(&mut session, here) else {
            continue;
        };
        tried.push(id);
        let seen = expected(&session, Some(&draft));
        assert!(seen.failures.is_empty(), "{id}: {:?}", seen.failures);
        let act = seen.acts.iter().rfind(|act| act.who == YSOLDE);
        let act = act.expect("she casts");
        assert!(
            act.area.contains(&here) && act.misses.is_none(),
            "{id}: {act:?}"
        );
    }
    assert!(tried.contains(&"Phased"), "{tried:?}");
}

/// Beside a foe with a sword in hand she strikes: nothing is thrown among the
/// missiles that come before (PH-04).
#[test]
fn beside_a_foe_a_blow_is_drawn_not_a_throw() {
    let text = NOBODY.replace("FOE", "ogre").replace("(2, 1)", "(5, 1)");
    let phased = find("Phased").expect("a ruleset");
    let mut session = begun(&kit::level(&text), phased, 3);
    let there = cell_of(&session, TROLL);
    let draft = click(&mut session, &point(MARA, there));
    assert!(draft.label.starts_with("Strike"), "{}", draft.label);
    let seen = expected(&session, Some(&draft));
    let blow = seen.acts.iter().find(|act| act.who == MARA);
    assert!(
        blow.is_some_and(|act| act.what.starts_with("Strike")),
        "{blow:?}"
    );
}

/// What is declared with its target is done without a question. It is foreseen all the
/// same, as it is pointed at and once it is declared (PH-42).
#[test]
fn a_charge_is_foreseen() {
    let phased = find("Phased").expect("a ruleset");
    let mut session = begun(&level("goblin"), phased, 3);
    let start = cell_of(&session, MARA);
    let offers = session.offers_of(MARA);
    let is_charge = |o: &&Offer| {
        o.is_legal() && o.choice.at == Some(TROLL) && o.choice.verb.name == "declare charge"
    };
    let charge = offers.iter().find(is_charge).expect("the way is clear");
    let draft = Draft::settled(&session, &charge.choice);
    let drawn = |session: &Session, draft: Option<&Draft>| {
        let seen = expected(session, draft);
        let act = seen.acts.into_iter().find(|act| act.who == MARA);
        let act = act.expect("she charges");
        assert_eq!((act.at, &*act.when.label), (Some(TROLL), "Fast"), "{act:?}");
        assert!(act.path.len() > 1 && act.path[0] == start, "{act:?}");
        act.path
    };
    let pointed = drawn(&session, Some(&draft));
    let came = |seed| came_off(&session, &draft, seed).is_ok();
    assert!((1..=20).any(came));
    session.give(&draft.orders).expect("it may be declared");
    session.catch_up();
    assert_eq!(drawn(&session, None), pointed);
    // Once declared it is tried as before.
    let came = in_round(&session, None, 1);
    assert!(came.came.contains_key(&MARA), "{came:?}");
    // With the last declaration the round begins, and she charges at once: so that is
    // counted as well.
    for who in [TOBIN, BRANDT] {
        settle(&mut session, who);
    }
    let offers = session.offers_of(YSOLDE);
    let nothing = offers
        .iter()
        .find(|o| o.choice.verb.name == "declare nothing");
    let last = Draft::settled(&session, &nothing.expect("it is on offer").choice);
    let mut tries = (1..=20).map(|seed| in_round(&session, Some(&last), seed));
    assert!(tries.any(|round| round.came.get(&MARA) == Some(&Ok(()))));
}

/// Who would stand in the area of a comrade's spell is told of, from both ends.
#[test]
fn a_comrade_in_the_area_of_a_spell_is_in_peril() {
    let phased = find("Phased").expect("a ruleset");
    for spell_first in [false, true] {
        let mut session = begun(&level("goblin"), phased, 3);
        let there = cell_of(&session, TROLL);
        let go = point(MARA, Cell::new(there.x - 1, there.y));
        let (first, then, told) = match spell_first {
            false => {
                let go = click(&mut session, &go);
                plan(&mut session, &go);
                let spell = burst(&mut session, there);
                (go, spell, "Mara would be in the area")
            }
            true => {
                let spell = burst(&mut session, there).expect("she may cast");
                plan(&mut session, &spell);
                let go = click(&mut session, &go);
                (spell, Some(go), "Ends inside Ysolde's spell")
            }
        };
        let then = then.expect("it may be declared");
        assert_ne!(first.who(), then.who());
        let seen = expected(&session, Some(&then));
        let lines =
            risks(&session, &seen, &then.intent, then.is_aimed).lines(&session, None, then.who());
        assert!(lines.iter().any(|line| line == told), "{lines:?}");
    }
}

/// A spell does not follow its target to where it would harm a comrade: the player is
/// asked.
#[test]
fn a_spell_does_not_follow_its_target_among_comrades() {
    let phased = find("Phased").expect("a ruleset");
    let text = NOBODY.replace("FOE", "goblin").replace("(2, 1)", "(5, 1)");
    let mut session = begun(&kit::level(&text), phased, 3);
    let there = cell_of(&session, TROLL);
    let spell = burst(&mut session, there).expect("she may cast");
    let seen = expected(&session, Some(&spell));
    let lines = risks(&session, &seen, &spell.intent, spell.is_aimed).lines(&session, None, YSOLDE);
    assert!(
        lines.contains(&"Mara would be in the area".into()),
        "{lines:?}"
    );
    plan(&mut session, &spell);
    for who in [MARA, TOBIN, BRANDT] {
        settle(&mut session, who);
    }
    let failed = (0..40).find_map(|_| on(&mut session));
    assert_eq!(failed, Some(YSOLDE));
    let told = session.intents().all_failures();
    assert_eq!(told[0].reason, Reason::Caught { who: MARA });
}

/// A spell takes effect in its own part of the round, and not when it is aimed; so it is
/// drawn, on the track as on the board as it would be (PH-26).
#[test]
fn a_spell_is_foreseen_when_it_takes_effect() {
    let phased = find("Phased").expect("a ruleset");
    let mut session = begun(&level("goblin"), phased, 3);
    let there = cell_of(&session, TROLL);
    let whole = session.shown().person(TROLL).hp;
    let spell = burst(&mut session, there).expect("she may cast");
    let seen = expected(&session, Some(&spell));
    let act = seen.acts.iter().find(|act| act.who == YSOLDE);
    assert_eq!(
        act.map(|act| &*act.when.label),
        Some("Spells"),
        "{:?}",
        seen.acts
    );
    let hp: Vec<(&str, i32)> = seen
        .frames
        .iter()
        .map(|frame| (&*frame.when.label, frame.people[TROLL.index()].hp))
        .collect();
    let hit = hp.iter().position(|&(_, hp)| hp < whole).expect("it burns");
    assert_eq!(hp[hit].0, "Spells", "{hp:?}");
}
