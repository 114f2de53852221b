//! Activity's attacks (AC-30, AC-31): parries, fumbles, and the tables that the
//! rest is looked up in. Whether the battle is over is looked at by whoever has
//! them made, when all of one count has happened.

use super::{
    Activity,
    ac::{Ac, open_ended},
    events::{ActivityEvent, deed_name},
    odds::{Comes, Forecast},
    state::Deed,
    wounds,
};
use crate::rulesets::activity::content::ActivityArms;
use crate::{
    battle::{
        Attack, CheckRoll, DiceBox, EventKind, Id, Item, Place, Roll, State, StepOutcome, Why,
    },
    rulesets::common::{
        attacks::{self, Attacks, Settling, Verdict},
        gear::{Throws, let_fall},
    },
};
use std::{borrow::Cow, collections::BTreeMap};

pub type AttackBatch = attacks::AttackBatch<Activity>;

/// All is derived from the state in which the attacks were rolled: neither of
/// two at one count comes first (AC-11).
impl Attacks for Activity {
    type Blow = Attack;
    type Forecast = Forecast;
    /// How many missiles each has parried.
    type Tally = BTreeMap<Id, usize>;

    fn forecast(ac: &Ac, attack: &Attack) -> Result<Forecast, Why> {
        ac.forecast(attack)
    }

    fn die(dice: &mut DiceBox) -> Roll {
        open_ended(dice)
    }

    fn begins(ac: &Ac, attack: &Attack, outcome: &mut StepOutcome) {
        ac.reveal(attack.by, outcome);
    }

    fn looses(ac: &Ac, attack: &Attack, throws: &mut Throws, outcome: &mut StepOutcome) {
        let (who, item) = (attack.by, attack.with);
        if attack.ranged && ac.weapon(item).section::<ActivityArms>().reload > 0 {
            outcome.emit("AC-26", ActivityEvent::Loosed { who, item });
        }
        throws.fly(&ac.view, attack, outcome);
    }

    fn weigh(s: &mut Settling<Self>, attack: &Attack, rolled: Forecast) -> Result<Forecast, Why> {
        match s.state.body(attack.at).state {
            State::Up | State::Down => Ok(rolled),
            _ => Err(Why::new("AC-33", "the target is gone")),
        }
    }

    fn verdict(
        s: &mut Settling<Self>,
        attack: &Attack,
        forecast: &mut Forecast,
        roll: &Roll,
    ) -> Verdict {
        let (ac, who, outcome) = (s.state, attack.at, &mut s.outcome);
        // AC-22: each parry meets one missile, also of several at one count.
        if forecast.defence.iter().any(|m| m.rule == "AC-22") {
            let met = s.tally.entry(who).or_default();
            if *met >= ac.missile_parries_left(who) {
                forecast.defence.retain(|m| m.rule != "AC-22");
            } else {
                *met += 1;
                outcome.emit("AC-22", ActivityEvent::ParriedMissile { who });
            }
        }
        parries(ac, attack, forecast, outcome);
        if !forecast.defence.is_empty() {
            let parts = forecast.defence.clone();
            outcome.emit("AC-32", ActivityEvent::Defends { who, parts });
        }
        let comes = forecast.comes_to(roll);
        let why = match comes {
            Comes::Fumble => "a fumble".into(),
            Comes::Miss(_) => log_text(forecast),
            Comes::Hit(total) => format!("{} {total}", forecast.size.name()),
        };
        Verdict {
            rule: "AC-30",
            hit: matches!(comes, Comes::Hit(_)),
            against: forecast.db(),
            why: why.into(),
        }
    }

    fn hit(s: &mut Settling<Self>, attack: &Attack, forecast: &Forecast, roll: &Roll) {
        let Comes::Hit(total) = forecast.comes_to(roll) else {
            return;
        };
        if let Some(row) = forecast.row(total) {
            let roll = wounds::told(row.hits, row.text.as_str(), "AC-31");
            s.harm("AC-31", attack, row.hits, roll, row.dead);
            wounds::mark(s.state, attack.at, row, &mut s.outcome);
        }
    }

