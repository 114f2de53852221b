//! How the quick AI scores its offers; `plans` scores declarations. It uses only what its side
//! knows.

pub mod plans;

use super::{
    Phased,
    acts::{self, SHIFT, is_use, strike_speed},
    content::PhasedSpell,
    movement::{charge_feet, charge_lane},
    query::PhasedQuery,
    routine::{AttackWay, Routine},
    spells,
    state::{Group, PhasePart},
};
use crate::{
    battle::{Choice, Id, MoveEnd, Offer},
    content::{Effect, Spell},
    grid::{Cell, Space},
    rulesets::common::{
        act,
        ai::{
            self, AttackOption, Charge, Danger, EndWorth, Hit, KILL, NEVER, QuickAi, worth_of_hit,
        },
        inventory::{price_of_throwing, worthwhile_gain},
    },
};

/// Reach in feet of an enemy that must move first (PH-50).
const BESIDE: u16 = 5;
/// Cost of sharing a cell, which takes two units out of the fight.
const CROWD: i32 = 2 * KILL;
/// Worth of making an enemy lose a spell.
const SPOILT: i32 = 700;

type Evaluation<'a, 'w, 's> = ai::Evaluation<'a, 'w, 's, Phased>;

impl QuickAi for Phased {
    act::acts!(Phased: act::grouped(acts::ACTS), acts::DECLARED, acts::OTHERS);

    type Own = ();
    /// Whether the unit charged, and which sides know what does not harm it.
    type Traits = (bool, u8, u8);
    /// Groups take turns, so an enemy that must move first is often intercepted.
    const COMING: i32 = 50;
    /// Counting on allies to share the danger made units too bold on the way to an objective.
    const SHARED: bool = false;

    fn enemies(ph: &PhasedQuery, who: Id) -> Vec<Id> {
        ph.enemies_seen(who).collect()
    }

    fn aim(ph: &PhasedQuery, by: Id, at: Id, option: &mut AttackOption) {
        let strikes =
            || ph.strike_items(by).contains(&option.item) && ph.readying(by, option.item).is_ok();
        let way = match option.ranged {
            true => {
                option.adjacent_penalty = None;
                AttackWay::Shoot
            }
            false if strikes() => {
                (option.near, option.far) = (BESIDE, BESIDE);
                AttackWay::Strike
            }
            false => return,
        };
        let routine = Routine::new(by, at, option.item, way, "PH-35");
        let hit = |spec| {
            let forecast = ph.unobstructed_forecast(spec);
            let hit = worth_of_hit(forecast.hp, &forecast.damage);
            Hit::new(forecast.hit().favourable as i32, hit)
        };
        option.hits = ph.specs(&routine).iter().map(hit).collect();
    }

    fn traits(ph: &PhasedQuery, id: Id) -> Option<Self::Traits> {
        let f = ph.fighter(id);
        Some((f.charged, f.seen_hedged, f.seen_immune))
    }

    fn approach_feet(ph: &PhasedQuery, enemy: Id) -> Option<u16> {
        (!ph.view.is_held(enemy)).then(|| ph.rate(enemy))
    }

    fn locked_reach(ph: &PhasedQuery, enemy: Id) -> Option<u16> {
        // PH-50: out of melee, a unit can only flee.
        ph.in_melee(enemy).then(|| ph.melee_reach(enemy))
    }

    fn charge(ph: &PhasedQuery, enemy: Id) -> Option<Charge> {
        // PH-42: not while prone, and not out of melee.
        let is_free = !ph.body(enemy).prone && !ph.in_melee(enemy);
        is_free.then(|| Charge {
            who: enemy,
            least: 0,
            feet: charge_feet(ph, enemy),
            occupancy: ph.occupancy(enemy),
        })
    }

    fn charge_end(ph: &PhasedQuery, charge: &Charge, there: Space, _: u16) -> Option<Cell> {
        let way = charge_lane(ph, charge.who, there, &charge.occupancy, charge.feet);
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
        let concentrates = ph.fighter(id).concentrates();
        if concentrates { SPOILT } else { 0 }
    }

