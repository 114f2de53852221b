//! How the Road looks: the map, the ways of the fork, the squad; without a run, what a
//! new one is set up with.

use super::{Branch, CodeEntry, Road, RoadButton as B};
use crate::{
    battle::{Side, capitalised},
    content::Creature,
    levels::Level,
    road::{CAMP, Difficulty, Member, Outcome, State, squad, way},
    rulesets,
    ui::{
        Screen,
        art::{
            hud::Panel,
            palette::{self, Rgb},
            road::{self as drawn, Mark, RoadMap, SIZE, Stop},
        },
        entry::entry,
        hud::Signs,
        input::FirstFocus,
        likeness,
        pictures::{self, Sign},
        room::Room,
        shown::Person,
        small_map,
        theme::{self, Cut, text},
        tokens,
        widgets::{
            Tip, bar, button, card, checkbox, column, face, page_button, picture, row, rule,
            spring, word_button,
        },
    },
    words::count,
};
use bevy::{prelude::*, ui_widgets::ScrollArea};
use std::sync::Arc;

#[derive(Component)]
pub(super) struct Root;

/// The letters of ways.
const LETTERS: [char; 3] = ['A', 'B', 'C'];

/// How turns work, in the order of the rulesets.
const TURNS: [&str; 5] = [
    "Sides take turns. Best to start with.",
    "A die says who acts next; spells take time.",
    "Everyone plans, then all move, shoot, strike.",
    "Everyone plans, fast weapons act first.",
    "Spend 100% a round: attack with some, parry with the rest.",
];

pub(super) fn build(
    mut commands: Commands,
    old: Query<Entity, With<Root>>,
    road: Res<Road>,
    mut signs: Signs,
    room: Room,
) {
    old.iter().for_each(|root| commands.entity(root).despawn());
    let size = room.size();
    let wide = size.x - 2.0 * super::super::SIDES;
    let below = if road.state().is_some() { 330.0 } else { 150.0 };
    let unit = (wide * 0.6 / SIZE.0)
        .min((size.y - below) / SIZE.1)
        .max(0.3);
    let map = map_picture(&road, &mut signs, unit);
    let sheet = super::super::sheet(&mut signs.pictures, &mut signs.images);
    commands
        .spawn((Root, DespawnOnExit(Screen::Road), sheet))
        .with_children(|page| {
            heading(page, &road);
            let body = Node {
                flex_grow: 1.0,
                flex_basis: px(0),
                min_height: px(0),
                column_gap: px(theme::GAP),
                ..default()
            };
            page.spawn((body, Pickable::IGNORE)).with_children(|body| {
                let node = Node {
                    width: px(SIZE.0 * unit),
                    height: px(SIZE.1 * unit),
                    flex_shrink: 0.0,
                    ..default()
                };
                body.spawn((ImageNode::new(map), node, Pickable::IGNORE));
                let node = Node {
                    flex_grow: 1.0,
                    flex_basis: px(0),
                    min_width: px(0),
                    overflow: Overflow::scroll_y(),
                    ..column(8.0)
                };
                body.spawn((node, ScrollArea)).with_children(|right| {
                    let side = (wide - SIZE.0 * unit - theme::GAP).max(200.0);
                    match road.state() {
                        None => new_run(right, &road),
                        Some(state) => fork(right, &road, state, (&mut signs, &room, side)),
                    }
                });
            });
            if let Some(state) = road.state() {
                members(page, &road, state, &mut signs);
            }
            foot(page, &road);
        });
}

/// A small button that keeps the focus when the page is built anew.
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

fn tip(words: impl Into<String>) -> Tip {
    Tip::default().line(words, Cut::Small, palette::INK)
}

