//! What the quick AI makes of its offers: `evaluation` weighs attacks and
//! spells, `plans` what to declare. Everything is read from what its side knows.

mod evaluation;
mod plans;

use super::{
    acts::{
        AIM, AIM_AT_PLACE, BIND, CALL, CALL_SHOT, DELAY, DONE, GO, GRAB, LOAD, OPEN, PICK_UP,
        SHIFT, SHOOT, STAND_UP, STRIKE, THROW, THRUST, USE, USE_ON, is_use, strike_speed,
    },
    declare,
    fast::{FLEE, MEET, STAND_FAST, meeting},
    ph::Ph,
    reactions::{self, CAST, FREE_ATTACK, IMMEDIATE_ATTACK},
    routine::{Routine, Way},
    spells,
    state::{Group, Part},
    stride::{charge_feet, run_up},
};
use crate::rulesets::phased::content::PhasedSpell;
use crate::{
    battle::{Action, Choice, Id, MoveEnd, Offer, PASS},
    content::{Effect, Spell},
    grid::{Cell, Space},
    rulesets::{
        common::{
            ai::{self, Arm, Charge, NEVER, Thinks},
            gear::{WORTH_STOOPING, gain, price_of_throwing},
        },
        phased::Phased,
    },
};
use evaluation::BESIDE;

/// What it is worth to make somebody lose a spell.
const SPOILT: i32 = 700;

/// What one combatant makes of the battle while it decides.
type Evaluation<'a, 'w, 's> = ai::Evaluation<'a, 'w, 's, Phased>;

impl Thinks for Phased {
    type Own = ();
    /// A charge, what its side and others know of it.
    type Traits = (bool, u8, u8);
    /// Groups take turns: who has to come first is often met half-way.
    const COMING: i32 = 50;
    /// Who counts on comrades to share it has proved too bold on the way to
    /// where an objective sends them.
    const SHARED: bool = false;

    fn own(_: &Ph, _: Id, _: &[Offer]) {}

    fn foes(ph: &Ph, who: Id) -> Vec<Id> {
        ph.foes_seen(who).collect()
    }

    fn aim(ph: &Ph, by: Id, at: Id, arm: &mut Arm) {
        evaluation::aim(ph, by, at, arm);
    }

    fn traits(ph: &Ph, id: Id) -> Option<Self::Traits> {
        let f = ph.fighter(id);
        Some((f.charged, f.seen_hedged, f.seen_immune))
    }

    fn comes(ph: &Ph, foe: Id) -> Option<u16> {
        (!ph.view.is_held(foe)).then(|| ph.rate(foe))
    }

    fn charge(ph: &Ph, foe: Id) -> Option<Charge> {
        // PH-42: on its feet, and out of melee.
        let is_free = !ph.body(foe).prone && !ph.in_melee(foe);
        is_free.then(|| Charge {
            who: foe,
            feet: charge_feet(ph, foe),
            ways: ph.ways(foe),
        })
    }

    fn charge_end(ph: &Ph, charge: &Charge, there: Space, _: u16) -> Option<Cell> {
        let way = run_up(ph, charge.who, there, &charge.ways, charge.feet);
        way.ok()?.last().copied()
    }

    fn is_out_of_sight(ph: &Ph, here: Space, there: Space) -> bool {
        // PH-27: wholly behind cover.
        ph.view.board.unseen_share(here, there) >= 100
    }

    fn hinders(_: &Ph, _: Id) -> Option<u16> {
        Some(BESIDE)
    }

    fn price_of_place(mind: &Evaluation, at: Cell) -> i32 {
        mind.crowd(at)
    }

    fn unsaved(ph: &Ph, spell: &Spell, id: Id) -> i32 {
        (spells::save_against(ph, id, spell).0 - 1) * 5
    }

    fn resists(ph: &Ph, who: Id, spell: &Spell, id: Id) -> bool {
        ph.knows(who, id, false) && spells::is_immune(ph, spell, id)
    }

    fn spoils(ph: &Ph, id: Id) -> i32 {
        match ph.fighter(id).concentrates() {
            true => SPOILT,
            false => 0,
        }
    }

    fn is_held(ph: &Ph, id: Id) -> bool {
        ph.view.is_held(id)
    }

    fn score(mind: &Evaluation, offers: &[Offer], offer: &Offer) -> i32 {
        score(mind, offers, offer)
    }

