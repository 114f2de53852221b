//! Declaring a round: up to three actions with their percentages, and the OB
//! kept for parrying, sealed (AC-09, AC-10).

use super::{
    ac::Ac,
    acts::OWN_WILL,
    events::ActivityEvent,
    state::{Deed, Planned},
    targets::GIVE_UP,
};
use crate::rulesets::activity::content::{ActivityArms, ActivitySpell, Talent};
use crate::rulesets::common::verbs;
use crate::{
    battle::{
        Action, Answer, Choice, Decision, EventKind, Id, Item, Offer, Offers, Place, Rule, Side,
        SpellId, State, StepOutcome, Why,
    },
    rulesets::common::gear::missiles,
    system_step,
};
use bevy::ecs::{
    system::{In, ResMut},
    world::World,
};

verbs! {
    MELEE = "plan melee", "plan melee at {n}%", "plans a melee", "AC-02";
    MISSILE = "plan missile", "plan a missile at {n}%", "plans a missile attack", "AC-02";
    CHARGE = "plan charge", "plan a charge at {n}%", "plans a charge", "AC-21";
    MOVE = "plan move", "plan to move at {n}%", "plans to move", "AC-01";
    RELOAD = "plan reload", "plan to load {with}", "plans to load {with}", "AC-01";
    DRAW = "plan draw", "plan to draw {with}", "plans to draw {with}", "AC-01";
    CHANGE = "plan change", "plan to change to {with}", "plans to change to {with}", "AC-01";
    LET_GO = "plan let go", "plan to drop {with}", "plans to drop {with}", "AC-01";
    DROP_PRONE = "plan drop", "plan to drop to the ground", "plans to drop to the ground", "AC-01";
    STAND_UP = "plan stand up", "plan to stand up", "plans to stand up", "AC-01";
    PARRY_MISSILE = "plan missile parry", "plan a missile parry", "plans a missile parry", "AC-22";
    SPELL = "plan spell", "plan {spell} with {n} power points", "plans {spell}", "AC-01";
    HASTEN = "spell time", "take {n}% over it", "plans the time of a spell", "AC-03";
    STANCH = "plan stanch", "plan to stanch blood", "plans to stanch blood", "AC-33";
    HERB = "plan herb", "plan to take a herb", "plans to take a herb", "AC-01";
    PERCEIVE = "plan perception", "plan to look about at {n}%", "plans to look about", "AC-02";
    CHI_SPEED = "plan chi speed", "plan chi speed", "plans chi speed", "AC-25";
    CHI_DEFENSE = "plan chi defense", "plan chi defense", "plans chi defense", "AC-01";
    PICK_UP = "plan pick up", "plan to pick something up", "plans to pick something up", "AC-01";
    DOOR = "plan door", "plan to see to a door", "plans to see to a door", "GR-02";
    PARRY = "keep for parry", "keep {n} for parrying", "keeps OB for parrying", "AC-13";
    READY = "declared", "declared", "has declared", "AC-09";
}

/// A side declares, all its members in whatever order it likes. Nothing of it
/// is known to the others.
#[derive(Clone, Debug)]
pub struct Declare {
    pub side: Side,
}
system_step!(Declare, declare);

fn declare(In(step): In<Declare>, ac: Ac, mut answer: ResMut<Answer>) -> StepOutcome {
    if let Some(choice) = answer.take() {
        return take(&ac, step.side, &choice).then(step);
    }
    let asks = |id: &Id| {
        let actor = ac.actor(*id);
        !actor.declared && !ac.body(*id).flees && !ac.is_helpless(*id)
    };
    let actors: Vec<Id> = ac.view.standing(step.side).filter(asks).collect();
    if actors.is_empty() {
        return StepOutcome::default();
    }
    let question = Decision {
        side: step.side,
        prompt: String::from("Declare your round"),
        rule: "AC-09",
        actors,
        common: vec![],
        offers: Offers::ByActor(list),
        reaction: false,
    };
    StepOutcome::ask(question, step)
}

fn list(world: &mut World, id: Id) -> Vec<Offer> {
    fn look(In(id): In<Id>, ac: Ac) -> Vec<Offer> {
        offers(&ac, id)
    }
    crate::battle::run_system(world, look, id)
}

