//! What an enemy turn, or a round that was planned, does to each of the player's units: a strip in
//! place of the action bar meanwhile, and lines on the card after an enemy turn. The card also says
//! what the units suffered in the player's own turn.

use super::SmallPictures;
use crate::{
    battle::{Action, CheckRoll, Cue, Event, EventKind, Id, PASS, Side},
    ui::{
        Session,
        art::{
            hud::{Panel, Pip},
            palette,
        },
        board::together::begins,
        pictures::SmallPicture,
        theme::{self, TextStyle, faded, text},
        tokens,
        widgets::{NodeExt, SpawnWith, card, column, panel_style, row},
    },
};
use bevy::prelude::*;
use std::{borrow::Cow, collections::BTreeMap};

/// What one of the player's units suffered in an enemy turn, and did in reaction.
#[derive(Clone, PartialEq, Debug)]
pub struct Suffered {
    pub who: Id,
    /// Whether anything was done to it.
    pub is_attacked: bool,
    /// Hit points lost, or what the ruleset has in their place.
    pub lost: i32,
    /// Whether an attack hit it.
    pub is_hit: bool,
    /// A contest that followed a hit in place of damage, such as a grapple, and whether the attacker
    /// won it: the last one won, or else the last one.
    pub contest: Option<(Cow<'static, str>, bool)>,
    /// The last condition that another unit gave it: "held".
    pub condition: Option<String>,
    pub is_down: bool,
    /// What it did in reaction, if anything.
    pub reaction: Option<Reaction>,
}

/// What a unit did in reaction to others.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Reaction {
    /// Whether an attack of it missed.
    pub missed: bool,
    /// Damage dealt.
    pub dealt: i32,
}

impl Reaction {
    fn words(self) -> String {
        match (self.dealt, self.missed) {
            (0, true) => String::from("own attack missed"),
            (0, false) => String::from("reacted"),
            (dealt, _) => format!("dealt {dealt}"),
        }
    }
}

impl Suffered {
    fn new(who: Id) -> Self {
        Self {
            who,
            is_attacked: false,
            lost: 0,
            is_hit: false,
            contest: None,
            condition: None,
            is_down: false,
            reaction: None,
        }
    }

    /// "−6", "−6, down", "not hit", "grapple failed", "held", "dealt 9", "−6; dealt 9", "−1; own
    /// attack missed".
    pub fn words(&self) -> String {
        let is_harmless = self.lost == 0 && !self.is_down && !self.is_hit && self.contest.is_none();
        // A condition says more than that no attack hit.
        let suffers = self.is_attacked && !(is_harmless && self.condition.is_some());
        let suffered = suffers.then(|| self.suffered());
        let reaction = self.reaction.map(Reaction::words);
        let parts = suffered.into_iter().chain(self.condition.clone());
        let parts = Vec::from_iter(parts.chain(reaction));
        parts.join("; ")
    }

    fn suffered(&self) -> String {
        match (self.lost, self.is_down, &self.contest) {
            (0, false, _) if self.is_hit => String::from("hit, no damage"),
            (0, false, Some((what, true))) => format!("{what} succeeded"),
            (0, false, Some((what, false))) => format!("{what} failed"),
            (0, false, None) => String::from("not hit"),
            (0, true, _) => String::from("down"),
            (lost, false, _) => format!("−{lost}"),
            (lost, true, _) => format!("−{lost}, down"),
        }
    }
}

/// The part of a battle that is summed up.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Span {
    EnemyTurn,
    /// The player's own turn, in which attacks of opportunity and the ground can harm its units.
    OwnTurn,
    /// In rulesets where sides take no turns.
    Round,
}

impl Span {
    /// The heading over what has happened in it.
    pub fn heading(self) -> &'static str {
        match self {
            Self::EnemyTurn => "Enemy turn so far",
            Self::OwnTurn => "Your turn so far",
            Self::Round => "Round so far",
        }
    }
}

