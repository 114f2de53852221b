//! What the player points at and has chosen, and what mouse, keys and buttons
//! say about it: [`Command`]s, which [`obey`](super::obey) carries out.

use crate::{
    battle::{Action, Choice, Id, Item, SpellId},
    grid::Cell,
};
use bevy::prelude::*;
use serde::{Deserialize, Serialize};

pub(super) fn plugin(app: &mut App) {
    app.add_message::<Command>().init_resource::<Selection>();
}

/// What the player wants. The only way in for mouse, keys and buttons.
#[derive(Message, Clone, PartialEq, Debug)]
pub enum Command {
    /// The pointer is on a cell now, or off the map.
    Point(Option<Cell>),
    /// The cursor stays on this cell wherever the pointer goes, so that what
    /// the cards say of it can be clicked; or no more.
    Keep(Option<Cell>),
    /// The cursor goes that many cells east and south.
    Step(i16, i16),
    /// Do what the cell under the cursor stands for.
    Go,
    /// Take this member of one's side in hand.
    Choose(Id),
    /// Take the next or the previous member in hand; with an act armed, point
    /// at the next or previous target.
    Cycle {
        back: bool,
    },
    /// The member with this place on the party's cards, from 0.
    Member(usize),
    /// Look at somebody, wherever the cursor is.
    LookAt(Option<Id>),
    /// A button of the act bar, by its letter.
    Act(char),
    /// The next weapon for the same act.
    Other,
    /// The chosen one is done for the turn.
    Done,
    /// Take back the last thing that was settled of an act, or the last cell
    /// of a path; with neither, let the act be; with none armed, pause.
    Back,
    /// The same, but with none armed it does nothing.
    Retract,
    /// The path is to lead by the cell under the cursor (GR-33).
    Via,
    /// Show every act with why it cannot be done, or no more.
    More,
    /// Changes a number that is being chosen by this much.
    Nudge(i32),
    EndTurn,
    /// Another answer of the whole side, by its place.
    Common(usize),
    Undo,
    /// Declare the same as last round, or what is sensible: for the one in hand,
    /// or for all who have declared nothing yet.
    Repeat {
        all: bool,
    },
    /// Declare a usual round for the one in hand, by its place.
    Preset(usize),
    /// The next fallback of the selected unit's plan.
    Otherwise,
    /// Change something in the list of orders.
    Plan(PlanChange),
    /// Show the last round once more.
    Rewatch,
    /// Show at once what is being played.
    Skip,
    /// The player was warned: go on, or let it be.
    Heed(bool),
    /// After this warning there are to be no more, or there are after all.
    NeverAgain,
    /// Lay something over the board, or take it off.
    Overlay(Overlay),
    /// A row of the list, by its place; `usize::MAX` lets the moment pass, or is
    /// the last.
    Reply(usize),
    /// Shows why an AI acted, or no more.
    Why,
    /// Why another acted, as many deeds earlier than this one; or later.
    WhyEarlier(isize),
    /// Shows what could be done best, or no more.
    Hint,
    /// Takes who would do this in hand and points at where.
    Show {
        who: Id,
        at: Option<Cell>,
    },
}

/// A change in the list of orders.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum PlanChange {
    /// Take back what a unit has declared.
    Clear(Id),
    /// Let a unit act earlier, or later, among units that act at once.
    Earlier(Id),
    Later(Id),
    /// The next fallback of a unit's plan.
    Fallback(Id),
    /// The next thing that an enemy can be supposed to do.
    Suppose(Id),
    /// Show the log in the place of the list, or the list.
    ShowLog(bool),
}

/// What is told beside the board besides what is pointed at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Aside {
    /// Why an AI acted: of this many deeds before the last.
    Why(usize),
    /// What could be done best.
    Hint,
}

/// Something that can be laid over the board.
#[derive(
    Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Reflect, Serialize, Deserialize,
)]
pub enum Overlay {
    /// The proof of a line of sight, from who is in hand to the cursor.
    Sight,
    /// How far those reach who still have an attack of opportunity.
    Threats,
    /// The cover of the foes, and that which the cells in reach would give.
    Cover,
    /// How high the ground is.
    Heights,
    /// Every number beside its unit, not only the two that matter most; and the numbers of
    /// columns and rows.
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

