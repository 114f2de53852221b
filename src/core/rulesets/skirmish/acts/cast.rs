//! Casting a spell (SK-70): a Main that takes effect at its end. Adjacent enemies may attack first,
//! units may react with Instants, and a wound in between spoils the spell.

use super::row::*;
use crate::rulesets::common::{areas, hiding::knows_of};
use crate::rulesets::skirmish::{
    magic::CastingEvent,
    spells::Resolve,
    triggers::{Reactions, Trigger},
};
use crate::{
    battle::SpellId,
    content::{Effect, Spell, SpellArea},
    grid::{Space, cells_apart},
};

verbs! {
    /// A spell on one creature.
    CAST = "cast", "cast {spell} at {at}", "casts {spell} at {at}", "SK-70";
    /// A spell with its centre in a cell.
    CAST_OVER = "cast over", "cast {spell} over {to}", "casts {spell} over {to}", "SK-70";
    /// A spell from the caster's hands towards a cell.
    CAST_TOWARDS = "cast towards", "cast {spell} towards {to}", "casts {spell} towards {to}",
        "SK-70";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        CAST: 'm' "Cast" Spell, "Main action. Lost if the caster is wounded first.",
            Chances::Odds(spells::odds), |eval, offer| eval.staying(eval.cast(&offer.choice)), provoking;
        CAST_OVER: 'm' "Cast" Spell, "Main action. Lost if the caster is wounded first.",
            Chances::Odds(spells::odds), |eval, offer| eval.staying(eval.cast(&offer.choice)), provoking;
        CAST_TOWARDS: 'm' "Cast" Spell, "Main action. Lost if the caster is wounded first.",
            Chances::Odds(spells::odds), |eval, offer| eval.staying(eval.cast(&offer.choice)), provoking;
    },
    when: (),
    offers,
    begin,
};

/// Units that know no spells get no offers here, not even blocked ones.
fn offers(sk: &SkirmishQuery, who: Id, out: &mut Vec<Offer>) {
    for &spell in sk.view.sheet(who).spells.iter() {
        let kind = sk.view.spell(spell);
        let choice = Choice::new(verb_of(kind), who).spell(spell);
        if let Err(why) = able(sk, who, spell) {
            out.push(Offer::not(choice, why));
            continue;
        }
        let before = out.len();
        if kind.area == SpellArea::One {
            at_creatures(sk, &choice, out);
        } else {
            at_places(sk, &choice, out);
        }
        if out.len() == before {
            let why = Why::new("SK-70", "no target within reach");
            out.push(Offer::not(choice, why));
        }
    }
}

fn verb_of(kind: &Spell) -> &'static Action {
    match kind.area {
        SpellArea::One => &CAST,
        SpellArea::Blast(_) => &CAST_OVER,
        SpellArea::Cone(_) | SpellArea::Line(_) => &CAST_TOWARDS,
    }
}

fn at_creatures(sk: &SkirmishQuery, choice: &Choice, out: &mut Vec<Offer>) {
    let (who, kind) = parts(sk, choice);
    for at in sk.view.ids().filter(|&id| is_for(sk, who, kind, id)) {
        let choice = choice.clone().at(at);
        let legal = aim(sk, &choice).map(|_| ());
        out.push(Offer::from(choice, legal));
    }
}

/// Offers every cell at which the spell would catch a unit.
fn at_places(sk: &SkirmishQuery, choice: &Choice, out: &mut Vec<Offer>) {
    let (who, kind) = parts(sk, choice);
    let (size, far) = match kind.area {
        SpellArea::Blast(feet) => (feet, kind.range),
        // Aiming farther gives no new directions.
        SpellArea::Cone(feet) | SpellArea::Line(feet) => (feet, feet),
        SpellArea::One => (0, 0),
    };
    let here = sk.body(who).space();
    let knows = |id: Id| knows_of::<Skirmish>(sk, who, id);
    let crowd = sk.view.ids().filter(|&id| sk.is_up(id) && knows(id));
    let crowd: Vec<Space> = crowd.map(|id| sk.body(id).space()).collect();
    let feet = |a: Space, b: Space| i32::from(cells_apart(a, b)) * 5;
    for to in sk.view.board.cells() {
        let place = Space::one(to);
        if feet(here, place) > far || !crowd.iter().any(|&c| feet(c, place) <= size) {
            continue;
        }
        let choice = choice.clone().to(to);
        if aim(sk, &choice).is_ok_and(|caught| caught.into_iter().any(knows)) {
            out.push(Offer::legal(choice));
        }
    }
}

