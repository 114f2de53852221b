//! The log lines of events.

use super::super::handicap::PERCENT;
use super::{Event, EventKind, Line, LogLevel};
use crate::battle::{Attack, CheckRoll, Id, Names, Place, capitalised};
use crate::words::{count, possessive};

/// The log of some events: their lines, without the heading of a part of the round in which
/// nothing happens, and without a fact that only repeats its action.
pub fn log_lines<'e>(events: &'e [Event], names: &Names) -> Vec<(&'e Event, Line)> {
    let mut lines: Vec<(&Event, Line)> = vec![];
    // The index of the last action's line.
    let mut act: Option<usize> = None;
    for event in events {
        let Some(line) = event.describe(names) else {
            continue;
        };
        let closes = matches!(line.depth, LogLevel::Part | LogLevel::Heading);
        if closes && lines.last().is_some_and(|(_, l)| l.depth == LogLevel::Part) {
            lines.pop();
        }
        match event.what {
            EventKind::Acted { .. } => act = Some(lines.len()),
            // A step is never a repetition, not even the last one of a move.
            EventKind::Moved { .. } => {}
            _ if closes => act = None,
            _ => {
                let announced = act.map(|n| &mut lines[n].1.text);
                if let Some(announced) = announced.filter(|text| restates(&line.text, text)) {
                    *announced = line.text;
                    continue;
                }
            }
        }
        lines.push((event, line));
    }
    lines
}

/// Whether a fact repeats the line of its action, perhaps with more: "Alice opens the door at
/// 3,4" after "Alice opens the door".
pub fn restates(fact: &str, act: &str) -> bool {
    let more = fact.strip_prefix(act);
    more.is_some_and(|more| more.is_empty() || more.starts_with(' '))
}

impl Event {
    /// The event's log line. `None` if the log leaves the event out.
    pub fn describe(&self, names: &Names) -> Option<Line> {
        let line = self.line(names)?;
        let text = crate::words::shown(&line.text).into_owned();
        Some(Line { text, ..line })
    }

