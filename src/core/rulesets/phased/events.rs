//! The events that only Phased knows.

use super::state::{
    Casting, Clock, DeclaredPlan, Fighter, Group, Job, PassedUp, PhasePart, Upkeep, Work,
};
use crate::{
    battle::{
        Body, Cue, CueKind, Handling, Id, Item, Line, LogField, LogLevel, Modifier, Names, Side,
        SpellId, State, all_units_mut, events, of_unit, of_unit_mut, pair,
    },
    grid::Cell,
    words::count,
};
use bevy_ecs::world::World;
use std::borrow::Cow;

events! {
    /// Events that only Phased knows.
    pub enum PhasedEvent: RulesetEvent |world, names, unknown| {
        /// A round begins and nothing is spent.
        Refreshed
            log(silent)
            apply {
                all_units_mut::<Fighter>(world).iter_mut().for_each(refresh);
                let mut clock = world.resource_mut::<Clock>();
                clock.round += 1;
                clock.initiative.clear();
                (clock.part, clock.group) = (PhasePart::Declare, Group::High);
            };

        /// A part of the round begins (PH-01).
        Part { part: PhasePart, group: Group }
            log(Line::new(LogLevel::Part, match part {
                PhasePart::Spells | PhasePart::End | PhasePart::Declare => part.name().to_owned(),
                _ => format!("{}, {}", group.name(), part.name()),
            }))
            apply {
                let mut clock = world.resource_mut::<Clock>();
                (clock.part, clock.group) = (*part, *group);
                clock.stamp += 1;
                for fighter in all_units_mut::<Fighter>(world) {
                    fighter.passed_up.waited = 0;
                }
            };

        Surprised { who: Id }
            log(Fact "{who} is surprised")
            cue(Bad, who, "surprised")
            apply { fighter(world, who).surprised = true };

        /// Whether a unit with a class and hit dice fights by its level or its hit dice, or how it
        /// fights with enhanced hit dice (PH-32, PH-33).
        FightsAs { who: Id, text: String } log(Trace "{who} {text}");

        /// The unit's natural attacks (PH-36).
        AttacksWith { who: Id, line: String } log(Trace "{who} attacks with {line}");

        /// The speed of a routine in a tie, as its parts (PH-02, PH-11, PH-12).
        Comes { who: Id, parts: Vec<Modifier> }
            log(Trace "{who} comes at speed {speed} ({parts})",
                speed = parts.iter().map(|part| part.value).sum::<i16>(),
                parts = {
                    let parts = parts.iter().map(|part| format!("{} {}", part.value, part.label));
                    parts.collect::<Vec<_>>().join(", ")
                });

        /// The unit's reaction adjustment puts a shot into the other group (PH-03).
        Hand { who: Id, group: Group }
            log(if (*group == Group::High) {
                Detail "{who} shoots in HIGH: quick hands add to the side's die for shots"
            } else {
                Detail "{who} shoots in LOW: slow hands take from the side's die for shots"
            });

        /// A declaration that only the unit's side knows (PH-07).
        Intends { who: Id, plan: DeclaredPlan }
            log(Trace "{who} plans {plan}") apply { declare(world, who, plan) };

        Declares { who: Id, plan: DeclaredPlan }
            log(Fact "{who} declares {plan}") apply { declare(world, who, plan) };

        /// A delay declared with any other plan (PH-16); only the unit's side knows.
        MeansDelay { who: Id }
            log(Trace "{who} plans a delay") apply { fighter(world, who).passed_up.late = true };

        DeclaresDelay { who: Id }
            log(Fact "{who} declares a delay") apply { fighter(world, who).passed_up.late = true };

        /// A declared action is given up or no longer possible.
        Dropped { who: Id }
            log(Detail "{who} gives up what was declared")
            apply {
                let f = fighter(world, who);
                (f.plan, f.work, f.casting) = (Some(DeclaredPlan::Open), None, None);
            };

        // A side that the viewer does not know counts as HIGH, like a side without units.
        Initiative { dice: Vec<u16> }
            log(Detail "{groups}", groups = groups(dice, names))
            apply { world.resource_mut::<Clock>().initiative.clone_from(dice) }
            known({
                let best = dice.iter().max().copied().unwrap_or(0);
                let die = |(n, die): (usize, &u16)| match unknown.has_side(Side(n as u8)) {
                    true => best,
                    false => *die,
                };
                Self::Initiative { dice: dice.iter().enumerate().map(die).collect() }
            });

        /// The fast actions of the round, in order (PH-05).
        FastOrder { acts: Vec<(Id, PhasePart)> }
            log(Detail "Fast actions in order: {acts}", acts = fast_acts(acts, names))
            known(Self::FastOrder { acts: known(acts, |act| unknown.has(act.0))? });

        Spent { who: Id }
            log(Trace "{who} spends the major action") apply { fighter(world, who).spent = true };

        /// A minor activity; its `segments` count towards the major action (PH-11).
        Minor { who: Id, simple: bool, segments: u8, lags: bool }
            log(Trace "{who} spends {n} on it", n = count((*segments).into(), "segment"))
            apply {
                let f = fighter(world, who);
                f.lags |= lags;
                f.simples += u8::from(*simple);
                f.segments += segments;
                // A minor action during a casting makes the casting longer (PH-11).
                if let Some(casting) = &mut f.casting {
                    casting.segments += segments;
                }
            };

        Passed { who: Id }
            log(Trace "{who} waits")
            apply { fighter(world, who).passed_up.passed = world.resource::<Clock>().stamp };

        /// The unit takes position, once per round (PH-13).
        Positions { who: Id } log(silent) apply { fighter(world, who).positioned = true };

        /// The unit passes on weapons of this speed or faster.
        Waited { who: Id, speed: u8 }
            log(silent) apply { fighter(world, who).passed_up.waited = *speed };

        Delayed { who: Id }
            log(Detail "{who} is delayed for the rest of the round")
            apply { fighter(world, who).passed_up.delayed = true };

        /// A delay in LOW, which loses the major action (PH-16).
        Forgoes { who: Id }
            log(Detail "{who} loses the major action")
            apply {
                let f = fighter(world, who);
                (f.spent, f.passed_up.forgone, f.routines) = (true, true, 0);
            };

        /// The unit draws a weapon as a separate action (PH-12).
        Drew { who: Id, with: Item } log(silent) apply { fighter(world, who).drawn = Some(*with) };

        Routines { who: Id, left: u8 }
            log(Trace "{who} has {n} to come", n = count((*left).into(), "attack routine"))
            apply { fighter(world, who).routines = *left };

        FreeAttack { who: Id, on: Id }
            log(silent)
            apply {
                let stamp = world.resource::<Clock>().stamp;
                fighter(world, who).struck_free = stamp;
                fighter(world, on).drew_free |= who.bit();
            };

        /// Casting begins (PH-22).
        Casts { who: Id, spell: u8, segments: u8 }
            log(Fact "{who} begins to cast {name} ({n})",
                name = names.spell(SpellId(*spell)), n = count((*segments).into(), "segment"))
            apply {
                let f = fighter(world, who);
                let (spell, segments) = (SpellId(*spell), *segments);
                (f.spelled, f.spent) = (true, true);
                f.castings.add(spell);
                f.casting = Some(Casting { spell, at: None, to: None, segments });
            };

        /// A casting continues in this round.
        CastsOn { who: Id, segments: u8 }
            log(Detail "{who} casts on ({n} left)", n = count((*segments).into(), "segment"))
            apply {
                let (f, segments) = (fighter(world, who), *segments);
                (f.spelled, f.spent) = (true, true);
                // The caster names the target in the round in which the spell completes (PH-23).
                f.casting = f.casting.map(|c| Casting { at: None, to: None, segments, ..c });
            };

        /// The caster names the target (PH-23).
        Aims { who: Id, at: Option<Id>, to: Option<(i16, i16)> }
            log(Detail "{who} aims the spell at {target}", target = match (at, to) {
                (Some(at), _) => names.name(*at).to_owned(),
                (_, Some((x, y))) => format!("{x},{y}"),
                _ => String::from("nobody"),
            })
            apply {
                let f = fighter(world, who);
                let to = to.map(|(x, y)| Cell::new(x, y));
                f.casting = f.casting.map(|c| Casting { at: *at, to, ..c });
            };

        /// The spells of the round with their initiative keys (PH-24).
        Chart { keys: Vec<(Id, u8, u16)> }
            log(Detail "Spells in order: {keys}", keys = spell_order(keys, names))
            known(Self::Chart { keys: known(keys, |key| unknown.has(key.0))? });

        /// Concentration is broken and the spell lost (PH-20).
        Spoiled { who: Id, spell: u8 }
            log(Fact "{who} loses concentration, and with it {name}",
                name = names.spell(SpellId(*spell)))
            cue(Bad, who, "loses the spell")
            apply { fighter(world, who).casting = None };

        /// A spell completes.
        CastDone { who: Id, spell: u8 }
            log(Fact "{who} completes {name}", name = names.spell(SpellId(*spell)))
            apply { fighter(world, who).casting = None };

        /// An innate ability or immediate spell is used.
        Used { who: Id, spell: u8, is_spell: bool }
            log(Trace "{who} has used {name}", name = names.spell(SpellId(*spell)))
            apply {
                let f = fighter(world, who);
                f.spelled |= is_spell;
                f.castings.add(SpellId(*spell));
            };

        KeepsUp { who: Id, spell: u8, on: Id }
            log(Detail "{who} keeps up {name}", name = names.spell(SpellId(*spell)))
            apply {
                let (f, spell) = (fighter(world, who), SpellId(*spell));
                // One spell can affect several units.
                let others = f.upkeep.filter(|u| u.spell == spell).map_or(0, |u| u.on);
                f.upkeep = Some(Upkeep { spell, on: others | on.bit() });
            };

        /// Concentration ends, and the spell that it kept up (PH-21); `on` is a unit that was held
        /// by the spell.
        LetsGo { who: Id, on: Option<Id> }
            log(Fact "{who} no longer concentrates{freed}",
                freed = on.map_or(String::new(), |on| format!(": {} is free", names.name(on))))
            apply { fighter(world, who).upkeep = None };

        Charged { who: Id }
            log(Detail "{who} has a worse AC this round")
            apply { fighter(world, who).charged = true };

        Listens { who: Id }
            log(Fact "{who} listens")
            cue(Good, who, "listens")
            apply { fighter(world, who).listens = true };

        Parleyed { side: Side }
            log(silent) apply { world.resource_mut::<Clock>().parleyed |= 1 << side.0 };

        HearsNoMore { who: Id }
            log(Detail "{who} has heard enough") apply { fighter(world, who).listens = false };

        /// A hidden unit is seen from now on.
        Shows { who: Id, #[serde(serialize_with = "pair")] at: Cell, let_go: PassedUp }
            log(Fact "{who} comes out of hiding")
            cue(Good, who, "seen")
            apply {
                let f = fighter(world, who);
                f.hidden = false;
                f.passed_up = *let_go;
                of_unit_mut::<Body>(world, *who).appear(*at);
            };

        /// An attack or effect does nothing to the unit (PH-37). If it `shows`, the attacker's side
        /// knows so from now on; otherwise only the unit's own side sees the event.
        Foiled { who: Id, by: Id, shows: bool, hedged: bool }
            log(if (*shows) { Fact "{who} cannot be touched" } else { Fact "{who} takes no harm" })
            cue(Defense, who, "no harm")
            apply {
                if *shows {
                    let side = of_unit::<Body>(world, *by).side;
                    let f = fighter(world, who);
                    match hedged {
                        true => f.seen_hedged |= 1 << side.0,
                        false => f.seen_immune |= 1 << side.0,
                    }
                }
            };

        Working { who: Id, job: Job, rounds: u8 }
            log(Fact "{who} is at work to {what}: it will be done at the end of the {when}",
                what = job.describe(names),
                when = if *rounds < 2 { "round" } else { "next round" })
            apply {
                let (f, what, rounds) = (fighter(world, who), *job, *rounds);
                f.spent = true;
                f.plan = Some(DeclaredPlan::Work { what });
                f.work = Some(Work { what, rounds });
            };

        WorkDone { who: Id } log(silent) apply { fighter(world, who).work = None };

        Loaded { who: Id, with: Item }
            log(Fact "{who} loads {with}")
            apply { fighter(world, who).unloaded.retain(|i| i != with) }
            handles(Handling::Load, who, Some(*with));

        Shot { who: Id, with: Item }
            log(silent)
            apply {
                let f = fighter(world, who);
                f.unloaded.retain(|i| i != with);
                f.unloaded.push(*with);
            };

        Bleeds { who: Id }
            log(Fact "{who} is unconscious and bleeds")
            cue(Bad, who, "bleeds")
            apply { fighter(world, who).bleeding = true };

        Bound { who: Id, #[serde(skip)] by: Option<Id> }
            log(Fact "{who}'s wounds are bandaged")
            cue(Cue::of(CueKind::Good, *who, "bandaged").map(|cue| Cue { by: *by, ..cue }))
            apply { fighter(world, who).bleeding = false };

        /// The unit stands up again, at a cell with room.
        Rises { who: Id, #[serde(serialize_with = "pair")] at: Cell }
            log(Fact "{who} is on their feet again")
            cue(Good, who, "up again")
            apply {
                fighter(world, who).bleeding = false;
                let body = of_unit_mut::<Body>(world, *who);
                (body.state, body.at) = (State::Up, *at);
            };
    }
}

fn fighter<'w>(world: &'w mut World, who: &Id) -> &'w mut Fighter {
    of_unit_mut::<Fighter>(world, *who)
}

fn declare(world: &mut World, who: &Id, plan: &DeclaredPlan) {
    let f = fighter(world, who);
    f.plan = Some(*plan);
    // Work continues only if it is declared again; any other plan ends it.
    if !matches!(plan, DeclaredPlan::Work { .. }) {
        f.work = None;
    }
}

/// Clears the state of the last round and keeps what lasts longer.
fn refresh(f: &mut Fighter) {
    let old = std::mem::take(f);
    *f = Fighter {
        castings: old.castings,
        casting: old.casting,
        upkeep: old.upkeep,
        work: old.work,
        hidden: old.hidden,
        bleeding: old.bleeding,
        unloaded: old.unloaded,
        seen_hedged: old.seen_hedged,
        seen_immune: old.seen_immune,
        passed_up: PassedUp {
            passed: old.passed_up.passed,
            ..PassedUp::default()
        },
        struck_free: old.struck_free,
        ..Fighter::default()
    };
}

/// The entries of a list that a viewer knows. `None` if there are none.
fn known<T: Copy>(all: &[T], is_unknown: impl Fn(&T) -> bool) -> Option<Vec<T>> {
    let known: Vec<T> = all.iter().copied().filter(|one| !is_unknown(one)).collect();
    (!known.is_empty()).then_some(known)
}

/// "goblin 1 (flight), Mara (charge)".
fn fast_acts(acts: &[(Id, PhasePart)], names: &Names) -> String {
    let act = |(who, part): &(Id, PhasePart)| {
        let what = match part {
            PhasePart::Parley => "parley",
            PhasePart::Flee => "flight",
            _ => "charge",
        };
        format!("{} ({what})", names.name(*who))
    };
    acts.iter().map(act).collect::<Vec<_>>().join(", ")
}

/// "Mara 12 (sleep), goblin 1 20 (fear)".
fn spell_order(keys: &[(Id, u8, u16)], names: &Names) -> String {
    let entry = |&(who, spell, key): &(Id, u8, u16)| {
        let (name, spell) = (names.name(who), names.spell(SpellId(spell)));
        format!("{name} {key} ({spell})")
    };
    keys.iter().map(entry).collect::<Vec<_>>().join(", ")
}

/// "HIGH: the party; LOW: the goblins".
fn groups(dice: &[u16], names: &Names) -> String {
    let best = dice.iter().max().copied().unwrap_or(0);
    let name = |n: usize| names.side_in_line(Side(n as u8));
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

/// "a charge at goblin 1 with spear".
impl LogField for DeclaredPlan {
    fn in_log<'a>(&'a self, names: &'a Names) -> Cow<'a, str> {
        match self {
            Self::Open => "no special action".into(),
            Self::Parley => "a parley".into(),
            Self::Flee => "flight".into(),
            Self::Charge { at, with } => {
                format!("a charge at {} with {}", names.name(*at), names.item(*with)).into()
            }
            Self::Cast { spell } => format!("the spell {}", names.spell(SpellId(*spell))).into(),
            Self::Set { with } => format!("{} set against a charge", names.item(*with)).into(),
            Self::After => "an attack, and a simple act after it".into(),
            Self::Work { what } => format!("work: to {}", what.describe(names)).into(),
        }
    }
}
