//! The page of the Road screen.
//!
//! - this file: the page, its heading and its footer
//! - `map`: the map with all stops
//! - `fork`: the ways to the next stop
//! - `squad`: the cards of the units
//! - `new_run`: the setup of a new run, shown if there is no current run
//! - `past`: the end of a run, and past runs

mod fork;
mod map;
mod new_run;
pub(super) mod past;
mod squad;

use super::{Road, RoadButton as B};
use crate::{
    road::{NewsKind, RunState},
    ui::{
        Screen,
        art::{hud::Panel, palette, road::SIZE},
        hud::SmallPictures,
        input::FirstFocus,
        room::Room,
        screens::{PageRoot, SIDES, new_page, result::road::lines, sheet},
        theme::{self, TextStyle, body_text, faded, heading_text, text},
        widgets::{
            NodeExt, SpawnWith, Tip, card, column, fill_height, page_button, panel_style, rigid,
            row, sized, spacer, tipped, wide_column, word_button, wrapping_row,
        },
    },
};
use bevy::{prelude::*, ui_widgets::ScrollArea};

pub(super) fn build(
    mut commands: Commands,
    old: Query<Entity, With<PageRoot>>,
    road: Res<Road>,
    mut icons: SmallPictures,
    room: Room,
) {
    let road = &*road;
    let (size, scale) = (room.size(), room.text());
    let wide = size.x - 2.0 * SIDES;
    // Without a run, show the squad that a new one starts with.
    let new = RunState::new(road.settings);
    let state = road.state().unwrap_or(&new);
    let has_squad = road.state().is_some() || size.y > 800.0 * scale;
    let below = match has_squad {
        true => squad::lines(state, wide, scale) * 19.0 + 20.0,
        false => 0.0,
    };
    let below = match state.news.is_empty() || state.end.is_some() {
        true => below,
        false => below + 24.0,
    };
    let high = (size.y - 130.0 - (60.0 + below) * scale).max(160.0);
    let unit = (wide * 0.62 / SIZE.0).min(high / SIZE.1);
    let map = map::picture(road, &mut icons, unit);
    let sheet = sheet(&mut icons);
    let road_page = ("Road page", Screen::Road);
    new_page(&mut commands, old, road_page, sheet).with_children(|page| {
        heading(page, road);
        let body = fill_height(default()).column_gap(theme::GAP);
        page.group(body, |body| {
            body.group(rigid(column(8.0).width(px(SIZE.0 * unit))), |left| {
                let node = sized(SIZE.0 * unit, SIZE.1 * unit);
                left.spawn((ImageNode::new(map), node, Pickable::IGNORE));
                news(left, state, high - SIZE.1 * unit, scale);
            });
            body.spawn_with((wide_column(6.0).scrolling(), ScrollArea), |right| {
                let side = (wide - SIZE.0 * unit - theme::GAP).max(200.0);
                match road.state() {
                    None => {
                        new_run::new_run(right, road);
                        past::runs(right, road);
                    }
                    Some(state) => match state.end {
                        Some(end) => past::ended(right, road, state, end),
                        None => {
                            let side = Vec2::new(side, high);
                            fork::fork(right, road, state, (&mut icons, &room, side));
                        }
                    },
                }
            });
        });
        if has_squad {
            squad::cards(page, (road, state), (wide, scale), &mut icons);
        }
        foot(page, road);
    });
}

/// The results of the last battle, as many lines as fit below the map; at least the first.
fn news(left: &mut ChildSpawnerCommands, state: &RunState, room: f32, scale: f32) {
    if state.news.is_empty() || state.end.is_some() {
        return;
    }
    let needed = (state.news.len() as f32 * 19.0 + 48.0) * scale;
    if needed < room {
        let node = rigid(card().padding(14.0, 8.0));
        left.spawn_with((node, panel_style(Panel::Card)), |card| {
            card.spawn(faded("The last battle"));
            lines(card, state);
        });
        return;
    }
    let mut news = state.news.iter();
    let all = news.clone();
    let all = all.fold(Tip::default(), |tip, news| tip.small(news.text.clone()));
    // What happened to the squad comes right after the result.
    let shown = news.next().into_iter();
    let shown = shown.chain(news.find(|news| news.kind == NewsKind::Harm));
    let mut words: Vec<String> = shown.map(|news| news.text.clone()).collect();
    if let left @ 1.. = state.news.len() - words.len() {
        words.push(format!("Hover to see {left} more."));
    }
    let words = text(words.join(" "), TextStyle::Small, palette::INK);
    left.spawn(tipped(words, all));
}

