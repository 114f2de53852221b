//! Surge: Stress pays for a second standard action, once per battle (SP-22).

use super::{super::events::StressUse, free_action, needs_free, row::*};
use crate::content::Trait;

verbs! {
    SURGE = "surge", "surge", "draws on its last strength", "SP-22";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        SURGE: 'x' "Surge" Run, "",
            Chances::None, |eval, _| eval.staying(play::surge(eval));
    },
    when: When::NotBefore,
    offers: surges,
    begin: |sp, choice| {
        free_action(sp, choice, |who, outcome| {
            let (points, on) = (numbers().surge, StressUse::Surge);
            outcome.emit("SP-22", SpeedEvent::StressSpent { who, points, on });
        })
    },
};

/// Adds the surge of a unit that has the trait; it is legal once the standard action is spent.
pub fn surges(sp: &SpeedQuery, who: Id, out: &mut Vec<Offer>) {
    if sp.view.creature(who).has(Trait::SpareMain) {
        let legal = needs_free(sp, who).and_then(|()| can_surge(sp, who));
        out.push(Offer::from(Choice::new(&SURGE, who), legal));
    }
}

fn can_surge(sp: &SpeedQuery, who: Id) -> Result<(), Why> {
    let fighter = sp.fighter(who);
    Why::new("SP-22", "only once per battle").when(fighter.surged)?;
    Why::new("SP-22", "the standard action is not spent yet").unless(fighter.standard)?;
    let price = numbers().surge;
    if fighter.stress < price {
        return Err(Why::new("SP-22", format!("it takes {price} Stress")));
    }
    Ok(())
}