    fn score_at_most<'m>(
        mind: &'m Evaluation,
        offer: &'m Offer,
    ) -> Option<impl Fn(MoveEnd) -> i32 + 'm> {
        let verb = offer.choice.verb;
        let goes = verb == &GO || verb == &FLEE || verb == &SHIFT;
        goes.then_some(move |end: MoveEnd| mind.at_most(end.to).1 - price_of_way(verb, end))
    }

    fn score_to_beat(mind: &Evaluation, offer: &Offer, end: MoveEnd, beat: i32) -> Option<i32> {
        match is_busy(mind) {
            true => Some(NEVER),
            false => go(mind, offer.choice.verb, end, beat),
        }
    }
}

fn score(mind: &Evaluation, offers: &[Offer], offer: &Offer) -> i32 {
    let (ph, who, choice) = (mind.state, mind.who, &offer.choice);
    let verb = choice.verb;
    if let Some(score) = plans::score(mind, choice) {
        return score;
    }
    if verb == &PASS {
        return plans::own_spell(mind, offers);
    }
    if verb == &DONE {
        return done(mind, offers);
    }
    let attack = [&STRIKE, &THRUST, &SHOOT, &THROW, &CALL, &CALL_SHOT];
    if attack.contains(&verb) {
        let routine = super::acts::routine(ph, choice).expect("it is an attack");
        let attack = ph
            .blows(&routine)
            .into_iter()
            .next()
            .map(|blow| blow.attack);
        let price = attack.map_or(0, |attack| price_of_throwing(&ph.view, &attack));
        return 30 + mind.attack(&routine) - price;
    }
    if verb == &FREE_ATTACK || verb == &IMMEDIATE_ATTACK {
        let routine = reactions::routine(ph, choice).expect("it is an attack");
        return 1 + mind.attack(&routine);
    }
    if verb == &MEET {
        return 1 + meeting(ph, choice).map_or(0, |routine| mind.attack(&routine));
    }
    if verb == &GRAB {
        // One chance in twenty to disarm it.
        return choice.at.map_or(0, |foe| mind.danger_from(foe)) / 20;
    }
    if verb == &CAST {
        return immediate(mind, choice);
    }
    if verb == &AIM || verb == &USE_ON || verb == &AIM_AT_PLACE || verb == &USE {
        let spell = choice
            .spell
            .map_or(0, |spell| mind.spell(spell, choice.at, choice.to));
        // What is not under way need not be used for nothing, nor so that a
        // spell under way comes a round later.
        let ability = choice.spell.filter(|_| is_use(choice));
        let Some(ability) = ability else {
            return spell + 10;
        };
        let longer = ph.view.spell(ability).section::<PhasedSpell>().segments;
        let late = ph
            .fighter(who)
            .casting
            .is_some_and(|c| c.segments <= spells::ROUND && c.segments + longer > spells::ROUND);
        return match spell <= 0 || late {
            true => NEVER,
            false => spell + 10,
        };
    }
    // A segment more for a spell, or for the routines to come, is worth none
    // of the acts beside them.
    let casts = ph.fighter(who).casting.is_some();
    if is_busy(mind) && verb != &STAND_UP || verb == &STAND_UP && casts {
        return NEVER;
    }
    if verb == &GO || verb == &FLEE || verb == &SHIFT {
        let go = |end| go(mind, verb, end, i32::MIN);
        offer.end(0).and_then(go).unwrap_or(NEVER)
    } else if verb == &STAND_FAST {
        mind.stay()
    } else if verb == &DELAY {
        delay(mind)
    } else if verb == &STAND_UP {
        mind.stay() + 250
    } else if verb == &OPEN {
        mind.open(choice.to)
    } else if verb == &BIND {
        mind.stay() + 200
    } else if verb == &LOAD {
        mind.stay() + 40
    } else if verb == &PICK_UP && stoops(ph, who, choice) {
        mind.stay() + 50
    } else if verb == &declare::NO_MORE {
        0
    } else {
        NEVER
    }
}

/// It casts a spell, or has routines still to come.
fn is_busy(mind: &Evaluation) -> bool {
    let f = mind.state.fighter(mind.who);
    f.casting.is_some() || f.routines > 0
}

