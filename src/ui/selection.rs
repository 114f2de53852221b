//! What the player points at and has selected, and the [`Command`]s from mouse, keys
//! and buttons, which [`apply`](super::apply) carries out.

use crate::{
    battle::{Action, AttackForecast, Choice, Id, Item, SpellId},
    grid::Cell,
    ui::{
        art::palette::{self, Rgb},
        shown::{Shown, UnitView},
    },
};
use bevy::{picking::hover::Hovered, prelude::*};
use serde::{Deserialize, Serialize};

pub(super) fn plugin(app: &mut App) {
    app.add_message::<Command>().init_resource::<Selection>();
}

/// A command of the player. Mouse, keys and buttons act only through these.
#[derive(Message, Clone, PartialEq, Debug)]
pub enum Command {
    /// The pointer moved to a cell and a quarter of it, as (east, south); or off the map.
    Point(Option<Cell>, Option<(i8, i8)>),
    /// The mouse moved on the board, even within one cell.
    MouseMoved,
    /// Pin the cursor to a cell, so that the links of its cards can be clicked, or
    /// unpin it.
    Pin(Option<Cell>),
    /// Move the cursor by cells to the east and south.
    Step(i16, i16),
    /// Do what the cell under the cursor stands for.
    Go,
    /// Say why the cell under the cursor stands for nothing, if it does: the mouse only took the
    /// cursor back from the keys.
    Glance,
    /// Select this unit of your side.
    Choose(Id),
    /// Select the next or previous unit. With an armed action, point at its next or
    /// previous target.
    Cycle {
        back: bool,
    },
    /// Select the unit at this position of the party's cards, from 0.
    Member(usize),
    /// Show the card of a unit, wherever the cursor is.
    LookAt(Option<Id>),
    /// Mark on the board what the log entry under the pointer is about.
    Highlight(Highlight),
    /// Press a button of the action bar, by its letter.
    Act(char),
    /// Choose the next weapon for the armed action.
    Other,
    /// End the selected unit's turn.
    Done,
    /// Cancel an end of the turn that waits for confirmation; otherwise undo the last choice for
    /// the armed action or the last waypoint of the path; otherwise disarm the action; without
    /// one, pause.
    Back,
    /// Like [`Back`](Self::Back), but never pauses.
    Retract,
    /// Add a waypoint at the cell under the cursor to the path (GR-33).
    AddWaypoint,
    /// Show or hide the list of all actions, with the reasons why some are
    /// unavailable.
    More,
    /// Change the number being chosen by this much.
    Nudge(i32),
    EndTurn,
    /// Take another answer of the whole side, by its index.
    Common(usize),
    Undo,
    /// Repeat the last order: for the selected unit, or for all units that have declared nothing
    /// yet.
    Repeat {
        all: bool,
    },
    /// Give sensible orders to the selected unit, or to all units that have declared nothing yet.
    Suggest {
        all: bool,
    },
    /// Declare a preset for the selected unit, by its index.
    Preset(usize),
    /// Choose the next fallback of the selected unit's plan.
    Otherwise,
    /// Change something in the list of orders.
    Plan(PlanChange),
    /// Show the last round again.
    Rewatch,
    /// Skip the current playback.
    Skip,
    /// Answer a warning: go ahead, or don't.
    Confirm(bool),
    /// Toggle "Do not ask again" on the current warning.
    DontAskAgain,
    /// Toggle an overlay of the board.
    Overlay(Overlay),
    /// Choose a row of the prompt by its index; `usize::MAX` stands for passing or
    /// for the last row.
    Reply(usize),
    /// Show or hide why an AI acted.
    Why,
    /// Explain an AI action this many actions before the current one; negative for
    /// later ones.
    WhyEarlier(isize),
    /// Show or hide suggestions.
    Hint,
    /// Select the unit of a suggestion, arm its action, and point at its target.
    Show(Choice),
    /// Like [`Show`](Self::Show), until the next [`PreviewHint`](Self::PreviewHint) or any other command of the player, which
    /// restores what was selected before. `None` only restores it.
    PreviewHint(Option<Choice>),
    /// Give the orders of a suggestion, after a warning if there are reasons against the first.
    Do(Vec<Choice>),
    /// Give the best order among the suggestions; open the suggestions if they are closed.
    DoBest,
}

/// A change in the list of orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlanChange {
    /// Withdraw what a unit has declared.
    Clear(Id),
    /// Move a unit earlier or later among units that act at the same time.
    Earlier(Id),
    Later(Id),
    /// Choose the next fallback of a unit's plan.
    Fallback(Id),
    /// Choose the next action to assume for an enemy.
    Suppose(Id),
    /// Show the log instead of the list of orders, or the list.
    ShowLog(bool),
    /// List the enemies that are likely to hold one by one, or in one line.
    ShowHolding(bool),
}

/// The content of the side panel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SidePanel {
    /// Why an AI acted: this many actions before the last.
    Why(usize),
    /// Suggestions for the best orders.
    Hint,
}

