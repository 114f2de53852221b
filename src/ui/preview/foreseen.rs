//! The rest of the round as the screen shows it: with what has been declared, and
//! with what is pointed at.

use super::{
    ActionPreview, Click, Draft, Offers,
    ahead::{Ahead, Frame, ahead_until, declared},
    perils::{Perils, perils},
    tries::{Tried, can_try, try_all},
};
use crate::{
    battle::Id,
    ui::{
        Phase, Screen, Selection, Session,
        session::{
            Moment, Others,
            thinking::{FrameWait, Pondering, Thinking},
        },
        shown::Person,
    },
};
use bevy::{picking::hover::Hovered, prelude::*};
use std::{collections::BTreeMap, time::Duration};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Foreseen>()
        .init_resource::<Offered>()
        .init_resource::<Presets>()
        .init_resource::<LookedAhead>();
    app.add_systems(
        Update,
        (prepare, offer, foresee, try_out)
            .chain()
            .in_set(Phase::Foresee)
            .after(super::foresee)
            .run_if(in_state(Screen::Battle)),
    );
}

/// A draft that a button offers while the pointer is on it.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct Offered(pub Option<Draft>);

/// The button that the pointer is on, at which moment, with whom in hand.
type Asked = (Moment, Id, Offers);

fn offer(
    buttons: Query<(&Offers, &Hovered)>,
    mut session: ResMut<Session>,
    selection: Res<Selection>,
    mut offered: ResMut<Offered>,
    mut seen: Local<Option<Asked>>,
) {
    let found = buttons.iter().find(|(_, hovered)| hovered.get());
    let asked = found
        .zip(selection.chosen)
        .filter(|_| session.is_declaring() && session.held().is_none())
        .map(|((&what, _), who)| (session.moment(), who, what));
    if *seen == asked {
        return;
    }
    // To look what it would be is no change.
    let session = session.bypass_change_detection();
    let draft = asked
        .as_ref()
        .and_then(|(_, who, what)| what.draft(session, *who).ok());
    *seen = asked;
    offered.set_if_neq(Offered(draft));
}

/// What each usual round would be for the one in hand.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct Presets {
    pub drafts: Vec<Result<Draft, String>>,
    seen: Option<(Moment, Id)>,
}

fn prepare(mut session: ResMut<Session>, selection: Res<Selection>, mut presets: ResMut<Presets>) {
    let count = session.reads.reader.presets.len();
    if count == 0 && presets.seen.is_none() {
        return;
    }
    let asked = selection.chosen.filter(|_| session.is_declaring());
    let seen = asked.map(|who| (session.moment(), who));
    if presets.seen == seen {
        return;
    }
    let session = session.bypass_change_detection();
    let of = |who| {
        (0..count)
            .map(|n| Offers::Preset(n).draft(session, who))
            .collect()
    };
    let drafts = asked.map(of).unwrap_or_default();
    *presets = Presets { drafts, seen };
}

/// The moment of the round at which the board is shown as it would be: its place
/// among those foreseen.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LookedAhead(pub Option<usize>);

impl LookedAhead {
    /// What is shown, if it is foreseen.
    pub fn frame<'a>(&self, foreseen: &'a Foreseen) -> Option<&'a Frame> {
        foreseen.ahead.as_ref()?.frames.get(self.0?)
    }
}

/// What is to come of the round, as far as the player can know.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct Foreseen {
    /// None where there are no plans.
    pub ahead: Option<Ahead>,
    /// What is pointed at besides.
    pub draft: Option<Draft>,
    /// What could spoil the plan of each.
    pub perils: BTreeMap<Id, Perils>,
    /// Whether it comes off, by some rounds that were tried.
    pub comes_off: BTreeMap<Id, Tried>,
    seen: Option<Seen>,
    /// What will be shown instead, as soon as it is known.
    next: Option<Seen>,
}

/// The moment that it was foreseen at, with what was pointed at.
type Seen = (Moment, Option<Draft>);

impl Foreseen {
    /// The same, whenever it was.
    pub fn timeless(&self) -> Self {
        Self {
            seen: None,
            next: None,
            ..self.clone()
        }
    }

    /// Takes what has been tried. What comes off more often than not is shown as it does
    /// then, though with every die as expected its target would be gone.
    fn take(&mut self, found: BTreeMap<Id, Tried>) {
        if let Some(ahead) = &mut self.ahead {
            let act = |who: Id| {
                let tried = found.get(&who).filter(|tried| tried.percent >= MOSTLY)?;
                tried.act.clone()
            };
            for act in ahead.failures.iter().filter_map(|failed| act(failed.who)) {
                ahead.acts.retain(|known| known.who != act.who);
                ahead.acts.push(act);
            }
            ahead.failures.retain(|failed| act(failed.who).is_none());
        }
        self.comes_off = found;
    }

    /// It is that of what is pointed at, at this moment.
    pub fn is_current(&self) -> bool {
        self.next.is_none()
    }

    /// What would come of a draft is known.
    pub fn knows(&self, draft: &Draft) -> bool {
        self.is_current() && self.draft.as_ref() == Some(draft)
    }

    /// It is only pointed at.
    pub fn is_draft(&self, who: Id) -> bool {
        self.draft.as_ref().is_some_and(|d| d.who() == who)
    }
}

/// What is found out about a round; nothing where nobody is asked.
type Found = Option<(Ahead, BTreeMap<Id, Perils>)>;

