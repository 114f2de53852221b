//! The act bar: what the chosen one may do.

use super::{Signs, Told};
use crate::ui::{
    Pick, Prospect, Session,
    art::{hud::Panel, icons::Icon, palette},
    pick::Command,
    pictures::Sign,
    prospect::Act,
    theme::{Cut, text},
    widgets::{Sends, Tip, button, picture},
};
use bevy::prelude::*;

/// The row of acts.
#[derive(Component, Default)]
#[require(Told<Model>)]
pub struct ActBar;

#[derive(PartialEq)]
pub struct Model {
    acts: Vec<(Act, Vec<String>, Option<String>)>,
    who: String,
}

pub(super) fn refresh(
    session: Res<Session>,
    pick: Res<Pick>,
    prospect: Res<Prospect>,
    bar: Single<(Entity, &mut Told<Model>), With<ActBar>>,
    mut commands: Commands,
    mut signs: Signs,
) {
    let (entity, mut told) = bar.into_inner();
    let draws = |act: &Act| {
        let line = |d: &crate::ui::prospect::Drawn| {
            format!(
                "{} may strike first: {}%",
                session.shown().person(d.by).name,
                d.percent
            )
        };
        act.draws.iter().map(line).collect()
    };
    let names = session.names();
    let item = |act: &Act| {
        let item = act.item.filter(|_| act.is_on)?;
        Some(names.item(item).to_owned())
    };
    let now = Model {
        acts: prospect
            .acts
            .iter()
            .map(|a| (a.clone(), draws(a), item(a)))
            .collect(),
        who: pick
            .chosen
            .map_or(String::new(), |id| session.shown().person(id).name.clone()),
    };
    if !told.is_news(now) {
        return;
    }
    let Some(model) = &told.0 else { return };
    commands
        .entity(entity)
        .despawn_children()
        .with_children(|bar| {
            for (act, draws, item) in &model.acts {
                act_button(bar, &mut signs, act, draws, item.as_deref());
            }
            if !model.acts.is_empty() {
                let tip = Tip::default().line(
                    format!("{} does nothing more this turn (N)", model.who),
                    Cut::Small,
                    palette::INK,
                );
                let face = Face {
                    label: "Done",
                    key: 'n',
                    icon: Icon::Check,
                    panel: Panel::CardLight,
                    item: None,
                };
                slot(bar, &mut signs, face, Command::Done, tip);
            }
        });
}

struct Face<'a> {
    label: &'static str,
    /// What it would be done with, for the act that is meant.
    item: Option<&'a str>,
    key: char,
    icon: Icon,
    panel: Panel,
}

fn act_button(
    bar: &mut ChildSpawnerCommands,
    signs: &mut Signs,
    act: &Act,
    draws: &[String],
    item: Option<&str>,
) {
    let panel = match (&act.why_not, act.is_on) {
        (Some(_), _) => Panel::CardPale,
        (None, true) => Panel::CardActive,
        (None, false) => Panel::CardLight,
    };
    let mut tip = Tip::default().line(
        format!("{} ({})", act.label, upper(act.key)),
        Cut::Strong,
        palette::INK,
    );
    if let Some(why) = &act.why_not {
        let why = crate::battle::capitalised(&why.text);
        tip = tip.line(why, Cut::Body, palette::DANGER);
    }
    for line in draws {
        tip = tip.line(line.clone(), Cut::Body, palette::DANGER);
    }
    if act.items.len() > 1 {
        tip = tip.line(
            "Once more: another weapon (W)",
            Cut::Small,
            palette::FADED_INK,
        );
    }
    let rule = act.why_not.as_ref().map_or(act.rule, |w| w.rule);
    tip = tip.line(rule, Cut::Small, palette::LINK);
    let face = Face {
        label: act.label,
        key: act.key,
        icon: act.icon,
        panel,
        item,
    };
    slot(bar, signs, face, Command::Act(act.key), tip);
}

fn upper(key: char) -> char {
    key.to_ascii_uppercase()
}

fn slot(
    bar: &mut ChildSpawnerCommands,
    signs: &mut Signs,
    face: Face<'_>,
    sends: Command,
    tip: Tip,
) {
    let node = Node {
        // As wide as the row has room for, between these.
        flex_grow: 1.0,
        flex_basis: px(0),
        min_width: px(56),
        max_width: px(84),
        height: px(96),
        flex_direction: FlexDirection::Column,
        padding: UiRect::new(px(2), px(2), px(8), px(4)),
        row_gap: px(4),
        ..default()
    };
    bar.spawn((button(face.panel, node), Sends(sends), tip))
        .with_children(|slot| {
            let corner = Node {
                position_type: PositionType::Absolute,
                left: px(6),
                top: px(3),
                ..default()
            };
            slot.spawn((
                corner,
                text(upper(face.key), Cut::Small, palette::FADED_INK),
            ));
            let image = signs.get(Sign::Icon(face.icon, face.panel.text()), 30.0);
            slot.spawn(picture(image, 30.0));
            slot.spawn(text(face.label, Cut::Label, face.panel.text()));
            if face.panel == Panel::CardPale {
                slot.spawn(text("why?", Cut::Small, palette::DANGER));
            } else if let Some(item) = face.item {
                slot.spawn(text(item, Cut::Small, palette::FADED_INK));
            }
        });
}
