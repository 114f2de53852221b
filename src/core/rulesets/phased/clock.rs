//! The timeline of a Phased round: which units act in each part of it, and what they declared.

use super::{
    acts::{self, shoot::is_quick},
    query::PhasedQuery,
    spells,
    state::{DeclaredPlan, Group, PhasePart},
};
use crate::battle::{Clock, Id, Moment, SpellId, TrackMark, TrackPart, capitalised, signed};
use bevy_ecs::system::In;

/// The stops of the timeline (PH-01): label, tooltip and the steps within it (PH-04, PH-05).
const STOPS: [(&str, &str, &[PhasePart]); 6] = [
    (
        "Declare",
        "Everyone declares; then each side rolls a d6",
        &[],
    ),
    ("Fast", "Fast actions, before both groups", &PhasePart::FAST),
    (
        "HIGH",
        "The side with the best roll acts, in this order; quick units may shoot (PH-03)",
        &PhasePart::KINDS,
    ),
    (
        "LOW",
        "The other sides and delayed units (PH-16) act, in this order",
        &PhasePart::KINDS,
    ),
    (
        "Spells",
        "Spells with few segments first; LOW adds 3",
        &[PhasePart::Rest, PhasePart::Spells],
    ),
    ("Last", "Units that go last; work; end of round", &[]),
];

/// Index of the stop before both groups.
const FAST: usize = 1;
/// Indices of the groups' stops.
const HIGH: usize = 2;
const LOW: usize = 3;

/// The index of the stop that a part of the round belongs to.
fn place(part: PhasePart, group: Group) -> usize {
    let first = STOPS.iter().position(|stop| stop.2.contains(&part));
    match (first, part) {
        (Some(HIGH), _) if group == Group::Low => LOW,
        (Some(stop), _) => stop,
        (None, PhasePart::Declare) => 0,
        (None, _) => STOPS.len() - 1,
    }
}

pub fn clock(In(()): In<()>, ph: PhasedQuery) -> Clock {
    let (part, group) = (ph.clock.part, ph.clock.group);
    let now = place(part, group);
    let steps = |n: usize| {
        let when = |step: PhasePart| n.cmp(&now).then(step.cmp(&part)).into();
        let named = |&step: &PhasePart| (capitalised(step.name()).into(), when(step));
        STOPS[n].2.iter().map(named).collect()
    };
    let stop = |n: usize| TrackPart {
        tip: STOPS[n].1.into(),
        marks: marks(&ph, n),
        inner: steps(n),
        ..TrackPart::new(STOPS[n].0, n.cmp(&now).into())
    };
    Clock {
        round: ph.clock.round,
        turn: acts::side_now(&ph),
        now: current(&ph, ()),
        track: (0..STOPS.len()).map(stop).collect(),
    }
}

/// The current part of the round.
pub fn current(ph: &PhasedQuery, (): ()) -> Moment {
    let (part, group) = (ph.clock.part, ph.clock.group);
    let now = place(part, group);
    let step = match now {
        FAST | HIGH | LOW if part == PhasePart::Innate => "abilities and targets",
        FAST | HIGH | LOW if part == PhasePart::Other => "moves and other acts",
        FAST | HIGH | LOW => part.name(),
        _ => "",
    };
    let name = match (step, part) {
        ("", PhasePart::Declare | PhasePart::Spells | PhasePart::End) => capitalised(part.name()),
        ("", _) => format!("{}: {}", group.name(), part.name()),
        (step, _) => format!("{}: {step}", STOPS[now].0),
    };
    Moment {
        label: STOPS[now].0.into(),
        step: step.into(),
        ..Moment::named(name)
    }
}

