//! An action of a ruleset as one row: its button, its chances, what it is worth to the
//! AI, how it is listed and how it begins. Whoever adds an action writes a row, and
//! nothing that belongs to it can be left out.

use super::{
    CombatSystem, State,
    ai::{Evaluation, QuickAi},
};
use crate::{
    battle::{ActInfo, Action, Button, Choice, Id, Odds, Offer},
    grid::Cell,
};

/// What the rows of a ruleset are made of.
pub trait Acting: CombatSystem {
    /// What the forecast of an attack is asked about.
    type Attack;
    /// When actions may be taken, and how they go with those of others.
    type When: Send + Sync + 'static;
    /// What comes of an action that begins.
    type Begun;
}

/// One action of a ruleset.
pub struct Act<R: QuickAi> {
    pub action: &'static Action,
    /// None: a click on a cell means it, or it ends a turn.
    pub button: Option<Button>,
    pub chances: Chances<R>,
    pub worth: Worth<R>,
    /// Adjacent enemies may attack before it is done.
    pub provokes: bool,
    /// A reaction that a player may settle beforehand.
    pub auto_reaction: bool,
}

/// What an offer of an action is worth to the quick AI, measured by
/// [`KILL`](super::ai::KILL), among all offers of its unit.
pub type Worth<R> = fn(&Evaluation<R>, &[Offer], &Offer) -> i32;

/// The attack that a choice stands for, and the cell that it is made from.
pub type AttackOf<R> = fn(&State<R>, &Choice) -> Option<(<R as Acting>::Attack, Cell)>;

/// What is rolled for an action.
pub enum Chances<R: Acting> {
    /// Nothing, or not yet.
    None,
    /// An attack.
    Attack(AttackOf<R>),
    /// Anything else, a line each.
    Odds(fn(&State<R>, &Choice) -> Vec<Odds>),
}

impl<R: QuickAi> Act<R> {
    pub const fn new(
        action: &'static Action,
        button: Option<Button>,
        chances: Chances<R>,
        worth: Worth<R>,
    ) -> Self {
        Self {
            action,
            button,
            chances,
            worth,
            provokes: false,
            auto_reaction: false,
        }
    }

    /// Adjacent enemies may attack before it is done.
    pub const fn provoking(mut self) -> Self {
        self.provokes = true;
        self
    }

    /// A reaction that a player may settle beforehand.
    pub const fn auto_reaction(mut self) -> Self {
        self.auto_reaction = true;
        self
    }

    /// The row of an action. None: it is none of this ruleset.
    pub fn of(action: &'static Action) -> Option<&'static Self> {
        let all = R::acts().iter().copied();
        all.into_iter().find(|act| std::ptr::eq(act.action, action))
    }
}

/// Actions that are listed and begun by the same functions.
pub struct ActGroup<R: QuickAi> {
    pub acts: &'static [Act<R>],
    pub when: R::When,
    /// Adds every way to do it now; where there is none, one offer that says why.
    pub offers: fn(&State<R>, Id, &mut Vec<Offer>),
    /// Announces it and pays for it.
    pub begin: fn(&State<R>, &Choice) -> R::Begun,
}

impl<R: QuickAi> ActGroup<R> {
    /// Whether an action is one of the group.
    pub fn has(&self, action: &'static Action) -> bool {
        self.acts.iter().any(|act| act.action == action)
    }
}

/// What an offer is worth to the quick AI.
pub fn worth<R: QuickAi>(mind: &Evaluation<R>, offers: &[Offer], offer: &Offer) -> i32 {
    let act = Act::<R>::of(offer.choice.verb);
    (act.expect("what is offered has a row").worth)(mind, offers, offer)
}

/// Whether adjacent enemies may attack before an action is done.
pub fn provokes<R: QuickAi>(action: &'static Action) -> bool {
    Act::<R>::of(action).is_some_and(|act| act.provokes)
}

/// The attack that a choice stands for, and the cell that it is made from. None: it is no
/// attack.
pub fn attack_of<R: QuickAi>(state: &State<R>, choice: &Choice) -> Option<(R::Attack, Cell)> {
    match Act::<R>::of(choice.verb)?.chances {
        Chances::Attack(of) => of(state, choice),
        _ => None,
    }
}

/// The chances of a choice that is no attack, a line each.
pub fn odds<R: QuickAi>(state: &State<R>, choice: &Choice) -> Vec<Odds> {
    match Act::<R>::of(choice.verb).map(|act| &act.chances) {
        Some(Chances::Odds(of)) => of(state, choice),
        _ => vec![],
    }
}

/// What is known of every action of a ruleset without a battle.
pub fn infos<R: QuickAi>() -> Vec<ActInfo> {
    let info = |act: &&Act<R>| ActInfo {
        action: act.action,
        button: act.button,
        auto_reaction: act.auto_reaction,
    };
    R::acts().iter().map(info).collect()
}

/// Rows, each an action; its button (key, label, icon, perhaps in brackets what else is true of
/// it, then its help) or `no button`; its chances; its worth; perhaps what else is true of it.
macro_rules! rows {
    ($(
        $action:path:
        $(no button)? $($key:literal $label:literal $icon:ident $(($($mark:ident),+))?, $help:expr)?,
        $chances:expr, $worth:expr $(, $flag:ident)*;
    )*) => {
        &[$(crate::rulesets::common::act::Act::new(
            &$action,
            rows!(@button $($key $label $icon $(($($mark),+))?, $help)?),
            $chances,
            $worth,
        )$(.$flag())*),*]
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

/// The rows of groups, in their order.
pub fn grouped<R: QuickAi>(
    groups: &'static [ActGroup<R>],
) -> impl Iterator<Item = &'static Act<R>> {
    groups.iter().flat_map(|group| group.acts)
}

/// The table of a ruleset: several lists of rows, in the order in which orders are read.
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
