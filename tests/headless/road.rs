//! The Road: codes, the battles at each stop, runs as functions of their code, and the `road`
//! command.

use super::kit::Cli;
use fivefoot_core::control::Player;
use fivefoot_core::{
    content::Training,
    levels::check_file,
    road::{
        BattleOutcome, Difficulty, Fate, Member, Run, RunAct, RunEnd, RunState, Settings, Wound,
        auto::{Choice, next_act, play_on},
        squad, way,
    },
    rulesets::ALL,
};
use fivefoot_kit::sample;

fn settings(seed: u32) -> Settings {
    let n = seed as usize;
    Settings {
        difficulty: Difficulty::ALL[n / 5 % 4],
        keeps_dead: n.is_multiple_of(3),
        battles: 8 + (n % 3) as u8,
        ..Settings::new(seed.wrapping_mul(99_991), ALL[n % 5])
    }
}

#[test]
fn a_code_stands_for_all_settings_of_a_run() {
    for seed in 0..2_000 {
        let settings = settings(seed);
        let code = settings.code();
        assert_eq!(code.len(), "MOOR-7K2F-19".len(), "{code}");
        assert_eq!(Settings::of_code(&code), Ok(settings), "{code}");
        let typed = code.to_lowercase().replace('-', " ");
        assert_eq!(Settings::of_code(&typed), Ok(settings), "{typed}");
    }
}

#[test]
fn a_mistyped_code_is_refused() {
    let (mut wrong, mut all) = (0, 0);
    for seed in 0..200 {
        let code = settings(seed).code();
        for at in 5..code.len() {
            let mut letters: Vec<char> = code.chars().collect();
            if letters[at] == '-' {
                continue;
            }
            letters[at] = if letters[at] == '7' { '8' } else { '7' };
            let typed: String = letters.into_iter().collect();
            all += 1;
            wrong += usize::from(Settings::of_code(&typed).is_err());
        }
    }
    assert!(
        wrong * 10 > all * 9,
        "{wrong} of {all} wrong letters are found"
    );
    for code in ["", "MOOR", "XXXX-0000-00", "MOOR-7K2F-199", "MOOR-ÄÖÜ0-00"] {
        assert!(Settings::of_code(code).is_err(), "{code}");
    }
}

/// Every battle that a stop offers, for squads of all kinds, is a level without problems or
/// warnings.
#[test]
fn every_battle_of_a_road_passes_check() {
    for seed in 0..sample(10, 60) {
        let settings = settings(seed);
        let stop = seed as usize % 8;
        for nth in 0..way::count(&settings, stop) {
            let way = way::way(&settings, stop, nth, || true).expect("a battle");
            assert!(!way.members.is_empty());
            for squad in squads(stop) {
                let level = way::level(&way, &squad, &settings).expect("it has room");
                let (_, hints) = check_file("road.ron", &level.source).expect("it is sound");
                assert!(hints.is_empty(), "{}\n{}", hints[0], level.source);
                assert_eq!(level.rules.as_ref().map(|r| r.0), Some(settings.rules.id));
            }
        }
    }
}

/// The expected squad at a stop, a wounded one, and the largest and richest one.
fn squads(stop: usize) -> [Vec<Member>; 3] {
    let plain = way::reference(stop);
    let mut hurt = plain.clone();
    for (n, member) in hurt.iter_mut().enumerate() {
        member.wounds = (0..=n.min(2)).map(|k| Wound::ALL[(n + k) % 3]).collect();
    }
    let mut rich = plain.clone();
    rich.extend(
        squad::others(plain.iter())
            .into_iter()
            .take(2)
            .map(|kind| Member::new(&kind, 5)),
    );
    for member in &mut rich {
        member.level = 10;
        (member.weapon, member.armour) = (2, 2);
        while member.choices_left() > 0 {
            let choices = member.choices();
            let Some(gain) = choices.get(member.gains.len() % choices.len().max(1)) else {
                break;
            };
            member.gains.push(gain.clone());
        }
    }
    [plain, hurt, rich]
}