    fn score_of_move(eval: &Evaluation, offer: &Offer, end: MoveEnd, there: &EndWorth) -> i32 {
        match offer.choice.verb == &SHIFT {
            _ if is_busy(eval) => NEVER,
            true => there.place - 5,
            false => there.place - i32::from(end.feet) / 5,
        }
    }
}

/// An attack on the unit's own turn.
pub fn attack(eval: &Evaluation, choice: &Choice) -> i32 {
    let ph = eval.state;
    let routine = acts::routine(ph, choice).expect("it is an attack");
    let spec = ph.specs(&routine).into_iter().next();
    let price = spec.map_or(0, |spec| price_of_throwing(eval.view, &spec.attack));
    30 + eval.attack(&routine) - price
}

/// A reaction's attack, or a set weapon's attack on a charging enemy.
pub fn reaction(eval: &Evaluation, choice: &Choice) -> i32 {
    let attack = act::attack_of::<Phased>(eval.state, choice);
    1 + attack.map_or(0, |(routine, _)| eval.attack(&routine))
}

/// An aimed spell or ability. An ability is never used without a benefit, or if it would delay a
/// spell being cast into the next round.
pub fn aimed(eval: &Evaluation, choice: &Choice) -> i32 {
    let (ph, who) = (eval.state, eval.who);
    let Some(spell) = choice.spell.map(|spell| eval.view.spell(spell)) else {
        return 10;
    };
    let worth = match (choice.at, choice.to) {
        // The target may still come into sight.
        (Some(at), _) if spells::can_affect(ph, who, spell, at).is_err() => {
            eval.spell_on(spell, at) / 4
        }
        (Some(at), _) => eval.spell_on(spell, at),
        (_, Some(to)) => eval.spell_on_all(spell, spells::caught(ph, who, spell, to)),
        _ => 0,
    };
    let longer = spell.section::<PhasedSpell>().segments;
    let late = ph.fighter(who).casting.is_some_and(|casting| {
        casting.segments <= spells::ROUND && casting.segments + longer > spells::ROUND
    });
    let is_wasted = is_use(choice) && (worth <= 0 || late);
    if is_wasted { NEVER } else { worth + 10 }
}

/// A side action of a busy unit is never worth it: it would make its spell longer or its remaining
/// routines slower.
pub fn unless_busy(eval: &Evaluation, worth: impl FnOnce() -> i32) -> i32 {
    if is_busy(eval) { NEVER } else { worth() }
}

/// Whether the unit is casting a spell or has routines left.
fn is_busy(eval: &Evaluation) -> bool {
    let fighter = eval.state.fighter(eval.who);
    fighter.casting.is_some() || fighter.routines > 0
}

/// Picking up a weapon: worth it for a unit with an empty hand whose own weapons are much worse.
pub fn pick_up(eval: &Evaluation, choice: &Choice) -> Option<i32> {
    let stoops = |item| worthwhile_gain(eval.view, eval.who, item).is_some();
    let is_free = eval.view.inventory(eval.who).in_hand().is_none();
    (is_free && !is_busy(eval) && choice.with.is_some_and(stoops)).then_some(50)
}

/// Passing in one part of the turn keeps the action for a better one in another part.
pub fn done(eval: &Evaluation) -> i32 {
    let (ph, who) = (eval.state, eval.who);
    match ph.clock.part {
        PhasePart::Melee | PhasePart::Multi | PhasePart::Rest => slower(eval),
        // A unit with a place to reach moves there, unless a shot is very good.
        PhasePart::Missile if eval.has_far_to_go() && !ph.in_melee(who) => 300,
        PhasePart::Missile | PhasePart::Innate => 0,
        _ => eval.stay(),
    }
}

