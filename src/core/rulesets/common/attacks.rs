//! Attacks from the die to the wound. All of a batch are rolled together, open
//! to answers, and settled together, each on one state: two who strike at once
//! may both fall, and what is done at the same moment comes too late to help.

use super::{CombatSystem, State, damage::Losses, gear::Throws};
use crate::{
    battle::{
        Action, Attack, Choice, DiceBox, EventKind, Modifier, PendingAttacks, Roll, RolledAttack,
        Rule, Step, StepOutcome, Why, sum,
    },
    system_step,
};
use bevy_ecs::system::{In, Res, ResMut, StaticSystemParam};
use std::{borrow::Cow, fmt::Debug};

/// One attack as a combat system rolls it: who strikes whom with what, and what
/// else it knows of the occasion.
pub trait Blow: Clone + Debug + Send + Sync + 'static {
    fn attack(&self) -> &Attack;
}

impl Blow for Attack {
    fn attack(&self) -> &Attack {
        self
    }
}

/// The verbs of plain attacks, each by the rule of a combat system.
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

/// The attack that a choice to attack somebody with something stands for.
pub fn attack_of(choice: &Choice, ranged: bool) -> Attack {
    Attack::new(
        choice.actor(),
        choice.at.expect("an attack has a target"),
        choice.with.expect("an attack has a weapon"),
        ranged,
        choice.verb.rule,
    )
}

/// What an attack would be, as far as its die goes.
pub trait ToHit {
    /// Everything that is added to the die.
    fn modifiers(&self) -> &[Modifier];

    /// What the total has to reach.
    fn against(&self) -> i32;

    fn bonus(&self) -> i32 {
        sum(self.modifiers())
    }

    /// What the die must show, but for faces that always hit or never.
    fn needs(&self) -> i32 {
        self.against() - self.bonus()
    }
}

/// A forecast that keeps what is added to its die in `modifiers` is [`ToHit`].
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

/// How a combat system attacks: the hooks of [`AttackBatch`]. What it writes is
/// what its rules say: what an attack would be, its verdict, what a hit or a
/// miss does. What it gets: dice in order, serial numbers, weapons that leave
/// the hand, those told who can strike no more, answers between die and
/// verdict, and losses summed up for each of those who were hit.
pub trait Attacks: CombatSystem {
    type Blow: Blow;
    /// What an attack would be. It is kept from the roll to the verdict.
    type Forecast: ToHit + Clone + Debug + Send + Sync + 'static;
    /// What it counts, beside losses, while a batch is settled.
    type Tally: Default;

    /// What a blow would be now, or why it cannot be dealt; the same function
    /// lists it and shows it.
    fn forecast(state: &State<Self>, blow: &Self::Blow) -> Result<Self::Forecast, Why>;

    /// What comes before the dice of a batch: others step in. The batch goes on
    /// with [`AttackBatch::met`].
    fn meet(_: &State<Self>, _: &[Self::Blow], _: &mut DiceBox) -> Option<StepOutcome> {
        None
    }

    /// A blow whose target is a matter of chance finds the one it is rolled
    /// against.
    fn aim(
        _: &State<Self>,
        _: &mut Self::Blow,
        _: &mut Self::Forecast,
        _: &mut DiceBox,
        _: &mut StepOutcome,
    ) {
    }

    fn die(dice: &mut DiceBox) -> Roll {
        Roll::one(20, dice.roll(20), vec![])
    }

    /// The first die of somebody's is about to be told: who was hidden is seen.
    fn begins(_: &State<Self>, _: &Attack, _: &mut StepOutcome) {}

    /// What leaves the hand, or the string, with an attack that was rolled.
    fn looses(
        state: &State<Self>,
        attack: &Attack,
        throws: &mut Throws,
        outcome: &mut StepOutcome,
    ) {
        throws.fly(Self::view(state), attack, outcome);
    }

    /// Who may answer between the dice and the verdicts. The state is then no
    /// longer that of the roll: [`Attacks::weigh`] looks at it again.
    fn open(_serials: Vec<u32>, _: &mut StepOutcome) {}

    /// What an attack is settled by: what it was when it was rolled, or what it
    /// would be now; or why nothing can come of it any more.
    fn weigh(
        _: &mut Settling<Self>,
        _: &Self::Blow,
        rolled: Self::Forecast,
    ) -> Result<Self::Forecast, Why> {
        Ok(rolled)
    }

    fn verdict(
        settling: &mut Settling<Self>,
        blow: &Self::Blow,
        forecast: &mut Self::Forecast,
        roll: &Roll,
    ) -> Verdict;

    /// What a hit does; [`Settling::harm`] counts it.
    fn hit(
        settling: &mut Settling<Self>,
        blow: &Self::Blow,
        forecast: &Self::Forecast,
        roll: &Roll,
    );

    /// What a miss does. No forecast: nothing could come of it any more.
    fn miss(_: &mut Settling<Self>, _: &Self::Blow, _: Option<&Self::Forecast>, _: &Roll) {}

    /// All are settled: those who lost too much fall, and what follows.
    fn close(settling: Settling<Self>) -> StepOutcome;
}

/// What became of an attack.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verdict {
    pub rule: Rule,
    pub hit: bool,
    /// What the roll was set against.
    pub against: i32,
    /// Why, where that is not plain from the numbers.
    pub why: Cow<'static, str>,
}

impl From<Why> for Verdict {
    fn from(Why { rule, text }: Why) -> Self {
        Self {
            rule,
            hit: false,
            against: 0,
            why: text,
        }
    }
}

