//! Why plans failed, as far as the player may know.

use super::{Casts, Intent, Session};
use crate::{
    battle::{Event, EventKind, Id},
    control::{orders::Reason, simulation::Evidence},
};

impl Session {
    /// Calls `look` with what the player knows and has seen of a round.
    fn with_evidence<T>(&self, round: u16, read: impl FnOnce(Evidence) -> T) -> T {
        let events = self.events_in(round).cloned().collect();
        let rules = self.game.rules();
        self.queries.ask(|world| {
            read(Evidence {
                rules,
                world,
                events,
            })
        })
    }

    /// Marks plans whose time passed without a decision as failed: the unit could not get there, or
    /// lost its action.
    pub(super) fn note_missed(&mut self) {
        if self.replay().is_some() {
            return;
        }
        let shown = self.shown();
        let now = shown.clock.round;
        let is_declaring = self.is_before_round();
        let is_over = |round: u16, intent: &Intent| {
            let unit = shown.unit(intent.who());
            let is_own = unit.side == self.player() && unit.is_up();
            // A spell may continue in the next round.
            let is_past = round < now && intent.key.is_none();
            is_own && (is_past || round == now && unit.done && !is_declaring)
        };
        let open = self.intents.all.iter().filter(|i| !i.2.plan.is_begun);
        let missed =
            open.filter(|(round, _, intent)| intent.plan.aims() && is_over(*round, intent));
        let why = |(round, _, intent): &(u16, usize, Intent)| {
            let why = self.with_evidence(*round, |evidence| evidence.why_missed(&intent.plan));
            (*round, intent.who(), why)
        };
        let missed: Vec<_> = missed.map(why).collect();
        for (round, who, why) in missed {
            self.intents.close(who, round);
            self.note_failure(who, why, round);
        }
        for (round, who, why) in self.lost(is_declaring) {
            self.note_failure(who, why, round);
        }
    }

    /// Spells and attacks of this round and the last that ended without effect and were not
    /// reported yet, with reasons.
    fn lost(&self, is_declaring: bool) -> Vec<(u16, Id, Reason)> {
        let shown = self.shown();
        let now = shown.clock.round;
        let is_noted = |who: Id, round: u16| {
            let mut noted = self.intents.all_failures().iter();
            noted.any(|failed| (failed.who, failed.round) == (who, round))
        };
        let is_lost = |round: u16, intent: &Intent| {
            let caster = shown.unit(intent.who());
            let is_own = caster.side == self.player() && caster.is_up();
            let is_done = caster.done || caster.plan.is_empty();
            let is_over = round + 1 == now || round == now && !is_declaring;
            is_own
                && (intent.plan.is_spell() || intent.plan.is_begun && intent.at().is_some())
                && is_over
                && is_done
                && !is_noted(intent.who(), round)
                && !self.took_effect(intent, round)
        };
        let all = self.intents.all.iter();
        let lost = all.filter(|(round, _, intent)| is_lost(*round, intent));
        let reasons = lost.filter_map(|(round, _, intent)| {
            let who = intent.who();
            let setback = self.with_evidence(*round, |mut evidence| evidence.setback(who));
            // Spells, or attacks that were stopped; other actions may succeed without being seen.
            let (reason, _) = setback.filter(|(_, stops)| intent.plan.is_spell() || *stops)?;
            Some((*round, who, reason))
        });
        reasons.collect()
    }

    /// Whether a unit's spell took effect, or the unit attacked, since a round began.
    fn took_effect(&self, intent: &Intent, round: u16) -> bool {
        let who = intent.who();
        let mut casts = Casts::default();
        self.events_from(round).any(|event| {
            match &event.what {
                EventKind::Acted { choice } => casts.note(choice),
                EventKind::AttackRolled { rolled_attack } if !intent.plan.is_spell() => {
                    return rolled_attack.attack.by == who;
                }
                _ => {}
            }
            let cast = casts.take(self.game.world(), event);
            cast.is_some_and(|cast| cast.who == Some(who))
        })
    }

    /// The events of a round that the player was shown.
    pub(super) fn events_in(&self, round: u16) -> impl Iterator<Item = &Event> {
        let is_later =
            move |e: &Event| matches!(e.what, EventKind::RoundBegan { round: n } if n > round);
        self.events_from(round).take_while(move |e| !is_later(e))
    }

    /// The events that the player was shown since a round began.
    fn events_from(&self, round: u16) -> impl Iterator<Item = &Event> {
        let shown = &self.game.events()[..self.shown().events];
        let is_it = |e: &Event| matches!(e.what, EventKind::RoundBegan { round: n } if n == round);
        self.known_events_since(shown.iter().rposition(is_it).unwrap_or(0))
    }
}
