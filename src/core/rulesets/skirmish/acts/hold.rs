//! Hold an action (SK-26): save the rest of the turn and take it as an Instant later in the round.

use super::row::*;

verbs! {
    HOLD = "hold", "hold an action", "holds an action", "SK-26";
    /// Takes the held action as a reaction.
    ACT_NOW = "act now", "act now", "acts now", "SK-26";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        HOLD: 'z' "Hold" Hold, "Uses your Move. Save the rest of this turn for a reaction.",
            Chances::None, |eval, _| eval.staying(eval.wait());
    },
    when: (),
    offers: |sk, who, out| out.push(Offer::from(Choice::new(&HOLD, who), legal(sk, who))),
    begin: |sk, choice| {
        let who = choice.actor();
        let price = sk.fighter(who).move_price();
        declare(sk, choice, price).and("SK-26", StanceEvent::Holds { who })
    },
};

fn legal(sk: &SkirmishQuery, who: Id) -> Result<(), Why> {
    let fighter = sk.fighter(who);
    Why::new("SK-26", "only during the unit's own side's turn")
        .when(sk.clock.turn != Some(sk.body(who).side))?;
    sk.needs_move(who)?;
    let why = "holding takes a Move, and nothing would be left to hold";
    Why::new("SK-26", why).when(fighter.mains + fighter.moves < 2)
}
