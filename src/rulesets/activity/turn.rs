//! An action's time has come: its target is chosen, and it is done. Those who
//! act at the same count choose sealed from each other and act together.

use super::{
    ac::{Ac, open_ended},
    attack::Volley,
    event::Fact,
    spell::{self, Cast},
    state::{Deed, Lasting, Lasts, Planned},
    stride::Stride,
};
use crate::{
    battle::{
        Answer, Attack, Change, Choice, Decision, DiceBox, Flow, Id, Item, Modifier, Offer, Offers,
        Place, Poll, State, Verb, Why,
    },
    grid::{Cell, Occupant, Space},
    system_step,
};
use bevy::ecs::system::{In, ResMut};

macro_rules! verbs {
    ($($constant:ident = $name:literal, $phrase:literal, $told:literal, $rule:literal;)*) => {
        $(pub static $constant: Verb = Verb {
            name: $name,
            phrase: $phrase,
            told: $told,
            rule: $rule,
        };)*
        /// Every verb of an action whose time has come.
        pub static VERBS: &[&Verb] = &[$(&$constant),*];
    };
}

verbs! {
    STRIKE = "strike", "strike {at} with {with}", "strikes at {at} with {with}", "AC-01";
    SHOOT = "shoot", "shoot at {at} with {with}", "shoots at {at} with {with}", "AC-01";
    CHARGE = "charge", "charge {at} with {with} from {to}", "charges {at} with {with}, to {to}", "AC-21";
    MOVE = "move", "move to {to}", "moves to {to}", "AC-01";
    WITHDRAW = "withdraw", "withdraw to {to}", "withdraws to {to}", "AC-36";
    LEAVE = "leave", "leave the battle", "makes off", "AC-37";
    CAST_AT = "cast", "cast {spell} at {at}", "casts {spell} at {at}", "AC-34";
    CAST_TO = "cast to", "cast {spell} towards {to}", "casts {spell} towards {to}", "AC-34";
    STANCH = "stanch", "stanch the blood of {at}", "stanches the blood of {at}", "AC-33";
    PICK_UP = "pick up", "pick up {with} at {to}", "picks up {with} at {to}", "AC-01";
    OPEN = "open door", "open door at {to}", "opens the door at {to}", "GR-02";
    CLOSE = "close door", "close door at {to}", "closes the door at {to}", "GR-02";
    GIVE_UP = "give up", "give it up", "gives it up", "AC-09";
}

/// Those whose actions come at the same count.
#[derive(Clone, Debug)]
pub struct Turn {
    group: Vec<Id>,
    poll: Poll,
}
system_step!(Turn, turn);

impl Turn {
    pub fn of(group: Vec<Id>) -> Self {
        Self {
            poll: Poll::of(group.clone()),
            group,
        }
    }
}

fn turn(In(mut step): In<Turn>, ac: Ac, mut answer: ResMut<Answer>) -> Flow {
    if let Some(question) = step.poll.next(&mut answer, |id| question(&ac, id)) {
        return Flow::ask(question, step);
    }
    let mut doing = Doing::default();
    for &who in &step.group {
        let choice = step.poll.said.iter().find(|c| c.who == Some(who));
        doing.begin(&ac, who, choice);
    }
    doing.flow()
}

/// Who has nothing to choose is not asked.
fn question(ac: &Ac, who: Id) -> Option<Decision> {
    let actor = ac.actor(who);
    if actor.fleeing {
        return None;
    }
    let planned = *actor.coming()?;
    let mut offers = targets(ac, who, &planned)?;
    if !offers.iter().any(Offer::is_legal) {
        return None;
    }
    offers.push(Offer::legal(Choice::new(&GIVE_UP, who)));
    let names = ac.view.names();
    Some(Decision {
        side: ac.body(who).side,
        prompt: format!(
            "{}: {}",
            names.title(who),
            super::event::deed_name(&planned.deed, names)
        ),
        rule: "AC-11",
        actors: vec![who],
        common: vec![],
        offers: Offers::Listed(offers),
        reaction: false,
    })
}

/// Every way to do what was planned. None: there is nothing to choose.
fn targets(ac: &Ac, who: Id, planned: &Planned) -> Option<Vec<Offer>> {
    let percent = planned.percent;
    Some(match planned.deed {
        Deed::Melee => blows(ac, who, percent, false),
        Deed::Missile => blows(ac, who, percent, true),
        Deed::Charge => charges(ac, who, percent),
        Deed::Move => walks(ac, who, percent),
        Deed::Spell { spell, .. } | Deed::Instant { spell, .. } => spell::aims(ac, who, spell),
        Deed::Stanch => bleeders(ac, who),
        Deed::PickUp => pick_ups(ac, who),
        Deed::Door => doors(ac, who),
        _ => return None,
    })
}

