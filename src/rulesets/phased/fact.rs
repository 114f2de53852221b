//! The events that only Phased knows.

use super::fighter::{Casting, Clock, Fighter, Group, Job, Part, Plan, Shaken, Upkeep, Ward, Work};
use crate::{
    battle::{
        Body, Change, Depth, Id, Item, Line, Names, Own, Roster, Side, SpellId, State,
        component_mut, signed,
    },
    grid::Cell,
};
use bevy::ecs::world::World;
use serde::Serialize;
use std::sync::Arc;

/// Facts of Phased alone.
#[derive(Clone, PartialEq, Debug, Serialize)]
#[serde(tag = "what", rename_all = "snake_case")]
pub enum Fact {
    /// A round begins: nothing is spent.
    Refreshed,
    /// A part of the round begins (PH-01).
    Part {
        part: Part,
        group: Group,
    },
    Surprised {
        who: Id,
    },
    /// Only its side knows (PH-07).
    Intends {
        who: Id,
        plan: Plan,
    },
    Declares {
        who: Id,
        plan: Plan,
    },
    /// A declared act is given up, or there is nothing left of it.
    Dropped {
        who: Id,
    },
    Initiative {
        dice: Vec<u16>,
    },
    Spent {
        who: Id,
    },
    /// A minor activity; `segments` count towards the major action (PH-11).
    Minor {
        who: Id,
        simple: bool,
        segments: u8,
        lags: bool,
    },
    Passed {
        who: Id,
    },
    /// Lets weapons of this speed and faster go by.
    /// Takes position, once a round (PH-13).
    Positions {
        who: Id,
    },
    Waited {
        who: Id,
        speed: u8,
    },
    Delayed {
        who: Id,
    },
    Routines {
        who: Id,
        left: u8,
    },
    FreeAttack {
        who: Id,
        on: Id,
    },
    /// Casting begins (PH-22).
    Casts {
        who: Id,
        spell: u8,
        segments: u8,
    },
    /// It goes on in this round.
    CastsOn {
        who: Id,
        segments: u8,
    },
    /// The target is named (PH-23).
    Aims {
        who: Id,
        at: Option<Id>,
        to: Option<(i16, i16)>,
    },
    /// The spells of the round with their places in the order (PH-24).
    Chart {
        keys: Vec<(Id, u8, u16)>,
    },
    /// Concentration is broken, and the spell lost (PH-20).
    Spoiled {
        who: Id,
        spell: u8,
    },
    /// A spell is done.
    CastDone {
        who: Id,
        spell: u8,
    },
    /// An ability, or an immediate spell.
    Used {
        who: Id,
        spell: u8,
        is_spell: bool,
    },
    KeepsUp {
        who: Id,
        spell: u8,
        on: Id,
    },
    /// Concentration ends, and what it kept up (PH-21).
    LetsGo {
        who: Id,
        on: Id,
    },
    Held {
        who: Id,
        rounds: u8,
    },
    Freed {
        who: Id,
    },
    Warded {
        who: Id,
        ac: i32,
        rounds: u8,
        hedges: bool,
    },
    WardEnds {
        who: Id,
    },
    /// Rounds of what lasts are one fewer.
    Aged,
    Charged {
        who: Id,
    },
    Listens {
        who: Id,
    },
    Parleyed {
        side: Side,
    },
    HearsNoMore {
        who: Id,
    },
    Shows {
        who: Id,
    },
    /// An attack or effect does nothing to it (PH-37); who sees that knows it
    /// from now on.
    Foiled {
        who: Id,
        by: Id,
        shows: bool,
    },
    Working {
        who: Id,
        job: Job,
        rounds: u8,
    },
    WorkDone {
        who: Id,
    },
    Loaded {
        who: Id,
        with: Item,
    },
    Shot {
        who: Id,
        with: Item,
    },
    Shaken {
        side: Side,
        shaken: Shaken,
    },
    Breaks {
        who: Id,
    },
    FightsOn {
        who: Id,
    },
    Bleeds {
        who: Id,
    },
    Bound {
        who: Id,
    },
    /// Back on its feet, where there is room.
    Rises {
        who: Id,
        at: (i16, i16),
    },
}

impl Fact {
    pub fn event(self) -> Change {
        Change::Own(Arc::new(self))
    }
}

fn fighter<'w>(world: &'w mut World, who: &Id) -> bevy::ecs::world::Mut<'w, Fighter> {
    component_mut::<Fighter>(world, *who)
}

