//! Helpers for rounds: declare, plan, play.

use super::shell::against;
use super::{
    game::{Game, fresh_home},
    shell::{at, show},
};
use fivefoot::{
    battle::{Id, Offer, Ruleset},
    control::{
        Player,
        orders::Reason,
        simulation::{Action, AttackKind, Prediction, ROUNDS, Round, Simulation, Situation},
    },
    grid::Cell,
    levels::Level,
    rulesets::find,
    ui::{
        Screen, Selection, Session,
        preview::{
            ActionPreview, Click, OrderDraft, Picks,
            carry::{Went, go_on, next},
            intended,
            timeline::{BoardView, RoundTimeline, timeline},
        },
        selection::PartialChoice,
    },
};
use fivefoot_kit::field;
use std::{collections::BTreeMap, sync::Arc};

/// The rulesets in which units declare before the round.
pub const DECLARED: [&str; 4] = ["Segments", "Phased", "Speed", "Activity"];

pub type UnitEntries<'a> = [(&'a str, &'a str, (i16, i16), i32)];

/// Ann beside an enemy, Bea far from everyone, an enemy behind a wall.
pub const BESIDE: ([&str; 3], &UnitEntries) = (
    [".......#..", ".......#..", ".......#.."],
    &[
        ("ann", "party", (2, 1), 12),
        ("bea", "party", (0, 0), 12),
        ("gob", "goblins", (3, 1), 12),
        ("gab", "goblins", (9, 1), 12),
    ],
);

pub fn rules(id: &str) -> &'static Ruleset {
    find(id).expect("a ruleset of the game")
}

pub fn begun(level: &Arc<Level>, rules: &'static Ruleset, seed: u64) -> Session {
    begun_against(Player::Idle, level, rules, seed)
}

/// A session at its first declaration, against this AI.
pub fn begun_against(
    enemies: Player,
    level: &Arc<Level>,
    rules: &'static Ruleset,
    seed: u64,
) -> Session {
    let mut session = against(enemies, level, rules, seed);
    for _ in 0..400 {
        session.catch_up();
        if session.is_declaring() {
            return session;
        }
        on(&mut session);
    }
    panic!("{}: nobody declares", rules.id);
}

/// Takes one step: carries out a plan if one is due, else passes on the decision. The unit
/// whose plan failed, if one did.
pub fn on(session: &mut Session) -> Option<Id> {
    if session.awaits_ai() {
        session.think();
    } else if session.awaits_end_of_turn() {
        session.end_turn();
    } else if session.is_prompted() {
        let menu = ActionPreview::of(session, &Selection::default()).menu;
        let rows = menu.expect("an answer").rows;
        let row = rows.iter().find(|r| r.is_pass).or(rows.last());
        let Some(Picks::Give(choice)) = row.map(|r| r.picks.clone()) else {
            panic!("nothing to be answered: {rows:?}");
        };
        session.give(&[choice]).expect("it is on offer");
    } else {
        match go_on(session) {
            Went::On => {}
            Went::Failed(who) => return Some(who),
            Went::Asks => {
                // Decisions without a plan are passed on.
                let asked = session.question().cloned().expect("a unit is asked");
                let pass = asked
                    .actors
                    .iter()
                    .find_map(|&who| session.pass_choice(who));
                let pass = pass.or(asked.common.first().cloned());
                session
                    .give(&[pass.expect("a way to do nothing")])
                    .expect("it is on offer");
            }
        }
    }
    session.catch_up();
    None
}

/// Takes steps until a condition holds. False if the battle ends first, or after many steps.
pub fn on_until(session: &mut Session, is_there: impl Fn(&Session) -> bool) -> bool {
    for _ in 0..400 {
        if session.game.is_over() || is_there(session) {
            break;
        }
        on(session);
    }
    !session.game.is_over() && is_there(session)
}

/// Gives the first offer of a unit that is wanted; without one, takes a step.
pub fn give_or_on(session: &mut Session, who: Id, is_wanted: impl Fn(&Offer) -> bool) {
    let offers = session.offers_of(who);
    match offers.iter().find(|offer| is_wanted(offer)) {
        Some(offer) => {
            session
                .give(std::slice::from_ref(&offer.choice))
                .expect("it is on offer");
            session.catch_up();
        }
        None => drop(on(session)),
    }
}

pub fn click(session: &mut Session, selection: &Selection) -> OrderDraft {
    match ActionPreview::of(session, selection).click {
        Click::Plan(draft) => *draft,
        click => panic!("{}: {click:?}", session.game.rules().id),
    }
}

pub fn plan(session: &mut Session, draft: &OrderDraft) {
    let intent = intended(session, draft);
    session.give(draft.orders()).expect("it is on offer");
    session.intend(intent.unwrap_or_else(|| {
        let mut intent = draft.intent.clone();
        intent.plan.is_aimed = true;
        intent
    }));
    session.catch_up();
}

