//! The preview of a round is what happens, as long as no enemy interferes.

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
        preview::{ActionPreview, Offers, OrderDraft, risks::risks, timeline::RoundTimeline},
        selection::PartialChoice,
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
/// Number of units that the player's side knows of: all but the one behind walls.
const KNOWN: usize = 5;

fn level(enemy: &str) -> Arc<Level> {
    kit::level(&NOBODY.replace("FOE", enemy))
}

/// The first spell that Ysolde can aim at a unit.
fn spell(session: &mut Session, at: Id) -> Option<OrderDraft> {
    spell_of(session, YSOLDE, at)
}

/// Gives what is still missing from a unit's declaration: numbers as suggested, and the
/// confirmation.
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
            _ => session.pass_choice(who).expect("a last word"),
        };
        session.give(&[choice]).expect("it is on offer");
        session.catch_up();
    }
}

/// What a unit is meant to do.
#[derive(Clone, Copy)]
enum Aim {
    /// A click on an enemy or a cell.
    At(Cell),
    Spell,
}

/// Pairs of actions of which one depends on the other.
fn aims(session: &Session, kind: u64) -> [(Id, Aim); 2] {
    let enemy = Aim::At(cell_of(session, TROLL));
    match kind % 4 {
        // A melee attack after a shot.
        0 => [(TOBIN, enemy), (MARA, enemy)],
        // A shot past an ally who moves in between.
        1 => [(MARA, Aim::At(Cell::new(4, 1))), (TOBIN, enemy)],
        // Two units at one enemy, each in its own cell.
        2 => [(MARA, enemy), (BRANDT, enemy)],
        // A spell behind an ally who guards the caster.
        _ => [(BRANDT, Aim::At(Cell::new(3, 3))), (YSOLDE, Aim::Spell)],
    }
}

