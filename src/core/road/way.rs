//! The ways of a fork: battles generated for a target chance to win. They follow from the
//! run's code alone, so players who share a code get the same enemies on the same ground.
//! The target is for an unwounded squad of the expected level ([`reference`]); the chance
//! that a fork shows is measured with the actual squad ([`odds`]).

use super::{
    code::Settings,
    squad::{self, Member, START},
};
use crate::{
    battle::{Chance, capitalised},
    control::Player,
    lab::{
        Series,
        points::{self, squad_of},
        win_rate::{self, WinRate},
    },
    levels::{
        Level, check_file,
        compose::{Aim, Composition, Site, Squad},
        generate::{Form, MapSpec, ground},
        isolated_unit,
    },
};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A battle that can be chosen at a fork.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RoadBattle {
    /// Battles of the run before this one.
    pub stop: usize,
    /// Index at the fork; 0 is the safest way.
    pub nth: usize,
    /// Display name: "The old mill".
    pub title: String,
    /// The name of the enemy theme: "goblins".
    pub enemies: String,
    /// The enemies: creature id and number of each.
    pub members: Vec<(String, u32)>,
    /// The name of the map's [`Form`].
    pub form: String,
    /// The seed of the generated map.
    pub ground: u64,
    /// The name of the squad's [`Aim`].
    pub aim: String,
    /// The seed of the battle's dice.
    pub seed: u64,
}

/// Enemy themes: the ids of creatures that fight together.
const THEMES: [(&str, &str); 7] = [
    (
        "goblins",
        "goblin goblin_archer goblin_slinger goblin_chief goblin_shaman bugbear",
    ),
    (
        "bandits",
        "bandit bandit_archer crossbowman sergeant knight",
    ),
    ("the dead", "skeleton skeleton_archer zombie ghoul wight"),
    ("beasts", "wolf boar bear giant_rat giant_spider"),
    ("zealots", "cultist cult_adept clay_guard iron_hound"),
    ("monsters", "lurker bugbear ogre troll wolf"),
    ("soldiers", "watchman crossbowman hobgoblin sergeant knight"),
];

/// Names of places, with a comma between two, by the form of their map.
const TITLES: [(Form, &str); 5] = [
    (
        Form::Halls,
        "The old mill, The undercroft, The granary, The gaol, The abbey, The manor, \
         The salt house, The long hall",
    ),
    (
        Form::Caves,
        "The wolf den, The dripping cave, The quarry, The old mine, The gorge, The bear cave, \
         The sea cave, The deep fissure",
    ),
    (
        Form::Ruins,
        "The chapel on the moor, The broken bridge, The burnt village, The toll house, \
         The old wall, The fallen tower, The stone circle, The lost garden",
    ),
    (
        Form::Woods,
        "The charcoal wood, The alder marsh, The hunters' camp, The dark ford, The birch grove, \
         The clearing, The thorn hedge, The hollow oak",
    ),
    (
        Form::Hills,
        "The pass, The beacon, The sheep walk, The watch hill, The barrows, The scree, \
         The ridge road, The long down",
    ),
];

/// The name of the last place of every run.
const LAST: &str = "The warlord's hall";

/// Battles simulated for each candidate squad of enemies.
const LOOK: u32 = 24;
/// Candidate squads of enemies at most.
const LOOKS: usize = 6;
/// The search stops at a chance to win this close to the target.
const NEAR: f64 = 0.07;
/// How the chance to win grows with strength: log-odds for each unit of log-points
/// (docs/points.md).
const STEEP: f64 = 4.0;
/// Maps tried at most until one has room and paths for all units.
const GROUNDS: u64 = 20;

/// Purposes of random numbers, for [`Settings::draw`].
const ENEMIES: u64 = 1;
const DICE: u64 = 2;
const PLACE: u64 = 3;
const TEST: u64 = 4;
pub(super) const REWARD: u64 = 5;
pub(super) const WOUND: u64 = 6;
pub(super) const JOIN: u64 = 7;

/// Number of ways at the fork after `stop` battles: one before the last battle, otherwise
/// two or three.
pub fn count(settings: &Settings, stop: usize) -> usize {
    match stop + 1 == usize::from(settings.battles) {
        true => 1,
        false => 2 + usize::from(settings.draw(stop, 0, PLACE).is_multiple_of(3)),
    }
}

