//! Initiative rolls: one card for each side or unit, whose dice tumble, rest, and move up to the
//! turn track.

use super::{
    Stage,
    floating_text::ABOVE_LABELS,
    sprites::SpriteCache,
    unit_animator::{DespawnAfter, UnitAnimator},
};
use crate::{
    battle::{CheckRoll, capitalised, signed},
    ui::{
        Screen, Session,
        art::{bursts, hud::Panel, palette},
        pictures::SmallPicture,
        places::TrackPlace,
        theme::{TextStyle, faded, text},
        tokens,
        widgets::{NodeExt, SpawnWith, column, panel_style, picture, row, sized, visible_if},
    },
};
use bevy::{prelude::*, ui::UiGlobalTransform};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, tumble.in_set(Stage::Tell));
}

/// Seconds in which the dice tumble.
pub const TUMBLES: f32 = 0.4;
/// Seconds in which the dice rest, and in which the cards move up.
const LIES: f32 = 0.28;
const RISES: f32 = 0.22;
/// Seconds of the whole animation.
pub const WHOLE: f32 = TUMBLES + LIES + RISES;
/// Seconds for which a tumbling die shows one face.
pub const FACE: f32 = 0.055;
/// Size of a roll's card in layout pixels, and the gap between two.
const CARD: Vec2 = Vec2::new(136.0, 66.0);
const GAP: f32 = 8.0;

/// The card of one roll.
#[derive(Component)]
pub struct Rolled {
    /// Place in the order, from 0 for the highest roll.
    place: usize,
    of: usize,
    /// Seconds since the roll, at normal speed.
    age: f32,
    /// Factor on the duration at normal speed.
    duration_scale: f32,
    /// Where the card rests, in layout pixels.
    lies: Vec2,
    is_calm: bool,
}

/// A die on the card.
#[derive(Component)]
pub struct Die {
    /// Number of faces.
    pub faces: u16,
    /// Rolled value, from 1.
    pub value: u16,
    /// The card that the die lies on.
    pub card: Entity,
}

/// The bonus and total of a card, hidden while the dice tumble.
#[derive(Component)]
struct Sum(Entity);

impl Die {
    /// The face shown `age` seconds after the roll: a new one every [`FACE`] seconds while it
    /// tumbles, then the rolled value.
    pub fn shows(&self, age: f32) -> u16 {
        if age >= TUMBLES || self.faces < 2 {
            return self.value;
        }
        let turns = (age / FACE) as u16;
        (self.value + turns * (self.faces / 2 + 1)) % self.faces + 1
    }
}

impl UnitAnimator<'_, '_> {
    /// Shows the rolls on cards over the board; returns the seconds until they are gone.
    pub(super) fn roll_initiative(&mut self, session: &Session, rolls: &[CheckRoll]) -> f32 {
        let names = session.game.names();
        let shown = session.shown();
        let (room, scale) = (self.view.area(), self.view.layout_scale());
        let count = rolls.len();
        let step = CARD + Vec2::splat(GAP);
        let fit = (room.width() / scale / step.x) as usize;
        let in_a_row = count.min(fit.max(1));
        let middle = room.center() / scale;
        // The top bar would cover the cards.
        let top = room.min.y / scale + GAP;
        for (n, check) in rolls.iter().enumerate() {
            let (column, line) = (n % in_a_row, n / in_a_row);
            // A shorter last row is centred too.
            let here = (count - line * in_a_row).min(in_a_row);
            let x = middle.x + (column as f32 - here as f32 / 2.0) * step.x;
            let lies = Vec2::new(x, top + line as f32 * step.y);
            let higher = rolls.iter().filter(|r| r.roll.total() > check.roll.total());
            let unit = match (check.who, check.side) {
                (Some(who), _) => Some(shown.unit(who)),
                (_, Some(side)) => shown.members(side).find(|p| p.is_up()),
                _ => None,
            };
            let name = match (check.who, check.side) {
                (Some(who), _) => shown.unit(who).name.clone(),
                (_, Some(side)) => capitalised(names.side(side)),
                _ => String::new(),
            };
            let chip = unit.map(|p| SmallPicture::Chip(tokens::chip(p, false)));
            let chip = chip.map(|chip| self.sprites.small_picture(chip, 26.0));
            let rolled = Rolled {
                place: higher.count(),
                of: count,
                age: 0.0,
                duration_scale: *self.duration_scale,
                lies,
                is_calm: self.is_calm(),
            };
            let whole = WHOLE * *self.duration_scale;
            let card = spawn_card(&mut self.commands, rolled, whole);
            let dice = check.roll.dice.clone();
            let images = Vec::from_iter(dice.iter().map(|d| die_picture(&mut self.sprites, d.0)));
            let (shown, total) = (check.roll.shown(), check.roll.total());
            let fill = |row: &mut ChildSpawnerCommands| {
                if let Some(chip) = chip {
                    row.spawn(picture(chip, 26.0));
                }
                for (&(faces, value), image) in dice.iter().zip(images) {
                    let node = sized(34.0, 34.0).centred();
                    let die = Die { faces, value, card };
                    let value = (text("", TextStyle::Strong, palette::INK), die);
                    let look = (node, ImageNode::new(image), UiTransform::IDENTITY);
                    row.spawn((look, Pickable::IGNORE, children![value]));
                }
                if total != shown {
                    let words = format!("{} = {total}", signed(total - shown));
                    let sum = text(words, TextStyle::Body, palette::INK);
                    row.spawn((sum, Sum(card), Visibility::Hidden));
                }
            };
            self.commands.entity(card).with_children(|card| {
                card.group(row(6.0), fill);
                card.spawn((faded(name), TextLayout::no_wrap()));
            });
        }
        WHOLE
    }
}

