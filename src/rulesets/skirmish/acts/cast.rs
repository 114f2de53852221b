//! Casting a spell (SK-70): a Main that works at its end. Those next to it
//! strike first, Instants may answer, and a wound in between spoils it.

use super::{Act, declare, provoke};
use crate::{
    battle::{Action, Choice, Id, Offer, SpellId, State, StepOutcome, Why},
    content::{Area, Effect, Spell},
    grid::{Cell, Point, Shape, Space, cells_apart},
    rulesets::skirmish::{
        fighter::ActionCost,
        magic::Spellwork,
        reactions::{Reactions, Trigger},
        sk::Sk,
        spells::Resolve,
    },
};

/// At one creature.
pub static CAST: Action = Action {
    name: "cast",
    order_text: "cast {spell} at {at}",
    log_text: "casts {spell} at {at}",
    rule: "SK-70",
};
/// With its middle in a cell.
pub static CAST_OVER: Action = Action {
    name: "cast over",
    order_text: "cast {spell} over {to}",
    log_text: "casts {spell} over {to}",
    rule: "SK-70",
};
/// From the caster's hands towards a cell.
pub static CAST_TOWARDS: Action = Action {
    name: "cast towards",
    order_text: "cast {spell} towards {to}",
    log_text: "casts {spell} towards {to}",
    rule: "SK-70",
};

pub(super) const ACT: Act = Act {
    verbs: &[&CAST, &CAST_OVER, &CAST_TOWARDS],
    offers,
    begin,
};

/// Only who knows a spell is told of spells.
fn offers(sk: &Sk, who: Id, out: &mut Vec<Offer>) {
    for &spell in sk.view.sheet(who).spells.iter() {
        let kind = sk.view.spell(spell);
        let choice = Choice::new(verb_of(kind), who).spell(spell);
        if let Err(why) = able(sk, who, spell) {
            out.push(Offer::not(choice, why));
            continue;
        }
        let before = out.len();
        if kind.area == Area::One {
            at_creatures(sk, &choice, out);
        } else {
            at_places(sk, &choice, out);
        }
        if out.len() == before {
            let why = Why::new("SK-70", "nobody whom it could reach");
            out.push(Offer::not(choice, why));
        }
    }
}

fn verb_of(kind: &Spell) -> &'static Action {
    match kind.area {
        Area::One => &CAST,
        Area::Blast(_) => &CAST_OVER,
        Area::Cone(_) | Area::Line(_) => &CAST_TOWARDS,
    }
}

fn at_creatures(sk: &Sk, choice: &Choice, out: &mut Vec<Offer>) {
    let (who, kind) = parts(sk, choice);
    for at in sk.view.ids().filter(|&id| is_for(sk, who, kind, id)) {
        let choice = choice.clone().at(at);
        let legal = aim(sk, &choice).map(|_| ());
        out.push(Offer::from(choice, legal));
    }
}

/// Every cell at which somebody would be caught.
fn at_places(sk: &Sk, choice: &Choice, out: &mut Vec<Offer>) {
    let (who, kind) = parts(sk, choice);
    let size = match kind.area {
        Area::Blast(feet) | Area::Cone(feet) | Area::Line(feet) => feet,
        Area::One => 0,
    };
    let far = match kind.area {
        Area::Blast(_) => kind.range,
        // Farther cells show no other way.
        _ => size,
    };
    let here = sk.body(who).space();
    let crowd: Vec<Space> = sk
        .view
        .ids()
        .filter(|&id| sk.is_up(id) && sk.knows_of(who, id))
        .map(|id| sk.body(id).space())
        .collect();
    let feet = |a: Space, b: Space| i32::from(cells_apart(a, b)) * 5;
    for to in sk.view.board.cells() {
        let place = Space::one(to);
        if feet(here, place) > far || !crowd.iter().any(|&c| feet(c, place) <= size) {
            continue;
        }
        let choice = choice.clone().to(to);
        let knows = |caught: Vec<Id>| caught.iter().any(|&id| sk.knows_of(who, id));
        if aim(sk, &choice).is_ok_and(knows) {
            out.push(Offer::legal(choice));
        }
    }
}

fn parts<'a>(sk: &'a Sk, choice: &Choice) -> (Id, &'a Spell) {
    let who = choice.who.expect("a spell has a caster");
    let spell = choice.spell.expect("a casting has a spell");
    (who, sk.view.spell(spell))
}

/// A Main is left, and a casting of this spell; the hands are free (SK-52,
/// decided).
fn able(sk: &Sk, who: Id, spell: SpellId) -> Result<(), Why> {
    sk.needs_main(who)?;
    if sk.in_grapple(who) {
        return Err(Why::new("SK-52", "no hand is free for it in a grapple"));
    }
    if sk.castings_left(who, spell).is_some_and(|n| n <= 0) {
        return Err(Why::new("SK-70", "it has been cast as often as it can be"));
    }
    Ok(())
}

