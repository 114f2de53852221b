//! Automatic reactions: gives the answers that the player chose in advance, always or
//! never, for each kind of reaction, and skips turns with hardly anything to do. The
//! answers go through the [`Session`] like the player's own, and are shown in the
//! log.

use super::{
    Phase, Playback, Profile, Screen, Selection, Session,
    art::hud::Panel,
    preview::{carry, helps},
    profile::{AutoReaction, AutoReactions, kinds},
    session::{self, ShownMoment},
    theme::{TextStyle, text},
    widgets::button,
};
use crate::{
    battle::{Action, Choice, Id, Offer, PASS, Rule, Ruleset, capitalised, chances::EVERY_CHANCE},
    control::orders::NextStep,
};
use bevy::{prelude::*, ui_widgets::Activate};
use std::sync::Arc;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<AutoAnswers>();
    app.add_observer(press);
    app.add_systems(
        OnEnter(Screen::Battle),
        |mut auto_answers: ResMut<AutoAnswers>| *auto_answers = AutoAnswers::default(),
    );
    app.add_systems(
        Update,
        (update_every_chance, answer, update_goes_on)
            .chain()
            .in_set(Phase::Think)
            .run_if(in_state(Screen::Battle))
            .run_if(session::is_on),
    );
}

/// A button that sets the automatic reaction of one kind.
#[derive(Component, Clone, Debug)]
pub struct SetAutoReaction {
    pub rules: &'static Ruleset,
    pub verb: &'static Action,
    pub auto_reaction: AutoReaction,
    /// The name of the unit that it applies to. `None`: all units.
    pub unit: Option<String>,
}

impl SetAutoReaction {
    /// Spawns the button with its label. It is highlighted if it is the setting `now`.
    pub fn spawn<'a>(
        self,
        line: &'a mut ChildSpawnerCommands,
        now: AutoReaction,
        node: Node,
        words: &str,
    ) -> EntityCommands<'a> {
        let panel = match self.auto_reaction == now {
            true => Panel::ButtonPrimary,
            false => Panel::Button,
        };
        let mut spawned = line.spawn((button(panel, node), self));
        spawned.with_children(|button| {
            button.spawn(text(words, TextStyle::Label, panel.text()));
        });
        spawned
    }
}

fn press(on: On<Activate>, buttons: Query<&SetAutoReaction>, mut profile: ResMut<Profile>) {
    let Ok(of) = buttons.get(on.entity) else {
        return;
    };
    let auto_reactions = &mut profile.auto_reactions;
    match &of.unit {
        Some(unit) => auto_reactions.set_unit(of.rules, of.verb, (unit, of.auto_reaction)),
        None => auto_reactions.set(of.rules, of.verb, of.auto_reaction),
    }
}

/// A log entry for a prompt that was answered automatically.
#[derive(Clone, PartialEq, Debug)]
pub struct AutoAnswer {
    /// The number of events in the log before it.
    pub at: usize,
    pub text: String,
    pub rule: Rule,
}

/// A unit that could have reacted to attacks on it, and why the player was not asked. The log says
/// it if the unit falls to one of them.
#[derive(Clone, PartialEq, Debug)]
pub struct Unasked {
    /// The number of events in the log before it.
    pub at: usize,
    pub who: Id,
    /// The serial numbers of the attacks.
    pub attacks: Vec<u32>,
    pub why: WhyUnasked,
}

/// Why the player was not asked for a reaction.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum WhyUnasked {
    NoEffect,
    Never,
}

impl WhyUnasked {
    pub fn words(self) -> &'static str {
        match self {
            Self::NoEffect => "you were not asked, as no reaction would have changed the result",
            Self::Never => "you were not asked, as the reactions are set to Never",
        }
    }
}

impl Unasked {
    /// `None` if the unit has no reaction, or is not the target of a pending attack.
    fn of(session: &mut Session, why: WhyUnasked) -> Option<Self> {
        let who = session.asked_member()?;
        let offers = session.offers_of(who);
        let is_reaction = |o: &Offer| o.is_legal() && !o.rare && o.choice.verb != &PASS;
        let pending = session.queries.pending_attacks();
        let own = pending
            .iter()
            .filter(|rolled_attack| rolled_attack.attack.at == who);
        let attacks: Vec<u32> = own.map(|rolled_attack| rolled_attack.serial).collect();
        let is_one = !attacks.is_empty() && offers.iter().any(is_reaction);
        is_one.then(|| Self {
            at: session.known_events().count(),
            who,
            attacks,
            why,
        })
    }
}

/// The prompts of this battle that were answered automatically.
#[derive(Resource, Debug, Default)]
pub struct AutoAnswers {
    /// Those with a log entry of their own.
    pub answers: Vec<AutoAnswer>,
    pub unasked: Vec<Unasked>,
}

impl AutoAnswers {
    /// Adds an answer, without those after it that were undone.
    fn add_answer(&mut self, answer: AutoAnswer) {
        self.answers.retain(|entry| entry.at <= answer.at);
        self.answers.push(answer);
    }