/// The units of a side that were missed, hit or hurt in the current or the last span, or that
/// reacted in the enemy turn, in order. `None` before the first span. A hit counts when its damage
/// comes, or when something else begins after it, so that no wrong result is shown while an attack
/// continues.
pub fn suffered<'a>(
    events: impl Iterator<Item = &'a Event>,
    span: Span,
    side: Side,
    is_own: impl Fn(Id) -> bool,
) -> Option<Vec<Suffered>> {
    let mut all: Option<Vec<Suffered>> = None;
    let mut is_within = false;
    let (mut targets, mut attackers) = (BTreeMap::new(), BTreeMap::new());
    let is_reactor = |who: Option<Id>| who.filter(|&who| span == Span::EnemyTurn && is_own(who));
    // Units that were hit and whose damage has not come yet, each with its attacker.
    let mut hits: Vec<(Id, Option<Id>)> = vec![];
    // Units at which an enemy's spell is aimed, until it is over, and whether the enemy's last action
    // was a spell.
    let (mut aimed, mut is_enemy_spell): (Vec<Id>, bool) = (vec![], false);
    for event in events {
        let is_resolved = matches!(event.what, EventKind::AttackResolved { .. });
        if is_within && let Some(all) = all.as_mut().filter(|_| begins(event) && !is_resolved) {
            // No damage comes after the next event that begins something.
            hits.drain(..)
                .for_each(|(who, _)| entry_of(all, who).is_hit = true);
        }
        let ends_spell = match &event.what {
            EventKind::Acted { choice } => choice.who.is_some_and(|who| !is_own(who)),
            EventKind::TurnBegan { .. } => true,
            _ => false,
        };
        if let Some(all) = all.as_mut().filter(|_| ends_spell) {
            aimed.drain(..).for_each(|who| {
                entry_of(all, who);
            });
        }
        match (span, &event.what) {
            (Span::EnemyTurn | Span::OwnTurn, EventKind::TurnBegan { side: turn }) => {
                let is_it = (*turn == side) == (span == Span::OwnTurn);
                if is_it && !is_within {
                    all = Some(vec![]);
                }
                is_within = is_it;
            }
            (Span::Round, EventKind::RoundBegan { .. }) => {
                (all, is_within) = (Some(vec![]), true);
            }
            _ => {}
        }
        let Some(all) = all.as_mut().filter(|_| is_within) else {
            continue;
        };
        match &event.what {
            EventKind::Acted { choice } if choice.verb != &PASS => {
                if let Some(who) = is_reactor(choice.who) {
                    listed(all, who).reaction.get_or_insert_default();
                }
                // Where units declare, a spell takes effect long after it was begun.
                if ends_spell && span == Span::EnemyTurn {
                    is_enemy_spell = choice.spell.is_some();
                    aimed.extend(choice.at.filter(|&at| is_enemy_spell && is_own(at)));
                }
            }
            EventKind::Caught { who, .. } if is_enemy_spell => {
                aimed.extend(who.iter().filter(|&&who| is_own(who)));
            }
            EventKind::ConditionBegan { who, lasting, .. }
                if is_own(*who) && !is_own(lasting.by) =>
            {
                entry_of(all, *who).condition = Some(lasting.condition.name.clone());
            }
            EventKind::AttackRolled { rolled_attack } => {
                targets.insert(rolled_attack.serial, rolled_attack.attack.at);
                attackers.insert(rolled_attack.serial, rolled_attack.attack.by);
            }
            EventKind::AttackResolved { serial, hit, .. } => {
                let by = attackers.get(serial).copied();
                match targets.get(serial) {
                    Some(&who) if is_own(who) && *hit => hits.push((who, by)),
                    Some(&who) if is_own(who) => {
                        entry_of(all, who);
                    }
                    _ => {}
                }
                if let Some(reaction) = reaction_of(all, by) {
                    reaction.missed |= !hit;
                }
            }
            EventKind::Checked(CheckRoll {
                who: Some(by),
                what,
                passed: Some(passed),
                ..
            }) => {
                for (who, _) in hits.extract_if(.., |hit| hit.1 == Some(*by)) {
                    let contest = &mut entry_of(all, who).contest;
                    if *passed || contest.as_ref().is_none_or(|(_, won)| !won) {
                        *contest = Some((what.clone(), *passed));
                    }
                }
            }
            EventKind::Fell { who } if is_own(*who) => entry_of(all, *who).is_down = true,
            _ => {
                let loss = event.cue().filter(Cue::is_loss);
                let who = loss.as_ref().and_then(|loss| loss.who);
                match (loss, who) {
                    (Some(loss), Some(who)) if is_own(who) => {
                        let entry = entry_of(all, who);
                        entry.lost += loss.points;
                        entry.is_hit |= hits.iter().any(|hit| hit.0 == who);
                        hits.retain(|hit| hit.0 != who);
                    }
                    (Some(loss), Some(_)) => {
                        if let Some(reaction) = reaction_of(all, loss.by) {
                            reaction.dealt += loss.points;
                        }
                    }
                    _ => {}
                }
            }
        }
    }
    all
}

