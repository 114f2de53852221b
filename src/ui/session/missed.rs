//! Why what somebody meant did not come off, as far as the player may know.

use super::{Casts, Intent, Session};
use crate::{
    battle::{Choice, CueKind, Event, EventKind, Id},
    grid::cells_apart,
    ui::{read::Blow, shown::Person},
};

/// Something bad that came to somebody.
struct Setback {
    /// "loses the spell, hit by archer 2".
    why: String,
    /// What it is called, where it is something that lasts: "stunned".
    word: String,
    /// With it what they were at is over.
    stops: bool,
}

impl Setback {
    fn new(why: String) -> Self {
        Self {
            why,
            word: String::new(),
            stops: false,
        }
    }

    fn stop(why: String) -> Self {
        Self {
            stops: true,
            ..Self::new(why)
        }
    }

    /// The other comes of it.
    fn explains(&self, other: &Self) -> bool {
        !self.word.is_empty() && other.why.contains(&self.word)
    }
}

/// "stunned", which goes with "by goblin 1"; "loses the spell" does not.
fn is_participle(word: &str) -> bool {
    !word.contains(' ') && (word.ends_with("ed") || word == "held")
}

impl Session {
    /// What kept somebody from what they meant in a round, as the last bad thing that
    /// came to them, and whose doing it was: "loses the spell, hit by archer 2".
    fn setback(&self, who: Id, round: u16) -> Option<Setback> {
        let mut striker = None;
        let mut last: Option<Setback> = None;
        let is_later =
            |e: &Event| matches!(e.what, EventKind::RoundBegan { round: n } if n > round);
        for event in self.told_from(round).take_while(|event| !is_later(event)) {
            let by = striker.map(|id: Id| &*self.shown().person(id).name);
            match &event.what {
                EventKind::AttackRolled { shot } if shot.attack.at == who => {
                    striker = Some(shot.attack.by);
                }
                EventKind::Damaged { who: hurt, by, .. } if *hurt == who => {
                    striker = by.or(striker);
                }
                EventKind::Fell { who: fallen } | EventKind::Died { who: fallen }
                    if *fallen == who =>
                {
                    let own = &self.shown().person(who).name;
                    let doer = by.map_or(String::new(), |name| format!(", by {name}"));
                    return Some(Setback::new(format!("{own} is downed before acting{doer}")));
                }
                _ => {
                    let Some(news) = self.bad_news(event, who, by) else {
                        continue;
                    };
                    // Who stops because of what came to them was told of that.
                    last = match last {
                        Some(known) if news.stops && known.explains(&news) => Some(Setback {
                            stops: true,
                            ..known
                        }),
                        _ => Some(news),
                    };
                }
            }
        }
        last
    }

    /// Something bad that comes to somebody, who was last attacked by one of that name.
    fn bad_news(&self, event: &Event, who: Id, by: Option<&str>) -> Option<Setback> {
        match &event.what {
            EventKind::ConditionBegan {
                who: on, lasting, ..
            } if *on == who && lasting.by != who => {
                let doer = &self.shown().person(lasting.by).name;
                let name = &lasting.condition.name;
                Some(Setback::new(format!("{name} by {doer}")))
            }
            EventKind::Stopped { who: stopped, why } if *stopped == who => {
                let beset = self.reads.reader.beset.contains(&event.rule);
                let named = beset.then(|| self.crowded(who)).flatten();
                Some(Setback::stop(named.unwrap_or_else(|| why.to_string())))
            }
            EventKind::Checked(check) if check.who == Some(who) && check.passed == Some(false) => {
                Some(Setback::new(format!("{} fails", check.what)))
            }
            EventKind::Ruleset(own) => {
                let cue = own.cue().filter(|cue| cue.who == Some(who))?;
                if cue.kind == CueKind::Stop {
                    return Some(Setback::stop(cue.word.to_string()));
                }
                let word = (cue.kind == CueKind::Bad).then(|| cue.word.to_string())?;
                let why = match by {
                    Some(name) if *name == *self.shown().person(who).name => {
                        format!("{word} (self-inflicted)")
                    }
                    Some(name) if is_participle(&word) => format!("{word} by {name}"),
                    Some(name) => format!("{word}, hit by {name}"),
                    None => word.clone(),
                };
                Some(Setback {
                    word,
                    ..Setback::new(why)
                })
            }
            _ => None,
        }
    }

    /// That a foe stands next to somebody.
    pub fn crowded(&self, who: Id) -> Option<String> {
        let own = self.shown().person(who);
        let people = self.shown().people.iter();
        let unknown = self.reads.unknown(own.side);
        let mut foes = people.filter(|p| p.side != own.side && p.is_up());
        let is_near = |foe: &&Person| {
            !unknown.contains(&foe.id) && cells_apart(own.space(), foe.space()) <= 1
        };
        let foe = foes.find(is_near)?;
        Some(format!("{} is next to {}", foe.name, own.name))
    }

    /// Who stands where somebody is to go.
    pub fn blocked(&self, intent: &Intent) -> Option<String> {
        let there = self.shown().on(intent.to()?)?;
        let is_other = there.id != intent.who() && there.is_up();
        is_other.then(|| format!("{} is there", there.name))
    }

