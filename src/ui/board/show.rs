//! How each event is animated.

use super::{
    attack_effects::{
        BEAT, BREAKS, Contact, DRAW, FINAL_BEAT, Force, HEAVY, HURT, MISSED, Suffered,
    },
    banner::BRIEF,
    bursts::GESTURE,
    playback::{EventPlayback, EventShown, PlayedAttack, Weight},
    together::begins,
    unit_animator::{STEP, SWING, Tone, UnitAnimator},
};
use crate::{
    battle::{
        CheckRoll, Choice, Cue, CueKind, Event, EventKind, Id, Natural, PASS, Roll, RolledAttack,
        capitalised, ids_of, numeral,
    },
    grid::cells_apart,
    levels::CombatantIx,
    ui::{
        Session,
        art::palette::{self, Rgb},
        shown::{UnitView, middle},
    },
};
use bevy::math::Vec2;

/// Seconds from the roll to the attack, and to one that is known to miss; meanwhile the attacker draws
/// back.
const ROLL: f32 = 0.3;
const ROLL_OF_MISS: f32 = 0.24;
/// Seconds for which playback rests at an attack that is cancelled.
const CANCELS: f32 = 0.3;
/// Seconds from the choice of a defense to its text.
const DEFENDS: f32 = 0.2;
/// Seconds for which the reason of a morale check can be read before the first roll.
const MORALE: f32 = 0.8;
/// The word at a unit whose morale holds.
const HOLDS_FIRM: &str = "holds";
/// Seconds of the banner of a turn, during which the battle continues.
const TURN: f32 = 0.9;
/// Seconds of stillness after an alarm.
const ALARM: f32 = 0.6;
/// Share of the faces of its die by which an attack misses at most if it is shown as blocked: about
/// what a shield, a parry or armour is worth.
const NARROW: f32 = 0.2;
/// Cells between two units from which a weapon is thrown or shot, not swung: no reach is longer.
const LONG_REACH: u16 = 2;

