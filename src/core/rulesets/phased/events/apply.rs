//! State changes of the events of Phased.

use super::{
    super::state::{Casting, Clock, Fighter, Group, Part, Plan, Upkeep, Work},
    PhasedEvent,
};
use crate::{
    battle::{Body, Id, SpellId, State, all_units_mut, of_unit, of_unit_mut},
    grid::Cell,
};
use bevy_ecs::world::World;

fn fighter<'w>(world: &'w mut World, who: &Id) -> &'w mut Fighter {
    of_unit_mut::<Fighter>(world, *who)
}

pub(super) fn apply(fact: &PhasedEvent, world: &mut World) {
    match fact {
        PhasedEvent::Refreshed => {
            all_units_mut::<Fighter>(world).iter_mut().for_each(refresh);
            let mut clock = world.resource_mut::<Clock>();
            clock.round += 1;
            clock.initiative.clear();
            (clock.part, clock.group) = (Part::Declare, Group::High);
        }
        PhasedEvent::Part { part, group } => {
            let mut clock = world.resource_mut::<Clock>();
            (clock.part, clock.group) = (*part, *group);
            clock.stamp += 1;
            for fighter in all_units_mut::<Fighter>(world) {
                fighter.waited = 0;
            }
        }
        PhasedEvent::Surprised { who } => fighter(world, who).surprised = true,
        PhasedEvent::Intends { who, plan } | PhasedEvent::Declares { who, plan } => {
            let f = fighter(world, who);
            f.plan = Some(*plan);
            // Work continues only if it is declared again; any other plan ends it.
            if !matches!(plan, Plan::Work { .. }) {
                f.work = None;
            }
        }
        PhasedEvent::MeansDelay { who } | PhasedEvent::DeclaresDelay { who } => {
            fighter(world, who).late = true
        }
        PhasedEvent::Dropped { who } => {
            let f = fighter(world, who);
            (f.plan, f.work, f.casting) = (Some(Plan::Open), None, None);
        }
        PhasedEvent::Initiative { dice } => {
            world.resource_mut::<Clock>().initiative.clone_from(dice)
        }
        PhasedEvent::Spent { who } => fighter(world, who).spent = true,
        PhasedEvent::Forgoes { who } => {
            let f = fighter(world, who);
            (f.spent, f.forgone, f.routines) = (true, true, 0);
        }
        PhasedEvent::Drew { who, with } => fighter(world, who).drawn = Some(*with),
        PhasedEvent::Minor {
            who,
            simple,
            segments,
            lags,
        } => {
            let f = fighter(world, who);
            f.lags |= lags;
            f.simples += u8::from(*simple);
            f.segments += segments;
            // A minor action during a casting makes the casting longer (PH-11).
            if let Some(casting) = &mut f.casting {
                casting.segments += segments;
            }
        }
        PhasedEvent::Passed { who } => {
            let stamp = world.resource::<Clock>().stamp;
            fighter(world, who).passed = stamp;
        }
        PhasedEvent::Positions { who } => fighter(world, who).positioned = true,
        PhasedEvent::Waited { who, speed } => fighter(world, who).waited = *speed,
        PhasedEvent::Delayed { who } => fighter(world, who).delayed = true,
        PhasedEvent::Routines { who, left } => fighter(world, who).routines = *left,
        PhasedEvent::FreeAttack { who, on } => {
            let stamp = world.resource::<Clock>().stamp;
            fighter(world, who).struck_free = stamp;
            fighter(world, on).drew_free |= who.bit();
        }
        PhasedEvent::Casts {
            who,
            spell,
            segments,
        } => {
            let f = fighter(world, who);
            let spell = SpellId(*spell);
            (f.spelled, f.spent) = (true, true);
            count(f, spell);
            f.casting = Some(Casting {
                spell,
                at: None,
                to: None,
                segments: *segments,
            });
        }
        PhasedEvent::CastsOn { who, segments } => {
            let f = fighter(world, who);
            (f.spelled, f.spent) = (true, true);
            // The caster names the target in the round in which the spell completes (PH-23).
            f.casting = f.casting.map(|c| Casting {
                at: None,
                to: None,
                segments: *segments,
                ..c
            });
        }
        PhasedEvent::Aims { who, at, to } => {
            let f = fighter(world, who);
            let to = to.map(|(x, y)| Cell::new(x, y));
            f.casting = f.casting.map(|c| Casting { at: *at, to, ..c });
        }
        PhasedEvent::Spoiled { who, .. } | PhasedEvent::CastDone { who, .. } => {
            fighter(world, who).casting = None;
        }
        PhasedEvent::Used {
            who,
            spell,
            is_spell,
        } => {
            let f = fighter(world, who);
            f.spelled |= is_spell;
            count(f, SpellId(*spell));
        }
        PhasedEvent::KeepsUp { who, spell, on } => {
            let spell = SpellId(*spell);
            let f = fighter(world, who);
            // One spell can affect several units.
            let others = f.upkeep.filter(|u| u.spell == spell).map_or(0, |u| u.on);
            let on = others | on.bit();
            f.upkeep = Some(Upkeep { spell, on });
        }
        PhasedEvent::LetsGo { who, .. } => fighter(world, who).upkeep = None,
        PhasedEvent::Charged { who } => fighter(world, who).charged = true,
        PhasedEvent::Listens { who } => fighter(world, who).listens = true,
        PhasedEvent::HearsNoMore { who } => fighter(world, who).listens = false,
        PhasedEvent::Parleyed { side } => world.resource_mut::<Clock>().parleyed |= 1 << side.0,
        PhasedEvent::Shows { who, at, let_go } => {
            let fighter = fighter(world, who);
            fighter.hidden = false;
            fighter.lets_go(*let_go);
            let body = of_unit_mut::<Body>(world, *who);
            // A unit that the viewer did not know about now appears on the board.
            if body.state == State::Waiting {
                (body.state, body.at) = (State::Up, Cell::new(at.0, at.1));
            }
        }
        PhasedEvent::Foiled {
            who,
            by,
            shows,
            hedged,
        } => {
            if *shows {
                let side = of_unit::<Body>(world, *by).side;
                let f = fighter(world, who);
                match hedged {
                    true => f.seen_hedged |= 1 << side.0,
                    false => f.seen_immune |= 1 << side.0,
                }
            }
        }
        PhasedEvent::Working { who, job, rounds } => {
            let f = fighter(world, who);
            f.spent = true;
            f.plan = Some(Plan::Work { what: *job });
            f.work = Some(Work {
                what: *job,
                rounds: *rounds,
            });
        }
        PhasedEvent::WorkDone { who } => fighter(world, who).work = None,
        PhasedEvent::Loaded { who, with } => fighter(world, who).unloaded.retain(|i| i != with),
        PhasedEvent::Shot { who, with } => {
            let f = fighter(world, who);
            f.unloaded.retain(|i| i != with);
            f.unloaded.push(*with);
        }
        PhasedEvent::Bleeds { who } => fighter(world, who).bleeding = true,
        PhasedEvent::Bound { who } => fighter(world, who).bleeding = false,
        PhasedEvent::Rises { who, at } => {
            fighter(world, who).bleeding = false;
            let body = of_unit_mut::<Body>(world, *who);
            body.state = State::Up;
            body.at = Cell::new(at.0, at.1);
        }
        PhasedEvent::Chart { .. }
        | PhasedEvent::FastOrder { .. }
        | PhasedEvent::FightsAs { .. }
        | PhasedEvent::AttacksWith { .. }
        | PhasedEvent::Comes { .. }
        | PhasedEvent::Hand { .. } => {}
    }
}

/// Clears the state of the last round and keeps what lasts longer.
fn refresh(f: &mut Fighter) {
    let old = std::mem::take(f);
    *f = Fighter {
        casts: old.casts,
        casting: old.casting,
        upkeep: old.upkeep,
        work: old.work,
        hidden: old.hidden,
        bleeding: old.bleeding,
        unloaded: old.unloaded,
        seen_hedged: old.seen_hedged,
        seen_immune: old.seen_immune,
        passed: old.passed,
        struck_free: old.struck_free,
        ..Fighter::default()
    };
}

fn count(f: &mut Fighter, spell: SpellId) {
    match f.casts.iter_mut().find(|c| c.0 == spell) {
        Some(known) => known.1 += 1,
        None => f.casts.push((spell, 1)),
    }
}
