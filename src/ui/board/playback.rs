//! Plays events one by one: each is applied to the display world, then shown. Several effects of
//! one cause on a unit are shown [together](super::together).

use super::{
    Stage,
    attack_effects::HOLDS,
    bursts::{CastSpell, GESTURE},
    floating_text::LIFE,
    show::{self, show},
    together::Together,
    unit_animator::{DespawnAfterOrFloating, UnitAnimator, despawn_expired},
};
use crate::{
    battle::{Attack, CheckRoll, Choice, Event, EventKind, Id, RolledAttack, Rule},
    content::Burst,
    control::simulation::Casts,
    ui::{Phase, Playback, Screen, Session, input::Key, settings::Pace},
};
use bevy::prelude::*;
use bevy_tweening::{AnimationSystem, TweeningPlugin};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<EventPlayback>()
        .add_message::<EventShown>()
        .add_message::<BurstShown>()
        .add_plugins(TweeningPlugin);
    // Animations move in the frame in which the playback starts them.
    app.configure_sets(
        Update,
        AnimationSystem::AnimationUpdate
            .after(Phase::Play)
            .before(Stage::Stand),
    );
    app.add_systems(
        OnEnter(Screen::Battle),
        |mut event_playback: ResMut<EventPlayback>| *event_playback = EventPlayback::default(),
    );
    app.add_systems(
        Update,
        (play, despawn_expired)
            .chain()
            .in_set(Phase::Play)
            .run_if(in_state(Screen::Battle))
            .run_if(crate::ui::session::is_on),
    );
}

/// An event is being shown; the sound system plays it too.
#[derive(Message, Clone, Debug)]
pub struct EventShown {
    pub event: Event,
    pub weight: Weight,
}

/// How strongly an event is shown.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Weight {
    Usual,
    /// An attack that takes a large share of its target's hit points.
    Heavy,
    /// An attack that misses because a weapon, a shield or armour is in its way.
    Blocked,
    /// A key unit fell: see [`Level::is_key`](crate::levels::Level::is_key).
    Key,
    /// One of the player's units fell or died. A unit that dies as it falls is only lost once.
    Lost,
}

/// A spell that all sides see takes effect.
#[derive(Message, Clone, Copy, PartialEq, Eq, Debug)]
pub struct BurstShown(pub Burst);

/// Factor on all durations while the fast-forward key is held.
const FASTER: f32 = 0.2;
/// Factor on durations while other sides act: a turn of seven enemies should take at most 8
/// seconds.
pub(super) const OTHERS: f32 = 0.5;

/// State of the playback.
#[derive(Resource, Default)]
pub struct EventPlayback {
    /// Seconds until the next event.
    left: f32,
    epoch: u32,
    /// Factor on the duration at normal speed; `None` before the first event.
    duration_scale: Option<f32>,
    /// Attacks rolled and not yet resolved.
    pub(super) flying: Vec<RolledAttack>,
    /// The serial numbers of those against which the target has defended.
    pub(super) guarded: Vec<u32>,
    /// The rolled attack whose attacker is still drawn back.
    pub(super) drawn: Option<u32>,
    /// The attack just resolved, and what its damage is called: "hit".
    pub(super) resolved: Option<(Attack, &'static str)>,
    /// The unit that the current attack hits, if it is a final hit: see
    /// [`Force::Final`](super::attack_effects::Force::Final).
    pub(super) final_hit: Option<Id>,
    /// The check just shown, or the first of its contest.
    pub(super) contest: Option<CheckRoll>,
    /// What the banner of the current execution says, until its damage.
    pub(super) execution: Option<&'static [&'static str; 2]>,
    /// Where the last attack on each unit came from, in cells.
    pub(super) struck: Vec<(Id, Vec2)>,
    pub(super) casts: Casts,
    /// The last weapon action, until an attack is rolled for it, and whether its unit has drawn
    /// back for a hit without a roll.
    pub(super) unrolled: Option<(Choice, bool)>,
    /// The last spell was shown taking effect, and its targets are not known yet.
    pub(super) burst_shown: bool,
    /// The last spell that was shown taking effect, until its caster's next action or attack.
    pub(super) spell: Option<CastSpell>,
    /// The round that has just begun, until its first turn is announced.
    pub(super) new_round: Option<u16>,
    together: Option<Together>,
    /// Initiative rolls to be shown together.
    pub(super) dice: Vec<CheckRoll>,
    pub(super) actor: Option<Id>,
    /// The attack that the board shows, until the next action or step.
    pub(super) attack: Option<PlayedAttack>,
}

