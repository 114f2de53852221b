//! A call to parley (SK-20): demand surrender. Each side listens once per battle.

use super::row::*;
use crate::rulesets::common::end_checks::MoraleStep;
use crate::rulesets::skirmish::{awareness, checks::Check, state::Clock};
use crate::{
    battle::{Cue, CueKind, Shaken, Side, events},
    content::{Attribute, Skill, Trait},
};

verbs! {
    PARLEY = "parley", "call for parley", "calls for parley", "SK-20";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        PARLEY: 'y' "Parley" Intimidate, "Main action. Demand surrender, once per battle for each side. Alarms unaware units.",
            Chances::Odds(checks::parley), |eval, _| eval.gain(eval.parley()), provoking;
    },
    when: (),
    offers: |sk, who, out| {
        if !sk.view.creature(who).has(Trait::Speechless) {
            out.push(Offer::from(Choice::new(&PARLEY, who), legal(sk, who)));
        }
    },
    begin: |sk, choice| {
        let who = choice.actor();
        declare(sk, choice, ActionCost::Main).then(Call { who })
    },
};

fn legal(sk: &SkirmishQuery, who: Id) -> Result<(), Why> {
    sk.needs_main(who)?;
    if sides(sk, who).next().is_none() {
        let why = match sk.clock.parleyed.is_empty() {
            true => "nobody here would listen",
            false => "they have already heard a call in this battle",
        };
        return Err(Why::new("SK-20", why));
    }
    Ok(())
}

/// The sides that would listen to `who`, each with the score that the check must beat.
pub fn sides(sk: &SkirmishQuery, who: Id) -> impl Iterator<Item = (Side, i32)> {
    let own = sk.body(who).side;
    let others = sk.view.roster.sides().filter(move |&s| s != own);
    let fresh = others.filter(|s| !sk.clock.parleyed.contains(s));
    fresh.filter_map(|s| Some((s, boldest(sk, s)?.0)))
}

/// The highest morale score among the units of a side that understand and can be swayed, and its
/// unit, which answers for the side. Hidden units are left out (SK-03).
fn boldest(sk: &SkirmishQuery, side: Side) -> Option<(i32, Id)> {
    let listens = |id: &Id| {
        let deaf = sk.view.creature(*id).has(Trait::Speechless);
        !deaf && !sk.body(*id).flees && !sk.stance(*id).hidden
    };
    let scores = sk.view.standing(side).filter(listens);
    let scores = scores.filter_map(|id| Some((sk.view.creature(id).morale?, id)));
    scores.max_by_key(|score| score.0)
}

/// The unaware units that a call alarms (SK-56), as far as the caller can know.
pub fn alarmed(sk: &SkirmishQuery, who: Id) -> Vec<Id> {
    awareness::unaware(sk, sides(sk, who).map(|(side, _)| side))
}

pub fn check(sk: &SkirmishQuery, who: Id) -> Check {
    sk.check(who, "parley", &[Attribute::Cha], &[Skill::Talk])
}

system_step! { struct Call { who: Id } => call }

/// Rolls one check, which must beat the highest morale score of each side; ties fail. A side that
/// is beaten checks its morale.
fn call(In(Call { who }): In<Call>, sk: SkirmishQuery, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    if !sk.can_act(who) {
        return outcome;
    }
    // A call to parley alarms unaware units (SK-56).
    awareness::raise(&sk, sides(&sk, who).map(|s| s.0), &mut outcome);
    let sides: Vec<(Side, i32)> = sides(&sk, who).collect();
    let scores = sides.iter().map(|s| s.1).collect();
    let pending = PendingCheck::beat("SK-20", check(&sk, who), scores, &mut dice);
    pending_checks::log_and_open(vec![pending], outcome, Heeded { who, sides })
}

/// The result of the check.
#[derive(Clone, Debug)]
struct Heeded {
    who: Id,
    /// The sides that listen, and the scores to beat.
    sides: Vec<(Side, i32)>,
}

impl CheckOutcome for Heeded {
    fn resolved(self, sk: &SkirmishQuery, checks: &[PendingCheck], _: &mut DiceBox) -> StepOutcome {
        let mut outcome = StepOutcome::default();
        if !sk.can_act(self.who) {
            return outcome;
        }
        let total = checks.iter().map(PendingCheck::total).sum::<i32>();
        for (side, score) in self.sides {
            let won = total > score;
            let speaker = boldest(sk, side).map(|(_, id)| id);
            outcome.emit("SK-20", ParleyEvent::Heard { side, speaker, won });
            if won {
                outcome.push(MoraleStep::<Skirmish>::of(side, Shaken::default()));
            }
        }
        outcome
    }
}

events! {
    enum ParleyEvent: RulesetEvent |world, names, unknown| {
        /// A side has heard its one call to parley; the speaker answers for it.
        Heard { side: Side, speaker: Option<Id>, won: bool }
            log(if (*won) { Fact "{side}: wavers" } else { Fact "{side}: will not listen" })
            cue(speaker.and_then(|speaker| match won {
                true => Cue::of(CueKind::Fail, speaker, "wavers"),
                false => Cue::of(CueKind::Pass, speaker, "will not listen"),
            }))
            apply { world.resource_mut::<Clock>().parleyed.push(*side) }
            known(Self::Heard {
                side: *side,
                speaker: speaker.filter(|speaker| !unknown.has(*speaker)),
                won: *won,
            });
    }
}
