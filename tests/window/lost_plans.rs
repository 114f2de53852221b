//! No plan is lost silently: it starts, or the log says why it failed.

use super::kit::{
    rounds::{DECLARED, begun_against, cell_of, click, expected, on, plan, point},
    shell::against,
};
use fivefoot::{
    battle::{Event, EventKind, Id, Offer},
    control::{
        Player,
        orders::{self, Plan, Reason},
    },
    grid::Cell,
    rulesets::find,
    ui::{
        Session,
        preview::{ActionPreview, Click, OrderDraft, intended},
        session::{Failure, Intent},
    },
};
use fivefoot_kit::{self as kit, plans::BRIDGE};

fn begun(rules: &str, seed: u64) -> Session {
    let rules = find(rules).expect("a ruleset of the game");
    against(Player::Quick, &kit::level(BRIDGE), rules, seed)
}

/// The draft that a click on an enemy makes for the first unit of the decision.
fn draft(session: &mut Session, n: usize) -> Option<OrderDraft> {
    let asked = session.question()?.actors.first().copied()?;
    let enemies = session.shown().units.iter();
    let foes = enemies.filter(|p| p.side != session.player() && p.is_up());
    let foes: Vec<Id> = foes.map(|p| p.id).collect();
    let at = foes.get(n % foes.len().max(1))?;
    let here = cell_of(session, *at);
    match ActionPreview::of(session, &point(asked, here)).click {
        Click::Plan(draft) => Some(*draft),
        _ => None,
    }
}

fn is_begun(event: &Event, by: Id, at: Id) -> bool {
    match &event.what {
        EventKind::Acted { choice } => choice.who == Some(by) && choice.at == Some(at),
        EventKind::AttackRolled { rolled_attack } => {
            rolled_attack.attack.by == by && rolled_attack.attack.at == at
        }
        _ => false,
    }
}

#[test]
fn a_plan_starts_or_the_log_says_why_not() {
    let mut told = 0;
    for rules in DECLARED {
        let mut begun_at_all = 0;
        for seed in 1..=12 {
            let mut session = begun(rules, seed);
            let mut planned = vec![];
            let mut failed = vec![];
            for n in 0.. {
                session.catch_up();
                let round = session.shown().clock.round;
                if session.game.is_over() || round > 2 {
                    break;
                }
                let is_first = session.is_declaring() && round < 2;
                let drawn = is_first.then(|| draft(&mut session, n)).flatten();
                if let Some(draft) = drawn {
                    plan(&mut session, &draft);
                    let (who, at) = (draft.who(), draft.intent.at().expect("a foe"));
                    planned.push((who, at));
                    continue;
                }
                on(&mut session);
                failed.extend_from_slice(session.intents().all_failures());
            }
            // A unit that plans an attack does not withdraw in order to come nearer (SE-52).
            let gives_ground = |e: &Event| match &e.what {
                EventKind::Acted { choice } => choice.verb.name == "withdraw",
                _ => false,
            };
            let mine = |e: &&Event| e.concerns().units & 0b111 != 0;
            let withdrew = session
                .known_events()
                .filter(mine)
                .find(|e| gives_ground(e));
            assert!(withdrew.is_none(), "{rules}, seed {seed}: {withdrew:?}");
            for (who, at) in planned {
                let is_told = failed.iter().any(|f| f.who == who);
                let went = session.known_events().any(|e| is_begun(e, who, at));
                let is_down = !session.shown().unit(who).is_up();
                begun_at_all += usize::from(went);
                told += usize::from(is_told);
                assert!(
                    went || is_told || is_down || session.game.is_over(),
                    "{rules}, seed {seed}: the plan of {who:?} at {at:?} is lost"
                );
            }
        }
        assert!(begun_at_all > 0, "{rules}");
    }
    assert!(told > 0, "something came in between");
}

/// A plan that fails is reported once, also if its unit does something else in the next round.
#[test]
fn a_failed_plan_is_reported_once() {
    let mut count = 0;
    for seed in 1..=12 {
        let mut session = begun("Segments", seed);
        let mut known: Vec<Failure> = vec![];
        let mut reported = vec![];
        for n in 0.. {
            session.catch_up();
            for failed in session.intents().all_failures() {
                let is_known =
                    |old: &Failure| (old.who, &old.reason) == (failed.who, &failed.reason);
                if !known.iter().any(is_known) {
                    let plan = (failed.who, failed.round);
                    assert!(!reported.contains(&plan), "seed {seed}: {failed:?} again");
                    reported.push(plan);
                }
            }
            known = session.intents().all_failures().to_vec();
            if session.game.is_over() || session.shown().clock.round > 5 {
                break;
            }
            let declares = session.is_declaring();
            match declares.then(|| draft(&mut session, n)).flatten() {
                Some(draft) => plan(&mut session, &draft),
                None => drop(on(&mut session)),
            }
        }
        count += reported.len();
    }
    assert!(count > 0, "some plans fail");
}

