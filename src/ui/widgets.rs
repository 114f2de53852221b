//! The widgets of cards and screens: Bevy's own widgets in the game's style.

pub use super::node_ext::NodeExt;

use super::{
    Phase,
    art::{
        hud::Panel,
        palette::{self, Rgb},
    },
    input::{Bindings, Device, FirstFocus, Key},
    modal::Modal,
    places::WarnPlace,
    room::Room,
    selection::Command,
    theme::{self, TextStyle, colour, one_line, text},
};
use bevy::{
    ecs::query::QueryFilter,
    input_focus::{InputFocus, InputFocusVisible},
    picking::{hover::Hovered, pointer::PointerLocation},
    prelude::*,
    text::RemSize,
    ui::{Checked, InteractionDisabled, Pressed, UiGlobalTransform, UiSystems},
    ui_widgets::{
        Activate, Button, Checkbox, Slider, SliderPrecision, SliderRange, SliderStep, SliderThumb,
        SliderValue, TrackClick,
    },
};

pub(super) fn plugin(app: &mut App) {
    app.add_observer(send_on_press::<Command>);
    app.add_systems(
        Update,
        (dress, hush.pipe(show_tip)).chain().in_set(Phase::Draw),
    );
    app.add_systems(
        PostUpdate,
        (write_hints, lay_sliders, tick_boxes, scale_widths, heighten).before(UiSystems::Content),
    );
}

/// Spawns several nodes at once.
pub trait SpawnWith {
    /// Spawns an entity and its children.
    fn spawn_with(&mut self, parent: impl Bundle, children: impl FnOnce(&mut ChildSpawnerCommands));

    /// Spawns a node that ignores the pointer, and its children.
    fn group(&mut self, node: Node, children: impl FnOnce(&mut ChildSpawnerCommands)) {
        self.spawn_with((node, Pickable::IGNORE), children);
    }

    /// Spawns a text for each line.
    fn lines<'a>(&mut self, lines: impl IntoIterator<Item = &'a String>, cut: TextStyle, ink: Rgb);
}

impl SpawnWith for ChildSpawnerCommands<'_> {
    fn spawn_with(
        &mut self,
        parent: impl Bundle,
        children: impl FnOnce(&mut ChildSpawnerCommands),
    ) {
        self.spawn(parent).with_children(children);
    }

    fn lines<'a>(&mut self, lines: impl IntoIterator<Item = &'a String>, cut: TextStyle, ink: Rgb) {
        for line in lines {
            self.spawn(text(line, cut, ink));
        }
    }
}

/// Despawns cards, some of which may be gone already.
pub fn despawn_all<F: QueryFilter>(commands: &mut Commands, cards: &Query<Entity, F>) {
    cards
        .iter()
        .for_each(|card| commands.entity(card).try_despawn());
}

/// What a place shows, with its node: a node that was laid out again is still empty.
pub type Filled<K> = Option<(Entity, K)>;

/// Rebuilds the children of a place if they show something else than `now`. Otherwise they keep
/// focus, scroll position and tooltip. Returns whether they were rebuilt.
pub fn refill<K: PartialEq>(
    commands: &mut Commands,
    (place, now): (Entity, K),
    shown: &mut Filled<K>,
    fill: impl FnOnce(&mut ChildSpawnerCommands, &K),
) -> bool {
    let now = (place, now);
    if shown.as_ref() == Some(&now) {
        return false;
    }
    let (_, now) = shown.insert(now);
    let mut place = commands.entity(place);
    place.despawn_children();
    place.with_children(|place| fill(place, now));
    true
}

/// Whether no button is held down: a rebuild would swallow the click.
pub fn is_nothing_pressed(pressed: Query<(), With<Pressed>>) -> bool {
    pressed.is_empty()
}

/// A button that sends a message when it is pressed. The plugin that reads the message adds
/// [`send_on_press`].
#[derive(Component, Clone, PartialEq, Debug)]
pub struct SendOnPress<M: Send + Sync + 'static>(pub M);

/// An observer that sends the message of a pressed button.
pub fn send_on_press<M: Message + Clone>(
    on: On<Activate>,
    buttons: Query<&SendOnPress<M>>,
    mut out: MessageWriter<M>,
) {
    if let Ok(SendOnPress(message)) = buttons.get(on.entity) {
        out.write(message.clone());
    }
}

