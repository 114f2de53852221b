//! The rest of the round as the screen shows it: with what has been declared, and
//! with what is pointed at.

use super::{
    ActionPreview, Click, Draft,
    ahead::{Ahead, Frame, ahead},
    perils::perils,
};
use crate::ui::{Phase, Screen, Session, session::Moment};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Foreseen>()
        .init_resource::<Offered>()
        .init_resource::<LookedAhead>();
    app.add_systems(
        Update,
        foresee
            .in_set(Phase::Foresee)
            .after(super::foresee)
            .run_if(in_state(Screen::Battle)),
    );
}

/// A draft that a button offers while the pointer is on it.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct Offered(pub Option<Draft>);

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
    /// What could spoil that, a sentence each.
    pub perils: Vec<String>,
    seen: Option<(Moment, Option<Draft>)>,
}

impl Foreseen {
    /// It is only pointed at.
    pub fn is_draft(&self, who: crate::battle::Id) -> bool {
        self.draft.as_ref().is_some_and(|d| d.who() == who)
    }
}

fn foresee(
    session: Res<Session>,
    preview: Res<ActionPreview>,
    offered: Res<Offered>,
    mut foreseen: ResMut<Foreseen>,
    mut looked: ResMut<LookedAhead>,
) {
    let is_new = session.is_changed() || preview.is_changed() || offered.is_changed();
    if !is_new {
        return;
    }
    let pointed = match &preview.click {
        Click::Plan(draft) => Some((**draft).clone()),
        _ => None,
    };
    let draft = offered.0.clone().or(pointed);
    let seen = Some((session.moment(), draft.clone()));
    if foreseen.seen == seen {
        return;
    }
    let round = session.shown().clock.round;
    let is_open = |who| !session.intents().of(who, round).is_none_or(|i| i.is_begun);
    let mut own = session.shown().members(session.player());
    let has_plans = draft.is_some() || own.any(|p| is_open(p.id));
    let is_asked = session.is_players_turn() && has_plans;
    let ahead = is_asked.then(|| ahead(&session, draft.as_ref())).flatten();
    // Another moment is looked at from its beginning.
    if foreseen.seen.as_ref().map(|s| s.0) != seen.as_ref().map(|s| s.0) {
        looked.set_if_neq(LookedAhead(None));
    }
    let perils = match (&ahead, &draft) {
        (Some(ahead), Some(draft)) => perils(&session, ahead, draft.who()),
        _ => vec![],
    };
    *foreseen = Foreseen {
        ahead,
        draft,
        perils,
        seen,
    };
}
