//! What each enemy does in its next turn, in simulated rounds.

use super::{Enemies, Fork, Observed, Situation, play, seeds};
use crate::{
    battle::{Choice, CueKind, Event, EventKind, EventTable, Handling, Id, Item, Roster, Ruleset},
    grid::{Cell, cells_apart},
};
use bevy_ecs::world::World;
use std::{cmp::Reverse, collections::BTreeMap};

/// What an enemy does first on its turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Action {
    Attacks(Id),
    Casts,
    /// It helps another unit, for example by bandaging it.
    Helps(Id),
    /// It loads a weapon that it does not use yet.
    Loads,
    /// It only moves.
    Moves,
    /// It only reacts, for example by attacking a unit that leaves its reach.
    Reacts,
    /// It falls before its turn.
    Falls,
}

impl Action {
    /// Whether it is the main action of a turn, not just the move before it.
    fn is_main(self) -> bool {
        matches!(self, Self::Attacks(_) | Self::Casts)
    }

    /// Of several actions in a turn, the one with the highest rank counts.
    fn rank(self) -> u8 {
        match self {
            Self::Attacks(_) | Self::Casts => 3,
            Self::Helps(_) => 2,
            Self::Loads | Self::Moves => 1,
            Self::Reacts | Self::Falls => 0,
        }
    }
}

/// How a unit attacks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum AttackKind {
    Melee,
    Shot,
    Throw,
    Spell,
}

impl AttackKind {
    /// The kind of a plain attack.
    pub fn of(rules: &Ruleset, world: &World, attack: &Choice) -> Self {
        let is_melee = rules.planning.melee() == Some(attack.verb);
        let item = attack.with.filter(|_| !is_melee);
        item.map_or(Self::Melee, |item| Self::at_range(world, item))
    }

    /// The kind of a ranged attack with a weapon.
    fn at_range(world: &World, with: Item) -> Self {
        match world.resource::<Roster>().stock.weapon(with).is_thrown() {
            true => Self::Throw,
            false => Self::Shot,
        }
    }
}

/// Something that an enemy is likely to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Prediction {
    pub action: Action,
    /// How often it does so, in percent.
    pub percent: u32,
    /// Its best chance to hit, in percent. `None` if unknown.
    pub hits: Option<u32>,
    /// How it attacks most often.
    pub kind: AttackKind,
    /// Whether it mostly attacks at the end of a charge in a straight line.
    pub is_charge: bool,
    /// Its likeliest destination if it only moves; the cell that it likeliest attacks from. Never
    /// the destination of an enemy whose action is likelier.
    pub to: Option<Cell>,
    /// Whether it mostly ends there, or at most one cell away.
    pub is_place_likely: bool,
    /// The direction in which it mostly moves, in the words of [`Cell::direction_from`].
    pub heading: Option<&'static str>,
    /// Whether it mostly does so only in the next round, because its turn in this one is over
    /// or it cannot act.
    pub is_later: bool,
}

/// What an enemy did in one round.
#[derive(Clone, Copy)]
pub struct Done {
    pub action: Action,
    pub hits: Option<u32>,
    pub kind: AttackKind,
    pub is_charge: bool,
    /// Where its move began.
    pub from: Option<Cell>,
    pub to: Option<Cell>,
    pub is_later: bool,
}

type Actions = BTreeMap<Id, Done>;

/// Rounds that are enough to predict enemies.
pub const ENEMY_ROUNDS: u32 = 20;
/// An enemy that ends in one place, or moves in one direction, in at least this share of rounds
/// mostly does so, in percent.
const LIKELY_PLACE: usize = 60;

