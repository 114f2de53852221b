//! Units that failed a morale check: they fall back or run for an exit (SE-55).

use super::{
    Segments, acts,
    events::SegmentsEvent,
    movement::{self, Pace},
    numbers,
    query::SegmentsQuery,
};
use crate::{
    battle::{EventKind, Id, Prefers, Rule, StepOutcome},
    grid::{Cell, Reached, Space, cells_apart},
    rulesets::common::{
        flee::{Flee, FleeAction, Flees},
        leave::Leaves,
        moves::MoveStep,
    },
    system_step,
};
use bevy_ecs::system::In;

impl Leaves for Segments {
    const LEFT: Rule = "SE-55";
}

impl Flees for Segments {
    const PREFERS: Prefers = Prefers::ShortWays;
    type FleeBudget = ();

    fn may_leave(se: &SegmentsQuery, who: Id) -> bool {
        se.view.is_at_exit(who) && !se.body(who).prone
    }

    fn leaves_field(se: &SegmentsQuery, who: Id, outcome: &mut StepOutcome) {
        outcome.emit("SE-55", SegmentsEvent::Spent { who, next: None });
        acts::make_off(se, who, outcome);
    }

    /// Standing up or opening a door takes a segment; running takes the whole action.
    fn pays(
        se: &SegmentsQuery,
        flee: &Flee<Self>,
        need: FleeAction,
        outcome: &mut StepOutcome,
    ) -> Option<Option<()>> {
        let who = flee.who;
        let cost = match need {
            FleeAction::StandUp | FleeAction::OpenDoor => acts::a_segment_later(se, who),
            FleeAction::Run => SegmentsEvent::Spent { who, next: None },
        };
        outcome.emit("SE-55", cost);
        Some(None)
    }

    fn feet(se: &SegmentsQuery, flee: &Flee<Self>) -> Option<u16> {
        Some(se.view.speed(flee.who))
    }

    fn runner(se: &SegmentsQuery, who: Id, _: u16, path: Vec<Cell>) -> movement::Mover {
        movement::mover(who, Pace::Move, path, se.strikers(who))
    }

    fn cut_off(_: &SegmentsQuery, who: Id, outcome: &mut StepOutcome) {
        outcome.emit("SE-55", EventKind::FightsOn { who });
        outcome.emit("SE-55", SegmentsEvent::Turned { who });
    }
}

system_step! {
    pub struct FallBack { pub who: Id } => fall_back
}

fn fall_back(In(FallBack { who }): In<FallBack>, se: SegmentsQuery) -> StepOutcome {
    let outcome = StepOutcome::default();
    if !se.is_up(who) || !se.fighter(who).falls_back {
        return outcome;
    }
    if se.body(who).prone {
        return outcome
            .and("SE-55", acts::a_segment_later(&se, who))
            .and("SE-55", EventKind::Prone { who, prone: false });
    }
    let (pace, path) = se.way_back(who);
    let mover = movement::mover(who, pace, path, 0);
    outcome
        .and("SE-55", SegmentsEvent::Spent { who, next: None })
        .and("SE-55", SegmentsEvent::FellBack { who })
        .then(MoveStep::<Segments>::of(mover))
}

impl SegmentsQuery<'_, '_> {
    /// Whether the unit flees or falls back.
    pub fn is_afraid(&self, who: Id) -> bool {
        self.body(who).flees || self.fighter(who).falls_back
    }

    /// The pace and path of a unit that falls back: as far from all enemies as it can get, at half
    /// speed if it is in melee.
    fn way_back(&self, who: Id) -> (Pace, Vec<Cell>) {
        let engaged = self.is_engaged(who);
        let pace = if engaged { Pace::Withdraw } else { Pace::Move };
        let range = self.quiet_range(who, self.feet(who, pace));
        let size = self.body(who).size;
        let enemies = self.view.enemies(self.body(who).side);
        let enemies: Vec<Space> = enemies.map(|enemy| self.body(enemy).space()).collect();
        let far = |end: &Reached| {
            let here = Space::new(end.cell, size);
            let apart = enemies.iter().map(|enemy| cells_apart(here, *enemy));
            apart.min().unwrap_or(0) * numbers::NEXT_TO
        };
        let ends = range.cells().filter(|end| end.may_stop);
        let best = ends.min_by_key(|end| (std::cmp::Reverse(far(end)), end.feet, end.cell));
        let path = best.map_or(vec![], |end| range.path(end.cell));
        (pace, path.into_iter().skip(1).collect())
    }
}
