//! Effects of attacks and other events: motion, shaking, dice and sound. They can be turned
//! off, and a skip leaves nothing of them behind.

use super::kit::{
    game::Game,
    rounds::rules,
    shell::{against, show},
};
use bevy::{prelude::*, text::RemSize};
use fivefoot::{
    battle::{Event, EventKind, Id, Natural, Ruleset, Side},
    control::{Player, recording::SideController},
    grid::Cell,
    icons::Icon,
    levels::{self, Level},
    rulesets,
    ui::{
        Command, Options, Playback, Profile, Screen, Session,
        art::tokens::Pose,
        board::{
            Layer, MapView,
            attack_effects::{InkSplash, PlantedBanner},
            banner::Banner,
            bursts::ActionMark,
            dice::RollPart,
            floating_text::FloatingText,
            height,
            initiative::Rolled,
            pieces::{FollowsFigure, Pieces, Stain, rest},
            playback::{BurstShown, EventPlayback, EventShown, Weight},
            shake::Shake,
        },
        profile::{AutoReaction, kinds},
        ruleset_ui::of,
        settings::{Amount, Pace, Settings},
        sound::{Play, Sound},
    },
};
use fivefoot_kit::{level, sample};
use std::sync::Arc;

/// The events and sounds played so far, each with its frame.
#[derive(Resource, Default)]
struct Seen {
    frame: usize,
    played: Vec<(usize, Event, Weight)>,
    bursts_shown: Vec<usize>,
    heard: Vec<Sound>,
    /// Number of frames in which the board was shaken.
    shaken: usize,
    /// The largest number of initiative cards at a time.
    rolled: usize,
}

fn watch(
    mut seen: ResMut<Seen>,
    mut played: MessageReader<EventShown>,
    mut bursts_shown: MessageReader<BurstShown>,
    mut heard: MessageReader<Play>,
    shake: Res<Shake>,
    rolled: Query<(), With<Rolled>>,
) {
    let frame = seen.frame;
    let events = played.read().map(|p| (frame, p.event.clone(), p.weight));
    seen.played.extend(events);
    seen.bursts_shown.extend(bursts_shown.read().map(|_| frame));
    seen.heard.extend(heard.read().map(|play| play.0));
    seen.shaken += usize::from(!shake.is_still());
    seen.rolled = seen.rolled.max(rolled.iter().len());
    seen.frame += 1;
}

/// A window with these settings, before any battle.
fn window(set: impl Fn(&mut Settings)) -> Game {
    let mut game = Game::new(Options::default());
    game.app.init_resource::<Seen>().add_systems(Last, watch);
    set(&mut game.app.world_mut().resource_mut::<Settings>());
    game
}

fn seen(game: &Game) -> &Seen {
    game.app.world().resource()
}

/// A replay of a battle between AIs, at its start, and its events.
fn fought(level: &Arc<Level>, rules: &'static Ruleset, seed: u64) -> (Session, Vec<Event>) {
    let controllers = vec![SideController::Ai(Player::Quick); level.sides.len()];
    let mut session = Session::with_controllers(level, rules, seed, controllers);
    while session.awaits_ai() {
        session.think();
    }
    let mut session = session.into_replay();
    session.seek(session.game.length());
    let events = session.known_events().cloned().collect();
    session.seek(0);
    session.play(true);
    (session, events)
}

/// The replay of the first of some battles in which an event is found, at its start, and the index
/// of that event.
fn found(
    level: &Arc<Level>,
    rules: &'static Ruleset,
    is_it: impl Fn(&[Event]) -> Option<usize>,
) -> Option<(Session, usize)> {
    (1..200).find_map(|seed| {
        let (session, events) = fought(level, rules, seed);
        Some((session, is_it(&events)?))
    })
}

/// The same battle, played from a few events before this one.
fn from_before(mut session: Session, at: usize) -> Session {
    session.seek(at.saturating_sub(4));
    session.play(true);
    session
}

/// Shows a replay until this many of its events have been played.
fn shown(session: Session, events: usize, set: impl Fn(&mut Settings)) -> Game {
    let mut game = window(set);
    show(&mut game, session);
    for _ in 0..6000 {
        let (at, is_over) = {
            let session = game.session();
            (session.shown().events, session.is_caught_up())
        };
        if at >= events || is_over {
            break;
        }
        game.app.update();
    }
    game
}

/// The duel, with a goblin as it usually is.
fn duel() -> Arc<Level> {
    level(&DUEL.replace(", with: (skirmish: (hp: HP))", ""))
}

const DUEL: &str = r#"(
    title: "Duel",
    map: [".....", ".....", "....."],
    sides: [(id: "party"), (id: "goblins", awareness: Alert)],
    combatants: [
        (kind: "mara", side: "party", at: (1, 1)),
        (kind: "goblin", side: "goblins", at: (2, 1), with: (skirmish: (hp: HP))),
    ],
)"#;

/// Mara hits a goblin with this many hit points. The game at the moment of the hit.
fn hit(hp: i32, set: impl Fn(&mut Settings)) -> Game {
    let level = level(&DUEL.replace("HP", &hp.to_string()));
    let rules = rules("Skirmish");
    for seed in 1..40 {
        let mut game = window(&set);
        show(&mut game, against(Player::Random, &level, rules, seed));
        game.until_own_turn();
        if game.session().game.answered() > 0 {
            continue;
        }
        let enemy = game.session().shown().unit(Id(1)).at;
        game.click_cell(enemy);
        let is_hurt = |game: &Game| {
            let mut played = seen(game).played.iter();
            played.any(|(_, e, _)| matches!(e.what, EventKind::Damaged { who: Id(1), .. }))
        };
        for _ in 0..60 {
            if is_hurt(&game) {
                return game;
            }
            game.app.update();
        }
    }
    panic!("Mara never hits first");
}

/// Asserts that all units are where the display world has them and nothing moves.
fn all_in_place(game: &mut Game) {
    let world = game.app.world_mut();
    assert!(world.resource::<Shake>().is_still());
    let mut cards = world.query::<&Rolled>();
    assert_eq!(cards.iter(world).len(), 0);
    let session = world.resource::<Session>();
    for unit in session.shown().units.iter().filter(|p| p.is_there()) {
        let piece = world.resource::<Pieces>().get(unit.id).expect("a token");
        let place = |entity| *world.get::<Transform>(entity).expect("it has a place");
        assert_eq!(place(piece.root), Transform::from_translation(rest(unit)));
        assert_eq!(place(piece.figure), Transform::IDENTITY, "{}", unit.name);
        let flash = world.get::<Sprite>(piece.flash).expect("a flash");
        assert_eq!(flash.color.alpha(), 0.0, "{}", unit.name);
        assert_eq!(piece.gauge.now(), unit.hp as f32, "{}", unit.name);
    }
}

#[test]
fn a_heavy_hit_shakes_the_board_unless_that_is_off() {
    let mut game = hit(1, |_| {});
    game.wait(3);
    assert!(seen(&game).shaken > 0);
    assert!(seen(&game).played.iter().any(|p| p.2 == Weight::Heavy));
    assert!(seen(&game).heard.contains(&Sound::HeavyHit));
    let calm: [fn(&mut Settings); 2] = [|s| s.shake = Amount::Off, |s| s.less_motion = true];
    for set in calm {
        let mut game = hit(1, set);
        game.wait(10);
        assert_eq!(seen(&game).shaken, 0);
        assert!(seen(&game).heard.contains(&Sound::HeavyHit), "it is heard");
    }
    // A light hit does not shake the board.
    let mut game = hit(60, |_| {});
    game.wait(10);
    assert_eq!(seen(&game).shaken, 0);
    assert!(!seen(&game).heard.contains(&Sound::HeavyHit));
}

