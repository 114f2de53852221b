//! Why an AI acted: what it weighed up, and what it made of each.

use super::Told as News;
use crate::{
    battle::{Id, numeral},
    control::{
        Player,
        recording::Seat,
        why::{Judge, Weighed, Why, Worth},
    },
    ui::{
        Command, Phase, Screen, Selection, Session,
        art::{hud::Panel, palette},
        input::Key,
        places::WhyPlace,
        redraw::KeepRedrawing,
        session::Told,
        theme::{Cut, Look, colour, text},
        widgets::{Broad, Hint, Sends, Tip, bar, button, card, column, face, row, rule, spring},
    },
};
use bevy::{prelude::*, text::RemSize, ui_widgets::ScrollArea};
use std::sync::Arc;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Explained>();
    app.register_required_components::<WhyPlace, News<Option<Model>>>();
    app.add_systems(
        Update,
        (
            inquire
                .in_set(Phase::Think)
                .run_if(|selection: Res<Selection>| selection.why.is_some()),
            refresh.in_set(Phase::Draw).run_if(
                resource_changed::<Selection>
                    .or_else(resource_changed::<Explained>)
                    .or_else(resource_changed::<RemSize>)
                    .or_else(resource_changed::<Look>),
            ),
        )
            .run_if(in_state(Screen::Battle)),
    );
}

/// The card that tells it.
#[derive(Component)]
pub struct WhyCard;

/// The deed that is explained, and why it was done.
#[derive(Resource, Clone, PartialEq, Default, Debug)]
struct Explained(Option<Deed>);

#[derive(Clone, PartialEq, Debug)]
struct Deed {
    /// The number of the answer.
    answer: usize,
    /// How many events were shown when it was asked for.
    shown: usize,
    /// Which battle, and which course of it.
    epoch: u32,
    who: Id,
    told: Told,
    /// There is one before it, and one after.
    earlier: bool,
    later: bool,
}

/// Works out why the deed that is looked at was done.
fn inquire(
    mut session: ResMut<Session>,
    mut selection: ResMut<Selection>,
    mut explained: ResMut<Explained>,
) {
    let back = selection.why.unwrap_or_default();
    let mut deeds = session.explicable();
    let (mut found, mut steps) = (None, 0);
    for deed in deeds.by_ref().take(back + 1) {
        (found, steps) = (Some(deed), steps + 1);
    }
    let earlier = deeds.next().is_some();
    drop(deeds);
    if steps > 0 && steps <= back {
        selection.why = Some(steps - 1);
    }
    let Some((answer, who)) = found else {
        explained.set_if_neq(Explained(None));
        return;
    };
    let (shown, epoch) = (session.shown().events, session.shown().epoch);
    let is_same = |old: &Deed| (old.answer, old.shown, old.epoch) == (answer, shown, epoch);
    let known = explained.0.as_ref().filter(|old| is_same(old));
    let told = match known {
        Some(old) if old.told != Told::Soon => old.told.clone(),
        _ => session.bypass_change_detection().why(answer),
    };
    explained.set_if_neq(Explained(Some(Deed {
        answer,
        shown,
        epoch,
        who,
        told,
        earlier,
        later: steps > 1,
    })));
}

#[derive(PartialEq)]
pub struct Model {
    /// "Goblin 2 strikes Mara"; none: nobody has acted yet.
    deed: Option<String>,
    /// Whoever weighed it up, in a sentence.
    judge: String,
    told: Option<Told>,
    rows: Vec<Row>,
    earlier: bool,
    later: bool,
}

/// What was weighed up.
#[derive(PartialEq)]
struct Row {
    deed: String,
    worth: String,
    /// How much of the bar is filled, 0 to 1.
    share: Option<f32>,
    /// How often it was played on.
    tip: String,
    is_taken: bool,
}

fn model(session: &Session, deed: Option<&Deed>) -> Model {
    let rows = |why: &Why| why.weighed.iter().map(|one| told(session, one)).collect();
    let why: Option<&Arc<Why>> = deed.and_then(|deed| match &deed.told {
        Told::Why(why) => Some(why),
        _ => None,
    });
    Model {
        deed: deed.map(|deed| session.deed(deed.answer)),
        judge: why.map_or(String::new(), |why| {
            let seat = deed.and_then(|deed| session.answered_by(deed.answer));
            judged(why, seat).into()
        }),
        rows: why.map_or(vec![], |why| rows(why)),
        told: deed.map(|deed| deed.told.clone()),
        earlier: deed.is_some_and(|deed| deed.earlier),
        later: deed.is_some_and(|deed| deed.later),
    }
}

/// How it was weighed up.
fn judged(why: &Why, seat: Option<Seat>) -> &'static str {
    match (why.judge, seat) {
        _ if why.is_plain() => "There was nothing else worth a look.",
        (Judge::Strategist, Some(Seat::Human)) => {
            "A human chose. So the strategist would have weighed it up: how well the side does \
             when each is played on."
        }
        (Judge::Strategist, _) => {
            "The strategist played each of these on in its head: how well its side then does."
        }
        (Judge::Quick, Some(Seat::Ai(Player::Easy))) => {
            "The easy AI looks at points, as the quick AI does, and often errs. A foe's life is \
             worth 1000."
        }
        (Judge::Quick, Some(Seat::Ai(Player::Quick))) => {
            "The quick AI takes what is worth most at first sight. A foe's life is worth 1000."
        }
        (Judge::Quick, _) => "What the quick AI would give for each. A foe's life is worth 1000.",
    }
}

