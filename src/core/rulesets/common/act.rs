//! One table row per action of a ruleset: its button, its chances, its worth to the quick AI, how
//! it is listed and how it begins. A new action is a new row; the row's type requires every part.

use super::{
    CombatSystem, State,
    ai::{Evaluation, QuickAi},
};
use crate::{
    battle::{ActInfo, Action, Button, Choice, Id, OddsLine, Offer, Why},
    grid::Cell,
};

/// The types that a ruleset's action rows are made of.
pub trait Acting: CombatSystem {
    /// What the ruleset forecasts an attack from.
    type Attack;
    /// When the actions of a group are possible, and how they combine with the actions of others;
    /// `()` where the group's offers say it all. Under Activity, what a planned action costs, and
    /// how it is carried out when it is due.
    type When: Send + Sync + 'static;
    /// What the beginning of an action returns: its events, and the steps that follow. Under
    /// Activity, the kind of the declared action.
    type Begun;
}

/// One action of a ruleset.
pub struct Act<R: QuickAi> {
    pub action: &'static Action,
    /// `None` for an action that is chosen by clicking a cell, or that ends a turn.
    pub button: Option<Button>,
    pub chances: ShownChances<R>,
    pub worth: Worth<R>,
    /// Whether the quick AI scores the action by [`QuickAi::score_of_move`].
    pub moves: bool,
    /// Whether adjacent enemies may attack before the action completes.
    pub provokes: bool,
    /// Whether players can choose an automatic answer for this reaction.
    pub auto_reaction: bool,
}

/// A function that scores an offer for the quick AI. Scores are on the scale of
/// [`KILL`](super::ai::KILL).
pub type Worth<R> = fn(&Evaluation<R>, &Offer) -> i32;

/// The attack that a choice with a target and a weapon makes. `None` if something else is missing.
pub type AttackOf<R> = fn(&State<R>, &Choice) -> Option<<R as Acting>::Attack>;

/// Which chances the forecast of an action shows.
pub enum ShownChances<R: Acting> {
    /// No chances: the action rolls nothing, or nothing when it is chosen.
    None,
    /// The forecast of an attack.
    Attack(AttackOf<R>),
    /// Other chances, one per line. `None` if the choice is incomplete.
    Odds(fn(&State<R>, &Choice) -> Option<Vec<OddsLine>>),
}

impl<R: QuickAi> Act<R> {
    pub const fn new(
        action: &'static Action,
        button: Option<Button>,
        chances: ShownChances<R>,
        worth: Worth<R>,
    ) -> Self {
        Self {
            action,
            button,
            chances,
            worth,
            moves: false,
            provokes: false,
            auto_reaction: false,
        }
    }

    /// Marks a move, whose worth is [`worth_of_move`](super::ai::worth_of_move).
    pub const fn moving(mut self) -> Self {
        self.moves = true;
        self
    }

    /// Marks an action before whose completion adjacent enemies may attack.
    pub const fn provoking(mut self) -> Self {
        self.provokes = true;
        self
    }

    /// Marks a reaction for which players can choose an automatic answer.
    pub const fn auto_reaction(mut self) -> Self {
        self.auto_reaction = true;
        self
    }

    /// The row of an action. `None` if this ruleset has no such action.
    pub fn of(action: &'static Action) -> Option<&'static Self> {
        R::acts().iter().copied().find(|act| act.action == action)
    }
}

/// Actions that are listed and begun by the same functions.
pub struct ActGroup<R: QuickAi> {
    pub acts: &'static [Act<R>],
    pub when: R::When,
    /// Adds an offer for every way to take the actions now; if there is none, one blocked offer
    /// with the reason.
    pub offers: fn(&State<R>, Id, &mut Vec<Offer>),
    /// Announces the chosen action and pays for it. Under Activity, a choice only declares: this
    /// returns the kind of the declared action, which is announced and paid for when it is due.
    pub begin: fn(&State<R>, &Choice) -> R::Begun,
}

impl<R: QuickAi> ActGroup<R> {
    /// Whether an action belongs to the group.
    pub fn has(&self, action: &'static Action) -> bool {
        self.acts.iter().any(|act| act.action == action)
    }
}

/// Adds these offers; if there are none, the choice `none`, blocked with the reason.
pub fn list_or(offers: impl Iterator<Item = Offer>, none: Choice, why: Why, out: &mut Vec<Offer>) {
    let before = out.len();
    out.extend(offers);
    if out.len() == before {
        out.push(Offer::not(none, why));
    }
}

/// The group of an action. `None` if it is in none of them.
pub fn find_group<R: QuickAi>(
    groups: &'static [ActGroup<R>],
    action: &'static Action,
) -> Option<&'static ActGroup<R>> {
    groups.iter().find(|group| group.has(action))
}

/// The group of a chosen action. Panics if it is in none of them.
pub fn group_of<R: QuickAi>(
    groups: &'static [ActGroup<R>],
    choice: &Choice,
) -> &'static ActGroup<R> {
    find_group(groups, choice.verb).expect("a chosen act is a listed one")
}

/// The row of an offer.
pub fn row_of<R: QuickAi>(offer: &Offer) -> &'static Act<R> {
    Act::of(offer.choice.verb).expect("what is offered has a row")
}

