//! Declaring a round: up to three actions with their percentages, and the OB kept for parrying,
//! all sealed (AC-09, AC-10).

use super::{
    Activity,
    acts::{ACTS, OWN_WILL, cost},
    content::{ActivitySpell, FineHaste},
    declared::{HASTEN, PARRY, READY},
    events::ActivityEvent,
    query::ActivityQuery,
    state::{ActionKind, PlannedAction},
    targets::GIVE_UP,
};
use crate::battle::{Action, Choice, Id, Item, Offer, Rule, Side, SpellId, StepOutcome, Why};
use crate::rulesets::common::{act::group_of, declare::Declares};

impl Declares for Activity {
    const PROMPT: &'static str = "Declare your actions";
    const REST: Option<&'static Action> = None;

    fn rule(_: &ActivityQuery, _: Side) -> Rule {
        "AC-09"
    }

    fn is_open(ac: &ActivityQuery, who: Id) -> bool {
        !ac.actor(who).declared && !ac.body(who).flees && !ac.is_helpless(who)
    }

    fn offers(ac: &ActivityQuery, who: Id) -> Vec<Offer> {
        let actor = ac.actor(who);
        if let Some((spell, points)) = actor.naming {
            let (least, full) = spell_time(ac, spell, points);
            return vec![Offer::legal(Choice::new(&HASTEN, who)).ranging(least, full)];
        }
        let mut out = vec![];
        (ACTS.iter()).for_each(|act| (act.offers)(ac, who, &mut out));
        parry(ac, who, &mut out);
        if carried(ac, who).is_some() {
            out.push(Offer::legal(Choice::new(&GIVE_UP, who)));
        }
        out.push(Offer::legal(Choice::new(&READY, who)));
        out
    }

    /// Records a declaration, visible only to its side. Giving up a carried-over action is
    /// visible to all, because all sides knew of it.
    fn declared(ac: &ActivityQuery, side: Side, choice: &Choice, outcome: &mut StepOutcome) {
        let fact = fact(ac, choice);
        if choice.verb == &GIVE_UP {
            return outcome.emit("AC-09", fact);
        }
        let rule = rule_of(ac, &fact).unwrap_or(choice.verb.rule);
        outcome.seal(rule, side, fact);
    }
}

/// The action carried over from the previous round (AC-14), until it is due. The unit can give
/// it up (AC-09).
fn carried(ac: &ActivityQuery, who: Id) -> Option<ActionKind> {
    let actor = ac.actor(who);
    let first = actor.plan.first().filter(|_| actor.next == 0);
    first.filter(|p| p.carried).map(|p| p.kind)
}

/// Adds the parry: part of the OB that is left after AC-02, with the best ready weapon (AC-13).
pub fn parry(ac: &ActivityQuery, who: Id, out: &mut Vec<Offer>) {
    let choice = Choice::new(&PARRY, who);
    let actor = ac.actor(who);
    if actor.parry > 0 {
        let why = Why::new("AC-13", "the share is fixed for the round");
        out.push(Offer::not(choice, why).ranging(1, actor.parry));
        return;
    }
    let most = most_parry(ac, who);
    if most > 0 {
        out.push(Offer::legal(choice).ranging(1, most));
        return;
    }
    let why = if !actor.plan.iter().any(|p| p.kind.is_melee()) {
        "plan a melee attack first"
    } else if parry_ob(ac, who).is_none() {
        "no weapon to parry with"
    } else {
        "the plan leaves no OB to keep"
    };
    out.push(Offer::not(choice, Why::new("AC-13", why)).ranging(1, 1));
}

/// The most OB that the plan leaves for parrying. Attacking in less time and moving before the
/// attack reduce it (AC-02, AC-23); a charge counts with its shortest run (AC-21).
pub fn most_parry(ac: &ActivityQuery, who: Id) -> i32 {
    let Some(ob) = parry_ob(ac, who) else {
        return 0;
    };
    let actor = ac.actor(who);
    let run = ac.percent_of(who, ac.tables().charge_least);
    let mut moved = i32::from(actor.moved);
    let mut least: Option<i32> = None;
    for planned in &actor.plan {
        let percent = match planned.kind {
            ActionKind::Move => {
                moved += i32::from(ac.feet(who, planned.percent, false));
                continue;
            }
            ActionKind::Melee => planned.percent,
            ActionKind::Charge => planned.percent - run,
            _ => continue,
        };
        let left = ob + actor.penalty + ac.less_ob(percent, moved);
        least = Some(least.map_or(left, |least| least.min(left)));
    }
    least.unwrap_or(0).max(0)
}