/// The reaction of a unit, if it has reacted.
fn reaction_of(all: &mut [Suffered], who: Option<Id>) -> Option<&mut Reaction> {
    let entry = all.iter_mut().find(|one| Some(one.who) == who)?;
    entry.reaction.as_mut()
}

/// The entry in the list of a unit to which something was done, added if it has none.
fn entry_of(all: &mut Vec<Suffered>, who: Id) -> &mut Suffered {
    let entry = listed(all, who);
    entry.is_attacked = true;
    entry
}

/// A unit's entry in the list, added if it has none.
fn listed(all: &mut Vec<Suffered>, who: Id) -> &mut Suffered {
    let n = all.iter().position(|one| one.who == who);
    let n = n.unwrap_or_else(|| {
        all.push(Suffered::new(who));
        all.len() - 1
    });
    &mut all[n]
}

/// What the player's units suffered in a span, as far as the screen has shown it.
fn shown_suffering(session: &Session, span: Span) -> Option<Vec<Suffered>> {
    let (shown, side) = (session.shown(), session.player());
    let is_own = |id| shown.unit(id).side == side;
    suffered(session.known_events(), span, side, is_own)
}

fn span(session: &Session) -> Span {
    match session.queries.rules.planning.declares() {
        true => Span::Round,
        false => Span::EnemyTurn,
    }
}

/// The enemies of a side that did nothing in the current or the last enemy turn, as a costly reaction
/// before it had taken their action: each with that reaction. Actions that are `idle` only end a turn.
pub fn held<'a>(
    events: impl Iterator<Item = &'a Event>,
    side: Side,
    is_own: impl Fn(Id) -> bool,
    is_costly: impl Fn(&'static Action) -> bool,
    is_idle: impl Fn(&'static Action) -> bool,
) -> BTreeMap<Id, &'static Action> {
    let (mut reacted, mut held) = (BTreeMap::new(), BTreeMap::new());
    let mut is_within = false;
    for event in events {
        match &event.what {
            // All units have their actions back.
            EventKind::RoundBegan { .. } => reacted.clear(),
            EventKind::TurnBegan { side: turn } => {
                if *turn != side && !is_within {
                    held = std::mem::take(&mut reacted);
                }
                is_within = *turn != side;
            }
            EventKind::Acted { choice } => {
                let Some(who) = choice.who.filter(|&who| !is_own(who)) else {
                    continue;
                };
                if is_within && !is_idle(choice.verb) {
                    held.remove(&who);
                } else if !is_within && is_costly(choice.verb) {
                    reacted.insert(who, choice.verb);
                }
            }
            EventKind::Moved { who, .. } if is_within => {
                held.remove(who);
            }
            EventKind::Fell { who } | EventKind::Died { who } | EventKind::Fled { who } => {
                reacted.remove(who);
            }
            _ => {}
        }
    }
    held
}

/// Why enemies did nothing in the last enemy turn: "Goblin 2 held: its Main went to total defense."
fn held_lines(session: &Session) -> Vec<String> {
    let (shown, queries) = (session.shown(), &session.queries);
    let planning = queries.rules.planning;
    let all = held(
        session.known_events(),
        session.player(),
        |id| shown.unit(id).side == session.player(),
        queries.ruleset_ui.costs_action,
        |action| action == &PASS || planning.done.contains(&action),
    );
    let line = |(who, reaction): (Id, &'static Action)| {
        let unit = shown.unit(who);
        let main = unit.pips.iter().find(|pip| pip.pip == Pip::Diamond);
        let main = main.map_or("action", |pip| pip.word);
        format!("{} held: its {main} went to {}.", unit.name, reaction.name)
    };
    all.into_iter().map(line).collect()
}

/// What the last enemy turn did, a line for each unit: "Brandt: −6", "Tobin: not hit", and why
/// enemies did nothing. Empty before the first one, and in rulesets where sides take no turns.
pub fn last_turn(session: &Session) -> Vec<String> {
    if span(session) != Span::EnemyTurn {
        return vec![];
    }
    let Some(all) = shown_suffering(session, Span::EnemyTurn) else {
        return vec![];
    };
    let mut lines = lines(session, &all);
    if lines.is_empty() {
        lines.push(String::from("Nobody was attacked."));
    }
    lines.extend(held_lines(session));
    lines
}

