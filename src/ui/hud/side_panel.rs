//! The side panel, which takes the log's place: why an AI acted, suggestions, or the list of orders
//! while the player plans a round.

use super::{enemy_turn, hint, plan_list, why};
use crate::ui::{
    Phase, Screen, Selection, Session,
    art::hud::Panel,
    places::{LogPlace, SidePanelPlace},
    preview::{PlanPreview, Predictions},
    scrollbars::KeepsScroll,
    selection::SidePanel,
    theme::{self, Appearance},
    widgets::{
        Filled, NodeExt, SpawnWith, TipsBeside, card, is_nothing_pressed, panel_style, refill,
        show_if,
    },
};
use bevy::{picking::hover::Hovered, prelude::*, text::RemSize};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<why::Explained>()
        .init_resource::<hint::Advised>();
    app.register_required_components::<SidePanelPlace, Hovered>();
    let changed = resource_changed::<Selection>
        .or_else(resource_exists_and_changed::<Session>)
        .or_else(resource_changed::<PlanPreview>)
        .or_else(resource_changed::<Predictions>)
        .or_else(resource_changed::<why::Explained>)
        .or_else(resource_changed::<hint::Advised>)
        .or_else(resource_changed::<RemSize>)
        .or_else(resource_changed::<Appearance>);
    let tells = |is_it: fn(&SidePanel) -> bool| {
        move |selection: Res<Selection>| selection.side_panel.as_ref().is_some_and(is_it)
    };
    app.add_systems(
        Update,
        (
            why::inquire
                .in_set(Phase::Think)
                .run_if(tells(|aside| matches!(aside, SidePanel::Why(_)))),
            hint::inquire
                .in_set(Phase::Think)
                .run_if(tells(|aside| *aside == SidePanel::Hint)),
            hint::preview_hint.in_set(Phase::Input),
            // A change is noticed later if a button is pressed now.
            refresh
                .in_set(Phase::Draw)
                .run_if(is_nothing_pressed.and_then(changed)),
        )
            .run_if(in_state(Screen::Battle)),
    );
}

/// Padding above and below the list of orders, in layout pixels.
pub const LIST_PAD: f32 = 5.0;
/// Gap between its lines, in layout pixels.
pub const LINE_GAP: f32 = 1.0;

/// The card in the side panel.
#[derive(Component)]
#[require(TipsBeside)]
pub struct SidePanelCard;

#[derive(PartialEq)]
enum SidePanelModel {
    Why(why::WhyModel),
    Hint(hint::HintModel),
    Plans(plan_list::PlanListModel),
}

fn refresh(
    session: Res<Session>,
    selection: Res<Selection>,
    (explained, advised): (Res<why::Explained>, Res<hint::Advised>),
    (plan_preview, predictions, rem): (Res<PlanPreview>, Res<Predictions>, Res<RemSize>),
    place: Single<(Entity, &mut Node), With<SidePanelPlace>>,
    mut shown: Local<Filled<Option<SidePanelModel>>>,
    log: Single<&mut Node, (With<LogPlace>, Without<SidePanelPlace>)>,
    mut commands: Commands,
) {
    let (place, mut node) = place.into_inner();
    // While enemies act there is nothing to suggest, and the log says what they do.
    let has_use = |panel: &&SidePanel| {
        **panel != SidePanel::Hint || advised.has_choice() || enemy_turn::strip(&session).is_none()
    };
    let now = match selection.side_panel.as_ref().filter(has_use) {
        Some(SidePanel::Why(_)) => Some(SidePanelModel::Why(why::model(&session, &explained))),
        Some(SidePanel::Hint) => Some(SidePanelModel::Hint(hint::model(&session, &advised))),
        None if plan_list::is_shown(&session, &selection) => {
            let scale = rem.0 / theme::BODY;
            let seen = (&*plan_preview, &*predictions);
            let model = plan_list::model(&session, &selection, seen, scale);
            Some(SidePanelModel::Plans(model))
        }
        None => None,
    };
    show_if(&mut log.into_inner(), now.is_none());
    // An empty panel would still cost a gap in the column.
    show_if(&mut node, now.is_some());
    refill(&mut commands, (place, now), &mut shown, |place, model| {
        let Some(model) = model else { return };
        let node = card().row_gap(2.0).min_height(px(0)).grow().scrolling();
        // The list of orders has many lines, so its card has less padding.
        let node = match model {
            SidePanelModel::Plans(_) => node.padding(theme::PAD, LIST_PAD).row_gap(LINE_GAP),
            _ => node,
        };
        let scroll = KeepsScroll(match model {
            SidePanelModel::Why(_) => "why",
            SidePanelModel::Hint(_) => "suggestions",
            SidePanelModel::Plans(_) => "orders",
        });
        let parts = (SidePanelCard, node, scroll, panel_style(Panel::CardActive));
        place.spawn_with(parts, |card| match model {
            SidePanelModel::Why(model) => why::show(card, model),
            SidePanelModel::Hint(model) => hint::show(card, model),
            SidePanelModel::Plans(model) => plan_list::show(card, model),
        });
    });
}