/// The score of an offer for the quick AI.
pub fn worth<R: QuickAi>(eval: &Evaluation<R>, offer: &Offer) -> i32 {
    (row_of(offer).worth)(eval, offer)
}

/// Whether adjacent enemies may attack before an action completes.
pub fn provokes<R: QuickAi>(action: &'static Action) -> bool {
    Act::<R>::of(action).is_some_and(|act| act.provokes)
}

/// The attack that a choice makes, and the cell from which it is made: the end of a charge, else the
/// unit's own cell. `None` if the action is not an attack, or the choice is incomplete.
pub fn attack_of<R: QuickAi>(state: &State<R>, choice: &Choice) -> Option<(R::Attack, Cell)> {
    let ShownChances::Attack(of) = Act::<R>::of(choice.verb)?.chances else {
        return None;
    };
    let who = choice.at.and(choice.with).and(choice.who)?;
    let from = choice.to.unwrap_or(R::view(state).body(who).at);
    Some((of(state, choice)?, from))
}

/// The chances of a choice that is not an attack, one per line.
pub fn odds<R: QuickAi>(state: &State<R>, choice: &Choice) -> Vec<OddsLine> {
    match Act::<R>::of(choice.verb).map(|act| &act.chances) {
        Some(ShownChances::Odds(of)) => of(state, choice).unwrap_or_default(),
        _ => vec![],
    }
}

/// The facts about every action of a ruleset that do not depend on a battle.
pub fn infos<R: QuickAi>() -> Vec<ActInfo> {
    let info = |act: &&Act<R>| ActInfo {
        action: act.action,
        button: act.button,
        auto_reaction: act.auto_reaction,
    };
    R::acts().iter().map(info).collect()
}

/// Builds action rows. Each row lists the action, its button or `no button`, its chances, its
/// worth, then the [`Act`] flags `moving`, `provoking` and `auto_reaction` if they apply. A row that
/// ends after its button shows no chances, and the quick AI never chooses its action. A button is a
/// key, label and icon, marks in brackets if it has any (`plain`, `instead`, `group`, `last`,
/// `remedy`, `fallback`; see [`Button`]), and the help text.
macro_rules! rows {
    ($(
        $action:path:
        $(no button)? $($key:literal $label:literal $icon:ident $(($($mark:ident),+))?, $help:expr)?
        $(, $chances:expr, $worth:expr $(, $flag:ident)*)?;
    )*) => {
        &[$(rows!(
            @act &$action,
            rows!(@button $($key $label $icon $(($($mark),+))?, $help)?)
            $(, $chances, $worth)?
        )$($(.$flag())*)?),*]
    };
    (@act $action:expr, $button:expr) => {
        rows!(
            @act $action, $button,
            crate::rulesets::common::act::ShownChances::None,
            |_, _| crate::rulesets::common::ai::NEVER
        )
    };
    (@act $action:expr, $button:expr, $chances:expr, $worth:expr) => {
        crate::rulesets::common::act::Act::new($action, $button, $chances, $worth)
    };
    (@button) => { None };
    (@button $key:literal $label:literal $icon:ident $(($($mark:ident),+))?, $help:expr) => {
        Some(
            crate::battle::Button::new($key, $label, crate::icons::Icon::$icon, $help)
                $($(.$mark())+)?
        )
    };
}
pub(crate) use rows;

/// The names that a ruleset's files of actions share: the vocabulary of offers and steps, and the
/// types of its rows.
macro_rules! row_types {
    ($system:ident) => {
        // No ruleset needs all of them.
        #[allow(unused_imports)]
        pub(crate) use crate::{
            battle::{
                Action, Choice, DiceBox, EventKind, Id, Item, ItemPlace, Offer, StepOutcome, Why,
            },
            grid::Cell,
            rulesets::common::{act::list_or, act::rows, ai::NEVER, ai::worth_of_move, verbs},
            system_step,
        };
        #[allow(unused_imports)]
        pub(crate) use bevy_ecs::system::{In, ResMut};

        pub type Act = crate::rulesets::common::act::Act<$system>;
        pub type ActGroup = crate::rulesets::common::act::ActGroup<$system>;
        pub type Chances = crate::rulesets::common::act::ShownChances<$system>;
    };
}
pub(crate) use row_types;

/// The rows of all groups, in order.
pub fn grouped<R: QuickAi>(
    groups: &'static [ActGroup<R>],
) -> impl Iterator<Item = &'static Act<R>> {
    groups.iter().flat_map(|group| group.acts)
}

/// Defines `acts()` for a ruleset from lists of rows. Order texts are parsed in this order.
macro_rules! acts {
    ($system:ident: $first:expr $(, $more:expr)*) => {
        fn acts() -> &'static [&'static crate::rulesets::common::act::Act<$system>] {
            type Rows = Vec<&'static crate::rulesets::common::act::Act<$system>>;
            static ALL: std::sync::LazyLock<Rows> = std::sync::LazyLock::new(|| {
                $first.into_iter()$(.chain($more))*.collect()
            });
            &ALL
        }
    };
}
pub(crate) use acts;
