//! Arrows for what enemies are likely to do: red to the unit they may attack, brown to the cell
//! they may move to, or a short open one in their direction if that cell is uncertain; the wider and
//! darker, the likelier. For the enemy under the cursor, or with F3
//! for all enemies. They lie below the player's own plans. While the player declares, arrows show the
//! likely attacks of the others in this round too.

use super::{
    Stage, enemy_reach, height,
    labels::KeepsClear,
    mark_painter::{Layer, Layers, attack_way, beside, charge_line, is_near, rect_of},
    overlays::Overlays,
    plans,
};
use crate::{
    battle::Id,
    control::simulation::{Action, Prediction},
    grid::{Cell, Space},
    ui::{
        ActionPreview, Selection, Session,
        art::{marks, palette, tokens::Base},
        preview::{PlanPreview, Predictions, PredictsAll},
        selection::Overlay,
        shown::middle,
    },
};
use bevy::prelude::*;
use std::cmp::Reverse;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(Update, (want, lay).chain().in_set(Stage::Mark));
}

/// Most arrows for one enemy, likeliest first: for the enemy under the cursor, and for each enemy
/// when all are shown or when a click would attack it.
pub const MAX: (usize, usize) = (2, 1);
/// Actions below this chance are not drawn, in percent.
const MIN: u32 = 10;

/// An arrow on the board.
#[derive(Component, Clone, Copy, PartialEq, Debug)]
pub struct Intent {
    pub by: Id,
    pub aim: IntentAim,
    /// Share of simulations in which the enemy does it, in percent.
    pub percent: u32,
}

/// What an arrow points at.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum IntentAim {
    /// The enemy attacks this unit, from this cell if it is known.
    At(Id, Option<Cell>),
    /// The enemy charges at this unit in a straight line.
    Charge(Id),
    /// The enemy moves to this cell without attacking, to help an ally there or to stay.
    To(Cell),
    /// The enemy moves in the direction of this cell, without attacking.
    Toward(Cell),
}

impl IntentAim {
    /// The unit that the enemy attacks.
    pub fn target(self) -> Option<Id> {
        match self {
            Self::At(id, _) | Self::Charge(id) => Some(id),
            Self::To(_) | Self::Toward(_) => None,
        }
    }
}

/// Requests predictions for all enemies while the overlay is on.
fn want(overlays: Res<Overlays>, mut all: ResMut<PredictsAll>) {
    all.set_if_neq(PredictsAll(overlays.has(Overlay::Threats)));
}

/// The arrows for an enemy's `most` likeliest actions. An action without an arrow takes its place
/// among these: a less likely one must not look like what the enemy does. Actions that are less
/// likely than none are not drawn.
pub fn intents(by: Id, predictions: &[Prediction], most: usize) -> Vec<Intent> {
    let aim = |predicted: &Prediction| match predicted.action {
        Action::Attacks(at) if predicted.is_charge => Some(IntentAim::Charge(at)),
        Action::Attacks(at) => Some(IntentAim::At(at, predicted.to)),
        Action::Moves => match (predicted.destination(), predicted.heading) {
            (Some(cell), _) => Some(IntentAim::To(cell)),
            (None, Some(_)) => predicted.to.map(IntentAim::Toward),
            (None, None) => None,
        },
        Action::Helps(_) => predicted.to.map(IntentAim::To),
        Action::Loads | Action::Casts | Action::Reacts | Action::Falls => None,
    };
    let least = MIN.max(Prediction::rest(predictions));
    let acts = |p: &&Prediction| !matches!(p.action, Action::Reacts | Action::Falls);
    let likely = predictions.iter().filter(acts).take(most);
    let drawn = likely
        .filter(|p| p.percent >= least)
        .filter_map(|predicted| {
            let percent = predicted.percent;
            aim(predicted).map(|aim| Intent { by, aim, percent })
        });
    drawn.collect()
}