/// The best OB of the weapons that the unit will hold. `None` if it has only bare hands, which
/// cannot parry.
pub fn parry_ob(ac: &ActivityQuery, who: Id) -> Option<i32> {
    let mut weapons = planned_weapons(ac, who);
    weapons.retain(|&n| ac.weapon(n).arms_for_melee());
    weapons.into_iter().map(|n| ac.base_ob(who, n, false)).max()
}

/// Melee weapons that the unit will hold when its plan reaches a melee attack: it has drawn
/// what it plans to draw, and put away what it replaces (AC-15).
pub fn planned_weapons(ac: &ActivityQuery, who: Id) -> Vec<Item> {
    let inventory = ac.inventory(who);
    let mut held = inventory.in_hand();
    for planned in &ac.actor(who).plan {
        match planned.kind {
            ActionKind::Draw(item) | ActionKind::Change(item) => held = Some(item),
            ActionKind::LetGo(item) if held == Some(item) => held = None,
            ActionKind::Melee | ActionKind::Charge => break,
            _ => {}
        }
    }
    let in_hand = inventory.in_hand();
    let others = inventory.ready().filter(|&n| Some(n) != in_hand);
    let melee = |n: &Item| ac.weapon(*n).melee.is_some();
    others.chain(held).filter(melee).collect()
}

/// The shortest and the full casting time of a spell, in percent (AC-03).
pub fn spell_time(ac: &ActivityQuery, spell: SpellId, points: i32) -> (i32, i32) {
    let cost = ac.tables().costs.spell_per_point;
    let least = ac.view.spell(spell).section::<ActivitySpell>().points;
    (least * cost, points * cost)
}

/// The penalty of hastening to the casting roll: 10 for every round or part of one saved, or in
/// the fine variant 2 for every 20% saved (AC-03, AC-04).
pub fn haste_penalty(full: i32, taken: i32, fine: bool) -> i32 {
    let saved = (full - taken).max(0);
    if fine {
        -2 * ((saved + 19) / 20)
    } else {
        -10 * ((saved + 99) / 100)
    }
}

/// A more specific rule id than that of the action: for faster loading, or a spell that takes
/// longer than a round.
fn rule_of(ac: &ActivityQuery, fact: &ActivityEvent) -> Option<Rule> {
    let ActivityEvent::Declared { planned, .. } = fact else {
        return None;
    };
    let (is_special, rule) = match planned.kind {
        ActionKind::Reload(item) => (planned.percent < ac.reload(item), "AC-24"),
        ActionKind::Spell { spell, points } => (spell_time(ac, spell, points).1 > 100, "AC-04"),
        _ => return None,
    };
    is_special.then_some(rule)
}

/// The event of a declaration.
pub fn fact(ac: &ActivityQuery, choice: &Choice) -> ActivityEvent {
    let who = choice.actor();
    let number = choice.number;
    if choice.verb == &READY {
        ActivityEvent::Ready { who }
    } else if choice.verb == &GIVE_UP {
        let kind = carried(ac, who).expect("something was carried over");
        ActivityEvent::Drops {
            who,
            kind,
            why: OWN_WILL.into(),
            spent: 0,
        }
    } else if choice.verb == &PARRY {
        let share = number.unwrap_or(0);
        ActivityEvent::Parries { who, share }
    } else if choice.verb == &HASTEN {
        let (spell, points) = ac.actor(who).naming.expect("a spell was named");
        let (_, full) = spell_time(ac, spell, points);
        let percent = number.unwrap_or(full);
        let FineHaste(fine) = *ac.view.level().section();
        let planned = PlannedAction {
            haste: haste_penalty(full, percent, fine),
            ..PlannedAction::new(ActionKind::Spell { spell, points }, percent)
        };
        ActivityEvent::Declared { who, planned }
    } else {
        let kind = (group_of(ACTS, choice).begin)(ac, choice);
        named(ac, who, kind, number)
    }
}

/// The event that declares an action. A spell that can be hastened is first declared without
/// its time.
fn named(ac: &ActivityQuery, who: Id, kind: ActionKind, number: Option<i32>) -> ActivityEvent {
    if let ActionKind::Spell { spell, points } = kind {
        let (least, full) = spell_time(ac, spell, points);
        if least < full {
            return ActivityEvent::Names { who, spell, points };
        }
    }
    let percent = match kind {
        ActionKind::Spell { .. } | ActionKind::Instant { .. } => cost(ac, who, kind),
        _ => number.unwrap_or_else(|| cost(ac, who, kind)),
    };
    let planned = PlannedAction::new(kind, percent);
    ActivityEvent::Declared { who, planned }
}