fn heading(page: &mut ChildSpawnerCommands, road: &Road) {
    let node = Node {
        flex_shrink: 0.0,
        ..row(16.0)
    };
    page.spawn((node, Pickable::IGNORE)).with_children(|head| {
        head.spawn(text("The Road", Cut::Title, palette::INK));
        let state = road.state();
        let settings = state.map_or(road.settings, |state| state.settings);
        head.spawn((column(0.0), Pickable::IGNORE))
            .with_children(|lines| {
                let words = format!(
                    "{} battles, one squad. Wounds stay, so do levels.",
                    settings.battles
                );
                lines.spawn(text(words, Cut::Body, palette::INK));
                if let Some(state) = state {
                    let stop = (state.stop + 1).min(settings.battles.into());
                    let words = format!(
                        "Stop {stop} of {} · {}, {} · {} won",
                        settings.battles,
                        settings.rules.id,
                        settings.difficulty.name(),
                        state.won
                    );
                    lines.spawn(text(words, Cut::Strong, palette::TEAL));
                }
            });
        head.spawn(spring());
        if let Some(state) = state {
            let words = "Heals one wound. Battles won bring more.";
            figure(head, &state.bandages.to_string(), "bandages", words);
            let words = "Battles that you may still lose. The next one after that ends the run.";
            figure(head, &state.retreats.to_string(), "retreats", words);
        }
        let node = Node {
            padding: UiRect::axes(px(12), px(5)),
            column_gap: px(14),
            align_items: AlignItems::Center,
            flex_direction: FlexDirection::Row,
            flex_shrink: 0.0,
            ..card()
        };
        head.spawn((node, face(Panel::CardLight)))
            .with_children(|code| {
                code.spawn((column(0.0), Pickable::IGNORE))
                    .with_children(|lines| {
                        lines.spawn(text("Run code", Cut::Small, palette::FADED_INK));
                        lines.spawn(text(settings.code(), Cut::Strong, palette::LINK));
                    });
                let about = tip("Copy the code: a friend can enter it to play this road");
                small(code, road, "Copy", B::Copy, Panel::Button, about);
            });
    });
}

/// A number with what it counts.
fn figure(head: &mut ChildSpawnerCommands, number: &str, what: &str, about: &str) {
    let node = Node {
        padding: UiRect::axes(px(14), px(5)),
        column_gap: px(8),
        align_items: AlignItems::Center,
        flex_direction: FlexDirection::Row,
        flex_shrink: 0.0,
        ..card()
    };
    let hovered = bevy::picking::hover::Hovered::default();
    head.spawn((node, face(Panel::CardLight), hovered, tip(about)))
        .with_children(|card| {
            card.spawn(text(number, Cut::Heading, palette::INK));
            card.spawn(text(what, Cut::Small, palette::FADED_INK));
        });
}

/// The map as it stands.
fn map_picture(road: &Road, signs: &mut Signs, unit: f32) -> Handle<Image> {
    let settings = road.state().map_or(road.settings, |state| state.settings);
    let played: Vec<(&way::Way, &Outcome)> = road.run.as_ref().map_or(vec![], |run| {
        run.battles()
            .map(|(way, outcome, _)| (way, outcome))
            .collect()
    });
    let over = road.state().is_some_and(|state| state.end.is_some());
    let stop = |n: usize| {
        if let Some((way, outcome)) = played.get(n) {
            let mark = if outcome.won { Mark::Won } else { Mark::Lost };
            return Stop {
                mark,
                name: way.title.clone(),
                note: note(outcome),
            };
        }
        let is_next = n == played.len() && road.run.is_some() && !over;
        let ahead = way::outline(&settings, n, 0);
        let mark = if is_next { Mark::Next } else { Mark::Ahead };
        let last = n + 1 == usize::from(settings.battles);
        let note = match last {
            true => format!("{}, the last", ahead.enemies),
            false if n.is_multiple_of(CAMP) && n > 0 => {
                format!("{}, after a camp", ahead.enemies)
            }
            false => ahead.enemies,
        };
        Stop {
            mark,
            name: ahead.title,
            note,
        }
    };
    let branch = |(n, branch): (usize, &Branch)| drawn::Branch {
        letter: LETTERS[n.min(2)],
        name: branch.way.title.clone(),
        odds: odds_words(branch),
        is_picked: n == road.picked,
        ink: odds_ink(branch),
    };
    let is_open = road.state().is_some_and(|state| state.end.is_none());
    let fork = road.fork.iter().enumerate().filter(|_| is_open);
    let squad = road.state().map_or(&[][..], |state| &state.squad);
    let map = RoadMap {
        seed: settings.seed.into(),
        stops: (0..settings.battles.into()).map(stop).collect(),
        fork: fork.map(branch).collect(),
        squad: squad.iter().map(|_| palette::BLUE).collect(),
        letters: (0.95 / unit).clamp(1.0, 1.5),
    };
    let scale = signs.pictures.scale();
    let key = format!("road {map:?} {unit} {scale}");
    let images = &mut signs.images;
    let picture = || images.add(pictures::image(drawn::map(&map, unit * scale)));
    signs.pictures.keep(key, picture)
}

