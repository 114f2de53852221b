//! The settings card, shown over any screen. Changes take effect immediately and need
//! no confirmation.

use super::{Amount, Pace, Settings, Volumes};
use crate::{
    rulesets,
    ui::{
        Phase,
        art::{
            hud::Panel,
            palette::{self, Scheme},
        },
        input::{
            Bindings, Device, FirstFocus, Key, KeyLabel, Layout, Stroke, focus, rebind,
            standard_keys,
        },
        modal::spawn_modal,
        ruleset_ui,
        scrollbars::KeepsScroll,
        theme::{Appearance, TextStyle, body_text, faded, heading_text, strong_text, text},
        widgets::{
            Hint, NodeExt, Skin, SpawnWith, Ticked, button, card, checkbox, column, despawn_all,
            fill_width, key_button, line_colour, list_node, panel_style, rigid, row, rule, slider,
            spacer, word_button, wrapping_row,
        },
    },
};
use bevy::{
    input::{ButtonState, keyboard::KeyboardInput},
    input_focus::{InputFocus, InputFocusVisible},
    prelude::*,
    ui::{UiGlobalTransform, UiSystems},
    ui_widgets::{Activate, SliderValue, ValueChange},
};
use std::collections::BTreeSet;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Open>().init_resource::<HeldRow>();
    app.add_systems(PostUpdate, hold_row.after(UiSystems::PostLayout));
    app.add_observer(press)
        .add_observer(slide)
        .add_observer(tick)
        .add_observer(on_opens);
    // While a key is being rebound, the arrow keys do not move the focus.
    let is_free = |shown: Res<Open>| shown.listens.is_none();
    app.configure_sets(Update, focus::Steering.run_if(is_free));
    app.add_systems(
        Update,
        (
            listen.before(focus::Steering),
            keys.after(focus::Steering).before(Phase::Input),
            (
                build.run_if(resource_changed::<Open>.or_else(resource_changed::<Appearance>)),
                show_values.run_if(resource_changed::<Settings>.or_else(resource_changed::<Open>)),
            )
                .chain()
                .in_set(Phase::Draw),
        ),
    );
}

/// A button that opens the settings.
#[derive(Component, Clone, Copy, Default, Debug)]
pub struct OpensSettings;

fn on_opens(on: On<Activate>, buttons: Query<(), With<OpensSettings>>, mut shown: ResMut<Open>) {
    if buttons.contains(on.entity) {
        shown.tab = Some(Tab::Game);
    }
}

/// Opens the settings.
pub fn open(mut shown: ResMut<Open>) {
    shown.tab = Some(Tab::Game);
}

/// The open part of the settings.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct Open {
    /// The open tab. `None` if the settings are closed.
    tab: Option<Tab>,
    /// The key that waits for a new binding, and whether the focus ring was visible.
    listens: Option<(Key, bool)>,
    /// A message about the last binding.
    word: String,
}

impl Open {
    pub fn is_open(&self) -> bool {
        self.tab.is_some()
    }

    /// The key that waits for a new binding.
    pub fn listens_for(&self) -> Option<Key> {
        self.listens.map(|l| l.0)
    }
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tab {
    Game,
    Keys,
}

/// The card and the backdrop behind it.
#[derive(Component)]
pub struct SettingsCard;

/// The buttons of the card.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub enum CardButton {
    Tab(Tab),
    /// Rebind this key.
    Bind(Key),
    /// Reset all keys.
    StandardKeys,
    /// Reset everything except the keys.
    StandardGame,
    Close,
}

/// A volume slider.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Loudness {
    Master,
    Ambience,
    Effects,
    Ui,
}

impl Loudness {
    fn of(self, volumes: &mut Volumes) -> &mut u8 {
        match self {
            Self::Master => &mut volumes.master,
            Self::Ambience => &mut volumes.ambience,
            Self::Effects => &mut volumes.effects,
            Self::Ui => &mut volumes.ui,
        }
    }
}

/// A checkbox of the card.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Switch {
    Follow,
    Warn,
    Review,
    Forecast,
    FullScreen,
    Vsync,
    Dice,
    LessMotion,
}

impl Switch {
    fn of(self, settings: &mut Settings) -> &mut bool {
        match self {
            Self::Follow => &mut settings.follow,
            Self::Warn => &mut settings.warn,
            Self::Review => &mut settings.review,
            Self::Forecast => &mut settings.forecast,
            Self::FullScreen => &mut settings.full_screen,
            Self::Vsync => &mut settings.vsync,
            Self::Dice => &mut settings.dice,
            Self::LessMotion => &mut settings.less_motion,
        }
    }
}

