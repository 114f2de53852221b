//! The running battle in three parts. Only the session answers the battle.
//!
//! - [`PlayedBattle`]: the battle, its controllers, undo, recording.
//! - [`Display`]: how much of the battle the screen has shown, and to which side.
//! - [`DisplayQueries`]: the display world, and queries on it through the ruleset and its `RulesetUi`.
//!
//! What needs several of them is in [`Session`]: here, and
//! - [`players`]: controllers, changes of players at a shared screen, loading and saving.
//! - [`replay`]: watching a recording.
//! - [`forecast`]: the win probability from what the player knows.
//! - [`edit`]: changes to declarations until the round begins.
//! - [`intents`]: what units are to do with what they declared.
//! - [`missed`]: why a plan failed; [`results`]: what was planned for a round and what happened.
//! - [`why`]: the options an AI considered, as far as the player may know.

mod display;
mod edit;
mod forecast;
mod game;
mod hint;
mod intents;
mod missed;
mod players;
mod queries;
mod recorded_plans;
mod replay;
mod results;
pub mod thinking;
mod why;

pub use forecast::Reading;
pub use game::{PlayedBattle, fresh_id};
pub use hint::Hint;
pub use intents::{Failure, ForAll, Intent, Intents};
pub use players::{Unloadable, now, usual};
pub use queries::{Answer, DisplayQueries};
pub use replay::{MarkKind, Replay, SPEEDS, TimelineMark};
pub use results::UnitResult;
pub use why::GivenReason;

use super::{
    Options, Phase, Screen,
    modal::Modal,
    settings::Settings,
    shown::{ShownArrival, ShownObjective, UnitView},
};
use crate::{
    battle::{
        Action, Battle, Body, Choice, Decision, DiceBox, Event, EventKind, GoalState, Id, Offer,
        PASS, Progress, Refused, Roster, Ruleset, Side, capitalised, chances, goal_state,
        level_setup, of_unit, surrender, to_enter,
    },
    control::{
        orders::{self, NextStep},
        recording::SideController,
        simulation::Casts,
    },
    grid::Cell,
    levels::{CombatantIx, Goal, Level, Objective},
    words::uncapitalised,
};
use bevy::prelude::*;
pub use display::Asked;
use display::Display;
use std::{collections::BTreeMap, sync::Arc, time::Duration};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Playback>()
        .init_resource::<thinking::FrameWait>();
    app.add_systems(
        Update,
        (
            think,
            update_win_probability.run_if(|settings: Res<Settings>| settings.forecast),
        )
            .chain()
            .in_set(Phase::Think)
            .run_if(in_state(Screen::Battle))
            .run_if(is_on),
    );
}

/// Whether the board is still showing an event; set by the board.
#[derive(Resource, Default, Debug)]
pub struct Playback {
    pub busy: bool,
}

/// A state of the session for comparison: see [`Session::moment`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShownMoment {
    picture: (u32, usize, Side),
    answered: usize,
    is_open: (Option<usize>, bool),
    goes_on: bool,
    intents: u32,
    company: usize,
}

impl ShownMoment {
    /// Whether both states are of one battle, with no undo or jump in between.
    pub fn leads_to(self, other: Self) -> bool {
        self.picture.0 == other.picture.0
    }
}

/// A battle, as it is played and as the screen shows it. Reading it and its [`DisplayQueries`] changes
/// nothing; writing answers the battle or shows more of it.
#[derive(Resource)]
pub struct Session {
    pub game: PlayedBattle,
    pub queries: DisplayQueries,
    display: Display,
    outlook: forecast::WinProbability,
    hints: hint::Hints,
    intents: Intents,
    /// The battle as if a unit had not declared, as it was worked out last.
    undeclared: Option<edit::Undeclared>,
    /// The battle before the first answer that could be undone, as it was worked out last.
    undoable_from: Option<Battle>,
}

impl Session {
    /// A new battle with the level's controllers.
    pub fn new(level: &Arc<Level>, rules: &'static Ruleset, seed: u64) -> Self {
        Self::with_controllers(level, rules, seed, players::usual(level))
    }

