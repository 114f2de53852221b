//! The board: a plain first version. The map is one picture at the size that
//! fits the room, people are sprites, what lies before the player is drawn
//! over it.

use super::{
    Command, Phase, Pick, Playback, Prospect, Screen, Session,
    art::{
        board::{self as drawn, MARGIN, Picture},
        marks,
        plan::Plan,
        tokens::{self as pieces, Pose},
    },
    pictures,
    prospect::{Click, Cost},
    screens::{MainCamera, battle::BoardArea},
    shown::Person,
    tokens,
};
use crate::{
    battle::{Change, Event, Id, State},
    grid::Cell,
};
use bevy::{
    picking::{events::Click as Clicked, pointer::PointerButton},
    prelude::*,
    ui::UiGlobalTransform,
};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Desk>().init_resource::<Pace>();
    app.add_observer(over).add_observer(out).add_observer(click);
    app.add_systems(OnEnter(Screen::Battle), |mut desk: ResMut<Desk>| {
        *desk = Desk::default()
    });
    app.add_systems(
        Update,
        play.in_set(Phase::Play).run_if(in_state(Screen::Battle)),
    );
    app.add_systems(
        Update,
        (fit, draw_map, draw_people, draw_marks)
            .chain()
            .in_set(Phase::Draw)
            .run_if(in_state(Screen::Battle)),
    );
}

/// How the map lies in the window.
#[derive(Resource, Default, Clone, Debug)]
pub struct Desk {
    /// Pixels of a cell; 0 before the room is known.
    cell_px: u32,
    /// Where the map's north-west corner is, in the world.
    corner: Vec2,
    /// The map that was drawn: its size and its doors.
    map: Option<(u32, Vec<Option<bool>>)>,
}

impl Desk {
    /// A place in cells from the north-west corner, in the world.
    fn at(&self, x: f32, y: f32) -> Vec2 {
        self.corner + Vec2::new(x, -y) * self.cell_px as f32
    }
}

/// How long the event that is being played still takes, in seconds.
#[derive(Resource, Default)]
struct Pace(f32);

#[derive(Component)]
struct MapSprite;

#[derive(Component)]
struct PersonSprite(Id);

#[derive(Component)]
struct Mark;

fn cell_under(
    at: Vec2,
    desk: &Desk,
    camera: (&Camera, &GlobalTransform),
    session: &Session,
) -> Option<Cell> {
    let world = camera.0.viewport_to_world_2d(camera.1, at).ok()?;
    let place = (world - desk.corner) / desk.cell_px.max(1) as f32;
    let cell = Cell::new(place.x.floor() as i16, (-place.y).floor() as i16);
    session.shown().board.contains(cell).then_some(cell)
}

fn over(
    on: On<Pointer<Move>>,
    area: Query<(), With<BoardArea>>,
    desk: Res<Desk>,
    camera: Single<(&Camera, &GlobalTransform), With<MainCamera>>,
    session: Option<Res<Session>>,
    pick: Res<Pick>,
    mut out: MessageWriter<Command>,
) {
    let Some(session) = session.filter(|_| area.contains(on.entity)) else {
        return;
    };
    let cell = cell_under(on.pointer_location.position, &desk, *camera, &session);
    if cell != pick.cursor || pick.by_keys {
        out.write(Command::Point(cell));
    }
}

fn out(on: On<Pointer<Out>>, area: Query<(), With<BoardArea>>, mut out: MessageWriter<Command>) {
    if area.contains(on.entity) {
        out.write(Command::Point(None));
    }
}

fn click(
    on: On<Pointer<Clicked>>,
    area: Query<(), With<BoardArea>>,
    desk: Res<Desk>,
    camera: Single<(&Camera, &GlobalTransform), With<MainCamera>>,
    session: Option<Res<Session>>,
    mut out: MessageWriter<Command>,
) {
    let Some(session) = session.filter(|_| area.contains(on.entity)) else {
        return;
    };
    match on.button {
        PointerButton::Primary => {
            let cell = cell_under(on.pointer_location.position, &desk, *camera, &session);
            out.write(Command::Point(cell));
            out.write(Command::Go);
        }
        PointerButton::Secondary => {
            out.write(Command::Back);
        }
        PointerButton::Middle => {}
    }
}

