//! What the chosen one could do, and what a click would do: all that is shown
//! before the click.
//!
//! It is worked out from the battle's offers, whatever the ruleset: [`acts`]
//! sorts them into the buttons of the act bar, [`aim`] leads from an act with
//! many ways to one of them, [`click`] says what the cell under the cursor
//! stands for, `advance` what a click on a foe out of reach does, [`menu`] lists what
//! is left to be chosen, and what may be answered out of turn. Of plans [`draft`] says
//! what would be declared, [`course`] how the round goes if nobody interferes, [`outcome`]
//! how often it goes so by simulated rounds, [`risks`] what speaks against them, and
//! [`carry`] carries them out; [`predictions`] says what enemies are likely to do.

mod acts;
mod advance;
mod aim;
pub mod carry;
mod click;
pub mod course;
mod draft;
mod menu;
pub mod outcome;
mod plan_preview;
mod predictions;
pub mod risks;
mod walk;

pub use acts::Act;
pub use advance::Advance;
pub use aim::{Open, open};
pub use click::Click;
pub use draft::{Draft, Offers, Source, again, deeds, intended};
pub use menu::{Menu, Picks, Row, Slider, helps, unaimed, words};
pub use plan_preview::{Offered, PlanPreview, Presets, PreviewedMoment};
pub use predictions::{Predictions, PredictsAll, verb};

use super::{
    Phase, Screen, Selection, Session,
    selection::Settled,
    session::{Moment, Reads},
};
use crate::{
    battle::{Action, AttackForecast, Choice, Id, Odds, Offer, Planning, Reach, Spread, Trade},
    control::exchange::Exchange,
    grid::Cell,
};
use bevy::{ecs::system::SystemParam, prelude::*};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<ActionPreview>().init_resource::<Seen>();
    app.add_plugins((plan_preview::plugin, predictions::plugin));
    app.add_systems(
        Update,
        foresee
            .in_set(Phase::Foresee)
            .run_if(in_state(Screen::Battle)),
    );
}

/// What lies before the player.
#[derive(Resource, Clone, PartialEq, Debug, Default)]
pub struct ActionPreview {
    /// The act bar of the chosen one.
    pub acts: Vec<Act>,
    /// How the chosen one says that it is done, if it may: it lets the moment
    /// pass, or the turn.
    pub done: Option<&'static Action>,
    /// Where the chosen one could go; empty while an act is armed.
    pub reach: Vec<Reach>,
    /// The targets of the armed act.
    pub targets: Vec<Id>,
    /// Cells at which the armed act may be aimed.
    pub places: Vec<Cell>,
    /// What each answer of the whole side would do, a line each.
    pub common: Vec<Vec<String>>,
    /// What is left to be chosen from a list.
    pub menu: Option<Menu>,
    /// What is declared if no target is said beforehand.
    pub unaimed: Option<Choice>,
    pub click: Click,
    /// Every way to attack the target under the cursor, the best first.
    pub blows: Vec<AttackForecast>,
    /// How the damage of the attack is spread that a click would be.
    pub spread: Spread,
    /// How what it does changes with what is put into it.
    pub trades: Vec<Trade>,
    /// What the foe under the cursor could do to the one in hand.
    pub answer: Option<Answer>,
    /// What would lie between the one in hand and each foe where the way under
    /// the cursor ends.
    pub exchanges: Vec<Exchange>,
    /// A click on a cell could mean a move.
    walks: bool,
    /// A round is declared: a click on a foe is a plan.
    declares: bool,
}

/// The best attack of a foe on the one in hand.
#[derive(Clone, PartialEq, Debug)]
pub struct Answer {
    pub blow: Box<AttackForecast>,
    pub spread: Spread,
}

/// The preview of this moment and of what the player points at, worked out
/// once, whoever asks: what a click does is what was shown for it.
#[derive(SystemParam)]
pub struct Foresight<'w> {
    preview: ResMut<'w, ActionPreview>,
    seen: ResMut<'w, Seen>,
}

/// What the preview was worked out from.
#[derive(Resource, Default)]
pub struct Seen(Option<(Moment, Selection)>);