fn told(session: &Session, one: &Weighed) -> Row {
    let (worth, share, tip) = match one.worth {
        Worth::Share {
            value,
            error,
            playouts,
        } => (
            format!("{:.0}% ± {:.0}", value * 100.0, error * 100.0),
            Some(value),
            format!(
                "Played on {}",
                crate::words::count(playouts as usize, "time")
            ),
        ),
        Worth::Points(points) => (numeral(points), None, String::new()),
        Worth::Unknown => (
            String::from("–"),
            None,
            String::from("It was not looked at"),
        ),
    };
    Row {
        deed: one.choice.log_text(session.game.names()),
        worth,
        share,
        tip,
        is_taken: one.is_taken,
    }
}

fn refresh(
    session: Res<Session>,
    selection: Res<Selection>,
    explained: Res<Explained>,
    place: Single<(Entity, &mut News<Option<Model>>, &mut Node), With<WhyPlace>>,
    mut commands: Commands,
) {
    let now = selection.why.map(|_| model(&session, explained.0.as_ref()));
    let (entity, mut news, mut node) = place.into_inner();
    // An empty place would still cost the cards beside it a gap.
    let display = match now {
        Some(_) => Display::Flex,
        None => Display::None,
    };
    if node.display != display {
        node.display = display;
    }
    if !news.is_news(now) {
        return;
    }
    let mut place = commands.entity(entity);
    place.despawn_children();
    let Some(Some(model)) = &news.0 else { return };
    let node = Node {
        row_gap: px(2),
        min_height: px(0),
        flex_shrink: 1.0,
        overflow: Overflow::scroll_y(),
        ..card()
    };
    place.with_children(|place| {
        place
            .spawn((WhyCard, node, ScrollArea, face(Panel::CardActive)))
            .with_children(|card| show(card, model));
    });
}

fn show(card: &mut ChildSpawnerCommands, model: &Model) {
    card.spawn((row(6.0), Pickable::IGNORE))
        .with_children(|head| {
            head.spawn(text("Why", Cut::Heading, palette::INK));
            head.spawn((
                text("", Cut::Small, palette::FADED_INK),
                Hint::new("{} closes", Key::Why),
            ));
            head.spawn(spring());
            leaf(head, "‹", "What was done before", 1, model.earlier);
            leaf(head, "›", "What was done after", -1, model.later);
        });
    card.spawn(rule());
    let Some(deed) = &model.deed else {
        let words = "No AI has acted yet.";
        card.spawn(text(words, Cut::Body, palette::FADED_INK));
        return;
    };
    card.spawn(text(deed.clone(), Cut::Strong, palette::TEAL));
    match model.told {
        Some(Told::Soon) => {
            let words = text("It is worked out…", Cut::Small, palette::FADED_INK);
            card.spawn((words, KeepRedrawing));
        }
        Some(Told::Secret) => {
            let words = "What they weighed up would tell what you cannot know. It can be seen \
                         when the battle is over.";
            card.spawn(text(words, Cut::Small, palette::FADED_INK));
        }
        _ => {
            card.spawn(text(model.judge.clone(), Cut::Small, palette::FADED_INK));
            for row in &model.rows {
                line(card, row);
            }
        }
    }
}

fn leaf(head: &mut ChildSpawnerCommands, sign: &str, words: &str, by: isize, is_there: bool) {
    let panel = if is_there {
        Panel::Button
    } else {
        Panel::CardPale
    };
    let node = Node {
        width: px(26),
        height: px(26),
        ..default()
    };
    let mut leaf = head.spawn((
        button(panel, node),
        Tip::default().line(words, Cut::Small, palette::INK),
        children![text(sign, Cut::Strong, panel.text())],
    ));
    if is_there {
        leaf.insert(Sends(Command::WhyEarlier(by)));
    }
}

fn line(card: &mut ChildSpawnerCommands, model: &Row) {
    let node = Node {
        align_items: AlignItems::Start,
        padding: UiRect::axes(px(4), px(2)),
        border: UiRect::left(px(3)),
        flex_shrink: 0.0,
        ..row(8.0)
    };
    let (edge, cut) = match model.is_taken {
        true => (colour(palette::GOLD), Cut::Strong),
        false => (Color::NONE, Cut::Body),
    };
    let mut line = card.spawn((node, BorderColor::all(edge), Pickable::IGNORE));
    if !model.tip.is_empty() {
        let tip = Tip::default().line(model.tip.clone(), Cut::Small, palette::INK);
        line.insert((tip, bevy::picking::hover::Hovered::default()));
    }
    line.with_children(|line| {
        let number = Node {
            flex_shrink: 0.0,
            // Points line up by their ones.
            align_items: match model.share {
                Some(_) => AlignItems::Stretch,
                None => AlignItems::End,
            },
            ..column(2.0)
        };
        let broad = Broad(if model.share.is_some() { 84.0 } else { 48.0 });
        line.spawn((number, broad, Pickable::IGNORE))
            .with_children(|number| {
                let worth = text(model.worth.clone(), cut, palette::INK);
                number.spawn((worth, TextLayout::no_wrap()));
                if let Some(share) = model.share {
                    number.spawn(bar(share, palette::TEAL, 6.0));
                }
            });
        let words = Node {
            flex_shrink: 1.0,
            min_width: px(0),
            ..column(0.0)
        };
        line.spawn((words, Pickable::IGNORE))
            .with_children(|words| {
                words.spawn(text(model.deed.clone(), cut, palette::INK));
                if model.is_taken {
                    words.spawn(text("taken", Cut::Small, palette::FADED_INK));
                }
            });
    });
}
