//! The list of orders beside the board while the player plans a round. For each unit: its order,
//! success rate, fallback and the result of its last round, in the order of action within the same
//! moment; units that fell in the last round or are dying are still named. For each enemy: its likely or
//! supposed action.

use super::{COLUMN, party, side_panel, track::InspectsUnit};
use crate::{
    battle::{Choice, CowStr, Id, capitalised},
    control::{orders::Fallback, simulation::Supposition},
    ui::{
        Selection, Session,
        art::{
            hud::Panel,
            palette::{self, Rgb},
        },
        board::plans,
        preview::{PlanPreview, Predictions, outcome},
        selection::{Command, PlanChange},
        session::{Intent, UnitResult},
        shown::UnitView,
        theme::{self, TextStyle, colour, faded, one_line, text},
        widgets::{
            NodeExt, ScaledWidth, SendOnPress, SpawnWith, Tip, button, rigid, row, rule, spacer,
            tipped, wide_column,
        },
    },
    words::count,
};
use bevy::prelude::*;

#[derive(PartialEq)]
pub struct PlanListModel {
    units: Vec<OrderRow>,
    /// Units that fell in the last round or are dying.
    fallen: Vec<Fallen>,
    enemies: Vec<Enemy>,
    holding: Holding,
    /// Text size relative to the standard.
    scale: f32,
}

/// Width of the card's scroll bar, in layout pixels.
const SCROLL_BAR: f32 = 10.0;
/// Least width of a text beside a name, in layout pixels at the standard text size.
const MIN: f32 = 55.0;

impl PlanListModel {
    /// The width left beside `taken` layout pixels and a name, in layout pixels at the standard
    /// text size.
    fn room(&self, name: f32, taken: f32) -> f32 {
        let width = ScaledWidth(COLUMN).at(self.scale) - 2.0 * theme::PAD - SCROLL_BAR;
        ((width - name - taken) / self.scale).max(MIN)
    }

    /// The width of a name, in layout pixels.
    fn width_of(&self, name: &str) -> f32 {
        TextStyle::Small.width(name) * self.scale
    }
}

/// The enemies that are likely to do nothing this round. If there are several, they share one line,
/// so that the lines of the others fit on the card.
#[derive(PartialEq)]
enum Holding {
    /// There are too few to share a line.
    Few,
    /// Their names.
    Together(Vec<String>),
    /// The player wants a line for each.
    Listed,
}

/// A unit that fell in the last round or is dying.
#[derive(PartialEq)]
struct Fallen {
    name: String,
    /// "dies in 3 rounds".
    words: CowStr,
    result: UnitResult,
}

/// A unit of the player's side.
#[derive(PartialEq)]
struct OrderRow {
    who: Id,
    name: String,
    is_chosen: bool,
    order: Order,
    /// When its last planned action happens: "probably count 9".
    when: Option<String>,
    /// The risks that the rate does not count.
    risks: Vec<String>,
    rate: Rate,
    /// What qualifies the rate: how often the order is not needed, or why it mostly fails.
    qualification: Option<String>,
    fallback: Option<Fallback>,
    /// The step that it could take after its attack, which no plan includes: "Take position".
    step_after: Option<String>,
    can_clear: bool,
    is_first: bool,
    is_last: bool,
}

/// How often an order is carried out as planned.
#[derive(PartialEq)]
enum Rate {
    Simulating,
    /// Percent of rounds in which it goes ahead, and in which it has nothing left to do.
    Percent {
        rate: u32,
        unneeded: u32,
    },
    /// The order waits for a target, and none comes.
    NoTarget,
    /// There is no order, or it plans nothing.
    NoPlan,
}

impl Rate {
    fn has_words(&self) -> bool {
        matches!(self, Self::Simulating | Self::Percent { .. })
    }
}

#[derive(PartialEq)]
enum Order {
    Given(GivenOrder),
    /// No order this round; the result of the last round.
    Last(UnitResult),
    None,
}

/// The order of a unit in words.
#[derive(PartialEq)]
pub(super) struct GivenOrder {
    /// On a short line: "Strike → Goblin 2 (short sword)".
    short: String,
    /// Without its weapon but with its target apart: "Strike →" and "Goblin 2".
    shortest: [String; 2],
    /// In full, for the tooltip.
    full: String,
}

