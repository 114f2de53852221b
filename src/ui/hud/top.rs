//! The bar along the top: the round, whose turn it is, who comes when.

use super::{Signs, Told};
use crate::{
    battle::{Side, capitalised},
    ui::{
        Pick, Session,
        art::{hud::Panel, icons::Icon, palette, tokens::Chip},
        pick::Command,
        pictures::Sign,
        theme::{Cut, text},
        tokens,
        widgets::{Sends, Tip, button, picture, row, spring, word_button},
    },
};
use bevy::{picking::hover::Hovered, prelude::*};

/// The bar along the top.
#[derive(Component, Default)]
#[require(Told<Model>)]
pub struct TopBar;

#[derive(PartialEq)]
pub struct Model {
    round: u16,
    /// "Your turn", and what comes after.
    turn: String,
    is_yours: bool,
    next: String,
    sides: Vec<Vec<(crate::battle::Id, String, Chip, bool)>>,
    place: String,
    rules: &'static str,
    can_undo: bool,
    /// Others are at it: there is nothing to do but to watch.
    watching: bool,
    /// What was done is still being played.
    busy: bool,
    idle: usize,
}

fn model(session: &Session, pick: &Pick) -> Model {
    let shown = session.shown();
    let names = session.names();
    let name = |side: Side| capitalised(names.side(side));
    let is_yours = shown.turn == Some(session.player());
    // The side whose turn it is comes first.
    let at = shown
        .order
        .iter()
        .position(|&s| Some(s) == shown.turn)
        .unwrap_or(0);
    let order: Vec<Side> = shown
        .order
        .iter()
        .cycle()
        .skip(at)
        .take(shown.order.len())
        .copied()
        .collect();
    let later: Vec<String> = order.iter().skip(1).map(|&s| name(s)).collect();
    let turn = match shown.turn {
        Some(_) if session.awaits_end_of_turn() => String::from("Everybody has acted"),
        Some(side) if side == session.player() => {
            let all_done = session.is_players_turn() && session.idle_members().next().is_none();
            String::from(if all_done {
                "Everybody has acted"
            } else {
                "Your turn"
            })
        }
        Some(side) => name(side),
        None => String::from("Initiative"),
    };
    let chips = |side: &Side| {
        let there = shown.members(*side).filter(|p| p.is_up());
        there
            .map(|p| {
                let done = Some(*side) == shown.turn && p.done;
                let is_chosen = pick.chosen == Some(p.id) && is_yours;
                (p.id, p.name.clone(), tokens::chip(p, done), is_chosen)
            })
            .collect()
    };
    Model {
        round: shown.round,
        turn,
        is_yours,
        next: if later.is_empty() {
            String::new()
        } else {
            format!("{} next", later.join(", "))
        },
        sides: order.iter().map(chips).collect(),
        place: format!("{} · seed {}", session.level().title, session.seed()),
        rules: session.rules().id,
        can_undo: session.can_undo(),
        watching: !is_yours || session.question().is_some_and(|q| q.reaction),
        busy: !session.is_players_turn() && !session.awaits_end_of_turn(),
        idle: session.idle_members().count(),
    }
}