fn parts<'a>(sk: &'a SkirmishQuery, choice: &Choice) -> (Id, &'a Spell) {
    let who = choice.actor();
    let spell = choice.spell.expect("a casting has a spell");
    (who, sk.view.spell(spell))
}

/// Checks for a Main, a casting of this spell, and free hands (SK-52, decided).
fn able(sk: &SkirmishQuery, who: Id, spell: SpellId) -> Result<(), Why> {
    sk.needs_main(who)?;
    Why::new("SK-52", "no hand is free for it in a grapple").when(sk.in_grapple(who))?;
    let kind = sk.view.spell(spell);
    sk.fighter(who).castings.needs_left(spell, kind, "SK-70")
}

/// Whether a spell on one creature makes sense on this target, as far as the caster knows.
fn is_for(sk: &SkirmishQuery, who: Id, kind: &Spell, at: Id) -> bool {
    knows_of::<Skirmish>(sk, who, at) && areas::suits(&sk.view, who, kind, at)
}

/// The units that the spell catches, in id order, or why it cannot be aimed so. Offers, forecasts
/// and resolution all use this function.
pub fn aim(sk: &SkirmishQuery, choice: &Choice) -> Result<Vec<Id>, Why> {
    let (who, kind) = parts(sk, choice);
    if let Some(at) = choice.at {
        return at_one(sk, who, kind, at).map(|()| vec![at]);
    }
    let to = place(sk, choice)?;
    Ok(areas::caught(&sk.view, who, kind, to, |id| sk.is_up(id)))
}

fn at_one(sk: &SkirmishQuery, who: Id, kind: &Spell, at: Id) -> Result<(), Why> {
    Why::new("SK-70", "it has no effect on this target").unless(is_for(sk, who, kind, at))?;
    let body = sk.body(at);
    Why::new("SK-70", "unhurt")
        .when(matches!(kind.effect, Effect::Heal(_)) && body.is_up() && body.hp >= body.max_hp)?;
    if who == at {
        return Ok(());
    }
    areas::in_range(&sk.view, who, kind.range, body.space(), "SK-70")?;
    Why::new("SK-31", "the caster does not see the target")
        .when(body.side != sk.body(who).side && sk.is_unseen(at, sk.body(who).space()))
}

/// The space at which a spell with an area is aimed, or why it cannot be (GR-41).
fn place(sk: &SkirmishQuery, choice: &Choice) -> Result<Space, Why> {
    let (who, kind) = parts(sk, choice);
    let to = choice.to.expect("an area has a place").into();
    Why::new("GR-41", "there is no room for it")
        .when(areas::spread(&sk.view, who, kind, to).is_none())?;
    if matches!(kind.area, SpellArea::Blast(_)) {
        Why::new("GR-41", "there is no room for it").unless(sk.view.board.can_stand(to))?;
        areas::in_range(&sk.view, who, kind.range, to, "SK-70")?;
    } else if sk.body(who).space().overlaps(to) {
        return Err(Why::new("SK-70", "it needs a direction"));
    }
    Ok(to)
}

/// The cells that a casting covers; none for a spell on one creature (GR-41).
pub fn cells(sk: &SkirmishQuery, choice: Choice) -> Vec<Cell> {
    if choice.spell.is_none() || choice.to.is_none() {
        return vec![];
    }
    let (who, kind) = parts(sk, &choice);
    place(sk, &choice).map_or(vec![], |to| areas::cells(&sk.view, who, kind, to))
}

fn begin(sk: &SkirmishQuery, choice: &Choice) -> StepOutcome {
    let who = choice.actor();
    let spell = choice.spell.expect("a casting has a spell");
    declare(sk, choice, ActionCost::Main)
        .and("SK-70", CastingEvent::Begun { who, spell })
        .then(Reactions::open(Trigger::Casting { by: who }))
        .then(Resolve {
            choice: choice.clone(),
            hp: sk.body(who).hp,
        })
}
