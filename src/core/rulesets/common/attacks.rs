//! Attacks from the roll to the damage. All attacks of a batch are rolled together, open to
//! reactions, and resolved together on one state: two units that attack each other may both fall,
//! and no attack can prevent another of its batch.

use super::{CombatSystem, State, damage::Losses, inventory::Throws};
use crate::{
    battle::{
        Action, Attack, Choice, DiceBox, EventKind, Modifier, PendingAttacks, Roll, RolledAttack,
        Rule, Step, StepOutcome, Why, sum,
    },
    system_step,
};
use bevy_ecs::system::{In, Res, ResMut, StaticSystemParam};
use std::{borrow::Cow, fmt::Debug};

/// One attack as a combat system rolls it: attacker, target and weapon, and what else the system
/// knows about it.
pub trait AttackSpec: Clone + Debug + Send + Sync + 'static {
    fn attack(&self) -> &Attack;
}

impl AttackSpec for Attack {
    fn attack(&self) -> &Attack {
        self
    }
}

/// The melee attack action, under a combat system's rule id.
pub const fn strike(rule: Rule) -> Action {
    let (order, log) = ("strike {at} with {with}", "strikes at {at} with {with}");
    Action::new("strike", order, log, rule)
}

pub const fn shoot(rule: Rule) -> Action {
    let (order, log) = ("shoot at {at} with {with}", "shoots at {at} with {with}");
    Action::new("shoot", order, log, rule)
}

pub const fn throw(rule: Rule) -> Action {
    let (order, log) = ("throw {with} at {at}", "throws {with} at {at}");
    Action::new("throw", order, log, rule)
}

pub const fn charge(rule: Rule) -> Action {
    let (order, log) = (
        "charge {at} with {with} from {to}",
        "charges {at} with {with}, to {to}",
    );
    Action::new("charge", order, log, rule)
}

pub const fn opportunity(rule: Rule) -> Action {
    let order = "attack of opportunity on {at} with {with}";
    let log = "takes the opportunity to strike at {at} with {with}";
    Action::new("attack of opportunity", order, log, rule)
}

pub fn attack_of(choice: &Choice, ranged: bool) -> Attack {
    let at = choice.at.expect("an attack has a target");
    let with = choice.with.expect("an attack has a weapon");
    Attack::new(choice.actor(), at, with, ranged, choice.verb.rule)
}

/// The attack roll of a forecast.
pub trait ToHit {
    /// Everything that is added to the die.
    fn modifiers(&self) -> &[Modifier];

    /// What the total must reach to hit.
    fn against(&self) -> i32;

    fn bonus(&self) -> i32 {
        sum(self.modifiers())
    }

    /// What the die must show to hit, ignoring results that always hit or miss.
    fn needs(&self) -> i32 {
        self.against() - self.bonus()
    }
}

/// Implements [`ToHit`] for a forecast that keeps its roll's modifiers in `modifiers`.
macro_rules! to_hit {
    ($forecast:ident: |$it:ident| $against:expr) => {
        impl crate::rulesets::common::attacks::ToHit for $forecast {
            fn modifiers(&self) -> &[Modifier] {
                &self.modifiers
            }

            fn against(&self) -> i32 {
                let $it = self;
                $against
            }
        }
    };
}
pub(crate) use to_hit;

/// How a combat system attacks: the hooks of [`AttackBatch`]. The system supplies its rules: what
/// an attack would be, whether it hits, what a hit or a miss does. The batch handles the rest: dice
/// in order, serial numbers, thrown weapons, log entries for units that can no longer attack,
/// reactions between roll and result, and total losses per target.
pub trait Attacks: CombatSystem {
    type AttackSpec: AttackSpec;
    /// The forecast of an attack. It is kept from the roll until the attack is resolved.
    type Forecast: ToHit + Clone + Debug + Send + Sync + 'static;
    /// What the system counts while a batch is resolved, apart from losses.
    type Tally: Default;

    /// The forecast of an attack as things stand, or why it is impossible. Offers, forecasts and
    /// rolls all use this function.
    fn forecast(state: &State<Self>, spec: &Self::AttackSpec) -> Result<Self::Forecast, Why>;

    /// Runs before the dice of a batch, if other units can intercept. The batch then continues with
    /// [`AttackBatch::intercepted`].
    fn meet(_: &State<Self>, _: &[Self::AttackSpec], _: &mut DiceBox) -> Option<StepOutcome> {
        None
    }

