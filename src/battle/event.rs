//! Facts. Applying an event is the only thing that changes a world: the truth,
//! what a side knows, what the screen shows.

use super::{
    Attack, Body, Choice, Ground, Id, Inventory, Item, Map, Names, PendingAttacks, Place, Progress,
    Roll, RolledAttack, Rule, Side, SpellId, State, component_mut,
};
use crate::grid::{Cell, Space};
use bevy::ecs::world::World;
use serde::Serialize;
use std::{borrow::Cow, fmt::Debug, sync::Arc};

#[derive(Clone, Debug)]
pub struct Event {
    pub rule: Rule,
    pub seen: Seen,
    pub what: EventKind,
}

/// Who may know of an event. What is sealed stays so until an event for all
/// tells it again.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Seen {
    All,
    Only(Side),
}

impl Seen {
    pub fn by(self, side: Side) -> bool {
        self == Seen::All || self == Seen::Only(side)
    }
}

/// Facts and deltas, never "the new whole component".
#[derive(Clone, Debug)]
pub enum EventKind {
    RoundBegan {
        round: u16,
    },
    TurnBegan {
        side: Side,
    },
    /// An act or reaction begins; what it does follows.
    Acted {
        choice: Choice,
    },
    /// An act that was begun comes to nothing.
    Stopped {
        who: Id,
        why: Cow<'static, str>,
    },
    /// One step of a move; `feet` is what it cost.
    Moved {
        who: Id,
        from: Cell,
        to: Cell,
        feet: u16,
    },
    /// Dice that are not an attack's: initiative, a check, a save, morale.
    Checked {
        who: Option<Id>,
        side: Option<Side>,
        what: Cow<'static, str>,
        roll: Roll,
        against: Option<i32>,
        passed: Option<bool>,
    },
    AttackRolled {
        shot: RolledAttack,
    },
    /// The die of an attack in flight was rolled again; this counts now.
    Rerolled {
        serial: u32,
        who: Id,
        roll: Roll,
    },
    AttackSettled {
        serial: u32,
        hit: bool,
        against: i32,
        why: Cow<'static, str>,
    },
    Damaged {
        who: Id,
        by: Option<Id>,
        points: i32,
        roll: Roll,
    },
    /// Those whom the area of a spell catches, in id order (GR-41).
    Caught {
        spell: SpellId,
        who: Vec<Id>,
    },
    Healed {
        who: Id,
        points: i32,
    },
    Fell {
        who: Id,
    },
    /// One of the fallen comes to, prone, with so many hit points.
    Revived {
        who: Id,
        at: Cell,
        hp: i32,
    },
    Died {
        who: Id,
    },
    Prone {
        who: Id,
        prone: bool,
    },
    /// A thing is drawn, put away, got out of the pack, stowed.
    Shifted {
        who: Id,
        item: Item,
        from: Place,
        to: Place,
    },
    /// A thing falls to the ground.
    Dropped {
        who: Id,
        item: Item,
        from: Place,
        at: Cell,
    },
    /// What was thrown lies where it fell.
    Landed {
        who: Id,
        item: Item,
        from: Place,
        at: Cell,
    },
    /// A thing is taken up from the ground, in hand.
    PickedUp {
        who: Id,
        item: Item,
        at: Cell,
    },
    ShieldDropped {
        who: Id,
    },
    DoorMoved {
        by: Id,
        cell: Cell,
        open: bool,
    },
    Entered {
        who: Id,
        at: Cell,
    },
    Fled {
        who: Id,
    },
    /// Members of a side have been where an objective wants them, as a bit set;
    /// with them so many of those that it needs. `text` is the objective's.
    Reached {
        objective: usize,
        who: u64,
        so_far: u32,
        needed: u32,
        text: Cow<'static, str>,
    },
    /// A side has held an area at so many ends of round, one after the other.
    Held {
        objective: usize,
        side: Side,
        rounds: u32,
        needed: u32,
        text: Cow<'static, str>,
    },
    /// An objective that can no longer be met.
    ObjectiveLost {
        objective: usize,
        side: Side,
        text: Cow<'static, str>,
    },
    RoundEnded,
    /// The rules went in a circle: this step is left out, and the battle goes
    /// on. Never in a sound ruleset.
    BrokenOff {
        step: Cow<'static, str>,
    },
    Over {
        won: Option<Side>,
        why: String,
    },
    /// A ruleset's own.
    Ruleset(Arc<dyn RulesetEvent>),
}