/// The card shows the attack that the board shows, also while the pointer lies on another unit. It
/// sets the total against the number to reach: only before a roll does a card name what the die needs.
#[test]
fn the_card_shows_the_attack_that_plays() {
    let mut game = hit(60, |_| {});
    game.wait(1);
    let name = game.session().shown().unit(Id(1)).name.clone();
    assert!(game.says("Attacks now") && game.says(&format!(" against {name}")));
    assert!(game.says(" in all against ") && game.says(": hits for "));
    assert!(
        !game
            .words()
            .iter()
            .any(|w| w.contains("Rolls ") && w.contains("needs"))
    );
    game.until("the attack is over", |game| !game.says("Attacks now"));
}

/// The card names the number to reach, and the result once the die lies still.
#[test]
fn the_card_waits_for_the_die() {
    let (session, rolled) = found(&duel(), rules("Skirmish"), |events| {
        let is_roll = |e: &Event| matches!(e.what, EventKind::AttackRolled { .. });
        events.iter().position(is_roll)
    })
    .expect("an attack");
    let mut game = shown(session, rolled + 1, |_| {});
    game.until("what the die needs", |game| game.says("Needs "));
    assert!(!game.says(" in all against "));
    game.until("the result", |game| game.says(" in all against "));
    assert!(!game.says("Needs "));
}

/// The hit that ends the battle is shown longer, unless there is to be less motion.
#[test]
fn a_final_hit_is_shown_longer() {
    let frames = |set: fn(&mut Settings)| {
        let mut game = hit(1, set);
        let when = |game: &Game, is_it: fn(&EventKind) -> bool| {
            let mut played = seen(game).played.iter();
            played.find(|(_, event, _)| is_it(&event.what)).map(|p| p.0)
        };
        let falls = |what: &EventKind| matches!(what, EventKind::Fell { .. });
        game.until("the fall", |game| when(game, falls).is_some());
        let hurt = when(&game, |what| matches!(what, EventKind::Damaged { .. }));
        when(&game, falls).unwrap() - hurt.unwrap()
    };
    let (usual, calm) = (frames(|_| {}), frames(|s| s.less_motion = true));
    assert!(usual > calm, "{usual} {calm}");
}

/// A banner and a sound say who won before the battle gives way to its result.
#[test]
fn the_end_of_a_battle_has_a_banner() {
    let mut game = hit(1, |_| {});
    game.until("the banner", |game| !all::<Banner>(game).is_empty());
    assert_eq!(game.screen(), Screen::Battle);
    assert!(game.says("Victory"), "{:?}", game.words());
    game.wait(1);
    assert!(seen(&game).heard.contains(&Sound::Victory));
    game.until("the result", |game| game.screen() == Screen::Result);
}

/// An action that is no attack shows its icon beside its unit for a while, also without flashes.
#[test]
fn an_action_that_is_no_attack_has_a_mark() {
    let duel = DUEL.replace("(2, 1)", "(4, 1)").replace("HP", "40");
    let level = level(&duel.replace("with: (", "with: (morale: 8, "));
    let rules = rules("Skirmish");
    let mut game = window(|settings| settings.flashes = Amount::Off);
    show(&mut game, against(Player::Idle, &level, rules, 1));
    game.until_own_turn();
    game.act('y');
    game.until("the call to parley has a mark", |game| {
        all::<ActionMark>(game) == [ActionMark(Icon::Intimidate)]
    });
    game.until("the mark is gone", |game| {
        all::<ActionMark>(game).is_empty()
    });
}

/// Every hit splashes ink, unless flashes are off. The dice on the board show the total from
/// the log.
#[test]
fn a_hit_splashes_ink_and_its_dice_are_on_the_board() {
    let mut game = hit(40, |_| {});
    game.app.update();
    assert_eq!(all::<InkSplash>(&mut game).len(), 1);
    let parts = all::<RollPart>(&mut game);
    assert!(
        [
            RollPart::Die,
            RollPart::Total,
            RollPart::Name,
            RollPart::Needed
        ]
        .iter()
        .all(|part| parts.contains(part))
    );
    game.until("all of it is gone", |game| {
        all::<InkSplash>(game).is_empty() && all::<RollPart>(game).is_empty()
    });
    let mut dark = hit(40, |settings| settings.flashes = Amount::Off);
    dark.app.update();
    assert!(all::<InkSplash>(&mut dark).is_empty());
}

/// A token that falls shakes the board as it lands, and leaves ink as long as it lies there, also in
/// a battle that is shown anew, such as a loaded one.
#[test]
fn a_fall_thuds_and_leaves_ink() {
    let goblins = DUEL.replace(
        "at: (2, 1), with: (skirmish: (hp: HP))",
        "at: [(2, 1), (3, 1)]",
    );
    let found = found(&level(&goblins), rules("Skirmish"), |events| {
        let falls = |e: &Event| matches!(e.what, EventKind::Fell { .. });
        let fall = events.iter().position(falls)?;
        let is_round = |e: &Event| matches!(e.what, EventKind::RoundBegan { .. });
        events[fall..].iter().any(is_round).then_some(fall)
    });
    let (session, fall) = found.expect("a fall before the last round");
    let mut game = shown(session, fall + 1, |_| {});
    let EventKind::Fell { who } = seen(&game).played.last().expect("a fall").1.what else {
        panic!("the fall is the last event");
    };
    let figure = |game: &Game| {
        let world = game.app.world();
        let piece = world.resource::<Pieces>().get(who).expect("a token");
        *world.get::<Transform>(piece.figure).expect("a place")
    };
    game.until("it is thrown up", |game| figure(game).translation.y > 0.1);
    let strength = |game: &Game| game.app.world().resource::<Shake>().now();
    let (before, events) = (strength(&game), game.session().shown().events);
    game.until("the token lands", |game| strength(game) > before);
    assert_eq!(game.session().shown().events, events);
    assert_eq!(all::<Stain>(&mut game).len(), 1);
    // An undo puts everything in place again; the unit still lies there.
    let mut session = game.app.world_mut().resource_mut::<Session>();
    session.replace_picture();
    game.wait(1);
    assert_eq!(all::<Stain>(&mut game).len(), 1);
    let round = game.session().shown().clock.round;
    game.until("the next round", |game| {
        game.session().shown().clock.round > round
    });
    let session = game.app.world_mut().remove_resource::<Session>();
    let mut session = session.expect("a battle");
    session.play(false);
    let mut game = window(|_| {});
    show(&mut game, session);
    let shown = game.session().shown().units.iter();
    let fallen = shown.filter(|unit| unit.is_there() && !unit.is_up());
    let fallen = fallen.count();
    assert!(fallen > 0);
    assert_eq!(all::<Stain>(&mut game).len(), fallen);
}

/// A replay of a duel, and the index of its first attack in melee that misses.
fn missed(rules: &'static Ruleset) -> (Session, usize) {
    let level = duel();
    let found = found(&level, rules, |events| {
        let melee = events.iter().filter_map(|e| match &e.what {
            EventKind::AttackRolled { rolled_attack } => {
                (!rolled_attack.attack.ranged).then_some(rolled_attack.serial)
            }
            _ => None,
        });
        let melee = Vec::from_iter(melee);
        let misses = |e: &Event| match &e.what {
            EventKind::AttackResolved {
                serial,
                hit: false,
                needed: Some(_),
                ..
            } => melee.contains(serial),
            _ => false,
        };
        events.iter().position(misses)
    });
    found.unwrap_or_else(|| panic!("nobody misses under {}", rules.id))
}

/// A miss moves both units, whether a weapon passes its target or is blocked.
#[test]
fn a_miss_moves_attacker_and_target() {
    let most = |rules, set: fn(&mut Settings)| {
        let (session, at) = missed(rules);
        let mut game = shown(session, at + 1, set);
        let mut far = [0.0_f32; 2];
        for _ in 0..8 {
            let world = game.app.world();
            let pieces = world.resource::<Pieces>();
            for (n, far) in far.iter_mut().enumerate() {
                let figure = pieces.get(Id(n as u16)).expect("a token").figure;
                let place = world.get::<Transform>(figure).expect("a place");
                *far = far.max(place.translation.truncate().length());
            }
            game.app.update();
        }
        far
    };
    for rules in rulesets::ALL {
        let far = most(rules, |_| {});
        assert!(far.iter().all(|&far| far > 0.12), "{}: {far:?}", rules.id);
        let calm = most(rules, |s| s.less_motion = true);
        assert_eq!(calm, [0.0; 2], "{}", rules.id);
    }
}