/// What a move is worth, or none if that is less than `beat`.
fn go(mind: &Evaluation, verb: &'static Action, end: MoveEnd, beat: i32) -> Option<i32> {
    let price = price_of_way(verb, end);
    mind.place_to_beat(end.to, beat, |_| -price, |_| -price)
}

fn price_of_way(verb: &'static Action, end: MoveEnd) -> i32 {
    match verb == &SHIFT {
        true => 5,
        false => i32::from(end.feet) / 5,
    }
}

/// For who has nothing in hand, and nothing half as good to draw.
fn stoops(ph: &Ph, who: Id, choice: &Choice) -> bool {
    let gain = choice.with.map_or(0, |item| gain(&ph.view, who, item));
    ph.gear(who).in_hand().is_none() && gain >= WORTH_STOOPING
}

/// Waiting in one part of the turn is for something better in another.
fn done(mind: &Evaluation, offers: &[Offer]) -> i32 {
    let (ph, who) = (mind.state, mind.who);
    match ph.clock.part {
        Part::Melee | Part::Multi | Part::Rest => slower(mind, offers),
        // Who has somewhere to be goes there, unless a shot is very good.
        Part::Missile if mind.has_far_to_go() && !ph.in_melee(who) => 300,
        Part::Missile | Part::Innate => 0,
        _ => mind.stay(),
    }
}

/// In a tie: what a slower weapon than those of this moment would do.
fn slower(mind: &Evaluation, offers: &[Offer]) -> i32 {
    let (ph, who) = (mind.state, mind.who);
    let speeds = offers.iter().filter_map(|o| strike_speed(ph, &o.choice));
    let Some(now) = speeds.max() else { return 0 };
    let mut best = 0;
    for foe in ph
        .foes_seen(who)
        .filter(|&foe| ph.reaches(who, foe).is_ok())
    {
        for item in ph.strike_items(who) {
            let routine = Routine::new(who, foe, item, Way::Strike, "PH-35");
            if ph.speed_of(who, item, Way::Strike) > now && ph.look(&routine).is_ok() {
                best = best.max(25 + mind.attack(&routine));
            }
        }
    }
    best
}

/// Worth it when the foes have yet to come, and nobody shoots (PH-16): who
/// goes to meet them is struck first.
fn delay(mind: &Evaluation) -> i32 {
    let (ph, who) = (mind.state, mind.who);
    // A spell, or what is left of the round, is better had early.
    let f = ph.fighter(who);
    if f.spent || ph.clock.group == Group::Low || ph.in_melee(who) || ph.clock.part != Part::Other {
        return NEVER;
    }
    match mind.had_better_wait() {
        true => mind.stay() + mind.way_here() * 3 / 4 + 60,
        false => NEVER,
    }
}

/// An immediate ward is for the blow that it turns.
fn immediate(mind: &Evaluation, choice: &Choice) -> i32 {
    let (ph, who) = (mind.state, mind.who);
    let Some(spell) = choice.spell.map(|s| ph.view.spell(s)) else {
        return NEVER;
    };
    let Effect::Lasts { condition, .. } = &spell.effect else {
        return ph.body(who).max_hp - ph.body(who).hp - 4;
    };
    let row = |id: Id| ph.stats(id).row;
    let turned = ph.pending_attacks.all().iter().any(|shot| {
        let by = shot.attack.by;
        let (worn, _) = ph.armour_class(who, shot.attack.ranged);
        let total = shot.roll.total();
        shot.attack.at == who
            && total >= row(by).need(worn)
            && total < row(by).need(worn - condition.defense)
    });
    if turned { 300 } else { -1 }
}

impl Evaluation<'_, '_, '_> {
    /// What a spell is worth against somebody, or put somewhere: its victims
    /// less its friends.
    fn spell(
        &self,
        id: crate::battle::SpellId,
        at: Option<Id>,
        to: Option<crate::grid::Cell>,
    ) -> i32 {
        let spell = self.state.view.spell(id);
        match (at, to) {
            // It may yet come into sight.
            (Some(at), _) if spells::can_affect(self.state, self.who, spell, at).is_err() => {
                self.spell_on(spell, at) / 4
            }
            (Some(at), _) => self.spell_on(spell, at),
            (_, Some(to)) => {
                let caught = spells::caught(self.state, self.who, spell, to);
                caught.into_iter().map(|id| self.spell_on(spell, id)).sum()
            }
            _ => 0,
        }
    }
}
