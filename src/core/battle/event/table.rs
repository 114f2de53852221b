//! One table row per event kind, the same form for the shared events and for those of a ruleset:
//! its fields, its log text, its cue, and what it changes. None of them can be left out.

use super::{Cue, EventKind, Line, Unknown};
use crate::{
    battle::{Handling, Id, Item, Names, Roll, Side, SpellId},
    grid::Cell,
};
use bevy_ecs::world::World;
use std::{borrow::Cow, fmt};

/// The rows of an enum of events; [`events!`](events) implements it.
pub trait EventTable {
    /// Changes a world by the event.
    fn apply(&self, world: &mut World);

    /// Whether [`apply`](Self::apply) does anything.
    fn has_effect(&self) -> bool;

    /// The name of the event's kind in the table: `Healed`.
    fn kind(&self) -> &'static str;

    /// The event's log line. `None` if the log leaves the event out.
    fn describe(&self, names: &Names) -> Option<Line>;

    /// The text of the log line for readers who see the board, which shows no coordinates. `None` if
    /// it is that of [`describe`](Self::describe).
    fn describe_on_board(&self, names: &Names) -> Option<String>;

    /// What the event looks and sounds like.
    fn cue(&self) -> Option<Cue>;

    /// The roll that the event shows.
    fn roll(&self) -> Option<&Roll>;

    /// What a unit does with which item; `None` as the item is a door or a shield.
    fn handles(&self) -> Option<(Handling, Id, Option<Item>)>;

    /// Whether the event counts as progress of the battle (OP-07).
    fn is_progress(&self) -> bool;

    /// The event for a viewer that does not know of some units, if it differs: an event with a
    /// list of units leaves them out.
    fn without(&self, unknown: Unknown) -> Option<EventKind>;
}

