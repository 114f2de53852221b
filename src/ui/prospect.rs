//! What the chosen one could do, and what a click would do: all that is shown
//! before the click.

pub use super::read::{Blow, Cost, Drawn, Reach, Shot, Way};

use super::{Phase, Pick, Screen, Session, art::icons::Icon, read::Face};
use crate::{
    battle::{Choice, Id, Item, Offer, Rule, Why, capitalised},
    grid::Cell,
};
use bevy::prelude::*;
use std::cmp::Reverse;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Prospect>();
    app.add_systems(
        Update,
        foresee
            .in_set(Phase::Foresee)
            .run_if(in_state(Screen::Battle))
            .run_if(resource_exists_and_changed::<Session>.or_else(resource_changed::<Pick>)),
    );
}

/// What lies before the player.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct Prospect {
    /// The act bar of the chosen one.
    pub acts: Vec<Act>,
    /// Where the chosen one could go; empty while an act is armed.
    pub reach: Vec<Reach>,
    /// Whom the armed act may be aimed at.
    pub targets: Vec<Id>,
    /// Cells at which the armed act may be aimed.
    pub places: Vec<Cell>,
    pub click: Click,
    /// Every way to attack whom the cursor is on, the best first.
    pub blows: Vec<Blow>,
}

/// What a click would do.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Click {
    #[default]
    Nothing,
    /// Nothing, and why.
    No(String),
    /// Take somebody in hand.
    Choose(Id),
    Move(Way),
    /// Attack, with what it draws first.
    Blow(Box<Blow>),
    /// Another act with a target.
    Act {
        choice: Choice,
        label: &'static str,
        draws: Vec<Drawn>,
    },
}

/// A button of the act bar.
#[derive(Clone, PartialEq, Debug)]
pub struct Act {
    pub key: char,
    pub label: &'static str,
    pub icon: Icon,
    pub rule: Rule,
    /// The legal ways to do it.
    pub choices: Vec<Choice>,
    /// Why there is none.
    pub why_not: Option<Why>,
    /// The attacks that it draws.
    pub draws: Vec<Drawn>,
    /// It waits for its target, or is what a click would do.
    pub is_on: bool,
    /// The items with which it could be done, and the one that it would be
    /// done with as things stand.
    pub items: Vec<Item>,
    pub item: Option<Item>,
}

fn foresee(mut session: ResMut<Session>, pick: Res<Pick>, mut prospect: ResMut<Prospect>) {
    // Reading through the session leaves it as it was.
    let session = session.bypass_change_detection();
    let mut next = Prospect::of(session, &pick);
    if next.acts.is_empty() && session.shown().clock.turn == Some(session.player()) {
        // While what was done is played the bar stays as it was.
        next.acts = prospect.acts.clone();
    }
    prospect.set_if_neq(next);
}

impl Prospect {
    /// Looks ahead. Empty while the player is not to act.
    pub fn of(session: &mut Session, pick: &Pick) -> Self {
        let mut out = Self::default();
        let Some(who) = pick.chosen.filter(|_| session.is_players_turn()) else {
            out.click = idle_click(session, pick);
            return out;
        };
        let offers = session.offers_of(who);
        let faces = session.reader().acts;
        out.acts = faces
            .iter()
            .filter_map(|face| act(session, face, &offers))
            .collect();
        let armed = faces.iter().find(|f| Some(f.key) == pick.armed);
        match armed {
            Some(face) => out.mark_targets(face),
            None => out.reach = session.reach(who),
        }
        if let Some(cell) = pick.cursor {
            out.blows = blows(session, armed, &offers, cell);
            out.click = click(session, pick, who, armed, &offers, cell, &out.blows);
        }
        let meant = match &out.click {
            Click::Blow(blow) => Some(&blow.choice),
            Click::Act { choice, .. } => Some(choice),
            _ => None,
        };
        for act in &mut out.acts {
            let meant = meant.filter(|m| act.choices.iter().any(|c| c.verb == m.verb));
            act.is_on = pick.armed == Some(act.key) || meant.is_some();
            let liked = pick.prefers.filter(|item| act.items.contains(item));
            act.item = meant
                .and_then(|m| m.with)
                .or(liked)
                .or(act.items.first().copied());
        }
        out
    }

