//! The turn track: who acts when, from left to right.

use super::SmallPictures;
use crate::{
    battle::{CowStr, Id, Moment, TrackMark, TrackPart, TrackTime, capitalised},
    ui::{
        Command, Selection, Session,
        art::{
            hud::Panel,
            icons::Icon,
            palette,
            tokens::{Base, Chip},
        },
        input::Key,
        pictures::SmallPicture,
        places::TrackPlace,
        preview::{
            PlanPreview, PreviewedMoment,
            timeline::{PlannedAct, RoundTimeline},
        },
        theme::{TextStyle, colour, text},
        tokens,
        widgets::{NodeExt, SpawnWith, Tip, bar, column, rigid, row, sized},
    },
};
use bevy::{picking::hover::Hovered, prelude::*};

/// Previews the board at the hovered part of the round while the left mouse button is held; a click
/// on a part without preview replays the last round.
pub fn preview_part(
    parts: Query<(&PreviewFrame, &Hovered)>,
    rewatches: Query<&Hovered, With<ReplaysRound>>,
    mut out: MessageWriter<Command>,
    buttons: Res<ButtonInput<MouseButton>>,
    mut previewed: ResMut<PreviewedMoment>,
    mut is_held: Local<bool>,
) {
    let pointed = parts.iter().find(|(_, hovered)| hovered.get());
    if buttons.just_pressed(MouseButton::Left) {
        *is_held = pointed.is_some();
        if rewatches.iter().any(Hovered::get) {
            out.write(Command::Rewatch);
        }
    }
    if !buttons.pressed(MouseButton::Left) {
        if std::mem::take(&mut *is_held) {
            previewed.set_if_neq(PreviewedMoment(None));
        }
    } else if let Some((then, _)) = pointed.filter(|_| *is_held) {
        previewed.set_if_neq(PreviewedMoment(Some(then.0)));
    }
}

/// Shows the details of this unit while the entity is hovered.
#[derive(Component)]
#[require(Hovered)]
pub struct InspectsUnit(pub Id);

/// A part of the round on the track.
#[derive(PartialEq, Default)]
pub struct RoundPart {
    of: TrackPart,
    chips: Vec<Token>,
    /// Tokens that do not depend on the draft under the cursor: the box keeps its width while the
    /// player looks around.
    fixed: usize,
    /// Whether the part is only a prediction.
    is_guess: bool,
    /// Index of its preview frame; `None` if the board would look the same.
    frame: Option<usize>,
    /// Whether a click replays the last round.
    rewatches: bool,
}

impl RoundPart {
    /// Whether it is a phase, which is drawn as a box. A part without a label is a turn: tokens
    /// with an arrow to the next turn.
    pub fn is_phase(&self) -> bool {
        !self.of.label.is_empty()
    }
}

/// A part of the track without preview, while there is a round to replay.
#[derive(Component)]
pub struct ReplaysRound;

/// A part of the track with a preview, which the board shows while the mouse button is held on it.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub struct PreviewFrame(pub usize);

/// A unit on the track.
#[derive(PartialEq)]
struct Token {
    of: TrackMark,
    name: String,
    chip: Chip,
    is_chosen: bool,
    /// Whether it belongs to the draft under the cursor.
    is_ghost: bool,
}

/// The parts of the turn track: those of the display world, with the expected actions.
pub fn parts(
    session: &Session,
    selection: &Selection,
    plan_preview: &PlanPreview,
) -> Vec<RoundPart> {
    let mut parts = known(session, selection);
    if let Some(timeline) = &plan_preview.timeline {
        add_round(&mut parts, session, plan_preview, timeline);
    }
    parts
}

/// The index at which to insert a part, by its count: counts rise or fall as in the expected
/// timeline. `None` if it has no count or comes last.
fn place_of(when: &Moment, parts: &[RoundPart], timeline: &RoundTimeline) -> Option<usize> {
    let own = when.count?;
    let mut counts = timeline.frames.iter().filter_map(|f| f.when.count);
    let first = counts.next()?;
    let falls = counts.next_back().is_some_and(|last| last < first);
    let is_later = |part: &RoundPart| {
        let count = part.of.count;
        count.is_some_and(|other| if falls { other < own } else { other > own })
    };
    parts.iter().position(is_later)
}