/// What the player's units have suffered in the player's own turn so far, a line for each. Empty if
/// nothing, and in rulesets where sides take no turns.
pub fn own_turn(session: &Session) -> Vec<String> {
    if span(session) != Span::EnemyTurn {
        return vec![];
    }
    let all = shown_suffering(session, Span::OwnTurn);
    all.map_or(vec![], |all| lines(session, &all))
}

fn lines(session: &Session, all: &[Suffered]) -> Vec<String> {
    let one = |one: &Suffered| {
        let name = &session.shown().unit(one.who).name;
        format!("{name}: {}", one.words())
    };
    all.iter().map(one).collect()
}

/// Content of the strip.
#[derive(Clone, PartialEq)]
pub struct Strip(Span, Vec<TurnEntry>);

#[derive(Clone, PartialEq)]
struct TurnEntry {
    name: String,
    portrait: SmallPicture,
    words: String,
    is_hurt: bool,
    /// Whether the unit is choosing a reaction.
    is_open: bool,
}

/// The strip during an enemy turn or a planned round; `None` while the player decides.
pub fn strip(session: &Session) -> Option<Strip> {
    let (span, turn) = (span(session), session.shown().clock.turn);
    let is_others = span == Span::Round || turn? != session.player();
    if !is_others || session.prompts_turn() || session.replay().is_some() {
        return None;
    }
    let asked = session.asked_member().filter(|_| !session.goes_on());
    let mut all = shown_suffering(session, span)?;
    if let Some(who) = asked.filter(|who| all.iter().all(|one| one.who != *who)) {
        all.push(Suffered::new(who));
    }
    let entry = |one: &Suffered| {
        let unit = session.shown().unit(one.who);
        let is_open = asked == Some(one.who);
        TurnEntry {
            name: unit.name.clone(),
            portrait: SmallPicture::Portrait(tokens::portrait(unit), !unit.is_up()),
            words: match (is_open, one.lost) {
                (true, 0) => String::from("you choose"),
                (true, lost) => format!("−{lost}, you choose"),
                (false, _) => one.words(),
            },
            is_hurt: one.lost > 0
                || one.is_down
                || one.condition.is_some()
                || matches!(one.contest, Some((_, true))),
            is_open,
        }
    };
    Some(Strip(span, all.iter().map(entry).collect()))
}

/// Side of a portrait, in layout pixels.
const PORTRAIT: f32 = 30.0;

pub fn show(
    bar: &mut ChildSpawnerCommands,
    icons: &mut SmallPictures,
    Strip(span, entries): &Strip,
) {
    let node = card()
        .row_gap(4.0)
        .padding(12.0, 6.0)
        .min_width(px(0))
        .max_height(percent(100))
        .clipped()
        .grow();
    bar.spawn_with((node, panel_style(Panel::Card), Pickable::IGNORE), |card| {
        card.spawn(text(span.heading(), TextStyle::Strong, palette::INK));
        // A second line would move the board.
        let line = row(6.0).clip_x();
        card.spawn_with(line, |line| {
            if entries.is_empty() {
                line.spawn(faded("No attack on your units yet"));
            }
            entries.iter().for_each(|one| entry(line, icons, one));
        });
    });
}

fn entry(line: &mut ChildSpawnerCommands, icons: &mut SmallPictures, entry: &TurnEntry) {
    let panel = Panel::CardLight.active_if(entry.is_open);
    let node = row(6.0)
        .padding(6.0, 2.0)
        .border(theme::LINE)
        .rounded(BorderRadius::all(px(theme::RADIUS)));
    line.spawn_with((node, panel_style(panel), Pickable::IGNORE), |one| {
        one.spawn(icons.square(entry.portrait, PORTRAIT));
        one.spawn_with(column(0.0), |words| {
            words.spawn(text(entry.name.clone(), TextStyle::Label, palette::INK));
            let ink = match (entry.is_open, entry.is_hurt) {
                (true, _) => palette::INK,
                (false, true) => palette::DANGER,
                (false, false) => palette::TEAL,
            };
            words.spawn(text(entry.words.clone(), TextStyle::Small, ink));
        });
    });
}
