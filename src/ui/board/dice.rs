//! The dice of an attack: they fly in from the attacker, the bonus and the total follow, beside the
//! total that the attack needs: "9 +2 11 against 12". A defense corrects that total, another roll
//! strikes the first one out, and a cancelled attack's dice are struck out too. Checks look alike:
//! "4 3 7 against 8"; those of a whole side at once show only their numbers. Over the needed total
//! stands what the roll is: "attack", "morale".

use super::{
    attack_effects::{BROKEN, MISSED},
    floating_text::{WORD_HIGH, popped_up},
    height,
    labels::distance,
    mark_painter::rect_of,
    sprites::{SizedImage, at},
    unit_animator::{DespawnAfter, Tone, UnitAnimator},
};
use crate::{
    battle::{CheckRoll, Natural, Roll, RolledAttack},
    ui::{
        Screen,
        art::{
            bursts,
            palette::{self, Rgb},
        },
        shown::UnitView,
        theme::colour,
    },
    words::signed,
};
use bevy::prelude::*;
use tiny_skia::Pixmap;

/// Seconds in which the dice fly.
const FLIES: f32 = 0.22;
/// Seconds until the bonus appears, and until the total appears.
const JOINS: f32 = 0.2;
const TOTAL: f32 = 0.22;
/// Seconds for which the roll is visible, and at least after its attack is resolved.
const SEEN: f32 = 1.25;
const RESTS: f32 = 0.6;
/// Seconds for which it stays while its attack is not resolved: a reaction may take long.
const HELD: f32 = 600.0;
/// Sizes in cells, at the standard text size.
const DIE: f32 = 0.72;
const RINGED: f32 = 0.92;
const BONUS: f32 = 0.38;
pub const SUM: f32 = 0.82;
const CARD: f32 = 0.32;
/// The greatest factor by which rolls grow with the text: larger ones would hide the fight.
const GROWS: f32 = 1.5;
/// From the middle of a roll up to the card with its name, and down to that with the needed total.
const CARD_OFF: Vec2 = Vec2::new(0.0, 0.17);
/// About the least size of the result above a unit, in cells.
const WORD: Vec2 = Vec2::new(2.0, WORD_HIGH);
/// Between the pictures of a roll, in cells.
const GAP: f32 = 0.03;
/// Distance from its attacker and its target from which on a line ties a roll to the attacker, and
/// the width of the line, in cells.
const APART: f32 = 0.75;
const TIE: f32 = 0.03;

/// A roll that is visible on the board.
pub(super) struct VisibleRoll {
    /// Serial number of the attack; `None` for a check.
    serial: Option<u32>,
    /// The parent of its pictures.
    root: Entity,
    /// The line to its attacker, if it lies apart.
    tie: Option<Entity>,
    /// Where it was laid first: the places of its pictures count from there.
    origin: Vec2,
    /// The cells that it takes.
    pub(super) extent: Rect,
    /// The cells of its unit and its target, and of the texts that its result may have.
    about: (Rect, Rect, Vec<Rect>),
    /// Its pictures from left to right, with their middles.
    parts: Vec<(RollPart, Entity, Vec2)>,
    /// The [`total_style`] of its total.
    style: TotalStyle,
    /// The card with the needed total: the number, the picture, and the middle of its left edge.
    needed: (i32, Entity, Vec2),
    /// Seconds until it disappears.
    left: f32,
    /// Seconds since it appeared.
    age: f32,
}

impl VisibleRoll {
    /// Lets time pass; false once the roll has disappeared.
    pub(super) fn stays(&mut self, seconds: f32) -> bool {
        self.left -= seconds;
        self.age += seconds;
        self.left > 0.0
    }

    pub(super) fn is_of(&self, attack: u32) -> bool {
        self.serial == Some(attack)
    }

    /// Whether its dice do not lie still yet.
    pub(super) fn is_rolling(&self, duration_scale: f32) -> bool {
        self.age < TOTAL * duration_scale
    }

    fn is_held(&self, duration_scale: f32) -> bool {
        self.left > SEEN * duration_scale
    }
}

/// One picture of a roll.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub enum RollPart {
    Die,
    /// A die that was rolled again, or whose attack is cancelled.
    Struck,
    /// The card that says "natural 20: hits" or "natural 1: misses", if the rules say so.
    Natural,
    Bonus,
    Total,
    /// What the roll is: "attack", "Goblin 2: morale".
    Name,
    /// The total that hits, or what a check is rolled against; "cancelled" if the attack is.
    Needed,
}