/// Everything that one may declare next.
pub fn offers(ac: &Ac, who: Id) -> Vec<Offer> {
    let actor = ac.actor(who);
    if let Some((spell, points)) = actor.naming {
        let (least, full) = spell_time(ac, spell, points);
        return vec![Offer::legal(Choice::new(&HASTEN, who)).ranging(least, full)];
    }
    let mut out = vec![];
    attacks(ac, who, &mut out);
    moves(ac, who, &mut out);
    things(ac, who, &mut out);
    spells(ac, who, &mut out);
    parry(ac, who, &mut out);
    if carried(ac, who).is_some() {
        out.push(Offer::legal(Choice::new(&GIVE_UP, who)));
    }
    out.push(Offer::legal(Choice::new(&READY, who)));
    out
}

/// What it has carried over from the round before (AC-14). It need not go on
/// with it (AC-09).
fn carried(ac: &Ac, who: Id) -> Option<Deed> {
    let first = ac.actor(who).plan.first();
    first.filter(|p| p.carried).map(|p| p.deed)
}

/// AC-10: a further action of at least so many percent has room.
fn room(ac: &Ac, who: Id, percent: i32, overruns: bool) -> Result<i32, Why> {
    let actor = ac.actor(who);
    let most = ac.tables().max_actions;
    if actor.actions() >= most {
        return Err(Why::new("AC-10", format!("{most} actions are planned")));
    }
    let left = actor.capacity - actor.planned();
    if left <= 0 {
        return Err(Why::new("AC-10", "the whole round is planned"));
    }
    if left < percent && !overruns {
        let text = format!("it takes {percent}%, and {left}% is left");
        return Err(Why::new("AC-01", text));
    }
    Ok(left)
}

/// An action for any share between two.
fn spanning(ac: &Ac, who: Id, verb: &'static Action, least: i32, full: i32, out: &mut Vec<Offer>) {
    let choice = Choice::new(verb, who);
    out.push(match room(ac, who, least, false) {
        Ok(left) => Offer::legal(choice).ranging(least, full.min(left)),
        Err(why) => Offer::not(choice, why).ranging(least, full),
    });
}

/// An action of a fixed cost.
fn fixed(ac: &Ac, choice: Choice, legal: Result<(), Why>, out: &mut Vec<Offer>) {
    let who = choice.who.expect("a plan has an actor");
    let Some(deed) = deed(ac, &choice) else {
        return;
    };
    let percent = cost(ac, who, deed);
    let fits = room(ac, who, percent, deed.may_overrun()).map(|_| ());
    out.push(Offer::from(choice, legal.and(fits)));
}

fn attacks(ac: &Ac, who: Id, out: &mut Vec<Offer>) {
    let costs = &ac.tables().costs;
    spanning(ac, who, &MELEE, costs.melee.0, costs.melee.1, out);
    let shoots = |n: &Item| ac.weapon(*n).ranged.is_some();
    let arms: Vec<Item> = ac.gear(who).at_hand().filter(shoots).collect();
    if arms.iter().any(|&n| will_be_loaded(ac, who, n)) {
        spanning(ac, who, &MISSILE, costs.missile.0, costs.missile.1, out);
    } else {
        let loads = |n: &Item| ac.weapon(*n).section::<ActivityArms>().reload > 0;
        let why = match arms.is_empty() {
            false if !arms.iter().any(loads) => Why::new("AC-01", "no more than these to throw"),
            false => Why::new("AC-26", "not loaded: plan to load it first"),
            true => Why::new("AC-01", "it has nothing to shoot or to throw"),
        };
        let not = Offer::not(Choice::new(&MISSILE, who), why);
        out.push(not.ranging(costs.missile.0, costs.missile.1));
    }
    let run_up = ac.percent_of(who, ac.tables().charge_least);
    let most = ac.actor(who).capacity;
    spanning(ac, who, &CHARGE, costs.melee.0 + run_up, most, out);
    let parries = ac.has(who, Talent::MissileDeflection) || ac.gear(who).shield;
    let legal = parries
        .then_some(())
        .ok_or(Why::new("AC-22", "no shield, nor the talent"));
    fixed(ac, Choice::new(&PARRY_MISSILE, who), legal, out);
}

