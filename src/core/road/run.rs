//! A run: the player's acts in order, with a recording of each battle. The squad, its
//! wounds and everything else are derived from them.

use super::{
    code::Settings,
    squad::{self, Gain, MAX, MAX_WOUNDS, Member, START, Wound, spell_name},
    way::{self, JOIN, REWARD, RoadBattle, WOUND},
};
use crate::{
    battle::{Battle, Body, Chance, CreatureRef, Side, State as Standing, all_units, capitalised},
    control::recording::{Broken, Recording},
    ron_read,
    words::{count, shown_line},
};
use serde::{Deserialize, Serialize};

/// A run, as stored in its file.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Run {
    /// Version of the file format.
    pub version: u32,
    /// The run's code, see [`Settings::code`].
    pub road: String,
    /// The player's acts, in order.
    pub acts: Vec<RunAct>,
    /// The battle in progress: its way and the recording so far.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fighting: Option<(RoadBattle, Recording)>,
}

/// An act of the player in a run.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub enum RunAct {
    /// Used a bandage on a unit's oldest wound.
    Bandage {
        who: String,
    },
    /// Made a unit's choice for a new level.
    Learn {
        who: String,
        gain: Gain,
    },
    /// Fought a battle to its end.
    Fight {
        way: RoadBattle,
        outcome: BattleOutcome,
        battle: Box<Recording>,
    },
    GiveUp,
}

/// The result of a battle for the squad.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BattleOutcome {
    pub won: bool,
    /// The fate of each squad member, by creature id, in the order of the battle's units.
    pub fates: Vec<(String, Fate)>,
}

/// What happened to a squad member in a battle.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum Fate {
    /// Still standing, or left the field.
    Stands,
    /// Fell and survived.
    Fell,
    Died,
}

impl BattleOutcome {
    /// The outcome of a finished battle in which the squad is the first side.
    pub fn of(battle: &Battle) -> Self {
        let world = battle.world();
        let all = all_units::<Body>(world).iter().zip(all_units(world));
        let fates = all.filter_map(|(body, sheet): (_, &CreatureRef)| {
            let kind = &sheet.creature.id;
            let fate = match body.state {
                Standing::Waiting | Standing::Up | Standing::Fled => Fate::Stands,
                Standing::Down => Fate::Fell,
                Standing::Dead => Fate::Died,
            };
            (body.side == Side(0)).then(|| (kind.clone(), fate))
        });
        Self {
            won: battle.over().flatten() == Some(Side(0)),
            fates: fates.collect(),
        }
    }
}

/// The reward for winning a battle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reward {
    /// Progress to the next level, in percent, for every survivor. Units also get it for
    /// a lost battle.
    pub progress: u8,
    pub bandages: u8,
    pub found: Option<Found>,
}

/// A find in a reward.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// A better first weapon for this unit, and the weapon's new name.
    Weapon {
        who: String,
        name: String,
    },
    Armour {
        who: String,
        name: String,
    },
    Spell {
        who: String,
        spell: String,
    },
    /// A hero who joins.
    Recruit(String),
}

impl Reward {
    /// Text for players: "40% of a level, 1 bandage, long bow +1 for Tobin".
    pub fn text(&self) -> String {
        let mut parts = vec![format!("{}% of a level", self.progress)];
        if self.bandages > 0 {
            parts.push(count(self.bandages.into(), "bandage"));
        }
        parts.extend(self.found.as_ref().map(Found::text));
        parts.join(", ")
    }
}

impl Found {
    /// Text for players: "long bow +1 for Tobin".
    pub fn text(&self) -> String {
        let name = |kind: &str| Member::new(kind, 1).name();
        match self {
            Self::Weapon { who, name: thing } | Self::Armour { who, name: thing } => {
                format!("{thing} for {}", name(who))
            }
            Self::Spell { who, spell } => {
                format!("the spell {} for {}", spell_name(spell), name(who))
            }
            Self::Recruit(kind) => format!("{} joins", name(kind)),
        }
    }
}

