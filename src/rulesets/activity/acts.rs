//! Deeds are done: those of one count together.

use super::{
    Activity,
    ac::Ac,
    attacks::AttackBatch,
    charge::run_up,
    chi::Quicken,
    events::ActivityEvent,
    perception::Look,
    ready::is_armed,
    spells::Cast,
    state::{Deed, Planned},
    stride::{self, Mover},
    targets::{GIVE_UP, LEAVE, WAIT, WITHDRAW, attack, charge_after, targets},
};
use crate::{
    battle::{
        Attack, Choice, EventKind, Id, Item, Modifier, Offer, Place, Rule, Step, StepOutcome,
    },
    content::Condition,
    grid::Cell,
    rulesets::common::conditions::{Afflicts, begins},
    rulesets::common::{
        doors,
        gear::{let_fall, make_room, shifted, take_up},
        leave::LeaveStep,
        moves::MoveStep,
    },
    system_step,
};
use bevy::ecs::system::In;
use std::borrow::Cow;
use std::sync::Arc;

/// What a group does, sorted: movement first; then attacks, spells and what
/// else is done, all at once.
#[derive(Default)]
pub struct Doing {
    outcome: StepOutcome,
    /// The steps of those who leave, and those who are on the way.
    leaves: StepOutcome,
    movers: Vec<Mover>,
    blows: Vec<Blow>,
    casts: StepOutcome,
}

impl Doing {
    pub fn outcome(mut self, ac: &Ac) -> StepOutcome {
        self.outcome.next.append(&mut self.leaves.next);
        if !self.movers.is_empty() {
            self.outcome
                .push(MoveStep::<Activity>::together(ac, self.movers));
        }
        if self.blows.is_empty() {
            self.outcome.next.append(&mut self.casts.next);
        } else {
            self.outcome.push(Blows {
                blows: self.blows,
                meanwhile: self.casts.next,
            });
        }
        self.outcome
    }

    /// Begins what somebody has come to, on what it has chosen; drops it where
    /// there is nothing to do it to.
    pub fn begin(&mut self, ac: &Ac, who: Id, choice: Option<&Choice>) {
        let Some(&planned) = ac.actor(who).coming() else {
            return;
        };
        let Planned { deed, percent, .. } = planned;
        if ac.body(who).flees {
            forgets(ac, who, &mut self.outcome);
            return;
        }
        let aims = targets(ac, who, &planned);
        let waits = deed == Deed::Melee && is_armed(ac, who);
        if waits && choice.map_or(!is_any_legal(&aims), |c| c.verb == &WAIT) {
            if ac.actor(who).waiting {
                return;
            }
            // Of those in hiding the others learn nothing.
            if ac.actor(who).hidden {
                ActivityEvent::Waits { who }.sealed("AC-15", ac.body(who).side, &mut self.outcome);
            } else {
                self.outcome
                    .emit("AC-15", ActivityEvent::Waits { who }.event());
            }
            return;
        }
        if aims.is_some() && choice.is_none_or(|c| c.verb == &GIVE_UP) {
            let why = aims.iter().flatten().find_map(|o| o.why_not.as_ref());
            let why = match choice {
                Some(_) => OWN_WILL.into(),
                None => why.map_or("there is nothing to do it to".into(), |w| w.text.clone()),
            };
            drops(ac, who, "AC-09", why, &mut self.outcome);
            return;
        }
        if let Deed::Reload(item) = deed
            && !ac.gear(who).ready().any(|n| n == item)
        {
            drops(ac, who, "AC-26", "it is not in hand", &mut self.outcome);
            return;
        }
        if let Some(choice) = choice {
            super::plan::log_text(choice, &mut self.outcome);
        }
        let begins = ActivityEvent::Begins { who, deed, percent };
        let rule = if planned.carried { "AC-17" } else { "AC-01" };
        self.outcome.emit(rule, begins.event());
        match choice {
            Some(choice) => self.aimed(ac, who, &planned, choice),
            None => self.plain(ac, who, &planned),
        }
    }

