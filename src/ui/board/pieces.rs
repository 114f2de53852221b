//! The token of each unit: the figure, its health bar, its condition badges.

use super::{
    Stage,
    attack_effects::splash_image,
    height,
    mark_painter::rect_of,
    playback::EventPlayback,
    sprites::{SizedImage, SpriteCache, at, on_pixels},
    unit_animator::{DespawnAfter, TransformLens},
};
use crate::{
    battle::{Id, State},
    ui::{
        Screen, Selection, Session,
        art::{
            bursts::roll_card,
            icons::Icon,
            tokens::{self as drawn, Badge, Health, Pose, Token, Tone},
        },
        preview::{PlanPreview, PreviewedMoment},
        ruleset_ui::StatusBadge,
        settings::Settings,
        shown::{FALLEN_CORNERS, UnitView, corner_in_cell, heap},
        theme::Appearance,
        tokens,
        widgets::visible_if,
    },
};
use bevy::{platform::collections::HashMap, prelude::*};
use bevy_tweening::{Tween, TweenAnim};
use std::time::Duration;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Pieces>();
    app.add_systems(OnExit(Screen::Battle), |mut pieces: ResMut<Pieces>| {
        pieces.0.clear()
    });
    app.add_systems(
        Update,
        (drain, stand, keep_plates).chain().in_set(Stage::Stand),
    );
}

/// Width of a badge in cells, and its least width in layout pixels.
const BADGE: (f32, f32) = (0.37, 14.0);
/// Height of the small face of a fallen unit, in cells: beside the number of hit points if a unit
/// stands in the cell, otherwise below the face of a fallen one.
const FACE_UNDER: f32 = 0.32;
const FACE_BELOW: f32 = 0.4;
/// Height of the mark of a dying unit, in cells: on a small face, and on a token, where it is the
/// number of rounds that the unit has left.
pub const FACE_MARK: f32 = 0.22;
const ROUNDS: f32 = 0.34;
/// Width of the ink under a fallen unit for each cell of its size, in cells, its opacity, and its
/// height: items lie on it.
const STAIN: (f32, f32, f32) = (1.8, 0.85, height::GROUND - 0.1);
/// From the middle of a token to its edge, in cells, for each cell of its size.
pub(super) const EDGE: f32 = 0.46;
/// Most badges on a token for each cell of its size, and on one that shares its cell: more would hide
/// its face and its number, or its neighbour. The last one says that there are more conditions.
pub const MAX_BADGES: usize = 2;
pub const MAX_SHARED: usize = 1;

/// The tokens on the board, by unit.
#[derive(Resource, Default)]
pub struct Pieces(HashMap<Id, Piece>);

/// The entities and state of a token.
pub struct Piece {
    /// At the middle of the unit's cells, or on its way.
    pub root: Entity,
    /// Child of the root that leans, shakes and tips over.
    pub figure: Entity,
    /// The figure in white, for flashes.
    pub flash: Entity,
    bar: Plate,
    /// The hit points that the bar shows.
    pub gauge: Gauge,
    badges: Vec<Plate>,
    appearance: TokenAppearance,
    /// The display world's epoch in which the token was last placed.
    epoch: u32,
}

/// A picture on a token that moves with its figure, but neither leans nor grows with it.
#[derive(Clone, Copy)]
struct Plate {
    entity: Entity,
    /// Its place beside the root while the figure is at rest.
    rest: Vec3,
}

/// Marks the entity of a [`Plate`].
#[derive(Component)]
pub struct FollowsFigure;

/// Ink under a fallen unit, as long as it lies there.
#[derive(Component, Clone, Copy, PartialEq, Debug)]
pub struct Stain;

/// Everything that decides the picture of a token.
#[derive(Clone, PartialEq, Debug)]
pub struct TokenAppearance {
    pub unit: UnitView,
    pub pose: Pose,
    pub is_own: bool,
    pub cell_px: u32,
    pub corner: Option<(i8, i8)>,
    pub lying: Lying,
    /// Whether it lies under a standing unit.
    pub is_under: bool,
    /// How strong the ink under it is, from 0 to 1.
    pub ink: f32,
}

