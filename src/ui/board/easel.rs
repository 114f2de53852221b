//! Marks on the board and the labels beside them.

use super::{
    height,
    labels::{self, Bit, Label, Side},
    overlay::Mark,
    prints::{Print, Studio, at},
};
use crate::{
    battle::Id,
    grid::{Cell, Cover, Sight},
    ui::{
        Pick, Screen, Shown,
        art::{icons, marks, palette},
        pictures::Sign,
        prospect::{Blow, Drawn, Odds, Shot, Way},
        shown::middle,
        theme::{Cut, colour},
    },
};
use bevy::prelude::*;

/// Chances are written at so many targets at most; the others have their line.
const MOST_SHOTS: usize = 5;

/// The middle of a cell.
pub(super) fn heart(cell: Cell) -> Vec2 {
    middle(cell, 1).into()
}

/// Lays marks and labels.
pub(super) struct Easel<'w, 's, 'a> {
    pub commands: Commands<'w, 's>,
    pub studio: Studio<'w>,
    pub shown: &'a Shown,
    /// The foes who are armed for melee, and how far they reach, in feet.
    pub armed: Vec<(Id, u16)>,
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

    pub(super) fn ring(&mut self, ring: marks::Ring, place: Vec2, radius: f32) {
        let name = format!("ring {ring:?} {radius}");
        let print = self.studio.print(name, |px| marks::ring(ring, radius, px));
        let z = if ring == marks::Ring::Threat {
            height::RINGS
        } else {
            height::TARGET
        };
        self.print(&print, place, z);
    }

    pub(super) fn ring_round(&mut self, ring: marks::Ring, id: Id) {
        let person = self.shown.person(id);
        let radius = 0.5 * f32::from(person.size.max(1)) + 0.03;
        self.ring(ring, person.middle().into(), radius);
    }

    /// The cell pointed at, where a click would do nothing to it.
    pub(super) fn cursor(&mut self, pick: &Pick) {
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

    pub(super) fn way(&mut self, way: &Way, who: Option<Id>) {
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
        if way.fall > 0 {
            let words = format!("falls {} ft", way.fall);
            lines.push(vec![Bit::Words(words, Cut::Body, palette::DANGER)]);
        }
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
    pub(super) fn threats(&mut self, way: Option<&Way>) {
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
            let line = self.studio.placed(
                marks::aim(from.into(), to.into(), palette::TEAL, px),
                height::AIM,
            );
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

    pub(super) fn blow(&mut self, blow: &Blow) {
        let px = self.px();
        let (by, target) = (self.shown.person(blow.by), self.shown.person(blow.at));
        let size = by.size;
        // A charge is made from where it ends.
        let from: Vec2 = middle(blow.choice.to.unwrap_or(by.at), size).into();
        let to = Vec2::from(target.middle());
        let line = self.studio.placed(
            marks::aim(from.into(), to.into(), palette::TEAL, px),
            height::AIM,
        );
        self.lay(line);
        self.ring_round(marks::Ring::Target, blow.at);
        self.chance(blow.at, blow.percent, (blow.cover, true), &[from], 0);
    }

    /// The cells by which the path is to lead, each a ring.
    pub(super) fn via(&mut self, cells: &[Cell], size: u8) {
        for &cell in cells {
            self.ring(marks::Ring::Hover, middle(cell, size).into(), 0.24);
        }
    }

    /// Cells as one area.
    pub(super) fn area(&mut self, cells: &[Cell], ink: palette::Rgb) {
        let cells: Vec<(i32, i32)> = cells.iter().map(|c| (c.x.into(), c.y.into())).collect();
        let px = self.px();
        if let Some(picture) = marks::area(&cells, ink, px) {
            let area = self.studio.placed(picture, height::RINGS);
            self.lay(area);
        }
    }

    /// The chance beside each whom an act would touch.
    pub(super) fn odds(&mut self, odds: &[Odds]) {
        for (n, one) in odds.iter().enumerate() {
            if let (Some(who), Some(percent)) = (one.who, one.percent) {
                self.chance(who, percent, (Cover::None, false), &[], 1 + n as u32);
            }
        }
    }

    /// A line to whom an act is aimed at.
    pub(super) fn aim_at(&mut self, by: Id, at_whom: Id) {
        let (by, target) = (self.shown.person(by), self.shown.person(at_whom));
        if by.id != target.id {
            let (from, to) = (by.middle(), target.middle());
            let picture = marks::aim(from, to, palette::TEAL, self.px());
            let line = self.studio.placed(picture, height::AIM);
            self.lay(line);
        }
    }

    /// What one sees of somebody who cannot be attacked: a line, red where it
    /// is blocked, and the cover.
    pub(super) fn sight(&mut self, by: Id, at_whom: Id, sight: Sight) {
        let (by, target) = (self.shown.person(by), self.shown.person(at_whom));
        let ink = if sight.los {
            palette::FADED_INK
        } else {
            palette::DANGER
        };
        let picture = marks::aim(by.middle(), target.middle(), ink, self.px());
        let line = self.studio.placed(picture, height::AIM);
        self.lay(line);
        let words = match sight.cover.filter(|_| sight.los) {
            None => "no line of sight",
            Some(Cover::None) => "in plain sight",
            Some(Cover::Half) => "half cover",
            Some(Cover::Full) => "full cover",
        };
        let size = Vec2::splat(f32::from(target.size.max(1)));
        let about = Rect::from_center_size(target.middle().into(), size);
        let clear = self.others(target.id).collect();
        labels::label(
            &mut self.commands,
            Label {
                about,
                clear,
                rank: 0,
                side: Side::Above,
            },
            vec![vec![Bit::Words(words.into(), Cut::Body, ink)]],
        );
    }

    /// Attacks that an act draws where one stands.
    pub(super) fn draws(&mut self, who: Id, drawn: &[Drawn]) {
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
