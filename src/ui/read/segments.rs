//! What the window reads of a battle under Segments.

use super::{
    ActFace, Action, BASIC, Bar, Blow as Shown, Clock, Condition, Drawn, Face, Mark, Odds, Reader,
    Status, Stop, When, run,
};
use crate::{
    battle::{Choice, Id, Side, State, Why, capitalised, signed},
    content::{Dice, Effect, Save},
    grid::{Cell, Cover, Space},
    rulesets::segments::{
        END_TURN,
        acts::{
            self, BIND, CAST, CHARGE, CLOSE, DONE, HOLD, LEAVE, MOVE, OPEN, SHOOT, STAND_UP,
            STRIKE, THROW, WITHDRAW,
        },
        declare::{BRACE, FIGHT, GO, MISSILES, SPELL},
        facts::{told, when},
        fighter::{Blow, Fear},
        odds::{Forecast, REAR},
        reactions::{AT_BACK, MEET, blows_of},
        se::{NEXT_TO, Se},
        spells::{AIM, AIM_PLACE, LET_GO},
    },
    ui::art::{hud::Pip, icons::Icon},
};
use bevy::ecs::system::In;

pub(super) static READER: Reader = Reader {
    rules: "Segments",
    acts: &FACES,
    walks: &[&MOVE, &WITHDRAW],
    end_turn: Some(&END_TURN),
    done: Some(&DONE),
    clock: |world| run(world, clock, ()),
    status: |world, who| run(world, status, who),
    figures: |world, who| run(world, figures, who),
    blow: |world, choice| run(world, blow, choice.clone()),
    odds: |world, choice| run(world, odds, choice.clone()),
    area: |world, choice| run(world, area, choice.clone()),
    draws: |world, choice| run(world, draws, choice.clone()),
    threat: |world, who| run(world, threat, who),
    ..BASIC
};

static FACES: [Face; 18] = [
    // Declarations.
    Face::new('f', &[ActFace::new(&FIGHT, "Attack", Icon::Strike)]),
    Face::new('m', &[ActFace::new(&MISSILES, "Missiles", Icon::Shoot)]),
    Face::new('x', &[ActFace::new(&SPELL, "Spell", Icon::Spell)]),
    Face::new('g', &[ActFace::new(&GO, "Move", Icon::Move)]),
    Face::new('b', &[ActFace::new(&BRACE, "Set spear", Icon::Spear)]),
    // Acts.
    Face::plain('s', &[ActFace::new(&STRIKE, "Attack", Icon::Strike)]),
    Face::plain('h', &[ActFace::new(&SHOOT, "Shoot", Icon::Shoot)]),
    Face::plain('t', &[ActFace::new(&THROW, "Throw", Icon::Throw)]),
    Face::new('c', &[ActFace::new(&CHARGE, "Charge", Icon::Charge)]),
    Face::new('k', &[ActFace::new(&CAST, "Cast", Icon::Spell)]),
    Face::plain(
        'r',
        &[
            ActFace::new(&AIM, "Release", Icon::Aim),
            ActFace::new(&AIM_PLACE, "Release", Icon::Aim),
        ],
    ),
    Face::new('z', &[ActFace::new(&LET_GO, "Let go", Icon::Close)]),
    Face::new('y', &[ActFace::new(&HOLD, "Hold", Icon::Hold)]),
    Face::new('p', &[ActFace::new(&STAND_UP, "Stand up", Icon::Stand)]),
    Face::plain('a', &[ActFace::new(&BIND, "Bind", Icon::Aid)]),
    Face::plain(
        'o',
        &[
            ActFace::new(&OPEN, "Open", Icon::Door),
            ActFace::new(&CLOSE, "Close", Icon::Door),
        ],
    ),
    Face::new('l', &[ActFace::new(&LEAVE, "Leave", Icon::Fleeing)]),
    Face::plain(
        'v',
        &[
            ActFace::new(&AT_BACK, "Strike", Icon::Snap),
            ActFace::new(&MEET, "Meet", Icon::Spear),
        ],
    ),
];