/// The style of a button, by its purpose.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Skin(pub Panel);

/// The background, border and shadow of a card.
pub fn panel_style(panel: Panel) -> impl Bundle {
    (
        BackgroundColor(colour(panel.background())),
        BorderColor::all(line_colour(panel)),
        shadow(panel),
    )
}

/// The border colour of a panel.
pub fn line_colour(panel: Panel) -> Color {
    match panel {
        Panel::CardActive => colour(palette::GOLD),
        Panel::CardPale => colour(palette::CARD_PALE.mix(palette::INK, 0.3)),
        _ => colour(palette::INK),
    }
}

fn shadow(panel: Panel) -> BoxShadow {
    let ink = colour(palette::INK).with_alpha(if panel == Panel::CardPale { 0.0 } else { 0.28 });
    BoxShadow::new(ink, px(1), px(2), px(0), px(3))
}

/// A card: a column with a border.
pub fn card() -> Node {
    Node {
        flex_direction: FlexDirection::Column,
        padding: UiRect::axes(px(theme::PAD), px(12)),
        border: UiRect::all(px(theme::LINE)),
        border_radius: BorderRadius::all(px(theme::RADIUS)),
        ..default()
    }
}

/// A row whose items are vertically centred.
pub fn row(gap: f32) -> Node {
    Node::default().align(AlignItems::Center).column_gap(gap)
}

/// A row of words on one baseline, which wraps.
pub fn words_row(gap: f32) -> Node {
    Node {
        align_items: AlignItems::Baseline,
        flex_wrap: FlexWrap::Wrap,
        ..row(gap)
    }
}

pub fn column(gap: f32) -> Node {
    Node {
        flex_direction: FlexDirection::Column,
        row_gap: px(gap),
        ..default()
    }
}

/// A row whose items wrap, with a gap between items and one between lines.
pub fn wrapping_row(gap: f32, line_gap: f32) -> Node {
    Node {
        flex_wrap: FlexWrap::Wrap,
        row_gap: px(line_gap),
        ..row(gap)
    }
}

/// A node of this size, even where there is too little room.
pub fn sized(width: f32, height: f32) -> Node {
    rigid(Node::default().size(width, height))
}

/// The node keeps its size, even where there is too little room.
pub fn rigid(node: Node) -> Node {
    node.set(|node| node.flex_shrink = 0.0)
}

/// The node takes the remaining width of its row, however wide its content is.
pub fn fill_width(node: Node) -> Node {
    Node {
        flex_grow: 1.0,
        flex_basis: px(0),
        min_width: px(0),
        ..node
    }
}

/// The node takes the remaining height of its column, however high its content is.
pub fn fill_height(node: Node) -> Node {
    Node {
        flex_grow: 1.0,
        flex_basis: px(0),
        min_height: px(0),
        ..node
    }
}

/// The node of a button in a list: as wide as the list, with its content at the left.
pub fn list_node(min_height: f32, gap: f32) -> Node {
    row(gap)
        .width(percent(100))
        .min_height(px(min_height))
        .justify(JustifyContent::Start)
}

/// A column that takes the remaining width of its row, however wide its content is.
pub fn wide_column(gap: f32) -> Node {
    fill_width(column(gap))
}

/// A column that takes the remaining height and scrolls.
pub fn scrolling_column(gap: f32) -> Node {
    fill_height(column(gap)).scrolling()
}

/// Takes up the remaining space of a row or column.
pub fn spacer() -> impl Bundle {
    (
        Node {
            flex_grow: 1.0,
            ..default()
        },
        Pickable::IGNORE,
    )
}

/// Whether a node takes part in the layout.
pub fn display_if(is_shown: bool) -> Display {
    match is_shown {
        true => Display::Flex,
        false => Display::None,
    }
}

/// Whether an entity is drawn; if it is not, it keeps its space.
pub fn visible_if(is_shown: bool) -> Visibility {
    match is_shown {
        true => Visibility::Inherited,
        false => Visibility::Hidden,
    }
}

/// Shows or hides a node, which counts as changed only if that changes something.
pub fn show_if(node: &mut Mut<Node>, is_shown: bool) {
    set_part(node, |node| &mut node.display, display_if(is_shown));
}