/// How a run ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunEnd {
    /// The squad won the last battle.
    Finished,
    /// No unit is left.
    Fallen,
    /// The squad lost a battle without a retreat left, or the last battle.
    Beaten,
    GaveUp,
}

impl RunEnd {
    /// Text for players: "reached the end".
    pub fn text(self) -> &'static str {
        match self {
            Self::Finished => "reached the end",
            Self::Fallen => "nobody left",
            Self::Beaten => "beaten",
            Self::GaveUp => "given up",
        }
    }

    /// The name in JSON output.
    pub fn id(self) -> &'static str {
        match self {
            Self::Finished => "finished",
            Self::Fallen => "fallen",
            Self::Beaten => "beaten",
            Self::GaveUp => "gave_up",
        }
    }
}

/// The state of a run after some acts.
#[derive(Clone, PartialEq, Debug)]
pub struct RunState {
    pub settings: Settings,
    /// Battles fought so far.
    pub stop: usize,
    pub squad: Vec<Member>,
    /// Units that died, in order.
    pub lost: Vec<Member>,
    pub bandages: u8,
    /// Battles that can still be lost without ending the run.
    pub retreats: u8,
    /// Battles won.
    pub won: usize,
    pub end: Option<RunEnd>,
    /// The results of the last battle, for players.
    pub news: Vec<News>,
}

/// A line about the results of a battle.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct News {
    pub text: String,
    pub kind: NewsKind,
}

/// What a line of news is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NewsKind {
    /// Whether the battle was won, and what the whole squad gets.
    Result,
    /// Wounds and deaths.
    Harm,
    /// Levels, finds, healing, recruits.
    Gain,
}

/// Bandages at the start of a run.
const BANDAGES: u8 = 3;
/// Battles between camps, where all wounds heal.
pub const CAMP: usize = 3;

impl RunState {
    pub fn new(settings: Settings) -> Self {
        Self {
            settings,
            stop: 0,
            squad: START.iter().map(|kind| Member::new(kind, 1)).collect(),
            lost: vec![],
            bandages: BANDAGES,
            retreats: settings.difficulty.retreats(),
            won: 0,
            end: None,
            news: vec![],
        }
    }

    pub fn member(&self, kind: &str) -> Option<&Member> {
        self.squad.iter().find(|m| m.kind == kind)
    }

    fn member_mut(&mut self, kind: &str) -> Result<&mut Member, String> {
        let found = self.squad.iter_mut().find(|m| m.kind == kind);
        found.ok_or_else(|| format!("'{}' is not in the squad", shown_line(kind)))
    }

    /// The reward for winning the way with this index at the fork.
    pub fn reward(&self, nth: usize) -> Reward {
        let mut chance = Chance::new(self.settings.draw(self.stop, nth, REWARD));
        let recruits = squad::others(self.squad.iter().chain(&self.lost));
        let small = self.squad.len() < START.len();
        let wants_recruit = small || nth > 0 && self.squad.len() < MAX && chance.below(4) == 0;
        let found = match wants_recruit && !recruits.is_empty() {
            true => {
                let kind = recruits[chance.below(recruits.len())].clone();
                Some(Found::Recruit(kind))
            }
            false if nth > 0 || chance.below(3) == 0 => self.find(&mut chance),
            false => None,
        };
        Reward {
            progress: if nth == 0 { 34 } else { 45 },
            bandages: if nth == 0 { 2 } else { 1 },
            found,
        }
    }