/// Something that can be drawn over the board.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Reflect, Serialize, Deserialize,
)]
pub enum Overlay {
    /// The proof of a line of sight, from the selected unit to the cursor.
    Sight,
    /// What enemies are likely to do, and the cells that they can attack on their next turn.
    Threats,
    /// The cover of the enemies, and the cover that the cells in reach would give.
    Cover,
    /// The height of the ground, in feet.
    Heights,
    /// All numbers of every unit, not only the two most important ones, and the
    /// numbers of columns and rows.
    Numbers,
}

impl Overlay {
    pub const ALL: [Self; 5] = [
        Self::Sight,
        Self::Threats,
        Self::Cover,
        Self::Heights,
        Self::Numbers,
    ];

    /// The label.
    pub fn word(self) -> &'static str {
        match self {
            Self::Sight => "Sight",
            Self::Threats => "Enemy plans",
            Self::Cover => "Cover",
            Self::Heights => "Heights",
            Self::Numbers => "All numbers",
        }
    }

    pub fn explained(self) -> &'static str {
        match self {
            Self::Sight => {
                "Lines to the enemies: red to those that the selected unit does not see. Hover a cell to see why: the clear line, the visible corners, what is in the way."
            }
            Self::Threats => {
                "Arrows: what enemies are likely to do, the wider the likelier; short open ones: only the direction is likely. Hatching: where they can attack in melee on their next turn, the denser the more of them. Dashed border: where they could charge or shoot"
            }
            Self::Cover => {
                "Shields beside enemies: their cover. Shields on cells in reach: your cover there from the enemy with the best view. Eye: no enemy sees the cell. On the enemy's turn: the cover of your units."
            }
            Self::Heights => "Height of the ground, in feet",
            Self::Numbers => {
                "All chances and dangers on the board while you hold the key, before the round also the figures of enemies, and the numbers of columns and rows"
            }
        }
    }
}

/// The units, as a bit set, and the cell that a log entry or a choice in a list is about: while its
/// line is hovered, the board marks them.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug, Default)]
#[require(Hovered)]
pub struct Highlight {
    pub units: u64,
    pub cell: Option<Cell>,
}

/// The choices already made for the armed action.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PartialChoice {
    pub verb: Option<&'static Action>,
    pub spell: Option<SpellId>,
    pub at: Option<Id>,
    pub to: Option<Cell>,
    pub with: Option<Item>,
    /// The number, for an offer that accepts any number.
    pub number: Option<i32>,
}

impl PartialChoice {
    /// Whether a choice matches what is already chosen. Ignores the number: offers
    /// that accept any number have none.
    pub fn allows(&self, choice: &Choice) -> bool {
        fn fits<T: PartialEq>(partial: Option<T>, of: Option<T>) -> bool {
            partial.is_none() || partial == of
        }
        fits(self.verb, Some(choice.verb))
            && fits(self.spell, choice.spell)
            && fits(self.at, choice.at)
            && fits(self.to, choice.to)
            && fits(self.with, choice.with)
    }

    /// Everything that a choice fixes.
    pub fn all_of(choice: &Choice) -> Self {
        Self {
            verb: Some(choice.verb),
            spell: choice.spell,
            at: choice.at,
            to: choice.to,
            with: choice.with,
            number: None,
        }
    }

    /// These choices, with the target and cell of `choice` added.
    pub fn aimed(&self, choice: &Choice) -> Self {
        Self {
            at: choice.at.or(self.at),
            to: choice
                .to
                .filter(|_| choice.at.is_none() || self.at.is_some()),
            ..self.clone()
        }
    }

    pub fn is_aimed(&self) -> bool {
        self.at.is_some() || self.to.is_some()
    }
}

/// Orders that need confirmation, and the reasons against them.
#[derive(Clone, PartialEq, Debug)]
pub struct Warning {
    pub orders: Vec<Choice>,
    pub lines: Vec<String>,
    /// "Do not ask again" is ticked.
    pub is_last: bool,
}

/// Attacks that the player knew about when they confirmed declarations. They are not asked about
/// again when the declarations are carried out.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct AcceptedAttacks {
    round: u16,
    /// The unit that provokes the attack, and the one that makes it.
    attacks: Vec<(Id, Id)>,
}

impl AcceptedAttacks {
    pub fn add(&mut self, round: u16, attack: (Id, Id)) {
        if self.round != round {
            *self = Self {
                round,
                attacks: vec![],
            };
        }
        self.attacks.push(attack);
    }

    pub fn has(&self, round: u16, attack: (Id, Id)) -> bool {
        self.round == round && self.attacks.contains(&attack)
    }
}

