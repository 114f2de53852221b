//! The title screen: a few large entries, and beside them the page of the open entry.
//!
//! - `entries`: the entries
//! - `play`: the Play page, with `list`, the levels; `card`, the chosen level with ruleset,
//!   difficulty and seed; `broken`, the errors of a level
//! - `difficulty`: controllers and handicaps by difficulty
//! - [`vignette`]: the ink drawing below the entries
//! - `make`: the Make page, with editor and battle builder
//!
//! The Learn page with the lessons is in [`tutorial`].

mod broken;
mod card;
pub mod difficulty;
mod entries;
mod list;
mod make;
mod play;
pub mod vignette;

use super::super::{
    Options, Phase, Profile, Screen, Session,
    app_command::{AppCommand, SaveCommand},
    editor::LeftAt,
    entry::keep_typed,
    hud::SmallPictures,
    input::Key,
    modal,
    own::Own,
    progress::Progress,
    room::Room,
    saves::{Shelves, autosave},
    screens::road::Road,
    session::{self, Ready, any_seed},
    theme, tutorial,
    widgets::{NodeExt, SpawnWith, fill_height, wide_column},
};
use super::{PageRoot, new_page};
use crate::{
    battle::Ruleset,
    control::{Player, recording::SideController},
    lab::measured::ease,
    levels::Level,
    road::Difficulty,
    rulesets,
};
use bevy::{prelude::*, ui_widgets::Activate};
use std::{path::PathBuf, sync::Arc};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Screen::Title), (clear, set_choices));
    app.add_systems(
        Update,
        (
            keys.in_set(Phase::Input).run_if(modal::is_clear),
            follow
                .in_set(Phase::Commands)
                .run_if(resource_changed::<Own>.or_else(resource_changed::<Options>)),
            build.in_set(Phase::Draw).run_if(
                resource_exists_and_changed::<TitleChoices>
                    .or_else(resource_changed::<Own>)
                    .or_else(super::is_outdated),
            ),
        )
            .run_if(in_state(Screen::Title)),
    );
    app.add_plugins(vignette::plugin);
    app.add_observer(press);
    keep_typed::<SeedEntry, TitleChoices>(app, |choices, seed| {
        if let Ok(seed) = seed.parse() {
            choices.is_set |= choices.seed != seed;
            choices.seed = seed;
        }
    });
}

/// The page beside the entries.
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

/// The player's choices on the title screen.
#[derive(Resource, Clone, Debug, Default)]
pub struct TitleChoices {
    /// The open page.
    page: Page,
    /// Index of the chosen level in [`Options::levels`].
    pub level: usize,
    /// The chosen level, to find it again when the list changes.
    chosen: Option<Arc<Level>>,
    /// A level file of the player's with errors, which are shown instead of the chosen
    /// level.
    broken: Option<PathBuf>,
    pub seed: u64,
    /// Index of the ruleset among all, for levels that leave the choice to the player.
    pub rules: usize,
    /// The controller of each side of the level.
    pub controllers: Vec<SideController>,
    /// The external program that can control a side, if the player has one.
    external: Option<Player>,
    /// The handicap of each side, in steps.
    pub handicaps: Vec<u8>,
    /// The chosen difficulty. It stays when another level is chosen.
    difficulty: Difficulty,
    /// The page shows the controller of each side.
    is_custom: bool,
    /// The battle that *Continue* loads, in a few words.
    latest: Option<String>,
    /// Scroll the list to the chosen level when the page is built.
    is_sought: bool,
    /// The player has changed something here: Enter starts the chosen level instead of
    /// continuing the last battle.
    is_set: bool,
}

impl TitleChoices {
    /// The ruleset that a level would be played under.
    fn rules_for(&self, level: &Level, options: &Options) -> &'static Ruleset {
        match level.rules {
            Some(_) => options.rules_for(level),
            None => rulesets::ALL[self.rules],
        }
    }

    /// The indices of the levels in the order of the list: easiest first under the chosen ruleset.
    /// The player's own levels, which were not measured, come last.
    fn in_order(&self, options: &Options) -> Vec<usize> {
        let levels = options.levels();
        let mut all: Vec<usize> = (0..levels.len()).collect();
        all.sort_by_cached_key(|&n| ease(&levels[n], self.rules_for(&levels[n], options).id));
        all
    }

    /// Whether Enter continues the last battle.
    fn continues(&self) -> bool {
        self.latest.is_some() && !self.is_set
    }

    fn choose(&mut self, n: usize, options: &Options) {
        let level = options.levels().get(n).cloned();
        (self.level, self.chosen, self.broken) = (n, level.clone(), None);
        (self.handicaps, self.controllers) = default();
        self.external = options.external();
        if let Some(level) = level {
            self.handicaps = vec![0; level.sides.len()];
            self.controllers = options.controllers(&level);
            // Controllers from the command line override the difficulty.
            if self.controllers == session::usual(&level) {
                (self.controllers, self.handicaps) = difficulty::set_up(self.difficulty, &level);
            }
        }
    }
}