/// Ten stops: who acts in each, and whose spell takes effect.
fn clock(In(()): In<()>, se: Se) -> Clock {
    let c = &se.clock;
    let due = |id: &Id, n: u8| se.is_up(*id) && se.fighter(*id).due == n;
    let stop = |n: u8| {
        let place = match n.cmp(&c.segment) {
            std::cmp::Ordering::Less => When::Past,
            std::cmp::Ordering::Equal => When::Now,
            std::cmp::Ordering::Greater => When::Later,
        };
        let acts = se.view.ids().filter(|id| due(id, n)).map(Mark::new);
        let spells = se.view.ids().filter_map(|who| {
            let casting = se.casting(who)?;
            let what = format!("{} takes effect", se.view.names().spell(casting.spell));
            (c.segment_of(casting.ready) == i32::from(n)).then(|| Mark {
                what: what.into(),
                ..Mark::new(who)
            })
        });
        Stop {
            tip: format!("Segment {n}: spells take effect first").into(),
            marks: spells.chain(acts).collect(),
            ..Stop::new(n.to_string(), place)
        }
    };
    let now: Vec<Side> = se
        .view
        .ids()
        .filter(|id| c.segment > 0 && due(id, c.segment))
        .map(|id| se.body(id).side)
        .collect();
    let alone = now.iter().all(|side| Some(side) == now.first());
    let moment = match (c.round, c.segment) {
        (0, n) => format!("Surprise segment {n}"),
        (_, 0) => String::from("Declarations"),
        (_, n) if alone => format!("Segment {n}"),
        (_, n) => format!("Segment {n}: all at once"),
    };
    let last = if c.round == 0 { c.surprise } else { 10 };
    Clock {
        round: c.round,
        turn: now.first().copied().filter(|_| alone),
        moment: moment.into(),
        track: (1..=last).map(stop).collect(),
    }
}

fn status(In(who): In<Id>, se: Se) -> Status {
    let (body, f) = (se.body(who), se.fighter(who));
    let names = se.view.names();
    let waits = is_to_act(&se, who);
    let mut conditions = vec![];
    let mut add = |holds: bool, condition: Condition| conditions.extend(holds.then_some(condition));
    let up = body.is_up();
    add(body.prone && up, Condition::bad(Icon::Prone, "Prone"));
    add(
        up && se.is_surprised(who),
        Condition::bad(Icon::Surprised, "Surprised: cannot act"),
    );
    add(
        up && se.is_helpless(who),
        Condition::bad(Icon::Held, "Held fast: helpless, hit at +4"),
    );
    add(
        up && f.is_set(),
        Condition::good(Icon::Spear, "Spear set against a charge"),
    );
    add(
        up && f.charged == Some(se.clock.round),
        Condition::mixed(Icon::Charge, "Charged: AC 1 worse this round"),
    );
    let ward = f.ward.filter(|w| w.1 > se.clock.now());
    add(
        up && ward.is_some(),
        Condition::good(Icon::Defend, "Warded: better AC"),
    );
    add(
        up && f.fear != Fear::None,
        Condition::bad(Icon::Fleeing, "Has lost heart"),
    );
    add(
        body.state == State::Down && f.bleeding,
        Condition::bad(Icon::Bleeding, "Bleeding: 1 HP a round"),
    );
    let plan = match (se.casting(who), f.intent) {
        (Some(c), _) => format!("casting {}: {}", names.spell(c.spell), when(c.ready)),
        (_, Some(intent)) if waits => format!("{}, segment {}", told(intent, names), f.due),
        (_, Some(intent)) => told(intent, names),
        (_, None) if waits => format!("segment {}", f.due),
        _ => String::new(),
    };
    Status {
        pips: vec![Action {
            pip: Pip::Diamond,
            spent: !waits && se.clock.segment > 0,
            word: "Action",
        }],
        plan: plan.into(),
        done: !up || se.clock.segment > 0 && !waits,
        conditions,
        bars: vec![Bar {
            word: "HP",
            now: body.hp,
            most: body.max_hp,
        }],
        ..Status::default()
    }
}

