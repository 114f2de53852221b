//! What the quick AI makes of its offers: how it plans its 100%, whom it
//! strikes, where it goes. Everything is read from what the side knows.

mod declaring;

use super::{
    ac::Ac,
    odds::Forecast,
    plan, spell,
    state::{Deed, Lasts},
    stride::{OPPORTUNITY, opportunity},
    targets::attack,
    turn,
};
use crate::{
    battle::{Attack, Choice, Id, Offer, PASS, sent_to},
    content::{Effect, Grant},
    grid::{Cell, Cover, Space},
    levels::Goal,
    rulesets::common::ai::field::{Field, Fields},
};
use bevy::ecs::{
    system::{In, Local},
    world::World,
};
use std::{
    cell::{OnceCell, RefCell},
    sync::Arc,
};

/// The choice that looks best.
pub fn policy(world: &mut World, who: Id, offers: &Arc<Vec<Offer>>) -> Choice {
    crate::battle::run_system(world, best, (who, offers.clone()))
}

fn best(In((who, offers)): In<(Id, Arc<Vec<Offer>>)>, ac: Ac, fields: Local<Fields>) -> Choice {
    let mind = Evaluation {
        ac: &ac,
        who,
        fields: RefCell::new(fields),
        field: OnceCell::new(),
    };
    let declares = |o: &Offer| plan::VERBS.contains(&o.choice.verb);
    if offers.iter().any(declares) {
        return mind.declare(&offers);
    }
    let legal = offers.iter().filter(|o| o.is_legal());
    let best = legal
        .rev()
        .max_by_key(|o| mind.score(&o.choice, o.provoked));
    best.unwrap_or(&offers[0]).choice.clone()
}

struct Evaluation<'a, 'w, 's> {
    ac: &'a Ac<'w, 's>,
    who: Id,
    fields: RefCell<Local<'s, Fields>>,
    /// Paces to where it wants to be: its objective, or the foes.
    field: OnceCell<Field>,
}

/// What an attack is worth: to drop a foe is worth most.
fn worth(forecast: &Forecast) -> i32 {
    let chances = forecast.chances();
    let hits = chances.hits_by_100 as i32 / 100;
    let share = hits.min(forecast.hits * 100) * 6 / forecast.hits.max(1);
    chances.drop as i32 / 10 + share + chances.stun_by_100 as i32 / 1000 - 1
}