    fn line(&self, names: &Names) -> Option<Line> {
        use LogLevel::*;
        let title = |id: &Id| names.title(*id);
        match &self.what {
            EventKind::RoundBegan { round } => Line::new(Heading, format!("Round {round}")),
            EventKind::TurnBegan { side } => {
                Line::new(Heading, format!("{} turn", possessive(names.side(*side))))
            }
            EventKind::Acted { choice } => Line::new(Fact, choice.log_text(names)),
            EventKind::Stopped { who, why } => {
                Line::new(Fact, format!("{} stops: {why}", title(who)))
            }
            EventKind::Moved { who, to, feet, .. } => {
                Line::new(Trace, format!("{} moves to {to} ({feet} ft)", title(who)))
            }
            EventKind::Checked(check) => {
                let CheckRoll {
                    at,
                    what,
                    roll,
                    against,
                    passed,
                    ..
                } = check;
                let name = check.name(names);
                let at = at.map_or(String::new(), |at| format!(" against {}", names.name(at)));
                let against = against.map_or(String::new(), |n| format!(" against {n}"));
                let verdict = match passed {
                    Some(true) => ": passes",
                    Some(false) => ": fails",
                    None => "",
                };
                Line::new(
                    Detail,
                    format!("{name}, {what}{at}: {roll}{against}{verdict}"),
                )
            }
            EventKind::AttackRolled { shot } => {
                let Attack { by, at, with, .. } = &shot.attack;
                let (by_name, at_name, item) = (title(by), names.name(*at), names.item(*with));
                Line::new(
                    Detail,
                    format!("{by_name} against {at_name}, {item}: {}", shot.roll),
                )
            }
            EventKind::Rerolled { who, roll, .. } => {
                Line::new(Detail, format!("{} rolls again: {roll}", title(who)))
            }
            EventKind::AttackSettled {
                hit, against, why, ..
            } => {
                let verdict = if *hit { "hits" } else { "misses" };
                let why = if why.is_empty() {
                    String::new()
                } else {
                    format!(" ({why})")
                };
                let beaten = names.defense;
                let text = format!("against {beaten} {against}: {verdict}{why}");
                Line::new(Detail, text)
            }
            EventKind::Damaged {
                who, points, roll, ..
            } => {
                let dice = if roll.dice.is_empty() && roll.modifiers.is_empty() {
                    String::new()
                } else {
                    format!(" ({roll})")
                };
                Line::new(Fact, format!("{} takes {points} damage{dice}", title(who)))
            }
            EventKind::Caught { spell, who } => {
                let spell = capitalised(names.spell(*spell));
                let names: Vec<&str> = who.iter().map(|id| names.name(*id)).collect();
                let all = match names[..] {
                    [] => String::from("nobody"),
                    _ => names.join(", "),
                };
                Line::new(Detail, format!("{spell} catches {all}"))
            }
            EventKind::Healed { who, points } => {
                Line::new(Fact, format!("{} regains {points} hit points", title(who)))
            }
            EventKind::ConditionBegan {
                who,
                lasting,
                rounds,
            } => {
                let points = match lasting.defense {
                    0 => String::new(),
                    n if n > 0 => format!(", {} {n} better,", names.defense),
                    n => format!(", {} {} worse,", names.defense, -n),
                };
                let (who, what) = (title(who), &lasting.condition.name);
                let long = count(*rounds as usize, "round");
                Line::new(Fact, format!("{who} is {what}{points} for {long}"))
            }
            EventKind::ConditionEnded { who, lasting } => {
                let (who, what) = (title(who), &lasting.condition.name);
                let of = lasting.spell.map(|spell| names.spell(spell));
                let of = of.map_or(String::new(), |spell| format!(" by {spell}"));
                Line::new(Fact, format!("{who} is no longer {what}{of}"))
            }
            EventKind::Fell { who } => Line::new(Fact, format!("{} falls", title(who))),
            EventKind::Revived { who, at, hp } => Line::new(
                Fact,
                format!(
                    "{} comes to at {at}, prone, with {hp} hit points",
                    title(who)
                ),
            ),
            EventKind::Died { who } => Line::new(Fact, format!("{} dies", title(who))),
            EventKind::Prone { who, prone: true } => {
                Line::new(Fact, format!("{} is prone", title(who)))
            }
            EventKind::Prone { who, prone: false } => {
                Line::new(Fact, format!("{} is on their feet", title(who)))
            }
            EventKind::Shifted {
                who,
                item,
                from,
                to,
            } => {
                let (who, item) = (title(who), names.item(*item));
                match (from, to) {
                    (Place::Pack, _) => {
                        Line::new(Detail, format!("{who} gets {item} out of the pack"))
                    }
                    (_, Place::Pack) => {
                        Line::new(Detail, format!("{who} stows {item} in the pack"))
                    }
                    (_, Place::Belt) => Line::new(Trace, format!("{who} puts {item} away")),
                    _ => Line::new(Detail, format!("{who} draws {item}")),
                }
            }
            EventKind::Dropped { who, item, at, .. } => Line::new(
                Fact,
                format!("{} drops {} at {at}", title(who), names.item(*item)),
            ),
            EventKind::Landed { who, item, at, .. } => Line::new(
                Detail,
                format!("{}'s {} lies at {at}", title(who), names.item(*item)),
            ),
            EventKind::PickedUp { who, item, at } => Line::new(
                Fact,
                format!("{} picks up {} at {at}", title(who), names.item(*item)),
            ),
            EventKind::ShieldDropped { who } => {
                Line::new(Fact, format!("{} lets the shield fall", title(who)))
            }
            EventKind::DoorMoved { by, cell, open } => {
                let verb = if *open { "opens" } else { "closes" };
                Line::new(Fact, format!("{} {verb} the door at {cell}", title(by)))
            }
            EventKind::Entered { who, at } => {
                Line::new(Fact, format!("{} enters at {at}", title(who)))
            }
            EventKind::Fled { who } => Line::new(Fact, format!("{} leaves the battle", title(who))),
            EventKind::Flees { who } => Line::new(Fact, format!("{} breaks and flees", title(who))),
            EventKind::FightsOn { who } => Line::new(
                Fact,
                format!("{} finds no way out and fights on", title(who)),
            ),
            EventKind::WillReturn { who, .. } => {
                Line::new(Detail, format!("{} may be back", title(who)))
            }
            EventKind::Rallied { who } => {
                Line::new(Fact, format!("{} has taken heart again", title(who)))
            }
            EventKind::Reached {
                who,
                so_far,
                needed,
                text,
                ..
            } => {
                let who = super::ids_of(*who).map(|id| names.name(id).to_owned());
                let who = who.collect::<Vec<_>>().join(", ");
                let text = format!("Reached by {who} ({so_far} of {needed}): {text}");
                Line::new(Fact, text)
            }
            EventKind::Held {
                side,
                rounds,
                needed,
                text,
                ..
            } => {
                let side = names.side_in_line(*side);
                let of = crate::words::count(*needed as usize, "round");
                let held = match rounds {
                    0 => format!("No longer held by {side}, who need {of}"),
                    n => format!("Held by {side} for {n} of {of}"),
                };
                Line::new(Fact, format!("{held}: {text}"))
            }
            EventKind::ObjectiveLost { side, text, .. } => {
                let side = names.side_in_line(*side);
                Line::new(Fact, format!("Lost for {side}: {text}"))
            }
            EventKind::Handicap { side, points } => {
                let side = names.side_in_line(*side);
                let percent = i32::from(*points) * PERCENT;
                let text = format!(
                    "Every unit of {side} has {percent}% more hit points (handicap {points})"
                );
                Line::new(Fact, text)
            }
            EventKind::Idle {
                rounds,
                limit: Some(limit),
                ..
            } if *rounds == limit.div_ceil(2) => {
                let (so_far, left) = (*rounds as usize, (limit - rounds) as usize);
                let text = format!(
                    "No side has got anywhere for {}: after {left} more the battle is a draw",
                    count(so_far, "round")
                );
                Line::new(Fact, text)
            }
            EventKind::Stuck { side } => {
                let side = capitalised(&names.side_in_line(*side));
                Line::new(Fact, format!("{side} can reach or harm no enemy"))
            }
            EventKind::Surrendered { side } => {
                let side = capitalised(&names.side_in_line(*side));
                Line::new(Fact, format!("{side} surrender"))
            }
            EventKind::Idle { .. } | EventKind::Shaken { .. } | EventKind::RoundEnded => None,
            EventKind::BrokenOff { step } => Line::new(
                Fact,
                format!("This goes round in circles and is broken off: {step}"),
            ),
            EventKind::Over { won, why, .. } => {
                let verdict = won.map_or("Nobody wins".into(), |s| {
                    format!("Victory for {}", names.side_in_line(s))
                });
                Line::new(Heading, format!("{verdict}: {why}"))
            }
            EventKind::Ruleset(own) => own.describe(names),
        }
    }
}