/// Sets a part of a component, which counts as changed only if that changes something.
pub fn set_part<C, T: PartialEq>(
    whole: &mut Mut<C>,
    part: impl FnOnce(&mut C) -> &mut T,
    value: T,
) {
    whole.reborrow().map_unchanged(part).set_if_neq(value);
}

/// A thin line across a card.
pub fn rule() -> impl Bundle {
    let node = Node {
        height: px(1.6),
        margin: UiRect::vertical(px(4)),
        flex_shrink: 0.0,
        ..default()
    };
    (
        node,
        BackgroundColor(colour(palette::ROCK)),
        Pickable::IGNORE,
    )
}

/// An empty button. Its content is centred unless the node says otherwise.
pub fn button(panel: Panel, node: Node) -> impl Bundle {
    let align_items = match node.align_items {
        AlignItems::Default => AlignItems::Center,
        said => said,
    };
    let justify_content = match node.justify_content {
        JustifyContent::Default => JustifyContent::Center,
        said => said,
    };
    let node = Node {
        border: UiRect::all(px(theme::LINE)),
        border_radius: BorderRadius::all(px(theme::RADIUS)),
        align_items,
        justify_content,
        flex_shrink: 0.0,
        ..node
    };
    (
        Button,
        Hovered::default(),
        Skin(panel),
        panel_style(panel),
        node,
    )
}

/// A text button, as high as a row of buttons.
pub fn word_button(words: &str, panel: Panel) -> impl Bundle {
    (
        button(panel, word_node()),
        children![text(words, TextStyle::Strong, panel.text())],
    )
}

/// Spawns a plain text button that sends a message.
pub fn message_button(place: &mut ChildSpawnerCommands, words: &str, message: impl Message) {
    panel_button(place, (words, Panel::Button), message);
}

/// Spawns a text button on a panel that sends a message.
pub fn panel_button(
    place: &mut ChildSpawnerCommands,
    (words, panel): (&str, Panel),
    message: impl Message,
) {
    place.spawn((word_button(words, panel), SendOnPress(message)));
}

fn word_node() -> Node {
    Node::default().min_height(px(34)).padding(14.0, 2.0)
}

/// A button whose label names its key in place of `{}`: "Leave ({})".
pub fn key_button(words: &str, key: Key, panel: Panel) -> impl Bundle {
    (
        button(panel, word_node()),
        children![(
            text("", TextStyle::Strong, panel.text()),
            Hint::new(words, key)
        )],
    )
}

/// A text that names a key as it is currently bound, in place of `{}`. If no key is
/// bound, ` ({})` is left out.
#[derive(Component, Clone, PartialEq, Debug)]
pub struct Hint {
    words: String,
    key: Key,
    /// Always name the keyboard's key, even when a gamepad is used.
    of_keyboard: bool,
}

impl Hint {
    pub fn new(words: impl Into<String>, key: Key) -> Self {
        Self {
            words: words.into(),
            key,
            of_keyboard: false,
        }
    }

    /// A hint that names the keyboard's key only.
    pub fn of_keyboard(key: Key) -> Self {
        Self {
            of_keyboard: true,
            ..Self::new("{}", key)
        }
    }

    fn text(&self, device: Device, bindings: &Bindings) -> String {
        let device = if self.of_keyboard {
            Device::Keyboard
        } else {
            device
        };
        named(&self.words, &device.name(self.key, bindings))
    }
}

/// Inserts the name of a key into a text.
fn named(words: &str, key: &str) -> String {
    match key.is_empty() {
        true => words.replace(" ({})", "").replace("{}", ""),
        false => words.replace("{}", key),
    }
}

/// The name of a key, in small print.
pub fn hint(key: Key, ink: Rgb) -> impl Bundle {
    (text("", TextStyle::Small, ink), Hint::new("{}", key))
}

fn write_hints(
    bindings: Res<Bindings>,
    device: Res<Device>,
    mut hints: Query<(Ref<Hint>, &mut Text)>,
) {
    let all = bindings.is_changed() || device.is_changed();
    for (hint, mut text) in &mut hints {
        if all || hint.is_changed() {
            text.set_if_neq(Text(hint.text(*device, &bindings)));
        }
    }
}

/// A width in layout pixels at the standard text size. It grows half as fast as the
/// text, because shorter lines are better than a small board.
#[derive(Component, Clone, Copy, PartialEq, Debug)]
pub struct ScaledWidth(pub f32);