    /// A new battle; `controllers` are the controllers by side.
    pub fn with_controllers(
        level: &Arc<Level>,
        rules: &'static Ruleset,
        seed: u64,
        controllers: Vec<SideController>,
    ) -> Self {
        Self::with_dice(level, rules, (seed, DiceBox::seeded(seed)), controllers)
    }

    /// A new battle with dice other than those of its seed.
    pub fn with_dice(
        level: &Arc<Level>,
        rules: &'static Ruleset,
        (seed, dice): (u64, DiceBox),
        controllers: Vec<SideController>,
    ) -> Self {
        let battle = Battle::new(level_setup(level), rules, dice);
        Self::of(level, battle, seed, controllers, None)
    }

    /// A battle in progress of which nothing was shown yet. `viewer` is the side whose view is shown;
    /// the first human side if it is `None` or no human plays it.
    fn of(
        level: &Arc<Level>,
        battle: Battle,
        seed: u64,
        controllers: Vec<SideController>,
        viewer: Option<Side>,
    ) -> Self {
        let is_human = |side: &Side| controllers.get(side.index()) == Some(&SideController::Human);
        let all = (0..controllers.len()).map(|n| Side(n as u8));
        let first = all.clone().find(is_human);
        let player = viewer.filter(is_human).or(first);
        let display = Display::new(level, battle.rules(), (player, first), controllers.len());
        let game = PlayedBattle::new(level, battle, seed, controllers);
        let queries = DisplayQueries::new(game.rules(), game.replica(player));
        let mut session = Self {
            game,
            queries,
            display,
            outlook: forecast::WinProbability::default(),
            hints: hint::Hints::default(),
            intents: Intents::default(),
            undeclared: None,
            undoable_from: None,
        };
        session.update_shown();
        session
    }

    /// Objectives of all sides and their progress as the screen has shown it, the player's own
    /// first.
    pub fn objectives(&self) -> Vec<ShownObjective> {
        let level = self.game.level();
        let unknown = self.queries.unknown(self.player());
        let states = |world: &mut World| {
            let all = 0..level.objectives.len();
            let is_known = |id: Id| !unknown.contains(&id);
            Vec::from_iter(all.map(|n| goal_state(world, n, is_known)))
        };
        let all = std::iter::zip(&level.objectives, self.queries.ask(states));
        let is_own = |who: &CombatantIx| self.shown().unit((*who).into()).side == self.player();
        let objective = |(o, state): (&Objective, GoalState)| {
            let side: Side = o.side.into();
            let counts_own = match &o.goal {
                Goal::Defeat(enemies) => side != self.player() && enemies.iter().all(is_own),
                _ => false,
            };
            let counts = self.queries.ruleset_ui.arrival_counts;
            ShownObjective::new((side, o.text.clone()), state, counts_own, counts)
        };
        let mut objectives: Vec<ShownObjective> = all.map(objective).collect();
        objectives.sort_by_key(|objective| (objective.side != self.player(), objective.side));
        objectives
    }

    /// The units of each side that enter next, in the order of the sides. Units that the level
    /// hides, and sides of which nobody has been seen, are a surprise.
    pub fn arrivals(&self) -> Vec<ShownArrival> {
        let (own, combatants) = (self.player(), &self.game.level().combatants);
        let unknown = self.queries.unknown_to(own);
        let mut next: BTreeMap<Side, ShownArrival> = BTreeMap::new();
        for (id, round, at) in self.queries.ask(to_enter) {
            let side = self.shown().unit(id).side;
            if side != own && (combatants[id.index()].hidden || unknown.has_side(side)) {
                continue;
            }
            let soonest = next.entry(side).or_insert_with(|| ShownArrival {
                side,
                round,
                units: vec![],
            });
            if round < soonest.round {
                (soonest.round, soonest.units) = (round, vec![]);
            }
            if round == soonest.round {
                soonest.units.push((id, at));
            }
        }
        next.into_values().collect()
    }

    /// The standing enemies that the player's side knows about.
    pub fn known_enemies(&self) -> Vec<Id> {
        let unknown = self.queries.unknown(self.player());
        let enemies = self.shown().enemies_of(self.player()).map(|p| p.id);
        enemies.filter(|id| !unknown.contains(id)).collect()
    }

