//! Events are played one by one: each is applied to the display world, then
//! seen.

use super::{
    Stage,
    troupe::{FALL, HURT, PassingOrPop, STEP, SWING, Tone, Troupe, fade},
};
use crate::{
    battle::{Attack, Cue, CueKind, Event, EventKind, Id, PASS, RolledAttack, Side, capitalised},
    ui::{
        Phase, Playback, Screen, Session,
        input::{Hands, Key},
        settings::{Pace, Settings},
        shown::{Person, middle},
    },
};
use bevy::prelude::*;
use bevy_tweening::{AnimationSystem, TweeningPlugin};
use leafwing_input_manager::prelude::ActionState;

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<EventPlayback>()
        .add_message::<Played>()
        .add_plugins(TweeningPlugin);
    // What was set in motion moves in the same frame.
    app.configure_sets(
        Update,
        AnimationSystem::AnimationUpdate
            .after(Phase::Play)
            .before(Stage::Stand),
    );
    app.add_systems(
        OnEnter(Screen::Battle),
        |mut reel: ResMut<EventPlayback>| *reel = EventPlayback::default(),
    );
    app.add_systems(
        Update,
        (play, fade)
            .chain()
            .in_set(Phase::Play)
            .run_if(in_state(Screen::Battle))
            .run_if(crate::ui::session::is_on),
    );
}

/// An event is seen now: it may be heard as well.
#[derive(Message, Clone, Debug)]
pub struct Played(pub Event);

/// From the roll until the blow.
const ROLL: f32 = 0.38;
/// So much of the time it takes while the key to go faster is held.
const FASTER: f32 = 0.2;
/// The others' deeds are shown a little slower: they come unasked.
const OTHERS: f32 = 1.25;

/// What is being played.
#[derive(Resource, Default)]
pub struct EventPlayback {
    /// Seconds until the next event.
    left: f32,
    epoch: u32,
    /// Rolled and not yet settled.
    flying: Vec<RolledAttack>,
    /// Whose blow was just settled, and whether it hit.
    settled: Option<(Attack, bool)>,
    actor: Option<Id>,
}

impl EventPlayback {
    /// Who is doing something now, unless it is the player's turn to think.
    pub fn actor(&self) -> Option<Id> {
        self.actor
    }
}

fn play(
    mut troupe: Troupe,
    mut session: ResMut<Session>,
    mut reel: ResMut<EventPlayback>,
    mut playback: ResMut<Playback>,
    leftovers: Query<Entity, PassingOrPop>,
    mut played: MessageWriter<Played>,
    settings: Res<Settings>,
    keys: Option<Single<&ActionState<Key>, With<Hands>>>,
    time: Res<Time>,
) {
    let epoch = session.shown().epoch;
    if reel.epoch != epoch {
        leftovers
            .iter()
            .for_each(|it| troupe.commands.entity(it).despawn());
        *reel = EventPlayback { epoch, ..default() };
    }
    if !playback.busy && !session.has_next() || troupe.studio.cell_px().is_none() {
        return;
    }
    let before = reel.actor;
    let mut is_instant = false;
    let now = reel.bypass_change_detection();
    // A hitch, such as drawing the map, is no reason to skip what happens.
    now.left -= time.delta_secs().min(0.1);
    while now.left <= 0.0 && session.has_next() {
        let Some(event) = session.next_event() else {
            break;
        };
        let is_others = session
            .shown()
            .clock
            .turn
            .is_some_and(|side| side != session.player());
        (*troupe.is_others, *troupe.follows) = (is_others, settings.follow);
        let (pace, usual) = match is_others {
            true => (settings.others_pace, OTHERS),
            false => (settings.own_pace, 1.0),
        };
        // A recording is there to be watched: it has a speed of its own.
        let pace = match (session.replay(), pace) {
            (Some(_), Pace::Instant) => Pace::Normal,
            (_, pace) => pace,
        };
        let Some(stretch) = pace.stretch() else {
            is_instant = true;
            played.write(Played(event));
            continue;
        };
        let in_haste = keys.as_ref().is_some_and(|k| k.pressed(&Key::Faster));
        let haste = if in_haste { FASTER } else { 1.0 };
        *troupe.pace = session.stretch() * usual * stretch * haste;
        *troupe.late = -now.left;
        now.left += show(&mut troupe, now, &session, &event) * *troupe.pace;
        played.write(Played(event));
    }
    if is_instant {
        // Nothing was set in motion: everything is put where it now is.
        session.replace_picture();
    }
    let busy = now.left > 0.0 || session.has_next();
    if !busy {
        (now.left, now.actor) = (0.0, None);
    }
    if playback.busy != busy {
        playback.busy = busy;
    }
    if reel.actor != before {
        reel.set_changed();
    }
}

