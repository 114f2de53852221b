//! Why a unit's plan failed, by what its side has seen.

use super::Fork;
use crate::{
    battle::{Body, CueKind, Event, EventKind, Id, Ruleset, of_unit, standing_up},
    control::orders::{self, Order, Plan, Reason},
    grid::cells_apart,
};
use bevy_ecs::world::World;

/// What a side knows now, and what it has seen since a plan was made.
pub struct Evidence<'a> {
    pub rules: &'static Ruleset,
    pub world: &'a mut World,
    pub events: Vec<Event>,
}

/// Something bad that happened to a unit.
struct Setback {
    reason: Reason,
    /// Its name, if its effect lasts: "stunned".
    word: String,
    /// Whether it ends what the unit was doing.
    stops: bool,
}

impl Setback {
    fn new(reason: Reason) -> Self {
        Self {
            reason,
            word: String::new(),
            stops: false,
        }
    }

    fn stop(reason: Reason) -> Self {
        Self {
            stops: true,
            ..Self::new(reason)
        }
    }

    /// Whether this setback caused the other one.
    fn explains(&self, other: &Self) -> bool {
        let text = match &other.reason {
            Reason::Stopped { why, .. } => why.as_ref(),
            Reason::Harmed { what, .. } => what.as_str(),
            _ => return false,
        };
        !self.word.is_empty() && text.contains(&self.word)
    }
}

impl<'a> Evidence<'a> {
    /// What a fork shows about the round that was played on it.
    pub fn of_fork(fork: &'a mut Fork) -> Self {
        Self {
            rules: fork.rules(),
            events: fork.seen().cloned().collect(),
            world: fork.world(),
        }
    }

    fn body(&self, who: Id) -> &Body {
        of_unit(self.world, who)
    }

    /// The last setback of a unit, and whether it stopped what the unit was doing.
    pub fn setback(&mut self, who: Id) -> Option<(Reason, bool)> {
        let setback = self.last_setback(who)?;
        Some((setback.reason, setback.stops))
    }

    fn last_setback(&mut self, who: Id) -> Option<Setback> {
        let mut attacker = None;
        let mut last = None::<Setback>;
        for event in std::mem::take(&mut self.events) {
            match &event.what {
                EventKind::AttackRolled { rolled_attack } if rolled_attack.attack.at == who => {
                    attacker = Some(rolled_attack.attack.by);
                }
                EventKind::Damaged { who: hurt, by, .. } if *hurt == who => {
                    attacker = by.or(attacker);
                }
                EventKind::Fell { who: fallen } | EventKind::Died { who: fallen }
                    if *fallen == who =>
                {
                    let by = attacker;
                    return Some(Setback::new(Reason::Downed { who, by }));
                }
                _ => {
                    let Some(news) = self.bad_news(&event, who, attacker) else {
                        continue;
                    };
                    // The cause of a stop is the setback before it.
                    last = match last {
                        Some(known) if news.stops && known.explains(&news) => Some(Setback {
                            stops: true,
                            ..known
                        }),
                        _ => Some(news),
                    };
                }
            }
        }
        last
    }

    /// Something bad that happens to a unit; `by` is its last attacker.
    fn bad_news(&mut self, event: &Event, who: Id, by: Option<Id>) -> Option<Setback> {
        match &event.what {
            EventKind::ConditionBegan {
                who: on, lasting, ..
            } if *on == who && lasting.by != who => {
                let name = lasting.condition.name.clone();
                let by = Some(lasting.by);
                Some(Setback::new(Reason::Condition { name, by }))
            }
            EventKind::Stopped { who: stopped, why } if *stopped == who => {
                let adjacency_rules = self.rules.planning.adjacency_rules.contains(&event.rule);
                let adjacent_enemy =
                    adjacency_rules.then(|| Reason::adjacent_enemy(self.world, who));
                let (why, rule) = (why.clone(), event.rule);
                let reason = adjacent_enemy.flatten();
                Some(Setback::stop(
                    reason.unwrap_or(Reason::Stopped { why, rule }),
                ))
            }
            EventKind::Checked(check) if check.who == Some(who) && check.passed == Some(false) => {
                let what = check.what.clone();
                Some(Setback::new(Reason::CheckFailed { what }))
            }
            EventKind::Ruleset(own) => {
                let cue = own.cue().filter(|cue| cue.who == Some(who))?;
                let word = cue.word.to_string();
                match cue.kind {
                    CueKind::Stop => Some(Setback::stop(Reason::Stopped {
                        why: cue.word,
                        rule: event.rule,
                    })),
                    CueKind::Bad => Some(Setback {
                        word: word.clone(),
                        ..Setback::new(Reason::Harmed {
                            what: word,
                            is_own: by == Some(who),
                            by: by.filter(|&by| by != who),
                        })
                    }),
                    _ => None,
                }
            }
            _ => None,
        }
    }

