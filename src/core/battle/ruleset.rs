//! A combat system, as the engine and all users of the engine see it.

use super::{
    ActInfo, Action, Attack, Body, Choice, Forecasting, Id, Offer, Planning, Roster, SURRENDER,
    Side, Stat, State, Step, Unknown, Why, chances, of_unit,
};
use crate::{
    content::{Armour, Creature, OwnSections, Registered, Spell, Weapon},
    grid::{Cell, Range, Space},
    levels::Level,
    ron_read::Problem,
};
use bevy_ecs::world::World;
use std::sync::Arc;

/// Where a unit could attack in its next turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ThreatRange {
    /// The cells within reach from where it could strike.
    pub strikes: Vec<Cell>,
    /// The spaces of possible targets of a charge. Within reach of a plain move, only spaces where
    /// enemies stand are listed.
    pub charges: Vec<Space>,
    /// The cells that it could shoot or throw at, before or after a move.
    pub shoots: Vec<Cell>,
}

impl ThreatRange {
    /// All cells that it could attack, with duplicates: also those that it could only shoot at or
    /// charge.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        let charged = self.charges.iter().flat_map(|there| there.cells());
        let cells = self.strikes.iter().chain(&self.shoots).copied();
        cells.chain(charged)
    }
}

/// How a unit could come to attack a certain enemy in its next turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AttackApproach {
    /// The cells from which it could strike, including its own.
    pub stands: Vec<Cell>,
    /// Whether it can move before it shoots or throws.
    pub goes_to_shoot: bool,
    /// The cell where a charge would end; `None` if it can't charge.
    pub charge_end: Option<Cell>,
}

/// Why a unit attacks nobody in its next turn, wherever its enemies are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Harmless {
    /// It has noticed no enemy.
    Unaware,
    /// It flees, or its morale is broken.
    Flees,
    /// It is helpless, or a condition keeps it from acting.
    Unable,
    /// It has no attack left.
    Spent,
}

impl Harmless {
    /// The reason in a word or two: "unaware".
    pub fn words(self) -> &'static str {
        match self {
            Self::Unaware => "unaware",
            Self::Flees => "flees",
            Self::Unable => "can't act",
            Self::Spent => "no attack",
        }
    }
}

/// The expected result of an attack before its roll.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Expected {
    /// The chance to hit, from 0 to 1.
    pub hit: f32,
    /// The mean damage, misses included.
    pub damage: f32,
}

/// A combat system: a table of functions. Bevy plugins belong to the UI.
#[derive(Debug)]
pub struct Ruleset {
    /// The name in level files: `Skirmish`.
    pub id: &'static str,
    /// The prefix of its rule ids: `SK`.
    pub rule_prefix: &'static str,
    /// What it calls the number that an attack has to reach: "AC".
    pub defense: &'static str,
    /// Its own sections of creatures and items.
    pub sections: OwnSections,
    /// The kinds that only this ruleset needs: the name and text of each file.
    pub kinds: &'static [(&'static str, &'static str)],
    /// The rules for the codex: the name and text of the file.
    pub codex: (&'static str, &'static str),
    /// Its numbers, if they are in a file of their own.
    pub tables: Option<Tables>,
    /// Its own sections of levels.
    pub level: &'static [Registered<Level>],
    /// The length of a round in seconds.
    pub round_seconds: u32,
    /// The hit points of an unhurt creature, or the ruleset's equivalent.
    pub hit_points: fn(&Creature) -> i32,
    /// The field of a creature's file that they come from. Authors can always write `hp` instead.
    pub hit_points_field: &'static str,
    /// Their name for players: "HP".
    pub hit_points_name: &'static str,
    /// Whether there is an initiative to win, so that [`FirstMove`](super::FirstMove) applies to
    /// the first one.
    pub initiative: bool,
    /// Whether any unit can be surprised by a roll (SE-10). Otherwise, units on guard can be
    /// surprised only by hidden ones.
    pub surprises_all: bool,
    /// Gives a unit the bonus of this many steps of its side's handicap, before the battle
    /// (OP-03).
    pub add_bonus_hp: fn(&mut World, Id, u8),
    /// Adds the ruleset's components and resources to a world that has its units.
    pub install: fn(&mut World),
    pub first: fn() -> Box<dyn Step>,
    /// The AI's choice among one unit's offers and its score, by what the world, its side's
    /// knowledge, shows. Picks a number where the offer allows several. At least one offer must
    /// be legal, and the choice is legal.
    pub policy: fn(&mut World, Id, &Arc<Vec<Offer>>) -> (Choice, i32),
    /// The offers that are enough for the AI to decide for a unit in its turn. `None` if it needs
    /// all of them.
    pub few_offers: fn(&mut World, Id) -> Option<Few>,
    /// What each of these units has to gain by its best attack, roughly, by what the world shows.
    /// `None` for units that do more than attack.
    pub best_attack_values: fn(&mut World, &[Id]) -> Vec<Option<i32>>,
    /// All legal offers of one unit with their scores: this choice of the AI first, then the others
    /// from best to worst.
    pub rank: fn(&mut World, Id, &Arc<Vec<Offer>>, Choice) -> Vec<(Choice, i32)>,
    /// The step in which a side's units declare again what this world does not know of their
    /// plans. `None` if they have no secret declarations.
    pub redeclare: fn(&World, Side) -> Option<Box<dyn Step>>,
    /// The share of each side's strength that is left, by side: 1 if it is unhurt, 0 if no unit
    /// stands. Leaves out the units in the bit set.
    pub strength: fn(&mut World, u64) -> Vec<f32>,
    /// Why a unit attacks nobody in its next turn, wherever its enemies are, as far as this world
    /// knows. `None` if it could attack.
    pub harmless: fn(&mut World, Id) -> Option<Harmless>,
    /// Where a unit could attack in its next turn, as far as this world knows.
    pub threat_range: fn(&mut World, Id) -> ThreatRange,
    /// How a unit could come to attack another in its next turn, as far as this world knows.
    pub attack_approach: fn(&mut World, (Id, Id)) -> AttackApproach,
    /// Whether a choice with a plotted path is possible now (GR-33).
    pub path: fn(&mut World, &Choice) -> Result<(), Why>,
    /// Copies the ruleset's state to another world of the same setup.
    pub copy: fn(&World, &mut World),
    /// All actions that can be offered; orders are made of these.
    pub acts: fn() -> Vec<ActInfo>,
    /// Whether units can act at moments without a prompt by default, and can ask to be prompted
    /// at every chance.
    pub chances: bool,
    /// Where a unit's move can take it now, with the cost and the provoked attacks of each path.
    pub range: fn(&mut World, Id) -> Arc<Range>,
    /// The expected result of an attack about to be rolled, from the forecast that the roll uses.
    /// `None` if the attack is not possible.
    pub expected: fn(&mut World, &Attack) -> Option<Expected>,
    /// The total with which a rolled attack would hit as things stand. `None` if nothing after the
    /// roll can change it, or if the attack is not possible any more.
    pub needed: fn(&mut World, &Attack) -> Option<i32>,
    /// The numbers of a unit that attacks another.
    pub profile: fn(&mut World, Id, Id) -> Vec<Stat>,
    /// The numbers of a weapon, an armour or a spell.
    pub thing: fn(&Thing) -> Vec<Stat>,
    /// The units of other sides that a side does not know of, by what its world shows.
    pub unknown: fn(&mut World, Side) -> Vec<Id>,
    /// The values that the ruleset stores for each unit, by name.
    pub probes: &'static [Probe],
    /// How units plan, and how they carry out their plans.
    pub planning: &'static Planning,
    /// The forecasts of orders.
    pub forecasting: &'static Forecasting,
}