/// Looks ahead on a thread of its own: in a large battle that takes longer than a frame.
fn foresee(
    session: Res<Session>,
    (preview, offered): (Res<ActionPreview>, Res<Offered>),
    frame_wait: Res<FrameWait>,
    mut foreseen: ResMut<Foreseen>,
    mut looked: ResMut<LookedAhead>,
    mut looks: Local<Option<Thinking<Found>>>,
) {
    let mut wait = Duration::ZERO;
    if session.is_changed() || preview.is_changed() || offered.is_changed() {
        let seen = (session.moment(), draft(&session, &preview, &offered));
        if foreseen.next.as_ref().or(foreseen.seen.as_ref()) != Some(&seen) {
            // Another moment is looked at from its beginning.
            if foreseen.moment() != Some(seen.0) {
                looked.set_if_neq(LookedAhead(None));
            }
            *looks = foreseen.turn_to(seen, &session);
            wait = frame_wait.0;
        }
    }
    let Some(found) = looks.as_mut().and_then(|l| l.done_within(wait)) else {
        return;
    };
    *looks = None;
    let seen = foreseen.next.clone();
    let (ahead, perils) = found.unzip();
    *foreseen = Foreseen {
        ahead,
        draft: seen.as_ref().and_then(|seen| seen.1.clone()),
        perils: perils.unwrap_or_default(),
        seen,
        ..Foreseen::default()
    };
}

/// What is pointed at, offered, or waits for the player's word.
fn draft(session: &Session, preview: &ActionPreview, offered: &Offered) -> Option<Draft> {
    let pointed = match &preview.click {
        Click::Plan(draft) => Some((**draft).clone()),
        // What is declared with its target is no intent: it is done by itself.
        click if session.is_declaring() => click.choice().map(|c| Draft::settled(session, c)),
        _ => None,
    };
    let held = || session.held().map(Draft::held);
    offered.0.clone().or(pointed).or_else(held)
}

impl Foreseen {
    fn moment(&self) -> Option<Moment> {
        let seen = self.next.as_ref().or(self.seen.as_ref());
        seen.map(|seen| seen.0)
    }

    /// Something else is to be foreseen. What was stays to be seen until that is known,
    /// but for another battle, or where the battle was gone back in.
    fn turn_to(&mut self, seen: Seen, session: &Session) -> Option<Thinking<Found>> {
        if self.seen.as_ref() == Some(&seen) {
            self.next = None;
            return None;
        }
        let draft = seen.1.clone();
        let table = has_plans(session, draft.as_ref()).then(|| session.apart(Others::Nothing));
        let Some(table) = table.flatten() else {
            *self = Self {
                draft,
                seen: Some(seen),
                ..Self::default()
            };
            return None;
        };
        if !self.moment().is_some_and(|then| then.leads_to(seen.0)) {
            *self = Self::default();
        }
        self.next = Some(seen);
        Some(Thinking::soon(move |dropped| {
            let ahead = ahead_until(&table, draft.as_ref(), dropped)?;
            let perils = all_perils(&table, &ahead, draft.as_ref());
            Some((ahead, perils))
        }))
    }
}

/// The player is asked, and there is something to be foreseen.
fn has_plans(session: &Session, draft: Option<&Draft>) -> bool {
    let round = session.shown().clock.round;
    let is_open = |who| {
        !session
            .intents()
            .of(who, round)
            .is_none_or(|i| i.plan.is_begun)
    };
    let mut own = session.shown().members(session.player());
    let is_declared = |p: &Person| session.is_declaring() && !p.plan.is_empty();
    let has_plans = draft.is_some() || own.any(|p| is_open(p.id) || is_declared(p));
    session.is_players_turn() && has_plans
}

/// What speaks against each plan, and against what is pointed at.
fn all_perils(table: &Session, ahead: &Ahead, draft: Option<&Draft>) -> BTreeMap<Id, Perils> {
    let pointed = draft.filter(|draft| draft.is_plan());
    let pointed = pointed.map(|draft| (draft.intent.clone(), draft.is_aimed));
    declared(table)
        .into_iter()
        .chain(pointed)
        .map(|(intent, is_aimed)| (intent.who(), perils(table, ahead, &intent, is_aimed)))
        .collect()
}

/// Percent of the rounds tried: more often than not.
const MOSTLY: u32 = 50;

/// Tries out what is planned and what is pointed at, on a thread of its own, so that
/// nothing waits for it.
fn try_out(
    session: Res<Session>,
    mut foreseen: ResMut<Foreseen>,
    time: Res<Time>,
    mut ponders: Local<Pondering<Seen, BTreeMap<Id, Tried>>>,
) {
    let is_known = foreseen.ahead.is_some() && foreseen.is_current();
    let is_asked = is_known && foreseen.comes_off.is_empty();
    let asked = foreseen.seen.clone().filter(|_| is_asked);
    let draft = &foreseen.draft;
    let found = ponders.of(asked, time.delta_secs(), || {
        if !can_try(&session, draft.as_ref()) {
            return None;
        }
        let (table, draft) = (session.apart(Others::Nothing)?, draft.clone());
        let try_out =
            move |dropped: &(dyn Fn() -> bool + Sync)| try_all(&table, draft.as_ref(), dropped);
        Some(Thinking::of(try_out))
    });
    if let Some(found) = found.filter(|found| !found.is_empty()) {
        foreseen.take(found);
    }
}