/// Animates an event that was just applied; returns the seconds until the next one.
pub(super) fn show(
    unit_animator: &mut UnitAnimator,
    event_playback: &mut EventPlayback,
    session: &Session,
    event: &Event,
) -> f32 {
    let shown = session.shown();
    let unit = |id: Id| shown.unit(id);
    // Seconds until the dice of a check lie still: only then its result appears.
    let mut delay = 0.0;
    let challenger = event_playback.contest.take();
    if let EventKind::Checked(check) = &event.what
        && let Some(who) = check.who.filter(|_| is_on_board(check))
    {
        // Both rolls of a contest lie on the board.
        let challenger = challenger.filter(|challenger| check.answers(challenger));
        if challenger.is_none() {
            unit_animator.take_off_checks();
        }
        event_playback.contest = challenger.or_else(|| Some(check.clone()));
        // The dice of several units would lie away from them.
        if !event_playback.is_of_several() {
            delay = unit_animator.check(unit(who), check);
        }
    }
    match &event.what {
        EventKind::RoundBegan { round } => {
            event_playback.casts.forget();
            event_playback.unrolled = None;
            unit_animator.let_go(None);
            // A battle opens with its briefing and initiative. A turn that begins with the round names
            // it in its own banner.
            let next = session.upcoming().next().map(|event| &event.what);
            let is_announced = matches!(next, Some(EventKind::TurnBegan { .. }));
            event_playback.new_round = is_announced.then_some(*round).filter(|round| *round > 1);
            if *round > 1 && !is_announced {
                unit_animator.banner((format!("Round {round}"), palette::INK), &[], BRIEF);
            }
            0.25
        }
        EventKind::Checked(check) if check.is_initiative => {
            if !unit_animator.settings.dice {
                return 0.0;
            }
            event_playback.dice.push(check.clone());
            // All initiative rolls are shown together afterwards.
            0.0
        }
        EventKind::TurnBegan { side } => {
            unit_animator.let_go(None);
            event_playback.actor = None;
            let is_own = *side == session.player();
            let (whose, ink) = match is_own {
                true => ("your turn", palette::TEAL),
                false => ("enemy turn", palette::DANGER),
            };
            let words = match event_playback.new_round.take() {
                Some(round) => format!("Round {round}: {whose}"),
                None => capitalised(whose),
            };
            unit_animator.banner((words, ink), &[], TURN);
            if is_own { 0.15 } else { 0.3 }
        }
        EventKind::Checked(
            check @ CheckRoll {
                who: Some(who),
                passed: Some(passed),
                ..
            },
        ) if event_playback.is_morale() => {
            let next = session.upcoming().next().map(|event| &event.what);
            let flees = matches!(next, Some(EventKind::Flees { who: next }) if next == who);
            unit_animator.note_numbers(unit(*who), check);
            match passed {
                true => {
                    unit_animator.show_text(unit(*who), HOLDS_FIRM, Tone::Plain);
                    unit_animator.plant_banner(unit(*who), 0.0);
                }
                // Its flight says that it fails.
                false if flees => {}
                false => unit_animator.show_text(unit(*who), "fails", Tone::Bad),
            }
            unit_animator.bear(unit(*who), *passed, 0.0);
            0.5
        }
        // The check of several units says what is rolled with its numbers; otherwise the first check
        // of the group has shown it.
        EventKind::Checked(
            check @ CheckRoll {
                who: Some(who),
                at,
                passed: Some(passed),
                ..
            },
        ) if event_playback.is_in_crowd() || event_playback.is_of_several() => {
            if event_playback.is_of_several() {
                unit_animator.note_numbers(unit(at.unwrap_or(*who)), check);
            }
            // The damage of a spell's attack says that it hits.
            let next = session.upcoming().next().map(|event| &event.what);
            if matches!(next, Some(EventKind::Damaged { who, .. }) if *at == Some(*who)) {
                return 0.5;
            }
            let (word, tone) = match (at, passed) {
                (Some(_), true) => ("hit", Tone::Bad),
                (Some(_), false) => (MISSED, Tone::Plain),
                (None, true) => ("passes", Tone::Plain),
                (None, false) => ("fails", Tone::Bad),
            };
            unit_animator.show_result(unit(at.unwrap_or(*who)), word, tone, delay);
            if at.is_none() {
                unit_animator.bear(unit(*who), *passed, delay);
            }
            0.5
        }
        EventKind::Acted { choice } => {
            event_playback.actor = choice.who.or(event_playback.actor);
            event_playback.casts.note(choice);
            event_playback.note_unrolled(choice);
            event_playback.burst_shown = false;
            let Some(who) = choice.who else { return 0.1 };
            unit_animator.follow(unit(who));
            // Moves and weapon attacks have their own animation; every other action shows its name
            // and its icon, and so does what is done to an enemy instead of an attack.
            let is_walk = session.queries.rules.planning.walks.contains(&choice.verb);
            let is_attack = choice.with.is_some() && !session.queries.is_instead(choice.verb);
            // A defense names itself once it takes effect.
            if !is_attack && is_defense(session, who) {
                return DEFENDS;
            }
            if !is_walk && !is_attack && choice.verb != &PASS {
                let spell = choice
                    .spell
                    .map(|s| capitalised(session.game.names().spell(s)));
                let label =
                    spell.unwrap_or_else(|| session.queries.label(choice.verb).into_owned());
                unit_animator.show_text(unit(who), &label, Tone::Good);
                let Some(spell) = choice.spell else {
                    if let Some(icon) = session.queries.icon(choice.verb) {
                        unit_animator.mark_action(unit(who), icon);
                    }
                    return 0.45;
                };
                unit_animator.gesture(unit(who), session.game.spell(spell).burst);
                return GESTURE;
            }
            if *unit_animator.is_other_side_acting {
                0.08
            } else {
                0.03
            }
        }
        EventKind::Moved { who, from, .. } => {
            event_playback.actor = Some(*who);
            unit_animator.walk(unit(*who), middle(*from, unit(*who).size).into());
            STEP
        }
        EventKind::AttackRolled { rolled_attack } => {
            let waits = waits(event_playback, session, rolled_attack);
            event_playback.flying.push(rolled_attack.clone());
            let by = Some(rolled_attack.attack.by);
            event_playback.unrolled.take_if(|(act, _)| act.who == by);
            if waits {
                return 0.0;
            }
            rolled(
                unit_animator,
                event_playback,
                session,
                (rolled_attack, None),
            )
        }
        EventKind::Rerolled { serial, roll, .. } => {
            let mut flying = event_playback.flying.iter_mut();
            let Some(rolled_attack) = flying.find(|rolled_attack| rolled_attack.serial == *serial)
            else {
                return 0.0;
            };
            let old = std::mem::replace(&mut rolled_attack.roll, roll.clone());
            // A defense of the same moment may have raised the total that hits.
            if let Some((_, Some(needed))) = result_of(session, *serial) {
                rolled_attack.needed = needed;
            }
            let rolled_attack = rolled_attack.clone();
            rolled(
                unit_animator,
                event_playback,
                session,
                (&rolled_attack, Some(&old)),
            )
        }
        EventKind::AttackResolved {
            serial,
            hit,
            critical,
            needed,
            ..
        } => {
            let contact = contact(event_playback, session, event);
            let mut flying = event_playback.flying.iter();
            let Some(n) = flying.position(|rolled_attack| rolled_attack.serial == *serial) else {
                return 0.0;
            };
            let mut rolled_attack = event_playback.flying.remove(n);
            event_playback.guarded.retain(|guarded| guarded != serial);
            let Some(contact) = contact else {
                unit_animator.cancel(unit(rolled_attack.attack.by), &rolled_attack);
                unit_animator.let_go(Some(*serial));
                event_playback.attack = None;
                return CANCELS;
            };
            let natural = rolled_attack.roll.natural();
            rolled_attack.needed = needed.unwrap_or(rolled_attack.needed);
            event_playback.attack = Some(PlayedAttack::new(&rolled_attack, Some(*hit)));
            let by = unit(rolled_attack.attack.by);
            unit_animator.correct(by, (&rolled_attack, Some(*hit)), None);
            unit_animator.let_go(Some(*serial));
            let attack = rolled_attack.attack;
            let flies = attack
                .ranged
                .then(|| session.game.names().item(attack.with));
            let always = natural.is_some() && session.queries.ruleset_ui.naturals_decide;
            let is_final = *critical || always || *hit && falls_last(session, attack.at);
            let force = Force::of(is_final, *hit && falls(session, attack.at));
            let is_great = *critical || natural == Some(Natural::Twenty);
            event_playback.final_hit = (*hit && is_final).then_some(attack.at);
            // A reaction may have come between.
            event_playback.actor = Some(attack.by);
            let (by, at) = (unit(attack.by), unit(attack.at));
            let seconds = unit_animator.attack(by, at, flies, (contact, force, is_great));
            let word = match (*hit, *critical) {
                (true, true) => "critical",
                (true, false) => "hit",
                (false, _) => "shock",
            };
            event_playback.resolved = Some((attack, word));
            seconds
        }
        EventKind::Damaged { who, by: None, .. } if is_beaten(session, *who) => 0.0,
        EventKind::Damaged {
            who, by, points, ..
        } => {
            let resolved = event_playback.take_resolved(*who, *by);
            let by_spell = event_playback.spell_of(*by).map(|_| "hit");
            let word = match resolved.or(by_spell) {
                Some(word) => format!("{word} {points}"),
                None => numeral(-points),
            };
            let falls = falls(session, *who);
            // An attack knows before its damage; a spell, a fall or bleeding can be final, too.
            if falls_last(session, *who) {
                event_playback.final_hit = Some(*who);
            }
            let is_final = event_playback.final_hit == Some(*who);
            let force = Force::of(is_final, falls);
            // Only its fall needs it further.
            event_playback.final_hit.take_if(|_| !falls);
            let execution = event_playback.execution.take();
            let suffered = Suffered {
                from: event_playback.struck_from(session, *who, *by),
                share: share_lost(unit(*who), *points),
                bleeds: true,
                force,
                is_decisive: force > Force::Usual || execution.is_some(),
            };
            unit_animator.hurt(unit(*who), &word, &suffered);
            let seconds = unit_animator.hurt_seconds(force, falls);
            let Some([kills, fails]) = execution else {
                return seconds;
            };
            let ink = match is_own(session, *who) {
                true => palette::DANGER,
                false => palette::INK,
            };
            let words = if falls { kills } else { fails };
            let words = format!("{} {words}", unit(*who).name);
            let about = by.iter().chain([who]);
            let about = Vec::from_iter(about.map(|&id| Vec2::from(unit(id).middle())));
            unit_animator.banner((words, ink), &about, BRIEF);
            // A fall has a moment of its own.
            if falls { seconds } else { seconds + FINAL_BEAT }
        }
        EventKind::Fell { who } => {
            let is_key = weight(event_playback, session, event) == Weight::Key;
            fall(unit_animator, event_playback, session, (*who, is_key))
        }
        EventKind::Died { who } if is_own(session, *who) => {
            unit_animator.follow(unit(*who));
            unit_animator.mourn(unit(*who), "dies", None, 0.0)
        }
        EventKind::Caught { spell, who } => {
            let is_seen = std::mem::take(&mut event_playback.burst_shown);
            let spell = session.game.spell(*spell);
            // If the casting was seen, the burst was already shown.
            match event_playback.spell.filter(|_| is_seen) {
                Some(cast) => unit_animator.caught(session, (spell, cast.origin), who),
                None => {
                    unit_animator.caught_unseen(session, spell.burst, who);
                    0.0
                }
            }
        }
        EventKind::DoorMoved { by, cell, open } => {
            unit_animator.follow(unit(*by));
            unit_animator.swing(session, *cell, *open);
            SWING
        }
        EventKind::Entered { who, .. } => {
            unit_animator.follow(unit(*who));
            0.3
        }
        EventKind::Flees { who } => {
            unit_animator.break_banner(unit(*who));
            BREAKS
        }
        EventKind::MoraleBegan { who, .. } => {
            morale(unit_animator, session, event, (who, palette::INK, BRIEF));
            MORALE
        }
        EventKind::MoraleEnded { side, who, broke } => {
            let ink = match (broke.is_empty(), *side == session.player()) {
                (true, _) => palette::INK,
                (false, true) => palette::DANGER,
                (false, false) => palette::TEAL,
            };
            let seconds = match broke.is_empty() {
                true => BRIEF,
                false => BRIEF + FINAL_BEAT,
            };
            morale(unit_animator, session, event, (who, ink, seconds));
            // The banner of the next round would replace it at once.
            seconds
        }
        EventKind::Fled { .. } => 0.25,
        EventKind::Over { .. } => 0.1,
        _ => match event.cue() {
            Some(cue) if cue.kind == CueKind::Alarm => {
                alarm(unit_animator, event_playback, session, (event, &cue))
            }
            Some(cue)
                if cue.kind == CueKind::Bad
                    && cue.who.is_some_and(|who| is_beaten(session, who)) =>
            {
                0.0
            }
            Some(cue) if cue.is_harm() => harm(unit_animator, event_playback, session, &cue),
            Some(mut cue) => {
                if cue.kind == CueKind::Defense {
                    defended(unit_animator, event_playback, session, &cue);
                }
                let next = session.upcoming().find(|event| begins(event));
                let is_morale =
                    next.is_some_and(|e| matches!(e.what, EventKind::MoraleEnded { .. }));
                if let Some(who) = cue.who.filter(|_| is_morale && cue.kind == CueKind::Pass) {
                    cue.word = HOLDS_FIRM.into();
                    unit_animator.plant_banner(unit(who), delay);
                }
                unit_animator.show_cue(unit, &cue, delay)
            }
            None => 0.0,
        },
    }
}