/// The arrow for an enemy's likeliest action, if it is an attack.
pub(super) fn attack(by: Id, predictions: &[Prediction]) -> Option<Intent> {
    let likeliest = intents(by, predictions, 1).into_iter();
    let mut attacks = likeliest.filter(|intent| intent.aim.target().is_some());
    attacks.next()
}

/// The places along the path of an arrow that labels leave free, in cells.
fn clear_of(path: &[(f32, f32)]) -> KeepsClear {
    const APART: f32 = 0.3;
    let part = |two: &[(f32, f32)]| {
        let (from, to) = (Vec2::from(two[0]), Vec2::from(two[1]));
        let count = (from.distance(to) / APART).ceil().max(1.0);
        let places = (0..count as u8).map(move |n| from.lerp(to, f32::from(n) / count));
        places.map(|place| Rect::from_center_half_size(place, Vec2::splat(APART / 2.0)))
    };
    KeepsClear(path.windows(2).flat_map(part).collect())
}

/// The opacity of the least likely arrow, from 0 to 1.
const FAINTEST: f32 = 0.3;

fn lay(
    layers: Layers,
    session: Res<Session>,
    selection: Res<Selection>,
    (preview, plan_preview): (Res<ActionPreview>, Res<PlanPreview>),
    (overlays, predictions): (Res<Overlays>, Res<Predictions>),
    mut laid: Local<(Vec<Intent>, enemy_reach::Stands, Option<Id>)>,
) {
    let shown = session.shown();
    let pointed = selection.looked_at;
    let pointed = pointed.or_else(|| preview.pointed(&selection, shown));
    let is_all = overlays.has(Overlay::Threats);
    let is_declaring = session.is_declaring();
    let most = match is_all || pointed.is_some() && preview.click.target() == pointed {
        true => MAX.1,
        false => MAX.0,
    };
    let of = |id| predictions.of(&session, id).unwrap_or_default();
    let drawn = |id: Id| match is_all || pointed == Some(id) {
        true => intents(id, of(id), most),
        false if is_declaring && !predictions.waits(&session, id) => {
            attack(id, of(id)).into_iter().collect()
        }
        false => vec![],
    };
    let by = shown.units.iter().map(|unit| unit.id);
    let now: Vec<Intent> = by.flat_map(drawn).collect();
    let hovered = plans::hovered(&session, &selection, &plan_preview);
    // The simulations carry out the orders, so an arrow ends where its target's order ends.
    let ends = enemy_reach::ends(&session, &plan_preview);
    let now = (now, ends, hovered);
    let is_news = *laid != now || layers.is_empty(Layer::Intents) != now.0.is_empty();
    let Some(mut painter) = layers.redraw(Layer::Intents, is_news, shown) else {
        return;
    };
    *laid = now;
    let (now, ends, _) = &*laid;
    let px = painter.px();
    let space_then = |id: Id| {
        let unit = shown.unit(id);
        let end = ends.iter().find(|(who, _)| *who == id);
        Space::new(end.map_or(unit.at, |end| end.1), unit.size)
    };
    let path = |intent: &Intent| -> Vec<(f32, f32)> {
        let unit = shown.unit(intent.by);
        let from = unit.middle();
        let way = |cell: Cell| {
            let path = session.queries.long_path(intent.by, cell).into_iter();
            path.map(|step| middle(step, unit.size))
        };
        // Walking is drawn along the path, an attack from its end straight at the target.
        match intent.aim {
            IntentAim::At(id, end) => {
                let target = space_then(id);
                let end = end.filter(|&end| end != unit.at);
                let stands = Space::new(end.unwrap_or(unit.at), unit.size);
                let attack = attack_way(&shown.board, stands, target);
                match end {
                    // The path ends in the middle of a space, where the attack begins.
                    Some(end) => way(end).chain(attack.into_iter().skip(1)).collect(),
                    None if attack.len() > 2 => attack,
                    None => beside(from.into(), rect_of(target).center()).to_vec(),
                }
            }
            IntentAim::Charge(id) => {
                let [start, end] = charge_line(unit.at, unit.size, space_then(id));
                // A stroke between two points only would be bowed.
                let path = [start, start.midpoint(end), end].map(<(f32, f32)>::from);
                path.to_vec()
            }
            IntentAim::To(cell) => way(cell).collect(),
            IntentAim::Toward(cell) => vec![from, middle(cell, unit.size)],
        }
    };
    // The likeliest arrows stay where they are; others make way for them.
    let mut likeliest = now.clone();
    likeliest.sort_by_key(|intent| Reverse(intent.percent));
    let mut paths: Vec<Vec<(f32, f32)>> = likeliest.iter().map(path).collect();
    marks::side_by_side(&mut paths);
    let mut heads = marks::Heads::default();
    for (intent, path) in likeliest.iter().zip(&mut paths) {
        if let Some(target) = intent.aim.target().map(space_then) {
            heads.end(path, rect_of(target).center().into(), target.size);
        }
    }
    for (intent, path) in likeliest.iter().zip(paths) {
        let unit = shown.unit(intent.by);
        painter.alpha = plans::alpha(hovered, (intent.by, intent.aim.target()));
        let from = unit.middle();
        let target = intent.aim.target().map(|id| shown.unit(id));
        let (is_cell, at_size) = (target.is_none(), target.unwrap_or(unit).size);
        // An enemy that helps from where it stands goes nowhere.
        let Some(&to) = path.last().filter(|&&to| to != from || !is_cell) else {
            continue;
        };
        if let IntentAim::Toward(_) = intent.aim {
            let picture = marks::heading_arrow([from, to], unit.size, palette::INTENT, px);
            let arrow = painter.sprites.placed(picture, height::AIM);
            painter.lay((*intent, arrow));
            continue;
        }
        let share = intent.percent as f32 / 100.0;
        let ink = match is_cell {
            true => palette::INTENT,
            false => palette::DANGER,
        };
        let (sizes, look) = ([unit.size, at_size], (share, is_cell));
        if let Some(arrow) = marks::IntentArrow::new(&path, sizes, look) {
            // Between neighbours the arrow only fits above the tokens. A long one passes below the
            // units on its path; its head lies above them, so that it is clear where it ends.
            let is_long = !is_near(from.into(), to.into());
            let z = match is_long {
                true => height::GHOST - 0.3,
                false => height::TARGET,
            };
            // The likelier, the higher and the less transparent.
            let likely = FAINTEST + (1.0 - FAINTEST) * share;
            let head = is_long.then(|| (arrow.head(ink, px), height::TARGET));
            // Among many arrows that cross, its number says whose it is.
            if let Some(label) = unit.label.filter(|_| is_all && is_long) {
                let label = label.to_string();
                let draw = |px| marks::number(&label, 0.28 * px as f32);
                let image = painter
                    .sprites
                    .get_or_draw(format!("intent of {label}"), draw);
                painter.lay(image.laid(arrow.number.into(), height::TARGET + 0.2));
            }
            for (picture, z) in [(arrow.picture(ink, px), z)].into_iter().chain(head) {
                let (mut arrow, place) = painter.sprites.placed(picture, z - 0.2 + 0.1 * share);
                arrow.color.set_alpha(likely);
                painter.lay((*intent, arrow, place, clear_of(&path)));
            }
        }
        if let IntentAim::To(cell) = intent.aim {
            let base = Base::of_rank(unit.rank);
            let name = format!("likely place {base:?}");
            let draw = |px| marks::likely_place(base, px);
            let image = painter.sprites.get_or_draw(name, draw);
            let stands = middle(cell, unit.size).into();
            painter.lay((*intent, image.laid(stands, height::RINGS)));
        }
    }
}