    fn miss(s: &mut Settling<Self>, attack: &Attack, forecast: Option<&Forecast>, roll: &Roll) {
        if forecast.is_some_and(|f| f.comes_to(roll) == Comes::Fumble) {
            fumble(s, attack);
        }
    }

    fn close(mut s: Settling<Self>) -> StepOutcome {
        for (who, loss) in s.lost {
            wounds::sink(s.state, who, loss, &mut s.outcome);
        }
        s.outcome
    }
}

/// AC-13: whether the OB that is kept has met a blow; if not, its side is told
/// why.
fn parries(ac: &Ac, attack: &Attack, forecast: &Forecast, outcome: &mut StepOutcome) {
    let who = attack.at;
    let actor = ac.actor(who);
    let done = actor.last.is_some_and(Deed::allows_parry);
    let next = actor.plan.get(actor.next).map(|p| p.deed);
    if forecast.defence.iter().any(|m| m.rule == "AC-13") {
        let rule = match next {
            _ if done => "AC-13",
            Some(deed) if !deed.is_action() => "AC-16",
            _ if actor.next > 0 || actor.waiting => "AC-15",
            _ => "AC-13",
        };
        outcome.emit(rule, ActivityEvent::Parried { who });
        return;
    }
    if attack.ranged || actor.parry == 0 || !ac.is_up(who) {
        return;
    }
    let mut still = actor.plan.iter().skip(actor.next).map(|p| p.deed);
    let (rule, why) = match still.find(Deed::is_action) {
        _ if ac.is_helpless(who) => ("AC-13", "helpless".into()),
        _ if ac.may_parry(who) => ("AC-13", "no weapon in hand".into()),
        None => ("AC-13", "no melee is under way or to come".into()),
        Some(deed) => {
            let rule = match deed {
                Deed::Spell { .. } => "AC-16",
                _ => "AC-15",
            };
            let deed = deed_name(&deed, ac.view.names());
            (rule, Cow::from(format!("{deed} comes first")))
        }
    };
    let side = ac.body(who).side;
    outcome.seal(rule, side, ActivityEvent::CannotParry { who, why });
}

/// What of the defence was for the moment.
fn log_text(forecast: &Forecast) -> String {
    let passing = forecast.defence.iter();
    let passing = passing.filter(|m| matches!(m.rule, "AC-13" | "AC-22" | "AC-20"));
    let words: Vec<String> = passing
        .map(|m| format!("{} {}", m.label, m.value))
        .collect();
    words.join(", ")
}

/// AC-30: a first roll within the weapon's fumble range.
fn fumble(s: &mut Settling<Activity>, attack: &Attack) {
    let (ac, outcome, who) = (s.state, &mut s.outcome, attack.by);
    let roll = Roll::one(100, s.dice.roll(100), vec![]);
    let row = ac.tables().fumble(roll.total());
    let log_text = CheckRoll::by(who, format!("fumble, {}", row.text), roll);
    outcome.emit("AC-30", log_text);
    if row.drop {
        drop_weapon(ac, who, attack.with, outcome);
    }
    if row.hits > 0 {
        let points = row.hits;
        let roll = wounds::told(points, "fumble", "AC-30");
        let damaged = EventKind::damaged(who, None, points, roll);
        outcome.emit("AC-30", damaged);
        s.lost.add(who, points, false);
    }
    wounds::mark(ac, who, row, outcome);
}

fn drop_weapon(ac: &Ac, who: Id, item: Item, outcome: &mut StepOutcome) {
    let from = ac.gear(who).place(item);
    if let Some(from @ (Place::Hand | Place::OffHand)) = from {
        let_fall(&ac.view, who, item, from, "AC-30", outcome);
    }
}
