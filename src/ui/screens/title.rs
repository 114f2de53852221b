//! The title: which level, which dice.

use super::super::{
    Options, Phase, Screen, Session,
    art::{
        board::{self, MARGIN},
        hud::Panel,
        palette,
        plan::Plan,
        tokens::Pose,
    },
    input::{FirstFocus, FollowsFocus, Hands, Key},
    pictures::{self, Pictures},
    session::{Next, any_seed},
    settings::screen::OpensSettings,
    theme::{self, Cut, Look, text},
    tokens,
    widgets::{Tip, button, card, column, face, row, rule, spring, word_button},
};
use crate::{battle::Ruleset, levels::Level, rulesets, ui::shown::Person};
use bevy::{
    prelude::*,
    text::RemSize,
    ui_widgets::Activate,
    window::{PrimaryWindow, WindowResized},
};
use leafwing_input_manager::prelude::ActionState;
use std::sync::Arc;
use tiny_skia::{Pixmap, PixmapPaint, Transform};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Screen::Title), (clear, choose_seed, build).chain());
    app.add_systems(
        Update,
        (
            keys.in_set(Phase::Input),
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
}

/// What is chosen on the title screen.
#[derive(Resource, Debug, Default)]
pub struct Desk {
    /// The place of the level in [`Options::levels`].
    pub level: usize,
    pub seed: u64,
    /// For levels that leave it to the player; its place among all rulesets.
    pub rules: usize,
}

impl Desk {
    /// What a level would be played under.
    fn rules_for(&self, level: &Level, options: &Options) -> &'static Ruleset {
        match level.rules {
            Some(_) => options.rules_for(level),
            None => rulesets::ALL[self.rules],
        }
    }
}

/// The buttons of the title screen.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TitleButton {
    Level(usize),
    /// A ruleset, by its place among all.
    Rules(usize),
    Reroll,
    Start,
}

#[derive(Component)]
struct TitleRoot;

/// No battle goes on behind the title.
fn clear(mut commands: Commands) {
    commands.remove_resource::<Session>();
}

/// The first battle's dice may come from the command line; later ones do not.
fn choose_seed(mut commands: Commands, options: Res<Options>, desk: Option<Res<Desk>>) {
    let desk = match desk {
        None => Desk {
            level: 0,
            seed: options.seed.unwrap_or_else(any_seed),
            rules: place_of(options.rules.unwrap_or(rulesets::ALL[0])),
        },
        Some(desk) => Desk {
            seed: any_seed(),
            ..*desk
        },
    };
    commands.insert_resource(desk);
}

fn place_of(rules: &Ruleset) -> usize {
    let all = rulesets::ALL.iter();
    all.clone().position(|r| r.id == rules.id).unwrap_or(0)
}

fn press(
    on: On<Activate>,
    buttons: Query<&TitleButton>,
    mut desk: Option<ResMut<Desk>>,
    mut commands: Commands,
) {
    let (Ok(what), Some(desk)) = (buttons.get(on.entity), desk.as_mut()) else {
        return;
    };
    match *what {
        TitleButton::Level(n) => desk.level = n,
        TitleButton::Rules(n) => desk.rules = n,
        TitleButton::Reroll => desk.seed = any_seed(),
        TitleButton::Start => commands.run_system_cached(start),
    }
}

fn keys(
    keys: Single<&ActionState<Key>, With<Hands>>,
    options: Res<Options>,
    mut desk: ResMut<Desk>,
    mut commands: Commands,
) {
    let last = options.levels().len().saturating_sub(1);
    if keys.just_pressed(&Key::Down) {
        desk.level = (desk.level + 1).min(last);
    }
    if keys.just_pressed(&Key::Up) {
        desk.level = desk.level.saturating_sub(1);
    }
    if keys.just_pressed(&Key::Reroll) {
        desk.seed = any_seed();
    }
    let last = rulesets::ALL.len() - 1;
    if keys.just_pressed(&Key::Right) {
        desk.rules = (desk.rules + 1).min(last);
    }
    if keys.just_pressed(&Key::Left) {
        desk.rules = desk.rules.saturating_sub(1);
    }
    for n in 0..options.levels().len().min(9) {
        if keys.just_pressed(&Key::Member(n as u8)) {
            desk.level = n;
        }
    }
    if keys.just_pressed(&Key::Confirm) {
        commands.run_system_cached(start);
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
    commands.insert_resource(Next {
        rules: Some(desk.rules_for(&level, &options)),
        level,
        seed: desk.seed,
    });
    next.set(Screen::Battle);
}

fn build(
    mut commands: Commands,
    old: Query<Entity, With<TitleRoot>>,
    options: Res<Options>,
    desk: Res<Desk>,
    mut pictures: ResMut<Pictures>,
    mut images: ResMut<Assets<Image>>,
    window: Option<Single<&Window, With<PrimaryWindow>>>,
) {
    let size = window.map_or(Vec2::new(1280.0, 720.0), |w| w.size());
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
                        ..column(8.0)
                    },
                    Pickable::IGNORE,
                ))
                .with_children(|list| {
                    for (n, level) in levels.iter().enumerate() {
                        level_button(list, n, level, n == desk.level);
                    }
                    list.spawn(spring());
                    let words = "Arrows choose level and rules, Enter starts it.";
                    list.spawn(text(words, Cut::Small, palette::FADED_INK));
                });
                if let Some(level) = levels.get(desk.level) {
                    let picture = preview(&mut pictures, &mut images, level, size - AROUND);
                    level_card(body, level, &desk, &options, picture);
                }
            });
        });
}