/// Animates the fall of a unit, which is a key one or not; returns the seconds until the next event.
pub(super) fn fall(
    unit_animator: &mut UnitAnimator,
    event_playback: &mut EventPlayback,
    session: &Session,
    (who, is_key): (Id, bool),
) -> f32 {
    let unit = session.shown().unit(who);
    // The fall is what cancels the unit's rolled attacks; their results follow later.
    let flying = event_playback.flying.iter();
    for rolled_attack in flying.filter(|rolled_attack| rolled_attack.attack.by == who) {
        if result_of(session, rolled_attack.serial) == Some((false, None)) {
            unit_animator.cancel(unit, rolled_attack);
        }
    }
    let from = event_playback.struck.iter().rev().find(|s| s.0 == who);
    let from = from.map(|s| s.1);
    let felled = event_playback.final_hit.take_if(|felled| *felled == who);
    let is_final = is_key || felled.is_some();
    // Where several units are hit at once, nothing has waited for the hit.
    let after = match event_playback.is_of_several() {
        true => unit_animator.hurt_seconds(Force::of(is_final, true), true),
        false => 0.0,
    };
    let seconds = unit_animator.fall(unit, from, (is_final, after));
    unit_animator.show_text(unit, "falls", Tone::Fall);
    match is_own(session, who) {
        true if dies_at_once(session, who) => seconds,
        true => unit_animator.mourn(unit, "is down", from, seconds),
        false if is_key => unit_animator.hush(unit, from, seconds),
        false => seconds + if is_final { FINAL_BEAT } else { BEAT },
    }
}