/// A miss is the same large word in every ruleset, whether it is blocked or not: the log says
/// "misses" too.
#[test]
fn a_miss_is_a_large_word() {
    for rules in rulesets::ALL {
        let (session, at) = missed(rules);
        let mut game = shown(session, at + 1, |_| {});
        game.app.update();
        assert!(type_size(&mut game, "missed") > 0.35, "{}", rules.id);
    }
}

/// The number of an attack that fells its target is larger than other damage.
#[test]
fn damage_that_fells_is_larger() {
    let size = |hp| {
        let mut game = hit(hp, |_| {});
        game.app.update();
        type_size(&mut game, "hit ")
    };
    let (usual, fells) = (size(60), size(1));
    assert!(usual > 0.5 && fells > usual, "{usual} {fells}");
}

/// The damage and the fall of a unit are one text, also for the last one of the battle.
#[test]
fn a_hit_that_fells_is_one_text() {
    let mut game = hit(1, |_| {});
    game.until("its fall", |game| game.says(", falls"));
    let goblins = r#"(kind: "goblin", side: "goblins", at: [(2, 1), (3, 1), (3, 2)])"#;
    let goblin = r#"(kind: "goblin", side: "goblins", at: (2, 1), with: (skirmish: (hp: HP)))"#;
    let level = level(&DUEL.replace(goblin, goblins));
    let falls = |e: &Event| matches!(e.what, EventKind::Fell { who } if who != Id(0));
    let first = |events: &[Event]| events.iter().position(falls);
    let (session, at) = found(&level, rules("Skirmish"), first).expect("a goblin falls");
    let mut game = shown(from_before(session, at), at + 1, |_| {});
    game.app.update();
    let words = game.words();
    assert!(words.iter().any(|w| w.ends_with(", falls")), "{words:?}");
    assert!(!words.iter().any(|w| w == "falls"), "{words:?}");
}

/// The dice of an attack come only after the result of the one before could be read; a miss takes
/// less time than a hit.
#[test]
fn the_result_of_an_attack_can_be_read_before_the_next_dice() {
    let mut least = [usize::MAX; 2];
    for seed in 1..4 {
        let (session, events) = fought(&levels::default_level(), rules("Skirmish"), seed);
        let game = shown(session, events.len().min(200), |settings| {
            (settings.own_pace, settings.others_pace) = (Pace::Normal, Pace::Normal);
        });
        // The frame of the last roll, and whether that attack hit.
        let mut last: Option<(usize, Option<bool>)> = None;
        for (frame, event, _) in &seen(&game).played {
            match event.what {
                EventKind::TurnBegan { .. } => last = None,
                EventKind::AttackRolled { .. } => {
                    if let Some((before, Some(hit))) = last {
                        let least = &mut least[usize::from(hit)];
                        *least = (*least).min(frame - before);
                    }
                    last = Some((*frame, None));
                }
                // Without a total that it needs, it is cancelled.
                EventKind::AttackResolved { hit, needed, .. } => {
                    last = last.map(|(frame, _)| (frame, needed.map(|_| hit)));
                }
                _ => {}
            }
        }
    }
    let [miss, hit] = least;
    assert!((10..40).contains(&hit), "{hit} frames of 50 ms");
    assert!(miss >= 7 && miss < hit, "{miss} of {hit}");
}

/// What a click would do now and the cells in reach have no marks while the last attack plays and
/// its result lies there, unless the mouse moves.
#[test]
fn previews_wait_for_the_last_result() {
    let mut game = hit(60, |_| {});
    let marks = |game: &mut Game, of: Layer| {
        let world = game.app.world_mut();
        let mut marks = world.query_filtered::<(&Layer, &Visibility), With<Sprite>>();
        let marks = marks.iter(world).filter(|(layer, _)| **layer == of);
        Vec::from_iter(marks.map(|(_, visibility)| *visibility))
    };
    let layers = [Layer::ActionPreview, Layer::Reach];
    game.until("the player's next decision", |game| {
        game.session().prompts_turn()
    });
    let mut is_played = false;
    while !is_played {
        is_played = !game.app.world().resource::<Playback>().busy;
        game.wait(1);
        for of in layers {
            let marks = marks(&mut game, of);
            assert!(marks.iter().all(|it| *it == Visibility::Hidden), "{of:?}");
        }
    }
    assert!(!all_texts(&mut game).is_empty(), "the result is there");
    game.point(game.screen_point(Cell::new(0, 0)));
    game.wait(2);
    for of in layers {
        let shown = marks(&mut game, of);
        let is_shown = !shown.is_empty() && !shown.contains(&Visibility::Hidden);
        assert!(is_shown, "{of:?}");
    }
}

/// The floating texts on the board.
fn all_texts(game: &mut Game) -> Vec<Entity> {
    let world = game.app.world_mut();
    let mut texts = world.query_filtered::<Entity, With<FloatingText>>();
    texts.iter(world).collect()
}

/// The type size of the floating text with these words, in cells.
fn type_size(game: &mut Game, words: &str) -> f32 {
    let world = game.app.world_mut();
    let view = world.resource::<MapView>();
    let cell = view.cell_px() as f32 / view.layout_scale();
    let rem = world.resource::<RemSize>().0;
    let mut texts = world.query::<(&Text, &TextFont, &ChildOf)>();
    let mut texts = texts.iter(world).filter(|(text, _, card)| {
        let point = world.get::<ChildOf>(card.parent());
        let is_floating =
            point.is_some_and(|point| world.get::<FloatingText>(point.parent()).is_some());
        is_floating && text.0.contains(words)
    });
    let (_, font, _) = texts.next().expect("floating text");
    match font.font_size {
        FontSize::Rem(size) => size * rem / cell,
        other => panic!("{other:?}"),
    }
}

/// A blocked attack clashes; one that passes its target is a rush of air.
#[test]
fn a_blocked_attack_sounds_different_from_a_miss() {
    let level = duel();
    let rules = rules("Phased");
    let mut found = [false; 2];
    for seed in 1..10 {
        if found == [true; 2] {
            break;
        }
        let (session, events) = fought(&level, rules, seed);
        let game = shown(session, events.len(), |_| {});
        let misses = seen(&game).played.iter().filter(|(_, e, _)| match e.what {
            EventKind::AttackResolved { hit, needed, .. } => needed.is_some() && !hit,
            _ => false,
        });
        for (.., weight) in misses {
            let is_blocked = *weight == Weight::Blocked;
            found[usize::from(is_blocked)] = true;
            let sound = [Sound::Miss, Sound::Parry][usize::from(is_blocked)];
            let is_heard = seen(&game).heard.contains(&sound);
            assert!(
                is_heard || seen(&game).heard.contains(&Sound::Shot),
                "{seed}"
            );
        }
    }
    assert_eq!(found, [true; 2], "both happen");
}