/// There is a load for one more shot than are planned; of what is thrown, one
/// more to throw.
pub fn will_be_loaded(ac: &Ac, who: Id, item: Item) -> bool {
    let actor = ac.actor(who);
    let planned = |deed: Deed| actor.plan.iter().filter(|p| p.deed == deed).count();
    if missiles(&ac.view, who, item) <= planned(Deed::Missile) {
        return false;
    }
    let loads = usize::from(actor.loaded.contains(&item)) + planned(Deed::Reload(item));
    ac.weapon(item).section::<ActivityArms>().reload == 0 || loads > planned(Deed::Missile)
}

fn moves(ac: &Ac, who: Id, out: &mut Vec<Offer>) {
    if ac.view.creature(who).speed > 0 {
        let (least, most) = (ac.percent_of(who, 5), ac.actor(who).capacity);
        spanning(ac, who, &MOVE, least, most, out);
    }
    let lies = |lies: bool, planned: &Planned| match planned.deed {
        Deed::StandUp => false,
        Deed::DropProne => true,
        _ => lies,
    };
    let plan = ac.actor(who).plan.iter();
    let verb = if plan.fold(ac.body(who).prone, lies) {
        &STAND_UP
    } else {
        &DROP_PRONE
    };
    fixed(ac, Choice::new(verb, who), Ok(()), out);
    if ac.view.board.doors().next().is_some() {
        fixed(ac, Choice::new(&DOOR, who), Ok(()), out);
    }
}

fn things(ac: &Ac, who: Id, out: &mut Vec<Offer>) {
    let (gear, actor) = (ac.gear(who), ac.actor(who));
    let (held, stowed) = hands_then(ac, who);
    for item in gear.at_hand() {
        let loads = ac.weapon(item).section::<ActivityArms>().reload > 0;
        if !loads || gear.place(item) == Some(Place::Body) {
            continue;
        }
        let shot = actor
            .plan
            .iter()
            .filter(|p| p.deed == Deed::Missile)
            .count();
        let loading = actor.plan.iter().any(|p| p.deed == Deed::Reload(item));
        let in_hand = held == Some(item) || gear.off_hand() == Some(item);
        let legal = if !in_hand {
            Err(Why::new("AC-26", "it is not in hand then"))
        } else if actor.loaded.contains(&item) && shot == 0 {
            Err(Why::new("AC-26", "it is loaded"))
        } else if loading && shot == 0 {
            Err(Why::new("AC-26", "it is being loaded"))
        } else {
            Ok(())
        };
        fixed(ac, Choice::new(&RELOAD, who).with(item), legal, out);
    }
    for item in stowed {
        let verb = if held.is_some() { &CHANGE } else { &DRAW };
        fixed(ac, Choice::new(verb, who).with(item), Ok(()), out);
    }
    if let Some(item) = held {
        fixed(ac, Choice::new(&LET_GO, who).with(item), Ok(()), out);
    }
    if ac.view.creature(who).has_hands() && !ac.view.ground.0.is_empty() {
        fixed(ac, Choice::new(&PICK_UP, who), Ok(()), out);
    }
    let bleeds = |id: Id| ac.actor(id).bleeding > 0;
    let side = ac.body(who).side;
    let alive = |id: &Id| {
        let body = ac.body(*id);
        body.side == side && matches!(body.state, State::Up | State::Down)
    };
    if ac.view.ids().filter(alive).any(bleeds) {
        fixed(ac, Choice::new(&STANCH, who), Ok(()), out);
    }
    if bleeds(who) && ac.has(who, Talent::Herbs) {
        fixed(ac, Choice::new(&HERB, who), Ok(()), out);
    }
    if ac.has(who, Talent::Chi) {
        let rested = !actor.has(super::state::Lasts::ChiSpent);
        let legal = rested
            .then_some(())
            .ok_or(Why::new("AC-25", "chi speed only every other round"));
        fixed(ac, Choice::new(&CHI_SPEED, who), legal, out);
        fixed(ac, Choice::new(&CHI_DEFENSE, who), Ok(()), out);
    }
    let costs = &ac.tables().costs;
    let (least, full) = costs.perception;
    spanning(ac, who, &PERCEIVE, least, full, out);
}

