//! Accessibility for screen readers: describes every control with its label, tip and
//! state, every text, the cell under the cursor with its card, and news. Active only
//! while a screen reader is listening.

use super::{Phase, Screen, Selection, Session, art::hud::Panel, hud::InspectCard, modal::Modal};
use crate::{
    battle::LogLevel,
    ui::widgets::{Skin, Tip},
};
use accesskit::{Action, Live, Node as Told, Role};
use bevy::{
    a11y::{AccessibilityNode, AccessibilityRequested, AccessibilitySystems, ActionRequest},
    ecs::system::SystemParam,
    input_focus::{FocusCause, InputFocus},
    prelude::*,
    text::EditableText,
    ui::InteractionDisabled,
    ui_widgets::{Activate, Button, Checkbox, Slider, SliderValue},
};

pub(super) fn plugin(app: &mut App) {
    app.add_message::<ActionRequest>();
    app.add_systems(Startup, open_regions);
    let listening = |asked: Res<AccessibilityRequested>| asked.get();
    app.add_systems(
        PostUpdate,
        (describe, point.run_if(resource_exists::<Session>), narrate)
            .chain()
            .before(AccessibilitySystems::Update)
            .run_if(listening),
    );
    app.add_systems(Update, press.in_set(Phase::Input).run_if(listening));
}

/// A region that is read out whenever it changes.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Region {
    /// The cell under the cursor.
    Cursor,
    /// What has happened.
    News,
}

fn open_regions(mut commands: Commands) {
    for region in [Region::Cursor, Region::News] {
        let mut spoken = Told::new(Role::Status);
        spoken.set_live(Live::Polite);
        commands.spawn((region, AccessibilityNode(spoken)));
    }
}

/// Collects the text of a part of the window in its visual order.
#[derive(SystemParam)]
struct Reading<'w, 's> {
    parts: Query<'w, 's, &'static Children>,
    words: Query<'w, 's, (Option<&'static Text>, Option<&'static TextSpan>)>,
    shown: Query<'w, 's, &'static InheritedVisibility>,
}

impl Reading<'_, '_> {
    fn of(&self, entity: Entity) -> String {
        let mut all = vec![];
        self.gather(entity, &mut all);
        all.join(" ")
    }

    fn gather(&self, entity: Entity, all: &mut Vec<String>) {
        if self.shown.get(entity).is_ok_and(|shown| !shown.get()) {
            return;
        }
        if let Ok((text, span)) = self.words.get(entity) {
            let own = text.map(|t| &t.0).or(span.map(|s| &s.0));
            all.extend(
                own.map(|own| own.trim().to_owned())
                    .filter(|w| !w.is_empty()),
            );
        }
        for &part in self.parts.get(entity).into_iter().flatten() {
            self.gather(part, all);
        }
    }
}

/// The components that determine what a node is.
type Kind<'a> = (
    (
        Has<Button>,
        Has<Checkbox>,
        Option<&'a SliderValue>,
        Has<Slider>,
    ),
    (Option<&'a EditableText>, Has<Text>, Has<Modal>),
    (Option<&'a Tip>, Option<&'a Skin>, Has<InteractionDisabled>),
    Option<&'a ChildOf>,
);

