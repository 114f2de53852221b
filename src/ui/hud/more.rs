//! The list of all actions of the selected unit, with the reasons why some are blocked.

use super::{SmallPictures, show_card};
use crate::{
    battle::{CowStr, OddsLine, Rule, capitalised},
    ui::{
        ActionPreview, Selection, Session,
        art::{hud::Panel, icons::Icon, palette},
        board::overlays::overlay_button,
        codex::{RuleOf, rule_link},
        input::Key,
        pictures::SmallPicture,
        places::MorePlace,
        selection::{Command, Overlay},
        theme::{TextStyle, faded, text},
        widgets::{
            Filled, Hint, NodeExt, SendOnPress, SpawnWith, button, column, hint, picture, rigid,
            row, rule, spacer, wrapping_row,
        },
    },
};
use bevy::{prelude::*, ui_widgets::ScrollArea};

#[derive(PartialEq)]
pub struct MoreModel {
    who: String,
    acts: Vec<ActionRow>,
}

#[derive(PartialEq)]
struct ActionRow {
    key: char,
    icon: Icon,
    label: CowStr,
    help: &'static str,
    why_not: Option<String>,
    provoked: Vec<String>,
    odds: Vec<String>,
    rule: Rule,
}

pub(super) fn refresh(
    session: Res<Session>,
    selection: Res<Selection>,
    preview: Res<ActionPreview>,
    place: Single<Entity, With<MorePlace>>,
    mut shown: Local<Filled<Option<MoreModel>>>,
    mut commands: Commands,
    mut icons: SmallPictures,
) {
    let line = |act: &crate::ui::preview::ActButton| ActionRow {
        key: act.key,
        icon: act.icon,
        label: act.label.clone(),
        help: act.help,
        why_not: act.why_not.as_ref().map(|w| capitalised(&w.text)),
        odds: act.odds.iter().map(OddsLine::words).collect(),
        provoked: session.shown().provoked_lines(&act.provoked),
        rule: act.why_not.as_ref().map_or(act.rule, |w| w.rule),
    };
    let name = |id| session.shown().unit(id).name.clone();
    let now = selection.more.then(|| MoreModel {
        who: selection.chosen.map_or(String::new(), name),
        acts: preview.acts.iter().map(line).collect(),
    });
    let show = |card: &mut ChildSpawnerCommands, model: &MoreModel| show(card, &mut icons, model);
    let now = (*place, now);
    show_card(&mut commands, now, &mut shown, (660.0, 100.0), show);
}

fn show(card: &mut ChildSpawnerCommands, icons: &mut SmallPictures, model: &MoreModel) {
    card.spawn_with(row(8.0), |top| {
        let words = format!("{}: all actions", model.who);
        top.spawn(text(words, TextStyle::Heading, palette::INK));
        top.spawn(spacer());
        top.spawn((faded(""), Hint::new("{} closes", Key::Back)));
    });
    card.spawn(rule());
    let list = Node {
        flex_wrap: FlexWrap::Wrap,
        column_gap: px(8),
        row_gap: px(4),
        padding: UiRect::bottom(px(3)),
        min_height: px(0),
        overflow: Overflow::scroll_y(),
        ..default()
    };
    card.spawn_with((list, ScrollArea), |list| {
        for act in &model.acts {
            let panel = match act.why_not {
                Some(_) => Panel::CardPale,
                None => Panel::CardLight,
            };
            let node = Node {
                width: percent(48),
                min_width: px(280),
                flex_grow: 1.0,
                min_height: px(34),
                padding: UiRect::axes(px(8), px(2)),
                column_gap: px(8),
                justify_content: JustifyContent::Start,
                ..default()
            };
            // The row names its rule, so it has no tooltip: that would cover another row.
            let parts = (SendOnPress(Command::Act(act.key)), RuleOf(act.rule));
            list.spawn_with((button(panel, node), parts), |line| {
                let icon = SmallPicture::Icon(act.icon, panel.text());
                line.spawn(picture(icons.get(icon, 22.0), 22.0));
                let words = column(0.0);
                line.group(words, |words| {
                    words.spawn(text(act.label.clone(), TextStyle::Strong, panel.text()));
                    if !act.help.is_empty() {
                        words.spawn(faded(act.help));
                    }
                    for odds in &act.odds {
                        words.spawn(text(odds.clone(), TextStyle::Small, palette::TEAL));
                    }
                    for why in act.why_not.iter().chain(&act.provoked) {
                        words.spawn(text(why.clone(), TextStyle::Small, palette::DANGER));
                    }
                });
                line.spawn(spacer());
                rule_link(line, act.rule);
                if act.key.is_ascii() {
                    line.spawn(hint(Key::Act(act.key), palette::FADED_INK));
                }
            });
        }
    });
    let node = rigid(wrapping_row(6.0, 4.0).margin_top(6.0));
    card.group(node, |foot| {
        foot.spawn(faded("On the board:"));
        for overlay in Overlay::ALL {
            foot.spawn(overlay_button(overlay, Panel::Card));
        }
    });
}