/// Percentage points that each ruleset adds to the target chance to win. Wounds, losses
/// and levels matter more under some rulesets; the correction makes a run about equally
/// hard under all (docs/road.md).
const ADDED: [(&str, i8); 5] = [
    ("Skirmish", -1),
    ("Segments", -4),
    ("Phased", -5),
    ("Speed", -4),
    ("Activity", 1),
];

/// The chance to win, in percent, that a way is generated for.
pub fn named_odds(settings: &Settings, nth: usize) -> u8 {
    let added = ADDED.iter().find(|(id, _)| *id == settings.rules.id);
    let added = added.map_or(0, |(_, added)| *added);
    let odds = settings.difficulty.odds()[nth.min(2)];
    odds.saturating_add_signed(added).min(95)
}

/// The squad that a run is expected to have after `stop` battles: the starting heroes at
/// the expected level, without gains and finds.
pub fn reference(stop: usize) -> Vec<Member> {
    let level = 1 + stop as i32 / 3;
    START.iter().map(|kind| Member::new(kind, level)).collect()
}

/// A way without its squad of enemies: theme, map and aim. Cheap, because no battles are
/// simulated, so the road map shows it for the whole run.
pub fn outline(settings: &Settings, stop: usize, nth: usize) -> RoadBattle {
    let last = stop + 1 == usize::from(settings.battles);
    // One order of themes and places for the whole run, so that the ways of a fork differ
    // and places are not repeated soon.
    let start = settings.draw(0, 0, PLACE) as usize;
    let step = 1 + start / 7 % 6;
    let theme = (start + (stop * 3 + nth) * step) % THEMES.len();
    let form_of = |stop: usize, nth: usize| (start / 64 + stop * 2 + nth) % TITLES.len();
    let (form, titles) = &TITLES[form_of(stop, nth)];
    let titles: Vec<&str> = titles.split(", ").collect();
    // Places of one form are named in turn, so that a name returns only after all others.
    let earlier = (0..stop).flat_map(|stop| (0..count(settings, stop)).map(move |n| (stop, n)));
    let earlier = earlier.chain((0..nth).map(|n| (stop, n)));
    let alike = earlier.filter(|&(s, n)| form_of(s, n) == form_of(stop, nth));
    let named = alike.count();
    let title = match last {
        true => LAST,
        false => titles[(start / 512 + named) % titles.len()],
    };
    let draw = settings.draw(stop, nth, PLACE);
    let aim = match (last, nth) {
        (true, _) => Aim::Leaders,
        (_, 0) => Aim::Defeat,
        _ => Aim::ALL[(draw % 3) as usize],
    };
    RoadBattle {
        stop,
        nth,
        title: title.into(),
        enemies: THEMES[theme].0.into(),
        members: vec![],
        form: form.name().into(),
        ground: draw / 3 % 1000,
        aim: aim.name().into(),
        seed: settings.draw(stop, nth, DICE),
    }
}

/// A way with its squad of enemies: draws squads and simulates battles until the chance
/// to win is near the target. Calls `go_on` after each battle. `None` if `go_on` returned
/// `false`, or no squad fits on any map.
pub fn way(
    settings: &Settings,
    stop: usize,
    nth: usize,
    mut go_on: impl FnMut() -> bool,
) -> Option<RoadBattle> {
    let mut way = outline(settings, stop, nth);
    let kinds = THEMES.iter().find(|(name, _)| *name == way.enemies);
    let kinds = kinds.map_or("", |(_, kinds)| kinds).split_whitespace();
    let squad = reference(stop);
    let rules = settings.rules;
    let goal = f64::from(named_odds(settings, nth)) / 100.0;
    let logit = |share: f64| (share / (1.0 - share)).ln();
    // The squad's strength as the logarithm of its points. Simulated battles refine this
    // first estimate.
    let worth = |m: &Member| points::of(rules, &m.kind).map_or(10.0, |of| of.points);
    let growth = 1.0 + 0.3 * f64::from(squad[0].level - 1);
    let mut strength = (squad.iter().map(worth).sum::<f64>() * growth).ln();
    let mut known = 2.0;
    let mut chance = Chance::new(settings.draw(stop, nth, ENEMIES));
    let mut best: Option<(f64, RoadBattle)> = None;
    for look in 0..LOOKS {
        let wanted = (strength - logit(goal) / STEEP).exp();
        let kinds = kinds.clone().map(String::from);
        let drawn = squad_of(rules, "", kinds, wanted, f64::MAX, &mut chance);
        let there = points::of_squad(rules, &drawn).points;
        way.members = drawn.members;
        let Some(level) = room(&mut way, &squad, settings) else {
            continue;
        };
        let first = settings.draw(stop, nth, TEST) % 1_000_000 + 1000 * look as u64;
        let seeds = first..first + u64::from(LOOK);
        let found = win_rate::measure(&series(&level, settings), seeds, |_| go_on())?;
        let share = (found.won + 1.0) / f64::from(found.of + 2);
        let weight = f64::from(found.of) * share * (1.0 - share);
        let seen = there.max(1.0).ln() + logit(share) / STEEP;
        strength = (strength * known + seen * weight) / (known + weight);
        known += weight;
        let off = (share - goal).abs();
        if best.as_ref().is_none_or(|(least, _)| off < *least) {
            best = Some((off, way.clone()));
        }
        if off < NEAR {
            break;
        }
    }
    best.map(|(_, way)| way)
}