    /// In a word.
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
                "Why a cell is seen or not: the clear line, the visible corners, what is in the way. Hover a cell."
            }
            Self::Threats => {
                "Arrows: what enemies are likely to do, the wider the likelier. Hatching: where they can attack on their next turn, the denser the more of them"
            }
            Self::Cover => {
                "Shields beside enemies: their cover. Shields on cells in reach: your cover there from the enemy with the best view. Eye: no enemy sees the cell."
            }
            Self::Heights => "Height of the ground, in feet",
            Self::Numbers => {
                "All chances and dangers on the board while you hold the key, and the numbers of columns and rows"
            }
        }
    }
}

/// What the player has settled of the armed act.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Settled {
    pub verb: Option<&'static Action>,
    pub spell: Option<SpellId>,
    pub at: Option<Id>,
    pub to: Option<Cell>,
    pub with: Option<Item>,
    /// For an offer that stands for any number.
    pub number: Option<i32>,
}

impl Settled {
    /// Whether it leaves a choice possible. Its number is no matter: offers
    /// that stand for any have none.
    pub fn allows(&self, choice: &Choice) -> bool {
        fn fits<T: PartialEq>(settled: Option<T>, of: Option<T>) -> bool {
            settled.is_none() || settled == of
        }
        fits(self.verb, Some(choice.verb))
            && fits(self.spell, choice.spell)
            && fits(self.at, choice.at)
            && fits(self.to, choice.to)
            && fits(self.with, choice.with)
    }

    /// All of a choice.
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

    /// With the aim of a choice besides.
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

/// What was about to be done, and what speaks against it.
#[derive(Clone, PartialEq, Debug)]
pub struct Warning {
    pub orders: Vec<Choice>,
    pub lines: Vec<String>,
    /// "Do not ask again" is ticked.
    pub is_last: bool,
}

/// What the player points at and has chosen.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct Selection {
    /// Who is in hand.
    pub chosen: Option<Id>,
    /// The cell under the pointer, or under the keyboard's cursor.
    pub cursor: Option<Cell>,
    /// The cursor was moved by keys: keep it in view.
    pub by_keys: bool,
    /// The cursor stays where it is until the player lets it go.
    pub kept: bool,
    /// Somebody whose card or chip is pointed at.
    pub looked_at: Option<Id>,
    /// The letter of the act that waits for a target.
    pub armed: Option<char>,
    /// What has been settled of the armed act, one thing after the other.
    pub trail: Vec<Settled>,
    /// Cells by which the path is to lead, in their order.
    pub via: Vec<Cell>,
    /// Every act is shown.
    pub more: bool,
    /// The item that the player would rather use than the best one.
    pub prefers: Option<Item>,
    /// A word to the player.
    pub notice: Option<Notice>,
    /// To end the turn was asked for while members have something left to do.
    pub sure: bool,
    /// Who the last order was aimed at, and where: until the cursor leaves that
    /// cell, a click there means nobody else.
    pub aimed: Option<(Cell, Id)>,
    /// What is about to be done, and what speaks against it.
    pub warning: Option<Warning>,
    /// The player wants to see the whole plan before a round begins.
    pub reviews: bool,
    pub aside: Option<Aside>,
    /// While a round is declared the log is shown, and not the list of orders.
    pub shows_log: bool,
}

/// A word to the player. Another number makes it another word.
#[derive(Clone, PartialEq, Debug)]
pub struct Notice {
    pub text: String,
    pub number: u32,
}

impl Selection {
    /// As a battle begins.
    pub fn clear(&mut self) {
        *self = Self::default();
    }

    /// Tells the player something.
    pub fn say(&mut self, text: impl Into<String>) {
        let number = self.notice.as_ref().map_or(0, |n| n.number + 1);
        self.notice = Some(Notice {
            text: text.into(),
            number,
        });
    }

    /// All that has been settled of the armed act.
    pub fn settled(&self) -> Settled {
        self.trail.last().cloned().unwrap_or_default()
    }

    /// All that what could be done depends on, wherever the player looks.
    pub fn means(&self) -> impl PartialEq {
        let Self {
            chosen,
            armed,
            trail,
            via,
            prefers,
            ..
        } = self;
        (chosen, armed, trail, via, prefers)
    }

    pub fn choose(&mut self, id: Id) {
        self.chosen = Some(id);
        self.disarm();
    }

    pub fn disarm(&mut self) {
        (self.armed, self.prefers, self.more) = (None, None, false);
        self.kept = false;
        self.trail.clear();
        self.via.clear();
    }

    /// Asks the player first.
    pub fn warn(&mut self, orders: &[Choice], lines: Vec<String>) {
        self.warning = Some(Warning {
            orders: orders.to_vec(),
            lines,
            is_last: false,
        });
    }
}