fn blows(ac: &Ac, who: Id, percent: i32, ranged: bool) -> Vec<Offer> {
    let verb = if ranged { &SHOOT } else { &STRIKE };
    let items: Vec<Item> = ac
        .gear(who)
        .ready()
        .filter(|&n| usable(ac, who, n, ranged))
        .collect();
    let mut out = vec![];
    for foe in ac.foes(who) {
        for &item in &items {
            let choice = Choice::new(verb, who).at(foe).with(item);
            let attack = attack(ac, &choice, percent);
            let legal = loaded(ac, who, item, ranged).and(ac.forecast(&attack).map(|_| ()));
            out.push(Offer::from(choice, legal));
        }
    }
    out
}

fn usable(ac: &Ac, who: Id, item: Item, ranged: bool) -> bool {
    let weapon = ac.weapon(item);
    let in_body = ac.gear(who).place(item) == Some(Place::Body);
    if ranged {
        weapon.ranged.is_some()
    } else {
        // Fists are for those who hold nothing better.
        let armed = ac
            .gear(who)
            .in_hand()
            .is_some_and(|i| ac.weapon(i).melee.is_some());
        weapon.melee.is_some()
            && !(in_body && weapon.make == crate::content::Make::Unarmed && armed)
    }
}

/// AC-26: a weapon that must be loaded is.
fn loaded(ac: &Ac, who: Id, item: Item, ranged: bool) -> Result<(), Why> {
    let needs = ranged && ac.weapon(item).activity.reload > 0;
    if needs && !ac.actor(who).loaded.contains(&item) {
        return Err(Why::new("AC-26", "it is not loaded"));
    }
    Ok(())
}

/// The attack that a choice to strike, shoot or charge stands for.
pub fn attack(ac: &Ac, choice: &Choice, percent: i32) -> Attack {
    let by = choice.who.expect("an attack has an actor");
    let ranged = choice.verb == &SHOOT;
    let run = choice.verb == &CHARGE;
    let (share, charge) = if run {
        let feet = run_of(ac, choice);
        let left = percent - ac.percent_of(by, feet);
        (left.min(ac.tables().costs.melee.1), Some(feet))
    } else {
        (percent, None)
    };
    Attack {
        by,
        at: choice.at.expect("an attack has a target"),
        with: choice.with.expect("an attack has a weapon"),
        ranged,
        rule: choice.verb.rule,
        extra: ac.effort(by, share, ranged, charge),
    }
}

/// Feet of a charge.
fn run_of(ac: &Ac, choice: &Choice) -> u16 {
    let (Some(who), Some(foe)) = (choice.who, choice.at) else {
        return 0;
    };
    let path = run_up(ac, who, foe, u16::MAX);
    let end = path.iter().find(|s| Some(s.0) == choice.to);
    end.map_or(0, |s| s.1)
}

/// AC-21: a straight run of at least 25 ft into an attack, both paid for.
fn charges(ac: &Ac, who: Id, percent: i32) -> Vec<Offer> {
    let t = ac.tables();
    let feet = ac.feet(who, percent - t.costs.melee.0, false);
    let mut out = vec![];
    for foe in ac.foes(who) {
        let path = run_up(ac, who, foe, feet);
        let arms: Vec<Item> = ac
            .gear(who)
            .ready()
            .filter(|&n| usable(ac, who, n, false))
            .collect();
        for item in arms {
            let first = path.iter().find(|(cell, _)| {
                let choice = Choice::new(&CHARGE, who).at(foe).with(item).to(*cell);
                let attack = Attack {
                    extra: vec![],
                    ..attack(ac, &choice, percent)
                };
                ac.forecast_from(&attack, *cell).is_ok()
            });
            let Some(&(cell, run)) = first else { continue };
            let choice = Choice::new(&CHARGE, who).at(foe).with(item).to(cell);
            let legal = if run < t.charge_least {
                let text = format!("a run of {run} ft, and {} are needed", t.charge_least);
                Err(Why::new("AC-21", text))
            } else {
                Ok(())
            };
            out.push(Offer::from(choice, legal).priced(run, 0));
        }
    }
    out
}

/// Some foe could be charged now with so many percent.
pub fn can_charge(ac: &Ac, who: Id, percent: i32) -> bool {
    charges(ac, who, percent).iter().any(Offer::is_legal)
}

