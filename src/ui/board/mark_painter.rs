//! Draws marks on the board and the labels beside them.

use super::{
    height,
    labels::{self, Bit, Label, LabelSide},
    sprites::{SizedImage, SpriteCache, at},
};
use crate::control::exchange::Exchange;
use crate::{
    battle::{AttackForecast, Id, OddsLine, Provoked, Way},
    grid::{Board, Cell, Cover, Proof, Sight, Space, cells_apart},
    ui::{
        Screen, Shown,
        art::{
            board::Picture,
            icons, marks, palette,
            tokens::{self as drawn, Pose},
        },
        pictures::SmallPicture,
        shown::{UnitView, corner_in_cell, middle},
        theme::{TextStyle, colour},
        tokens,
    },
};
use bevy::{ecs::system::SystemParam, prelude::*};
use std::collections::BTreeSet;

/// Most enemies that get a label with chances; the others only get a line.
const MAX_SHOTS: usize = 6;

/// The layer of a mark or label; each layer is removed as a whole.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layer {
    /// What a click would do.
    ActionPreview,
    /// Overlays that do not depend on the cursor.
    Standing,
    /// The explanation of a line of sight.
    Sight,
    /// Where enemies can attack.
    EnemyReach,
    /// Enemies that could attack the cell under the cursor from afar.
    Threats,
    /// What enemies are likely to do.
    Intents,
    /// Declared plans.
    Plans,
    /// Spells that have a target and have not taken effect yet.
    AimedSpells,
    /// The figures of enemies, with the selected unit's chances against them.
    Enemies,
    /// The numbers of columns and rows.
    Rulers,
    /// Cells in reach.
    Reach,
    /// Items on the ground.
    Items,
    /// Cells where reinforcements are about to enter.
    Arrivals,
    /// Exits, and areas to reach or to hold.
    Goals,
}

/// All layers, for a system that draws one of them.
#[derive(SystemParam)]
pub(super) struct Layers<'w, 's> {
    commands: Commands<'w, 's>,
    sprites: SpriteCache<'w>,
    laid: Query<'w, 's, (Entity, &'static Layer)>,
}

impl<'w, 's> Layers<'w, 's> {
    /// Whether a layer has no marks; leaving the screen removes them.
    pub(super) fn is_empty(&self, layer: Layer) -> bool {
        self.laid.iter().all(|(_, of)| *of != layer)
    }

    /// Whether all pictures must be drawn again.
    pub(super) fn is_renewed(&self) -> bool {
        self.sprites.is_renewed()
    }

    /// Clears a layer for new marks, if there is news to draw or all pictures must be drawn again;
    /// otherwise `None`, and before the view is measured. The painter shows all numbers and marks,
    /// none of them faded.
    pub(super) fn redraw<'a>(
        mut self,
        layer: Layer,
        is_news: bool,
        shown: &'a Shown,
    ) -> Option<MarkPainter<'w, 's, 'a>> {
        self.sprites.cell_px()?;
        if !is_news && !self.is_renewed() {
            return None;
        }
        let old = self.laid.iter().filter(|(_, of)| **of == layer);
        old.for_each(|(entity, _)| self.commands.entity(entity).despawn());
        Some(MarkPainter {
            commands: self.commands,
            sprites: self.sprites,
            layer,
            alpha: 1.0,
            shown,
            enemies_with_reach: vec![],
            numbers: true,
            interrupts: None,
            heads: marks::Heads::default(),
        })
    }
}

/// Whether two places are so near that no unit can stand between them.
pub(super) fn is_near(from: Vec2, to: Vec2) -> bool {
    from.distance(to) < 1.6
}

/// How far an arrow lies beside the line to its target, in cells.
const ASIDE: f32 = 0.2;

/// The line of an arrow between two places, shifted to its right, so that an arrow of the target's
/// own attack does not cover it. Between neighbours in a row there is little room for that beside
/// numbers and hit points; in a column there is room between number and badges. Across a corner it
/// stays close to the line: it must not point at the unit beside its target.
pub(super) fn beside(from: Vec2, to: Vec2) -> [(f32, f32); 2] {
    let ahead = (to - from).normalize_or_zero();
    let aside = match is_near(from, to) {
        true if ahead.y.abs() < 0.4 => Vec2::new(0.0, ahead.x * ASIDE * 0.45),
        true if ahead.x.abs() < 0.4 => Vec2::new((-ahead.y * ASIDE).max(0.0) * 0.7, 0.0),
        true => Vec2::new(-ahead.y, ahead.x) * ASIDE * 0.4,
        false => Vec2::new(-ahead.y, ahead.x) * ASIDE,
    };
    [from + aside, to + aside].map(<(f32, f32)>::from)
}

