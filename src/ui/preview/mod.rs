//! Everything shown before a click: what the selected unit can do, and what the click would do.
//!
//! It is computed from the battle's offers, so it works for every ruleset:
//! - [`acts`]: the buttons of the action bar; [`aim`]: from an action with many ways to one.
//! - [`click`]: what the cell under the cursor means.
//! - [`menu`]: choices from a list, and reactions.
//! - [`draft`]: what a click would declare; [`timeline`]: the expected timeline; [`outcome`]: success
//!   rates from simulated rounds; [`risks`]: what speaks against a plan; [`carry`]: carries plans
//!   out.
//! - [`predictions`]: what enemies are likely to do.

mod acts;
mod aim;
pub mod carry;
mod click;
mod draft;
mod menu;
pub mod outcome;
mod plan_preview;
mod predictions;
pub mod risks;
pub mod timeline;
mod walk;

pub use acts::{ActButton, no_effect};
pub use aim::{Open, open};
pub use click::{Click, stuck};
pub use draft::{Offers, OrderDraft, again, can_give_way, intended, suggested};
pub use menu::{Menu, MenuRow, Picks, Slider, Unaimed, helps, unaimed};
pub use plan_preview::{Offered, PlanPreview, Presets, PreviewedMoment};
pub use predictions::{Predictions, PredictsAll, verb};

use super::{
    Phase, Screen, Selection, Session,
    selection::PartialChoice,
    session::{Answer, DisplayQueries, ShownMoment},
    shown::Shown,
};
use crate::{
    battle::{
        Action, AttackForecast, Choice, Id, OddsLine, Offer, PlannedAttack, Planning, Reach,
        Spread, Trade,
    },
    control::exchange::Exchange,
    grid::Cell,
};
use bevy::{ecs::system::SystemParam, prelude::*};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<ActionPreview>().init_resource::<Seen>();
    app.add_plugins((plan_preview::plugin, predictions::plugin));
    app.add_systems(
        Update,
        update
            .in_set(Phase::Foresee)
            .run_if(in_state(Screen::Battle)),
    );
}

/// The preview for the current selection and cursor.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct ActionPreview {
    /// The action bar of the selected unit.
    pub acts: Vec<ActButton>,
    /// The action that ends the unit's turn or waits, if it is offered.
    pub done: Option<&'static Action>,
    /// Cells that the selected unit can reach; empty while an action is armed.
    pub reach: Vec<Reach>,
    /// While units declare: cells that the selected unit can reach in the round, under what it has
    /// declared; empty while an action other than a move is armed.
    pub declared_reach: Vec<Reach>,
    /// The targets of the armed action.
    pub targets: Vec<Id>,
    /// Cells at which the armed action can be aimed.
    pub places: Vec<Cell>,
    /// Effects of each choice of the whole side, in lines.
    pub common: Vec<Vec<String>>,
    /// The list from which the player chooses.
    pub menu: Option<Menu>,
    /// The declaration to give if the player names no target or cell now, and what it may name.
    pub unaimed: Option<(Choice, Unaimed)>,
    pub click: Click,
    /// Whether the click replaces the order of the unit, which has declared.
    pub replaces: bool,
    /// All attacks on the target under the cursor, best first.
    pub attacks: Vec<AttackForecast>,
    /// Damage distribution of the attack that a click would make.
    pub spread: Spread,
    /// How the attack's results depend on numbers the player chooses.
    pub trades: Vec<Trade>,
    /// The attack in reaction that may cancel the attack that a click would make, as text.
    pub interrupts: Option<String>,
    /// The attack of the enemy under the cursor on the selected unit.
    pub answer: Option<PreviewAnswer>,
    /// Chances between the selected unit and each enemy at the end of the path under the cursor.
    pub exchanges: Vec<Exchange>,
    /// Whether a click on a cell can mean a move.
    walks: bool,
    /// Whether declarations are open, so that a click on an enemy makes a plan.
    declares: bool,
}

/// An enemy's best attack on the selected unit.
#[derive(Clone, PartialEq, Debug)]
pub struct PreviewAnswer {
    pub attack: Box<AttackForecast>,
    pub spread: Spread,
    /// The best attacks of other kinds.
    pub others: Vec<Answer>,
    /// Whether it comes next round at the earliest, apart from reactions.
    pub is_later: bool,
}

