//! The list from which something is chosen: an answer out of turn, a spell, a
//! weapon, one of several ways, a number; each with its odds.

use super::Told;
use crate::ui::{
    Prospect, Session,
    art::{hud::Panel, palette},
    board::View,
    pick::Command,
    prospect::{Menu, Picks, Row, Slider},
    screens::battle::MenuPlace,
    theme::{Cut, text},
    widgets::{Sends, bar, button, card, column, face, row, rule, spring, word_button},
};
use bevy::{prelude::*, ui_widgets::ScrollArea};

pub(super) fn refresh(
    prospect: Res<Prospect>,
    place: Single<(Entity, &mut Told<Option<Menu>>), With<MenuPlace>>,
    mut commands: Commands,
) {
    let (entity, mut told) = place.into_inner();
    if !told.is_news(prospect.menu.clone()) {
        return;
    }
    let mut place = commands.entity(entity);
    place.despawn_children();
    let Some(Some(menu)) = &told.0 else { return };
    place.with_children(|place| {
        let node = Node {
            width: px(420),
            max_height: percent(70),
            ..card()
        };
        place
            .spawn((node, face(Panel::CardActive)))
            .with_children(|card| show(card, menu));
    });
}

/// The card keeps to the half of the board where those whom it is about are
/// not.
pub(super) fn step_aside(
    session: Res<Session>,
    prospect: Res<Prospect>,
    view: Res<View>,
    place: Single<&mut Node, With<MenuPlace>>,
) {
    let Some(menu) = &prospect.menu else { return };
    let choices = menu.rows.iter().filter_map(Row::choice);
    let people = choices.flat_map(|c| [c.who, c.at]).flatten();
    let shown = session.shown();
    let asked = session.question().map_or(&[][..], |q| &q.actors);
    let spots: Vec<f32> = people
        .chain(asked.iter().copied().filter(|_| menu.is_reaction))
        .map(|id| view.in_window(shown.person(id).middle().into()).y)
        .collect();
    if spots.is_empty() {
        return;
    }
    let mean = spots.iter().sum::<f32>() / spots.len() as f32;
    let at = if mean > view.room().center().y {
        JustifyContent::Start
    } else {
        JustifyContent::End
    };
    let mut node = place.into_inner();
    if node.justify_content != at {
        node.justify_content = at;
    }
}

fn show(card: &mut ChildSpawnerCommands, menu: &Menu) {
    let head = Node {
        align_items: AlignItems::Baseline,
        flex_shrink: 0.0,
        ..row(8.0)
    };
    card.spawn(head).with_children(|top| {
        let title = Node {
            flex_shrink: 1.0,
            ..default()
        };
        top.spawn((
            title,
            children![text(menu.title.clone(), Cut::Heading, palette::INK)],
        ));
        top.spawn(spring());
        top.spawn(text(menu.rule, Cut::Small, palette::LINK));
    });
    card.spawn(rule());
    if let (Some(slider), [only]) = (&menu.slider, &menu.rows[..]) {
        return number(card, slider, only);
    }
    let list = Node {
        min_height: px(0),
        flex_shrink: 1.0,
        overflow: Overflow::scroll_y(),
        ..column(5.0)
    };
    card.spawn((list, ScrollArea)).with_children(|list| {
        for (n, answer) in menu.rows.iter().enumerate() {
            line(list, n, answer);
        }
    });
    if !menu.is_reaction {
        let words = text("Esc goes a step back", Cut::Small, palette::FADED_INK);
        card.spawn((
            Node {
                margin: UiRect::top(px(6)),
                ..default()
            },
            children![words],
        ));
    }
}