/// The fall of the unit at which `next` is an attack, if an earlier attack of the same moment has
/// taken its last hit points: it falls now, and this attack meets a unit that lies. One that still
/// strikes in this moment falls afterwards.
pub(super) fn early_fall(
    event_playback: &EventPlayback,
    session: &Session,
    next: &Event,
) -> Option<(Id, EventShown)> {
    let (rolled_attack, ..) = resolves(event_playback, next)?;
    let who = rolled_attack.attack.at;
    let mut flying = event_playback.flying.iter();
    let strikes = flying.any(|other| {
        let result = result_of(session, other.serial);
        other.attack.by == who && matches!(result, Some((_, Some(_))))
    });
    let unit = session.shown().unit(who);
    if strikes || unit.hp > 0 || !falls(session, who) {
        return None;
    }
    let is_its = |event: &&Event| matches!(event.what, EventKind::Fell { who: of } if of == who);
    let event = session.upcoming().find(is_its)?.clone();
    let weight = match falls_last(session, who) {
        true => Weight::Key,
        false => weight(event_playback, session, &event),
    };
    Some((who, EventShown { event, weight }))
}

/// Whether a check's dice are shown beside its unit.
fn is_on_board(check: &CheckRoll) -> bool {
    // Initiative rolls are shown together.
    !check.is_initiative && check.passed.is_some() && !check.roll.dice.is_empty()
}