impl ScaledWidth {
    /// The width for text scaled by this factor, in layout pixels.
    pub fn at(self, scale: f32) -> f32 {
        (self.0 * (1.0 + scale) / 2.0).round()
    }
}

fn scale_widths(rem: Res<RemSize>, mut nodes: Query<(Ref<ScaledWidth>, &mut Node)>) {
    for (scaled, mut node) in &mut nodes {
        if rem.is_changed() || scaled.is_changed() {
            node.width = px(scaled.at(rem.0 / theme::BODY));
        }
    }
}

/// A least height in layout pixels at the standard text size, of which a part grows with the text.
#[derive(Component, Clone, Copy, PartialEq, Debug)]
pub struct Tall {
    height: f32,
    /// The part that grows, from 0 to 1.
    grows: f32,
}

impl Tall {
    /// All of it grows: for lines of text.
    pub fn text(height: f32) -> Self {
        Self { height, grows: 1.0 }
    }

    /// Most of it grows: for buttons with icons and borders, which become more compact with large
    /// text.
    pub fn buttons(height: f32) -> Self {
        Self { height, grows: 0.6 }
    }

    /// The height in layout pixels for a text scale.
    pub fn at(self, scale: f32) -> f32 {
        (self.height * (1.0 + self.grows * (scale - 1.0))).round()
    }
}

fn heighten(rem: Res<RemSize>, mut nodes: Query<(Ref<Tall>, &mut Node)>) {
    let scale = rem.0 / theme::BODY;
    for (tall, mut node) in &mut nodes {
        if rem.is_changed() || tall.is_changed() {
            node.min_height = px(tall.at(scale));
        }
    }
}

/// A slider from 0 to 100, in steps of five. The caller handles its changes.
pub fn slider(now: u8) -> impl Bundle {
    let node = sized(220.0, 24.0).align(AlignItems::Center);
    let groove = Node::default()
        .absolute()
        .width(percent(100))
        .height(px(8))
        .border(1.0)
        .rounded(BorderRadius::all(px(4)));
    let filled = Node::default()
        .height(percent(100))
        .rounded(BorderRadius::all(px(3)));
    // The range of the thumb is the groove minus the thumb's own width.
    let travel = Node {
        position_type: PositionType::Absolute,
        left: px(0),
        right: px(THUMB),
        height: percent(100),
        align_items: AlignItems::Center,
        ..default()
    };
    let thumb = Node::default()
        .absolute()
        .size(THUMB, THUMB)
        .border(theme::LINE)
        .rounded(BorderRadius::MAX);
    (
        Slider {
            track_click: TrackClick::Snap,
            ..default()
        },
        SliderValue(now.into()),
        SliderRange::new(0.0, 100.0),
        SliderStep(5.0),
        SliderPrecision(0),
        Hovered::default(),
        node,
        children![
            (
                groove,
                BackgroundColor(colour(palette::CARD_PALE)),
                BorderColor::all(colour(palette::INK)),
                Pickable::IGNORE,
                children![(
                    SliderFill,
                    filled,
                    BackgroundColor(colour(palette::TEAL)),
                    Pickable::IGNORE
                )],
            ),
            (
                travel,
                Pickable::IGNORE,
                children![(
                    SliderThumb,
                    thumb,
                    BackgroundColor(colour(palette::CARD_ACTIVE)),
                    BorderColor::all(colour(palette::INK)),
                )],
            ),
        ],
    )
}

/// The width of a slider's thumb, in layout pixels.
const THUMB: f32 = 20.0;

/// The filled part of a slider's groove.
#[derive(Component)]
struct SliderFill;

fn lay_sliders(
    sliders: Query<(Entity, &SliderValue, &SliderRange), Changed<SliderValue>>,
    children: Query<&Children>,
    mut parts: Query<(&mut Node, Has<SliderThumb>), Or<(With<SliderThumb>, With<SliderFill>)>>,
) {
    for (slider, value, range) in &sliders {
        let share = percent(range.thumb_position(value.0) * 100.0);
        for part in children.iter_descendants(slider) {
            match parts.get_mut(part) {
                Ok((mut thumb, true)) => thumb.left = share,
                Ok((mut fill, false)) => fill.width = share,
                Err(_) => {}
            }
        }
    }
}