impl UnitAnimator<'_, '_> {
    /// The factor by which rolls are enlarged.
    fn roll_scale(&self) -> f32 {
        self.text_scale().clamp(1.0, GROWS)
    }

    /// A picture of a roll, `cells` cells high at the standard text size.
    fn roll_image(
        &mut self,
        name: impl Into<String>,
        cells: f32,
        draw: impl FnOnce(u32) -> Pixmap,
    ) -> SizedImage {
        let cells = cells * self.roll_scale();
        self.get_or_draw(name, cells, draw)
    }

    /// Shows the roll of an attack in its [`total_style`].
    /// `hits` is `None` while a reaction may still decide it, and `decides` is
    /// [`naturals_decide`](crate::ui::ruleset_ui::RulesetUi::naturals_decide). The roll lies beside the visible
    /// ones; it replaces an `old` roll of its attack, whose dice are struck out.
    pub(super) fn roll(
        &mut self,
        (by, at_whom): (&UnitView, &UnitView),
        (rolled_attack, old): (&RolledAttack, Option<&Roll>),
        (hits, decides): (Option<bool>, bool),
    ) {
        let natural = rolled_attack.roll.natural();
        let style = total_style(by.rank, hits);
        let struck = old.into_iter().flat_map(|old| old.dice.iter().copied());
        let mut parts = Vec::from_iter(struck.map(|die| self.struck_die(die)));
        parts.extend(self.roll_pictures((&rolled_attack.roll, natural, decides), style));
        let needed = (
            rolled_attack.needed,
            self.needed_card(rolled_attack.needed, None),
            0.0,
        );
        let pictures = (parts, style, needed);
        self.show_roll(
            (Some(rolled_attack.serial), "attack"),
            (by, at_whom),
            pictures,
            HELD,
        );
    }

    /// Takes the rolls of resolved attacks off the board.
    pub(super) fn take_off_resolved(&mut self) {
        let scale = *self.duration_scale;
        self.take_off(|roll| roll.serial.is_some() && !roll.is_held(scale));
    }

    /// Takes the rolls of checks off the board, which would hide more of it with each.
    pub(super) fn take_off_checks(&mut self) {
        self.take_off(|roll| roll.serial.is_none());
    }

    /// Takes visible rolls off the board.
    fn take_off(&mut self, is_it: impl Fn(&VisibleRoll) -> bool) {
        for old in self.rolls.extract_if(.., |roll| is_it(roll)) {
            self.commands.entity(old.root).try_despawn();
        }
    }

    /// Shows a check of a unit beside it, and what it is rolled against. Returns the seconds until its
    /// dice lie still, before which nothing may show its result.
    pub(super) fn check(&mut self, who: &UnitView, check: &CheckRoll) -> f32 {
        let style = total_style(who.rank, check.passed);
        // In some checks a low die is good.
        let agrees = |natural: &Natural| check.passed == Some(*natural == Natural::Twenty);
        let natural = check.roll.natural().filter(agrees);
        let parts = self.roll_pictures((&check.roll, natural, false), style);
        let (words, delay) = match (check.against, check.passed) {
            (Some(needed), _) => (against(needed), 0.0),
            (None, Some(true)) => (String::from("passes"), TOTAL),
            (None, _) => (String::from("fails"), TOTAL),
        };
        let card = self.roll_card(&words, CARD);
        let needed = (check.against.unwrap_or_default(), card, delay);
        let pictures = (parts, style, needed);
        self.show_roll((None, &*check.what), (who, who), pictures, SEEN);
        TOTAL
    }

