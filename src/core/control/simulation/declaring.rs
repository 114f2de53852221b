//! What a side's declarations lead to: what the quick AI would declare, and whether the round
//! begins.

use super::{Enemies, Fork, Observed, Situation, play};
use crate::{
    battle::{Choice, Id, Planning},
    control::orders::{Order, Plan},
};

/// The most decisions until the action of a unit is known.
const MAX: usize = 80;

/// What the quick AI would declare for a unit, and for what.
#[derive(Clone, PartialEq, Debug)]
pub struct Suggestion {
    pub plan: Plan,
    /// The choice that says what the plan is for: an action or a declaration.
    pub main: Choice,
    /// Whether that is an action that follows the declarations.
    pub is_action: bool,
}

impl Situation {
    /// Whether these are the side's last declarations, so that the round begins. With `skips`,
    /// units with nothing worth a stop are not asked.
    pub fn ends_declaring(&self, orders: &[Choice], skips: bool) -> bool {
        let mut fork = self.fork(Enemies::Passive);
        let (round, side) = (fork.round(), fork.side());
        if !orders.iter().all(|order| fork.answer(order, &mut ignore)) {
            return false;
        }
        let is_skippable = fork.rules().planning.is_skippable;
        let mut ends = true;
        play(&mut fork, round, &|| false, &mut |fork, observed| {
            let Observed::Question(asked) = observed else {
                return true;
            };
            let is_declaring = fork.is_declaring();
            let is_own = is_declaring && asked.side == side && asked.is_turn();
            let mut actors = asked.actors.iter();
            let mut is_skipped = || skips && actors.all(|&who| is_skippable(fork.world(), who));
            ends = !is_own || is_skipped();
            ends && is_declaring
        });
        ends
    }

    /// What the quick AI would declare for a unit, and for what. Its allies carry out their plans
    /// with average dice, so that it does not attack what they are likely to drop by then; all
    /// other allies stay idle.
    pub fn suggest(&self, who: Id) -> Option<Suggestion> {
        let mut fork = self.fork(Enemies::Expected);
        let round = fork.round();
        let mut declared = vec![];
        let mut action: Option<Choice> = None;
        for _ in 0..MAX {
            // The plan of an ally may end the battle before the unit acts.
            let Some(asked) = fork.asked().cloned().filter(|_| fork.round() == round) else {
                break;
            };
            if fork.carry_out(&asked) {
                continue;
            }
            let is_own = asked.actors.contains(&who) && asked.is_turn();
            let is_declaring = fork.is_declaring();
            if !is_own && is_declaring && declared.is_empty() {
                return None;
            }
            let choice = match is_own {
                true => fork.sensible(who),
                false => fork.idle(&asked),
            };
            if is_own && is_declaring {
                declared.push(choice.clone());
            } else if is_own {
                let is_act = choice.at.is_some() || choice.to.is_some();
                if !is_act || action.as_ref().is_some_and(|known| known.at.is_some()) {
                    break;
                }
                action = Some(choice.clone());
            }
            if !fork.answer(&choice, &mut ignore) {
                break;
            }
        }
        Suggestion::of(fork.rules().planning, who, declared, action)
    }
}

impl Suggestion {
    fn of(
        planning: &Planning,
        who: Id,
        declared: Vec<Choice>,
        action: Option<Choice>,
    ) -> Option<Self> {
        let first = declared.first()?.clone();
        let is_plain = declared.iter().all(|choice| planning.leaves_open(choice));
        let mut named = declared.iter();
        let named = named.find(|choice| choice.at.is_some() && choice.spell.is_none());
        let named = named.cloned();
        let mut plan = Plan::as_declared(who, declared);
        if let Some(main) = named {
            // What follows a declaration that names its target is decided later.
            plan.order = Order::act(&main, main.at, main.to);
            return Some(Self {
                plan,
                main,
                is_action: false,
            });
        }
        if let Some(action) = &action {
            let mut declared = plan.declared.iter();
            let spell = declared.find(|choice| choice.spell.is_some());
            plan.order = match (spell, action.at, action.to) {
                (Some(spell), at, to) => Order::act(spell, at, to),
                // A plain attack is repeated with its weapon.
                (None, Some(target), _) if planning.is_attack(action.verb) => Order::Attack {
                    target,
                    by: Some(action.verb),
                    with: action.with,
                },
                (None, Some(target), _) => Order::attack(target),
                (None, None, Some(to)) => Order::Move { to },
                (None, None, None) => plan.order,
            };
        }
        // A unit whose order leaves everything to its turn is asked then.
        plan.is_aimed = plan.aims() || !is_plain;
        Some(Self {
            plan,
            is_action: action.is_some(),
            main: action.unwrap_or(first),
        })
    }
}

fn ignore(_: &mut Fork, _: Observed) {}
