//! What a click on a cell would do.

use super::{ActButton, Open, OrderDraft, acts::is_sure_to_fail, aim, draft, walk};
use crate::{
    battle::{
        AttackForecast, Choice, CowStr, Handling, Id, OddsLine, Offer, Provoked, Reach, Way,
        capitalised,
    },
    control::{
        exchange,
        orders::{Advance, Approach},
    },
    grid::{Cell, Space},
    ui::{Selection, Session, selection::PartialChoice, session::DisplayQueries, shown::UnitView},
};
use bevy::ecs::world::World;
use std::{cmp::Reverse, sync::Arc};

/// What a click would do.
#[derive(Clone, PartialEq, Debug, Default)]
pub enum Click {
    #[default]
    Nothing,
    /// Nothing, and why.
    No(String),
    /// Nothing: the unit can still attack, but not the enemy there, and why.
    NoAttack(String),
    /// Select a unit.
    Choose(Id),
    Move(Way),
    Attack(Box<AttackForecast>),
    /// Move closer and attack from there.
    Advance(Box<Advance>),
    /// Another action with its target.
    Act {
        choice: Choice,
        label: CowStr,
        seen: PreviewDetail,
    },
    /// Aim an action that has more to choose.
    Aim {
        key: char,
        partial: PartialChoice,
        /// One of the remaining ways.
        choice: Choice,
        label: CowStr,
        seen: PreviewDetail,
    },
    /// Declare something, with its target or destination.
    Plan(Box<OrderDraft>),
}

/// What is known about an action other than a plain attack.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct PreviewDetail {
    pub provoked: Vec<Provoked>,
    pub odds: Vec<OddsLine>,
    /// The cells that it would affect.
    pub area: Vec<Cell>,
}

impl PreviewDetail {
    pub(super) fn of(queries: &DisplayQueries, choice: &Choice) -> Self {
        Self {
            provoked: queries.provoked(choice),
            odds: queries.odds(choice),
            area: queries.area(choice),
        }
    }
}

impl Click {
    /// The orders that it gives.
    pub fn orders(&self) -> &[Choice] {
        match self {
            Self::Move(way) => &way.orders,
            Self::Advance(advance) => &advance.orders,
            Self::Attack(attack) => std::slice::from_ref(&attack.choice),
            Self::Act { choice, .. } => std::slice::from_ref(choice),
            Self::Plan(draft) => draft.orders(),
            _ => &[],
        }
    }

    /// Whether it moves the unit at once and does nothing else.
    pub fn is_move(&self) -> bool {
        matches!(self, Self::Move(_))
    }

    /// Its main action, if it is not only a move.
    pub fn choice(&self) -> Option<&Choice> {
        match self {
            Self::Attack(attack) => Some(&attack.choice),
            Self::Advance(advance) => Some(&advance.attack.choice),
            Self::Act { choice, .. } | Self::Aim { choice, .. } => Some(choice),
            Self::Plan(draft) => draft.orders().first(),
            _ => None,
        }
    }

    /// The unit that it attacks or treats in another way, at once or as declared.
    pub fn target(&self) -> Option<Id> {
        match self {
            Self::Plan(draft) => draft.intent.at(),
            click => click.choice().and_then(|choice| choice.at),
        }
    }
}

pub(super) struct ClickContext<'a> {
    pub session: &'a Session,
    pub selection: &'a Selection,
    pub who: Id,
    pub cell: Cell,
    /// The unit in that cell, under the cursor.
    pub under: Option<&'a UnitView>,
    pub offers: &'a [Offer],
    pub acts: &'a [ActButton],
    pub armed: Option<&'a ActButton>,
    pub reach: &'a [Reach],
}