/// How a unit is drawn that may lie in a cell with others. The card lists all of them.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Lying {
    /// In full: it stands, or no other unit lies in its cell.
    Alone,
    /// In full, and small faces of others lie on its lower edge.
    Top,
    /// As a small face in a corner of its cell.
    Face,
    /// As the number of units for which no corner is left.
    More(usize),
    /// Not at all: it is one of those.
    Unseen,
}

impl Lying {
    pub fn of(units: &[UnitView], unit: &UnitView) -> Self {
        if unit.is_up() {
            return Self::Alone;
        }
        let heap = heap(units, unit);
        let is_full = |p: &&&UnitView| corner_in_cell(units, p).is_none();
        let full = heap.iter().filter(is_full).count();
        let faces = heap.len() - full;
        if corner_in_cell(units, unit).is_none() {
            return if faces == 0 { Self::Alone } else { Self::Top };
        }
        let before = heap[full..].iter().take_while(|p| p.id != unit.id).count();
        match before + 1 {
            n if n < FALLEN_CORNERS || faces <= FALLEN_CORNERS => Self::Face,
            FALLEN_CORNERS => Self::More(faces - before),
            _ => Self::Unseen,
        }
    }

    fn is_in_full(self) -> bool {
        matches!(self, Self::Alone | Self::Top)
    }
}

/// A number that moves steadily to its new value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Gauge {
    from: f32,
    to: i32,
    /// Share of the change that is done, from 0 to 1.
    share: f32,
}

impl Gauge {
    pub fn new(is: i32) -> Self {
        Self {
            from: is as f32,
            to: is,
            share: 1.0,
        }
    }

    /// The value shown now.
    pub fn now(self) -> f32 {
        match self.share < 1.0 {
            true => self.from + (self.to as f32 - self.from) * self.share,
            false => self.to as f32,
        }
    }

    /// Starts moving to a new value.
    fn aim(&mut self, to: i32) {
        if to != self.to {
            *self = Self {
                from: self.now(),
                to,
                share: 0.0,
            };
        }
    }

    pub fn is_at_rest(self) -> bool {
        self.share >= 1.0
    }

    fn pass(&mut self, share: f32) {
        self.share = (self.share + share).min(1.0);
    }
}

/// Seconds in which a bar reaches its new value: long enough to see what was lost.
const DRAINS: f32 = 0.4;

/// Animates the health bars.
fn drain(
    mut commands: Commands,
    mut pieces: ResMut<Pieces>,
    mut sprites: SpriteCache,
    event_playback: Res<EventPlayback>,
    time: Res<Time>,
) {
    let Some(cell_px) = sprites.cell_px() else {
        return;
    };
    for piece in pieces.bypass_change_detection().0.values_mut() {
        if !piece.gauge.is_at_rest() {
            let seconds = DRAINS * event_playback.duration_scale();
            piece.gauge.pass(time.delta_secs() / seconds);
            fill_bar(&mut commands, piece, cell_px, &mut sprites);
        }
    }
}

impl TokenAppearance {
    /// The size of a standing unit's token as a factor, and the place of its middle relative to the
    /// middle of its cells, as a share of their side.
    fn frame(&self) -> (f32, Vec2) {
        let (size, place) = drawn::frame(self.pose, self.corner);
        (size, place.into())
    }

    /// The badge of a dying unit, which can still be saved.
    fn dying(&self) -> Option<Badge> {
        let down = Some(&self.unit).filter(|unit| unit.state == State::Down)?;
        let mut badges = down.conditions.iter().map(|c| c.badge);
        let is_dying = |badge: &Badge| {
            badge.tone == Tone::Bad && matches!(badge.icon, Icon::Bleeding | Icon::Skull)
        };
        badges.find(is_dying)
    }

    /// Height of its small face, in cells.
    pub fn face(&self) -> f32 {
        match self.is_under {
            true => FACE_UNDER,
            false => FACE_BELOW,
        }
    }

