//! What each foe does in its next turn, in rounds that are played out: what it is likely to
//! do.

use super::tries::{Seen, play, rounds};
use crate::{
    battle::{Choice, Event, EventKind, Id},
    grid::Cell,
    ui::{Session, session::Others},
};
use std::collections::BTreeMap;

/// Rounds in which it is looked what foes do.
const LOOKS: u32 = 20;

/// What a foe does first when its time comes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Deed {
    Attacks(Id),
    Casts,
    /// It only goes somewhere.
    Goes,
    /// It only answers what others do: strikes at who leaves its reach, say.
    Reacts,
    /// It is out of the fight before that.
    Falls,
}

impl Deed {
    /// It is what somebody does in their turn, and not only the way there.
    fn is_main(self) -> bool {
        matches!(self, Self::Attacks(_) | Self::Casts)
    }

    /// Of several in one turn the one with the highest is told.
    fn rank(self) -> u8 {
        match self {
            Self::Attacks(_) | Self::Casts => 2,
            Self::Goes => 1,
            Self::Reacts | Self::Falls => 0,
        }
    }
}

/// How somebody is attacked.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Manner {
    Melee,
    Shot,
    Throw,
    Spell,
}

impl Manner {
    pub fn words(self) -> &'static str {
        match self {
            Self::Melee => "attacks",
            Self::Shot => "shoots at",
            Self::Throw => "throws at",
            Self::Spell => "casts at",
        }
    }
}

/// Something that a foe is likely to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Habit {
    pub deed: Deed,
    /// How often it does so.
    pub percent: u32,
    /// The best chance that it had to hit, in percent; none where it could not be told.
    pub hits: Option<u32>,
    /// How it mostly attacks.
    pub manner: Manner,
    /// Where it comes to stand in most of the rounds in which it only goes, if there is
    /// such a place.
    pub to: Option<Cell>,
}

/// What a foe did in one round.
#[derive(Clone, Copy)]
struct Done {
    deed: Deed,
    hits: Option<u32>,
    manner: Manner,
    to: Option<Cell>,
}

type Deeds = BTreeMap<Id, Done>;

/// What each foe is likely to do in its next turn, the most frequent first, by some
/// rounds that are played out with what has been declared: of what is left it does
/// nothing. None of it where it is enough before the end.
pub fn likely(table: &Session, enough: &dyn Fn() -> bool) -> BTreeMap<Id, Vec<Habit>> {
    let mut all: BTreeMap<Id, BTreeMap<Deed, Vec<Done>>> = BTreeMap::new();
    let one = |seed| first_deeds(table, seed, enough);
    for deeds in rounds(table, LOOKS, enough, one) {
        for (who, done) in deeds {
            let of_deed = all.entry(who).or_default().entry(done.deed);
            of_deed.or_default().push(done);
        }
    }
    let habits = |of: BTreeMap<Deed, Vec<Done>>| {
        let mut habits: Vec<Habit> = of.into_values().map(|done| habit(&done)).collect();
        habits.sort_by_key(|habit| (std::cmp::Reverse(habit.percent), habit.deed));
        habits
    };
    all.into_iter().map(|(who, of)| (who, habits(of))).collect()
}

/// What the rounds have in common in which a foe did the same.
fn habit(all: &[Done]) -> Habit {
    let (manner, _) = most(all.iter().map(|done| done.manner)).expect("it was done");
    let to = most(all.iter().filter_map(|done| done.to));
    Habit {
        deed: all[0].deed,
        percent: all.len() as u32 * (100 / LOOKS),
        hits: all.iter().filter_map(|done| done.hits).max(),
        manner,
        to: to.filter(|(_, n)| 2 * n > all.len()).map(|(to, _)| to),
    }
}

/// The most frequent of some, and how often it is there.
fn most<T: Copy + Ord>(all: impl Iterator<Item = T>) -> Option<(T, usize)> {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    all.for_each(|one| *counts.entry(one).or_default() += 1);
    counts.into_iter().max_by_key(|one| one.1)
}