    /// Why what somebody meant has not been begun, as far as it is to be seen afterwards.
    pub fn why_missed(&self, intent: &Intent, round: u16) -> String {
        let shown = self.shown();
        let own = shown.person(intent.who());
        let setback = self.setback(intent.who(), round);
        let (kept, stops) = setback.as_ref().map_or((false, false), |setback| {
            // What lasts keeps one from everything else.
            (setback.stops && !setback.word.is_empty(), setback.stops)
        });
        let setback = setback.map(|setback| setback.why);
        if !own.is_up() {
            let out = || format!("{} is downed before acting", own.name);
            return setback.unwrap_or_else(out);
        }
        let setback = match (kept, setback) {
            (true, Some(why)) => return why,
            (_, setback) => setback,
        };
        let target = intent.at().map(|at| shown.person(at));
        let Some(target) = target.filter(|_| !intent.is_spell()) else {
            let blocked = self.blocked(intent).filter(|_| !intent.is_spell());
            let late = || match intent.is_move() {
                true => String::from("only got part of the way"),
                false => String::from("ran out of time this round"),
            };
            return blocked.or(setback).unwrap_or_else(late);
        };
        let is_beside = cells_apart(own.space(), target.space()) <= 1;
        let could = || is_beside || intent.key.is_some() || self.is_in_reach(intent, target.id);
        if !target.is_up() {
            target.why_gone()
        } else if stops || could() {
            let late = || format!("ran out of time to reach {}", target.name);
            setback.unwrap_or_else(late)
        } else {
            self.too_far(own.id, target.id)
        }
    }

    /// Somebody is out of reach, and how far away.
    pub fn too_far(&self, who: Id, at: Id) -> String {
        let (own, target) = (self.shown().person(who), self.shown().person(at));
        let feet = 5 * cells_apart(own.space(), target.space());
        format!("{} is out of reach, {feet} ft away", target.name)
    }

    /// Somebody could be attacked from here with what was declared: a spear that is to
    /// strike is not thrown.
    pub fn is_in_reach(&self, intent: &Intent, at: Id) -> bool {
        let is_declared = |blow: &Blow| {
            let orders = self.reads.declare_blow(blow);
            let as_declared =
                |o: &Choice, d: &Choice| o.verb == d.verb && (o.with.is_none() || o.with == d.with);
            let mut orders = orders.iter();
            orders.any(|o| intent.plan.declared.iter().any(|d| as_declared(o, d)))
        };
        self.reads.blows(intent.who(), at).iter().any(is_declared)
    }

    /// Plans whose time has gone by without anybody being asked have failed: the way
    /// was longer than their feet, or they lost their act.
    pub(super) fn note_missed(&mut self) {
        if self.replay().is_some() {
            return;
        }
        let shown = self.shown();
        let now = shown.clock.round;
        let is_declaring = self.reads.ask(self.reads.reader.planning.declaring);
        let is_over = |round: u16, intent: &Intent| {
            let person = shown.person(intent.who());
            let is_own = person.side == self.player() && person.is_up();
            // A spell may go on in the next round.
            let is_past = round < now && intent.key.is_none();
            is_own && (is_past || round == now && person.done && !is_declaring)
        };
        let open = self.intents.all.iter().filter(|i| !i.2.plan.is_begun);
        let missed = open.filter(|(round, _, intent)| intent.aims() && is_over(*round, intent));
        let missed: Vec<_> = missed
            .map(|(round, _, intent)| (*round, intent.who(), self.why_missed(intent, *round)))
            .collect();
        for (round, who, why) in missed {
            self.intents.close(who, round);
            self.tell_failure(who, why, round);
        }
        for (round, who, why) in self.lost(is_declaring) {
            self.tell_failure(who, why, round);
        }
    }

    /// The spells and the attacks of this round and the last that are under way no longer,
    /// have not come to anything, and have not been told of; and why.
    fn lost(&self, is_declaring: bool) -> Vec<(u16, Id, String)> {
        let shown = self.shown();
        let now = shown.clock.round;
        let is_lost = |round: u16, intent: &Intent| {
            let caster = shown.person(intent.who());
            let is_own = caster.side == self.player() && caster.is_up();
            let is_done = caster.done || caster.plan.is_empty();
            let is_over = round + 1 == now || round == now && !is_declaring;
            let mut told = self.intents.failures(round);
            is_own
                && (intent.is_spell() || intent.plan.is_begun && intent.at().is_some())
                && is_over
                && is_done
                && told.all(|failed| failed.who != intent.who())
                && !self.took_effect(intent, round)
        };
        let all = self.intents.all.iter();
        let lost = all.filter(|(round, _, intent)| is_lost(*round, intent));
        lost.filter_map(|(round, _, intent)| {
            let setback = self.setback(intent.who(), *round)?;
            // An attack that was stopped; other acts need not be seen to come off.
            let is_lost = intent.is_spell() || setback.stops;
            is_lost.then_some((*round, intent.who(), setback.why))
        })
        .collect()
    }

    /// A spell that somebody began in a round, or later, has taken effect; or they have
    /// attacked somebody.
    fn took_effect(&self, intent: &Intent, round: u16) -> bool {
        let who = intent.who();
        let mut casts = Casts::default();
        self.told_from(round).any(|event| {
            match &event.what {
                EventKind::Acted { choice } => casts.note(choice),
                EventKind::AttackRolled { shot } if !intent.is_spell() => {
                    return shot.attack.by == who;
                }
                _ => {}
            }
            let cast = casts.take(&self.game, event);
            cast.is_some_and(|cast| cast.who == Some(who))
        })
    }

    /// What the player has been told since a round began.
    fn told_from(&self, round: u16) -> impl Iterator<Item = &Event> {
        let shown = &self.game.battle.events()[..self.shown().events];
        let is_it = |e: &Event| matches!(e.what, EventKind::RoundBegan { round: n } if n == round);
        self.told_since(shown.iter().rposition(is_it).unwrap_or(0))
    }
}