/// The cells of the straight line towards `foe` with the feet to each. Every
/// cell that the line crosses must be free.
fn run_up(ac: &Ac, who: Id, foe: Id, budget: u16) -> Vec<(Cell, u16)> {
    let (mine, theirs) = (ac.body(who), ac.body(foe));
    if mine.prone {
        return vec![];
    }
    let end = i16::from(theirs.size) - 1;
    let clamp = |v: i16, low: i16| v.clamp(low, low + end);
    let goal = Cell::new(clamp(mine.at.x, theirs.at.x), clamp(mine.at.y, theirs.at.y));
    let ways = ac.ways(who, true);
    let (mut path, mut at, mut feet, mut odd) = (vec![], mine.at, 0, false);
    for stage in crate::grid::straight(mine.at, goal) {
        let blocked = |cell: &Cell| {
            let space = Space::new(*cell, mine.size);
            let taken = |c| ways.occupant(c) != Occupant::Nobody;
            space.cells().any(taken) || !ac.view.board.can_stand(space)
        };
        if stage.crossed.iter().any(blocked) || blocked(&stage.to) {
            break;
        }
        let step = ac
            .view
            .walk(who, &ways, |walk| walk.step_in_move(at, stage.to, odd));
        let Ok(cost) = step else { break };
        if cost.fall > 0 || feet + cost.feet > budget {
            break;
        }
        feet += cost.feet;
        odd ^= cost.diagonal;
        at = stage.to;
        path.push((at, feet));
    }
    path
}

/// Where one may move to with a share of the round, in haste or guarded.
pub fn walks(ac: &Ac, who: Id, percent: i32) -> Vec<Offer> {
    let mut out = vec![];
    if ac.view.is_at_exit(who) {
        out.push(Offer::legal(Choice::new(&LEAVE, who)));
    }
    if ac.feet(who, percent, false) < 5 {
        return out;
    }
    let here = ac.body(who).at;
    let threatened = ac.ways(who, false).threats(here) != 0;
    for (verb, withdraws) in [(&MOVE, false), (&WITHDRAW, true)] {
        if withdraws && !threatened {
            continue;
        }
        let range = ac.range(who, percent, withdraws);
        let ends = range.cells().filter(|e| e.may_stop && e.cell != here);
        out.extend(ends.map(|end| {
            let choice = Choice::new(verb, who).to(end.cell);
            let drawn = if withdraws { 0 } else { end.provoked };
            Offer::legal(choice).priced(end.feet, drawn)
        }));
    }
    out
}

fn bleeders(ac: &Ac, who: Id) -> Vec<Offer> {
    let side = ac.body(who).side;
    let bleeds = |id: &Id| {
        let body = ac.body(*id);
        let alive = matches!(body.state, State::Up | State::Down);
        alive && body.side == side && ac.actor(*id).bleeding > 0
    };
    let offer = |id: Id| {
        let near = id == who || ac.view.within(who, id, 5);
        let legal = near
            .then_some(())
            .ok_or(Why::new("AC-33", "not next to them"));
        Offer::from(Choice::new(&STANCH, who).at(id), legal)
    };
    ac.view.ids().filter(bleeds).map(offer).collect()
}

fn pick_ups(ac: &Ac, who: Id) -> Vec<Offer> {
    let space = ac.body(who).space();
    let mut out: Vec<Offer> = vec![];
    for &(cell, item) in &ac.view.ground.0 {
        let choice = Choice::new(&PICK_UP, who).with(item).to(cell);
        let near = ac.view.board.within(space, Space::one(cell), 5);
        let legal = near
            .then_some(())
            .ok_or(Why::new("AC-01", "it lies out of reach"));
        if !out.iter().any(|o| o.choice == choice) {
            out.push(Offer::from(choice, legal));
        }
    }
    out
}

fn doors(ac: &Ac, who: Id) -> Vec<Offer> {
    let offer = |(cell, open): (Cell, bool)| {
        let verb = if open { &CLOSE } else { &OPEN };
        let choice = Choice::new(verb, who).to(cell);
        Offer::from(choice, ac.view.can_swing(cell, open))
    };
    ac.view.doors_beside(who).into_iter().map(offer).collect()
}

/// What a group does, sorted: movement first, then all attacks at once, then
/// spells.
#[derive(Default)]
struct Doing {
    flow: Flow,
    moves: Flow,
    blows: Vec<(Attack, Option<Cell>)>,
    casts: Flow,
}

impl Doing {
    fn flow(mut self) -> Flow {
        self.flow.next.append(&mut self.moves.next);
        if !self.blows.is_empty() {
            self.flow.push(Blows(self.blows));
        }
        self.flow.next.append(&mut self.casts.next);
        self.flow
    }

