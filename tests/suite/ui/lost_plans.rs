//! No plan is lost in silence: it is begun, or it is told why it came to nothing.

use super::{
    foreseen::{cell_of, on, plan, point},
    plans::DECLARED,
};
use crate::kit;
use fivefoot::{
    battle::{Event, EventKind, Id},
    control::{Player, recording::Seat},
    rulesets::find,
    ui::{
        Session,
        preview::{ActionPreview, Click, Draft},
    },
};

/// A bridge that three come over while three others plan to meet them: who steps
/// aside, falls or stands in the way spoils somebody's plan.
const BRIDGE: &str = r##"(
    title: "A bridge",
    map: [
        "..........",
        ".##....##.",
        "..........",
        ".##....##.",
        "..........",
    ],
    sides: [(id: "party"), (id: "foes", control: Ai)],
    combatants: [
        (kind: "mara", side: "party", at: (1, 2)),
        (kind: "tobin", side: "party", at: (0, 2)),
        (kind: "brandt", side: "party", at: (2, 2)),
        (kind: "goblin", side: "foes", at: (7, 2)),
        (kind: "goblin", side: "foes", at: (8, 2)),
        (kind: "goblin", side: "foes", at: (9, 0)),
    ],
)"##;

fn begun(rules: &str, seed: u64) -> Session {
    let rules = find(rules).expect("a ruleset of the game");
    let seats = vec![Seat::Human, Seat::Ai(Player::Quick)];
    Session::seated(&kit::level(BRIDGE), rules, seed, seats)
}

/// What a click on a foe would declare for the first who is asked.
fn draft(session: &mut Session, n: usize) -> Option<Draft> {
    let asked = session.question()?.actors.first().copied()?;
    let foes = session.shown().people.iter();
    let foes = foes.filter(|p| p.side != session.player() && p.is_up());
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
        EventKind::AttackRolled { shot } => shot.attack.by == by && shot.attack.at == at,
        _ => false,
    }
}

#[test]
fn a_plan_is_begun_or_it_is_told_why_not() {
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
                if session.is_declaring() && round < 2 {
                    if let Some(draft) = draft(&mut session, n) {
                        plan(&mut session, &draft);
                        let (who, at) = (draft.who(), draft.intent.at.expect("a foe"));
                        planned.push((who, at));
                        continue;
                    }
                }
                on(&mut session);
                failed.extend_from_slice(session.intents().all_failures());
            }
            for (who, at) in planned {
                let is_told = failed.iter().any(|f| f.who == who);
                let went = session.told().any(|e| is_begun(e, who, at));
                let is_down = !session.shown().person(who).is_up();
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
