//! Steps: the parts of a round as small systems that only read the world.

use super::{Answer, Choice, Decision, DiceBox, Event, EventKind, Id, Rule, Seen, Side, Why};
use bevy_ecs::{
    resource::Resource,
    system::{IntoSystem, System, SystemInput},
    world::World,
};
use bevy_utils::TypeIdMap;
use std::{
    any::{Any, TypeId},
    fmt::Debug,
    sync::{Arc, Mutex},
};

/// A phase, a turn, an attack or one cell of a move: a small struct with one Bevy system that
/// reads the world, rolls dice and returns a [`StepOutcome`]. Make one with
/// [`system_step!`](crate::system_step).
pub trait Step: Debug + Send + Sync {
    fn run(self: Box<Self>, world: &mut World) -> StepOutcome;
    fn copy(&self) -> Box<dyn Step>;
    /// Ends a waiting step when the battle is over, for steps that leave the state unfinished.
    /// Further steps that it returns are ended too.
    fn end(self: Box<Self>, _: &mut World) -> StepOutcome {
        StepOutcome::default()
    }
    /// Whether the step's system can write anything but dice and answers. It must not.
    fn writes_state(&self, world: &mut World) -> bool;
}

impl Clone for Box<dyn Step> {
    fn clone(&self) -> Self {
        self.copy()
    }
}

/// The outcome of a step, computed from the state before it.
#[derive(Default, Debug)]
pub struct StepOutcome {
    pub events: Vec<Event>,
    /// Steps to run next, in order, before the steps that are already waiting.
    pub next: Vec<Box<dyn Step>>,
    pub ask: Option<Decision>,
}

impl StepOutcome {
    pub fn emit(&mut self, rule: Rule, what: impl Into<EventKind>) {
        self.emit_to(rule, Seen::All, what);
    }

    /// Emits an event that stays secret to one side until a later event reveals it.
    pub fn seal(&mut self, rule: Rule, side: Side, what: impl Into<EventKind>) {
        self.emit_to(rule, Seen::Only(side), what);
    }

    /// Emits an event that only some can see.
    pub fn emit_to(&mut self, rule: Rule, seen: Seen, what: impl Into<EventKind>) {
        let what = what.into();
        self.events.push(Event { rule, seen, what });
    }

    /// Emits an event that reveals to all what only one side knew.
    pub fn emit_reveal(&mut self, rule: Rule, side: Side, what: impl Into<EventKind>) {
        self.emit_to(rule, Seen::Told(side), what);
    }

    /// Emits that a unit can't go on with what it began, and why.
    pub fn emit_stop(&mut self, who: Id, why: Why) {
        let (rule, why) = (why.rule, why.text);
        self.emit(rule, EventKind::Stopped { who, why });
    }

    pub fn and(mut self, rule: Rule, what: impl Into<EventKind>) -> Self {
        self.emit(rule, what);
        self
    }

    /// Announces an action, under the rule of its kind.
    pub fn announcing(choice: &Choice) -> Self {
        Self::default().and(choice.verb.rule, EventKind::acted(choice))
    }

    pub fn then(mut self, step: impl Step + 'static) -> Self {
        self.push(step);
        self
    }

    pub fn push(&mut self, step: impl Step + 'static) {
        self.next.push(Box::new(step));
    }

    /// Stops the battle until the decision is answered. Then `resume` runs and takes the answer
    /// from [`Answer`](super::Answer). A step that asks must not emit events or roll dice.
    pub fn ask(question: Decision, resume: impl Step + 'static) -> Self {
        Self {
            ask: Some(question),
            ..Self::default().then(resume)
        }
    }
}