fn spells(ac: &Ac, who: Id, out: &mut Vec<Offer>) {
    for &spell in ac.view.sheet(who).spells.iter() {
        let kind = ac.view.spell(spell);
        let choice = Choice::new(&SPELL, who).spell(spell);
        let actor = ac.actor(who);
        let most = kind
            .section::<ActivitySpell>()
            .most
            .min(actor.power - actor.pledged());
        match may_cast(ac, who, spell) {
            Ok(()) => {
                out.push(Offer::legal(choice).ranging(kind.section::<ActivitySpell>().points, most))
            }
            Err(why) => {
                let (least, most) = (
                    kind.section::<ActivitySpell>().points,
                    kind.section::<ActivitySpell>().most,
                );
                out.push(Offer::not(choice, why).ranging(least, most));
            }
        }
    }
}

/// AC-12: one ordinary and one instantaneous spell a round; power enough.
fn may_cast(ac: &Ac, who: Id, spell: SpellId) -> Result<(), Why> {
    let kind = ac.view.spell(spell);
    let actor = ac.actor(who);
    let same_sort = |p: &Planned| match p.deed {
        Deed::Spell { .. } => !kind.section::<ActivitySpell>().instantaneous,
        Deed::Instant { .. } => kind.section::<ActivitySpell>().instantaneous,
        _ => false,
    };
    if actor.plan.iter().any(same_sort) {
        return Err(Why::new("AC-12", "one such spell a round"));
    }
    let left = actor.power - actor.pledged();
    if left < kind.section::<ActivitySpell>().points {
        let text = format!("{left} power points are left");
        return Err(Why::new("AC-01", text));
    }
    let cast = actor.cast.iter().find(|c| c.0 == spell).map_or(0, |c| c.1);
    if kind.uses.is_some_and(|uses| cast >= uses) {
        return Err(Why::new("AC-01", "it is used up for this battle"));
    }
    if kind.section::<ActivitySpell>().instantaneous {
        let cost = ac.tables().costs.instantaneous;
        let left = actor.capacity - actor.planned();
        return if left < cost {
            Err(Why::new("AC-10", "the whole round is planned"))
        } else {
            Ok(())
        };
    }
    room(ac, who, 1, true).map(|_| ())
}

/// AC-13: part of the OB that AC-02 leaves, with the best arm that is ready.
fn parry(ac: &Ac, who: Id, out: &mut Vec<Offer>) {
    let choice = Choice::new(&PARRY, who);
    let actor = ac.actor(who);
    if actor.parry > 0 {
        let why = Why::new("AC-13", "the share is fixed for the round");
        out.push(Offer::not(choice, why).ranging(1, actor.parry));
        return;
    }
    let most = most_parry(ac, who);
    out.push(if most > 0 {
        Offer::legal(choice).ranging(1, most)
    } else {
        let why = if !actor.plan.iter().any(|p| p.deed.is_melee()) {
            "no melee is planned"
        } else if parry_ob(ac, who).is_none() {
            "it has no weapon to parry with"
        } else {
            "the plan leaves no OB to keep"
        };
        Offer::not(choice, Why::new("AC-13", why)).ranging(1, 1)
    });
}

/// The most OB that the plan leaves for parrying: what it takes to act in less
/// time and to move before the blow is gone (AC-02, AC-23), of a charge at least
/// its shortest run (AC-21).
pub fn most_parry(ac: &Ac, who: Id) -> i32 {
    let Some(ob) = parry_ob(ac, who) else {
        return 0;
    };
    let actor = ac.actor(who);
    let run = ac.percent_of(who, ac.tables().charge_least);
    let mut moved = i32::from(actor.moved);
    let mut least: Option<i32> = None;
    for planned in &actor.plan {
        let percent = match planned.deed {
            Deed::Move => {
                moved += i32::from(ac.feet(who, planned.percent, false));
                continue;
            }
            Deed::Melee => planned.percent,
            Deed::Charge => planned.percent - run,
            _ => continue,
        };
        let left = ob + actor.penalty + ac.less_ob(percent, moved);
        least = Some(least.map_or(left, |least| least.min(left)));
    }
    least.unwrap_or(0).max(0)
}

/// The best OB of the weapons that it will have ready: bare hands parry nothing.
pub fn parry_ob(ac: &Ac, who: Id) -> Option<i32> {
    let arms = arms_then(ac, who).into_iter();
    let arms = arms.filter(|&n| ac.weapon(n).arms_for_melee());
    arms.map(|n| ac.base_ob(who, n, false)).max()
}