impl PreviewAnswer {
    /// The enemy's attack of the kind that it is likely to make, as its prediction says, or else its
    /// best one.
    pub fn expected(
        &self,
        session: &Session,
        predictions: &Predictions,
    ) -> (&AttackForecast, &Spread) {
        let likely = predictions.on(session, self.attack.by, self.attack.at);
        let mut others = self.others.iter();
        let other = likely.and_then(|likely| others.find(|other| other.kind == likely.kind));
        other.map_or((&self.attack, &self.spread), |other| {
            (&other.attack, &other.spread)
        })
    }
}

/// The preview for the current state and cursor, computed once for all callers, so that a click
/// does what was shown.
#[derive(SystemParam)]
pub struct PreviewParam<'w> {
    preview: ResMut<'w, ActionPreview>,
    seen: ResMut<'w, Seen>,
}

/// What the preview was computed from.
#[derive(Resource, Default)]
pub struct Seen(Option<(ShownMoment, Selection)>);

impl PreviewParam<'_> {
    pub fn latest(&self) -> &ActionPreview {
        &self.preview
    }

    pub fn of(&mut self, session: &mut Session, selection: &Selection) -> &ActionPreview {
        let moment = session.moment();
        let seen = self.seen.0.as_ref();
        let is_same_unit = seen.is_some_and(|(_, of)| of.chosen == selection.chosen);
        let seen = seen.filter(|(then, of)| *then == moment && of.means() == selection.means());
        let points = |of: &Selection| (of.cursor, of.quarter, of.mouse_rested);
        if seen.is_some_and(|(_, of)| points(of) == points(selection)) {
            return &self.preview;
        }
        let mut next = match seen {
            // The unit's options do not depend on the cursor.
            Some(_) => ActionPreview {
                click: Click::Nothing,
                replaces: false,
                attacks: vec![],
                spread: Spread::default(),
                trades: vec![],
                interrupts: None,
                answer: None,
                exchanges: vec![],
                ..self.preview.clone()
            },
            None => ActionPreview::of_pick(session, selection),
        };
        next.point(session, selection);
        if next.acts.is_empty() && !session.prompts_turn() && is_same_unit {
            // While events are shown or plans are carried out, the action bar stays, but never for
            // another unit than the selected one.
            next.acts = self.preview.acts.clone();
            next.done = self.preview.done;
        }
        self.preview.set_if_neq(next);
        self.seen.0 = Some((moment, selection.clone()));
        &self.preview
    }
}

fn update(
    mut session: ResMut<Session>,
    selection: Res<Selection>,
    mut preview_param: PreviewParam,
) {
    // Listing offers is not a change of the session.
    preview_param.of(session.bypass_change_detection(), &selection);
}

impl ActionPreview {
    /// Computes the preview; empty while the player has no decision.
    pub fn of(session: &mut Session, selection: &Selection) -> Self {
        let mut out = Self::of_pick(session, selection);
        out.point(session, selection);
        out
    }

    /// The part of the preview that does not depend on the cursor.
    fn of_pick(session: &mut Session, selection: &Selection) -> Self {
        let mut out = Self::default();
        let Some(asked) = session.prompt().cloned() else {
            return out;
        };
        if !asked.is_turn() {
            let Some(&who) = asked.actors.first() else {
                return out;
            };
            let offers = session.offers_of(who);
            let menu = menu::reaction(session, selection, &asked, &offers);
            let choices = menu.rows.iter().filter_map(MenuRow::choice);
            out.targets = choices.filter_map(|choice| choice.at).collect();
            out.targets.dedup();
            out.menu = Some(menu);
            return out;
        }
        let (shown, own) = (session.shown(), session.player());
        let is_own = |o: &&OddsLine| o.who.is_none_or(|who| shown.unit(who).side == own);
        let lines = |choice: &Choice| {
            let odds = session.queries.odds(choice);
            odds.iter().filter(is_own).map(OddsLine::words).collect()
        };
        out.common = asked.common.iter().map(lines).collect();
        let Some(who) = selection.chosen else {
            return out;
        };
        let offers = session.offers_of(who);
        // The buttons of a unit that has declared replace its order.
        let before = session.offers_before(who);
        out.acts = acts::acts(session, before.as_ref().unwrap_or(&offers));
        out.done = session.done_verb(who);
        out.walks = walk::can(session, &offers);
        out.declares = session.is_declaring();
        match out.armed(selection).cloned() {
            Some(act) => out.mark(session, selection, &act, &offers),
            None if out.declares => out.declared_reach = session.queries.declared_reach(who),
            None => out.reach = walk::reach(session, who, &offers),
        }
        out
    }