#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub enum TitleButton {
    /// Opens a page.
    Page(Page),
    Level(usize),
    /// Shows the errors of a file, by its index among the player's own levels.
    Broken(usize),
    /// Chooses a ruleset, by its index among all.
    Rules(usize),
    /// Sets the controller of a side, by its index in the level.
    SideController(usize, SideController),
    /// Sets the handicap of a side, in steps.
    Handicap(usize, u8),
    /// Sets all controllers and handicaps.
    Difficulty(Difficulty),
    /// Shows or hides the controller of each side.
    Custom,
    Reroll,
    Start,
}

#[derive(Component)]
pub struct SeedEntry;

/// Ends the battle, which must not continue behind the title screen.
fn clear(mut commands: Commands) {
    commands.remove_resource::<Session>();
}

/// Prepares the choices. The seed from the command line counts only for the first time, and
/// players who have won no level and no lesson start on the Learn page.
fn set_choices(
    mut commands: Commands,
    options: Res<Options>,
    shelves: Res<Shelves>,
    (profile, progress): (Res<Profile>, Res<Progress>),
    (choices, road): (Option<Res<TitleChoices>>, Res<Road>),
) {
    let mut choices = match choices {
        None => {
            let is_wanted = |rules: &&Ruleset| options.rules.is_some_and(|it| it.id == rules.id);
            let mut choices = TitleChoices {
                seed: options.seed.unwrap_or_else(any_seed),
                rules: rulesets::ALL.iter().position(is_wanted).unwrap_or(0),
                page: match profile.lessons.is_empty() && progress.gathered().0 == 0 {
                    true => Page::Learn,
                    false => Page::Play,
                },
                ..TitleChoices::default()
            };
            choices.choose(0, &options);
            choices
        }
        Some(choices) => TitleChoices {
            seed: any_seed(),
            is_set: false,
            is_sought: true,
            ..choices.clone()
        },
    };
    choices.latest = autosave::latest(&shelves, &road).map(|latest| latest.line());
    commands.insert_resource(choices);
}

/// After a change of the levels, finds the chosen level again, or else chooses the first.
fn follow(
    (options, own): (Res<Options>, Res<Own>),
    left: Option<Res<LeftAt>>,
    mut choices: ResMut<TitleChoices>,
    mut commands: Commands,
) {
    if let Some(LeftAt(path)) = left.as_deref() {
        commands.remove_resource::<LeftAt>();
        let edited = own.0.at(path);
        let level = edited.and_then(|own| own.level());
        let is_it = |l: &Arc<Level>| level.is_some_and(|level| Arc::ptr_eq(l, level));
        match options.levels().iter().position(is_it) {
            Some(at) => choices.choose(at, &options),
            None => choices.broken = edited.map(|own| own.path.clone()),
        }
        choices.is_sought = true;
    }
    let levels = options.levels();
    let was = choices.chosen.as_ref();
    let at = was.and_then(|was| levels.iter().position(|level| level.id == was.id));
    let both = at.zip(was);
    let is_as_it_was = both.is_some_and(|(at, was)| Arc::ptr_eq(&levels[at], was));
    let broken = choices.broken.clone();
    match at {
        Some(at) if is_as_it_was => {
            if choices.level != at {
                choices.level = at;
            }
        }
        at => choices.choose(at.unwrap_or(0), &options),
    }
    let is_broken = |path: &PathBuf| own.0.at(path).is_some_and(|own| own.found.is_err());
    let broken = broken.filter(is_broken);
    if choices.broken != broken {
        choices.broken = broken;
    }
}

