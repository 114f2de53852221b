//! The title: which level, by which rules, who plays, which dice; and the way to
//! what is kept.

mod broken;
mod card;
mod difficulty;
mod list;

use super::super::{
    Options, Phase, Profile, Screen, Session,
    app_command::AppCommand,
    art::palette,
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
    theme::{self, Cut, Look, text},
    widgets::{Tip, row, spring},
};
use crate::{
    battle::Ruleset,
    control::{Player, recording::Seat},
    levels::Level,
    road::Difficulty,
    rulesets,
};
use bevy::{
    picking::hover::Hovered,
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
                .in_set(Phase::Obey)
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

/// What is chosen on the title screen.
#[derive(Resource, Clone, Debug, Default)]
pub struct Desk {
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

/// The first battle's dice may come from the command line; later ones do not.
fn set_desk(
    mut commands: Commands,
    options: Res<Options>,
    shelves: Res<Shelves>,
    (desk, road): (Option<Res<Desk>>, Res<Road>),
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
    options: Res<Options>,
    mut desk: ResMut<Desk>,
    mut app_commands: MessageWriter<AppCommand>,
    mut commands: Commands,
) {
    if keys.just_pressed(Key::Confirm) {
        if desk.continues() {
            app_commands.write(AppCommand::Continue);
        } else {
            commands.run_system_cached(start);
        }
    }
    if focus.get().is_some_and(|it| typing.contains(it)) {
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
    commands
        .spawn((TitleRoot, DespawnOnExit(Screen::Title), sheet))
        .with_children(|page| {
            let node = Node {
                align_items: AlignItems::Baseline,
                ..row(14.0)
            };
            page.spawn((node, Pickable::IGNORE)).with_children(|head| {
                head.spawn(super::name());
                let words = "Small battles. Every roll shown.";
                head.spawn(text(words, Cut::Small, palette::FADED_INK));
                head.spawn(spring());
                let (won, of) = progress.gathered();
                let words = format!("{won} of {of} stars");
                let meaning = "one for each level and combat system that you win";
                head.spawn(text(meaning, Cut::Small, palette::FADED_INK));
                let told = "Disc: Easy AI beaten; square: Quick AI; diamond: Strategist.";
                let tip = Tip::default().line(told, Cut::Small, palette::INK);
                head.spawn((
                    text(words, Cut::Strong, palette::INK),
                    Hovered::default(),
                    tip,
                ));
            });
            let body = Node {
                flex_grow: 1.0,
                flex_basis: px(0),
                min_height: px(0),
                column_gap: px(theme::GAP * 2.0),
                ..default()
            };
            page.spawn((body, Pickable::IGNORE)).with_children(|body| {
                let marks = (&*progress, &mut signs);
                list::column_of(body, (&levels, &own), desk, marks, &road);
                let broken = desk.broken.as_ref().and_then(|path| own.0.at(path));
                match (broken, levels.get(desk.level)) {
                    (Some(broken), _) => broken::card_of(body, broken),
                    (None, Some(level)) => {
                        let picture = card::preview(&mut signs, level, &room);
                        let own = own.picture(level);
                        let own = own.and_then(|png| card::own_picture(&mut signs, png));
                        card::level_card(
                            body,
                            level,
                            desk,
                            (&options, &profile, &progress),
                            (picture, own),
                        );
                    }
                    (None, None) => {}
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