/// The line between two spaces along which one sees the other, in cells: between their middles, or
/// past the corner if a wall is between these. Without line of sight it is straight.
pub(super) fn sight_line(board: &Board, from: Space, to: Space) -> [Vec2; 2] {
    let middles = [rect_of(from).center(), rect_of(to).center()];
    if is_near(middles[0], middles[1]) {
        return middles;
    }
    match board.clear_line(from, to) {
        Some(ends) => ends.map(|[x, y, _]| Vec2::new(x as f32, y as f32) / 5.0),
        None => middles,
    }
}

/// The way of an attack from the middle of one space to that of another, in cells: straight, or
/// bent where the [`sight_line`] begins and ends.
pub(super) fn attack_way(board: &Board, from: Space, to: Space) -> Vec<(f32, f32)> {
    let [start, end] = sight_line(board, from, to);
    let mut way = vec![rect_of(from).center(), start, end, rect_of(to).center()];
    way.dedup_by(|a, b| a.distance(*b) < 0.01);
    way.into_iter().map(<(f32, f32)>::from).collect()
}

/// The exact line of a charge from a cell, in cells: between the middles that the charging unit has
/// there and on the nearest cell of the target.
pub(super) fn charge_line(from: Cell, size: u8, target: Space) -> [Vec2; 2] {
    [from, target.nearest(from)].map(|cell| middle(cell, size).into())
}

/// The space of a unit of that size with its middle at a place.
pub(super) fn space_at(middle: Vec2, size: u8) -> Space {
    let at = (middle - f32::from(size.max(1)) / 2.0).round();
    Space::new(Cell::new(at.x as i16, at.y as i16), size)
}

/// The middle of a cell.
pub(super) fn cell_middle(cell: Cell) -> Vec2 {
    middle(cell, 1).into()
}

/// Draws marks and labels on one layer.
pub(super) struct MarkPainter<'w, 's, 'a> {
    pub commands: Commands<'w, 's>,
    pub sprites: SpriteCache<'w>,
    pub layer: Layer,
    /// The opacity of marks, from 0 to 1; labels are never faded.
    pub alpha: f32,
    pub shown: &'a Shown,
    /// Enemies that attack units leaving their reach, with their reach in feet.
    pub enemies_with_reach: Vec<(Id, u16)>,
    /// Shows every number; otherwise a hovered target gets labels of one or two lines.
    pub numbers: bool,
    /// The attack in reaction that may cancel the attack of a label, as text.
    pub interrupts: Option<String>,
    /// The heads of the attack arrows drawn so far.
    pub heads: marks::Heads,
}

