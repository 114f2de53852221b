//! Predicts what enemies do next, using only what the player's side can know. Simulated once for
//! each state, while a round is declared or an enemy is hovered.

use crate::{
    battle::{Body, Id, of_unit},
    control::simulation::{Action, AttackKind, ENEMY_ROUNDS, Prediction},
    ui::{
        Phase, Screen, Selection, Session,
        session::{
            ShownMoment,
            thinking::{Pondering, Thinking},
        },
        shown::UnitView,
    },
};
use bevy::prelude::*;
use std::collections::BTreeMap;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<Predictions>()
        .init_resource::<PredictsAll>();
    app.add_systems(
        Update,
        predict
            .in_set(Phase::Foresee)
            .run_if(in_state(Screen::Battle)),
    );
}

/// Whether predictions for all enemies are needed, not only for the hovered one.
#[derive(Resource, Default, PartialEq)]
pub struct PredictsAll(pub bool);

/// What each enemy is likely to do.
#[derive(Resource, Default)]
pub struct Predictions {
    of: BTreeMap<Id, Vec<Prediction>>,
    moment: Option<ShownMoment>,
}

impl Predictions {
    /// What an enemy is likely to do next, most frequent first; `None` until it is known.
    pub fn of(&self, session: &Session, enemy: Id) -> Option<&[Prediction]> {
        let is_enemy = is_enemy(session, session.shown().unit(enemy));
        let is_known = self.moment == Some(session.moment());
        let all = self.of.get(&enemy).map_or(&[][..], Vec::as_slice);
        (is_enemy && is_known).then_some(all)
    }

    /// How an enemy is likely to attack a unit.
    pub fn on(&self, session: &Session, enemy: Id, at: Id) -> Option<Prediction> {
        let mut all = self.of(session, enemy)?.iter();
        all.find(|p| p.action == Action::Attacks(at)).copied()
    }

    /// Whether an enemy is likelier to attack or cast than to do anything else, or nothing.
    pub fn is_likely_to_attack(&self, session: &Session, enemy: Id) -> bool {
        Prediction::is_mostly_attack(self.of(session, enemy).unwrap_or_default())
    }

    /// Whether an enemy is likely to do nothing in this round.
    pub fn waits(&self, session: &Session, enemy: Id) -> bool {
        self.of(session, enemy).is_some_and(|all| {
            let is_later = all.first().is_some_and(|likeliest| likeliest.is_later);
            is_later || Prediction::is_mostly_nothing(all)
        })
    }

    /// An enemy's likeliest action, in short: "next round " if it is later, what it does, and its
    /// target and chance: "attacks" and "Mara 55%". `None` until it is known.
    pub fn likeliest(&self, session: &Session, enemy: Id) -> Option<[String; 3]> {
        let predictions = self.of(session, enemy)?;
        let rest = Prediction::rest(predictions);
        let Some(first) = predictions.first().filter(|first| first.percent >= rest) else {
            return Some([String::new(), String::from("stays put"), format!("{rest}%")]);
        };
        let (words, target) = act_words(session, enemy, first);
        let chance = format!("{target}{}%", first.percent);
        Some([later(first.is_later).into(), words.into(), chance])
    }

