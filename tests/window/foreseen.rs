//! What the preview of a round shows of declarations, throws, charges and spells.

use super::kit::rounds::{
    DECLARED, begun, came_off, cell_of, click, expected, in_round, on, plan, point,
};
use fivefoot::{
    battle::{Choice, Id, Offer},
    control::orders::Reason,
    grid::Cell,
    levels::Level,
    rulesets::{find, speed::declared::FULL_DEFENSE},
    ui::{
        Selection, Session,
        preview::{
            ActionPreview, Offers, OrderDraft,
            risks::{ends_truce, risks},
            suggested,
        },
        selection::PartialChoice,
    },
};
use fivefoot_kit::{
    self as kit,
    plans::{CASTER, NOBODY},
};
use std::{collections::BTreeSet, sync::Arc};

const MARA: Id = Id(0);
const TOBIN: Id = Id(1);
const BRANDT: Id = Id(2);
const YSOLDE: Id = Id(3);
const TROLL: Id = Id(4);

fn level(enemy: &str) -> Arc<Level> {
    kit::level(&NOBODY.replace("FOE", enemy))
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
    assert!(!again.intent.plan.is_aimed && again.intent.label == "Full defense");
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
/// also if allies act before it in a tie and do nothing (PH-02, PH-04). A unit with a sword beside
/// an enemy attacks in melee and throws nothing in the missiles phase before it (PH-04).
#[test]
fn a_planned_throw_is_drawn_as_a_throw() {
    let phased = find("Phased").expect("a ruleset");
    for (enemy, at, how) in [
        ("ogre", "(2, 1)", "Throw"),
        ("goblin", "(2, 1)", "Throw"),
        ("ogre", "(5, 1)", "Strike"),
    ] {
        let text = NOBODY.replace("FOE", enemy).replace("(2, 1)", at);
        let mut session = begun(&kit::level(&text), phased, 3);
        let there = cell_of(&session, TROLL);
        let draft = click(&mut session, &point(MARA, there));
        let label = &draft.intent.label;
        assert!(label.starts_with(how), "{enemy} {at}: {label}");
        let seen = expected(&session, Some(&draft));
        let mut acts = seen.acts.iter().filter(|act| act.who == MARA);
        let attack = acts.next().expect("she does it");
        assert!(attack.what.starts_with(how), "{enemy} {at}: {attack:?}");
        assert_eq!(attack.at, Some(TROLL), "{enemy} {at}");
        if how == "Throw" {
            assert_eq!(attack.path, [cell_of(&session, MARA)], "{enemy} {at}");
        }
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

/// A spell that is declared for a unit shows what it does to that unit.
#[test]
fn a_declared_spell_shows_its_effect_on_its_target() {
    let mut tried = vec![];
    for id in DECLARED {
        let mut session = begun(&level("goblin"), find(id).expect("a ruleset"), 3);
        let here = cell_of(&session, TROLL);
        let Some(draft) = burst(&mut session, here) else {
            continue;
        };
        tried.push(id);
        let odds = draft.odds(&session);
        assert!(odds.iter().any(|o| o.who == Some(TROLL)), "{id}: {odds:?}");
        for nth in 1..odds.len() {
            assert!(!odds[..nth].contains(&odds[nth]), "{id}: {odds:?}");
        }
    }
    assert!(tried.contains(&"Phased"), "{tried:?}");
}

/// An attack on an enemy that an ally asks for a parley warns that it ends the parley, and a unit
/// beside that enemy is no reason to suggest one.
#[test]
fn an_attack_warns_that_it_ends_a_parley() {
    let near = CASTER.replace("at: (6, 4)", "at: (2, 4)");
    let mut session = begun(&kit::level(&near), find("Phased").expect("a ruleset"), 3);
    let (ysolde, goblin) = (Id(1), Id(2));
    let there = cell_of(&session, goblin);
    let draft = click(&mut session, &point(MARA, there));
    assert_eq!(ends_truce(&session, &draft.intent), None);
    let suggestion = suggested(&mut session, ysolde).expect("an order");
    let parley = |choice: &Choice| choice.verb.name == "declare parley";
    assert!(!suggestion.orders().iter().any(parley));
    let offers = session.offers_of(ysolde);
    let offer = offers.iter().find(|o| o.is_legal() && parley(&o.choice));
    let declared = offer.expect("she may call for one").choice.clone();
    session.give(&[declared]).expect("it may be declared");
    session.catch_up();
    let warning = ends_truce(&session, &draft.intent).expect("a warning");
    assert!(warning.contains("Ysolde's parley"), "{warning}");
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
        let risks = risks(&session, &seen, &then.intent, std::iter::empty());
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
    let risks = risks(&session, &seen, &spell.intent, std::iter::empty());
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
