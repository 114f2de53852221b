//! How the quick AI scores its offers: `evaluation` rates attacks and spells, `plans` rates
//! declarations. It uses only what its side knows.

mod evaluation;
pub mod plans;

use super::{
    acts::{self, GO, SHIFT, is_use, strike_speed},
    fast::{FLEE, meeting},
    movement::{charge_feet, charge_lane},
    query::PhasedQuery,
    reactions,
    routine::{AttackWay, Routine},
    spells,
    state::{Group, PhasePart},
};
use crate::rulesets::phased::content::PhasedSpell;
use crate::{
    battle::{Action, Choice, Id, MoveEnd, Offer},
    content::{Effect, Spell},
    grid::{Cell, Space},
    rulesets::{
        common::{
            act,
            ai::{self, Arm, Charge, EndWorth, NEVER, QuickAi},
            gear::{WORTH_STOOPING, gain, price_of_throwing},
        },
        phased::Phased,
    },
};
use evaluation::BESIDE;

/// Worth of making an enemy lose a spell.
const SPOILT: i32 = 700;

/// What a unit knows and weighs while it decides.
type Evaluation<'a, 'w, 's> = ai::Evaluation<'a, 'w, 's, Phased>;

impl QuickAi for Phased {
    act::acts!(Phased: act::grouped(&acts::ACTS), acts::DECLARED, acts::OTHERS);

    type Own = ();
    /// Whether the unit charged, and which sides know what does not harm it.
    type Traits = (bool, u8, u8);
    /// Groups take turns, so an enemy that must move first is often intercepted.
    const COMING: i32 = 50;
    /// Counting on allies to share the danger made units too bold on the way to an objective.
    const SHARED: bool = false;

    fn own(_: &PhasedQuery, _: Id, _: &[Offer]) {}

    fn enemies(ph: &PhasedQuery, who: Id) -> Vec<Id> {
        ph.enemies_seen(who).collect()
    }

    fn aim(ph: &PhasedQuery, by: Id, at: Id, arm: &mut Arm) {
        evaluation::aim(ph, by, at, arm);
    }

    fn traits(ph: &PhasedQuery, id: Id) -> Option<Self::Traits> {
        let f = ph.fighter(id);
        Some((f.charged, f.seen_hedged, f.seen_immune))
    }

    fn approach_feet(ph: &PhasedQuery, enemy: Id) -> Option<u16> {
        (!ph.view.is_held(enemy)).then(|| ph.rate(enemy))
    }

    fn charge(ph: &PhasedQuery, enemy: Id) -> Option<Charge> {
        // PH-42: not while prone, and not out of melee.
        let is_free = !ph.body(enemy).prone && !ph.in_melee(enemy);
        is_free.then(|| Charge {
            who: enemy,
            feet: charge_feet(ph, enemy),
            ways: ph.ways(enemy),
        })
    }

    fn charge_end(ph: &PhasedQuery, charge: &Charge, there: Space, _: u16) -> Option<Cell> {
        let way = charge_lane(ph, charge.who, there, &charge.ways, charge.feet);
        way.ok()?.last().copied()
    }

    fn is_out_of_sight(ph: &PhasedQuery, here: Space, there: Space) -> bool {
        // PH-27: wholly behind cover.
        ph.view.board.unseen_share(here, there) >= 100
    }

    fn hinder_feet(_: &PhasedQuery, _: Id) -> Option<u16> {
        Some(BESIDE)
    }

    fn price_of_place(eval: &Evaluation, at: Cell) -> i32 {
        eval.crowd(at)
    }

    fn unsaved(ph: &PhasedQuery, spell: &Spell, id: Id) -> i32 {
        (spells::save_against(ph, id, spell).0 - 1) * 5
    }

    fn resists(ph: &PhasedQuery, who: Id, spell: &Spell, id: Id) -> bool {
        ph.knows(who, id, false) && spells::is_immune(ph, spell, id)
    }

    fn worth_of_disrupting(ph: &PhasedQuery, id: Id) -> i32 {
        match ph.fighter(id).concentrates() {
            true => SPOILT,
            false => 0,
        }
    }

    fn is_held(ph: &PhasedQuery, id: Id) -> bool {
        ph.view.is_held(id)
    }

    fn score_of_move<'m>(
        eval: &'m Evaluation,
        offer: &'m Offer,
    ) -> Option<impl Fn(MoveEnd, &EndWorth) -> i32 + 'm> {
        let verb = offer.choice.verb;
        let goes = verb == &GO || verb == &FLEE || verb == &SHIFT;
        let busy = goes && is_busy(eval);
        goes.then_some(move |end: MoveEnd, there: &EndWorth| match busy {
            true => NEVER,
            false => there.place - price_of_way(verb, end),
        })
    }
}

/// An attack on the unit's own turn.
pub fn attack(eval: &Evaluation, choice: &Choice) -> i32 {
    let ph = eval.state;
    let routine = acts::routine(ph, choice).expect("it is an attack");
    let blow = ph.blows(&routine).into_iter().next();
    let price = blow.map_or(0, |blow| price_of_throwing(&ph.view, &blow.attack));
    30 + eval.attack(&routine) - price
}

/// A reaction's attack.
pub fn reaction(eval: &Evaluation, choice: &Choice) -> i32 {
    let routine = reactions::routine(eval.state, choice).expect("it is an attack");
    1 + eval.attack(&routine)
}

/// A set weapon's attack on a charging enemy.
pub fn meet(eval: &Evaluation, choice: &Choice) -> i32 {
    1 + meeting(eval.state, choice).map_or(0, |routine| eval.attack(&routine))
}

