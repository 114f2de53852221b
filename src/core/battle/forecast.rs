//! A ruleset's forecast of an order before it is given. The values come from the functions that
//! also resolve the order, and the window, the command line, bots and tests all read them.

use super::{Choice, CowStr, Id, Item, Modifier, Names, Rule, Spread, Why};
use crate::grid::{Board, Cell, Cover, Space};
use bevy_ecs::world::World;

/// What an order would do.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Forecast {
    /// The attack, or why it is not possible. `None` if the order is no attack.
    pub attack: Option<Result<AttackForecast, Why>>,
    /// The distribution of the attack's damage.
    pub spread: Spread,
    /// How the attack's result depends on what the unit puts into it.
    pub trades: Vec<Trade>,
    /// Other chances, and the units that they are about.
    pub odds: Vec<OddsLine>,
    /// The cells that the order affects.
    pub area: Vec<Cell>,
    /// The attacks that the order provokes before it is done.
    pub provoked: Vec<Provoked>,
    /// The attack in reaction that may cancel the order's attack, as text.
    pub interrupts: Option<String>,
    /// Other reasons against the order, one sentence each: what it would lose that could be had.
    pub warnings: Vec<String>,
    /// What the order sets off besides its own effect, one sentence each.
    pub alerts: Vec<String>,
    /// What the order does not set off although it looks as if it could, in a sentence.
    pub reassures: Option<&'static str>,
    /// What a reaction would change, one line each.
    pub changes: Vec<String>,
    /// Whether the action has no effect, or the reaction is seldom worth what it costs.
    pub is_futile: bool,
}

/// A ruleset's forecasts, as a table of functions. Each reads a world and leaves it as it was.
/// [`Forecasting::NONE`] forecasts nothing.
#[derive(Debug)]
pub struct Forecasting {
    /// The attack of a choice, or why it is not possible. `None` if the choice is no attack. If
    /// the offer allows any number, the choice has the chosen one.
    pub attack: fn(&mut World, &Choice) -> Option<Result<AttackForecast, Why>>,
    /// The distribution of the damage of a possible attack.
    pub spread: fn(&mut World, &Choice) -> Spread,
    /// How the result of a possible attack depends on what the unit puts into it.
    pub trades: fn(&mut World, &Choice) -> Vec<Trade>,
    /// The chances of any other action, for each unit in its area.
    pub odds: fn(&mut World, &Choice) -> Vec<OddsLine>,
    /// The cells that an action would affect.
    pub area: fn(&mut World, &Choice) -> Vec<Cell>,
    /// The attacks that an action provokes before it is done.
    pub provoked: fn(&mut World, &Choice) -> Vec<Provoked>,
    /// The attack that an enemy could make in reaction before an attack is resolved, as text. It
    /// cancels the attack if it drops the unit: "Sentry may snap first: 40% to hit, 10% to drop".
    pub interrupts: fn(&mut World, &Choice) -> Option<String>,
    /// Other reasons against an action, one sentence each.
    pub warnings: fn(&mut World, &Choice) -> Vec<String>,
    /// What an action sets off besides its own effect, one sentence each. It is shown with the
    /// action, and no reason to ask for confirmation.
    pub alerts: fn(&mut World, &Choice) -> Vec<String>,
    /// What an action does not set off although it looks as if it could, in a sentence.
    pub reassures: fn(&mut World, &Choice) -> Option<&'static str>,
    /// What a reaction would change, one line each.
    pub changes: fn(&mut World, &Choice) -> Vec<String>,
    /// What a reaction takes from the unit's next turn, as text: "Brandt can't attack next turn".
    pub forfeits: fn(&mut World, &Choice) -> Option<String>,
    /// Whether a legal action has no effect, for a reason that `warnings` names. Of a reaction, also
    /// whether it is an attack that is not free and [hardly helps](AttackForecast::is_slight).
    pub is_futile: fn(&mut World, &Choice) -> bool,
    /// The cells that a unit could move to now.
    pub reach: fn(&mut World, Id) -> Vec<Reach>,
    /// While units declare: the cells that a unit could move to in the round, under what it has
    /// declared so far.
    pub declared_reach: fn(&mut World, Id) -> Vec<Reach>,
    /// How a unit would move to a cell by way of some waypoints, in order (GR-33).
    pub way: fn(&mut World, Id, &[Cell], Cell) -> Option<Way>,
    /// The feet within which a unit attacks an enemy that leaves. `None` if it does not.
    pub threat: fn(&mut World, Id) -> Option<u16>,
    /// The cover of a unit in the second space from the first. `None` without line of sight.
    pub cover: fn(&Board, Space, Space) -> Option<Cover>,
    /// The number to start with for a choice of any number. `None` means the highest number for
    /// an attack, and the lowest for anything else.
    pub first: fn(&mut World, &Choice) -> Option<i32>,
    /// Shows the world as it would be when a planned attack takes place, as far as the plan
    /// itself determines that. The world is restored afterwards.
    pub planned: fn(&mut World, &PlannedAttack, &mut dyn FnMut(&mut World)),
}