/// Whether a spell on one creature is meant for this one: harm for foes, help
/// for friends.
fn is_for(sk: &Sk, who: Id, kind: &Spell, at: Id) -> bool {
    let body = sk.body(at);
    if !sk.knows_of(who, at) {
        return false;
    }
    let friend = body.side == sk.body(who).side;
    match &kind.effect {
        Effect::Heal(_) => friend && matches!(body.state, State::Up | State::Down),
        _ => friend != kind.effect.harms() && body.is_up(),
    }
}

/// Those whom the spell catches, in id order, or why it cannot be aimed so. The
/// same function lists it, resolves it and shows it.
pub fn aim(sk: &Sk, choice: &Choice) -> Result<Vec<Id>, Why> {
    let (who, kind) = parts(sk, choice);
    if let Some(at) = choice.at {
        return at_one(sk, who, kind, at).map(|()| vec![at]);
    }
    let (origin, shape) = area(sk, choice)?;
    let covered = |id: &Id| {
        let mut cells = sk.body(*id).space().cells();
        cells.any(|cell| sk.view.board.is_covered(origin, shape, cell))
    };
    let all = sk.view.ids().filter(|&id| sk.is_up(id));
    // A cone or a line leaves the caster's hands and does not come back.
    let caught = all.filter(|&id| id != who || matches!(shape, Shape::Blast(_)));
    Ok(caught.filter(covered).collect())
}

fn at_one(sk: &Sk, who: Id, kind: &Spell, at: Id) -> Result<(), Why> {
    if !is_for(sk, who, kind, at) {
        return Err(Why::new("SK-70", "it does nothing to this one"));
    }
    let body = sk.body(at);
    if matches!(kind.effect, Effect::Heal(_)) && body.is_up() && body.hp >= body.max_hp {
        return Err(Why::new("SK-70", "unhurt"));
    }
    if who == at {
        return Ok(());
    }
    if !sk.view.within(who, at, feet(kind.range)) {
        return Err(Why::new("SK-70", format!("beyond {} ft", kind.range)));
    }
    if !sk.view.board.sight(sk.body(who).space(), body.space()).los {
        return Err(Why::new("GR-10", "no line of sight"));
    }
    if body.side != sk.body(who).side && sk.is_unseen(at, sk.body(who).space()) {
        return Err(Why::new("SK-31", "the caster does not see it"));
    }
    Ok(())
}

/// From where a spell spreads and how, as far as it can be aimed so (GR-41).
fn area(sk: &Sk, choice: &Choice) -> Result<(Point, Shape), Why> {
    let (who, kind) = parts(sk, choice);
    let to = choice.to.expect("an area has a place");
    let board = &sk.view.board;
    let nowhere = || Why::new("GR-41", "there is no room for it");
    let here = sk.body(who).space();
    let target = board.centre(Space::one(to)).ok_or_else(nowhere)?;
    let origin = board.centre(here).ok_or_else(nowhere)?;
    let shape = match kind.area {
        Area::Cone(length) => Shape::Cone(target, feet(length)),
        Area::Line(length) => Shape::Line(target, feet(length)),
        Area::Blast(radius) => {
            let place = Space::one(to);
            if !board.can_stand(place) {
                return Err(nowhere());
            }
            if !here.contains(to) && !board.within(here, place, feet(kind.range)) {
                return Err(Why::new("SK-70", format!("beyond {} ft", kind.range)));
            }
            if !board.sight(here, place).los {
                return Err(Why::new("GR-10", "no line of sight"));
            }
            return Ok((target, Shape::Blast(feet(radius))));
        }
        Area::One => return Err(nowhere()),
    };
    if here.contains(to) {
        return Err(Why::new("SK-70", "it needs a direction"));
    }
    Ok((origin, shape))
}

/// The cells that a casting covers; none for a spell on one creature (GR-41).
pub fn cells(sk: &Sk, choice: &Choice) -> Vec<Cell> {
    if choice.spell.is_none() || choice.to.is_none() {
        return vec![];
    }
    let spread = area(sk, choice);
    spread.map_or(vec![], |(origin, shape)| sk.view.board.area(origin, shape))
}

fn feet(n: i32) -> u16 {
    n.clamp(0, 30_000) as u16
}

fn begin(sk: &Sk, choice: &Choice) -> StepOutcome {
    let who = choice.who.expect("a spell has a caster");
    let spell = choice.spell.expect("a casting has a spell");
    let begun = Spellwork::Begun { who, spell };
    let mut outcome = declare(choice, ActionCost::Main).and("SK-70", begun.event());
    provoke(sk, who, "SK-70", &mut outcome);
    outcome.push(Reactions::open(Trigger::Casting { by: who }));
    outcome.then(Resolve {
        choice: choice.clone(),
        hp: sk.body(who).hp,
    })
}