    /// Spawns the pictures of a roll, its name and the card with its needed total, which appears after
    /// `delay` seconds, for `seen` seconds, where they hide least. It joins the visible rolls in place
    /// of the earlier one of its attack.
    fn show_roll(
        &mut self,
        (serial, name): (Option<u32>, &str),
        (by, at_whom): (&UnitView, &UnitView),
        (parts, style, (needed, card, delay)): (
            Vec<(RollPart, SizedImage, f32)>,
            TotalStyle,
            (i32, SizedImage, f32),
        ),
        seen: f32,
    ) {
        self.take_off(|roll| serial.is_some() && roll.serial == serial);
        // The roll's result is written above the target, or beside it.
        let longest = format!("{name}: fails");
        let results = match serial {
            Some(_) => vec![("hit 20", Tone::Damage), (MISSED, Tone::Missed)],
            None => vec![(longest.as_str(), Tone::Bad), (BROKEN, Tone::Breaks)],
        };
        let results = results.into_iter().map(|(text, tone)| {
            let (anchor, size, _) = self.anchor_of(at_whom, (text, tone), tone.name_place());
            Rect::from_center_size(anchor.middle(), Vec2::new(size.x.max(WORD.x), WORD.y))
        });
        let results = Vec::from_iter(results);
        // An attack has its target; what rolls a check could be either side of a contest.
        let label = match serial {
            Some(_) => name.to_owned(),
            None => format!("{}: {name}", by.name),
        };
        let name = self.roll_card(&label, CARD);
        let width: f32 = parts.iter().map(|part| part.1.size.x + GAP).sum();
        let width = width + card.size.x.max(name.size.x);
        let about = (rect_of(by.space()), rect_of(at_whom.space()), results);
        let taken = self.taken(&about);
        let size = Vec2::new(width, SUM * self.roll_scale());
        let room = self.view.area_at_rest();
        let extent = landing((about.0, about.1), size, &taken, room);
        let root = (
            DespawnAfter(seen * *self.duration_scale),
            DespawnOnExit(Screen::Battle),
            Transform::default(),
            Visibility::default(),
        );
        let root = self.commands.spawn(root).id();
        let from = Vec2::from(by.middle());
        let mut left = Vec2::new(extent.min.x, extent.center().y);
        let mut spawned = vec![];
        for (part, image, delay) in parts {
            let place = left + Vec2::new(image.size.x / 2.0, 0.0);
            let start = if part == RollPart::Die { from } else { place };
            let picture = self.roll_part((root, part), &image, (start, place), (delay, seen));
            spawned.push((part, picture, place));
            left.x += image.size.x + GAP;
        }
        let place = left + Vec2::new(name.size.x / 2.0, 0.0) - CARD_OFF * self.roll_scale();
        let part = (root, RollPart::Name);
        self.roll_part(part, &name, (place, place), (0.0, seen));
        let roll = VisibleRoll {
            serial,
            root,
            tie: self.tie((root, extent.min), extent, (about.0, about.1)),
            origin: extent.min,
            extent,
            about,
            parts: spawned,
            style,
            needed: self.show_needed(root, (needed, &card), left, (delay, seen)),
            left: seen * *self.duration_scale,
            age: 0.0,
        };
        self.rolls.push(roll);
    }

    /// The cells that a roll should leave free, with those of visible texts, of the texts that its
    /// result may have and of other rolls.
    fn taken(&self, (by, at_whom, results): &(Rect, Rect, Vec<Rect>)) -> Taken {
        let rolls = self.rolls.iter().map(|roll| roll.extent);
        let visible = self.texts.iter().map(|text| text.extent).chain(rolls);
        Taken {
            units: self.pieces.occupied().chain([*by, *at_whom]).collect(),
            texts: results.iter().copied().chain(visible).collect(),
        }
    }

    /// Whether the roll of an attack is on the board.
    pub(super) fn shows_roll(&self, attack: u32) -> bool {
        self.rolls.iter().any(|roll| roll.is_of(attack))
    }

    /// Changes the visible roll of an attack, if there is one; the others stay in the list meanwhile.
    fn change_roll(&mut self, attack: u32, change: impl FnOnce(&mut Self, &mut VisibleRoll)) {
        if let Some(n) = self.rolls.iter().position(|roll| roll.is_of(attack)) {
            let mut roll = self.rolls.remove(n);
            change(self, &mut roll);
            self.rolls.insert(n, roll);
        }
    }

    /// The thin line from a roll to its attacker, if it lies apart from its attacker and its target.
    /// The roll was first laid at `origin`.
    fn tie(
        &mut self,
        (root, origin): (Entity, Vec2),
        extent: Rect,
        (by, at_whom): (Rect, Rect),
    ) -> Option<Entity> {
        if distance(extent, by).min(distance(extent, at_whom)) <= APART {
            return None;
        }
        let from = by.center().clamp(extent.min, extent.max);
        let to = from.clamp(by.min, by.max);
        let way = at(to - from, 0.0).truncate();
        // The root moves with the roll.
        let middle = (from + to) / 2.0 - (extent.min - origin);
        let line = Sprite::from_color(colour(palette::INK), Vec2::new(way.length(), TIE));
        // Below the units, so that it crosses no face and no number.
        let place = Transform::from_translation(at(middle, height::AIM))
            .with_rotation(Quat::from_rotation_z(way.to_angle()));
        Some(self.commands.spawn((ChildOf(root), line, place)).id())
    }

