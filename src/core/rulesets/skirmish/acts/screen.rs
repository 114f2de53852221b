//! Screen an ally (SK-15): go next to it and intercept attacks on it.

use super::{RUN, row::*};
use crate::{
    battle::MoveEnd,
    grid::{Space, cells_apart},
    rulesets::skirmish::movement,
};
use std::ops::RangeInclusive;

verbs! {
    SCREEN = "screen", "screen {at}", "screens {at}", "SK-15";
    /// A screen that includes movement.
    SCREEN_FROM = "go and screen", "screen {at} from {to}", "goes to {to} to screen {at}", "SK-15";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        SCREEN: 'g' "Screen" Screen, "Uses your Move, or Main if spent. Guard an ally: attackers must win a check or hit you instead.",
            Chances::Odds(checks::screening), |eval, offer| eval.staying(eval.screen(offer));
        SCREEN_FROM: 'g' "Screen" Screen, "Uses your Move, or Main if spent. Go and guard an ally: attackers must win a check or hit you instead.",
            Chances::Odds(checks::screening), worth_of_move, moving, provoking;
    },
    when: (),
    offers,
    begin,
};

/// A screen with movement is a run that ends next to the protected ally, so its offers are made
/// from those to run.
fn offers(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    if let Err(why) = can_screen(sk, who) {
        return out.push(Offer::not(Choice::new(&SCREEN, who), why));
    }
    let (side, size) = (sk.body(who).side, sk.body(who).size);
    let provoked = sk.provoked_beside(who);
    let provoked = provoked.iter().fold(0, |set, id| set | id.bit());
    let runs = out.iter().find(|o| o.choice.verb == &RUN);
    let runs = runs.and_then(|runs| runs.ends.clone());
    let runs = runs.as_deref().unwrap_or_default();
    let before = out.len();
    for ward in sk.view.standing(side).filter(|&id| id != who) {
        let there = sk.body(ward).space();
        let near =
            |space: Space| cells_apart(space, there) <= 1 && sk.view.board.within(space, there, 5);
        if near(sk.body(who).space()) {
            let choice = Choice::new(&SCREEN, who).at(ward);
            out.push(Offer::from(choice, is_new(sk, who, ward)));
        }
        // Filters out the many ends that are not next to the ally.
        let (columns, rows) = beside(there, size);
        let is_beside = |run: &&MoveEnd| columns.contains(&run.to.x) && rows.contains(&run.to.y);
        for &MoveEnd { to, feet, .. } in runs.iter().filter(is_beside) {
            if near(Space::new(to, size)) {
                let choice = Choice::new(&SCREEN_FROM, who).at(ward).to(to);
                out.push(Offer::legal(choice).priced(feet, provoked));
            }
        }
    }
    if out.len() == before {
        let why = Why::new("SK-15", "no ally is near enough");
        out.push(Offer::not(Choice::new(&SCREEN, who), why));
    }
}

/// The columns and rows in which a unit of this size can begin if it stands next to another.
fn beside(there: Space, size: u8) -> (RangeInclusive<i16>, RangeInclusive<i16>) {
    let before = i16::from(size.max(1));
    let span = |at: i16| at - before..=at + there.side();
    (span(there.at.x), span(there.at.y))
}

fn can_screen(sk: &SkirmishQuery, who: Id) -> Result<(), Why> {
    if sk.combat_skill(who) < 1 {
        let why = Why::of_actor("SK-15", "needs level 1 in a combat skill");
        return Err(why.lacking(true));
    }
    sk.free_to_move(who)?;
    sk.needs_move(who)
}

fn is_new(sk: &SkirmishQuery, who: Id, ward: Id) -> Result<(), Why> {
    Why::of_actor("SK-15", "is already screening that ally")
        .when(sk.stance(ward).screened_by & who.bit() != 0)
}

fn begin(sk: &SkirmishQuery, choice: &Choice) -> StepOutcome {
    let who = choice.actor();
    let ward = choice.at.expect("a screen has a ward");
    let mut outcome = declare(sk, choice, sk.fighter(who).move_price());
    if let Some(to) = choice.to {
        let path = sk.run_range(who, 1).path(to).split_off(1);
        outcome.push(movement::freely(who, 1, path));
    }
    outcome.then(Stand { who, ward })
}

system_step! {
    /// The screener starts to protect its ally, if it got there.
    struct Stand { who: Id, ward: Id } => stand
}

fn stand(In(Stand { who, ward }): In<Stand>, sk: SkirmishQuery) -> StepOutcome {
    if !sk.is_up(who) || !sk.is_up(ward) || !sk.view.within(who, ward, 5) {
        return StepOutcome::default();
    }
    StepOutcome::default().and("SK-15", StanceEvent::Screens { who, ward })
}
