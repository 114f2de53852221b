//! What could spoil a plan before it comes off, as far as its side can know: a
//! sentence each, with the chance where it can be counted.

use super::{
    ahead::{Ahead, PlannedAct},
    tries::Tried,
};
use crate::{
    battle::{Id, capitalised},
    grid::{Cell, Space},
    ui::{Session, session::Intent, shown::Person},
};

/// Sentences that are told of one plan at most.
const MOST: usize = 6;

/// What speaks against a plan.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Perils {
    /// What was shown of its chances: "55% to hit, 10% to drop".
    pub odds: String,
    /// Of the side's own doing: a comrade in the area, ways that cross.
    own: Vec<String>,
    /// Foes who could spoil the spell, the likeliest first.
    spoilers: Vec<String>,
    /// The target could go away first.
    may_be_gone: Option<String>,
    /// What is done where it does not come off: nothing is settled of what is declared
    /// with its target.
    pub otherwise: Option<&'static str>,
}

impl Perils {
    /// A sentence each, the most important first. What was tried tells more than what
    /// could be.
    pub fn lines(&self, tried: Option<&Tried>) -> Vec<String> {
        let mut lines = self.own.clone();
        match tried {
            None => {
                lines.extend(self.spoilers.clone());
                lines.extend(self.may_be_gone.clone());
            }
            Some(tried) => {
                let room = MOST.saturating_sub(lines.len());
                let told = match tried.why_not.len() > room {
                    true => room.saturating_sub(1),
                    false => room,
                };
                let (told, rest) = tried.why_not.split_at(told.min(tried.why_not.len()));
                let line = |(percent, why): &(u32, String)| format!("fails {percent}%: {why}");
                lines.extend(told.iter().map(line));
                let rest: u32 = rest.iter().map(|why| why.0).sum();
                lines.extend((rest > 0).then(|| format!("fails {rest}%: other reasons")));
            }
        }
        lines.truncate(MOST);
        lines
    }
}

/// What speaks against what somebody means to do; `is_aimed`: who asks for its target
/// only when its moment comes, can take another.
pub fn perils(session: &Session, ahead: &Ahead, intent: &Intent, is_aimed: bool) -> Perils {
    let who = intent.who();
    let own: Vec<&PlannedAct> = ahead.acts.iter().filter(|d| d.who == who).collect();
    let Some(&deed) = own.last() else {
        return Perils::default();
    };
    let goes = own.iter().any(|act| act.path.len() > 1);
    let is_spell = intent.is_spell() || deed.is_spell;
    // What is declared with its target asks nobody: its rules say what comes of it.
    let otherwise = session.otherwise(who).words();
    let otherwise = (is_aimed && !is_spell).then_some(otherwise);
    let mut out = Perils {
        own: in_harms_way(session, ahead, deed),
        odds: intent.odds.clone(),
        otherwise,
        ..Perils::default()
    };
    out.own.extend(crossings(session, ahead, &own));
    out.own.extend(hits_nobody(session, deed));
    let mut spoilers = vec![];
    for foe in session.shown().people.iter() {
        let is_foe = foe.side != session.player() && foe.is_up();
        if !is_foe || !may_come_first(session, foe.id, deed) {
            continue;
        }
        if is_spell {
            let line = strikes_first(session, foe, deed);
            spoilers.extend(line);
        } else if deed.at == Some(foe.id) && goes {
            let then = otherwise.map_or(String::new(), |words| format!("; then {words}"));
            let name = capitalised(&foe.name);
            out.may_be_gone = Some(format!("{name} may move first{then}"));
        }
    }
    spoilers.sort_by_key(|line| std::cmp::Reverse(line.0));
    out.spoilers = spoilers.into_iter().map(|line| line.1).collect();
    out
}

/// Comrades who would stand in the area that it harms; the area of a comrade's spell
/// in which it would end.
fn in_harms_way(session: &Session, ahead: &Ahead, deed: &PlannedAct) -> Vec<String> {
    let own = session.shown().members(session.player());
    let own: Vec<&Person> = own.filter(|p| p.is_up()).collect();
    let stands_in = |person: &Person, area: &[Cell]| {
        let last = ahead.acts.iter().rfind(|act| act.who == person.id);
        let end = last.and_then(|act| act.path.last().copied());
        let there = Space::new(end.unwrap_or(person.at), person.size);
        there.cells().any(|cell| area.contains(&cell))
    };
    if deed.harms {
        let there = own.iter().filter(|p| stands_in(p, &deed.area));
        return there
            .map(|p| format!("{} would be in the area", capitalised(&p.name)))
            .collect();
    }
    let Some(mover) = own.iter().find(|p| p.id == deed.who) else {
        return vec![];
    };
    let spells = ahead.acts.iter().filter(|act| act.harms);
    let spells = spells.filter(|act| stands_in(mover, &act.area));
    let whose = spells.map(|act| &session.shown().person(act.who).name);
    whose
        .map(|name| format!("Ends inside {name}'s spell"))
        .collect()
}

/// No foe is where a spell is to harm them.
fn hits_nobody(session: &Session, deed: &PlannedAct) -> Option<String> {
    let people = session.shown().people.iter();
    let mut foes = people.filter(|p| p.side != session.player() && p.is_up());
    let is_in = |foe: &Person| foe.space().cells().any(|cell| deed.area.contains(&cell));
    let hits = !deed.harms || deed.area.is_empty() || foes.any(is_in);
    (!hits).then(|| String::from("No enemy in the area now"))
}

/// As far as is known, a foe's act comes no later than this.
fn may_come_first(session: &Session, foe: Id, deed: &PlannedAct) -> bool {
    let track = &session.shown().clock.track;
    let place = |is: &dyn Fn(&crate::ui::read::Stop) -> bool| track.iter().position(is);
    let theirs = place(&|stop| stop.marks.iter().any(|m| m.who == foe && !m.done));
    let own = place(&|stop| stop.label == deed.stop);
    match (theirs, own) {
        (Some(theirs), Some(own)) if !track[theirs].label.is_empty() => theirs <= own,
        _ => true,
    }
}

/// What a foe could do to one who is at a spell.
fn strikes_first(session: &Session, foe: &Person, deed: &PlannedAct) -> Option<(u32, String)> {
    let name = capitalised(&foe.name);
    if let Some(blow) = session.reads.blows(foe.id, deed.who).first() {
        let words = format!("{name} may attack first ({}% to hit)", blow.percent);
        return Some((blow.percent, words));
    }
    let here = session.shown().person(deed.who).space();
    let reach = session.reads.threat_range(foe.id);
    let walks = here.cells().any(|cell| reach.strikes.contains(&cell));
    let comes = walks || reach.charge_end(here).is_some();
    comes.then(|| (1, format!("{name} may move in and attack first")))
}

/// Comrades whose ways its own crosses at the same moment.
fn crossings(session: &Session, ahead: &Ahead, own: &[&PlannedAct]) -> Vec<String> {
    let meets = |one: &PlannedAct, other: &PlannedAct| {
        let there = way(other);
        one.stop == other.stop && way(one).iter().any(|cell| there.contains(cell))
    };
    let others = ahead.acts.iter().filter(|other| {
        own.iter().all(|act| act.who != other.who) && own.iter().any(|act| meets(act, other))
    });
    let line = |other: &PlannedAct| {
        let name = &session.shown().person(other.who).name;
        format!("Crosses {name}'s path")
    };
    others.map(line).collect()
}

/// The cells that it goes to.
fn way(act: &PlannedAct) -> &[Cell] {
    act.path.get(1..).unwrap_or_default()
}