    /// Adds a unit that was not asked, without those after it that were undone.
    fn add_unasked(&mut self, unasked: Unasked) {
        self.unasked.retain(|entry| entry.at <= unasked.at);
        self.unasked.push(unasked);
    }
}

/// Whether the player wants a prompt at every chance.
pub fn is_prompted_at_chances(auto_reactions: &AutoReactions, rules: &Ruleset) -> bool {
    auto_reactions.of(rules, &EVERY_CHANCE) == AutoReaction::Always
}

fn update_every_chance(mut session: ResMut<Session>, profile: Res<Profile>) {
    let every = is_prompted_at_chances(&profile.auto_reactions, session.game.rules());
    let skips = skips(&profile.auto_reactions, &session);
    let session = session.bypass_change_detection();
    session.want_chances(every);
    session.set_skips(skips);
}

fn answer(
    mut session: ResMut<Session>,
    profile: Res<Profile>,
    playback: Res<Playback>,
    mut selection: ResMut<Selection>,
    mut auto_answers: ResMut<AutoAnswers>,
    mut prompted: Local<Option<(Prompted, usize)>>,
) {
    if playback.busy || session.question().is_none() {
        return;
    }
    let looked_at = session.bypass_change_detection();
    let auto_reactions = &profile.auto_reactions;
    // Both are always legal: a unit can pass on its own turn, and otherwise the pass was
    // offered.
    if let Some(choice) = looked_at.skipped() {
        let _ = session.give_automatically(&choice);
        return;
    }
    if let Some(pass) = idle(looked_at, auto_reactions) {
        if let Some(unasked) = Unasked::of(looked_at, WhyUnasked::NoEffect) {
            auto_answers.add_unasked(unasked);
        }
        let _ = session.give_automatically(&pass);
        return;
    }
    let Some(choice) = decide(looked_at, auto_reactions) else {
        let moment = Prompted::of(looked_at);
        let answered = looked_at.game.answered();
        let is_asked_again = prompted
            .as_ref()
            .is_some_and(|(before, at)| Some(before) == moment.as_ref() && *at < answered);
        if is_asked_again && let Some(pass) = pass_unless_wanted(looked_at, auto_reactions) {
            let _ = session.give_automatically(&pass);
            return;
        }
        *prompted = moment.map(|moment| (moment, answered));
        // Ask the player, with one prompt for all units that can react.
        let anew = profile.is_changed();
        looked_at.find_company(anew, |session, who, offers| {
            is_prompted(session, auto_reactions, who, offers)
        });
        return;
    };
    let unasked = match choice.verb == &PASS {
        true => Unasked::of(looked_at, WhyUnasked::Never),
        false => None,
    };
    let asked = session.question().map(|q| (q.prompt.clone(), q.rule));
    let Some((prompt, rule)) = asked else { return };
    let text = match choice.verb == &PASS {
        true => format!("{}: skipped (automatic)", capitalised(&prompt)),
        false => format!("{} (automatic)", session.log_text(&choice)),
    };
    let at = session.known_events().count();
    // If the answer is refused, the prompt stays open for the player.
    if session.give_automatically(&choice).is_ok() {
        selection.show_toast(text.clone());
        auto_answers.add_answer(AutoAnswer { at, text, rule });
        if let Some(unasked) = unasked {
            auto_answers.add_unasked(unasked);
        }
    }
}

/// Notes whether the open decision will be answered without the player, so that the screen does
/// not ask for it meanwhile.
fn update_goes_on(
    mut session: ResMut<Session>,
    profile: Res<Profile>,
    mut seen: Local<Option<ShownMoment>>,
) {
    if *seen == Some(session.moment()) && !profile.is_changed() {
        return;
    }
    let looked_at = session.bypass_change_detection();
    let auto_reactions = &profile.auto_reactions;
    let goes_on = looked_at.question().is_some()
        && (looked_at.skipped().is_some()
            || carry::next(looked_at) != NextStep::Ask
            || idle(looked_at, auto_reactions).is_some()
            || decide(looked_at, auto_reactions).is_some());
    if looked_at.goes_on() != goes_on {
        session.set_goes_on(goes_on);
    }
    *seen = Some(session.moment());
}

/// Whether units with hardly anything to do are not asked.
fn skips(auto_reactions: &AutoReactions, session: &Session) -> bool {
    let skippable = session.queries.ruleset_ui.skippable;
    let setting = skippable.map(|verb| auto_reactions.of(session.game.rules(), verb));
    setting == Some(AutoReaction::Never)
}

/// An attack for which the player got a prompt.
#[derive(PartialEq)]
struct Prompted {
    epoch: u32,
    round: u16,
    /// The serial numbers of the pending attacks.
    attacks: Vec<u32>,
    prompt: String,
}

impl Prompted {
    /// `None` without a pending attack: each step of a move is a new prompt.
    fn of(session: &Session) -> Option<Self> {
        let prompt = session.question()?.prompt.to_string();
        let attacks = session.queries.pending_attacks();
        let attacks: Vec<u32> = attacks.iter().map(|attack| attack.serial).collect();
        (!attacks.is_empty()).then(|| Self {
            epoch: session.shown().epoch,
            round: session.round(),
            attacks,
            prompt,
        })
    }
}