/// Adds the expected actions at their places in the round.
fn add_round(
    parts: &mut Vec<RoundPart>,
    session: &Session,
    plan_preview: &PlanPreview,
    timeline: &RoundTimeline,
) {
    let mut after: Option<usize> = None;
    let frames = timeline.frames.iter().enumerate();
    let moments = frames.map(|(n, frame)| (&frame.when, Some(n)));
    // Actions that need no decision have no preview frame.
    let is_at = |act: &PlannedAct, when: &Moment| act.when.label == when.label;
    let is_unasked = |act: &&PlannedAct| timeline.frames.iter().all(|f| !is_at(act, &f.when));
    let unasked = timeline.acts.iter().filter(is_unasked);
    let unasked = unasked.map(|act| (&act.when, None));
    for (when, frame) in moments.chain(unasked) {
        let found = parts.iter().position(|p| p.of.label == when.label);
        let mut actions = timeline.acts.iter().filter(|d| is_at(d, when));
        let place = match found {
            Some(place) => place,
            None if actions.clone().next().is_none() => continue,
            None => {
                let place = match frame {
                    Some(_) => after.map_or(0, |n| n + 1).min(parts.len()),
                    None => place_of(when, parts, timeline).unwrap_or(parts.len()),
                };
                let part = RoundPart {
                    of: TrackPart {
                        label: when.label.clone().into(),
                        count: when.count,
                        tip: format!("{}, with average dice", when.name).into(),
                        ..default()
                    },
                    is_guess: true,
                    ..default()
                };
                parts.insert(place, part);
                place
            }
        };
        after = Some(place);
        let part = &mut parts[place];
        let differs = |n: &usize| timeline.frames[*n].differs_from(&session.shown().units);
        part.frame = frame.filter(differs).or(part.frame);
        let mut known: Vec<Id> = part.chips.iter().map(|c| c.of.who).collect();
        for action in actions.by_ref() {
            let what = in_step(action).into();
            let is_ghost = plan_preview.is_draft(action.who);
            if known.contains(&action.who) {
                if let Some(chip) = part.chips.iter_mut().find(|c| c.of.who == action.who) {
                    chip.of.what = what;
                    chip.is_ghost |= is_ghost;
                }
                continue;
            }
            known.push(action.who);
            part.fixed += usize::from(!is_ghost);
            let unit = session.shown().unit(action.who);
            part.chips.push(Token {
                of: TrackMark {
                    what,
                    ..TrackMark::new(action.who)
                },
                name: unit.name.clone(),
                chip: tokens::chip(unit, false),
                is_chosen: false,
                is_ghost,
            });
        }
    }
}

/// "Missiles: throw hand axe at goblin 1", if a part has steps.
fn in_step(action: &PlannedAct) -> String {
    match &*action.when.step {
        "" => action.what.clone(),
        step => format!("{}: {}", capitalised(step), action.what),
    }
}

/// The parts of the turn track that the ruleset lists, without predictions.
fn known(session: &Session, selection: &Selection) -> Vec<RoundPart> {
    let shown = session.shown();
    let selected = session.asked_member().or(selection.chosen);
    let selected = selected.filter(|_| session.question().is_some());
    let stops = shown.clock.track.iter();
    stops
        .map(|stop| {
            let chips = stop.marks.iter().map(|mark| {
                let unit = shown.unit(mark.who);
                let is_over = stop.when == TrackTime::Past || !unit.is_up();
                let done = mark.done || is_over || stop.when == TrackTime::Now && unit.done;
                Token {
                    of: mark.clone(),
                    name: unit.name.clone(),
                    chip: tokens::chip(unit, done),
                    is_ghost: false,
                    is_chosen: selected == Some(mark.who),
                }
            });
            RoundPart {
                of: stop.clone(),
                chips: chips.collect(),
                fixed: stop.marks.len(),
                rewatches: session.can_rewatch(),
                ..default()
            }
        })
        .collect()
}

/// The number of tokens for which a box gets wider; it clips or shrinks further ones.
const MAX: usize = 10;
/// Space for all tokens together if the parts have boxes, in layout pixels.
const ROOM: f32 = 500.0;
/// Space for all tokens together without boxes, in layout pixels.
const NARROW: f32 = 400.0;

/// Tooltip of a part with preview.
const AHEAD: &str = "Press and drag to preview the board, if no enemy acts";

/// Tooltip of a part without preview.
const REWATCH: &str = "Click to replay the last round";