pub fn point(who: Id, cell: Cell) -> Selection {
    Selection {
        chosen: Some(who),
        cursor: Some(cell),
        ..Selection::default()
    }
}

/// A prediction that an enemy takes this action, in melee if it attacks; its place is likely.
pub fn prediction(action: Action, percent: u32, to: Option<Cell>) -> Prediction {
    Prediction {
        action,
        percent,
        hits: None,
        kind: AttackKind::Melee,
        is_charge: false,
        to,
        is_place_likely: to.is_some(),
        heading: None,
        is_later: false,
    }
}

pub fn cell_of(session: &Session, who: Id) -> Cell {
    session.shown().unit(who).at
}

/// Catches up, lets the AIs act and ends turns, until the player has to decide or the battle is
/// over.
pub fn to_decision(session: &mut Session) {
    loop {
        session.catch_up();
        if session.awaits_ai() {
            session.think();
        } else if session.awaits_end_of_turn() {
            session.end_turn();
        } else {
            return;
        }
    }
}

/// The draft of a unit's first spell at another unit, if there is one.
pub fn spell_of(session: &mut Session, who: Id, at: Id) -> Option<OrderDraft> {
    let here = cell_of(session, at);
    let preview = ActionPreview::of(session, &point(who, here));
    let acts = preview.acts.iter().flat_map(|act| {
        let spells = act.offers.iter().filter(|o| o.choice.spell.is_some());
        spells.map(|o| (act.key, o.choice.clone()))
    });
    for (key, choice) in acts.collect::<Vec<_>>() {
        let selection = Selection {
            armed: Some(key),
            partial_choices: vec![PartialChoice::all_of(&choice)],
            ..point(who, here)
        };
        if let Click::Plan(draft) = ActionPreview::of(session, &selection).click {
            return Some(*draft);
        }
    }
    None
}

fn situation(session: &Session, draft: Option<&OrderDraft>) -> Situation {
    let situation = session.situation(draft.map(|draft| &draft.intent.plan));
    situation.expect("the player is asked")
}

/// The rest of the round as the preview shows it.
pub fn expected(session: &Session, draft: Option<&OrderDraft>) -> RoundTimeline {
    let view = BoardView::of(session);
    timeline(&situation(session, draft), &view, &|| false).expect("it is not cancelled")
}

/// The simulation of the plans over many rounds.
pub fn simulated(session: &Session, draft: Option<&OrderDraft>) -> Simulation {
    let seed_and_rounds = (session.game.seed(), ROUNDS);
    let found = situation(session, draft).simulate(seed_and_rounds, &|| false);
    found.expect("it is not cancelled")
}

/// The predictions for all enemies.
pub fn predicted(session: &Session) -> BTreeMap<Id, Vec<Prediction>> {
    let found = situation(session, None).predict(session.game.seed(), &|| false);
    found.expect("it is not cancelled")
}

/// The simulated round of one seed.
pub fn in_round(session: &Session, draft: Option<&OrderDraft>, seed: u64) -> Round {
    let situation = situation(session, draft);
    let round = situation.round(&situation.plans(), seed, &|| false, &mut |_, _| ());
    round.expect("it is not cancelled")
}

/// Whether a draft succeeds in the simulated round of one seed.
pub fn came_off(session: &Session, draft: &OrderDraft, seed: u64) -> Result<(), Option<Reason>> {
    let mut came = in_round(session, Some(draft), seed).came;
    came.remove(&draft.who()).expect("it is for a unit")
}

pub fn declaring(id: &str, rows: &[&str], units: &UnitEntries, seed: u64) -> Game {
    declaring_at(Session::new(&field(rows, units), rules(id), seed))
}

pub fn declaring_at(session: Session) -> Game {
    let mut game = at(&fresh_home());
    show(&mut game, session);
    // A surprise round has no declarations.
    for _ in 0..20 {
        game.until_own_turn();
        if game.session().is_declaring() {
            return game;
        }
        game.app.world_mut().resource_mut::<Session>().end_turn();
        game.wait(2);
    }
    panic!("nobody declares");
}

/// Declines reactions until the player's side declares or the battle is over.
pub fn until_declaring(game: &mut Game) {
    for _ in 0..60 {
        game.until_own_turn();
        if game.screen() != Screen::Battle || game.session().is_declaring() {
            return;
        }
        let answered = game.session().game.answered();
        // Plans are carried out automatically once everything has been shown.
        let goes_on = (0..80).any(|_| {
            game.wait(1);
            game.session().game.answered() > answered
        });
        if goes_on || !game.session().is_players_turn() || game.session().is_declaring() {
            continue;
        }
        let mut session = game.app.world_mut().resource_mut::<Session>();
        let next = next(&mut session);
        panic!(
            "{}: asked in round {}: {:?}: {next:?}",
            session.game.rules().id,
            session.shown().clock.round,
            session.question(),
        );
    }
}