impl GivenOrder {
    /// Without its weapon: "Strike → Goblin 2".
    pub(super) fn shortest(self) -> String {
        self.shortest.join(" ").trim_end().to_owned()
    }

    /// The order that a unit has in this round; `None` if it has none.
    pub(super) fn of(session: &Session, who: Id) -> Option<Self> {
        let held = session.held().filter(|held| held.who() == who);
        if let Some(intent) = held.or(session.intent(who)) {
            return Some(Self {
                short: session.in_short(intent),
                shortest: session.order_and_target(intent),
                full: intent.label.clone(),
            });
        }
        let unit = session.shown().unit(who);
        if unit.plan.is_empty() {
            return None;
        }
        let only = session.only_declared(who);
        let own = only.as_ref().map(|only| session.in_short(only));
        let full = own.unwrap_or_else(|| capitalised(&unit.plan));
        let parts = only.map(|only| session.order_and_target(&only));
        Some(Self {
            short: full.clone(),
            shortest: parts.unwrap_or_else(|| [full.clone(), String::new()]),
            full,
        })
    }
}

#[derive(PartialEq)]
struct Enemy {
    who: Id,
    name: String,
    /// "next round " or nothing, "attacks" and "Mara 55%"; `None` until it is predicted.
    likely: Option<[String; 3]>,
    /// Everything that is predicted, for the tooltip.
    predicted: Option<String>,
    /// "attacks" and "Mara", if the player supposes so.
    supposed: Option<[String; 2]>,
}

pub fn model(
    session: &Session,
    selection: &Selection,
    (plan_preview, predictions): (&PlanPreview, &Predictions),
    scale: f32,
) -> PlanListModel {
    let shown = session.shown();
    let round = shown.clock.round;
    let results = match round {
        0 | 1 => vec![],
        round => session.results(round - 1),
    };
    let mut units = session.sequence();
    units.retain(|id| shown.unit(*id).is_up());
    let order = |who: Id| {
        if let Some(given) = GivenOrder::of(session, who) {
            return Order::Given(given);
        }
        let last = results.iter().find(|result| result.who == who);
        last.cloned().map_or(Order::None, Order::Last)
    };
    let count = units.len();
    let unit = |(n, &who): (usize, &Id)| {
        let order = order(who);
        let simulation = plan_preview.simulation_of_order(session, who);
        let is_given = matches!(order, Order::Given(_));
        let intent = session.intent(who);
        let attacks = intent.is_some_and(|intent| intent.at().is_some() && !intent.plan.is_spell());
        OrderRow {
            who,
            name: shown.unit(who).name.clone(),
            is_chosen: selection.chosen == Some(who),
            when: when(plan_preview, who)
                .filter(|_| is_given && !plan_preview.replaces_order(session, who)),
            risks: match plan_preview
                .risks_of_order(session, who)
                .filter(|_| is_given)
            {
                Some(risks) => risks.beside_rate(session, simulation, who),
                None => vec![],
            },
            rate: match is_given {
                true => rate(session, plan_preview, who),
                false => Rate::NoPlan,
            },
            qualification: simulation
                .filter(|_| is_given)
                .and_then(|s| outcome::qualification(s, who, session.game.names())),
            fallback: attacks.then(|| session.fallback(who)),
            step_after: intent
                .filter(|_| attacks)
                .and_then(|intent| step_after(session, intent)),
            can_clear: session.can_edit(who),
            is_first: n == 0,
            is_last: n + 1 == count,
            order,
        }
    };
    let fallen = results.iter().filter_map(|result| {
        let unit = shown.unit(result.who);
        let is_listed = !unit.is_up() && (result.is_down || unit.dying.is_some());
        is_listed.then(|| Fallen {
            name: unit.name.clone(),
            words: party::out_words(unit, true),
            result: result.clone(),
        })
    });
    let supposed = session.supposed();
    let words = |supposition: &Supposition| match supposition {
        Supposition::Holds => [String::from("holds"), String::new()],
        Supposition::Attacks(at) => {
            let name = shown.unit(*at).name.clone();
            [String::from("attacks"), name]
        }
    };
    let enemy = |foe: &UnitView| Enemy {
        who: foe.id,
        name: foe.name.clone(),
        likely: predictions.likeliest(session, foe.id),
        predicted: predictions.words(session, foe.id),
        supposed: supposed.get(&foe.id).map(words),
    };
    let holds = |foe: &Enemy| foe.supposed.is_none() && predictions.waits(session, foe.who);
    let foes = session.known_enemies().into_iter();
    let foes = foes.map(|id| enemy(shown.unit(id)));
    let (held, mut enemies): (Vec<Enemy>, Vec<Enemy>) = foes.partition(holds);
    // The list may be longer than its card, so enemies that are likely to attack come first.
    enemies.sort_by_key(|foe| !predictions.is_likely_to_attack(session, foe.who));
    let holding = match held.len() {
        0 | 1 => Holding::Few,
        _ if selection.shows_holding => Holding::Listed,
        _ => Holding::Together(held.iter().map(|foe| foe.name.clone()).collect()),
    };
    if !matches!(holding, Holding::Together(_)) {
        enemies.extend(held);
    }
    PlanListModel {
        units: units.iter().enumerate().map(unit).collect(),
        fallen: fallen.collect(),
        enemies,
        holding,
        scale,
    }
}

