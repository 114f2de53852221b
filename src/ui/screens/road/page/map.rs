//! The map of the current run.

use super::fork::{LETTERS, odds_ink, odds_words};
use crate::{
    road::{BattleOutcome, CAMP, Fate, Member, way},
    ui::{
        art::{
            palette,
            road::{self as drawn, RoadMap, Stop, StopState},
        },
        hud::SmallPictures,
        pictures,
        screens::road::{Branch, Road},
    },
};
use bevy::prelude::*;

/// The map picture; `unit` is the number of layout pixels per drawing unit.
pub(super) fn picture(road: &Road, icons: &mut SmallPictures, unit: f32) -> Handle<Image> {
    let settings = road.state().map_or(road.settings, |state| state.settings);
    let played: Vec<(&way::RoadBattle, &BattleOutcome)> = road.run.as_ref().map_or(vec![], |run| {
        run.battles()
            .map(|(way, outcome, _)| (way, outcome))
            .collect()
    });
    let over = road.state().is_some_and(|state| state.end.is_some());
    let stop = |n: usize| {
        if let Some((way, outcome)) = played.get(n) {
            let mark = if outcome.won {
                StopState::Won
            } else {
                StopState::Lost
            };
            return Stop {
                mark,
                name: way.title.clone(),
                note: note(outcome),
            };
        }
        let is_next = n == played.len() && road.run.is_some() && !over;
        let ahead = way::outline(&settings, n, 0);
        let mark = if is_next {
            StopState::Next
        } else {
            StopState::Ahead
        };
        let last = n + 1 == usize::from(settings.battles);
        let note = match last {
            true => format!("{}, the last", ahead.enemies),
            false if n.is_multiple_of(CAMP) && n > 0 => {
                format!("{}, after a camp", ahead.enemies)
            }
            false => ahead.enemies,
        };
        Stop {
            mark,
            name: ahead.title,
            note,
        }
    };
    let branch = |(n, branch): (usize, &Branch)| drawn::Branch {
        letter: LETTERS[n.min(2)],
        name: branch.way.title.clone(),
        odds: odds_words(branch),
        is_picked: n == road.marked(),
        ink: odds_ink(branch),
    };
    let is_open = road.state().is_some_and(|state| state.end.is_none());
    let fork = road.fork.iter().enumerate().filter(|_| is_open);
    let squad = road.state().map_or(&[][..], |state| &state.squad);
    let map = RoadMap {
        seed: settings.seed.into(),
        stops: (0..settings.battles.into()).map(stop).collect(),
        fork: fork.map(branch).collect(),
        squad: squad.iter().map(|_| palette::BLUE).collect(),
        text_scale: (0.95 / unit).clamp(1.0, 1.5),
    };
    let scale = icons.pictures.scale();
    let key = format!("road {map:?} {unit} {scale}");
    let images = &mut icons.images;
    let picture = || images.add(pictures::image(drawn::map(&map, unit * scale)));
    icons.pictures.keep(key, picture)
}

/// The result of a battle in a few words.
fn note(outcome: &BattleOutcome) -> String {
    let end = if outcome.won { "won" } else { "lost" };
    let names = |wanted: Fate| {
        let all = outcome.fates.iter().filter(move |of| of.1 == wanted);
        all.map(|of| Member::new(&of.0, 1).name())
            .collect::<Vec<_>>()
    };
    let (died, fell) = (names(Fate::Died), names(Fate::Fell));
    match (&died[..], &fell[..]) {
        ([], []) => format!("{end}, nobody fell"),
        ([one], _) => format!("{end}, {one} died"),
        ([], [one]) => format!("{end}, {one} hurt"),
        ([], all) => format!("{end}, {} hurt", all.len()),
        (all, _) => format!("{end}, {} died", all.len()),
    }
}
