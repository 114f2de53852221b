//! Intimidate: a check whose result the target's morale check must match at the end of the
//! round (SP-30).

use super::{
    super::{checks::Check, declared::INTIMIDATING},
    row::*,
};
use crate::{battle::CheckRoll, content::Skill, grid::Space};

verbs! {
    INTIMIDATE = "threaten", "intimidate {at}", "intimidates {at}", "SP-30";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        INTIMIDATE: 'y' "Intimidate" Intimidate, "Make a check. At the end of the round the enemy must match it with a morale check, or flee or surrender.",
            Chances::Odds(attacks_of::intimidate), |eval, offer| play::intimidate(eval, &offer.choice);
    },
    when: When::Declared(&[&INTIMIDATING]),
    offers,
    begin: |sp, choice| {
        standard(sp, choice, 1, |begun| {
            let victim = choice.at.expect("a threat has a victim");
            let who = choice.actor();
            begun.actions.push(Box::new(Threaten { who, victim }));
        })
    },
};

pub(super) const DECLARED: Declaration = Declaration {
    verbs: &[&INTIMIDATING],
    offers: |sp, who, out| {
        let choice = Choice::new(&INTIMIDATING, who);
        let can = Why::of_actor("SP-27", "cannot speak").when(sp.fighter(who).has(Hurt::Mute));
        out.push(fit(sp, choice, can));
    },
    adds: |_, _| tables().initiative.intimidate,
    at_count: NOTHING,
};

pub fn can_lose_heart(sp: &SpeedQuery, id: Id) -> bool {
    sp.view.creature(id).morale.is_some() && !sp.body(id).flees
}

/// Whether the target is near enough and in line of sight from `from`.
pub fn is_in_earshot(sp: &SpeedQuery, from: Space, victim: Id) -> bool {
    let (board, there) = (&sp.view.board, sp.body(victim).space());
    board.within(from, there, numbers().intimidate_feet) && board.sight(from, there).los
}

fn offers(sp: &SpeedQuery, who: Id, out: &mut Vec<Offer>) {
    let offer = |victim: Id| {
        let legal = needs_standard(sp, who).and_then(|()| hears(sp, who, victim));
        Offer::from(Choice::new(&INTIMIDATE, who).at(victim), legal)
    };
    let why = Why::new("SP-30", "no enemy can be frightened");
    let enemies = sp.view.enemies(sp.side(who));
    let offers = enemies.filter(|&id| can_lose_heart(sp, id)).map(offer);
    list_or(offers, Choice::new(&INTIMIDATE, who), why, out);
}

fn hears(sp: &SpeedQuery, who: Id, victim: Id) -> Result<(), Why> {
    if !is_in_earshot(sp, sp.body(who).space(), victim) {
        let far = numbers().intimidate_feet;
        return Err(Why::new("SP-30", format!("not in sight within {far} ft")));
    }
    Why::new("SP-27", "the target hears nothing").when(sp.fighter(victim).count(Hurt::HalfDeaf) > 1)
}

system_step! { struct Threaten { who: Id, victim: Id } => threaten }

/// The check to intimidate: a d20 with Talk and Strength (SP-30).
pub fn check(sp: &SpeedQuery, who: Id) -> Check {
    let skill = Some(Skill::Talk);
    sp.check(who, "intimidate", skill, Ability::Strength, "SP-30")
}

/// Rolls the number that the morale check must reach (SP-30).
fn threaten(
    In(Threaten { who, victim }): In<Threaten>,
    sp: SpeedQuery,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let outcome = StepOutcome::default();
    if !sp.is_up(victim) {
        return outcome;
    }
    let check = check(&sp, who);
    let roll = check.roll(&mut dice);
    let (who, result) = (victim, roll.total());
    outcome
        .and("SP-30", CheckRoll::by(check.who, check.what, roll))
        .and("SP-30", SpeedEvent::Intimidated { who, result })
}