/// Defines an enum of events by a table of rows. Each row lists:
///
/// - the kind, with its fields or one unnamed part: `Healed { who: Id, points: i32 }`;
/// - `log(silent)`, or a [level](super::LogLevel) and a text, in which fields stand as [`InLog`]
///   shows them: `log(Fact "{who} regains {points} hit points")`. Other parts of the text follow
///   as `name = value`. Two texts: `log(if (condition) { … } else { … })`. Or an expression of type
///   `Option<Line>`;
/// - only where it applies: `board(…)`, the text for readers who see the board, if the log's names a
///   cell: `board("{who} enters")`; `cue(…)`, the [kind](super::CueKind), unit and floating text:
///   `cue(Bad, who, "dying")`, or an expression of type `Option<Cue>`; `apply { … }`, what the event
///   changes; `roll(…)`, `handles(…)`, `progress(…)` and `known(…)`, the event without the units
///   that a viewer does not know. If nothing is left to know, `known` returns `None` by `?`.
///
/// Expressions get the fields as references, and the values that the table's head names: the
/// world, the names, and the unknown units.
macro_rules! events {
    (
        $(#[$attr:meta])*
        $vis:vis enum $name:ident $(: $marker:ident)?
        |$world:ident, $names:ident, $unknown:ident| {
            $(
                $(#[$doc:meta])*
                $kind:ident
                $({ $($(#[$field_attr:meta])* $field:ident: $type:ty),* $(,)? })?
                $(($part:ident: $part_type:ty))?
                log($($log:tt)*)
                $(board($($board:tt)*))?
                $(cue($($cue:tt)*))?
                $(apply { $($apply:tt)* })?
                $(roll($roll:expr))?
                $(handles($handling:expr, $handler:expr, $handled:expr))?
                $(progress($progress:expr))?
                $(known($known:expr))?;
            )*
        }
    ) => {
        $(#[$attr])*
        #[derive(Clone, Debug, serde::Serialize)]
        #[serde(tag = "what", rename_all = "snake_case")]
        $vis enum $name {
            $($(#[$doc])* $kind $({ $($(#[$field_attr])* $field: $type),* })? $(($part_type))?,)*
        }

        $(impl $crate::battle::$marker for $name {})?

        #[allow(unused_variables)]
        impl $crate::battle::EventTable for $name {
            fn apply(&self, $world: &mut bevy_ecs::world::World) {
                match self {
                    $(Self::$kind { $($($field,)*)? $(0: $part,)? } => { $($($apply)*)? })*
                }
            }

            fn has_effect(&self) -> bool {
                match self {
                    $(Self::$kind { .. } => events!(@has_effect $($($apply)*)?),)*
                }
            }

            fn kind(&self) -> &'static str {
                match self {
                    $(Self::$kind { .. } => stringify!($kind),)*
                }
            }

            fn describe(&self, $names: &$crate::battle::Names) -> Option<$crate::battle::Line> {
                match self {
                    $(Self::$kind { $($($field,)*)? $(0: $part,)? } => {
                        events!(@log $names [$($($field)*)? $($part)?] $($log)*)
                    })*
                }
            }

            fn describe_on_board(&self, $names: &$crate::battle::Names) -> Option<String> {
                match self {
                    $(Self::$kind { $($($field,)*)? $(0: $part,)? } => {
                        events!(@board $names [$($($field)*)? $($part)?] $($($board)*)?)
                    })*
                }
            }

            fn cue(&self) -> Option<$crate::battle::Cue> {
                match self {
                    $(Self::$kind { $($($field,)*)? $(0: $part,)? } => events!(@cue $($($cue)*)?),)*
                }
            }

            fn roll(&self) -> Option<&$crate::battle::Roll> {
                match self {
                    $(Self::$kind { $($($field,)*)? $(0: $part,)? } => {
                        events!(@roll $($roll)?)
                    })*
                }
            }

            fn handles(
                &self,
            ) -> Option<($crate::battle::Handling, $crate::battle::Id, Option<$crate::battle::Item>)> {
                match self {
                    $(Self::$kind { $($($field,)*)? $(0: $part,)? } => {
                        events!(@handles $($handling, $handler, $handled)?)
                    })*
                }
            }

            fn is_progress(&self) -> bool {
                match self {
                    $(Self::$kind { $($($field,)*)? $(0: $part,)? } => {
                        events!(@progress $($progress)?)
                    })*
                }
            }

            fn without(
                &self,
                $unknown: $crate::battle::Unknown,
            ) -> Option<$crate::battle::EventKind> {
                match self {
                    $(Self::$kind { $($($field,)*)? $(0: $part,)? } => {
                        events!(@known $($known)?)
                    })*
                }
            }
        }
    };

    (@has_effect) => { false };
    (@has_effect $($apply:tt)+) => { true };

    (@log $names:ident [$($field:ident)*] silent) => { None };
    (@log $names:ident [$($field:ident)*]
        $level:ident $text:literal $(, $arg:ident = $value:expr)*
    ) => {{
        let text = events!(@text $names [$($field)*] $text $(, $arg = $value)*);
        $crate::battle::Line::new($crate::battle::LogLevel::$level, text)
    }};
    (@log $names:ident $fields:tt
        if ($condition:expr) { $($yes:tt)* } else { $($no:tt)* }
    ) => {
        if $condition {
            events!(@log $names $fields $($yes)*)
        } else {
            events!(@log $names $fields $($no)*)
        }
    };
    (@log $names:ident $fields:tt
        if ($condition:expr) { $($yes:tt)* } else $($more:tt)*
    ) => {
        if $condition {
            events!(@log $names $fields $($yes)*)
        } else {
            events!(@log $names $fields $($more)*)
        }
    };
    (@log $names:ident $fields:tt $line:expr) => { $line };

    (@board $names:ident $fields:tt) => { None };
    (@board $names:ident $fields:tt $($text:tt)+) => {
        Some(events!(@text $names $fields $($text)+))
    };

    (@text $names:ident [$($field:ident)*] $text:literal $(, $arg:ident = $value:expr)*) => {{
        let values = ($($value,)*);
        $(let $field = $crate::battle::InLog::new($field, $names);)*
        let ($($arg,)*) = values;
        $crate::battle::capitalised(&format!($text))
    }};

    (@cue) => { None };
    (@cue $kind:ident, $who:expr, $word:expr) => {
        $crate::battle::Cue::of($crate::battle::CueKind::$kind, *$who, $word)
    };
    (@cue $cue:expr) => { $cue };

    (@roll) => { None };
    (@roll $roll:expr) => { Some($roll) };

    (@handles) => { None };
    (@handles $what:expr, $who:expr, $item:expr) => { Some(($what, *$who, $item)) };

    (@progress) => { false };
    (@progress $progress:expr) => { $progress };

    (@known) => { None };
    (@known $known:expr) => { Some($known.into()) };
}
pub(crate) use events;

/// A field of an event as its log line shows it: units, items, spells and sides by their names.
pub struct InLog<'a, T: ?Sized> {
    value: &'a T,
    names: &'a Names,
}

impl<'a, T: ?Sized> InLog<'a, T> {
    pub fn new(value: &'a T, names: &'a Names) -> Self {
        Self { value, names }
    }
}

impl<T: LogField + ?Sized> fmt::Display for InLog<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.value.in_log(self.names))
    }
}

/// The type of a field that can stand in a log text, in the middle of a sentence.
pub trait LogField {
    fn in_log<'a>(&'a self, names: &'a Names) -> Cow<'a, str>;
}

impl LogField for Id {
    fn in_log<'a>(&'a self, names: &'a Names) -> Cow<'a, str> {
        names.name(*self).into()
    }
}

impl LogField for Side {
    fn in_log<'a>(&'a self, names: &'a Names) -> Cow<'a, str> {
        names.side_in_line(*self).into()
    }
}

impl LogField for Item {
    fn in_log<'a>(&'a self, names: &'a Names) -> Cow<'a, str> {
        names.item(*self).into()
    }
}

impl LogField for SpellId {
    fn in_log<'a>(&'a self, names: &'a Names) -> Cow<'a, str> {
        names.spell(*self).into()
    }
}

/// A list of units, sides or others, separated by commas.
impl<T: LogField> LogField for Vec<T> {
    fn in_log<'a>(&'a self, names: &'a Names) -> Cow<'a, str> {
        let all: Vec<_> = self.iter().map(|one| one.in_log(names)).collect();
        all.join(", ").into()
    }
}

/// Fields whose type has its own text.
macro_rules! displayed {
    ($($type:ty),*) => {
        $(impl LogField for $type {
            fn in_log<'a>(&'a self, _: &'a Names) -> Cow<'a, str> {
                self.to_string().into()
            }
        })*
    };
}

displayed!(u8, u16, u32, i32, Cell, Roll, String, &str, Cow<'_, str>);