/// What the player points at and has selected.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct Selection {
    /// The selected unit.
    pub chosen: Option<Id>,
    /// The cell under the pointer, or the keyboard cursor.
    pub cursor: Option<Cell>,
    /// The quarter of that cell under the pointer, as (east, south): it tells apart the units that
    /// share the cell. `None` without a pointer.
    pub quarter: Option<(i8, i8)>,
    /// The cursor was moved by keys: keep it in view.
    pub by_keys: bool,
    /// The selection moved on to another unit by itself, the target of the last click is gone, or
    /// the last order was given, and the mouse has rested since: a click does not move the selected
    /// unit, nor change the last order.
    pub mouse_rested: bool,
    /// The cursor is pinned until the player unpins it.
    pub pinned: bool,
    /// The unit whose card or picture is under the pointer.
    pub looked_at: Option<Id>,
    /// What the log entry under the pointer is about.
    pub highlighted: Highlight,
    /// The letter of the action that waits for a target.
    pub armed: Option<char>,
    /// The successive states of what is chosen for the armed action, for stepping
    /// back.
    pub partial_choices: Vec<PartialChoice>,
    /// Waypoints of the path, in order.
    pub waypoints: Vec<Cell>,
    /// All actions are shown.
    pub more: bool,
    /// The item that the player prefers to the best one.
    pub prefers: Option<Item>,
    /// The current toast.
    pub toast: Option<NumberedToast>,
    /// The player asked to end the turn although units have actions left, and has to confirm.
    pub confirming_end: bool,
    /// The cell and target of the last order. Until the cursor leaves that cell, a
    /// click there targets no other unit.
    pub aimed: Option<(Cell, Id)>,
    /// The player clicked a cell where nothing can be done, and the cursor is still there.
    pub refused: bool,
    /// The orders that wait for confirmation.
    pub warning: Option<Warning>,
    /// The unit whose order another one is to replace, while that one is aimed or waits for
    /// confirmation. If it is cancelled, the old order stands.
    pub withdrawn: Option<Id>,
    /// The attacks that the player accepted while declaring.
    pub accepted: AcceptedAttacks,
    /// The player wants to review the whole plan before the round starts.
    pub reviews: bool,
    /// The player wants a warning before orders that may be a mistake.
    pub warns: bool,
    pub side_panel: Option<SidePanel>,
    /// While the player declares this round, the log is shown instead of the list of orders.
    pub shows_log: bool,
    /// While the suggestion under the pointer is shown: what was selected before.
    pub before_preview: Option<Box<Selection>>,
    /// The list of orders has a line for each enemy, even if it is likely to hold.
    pub shows_holding: bool,
}

/// A toast. A new `number` makes it a new toast even with the same text.
#[derive(Clone, PartialEq, Debug)]
pub struct NumberedToast {
    pub text: String,
    pub number: u32,
}

impl Selection {
    /// Resets everything, for a new battle.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Shows a toast.
    pub fn show_toast(&mut self, text: impl Into<String>) {
        let number = self.toast.as_ref().map_or(0, |n| n.number + 1);
        self.toast = Some(NumberedToast {
            text: text.into(),
            number,
        });
    }

    /// Restores what was selected before the suggestion under the pointer was shown.
    pub fn end_preview(&mut self) {
        if let Some(before) = self.before_preview.take() {
            *self = Self {
                looked_at: self.looked_at,
                highlighted: self.highlighted,
                toast: self.toast.take(),
                side_panel: self.side_panel,
                reviews: self.reviews,
                warns: self.warns,
                ..*before
            };
        }
    }

    /// Everything chosen for the armed action so far.
    pub fn partial_choice(&self) -> PartialChoice {
        self.partial_choices.last().cloned().unwrap_or_default()
    }

    /// Whether an attack uses the item that the player prefers.
    pub fn likes(&self, attack: &AttackForecast) -> bool {
        self.prefers.is_some() && attack.choice.with == self.prefers
    }

    /// The unit under the cursor.
    pub fn pointed<'a>(&self, shown: &'a Shown) -> Option<&'a UnitView> {
        let quarter = self.quarter.filter(|_| !self.by_keys);
        shown.in_quarter(self.cursor?, quarter)
    }

    /// The parts of the selection that determine what the unit could do, independent
    /// of the cursor.
    pub fn means(&self) -> impl PartialEq {
        let Self {
            chosen,
            armed,
            partial_choices,
            waypoints,
            prefers,
            ..
        } = self;
        (chosen, armed, partial_choices, waypoints, prefers)
    }

    /// Selects a unit. A cursor that the keys left on a cell goes with the unit that was selected
    /// before: otherwise the card would still show what is there.
    pub fn choose(&mut self, id: Id) {
        if self.by_keys && self.chosen != Some(id) {
            self.cursor = None;
        }
        (self.chosen, self.mouse_rested) = (Some(id), false);
        self.disarm();
    }

    pub fn disarm(&mut self) {
        (self.armed, self.prefers, self.more) = (None, None, false);
        (self.pinned, self.refused) = (false, false);
        self.partial_choices.clear();
        self.waypoints.clear();
    }

    /// The ink of a reason why nothing can be done at the cursor: red only after a click there, as
    /// the mouse often rests on such a cell by chance.
    pub fn ink_of_refusal(&self) -> Rgb {
        match self.refused {
            true => palette::DANGER,
            false => palette::FADED_INK,
        }
    }

    /// Asks for confirmation.
    pub fn warn(&mut self, orders: &[Choice], lines: Vec<String>) {
        self.warning = Some(Warning {
            orders: orders.to_vec(),
            lines,
            is_last: false,
        });
    }
}
