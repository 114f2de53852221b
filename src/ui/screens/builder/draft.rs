//! The battle that is being put together: what was chosen, and what comes of it.

use crate::{
    battle::{Chance, Ruleset},
    control::{Player, Strategist, recording::Seat},
    lab::{
        Series,
        points::{self, Points, SQUAD},
        trial::{self, Tried},
    },
    levels::{
        Level, check_file,
        compose::{Aim, Composition, Place, Squad},
        generate::{Form, MOST_SIDES, Wish, ground},
        shut_in,
    },
    rulesets,
};
use bevy::prelude::*;
use std::sync::{
    Arc,
    atomic::{AtomicU32, AtomicUsize, Ordering},
};

/// Where it is fought.
#[derive(Clone, Debug)]
pub enum Ground {
    Made(Form, u64),
    Of(Arc<Level>),
}

/// "Your squad won 48% (38 to 58%) of 100 test battles."
pub fn line(tried: Tried) -> String {
    let (low, high) = tried.interval();
    let percent = |share: f64| (share * 100.0).round();
    format!(
        "Your squad won {}% ({} to {}%) of {} test battles.",
        percent(tried.share()),
        percent(low),
        percent(high),
        tried.of
    )
}

/// The names that the squads have.
const NAMES: [&str; MOST_SIDES] = ["Your squad", "The reds", "The greens", "The browns"];
/// Points of a squad: the least, the most, a step.
pub const BUDGET: (u32, u32, u32) = (20, 400, 20);
/// Who may play the others.
pub const OPPONENTS: [Seat; 4] = [
    Seat::Ai(Player::Easy),
    Seat::Ai(Player::Quick),
    Seat::Ai(Player::Strategist(Strategist::PLAYOUTS)),
    Seat::Human,
];

/// What was chosen.
#[derive(Resource, Clone, Debug)]
pub struct Draft {
    pub ground: Ground,
    pub squads: Vec<Squad>,
    /// The squad that is being filled.
    pub picked: usize,
    /// A place among the rulesets.
    pub rules: usize,
    /// A place in [`OPPONENTS`].
    pub opponent: usize,
    pub aim: Aim,
    /// Points that a squad may have.
    pub budget: u32,
    /// What trying it came to, as it is now.
    pub tried: Option<Tried>,
    /// It is being tried.
    pub is_busy: bool,
    /// As the level is called.
    pub title: String,
}

impl Draft {
    /// Something that can be fought at once.
    pub fn new(seed: u64) -> Self {
        let hero = |kind: &str| (String::from(kind), 1);
        let mut draft = Self {
            ground: Ground::Made(Form::ALL[(seed % 5) as usize], seed),
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
            tried: None,
            is_busy: false,
            title: String::new(),
        };
        // So many that they fit, in whole steps.
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

    /// "Woods 7".
    pub fn usual_title(&self) -> String {
        match &self.ground {
            Ground::Made(form, seed) => {
                format!("{} {seed}", crate::battle::capitalised(form.name()))
            }
            Ground::Of(level) => format!("{}, another battle", level.title),
        }
    }

    /// The ground, if it has places for all squads.
    fn place(&self) -> Result<Place, String> {
        let place = match &self.ground {
            Ground::Made(form, seed) => {
                Place::of_ground(&ground(Wish::new(*form, *seed, self.squads.len())))
            }
            Ground::Of(level) => {
                Place::of_level(level).ok_or_else(|| format!("{} is too small.", level.title))?
            }
        };
        match place.sides() >= self.squads.len() {
            true => Ok(place),
            false => Err(format!("This map has room for {} squads.", place.sides())),
        }
    }

    /// How many squads the ground has places for.
    pub fn most_squads(&self) -> usize {
        match &self.ground {
            Ground::Made(..) => MOST_SIDES,
            Ground::Of(level) => level.sides.len().min(MOST_SIDES),
        }
    }

    /// The level that comes of it, or why none does.
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
            Ok((level, _)) => match shut_in(&level) {
                Some(one) => Err(format!("The paths here are too narrow for {}.", one.name)),
                None => Ok(Arc::new(level)),
            },
            Err(problems) => Err(problems[0].what.clone()),
        }
    }

    /// Ground of a form made by chance, from this seed on the first on which these
    /// squads can fight.
    pub fn take_ground(&mut self, form: Form, seed: u64) {
        for seed in seed..seed + GROUNDS {
            self.ground = Ground::Made(form, seed % 1000);
            if self.level().is_ok() {
                return;
            }
        }
        self.ground = Ground::Made(form, seed % 1000);
    }

    /// Who plays which side.
    pub fn seats(&self) -> Vec<Seat> {
        let mut seats = vec![OPPONENTS[self.opponent]; self.squads.len()];
        seats[0] = Seat::Human;
        seats
    }

    /// What a squad is worth.
    pub fn worth(&self, squad: usize) -> Points {
        points::of_squad(self.rules(), &self.squads[squad])
    }

    /// Why one of a kind cannot join the squad that is being filled.
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

    /// So many squads; new ones are as strong as the first.
    pub fn set_sides(&mut self, sides: usize, chance: &mut Chance) {
        self.squads.truncate(sides);
        while self.squads.len() < sides {
            self.squads.push(Squad::default());
            self.fill(self.squads.len() - 1, chance);
        }
        self.picked = self.picked.min(sides - 1);
    }

    /// A squad as strong as the first that finds room on this ground, and ways wide
    /// enough.
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

    /// Other squads against the first, worth as much by the table. If nobody is in
    /// the first, it is filled too.
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

