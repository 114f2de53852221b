//! The battle builder: a battle is put together, balanced, saved and fought.

use super::kit::{
    game::{Game, fresh_home},
    shell::click,
};
use bevy::prelude::NextState;
use fivefoot::{
    battle::Chance,
    content::Content,
    control::{Player, recording::SideController},
    lab::points::{self, SQUAD},
    levels::{
        compose::{Aim, Squad},
        generate::Form,
    },
    rulesets::ALL,
    ui::{
        Command, Options, Screen, Session,
        screens::builder::{
            BattleDraft, BuilderButton, ProgressWords,
            draft::{FULL_TEST, MapSource, Progress, fair},
        },
        session::Ready,
    },
};
use fivefoot_kit::sample;
use std::{fs, time::Duration};

fn builder() -> (Game, std::path::PathBuf) {
    let home = fresh_home();
    let mut game = Game::new(Options {
        home: Some(home.clone()),
        seed: Some(2),
        ..Options::default()
    });
    click(&mut game, BuilderButton::Open);
    assert_eq!(game.screen(), Screen::Builder);
    (game, home)
}

fn draft(game: &Game) -> &BattleDraft {
    game.app.world().resource::<BattleDraft>()
}

#[test]
fn a_battle_is_built_saved_and_fought() {
    let (mut game, home) = builder();
    click(&mut game, BuilderButton::Form(Form::Caves));
    click(&mut game, BuilderButton::Aim(Aim::Hold));
    let speed = ALL.iter().position(|rules| rules.id == "Speed").unwrap();
    click(&mut game, BuilderButton::Rules(speed));
    let before = draft(&game).squads[0].size();
    // Remove one unit with the button in its row.
    let less = |b: &BuilderButton| matches!(b, BuilderButton::Remove(0, _));
    let place = game
        .find::<BuilderButton>(less)
        .expect("a unit can be removed");
    game.click(place);
    game.wait(3);
    assert_eq!(draft(&game).squads[0].size(), before - 1);
    click(&mut game, BuilderButton::Save);
    let saved: Vec<_> = fs::read_dir(home.join("levels"))
        .unwrap()
        .flatten()
        .collect();
    assert_eq!(saved.len(), 1);
    let name = saved[0].file_name().to_string_lossy().into_owned();
    assert!(name.starts_with("caves_"), "{name}");
    let text = fs::read_to_string(saved[0].path()).unwrap();
    let (level, hints) = fivefoot::levels::check_file(&name, &text).expect("it is sound");
    assert!(hints.is_empty() && level.sides.len() == 2);

    click(&mut game, BuilderButton::Start);
    assert_eq!(game.screen(), Screen::Battle);
    let session = game.session();
    assert_eq!(session.game.rules().id, "Speed");
    assert_eq!(session.game.level().source, level.source);
    game.until_asked();
}

#[test]
fn a_built_battle_is_on_the_title_screen_and_esc_goes_there() {
    let (mut game, _) = builder();
    click(&mut game, BuilderButton::Form(Form::Ruins));
    let title = draft(&game).usual_title();
    click(&mut game, BuilderButton::Save);
    game.press(bevy::prelude::KeyCode::Escape);
    assert_eq!(game.screen(), Screen::Title);
    game.wait(3);
    assert!(game.says(&title), "{:?}", game.words());
}

#[test]
fn a_fair_fight_is_found_without_blocking_the_window() {
    let (mut game, _) = builder();
    // A fixed seed, because some squads have no fair opponents and the search can fail.
    game.app.insert_resource(BattleDraft::new(3));
    game.app.world_mut().resource_mut::<Options>().seed = Some(5);
    game.wait(3);
    let party = draft(&game).squads[0].clone();
    click(&mut game, BuilderButton::Fair);
    assert!(draft(&game).is_busy);
    game.in_time("the search ends", |game| !draft(game).is_busy);
    let win_rate = draft(&game).win_rate.expect("it was tested");
    assert!((0.25..=0.75).contains(&win_rate.share()), "{win_rate:?}");
    assert_eq!(draft(&game).squads[0], party, "your squad stays");
    assert!(game.says("of 100 test battles"));
    // A change afterwards discards the result.
    click(&mut game, BuilderButton::Form(Form::Woods));
    assert!(draft(&game).win_rate.is_none());
}