    fn mark_targets(&mut self, face: &Face) {
        let Some(act) = self.acts.iter().find(|a| a.key == face.key) else {
            return;
        };
        for choice in &act.choices {
            match (choice.at, choice.to) {
                (Some(id), _) if !self.targets.contains(&id) => self.targets.push(id),
                (None, Some(cell)) if !self.places.contains(&cell) => self.places.push(cell),
                _ => {}
            }
        }
    }
}

/// While nobody is asked, one may still look at people.
fn idle_click(session: &Session, pick: &Pick) -> Click {
    let person = pick.cursor.and_then(|cell| session.shown().on(cell));
    match person {
        Some(p) if p.side == session.player() && p.is_up() => Click::Choose(p.id),
        _ => Click::Nothing,
    }
}

fn is_of(face: &Face, offer: &Offer) -> bool {
    face.acts.iter().any(|a| a.verb == offer.choice.verb)
}

/// A button, if its act is offered at all, be it as impossible.
fn act(session: &mut Session, face: &Face, offers: &[Offer]) -> Option<Act> {
    let own: Vec<&Offer> = offers.iter().filter(|o| is_of(face, o)).collect();
    let best = own.iter().find(|o| o.is_legal()).or(own.first())?;
    let look = face.acts.iter().find(|a| a.verb == best.choice.verb)?;
    let choices: Vec<Choice> = own
        .iter()
        .filter(|o| o.is_legal())
        .map(|o| o.choice.clone())
        .collect();
    let draws = choices.first().map_or(vec![], |c| session.draws(c));
    let mut items: Vec<Item> = choices.iter().filter_map(|c| c.with).collect();
    items.sort_unstable();
    items.dedup();
    Some(Act {
        key: face.key,
        label: look.label,
        icon: look.icon,
        rule: look.verb.rule,
        why_not: if choices.is_empty() {
            best.why_not.clone()
        } else {
            None
        },
        choices,
        draws,
        is_on: false,
        items,
        item: None,
    })
}

/// Every legal way to attack whoever is on a cell: those of the armed act, or
/// else the plain ones. Best first.
fn blows(session: &mut Session, armed: Option<&Face>, offers: &[Offer], cell: Cell) -> Vec<Blow> {
    let Some(target) = session.shown().on(cell).map(|p| p.id) else {
        return vec![];
    };
    let faces = session.reader().acts;
    let meant = |offer: &&Offer| match armed {
        Some(face) => is_of(face, offer),
        None => faces.iter().any(|f| f.plain && is_of(f, offer)),
    };
    let aimed = offers
        .iter()
        .filter(|o| o.is_legal() && o.choice.at == Some(target));
    let choices: Vec<Choice> = aimed.filter(meant).map(|o| o.choice.clone()).collect();
    let mut out: Vec<Blow> = choices
        .iter()
        .filter_map(|c| session.blow(c))
        .filter_map(Result::ok)
        .collect();
    out.sort_by_key(|b| Reverse(b.worth));
    out
}