/// One of several values of a setting.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Choice {
    TextPercent(u16),
    InterfacePercent(u16),
    Palette(Scheme),
    OwnPace(Pace),
    OthersPace(Pace),
    Shake(Amount),
    Flashes(Amount),
}

impl Choice {
    fn is_made(self, settings: &Settings) -> bool {
        let mut with = settings.clone();
        self.make(&mut with);
        with == *settings
    }

    fn make(self, settings: &mut Settings) {
        match self {
            Self::TextPercent(percent) => settings.text_percent = percent,
            Self::InterfacePercent(percent) => settings.interface_percent = percent,
            Self::Palette(palette) => settings.palette = palette,
            Self::OwnPace(pace) => settings.own_pace = pace,
            Self::OthersPace(pace) => settings.others_pace = pace,
            Self::Shake(amount) => settings.shake = amount,
            Self::Flashes(amount) => settings.flashes = amount,
        }
    }

    fn words(self) -> String {
        match self {
            Self::TextPercent(percent) | Self::InterfacePercent(percent) => format!("{percent}%"),
            Self::Palette(palette) => String::from(palette.name()),
            Self::OwnPace(pace) | Self::OthersPace(pace) => String::from(pace.name()),
            Self::Shake(amount) | Self::Flashes(amount) => String::from(amount.name()),
        }
    }

    fn panel(self, settings: &Settings) -> Panel {
        Panel::Card.active_if(self.is_made(settings))
    }
}

/// The pressed choice, whose row stays where it is on the screen: a larger text size moves the rows,
/// and the next click would change another setting.
#[derive(Resource, Default)]
struct HeldRow(Option<HeldChoice>);

struct HeldChoice {
    choice: Choice,
    /// Its place in the window, in pixels from the top.
    y: f32,
    /// The frames until the new layout is final.
    frames: u8,
}

/// The number of frames after a change until the layout is final.
const SETTLES: u8 = 6;

/// Scrolls the page so that the pressed choice stays in its place. Where the page has too little above
/// it, space is added.
fn hold_row(
    mut held: ResMut<HeldRow>,
    choices: Query<(Entity, &Choice, &UiGlobalTransform)>,
    parents: Query<&ChildOf>,
    mut pages: Query<(&mut Node, &mut ScrollPosition, &ComputedNode), With<KeepsScroll>>,
) {
    let Some(row) = &mut held.0 else { return };
    row.frames -= 1;
    let found = choices.iter().find(|(_, choice, _)| **choice == row.choice);
    if let Some((entity, _, place)) = found
        && let Some(page) = parents.iter_ancestors(entity).find(|&e| pages.contains(e))
        && let Ok((mut node, mut position, laid)) = pages.get_mut(page)
    {
        let by = (place.translation.y - row.y) * laid.inverse_scale_factor;
        let wanted = position.y + by;
        if by.abs() >= 0.5 {
            position.y = wanted.max(0.0);
            if let (true, Val::Px(above)) = (wanted < 0.0, node.padding.top) {
                node.padding.top = px(above - wanted);
            }
        }
    }
    if row.frames == 0 {
        held.0 = None;
    }
}

/// The number beside a slider.
#[derive(Component)]
struct Number(Loudness);

fn press(
    on: On<Activate>,
    buttons: Query<&CardButton>,
    choices: Query<(&Choice, &UiGlobalTransform)>,
    mut held: ResMut<HeldRow>,
    mut settings: ResMut<Settings>,
    mut shown: ResMut<Open>,
    mut focus: ResMut<InputFocus>,
    mut visible: ResMut<InputFocusVisible>,
) {
    if let Ok((choice, place)) = choices.get(on.entity) {
        held.0 = Some(HeldChoice {
            choice: *choice,
            y: place.translation.y,
            frames: SETTLES,
        });
        choice.make(&mut settings);
    }
    let Ok(button) = buttons.get(on.entity) else {
        return;
    };
    shown.word.clear();
    match *button {
        CardButton::Tab(tab) => shown.tab = Some(tab),
        CardButton::Close => *shown = Open::default(),
        CardButton::StandardKeys => settings.keys.clear(),
        CardButton::StandardGame => {
            *settings = Settings {
                keys: settings.keys.clone(),
                window: settings.window,
                ..default()
            }
        }
        CardButton::Bind(key) => {
            shown.listens = Some((key, visible.0));
            // The next key press is the new binding: nothing may have the focus.
            focus.clear();
            visible.0 = false;
        }
    }
}

