//! Innate abilities, and naming the target of a spell (PH-18, PH-23).

use super::{Begun, announce, row::*};
use crate::{
    battle::{Action, Choice, Id, Offer, SpellId, StepOutcome, Why},
    content::SpellArea,
    grid::{Cell, Space},
    rulesets::{
        common::hiding::knows_of,
        phased::{
            Phased, concentration,
            content::{Craft, PhasedSpell},
            events::PhasedEvent,
            query::PhasedQuery,
            spells,
            state::PhasePart,
        },
    },
};

verbs! {
    /// Names a unit as the target of a spell; [`AIM_AT_PLACE`] names a cell.
    AIM = "aim", "aim {spell} at {at}", "names {at} as the target of {spell}", "PH-23";
    AIM_AT_PLACE = "aim there", "aim {spell} at {to}", "names {to} as the place of {spell}",
        "PH-23";
    USE_ON = "use", "use {spell} on {at}", "uses {spell} on {at}", "PH-18";
    USE = "use there", "use {spell} at {to}", "uses {spell} at {to}", "PH-18";
}
pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        // Aiming next to an enemy provokes attacks.
        AIM: 'm' "Aim spell" Spell (plain, last), "",
            Chances::Odds(attacks_of::spell), |eval, _, offer| ai::aimed(eval, &offer.choice), provoking;
        AIM_AT_PLACE: 'm' "Aim spell" Spell (plain, last), "",
            Chances::Odds(attacks_of::spell), |eval, _, offer| ai::aimed(eval, &offer.choice), provoking;
        USE_ON: 'm' "Power" Spell (plain, last), "",
            Chances::Odds(attacks_of::spell), |eval, _, offer| ai::aimed(eval, &offer.choice);
        USE: 'm' "Power" Spell (plain, last), "",
            Chances::Odds(attacks_of::spell), |eval, _, offer| ai::aimed(eval, &offer.choice);
    },
    when: When {
        at_once: &[&AIM, &AIM_AT_PLACE, &USE_ON, &USE],
        ..When::of(PhasePart::Innate)
    },
    offers,
    begin,
};

fn innate(ph: &PhasedQuery, who: Id) -> impl Iterator<Item = SpellId> {
    let spells = ph.view.sheet(who).spells.iter().copied();
    spells.filter(|&s| ph.view.spell(s).section::<PhasedSpell>().craft == Craft::Innate)
}

/// Whether the unit has a target to name or an ability to use.
pub fn is_due(ph: &PhasedQuery, who: Id) -> bool {
    if spells::must_aim(ph, who) {
        return true;
    }
    innate(ph, who).any(|s| spells::can_begin(ph, who, s).is_ok())
}

fn offers(ph: &PhasedQuery, who: Id, out: &mut Vec<Offer>) {
    if let Some(casting) = ph
        .fighter(who)
        .casting
        .filter(|_| spells::must_aim(ph, who))
    {
        out.extend(by_aim(aims(ph, who, casting.spell, &AIM), &AIM_AT_PLACE));
    }
    for spell in innate(ph, who) {
        match spells::can_begin(ph, who, spell) {
            Ok(()) => out.extend(by_aim(aims(ph, who, spell, &USE_ON), &USE)),
            Err(why) => out.push(Offer::not(Choice::new(&USE_ON, who).spell(spell), why)),
        }
    }
}

/// Offers aimed at a cell get an action of their own.
fn by_aim(mut offers: Vec<Offer>, at_place: &'static Action) -> Vec<Offer> {
    for offer in offers.iter_mut().filter(|o| o.choice.to.is_some()) {
        offer.choice.verb = at_place;
    }
    offers
}

