//! The list of saves or replays: the files on the left, the selected one with its map
//! on the right.

use super::{
    NOWHERE, Shelves, autosave,
    index::{self, SaveEntry, SaveFolder, SaveKind},
};
use crate::{
    battle::{capitalised, handicap},
    control::{Player, recording::SideController},
    levels::LevelSide,
    ui::{
        Phase, Session,
        app_command::{AppCommand, Browse, FileCommand, Replies},
        art::{hud::Panel, palette},
        entry::{entry, keep_typed},
        modal::spawn_modal,
        room::Room,
        screens::title::difficulty,
        scrollbars::KeepsScroll,
        session::{self, Unloadable},
        settings::Toast,
        small_map,
        theme::{self, TextStyle, body_text, faded, heading_text, one_line, strong_text, text},
        widgets::{
            NodeExt, SendOnPress, SpawnWith, button, card, column, despawn_all, fill_height,
            fill_width, message_button, panel_button, panel_style, rigid, row, rule, sized, spacer,
            word_button,
        },
    },
    words,
};
use bevy::{input_focus::AutoFocus, prelude::*, window::WindowResized};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (
            apply_browser_commands.in_set(Phase::Commands),
            (
                build.run_if(
                    resource_exists_and_changed::<Browser>.or_else(on_message::<WindowResized>),
                ),
                mind_name,
                forget,
            )
                .chain()
                .in_set(Phase::Draw)
                .run_if(resource_exists::<Browser>),
        )
            .chain(),
    );
    keep_typed::<NameEntry, Browser>(app, |browser, name| browser.name = name);
}

/// The root node of the list.
#[derive(Component)]
pub struct BrowserCard;

/// The text field for the name of a save.
#[derive(Component)]
pub struct NameEntry;

/// The state of the list and its selection.
#[derive(Resource)]
pub struct Browser {
    what: Browse,
    shelf: Option<SaveFolder>,
    entries: Vec<SaveEntry>,
    chosen: usize,
    /// The selected battle as it was saved, or why it cannot be loaded.
    loaded: Option<Result<Session, Unloadable>>,
    /// Its map, and the size of the map in layout pixels.
    map: Option<(Handle<Image>, Vec2)>,
    /// The name typed so far.
    name: String,
    /// Whether the card has been built.
    is_up: bool,
}

impl Browser {
    fn new(what: Browse, shelves: &Shelves) -> Self {
        let shelf = match what {
            Browse::Load | Browse::Save => &shelves.saves,
            Browse::Replays => &shelves.replays,
        };
        let mut browser = Self {
            what,
            shelf: shelf.clone(),
            entries: vec![],
            chosen: 0,
            loaded: None,
            map: None,
            name: String::new(),
            is_up: false,
        };
        browser.read();
        browser
    }

    /// Reads the folder again.
    fn read(&mut self) {
        self.entries = self.shelf.as_ref().map_or(vec![], SaveFolder::list);
        if self.what == Browse::Save {
            // The player cannot overwrite autosaves and quick saves.
            self.entries.retain(|e| e.kind == SaveKind::Named);
        }
        self.choose(self.chosen);
    }

    fn choose(&mut self, n: usize) {
        self.chosen = n.min(self.entries.len().saturating_sub(1));
        self.loaded = self.entries.get(self.chosen).map(SaveEntry::load);
        self.map = None;
    }

    /// Whether the selected battle can be loaded, completely or up to some point.
    fn can_open(&self) -> bool {
        let opens = |loaded: &Result<Session, Unloadable>| match loaded {
            Ok(_) => true,
            Err(broken) => broken.valid_answers > 0,
        };
        self.loaded.as_ref().is_some_and(opens)
    }

    /// The selected entry.
    pub fn chosen(&self) -> Option<&SaveEntry> {
        self.entries.get(self.chosen)
    }

    pub fn entries(&self) -> &[SaveEntry] {
        &self.entries
    }

    /// The save that the typed name would overwrite.
    pub fn rival(&self) -> Option<&SaveEntry> {
        let path = self.shelf.as_ref()?.path(&index::stem_of(&self.name));
        self.entries.iter().find(|e| e.path == path)
    }
}

