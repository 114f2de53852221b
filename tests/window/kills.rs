//! A game that is killed at any moment loses nothing that it had saved.
//!
//! The test starts another process that plays, kills it and checks the files. To kill more
//! often than the suite has time for: `FIVEFOOT_KILLS=200 cargo test --test window kills`.

use super::kit::{
    game::{Game, fresh_home},
    shell::{against, answer, at, click_command, end_turn, show},
};
use fivefoot::ui::widgets::SendOnPress;
use fivefoot::{
    levels,
    rulesets::ALL,
    ui::{
        Screen,
        app_command::{AppCommand, SaveCommand},
        home::Home,
        saves::index::{SaveFolder, SaveKind},
        settings::{Settings, store},
    },
};
use std::{
    io::{BufRead, BufReader, Write},
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    sync::mpsc::{Receiver, channel},
    time::Duration,
};

/// The environment variable with the home folder of the process to kill.
const HOME: &str = "FIVEFOOT_KILLED_AT";

/// Default number of kills.
const KILLS: u64 = 8;

fn settings_file(home: &Path) -> PathBuf {
    store::path(&Home::at(home)).expect("a folder for settings")
}

/// The number of answers in the longest recording of a battle that is on the disk.
fn saved_answers(home: &Path, battle: &str) -> Option<usize> {
    let folders = ["saves", "replays"].map(|name| SaveFolder(home.join(name)));
    folders
        .iter()
        .flat_map(SaveFolder::list)
        .filter(|e| e.battle() == battle && e.kind != SaveKind::Round)
        .filter_map(|e| Some(e.found.as_ref().ok()?.answers.len()))
        .max()
}

/// Tells the test process what is on the disk now.
fn told(what: &str) {
    println!("\n>{what}");
    std::io::stdout().flush().unwrap();
}

/// The process to kill: continues the last battle or starts one, plays, and changes settings
/// until it is killed.
#[test]
#[ignore = "plays until it is killed: the test below starts it"]
fn one_who_plays_until_killed() {
    let Some(home) = std::env::var_os(HOME).map(PathBuf::from) else {
        return;
    };
    let mut game = at(&home);
    let pid = u64::from(std::process::id());
    let go_on = AppCommand::Save(SaveCommand::Continue);
    if game
        .find::<SendOnPress<AppCommand>>(|does| does.0 == go_on)
        .is_some()
    {
        click_command(&mut game, &go_on);
    } else {
        begin(&mut game, pid);
    }
    for n in 0.. {
        game.until_asked();
        if game.screen() != Screen::Battle {
            told("over");
            begin(&mut game, pid + n);
            continue;
        }
        game.wait(12);
        // While others act, the last answers are written a little later.
        game.until("the battle is saved", |game| {
            let session = game.session();
            game.screen() != Screen::Battle
                || saved_answers(&home, session.game.id()) >= Some(session.game.answered())
        });
        if game.screen() != Screen::Battle {
            continue;
        }
        let battle = game.session().game.id().to_owned();
        told(&format!("kept {battle} {}", game.session().game.answered()));
        if n % 3 == 1 {
            let mut settings = game.app.world_mut().resource_mut::<Settings>();
            let effects = (settings.volumes.effects + 5) % 100;
            settings.volumes.effects = effects;
            let file = settings_file(&home);
            let is_kept = || store::load(&file).0.volumes.effects == effects;
            game.until("the settings are written", |_| is_kept());
            told(&format!("set {effects}"));
        }
        end_turn(&mut game);
        if game.screen() == Screen::Battle && game.session().question().is_some() {
            answer(&mut game);
        }
    }
}

fn begin(game: &mut Game, seed: u64) {
    let rules = ALL[seed as usize % ALL.len()];
    let enemy = fivefoot::control::Player::Quick;
    show(game, against(enemy, &levels::default_level(), rules, seed));
}

/// Starts the process to kill.
fn player(home: &Path) -> (Child, Receiver<String>) {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--ignored", "--exact", "--nocapture"])
        .arg("kills::one_who_plays_until_killed")
        .env(HOME, home)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("the tests can be started again");
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let (say, hear) = channel();
    std::thread::spawn(move || {
        for line in lines.map_while(Result::ok) {
            if let Some(what) = line.strip_prefix('>') {
                let _ = say.send(what.to_owned());
            }
        }
    });
    (child, hear)
}

#[test]
fn a_kill_at_any_moment_loses_nothing() {
    let kills = std::env::var("FIVEFOOT_KILLS").ok();
    let kills = kills.map_or(KILLS, |n| n.parse().expect("a number of kills"));
    let home = fresh_home();
    let mut moment = fivefoot::battle::Chance::new(7);
    // The last setting that the process reported as saved.
    let mut effects = None;
    for n in 0..kills {
        let (mut child, heard) = player(&home);
        // Kill at a random moment after the first report; sometimes before it.
        let mut lines = vec![];
        if !n.is_multiple_of(8) {
            lines.extend(heard.recv_timeout(Duration::from_secs(600)));
            assert_eq!(lines.len(), 1, "kill {n}: it never began to play");
        }
        std::thread::sleep(Duration::from_millis(moment.below(700) as u64));
        child.kill().unwrap();
        child.wait().unwrap();
        lines.extend(heard.iter());

        let (settings, complaint) = store::load(&settings_file(&home));
        assert_eq!(complaint, None, "kill {n}");
        let set = lines
            .iter()
            .filter_map(|l| l.strip_prefix("set "))
            .next_back();
        effects = set.map(|s| s.parse::<u8>().unwrap()).or(effects);
        if let Some(effects) = effects {
            let now = settings.volumes.effects;
            // The next value may have been written without a report yet.
            let next = (effects + 5) % 100;
            assert!(
                [effects, next].contains(&now),
                "kill {n}: {now}, not {effects}"
            );
        }
        effects = effects.map(|_| settings.volumes.effects);
        let saves = SaveFolder(home.join("saves")).list();
        for entry in &saves {
            assert!(entry.found.is_ok(), "kill {n}: {:?}", entry.path);
        }
        let kept = lines
            .iter()
            .filter_map(|l| l.strip_prefix("kept "))
            .next_back();
        let Some((battle, answers)) = kept.and_then(|k| k.split_once(' ')) else {
            continue;
        };
        let longest = saved_answers(&home, battle);
        let answers = Some(answers.parse::<usize>().unwrap());
        assert!(longest >= answers, "kill {n}: {longest:?} of {answers:?}");
    }
    std::fs::remove_dir_all(home).unwrap();
}