fn slide(on: On<ValueChange<f32>>, sliders: Query<&Loudness>, mut settings: ResMut<Settings>) {
    if let Ok(loudness) = sliders.get(on.source) {
        *loudness.of(&mut settings.volumes) = on.value.round().clamp(0.0, 100.0) as u8;
    }
}

fn tick(on: On<ValueChange<bool>>, switches: Query<&Switch>, mut settings: ResMut<Settings>) {
    if let Ok(switch) = switches.get(on.source) {
        *switch.of(&mut settings) = on.value;
    }
}

const SHIFTS: [KeyCode; 2] = [KeyCode::ShiftLeft, KeyCode::ShiftRight];
/// Keys that are not a binding on their own.
const MODIFIERS: [KeyCode; 8] = [
    KeyCode::ShiftLeft,
    KeyCode::ShiftRight,
    KeyCode::ControlLeft,
    KeyCode::ControlRight,
    KeyCode::AltLeft,
    KeyCode::AltRight,
    KeyCode::SuperLeft,
    KeyCode::SuperRight,
];

/// Binds the waiting key to the next key press.
fn listen(
    mut strokes: MessageReader<KeyboardInput>,
    (keyboard, layout): (Res<ButtonInput<KeyCode>>, Res<Layout>),
    mouse: Res<ButtonInput<MouseButton>>,
    keys: Res<ButtonInput<Key>>,
    device: Res<Device>,
    mut shown: ResMut<Open>,
    mut settings: ResMut<Settings>,
    mut visible: ResMut<InputFocusVisible>,
) {
    let Some((key, had_ring)) = shown.listens else {
        return strokes.clear();
    };
    // Ignore the key press that started the rebinding.
    if shown.is_changed() {
        return strokes.clear();
    }
    let is_stroke = |s: &&KeyboardInput| {
        s.state == ButtonState::Pressed && !s.repeat && !MODIFIERS.contains(&s.key_code)
    };
    let label = strokes.read().find(is_stroke).map(KeyLabel::of);
    let gives_up = mouse.get_just_pressed().next().is_some()
        || *device == Device::Pad && keys.just_pressed(Key::Back)
        || label.is_some_and(|label| label.key == Some(KeyCode::Escape)) && key != Key::Back;
    if !gives_up && label.is_none() {
        return;
    }
    shown.listens = None;
    visible.0 = had_ring;
    if let Some(KeyLabel { key: code, typed }) = label.filter(|_| !gives_up) {
        let Some(code) = code else {
            shown.word = String::from("This key can't be used. Choose another one.");
            return;
        };
        let shift = keyboard.any_pressed(SHIFTS);
        let ctrl = key.of_editor().is_some() && layout.has_control(&keyboard);
        let stroke = Stroke {
            key: code,
            shift,
            ctrl,
            typed,
        };
        let other = rebind(&mut settings.keys, key, stroke);
        let now = Bindings::new(&settings.keys);
        shown.word = match other {
            None => format!("{}: {stroke}", key.title()),
            Some(other) => {
                let name = now.stroke(other).map(|s| s.to_string());
                format!(
                    "{stroke} was “{}”, which is now {}",
                    other.title(),
                    name.as_deref().unwrap_or("without a key")
                )
            }
        };
    }
}

/// While the card is open, it alone receives the game's keys.
fn keys(mut keys: ResMut<ButtonInput<Key>>, mut shown: ResMut<Open>) {
    if !shown.is_open() {
        if keys.just_pressed(Key::Settings) {
            focus::take(&mut keys, &[Key::Settings]);
            shown.tab = Some(Tab::Game);
        }
        return;
    }
    let closes = keys.just_pressed(Key::Settings) || keys.just_pressed(Key::Back);
    if closes && shown.listens.is_none() && !shown.is_changed() {
        *shown = Open::default();
    }
    // Enter presses the card's own button.
    let confirms = keys.just_pressed(Key::Confirm) && shown.listens.is_none();
    keys.reset_all();
    if confirms {
        keys.press(Key::Confirm);
    }
}

