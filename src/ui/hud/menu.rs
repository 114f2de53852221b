//! The list from which something is chosen: an answer out of turn, a spell, a
//! weapon, one of several ways, a number; each with its odds.

use super::{ActBar, Signs, Told, round, show_card};
use crate::{
    battle::{Action, Id, Ruleset, capitalised},
    ui::{
        ActionPreview, Profile, Session,
        art::{hud::Panel, palette},
        auto_reactions::Settles,
        board::View,
        codex::{prose, rule_link},
        input::Key,
        pictures::Sign,
        places::MenuPlace,
        preview::{Menu, Picks, Row, Slider},
        profile::{AutoReaction, kinds},
        selection::Command,
        shown::Person,
        theme::{self, Cut, text},
        tokens,
        widgets::{
            Hint, Sends, Tip, bar, button, column, hint, key_button, picture, row, rule, spring,
        },
    },
};
use bevy::{prelude::*, ui::UiGlobalTransform, ui_widgets::ScrollArea, window::PrimaryWindow};

/// The side of the face beside a question, in pixels of the layout.
const FACE: f32 = 34.0;

/// The list, and what can be settled for good.
#[derive(PartialEq)]
pub struct Model {
    menu: Menu,
    kinds: Vec<(&'static Action, AutoReaction)>,
    rules: &'static str,
    /// Who is asked, for a face beside the question.
    asked: Option<Person>,
}

pub(super) fn refresh(
    session: Res<Session>,
    profile: Res<Profile>,
    preview: Res<ActionPreview>,
    place: Single<(Entity, &mut Told<Option<Model>>), With<MenuPlace>>,
    mut commands: Commands,
    mut signs: Signs,
) {
    let now = preview.menu.clone().map(|menu| Model {
        kinds: kinds_of(&menu, session.game.rules(), &profile),
        rules: session.game.rules().id,
        asked: session
            .asked_member()
            .map(|id| session.shown().person(id).clone()),
        menu,
    });
    show_card(
        &mut commands,
        place.into_inner(),
        now,
        (460.0, 98.0),
        |card, model| {
            show(card, &mut signs, model);
        },
    );
}

/// The card keeps to where it hides the fewest of those it is about. What is chosen on
/// one's own turn leaves free as much of the board as can be: it lies over what is below
/// that, for nothing there is needed before it is chosen.
pub(super) fn step_aside(
    session: Res<Session>,
    preview: Res<ActionPreview>,
    view: Res<View>,
    window: Query<&Window, With<PrimaryWindow>>,
    place: Single<(&mut Node, &Children), With<MenuPlace>>,
    cards: Query<&ComputedNode>,
    acts: Query<(&ComputedNode, &UiGlobalTransform), With<ActBar>>,
) {
    let Some(menu) = &preview.menu else { return };
    let (mut node, children) = place.into_inner();
    let Some(card) = children.first().and_then(|&card| cards.get(card).ok()) else {
        return;
    };
    let shown = session.shown();
    let spot = |id| {
        Rect::from_center_size(
            view.in_window(shown.person(id).middle().into()),
            Vec2::splat(40.0 * view.layout_scale()),
        )
    };
    let spots: Vec<Rect> = about(&session, menu).into_iter().map(spot).collect();
    let (room, size) = (view.room(), card.size());
    // As deep as it may lie below the board, in pixels.
    let below = match window.single() {
        Ok(window) if !menu.is_reaction => {
            window.physical_height() as f32 - theme::GAP * view.layout_scale() - room.max.y
        }
        _ => 0.0,
    };
    // Not over the party: the cursor is left on one of them when the card goes.
    let bar = acts.iter().next().filter(|_| below > 0.0);
    let bar = bar.map(|(bar, place)| place.translation.x - bar.size().x / 2.0);
    let aside = bar.map_or(0.0, |bar| (bar - (room.max.x - size.x)).max(0.0));
    let hidden = |(at, along): (JustifyContent, AlignItems)| {
        let y = match at {
            JustifyContent::Start => room.min.y,
            _ => room.max.y + below - size.y,
        };
        let x = match along {
            AlignItems::Start => room.min.x,
            AlignItems::End if at == JustifyContent::End => room.max.x - size.x + aside,
            AlignItems::End => room.max.x - size.x,
            _ => room.center().x - size.x / 2.0,
        };
        let card = Rect::from_corners(Vec2::new(x, y), Vec2::new(x, y) + size);
        spots
            .iter()
            .filter(|s| !s.intersect(card).is_empty())
            .count()
    };
    use AlignItems as Along;
    use JustifyContent as At;
    let mut places = [
        (At::End, Along::Center),
        (At::Start, Along::Center),
        (At::End, Along::Start),
        (At::End, Along::End),
        (At::Start, Along::Start),
        (At::Start, Along::End),
    ];
    if !menu.is_reaction {
        // Over the acts rather than over the party.
        places.swap(0, 3);
    }
    let best = places.into_iter().min_by_key(|&place| hidden(place));
    let Some((at, along)) = best else { return };
    let pushed = |pixels: f32, is_so: bool| match is_so {
        true => px((pixels / view.layout_scale()).round()),
        false => Val::Auto,
    };
    let wanted = Node {
        justify_content: at,
        align_items: along,
        bottom: pushed(-below, at == At::End),
        left: pushed(aside, (at, along) == (At::End, Along::End)),
        ..node.clone()
    };
    node.set_if_neq(wanted);
}

/// The units a list is about. On the player's own turn: every unit that could be a target.
/// Otherwise: the units that are asked, those that an answer would affect, and the
/// attackers and targets of pending attacks.
fn about(session: &Session, menu: &Menu) -> Vec<Id> {
    if !menu.is_reaction {
        let people = session.shown().people.iter();
        return people.filter(|p| p.is_up()).map(|p| p.id).collect();
    }
    let choices = menu.rows.iter().filter_map(Row::choice);
    let mut out: Vec<Id> = choices.flat_map(|c| [c.who, c.at]).flatten().collect();
    out.extend(session.question().map_or(&[][..], |q| &q.actors));
    let pending = session.reads.pending_attacks();
    out.extend(pending.iter().flat_map(|s| [s.attack.by, s.attack.at]));
    out.sort_unstable();
    out.dedup();
    out
}

fn show(card: &mut ChildSpawnerCommands, signs: &mut Signs, model: &Model) {
    let menu = &model.menu;
    let head = Node {
        flex_shrink: 0.0,
        ..row(8.0)
    };
    card.spawn(head).with_children(|top| {
        if let Some(person) = &model.asked {
            let face = Sign::Portrait(tokens::portrait(person), false);
            top.spawn(picture(signs.get(face, FACE), FACE));
        }
        let title = Node {
            flex_shrink: 1.0,
            ..default()
        };
        top.spawn((
            title,
            children![text(menu.title.clone(), Cut::Heading, palette::INK)],
        ));
        top.spawn(spring());
        rule_link(top, menu.rule);
    });
    if let Some(asked) = &menu.asked {
        let words = format!("{asked} can react");
        card.spawn(text(words, Cut::Small, palette::FADED_INK));
    }
    card.spawn(rule());
    if let (Some(slider), [only]) = (&menu.slider, &menu.rows[..]) {
        if let Some(plan) = &menu.round {
            round::told(card, signs, plan);
        }
        return number(card, slider, only);
    }
    let list = Node {
        min_height: px(0),
        flex_shrink: 1.0,
        // Room for the last one's shadow.
        padding: UiRect::bottom(px(3)),
        overflow: Overflow::scroll_y(),
        ..column(5.0)
    };
    // To let it pass is in sight however long the list.
    let is_apart = |n: usize, row: &Row| menu.is_reaction && row.is_pass && n > 0;
    let rows = || menu.rows.iter().enumerate();
    card.spawn((list, ScrollArea)).with_children(|list| {
        for (n, answer) in rows().filter(|(n, row)| !is_apart(*n, row)) {
            line(list, n, answer);
        }
        // With it: in a low window with large text the answers need the room.
        for (verb, auto_reaction) in &model.kinds {
            settle(list, model.rules, verb, *auto_reaction);
        }
    });
    for (n, answer) in rows().filter(|(n, row)| is_apart(*n, row)) {
        let node = Node {
            flex_shrink: 0.0,
            margin: UiRect::top(px(3)),
            ..default()
        };
        card.spawn(node).with_children(|foot| line(foot, n, answer));
    }
    if !menu.is_reaction {
        let words = (
            text("", Cut::Small, palette::FADED_INK),
            Hint::new("{}: back", Key::Back),
        );
        card.spawn((
            Node {
                margin: UiRect::top(px(6)),
                ..default()
            },
            children![words],
        ));
    }
}

/// The kinds of reactions in a list that can be settled for good.
fn kinds_of(
    menu: &Menu,
    rules: &Ruleset,
    profile: &Profile,
) -> Vec<(&'static Action, AutoReaction)> {
    let mut out: Vec<(&'static Action, AutoReaction)> = vec![];
    for verb in menu.rows.iter().filter_map(|row| Some(row.choice()?.verb)) {
        let is_known = out.iter().any(|(v, _)| *v == verb);
        if menu.is_reaction && !is_known && kinds(rules).any(|kind| kind == verb) {
            out.push((verb, profile.auto_reactions.of(rules, verb)));
        }
    }
    out
}

/// "Snap attack, all your units: always, never".
fn settle(list: &mut ChildSpawnerCommands, rules: &str, verb: &'static Action, now: AutoReaction) {
    let Some(rules) = crate::rulesets::find(rules) else {
        return;
    };
    let node = Node {
        flex_wrap: FlexWrap::Wrap,
        flex_shrink: 0.0,
        margin: UiRect::top(px(6)),
        row_gap: px(4),
        ..row(8.0)
    };
    list.spawn(node).with_children(|line| {
        let words = format!("{}, all your units:", capitalised(verb.name));
        line.spawn(text(words, Cut::Small, palette::FADED_INK));
        for auto_reaction in [AutoReaction::Always, AutoReaction::Never] {
            let panel = match auto_reaction == now {
                true => Panel::CardActive,
                false => Panel::Button,
            };
            let node = Node {
                padding: UiRect::axes(px(8), px(2)),
                ..default()
            };
            let settles = Settles {
                rules,
                verb,
                auto_reaction,
            };
            settles.spawn(line, panel, node, &auto_reaction.name().to_lowercase());
        }
    });
}

/// A row: what it is, what it would be, its chance, its key.
fn line(list: &mut ChildSpawnerCommands, n: usize, answer: &Row) {
    let panel = match (&answer.picks, answer.is_pass) {
        (Picks::Nothing(_), _) => Panel::CardPale,
        (_, true) => Panel::Card,
        _ => Panel::CardLight,
    };
    let node = Node {
        width: percent(100),
        min_height: px(34),
        padding: UiRect::axes(px(10), px(4)),
        column_gap: px(8),
        justify_content: JustifyContent::Start,
        ..default()
    };
    list.spawn((button(panel, node), Sends(Command::Reply(n))))
        .with_children(|line| {
            let words = Node {
                flex_grow: 1.0,
                flex_shrink: 1.0,
                ..column(1.0)
            };
            line.spawn((words, Pickable::IGNORE))
                .with_children(|words| {
                    words.spawn(text(answer.label.clone(), Cut::Strong, panel.text()));
                    for of in &answer.lines {
                        words.spawn(text(of.clone(), Cut::Body, palette::FADED_INK));
                    }
                    if let Picks::Nothing(why) = &answer.picks {
                        prose(words, why, Cut::Small, palette::DANGER);
                    }
                });
            if let Some(percent) = answer.percent {
                line.spawn(text(format!("{percent}%"), Cut::Heading, palette::TEAL));
            }
            let key = match (n, answer.is_pass) {
                (0, _) => Key::Confirm,
                (_, true) => Key::Back,
                (n @ 1..=8, _) => Key::Member(n as u8),
                _ => return,
            };
            line.spawn(hint(key, palette::FADED_INK));
        });
}

/// A number with buttons for less and more, and what it would do.
fn number(card: &mut ChildSpawnerCommands, slider: &Slider, only: &Row) {
    let big = slider.stride();
    card.spawn(Node {
        justify_content: JustifyContent::Center,
        flex_shrink: 0.0,
        ..row(8.0)
    })
    .with_children(|line| {
        let less = if big > 1 { vec![-big, -1] } else { vec![-1] };
        for &by in &less {
            nudge(line, by);
        }
        line.spawn((
            Node {
                min_width: px(86),
                justify_content: JustifyContent::Center,
                ..default()
            },
            children![text(slider.now.to_string(), Cut::Big, palette::INK)],
        ));
        for by in less.iter().rev() {
            nudge(line, -by);
        }
    });
    let share = (slider.now - slider.least) as f32 / (slider.most - slider.least).max(1) as f32;
    card.spawn(Node {
        margin: UiRect::vertical(px(6)),
        flex_shrink: 0.0,
        ..row(8.0)
    })
    .with_children(|line| {
        line.spawn(text(
            slider.least.to_string(),
            Cut::Small,
            palette::FADED_INK,
        ));
        line.spawn((
            Node {
                flex_grow: 1.0,
                ..column(0.0)
            },
            children![bar(share, palette::TEAL, 9.0)],
        ));
        line.spawn(text(
            slider.most.to_string(),
            Cut::Small,
            palette::FADED_INK,
        ));
    });
    card.spawn(row(8.0)).with_children(|line| {
        line.spawn(Node {
            flex_grow: 1.0,
            flex_shrink: 1.0,
            ..column(1.0)
        })
        .with_children(|words| {
            words.spawn(text(only.label.clone(), Cut::Strong, palette::INK));
            for of in &only.lines {
                words.spawn(text(of.clone(), Cut::Body, palette::FADED_INK));
            }
        });
        if let Some(percent) = only.percent {
            line.spawn(text(format!("{percent}%"), Cut::Big, palette::TEAL));
        }
    });
    let foot = Node {
        margin: UiRect::top(px(8)),
        flex_shrink: 0.0,
        ..row(8.0)
    };
    card.spawn(foot).with_children(|foot| {
        foot.spawn((
            key_button("Confirm ({})", Key::Confirm, Panel::ButtonPrimary),
            Sends(Command::Reply(0)),
        ));
        foot.spawn((
            key_button("Back ({})", Key::Back, Panel::Button),
            Sends(Command::Back),
        ));
        foot.spawn(spring());
        let words = "Arrows: less, more";
        foot.spawn(text(words, Cut::Small, palette::FADED_INK));
    });
}

fn nudge(line: &mut ChildSpawnerCommands, by: i32) {
    let node = Node {
        min_width: px(46),
        min_height: px(34),
        ..default()
    };
    // A long step leads to the next number that makes a difference.
    let (words, told) = match by {
        ..-1 => ("«".into(), "Down to the next useful number"),
        2.. => ("»".into(), "Up to the next useful number"),
        _ => (crate::battle::signed(by), "Change by 1"),
    };
    line.spawn((
        button(Panel::Button, node),
        Sends(Command::Nudge(by)),
        Tip::default().line(told, Cut::Small, palette::INK),
        children![text(words, Cut::Strong, palette::INK)],
    ));
}
