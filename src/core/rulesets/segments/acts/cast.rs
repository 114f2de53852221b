//! Beginning a declared spell (SE-20, SE-40).

use super::row::*;
use crate::rulesets::segments::{content::SegmentsSpell, state::Casting};

verbs! {
    CAST = "cast", "cast {spell}", "begins to cast {spell}", "SE-40";
}

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        CAST: 'm' "Cast" Spell (plain), "Casting starts in this segment. Lost if the caster is damaged first.",
            Chances::Odds(attacks_of::casting_now), |eval, offer| eval.stay() + eval.undisrupted_worth(&offer.choice).unwrap_or(-50);
    },
    when: When::Other,
    offers: |se, who, out| {
        for &spell in se.view.sheet(who).spells.iter() {
            let choice = Choice::new(&CAST, who).spell(spell);
            let may = se.may(who, DeclaredKind::Cast(spell));
            let legal = may.and_then(|()| se.needs_casting(who, spell));
            out.push(Offer::from(choice, legal));
        }
    },
    begin: |se, choice| begin(se, choice).into(),
};

/// SE-40: the current segment is the first of the casting time.
fn begin(se: &SegmentsQuery, choice: &Choice) -> StepOutcome {
    let who = choice.actor();
    let spell = choice.spell.expect("a casting has a spell");
    let ready = se.clock.now() + se.view.spell(spell).section::<SegmentsSpell>().casting;
    let casting = Casting { spell, ready };
    let ends = se.clock.surprise_segment_of(ready);
    // A spell that is not ready by the tenth segment continues in the next round.
    let carries_over = se.clock.round > 0 && se.clock.segment_of(ready) > numbers::ROUND;
    let rule = if carries_over { "SE-41" } else { "SE-40" };
    StepOutcome::announcing(choice).and(rule, SegmentsEvent::CastBegan { who, casting, ends })
}
