//! The coach card, and where the coach points: frames around cells and buttons, and an
//! arrow. Only the card itself takes pointer input.

use super::{Coach, CoachButton, id, lesson};
use crate::{
    battle::Id,
    grid::Space,
    levels::{LessonMark, Panel as Part, Until},
    ui::{
        Command, Phase, Screen, Selection, Session,
        art::{hud::Panel, icons::Icon, palette},
        board::MapView,
        codex::{CodexCommand, prose},
        hud::{InspectCard, LogCard, SmallPictures},
        modal,
        pictures::SmallPicture,
        places::{BoardArea, LessonPlace, OverBoard},
        redraw::KeepRedrawing,
        theme::{TextStyle, colour, faded, text},
        widgets::{
            NodeExt, SendOnPress, SpawnWith, button, card, column, despawn_all, panel_style, rigid,
            row, wide_column,
        },
    },
};
use bevy::{ecs::query::QueryData, prelude::*, ui::UiGlobalTransform, ui_widgets::ScrollArea};

pub(super) fn plugin(app: &mut App) {
    app.add_systems(
        Update,
        (show.run_if(is_news), frames)
            .chain()
            .in_set(Phase::Draw)
            .run_if(in_state(Screen::Battle)),
    );
}

fn is_news(
    coach: Res<Coach>,
    session: Option<Res<Session>>,
    laid_out: Query<(), Added<LessonPlace>>,
    mut was_over: Local<bool>,
) -> bool {
    let is_over = session.is_some_and(|s| s.game.is_over());
    let has_ended = std::mem::replace(&mut *was_over, is_over) != is_over;
    // A battle that begins changes the coach.
    coach.is_changed() || has_ended || !laid_out.is_empty()
}

/// The coach card, or the button that reopens it.
#[derive(Component)]
pub struct CoachCard;

/// A frame or the arrow.
#[derive(Component)]
#[require(DespawnOnExit<Screen> = DespawnOnExit(Screen::Battle))]
struct Pointer;

/// The arrow.
#[derive(Component)]
struct Arrow;

/// How far the arrow moves up and down, in layout pixels.
const BOB: f32 = 4.0;

fn show(
    session: Option<Res<Session>>,
    coach: Res<Coach>,
    area: Option<Single<Entity, With<BoardArea>>>,
    place: Option<Single<Entity, With<LessonPlace>>>,
    old: Query<Entity, With<CoachCard>>,
    mut commands: Commands,
) {
    despawn_all(&mut commands, &old);
    let (Some(session), Some(area), Some(place)) = (session, area, place) else {
        return;
    };
    let Some(all) = &session.game.level().lesson else {
        return;
    };
    let node = Node::default().at(0.0, 0.0);
    if coach.is_closed {
        let open = button(Panel::Button, node.padding(12.0, 4.0));
        let words = text("Lesson", TextStyle::Label, palette::INK);
        let card = (CoachCard, OverBoard, ChildOf(*area));
        commands.spawn((card, open, CoachButton::Open, children![words]));
        return;
    }
    let node = rigid(card().in_row(18.0).min_height(px(MIN)).max_height(px(MAX)));
    let card = (CoachCard, ChildOf(*place), node);
    let mut whole = commands.spawn((card, panel_style(Panel::CardActive)));
    whole.with_children(|card| {
        let step = all.steps.get(coach.step);
        let words = match step {
            Some(step) => step.text.as_str(),
            None if session.game.is_over() => {
                "You have learned everything in this lesson, and the battle is over."
            }
            None => "You have learned everything in this lesson. Finish the battle as you like.",
        };
        let explains = coach.explains.as_deref();
        let words = explains.and_then(|act| all.explains(act)).unwrap_or(words);
        // Very large text scrolls; the buttons stay visible.
        let body = wide_column(2.0).scrolling();
        card.spawn_with((body, ScrollArea), |body| {
            // Only what the player has to undo is a warning.
            body.lines(&coach.news, TextStyle::Small, palette::FADED_INK);
            body.lines(&coach.stuck, TextStyle::Small, palette::DANGER);
            prose(body, words, TextStyle::Body, palette::INK);
        });
        let place = match step {
            _ if coach.explains.is_some() => String::from("New"),
            Some(_) => format!("Step {} of {}", coach.step + 1, all.steps.len()),
            None => String::from("All done"),
        };
        let side = rigid(column(6.0).align(AlignItems::End));
        card.spawn_with(side, |side| {
            side.spawn(faded(place));
            side.spawn_with(row(6.0), |foot| {
                if coach.explains.is_some() {
                    let panel = Panel::ButtonPrimary;
                    return small(foot, "Got it", panel, CoachButton::Understood);
                }
                if coach.step > 0 {
                    small(foot, "Back", Panel::Button, CoachButton::Back);
                }
                if let Some(step) = step {
                    let panel = match step.until {
                        None => Panel::ButtonPrimary,
                        Some(_) => Panel::Button,
                    };
                    small(foot, "Next", panel, CoachButton::Next);
                }
            });
            small(side, "Close", Panel::Button, CoachButton::Close);
        });
    });
}