/// Whether the action just begun is a defense of the unit, whose next text says so.
fn is_defense(session: &Session, who: Id) -> bool {
    let next = session.upcoming().take_while(|event| !begins(event));
    let mut cues = next.filter_map(|event| event.cue());
    cues.any(|cue| cue.kind == CueKind::Defense && cue.who == Some(who))
}

/// Corrects the visible rolls of attacks on a unit that has just defended: the totals that they need
/// now, with the name of the defense, and whether they still hit.
fn defended(
    unit_animator: &mut UnitAnimator,
    event_playback: &mut EventPlayback,
    session: &Session,
    defense: &Cue,
) {
    let flying = event_playback.flying.iter_mut();
    for rolled_attack in flying.filter(|rolled_attack| Some(rolled_attack.attack.at) == defense.who)
    {
        event_playback.guarded.push(rolled_attack.serial);
        let result = result_of(session, rolled_attack.serial);
        let needed = result.and_then(|(_, needed)| needed);
        let needed = needed.or_else(|| session.queries.needed(&rolled_attack.attack));
        rolled_attack.needed = needed.unwrap_or(rolled_attack.needed);
        let by = session.shown().unit(rolled_attack.attack.by);
        let hits = hits_so_far(session, rolled_attack);
        event_playback.attack = Some(PlayedAttack::new(rolled_attack, hits));
        unit_animator.correct(by, (&*rolled_attack, hits), Some(&*defense.word));
    }
}

/// Whether an attack hits: its result, or a miss as things stand. `None` if it would hit and a
/// reaction may still decide it.
fn hits_so_far(session: &Session, rolled_attack: &RolledAttack) -> Option<bool> {
    let result = result_of(session, rolled_attack.serial).map(|(hit, _)| hit);
    let always_hits = session.queries.ruleset_ui.naturals_decide
        && rolled_attack.roll.natural() == Some(Natural::Twenty);
    let is_short = rolled_attack.roll.total() < rolled_attack.needed && !always_hits;
    result.or(is_short.then_some(false))
}

/// Whether the roll of an attack is shown only before its own contact: its unit makes several attacks
/// at once, and no reaction to this one is open.
fn waits(event_playback: &EventPlayback, session: &Session, rolled_attack: &RolledAttack) -> bool {
    let by = rolled_attack.attack.by;
    let mut flying = event_playback.flying.iter();
    flying.any(|other| other.attack.by == by) && result_of(session, rolled_attack.serial).is_some()
}

/// Animates the roll of an attack, the first or another one after an `old` one; returns its seconds.
fn rolled(
    unit_animator: &mut UnitAnimator,
    event_playback: &mut EventPlayback,
    session: &Session,
    (rolled_attack, old): (&RolledAttack, Option<&Roll>),
) -> f32 {
    let shown = session.shown();
    let (by, at) = (
        shown.unit(rolled_attack.attack.by),
        shown.unit(rolled_attack.attack.at),
    );
    unit_animator.follow(by);
    unit_animator.follow(at);
    let hits = hits_so_far(session, rolled_attack);
    event_playback.attack = Some(PlayedAttack::new(rolled_attack, hits));
    if old.is_none() {
        unit_animator.clear_results();
        unit_animator.take_off_resolved();
    }
    let decides = session.queries.ruleset_ui.naturals_decide;
    unit_animator.roll((by, at), (rolled_attack, old), (hits, decides));
    let seconds = match hits {
        Some(false) => ROLL_OF_MISS,
        _ => ROLL,
    };
    unit_animator.draw_back(by, at, seconds);
    seconds
}

/// Rests before the dice of another attack until the results of earlier ones could be read, so that
/// both never look like one event. Returns its seconds; `None` if `next` shows no such dice or all
/// was read.
pub(super) fn lets_read(
    unit_animator: &UnitAnimator,
    event_playback: &EventPlayback,
    session: &Session,
    next: &Event,
) -> Option<f32> {
    let shows_dice = match &next.what {
        EventKind::AttackRolled { rolled_attack } => !waits(event_playback, session, rolled_attack),
        _ => resolves(event_playback, next)
            .is_some_and(|(rolled_attack, ..)| !unit_animator.shows_roll(rolled_attack.serial)),
    };
    unit_animator.unread().filter(|_| shows_dice)
}

