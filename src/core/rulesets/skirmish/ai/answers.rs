//! What it is worth to react to enemy attacks.

use super::{Evaluation, OWN_LIFE};

impl Evaluation<'_, '_, '_> {
    /// The score of Total Defense: whether preventing the hit or the Shock is worth the Main.
    pub(in super::super::super) fn defend(&self) -> i32 {
        let sk = self.state;
        let mine = sk.body(self.who);
        let mut saved = 0;
        for shot in sk
            .pending_attacks
            .all()
            .iter()
            .filter(|s| s.attack.at == self.who)
        {
            let Ok(forecast) = sk.forecast(&shot.attack) else {
                continue;
            };
            let total = shot.roll.total();
            let loss = if total >= forecast.ac + 2 {
                continue;
            } else if total >= forecast.ac {
                forecast.damage.mean_x10() * OWN_LIFE / 10 / mine.hp.max(1)
                    + forecast.damage.at_least(mine.hp).percent() as i32 * 8
            } else {
                forecast.shock.points() * OWN_LIFE / mine.hp.max(1)
            };
            saved += loss;
        }
        if saved > 0 {
            return saved - self.main_later();
        }
        if self.own.answers {
            return -1;
        }
        // Before any attack it gains nothing: the reaction to a roll is early enough.
        self.stay() - 1
    }
}