/// Its action of this round is still to come.
fn is_to_act(se: &Se, who: Id) -> bool {
    se.is_up(who) && se.fighter(who).due >= se.clock.segment && se.fighter(who).due > 0
}

fn figures(In(who): In<Id>, se: Se) -> Vec<String> {
    let (body, stats) = (se.body(who), se.stats(who));
    let (melee, ranged) = (se.armour_class(who, false).0, se.armour_class(who, true).0);
    let mut first = format!("HP {} of {}", body.hp, body.max_hp);
    first += &if melee == ranged {
        format!("   AC {melee}")
    } else {
        format!("   AC {melee}, missiles {ranged}")
    };
    first += &format!("   AC 0 on {}", stats.to_hit);
    if let Some(morale) = stats.morale {
        first += &format!("   Morale {morale}%");
    }
    let mut lines = vec![first];
    let items: Vec<_> = se.gear(who).at_hand().collect();
    // Bare hands are the last; they are worth a line to who has nothing else.
    let armed = items.len() - usize::from(items.len() > 1);
    for &item in &items[..armed] {
        let weapon = se.weapon(item);
        let mut line = format!("{} {}", capitalised(&weapon.name), weapon.damage);
        if let Some(shot) = &weapon.ranged {
            line += &format!(", {} / {} ft", shot.normal, shot.long);
            if weapon.segments.rate > 1 {
                line += &format!(", {} a round", weapon.segments.rate);
            }
        }
        if weapon.segments.set {
            line += ", can be set";
        }
        lines.push(line);
    }
    for spell in se.spells(who) {
        let kind = se.view.spell(spell);
        let name = capitalised(&kind.name);
        lines.push(format!("{name}: {} segments", kind.segments.casting));
    }
    if body.state == State::Down && se.fighter(who).bleeding {
        let left = body.hp + 10;
        lines.push(format!("Dies in {left} rounds unless bound"));
    }
    lines
}

/// The blows that a choice stands for, and where they are dealt from.
fn blows(se: &Se, choice: &Choice) -> Option<(Vec<Blow>, Cell)> {
    let by = choice.who?;
    choice.at.and(choice.with)?;
    let verb = choice.verb;
    let here = se.body(by).at;
    if verb == &AT_BACK || verb == &MEET {
        return Some((blows_of(se, choice), here));
    }
    let attacks = [&STRIKE, &CHARGE, &SHOOT, &THROW];
    let from = if verb == &CHARGE { choice.to? } else { here };
    attacks
        .contains(&verb)
        .then(|| (acts::blows(se, choice), from))
}

fn blow(In(choice): In<Choice>, se: Se) -> Option<Result<Shown, Why>> {
    let (all, from) = blows(&se, &choice)?;
    let first = all.first()?;
    let shown = se.forecast_from(first, from).map(|forecast| {
        let rest = all[1..].iter().filter_map(|b| {
            let forecast = se.forecast_from(b, from).ok()?;
            let name = se.view.names().item(b.attack.with);
            let percent = forecast.percent();
            Some(Odds::chance(
                format!("and {name}: {}", dice(&forecast)),
                percent,
                "SE-34",
            ))
        });
        let mut notes: Vec<Odds> = rest.collect();
        let around = se.melee_around(first.attack.by, first.attack.at);
        if first.attack.ranged && around.len() > 1 {
            let names = around.iter().map(|a| se.view.names().name(a.0));
            let names: Vec<_> = names.collect();
            let text = format!("into melee: at one of {}", names.join(", "));
            notes.push(Odds::note(text, "SE-53"));
        }
        told_blow(&se, &choice, first, from, forecast, notes)
    });
    Some(shown)
}

/// "1d8+2: 3 to 10".
fn dice(forecast: &Forecast) -> String {
    let bonus = forecast.damage.bonus();
    let plus = if bonus == 0 {
        String::new()
    } else {
        signed(bonus)
    };
    let (low, high) = forecast.damage.span();
    let times = if forecast.damage.times > 1 {
        ", double"
    } else {
        ""
    };
    format!("{}{plus}{times}: {low} to {high}", forecast.damage.dice)
}

