//! What the window reads of a Skirmish battle.

use super::{ActFace, Blow, Clock, Cost, Drawn, Face, Reach, Reader, Shot, Status, Way};
use crate::{
    battle::{
        Attack, Body, Choice, Id, Modifier, State, Why, component_mut, movement::Ways, signed,
    },
    content::Weapon,
    grid::{Cell, Cover, Range, Space},
    rulesets::skirmish::{
        DONE, END_TURN, OPPORTUNITY,
        acts::{
            AID, CHARGE, CLOSE, DISENGAGE, GO_PRONE, LEAVE, OPEN, RUN, SHOOT, STAND_UP, STRIKE,
            THROW, defend::DEFEND,
        },
        fighter::Fighter,
        odds::{Forecast, ShockForecast, ShockStop},
        sk::Sk,
    },
    ui::art::{hud::Pip, icons::Icon, tokens::Condition},
};
use bevy::ecs::{
    system::{In, IntoSystem, SystemInput},
    world::World,
};

pub(super) static READER: Reader = Reader {
    rules: "Skirmish",
    acts: &FACES,
    end_turn: &END_TURN,
    done: &DONE,
    clock: |world| run(world, clock, ()),
    status: |world, who| run(world, status, who),
    figures: |world, who| run(world, figures, who),
    reach: |world, who| run(world, reach, who),
    way,
    blow,
    draws,
    threat: |world, who| run(world, threat, who),
    reaction,
};

const fn face(key: char, acts: &'static [ActFace]) -> Face {
    Face {
        key,
        acts,
        plain: false,
    }
}

/// What a click on somebody or something means without more ado.
const fn plain(key: char, acts: &'static [ActFace]) -> Face {
    Face {
        key,
        acts,
        plain: true,
    }
}

static FACES: [Face; 10] = [
    plain(
        's',
        &[ActFace {
            verb: &STRIKE,
            label: "Strike",
            icon: Icon::Strike,
        }],
    ),
    plain(
        'h',
        &[ActFace {
            verb: &SHOOT,
            label: "Shoot",
            icon: Icon::Shoot,
        }],
    ),
    plain(
        't',
        &[ActFace {
            verb: &THROW,
            label: "Throw",
            icon: Icon::Throw,
        }],
    ),
    face(
        'c',
        &[ActFace {
            verb: &CHARGE,
            label: "Charge",
            icon: Icon::Charge,
        }],
    ),
    face(
        'd',
        &[ActFace {
            verb: &DEFEND,
            label: "Defend",
            icon: Icon::TotalDefense,
        }],
    ),
    face(
        'g',
        &[ActFace {
            verb: &DISENGAGE,
            label: "Disengage",
            icon: Icon::Disengage,
        }],
    ),
    face(
        'p',
        &[
            ActFace {
                verb: &GO_PRONE,
                label: "Prone",
                icon: Icon::Prone,
            },
            ActFace {
                verb: &STAND_UP,
                label: "Stand up",
                icon: Icon::Stand,
            },
        ],
    ),
    plain(
        'a',
        &[ActFace {
            verb: &AID,
            label: "Aid",
            icon: Icon::Aid,
        }],
    ),
    plain(
        'o',
        &[
            ActFace {
                verb: &OPEN,
                label: "Open",
                icon: Icon::Door,
            },
            ActFace {
                verb: &CLOSE,
                label: "Close",
                icon: Icon::Door,
            },
        ],
    ),
    face(
        'l',
        &[ActFace {
            verb: &LEAVE,
            label: "Leave",
            icon: Icon::Fleeing,
        }],
    ),
];