/// Minimum height of the card, in layout pixels. Every step of the built-in lessons fits at
/// the standard text size, so the board below keeps its size from step to step.
const MIN: f32 = 102.0;
/// Maximum height of the card with larger text, in layout pixels.
const MAX: f32 = 210.0;

fn small(foot: &mut ChildSpawnerCommands, words: &str, panel: Panel, does: CoachButton) {
    let node = Node::default().padding(10.0, 2.0);
    let words = text(words, TextStyle::Label, panel.text());
    foot.spawn((button(panel, node), does, children![words]));
}

/// A part of the window, other than the board, that a step can point at.
#[derive(QueryData)]
struct WindowPart {
    node: &'static ComputedNode,
    place: &'static UiGlobalTransform,
    command: Option<&'static SendOnPress<Command>>,
    codex: Option<&'static SendOnPress<CodexCommand>>,
    is_card: Has<InspectCard>,
    is_log: Has<LogCard>,
}

/// A place that the step points at, in window pixels.
#[derive(PartialEq)]
struct PointedArea {
    rect: Rect,
    /// Whether the place is on the map. Other places are parts of the window, where an
    /// arrow would cover a neighbouring part.
    is_on_map: bool,
}

/// All places that the current step points at.
fn places(
    session: &Session,
    selection: &Selection,
    coach: &Coach,
    view: &MapView,
    parts: &Query<WindowPart>,
) -> Vec<PointedArea> {
    let Some(step) = lesson(session, coach).and_then(|l| l.steps.get(coach.step)) else {
        return vec![];
    };
    let area = |rect: Rect, is_on_map: bool| PointedArea { rect, is_on_map };
    let on_map = |space: Space| area(view.rect(space), true);
    let of_window = |rect: Rect| area(rect, false);
    let mut out = vec![];
    // First the unit that the step is for, until it is selected: a click on a marked cell would
    // send another one.
    let actor = match &step.until {
        Some(Until::Moved { who, .. } | Until::Used { who, .. }) => who.map(id),
        _ => None,
    };
    let asked = session.question().filter(|asked| asked.is_turn());
    let is_asked = |who: &Id| asked.is_some_and(|asked| asked.actors.contains(who));
    if let Some(who) = actor.filter(is_asked)
        && selection.chosen != Some(who)
    {
        out.push(on_map(session.shown().unit(who).space()));
    }
    // If that unit is not to act now, a click on a marked place would make another one act.
    let is_own = |who: &Id| session.shown().unit(*who).side == session.player();
    let is_past = asked.is_some() && actor.filter(is_own).is_some_and(|who| !is_asked(&who));
    for mark in &step.at {
        match mark {
            LessonMark::Cells(_) | LessonMark::Unit(_) | LessonMark::Act(_) if is_past => {}
            LessonMark::Cells(cells) => out.extend(cells.iter().map(|c| on_map(Space::new(*c, 1)))),
            LessonMark::Unit(who) => {
                let unit = session.shown().unit(id(*who));
                if unit.is_there() {
                    out.push(on_map(unit.space()));
                }
            }
            LessonMark::Act(name) => {
                let verbs = session.game.rules().verbs();
                let verb = verbs.iter().find(|verb| verb.name == name);
                let key = verb.and_then(|&verb| session.queries.key(verb));
                // Once the action is armed, the player should look for its target instead.
                if let Some(key) = key.filter(|&k| selection.armed != Some(k)) {
                    let button = part(parts, |p| sends(p, Command::Act(key)));
                    out.extend(button.map(of_window));
                }
            }
            LessonMark::Panel(panel) => {
                let found = part(parts, |p| match panel {
                    Part::EndTurn => sends(p, Command::EndTurn),
                    Part::Undo => sends(p, Command::Undo),
                    Part::Codex => p.codex.is_some_and(|s| s.0 == CodexCommand::Open(None)),
                    Part::Card => p.is_card,
                    Part::Log => p.is_log,
                });
                out.extend(found.map(of_window));
            }
        }
    }
    out
}