    fn aimed(&mut self, ac: &Ac, who: Id, planned: &Planned, choice: &Choice) {
        let percent = planned.percent;
        match planned.deed {
            Deed::Melee | Deed::Missile => {
                self.blows.push(Blow::Stands(attack(ac, choice, percent)));
            }
            Deed::Charge => {
                let foe = choice.at.expect("a charge has a target");
                let to = choice.to.expect("a charge has an end");
                let path = run_up(ac, who, foe, u16::MAX).to(to);
                let feet = ac.feet(who, percent - ac.tables().costs.melee.0, false);
                let attack = attack(ac, choice, percent);
                let mover = stride::charger(ac, &attack, feet, path);
                self.movers.push(mover);
                self.blows.push(Blow::Charges {
                    choice: choice.clone(),
                    percent,
                    moved: ac.actor(who).moved,
                });
            }
            Deed::Move => match set_out(ac, choice, percent) {
                Some(mover) => self.movers.push(mover),
                None => self.leaves.next.append(&mut walk(ac, choice, percent).next),
            },
            Deed::Spell { spell, points } | Deed::Instant { spell, points } => {
                self.casts.push(Cast {
                    who,
                    spell,
                    points,
                    haste: planned.haste,
                    at: choice.at,
                    to: choice.to,
                });
            }
            Deed::Stanch => {
                let who = choice.at.expect("somebody bleeds");
                self.outcome
                    .emit("AC-33", ActivityEvent::Stanched { who }.event());
            }
            Deed::PickUp => {
                let (item, at) = (choice.with.expect("a thing"), choice.to.expect("a place"));
                self.casts.push(Take { who, item, at });
            }
            Deed::Door => doors::swing(&ac.view, choice, &mut self.outcome),
            _ => {}
        }
    }

    fn plain(&mut self, ac: &Ac, who: Id, planned: &Planned) {
        let outcome = &mut self.outcome;
        match planned.deed {
            Deed::Reload(item) => {
                outcome.emit("AC-26", ActivityEvent::Loaded { who, item }.event())
            }
            Deed::Draw(item) | Deed::EventKind(item) => {
                let away = ac.gear(who).place(item);
                let Some(from @ (Place::Belt | Place::Pack)) = away else {
                    return;
                };
                make_room(&ac.view, who, item, "AC-01", outcome);
                outcome.emit("AC-01", shifted(who, item, from, Place::Hand));
            }
            Deed::LetGo(item) if ac.gear(who).in_hand() == Some(item) => {
                let_fall(&ac.view, who, item, Place::Hand, "AC-01", outcome);
            }
            // It fell already.
            Deed::LetGo(_) => {}
            Deed::DropProne => outcome.emit("AC-01", EventKind::Prone { who, prone: true }),
            Deed::StandUp => outcome.emit("AC-01", EventKind::Prone { who, prone: false }),
            Deed::Herb => outcome.emit("AC-33", ActivityEvent::Stanched { who }.event()),
            Deed::ChiDefense => {
                let condition = Arc::new(Condition {
                    id: "chi_defense".into(),
                    name: "warded".into(),
                    defense: ac.tables().chi_defense / Activity::POINT,
                    ..Condition::default()
                });
                let began = begins::<Activity>(ac, (who, None), who, &condition, 1);
                outcome.emit("AC-01", began);
            }
            Deed::ChiSpeed => self.casts.push(Quicken { who }),
            Deed::Perceive => {
                let full = ac.tables().costs.perception.1;
                let less = (planned.percent - full).min(0) as i16;
                let label = format!("{}% activity", planned.percent);
                let extra = vec![Modifier::new(less, label, "AC-02")];
                self.casts.push(Look { who, extra });
            }
            _ => {}
        }
    }
}

/// Why an action is given up that could still be done (AC-09).
pub const OWN_WILL: &str = "of its own will";

/// The action that comes next is given up. What was parried with it is paid for
/// (AC-13).
pub fn drops(
    ac: &Ac,
    who: Id,
    rule: Rule,
    why: impl Into<Cow<'static, str>>,
    outcome: &mut StepOutcome,
) {
    let actor = ac.actor(who);
    let Some(&Planned { deed, .. }) = actor.plan.get(actor.next) else {
        return;
    };
    let (why, spent) = (why.into(), actor.owed());
    let rule = match (spent, deed) {
        (0, _) => rule,
        (_, Deed::ParryMissile) => "AC-22",
        _ => "AC-13",
    };
    let drops = ActivityEvent::Drops {
        who,
        deed,
        why,
        spent,
    };
    outcome.emit(rule, drops.event());
}