#[test]
fn unit_levels_and_wounds_change_the_numbers() {
    for rules in ALL {
        for kind in squad::others([].iter()) {
            let points = |member: &Member| {
                let made = squad::made(std::slice::from_ref(member), rules);
                ((rules.hit_points)(&made[0]), made[0].clone())
            };
            let young = Member::new(&kind, 1);
            let (first, creature) = points(&young);
            assert_eq!(
                first,
                (rules.hit_points)(young.base()),
                "{kind} {}",
                rules.id
            );
            assert!(matches!(creature.training, Training::Hero { level: 1, .. }));
            let (later, _) = points(&Member::new(&kind, 4));
            // Under Speed, levels raise Stress instead of hit points.
            assert!(
                later > first || rules.id == "Speed",
                "{kind} {}: {later}",
                rules.id
            );
            let mut hurt = young.clone();
            hurt.wounds = vec![Wound::Side];
            let (less, _) = points(&hurt);
            assert!(
                less < first && less >= first * 7 / 10,
                "{kind} {}: {less} of {first}",
                rules.id
            );
            hurt.wounds = vec![Wound::Leg];
            assert_eq!(points(&hurt).1.speed, young.base().speed - 10);
        }
    }
}

/// An outcome with the given fates; all other units stand.
fn outcome(state: &RunState, won: bool, fates: &[(usize, Fate)]) -> BattleOutcome {
    let fate = |n: usize| {
        fates
            .iter()
            .find(|f| f.0 == n)
            .map_or(Fate::Stands, |f| f.1)
    };
    let all = state.squad.iter().enumerate();
    BattleOutcome {
        won,
        fates: all.map(|(n, m)| (m.kind.clone(), fate(n))).collect(),
    }
}

#[test]
fn a_wound_lasts_until_it_is_healed() {
    let mut state = RunState::new(Settings::new(7, ALL[0]));
    let fell = outcome(&state, true, &[(1, Fate::Fell)]);
    let kind = state.squad[1].kind.clone();
    state
        .fought(&way::outline(&state.settings, 0, 0), &fell)
        .unwrap();
    let wounds = |state: &RunState| state.member(&kind).unwrap().wounds.clone();
    let wound = wounds(&state);
    assert_eq!(wound.len(), 1);
    let calm = outcome(&state, true, &[]);
    state
        .fought(&way::outline(&state.settings, 1, 0), &calm)
        .unwrap();
    assert_eq!(wounds(&state), wound, "the next battle heals nothing");
    let bandages = state.bandages;
    assert_eq!(
        next_act(&state),
        Some(RunAct::Bandage { who: kind.clone() })
    );
    state.apply(&RunAct::Bandage { who: kind.clone() }).unwrap();
    assert!(wounds(&state).is_empty());
    assert_eq!(state.bandages, bandages - 1);
    assert!(
        state.apply(&RunAct::Bandage { who: kind }).is_err(),
        "there is no wound left"
    );
}

#[test]
fn the_dead_leave_the_squad_unless_they_are_kept() {
    for keeps_dead in [false, true] {
        let settings = Settings {
            keeps_dead,
            ..Settings::new(8, ALL[0])
        };
        let mut state = RunState::new(settings);
        let died = outcome(&state, true, &[(0, Fate::Died)]);
        let kind = state.squad[0].kind.clone();
        state.fought(&way::outline(&settings, 0, 0), &died).unwrap();
        assert_eq!(state.member(&kind).is_some(), keeps_dead);
        assert_eq!(state.lost.len(), usize::from(!keeps_dead));
        let way = way::way(&settings, 1, 0, || true).unwrap();
        let level = way::level(&way, &state.squad, &settings).unwrap();
        let is_there = level.combatants.iter().any(|c| c.creature.id == kind);
        assert_eq!(is_there, keeps_dead);
    }
}

#[test]
fn a_run_ends_without_units_or_retreats() {
    let settings = Settings::new(9, ALL[0]);
    let mut state = RunState::new(settings);
    for lost in 0..=settings.difficulty.retreats() {
        assert_eq!(state.end, None, "after {lost} battles lost");
        let way = way::outline(&settings, state.stop, 0);
        let all = outcome(&state, false, &[]);
        state.fought(&way, &all).unwrap();
    }
    assert_eq!(state.end, Some(RunEnd::Beaten));
    let mut state = RunState::new(settings);
    let dead: Vec<_> = (0..4).map(|n| (n, Fate::Died)).collect();
    let all = outcome(&state, true, &dead);
    state.fought(&way::outline(&settings, 0, 0), &all).unwrap();
    assert_eq!(state.end, Some(RunEnd::Fallen));
    assert!(state.apply(&RunAct::GiveUp).is_err(), "it is over");
    // The last battle must be won, whatever retreats are left.
    let mut state = RunState::new(settings);
    for stop in 1..=usize::from(settings.battles) {
        let is_last = stop == usize::from(settings.battles);
        let way = way::outline(&settings, state.stop, 0);
        let all = outcome(&state, !is_last, &[]);
        state.fought(&way, &all).unwrap();
    }
    assert_eq!(state.end, Some(RunEnd::Beaten));
    assert!(state.retreats > 0);
    let output = &state.news[0].text;
    assert_eq!(output, "Lost: the last battle must be won.");
}