/// How a battle went, in a few words.
fn note(outcome: &Outcome) -> String {
    let end = if outcome.won { "won" } else { "lost" };
    let names = |wanted: crate::road::Fate| {
        let all = outcome.fates.iter().filter(move |of| of.1 == wanted);
        all.map(|of| Member::new(&of.0, 1).name())
            .collect::<Vec<_>>()
    };
    let (died, fell) = (
        names(crate::road::Fate::Died),
        names(crate::road::Fate::Fell),
    );
    match (&died[..], &fell[..]) {
        ([], []) => format!("{end}, nobody fell"),
        ([one], _) => format!("{end}, {one} died"),
        ([], [one]) => format!("{end}, {one} hurt"),
        ([], all) => format!("{end}, {} hurt", all.len()),
        (all, _) => format!("{end}, {} died", all.len()),
    }
}

fn odds_words(branch: &Branch) -> String {
    match branch.odds {
        Some(odds) => format!("{:.0}% to win", odds.share() * 100.0),
        None => String::from("measuring …"),
    }
}

fn odds_ink(branch: &Branch) -> Rgb {
    match branch.odds.map(|odds| odds.share()) {
        None => palette::FADED_INK,
        Some(0.7..) => palette::TEAL,
        Some(0.5..) => palette::OCHRE.mix(palette::INK, 0.3),
        Some(_) => palette::DANGER,
    }
}

/// The ways to the next stop, or how the run ended.
fn fork(
    right: &mut ChildSpawnerCommands,
    road: &Road,
    state: &State,
    (signs, room, side): (&mut Signs, &Room, f32),
) {
    if !state.news.is_empty() {
        let node = Node {
            row_gap: px(2),
            padding: UiRect::axes(px(12), px(8)),
            flex_shrink: 0.0,
            ..card()
        };
        right
            .spawn((node, face(Panel::Card)))
            .with_children(|news| {
                for line in &state.news {
                    news.spawn(text(line.clone(), Cut::Small, palette::INK));
                }
            });
    }
    if let Some(end) = state.end {
        ended(right, state, end);
        return;
    }
    let fighting = road.run.as_ref().and_then(|run| run.fighting.as_ref());
    if let Some((way, _)) = fighting {
        right.spawn(text("A battle is not over", Cut::Heading, palette::INK));
        let words = format!("{}: continue where you left it.", way.title);
        right.spawn(text(words, Cut::Body, palette::INK));
        let resume = word_button("Continue the battle (Enter)", Panel::ButtonPrimary);
        right
            .spawn((row(8.0), Pickable::IGNORE))
            .with_children(|row| {
                row.spawn((resume, B::Resume));
            });
        return;
    }
    let words = match road.fork.len() {
        0 => String::from("Scouts look at the ways ahead …"),
        1 if !road.is_busy => format!("The way to stop {}", state.stop + 1),
        _ => format!("Choose your way to stop {}", state.stop + 1),
    };
    right
        .spawn((row(12.0), Pickable::IGNORE))
        .with_children(|row| {
            row.spawn(text(words, Cut::Heading, palette::INK));
            row.spawn(spring());
            if road.fork.len() > 1 {
                let words = "you cannot go back to the other";
                row.spawn(text(words, Cut::Small, palette::FADED_INK));
            }
        });
    for (n, branch) in road.fork.iter().enumerate() {
        way_card(right, road, state, (n, branch), (signs, room, side));
    }
    if road.is_busy && !road.fork.is_empty() {
        let words = "Scouts look at another way …";
        right.spawn(text(words, Cut::Small, palette::FADED_INK));
    }
}

fn ended(right: &mut ChildSpawnerCommands, state: &State, end: crate::road::End) {
    let (words, ink) = match end {
        crate::road::End::Finished => ("You reached the end of the Road", palette::TEAL),
        _ => ("The run is over", palette::DANGER),
    };
    right.spawn(text(words, Cut::Heading, ink));
    let words = format!(
        "{}: {} of {} battles won, {} lost.",
        capitalised(end.text()),
        state.won,
        state.settings.battles,
        count(state.lost.len(), "unit")
    );
    right.spawn(text(words, Cut::Body, palette::INK));
    right
        .spawn((row(8.0), Pickable::IGNORE))
        .with_children(|row| {
            let again = word_button("New run (Enter)", Panel::ButtonPrimary);
            row.spawn((
                again,
                B::NewRun,
                tip("The run is kept in the folder roads, under its code"),
            ));
        });
}