    /// The unit of the player's side that can react now.
    pub fn asked_member(&self) -> Option<Id> {
        let asked = self.question().filter(|q| !q.is_turn())?;
        asked.actors.first().copied()
    }

    /// The winner, once the end was shown; `None` before.
    pub fn over(&self) -> Option<Option<Side>> {
        self.game.over().filter(|_| self.is_caught_up())
    }

    /// The player's decision, once everything before it was shown.
    pub fn question(&self) -> Option<&Decision> {
        let asked = self.asked().filter(|q| self.game.is_human(q.side))?;
        let is_players = asked.side == self.player() && !self.display.is_sealed;
        (is_players && self.has_shown_all()).then_some(asked)
    }

    /// The open decision of any side; none in a replay.
    fn asked(&self) -> Option<&Decision> {
        let asked = self.game.asked();
        asked.filter(|_| self.display.replay.is_none())
    }

    /// Whether everything was shown and no end of turn awaits confirmation.
    fn has_shown_all(&self) -> bool {
        self.display.gate.is_none() && self.is_caught_up()
    }

    /// Whether the player decides in their own turn, not for a reaction.
    pub fn is_players_turn(&self) -> bool {
        self.question().is_some_and(Decision::is_turn)
    }

    /// Whether the player has a reaction prompt.
    pub fn is_prompted(&self) -> bool {
        self.question().is_some_and(|q| !q.is_turn())
    }

    /// Whether the open decision is answered without the player: by a plan, by an automatic
    /// reaction, or because nothing is worth a prompt.
    pub fn goes_on(&self) -> bool {
        self.moment().goes_on
    }

    pub fn set_goes_on(&mut self, goes_on: bool) {
        self.display.goes_on = goes_on.then(|| self.prompting_moment());
    }

    /// The player's decision, unless it is answered without the player: what the screen asks.
    pub fn prompt(&self) -> Option<&Decision> {
        self.question().filter(|_| !self.goes_on())
    }

    /// Whether the screen asks the player to decide in their own turn.
    pub fn prompts_turn(&self) -> bool {
        self.prompt().is_some_and(Decision::is_turn)
    }

    /// Whether the turn only waits for the player to end it: see [`end_turn`](Self::end_turn).
    pub fn awaits_end_of_turn(&self) -> bool {
        self.display.gate.is_some() && !self.has_next()
    }

    /// A value that changes whenever the decision or anything derived from it can change.
    pub fn moment(&self) -> ShownMoment {
        let moment = self.prompting_moment();
        ShownMoment {
            goes_on: self.display.goes_on == Some(moment),
            ..moment
        }
    }

    /// [`moment`](Self::moment), as if the player had to answer the open decision.
    fn prompting_moment(&self) -> ShownMoment {
        let (display, shown) = (&self.display, self.shown());
        ShownMoment {
            picture: (shown.epoch, shown.events, display.player),
            answered: self.game.answered(),
            is_open: (display.gate, display.is_sealed),
            goes_on: false,
            intents: self.intents.version,
            company: self.company().len(),
        }
    }

    /// For a background thread.
    pub fn queries_copy(&self) -> DisplayQueries {
        self.queries.copied(&self.game.setup)
    }

    /// The offers of a unit that must decide.
    pub fn offers_of(&mut self, who: Id) -> Arc<Vec<Offer>> {
        match self.question() {
            Some(_) => self.game.offers_of(who),
            None => Arc::default(),
        }
    }

    /// Turns prompts at every chance on or off for all units of human players. Without them, rare
    /// offers at moments without a prompt are hidden.
    pub fn want_chances(&mut self, every: bool) {
        let game = &self.game;
        if !game.rules().chances || self.asked().is_none() {
            return;
        }
        let roster = game.world().resource::<Roster>();
        let is_human = |id: &Id| game.is_human(of_unit::<Body>(game.world(), *id).side);
        let differ = |id: &Id| game.is_prompted_at_chances(*id) != every;
        let news: Vec<Id> = roster.ids().filter(differ).filter(is_human).collect();
        for who in news {
            // The answer is legal: a decision is open, and the setting differs.
            let _ = self.game.battle.answer(chances::every_chance(who, every));
        }
    }

