//! What lies before the player: the cells in reach, the path and its price,
//! whom one could hit, whom an act may be aimed at.

use super::{
    Stage, height,
    labels::{self, Bit, Label, Side},
    prints::{Print, Studio, at},
};
use crate::{
    battle::Id,
    grid::{Cell, Cover},
    ui::{
        Pick, Prospect, Screen, Session, Shown,
        art::{icons, marks, palette},
        pictures::Sign,
        prospect::{Blow, Click, Cost, Drawn, Reach, Shot, Way},
        shown::middle,
        theme::{Cut, colour},
    },
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, (lay_reach, lay_marks).in_set(Stage::Mark));
}

/// A cell in reach.
#[derive(Component)]
struct Tint;

/// Anything else that is laid over the board.
#[derive(Component)]
struct Mark;

type MarkOrLabel = Or<(With<Mark>, With<Label>)>;

/// Chances are written at so many targets at most; the others have their line.
const MOST_SHOTS: usize = 5;

fn lay_reach(
    mut commands: Commands,
    prospect: Res<Prospect>,
    mut studio: Studio,
    old: Query<Entity, With<Tint>>,
    mut laid: Local<(Vec<Reach>, u32)>,
) {
    let Some(px) = studio.cell_px() else { return };
    let is_laid = laid.0 == prospect.reach && laid.1 == px;
    if is_laid && old.is_empty() == laid.0.is_empty() {
        return;
    }
    *laid = (prospect.reach.clone(), px);
    old.iter().for_each(|tint| commands.entity(tint).despawn());
    let mut tint = |reach| studio.print(format!("reach {reach:?}"), |px| marks::reach(reach, px));
    let tints = [tint(marks::Reach::Plain), tint(marks::Reach::Dear)];
    for end in &prospect.reach {
        let tint = &tints[usize::from(end.cost == Cost::Dear)];
        let place = Transform::from_translation(at(heart(end.cell), height::REACH));
        commands.spawn((Tint, DespawnOnExit(Screen::Battle), tint.sprite(), place));
    }
}

/// The middle of a cell.
fn heart(cell: Cell) -> Vec2 {
    middle(cell, 1).into()
}

/// Lays marks and labels.
struct Easel<'w, 's, 'a> {
    commands: Commands<'w, 's>,
    studio: Studio<'w>,
    shown: &'a Shown,
    /// The foes who are armed for melee, and how far they reach, in feet.
    armed: Vec<(Id, u16)>,
}

fn lay_marks(
    mut commands: Commands,
    studio: Studio,
    mut session: ResMut<Session>,
    (pick, prospect): (Res<Pick>, Res<Prospect>),
    keys: Res<ButtonInput<KeyCode>>,
    old: Query<Entity, MarkOrLabel>,
    mut was_asked: Local<bool>,
) {
    // While the key is held, everybody who threatens shows it.
    let is_asked = keys.any_pressed([KeyCode::AltLeft, KeyCode::AltRight]);
    let asks_anew = std::mem::replace(&mut *was_asked, is_asked) != is_asked;
    let is_new = prospect.is_changed() || pick.is_changed() || studio.is_renewed();
    let needs_all = is_asked && session.is_changed();
    if studio.cell_px().is_none() || !(is_new || asks_anew || needs_all) {
        return;
    }
    old.iter().for_each(|mark| commands.entity(mark).despawn());
    // Reading through the session leaves it as it was.
    let session = session.bypass_change_detection();
    let player = session.player();
    let foes = session
        .shown()
        .people
        .iter()
        .filter(|p| p.is_up() && p.side != player);
    let foes: Vec<Id> = foes.map(|p| p.id).collect();
    let reach = |id| Some((id, session.threat(id)?));
    let armed = match &prospect.click {
        Click::Move(_) => foes.into_iter().filter_map(reach).collect(),
        _ if is_asked => foes.into_iter().filter_map(reach).collect(),
        _ => vec![],
    };
    let mut easel = Easel {
        commands,
        studio,
        shown: session.shown(),
        armed,
    };
    if is_asked {
        easel.threats(None);
    } else if let Click::Move(way) = &prospect.click {
        easel.threats(Some(way));
    }
    for &id in &prospect.targets {
        easel.ring_round(marks::Ring::Target, id);
    }
    for &cell in &prospect.places {
        easel.ring(marks::Ring::Target, heart(cell), 0.46);
    }
    match &prospect.click {
        Click::Move(way) => easel.way(way, pick.chosen),
        Click::Blow(blow) => easel.blow(blow),
        Click::Act { choice, draws, .. } => {
            if let Some(id) = choice.at {
                easel.ring_round(marks::Ring::Target, id);
            }
            if let Some(cell) = choice.to {
                easel.ring(marks::Ring::Target, heart(cell), 0.46);
            }
            if let Some(who) = choice.who {
                easel.draws(who, draws);
            }
        }
        Click::Nothing | Click::No(_) | Click::Choose(_) => easel.cursor(&pick),
    }
}

