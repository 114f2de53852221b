//! What wounds do: spoiled spells (SE-41), falling, bleeding, death (SE-54).

use super::{events::SegmentsEvent, se::Se};
use crate::rulesets::segments::numbers;
use crate::{
    battle::{EventKind, Id, Roll, State, StepOutcome},
    content::Trait,
    rulesets::common::damage::Loss,
};

/// What follows from so many points of damage, which are told already: all of
/// them come at once.
pub fn suffer(se: &Se, who: Id, loss: Loss, outcome: &mut StepOutcome) {
    if loss.points > 0 && se.is_up(who) {
        spoil(se, who, outcome);
        fall(se, who, loss, outcome);
    }
}

/// Who has so many points less falls with none left; who is down already bleeds
/// anew, or dies (SE-54).
pub fn fall(se: &Se, who: Id, loss: Loss, outcome: &mut StepOutcome) {
    let body = se.body(who);
    let left = body.hp - loss.points;
    let down = body.state == State::Down;
    if !(body.is_up() && left <= 0 || down && loss.points > 0) {
        return;
    }
    if !down {
        outcome.emit("SE-54", EventKind::Fell { who });
    }
    let minion = se.view.creature(who).has(Trait::Minion);
    if loss.lethal && (left <= numbers::DEATH || minion) {
        outcome.emit("SE-54", EventKind::Died { who });
    } else if loss.lethal && !se.fighter(who).bleeding {
        outcome.emit("SE-54", SegmentsEvent::Bleeding { who }.event());
    }
}

/// SE-41: the spell that it is casting is lost.
pub fn spoil(se: &Se, who: Id, outcome: &mut StepOutcome) {
    if let Some(casting) = se.casting(who) {
        let spell = casting.spell;
        outcome.emit("SE-41", SegmentsEvent::Spoiled { who, spell }.event());
    }
}

/// At the end of a round all who bleed lose a hit point (SE-54).
pub fn bleed(se: &Se, outcome: &mut StepOutcome) {
    let down = |id: &Id| se.body(*id).state == State::Down && se.fighter(*id).bleeding;
    for who in se.view.ids().filter(down) {
        let lost = EventKind::damaged(who, None, 1, Roll::default());
        outcome.emit("SE-54", lost);
        if se.body(who).hp - 1 <= numbers::DEATH {
            outcome.emit("SE-54", EventKind::Died { who });
        }
    }
}