pub(super) fn refresh(
    session: Res<Session>,
    pick: Res<Pick>,
    bar: Single<(Entity, &mut Told<Model>), With<TopBar>>,
    mut commands: Commands,
    mut signs: Signs,
) {
    let (entity, mut told) = bar.into_inner();
    let now = model(&session, &pick);
    if !told.is_news(now) {
        return;
    }
    let Some(model) = &told.0 else { return };
    let all: usize = model.sides.iter().map(Vec::len).sum();
    // Many chips grow smaller rather than run into the buttons.
    let size = (520.0 / all.max(1) as f32 - 4.0).clamp(18.0, 32.0);
    commands
        .entity(entity)
        .despawn_children()
        .with_children(|bar| {
            bar.spawn((
                Node {
                    width: px(86),
                    flex_shrink: 0.0,
                    ..default()
                },
                children![text(
                    format!("Round {}", model.round),
                    Cut::Heading,
                    palette::INK
                )],
            ));
            bar.spawn(Node {
                flex_direction: FlexDirection::Column,
                width: px(178),
                flex_shrink: 0.0,
                ..default()
            })
            .with_children(|words| {
                let ink = if model.is_yours {
                    palette::TEAL
                } else {
                    palette::DANGER
                };
                words.spawn(text(model.turn.clone(), Cut::Strong, ink));
                words.spawn(text(model.next.clone(), Cut::Small, palette::FADED_INK));
            });
            for (n, side) in model.sides.iter().enumerate() {
                if n > 0 {
                    let arrow = Sign::Icon(Icon::ArrowRight, palette::FADED_INK);
                    bar.spawn(picture(signs.get(arrow, 14.0), 14.0));
                }
                bar.spawn(row(4.0)).with_children(|chips| {
                    for (id, name, chip, is_chosen) in side {
                        let image = signs.get(Sign::Chip(*chip), size);
                        chips.spawn((
                            ImageNode::new(image),
                            Node {
                                width: px(size),
                                height: px(size),
                                border_radius: match chip {
                                    Chip::Hero { .. } => BorderRadius::MAX,
                                    Chip::Meeple { .. } => BorderRadius::all(px(5)),
                                },
                                ..default()
                            },
                            Outline {
                                width: px(if *is_chosen { 2.5 } else { 0.0 }),
                                offset: px(1),
                                color: crate::ui::theme::colour(palette::GOLD),
                            },
                            Hovered::default(),
                            Looks(*id),
                            Tip::default().line(name.clone(), Cut::Strong, palette::INK),
                        ));
                    }
                });
            }
            bar.spawn(spring());
            bar.spawn(Node {
                flex_direction: FlexDirection::Column,
                align_items: AlignItems::End,
                ..default()
            })
            .with_children(|words| {
                words.spawn(text(model.rules, Cut::Strong, palette::INK));
                words.spawn(text(model.place.clone(), Cut::Small, palette::FADED_INK));
            });
            buttons(bar, model);
            let node = Node {
                width: px(34),
                height: px(34),
                ..default()
            };
            let tip = Tip::default().line("Leave the battle (Esc)", Cut::Small, palette::INK);
            let flag = Sign::Icon(Icon::Flag, palette::INK);
            bar.spawn((
                button(Panel::Button, node),
                Sends(Command::AskToLeave(true)),
                tip,
            ))
            .with_children(|flagged| {
                flagged.spawn(picture(signs.get(flag, 18.0), 18.0));
            });
        });
}

fn buttons(bar: &mut ChildSpawnerCommands, model: &Model) {
    let key = |words: &str| Tip::default().line(words, Cut::Small, palette::INK);
    if model.watching {
        let tip = key("Show at once what the others do (Space)");
        bar.spawn((
            word_button("Skip", Panel::Button),
            Sends(Command::Skip),
            tip,
        ));
        return;
    }
    if model.busy {
        bar.spawn(word_button("Undo", Panel::CardPale));
        bar.spawn(word_button("End turn", Panel::CardPale));
        return;
    }
    let (undo, tip) = if model.can_undo {
        (Panel::Button, "Take back the last move (U)")
    } else {
        (
            Panel::CardPale,
            "Nothing to take back: what dice have decided stays (U)",
        )
    };
    bar.spawn((word_button("Undo", undo), Sends(Command::Undo), key(tip)));
    let tip = match model.idle {
        0 => key("On to the others (E)"),
        1 => key("One can still act (E)"),
        n => key(&format!("{n} can still act (E)")),
    };
    bar.spawn((
        word_button("End turn", Panel::ButtonPrimary),
        Sends(Command::EndTurn),
        tip,
    ));
}

/// Somebody is looked at while the pointer is on this.
#[derive(Component)]
pub struct Looks(pub crate::battle::Id);