impl Foresight<'_> {
    /// As it was shown last.
    pub fn latest(&self) -> &ActionPreview {
        &self.preview
    }

    pub fn of(&mut self, session: &mut Session, selection: &Selection) -> &ActionPreview {
        let moment = session.moment();
        let seen = self.seen.0.as_ref();
        let seen = seen.filter(|(then, of)| *then == moment && of.means() == selection.means());
        if seen.is_some_and(|(_, of)| of.cursor == selection.cursor) {
            return &self.preview;
        }
        let mut next = match seen {
            // What somebody can do does not hang on where the cursor is.
            Some(_) => ActionPreview {
                click: Click::Nothing,
                blows: vec![],
                spread: Spread::default(),
                trades: vec![],
                answer: None,
                exchanges: vec![],
                ..self.preview.clone()
            },
            None => ActionPreview::of_pick(session, selection),
        };
        next.point(session, selection);
        if next.acts.is_empty() && !session.is_players_turn() {
            // While what was done is played the bar stays as it was, greyed.
            next.acts = self.preview.acts.clone();
            next.done = self.preview.done;
        }
        self.preview.set_if_neq(next);
        self.seen.0 = Some((moment, selection.clone()));
        &self.preview
    }
}

fn foresee(mut session: ResMut<Session>, selection: Res<Selection>, mut foresight: Foresight) {
    // To list the offers is no change.
    foresight.of(session.bypass_change_detection(), &selection);
}

impl ActionPreview {
    /// Looks ahead. Empty while the player is not asked.
    pub fn of(session: &mut Session, selection: &Selection) -> Self {
        let mut out = Self::of_pick(session, selection);
        out.point(session, selection);
        out
    }

    /// All that does not hang on the cursor.
    fn of_pick(session: &mut Session, selection: &Selection) -> Self {
        let mut out = Self::default();
        let Some(asked) = session.question().cloned() else {
            return out;
        };
        if !asked.is_turn() {
            let Some(&who) = asked.actors.first() else {
                return out;
            };
            let offers = session.offers_of(who);
            let menu = menu::reaction(session, selection, &asked, &offers);
            let choices = menu.rows.iter().filter_map(Row::choice);
            out.targets = choices.filter_map(|choice| choice.at).collect();
            out.targets.dedup();
            out.menu = Some(menu);
            return out;
        }
        for choice in &asked.common {
            let mut odds = session.reads.odds(choice);
            let (shown, own) = (session.shown(), session.player());
            odds.retain(|o| o.who.is_none_or(|who| shown.person(who).side == own));
            out.common.push(odds.iter().map(Odds::words).collect());
        }
        let Some(who) = selection.chosen else {
            return out;
        };
        let offers = session.offers_of(who);
        out.acts = acts::acts(session, &offers);
        out.done = session.done_verb(who);
        out.walks = walk::can(session, &offers);
        out.declares = session.is_declaring();
        match out.armed(selection).cloned() {
            Some(act) => out.mark(session, selection, &act, &offers),
            None => out.reach = walk::reach(session, who, &offers),
        }
        out
    }

    /// What a click on the cell under the cursor would do, and what the foe
    /// there could do.
    fn point(&mut self, session: &mut Session, selection: &Selection) {
        // In the last look at a plan a click declares nothing more.
        let is_settled = session.held().is_some() && selection.armed.is_none();
        let is_asked = session.is_players_turn() && !is_settled;
        if let Some(who) = selection.chosen.filter(|_| is_asked) {
            if let Some(cell) = selection.cursor {
                let offers = session.offers_of(who);
                let seen = click::View {
                    who,
                    cell,
                    offers: &offers,
                    acts: &self.acts,
                    armed: self.armed(selection),
                    reach: &self.reach,
                };
                (self.click, self.blows) = click::click(session, selection, &seen);
            }
            self.mark_meant(session.reads.rules.planning, selection);
        } else {
            self.click = click::idle(session, selection);
        }
        match &self.click {
            Click::Blow(blow) => {
                self.spread = session.reads.spread(&blow.choice);
                self.trades = session.reads.trades(&blow.choice);
            }
            Click::Advance(advance) => self.spread = advance.spread.clone(),
            Click::Plan(draft) => {
                if let (Some(blow), Some(plan)) = (&draft.blow, draft.planned()) {
                    let spread = session.reads.planned_spread(&plan, &blow.choice);
                    self.spread = spread.unwrap_or_default();
                }
            }
            Click::Move(way) => {
                if let (Some(who), Some(&end)) = (selection.chosen, way.path.last()) {
                    let foes = foes_of(session, who);
                    self.exchanges = session.reads.exchanges(who, end, &foes);
                }
            }
            _ => {}
        }
        self.answer = answer(session, selection, &self.click);
    }

    /// The act that waits for its target.
    fn armed(&self, selection: &Selection) -> Option<&Act> {
        let armed = selection.armed.and_then(|key| self.act(key));
        armed
            .or_else(|| self.only_number())
            .or_else(|| self.only_aim())
    }