/// The units that have something to do at a stop, and what.
fn marks(ph: &PhasedQuery, stop: usize) -> Vec<TrackMark> {
    let rolled = !ph.clock.initiative.is_empty();
    let mark = |id: Id| {
        let f = ph.fighter(id);
        let mut why = String::new();
        let (what, done) = match stop {
            FAST => (is_fast(ph, id).then(|| plan(ph, id))?, f.spent),
            HIGH | LOW => {
                let bound = f.casting.is_some() || f.work.is_some();
                let is_low = ph.group(id) == Group::Low;
                match is_low == (stop == LOW) && !is_fast(ph, id) {
                    _ if !rolled || f.surprised || bound => return None,
                    true if stop == LOW && is_quick(ph, id) => {
                        why = String::from("LOW for everything but shots (PH-03)");
                    }
                    true => {}
                    false if stop == HIGH && is_quick(ph, id) => why = early_shot(ph, id),
                    false => return None,
                }
                (plan(ph, id), f.spent)
            }
            4 => (spell(ph, id)?, false),
            _ => {
                let last = stop == 5 && (f.work.is_some() || ph.stats(id).last);
                (last.then(|| plan(ph, id))?, false)
            }
        };
        Some(TrackMark {
            what: what.into(),
            why: why.into(),
            done,
            ..TrackMark::new(id)
        })
    };
    let up = ph.view.ids().filter(|&id| ph.is_up(id));
    up.filter_map(mark).collect()
}

/// Why a unit whose side acts in LOW may shoot in HIGH (PH-03).
fn early_shot(ph: &PhasedQuery, id: Id) -> String {
    let adds = signed(ph.stats(id).reaction);
    format!("HIGH for shots: its reaction adds {adds} to the side's die (PH-03)")
}

/// Whether the unit declared a fast action or always acts first.
fn is_fast(ph: &PhasedQuery, id: Id) -> bool {
    let part = ph.fighter(id).plan.and_then(DeclaredPlan::fast_part);
    part.is_some() || ph.stats(id).first
}

/// The unit's spell and its place in the order: "Flame burst: place 6 in the order". `None` if the
/// unit is not casting and has not declared a spell in this declaration.
fn spell(ph: &PhasedQuery, id: Id) -> Option<String> {
    let f = ph.fighter(id);
    if let (None, Some(DeclaredPlan::Cast { spell })) = (f.casting, f.plan)
        && ph.clock.part == PhasePart::Declare
    {
        let spell = SpellId(spell);
        let name = capitalised(ph.view.names().spell(spell));
        let segments = ph.spell_numbers(spell).segments;
        return Some(format!("{name}: {segments} segments"));
    }
    let casting = f.casting?;
    let name = capitalised(ph.view.names().spell(casting.spell));
    let rounds = casting.segments.div_ceil(10);
    Some(match (rounds, ph.clock.initiative.is_empty()) {
        (2.., _) => format!("{name}: {rounds} rounds left"),
        (_, true) => format!("{name}: {} segments", casting.segments),
        (_, false) => format!(
            "{name}: place {} in the order",
            spells::key(ph, id, &casting)
        ),
    })
}

/// What the unit declared, as far as the display world knows.
pub fn plan(ph: &PhasedQuery, who: Id) -> String {
    let fighter = ph.fighter(who);
    let plan = without_delay(ph, fighter.plan);
    match (fighter.passed_up.late, plan.is_empty()) {
        (true, true) => String::from("in LOW"),
        (true, false) => format!("{plan}, in LOW"),
        (false, _) => plan,
    }
}

fn without_delay(ph: &PhasedQuery, plan: Option<DeclaredPlan>) -> String {
    let names = ph.view.names();
    match plan {
        Some(DeclaredPlan::Parley) => "parley".into(),
        Some(DeclaredPlan::Flee) => "flee".into(),
        Some(DeclaredPlan::Charge { at, .. }) => format!("charge at {}", names.name(at)),
        Some(DeclaredPlan::Cast { spell }) => names.spell(SpellId(spell)).into(),
        Some(DeclaredPlan::Set { with }) => format!("{} set", names.item(with)),
        Some(DeclaredPlan::After) => "attack, then a simple action".into(),
        Some(DeclaredPlan::Work { what }) => what.describe(names),
        Some(DeclaredPlan::Open) => "normal turn".into(),
        None => String::new(),
    }
}

/// Whether only minor actions are left to a unit whose major action is spent.
fn is_through(ph: &PhasedQuery, who: Id) -> bool {
    let casts = ph.fighter(who).casting.is_some();
    !spells::must_aim(ph, who) && (casts || ph.in_melee(who))
}

/// Whether the unit has nothing left to do this round. A casting unit may still have to aim.
pub fn is_done(ph: &PhasedQuery, who: Id) -> bool {
    !ph.body(who).is_up() || ph.fighter(who).spent && is_through(ph, who)
}
