//! The battle being built: the player's choices, and the level made from them.

use crate::{
    battle::{Chance, Ruleset},
    control::{Player, Strategist, recording::SideController},
    lab::{
        Series,
        points::{self, Points, SQUAD},
        win_rate::{self, WinRate},
    },
    levels::{
        Level, check_file,
        compose::{Aim, Composition, Site, Squad},
        generate::{Form, MAX_SIDES, MapSpec, ground},
        isolated_unit,
    },
    rulesets,
};
use bevy::prelude::*;
use std::sync::{
    Arc,
    atomic::{AtomicU32, AtomicUsize, Ordering},
};

/// Where the battle takes place.
#[derive(Clone, Debug)]
pub enum MapSource {
    Made(Form, u64),
    Of(Arc<Level>),
}

/// The result of test battles as text: "Your squad won 48% (38 to 58%) of 100 test
/// battles."
pub fn line(win_rate: WinRate) -> String {
    let (low, high) = win_rate.interval();
    let percent = |share: f64| (share * 100.0).round();
    format!(
        "Your squad won {}% ({} to {}%) of {} test battles.",
        percent(win_rate.share()),
        percent(low),
        percent(high),
        win_rate.of
    )
}

/// The names of the squads.
const NAMES: [&str; MAX_SIDES] = ["Your squad", "The reds", "The greens", "The browns"];
/// The points limit of a squad: least, greatest, step.
pub const BUDGET: (u32, u32, u32) = (20, 400, 20);
/// The controllers to choose from for the other sides.
pub const OPPONENTS: [SideController; 4] = [
    SideController::Ai(Player::Easy),
    SideController::Ai(Player::Quick),
    SideController::Ai(Player::Strategist(Strategist::PLAYOUTS)),
    SideController::Human,
];

/// The choices made in the builder.
#[derive(Resource, Clone, Debug)]
pub struct BattleDraft {
    pub ground: MapSource,
    pub squads: Vec<Squad>,
    /// The squad that new units join.
    pub picked: usize,
    /// Index into the list of rulesets.
    pub rules: usize,
    /// Index into [`OPPONENTS`].
    pub opponent: usize,
    pub aim: Aim,
    /// The points limit of each squad.
    pub budget: u32,
    /// The result of the test battles for the current choices.
    pub win_rate: Option<WinRate>,
    /// Test battles are running.
    pub is_busy: bool,
    /// The title of the level.
    pub title: String,
}

impl BattleDraft {
    /// A first battle that can be started as it is.
    pub fn new(seed: u64) -> Self {
        let hero = |kind: &str| (String::from(kind), 1);
        let mut draft = Self {
            ground: MapSource::Made(Form::ALL[(seed % 5) as usize], seed),
            squads: vec![
                Squad {
                    name: NAMES[0].into(),
                    members: ["mara", "brandt", "tobin", "anselm"].map(hero).into(),
                },
                Squad::default(),
            ],
            picked: 0,
            rules: 0,
            opponent: 1,
            aim: Aim::Defeat,
            budget: 100,
            win_rate: None,
            is_busy: false,
            title: String::new(),
        };
        // The smallest limit, in whole steps, that the first squad fits.
        let (least, most, step) = BUDGET;
        let steps = (draft.worth(0).points / f64::from(step)).ceil() as u32;
        draft.budget = (steps * step).clamp(least, most);
        draft.match_points(&mut Chance::new(seed));
        draft.title = draft.usual_title();
        draft
    }

