//! Speed's events as log lines and as JSON.

use super::SpeedEvent;
use crate::{
    battle::{Choice, Id, Line, LogLevel, Names, numeral, signed},
    words::count,
};

impl SpeedEvent {
    pub(super) fn line(&self, names: &Names) -> Option<Line> {
        use LogLevel::*;
        let title = |id: &Id| names.title(*id);
        let fact = |text: String| Line::new(Fact, text);
        let detail = |text: String| Line::new(Detail, text);
        match self {
            Self::Ready { who, base } => detail(format!(
                "{} has the base initiative {}",
                title(who),
                numeral(*base)
            )),
            Self::Refreshed | Self::TurnEnded { .. } => None,
            Self::Declared { declared, open } => {
                let said = said(&declared.choice, names);
                let adds = match declared.adds {
                    0 => String::new(),
                    n => format!(" ({})", signed(n)),
                };
                let text = format!("{said}, at {}{adds}", numeral(declared.count));
                Line::new(if *open { Detail } else { Trace }, text)
            }
            Self::Missed { who } => detail(format!("{} comes too late for its count", title(who))),
            Self::Count { count } => Line::new(Heading, format!("Count {}", numeral(*count))),
            Self::Turn { who } => detail(format!("{} is due", title(who))),
            Self::Standard { who } => {
                Line::new(Trace, format!("{} spends its standard action", title(who)))
            }
            Self::Free { who } => {
                Line::new(Trace, format!("{} spends its free action", title(who)))
            }
            Self::Reaction { who } => {
                Line::new(Trace, format!("{} spends its reaction", title(who)))
            }
            Self::Strained { who } => {
                fact(format!("{} strains itself: 1 Wound Point lost", title(who)))
            }
            Self::Strode { .. } => None,
            Self::Crawled { who, to } => fact(format!("{} crawls to {to}", title(who))),
            Self::FullDefense { who } => {
                let n = super::super::numbers::tables().numbers.full_defense;
                detail(format!(
                    "{} has Defense +{n} until the round ends",
                    title(who)
                ))
            }
            Self::Stressed {
                who, points, roll, ..
            } => {
                let dice = match roll.dice.is_empty() && roll.modifiers.is_empty() {
                    true => String::new(),
                    false => format!(" ({roll})"),
                };
                fact(format!("{} loses {points} Stress{dice}", title(who)))
            }
            Self::StressSpent { who, points, on } => {
                fact(format!("{} spends {points} Stress on {on}", title(who)))
            }
            Self::Eased { who, points } => fact(format!("{} regains {points} Stress", title(who))),
            Self::Wounded { who, wound } => {
                let kind = wound.kind.map_or("plain", |k| k.name()).to_lowercase();
                detail(format!(
                    "{} has a {kind} wound of {}",
                    title(who),
                    wound.points
                ))
            }
            Self::Mended { .. } | Self::Sank { .. } => None,
            Self::Retyped { who, kind, .. } => {
                let kind = kind.name().to_lowercase();
                detail(format!("{} has a {kind} wound of it", title(who)))
            }
            Self::HitHard { who } => {
                detail(format!("{} has lost more than half to one hit", title(who)))
            }
            Self::HurtAFoe { .. } | Self::Waned { .. } => None,
            Self::Afflicted { who, ailment } => {
                let name = ailment.condition.name();
                let long = match ailment.rounds {
                    Some(1) => String::from(" for a round"),
                    Some(n) => format!(" for {n} rounds"),
                    None => String::new(),
                };
                fact(format!("{} is {name}{long}", title(who)))
            }
            Self::Recovered { who, condition } => {
                let name = condition.name();
                fact(format!("{} is {name} no more", title(who)))
            }
            Self::Hurt { who, hurt, row } => {
                fact(format!("{} {} ({row})", title(who), hurt.log_text()))
            }
            Self::Healed { who, hurt } => fact(format!("{} {}", title(who), hurt.mended())),
            Self::Weakened {
                who,
                abilities,
                points,
                roll,
            } => {
                let of: Vec<_> = abilities.iter().map(|a| a.name()).collect();
                let of = of.join(" and ");
                fact(format!("{} loses {points} {of} ({roll})", title(who)))
            }
            Self::Rallied { who, .. } => fact(format!("{} is back in the fight", title(who))),
            Self::Breathless { who, rounds } => detail(format!(
                "{} has had no breath for {}",
                title(who),
                count((*rounds).into(), "round")
            )),
            Self::ManaSpent { who, points } => {
                detail(format!("{} spends {points} mana", title(who)))
            }
            Self::Cast { .. } => None,
            Self::Drunk { who, spell } => {
                detail(format!("{} empties {}", title(who), names.spell(*spell)))
            }
            Self::Intimidated { who, result } => {
                fact(format!("{} is intimidated: {result}", title(who)))
            }
            Self::Surrendered { who } => fact(format!("{} surrenders", title(who))),
            Self::Wiped => detail("Initiative is forgotten".into()),
        }
    }
}

/// The log text of a declaration: "Goblin declares an attack with short sword".
fn said(choice: &Choice, names: &Names) -> String {
    choice.log_text(names)
}
