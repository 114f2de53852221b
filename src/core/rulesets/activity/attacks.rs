//! Activity's attacks (AC-30, AC-31): parries, fumbles and table lookups. The caller makes the
//! end checks, once everything at a count has happened.

use super::{
    Activity,
    events::{ActivityEvent, action_name},
    odds::{Forecast, RollResult},
    query::{ActivityQuery, open_ended},
    state::{ActionKind, PlanPosition},
    wounds,
};
use crate::{
    battle::{Attack, CheckRoll, DiceBox, EventKind, Id, ItemPlace, Roll, State, StepOutcome, Why},
    rulesets::common::{
        attacks::{self, AttackSpec, Attacks, HitResult, Resolving},
        inventory::{Throws, drop_item},
    },
};
use std::{borrow::Cow, collections::BTreeMap};

pub type AttackBatch = attacks::AttackBatch<Activity>;

/// An attack, and its target's position in its plan before this count.
#[derive(Clone, Debug)]
pub struct CountAttack {
    pub attack: Attack,
    /// A target that acts at the same count parries as if it had not acted yet (AC-11, AC-13).
    /// `None` uses its current position.
    pub target_position: Option<PlanPosition>,
}

impl From<Attack> for CountAttack {
    fn from(attack: Attack) -> Self {
        let target_position = None;
        Self {
            attack,
            target_position,
        }
    }
}

impl AttackSpec for CountAttack {
    fn attack(&self) -> &Attack {
        &self.attack
    }
}

impl CountAttack {
    fn target_position(&self, ac: &ActivityQuery) -> PlanPosition {
        let now = || ac.actor(self.attack.at).position();
        self.target_position.unwrap_or_else(now)
    }
}

/// Everything is resolved from the state in which the attacks were rolled: at one count, no
/// attack comes first (AC-11).
impl Attacks for Activity {
    type AttackSpec = CountAttack;
    type Forecast = Forecast;
    /// Missiles parried by each unit in this batch.
    type Tally = BTreeMap<Id, usize>;

    fn forecast(ac: &ActivityQuery, spec: &CountAttack) -> Result<Forecast, Why> {
        let attack = &spec.attack;
        let position = spec.target_position(ac);
        Ok(Forecast {
            defence: ac.defence_at(attack.at, attack.ranged, position),
            ..ac.forecast(attack)?
        })
    }

    fn die(dice: &mut DiceBox) -> Roll {
        open_ended(vec![], dice)
    }

    fn begins(ac: &ActivityQuery, attack: &Attack, outcome: &mut StepOutcome) {
        ac.reveal(attack.by, outcome);
    }

    fn spend_ammo(
        ac: &ActivityQuery,
        attack: &Attack,
        throws: &mut Throws,
        outcome: &mut StepOutcome,
    ) {
        let (who, item) = (attack.by, attack.with);
        if attack.ranged && ac.reload(item) > 0 {
            outcome.emit("AC-26", ActivityEvent::Loosed { who, item });
        }
        throws.fly(&ac.view, attack, outcome);
    }

    fn reforecast(
        s: &mut Resolving<Self>,
        spec: &CountAttack,
        rolled: Forecast,
    ) -> Result<Forecast, Why> {
        match s.state.body(spec.attack.at).state {
            State::Up | State::Down => Ok(rolled),
            _ => Err(Why::new("AC-33", "the target is gone")),
        }
    }

    fn hit_result(
        s: &mut Resolving<Self>,
        spec: &CountAttack,
        forecast: &mut Forecast,
        roll: &Roll,
    ) -> HitResult {
        let (ac, who, outcome) = (s.state, spec.attack.at, &mut s.outcome);
        let position = spec.target_position(ac);
        // Each missile parry stops one missile, even if several arrive at one count (AC-22).
        if forecast.defence.iter().any(|m| m.rule == "AC-22") {
            let met = s.tally.entry(who).or_default();
            if *met >= ac.missile_parries_left(who, position) {
                forecast.defence.retain(|m| m.rule != "AC-22");
            } else {
                *met += 1;
                outcome.emit("AC-22", ActivityEvent::ParriedMissile { who });
            }
        }
        parries(ac, spec, forecast, outcome);
        if !forecast.defence.is_empty() {
            let parts = forecast.defence.clone();
            outcome.emit("AC-32", ActivityEvent::Defends { who, parts });
        }
        let comes = forecast.comes_to(roll);
        let why = match comes {
            RollResult::Fumble => "a fumble".into(),
            RollResult::Miss(_) => temporary_defence(forecast),
            RollResult::Hit(total) => format!("{} {total}", forecast.size.name()),
        };
        HitResult {
            rule: "AC-30",
            hit: matches!(comes, RollResult::Hit(_)),
            critical: false,
            against: forecast.db(),
            why: why.into(),
        }
    }