    /// Moves a roll if its card, which now needs this width, would cover anything.
    fn make_room(&mut self, roll: &mut VisibleRoll, card: f32) {
        let (old, about) = (roll.extent, &roll.about);
        let width = roll.needed.2.x - roll.origin.x + card;
        if width <= old.width() {
            return;
        }
        let (taken, room) = (self.taken(about), self.view.area_at_rest());
        let ends = (about.0, about.1);
        let extent = widened(old, width, ends, &taken, room);
        roll.extent = extent;
        if let Some(old) = roll.tie.take() {
            self.commands.entity(old).try_despawn();
        }
        roll.tie = self.tie((roll.root, roll.origin), extent, ends);
        let moved = Transform::from_translation(at(extent.min - roll.origin, 0.0));
        self.commands.entity(roll.root).try_insert(moved);
    }

    /// The pictures of a roll from left to right, each with the seconds until it appears: the dice
    /// and, if the total is not simply that of one die, the bonus and the total with its
    /// [`total_style`].
    /// A natural 20 or 1 has its own die, and a card with what it does if it `decides` an attack.
    fn roll_pictures(
        &mut self,
        (roll, natural, decides): (&Roll, Option<Natural>, bool),
        (ink, shines): TotalStyle,
    ) -> Vec<(RollPart, SizedImage, f32)> {
        let dice = &roll.dice;
        let (total, shown) = (roll.total(), roll.shown());
        let mut parts = vec![];
        if let Some(natural) = natural {
            let (high, words) = match natural {
                Natural::Twenty => (RINGED, "natural 20: hits"),
                Natural::One => (DIE, "natural 1: misses"),
            };
            let image = self.roll_image(format!("rolled {words}"), high, |px| {
                bursts::natural_die(natural, px)
            });
            parts.push((RollPart::Die, image, 0.0));
            if decides {
                let card = self.roll_card(words, CARD);
                parts.push((RollPart::Natural, card, JOINS));
            }
        }
        for &(faces, value) in dice.iter().filter(|_| natural.is_none()) {
            let image = self.roll_image(format!("rolled {faces} {value}"), DIE, |px| {
                bursts::rolled_die(faces, value, px)
            });
            parts.push((RollPart::Die, image, 0.0));
        }
        if total != shown {
            let image = self.roll_card(&signed(total - shown), BONUS);
            parts.push((RollPart::Bonus, image, JOINS));
        }
        if total != shown || dice.len() > 1 {
            let image = self.total(total, natural, (ink, shines));
            parts.push((RollPart::Total, image, TOTAL));
        }
        parts
    }

    /// The total of a roll, with its [`total_style`]: golden for a natural 20, whose die may lie far
    /// from the target.
    fn total(
        &mut self,
        total: i32,
        natural: Option<Natural>,
        (ink, shines): TotalStyle,
    ) -> SizedImage {
        let body = match natural {
            Some(Natural::Twenty) => bursts::golden(),
            _ => palette::WHITE,
        };
        let name = format!("total {total} {ink:?} {body:?} {shines}");
        self.roll_image(name, SUM, |px| {
            bursts::total(total, (ink, body), shines, px)
        })
    }

    /// A die of an earlier roll.
    fn struck_die(&mut self, (faces, value): (u16, u16)) -> (RollPart, SizedImage, f32) {
        let image = self.roll_image(format!("struck {faces} {value}"), DIE, |px| {
            bursts::struck_die(faces, value, px)
        });
        (RollPart::Struck, image, 0.0)
    }

