//! Speed's events as log lines and as JSON.

use super::SpeedEvent;
use crate::{
    battle::{Choice, Depth, Id, Line, Names, numeral, signed},
    words::count,
};
use serde::{Serialize, Serializer};
use serde_json::json;

impl SpeedEvent {
    pub(super) fn line(&self, names: &Names) -> Option<Line> {
        use Depth::*;
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

    fn json(&self) -> serde_json::Value {
        let of_unit = |what: &str, who: &Id| json!({"what": what, "who": who});
        match self {
            Self::Ready { who, base } => json!({"what": "ready", "who": who, "base": base}),
            Self::Refreshed => json!({"what": "refreshed"}),
            Self::Declared { declared, open } => json!({
                "what": "declared",
                "who": declared.choice.who,
                "act": declared.choice.verb.name,
                "with": declared.choice.with,
                "spell": declared.choice.spell,
                "count": declared.count,
                "modifiers": [{
                    "value": declared.adds,
                    "label": declared.choice.verb.name,
                    "rule": declared.choice.verb.rule,
                }],
                "open": open,
            }),
            Self::Missed { who } => of_unit("missed", who),
            Self::Count { count } => json!({"what": "count", "count": count}),
            Self::Turn { who } => of_unit("due", who),
            Self::TurnEnded { who } => of_unit("turn_ended", who),
            Self::Standard { who } => of_unit("standard_spent", who),
            Self::Free { who } => of_unit("free_spent", who),
            Self::Reaction { who } => of_unit("reaction_spent", who),
            Self::Strained { who } => of_unit("strained", who),
            Self::Strode { who, feet } => json!({"what": "strode", "who": who, "feet": feet}),
            Self::Crawled { who, to } => {
                json!({"what": "crawled", "who": who, "to": [to.x, to.y]})
            }
            Self::FullDefense { who } => of_unit("full_defense", who),
            Self::Stressed { who, points, .. } => {
                json!({"what": "stress", "who": who, "points": points})
            }
            Self::StressSpent { who, points, on } => {
                json!({"what": "stress_spent", "who": who, "points": points, "on": on})
            }
            Self::Eased { who, points } => {
                json!({"what": "eased", "who": who, "points": points})
            }
            Self::Wounded { who, wound } => {
                json!({"what": "wound", "who": who, "type": wound.kind, "points": wound.points})
            }
            Self::Mended { who, points } => {
                json!({"what": "wounds_mended", "who": who, "points": points})
            }
            Self::Retyped { who, nth, kind } => {
                json!({"what": "wound_type", "who": who, "wound": nth, "type": kind})
            }
            Self::Sank { who } => of_unit("sank", who),
            Self::HitHard { who } => of_unit("hit_hard", who),
            Self::HurtAFoe { who } => of_unit("hurt_a_foe", who),
            Self::Afflicted { who, ailment } => json!({
                "what": "afflicted",
                "who": who,
                "condition": ailment.condition,
                "rounds": ailment.rounds,
                "of": ailment.of,
            }),
            Self::Recovered { who, condition } => {
                json!({"what": "recovered", "who": who, "condition": condition})
            }
            Self::Waned { who } => of_unit("waned", who),
            Self::Hurt { who, hurt, row } => {
                json!({"what": "injury", "who": who, "hurt": hurt, "row": row})
            }
            Self::Healed { who, hurt } => json!({"what": "mended", "who": who, "hurt": hurt}),
            Self::Weakened {
                who,
                abilities,
                points,
                ..
            } => json!({
                "what": "weakened",
                "who": who,
                "abilities": abilities,
                "points": points,
            }),
            Self::Rallied { who, at } => {
                json!({"what": "rallied", "who": who, "at": [at.x, at.y]})
            }
            Self::Breathless { who, rounds } => {
                json!({"what": "breathless", "who": who, "rounds": rounds})
            }
            Self::ManaSpent { who, points } => {
                json!({"what": "mana", "who": who, "points": points})
            }
            Self::Cast { who, spell } => json!({"what": "cast", "who": who, "spell": spell}),
            Self::Drunk { who, spell } => json!({"what": "drunk", "who": who, "spell": spell}),
            Self::Intimidated { who, result } => {
                json!({"what": "intimidated", "who": who, "result": result})
            }
            Self::Surrendered { who } => of_unit("surrendered", who),
            Self::Wiped => json!({"what": "initiative_wiped"}),
        }
    }
}

/// The log text of a declaration: "Goblin declares an attack with short sword".
fn said(choice: &Choice, names: &Names) -> String {
    choice.log_text(names)
}

impl Serialize for SpeedEvent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.json().serialize(serializer)
    }
}