    /// The action with which a unit ends its turn, if it is on offer.
    pub fn done_verb(&mut self, who: Id) -> Option<&'static Action> {
        // Reactions are declined in their own list.
        self.question().filter(|q| !q.reaction)?;
        let offers = self.offers_of(who);
        let done = self.queries.rules.planning.done.iter().copied();
        orders::first_offered(&offers, done).map(|offer| offer.choice.verb)
    }

    pub fn set_skips(&mut self, skips: bool) {
        self.display.skips = skips;
    }

    pub fn skips(&self) -> bool {
        self.display.skips
    }

    /// Whether the player decides, in a turn or for a unit that holds, but none of the units has
    /// anything worth a prompt.
    pub fn is_worth_no_prompt(&self) -> bool {
        let rules = self.game.rules();
        let is_turn = |asked: &&Decision| asked.is_turn() || orders::is_moment(rules, asked);
        let asked = self.question().filter(is_turn);
        asked.is_some_and(|q| q.actors.iter().all(|&who| self.queries.is_skippable(who)))
    }

    /// The answer for units that have nothing worth a prompt. `None` if the player has to decide,
    /// or a plan is carried out now.
    pub fn skipped(&mut self) -> Option<Choice> {
        if !self.skips() || !self.is_worth_no_prompt() {
            return None;
        }
        let asked = self.question()?.clone();
        let is_due = asked.is_turn() && !self.is_declaring();
        if is_due && matches!(self.next_step(&asked), NextStep::Give(..)) {
            return None;
        }
        let planning = self.queries.rules.planning;
        let mut common = asked.common.iter();
        // Units with the same place in the order of turns are asked one by one.
        if let Some(end) = common.find(|choice| Some(choice.verb) == planning.end_turn) {
            return Some(end.clone());
        }
        let who = *asked.actors.first()?;
        // Of the declarations that do nothing, the last one asks for no turn later.
        let verbs = planning.done.iter().chain(planning.idle.iter().rev());
        let offers = self.offers_of(who);
        let offer = orders::first_offered(&offers, verbs.copied())?;
        Some(Choice::new(offer.choice.verb, who))
    }

    /// Units of the player's side that must decide and have something worth doing.
    pub fn idle_members(&self) -> impl Iterator<Item = &UnitView> {
        let asked = self.question().filter(|q| q.is_turn());
        let actors = asked.map_or(&[][..], |q| &q.actors);
        let members = actors.iter().map(|&id| self.shown().unit(id));
        members.filter(|p| p.is_up() && !p.done && !self.queries.is_skippable(p.id))
    }

    /// Units that miss something if the player ends the turn or the declarations now: units that
    /// have more left than a move, which is often kept on purpose, and something worth doing. While
    /// declaring, units without an order; a delay is an order, even if the unit could declare more.
    pub fn awaiting_orders(&self) -> impl Iterator<Item = &UnitView> {
        let is_declaring = self.is_declaring();
        let has_action = |p: &UnitView| p.pips.first().is_none_or(|pip| !pip.spent);
        let idle = self.idle_members();
        idle.filter(move |p| has_action(p) && (!is_declaring || p.plan.is_empty()))
    }

    /// Whether a unit ended its turn by itself this round, and has not been asked again since nor is
    /// still to be asked in this part of the round.
    pub fn has_passed(&self, who: Id) -> bool {
        let is_asked = self.asked().is_some_and(|q| q.actors.contains(&who));
        if is_asked || self.display.replay.is_some() {
            return false;
        }
        let (game, planning) = (&self.game, self.queries.rules.planning);
        let since = game.answers_until(game.round_start())..game.answered();
        let is_own = |n: &usize| {
            let is_turn = !game.was_reaction(*n);
            is_turn && game.answers()[*n].who == Some(who)
        };
        // Further answers in the list only wait, and an answer that declares nothing ends no turn.
        let ends = planning.done.first().copied();
        let ends = ends.filter(|verb| !planning.idle.contains(verb));
        let last = since.rev().find(is_own).map(|n| game.answers()[n].verb);
        let is_due = |world: &mut World| (planning.is_due)(world, who);
        last.is_some()
            && last == ends
            && !self.is_before_round()
            && (game.chosen(who).is_some() || !self.queries.ask(is_due))
    }

    /// Whether a unit has nothing left to do in the turn of its side, or the player's unit ended
    /// its turn by itself: its token and its card are pale. A unit whose attack is still open is
    /// not done.
    pub fn is_done(&self, unit: &UnitView) -> bool {
        let is_turn = self.shown().clock.turn == Some(unit.side);
        let is_over = unit.done && is_turn && !unit.is_attacking;
        is_over || unit.side == self.player() && self.has_passed(unit.id)
    }

    /// An order without its unit; its cell is counted from where the unit stands: "run
    /// 15 ft to the east". A declaration of a charge or work, or one that plans nothing, is called like its
    /// button: "flee", "normal turn".
    pub fn order_text(&self, choice: &Choice) -> String {
        let planning = self.queries.rules.planning;
        let is_charge = planning.charge.get(1) == Some(&choice.verb) && choice.at.is_some();
        if is_charge || planning.works.contains(&choice.verb) {
            self.button_text(choice)
        } else if planning.leaves_open(choice) {
            uncapitalised(&self.queries.label(choice.verb))
        } else {
            choice.describe_from(self.game.names(), self.place_of(choice))
        }
    }

    /// An order without its unit, as a title: "Strike goblin 2 with short sword".
    pub fn order_title(&self, choice: &Choice) -> String {
        capitalised(&self.order_text(choice))
    }

    /// All orders except the one that finishes declaring: "plan to move at 20%, plan melee at 80%".
    pub fn orders_text(&self, orders: &[Choice]) -> String {
        let done = self.queries.rules.planning.done;
        let parts = orders.iter().filter(|order| !done.contains(&order.verb));
        let words: Vec<String> = parts.map(|order| self.order_text(order)).collect();
        words.join(", ")
    }

    /// An action in the word of its button, with its target and item: "charge goblin 1 with
    /// spear", "bandage Lin", "load light crossbow".
    fn button_text(&self, choice: &Choice) -> String {
        let names = self.game.names();
        let mut text = uncapitalised(&self.queries.label(choice.verb));
        if let Some(at) = choice.at {
            text += &format!(" {}", names.name(at));
        }
        if let Some(item) = choice.with {
            let link = if choice.at.is_some() { " with" } else { "" };
            text += &format!("{link} {}", names.item(item));
        }
        text
    }

    /// An order as the log writes it, with its cell counted from where the unit stands: "Mara runs
    /// 15 ft to the east".
    pub fn log_text(&self, choice: &Choice) -> String {
        choice.log_text_from(self.game.names(), self.place_of(choice))
    }

    /// Where the unit stands that the cell of an order is counted from.
    fn place_of(&self, choice: &Choice) -> Option<Cell> {
        choice.counts_from().map(|id| self.shown().unit(id).at)
    }

    /// Gives the player's answers in sequence. The later ones are given only if the first went as
    /// expected.
    pub fn give(&mut self, orders: &[Choice]) -> Result<(), Refused> {
        let Some((first, rest)) = orders.split_first() else {
            return Ok(());
        };
        let (before, events) = (self.game.answered(), self.game.length());
        let round = self.round();
        let declares = self.is_declaring();
        self.answer(first, |game| {
            if game.length() == events {
                game.chosen.push((before, events, first.clone()));
            }
            game.queue = rest.iter().cloned().collect();
            game.undo_points.push(before);
        })?;
        if let Some(who) = first.who {
            self.intents.replace_failures_of(who, before);
        }
        let said = (before..).zip(orders).filter(|_| declares);
        let said = said.map(|(n, order)| (round, n, order.clone()));
        self.intents.unplanned.extend(said);
        self.display.hurry = false;
        Ok(())
    }

    /// Units of the player's side that can react to the same action, after the first.
    pub fn company(&self) -> &[Asked] {
        match self.display.company.0 == self.game.answered() && self.is_prompted() {
            true => &self.display.company.1,
            false => &[],
        }
    }

    /// Finds the units that can react to this action after the first; again only if `anew`.
    /// `is_prompted` says whether the player gets a prompt for a unit; `None` if the settings
    /// answer with a reaction.
    pub fn find_company(
        &mut self,
        anew: bool,
        mut is_prompted: impl FnMut(&mut Self, Id, &Arc<Vec<Offer>>) -> Option<bool>,
    ) {
        let answered = self.game.answered();
        if self.display.company.0 == answered && !anew {
            return;
        }
        self.display.company = (answered, vec![]);
        let Some(asked) = self.question().filter(|q| !q.is_turn()).cloned() else {
            return;
        };
        let mut found: Vec<Asked> = vec![];
        let mut fork = self.game.battle.fork(DiceBox::seeded(0));
        let mut next = asked.actors.first().copied();
        // Answers are secret until all are given: nothing has happened yet.
        while let Some(before) = next
            && fork.answer(Choice::new(&PASS, before)).is_ok()
            && fork.events().is_empty()
        {
            let others = fork.asked();
            let others = others.filter(|q| !q.is_turn() && q.side == asked.side);
            next = others.and_then(|q| q.actors.first().copied());
            let Some(who) = next else { break };
            let offers = self.game.without_rare(who, fork.offers_of(who));
            let Some(is_shown) = is_prompted(self, who, &offers) else {
                break;
            };
            found.push(Asked {
                who,
                offers,
                is_shown,
            });
        }
        let last = found.iter().rposition(|asked| asked.is_shown);
        found.truncate(last.map_or(0, |n| n + 1));
        self.display.company.1 = found;
    }

    /// Gives one unit's reaction; all others that can react decline.
    pub fn react(&mut self, choice: &Choice) -> Result<(), Refused> {
        let Some(first) = self.asked_member() else {
            return self.give(std::slice::from_ref(choice));
        };
        let order = |who: Id| match choice.who == Some(who) {
            true => choice.clone(),
            false => Choice::new(&PASS, who),
        };
        let others = self.company().iter().map(|asked| order(asked.who));
        let others: Vec<Choice> = others.collect();
        self.give(&[order(first)])?;
        for order in &others {
            if self.asked_member() != order.who {
                break;
            }
            self.give_automatically(order)?;
        }
        Ok(())
    }

    /// Gives a unit's planned answers; they need no confirmation at the end of the turn.
    pub fn give_planned(&mut self, orders: &[Choice]) -> Result<(), Refused> {
        self.give(orders)?;
        self.game.undo_points.clear();
        self.display.gate = None;
        Ok(())
    }

    /// Gives an automatic answer, which is undone together with the player's action before it.
    pub fn give_automatically(&mut self, choice: &Choice) -> Result<(), Refused> {
        self.answer(choice, |_| {})
    }

    /// Why the player's side cannot surrender now, if so.
    pub fn may_retreat(&self) -> Result<(), &'static str> {
        let side = self.player();
        let world = self.game.world();
        let progress = world.get_resource::<Progress>();
        if progress.is_some_and(|progress| progress.is_surrendering(side)) {
            Err("Your units leave at the end of the round.")
        } else if self.question().is_none_or(|asked| asked.side != side) {
            Err("It's not your turn.")
        } else {
            Ok(())
        }
    }

    /// The player's side surrenders: its units leave at the end of the round (OP-08). This
    /// cannot be taken back.
    ///
    /// # Errors
    /// Why the side cannot surrender.
    pub fn retreat(&mut self) -> Result<(), Refused> {
        self.give_automatically(&surrender(self.player()))?;
        self.game.undo_points.clear();
        Ok(())
    }

    /// How the only human player lost to a side that has no enemy left: "you retreated". `None` if
    /// the player has not lost, or several share the screen.
    pub fn how_lost(&self) -> Option<&'static str> {
        let won = self.game.over().flatten()?;
        let is_lost = self.game.humans() == 1 && won != self.player();
        let progress = self.game.world().get_resource::<Progress>();
        let has_retreated = progress.is_some_and(|all| all.has_surrendered(self.player()));
        is_lost.then_some(match has_retreated {
            true => "you retreated",
            false => "you have no units left on the field",
        })
    }

    fn answer(
        &mut self,
        choice: &Choice,
        note: impl FnOnce(&mut PlayedBattle),
    ) -> Result<(), Refused> {
        let asked = self.question().ok_or(Refused::NoDecision)?;
        let side = asked.side;
        self.game.battle.answer(choice.clone())?;
        self.game.thinking_time.decided(side, Duration::ZERO);
        note(&mut self.game);
        if !self.game.can_undo() {
            self.game.undo_points.clear();
            self.game.queue.clear();
        }
        self.game.answer_queue();
        self.mind_the_turn();
        Ok(())
    }

    /// If all units have acted and the last action can be undone, the turn waits for the player to
    /// end it.
    fn mind_the_turn(&mut self) {
        let (game, player) = (&self.game, self.display.player);
        let goes_on = |asked: &Decision| asked.side == player || asked.reaction;
        let has_ended = game.asked().is_some_and(|asked| !goes_on(asked));
        if !has_ended || game.undo_points.is_empty() || game.is_over() {
            return;
        }
        let last = game.answered() - 1;
        let Some(end_turn) = self.queries.rules.planning.end_turn else {
            return;
        };
        if game.answers()[last].verb == end_turn {
            return;
        }
        let from = game.events_before(last);
        let is_next = |e: &Event| {
            matches!(
                e.what,
                EventKind::RoundBegan { .. } | EventKind::RoundEnded | EventKind::TurnBegan { .. }
            )
        };
        let next = game.events()[from..].iter().position(is_next);
        self.display.gate = next.map(|n| from + n);
    }

    /// The answer that ends the turn of the player's side, or its declarations. `None` if each unit
    /// has to answer by itself.
    pub fn end_choice(&self) -> Option<&Choice> {
        self.question().filter(|q| q.is_turn())?.common.first()
    }

    /// The label of the button that gives [`end_choice`](Self::end_choice).
    pub fn end_label(&self) -> String {
        let end_turn = self.queries.rules.planning.end_turn;
        match self.end_choice().filter(|end| Some(end.verb) != end_turn) {
            Some(end) => self.queries.side_label(end, self.game.names()),
            None => self.queries.ruleset_ui.end_words.to_owned(),
        }
    }

    /// Whether each unit of the player's side has to answer by itself, and all may pass.
    pub fn may_all_pass(&self) -> bool {
        let asked = self.question().filter(|q| q.is_turn());
        asked.is_some_and(|q| q.common.is_empty()) && !self.is_declaring()
    }

    /// Ends the player's turn or declarations. Where each unit has to answer by itself, all that are
    /// asked now pass.
    pub fn end_turn(&mut self) {
        if self.display.gate.take().is_some() {
            self.game.undo_points.clear();
        } else if let Some(end) = self.end_choice().cloned() {
            // The answer is legal: the decision lists it.
            let _ = self.give(&[end]);
            self.game.undo_points.clear();
            self.display.gate = None;
        } else if self.may_all_pass() {
            let asked = self.question().map(|q| q.actors.clone());
            for who in asked.unwrap_or_default() {
                if let Some(pass) = self.pass_choice(who) {
                    let _ = self.give(&[pass]);
                }
            }
        }
    }

    pub fn can_undo(&self) -> bool {
        let is_begun = self.held().is_some() || self.has_changed_order();
        is_begun || !self.game.undo_points.is_empty() && !self.has_next()
    }

    /// Why nothing can be undone, as text; `None` if something can.
    pub fn why_no_undo(&self) -> Option<&'static str> {
        if self.can_undo() {
            return None;
        }
        let game = &self.game;
        let is_own = |&n: &usize| {
            let who = game.answers()[n].who;
            who.is_some_and(|who| self.shown().unit(who).side == self.player())
        };
        let mut answers = (0..game.answered()).rev();
        let last = answers.find(|&n| !game.was_reaction(n));
        Some(match last.filter(is_own) {
            _ if !game.undo_points.is_empty() => "Undo is possible once all has been shown.",
            Some(n) if game.has_rolled_since(n) => "Dice were rolled: no undo.",
            Some(_) if !game.can_undo() => "Something hidden was revealed: no undo.",
            _ => "Nothing to undo.",
        })
    }

    /// Undoes the last action of the player or of a plan; returns its unit, which must decide
    /// again. If an order was just cleared, replaced or moved, the orders before that are given
    /// again.
    pub fn undo(&mut self) -> Option<Id> {
        if let Some(who) = self.restore_orders() {
            return Some(who);
        }
        if let Some(who) = self.held().map(Intent::who) {
            self.set_held(None);
            return Some(who);
        }
        let answers = self.game.undo_points.pop()?;
        let who = self.game.answers().get(answers).and_then(|c| c.who);
        self.rewind(answers);
        who.into_iter().for_each(|who| self.ask_again(who));
        who
    }

    /// Goes back to the state after the first `answers` answers.
    fn rewind(&mut self, answers: usize) {
        self.game.rewind(answers);
        let end = self.game.length();
        self.intents.rewind(answers, end);
        self.display.gate = None;
        self.outlook.rewind(end);
        self.display.seen.iter_mut().for_each(|n| *n = end.min(*n));
        self.show_anew();
    }

    /// Whether an AI has to answer.
    pub fn awaits_ai(&self) -> bool {
        let asked = self.asked().filter(|_| self.display.gate.is_none());
        asked.is_some_and(|q| !self.game.is_human(q.side))
    }

    /// Lets the AI answer, however long it thinks.
    pub fn think(&mut self) {
        self.game.think(true);
    }
}