/// An attack as far as its events are shown.
#[derive(Clone, PartialEq, Debug)]
pub struct PlayedAttack {
    pub rolled: RolledAttack,
    /// Whether it hits; `None` while a reaction may still decide it.
    pub hits: Option<bool>,
    /// The damage that its target took; `None` before it is shown, and without damage.
    pub points: Option<i32>,
    /// Whether its dice do not lie still yet, so that nothing may show their total.
    pub is_rolling: bool,
}

impl PlayedAttack {
    pub(super) fn new(rolled: &RolledAttack, hits: Option<bool>) -> Self {
        Self {
            rolled: rolled.clone(),
            hits,
            points: None,
            is_rolling: false,
        }
    }
}

impl EventPlayback {
    /// The unit that is acting; `None` while the player decides in their own turn.
    pub fn actor(&self) -> Option<Id> {
        self.actor
    }

    /// The attack that the board shows.
    pub fn attack(&self) -> Option<&PlayedAttack> {
        self.attack.as_ref()
    }

    /// Updates the attack that the board shows with an event that is about to be shown. `late_harm`
    /// are the rules of damage that is no part of an attack, such as that of a hold.
    fn update_attack(&mut self, event: &Event, late_harm: &[Rule]) {
        match &event.what {
            EventKind::RoundBegan { .. }
            | EventKind::TurnBegan { .. }
            | EventKind::Acted { .. } => self.attack = None,
            EventKind::Damaged { .. } if late_harm.contains(&event.rule) => {
                (self.attack, self.resolved) = (None, None);
            }
            // A fall after a push is no damage of the attack.
            EventKind::Moved { .. } => (self.attack, self.resolved) = (None, None),
            EventKind::Damaged {
                who, by, points, ..
            } => {
                let attack = self.attack.as_mut();
                let is_its = |of: &Attack| of.at == *who && Some(of.by) == *by;
                if let Some(attack) = attack.filter(|it| is_its(&it.rolled.attack)) {
                    attack.points = Some(*points);
                }
            }
            _ => {}
        }
    }

    /// Forgets the last spell with an event of something that begins after it.
    fn update_spell(&mut self, event: &Event) {
        let by = match &event.what {
            EventKind::RoundBegan { .. } | EventKind::TurnBegan { .. } => {
                self.spell = None;
                return;
            }
            EventKind::Acted { choice } => choice.who,
            EventKind::AttackRolled { rolled_attack } => Some(rolled_attack.attack.by),
            _ => return,
        };
        self.spell.take_if(|spell| Some(spell.by) == by);
    }

    /// The spell of a unit that was just shown taking effect.
    pub(super) fn spell_of(&self, by: Option<Id>) -> Option<CastSpell> {
        self.spell.filter(|spell| Some(spell.by) == by)
    }

    /// Whether this event belongs to a group of which earlier ones were shown.
    pub(super) fn is_in_crowd(&self) -> bool {
        self.together.as_ref().is_some_and(Together::is_begun)
    }

    /// Whether this event belongs to the results of several units, which are shown at once.
    pub(super) fn is_of_several(&self) -> bool {
        self.together.as_ref().is_some_and(Together::is_of_several)
    }

    /// Whether this event belongs to the morale phase of a side.
    pub(super) fn is_morale(&self) -> bool {
        self.together.as_ref().is_some_and(Together::is_morale)
    }

    /// Factor on the duration at normal speed.
    pub fn duration_scale(&self) -> f32 {
        self.duration_scale.unwrap_or(1.0)
    }
}