/// Attacks that are rolled together are shown one after the other, each from its start.
#[test]
fn attacks_at_the_same_time_each_draw_back() {
    let level = duel();
    let rules = rules("Phased");
    let serial = |e: &Event| match &e.what {
        EventKind::AttackRolled { rolled_attack } => Some((rolled_attack.serial, false)),
        EventKind::AttackResolved {
            serial,
            needed: Some(_),
            ..
        } => Some((*serial, true)),
        _ => None,
    };
    let found = (1..200).find_map(|seed| {
        let (session, events) = fought(&level, rules, seed);
        let attacks = Vec::from_iter(events.iter().enumerate().filter_map(|(n, e)| {
            let (serial, is_resolved) = serial(e)?;
            Some((n, serial, is_resolved))
        }));
        let both = attacks.windows(3).find(|w| !w[0].2 && !w[1].2 && w[2].2)?;
        Some((session, [both[0], both[1], both[2]]))
    });
    let (session, moments) = found.expect("both attack at the same time");
    let game = shown(session, moments[2].0 + 1, |_| {});
    let frames = moments.map(|(_, of, is_resolved)| {
        let mut played = seen(&game).played.iter();
        let event = played.find(|(_, e, _)| serial(e) == Some((of, is_resolved)));
        event.expect("it is shown").0
    });
    // A roll takes as long as the other, and then an attacker draws back again.
    assert!(frames[2] - frames[1] > frames[1] - frames[0], "{frames:?}");
}

/// A natural 20 has a card of its own where it always hits; other rolls of the same die have none.
#[test]
fn a_natural_20_is_marked_on_the_board() {
    let level = duel();
    let marks = |id: &str, natural: Option<Natural>| {
        let rules = rules(id);
        // A later roll is beside an earlier one, so the first of a battle has to be it.
        let found = found(&level, rules, |events| {
            let first = events.iter().find_map(|e| match &e.what {
                EventKind::AttackRolled { rolled_attack } => Some(rolled_attack.roll.natural()),
                _ => None,
            });
            (first == Some(natural)).then_some(0)
        });
        let mut game = shown(found.expect("such a roll").0, 0, |_| {});
        game.until("the roll", |game| {
            let is_roll = |e: &Event| matches!(e.what, EventKind::AttackRolled { .. });
            seen(game).played.iter().any(|(_, e, _)| is_roll(e))
        });
        game.app.update();
        let parts = all::<RollPart>(&mut game);
        let is_mark = |part: &&RollPart| **part == RollPart::Natural;
        parts.iter().filter(is_mark).count()
    };
    assert_eq!(marks("Phased", Some(Natural::Twenty)), 1);
    assert_eq!(marks("Phased", Some(Natural::One)), 1);
    assert_eq!(marks("Phased", None), 0);
    assert_eq!(marks("Skirmish", Some(Natural::Twenty)), 0);
}

/// An attack that is rolled again shows its new die beside the old one, which is struck out.
#[test]
fn another_roll_of_an_attack_is_on_the_board() {
    let level = level(&DUEL.replace("mara", "osk").replace("HP", "10"));
    let rules = rules("Skirmish");
    let again = |events: &[Event]| {
        let is_it = |e: &Event| matches!(e.what, EventKind::Rerolled { .. });
        events.iter().position(is_it)
    };
    let found = found(&level, rules, |events| {
        let before = &events[..again(events)?];
        let is_roll = |e: &Event| matches!(e.what, EventKind::AttackRolled { .. });
        before.iter().rposition(is_roll)
    });
    let (session, first) = found.expect("Osk rolls again");
    let mut game = shown(session, first + 1, |_| {});
    let before = dice(&mut game);
    game.until("it is rolled again", |game| {
        again(&Vec::from_iter(
            seen(game).played.iter().map(|p| p.1.clone()),
        ))
        .is_some()
    });
    let after = dice(&mut game);
    assert!(after.iter().any(|die| !before.contains(die)));
    assert!(all::<RollPart>(&mut game).contains(&RollPart::Struck));
}

/// The dice on the board that are not struck out.
fn dice(game: &mut Game) -> Vec<Entity> {
    let world = game.app.world_mut();
    let mut parts = world.query::<(Entity, &RollPart)>();
    let dice = parts.iter(world).filter(|part| *part.1 == RollPart::Die);
    dice.map(|part| part.0).collect()
}

/// Of two shots that are rolled at once, the second shows its die only after the first has reached
/// its target, and in its place.
#[test]
fn each_of_two_shots_shows_its_own_die() {
    let duel = DUEL.replace("mara", "tobin");
    let level = level(&duel.replace("at: (2, 1), with: (skirmish: (hp: HP))", "at: (4, 1)"));
    let rules = rulesets::find("Phased").expect("a ruleset");
    let is_roll = |e: &Event| matches!(e.what, EventKind::AttackRolled { .. });
    // Neither is cancelled.
    let is_resolved = |e: &Event| {
        matches!(
            e.what,
            EventKind::AttackResolved {
                needed: Some(_),
                ..
            }
        )
    };
    let found = (1..60).find_map(|seed| {
        let (session, events) = fought(&level, rules, seed);
        let (before, after) = events.split_at(events.iter().position(is_resolved)?);
        let by = before.iter().filter_map(|e| match &e.what {
            EventKind::AttackRolled { rolled_attack } => Some(rolled_attack.attack.by),
            _ => None,
        });
        let by = Vec::from_iter(by);
        let last = before.iter().rposition(is_roll)?;
        let next = after[1..].iter().find(|e| is_roll(e) || is_resolved(e));
        (by == [Id(0); 2] && is_resolved(next?)).then_some((session, last))
    });
    let (session, second) = found.expect("Tobin shoots first");
    let mut game = shown(session, second + 1, |_| {});
    game.app.update();
    let before = dice(&mut game);
    assert_eq!(before.len(), 1);
    game.until("both are resolved", |game| {
        let played = seen(game).played.iter();
        played.filter(|(_, e, _)| is_resolved(e)).count() == 2
    });
    let after = dice(&mut game);
    assert_eq!(after.len(), 1);
    assert_ne!(before, after);
}