/// A checkbox with a label.
pub fn checkbox(words: &str, is_ticked: bool) -> impl Bundle {
    let frame = sized(22.0, 22.0)
        .centred()
        .border(theme::LINE)
        .rounded(BorderRadius::all(px(4)));
    let tick = Node::default()
        .size(12.0, 12.0)
        .rounded(BorderRadius::all(px(2)));
    let node = row(10.0).min_height(px(34)).padding(4.0, 4.0);
    (
        Checkbox,
        Ticked(is_ticked),
        Hovered::default(),
        node,
        children![
            (
                frame,
                BackgroundColor(colour(palette::CARD_ACTIVE)),
                BorderColor::all(colour(palette::INK)),
                Pickable::IGNORE,
                children![(
                    Tick,
                    tick,
                    BackgroundColor(colour(palette::TEAL)),
                    Visibility::Hidden,
                    Pickable::IGNORE
                )],
            ),
            text(words, TextStyle::Body, palette::INK),
        ],
    )
}

/// Whether a checkbox is ticked.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub struct Ticked(pub bool);

/// The tick of a checkbox.
#[derive(Component)]
struct Tick;

fn tick_boxes(
    boxes: Query<(Entity, &Ticked), Changed<Ticked>>,
    children: Query<&Children>,
    mut ticks: Query<&mut Visibility, With<Tick>>,
    mut commands: Commands,
) {
    for (entity, ticked) in &boxes {
        if ticked.0 {
            commands.entity(entity).insert(Checked);
        } else {
            commands.entity(entity).remove::<Checked>();
        }
        for part in children.iter_descendants(entity) {
            if let Ok(mut tick) = ticks.get_mut(part) {
                *tick = visible_if(ticked.0);
            }
        }
    }
}

/// A square picture.
pub fn picture(image: Handle<Image>, size: f32) -> impl Bundle {
    let node = sized(size, size);
    (ImageNode::new(image), node, Pickable::IGNORE)
}

/// A small button of a page that is rebuilt when it is pressed. The button pressed
/// last keeps the focus.
pub fn page_button(
    place: &mut ChildSpawnerCommands,
    words: &str,
    what: impl Bundle,
    (panel, tip): (Panel, Tip),
    is_last: bool,
) {
    let node = row(4.0).min_height(px(28)).padding(9.0, 3.0);
    place
        .spawn((button(panel, node), what, tip))
        .insert_if(FirstFocus, || is_last)
        .with_child(one_line(words, TextStyle::Label, panel.text()));
}

/// A bar of hit points or the like, filled to `share`; what is lost is dark.
pub fn bar(share: f32, fill: Rgb, height: f32) -> impl Bundle {
    bar_on(palette::HEALTH_EMPTY, share, fill, height)
}

/// A progress bar, filled to `share`; what is still to come is pale.
pub fn progress_bar(share: f32, fill: Rgb, height: f32) -> impl Bundle {
    bar_on(palette::CARD, share, fill, height)
}

fn bar_on(ground: Rgb, share: f32, fill: Rgb, height: f32) -> impl Bundle {
    let node = Node {
        height: px(height),
        border: UiRect::all(px(1)),
        border_radius: BorderRadius::all(px(3)),
        flex_shrink: 0.0,
        ..default()
    };
    let inner = Node::default()
        .width(percent(share.clamp(0.0, 1.0) * 100.0))
        .rounded(BorderRadius::all(px(2)));
    (
        node,
        BackgroundColor(colour(ground)),
        BorderColor::all(colour(palette::INK)),
        Pickable::IGNORE,
        children![(inner, BackgroundColor(colour(fill)), Pickable::IGNORE)],
    )
}

/// A bar that starts at a middle line and reaches up to `half` pixels to either side:
/// to the right for a positive share (up to 1), to the left for a negative one.
pub fn centred_bar(place: &mut ChildSpawnerCommands, share: f32, half: f32, ink: Rgb) {
    let long = share.abs().min(1.0) * half;
    let node = sized(2.0 * half, 12.0);
    let part = |left: f32, width: f32, top: f32, height: f32, ink: Rgb| {
        let node = Node::default().at(left, top).size(width, height);
        (node, BackgroundColor(colour(ink)), Pickable::IGNORE)
    };
    let left = if share < 0.0 { half - long } else { half };
    place.spawn((
        node,
        Pickable::IGNORE,
        children![
            part(left, long, 2.0, 8.0, ink),
            part(half - 0.5, 1.0, 0.0, 12.0, palette::INK),
        ],
    ));
}