    /// Picks the actual target of an attack whose target is random.
    fn aim(
        _: &State<Self>,
        _: &mut Self::AttackSpec,
        _: &mut Self::Forecast,
        _: &mut DiceBox,
        _: &mut StepOutcome,
    ) {
    }

    fn die(dice: &mut DiceBox) -> Roll {
        Roll::one(20, dice.roll(20), vec![])
    }

    /// An attacker's first roll in the batch is about to be logged: a hidden attacker is revealed.
    fn begins(_: &State<Self>, _: &Attack, _: &mut StepOutcome) {}

    /// Spends the thrown weapon or the ammunition of an attack that was rolled.
    fn spend_ammo(
        state: &State<Self>,
        attack: &Attack,
        throws: &mut Throws,
        outcome: &mut StepOutcome,
    ) {
        throws.fly(Self::view(state), attack, outcome);
    }

    /// Opens a reaction window between the dice and their results. The state may then differ from
    /// that of the roll: [`Attacks::reforecast`] forecasts again.
    fn open(_serials: Vec<u32>, _: &mut StepOutcome) {}

    /// The forecast that resolves an attack: the one from its roll, or a new one. An error says why
    /// the attack is cancelled.
    fn reforecast(
        _: &mut Resolving<Self>,
        _: &Self::AttackSpec,
        rolled: Self::Forecast,
    ) -> Result<Self::Forecast, Why> {
        Ok(rolled)
    }

    fn hit_result(
        resolving: &mut Resolving<Self>,
        spec: &Self::AttackSpec,
        forecast: &mut Self::Forecast,
        roll: &Roll,
    ) -> HitResult;

    /// Applies a hit; [`Resolving::harm`] counts its damage.
    fn hit(
        resolving: &mut Resolving<Self>,
        spec: &Self::AttackSpec,
        forecast: &Self::Forecast,
        roll: &Roll,
    );

    /// Applies a miss. No forecast if the attack was cancelled.
    fn miss(_: &mut Resolving<Self>, _: &Self::AttackSpec, _: Option<&Self::Forecast>, _: &Roll) {}

    /// All attacks are resolved: units that lost too much fall, and end checks follow.
    fn finish(resolving: Resolving<Self>) -> StepOutcome;
}

/// Whether an attack hit, and why.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct HitResult {
    pub rule: Rule,
    pub hit: bool,
    /// A hit with more effect than other hits.
    pub critical: bool,
    /// The number that the roll was compared with.
    pub against: i32,
    /// The reason, if the numbers do not make it obvious.
    pub why: Cow<'static, str>,
}

impl From<Why> for HitResult {
    fn from(Why { rule, text, .. }: Why) -> Self {
        Self {
            rule,
            hit: false,
            critical: false,
            against: 0,
            why: text,
        }
    }
}

/// A batch that is being resolved, all of it on one state.
pub struct Resolving<'a, 'w, 's, R: Attacks> {
    pub state: &'a State<'w, 's, R>,
    pub dice: &'a mut DiceBox,
    pub outcome: StepOutcome,
    /// What the attacks have cost so far, by unit.
    pub lost: Losses,
    pub tally: R::Tally,
}

impl<R: Attacks> Resolving<'_, '_, '_, R> {
    /// Logs the damage of an attack to its target, and counts it.
    pub fn harm(&mut self, rule: Rule, attack: &Attack, points: i32, roll: Roll, lethal: bool) {
        let damaged = EventKind::damaged(attack.at, Some(attack.by), points, roll);
        self.outcome.emit(rule, damaged);
        self.lost.add(attack.at, points, lethal);
    }
}

/// Attacks that happen at the same time, often a single one.
#[derive(Clone, Debug)]
pub struct AttackBatch<R: Attacks> {
    specs: Vec<R::AttackSpec>,
    /// Steps at the same moment as the attacks. They run after the rolls and before the results, so
    /// neither comes first.
    meanwhile: Vec<Box<dyn Step>>,
    /// Whether other units have had their chance to intercept.
    is_met: bool,
}
system_step!(impl[R: Attacks] AttackBatch<R>, roll::<R>);

impl<R: Attacks> AttackBatch<R> {
    pub fn of(specs: Vec<R::AttackSpec>) -> Self {
        Self {
            specs,
            meanwhile: vec![],
            is_met: false,
        }
    }

    /// A batch after other units had their chance to intercept.
    pub fn intercepted(specs: Vec<R::AttackSpec>) -> Self {
        Self {
            is_met: true,
            ..Self::of(specs)
        }
    }

    pub fn with(mut self, meanwhile: Vec<Box<dyn Step>>) -> Self {
        self.meanwhile = meanwhile;
        self
    }
}

