//! Plans in recordings, so that a loaded battle continues its units' plans in mid-round.

use super::{Intent, Session};
use crate::{
    battle::{Choice, Id},
    control::{
        orders::{self, Plan},
        recording::{Plans, RecordedPlan},
        simulation::Supposition,
    },
};
use std::sync::Arc;

impl Session {
    pub(super) fn recorded_plans(&self) -> Plans {
        let recorded = |&(round, answers, ref intent): &(u16, usize, Intent)| {
            self.recorded(round, answers, intent)
        };
        let dropped = self.intents.dropped.iter().map(|plan| RecordedPlan {
            dropped: true,
            ..recorded(plan)
        });
        let all = self.intents.all.iter().map(recorded).chain(dropped);
        let (said, (round, supposed)) = (self.intents.unplanned.iter(), &self.intents.supposed);
        let supposed = supposed.iter().map(|(enemy, supposition)| {
            let target = match supposition {
                Supposition::Holds => None,
                Supposition::Attacks(target) => Some(target.0),
            };
            (*round, enemy.0, target)
        });
        let held = self.held().map(|held| {
            let names = self.game.names();
            let orders = held.plan.declared.iter();
            let (round, now) = (self.round(), self.game.answered());
            let plan = held.plan.is_aimed.then(|| self.recorded(round, now, held));
            (orders.map(|order| order.text(names)).collect(), plan)
        });
        Plans {
            all: all.collect(),
            declared: said.map(|(round, answer, _)| (*round, *answer)).collect(),
            held,
            sequence: self.intents.sequence.iter().map(|who| who.0).collect(),
            supposed: supposed.collect(),
        }
    }

    fn recorded(&self, round: u16, answers: usize, intent: &Intent) -> RecordedPlan {
        RecordedPlan {
            round,
            answers,
            order: orders::to_text(&intent.plan, self.game.names()),
            declared: intent.plan.declared.len(),
            begun: intent.plan.is_begun,
            dropped: false,
            label: intent.label.clone(),
            odds: intent.odds.clone(),
            key: intent.key,
            risk: intent.possible_attackers,
        }
    }

    /// Restores the plans of a recording, as far as the battle has come. Unreadable plans are
    /// dropped: the player decides for their units.
    pub(super) fn take_up(&mut self, plans: &Plans) {
        let answers: Vec<Choice> = self.game.answers().to_vec();
        for kept in &plans.all {
            if let Some(before) = answers.get(..kept.answers)
                && let Some(intent) = self.read_plan(kept, before)
            {
                let place = (kept.round, kept.answers, intent);
                match kept.dropped {
                    true => self.intents.dropped.push(place),
                    false => self.intents.all.push(place),
                }
            }
        }
        let said = plans.declared.iter().filter_map(|&(round, answer)| {
            let choice = answers.get(answer)?;
            Some((round, answer, choice.clone()))
        });
        self.intents.unplanned.extend(said);
        let units = self.shown().units.len();
        let is_unit = |id: &u16| usize::from(*id) < units;
        let sequence = plans.sequence.iter().copied().filter(is_unit);
        self.intents.sequence = sequence.map(Id).collect();
        let supposed = plans.supposed.iter().filter(|s| is_unit(&s.1));
        let supposed = supposed.filter(|s| s.2.as_ref().is_none_or(is_unit));
        if let Some(&(round, ..)) = plans.supposed.first() {
            let attacks = |target| Supposition::Attacks(Id(target));
            let all = supposed.map(|s| (Id(s.1), s.2.map_or(Supposition::Holds, attacks)));
            self.intents.supposed = (round, Arc::new(all.collect()));
        }
        if let Some((orders, plan)) = &plans.held
            && let Some(held) = self.read_held(orders, plan.as_ref())
        {
            self.set_held(Some(held));
        }
        self.intents.version += 1;
        self.note_missed();
    }

    /// A plan that was made after these answers; `None` if it can't be read.
    fn read_plan(&self, kept: &RecordedPlan, before: &[Choice]) -> Option<Intent> {
        let names = self.game.names();
        let mut find = |text: &str| {
            let mut given = before.iter().rev();
            given.find(|choice| choice.text(names) == text).cloned()
        };
        let plan = orders::parse(&kept.order, names, self.game.rules(), &mut find).ok()?;
        let own = before.iter().filter(|choice| choice.who == Some(plan.who));
        let own: Vec<Choice> = own.cloned().collect();
        let from = own.len().checked_sub(kept.declared)?;
        Some(Intent {
            key: kept.key,
            odds: kept.odds.clone(),
            label: kept.label.clone(),
            possible_attackers: kept.risk,
            plan: Plan {
                is_begun: kept.begun,
                declared: own[from..].to_vec(),
                ..plan
            },
        })
    }

    /// The order that waits for confirmation; `None` if it can't be read.
    fn read_held(&self, orders: &[String], plan: Option<&RecordedPlan>) -> Option<Intent> {
        let mut ahead = self.game.battle.at(self.game.answered());
        let mut given = vec![];
        for order in orders {
            let choice = ahead.find(order).ok()?;
            ahead.answer(choice.clone()).ok()?;
            given.push(choice);
        }
        let who = given.first()?.who?;
        match plan {
            Some(kept) => self.read_plan(kept, &[self.game.answers(), &given].concat()),
            None => Some(self.said(who, given)),
        }
    }
}
