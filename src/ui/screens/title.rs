//! The title: which level, by which rules, who plays, which dice; and the way to
//! what is kept.

use super::super::{
    Options, Phase, Profile, Screen, Session,
    app_command::{AppCommand, Browse, Does},
    art::{hud::Panel, palette},
    entry::entry,
    input::{FirstFocus, FollowsFocus, Hands, Key},
    modal,
    pictures::Pictures,
    read,
    room::Room,
    saves::{Shelves, autosave, browser::seat_name, index},
    session::{self, Ready, any_seed},
    settings::screen::OpensSettings,
    shown::Person,
    small_map,
    theme::{self, Cut, Look, text},
    tutorial,
    widgets::{Tip, button, card, column, face, row, rule, spring, word_button},
};
use crate::{
    battle::{Ruleset, capitalised, handicap},
    control::{Player, Strategist, recording::Seat},
    levels::Level,
    rulesets,
};
use bevy::{
    prelude::*,
    text::{EditableText, RemSize, TextEditChange},
    ui_widgets::{Activate, ScrollArea},
    window::WindowResized,
};
use leafwing_input_manager::prelude::ActionState;
use std::sync::Arc;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Screen::Title), (clear, set_desk, build).chain());
    app.add_systems(
        Update,
        (
            keys.in_set(Phase::Input).run_if(modal::is_clear),
            build.in_set(Phase::Draw).run_if(
                resource_exists_and_changed::<Desk>
                    .or_else(on_message::<WindowResized>)
                    .or_else(resource_changed::<Look>)
                    .or_else(resource_changed::<RemSize>),
            ),
        )
            .run_if(in_state(Screen::Title)),
    );
    app.add_observer(press);
    app.add_observer(type_seed);
}

/// What is chosen on the title screen.
#[derive(Resource, Clone, Debug, Default)]
pub struct Desk {
    /// The place of the level in [`Options::levels`].
    pub level: usize,
    pub seed: u64,
    /// For levels that leave it to the player; its place among all rulesets.
    pub rules: usize,
    /// Who plays which side of the level.
    pub seats: Vec<Seat>,
    /// The handicap of each, in points.
    pub handicaps: Vec<u8>,
    /// The battle to go on with, in a few words.
    latest: Option<String>,
    /// Something has been chosen here: Enter starts that, and no longer goes on
    /// with the battle that was left.
    is_set: bool,
}

impl Desk {
    /// What a level would be played under.
    fn rules_for(&self, level: &Level, options: &Options) -> &'static Ruleset {
        match level.rules {
            Some(_) => options.rules_for(level),
            None => rulesets::ALL[self.rules],
        }
    }

    /// Enter goes on with the battle that was left.
    fn continues(&self) -> bool {
        self.latest.is_some() && !self.is_set
    }

    fn choose(&mut self, n: usize, options: &Options) {
        self.level = n;
        let level = options.levels().get(n).cloned();
        self.handicaps = level.as_ref().map_or(vec![], |l| vec![0; l.sides.len()]);
        self.seats = level.map_or(vec![], |level| session::usual(&level));
    }
}

/// The buttons of the title screen.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TitleButton {
    Level(usize),
    /// A ruleset, by its place among all.
    Rules(usize),
    /// Who plays a side, by its place in the level.
    Seat(usize, Seat),
    /// The handicap of a side, in points.
    Handicap(usize, u8),
    Reroll,
    Start,
}

/// Where the seed is typed.
#[derive(Component)]
pub struct SeedEntry;

#[derive(Component)]
struct TitleRoot;

/// The list of levels.
#[derive(Component)]
struct LevelList;

/// No battle goes on behind the title.
fn clear(mut commands: Commands) {
    commands.remove_resource::<Session>();
}