/// Updates the look of buttons for hovering, pressing and focus.
fn dress(
    mut buttons: Query<(
        &Skin,
        &Hovered,
        Has<Pressed>,
        Has<InteractionDisabled>,
        &mut BackgroundColor,
    )>,
) {
    for (skin, hovered, pressed, disabled, mut ground) in &mut buttons {
        let plain = skin.0.background();
        let light = if skin.0.text() == palette::WHITE {
            0.12
        } else {
            0.6
        };
        let now = match (
            disabled || skin.0 == Panel::CardPale,
            pressed,
            hovered.get(),
        ) {
            (true, ..) | (_, false, false) => plain,
            (_, true, _) => plain.mix(palette::INK, 0.12),
            (_, _, true) => plain.mix(palette::WHITE, light),
        };
        ground.set_if_neq(BackgroundColor(colour(now)));
    }
}

/// The tooltip shown when the pointer rests on a node.
#[derive(Component, Clone, PartialEq, Debug, Default)]
#[require(Hovered)]
pub struct Tip(pub Vec<TipLine>);

/// A line of a tooltip.
#[derive(Clone, PartialEq, Debug)]
pub struct TipLine {
    pub text: String,
    pub cut: TextStyle,
    pub ink: Rgb,
    /// The key to name after the text.
    pub key: Option<Key>,
}

impl Tip {
    /// A tooltip of one line in the usual small text.
    pub fn text(text: impl Into<String>) -> Self {
        Self::default().small(text)
    }

    /// Adds a line in the usual small text.
    pub fn small(self, text: impl Into<String>) -> Self {
        self.line(text, TextStyle::Small, palette::INK)
    }

    pub fn line(mut self, text: impl Into<String>, cut: TextStyle, ink: Rgb) -> Self {
        self.0.push(TipLine {
            text: text.into(),
            cut,
            ink,
            key: None,
        });
        self
    }

    /// Names a key after the last line.
    pub fn key(mut self, key: Key) -> Self {
        if let Some(last) = self.0.last_mut() {
            last.key = Some(key);
        }
        self
    }
}

/// A text with a tooltip.
pub fn tipped(words: impl Bundle, tip: Tip) -> impl Bundle {
    (Node::default(), tip, children![words])
}

/// A card that the tooltips of what it contains do not cover: they are shown beside it.
#[derive(Component, Default)]
pub struct TipsBeside;

/// A row of buttons that no tooltip of its buttons covers: they are shown above the uppermost of these
/// rows.
#[derive(Component, Default)]
pub struct TipsAbove;

/// The tooltip on screen.
#[derive(Component)]
pub struct TipCard(Entity, Tip);

/// Long lines need a fixed width to wrap: with a maximum width only, they would be
/// measured as if they did not wrap.
fn tip_width(tip: &Tip, scale: f32) -> Val {
    let longest = tip.0.iter().map(|line| line.text.chars().count()).max();
    if longest.unwrap_or(0) > 36 {
        px(320.0 * scale)
    } else {
        auto()
    }
}

/// Suppresses all tooltips while the left mouse button is held or a warning is open, which they
/// would cover, and the tooltip of a node that was clicked until the pointer has left the node.
fn hush(
    buttons: Res<ButtonInput<MouseButton>>,
    tips: Query<(&Hovered, &ComputedNode, &UiGlobalTransform), With<Tip>>,
    (pointers, room): (Query<&PointerLocation>, Room),
    modals: Query<(), Added<Modal>>,
    warnings: Query<(), (With<WarnPlace>, With<Children>)>,
    mut hushed: Local<Option<Rect>>,
) -> bool {
    if buttons.just_pressed(MouseButton::Left) {
        let under = tips.iter().filter(|(hovered, ..)| hovered.get());
        let under = under.min_by_key(|(_, node, _)| area(node));
        *hushed = under.map(|(_, node, place)| {
            let scale = node.inverse_scale_factor;
            Rect::from_center_size(place.translation * scale, node.size() * scale)
        });
    }
    let at = pointers.iter().filter_map(|p| Some(p.location()?.position));
    let mut at = at.map(|at| room.point(at));
    let stays = hushed.is_some_and(|place| at.any(|at| place.contains(at)));
    if !stays {
        *hushed = None;
    }
    // A modal that opens hides what the pointer was on.
    stays || buttons.pressed(MouseButton::Left) || !modals.is_empty() || !warnings.is_empty()
}

