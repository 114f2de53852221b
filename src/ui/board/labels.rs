//! Small cards on the board: movement costs, chances, plans. They are part of the UI layout, so
//! their text keeps its size at any zoom.

use super::{
    MapView, Stage,
    floating_text::{self, FloatingText, area, translation_px},
    pieces::Pieces,
    preview::AwaitsReading,
};
use crate::grid::Space;
use crate::ui::{
    Playback, Screen, Selection,
    art::{
        hud::Panel,
        palette::{self, Rgb},
    },
    places::{MenuPlace, OverBoard},
    theme::{self, TextStyle, one_line},
    widgets::{
        NodeExt, SpawnWith, column, display_if, panel_style, picture, row, show_if, visible_if,
    },
};
use bevy::{prelude::*, text::RemSize};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (floating_text::rise, put_labels, give_way)
            .chain()
            .in_set(Stage::Tell),
    );
}

/// Below the cards of the HUD.
const BELOW: GlobalZIndex = GlobalZIndex(-2);
/// Distance from a label to its subject, in layout pixels, for [`LabelSide::Corner`] and
/// [`LabelSide::Above`].
const GAP: f32 = 8.0;
const CLOSE: f32 = 3.0;
/// How much further out each next ring of candidate places is, in layout pixels.
const FURTHER: f32 = 22.0;
/// Free margin around each label, in layout pixels.
const FREE: f32 = 5.0;
/// Hides labels that lie under floating text, and all labels while an action plays and while its
/// result is read: they would lie over its dice.
fn give_way(
    (playback, awaits): (Res<Playback>, Res<AwaitsReading>),
    texts: Query<(&FloatingText, &UiTransform)>,
    mut labels: Query<
        (&ComputedNode, &UiTransform, &mut Visibility, &LabelPlace),
        (With<Label>, Without<FloatingText>),
    >,
    rem: Res<RemSize>,
    mut was_any: Local<bool>,
) {
    let is_played = playback.busy || awaits.0;
    let is_any = is_played || !texts.is_empty();
    if !is_any && !std::mem::replace(&mut *was_any, is_any) {
        return;
    }
    *was_any = is_any;
    let alive = texts.iter().filter(|(text, _)| text.is_seen());
    let words: Vec<Rect> = alive
        .map(|(text, transform)| Rect::from_center_size(translation_px(transform), text.size(&rem)))
        .collect();
    for (node, transform, mut visibility, place) in &mut labels {
        let corner = translation_px(transform);
        let card = Rect::from_corners(corner, corner + node.size() * node.inverse_scale_factor);
        let is_clear = words.iter().all(|word| word.intersect(card).is_empty());
        let is_free = is_clear && !is_played;
        visibility.set_if_neq(visible_if(is_free && *place == LabelPlace::Found));
    }
}

/// A card beside some cells of the map.
#[derive(Component)]
#[require(LabelPlace)]
pub struct Label {
    /// What the label is about, in cells.
    pub about: Rect,
    /// What the label must not cover, in cells.
    pub clear: Vec<Rect>,
    /// Labels with a lower rank are placed first.
    pub rank: u32,
    pub side: LabelSide,
}

/// Where a label prefers to be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LabelSide {
    /// A little off, at a corner.
    Corner,
    /// Close to its subject, above or below.
    Above,
}

/// Whether a place for a label was found.
#[derive(Component, Clone, Copy, Default, PartialEq, Eq)]
enum LabelPlace {
    /// The label has no size yet.
    #[default]
    Unknown,
    Found,
    /// Every place is taken, so the label stays hidden.
    None,
}

/// The thin line from a label to its subject, if the label lies apart from it.
#[derive(Component)]
struct Leader;

/// Width of a leader, and the least distance of its label from the subject, in layout pixels.
const LEADER: f32 = 1.5;
const APART: f32 = 12.0;

/// What the board draws and labels keep clear of where they can, in cells; a label that can't still
/// shows.
#[derive(Component, Clone)]
pub struct KeepsClear(pub Vec<Rect>);