/// Spawns the track, which takes the space left in the bar.
pub fn show(bar: &mut ChildSpawnerCommands, icons: &mut SmallPictures, parts: &[RoundPart]) {
    let chips: usize = parts.iter().map(|p| p.chips.len()).sum();
    let boxes = parts.iter().filter(|p| p.is_phase()).count();
    // Many tokens get smaller rather than run into the buttons.
    let room = match boxes {
        0 => NARROW,
        n => ROOM - 14.0 * n as f32,
    };
    // The dots for steps leave less space.
    let has_steps = parts.iter().any(|p| !p.of.inner.is_empty());
    let most = match boxes {
        0 => 32.0,
        _ if has_steps => 14.0,
        _ => 22.0,
    };
    let size = (room / chips.max(1) as f32 - 4.0).clamp(12.0, most);
    let node = Node {
        flex_grow: 1.0,
        flex_basis: px(0),
        // The bar is never higher for a long track.
        min_width: px(0),
        overflow: Overflow::clip_x(),
        // Space for the ring around a token.
        padding: UiRect::axes(px(5), px(0)),
        ..row(if boxes > 0 { 3.0 } else { 10.0 })
    };
    bar.spawn_with((node, TrackPlace), |track| {
        for (n, part) in parts.iter().enumerate() {
            if !part.is_phase() {
                if n > 0 {
                    let arrow = SmallPicture::Icon(Icon::ArrowRight, palette::FADED_INK);
                    track.spawn(icons.square(arrow, 14.0));
                }
                // Lets the tokens shrink further if space is still short.
                let chips = row(4.0).min_width(px(0));
                track.spawn_with(chips, |chips| {
                    tokens_of(chips, icons, part, size);
                });
            } else {
                if let Some(before) = n.checked_sub(1) {
                    ticks(track, &parts[before], part);
                }
                box_of(track, icons, part, size);
            }
        }
    });
}

/// Most ticks drawn between two parts.
const TICKS: u32 = 6;

/// Draws a tick for each count without actions between two boxes, so that the track reads as an
/// axis.
fn ticks(track: &mut ChildSpawnerCommands, before: &RoundPart, part: &RoundPart) {
    let Some((a, b)) = before.of.count.zip(part.of.count) else {
        return;
    };
    for _ in 1..a.abs_diff(b).min(TICKS + 1) {
        track.spawn((
            sized(1.0, 9.0),
            BackgroundColor(colour(palette::FADED_INK)),
            Pickable::IGNORE,
        ));
    }
}

/// Diameter of the dot of a step, in layout pixels.
const DOT: f32 = 6.0;

/// Spawns a dot for each step within a part.
fn dots(line: &mut ChildSpawnerCommands, inner: &[(CowStr, TrackTime)]) {
    for (_, when) in inner {
        let (ground, edge) = match when {
            TrackTime::Past => (palette::PALE_INK, palette::PALE_INK),
            TrackTime::Now => (palette::GOLD, palette::INK),
            TrackTime::Later => (palette::CARD, palette::FADED_INK),
        };
        line.spawn((
            sized(DOT, DOT).border(1.0).rounded(BorderRadius::MAX),
            BackgroundColor(colour(ground)),
            BorderColor::all(colour(edge)),
            Pickable::IGNORE,
        ));
    }
}

/// Share of the strip that a box takes. A phase with steps is in every round, so its box has a
/// fixed share as long as its tokens fit.
fn share_of(part: &RoundPart) -> f32 {
    const FIXED: usize = 4;
    match part.of.inner.is_empty() {
        false => 3.0 + part.fixed.saturating_sub(FIXED) as f32,
        true => 2.0 + part.fixed.saturating_sub(1) as f32,
    }
}