    /// Adds what a click on the cell under the cursor would do, and the attack of the enemy there.
    fn point(&mut self, session: &mut Session, selection: &Selection) {
        if let Some(who) = click::replaced(session, selection) {
            session.as_undeclared(who, |session, offers| {
                self.point_with(session, selection, (who, offers));
            });
            self.replaces = self.click.choice().is_some();
            return;
        }
        // A unit with an order is not asked for another, and with the whole plan nobody is.
        let has_order = |who| session.can_replace(who);
        let has_all_orders = selection.armed.is_none()
            && (session.held().is_some() || selection.chosen.is_some_and(has_order));
        let is_asked = session.prompts_turn() && !has_all_orders;
        match selection.chosen.filter(|_| is_asked) {
            Some(who) => {
                let offers = session.offers_of(who);
                self.point_with(session, selection, (who, &offers));
            }
            None => {
                self.click = click::idle(session, selection);
                self.answer = answer(session, selection, &self.click);
            }
        }
    }

    /// Adds what a click on the cell under the cursor would do with a unit and its offers.
    fn point_with(
        &mut self,
        session: &Session,
        selection: &Selection,
        (who, offers): (Id, &[Offer]),
    ) {
        if let Some(cell) = selection.cursor {
            let seen = click::ClickContext {
                session,
                selection,
                who,
                cell,
                under: selection.pointed(session.shown()),
                offers,
                acts: &self.acts,
                armed: self.armed(selection),
                reach: &self.reach,
            };
            (self.click, self.attacks) = seen.click();
            if selection.mouse_rested && self.click.is_move() {
                (self.click, self.attacks) = (Click::Nothing, vec![]);
            }
        }
        self.mark_meant(session.queries.rules.planning, selection);
        match &self.click {
            Click::Attack(attack) => {
                self.spread = session.queries.spread(&attack.choice);
                self.trades = session.queries.trades(&attack.choice);
                self.interrupts = session.queries.interrupts(&attack.choice);
            }
            Click::Advance(advance) => {
                self.spread = advance.spread.clone();
                if let Some(&end) = advance.way.path.last() {
                    let attack = &advance.attack.choice;
                    self.interrupts = session.queries.interrupts_from((who, end), attack);
                }
            }
            Click::Plan(draft) => {
                if let (Some(forecast), Some(plan)) = (&draft.attack, draft.planned()) {
                    self.spread = session.queries.planned_spread(&plan, &forecast.choice);
                }
            }
            Click::Move(way) => {
                if let (Some(who), Some(&end)) = (selection.chosen, way.path.last()) {
                    let enemies = enemies_of(session, who);
                    self.exchanges = session.queries.exchanges(who, end, &enemies);
                }
            }
            _ => {}
        }
        self.answer = answer(session, selection, &self.click);
    }

    /// The action that waits for its target.
    fn armed(&self, selection: &Selection) -> Option<&ActButton> {
        let armed = selection.armed.and_then(|key| self.act(key));
        armed.or(self.only_number()).or_else(|| self.only_aim())
    }

    /// The only action with a target, if the unit can't move and declares nothing: it counts as
    /// armed.
    fn only_aim(&self) -> Option<&ActButton> {
        let has_aim = |a: &&ActButton| a.choices().any(|c| c.at.is_some() || c.to.is_some());
        let mut aimed = self.acts.iter().filter(has_aim);
        let is_all = !self.walks && !self.declares;
        let only = aimed.next().filter(|act| act.plain && is_all)?;
        let opens = aim::open(&only.offers, &PartialChoice::default());
        let is_aim = matches!(opens, Some(Open::Aim { .. }));
        (is_aim && aimed.next().is_none()).then_some(only)
    }

    /// The only action, if all it needs is a number: it counts as armed.
    fn only_number(&self) -> Option<&ActButton> {
        let [only] = &self.acts[..] else { return None };
        let asks = only.offers.iter().all(|o| o.numbers.is_some());
        (asks && !only.offers.is_empty()).then_some(only)
    }

    /// The cells that the board marks as the unit's range.
    pub fn range(&self) -> &[Reach] {
        match self.declared_reach.is_empty() {
            true => &self.reach,
            false => &self.declared_reach,
        }
    }