    /// Corrects the visible roll of an attack: the colour of its total, and the total that it needs
    /// if a defense of this name has changed it since.
    pub(super) fn correct(
        &mut self,
        by: &UnitView,
        (rolled_attack, hits): (&RolledAttack, Option<bool>),
        defense: Option<&str>,
    ) {
        self.change_roll(rolled_attack.serial, |this, roll| {
            let (seen, root) = (roll.left / *this.duration_scale, roll.root);
            let style = total_style(by.rank, hits);
            if roll.style != style {
                roll.style = style;
                let mut parts = roll.parts.iter_mut();
                if let Some((part, picture, place)) = parts.find(|part| part.0 == RollPart::Total) {
                    this.commands.entity(*picture).try_despawn();
                    let roll = &rolled_attack.roll;
                    let image = this.total(roll.total(), roll.natural(), style);
                    *picture = this.roll_part((root, *part), &image, (*place, *place), (0.0, seen));
                }
            }
            let (before, card, left) = roll.needed;
            if before != rolled_attack.needed {
                this.commands.entity(card).try_despawn();
                let card = this.needed_card(rolled_attack.needed, defense);
                let needed = (rolled_attack.needed, &card);
                roll.needed = this.show_needed(root, needed, left, (0.0, seen));
                this.make_room(roll, card.size.x);
            }
        });
    }

    /// Strikes out the dice of an attack that is cancelled, and says so instead of what it needs.
    pub(super) fn cancel(&mut self, by: &UnitView, rolled_attack: &RolledAttack) {
        self.correct(by, (rolled_attack, Some(false)), None);
        let is_die = |part: &(RollPart, Entity, Vec2)| part.0 == RollPart::Die;
        self.change_roll(rolled_attack.serial, |this, roll| {
            // A roll that is struck out already stays as it is.
            if !roll.parts.iter().any(is_die) {
                return;
            }
            let (seen, root) = (roll.left / *this.duration_scale, roll.root);
            let thrown = roll.parts.iter_mut().filter(|part| is_die(part));
            for ((part, picture, place), &die) in std::iter::zip(thrown, &rolled_attack.roll.dice) {
                this.commands.entity(*picture).try_despawn();
                let (struck, image, delay) = this.struck_die(die);
                *part = struck;
                *picture = this.roll_part((root, struck), &image, (*place, *place), (delay, seen));
            }
            let (needed, card, left) = roll.needed;
            this.commands.entity(card).try_despawn();
            let card = this.roll_card("cancelled", CARD);
            roll.needed = this.show_needed(root, (needed, &card), left, (0.0, seen));
            this.make_room(roll, card.size.x);
        });
    }

    /// Lets visible rolls disappear: that of an attack that is resolved, or all.
    pub(super) fn let_go(&mut self, serial: Option<u32>) {
        let scale = *self.duration_scale;
        let is_its = |roll: &&mut VisibleRoll| serial.is_none() || serial == roll.serial;
        let held = self.rolls.iter_mut().filter(|roll| roll.is_held(scale));
        for roll in held.filter(is_its) {
            roll.left = (SEEN * scale - roll.age).max(RESTS * scale);
            let mut root = self.commands.entity(roll.root);
            root.try_insert(DespawnAfter(roll.left));
        }
    }

    /// Shows the card with the needed total after a delay and for a time, both in seconds, from
    /// `left` on; returns it as a [`VisibleRoll`] keeps it.
    fn show_needed(
        &mut self,
        root: Entity,
        (needed, card): (i32, &SizedImage),
        left: Vec2,
        timing: (f32, f32),
    ) -> (i32, Entity, Vec2) {
        let place = left + Vec2::new(card.size.x / 2.0, 0.0) + CARD_OFF * self.roll_scale();
        let part = (root, RollPart::Needed);
        let card = self.roll_part(part, card, (place, place), timing);
        (needed, card, left)
    }

    /// The card with the total that an attack needs: "against 14", "against 14 · total
    /// defense".
    fn needed_card(&mut self, needed: i32, defense: Option<&str>) -> SizedImage {
        let defense = defense.map(|defense| format!(" · {defense}"));
        self.roll_card(&(against(needed) + &defense.unwrap_or_default()), CARD)
    }

    /// A card beside a roll, `high` cells high at the standard text size.
    fn roll_card(&mut self, words: &str, high: f32) -> SizedImage {
        let name = format!("roll card {words} {high}");
        self.roll_image(name, high, |px| bursts::roll_card(words, px))
    }

    /// Spawns one picture of the roll, which appears after `delay` seconds, moves from one place to
    /// another, and is gone after `seen` seconds.
    fn roll_part(
        &mut self,
        (root, part): (Entity, RollPart),
        image: &SizedImage,
        (from, to): (Vec2, Vec2),
        (delay, seen): (f32, f32),
    ) -> Entity {
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
                _ => popped_up(t / 0.12, 0.25),
            };
            Transform::from_translation(place).with_scale(Vec3::splat(springs * gone))
        };
        let spawned = (part, ChildOf(root), image.sprite(), path(0.0));
        let entity = self.commands.spawn(spawned).id();
        self.send(entity, seen, path);
        entity
    }
}