/// In a tie: the worth of waiting for a slower weapon than the ones that act now.
fn slower(eval: &Evaluation) -> i32 {
    let (ph, who) = (eval.state, eval.who);
    let speeds = eval
        .offers
        .iter()
        .filter_map(|o| strike_speed(ph, &o.choice));
    let Some(now) = speeds.max() else { return 0 };
    let mut best = 0;
    let near = |&enemy: &Id| ph.reaches(who, enemy).is_ok();
    for enemy in ph.enemies_seen(who).filter(near) {
        for item in ph.strike_items(who) {
            let routine = Routine::new(who, enemy, item, AttackWay::Strike, "PH-35");
            if ph.speed_of(who, item, AttackWay::Strike) > now && ph.can_make(&routine).is_ok() {
                best = best.max(25 + eval.attack(&routine));
            }
        }
    }
    best
}

/// A delay on the unit's turn. Worth it if an enemy could come close in LOW before it is attacked
/// and none of them shoots (PH-16): the side that moves up is attacked first.
pub fn delay_now(eval: &Evaluation) -> Option<i32> {
    let (ph, who) = (eval.state, eval.who);
    // A spell or the rest of a round is better used early.
    if is_busy(eval)
        || ph.fighter(who).spent
        || ph.clock.group == Group::Low
        || ph.clock.part != PhasePart::Other
        || ph.clock.round > 6
        || ph.in_melee(who)
        || eval.has_far_to_go()
        || eval.dangers().iter().any(|danger| danger.ranged != 0)
    {
        return None;
    }
    let comes = |f: &Danger| {
        let later = ph.group(f.enemy) == Group::Low && !ph.in_melee(f.enemy);
        later && eval.feet_to(f.space) <= f.strike && f.melee > 0
    };
    let is_worth_it = eval.dangers().iter().any(comes);
    let way = || {
        eval.aims()
            .cost_of_steps(eval.here, eval.offense(eval.here))
    };
    is_worth_it.then(|| way() * 3 / 4 + 60)
}

/// An immediate ward pays if it turns a rolled hit into a miss, a cure if it heals much.
pub fn immediate(eval: &Evaluation, choice: &Choice) -> Option<i32> {
    let (ph, who) = (eval.state, eval.who);
    let spell = eval.view.spell(choice.spell?);
    let Effect::Lasts { condition, .. } = &spell.effect else {
        return Some(ph.body(who).max_hp - ph.body(who).hp - 4);
    };
    let turned = ph.pending_attacks.all().iter().any(|rolled_attack| {
        let row = ph.stats(rolled_attack.attack.by).row;
        let (worn, _) = ph.armour_class(who, rolled_attack.attack.ranged);
        let total = rolled_attack.roll.total();
        rolled_attack.attack.at == who
            && total >= row.need(worn)
            && total < row.need(worn - condition.defense)
    });
    Some(if turned { 300 } else { -1 })
}

impl Evaluation<'_, '_, '_> {
    /// The worth of a routine in the current position: damage, and a spell that it may spoil. Less
    /// against a target that listens to a parley.
    fn attack(&self, routine: &Routine) -> i32 {
        let Ok(forecasts) = self.state.routine_forecasts(routine) else {
            return 0;
        };
        let target = self.state.fighter(routine.at);
        let mut miss = 1000;
        let mut harm = 0;
        for forecast in &forecasts {
            let hit = forecast.hit().favourable as i32;
            miss = miss * (20 - hit) / 20;
            harm += hit * worth_of_hit(forecast.hp, &forecast.damage);
        }
        let mut value = harm / 20;
        if target.concentrates() {
            value += SPOILT * (1000 - miss) / 1000;
        }
        if target.listens {
            value -= KILL / 2;
        }
        value
    }

    /// The cost of sharing a cell: its units cannot fight (PH-52).
    fn crowd(&self, at: Cell) -> i32 {
        let space = self.space(at);
        let there = |id: Id| {
            let body = self.state.body(id);
            id != self.who && body.is_up() && body.space().overlaps(space)
        };
        let is_shared = self.view.ids().any(there);
        if is_shared { CROWD } else { 0 }
    }
}