    pub fn rules(&self) -> &'static Ruleset {
        rulesets::ALL[self.rules]
    }

    /// The default title, such as "Woods 7".
    pub fn usual_title(&self) -> String {
        match &self.ground {
            MapSource::Made(form, seed) => {
                format!("{} {seed}", crate::battle::capitalised(form.name()))
            }
            MapSource::Of(level) => format!("{}, another battle", level.title),
        }
    }

    /// The map with starting places for all squads, or why it has none.
    fn place(&self) -> Result<Site, String> {
        let place = match &self.ground {
            MapSource::Made(form, seed) => {
                Site::of_ground(&ground(MapSpec::new(*form, *seed, self.squads.len())))
            }
            MapSource::Of(level) => {
                Site::of_level(level).ok_or_else(|| format!("{} is too small.", level.title))?
            }
        };
        match place.sides() >= self.squads.len() {
            true => Ok(place),
            false => Err(format!("This map has room for {} squads.", place.sides())),
        }
    }

    /// The greatest number of squads that the map has places for.
    pub fn most_squads(&self) -> usize {
        match &self.ground {
            MapSource::Made(..) => MAX_SIDES,
            MapSource::Of(level) => level.sides.len().min(MAX_SIDES),
        }
    }

    /// The level made from the choices, or why they do not make one.
    pub fn level(&self) -> Result<Arc<Level>, String> {
        let place = self.place()?;
        if let Some(empty) = self.squads.iter().find(|squad| squad.size() == 0) {
            return Err(format!("{} has no units.", empty.name));
        }
        if self.aim == Aim::Hold && !place.can_be_held() {
            return Err(String::from("This map has no middle to hold."));
        }
        let title = match self.title.trim() {
            "" => self.usual_title(),
            title => title.to_owned(),
        };
        let composition = Composition {
            title,
            briefing: String::new(),
            place,
            squads: self.squads.clone(),
            aim: self.aim,
            rules: None,
            kinds: String::new(),
        };
        match check_file("battle.ron", &composition.text()) {
            Ok((level, _)) => match isolated_unit(&level) {
                Some(one) => Err(format!("The paths here are too narrow for {}.", one.name)),
                None => Ok(Arc::new(level)),
            },
            Err(problems) => Err(problems[0].what.clone()),
        }
    }

    /// Generates maps of this form, from this seed on, until the squads can fight on
    /// one.
    pub fn take_ground(&mut self, form: Form, seed: u64) {
        for seed in seed..seed + GROUNDS {
            self.ground = MapSource::Made(form, seed % 1000);
            if self.level().is_ok() {
                return;
            }
        }
        self.ground = MapSource::Made(form, seed % 1000);
    }

    /// The controller of each side.
    pub fn controllers(&self) -> Vec<SideController> {
        let mut controllers = vec![OPPONENTS[self.opponent]; self.squads.len()];
        controllers[0] = SideController::Human;
        controllers
    }

    /// The points that a squad is worth.
    pub fn worth(&self, squad: usize) -> Points {
        points::of_squad(self.rules(), &self.squads[squad])
    }

    /// Why a unit of this kind cannot join the selected squad. `None` if it can.
    pub fn refuses(&self, kind: &str) -> Option<String> {
        let squad = &self.squads[self.picked];
        let points = points::of(self.rules(), kind)?.points;
        if squad.size() as usize >= SQUAD {
            return Some(format!("a squad can have at most {SQUAD} units"));
        }
        let after = self.worth(self.picked).points + points;
        (after > f64::from(self.budget))
            .then(|| format!("over the limit: {after:.0} of {} points", self.budget))
    }

    pub fn add(&mut self, kind: &str) {
        if self.refuses(kind).is_some() {
            return;
        }
        let members = &mut self.squads[self.picked].members;
        match members.iter_mut().find(|(there, _)| there == kind) {
            Some((_, count)) => *count += 1,
            None => members.push((kind.to_owned(), 1)),
        }
    }

    pub fn remove(&mut self, squad: usize, kind: &str) {
        let members = &mut self.squads[squad].members;
        if let Some((_, count)) = members.iter_mut().find(|(there, _)| there == kind) {
            *count -= 1;
        }
        members.retain(|(_, count)| *count > 0);
    }

    /// Sets the number of squads. New ones are as strong as the first.
    pub fn set_sides(&mut self, sides: usize, chance: &mut Chance) {
        self.squads.truncate(sides);
        while self.squads.len() < sides {
            self.squads.push(Squad::default());
            self.fill(self.squads.len() - 1, chance);
        }
        self.picked = self.picked.min(sides - 1);
    }

    /// Fills a squad with units that are worth as much as the first squad and fit on
    /// this map.
    fn fill(&mut self, n: usize, chance: &mut Chance) {
        let (goal, most) = (self.worth(0).points, f64::from(self.budget));
        for _ in 0..SQUADS {
            self.squads[n] = points::any_squad(self.rules(), NAMES[n], goal, most, chance);
            let mut alone = self.clone();
            for other in (0..alone.squads.len()).filter(|other| *other != n) {
                alone.squads[other].members = vec![(points::MEASURE.0.into(), 1)];
            }
            if alone.level().is_ok() {
                break;
            }
        }
    }

    /// Replaces the other squads by random ones worth as many points as the first.
    /// Also fills the first squad if it is empty.
    pub fn match_points(&mut self, chance: &mut Chance) {
        if self.squads[0].size() == 0 {
            let goal = 0.9 * f64::from(self.budget);
            let most = f64::from(self.budget);
            self.squads[0] = points::any_squad(self.rules(), NAMES[0], goal, most, chance);
        }
        for n in 1..self.squads.len() {
            self.fill(n, chance);
        }
    }
}