/// The colour of a total, and whether rays shine behind it.
pub type TotalStyle = (Rgb, bool);

/// What a total is compared with, on its card: "against 14".
fn against(needed: i32) -> String {
    format!("against {needed}").replace('-', "−")
}

/// The colour of a roll's total, and whether it has rays, for attacks and checks alike: a success has
/// rays and is teal for the player's units and red for all others, a failure is grey.
pub fn total_style(rank: u8, succeeds: Option<bool>) -> TotalStyle {
    let ink = match succeeds {
        Some(false) => palette::GREY,
        _ if rank == 0 => palette::TEAL,
        _ => palette::DANGER,
    };
    (ink, succeeds == Some(true))
}

/// The cells that a roll should leave free: those of units and those of texts and other rolls.
pub struct Taken {
    pub units: Vec<Rect>,
    pub texts: Vec<Rect>,
}

impl Taken {
    fn all(&self) -> impl Iterator<Item = &Rect> {
        self.units.iter().chain(&self.texts)
    }
}

/// How far from the attacker a roll may lie, in half cells.
const FAR: i16 = 16;
/// If a roll is this much nearer to another unit than to its own, it seems to be that unit's, and how
/// much further away it may lie to avoid that, in cells.
pub const NEARER: f32 = 0.05;
const MISLEADS: f32 = 2.0;

/// The cells for a roll of this size between an attacker and its target: inside `room`, where it
/// hides least of what [`Taken`] has, not nearer to another unit, as near as possible to one of the
/// two and then to the attacker.
pub fn landing((by, at): (Rect, Rect), size: Vec2, taken: &Taken, room: Rect) -> Rect {
    let half = size / 2.0;
    let inside = |wanted: Vec2| {
        let (least, most) = (room.min + half, room.max - half);
        // A roll that does not fit is centred.
        wanted.max(least).min(most.max(least)) + (most - least).min(Vec2::ZERO) / 2.0
    };
    let mut best: Option<(f32, Rect)> = None;
    let steps = (-FAR..=FAR).map(|step| f32::from(step) / 2.0);
    // A roll beside them is as far from them as one that is above in the middle of a row.
    let reach = half.x + (0.5 - half.y).max(0.0);
    let beside = [by, at].map(|end| [end.min.x - reach, end.max.x + reach]);
    let middles = steps.clone().map(|x| by.center().x + x);
    let middles = Vec::from_iter(middles.chain(beside.concat()));
    for (y, &x) in steps.flat_map(|y| middles.iter().map(move |x| (y, x))) {
        let wanted = Vec2::new(x, by.center().y + y);
        let roll = Rect::from_center_half_size(inside(wanted), half);
        let off = roll.center().distance(by.center());
        // Below a unit are its hit points.
        let below = if y > 0.0 { 0.05 } else { 0.0 };
        let own = distance(roll, by).min(distance(roll, at));
        let near = own + 0.1 * off + below;
        if best.is_some_and(|best| near >= best.0) {
            continue;
        }
        let hidden = |unit: &Rect| {
            let size = unit.intersect(roll).size();
            size.x * size.y
        };
        // Anything that is free comes before anything that is not.
        let hidden: f32 = taken.all().map(hidden).sum();
        let is_nearer = |unit: &Rect| distance(roll, *unit) + NEARER < own;
        let misleads = taken.units.iter().any(is_nearer);
        let cost = near + MISLEADS * f32::from(misleads) + 1000.0 * hidden;
        if best.is_none_or(|best| cost < best.0) {
            best = Some((cost, roll));
        }
    }
    let anywhere = Rect::from_center_half_size(inside(by.center()), half);
    best.map_or(anywhere, |best| best.1)
}

/// The cells of a roll that needs this width from now on: where it lies if it hides nothing there, or
/// else a new place, see [`landing`].
pub fn widened(old: Rect, width: f32, ends: (Rect, Rect), taken: &Taken, room: Rect) -> Rect {
    let size = Vec2::new(width, old.height());
    let here = Rect::from_corners(old.min, old.min + size);
    let is_free = taken.all().all(|other| other.intersect(here).is_empty());
    match is_free && here.max.x <= room.max.x {
        true => here,
        false => landing(ends, size, taken, room),
    }
}
