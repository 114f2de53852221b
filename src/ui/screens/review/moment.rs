//! A mistake on the board: the given order in grey, the better one in teal, and the
//! win probability after each compared order.

use super::Maker;
use crate::{
    battle::{Id, capitalised},
    control::review::{ComparedOrder, ReviewedDecision, better, reason, said},
    ui::{
        Session,
        art::{
            board::{DrawnArea, MARGIN},
            hud::Panel,
            palette::{self, Rgb},
            plan::BoardPlan,
            scene::{DrawnOrder, Scene, scene},
        },
        pictures::{self, SmallPicture},
        shown::middle,
        theme::{TextStyle, body_text, colour, faded, heading_text, strong_text, text},
        tokens,
        widgets::{NodeExt, SpawnWith, card as plain_card, column, panel_style, rigid, row, sized},
    },
    words,
};
use bevy::prelude::*;

/// The width of the side panel, as a share of the card.
const PANEL: f32 = 0.36;

/// The height of the board, as a share of its column.
const HIGH: f32 = 0.54;

/// Spawns the card; `wide` and `high` are the size of its column in layout pixels.
pub fn card(place: &mut ChildSpawnerCommands, maker: &mut Maker, (wide, high): (f32, f32)) {
    let node = rigid(plain_card().in_row(14.0));
    let Some(decision) = maker.state.decision().cloned() else {
        let (words, least) = match maker.state.is_done() {
            true => (
                "No clear mistakes: every order was about as good as the best one.",
                0.0,
            ),
            // It keeps the space that the board may take.
            false => ("Looking for the orders that cost most\u{2026}", high * HIGH),
        };
        let card = (
            node.min_height(px(least)).centred(),
            panel_style(Panel::Card),
        );
        place.spawn((card, children![body_text(words)]));
        return;
    };
    let inner = wide - 2.0 * 18.0 - 14.0;
    let least = 210.0 * maker.room.text();
    let panel = (inner * PANEL).max(least).min(inner * 0.6);
    let board_wide = inner - panel;
    let board_high = (high * HIGH).max(200.0);
    let fine = maker.room.screen_scale();
    let board = board(&maker.session, &decision, (board_wide, board_high), fine);
    let (size, image) = (board.size, maker.icons.images.add(board.image));
    let portrait = decision.who.map(|who| {
        let unit = maker.session.shown().unit(who).clone();
        let portrait = SmallPicture::Portrait(tokens::portrait(&unit), false);
        let picture = maker.icons.square(portrait, 48.0 * maker.room.text());
        (unit.name, picture)
    });
    let names = maker.session.game.names().clone();
    place.spawn_with((node, panel_style(Panel::Card)), |card| {
        let left = rigid(column(4.0).width(px(board_wide)).align(AlignItems::Center));
        card.group(left, |left| {
            let node = sized(size.x, size.y);
            left.spawn((node, ImageNode::new(image), Pickable::IGNORE));
            let legend = |words: String, ink: Rgb| text(words, TextStyle::Small, ink);
            let given = said(&decision.given().choice, &names);
            let sign = if board.has_given { "Grey" } else { "Given" };
            left.spawn(legend(format!("{sign}: {given}"), palette::FADED_INK));
            let sign = if board.has_best { "Teal" } else { "Better" };
            let words = format!("{sign}: {}", better(&decision, &names));
            left.spawn(legend(words, palette::TEAL));
        });
        let right = column(6.0).width(px(panel));
        card.group(right, |right| {
            let count = maker.state.mistakes().len();
            let place = maker.state.chosen.min(count.saturating_sub(1));
            let moment = format!("Moment {} of {count}", place + 1);
            right.group(row(10.0), |head| {
                let name = portrait.map(|(name, picture)| {
                    head.spawn(picture);
                    name
                });
                head.group(column(0.0), |lines| {
                    lines.spawn(faded(moment));
                    let round = capitalised(&words::round(decision.round));
                    let words = match name {
                        None => round,
                        Some(name) => format!("{round}, {name}"),
                    };
                    lines.spawn(heading_text(words));
                    let compared = words::count(decision.orders.len(), "order");
                    lines.spawn(faded(format!("{compared} compared")));
                });
            });
            right.spawn(strong_text("Win chance after it"));
            chances(right, &decision, &names, panel);
            let cost = decision.cost;
            right.group(row(6.0), |line| {
                let words = format!("{:.0}%", cost.value * 100.0);
                line.spawn(text(words, TextStyle::Heading, palette::DANGER));
                let error = cost.error * 100.0;
                line.spawn(body_text(format!("\u{b1} {error:.0} win chance lost here")));
            });
            if let Some(reason) = reason(&decision, &maker.state.review.sides, &names) {
                right.spawn(body_text(reason));
            }
            let words = format!(
                "Each order was played out {} times, with equal dice.",
                decision.given().playouts
            );
            right.spawn(faded(words));
        });
    });
}