/// A chance of one in twenty to disarm the enemy.
pub fn grab(eval: &Evaluation, choice: &Choice) -> i32 {
    choice.at.map_or(0, |enemy| eval.danger_from(enemy)) / 20
}

/// An aimed spell or ability. An ability is never used without a benefit, or if it would delay a
/// spell being cast into the next round.
pub fn aimed(eval: &Evaluation, choice: &Choice) -> i32 {
    let (ph, who) = (eval.state, eval.who);
    let spell = choice.spell;
    let worth = spell.map_or(0, |spell| eval.spell(spell, choice.at, choice.to));
    let Some(ability) = spell.filter(|_| is_use(choice)) else {
        return worth + 10;
    };
    let longer = ph.view.spell(ability).section::<PhasedSpell>().segments;
    let casting = ph.fighter(who).casting;
    let late =
        casting.is_some_and(|c| c.segments <= spells::ROUND && c.segments + longer > spells::ROUND);
    match worth <= 0 || late {
        true => NEVER,
        false => worth + 10,
    }
}

/// A side action of a busy unit is never worth it: it would make its spell longer or its remaining
/// routines slower.
pub fn unless_busy(eval: &Evaluation, worth: i32) -> i32 {
    match is_busy(eval) {
        true => NEVER,
        false => worth,
    }
}

/// A casting unit stays prone.
pub fn stand_up(eval: &Evaluation) -> i32 {
    match eval.state.fighter(eval.who).casting {
        Some(_) => NEVER,
        None => eval.stay() + 250,
    }
}

/// A delay on the unit's turn.
pub fn delay_now(eval: &Evaluation) -> i32 {
    match is_busy(eval) {
        true => NEVER,
        false => delay(eval),
    }
}

/// Opening a door.
pub fn open(eval: &Evaluation, offer: &Offer) -> i32 {
    match is_busy(eval) {
        true => NEVER,
        false => eval.open(offer.choice.to),
    }
}

/// Picking up a weapon.
pub fn pick_up(eval: &Evaluation, choice: &Choice) -> i32 {
    match !is_busy(eval) && stoops(eval.state, eval.who, choice) {
        true => eval.stay() + 50,
        false => NEVER,
    }
}

/// Whether the unit is casting a spell or has routines left.
fn is_busy(eval: &Evaluation) -> bool {
    let f = eval.state.fighter(eval.who);
    f.casting.is_some() || f.routines > 0
}

fn price_of_way(verb: &'static Action, end: MoveEnd) -> i32 {
    match verb == &SHIFT {
        true => 5,
        false => i32::from(end.feet) / 5,
    }
}

/// Worth it for a unit with an empty hand whose own weapons are much worse.
fn stoops(ph: &PhasedQuery, who: Id, choice: &Choice) -> bool {
    let gain = choice.with.map_or(0, |item| gain(&ph.view, who, item));
    ph.gear(who).in_hand().is_none() && gain >= WORTH_STOOPING
}

/// Passing in one part of the turn keeps the action for a better one in another part.
pub fn done(eval: &Evaluation, offers: &[Offer]) -> i32 {
    let (ph, who) = (eval.state, eval.who);
    match ph.clock.part {
        PhasePart::Melee | PhasePart::Multi | PhasePart::Rest => slower(eval, offers),
        // A unit with a place to reach moves there, unless a shot is very good.
        PhasePart::Missile if eval.has_far_to_go() && !ph.in_melee(who) => 300,
        PhasePart::Missile | PhasePart::Innate => 0,
        _ => eval.stay(),
    }
}

/// In a tie: the worth of waiting for a slower weapon than the ones that act now.
fn slower(eval: &Evaluation, offers: &[Offer]) -> i32 {
    let (ph, who) = (eval.state, eval.who);
    let speeds = offers.iter().filter_map(|o| strike_speed(ph, &o.choice));
    let Some(now) = speeds.max() else { return 0 };
    let mut best = 0;
    for enemy in ph
        .enemies_seen(who)
        .filter(|&enemy| ph.reaches(who, enemy).is_ok())
    {
        for item in ph.strike_items(who) {
            let routine = Routine::new(who, enemy, item, AttackWay::Strike, "PH-35");
            if ph.speed_of(who, item, AttackWay::Strike) > now && ph.look(&routine).is_ok() {
                best = best.max(25 + eval.attack(&routine));
            }
        }
    }
    best
}

/// Worth it if enemies have yet to come close and none of them shoots (PH-16): the side that moves
/// up is attacked first.
fn delay(eval: &Evaluation) -> i32 {
    let (ph, who) = (eval.state, eval.who);
    // A spell or the rest of a round is better used early.
    let f = ph.fighter(who);
    if f.spent
        || ph.clock.group == Group::Low
        || ph.in_melee(who)
        || ph.clock.part != PhasePart::Other
    {
        return NEVER;
    }
    match eval.had_better_wait() {
        true => eval.stay() + eval.way_here() * 3 / 4 + 60,
        false => NEVER,
    }
}

/// An immediate ward pays if it turns a rolled hit into a miss, a cure if it heals much.
pub fn immediate(eval: &Evaluation, choice: &Choice) -> i32 {
    let (ph, who) = (eval.state, eval.who);
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
    /// The worth of a spell on a unit or a cell: enemies caught count for it, allies against it.
    fn spell(
        &self,
        id: crate::battle::SpellId,
        at: Option<Id>,
        to: Option<crate::grid::Cell>,
    ) -> i32 {
        let spell = self.state.view.spell(id);
        match (at, to) {
            // The target may still come into sight.
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