fn press(
    on: On<Activate>,
    buttons: Query<&TitleButton>,
    (options, own): (Res<Options>, Res<Own>),
    mut choices: Option<ResMut<TitleChoices>>,
    mut commands: Commands,
) {
    let (Ok(what), Some(choices)) = (buttons.get(on.entity), choices.as_mut()) else {
        return;
    };
    choices.is_set = true;
    match *what {
        TitleButton::Page(page) => (choices.page, choices.is_sought) = (page, true),
        TitleButton::Level(n) => {
            choices.choose(n, &options);
            choices.is_sought = true;
        }
        TitleButton::Broken(n) => {
            choices.broken = own.0.all().get(n).map(|own| own.path.clone());
        }
        TitleButton::SideController(side, controller) => choices.controllers[side] = controller,
        TitleButton::Handicap(side, points) => choices.handicaps[side] = points,
        TitleButton::Difficulty(difficulty) => {
            (choices.difficulty, choices.is_custom) = (difficulty, false);
            if let Some(level) = choices.chosen.clone() {
                (choices.controllers, choices.handicaps) = difficulty::set_up(difficulty, &level);
            }
        }
        TitleButton::Custom => choices.is_custom = !choices.is_custom,
        // The list is sorted again: the chosen level stays in sight.
        TitleButton::Rules(n) => (choices.rules, choices.is_sought) = (n, true),
        TitleButton::Reroll => choices.seed = any_seed(),
        TitleButton::Start => commands.run_system_cached(start),
    }
}

fn keys(
    keys: Res<ButtonInput<Key>>,
    typing: Query<(), With<SeedEntry>>,
    focus: Res<bevy::input_focus::InputFocus>,
    (options, profile): (Res<Options>, Res<Profile>),
    mut choices: ResMut<TitleChoices>,
    mut next: ResMut<NextState<Screen>>,
    mut app_commands: MessageWriter<AppCommand>,
    mut commands: Commands,
) {
    if keys.just_pressed(Key::Confirm) {
        match choices.page {
            _ if choices.continues() => {
                app_commands.write(AppCommand::Save(SaveCommand::Continue));
            }
            Page::Play => commands.run_system_cached(start),
            Page::Learn => {
                let lesson = tutorial::next_lesson(&profile).unwrap_or(0);
                tutorial::begin(lesson, &mut commands, &mut next);
            }
            Page::Make => {}
        }
    }
    if choices.page != Page::Play || focus.get().is_some_and(|it| typing.contains(it)) {
        return;
    }
    if keys.just_pressed(Key::Reroll) {
        (choices.seed, choices.is_set) = (any_seed(), true);
    }
    let number = (0..9).find(|&n| keys.just_pressed(Key::Member(n)));
    let in_order = |number: u8| choices.in_order(&options).get(usize::from(number)).copied();
    if let Some(n) = number.and_then(in_order) {
        (choices.is_set, choices.is_sought) = (true, true);
        choices.choose(n, &options);
    }
}

fn start(
    mut commands: Commands,
    options: Res<Options>,
    choices: Res<TitleChoices>,
    mut next: ResMut<NextState<Screen>>,
) {
    let level = options.levels().get(choices.level).cloned();
    let Some(level) = level.filter(|_| choices.broken.is_none()) else {
        return;
    };
    let rules = choices.rules_for(&level, &options);
    let level = level.with_handicaps(&choices.handicaps);
    let session =
        Session::with_controllers(&level, rules, choices.seed, choices.controllers.clone());
    commands.insert_resource(Ready(session));
    next.set(Screen::Battle);
}

fn build(
    mut commands: Commands,
    old: Query<Entity, With<PageRoot>>,
    (options, own): (Res<Options>, Res<Own>),
    (profile, progress, road): (Res<Profile>, Res<Progress>, Res<Road>),
    mut choices: ResMut<TitleChoices>,
    mut icons: SmallPictures,
    room: Room,
) {
    let choices = choices.bypass_change_detection();
    let levels = options.levels();
    let sheet = super::sheet(&mut icons);
    let inside = fill_height(default()).column_gap(theme::GAP * 2.0);
    new_page(&mut commands, old, ("Title screen", Screen::Title), sheet).with_children(|sheet| {
        sheet.group(inside, |body| {
            entries::column_of(body, choices, &mut icons);
            let known = (&*options, &*profile, &*progress);
            let all = (&levels[..], &*own);
            if choices.page == Page::Play {
                return play::page(body, all, choices, known, &road, (&mut icons, &room));
            }
            let page = wide_column(theme::GAP);
            body.group(page, |body| {
                match choices.page {
                    Page::Make => make::page(body, all, choices, &mut icons),
                    _ => tutorial::lesson_list(body, &profile, !choices.continues(), &mut icons),
                }
                vignette::put(body, &mut icons, 2.0);
            });
        });
    });
    choices.is_sought = false;
}