fn click(
    session: &mut Session,
    pick: &Pick,
    who: Id,
    armed: Option<&'static Face>,
    offers: &[Offer],
    cell: Cell,
    blows: &[Blow],
) -> Click {
    let liked = blows
        .iter()
        .find(|b| pick.prefers.is_some() && b.choice.with == pick.prefers);
    if let Some(blow) = liked.or(blows.first()) {
        return Click::Blow(Box::new(blow.clone()));
    }
    let person = session.shown().on(cell).cloned();
    // Another act with a target here: a door, a comrade to be helped.
    let faces: Vec<&Face> = match armed {
        Some(face) => vec![face],
        None => session.reader().acts.iter().filter(|f| f.plain).collect(),
    };
    let here = |c: &Choice| match (c.at, c.to) {
        (Some(at), _) => person.as_ref().is_some_and(|p| p.id == at),
        (None, Some(to)) => to == cell,
        (None, None) => false,
    };
    let found = faces.iter().find_map(|face| {
        let legal = offers.iter().filter(|o| o.is_legal() && is_of(face, o));
        legal
            .map(|o| &o.choice)
            .find(|c| here(c))
            .map(|c| (face, c.clone()))
    });
    let way = if armed.is_none() {
        session.way(who, &[], cell)
    } else {
        None
    };
    // A comrade is helped rather than stepped over; an open door is rather
    // walked through than shut.
    if let Some((face, choice)) = found
        && (choice.at.is_some() || way.is_none())
    {
        let look = face.acts.iter().find(|a| a.verb == choice.verb);
        let draws = session.draws(&choice);
        return Click::Act {
            choice,
            label: look.map_or("Act", |l| l.label),
            draws,
        };
    }
    if let Some(way) = way {
        return Click::Move(way);
    }
    match person {
        Some(p) if p.id == who => Click::Nothing,
        Some(p) if p.side == session.player() && p.is_up() && armed.is_none() => {
            Click::Choose(p.id)
        }
        Some(p) if p.side != session.player() && p.is_up() => {
            Click::No(no_blow(session, &faces, offers, p.id))
        }
        _ if armed.is_some() => Click::No(String::from("Choose one of the marked targets")),
        _ => Click::No(no_way(session, who, cell)),
    }
}

/// Why somebody cannot be attacked, and what could be done instead.
fn no_blow(session: &mut Session, faces: &[&Face], offers: &[Offer], at: Id) -> String {
    let names = session.names().clone();
    let aimed = |o: &&Offer| o.choice.at == Some(at) && faces.iter().any(|f| is_of(f, o));
    let mut whys: Vec<String> = vec![];
    for offer in offers.iter().filter(aimed) {
        let Some(why) = &offer.why_not else { continue };
        let item = offer.choice.with.map(|n| names.item(n));
        let line = item.map_or(why.text.to_string(), |item| format!("{item}: {}", why.text));
        if !whys.contains(&line) {
            whys.push(line);
        }
    }
    if whys.is_empty() {
        whys.extend(general_why(faces, offers));
    }
    // A charge may still get there.
    for face in session.reader().acts.iter().filter(|f| !f.plain) {
        let legal = offers
            .iter()
            .filter(|o| o.is_legal() && o.choice.at == Some(at) && is_of(face, o));
        let choices: Vec<Choice> = legal.map(|o| o.choice.clone()).collect();
        let blows = choices.iter().filter_map(|c| session.blow(c)?.ok());
        if let Some(percent) = blows.map(|b| b.percent).max() {
            let (label, key) = (face.acts[0].label, face.key.to_ascii_uppercase());
            whys.push(format!("{label} ({key}): {percent}%"));
        }
    }
    let lines: Vec<String> = whys.iter().take(3).map(|w| capitalised(w)).collect();
    if lines.is_empty() {
        String::from("Out of reach")
    } else {
        lines.join("\n")
    }
}

/// Why none of these acts can be done at all.
fn general_why(faces: &[&Face], offers: &[Offer]) -> Option<String> {
    let own = |o: &&Offer| o.choice.at.is_none() && faces.iter().any(|f| is_of(f, o));
    let why = offers.iter().filter(own).find_map(|o| o.why_not.as_ref());
    why.map(|w| w.text.to_string())
}

/// Why one cannot go there.
fn no_way(session: &Session, who: Id, cell: Cell) -> String {
    let shown = session.shown();
    let person = shown.person(who);
    let spent = person.pips.iter().all(|p| p.spent);
    let space = crate::grid::Space::new(cell, person.size);
    String::from(if !shown.board.can_stand(space) {
        match shown.board.door(cell) {
            Some(false) => "The door is shut",
            _ => "Nobody can stand there",
        }
    } else if spent {
        "Main and Move are spent"
    } else {
        "Too far"
    })
}