/// A hero joins where fewer than three units are left, won or lost.
#[test]
fn a_small_squad_is_joined() {
    for (won, dead) in [(false, 2), (false, 3), (true, 2)] {
        let mut state = RunState::new(Settings::new(11, ALL[0]));
        let fates: Vec<_> = (0..dead).map(|n| (n, Fate::Died)).collect();
        let all = outcome(&state, won, &fates);
        let way = way::outline(&state.settings, 0, 0);
        state.fought(&way, &all).unwrap();
        assert_eq!(state.squad.len(), 4 - dead + 1, "{:?}", state.news);
        let joined = state.squad.last().unwrap();
        assert!(state.lost.iter().all(|lost| lost.kind != joined.kind));
        let output = format!("{} joins", joined.name());
        assert!(state.news.iter().any(|news| news.text.starts_with(&output)));
        // Three are enough.
        let before = state.squad.len();
        let calm = outcome(&state, false, &[]);
        let way = way::outline(&state.settings, 1, 0);
        state.fought(&way, &calm).unwrap();
        assert_eq!(state.squad.len(), before.max(3), "{:?}", state.news);
    }
}

/// The news name the reward, wounds and levels.
#[test]
fn the_news_tell_what_was_gained_and_lost() {
    let mut state = RunState::new(Settings::new(12, ALL[0]));
    let mut output = vec![];
    for (n, won) in [true, false, true].into_iter().enumerate() {
        let fates = outcome(&state, won, &[(0, Fate::Fell)]);
        let way = way::outline(&state.settings, n, 0);
        state.fought(&way, &fates).unwrap();
        output.push(
            state
                .news
                .iter()
                .map(|n| &*n.text)
                .collect::<Vec<_>>()
                .join(" "),
        );
    }
    assert!(
        output[0].starts_with("Won: 2 bandages, and 34% of a level"),
        "{}",
        output[0]
    );
    assert!(output[0].contains("Mara is wounded: "), "{}", output[0]);
    assert!(output[1].starts_with("Lost: no reward"), "{}", output[1]);
    assert!(output[1].contains("1 retreat left."), "{}", output[1]);
    assert!(output[2].contains("Mara reaches level 2"), "{}", output[2]);
    assert!(output[2].contains("all wounds heal"), "{}", output[2]);
}

#[test]
fn an_impossible_act_is_refused_and_changes_nothing() {
    let mut state = RunState::new(Settings::new(10, ALL[0]));
    let before = state.clone();
    let who = String::from("mara");
    let later = way::outline(&state.settings, 3, 0);
    let all = outcome(&state, true, &[]);
    let mut few = all.clone();
    few.fates.pop();
    assert!(state.fought(&later, &all).is_err());
    assert!(
        state
            .fought(&way::outline(&state.settings, 0, 0), &few)
            .is_err()
    );
    assert!(state.apply(&RunAct::Bandage { who: who.clone() }).is_err());
    let gain = Member::new("mara", 2).choices()[0].clone();
    assert!(state.apply(&RunAct::Learn { who, gain }).is_err());
    assert_eq!(state, before);
}

/// Plays a run until it has `most` battles.
fn played(run: &mut Run, most: usize) -> RunState {
    play_on(run, Player::Quick, Choice::Safe, most, || true).unwrap()
}

#[test]
fn a_code_determines_the_run_even_with_saves() {
    for (n, rules) in ALL.into_iter().enumerate() {
        let settings = Settings::new(40 + n as u32, rules);
        let mut whole = Run::new(&settings);
        let state = played(&mut whole, 3);
        let mut saved = Run::new(&settings);
        for most in 1..=3 {
            let text = saved.text().unwrap();
            saved = Run::read("run.ron", &text).unwrap();
            played(&mut saved, most);
        }
        assert_eq!(saved, whole, "{}", rules.id);
        assert_eq!(whole.state(), Ok(state));
        assert_eq!(whole.verify(|| true), Ok(()));
    }
}