pub(super) fn play(
    mut unit_animator: UnitAnimator,
    mut session: ResMut<Session>,
    mut event_playback: ResMut<EventPlayback>,
    mut playback: ResMut<Playback>,
    leftovers: Query<Entity, DespawnAfterOrFloating>,
    (mut events_shown, mut burst_shown): (MessageWriter<EventShown>, MessageWriter<BurstShown>),
    keys: Res<ButtonInput<Key>>,
    time: Res<Time>,
) {
    let epoch = session.shown().epoch;
    if event_playback.epoch != epoch {
        leftovers
            .iter()
            .for_each(|it| unit_animator.commands.entity(it).try_despawn());
        *event_playback = EventPlayback { epoch, ..default() };
        *unit_animator.shake = default();
        unit_animator.tags.clear();
        unit_animator.texts.clear();
        unit_animator.rolls.clear();
    }
    unit_animator.age_texts(time.delta_secs());
    let rolls = &mut unit_animator.rolls;
    rolls.retain_mut(|roll| roll.stays(time.delta_secs()));
    if !playback.busy && !session.has_next() || unit_animator.sprites.cell_px().is_none() {
        if event_playback.actor.is_some() && session.asked_member().is_none() {
            event_playback.actor = None;
        }
        return;
    }
    let before = (event_playback.actor, event_playback.attack.clone());
    let mut is_instant = false;
    let now = event_playback.bypass_change_detection();
    // A long frame, such as one that draws the map, must not skip events.
    now.left -= time.delta_secs().min(0.1);
    while now.left <= 0.0 {
        if let Some(seconds) = now.ends_together(&mut unit_animator, &session) {
            now.left += seconds * now.duration_scale();
            continue;
        }
        if !session.has_next() {
            break;
        }
        let in_haste = keys.pressed(Key::Faster);
        let haste = if in_haste { FASTER } else { 1.0 };
        // A spell is shown taking effect before its results, and a hit before its damage.
        let next = session.upcoming().next();
        if now.update_duration_scale(&mut unit_animator, &session, haste)
            && let Some(next) = next
        {
            if let Some(cast) = now.casts.take(session.game.world(), next) {
                let spell = cast.spell.map(|spell| session.game.spell(spell).burst);
                // The caster gathers itself first, unless it has just done so.
                if let Some((who, burst)) = cast.who.zip(spell)
                    && now.actor != Some(who)
                {
                    unit_animator.gesture(session.shown().unit(who), burst);
                    now.casts.note(&cast);
                    now.actor = Some(who);
                    now.left += GESTURE * now.duration_scale();
                    continue;
                }
                if let Some((spell, seconds)) = unit_animator.cast(&session, &cast) {
                    now.spell = Some(spell);
                    now.left += seconds * now.duration_scale();
                }
                now.burst_shown = true;
                burst_shown.write_batch(spell.map(BurstShown));
                continue;
            }
            if let Some((who, shown)) = show::early_fall(now, &session, next) {
                session.show_fall(who);
                let fallen = (who, shown.weight == Weight::Key);
                let seconds = show::fall(&mut unit_animator, now, &session, fallen);
                now.left += seconds * now.duration_scale();
                events_shown.write(shown);
                continue;
            }
            let seconds = show::lets_read(&unit_animator, now, &session, next)
                .or_else(|| show::unrolled_hit(&mut unit_animator, now, &session, next))
                .or_else(|| show::draws_again(&mut unit_animator, now, &session, next));
            if let Some(seconds) = seconds {
                now.left += seconds * now.duration_scale();
                continue;
            }
        }
        // The fall was shown before it is applied: see [`Session::show_fall`].
        let lies_already = |event: &Event| match event.what {
            EventKind::Fell { who } => !session.shown().unit(who).is_up(),
            _ => false,
        };
        let has_fallen = session.upcoming().next().is_some_and(lies_already);
        let Some(event) = session.next_event() else {
            break;
        };
        let weight = show::weight(now, &session, &event);
        // The event may have started another side's turn.
        if !now.update_duration_scale(&mut unit_animator, &session, haste) {
            is_instant = true;
            events_shown.write(EventShown { event, weight });
            continue;
        }
        if has_fallen {
            continue;
        }
        if now.together.is_none() {
            now.together = Together::begin(&event, session.upcoming());
        }
        *unit_animator.gathers_text = now.together.is_some();
        now.update_attack(&event, session.queries.ruleset_ui.late_harm);
        now.update_spell(&event);
        let mut seconds = show(&mut unit_animator, now, &session, &event);
        *unit_animator.gathers_text = false;
        now.drawn = match &event.what {
            // A roll that is shown later draws nobody back yet.
            EventKind::AttackRolled { rolled_attack } if seconds > 0.0 => {
                Some(rolled_attack.serial)
            }
            EventKind::Rerolled { serial, .. } => Some(*serial),
            _ => now.drawn.filter(|_| seconds < HOLDS),
        };
        if now.together.is_none() && !now.dice.is_empty() {
            let dice = std::mem::take(&mut now.dice);
            seconds = unit_animator.roll_initiative(&session, &dice);
        }
        match &mut now.together {
            Some(all) => all.add(&event, seconds),
            None => now.left += seconds * now.duration_scale(),
        }
        events_shown.write(EventShown { event, weight });
    }
    if is_instant {
        // Nothing is animated: tokens go straight to their new places.
        session.replace_picture();
    }
    let scale = now.duration_scale();
    if let Some(attack) = &mut now.attack {
        let mut rolls = unit_animator.rolls.iter();
        let roll = rolls.find(|roll| roll.is_of(attack.rolled.serial));
        attack.is_rolling = roll.is_some_and(|roll| roll.is_rolling(scale));
    }
    let busy = now.left > 0.0 || session.has_next();
    if !busy {
        (now.left, now.drawn) = (0.0, None);
        // The unit whose action a unit of the player can react to goes on with it afterwards.
        now.actor.take_if(|_| session.asked_member().is_none());
        now.attack = None;
    }
    if playback.busy != busy {
        playback.busy = busy;
    }
    if (event_playback.actor, &event_playback.attack) != (before.0, &before.1) {
        event_playback.set_changed();
    }
}