/// Runs a read-only system over the display world.
fn run<I, O, M, S>(world: &mut World, system: S, input: I::Inner<'_>) -> O
where
    I: SystemInput + 'static,
    O: 'static,
    S: IntoSystem<I, O, M> + 'static,
{
    match world.run_system_cached_with(system, input) {
        Ok(out) => out,
        Err(e) => panic!("a read-only system failed: {e}"),
    }
}

/// What would be if somebody stood elsewhere. The display world is as before
/// when this returns.
fn standing_at<T>(world: &mut World, who: Id, at: Cell, look: impl FnOnce(&mut World) -> T) -> T {
    let before = std::mem::replace(&mut component_mut::<Body>(world, who).at, at);
    let seen = look(world);
    component_mut::<Body>(world, who).at = before;
    seen
}

fn clock(In(()): In<()>, sk: Sk) -> Clock {
    Clock {
        round: sk.clock.round,
        turn: sk.clock.turn,
        order: sk.clock.order.clone(),
    }
}

fn status(In(who): In<Id>, sk: Sk) -> Status {
    let (body, fighter) = (sk.body(who), sk.fighter(who));
    let mut pips: Vec<(Pip, bool)> = vec![(Pip::Main, fighter.mains == 0)];
    pips.extend((1..fighter.mains).map(|_| (Pip::Main, false)));
    pips.push((Pip::Move, fighter.moves == 0));
    let mut conditions = vec![];
    let mut add = |holds: bool, condition| conditions.extend(holds.then_some(condition));
    add(body.prone && body.is_up(), Condition::Prone);
    add(fighter.defending && body.is_up(), Condition::TotalDefense);
    add(
        fighter.disengaged != 0 && body.is_up(),
        Condition::Disengaged,
    );
    add(fighter.charged && body.is_up(), Condition::Charging);
    add(fighter.fleeing && body.is_up(), Condition::Fleeing);
    add(
        fighter.dying.is_some() && body.state == State::Down,
        Condition::Bleeding,
    );
    let done = !body.is_up() || fighter.done || fighter.fleeing || !fighter.can_move();
    Status {
        pips,
        done,
        conditions,
    }
}

fn figures(In(who): In<Id>, sk: Sk) -> Vec<String> {
    let (body, creature) = (sk.body(who), sk.view.creature(who));
    let (melee, ranged) = (sk.armour_class(who, false).0, sk.armour_class(who, true).0);
    let mut first = format!("HP {} of {}", body.hp.max(0), body.max_hp);
    first += &if melee == ranged {
        format!("   AC {melee}")
    } else {
        format!("   AC {melee}, missiles {ranged}")
    };
    if let Some(morale) = creature.morale {
        first += &format!("   Morale {morale}");
    }
    let mut lines = vec![first];
    let items: Vec<_> = sk.gear(who).at_hand().collect();
    // Bare hands are the last; they are worth a line to who has nothing else.
    let armed = items.len() - usize::from(items.len() > 1);
    let weapons = items[..armed].iter().map(|&item| sk.weapon(item));
    lines.extend(weapons.map(weapon_line));
    if let (State::Down, Some(rounds)) = (body.state, sk.fighter(who).dying) {
        let left = 6 - i32::from(rounds);
        lines.push(format!("Dies in {left} rounds unless helped"));
    }
    lines
}

fn weapon_line(weapon: &Weapon) -> String {
    let mut line = format!(
        "{} {}",
        crate::battle::capitalised(&weapon.name),
        weapon.damage
    );
    if let Some(ranged) = &weapon.ranged {
        line += &format!(", {} / {} ft", ranged.normal, ranged.long);
    }
    if let Some(shock) = weapon.shock {
        let ac = shock.ac.map_or("any AC".into(), |ac| format!("AC {ac}"));
        line += &format!(", Shock {} / {ac}", shock.points);
    }
    line
}

fn reach(In(who): In<Id>, sk: Sk) -> Vec<Reach> {
    let fighter = sk.fighter(who);
    if !sk.is_up(who) || fighter.done || !fighter.can_move() {
        return vec![];
    }
    let here = sk.body(who).at;
    let one = sk.run_range(who, 1);
    let first = if fighter.moves > 0 {
        Cost::Move
    } else {
        Cost::Main
    };
    let ends = |range: &Range, cost| -> Vec<Reach> {
        let free = range.cells().filter(|end| end.may_stop && end.cell != here);
        free.map(|end| Reach {
            cell: end.cell,
            feet: end.feet,
            cost,
        })
        .collect()
    };
    let mut out = ends(&one, first);
    if fighter.moves > 0 && fighter.mains > 0 {
        let two = sk.run_range(who, 2);
        let beyond = ends(&two, Cost::Main);
        let beyond = beyond.into_iter().filter(|end| one.get(end.cell).is_none());
        let ways = sk.ways(who);
        let feasible =
            |end: &Reach| stop_between(&sk, who, &ways, &one, &two.path(end.cell)).is_some();
        out.extend(beyond.filter(feasible));
    }
    out
}

/// Where the first of two runs along a path ends: as far along as it can.
/// `None` when the second would not get to the end from there.
fn stop_between(sk: &Sk, who: Id, ways: &Ways, one: &Range, path: &[Cell]) -> Option<usize> {
    let inner = 1..path.len().saturating_sub(1);
    let stop = inner
        .rev()
        .find(|&n| one.get(path[n]).is_some_and(|r| r.may_stop))?;
    let rest = sk
        .view
        .walk(who, ways, |walk| walk.price(&path[stop..]))
        .ok()?;
    (rest.feet <= sk.speed(who)).then_some(stop)
}

/// A way before the attacks on it are priced: for each the foe and the step.
struct Route {
    way: Way,
    strikes: Vec<(Id, usize)>,
}

fn way(world: &mut World, who: Id, to: Cell) -> Option<Way> {
    let Route { mut way, strikes } = run(world, route, (who, to))?;
    for (by, step) in strikes {
        let at = way.path[step];
        let percent = standing_at(world, who, at, |world| run(world, opportunity, (by, who)));
        way.drawn.push(Drawn { by, step, percent });
    }
    Some(way)
}

fn route(In((who, to)): In<(Id, Cell)>, sk: Sk) -> Option<Route> {
    let fighter = sk.fighter(who);
    let here = sk.body(who).at;
    if !sk.is_up(who) || !fighter.can_move() || to == here {
        return None;
    }
    let one = sk.run_range(who, 1);
    let ways = sk.ways(who);
    let order = |to| Choice::new(&RUN, who).to(to);
    let stops = |range: &Range, to| range.get(to).filter(|r| r.may_stop);
    let (orders, legs, feet, cost);
    if let Some(end) = stops(&one, to) {
        cost = if fighter.moves > 0 {
            Cost::Move
        } else {
            Cost::Main
        };
        (orders, legs, feet) = (vec![order(to)], vec![one.path(to)], end.feet);
    } else if fighter.moves > 0 && fighter.mains > 0 {
        let two = sk.run_range(who, 2);
        stops(&two, to)?;
        let path = two.path(to);
        let mid = path[stop_between(&sk, who, &ways, &one, &path)?];
        let second = sk
            .view
            .walk(who, &ways, |walk| walk.range(mid, sk.speed(who)));
        cost = Cost::Main;
        feet = one.get(mid)?.feet + second.get(to)?.feet;
        (orders, legs) = (
            vec![order(mid), order(to)],
            vec![one.path(mid), second.path(to)],
        );
    } else {
        return None;
    }
    // Each run is an act of its own: a foe may strike once at each (SK-06).
    let (mut path, mut strikes) = (vec![here], vec![]);
    for leg in legs {
        let mut asked = 0;
        for step in leg.windows(2) {
            let left = ways.left(step[0], step[1]) & !asked;
            asked |= left;
            let foes = sk.view.ids().filter(|id| left & id.bit() != 0);
            strikes.extend(foes.map(|by| (by, path.len() - 1)));
            path.push(step[1]);
        }
    }
    let mains = fighter.mains - u8::from(cost == Cost::Main);
    let shots = if mains > 0 {
        shots_from(&sk, who, to)
    } else {
        vec![]
    };
    let way = Way {
        orders,
        cost,
        feet,
        path,
        drawn: vec![],
        shots,
    };
    Some(Route { way, strikes })
}

/// Whom somebody could attack from a cell, each with the best chance.
fn shots_from(sk: &Sk, who: Id, from: Cell) -> Vec<Shot> {
    let mut shots = vec![];
    for foe in sk.view.foes(sk.body(who).side) {
        let mut best: Option<(i32, Shot)> = None;
        for with in sk.gear(who).at_hand() {
            for ranged in [false, true] {
                let attack = Attack {
                    by: who,
                    at: foe,
                    with,
                    ranged,
                    rule: "SK-10",
                    extra: vec![],
                };
                let Ok(forecast) = sk.forecast_from(&attack, from) else {
                    continue;
                };
                let worth = forecast.expected_by_200();
                if best.is_none_or(|b| b.0 < worth) {
                    let cover = cover(sk, who, from, foe);
                    let percent = forecast.hit().percent();
                    best = Some((
                        worth,
                        Shot {
                            at: foe,
                            with,
                            percent,
                            cover,
                        },
                    ));
                }
            }
        }
        shots.extend(best.map(|b| b.1));
    }
    shots.sort_by_key(|s| std::cmp::Reverse(s.percent));
    shots
}

fn cover(sk: &Sk, by: Id, from: Cell, at: Id) -> Cover {
    let here = Space::new(from, sk.body(by).size);
    sk.view
        .board
        .sight(here, sk.body(at).space())
        .cover
        .unwrap_or(Cover::None)
}

/// The best chance of an attack of opportunity, in percent.
fn opportunity(In((by, at)): In<(Id, Id)>, sk: Sk) -> u32 {
    let armed = sk
        .gear(by)
        .ready()
        .filter(|&n| sk.weapon(n).arms_for_melee());
    let attack = |with| Attack {
        by,
        at,
        with,
        ranged: false,
        rule: "SK-06",
        extra: vec![],
    };
    let chance = |with| sk.forecast(&attack(with)).map_or(0, |f| f.hit().percent());
    armed.map(chance).max().unwrap_or(0)
}

/// The attack that a choice stands for, and where it is made from.
fn attack_of(choice: &Choice, sk: &Sk) -> Option<(Attack, Cell)> {
    let (by, at, with) = (choice.who?, choice.at?, choice.with?);
    let verb = choice.verb;
    let (ranged, extra) = if verb == &SHOOT || verb == &THROW {
        (true, vec![])
    } else if verb == &STRIKE || verb == &OPPORTUNITY {
        (false, vec![])
    } else if verb == &CHARGE {
        (
            sk.reach(by, with).is_none(),
            vec![Modifier::new(2, "charge", "SK-14")],
        )
    } else {
        return None;
    };
    let from = if verb == &CHARGE {
        choice.to?
    } else {
        sk.body(by).at
    };
    Some((
        Attack {
            by,
            at,
            with,
            ranged,
            rule: verb.rule,
            extra,
        },
        from,
    ))
}

fn blow(world: &mut World, choice: &Choice) -> Option<Result<Blow, Why>> {
    fn look(In(choice): In<Choice>, sk: Sk) -> Option<Result<Blow, Why>> {
        let (attack, from) = attack_of(&choice, &sk)?;
        Some(
            sk.forecast_from(&attack, from)
                .map(|forecast| told(&sk, choice, &attack, from, forecast)),
        )
    }
    run(world, look, choice.clone())
}

fn told(sk: &Sk, choice: Choice, attack: &Attack, from: Cell, forecast: Forecast) -> Blow {
    let needs = match forecast.needs() {
        ..=1 => String::from("any roll of the d20 hits"),
        n @ 2..=19 => format!("needs {n} or more on d20"),
        20 => String::from("needs 20 on d20"),
        n => format!("needs {n} on d20: out of reach"),
    };
    let bonus: i32 = forecast
        .damage
        .modifiers
        .iter()
        .map(|m| i32::from(m.value))
        .sum();
    let (low, high) = forecast.damage.span();
    let plus = if bonus == 0 {
        String::new()
    } else {
        signed(bonus)
    };
    let miss = match &forecast.shock {
        ShockForecast::None => None,
        ShockForecast::Does(n) => Some((format!("a miss still does {n} (Shock)"), "SK-40")),
        ShockForecast::Stopped { by, .. } => Some(match by {
            ShockStop::Shield => (String::from("Shock: the shield stops the first"), "SK-42"),
            ShockStop::TotalDefense => (String::from("Shock: stopped by total defense"), "SK-17"),
            ShockStop::Immune => (String::from("Shock: it is immune"), "SK-71"),
        }),
    };
    Blow {
        by: attack.by,
        at: attack.at,
        weapon: sk.view.names().item(attack.with).to_owned(),
        against: format!("AC {}", forecast.ac),
        against_modifiers: forecast.ac_modifiers.clone(),
        needs,
        percent: forecast.hit().percent(),
        damage: format!("{}{plus}: {low} to {high}", forecast.damage.dice),
        drop_percent: forecast.drop().percent(),
        miss,
        cover: cover(sk, attack.by, from, attack.at),
        worth: forecast.expected_by_200(),
        modifiers: forecast.modifiers,
        choice,
    }
}

/// SK-06, for acts done where one stands; a run's attacks are in its way.
fn draws(world: &mut World, choice: &Choice) -> Vec<Drawn> {
    fn foes(In(who): In<Id>, sk: Sk) -> Vec<Id> {
        sk.provoked_by(who)
    }
    let Some(who) = choice.who else { return vec![] };
    let provokes = [&CHARGE, &AID, &STAND_UP];
    if !provokes.contains(&choice.verb) {
        return vec![];
    }
    let foes = run(world, foes, who);
    let drawn = |by| Drawn {
        by,
        step: 0,
        percent: run(world, opportunity, (by, who)),
    };
    foes.into_iter().map(drawn).collect()
}

fn threat(In(who): In<Id>, sk: Sk) -> Option<u16> {
    sk.threat_reach(who)
}

fn reaction(world: &mut World, choice: &Choice) -> Vec<String> {
    if choice.verb != &DEFEND {
        return vec![];
    }
    let Some(who) = choice.who else { return vec![] };
    let plain = run(world, threats, who);
    component_mut::<Fighter>(world, who).defending = true;
    let defended = run(world, threats, who);
    component_mut::<Fighter>(world, who).defending = false;
    let mut lines = vec![];
    for ((by, total, ac, shock), (_, _, higher, _)) in std::iter::zip(plain, defended) {
        let verdict = match (total >= ac, total >= higher) {
            (true, false) => format!("{total} against AC {higher}: it would miss"),
            (true, true) => format!("{total} against AC {higher}: it hits all the same"),
            (false, _) if shock > 0 => format!("it would do no Shock ({shock})"),
            (false, _) => format!("{total} against AC {ac}: it misses anyway"),
        };
        lines.push(format!("{by}: {verdict}"));
    }
    lines.push(String::from("It costs the Main action of this round."));
    lines
}

/// The attacks in flight against somebody: by whom, the total, the AC, and
/// what a miss would do.
fn threats(In(who): In<Id>, sk: Sk) -> Vec<(String, i32, i32, i32)> {
    let mut out = vec![];
    for shot in sk.flights.all().iter().filter(|s| s.attack.at == who) {
        if let Ok(forecast) = sk.forecast(&shot.attack) {
            let by = sk.view.names().title(shot.attack.by).to_owned();
            out.push((by, shot.roll.total(), forecast.ac, forecast.shock.points()));
        }
    }
    out
}