/// The first battle's dice may come from the command line; later ones do not.
fn set_desk(
    mut commands: Commands,
    options: Res<Options>,
    shelves: Res<Shelves>,
    desk: Option<Res<Desk>>,
) {
    let mut desk = match desk {
        None => {
            let mut desk = Desk {
                seed: options.seed.unwrap_or_else(any_seed),
                rules: place_of(options.rules.unwrap_or(rulesets::ALL[0])),
                ..Desk::default()
            };
            desk.choose(0, &options);
            desk
        }
        Some(desk) => Desk {
            seed: any_seed(),
            is_set: false,
            ..desk.clone()
        },
    };
    let latest = shelves.saves.as_ref().and_then(autosave::latest);
    desk.latest = latest.map(|entry| match entry.table() {
        Some(table) => format!(
            "{} · round {} · {}",
            table.title,
            table.round,
            index::ago(table.when, session::now())
        ),
        None => entry.file(),
    });
    commands.insert_resource(desk);
}

fn place_of(rules: &Ruleset) -> usize {
    let all = rulesets::ALL.iter();
    all.clone().position(|r| r.id == rules.id).unwrap_or(0)
}

fn press(
    on: On<Activate>,
    buttons: Query<&TitleButton>,
    options: Res<Options>,
    mut desk: Option<ResMut<Desk>>,
    mut commands: Commands,
) {
    let (Ok(what), Some(desk)) = (buttons.get(on.entity), desk.as_mut()) else {
        return;
    };
    desk.is_set = true;
    match *what {
        TitleButton::Level(n) => desk.choose(n, &options),
        TitleButton::Seat(side, seat) => desk.seats[side] = seat,
        TitleButton::Handicap(side, points) => desk.handicaps[side] = points,
        TitleButton::Rules(n) => desk.rules = n,
        TitleButton::Reroll => desk.seed = any_seed(),
        TitleButton::Start => commands.run_system_cached(start),
    }
}

/// The seed as it is typed. Nothing else changes by it, so nothing is built
/// anew.
fn type_seed(
    on: On<TextEditChange>,
    entries: Query<&EditableText, With<SeedEntry>>,
    desk: Option<ResMut<Desk>>,
) {
    if let (Ok(text), Some(mut desk)) = (entries.get(on.event_target()), desk)
        && let Ok(seed) = text.value().to_string().parse()
    {
        let desk = desk.bypass_change_detection();
        desk.is_set |= desk.seed != seed;
        desk.seed = seed;
    }
}

fn keys(
    keys: Single<&ActionState<Key>, With<Hands>>,
    typing: Query<(), With<SeedEntry>>,
    focus: Res<bevy::input_focus::InputFocus>,
    options: Res<Options>,
    mut desk: ResMut<Desk>,
    mut errands: MessageWriter<AppCommand>,
    mut commands: Commands,
) {
    if keys.just_pressed(&Key::Confirm) {
        if desk.continues() {
            errands.write(AppCommand::Continue);
        } else {
            commands.run_system_cached(start);
        }
    }
    if focus.get().is_some_and(|it| typing.contains(it)) {
        return;
    }
    if keys.just_pressed(&Key::Reroll) {
        (desk.seed, desk.is_set) = (any_seed(), true);
    }
    for n in 0..options.levels().len().min(9) {
        if keys.just_pressed(&Key::Member(n as u8)) {
            desk.is_set = true;
            desk.choose(n, &options);
        }
    }
}

fn start(
    mut commands: Commands,
    options: Res<Options>,
    desk: Res<Desk>,
    mut next: ResMut<NextState<Screen>>,
) {
    let Some(level) = options.levels().get(desk.level).cloned() else {
        return;
    };
    let rules = desk.rules_for(&level, &options);
    let (seats, level) = (desk.seats.clone(), level.with_handicaps(&desk.handicaps));
    commands.insert_resource(Ready(Session::seated(&level, rules, desk.seed, seats)));
    next.set(Screen::Battle);
}