/// Plays an event that has just been applied; how many seconds it takes
/// before the next.
fn show(troupe: &mut Troupe, reel: &mut EventPlayback, session: &Session, event: &Event) -> f32 {
    let area = match &event.what {
        EventKind::Acted { choice } if choice.spell.is_some() => session.reads.area(choice),
        _ => vec![],
    };
    let shown = session.shown();
    let person = |id: Id| shown.person(id);
    match &event.what {
        EventKind::RoundBegan { .. } => 0.25,
        EventKind::TurnBegan { side } => turn_began(reel, session, *side),
        EventKind::Acted { choice } => {
            reel.actor = choice.who.or(reel.actor);
            let Some(who) = choice.who else { return 0.1 };
            troupe.watch(person(who));
            // What is neither seen as a move nor as a blow is said.
            // What is no move and no attack with a weapon.
            let is_walk = session.reads.walks.contains(&choice.verb);
            if !is_walk && choice.with.is_none() && choice.verb != &PASS {
                let spell = choice
                    .spell
                    .map(|s| capitalised(session.game.names().spell(s)));
                let label = spell.unwrap_or_else(|| session.reads.label(choice.verb).into_owned());
                troupe.say(person(who), &label, Tone::Good);
                return match choice.spell {
                    Some(spell) => 0.3 + troupe.cast(session, choice, spell, &area),
                    None => 0.45,
                };
            }
            if *troupe.is_others { 0.3 } else { 0.05 }
        }
        EventKind::Moved { who, from, .. } => {
            reel.actor = Some(*who);
            troupe.walk(person(*who), middle(*from, person(*who).size).into());
            STEP
        }
        EventKind::AttackRolled { shot } => {
            reel.flying.push(shot.clone());
            let (by, at) = (person(shot.attack.by), person(shot.attack.at));
            troupe.watch(by);
            troupe.watch(at);
            troupe.roll(by, shot);
            ROLL
        }
        EventKind::AttackSettled { serial, hit, .. } => {
            let Some(n) = reel.flying.iter().position(|s| s.serial == *serial) else {
                return 0.0;
            };
            let attack = reel.flying.remove(n).attack;
            let flies = attack
                .ranged
                .then(|| session.game.names().item(attack.with));
            let seconds = troupe.blow(person(attack.by), person(attack.at), flies, *hit);
            reel.settled = Some((attack, *hit));
            seconds
        }
        EventKind::Damaged {
            who, by, points, ..
        } => {
            let blow = reel
                .settled
                .take()
                .filter(|(a, _)| a.at == *who && Some(a.by) == *by);
            let word = match blow {
                Some((_, true)) => format!("hit {points}"),
                Some((_, false)) => format!("shock {points}"),
                None => format!("{points}"),
            };
            troupe.hurt(person(*who), &word);
            HURT
        }
        EventKind::Fell { who } => {
            troupe.tip_over(person(*who));
            FALL
        }
        EventKind::DoorMoved { by, cell, open } => {
            troupe.watch(person(*by));
            troupe.swing(session, *cell, *open);
            SWING
        }
        EventKind::Entered { who, .. } => {
            troupe.watch(person(*who));
            0.3
        }
        EventKind::Fled { .. } => 0.25,
        EventKind::Over { .. } => 0.4,
        _ => event.cue().map_or(0.0, |cue| troupe.tell(person, &cue)),
    }
}

fn turn_began(reel: &mut EventPlayback, session: &Session, side: Side) -> f32 {
    reel.actor = None;
    if side == session.player() { 0.15 } else { 0.3 }
}

impl Troupe<'_, '_> {
    /// What needs no movement is a word over somebody, or a number.
    fn tell<'p>(&mut self, person: impl Fn(Id) -> &'p Person, cue: &Cue) -> f32 {
        let Some(who) = cue.who else { return 0.0 };
        let points = cue.points;
        let (word, tone, seconds) = match cue.kind {
            CueKind::Harm => {
                self.hurt(person(who), &format!("{points} {}", cue.word));
                return HURT;
            }
            CueKind::Heal => (format!("+{points}"), Tone::Good, 0.35),
            CueKind::Pass => (cue.word.to_string(), Tone::Plain, 0.5),
            CueKind::Fail => (cue.word.to_string(), Tone::Bad, 0.5),
            CueKind::Bad | CueKind::Death => (cue.word.to_string(), Tone::Bad, 0.3),
            CueKind::Good | CueKind::Defense => (cue.word.to_string(), Tone::Good, 0.3),
            _ => (cue.word.to_string(), Tone::Plain, 0.25),
        };
        if word.is_empty() {
            return 0.0;
        }
        self.say(person(who), &word, tone);
        seconds
    }
}
