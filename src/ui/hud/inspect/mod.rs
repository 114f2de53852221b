//! The inspect card: the hovered, selected or acting unit, and everything known about the attack,
//! move or action that a click would make.
//!
//! - `forecast`: an attack in numbers, and the enemy's attack in return
//! - `chart`: the damage distribution of an attack
//! - `hint`: what the player can do while nothing is hovered
//! - `playing`: the attack that the board shows
//! - `review`: the whole plan, before the round begins
//! - `there`: the enemies that matter at the end of a path

mod attack;
mod chart;
mod hint;
mod playing;
mod review;
mod there;

pub use chart::ChartRow;

use super::{
    GAP, ObjectivesCard, SmallPictures,
    enemy_turn::{self, Span},
    plan_list, round,
};
use crate::{
    battle::{
        AttackForecast, Choice, CowStr, Id, Item, OddsLine, PlannedAttack, Provoked, Spread, State,
        Way, capitalised, handicap, signed,
    },
    content::Make,
    control::{exchange::Exchange, orders::Order},
    grid::{Cell, Feature, cells_apart},
    ui::{
        ActionPreview, Playback, Selection, Session,
        art::{palette, palette::Rgb, tokens::Tone},
        board::{
            plans,
            playback::{EventPlayback, PlayedAttack},
        },
        codex::{prose, rule_link},
        places::{ListPlace, LogPlace, ReactionPlace, SidePanelPlace},
        preview::{
            Click, Menu, OrderDraft, PlanPreview, Predictions, PreviewAnswer,
            carry::{caught_line, in_area},
            enemies_of, outcome, risks,
        },
        room::Room,
        ruleset_ui::TraitWords,
        shown::UnitView,
        theme::{self, TextStyle, faded, text},
        widgets::{
            Filled, NodeExt, SpawnWith, Tip, column, refill, rigid, row, rule, set_part, show_if,
            spacer, tipped,
        },
    },
    words::{list, uncapitalised},
};
use attack::Attack;
use bevy::{prelude::*, text::RemSize};
use playing::AttackLines;
use review::PlanReview;
use std::cmp::Reverse;

/// Facts of a plan that leave room for a table, in a low window.
const FEW_FACTS: usize = 2;

/// The card at the upper right.
#[derive(Component, Default)]
pub struct InspectCard;

