//! What spells do when their casting is over (SK-70).

use super::{
    acts::cast,
    aftermath::Aftermath,
    alarm,
    fighter::Sk as Fact,
    magic::{Lasting, Spellwork, Told},
    sk::Sk,
    wounds,
};
use crate::{
    battle::{Change, Choice, DiceBox, Flow, Id, Modifier, Roll, State},
    content::{Dice, Effect, Save},
    system_step,
};
use bevy::ecs::system::{In, ResMut};

/// The end of a casting.
#[derive(Clone, Debug)]
pub struct Resolve {
    pub choice: Choice,
    /// The caster's hit points as the casting began: with fewer it is spoiled.
    pub hp: i32,
}
system_step!(Resolve, resolve);

fn resolve(In(Resolve { choice, hp }): In<Resolve>, sk: Sk, mut dice: ResMut<DiceBox>) -> Flow {
    let flow = Flow::default();
    let (Some(who), Some(spell)) = (choice.who, choice.spell) else {
        return flow;
    };
    if !sk.can_act(who) || sk.body(who).hp < hp {
        return flow.and("SK-70", Spellwork::Spoiled { who, spell }.event());
    }
    let caught = match cast::aim(&sk, &choice) {
        Ok(caught) => caught,
        Err(why) => return flow.and(why.rule, Change::Stopped { who, why: why.text }),
    };
    // What a spell catches is in hiding no longer.
    let mut flow = flow;
    caught.iter().for_each(|&id| sk.reveal(id, &mut flow));
    let mut work = Work {
        sk: &sk,
        dice: &mut dice,
        flow,
        by: who,
    };
    let kind = sk.view.spell(spell);
    match kind.effect {
        Effect::Damage(amount) => work.harm(&caught, amount, kind.save),
        Effect::Heal(amount) => caught.iter().for_each(|&id| work.heal(id, amount)),
        Effect::Ward { ac, rounds } => {
            for &id in &caught {
                work.lay(id, spell, rounds, Told::Ward(ac), kind.save);
            }
        }
        Effect::Hold { rounds } => {
            for &id in &caught {
                work.lay(id, spell, rounds, Told::Hold, kind.save);
            }
        }
    }
    let mut flow = work.flow;
    if matches!(kind.effect, Effect::Damage(_) | Effect::Hold { .. }) {
        // As good as an attack on each of them (SK-56).
        let foes = caught
            .iter()
            .filter(|&&id| sk.body(id).side != sk.body(who).side);
        alarm::by_attacks(&sk, foes.map(|&id| (who, id)).collect(), &mut flow);
    }
    flow.then(Aftermath)
}

/// A spell at work; all that it does is derived from the state before it.
struct Work<'a, 'w, 's> {
    sk: &'a Sk<'w, 's>,
    dice: &'a mut DiceBox,
    flow: Flow,
    by: Id,
}

impl Work<'_, '_, '_> {
    fn roll(&mut self, amount: Dice) -> Roll {
        let dice = (0..amount.count).map(|_| (amount.sides, self.dice.roll(amount.sides)));
        let mut roll = Roll {
            dice: dice.collect(),
            modifiers: vec![],
        };
        if amount.plus != 0 {
            let plus = Modifier::new(amount.plus, "spell", "SK-70");
            roll.modifiers.push(plus);
        }
        roll
    }

    fn saves(&mut self, who: Id, save: Save) -> bool {
        save != Save::None && self.sk.save(who, 0, self.dice, &mut self.flow)
    }

    /// One roll for all who are caught, a save for each.
    fn harm(&mut self, caught: &[Id], amount: Dice, save: Save) {
        let roll = self.roll(amount);
        let full = roll.total().max(0);
        for &who in caught {
            let saved = self.saves(who, save);
            if saved && save == Save::Negates {
                continue;
            }
            let points = if saved { full / 2 } else { full };
            let mut roll = roll.clone();
            if points < full {
                let spared = Modifier::new((points - full) as i16, "save", "SK-62");
                roll.modifiers.push(spared);
            }
            let damaged = Change::Damaged {
                who,
                by: Some(self.by),
                points,
                roll,
            };
            self.flow.emit("SK-70", damaged);
            if self.sk.body(who).hp <= points {
                wounds::fall(self.sk, who, true, &mut self.flow);
            }
        }
    }

    /// Hit points back, at most as many as it has unhurt. The fallen come to,
    /// prone, with just these.
    fn heal(&mut self, who: Id, amount: Dice) {
        let roll = self.roll(amount);
        let points = roll.total().max(0);
        let told = Change::Checked {
            who: Some(who),
            side: None,
            what: "healing".into(),
            roll,
            against: None,
            passed: None,
        };
        self.flow.emit("SK-70", told);
        let body = self.sk.body(who);
        if body.state == State::Up {
            let points = points.min(body.max_hp - body.hp);
            self.flow.emit("SK-70", Change::Healed { who, points });
            return;
        }
        if self.sk.fighter(who).dying.is_some() {
            self.flow.emit("SK-61", Fact::Stabilised { who }.event());
        }
        // Somebody may stand where it lies.
        if let Some(at) = self.sk.view.nearest_free(who, body.at) {
            let hp = points.clamp(1, body.max_hp);
            self.flow.emit("SK-70", Change::Revived { who, at, hp });
        }
    }

    /// A ward or a hold comes to lie on somebody, unless a save keeps it off.
    fn lay(
        &mut self,
        who: Id,
        spell: crate::battle::SpellId,
        rounds: i32,
        effect: Told,
        save: Save,
    ) {
        if self.saves(who, save) {
            return;
        }
        let lasting = Lasting {
            spell,
            by: self.by,
            rounds: rounds.clamp(1, 100) as u8,
        };
        let laid = Spellwork::Laid {
            who,
            lasting,
            effect,
        };
        self.flow.emit("SK-70", laid.event());
    }
}