/// A few offers that are enough to decide among.
#[derive(Clone, Debug)]
pub struct Few {
    pub offers: Vec<Offer>,
    /// A choice of this action means that the others gain nothing: all offers are needed then.
    pub unless: Option<&'static Action>,
}

impl Few {
    /// Offers that are enough in any case.
    pub fn only(offers: Vec<Offer>) -> Self {
        Self {
            offers,
            unless: None,
        }
    }
}

/// A ruleset's numbers in a file of their own.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    /// The field that identifies such a file: "speed_tables".
    pub field: &'static str,
    /// Checks a file, given its name and text. `None` if it is valid.
    pub check: fn(&str, &str) -> Option<Problem>,
}

/// An item or a spell that a unit can have.
#[derive(Clone, Copy, Debug)]
pub enum Thing<'a> {
    Weapon(&'a Weapon),
    Armour(&'a Armour),
    Spell(&'a Spell),
}

impl Ruleset {
    /// All actions that can be offered.
    pub fn verbs(&self) -> Vec<&'static Action> {
        let all = (self.acts)().into_iter();
        all.map(|act| act.action).collect()
    }

    /// All actions that an order can have: those that can be offered, a surrender, and requests
    /// about prompts where there are chances.
    pub fn order_verbs(&self) -> Vec<&'static Action> {
        let mut verbs = self.verbs();
        verbs.push(&SURRENDER);
        if self.chances {
            verbs.extend([&chances::EVERY_CHANCE, &chances::AS_USUAL]);
        }
        verbs
    }

    /// The units and sides that a side does not know of, by what its world shows. Sides whose
    /// units have all yet to arrive are unknown too.
    pub fn unknown_to(&self, world: &mut World, side: Side) -> Unknown {
        let all = (self.unknown)(world, side);
        let units = all.iter().fold(0, |set, id| set | id.bit());
        let roster = world.resource::<Roster>();
        let mut known = 1 << side.0;
        for id in roster.ids() {
            let body = of_unit::<Body>(world, id);
            let is_known = units & id.bit() == 0 && body.state != State::Waiting;
            known |= u64::from(is_known) << body.side.0;
        }
        let sides = roster.sides().fold(0, |set, side| set | 1 << side.0) & !known;
        Unknown { units, sides }
    }
}

/// A value that a ruleset stores for each unit. Scenarios and tools read it by name.
#[derive(Debug)]
pub struct Probe {
    pub name: &'static str,
    pub read: fn(&World, Id) -> ProbeValue,
}

/// The value of a probe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ProbeValue {
    Yes(bool),
    Count(i32),
    Text(String),
}

impl std::fmt::Display for ProbeValue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Yes(yes) => write!(f, "{yes}"),
            Self::Count(n) => write!(f, "{n}"),
            Self::Text(text) => write!(f, "{text:?}"),
        }
    }
}