impl Easel<'_, '_, '_> {
    fn px(&self) -> u32 {
        self.studio.cell_px().unwrap_or(1)
    }

    fn lay(&mut self, bundle: impl Bundle) {
        self.commands
            .spawn((Mark, DespawnOnExit(Screen::Battle), bundle));
    }

    fn print(&mut self, print: &Print, place: Vec2, z: f32) {
        let place = Transform::from_translation(at(place, z));
        self.lay((print.sprite(), place));
    }

    fn ring(&mut self, ring: marks::Ring, place: Vec2, radius: f32) {
        let name = format!("ring {ring:?} {radius}");
        let print = self.studio.print(name, |px| marks::ring(ring, radius, px));
        let z = if ring == marks::Ring::Threat {
            height::RINGS
        } else {
            height::TARGET
        };
        self.print(&print, place, z);
    }

    fn ring_round(&mut self, ring: marks::Ring, id: Id) {
        let person = self.shown.person(id);
        let radius = 0.5 * f32::from(person.size.max(1)) + 0.03;
        self.ring(ring, person.middle().into(), radius);
    }

    /// The cell pointed at, where a click would do nothing to it.
    fn cursor(&mut self, pick: &Pick) {
        let Some(cell) = pick.cursor else { return };
        if let Some(person) = self.shown.on(cell) {
            let id = person.id;
            return self.ring_round(marks::Ring::Hover, id);
        }
        if !self.shown.board.contains(cell) {
            return;
        }
        // Four corners.
        let px = self.px().max(1) as f32;
        let line = (px / 26.0).round().max(1.0) / px;
        let ink = colour(palette::INK).with_alpha(0.55);
        for (x, y) in [(-1.0, -1.0), (1.0, -1.0), (-1.0, 1.0), (1.0, 1.0)] {
            for size in [Vec2::new(0.25, line), Vec2::new(line, 0.25)] {
                let place = heart(cell) + (0.46 - size / 2.0) * Vec2::new(x, y);
                let sprite = Sprite {
                    custom_size: Some(size),
                    color: ink,
                    ..default()
                };
                self.lay((sprite, Transform::from_translation(at(place, height::PATH))));
            }
        }
    }

    fn way(&mut self, way: &Way, who: Option<Id>) {
        let size = who.map_or(1, |id| self.shown.person(id).size);
        let spots: Vec<Vec2> = way.path.iter().map(|&c| middle(c, size).into()).collect();
        let steps: Vec<marks::Step> = spots
            .iter()
            .map(|s| marks::Step {
                x: s.x,
                y: s.y,
                provokes: false,
            })
            .collect();
        let px = self.px();
        if let Some(picture) = marks::path(&steps, size.into(), px) {
            let path = self.studio.placed(picture, height::PATH);
            self.lay(path);
        }
        self.dangers(&way.drawn, &spots);
        let Some(&end) = spots.last() else { return };
        self.shots(&way.shots, end, &spots);

        let half = Vec2::splat(0.5 * f32::from(size));
        let about = Rect::from_center_half_size(end, half);
        let mut clear = steps_of(&spots, size);
        clear.extend(self.others(who.unwrap_or(Id(u16::MAX))));
        let price = match way.price.is_empty() {
            true => format!("{} ft", way.feet),
            false => format!("{} ft · {}", way.feet, way.price),
        };
        let mut lines = vec![vec![Bit::Words(price, Cut::Strong, palette::INK)]];
        lines.extend(self.strikes(&way.drawn));
        labels::label(
            &mut self.commands,
            Label {
                about,
                clear,
                rank: 0,
                side: Side::Corner,
            },
            lines,
        );
    }

    /// Those who stand on the board besides somebody: they are not hidden.
    fn others(&self, id: Id) -> impl Iterator<Item = Rect> {
        let others = self
            .shown
            .people
            .iter()
            .filter(move |p| p.is_up() && p.id != id);
        others.map(|p| {
            let half = Vec2::splat(0.42 * f32::from(p.size.max(1)));
            Rect::from_center_half_size(p.middle().into(), half)
        })
    }

    /// A red disc where an attack is drawn: on the step that is left, or
    /// beside who stands there.
    fn dangers(&mut self, drawn: &[Drawn], spots: &[Vec2]) {
        let disc = |px: u32| marks::danger((px as f32 * 0.54).round() as u32);
        let print = self.studio.print(String::from("danger"), disc);
        let mut steps: Vec<usize> = drawn.iter().map(|d| d.step).collect();
        steps.sort();
        steps.dedup();
        for step in steps {
            let Some(&spot) = spots.get(step) else {
                continue;
            };
            let place = match (step, spots.get(1)) {
                // Its token stands there, so the disc goes to where it steps off.
                (0, Some(&next)) => spot + (next - spot) * 0.5,
                _ => spot,
            };
            self.print(&print, place, height::DANGER);
        }
    }

    /// Round the foes who could strike along a way, or round all who are armed.
    fn threats(&mut self, way: Option<&Way>) {
        for (id, feet) in self.armed.clone() {
            let person = self.shown.person(id);
            let cells = (feet / 5) as i16;
            let meets = |cell: &Cell| {
                let side = i16::from(person.size.max(1));
                let near = |v: i16, at: i16| v >= at - cells && v < at + side + cells;
                near(cell.x, person.at.x) && near(cell.y, person.at.y)
            };
            if way.is_none_or(|way| way.path.iter().any(meets)) {
                let radius = 0.5 * f32::from(person.size.max(1)) + f32::from(cells) - 0.14;
                self.ring(marks::Ring::Threat, person.middle().into(), radius);
            }
        }
    }

    /// "Goblin 2 may strike: 45%", a line each.
    fn strikes(&self, drawn: &[Drawn]) -> Vec<Vec<Bit>> {
        let line = |d: &Drawn| {
            let words = format!(
                "{} may strike: {}%",
                self.shown.person(d.by).name,
                d.percent
            );
            vec![Bit::Words(words, Cut::Body, palette::DANGER)]
        };
        drawn.iter().map(line).collect()
    }

    /// Whom one could hit from there.
    fn shots(&mut self, shots: &[Shot], from: Vec2, spots: &[Vec2]) {
        let px = self.px();
        for (n, shot) in shots.iter().enumerate() {
            let target = self.shown.person(shot.at);
            let to = Vec2::from(target.middle());
            let line = self
                .studio
                .placed(marks::aim(from.into(), to.into(), px), height::AIM);
            self.lay(line);
            if n < MOST_SHOTS {
                self.chance(
                    shot.at,
                    shot.percent,
                    (shot.cover, false),
                    spots,
                    1 + n as u32,
                );
            }
        }
    }

    /// "55%" and the cover, beside a target.
    fn chance(
        &mut self,
        id: Id,
        percent: u32,
        (cover, in_words): (Cover, bool),
        spots: &[Vec2],
        rank: u32,
    ) {
        let person = self.shown.person(id);
        let size = Vec2::splat(f32::from(person.size.max(1)));
        let about = Rect::from_center_size(person.middle().into(), size);
        let mut line = vec![Bit::Words(
            format!("{percent}%"),
            Cut::Strong,
            palette::TEAL,
        )];
        let badge = match cover {
            Cover::None => None,
            Cover::Half => Some((icons::Cover::Half, "half")),
            Cover::Full => Some((icons::Cover::Full, "full")),
        };
        if let Some((cover, word)) = badge {
            let shield = self.studio.sign(Sign::Cover(cover), 16.0);
            line.push(Bit::Picture(shield, 16.0));
            if in_words {
                line.push(Bit::Words(String::from(word), Cut::Body, palette::INK));
            }
        }
        let mut clear = steps_of(spots, 1);
        clear.extend(self.others(id));
        labels::label(
            &mut self.commands,
            Label {
                about,
                clear,
                rank,
                side: Side::Above,
            },
            vec![line],
        );
    }

    fn blow(&mut self, blow: &Blow) {
        let px = self.px();
        let (by, target) = (self.shown.person(blow.by), self.shown.person(blow.at));
        let size = by.size;
        // A charge is made from where it ends.
        let from: Vec2 = middle(blow.choice.to.unwrap_or(by.at), size).into();
        let to = Vec2::from(target.middle());
        let line = self
            .studio
            .placed(marks::aim(from.into(), to.into(), px), height::AIM);
        self.lay(line);
        self.ring_round(marks::Ring::Target, blow.at);
        self.chance(blow.at, blow.percent, (blow.cover, true), &[from], 0);
    }

    /// Attacks that an act draws where one stands.
    fn draws(&mut self, who: Id, drawn: &[Drawn]) {
        if drawn.is_empty() {
            return;
        }
        let person = self.shown.person(who);
        let size = Vec2::splat(f32::from(person.size.max(1)));
        let about = Rect::from_center_size(person.middle().into(), size);
        self.dangers(drawn, &[about.center() - Vec2::new(0.0, 0.5 * size.y)]);
        let lines = self.strikes(drawn);
        labels::label(
            &mut self.commands,
            Label {
                about,
                clear: vec![],
                rank: 0,
                side: Side::Above,
            },
            lines,
        );
    }
}

/// The cells of a path, as what a label leaves free.
fn steps_of(spots: &[Vec2], size: u8) -> Vec<Rect> {
    let half = Vec2::splat(0.36 * f32::from(size.max(1)));
    spots
        .iter()
        .map(|&spot| Rect::from_center_half_size(spot, half))
        .collect()
}