fn build(
    mut commands: Commands,
    old: Query<Entity, With<TitleRoot>>,
    lists: Query<&ScrollPosition, With<LevelList>>,
    (options, profile): (Res<Options>, Res<Profile>),
    desk: Res<Desk>,
    mut pictures: ResMut<Pictures>,
    mut images: ResMut<Assets<Image>>,
    room: Room,
) {
    let (size, scale) = (room.size(), room.screen_scale());
    let scrolled = lists.iter().next().cloned().unwrap_or_default();
    old.iter().for_each(|root| commands.entity(root).despawn());
    let levels = options.levels();
    let sheet = super::sheet(&mut pictures, &mut images);
    commands
        .spawn((TitleRoot, DespawnOnExit(Screen::Title), sheet))
        .with_children(|page| {
            page.spawn((
                Node {
                    align_items: AlignItems::Baseline,
                    ..row(14.0)
                },
                Pickable::IGNORE,
            ))
            .with_children(|head| {
                head.spawn(super::name());
                let words = "small battles, five feet to the square";
                head.spawn(text(words, Cut::Small, palette::FADED_INK));
            });
            let body = Node {
                flex_grow: 1.0,
                flex_basis: px(0),
                min_height: px(0),
                column_gap: px(theme::GAP * 2.0),
                ..default()
            };
            page.spawn((body, Pickable::IGNORE)).with_children(|body| {
                body.spawn((
                    Node {
                        width: px(330),
                        flex_shrink: 0.0,
                        // With very large text all of it scrolls.
                        overflow: Overflow::scroll_y(),
                        ..column(8.0)
                    },
                    ScrollArea,
                ))
                .with_children(|list| {
                    kept(list, &desk);
                    let node = Node {
                        flex_grow: 1.0,
                        flex_shrink: 0.0,
                        flex_basis: px(0),
                        min_height: px(130),
                        padding: UiRect::all(px(3)),
                        overflow: Overflow::scroll_y(),
                        ..column(8.0)
                    };
                    list.spawn((LevelList, node, ScrollArea, scrolled))
                        .with_children(|list| {
                            for (n, level) in levels.iter().enumerate() {
                                level_button(list, n, level, n == desk.level);
                            }
                        });
                    list.spawn(tutorial::shelf());
                    let words = if desk.continues() {
                        "Enter continues; once a level is chosen, it starts it. F1: the rules."
                    } else {
                        "Arrows go round, Enter starts it. F1: the rules."
                    };
                    list.spawn(text(words, Cut::Small, palette::FADED_INK));
                });
                if let Some(level) = levels.get(desk.level) {
                    let picture =
                        preview(&mut pictures, &mut images, level, (size - AROUND, scale));
                    level_card(body, level, &desk, (&options, &profile), picture);
                }
            });
        });
}

/// The way to what is kept, and out.
fn kept(list: &mut ChildSpawnerCommands, desk: &Desk) {
    if let Some(latest) = &desk.latest {
        let node = Node {
            flex_direction: FlexDirection::Column,
            align_items: AlignItems::Start,
            padding: UiRect::axes(px(theme::PAD), px(6)),
            width: percent(100),
            ..default()
        };
        let go_on = (
            button(Panel::ButtonPrimary, node),
            Does(AppCommand::Continue),
        );
        list.spawn(go_on).with_children(|words| {
            words.spawn(text("Continue", Cut::Strong, palette::WHITE));
            words.spawn(text(latest.clone(), Cut::Small, palette::WHITE));
        });
    }
    let node = Node {
        flex_wrap: FlexWrap::Wrap,
        row_gap: px(6),
        ..row(6.0)
    };
    list.spawn((node, Pickable::IGNORE)).with_children(|row| {
        for (words, app_command) in [
            ("Load", AppCommand::Browse(Browse::Load)),
            ("Replays", AppCommand::Browse(Browse::Replays)),
        ] {
            row.spawn((word_button(words, Panel::Button), Does(app_command)));
        }
        row.spawn((word_button("Settings", Panel::Button), OpensSettings));
        row.spawn((word_button("Quit", Panel::Button), Does(AppCommand::Quit)));
    });
}

fn level_button(list: &mut ChildSpawnerCommands, n: usize, level: &Level, is_chosen: bool) {
    let panel = if is_chosen {
        Panel::CardActive
    } else {
        Panel::Card
    };
    let node = Node {
        padding: UiRect::axes(px(theme::PAD), px(8)),
        width: percent(100),
        ..row(8.0)
    };
    let mut level_button = list.spawn((button(panel, node), TitleButton::Level(n), FollowsFocus));
    if is_chosen {
        level_button.insert(FirstFocus);
    }
    level_button.with_children(|words| {
        words.spawn(text(format!("{}", n + 1), Cut::Small, palette::FADED_INK));
        words.spawn(text(level.title.clone(), Cut::Strong, palette::INK));
        words.spawn(spring());
        let numbers = text(numbers(level), Cut::Small, palette::FADED_INK);
        words.spawn((numbers, TextLayout::no_wrap()));
    });
}