    fn begin(&mut self, ac: &Ac, who: Id, choice: Option<&Choice>) {
        let Some(&planned) = ac.actor(who).coming() else {
            return;
        };
        let Planned { deed, percent, .. } = planned;
        if ac.actor(who).fleeing {
            let drops = Fact::Drops {
                who,
                deed,
                percent: 0,
                why: "it only wants to get away".into(),
            };
            self.flow.emit("AC-37", drops.event());
            return;
        }
        if targets(ac, who, &planned).is_some() && choice.is_none_or(|c| c.verb == &GIVE_UP) {
            let why = if choice.is_some() {
                "of its own will"
            } else {
                "there is nothing to do it to"
            };
            let drops = Fact::Drops {
                who,
                deed,
                percent: 0,
                why: why.into(),
            };
            self.flow.emit("AC-09", drops.event());
            return;
        }
        if let Some(choice) = choice {
            super::plan::told(choice, &mut self.flow);
        }
        let begins = Fact::Begins { who, deed, percent };
        self.flow.emit("AC-01", begins.event());
        match choice {
            Some(choice) => self.aimed(ac, who, &planned, choice),
            None => self.plain(ac, who, &planned),
        }
    }

    fn aimed(&mut self, ac: &Ac, who: Id, planned: &Planned, choice: &Choice) {
        let percent = planned.percent;
        match planned.deed {
            Deed::Melee | Deed::Missile => self.blows.push((attack(ac, choice, percent), None)),
            Deed::Charge => {
                let foe = choice.at.expect("a charge has a target");
                let path = run_up(ac, who, foe, u16::MAX);
                let mut cells: Vec<Cell> = path.into_iter().map(|s| s.0).collect();
                let end = cells.iter().position(|&c| Some(c) == choice.to);
                cells.truncate(end.map_or(0, |n| n + 1));
                self.moves.push(Stride::new(who, cells, true));
                self.blows.push((attack(ac, choice, percent), choice.to));
            }
            Deed::Move => walk(ac, choice, percent, &mut self.moves),
            Deed::Spell { spell, points } | Deed::Instant { spell, points } => {
                self.casts.push(Cast {
                    who,
                    spell,
                    points,
                    haste: planned.haste,
                    at: choice.at,
                    to: choice.to,
                });
            }
            Deed::Stanch => {
                let who = choice.at.expect("somebody bleeds");
                self.flow.emit("AC-33", Fact::Stanched { who }.event());
            }
            Deed::PickUp => {
                let (item, at) = (choice.with.expect("a thing"), choice.to.expect("a place"));
                self.casts.push(Take { who, item, at });
            }
            Deed::Door => {
                let cell = choice.to.expect("a door has a place");
                let open = choice.verb == &OPEN;
                let moved = Change::DoorMoved {
                    by: who,
                    cell,
                    open,
                };
                self.flow.emit("GR-02", moved);
            }
            _ => {}
        }
    }

    fn plain(&mut self, ac: &Ac, who: Id, planned: &Planned) {
        let flow = &mut self.flow;
        let lasting = |what, rounds| {
            let lasting = Lasting { what, rounds };
            Fact::Lasts { who, lasting }.event()
        };
        match planned.deed {
            Deed::Reload(item) => flow.emit("AC-26", Fact::Loaded { who, item }.event()),
            Deed::Draw(item) | Deed::Change(item) => {
                let away = ac.gear(who).place(item);
                let Some(from @ (Place::Belt | Place::Pack)) = away else {
                    return;
                };
                if let Some(held) = ac.gear(who).in_hand() {
                    shift(who, held, Place::Hand, Place::Belt, flow);
                }
                shift(who, item, from, Place::Hand, flow);
            }
            Deed::DropProne => flow.emit("AC-01", Change::Prone { who, prone: true }),
            Deed::StandUp => flow.emit("AC-01", Change::Prone { who, prone: false }),
            Deed::Herb => flow.emit("AC-33", Fact::Stanched { who }.event()),
            Deed::ChiDefense => {
                let db = ac.tables().chi_defense;
                flow.emit("AC-01", lasting(Lasts::Ward(db), 1));
            }
            // From the next round on; it has to rest in that one.
            Deed::ChiSpeed => {
                flow.emit("AC-25", lasting(Lasts::Swift, 2));
                flow.emit("AC-25", lasting(Lasts::ChiSpent, 2));
            }
            Deed::Perceive => {
                let full = ac.tables().costs.perception.1;
                let less = (planned.percent - full).min(0) as i16;
                let label = format!("{}% activity", planned.percent);
                let extra = vec![Modifier::new(less, label, "AC-02")];
                self.casts.push(Look { who, extra });
            }
            _ => {}
        }
    }
}