/// Seconds that an event is given.
fn length(event: &Event) -> f32 {
    match event.what {
        Change::Moved { .. } => 0.12,
        Change::Acted { .. } => 0.15,
        Change::AttackRolled { .. } => 0.35,
        Change::AttackSettled { .. } | Change::Damaged { .. } => 0.25,
        Change::Fell { .. } | Change::TurnBegan { .. } => 0.4,
        Change::RoundBegan { .. } => 0.3,
        _ => 0.0,
    }
}

fn play(
    mut session: ResMut<Session>,
    mut pace: ResMut<Pace>,
    mut playback: ResMut<Playback>,
    time: Res<Time>,
) {
    pace.0 -= time.delta_secs();
    while pace.0 <= 0.0 && session.has_next() {
        let event = session.next_event();
        pace.0 = event.as_ref().map_or(0.0, length);
    }
    let busy = pace.0 > 0.0 || session.has_next();
    if playback.busy != busy {
        playback.busy = busy;
    }
    pace.0 = pace.0.max(0.0);
}

/// As large as the room allows, in the middle of it.
fn fit(
    area: Single<(&ComputedNode, &UiGlobalTransform), With<BoardArea>>,
    session: Res<Session>,
    window: Option<Single<&Window>>,
    mut desk: ResMut<Desk>,
) {
    let (node, place) = area.into_inner();
    let Some(window) = window else { return };
    let scale = node.inverse_scale_factor;
    let (size, middle) = (node.size() * scale, place.translation * scale);
    if size.min_element() < 1.0 {
        return;
    }
    let board = &session.shown().board;
    let cells = Vec2::new(f32::from(board.width()), f32::from(board.height()));
    let room = size / (cells + 2.0 * MARGIN);
    let cell_px = room.min_element().floor().clamp(16.0, 96.0) as u32;
    let world = Vec2::new(
        middle.x - window.width() / 2.0,
        window.height() / 2.0 - middle.y,
    );
    let half = cells * cell_px as f32 / 2.0;
    let corner = (world + Vec2::new(-half.x, half.y)).round();
    if desk.cell_px != cell_px || desk.corner != corner {
        (desk.cell_px, desk.corner) = (cell_px, corner);
    }
}

fn sprite_of(
    picture: Picture,
    desk: &Desk,
    images: &mut Assets<Image>,
    z: f32,
) -> (Sprite, Transform) {
    let size = Vec2::new(
        picture.pixmap.width() as f32,
        picture.pixmap.height() as f32,
    );
    let corner = desk.corner + Vec2::new(picture.left as f32, -picture.top as f32);
    let middle = corner + Vec2::new(size.x, -size.y) / 2.0;
    (
        Sprite::from_image(images.add(pictures::image(picture.pixmap))),
        Transform::from_translation(middle.extend(z)),
    )
}

fn draw_map(
    mut commands: Commands,
    mut desk: ResMut<Desk>,
    session: Res<Session>,
    old: Query<Entity, With<MapSprite>>,
    mut images: ResMut<Assets<Image>>,
) {
    let board = &session.shown().board;
    let doors: Vec<Option<bool>> = board.doors().map(|cell| board.door(cell)).collect();
    let map = Some((desk.cell_px, doors));
    if desk.cell_px == 0 || desk.map == map && !desk.is_changed() {
        return;
    }
    desk.bypass_change_detection().map = map;
    old.iter()
        .for_each(|sprite| commands.entity(sprite).despawn());
    let plan = Plan::from(board);
    let whole = drawn::Area::whole(&plan);
    let picture = drawn::picture(&plan, desk.cell_px, whole);
    let sprite = sprite_of(picture, &desk, &mut images, 0.0);
    commands.spawn((MapSprite, DespawnOnExit(Screen::Battle), sprite));
}

fn draw_people(
    mut commands: Commands,
    desk: Res<Desk>,
    session: Res<Session>,
    pick: Res<Pick>,
    old: Query<Entity, With<PersonSprite>>,
    mut images: ResMut<Assets<Image>>,
) {
    if !session.is_changed() && !pick.is_changed() && !desk.is_changed() || desk.cell_px == 0 {
        return;
    }
    old.iter()
        .for_each(|sprite| commands.entity(sprite).despawn());
    for person in session.shown().people.iter().filter(|p| p.is_there()) {
        let is_own = person.side == session.player();
        let pose = match person.state {
            State::Up if pick.chosen == Some(person.id) && is_own => Pose::Active,
            State::Up if person.done && session.shown().turn == Some(person.side) => Pose::Done,
            State::Up => Pose::Ready,
            _ => Pose::Down,
        };
        person_sprite(&mut commands, &mut images, &desk, person, pose, is_own);
    }
}

