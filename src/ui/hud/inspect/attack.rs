//! An attack in numbers, with the enemy's own attack on the selected unit.

use super::{
    chart::{HALF, WHOLE, chart as bars},
    warnings,
};
use crate::{
    battle::{AttackForecast, Defended, Modifier, OddsLine, Spread, Trade, capitalised, signed},
    grid::Cover,
    ui::{
        Session,
        art::{chart, icons, palette, palette::Rgb},
        codex::rule_link,
        hud::SmallPictures,
        pictures::SmallPicture,
        preview::PreviewAnswer,
        theme::{self, TextStyle, colour, faded, one_line, span, text},
        widgets::{
            NodeExt, SpawnWith, column, rigid, row, rule, spacer, wide_column, wrapping_row,
        },
    },
};
use bevy::prelude::*;

/// An attack that a click would make, and the unit that would make it.
#[derive(PartialEq)]
pub(super) struct Attack {
    pub by: String,
    /// The approach before the attack, or the plan.
    pub first: Option<String>,
    /// Whether the attack is a plan for later in the round, with only one line for the enemy's
    /// attack.
    pub is_plan: bool,
    /// Whether the plan is not expected to get to the attack.
    pub fails: bool,
    pub forecast: AttackForecast,
    pub spread: Spread,
    pub trades: Vec<Trade>,
    /// Number of weapons to choose from.
    pub ways: usize,
    /// Why it uses bare hands.
    pub hands: Option<String>,
    /// Warnings about attacks that it provokes.
    pub provoked: Vec<String>,
}

impl Attack {
    /// An attack made at once, with the only weapon.
    pub(super) fn new(
        session: &Session,
        forecast: &AttackForecast,
        spread: Spread,
        provoked: Vec<String>,
    ) -> Self {
        Self {
            by: session.shown().unit(forecast.by).name.clone(),
            first: None,
            is_plan: false,
            fails: false,
            forecast: forecast.clone(),
            spread,
            trades: vec![],
            ways: 1,
            hands: None,
            provoked,
        }
    }

    /// The case that leads, if the chance counts an answer.
    fn answered(&self) -> Option<&Defended> {
        self.forecast.answered.as_ref().filter(|_| !self.fails)
    }
}

/// Most modifiers with a line each.
const LINES: usize = 5;

/// Shows the chance as one large number, then each modifier with its rule and the total. With an
/// answer, both attacks share the space. A low window has no room for a chart.
pub(super) fn breakdown(
    card: &mut ChildSpawnerCommands,
    icons: &mut SmallPictures,
    (attack, is_low): (&Attack, bool),
    answer: Option<(&str, &PreviewAnswer)>,
) {
    let Attack { by, forecast, .. } = attack;
    card.spawn_with(row(6.0), |line| {
        line.spawn(faded(format!("{by}, {}", forecast.weapon)));
        cover(line, icons, forecast.cover);
        line.spawn(spacer());
        if attack.ways > 1 {
            line.spawn(text("W: swap weapons", TextStyle::Small, palette::LINK));
        }
    });
    // Before the modifiers, so that it is in sight without scrolling.
    chance(card, attack);
    if let Some(hands) = attack.hands.as_ref().filter(|_| !is_low) {
        card.spawn(faded(hands.clone()));
    }
    // A long list is set in two columns to leave space for the chart.
    let has_room = answer.is_none() && !attack.is_plan;
    match has_room && forecast.modifiers.len() <= LINES {
        true => forecast.modifiers.iter().for_each(|m| number_line(card, m)),
        false => two_columns(card, &forecast.modifiers),
    }
    card.spawn(rule());
    let cut = match has_room {
        true => TextStyle::Body,
        false => TextStyle::Small,
    };
    // Like the sum, the chart is that of the chance that leads.
    let spread = match attack.answered() {
        Some(left) if !attack.spread.bars.is_empty() => &left.spread,
        _ => &attack.spread,
    };
    // Without room for the chart, the mean shares the line of the damage.
    let has_mean = is_low && answer.is_none() && attack.trades.is_empty();
    let has_mean = has_mean && !spread.bars.is_empty();
    let mean = has_mean.then(|| mean_words(forecast, spread.mean()));
    total(card, (attack, is_low), mean, cut);
    let Some((at, answer)) = answer else {
        if !attack.trades.is_empty() {
            trades(card, icons, &attack.trades);
        } else if !is_low {
            let case = attack.answered();
            let case = case.map_or(String::new(), |left| format!(" {}", left.brief));
            bars(card, spread, WHOLE, |mean| average(forecast, &case, mean));
        }
        return warnings(card, &attack.provoked);
    };
    warnings(card, &attack.provoked);
    answered(card, icons, at, answer);
    let own = |mean: f32| format!("{by}: average {mean:.1}");
    let its = |mean: f32| format!("Enemy: average {mean:.1}");
    if !attack.trades.is_empty() {
        trades(card, icons, &attack.trades);
    } else if is_low {
        let (own, its) = (spread.mean(), answer.spread.mean());
        card.spawn(faded(format!("average: you {own:.1}, enemy {its:.1}")));
    } else if spread.is_sure() {
        bars(card, &answer.spread, WHOLE, its);
    } else if answer.spread.is_sure() {
        bars(card, spread, WHOLE, own);
    } else {
        card.spawn_with(row(14.0), |pair| {
            pair.spawn_with(half(), |half| bars(half, spread, HALF, own));
            pair.spawn_with(half(), |half| bars(half, &answer.spread, HALF, its));
        });
    }
}