/// A dot with an error bar for each order.
fn chances(
    place: &mut ChildSpawnerCommands,
    decision: &ReviewedDecision,
    names: &crate::battle::Names,
    wide: f32,
) {
    let all = decision.shown();
    let low = |order: &&ComparedOrder| order.chance.value - order.chance.error;
    let high = |order: &&ComparedOrder| order.chance.value + order.chance.error;
    let least = all.iter().map(low).fold(1.0, f32::min).max(0.0);
    let most = all.iter().map(high).fold(0.0, f32::max).min(1.0);
    let span = (most - least).max(0.02);
    let wide = wide - 12.0;
    let x = |share: f32| 6.0 + (share.clamp(least, most) - least) / span * wide;
    for order in all {
        let is_best = std::ptr::eq(order, decision.best());
        let ink = match (order.is_given, is_best) {
            (true, _) => palette::FADED_INK,
            (_, true) => palette::TEAL,
            _ => palette::INK,
        };
        let (value, error) = (order.chance.value, order.chance.error);
        let whose = match order.choice.who == decision.who {
            true => order.choice.describe(names),
            false => said(&order.choice, names),
        };
        let name = match order.is_given {
            true => format!("Yours: {whose}"),
            false => whose,
        };
        let line = row(8.0)
            .align(AlignItems::Start)
            .justify(JustifyContent::SpaceBetween);
        place.group(line, |line| {
            let cut = match is_best {
                true => TextStyle::Strong,
                false => TextStyle::Body,
            };
            line.spawn((text(name, cut, ink), Node::default().min_width(px(0))));
            let number = format!("{:.0}% \u{b1} {:.0}", value * 100.0, error * 100.0);
            line.spawn((text(number, TextStyle::Strong, ink), rigid(default())));
        });
        let track = rigid(Node::default().width(percent(100)).height(px(12)));
        let part = |left: f32, top: f32, width: f32, height: f32, radius: f32| {
            let node = Node::default()
                .at(left, top)
                .size(width, height)
                .rounded(BorderRadius::all(px(radius)));
            (node, BackgroundColor(colour(ink)), Pickable::IGNORE)
        };
        let (from, to, dot) = (x(value - error), x(value + error), x(value));
        place.spawn((
            track,
            Pickable::IGNORE,
            children![
                part(from, 5.0, (to - from).max(1.0), 2.0, 0.0),
                part(from, 1.0, 2.0, 10.0, 0.0),
                part(to - 1.0, 1.0, 2.0, 10.0, 0.0),
                part(dot - 4.0, 2.0, 8.0, 8.0, 4.0),
            ],
        ));
    }
}

/// A picture of the whole board before an order, with the compared orders on it.
struct OrdersOnBoard {
    image: Image,
    /// The size of the picture in layout pixels.
    size: Vec2,
    /// Whether the orders are drawn: not all lead to a cell or a target.
    has_given: bool,
    has_best: bool,
}

/// Draws the board with both orders; it fits the given size in layout pixels.
fn board(
    session: &Session,
    decision: &ReviewedDecision,
    (wide, high): (f32, f32),
    fine: f32,
) -> OrdersOnBoard {
    let shown = session.shown();
    let (columns, rows) = (shown.board.width() as f32, shown.board.height() as f32);
    let area = DrawnArea {
        west: -MARGIN,
        north: -MARGIN,
        east: columns + MARGIN,
        south: rows + MARGIN,
    };
    let (across, along) = (columns + 2.0 * MARGIN, rows + 2.0 * MARGIN);
    let cell_px = ((wide / across).min(high / along) * fine).floor().max(6.0) as u32;
    let unit = |id: Id| shown.unit(id);
    let order = |order: &ComparedOrder, ink: Rgb| {
        let actor = order.choice.who.map(unit)?;
        let mut walk = vec![actor.middle()];
        let mut target = None;
        for choice in std::iter::once(&order.choice).chain(&order.then) {
            target = match (choice.at, choice.to) {
                (Some(at), _) => Some(unit(at).middle()),
                (None, to) if choice.spell.is_some() => to.map(|to| middle(to, 1)),
                (None, to) => {
                    walk.extend(to.map(|to| middle(to, actor.size)));
                    None
                }
            };
            if target.is_some() {
                break;
            }
        }
        let is_seen = walk.len() > 1 || target.is_some();
        is_seen.then_some(DrawnOrder { walk, target, ink })
    };
    let given = order(decision.given(), palette::GREY);
    let best = order(decision.best(), palette::TEAL);
    let (has_given, has_best) = (given.is_some(), best.is_some());
    let picture = scene(
        &Scene {
            plan: &BoardPlan::of(&shown.board, session.game.level().light),
            area,
            tokens: tokens::on_map(&shown.units, decision.who, cell_px),
            arrows: vec![],
            orders: given.into_iter().chain(best).collect(),
            burst: None,
            words: vec![],
        },
        cell_px,
    );
    let unit = cell_px as f32 / fine;
    OrdersOnBoard {
        image: pictures::image(picture),
        size: Vec2::new(across * unit, along * unit),
        has_given,
        has_best,
    }
}