/// The answer that passes when the same attack prompts again. `None` if the player
/// wants every prompt.
fn pass_unless_wanted(session: &mut Session, auto_reactions: &AutoReactions) -> Option<Choice> {
    let who = session.asked_member()?;
    let offers = session.offers_of(who);
    let is_wanted = |o: &Offer| setting(session, auto_reactions, who, o) == Some(AutoReaction::Ask);
    pass_unless(session, auto_reactions, &offers, is_wanted)
}

/// The offer to pass, unless one of the others counts or the player wants a prompt at every chance.
fn pass_unless(
    session: &Session,
    auto_reactions: &AutoReactions,
    offers: &[Offer],
    counts: impl Fn(&Offer) -> bool,
) -> Option<Choice> {
    if is_prompted_at_chances(auto_reactions, session.game.rules()) {
        return None;
    }
    let legal = || offers.iter().filter(|o| o.is_legal());
    let pass = legal().find(|o| o.choice.verb == &PASS)?;
    (!legal().any(counts)).then(|| pass.choice.clone())
}

/// The player's setting for a unit's reaction; `None` if it can't be answered in advance.
fn setting(
    session: &Session,
    auto_reactions: &AutoReactions,
    who: Id,
    offer: &Offer,
) -> Option<AutoReaction> {
    let (rules, verb) = (session.game.rules(), offer.choice.verb);
    let name = &session.shown().unit(who).name;
    let is_kind = kinds(rules).any(|kind| kind == verb);
    is_kind.then(|| auto_reactions.of_unit(rules, verb, Some(name)))
}

/// Whether a unit's prompt is shown to the player, given the automatic reactions.
/// `None` if they answer it with a reaction.
fn is_prompted(
    session: &mut Session,
    auto_reactions: &AutoReactions,
    who: Id,
    offers: &Arc<Vec<Offer>>,
) -> Option<bool> {
    if idle_for(session, auto_reactions, who, offers).is_some() {
        return Some(false);
    }
    match decide_for(session, auto_reactions, who, offers) {
        None => Some(true),
        Some(choice) => (choice.verb == &PASS).then_some(false),
    }
}

/// The answer that passes, without a log entry, if no reaction could change anything.
/// `None` if the player wants a prompt at every chance.
fn idle(session: &mut Session, auto_reactions: &AutoReactions) -> Option<Choice> {
    let who = session.asked_member()?;
    let offers = session.offers_of(who);
    idle_for(session, auto_reactions, who, &offers)
}

fn idle_for(
    session: &Session,
    auto_reactions: &AutoReactions,
    who: Id,
    offers: &Arc<Vec<Offer>>,
) -> Option<Choice> {
    let asks = |o: &Offer| setting(session, auto_reactions, who, o) == Some(AutoReaction::Ask);
    let counts = |o: &Offer| {
        let is_act = o.choice.verb != &PASS && !o.rare;
        is_act && (asks(o) || helps(session, who, offers, o))
    };
    pass_unless(session, auto_reactions, offers, counts)
}

/// The automatic answer to the prompt. `None` if the player has to decide.
fn decide(session: &mut Session, auto_reactions: &AutoReactions) -> Option<Choice> {
    let who = session.asked_member()?;
    let offers = session.offers_of(who);
    decide_for(session, auto_reactions, who, &offers)
}

fn decide_for(
    session: &Session,
    auto_reactions: &AutoReactions,
    who: Id,
    offers: &Arc<Vec<Offer>>,
) -> Option<Choice> {
    let legal: Vec<&Offer> = offers.iter().filter(|o| o.is_legal()).collect();
    let setting = |offer: &Offer| setting(session, auto_reactions, who, offer);
    // The player asked for rare offers explicitly, so they are never taken
    // automatically.
    let is_always = |o: &Offer| setting(o) == Some(AutoReaction::Always);
    let plain = legal.iter().filter(|o| o.numbers.is_none() && !o.rare);
    let always = plain.filter(|o| is_always(o));
    // Of several reactions take the one most likely to succeed, and the first of
    // equals.
    let ranked = always.map(|offer| {
        let attack = session.queries.attack(&offer.choice);
        let percent = attack.and_then(Result::ok).map_or(0, |b| b.percent);
        (percent, offer.choice.clone())
    });
    let best = ranked.reduce(|best, next| if next.0 > best.0 { next } else { best });
    if let Some((_, choice)) = best {
        return Some(choice);
    }
    let (passes, others): (Vec<&Offer>, Vec<&Offer>) =
        legal.into_iter().partition(|o| o.choice.verb == &PASS);
    let never = !others.is_empty()
        && others.into_iter().all(|o| match setting(o) {
            Some(AutoReaction::Never) => true,
            Some(AutoReaction::Helps) => !helps(session, who, offers, o),
            Some(AutoReaction::Ask | AutoReaction::Always) | None => false,
        });
    let pass = passes.first().filter(|_| never)?;
    Some(pass.choice.clone())
}
