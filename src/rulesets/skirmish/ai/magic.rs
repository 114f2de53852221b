//! What spells are worth (SK-70).

use super::{Evaluation, HURT, KILL, OWN_LIFE};
use crate::{
    battle::{Attack, Choice, Id, State},
    content::{Dice, Effect, Save},
    rulesets::{common::damage::Damage, skirmish::acts::cast},
};

/// A spell that can be cast only so often must do better than a plain blow by
/// this much.
const THRIFT: i32 = 120;

impl Evaluation<'_, '_, '_> {
    /// A casting: what it does to foes less what it does to friends.
    pub(super) fn cast(&self, choice: &Choice) -> i32 {
        let (sk, who) = (self.sk, self.who);
        let (Some(spell), Ok(caught)) = (choice.spell, cast::aim(sk, choice)) else {
            return i32::MIN + 1;
        };
        let kind = sk.view.spell(spell);
        let one = |id: Id| match kind.effect {
            Effect::Damage(dice) => self.harm(id, dice, kind.save),
            Effect::Heal(dice) => self.mending(id, dice),
            Effect::Ward { ac, rounds } => self.warding(id, ac, rounds),
            Effect::Hold { rounds } => self.holding(id, rounds, kind.save),
        };
        let mut worth: i32 = caught.into_iter().map(one).sum();
        if kind.uses.is_some() {
            worth -= THRIFT;
        }
        if worth <= 0 {
            return i32::MIN + 1;
        }
        let foes = sk.provoked_by(who);
        if !foes.is_empty() {
            // A wound would spoil it.
            worth = worth * 6 / 10;
        }
        worth + self.place(sk.body(who).at) - self.opening(foes.into_iter())
    }

    /// The chance that a save fails, in percent.
    fn unsaved(&self, id: Id, save: Save) -> i32 {
        match save {
            Save::None => 100,
            _ => (self.sk.save_needs(id, 0) - 1).clamp(0, 20) * 5,
        }
    }

    fn harm(&self, id: Id, dice: Dice, save: Save) -> i32 {
        let hp = self.sk.body(id).hp.max(1);
        let damage = Damage::new(dice, vec![]);
        let mean = damage.mean_by_ten();
        let worth = |mean: i32, needs: i32| {
            let drops = damage.at_least(needs).percent() as i32;
            mean.min(hp * 10) * HURT / 10 / hp + KILL * drops / 100
        };
        let unsaved = self.unsaved(id, save);
        let saved = match save {
            Save::Half => worth(mean / 2, hp * 2),
            _ => 0,
        };
        let sum = (worth(mean, hp) * unsaved + saved * (100 - unsaved)) / 100;
        if self.is_friend(id) {
            // A comrade is not spent for a foe.
            -sum * 2
        } else {
            sum
        }
    }

    fn is_friend(&self, id: Id) -> bool {
        self.sk.body(id).side == self.sk.body(self.who).side
    }

    fn mending(&self, id: Id, dice: Dice) -> i32 {
        let body = self.sk.body(id);
        if body.state == State::Down {
            let rounds = i32::from(self.sk.fighter(id).dying.unwrap_or(0));
            return 650 + rounds * 60;
        }
        let mean = i32::from(dice.count) * (i32::from(dice.sides) + 1) / 2 + i32::from(dice.plus);
        let missing = body.max_hp - body.hp;
        let worth = OWN_LIFE * mean.min(missing) / body.max_hp.max(1);
        // A scratch can wait.
        if body.hp * 3 <= body.max_hp {
            worth * 3 / 2
        } else if body.hp * 2 <= body.max_hp {
            worth
        } else {
            worth / 3
        }
    }

    /// What the foes' hits would do less, as far as they come near.
    fn warding(&self, id: Id, ac: i32, rounds: i32) -> i32 {
        let sk = self.sk;
        if sk.ward(id).is_some_and(|(now, _)| now >= ac) {
            return 0;
        }
        let foes = sk.view.foes(sk.body(id).side);
        let spared: i32 = foes
            .map(|foe| self.hit_loss(foe, id) * ac.min(20) / 20)
            .sum();
        // Not all of them strike at this one.
        spared * rounds.min(4) / 4
    }

    /// What a hit of a foe costs one of ours, at its worst, if it can be struck
    /// within a turn.
    fn hit_loss(&self, foe: Id, id: Id) -> i32 {
        let sk = self.sk;
        let body = sk.body(id);
        let apart = crate::grid::cells_apart(sk.body(foe).space(), body.space()) * 5;
        let mut worst = 0;
        for with in sk.gear(foe).at_hand() {
            let weapon = sk.weapon(with);
            let near = sk
                .reach(foe, with)
                .is_some_and(|reach| apart <= reach + sk.speed(foe));
            let far = weapon
                .ranged
                .as_ref()
                .is_some_and(|r| i32::from(apart) <= r.normal);
            for (ranged, can) in [(false, near), (true, far)] {
                if can {
                    let plain = sk.plain_forecast(&Attack {
                        by: foe,
                        at: id,
                        with,
                        ranged,
                        rule: "SK-10",
                        extra: vec![],
                    });
                    let loss = plain.damage.mean_by_ten() * OWN_LIFE / 10 / body.hp.max(1);
                    worst = worst.max(loss.min(OWN_LIFE));
                }
            }
        }
        worst
    }

    /// What a foe would have done while it is held, and how easily it is hit.
    fn holding(&self, id: Id, rounds: i32, save: Save) -> i32 {
        let sk = self.sk;
        if self.is_friend(id) || sk.is_helpless(id) {
            return 0;
        }
        let ours = sk.view.standing(sk.body(self.who).side);
        let harm = ours.map(|ally| self.hit_loss(id, ally)).max().unwrap_or(0);
        (harm / 2 + 80) * rounds.min(3) * self.unsaved(id, save) / 100
    }
}