impl Forecasting {
    /// Forecasts nothing.
    pub const NONE: Self = Self {
        attack: |_, _| None,
        spread: |_, _| Spread::default(),
        trades: |_, _| vec![],
        odds: |_, _| vec![],
        area: |_, _| vec![],
        provoked: |_, _| vec![],
        interrupts: |_, _| None,
        warnings: |_, _| vec![],
        alerts: |_, _| vec![],
        reassures: |_, _| None,
        changes: |_, _| vec![],
        forfeits: |_, _| None,
        is_futile: |_, _| false,
        reach: |_, _| vec![],
        declared_reach: |_, _| vec![],
        way: |_, _, _, _| None,
        threat: |_, _| None,
        cover: |board, from, to| board.sight(from, to).cover,
        first: |_, _| None,
        planned: |world, _, read| read(world),
    };

    /// Everything that can be forecast about an order, by what a world shows.
    pub fn of(&self, world: &mut World, choice: &Choice) -> Forecast {
        let attack = (self.attack)(world, choice);
        let (spread, trades) = match attack {
            Some(Ok(_)) => ((self.spread)(world, choice), (self.trades)(world, choice)),
            _ => Default::default(),
        };
        Forecast {
            spread,
            trades,
            attack,
            odds: (self.odds)(world, choice),
            area: (self.area)(world, choice),
            provoked: (self.provoked)(world, choice),
            interrupts: (self.interrupts)(world, choice),
            warnings: (self.warnings)(world, choice),
            alerts: (self.alerts)(world, choice),
            reassures: (self.reassures)(world, choice),
            changes: (self.changes)(world, choice),
            is_futile: (self.is_futile)(world, choice),
        }
    }
}

/// A unit's planned declarations for an attack.
#[derive(Clone, Copy, Debug)]
pub struct PlannedAttack<'a> {
    pub who: Id,
    /// In the order in which they are declared.
    pub orders: &'a [Choice],
    /// The cell that the attack is made from.
    pub stand: Cell,
    /// The movement before the attack, in feet.
    pub feet: u16,
}

/// How costly a move is, shown by the colour of its cells.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Cost {
    /// The usual cost of a move.
    Plain,
    /// The move spends something that the unit may need for another action.
    Extra,
}

/// A cell that a unit could move to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reach {
    pub cell: Cell,
    pub feet: u16,
    pub cost: Cost,
}

/// How a unit would move to a cell.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Way {
    /// The orders to give, in order.
    pub orders: Vec<Choice>,
    pub cost: Cost,
    /// The cost as text: "Move only", "with the Main", "60%".
    pub price: CowStr,
    /// The feet of movement that it takes, more than its length on difficult ground.
    pub feet: u16,
    /// The cells from the unit's position to its destination, both included.
    pub path: Vec<Cell>,
    /// The attacks that the move provokes, in order.
    pub provoked: Vec<Provoked>,
    /// Feet that the unit falls on the way; 0 if it does not.
    pub fall: u16,
    /// The targets in reach from the destination this turn, best first.
    pub shots: Vec<Shot>,
}