impl Leader {
    /// The ends of the leader of a card: on the card, and on its subject.
    fn ends(place: Rect, about: Rect) -> [Vec2; 2] {
        let from = about.center().clamp(place.min, place.max);
        [from, from.clamp(about.min, about.max)]
    }

    /// Whether the leader of a card would lie over one of these, if it has one.
    fn crosses(place: Rect, about: Rect, avoid: &[Rect], scale: f32) -> bool {
        const POINTS: u8 = 8;
        let [from, to] = Self::ends(place, about);
        let mut over = avoid.iter().filter(|it| !it.contains(to));
        let passes = |it: &Rect| {
            let mut on_way = (1..POINTS).map(|n| from.lerp(to, f32::from(n) / f32::from(POINTS)));
            on_way.any(|point| it.contains(point))
        };
        from.distance(to) > APART * scale && over.any(passes)
    }

    /// The node and the turn of the leader of a card at a place in the window, both in window
    /// pixels; hidden if the card is near its subject. `scale` is window pixels for each layout
    /// pixel.
    fn between(place: Rect, about: Rect, scale: f32) -> (Node, UiTransform) {
        let [from, to] = Self::ends(place, about);
        let way = (to - from) / scale;
        let middle = ((from + to) / 2.0 - place.min) / scale;
        // Its place is measured from inside the border.
        let corner = middle - Vec2::new(way.length(), LEADER) / 2.0 - theme::LINE;
        let node = Node {
            position_type: PositionType::Absolute,
            left: px(corner.x),
            top: px(corner.y),
            width: px(way.length()),
            height: px(LEADER),
            display: display_if(way.length() > APART),
            ..default()
        };
        let turn = Rot2::radians(way.to_angle());
        (node, UiTransform::from_rotation(turn))
    }
}

/// Sizes of a label's parts, in window pixels.
#[derive(Component, Clone)]
struct Sizes {
    lines: Vec<Vec2>,
    /// Size of the row that says there are more lines.
    more: Vec2,
    /// Size of the padding and border.
    frame: Vec2,
}

impl Sizes {
    /// The sizes of a laid-out card, from its lines and the row for more lines.
    fn of<'a>(card: &ComputedNode, rows: impl Iterator<Item = &'a ComputedNode>) -> Self {
        let mut lines: Vec<Vec2> = rows.map(ComputedNode::size).collect();
        let frame = card.size() - stacked(lines.iter());
        let more = match lines.len() {
            0 | 1 => Vec2::ZERO,
            _ => lines.pop().unwrap_or_default(),
        };
        Self { lines, more, frame }
    }

    /// Size with this number of lines.
    fn with(&self, lines: usize) -> Vec2 {
        let more = self.tells_more(lines).then_some(&self.more);
        self.frame + stacked(self.lines[..lines].iter().chain(more))
    }

    /// Whether the row for more lines appears: not below a single line, which is only a summary.
    fn tells_more(&self, lines: usize) -> bool {
        lines > 1 && lines < self.lines.len()
    }

    /// Most lines that fit into the height, but at least one.
    fn within(&self, height: f32) -> usize {
        let most = (1..=self.lines.len()).rev();
        let mut fit = most.filter(|&n| self.with(n).y <= height);
        fit.next().unwrap_or(1).min(self.lines.len())
    }
}

/// Size of rows stacked below each other.
fn stacked<'a>(rows: impl Iterator<Item = &'a Vec2>) -> Vec2 {
    rows.fold(Vec2::ZERO, |all, row| {
        Vec2::new(all.x.max(row.x), all.y + row.y)
    })
}

/// A part of a label's line.
pub enum Bit {
    Words(String, TextStyle, Rgb),
    Picture(Handle<Image>, f32),
}

impl Bit {
    pub fn small(words: impl Into<String>, ink: Rgb) -> Self {
        Self::Words(words.into(), TextStyle::Small, ink)
    }
}