fn shift(who: Id, item: Item, from: Place, to: Place, flow: &mut Flow) {
    flow.emit(
        "AC-01",
        Change::Shifted {
            who,
            item,
            from,
            to,
        },
    );
}

/// Something is picked up, if nobody was quicker.
#[derive(Clone, Debug)]
struct Take {
    who: Id,
    item: Item,
    at: Cell,
}
system_step!(Take, take);

fn take(In(Take { who, item, at }): In<Take>, ac: Ac) -> Flow {
    let mut flow = Flow::default();
    if !ac.is_up(who) || !ac.view.ground.0.contains(&(at, item)) {
        return flow;
    }
    if let Some(held) = ac.gear(who).in_hand() {
        shift(who, held, Place::Hand, Place::Belt, &mut flow);
    }
    flow.and("AC-01", Change::PickedUp { who, item, at })
}

/// A move, a withdrawal, or a step out of the battle.
pub fn walk(ac: &Ac, choice: &Choice, percent: i32, flow: &mut Flow) {
    let who = choice.who.expect("a move has an actor");
    if choice.verb == &LEAVE {
        flow.push(Out { who });
        return;
    }
    let Some(to) = choice.to else { return };
    let withdraws = choice.verb == &WITHDRAW;
    let path = match &choice.along {
        Some(cells) => cells.to_vec(),
        None => ac.range(who, percent, withdraws).path(to).split_off(1),
    };
    flow.push(Stride::new(who, path, withdraws));
}

#[derive(Clone, Debug)]
struct Out {
    who: Id,
}
system_step!(Out, out);

fn out(In(Out { who }): In<Out>, ac: Ac) -> Flow {
    if !ac.is_up(who) {
        return Flow::default();
    }
    Flow::default().and("AC-37", Change::Fled { who })
}

/// The blows of one count, those of chargers who got there among them.
#[derive(Clone, Debug)]
struct Blows(Vec<(Attack, Option<Cell>)>);
system_step!(Blows, strike);

fn strike(In(Blows(blows)): In<Blows>, ac: Ac) -> Flow {
    let there = |(attack, from): (Attack, Option<Cell>)| {
        let came = from.is_none_or(|cell| ac.body(attack.by).at == cell);
        came.then_some(attack)
    };
    let attacks: Vec<Attack> = blows.into_iter().filter_map(there).collect();
    Flow::default().then(Volley(attacks))
}

/// A perception roll for the hidden.
#[derive(Clone, Debug)]
struct Look {
    who: Id,
    extra: Vec<Modifier>,
}
system_step!(Look, look);

fn look(In(Look { who, extra }): In<Look>, ac: Ac, mut dice: ResMut<DiceBox>) -> Flow {
    let mut flow = Flow::default();
    if ac.is_up(who) {
        look_about(&ac, who, extra, &mut dice, &mut vec![], &mut flow);
    }
    flow
}

/// AC-35: d100 open-ended + perception, 101 notices every hidden foe in sight.
/// Nobody rolls who has none in sight. `seen`: who has been noticed already.
pub fn look_about(
    ac: &Ac,
    who: Id,
    extra: Vec<Modifier>,
    dice: &mut DiceBox,
    seen: &mut Vec<Id>,
    flow: &mut Flow,
) {
    let board = &ac.view.board;
    let here = ac.body(who).space();
    let lurks = |id: &Id| {
        let hidden = ac.actor(*id).hidden && !seen.contains(id);
        hidden && board.sight(here, ac.body(*id).space()).los
    };
    let side = ac.body(who).side;
    let found: Vec<Id> = ac.view.foes(side).filter(lurks).collect();
    if found.is_empty() {
        return;
    }
    let mut roll = open_ended(dice);
    let perception = ac.stats(who).perception as i16;
    roll.modifiers = vec![Modifier::new(perception, "perception", "AC-35")];
    roll.modifiers.extend(extra);
    let against = ac.tables().maneuver_target;
    let passed = roll.total() >= against;
    flow.emit(
        "AC-35",
        Change::Checked {
            who: Some(who),
            side: None,
            what: "perception".into(),
            roll,
            against: Some(against),
            passed: Some(passed),
        },
    );
    if passed {
        for who in found {
            flow.emit("AC-35", Fact::Revealed { who }.event());
            seen.push(who);
        }
    }
}