impl Way {
    /// The length as the log will say it, and the feet of movement if they differ: "20 ft", "20 ft (25
    /// ft of movement)".
    pub fn length(&self) -> String {
        let (length, feet) = (Cell::length(&self.path), self.feet);
        match length == feet {
            true => format!("{length} ft"),
            false => format!("{length} ft ({feet} ft of movement)"),
        }
    }
}

/// An attack that an action provokes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Provoked {
    pub by: Id,
    /// The index in the path of the cell that the unit is leaving; 0 for an action done on the
    /// spot.
    pub step: usize,
    pub percent: u32,
}

/// A possible target.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shot {
    pub at: Id,
    pub with: Item,
    /// The chance to hit; if the target's side can still answer the attack, the chance in that
    /// case.
    pub percent: u32,
    pub cover: Cover,
    /// The expected damage, as in [`AttackForecast::worth`].
    pub worth: i32,
}

/// The chance to drop a target from which on it matters more than the chance to hit, in percent.
const NEARLY_CERTAIN: u32 = 90;

/// The difference between two chances from which on it matters to a decision, in points.
const MATTERS: u32 = 5;

/// The chance to hit below which an attack that can't drop its target hardly helps, in percent.
const SLIGHT: u32 = 25;

/// The forecast of an attack: everything that the player may know of it.
#[derive(Clone, PartialEq, Debug)]
pub struct AttackForecast {
    pub choice: Choice,
    pub by: Id,
    pub at: Id,
    /// The weapon, as text.
    pub weapon: String,
    /// Everything that is added to the roll.
    pub modifiers: Vec<Modifier>,
    /// The number that the total has to reach, as text: "AC 15", and which parts of it are
    /// temporary.
    pub against: String,
    pub against_modifiers: Vec<Modifier>,
    /// The roll needed, and first the chance to get past the units that screen the target: "needs 10
    /// or more on d20".
    pub needs: String,
    pub percent: u32,
    /// The damage: "1d6+1: 2 to 7".
    pub damage: String,
    /// The chance to put the target out of the fight, in percent, with all attacks of the action.
    pub drop_percent: u32,
    /// The number of attacks of the action.
    pub attacks: usize,
    /// The chances if the target uses the defense that it still has.
    pub answered: Option<Defended>,
    /// The units that screen the target. All chances and the damage count them.
    pub screen: Option<Screen>,
    /// The mean damage, where it says more than the chance to hit.
    pub mean: Option<f32>,
    /// Everything else: the effect of a miss, a check that follows, further attacks of the same
    /// action.
    pub notes: Vec<OddsLine>,
    pub cover: Cover,
    /// The expected damage, in any unit, to compare attacks with each other.
    pub worth: i32,
}

impl AttackForecast {
    /// "60%", or the mean damage where that says more.
    pub fn chance(&self) -> String {
        match self.mean {
            Some(mean) => format!("{mean:.1} damage"),
            None => format!("{}%", self.percent),
        }
    }

    /// The most important number, and what it says: "55%" and "if it defends", "70%" and "to hit",
    /// "3.2" and "damage", or "100%" and "to drop" if [that leads](Self::is_drop_first).
    pub fn lead(&self) -> (String, &str) {
        match (self.mean, &self.answered) {
            _ if self.is_drop_first() => (format!("{}%", self.likely_drop_percent()), "to drop"),
            (Some(mean), _) => (format!("{mean:.1}"), "damage"),
            (None, Some(left)) => (format!("{}%", left.percent), left.brief),
            (None, None) => (format!("{}%", self.percent), "to hit"),
        }
    }

    /// Whether the chance to drop the target says more than the chance to hit it, in the case of
    /// [`likely_percent`](Self::likely_percent): it is larger, or nearly certain.
    pub fn is_drop_first(&self) -> bool {
        let drops = self.likely_drop_percent();
        drops > self.likely_percent() || drops >= NEARLY_CERTAIN
    }

