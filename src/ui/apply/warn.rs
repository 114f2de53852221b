//! Warnings before an action that can't be undone and may be a mistake: it provokes an attack,
//! harms an ally or wastes an action.

use crate::{
    battle::{AttackForecast, Choice, Id, Offer, Provoked, loses_by_leaving},
    ui::{
        ActionPreview, Selection, Session,
        hud::plan_list::never_go_ahead,
        preview::{
            Click, PlanPreview,
            carry::{caught_line, in_area},
            no_effect,
            risks::sharing_cost,
        },
    },
    words::{list, possessive},
};

pub(super) fn against_click(
    session: &Session,
    selection: &Selection,
    click: &Click,
) -> Vec<String> {
    match click {
        Click::Move(way) => against_move(session, selection, &way.provoked),
        Click::Advance(advance) => against_move(session, selection, &advance.way.provoked),
        Click::Attack(attack) => {
            let mut lines = against(session, &attack.choice);
            lines.extend(never_hits(session, attack));
            lines
        }
        Click::Act { choice, .. } => against(session, choice),
        _ => vec![],
    }
}

/// Warnings about the attacks that a move provokes, except those accepted when it was declared.
fn against_move(session: &Session, selection: &Selection, provoked: &[Provoked]) -> Vec<String> {
    let round = session.round();
    let is_open = |attack: &&Provoked| {
        let accepted = |who: Id| selection.accepted.has(round, (who, attack.by));
        session.is_declaring() || !selection.chosen.is_some_and(accepted)
    };
    let open: Vec<Provoked> = provoked.iter().filter(is_open).copied().collect();
    session.shown().provoked_lines(&open)
}

/// Remembers the attacks that declarations provoke, once the player has confirmed them.
pub(super) fn accept(session: &Session, selection: &mut Selection, orders: &[Choice]) {
    if !session.is_declaring() {
        return;
    }
    let round = session.round();
    for order in orders {
        let Some(who) = order.who else { continue };
        for attack in session.queries.provoked(order) {
            selection.accepted.add(round, (who, attack.by));
        }
    }
}

/// Warnings about an action.
pub(super) fn against(session: &Session, choice: &Choice) -> Vec<String> {
    let provoked = session.queries.provoked(choice);
    let mut lines = Vec::from_iter(departure(session, choice));
    lines.extend(session.shown().provoked_lines(&provoked));
    lines.extend(caught(session, choice));
    let known = session.queries.warnings(choice);
    let no_effect = no_effect(session, choice).filter(|why| !known.contains(why));
    lines.extend(known.into_iter().chain(no_effect));
    lines
}

/// Whether an order loses the battle for the player's side. That is asked about whatever the settings
/// say.
pub(super) fn loses_battle(session: &Session, order: &Choice) -> bool {
    let leaver = order.who.filter(|_| order.verb.leaves_battle);
    leaver.is_some_and(|who| session.queries.ask(|world| loses_by_leaving(world, who)))
}

/// Warning about a unit that leaves the battle, unless others fight on and it can be undone until
/// the turn of the side ends.
fn departure(session: &Session, order: &Choice) -> Option<String> {
    if loses_battle(session, order) {
        return Some(String::from("This loses the battle."));
    }
    let is_final = order.verb.leaves_battle && session.queries.rules.planning.end_turn.is_none();
    is_final.then(|| String::from("It can't be undone once others have acted."))
}

/// Warnings about ending a unit's turn: an attack it could make, a spell it would lose.
pub(super) fn against_rest(
    session: &Session,
    preview: &ActionPreview,
    done: &Choice,
) -> Vec<String> {
    let mut lines = session.queries.warnings(done);
    lines.extend(done.who.and_then(|who| left_attack(session, preview, who)));
    lines
}