/// One way: ground, enemies, aim, odds and reward.
fn way_card(
    right: &mut ChildSpawnerCommands,
    road: &Road,
    state: &State,
    (n, branch): (usize, &Branch),
    (signs, room, side): (&mut Signs, &Room, f32),
) {
    let is_picked = n == road.picked;
    let panel = if is_picked {
        Panel::CardActive
    } else {
        Panel::Card
    };
    let node = Node {
        row_gap: px(6),
        padding: UiRect::axes(px(14), px(10)),
        flex_shrink: 0.0,
        ..card()
    };
    let level = way::level(&branch.way, &state.squad, &state.settings).ok();
    right.spawn((node, face(panel))).with_children(|way_card| {
        way_card
            .spawn((row(10.0), Pickable::IGNORE))
            .with_children(|head| {
                let letter = LETTERS[n.min(2)].to_string();
                head.spawn(text(letter, Cut::Heading, palette::OAK_DARK));
                head.spawn(text(branch.way.title.clone(), Cut::Heading, palette::INK));
                head.spawn(spring());
                odds(head, branch);
            });
        way_card
            .spawn((
                Node {
                    align_items: AlignItems::Start,
                    ..row(14.0)
                },
                Pickable::IGNORE,
            ))
            .with_children(|body| {
                if let Some(level) = &level {
                    let (image, size) = preview(signs, level, room, side * 0.42);
                    let node = Node {
                        width: px(size.x),
                        height: px(size.y),
                        flex_shrink: 0.0,
                        ..default()
                    };
                    body.spawn((ImageNode::new(image), node, Pickable::IGNORE));
                }
                let node = Node {
                    flex_grow: 1.0,
                    flex_basis: px(0),
                    min_width: px(0),
                    ..column(5.0)
                };
                body.spawn((node, Pickable::IGNORE)).with_children(|facts| {
                    enemies(facts, branch, level.as_ref(), signs);
                    fact(facts, "Aim", &branch.way.aim, palette::INK);
                    let reward = state.reward(branch.way.nth).text();
                    fact(facts, "Reward", &capitalised(&reward), palette::TEAL);
                });
            });
        way_card.spawn(rule());
        way_card
            .spawn((row(10.0), Pickable::IGNORE))
            .with_children(|foot| {
                let node = Node {
                    flex_shrink: 1.0,
                    flex_grow: 1.0,
                    flex_basis: px(0),
                    ..default()
                };
                let words = advice(branch, level.as_ref(), state);
                foot.spawn((node, Pickable::IGNORE)).with_children(|line| {
                    line.spawn(text(words, Cut::Small, palette::FADED_INK));
                });
                if !is_picked {
                    let about = tip("Mark this way: Enter takes the marked one");
                    small(foot, road, "Mark", B::Pick(n), Panel::Button, about);
                }
                let (words, panel) = match is_picked {
                    true => ("Go here (Enter)", Panel::ButtonPrimary),
                    false => ("Go here", Panel::Button),
                };
                foot.spawn((word_button(words, panel), B::Go(n)));
            });
    });
}

/// The chance to win, with its error.
fn odds(head: &mut ChildSpawnerCommands, branch: &Branch) {
    let Some(odds) = branch.odds else {
        head.spawn(text("measuring …", Cut::Small, palette::FADED_INK));
        return;
    };
    let (low, high) = odds.interval();
    let error = ((high - low) * 50.0).round();
    let about = format!(
        "The computer won {:.0}% of {} battles with your squad as it is now",
        odds.share() * 100.0,
        odds.of
    );
    let hovered = bevy::picking::hover::Hovered::default();
    let node = Node {
        align_items: AlignItems::Center,
        ..row(6.0)
    };
    head.spawn((node, hovered, tip(about)))
        .with_children(|row| {
            row.spawn(text(
                format!("to win ± {error}"),
                Cut::Small,
                palette::FADED_INK,
            ));
            let words = format!("{:.0}%", odds.share() * 100.0);
            row.spawn(text(words, Cut::Big, odds_ink(branch)));
        });
}