impl Own for Fact {
    fn apply(&self, world: &mut World) {
        match self {
            Self::Refreshed => {
                for id in world.resource::<Roster>().ids() {
                    refresh(&mut fighter(world, &id));
                }
                let mut clock = world.resource_mut::<Clock>();
                clock.round += 1;
                clock.initiative.clear();
                (clock.part, clock.group) = (Part::Declare, Group::High);
            }
            Self::Part { part, group } => {
                let mut clock = world.resource_mut::<Clock>();
                (clock.part, clock.group) = (*part, *group);
                clock.stamp += 1;
                for id in world.resource::<Roster>().ids() {
                    fighter(world, &id).waited = 0;
                }
            }
            Self::Surprised { who } => fighter(world, who).surprised = true,
            Self::Intends { who, plan } | Self::Declares { who, plan } => {
                let mut f = fighter(world, who);
                f.plan = Some(*plan);
                // A continued work is declared anew; any other plan ends it.
                if !matches!(plan, Plan::Work { .. }) {
                    f.work = None;
                }
            }
            Self::Dropped { who } => {
                let mut f = fighter(world, who);
                (f.plan, f.work) = (Some(Plan::Open), None);
            }
            Self::Initiative { dice } => world.resource_mut::<Clock>().initiative.clone_from(dice),
            Self::Spent { who } => fighter(world, who).spent = true,
            Self::Minor {
                who,
                simple,
                segments,
                lags,
            } => {
                let mut f = fighter(world, who);
                f.lags |= lags;
                f.simples += u8::from(*simple);
                f.segments += segments;
            }
            Self::Passed { who } => {
                let stamp = world.resource::<Clock>().stamp;
                fighter(world, who).passed = stamp;
            }
            Self::Positions { who } => fighter(world, who).positioned = true,
            Self::Waited { who, speed } => fighter(world, who).waited = *speed,
            Self::Delayed { who } => fighter(world, who).delayed = true,
            Self::Routines { who, left } => fighter(world, who).routines = *left,
            Self::FreeAttack { who, on } => {
                let stamp = world.resource::<Clock>().stamp;
                fighter(world, who).struck_free = stamp;
                fighter(world, on).drew_free |= who.bit();
            }
            Self::Casts {
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
            Self::CastsOn { who, segments } => {
                let mut f = fighter(world, who);
                (f.spelled, f.spent) = (true, true);
                f.casting = f.casting.map(|c| Casting {
                    segments: *segments,
                    ..c
                });
            }
            Self::Aims { who, at, to } => {
                let mut f = fighter(world, who);
                let to = to.map(|(x, y)| Cell::new(x, y));
                f.casting = f.casting.map(|c| Casting { at: *at, to, ..c });
            }
            Self::Spoiled { who, .. } | Self::CastDone { who, .. } => {
                fighter(world, who).casting = None;
            }
            Self::Used {
                who,
                spell,
                is_spell,
            } => {
                let mut f = fighter(world, who);
                f.spelled |= is_spell;
                count(&mut f, SpellId(*spell));
            }
            Self::KeepsUp { who, spell, on } => {
                let spell = SpellId(*spell);
                fighter(world, who).upkeep = Some(Upkeep { spell, on: *on });
            }
            Self::LetsGo { who, .. } => fighter(world, who).upkeep = None,
            Self::Held { who, rounds } => fighter(world, who).held = *rounds,
            Self::Freed { who } => fighter(world, who).held = 0,
            Self::Warded {
                who,
                ac,
                rounds,
                hedges,
            } => {
                fighter(world, who).ward = Some(Ward {
                    ac: *ac,
                    rounds: *rounds,
                    hedges: *hedges,
                });
            }
            Self::WardEnds { who } => fighter(world, who).ward = None,
            Self::Aged => {
                for id in world.resource::<Roster>().ids() {
                    let mut f = fighter(world, &id);
                    f.held = f.held.saturating_sub(1);
                    f.ward = f.ward.map(|w| Ward {
                        rounds: w.rounds.saturating_sub(1),
                        ..w
                    });
                }
            }
            Self::Charged { who } => fighter(world, who).charged = true,
            Self::Listens { who } => fighter(world, who).listens = true,
            Self::HearsNoMore { who } => fighter(world, who).listens = false,
            Self::Parleyed { side } => world.resource_mut::<Clock>().parleyed |= 1 << side.0,
            Self::Shows { who } => fighter(world, who).hidden = false,
            Self::Foiled { who, by, shows } => {
                if *shows {
                    let side = component_mut::<Body>(world, *by).side;
                    fighter(world, who).seen_through |= 1 << side.0;
                }
            }
            Self::Working { who, job, rounds } => {
                let mut f = fighter(world, who);
                f.spent = true;
                f.plan = Some(Plan::Work { what: *job });
                f.work = Some(Work {
                    what: *job,
                    rounds: *rounds,
                });
            }
            Self::WorkDone { who } => fighter(world, who).work = None,
            Self::Loaded { who, with } => fighter(world, who).unloaded.retain(|i| i != with),
            Self::Shot { who, with } => {
                let mut f = fighter(world, who);
                f.unloaded.retain(|i| i != with);
                f.unloaded.push(*with);
            }
            Self::Shaken { side, shaken } => {
                world.resource_mut::<Clock>().shaken[side.index()] = *shaken;
            }
            Self::Breaks { who } => fighter(world, who).fleeing = true,
            Self::FightsOn { who } => fighter(world, who).fleeing = false,
            Self::Bleeds { who } => fighter(world, who).bleeding = true,
            Self::Bound { who } => fighter(world, who).bleeding = false,
            Self::Rises { who, at } => {
                fighter(world, who).bleeding = false;
                let mut body = component_mut::<Body>(world, *who);
                body.state = State::Up;
                body.at = Cell::new(at.0, at.1);
            }
            Self::Chart { .. } => {}
        }
    }

    fn tell(&self, names: &Names) -> Option<Line> {
        use Depth::*;
        let title = |id: &Id| names.title(*id);
        let spell_name = |n: &u8| names.spell(SpellId(*n)).to_owned();
        match self {
            Self::Refreshed
            | Self::Aged
            | Self::Shaken { .. }
            | Self::Shot { .. }
            | Self::WorkDone { .. }
            | Self::Parleyed { .. }
            | Self::Positions { .. }
            | Self::Waited { .. } => None,
            Self::Part { part, group } => {
                let text = match part {
                    Part::Spells | Part::End | Part::Declare => part.name().to_string(),
                    _ => format!("{}, {}", group.name(), part.name()),
                };
                Line::new(Trace, text)
            }
            Self::Surprised { who } => Line::new(Fact, format!("{} is surprised", title(who))),
            Self::Intends { who, plan } => {
                Line::new(Trace, format!("{} means {}", title(who), told(plan, names)))
            }
            Self::Declares { who, plan } => Line::new(
                Fact,
                format!("{} declares {}", title(who), told(plan, names)),
            ),
            Self::Dropped { who } => {
                Line::new(Detail, format!("{} gives up what was declared", title(who)))
            }
            Self::Initiative { dice } => Line::new(Detail, groups(dice, names)),
            Self::Spent { who } => {
                Line::new(Trace, format!("{} spends the major action", title(who)))
            }
            Self::Minor { who, segments, .. } => Line::new(
                Trace,
                format!("{} spends {segments} segments on it", title(who)),
            ),
            Self::Passed { who } => Line::new(Trace, format!("{} waits", title(who))),
            Self::Delayed { who } => Line::new(
                Detail,
                format!("{} is delayed for the rest of the round", title(who)),
            ),
            Self::Routines { who, left } => Line::new(
                Trace,
                format!("{} has {left} attack routines to come", title(who)),
            ),
            Self::FreeAttack { .. } => None,
            Self::Casts {
                who,
                spell,
                segments,
            } => Line::new(
                Fact,
                format!(
                    "{} begins to cast {} ({segments} segments)",
                    title(who),
                    spell_name(spell)
                ),
            ),
            Self::CastsOn { who, segments } => Line::new(
                Detail,
                format!("{} casts on ({segments} segments left)", title(who)),
            ),
            Self::Aims { who, at, to } => {
                let at = match (at, to) {
                    (Some(at), _) => names.name(*at).to_owned(),
                    (_, Some((x, y))) => format!("{x},{y}"),
                    _ => String::from("nobody"),
                };
                Line::new(Detail, format!("{} aims the spell at {at}", title(who)))
            }
            Self::Chart { keys } => {
                let line = |k: &(Id, u8, u16)| {
                    format!("{} {} ({})", names.name(k.0), k.2, spell_name(&k.1))
                };
                let keys: Vec<String> = keys.iter().map(line).collect();
                Line::new(Detail, format!("Spells in order: {}", keys.join(", ")))
            }
            Self::Spoiled { who, spell } => Line::new(
                Fact,
                format!(
                    "{} loses concentration, and with it {}",
                    title(who),
                    spell_name(spell)
                ),
            ),
            Self::CastDone { who, spell } => Line::new(
                Fact,
                format!("{} completes {}", title(who), spell_name(spell)),
            ),
            Self::Used { who, spell, .. } => Line::new(
                Trace,
                format!("{} has used {}", title(who), spell_name(spell)),
            ),
            Self::KeepsUp { who, spell, .. } => Line::new(
                Detail,
                format!("{} keeps up {}", title(who), spell_name(spell)),
            ),
            Self::LetsGo { who, on } => Line::new(
                Fact,
                format!(
                    "{} no longer concentrates: {} is free",
                    title(who),
                    names.name(*on)
                ),
            ),
            Self::Held { who, rounds } => {
                Line::new(Fact, format!("{} is held for {rounds} rounds", title(who)))
            }
            Self::Freed { who } => Line::new(Detail, format!("{} can move again", title(who))),
            Self::Warded {
                who, ac, rounds, ..
            } => Line::new(
                Fact,
                format!(
                    "{} is warded: AC {} for {rounds} rounds",
                    title(who),
                    signed(*ac)
                ),
            ),
            Self::WardEnds { who } => Line::new(Detail, format!("{}'s ward ends", title(who))),
            Self::Charged { who } => Line::new(
                Detail,
                format!("{} has AC {} this round", title(who), signed(-1)),
            ),
            Self::Listens { who } => Line::new(Fact, format!("{} listens", title(who))),
            Self::HearsNoMore { who } => {
                Line::new(Detail, format!("{} has heard enough", title(who)))
            }
            Self::Shows { who } => Line::new(Fact, format!("{} comes into the open", title(who))),
            Self::Foiled { who, shows, .. } => {
                let what = if *shows {
                    "cannot be touched"
                } else {
                    "takes no harm"
                };
                Line::new(Fact, format!("{} {what}", title(who)))
            }
            Self::Working { who, job, rounds } => {
                let what = job_told(job, names);
                let when = match rounds {
                    0 | 1 => "it will be done at the end of the round",
                    _ => "it will be done at the end of the next round",
                };
                Line::new(Fact, format!("{} is at work to {what}: {when}", title(who)))
            }
            Self::Loaded { who, with } => {
                Line::new(Fact, format!("{} loads {}", title(who), names.item(*with)))
            }
            Self::Breaks { who } => Line::new(Fact, format!("{} breaks and flees", title(who))),
            Self::FightsOn { who } => Line::new(
                Fact,
                format!("{} finds no way out and fights on", title(who)),
            ),
            Self::Bleeds { who } => {
                Line::new(Fact, format!("{} is unconscious and bleeds", title(who)))
            }
            Self::Bound { who } => Line::new(Fact, format!("{}'s wounds are bound", title(who))),
            Self::Rises { who, .. } => {
                Line::new(Fact, format!("{} is on their feet again", title(who)))
            }
        }
    }

    fn data(&self) -> serde_json::Value {
        serde_json::to_value(self).unwrap_or_default()
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
        ward: old.ward,
        hidden: old.hidden,
        fleeing: old.fleeing,
        bleeding: old.bleeding,
        unloaded: old.unloaded,
        seen_through: old.seen_through,
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

fn groups(dice: &[u16], names: &Names) -> String {
    let best = dice.iter().max().copied().unwrap_or(0);
    let name = |n: usize| names.side(Side(n as u8)).to_owned();
    let of = |high: bool| {
        let those = (0..dice.len()).filter(|&n| (dice[n] == best) == high);
        those.map(name).collect::<Vec<_>>().join(", ")
    };
    let low = of(false);
    if low.is_empty() {
        return format!("Tied: all in HIGH ({})", of(true));
    }
    format!("HIGH: {}; LOW: {low}", of(true))
}

fn job_told(job: &Job, names: &Names) -> String {
    match job {
        Job::Bind { at } => format!("bind {}", names.name(*at)),
        Job::Load { with } => format!("load {}", names.item(*with)),
    }
}

/// "a charge at goblin 1".
fn told(plan: &Plan, names: &Names) -> String {
    match plan {
        Plan::Open => "nothing in particular".into(),
        Plan::Parley => "a parley".into(),
        Plan::Flee => "flight".into(),
        Plan::Charge { at, with } => {
            format!("a charge at {} with {}", names.name(*at), names.item(*with))
        }
        Plan::Cast { spell } => format!("the spell {}", names.spell(SpellId(*spell))),
        Plan::Set { with } => format!("{} set against a charge", names.item(*with)),
        Plan::Delay => "a delay".into(),
        Plan::After => "an attack, and a simple act after it".into(),
        Plan::Work { what } => format!("work: to {}", job_told(what, names)),
    }
}