    /// The unit under the cursor. If a click does something to another unit in that cell, such as a
    /// fallen ally below an enemy, it is that unit.
    pub fn pointed(&self, selection: &Selection, shown: &Shown) -> Option<Id> {
        let cell = selection.cursor?;
        let target = self.click.target();
        let target = target.filter(|&id| shown.unit(id).space().contains(cell));
        target.or_else(|| selection.pointed(shown).map(|unit| unit.id))
    }

    pub fn act(&self, key: char) -> Option<&ActButton> {
        self.acts.iter().find(|a| a.key == key)
    }

    /// Sets the targets of the armed action, or the list of what is left to choose.
    fn mark(
        &mut self,
        session: &Session,
        selection: &Selection,
        act: &ActButton,
        offers: &[Offer],
    ) {
        let partial = selection.partial_choice();
        let Some(open) = aim::open(&act.offers, &partial) else {
            return;
        };
        if let Open::Aim { units, places } = &open {
            (self.targets, self.places) = (units.clone(), places.clone());
        }
        if let Open::Nothing(choice) = &open
            && let Some(unaimed) = menu::unaimed(session, choice)
        {
            match &unaimed {
                Unaimed::Cell => {
                    self.declared_reach = session.queries.declared_reach(choice.actor());
                }
                Unaimed::Enemies(enemies) => self.targets.clone_from(enemies),
            }
            self.unaimed = Some((choice.clone(), unaimed));
            return;
        }
        if let Open::Way(ways) = &open {
            let places = ways.iter().filter_map(|o| o.choice.to);
            self.places = places.filter(|_| partial.to.is_none()).collect();
            self.places.sort_by_key(|c| (c.y, c.x));
            self.places.dedup();
            self.targets = Vec::from_iter(partial.at);
        }
        self.menu = menu::of_act(session, act, &partial, &open, offers);
        if let Some(menu) = &mut self.menu {
            self.reach = std::mem::take(&mut menu.reach);
        }
    }

    /// Highlights the buttons that wait for a target or are what a click would do.
    fn mark_meant(&mut self, planning: &Planning, selection: &Selection) {
        // The declaration that only prepares an attack must not highlight the "nothing" button.
        let idly = match &self.click {
            Click::Plan(draft) if draft.intent.at().is_some() => planning.idle,
            _ => &[],
        };
        let meant = self.click.choice();
        let meant = meant.filter(|choice| !idly.contains(&choice.verb));
        for act in &mut self.acts {
            let meant = meant.filter(|m| act.has(m.verb));
            act.is_on = selection.armed == Some(act.key) || meant.is_some();
            let liked = selection.prefers.filter(|item| act.items.contains(item));
            let item = meant.and_then(|m| m.with).or(liked);
            act.item = item.or(act.items.first().copied());
        }
    }
}

/// All standing units of other sides than the unit's.
pub fn enemies_of(session: &Session, who: Id) -> Vec<Id> {
    let shown = session.shown();
    let enemies = shown.enemies_of(shown.unit(who).side);
    enemies.map(|p| p.id).collect()
}

/// The best attack of the enemy under the cursor on the selected unit where the click would leave
/// it.
fn answer(session: &Session, selection: &Selection, click: &Click) -> Option<PreviewAnswer> {
    let shown = session.shown();
    let (own, enemy) = (shown.unit(selection.chosen?), selection.pointed(shown)?);
    if !own.is_up() || !enemy.is_up() || own.side == enemy.side {
        return None;
    }
    let (plan, end) = match click {
        Click::Plan(draft) => (draft.planned(), None),
        Click::Advance(advance) => (None, advance.way.path.last()),
        _ => (None, None),
    };
    let plan = plan.unwrap_or(PlannedAttack {
        who: own.id,
        orders: &[],
        stand: *end.unwrap_or(&own.at),
        feet: 0,
    });
    let mut all = session.queries.answers(&plan, enemy.id).into_iter();
    let best = all.next()?;
    Some(PreviewAnswer {
        attack: Box::new(best.attack),
        spread: best.spread,
        others: all.collect(),
        is_later: session.queries.has_attacked(enemy.id),
    })
}

/// The chance that an action does what it is meant for, if a single number says that: only notes
/// follow it. It counts the answer that the target still has.
fn chance(queries: &DisplayQueries, choice: &Choice) -> Option<u32> {
    if let Some(Ok(attack)) = queries.attack(choice) {
        return Some(attack.likely_percent());
    }
    match &queries.odds(choice)[..] {
        [one, rest @ ..] if rest.iter().all(|odds| odds.percent.is_none()) => one.percent,
        _ => None,
    }
}