    /// Why a melee attack on a target that is out of the fight would have failed anyway: where a
    /// walk takes the action of an attack, a unit attacks only what is in reach from its cell.
    /// `None` if the unit could have attacked, had the target stood.
    pub fn too_far_anyway(self, plan: &Plan, target: Id) -> Option<Reason> {
        let (rules, who) = (self.rules, plan.who);
        let is_melee = match plan.order {
            Order::Attack { by: Some(by), .. } => Some(by) == rules.planning.melee(),
            _ => false,
        };
        if !is_melee || !rules.planning.walk_is_action {
            return None;
        }
        let has_walked = self.events.iter().any(|event| match event.what {
            EventKind::Moved { who: mover, .. } => mover == who,
            _ => false,
        });
        let apart = cells_apart(self.body(who).space(), self.body(target).space());
        let could = |known: &mut World| orders::can_attack_now(rules, known, plan);
        let is_near = apart <= 1 || standing_up(self.world, target, could);
        match (has_walked || plan.feet > 0 && !is_near, is_near) {
            (true, _) => Some(Reason::OutOfTime {
                target: Some(target),
            }),
            (false, true) => None,
            (false, false) => Some(Reason::too_far(rules, self.world, plan, target)),
        }
    }

    /// Why a plan was not begun, as far as it can be seen afterwards.
    pub fn why_missed(mut self, plan: &Plan) -> Reason {
        let who = plan.who;
        let setback = self.last_setback(who);
        // A lasting effect keeps a unit from everything else.
        let stop = setback.as_ref().filter(|setback| setback.stops);
        let stops = stop.is_some();
        let is_kept = stop.is_some_and(|setback| !setback.word.is_empty());
        let setback = setback.map(|setback| setback.reason);
        if !self.body(who).is_up() {
            return setback.unwrap_or(Reason::Downed { who, by: None });
        }
        let setback = match (is_kept, setback) {
            (true, Some(reason)) => return reason,
            (_, setback) => setback,
        };
        let target = plan.order.target().filter(|_| !plan.is_spell());
        let Some(target) = target else {
            let to = plan.order.cell().filter(|_| !plan.is_spell());
            let blocked = to.and_then(|to| Reason::occupied(self.world, who, to));
            let late = match plan.is_move() && plan.order.cell().is_some() {
                true => Reason::Short,
                false => Reason::OutOfTime { target: None },
            };
            return blocked.or(setback).unwrap_or(late);
        };
        let there = self.body(target);
        // A fallen ally can still be helped.
        let is_enemy = there.side != self.body(who).side;
        if let Some(gone) = Reason::gone(self.world, target).filter(|_| is_enemy) {
            return gone;
        }
        let apart = cells_apart(self.body(who).space(), there.space());
        let planning = self.rules.planning;
        let charges = match &plan.order {
            Order::Attack { by: Some(by), .. } => planning.is_charge(by),
            Order::Act { declared, .. } => planning.is_charge(declared.verb),
            _ => false,
        };
        let is_button = charges || matches!(plan.order, Order::Act { .. });
        let could = apart <= 1 || is_button || orders::is_in_reach(self.rules, self.world, plan);
        match (stops || could, setback) {
            (true, Some(reason)) => reason,
            (true, None) => {
                let shares = Reason::shares_cell(self.rules, self.world, who);
                // An enemy that arrives first leaves no room for a charge.
                let adjacent_enemy = charges.then(|| Reason::adjacent_enemy(self.world, who));
                let target = Some(target);
                let hindered = shares.or(adjacent_enemy.flatten());
                hindered.unwrap_or(Reason::OutOfTime { target })
            }
            (false, _) => Reason::too_far(self.rules, self.world, plan, target),
        }
    }
}