    /// The act that waits for nothing but its target, where nothing else has one
    /// and nobody could go anywhere: it is aimed as if its button was pressed.
    fn only_aim(&self) -> Option<&Act> {
        let has_aim = |a: &&Act| a.choices().any(|c| c.at.is_some() || c.to.is_some());
        let mut aimed = self.acts.iter().filter(has_aim);
        let is_all = !self.walks && !self.declares;
        let only = aimed.next().filter(|act| act.plain && is_all)?;
        let opens = aim::open(&only.offers, &Settled::default());
        let is_aim = matches!(opens, Some(Open::Aim { .. }));
        (is_aim && aimed.next().is_none()).then_some(only)
    }

    /// The act that waits for nothing but its number, where there is no other:
    /// no button need be pressed for it.
    fn only_number(&self) -> Option<&Act> {
        let [only] = &self.acts[..] else { return None };
        let asks = only.offers.iter().all(|o| o.numbers.is_some());
        (asks && !only.offers.is_empty()).then_some(only)
    }

    pub fn act(&self, key: char) -> Option<&Act> {
        self.acts.iter().find(|a| a.key == key)
    }

    /// What the armed act may be aimed at, or what is left to be chosen of it.
    fn mark(&mut self, session: &Session, selection: &Selection, act: &Act, offers: &[Offer]) {
        let settled = selection.settled();
        let Some(open) = aim::open(&act.offers, &settled) else {
            return;
        };
        if let Open::Aim { people, places } = &open {
            (self.targets, self.places) = (people.clone(), places.clone());
        }
        if let Open::Nothing(choice) = &open
            && let Some(foes) = menu::unaimed(session, choice)
        {
            self.targets = foes;
            self.unaimed = Some(choice.clone());
        }
        if let Open::Way(ways) = &open {
            let places = ways.iter().filter_map(|o| o.choice.to);
            self.places = places.filter(|_| settled.to.is_none()).collect();
            self.places.sort_by_key(|c| (c.y, c.x));
            self.places.dedup();
            self.targets = Vec::from_iter(settled.at);
        }
        self.menu = menu::of_act(session, act, &settled, &open, offers);
        if let Some(menu) = &mut self.menu {
            self.reach = std::mem::take(&mut menu.reach);
        }
    }

    /// The buttons whose act waits for its target or is what a click would be.
    fn mark_meant(&mut self, planning: &Planning, selection: &Selection) {
        // Where only what comes before an attack is declared, its button is not "nothing".
        let idly = match &self.click {
            Click::Plan(draft) if draft.intent.at().is_some() => planning.idle,
            _ => &[],
        };
        let meant = self.click.choice().cloned();
        let meant = meant.filter(|choice| !idly.contains(&choice.verb));
        for act in &mut self.acts {
            let meant = meant.as_ref().filter(|m| act.has(m.verb));
            act.is_on = selection.armed == Some(act.key) || meant.is_some();
            let liked = selection.prefers.filter(|item| act.items.contains(item));
            act.item = meant
                .and_then(|m| m.with)
                .or(liked)
                .or(act.items.first().copied());
        }
    }
}

/// Everybody up who is on another side than somebody.
pub fn foes_of(session: &Session, who: Id) -> Vec<Id> {
    let shown = session.shown();
    let side = shown.person(who).side;
    let foes = shown.people.iter().filter(|p| p.is_up() && p.side != side);
    foes.map(|p| p.id).collect()
}

/// The best attack of the foe under the cursor on the one in hand, where a click
/// would leave them.
fn answer(session: &Session, selection: &Selection, click: &Click) -> Option<Answer> {
    let shown = session.shown();
    let (own, foe) = (
        shown.person(selection.chosen?),
        shown.on(selection.cursor?)?,
    );
    if !own.is_up() || !foe.is_up() || own.side == foe.side {
        return None;
    }
    let plan = match click {
        Click::Plan(draft) => draft.planned(),
        _ => None,
    };
    let end = match click {
        Click::Advance(advance) => advance.way.path.last().copied(),
        _ => None,
    };
    let (blow, spread) = match plan {
        Some(plan) => session.reads.answer_to(&plan, foe.id)?,
        None => session
            .reads
            .answer((own.id, end.unwrap_or(own.at)), foe.id)?,
    };
    Some(Answer {
        blow: Box::new(blow),
        spread,
    })
}

/// The chance that an act does what it is done for, if it is one thing.
fn chance(reads: &Reads, choice: &Choice) -> Option<u32> {
    if let Some(Ok(blow)) = reads.attack(choice) {
        return Some(blow.percent);
    }
    match &reads.odds(choice)[..] {
        [one] => one.percent,
        _ => None,
    }
}