#[test]
fn an_altered_run_is_detected() {
    let mut run = Run::new(&Settings::new(41, ALL[0]));
    played(&mut run, 2);
    let fights = |run: &Run| {
        let mut all = run.acts.iter();
        all.position(|act| matches!(act, RunAct::Fight { .. }))
            .unwrap()
    };
    let at = fights(&run);
    let mut other = run.clone();
    let RunAct::Fight { outcome, .. } = &mut other.acts[at] else {
        unreachable!()
    };
    outcome.won = !outcome.won;
    assert!(other.verify(|| true).is_err());
    let mut other = run.clone();
    let RunAct::Fight { way, .. } = &mut other.acts[at] else {
        unreachable!()
    };
    way.members[0].1 += 1;
    assert!(
        other
            .verify(|| true)
            .unwrap_err()
            .contains("another battle")
    );
    let mut other = run.clone();
    let RunAct::Fight { battle, .. } = &mut other.acts[at] else {
        unreachable!()
    };
    battle.answers.pop();
    assert!(other.verify(|| true).is_err());
}

#[test]
fn an_invalid_run_file_is_refused_with_a_position() {
    let text = Run::new(&Settings::new(1, ALL[0])).text().unwrap();
    for (changed, output) in [
        (text.replace("version: 1", "version: 9"), "version 9"),
        (text.replace("acts", "deeds"), "run.ron:4:"),
        (text.replace("road: \"", "road: \"X"), "run.ron: "),
        (String::from("("), "run.ron:1:"),
    ] {
        let why = Run::read("run.ron", &changed).unwrap_err();
        assert!(why.contains(output), "{why}");
    }
}

#[test]
fn the_road_command_plays_verifies_and_extracts() {
    let dir = Cli::new("road");
    let output = dir.run(&["road", "--seed", "5", "--battles", "2", "--out", "run.ron"]);
    assert_eq!(output.code, 0, "{}", output.err);
    assert!(
        output.out.contains("After 2 of 9 battles"),
        "{}",
        output.out
    );
    let again = dir.run(&["road", "run.ron"]);
    assert_eq!(again.code, 0, "{}", again.err);
    assert_eq!(again.out, output.out);
    let battle = dir.run(&["road", "run.ron", "--extract", "1", "--out", "one.battle"]);
    assert_eq!(battle.code, 0, "{}", battle.err);
    assert_eq!(dir.run(&["replay", "one.battle"]).code, 0);
    assert_eq!(
        dir.run(&["road", "run.ron", "--extract", "9", "--out", "x"])
            .code,
        2
    );
    let on = dir.run(&["road", "run.ron", "--play-on", "--battles", "3", "--json"]);
    assert_eq!(on.code, 0, "{}", on.err);
    assert!(on.out.contains("\"what\":\"run\""), "{}", on.out);
    // The run's code gives an identical run.
    let code = Settings::new(5, ALL[0]).code();
    let whole = dir.run(&["road", "--code", &code, "--battles", "2"]);
    assert_eq!(whole.out, output.out);
    // `road` overwrites nothing except runs.
    dir.write("notes.txt", "mine");
    let kept = dir.run(&["road", "--battles", "1", "--out", "notes.txt"]);
    assert_eq!((kept.code, dir.read("notes.txt").as_str()), (1, "mine"));
    let forged = dir.read("run.ron").replacen("won: true", "won: false", 1);
    dir.write("forged.ron", forged);
    assert_eq!(dir.run(&["road", "forged.ron"]).code, 3);
    let many = dir.call("road --runs 2 --battles 1 --rules all --json");
    assert_eq!(many.code, 0, "{}", many.err);
    assert_eq!(many.out.lines().count(), ALL.len());
    for wrong in [
        &["road", "--code", "MOOR"][..],
        &["road", "--difficulty", "odd"],
        &["road", "--length", "3"],
        &["road", "--rules", "Demo"],
    ] {
        assert_eq!(dir.run(wrong).code, 2, "{wrong:?}");
    }
}

#[test]
fn places_of_a_run_have_names_of_their_own() {
    for seed in 0..sample(40, 400) {
        let settings = settings(seed);
        let stops = 0..usize::from(settings.battles);
        let ways = stops
            .flat_map(|stop| (0..way::count(&settings, stop)).map(move |nth| (stop, nth)))
            .map(|(stop, nth)| way::outline(&settings, stop, nth));
        let mut names: Vec<String> = ways.map(|way| way.title).collect();
        let all = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), all, "{}", settings.code());
    }
}