fn fact(facts: &mut ChildSpawnerCommands, name: &str, words: &str, ink: Rgb) {
    let node = Node {
        align_items: AlignItems::Baseline,
        ..row(8.0)
    };
    facts.spawn((node, Pickable::IGNORE)).with_children(|row| {
        let node = Node {
            width: px(58),
            flex_shrink: 0.0,
            ..default()
        };
        row.spawn((node, Pickable::IGNORE)).with_children(|label| {
            label.spawn(text(name, Cut::Small, palette::FADED_INK));
        });
        let node = Node {
            flex_grow: 1.0,
            flex_basis: px(0),
            min_width: px(0),
            ..default()
        };
        row.spawn((node, Pickable::IGNORE)).with_children(|value| {
            value.spawn(text(words, Cut::Strong, ink));
        });
    });
}

/// The enemies by kind and number, with their signs.
fn enemies(
    facts: &mut ChildSpawnerCommands,
    branch: &Branch,
    level: Option<&Arc<Level>>,
    signs: &mut Signs,
) {
    let people = level.map_or(vec![], |level| Person::all_of(level, rulesets::ALL[0]));
    let node = Node {
        flex_wrap: FlexWrap::Wrap,
        row_gap: px(3),
        ..row(10.0)
    };
    facts.spawn((node, Pickable::IGNORE)).with_children(|list| {
        for (kind, number) in &branch.way.members {
            let found = people.iter().find(|p| p.kind == *kind && p.side != Side(0));
            list.spawn((row(4.0), Pickable::IGNORE))
                .with_children(|one| {
                    if let Some(person) = found {
                        let sign = signs.get(Sign::Chip(tokens::chip(person, false)), 24.0);
                        one.spawn(picture(sign, 24.0));
                    }
                    let words = format!("{number} × {}", kind.replace('_', " "));
                    one.spawn(text(words, Cut::Body, palette::INK));
                });
        }
    });
}

/// One line on what suits the squad, or who is in danger.
fn advice(branch: &Branch, level: Option<&Arc<Level>>, state: &State) -> String {
    let hurt = state.squad.iter().filter(|m| !m.wounds.is_empty());
    let worst = hurt.max_by_key(|m| m.wounds.len());
    if let Some(member) = worst.filter(|m| m.wounds.len() > 1) {
        let words = count(member.wounds.len(), "wound");
        return format!("{} has {words}: keep back.", member.name());
    }
    let shoots = |creature: &Creature| {
        let first = creature.weapons.first();
        first.is_some_and(|weapon| weapon.ranged.is_some() && weapon.melee.is_none())
    };
    let enemies = level.map_or(&[][..], |level| &level.combatants);
    let enemies = enemies.iter().filter(|c| c.side.0 != 0);
    let shooters = enemies.filter(|c| shoots(&c.creature)).count();
    match shooters {
        0 => format!(
            "{} fight hand to hand: hold a narrow place.",
            capitalised(&branch.way.enemies)
        ),
        1 => String::from("One of them shoots: stay in cover."),
        n => format!("{n} of them shoot: stay in cover."),
    }
}

/// The ground with everybody on it.
fn preview(signs: &mut Signs, level: &Arc<Level>, room: &Room, wide: f32) -> (Handle<Image>, Vec2) {
    let board = level.board();
    let space = Vec2::new(wide, wide * 0.62);
    let (cell_px, size) = small_map::fit(&board, space, room.screen_scale());
    let key = format!(
        "way {} {cell_px}",
        crate::control::recording::checksum(&level.source)
    );
    let images = &mut signs.images;
    let draw = || {
        let people = Person::all_of(level, rulesets::ALL[0]);
        let up = people.iter().filter(|p| p.is_up());
        images.add(small_map::draw(&board, up, cell_px))
    };
    (signs.pictures.keep(key, draw), size)
}

