//! Innate abilities, and naming the target of a spell (PH-18, PH-23).

use super::Act;
use crate::rulesets::phased::content::{Craft, PhasedSpell};
use crate::{
    battle::{Action, Choice, EventKind, Id, Offer, SpellId, StepOutcome},
    rulesets::phased::{
        concentration,
        events::PhasedEvent,
        ph::Ph,
        reactions::{Reactions, Trigger},
        spells,
        state::Part,
    },
};

/// The target of a spell under way is a creature, or a place.
pub static AIM: Action = Action {
    name: "aim",
    order_text: "aim {spell} at {at}",
    log_text: "names {at} as the target of {spell}",
    rule: "PH-23",
};
pub static AIM_AT_PLACE: Action = Action {
    name: "aim there",
    order_text: "aim {spell} at {to}",
    log_text: "names {to} as the place of {spell}",
    rule: "PH-23",
};
pub static USE_ON: Action = Action {
    name: "use",
    order_text: "use {spell} on {at}",
    log_text: "uses {spell} on {at}",
    rule: "PH-18",
};
pub static USE: Action = Action {
    name: "use there",
    order_text: "use {spell} at {to}",
    log_text: "uses {spell} at {to}",
    rule: "PH-18",
};
/// An immediate spell, on oneself.
pub static CAST: Action = Action {
    name: "cast at once",
    order_text: "cast {spell} at once",
    log_text: "casts {spell} at once",
    rule: "PH-10",
};

pub(super) const ACT: Act = Act {
    verbs: &[&AIM, &AIM_AT_PLACE, &USE_ON, &USE],
    when: |part| part == Part::Innate || part.is_whole_turn(),
    offers,
    begin,
};

fn innate(ph: &Ph, who: Id) -> impl Iterator<Item = SpellId> {
    let spells = ph.view.sheet(who).spells.iter().copied();
    spells.filter(|&s| ph.view.spell(s).section::<PhasedSpell>().craft == Craft::Innate)
}

/// It has a target to name, or an ability that it could use.
pub fn is_due(ph: &Ph, who: Id) -> bool {
    if spells::must_aim(ph, who) {
        return true;
    }
    innate(ph, who).any(|s| spells::can_begin(ph, who, s).is_ok())
}

fn offers(ph: &Ph, who: Id, out: &mut Vec<Offer>) {
    if let Some(casting) = ph
        .fighter(who)
        .casting
        .filter(|_| spells::must_aim(ph, who))
    {
        out.extend(by_aim(
            spells::aims(ph, who, casting.spell, &AIM),
            &AIM_AT_PLACE,
        ));
    }
    for spell in innate(ph, who) {
        match spells::can_begin(ph, who, spell) {
            Ok(()) => out.extend(by_aim(spells::aims(ph, who, spell, &USE_ON), &USE)),
            Err(why) => out.push(Offer::not(Choice::new(&USE_ON, who).spell(spell), why)),
        }
    }
}

/// Those that are aimed at a place have a verb of their own.
fn by_aim(mut offers: Vec<Offer>, at_place: &'static Action) -> Vec<Offer> {
    for offer in offers.iter_mut().filter(|o| o.choice.to.is_some()) {
        offer.choice.verb = at_place;
    }
    offers
}

fn begin(ph: &Ph, choice: &Choice) -> StepOutcome {
    let who = choice.who.expect("an act has an actor");
    let outcome = StepOutcome::default().and(
        choice.verb.rule,
        EventKind::Acted {
            choice: choice.clone(),
        },
    );
    if choice.verb == &AIM || choice.verb == &AIM_AT_PLACE {
        let to = choice.to.map(|c| (c.x, c.y));
        let outcome = outcome.and(
            "PH-23",
            PhasedEvent::Aims {
                who,
                at: choice.at,
                to,
            }
            .event(),
        );
        // To cast with a foe at one's throat gives it an opening (PH-41).
        return outcome.then(Reactions::open(Trigger::Opening {
            by: who,
            rule: "PH-41",
        }));
    }
    let mut outcome = outcome;
    use_ability(ph, choice, &mut outcome);
    outcome.then(spells::Unleash {
        choices: vec![choice.clone()],
    })
}

/// The choice is to use an ability, not to aim a spell.
pub fn is_use(choice: &Choice) -> bool {
    choice.verb == &USE_ON || choice.verb == &USE
}

/// PH-18: minor, and its segments count towards the major action (PH-11). Its
/// effect is another step.
pub fn use_ability(ph: &Ph, choice: &Choice, outcome: &mut StepOutcome) {
    let who = choice.who.expect("an act has an actor");
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
    // What itself needs concentration ends what was kept up (PH-21).
    if known.upkeep {
        concentration::lets_go(ph, who, outcome);
    }
    let SpellId(spell) = spell;
    let used = PhasedEvent::Used {
        who,
        spell,
        is_spell,
    };
    outcome.emit("PH-11", minor.event());
    outcome.emit("PH-18", used.event());
}
