//! The title: a few large entries, and beside them the page of the one that is open.
//!
//! - `entries`: the entries
//! - `play`: a battle to play; `list`: the levels; `card`: the chosen one, by which rules,
//!   how hard, with which dice; `broken`: what is wrong with a level
//! - `make`: the editor and the builder
//! - the lessons are in [`tutorial`]

mod broken;
mod card;
mod difficulty;
mod entries;
mod list;
mod make;
mod play;

use super::super::{
    Options, Phase, Profile, Screen, Session,
    app_command::AppCommand,
    editor::LeftAt,
    hud::Signs,
    input::Key,
    modal,
    own::Own,
    progress::Progress,
    room::Room,
    saves::{Shelves, autosave},
    screens::road::Road,
    session::{self, Ready, any_seed},
    theme::{self, Look},
    tutorial,
};
use crate::{
    battle::Ruleset,
    control::{Player, recording::Seat},
    levels::Level,
    road::Difficulty,
    rulesets,
};
use bevy::{
    prelude::*,
    text::{EditableText, RemSize, TextEditChange},
    ui_widgets::Activate,
    window::WindowResized,
};
use std::{path::PathBuf, sync::Arc};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Screen::Title), (clear, set_desk, build).chain());
    app.add_systems(
        Update,
        (
            keys.in_set(Phase::Input).run_if(modal::is_clear),
            remember_scroll.in_set(Phase::Input),
            follow
                .in_set(Phase::Commands)
                .run_if(resource_changed::<Own>.or_else(resource_changed::<Options>)),
            build.in_set(Phase::Draw).run_if(
                resource_exists_and_changed::<Desk>
                    .or_else(resource_changed::<Own>)
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

/// What lies beside the entries.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Page {
    #[default]
    Play,
    Learn,
    Make,
}

impl Page {
    const ALL: [Self; 3] = [Self::Play, Self::Learn, Self::Make];

    fn name(self) -> &'static str {
        match self {
            Self::Play => "Play",
            Self::Learn => "Learn",
            Self::Make => "Make",
        }
    }
}

/// What is chosen on the title screen.
#[derive(Resource, Clone, Debug, Default)]
pub struct Desk {
    /// The entry that is open.
    page: Page,
    /// The place of the level in [`Options::levels`].
    pub level: usize,
    /// The level itself: its place changes as levels come and go.
    chosen: Option<Arc<Level>>,
    /// A file of the player's own that has errors: they are shown in place of the
    /// level.
    broken: Option<PathBuf>,
    pub seed: u64,
    /// For levels that leave it to the player; its place among all rulesets.
    pub rules: usize,
    /// Who plays which side of the level.
    pub seats: Vec<Seat>,
    /// The player's own program that may play a side.
    external: Option<Player>,
    /// The handicap of each, in points.
    pub handicaps: Vec<u8>,
    /// The difficulty that was chosen by name: it stays when another level is chosen.
    difficulty: Difficulty,
    /// Who plays each side is chosen by itself.
    is_custom: bool,
    /// The battle to go on with, in a few words.
    latest: Option<String>,
    /// How far the list of levels is scrolled.
    scrolled: Vec2,
    /// What was chosen elsewhere is to be scrolled into sight.
    is_sought: bool,
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
        let level = options.levels().get(n).cloned();
        (self.level, self.chosen, self.broken) = (n, level.clone(), None);
        self.handicaps = level.as_ref().map_or(vec![], |l| vec![0; l.sides.len()]);
        self.seats = level.as_ref().map_or(vec![], |level| options.seats(level));
        self.external = options.external();
        // What the command line says about the seats counts more.
        if let Some(level) = level
            && self.seats == session::usual(&level)
        {
            (self.seats, self.handicaps) = difficulty::seated(self.difficulty, &level);
        }
    }
}

