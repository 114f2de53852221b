//! What the player's side has declared and what it is for: ways, arrows, areas,
//! and who would stand where. What is only pointed at is dashed.

use super::{
    Stage, height,
    labels::{Bit, Label, Side},
    mark_painter::{Layer, MarkPainter, take_off},
    prints::{Studio, at},
};
use crate::{
    battle::Id,
    ui::{
        Screen, Session,
        art::{
            marks,
            palette::{self, Rgb},
        },
        preview::{Foreseen, ahead::PlannedAct},
        shown::middle,
        theme::Cut,
    },
};
use bevy::prelude::*;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        lay.in_set(Stage::Mark).run_if(in_state(Screen::Battle)),
    );
}

fn lay(
    mut commands: Commands,
    studio: Studio,
    session: Res<Session>,
    foreseen: Res<Foreseen>,
    old: Query<(Entity, &Layer)>,
) {
    if studio.cell_px().is_none() || !(foreseen.is_changed() || studio.is_renewed()) {
        return;
    }
    take_off(&mut commands, &old, Layer::Plans);
    let mut painter = MarkPainter {
        commands,
        studio,
        layer: Layer::Plans,
        shown: session.shown(),
        armed: vec![],
    };
    let round = session.shown().clock.round;
    for failed in session.intents().failures(round) {
        if painter.shown.person(failed.who).side == session.player() {
            painter.failure(failed.who, &failed.why);
        }
    }
    let Some(ahead) = &foreseen.ahead else { return };
    for deed in &ahead.acts {
        let is_draft = foreseen.is_draft(deed.who);
        let perils = match is_draft {
            true => &foreseen.perils[..],
            false => &[],
        };
        painter.deed(deed, is_draft, perils);
    }
    for (who, why) in &ahead.failures {
        painter.failure(*who, why);
    }
}

/// From the middle of a token to its edge, in cells.
const EDGE: f32 = 0.46;

impl MarkPainter<'_, '_, '_> {
    fn deed(&mut self, deed: &PlannedAct, is_draft: bool, perils: &[String]) {
        let person = self.shown.person(deed.who);
        let (size, rank) = (person.size, person.rank);
        let ink = match is_draft {
            true => palette::TEAL,
            false => palette::SIDES[usize::from(rank) % palette::SIDES.len()],
        };
        let spots: Vec<Vec2> = deed.path.iter().map(|&c| middle(c, size).into()).collect();
        let Some(&end) = spots.last() else { return };
        for step in spots.windows(2) {
            self.stretch(step[0], step[1], ink, is_draft);
        }
        let half = f32::from(size.max(1)) / 2.0;
        if spots.len() > 1 {
            self.ghost(Some(deed.who), Some(end));
        }
        let mut about = Rect::from_center_half_size(end, Vec2::splat(half));
        if let Some(at_whom) = deed.at.filter(|&id| id != deed.who) {
            let target = self.shown.person(at_whom);
            let to = Vec2::from(target.middle());
            let edge = EDGE * f32::from(target.size.max(1));
            let way = to - end;
            let along = way.normalize_or_zero();
            let (from, to) = (end + along * EDGE, to - along * edge);
            self.arrow(from, to, ink, is_draft);
            about = Rect::from_center_half_size((from + to) / 2.0, Vec2::splat(0.1));
        } else if let [.., before, last] = spots[..] {
            let along = (last - before).normalize_or_zero();
            self.head(last - along * EDGE, along, ink);
        }
        if !deed.area.is_empty() {
            self.area(&deed.area, palette::PURPLE);
        }
        let mut line = vec![Bit::Words(short(&deed.when), Cut::Strong, ink)];
        if !deed.area.is_empty() {
            let words = deed.what.clone();
            line.push(Bit::Words(words, Cut::Small, palette::INK));
        }
        let mut lines = vec![line];
        if let Some(missed) = deed.misses {
            let words = format!("does not get at {}", self.shown.person(missed).name);
            lines.push(vec![Bit::Words(words, Cut::Small, palette::DANGER)]);
        }
        let peril = |line: &String| vec![Bit::Words(line.clone(), Cut::Small, palette::DANGER)];
        lines.extend(perils.iter().map(peril));
        let label = Label {
            about,
            clear: self.others(Id(u16::MAX)).collect(),
            rank: 10 + u32::from(deed.who.0),
            side: Side::Above,
        };
        self.tell(label, lines);
    }

    /// Why somebody's plan would not come off.
    fn failure(&mut self, who: Id, why: &str) {
        let person = self.shown.person(who);
        let half = Vec2::splat(f32::from(person.size.max(1)) / 2.0);
        let about = Rect::from_center_half_size(person.middle().into(), half);
        let mut lines = why.lines();
        let first = lines.next().unwrap_or_default();
        let label = Label {
            about,
            clear: self.others(Id(u16::MAX)).collect(),
            rank: 5,
            side: Side::Corner,
        };
        let words = Bit::Words(first.to_owned(), Cut::Small, palette::DANGER);
        self.tell(label, vec![vec![words]]);
    }

    /// A part of a way.
    fn stretch(&mut self, from: Vec2, to: Vec2, ink: Rgb, is_draft: bool) {
        match is_draft {
            false => self.line(from, to, ink),
            true => self.dashes(from, to, ink),
        }
    }

    fn dashes(&mut self, from: Vec2, to: Vec2, ink: Rgb) {
        const DASH: f32 = 0.22;
        let way = to - from;
        let (length, along) = (way.length(), way.normalize_or_zero());
        let count = (length / (2.0 * DASH)).ceil().max(1.0);
        let step = length / count;
        for n in 0..count as u32 {
            let start = from + along * step * n as f32;
            self.line(start, start + along * step * 0.55, ink);
        }
    }

    fn arrow(&mut self, from: Vec2, to: Vec2, ink: Rgb, is_draft: bool) {
        let along = (to - from).normalize_or_zero();
        if along == Vec2::ZERO {
            return;
        }
        self.stretch(from, to - along * 0.16, ink, is_draft);
        self.head(to, along, ink);
    }

    /// The head of an arrow with its point at a place.
    fn head(&mut self, point: Vec2, along: Vec2, ink: Rgb) {
        let draw = |px: u32| marks::arrow_head(ink, (px as f32 * 0.34).round() as u32);
        let print = self.studio.print(format!("arrow head {ink:?}"), draw);
        let middle = point - along * print.size.x / 2.0;
        let turn = -along.y.atan2(along.x);
        let place = Transform::from_translation(at(middle, height::AIM + 0.01))
            .with_rotation(Quat::from_rotation_z(turn));
        self.lay((print.sprite(), place));
    }
}

/// "Count 9" as "9": the number alone, where there is one.
fn short(when: &str) -> String {
    let number = when
        .strip_prefix("Count ")
        .or(when.strip_prefix("Segment "));
    number.unwrap_or(when).to_owned()
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_count_is_its_number() {
        assert_eq!(super::short("Count −2"), "−2");
        assert_eq!(super::short("Segment 4"), "4");
        assert_eq!(super::short("HIGH: missiles"), "HIGH: missiles");
    }
}
