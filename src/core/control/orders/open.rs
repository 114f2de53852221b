//! Orders that stay in force until they are done. Scenarios and bots use them instead of single
//! answers.

use super::{NextStep, Plan, Reason, carried_out, is_moment, parse, plan};
use crate::battle::{Battle, Choice, Id, Replica};

/// The plans of units that were given orders.
#[derive(Default)]
pub struct OpenOrders(Vec<Plan>);

/// The next step for the open orders.
#[derive(Clone, PartialEq, Debug)]
pub enum Carried {
    /// These answers come next.
    Answers(Vec<Choice>),
    /// This order cannot be carried out, and has been dropped.
    Failed(Id, Reason),
    /// The orders have nothing to answer: the side decides itself.
    Ask,
}

impl OpenOrders {
    /// Reads an order such as `alice: will attack goblin 2` and keeps it open, replacing any
    /// earlier order of the unit. The result is the unit's declarations, which must be answered
    /// first. `replica` is the replica of the unit's side.
    ///
    /// # Errors
    /// A message that says what cannot be read, and what could.
    pub fn take(
        &mut self,
        battle: &mut Battle,
        replica: &mut Replica,
        text: &str,
    ) -> Result<Vec<Choice>, String> {
        let (names, rules) = (battle.names().clone(), battle.rules());
        let mut find = |order: &str| battle.find(order).ok();
        let read = parse(text, &names, rules, &mut find)?;
        let made = plan(rules, battle.known(replica), read.who, read.order);
        let declared = made.declared.clone();
        self.drop(read.who);
        self.0.push(Plan {
            fallback: read.fallback,
            feet: made.feet.max(read.feet),
            ..made
        });
        Ok(declared)
    }

    /// What the orders of the asked units answer now. `replica` is the replica of the asked side.
    pub fn carry_out(&mut self, battle: &mut Battle, replica: &mut Replica) -> Carried {
        let rules = battle.rules();
        let asked = battle.asked().filter(|asked| is_moment(rules, asked));
        let Some(asked) = asked.filter(|asked| !asked.actors.is_empty()).cloned() else {
            return Carried::Ask;
        };
        let has_plan = |who: &Id| self.0.iter().any(|plan| plan.who == *who);
        if !asked.actors.iter().any(has_plan) {
            return Carried::Ask;
        }
        let offers = asked.actors.iter().map(|&who| (who, battle.offers_of(who)));
        let offers: Vec<_> = offers.collect();
        let known = battle.known(replica);
        // A turn that a unit held back is not a declaration, even before the first count.
        if !asked.reaction && (rules.planning.declaring)(known) {
            return Carried::Ask;
        }
        let offers_of = |who: Id| {
            let found = offers.iter().find(|(one, _)| *one == who);
            found.map(|(_, offers)| offers.clone()).unwrap_or_default()
        };
        let plan_of = |who: Id| self.0.iter().find(|plan| plan.who == who);
        match carried_out((rules, known), &asked, &[], offers_of, plan_of) {
            NextStep::Ask => Carried::Ask,
            NextStep::Pass(choice) => Carried::Answers(vec![choice]),
            NextStep::Give(who, answers) => {
                for plan in self.0.iter_mut().filter(|plan| plan.who == who) {
                    plan.is_begun |= plan.is_done_by(&answers);
                }
                Carried::Answers(answers)
            }
            NextStep::Failed(who, reason) => {
                self.drop(who);
                Carried::Failed(who, reason)
            }
        }
    }

    /// Drops the order of a unit.
    pub fn drop(&mut self, who: Id) {
        self.0.retain(|plan| plan.who != who);
    }

    /// Drops all orders.
    pub fn clear(&mut self) {
        self.0.clear();
    }
}