impl ClickContext<'_> {
    /// The unit's ways to move up to an enemy and attack it.
    fn approach(&self, enemy: Id) -> Approach<'_> {
        Approach {
            rules: self.session.queries.rules,
            who: self.who,
            enemy,
            reach: self.reach,
            offers: self.offers,
        }
    }

    /// What a click would do, and the attacks it would choose from.
    pub(super) fn click(&self) -> (Click, Vec<AttackForecast>) {
        let mut attacks = vec![];
        if let Some(draft) = draft::at(self) {
            attacks.extend(draft.attack.clone());
            return (Click::Plan(Box::new(draft)), attacks);
        }
        let target = match self.armed {
            Some(act) => self.aim(act, &mut attacks),
            None => self.plain(&mut attacks),
        };
        let click = target.unwrap_or_else(|| self.otherwise());
        (click, attacks)
    }

    /// The armed action, aimed at the cell.
    fn aim(&self, act: &ActButton, attacks: &mut Vec<AttackForecast>) -> Option<Click> {
        let partial = self.selection.partial_choice();
        let left = act.offers.iter().filter(|o| partial.allows(&o.choice));
        let frees = |choice: &&Choice| self.under.is_some_and(|unit| self.frees(choice, unit.id));
        if let Some(choice) = left.clone().map(|o| &o.choice).find(frees) {
            return Some(self.act_of(choice.clone()));
        }
        let here = match self.stays(act, &partial) {
            true => left.filter(|o| o.choice.to.is_none()).cloned().collect(),
            false => self.here(&partial, left),
        };
        self.resolve(&partial, act, here, attacks)
    }

    /// Whether the cell is the unit's own, where it stays to act on the target that is chosen.
    fn stays(&self, act: &ActButton, partial: &PartialChoice) -> bool {
        let own = self.session.shown().unit(self.who).space();
        let open = || aim::open(&act.offers, partial);
        let can = || matches!(open(), Some(Open::Aim { units, .. }) if units.contains(&self.who));
        partial.at.is_some() && own.contains(self.cell) && can()
    }

    /// A click without the action bar: an attack, a door, help for an ally; otherwise a move.
    fn plain(&self, forecasts: &mut Vec<AttackForecast>) -> Option<Click> {
        let (session, selection) = (self.session, self.selection);
        if !selection.waypoints.is_empty() {
            let why = "No path through your waypoints, or it is too long";
            let way = walk::way(self).map(Click::Move);
            return way.or_else(|| Some(Click::No(String::from(why))));
        }
        let partial = PartialChoice::default();
        let mut found: Option<(&ActButton, Vec<Offer>)> = None;
        let mut attacks: Vec<(&ActButton, Vec<Offer>)> = vec![];
        for act in self.acts.iter().filter(|a| a.plain) {
            let here = self.here(&partial, act.offers.iter());
            let Some(first) = here.first() else { continue };
            if session.queries.attack(&sample(first)).is_some() {
                attacks.push((act, here));
            } else {
                found = found.or(Some((act, here)));
            }
        }
        if let Some(other) = self.instead_of_attack(&attacks) {
            return Some(other);
        }
        if let Some((act, all)) = self.best_attack(attacks, forecasts) {
            let click = self.resolve(&partial, act, all, forecasts)?;
            let better = match &click {
                // The player chose no weapon.
                Click::Attack(attack) if selection.prefers.is_none() => {
                    let approach = self.approach(attack.at);
                    let instead = |world: &mut World| approach.instead_of(world, attack);
                    session.queries.ask(instead)
                }
                _ => None,
            };
            return Some(better.map_or(click, |advance| Click::Advance(Box::new(advance))));
        }
        let way = walk::way(self);
        // Helping an ally comes before moving past; walking through an open door comes before closing
        // it.
        if let Some((act, here)) = found
            && (here[0].choice.at.is_some() || way.is_none())
        {
            return self.resolve(&partial, act, here, forecasts);
        }
        way.map(Click::Move)
    }

    /// A spell at the enemy, its execution, or breaking free of it, if the quick AI prefers it to the
    /// unit's attacks. `None` if the player chose a weapon, or if it is sure to fail.
    fn instead_of_attack(&self, attacks: &[(&ActButton, Vec<Offer>)]) -> Option<Click> {
        let session = self.session;
        let enemy = self.under?;
        let is_enemy = enemy.is_up() && enemy.side != session.player();
        if !is_enemy || self.selection.prefers.is_some() || session.is_declaring() {
            return None;
        }
        let queries = &session.queries;
        let is_other = |choice: &Choice| {
            let can_be = queries.is_instead(choice.verb) || queries.harms(choice);
            can_be || self.frees(choice, enemy.id)
        };
        let can = self.offers.iter().filter(|o| o.is_legal());
        let is_at_it = |c: &Choice| c.at == Some(enemy.id) || self.frees(c, enemy.id);
        let at_it = can.filter(|o| o.numbers.is_none() && is_at_it(&o.choice));
        let others = at_it.filter(|o| is_other(&o.choice) && !is_sure_to_fail(queries, &o.choice));
        let mut all: Vec<Offer> = others.cloned().collect();
        if all.is_empty() {
            return None;
        }
        all.extend(attacks.iter().flat_map(|(_, offers)| offers).cloned());
        let choice = queries.sensible(self.who, &Arc::new(all));
        is_other(&choice).then(|| self.act_of(choice))
    }

    /// Whether an action may free the unit from this one.
    fn frees(&self, choice: &Choice, from: Id) -> bool {
        let queries = &self.session.queries;
        let is_from = |odds: &OddsLine| odds.who == Some(from);
        queries.is_remedy(choice.verb) && queries.odds(choice).iter().any(is_from)
    }

    fn act_of(&self, choice: Choice) -> Click {
        let queries = &self.session.queries;
        Click::Act {
            label: queries.label(choice.verb),
            seen: PreviewDetail::of(queries, &choice),
            choice,
        }
    }

    /// The action with the best attack, and its ways. Unless the player chose a weapon, the unit keeps
    /// its weapons in hand beside an enemy, see [`exchange::instead_of_throw`].
    fn best_attack<'a>(
        &self,
        attacks: Vec<(&'a ActButton, Vec<Offer>)>,
        forecasts: &mut Vec<AttackForecast>,
    ) -> Option<(&'a ActButton, Vec<Offer>)> {
        let queries = &self.session.queries;
        let each = attacks.iter().enumerate().flat_map(|(n, (_, offers))| {
            let own = attack_forecasts(queries, offers).into_iter();
            own.map(move |attack| (n, attack))
        });
        let mut all: Vec<(usize, AttackForecast)> = each.collect();
        all.sort_by_key(|(_, attack)| Reverse(attack.worth));
        let best = all.iter().min_by_key(|(_, b)| !self.selection.likes(b));
        let (n, best) = best.cloned()?;
        *forecasts = all.into_iter().map(|(_, attack)| attack).collect();
        let throw = &best.choice;
        let instead = |world: &mut World| exchange::instead_of_throw(queries.rules, world, throw);
        let melee = (!self.selection.likes(&best)).then(|| queries.ask(instead));
        let is_melee = |melee: Choice| attacks.iter().position(|a| a.0.has(melee.verb));
        let n = melee.flatten().and_then(is_melee).unwrap_or(n);
        attacks.into_iter().nth(n)
    }

    /// The offers that are aimed at a cell.
    fn here<'o>(
        &self,
        partial: &PartialChoice,
        ways: impl Iterator<Item = &'o Offer>,
    ) -> Vec<Offer> {
        let (cell, top) = (self.cell, self.under.map(|p| p.id));
        let stands = |id: Id| self.session.shown().unit(id).space().contains(cell);
        let aimed = |c: &Choice| match (c.at, c.to) {
            (Some(at), _) if partial.at.is_none() => stands(at),
            (_, Some(to)) => to == cell,
            _ => false,
        };
        let all: Vec<Offer> = ways.filter(|o| aimed(&o.choice)).cloned().collect();
        // The unit under the cursor comes before others in its cell.
        let is_top =
            |o: &&Offer| partial.at.is_some() || o.choice.at.is_none_or(|at| Some(at) == top);
        let on_top: Vec<Offer> = all.iter().filter(is_top).cloned().collect();
        if on_top.is_empty() { all } else { on_top }
    }

    /// What a click does, given the offers aimed at the cell.
    fn resolve(
        &self,
        partial: &PartialChoice,
        act: &ActButton,
        here: Vec<Offer>,
        attacks: &mut Vec<AttackForecast>,
    ) -> Option<Click> {
        let session = self.session;
        let first = here.first()?;
        let own = attack_forecasts(&session.queries, &here);
        if attacks.is_empty() {
            attacks.clone_from(&own);
        }
        let is_ranged = here.iter().any(|o| o.numbers.is_some());
        if own.len() == here.len() && !is_ranged {
            let mut liked = own.iter().filter(|b| self.selection.likes(b));
            let attack = liked.next().or(own.first())?;
            return Some(Click::Attack(Box::new(attack.clone())));
        }
        let choice = own.first().map(|b| b.choice.clone());
        let choice = choice.unwrap_or_else(|| sample(first));
        let label = session.queries.label(choice.verb);
        let mut seen = PreviewDetail::of(&session.queries, &choice);
        Some(if here.len() == 1 && !is_ranged {
            Click::Act {
                choice,
                label,
                seen,
            }
        } else {
            // The player has yet to choose where the target goes.
            if choice.verb.moves_target {
                let mut open = choice.clone();
                open.to = None;
                seen.odds = session.queries.odds(&open);
            }
            Click::Aim {
                key: act.key,
                partial: partial.aimed(&choice),
                label: act.label.clone(),
                choice,
                seen,
            }
        })
    }

    /// The click if no action is possible at the cell.
    fn otherwise(&self) -> Click {
        let (session, selection) = (self.session, self.selection);
        let partial = selection.partial_choice();
        let open = self.armed.and_then(|a| aim::open(&a.offers, &partial));
        let aims = matches!(open, Some(Open::Aim { .. }));
        let unit = self.under;
        let own = |p: &UnitView| p.side == session.player();
        let is_empty = self.armed.is_none() && !unit.is_some_and(UnitView::is_up);
        if let Some(why) = is_empty
            .then(|| stuck(session, self.acts, self.who, unit.is_some()))
            .flatten()
        {
            return Click::No(why);
        }
        match unit {
            Some(p) if p.id == self.who => Click::Nothing,
            Some(p) if own(p) && p.is_up() && selection.armed.is_none() => Click::Choose(p.id),
            _ if self.armed.is_some() && !aims => Click::Nothing,
            _ if self.armed.is_none() && self.has_declared() => {
                let plan = &session.shown().unit(self.who).plan;
                Click::No(format!("Declared: {plan}. Undo to change it"))
            }
            _ if self.armed.is_none() && self.is_aimless() => Click::No(String::from(AIMLESS)),
            Some(p) if !own(p) && p.is_up() => {
                let approach = self.approach(p.id);
                let best = |world: &mut World| approach.best(world, selection.prefers);
                let advance = self.armed.is_none().then(|| session.queries.ask(best));
                match advance.flatten() {
                    Some(advance) => Click::Advance(Box::new(advance)),
                    None => self.no_attack(p.id, &partial),
                }
            }
            _ => match self.armed {
                Some(act) => Click::No(self.still_to_choose(act, partial.at)),
                None => Click::No(self.no_way()),
            },
        }
    }

    /// What the armed action still needs: "Screen Tobin: choose the cell for Brandt" once its target
    /// is chosen.
    fn still_to_choose(&self, act: &ActButton, at: Option<Id>) -> String {
        let names = self.session.game.names();
        at.map_or(String::from("Choose a marked target"), |at| {
            let (label, target, own) = (&act.label, names.name(at), names.name(self.who));
            format!("{label} {target}: choose the cell for {own}")
        })
    }

    /// Whether the unit has declared something but could declare more.
    fn has_declared(&self) -> bool {
        let session = self.session;
        let has_plan = !session.shown().unit(self.who).plan.is_empty();
        session.is_declaring() && has_plan && !session.can_replace(self.who)
    }

    /// Whether the available actions take neither a target nor a cell.
    fn is_aimless(&self) -> bool {
        let aimed = |o: &Offer| o.choice.at.is_some() || o.choice.to.is_some();
        let declares = |a: &ActButton| a.plain && a.why_not.is_none();
        self.acts.iter().any(declares) && !self.offers.iter().any(aimed)
    }

    /// Why the unit can't be attacked, and what is possible instead.
    fn no_attack(&self, at: Id, partial: &PartialChoice) -> Click {
        let session = self.session;
        let names = session.game.names();
        let (own, enemy) = (session.shown().unit(self.who), session.shown().unit(at));
        let stands = enemy.at;
        let planning = session.queries.rules.planning;
        let is_attack = |o: &&Offer| planning.is_attack(o.choice.verb);
        let can_attack = self.offers.iter().filter(is_attack).any(Offer::is_legal);
        let is_plain = self.armed.is_none();
        let spent = own.spent_action().filter(|_| is_plain && !can_attack);
        let meant = |a: &&ActButton| self.armed.map_or(a.plain, |armed| armed.key == a.key);
        let acts: Vec<&ActButton> = self.acts.iter().filter(meant).collect();
        let of_acts =
            |o: &&Offer| partial.allows(&o.choice) && acts.iter().any(|a| a.has(o.choice.verb));
        let mut whys: Vec<String> = vec![];
        for offer in self.offers.iter().filter(of_acts) {
            let aimed = offer.choice.at == Some(at) || offer.choice.to == Some(stands);
            let Some(why) = offer.why_not.as_ref().filter(|_| aimed) else {
                continue;
            };
            let item = offer.choice.with.map(|n| names.item(n));
            let why = why.named(self.who, names);
            // The card of the enemy lists the enemy's weapons, so this says whose these are.
            let line = item.map_or(why.to_string(), |item| {
                format!("{}'s {item}: {why}", own.name)
            });
            if !whys.contains(&line) {
                whys.push(line);
            }
        }
        // The board draws a blocked line of sight, so that is the reason then.
        let is_seen = session.shown().board.sight(own.space(), enemy.space()).los;
        if whys.is_empty() && !can_attack {
            // The reason against attacking at all; reasons against other actions don't matter.
            let general = self.offers.iter().filter(of_acts).filter(is_attack);
            let mut general = general.filter(|o| o.choice.at.is_none());
            let why = general.find_map(|o| o.why_not.as_ref());
            let is_blocked = spent.is_none() && why.is_some() && !is_seen;
            let why = why.filter(|_| !is_blocked);
            whys.extend(is_blocked.then(|| String::from("no line of sight")));
            whys.extend(why.map(|why| match why.is_far {
                true => format!("{} is out of reach", enemy.name),
                false => why.named(self.who, names).into_owned(),
            }));
        }
        // A charge may still reach the target.
        for act in self.acts.iter().filter(|a| !a.plain) {
            let aimed = act.offers.iter().filter(|o| o.choice.at == Some(at));
            let aimed: Vec<Offer> = aimed.cloned().collect();
            if let Some(forecast) = attack_forecasts(&session.queries, &aimed).first() {
                let (label, key) = (&act.label, act.letter());
                let (number, unit) = forecast.lead();
                whys.push(format!("{label} ({key}): {number} {unit}"));
            }
        }
        let lines: Vec<String> = whys.iter().take(3).map(|w| capitalised(w)).collect();
        let is_in_reach = || !session.queries.attacks(self.who, at).is_empty();
        match (spent, lines.is_empty()) {
            (Some(action), _) => Click::No(format!("{} has acted: {action} is spent", own.name)),
            (None, false) => Click::NoAttack(lines.join("\n")),
            (None, true) if acts.is_empty() => Click::No(self.no_attack_now(is_in_reach())),
            (None, true) if acts.iter().any(|a| !a.plain) => {
                Click::NoAttack(String::from("Not from here: choose a marked target"))
            }
            // The target is near enough, or no move leads to an attack, so this part of the round
            // offers none.
            (None, true)
                if !session.is_declaring()
                    && (is_in_reach()
                        || planning.walk_is_action
                            && !self.offers.iter().any(|offer| is_attack(&offer))) =>
            {
                Click::No(self.no_attack_now(is_in_reach()))
            }
            (None, true) => Click::NoAttack(String::from(match is_seen {
                true => "Out of reach",
                false => "No line of sight",
            })),
        }
    }

    /// Why this part of the round offers the unit no attack on an enemy.
    fn no_attack_now(&self, is_in_reach: bool) -> String {
        let session = self.session;
        let step = &session.shown().clock.now.step;
        match is_in_reach {
            false if session.queries.rules.planning.walk_is_action => {
                String::from("Out of reach this turn: a move takes the action that an attack needs")
            }
            _ if step.is_empty() => String::from("Can't attack right now"),
            _ => format!("No attacks in this part of the round: {step}"),
        }
    }

    /// How the unit can open the door in the cell, or what it lacks if it stands beside it.
    fn closed_door(&self) -> String {
        let is_for_doors = |offer: &&Offer| offer.choice.verb.handling == Some(Handling::Door);
        let mut swings = self.offers.iter().filter(is_for_doors);
        let beside = swings.find(|offer| offer.choice.to == Some(self.cell));
        if let Some(why) = beside.and_then(|offer| offer.why_not.as_ref()) {
            let why = why.named(self.who, self.session.game.names());
            return format!("Closed door: {why}");
        }
        match self.acts.iter().find(|act| act.handles(Handling::Door)) {
            Some(act) => {
                let key = act.letter();
                format!("Closed door: go beside it, then click it or press {key}")
            }
            None => String::from("The door is closed"),
        }
    }

    /// Why the unit can't go to the cell.
    fn no_way(&self) -> String {
        let session = self.session;
        let (shown, cell, who) = (session.shown(), self.cell, self.who);
        let walks = session.queries.rules.planning.walks;
        let is_walk = |o: &&Offer| walks.contains(&o.choice.verb);
        let ways: Vec<&Offer> = self.offers.iter().filter(is_walk).collect();
        let aimed = |o: &Offer| o.is_legal() && (o.choice.at.is_some() || o.choice.to.is_some());
        // While the player plans, a move is part of a plan and no offer.
        if ways.is_empty() && !session.is_declaring() {
            return String::from(match self.offers.iter().any(aimed) {
                true => "Nothing to do here: hover a target or choose an action first",
                false => "Can't move right now",
            });
        }
        // If the unit can move at all, the distance is the reason; other blocked ways to move don't
        // matter.
        let goes = ways.iter().any(|o| o.is_legal());
        let why = ways.iter().find_map(|o| o.why_not.as_ref());
        let why = why.filter(|_| !goes);
        let unit = shown.unit(who);
        let space = Space::new(cell, unit.size);
        if !shown.board.can_stand(space) {
            return match shown.board.door(cell) {
                Some(false) if session.is_declaring() => {
                    format!("Closed: {} can open it when it is time to act", unit.name)
                }
                Some(false) => self.closed_door(),
                _ => String::from("Nobody can stand there"),
            };
        }
        if let Some(why) = why {
            return capitalised(&why.text);
        }
        let most = self.reach.iter().map(|r| r.feet).max();
        match (session.queries.distance(who, cell), most) {
            (None, _) => String::from("No path leads there"),
            (Some(feet), Some(most)) if feet > most => {
                format!("Too far: {feet} ft, limit {most} ft")
            }
            (Some(feet), _) => format!("Out of reach: {feet} ft"),
        }
    }
}