/// A unit falls on the screen with the hit that fells it, although the rules let it fall only after
/// all attacks of that moment.
#[test]
fn a_unit_falls_with_the_hit_that_fells_it() {
    // Behind a pit, so that they can only shoot.
    let pit = r#"map: ["..~~~...", "..~~~...", "..~~~..."],
    legend: { '~': (floor: -200) }"#;
    let duel = DUEL.replace("mara", "tobin");
    let duel = duel.replace(r#"map: [".....", ".....", "....."]"#, pit);
    let weak = r#"at: (7, 1), with: (weapons: ["dagger"], phased: (hp: 1))"#;
    let level = level(&duel.replace("at: (2, 1), with: (skirmish: (hp: HP))", weak));
    let found = found(&level, rules("Phased"), |events| {
        let is_hurt = |e: &Event| matches!(e.what, EventKind::Damaged { who: Id(1), .. });
        let (before, after) = events.split_at(events.iter().position(is_hurt)? + 1);
        let strikes_back = before.iter().any(|e| match &e.what {
            EventKind::AttackRolled { rolled_attack } => rolled_attack.attack.by == Id(1),
            _ => false,
        });
        let is_attack = matches!(
            after.first()?.what,
            EventKind::AttackResolved {
                needed: Some(_),
                ..
            }
        );
        (is_attack && !strikes_back).then_some(before.len())
    });
    let (session, second) = found.expect("the first of two arrows fells the goblin");
    let mut game = shown(session, second, |_| {});
    game.until("its fall", |game| game.says("falls"));
    let shown = game.session().shown();
    assert!(!shown.unit(Id(1)).is_up());
    assert_eq!(shown.events, second, "the second arrow comes later");
    game.until("the second arrow", |game| {
        game.session().shown().events > second
    });
    game.wait(40);
    let played = seen(&game).played.iter();
    let falls = played.filter(|(_, e, _)| matches!(e.what, EventKind::Fell { .. }));
    assert_eq!(falls.count(), 1, "it falls once");
}

/// The dice of an attack are struck out as soon as the attacker falls to a reaction, which cancels
/// the attack.
#[test]
fn the_dice_of_a_cancelled_attack_are_struck_out() {
    let duel = DUEL.replace("at: (2, 1), with", "at: [(2, 1), (4, 2)], with");
    let level = level(&duel.replace("HP", "4"));
    let rules = rules("Skirmish");
    let found = found(&level, rules, |events| {
        let is_cancelled =
            |e: &Event| matches!(e.what, EventKind::AttackResolved { needed: None, .. });
        let before = &events[..events.iter().position(is_cancelled)?];
        let falls = |e: &Event| matches!(e.what, EventKind::Fell { .. });
        before.iter().rposition(falls)
    });
    let (session, fall) = found.expect("a goblin falls to a snap attack");
    let mut game = shown(session, fall + 1, |_| {});
    game.app.update();
    assert!(all::<RollPart>(&mut game).contains(&RollPart::Struck));
}

/// Checks show their dice as attacks do: here the morale of a side that is losing.
#[test]
fn the_dice_of_a_check_are_on_the_board() {
    let mut game = morale_check("[(2, 1), (3, 1)]");
    game.app.update();
    let parts = all::<RollPart>(&mut game);
    assert!(parts.contains(&RollPart::Die) && parts.contains(&RollPart::Needed));
    // Its result appears once the dice lie still.
    let sizes = results(&mut game);
    assert!(!sizes.is_empty() && sizes.iter().all(|&size| size == 0.0));
    game.until("the result", |game| {
        results(game).iter().any(|&size| size > 0.0)
    });
    game.until("the dice are gone", |game| all::<RollPart>(game).is_empty());
}

/// The first morale check of goblins at these places, just shown.
fn morale_check(at: &str) -> Game {
    let goblins = format!(r#"(kind: "goblin", side: "goblins", at: {at})"#);
    let goblin = r#"(kind: "goblin", side: "goblins", at: (2, 1), with: (skirmish: (hp: HP)))"#;
    let level = level(&DUEL.replace(goblin, &goblins));
    let found = found(&level, rules("Skirmish"), |events| {
        let is_check = |e: &Event| match &e.what {
            EventKind::Checked(check) => check.who.is_some() && check.passed.is_some(),
            _ => false,
        };
        events.iter().position(is_check)
    });
    let (session, check) = found.expect("a goblin checks its morale");
    shown(session, check + 1, |_| {})
}

/// If several units of a side check at once, each has its numbers at its token instead of dice.
#[test]
fn checks_at_once_have_no_dice() {
    let mut game = morale_check("[(2, 1), (4, 0), (4, 2)]");
    game.app.update();
    assert!(!all::<RollPart>(&mut game).contains(&RollPart::Die));
    let mut words = game.words();
    words.retain(|word| {
        ["holds", "fails", "breaks"]
            .iter()
            .any(|it| word.starts_with(it))
    });
    assert_eq!(words.len(), 2, "{words:?}");
    // A banner stands over each unit whose morale holds.
    let holds = words.iter().filter(|word| word.starts_with("holds"));
    assert_eq!(all::<PlantedBanner>(&mut game).len(), holds.count());
    assert!(game.says(", morale "), "{words:?}");
}

/// Broken morale is as large a word as a fall.
#[test]
fn broken_morale_is_a_large_word() {
    let goblin = r#"(kind: "goblin", side: "goblins", at: (2, 1), with: (skirmish: (hp: HP)))"#;
    let goblins = r#"(kind: "goblin", side: "goblins", at: [(2, 1), (3, 1)])"#;
    let way_out = r#"exits: [(at: Rect((4, 0), (4, 2)), sides: ["goblins"])],
    combatants"#;
    let duel = DUEL.replace(goblin, goblins).replace("combatants", way_out);
    let level = level(&duel);
    let found = found(&level, rules("Skirmish"), |events| {
        let flees = |e: &Event| matches!(e.what, EventKind::Flees { who } if who != Id(0));
        events.iter().position(flees)
    });
    let (session, flees) = found.expect("a goblin breaks");
    let mut game = shown(session, flees + 1, |_| {});
    game.until("the word", |game| game.says("breaks!"));
    assert!(type_size(&mut game, "breaks!") > 0.45);
    assert!(seen(&game).heard.contains(&Sound::Rout));
}

/// A banner says why a side checks morale before its dice, and another how many broke.
#[test]
fn a_morale_check_has_two_banners() {
    let goblins = r#"(kind: "goblin", side: "goblins", at: [(2, 1), (3, 1), (3, 2)])"#;
    let goblin = r#"(kind: "goblin", side: "goblins", at: (2, 1), with: (skirmish: (hp: HP)))"#;
    let level = level(&DUEL.replace(goblin, goblins));
    let place = |events: &[Event]| {
        let began = |e: &Event| matches!(e.what, EventKind::MoraleBegan { .. });
        events.iter().position(began)
    };
    let (session, began) = found(&level, rules("Skirmish"), place).expect("goblins check morale");
    let mut game = shown(session, began + 1, |_| {});
    game.app.update();
    assert_eq!(all::<Banner>(&mut game).len(), 1);
    assert!(game.says("First loss: morale check"), "{:?}", game.words());
    game.until("how many broke", |game| {
        game.says("stand firm") || game.says("of 2 break")
    });
}

/// The sizes of the floating texts that say how a check went, 0 before they appear.
fn results(game: &mut Game) -> Vec<f32> {
    let world = game.app.world_mut();
    let mut texts = world.query::<(&Text, &ChildOf)>();
    let mut floating = world.query_filtered::<&UiTransform, With<FloatingText>>();
    let is_result = |text: &Text| {
        ["passes", "holds", "fails"]
            .iter()
            .any(|word| text.0.contains(word))
    };
    let texts = texts.iter(world).filter(|(text, _)| is_result(text));
    let texts = texts.filter_map(|(_, card)| world.get::<ChildOf>(card.parent()));
    let texts = texts.filter_map(|point| floating.get(world, point.parent()).ok());
    texts.map(|transform| transform.scale.x).collect()
}

fn all<C: Component + Copy>(game: &mut Game) -> Vec<C> {
    let world = game.app.world_mut();
    world.query::<&C>().iter(world).copied().collect()
}

#[test]
fn the_health_bar_drains_steadily_to_the_exact_value() {
    let mut game = hit(60, |_| {});
    let gauge = |game: &Game| {
        let pieces = game.app.world().resource::<Pieces>();
        pieces.get(Id(1)).expect("a goblin").gauge
    };
    let mut values = vec![gauge(&game).now()];
    while !gauge(&game).is_at_rest() {
        game.app.update();
        values.push(gauge(&game).now());
        assert!(values.len() < 40, "{values:?}");
    }
    assert!(values.len() > 3, "{values:?}");
    let steps = Vec::from_iter(values.windows(2).map(|w| w[0] - w[1]));
    assert!(steps.iter().all(|&step| step > 0.0), "{values:?}");
    let hp = game.session().shown().unit(Id(1)).hp;
    assert_eq!(values.last(), Some(&(hp as f32)));
}

#[test]
fn the_target_is_knocked_back_and_stands_again() {
    let figure = |game: &Game| {
        let world = game.app.world();
        let piece = world.resource::<Pieces>().get(Id(1)).expect("a goblin");
        world
            .get::<Transform>(piece.figure)
            .expect("a place")
            .translation
    };
    let most = |mut game: Game| {
        let mut far = 0.0_f32;
        for _ in 0..12 {
            far = far.max(figure(&game).x);
            game.app.update();
        }
        assert_eq!(figure(&game), Vec3::ZERO);
        far
    };
    // Mara stands to the west, so the goblin moves east: further if it loses a larger share.
    let light = most(hit(60, |_| {}));
    assert!(light > 0.08);
    assert!(most(hit(20, |_| {})) > light);
    assert_eq!(most(hit(60, |s| s.less_motion = true)), 0.0);
}

/// The text of a hit does not stay behind where it would cover its target.
#[test]
fn the_text_of_a_hit_moves_with_its_target() {
    let moved = |mut game: Game| {
        let (mut least, mut most) = (f32::MAX, f32::MIN);
        for _ in 0..8 {
            game.wait(1);
            let world = game.app.world_mut();
            let mut texts = world.query_filtered::<&UiTransform, With<FloatingText>>();
            let Val::Px(x) = texts.single(world).expect("a text").translation.x else {
                panic!("no place");
            };
            (least, most) = (least.min(x), most.max(x));
        }
        most - least
    };
    assert!(moved(hit(60, |_| {})) > 2.0);
    assert_eq!(moved(hit(60, |s| s.less_motion = true)), 0.0);
}

/// Hit points and badges stay on the token while it lunges and is knocked back.
#[test]
fn hit_points_move_with_their_token() {
    let mut game = hit(60, |_| {});
    let mut moved = 0;
    for _ in 0..12 {
        let world = game.app.world_mut();
        let pieces = world.resource::<Pieces>();
        let parts = [Id(0), Id(1)].map(|id| pieces.get(id).expect("a token"));
        let parts = parts.map(|piece| (piece.root, piece.figure));
        let mut plates = world.query_filtered::<(&ChildOf, &Transform), With<FollowsFigure>>();
        for (root, figure) in parts {
            let off = world.get::<Transform>(figure).expect("a place").translation;
            moved += usize::from(off.truncate().length() > 0.05);
            // Hit points are in the lower middle of a token.
            let mut own = plates.iter(world).filter(|(of, _)| of.parent() == root);
            let is_there = own.any(|(_, plate)| (plate.translation.x - off.x).abs() < 0.05);
            assert!(is_there, "{off}");
        }
        game.app.update();
    }
    assert!(moved > 2, "the tokens move");
}

/// The numbers and hit points of standing units lie above arrows and the weapons of neighbours.
#[test]
fn numbers_lie_above_arrows() {
    let mut game = window(|_| {});
    let level = levels::default_level();
    show(
        &mut game,
        against(Player::Idle, &level, rules("Skirmish"), 1),
    );
    game.wait(3);
    let world = game.app.world_mut();
    let mut plates = world.query_filtered::<(&ChildOf, &GlobalTransform), With<FollowsFigure>>();
    let pieces = world.resource::<Pieces>();
    let session = world.resource::<Session>();
    let up = session.shown().units.iter().filter(|unit| unit.is_up());
    let numbered = Vec::from_iter(up.filter(|unit| unit.label.is_some()));
    assert!(!numbered.is_empty());
    for unit in numbered {
        let root = pieces.get(unit.id).expect("a token").root;
        let own = plates.iter(world).filter(|(of, _)| of.parent() == root);
        let above = own.filter(|(_, place)| place.translation().z > height::TARGET);
        assert!(above.count() >= 2, "{}", unit.name);
    }
}

#[test]
fn a_skip_during_an_animation_leaves_everything_in_place() {
    for frames in [0, 1, 2, 4, 7] {
        let mut game = hit(60, |_| {});
        game.wait(frames);
        game.send(Command::Skip, 3);
        // The goblin's turn is skipped; then it is the player's turn.
        game.until_own_turn();
        game.wait(40);
        all_in_place(&mut game);
    }
}

#[test]
fn at_instant_speed_nothing_moves() {
    let set = |s: &mut Settings| (s.own_pace, s.others_pace) = (Pace::Instant, Pace::Instant);
    let mut game = hit(1, set);
    game.wait(2);
    assert_eq!((seen(&game).shaken, seen(&game).rolled), (0, 0));
    all_in_place(&mut game);
    assert!(!game.app.world().resource::<Playback>().busy);
}

/// A unit that spends its turn on an attack turns pale only once the attack has been shown.
#[test]
fn an_attacker_is_not_pale_before_its_attack_is_over() {
    let (session, _) = fought(&levels::default_level(), rules("Skirmish"), 1);
    let mut game = shown(session, 0, |_| {});
    let mut spent = 0;
    for _ in 0..3000 {
        game.app.update();
        let world = game.app.world();
        let Some(attack) = world.resource::<EventPlayback>().attack() else {
            continue;
        };
        let by = game.session().shown().unit(attack.rolled.attack.by);
        if !by.is_up() {
            continue;
        }
        let piece = world.resource::<Pieces>().get(by.id).expect("a token");
        assert_ne!(piece.pose(), Pose::Done, "{}", by.name);
        spent += usize::from(by.done);
        if spent > 100 {
            break;
        }
    }
    assert!(spent > 20, "{spent}");
}

fn is_initiative(event: &Event) -> bool {
    matches!(&event.what, EventKind::Checked(check) if check.is_initiative)
}

/// The index of the first initiative roll.
fn first_initiative(events: &[Event]) -> usize {
    events.iter().position(is_initiative).expect("initiative")
}

#[test]
fn initiative_dice_are_shown_unless_that_is_off() {
    let level = levels::default_level();
    for (id, on, wanted) in [
        ("Skirmish", true, 2..=2),
        ("Skirmish", false, 0..=0),
        ("Speed", true, 5..=11),
        ("Activity", true, 5..=11),
    ] {
        let rules = rules(id);
        let (session, events) = fought(&level, rules, 3);
        let after = first_initiative(&events) + 40;
        let game = shown(session, after, |s| s.dice = on);
        let rolled = seen(&game).rolled;
        assert!(wanted.contains(&rolled), "{}: {rolled}", rules.id);
        // All rolls are shown at the same moment.
        let rolls = seen(&game).played.iter();
        let rolls = rolls.filter(|(_, event, _)| is_initiative(event));
        let mut frames = Vec::from_iter(rolls.map(|p| p.0));
        frames.dedup();
        assert!(rules.id == "Activity" || frames.len() == 1, "{frames:?}");
    }
}

/// The cards of an initiative roll lie on the board, where the top bar does not cover them.
#[test]
fn initiative_rolls_lie_within_the_board() {
    let level = levels::default_level();
    for id in ["Phased", "Speed"] {
        let rules = rules(id);
        let (session, events) = fought(&level, rules, 3);
        // With less motion the cards stay where they are.
        let mut game = shown(session, first_initiative(&events), |s| s.less_motion = true);
        game.until("the roll", |game| !game.rects::<Rolled>().is_empty());
        let room = game.app.world().resource::<MapView>().area();
        for card in game.rects::<Rolled>() {
            assert!(!card.is_empty() && room.union(card) == room, "{card:?}");
        }
    }
}

const BURST: &str = r#"(
    title: "Sleepers",
    map: ["...............", "...............", "..............."],
    sides: [(id: "party", awareness: Alert), (id: "goblins", awareness: Alert)],
    combatants: [
        (kind: "ysolde", side: "party", at: (0, 1)),
        (kind: "brandt", side: "party", at: [(3, 0), (3, 1), (3, 2)]),
        (kind: "goblin", side: "goblins", at: [(11, 0), (11, 1), (12, 1), (11, 2), (12, 0)]),
    ],
)"#;

/// The first of some battles in which an area spell hits several units, and the index of
/// that event.
fn burst(rules: &'static Ruleset) -> (Session, usize) {
    let catches = |e: &Event| matches!(&e.what, EventKind::Caught { who, .. } if who.len() > 1);
    let found = found(&level(BURST), rules, |events| {
        events.iter().position(catches)
    });
    found.unwrap_or_else(|| panic!("no spell ever catches several under {}", rules.id))
}

#[test]
fn an_area_effect_is_drawn_before_the_saves_of_all_units_at_once() {
    for rules in rulesets::ALL {
        let (session, at) = burst(rules);
        let game = shown(session, at + 30, |_| {});
        let seen = seen(&game);
        let is_caught = |e: &Event| matches!(&e.what, EventKind::Caught { .. });
        let n = seen.played.iter().position(|(_, e, _)| is_caught(e));
        let n = n.expect("a unit is caught");
        let frame = seen.played[n].0;
        let bursts_shown = seen.bursts_shown.iter().filter(|&&f| f <= frame).max();
        let bursts_shown = bursts_shown.unwrap_or_else(|| panic!("{}: it flares", rules.id));
        assert!(
            frame - bursts_shown < 30 && frame > *bursts_shown,
            "{}",
            rules.id
        );
        // The saves follow at once.
        let rest = seen.played[n + 1..].iter();
        let rest = rest.take_while(|(_, e, _)| {
            !matches!(
                e.what,
                EventKind::Acted { .. } | EventKind::Shaken { .. } | EventKind::Moved { .. }
            )
        });
        let saves = rest.filter_map(|(frame, e, _)| match &e.what {
            EventKind::Checked(check) if check.passed.is_some() && check.at.is_none() => {
                Some((*frame, check.what.clone(), check.who))
            }
            _ => None,
        });
        let saves = Vec::from_iter(saves);
        assert!(saves.len() > 1, "{}: {saves:?}", rules.id);
        let first = &saves[0];
        let same = Vec::from_iter(saves.iter().filter(|s| s.1 == first.1));
        assert!(same.len() > 1, "{}: {saves:?}", rules.id);
        let is_at_once = same.iter().all(|save| save.0 == first.0);
        assert!(is_at_once, "{}: {saves:?}", rules.id);
        assert!(seen.heard.contains(&Sound::Flame) || seen.heard.contains(&Sound::Frost));
    }
}

/// An area spell pushes the units that it catches and shakes the board.
#[test]
fn an_area_spell_is_felt() {
    for rules in rulesets::ALL {
        let (session, at) = burst(rules);
        let mut game = shown(session, at + 1, |_| {});
        let mut played = seen(&game).played.iter().rev();
        let caught = played.find_map(|(_, e, _)| match &e.what {
            EventKind::Caught { who, .. } => Some(who.clone()),
            _ => None,
        });
        let caught = caught.expect("a spell catches units");
        let shaken = seen(&game).shaken;
        let mut far = 0.0_f32;
        for _ in 0..5 {
            let world = game.app.world();
            let pieces = world.resource::<Pieces>();
            for piece in caught.iter().filter_map(|&id| pieces.get(id)) {
                let place = world.get::<Transform>(piece.figure).expect("a place");
                far = far.max(place.translation.truncate().length());
            }
            game.app.update();
        }
        assert!(far > 0.05, "{}: {far}", rules.id);
        assert!(seen(&game).shaken > shaken, "{}", rules.id);
    }
}

/// The damage of a spell is named like that of a weapon, for one target and for an area.
#[test]
fn the_damage_of_a_spell_is_a_hit() {
    let rules = rules("Skirmish");
    let casts = |e: &Event| match &e.what {
        EventKind::Acted { choice } if choice.spell.is_some() => choice.who,
        _ => None,
    };
    let found = found(&level(BURST), rules, |events| {
        let cast = events.iter().position(|e| casts(e).is_some())?;
        let by = casts(&events[cast]);
        let rest = events[cast + 1..].iter();
        let mut rest = rest.take_while(|e| !matches!(e.what, EventKind::Acted { .. }));
        let hurts = |e: &Event| matches!(e.what, EventKind::Damaged { by: of, .. } if of == by);
        Some(cast + 1 + rest.position(hurts)?)
    });
    let (session, hurt) = found.expect("a spell hurts");
    let mut game = shown(session, hurt + 1, |_| {});
    game.app.update();
    let words = game.words();
    let is_hit = |words: &String| {
        let points = words.split_once("hit ").map(|(_, points)| points);
        points.is_some_and(|points| points.starts_with(|c: char| c.is_ascii_digit()))
    };
    assert!(words.iter().any(is_hit), "{words:?}");
}

/// Two wrestlers, and one that they hold.
const WRESTLERS: &str = r#"(
    title: "Wrestlers",
    map: ["....", "...."],
    sides: [(id: "party"), (id: "brutes", awareness: Alert)],
    combatants: [
        (kind: "mara", side: "party", at: (0, 0), with: (skirmish: (hp: 40))),
        (kind: "wat", side: "brutes", at: [(1, 0), (0, 1)], with: (weapons: [], morale: Fearless)),
    ],
)"#;