/// Spawns a label, hidden until its size is known and it has a place.
pub fn label(commands: &mut Commands, label: Label, lines: Vec<Vec<Bit>>) -> Entity {
    let node = column(0.0)
        .absolute()
        .padding(9.0, 3.0)
        .border(theme::LINE)
        .rounded(BorderRadius::all(px(theme::RADIUS)));
    let look = (
        node,
        panel_style(Panel::CardLight),
        BELOW,
        Visibility::Hidden,
    );
    let parts = (label, DespawnOnExit(Screen::Battle), look, Pickable::IGNORE);
    let mut card = commands.spawn(parts);
    // Shown where not all lines fit.
    let more = vec![Bit::small("…", palette::FADED_INK)];
    let more = (lines.len() > 1).then_some(more);
    card.with_children(|card| {
        for line in lines.into_iter().chain(more) {
            card.group(row(5.0), |row| {
                for bit in line {
                    match bit {
                        Bit::Words(text, cut, ink) => row.spawn(one_line(text, cut, ink)),
                        Bit::Picture(image, side) => row.spawn(picture(image, side)),
                    };
                }
            });
        }
        let hidden = Node {
            display: Display::None,
            ..default()
        };
        let ink = BackgroundColor(theme::colour(palette::INK));
        card.spawn((Leader, hidden, ink, Pickable::IGNORE));
    });
    card.id()
}

/// The parts of a laid-out label.
type Card<'w> = (
    Entity,
    &'w Label,
    (Ref<'w, ComputedNode>, Option<&'w Sizes>, &'w Children),
    &'w mut UiTransform,
    &'w mut Visibility,
    &'w mut LabelPlace,
);