fn level_button(list: &mut ChildSpawnerCommands, n: usize, level: &Level, is_chosen: bool) {
    let panel = if is_chosen {
        Panel::CardActive
    } else {
        Panel::Card
    };
    let node = Node {
        flex_direction: FlexDirection::Column,
        align_items: AlignItems::Start,
        padding: UiRect::axes(px(theme::PAD), px(10)),
        width: percent(100),
        ..default()
    };
    // The frame of a button centres what is in it; this one reads from the left.
    let mut level_button = list.spawn((button(panel, node), TitleButton::Level(n), FollowsFocus));
    if is_chosen {
        level_button.insert(FirstFocus);
    }
    level_button.with_children(|words| {
        let line = Node {
            width: percent(100),
            ..row(8.0)
        };
        words.spawn((line, Pickable::IGNORE)).with_children(|line| {
            line.spawn(text(level.title.clone(), Cut::Strong, palette::INK));
            line.spawn(spring());
            line.spawn(text(format!("{}", n + 1), Cut::Small, palette::FADED_INK));
        });
        words
            .spawn((
                Node {
                    width: percent(100),
                    ..row(8.0)
                },
                Pickable::IGNORE,
            ))
            .with_children(|line| {
                line.spawn(text(numbers(level), Cut::Small, palette::FADED_INK));
            });
    });
}

/// "4 against 6".
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
    sides.join(" against ")
}

fn level_card(
    body: &mut ChildSpawnerCommands,
    level: &Arc<Level>,
    desk: &Desk,
    options: &Options,
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
        let frame = Node {
            flex_grow: 1.0,
            flex_basis: px(0),
            min_height: px(0),
            justify_content: JustifyContent::Center,
            align_items: AlignItems::Center,
            overflow: Overflow::clip(),
            ..default()
        };
        card.spawn(frame).with_children(|frame| {
            let node = Node {
                width: px(size.x),
                height: px(size.y),
                flex_shrink: 0.0,
                ..default()
            };
            frame.spawn((ImageNode::new(image), node));
        });
        card.spawn(text(level.briefing.clone(), Cut::Body, palette::INK));
        for objective in level.objectives.iter().filter(|o| o.side.0 == 0) {
            card.spawn(text(objective.text.clone(), Cut::Small, palette::TEAL));
        }
        card.spawn(rule());
        card.spawn(row(12.0)).with_children(|foot| {
            rules_buttons(foot, desk.rules_for(level, options), level.rules.is_some());
            foot.spawn(spring());
            foot.spawn(text(
                format!("seed {}", desk.seed),
                Cut::Small,
                palette::FADED_INK,
            ));
            let tip = Tip::default()
                .line("Other dice for the battle", Cut::Small, palette::INK)
                .key(Key::Reroll);
            foot.spawn((
                word_button("New dice", Panel::Button),
                TitleButton::Reroll,
                tip,
            ));
            foot.spawn((word_button("Settings", Panel::Button), OpensSettings));
            foot.spawn((
                word_button("Start", Panel::ButtonPrimary),
                TitleButton::Start,
            ));
        });
    });
}

/// The rulesets to choose from, or the one that the level is made for.
fn rules_buttons(foot: &mut ChildSpawnerCommands, chosen: &Ruleset, is_fixed: bool) {
    if is_fixed || rulesets::ALL.len() < 2 {
        foot.spawn(text(chosen.id, Cut::Strong, palette::INK));
        return;
    }
    let buttons = Node {
        flex_wrap: FlexWrap::Wrap,
        row_gap: px(6),
        ..row(6.0)
    };
    foot.spawn((buttons, Pickable::IGNORE))
        .with_children(|buttons| {
            for (n, rules) in rulesets::ALL.iter().enumerate() {
                let panel = if rules.id == chosen.id {
                    Panel::CardActive
                } else {
                    Panel::Card
                };
                let words = "The rules to play by (Left, Right)";
                let tip = Tip::default().line(words, Cut::Small, palette::INK);
                buttons.spawn((word_button(rules.id, panel), TitleButton::Rules(n), tip));
            }
        });
}

/// What the window needs besides the picture of the level: the list, the words
/// and the distances between them.
const AROUND: Vec2 = Vec2::new(520.0, 390.0);

/// The level as it begins, in a size that leaves room for the words.
fn preview(
    pictures: &mut Pictures,
    images: &mut Assets<Image>,
    level: &Arc<Level>,
    room: Vec2,
) -> (Handle<Image>, Vec2) {
    let plan = Plan::from(&level.board());
    let cells = (
        plan.width() as f32 + 2.0 * MARGIN,
        plan.height() as f32 + 2.0 * MARGIN,
    );
    let cell_px = (room.x / cells.0).min(room.y / cells.1).floor().max(4.0) as u32;
    let size = Vec2::new(cells.0, cells.1) * cell_px as f32;
    let name = format!("preview {} {cell_px}", level.id);
    let draw = || {
        let mut sheet = board::preview(&plan, cell_px);
        for person in Person::all_of(level).iter().filter(|p| p.is_up()) {
            let token = tokens::token(person, Pose::Ready, cell_px);
            put(&mut sheet, &token, person.middle(), cell_px);
        }
        images.add(pictures::image(sheet))
    };
    (pictures.keep(name, draw), size)
}

/// Lays a token's picture on a map.
fn put(sheet: &mut Pixmap, token: &Pixmap, middle: (f32, f32), cell_px: u32) {
    let at =
        |cells: f32, px: u32| ((cells + MARGIN) * cell_px as f32 - px as f32 / 2.0).round() as i32;
    sheet.draw_pixmap(
        at(middle.0, token.width()),
        at(middle.1, token.height()),
        token.as_ref(),
        &PixmapPaint::default(),
        Transform::identity(),
        None,
    );
}