impl Situation {
    /// What each enemy is likely to do in its next turn, most frequent first, given what has been
    /// declared. Round n, counted from 1, uses the dice of `seed` plus n. `None` if cancelled.
    pub fn predict(
        &self,
        seed: u64,
        cancelled: &dyn Fn() -> bool,
    ) -> Option<BTreeMap<Id, Vec<Prediction>>> {
        let mut all: BTreeMap<Id, BTreeMap<Action, Vec<Done>>> = BTreeMap::new();
        for seed in seeds(seed, ENEMY_ROUNDS) {
            for (who, done) in first_actions(self, seed, cancelled)? {
                let of_action = all.entry(who).or_default().entry(done.action);
                of_action.or_default().push(done);
            }
        }
        let actions = |of: BTreeMap<Action, Vec<Done>>| {
            let mut actions: Vec<Vec<Done>> = of.into_values().collect();
            actions.sort_by_key(|done| Reverse(done.len()));
            actions
        };
        let all = all.into_iter().map(|(who, of)| (who, actions(of)));
        let mut all: Vec<(Id, Vec<Vec<Done>>)> = all.collect();
        // Two enemies never end in one cell, so the likelier one takes it.
        all.sort_by_key(|(_, actions)| Reverse(actions[0].len()));
        let mut taken: Vec<Cell> = vec![];
        let predictions = |(who, actions): (Id, Vec<Vec<Done>>)| {
            let predictions = actions.iter().map(|done| prediction(done, &taken));
            let predictions: Vec<Prediction> = predictions.collect();
            taken.extend(predictions[0].destination());
            (who, predictions)
        };
        Some(all.into_iter().map(predictions).collect())
    }
}

impl Prediction {
    /// The cell where it is expected. `None` for a move that only has a direction.
    pub fn destination(&self) -> Option<Cell> {
        let is_expected = self.is_place_likely || self.action != Action::Moves;
        self.to.filter(|_| is_expected)
    }

    /// The share of the simulated rounds in which the enemy does none of these, in percent.
    pub fn rest(all: &[Self]) -> u32 {
        100u32.saturating_sub(all.iter().map(|one| one.percent).sum())
    }

    /// Whether the enemy does none of these in most of the simulated rounds.
    pub fn is_mostly_nothing(all: &[Self]) -> bool {
        Self::rest(all) > 50
    }

    /// Whether attacks and spells together are at least as frequent as doing nothing, and as
    /// anything else. An enemy that has several targets is counted once, not by its best target.
    pub fn is_mostly_attack(all: &[Self]) -> bool {
        let (attacks, others): (Vec<&Self>, Vec<&Self>) =
            all.iter().partition(|one| one.action.is_main());
        let share: u32 = attacks.iter().map(|one| one.percent).sum();
        let most = others.iter().map(|one| one.percent).max().unwrap_or(0);
        share > 0 && share >= most.max(Self::rest(all))
    }
}

/// What the rounds in which an enemy took one action have in common. Other enemies have `taken` some
/// cells.
pub fn prediction(all: &[Done], taken: &[Cell]) -> Prediction {
    let is_mostly =
        |is_so: fn(&Done) -> bool| 2 * all.iter().filter(|done| is_so(done)).count() > all.len();
    let is_likely = |rounds: usize| 100 * rounds >= LIKELY_PLACE * all.len();
    let direction = |done: &Done| done.to?.direction_from(done.from?);
    let headings = || all.iter().filter_map(direction);
    let is_heading =
        |heading: &&'static str| is_likely(headings().filter(|other| other == heading).count());
    let heading = most(headings()).filter(is_heading);
    // A move that ends where it began leads nowhere.
    let goes = all.iter().filter(|done| done.to != done.from);
    let ends: Vec<Cell> = goes.filter_map(|done| done.to).collect();
    let place = likeliest_end(&ends, taken);
    let is_place_likely = place.is_some_and(|place| is_likely(within(&ends, place, 1)));
    // The destination of an uncertain move must not lie in another direction.
    let ahead = all.iter().filter(|done| direction(done) == heading);
    let ahead: Vec<Cell> = ahead.filter_map(|done| done.to).collect();
    Prediction {
        action: all[0].action,
        percent: 100 * all.len() as u32 / ENEMY_ROUNDS,
        hits: all.iter().filter_map(|done| done.hits).max(),
        kind: most(all.iter().map(|done| done.kind)).expect("it was done"),
        is_charge: is_mostly(|done| done.is_charge),
        to: match heading {
            Some(_) if !is_place_likely => likeliest_end(&ahead, taken),
            _ => place,
        },
        is_place_likely,
        heading,
        is_later: is_mostly(|done| done.is_later),
    }
}