/// SK-52: the damage of a hold is not called that of the last attack of the holder.
#[test]
fn the_damage_of_a_hold_is_not_that_of_an_attack() {
    let rules = rules("Skirmish");
    let attacker = |e: &Event| match &e.what {
        EventKind::AttackRolled { rolled_attack } => Some(rolled_attack.attack.by),
        _ => None,
    };
    let harm = |e: &Event| match e.what {
        EventKind::Damaged { by, points, .. } if e.rule == "SK-52" => Some((by, points)),
        _ => None,
    };
    let found = found(&level(WRESTLERS), rules, |events| {
        events.iter().enumerate().position(|(n, event)| {
            let last = events[..n].iter().rev().find_map(attacker);
            harm(event).is_some_and(|(by, _)| by.is_some() && by == last)
        })
    });
    let (session, hurt) = found.expect("a hold hurts");
    let (_, points) = session
        .game
        .events()
        .get(hurt)
        .and_then(harm)
        .expect("harm");
    let mut game = shown(session, hurt + 1, |_| {});
    game.app.update();
    let words = game.words();
    for word in ["hit", "shock"] {
        let wrong = format!("{word} {points}");
        assert!(!words.iter().any(|said| said.contains(&wrong)), "{words:?}");
    }
}

/// Both rolls of a contest lie on the board.
#[test]
fn a_contest_shows_both_rolls() {
    let rules = rules("Skirmish");
    let check = |e: &Event| match &e.what {
        EventKind::Checked(check) if e.rule == "SK-51" => Some(check.clone()),
        _ => None,
    };
    let found = found(&level(WRESTLERS), rules, |events| {
        events.windows(2).position(|pair| {
            let pair = (check(&pair[0]), check(&pair[1]));
            matches!(pair, (Some(a), Some(b)) if a.who != b.who)
        })
    });
    let (session, first) = found.expect("they grapple");
    let mut game = shown(session, first + 2, |_| {});
    game.app.update();
    let parts = all::<RollPart>(&mut game);
    let totals = parts.iter().filter(|part| **part == RollPart::Total);
    assert_eq!(totals.count(), 3, "with that of the attack");
}