    /// Where a picture goes in its corner of its cells, and where one goes on the edge of its small
    /// face: both inside its cells. Sizes and places are shares of their side.
    pub fn in_corner(&self, size: Vec2) -> Vec2 {
        let (east, south) = self.corner.unwrap_or((1, -1));
        Vec2::new(east.into(), south.into()) * (0.5 - 0.5 * size)
    }

    pub fn on_face(&self, size: Vec2) -> Vec2 {
        let face = self.face() / f32::from(self.unit.size.max(1));
        let corner = self.in_corner(size);
        Vec2::new(corner.x, corner.y.signum() * (0.5 - face))
    }

    /// Whether two tokens look the same apart from their hit points.
    fn looks_like(&self, other: &Self) -> bool {
        let hp = other.unit.hp;
        let same = Self {
            unit: UnitView {
                hp,
                ..self.unit.clone()
            },
            ..self.clone()
        };
        same == *other
    }
}

impl Pieces {
    pub fn get(&self, id: Id) -> Option<&Piece> {
        self.0.get(&id)
    }

    /// The units on the board that live, standing or down.
    fn living(&self) -> impl Iterator<Item = &UnitView> {
        let units = self.0.values().map(|piece| &piece.appearance.unit);
        units.filter(|unit| matches!(unit.state, State::Up | State::Down))
    }

    /// The spaces of all standing units, in cells.
    pub fn standing(&self) -> impl Iterator<Item = Rect> {
        let standing = self.living().filter(|unit| unit.is_up());
        standing.map(|unit| rect_of(unit.space()))
    }

    /// The spaces of all living units, in cells.
    pub(super) fn occupied(&self) -> impl Iterator<Item = Rect> {
        self.living().map(|unit| rect_of(unit.space()))
    }

    /// Whether another living unit is in a unit's cells, so that a text could be about either.
    pub(super) fn shares_cell(&self, unit: &UnitView) -> bool {
        let here = rect_of(unit.space());
        let is_here = |other: &UnitView| !rect_of(other.space()).intersect(here).is_empty();
        let mut others = self.living().filter(|other| other.id != unit.id);
        others.any(is_here)
    }
}

/// Whether a unit stands in the cells of another one.
fn stands_on(under: &UnitView) -> impl Fn(&UnitView) -> bool {
    move |unit: &UnitView| unit.is_up() && unit.space().overlaps(under.space())
}

/// Where a unit's token rests, in world coordinates.
pub fn rest(unit: &UnitView) -> Vec3 {
    let (x, y) = unit.middle();
    // Units further south are drawn in front, small ones in front of a large one in their cells.
    let z = match unit.is_up() {
        true => height::STANDING + (y - f32::from(unit.size)) * 0.01,
        false => height::FALLEN + y * 0.001,
    };
    at(Vec2::new(x, y), z)
}