/// Opens the list of files, and loads, deletes or saves its files.
fn apply_browser_commands(
    mut app_commands: MessageReader<AppCommand>,
    mut browser: Option<ResMut<Browser>>,
    session: Option<Res<Session>>,
    shelves: Res<Shelves>,
    mut toasts: MessageWriter<Toast>,
    mut commands: Commands,
) {
    for app_command in app_commands.read() {
        let AppCommand::File(command) = app_command else {
            continue;
        };
        match (command, browser.as_mut()) {
            (FileCommand::Browse(what), _) => {
                commands.insert_resource(Browser::new(*what, &shelves));
            }
            (_, None) => {}
            (FileCommand::Choose(n), Some(browser)) => {
                browser.choose(*n);
                if browser.what == Browse::Save {
                    browser.name = browser.chosen().map(SaveEntry::name).unwrap_or_default();
                }
            }
            (FileCommand::Open, Some(browser)) => open(browser, &mut commands),
            (FileCommand::Delete, Some(browser)) => {
                let path = browser.chosen().map(|e| e.path.clone());
                if let (Some(shelf), Some(path)) = (&browser.shelf, path)
                    && let Err(why) = shelf.remove(&path)
                {
                    let title = String::from("Could not delete it");
                    commands.write_message(AppCommand::Tell(title, why));
                }
                browser.read();
            }
            (FileCommand::Save, Some(browser)) => {
                if let Some(reply) = save(browser, session.as_deref(), &mut toasts) {
                    commands.write_message(reply);
                }
            }
        }
    }
}

/// Loads the selected file. If only its beginning still works, asks whether to play
/// on from there. Its card already says why a file cannot be loaded at all.
fn open(browser: &mut Browser, commands: &mut Commands) {
    if let (Some(entry), Some(Err(broken))) = (browser.chosen(), &browser.loaded)
        && broken.valid_answers > 0
    {
        commands.write_message(autosave::salvage(&entry.path, broken));
        return;
    }
    let path = browser.chosen().map(|e| e.path.clone());
    let ready = browser.loaded.take_if(|loaded| loaded.is_ok());
    let (Some(path), Some(Ok(session))) = (path, ready) else {
        return;
    };
    commands.queue(move |world: &mut World| match session.game.is_over() {
        true => autosave::show(world, session.into_replay()),
        false => autosave::go_on(world, session, &path),
    });
}

/// Saves the battle under the typed name.
fn save(
    browser: &mut Browser,
    session: Option<&Session>,
    toasts: &mut MessageWriter<Toast>,
) -> Option<AppCommand> {
    let (Some(shelf), Some(session)) = (&browser.shelf, session) else {
        return None;
    };
    let name = match browser.name.trim() {
        "" => {
            let round = words::round(session.shown().clock.round);
            format!("{}, {round}", session.game.level().title)
        }
        name => name.to_owned(),
    };
    let recording = session.recording(&name);
    match shelf.save(&index::stem_of(&name), &recording) {
        Ok(_) => {
            toasts.write(Toast(format!("Saved as {name}.")));
            Some(AppCommand::Close)
        }
        Err(why) => Some(AppCommand::Tell(String::from("Could not save"), why)),
    }
}

/// Removes the list's state once its card is closed.
fn forget(browser: Res<Browser>, cards: Query<(), With<BrowserCard>>, mut commands: Commands) {
    if browser.is_up && !browser.is_changed() && cards.is_empty() {
        commands.remove_resource::<Browser>();
    }
}

fn build(
    mut browser: ResMut<Browser>,
    old: Query<Entity, With<BrowserCard>>,
    room: Room,
    mut images: ResMut<Assets<Image>>,
    mut commands: Commands,
) {
    // The player closed the card and something else, such as a resize, asks to
    // rebuild it: leave it closed.
    if browser.is_up && old.is_empty() {
        return;
    }
    despawn_all(&mut commands, &old);
    let browser = browser.bypass_change_detection();
    browser.is_up = true;
    let scale = room.screen_scale();
    draw_map(browser, &mut images, (room.size() - AROUND, scale));
    let browser = &*browser;
    let saves = browser.what == Browse::Save;
    let (heading, enter) = match browser.what {
        Browse::Load => ("Load a battle", AppCommand::File(FileCommand::Open)),
        Browse::Replays => ("Replays", AppCommand::File(FileCommand::Open)),
        Browse::Save => ("Save the battle", save_command(browser)),
    };
    let enter = (saves || browser.can_open()).then_some(enter);
    let root = (BrowserCard, Replies::new(enter, AppCommand::Close));
    // Without files there is nothing to show beside the list, so the card is as large as its text.
    let is_empty = browser.entries.is_empty();
    let (node, body) = match is_empty {
        true => (card(), Node::default()),
        false => {
            let node = card().width(percent(94)).height(percent(92));
            (node, fill_height(default()))
        }
    };
    let node = node.max_width(px(1500)).row_gap(8.0);
    let card = (node, panel_style(Panel::Card));
    spawn_modal(&mut commands, ("Saves", 60), root, card, |card| {
        card.spawn(heading_text(heading));
        card.spawn(rule());
        if saves {
            name_row(card, browser);
        }
        card.spawn_with(body.column_gap(theme::GAP), |body| {
            list(body, browser);
            if !is_empty {
                details(body, browser);
            }
        });
        card.spawn_with(row(10.0), |foot| feet(foot, browser));
    });
}

