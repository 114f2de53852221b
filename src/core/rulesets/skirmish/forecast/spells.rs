//! What spells would do under Skirmish, and to which units.

use super::attacks::casts_unhurt;
use crate::rulesets::common::{
    damage::Odds,
    forecast::{save_text, spell_drops},
};
use crate::rulesets::skirmish::{acts::cast, query::SkirmishQuery};
use crate::{
    battle::{Choice, Id, OddsLine},
    content::{Effect, Save},
};

/// The castings left and the chance that no provoked attack spoils the spell, then for each unit
/// that would be caught the effect, the chance of it, and the chance to drop the unit.
pub fn odds(sk: &SkirmishQuery, choice: &Choice) -> Option<Vec<OddsLine>> {
    let (caster, id) = (choice.who?, choice.spell?);
    let spell = sk.view.spell(id);
    let left = sk.fighter(caster).castings.left(id, spell);
    let left = left.map(|left| OddsLine::note(format!("casts left: {left}"), "SK-70"));
    let Ok(caught) = cast::aim(sk, choice) else {
        return Some(Vec::from_iter(left));
    };
    let names = sk.view.names();
    let unhurt = casts_unhurt(sk, caster);
    let is_safe = unhurt.percent() == 100;
    let chance = || OddsLine::chance("Caster unhurt, or it is lost", unhurt.percent(), "SK-70");
    let effect = match spell.effect {
        Effect::Damage(dice) => format!("{dice} damage, {} to {}", dice.min(), dice.max()),
        _ => spell.effect.effect_text(names.defense()),
    };
    let lines = |who: Id| {
        let needs = sk.save_needs(who, 0);
        let fails = match spell.save {
            Save::None => Odds::SURE,
            _ => Odds::d20(needs - 1),
        };
        let percent = unhurt.and(fails).percent();
        let odds = match spell.save {
            Save::None => OddsLine::chance(effect.clone(), percent, "SK-70"),
            save if is_safe => {
                let text = format!("{effect}; {}", save_text(needs, save));
                OddsLine::failed_save(text, percent, "SK-70")
            }
            save => {
                let text = format!("{effect}; caster unhurt, {}", save_text(needs, save));
                OddsLine::chance(text, percent, "SK-70")
            }
        };
        let drops = spell_drops(spell, unhurt, fails.percent(), sk.body(who).hp);
        let drops = drops.map(|text| OddsLine::note(text, "SK-70"));
        let lines = [odds].into_iter().chain(drops);
        lines.map(move |odds| odds.each(who, names))
    };
    let lead = left.into_iter().chain((!is_safe).then(chance));
    Some(lead.chain(caught.into_iter().flat_map(lines)).collect())
}
