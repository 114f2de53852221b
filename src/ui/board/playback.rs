//! Events are played one by one: each is applied to the display world, then
//! seen.

use super::{
    Stage, View, ground, height, labels,
    pieces::{Piece, Pieces, WHITE, rest},
    prints::{Studio, at},
};
use crate::{
    battle::{
        Attack, Choice, Cue, CueKind, Event, EventKind, Id, PASS, RolledAttack, Side, SpellId,
        capitalised,
    },
    content::{Area, Effect},
    grid::{Cell, Space},
    ui::{
        Phase, Playback, Screen, Session,
        art::{
            icons::{self, Icon},
            marks, palette,
        },
        input::{Hands, Key},
        settings::{Pace, Settings},
        shown::{Person, middle},
        theme::colour,
    },
};
use bevy::{ecs::system::SystemParam, prelude::*, sprite::Anchor};
use bevy_tweening::{
    AnimationSystem, EaseMethod, Lens, Tween, TweenAnim, Tweenable, TweeningPlugin,
    lens::{SpriteColorLens, TransformPositionLens},
};
use leafwing_input_manager::prelude::ActionState;
use std::{f32::consts::PI, time::Duration};

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

/// Seconds for a cell of a move.
const STEP: f32 = 0.12;
/// From the roll until the blow.
const ROLL: f32 = 0.38;
/// A blow, there and back.
const BLOW: f32 = 0.25;
/// A missile over a cell, and the least and most that it takes.
const FLIGHT: (f32, f32, f32) = (0.035, 0.12, 0.42);
/// A burst of light, and a cell later in how many seconds.
const BURST: f32 = 0.5;
const SPREADS: f32 = 0.035;
/// A door swings.
const SWING: f32 = 0.3;
/// So much of the time it takes while the key to go faster is held.
const FASTER: f32 = 0.2;
/// What is suffered.
const HURT: f32 = 0.28;
const FALL: f32 = 0.42;
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