#[test]
fn the_search_for_a_fair_fight_shows_progress_and_can_be_stopped() {
    let (mut game, _) = builder();
    let before = draft(&game).squads.clone();
    click(&mut game, BuilderButton::Fair);
    let since = std::time::Instant::now();
    let told = |game: &mut Game| game.says("Looking for a fair fight: squads");
    while !told(&mut game) {
        assert!(draft(&game).is_busy, "it tells how far it is first");
        assert!(since.elapsed() < Duration::from_secs(60), "never");
        game.wait(1);
    }
    assert!(game.count::<ProgressWords>(|_| true) == 1);
    click(&mut game, BuilderButton::Stop);
    assert!(!draft(&game).is_busy && draft(&game).win_rate.is_none());
    let members = |squads: &[Squad]| squads.iter().map(|s| s.members.clone()).collect::<Vec<_>>();
    assert_eq!(
        members(&draft(&game).squads),
        members(&before),
        "they stay as they were"
    );
    assert_eq!(game.count::<ProgressWords>(|_| true), 0);
    // The search can be started again.
    click(&mut game, BuilderButton::Try);
    assert!(draft(&game).is_busy);
}

/// On these ruins, bears can leave every corner but not reach the middle, so the builder
/// takes another map.
#[test]
fn another_map_is_taken_if_this_one_does_not_fit() {
    let (mut game, _) = builder();
    click(&mut game, BuilderButton::Sides(3));
    let mut bears = draft(&game).clone();
    bears.ground = MapSource::Made(Form::Ruins, 902);
    bears.aim = Aim::Defeat;
    for squad in &mut bears.squads {
        squad.members = vec![(String::from("bear"), 2)];
    }
    game.app.insert_resource(bears);
    game.wait(3);
    click(&mut game, BuilderButton::Aim(Aim::Hold));
    assert!(draft(&game).level().is_ok());
    assert!(!matches!(draft(&game).ground, MapSource::Made(_, 902)));
    click(&mut game, BuilderButton::Start);
    assert_eq!(game.screen(), Screen::Battle);
}

/// Battles set up with the builder's buttons: every ruleset, every form of map, every aim,
/// two to four squads; each twice in a full run. The AI plays all sides in the window
/// until the result is shown.
#[test]
fn built_battles_can_be_fought_to_the_end() {
    let (mut game, _) = builder();
    for n in 0..sample(5, 10) {
        click(
            &mut game,
            BuilderButton::Form(Form::ALL[n % Form::ALL.len()]),
        );
        click(&mut game, BuilderButton::Reroll);
        click(&mut game, BuilderButton::Rules(n % ALL.len()));
        let aim = Aim::ALL[n % Aim::ALL.len()];
        click(&mut game, BuilderButton::Aim(aim));
        click(&mut game, BuilderButton::Sides(2 + n % 3));
        let told = format!("battle {n}: {}, {aim:?}", draft(&game).usual_title());
        // Try again: a click is lost if the page is rebuilt at that moment.
        for _ in 0..20 {
            if game.screen() != Screen::Battle {
                click(&mut game, BuilderButton::Start);
            }
        }
        assert_eq!(game.screen(), Screen::Battle, "{told}");
        let (level, rules) = {
            let fought = &game.session().game;
            (fought.level().clone(), fought.rules())
        };
        assert_eq!(level.sides.len(), 2 + n % 3, "{told}");
        assert_eq!(rules.id, ALL[n % ALL.len()].id, "{told}");
        let controllers = vec![SideController::Ai(Player::Quick); level.sides.len()];
        let mut session = Session::with_controllers(&level, rules, n as u64, controllers);
        while session.awaits_ai() {
            session.think();
        }
        assert!(session.game.is_over(), "{told}");
        let world = game.app.world_mut();
        world.insert_resource(Ready(session));
        let mut next = world.resource_mut::<NextState<Screen>>();
        next.set(Screen::Battle);
        for _ in 0..400 {
            game.send(Command::Skip, 2);
            if game.screen() == Screen::Result {
                break;
            }
        }
        assert_eq!(game.screen(), Screen::Result, "{told}");
        game.wait(3);
        assert!(game.says(&level.title), "{told}: {:?}", game.words());
        let world = game.app.world_mut();
        let mut next = world.resource_mut::<NextState<Screen>>();
        next.set(Screen::Builder);
        game.wait(5);
        assert_eq!(game.screen(), Screen::Builder, "{told}");
    }
}