/// The command of the save button: asks first if it would overwrite a file.
fn save_command(browser: &Browser) -> AppCommand {
    match browser.rival() {
        Some(_) => AppCommand::Ask(Box::new(AppCommand::File(FileCommand::Save))),
        None => AppCommand::File(FileCommand::Save),
    }
}

/// Keeps Enter and the save button up to date with what the typed name would
/// overwrite.
fn mind_name(
    browser: Res<Browser>,
    mut cards: Query<&mut Replies, With<BrowserCard>>,
    mut buttons: Query<&mut SendOnPress<AppCommand>, With<Saves>>,
) {
    if browser.what != Browse::Save {
        return;
    }
    let now = save_command(&browser);
    for mut replies in &mut cards {
        replies.set_if_neq(Replies::new(Some(now.clone()), AppCommand::Close));
    }
    for mut does in &mut buttons {
        does.set_if_neq(SendOnPress(now.clone()));
    }
}

/// The space that everything but the map takes up, in layout pixels.
const AROUND: Vec2 = Vec2::new(580.0, 420.0);

fn draw_map(browser: &mut Browser, images: &mut Assets<Image>, (room, scale): (Vec2, f32)) {
    let Some(Ok(session)) = &browser.loaded else {
        return;
    };
    let shown = session.shown();
    let (cell_px, size) = small_map::fit(&shown.board, room.max(Vec2::splat(120.0)), scale);
    if browser.map.as_ref().is_none_or(|m| m.1 != size) {
        let light = session.game.level().light;
        let image = small_map::draw((&shown.board, light), &shown.units, cell_px);
        browser.map = Some((images.add(image), size));
    }
}

fn name_row(card: &mut ChildSpawnerCommands, browser: &Browser) {
    card.spawn_with(row(10.0), |row| {
        row.spawn(strong_text("Name"));
        let any = |c: char| !c.is_control();
        let field = entry("Name of the save", &browser.name, 360.0, 40, any);
        row.spawn((NameEntry, AutoFocus, field));
        let button = word_button("Save (Enter)", Panel::ButtonPrimary);
        let save = SendOnPress(AppCommand::File(FileCommand::Save));
        row.spawn((button, save, Saves));
        row.spawn(faded("Leave empty to name it after the level and round."));
    });
}

/// The save button. What it does depends on the typed name.
#[derive(Component)]
pub struct Saves;

fn list(body: &mut ChildSpawnerCommands, browser: &Browser) {
    let node = rigid(column(6.0).width(px(380)).padding(3.0, 3.0).scrolling());
    body.spawn_with((node, KeepsScroll("saves")), |list| {
        let nothing = match browser.what {
            _ if browser.shelf.is_none() => NOWHERE,
            Browse::Replays => "No finished battles yet.",
            Browse::Load => "No saves yet.",
            Browse::Save => {
                "No saves with a name yet. Quick saves and autosaves are in the list of Load."
            }
        };
        if browser.entries.is_empty() {
            list.spawn(text(nothing, TextStyle::Body, palette::FADED_INK));
        }
        for (n, entry) in browser.entries.iter().enumerate() {
            line(list, n, entry, n == browser.chosen);
        }
    });
}

fn line(list: &mut ChildSpawnerCommands, n: usize, entry: &SaveEntry, is_chosen: bool) {
    let panel = match (is_chosen, &entry.found) {
        (true, _) => Panel::CardActive,
        (_, Ok(_)) => Panel::Card,
        (_, Err(_)) => Panel::CardPale,
    };
    let node = column(0.0).align(AlignItems::Stretch).padding(12.0, 6.0);
    let choose = SendOnPress(AppCommand::File(FileCommand::Choose(n)));
    list.spawn_with((button(panel, node), choose), |words| {
        let small = |words: String, ink| text(words, TextStyle::Small, ink);
        let Some(save_info) = entry.save_info() else {
            let bad = match entry.found {
                Ok(_) => "A recording",
                Err(_) => "Can't be read",
            };
            words.spawn(text(entry.name(), TextStyle::Strong, panel.text()));
            words.spawn(small(bad.into(), palette::DANGER));
            return;
        };
        let rules = entry.found.as_ref().map_or("", |r| &r.rules);
        words.group(row(10.0), |head| {
            let name = text(entry.name(), TextStyle::Strong, panel.text());
            head.spawn((name, fill_width(default())));
            let when = index::ago(save_info.when, session::now());
            head.spawn(one_line(when, TextStyle::Small, palette::FADED_INK));
        });
        let round = words::round(save_info.round);
        let place = match &save_info.verdict {
            Some(verdict) => format!("{rules} · {verdict} in {round}"),
            None => format!("{} · {rules} · {round}", save_info.title),
        };
        words.spawn(small(place, palette::FADED_INK));
    });
}