/// The name of the step that a unit could take after the attack of its plan. `None` for a unit that
/// will be in melee then.
fn step_after(session: &Session, intent: &Intent) -> Option<String> {
    let planning = session.queries.rules.planning;
    let mut declared = intent.plan.declared.iter();
    let fights = session.stuck(intent.who()).is_some()
        || declared.any(|order| planning.is_charge(order.verb));
    let step = planning.step_after.filter(|_| !fights)?;
    Some(session.queries.label(step).into_owned())
}

fn rate(session: &Session, plan_preview: &PlanPreview, who: Id) -> Rate {
    let held = session.held().filter(|held| held.who() == who);
    let has_intent = match held {
        Some(held) => held.plan.is_aimed,
        None => session.intent(who).is_some(),
    };
    let orders = session.declarations(who);
    let planning = session.queries.rules.planning;
    let is_idle = |order: &&Choice| planning.leaves_open(order);
    if !has_intent && !orders.is_empty() && orders.iter().all(is_idle) {
        return Rate::NoPlan;
    }
    let Some(simulation) = plan_preview.simulation_of_order(session, who) else {
        return Rate::Simulating;
    };
    match (simulation.plans.get(&who), simulation.success_rate(who)) {
        (Some(outcome), Some(rate)) if rate > 0 || !outcome.is_open => Rate::Percent {
            rate,
            unneeded: simulation.percent(outcome.unneeded()),
        },
        _ => Rate::NoTarget,
    }
}

/// Names of the units whose orders never go ahead in simulated rounds.
pub fn never_go_ahead(session: &Session, plan_preview: &PlanPreview) -> Vec<String> {
    let shown = session.shown();
    let own = session.sequence().into_iter();
    let own = own.filter(|who| {
        let rate = rate(session, plan_preview, *who);
        shown.unit(*who).is_up() && matches!(rate, Rate::Percent { rate: 0, .. })
    });
    own.map(|who| shown.unit(who).name.clone()).collect()
}

/// When the last action of a unit's plan happens.
fn when(plan_preview: &PlanPreview, who: Id) -> Option<String> {
    let timeline = plan_preview.timeline.as_ref()?;
    let act = timeline.acts.iter().rfind(|act| act.who == who)?;
    Some(plans::when(plan_preview, timeline, act))
}

/// The supposition that follows `now` in the cycle: none (use the prediction), holds, attacks each
/// unit in turn.
pub fn next_supposition(session: &Session, now: Option<Supposition>) -> Option<Supposition> {
    let own = session.shown().members(session.player());
    let own = own.filter(|unit| unit.is_up());
    let attacks = own.map(|unit| Supposition::Attacks(unit.id));
    let all: Vec<Supposition> = std::iter::once(Supposition::Holds).chain(attacks).collect();
    match now {
        None => all.first().copied(),
        Some(now) => {
            let place = all.iter().position(|one| *one == now)?;
            all.get(place + 1).copied()
        }
    }
}

/// Whether the list replaces the log.
pub fn is_shown(session: &Session, selection: &Selection) -> bool {
    selection.side_panel.is_none() && !selection.shows_log && session.is_declaring()
}

