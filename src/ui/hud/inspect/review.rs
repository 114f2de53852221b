//! The whole plan on the card before the round begins: what each unit does, in the order in which it
//! is likely to happen, its chances, and which enemies fall.

use crate::{
    battle::{CowStr, Id},
    ui::{
        Session,
        art::palette::{self, Rgb},
        hud::plan_list::{GivenOrder, rate_ink, show_risks},
        preview::{PlanPreview, outcome},
        theme::{TextStyle, faded, text},
        widgets::{NodeExt, SpawnWith, rigid, row, rule, spacer, wide_column},
    },
};
use bevy::prelude::*;
use std::cmp::Reverse;

/// Width of the part of the round, in layout pixels.
const WHEN: f32 = 48.0;
/// Falls in fewer rounds are left out, in percent.
const WORTH_SAYING: u32 = 5;
/// Most falling units that are named.
const NAMED: usize = 4;

#[derive(PartialEq)]
pub(super) struct PlanReview {
    orders: Vec<ReviewedOrder>,
    /// The enemies that may fall before the last order is carried out, the likeliest first: name and
    /// percent. `None` until it is simulated.
    falls: Option<Vec<(String, u32)>>,
}

/// What a unit does by its order.
#[derive(PartialEq)]
struct ReviewedOrder {
    /// The part of the round: "HIGH", "7".
    when: String,
    /// "Lin".
    name: String,
    /// "Throw → Sentry".
    order: String,
    /// How often it goes ahead, and how often it is not needed, in percent. `None` until it is
    /// simulated.
    rate: Option<(u32, u32)>,
    /// "35% to hit, 10% to drop".
    odds: String,
    /// The risks that the rate does not count.
    risks: Vec<String>,
}

impl PlanReview {
    pub(super) fn of(session: &Session, plan_preview: &PlanPreview) -> Self {
        let shown = session.shown();
        let simulation = plan_preview.simulation.as_ref();
        let timeline = plan_preview.timeline.as_ref();
        // A unit acts when its last action happens.
        let act = |who: Id| timeline?.acts.iter().rfind(|act| act.who == who);
        let place = |who: &Id| {
            let when = &act(*who)?.when;
            let frames = &timeline?.frames;
            frames.iter().position(|frame| frame.when == *when)
        };
        let mut own = session.sequence();
        own.retain(|id| shown.unit(*id).is_up());
        own.sort_by_key(|who| place(who).unwrap_or(usize::MAX));
        let order = |who: &Id| {
            let risks = plan_preview.risks.get(who);
            ReviewedOrder {
                when: act(*who).map_or(String::new(), |act| act.when.label.clone()),
                name: shown.unit(*who).name.clone(),
                order: GivenOrder::of(session, *who).map_or(String::new(), GivenOrder::shortest),
                rate: simulation.and_then(|s| {
                    let unneeded = s.percent(s.plans.get(who)?.unneeded());
                    Some((s.success_rate(*who)?, unneeded))
                }),
                odds: risks.map_or(String::new(), |risks| risks.odds.clone()),
                risks: risks.map_or(vec![], |r| r.beside_rate(session, simulation, *who)),
            }
        };
        let falls = simulation.map(|simulation| {
            let falls = simulation.falls.iter();
            let falls = falls.map(|(&who, &rounds)| (who, simulation.percent(rounds)));
            let mut falls = Vec::from_iter(falls.filter(|&(who, percent)| {
                shown.unit(who).side != session.player() && percent >= WORTH_SAYING
            }));
            falls.sort_by_key(|fall| (Reverse(fall.1), fall.0));
            let named = falls.into_iter().take(NAMED);
            let named = named.map(|(who, percent)| (shown.unit(who).name.clone(), percent));
            Vec::from_iter(named)
        });
        Self {
            orders: own.iter().map(order).collect(),
            falls,
        }
    }

    pub(super) fn show(&self, card: &mut ChildSpawnerCommands) {
        card.spawn_with(row(6.0), |line| {
            line.spawn(text("Your plan", TextStyle::Heading, palette::INK));
            line.spawn(spacer());
            line.spawn(faded("goes ahead"));
        });
        card.spawn(rule());
        for order in &self.orders {
            order.show(card);
        }
        card.spawn(rule());
        let (words, ink): (CowStr, Rgb) = match self.falls.as_deref() {
            None => ("Simulating the round…".into(), palette::FADED_INK),
            Some([]) => ("No enemy is likely to fall".into(), palette::FADED_INK),
            Some(falls) => {
                let falls = falls
                    .iter()
                    .map(|(name, percent)| format!("{name} {percent}%"));
                let falls = Vec::from_iter(falls).join(", ");
                (format!("Falls: {falls}").into(), palette::TEAL)
            }
        };
        card.spawn(text(words, TextStyle::Body, ink));
    }
}

impl ReviewedOrder {
    fn show(&self, card: &mut ChildSpawnerCommands) {
        card.spawn_with(row(6.0).align(AlignItems::Start), |line| {
            let when = Node::default().width(px(WHEN));
            let words = text(self.when.clone(), TextStyle::Small, palette::TEAL);
            line.spawn((rigid(when), children![words]));
            line.group(wide_column(0.0), |words| {
                let order = format!("{}: {}", self.name, self.order);
                words.spawn(text(order, TextStyle::Body, palette::INK));
                words.spawn_with(row(8.0), |line| {
                    let unneeded = self.rate.map(|rate| rate.1);
                    let unneeded = unneeded.filter(|percent| *percent >= outcome::WORTH_SAYING);
                    let unneeded = unneeded.map(|percent| format!("not needed {percent}%"));
                    let odds = Some(self.odds.clone()).filter(|odds| !odds.is_empty());
                    for words in odds.into_iter().chain(unneeded) {
                        line.spawn(faded(words));
                    }
                    show_risks(line, &self.risks);
                });
            });
            if let Some((rate, unneeded)) = self.rate {
                // An order that is not needed is no failure.
                let ink = rate_ink(rate + unneeded);
                line.spawn(text(format!("{rate}%"), TextStyle::Label, ink));
            }
        });
    }
}