/// Warnings about the end of the declarations: orders that never go ahead in simulated rounds, or
/// that end in the same cell.
pub(super) fn against_begin(session: &Session, plan_preview: &PlanPreview) -> Vec<String> {
    if !session.is_declaring() || !plan_preview.is_current() {
        return vec![];
    }
    let names = never_go_ahead(session, plan_preview);
    let fails = match &names[..] {
        [] => None,
        [one] => Some(format!(
            "{} order goes ahead in no simulated round.",
            possessive(one)
        )),
        _ => Some(format!(
            "The orders of {} go ahead in no simulated round.",
            list(names, "and")
        )),
    };
    let name = |id: Id| &session.shown().unit(id).name;
    let shared = plan_preview.shared_ends();
    let shared = shared.map(|(a, b)| {
        let cost = sharing_cost(session);
        format!("{} and {} end in the same cell{cost}.", name(a), name(b))
    });
    fails.into_iter().chain(shared).collect()
}

/// A possible attack without any warning, in words; `None` if there is none or no action is left.
fn left_attack(session: &Session, preview: &ActionPreview, who: Id) -> Option<String> {
    let shown = session.shown();
    let unit = shown.unit(who);
    let has_action = unit.pips.first().is_some_and(|pip| !pip.spent);
    let enemy = |id: &Id| shown.unit(*id).side != unit.side;
    let attack = preview.acts.iter().filter(|a| a.plain);
    let target = attack
        .flat_map(|a| a.choices())
        .filter(|c| session.queries.warnings(c).is_empty())
        .find_map(|c| c.at.filter(enemy));
    let at = target.filter(|_| has_action)?;
    let (name, at) = (&unit.name, &shown.unit(at).name);
    Some(format!("{name} could attack {at} now."))
}

/// Names of units that can still move and that an enemy can attack on its next turn.
pub(super) fn exposed(session: &Session) -> Vec<String> {
    if session.is_declaring() || !session.is_players_turn() {
        return vec![];
    }
    let enemies = session.known_enemies();
    let moves = session.idle_members().filter(|own| {
        let has_left = own.pips.iter().any(|pip| !pip.spent);
        has_left && !session.queries.reach(own.id).is_empty()
    });
    let exposed = moves.filter(|own| {
        enemies.iter().any(|&enemy| {
            let range = session.queries.threat_range(enemy);
            range.cells().any(|cell| own.space().contains(cell))
        })
    });
    exposed.map(|own| own.name.clone()).collect()
}

/// Names of the player's dying units that another one could help now.
pub(super) fn helpable(session: &mut Session) -> Vec<String> {
    if session.is_declaring() || !session.is_players_turn() {
        return vec![];
    }
    let helpers: Vec<Id> = session.idle_members().map(|helper| helper.id).collect();
    let mut patients: Vec<Id> = vec![];
    for helper in helpers {
        let offers = session.offers_of(helper);
        let legal = offers.iter().filter(|offer| offer.is_legal());
        let aimed = legal.filter(|offer| offer.choice.at.is_some());
        let helps = |offer: &&Offer| no_effect(session, &offer.choice).is_none();
        patients.extend(aimed.filter(helps).filter_map(|offer| offer.choice.at));
    }
    let own = session.shown().members(session.player());
    let dying = own.filter(|unit| unit.dying.is_some() && patients.contains(&unit.id));
    dying.map(|unit| unit.name.clone()).collect()
}

/// Warning for an attack that can't have any effect.
fn never_hits(session: &Session, attack: &AttackForecast) -> Option<String> {
    let does = session.queries.spread(&attack.choice);
    let is_known = !does.bars.is_empty();
    (attack.percent == 0 && is_known && does.mean() <= 0.0)
        .then(|| String::from("It can't hit: the action is wasted."))
}

/// Warnings about unintended targets of a spell: allies of a harmful one, enemies of a helpful one.
/// Also if a harmful spell catches no enemy.
fn caught(session: &Session, choice: &Choice) -> Vec<String> {
    let Some((others, meant)) = in_area(session, choice) else {
        return vec![];
    };
    let is_wasted = meant.is_empty() && session.queries.harms(choice);
    let nobody = is_wasted.then(|| String::from("No enemy is in the area."));
    others.into_iter().map(caught_line).chain(nobody).collect()
}
