//! A unit's round as a bar of 100%, and how a declaration would change it.

use crate::{
    battle::{Choice, Id, Names, numeral},
    rulesets::activity::{
        declared,
        events::action_name,
        forecast::{supposing, within},
        plan::spell_time,
        query::ActivityQuery,
        state::{ActionKind, Actor, PlannedAction, Stage},
    },
    ui::{
        art::icons::Icon,
        ruleset_ui::{DeclarationPreview, Portion, PortionState, RoundPlan, run},
    },
};
use bevy::ecs::{system::In, world::World};

/// The bar of a unit's round; parts from index `fresh` on are not declared yet.
pub fn round(ac: &ActivityQuery, who: Id, fresh: usize) -> RoundPlan {
    let actor = ac.actor(who);
    let names = ac.view.names();
    let rolled = ac.clock.stage != Stage::Declaring;
    let mut parts: Vec<Portion> = vec![];
    for (place, planned) in actor.plan.iter().enumerate() {
        let fall = actor.fall(place, ac.tables().count_per_tenth);
        let state = match place {
            n if n >= fresh => PortionState::Preview,
            n if n < actor.next => PortionState::Done,
            _ => PortionState::ToCome,
        };
        parts.push(Portion {
            icon: icon(planned.kind),
            what: describe(planned, names).into(),
            percent: planned.percent,
            comes: comes(actor, fall, rolled).into(),
            state,
        });
    }
    if let Some((spell, points)) = actor.naming {
        let action = ActionKind::Spell { spell, points };
        parts.push(Portion {
            icon: icon(action),
            what: action_name(&action, names).into(),
            percent: spell_time(ac, spell, points).1,
            comes: "time not set".into(),
            state: PortionState::Preview,
        });
    }
    let planned = parts.iter().map(|p| p.percent).sum();
    RoundPlan {
        whole: actor.capacity,
        parts,
        left: left(ac, actor, planned).max(0),
        is_over: actor.is_over(ac.clock.stage),
    }
}

/// Percent of the round that is not planned, or still free for moving.
pub fn left(ac: &ActivityQuery, actor: &Actor, planned: i32) -> i32 {
    match ac.clock.stage {
        Stage::LeftOver => actor.left_over(),
        Stage::Declaring | Stage::Count(_) => actor.capacity - planned,
    }
}

/// The initiative at which an action happens (AC-11, AC-14); before the roll, only how far below
/// it.
fn comes(actor: &Actor, fall: Option<i32>, rolled: bool) -> String {
    match (fall, rolled) {
        (None, _) => String::from("continues next round"),
        (Some(fall), true) => format!("at {}", numeral(actor.initiative - fall)),
        (Some(0), false) => String::from("at the roll"),
        (Some(fall), false) => format!("at the roll − {fall}"),
    }
}

/// "melee, 80%, hastened at −10, already begun".
fn describe(planned: &PlannedAction, names: &Names) -> String {
    let goes_on = if planned.carried {
        ", already begun"
    } else {
        ""
    };
    let hastened = match planned.haste {
        0 => String::new(),
        n => format!(", hastened at {}", crate::battle::signed(n)),
    };
    let action = action_name(&planned.kind, names);
    format!("{action}, {}%{hastened}{goes_on}", planned.percent)
}

fn icon(action: ActionKind) -> Icon {
    match action {
        ActionKind::Melee => Icon::Strike,
        ActionKind::Missile => Icon::Shoot,
        ActionKind::Charge => Icon::Charge,
        ActionKind::Move => Icon::Move,
        ActionKind::Reload(_) => Icon::Reload,
        ActionKind::Draw(_) | ActionKind::Change(_) | ActionKind::LetGo(_) => Icon::Gear,
        ActionKind::DropProne => Icon::Prone,
        ActionKind::StandUp => Icon::Stand,
        ActionKind::ParryMissile | ActionKind::ChiDefense => Icon::Defend,
        ActionKind::Spell { .. } | ActionKind::Instant { .. } => Icon::Spell,
        ActionKind::Stanch => Icon::Aid,
        ActionKind::Herb => Icon::Heart,
        ActionKind::Perceive => Icon::Eye,
        ActionKind::ChiSpeed => Icon::Run,
        ActionKind::PickUp => Icon::PickUp,
        ActionKind::Door => Icon::Door,
    }
}

/// The round with this declaration and, for a move, the cells in reach.
pub fn preview_declaration(world: &mut World, choice: &Choice) -> DeclarationPreview {
    fn known(In(who): In<Id>, ac: ActivityQuery) -> usize {
        ac.actor(who).plan.len()
    }
    fn bar(In((who, fresh)): In<(Id, usize)>, ac: ActivityQuery) -> RoundPlan {
        round(&ac, who, fresh)
    }
    let Some(who) = choice.who else {
        return DeclarationPreview::default();
    };
    let fresh = run(world, known, who);
    DeclarationPreview {
        round: supposing(world, choice, |world| run(world, bar, (who, fresh))),
        reach: match choice.number.filter(|_| choice.verb == &declared::MOVE) {
            Some(percent) => run(world, within, (who, percent)),
            None => vec![],
        },
    }
}