impl EventPlayback {
    /// Sets how long the next event takes and whether the view follows it, from the settings and
    /// the side whose turn it is. False if the event takes no time and is not animated.
    fn update_duration_scale(
        &mut self,
        unit_animator: &mut UnitAnimator,
        session: &Session,
        haste: f32,
    ) -> bool {
        let turn = session.shown().clock.turn;
        let is_other_side_acting = turn.is_some_and(|side| side != session.player());
        let settings = &unit_animator.settings;
        let (pace, usual) = match is_other_side_acting {
            true => (settings.others_pace, OTHERS),
            false => (settings.own_pace, 1.0),
        };
        // A replay exists to be watched, so it is never instant.
        let pace = match (session.replay(), pace) {
            (Some(_), Pace::Instant) => Pace::Normal,
            (_, pace) => pace,
        };
        let Some(stretch) = pace.stretch() else {
            return false;
        };
        (*unit_animator.is_other_side_acting, *unit_animator.follows) =
            (is_other_side_acting, settings.follow);
        let scale = session.stretch() * usual * stretch * haste;
        (self.duration_scale, *unit_animator.duration_scale) = (Some(scale), scale);
        *unit_animator.late = -self.left;
        true
    }

    /// Seconds for the results of one unit, once the next event is not one of them; otherwise
    /// `None`.
    fn ends_together(
        &mut self,
        unit_animator: &mut UnitAnimator,
        session: &Session,
    ) -> Option<f32> {
        let all = self.together.as_mut()?;
        let goes_on = all.goes_on(session.upcoming());
        if goes_on && !all.waits_for_fall(session.upcoming().next()) {
            return None;
        }
        let mut seconds = all.pass();
        // The text makes way for that of the next unit.
        unit_animator.show_gathered_text(session, if goes_on { seconds } else { LIFE });
        if !goes_on {
            self.together = None;
        }
        let dice = std::mem::take(&mut self.dice);
        if !dice.is_empty() {
            seconds = seconds.max(unit_animator.roll_initiative(session, &dice));
        }
        Some(seconds)
    }
}