fn person_sprite(
    commands: &mut Commands,
    images: &mut Assets<Image>,
    desk: &Desk,
    person: &Person,
    pose: Pose,
    is_own: bool,
) {
    let (x, y) = person.middle();
    let token = images.add(pictures::image(tokens::token(person, pose, desk.cell_px)));
    let z = if person.is_up() { 3.0 } else { 2.5 };
    let mark = (PersonSprite(person.id), DespawnOnExit(Screen::Battle));
    commands.spawn((
        mark,
        Sprite::from_image(token),
        Transform::from_translation(desk.at(x, y).extend(z)),
    ));
    if person.is_up() {
        let share = person.hp as f32 / person.max_hp.max(1) as f32;
        let bar = pieces::health_bar(share, !is_own, person.size.into(), desk.cell_px);
        let at = desk.at(x, y + 0.44 * f32::from(person.size)).extend(4.0);
        let mark = (PersonSprite(person.id), DespawnOnExit(Screen::Battle));
        let sprite = Sprite::from_image(images.add(pictures::image(bar)));
        commands.spawn((mark, sprite, Transform::from_translation(at)));
    }
}

fn draw_marks(
    mut commands: Commands,
    desk: Res<Desk>,
    session: Res<Session>,
    pick: Res<Pick>,
    prospect: Res<Prospect>,
    old: Query<Entity, With<Mark>>,
    mut images: ResMut<Assets<Image>>,
) {
    if !prospect.is_changed() && !pick.is_changed() && !desk.is_changed() || desk.cell_px == 0 {
        return;
    }
    old.iter().for_each(|mark| commands.entity(mark).despawn());
    let px = desk.cell_px;
    let mark = || (Mark, DespawnOnExit(Screen::Battle));
    let tints = [Cost::Move, Cost::Main].map(|cost| {
        let reach = if cost == Cost::Move {
            marks::Reach::Move
        } else {
            marks::Reach::Main
        };
        images.add(pictures::image(marks::reach(reach, px)))
    });
    for end in &prospect.reach {
        let at = desk.at(f32::from(end.cell.x) + 0.5, f32::from(end.cell.y) + 0.5);
        let tint = tints[usize::from(end.cost == Cost::Main)].clone();
        commands.spawn((
            mark(),
            Sprite::from_image(tint),
            Transform::from_translation(at.extend(1.0)),
        ));
    }
    let mut ring = |kind, (x, y): (f32, f32), radius| {
        let image = images.add(pictures::image(marks::ring(kind, radius, px)));
        let at = desk.at(x, y).extend(3.5);
        commands.spawn((
            mark(),
            Sprite::from_image(image),
            Transform::from_translation(at),
        ));
    };
    for &id in &prospect.targets {
        let person = session.shown().person(id);
        ring(
            marks::Ring::Target,
            person.middle(),
            0.55 * f32::from(person.size),
        );
    }
    for cell in &prospect.places {
        ring(
            marks::Ring::Target,
            (f32::from(cell.x) + 0.5, f32::from(cell.y) + 0.5),
            0.55,
        );
    }
    if let Some(cell) = pick.cursor {
        ring(
            marks::Ring::Hover,
            (f32::from(cell.x) + 0.5, f32::from(cell.y) + 0.5),
            0.5,
        );
    }
    match &prospect.click {
        Click::Move(way) => {
            let size = pick.chosen.map_or(1, |id| session.shown().person(id).size);
            let step = |(n, cell): (usize, &Cell)| {
                let (x, y) = super::shown::middle(*cell, size);
                marks::Step {
                    x,
                    y,
                    provokes: way.drawn.iter().any(|d| d.step == n),
                }
            };
            let steps: Vec<marks::Step> = way.path.iter().enumerate().map(step).collect();
            if let Some(picture) = marks::path(&steps, size.into(), px) {
                let sprite = sprite_of(picture, &desk, &mut images, 5.0);
                commands.spawn((mark(), sprite));
            }
        }
        Click::Blow(blow) => {
            let (from, to) = (
                session.shown().person(blow.by),
                session.shown().person(blow.at),
            );
            let picture = marks::aim(from.middle(), to.middle(), px);
            let sprite = sprite_of(picture, &desk, &mut images, 5.0);
            commands.spawn((mark(), sprite));
        }
        _ => {}
    }
}
