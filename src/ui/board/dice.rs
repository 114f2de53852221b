//! The dice of an attack: they fly in from the attacker, the bonus joins them, and the total
//! appears beside the line from attacker to target.

use super::{
    floating_text::WORD_HIGH,
    height,
    sprites::{Print, at},
    unit_animator::{Passing, UnitAnimator},
};
use crate::{
    battle::RolledAttack,
    ui::{
        Screen,
        art::{bursts, palette},
        shown::Person,
    },
    words::signed,
};
use bevy::prelude::*;

/// Seconds in which the dice fly.
const FLIES: f32 = 0.22;
/// Seconds until the bonus appears, and until the total appears.
const JOINS: f32 = 0.2;
const TOTAL: f32 = 0.3;
/// Seconds for which the roll is visible.
const SEEN: f32 = 1.25;
/// Sizes in cells.
const DIE: f32 = 0.72;
const BONUS: f32 = 0.38;
const SUM: f32 = 0.82;
const CARD: f32 = 0.32;
/// About the width of the card with the number that a roll needs, in cells.
const NEEDED: f32 = 1.1;

/// A roll that is visible on the board.
pub(super) struct VisibleRoll {
    /// Serial number of the attack.
    serial: u32,
    /// The place of the total, and the extent, in cells.
    lies: Vec2,
    extent: Rect,
    /// Seconds until it disappears.
    left: f32,
}

impl VisibleRoll {
    /// Lets time pass; false once the roll has disappeared.
    pub(super) fn stays(&mut self, seconds: f32) -> bool {
        self.left -= seconds;
        self.left > 0.0
    }
}

/// One picture of an attack's roll.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub enum RollPart {
    Die,
    Bonus,
    Total,
    /// The total that hits.
    Needed,
}

impl UnitAnimator<'_, '_> {
    /// Shows the roll of an attack: in the side's colour, with rays if it hits, grey if it misses.
    /// `hits` is `None` while a reaction may still decide it. The roll joins the visible ones and
    /// lies beside them.
    pub(super) fn roll(
        &mut self,
        (by, at_whom): (&Person, &Person),
        shot: &RolledAttack,
        hits: Option<bool>,
        visible: &mut Vec<VisibleRoll>,
    ) {
        let (from, to) = (Vec2::from(by.middle()), Vec2::from(at_whom.middle()));
        let dice = &shot.roll.dice;
        let (total, shown) = (shot.roll.total(), shot.roll.shown());
        let has_bonus = total != shown || dice.len() > 1;
        let width = dice.len() as f32 * DIE + if has_bonus { BONUS + SUM } else { 0.0 };
        let mut taken: Vec<Rect> = self.pieces.standing().collect();
        // The roll's result is written above the target.
        let word = self.spot_of(at_whom).place - Vec2::new(0.0, WORD_HIGH / 2.0);
        taken.push(Rect::from_center_size(word, Vec2::new(1.0, WORD_HIGH)));
        taken.extend(visible.iter().map(|roll| roll.extent));
        let lies = landing((from, to), width, &taken);
        visible.push(VisibleRoll {
            serial: shot.serial,
            lies,
            extent: extent(lies, width),
            left: SEEN * *self.duration_scale,
        });
        let mut x = match has_bonus {
            // The total is centred, with the dice and bonus to its left.
            true => lies.x - SUM / 2.0 - 0.06,
            false => lies.x + DIE / 2.0,
        };
        if total != shown {
            let bonus = signed(total - shown);
            let print = self.roll_card(&bonus, BONUS);
            x -= print.size.x / 2.0;
            let place = Vec2::new(x, lies.y);
            self.roll_part(RollPart::Bonus, &print, (place, place), (JOINS, SEEN));
            x -= print.size.x / 2.0 + 0.02;
        }
        for &(faces, value) in dice.iter().rev() {
            let print = self.studio.print(format!("rolled {faces} {value}"), |px| {
                bursts::rolled_die(faces, value, (px as f32 * DIE).round() as u32)
            });
            x -= DIE / 2.0;
            self.roll_part(
                RollPart::Die,
                &print,
                (from, Vec2::new(x, lies.y)),
                (0.0, SEEN),
            );
            x -= DIE / 2.0 + 0.02;
        }
        if has_bonus {
            let ink = match (hits, by.rank) {
                (Some(false), _) => palette::GREY,
                (_, 0) => palette::TEAL,
                _ => palette::DANGER,
            };
            let shines = hits == Some(true);
            let name = format!("total {total} {ink:?} {shines}");
            let print = self.studio.print(name, |px| {
                bursts::total(total, ink, shines, (px as f32 * SUM).round() as u32)
            });
            self.roll_part(RollPart::Total, &print, (lies, lies), (TOTAL, SEEN));
        }
    }

    /// Shows to the right of a roll the total that it needs, "needs 14", for as long as the roll is
    /// visible.
    pub(super) fn needed(&mut self, serial: u32, needed: i32, visible: &[VisibleRoll]) {
        let Some(roll) = visible.iter().find(|roll| roll.serial == serial) else {
            return;
        };
        let seen = roll.left / *self.duration_scale;
        let print = self.roll_card(&format!("needs {needed}"), CARD);
        let beside = roll.lies + Vec2::new((SUM + print.size.x) / 2.0, 0.0);
        self.roll_part(RollPart::Needed, &print, (beside, beside), (0.0, seen));
    }

