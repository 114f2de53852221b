//! What a combat system is to the engine, and to all who ask about it.

use super::{
    ActInfo, Action, Attack, Body, Choice, Figure, Forecasting, Id, Offer, Planning, Roster,
    SURRENDER, Side, State, Step, Unknown, Why, chances, component,
};
use crate::{
    content::{Armour, Creature, OwnSections, Registered, Spell, Weapon},
    grid::{Cell, Range, Space},
    levels::Level,
    ron_read::Problem,
};
use bevy_ecs::world::World;
use std::sync::Arc;

/// Where somebody could attack in its next turn.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ThreatRange {
    /// Where it could stand to strike, where it is now among them.
    pub stands: Vec<Cell>,
    /// What is in its reach from any of these.
    pub strikes: Vec<Cell>,
    /// What it could charge: each time who may stand there, and where the charge would
    /// end. Of what is in reach of a plain move only where foes are.
    pub charges: Vec<(Space, Cell)>,
    /// What it could shoot or throw at, from where it is now or after a move.
    pub shoots: Vec<Cell>,
    /// It may go before it shoots or throws.
    pub goes_to_shoot: bool,
}

impl ThreatRange {
    /// The cells at which somebody could be attacked, some of them more than once.
    pub fn cells(&self) -> impl Iterator<Item = Cell> {
        let charged = self.charges.iter().flat_map(|(there, _)| there.cells());
        let cells = self.strikes.iter().chain(&self.shoots).copied();
        cells.chain(charged)
    }

    /// Where a charge at somebody there would end.
    pub fn charge_end(&self, there: Space) -> Option<Cell> {
        let charge = self.charges.iter().find(|charge| charge.0 == there);
        charge.map(|charge| charge.1)
    }
}

/// What is to be expected of an attack before its die is rolled.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Expected {
    /// The chance to hit, 0 to 1.
    pub hit: f32,
    /// The mean damage, misses included.
    pub damage: f32,
}

/// A combat system: a table of functions. Bevy app plugins belong to the ui.
#[derive(Debug)]
pub struct Ruleset {
    /// As level files name it: `Skirmish`.
    pub id: &'static str,
    /// With what the ids of its rules begin: `SK`.
    pub book: &'static str,
    /// What an attack has to beat is called so: "AC".
    pub defense: &'static str,
    /// What it knows of creatures and things besides; their kinds that only it
    /// needs, and the rules for the codex: each a file's name and its text.
    pub sections: OwnSections,
    pub kinds: &'static [(&'static str, &'static str)],
    pub codex: (&'static str, &'static str),
    /// Its numbers, where they are a file of their own.
    pub tables: Option<Tables>,
    /// What it knows of levels besides.
    pub level: &'static [Registered<Level>],
    /// Seconds that a round stands for.
    pub round_seconds: u32,
    /// Hit points of somebody unhurt, or what stands for them.
    pub hit_points: fn(&Creature) -> i32,
    /// The field of a creature's file that they come from: where that is not
    /// `hp`, authors may call it so nevertheless.
    pub hit_points_field: &'static str,
    /// There is an initiative to win, and a [`FirstMove`](super::FirstMove) is
    /// heeded in the first.
    pub initiative: bool,
    /// Dice tell who is surprised, whatever they expect (SE-10); else the alert are only
    /// by those who hide.
    pub surprises_all: bool,
    /// Lets somebody bear more, before the battle: their side's handicap has
    /// this many points (OP-03).
    pub add_bonus_hp: fn(&mut World, Id, u8),
    /// Adds the ruleset's components and resources to a world in which the
    /// combatants stand.
    pub install: fn(&mut World),
    pub first: fn() -> Box<dyn Step>,
    /// The AI: which of one actor's offers to take, by what its side knows (the
    /// world), with a number where the offer leaves that open, and its score. At
    /// least one offer is legal, and a legal one is chosen.
    pub policy: fn(&mut World, Id, &Arc<Vec<Offer>>) -> (Choice, i32),
    /// The same for those who weigh up more than one: every legal offer with
    /// its score, the policy's own choice first, the others from the best down.
    pub rank: fn(&mut World, Id, &Arc<Vec<Offer>>) -> Vec<(Choice, i32)>,
    /// The step by which a side's people declare what is not known of their
    /// plans in this world, if they have declared anything under seal.
    pub redeclare: fn(&World, Side) -> Option<Box<dyn Step>>,
    /// What is left of each side, by side: 1 of one that is whole, 0 of one of
    /// which nobody stands. Some may be left out, a bit set.
    pub strength: fn(&mut World, u64) -> Vec<f32>,
    /// Whether somebody could attack anybody in its next turn, as far as this world knows.
    pub threatens: fn(&mut World, Id) -> bool,
    /// Where somebody could attack in its next turn, as far as this world knows.
    pub threat_range: fn(&mut World, Id) -> ThreatRange,
    /// Whether a choice with a path laid by hand may be made now (GR-33).
    pub path: fn(&mut World, &Choice) -> Result<(), Why>,
    /// Copies all state of a battle into another world of the same set-up.
    pub copy: fn(&World, &mut World),
    /// Every action that may be offered: orders are made of them.
    pub acts: fn() -> Vec<ActInfo>,
    /// People may act at moments at which they are not asked by default: they
    /// may wish to be asked at every chance.
    pub chances: bool,
    /// What one move takes somebody to now, and what each way costs and draws.
    pub range: fn(&mut World, Id) -> Arc<Range>,
    /// What is to be expected of an attack whose die is about to be rolled, by the
    /// forecast that it is rolled by. `None`: it cannot be made.
    pub expected: fn(&mut World, &Attack) -> Option<Expected>,
    /// A combatant in numbers, who attacks another.
    pub profile: fn(&mut World, Id, Id) -> Vec<Figure>,
    /// A weapon, an armour, a spell in its own numbers.
    pub thing: fn(&Thing) -> Vec<Figure>,
    /// Units of other sides that a side does not know of, by what its world shows.
    pub unknown: fn(&mut World, Side) -> Vec<Id>,
    /// What it keeps of each combatant, by name.
    pub probes: &'static [Probe],
    /// How units plan, and carry out what they have planned.
    pub planning: &'static Planning,
    /// What is said of an order before it is given.
    pub forecasting: &'static Forecasting,
}