/// Keeps the tokens as in the display world; tokens in motion keep moving.
fn stand(
    mut commands: Commands,
    session: Res<Session>,
    selection: Res<Selection>,
    event_playback: Res<EventPlayback>,
    mut pieces: ResMut<Pieces>,
    mut sprites: SpriteCache,
    mut transforms: Query<(&mut Transform, Has<TweenAnim>)>,
    (theme, looked, plan_preview): (Res<Appearance>, Res<PreviewedMoment>, Res<PlanPreview>),
    settings: Res<Settings>,
) {
    let is_new = session.is_changed()
        || selection.is_changed()
        || event_playback.is_changed()
        || settings.is_changed()
        || looked.is_changed()
        || looked.0.is_some() && plan_preview.is_changed();
    let Some(cell_px) = sprites.cell_px().filter(|_| is_new || sprites.is_renewed()) else {
        return;
    };
    let shown = session.shown();
    // A unit that joins during the battle grows in; at the start all are there at once.
    let is_running = pieces.0.values().any(|p| p.epoch == shown.epoch);
    let then = looked.frame(&plan_preview).map(|frame| &frame.units);
    let units = then.unwrap_or(&shown.units);
    for unit in units {
        if !unit.is_there() {
            if let Some(piece) = pieces.0.remove(&unit.id) {
                match piece.epoch == shown.epoch {
                    true => vanish(&mut commands, piece.root),
                    false => commands.entity(piece.root).despawn(),
                }
            }
            continue;
        }
        let is_own = unit.side == session.player();
        let actor = event_playback.actor();
        let chosen = selection.chosen.filter(|_| actor.is_none());
        let is_asked = is_own && session.asked_member().or(chosen) == Some(unit.id);
        let is_acting = actor == Some(unit.id) || is_asked;
        let pose = match unit.state {
            State::Up if is_acting => Pose::Active,
            State::Up if session.is_done(unit) => Pose::Done,
            State::Up => Pose::Ready,
            _ => Pose::Down,
        };
        let appearance = TokenAppearance {
            unit: unit.clone(),
            pose,
            is_own,
            cell_px,
            corner: corner_in_cell(units, unit),
            lying: Lying::of(units, unit),
            is_under: !unit.is_up() && units.iter().any(stands_on(unit)),
            ink: match unit.is_up() {
                true => 0.0,
                false => settings.flashes.share(),
            },
        };
        let piece = pieces.0.entry(unit.id).or_insert_with(|| {
            let piece = spawn(&mut commands, unit);
            if is_running {
                appear(&mut commands, piece.root);
            }
            Piece {
                epoch: shown.epoch.wrapping_sub(u32::from(!is_running)),
                ..piece
            }
        });
        if piece.epoch != shown.epoch {
            put_down(&mut commands, piece, unit);
            piece.epoch = shown.epoch;
            // Forces a redraw, in case a flash or a draining bar was cut off.
            piece.gauge = Gauge::new(unit.hp);
            piece.appearance.cell_px = 0;
        } else if let Ok((mut transform, is_moving)) = transforms.get_mut(piece.root) {
            let rest = rest(unit);
            transform.translation.z = rest.z;
            if !is_moving && transform.translation != rest {
                transform.translation = rest;
            }
        }
        piece.gauge.aim(unit.hp);
        if piece.appearance != appearance || theme.is_changed() {
            // During a flash only the bar is redrawn: a new picture would end the flash.
            if !appearance.looks_like(&piece.appearance) || theme.is_changed() {
                repaint(&mut commands, piece, &appearance, &mut sprites);
            }
            piece.appearance = appearance;
            fill_bar(&mut commands, piece, cell_px, &mut sprites);
        }
    }
}

fn spawn(commands: &mut Commands, unit: &UnitView) -> Piece {
    let parts = (
        Name::new(unit.name.clone()),
        DespawnOnExit(Screen::Battle),
        Transform::from_translation(rest(unit)),
        Visibility::Inherited,
    );
    let root = commands.spawn(parts).id();
    let figure = (ChildOf(root), Sprite::default(), Transform::default());
    let figure = commands.spawn(figure).id();
    let unseen = Sprite {
        color: WHITE.with_alpha(0.0).into(),
        ..default()
    };
    let flash = (
        ChildOf(figure),
        unseen,
        Transform::from_xyz(0.0, 0.0, 0.001),
    );
    let flash = commands.spawn(flash).id();
    let look = (FollowsFigure, Sprite::default(), Transform::default());
    let bar = Plate {
        entity: commands.spawn((ChildOf(root), look)).id(),
        rest: Vec3::ZERO,
    };
    let appearance = TokenAppearance {
        unit: unit.clone(),
        pose: Pose::Ready,
        is_own: false,
        cell_px: 0,
        corner: None,
        lying: Lying::Alone,
        is_under: false,
        ink: 0.0,
    };
    Piece {
        root,
        figure,
        flash,
        bar,
        gauge: Gauge::new(unit.hp),
        badges: vec![],
        appearance,
        epoch: 0,
    }
}

/// Seconds in which a unit appears or vanishes.
const APPEAR_SECONDS: f32 = 0.38;

