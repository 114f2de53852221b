//! The log lines of the events of Phased.

use super::{
    super::state::{Group, Part, Plan},
    PhasedEvent,
};
use crate::battle::{Id, Line, LogLevel, Modifier, Names, Side, SpellId, signed};

pub(super) fn describe(fact: &PhasedEvent, names: &Names) -> Option<Line> {
    let title = |id: &Id| names.title(*id);
    let spell_name = |n: &u8| names.spell(SpellId(*n)).to_owned();
    match fact {
        PhasedEvent::Refreshed
        | PhasedEvent::Shot { .. }
        | PhasedEvent::WorkDone { .. }
        | PhasedEvent::Parleyed { .. }
        | PhasedEvent::Positions { .. }
        | PhasedEvent::Drew { .. }
        | PhasedEvent::Waited { .. } => None,
        PhasedEvent::Part { part, group } => {
            let text = match part {
                Part::Spells | Part::End | Part::Declare => part.name().to_string(),
                _ => format!("{}, {}", group.name(), part.name()),
            };
            Line::new(LogLevel::Part, text)
        }
        PhasedEvent::Surprised { who } => {
            Line::new(LogLevel::Fact, format!("{} is surprised", title(who)))
        }
        PhasedEvent::FightsAs { who, text } => {
            Line::new(LogLevel::Trace, format!("{} {text}", title(who)))
        }
        PhasedEvent::AttacksWith { who, line } => Line::new(
            LogLevel::Trace,
            format!("{} attacks with {line}", title(who)),
        ),
        PhasedEvent::Comes { who, parts } => {
            let speed: i16 = parts.iter().map(|part| part.value).sum();
            let part_text = |part: &Modifier| format!("{} {}", part.value, part.label);
            let parts: Vec<String> = parts.iter().map(part_text).collect();
            let text = format!(
                "{} comes at speed {speed} ({})",
                title(who),
                parts.join(", ")
            );
            Line::new(LogLevel::Trace, text)
        }
        PhasedEvent::Hand { who, group } => {
            let hand = match group {
                Group::High => "a quick hand: the shot comes in HIGH",
                Group::Low => "a slow hand: the shot comes in LOW",
            };
            Line::new(LogLevel::Detail, format!("{} has {hand}", title(who)))
        }
        PhasedEvent::Intends { who, plan } => Line::new(
            LogLevel::Trace,
            format!("{} plans {}", title(who), describe_plan(plan, names)),
        ),
        PhasedEvent::Declares { who, plan } => Line::new(
            LogLevel::Fact,
            format!("{} declares {}", title(who), describe_plan(plan, names)),
        ),
        PhasedEvent::MeansDelay { who } => {
            Line::new(LogLevel::Trace, format!("{} plans a delay", title(who)))
        }
        PhasedEvent::DeclaresDelay { who } => {
            Line::new(LogLevel::Fact, format!("{} declares a delay", title(who)))
        }
        PhasedEvent::Dropped { who } => Line::new(
            LogLevel::Detail,
            format!("{} gives up what was declared", title(who)),
        ),
        PhasedEvent::Initiative { dice } => Line::new(LogLevel::Detail, groups(dice, names)),
        PhasedEvent::Spent { who } => Line::new(
            LogLevel::Trace,
            format!("{} spends the major action", title(who)),
        ),
        PhasedEvent::Minor { who, segments, .. } => Line::new(
            LogLevel::Trace,
            format!(
                "{} spends {} on it",
                title(who),
                counted(*segments, "segment")
            ),
        ),
        PhasedEvent::Passed { who } => Line::new(LogLevel::Trace, format!("{} waits", title(who))),
        PhasedEvent::Delayed { who } => Line::new(
            LogLevel::Detail,
            format!("{} is delayed for the rest of the round", title(who)),
        ),
        PhasedEvent::Forgoes { who } => Line::new(
            LogLevel::Detail,
            format!("{} loses the major action", title(who)),
        ),
        PhasedEvent::Routines { who, left } => Line::new(
            LogLevel::Trace,
            format!(
                "{} has {} to come",
                title(who),
                counted(*left, "attack routine")
            ),
        ),
        PhasedEvent::FreeAttack { .. } => None,
        PhasedEvent::Casts {
            who,
            spell,
            segments,
        } => Line::new(
            LogLevel::Fact,
            format!(
                "{} begins to cast {} ({})",
                title(who),
                spell_name(spell),
                counted(*segments, "segment")
            ),
        ),
        PhasedEvent::CastsOn { who, segments } => Line::new(
            LogLevel::Detail,
            format!(
                "{} casts on ({} left)",
                title(who),
                counted(*segments, "segment")
            ),
        ),
        PhasedEvent::Aims { who, at, to } => {
            let at = match (at, to) {
                (Some(at), _) => names.name(*at).to_owned(),
                (_, Some((x, y))) => format!("{x},{y}"),
                _ => String::from("nobody"),
            };
            Line::new(
                LogLevel::Detail,
                format!("{} aims the spell at {at}", title(who)),
            )
        }
        PhasedEvent::FastOrder { acts } => {
            let act_text = |act: &(Id, Part)| {
                let what = match act.1 {
                    Part::Parley => "parley",
                    Part::Flee => "flight",
                    _ => "charge",
                };
                format!("{} ({what})", names.name(act.0))
            };
            let acts: Vec<String> = acts.iter().map(act_text).collect();
            Line::new(
                LogLevel::Detail,
                format!("Fast actions in order: {}", acts.join(", ")),
            )
        }
        PhasedEvent::Chart { keys } => {
            let line =
                |k: &(Id, u8, u16)| format!("{} {} ({})", names.name(k.0), k.2, spell_name(&k.1));
            let keys: Vec<String> = keys.iter().map(line).collect();
            Line::new(
                LogLevel::Detail,
                format!("Spells in order: {}", keys.join(", ")),
            )
        }
        PhasedEvent::Spoiled { who, spell } => Line::new(
            LogLevel::Fact,
            format!(
                "{} loses concentration, and with it {}",
                title(who),
                spell_name(spell)
            ),
        ),
        PhasedEvent::CastDone { who, spell } => Line::new(
            LogLevel::Fact,
            format!("{} completes {}", title(who), spell_name(spell)),
        ),
        PhasedEvent::Used { who, spell, .. } => Line::new(
            LogLevel::Trace,
            format!("{} has used {}", title(who), spell_name(spell)),
        ),
        PhasedEvent::KeepsUp { who, spell, .. } => Line::new(
            LogLevel::Detail,
            format!("{} keeps up {}", title(who), spell_name(spell)),
        ),
        PhasedEvent::LetsGo { who, on } => Line::new(
            LogLevel::Fact,
            format!(
                "{} no longer concentrates{}",
                title(who),
                match on {
                    Some(on) => format!(": {} is free", names.name(*on)),
                    None => String::new(),
                }
            ),
        ),
        PhasedEvent::Charged { who } => Line::new(
            LogLevel::Detail,
            format!("{} has AC {} this round", title(who), signed(-1)),
        ),
        PhasedEvent::Listens { who } => {
            Line::new(LogLevel::Fact, format!("{} listens", title(who)))
        }
        PhasedEvent::HearsNoMore { who } => {
            Line::new(LogLevel::Detail, format!("{} has heard enough", title(who)))
        }
        PhasedEvent::Shows { who, .. } => Line::new(
            LogLevel::Fact,
            format!("{} comes out of hiding", title(who)),
        ),
        PhasedEvent::Foiled { who, shows, .. } => {
            let what = if *shows {
                "cannot be touched"
            } else {
                "takes no harm"
            };
            Line::new(LogLevel::Fact, format!("{} {what}", title(who)))
        }
        PhasedEvent::Working { who, job, rounds } => {
            let what = job.describe(names);
            let when = match rounds {
                0 | 1 => "it will be done at the end of the round",
                _ => "it will be done at the end of the next round",
            };
            Line::new(
                LogLevel::Fact,
                format!("{} is at work to {what}: {when}", title(who)),
            )
        }
        PhasedEvent::Loaded { who, with } => Line::new(
            LogLevel::Fact,
            format!("{} loads {}", title(who), names.item(*with)),
        ),
        PhasedEvent::Bleeds { who } => Line::new(
            LogLevel::Fact,
            format!("{} is unconscious and bleeds", title(who)),
        ),
        PhasedEvent::Bound { who } => {
            Line::new(LogLevel::Fact, format!("{}'s wounds are bound", title(who)))
        }
        PhasedEvent::Rises { who, .. } => Line::new(
            LogLevel::Fact,
            format!("{} is on their feet again", title(who)),
        ),
    }
}

/// "1 round", "2 rounds".
fn counted(n: u8, what: &str) -> String {
    match n {
        1 => format!("1 {what}"),
        n => format!("{n} {what}s"),
    }
}

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

/// "a charge at goblin 1".
fn describe_plan(plan: &Plan, names: &Names) -> String {
    match plan {
        Plan::Open => "no special action".into(),
        Plan::Parley => "a parley".into(),
        Plan::Flee => "flight".into(),
        Plan::Charge { at, with } => {
            format!("a charge at {} with {}", names.name(*at), names.item(*with))
        }
        Plan::Cast { spell } => format!("the spell {}", names.spell(SpellId(*spell))),
        Plan::Set { with } => format!("{} set against a charge", names.item(*with)),
        Plan::After => "an attack, and a simple act after it".into(),
        Plan::Work { what } => format!("work: to {}", what.describe(names)),
    }
}