/// The most frequent value.
fn most<T: Copy + Ord>(all: impl Iterator<Item = T>) -> Option<T> {
    let mut counts: BTreeMap<T, usize> = BTreeMap::new();
    all.for_each(|one| *counts.entry(one).or_default() += 1);
    counts.into_iter().max_by_key(|one| one.1).map(|one| one.0)
}

/// The most frequent cell that is not taken; of equally frequent ones, that with the most ends beside
/// it.
fn likeliest_end(ends: &[Cell], taken: &[Cell]) -> Option<Cell> {
    let near = |cell: &Cell, cells: u16| within(ends, *cell, cells);
    let likely = |cell: &Cell| (near(cell, 0), near(cell, 1), Reverse(*cell));
    let free = ends.iter().copied().filter(|end| !taken.contains(end));
    free.max_by_key(likely)
}

/// How many ends lie at most this many cells from a cell.
fn within(ends: &[Cell], cell: Cell, cells: u16) -> usize {
    let is_near = |end: &&Cell| cells_apart(cell.into(), (**end).into()) <= cells;
    ends.iter().filter(is_near).count()
}

/// The first action of each enemy in its turn. An attack replaces earlier help or a move, help
/// replaces a move, and all of them replace a reaction. `None` if cancelled.
fn first_actions(
    situation: &Situation,
    seed: u64,
    cancelled: &dyn Fn() -> bool,
) -> Option<Actions> {
    let mut fork = situation.fork(Enemies::Seeded(seed));
    let (round, own) = (fork.round(), fork.side());
    let is_enemy = |fork: &Fork, id: &Id| {
        let body = fork.body(*id);
        body.side != own && body.is_up()
    };
    let ids: Vec<Id> = fork.world().resource::<Roster>().ids().collect();
    let enemies: Vec<Id> = ids.into_iter().filter(|id| is_enemy(&fork, id)).collect();
    let harmless = fork.rules().harmless;
    let could = |id: &&Id| harmless(fork.world(), **id).is_none();
    let dangerous: Vec<Id> = enemies.iter().filter(could).copied().collect();
    let mut watch = EnemyWatch {
        enemies: &enemies,
        round,
        actions: Actions::new(),
        reacts: vec![],
        charging: 0,
    };
    situation.declare(&mut fork, &mut |fork, observed| {
        watch.observe(fork, observed);
    });
    for last in [round, round + 1] {
        let mut observe = |fork: &mut Fork, observed: Observed| watch.observe(fork, observed);
        if !play(&mut fork, last, cancelled, &mut observe) {
            return None;
        }
        let fallen = enemies.iter().filter(|id| !fork.body(**id).is_up());
        for &who in fallen {
            let falls = Done::of(Action::Falls);
            watch.actions.entry(who).or_insert(falls);
        }
        // If no dangerous enemy has acted in this round, the next round counts too. A fleeing
        // unit may leave at the end of any round.
        let mut actors = watch.actions.keys();
        if actors.any(|id| dangerous.contains(id)) || dangerous.is_empty() {
            break;
        }
    }
    Some(watch.actions)
}

/// Observes a round while it is played.
struct EnemyWatch<'a> {
    enemies: &'a [Id],
    /// The round in which observation began.
    round: u16,
    actions: Actions,
    /// Choices that are currently carried out as reactions.
    reacts: Vec<Choice>,
    /// Units whose last action is a charge in a straight line, a bit each.
    charging: u64,
}