#[test]
fn stress_has_its_own_sound() {
    let rules = rules("Speed");
    let is_harm = |e: &Event| e.cue().is_some_and(|cue| cue.is_harm());
    let found = found(&levels::default_level(), rules, |events| {
        let first = events.iter().position(is_harm)?;
        let is_spell = |e: &Event| matches!(e.what, EventKind::Caught { .. });
        (!events[..first].iter().any(is_spell)).then_some(first)
    });
    let (session, first) = found.expect("a unit loses Stress");
    let game = shown(session, first + 1, |_| {});
    let sounds = &seen(&game).heard;
    assert!(sounds.contains(&Sound::Stress), "{sounds:?}");
    assert_eq!(seen(&game).shaken, 0, "no blood, no shaking");
}

#[test]
fn the_game_pauses_briefly_after_a_leader_falls() {
    for rules in rulesets::ALL {
        let level = levels::default_level();
        let leader = level.combatants.iter().position(|c| c.leader);
        let leader = Id(leader.expect("a leader") as u16);
        let falls = |e: &Event| matches!(e.what, EventKind::Fell { who } if who == leader);
        let found = found(&level, rules, |events| events.iter().position(falls));
        let (session, at) = found.expect("the leader falls");
        let mut game = shown(from_before(session, at), at + 1, |_| {});
        let mut is_told = false;
        for _ in 0..40 {
            game.wait(1);
            let mut words = game.words().into_iter();
            is_told |= words.any(|words| words == "falls" || words.ends_with(", falls"));
        }
        assert!(is_told, "{}: the name is no part of the text", rules.id);
        let played = &seen(&game).played;
        let n = played.iter().position(|(_, e, _)| falls(e)).expect("seen");
        assert_eq!(played[n].2, Weight::Key, "{}", rules.id);
        // Consequences of the same attack are shown with it; then there is a pause.
        let fall = played[n].0;
        let next = played.iter().map(|p| p.0).find(|&frame| frame > fall);
        let silent = next.unwrap_or(fall + 40) - fall;
        assert!(silent >= 20, "{}: {silent} frames", rules.id);
        assert!(seen(&game).heard.contains(&Sound::Knell));
        assert_eq!(game.screen(), Screen::Battle);
    }
}