/// Grows the token from nothing.
fn appear(commands: &mut Commands, root: Entity) {
    resize(commands, root, EaseFunction::BackOut, |x| x);
}

/// Shrinks the token to nothing and despawns it.
fn vanish(commands: &mut Commands, root: Entity) {
    resize(commands, root, EaseFunction::QuadraticIn, |x| 1.0 - x);
    commands.entity(root).insert(DespawnAfter(APPEAR_SECONDS));
}

/// Animates the size of a token; `size` is its factor at a time from 0 to 1.
fn resize(commands: &mut Commands, root: Entity, ease: EaseFunction, size: fn(f32) -> f32) {
    let sway =
        TransformLens(move |t: &mut Transform, x: f32| t.scale = Vec3::splat(size(x).max(0.01)));
    let seconds = Duration::from_secs_f32(APPEAR_SECONDS);
    let tween = Tween::new::<Transform, _>(ease, seconds, sway);
    commands.entity(root).insert(TweenAnim::new(tween));
}

/// So bright that a sprite tinted with it is all white.
pub const WHITE: LinearRgba = LinearRgba::rgb(9.0, 9.0, 9.0);

/// Stops all motion of a token and puts it at rest.
fn put_down(commands: &mut Commands, piece: &Piece, unit: &UnitView) {
    let still = Transform::IDENTITY;
    commands
        .entity(piece.root)
        .remove::<TweenAnim>()
        .insert(Transform::from_translation(rest(unit)));
    commands
        .entity(piece.figure)
        .remove::<TweenAnim>()
        .insert(still);
    commands.entity(piece.flash).remove::<TweenAnim>();
}

