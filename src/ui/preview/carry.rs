//! How what somebody is to do is carried out when they are asked: as a click on
//! its target would be.

use super::{ActionPreview, Click, Picks, foes_of, walk};
use crate::{
    battle::{Choice, Id},
    grid::{Cell, Space, cells_apart},
    ui::{
        Selection, Session,
        session::{Intent, Otherwise},
        shown::Person,
    },
};

/// What comes of an intent at a moment.
#[derive(Clone, PartialEq, Debug)]
pub enum Carried {
    /// These answers, one after the other.
    Give(Vec<Choice>),
    /// It is done: the rest of the moment is let go by.
    Rest,
    /// Its moment is still to come.
    Wait,
    /// It does not come off, and why.
    Fail(String),
}

/// More than an act leaves open.
const MOST: usize = 4;

/// What somebody who is asked does as they meant to, or else as they are to do
/// where that does not come off.
pub fn carried(session: &mut Session, intent: &Intent) -> Carried {
    let found = meant(session, intent);
    let goes_by = matches!(found, Carried::Fail(_) | Carried::Rest);
    let is_lost = matches!(found, Carried::Fail(_)) || intent.at.is_none() && goes_by;
    match intent.otherwise {
        _ if intent.is_begun || !is_lost => found,
        Otherwise::Ask => found,
        Otherwise::Another => another(session, intent).unwrap_or(found),
        Otherwise::Rest => Carried::Rest,
    }
}

/// The best attack on anybody who can be reached now.
fn another(session: &mut Session, intent: &Intent) -> Option<Carried> {
    let foes = foes_of(session, intent.who);
    let liked = |item| intent.with.is_none() || item == intent.with;
    let best = |at: Id| {
        let blows = session.reads.blows(intent.who, at);
        let blow = blows.into_iter().find(|b| liked(b.choice.with))?;
        Some((blow.worth, std::cmp::Reverse(at)))
    };
    let mut found: Vec<_> = foes.into_iter().filter_map(best).collect();
    found.sort_unstable();
    found
        .into_iter()
        .rev()
        .find_map(|(_, std::cmp::Reverse(at))| {
            let next = Intent {
                at: Some(at),
                shown: None,
                otherwise: Otherwise::Ask,
                ..intent.clone()
            };
            match meant(session, &next) {
                Carried::Give(orders) if orders.iter().any(|o| o.at == Some(at)) => {
                    Some(Carried::Give(orders))
                }
                _ => None,
            }
        })
}

/// The same as long as it comes off.
fn meant(session: &mut Session, intent: &Intent) -> Carried {
    let who = intent.who;
    // What is not worth a stop is no moment for an attack either: who stands beside a
    // foe with a sword in hand does not throw something at it first.
    if intent.at.is_some() && intent.key.is_none() && session.reads.trifles(who) {
        return Carried::Wait;
    }
    let mut waits = session.reads.waits(who);
    let cell = match intent.at {
        Some(at) => {
            let target = session.shown().person(at);
            if !target.is_up() && target.side != session.player() {
                let why = target.why_gone();
                return match intent.is_begun {
                    true => Carried::Rest,
                    false => Carried::Fail(why),
                };
            }
            Some(target.at)
        }
        None => intent.to,
    };
    let Some(cell) = cell else {
        // What needs no target was done by itself, or is not to be.
        return Carried::Rest;
    };
    // Who may move before their act is not asked for the spell then.
    if intent.is_spell() && session.reads.reader.planning.advances && !is_asked_for(session, intent)
    {
        return Carried::Wait;
    }
    let found = clicked(session, intent, cell);
    // Who has their target in reach strikes when that is asked for, after the moves.
    if let (Some(at), true) = (intent.at, intent.key.is_none()) {
        waits |= session.reads.reader.planning.advances
            && !intent.is_begun
            && session.is_in_reach(intent, at);
    }
    // What was to be struck with comes later than the bare hands do.
    let is_hasty = |orders: &[Choice]| {
        let later = orders.last().map(|last| session.reads.later(last));
        intent
            .shown
            .zip(later)
            .is_some_and(|(shown, later)| later.contains(&shown))
    };
    // What was to be struck with is not shot with instead.
    let is_other = |orders: &[Choice]| {
        let with = orders.last().and_then(|last| last.with);
        !intent.is_begun && intent.shown.is_some() && with.is_some() && with != intent.shown
    };
    match found {
        Ok(Some(orders)) if !intent.is_begun && is_hasty(&orders) => Carried::Rest,
        Ok(Some(orders)) if !is_other(&orders) => Carried::Give(orders),
        _ if waits => Carried::Wait,
        _ if intent.is_begun => Carried::Rest,
        Ok(_) => closer(session, intent, cell).unwrap_or_else(|| match intent.at {
            Some(at) => Carried::Fail(session.hindered(who, at)),
            None => session.blocked(intent).map_or(Carried::Rest, Carried::Fail),
        }),
        Err(why) => closer(session, intent, cell).unwrap_or_else(|| {
            Carried::Fail(match intent.at {
                // It tells of the act, and not whom it was for.
                Some(at) if intent.key.is_some() => {
                    format!("{}: {why}", session.shown().person(at).name)
                }
                Some(at) => session.hindered(who, at),
                None if intent.is_spell() => no_aim(session, intent),
                None if intent.key.is_some() => why,
                None => session
                    .blocked(intent)
                    .unwrap_or_else(|| String::from("no path there now")),
            })
        }),
    }
}