    fn hit(s: &mut Resolving<Self>, spec: &CountAttack, forecast: &Forecast, roll: &Roll) {
        let attack = &spec.attack;
        let RollResult::Hit(total) = forecast.comes_to(roll) else {
            return;
        };
        if let Some(row) = forecast.row(total) {
            let roll = Roll::fixed(row.hits, row.text.as_str(), "AC-31");
            s.harm("AC-31", attack, row.hits, roll, row.dead);
            wounds::mark(s.state, attack.at, row, &mut s.outcome);
        }
    }

    fn miss(s: &mut Resolving<Self>, spec: &CountAttack, forecast: Option<&Forecast>, roll: &Roll) {
        if forecast.is_some_and(|f| f.comes_to(roll) == RollResult::Fumble) {
            fumble(s, &spec.attack);
        }
    }

    fn finish(mut s: Resolving<Self>) -> StepOutcome {
        for (who, loss) in s.lost {
            wounds::sink(s.state, who, loss, &mut s.outcome);
        }
        s.outcome
    }
}

/// Emits that kept OB parried the attack; otherwise tells the target's side why it could not
/// (AC-13).
fn parries(ac: &ActivityQuery, spec: &CountAttack, forecast: &Forecast, outcome: &mut StepOutcome) {
    let who = spec.attack.at;
    let position = spec.target_position(ac);
    let done = position.current.is_some_and(ActionKind::allows_parry);
    if forecast.defence.iter().any(|m| m.rule == "AC-13") {
        let rule = match position.next {
            _ if done => "AC-13",
            Some(kind) if !kind.is_action() => "AC-16",
            _ if position.has_begun => "AC-15",
            _ => "AC-13",
        };
        outcome.emit(rule, ActivityEvent::Parried { who });
        return;
    }
    if spec.attack.ranged || ac.actor(who).parry == 0 || !ac.is_up(who) {
        return;
    }
    let (rule, why) = match position.next_action {
        _ if ac.is_helpless(who) => ("AC-13", "helpless".into()),
        _ if position.allows_parry() => ("AC-13", "no weapon held".into()),
        None => ("AC-13", "no melee is under way or to come".into()),
        Some(kind) => {
            let rule = match kind {
                ActionKind::Spell { .. } => "AC-16",
                _ => "AC-15",
            };
            let kind = action_name(&kind, ac.view.names());
            (rule, Cow::from(format!("{kind} comes first")))
        }
    };
    let side = ac.body(who).side;
    outcome.seal(rule, side, ActivityEvent::CannotParry { who, why });
}

/// The temporary parts of the defence, as text: "parry 30".
fn temporary_defence(forecast: &Forecast) -> String {
    let passing = forecast.defence.iter();
    let passing = passing.filter(|m| matches!(m.rule, "AC-13" | "AC-22" | "AC-20"));
    let words = passing.map(|m| format!("{} {}", m.label, m.value));
    Vec::from_iter(words).join(", ")
}

/// A first roll within the weapon's fumble range (AC-30).
fn fumble(s: &mut Resolving<Activity>, attack: &Attack) {
    let (ac, outcome, who) = (s.state, &mut s.outcome, attack.by);
    let roll = Roll::one(100, s.dice.roll(100), vec![]);
    let row = ac.tables().fumble(roll.total());
    let check = CheckRoll::by(who, format!("fumble, {}", row.text), roll);
    outcome.emit("AC-30", check);
    let place = ac.inventory(who).place(attack.with).filter(|_| row.drop);
    if let Some(from @ (ItemPlace::Hand | ItemPlace::OffHand)) = place {
        drop_item(&ac.view, who, attack.with, from, "AC-30", outcome);
    }
    if row.hits > 0 {
        let roll = Roll::fixed(row.hits, "fumble", "AC-30");
        outcome.emit("AC-30", EventKind::damaged(who, None, row.hits, roll));
        s.lost.add(who, row.hits, false);
    }
    wounds::mark(ac, who, row, outcome);
}