fn details(body: &mut ChildSpawnerCommands, browser: &Browser) {
    let node = fill_width(card()).row_gap(6.0).clipped();
    body.spawn_with((node, panel_style(Panel::CardLight)), |card| {
        let (Some(entry), Some(loaded)) = (browser.chosen(), &browser.loaded) else {
            return;
        };
        let session = match loaded {
            Ok(session) => session,
            Err(broken) => {
                card.spawn(heading_text(entry.name()));
                let words = match broken.valid_answers {
                    0 => "Can't be used. The file is not changed.",
                    _ => "No longer runs to the end. The file is not changed.",
                };
                card.spawn(text(words, TextStyle::Strong, palette::DANGER));
                card.spawn(body_text(broken.why.clone()));
                if broken.valid_answers > 0 {
                    let words = "You can continue from the last move that still runs.";
                    card.spawn(body_text(words));
                }
                let path = entry.path.display().to_string();
                card.spawn(faded(path));
                return;
            }
        };
        if let Some((image, size)) = &browser.map {
            let node = sized(size.x, size.y);
            card.spawn_with(small_map::frame(), |frame| {
                frame.spawn((ImageNode::new(image.clone()), node));
            });
        }
        card.spawn(heading_text(session.game.level().title.clone()));
        let facts = format!(
            "{} · {} · seed {} · {}",
            session.game.rules().id,
            words::round(session.shown().clock.round),
            session.game.seed(),
            words::count(session.game.answered(), "action")
        );
        card.spawn(body_text(facts));
        card.spawn(body_text(controllers(session)));
        let when = match entry.when() {
            0 => entry.file(),
            when => format!("{} UTC", index::date(when)),
        };
        card.spawn(faded(when));
    });
}

/// The controller and handicap of each side: "Party: human · Goblins: Normal AI, HP bonus
/// 10%". An AI is named by its difficulty, which the player has chosen.
fn controllers(session: &Session) -> String {
    let sides = session.game.level().sides.iter();
    let controller = |(side, controller): (&LevelSide, &SideController)| {
        let bonus = match side.handicap {
            0 => String::new(),
            points => format!(", HP bonus {}%", i32::from(points) * handicap::PERCENT),
        };
        let difficulty = match controller {
            SideController::Ai(player) => difficulty::played_by(*player),
            SideController::Human => None,
        };
        let name = match difficulty {
            Some(difficulty) => format!("{} AI", difficulty.name()),
            None => String::from(controller_name(*controller)),
        };
        format!("{}: {name}{bonus}", capitalised(&side.name))
    };
    let all = sides.zip(session.game.controllers()).map(controller);
    all.collect::<Vec<_>>().join(" · ")
}

/// The controller of a side in one word.
pub fn controller_name(controller: SideController) -> &'static str {
    match controller {
        SideController::Human => "human",
        SideController::Ai(Player::Strategist(_)) => "strategist",
        SideController::Ai(Player::Quick) => "quick",
        SideController::Ai(Player::Easy) => "easy",
        SideController::Ai(Player::Random) => "random",
        SideController::Ai(Player::Idle) => "passive",
        SideController::Ai(Player::External(_)) => "external",
    }
}

fn feet(foot: &mut ChildSpawnerCommands, browser: &Browser) {
    let opens = match browser.what {
        Browse::Load => Some("Load (Enter)"),
        Browse::Replays => Some("Watch (Enter)"),
        Browse::Save => None,
    };
    if let Some(words) = opens {
        let panel = Panel::ButtonPrimary.pale_if(!browser.can_open());
        panel_button(foot, (words, panel), AppCommand::File(FileCommand::Open));
    }
    if browser.chosen().is_some() {
        let delete = AppCommand::Ask(Box::new(AppCommand::File(FileCommand::Delete)));
        panel_button(foot, ("Delete", Panel::ButtonDanger), delete);
    }
    foot.spawn(spacer());
    message_button(foot, "Back (Esc)", AppCommand::Close);
}
