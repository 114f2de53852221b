//! Spells, cast or used from a potion (SP-04, SP-22, SP-32).

use super::{
    super::{
        checks::Check,
        declared::{CASTING, USING},
        events::StressUse,
        state::Ailment,
        wounds::{DamageTally, Harm, heal},
    },
    Begun, declared,
    row::*,
};
use crate::rulesets::common::{
    areas,
    conditions::{TimesConditions, lay},
    damage::after_save,
    distinct, sorted,
};
use crate::rulesets::speed::content::SpeedSpell;
use crate::{
    battle::{ActiveCondition, Modifier, Roll, Rule, SpellId},
    content::{Effect, Save, Skill, Spell, SpellArea},
    grid::Space,
};

verbs! {
    CAST = "cast at", "cast {spell} at {at}", "casts {spell} at {at}", "SP-32";
    CAST_AT_PLACE = "cast at a place", "cast {spell} at {to}", "casts {spell} at {to}", "SP-32";
    USE = "use on", "use {spell} on {at}", "uses {spell} on {at}", "SP-04";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        CAST: 'm' "Cast" Spell (plain), "Cast the declared spell.",
            Chances::Odds(attacks_of::cast), |eval, offer| eval.staying(play::spell(eval, &offer.choice));
        CAST_AT_PLACE: 'm' "Cast" Spell (plain), "Cast the declared spell at a cell.",
            Chances::Odds(attacks_of::cast), |eval, offer| eval.staying(play::spell(eval, &offer.choice));
    },
    when: When::Declared(&[&CASTING]),
    offers: |sp, who, out| offers(sp, who, &CAST, out),
    begin: |sp, choice| standard(sp, choice, 1, |begun| cast(sp, choice, begun)),
};

pub(super) const POTION: ActGroup = ActGroup {
    acts: rows! {
        USE: 'j' "Use" Heart (plain), "Use the declared item.",
            Chances::Odds(attacks_of::touched), |eval, offer| eval.staying(play::spell(eval, &offer.choice));
    },
    when: When::Declared(&[&USING]),
    offers: |sp, who, out| offers(sp, who, &USE, out),
    begin: |sp, choice| standard(sp, choice, 1, |begun| empty(choice, begun)),
};

pub(super) const DECLARED: Declaration = Declaration {
    verbs: &[&CASTING],
    offers: |sp, who, out| {
        for &spell in sp.view.sheet(who).spells.iter() {
            let choice = Choice::new(&CASTING, who).spell(spell);
            out.push(fit(sp, choice, can_cast(sp, who, spell)));
        }
    },
    adds: |sp, choice| {
        let spell = choice.spell.map(|spell| sp.view.spell(spell));
        spell.map_or(0, |spell| spell.section::<SpeedSpell>().speed)
    },
    at_count: NOTHING,
};

pub(super) const POTION_DECLARED: Declaration = Declaration {
    verbs: &[&USING],
    offers: |sp, who, out| {
        for &spell in distinct(&sp.fighter(who).potions) {
            let choice = Choice::new(&USING, who).spell(spell);
            out.push(fit(sp, choice, sp.has_a_hand(who)));
        }
    },
    adds: |_, _| tables().initiative.consumable,
    at_count: NOTHING,
};

/// Whether the unit can cast the spell: it can speak, has castings left, and enough mana or
/// Stress.
pub fn can_cast(sp: &SpeedQuery, who: Id, spell: SpellId) -> Result<(), Why> {
    let (fighter, kind) = (sp.fighter(who), sp.view.spell(spell));
    Why::of_actor("SP-27", "cannot speak").when(fighter.has(Hurt::Mute))?;
    fighter.castings.needs_left(spell, kind, "SP-32")?;
    let price = kind.section::<SpeedSpell>().mana;
    if fighter.mana + fighter.stress < price {
        return Err(Why::new("SP-22", format!("it takes {price} mana")));
    }
    Ok(())
}

/// Whether a target suits the spell: enemies for harm, allies for help, anyone for an area.
fn suits(sp: &SpeedQuery, who: Id, at: Id, spell: &Spell) -> bool {
    let friend = sp.side(at) == sp.side(who);
    match (spell.area, &spell.effect) {
        (SpellArea::One, effect) => friend != effect.harms(),
        (SpellArea::Cone(_) | SpellArea::Line(_), _) => at != who,
        _ => true,
    }
}