/// Spawns a part with a label: the current one gold, past ones pale.
fn box_of(
    track: &mut ChildSpawnerCommands,
    icons: &mut SmallPictures,
    part: &RoundPart,
    size: f32,
) {
    let (panel, ink) = match part.of.when {
        TrackTime::Past => (Panel::CardPale, palette::PALE_INK),
        TrackTime::Now => (Panel::CardActive, palette::INK),
        TrackTime::Later => (Panel::CardLight, palette::FADED_INK),
    };
    let node = Node {
        flex_grow: share_of(part),
        flex_basis: px(0),
        max_width: px(170.0_f32.max((size + 3.0) * part.chips.len().min(MAX) as f32 + 11.0)),
        min_height: px(44),
        align_items: AlignItems::Center,
        padding: UiRect::axes(px(3), px(0)),
        border: UiRect::all(px(1.4)),
        border_radius: BorderRadius::all(px(5)),
        ..column(0.0)
    };
    let line = BorderColor::all(match part.of.when {
        TrackTime::Now => colour(palette::GOLD),
        _ if part.is_guess => colour(palette::TEAL),
        _ => colour(palette::CARD_PALE.mix(palette::INK, 0.35)),
    });
    let TrackPart {
        label, tip, inner, ..
    } = &part.of;
    let words = if tip.is_empty() { label } else { tip };
    let mut tip = Tip::text(words.clone());
    for (step, when) in inner {
        let ink = match when {
            TrackTime::Past => palette::PALE_INK,
            TrackTime::Now => palette::TEAL,
            TrackTime::Later => palette::FADED_INK,
        };
        tip = tip.line(step.clone(), TextStyle::Small, ink);
    }
    if part.frame.is_some() {
        tip = tip.line(AHEAD, TextStyle::Small, palette::FADED_INK);
    } else if part.rewatches {
        tip = tip
            .line(REWATCH, TextStyle::Small, palette::FADED_INK)
            .key(Key::Rewatch);
    }
    let ground = BackgroundColor(colour(panel.background()));
    let mut spawned = track.spawn((node, ground, line, tip));
    if let Some(frame) = part.frame {
        spawned.insert(PreviewFrame(frame));
    } else if part.rewatches {
        spawned.insert(ReplaysRound);
    }
    spawned.with_children(|part_of| {
        part_of.spawn(text(label.clone(), TextStyle::Small, ink));
        if !inner.is_empty() {
            // The dots say how far the current part is; the space for them stays.
            let is_under_way = inner.iter().any(|step| step.1 == TrackTime::Now);
            let inner = if is_under_way { &inner[..] } else { &[] };
            let line = rigid(row(3.0).min_height(px(DOT)));
            part_of.group(line, |line| dots(line, inner));
        }
        let chips = Node {
            width: percent(100),
            min_width: px(0),
            justify_content: JustifyContent::Center,
            // The ring around a token must not cover the dots, nor be cut at a side.
            margin: UiRect::top(px(RING)),
            padding: UiRect::horizontal(px(RING)),
            overflow: Overflow::clip_x(),
            ..row(3.0)
        };
        part_of.group(chips, |chips| tokens_of(chips, icons, part, size));
    });
}

/// Width of the ring around a token, in layout pixels.
const RING: f32 = 2.5;
/// Height of the bar for a share, in layout pixels.
const SHARE: f32 = 5.0;

/// Spawns the tokens of a part, `size` layout pixels high.
fn tokens_of(
    chips: &mut ChildSpawnerCommands,
    icons: &mut SmallPictures,
    part: &RoundPart,
    size: f32,
) {
    for token in &part.chips {
        // A token with a share bar keeps the total height of the others, so that the board does not
        // move.
        let size = size - token.of.share.map_or(0.0, |_| SHARE + 1.0);
        let image = icons.get(SmallPicture::Chip(token.chip), size);
        let mut tip = Tip::default().line(token.name.clone(), TextStyle::Strong, palette::INK);
        for words in [&token.of.what, &token.of.why] {
            if !words.is_empty() {
                tip = tip.small(words.clone());
            }
        }
        let chip = (
            ImageNode::new(image),
            Node {
                width: px(size),
                min_width: px(0),
                aspect_ratio: Some(1.0),
                border_radius: match token.chip.base {
                    Base::Round => BorderRadius::MAX,
                    _ => BorderRadius::all(px(size * 0.25)),
                },
                ..default()
            },
            Outline {
                width: px(match token.is_chosen || token.is_ghost {
                    true => RING,
                    false => 0.0,
                }),
                offset: px(0),
                color: colour(match token.is_ghost {
                    true => palette::TEAL,
                    false => palette::GOLD,
                }),
            },
            InspectsUnit(token.of.who),
            tip,
        );
        let Some(share) = token.of.share else {
            chips.spawn(chip);
            continue;
        };
        chips.group(column(1.0), |pile| {
            pile.spawn(chip);
            let foot = column(0.0).width(px(size));
            pile.spawn((
                foot,
                Pickable::IGNORE,
                children![bar(f32::from(share) / 100.0, palette::OCHRE, SHARE)],
            ));
        });
    }
}