    /// The chance to hit that stands beside the chance to drop where that leads: "65% to hit", "55%
    /// if it defends".
    pub fn hit_beside_drop(&self) -> Option<String> {
        let how = self.answered.as_ref().map_or("to hit", |left| left.brief);
        let hit = || format!("{}% {how}", self.likely_percent());
        self.is_drop_first().then(hit)
    }

    /// "10% to drop"; if that is likelier than the hit, also why: "60% to drop with 2 attacks", or
    /// "60% to drop: even a miss can" if a miss does damage.
    pub fn drops(&self) -> String {
        format!("{}% {}", self.drop_percent, self.to_drop())
    }

    /// What follows the chance to drop the target: "to drop", "to drop: even a miss can".
    pub fn to_drop(&self) -> String {
        let why = match self.attacks {
            _ if self.drop_percent <= self.percent => String::new(),
            0 | 1 => String::from(": even a miss can"),
            n => format!(" with {n} attacks"),
        };
        format!("to drop{why}")
    }

    /// The chance to hit that matters most: if the target's side can still answer the attack, the
    /// chance in that case.
    pub fn likely_percent(&self) -> u32 {
        let answered = self.answered.as_ref();
        answered.map_or(self.percent, |left| left.percent)
    }

    /// Whether the attack hardly helps: it can't drop its target, and the chance to hit that leads is
    /// under [`SLIGHT`].
    pub fn is_slight(&self) -> bool {
        self.mean.is_none() && self.drop_percent == 0 && self.likely_percent() < SLIGHT
    }

    /// The chance to drop the target in the case of [`likely_percent`](Self::likely_percent).
    pub fn likely_drop_percent(&self) -> u32 {
        let answered = self.answered.as_ref();
        answered.map_or(self.drop_percent, |left| left.drop_percent)
    }

    /// The damage in the case of [`likely_percent`](Self::likely_percent).
    pub fn likely_damage(&self) -> &str {
        let answered = self.answered.as_ref();
        answered.map_or(&self.damage, |left| &left.damage)
    }

    /// The chances if the target does not use the defense that it still has, where they differ from
    /// those with it by [`MATTERS`] or more: "else 70%, 18% to drop". The chance to hit is left out
    /// where a miss can drop the target too.
    pub fn otherwise(&self) -> Option<String> {
        let left = self.answered.as_ref()?;
        let gaps = [
            self.percent.abs_diff(left.percent),
            self.drop_percent.abs_diff(left.drop_percent),
        ];
        let words = match self.drop_percent > self.percent {
            true => format!("else {}", self.drops()),
            false => format!("else {}%, {}", self.percent, self.drops()),
        };
        gaps.iter().any(|&gap| gap >= MATTERS).then_some(words)
    }

    /// What follows [`likely_percent`](Self::likely_percent): "10% to drop", or "if it defends,
    /// else 60%; 5% to drop".
    pub fn after_percent(&self) -> String {
        match &self.answered {
            Some(left) => format!(
                "{}, else {}%; {}% to drop",
                left.brief, self.percent, left.drop_percent
            ),
            None => self.drops(),
        }
    }

    /// "55% to hit, 10% to drop". If the target's side can still answer the attack, that case comes
    /// first: "50% to hit if it defends, else 60%; 5% to drop". Names the units that screen the
    /// target: "18% to hit (Brandt screens), 0% to drop".
    pub fn in_brief(&self) -> String {
        let screen = self.screen.as_ref();
        let screen = screen.map_or(String::new(), |screen| format!(" ({})", screen.brief));
        let (percent, after) = (self.likely_percent(), self.after_percent());
        match (self.mean, &self.answered) {
            (Some(_), _) => format!("{}{screen}, {}", self.chance(), self.drops()),
            (None, Some(_)) => format!("{percent}% to hit {after}{screen}"),
            (None, None) => format!("{percent}% to hit{screen}, {after}"),
        }
    }
}

/// The units that screen the target of an attack without a decision. The attack must get past them;
/// otherwise one of them becomes its target.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Screen {
    pub by: Vec<Id>,
    /// "Brandt screens", "3 units screen".
    pub brief: String,
}