/// The targets at which the unit can aim a spell or ability now.
fn aims(ph: &PhasedQuery, who: Id, spell: SpellId, verb: &'static Action) -> Vec<Offer> {
    let known = ph.view.spell(spell);
    let base = Choice::new(verb, who).spell(spell);
    let mut out = vec![];
    if known.area == SpellArea::One {
        // A spell's range and line of effect are checked when the casting completes (PH-26).
        let later = verb == &AIM;
        for id in ph
            .view
            .ids()
            .filter(|&id| spells::is_subject(ph, who, known, id))
        {
            let legal = match later {
                true => Ok(()),
                false => spells::can_affect(ph, who, known, id),
            };
            out.push(Offer::from(base.clone().at(id), legal));
        }
        return out;
    }
    let (mut cells, mut barred): (Vec<Cell>, Vec<(Cell, Why)>) = (vec![], vec![]);
    // The unit does not know about hidden enemies (PH-06).
    let is_known = |&id: &Id| ph.is_up(id) && id != who && knows_of::<Phased>(ph, who, id);
    for id in ph.view.ids().filter(is_known) {
        let body = ph.body(id).space();
        for cell in around(body, known.area) {
            let new = !cells.contains(&cell) && ph.view.board.contains(cell);
            if !new || !ph.view.board.can_stand(cell.into()) {
                continue;
            }
            match spells::can_point(ph, who, known, cell) {
                Ok(()) => cells.push(cell),
                // Only cells with a unit, the likely targets, come with the reason.
                Err(why) if body.at == cell => barred.push((cell, why)),
                Err(_) => {}
            }
        }
    }
    out.extend(
        cells
            .into_iter()
            .map(|cell| Offer::legal(base.clone().to(cell))),
    );
    if out.is_empty() {
        out.push(Offer::not(
            base.clone(),
            Why::new("PH-26", "no line of effect to anywhere"),
        ));
    }
    let barred = barred.into_iter();
    out.extend(barred.map(|(cell, why)| Offer::not(base.clone().to(cell), why)));
    out
}

/// The cells at which to aim near a unit: for a blast, its cells and those around it; for other
/// areas, its own cells.
fn around(body: Space, area: SpellArea) -> Vec<Cell> {
    let own: Vec<Cell> = body.cells().collect();
    let mut out = own.clone();
    if matches!(area, SpellArea::Blast(_)) {
        out.extend(own.iter().flat_map(|c| c.neighbours()));
    }
    out
}

fn begin(ph: &PhasedQuery, choice: &Choice) -> Begun {
    let mut outcome = announce(ph, choice);
    if is_use(choice) {
        use_ability(ph, choice, &mut outcome);
        return Begun {
            actions: vec![choice.clone()],
            ..outcome.into()
        };
    }
    let who = choice.actor();
    let (at, to) = (choice.at, choice.to.map(|c| (c.x, c.y)));
    let aims = PhasedEvent::Aims { who, at, to };
    outcome.and("PH-23", aims).into()
}

/// Whether the choice uses an ability rather than aims a spell.
pub fn is_use(choice: &Choice) -> bool {
    choice.verb == &USE_ON || choice.verb == &USE
}

/// PH-18: using an ability is minor, and its segments count towards the major action (PH-11). The
/// effect is a separate step.
fn use_ability(ph: &PhasedQuery, choice: &Choice, outcome: &mut StepOutcome) {
    let who = choice.actor();
    let spell = choice.spell.expect("an ability has a name");
    let known = ph.view.spell(spell).section::<PhasedSpell>();
    let (simple, segments, lags) = (false, known.segments, false);
    let is_spell = known.is_spell;
    let minor = PhasedEvent::Minor {
        who,
        simple,
        segments,
        lags,
    };
    // An ability that needs concentration ends a spell that is kept up (PH-21).
    if known.upkeep {
        concentration::lets_go(ph, who, outcome);
    }
    let SpellId(spell) = spell;
    let used = PhasedEvent::Used {
        who,
        spell,
        is_spell,
    };
    outcome.emit("PH-11", minor);
    outcome.emit("PH-18", used);
}
