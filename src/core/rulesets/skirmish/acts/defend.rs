//! Total Defense (SK-17): an Instant, on the unit's own turn or after an attack roll.

use super::row::*;

verbs! {
    DEFEND = "total defense", "total defense", "takes total defense", "SK-17";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        DEFEND: 'd' "Defend" TotalDefense, "Total Defense. Uses an unspent Main: AC +2 and no Shock damage until your next turn. Also possible as a reaction when an enemy attacks.",
            Chances::None, |eval, _| eval.defend(), auto_reaction;
    },
    when: (),
    offers: |sk, who, out| out.push(Offer::from(Choice::new(&DEFEND, who), legal(sk, who))),
    begin: |_, choice| {
        let mut outcome = StepOutcome::announcing(choice);
        take(choice.actor(), &mut outcome);
        outcome
    },
};

pub fn legal(sk: &SkirmishQuery, who: Id) -> Result<(), Why> {
    sk.needs_main(who)?;
    Why::new("SK-17", "total defense is already active").when(sk.fighter(who).defending)
}

/// Gives up the Main for AC +2 and no Shock until the start of the unit's next turn.
pub fn take(who: Id, outcome: &mut StepOutcome) {
    let action = ActionCost::Main;
    outcome.emit("SK-17", SkirmishEvent::Spent { who, action });
    outcome.emit("SK-17", SkirmishEvent::Defends { who });
}
