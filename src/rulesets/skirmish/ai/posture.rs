//! How bold one is: by what its side is there for.

use super::Evaluation;
use crate::{battle::Side, levels::Goal};

/// What danger and distance are to somebody.
pub(super) struct Posture {
    /// Percent of the danger somewhere that keeps it away.
    pub caution: i32,
    /// What a step nearer to the foes is worth in the first round, and how much
    /// more in each that follows: who waits in ambush does not wait for ever.
    pub haste: (i32, i32),
}

/// Who has all the time in the world.
const PATIENT: Posture = Posture {
    caution: 40,
    haste: (20, 10),
};
/// Time works for the foes: they have but to last.
const PRESSED: Posture = Posture {
    caution: 20,
    haste: (40, 20),
};
/// Its side has but to last: let them come.
const KEEPING: Posture = Posture {
    caution: 40,
    haste: (0, 0),
};

impl Evaluation<'_, '_, '_> {
    pub(super) fn posture(&self) -> &'static Posture {
        self.posture.get_or_init(|| {
            let own = self.sk.body(self.who).side;
            let lasts = |goal: &Goal| {
                matches!(
                    goal,
                    Goal::Survive { .. } | Goal::Protect(_) | Goal::Capture { .. }
                )
            };
            let objectives = &self.sk.view.level().objectives;
            let mut sides = objectives.iter().filter(|o| lasts(&o.goal));
            let keeps = sides.clone().any(|o| Side::from(o.side) == own);
            match (keeps, sides.any(|o| Side::from(o.side) != own)) {
                (true, _) => &KEEPING,
                (false, true) => &PRESSED,
                (false, false) => &PATIENT,
            }
        })
    }
}