/// Whether an attack hits as it is rolled now, and the total that it needed. `None` if a reaction
/// may still decide it: its result is not known, or another roll comes first.
fn result_of(session: &Session, of: u32) -> Option<(bool, Option<i32>)> {
    let next = session.upcoming().find_map(|event| match event.what {
        EventKind::AttackResolved {
            serial,
            hit,
            needed,
            ..
        } if serial == of => Some(Some((hit, needed))),
        EventKind::Rerolled { serial, .. } if serial == of => Some(None),
        _ => None,
    });
    next.flatten()
}

/// Animates a weapon's hit that no roll decides, such as an execution, before its damage: the unit
/// draws back, then strikes. Returns its seconds; `None` if `next` is no such damage.
pub(super) fn unrolled_hit(
    unit_animator: &mut UnitAnimator,
    event_playback: &mut EventPlayback,
    session: &Session,
    next: &Event,
) -> Option<f32> {
    let EventKind::Damaged { who, by, .. } = next.what else {
        return None;
    };
    let unrolled = event_playback.unrolled.as_mut();
    let is_its = |act: &Choice| act.who == by && act.at == Some(who);
    let (act, has_drawn) = unrolled.filter(|(act, _)| is_its(act))?;
    let (by, at) = (session.shown().unit(by?), session.shown().unit(who));
    if !std::mem::replace(has_drawn, true) {
        unit_animator.draw_back(by, at, ROLL);
        return Some(ROLL);
    }
    let is_far = cells_apart(by.space(), at.space()) > LONG_REACH;
    let flies = act.with.filter(|_| is_far);
    let mut executions = session.queries.ruleset_ui.executions.iter();
    let execution = executions.find(|execution| execution.0 == act.verb);
    event_playback.execution = execution.map(|execution| &execution.1);
    event_playback.unrolled = None;
    let is_final = falls(session, who);
    event_playback.final_hit = is_final.then_some(who);
    let flies = flies.map(|item| session.game.names().item(item));
    let hit = (Contact::Hit, Force::of(is_final, false), false);
    Some(unit_animator.attack(by, at, flies, hit))
}

/// Draws an attacker back again before its attack is resolved, if it came to rest since its roll:
/// another attack was rolled at the same time, or a reaction came between. A roll that [`waits`] is
/// shown now, in place of the one before it. Returns its seconds; `None` if `next` resolves no such
/// attack.
pub(super) fn draws_again(
    unit_animator: &mut UnitAnimator,
    event_playback: &mut EventPlayback,
    session: &Session,
    next: &Event,
) -> Option<f32> {
    let at_rest = |attack: &RolledAttack| event_playback.drawn != Some(attack.serial);
    let (rolled_attack, ..) = resolves(event_playback, next).filter(|found| at_rest(found.0))?;
    let rolled_attack = rolled_attack.clone();
    event_playback.drawn = Some(rolled_attack.serial);
    let (by, at) = (rolled_attack.attack.by, rolled_attack.attack.at);
    event_playback.actor = Some(by);
    if !unit_animator.shows_roll(rolled_attack.serial) {
        let roll = (&rolled_attack, None);
        return Some(rolled(unit_animator, event_playback, session, roll));
    }
    let unit = |id| session.shown().unit(id);
    unit_animator.draw_back(unit(by), unit(at), DRAW);
    Some(DRAW)
}

/// The rolled attack that an event resolves, whether it hits, and the total that it needed. `None`
/// for other events and for an attack that is cancelled.
fn resolves<'a>(
    event_playback: &'a EventPlayback,
    event: &Event,
) -> Option<(&'a RolledAttack, bool, i32)> {
    let EventKind::AttackResolved {
        serial,
        hit,
        needed: Some(needed),
        ..
    } = event.what
    else {
        return None;
    };
    let mut flying = event_playback.flying.iter();
    let rolled_attack = flying.find(|rolled_attack| rolled_attack.serial == serial)?;
    Some((rolled_attack, hit, needed))
}

/// How an attack that was just resolved meets its target; `None` for other events and for an attack
/// that is cancelled. Damage without a hit needs contact, too.
fn contact(event_playback: &EventPlayback, session: &Session, event: &Event) -> Option<Contact> {
    let (rolled_attack, hit, needed) = resolves(event_playback, event)?;
    let (attack, roll) = (&rolled_attack.attack, &rolled_attack.roll);
    let faces = roll.dice.first().map_or(0, |die| die.0);
    let short = (needed - roll.total()) as f32 / f32::from(faces.max(1));
    let mut next = session.upcoming().take_while(|event| !begins(event));
    let is_its = |event: &Event| match event.what {
        EventKind::Damaged { who, by, .. } => who == attack.at && by == Some(attack.by),
        _ => false,
    };
    let is_guarded = event_playback.guarded.contains(&rolled_attack.serial);
    Some(match hit {
        true => Contact::Hit,
        false if !session.shown().unit(attack.at).is_up() => Contact::Missed,
        false if is_guarded || short > 0.0 && short <= NARROW => Contact::Blocked,
        false if next.any(is_its) => Contact::Blocked,
        false => Contact::Missed,
    })
}