/// The fall of one of the player's units is as long during the enemy's turn as in their own, and
/// readable from afar.
#[test]
fn the_fall_of_an_own_unit_has_a_moment_of_its_own() {
    let level = levels::default_level();
    let is_own = |who: Id| Side::from(level.combatants[usize::from(who.0)].side) == Side(0);
    let falls = |e: &Event| matches!(e.what, EventKind::Fell { who } if is_own(who));
    let dies = |e: &Event| matches!(e.what, EventKind::Died { who } if is_own(who));
    let lost = |is_it: &dyn Fn(&Event) -> bool| {
        let seeds = |rules| (1..20).map(move |seed| (rules, seed));
        let mut fights = rulesets::ALL.into_iter().flat_map(seeds);
        let found = fights.find_map(|(rules, seed)| {
            let (session, events) = fought(&level, rules, seed);
            Some((session, events.iter().position(is_it)?))
        });
        found.expect("a unit is lost")
    };
    let cases: [(&dyn Fn(&Event) -> bool, &str); 2] = [(&falls, " is down"), (&dies, " dies")];
    for (is_it, words) in cases {
        let (session, at) = lost(is_it);
        let mut game = shown(from_before(session, at), at + 1, |settings| {
            (settings.own_pace, settings.others_pace) = (Pace::Normal, Pace::Normal);
        });
        game.wait(1);
        let banners = all::<Banner>(&mut game).len();
        assert_eq!(banners, 1, "{words}");
        assert!(game.words().iter().any(|w| w.ends_with(words)), "{words}");
        if words == " is down" {
            // The unit itself says so, as large as a text of this length can be.
            assert!(type_size(&mut game, "falls") > 0.4, "{words}");
        }
        // It lies away from the unit.
        let mut played = seen(&game).played.iter();
        let who = played.find_map(|(_, e, _)| match e.what {
            EventKind::Fell { who } | EventKind::Died { who } if is_it(e) => Some(who),
            _ => None,
        });
        let unit = game.screen_point(game.cell_of(who.expect("seen")));
        let apart = (game.rect::<Banner>().center().y - unit.y).abs();
        assert!(apart > 40.0, "{words}: {apart}");
        game.wait(40);
        let played = &seen(&game).played;
        let n = played.iter().position(|(_, e, _)| is_it(e)).expect("seen");
        assert_eq!(played[n].2, Weight::Lost, "{words}");
        let lost = played[n].0;
        let next = played.iter().map(|p| p.0).find(|&frame| frame > lost);
        let silent = next.unwrap_or(lost + 40) - lost;
        assert!(silent >= 15, "{words}: {silent} frames");
        assert!(seen(&game).heard.contains(&Sound::Loss));
    }
}

/// A later round is named on the board while it goes on.
#[test]
fn a_new_round_has_a_banner() {
    let rules = rules("Phased");
    let (_, events) = fought(&levels::default_level(), rules, 1);
    for (round, banners) in [(1, 0), (2, 1)] {
        let begins = |e: &Event| matches!(e.what, EventKind::RoundBegan { round: n } if n == round);
        let at = events.iter().position(begins).expect("the round begins");
        let (mut session, _) = fought(&levels::default_level(), rules, 1);
        session.seek(at.saturating_sub(1));
        session.play(true);
        let mut game = shown(session, at + 1, |_| {});
        game.wait(1);
        assert_eq!(all::<Banner>(&mut game).len(), banners, "round {round}");
        game.until("the banner is gone", |game| all::<Banner>(game).is_empty());
    }
}

/// Where sides have turns, a banner says whose turn begins, and names the round if that is new.
#[test]
fn a_turn_has_a_banner() {
    let rules = rules("Skirmish");
    let (_, events) = fought(&levels::default_level(), rules, 1);
    for (side, words) in [(Side(0), "our turn"), (Side(1), "nemy turn")] {
        let begins = |e: &Event| matches!(e.what, EventKind::TurnBegan { side: of } if of == side);
        let at = events.iter().rposition(begins).expect("a turn begins");
        let (mut session, _) = fought(&levels::default_level(), rules, 1);
        session.seek(at.saturating_sub(1));
        session.play(true);
        let mut game = shown(session, at + 1, |_| {});
        game.wait(1);
        assert_eq!(all::<Banner>(&mut game).len(), 1, "{words}");
        assert!(game.says(words), "{words}: {:?}", game.words());
        game.until("the banner is gone", |game| all::<Banner>(game).is_empty());
    }
}

/// The first motion follows a click within 0.1 s: the attacker draws back while its die
/// rolls.
#[test]
fn a_click_starts_a_motion_immediately() {
    let level = level(&DUEL.replace("HP", "40"));
    let session = against(Player::Idle, &level, rulesets::ALL[0], 3);
    let mut game = window(|settings| settings.own_pace = Pace::Normal);
    show(&mut game, session);
    game.until_own_turn();
    game.until_quiet();
    let enemy = game.session().shown().unit(Id(1)).at;
    game.point(game.screen_point(enemy));
    let figure = {
        let pieces = game.app.world().resource::<Pieces>();
        pieces.get(Id(0)).expect("Mara stands there").figure
    };
    let off = |game: &Game| {
        let place = game.app.world().get::<Transform>(figure);
        place.expect("a figure").translation.length()
    };
    assert!(off(&game) < 1e-3);
    game.app.world_mut().write_message(Command::Go);
    // A frame takes 50 ms.
    game.wait(3);
    assert!(off(&game) > 0.01, "{}", off(&game));
}

/// Seconds of the moment of a unit that falls.
const LOSS: f32 = 1.3;

/// An enemy turn of seven units takes 8 seconds at most, at normal speed and without
/// prompts, plus the moments of the player's units that fall.
#[test]
fn a_turn_of_seven_enemies_is_short() {
    let rules = rules("Skirmish");
    let level = levels::default_level();
    let mut turns: Vec<f32> = vec![];
    for seed in 1..sample(3, 12) {
        let mut game = window(|_| {});
        let mut profile = game.app.world_mut().resource_mut::<Profile>();
        for kind in kinds(rules).filter(|kind| Some(*kind) != of(rules.id).skippable) {
            profile.auto_reactions.set(rules, kind, AutoReaction::Never);
        }
        show(&mut game, against(Player::Quick, &level, rules, seed));
        for _ in 0..3 {
            game.until_own_turn();
            if game.screen() != Screen::Battle {
                break;
            }
            let up = |game: &Game, side: Side| {
                let units = game.session().shown().members(side);
                units.filter(|unit| unit.is_up()).count()
            };
            let (own, standing) = (up(&game, Side(0)), up(&game, Side(1)));
            let begun = game.session().shown().clock.round;
            let now = |game: &Game| game.app.world().resource::<Time>().elapsed_secs();
            let before = now(&game);
            game.press(KeyCode::KeyE);
            game.press(KeyCode::KeyE);
            // Reaction prompts answer themselves.
            game.until("the next turn", |game| {
                let session = game.session();
                let round = session.shown().clock.round;
                game.screen() != Screen::Battle || session.is_players_turn() && round > begun
            });
            if standing == 7 {
                let fallen = own.saturating_sub(up(&game, Side(0)));
                turns.push(now(&game) - before - LOSS * fallen as f32);
            }
        }
    }
    let longest = turns.iter().copied().fold(0.0, f32::max);
    println!(
        "{} turns, the longest {longest:.1} s: {turns:.1?}",
        turns.len()
    );
    assert!(turns.len() >= 3 && longest <= 8.0, "{turns:.1?}");
}