/// Squads that chance makes until one can fight on a ground.
const SQUADS: usize = 20;
/// Grounds that are looked at until one has room and ways for all.
const GROUNDS: u64 = 20;
/// Battles of a trial.
pub const TRIAL: u32 = 100;
/// And of a first look at squads that might be fair.
const LOOK: u32 = 30;
/// Squads that are looked at for a fair fight at most.
const LOOKS: usize = 12;

/// How far a search for a fair fight, or a trial, has come.
#[derive(Debug, Default)]
pub struct Progress {
    /// Squads that were looked at, this one too.
    looks: AtomicUsize,
    /// Battles that were fought of this one, and those that there will be.
    fought: AtomicU32,
    of: AtomicU32,
}

impl Progress {
    fn begin(&self, battles: u32) {
        self.fought.store(0, Ordering::Relaxed);
        self.of.store(battles, Ordering::Relaxed);
    }

    /// "Looking for a fair fight: squads 3 of 12 at most, battle 20 of 30".
    pub fn line(&self) -> String {
        let of = self.of.load(Ordering::Relaxed);
        let battle = format!("battle {} of {of}", self.fought.load(Ordering::Relaxed));
        match self.looks.load(Ordering::Relaxed) {
            0 => format!("Simulating: {battle}."),
            _ if of == TRIAL => format!("Testing the fairest: {battle}."),
            n => {
                format!("Looking for a fair fight: squads {n} of up to {LOOKS}, {battle}.")
            }
        }
    }

    /// From 0 to 1.
    pub fn share(&self) -> f32 {
        let of = self.of.load(Ordering::Relaxed).max(1) as f32;
        let now = self.fought.load(Ordering::Relaxed) as f32 / of;
        match self.looks.load(Ordering::Relaxed) {
            0 => now,
            // The last look is of as many battles as three of the others.
            n => {
                let all = LOOKS as f32 + 3.0;
                match of as u32 == TRIAL {
                    true => (LOOKS as f32 + 3.0 * now) / all,
                    false => (n as f32 - 1.0 + now) / all,
                }
            }
        }
    }
}

/// Fights it so often; fewer if nobody waits for it any more.
pub fn tried(
    draft: &Draft,
    battles: u32,
    seed: u64,
    progress: &Progress,
    is_enough: &dyn Fn() -> bool,
) -> Option<Tried> {
    let level = draft.level().ok()?;
    progress.begin(battles);
    let players = vec![Player::Quick; level.sides.len()];
    let series = Series::new(&level, draft.rules(), players);
    trial::tried(&series, seed..seed + u64::from(battles), |so_far| {
        progress.fought.store(so_far.of, Ordering::Relaxed);
        !is_enough()
    })
}

/// Squads against the first that make an even fight, by trial: each that the table
/// takes for even is looked at, the most even one is fought until it is known.
pub fn fair(
    mut draft: Draft,
    seed: u64,
    progress: &Progress,
    is_enough: &dyn Fn() -> bool,
) -> Option<Draft> {
    let mut chance = Chance::new(seed);
    let even = 1.0 / draft.squads.len() as f64;
    let mut best: Option<(f64, Draft)> = None;
    for nth in 1..=LOOKS {
        progress.looks.store(nth, Ordering::Relaxed);
        progress.begin(LOOK);
        draft.match_points(&mut chance);
        let Some(looked) = tried(&draft, LOOK, seed, progress, is_enough) else {
            if is_enough() {
                return None;
            }
            continue;
        };
        let off = (looked.share() - even).abs();
        if best.as_ref().is_none_or(|(least, _)| off < *least) {
            best = Some((off, draft.clone()));
        }
        if off < 0.06 {
            break;
        }
    }
    let (_, mut best) = best?;
    best.tried = tried(&best, TRIAL, seed + 1000, progress, is_enough);
    Some(best)
}