    /// A random item or spell for a random unit of the squad. `None` if that unit has no
    /// use for what was drawn.
    fn find(&self, chance: &mut Chance) -> Option<Found> {
        let member = &self.squad[chance.below(self.squad.len())];
        let who = member.kind.clone();
        let spells = member.new_spells();
        if !spells.is_empty() && chance.below(2) == 0 {
            let spell = spells[chance.below(spells.len())].clone();
            return Some(Found::Spell { who, spell });
        }
        let weapon = || {
            let name = member.weapon_name(member.weapon + 1)?;
            let who = who.clone();
            (member.weapon < 2).then_some(Found::Weapon { who, name })
        };
        let armour = || {
            let name = member.armour_name(member.armour + 1)?;
            let who = who.clone();
            (member.armour < 2).then_some(Found::Armour { who, name })
        };
        match chance.below(2) {
            0 => weapon().or_else(armour),
            _ => armour().or_else(weapon),
        }
    }

    /// Applies an act.
    ///
    /// # Errors
    /// Why the act is not possible, for players; the state is then unchanged.
    pub fn apply(&mut self, act: &RunAct) -> Result<(), String> {
        if self.end.is_some() {
            return Err("the run is over".into());
        }
        match act {
            RunAct::Bandage { who } => {
                if self.bandages == 0 {
                    return Err("there is no bandage left".into());
                }
                let member = self.member_mut(who)?;
                if member.wounds.is_empty() {
                    return Err(format!("{} has no wound", member.name()));
                }
                member.wounds.remove(0);
                self.bandages -= 1;
            }
            RunAct::Learn { who, gain } => {
                let member = self.member_mut(who)?;
                if member.choices_left() == 0 {
                    return Err(format!("{} has nothing to choose", member.name()));
                }
                if !member.choices().contains(gain) {
                    return Err(format!("{} cannot learn {}", member.name(), gain.name()));
                }
                member.gains.push(gain.clone());
            }
            RunAct::Fight { way, outcome, .. } => self.fought(way, outcome)?,
            RunAct::GiveUp => self.end = Some(RunEnd::GaveUp),
        }
        Ok(())
    }

    /// Applies the outcome of a battle: wounds, levels, reward, camp, the end of the run.
    ///
    /// # Errors
    /// If the battle belongs to another stop, or another squad fought it.
    pub fn fought(&mut self, way: &RoadBattle, outcome: &BattleOutcome) -> Result<(), String> {
        if way.stop != self.stop || way.nth >= way::count(&self.settings, self.stop) {
            return Err(format!("there is no such way at stop {}", self.stop + 1));
        }
        let same = |(kind, _): &(String, Fate)| self.member(kind).is_some();
        if outcome.fates.len() != self.squad.len() || !outcome.fates.iter().all(same) {
            return Err("another squad fought this battle".into());
        }
        self.news.clear();
        let reward = self.reward(way.nth);
        let last = usize::from(self.settings.battles);
        let (progress, is_last) = (reward.progress, way.stop + 1 == last);
        if outcome.won {
            self.won += 1;
            let bandages = count(reward.bandages.into(), "bandage");
            let text = match is_last {
                true => "Won: the end of the Road.".into(),
                false => format!("Won: {bandages}, and {progress}% of a level for each unit."),
            };
            self.tell(NewsKind::Result, text);
        } else if is_last || self.retreats == 0 {
            self.end = Some(RunEnd::Beaten);
            let why = match is_last {
                true => "the last battle must be won",
                false => "no retreat is left",
            };
            self.tell(NewsKind::Result, format!("Lost: {why}."));
        } else {
            self.retreats -= 1;
            let left = count(self.retreats.into(), "retreat");
            let what = format!("Lost: no reward, but {progress}% of a level for each unit.");
            let text = format!("{what} {} left.", capitalised(&left));
            self.tell(NewsKind::Result, text);
        }
        self.suffer(way, outcome);
        self.stop += 1;
        self.advance(progress);
        if outcome.won {
            self.take(&reward);
        }
        if self.squad.is_empty() {
            self.end = Some(RunEnd::Fallen);
        } else if self.end.is_none() && is_last {
            self.end = Some(RunEnd::Finished);
        } else if self.end.is_none() {
            if self.stop.is_multiple_of(CAMP) {
                self.camp();
            }
            self.join();
        }
        Ok(())
    }