/// A unit that has declared a melee attack with a spear does not wait to throw the spear.
#[test]
fn a_spear_declared_for_melee_is_not_thrown() {
    let mut session = begun("Speed", 1);
    let brandt = Id(2);
    while !session.is_declaring() || session.question().unwrap().actors[0] != brandt {
        let asked = session.question().map(|q| q.actors[0]);
        match asked.filter(|_| session.is_declaring()) {
            Some(who) => {
                let pass = session.pass_choice(who).expect("a way to do nothing");
                session.give(&[pass]).expect("it is on offer");
                session.catch_up();
            }
            None => drop(on(&mut session)),
        }
    }
    let goblin = Id(3);
    let there = cell_of(&session, goblin);
    let Click::Plan(draft) = ActionPreview::of(&mut session, &point(brandt, there)).click else {
        panic!("it can be planned");
    };
    assert_eq!(draft.orders()[0].verb.name, "throw");
    let is_in_reach = |session: &Session, plan: &Plan| {
        let rules = session.game.rules();
        session
            .queries
            .ask(|world| orders::is_in_reach(rules, world, plan))
    };
    assert!(is_in_reach(&session, &draft.intent.plan));
    let spear = draft.orders()[0].with;
    let offers = session.offers_of(brandt);
    let is_strike = |o: &&Offer| o.choice.verb.name == "attack" && o.choice.with == spear;
    let strike = offers.iter().find(is_strike).expect("it may be declared");
    let mut intent = draft.intent;
    intent.plan.declared = vec![strike.choice.clone()];
    assert!(!is_in_reach(&session, &intent.plan));
}

/// A unit that plans to walk away from an adjacent goblin, and an enemy that can reach her.
const PARTING: &str = r##"(
    title: "Parting",
    map: [
        "............",
        "............",
        "............",
        "............",
        "............",
    ],
    sides: [(id: "party"), (id: "foes", control: Ai)],
    combatants: [
        (kind: "mara", side: "party", at: (FROM, 2)),
        (kind: "goblin", side: "foes", at: (9, 2)),
        (kind: "goblin", side: "foes", at: (11, 1)),
    ],
)"##;

const MARA: Id = Id(0);
const GOBLIN: Id = Id(1);

fn parting(from: &str, seed: u64) -> Session {
    let level = kit::level(&PARTING.replace("FROM", from));
    let rules = find("Segments").expect("a ruleset of the game");
    begun_against(Player::Quick, &level, rules, seed)
}

/// The preview of a move out of a melee shows the attacks that it provokes, with their
/// chances (SE-52). A move that leaves no enemy shows none.
#[test]
fn a_planned_move_shows_the_attacks_it_provokes() {
    for (from, is_met) in [("8", true), ("4", false)] {
        let mut session = parting(from, 3);
        let draft = click(&mut session, &point(MARA, Cell::new(2, 2)));
        let timeline = expected(&session, Some(&draft));
        let mut own = timeline.acts.iter().filter(|act| act.who == MARA);
        let provoked = &own.next().expect("she goes").provoked;
        assert_eq!(
            provoked.iter().any(|provoked| provoked.by == GOBLIN),
            is_met,
            "{provoked:?}"
        );
        assert!(
            provoked.iter().all(|provoked| provoked.percent > 0),
            "{provoked:?}"
        );
    }
}

/// If an enemy that the preview did not show would attack the moving unit, the game asks
/// first. If the preview showed that attack, the unit moves.
#[test]
fn a_move_that_provokes_more_than_previewed_asks_first() {
    for is_shown in [true, false] {
        let mut session = parting("8", 3);
        let draft = click(&mut session, &point(MARA, Cell::new(2, 2)));
        let shown = intended(&session, &draft).expect("it is for a place");
        assert_eq!(shown.possible_attackers, Some(GOBLIN.bit()));
        session.give(draft.orders()).expect("it is on offer");
        session.intend(Intent {
            possible_attackers: shown.possible_attackers.filter(|_| is_shown).or(Some(0)),
            ..shown
        });
        session.catch_up();
        let round = session.shown().clock.round;
        let mut failed = None;
        while session.shown().clock.round == round && failed.is_none() {
            failed = on(&mut session);
        }
        assert_eq!(failed.is_none(), is_shown);
        assert_eq!(cell_of(&session, MARA) == Cell::new(8, 2), !is_shown);
        let whys = session.intents().all_failures();
        let is_told = whys
            .iter()
            .any(|it| matches!(it.reason, Reason::Risk { by: GOBLIN, .. }));
        assert_eq!(is_told, !is_shown, "{whys:?}");
    }
}

/// A plan that failed counts as failed until its unit does something else, and again once that is
/// undone.
#[test]
fn an_undone_order_replaces_no_failed_plan() {
    let mut session = parting("8", 3);
    let draft = click(&mut session, &point(MARA, Cell::new(2, 2)));
    let shown = intended(&session, &draft).expect("it is for a place");
    session.give(draft.orders()).expect("it is on offer");
    session.intend(Intent {
        possible_attackers: Some(0),
        ..shown
    });
    session.catch_up();
    while on(&mut session) != Some(MARA) {
        assert!(!session.game.is_over(), "her plan fails");
    }
    let round = session.round();
    let open = |session: &Session| session.intents().failures(round).count();
    assert_eq!(open(&session), 1);
    let pass = session.pass_choice(MARA).expect("a way to do nothing");
    session.give(&[pass]).expect("it is on offer");
    assert_eq!(open(&session), 0);
    assert_eq!(session.undo(), Some(MARA));
    assert_eq!(open(&session), 1);
}