fn offers(sp: &SpeedQuery, who: Id, verb: &'static Action, out: &mut Vec<Offer>) {
    let Some(spell) = declared(sp, who).and_then(|declared| declared.spell) else {
        return;
    };
    let kind = sp.view.spell(spell);
    let uses = verb == &USE;
    let able = match verb == &CAST {
        true => can_cast(sp, who, spell),
        false => sp.has_a_hand(who),
    };
    let may = needs_standard(sp, who).and(able);
    // A potion for one creature also goes to an ally.
    let is_ally = |at| uses && kind.area == SpellArea::One && sp.side(at) == sp.side(who);
    let fits = |&at: &Id| sp.is_there(at) && (is_ally(at) || suits(sp, who, at, kind));
    let feet = if uses { 5 } else { reach(kind) };
    let offer = |at: Id| {
        let there = sp.body(at).space();
        let in_range = || areas::in_range(&sp.view, who, feet, there, "SP-32");
        let legal = may.clone().and_then(|()| in_range());
        Offer::from(Choice::new(verb, who).at(at).spell(spell), legal)
    };
    let mut offers: Vec<Offer> = sp.view.ids().filter(fits).map(offer).collect();
    if verb == &CAST && kind.area != SpellArea::One {
        places(sp, who, spell, &may, &mut offers);
    }
    let none = Choice::new(verb, who).spell(spell);
    let why = Why::new("SP-32", "no valid target");
    list_or(offers.into_iter(), none, why, out);
}

/// Adds casts of an area spell at free cells next to enemies, where it affects at least one
/// unit. Such a cell may cover more targets than an enemy's own cell.
fn places(sp: &SpeedQuery, who: Id, spell: SpellId, may: &Result<(), Why>, out: &mut Vec<Offer>) {
    let kind = sp.view.spell(spell);
    let enemies = sp.view.enemies(sp.side(who)).filter(|&id| sp.is_there(id));
    let cells = enemies.flat_map(|enemy| sp.body(enemy).space().cells());
    let beside = cells.flat_map(Cell::neighbours);
    let free = |cell: &Cell| sp.view.board.contains(*cell) && sp.view.on(*cell).is_none();
    for cell in sorted(beside.filter(free)) {
        let choice = Choice::new(&CAST_AT_PLACE, who).spell(spell).to(cell);
        if sp.caught(&choice).is_empty() {
            continue;
        }
        let in_range = || areas::in_range(&sp.view, who, reach(kind), cell.into(), "SP-32");
        let legal = may.clone().and_then(|()| in_range());
        out.push(Offer::from(choice, legal));
    }
}

/// Feet at which the spell can be aimed: its range, or its length if it starts at the caster.
fn reach(spell: &Spell) -> i32 {
    match spell.area {
        SpellArea::Cone(feet) | SpellArea::Line(feet) if spell.range == 0 => feet,
        _ => spell.range,
    }
}

/// Pays mana, and Stress once mana runs out (SP-22).
fn cast(sp: &SpeedQuery, choice: &Choice, begun: &mut Begun) {
    let who = choice.actor();
    let spell = choice.spell.expect("a spell is chosen");
    let price = sp.view.spell(spell).section::<SpeedSpell>().mana;
    let mana = price.min(sp.fighter(who).mana);
    let stress = price - mana;
    let outcome = &mut begun.outcome;
    outcome.emit("SP-32", SpeedEvent::Cast { who, spell });
    if mana > 0 {
        outcome.emit("SP-22", SpeedEvent::ManaSpent { who, points: mana });
    }
    if stress > 0 {
        let (points, on) = (stress, StressUse::Mana);
        outcome.emit("SP-22", SpeedEvent::StressSpent { who, points, on });
    }
    begun.actions.push(Box::new(Casting(choice.clone())));
}

/// Uses up a potion.
fn empty(choice: &Choice, begun: &mut Begun) {
    let who = choice.actor();
    let spell = choice.spell.expect("a potion holds a spell");
    let drunk = SpeedEvent::Drunk { who, spell };
    begun.outcome.emit("SP-04", drunk);
    begun.actions.push(Box::new(Casting(choice.clone())));
}

/// The casting check: a d20 with Cast and Memory.
pub fn check(sp: &SpeedQuery, who: Id) -> Check {
    let skill = Some(Skill::Cast);
    sp.check(who, "casting", skill, Ability::Memory, "SP-32")
}

#[derive(Clone, Debug)]
struct Casting(Choice);
system_step!(Casting, casting);

/// Rolls the casting against the casting target number, then applies the spell (SP-32). End
/// checks wait until everything at this count has happened (SP-03).
fn casting(
    In(Casting(choice)): In<Casting>,
    sp: SpeedQuery,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    let (Some(who), Some(spell)) = (choice.who, choice.spell) else {
        return outcome;
    };
    let kind = sp.view.spell(spell);
    let target = kind.section::<SpeedSpell>().target;
    // A spell from a potion needs no check.
    if choice.verb != &USE && !check(&sp, who).passes("SP-32", target, &mut dice, &mut outcome) {
        return outcome;
    }
    let caught = sp.caught(&choice);
    if kind.area != SpellArea::One {
        outcome.emit("GR-41", EventKind::caught(spell, &caught));
    }
    take_effect(&sp, who, spell, &caught, &mut dice, &mut outcome);
    outcome
}