/// Places the labels so that they hide nothing important, with a line to a subject that is apart.
/// Where space is short, labels with a higher rank show fewer lines or stay hidden; only the first
/// may lie over a unit.
fn put_labels(
    mut commands: Commands,
    mut labels: Query<Card>,
    view: Res<MapView>,
    selection: Res<Selection>,
    (lists, over): (
        Query<&Children, With<MenuPlace>>,
        Query<(Entity, &InheritedVisibility), With<OverBoard>>,
    ),
    (cards, mut nodes): (
        Query<(&ComputedNode, &UiGlobalTransform), Without<Leader>>,
        Query<&mut Node, Without<Leader>>,
    ),
    mut leaders: Query<(&mut Node, &mut UiTransform), (With<Leader>, Without<Label>)>,
    (pieces, arrows): (Res<Pieces>, Query<Ref<KeepsClear>>),
    mut covered: Local<Vec<Rect>>,
) {
    // Labels must not lie under the menus and cards of the board.
    let rect_of = |card: Entity| {
        let (node, place) = cards.get(card).ok()?;
        Some(Rect::from_center_size(place.translation, node.size()))
    };
    let lists = lists.iter().flatten().copied();
    let over = over.iter().filter(|(_, seen)| seen.get());
    let covering = lists.chain(over.map(|(card, _)| card));
    // Counted three times, because a label under a card cannot be read at all.
    let covers = covering.filter_map(rect_of);
    let covers: Vec<Rect> = covers.flat_map(|rect| [rect; 3]).collect();
    let is_moved = *covered != covers;
    *covered = covers;
    let is_new = labels
        .iter()
        .any(|(_, _, (node, ..), _, _, place)| *place == LabelPlace::Unknown || node.is_changed());
    let is_new = is_new || arrows.iter().any(|arrow| arrow.is_added());
    let is_news = is_new || is_moved || view.is_changed() || selection.is_changed();
    if labels.is_empty() || !is_news {
        return;
    }
    let in_window =
        |cells: &Rect| Rect::from_corners(view.in_window(cells.min), view.in_window(cells.max));
    let units: Vec<Rect> = pieces.standing().map(|space| in_window(&space)).collect();
    let arrows: Vec<Rect> = arrows.iter().flat_map(|it| it.0.clone()).collect();
    let arrows: Vec<Rect> = arrows.iter().map(in_window).collect();
    let scale = view.layout_scale();
    let room = view.area().inflate(-2.0 * scale);
    let ranks = labels.iter().map(|(e, label, ..)| (label.rank, e));
    let mut order: Vec<(u32, Entity)> = ranks.collect();
    order.sort();
    // No label hides the path or target that the first label is about.
    let first = labels.iter().filter(|(_, label, ..)| label.rank == 0);
    let mut taken: Vec<Rect> = first
        .flat_map(|(_, label, ..)| label.clear.iter().map(in_window))
        .collect();
    taken.extend(covered.iter().copied());
    let mut cards_there: Vec<Rect> = covered.clone();
    if let Some(cell) = selection.cursor {
        taken.push(view.rect(Space::one(cell)).inflate(2.0 * scale));
    }
    for (_, entity) in order {
        let Ok((_, label, (node, sizes, lines), mut transform, mut visibility, mut known)) =
            labels.get_mut(entity)
        else {
            continue;
        };
        if node.size().min_element() < 1.0 {
            continue;
        }
        let sizes = sizes.cloned().unwrap_or_else(|| {
            let lines = cards.iter_many(lines).map(|(line, _)| line);
            Sizes::of(&node, lines)
        });
        let about = in_window(&label.about);
        let clear = label.clear.iter().map(in_window);
        let avoid: Vec<Rect> = taken.iter().copied().chain(clear).collect();
        let others = units.iter().filter(|it| it.intersect(about).is_empty());
        let others: Vec<Rect> = match label.side {
            LabelSide::Above => others.copied().collect(),
            LabelSide::Corner => vec![],
        };
        let find = |lines| {
            let of = (about, label.side, scale);
            let avoid = [&avoid[..], &arrows].concat();
            free_place(sizes.with(lines), of, &avoid, &others, room)
        };
        let is_first = label.rank == 0;
        let most = match is_first {
            true => sizes.lines.len(),
            false => sizes.within(room.height() * HIGHEST),
        };
        let mut fewer = (1..=most).rev().map(|n| (n, find(n)));
        let covers = |place: Rect| cards_there.iter().any(|&card| is_over(place, card));
        let is_free = |place: Rect| share_hidden(place, &avoid, room) <= HIDES && !covers(place);
        let found = fewer.find(|&(_, place)| is_first || is_free(place));
        let (shown_lines, place) = found.unwrap_or_else(|| (1, find(1)));
        // If two cards overlap, neither can be read.
        let hidden = share_hidden(place, &taken, room);
        let is_over_unit = share_hidden(place, &units, room) > HIDES;
        let is_seen = is_first || hidden <= HIDES && !covers(place) && !is_over_unit;
        for (n, row) in lines.iter().enumerate() {
            let is_told = match n == sizes.lines.len() {
                true => sizes.tells_more(shown_lines),
                false => n < shown_lines,
            };
            if let Ok(mut row) = nodes.get_mut(row) {
                show_if(&mut row, is_told);
            }
        }
        if is_seen {
            taken.push(place.inflate(FREE * scale));
            cards_there.push(place);
        }
        let mut leader = leaders.iter_many_mut(lines);
        while let Some((mut node, mut turn)) = leader.fetch_next() {
            let (seen, turned) = Leader::between(place, about, scale);
            node.set_if_neq(seen);
            turn.set_if_neq(turned);
        }
        let corner = place.min.round() / scale;
        transform.translation = Val2::px(corner.x, corner.y);
        let (found, seen) = match is_seen {
            true => (LabelPlace::Found, Visibility::Inherited),
            false => (LabelPlace::None, Visibility::Hidden),
        };
        visibility.set_if_neq(seen);
        if *known == LabelPlace::Unknown {
            commands.entity(entity).insert(sizes);
        }
        known.set_if_neq(found);
    }
}