/// The most random squads to try until one can fight on the map.
const SQUADS: usize = 20;
/// The most maps to generate until one fits all squads.
const GROUNDS: u64 = 20;
/// The number of test battles of a full test.
pub const FULL_TEST: u32 = 100;
/// The number of test battles of a quick test in the search for a fair fight.
const QUICK_TEST: u32 = 30;
/// The most squads that the search for a fair fight tests.
const LOOKS: usize = 12;

/// The progress of a test or of a search for a fair fight.
#[derive(Debug, Default)]
pub struct Progress {
    /// The number of squads tested so far, including the current one. 0 for a plain
    /// test.
    looks: AtomicUsize,
    /// Battles fought with the current squads, and how many there will be.
    fought: AtomicU32,
    of: AtomicU32,
}

impl Progress {
    fn begin(&self, battles: u32) {
        self.fought.store(0, Ordering::Relaxed);
        self.of.store(battles, Ordering::Relaxed);
    }

    /// The progress as text.
    pub fn line(&self) -> String {
        let of = self.of.load(Ordering::Relaxed);
        let battle = format!("battle {} of {of}", self.fought.load(Ordering::Relaxed));
        match self.looks.load(Ordering::Relaxed) {
            0 => format!("Simulating: {battle}."),
            _ if of == FULL_TEST => format!("Testing the fairest: {battle}."),
            n => {
                format!("Looking for a fair fight: squads {n} of up to {LOOKS}, {battle}.")
            }
        }
    }

    /// The progress from 0 to 1.
    pub fn share(&self) -> f32 {
        let of = self.of.load(Ordering::Relaxed).max(1) as f32;
        let now = self.fought.load(Ordering::Relaxed) as f32 / of;
        match self.looks.load(Ordering::Relaxed) {
            0 => now,
            // The last, full test counts as much as three quick ones.
            n => {
                let all = LOOKS as f32 + 3.0;
                match of as u32 == FULL_TEST {
                    true => (LOOKS as f32 + 3.0 * now) / all,
                    false => (n as f32 - 1.0 + now) / all,
                }
            }
        }
    }
}

/// Runs test battles. Stops early if the result is no longer needed.
pub fn run_test(
    draft: &BattleDraft,
    battles: u32,
    seed: u64,
    progress: &Progress,
    is_enough: &dyn Fn() -> bool,
) -> Option<WinRate> {
    let level = draft.level().ok()?;
    progress.begin(battles);
    let players = vec![Player::Quick; level.sides.len()];
    let series = Series::new(&level, draft.rules(), players);
    win_rate::measure(&series, seed..seed + u64::from(battles), |so_far| {
        progress.fought.store(so_far.of, Ordering::Relaxed);
        !is_enough()
    })
}

/// Searches for squads that make a fair fight: quick tests of squads that are even by
/// points, then a full test of the most even one.
pub fn fair(
    mut draft: BattleDraft,
    seed: u64,
    progress: &Progress,
    is_enough: &dyn Fn() -> bool,
) -> Option<BattleDraft> {
    let mut chance = Chance::new(seed);
    let even = 1.0 / draft.squads.len() as f64;
    let mut best: Option<(f64, BattleDraft)> = None;
    for nth in 1..=LOOKS {
        progress.looks.store(nth, Ordering::Relaxed);
        progress.begin(QUICK_TEST);
        draft.match_points(&mut chance);
        let Some(found) = run_test(&draft, QUICK_TEST, seed, progress, is_enough) else {
            if is_enough() {
                return None;
            }
            continue;
        };
        let off = (found.share() - even).abs();
        if best.as_ref().is_none_or(|(least, _)| off < *least) {
            best = Some((off, draft.clone()));
        }
        if off < 0.06 {
            break;
        }
    }
    let (_, mut best) = best?;
    best.win_rate = run_test(&best, FULL_TEST, seed + 1000, progress, is_enough);
    Some(best)
}