/// The buttons of the title screen.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TitleButton {
    /// Opens an entry.
    Page(Page),
    Level(usize),
    /// What is wrong with a file, by its place among the player's own.
    Broken(usize),
    /// A ruleset, by its place among all.
    Rules(usize),
    /// Who plays a side, by its place in the level.
    Seat(usize, Seat),
    /// The handicap of a side, in points.
    Handicap(usize, u8),
    /// Seats and handicaps, by name.
    Difficulty(Difficulty),
    /// Shows who plays each side, or hides it.
    Custom,
    Reroll,
    Start,
}

/// Where the seed is typed.
#[derive(Component)]
pub struct SeedEntry;

#[derive(Component)]
struct TitleRoot;

/// No battle goes on behind the title.
fn clear(mut commands: Commands) {
    commands.remove_resource::<Session>();
}

/// The first battle's dice may come from the command line; later ones do not. Who has
/// won nothing and no lesson yet begins at the lessons.
fn set_desk(
    mut commands: Commands,
    options: Res<Options>,
    shelves: Res<Shelves>,
    (profile, progress): (Res<Profile>, Res<Progress>),
    (desk, road): (Option<Res<Desk>>, Res<Road>),
) {
    let mut desk = match desk {
        None => {
            let mut desk = Desk {
                seed: options.seed.unwrap_or_else(any_seed),
                rules: place_of(options.rules.unwrap_or(rulesets::ALL[0])),
                page: match profile.lessons.is_empty() && progress.gathered().0 == 0 {
                    true => Page::Learn,
                    false => Page::Play,
                },
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
    desk.latest = autosave::latest(&shelves, &road).map(|latest| latest.line());
    commands.insert_resource(desk);
}

fn place_of(rules: &Ruleset) -> usize {
    let all = rulesets::ALL.iter();
    all.clone().position(|r| r.id == rules.id).unwrap_or(0)
}

/// The levels have changed: what was chosen is found again, or the first is.
fn follow(
    (options, own): (Res<Options>, Res<Own>),
    left: Option<Res<LeftAt>>,
    mut desk: ResMut<Desk>,
    mut commands: Commands,
) {
    if let Some(LeftAt(path)) = left.as_deref() {
        commands.remove_resource::<LeftAt>();
        let edited = own.0.at(path);
        let level = edited.and_then(|own| own.level());
        let is_it = |l: &Arc<Level>| level.is_some_and(|level| Arc::ptr_eq(l, level));
        match options.levels().iter().position(is_it) {
            Some(at) => desk.choose(at, &options),
            None => desk.broken = edited.map(|own| own.path.clone()),
        }
        desk.is_sought = true;
    }
    let levels = options.levels();
    let is_same = |level: &&Arc<Level>| desk.chosen.as_ref().is_some_and(|was| was.id == level.id);
    let found = levels.iter().find(is_same);
    let at = levels.iter().position(|level| is_same(&level));
    let is_as_it_was = match (found, &desk.chosen) {
        (Some(found), Some(was)) => Arc::ptr_eq(found, was),
        _ => false,
    };
    let broken = desk.broken.clone();
    match at {
        Some(at) if is_as_it_was => {
            if desk.level != at {
                desk.level = at;
            }
        }
        Some(at) => desk.choose(at, &options),
        None => desk.choose(0, &options),
    }
    let is_broken = |path: &PathBuf| own.0.at(path).is_some_and(|own| own.found.is_err());
    let broken = broken.filter(is_broken);
    if desk.broken != broken {
        desk.broken = broken;
    }
}

fn press(
    on: On<Activate>,
    buttons: Query<&TitleButton>,
    (options, own): (Res<Options>, Res<Own>),
    mut desk: Option<ResMut<Desk>>,
    mut commands: Commands,
) {
    let (Ok(what), Some(desk)) = (buttons.get(on.entity), desk.as_mut()) else {
        return;
    };
    desk.is_set = true;
    match *what {
        TitleButton::Page(page) => {
            (desk.page, desk.is_sought) = (page, true);
        }
        TitleButton::Level(n) => {
            desk.choose(n, &options);
            desk.is_sought = true;
        }
        TitleButton::Broken(n) => {
            desk.broken = own.0.all().get(n).map(|own| own.path.clone());
        }
        TitleButton::Seat(side, seat) => desk.seats[side] = seat,
        TitleButton::Handicap(side, points) => desk.handicaps[side] = points,
        TitleButton::Difficulty(difficulty) => {
            (desk.difficulty, desk.is_custom) = (difficulty, false);
            if let Some(level) = desk.chosen.clone() {
                (desk.seats, desk.handicaps) = difficulty::seated(difficulty, &level);
            }
        }
        TitleButton::Custom => desk.is_custom = !desk.is_custom,
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
    keys: Res<ButtonInput<Key>>,
    typing: Query<(), With<SeedEntry>>,
    focus: Res<bevy::input_focus::InputFocus>,
    (options, profile): (Res<Options>, Res<Profile>),
    mut desk: ResMut<Desk>,
    mut next: ResMut<NextState<Screen>>,
    mut app_commands: MessageWriter<AppCommand>,
    mut commands: Commands,
) {
    if keys.just_pressed(Key::Confirm) {
        match desk.page {
            _ if desk.continues() => {
                app_commands.write(AppCommand::Continue);
            }
            Page::Play => commands.run_system_cached(start),
            Page::Learn => {
                let lesson = tutorial::next_lesson(&profile).unwrap_or(0);
                tutorial::begin(lesson, &mut commands, &mut next);
            }
            Page::Make => {}
        }
    }
    if desk.page != Page::Play || focus.get().is_some_and(|it| typing.contains(it)) {
        return;
    }
    if keys.just_pressed(Key::Reroll) {
        (desk.seed, desk.is_set) = (any_seed(), true);
    }
    for n in 0..options.levels().len().min(9) {
        if keys.just_pressed(Key::Member(n as u8)) {
            (desk.is_set, desk.is_sought) = (true, true);
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
    let level = options.levels().get(desk.level).cloned();
    let Some(level) = level.filter(|_| desk.broken.is_none()) else {
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
    (options, own): (Res<Options>, Res<Own>),
    (profile, progress, road): (Res<Profile>, Res<Progress>, Res<Road>),
    mut desk: ResMut<Desk>,
    mut signs: Signs,
    room: Room,
) {
    let desk = desk.bypass_change_detection();
    old.iter().for_each(|root| commands.entity(root).despawn());
    let levels = options.levels();
    let sheet = super::sheet(&mut signs.pictures, &mut signs.images);
    let inside = Node {
        flex_grow: 1.0,
        flex_basis: px(0),
        min_height: px(0),
        column_gap: px(theme::GAP * 2.0),
        ..default()
    };
    commands
        .spawn((TitleRoot, DespawnOnExit(Screen::Title), sheet))
        .with_children(|sheet| {
            let mut inside = sheet.spawn((inside, Pickable::IGNORE));
            inside.with_children(|body| {
                entries::column_of(body, desk, &mut signs);
                let known = (&*options, &*profile, &*progress);
                let all = (&levels[..], &*own);
                match desk.page {
                    Page::Play => play::page(body, all, desk, known, &road, (&mut signs, &room)),
                    Page::Learn => {
                        tutorial::shelf(body, &profile, !desk.continues(), &mut signs);
                    }
                    Page::Make => make::page(body, all, desk, &mut signs),
                }
            });
        });
    desk.is_sought = false;
}

/// The list is where it was when the title is there again.
fn remember_scroll(
    lists: Query<&ScrollPosition, (With<list::LevelList>, Changed<ScrollPosition>)>,
    mut desk: ResMut<Desk>,
) {
    for at in &lists {
        desk.bypass_change_detection().scrolled = at.0;
    }
}