/// The act that an intent is for can be done at this moment.
fn is_asked_for(session: &mut Session, intent: &Intent) -> bool {
    let selection = Selection {
        chosen: Some(intent.who),
        ..Selection::default()
    };
    let preview = ActionPreview::of(session, &selection);
    let act = intent.key.and_then(|key| preview.act(key));
    act.is_some_and(|act| !act.offers.is_empty())
}

/// A spell cannot be aimed as it was meant.
fn no_aim(session: &Session, intent: &Intent) -> String {
    match intent.at {
        Some(at) => format!(
            "the spell can't target {} now",
            session.shown().person(at).name
        ),
        None => String::from("the spell can't be aimed there now"),
    }
}

/// A unit that a spell is not meant for and would catch now, as its target has moved:
/// one of the player's own if it harms, an enemy if it helps.
fn caught(session: &Session, orders: &[Choice]) -> Option<String> {
    let last = orders.last().filter(|last| last.spell.is_some())?;
    let (area, harms) = (session.reads.area(last), session.reads.harms(last));
    let is_in = |p: &Person| p.is_up() && p.space().cells().any(|cell| area.contains(&cell));
    let is_own = |p: &Person| p.side == session.player();
    let mut people = session.shown().people.iter();
    let found = people.find(|p| is_in(p) && is_own(p) == harms)?;
    Some(format!("{} is in the area", found.name))
}

/// A foe who may strike at somebody on the way of a planned move, and was not shown to:
/// others have come, or another way is the shortest now.
fn risks_more(session: &Session, who: Id, orders: &[Choice]) -> Option<String> {
    let intent = session.intent(who).filter(|intent| intent.is_move())?;
    let known = intent
        .braves
        .filter(|_| intent.otherwise == Otherwise::Ask)?;
    let drawn = walk::drawn(session, who, orders);
    let new = drawn.iter().find(|drawn| known & drawn.by.bit() == 0)?;
    let name = &session.shown().person(new.by).name;
    Some(format!(
        "{name} may attack on the way now: {}%",
        new.percent
    ))
}

/// The answers of a click there; none where it is no answer.
fn clicked(
    session: &mut Session,
    intent: &Intent,
    cell: Cell,
) -> Result<Option<Vec<Choice>>, String> {
    let mut selection = Selection {
        chosen: Some(intent.who),
        cursor: Some(cell),
        prefers: intent.with.or(intent.shown),
        armed: intent.key,
        ..Selection::default()
    };
    let mut preview = ActionPreview::of(session, &selection);
    if let Some(key) = intent.key {
        match preview.act(key).filter(|a| !a.offers.is_empty()) {
            Some(act) => {
                if let Some(only) = act.only() {
                    return Ok(Some(vec![only.clone()]));
                }
            }
            None if intent.is_spell() => return Err(no_aim(session, intent)),
            None => {
                selection.armed = None;
                preview = ActionPreview::of(session, &selection);
            }
        }
    }
    for _ in 0..MOST {
        let goes = intent.at.is_none() || intent.key.is_some();
        match preview.click {
            Click::Blow(_) | Click::Advance(_) | Click::Act { .. } => {
                return Ok(Some(preview.click.orders().to_vec()));
            }
            Click::Move(way) if goes => return Ok(Some(way.orders)),
            Click::Aim { key, settled, .. } => {
                selection.armed = Some(key);
                selection.trail.push(settled);
            }
            click => {
                let rows = preview.menu.map_or(vec![], |menu| menu.rows);
                let next = rows.into_iter().find_map(|row| match row.picks {
                    Picks::Nothing(_) => None,
                    picks => Some(picks),
                });
                match (next, click) {
                    (Some(Picks::Give(choice)), _) => return Ok(Some(vec![choice])),
                    (Some(Picks::Settle(settled)), _) => selection.trail.push(settled),
                    (_, Click::No(why)) => return Err(why),
                    _ => return Ok(None),
                }
            }
        }
        preview = ActionPreview::of(session, &selection);
    }
    Ok(None)
}

/// To come nearer instead. Where that leaves no room for the attack, who was to attack at
/// once is asked, or does nothing: what they could do would be gone.
fn closer(session: &mut Session, intent: &Intent, cell: Cell) -> Option<Carried> {
    let at_once = intent.at.is_some() && intent.feet == 0;
    let is_lost = at_once && !session.reads.reader.planning.advances;
    (!is_lost).then(|| nearer(session, intent, cell)).flatten()
}