/// The level on the first map, from the way's own seed on, that has room and paths for
/// all units. Stores that seed in `way`. `None` if no map fits; the seed is then unchanged.
fn room(way: &mut RoadBattle, squad: &[Member], settings: &Settings) -> Option<Arc<Level>> {
    let first = way.ground;
    for n in 0..GROUNDS {
        way.ground = (first + n) % 1000;
        if let Ok(level) = level(way, squad, settings) {
            return Some(level);
        }
    }
    way.ground = first;
    None
}

/// The level of a way, with this squad.
///
/// # Errors
/// Why there is none: an unknown form or aim, an empty squad, the first problem of the
/// generated file, or a path that is too narrow for a unit.
pub fn level(
    way: &RoadBattle,
    squad: &[Member],
    settings: &Settings,
) -> Result<Arc<Level>, String> {
    let form = Form::named(&way.form).ok_or_else(|| format!("no ground is '{}'", way.form))?;
    let aim = Aim::ALL.into_iter().find(|aim| aim.name() == way.aim);
    let aim = aim.ok_or_else(|| format!("no aim is '{}'", way.aim))?;
    let kinds = match squad.is_empty() {
        true => return Err("nobody is left".into()),
        false => squad::kinds(squad, settings.rules),
    };
    let one = |member: &Member| (member.kind.clone(), 1);
    let composition = Composition {
        title: way.title.clone(),
        briefing: format!(
            "Stop {} of {} on the Road. {} wait here.",
            way.stop + 1,
            settings.battles,
            capitalised(&way.enemies)
        ),
        place: Site::of_ground(&ground(MapSpec::new(form, way.ground, 2))),
        squads: vec![
            Squad {
                name: "Heroes".into(),
                members: squad.iter().map(one).collect(),
            },
            Squad {
                name: capitalised(&way.enemies),
                members: way.members.clone(),
            },
        ],
        aim,
        rules: Some(settings.rules.id),
        kinds,
    };
    match check_file(FILE, &composition.text()) {
        Ok((level, _)) => match isolated_unit(&level) {
            Some(one) => Err(format!("the paths here are too narrow for {}", one.name)),
            None => Ok(Arc::new(level)),
        },
        Err(problems) => Err(problems[0].to_string()),
    }
}

/// The file name in problems of a generated level.
const FILE: &str = "road.ron";

/// A series of battles with the quick AI on both sides.
pub fn series(level: &Arc<Level>, settings: &Settings) -> Series {
    Series::new(level, settings.rules, vec![Player::Quick; 2])
}

/// How often the quick AI wins the battle of a way with this squad. `fought` is called
/// after each battle. `None` if it returned `false`, or the squad has no room.
pub fn odds(
    way: &RoadBattle,
    squad: &[Member],
    settings: &Settings,
    battles: u32,
    fought: impl FnMut(WinRate) -> bool,
) -> Option<WinRate> {
    let level = level(way, squad, settings).ok()?;
    let first = settings.draw(way.stop, way.nth, TEST) % 1_000_000 + 100_000;
    let seeds = first..first + u64::from(battles);
    win_rate::measure(&series(&level, settings), seeds, fought)
}