/// Animates points lost on a track other than hit points.
fn harm(
    unit_animator: &mut UnitAnimator,
    event_playback: &mut EventPlayback,
    session: &Session,
    cue: &Cue,
) -> f32 {
    let Some(who) = cue.who else { return 0.0 };
    let unit = session.shown().unit(who);
    let suffered = Suffered {
        from: event_playback.struck_from(session, who, cue.by),
        share: share_lost(unit, cue.points),
        bleeds: false,
        force: Force::Usual,
        is_decisive: false,
    };
    unit_animator.hurt(unit, &format!("{} {}", cue.points, cue.word), &suffered);
    HURT
}

/// Marks units that wake, with a ring each and a banner that counts them, clear of them and of the
/// attack that wakes them; returns the seconds until the next event.
fn alarm(
    unit_animator: &mut UnitAnimator,
    event_playback: &EventPlayback,
    session: &Session,
    (event, cue): (&Event, &Cue),
) -> f32 {
    let units = ids_of(event.concerns().units).map(|id| session.shown().unit(id));
    let woken: Vec<&UnitView> = units.filter(|unit| unit.is_up()).collect();
    for unit in &woken {
        unit_animator.close_ring(unit, BRIEF);
    }
    let is_enemy = |unit: &&UnitView| unit.side != session.player();
    let who = match (woken.len(), woken.iter().all(is_enemy)) {
        (0, _) => return 0.0,
        (1, true) => String::from("1 enemy wakes"),
        (n, true) => format!("{n} enemies wake"),
        (1, false) => String::from("1 unit wakes"),
        (n, false) => format!("{n} units wake"),
    };
    let words = format!("{}: {who}", capitalised(&cue.word));
    let attack = event_playback.attack().map(|of| &of.rolled.attack);
    let attack = attack.into_iter().flat_map(|of| [of.by, of.at]);
    let attack = attack.map(|id| session.shown().unit(id));
    let about = attack.chain(woken).map(|unit| Vec2::from(unit.middle()));
    unit_animator.banner((words, palette::DANGER), &Vec::from_iter(about), BRIEF);
    ALARM
}

/// Says in a banner, in the words of the log, why units check morale or how many of them broke.
fn morale(
    unit_animator: &mut UnitAnimator,
    session: &Session,
    event: &Event,
    (who, ink, seconds): (&[Id], Rgb, f32),
) {
    let Some(line) = event.describe(session.game.names()) else {
        return;
    };
    let about = who.iter().map(|&id| session.shown().unit(id).middle());
    let about = Vec::from_iter(about.map(Vec2::from));
    unit_animator.banner((line.text, ink), &about, seconds);
}

/// Share of a unit's hit points that it just lost, from 0 to 1.
fn share_lost(unit: &UnitView, points: i32) -> f32 {
    match unit.is_up() {
        true => points as f32 / (unit.hp.max(0) + points).max(1) as f32,
        // A unit that is down takes no heavy hit.
        false => 0.0,
    }
}

/// How strongly an event that was just applied is shown.
pub(super) fn weight(event_playback: &EventPlayback, session: &Session, event: &Event) -> Weight {
    let shown = session.shown();
    match &event.what {
        EventKind::Damaged { who, points, .. } => {
            match share_lost(shown.unit(*who), *points) >= HEAVY {
                true => Weight::Heavy,
                false => Weight::Usual,
            }
        }
        EventKind::AttackResolved { .. } => match contact(event_playback, session, event) {
            Some(Contact::Blocked) => Weight::Blocked,
            _ => Weight::Usual,
        },
        EventKind::Fell { who } if session.game.level().is_key(CombatantIx(who.0)) => Weight::Key,
        EventKind::Fell { .. } if ends_battle(session) => Weight::Key,
        EventKind::Fell { who } if is_own(session, *who) => match dies_at_once(session, *who) {
            true => Weight::Usual,
            false => Weight::Lost,
        },
        EventKind::Died { who } if is_own(session, *who) => Weight::Lost,
        _ => Weight::Usual,
    }
}

/// Whether a unit is one of the player's.
fn is_own(session: &Session, who: Id) -> bool {
    session.shown().unit(who).side == session.player()
}

/// Whether a unit is an enemy that is out of the fight: what still happens to it is no news.
fn is_beaten(session: &Session, who: Id) -> bool {
    !is_own(session, who) && !session.shown().unit(who).is_up()
}