fn told_blow(
    se: &Se,
    choice: &Choice,
    blow: &Blow,
    from: Cell,
    forecast: Forecast,
    notes: Vec<Odds>,
) -> Shown {
    let needs = match forecast.needs() {
        ..=2 => String::from("anything but a 1 hits"),
        n @ 3..=19 => format!("needs {n} or more on d20"),
        _ => String::from("needs a 20"),
    };
    let attack = &blow.attack;
    let here = Space::new(from, se.body(attack.by).size);
    let sight = se.view.board.sight(here, se.body(attack.at).space());
    Shown {
        choice: choice.clone(),
        by: attack.by,
        at: attack.at,
        weapon: se.view.names().item(attack.with).to_owned(),
        against: format!("AC {}: {} in all", forecast.ac, forecast.against()),
        against_modifiers: forecast.ac_modifiers.clone(),
        needs,
        percent: forecast.percent(),
        damage: dice(&forecast),
        drop_percent: forecast.drop_percent(),
        notes,
        cover: sight.cover.unwrap_or(Cover::None),
        worth: forecast.expected_by_200(),
        modifiers: forecast.modifiers,
    }
}

/// What a spell does to each whom it catches.
fn odds(In(choice): In<Choice>, se: Se) -> Vec<Odds> {
    let (Some(who), Some(spell)) = (choice.who, choice.spell) else {
        return vec![];
    };
    let kind = se.view.spell(spell);
    let verb = choice.verb;
    if verb == &SPELL || verb == &CAST {
        let n = kind.segments.casting;
        let text = format!("it takes {n} segments; damage meanwhile spoils it");
        return vec![Odds::note(text, "SE-40")];
    }
    let caught = if verb == &AIM_PLACE {
        let cells = choice.to.map_or(vec![], |to| se.area(who, spell, to));
        se.caught(who, spell, &cells)
    } else {
        choice.at.into_iter().collect()
    };
    let effect = match kind.effect {
        Effect::Damage(dice) => format!("{dice} damage"),
        Effect::Heal(dice) => format!("{} back", hp(dice)),
        Effect::Ward { ac, rounds } => format!("AC {ac} better for {rounds} rounds"),
        Effect::Hold { rounds } => format!("held fast for {rounds} rounds"),
    };
    let odds = |at: Id| {
        let save = se.stats(at).save;
        let fails = (save - 1).clamp(0, 20) as u32 * 5;
        match kind.save {
            Save::None => Odds::note(effect.clone(), "SE-40").of(at),
            Save::Half => {
                let text = format!("{effect}; half with {save} on d20");
                Odds::chance(text, fails, "SE-50").of(at)
            }
            Save::Negates => {
                let text = format!("{effect}; not with {save} on d20");
                Odds::chance(text, fails, "SE-50").of(at)
            }
        }
    };
    caught.into_iter().map(odds).collect()
}

fn hp(dice: Dice) -> String {
    format!("{dice} HP")
}

fn area(In(choice): In<Choice>, se: Se) -> Vec<Cell> {
    match (choice.who, choice.spell, choice.to) {
        (Some(who), Some(spell), Some(to)) if choice.verb == &AIM_PLACE => se.area(who, spell, to),
        _ => vec![],
    }
}

/// SE-52: those at whose feet one leaves; a move's attacks are in its way.
fn draws(In(choice): In<Choice>, se: Se) -> Vec<Drawn> {
    let Some(who) = choice.who.filter(|_| choice.verb == &LEAVE) else {
        return vec![];
    };
    let strikers = se.strikers(who);
    let foes = se.view.ids().filter(|id| strikers & id.bit() != 0);
    let drawn = |by: Id| {
        let blow = |item| Blow::new(by, who, item, false, "SE-52").plus(REAR, "rear", "SE-52");
        let chance = |item| se.forecast(&blow(item)).map_or(0, |f| f.percent());
        Drawn {
            by,
            step: 0,
            percent: se.arms(by).map(chance).max().unwrap_or(0),
        }
    };
    foes.map(drawn).collect()
}

fn threat(In(who): In<Id>, se: Se) -> Option<u16> {
    (se.is_armed(who) && !se.is_helpless(who)).then_some(NEXT_TO)
}
