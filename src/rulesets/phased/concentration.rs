//! Concentration, and what breaks it (PH-20, PH-21, PH-25).

use super::{fact::Fact, ph::Ph};
use crate::battle::{Flow, Id};

/// Damage, a save that fails, a hindrance, an ally who jostles, a free attack
/// of one's own: a spell that is being cast is lost, one that is kept up ends.
pub fn breaks(ph: &Ph, who: Id, flow: &mut Flow) {
    let fighter = ph.fighter(who);
    if let Some(casting) = fighter.casting {
        let spell = casting.spell.0;
        flow.emit("PH-20", Fact::Spoiled { who, spell }.event());
    }
    lets_go(ph, who, flow);
}

/// Ends what is kept up, and with it the hold on its victim.
pub fn lets_go(ph: &Ph, who: Id, flow: &mut Flow) {
    if let Some(upkeep) = ph.fighter(who).upkeep {
        let on = upkeep.on;
        flow.emit("PH-21", Fact::LetsGo { who, on }.event());
        flow.emit("PH-21", Fact::Freed { who: on }.event());
    }
}
