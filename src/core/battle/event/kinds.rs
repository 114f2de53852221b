//! The kinds of events that all rulesets share.

use super::{CheckRoll, Cue, CueKind, Line, LogLevel, RulesetEvent, apply::*, data, table::events};
use crate::{
    battle::{
        ActiveCondition, Choice, Conditions, Ground, Handling, Id, Inventory, Item, ItemPlace, Map,
        PendingAttacks, Progress, Roll, RolledAttack, Shaken, Side, SpellId, State,
        handicap::PERCENT, of_unit_mut,
    },
    grid::Cell,
    words::{count, possessive},
};
use serde::Serialize;
use std::{borrow::Cow, sync::Arc};

events! {
    /// What happened: facts and changes, never a whole new component.
    pub enum EventKind |world, names, unknown| {
        /// The battle begins, and a side has a handicap.
        Handicap { #[serde(serialize_with = "data::open")] side: Side, points: u8 }
            log(Fact "Every unit of {side} has {percent}% more hit points (handicap {points})",
                percent = i32::from(*points) * PERCENT);

        #[serde(rename = "round")]
        RoundBegan { round: u16 } log(Heading "Round {round}");

        #[serde(rename = "turn")]
        TurnBegan { side: Side }
            log(Heading "{of} turn", of = possessive(names.side(*side)))
            cue(Some(Cue::new(CueKind::Turn, None)));

        /// An action or reaction begins; its effects follow as further events.
        #[serde(rename = "act")]
        Acted { #[serde(flatten, serialize_with = "data::act")] choice: Choice }
            log(Line::new(LogLevel::Fact, choice.log_text(names)))
            cue(Some(Cue::new(
                if choice.spell.is_some() { CueKind::Spell } else { CueKind::Act },
                choice.who,
            )))
            progress(choice.spell.is_some());

        /// An action that began has failed.
        Stopped { who: Id, why: Cow<'static, str> }
            log(Fact "{who} stops: {why}") cue(Stop, who, "stops");

        /// One step of a move. `feet` is its cost.
        Moved {
            who: Id,
            #[serde(serialize_with = "data::pair")] from: Cell,
            #[serde(serialize_with = "data::pair")] to: Cell,
            feet: u16,
        }
            log(Trace "{who} moves to {to} ({feet} ft)")
            board("{who} moves to the {there} ({feet} ft)",
                there = to.direction_from(*from).unwrap_or("same cell"))
            cue(Step, who, "")
            apply { step(world, *who, *to) };

        /// A roll that is not an attack.
        #[serde(rename = "check")]
        Checked(check: CheckRoll)
            log(Line::new(LogLevel::Detail, check.log_text(names)))
            cue(Some(check.cue()))
            roll(&check.roll);

        #[serde(rename = "attack")]
        AttackRolled { #[serde(flatten, serialize_with = "data::attack")] rolled_attack: RolledAttack }
            log(Detail "{by} against {at}, {with}: {roll}",
                by = names.name(rolled_attack.attack.by), at = names.name(rolled_attack.attack.at),
                with = names.item(rolled_attack.attack.with), roll = &rolled_attack.roll)
            cue(Dice, &rolled_attack.attack.by, "")
            apply {
                world.resource_mut::<PendingAttacks>().launch(rolled_attack.clone());
                world.resource_mut::<Progress>().is_contested = true;
            }
            roll(&rolled_attack.roll);

        /// The die of a pending attack was rolled again. Only the new roll counts.
        #[serde(rename = "reroll")]
        Rerolled { #[serde(rename = "n")] serial: u32, who: Id, roll: Roll }
            log(Detail "{who} rolls again: {roll}")
            cue(Dice, who, "")
            apply { world.resource_mut::<PendingAttacks>().reroll(*serial, roll) }
            roll(roll);

        #[serde(rename = "verdict")]
        AttackResolved {
            #[serde(rename = "n")] serial: u32,
            hit: bool,
            #[serde(skip)] critical: bool,
            against: i32,
            /// The total with which the roll hits; `None` if the attack is no longer possible.
            #[serde(skip)] needed: Option<i32>,
            #[serde(skip)] why: Cow<'static, str>,
        }
            log({
                let verdict = if *hit { "hits" } else { "misses" };
                let why = if why.is_empty() { String::new() } else { format!(" ({why})") };
                let text = format!("against {} {against}: {verdict}{why}", names.defense());
                Line::new(LogLevel::Detail, text)
            })
            cue(Some(Cue::new(if *hit { CueKind::Hit } else { CueKind::Miss }, None)))
            apply { world.resource_mut::<PendingAttacks>().land(*serial) };

        // Damage without an attacker, such as bleeding, is no progress.
        #[serde(rename = "damage")]
        Damaged { who: Id, by: Option<Id>, points: i32, roll: Roll }
            log(Fact "{who} takes {points} damage{dice}", dice = roll.in_brackets())
            cue(Some(Cue { by: *by, ..Cue::points(CueKind::Wound, *who, *points) }))
            apply { body(world, who).hp -= points }
            roll(roll)
            progress(*points > 0 && by.is_some());

        /// The units in the area of a spell, in id order (GR-41).
        Caught { spell: SpellId, who: Vec<Id> }
            log(if (who.is_empty()) { Detail "{spell} catches nobody" }
                else { Detail "{spell} catches {who}" })
            progress(true)
            known(Self::Caught { spell: *spell, who: unknown.known(who)? });

        Healed { who: Id, points: i32 }
            log(Fact "{who} regains {points} hit points")
            cue(Some(Cue::points(CueKind::Heal, *who, *points)))
            apply {
                let b = body(world, who);
                b.hp = (b.hp + points).min(b.max_hp);
            }
            progress(true);

        /// A unit gets a condition for a number of rounds.
        #[serde(rename = "condition")]
        ConditionBegan {
            who: Id,
            #[serde(flatten, serialize_with = "data::condition")] lasting: ActiveCondition,
            rounds: i32,
        }
            log(Fact "{who} is {what}{points} for {long}",
                what = &lasting.condition.name,
                points = match lasting.defense {
                    0 => String::new(),
                    n if n > 0 => format!(", {} {n} better,", names.defense()),
                    n => format!(", {} {} worse,", names.defense(), -n),
                },
                long = count(*rounds as usize, "round"))
            cue(Cue::of(
                CueKind::good_if(!lasting.condition.harms()),
                *who,
                lasting.condition.name.clone(),
            ))
            apply { of_unit_mut::<Conditions>(world, *who).begin(lasting) }
            progress(true);

        ConditionEnded {
            who: Id,
            #[serde(flatten, serialize_with = "data::ended_condition")] lasting: ActiveCondition,
        }
            log(Fact "{who} is no longer {what}{of}",
                what = &lasting.condition.name,
                of = lasting.spell.map_or(String::new(), |spell| format!(" by {}", names.spell(spell))))
            cue(Cue::of(
                CueKind::good_if(lasting.condition.harms()),
                *who,
                format!("{} no more", lasting.condition.name),
            ))
            apply { of_unit_mut::<Conditions>(world, *who).end(lasting) };

        Fell { who: Id }
            log(Fact "{who} falls")
            cue(Fall, who, "")
            apply {
                let b = body(world, who);
                assert!(b.is_up(), "{who:?} falls while down");
                b.state = State::Down;
            }
            progress(true);

        /// A unit that was down gets up, prone, with this many hit points.
        Revived { who: Id, #[serde(serialize_with = "data::pair")] at: Cell, hp: i32 }
            log(Fact "{who} comes to at {at}, prone, with {hp} hit points")
            board("{who} comes to, prone, with {hp} hit points")
            cue(Some(Cue::points(CueKind::Heal, *who, *hp)))
            apply {
                place(world, *who, *at, "comes to");
                let b = body(world, who);
                assert!(b.state == State::Down, "{who:?} comes to without a fall");
                (b.state, b.hp, b.prone) = (State::Up, *hp, true);
            }
            progress(true);

        Died { who: Id }
            log(Fact "{who} dies")
            cue(Death, who, "dies")
            apply { body(world, who).state = State::Dead }
            progress(true);

        Prone { who: Id, prone: bool }
            log(if (*prone) { Fact "{who} is prone" } else { Fact "{who} is on their feet" })
            // Standing up is an action of its own, which has named itself.
            cue(Stance, who, if *prone { "prone" } else { "" })
            apply { body(world, who).prone = *prone };

        /// An item is drawn, put away, taken from the pack or stowed.
        Shifted { who: Id, item: Item, from: ItemPlace, to: ItemPlace }
            log(if (Handling::of(*from, *to) == Handling::Unpack) {
                Detail "{who} gets {item} out of the pack"
            } else if (Handling::of(*from, *to) == Handling::Stow) {
                Detail "{who} stows {item} in the pack"
            } else if (Handling::of(*from, *to) == Handling::PutAway) {
                Trace "{who} puts {item} away"
            } else {
                Detail "{who} draws {item}"
            })
            apply { of_unit_mut::<Inventory>(world, *who).shift(*who, *item, *from, *to) }
            handles(Handling::of(*from, *to), who, Some(*item));

        /// An item falls to the ground.
        Dropped {
            who: Id,
            item: Item,
            from: ItemPlace,
            #[serde(serialize_with = "data::pair")] at: Cell,
        }
            log(Fact "{who} drops {item}")
            cue(Thing, who, "drops it")
            apply { let_fall(world, *who, *item, *from, *at) }
            handles(Handling::Drop, who, Some(*item));

        /// A thrown item lies where it landed.
        Landed {
            who: Id,
            item: Item,
            from: ItemPlace,
            #[serde(serialize_with = "data::pair")] at: Cell,
        }
            log(Detail "{who}'s {item} lies at {at}")
            board("{who}'s {item} lies on the ground")
            apply { let_fall(world, *who, *item, *from, *at) };

        /// An item is picked up from the ground and held.
        PickedUp { who: Id, item: Item, #[serde(serialize_with = "data::pair")] at: Cell }
            log(Fact "{who} picks up {item} at {at}")
            board("{who} picks up {item}")
            cue(Thing, who, "takes it up")
            apply {
                let mut ground = world.resource_mut::<Ground>();
                let lies = ground.0.iter().position(|thing| *thing == (*at, *item));
                ground.0.remove(lies.expect("it lies there"));
                let inventory = of_unit_mut::<Inventory>(world, *who);
                inventory.items.insert(0, (*item, ItemPlace::Hand));
            }
            handles(Handling::PickUp, who, Some(*item));

        ShieldDropped { who: Id }
            log(Fact "{who} lets the shield fall")
            cue(Thing, who, "drops it")
            apply { of_unit_mut::<Inventory>(world, *who).shield = false }
            handles(Handling::Drop, who, None);

        #[serde(rename = "door")]
        DoorMoved {
            #[serde(rename = "who")] by: Id,
            #[serde(serialize_with = "data::pair")] cell: Cell,
            open: bool,
        }
            log(Fact "{by} {does} the door at {cell}", does = if *open { "opens" } else { "closes" })
            board("{by} {does} the door", does = if *open { "opens" } else { "closes" })
            cue(Door, by, "")
            apply { world.resource_mut::<Map>().0.set_door(*cell, *open); }
            handles(Handling::Door, by, None);

        Entered { who: Id, #[serde(serialize_with = "data::pair")] at: Cell }
            log(Fact "{who} enters at {at}")
            board("{who} enters")
            cue(Enter, who, "")
            apply {
                place(world, *who, *at, "enters");
                body(world, who).state = State::Up;
            }
            progress(true);

        Fled { who: Id }
            log(Fact "{who} leaves the battle")
            cue(Leave, who, "")
            apply { body(world, who).state = State::Fled }
            progress(true);

        /// A unit's morale breaks: it runs for an exit.
        Flees { who: Id }
            log(Fact "{who} breaks and flees")
            cue(Bad, who, "flees")
            apply { body(world, who).flees = true }
            progress(true);

        /// A unit that should flee finds no way to an exit and fights.
        FightsOn { who: Id }
            log(Fact "{who} finds no way out and fights on")
            cue(Good, who, "fights on")
            apply { body(world, who).flees = false };

        /// A unit that left the field comes back in this round.
        WillReturn { who: Id, round: u16 }
            log(Detail "{who} may be back")
            apply {
                let b = body(world, who);
                (b.state, b.returns) = (State::Waiting, Some(*round));
            };

        /// A unit that fled is back and fights.
        Rallied { who: Id }
            log(Fact "{who} has taken heart again")
            cue(Good, who, "up again")
            apply { body(world, who).flees = false };

        /// The reasons for which a side's morale has been checked so far.
        Shaken { #[serde(serialize_with = "data::open")] side: Side, shaken: Shaken }
            log(silent) apply { world.resource_mut::<Progress>().shaken[side.index()] = *shaken };

        /// Units of a side check morale; their rolls follow. `why` is empty if a parley is the
        /// reason.
        MoraleBegan {
            #[serde(serialize_with = "data::open")] side: Side,
            why: Cow<'static, str>,
            who: Vec<Id>,
        }
            log(if (why.is_empty()) { Fact "Morale check for {side}" }
                else { Fact "{why}: morale check for {side}" })
            known(Self::MoraleBegan {
                side: *side,
                why: why.clone(),
                who: unknown.known(who)?,
            });

        /// These units of a side have checked morale; the ones in `broke` do not fight on.
        MoraleEnded {
            #[serde(serialize_with = "data::open")] side: Side,
            who: Vec<Id>,
            broke: Vec<Id>,
        }
            log(if (broke.is_empty()) { Fact "{side}: all stand firm" }
                else { Fact "{side}: {count} of {all} {verb}",
                    count = broke.len(), all = who.len(),
                    verb = if broke.len() == 1 { "breaks" } else { "break" } })
            known(Self::MoraleEnded {
                side: *side,
                who: unknown.known(who)?,
                broke: unknown.known(broke).unwrap_or_default(),
            });

        /// Units have reached an objective's area. `who` is a bit set of the new ones; `so_far`
        /// includes them. `text` is the objective's.
        Reached {
            objective: usize,
            #[serde(serialize_with = "data::ids")] who: u64,
            so_far: u32,
            needed: u32,
            #[serde(skip)] text: Cow<'static, str>,
        }
            log(Fact "Reached by {all} ({so_far} of {needed}): {text}",
                all = super::InLog::new(&super::ids_of(*who).collect::<Vec<_>>(), names).to_string())
            apply { world.resource_mut::<Progress>().reached[*objective] |= who }
            progress(true);

        /// A side has held an area at the end of this many rounds in a row.
        Held {
            objective: usize,
            #[serde(serialize_with = "data::open")] side: Side,
            rounds: u32,
            needed: u32,
            #[serde(skip)] text: Cow<'static, str>,
        }
            log(if (*rounds == 0) {
                Fact "No longer held by {side}, who need {of}: {text}",
                    of = count(*needed as usize, "round")
            } else {
                Fact "Held by {side} for {rounds} of {of}: {text}",
                    of = count(*needed as usize, "round")
            })
            apply { world.resource_mut::<Progress>().held[*objective] = *rounds }
            progress(*rounds > 0);

        /// An objective can no longer be met.
        ObjectiveLost {
            objective: usize,
            #[serde(serialize_with = "data::open")] side: Side,
            #[serde(skip)] text: Cow<'static, str>,
        }
            log(Fact "Lost for {side}: {text}")
            apply { world.resource_mut::<Progress>().lost[*objective] = true }
            progress(true);

        /// Rounds in a row without progress by any side (OP-07). `nearest`: for each unit, the
        /// fewest steps to what its side is after, since the count began. `limit`: the number of
        /// rounds after which the battle is a draw, if it can be one.
        Idle { rounds: u32, #[serde(skip)] nearest: Arc<[u16]>, limit: Option<u32> }
            log(if (limit.is_some_and(|limit| *rounds == limit.div_ceil(2))) {
                Fact "No side has got anywhere for {so_far}: after {left} more the battle is a draw",
                    so_far = count(*rounds as usize, "round"),
                    left = limit.map_or(0, |limit| limit - rounds)
            } else { silent })
            apply {
                let mut progress = world.resource_mut::<Progress>();
                (progress.idle, progress.nearest) = (*rounds, nearest.clone());
            };

        /// No unit of a side can reach or harm an enemy from where it stands (OP-07).
        Stuck { #[serde(serialize_with = "data::open")] side: Side }
            log(Fact "{side} can reach or harm no enemy");

        /// A side surrenders (OP-08): its units leave at the end of the round.
        Surrendered { #[serde(serialize_with = "data::open")] side: Side }
            log(Fact "{side} surrender")
            apply { world.resource_mut::<Progress>().surrendering |= 1 << side.0 }
            progress(true);

        RoundEnded log(silent) apply { world.resource_mut::<Progress>().end_round() };

        /// This step would repeat forever, so it was skipped. Never happens in a correct ruleset.
        BrokenOff { step: Cow<'static, str> }
            log(Fact "This goes round in circles and is broken off: {step}");

        Over { won: Option<Side>, why: String, end: End }
            log(Heading "{result}: {why}", result = match won {
                Some(side) => format!("Victory for {}", names.side_in_line(*side)),
                None => String::from("Nobody wins"),
            })
            cue(Some(Cue::new(CueKind::Over, None)))
            // Attacks that are still pending no longer matter.
            apply { world.resource_mut::<PendingAttacks>().clear() };

        /// An event of one ruleset.
        #[serde(skip)]
        Ruleset(own: Arc<dyn RulesetEvent>)
            log(own.describe(names))
            cue(own.cue())
            apply { own.apply(world) }
            roll(own.roll()?)
            handles(own.handles()?.0, &own.handles()?.1, own.handles()?.2)
            progress(own.is_progress())
            known(own.without(unknown)?);
    }
}

/// What ended a battle. In files and on the wire, what the sides decided is `decided`: recordings
/// keep a checksum of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum End {
    /// One side is left, and no enemy of it.
    #[serde(rename = "decided")]
    NoEnemyLeft,
    /// No side is left.
    #[serde(rename = "decided")]
    NobodyLeft,
    /// One side is left: another has units, but lost an objective that it had to meet.
    #[serde(rename = "decided")]
    ObjectiveFailed,
    /// A side met its objectives; nobody wins if several did at once.
    #[serde(rename = "decided")]
    ObjectiveMet,
    /// The last round is over, and one side has held out.
    #[serde(rename = "decided")]
    HeldOut,
    /// The last round is over, and no side has won.
    RoundLimit,
    /// Too many rounds without progress by any side (OP-07).
    Stalemate,
    /// A bug in the rules: see [`EventKind::BrokenOff`].
    BrokenOff,
}

impl EventKind {
    /// A unit carries out its choice.
    pub fn acted(choice: &Choice) -> Self {
        let choice = choice.clone();
        Self::Acted { choice }
    }

    /// A unit goes from one cell to another; `feet` is what this took of its movement.
    pub fn moved(who: Id, from: Cell, to: Cell, feet: u16) -> Self {
        Self::Moved {
            who,
            from,
            to,
            feet,
        }
    }

    /// A spell's area includes these units.
    pub fn caught(spell: SpellId, who: &[Id]) -> Self {
        let who = who.to_vec();
        Self::Caught { spell, who }
    }

    /// A unit takes damage, from a unit or from something else.
    pub fn damaged(who: Id, by: Option<Id>, points: i32, roll: Roll) -> Self {
        Self::Damaged {
            who,
            by,
            points,
            roll,
        }
    }

    /// Whether the event can change a world, apart from recording
    /// [progress](super::EventTable::is_progress). Events that are only logged do not.
    pub fn changes_state(&self) -> bool {
        use super::EventTable;
        match self {
            Self::Ruleset(own) => own.has_effect(),
            shared => shared.has_effect(),
        }
    }
}

impl<E: RulesetEvent + 'static> From<E> for EventKind {
    fn from(own: E) -> Self {
        Self::Ruleset(Arc::new(own))
    }
}

impl From<CheckRoll> for EventKind {
    fn from(check: CheckRoll) -> Self {
        Self::Checked(check)
    }
}