/// The id of a creature larger than one cell.
fn large_kind() -> String {
    let kinds = &Content::built_in().creatures;
    let large = kinds.iter().find(|(_, kind)| kind.size > 1);
    large.expect("a large body").0.clone()
}

#[test]
fn six_large_units_find_room_on_any_map() {
    let large = large_kind();
    for seed in 0..10 {
        let mut draft = BattleDraft::new(seed);
        draft.set_sides(2 + seed as usize % 3, &mut Chance::new(seed));
        for squad in &mut draft.squads {
            squad.members = vec![(large.clone(), 6)];
        }
        let level = draft.level();
        let narrow = "The paths here are too narrow for";
        if let Err(why) = level
            && !why.starts_with(narrow)
        {
            panic!("{seed}: {why}");
        }
    }
}

#[test]
fn a_draft_is_a_valid_level_within_budget_under_every_ruleset() {
    for rules in 0..ALL.len() {
        for seed in 0..5 {
            let mut draft = BattleDraft::new(seed);
            draft.rules = rules;
            let mut chance = Chance::new(seed);
            for sides in [3, 4, 2] {
                draft.set_sides(sides, &mut chance);
                draft.match_points(&mut chance);
                let level = draft.level().unwrap_or_else(|why| panic!("{why}"));
                assert_eq!(level.sides.len(), sides);
                assert_eq!(draft.controllers().len(), sides);
                let first = draft.worth(0).points;
                for n in 1..sides {
                    let worth = draft.worth(n).points;
                    assert!(
                        (worth / first - 1.0).abs() < 0.35,
                        "{worth} against {first}"
                    );
                }
            }
            draft.squads[0].members.clear();
            for kind in points::kinds().iter().cycle().take(200) {
                draft.add(kind);
            }
            assert!(draft.worth(0).points <= f64::from(draft.budget));
            assert!(draft.squads[0].size() as usize <= SQUAD);
        }
    }
}

#[test]
fn a_map_is_taken_on_which_the_squads_can_fight() {
    let large = large_kind();
    for seed in 0..4 {
        let mut draft = BattleDraft::new(seed);
        draft.squads[1].members = vec![(large.clone(), 2)];
        for form in Form::ALL {
            draft.take_ground(form, seed * 100);
            let level = draft.level();
            assert!(level.is_ok(), "{form:?}, {seed}: {:?}", level.err());
        }
    }
}

#[test]
fn a_fair_fight_is_found() {
    let draft = BattleDraft::new(3);
    let progress = Progress::default();
    let found = fair(draft, 5, &progress, &|| false).expect("one is found");
    assert!(
        progress.line().contains("battle 100 of 100"),
        "{}",
        progress.line()
    );
    assert!(
        (progress.share() - 1.0).abs() < 1e-3,
        "{}",
        progress.share()
    );
    let win_rate = found.win_rate.expect("it was tested");
    assert_eq!(win_rate.of, FULL_TEST);
    assert!((0.3..=0.7).contains(&win_rate.share()), "{win_rate:?}");
    assert!(fair(BattleDraft::new(3), 5, &progress, &|| true).is_none());
}