    fn tell(&mut self, kind: NewsKind, text: impl Into<String>) {
        let text = text.into();
        self.news.push(News { text, kind });
    }

    /// Applies wounds and deaths.
    fn suffer(&mut self, way: &RoadBattle, outcome: &BattleOutcome) {
        for (n, (kind, fate)) in outcome.fates.iter().enumerate() {
            let draw = self.settings.draw(way.stop, way.nth * 64 + n, WOUND);
            let wound = Wound::ALL[(draw % 3) as usize];
            let at = self.squad.iter().position(|m| m.kind == *kind);
            let Some(at) = at else { continue };
            let hurt = match fate {
                Fate::Stands => continue,
                Fate::Fell => true,
                Fate::Died => self.settings.keeps_dead,
            };
            let member = &mut self.squad[at];
            let name = member.name();
            if hurt && (self.settings.keeps_dead || member.wounds.len() < MAX_WOUNDS) {
                if member.wounds.len() < MAX_WOUNDS {
                    member.wounds.push(wound);
                }
                let (wound, cost) = (wound.name(), wound.cost());
                let text = format!("{name} is wounded: {wound} ({cost}).");
                self.tell(NewsKind::Harm, text);
            } else {
                let why = match hurt {
                    true => "of one wound too many",
                    false => "in this battle",
                };
                self.tell(NewsKind::Harm, format!("{name} died {why}."));
                let lost = self.squad.remove(at);
                self.lost.push(lost);
            }
        }
    }

    /// Adds progress to every unit, in percent of a level.
    fn advance(&mut self, percent: u8) {
        for n in 0..self.squad.len() {
            let member = &mut self.squad[n];
            let before = member.level;
            member.advance(percent);
            let (name, level) = (member.name(), member.level);
            if level > before {
                self.tell(NewsKind::Gain, format!("{name} reaches level {level}."));
            }
        }
    }

    fn take(&mut self, reward: &Reward) {
        self.bandages += reward.bandages;
        let Some(found) = &reward.found else { return };
        let level = way::reference(self.stop)[0].level;
        let taken = match found {
            Found::Recruit(kind) => {
                self.squad.push(Member::new(kind, level));
                true
            }
            Found::Weapon { who, .. } => self.give(who, |m| m.weapon += 1),
            Found::Armour { who, .. } => self.give(who, |m| m.armour += 1),
            Found::Spell { who, spell } => {
                let gain = Gain::Spell(spell.clone());
                self.give(who, |m| m.found.push(gain))
            }
        };
        let text = capitalised(&found.text());
        match taken {
            true => self.tell(NewsKind::Gain, format!("{text}.")),
            false => {
                self.bandages += 1;
                let text = "Nobody is left who can use the find: you take one more bandage.";
                self.tell(NewsKind::Gain, text);
            }
        }
    }

    /// Changes a unit; `false` if it is no longer in the squad.
    fn give(&mut self, who: &str, change: impl FnOnce(&mut Member)) -> bool {
        self.member_mut(who).map(change).is_ok()
    }

    fn camp(&mut self) {
        self.squad.iter_mut().for_each(|one| one.wounds.clear());
        self.tell(NewsKind::Gain, "You camp: all wounds heal.");
    }

    /// Adds a hero if the squad has become too small.
    fn join(&mut self) {
        let free = squad::others(self.squad.iter().chain(&self.lost));
        if self.squad.len() >= squad::MIN || free.is_empty() {
            return;
        }
        let draw = self.settings.draw(self.stop, 0, JOIN);
        let kind = &free[(draw % free.len() as u64) as usize];
        let level = way::reference(self.stop)[0].level;
        let member = Member::new(kind, level);
        let (name, left) = (member.name(), self.squad.len());
        let why = match left {
            1 => "one unit is left".into(),
            n => format!("{n} units are left"),
        };
        self.squad.push(member);
        self.tell(NewsKind::Gain, format!("{name} joins, because only {why}."));
    }
}