/// Makes a [`Step`] from a struct and the system that runs it, which takes the struct by `In`:
/// `system_step! { struct RoundEnd => round_end }`. A step that serves all combat systems is
/// `system_step! { struct LeaveStep[R: Leaves] { who: Id } => leave::<R> }`, made by
/// `LeaveStep::<R>::of(who)`. For an existing `Clone` struct, write `system_step!(Type, system)`; for a generic one,
/// `system_step!(impl[R: Bound] Type<R>, system::<R>)`. There, a third argument is the system that
/// ends the step when the battle is over.
#[macro_export]
macro_rules! system_step {
    ($(#[$doc:meta])* $vis:vis struct $step:ident => $system:path) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        $vis struct $step;
        $crate::system_step!($step, $system);
    };
    (
        $(#[$doc:meta])* $vis:vis struct $step:ident {
            $($(#[$note:meta])* $own:vis $field:ident: $kind:ty),* $(,)?
        } => $system:path
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        $vis struct $step {
            $($(#[$note])* $own $field: $kind,)*
        }
        $crate::system_step!($step, $system);
    };
    (
        $(#[$doc:meta])* $vis:vis struct $step:ident[$generic:ident: $bound:path] {
            $($(#[$note:meta])* $field:ident: $kind:ty),* $(,)?
        } => $system:path
    ) => {
        $(#[$doc])*
        #[derive(Clone, Debug)]
        $vis struct $step<$generic: $bound> {
            $($(#[$note])* $field: $kind,)*
            system: std::marker::PhantomData<$generic>,
        }

        impl<$generic: $bound> $step<$generic> {
            $vis fn of($($field: $kind),*) -> Self {
                let system = std::marker::PhantomData;
                Self { $($field,)* system }
            }
        }
        $crate::system_step!(impl[$generic: $bound] $step<$generic>, $system);
    };
    ($type:ty, $system:path) => {
        $crate::system_step!(impl[] $type, $system);
    };
    (impl[$($generic:ident: $bound:path),*] $type:ty, $system:path $(, $end:path)?) => {
        impl<$($generic: $bound),*> $crate::battle::Step for $type {
            fn run(self: Box<Self>, world: &mut $crate::bevy_ecs::world::World) -> $crate::battle::StepOutcome {
                $crate::battle::run_system(world, $system, *self)
            }

            fn copy(&self) -> Box<dyn $crate::battle::Step> {
                Box::new(self.clone())
            }

            $(fn end(self: Box<Self>, world: &mut $crate::bevy_ecs::world::World) -> $crate::battle::StepOutcome {
                $crate::battle::run_system(world, $end, *self)
            })?

            fn writes_state(&self, world: &mut $crate::bevy_ecs::world::World) -> bool {
                $crate::battle::writes_state($system, world)
                    $(|| $crate::battle::writes_state($end, world))?
            }
        }
    };
}

/// The systems that have run in a world, by type. One table for all of them compiles much faster:
/// a resource for each would generate Bevy's resource code hundreds of times.
#[derive(Resource, Default)]
struct Kept(TypeIdMap<Arc<Mutex<Box<dyn Any + Send>>>>);

/// Runs a system that queues no commands. The system and its state are cached for the next call,
/// at a third of the cost of Bevy's cached systems, because battles consist of little else.
///
/// # Panics
/// If one of the system's parameters is missing.
pub fn run_system<I, O, M, S>(world: &mut World, system: S, input: I::Inner<'_>) -> O
where
    I: SystemInput + 'static,
    O: 'static,
    S: IntoSystem<I, O, M>,
    S::System: 'static,
{
    let mut kept = world.get_resource_or_init::<Kept>();
    let kept = kept.0.entry(TypeId::of::<S::System>()).or_insert_with(|| {
        let none: Option<S::System> = None;
        Arc::new(Mutex::new(Box::new(none)))
    });
    let kept = kept.clone();
    // A system that is already running, and calls itself, gets a second instance.
    let mut kept = kept.try_lock().ok();
    let mut again = None;
    let known = kept.as_mut().and_then(|kept| kept.downcast_mut());
    let running = known.unwrap_or(&mut again).get_or_insert_with(|| {
        let mut fresh = IntoSystem::into_system(system);
        fresh.initialize(world);
        fresh
    });
    match running.run_without_applying_deferred(input, world) {
        Ok(out) => out,
        Err(e) => panic!("{}: {e}", running.name()),
    }
}

/// Whether a system can write anything but dice and answers.
pub fn writes_state<I, O, M>(system: impl IntoSystem<I, O, M>, world: &mut World) -> bool
where
    I: SystemInput,
{
    let access = IntoSystem::into_system(system).initialize(world);
    let allowed = [
        world.register_component::<DiceBox>(),
        world.register_component::<Answer>(),
    ];
    match access.combined_access().try_writes() {
        Ok(writes) => writes.iter().any(|id| !allowed.contains(&id)),
        Err(_) => true,
    }
}