/// Whether the battle runs: no modal is open.
pub fn is_on(modals: Query<(), With<Modal>>) -> bool {
    modals.is_empty()
}

/// Lets the AI answer once everything before was shown.
pub(super) fn think(mut session: ResMut<Session>, playback: Res<Playback>) {
    if !session.awaits_ai() {
        return;
    }
    if !session.display.hurry {
        // The AI may think while the board is still animating.
        let is_playing = playback.busy || !session.is_caught_up();
        let answered = session.game.answered();
        let game = &mut session.bypass_change_detection().game;
        // One answer a frame keeps the window responsive; when the player skips, the whole turn
        // runs at once.
        match is_playing {
            true => game.ponder(),
            false => game.think(false),
        }
        if session.game.answered() != answered {
            session.set_changed();
        }
        return;
    }
    while session.display.hurry && session.awaits_ai() {
        session.think();
    }
    session.catch_up();
    session.display.hurry = session.awaits_ai();
}

/// Refines the win probability while the player thinks.
fn update_win_probability(mut session: ResMut<Session>) {
    if session.bypass_change_detection().update_win_probability() {
        session.set_changed();
    }
}

#[derive(Resource, Clone, Debug)]
pub struct Next {
    pub level: Arc<Level>,
    /// `None` falls back to the command line, then the level, then the default.
    pub rules: Option<&'static Ruleset>,
    pub seed: u64,
}

/// A random seed, the only thing in the game that can't be reproduced; so it is shown and can be
/// given on the command line.
pub fn any_seed() -> u64 {
    (players::since_1970().as_micros() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 40 & 0xFFFF
}

/// A session waiting for the battle screen: a loaded, replayed or custom battle. It takes
/// precedence over [`Next`].
#[derive(Resource)]
pub struct Ready(pub Session);

/// Marks a test battle for the level editor: it is not saved, and leaving it returns to the editor.
#[derive(Resource)]
pub struct TestBattle;

/// Starts the session that is ready, otherwise the next battle.
pub fn begin(world: &mut World) {
    let session = match world.remove_resource::<Ready>() {
        Some(Ready(session)) => session,
        None => {
            let (next, options) = (world.resource::<Next>(), world.resource::<Options>());
            let rules = next.rules;
            let rules = rules.unwrap_or_else(|| options.rules_for(&next.level));
            let controllers = options.controllers(&next.level);
            Session::with_controllers(&next.level, rules, next.seed, controllers)
        }
    };
    world.insert_resource(session);
}
