//! What the events of Phased change.

use super::{
    super::fighter::{Casting, Clock, Fighter, Group, Part, Plan, Upkeep, Ward, Work},
    Fact,
};
use crate::{
    battle::{Body, Id, Roster, SpellId, State, component_mut},
    grid::Cell,
};
use bevy::ecs::world::{Mut, World};

fn fighter<'w>(world: &'w mut World, who: &Id) -> Mut<'w, Fighter> {
    component_mut::<Fighter>(world, *who)
}

pub(super) fn apply(fact: &Fact, world: &mut World) {
    match fact {
        Fact::Refreshed => {
            for id in world.resource::<Roster>().ids() {
                refresh(&mut fighter(world, &id));
            }
            let mut clock = world.resource_mut::<Clock>();
            clock.round += 1;
            clock.initiative.clear();
            (clock.part, clock.group) = (Part::Declare, Group::High);
        }
        Fact::Part { part, group } => {
            let mut clock = world.resource_mut::<Clock>();
            (clock.part, clock.group) = (*part, *group);
            clock.stamp += 1;
            for id in world.resource::<Roster>().ids() {
                fighter(world, &id).waited = 0;
            }
        }
        Fact::Surprised { who } => fighter(world, who).surprised = true,
        Fact::Intends { who, plan } | Fact::Declares { who, plan } => {
            let mut f = fighter(world, who);
            f.plan = Some(*plan);
            // A continued work is declared anew; any other plan ends it.
            if !matches!(plan, Plan::Work { .. }) {
                f.work = None;
            }
        }
        Fact::MeansDelay { who } | Fact::DeclaresDelay { who } => fighter(world, who).late = true,
        Fact::Dropped { who } => {
            let mut f = fighter(world, who);
            (f.plan, f.work, f.casting) = (Some(Plan::Open), None, None);
        }
        Fact::Initiative { dice } => world.resource_mut::<Clock>().initiative.clone_from(dice),
        Fact::Spent { who } => fighter(world, who).spent = true,
        Fact::Forgoes { who } => {
            let mut f = fighter(world, who);
            (f.spent, f.forgone, f.routines) = (true, true, 0);
        }
        Fact::Drew { who, with } => fighter(world, who).drawn = Some(*with),
        Fact::Minor {
            who,
            simple,
            segments,
            lags,
        } => {
            let mut f = fighter(world, who);
            f.lags |= lags;
            f.simples += u8::from(*simple);
            f.segments += segments;
            // Whatever it does beside a casting makes that longer (PH-11).
            if let Some(casting) = &mut f.casting {
                casting.segments += segments;
            }
        }
        Fact::Passed { who } => {
            let stamp = world.resource::<Clock>().stamp;
            fighter(world, who).passed = stamp;
        }
        Fact::Positions { who } => fighter(world, who).positioned = true,
        Fact::Waited { who, speed } => fighter(world, who).waited = *speed,
        Fact::Delayed { who } => fighter(world, who).delayed = true,
        Fact::Routines { who, left } => fighter(world, who).routines = *left,
        Fact::FreeAttack { who, on } => {
            let stamp = world.resource::<Clock>().stamp;
            fighter(world, who).struck_free = stamp;
            fighter(world, on).drew_free |= who.bit();
        }
        Fact::Casts {
            who,
            spell,
            segments,
        } => {
            let mut f = fighter(world, who);
            let spell = SpellId(*spell);
            (f.spelled, f.spent) = (true, true);
            count(&mut f, spell);
            f.casting = Some(Casting {
                spell,
                at: None,
                to: None,
                segments: *segments,
            });
        }
        Fact::CastsOn { who, segments } => {
            let mut f = fighter(world, who);
            (f.spelled, f.spent) = (true, true);
            // Its target is named in the round in which it is done (PH-23).
            f.casting = f.casting.map(|c| Casting {
                at: None,
                to: None,
                segments: *segments,
                ..c
            });
        }
        Fact::Aims { who, at, to } => {
            let mut f = fighter(world, who);
            let to = to.map(|(x, y)| Cell::new(x, y));
            f.casting = f.casting.map(|c| Casting { at: *at, to, ..c });
        }
        Fact::Spoiled { who, .. } | Fact::CastDone { who, .. } => {
            fighter(world, who).casting = None;
        }
        Fact::Used {
            who,
            spell,
            is_spell,
        } => {
            let mut f = fighter(world, who);
            f.spelled |= is_spell;
            count(&mut f, SpellId(*spell));
        }
        Fact::KeepsUp { who, spell, on } => {
            let spell = SpellId(*spell);
            let mut f = fighter(world, who);
            // One spell may lie on several.
            let others = f.upkeep.filter(|u| u.spell == spell).map_or(0, |u| u.on);
            let on = others | on.bit();
            f.upkeep = Some(Upkeep { spell, on });
        }
        Fact::LetsGo { who, .. } => fighter(world, who).upkeep = None,
        Fact::Held { who, rounds } => {
            let late = world.resource::<Clock>().part.is_late();
            let mut f = fighter(world, who);
            (f.held, f.held_late) = (*rounds, late);
        }
        Fact::Freed { who } => fighter(world, who).held = 0,
        Fact::Warded {
            who,
            ac,
            rounds,
            hedges,
        } => {
            let late = world.resource::<Clock>().part.is_late();
            fighter(world, who).ward = Some(Ward {
                ac: *ac,
                rounds: *rounds,
                hedges: *hedges,
                late,
            });
        }
        Fact::WardEnds { who } => fighter(world, who).ward = None,
        Fact::Aged => {
            for id in world.resource::<Roster>().ids() {
                let mut f = fighter(world, &id);
                f.held = f.held.saturating_sub(u8::from(!f.held_late));
                f.held_late = false;
                f.ward = f.ward.map(|w| Ward {
                    rounds: w.rounds.saturating_sub(u8::from(!w.late)),
                    late: false,
                    ..w
                });
            }
        }
        Fact::Charged { who } => fighter(world, who).charged = true,
        Fact::Listens { who } => fighter(world, who).listens = true,
        Fact::HearsNoMore { who } => fighter(world, who).listens = false,
        Fact::Parleyed { side } => world.resource_mut::<Clock>().parleyed |= 1 << side.0,
        Fact::Shows { who, at } => {
            fighter(world, who).hidden = false;
            let mut body = component_mut::<Body>(world, *who);
            // Those who did not know of it see it stand there now.
            if body.state == State::Waiting {
                (body.state, body.at) = (State::Up, Cell::new(at.0, at.1));
            }
        }
        Fact::Foiled {
            who,
            by,
            shows,
            hedged,
        } => {
            if *shows {
                let side = component_mut::<Body>(world, *by).side;
                let mut f = fighter(world, who);
                match hedged {
                    true => f.seen_hedged |= 1 << side.0,
                    false => f.seen_immune |= 1 << side.0,
                }
            }
        }
        Fact::Working { who, job, rounds } => {
            let mut f = fighter(world, who);
            f.spent = true;
            f.plan = Some(Plan::Work { what: *job });
            f.work = Some(Work {
                what: *job,
                rounds: *rounds,
            });
        }
        Fact::WorkDone { who } => fighter(world, who).work = None,
        Fact::Loaded { who, with } => fighter(world, who).unloaded.retain(|i| i != with),
        Fact::Shot { who, with } => {
            let mut f = fighter(world, who);
            f.unloaded.retain(|i| i != with);
            f.unloaded.push(*with);
        }
        Fact::Shaken { side, shaken } => {
            world.resource_mut::<Clock>().shaken[side.index()] = *shaken;
        }
        Fact::Breaks { who } => fighter(world, who).fleeing = true,
        Fact::FightsOn { who } => fighter(world, who).fleeing = false,
        Fact::WillReturn { who, round } => {
            let mut f = fighter(world, who);
            (f.returns, f.fleeing) = (Some(*round), false);
            component_mut::<Body>(world, *who).state = State::Waiting;
        }
        Fact::Bleeds { who } => fighter(world, who).bleeding = true,
        Fact::Bound { who } => fighter(world, who).bleeding = false,
        Fact::Rises { who, at } => {
            fighter(world, who).bleeding = false;
            let mut body = component_mut::<Body>(world, *who);
            body.state = State::Up;
            body.at = Cell::new(at.0, at.1);
        }
        Fact::Chart { .. }
        | Fact::FastOrder { .. }
        | Fact::FightsAs { .. }
        | Fact::AttacksWith { .. }
        | Fact::Comes { .. }
        | Fact::Hand { .. } => {}
    }
}

/// What lasts for a round is over; what lasts longer stays.
fn refresh(f: &mut Fighter) {
    let old = std::mem::take(f);
    *f = Fighter {
        casts: old.casts,
        casting: old.casting,
        upkeep: old.upkeep,
        work: old.work,
        held: old.held,
        held_late: old.held_late,
        ward: old.ward,
        hidden: old.hidden,
        fleeing: old.fleeing,
        returns: old.returns,
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