/// What it will have in the hand, and what put away, when all that is planned
/// is done; of the things put away each kind once.
fn hands_then(ac: &Ac, who: Id) -> (Option<Item>, Vec<Item>) {
    let gear = ac.gear(who);
    let mut held = gear.in_hand();
    let away = |place: &Place| matches!(place, Place::Belt | Place::Pack);
    let all = gear.items.iter().filter(|(_, place)| away(place));
    let mut stowed: Vec<Item> = all.map(|&(item, _)| item).collect();
    for planned in &ac.actor(who).plan {
        match planned.deed {
            Deed::Draw(item) | Deed::EventKind(item) => {
                if let Some(at) = stowed.iter().position(|&n| n == item) {
                    stowed.remove(at);
                }
                stowed.extend(held.replace(item));
            }
            Deed::LetGo(item) if held == Some(item) => held = None,
            Deed::Missile if held.is_some_and(|n| ac.weapon(n).leaves_the_hand()) => held = None,
            _ => {}
        }
    }
    let mut kinds: Vec<Item> = vec![];
    for item in stowed {
        if !kinds.contains(&item) {
            kinds.push(item);
        }
    }
    (held, kinds)
}

/// The melee weapons that it will have ready when its plan comes to blows:
/// what it draws before them, not what it puts away (AC-15).
pub fn arms_then(ac: &Ac, who: Id) -> Vec<Item> {
    let gear = ac.gear(who);
    let mut held = gear.in_hand();
    for planned in &ac.actor(who).plan {
        match planned.deed {
            Deed::Draw(item) | Deed::EventKind(item) => held = Some(item),
            Deed::LetGo(item) if held == Some(item) => held = None,
            Deed::Melee | Deed::Charge => break,
            _ => {}
        }
    }
    let others = gear.ready().filter(|&n| Some(n) != gear.in_hand());
    let melee = |n: &Item| ac.weapon(*n).melee.is_some();
    others.chain(held).filter(melee).collect()
}

/// AC-03: the least and the full time of a spell, in percent.
pub fn spell_time(ac: &Ac, spell: SpellId, points: i32) -> (i32, i32) {
    let cost = ac.tables().costs.spell_per_point;
    (
        ac.view.spell(spell).section::<ActivitySpell>().points * cost,
        points * cost,
    )
}

/// AC-03, AC-04: what hastening takes from the casting roll: 10 for every round
/// or part of one saved; by the fine variant 2 for every 20% saved.
pub fn haste_penalty(full: i32, taken: i32, fine: bool) -> i32 {
    let saved = (full - taken).max(0);
    if fine {
        -2 * ((saved + 19) / 20)
    } else {
        -10 * ((saved + 99) / 100)
    }
}

/// What a choice of a fixed cost stands for.
fn deed(ac: &Ac, choice: &Choice) -> Option<Deed> {
    let verb = choice.verb;
    let item = || choice.with.expect("it is about a thing");
    Some(if verb == &MELEE {
        Deed::Melee
    } else if verb == &MISSILE {
        Deed::Missile
    } else if verb == &CHARGE {
        Deed::Charge
    } else if verb == &MOVE {
        Deed::Move
    } else if verb == &RELOAD {
        Deed::Reload(item())
    } else if verb == &DRAW {
        Deed::Draw(item())
    } else if verb == &CHANGE {
        Deed::EventKind(item())
    } else if verb == &LET_GO {
        Deed::LetGo(item())
    } else if verb == &DROP_PRONE {
        Deed::DropProne
    } else if verb == &STAND_UP {
        Deed::StandUp
    } else if verb == &PARRY_MISSILE {
        Deed::ParryMissile
    } else if verb == &STANCH {
        Deed::Stanch
    } else if verb == &HERB {
        Deed::Herb
    } else if verb == &PERCEIVE {
        Deed::Perceive
    } else if verb == &CHI_SPEED {
        Deed::ChiSpeed
    } else if verb == &CHI_DEFENSE {
        Deed::ChiDefense
    } else if verb == &PICK_UP {
        Deed::PickUp
    } else if verb == &DOOR {
        Deed::Door
    } else if verb == &SPELL {
        let spell = choice.spell?;
        let points = choice.number.unwrap_or(0);
        if ac
            .view
            .spell(spell)
            .section::<ActivitySpell>()
            .instantaneous
        {
            Deed::Instant { spell, points }
        } else {
            Deed::Spell { spell, points }
        }
    } else {
        return None;
    })
}