/// Rolls a die for each attack that is still possible. No attack is resolved yet.
fn roll<R: Attacks>(
    In(step): In<AttackBatch<R>>,
    state: StaticSystemParam<R::Param>,
    pending: Res<PendingAttacks>,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    if !step.is_met
        && let Some(first) = R::meet(&state, &step.specs, &mut dice)
    {
        return first;
    }
    let mut outcome = StepOutcome::default();
    let mut rolled: Vec<Rolled<R>> = vec![];
    let mut throws = Throws::default();
    // Attackers that have rolled, and attackers already logged as stopped, as bit sets.
    let (mut begun, mut stopped) = (0u64, 0u64);
    for mut spec in step.specs {
        let who = spec.attack().by;
        let able = R::forecast(&state, &spec).and_then(|forecast| {
            let has = throws.has(R::view(&state), spec.attack());
            let none = || Why::of_actor(spec.attack().rule, "no longer has that item");
            has.then_some(forecast).ok_or_else(none)
        });
        let mut forecast = match able {
            Ok(forecast) => forecast,
            Err(why) => {
                // No log entry for a fallen attacker. No entry either for an attacker that has
                // rolled in this batch and has run out of weapons to throw.
                let is_news = (begun | stopped) & who.bit() == 0;
                stopped |= who.bit();
                if is_news && R::view(&state).body(who).is_up() {
                    outcome.emit_stop(who, why);
                }
                continue;
            }
        };
        dice.roll_for(who);
        R::aim(&state, &mut spec, &mut forecast, &mut dice, &mut outcome);
        let mut roll = R::die(&mut dice);
        roll.modifiers.extend_from_slice(forecast.modifiers());
        let attack = spec.attack();
        if begun & who.bit() == 0 {
            begun |= who.bit();
            R::begins(&state, attack, &mut outcome);
        }
        let serial = pending.next() + rolled.len() as u32;
        let rolled_attack = RolledAttack {
            serial,
            attack: attack.clone(),
            roll,
            needed: forecast.against(),
        };
        outcome.emit(attack.rule, EventKind::AttackRolled { rolled_attack });
        R::spend_ammo(&state, attack, &mut throws, &mut outcome);
        rolled.push(Rolled {
            serial,
            spec,
            forecast,
        });
    }
    outcome.next.extend(step.meanwhile);
    if !rolled.is_empty() {
        R::open(rolled.iter().map(|r| r.serial).collect(), &mut outcome);
        outcome.push(Settle(rolled));
    }
    outcome
}

/// An attack with the serial number of its roll in [`PendingAttacks`].
#[derive(Clone, Debug)]
struct Rolled<R: Attacks> {
    serial: u32,
    spec: R::AttackSpec,
    forecast: R::Forecast,
}

/// Resolves attacks that were rolled together.
#[derive(Clone, Debug)]
struct Settle<R: Attacks>(Vec<Rolled<R>>);
system_step!(impl[R: Attacks] Settle<R>, resolve_batch::<R>);

fn resolve_batch<R: Attacks>(
    In(Settle(rolled)): In<Settle<R>>,
    state: StaticSystemParam<R::Param>,
    pending: Res<PendingAttacks>,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut resolving = Resolving::<R> {
        state: &state,
        dice: &mut dice,
        outcome: StepOutcome::default(),
        lost: Losses::default(),
        tally: R::Tally::default(),
    };
    for Rolled {
        serial,
        spec,
        forecast,
    } in rolled
    {
        resolving.dice.roll_for(spec.attack().by);
        let rolled_attack = pending.get(serial);
        let roll = &rolled_attack.expect("what was rolled is pending").roll;
        let mut forecast = R::reforecast(&mut resolving, &spec, forecast);
        let hit_result = match &mut forecast {
            Ok(forecast) => R::hit_result(&mut resolving, &spec, forecast, roll),
            Err(why) => why.clone().into(),
        };
        let resolved = EventKind::AttackResolved {
            serial,
            hit: hit_result.hit,
            critical: hit_result.critical,
            against: hit_result.against,
            needed: forecast.as_ref().ok().map(ToHit::against),
            why: hit_result.why,
        };
        resolving.outcome.emit(hit_result.rule, resolved);
        match &forecast {
            Ok(forecast) if hit_result.hit => R::hit(&mut resolving, &spec, forecast, roll),
            other => R::miss(&mut resolving, &spec, other.as_ref().ok(), roll),
        }
    }
    R::finish(resolving)
}