impl SpeedQuery<'_, '_> {
    /// Units affected by a spell aimed at a unit or a cell, in id order.
    pub fn caught(&self, choice: &Choice) -> Vec<Id> {
        let (Some(who), Some(spell)) = (choice.who, choice.spell) else {
            return vec![];
        };
        let spell = self.view.spell(spell);
        if spell.area == SpellArea::One {
            return Vec::from_iter(choice.at);
        }
        let to = self.aimed_at(choice);
        to.map_or(vec![], |to| {
            areas::caught(&self.view, who, spell, to, |id| self.is_there(id))
        })
    }

    fn aimed_at(&self, choice: &Choice) -> Option<Space> {
        let at = choice.at.map(|at| self.body(at).space());
        at.or(choice.to.map(Space::one))
    }

    /// Cells covered by a spell aimed this way (GR-41).
    pub fn area(&self, choice: Choice) -> Vec<Cell> {
        let to = self.aimed_at(&choice);
        let (Some(who), Some(spell), Some(to)) = (choice.who, choice.spell, to) else {
            return vec![];
        };
        areas::cells(&self.view, who, self.view.spell(spell), to)
    }
}

fn take_effect(
    sp: &SpeedQuery,
    who: Id,
    id: SpellId,
    caught: &[Id],
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) {
    let spell = sp.view.spell(id);
    let mut throw = |d| Roll::thrown(d, "spell", "SP-32", dice);
    match spell.effect {
        Effect::Damage(d) => {
            let roll = throw(d);
            let mut toll = DamageTally::default();
            for &victim in caught {
                let saved = saves(sp, victim, spell, dice, outcome);
                let Some(points) = after_save(roll.total().max(0), spell.save, saved) else {
                    continue;
                };
                let kind = Some(spell.section::<SpeedSpell>().kind);
                let harm = Harm {
                    by: Some(who),
                    ..Harm::plain(victim, kind, points, roll.clone())
                };
                toll.take(sp, harm, outcome);
            }
            toll.close(sp, outcome);
        }
        Effect::Heal(d) => {
            for &friend in caught {
                heal(sp, friend, throw(d).total().max(0), outcome);
            }
        }
        Effect::Lasts {
            ref condition,
            rounds,
        } => {
            for &at in caught {
                if condition.harms() && saves(sp, at, spell, dice, outcome) {
                    continue;
                }
                // Holding spells count as a grapple, so that the target can break free.
                if !condition.idle {
                    lay::<Speed>(sp, who, id, at, outcome);
                    continue;
                }
                for condition in [SpeedCondition::Stunned, SpeedCondition::Grappled] {
                    let rounds = Some(rounds.clamp(1, 255) as u8);
                    let ailment = Ailment::new(condition, rounds, None);
                    let held = SpeedEvent::Afflicted { who: at, ailment };
                    outcome.emit("SP-32", held);
                }
            }
        }
    }
}

/// A lasting effect ends with the last of its rounds (SP-32).
impl TimesConditions for Speed {
    const LASTS: Rule = "SP-32";

    fn saves(
        sp: &SpeedQuery,
        who: Id,
        from: &ActiveCondition,
        dice: &mut DiceBox,
        outcome: &mut StepOutcome,
    ) -> bool {
        let spell = from.spell.map(|spell| sp.view.spell(spell));
        spell.is_some_and(|spell| saves(sp, who, spell, dice, outcome))
    }
}

/// Rolls a save against the casting target number: the better of Strength and Agility, plus
/// half the hit dice.
fn saves(
    sp: &SpeedQuery,
    who: Id,
    spell: &Spell,
    dice: &mut DiceBox,
    outcome: &mut StepOutcome,
) -> bool {
    if spell.save == Save::None {
        return false;
    }
    let both = [Ability::Strength, Ability::Agility];
    let best = both.into_iter().rev().max_by_key(|&a| sp.modifier(who, a));
    let ability = best.unwrap_or(Ability::Strength);
    let mut check = sp.check(who, "save", None, ability, "SP-32");
    let half = sp.stats(who).hit_dice / 2;
    Modifier::push(&mut check.modifiers, half, "half the HD", "SP-32");
    let target = spell.section::<SpeedSpell>().target;
    check.passes("SP-32", target, dice, outcome)
}