/// AC-01, AC-24: what a deed of fixed cost takes, in percent.
pub fn cost(ac: &Ac, who: Id, deed: Deed) -> i32 {
    let costs = &ac.tables().costs;
    match deed {
        Deed::Melee | Deed::Charge => costs.melee.1,
        Deed::Missile => costs.missile.1,
        Deed::Move => costs.move_base,
        Deed::Reload(item) => {
            let full = ac.weapon(item).section::<ActivityArms>().reload;
            if ac.actor(who).has(super::state::Lasts::QuickLoad) {
                costs.reload_spell
            } else if ac.has(who, Talent::SpeedLoader) {
                full / 2
            } else {
                full
            }
        }
        Deed::Draw(_) | Deed::LetGo(_) => costs.draw,
        Deed::EventKind(_) => costs.change,
        Deed::DropProne => costs.drop_prone,
        Deed::StandUp => costs.stand_up,
        Deed::ParryMissile => costs.parry_missile,
        Deed::Spell { points, .. } => points * costs.spell_per_point,
        Deed::Instant { .. } => costs.instantaneous,
        Deed::Stanch => costs.stanch,
        Deed::Herb => costs.herb,
        Deed::Perceive => costs.perception.1,
        Deed::ChiSpeed | Deed::ChiDefense => costs.chi,
        Deed::PickUp => costs.other,
        Deed::Door => costs.door,
    }
}

/// A declaration is noted, for the eyes of its side alone. All knew of what
/// was carried over, and see that it is given up.
fn take(ac: &Ac, side: Side, choice: &Choice) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    if choice.verb == &GIVE_UP {
        return outcome.and("AC-09", fact(ac, choice).event());
    }
    let fact = fact(ac, choice);
    let rule = rule_of(ac, &fact).unwrap_or(choice.verb.rule);
    fact.sealed(rule, side, &mut outcome);
    outcome
}

/// The rule of a declaration that is more than its verb's: a faster load, a
/// spell longer than a round.
fn rule_of(ac: &Ac, fact: &ActivityEvent) -> Option<Rule> {
    let ActivityEvent::Declared { planned, .. } = fact else {
        return None;
    };
    match planned.deed {
        Deed::Reload(item)
            if planned.percent < ac.weapon(item).section::<ActivityArms>().reload =>
        {
            Some("AC-24")
        }
        Deed::Spell { spell, points } if spell_time(ac, spell, points).1 > 100 => Some("AC-04"),
        _ => None,
    }
}

/// What a declaration comes to.
pub fn fact(ac: &Ac, choice: &Choice) -> ActivityEvent {
    let who = choice.who.expect("a plan has an actor");
    let number = choice.number;
    if choice.verb == &READY {
        ActivityEvent::Ready { who }
    } else if choice.verb == &GIVE_UP {
        let deed = carried(ac, who).expect("something was carried over");
        ActivityEvent::Drops {
            who,
            deed,
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
        let fine = ac.view.level().fine_haste;
        let planned = Planned {
            haste: haste_penalty(full, percent, fine),
            ..Planned::new(Deed::Spell { spell, points }, percent)
        };
        ActivityEvent::Declared { who, planned }
    } else {
        let deed = deed(ac, choice).expect("every other verb is a deed");
        named(ac, who, deed, number)
    }
}

/// A deed is declared; a spell that may be hastened is named first.
fn named(ac: &Ac, who: Id, deed: Deed, number: Option<i32>) -> ActivityEvent {
    if let Deed::Spell { spell, points } = deed {
        let (least, full) = spell_time(ac, spell, points);
        if least < full {
            return ActivityEvent::Names { who, spell, points };
        }
    }
    let percent = match deed {
        Deed::Spell { .. } | Deed::Instant { .. } => cost(ac, who, deed),
        _ => number.unwrap_or_else(|| cost(ac, who, deed)),
    };
    let planned = Planned::new(deed, percent);
    ActivityEvent::Declared { who, planned }
}

/// Announces what was declared when its time comes.
pub fn log_text(choice: &Choice, outcome: &mut StepOutcome) {
    outcome.emit(
        choice.verb.rule,
        EventKind::Acted {
            choice: choice.clone(),
        },
    );
}