    /// A card beside a roll, `high` cells high.
    fn roll_card(&mut self, words: &str, high: f32) -> Print {
        let name = format!("roll card {words} {high}");
        self.studio.print(name, |px| {
            bursts::roll_card(words, (px as f32 * high).round() as u32)
        })
    }

    /// Spawns one picture of the roll, which appears after `delay` seconds, moves from one place to
    /// another, and is gone after `seen` seconds.
    fn roll_part(
        &mut self,
        part: RollPart,
        print: &Print,
        (from, to): (Vec2, Vec2),
        (delay, seen): (f32, f32),
    ) {
        let is_calm = self.is_calm();
        let place = at(to, height::MISSILE + 0.5);
        let start = at(from, height::MISSILE + 0.5);
        let flies = part == RollPart::Die && !is_calm;
        let path = move |x: f32| {
            let t = x * seen - delay;
            if t < 0.0 {
                return Transform::from_scale(Vec3::ZERO);
            }
            let gone = ((seen - delay - t) / 0.15).clamp(0.0, 1.0);
            if flies && t < FLIES {
                let way = t / FLIES;
                let hop = Vec3::Y * 0.5 * (std::f32::consts::PI * way).sin();
                return Transform::from_translation(start.lerp(place, way) + hop)
                    .with_rotation(Quat::from_rotation_z((1.0 - way) * 11.0))
                    .with_scale(Vec3::splat(0.6 + 0.4 * way));
            }
            let springs = match part {
                RollPart::Die => 1.0,
                _ if is_calm => 1.0,
                _ => spring(t / 0.12),
            };
            Transform::from_translation(place).with_scale(Vec3::splat(springs * gone))
        };
        let spawned = (part, DespawnOnExit(Screen::Battle), print.sprite());
        let entity = self.commands.spawn((spawned, path(0.0))).id();
        self.carry(entity, seen, EaseFunction::Linear, path);
        let passing = Passing(seen * *self.duration_scale);
        self.commands.entity(entity).insert(passing);
    }
}

/// Scale of a picture that pops up and overshoots a little.
fn spring(x: f32) -> f32 {
    match x {
        x if x < 0.7 => x / 0.7 * 1.25,
        x if x < 1.0 => 1.25 - (x - 0.7) / 0.3 * 0.25,
        _ => 1.0,
    }
}

/// Distances from the middle of the line at which the roll may appear, in cells.
const BESIDE: [f32; 4] = [1.0, 1.5, 2.0, 2.5];

/// The cells that a roll takes: its dice and bonus lie to the left of the total, the number that it
/// needs to the right.
fn extent(lies: Vec2, width: f32) -> Rect {
    let right = lies.x + SUM / 2.0;
    let (top, bottom) = (lies.y - SUM / 2.0, lies.y + SUM / 2.0);
    Rect::new(right - width, top, right + NEEDED, bottom)
}

/// Where the total appears: beside the middle of the line between two units, where a roll of this
/// width hides least of what is `taken`: the standing units and other rolls; if there is a choice,
/// near the line and above it.
fn landing((from, to): (Vec2, Vec2), width: f32, taken: &[Rect]) -> Vec2 {
    let middle = (from + to) / 2.0;
    let ahead = (to - from).normalize_or(Vec2::X);
    let up = match ahead.x >= 0.0 {
        true => Vec2::new(ahead.y, -ahead.x),
        false => Vec2::new(-ahead.y, ahead.x),
    };
    let hidden = |lies: &Vec2| -> f32 {
        let roll = extent(*lies, width);
        let area = |unit: &Rect| {
            let size = unit.intersect(roll).size();
            size.x * size.y
        };
        taken.iter().map(area).sum()
    };
    let places = BESIDE
        .iter()
        .flat_map(|&off| [middle + up * off, middle - up * off]);
    let rated = places.map(|lies| (hidden(&lies), lies));
    let best = rated.reduce(|best, next| if next.0 + 0.05 < best.0 { next } else { best });
    best.map_or(middle + up, |(_, lies)| lies)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_roll_lies_where_it_hides_no_unit() {
        let unit = |x: f32, y: f32| Rect::from_center_size(Vec2::new(x, y), Vec2::ONE);
        let (from, to) = (Vec2::new(2.5, 2.5), Vec2::new(3.5, 2.5));
        let alone = [unit(2.5, 2.5), unit(3.5, 2.5)];
        assert_eq!(landing((from, to), 2.0, &alone), Vec2::new(3.0, 1.5));
        // Another unit stands above, so the roll lies below.
        let third = [alone[0], alone[1], unit(2.5, 1.5)];
        assert_eq!(landing((from, to), 2.0, &third), Vec2::new(3.0, 3.5));
    }

    #[test]
    fn rolls_of_the_same_attacks_do_not_lie_on_each_other() {
        let (from, to) = (Vec2::new(2.5, 2.5), Vec2::new(9.5, 2.5));
        let mut taken = vec![];
        for n in 0..4 {
            let roll = extent(landing((from, to), 2.0, &taken), 2.0);
            let is_free = |other: &Rect| roll.intersect(*other).is_empty();
            assert!(taken.iter().all(is_free), "roll {n}");
            taken.push(roll);
        }
    }
}