/// The squad.
fn members(page: &mut ChildSpawnerCommands, road: &Road, state: &State, signs: &mut Signs) {
    let made = squad::made(&state.squad, state.settings.rules);
    let node = Node {
        flex_shrink: 0.0,
        column_gap: px(10),
        padding: UiRect::axes(px(12), px(8)),
        flex_direction: FlexDirection::Row,
        ..card()
    };
    page.spawn((node, face(Panel::Card))).with_children(|all| {
        if state.squad.is_empty() {
            all.spawn(text("Nobody is left.", Cut::Body, palette::INK));
        }
        for (n, member) in state.squad.iter().enumerate() {
            let Some(creature) = made.get(n) else {
                continue;
            };
            member_card(all, road, state, (n, member, creature), signs);
        }
    });
}

fn member_card(
    all: &mut ChildSpawnerCommands,
    road: &Road,
    state: &State,
    (n, member, creature): (usize, &Member, &Arc<Creature>),
    signs: &mut Signs,
) {
    let wounds = member.wounds.len();
    let mut node = Node {
        flex_grow: 1.0,
        flex_basis: px(0),
        min_width: px(0),
        column_gap: px(10),
        padding: UiRect::axes(px(10), px(8)),
        flex_direction: FlexDirection::Row,
        ..card()
    };
    node.max_width = px(330);
    let edge = BorderColor::all(theme::colour(match wounds {
        0 | 1 => palette::INK,
        _ => palette::DANGER,
    }));
    let mut spawned = all.spawn((node, face(Panel::CardLight)));
    spawned.insert(edge);
    spawned.with_children(|member_card| {
        let sign = Sign::Portrait(likeness::of(creature), false);
        member_card.spawn(picture(signs.get(sign, 62.0), 62.0));
        let node = Node {
            flex_grow: 1.0,
            flex_basis: px(0),
            min_width: px(0),
            ..column(2.0)
        };
        member_card
            .spawn((node, Pickable::IGNORE))
            .with_children(|lines| {
                lines
                    .spawn((row(6.0), Pickable::IGNORE))
                    .with_children(|head| {
                        head.spawn(text(member.name(), Cut::Strong, palette::INK));
                        head.spawn(spring());
                        let words = format!("{}% to level {}", member.progress, member.level + 1);
                        head.spawn(text(words, Cut::Small, palette::FADED_INK));
                    });
                let points = (state.settings.rules.hit_points)(creature);
                let words = format!(
                    "{}, level {}, {points} hit points",
                    capitalised(&creature.title),
                    member.level
                );
                lines.spawn(text(words, Cut::Small, palette::FADED_INK));
                let node = Node {
                    width: percent(100),
                    ..default()
                };
                lines
                    .spawn((node, Pickable::IGNORE))
                    .with_children(|place| {
                        place
                            .spawn((column(0.0), Pickable::IGNORE))
                            .insert(Node {
                                width: percent(100),
                                ..column(0.0)
                            })
                            .with_children(|line| {
                                line.spawn(bar(
                                    f32::from(member.progress) / 100.0,
                                    palette::GOLD,
                                    7.0,
                                ));
                            });
                    });
                if wounds == 0 {
                    lines.spawn(text("No wounds", Cut::Small, palette::TEAL));
                }
                for wound in &member.wounds {
                    let words = format!("{}: {}", capitalised(wound.name()), wound.cost());
                    lines.spawn(text(words, Cut::Small, palette::DANGER));
                }
                let carried = found(member);
                if !carried.is_empty() {
                    lines.spawn(text(carried, Cut::Small, palette::INK));
                }
                let node = Node {
                    flex_wrap: FlexWrap::Wrap,
                    row_gap: px(3),
                    ..row(5.0)
                };
                let open = state.end.is_none();
                lines.spawn((node, Pickable::IGNORE)).with_children(|acts| {
                    if wounds > 0 && state.bandages > 0 && open {
                        let about = tip("Use a bandage: heals the first wound");
                        small(acts, road, "Bandage", B::Bandage(n), Panel::Button, about);
                    }
                    if member.choices_left() > 0 && open {
                        for (nth, gain) in member.choices().iter().enumerate() {
                            let about =
                                tip(format!("{} learns this with the new level", member.name()));
                            small(
                                acts,
                                road,
                                &gain.name(),
                                B::Learn(n, nth),
                                Panel::CardActive,
                                about,
                            );
                        }
                    }
                });
            });
    });
}

/// What a unit has found and learnt.
fn found(member: &Member) -> String {
    let weapon = (member.weapon > 0)
        .then(|| member.weapon_name(member.weapon))
        .flatten();
    let armour = (member.armour > 0)
        .then(|| member.armour_name(member.armour))
        .flatten();
    let gains = member
        .gains
        .iter()
        .chain(&member.found)
        .map(|gain| gain.name());
    let all: Vec<String> = weapon.into_iter().chain(armour).chain(gains).collect();
    all.join(", ")
}