/// Why a unit can't walk away in the round that it declares, and the button among these that still
/// leads away: "In melee: only Flee (F) leads away". `names` the unit where it could be another.
pub fn stuck(session: &Session, acts: &[ActButton], who: Id, names: bool) -> Option<String> {
    let (why, away) = session.stuck(who)?;
    let why = match names {
        true => format!("{} is {}", session.shown().unit(who).name, why.text),
        false => capitalised(&why.text),
    };
    let act = acts.iter().find(|act| act.has(away))?;
    let label = &act.label;
    Some(match &act.why_not {
        Some(not) => format!("{why}. {label}: {not}"),
        None => format!("{why}: only {label} ({}) leads away", act.letter()),
    })
}

/// Where the selected unit has nothing to declare or do, a click can still select units.
pub(super) fn idle(session: &Session, selection: &Selection) -> Click {
    let own = own_unit(session, selection);
    own.map_or(Click::Nothing, |own| Click::Choose(own.id))
}

/// The unit of the player's side under the cursor.
fn own_unit<'a>(session: &'a Session, selection: &Selection) -> Option<&'a UnitView> {
    let unit = selection.pointed(session.shown());
    unit.filter(|p| p.side == session.player() && p.is_up())
}

/// The selected unit, if it has declared and a click replaces its order.
pub(super) fn replaced(session: &Session, selection: &Selection) -> Option<Id> {
    let is_aimed = selection.armed.is_none() && selection.cursor.is_some();
    let who = selection.chosen.filter(|_| is_aimed)?;
    // Once everyone has declared, Enter begins the round.
    let begins = session.held().is_some() && selection.by_keys;
    let is_free = !begins && own_unit(session, selection).is_none();
    (is_free && session.can_replace(who)).then_some(who)
}

/// The choice of an offer; with a number, the highest one.
pub(super) fn sample(offer: &Offer) -> Choice {
    match offer.numbers {
        Some((_, most)) => offer.choice.clone().number(most),
        None => offer.choice.clone(),
    }
}

/// Forecasts of the attacks among some offers, best first.
fn attack_forecasts(queries: &DisplayQueries, offers: &[Offer]) -> Vec<AttackForecast> {
    let attack = |o: &Offer| queries.attack(&sample(o))?.ok();
    let mut out: Vec<AttackForecast> = offers.iter().filter_map(attack).collect();
    out.sort_by_key(|b| Reverse(b.worth));
    out
}

/// The reason shown when a click can't set a target.
const AIMLESS: &str = "Use the buttons to declare. You pick the target later.";