/// The attack of the inspected enemy, if the selected unit can't attack it.
pub(super) fn answer(
    card: &mut ChildSpawnerCommands,
    icons: &mut SmallPictures,
    at: &str,
    answer: &PreviewAnswer,
) {
    answered(card, icons, at, answer);
    let average = |mean: f32| average(&answer.attack, "", mean);
    bars(card, &answer.spread, WHOLE, average);
}

/// "damage, average 2.5 with misses": the damage of an attack as the chart shows it.
fn average(forecast: &AttackForecast, case: &str, mean: f32) -> String {
    format!("damage{case}, {}", mean_words(forecast, mean))
}

/// "average 2.5 with misses"
fn mean_words(forecast: &AttackForecast, mean: f32) -> String {
    let misses = match forecast.likely_percent() < 100 {
        true => " with misses",
        false => "",
    };
    format!("average {mean:.1}{misses}")
}

fn half() -> Node {
    column(0.0).width(percent(50))
}

/// What the total is compared with, and the damage: those of the chance that leads. If it counts an
/// answer, the sum says so. `mean` is the mean damage, if it is to stand with the damage.
fn total(
    card: &mut ChildSpawnerCommands,
    (attack, is_low): (&Attack, bool),
    mean: Option<String>,
    cut: TextStyle,
) {
    let forecast = &attack.forecast;
    card.spawn_with(row(6.0), |line| {
        line.spawn_with(wide_column(0.0), |words| {
            let needs = match attack.answered() {
                Some(left) => {
                    let against = against(&left.against, &left.against_modifiers);
                    // A short card leaves the case to the two numbers above.
                    let case = match is_low {
                        true => String::new(),
                        false => format!("{}: ", capitalised(left.brief)),
                    };
                    format!("{case}{against}, {}", left.needs)
                }
                None => format!("{}, {}", against_of(forecast), forecast.needs),
            };
            words.spawn(text(needs, cut, palette::INK));
        });
        if let Some(left) = attack.answered() {
            rule_link(line, left.rule);
        }
    });
    let damage = attack.answered();
    let damage = damage.map_or(&forecast.damage, |left| &left.damage);
    let damage: Vec<String> = std::iter::once(damage.clone()).chain(mean).collect();
    card.spawn(text(damage.join("; "), cut, palette::FADED_INK));
    // They hold as the units stand now, and a plan that fails finds them otherwise.
    if !attack.fails {
        small_notes(card, &forecast.notes);
    }
}

/// The chance to hit, or the chance to drop the target if that leads. It counts the target's likely
/// defense and the units that screen it; the other case has a small line where it differs enough. If
/// the plan fails, none is the main number.
fn chance(card: &mut ChildSpawnerCommands, attack: &Attack) {
    let forecast = &attack.forecast;
    let pair = row(6.0)
        .width(percent(100))
        .align(AlignItems::Stretch)
        .margin_y(4.0);
    card.spawn_with(rigid(pair), |pair| {
        let (number, unit) = headline(forecast);
        match (&forecast.answered, forecast.mean) {
            _ if attack.fails => {
                let words = format!("{unit}\nif it could attack");
                boxed(pair, &number, &words, false);
            }
            (Some(left), _) => {
                let (number, case) = match forecast.is_drop_first() {
                    true => {
                        let case = format!("to drop, {}% {}", left.percent, left.brief);
                        (left.drop_percent, case)
                    }
                    false => {
                        let case = format!("{}, {}% to drop", left.brief, left.drop_percent);
                        (left.percent, case)
                    }
                };
                let lines: Vec<String> =
                    std::iter::once(case).chain(forecast.otherwise()).collect();
                boxed(pair, &format!("{number}%"), &lines.join("\n"), true);
            }
            (None, _) if forecast.is_drop_first() => {
                let words = format!("{}\n{}% to hit", forecast.to_drop(), forecast.percent);
                boxed(pair, &format!("{}%", forecast.drop_percent), &words, true);
            }
            (None, mean) => {
                let words = format!("{unit}\n{}", forecast.drops());
                boxed(pair, &number, &words, true);
                if mean.is_some() {
                    boxed(pair, &format!("{}%", forecast.percent), "to hit", false);
                }
            }
        }
    });
}

