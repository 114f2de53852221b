//! Declaring spells: their power points and casting time (AC-03, AC-12).

use super::{room, row::*};
use crate::{
    battle::{Choice, Id, Offer, SpellId, Why},
    rulesets::activity::{
        content::ActivitySpell,
        declared::SPELL,
        query::ActivityQuery,
        spells::{Cast, aims},
        state::{ActionKind, PlannedAction},
    },
};

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        SPELL: 'm' "Cast" Spell (plain), "Cast a spell: 20% of the round per power point.",
            Chances::Odds(attacks_of::plan), |_, _, _| -1;
        targets::CAST_AT: 'm' "Cast" Spell (plain, last), "",
            Chances::Odds(attacks_of::cast), |eval, _, offer| eval.spell_worth(&offer.choice);
        targets::CAST_TO: 'm' "Cast" Spell (plain, last), "",
            Chances::Odds(attacks_of::cast), |eval, _, offer| eval.spell_worth(&offer.choice);
    },
    when: ActionCost {
        is: |deed| matches!(deed, ActionKind::Spell { .. } | ActionKind::Instant { .. }),
        cost: |ac, _, deed| match deed {
            ActionKind::Spell { points, .. } => points * ac.tables().costs.spell_per_point,
            _ => ac.tables().costs.instantaneous,
        },
        begin: Begin::Aimed {
            targets: |ac, who, planned| spell(planned).map_or(vec![], |(s, _)| aims(ac, who, s)),
            begin: |_, planned, choice, doing| {
                if let Some((spell, points)) = spell(planned) {
                    doing.casts.push(Cast {
                        who: choice.actor(),
                        spell,
                        points,
                        haste: planned.haste,
                        at: choice.at,
                        to: choice.to,
                    });
                }
            },
        },
    },
    offers: spells,
    begin: |ac, choice| {
        let spell = choice.spell.expect("a spell is chosen");
        let points = choice.number.unwrap_or(0);
        match ac
            .view
            .spell(spell)
            .section::<ActivitySpell>()
            .instantaneous
        {
            true => ActionKind::Instant { spell, points },
            false => ActionKind::Spell { spell, points },
        }
    },
};

/// The planned spell and its power points. `None` if the action is not a spell.
fn spell(planned: &PlannedAction) -> Option<(SpellId, i32)> {
    match planned.deed {
        ActionKind::Spell { spell, points } | ActionKind::Instant { spell, points } => {
            Some((spell, points))
        }
        _ => None,
    }
}

fn spells(ac: &ActivityQuery, who: Id, out: &mut Vec<Offer>) {
    for &spell in ac.view.sheet(who).spells.iter() {
        let kind = ac.view.spell(spell);
        let choice = Choice::new(&SPELL, who).spell(spell);
        let actor = ac.actor(who);
        let most = kind
            .section::<ActivitySpell>()
            .most
            .min(actor.power - actor.pledged());
        match may_cast(ac, who, spell) {
            Ok(()) => {
                out.push(Offer::legal(choice).ranging(kind.section::<ActivitySpell>().points, most))
            }
            Err(why) => {
                let (least, most) = (
                    kind.section::<ActivitySpell>().points,
                    kind.section::<ActivitySpell>().most,
                );
                out.push(Offer::not(choice, why).ranging(least, most));
            }
        }
    }
}

/// Checks that the unit can declare the spell: at most one ordinary and one instantaneous spell
/// per round (AC-12), and enough power points.
fn may_cast(ac: &ActivityQuery, who: Id, spell: SpellId) -> Result<(), Why> {
    let kind = ac.view.spell(spell);
    let actor = ac.actor(who);
    let same_sort = |p: &PlannedAction| match p.deed {
        ActionKind::Spell { .. } => !kind.section::<ActivitySpell>().instantaneous,
        ActionKind::Instant { .. } => kind.section::<ActivitySpell>().instantaneous,
        _ => false,
    };
    Why::new("AC-12", "only one such spell per round").when(actor.plan.iter().any(same_sort))?;
    let left = actor.power - actor.pledged();
    if left < kind.section::<ActivitySpell>().points {
        let text = format!("only {left} power points are left");
        return Err(Why::new("AC-01", text));
    }
    actor.castings.needs_left(spell, kind, "AC-01")?;
    if kind.section::<ActivitySpell>().instantaneous {
        let cost = ac.tables().costs.instantaneous;
        let left = actor.capacity - actor.planned();
        return if left < cost {
            Err(Why::new("AC-10", "the whole round is planned"))
        } else {
            Ok(())
        };
    }
    room(ac, who, 1, true).map(|_| ())
}