/// The numbers of a ruleset in a file of their own.
#[derive(Clone, Copy, Debug)]
pub struct Tables {
    /// The field by which such a file is known: "speed_tables".
    pub field: &'static str,
    /// What is wrong with one: its name, its text.
    pub check: fn(&str, &str) -> Option<Problem>,
}

/// What somebody may have.
#[derive(Clone, Copy, Debug)]
pub enum Thing<'a> {
    Weapon(&'a Weapon),
    Armour(&'a Armour),
    Spell(&'a Spell),
}

impl Ruleset {
    /// Every action that may be offered.
    pub fn verbs(&self) -> Vec<&'static Action> {
        let all = (self.acts)().into_iter();
        all.map(|act| act.action).collect()
    }

    /// Every verb that an order may have: what may be offered, a surrender, and
    /// wishes where there are chances.
    pub fn order_verbs(&self) -> Vec<&'static Action> {
        let mut verbs = self.verbs();
        verbs.push(&SURRENDER);
        if self.chances {
            verbs.extend([&chances::EVERY_CHANCE, &chances::AS_USUAL]);
        }
        verbs
    }

    /// The units and the sides that a side knows nothing of, by what its world shows. Of a
    /// side that has yet to arrive nothing is known either.
    pub fn unknown_to(&self, world: &mut World, side: Side) -> Unknown {
        let all = (self.unknown)(world, side);
        let units = all.iter().fold(0, |set, id| set | id.bit());
        let roster = world.resource::<Roster>();
        let mut known = 1 << side.0;
        for id in roster.ids() {
            let body = component::<Body>(world, id);
            let is_known = units & id.bit() == 0 && body.state != State::Waiting;
            known |= u64::from(is_known) << body.side.0;
        }
        let sides = roster.sides().fold(0, |set, side| set | 1 << side.0) & !known;
        Unknown { units, sides }
    }
}

/// Something that a ruleset keeps of each combatant: scenarios and tools ask
/// for it by name.
#[derive(Debug)]
pub struct Probe {
    pub name: &'static str,
    pub read: fn(&World, Id) -> ProbeValue,
}

/// What a probe shows.
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