/// The version that the program writes, and the only one that it reads.
const VERSION: u32 = 1;

impl Run {
    pub fn new(settings: &Settings) -> Self {
        Self {
            version: VERSION,
            road: settings.code(),
            acts: vec![],
            fighting: None,
        }
    }

    /// Parses a run file; `file` is the name for error messages.
    ///
    /// # Errors
    /// If the text is not a run (with line and column), has another version, or contains
    /// an act that is not possible.
    pub fn read(file: &str, text: &str) -> Result<Self, String> {
        let run: Self = ron_read::deserialize(file, text, "a run")?;
        if run.version != VERSION {
            let found = run.version;
            return Err(format!(
                "{file}: a run of version {found}; this program reads version {VERSION}"
            ));
        }
        run.state().map_err(|why| format!("{file}: {why}"))?;
        Ok(run)
    }

    /// The text of the run file.
    ///
    /// # Errors
    /// If the run cannot be serialised.
    pub fn text(&self) -> Result<String, String> {
        let style = ron::ser::PrettyConfig::default();
        ron::ser::to_string_pretty(self, style).map_err(|e| format!("cannot be written: {e}"))
    }

    /// The state after all acts.
    ///
    /// # Errors
    /// The first act that is not possible, counted from 1.
    pub fn state(&self) -> Result<RunState, String> {
        let mut state = RunState::new(Settings::of_code(&self.road)?);
        for (n, act) in self.acts.iter().enumerate() {
            let done = state.apply(act);
            done.map_err(|why| format!("act {}: {why}", n + 1))?;
        }
        Ok(state)
    }

    /// Applies an act and adds it to the run.
    ///
    /// # Errors
    /// Why the act is not possible; the run is then unchanged.
    pub fn act(&mut self, act: RunAct) -> Result<RunState, String> {
        let mut state = self.state()?;
        state.apply(&act)?;
        self.acts.push(act);
        Ok(state)
    }

    /// The finished battles in order, each with its way and outcome.
    pub fn battles(&self) -> impl Iterator<Item = (&RoadBattle, &BattleOutcome, &Recording)> {
        self.acts.iter().filter_map(|act| match act {
            RunAct::Fight {
                way,
                outcome,
                battle,
            } => Some((way, outcome, &**battle)),
            _ => None,
        })
    }

    /// Generates every battle again from the code and replays its recording. `go_on` is
    /// called after each simulated battle; returning `false` stops the check.
    ///
    /// # Errors
    /// The first stop, counted from 1, where the battle or its outcome differs.
    pub fn verify(&self, mut go_on: impl FnMut() -> bool) -> Result<(), String> {
        let mut state = RunState::new(Settings::of_code(&self.road)?);
        for act in &self.acts {
            if let RunAct::Fight {
                way,
                outcome,
                battle,
            } = act
            {
                let at = |why: &str| format!("stop {}: {why}", state.stop + 1);
                let again = way::way(&state.settings, state.stop, way.nth, &mut go_on);
                match again {
                    None => return Err(at("the check was stopped")),
                    Some(again) if again != *way => {
                        return Err(at("this road has another battle here"));
                    }
                    Some(_) => {}
                }
                let level = way::level(way, &state.squad, &state.settings).map_err(|e| at(&e))?;
                if battle.level_text.as_deref() != Some(&*level.source) || battle.seed != way.seed {
                    return Err(at("the recording is of another battle"));
                }
                let broken = |b: Broken| at(&format!("answer {}: {}", b.step, b.why));
                let played = battle.run(None).map_err(broken)?;
                if BattleOutcome::of(&played) != *outcome {
                    return Err(at("the battle ends in another way than the run says"));
                }
            }
            state.apply(act)?;
        }
        Ok(())
    }
}