/// The height of the list with a line for each unit, in layout pixels. The buttons of the selected
/// unit count always, so that nothing moves when they appear.
pub fn height(session: &Session, scale: f32) -> f32 {
    let own = session.shown().members(session.player());
    let own = own.filter(|unit| unit.is_up() || unit.dying.is_some());
    let units = own.count() + session.known_enemies().len();
    // Heading and buttons.
    let lines = units + 2;
    let line =
        (TextStyle::Small.line_height() * scale).ceil() + 2.0 * BORDER + side_panel::LINE_GAP;
    // With its margins.
    let rule = 10.0 + side_panel::LINE_GAP;
    lines as f32 * line + rule + 2.0 * (side_panel::LIST_PAD + theme::LINE)
}

pub fn show(card: &mut ChildSpawnerCommands, model: &PlanListModel) {
    card.spawn_with(row(6.0), |line| {
        line.spawn(text("Orders", TextStyle::Strong, palette::INK));
        let help = "Show the log instead";
        small_button(line, "log", PlanChange::ShowLog(true), help, true);
        line.spawn(spacer());
        let help = "How often the order is carried out as planned, in simulated rounds";
        line.spawn(tipped(faded("goes ahead"), Tip::text(help)));
    });
    for unit in &model.units {
        show_unit(card, model, unit);
    }
    for fallen in &model.fallen {
        show_fallen(card, fallen);
    }
    if model.enemies.is_empty() && model.holding == Holding::Few {
        return;
    }
    card.spawn(rule());
    for enemy in &model.enemies {
        show_enemy(card, model, enemy);
    }
    let (words, help, shows) = match &model.holding {
        Holding::Few => return,
        Holding::Listed => {
            let help = "Show enemies that are likely to hold in one line";
            (String::from("fewer lines"), String::from(help), false)
        }
        Holding::Together(names) => {
            let kind = match model.enemies.is_empty() {
                true => "enemies",
                false => "others",
            };
            let words = format!("{} {kind} hold this round", names.len());
            let help = format!("{}. Click to list them", names.join(", "));
            (words, help, true)
        }
    };
    card.spawn_with(row(GAP), |line| {
        line.spawn(spacer());
        let change = PlanChange::ShowHolding(shows);
        colored_button(line, &words, palette::FADED_INK, change, &help);
    });
}

/// The button in the log that shows the list instead.
pub fn show_closed(line: &mut ChildSpawnerCommands) {
    let help = "Show the list of orders instead of the log";
    small_button(line, "orders", PlanChange::ShowLog(false), help, true);
}

/// Least width of a name, so that the orders line up, in layout pixels.
const NAME: f32 = 58.0;
/// Least width of a success rate, in layout pixels, so that it keeps its place while the round is
/// simulated.
const RATE: f32 = 30.0;
/// Estimated width of a number of risks at the standard text size, in layout pixels.
const RISKS: f32 = 42.0;
/// Gap between the parts of a line, in layout pixels.
const GAP: f32 = 5.0;

fn show_unit(card: &mut ChildSpawnerCommands, model: &PlanListModel, unit: &OrderRow) {
    let ink = match unit.is_chosen {
        true => palette::TEAL,
        false => palette::INK,
    };
    let tip = Tip::text("Click to select this unit");
    let is_given = matches!(unit.order, Order::Given(_));
    let has_rate = is_given && unit.rate.has_words();
    let name = model.width_of(&unit.name) + 2.0 * PADDING;
    let rate = match has_rate {
        true => RATE + GAP,
        false => 0.0,
    };
    let risks = match is_given && !unit.risks.is_empty() {
        true => RISKS + GAP,
        false => 0.0,
    };
    let numbers = rate + risks;
    let room = model.room(name.max(NAME), GAP + numbers * model.scale);
    let line = (row(GAP), InspectsUnit(unit.who));
    card.spawn_with(line, |line| {
        let name = SendOnPress(Command::Choose(unit.who));
        let scaled = small().min_width(px(NAME));
        line.spawn_with((button(Panel::CardPale, scaled), name, tip), |name| {
            name.spawn(one_line(unit.name.clone(), TextStyle::Small, ink));
        });
        line.group(wide_column(0.0), |words| {
            show_order(words, unit, room);
            if let Some(line) = &unit.qualification {
                words.spawn(faded(line.clone()));
            }
        });
        if is_given {
            show_risks(line, &unit.risks);
            show_rate(line, unit);
        }
    });
    if !unit.is_chosen || !is_given {
        return;
    }
    // Buttons that change the selected unit's order.
    card.spawn_with(row(GAP), |line| {
        if let Some(fallback) = unit.fallback {
            let words = format!("if it fails: {}", fallback.words());
            let help = "What is done if the plan fails. Click to change";
            small_button(line, &words, PlanChange::Fallback(unit.who), help, true);
        }
        line.spawn(spacer());
        let who = unit.who;
        let help = "Act earlier than other units that act at the same moment";
        small_button(line, "↑", PlanChange::Earlier(who), help, !unit.is_first);
        let help = "Act later than other units that act at the same moment";
        small_button(line, "↓", PlanChange::Later(who), help, !unit.is_last);
        let help = "Clear this order. Other orders stay";
        small_button(line, "clear", PlanChange::Clear(who), help, unit.can_clear);
    });
}

