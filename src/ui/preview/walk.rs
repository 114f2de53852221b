//! Movement: by the ruleset's own paths if it has them, otherwise by the battle's offers.

use super::click::ClickContext;
use crate::{
    battle::{Choice, Cost, CowStr, Id, Offer, Provoked, Reach, Ruleset, Way, ids_of},
    ui::Session,
};
use bevy::ecs::world::World;

/// Whether the offers let a unit move at all.
pub(super) fn can(session: &Session, offers: &[Offer]) -> bool {
    walks(session, offers).next().is_some()
}

/// Cells that a unit can reach.
pub(super) fn reach(session: &Session, who: Id, offers: &[Offer]) -> Vec<Reach> {
    // Without an offer to move, the unit can't be sent anywhere.
    if !can(session, offers) {
        return vec![];
    }
    let read = session.queries.reach(who);
    if !read.is_empty() {
        return read;
    }
    let mut out: Vec<Reach> = vec![];
    for offer in walks(session, offers) {
        if let Some(cell) = offer.choice.to
            && out.iter().all(|r| r.cell != cell)
        {
            out.push(Reach {
                cell,
                feet: offer.feet,
                cost: Cost::Plain,
            });
        }
    }
    out
}

/// How the unit would get to the cell under the cursor, through the waypoints.
pub(super) fn way(view: &ClickContext) -> Option<Way> {
    let (session, who, offers, to) = (view.session, view.who, view.offers, view.cell);
    if !can(session, offers) {
        return None;
    }
    let waypoints = &view.selection.waypoints;
    let read = session.queries.way(who, waypoints, to);
    if read.is_some() || !waypoints.is_empty() {
        return read;
    }
    let offer = walks(session, offers).find(|o| o.choice.to == Some(to))?;
    let path = session.queries.path(who, to);
    let provoked = ids_of(offer.provoked).map(|by| Provoked {
        by,
        step: 0,
        percent: 0,
    });
    Some(Way {
        provoked: provoked.collect(),
        orders: vec![offer.choice.clone()],
        cost: Cost::Plain,
        price: CowStr::default(),
        feet: offer.feet,
        path,
        fall: 0,
        shots: vec![],
    })
}

/// The attacks that a unit provokes by these orders, with the first given now in `world`.
pub(super) fn provoked(
    rules: &Ruleset,
    world: &mut World,
    who: Id,
    orders: &[Choice],
) -> Vec<Provoked> {
    let Some(first) = orders.first() else {
        return vec![];
    };
    let is_walk = rules.planning.walks.contains(&first.verb);
    match first.to.filter(|_| is_walk) {
        Some(to) => {
            let way = (rules.forecasting.way)(world, who, &[], to);
            way.map_or(vec![], |way| way.provoked)
        }
        None if orders.len() == 1 => (rules.forecasting.provoked)(world, first),
        None => vec![],
    }
}

fn walks<'o>(session: &Session, offers: &'o [Offer]) -> impl Iterator<Item = &'o Offer> {
    let walks = session.queries.rules.planning.walks;
    let legal = offers.iter().filter(|o| o.is_legal());
    legal.filter(|o| walks.contains(&o.choice.verb))
}