#[derive(PartialEq)]
pub struct InspectModel {
    unit: Option<UnitView>,
    aside: &'static str,
    /// What sets the unit apart.
    traits: Vec<TraitWords>,
    figures: Vec<String>,
    /// The tooltip of the first of them, see [`RulesetUi::figures_tip`].
    ///
    /// [`RulesetUi::figures_tip`]: crate::ui::ruleset_ui::RulesetUi::figures_tip
    figures_tip: &'static str,
    /// The attack that the board shows, of the inspected unit.
    plays: Option<AttackLines>,
    /// What the inspected enemy is likely to do next.
    likely: Option<String>,
    part: ClickEffect,
    /// The whole plan, while it waits for confirmation and no unit is inspected.
    review: Option<PlanReview>,
    /// What the last enemy turn and the player's own turn did to the player's units, each under its
    /// heading, on the player's turn; not beside the numbers of an attack.
    turns: Vec<(&'static str, Vec<String>)>,
    /// What is known about the plan of the draft or of the inspected unit.
    plan: Vec<(String, Rgb)>,
    /// The enemies that could attack that unit where the plan is expected to leave it.
    danger: Vec<there::ChancesThere>,
    /// Attack of the inspected enemy on the player's unit, with that unit's name.
    answer: Option<(String, PreviewAnswer)>,
    /// Whether the window is too low for both attacks in full.
    is_low: bool,
    /// Other units in the cells of the inspected unit.
    also: Vec<String>,
    /// Properties of the cell under the cursor, and items on it.
    ground: Vec<String>,
    /// Whether the card is pinned: see [`Command::Pin`](crate::ui::Command::Pin).
    pinned: bool,
}

/// What a click would do.
#[derive(PartialEq)]
enum ClickEffect {
    Nothing,
    No(String, Rgb),
    Attack(Box<Attack>),
    Act(Box<ClickedAct>),
    Hint(Vec<CowStr>),
}

/// A move, or an action that is no attack.
#[derive(PartialEq, Default)]
struct ClickedAct {
    /// "Mara moves 15 ft, uses Move", "Click: first aid …".
    words: (String, Rgb),
    fall: u16,
    /// What it costs and does.
    help: &'static str,
    odds: Vec<OddsLine>,
    provoked: Vec<String>,
    /// What it does not set off.
    calm: Option<&'static str>,
    exchanges: Vec<there::ChancesThere>,
}

/// Side of the portrait, in layout pixels.
const PORTRAIT: f32 = 44.0;
/// Height of a window below which space is short, in layout pixels.
const LOW: f32 = 780.0;
/// Shares the column among its cards by window and text size only, so that nothing jumps when the
/// cursor moves. The card of the side panel takes the log's place.
pub(super) fn share_column(
    (session, selection): (Res<Session>, Res<Selection>),
    rem: Res<RemSize>,
    (preview, playback): (Res<ActionPreview>, Res<Playback>),
    card: Single<(&mut Node, &ChildOf), With<InspectCard>>,
    mut others: ParamSet<(
        Single<&mut Node, (With<SidePanelPlace>, Without<InspectCard>)>,
        Single<&mut Node, (With<ReactionPlace>, Without<InspectCard>)>,
        Single<&mut Node, (With<ListPlace>, Without<InspectCard>)>,
    )>,
    objectives: Single<&ComputedNode, With<ObjectivesCard>>,
    columns: Query<&ComputedNode>,
) {
    let (mut node, parent) = card.into_inner();
    let Ok(column) = columns.get(parent.parent()) else {
        return;
    };
    let high = |of: &ComputedNode| of.size().y * of.inverse_scale_factor;
    let rest = high(column) - high(*objectives) - GAP;
    if rest <= GAP {
        return;
    }
    let scale = rem.0 / theme::BODY;
    let is_list = plan_list::is_shown(&session, &selection);
    // The list of orders takes what it needs to show every unit.
    let height = match is_list {
        true => {
            let left = rest - GAP - plan_list::height(&session, scale);
            height(rest, scale).min(left.max(MIN * scale)).floor()
        }
        false => height(rest, scale),
    };
    let third = rest - height - GAP;
    let (least, list_height) = (height, third);
    let (height, third) = (px(height), px(third));
    set_part(&mut node, |node| &mut node.height, height);
    let mut aside = others.p0();
    set_part(&mut aside, |aside| &mut aside.height, third);
    // A reaction prompt replaces the card once all earlier events are shown, and so does a list.
    let menu = preview.menu.as_ref().filter(|_| !playback.busy);
    let is_asked = menu.is_some_and(Menu::is_docked);
    let is_choosing = menu.is_some_and(Menu::is_list);
    show_if(&mut node, !is_asked && !is_choosing);
    // All choices are visible: a long list takes space from the cards below it.
    let shrinks = if is_asked || is_choosing { 1.0 } else { 0.0 };
    set_part(&mut aside, |aside| &mut aside.flex_shrink, shrinks);
    let taken = match aside.display {
        Display::None => 0.0,
        _ => list_height.min(LOW_ASIDE * scale) + GAP,
    };
    let most = px((rest - taken - LOG_HEAD * scale - GAP).max(least));
    let lay = |mut place: Mut<Node>, is_shown: bool| {
        show_if(&mut place, is_shown);
        set_part(&mut place, |place| &mut place.min_height, height);
        set_part(&mut place, |place| &mut place.max_height, most);
    };
    lay(others.p1().reborrow(), is_asked);
    lay(others.p2().reborrow(), is_choosing);
}

/// Height for two attacks, in layout pixels at the standard text size.
const NEEDED: f32 = 400.0;
/// Least height beside a long list of orders, in layout pixels at the standard text size.
const MIN: f32 = 390.0;
/// Share of the column for the card where there is space.
const SHARE: f32 = 0.62;
/// Height that no card needs more than, in layout pixels at the standard text size.
const MAX: f32 = 460.0;
/// Least height of a third card below a long list of reactions, in layout pixels at the standard
/// text size.
const LOW_ASIDE: f32 = 80.0;
/// Height of the log below a long list of reactions, in layout pixels at the standard text size.
const LOG_HEAD: f32 = 48.0;

/// Height of the inspect card in layout pixels; the log, or the card in its place, gets the rest.
/// `rest` is the height of the column, `scale` the text scale.
pub fn height(rest: f32, scale: f32) -> f32 {
    let log = (LogPlace::MIN * scale).min(rest * 0.4);
    let card = (rest * SHARE).clamp(NEEDED * scale, MAX * scale);
    let card = card.min(rest - log - GAP);
    card.floor()
}

pub(super) fn refresh(
    session: Res<Session>,
    selection: Res<Selection>,
    (preview, plan_preview): (Res<ActionPreview>, Res<PlanPreview>),
    (predictions, room): (Res<Predictions>, Room),
    event_playback: Res<EventPlayback>,
    card: Single<Entity, With<InspectCard>>,
    mut shown: Local<Filled<InspectModel>>,
    mut commands: Commands,
    mut icons: SmallPictures,
) {
    // While enemies act, the card shows the acting unit.
    let actor = event_playback.actor();
    let actor = actor.filter(|&id| session.shown().unit(id).is_there());
    let plays = event_playback.attack();
    let previews = (&*preview, &*plan_preview);
    let is_low = room.size().y <= LOW;
    let now = model(&session, &selection, previews, (actor, plays), is_low);
    // A prediction next to the attack that it came to would look like another one.
    let subject = now.unit.as_ref().filter(|_| now.plays.is_none());
    let subject = subject.map(|unit| unit.id);
    let mut now = InspectModel {
        likely: subject.and_then(|id| predictions.words(&session, id)),
        ..now
    };
    if let Some((_, answer)) = &mut now.answer {
        let (attack, spread) = answer.expected(&session, &predictions);
        (answer.attack, answer.spread) = (Box::new(attack.clone()), spread.clone());
    }
    let is_new = refill(&mut commands, (*card, now), &mut shown, |card, model| {
        // Content that is too long scrolls instead of being squeezed.
        card.spawn_with(rigid(column(1.0)), |card| show(card, &mut icons, model));
    });
    if is_new {
        commands.entity(*card).insert(ScrollPosition::default());
    }
}

fn model(
    session: &Session,
    selection: &Selection,
    (preview, plan_preview): (&ActionPreview, &PlanPreview),
    (actor, plays): (Option<Id>, Option<&PlayedAttack>),
    is_low: bool,
) -> InspectModel {
    // The attack on the board comes first, except on a card that the player asked for: the mouse
    // may just have been left there.
    let plays = plays.filter(|_| selection.looked_at.is_none() && !selection.pinned);
    let pointed = preview.pointed(selection, session.shown());
    let asked = session.asked_member().filter(|_| !session.goes_on());
    let own = asked.or(selection.chosen);
    // With the mouse on the name of the selected unit, its card stays as it was.
    let is_own = |id: &Id| Some(*id) == own && selection.cursor.is_none() && session.prompts_turn();
    let looked_at = selection.looked_at.filter(|id| !is_own(id));
    let (subject, aside) = match (looked_at, pointed, own) {
        (Some(id), ..) => (Some(id), ""),
        _ if plays.is_some() => (plays.map(|plays| plays.rolled.attack.by), "Attacks now"),
        (_, Some(id), _) if selection.pinned => (Some(id), "Pinned"),
        (_, Some(id), own) if Some(id) != own => {
            let unit = session.shown().unit(id);
            let aside = match unit.side == session.player() {
                true => "Ally",
                false if unit.is_up() => "Target",
                false => "Enemy",
            };
            (Some(id), aside)
        }
        (_, _, Some(id)) if asked.is_some() => (Some(id), "Can react"),
        // While others act, the acting unit matters more than the selected one.
        _ if actor.is_some() && !session.prompts_turn() => (actor, "Acts now"),
        (_, _, Some(id)) => (Some(id), "Selected"),
        _ => (actor, "Acts now"),
    };
    let short = match &preview.click {
        Click::Plan(draft) => falls_short(session, draft, plan_preview),
        _ => None,
    };
    let short_words = || Vec::from_iter(short.iter().map(|short| short.words.clone()));
    let click = |label: &str, goes_on: bool| {
        let how = if selection.by_keys { "Enter" } else { "Click" };
        // The player chooses more after the click.
        let more = if goes_on { " …" } else { "" };
        (format!("{how}: {label}{more}"), palette::TEAL)
    };
    let mut part = match &preview.click {
        _ if plays.is_some() => ClickEffect::Nothing,
        _ if looked_at.is_some_and(|id| Some(id) != pointed) => ClickEffect::Nothing,
        // While the whole plan is reviewed, no unit is selected.
        Click::Nothing
            if (selection.cursor.is_none() || subject.is_none() && session.held().is_some())
                && session.prompts_turn() =>
        {
            hint::hint(session, selection, preview)
        }
        Click::Nothing | Click::Choose(_) => ClickEffect::Nothing,
        Click::No(why) | Click::NoAttack(why) => {
            ClickEffect::No(why.clone(), selection.ink_of_refusal())
        }
        Click::Advance(advance) => {
            let risks = risks_of(session, preview, &advance.attack, &advance.way.provoked);
            ClickEffect::Attack(Box::new(Attack {
                first: Some(goes(session.shown().unit(advance.attack.by), &advance.way)),
                ..Attack::new(session, &advance.attack, advance.spread.clone(), risks)
            }))
        }
        Click::Attack(forecast) => {
            let act = preview.acts.iter().find(|a| a.has(forecast.choice.verb));
            let provoked = act.map_or(&[][..], |a| &a.provoked);
            let risks = risks_of(session, preview, forecast, provoked);
            ClickEffect::Attack(Box::new(Attack {
                ways: weapons(session, preview, forecast).len(),
                hands: better_hands(session, selection, preview, forecast),
                trades: preview.trades.clone(),
                ..Attack::new(session, forecast, preview.spread.clone(), risks)
            }))
        }
        Click::Plan(draft) => match (&draft.attack, draft.orders().first()) {
            (Some(forecast), _) => {
                // A low window has no space for a chart next to expected damage; a plan expected to
                // fail has no damage.
                let spread = match (forecast.mean, &short) {
                    (None, None) => preview.spread.clone(),
                    _ => Spread::default(),
                };
                ClickEffect::Attack(Box::new(Attack {
                    first: Some(planned(session, draft)),
                    is_plan: true,
                    fails: short.as_ref().is_some_and(|it| it.is_sure),
                    ways: draft.weapons.len(),
                    ..Attack::new(session, forecast, spread, short_words())
                }))
            }
            (None, first) => ClickEffect::Act(Box::new(ClickedAct {
                words: click(&draft.intent.label.to_lowercase(), false),
                // An order that names what to do is not left to the unit's turn.
                help: first
                    .filter(|first| {
                        let planning = session.queries.rules.planning;
                        !draft.intent.plan.aims() || !planning.leaves_open(first)
                    })
                    .map_or("", |first| session.queries.help(first.verb)),
                provoked: short_words(),
                calm: first.and_then(|first| session.queries.reassures(first)),
                odds: draft
                    .odds(session)
                    .iter()
                    .map(|o| with_name(session, o))
                    .collect(),
                ..default()
            })),
        },
        Click::Move(way) => ClickEffect::Act(Box::new(ClickedAct {
            words: (
                selection
                    .chosen
                    .map_or(String::new(), |id| goes(session.shown().unit(id), way)),
                palette::INK,
            ),
            fall: way.fall,
            provoked: {
                let mut lines = session.shown().provoked_lines(&way.provoked);
                let to = selection.chosen.zip(way.path.last().copied());
                if let (Some(to), Some(timeline)) = (to, &plan_preview.timeline) {
                    lines.extend(risks::of_move(session, timeline, to));
                }
                lines
            },
            calm: way
                .orders
                .last()
                .and_then(|last| session.queries.reassures(last)),
            exchanges: preview
                .exchanges
                .iter()
                .map(|e| there::ChancesThere::new(session, &way.shots, e))
                .collect(),
            ..default()
        })),
        Click::Act {
            label,
            seen,
            choice,
        }
        | Click::Aim {
            label,
            seen,
            choice,
            ..
        } => {
            let names = session.game.names();
            let label = match (&preview.click, choice.spell, choice.at) {
                (Click::Act { .. }, ..) => session.order_text(choice),
                // The chances below are those of this spell.
                (_, Some(spell), _) => format!("{} {}", label.to_lowercase(), names.spell(spell)),
                // If two units lie in one cell, the label names the target.
                (_, None, Some(at)) => format!("{} {}", label.to_lowercase(), names.name(at)),
                _ => label.to_lowercase(),
            };
            ClickEffect::Act(Box::new(ClickedAct {
                words: click(&label, matches!(preview.click, Click::Aim { .. })),
                help: session.queries.help(choice.verb),
                provoked: with_alerts(session, choice, &seen.provoked),
                calm: session.queries.reassures(choice),
                odds: seen.odds.iter().map(|o| with_name(session, o)).collect(),
                ..default()
            }))
        }
    };
    let planner = match (&preview.click, &part) {
        _ if plays.is_some() => None,
        (Click::Plan(draft), _) => Some(draft.who()),
        (_, ClickEffect::Nothing | ClickEffect::Hint(_)) => subject,
        _ => None,
    };
    let mut plan = match &preview.click {
        _ if plays.is_some() => vec![],
        // The attack's own lines already say why it is not expected to succeed.
        Click::Plan(_) if short.is_some() => vec![],
        Click::Plan(draft) if matches!(part, ClickEffect::Attack(_) | ClickEffect::Act(_)) => {
            plans::facts(session, plan_preview, draft.who())
        }
        _ => subject.map_or(vec![], |who| plans::facts(session, plan_preview, who)),
    };
    let failed = subject.filter(|who| {
        let asked = session.prompt();
        plays.is_none() && asked.is_some_and(|asked| asked.actors.contains(who))
    });
    let mut failures = session.intents().failures(session.round());
    if let Some(failure) = failures.rfind(|failure| Some(failure.who) == failed) {
        let why = capitalised(&failure.reason.text(session.game.names()));
        plan.insert(0, (format!("{why}: choose again"), palette::DANGER));
    }
    if preview.replaces && !matches!(part, ClickEffect::Nothing) {
        let words = "Click: change the order. U: restore it.";
        plan.insert(0, (words.to_owned(), palette::FADED_INK));
    }
    // What is known about a plan takes the place of charts.
    if let ClickEffect::Attack(attack) = &mut part
        && !plan.is_empty()
    {
        attack.trades.clear();
    }
    // The modifiers of a planned attack say what its ground does.
    let with_terrain = plan.is_empty() || !matches!(part, ClickEffect::Attack(_));
    let is_review = subject.is_none() && session.held().is_some();
    InspectModel {
        review: is_review.then(|| PlanReview::of(session, plan_preview)),
        plan,
        danger: planner.map_or(vec![], |who| {
            danger_after(session, preview, plan_preview, who)
        }),
        unit: subject.map(|id| {
            let mut unit = session.shown().unit(id).clone();
            unit.plan = session.plan_text(&unit);
            unit
        }),
        aside,
        figures: subject.map_or(vec![], |id| {
            let mut lines = session.queries.figures(id);
            lines.extend(handicap_line(session, id));
            lines
        }),
        traits: subject.map_or(vec![], |id| session.queries.traits(id)),
        figures_tip: session.queries.ruleset_ui.figures_tip,
        answer: preview
            .answer
            .clone()
            .filter(|a| plays.is_none() && !session.has_next() && Some(a.attack.by) == subject)
            .map(|a| (session.shown().unit(a.attack.at).name.clone(), a)),
        plays: plays.map(|plays| AttackLines::of(session, plays)),
        likely: None,
        is_low,
        turns: match part {
            ClickEffect::Attack(_) => vec![],
            // A low window has room for it only below a hint.
            _ if !session.prompts_turn() || is_low && !matches!(part, ClickEffect::Hint(_)) => {
                vec![]
            }
            _ => vec![
                ("Last enemy turn", enemy_turn::last_turn(session)),
                (Span::OwnTurn.heading(), enemy_turn::own_turn(session)),
            ],
        },
        part,
        also: subject.map_or(vec![], |id| {
            let shown = session.shown();
            let others = shown.others_in_cells_of(shown.unit(id));
            let name = |other: &UnitView| match other.state {
                State::Down => format!("{} (down)", other.name),
                State::Dead => format!("{} (dead)", other.name),
                _ => other.name.clone(),
            };
            others.map(name).collect()
        }),
        ground: selection.cursor.map_or(vec![], |cell| {
            ground_words(session, subject, (cell, with_terrain))
        }),
        pinned: selection.pinned,
    }
}

/// The enemies that could attack a unit of the player where its plan is expected to leave it, the
/// most dangerous first; without the one whose attack is on the card already.
fn danger_after(
    session: &Session,
    preview: &ActionPreview,
    plan_preview: &PlanPreview,
    who: Id,
) -> Vec<there::ChancesThere> {
    let timeline = plan_preview.timeline.as_ref();
    let last = timeline.and_then(|timeline| timeline.acts.iter().rfind(|act| act.who == who));
    let Some(&stand) = last.and_then(|act| act.path.last()) else {
        return vec![];
    };
    let draft = plan_preview.draft.as_ref().filter(|d| d.who() == who);
    let plan = PlannedAttack {
        who,
        orders: draft.map_or(&[][..], |draft| draft.orders()),
        stand,
        feet: draft.map_or(0, |draft| draft.intent.plan.feet),
    };
    let known = preview.answer.as_ref().map(|answer| answer.attack.by);
    let mut all = session
        .queries
        .exchanges_after(&plan, &enemies_of(session, who));
    let chance = |one: &Exchange| one.takes.or(one.comes).map(|shot| shot.percent);
    all.retain(|one| Some(one.enemy) != known && chance(one).is_some());
    all.sort_by_key(|one| Reverse(chance(one)));
    let line = |one: &Exchange| there::ChancesThere::new(session, &[], one);
    all.iter().map(line).collect()
}

/// The weapons that the player can choose for an attack that a click would make. Every unit has bare
/// hands, so they are a choice only if the attack uses them.
fn weapons(session: &Session, preview: &ActionPreview, attack: &AttackForecast) -> Vec<Item> {
    let Choice { at, with, .. } = attack.choice;
    let acts = preview.acts.iter().filter(|act| act.is_on);
    let ways = acts
        .flat_map(|act| act.choices())
        .filter(|way| way.at == at);
    let is_armed = |item: Item| is_armed(session, item);
    let items = ways.filter_map(|way| way.with);
    let mut items: Vec<Item> = items
        .filter(|&item| with == Some(item) || is_armed(item))
        .collect();
    items.sort_unstable();
    items.dedup();
    items
}

fn is_armed(session: &Session, item: Item) -> bool {
    session.game.weapon(item).make != Make::Unarmed
}

/// Why an attack uses bare hands although the unit has a weapon and the player chose none: what its
/// best armed attack would be. "Better than cudgel: 40% if it defends, 1d4+2: 3 to 6".
fn better_hands(
    session: &Session,
    selection: &Selection,
    preview: &ActionPreview,
    attack: &AttackForecast,
) -> Option<String> {
    let is_armed = |of: &AttackForecast| of.choice.with.is_some_and(|n| is_armed(session, n));
    if is_armed(attack) || selection.prefers.is_some() {
        return None;
    }
    let mut others = preview.attacks.iter().filter(|of| of.at == attack.at);
    let other = others.find(|&of| is_armed(of))?;
    let (weapon, (number, unit)) = (&other.weapon, other.lead());
    let damage = other.likely_damage();
    Some(format!("Better than {weapon}: {number} {unit}, {damage}"))
}

/// A plan in one line: what it is for and when it happens. A plan with several parts names its
/// unit: "Mara: plan to move at 20%, plan melee at 80%".
fn planned(session: &Session, draft: &OrderDraft) -> String {
    if let [one] = draft.orders() {
        let when = session.queries.odds(one);
        let when = when.iter().filter(|o| o.who.is_none()).map(OddsLine::words);
        let words: Vec<String> = [draft.intent.label.clone()]
            .into_iter()
            .chain(when)
            .collect();
        return capitalised(&words.join(", "));
    }
    let who = &session.shown().unit(draft.who()).name;
    format!("{who}: {}", session.orders_text(draft.orders()))
}

/// Why a plan is not expected to reach its target this round.
struct Shortfall {
    words: String,
    /// Whether the plan is not expected to succeed in any round.
    is_sure: bool,
}

/// Why a plan is not expected to reach its target this round; `None` if it does.
fn falls_short(
    session: &Session,
    draft: &OrderDraft,
    plan_preview: &PlanPreview,
) -> Option<Shortfall> {
    let who = draft.who();
    let planning = session.queries.rules.planning;
    let shares_cell = |world: &mut World| (planning.shares_cell)(world, who).is_some();
    // Known at once: the attack is made only if the target comes near by itself. In a shared cell,
    // the distance is not the reason.
    let walks_first = draft.attack.is_some()
        && draft.intent.plan.feet > 0
        && planning.walk_is_action
        && !session.queries.ask(shares_cell);
    let at_once = || {
        walks_first.then(|| Shortfall {
            words: no_walk_and_attack(session, draft),
            is_sure: false,
        })
    };
    let surely = |words: String| Shortfall {
        words: match walks_first {
            true => format!("{words}. {}", no_walk_and_attack(session, draft)),
            false => words,
        },
        is_sure: true,
    };
    let timeline = plan_preview.timeline.as_ref();
    let Some(timeline) = timeline.filter(|_| plan_preview.knows(draft)) else {
        return at_once();
    };
    let names = session.game.names();
    if let Some(reason) = timeline.failures.get(&who) {
        // With average dice it fails; whether it mostly does, and why, is known only once it is
        // simulated.
        let Some(simulation) = plan_preview.simulation.as_ref() else {
            return at_once();
        };
        let main = outcome::main_reason(simulation, who, names);
        let main = main.unwrap_or_else(|| {
            let by = Vec::from_iter(reason.by());
            reason.expected_text(names, &by)
        });
        return Some(match simulation.success_rate(who) {
            Some(rate @ 1..) => {
                let risk = outcome::main_failure(simulation, who, names);
                let risk = risk.unwrap_or_else(|| format!("Main risk: {main}"));
                Shortfall {
                    words: format!("Goes ahead: {rate}%. {risk}"),
                    is_sure: false,
                }
            }
            _ => surely(format!("Won't work as things stand: {main}")),
        });
    }
    let mut own = timeline.acts.iter().filter(|act| act.who == who).peekable();
    own.peek()?;
    if let Order::Move { to } = draft.intent.plan.order {
        let end = *own.rev().find_map(|act| act.path.last())?;
        let feet = 5 * cells_apart(end.into(), to.into());
        return (feet > 0).then(|| Shortfall {
            words: format!("Ends {feet} ft short of it this round"),
            is_sure: false,
        });
    }
    let at = draft.intent.at()?;
    let misses = own.all(|act| act.misses == Some(at));
    misses.then(|| {
        let name = &session.shown().unit(who).name;
        surely(format!("{name} only gets closer this round: no attack yet"))
    })
}

/// What a unit can do instead of an attack after a walk, where one turn has no time for both.
fn no_walk_and_attack(session: &Session, draft: &OrderDraft) -> String {
    let planning = session.queries.rules.planning;
    let target = draft.intent.at();
    let can_charge = target.is_some_and(|at| session.queries.charge(draft.who(), at).is_some());
    let charge = planning.charge.last().filter(|_| can_charge);
    let instead = charge.map_or(String::new(), |verb| {
        format!("{}, or ", uncapitalised(&session.queries.label(verb)))
    });
    format!("Can't walk and strike in one turn: {instead}move now and strike next round")
}

/// "HP bonus: +10%" (OP-03).
fn handicap_line(session: &Session, id: Id) -> Option<String> {
    let side = session.shown().unit(id).side;
    let points = session.game.level().sides.get(side.index())?.handicap;
    let percent = i32::from(points) * handicap::PERCENT;
    (points > 0).then(|| format!("HP bonus: +{percent}%"))
}

/// Adds the unit's name if the text does not contain it.
fn with_name(session: &Session, odds: &OddsLine) -> OddsLine {
    let name = odds.who.map(|id| &session.shown().unit(id).name);
    match name.filter(|name| !odds.text.to_lowercase().contains(&name.to_lowercase())) {
        Some(name) => OddsLine {
            text: format!("{name}: {}", odds.text),
            ..odds.clone()
        },
        None => odds.clone(),
    }
}

/// What matters to the player about a cell: its terrain, if that is wanted, and the items on the
/// ground. On the card of a unit that stands elsewhere, the first says that it is about the cell.
fn ground_words(
    session: &Session,
    subject: Option<Id>,
    (cell, with_terrain): (Cell, bool),
) -> Vec<String> {
    let (shown, names) = (session.shown(), session.game.names());
    let mut words: Vec<String> = vec![];
    for exit in session.game.level().exits.iter() {
        if exit.cells.contains(&cell) {
            let sides = exit.sides.iter();
            let sides = sides.map(|&side| names.side_in_line(side.into()));
            let sides = list(sides, "and");
            words.push(format!("Exit for {sides}: units here can leave the battle"));
        }
    }
    for next in session.arrivals() {
        let round = shown.clock.round;
        if next.is_near(round) && next.units.iter().any(|unit| unit.1 == cell) {
            let side = names.side_in_line(next.side);
            words.push(format!("Reinforcements of {side}: {}", next.words(round)));
        }
    }
    if let Some(ground) = shown.board.ground(cell) {
        let mut add = |holds: bool, said: &str| words.extend(holds.then(|| String::from(said)));
        add(ground.rough, "Rubble: costs double to enter");
        add(ground.water, "Water: costs double to enter");
        add(ground.climbable, "Climbable");
        add(matches!(ground.feature, Feature::LowWall), "Low wall, 3 ft");
        add(matches!(ground.feature, Feature::Window(_)), "Window");
        add(matches!(ground.feature, Feature::Slit(_)), "Arrow slit");
        add(matches!(ground.feature, Feature::Pillar), "Pillar");
        let door = shown.board.door(cell);
        add(door == Some(true), "Open door");
        add(door == Some(false), "Closed door");
        if ground.floor != 0 {
            words.push(format!("{} ft", signed(ground.floor)));
        }
        let fog = shown.board.fog(cell);
        if fog > 0 {
            let is_dark = session.game.level().light.is_dark();
            let why = if is_dark { "Dark" } else { "Hazy" };
            words.push(format!("{why}: {fog}% concealed"));
        }
    }
    if !with_terrain {
        words.clear();
    }
    let things = shown.ground.iter().filter(|g| g.0 == cell);
    let things: Vec<&str> = things.map(|g| names.item(g.1)).collect();
    if !things.is_empty() {
        words.push(format!("On the ground: {}", things.join(", ")));
    }
    let is_elsewhere = |id| shown.unit(id).space().cells().all(|own| own != cell);
    if let Some(first) = words.first_mut()
        && subject.is_some_and(is_elsewhere)
    {
        first.insert_str(0, "Pointed cell: ");
    }
    words
}

/// The attacks that may come before an attack, and what else it sets off, in sentences.
fn risks_of(
    session: &Session,
    preview: &ActionPreview,
    attack: &AttackForecast,
    provoked: &[Provoked],
) -> Vec<String> {
    let first = preview.interrupts.iter().cloned();
    let others = with_alerts(session, &attack.choice, provoked);
    first.chain(others).collect()
}

/// The attacks that an action provokes, and what else it sets off, in sentences.
fn with_alerts(session: &Session, choice: &Choice, provoked: &[Provoked]) -> Vec<String> {
    let mut lines = session.shown().provoked_lines(provoked);
    let caught = in_area(session, choice).map(|(others, _)| others);
    lines.extend(caught.into_iter().flatten().map(caught_line));
    lines.extend(session.queries.alerts(choice));
    lines
}

/// Shows the terrain and the items of the pointed cell.
fn show_ground(card: &mut ChildSpawnerCommands, model: &InspectModel) {
    if !model.ground.is_empty() {
        card.spawn(gap());
        card.spawn(faded(model.ground.join(". ")));
    }
}

fn show_hint(card: &mut ChildSpawnerCommands, lines: &[CowStr]) {
    card.spawn(gap());
    for line in lines {
        card.spawn(faded(line.clone()));
    }
}

fn show(card: &mut ChildSpawnerCommands, icons: &mut SmallPictures, model: &InspectModel) {
    let Some(unit) = &model.unit else {
        match &model.review {
            Some(review) => review.show(card),
            None => {
                let words = "No unit selected";
                card.spawn(text(words, TextStyle::Heading, palette::FADED_INK));
            }
        }
        if let ClickEffect::Hint(lines) = &model.part {
            show_hint(card, lines);
        }
        return show_ground(card, model);
    };
    card.spawn_with(row(10.0), |top| {
        top.spawn(icons.portrait(unit, PORTRAIT));
        let names = column(0.0).min_width(px(0)).grow();
        top.spawn_with(names, |names| {
            names.spawn_with(row(8.0), |line| {
                line.spawn(text(unit.name.clone(), TextStyle::Heading, palette::INK));
                line.spawn(spacer());
                line.spawn(faded(model.aside));
            });
            if let Some(first) = model.figures.first() {
                let words = text(first.clone(), TextStyle::Label, palette::INK);
                match model.figures_tip {
                    "" => names.spawn(words),
                    tip => names.spawn(tipped(words, Tip::text(tip))),
                };
            }
        });
    });
    card.spawn(rule());
    let state = match unit.state {
        State::Down => Some("Down"),
        State::Dead => Some("Dead"),
        State::Fled => Some("Left the battle"),
        State::Waiting => Some("Not arrived yet"),
        State::Up => None,
    };
    let has_plan = !model.plan.is_empty();
    // With an attack on the card there is little space for figures.
    let is_attack = matches!(model.part, ClickEffect::Attack(_));
    let most = match (is_attack, &model.answer) {
        (true, _) => 0,
        (false, Some(_)) => 3,
        (false, None) => usize::MAX,
    };
    // The board already draws the prediction; the card adds it if there is space, and always when
    // pinned.
    if let Some(likely) = model.likely.as_ref().filter(|_| !is_attack) {
        prediction(card, likely);
    }
    let figures = model.figures.iter().skip(1).take(most);
    card.lines(figures, TextStyle::Body, palette::FADED_INK);
    if !model.traits.is_empty() && most > model.figures.len().saturating_sub(1) {
        let all = model.traits.iter().map(|one| &*one.text);
        let line = capitalised(&all.collect::<Vec<_>>().join(", "));
        let tip = model.traits.iter().fold(Tip::default(), |tip, one| {
            let TraitWords {
                text,
                meaning,
                rule,
            } = one;
            tip.small(format!("{}: {meaning} ({rule})", capitalised(text)))
        });
        let line = text(line, TextStyle::Body, palette::FADED_INK);
        card.spawn(tipped(line, tip));
    }
    if let Some(words) = state {
        card.spawn(text(words, TextStyle::Small, palette::DANGER));
    }
    if let Some(plan) = &unit.round {
        round::show_plan(card, icons, plan);
    } else if !unit.plan.is_empty() {
        let words = capitalised(&unit.plan);
        card.spawn(text(words, TextStyle::Small, palette::TEAL));
    }
    let is_said = |words: &CowStr| state.is_some_and(|said| *words == *said);
    for condition in unit.conditions.iter().filter(|c| !is_said(&c.words)) {
        let ink = tone(condition.badge.tone);
        card.spawn(text(condition.words.clone(), TextStyle::Small, ink));
    }
    if !model.also.is_empty() {
        card.spawn(faded(format!("Also here: {}", model.also.join(", "))));
    }
    show_ground(card, model);
    if let Some(lines) = &model.plays {
        card.spawn(gap());
        lines.show(card);
    }
    let answer = model
        .answer
        .as_ref()
        .map(|(at, answer)| (at.as_str(), answer));
    match &model.part {
        ClickEffect::Nothing => {}
        ClickEffect::Hint(lines) => {
            show_hint(card, lines);
        }
        ClickEffect::No(why, ink) => {
            card.spawn(gap());
            prose(card, why, TextStyle::Body, *ink);
        }
        ClickEffect::Act(act) => {
            card.spawn(gap());
            let (words, ink) = &act.words;
            card.spawn(text(words.clone(), TextStyle::Body, *ink));
            if act.fall > 0 {
                let words = format!("falls {} ft", act.fall);
                card.spawn(text(words, TextStyle::Body, palette::DANGER));
            }
            if !act.help.is_empty() {
                card.spawn(faded(act.help));
            }
            chances(card, &act.odds);
            warnings(card, &act.provoked);
            if let Some(calm) = act.calm {
                card.spawn(faded(calm));
            }
            there::table(card, icons, (&act.exchanges, true, there::MAX_LINES));
        }
        ClickEffect::Attack(attack) => {
            if let Some(first) = &attack.first {
                card.spawn(gap());
                let words = match attack.is_plan {
                    true => first.clone(),
                    false => format!("{first}, then attacks"),
                };
                card.spawn(text(words, TextStyle::Body, palette::TEAL));
            }
            let is_low = has_plan || model.is_low && model.likely.is_some() && answer.is_some();
            // The enemy's attack takes one line; a pinned card shows it in full.
            let is_whole = model.pinned && !attack.is_plan;
            let whole = answer.filter(|_| is_whole);
            attack::breakdown(card, icons, (attack, is_low), whole);
            if let (Some((at, answer)), false) = (answer, is_whole) {
                if !has_plan || !model.is_low {
                    card.spawn(rule());
                }
                attack::answer_line(card, at, answer);
            }
        }
    }
    if let (Some((at, answer)), false) = (answer, is_attack) {
        match has_plan {
            true => {
                card.spawn(rule());
                attack::answer_line(card, at, answer);
            }
            false => attack::answer(card, icons, at, answer),
        }
    }
    // The most important facts come first. Where there is little room, the facts of a plan, such as
    // its risks, matter more than the enemies that could attack the unit afterwards.
    let dangers = match (is_attack, model.is_low) {
        (true, true) => 0,
        (false, true) if model.plan.len() > FEW_FACTS => 0,
        (false, true) => 2,
        (_, false) => there::MAX_LINES,
    };
    let has_danger = dangers > 0 && !model.danger.is_empty();
    let most = match (is_attack, model.is_low) {
        (true, true) => 1,
        (true, false) => 2,
        (false, true) => 6,
        (false, false) => usize::MAX,
    };
    if has_plan {
        if !is_attack || !model.is_low {
            card.spawn(gap());
        }
        for (words, ink) in model.plan.iter().take(most) {
            card.spawn(text(words.clone(), TextStyle::Small, *ink));
        }
    }
    if has_danger {
        match is_attack {
            true => there::sentence(card, &model.danger),
            false => there::table(card, icons, (&model.danger, false, dangers)),
        }
    }
    for (heading, lines) in model.turns.iter().filter(|turn| !turn.1.is_empty()) {
        card.spawn(gap());
        card.spawn(rule());
        card.spawn(text(*heading, TextStyle::Strong, palette::INK));
        card.lines(lines, TextStyle::Body, palette::INK);
    }
    // Last on the card: it arrives later and must not move a link that is being clicked.
    if let Some(likely) = model.likely.as_ref().filter(|_| is_attack && model.pinned) {
        prediction(card, likely);
    }
    if model.pinned {
        let words = "Pinned: click the map or press Esc to unpin.";
        card.spawn(gap());
        card.spawn(text(words, TextStyle::Small, palette::TEAL));
    }
}

/// "Mara moves 15 ft, uses Move". The label at the end of the path adds what the ground costs.
fn goes(by: &UnitView, way: &Way) -> String {
    let price = match way.price.is_empty() {
        true => String::new(),
        false => format!(", {}", way.price),
    };
    let moves = if by.is_prone { "crawls" } else { "moves" };
    format!("{} {moves} {} ft{price}", by.name, Cell::length(&way.path))
}

/// What an enemy is likely to do, and how sure that is.
fn prediction(card: &mut ChildSpawnerCommands, words: &str) {
    let tip = "What happens before its turn can change it. Rare actions are not listed.";
    let words = text(words.to_owned(), TextStyle::Small, palette::DANGER);
    card.spawn(tipped(words, Tip::text(tip)));
}

fn gap() -> impl Bundle {
    rigid(Node::default().height(px(6)))
}

/// Checks, saves and other odds of an action.
fn chances(card: &mut ChildSpawnerCommands, odds: &[OddsLine]) {
    for odds in odds {
        card.spawn_with(row(6.0), |line| {
            let words = text(odds.text.clone(), TextStyle::Body, palette::INK);
            line.spawn((Node::default(), children![words]));
            rule_link(line, odds.rule);
            line.spawn(spacer());
            if let Some(percent) = odds.percent {
                let percent = format!("{percent}%");
                line.spawn(text(percent, TextStyle::Strong, palette::TEAL));
            }
        });
    }
}

fn warnings(card: &mut ChildSpawnerCommands, provoked: &[String]) {
    card.lines(provoked, TextStyle::Body, palette::DANGER);
}

/// The ink for a good or bad condition.
pub(super) fn tone(tone: Tone) -> Rgb {
    match tone {
        Tone::Bad => palette::DANGER,
        Tone::Good => palette::TEAL,
        Tone::Mixed => palette::FADED_INK,
    }
}