fn build(
    shown: Res<Open>,
    settings: Res<Settings>,
    old: Query<Entity, With<SettingsCard>>,
    mut commands: Commands,
) {
    despawn_all(&mut commands, &old);
    let Some(tab) = shown.tab else { return };
    let node = card()
        .width(percent(94))
        .max_width(px(940))
        .max_height(percent(94))
        .row_gap(6.0);
    let card = (node, panel_style(Panel::Card));
    let root = SettingsCard;
    spawn_modal(&mut commands, ("Settings", 80), root, card, |card| {
        head(card, tab);
        card.spawn(rule());
        let page = column(4.0).min_height(px(0)).padding(4.0, 4.0).scrolling();
        let scroll = KeepsScroll(match tab {
            Tab::Game => "settings",
            Tab::Keys => "keys",
        });
        card.spawn_with((page, scroll), |page| match tab {
            Tab::Game => game_page(page, &settings),
            Tab::Keys => keys_page(page, &shown),
        });
        card.spawn(rule());
        foot(card, tab, &shown);
    });
}

fn head(card: &mut ChildSpawnerCommands, tab: Tab) {
    card.group(wrapping(10.0), |head| {
        head.spawn(text("Settings", TextStyle::Title, palette::INK));
        head.spawn(spacer());
        for (of, words) in [(Tab::Game, "Game"), (Tab::Keys, "Keys")] {
            let panel = Panel::Card.active_if(of == tab);
            head.spawn((word_button(words, panel), CardButton::Tab(of)))
                .insert_if(FirstFocus, || of == tab);
        }
    });
}

fn foot(card: &mut ChildSpawnerCommands, tab: Tab, shown: &Open) {
    card.group(wrapping(10.0), |foot| {
        foot.spawn((
            key_button("Close ({})", Key::Back, Panel::ButtonPrimary),
            CardButton::Close,
        ));
        let (words, button) = match tab {
            Tab::Game => ("Reset to defaults", CardButton::StandardGame),
            Tab::Keys => ("Reset keys", CardButton::StandardKeys),
        };
        foot.spawn((word_button(words, Panel::Button), button));
        foot.spawn(text(shown.word.clone(), TextStyle::Body, palette::TEAL));
    });
}

/// A row that wraps if it is too long.
fn wrapping(gap: f32) -> Node {
    rigid(wrapping_row(gap, 6.0).width(percent(100)))
}

/// A row of the card: a label, and the widgets that `fill` spawns.
fn line(
    page: &mut ChildSpawnerCommands,
    words: &str,
    fill: impl FnOnce(&mut ChildSpawnerCommands),
) {
    page.group(rigid(row(8.0).width(percent(100))), |line| {
        let label = rigid(Node::default().width(percent(24)).min_width(px(120)));
        line.spawn((body_text(words), label));
        // What does not fit stays clear of the label.
        line.group(fill_width(wrapping(8.0)), fill);
    });
}

fn heading(page: &mut ChildSpawnerCommands, words: &str) {
    page.spawn((heading_text(words), rigid(Node::default().margin_top(6.0))));
}

fn choices(
    page: &mut ChildSpawnerCommands,
    settings: &Settings,
    words: &str,
    all: impl IntoIterator<Item = Choice>,
) {
    line(page, words, |line| {
        for choice in all {
            let panel = choice.panel(settings);
            line.spawn((word_button(&choice.words(), panel), choice));
        }
    });
}

fn game_page(page: &mut ChildSpawnerCommands, settings: &Settings) {
    heading(page, "Sound");
    let mut now = settings.clone();
    for (loudness, words) in [
        (Loudness::Master, "Master"),
        (Loudness::Ambience, "Music and ambience"),
        (Loudness::Effects, "Effects"),
        (Loudness::Ui, "Interface"),
    ] {
        line(page, words, |line| {
            let name = AccessibleLabel::new(format!("Volume: {words}"));
            line.spawn((slider(*loudness.of(&mut now.volumes)), loudness, name));
            line.spawn((body_text(""), Number(loudness)));
        });
    }
    heading(page, "Screen");
    let (least, most, step) = Settings::TEXT;
    let sizes = (least..=most).step_by(step.into()).map(Choice::TextPercent);
    choices(page, settings, "Text size", sizes);
    let sizes = Settings::INTERFACE.map(Choice::InterfacePercent);
    choices(page, settings, "Interface size", sizes);
    choices(page, settings, "Colours", Scheme::ALL.map(Choice::Palette));
    line(page, "Window", |line| {
        let words = "Full screen";
        line.spawn((checkbox(words, settings.full_screen), Switch::FullScreen));
        line.spawn((checkbox("Vertical sync", settings.vsync), Switch::Vsync));
    });
    let mut switch = |page: &mut ChildSpawnerCommands, label: &str, switch: Switch, words: &str| {
        line(page, label, |line| {
            line.spawn((checkbox(words, *switch.of(&mut now)), switch));
        });
    };
    heading(page, "Play");
    let paces = Pace::ALL.map(Choice::OwnPace);
    choices(page, settings, "Your animations", paces);
    let paces = Pace::ALL.map(Choice::OthersPace);
    choices(page, settings, "Enemy animations", paces);
    switch(page, "Camera", Switch::Follow, "Follow the action");
    let words = "Ask before provoking attacks or wasting actions";
    switch(page, "Warnings", Switch::Warn, words);
    let words = "Review the whole plan before each round";
    switch(page, "Plans", Switch::Review, words);
    let words = "Show your chance to win next to the round number";
    switch(page, "Forecast", Switch::Forecast, words);
    heading(page, "Motion");
    let amounts = Amount::ALL;
    choices(page, settings, "Shaking", amounts.map(Choice::Shake));
    choices(page, settings, "Flashes", amounts.map(Choice::Flashes));
    switch(page, "Initiative", Switch::Dice, "Show initiative rolls");
    switch(page, "Overall", Switch::LessMotion, "Reduce motion");
}