/// Gives every node of the window its role, label and state.
fn describe(
    mut nodes: Query<
        (
            Entity,
            Kind,
            Option<&mut AccessibilityNode>,
            &InheritedVisibility,
        ),
        With<Node>,
    >,
    controls: Query<(), Or<(With<Button>, With<Checkbox>, With<EditableText>)>>,
    parents: Query<&ChildOf>,
    reading: Reading,
    mut commands: Commands,
) {
    for (entity, kind, spoken, shown) in &mut nodes {
        let ((is_button, is_box, value, is_slider), (entry, is_text, is_modal), what, parent) =
            kind;
        let (tip, skin, is_disabled) = what;
        let is_control = is_button || is_box || is_slider || entry.is_some();
        let is_inside = parent.is_some_and(|parent| {
            let mut above =
                std::iter::once(parent.parent()).chain(parents.iter_ancestors(parent.parent()));
            above.any(|other| controls.contains(other))
        });
        let role = match () {
            () if entry.is_some() => Role::TextInput,
            () if is_box => Role::CheckBox,
            () if is_slider => Role::Slider,
            () if is_button => Role::Button,
            () if is_modal => Role::Dialog,
            () if is_text && !is_inside => Role::Label,
            () => Role::GenericContainer,
        };
        // Keep the state that the widgets set themselves.
        let mut now = match &spoken {
            Some(spoken) => spoken.0.clone(),
            None => Told::new(role),
        };
        now.set_role(role);
        match shown.get() {
            true => now.clear_hidden(),
            false => now.set_hidden(),
        }
        if is_control {
            let lines = tip.map_or(&[][..], |tip| &tip.0);
            let mut lines = lines.iter().map(|line| line.text.as_str());
            let own = match entry {
                Some(_) => String::new(),
                None => reading.of(entity),
            };
            // Fall back to the label it already has.
            let label = match own.is_empty() {
                true => lines.next().map(str::to_owned),
                false => Some(own),
            };
            if let Some(label) = label {
                now.set_label(label);
            }
            let more = lines.collect::<Vec<_>>().join(". ");
            match more.is_empty() {
                true => now.clear_description(),
                false => now.set_description(more),
            }
            if let Some(entry) = entry {
                now.set_value(entry.value().to_string());
            }
            if let Some(value) = value {
                now.set_numeric_value(value.0.into());
            }
            match is_disabled || skin.is_some_and(|skin| skin.0 == Panel::CardPale) {
                true => now.set_disabled(),
                false => now.clear_disabled(),
            }
            match skin.is_some_and(|skin| skin.0 == Panel::CardActive) {
                true => now.set_selected(true),
                false => now.clear_selected(),
            }
            now.add_action(Action::Focus);
            if is_button || is_box {
                now.add_action(Action::Click);
            }
        } else if role == Role::Label {
            now.set_value(reading.of(entity));
        }
        match spoken {
            Some(mut spoken) => {
                if spoken.0 != now {
                    spoken.0 = now;
                }
            }
            None => {
                commands.entity(entity).try_insert(AccessibilityNode(now));
            }
        }
    }
}

fn say(region: Region, words: String, regions: &mut Query<(&Region, &mut AccessibilityNode)>) {
    for (own, mut spoken) in regions {
        if *own == region && spoken.0.value() != Some(words.as_str()) {
            spoken.0.set_value(words.as_str());
        }
    }
}

/// Describes the cell under the cursor with the text of its card.
fn point(
    selection: Res<Selection>,
    cards: Query<Entity, With<InspectCard>>,
    reading: Reading,
    mut regions: Query<(&Region, &mut AccessibilityNode)>,
) {
    let Some(cell) = selection.cursor else {
        return;
    };
    let card = cards.iter().map(|card| reading.of(card));
    let words = card.collect::<Vec<_>>().join(" ");
    let place = format!("Column {}, row {}. {words}", cell.x, cell.y);
    say(Region::Cursor, place, &mut regions);
}

/// Reads out new log lines in a battle; on other screens, the new screen.
fn narrate(
    session: Option<Res<Session>>,
    screen: Res<State<Screen>>,
    mut read: Local<(u32, usize)>,
    mut regions: Query<(&Region, &mut AccessibilityNode)>,
) {
    let Some(session) = session.filter(|_| *screen == Screen::Battle) else {
        return;
    };
    let shown = session.shown();
    let (epoch, at) = *read;
    *read = (shown.epoch, shown.events);
    // After an undo or a skip, what is shown is not news.
    if epoch != shown.epoch || at >= shown.events {
        return;
    }
    let names = session.game.names();
    let news = session.known_events_since(at).filter_map(|event| {
        let line = event.describe(names)?;
        (line.depth <= LogLevel::Fact).then_some(line.text)
    });
    let words = news.collect::<Vec<_>>().join(". ");
    if !words.is_empty() {
        say(Region::News, words, &mut regions);
    }
}

/// Handles controls that are pressed or focused through a screen reader.
fn press(
    mut asked: MessageReader<ActionRequest>,
    controls: Query<(), With<AccessibilityNode>>,
    mut focus: ResMut<InputFocus>,
    mut commands: Commands,
) {
    for asked in asked.read() {
        let Some(entity) = Entity::try_from_bits(asked.target_node.0) else {
            continue;
        };
        if !controls.contains(entity) {
            continue;
        }
        match asked.action {
            Action::Click => commands.trigger(Activate { entity }),
            Action::Focus => focus.set(entity, FocusCause::Navigated),
            _ => {}
        }
    }
}