/// What a new run is set up with.
fn new_run(right: &mut ChildSpawnerCommands, road: &Road) {
    let label = |place: &mut ChildSpawnerCommands, words: &str| {
        place.spawn(text(words, Cut::Small, palette::FADED_INK));
    };
    let wrap = || Node {
        flex_wrap: FlexWrap::Wrap,
        row_gap: px(4),
        ..row(6.0)
    };
    let panel = |is_chosen: bool| match is_chosen {
        true => Panel::CardActive,
        false => Panel::Card,
    };
    right.spawn(text("A new run", Cut::Heading, palette::INK));
    let words = "Four heroes set out. At each fork you choose your next battle and see your odds. \
                 Whoever falls is wounded; whoever dies is lost.";
    right.spawn(text(words, Cut::Body, palette::INK));
    label(right, "How turns work");
    for (n, rules) in rulesets::ALL.iter().enumerate() {
        let is_it = road.settings.rules.id == rules.id;
        let node = Node {
            padding: UiRect::axes(px(10), px(4)),
            width: percent(100),
            justify_content: JustifyContent::Start,
            ..row(10.0)
        };
        let panel = panel(is_it);
        let mut spawned = right.spawn((button(panel, node), B::Rules(n)));
        if road.last == Some(B::Rules(n)) {
            spawned.insert(FirstFocus);
        }
        spawned.with_children(|line| {
            line.spawn(text(rules.id, Cut::Strong, palette::INK));
            line.spawn(text(TURNS[n], Cut::Small, palette::FADED_INK));
        });
    }
    label(right, "Difficulty");
    right
        .spawn((wrap(), Pickable::IGNORE))
        .with_children(|row| {
            for difficulty in Difficulty::ALL {
                let is_it = road.settings.difficulty == difficulty;
                small(
                    row,
                    road,
                    difficulty.name(),
                    B::Difficulty(difficulty),
                    panel(is_it),
                    tip(difficulty.about()),
                );
            }
        });
    right.spawn(text(
        road.settings.difficulty.about(),
        Cut::Small,
        palette::INK,
    ));
    right.spawn((
        checkbox(
            "Units that die come back with a wound",
            road.settings.keeps_dead,
        ),
        super::KeepDeadBox,
    ));
    right.spawn(rule());
    right
        .spawn((wrap(), Pickable::IGNORE))
        .with_children(|row| {
            let about = tip("Another road: other places, enemies and dice");
            small(row, road, "Another road", B::Reroll, Panel::Button, about);
            let any = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == ' ';
            label(row, "or a friend's code:");
            row.spawn((CodeEntry, entry("Run code", &road.code, 150.0, 14, any)));
        });
    right
        .spawn((row(8.0), Pickable::IGNORE))
        .with_children(|row| {
            row.spawn((
                word_button("Set out (Enter)", Panel::ButtonPrimary),
                B::Begin,
            ));
        });
}

/// Save and quit, give up.
fn foot(page: &mut ChildSpawnerCommands, road: &Road) {
    let node = Node {
        flex_shrink: 0.0,
        flex_wrap: FlexWrap::Wrap,
        row_gap: px(6),
        ..row(10.0)
    };
    page.spawn((node, Pickable::IGNORE)).with_children(|foot| {
        let open = road.state().is_some_and(|state| state.end.is_none());
        let words = if open {
            "Save and quit (Esc)"
        } else {
            "Main menu (Esc)"
        };
        foot.spawn((word_button(words, Panel::Button), B::Back));
        if open {
            let (words, panel) = match road.asks {
                true => ("Give up: this ends the run", Panel::ButtonDanger),
                false => ("Give up the run", Panel::Button),
            };
            let mut spawned = foot.spawn((word_button(words, panel), B::GiveUp));
            if road.last == Some(B::GiveUp) {
                spawned.insert(FirstFocus);
            }
            let words = format!(
                "Odds: each battle played {} times by the computer, with your squad as it is now.",
                super::BATTLES
            );
            foot.spawn(text(words, Cut::Small, palette::FADED_INK));
        }
    });
}