/// "4 v 6".
fn numbers(level: &Level) -> String {
    let count = |n: usize| {
        level
            .combatants
            .iter()
            .filter(|c| usize::from(c.side.0) == n)
            .count()
    };
    let sides: Vec<String> = (0..level.sides.len())
        .map(|n| count(n).to_string())
        .collect();
    sides.join(" v ")
}

fn level_card(
    body: &mut ChildSpawnerCommands,
    level: &Arc<Level>,
    desk: &Desk,
    (options, profile): (&Options, &Profile),
    picture: (Handle<Image>, Vec2),
) {
    let node = Node {
        flex_grow: 1.0,
        flex_basis: px(0),
        min_width: px(0),
        row_gap: px(8),
        ..card()
    };
    body.spawn((node, face(Panel::Card))).with_children(|card| {
        card.spawn(text(level.title.clone(), Cut::Heading, palette::INK));
        card.spawn(rule());
        let (image, size) = picture;
        card.spawn(small_map::frame()).with_children(|frame| {
            // Large text leaves it less room than it was drawn for.
            let node = Node {
                height: px(size.y),
                max_width: percent(100),
                max_height: percent(100),
                aspect_ratio: Some(size.x / size.y.max(1.0)),
                ..default()
            };
            frame.spawn((ImageNode::new(image), node));
        });
        card.spawn(text(level.briefing.clone(), Cut::Body, palette::INK));
        for objective in level.objectives.iter().filter(|o| o.side.0 == 0) {
            card.spawn(text(objective.text.clone(), Cut::Small, palette::TEAL));
        }
        card.spawn(rule());
        seats_row(card, level, desk);
        let rules = desk.rules_for(level, options);
        rules_buttons(card, rules, level.rules.is_some(), profile);
        card.spawn((row(12.0), Pickable::IGNORE))
            .with_children(|foot| {
                foot.spawn(text("Seed", Cut::Small, palette::FADED_INK));
                let digits = |c: char| c.is_ascii_digit();
                foot.spawn((
                    SeedEntry,
                    entry(
                        "The number from which the dice come",
                        &desk.seed.to_string(),
                        96.0,
                        19,
                        digits,
                    ),
                ));
                let tip = Tip::default()
                    .line("Other dice for the battle", Cut::Small, palette::INK)
                    .key(Key::Reroll);
                foot.spawn((
                    word_button("New dice", Panel::Button),
                    TitleButton::Reroll,
                    tip,
                ));
                foot.spawn(spring());
                let plays = desk.seats.contains(&Seat::Human);
                let words = if plays { "Start" } else { "Watch" };
                foot.spawn((word_button(words, Panel::ButtonPrimary), TitleButton::Start));
            });
    });
}

/// Who may sit at a side, and what that means.
const SEATS: [(Seat, &str); 4] = [
    (
        Seat::Human,
        "Somebody at this screen; several take turns at it",
    ),
    (
        Seat::Ai(Player::Easy),
        "The computer, which judges as a beginner does: often the second best thing, nothing absurd",
    ),
    (
        Seat::Ai(Player::Quick),
        "The computer, which takes what looks best at first sight",
    ),
    (
        Seat::Ai(Player::Strategist(Strategist::PLAYOUTS)),
        "The computer, which plays each of its plans on in its head before it moves",
    ),
];

/// Who plays which side, and with what handicap.
fn seats_row(card: &mut ChildSpawnerCommands, level: &Level, desk: &Desk) {
    let node = Node {
        flex_wrap: FlexWrap::Wrap,
        row_gap: px(6),
        ..row(20.0)
    };
    card.spawn((node, Pickable::IGNORE)).with_children(|all| {
        for (n, side) in level.sides.iter().enumerate() {
            all.spawn((row(6.0), Pickable::IGNORE))
                .with_children(|row| {
                    row.spawn(text(capitalised(&side.name), Cut::Strong, palette::INK));
                    for (seat, told) in SEATS {
                        let is_chosen = desk.seats.get(n) == Some(&seat);
                        let panel = if is_chosen {
                            Panel::CardActive
                        } else {
                            Panel::Card
                        };
                        let tip = Tip::default().line(told, Cut::Small, palette::INK);
                        let words = capitalised(seat_name(seat));
                        row.spawn((word_button(&words, panel), TitleButton::Seat(n, seat), tip));
                    }
                    let points = desk.handicaps.get(n).copied().unwrap_or_default();
                    handicap_of(row, n, points);
                });
        }
    });
}