/// A batch that is being settled, all of it on one state.
pub struct Settling<'a, 'w, 's, R: Attacks> {
    pub state: &'a State<'w, 's, R>,
    pub dice: &'a mut DiceBox,
    pub outcome: StepOutcome,
    /// What the attacks have cost so far.
    pub lost: Losses,
    pub tally: R::Tally,
}

impl<R: Attacks> Settling<'_, '_, '_, R> {
    /// Tells what an attack does to its target, and counts it.
    pub fn harm(&mut self, rule: Rule, attack: &Attack, points: i32, roll: Roll, lethal: bool) {
        let damaged = EventKind::damaged(attack.at, Some(attack.by), points, roll);
        self.outcome.emit(rule, damaged);
        self.lost.add(attack.at, points, lethal);
    }
}

/// Attacks that happen at once, often a single one.
#[derive(Clone, Debug)]
pub struct AttackBatch<R: Attacks> {
    blows: Vec<R::Blow>,
    /// What else happens at the same moment, after the rolls and before the
    /// verdicts: neither comes first.
    meanwhile: Vec<Box<dyn Step>>,
    /// Nobody steps in any more.
    is_met: bool,
}
system_step!(impl[R: Attacks] AttackBatch<R>, roll::<R>);

impl<R: Attacks> AttackBatch<R> {
    pub fn of(blows: Vec<R::Blow>) -> Self {
        Self {
            blows,
            meanwhile: vec![],
            is_met: false,
        }
    }

    /// The same after others have stepped in, or failed to.
    pub fn met(blows: Vec<R::Blow>) -> Self {
        Self {
            is_met: true,
            ..Self::of(blows)
        }
    }

    pub fn with(mut self, meanwhile: Vec<Box<dyn Step>>) -> Self {
        self.meanwhile = meanwhile;
        self
    }
}

/// A die for each attack that can still be made. No verdict yet.
fn roll<R: Attacks>(
    In(step): In<AttackBatch<R>>,
    state: StaticSystemParam<R::Param>,
    pending: Res<PendingAttacks>,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    if !step.is_met
        && let Some(first) = R::meet(&state, &step.blows, &mut dice)
    {
        return first;
    }
    let mut outcome = StepOutcome::default();
    let mut rolled: Vec<Rolled<R>> = vec![];
    let mut throws = Throws::default();
    // Those who have begun, and those who are told to strike no more.
    let (mut begun, mut stopped) = (0u64, 0u64);
    for mut blow in step.blows {
        let who = blow.attack().by;
        let able = R::forecast(&state, &blow).and_then(|forecast| {
            let has = throws.has(R::view(&state), blow.attack());
            let none = || Why::new(blow.attack().rule, "no longer has that item");
            has.then_some(forecast).ok_or_else(none)
        });
        let mut forecast = match able {
            Ok(forecast) => forecast,
            Err(why) => {
                // Of those who have fallen the log has told enough. Who has no
                // more to throw after this throw has thrown all.
                let is_news = (begun | stopped) & who.bit() == 0;
                stopped |= who.bit();
                if is_news && R::view(&state).body(who).is_up() {
                    let (rule, why) = (why.rule, why.text);
                    outcome.emit(rule, EventKind::Stopped { who, why });
                }
                continue;
            }
        };
        R::aim(&state, &mut blow, &mut forecast, &mut dice, &mut outcome);
        let mut roll = R::die(&mut dice);
        roll.modifiers.extend_from_slice(forecast.modifiers());
        let attack = blow.attack();
        if begun & who.bit() == 0 {
            begun |= who.bit();
            R::begins(&state, attack, &mut outcome);
        }
        let serial = pending.next() + rolled.len() as u32;
        let shot = RolledAttack {
            serial,
            attack: attack.clone(),
            roll,
        };
        outcome.emit(attack.rule, EventKind::AttackRolled { shot });
        R::looses(&state, attack, &mut throws, &mut outcome);
        rolled.push(Rolled {
            serial,
            blow,
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

/// A blow with its die, which lies in [`PendingAttacks`] under this number.
#[derive(Clone, Debug)]
struct Rolled<R: Attacks> {
    serial: u32,
    blow: R::Blow,
    forecast: R::Forecast,
}

/// The verdicts and the wounds of attacks that were rolled together.
#[derive(Clone, Debug)]
struct Settle<R: Attacks>(Vec<Rolled<R>>);
system_step!(impl[R: Attacks] Settle<R>, settle::<R>);

fn settle<R: Attacks>(
    In(Settle(rolled)): In<Settle<R>>,
    state: StaticSystemParam<R::Param>,
    pending: Res<PendingAttacks>,
    mut dice: ResMut<DiceBox>,
) -> StepOutcome {
    let mut settling = Settling::<R> {
        state: &state,
        dice: &mut dice,
        outcome: StepOutcome::default(),
        lost: Losses::default(),
        tally: R::Tally::default(),
    };
    for Rolled {
        serial,
        blow,
        forecast,
    } in rolled
    {
        let shot = pending.get(serial);
        let roll = &shot.expect("what was rolled is pending").roll;
        let mut forecast = R::weigh(&mut settling, &blow, forecast);
        let verdict = match &mut forecast {
            Ok(forecast) => R::verdict(&mut settling, &blow, forecast, roll),
            Err(why) => why.clone().into(),
        };
        let settled = EventKind::AttackSettled {
            serial,
            hit: verdict.hit,
            against: verdict.against,
            why: verdict.why,
        };
        settling.outcome.emit(verdict.rule, settled);
        match &forecast {
            Ok(forecast) if verdict.hit => R::hit(&mut settling, &blow, forecast, roll),
            other => R::miss(&mut settling, &blow, other.as_ref().ok(), roll),
        }
    }
    R::close(settling)
}
