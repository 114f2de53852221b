//! How the log tells the events of Phased.

use super::{
    super::fighter::{Group, Part, Plan},
    Fact,
};
use crate::battle::{Depth, Id, Line, Modifier, Names, Side, SpellId, signed};

pub(super) fn tell(fact: &Fact, names: &Names) -> Option<Line> {
    let title = |id: &Id| names.title(*id);
    let spell_name = |n: &u8| names.spell(SpellId(*n)).to_owned();
    match fact {
        Fact::Refreshed
        | Fact::Aged
        | Fact::Shaken { .. }
        | Fact::Shot { .. }
        | Fact::WorkDone { .. }
        | Fact::Parleyed { .. }
        | Fact::Positions { .. }
        | Fact::Drew { .. }
        | Fact::Waited { .. } => None,
        Fact::Part { part, group } => {
            let text = match part {
                Part::Spells | Part::End | Part::Declare => part.name().to_string(),
                _ => format!("{}, {}", group.name(), part.name()),
            };
            Line::new(Depth::Part, text)
        }
        Fact::Surprised { who } => Line::new(Depth::Fact, format!("{} is surprised", title(who))),
        Fact::FightsAs { who, text } => Line::new(Depth::Trace, format!("{} {text}", title(who))),
        Fact::AttacksWith { who, line } => {
            Line::new(Depth::Trace, format!("{} attacks with {line}", title(who)))
        }
        Fact::Comes { who, parts } => {
            let speed: i16 = parts.iter().map(|part| part.value).sum();
            let told = |part: &Modifier| format!("{} {}", part.value, part.label);
            let parts: Vec<String> = parts.iter().map(told).collect();
            let text = format!(
                "{} comes at speed {speed} ({})",
                title(who),
                parts.join(", ")
            );
            Line::new(Depth::Trace, text)
        }
        Fact::Hand { who, group } => {
            let hand = match group {
                Group::High => "a quick hand: the shot comes in HIGH",
                Group::Low => "a slow hand: the shot comes in LOW",
            };
            Line::new(Depth::Detail, format!("{} has {hand}", title(who)))
        }
        Fact::Intends { who, plan } => Line::new(
            Depth::Trace,
            format!("{} means {}", title(who), told(plan, names)),
        ),
        Fact::Declares { who, plan } => Line::new(
            Depth::Fact,
            format!("{} declares {}", title(who), told(plan, names)),
        ),
        Fact::MeansDelay { who } => {
            Line::new(Depth::Trace, format!("{} means a delay", title(who)))
        }
        Fact::DeclaresDelay { who } => {
            Line::new(Depth::Fact, format!("{} declares a delay", title(who)))
        }
        Fact::Dropped { who } => Line::new(
            Depth::Detail,
            format!("{} gives up what was declared", title(who)),
        ),
        Fact::Initiative { dice } => Line::new(Depth::Detail, groups(dice, names)),
        Fact::Spent { who } => Line::new(
            Depth::Trace,
            format!("{} spends the major action", title(who)),
        ),
        Fact::Minor { who, segments, .. } => Line::new(
            Depth::Trace,
            format!(
                "{} spends {} on it",
                title(who),
                counted(*segments, "segment")
            ),
        ),
        Fact::Passed { who } => Line::new(Depth::Trace, format!("{} waits", title(who))),
        Fact::Delayed { who } => Line::new(
            Depth::Detail,
            format!("{} is delayed for the rest of the round", title(who)),
        ),
        Fact::Forgoes { who } => Line::new(
            Depth::Detail,
            format!("{} loses the major action", title(who)),
        ),
        Fact::Routines { who, left } => Line::new(
            Depth::Trace,
            format!(
                "{} has {} to come",
                title(who),
                counted(*left, "attack routine")
            ),
        ),
        Fact::FreeAttack { .. } => None,
        Fact::Casts {
            who,
            spell,
            segments,
        } => Line::new(
            Depth::Fact,
            format!(
                "{} begins to cast {} ({})",
                title(who),
                spell_name(spell),
                counted(*segments, "segment")
            ),
        ),
        Fact::CastsOn { who, segments } => Line::new(
            Depth::Detail,
            format!(
                "{} casts on ({} left)",
                title(who),
                counted(*segments, "segment")
            ),
        ),
        Fact::Aims { who, at, to } => {
            let at = match (at, to) {
                (Some(at), _) => names.name(*at).to_owned(),
                (_, Some((x, y))) => format!("{x},{y}"),
                _ => String::from("nobody"),
            };
            Line::new(
                Depth::Detail,
                format!("{} aims the spell at {at}", title(who)),
            )
        }
        Fact::FastOrder { acts } => {
            let told = |act: &(Id, Part)| {
                let what = match act.1 {
                    Part::Parley => "parley",
                    Part::Flee => "flight",
                    _ => "charge",
                };
                format!("{} ({what})", names.name(act.0))
            };
            let acts: Vec<String> = acts.iter().map(told).collect();
            Line::new(
                Depth::Detail,
                format!("Fast actions in order: {}", acts.join(", ")),
            )
        }
        Fact::Chart { keys } => {
            let line =
                |k: &(Id, u8, u16)| format!("{} {} ({})", names.name(k.0), k.2, spell_name(&k.1));
            let keys: Vec<String> = keys.iter().map(line).collect();
            Line::new(
                Depth::Detail,
                format!("Spells in order: {}", keys.join(", ")),
            )
        }
        Fact::Spoiled { who, spell } => Line::new(
            Depth::Fact,
            format!(
                "{} loses concentration, and with it {}",
                title(who),
                spell_name(spell)
            ),
        ),
        Fact::CastDone { who, spell } => Line::new(
            Depth::Fact,
            format!("{} completes {}", title(who), spell_name(spell)),
        ),
        Fact::Used { who, spell, .. } => Line::new(
            Depth::Trace,
            format!("{} has used {}", title(who), spell_name(spell)),
        ),
        Fact::KeepsUp { who, spell, .. } => Line::new(
            Depth::Detail,
            format!("{} keeps up {}", title(who), spell_name(spell)),
        ),
        Fact::LetsGo { who, on } => Line::new(
            Depth::Fact,
            format!(
                "{} no longer concentrates{}",
                title(who),
                match on {
                    Some(on) => format!(": {} is free", names.name(*on)),
                    None => String::new(),
                }
            ),
        ),
        Fact::Held { who, rounds } => Line::new(
            Depth::Fact,
            format!("{} is held for {}", title(who), counted(*rounds, "round")),
        ),
        Fact::Freed { who } => Line::new(Depth::Detail, format!("{} can move again", title(who))),
        Fact::Warded {
            who, ac, rounds, ..
        } => Line::new(
            Depth::Fact,
            format!(
                "{} is warded: AC {} for {}",
                title(who),
                signed(*ac),
                counted(*rounds, "round")
            ),
        ),
        Fact::WardEnds { who } => Line::new(Depth::Detail, format!("{}'s ward ends", title(who))),
        Fact::Charged { who } => Line::new(
            Depth::Detail,
            format!("{} has AC {} this round", title(who), signed(-1)),
        ),
        Fact::Listens { who } => Line::new(Depth::Fact, format!("{} listens", title(who))),
        Fact::HearsNoMore { who } => {
            Line::new(Depth::Detail, format!("{} has heard enough", title(who)))
        }
        Fact::Shows { who, .. } => {
            Line::new(Depth::Fact, format!("{} comes out of hiding", title(who)))
        }
        Fact::Foiled { who, shows, .. } => {
            let what = if *shows {
                "cannot be touched"
            } else {
                "takes no harm"
            };
            Line::new(Depth::Fact, format!("{} {what}", title(who)))
        }
        Fact::Working { who, job, rounds } => {
            let what = job.told(names);
            let when = match rounds {
                0 | 1 => "it will be done at the end of the round",
                _ => "it will be done at the end of the next round",
            };
            Line::new(
                Depth::Fact,
                format!("{} is at work to {what}: {when}", title(who)),
            )
        }
        Fact::Loaded { who, with } => Line::new(
            Depth::Fact,
            format!("{} loads {}", title(who), names.item(*with)),
        ),
        Fact::Breaks { who } => Line::new(Depth::Fact, format!("{} breaks and flees", title(who))),
        Fact::FightsOn { who } => Line::new(
            Depth::Fact,
            format!("{} finds no way out and fights on", title(who)),
        ),
        Fact::WillReturn { who, .. } => {
            Line::new(Depth::Detail, format!("{} may be back", title(who)))
        }
        Fact::Bleeds { who } => Line::new(
            Depth::Fact,
            format!("{} is unconscious and bleeds", title(who)),
        ),
        Fact::Bound { who } => Line::new(Depth::Fact, format!("{}'s wounds are bound", title(who))),
        Fact::Rises { who, .. } => Line::new(
            Depth::Fact,
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
        Plan::After => "an attack, and a simple act after it".into(),
        Plan::Work { what } => format!("work: to {}", what.told(names)),
    }
}
