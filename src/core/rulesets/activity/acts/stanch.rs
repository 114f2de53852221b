//! Stanching blood (AC-33), by hand or with a herb.

use super::{Begin, fixed, row::*};
use crate::{
    battle::{Choice, Id, Offer, State, Why},
    rulesets::activity::{
        content::Talent,
        declared::{self, HERB},
        events::ActivityEvent,
        query::ActivityQuery,
        state::ActionKind,
        targets::STANCH,
    },
};

pub(super) const ACT: ActGroup = ActGroup {
    acts: rows! {
        declared::STANCH: 'a' "Stanch" Aid (plain), "Stop an adjacent ally's bleeding.",
            Chances::Odds(attacks_of::plan), |_, _, _| -1;
        targets::STANCH: 'a' "Stanch" Aid (plain, last), "",
            Chances::Odds(|_, _| Some(vec![OddsLine::note("stops bleeding", "AC-33")])), |eval, _, offer| eval.stanch(&offer.choice);
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
        HERB: 'j' "Herb" Heart, "Use a prepared herb: 20% of the round.",
            Chances::Odds(attacks_of::plan), |_, _, _| -1;
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
fn bleeding(ac: &ActivityQuery, who: Id) -> impl Iterator<Item = Id> {
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