/// A unit that fell: its name, struck through. The tooltip has what happened.
fn show_fallen(card: &mut ChildSpawnerCommands, fallen: &Fallen) {
    card.spawn_with(row(GAP), |line| {
        let name = Node::default().min_width(px(NAME)).padding(PADDING, 0.0);
        let words = faded(fallen.name.clone());
        // Bevy's own line is as thin as the font says: less than a pixel, and then invisible.
        let strike = Node {
            top: percent(50),
            ..Node::default().at(0.0, 0.0).whole().height(px(1.6))
        };
        let strike = (
            strike,
            BackgroundColor(colour(palette::FADED_INK)),
            Pickable::IGNORE,
        );
        let words = (Node::default(), Pickable::IGNORE, children![words, strike]);
        line.spawn((name, Pickable::IGNORE, children![words]));
        let words = text(fallen.words.clone(), TextStyle::Small, palette::DANGER);
        line.spawn(tipped(words, last_result_tip(&fallen.result)));
    });
}

/// The number of risks, with a tooltip that names them.
pub(super) fn show_risks(line: &mut ChildSpawnerCommands, risks: &[String]) {
    if !risks.is_empty() {
        let number = count(risks.len(), "risk");
        let words = one_line(number, TextStyle::Small, palette::DANGER);
        let node = rigid(Node::default());
        let tip = risks.iter().fold(Tip::default(), Tip::small);
        line.spawn((node, tip, children![words]));
    }
}

fn show_rate(line: &mut ChildSpawnerCommands, unit: &OrderRow) {
    let (rate, ink) = match unit.rate {
        // An order that is not needed is no failure.
        Rate::Percent { rate, unneeded } => (format!("{rate}%"), rate_ink(rate + unneeded)),
        Rate::Simulating => (String::from("…"), palette::FADED_INK),
        Rate::NoTarget | Rate::NoPlan => (String::new(), palette::FADED_INK),
    };
    // An order without a rate has more room for its words.
    if unit.rate.has_words() {
        let words = one_line(rate, TextStyle::Label, ink);
        let node = Node::default()
            .min_width(px(RATE))
            .justify(JustifyContent::End);
        line.spawn((rigid(node), Pickable::IGNORE, children![words]));
    }
}

fn show_order(words: &mut ChildSpawnerCommands, unit: &OrderRow, room: f32) {
    match &unit.order {
        Order::None => {
            words.spawn(faded("no order"));
        }
        Order::Given(GivenOrder {
            short,
            shortest,
            full,
        }) => {
            let fallback = unit.fallback.map(|f| format!("if it fails: {}", f.words()));
            let tip = Tip::text(full.clone());
            let step = unit.step_after.as_ref();
            let step = step.map(|step| format!("{step}: not part of the plan"));
            let more = unit.when.iter().cloned().chain(fallback).chain(step);
            let tip = more.fold(tip, Tip::small);
            let shortest = shortest.each_ref().map(String::as_str);
            let short = match TextStyle::Small.width(short) <= room {
                true => short.clone(),
                false => TextStyle::Small.fitted_before(shortest, room),
            };
            with_tip(words, one_line(short, TextStyle::Small, palette::INK), tip);
        }
        Order::Last(result) => {
            let line = format!("last round: {}", result.in_short);
            let line = TextStyle::Small.wrapped_at_words(&line, room, RESULT_LINES);
            let line = text(line, TextStyle::Small, ink_of_result(result));
            with_tip(words, line, last_result_tip(result));
        }
    }
}