/// A row: what it is, what it would be, its chance, its key.
fn line(list: &mut ChildSpawnerCommands, n: usize, answer: &Row) {
    let panel = match (&answer.picks, answer.is_pass) {
        (Picks::Nothing(_), _) => Panel::CardPale,
        (_, true) => Panel::Card,
        _ => Panel::CardLight,
    };
    let node = Node {
        width: percent(100),
        min_height: px(34),
        padding: UiRect::axes(px(10), px(4)),
        column_gap: px(8),
        justify_content: JustifyContent::Start,
        ..default()
    };
    list.spawn((button(panel, node), Sends(Command::Reply(n))))
        .with_children(|line| {
            let words = Node {
                flex_grow: 1.0,
                flex_shrink: 1.0,
                ..column(1.0)
            };
            line.spawn((words, Pickable::IGNORE))
                .with_children(|words| {
                    words.spawn(text(answer.label.clone(), Cut::Strong, panel.text()));
                    for of in &answer.lines {
                        words.spawn(text(of.clone(), Cut::Body, palette::FADED_INK));
                    }
                    if let Picks::Nothing(why) = &answer.picks {
                        words.spawn(text(why.clone(), Cut::Small, palette::DANGER));
                    }
                });
            if let Some(percent) = answer.percent {
                line.spawn(text(format!("{percent}%"), Cut::Heading, palette::TEAL));
            }
            let key = match (n, answer.is_pass) {
                (_, true) => String::from("Esc"),
                (0, _) => String::from("Enter"),
                (n @ 1..=8, _) => (n + 1).to_string(),
                _ => String::new(),
            };
            line.spawn(text(key, Cut::Small, palette::FADED_INK));
        });
}

/// A number with buttons for less and more, and what it would do.
fn number(card: &mut ChildSpawnerCommands, slider: &Slider, only: &Row) {
    let big = slider.stride();
    card.spawn(Node {
        justify_content: JustifyContent::Center,
        flex_shrink: 0.0,
        ..row(8.0)
    })
    .with_children(|line| {
        let less = if big > 1 { vec![-big, -1] } else { vec![-1] };
        for &by in &less {
            nudge(line, by);
        }
        line.spawn((
            Node {
                width: px(86),
                justify_content: JustifyContent::Center,
                ..default()
            },
            children![text(slider.now.to_string(), Cut::Big, palette::INK)],
        ));
        for by in less.iter().rev() {
            nudge(line, -by);
        }
    });
    let share = (slider.now - slider.least) as f32 / (slider.most - slider.least).max(1) as f32;
    card.spawn(Node {
        margin: UiRect::vertical(px(6)),
        flex_shrink: 0.0,
        ..row(8.0)
    })
    .with_children(|line| {
        line.spawn(text(
            slider.least.to_string(),
            Cut::Small,
            palette::FADED_INK,
        ));
        line.spawn((
            Node {
                flex_grow: 1.0,
                ..column(0.0)
            },
            children![bar(share, palette::TEAL, 9.0)],
        ));
        line.spawn(text(
            slider.most.to_string(),
            Cut::Small,
            palette::FADED_INK,
        ));
    });
    card.spawn(row(8.0)).with_children(|line| {
        line.spawn(Node {
            flex_grow: 1.0,
            flex_shrink: 1.0,
            ..column(1.0)
        })
        .with_children(|words| {
            words.spawn(text(only.label.clone(), Cut::Strong, palette::INK));
            for of in &only.lines {
                words.spawn(text(of.clone(), Cut::Body, palette::FADED_INK));
            }
        });
        if let Some(percent) = only.percent {
            line.spawn(text(format!("{percent}%"), Cut::Big, palette::TEAL));
        }
    });
    let foot = Node {
        margin: UiRect::top(px(8)),
        flex_shrink: 0.0,
        ..row(8.0)
    };
    card.spawn(foot).with_children(|foot| {
        let words = "Do it (Enter)";
        foot.spawn((
            word_button(words, Panel::ButtonPrimary),
            Sends(Command::Reply(0)),
        ));
        foot.spawn((
            word_button("Back (Esc)", Panel::Button),
            Sends(Command::Back),
        ));
        foot.spawn(spring());
        let words = "Arrows: less and more";
        foot.spawn(text(words, Cut::Small, palette::FADED_INK));
    });
}

fn nudge(line: &mut ChildSpawnerCommands, by: i32) {
    let node = Node {
        width: px(46),
        height: px(34),
        ..default()
    };
    let words = text(crate::battle::signed(by), Cut::Strong, palette::INK);
    line.spawn((
        button(Panel::Button, node),
        Sends(Command::Nudge(by)),
        children![words],
    ));
}