/// What sets tokens in motion.
#[derive(SystemParam)]
struct Troupe<'w, 's> {
    commands: Commands<'w, 's>,
    pieces: Res<'w, Pieces>,
    studio: Studio<'w>,
    view: ResMut<'w, View>,
    /// How much longer than usual everything takes.
    pace: Local<'s, f32>,
    /// It is not the player's side that acts.
    is_others: Local<'s, bool>,
    /// The view goes where something happens.
    follows: Local<'s, bool>,
    /// Seconds that have passed since the event should have begun.
    late: Local<'s, f32>,
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
        now.left += show(&mut troupe, now, &mut session, &event) * *troupe.pace;
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
fn show(
    troupe: &mut Troupe,
    reel: &mut EventPlayback,
    session: &mut ResMut<Session>,
    event: &Event,
) -> f32 {
    let area = match &event.what {
        // Reading through the session leaves it as it was.
        EventKind::Acted { choice } if choice.spell.is_some() => {
            session.bypass_change_detection().area(choice)
        }
        _ => vec![],
    };
    let session: &Session = session;
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
            let is_walk = session.walks().contains(&choice.verb);
            if !is_walk && choice.with.is_none() && choice.verb != &PASS {
                let spell = choice.spell.map(|s| capitalised(session.names().spell(s)));
                let label = spell.unwrap_or_else(|| session.label(choice.verb).into_owned());
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
            let flies = attack.ranged.then(|| session.names().item(attack.with));
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

/// How a word is meant.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Tone {
    Plain,
    Good,
    Bad,
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

    fn seconds(&self, seconds: f32) -> Duration {
        Duration::from_secs_f32(seconds * *self.pace)
    }

    fn watch(&mut self, person: &Person) {
        if *self.follows {
            self.view.show(person.middle().into());
        }
    }

    /// Sets an entity's transform in motion.
    fn sway(
        &mut self,
        entity: Entity,
        seconds: f32,
        ease: impl Into<EaseMethod>,
        sway: impl FnMut(&mut Transform, f32) + Send + Sync + 'static,
    ) {
        let tween = Tween::new::<Transform, _>(ease, self.seconds(seconds), Sway(sway));
        self.start(entity, tween);
    }

    fn start(&mut self, entity: Entity, mut tween: Tween) {
        tween.set_elapsed(Duration::from_secs_f32(self.late.max(0.0)));
        self.commands.entity(entity).insert(TweenAnim::new(tween));
    }

    /// One cell of a move.
    fn walk(&mut self, person: &Person, from: Vec2) {
        let Some(piece) = self.pieces.get(person.id) else {
            return;
        };
        let end = rest(person);
        let lens = TransformPositionLens {
            start: at(from, end.z),
            end,
        };
        let root = piece.root;
        let tween = Tween::new(EaseFunction::Linear, self.seconds(STEP), lens);
        self.start(root, tween);
        self.watch(person);
    }

    fn roll(&mut self, by: &Person, shot: &RolledAttack) {
        let die: i32 = shot.roll.dice.iter().map(|d| i32::from(d.1)).sum();
        let total = shot.roll.total();
        let sum =
            (total != die).then(|| format!(" {} = {total}", crate::battle::signed(total - die)));
        let place = above(by);
        labels::pop_die(
            &mut self.commands,
            place,
            die,
            sum.unwrap_or_default(),
            *self.pace,
        );
    }

    /// A blow or a shot. A miss slides past, and its target steps aside.
    fn blow(&mut self, by: &Person, at_whom: &Person, flies: Option<&str>, hit: bool) -> f32 {
        let (from, to) = (Vec2::from(by.middle()), Vec2::from(at_whom.middle()));
        let way = at(to - from, 0.0);
        let ahead = way.normalize_or_zero();
        let aside = Vec3::new(-ahead.y, ahead.x, 0.0);
        let arrives = if flies.is_some() {
            flight(way.length()) * 0.85
        } else {
            BLOW * 0.35
        };
        if !hit {
            self.say_later(at_whom, "miss", Tone::Plain, arrives);
            if let Some(piece) = self.pieces.get(at_whom.id) {
                let (figure, seconds) = (piece.figure, arrives + BLOW);
                self.sway(figure, seconds, EaseFunction::Linear, move |t, x| {
                    let x = ((x * seconds - arrives) / BLOW).max(0.0);
                    t.translation = aside * 0.2 * (PI * x).sin();
                });
            }
        }
        if let Some(missile) = flies {
            return self.fly(from, to, missile, hit);
        }
        let Some(piece) = self.pieces.get(by.id) else {
            return BLOW;
        };
        let figure = piece.figure;
        // Up to the target's edge; a miss goes on beside it.
        let reach = (way.length() - 0.62).clamp(0.18, 0.55) + if hit { 0.0 } else { 0.12 };
        let drift = if hit { 0.0 } else { -0.16 };
        self.sway(figure, BLOW, EaseFunction::Linear, move |t, x| {
            // Fast there, slower back.
            let out = (PI * x.powf(0.62)).sin();
            t.translation = ahead * reach * out + aside * drift * out;
        });
        BLOW * if hit { 0.5 } else { 1.0 }
    }

    /// A missile from one to the other, or past it: an arrow, or the thing
    /// itself, which turns over as it flies.
    fn fly(&mut self, from: Vec2, to: Vec2, missile: &str, hit: bool) -> f32 {
        let way = to - from;
        let seconds = flight(way.length());
        let ahead = way.normalize_or_zero();
        let aside = Vec2::new(ahead.y, -ahead.x) * if hit { 0.0 } else { 0.38 };
        let (start, end) = (
            from + ahead * 0.4,
            to + aside + ahead * if hit { -0.25 } else { 0.9 },
        );
        let angle = (-way.y).atan2(way.x);
        let (start, end) = (at(start, height::MISSILE), at(end, height::MISSILE));
        let sign = ground::sign(missile);
        let place = Transform::from_translation(start).with_rotation(Quat::from_rotation_z(angle));
        let spawned = (
            Passing(seconds * *self.pace),
            DespawnOnExit(Screen::Battle),
            place,
        );
        if sign != Icon::Shoot {
            let print = self.studio.print(format!("thrown {sign:?}"), |px| {
                icons::icon(sign, (px as f32 * 0.42).round() as u32, palette::INK)
            });
            let turns = (way.length() / 2.0).ceil().max(1.0) * -2.0 * PI;
            let lens = Sway(move |t: &mut Transform, x: f32| {
                t.translation = start.lerp(end, x);
                t.rotation = Quat::from_rotation_z(angle + turns * x);
            });
            let tween =
                Tween::new::<Transform, _>(EaseFunction::Linear, self.seconds(seconds), lens);
            self.commands
                .spawn((spawned, print.sprite(), TweenAnim::new(tween)));
            return seconds;
        }
        let head = self.studio.print(String::from("arrow head"), |px| {
            marks::arrow_head(palette::INK, (px as f32 * 0.2).round() as u32)
        });
        let line = |wide: f32, rgb| Sprite {
            custom_size: Some(Vec2::new(0.46, wide)),
            color: colour(rgb),
            ..default()
        };
        let lens = TransformPositionLens { start, end };
        let tween = Tween::new(EaseFunction::Linear, self.seconds(seconds), lens);
        self.commands.spawn((
            spawned,
            line(0.11, palette::WHITE),
            TweenAnim::new(tween),
            children![
                (
                    line(0.05, palette::INK),
                    Transform::from_xyz(0.0, 0.0, 0.01)
                ),
                (head.sprite(), Transform::from_xyz(0.26, 0.0, 0.02)),
            ],
        ));
        seconds
    }

    /// A spell takes effect: a bolt flies to its target, or light spreads over
    /// its area, from where it begins.
    fn cast(&mut self, session: &Session, choice: &Choice, spell: SpellId, area: &[Cell]) -> f32 {
        let shown = session.shown();
        let kind = session.spell(spell);
        let ink = match kind.effect {
            Effect::Damage(_) => palette::VERMILION,
            _ if kind.effect.harms() => palette::PURPLE,
            _ => palette::TEAL,
        };
        let Some(by) = choice.who.map(|id| shown.person(id)) else {
            return 0.0;
        };
        let from = Vec2::from(by.middle());
        let target = choice.at.map(|id| Vec2::from(shown.person(id).middle()));
        let place = choice.to.map(|cell| Vec2::from(middle(cell, 1)));
        // A blast begins where it was aimed at, a cone or a line at the caster.
        let is_blast = matches!(kind.area, Area::Blast(feet) if feet > 0) && kind.range > 0;
        let aim = match area.is_empty() {
            true => target,
            false => place.or(target).filter(|_| is_blast),
        };
        let flies = match aim.filter(|to| to.distance(from) > 0.1) {
            Some(to) => self.bolt(from, to, ink),
            None => 0.0,
        };
        if area.is_empty() {
            // Nobody's target: it is only begun.
            let Some(to) = target.or(place) else {
                return 0.15;
            };
            self.burst(to, ink, flies);
            return flies + BURST * 0.5;
        }
        let origin = aim.unwrap_or(from);
        let mut last: f32 = 0.0;
        for &cell in area {
            let middle = Vec2::from(middle(cell, 1));
            let delay = flies + middle.distance(origin) * SPREADS;
            last = last.max(delay);
            let sprite = Sprite {
                custom_size: Some(Vec2::splat(1.0)),
                color: Color::NONE,
                ..default()
            };
            self.glow(
                sprite,
                at(middle, height::AIM),
                (delay, BURST),
                move |sprite, x| {
                    sprite.color = colour(ink).with_alpha(0.62 * (1.0 - x) * (1.0 - x));
                },
            );
        }
        last + BURST * 0.5
    }

    /// A spark with a tail.
    fn bolt(&mut self, from: Vec2, to: Vec2, ink: palette::Rgb) -> f32 {
        let seconds = flight(from.distance(to)) * 1.2;
        let print = self.studio.print(format!("spark {ink:?}"), |px| {
            marks::spark(ink, (px as f32 * 0.9).round() as u32)
        });
        let way = to - from;
        let angle = (-way.y).atan2(way.x);
        let lens = TransformPositionLens {
            start: at(from, height::MISSILE),
            end: at(to, height::MISSILE),
        };
        let place =
            Transform::from_translation(lens.start).with_rotation(Quat::from_rotation_z(angle));
        let tween = Tween::new(EaseFunction::QuadraticIn, self.seconds(seconds), lens);
        self.commands.spawn((
            Passing(seconds * *self.pace),
            DespawnOnExit(Screen::Battle),
            print.sprite(),
            place,
            TweenAnim::new(tween),
        ));
        seconds
    }

    /// A ring that widens and fades, after some seconds.
    fn burst(&mut self, place: Vec2, ink: palette::Rgb, delay: f32) {
        let print = self.studio.print(format!("burst {ink:?}"), |px| {
            marks::burst(ink, (px as f32 * 1.6).round() as u32)
        });
        let whole = print.size;
        let mut sprite = print.sprite();
        sprite.color = Color::NONE;
        let show = move |sprite: &mut Sprite, x: f32| {
            sprite.custom_size = Some(whole * (0.35 + 0.65 * x.sqrt()));
            sprite.color = Color::WHITE.with_alpha((1.0 - x) * 0.95);
        };
        self.glow(sprite, at(place, height::MISSILE), (delay, BURST), show);
    }

    /// Something that lights up after some seconds and is gone.
    fn glow(
        &mut self,
        sprite: Sprite,
        place: Vec3,
        (delay, seconds): (f32, f32),
        mut show: impl FnMut(&mut Sprite, f32) + Send + Sync + 'static,
    ) {
        let whole = delay + seconds;
        let lens = Glow(move |sprite: &mut Sprite, x: f32| {
            let now = (x * whole - delay) / seconds;
            if now >= 0.0 {
                show(sprite, now.min(1.0));
            }
        });
        let tween = Tween::new::<Sprite, _>(EaseFunction::Linear, self.seconds(whole), lens);
        self.commands.spawn((
            Passing(whole * *self.pace),
            DespawnOnExit(Screen::Battle),
            sprite,
            Transform::from_translation(place),
            TweenAnim::new(tween),
        ));
    }

    /// A door turns on its hinge.
    fn swing(&mut self, session: &Session, cell: Cell, open: bool) {
        let board = &session.shown().board;
        let is_free = |x: i16| board.can_stand(Space::one(cell.offset(x, 0)));
        // It hangs between what is no floor.
        let along = if is_free(-1) || is_free(1) {
            PI / 2.0
        } else {
            0.0
        };
        let hinge = Vec2::from(middle(cell, 1)) - 0.5 * Vec2::from_angle(along);
        let plank = |size: Vec2, rgb| {
            let sprite = Sprite {
                custom_size: Some(size),
                color: colour(rgb),
                ..default()
            };
            (sprite, Anchor::CENTER_LEFT)
        };
        let (from, to) = if open {
            (0.0, PI / 2.0)
        } else {
            (PI / 2.0, 0.0)
        };
        let lens = Sway(move |t: &mut Transform, x: f32| {
            let turn = from + (to - from) * x;
            t.rotation = Quat::from_rotation_z(turn - along);
        });
        let tween =
            Tween::new::<Transform, _>(EaseFunction::QuadraticInOut, self.seconds(SWING), lens);
        self.commands.spawn((
            Passing(SWING * *self.pace),
            DespawnOnExit(Screen::Battle),
            plank(Vec2::new(1.0, 0.2), palette::INK),
            Transform::from_translation(at(hinge, height::AIM)),
            TweenAnim::new(tween),
            children![(
                plank(Vec2::new(0.94, 0.13), palette::OAK),
                Transform::from_xyz(0.03, 0.0, 0.01)
            )],
        ));
    }

    /// Flashes and shakes once.
    fn hurt(&mut self, person: &Person, word: &str) {
        self.say(person, word, Tone::Bad);
        let Some(&Piece { figure, flash, .. }) = self.pieces.get(person.id) else {
            return;
        };
        self.sway(figure, HURT, EaseFunction::Linear, |t, x| {
            t.translation = Vec3::X * 0.09 * (4.0 * PI * x).sin() * (1.0 - x);
        });
        let lens = SpriteColorLens {
            start: WHITE.with_alpha(0.9).into(),
            end: WHITE.with_alpha(0.0).into(),
        };
        let tween = Tween::new(EaseFunction::QuadraticOut, self.seconds(HURT), lens);
        self.start(flash, tween);
    }

    /// The fallen lie in their picture: the fall begins as they stood.
    fn tip_over(&mut self, person: &Person) {
        let Some(piece) = self.pieces.get(person.id) else {
            return;
        };
        let figure = piece.figure;
        self.sway(figure, FALL, EaseFunction::BounceOut, |t, x| {
            let angle = (1.0 - x) * 94_f32.to_radians();
            (t.translation, t.rotation) = (Vec3::ZERO, Quat::from_rotation_z(angle));
        });
    }

    fn say(&mut self, person: &Person, word: &str, tone: Tone) {
        self.say_later(person, word, tone, 0.0);
    }

    fn say_later(&mut self, person: &Person, word: &str, tone: Tone, delay: f32) {
        let ink = match tone {
            Tone::Plain => palette::INK,
            Tone::Good => palette::TEAL,
            Tone::Bad => palette::DANGER,
        };
        let (delay, pace) = (delay * *self.pace, *self.pace);
        labels::pop_word(&mut self.commands, above(person), (word, ink), delay, pace);
    }
}

/// Seconds that a missile takes over so many cells.
fn flight(cells: f32) -> f32 {
    (cells * FLIGHT.0).clamp(FLIGHT.1, FLIGHT.2)
}

/// Above somebody's token.
fn above(person: &Person) -> Vec2 {
    let (x, y) = person.middle();
    Vec2::new(x, y - 0.5 * f32::from(person.size.max(1)))
}

/// Any function of a transform and of time as a lens.
pub(super) struct Sway<F>(pub F);

impl<F: FnMut(&mut Transform, f32)> Lens<Transform> for Sway<F> {
    fn lerp(&mut self, mut target: Mut<Transform>, ratio: f32) {
        (self.0)(&mut target, ratio);
    }
}

/// Any function of a sprite and of time as a lens.
struct Glow<F>(F);

impl<F: FnMut(&mut Sprite, f32)> Lens<Sprite> for Glow<F> {
    fn lerp(&mut self, mut target: Mut<Sprite>, ratio: f32) {
        (self.0)(&mut target, ratio);
    }
}

type PassingOrPop = Or<(With<Passing>, With<labels::Pop>)>;

/// Is gone after so many seconds.
#[derive(Component)]
pub(super) struct Passing(pub f32);

fn fade(mut commands: Commands, mut passing: Query<(Entity, &mut Passing)>, time: Res<Time>) {
    for (entity, mut left) in &mut passing {
        left.0 -= time.delta_secs();
        if left.0 <= 0.0 {
            commands.entity(entity).despawn();
        }
    }
}