/// A small button that keeps the focus when the page is rebuilt.
fn small(
    place: &mut ChildSpawnerCommands,
    road: &Road,
    words: &str,
    what: B,
    panel: Panel,
    tip: Tip,
) {
    page_button(place, words, what, (panel, tip), road.last == Some(what));
}

fn heading(page: &mut ChildSpawnerCommands, road: &Road) {
    page.group(rigid(row(16.0)), |head| {
        head.spawn(text("The Road", TextStyle::Title, palette::INK));
        let state = road.state();
        let settings = state.map_or(road.settings, |state| state.settings);
        head.group(column(0.0), |lines| {
            let words = format!(
                "{} battles, one squad. Wounds stay, so do levels.",
                settings.battles
            );
            lines.spawn(body_text(words));
            if let Some(state) = state {
                let place = match state.end {
                    Some(_) => format!("{} of {} battles", state.stop, settings.battles),
                    None => format!("Stop {} of {}", state.stop + 1, settings.battles),
                };
                let words = format!(
                    "{place} · {}, {} · {} won",
                    settings.rules.id,
                    settings.difficulty.name(),
                    state.won
                );
                lines.spawn(text(words, TextStyle::Strong, palette::TEAL));
            }
        });
        head.spawn(spacer());
        if let Some(state) = state {
            let words = "Heals one wound. Battles won bring more.";
            figure(head, state.bandages, "bandage", words);
            let words = "Battles that you may still lose. The next one after that ends the run.";
            figure(head, state.retreats, "retreat", words);
        }
        let node = small_card(14.0).padding(12.0, 5.0);
        head.spawn_with((node, panel_style(Panel::CardLight)), |code| {
            code.group(column(0.0), |lines| {
                lines.spawn(faded("Run code"));
                lines.spawn(text(settings.code(), TextStyle::Strong, palette::LINK));
            });
            let about = Tip::text("Copy the code: a friend can enter it to play this road");
            small(code, road, "Copy code", B::Copy, Panel::Button, about);
            if road.path.is_some() && state.is_some() {
                let about = Tip::text("The run is one file. Copy where it is, to share it");
                let what = B::CopyPath(None);
                small(code, road, "Copy file path", what, Panel::Button, about);
            }
        });
    });
}

/// A card in the heading, with its content side by side.
fn small_card(gap: f32) -> Node {
    rigid(card().in_row(gap).align(AlignItems::Center))
}

/// A number, the thing it counts (plural if needed), and a tooltip.
fn figure(head: &mut ChildSpawnerCommands, number: u8, what: &str, about: &str) {
    let what = match number {
        1 => what.into(),
        _ => format!("{what}s"),
    };
    let parts = (small_card(8.0).padding(14.0, 5.0), Tip::text(about));
    head.spawn_with((parts, panel_style(Panel::CardLight)), |card| {
        card.spawn(heading_text(number.to_string()));
        card.spawn(faded(what));
    });
}

/// The footer: buttons to start, leave and give up, and the best past run.
fn foot(page: &mut ChildSpawnerCommands, road: &Road) {
    page.group(rigid(wrapping_row(10.0, 6.0)), |foot| {
        if road.state().is_none() {
            let set_out = word_button("Set out (Enter)", Panel::ButtonPrimary);
            foot.spawn((set_out, B::Begin));
        }
        let open = road.state().is_some_and(|state| state.end.is_none());
        let words = match open {
            true => "Save and leave (Esc)",
            false => "Main menu (Esc)",
        };
        foot.spawn((word_button(words, Panel::Button), B::Back));
        if open {
            let (words, panel) = match road.asks {
                true => ("Give up: this ends the run", Panel::ButtonDanger),
                false => ("Give up the run", Panel::Button),
            };
            foot.spawn((word_button(words, panel), B::GiveUp))
                .insert_if(FirstFocus, || road.last == Some(B::GiveUp));
            let words = format!(
                "Odds: the computer plays each battle {} times with your squad as it is now.",
                super::BATTLES
            );
            foot.spawn(faded(words));
        }
        foot.spawn(spacer());
        if let Some(best) = past::best(road).filter(|_| road.state().is_some()) {
            foot.spawn(text(best, TextStyle::Small, palette::INK));
        }
    });
}