/// A chance and its unit in a box; the main one is tinted and larger, and takes the space that
/// is left.
fn boxed(pair: &mut ChildSpawnerCommands, number: &str, unit: &str, is_main: bool) {
    let (line, background, cut, ink) = match is_main {
        true => {
            let tint = palette::CARD_ACTIVE.mix(palette::TEAL, 0.14);
            (palette::TEAL, tint, TextStyle::Big, palette::TEAL)
        }
        false => (
            palette::STONE_DARK,
            palette::CARD,
            TextStyle::Heading,
            palette::FADED_INK,
        ),
    };
    let node = Node {
        flex_grow: if is_main { 1.0 } else { 0.0 },
        flex_shrink: if is_main { 1.0 } else { 0.0 },
        flex_basis: if is_main { px(0) } else { Val::Auto },
        min_width: px(0),
        padding: UiRect::axes(px(6), px(2)),
        border: UiRect::all(px(1.4)),
        border_radius: BorderRadius::all(px(theme::RADIUS)),
        ..row(6.0)
    };
    let look = (
        BackgroundColor(colour(background)),
        BorderColor::all(colour(line)),
    );
    pair.spawn_with((node, look), |inside| {
        inside.spawn(one_line(number, cut, ink));
        let words = match is_main {
            true => wide_column(0.0),
            false => column(0.0),
        };
        inside.spawn((words, children![text(unit, TextStyle::Small, palette::INK)]));
    });
}

/// The most important number of an attack, and its unit.
fn headline(forecast: &AttackForecast) -> (String, &'static str) {
    match forecast.mean {
        Some(mean) => (format!("{mean:.1}"), "average damage"),
        None => (format!("{}%", forecast.percent), "to hit"),
    }
}

/// Size of a trade-off chart, in layout pixels.
const TRADE: (f32, f32) = (132.0, 44.0);

/// Charts of what an attack deals and costs for each value of a number the player chooses.
fn trades(card: &mut ChildSpawnerCommands, icons: &mut SmallPictures, all: &[Trade]) {
    let node = rigid(row(10.0).justify(JustifyContent::SpaceBetween));
    card.spawn_with(node, |pair| {
        for trade in all {
            let image = icons.drawn(|scale| {
                let provoked = chart::Pair {
                    dealt: &trade.dealt,
                    taken: &trade.taken,
                    now: trade.now,
                };
                let px = |long: f32| (long * scale).round() as u32;
                chart::pair(&provoked, px(TRADE.0), px(TRADE.1), scale)
            });
            pair.spawn_with(half(), |half| {
                let node = Node::default().size(TRADE.0, TRADE.1);
                half.spawn((node, ImageNode::new(image)));
                let words = format!("{}: {}", trade.over, trade.now);
                half.spawn(text(words, TextStyle::Small, palette::INK));
                let at_now = |points: &[(i32, f32)]| chart::value_at(points, trade.now);
                let mut line = half.spawn(text("", TextStyle::Small, palette::INK));
                line.with_children(|line| {
                    if let Some(dealt) = at_now(&trade.dealt) {
                        let words = format!("{dealt:.1} dealt ");
                        line.spawn(span(words, TextStyle::Small, palette::TEAL));
                    }
                    if let Some(taken) = at_now(&trade.taken) {
                        let words = format!("{taken:.1} taken");
                        line.spawn(span(words, TextStyle::Small, palette::DANGER));
                    }
                });
            });
        }
    });
}

/// The enemy's best attack on the selected unit, in a few lines.
fn answered(
    card: &mut ChildSpawnerCommands,
    icons: &mut SmallPictures,
    at: &str,
    answer: &PreviewAnswer,
) {
    let forecast = &answer.attack;
    card.spawn(rule());
    card.spawn_with(row(6.0), |line| {
        line.spawn(faded(answer_words(at, answer)));
        cover(line, icons, forecast.cover);
    });
    card.spawn_with(row(8.0), |foot| {
        let lines = Node {
            flex_grow: 1.0,
            flex_basis: px(0),
            ..column(0.0)
        };
        foot.spawn_with(lines, |lines| {
            let mut sum = lines.spawn(text("", TextStyle::Small, palette::INK));
            sum.with_children(|sum| {
                for (n, m) in forecast.modifiers.iter().enumerate() {
                    let comma = if n > 0 { ", " } else { "" };
                    let words = format!("{comma}{} {} ", signed(m.value), m.label);
                    sum.spawn(span(words, TextStyle::Small, palette::INK));
                    sum.spawn(span(m.rule, TextStyle::Small, palette::LINK));
                }
            });
            let words = format!(
                "{}; {}; {}",
                against_of(forecast),
                forecast.needs,
                forecast.damage
            );
            lines.spawn(text(words, TextStyle::Small, palette::INK));
            small_notes(lines, &forecast.notes);
        });
        foot.spawn_with(rigid(column(0.0).align(AlignItems::End)), |big| {
            let (number, words) = match forecast.is_drop_first() {
                true => {
                    let words = format!("to drop, {}% to hit", forecast.percent);
                    (format!("{}%", forecast.drop_percent), words)
                }
                false => (headline(forecast).0, forecast.drops()),
            };
            big.spawn(text(number, TextStyle::Heading, palette::DANGER));
            big.spawn(faded(words));
        });
    });
}

