//! Declaring spells: their power points and casting time (AC-03, AC-12).

use super::{room, row::*};
use crate::battle::SpellId;
use crate::rulesets::activity::{
    content::ActivitySpell,
    declared::SPELL,
    spells::{Cast, aims},
};

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        SPELL: 'm' "Cast" Spell (plain), "Cast a spell: 20% of the round per power point.",
            PLAN, LAST_RESORT;
        targets::CAST_AT: 'm' "Cast" Spell (plain, last), "",
            Chances::Odds(attacks_of::cast), |eval, offer| eval.spell_worth(&offer.choice);
        targets::CAST_TO: 'm' "Cast" Spell (plain, last), "",
            Chances::Odds(attacks_of::cast), |eval, offer| eval.spell_worth(&offer.choice);
    },
    when: ActionRules {
        is: |kind| matches!(kind, ActionKind::Spell { .. } | ActionKind::Instant { .. }),
        cost: |ac, _, kind| match kind {
            ActionKind::Spell { points, .. } => points * ac.tables().costs.spell_per_point,
            _ => ac.tables().costs.instantaneous,
        },
        begin: Begin::Aimed {
            targets: |ac, who, planned| {
                let spell = planned.kind.spell();
                spell.map_or(vec![], |(spell, _)| aims(ac, who, spell))
            },
            begin: |_, planned, choice, doing| {
                if let Some((spell, points)) = planned.kind.spell() {
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
        match of(ac, spell).instantaneous {
            true => ActionKind::Instant { spell, points },
            false => ActionKind::Spell { spell, points },
        }
    },
};

/// A spell's numbers under Activity.
fn of<'a>(ac: &'a ActivityQuery, spell: SpellId) -> &'a ActivitySpell {
    ac.view.spell(spell).section()
}

fn spells(ac: &ActivityQuery, who: Id, out: &mut Vec<Offer>) {
    for &spell in ac.view.sheet(who).spells.iter() {
        let &ActivitySpell { points, most, .. } = of(ac, spell);
        let choice = Choice::new(&SPELL, who).spell(spell);
        let actor = ac.actor(who);
        out.push(match may_cast(ac, who, spell) {
            Ok(()) => Offer::legal(choice).ranging(points, most.min(actor.power_left())),
            Err(why) => Offer::not(choice, why).ranging(points, most),
        });
    }
}

/// Checks that the unit can declare the spell: at most one ordinary and one instantaneous spell
/// per round (AC-12), and enough power points.
fn may_cast(ac: &ActivityQuery, who: Id, spell: SpellId) -> Result<(), Why> {
    let (kind, actor) = (of(ac, spell), ac.actor(who));
    let same_sort = |p: &PlannedAction| match p.kind {
        ActionKind::Spell { .. } => !kind.instantaneous,
        ActionKind::Instant { .. } => kind.instantaneous,
        _ => false,
    };
    Why::new("AC-12", "only one such spell per round").when(actor.plan.iter().any(same_sort))?;
    let left = actor.power_left();
    if left < kind.points {
        let text = format!("only {left} power points are left");
        return Err(Why::new("AC-01", text));
    }
    let castings = &actor.castings;
    castings.needs_left(spell, ac.view.spell(spell), "AC-01")?;
    if kind.instantaneous {
        let cost = ac.tables().costs.instantaneous;
        let left = actor.capacity - actor.planned();
        return Why::new("AC-10", "the whole round is planned").when(left < cost);
    }
    room(ac, who, 1, true).map(|_| ())
}
