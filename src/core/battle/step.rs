//! The round's phases as small pure systems.

use super::{Answer, Choice, Decision, DiceBox, Event, EventKind, Rule, Seen, Side};
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

/// A phase, a turn, an attack, one cell of a move: a small struct with one
/// Bevy system that only reads the world (and rolls dice) and returns a
/// [`StepOutcome`]. Use [`system_step!`](crate::system_step) to make one.
pub trait Step: Debug + Send + Sync {
    fn run(self: Box<Self>, world: &mut World) -> StepOutcome;
    fn copy(&self) -> Box<dyn Step>;
    /// The battle is over while the step waits: what it leaves in a state in
    /// which it cannot stay. It is asked again through the steps that it returns.
    fn end(self: Box<Self>, _: &mut World) -> StepOutcome {
        StepOutcome::default()
    }
    /// Whether the step's system may write anything but dice and answers. None does.
    fn writes_state(&self, world: &mut World) -> bool;
}

impl Clone for Box<dyn Step> {
    fn clone(&self) -> Self {
        self.copy()
    }
}

/// What a step returns, all of it computed from the state before it.
#[derive(Default, Debug)]
pub struct StepOutcome {
    pub events: Vec<Event>,
    /// In running order; the steps that were waiting come after them.
    pub next: Vec<Box<dyn Step>>,
    pub ask: Option<Decision>,
}

impl StepOutcome {
    pub fn emit(&mut self, rule: Rule, what: impl Into<EventKind>) {
        self.emit_to(rule, Seen::All, what);
    }

    /// Tells one side alone, until it shows.
    pub fn seal(&mut self, rule: Rule, side: Side, what: impl Into<EventKind>) {
        self.emit_to(rule, Seen::Only(side), what);
    }

    /// Tells only those who see it.
    pub fn emit_to(&mut self, rule: Rule, seen: Seen, what: impl Into<EventKind>) {
        let what = what.into();
        self.events.push(Event { rule, seen, what });
    }

    /// Tells all what one side alone knew.
    pub fn tell(&mut self, rule: Rule, side: Side, what: impl Into<EventKind>) {
        self.emit_to(rule, Seen::Told(side), what);
    }

    pub fn and(mut self, rule: Rule, what: impl Into<EventKind>) -> Self {
        self.emit(rule, what);
        self
    }

    /// Tells that an act is done, by its verb's rule.
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

    /// Stops the battle until the question is answered; then `resume` runs and
    /// finds the answer in [`Answer`](super::Answer). A step that asks emits
    /// nothing and rolls nothing.
    pub fn ask(question: Decision, resume: impl Step + 'static) -> Self {
        Self {
            ask: Some(question),
            ..Self::default().then(resume)
        }
    }
}

/// Makes a [`Step`] and the system that runs it, which takes it by `In`:
/// `system_step! { struct RoundEnd => round_end }`. Of a `Clone` struct that is there
/// `system_step!(Type, system)` makes one, of a generic one
/// `system_step!(impl[R: Bound] Type<R>, system::<R>)`. A third argument is the system
/// that ends a step when the battle is over.
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

/// The systems that have run in a world, by their types. One table for all: a
/// resource for each would have the compiler write bevy's code for resources out
/// hundreds of times.
#[derive(Resource, Default)]
struct Kept(TypeIdMap<Arc<Mutex<Box<dyn Any + Send>>>>);

/// Runs a system that leaves no commands behind. It is kept with all its state
/// for the next time, as with bevy's cached systems, only at a third of the
/// price: battles are made of little else.
///
/// # Panics
/// When one of its parameters is not there.
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
    // One that runs already, and has come round to itself, is made a second time.
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

/// Whether a system may write anything but dice and answers.
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