/// What only one ruleset knows: spent actions, defenses, declarations.
pub trait RulesetEvent: Debug + Send + Sync {
    fn apply(&self, world: &mut World);
    fn describe(&self, names: &Names) -> Option<Line>;
    fn data(&self) -> serde_json::Value;

    /// The dice that it tells of.
    fn roll(&self) -> Option<&Roll> {
        None
    }

    /// What it takes from somebody that is no hit points, as a wound would.
    fn harm(&self) -> Option<Harm> {
        None
    }
}

/// Harm to what a ruleset counts beside hit points.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Harm {
    pub who: Id,
    pub by: Option<Id>,
    pub points: i32,
    /// "Stress".
    pub word: &'static str,
}

/// How much a log line matters.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Depth {
    /// A round or a turn begins, the battle ends.
    Heading,
    /// What somebody does or suffers.
    Fact,
    /// Dice, modifiers, what a reaction changed.
    Detail,
    /// Each step of a move, each action spent.
    Trace,
    /// A part of a round begins: of no interest if nothing follows in it.
    Part,
}

/// One line of the log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    pub depth: Depth,
    pub text: String,
}

impl Line {
    pub fn new(depth: Depth, text: impl Into<String>) -> Option<Self> {
        Some(Self {
            depth,
            text: text.into(),
        })
    }
}

impl EventKind {
    /// Whether it may change a world: what only tells something does not.
    pub fn changes_state(&self) -> bool {
        !matches!(
            self,
            Self::RoundBegan { .. }
                | Self::TurnBegan { .. }
                | Self::Acted { .. }
                | Self::Stopped { .. }
                | Self::Checked { .. }
                | Self::BrokenOff { .. }
                | Self::Caught { .. }
        )
    }
}

/// What a log prints of some events: what each says, and no heading of a part
/// in which nothing is done.
pub fn log_lines<'e>(events: &'e [Event], names: &Names) -> Vec<(&'e Event, Line)> {
    let mut lines: Vec<(&Event, Line)> = vec![];
    for event in events {
        let Some(line) = event.describe(names) else {
            continue;
        };
        let closes = matches!(line.depth, Depth::Part | Depth::Heading);
        if closes && lines.last().is_some_and(|(_, l)| l.depth == Depth::Part) {
            lines.pop();
        }
        lines.push((event, line));
    }
    lines
}

impl Event {
    /// The event in the game's words.
    pub fn describe(&self, names: &Names) -> Option<Line> {
        let line = self.line(names)?;
        let text = crate::words::shown(&line.text).into_owned();
        Some(Line { text, ..line })
    }