/// Whether a unit that just fell also dies before anything else is done.
fn dies_at_once(session: &Session, who: Id) -> bool {
    let mut next = session.upcoming().take_while(|event| !begins(event));
    next.any(|event| matches!(event.what, EventKind::Died { who: dead } if dead == who))
}

/// Whether the fall just applied is the last one before the end of the battle, and the battle ends
/// with it.
fn ends_battle(session: &Session) -> bool {
    ends(&mut session.upcoming().map(|event| &event.what))
}

/// Whether a unit that stands falls before anything else is done.
fn falls(session: &Session, who: Id) -> bool {
    let mut next = session.upcoming().map(|event| &event.what);
    session.shown().unit(who).is_up() && pass_fall(&mut next, who)
}

/// Whether a unit falls before anything else is done, and is a key unit or the last of the battle.
fn falls_last(session: &Session, who: Id) -> bool {
    let mut next = session.upcoming().map(|event| &event.what);
    let falls = pass_fall(&mut next, who);
    falls && (session.game.level().is_key(CombatantIx(who.0)) || ends(&mut next))
}

/// Takes events up to the fall of a unit; false if anything else is done before.
fn pass_fall<'e>(next: &mut impl Iterator<Item = &'e EventKind>, who: Id) -> bool {
    let mut effects = next.take_while(|what| !matches!(what, EventKind::Acted { .. }));
    effects.any(|what| matches!(what, EventKind::Fell { who: fallen } if *fallen == who))
}

/// Whether the battle ends before another unit falls or anything else is done.
fn ends<'e>(next: &mut impl Iterator<Item = &'e EventKind>) -> bool {
    let end = next.find(|what| {
        let is_end = matches!(what, EventKind::Over { .. });
        is_end || matches!(what, EventKind::Fell { .. } | EventKind::Acted { .. })
    });
    matches!(end, Some(EventKind::Over { .. }))
}

impl EventPlayback {
    /// Notes a unit's new action, if it uses a weapon on another unit.
    fn note_unrolled(&mut self, choice: &Choice) {
        self.unrolled.take_if(|(act, _)| act.who == choice.who);
        if choice.at.is_some() && choice.with.is_some() && choice.spell.is_none() {
            self.unrolled = Some((choice.clone(), false));
        }
    }

    /// What the damage of the last attack is called, if it caused this damage; otherwise `None`.
    fn take_resolved(&mut self, who: Id, by: Option<Id>) -> Option<&'static str> {
        let resolved = self.resolved.take();
        let attack = resolved.filter(|(a, _)| a.at == who && Some(a.by) == by);
        attack.map(|forecast| forecast.1)
    }

    /// Where the damage came from, in cells; remembered for a fall. `None` without an attacker.
    fn struck_from(&mut self, session: &Session, who: Id, by: Option<Id>) -> Option<Vec2> {
        let attacker = by.filter(|&by| by != who);
        let attacker = attacker.map(|by| Vec2::from(session.shown().unit(by).middle()));
        let origin = self.spell_of(by).map(|spell| spell.origin);
        let from = origin.or(attacker)?;
        self.struck.retain(|s| s.0 != who);
        self.struck.push((who, from));
        Some(from)
    }
}

impl UnitAnimator<'_, '_> {
    /// Shows an event without movement as floating text, after `delay` seconds; returns its
    /// seconds.
    fn show_cue<'p>(&mut self, unit: impl Fn(Id) -> &'p UnitView, cue: &Cue, delay: f32) -> f32 {
        let Some(who) = cue.who else { return 0.0 };
        let points = cue.points;
        if cue.kind == CueKind::Thing && !unit(who).is_up() {
            // A falling unit drops its items, which needs no text.
            return 0.0;
        }
        let (word, tone, seconds) = match cue.kind {
            CueKind::Heal => (format!("+{points}"), Tone::Good, 0.35),
            CueKind::Pass => (cue.word.to_string(), Tone::Plain, 0.5),
            CueKind::Fail => (cue.word.to_string(), Tone::Bad, 0.5),
            CueKind::Bad | CueKind::Stop => (cue.word.to_string(), Tone::Bad, 0.3),
            CueKind::Death => (cue.word.to_string(), Tone::Fall, 0.3),
            CueKind::Good | CueKind::Defense => (cue.word.to_string(), Tone::Good, 0.3),
            _ => (cue.word.to_string(), Tone::Plain, 0.25),
        };
        if word.is_empty() {
            return 0.0;
        }
        self.show_result(unit(who), &word, tone, delay);
        if matches!(cue.kind, CueKind::Pass | CueKind::Fail) {
            self.bear(unit(who), cue.kind == CueKind::Pass, delay);
        }
        seconds
    }
}