impl MarkPainter<'_, '_, '_> {
    pub(super) fn px(&self) -> u32 {
        self.sprites.cell_px().unwrap_or(1)
    }

    pub(super) fn lay(&mut self, bundle: impl Bundle) {
        let alpha = self.alpha;
        let mark = (self.layer, DespawnOnExit(Screen::Battle), bundle);
        let mut mark = self.commands.spawn(mark);
        if alpha < 1.0 {
            mark.entry::<Sprite>().and_modify(move |mut sprite| {
                let faded = sprite.color.alpha() * alpha;
                sprite.color.set_alpha(faded);
            });
        }
    }

    /// Spawns a label.
    pub(super) fn label(
        &mut self,
        (about, clear): (Rect, Vec<Rect>),
        (rank, side): (u32, LabelSide),
        lines: Vec<Vec<Bit>>,
    ) {
        let label = Label {
            about,
            clear,
            rank,
            side,
        };
        let card = labels::label(&mut self.commands, label, lines);
        self.commands.entity(card).insert(self.layer);
    }

    /// Spawns a label at a corner, clear of all standing units.
    pub(super) fn corner_label(&mut self, about: Rect, rank: u32, lines: Vec<Vec<Bit>>) {
        let clear = self.others(None).collect();
        self.label((about, clear), (rank, LabelSide::Corner), lines);
    }

    /// A plain rectangle, turned by `turn` radians.
    fn oblong(&mut self, (middle, size, turn): (Vec2, Vec2, f32), ink: Color, z: f32) {
        let turn = Quat::from_rotation_z(-turn);
        let place = Transform::from_translation(at(middle, z)).with_rotation(turn);
        self.lay((Sprite::from_color(ink, size), place));
    }

    /// A straight line on a white halo, at height `z`.
    pub(super) fn line(&mut self, from: Vec2, to: Vec2, (ink, z): (palette::Rgb, f32)) {
        let way = to - from;
        let turn = way.y.atan2(way.x);
        for (wide, ink, above) in [
            (0.13, colour(palette::WHITE).with_alpha(0.85), 0.0),
            (0.06, colour(ink), 0.001),
        ] {
            let size = Vec2::new(way.length(), wide);
            self.oblong(((from + to) / 2.0, size, turn), ink, z + above);
        }
    }

    /// A dotted line between two tokens, past the corners of walls and above the tokens between
    /// them.
    pub(super) fn aim(&mut self, from: Space, to: Space, ink: palette::Rgb) {
        let name = format!("dots {ink:?}");
        let image = self.sprites.get_or_draw(name, |px| marks::dots(ink, px));
        let [start, end] = sight_line(&self.shown.board, from, to);
        let way = end - start;
        let gap = |end: Vec2, space: Space| {
            let gap = (0.46 - end.distance(rect_of(space).center())).max(0.0);
            (gap / way.length().max(0.01)).min(0.4)
        };
        let (from, to) = (start + way * gap(start, from), end - way * gap(end, to));
        // Cuts the strip to the length of the line.
        let length = from.distance(to);
        let px = self.px() as f32;
        let strip = Vec2::new(length.min(image.size.x), image.size.y) * px;
        let sprite = Sprite {
            rect: Some(Rect::from_corners(Vec2::ZERO, strip.round())),
            custom_size: Some(Vec2::new(length, image.size.y)),
            ..Sprite::from_image(image.handle)
        };
        let place = Transform::from_translation(at((from + to) / 2.0, height::TARGET))
            .with_rotation(Quat::from_rotation_z(-way.y.atan2(way.x)));
        self.lay((sprite, place));
    }

    /// A tinted rectangle with an outline.
    pub(super) fn outline(&mut self, rect: Rect, ink: palette::Rgb, tint: f32) {
        let (middle, size) = (rect.center(), rect.size());
        let fill = colour(ink).with_alpha(tint);
        self.oblong((middle, size, 0.0), fill, height::RINGS);
        let line = 0.06;
        let (across, along) = (size.with_y(0.0) + line, size.with_x(0.0) + line);
        for (middle, size) in [
            (middle.with_y(rect.min.y), across),
            (middle.with_y(rect.max.y), across),
            (middle.with_x(rect.min.x), along),
            (middle.with_x(rect.max.x), along),
        ] {
            self.oblong((middle, size, 0.0), colour(ink), height::AIM);
        }
    }

    pub(super) fn place_image(&mut self, image: &SizedImage, place: Vec2, z: f32) {
        self.lay(image.laid(place, z));
    }

    pub(super) fn ring(&mut self, ring: marks::Ring, place: Vec2, radius: f32) {
        let name = format!("ring {ring:?} {radius}");
        let image = self
            .sprites
            .get_or_draw(name, |px| marks::ring(ring, radius, px));
        let z = match ring {
            marks::Ring::Threat => height::RINGS,
            _ => height::TARGET,
        };
        self.place_image(&image, place, z);
    }

    pub(super) fn ring_round(&mut self, ring: marks::Ring, id: Id) {
        let unit = self.shown.unit(id);
        let cells = f32::from(unit.size.max(1));
        let corner = corner_in_cell(&self.shown.units, unit).filter(|_| unit.is_up());
        let (size, place) = drawn::frame(Pose::Ready, corner);
        let middle = Vec2::from(unit.middle()) + Vec2::from(place) * cells;
        self.ring(ring, middle, 0.5 * cells * size + 0.03);
    }

    /// Marks a hovered cell, or the unit in it, when a click has no other preview there.
    pub(super) fn cursor(&mut self, cell: Option<Cell>, unit: Option<&UnitView>) {
        let Some(cell) = cell else { return };
        if let Some(unit) = unit {
            return self.ring_round(marks::Ring::Hover, unit.id);
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
                let place = cell_middle(cell) + (0.46 - size / 2.0) * Vec2::new(x, y);
                let place = Transform::from_translation(at(place, height::PATH));
                self.lay((Sprite::from_color(ink, size), place));
            }
        }
    }

    pub(super) fn way(&mut self, way: &Way, exchanges: &[Exchange], who: Option<Id>) {
        let size = who.map_or(1, |id| self.shown.unit(id).size);
        let points: Vec<Vec2> = way.path.iter().map(|&c| middle(c, size).into()).collect();
        self.trail(&points, size);
        self.ghost(who, way.path.last().copied(), &[]);
        self.dangers(&way.provoked, &points);
        let (Some(&end), Some(&cell)) = (points.last(), way.path.last()) else {
            return;
        };
        self.exchanges(way, exchanges, Space::new(cell, size), &points);

        let half = Vec2::splat(0.5 * f32::from(size));
        let about = Rect::from_center_half_size(end, half);
        let mut clear = steps_of(&points, size);
        clear.extend(self.others(who));
        let price = match way.price.is_empty() {
            true => way.length(),
            false => format!("{} · {}", way.length(), way.price),
        };
        let mut lines = vec![vec![Bit::Words(price, TextStyle::Strong, palette::INK)]];
        if way.fall > 0 {
            let words = format!("falls {} ft", way.fall);
            lines.push(vec![Bit::Words(words, TextStyle::Body, palette::DANGER)]);
        }
        lines.extend(self.strikes(&way.provoked));
        self.label((about, clear), (0, LabelSide::Corner), lines);
    }

    /// Draws a ghost of the unit where it would end: in a corner, above the tokens, if a standing
    /// unit or one of the `others` is there too.
    pub(super) fn ghost(&mut self, who: Option<Id>, end: Option<Cell>, others: &[UnitView]) {
        let (Some(who), Some(end)) = (who, end) else {
            return;
        };
        let ghost = UnitView {
            at: end,
            ..self.shown.unit(who).clone()
        };
        let standing = self.shown.units.iter().filter(|unit| unit.is_up());
        let corner = corner_in_cell(standing.chain(others), &ghost);
        let token = tokens::token(&ghost, Pose::Ghost, corner);
        let name = format!("{token:?}");
        let image = self.sprites.get_or_draw(name, |px| drawn::token(token, px));
        let z = match corner {
            Some(_) => height::TARGET - 1.0,
            None => height::GHOST,
        };
        self.place_image(&image, ghost.middle().into(), z);
    }

    /// The spaces of all units except `who` that stand, or are down with their rounds counted, for
    /// labels to keep clear.
    pub(super) fn others(&self, who: Option<Id>) -> impl Iterator<Item = Rect> {
        let units = self.shown.units.iter();
        let is_told = |p: &UnitView| p.is_up() || p.dying.is_some();
        let others = units.filter(move |p| is_told(p) && Some(p.id) != who);
        others.map(|p| rect_of(p.space()))
    }

    /// A red disc for each provoked attack, on the step that provokes it or beside the unit that
    /// stands there.
    pub(super) fn dangers(&mut self, drawn: &[Provoked], points: &[Vec2]) {
        let image = self
            .sprites
            .get_or_draw_sized("danger", 0.46, marks::danger);
        let steps: BTreeSet<usize> = drawn.iter().map(|d| d.step).collect();
        for step in steps {
            let Some(&point) = points.get(step) else {
                continue;
            };
            let place = match (step, points.get(1)) {
                // The unit's own token is at the first point, so the disc goes halfway to the next
                // cell.
                (0, Some(&next)) => point + (next - point) * 0.5,
                _ => point,
            };
            // Right of a token, clear of its hit points.
            let units = self.shown.units.iter().filter(|p| p.is_up());
            let near = units.map(|p| Vec2::from(p.middle()));
            let place = match near.min_by(|a, b| a.distance(place).total_cmp(&b.distance(place))) {
                Some(at) if at.distance(place) < 0.8 => at + Vec2::new(0.47, 0.0),
                _ => place,
            };
            self.place_image(&image, place, height::DANGER);
        }
    }

    /// A ring around each enemy that can attack along the path.
    pub(super) fn threats(&mut self, way: &Way) {
        for (id, feet) in self.enemies_with_reach.clone() {
            let unit = self.shown.unit(id);
            let cells = (feet / 5) as i16;
            let meets = |cell: &Cell| {
                let side = unit.space().side();
                let near = |v: i16, at: i16| v >= at - cells && v < at + side + cells;
                near(cell.x, unit.at.x) && near(cell.y, unit.at.y)
            };
            if way.path.iter().any(meets) {
                let radius = 0.5 * f32::from(unit.size.max(1)) + f32::from(cells) - 0.14;
                self.ring(marks::Ring::Threat, unit.middle().into(), radius);
            }
        }
    }

    /// "Goblin 2 may attack (45% to hit)", one line each, or "3 enemies may attack" for several.
    fn strikes(&self, drawn: &[Provoked]) -> Vec<Vec<Bit>> {
        let line = |words| vec![Bit::Words(words, TextStyle::Body, palette::DANGER)];
        if drawn.len() > 1 && !self.numbers {
            return vec![line(format!("{} enemies may attack", drawn.len()))];
        }
        let lines = self.shown.provoked_lines(drawn).into_iter();
        lines.map(line).collect()
    }

    /// Lines and chances for the enemies that the unit can attack from the end of the path, on this
    /// turn or the next, and for those that can hit it there.
    fn exchanges(&mut self, way: &Way, all: &[Exchange], from: Space, points: &[Vec2]) {
        let at_once = all.iter().filter(|e| e.gives.or(e.takes).is_some());
        for (n, exchange) in at_once.enumerate() {
            let to = self.shown.unit(exchange.enemy).space();
            let shot = way.shots.iter().find(|s| s.at == exchange.enemy).copied();
            let given = shot.or(exchange.gives);
            let ink = match (shot, given) {
                (Some(_), _) => palette::TEAL,
                (None, Some(_)) => palette::FADED_INK,
                (None, None) => palette::DANGER,
            };
            self.aim(from, to, ink);
            if n >= MAX_SHOTS || !self.numbers {
                continue;
            }
            let mut lines = vec![];
            if let Some(shot) = given {
                lines.push(self.chance_line(format!("you hit {}%", shot.percent), shot.cover, ink));
            }
            lines.extend(exchange.takes.map(|it| self.taken(it.percent, it.cover)));
            let is_crowded = self.is_crowded(exchange.enemy);
            if let Some(first) = lines.first_mut().filter(|_| is_crowded) {
                // In a crowd the card names its unit.
                let name = self.shown.unit(exchange.enemy).name.clone();
                first.insert(0, Bit::small(name + ":", palette::INK));
            }
            self.beside(exchange.enemy, lines, points, 1 + n as u32);
        }
    }

    /// Whether another unit stands right beside this one.
    fn is_crowded(&self, id: Id) -> bool {
        let space = self.shown.unit(id).space();
        let mut others = self.shown.units.iter().filter(|p| p.is_up() && p.id != id);
        others.any(|p| cells_apart(p.space(), space) <= 1)
    }

    /// A chance such as "you hit 70%", with a cover icon.
    fn chance_line(&mut self, words: String, cover: Cover, ink: palette::Rgb) -> Vec<Bit> {
        let mut line = vec![Bit::Words(words, TextStyle::Strong, ink)];
        line.extend(self.cover_sign(cover));
        line
    }

    /// "hits you 40%": an enemy's chance to hit the player's unit, with the unit's cover.
    fn taken(&mut self, percent: u32, cover: Cover) -> Vec<Bit> {
        let words = format!("hits you {percent}%");
        let mut line = vec![Bit::Words(words, TextStyle::Label, palette::DANGER)];
        line.extend(self.cover_sign(cover));
        line
    }

    fn cover_sign(&mut self, cover: Cover) -> Option<Bit> {
        let badge = SmallPicture::Cover(badge_of(cover)?.0);
        Some(Bit::Picture(self.sprites.small_picture(badge, 16.0), 16.0))
    }

    /// A label beside a unit.
    pub(super) fn beside(&mut self, id: Id, lines: Vec<Vec<Bit>>, points: &[Vec2], rank: u32) {
        let about = rect_of(self.shown.unit(id).space());
        let mut clear = steps_of(points, 1);
        clear.extend(self.others(Some(id)));
        self.label((about, clear), (rank, LabelSide::Above), lines);
    }

    /// An attack and the target's answer. A charge in a straight line is one arrow.
    pub(super) fn exchange(
        &mut self,
        attack: &AttackForecast,
        answer: Option<&AttackForecast>,
        is_straight: bool,
    ) {
        let by = self.shown.unit(attack.by);
        // A charge attacks from the cell where it ends.
        let from = Space::new(attack.choice.to.unwrap_or(by.at), by.size);
        let end = rect_of(from).center();
        if is_straight {
            let line = charge_line(by.at, by.size, self.shown.unit(attack.at).space());
            self.charge_arrow(line, palette::TEAL, true);
            self.ghost(Some(attack.by), attack.choice.to, &[]);
            return self.chances(attack, answer, &[end], 0);
        }
        if attack.choice.to.is_some() {
            self.trail(&[by.middle().into(), end], by.size);
        }
        self.aimed((from, attack), answer, &[end], 0);
    }

    /// An attack from the end of a path.
    pub(super) fn attack_after(
        &mut self,
        way: &Way,
        attack: &AttackForecast,
        answer: Option<&AttackForecast>,
    ) {
        let size = self.shown.unit(attack.by).size;
        let points: Vec<Vec2> = way.path.iter().map(|&c| middle(c, size).into()).collect();
        let Some(&end) = way.path.last() else { return };
        let end = Space::new(end, size);
        // The price at the end of the path is placed first.
        self.aimed((end, attack), answer, &points, 1);
    }

    /// The aim of an attack from a place, with its chances beside the target.
    fn aimed(
        &mut self,
        (from, attack): (Space, &AttackForecast),
        answer: Option<&AttackForecast>,
        points: &[Vec2],
        rank: u32,
    ) {
        let to = self.shown.unit(attack.at).space();
        self.aim(from, to, palette::TEAL);
        self.chances(attack, answer, points, rank);
    }

    /// A ring around the target of an attack, with the chances beside it; the label keeps clear of
    /// `points`.
    fn chances(
        &mut self,
        attack: &AttackForecast,
        answer: Option<&AttackForecast>,
        points: &[Vec2],
        rank: u32,
    ) {
        self.ring_round(marks::Ring::Target, attack.at);
        let lines = self.attack_lines(attack, answer);
        self.beside(attack.at, lines, points, rank);
    }

    /// The chances of an attack, one line each.
    pub(super) fn attack_lines(
        &mut self,
        attack: &AttackForecast,
        answer: Option<&AttackForecast>,
    ) -> Vec<Vec<Bit>> {
        let first = self.interrupts.clone();
        let first = first.map(|words| vec![Bit::Words(words, TextStyle::Label, palette::DANGER)]);
        if !self.numbers {
            return [self.attack_line(attack)]
                .into_iter()
                .chain(first)
                .collect();
        }
        let percent = attack.likely_percent();
        let words = match (attack.mean, answer) {
            (Some(mean), _) => format!("{mean:.1} damage"),
            // Next to the target's own chance, the line says whose chance this is.
            (None, Some(_)) => format!("you hit {percent}%"),
            (None, None) => format!("{percent}% to hit"),
        };
        let line = match attack.is_drop_first() {
            true => self.attack_line(attack),
            false => self.chance_line(words, attack.cover, palette::TEAL),
        };
        let mut lines = vec![line];
        if attack.mean.is_some() {
            let drops = Bit::Words(attack.drops(), TextStyle::Label, palette::INK);
            lines.push(vec![drops]);
        }
        if attack.answered.is_some() {
            let words = attack.after_percent();
            lines.push(vec![Bit::Words(words, TextStyle::Label, palette::AMBER)]);
        }
        lines.extend(first);
        lines.extend(answer.map(|it| self.taken(it.percent, it.cover)));
        lines
    }

    /// The most important number of an attack: "55% if it defends", "70% to hit", or "100% to drop"
    /// with the chance to hit beside it.
    fn attack_line(&mut self, attack: &AttackForecast) -> Vec<Bit> {
        let (number, unit) = attack.lead();
        let mut line = vec![
            Bit::Words(number, TextStyle::Strong, palette::TEAL),
            Bit::small(unit, palette::INK),
        ];
        let beside = attack.hit_beside_drop();
        line.extend(beside.map(|words| Bit::small(format!("· {words}"), palette::FADED_INK)));
        line.extend(self.cover_sign(attack.cover));
        line
    }

    /// A path through `points`, with a ring at its end.
    fn trail(&mut self, points: &[Vec2], size: u8) {
        let steps: Vec<(f32, f32)> = points.iter().map(|&point| point.into()).collect();
        if let Some(picture) = marks::path(&steps, size.into(), self.px()) {
            let path = self.sprites.placed(picture, height::PATH);
            self.lay(path);
        }
    }

    /// A ring at each waypoint of the path.
    pub(super) fn waypoints(&mut self, cells: &[Cell], size: u8) {
        for &cell in cells {
            self.ring(marks::Ring::Hover, middle(cell, size).into(), 0.24);
        }
    }

    /// Cells drawn as one area.
    pub(super) fn area(&mut self, cells: &[Cell], ink: palette::Rgb) {
        self.lay_area(marks::area(cells, ink, self.px()));
    }

    /// The cells at which an action can be aimed.
    pub(super) fn aimable(&mut self, cells: &[Cell]) {
        self.lay_area(marks::aim(cells, self.px()));
    }

    fn lay_area(&mut self, picture: Option<Picture>) {
        if let Some(picture) = picture {
            let area = self.sprites.placed(picture, height::RINGS);
            self.lay(area);
        }
    }

    /// The chance beside each target of an action: in red beside units on the side of `harmed_by`,
    /// the unit whose action harms its targets.
    pub(super) fn odds(&mut self, harmed_by: Option<Id>, odds: &[OddsLine]) {
        let harmed_by = harmed_by.map(|id| self.shown.unit(id).side);
        let odds = odds.iter();
        let known = odds.filter_map(|one| Some((one.who?, one, one.percent?)));
        for (n, (who, one, percent)) in known.enumerate() {
            let unit = self.shown.unit(who);
            let ink = match harmed_by == Some(unit.side) {
                true => palette::DANGER,
                false => palette::TEAL,
            };
            let words = match one.fails_save {
                true => format!("fails {percent}%"),
                false => format!("{percent}%"),
            };
            let mut line = self.chance_line(words, Cover::None, ink);
            if self.is_crowded(who) {
                // The token has the label too, if the unit has one.
                let name = match unit.label {
                    Some(label) => format!("{label}:"),
                    None => format!("{}:", unit.name),
                };
                line.insert(0, Bit::small(name, palette::INK));
            }
            self.beside(who, vec![line], &[], 1 + n as u32);
        }
    }

    /// A line to the target of an action. It would look like a line of sight, so an action that needs
    /// none has no line to a target out of sight.
    pub(super) fn aim_at(&mut self, by: Id, at_whom: Id) {
        let (by, target) = (self.shown.unit(by), self.shown.unit(at_whom));
        let sight = self.shown.board.sight(by.space(), target.space());
        if by.id != target.id && sight.los {
            self.aim(by.space(), target.space(), palette::TEAL);
        }
    }

    /// A broad arrow from a unit to its target; `sizes` are the cells along one edge of both.
    pub(super) fn brush(&mut self, (from, to): (Vec2, Vec2), sizes: [u8; 2], ink: palette::Rgb) {
        let px = self.px();
        let path: Vec<(f32, f32)> = match is_near(from, to) {
            true => beside(from, to).to_vec(),
            false => {
                let [from_size, to_size] = sizes;
                let ends = (space_at(from, from_size), space_at(to, to_size));
                attack_way(&self.shown.board, ends.0, ends.1)
            }
        };
        if let Some(arrow) = marks::IntentArrow::new(&path, sizes, (0.5, false)) {
            // Between neighbours the arrow only fits above the tokens.
            let z = match is_near(from, to) {
                true => height::TARGET,
                false => height::AIM,
            };
            let arrow = self.sprites.placed(arrow.picture(ink, px), z);
            self.lay(arrow);
        }
    }

    /// An attack in progress: a red arrow, and a red ring around the attacker.
    pub(super) fn attack(&mut self, by: Id, at_whom: Id) {
        let (from, to) = (self.shown.unit(by), self.shown.unit(at_whom));
        let ends = (from.middle().into(), to.middle().into());
        self.brush(ends, [from.size, to.size], palette::DANGER);
        self.ring_round(marks::Ring::Attacker, by);
    }

    /// Line of sight to a unit that can't be attacked: a line, red where blocked, and the cover, or
    /// `why` if it is blocked.
    pub(super) fn sight(
        &mut self,
        (by, at_whom): (Id, Id),
        (sight, why): (Sight, &str),
        answer: Option<&AttackForecast>,
    ) {
        let (by, target) = (self.shown.unit(by), self.shown.unit(at_whom));
        let ink = match sight.los {
            true => palette::FADED_INK,
            false => palette::DANGER,
        };
        self.aim(by.space(), target.space(), ink);
        let words = match sight.cover.filter(|_| sight.los) {
            None => why.lines().next(),
            Some(cover) => badge_of(cover).map(|badge| badge.1),
        };
        let words = words.map(|words| vec![Bit::Words(words.into(), TextStyle::Body, ink)]);
        let mut lines: Vec<_> = words.into_iter().collect();
        let answer = answer.filter(|_| self.numbers);
        lines.extend(answer.map(|it| self.taken(it.percent, it.cover)));
        if !lines.is_empty() {
            self.beside(at_whom, lines, &[], 0);
        }
    }

    /// Why no unit can go to the cell.
    pub(super) fn refusal(&mut self, cell: Cell, why: &str, ink: palette::Rgb) {
        let at_cell = Rect::from_center_half_size(cell_middle(cell), Vec2::splat(0.5));
        self.outline(at_cell.inflate(-0.05), ink, 0.16);
        let line = |line: &str| vec![Bit::Words(line.into(), TextStyle::Body, ink)];
        self.corner_label(at_cell, 0, why.lines().map(line).collect());
    }

    /// The height of a cell.
    pub(super) fn height_of(&mut self, cell: Cell, feet: i32) {
        let name = format!("height {feet}");
        let image = self.sprites.get_or_draw(name, |px| marks::height(feet, px));
        self.place_image(&image, cell_middle(cell), height::NOTES);
    }

    /// The cover in a cell; `None` if no enemy sees it.
    pub(super) fn shelter(&mut self, cell: Cell, cover: Option<Cover>) {
        let name = format!("shelter {cover:?}");
        let draw = |px: u32| match cover.map(badge_of) {
            None => icons::icon(icons::Icon::Unseen, px, palette::FADED_INK),
            Some(badge) => icons::cover_badge(badge.map_or(icons::Cover::Half, |b| b.0), px),
        };
        if cover == Some(Cover::None) {
            return;
        }
        let image = self.sprites.get_or_draw_sized(name, 0.34, draw);
        self.place_image(
            &image,
            cell_middle(cell) + Vec2::new(0.28, -0.28),
            height::NOTES,
        );
    }

    /// The cover of a unit as a badge beside it; `None` if the unit is not seen.
    pub(super) fn cover_of(&mut self, id: Id, cover: Option<Cover>) {
        let words = match cover {
            None => "not seen",
            Some(cover) => badge_of(cover).map_or("in the open", |badge| badge.1),
        };
        let mut line = Vec::from_iter(cover.and_then(|c| self.cover_sign(c)));
        line.push(Bit::small(words, palette::INK));
        self.beside(id, vec![line], &[], 20);
    }

    /// Draws a line-of-sight proof: the clear line, the corners seen or not, and what blocks the
    /// view.
    pub(super) fn proof(
        &mut self,
        (from, to): (Space, Space),
        proof: &Proof,
        lines: Vec<(String, &'static str)>,
    ) {
        let on_map = |[x, y, _]: [f64; 3]| Vec2::new(x as f32, y as f32) / 5.0;
        for (_, block) in &proof.blocking {
            let [min, max] = block.feet().map(on_map);
            self.outline(Rect::from_corners(min, max), palette::DANGER, 0.25);
        }
        let target = rect_of(to);
        match proof.clear {
            Some([a, b]) => self.line(on_map(a), on_map(b), (palette::TEAL, height::AIM)),
            None => self.aim(from, to, palette::DANGER),
        }
        for &(corner, seen) in &proof.corners {
            let name = format!("corner {seen}");
            let image = self.sprites.get_or_draw(name, |px| marks::corner(seen, px));
            // The upper four corners are lifted a little above the lower four; all are drawn
            // inwards.
            let place = on_map(corner);
            let inwards = (target.center() - place) * 0.16;
            let is_upper = proof.corners.iter().any(|(c, _)| c[2] < corner[2] - 0.1);
            let lift = Vec2::new(0.0, if is_upper { -0.09 } else { 0.09 });
            self.place_image(&image, place + inwards + lift, height::DANGER);
        }
        let ink = match proof.sight.los {
            true => palette::INK,
            false => palette::DANGER,
        };
        let lines = lines.into_iter().map(|(words, rule)| {
            let words = Bit::Words(words, TextStyle::Body, ink);
            vec![words, Bit::small(rule, palette::LINK)]
        });
        self.corner_label(target, 0, lines.collect());
    }

    /// Attacks that an action provokes without movement.
    pub(super) fn show_provoked(&mut self, who: Id, drawn: &[Provoked]) {
        if drawn.is_empty() {
            return;
        }
        let about = rect_of(self.shown.unit(who).space());
        self.dangers(drawn, &[Vec2::new(about.center().x, about.min.y)]);
        let lines = self.strikes(drawn);
        self.label((about, vec![]), (0, LabelSide::Above), lines);
    }
}

/// A unit's space on the map, in cells.
pub(super) fn rect_of(space: Space) -> Rect {
    let at = Vec2::new(space.at.x.into(), space.at.y.into());
    Rect::from_corners(at, at + f32::from(space.side()))
}

fn badge_of(cover: Cover) -> Option<(icons::Cover, &'static str)> {
    match cover {
        Cover::None => None,
        Cover::Half => Some((icons::Cover::Half, "half cover")),
        Cover::Full => Some((icons::Cover::Full, "full cover")),
    }
}

/// The cells of a path, for labels to keep clear.
fn steps_of(points: &[Vec2], size: u8) -> Vec<Rect> {
    let half = Vec2::splat(0.36 * f32::from(size.max(1)));
    points
        .iter()
        .map(|&point| Rect::from_center_half_size(point, half))
        .collect()
}