    fn line(&self, names: &Names) -> Option<Line> {
        use Depth::*;
        let title = |id: &Id| names.title(*id);
        match &self.what {
            EventKind::RoundBegan { round } => Line::new(Heading, format!("Round {round}")),
            EventKind::TurnBegan { side } => {
                Line::new(Heading, format!("Turn: {}", names.side(*side)))
            }
            EventKind::Acted { choice } => Line::new(Fact, choice.log_text(names)),
            EventKind::Stopped { who, why } => {
                Line::new(Fact, format!("{} stops: {why}", title(who)))
            }
            EventKind::Moved { who, to, feet, .. } => {
                Line::new(Trace, format!("{} moves to {to} ({feet} ft)", title(who)))
            }
            EventKind::Checked {
                who,
                side,
                what,
                roll,
                against,
                passed,
            } => {
                let name = match (who, side) {
                    (Some(id), _) => names.title(*id).to_owned(),
                    (_, Some(side)) => super::capitalised(names.side(*side)),
                    _ => String::new(),
                };
                let against = against.map_or(String::new(), |n| format!(" against {n}"));
                let verdict = match passed {
                    Some(true) => ": passes",
                    Some(false) => ": fails",
                    None => "",
                };
                Line::new(Detail, format!("{name}, {what}: {roll}{against}{verdict}"))
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
                let beaten = defence_word(self.rule);
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
                let spell = super::capitalised(names.spell(*spell));
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
            EventKind::Reached {
                who,
                so_far,
                needed,
                text,
                ..
            } => {
                let who = ids_of(*who).map(|id| names.name(id).to_owned());
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
            EventKind::RoundEnded => None,
            EventKind::BrokenOff { step } => Line::new(
                Fact,
                format!("This goes round in circles and is broken off: {step}"),
            ),
            EventKind::Over { won, why } => {
                let verdict = won.map_or("Nobody wins".into(), |s| {
                    format!("Victory for {}", names.side_in_line(s))
                });
                Line::new(Heading, format!("{verdict}: {why}"))
            }
            EventKind::Ruleset(own) => own.describe(names),
        }
    }

    /// One object: the rule, the kind of event, its facts, its sentence.
    pub fn json(&self, names: &Names) -> serde_json::Value {
        let mut value = match &self.what {
            EventKind::Ruleset(own) => own.data(),
            shared => data(shared, names),
        };
        value["rule"] = self.rule.into();
        if let Seen::Only(side) = self.seen {
            value["seen"] = names.side(side).into();
        }
        if let Some(line) = self.describe(names) {
            value["text"] = line.text.into();
        }
        names.json(value)
    }
}

/// The facts of a shared event, ids not yet named.
fn data(change: &EventKind, names: &Names) -> serde_json::Value {
    use serde_json::json;
    let side = |s: &Side| names.side(*s).to_owned();
    match change {
        EventKind::RoundBegan { round } => json!({"what": "round", "round": round}),
        EventKind::TurnBegan { side: s } => json!({"what": "turn", "side": side(s)}),
        EventKind::Acted { choice } => {
            json!({"what": "act", "who": choice.who, "act": choice.verb.name, "order": choice.text(names), "at": choice.at, "to": choice.to.map(|c| [c.x, c.y])})
        }
        EventKind::Stopped { who, why } => json!({"what": "stopped", "who": who, "why": why}),
        EventKind::Moved {
            who,
            from,
            to,
            feet,
        } => {
            json!({"what": "moved", "who": who, "from": [from.x, from.y], "to": [to.x, to.y], "feet": feet})
        }
        EventKind::Checked {
            who,
            side: s,
            what,
            roll,
            against,
            passed,
        } => {
            json!({"what": "check", "who": who, "side": s.as_ref().map(side), "check": what, "roll": roll_data(roll), "against": against, "passed": passed})
        }
        EventKind::AttackRolled { shot } => {
            let a = &shot.attack;
            json!({"what": "attack", "n": shot.serial, "who": a.by, "at": a.at, "with": names.item(a.with), "ranged": a.ranged, "roll": roll_data(&shot.roll)})
        }
        EventKind::Rerolled { serial, who, roll } => {
            json!({"what": "reroll", "n": serial, "who": who, "roll": roll_data(roll)})
        }
        EventKind::AttackSettled {
            serial,
            hit,
            against,
            ..
        } => {
            json!({"what": "verdict", "n": serial, "hit": hit, "against": against})
        }
        EventKind::Damaged {
            who,
            by,
            points,
            roll,
        } => {
            json!({"what": "damage", "who": who, "by": by, "points": points, "roll": roll_data(roll)})
        }
        EventKind::Caught { spell, who } => {
            json!({"what": "caught", "spell": names.spell(*spell), "who": who})
        }
        EventKind::Healed { who, points } => {
            json!({"what": "healed", "who": who, "points": points})
        }
        EventKind::Fell { who } => json!({"what": "fell", "who": who}),
        EventKind::Revived { who, at, hp } => {
            json!({"what": "revived", "who": who, "at": [at.x, at.y], "hp": hp})
        }
        EventKind::Died { who } => json!({"what": "died", "who": who}),
        EventKind::Prone { who, prone } => json!({"what": "prone", "who": who, "prone": prone}),
        EventKind::Shifted {
            who,
            item,
            from,
            to,
        } => {
            json!({"what": "shifted", "who": who, "item": item, "from": from, "to": to})
        }
        EventKind::Dropped {
            who,
            item,
            from,
            at,
        } => {
            json!({"what": "dropped", "who": who, "item": item, "from": from, "at": [at.x, at.y]})
        }
        EventKind::Landed {
            who,
            item,
            from,
            at,
        } => {
            json!({"what": "landed", "who": who, "item": item, "from": from, "at": [at.x, at.y]})
        }
        EventKind::PickedUp { who, item, at } => {
            json!({"what": "picked_up", "who": who, "item": item, "at": [at.x, at.y]})
        }
        EventKind::ShieldDropped { who } => json!({"what": "shield_dropped", "who": who}),
        EventKind::DoorMoved { by, cell, open } => {
            json!({"what": "door", "who": by, "cell": [cell.x, cell.y], "open": open})
        }
        EventKind::Entered { who, at } => {
            json!({"what": "entered", "who": who, "at": [at.x, at.y]})
        }
        EventKind::Fled { who } => json!({"what": "fled", "who": who}),
        EventKind::Reached {
            objective,
            who,
            so_far,
            needed,
            ..
        } => {
            let who: Vec<Id> = ids_of(*who).collect();
            json!({"what": "reached", "objective": objective, "who": who, "so_far": so_far, "needed": needed})
        }
        EventKind::Held {
            objective,
            side: s,
            rounds,
            needed,
            ..
        } => {
            json!({"what": "held", "objective": objective, "side": side(s), "rounds": rounds, "needed": needed})
        }
        EventKind::ObjectiveLost {
            objective, side: s, ..
        } => {
            json!({"what": "objective_lost", "objective": objective, "side": side(s)})
        }
        EventKind::RoundEnded => json!({"what": "round_ended"}),
        EventKind::BrokenOff { step } => json!({"what": "broken_off", "step": step}),
        EventKind::Over { won, why } => {
            json!({"what": "over", "won": won.as_ref().map(side), "why": why})
        }
        EventKind::Ruleset(_) => json!({}),
    }
}

/// Those in a bit set.
fn ids_of(bits: u64) -> impl Iterator<Item = Id> {
    (0..64).map(Id).filter(move |id| bits & id.bit() != 0)
}

/// What an attack has to beat is called by the ruleset that the rule is of.
fn defence_word(rule: Rule) -> &'static str {
    match rule.split_once('-') {
        Some(("AC", _)) => "DB",
        Some(("SP", _)) => "Defense",
        _ => "AC",
    }
}

fn roll_data(roll: &Roll) -> serde_json::Value {
    #[derive(Serialize)]
    struct Told<'a> {
        dice: &'a [(u16, u16)],
        modifiers: &'a [super::Modifier],
        total: i32,
    }
    serde_json::to_value(Told {
        dice: &roll.dice,
        modifiers: &roll.modifiers,
        total: roll.total(),
    })
    .unwrap_or_default()
}