/// The picture of a die; the sprite cache draws it only once.
fn die_picture(sprites: &mut SpriteCache, faces: u16) -> Handle<Image> {
    let px = (34.0 * sprites.layout_scale()).round() as u32;
    let image = sprites.get_or_draw(format!("die {faces} {px}"), |_| bursts::die(faces, px));
    image.handle
}

fn spawn_card(commands: &mut Commands, rolled: Rolled, seconds: f32) -> Entity {
    let node = column(0.0)
        .absolute()
        .size(CARD.x, CARD.y)
        .centred()
        .border(1.6)
        .rounded(BorderRadius::all(px(6)))
        .clipped();
    let place = UiTransform::from_translation(Val2::px(rolled.lies.x, rolled.lies.y));
    let look = (node, panel_style(Panel::CardLight), place, ABOVE_LABELS);
    let card = (rolled, DespawnAfter(seconds), DespawnOnExit(Screen::Battle));
    commands.spawn((look, card, Pickable::IGNORE)).id()
}

fn tumble(
    mut cards: Query<(&mut Rolled, &mut UiTransform)>,
    mut dice: Query<(&Die, &mut Text, &ChildOf)>,
    mut faces: Query<&mut UiTransform, Without<Rolled>>,
    mut sums: Query<(&Sum, &mut Visibility)>,
    track: Query<(&ComputedNode, &UiGlobalTransform), With<TrackPlace>>,
    time: Res<Time>,
) {
    if cards.is_empty() {
        return;
    }
    for (mut card, mut transform) in &mut cards {
        card.age += time.delta_secs() / card.duration_scale.max(0.01);
        if card.is_calm {
            continue;
        }
        let x = ((card.age - TUMBLES - LIES) / RISES).clamp(0.0, 1.0);
        let x = x * x;
        // The part of the turn track for this place in the order.
        let aim = track.iter().next().map(|(node, place)| {
            let inverse = node.inverse_scale_factor;
            let (middle, size) = (place.translation * inverse, node.size() * inverse);
            let share = (card.place as f32 + 0.5) / card.of.max(1) as f32 - 0.5;
            middle + Vec2::new(size.x * share, 0.0) - CARD / 2.0
        });
        let aim = aim.unwrap_or(card.lies - Vec2::new(0.0, 120.0));
        let now = card.lies.lerp(aim, x);
        transform.translation = Val2::px(now.x, now.y);
        transform.scale = Vec2::splat(1.0 - 0.75 * x);
    }
    for (die, mut text, parent) in &mut dice {
        let Ok((card, _)) = cards.get(die.card) else {
            continue;
        };
        let age = if card.is_calm { TUMBLES } else { card.age };
        let now = die.shows(age).to_string();
        if text.0 != now {
            text.0 = now;
        }
        if let Ok(mut face) = faces.get_mut(parent.parent()) {
            let left = (1.0 - age / TUMBLES).max(0.0);
            face.rotation = Rot2::radians(left * left * 9.0);
            face.scale = Vec2::splat(1.0 + 0.25 * left);
        }
    }
    for (sum, mut visibility) in &mut sums {
        let card = cards.get(sum.0);
        let is_known = card.is_ok_and(|(c, _)| c.is_calm || c.age >= TUMBLES);
        visibility.set_if_neq(visible_if(is_known));
    }
}