/// Declares the aim of each unit and nothing for the others. The preview for the last
/// declared aim.
fn declare(session: &mut Session, aims: &[(Id, Aim)]) -> Option<RoundTimeline> {
    let (mut done, mut seen) = (vec![], None);
    while session.is_declaring() {
        let asked = session.question().cloned().expect("a unit declares");
        let mut open = aims.iter().filter(|a| !done.contains(&a.0));
        let Some(&(who, aim)) = open.find(|a| asked.actors.contains(&a.0)) else {
            let mut idle = || {
                asked
                    .actors
                    .iter()
                    .find_map(|&who| session.pass_choice(who))
            };
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

/// The cell of each unit, and pairs of acting unit and target.
type Outcome = (Vec<Option<Cell>>, BTreeSet<(Id, Id)>);

fn shown(timeline: &RoundTimeline) -> Outcome {
    let last = timeline.frames.last().expect("the round has an end");
    let known = last.units.iter().take(KNOWN);
    let cells = known.map(|p| p.is_up().then_some(p.at));
    let actions = timeline.acts.iter().filter_map(|d| Some((d.who, d.at?)));
    (cells.collect(), actions.collect())
}

fn came(session: &Session, from: usize) -> Outcome {
    let known = session.shown().units.iter().take(KNOWN);
    let cells = known.map(|p| (p.state == State::Up).then_some(p.at));
    let own = |who: Id| session.shown().unit(who).side == session.player();
    let actions = session
        .known_events_since(from)
        .filter_map(|e| match &e.what {
            EventKind::Acted { choice } => choice.who.zip(choice.at),
            EventKind::AttackRolled { rolled_attack } => {
                Some((rolled_attack.attack.by, rolled_attack.attack.at))
            }
            _ => None,
        });
    let actions = actions.filter(|d| own(d.0) && !own(d.1));
    (cells.collect(), actions.collect())
}

/// Plays a round in which no enemy interferes and no unit falls. `None` if it went as
/// previewed, else the difference.
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
            // Units without a plan do nothing.
            let asked = session.question().cloned().expect("a unit declares");
            let idle = asked
                .actors
                .iter()
                .find_map(|&who| session.pass_choice(who));
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
    let seen = seen.expect("the round is previewed");
    // A spell that is cast as previewed can still fail by its dice.
    let acted = came(&session, from).1;
    let is_cast = |who: Id| {
        let mut plans = session.intents().in_round(round);
        plans.any(|i| i.who() == who && i.plan.is_spell())
            && acted.iter().any(|action| action.0 == who)
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

/// Rounds under each of the four rulesets with declarations go as the board previews them.
#[test]
fn plans_go_as_previewed() {
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

/// *Repeat* also works for a declaration from the action bar, and leaves the same choices
/// open.
#[test]
fn a_declaration_by_button_can_be_repeated() {
    let speed = find("Speed").expect("a ruleset");
    let mut session = begun(&level("ogre"), speed, 3);
    // An earlier round's plan does not count.
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
    let again = Offers::Again.draft(&mut session, MARA).expect("a repeat");
    assert_eq!(again.orders(), [Choice::new(&FULL_DEFENSE, MARA)]);
    assert!(!again.is_aimed && again.intent.label == "Full defense");
    // An undone declaration does not count.
    session
        .give(&[Choice::new(&FULL_DEFENSE, MARA)])
        .expect("it is on offer");
    session.undo();
    session.catch_up();
    let round = session.shown().clock.round;
    let said = session.intents().unplanned_before(MARA, round + 1);
    assert_eq!(
        said,
        Some(again.orders().to_vec()),
        "that of the round before"
    );
}

/// The forecast of a plan's attack equals the real attack, including its share of the
/// round, the part kept for parrying, and the way there (AC-02, AC-13, AC-23).
#[test]
fn a_plans_forecast_equals_its_attack() {
    let mut tried = BTreeSet::new();
    for rules in DECLARED {
        for presses in [None, Some(0), Some(1), Some(3)] {
            let mut session = begun(&level("ogre"), find(rules).expect("a ruleset"), 3);
            let draft = match presses {
                None => {
                    let there = cell_of(&session, TROLL);
                    click(&mut session, &point(MARA, there))
                }
                Some(n) if n < session.queries.ruleset_ui.presets.len() => {
                    match Offers::Preset(n).draft(&mut session, MARA) {
                        Ok(draft) if draft.intent.at() == Some(TROLL) => draft,
                        _ => continue,
                    }
                }
                Some(_) => continue,
            };
            let told = draft.attack.clone().expect("it is for an attack");
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
                        came = session.queries.attack(&offer.choice).and_then(Result::ok);
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

/// A planned throw is drawn as a throw, also at a target that the unit could walk to, and
/// also if allies act before it in a tie and do nothing (PH-02, PH-04).
#[test]
fn a_planned_throw_is_drawn_as_a_throw() {
    let phased = find("Phased").expect("a ruleset");
    for enemy in ["ogre", "goblin"] {
        let mut session = begun(&level(enemy), phased, 3);
        let there = cell_of(&session, TROLL);
        let draft = click(&mut session, &point(MARA, there));
        assert!(
            draft.intent.label.starts_with("Throw"),
            "{}",
            draft.intent.label
        );
        let seen = expected(&session, Some(&draft));
        let mut acts = seen.acts.iter().filter(|act| act.who == MARA);
        let throw = acts.next().expect("she does it");
        assert!(throw.what.starts_with("Throw"), "{enemy}: {throw:?}");
        assert_eq!(
            (throw.at, &throw.path[..]),
            (Some(TROLL), &[cell_of(&session, MARA)][..])
        );
    }
}

/// A bow is shot and not thrown, under every ruleset.
#[test]
fn a_bow_is_shot_and_never_thrown() {
    for id in DECLARED {
        let mut session = begun(&level("ogre"), find(id).expect("a ruleset"), 3);
        // Under Speed, the units declare one after the other.
        let mut asked = session.question().into_iter().flat_map(|q| &q.actors);
        if !asked.any(|who| *who == TOBIN) {
            continue;
        }
        let there = cell_of(&session, TROLL);
        let draft = click(&mut session, &point(TOBIN, there));
        assert!(
            !draft.intent.label.contains("hrow"),
            "{id}: {}",
            draft.intent.label
        );
    }
}

/// Ysolde's flame burst at a cell. `None` if she cannot declare it now.
fn burst(session: &mut Session, there: Cell) -> Option<OrderDraft> {
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
        partial_choices: vec![PartialChoice::all_of(&choice)],
        ..point(YSOLDE, there)
    };
    Some(click(session, &selection))
}

/// An area spell that was planned for a unit is aimed at that unit's cell.
#[test]
fn an_area_spell_is_aimed_at_its_targets_cell() {
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

/// A unit with a sword beside an enemy attacks in melee and throws nothing in the missiles
/// phase before it (PH-04).
#[test]
fn beside_an_enemy_a_melee_attack_is_drawn_not_a_throw() {
    let text = NOBODY.replace("FOE", "ogre").replace("(2, 1)", "(5, 1)");
    let phased = find("Phased").expect("a ruleset");
    let mut session = begun(&kit::level(&text), phased, 3);
    let there = cell_of(&session, TROLL);
    let draft = click(&mut session, &point(MARA, there));
    assert!(
        draft.intent.label.starts_with("Strike"),
        "{}",
        draft.intent.label
    );
    let seen = expected(&session, Some(&draft));
    let attack = seen.acts.iter().find(|act| act.who == MARA);
    assert!(
        attack.is_some_and(|act| act.what.starts_with("Strike")),
        "{attack:?}"
    );
}

/// A charge is declared with its target and needs no further decision. It is still
/// previewed, under the cursor and once it is declared (PH-42).
#[test]
fn a_charge_is_previewed() {
    let phased = find("Phased").expect("a ruleset");
    let mut session = begun(&level("goblin"), phased, 3);
    let start = cell_of(&session, MARA);
    let offers = session.offers_of(MARA);
    let is_charge = |o: &&Offer| {
        o.is_legal() && o.choice.at == Some(TROLL) && o.choice.verb.name == "declare charge"
    };
    let charge = offers.iter().find(is_charge).expect("the way is clear");
    let draft = OrderDraft::of_choice(&session, &charge.choice);
    let drawn = |session: &Session, draft: Option<&OrderDraft>| {
        let seen = expected(session, draft);
        let act = seen.acts.into_iter().find(|act| act.who == MARA);
        let act = act.expect("she charges");
        assert_eq!((act.at, &*act.when.label), (Some(TROLL), "Fast"), "{act:?}");
        assert!(act.path.len() > 1 && act.path[0] == start, "{act:?}");
        assert!(act.is_charge, "{act:?}");
        act.path
    };
    let pointed = drawn(&session, Some(&draft));
    let came = |seed| came_off(&session, &draft, seed).is_ok();
    assert!((1..=20).any(came));
    session.give(draft.orders()).expect("it may be declared");
    session.catch_up();
    assert_eq!(drawn(&session, None), pointed);
    // A declared charge is simulated like the draft.
    let came = in_round(&session, None, 1);
    assert!(came.came.contains_key(&MARA), "{came:?}");
    // The round begins with the last declaration and she charges at once. The simulation
    // includes that too.
    for who in [TOBIN, BRANDT] {
        settle(&mut session, who);
    }
    let offers = session.offers_of(YSOLDE);
    let nothing = offers
        .iter()
        .find(|o| o.choice.verb.name == "declare nothing");
    let last = OrderDraft::of_choice(&session, &nothing.expect("it is on offer").choice);
    let mut tries = (1..=20).map(|seed| in_round(&session, Some(&last), seed));
    assert!(tries.any(|round| round.came.get(&MARA) == Some(&Ok(()))));
}

/// A unit that would stand in the area of an ally's spell is listed as a risk, whichever of
/// the two is declared first.
#[test]
fn an_ally_in_the_area_of_a_spell_is_a_risk() {
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
        let meant = (&then.intent, then.is_aimed);
        let risks = risks(&session, &seen, meant, std::iter::empty());
        let lines = risks.lines(&session, None, then.who());
        assert!(lines.iter().any(|line| line == told), "{lines:?}");
    }
}

/// If a spell's target moves to where the spell would harm an ally, the spell is not cast
/// there: the game asks the player.
#[test]
fn a_spell_does_not_follow_its_target_among_allies() {
    let phased = find("Phased").expect("a ruleset");
    let text = NOBODY.replace("FOE", "goblin").replace("(2, 1)", "(5, 1)");
    let mut session = begun(&kit::level(&text), phased, 3);
    let there = cell_of(&session, TROLL);
    let spell = burst(&mut session, there).expect("she may cast");
    let seen = expected(&session, Some(&spell));
    let meant = (&spell.intent, spell.is_aimed);
    let risks = risks(&session, &seen, meant, std::iter::empty());
    let lines = risks.lines(&session, None, YSOLDE);
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

/// A spell takes effect in its own phase, not when it is aimed. The track and the board's
/// preview show that (PH-26).
#[test]
fn a_spell_is_previewed_when_it_takes_effect() {
    let phased = find("Phased").expect("a ruleset");
    let mut session = begun(&level("goblin"), phased, 3);
    let there = cell_of(&session, TROLL);
    let whole = session.shown().unit(TROLL).hp;
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
        .map(|frame| (&*frame.when.label, frame.units[TROLL.index()].hp))
        .collect();
    let hit = hp.iter().position(|&(_, hp)| hp < whole).expect("it burns");
    assert_eq!(hp[hit].0, "Spells", "{hp:?}");
}