/// Changes a world by one fact.
///
/// # Panics
/// When the fact contradicts the world (a mover onto a standing body, a fall
/// of somebody who is down): a step emitted what it did not check.
pub fn apply(world: &mut World, event: &Event) {
    fn body<'w>(world: &'w mut World, id: &Id) -> bevy::ecs::world::Mut<'w, Body> {
        component_mut::<Body>(world, *id)
    }
    match &event.what {
        EventKind::Moved { who, to, .. } => {
            assert!(body(world, who).is_up(), "{who:?} moves while down");
            assert!(
                is_free(world, *who, *to, true),
                "{who:?} moves onto a foe at {to}"
            );
            body(world, who).at = *to;
        }
        EventKind::AttackRolled { shot } => {
            world.resource_mut::<PendingAttacks>().launch(shot.clone())
        }
        EventKind::Rerolled { serial, roll, .. } => {
            world.resource_mut::<PendingAttacks>().reroll(*serial, roll);
        }
        EventKind::AttackSettled { serial, .. } => {
            world.resource_mut::<PendingAttacks>().land(*serial)
        }
        EventKind::Damaged { who, points, .. } => body(world, who).hp -= points,
        EventKind::Healed { who, points } => {
            let mut b = body(world, who);
            b.hp = (b.hp + points).min(b.max_hp);
        }
        EventKind::Fell { who } => {
            let mut b = body(world, who);
            assert!(b.is_up(), "{who:?} falls while down");
            b.state = State::Down;
        }
        EventKind::Revived { who, at, hp } => {
            assert!(
                is_free(world, *who, *at, false),
                "{who:?} comes to under somebody at {at}"
            );
            let mut b = body(world, who);
            assert!(b.state == State::Down, "{who:?} comes to without a fall");
            (b.state, b.at, b.hp, b.prone) = (State::Up, *at, *hp, true);
        }
        EventKind::Died { who } => body(world, who).state = State::Dead,
        EventKind::Prone { who, prone } => body(world, who).prone = *prone,
        EventKind::Shifted {
            who,
            item,
            from,
            to,
        } => component_mut::<Inventory>(world, *who).shift(*who, *item, *from, *to),
        EventKind::Dropped {
            who,
            item,
            from,
            at,
        }
        | EventKind::Landed {
            who,
            item,
            from,
            at,
        } => {
            component_mut::<Inventory>(world, *who).lose(*who, *item, *from);
            world.resource_mut::<Ground>().0.push((*at, *item));
        }
        EventKind::PickedUp { who, item, at } => {
            let mut ground = world.resource_mut::<Ground>();
            let lies = ground.0.iter().position(|thing| *thing == (*at, *item));
            ground.0.remove(lies.expect("it lies there"));
            let mut gear = component_mut::<Inventory>(world, *who);
            gear.items.insert(0, (*item, Place::Hand));
        }
        EventKind::ShieldDropped { who } => component_mut::<Inventory>(world, *who).shield = false,
        EventKind::DoorMoved { cell, open, .. } => {
            world.resource_mut::<Map>().0.set_door(*cell, *open);
        }
        EventKind::Entered { who, at } => {
            assert!(
                is_free(world, *who, *at, false),
                "{who:?} enters onto somebody at {at}"
            );
            let mut b = body(world, who);
            (b.state, b.at) = (State::Up, *at);
        }
        EventKind::Fled { who } => body(world, who).state = State::Fled,
        EventKind::Reached { objective, who, .. } => {
            world.resource_mut::<Progress>().reached[*objective] |= who;
        }
        EventKind::Held {
            objective, rounds, ..
        } => {
            world.resource_mut::<Progress>().held[*objective] = *rounds;
        }
        EventKind::ObjectiveLost { objective, .. } => {
            world.resource_mut::<Progress>().lost[*objective] = true;
        }
        EventKind::RoundEnded => world.resource_mut::<Progress>().rounds += 1,
        EventKind::Ruleset(own) => own.apply(world),
        EventKind::RoundBegan { .. }
        | EventKind::TurnBegan { .. }
        | EventKind::Acted { .. }
        | EventKind::Caught { .. }
        | EventKind::Stopped { .. }
        | EventKind::BrokenOff { .. }
        | EventKind::Checked { .. } => {}
        // What is in the air falls to the ground.
        EventKind::Over { .. } => world.resource_mut::<PendingAttacks>().clear(),
    }
}

/// Nobody else stands where `who` would stand at `to`; on its way through it
/// may pass its allies (GR-03).
fn is_free(world: &World, who: Id, to: Cell, past_allies: bool) -> bool {
    let roster = world.resource::<super::Roster>();
    let get = |id: Id| {
        world
            .get::<Body>(roster.who[id.index()])
            .expect("every combatant has a body")
    };
    let space = Space::new(to, get(who).size);
    let side = get(who).side;
    let clash =
        |b: &Body| b.is_up() && b.space().overlaps(space) && !(past_allies && b.side == side);
    !roster.ids().any(|id| id != who && clash(get(id)))
}
