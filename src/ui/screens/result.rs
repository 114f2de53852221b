//! The result: who won, in how many rounds, who fell.

use super::super::{
    Phase, Screen, Session,
    art::{hud::Panel, palette},
    input::{Hands, Key},
    pictures::{Pictures, Sign},
    session::{Next, any_seed},
    shown::Person,
    theme::{self, Cut, text},
    tokens,
    widgets::{bar, card, column, face, key_button, picture, row, rule, spring},
};
use crate::battle::{Change, State, capitalised};
use bevy::{prelude::*, ui_widgets::Activate};
use leafwing_input_manager::prelude::ActionState;

pub(super) fn plugin(app: &mut App) {
    app.add_systems(OnEnter(Screen::Result), build);
    app.add_systems(OnExit(Screen::Result), |mut commands: Commands| {
        commands.remove_resource::<Session>();
    });
    app.add_systems(
        Update,
        keys.in_set(Phase::Input).run_if(in_state(Screen::Result)),
    );
    app.add_observer(press);
}

/// The buttons of the result screen.
#[derive(Component, Clone, Copy, Debug, PartialEq, Eq)]
pub enum ResultButton {
    Again,
    Title,
}

fn press(on: On<Activate>, buttons: Query<&ResultButton>, mut commands: Commands) {
    match buttons.get(on.entity) {
        Ok(ResultButton::Again) => commands.run_system_cached(again),
        Ok(ResultButton::Title) => commands.set_state(Screen::Title),
        Err(_) => {}
    }
}

fn keys(keys: Single<&ActionState<Key>, With<Hands>>, mut commands: Commands) {
    if keys.just_pressed(&Key::Confirm) {
        commands.run_system_cached(again);
    } else if keys.just_pressed(&Key::Back) {
        commands.set_state(Screen::Title);
    }
}

/// The same level with other dice.
fn again(mut commands: Commands, session: Res<Session>, mut next: ResMut<NextState<Screen>>) {
    commands.insert_resource(Next {
        level: session.level().clone(),
        rules: Some(session.rules()),
        seed: any_seed(),
    });
    next.set(Screen::Battle);
}

fn build(
    mut commands: Commands,
    session: Res<Session>,
    mut pictures: ResMut<Pictures>,
    mut images: ResMut<Assets<Image>>,
) {
    let won = session.over().flatten();
    let names = session.names();
    let (verdict, ink) = match won {
        Some(side) if side == session.player() => (String::from("Victory"), palette::TEAL),
        Some(side) => (
            format!("Defeat: {} wins", names.side(side)),
            palette::DANGER,
        ),
        None => (String::from("Nobody wins"), palette::INK),
    };
    let why = session.told().find_map(|e| match &e.what {
        Change::Over { why, .. } => Some(capitalised(why)),
        _ => None,
    });
    let shown = session.shown();
    let rounds = if shown.clock.round == 1 {
        String::from("1 round")
    } else {
        format!("{} rounds", shown.clock.round)
    };
    let place = format!(
        "{} · {rounds} · seed {}",
        session.level().title,
        session.seed()
    );
    let sheet = super::sheet(&mut pictures, &mut images);
    let mut sign = |sign, size| pictures.sign(&mut images, sign, size);
    commands
        .spawn((DespawnOnExit(Screen::Result), sheet))
        .with_children(|page| {
            page.spawn(text(verdict, Cut::Title, ink));
            page.spawn(text(why.unwrap_or_default(), Cut::Heading, palette::INK));
            page.spawn(text(place, Cut::Small, palette::FADED_INK));
            let body = Node {
                flex_grow: 1.0,
                flex_basis: px(0),
                min_height: px(0),
                column_gap: px(theme::GAP * 2.0),
                align_items: AlignItems::Start,
                ..default()
            };
            page.spawn(body).with_children(|body| {
                for (n, side) in session.level().sides.iter().enumerate() {
                    let node = Node {
                        flex_grow: 1.0,
                        flex_basis: px(0),
                        row_gap: px(6),
                        ..card()
                    };
                    body.spawn((node, face(Panel::Card))).with_children(|card| {
                        card.spawn(text(capitalised(&side.name), Cut::Heading, palette::INK));
                        card.spawn(rule());
                        let side = crate::battle::Side(n as u8);
                        for person in shown.members(side) {
                            member(
                                card,
                                person,
                                sign(Sign::Chip(tokens::chip(person, !person.is_up())), 26.0),
                            );
                        }
                    });
                }
            });
            page.spawn(row(12.0)).with_children(|foot| {
                foot.spawn((
                    key_button("Play again ({})", Key::Confirm, Panel::ButtonPrimary),
                    ResultButton::Again,
                ));
                foot.spawn((
                    key_button("Back to title ({})", Key::Back, Panel::Button),
                    ResultButton::Title,
                ));
            });
        });
}

fn member(card: &mut ChildSpawnerCommands, person: &Person, chip: Handle<Image>) {
    card.spawn(row(10.0)).with_children(|line| {
        line.spawn(picture(chip, 26.0));
        let ink = if person.is_up() {
            palette::INK
        } else {
            palette::FADED_INK
        };
        line.spawn((
            Node {
                width: px(150),
                ..default()
            },
            children![text(person.name.clone(), Cut::Body, ink)],
        ));
        let (fate, ink) = match person.state {
            State::Up => ("stands", palette::TEAL),
            State::Down => ("fell", palette::DANGER),
            State::Dead => ("died", palette::DANGER),
            State::Fled => ("fled", palette::FADED_INK),
            State::Waiting => ("never came", palette::FADED_INK),
        };
        line.spawn((
            Node {
                width: px(90),
                ..default()
            },
            children![text(fate, Cut::Small, ink)],
        ));
        line.spawn(Node {
            width: px(120),
            ..column(0.0)
        })
        .with_children(|health| {
            let share = person.hp as f32 / person.max_hp.max(1) as f32;
            let fill = if share > 0.5 {
                palette::HEALTH
            } else {
                palette::HEALTH_ENEMY
            };
            health.spawn(bar(share, fill, 9.0));
        });
        line.spawn(text(
            format!("{}/{}", person.hp, person.max_hp),
            Cut::Small,
            palette::FADED_INK,
        ));
        line.spawn(spring());
    });
}
