//! Stanching blood (AC-33), by hand or with a herb.

use super::row::*;
use crate::battle::State;
use crate::rulesets::activity::{
    declared::{self, HERB},
    targets::STANCH,
};

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        declared::STANCH: 'a' "Stanch" Aid (plain), "Stop an adjacent ally's bleeding.",
            PLAN, LAST_RESORT;
        targets::STANCH: 'a' "Stanch" Aid (plain, last), "",
            Chances::Odds(|_, _| Some(vec![OddsLine::note("stops bleeding", "AC-33")])), |eval, offer| 10 + offer.choice.at.map_or(0, |id| eval.state.actor(id).bleeding);
    },
    when: ActionRules {
        is: |kind| kind == ActionKind::Stanch,
        cost: |ac, _, _| ac.tables().costs.stanch,
        begin: Begin::Aimed {
            targets: |ac, who, _| bleeders(ac, who),
            begin: |_, _, choice, doing| {
                let who = choice.at.expect("a target bleeds");
                let stanched = ActivityEvent::Stanched { who };
                doing.effects.emit("AC-33", stanched);
            },
        },
    },
    offers: |ac, who, out| {
        if bleeding(ac, who).next().is_some() {
            fixed(ac, Choice::new(&declared::STANCH, who), Ok(()), out);
        }
    },
    begin: |_, _| ActionKind::Stanch,
};

pub(super) const HERB_ACT: ActGroup = ActGroup {
    acts: rows! {
        HERB: 'j' "Herb" Heart, "Use a prepared herb: 20% of the round.", PLAN, LAST_RESORT;
    },
    when: ActionRules {
        is: |kind| kind == ActionKind::Herb,
        cost: |ac, _, _| ac.tables().costs.herb,
        begin: Begin::Plain(|_, who, _, doing| {
            let stanched = ActivityEvent::Stanched { who };
            doing.effects.emit("AC-33", stanched);
        }),
    },
    offers: |ac, who, out| {
        if ac.actor(who).bleeding > 0 && ac.has(who, Talent::Herbs) {
            fixed(ac, Choice::new(&HERB, who), Ok(()), out);
        }
    },
    begin: |_, _| ActionKind::Herb,
};

/// Living units of the same side that bleed.
pub fn bleeding(ac: &ActivityQuery, who: Id) -> impl Iterator<Item = Id> {
    let side = ac.body(who).side;
    let bleeds = move |id: &Id| {
        let body = ac.body(*id);
        let alive = matches!(body.state, State::Up | State::Down);
        alive && body.side == side && ac.actor(*id).bleeding > 0
    };
    ac.view.ids().filter(bleeds)
}

fn bleeders(ac: &ActivityQuery, who: Id) -> Vec<Offer> {
    let offer = |id: Id| {
        let near = id == who || ac.view.within(who, id, 5);
        let legal = Why::new("AC-33", "not next to them").unless(near);
        Offer::from(Choice::new(&STANCH, who).at(id), legal)
    };
    bleeding(ac, who).map(offer).collect()
}