/// Redraws a token and its badges.
fn repaint(
    commands: &mut Commands,
    piece: &mut Piece,
    appearance: &TokenAppearance,
    sprites: &mut SpriteCache,
) {
    let TokenAppearance {
        unit,
        pose,
        cell_px,
        corner,
        ..
    } = appearance;
    let side = f32::from(unit.size.max(1));
    let whole = tokens::token(unit, *pose, *corner);
    // The number of a standing unit is a picture of its own.
    let number = whole.label.filter(|_| unit.is_up());
    let token = Token {
        label: whole.label.filter(|_| !unit.is_up()),
        ..whole
    };
    let token = sprites.get_or_draw(format!("{token:?}"), |px| drawn::token(token, px));
    // A small face is a picture above all others in the cell.
    let opacity = if appearance.lying.is_in_full() {
        1.0
    } else {
        0.0
    };
    commands.entity(piece.figure).insert(Sprite {
        color: Color::WHITE.with_alpha(opacity),
        ..token.sprite()
    });
    commands.entity(piece.flash).insert(Sprite {
        color: WHITE.with_alpha(0.0).into(),
        ..token.sprite()
    });

    // Badges are aligned to whole pixels around the token's resting place.
    let beside =
        |offset: Vec2, image: &SizedImage, z: f32| beside(unit, offset, (image, z), *cell_px);

    for badge in piece.badges.drain(..) {
        commands.entity(badge.entity).despawn();
    }
    if appearance.ink > 0.0 {
        let (wide, opacity, z) = STAIN;
        let image = splash_image(sprites, wide * side);
        let place = beside(Vec2::ZERO, &image, z - rest(unit).z);
        let color = Color::WHITE.with_alpha(opacity * appearance.ink);
        let stain = piece.add_badge(commands, &image, place);
        let look = Sprite {
            color,
            ..image.sprite()
        };
        commands.entity(stain).insert((Stain, look));
    }
    if let Some(number) = number {
        let name = format!("number {number} {corner:?} {}", unit.size);
        let image = sprites.get_or_draw(name, |px| drawn::label(whole, px));
        let place = beside(Vec2::ZERO, &image, height::NUMBERS - rest(unit).z);
        piece.add_badge(commands, &image, place);
    }
    let (size, middle) = match unit.is_up() {
        true => appearance.frame(),
        false => (1.0, Vec2::ZERO),
    };
    let px = (BADGE.0 * size * *cell_px as f32)
        .max(BADGE.1 * sprites.layout_scale())
        .round() as u32;
    let most = match corner {
        _ if appearance.lying != Lying::Alone => 0,
        Some(_) => MAX_SHARED,
        None => MAX_BADGES * usize::from(unit.size.max(1)),
    };
    for (n, shown) in badges(&unit.conditions, most).into_iter().enumerate() {
        let image = match shown {
            ShownBadge::Condition(condition) => badge(sprites, condition, px),
            ShownBadge::More => {
                sprites.get_or_draw(format!("more badges {px}"), |_| roll_card("…", px))
            }
        };
        // Down the right side of a standing unit; along the lower edge of a fallen one, since
        // others may stand on it.
        let apart = n as f32 * 0.86 / side;
        // Inside its own cells: a neighbour's number may lie beside them.
        let edge = 0.5 - 0.5 * image.size.x / side;
        let offset = match unit.is_up() {
            true => {
                let east = (middle.x + 0.37 * size).min(edge);
                // In a lower corner, below the number.
                let up = if middle.y > 0.0 { 0.0 } else { 0.37 * size };
                let north = (middle.y - up).max(-edge);
                Vec2::new(east, north + apart * image.size.y)
            }
            false => {
                let off = edge.min(0.37);
                Vec2::new(-off + apart * image.size.x, off)
            }
        };
        let above = match unit.is_up() {
            // Above rings and arrows, like the health bar.
            true => height::HEALTH - 0.1 - rest(unit).z,
            false => 0.003,
        };
        let place = beside(offset, &image, above + n as f32 * 0.0001);
        piece.add_badge(commands, &image, place);
    }
    let is_face = !appearance.lying.is_in_full();
    let above = match appearance.is_under && is_face {
        true => height::HEALTH + 0.05 - rest(unit).z,
        false => 0.004,
    };
    let high = if is_face { FACE_MARK } else { ROUNDS };
    let face = match appearance.lying {
        Lying::Face => {
            let (chip, high) = (tokens::chip(unit, false), appearance.face());
            let name = format!("face {chip:?} {high}");
            Some(sprites.get_or_draw_sized(name, high, |px| drawn::chip(chip, px)))
        }
        Lying::More(number) => {
            let name = format!("more fallen {number} {high}");
            let words = format!("+{number}");
            Some(sprites.get_or_draw_sized(name, high, |px| roll_card(&words, px)))
        }
        _ => None,
    };
    if let Some(image) = face {
        let place = beside(appearance.in_corner(image.size / side), &image, above);
        piece.add_badge(commands, &image, place);
    }
    let rounds = unit.dying.filter(|_| appearance.is_own);
    let rounds = rounds.map(|rounds| {
        sprites.get_or_draw_sized(format!("rounds to live {rounds} {high}"), high, |px| {
            roll_card(&rounds.to_string(), px)
        })
    });
    let dying = || {
        let px = (high * *cell_px as f32).max(BADGE.1 * sprites.layout_scale());
        Some(badge(sprites, appearance.dying()?, px.round() as u32))
    };
    // There is room for one mark, and the number says more.
    let mark = match appearance.lying {
        Lying::Alone => rounds,
        Lying::Top => rounds.or_else(dying),
        Lying::Face if appearance.is_own => rounds.or_else(dying),
        _ => None,
    };
    if let Some(image) = mark {
        let size = image.size / side;
        let offset = match is_face {
            true => appearance.on_face(size),
            false => appearance.in_corner(size),
        };
        // The ring of a target that may be saved must not cover its rounds.
        let above = match is_face || appearance.is_under {
            true => above + 0.001,
            false => height::NUMBERS - rest(unit).z,
        };
        let place = beside(offset, &image, above);
        piece.add_badge(commands, &image, place);
    }
}

impl Piece {
    /// How its token is drawn.
    pub fn pose(&self) -> Pose {
        self.appearance.pose
    }