impl Screen {
    pub fn new(by: Vec<Id>, names: &Names) -> Self {
        let brief = match by[..] {
            [one] => format!("{} screens", names.title(one)),
            _ => format!("{} units screen", by.len()),
        };
        Self { by, brief }
    }
}

/// An attack if the target's side does what it still can against it. Its chance to hit leads, so it
/// has its own sum and damage; see [`AttackForecast`] for the fields that are in both.
#[derive(Clone, PartialEq, Debug)]
pub struct Defended {
    /// The condition in a few words, where there is little room: "if it defends".
    pub brief: &'static str,
    /// The condition, as text: "if the target uses Total Defense".
    pub how: &'static str,
    pub against: String,
    pub against_modifiers: Vec<Modifier>,
    pub needs: String,
    pub percent: u32,
    pub damage: String,
    pub drop_percent: u32,
    /// The distribution of the damage.
    pub spread: Spread,
    pub rule: Rule,
}

impl Defended {
    /// A summary: "50% if the target uses Total Defense, 5% to drop".
    pub fn words(&self) -> String {
        let (how, percent, drops) = (self.how, self.percent, self.drop_percent);
        format!("{percent}% {how}, {drops}% to drop")
    }
}

/// How the damage that an attack deals, and the damage that comes back, depend on what the unit
/// puts into it.
#[derive(Clone, PartialEq, Debug)]
pub struct Trade {
    /// What is put into the attack: "share of the round, %".
    pub over: &'static str,
    /// The amount of it now.
    pub now: i32,
    /// The mean damage dealt for each amount, in order.
    pub dealt: Vec<(i32, f32)>,
    /// The mean damage taken from the target's best attack in return, for each amount.
    pub taken: Vec<(i32, f32)>,
}

/// A chance or a note to show before the click that is no plain attack: an opposed check, a save,
/// what a spell does to a unit in its area.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct OddsLine {
    /// The unit that it is about; the chance is shown beside its token.
    pub who: Option<Id>,
    /// The unit's name, if the action affects several units in the same way.
    pub name: Option<String>,
    /// The description: "STR/Brawl +3 against STR/Brawl +1", "saves on 12: half of 2d6".
    pub text: String,
    /// The acting unit's chance of success, in percent.
    pub percent: Option<u32>,
    /// Whether the chance is that of a unit's save to fail.
    pub fails_save: bool,
    pub rule: Rule,
}

impl OddsLine {
    /// A note without a chance.
    pub fn note(text: impl Into<String>, rule: Rule) -> Self {
        Self {
            who: None,
            name: None,
            text: text.into(),
            percent: None,
            fails_save: false,
            rule,
        }
    }

    /// The chance that a unit's save fails, in percent.
    pub fn failed_save(text: impl Into<String>, percent: u32, rule: Rule) -> Self {
        Self {
            fails_save: true,
            ..Self::chance(text, percent, rule)
        }
    }

    /// A chance in percent.
    pub fn chance(text: impl Into<String>, percent: u32, rule: Rule) -> Self {
        Self {
            percent: Some(percent),
            ..Self::note(text, rule)
        }
    }

    pub fn of(self, who: Id) -> Self {
        Self {
            who: Some(who),
            ..self
        }
    }

    /// Names the unit, as one of several that are affected in the same way.
    pub fn each(self, who: Id, names: &Names) -> Self {
        Self {
            name: Some(names.title(who).to_owned()),
            ..self.of(who)
        }
    }

    /// The description, with the unit's name and the chance if there are any.
    pub fn words(&self) -> String {
        let name = self.name.as_ref().map(|name| format!("{name}: "));
        let chance = self.percent.map(|percent| format!(": {percent}%"));
        name.unwrap_or_default() + &self.text + &chance.unwrap_or_default()
    }
}

impl Provoked {
    /// An attack provoked on the spot.
    pub fn here(by: Id, percent: u32) -> Self {
        Self {
            by,
            step: 0,
            percent,
        }
    }
}