/// Fewer and more points of handicap for a side.
fn handicap_of(row: &mut ChildSpawnerCommands, side: usize, points: u8) {
    let told = format!(
        "Handicap: with each point everybody of the side can bear {}% more",
        handicap::PERCENT
    );
    let tip = || Tip::default().line(told.clone(), Cut::Small, palette::INK);
    let node = Node {
        width: px(26),
        min_height: px(34),
        ..default()
    };
    let step = |row: &mut ChildSpawnerCommands, sign: &str, to: Option<u8>| {
        let panel = match to {
            Some(_) => Panel::Card,
            None => Panel::CardPale,
        };
        let to = to.unwrap_or(points);
        row.spawn((
            button(panel, node.clone()),
            TitleButton::Handicap(side, to),
            tip(),
            children![text(sign, Cut::Strong, panel.text())],
        ));
    };
    step(row, "−", points.checked_sub(1));
    let words = format!("Handicap {points}");
    row.spawn((
        text(words, Cut::Small, palette::FADED_INK),
        TextLayout::no_wrap(),
    ));
    step(row, "+", Some(points + 1).filter(|&p| p <= handicap::MOST));
}

/// The rulesets to choose from, or the one that the level is made for.
fn rules_buttons(
    card: &mut ChildSpawnerCommands,
    chosen: &Ruleset,
    is_fixed: bool,
    profile: &Profile,
) {
    let about = read::of(chosen.id).about;
    if is_fixed || rulesets::ALL.len() < 2 {
        card.spawn(text(chosen.id, Cut::Strong, palette::INK));
        return;
    }
    let buttons = Node {
        flex_wrap: FlexWrap::Wrap,
        row_gap: px(6),
        ..row(6.0)
    };
    card.spawn((buttons, Pickable::IGNORE))
        .with_children(|buttons| {
            for (n, rules) in rulesets::ALL.iter().enumerate() {
                let panel = if rules.id == chosen.id {
                    Panel::CardActive
                } else {
                    Panel::Card
                };
                let words = read::of(rules.id).about;
                let tip = Tip::default().line(words, Cut::Small, palette::INK);
                buttons.spawn((word_button(rules.id, panel), TitleButton::Rules(n), tip));
            }
        });
    let mut lessons = crate::levels::tutorial().iter();
    let is_of = |level: &Arc<Level>| level.rules.is_some_and(|rules| rules.0 == chosen.id);
    let is_taught = lessons.any(|level| is_of(level) && profile.lessons.contains(&level.id));
    let words = match is_taught {
        _ if profile.lessons.is_empty() => {
            format!("{about} New here? Begin with lesson 1, on the left.")
        }
        true => String::from(about),
        false => format!("{about} Its lesson is on the left."),
    };
    card.spawn(text(words, Cut::Small, palette::FADED_INK));
}

/// What the window needs besides the picture of the level: the list, the words
/// and the distances between them.
const AROUND: Vec2 = Vec2::new(520.0, 456.0);

/// The level as it begins, in a size that leaves room for the words.
fn preview(
    pictures: &mut Pictures,
    images: &mut Assets<Image>,
    level: &Arc<Level>,
    (room, scale): (Vec2, f32),
) -> (Handle<Image>, Vec2) {
    let board = level.board();
    let (cell_px, size) = small_map::fit(&board, room, scale);
    let name = format!("preview {} {cell_px}", level.id);
    let people = Person::all_of(level, rulesets::ALL[0]);
    let up = people.iter().filter(|p| p.is_up());
    let draw = || images.add(small_map::draw(&board, up, cell_px));
    (pictures.keep(name, draw), size)
}