    /// Spawns a small picture on the token.
    fn add_badge(
        &mut self,
        commands: &mut Commands,
        image: &SizedImage,
        place: Transform,
    ) -> Entity {
        let look = (ChildOf(self.root), FollowsFigure, image.sprite(), place);
        let entity = commands.spawn(look).id();
        self.badges.push(Plate {
            entity,
            rest: place.translation,
        });
        entity
    }
}

/// Moves bars and badges with their figures.
fn keep_plates(
    pieces: Res<Pieces>,
    figures: Query<&Transform, Without<FollowsFigure>>,
    mut plates: Query<&mut Transform, With<FollowsFigure>>,
) {
    for piece in pieces.0.values() {
        let Ok(figure) = figures.get(piece.figure) else {
            continue;
        };
        let off = figure.translation.truncate().extend(0.0);
        for plate in piece.badges.iter().chain([&piece.bar]) {
            let place = plate.rest + off;
            if let Ok(mut transform) = plates.get_mut(plate.entity)
                && transform.translation != place
            {
                transform.translation = place;
            }
        }
    }
}

/// Where a small picture goes around a unit's middle; `offset` is in sides of its space.
fn beside(
    unit: &UnitView,
    offset: Vec2,
    (image, z): (&SizedImage, f32),
    cell_px: u32,
) -> Transform {
    let middle = Vec2::from(unit.middle());
    let side = f32::from(unit.size.max(1));
    let place = on_pixels(middle + offset * side, image.size, cell_px) - middle;
    Transform::from_translation(at(place, z))
}

/// Draws the health bar at the gauge's value.
fn fill_bar(commands: &mut Commands, piece: &mut Piece, cell_px: u32, sprites: &mut SpriteCache) {
    let TokenAppearance { unit, is_own, .. } = &piece.appearance;
    let (size, middle) = piece.appearance.frame();
    let bar = match unit.is_up() {
        true => {
            let layout = sprites.layout_scale();
            let (health, shown) = (
                tokens::health(unit, *is_own),
                piece.gauge.now().round() as i32,
            );
            // What is lost drains in white from the new hit points on; what is regained fills up.
            let health = Health {
                now: health.now.min(shown),
                lost: (shown - health.now).max(0),
                ..health
            };
            let name = format!("{health:?} {} {size}", unit.size);
            let draw = |px: u32| {
                let px = drawn::bar_px(px, size, layout);
                drawn::health_bar(health, unit.size.into(), px, layout)
            };
            sprites.get_or_draw(name, draw)
        }
        false => SizedImage::default(),
    };
    let side = f32::from(unit.size.max(1));
    // Inside its own cells: the number of the unit below may lie under them.
    let edge = 0.5 * size - 0.5 * bar.size.y / side;
    let edge = middle + Vec2::new(0.0, edge);
    let above = height::HEALTH - rest(unit).z;
    let place = beside(unit, edge, (&bar, above), cell_px);
    let visibility = visible_if(unit.is_up());
    piece.bar.rest = place.translation;
    commands
        .entity(piece.bar.entity)
        .insert((bar.sprite(), place, visibility));
}

/// A badge on a token.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum ShownBadge {
    Condition(Badge),
    /// There are conditions without a badge. The card of the unit lists them all.
    More,
}

/// The badges of conditions: at most this many. One that stands for the rest takes the place of the
/// last one, unless that is the only one.
pub fn badges(conditions: &[StatusBadge], most: usize) -> Vec<ShownBadge> {
    let own = match conditions.len() > most && most > 1 {
        true => most - 1,
        false => most,
    };
    let shown = conditions.iter().take(own);
    let mut badges = Vec::from_iter(shown.map(|c| ShownBadge::Condition(c.badge)));
    if own < most {
        badges.push(ShownBadge::More);
    }
    badges
}

fn badge(sprites: &mut SpriteCache, badge: Badge, px: u32) -> SizedImage {
    sprites.get_or_draw(format!("{badge:?} {px}"), |_| drawn::badge(badge, px))
}