/// Largest share of the board's height for any label but the first.
const HIGHEST: f32 = 0.4;
/// Largest share of a card that may overlap something important.
const HIDES: f32 = 0.07;

/// Whether two cards overlap by more than [`HIDES`] of the smaller one.
fn is_over(one: Rect, other: Rect) -> bool {
    area(one.intersect(other)) > HIDES * area(one).min(area(other))
}

/// Share of a place that is taken or outside the board area.
fn share_hidden(place: Rect, taken: &[Rect], room: Rect) -> f32 {
    let hidden: f32 = taken.iter().map(|it| area(it.intersect(place))).sum();
    let outside = area(place) - area(place.intersect(room));
    (hidden + outside) / area(place).max(1.0)
}

/// What a place nearer to another unit costs, as much as 100 square layout pixels of something
/// hidden.
const MISLEADS: f32 = 1000.0;

/// What a leader across another unit costs, in the same measure.
const CROSSES: f32 = 1000.0;

/// The distance between two rectangles; 0 if they overlap.
pub fn distance(one: Rect, other: Rect) -> f32 {
    let apart = (one.min - other.max).max(other.min - one.max);
    apart.max(Vec2::ZERO).length()
}

/// The best place for a card near `about`: clear of `avoid` if possible, its leader too, nearer to
/// `about` than to any of the `others`, inside `room` if it fits there, and as close as possible.
/// `scale` is window pixels for each layout pixel.
pub fn free_place(
    size: Vec2,
    (about, side, scale): (Rect, LabelSide, f32),
    avoid: &[Rect],
    others: &[Rect],
    room: Rect,
) -> Rect {
    let sides = match side {
        LabelSide::Corner => [
            (1, -1),
            (0, -1),
            (1, 0),
            (-1, -1),
            (1, 1),
            (-1, 0),
            (0, 1),
            (-1, 1),
        ],
        LabelSide::Above => [
            (0, -1),
            (0, 1),
            (1, 0),
            (-1, 0),
            (1, -1),
            (-1, -1),
            (1, 1),
            (-1, 1),
        ],
    };
    let gap = if side == LabelSide::Above { CLOSE } else { GAP };
    let half = size / 2.0;
    let fits = room.half_size().cmpge(half).all();
    let mut best: Option<(f32, Rect)> = None;
    // Candidate places in rings, each further out.
    for ring in 0..6 {
        let out = (gap + ring as f32 * FURTHER) * scale;
        let reach = about.half_size() + half + out;
        for (n, (x, y)) in sides.into_iter().enumerate() {
            // A label above or below its subject touches it, flush with a side, instead of lying
            // across its corner.
            let reach = match side == LabelSide::Above && x != 0 && y != 0 {
                true => Vec2::new(half.x - about.half_size().x, reach.y),
                false => reach,
            };
            let wanted = about.center() + reach * Vec2::new(x as f32, y as f32);
            let middle = match fits {
                true => wanted.clamp(room.min + half, room.max - half),
                false => wanted,
            };
            let place = Rect::from_center_half_size(middle, half);
            let hidden: f32 = avoid.iter().map(|it| area(it.intersect(place))).sum();
            let hidden = (hidden + 2.0 * area(about.intersect(place))) / (scale * scale);
            let off = (out + middle.distance(wanted)) / scale;
            let own = distance(place, about);
            // At the same distance, as beside a column, the label is still level with its subject.
            let is_nearer = |it: &Rect| distance(place, *it) < own - 0.5 * scale;
            let misleads = MISLEADS * f32::from(others.iter().any(is_nearer));
            let crosses = Leader::crosses(place, about, avoid, scale);
            let crosses = CROSSES * f32::from(crosses);
            let cost = hidden * 10.0 + misleads + crosses + off * 6.0 + n as f32;
            if best.is_none_or(|b| cost < b.0) {
                best = Some((cost, place));
            }
        }
    }
    best.map_or(about, |b| b.1)
}
