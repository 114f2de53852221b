//! Innate abilities, and naming the target of a spell (PH-18, PH-23).

use super::row::*;
use crate::rulesets::phased::{concentration, content::Craft, spells};
use crate::{battle::SpellId, content::SpellArea, grid::Space, rulesets::common::hiding::knows_of};

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
            Chances::Odds(attacks_of::spell), |eval, offer| ai::aimed(eval, &offer.choice), provoking;
        AIM_AT_PLACE: 'm' "Aim spell" Spell (plain, last), "",
            Chances::Odds(attacks_of::spell), |eval, offer| ai::aimed(eval, &offer.choice), provoking;
        USE_ON: 'm' "Power" Spell (plain, last), "",
            Chances::Odds(attacks_of::spell), |eval, offer| ai::aimed(eval, &offer.choice);
        USE: 'm' "Power" Spell (plain, last), "",
            Chances::Odds(attacks_of::spell), |eval, offer| ai::aimed(eval, &offer.choice);
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
    spells.filter(|&s| ph.spell_numbers(s).craft == Craft::Innate)
}

/// Whether the unit has a target to name or an ability to use.
pub fn is_due(ph: &PhasedQuery, who: Id) -> bool {
    let can_use = |s| spells::can_begin(ph, who, s).is_ok();
    spells::must_aim(ph, who) || innate(ph, who).any(can_use)
}

fn offers(ph: &PhasedQuery, who: Id, out: &mut Vec<Offer>) {
    let casting = ph.fighter(who).casting;
    if let Some(casting) = casting.filter(|_| spells::must_aim(ph, who)) {
        aims(ph, who, casting.spell, [&AIM, &AIM_AT_PLACE], out);
    }
    for spell in innate(ph, who) {
        match spells::can_begin(ph, who, spell) {
            Ok(()) => aims(ph, who, spell, [&USE_ON, &USE], out),
            Err(why) => out.push(Offer::not(Choice::new(&USE_ON, who).spell(spell), why)),
        }
    }
}

/// The targets at which the unit can aim a spell or ability now: units, or cells for an area.
fn aims(
    ph: &PhasedQuery,
    who: Id,
    spell: SpellId,
    [at_unit, at_place]: [&'static Action; 2],
    out: &mut Vec<Offer>,
) {
    let known = ph.view.spell(spell);
    let base = Choice::new(at_unit, who).spell(spell);
    if known.area == SpellArea::One {
        // A spell's range and line of effect are checked when the casting completes (PH-26).
        let legal = |id| match at_unit == &AIM {
            true => Ok(()),
            false => spells::can_affect(ph, who, known, id),
        };
        let all = ph.view.ids();
        let subjects = all.filter(|&id| spells::is_subject(ph, who, known, id));
        out.extend(subjects.map(|id| Offer::from(base.clone().at(id), legal(id))));
        return;
    }
    let there = |cell| Choice::new(at_place, who).spell(spell).to(cell);
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
    let cells = cells.into_iter().map(|cell| Offer::legal(there(cell)));
    let why = Why::new("PH-26", "no line of effect to anywhere");
    list_or(cells, base, why, out);
    let barred = barred.into_iter();
    out.extend(barred.map(|(cell, why)| Offer::not(there(cell), why)));
}

/// The cells at which to aim near a unit: for a blast, its cells and those around it; for other
/// areas, its own cells.
fn around(body: Space, area: SpellArea) -> Vec<Cell> {
    let mut out: Vec<Cell> = body.cells().collect();
    if matches!(area, SpellArea::Blast(_)) {
        out.extend(body.cells().flat_map(|c| c.neighbours()));
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
    let known = ph.spell_numbers(spell);
    let minor = PhasedEvent::Minor {
        who,
        simple: false,
        segments: known.segments,
        lags: false,
    };
    // An ability that needs concentration ends a spell that is kept up (PH-21).
    if known.upkeep {
        concentration::lets_go(ph, who, outcome);
    }
    outcome.emit("PH-11", minor);
    outcome.emit("PH-18", spells::used(ph, who, spell));
}