/// The first deed of each foe in its turn: an attack counts for more than the way there,
/// and either for more than a reaction.
fn first_deeds(session: &Session, seed: u64, enough: &dyn Fn() -> bool) -> Option<Deeds> {
    let others = Others::Tried(seed);
    let mut table = session.apart(others)?;
    let round = table.shown().clock.round;
    let own = table.player();
    let people = session.shown().people.iter();
    let foes: Vec<Id> = people
        .filter(|p| p.side != own && p.is_up())
        .map(|p| p.id)
        .collect();
    let mut deeds = Deeds::new();
    // What is being done now in answer to somebody else's act.
    let mut reacts: Vec<Choice> = vec![];
    // Where they have had their turn of this round, it is the next that counts.
    for last in [round, round + 1] {
        let is_done = play(&mut table, (others, last), enough, |table, seen| {
            match seen {
                Seen::Reacts(choice) => reacts.push(choice.clone()),
                Seen::Event(event) => note(table, event, &foes, (&mut deeds, &mut reacts)),
                _ => {}
            }
            let has_struck = |id: &Id| deeds.get(id).is_some_and(|done| done.deed.is_main());
            !foes.iter().all(has_struck)
        });
        if !is_done {
            return None;
        }
        let fallen = foes.iter().filter(|id| !table.shown().person(**id).is_up());
        for &who in fallen {
            deeds.entry(who).or_insert(Done::of(Deed::Falls));
        }
        // Who flees may go at the end of any round.
        let could = |id: &Id| session.reads.threatens(*id);
        if deeds.keys().any(could) || !foes.iter().any(could) {
            break;
        }
    }
    Some(deeds)
}

/// What an event tells of the deeds of foes.
fn note(
    table: &Session,
    event: &Event,
    foes: &[Id],
    (deeds, reacts): (&mut Deeds, &mut Vec<Choice>),
) {
    if let EventKind::Acted { choice } = &event.what
        && !reacts.contains(choice)
    {
        // An act of its own: what it did in answer to others is over.
        reacts.retain(|reaction| reaction.who != choice.who);
    }
    let Some((who, mut done)) = done_by(table, event).filter(|(who, _)| foes.contains(who)) else {
        return;
    };
    if reacts.iter().any(|reaction| reaction.who == Some(who)) {
        done = Done::of(Deed::Reacts);
    }
    let Some(known) = deeds.get_mut(&who) else {
        deeds.insert(who, done);
        return;
    };
    if known.deed.rank() < done.deed.rank() {
        *known = done;
    } else if known.deed == done.deed && done.hits.is_none() {
        // The die tells how it attacks, the last step where it goes.
        known.manner = done.manner;
        known.to = done.to;
    }
}

impl Done {
    fn of(deed: Deed) -> Self {
        Self {
            deed,
            hits: None,
            manner: Manner::Melee,
            to: None,
        }
    }
}

/// Who does what, as far as an event tells; with the chance to hit.
fn done_by(table: &Session, event: &Event) -> Option<(Id, Done)> {
    match &event.what {
        EventKind::AttackRolled { shot } => {
            let (by, at, with, ranged) = shot.attack.parts();
            let manner = match ranged {
                false => Manner::Melee,
                true if table.game.weapon(with).is_thrown() => Manner::Throw,
                true => Manner::Shot,
            };
            let attack = Done::of(Deed::Attacks(at));
            Some((by, Done { manner, ..attack }))
        }
        EventKind::Acted { choice } if choice.spell.is_some() => {
            let spell = Done::of(choice.at.map_or(Deed::Casts, Deed::Attacks));
            let manner = Manner::Spell;
            Some((choice.who?, Done { manner, ..spell }))
        }
        EventKind::Acted { choice } => {
            // Somebody may begin a charge that comes to nothing.
            let hits = table.reads.blow(choice)?.ok().map(|blow| blow.percent);
            let attack = Done::of(Deed::Attacks(choice.at?));
            Some((choice.who?, Done { hits, ..attack }))
        }
        EventKind::Moved { who, to, .. } => {
            let way = Done::of(Deed::Goes);
            let to = Some(*to);
            Some((*who, Done { to, ..way }))
        }
        _ => None,
    }
}