/// All that was still to come is given up: the action that comes next is paid
/// for where it was parried with (AC-13).
pub fn drops_all(ac: &Ac, who: Id, rule: Rule, why: &'static str, outcome: &mut StepOutcome) {
    drops(ac, who, rule, why, outcome);
    let actor = ac.actor(who);
    for planned in actor.plan.iter().skip(actor.next + 1) {
        let drops = ActivityEvent::Drops {
            who,
            deed: planned.deed,
            why: why.into(),
            spent: 0,
        };
        outcome.emit(rule, drops.event());
    }
}

/// Who flees has no mind for what it was going to do (AC-37).
pub fn forgets(ac: &Ac, who: Id, outcome: &mut StepOutcome) {
    drops(ac, who, "AC-37", "it only wants to get away", outcome);
}

fn is_any_legal(aims: &Option<Vec<Offer>>) -> bool {
    aims.iter().flatten().any(Offer::is_legal)
}

/// Something is picked up, if nobody was quicker.
#[derive(Clone, Debug)]
struct Take {
    who: Id,
    item: Item,
    at: Cell,
}
system_step!(Take, take);

fn take(In(Take { who, item, at }): In<Take>, ac: Ac) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    if !ac.is_up(who) || !ac.view.ground.0.contains(&(at, item)) {
        return outcome;
    }
    take_up(&ac.view, who, item, at, "AC-01", &mut outcome);
    outcome
}

/// A move, a withdrawal, or a step out of the battle.
pub fn walk(ac: &Ac, choice: &Choice, percent: i32) -> StepOutcome {
    let who = choice.who.expect("a move has an actor");
    match set_out(ac, choice, percent) {
        Some(mover) => StepOutcome::default().then(MoveStep::<Activity>::of(mover)),
        None if choice.verb == &LEAVE => {
            StepOutcome::default().then(LeaveStep::<Activity>::of(who))
        }
        None => StepOutcome::default(),
    }
}

/// Who is on the way by a choice to move.
fn set_out(ac: &Ac, choice: &Choice, percent: i32) -> Option<Mover> {
    let (who, to) = (choice.who?, choice.to?);
    let withdraws = choice.verb == &WITHDRAW;
    let path = match &choice.along {
        Some(cells) => cells.to_vec(),
        None => ac.range(who, percent, withdraws).path(to).split_off(1),
    };
    let feet = ac.feet(who, percent, withdraws);
    Some(stride::mover(who, feet, withdraws, path))
}

/// A blow of a count.
#[derive(Clone, Debug)]
enum Blow {
    Stands(Attack),
    /// By who has charged, from wherever that led to; so many feet were gone in
    /// the round before it.
    Charges {
        choice: Choice,
        percent: i32,
        moved: u16,
    },
}

/// The blows of one count, those of chargers who got there among them, and
/// what else is done at it.
#[derive(Clone, Debug)]
struct Blows {
    blows: Vec<Blow>,
    meanwhile: Vec<Box<dyn Step>>,
}
system_step!(Blows, strike);

fn strike(In(Blows { blows, meanwhile }): In<Blows>, ac: Ac) -> StepOutcome {
    let dealt = |blow| match blow {
        Blow::Stands(attack) => Some(attack),
        Blow::Charges {
            choice,
            percent,
            moved,
        } => {
            // A run that ended sooner is worth the less (AC-21).
            let by = choice.who?;
            let run = ac.actor(by).moved.saturating_sub(moved);
            let attack = charge_after(&ac, &choice, percent, run, moved);
            let is_there = Some(ac.body(by).at) == choice.to;
            (is_there || ac.forecast(&attack).is_ok()).then_some(attack)
        }
    };
    let attacks: Vec<Attack> = blows.into_iter().filter_map(dealt).collect();
    StepOutcome::default().then(AttackBatch::of(attacks).with(meanwhile))
}