impl Evaluation<'_, '_, '_> {
    /// What a spell aimed so is worth: foes hurt, friends spared.
    fn spell_worth(&self, choice: &Choice, points: i32) -> i32 {
        let ac = self.ac;
        let Some(kind) = choice.spell.map(|s| ac.view.spell(s)) else {
            return 0;
        };
        let caught = match (choice.at, choice.to) {
            (Some(at), _) => vec![at],
            (_, Some(to)) => spell::caught(ac, self.who, kind, to),
            _ => vec![],
        };
        let side = ac.body(self.who).side;
        let one = |id: Id| {
            let body = ac.body(id);
            let friend = body.side == side;
            if let Some(grant) = kind.activity.grants {
                return self.grant_worth(id, grant);
            }
            // Nobody needs to be struck when down; a fallen friend may die of it.
            if !body.is_up() && matches!(kind.effect, Effect::Damage(_)) {
                return if friend { -1000 } else { 0 };
            }
            let harm = match kind.effect {
                Effect::Damage(_) => worth(&spell::spell_forecast(ac, self.who, id, kind, points)),
                Effect::Hold { .. } if ac.actor(id).is_helpless() => 0,
                Effect::Hold { .. } => 250,
                Effect::Ward { .. } if ac.actor(id).ward() > 0 => return 0,
                Effect::Ward { .. } => return 40 + 60 * i32::from(ac.is_threatened(id)),
                Effect::Heal(_) => {
                    let lost = body.max_hp - body.hp;
                    return lost * 400 / body.max_hp.max(1);
                }
            };
            if friend { -2 * harm } else { harm }
        };
        caught.into_iter().map(one).sum()
    }

    /// What it is worth that somebody can do more in a round.
    fn grant_worth(&self, id: Id, grant: Grant) -> i32 {
        let ac = self.ac;
        let (actor, mut arms) = (ac.actor(id), ac.gear(id).ready());
        match grant {
            Grant::Swift if actor.has(Lasts::Swift) => 0,
            Grant::Swift => 50 + 60 * i32::from(ac.is_threatened(id)),
            Grant::QuickLoad if actor.has(Lasts::QuickLoad) => 0,
            // Only what takes longer than that is worth it.
            Grant::QuickLoad => {
                let slow = arms.any(|n| ac.weapon(n).activity.reload > 30);
                if slow { 90 } else { 0 }
            }
        }
    }

    fn score(&self, choice: &Choice, provoked: u64) -> i32 {
        let ac = self.ac;
        let verb = choice.verb;
        let percent = ac.actor(self.who).coming().map_or(100, |p| p.percent);
        if verb == &turn::GIVE_UP && self.is_there_already() {
            2000
        } else if verb == &PASS || verb == &turn::GIVE_UP {
            0
        } else if verb == &turn::WAIT {
            1
        } else if verb == &OPPORTUNITY {
            let attack = opportunity(ac, choice).and_then(|a| ac.forecast(&a).ok());
            1 + attack.map_or(0, |f| worth(&f))
        } else if verb == &turn::STRIKE || verb == &turn::SHOOT {
            let forecast = ac.forecast(&attack(ac, choice, percent));
            1 + forecast.map_or(-1, |f| worth(&f))
        } else if verb == &turn::CHARGE {
            let attack = attack(ac, choice, percent);
            let from = choice.to.unwrap_or(ac.body(self.who).at);
            let drawn = 30 * provoked.count_ones() as i32;
            let hit = ac.forecast_from(&attack, from).map_or(-1, |f| worth(&f));
            1 + hit - drawn
        } else if verb == &turn::MOVE || verb == &turn::WITHDRAW {
            self.place(choice.to, provoked) + i32::from(verb == &turn::WITHDRAW)
        } else if verb == &super::round::STAY {
            self.place(Some(ac.body(self.who).at), 0) + 1
        } else if verb == &turn::CAST_AT || verb == &turn::CAST_TO {
            let points = choice.spell.map_or(0, |s| ac.view.spell(s).activity.points);
            self.spell_worth(choice, points)
        } else if verb == &turn::STANCH {
            let bleeds = choice.at.map_or(0, |id| ac.actor(id).bleeding);
            10 + bleeds
        } else if verb == &turn::OPEN {
            let here = self.field().paces(ac.body(self.who).at);
            let there = choice.to.map_or(u16::MAX, |c| self.field().paces(c));
            if there < here { 50 } else { -1 }
        } else {
            -1
        }
    }

    /// The foe has come to it: the move that was to lead to a blow is not
    /// needed any more, and would only cost it OB (AC-23).
    fn is_there_already(&self) -> bool {
        let actor = self.ac.actor(self.who);
        let moves = actor.coming().is_some_and(|p| p.deed == Deed::Move);
        let mut after = actor.plan.iter().skip(actor.next + 1);
        let strikes = after.any(|p| p.deed == Deed::Melee);
        moves && strikes && self.ac.strikes_from(self.who, self.ac.body(self.who).at)
    }

    /// What it is worth to stand somewhere: near the foes for those who strike,
    /// in cover with a mark in sight for those who shoot.
    fn place(&self, cell: Option<Cell>, provoked: u64) -> i32 {
        let ac = self.ac;
        let Some(cell) = cell else { return -1 };
        let drawn = 30 * provoked.count_ones() as i32;
        if self.waits() {
            return 1000 + self.post(cell) - 3 * drawn;
        }
        let steps = i32::from(self.field().paces(cell).min(999));
        let gear = ac.gear(self.who);
        let bow = gear.ready().find(|&n| ac.weapon(n).activity.reload > 0);
        let Some(bow) = bow else {
            let strikes = if ac.strikes_from(self.who, cell) {
                40
            } else {
                0
            };
            return 1000 + strikes - steps - drawn;
        };
        let here = Space::new(cell, ac.body(self.who).size);
        let (mut marks, mut danger) = (0, 0);
        for foe in ac.foes(self.who) {
            let there = ac.body(foe).space();
            let sight = ac.view.board.sight(here, there);
            let attack = Attack {
                by: self.who,
                at: foe,
                with: bow,
                ranged: true,
                rule: "AC-01",
                extra: vec![],
            };
            if sight.los && ac.forecast_from(&attack, cell).is_ok() {
                marks = marks.max(match sight.cover {
                    Some(Cover::Full) => 10,
                    Some(Cover::Half) => 30,
                    _ => 50,
                });
            }
            let apart = i32::from(crate::grid::cells_apart(here, there));
            danger += (6 - apart).max(0) * 6;
        }
        let far = if marks == 0 { steps } else { 0 };
        1000 + marks - danger - far - drawn
    }

    /// Objectives of its side.
    fn goals(&self) -> impl Iterator<Item = &Goal> {
        let side = self.ac.body(self.who).side;
        let all = self.ac.view.level().objectives.iter();
        all.filter(move |o| side == o.side.into()).map(|o| &o.goal)
    }

    /// Its side loses if it falls.
    fn is_ward(&self) -> bool {
        self.wards().any(|id| id == self.who)
    }

    fn wards(&self) -> impl Iterator<Item = Id> {
        let wards = self.goals().filter_map(|goal| match goal {
            Goal::Protect(wards) => Some(wards.iter().map(|&w| Id::from(w))),
            _ => None,
        });
        wards.flatten()
    }

    /// It has to be kept from harm, or its side to hold out: the foes are not
    /// sought.
    fn waits(&self) -> bool {
        let survive = |goal: &Goal| matches!(goal, Goal::Survive { .. });
        self.is_ward() || self.goals().any(survive)
    }

    /// What it is worth to wait somewhere: out of sight; who guards somebody,
    /// near.
    fn post(&self, cell: Cell) -> i32 {
        let exposure = self.exposure(cell);
        if self.is_ward() {
            return -exposure;
        }
        let here = Space::new(cell, self.ac.body(self.who).size);
        let far = self.wards().map(|ward| {
            let there = self.ac.body(ward).space();
            i32::from(crate::grid::cells_apart(here, there))
        });
        let near = far.min().unwrap_or(0);
        -exposure / 4 - 15 * (near - 2).max(0)
    }

    /// How much the foes see of a cell, and how near they are to it.
    fn exposure(&self, cell: Cell) -> i32 {
        let ac = self.ac;
        let here = Space::new(cell, ac.body(self.who).size);
        let of = |foe: Id| {
            let there = ac.body(foe).space();
            let apart = i32::from(crate::grid::cells_apart(here, there));
            let seen = match ac.view.board.sight(there, here).cover {
                None => 0,
                Some(Cover::Full) => 5,
                Some(Cover::Half) => 15,
                Some(Cover::None) => 25,
            };
            seen + (8 - apart).max(0) * 10
        };
        ac.foes(self.who).map(of).sum()
    }

    fn field(&self) -> &Field {
        self.field.get_or_init(|| {
            let ac = self.ac;
            let (board, goals) = (&ac.view.board, sent_to(&ac.view, self.who));
            let mut fields = self.fields.borrow_mut();
            if !goals.is_empty() {
                return fields.to(board, &goals);
            }
            let foes = ac.foes(self.who).map(|foe| ac.body(foe).space());
            fields.nearest_of(board, foes.collect())
        })
    }
}