/// The area of a node in pixels. Of nested nodes with tooltips, the smallest shows its own.
fn area(node: &ComputedNode) -> u64 {
    let size = node.size();
    (size.x * size.y) as u64
}

fn show_tip(
    In(is_hushed): In<bool>,
    mut commands: Commands,
    tips: Query<(Entity, &Tip, &Hovered, &ComputedNode, &UiGlobalTransform)>,
    shown: Query<(Entity, &TipCard)>,
    (parents, cards, rows): (
        Query<&ChildOf>,
        Query<(&ComputedNode, &UiGlobalTransform), With<TipsBeside>>,
        Query<(&ComputedNode, &UiGlobalTransform), With<TipsAbove>>,
    ),
    room: Room,
    (focus, visible): (Res<InputFocus>, Res<InputFocusVisible>),
    (device, bindings): (Res<Device>, Res<Bindings>),
) {
    // The tooltip of the focused node, otherwise of the node under the pointer.
    let focused = focus.get().filter(|_| visible.0);
    let wanted = match focused {
        Some(e) => tips.get(e).ok().filter(|t| !t.1.0.is_empty()),
        None => tips
            .iter()
            .filter(|_| !is_hushed)
            .filter(|(_, tip, hovered, ..)| hovered.get() && !tip.0.is_empty())
            .min_by_key(|(_, _, _, node, _)| area(node)),
    };
    for (card, TipCard(of, tip)) in &shown {
        if wanted.is_some_and(|(e, t, ..)| e == *of && t == tip) {
            return;
        }
        commands.entity(card).despawn();
    }
    let Some((of, tip, _, node, place)) = wanted.filter(|_| room.has_window()) else {
        return;
    };
    let scale = node.inverse_scale_factor;
    let (middle, half) = (place.translation * scale, node.size() * scale / 2.0);
    let size = room.size();
    // Place it beside the node, or beside its card, towards the middle of the window, so that it
    // neither covers that nor leaves the window.
    let mut at = card()
        .absolute()
        .width(tip_width(tip, room.text()))
        .row_gap(2.0)
        .padding(12.0, 8.0);
    let own = Rect::from_center_half_size(middle, half);
    let mut around = parents.iter_ancestors(of);
    let card = around.find_map(|around| cards.get(around).ok());
    let rect = |(node, place): (&ComputedNode, &UiGlobalTransform)| {
        Rect::from_center_size(place.translation * scale, node.size() * scale)
    };
    let card = card.map(rect);
    let is_in_row = parents.iter_ancestors(of).any(|up| rows.contains(up));
    let rows = rows
        .iter()
        .filter(|(node, _)| is_in_row && !node.is_empty());
    let uppermost = rows.map(|row| rect(row).min.y).fold(own.min.y, f32::min);
    // The lowest bottom edge and the highest top edge, then the same from left to right.
    let (bottom, top) = match card {
        Some(_) => (own.max.y, own.min.y),
        None => (uppermost - 8.0, own.max.y + 8.0),
    };
    let (right, left) = match card {
        Some(card) => (card.min.x - 8.0, card.max.x + 8.0),
        None => (own.max.x, own.min.x),
    };
    match middle.y > size.y / 2.0 {
        true => at.bottom = px(size.y - bottom),
        false => at.top = px(top),
    }
    match middle.x > size.x / 2.0 {
        true => at.right = px((size.x - right).max(8.0)),
        false => at.left = px(left.max(8.0)),
    }
    let root = (
        TipCard(of, tip.clone()),
        at,
        panel_style(Panel::CardLight),
        GlobalZIndex(100),
        Pickable::IGNORE,
    );
    commands.spawn(root).with_children(|card| {
        for line in &tip.0 {
            let key = line.key.map(|key| device.name(key, &bindings));
            let words = match key {
                Some(key) => named(&format!("{} ({{}})", line.text), &key),
                None => line.text.clone(),
            };
            card.spawn(text(words, line.cut, line.ink));
        }
    });
}