    /// "Predicted in 20 simulations: attacks Mara 55%, Tobin 10%; moves 35%".
    pub fn words(&self, session: &Session, enemy: Id) -> Option<String> {
        let Some(predictions) = self.of(session, enemy) else {
            let is_enemy = is_enemy(session, session.shown().unit(enemy));
            let waits = is_enemy && session.is_players_turn();
            return waits.then(|| String::from("Predicted: calculating…"));
        };
        // Targets of the same kind of attack are grouped, sorted by the likeliest.
        let mut parts: Vec<(u32, String)> = vec![];
        let mut attacks: Vec<((AttackKind, bool), (u32, String))> = vec![];
        for predicted in predictions {
            let percent = predicted.percent;
            let (words, target) = act_words(session, enemy, predicted);
            let place = uncertain(predicted);
            let when = later(predicted.is_later);
            let words = match predicted.action {
                Action::Reacts => format!("{words} {percent}%"),
                Action::Falls => format!("{words} before acting {percent}%"),
                _ => format!("{when}{words} {target}{place}{percent}%"),
            };
            if !matches!(predicted.action, Action::Attacks(_)) {
                parts.push((percent, words));
                continue;
            }
            let kind = (predicted.kind, predicted.is_later);
            match attacks.iter_mut().find(|known| known.0 == kind) {
                Some((_, (_, known))) => *known += &format!(", {target}{percent}%"),
                None => attacks.push((kind, (percent, words))),
            }
        }
        parts.extend(attacks.into_iter().map(|(_, part)| part));
        let rest = Prediction::rest(predictions);
        if rest > 0 {
            parts.push((rest, format!("stays put {rest}%")));
        }
        parts.sort_by_key(|part| std::cmp::Reverse(part.0));
        let parts: Vec<String> = parts.into_iter().map(|part| part.1).collect();
        let supposed = session.supposed().contains_key(&enemy);
        let source = match supposed {
            true => String::from("Supposed"),
            false => format!("Predicted in {ENEMY_ROUNDS} simulations"),
        };
        Some(format!("{source}: {}", parts.join("; ")))
    }
}

pub fn verb(kind: AttackKind) -> &'static str {
    match kind {
        AttackKind::Melee => "attacks",
        AttackKind::Shot => "shoots at",
        AttackKind::Throw => "throws at",
        AttackKind::Spell => "casts at",
    }
}

/// What an enemy does, and to which unit or where, with a space: "attacks" and "Mara ", "moves" and
/// "north ". A move to the place on the board has no words for it, nor one whose place is
/// [uncertain].
fn act_words(session: &Session, enemy: Id, predicted: &Prediction) -> (&'static str, String) {
    let name = |id: Id| format!("{} ", session.shown().unit(id).name);
    let nobody = String::new();
    let whither = || match (predicted.is_place_likely, predicted.heading) {
        (false, Some(heading)) => format!("{heading} "),
        _ => String::new(),
    };
    let flees = || {
        let read = |world: &mut World| of_unit::<Body>(world, enemy).flees;
        session.queries.ask(read)
    };
    match predicted.action {
        Action::Attacks(at) => (verb(predicted.kind), name(at)),
        Action::Casts => ("casts", nobody),
        Action::Helps(at) => ("protects or aids", name(at)),
        Action::Loads => ("loads", nobody),
        Action::Moves if flees() => ("flees", whither()),
        Action::Moves => ("moves", whither()),
        Action::Reacts => ("reacts", nobody),
        Action::Falls => ("is downed", nobody),
    }
}

/// What to say of a move without a likely place or direction.
fn uncertain(predicted: &Prediction) -> &'static str {
    let is_known = predicted.is_place_likely || predicted.heading.is_some();
    match predicted.action {
        Action::Moves if !is_known => "(place uncertain) ",
        _ => "",
    }
}

/// Prefix for actions that happen only next round.
fn later(is_later: bool) -> &'static str {
    match is_later {
        true => "next round ",
        false => "",
    }
}

fn is_enemy(session: &Session, unit: &UnitView) -> bool {
    unit.side != session.player() && unit.is_up()
}

fn predict(
    session: Res<Session>,
    (selection, all): (Res<Selection>, Res<PredictsAll>),
    time: Res<Time>,
    mut predictions: ResMut<Predictions>,
    mut ponders: Local<Pondering<ShownMoment, BTreeMap<Id, Vec<Prediction>>>>,
) {
    let now = session.moment();
    let under = selection.pointed(session.shown());
    let looked_at = selection.looked_at.map(|id| session.shown().unit(id));
    let under = looked_at.or(under);
    let is_enemy = under.is_some_and(|unit| is_enemy(&session, unit));
    let is_wanted = is_enemy || all.0 || session.is_declaring();
    let is_asked = is_wanted && session.is_players_turn() && predictions.moment != Some(now);
    let found = ponders.of(is_asked.then_some(now), time.delta_secs(), || {
        let situation = session.situation(None)?;
        let seed = session.game.seed();
        Some(Thinking::of(move |dropped| {
            situation.predict(seed, dropped).unwrap_or_default()
        }))
    });
    if let Some(of) = found {
        let moment = Some(now);
        *predictions = Predictions { of, moment };
    }
}