impl EnemyWatch<'_> {
    /// Takes note of what happened. Returns whether there is more to observe.
    fn observe(&mut self, fork: &mut Fork, observed: Observed) -> bool {
        match observed {
            Observed::Reacts(choice) => self.reacts.push(choice.clone()),
            Observed::Event(event) => self.note(fork, event),
            _ => {}
        }
        let done = |id: &Id| self.actions.get(id);
        let has_acted = |id: &Id| done(id).is_some_and(|done| done.action.is_main());
        !self.enemies.iter().all(has_acted)
    }

    /// Records what an event shows about enemies' actions.
    fn note(&mut self, fork: &mut Fork, event: &Event) {
        if let EventKind::Acted { choice } = &event.what
            && !self.reacts.contains(choice)
        {
            // The unit takes an action of its own, so its reaction is over.
            self.reacts.retain(|reaction| reaction.who != choice.who);
        }
        fork.rules().planning.note_charge(&mut self.charging, event);
        let done = done_by(fork, event).filter(|(who, _)| self.enemies.contains(who));
        let Some((who, mut done)) = done else {
            return;
        };
        if self.reacts.iter().any(|reaction| reaction.who == Some(who)) {
            done = Done::of(Action::Reacts);
        }
        done.is_charge = self.charging & who.bit() != 0;
        done.is_later = fork.round() > self.round;
        let Some(known) = self.actions.get_mut(&who) else {
            self.actions.insert(who, done);
            return;
        };
        if known.action.rank() < done.action.rank() {
            *known = done;
        } else if known.action == done.action && done.hits.is_none() {
            // The attack roll shows how it attacks, its last step where it goes.
            known.kind = done.kind;
            known.is_charge = done.is_charge;
            known.to = done.to;
        }
    }
}

impl Done {
    pub fn of(action: Action) -> Self {
        Self {
            action,
            hits: None,
            kind: AttackKind::Melee,
            is_charge: false,
            from: None,
            to: None,
            is_later: false,
        }
    }
}

/// The unit and its action, as far as an event shows them, with the chance to hit.
fn done_by(fork: &mut Fork, event: &Event) -> Option<(Id, Done)> {
    match &event.what {
        EventKind::AttackRolled { rolled_attack } => {
            let (by, at, with, ranged) = rolled_attack.attack.parts();
            let kind = match ranged {
                true => AttackKind::at_range(fork.world(), with),
                false => AttackKind::Melee,
            };
            let to = Some(fork.body(by).at);
            let attack = Done::of(Action::Attacks(at));
            Some((by, Done { kind, to, ..attack }))
        }
        EventKind::Acted { choice } if choice.spell.is_some() => {
            let spell = Done::of(choice.at.map_or(Action::Casts, Action::Attacks));
            let (who, kind) = (choice.who?, AttackKind::Spell);
            let to = choice.at.map(|_| fork.body(who).at);
            Some((who, Done { kind, to, ..spell }))
        }
        EventKind::Acted { choice } => {
            let planning = fork.rules().planning;
            let at = choice.at?;
            let is_attack = planning.is_attack(choice.verb) || planning.is_charge(choice.verb);
            if !is_attack {
                return helps(fork, choice.who?, at);
            }
            // A charge may fail after it has begun, so it counts from its start.
            let odds = (planning.odds)(fork.world(), choice);
            let hits = odds.map(|odds| odds.percent);
            let attack = Done::of(Action::Attacks(at));
            Some((choice.who?, Done { hits, ..attack }))
        }
        EventKind::Moved { who, from, to, .. } => {
            let way = Done::of(Action::Moves);
            let (from, to) = (Some(*from), Some(*to));
            Some((*who, Done { from, to, ..way }))
        }
        what => done_work(what).map(|(who, action)| (who, Done::of(action))),
    }
}

/// A unit that does something for another of its side. `None` for an action on an enemy or on the
/// unit itself.
fn helps(fork: &Fork, who: Id, at: Id) -> Option<(Id, Done)> {
    let is_ally = who != at && fork.body(who).side == fork.body(at).side;
    is_ally.then_some((who, Done::of(Action::Helps(at))))
}

/// The unit and its work that an event completes: a weapon is loaded, or another unit gets better.
fn done_work(what: &EventKind) -> Option<(Id, Action)> {
    if let Some((Handling::Load, who, _)) = what.handles() {
        return Some((who, Action::Loads));
    }
    let cue = what.cue().filter(|cue| cue.kind == CueKind::Good)?;
    let (who, by) = (cue.who?, cue.by?);
    (who != by).then_some((by, Action::Helps(who)))
}