/// "Enemy's short sword against Mara: 60%, 5% to drop", without the drop if it is not possible.
pub(super) fn answer_line(card: &mut ChildSpawnerCommands, at: &str, answer: &PreviewAnswer) {
    let chance = answer.attack.chance();
    let drops = match answer.attack.drop_percent {
        0 => String::new(),
        _ => format!(", {}", answer.attack.drops()),
    };
    let words = format!("{}: {chance}{drops}", answer_words(at, answer));
    card.spawn(text(words, TextStyle::Small, palette::DANGER));
}

/// "Enemy's short sword against Mara next round".
fn answer_words(at: &str, answer: &PreviewAnswer) -> String {
    let when = match answer.is_later {
        true => " next round",
        false => "",
    };
    format!("Enemy's {} against {at}{when}", answer.attack.weapon)
}

fn against_of(forecast: &AttackForecast) -> String {
    against(&forecast.against, &forecast.against_modifiers)
}

/// "against AC 17 (+2 total defense)".
fn against(number: &str, modifiers: &[Modifier]) -> String {
    let mut words = format!("against {number}");
    for m in modifiers {
        words += &format!(" ({} {})", signed(m.value), m.label);
    }
    words
}

/// Modifiers in two columns; a long one takes a whole line.
fn two_columns(card: &mut ChildSpawnerCommands, all: &[Modifier]) {
    let node = wrapping_row(14.0, 0.0).justify(JustifyContent::SpaceBetween);
    card.spawn_with(rigid(node), |list| {
        for modifier in all {
            let node = row(5.0).min_width(percent(42)).grow();
            list.spawn_with(node, |line| {
                let label = capitalised(&modifier.label);
                line.spawn(one_line(label, TextStyle::Small, palette::INK));
                line.spawn(spacer());
                let number = signed(modifier.value);
                line.spawn(text(number, TextStyle::Label, ink(modifier)));
                rule_link(line, modifier.rule);
            });
        }
    });
}

fn number_line(card: &mut ChildSpawnerCommands, modifier: &Modifier) {
    card.spawn_with(row(0.0), |line| {
        let label = text(capitalised(&modifier.label), TextStyle::Body, palette::INK);
        let place = Node::default().width(percent(62));
        line.spawn((place, children![label]));
        let number = signed(modifier.value);
        line.spawn(text(number, TextStyle::Body, ink(modifier)));
        line.spawn(spacer());
        rule_link(line, modifier.rule);
    });
}

fn ink(modifier: &Modifier) -> Rgb {
    if modifier.value < 0 {
        palette::DANGER
    } else {
        palette::INK
    }
}

/// The most characters of a note, without its percentage, that shares its line with the next one of
/// the same rule.
const SHORT_NOTE: usize = 12;

/// The notes, each with its rule: "stunned: 55%, bleeding: 97% AC-31".
fn small_notes(lines: &mut ChildSpawnerCommands, notes: &[OddsLine]) {
    let is_short = |note: &OddsLine| note.text.chars().count() <= SHORT_NOTE;
    let share = |a: &OddsLine, b: &OddsLine| a.rule == b.rule && is_short(a) && is_short(b);
    for group in notes.chunk_by(share) {
        lines.spawn_with(row(6.0), |line| {
            let words: Vec<String> = group.iter().map(OddsLine::words).collect();
            line.spawn(faded(words.join(", ")));
            rule_link(line, group[0].rule);
        });
    }
}

/// The icon for the cover, if any.
pub(super) fn cover(line: &mut ChildSpawnerCommands, icons: &mut SmallPictures, cover: Cover) {
    let badge = match cover {
        Cover::None => return,
        Cover::Half => icons::Cover::Half,
        Cover::Full => icons::Cover::Full,
    };
    line.spawn(icons.square(SmallPicture::Cover(badge), 16.0));
}