/// All keys with their purpose.
fn keys_page(page: &mut ChildSpawnerCommands, shown: &Open) {
    page.spawn(faded("Select an action, then press its new key (with or without Shift). If the key is taken, the two swap."));
    let mut known: Vec<Key> = standard_keys().into_iter().map(|(key, _)| key).collect();
    let mut seen = BTreeSet::new();
    known.retain(|key| seen.insert(*key));
    let (editor, battle): (Vec<Key>, Vec<Key>) =
        known.into_iter().partition(|key| key.of_editor().is_some());
    key_list(page, shown, battle);
    heading(page, "In the level editor");
    let words = "These work only in the editor; Ctrl is allowed too. Hold Space to drag the map.";
    page.spawn(faded(words));
    key_list(page, shown, editor);
}

fn key_list(page: &mut ChildSpawnerCommands, shown: &Open, keys: Vec<Key>) {
    let mut list = wrapping(16.0);
    list.row_gap = px(4);
    page.group(list, |list| {
        for key in keys {
            key_line(list, key, shown.listens_for() == Some(key));
        }
    });
}

fn key_line(list: &mut ChildSpawnerCommands, key: Key, listens: bool) {
    let panel = Panel::CardLight.active_if(listens);
    let node = list_node(34.0, 8.0).width(percent(48)).padding(10.0, 3.0);
    list.spawn_with((button(panel, node), CardButton::Bind(key)), |line| {
        line.spawn((body_text(title(key)), fill_width(default())));
        match listens {
            true => line.spawn(text("press a key", TextStyle::Strong, palette::TEAL)),
            false => line.spawn((strong_text(""), Hint::of_keyboard(key))),
        };
    });
}

/// The purpose of a key. For an action key also the names that the rulesets give it.
fn title(key: Key) -> String {
    let Key::Act(letter) = key else {
        return key.title();
    };
    let mut labels: Vec<String> = vec![];
    for rules in rulesets::ALL {
        let buttons = ruleset_ui::buttons(rules);
        let button = buttons.iter().find(|b| b.key == letter);
        for (_, act) in button.iter().flat_map(|b| b.acts.iter().take(1)) {
            let label = act.label.to_lowercase();
            if !labels.contains(&label) {
                labels.push(label);
            }
        }
    }
    match labels.is_empty() {
        true => format!("{}: none yet", key.title()),
        false => format!("{}: {}", key.title(), labels.join(", ")),
    }
}

/// Shows the current settings on the widgets.
fn show_values(
    settings: Res<Settings>,
    mut choices: Query<(&Choice, &mut Skin, &mut BorderColor)>,
    sliders: Query<(Entity, &Loudness, &SliderValue)>,
    mut switches: Query<(&Switch, &mut Ticked)>,
    mut numbers: Query<(&Number, &mut Text)>,
    mut commands: Commands,
) {
    let mut now = settings.clone();
    for (choice, mut skin, mut border) in &mut choices {
        let panel = choice.panel(&now);
        skin.set_if_neq(Skin(panel));
        border.set_if_neq(BorderColor::all(line_colour(panel)));
    }
    for (entity, loudness, value) in &sliders {
        let is = f32::from(*loudness.of(&mut now.volumes));
        if value.0 != is {
            commands.entity(entity).insert(SliderValue(is));
        }
    }
    for (switch, mut ticked) in &mut switches {
        ticked.set_if_neq(Ticked(*switch.of(&mut now)));
    }
    for (number, mut text) in &mut numbers {
        text.set_if_neq(Text(number.0.of(&mut now.volumes).to_string()));
    }
}
