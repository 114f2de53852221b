//! The list of all actions of the selected unit, with the reasons why some are blocked.

use super::{SmallPictures, show_card};
use crate::{
    battle::{Choice, CowStr, Id, OddsLine, Rule, capitalised},
    ui::{
        ActionPreview, Selection, Session,
        art::{hud::Panel, icons::Icon, palette},
        board::overlays::overlay_button,
        codex::{RuleOf, rule_link},
        input::Key,
        pictures::SmallPicture,
        places::MorePlace,
        preview::ActButton,
        scrollbars::faded_edge,
        selection::{Command, Overlay},
        session::ShownMoment,
        theme::{TextStyle, faded, text},
        widgets::{
            Filled, Hint, NodeExt, SendOnPress, SpawnWith, button, column, hint, list_node, rigid,
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
    /// What an AI would consider to do with it now: "Makes sense now: strike goblin 2 with sword".
    sense: Option<String>,
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
    mut considered: Local<Option<((ShownMoment, Id), Vec<Choice>)>>,
) {
    let asked = selection.chosen.filter(|_| selection.more);
    let asked = asked.map(|who| (session.moment(), who));
    if considered.as_ref().map(|known| known.0) != asked {
        *considered = asked.map(|asked| (asked, session.considered(asked.1)));
    }
    let considered = considered.as_ref().map_or(&[][..], |known| &known.1);
    let sense = |act: &ActButton| {
        let does = |choice: &Choice| act.has(choice.verb);
        considered.iter().position(does)
    };
    let line = |(sense, act): (Option<usize>, &ActButton)| ActionRow {
        key: act.key,
        icon: act.icon,
        label: act.label.clone(),
        help: act.help,
        why_not: match (&act.why_not, &act.no_effect) {
            (Some(why), _) => Some(capitalised(&why.text)),
            (None, why) => why.as_ref().map(|why| format!("No effect: {why}")),
        },
        sense: sense.map(|nth| {
            let order = session.order_text(&considered[nth]);
            format!("Makes sense now: {order}")
        }),
        odds: act.odds.iter().map(OddsLine::words).collect(),
        provoked: session.shown().provoked_lines(&act.provoked),
        rule: act.why_not.as_ref().map_or(act.rule, |w| w.rule),
    };
    let name = |id| session.shown().unit(id).name.clone();
    let now = selection.more.then(|| {
        let acts = preview.acts.iter().map(|act| (sense(act), act));
        let mut acts: Vec<(Option<usize>, &ActButton)> = acts.collect();
        // What makes sense comes first, the best of it on top.
        acts.sort_by_key(|(sense, _)| sense.unwrap_or(usize::MAX));
        MoreModel {
            who: selection.chosen.map_or(String::new(), name),
            acts: acts.into_iter().map(line).collect(),
        }
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
        // Room for the faded edge, so that it covers nothing at the end of the list.
        padding: UiRect::bottom(px(12)),
        min_height: px(0),
        overflow: Overflow::scroll_y(),
        ..default()
    };
    card.spawn_with((list, ScrollArea), |list| {
        let edge = Node {
            bottom: px(0),
            ..default()
        };
        list.spawn(faded_edge(Panel::CardActive, edge));
        for act in &model.acts {
            let panel = Panel::CardLight.pale_if(act.why_not.is_some());
            let node = list_node(34.0, 8.0)
                .width(percent(48))
                .min_width(px(280))
                .padding(8.0, 2.0)
                .grow();
            // The row names its rule, so it has no tooltip: that would cover another row.
            let parts = (SendOnPress(Command::Act(act.key)), RuleOf(act.rule));
            list.spawn_with((button(panel, node), parts), |line| {
                line.spawn(icons.square(SmallPicture::Icon(act.icon, panel.text()), 22.0));
                let words = column(0.0);
                line.group(words, |words| {
                    words.spawn(text(act.label.clone(), TextStyle::Strong, panel.text()));
                    if !act.help.is_empty() {
                        words.spawn(faded(act.help));
                    }
                    let chances = act.sense.iter().chain(&act.odds);
                    words.lines(chances, TextStyle::Small, palette::TEAL);
                    let warnings = act.why_not.iter().chain(&act.provoked);
                    words.lines(warnings, TextStyle::Small, palette::DANGER);
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