/// As near as a move gets one to a cell, along the way there. Who meant to attack and
/// could only give ground is asked instead: that is no way of coming nearer.
fn nearer(session: &mut Session, intent: &Intent, cell: Cell) -> Option<Carried> {
    // Who casts stays where they are.
    if intent.is_spell() {
        return None;
    }
    let who = intent.who;
    let selection = Selection {
        chosen: Some(who),
        ..Selection::default()
    };
    let preview = ActionPreview::of(session, &selection);
    let own = session.shown().person(who);
    let (here, size) = (own.at, own.size);
    let way = session.reads.long_way(who, cell);
    let is_end = |c: &&Cell| preview.reach.iter().any(|r| r.cell == **c);
    let end = way.iter().rev().find(is_end).copied().or_else(|| {
        // Nobody gets through to there: straight towards it.
        let gap = |c: Cell| cells_apart(Space::new(c, size), cell.into());
        let ends = preview.reach.iter().map(|r| (gap(r.cell), r.feet, r.cell));
        let best = ends.min_by_key(|e| (e.0, e.1, e.2.y, e.2.x))?;
        (best.0 < gap(here)).then_some(best.2)
    })?;
    let selection = Selection {
        cursor: Some(end),
        ..selection
    };
    let preview = ActionPreview::of(session, &selection);
    match preview.click {
        Click::Move(way) if intent.at.is_none() || is_plain(session, &way.orders) => {
            Some(Carried::Give(way.orders))
        }
        Click::Move(_) => {
            let away = || String::from("this path only leads away");
            Some(Carried::Fail(session.crowded(who).unwrap_or_else(away)))
        }
        _ => None,
    }
}

/// The usual way to go, not one of giving ground.
fn is_plain(session: &Session, orders: &[Choice]) -> bool {
    let usual = session.reads.walks.first();
    orders.first().map(|order| &order.verb) == usual
}

/// What is done for the player at a question of their own.
#[derive(Clone, PartialEq, Debug)]
pub enum Next {
    /// Somebody does this.
    Give(Id, Vec<Choice>),
    /// Nobody has more to do at this moment: it is let go by.
    Pass(Choice),
    /// Somebody's plan does not come off, and why.
    Fail(Id, String),
    /// The player is to be asked.
    Ask,
}

/// What comes next of what those who are asked are to do.
pub fn next(session: &mut Session) -> Next {
    let asked = session.question().filter(|q| q.is_turn()).cloned();
    let Some(asked) = asked.filter(|_| !session.is_declaring()) else {
        return Next::Ask;
    };
    let (mut rest, mut left) = (None, false);
    for &who in &asked.actors {
        let Some(intent) = session.intent(who).cloned() else {
            left = true;
            continue;
        };
        match carried(session, &intent) {
            Carried::Give(orders) => return Next::Give(who, orders),
            Carried::Fail(why) => return Next::Fail(who, why),
            Carried::Rest => rest = rest.or(Some(who)),
            Carried::Wait => {}
        }
    }
    if left {
        return Next::Ask;
    }
    // All who are asked have had their way.
    let end_turn = session.reads.reader.planning.end_turn;
    if let Some(end) = asked.common.iter().find(|c| Some(c.verb) == end_turn) {
        return Next::Pass(end.clone());
    }
    let who = rest.or(asked.actors.first().copied());
    let Some(who) = who else { return Next::Ask };
    match session.let_go(who) {
        Some(choice) => Next::Pass(choice),
        None => Next::Ask,
    }
}

/// What came of doing what is next.
#[derive(Clone, PartialEq, Debug)]
pub enum Went {
    On,
    /// The player is to be asked.
    Asks,
    /// Somebody's plan has not come off: the player is asked about them.
    Failed(Id),
}

/// Does one thing that somebody is to do now.
pub fn go_on(session: &mut Session) -> Went {
    match next(session) {
        Next::Ask => Went::Asks,
        Next::Give(who, orders) => {
            // That is for the player to say.
            let more = || risks_more(session, who, &orders);
            if let Some(why) = caught(session, &orders).or_else(more) {
                return failed(session, who, why);
            }
            let intent = session.intent(who);
            if intent.is_some_and(|intent| intent.is_done_by(&orders)) {
                session.has_begun(who);
            }
            match session.give_planned(&orders) {
                Ok(()) => Went::On,
                Err(why) => failed(session, who, why.to_string()),
            }
        }
        Next::Pass(choice) => {
            // It was on offer. Where it is refused after all, the player is asked.
            if session.give_planned(std::slice::from_ref(&choice)).is_err()
                && let Some(who) = choice.who
            {
                session.ask_again(who);
            }
            Went::On
        }
        Next::Fail(who, why) => failed(session, who, why),
    }
}

fn failed(session: &mut Session, who: Id, why: String) -> Went {
    session.fail(who, why);
    Went::Failed(who)
}