/// The most lines for the result of an order: more would push the enemies out of the list.
const RESULT_LINES: usize = 2;

/// A text that was cut to its space. The tooltip has the rest.
fn with_tip(place: &mut ChildSpawnerCommands, words: impl Bundle, tip: Tip) {
    let node = Node::default().width(percent(100)).clip_x();
    place.spawn((node, tip, children![words]));
}

/// The tooltip of a unit's last order: what was planned, what happened, and why it failed.
fn last_result_tip(result: &UnitResult) -> Tip {
    let planned = result.planned.as_deref().unwrap_or("no order");
    let happened = format!("happened: {}", result.happened);
    let tip = Tip::text(format!("planned: {planned}")).small(happened);
    match &result.why {
        Some(why) => tip.line(
            format!("why: {why}"),
            TextStyle::Small,
            ink_of_result(result),
        ),
        None => tip,
    }
}

fn show_enemy(card: &mut ChildSpawnerCommands, model: &PlanListModel, enemy: &Enemy) {
    let line = (row(GAP), InspectsUnit(enemy.who));
    card.spawn_with(line, |line| {
        line.spawn(one_line(enemy.name.clone(), TextStyle::Small, palette::INK));
        line.spawn(spacer());
        // The gaps on both sides of the space between name and button.
        let taken = 2.0 * (GAP + PADDING + BORDER);
        let room = model.room(model.width_of(&enemy.name), taken);
        let fitted = |start: &str, end: &str| TextStyle::Small.fitted_before([start, end], room);
        let (short, ink) = match (&enemy.supposed, &enemy.likely) {
            (Some([does, at]), _) => (fitted(&format!("suppose: {does}"), at), palette::TEAL),
            (None, Some([when, does, at])) => {
                // The deed comes before its round.
                let whole = format!("{when}{does} {at}");
                let short = match TextStyle::Small.width(&whole) <= room {
                    true => whole,
                    false => fitted(does, at),
                };
                (short, palette::FADED_INK)
            }
            (None, None) => (fitted("calculating…", ""), palette::FADED_INK),
        };
        let help = "Click to suppose something else. Success rates use it";
        let help = match &enemy.predicted {
            None => String::from(help),
            Some(all) => format!("{all}. {help}"),
        };
        colored_button(line, &short, ink, PlanChange::Suppose(enemy.who), &help);
    });
}

/// Padding of small buttons at the sides, in layout pixels.
const PADDING: f32 = 5.0;
/// Width of their border, in layout pixels.
const BORDER: f32 = theme::LINE;

fn small() -> Node {
    Node::default().padding(PADDING, 0.0)
}

fn small_button(
    line: &mut ChildSpawnerCommands,
    words: &str,
    change: PlanChange,
    help: &str,
    is_open: bool,
) {
    if is_open {
        return colored_button(line, words, palette::INK, change, help);
    }
    let node = (button(Panel::CardPale, small()), Pickable::IGNORE);
    line.spawn((
        node,
        children![text(words.to_owned(), TextStyle::Small, palette::PALE_INK)],
    ));
}

fn colored_button(
    line: &mut ChildSpawnerCommands,
    words: &str,
    ink: Rgb,
    change: PlanChange,
    help: &str,
) {
    let tip = Tip::text(help);
    let parts = (SendOnPress(Command::Plan(change)), tip);
    line.spawn_with((button(Panel::CardPale, small()), parts), |inside| {
        inside.spawn(one_line(words, TextStyle::Small, ink));
    });
}

/// Red if the plan failed. One that was not needed did not.
fn ink_of_result(result: &UnitResult) -> Rgb {
    match result.why.is_some() && !result.is_unneeded {
        true => palette::DANGER,
        false => palette::FADED_INK,
    }
}

/// Teal if it mostly succeeds, red if it mostly fails.
pub(super) fn rate_ink(rate: u32) -> Rgb {
    match rate {
        0..outcome::RARE => palette::DANGER,
        outcome::RARE..75 => palette::INK,
        _ => palette::TEAL,
    }
}