fn sends(part: &WindowPartItem, command: Command) -> bool {
    part.command.is_some_and(|s| s.0 == command)
}

fn part(parts: &Query<WindowPart>, is_it: impl Fn(&WindowPartItem) -> bool) -> Option<Rect> {
    let mut shown = parts.iter().filter(|p| p.node.size().min_element() > 1.0);
    let found = shown.find(|p| is_it(p))?;
    let middle = found.place.translation;
    Some(Rect::from_center_size(middle, found.node.size()))
}

/// Draws frames around the places that the step points at, and an arrow over the first.
fn frames(
    session: Option<Res<Session>>,
    coach: Res<Coach>,
    view: Res<MapView>,
    parts: Query<WindowPart>,
    modals: Query<(), With<modal::Modal>>,
    (time, selection): (Res<Time>, Res<Selection>),
    (old, mut arrows): (
        Query<Entity, With<Pointer>>,
        Query<&mut UiTransform, With<Arrow>>,
    ),
    mut shown: Local<(Vec<PointedArea>, Option<Vec2>)>,
    mut commands: Commands,
    mut icons: SmallPictures,
) {
    let mut areas = match session.filter(|_| view.is_ready() && modals.is_empty()) {
        Some(session) => places(&session, &selection, &coach, &view, &parts),
        None => vec![],
    };
    let scale = view.layout_scale().max(0.1);
    for PointedArea { rect, .. } in &mut areas {
        *rect = Rect::from_corners(rect.min / scale, rect.max / scale);
    }
    // An arrow at the cell under the cursor would hide the preview there.
    let cursor = selection.cursor.map(|cell| view.rect(Space::new(cell, 1)));
    let is_seen = |of: &Rect| cursor.is_some_and(|cell| of.contains(cell.center() / scale));
    let first = areas
        .first()
        .filter(|first| first.is_on_map && !is_seen(&first.rect));
    // Not beyond the top edge of the window.
    let above = |rect: Rect| Vec2::new(rect.center().x - 17.0, rect.min.y - 40.0);
    let arrow = first.map(|first| above(first.rect).max(Vec2::new(0.0, 2.0 + BOB)).round());
    for mut transform in &mut arrows {
        transform.translation.y = px(((time.elapsed_secs() * 4.0).sin() * BOB).round());
    }
    let now = (areas, arrow);
    if now == *shown && old.is_empty() == now.0.is_empty() {
        return;
    }
    despawn_all(&mut commands, &old);
    for PointedArea { rect, is_on_map } in &now.0 {
        let (at, size) = ((rect.min - 3.0).round(), (rect.size() + 6.0).round());
        let node = Node::default().at(at.x, at.y).size(size.x, size.y);
        let node = node.border(3.0).rounded(BorderRadius::all(px(6)));
        let line = BorderColor::all(colour(palette::GOLD));
        // On the map, frames lie below previews and other text.
        let above = GlobalZIndex(if *is_on_map { -1 } else { 20 });
        commands.spawn((Pointer, above, Pickable::IGNORE, node, line));
    }
    if let Some(at) = arrow {
        let arrow = icons.get(SmallPicture::Icon(Icon::ArrowDown, palette::DANGER), 34.0);
        let node = Node::default().at(at.x, at.y).size(34.0, 34.0);
        let parts = (Pointer, GlobalZIndex(21), Pickable::IGNORE, node);
        commands.spawn((parts, Arrow, ImageNode::new(arrow), KeepRedrawing));
    }
    *shown = now;
}
