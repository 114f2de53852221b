//! Drafts: what a click on a unit or a cell would declare, and for what.

use super::{
    ActButton, Open, aim,
    click::ClickContext,
    menu,
    plan_preview::declared,
    risks::{self, ends_truce},
    timeline::{BoardView, timeline},
};
use crate::{
    battle::{
        AttackForecast, Choice, EventKind, Id, Item, OddsLine, Offer, PlannedAttack, Purpose,
        standing_at,
    },
    content::SpellArea,
    control::{
        exchange,
        orders::{self, A_MOVE, AttackPlan, Fallback, Manner, Order, Plan, Reason},
        simulation::{Failures, PlanOutcome, Suggestion},
    },
    grid::{Cell, Space, cells_apart},
    ui::{Session, ruleset_ui::Preset, session::Intent, shown::UnitView},
    words::uncapitalised,
};
use bevy::{ecs::world::World, prelude::Component};
use std::cmp::Reverse;

/// An order with its declarations, not given yet.
#[derive(Clone, PartialEq, Debug)]
pub struct OrderDraft {
    pub intent: Intent,
    /// The planned attack, forecast from where it would be made.
    pub attack: Option<AttackForecast>,
    /// The weapons that the player can choose from for that attack; empty if the order or a button
    /// decides.
    pub weapons: Vec<Item>,
    /// The cell to attack from.
    pub stand: Option<Cell>,
}

/// A draft that a button offers.
#[derive(Component, Clone, Copy, PartialEq, Eq, Debug)]
pub enum Offers {
    /// The unit's last orders, or sensible ones if it never had any.
    Again,
    Suggested,
    /// A preset, by its index.
    Preset(usize),
    /// An action of the bar, by its letter, against its likely target.
    Act(char),
}

impl Offers {
    /// The draft for a unit, or the reason why there is none.
    pub fn draft(self, session: &mut Session, who: Id) -> Result<OrderDraft, String> {
        match self {
            Self::Again => again(session, who).map_err(|why| format!("No order to repeat: {why}.")),
            Self::Suggested => {
                suggested(session, who).map_err(|why| format!("No suggestion: {why}."))
            }
            Self::Preset(n) => match session.queries.ruleset_ui.presets.get(n) {
                Some(usual) => preset(session, who, usual),
                None => Err(String::from("This system has no such preset.")),
            },
            Self::Act(key) => {
                of_button(session, who, key).ok_or_else(|| String::from("Pick a target first."))
            }
        }
    }
}

impl OrderDraft {
    pub fn of(intent: Intent) -> Self {
        Self {
            intent,
            attack: None,
            weapons: vec![],
            stand: None,
        }
    }

    fn new(label: String, plan: Plan) -> Self {
        Self::of(Intent::new(label, plan))
    }

    /// A draft from a declaration that already names its target.
    pub fn of_choice(session: &Session, choice: &Choice) -> Self {
        Self::of(session.said(choice.actor(), vec![choice.clone()])).charging(session)
    }

    /// Adds the forecast of a charge, if the draft is one.
    fn charging(mut self, session: &Session) -> Self {
        let planning = session.queries.rules.planning;
        let is_charge = self.orders().iter().any(|o| planning.is_charge(o.verb));
        let target = self.intent.at().filter(|_| is_charge);
        if let Some(attack) = target.and_then(|at| session.queries.charge(self.who(), at)) {
            self.intent.odds = attack.in_brief();
            self.attack = Some(attack);
        }
        self
    }

    /// Its declarations, in sequence.
    pub fn orders(&self) -> &[Choice] {
        &self.intent.plan.declared
    }

    pub fn who(&self) -> Id {
        self.intent.who()
    }

    /// The chances of its first declaration. For a declared spell also its effect on its targets,
    /// as they stand now.
    pub fn odds(&self, session: &Session) -> Vec<OddsLine> {
        let Some(first) = self.orders().first() else {
            return vec![];
        };
        let order = &self.intent.plan.order;
        let mut all = session.queries.odds(first);
        let is_spell = first.spell.is_some() && self.intent.plan.aims();
        let planning = session.queries.rules.planning;
        let actions = planning.carries_out(first.verb).iter();
        for &verb in actions.filter(|_| is_spell) {
            let cast = Choice {
                verb,
                at: order.target(),
                to: order.cell(),
                ..first.clone()
            };
            for odds in session.queries.odds(&cast) {
                if odds.who.is_some() && !all.contains(&odds) {
                    all.push(odds);
                }
            }
        }
        all
    }

    /// The declared attack; `None` if the draft has no attack position.
    pub fn planned(&self) -> Option<PlannedAttack<'_>> {
        Some(PlannedAttack {
            who: self.who(),
            orders: self.orders(),
            stand: self.stand?,
            feet: self.intent.plan.feet,
        })
    }
}

/// What a click on a cell would declare; `None` if nothing.
pub(super) fn at(view: &ClickContext) -> Option<OrderDraft> {
    let (session, selection) = (view.session, view.selection);
    if !session.is_declaring() {
        return None;
    }
    // While the unit declares, a plain click must not replace the plan of a declared spell.
    let declared = session.intent(view.who);
    let declared = declared.filter(|_| !session.can_replace(view.who));
    if view.armed.is_none() && declared.is_some_and(|intent| intent.plan.is_spell()) {
        return None;
    }
    let unit = view.under.filter(|p| p.is_up());
    match view.armed {
        Some(act) => of_act(view, (act, unit)),
        None => match unit {
            Some(enemy) if enemy.side != session.player() => {
                let rules = session.queries.rules;
                let weapons = |world: &mut World| orders::weapons(rules, world, view.who, enemy.id);
                let by = |item| attack(session, view.who, enemy, item, &Manner::default());
                let preferred = selection.prefers.and_then(|item| by(Some(item)));
                preferred.or_else(|| by(None)).map(|draft| OrderDraft {
                    weapons: session.queries.ask(weapons),
                    ..draft
                })
            }
            Some(_) => None,
            None if lies_there(view) => None,
            None => go(session, view.who, view.cell),
        },
    }
    .filter(|draft| is_open(draft, view.offers))
}

/// Whether a fallen ally lies in the cell and an offer helps it: that comes before moving over it.
fn lies_there(view: &ClickContext) -> bool {
    let session = view.session;
    let lies = |id: &Id| {
        let unit = session.shown().unit(*id);
        unit.side == session.player() && unit.space().contains(view.cell)
    };
    let mut offers = view.offers.iter().filter(|offer| offer.is_legal());
    offers.any(|offer| offer.choice.at.as_ref().is_some_and(lies))
}

/// Whether the first of its declarations is on offer.
fn is_open(draft: &OrderDraft, offers: &[Offer]) -> bool {
    let first = draft.orders().first();
    first.is_some_and(|c| offers.iter().any(|o| o.is_legal() && o.covers(c)))
}

/// Aims the armed action, which has no target yet.
fn of_act(
    view: &ClickContext,
    (button, unit): (&ActButton, Option<&UnitView>),
) -> Option<OrderDraft> {
    let session = view.session;
    let partial = view.selection.partial_choice();
    let order = match aim::open(&button.offers, &partial)? {
        Open::Nothing(choice) => choice,
        Open::Number(offer) => {
            let now = menu::number(session, &offer, &partial);
            offer.choice.number(now)
        }
        _ => return None,
    };
    if order.at.is_some() || order.to.is_some() {
        return None;
    }
    // A spell for a single target can't be aimed at a cell.
    let spell = order.spell.map(|spell| session.game.spell(spell));
    if unit.is_none() && spell.is_some_and(|spell| spell.area == SpellArea::One) {
        return None;
    }
    if declares_move(session, &order) {
        let is_free = unit.is_none();
        return is_free.then(|| go(session, view.who, view.cell)).flatten();
    }
    let planning = session.queries.rules.planning;
    let meant = match unit.filter(|_| planning.is_charge(order.verb)) {
        Some(target) => Order::Attack {
            target: target.id,
            by: planning.charge.first().copied(),
            with: order.with,
        },
        None => Order::act(&order, unit.map(|p| p.id), Some(view.cell)),
    };
    let enemy = unit.filter(|p| p.side != session.player());
    if let Some(draft) = enemy.and_then(|foe| attack_by(session, &order, foe)) {
        return Some(draft);
    }
    let target = unit.map_or(String::new(), |p| format!(", for {}", p.name));
    let label = session.order_title(&order) + &target;
    let mut draft = OrderDraft::new(
        label,
        Plan {
            declared: vec![order],
            ..Plan::new(view.who, meant)
        },
    );
    draft.intent.key = Some(button.key);
    Some(draft.charging(session))
}

/// Whether a declaration is for moves only, so that it waits for a cell. A normal turn also covers
/// attacks.
pub(super) fn declares_move(session: &Session, choice: &Choice) -> bool {
    let is_for = |purpose| {
        let orders = session.queries.declare(choice.actor(), &purpose);
        matches!(&orders[..], [only] if only.verb == choice.verb)
    };
    // A number, such as the share of the round that a move takes, is set by the player; a cell would
    // need another one.
    choice.number.is_none() && is_for(Purpose::STEP) && !is_for(Purpose::Guard)
}

/// An attack declaration aimed at an enemy; `None` if it declares no attack or can't reach that
/// enemy.
pub(super) fn attack_by(
    session: &Session,
    choice: &Choice,
    enemy: &UnitView,
) -> Option<OrderDraft> {
    let who = choice.who.filter(|_| choice.spell.is_none())?;
    // A declaration that moves cover too does not mean an attack.
    let goes = session.queries.declare(who, &Purpose::STEP);
    if goes.iter().any(|order| order.verb == choice.verb) {
        return None;
    }
    let manner = Manner {
        declared: Some(choice.verb),
        ..Manner::default()
    };
    attack(session, who, enemy, choice.with, &manner)
}

/// A draft to attack a unit in this manner, with the preferred weapon. Without one, a unit keeps its
/// weapons in hand beside an enemy, see [`exchange::instead_of_throw`].
fn attack(
    session: &Session,
    who: Id,
    enemy: &UnitView,
    prefers: Option<Item>,
    manner: &Manner,
) -> Option<OrderDraft> {
    let queries = &session.queries;
    let (rules, planning) = (queries.rules, queries.rules.planning);
    let plan_by = |by, with| {
        let target = enemy.id;
        let order = Order::Attack { target, by, with };
        queries.ask(|world| orders::attack_plan(rules, world, who, &order, manner))
    };
    let mut found = plan_by(None, prefers)?;
    if prefers.is_none() && manner.attacks.is_none() {
        let throw = &found.attack;
        let melee = queries.ask(|world| exchange::instead_of_throw(rules, world, throw));
        let melee = melee.and_then(|m| plan_by(Some(m.verb), m.with));
        found = melee.unwrap_or(found);
    }
    let AttackPlan {
        plan,
        attack,
        stand,
    } = found;
    let mut draft = OrderDraft {
        stand: Some(stand),
        ..OrderDraft::new(session.order_title(&attack), plan)
    };
    let planned = draft.planned();
    let made = planned.and_then(|plan| queries.planned_forecast(&plan, &attack));
    let at_stand = |world: &mut World| (rules.forecasting.attack)(world, &attack)?.ok();
    let forecast =
        made.or_else(|| queries.ask(|world| standing_at(world, who, stand, at_stand)))?;
    let charges = planning.is_charge(attack.verb);
    if charges {
        // Repeating a charge needs its button: a plain click never charges.
        draft.intent.key = queries.key(forecast.choice.verb);
    }
    let size = session.shown().unit(who).size;
    let is_near = cells_apart(Space::new(stand, size), enemy.space()) <= 1;
    let is_melee = planning.melee() == Some(forecast.choice.verb) || charges;
    draft.intent.odds = match is_melee || is_near {
        true => forecast.in_brief(),
        false => format!("{}; melee if the target is too close", forecast.in_brief()),
    };
    draft.attack = Some(forecast);
    Some(draft)
}

/// Most enemies considered for a preset, nearest first: each needs a path.
const NEAREST: usize = 4;

/// The target of the unit's last plan, and all enemies, that target first and then the nearest.
fn likely(session: &Session, who: Id) -> (Option<Id>, Vec<&UnitView>) {
    let shown = session.shown();
    let last = session.intents().before(who, shown.clock.round);
    let liked = last.and_then(Intent::at);
    let here = shown.unit(who).space();
    let mut foes: Vec<&UnitView> = shown.enemies_of(shown.unit(who).side).collect();
    foes.sort_by_key(|p| (liked != Some(p.id), cells_apart(here, p.space()), p.id));
    (liked, foes)
}

/// The draft for a button of the action bar, against its likely target.
fn of_button(session: &mut Session, who: Id, key: char) -> Option<OrderDraft> {
    let offers = session.offers_of(who);
    let acts = super::acts::acts(session, &offers);
    let is_it = |act: &&ActButton| act.key == key && act.why_not.is_none();
    let act = acts.iter().find(is_it)?;
    let (_, enemies) = likely(session, who);
    let enemy = enemies.first()?;
    let plain = attack(session, who, enemy, None, &Manner::default());
    let is_own = |draft: &OrderDraft| draft.orders().iter().any(|order| act.has(order.verb));
    let aimed = || {
        let choice = act.choices().find(|c| c.at == Some(enemy.id))?;
        let plan = Plan {
            is_aimed: true,
            ..Plan::as_declared(who, vec![choice.clone()])
        };
        let mut draft = OrderDraft::new(session.order_title(choice), plan);
        draft.intent.key = Some(key);
        Some(draft)
    };
    plain.filter(is_own).or_else(aimed)
}

/// A preset against the last plan's target, or the best one.
pub(super) fn preset(session: &mut Session, who: Id, usual: &Preset) -> Result<OrderDraft, String> {
    let offers = session.offers_of(who);
    let is_open = |draft: &OrderDraft| is_open(draft, &offers);
    let (liked, mut enemies) = likely(session, who);
    if usual.comes {
        enemies.truncate(NEAREST);
    }
    let manner = Manner {
        attacks: Some(usual.verbs),
        comes: Some(usual.comes),
        guard: Some(usual.guard),
        ..Manner::default()
    };
    let drafts = enemies.into_iter();
    let drafts = drafts.filter_map(|enemy| attack(session, who, enemy, None, &manner));
    let best = drafts.filter(is_open).max_by_key(|draft| {
        let at = draft.intent.at();
        let worth = draft.attack.as_ref().map_or(0, |attack| attack.worth);
        let feet = draft.intent.plan.feet;
        let is_liked = at == liked && at.is_some();
        (is_liked, feet <= A_MOVE, worth, Reverse((feet, at)))
    });
    let best = best.or_else(|| usual.waits.then(|| stand(session, who)).filter(is_open));
    best.ok_or_else(|| format!("{}: no valid target.", usual.name))
}

/// A draft to attack any enemy that comes into reach.
fn stand(session: &Session, who: Id) -> OrderDraft {
    let plan = session.queries.plan(who, Order::Guard);
    OrderDraft::new(
        "Attack any enemy that comes".into(),
        Plan {
            fallback: Fallback::Another,
            ..plan
        },
    )
}

/// A draft to move to a cell.
fn go(session: &Session, who: Id, cell: Cell) -> Option<OrderDraft> {
    let shown = session.shown();
    let end = Space::new(cell, shown.unit(who).size);
    if !shown.board.can_stand(end) || session.stuck(who).is_some() {
        return None;
    }
    let feet = session.queries.distance(who, cell)?;
    let plan = session.queries.plan(who, Order::Move { to: cell });
    Some(OrderDraft::new(format!("Move {feet} ft"), plan))
}

/// The orders of the unit's last round with orders, if they are still possible and have an effect;
/// otherwise why not. Other orders never take their place.
pub fn again(session: &mut Session, who: Id) -> Result<OrderDraft, String> {
    let round = session.round();
    let last = session.intents().before(who, round).cloned();
    let declared = session.intents().unplanned_before(who, round);
    let draft = match (begun_work(session, who).or(declared), last) {
        (Some(orders), _) => said(session, who, orders)?,
        (None, Some(last)) => same(session, &last)?,
        (None, None) => return Err(String::from("it has had none")),
    };
    // An attack or a move that can't succeed yet still brings the unit nearer.
    let is_act = matches!(draft.intent.plan.order, Order::Act { .. });
    let fails = |outcome: &PlanOutcome| is_act && !outcome.is_open && outcome.succeeded == 0;
    let outcome = tried(session, &draft).filter(fails);
    let first = outcome.and_then(|outcome| outcome.failures.into_iter().next());
    match first.map(|failures| failures.reason) {
        None => Ok(draft),
        Some(Reason::OutOfTime { .. }) => Err(String::from("it would have no effect")),
        Some(reason) => Err(reason.text(session.game.names())),
    }
}

/// Sensible orders for a unit, or why it has none. A unit whose target falls before takes another
/// one. A unit that would seldom reach its target in time moves beside it instead. If the order would
/// end in the cell of an ally's order, another good one takes its place.
pub fn suggested(session: &mut Session, who: Id) -> Result<OrderDraft, String> {
    let best = best_suggestion(session, who)?;
    let best = nearer(session, &best).unwrap_or(best);
    let mut draft = apart(session, &best).unwrap_or(best);
    let plan = &mut draft.intent.plan;
    if plan.order.target().is_some() && !plan.is_spell() {
        plan.fallback = Fallback::Another;
    }
    Ok(draft)
}

/// Whether a unit is likely to be given a move that can end in another cell, where ending in the cell
/// of an ally costs something.
pub fn can_give_way(session: &Session, who: Id) -> bool {
    let costs = session.queries.rules.planning.shared_cell_cost.is_some();
    let draft = costs.then(|| sensible(session, who)).flatten();
    draft.is_some_and(|draft| matches!(draft.intent.plan.order, Order::Move { .. }))
}

/// Orders that never succeed are not suggested if others can, nor an attack on an enemy that an
/// ally asks not to fight.
fn best_suggestion(session: &mut Session, who: Id) -> Result<OrderDraft, String> {
    let first = session.is_declaring().then(|| sensible(session, who));
    let first = first.flatten().ok_or("nothing to declare now")?;
    // A draft that can't be simulated counts as one that can succeed.
    let succeeds = |outcome: PlanOutcome| outcome.succeeded > 0;
    let is_good = |session: &Session, draft: &OrderDraft| {
        !spoils_truce(session, draft) && tried(session, draft).is_none_or(succeeds)
    };
    if first.intent.plan.has_purpose() && is_good(session, &first) {
        return Ok(first);
    }
    let (_, enemies) = likely(session, who);
    let plain = Manner::default();
    let attacks = enemies.into_iter().take(NEAREST);
    let attacks = attacks.filter_map(|enemy| attack(session, who, enemy, None, &plain));
    let mut others = Vec::from_iter(attacks);
    others.push(stand(session, who));
    let offers = session.offers_of(who);
    let mut open = others.into_iter().filter(|d| is_open(d, &offers));
    match (
        open.find(|d| is_good(session, d)),
        ends_truce(session, &first.intent),
    ) {
        (Some(draft), _) => Ok(draft),
        (None, Some(why)) => Err(uncapitalised(&why)),
        (None, None) => Ok(first),
    }
}

/// A move beside the target of an attack that rarely comes off because the unit's way is too long.
/// `None` if that is not the reason, or if the move is not possible or comes off no more often.
fn nearer(session: &mut Session, draft: &OrderDraft) -> Option<OrderDraft> {
    let Order::Attack { target, .. } = draft.intent.plan.order else {
        return None;
    };
    let (who, enemy) = (draft.who(), session.shown().unit(target));
    let stand = attack(session, who, enemy, None, &Manner::default())?.stand?;
    if stand == session.shown().unit(who).at {
        return None;
    }
    let outcome = tried(session, draft)?;
    let is_way = |failures: &&Failures| {
        let reason = &failures.reason;
        matches!(
            reason,
            Reason::OutOfTime { .. } | Reason::OutOfReach { .. } | Reason::Short
        )
    };
    let late = outcome.failures.iter().filter(is_way);
    let late: u32 = late.map(|failures| failures.rounds).sum();
    if 4 * outcome.succeeded >= FEW_ROUNDS || 2 * late <= FEW_ROUNDS {
        return None;
    }
    let near = go(session, who, stand)?;
    let is_better = tried(session, &near)?.succeeded > outcome.succeeded;
    let offers = session.offers_of(who);
    (is_better && is_open(&near, &offers)).then_some(near)
}

/// Another good order for a draft that ends in the same cell as an ally's order: a move to a cell
/// beside it, or an attack on another enemy. `None` if the draft shares no cell, or if there is no
/// such order.
fn apart(session: &mut Session, draft: &OrderDraft) -> Option<OrderDraft> {
    if !shares_end(session, draft) {
        return None;
    }
    let who = draft.who();
    let others: Vec<OrderDraft> = match draft.intent.plan.order {
        Order::Move { to } => {
            let beside = to.neighbours().filter_map(|cell| go(session, who, cell));
            let mut beside: Vec<OrderDraft> = beside.collect();
            let feet = |near: &OrderDraft| {
                let cell = near.intent.plan.order.cell()?;
                session.queries.distance(who, cell)
            };
            beside.sort_by_key(feet);
            beside
        }
        _ => {
            let (_, enemies) = likely(session, who);
            let enemies = enemies.into_iter().take(NEAREST);
            let plain = Manner::default();
            enemies
                .filter_map(|enemy| attack(session, who, enemy, None, &plain))
                .collect()
        }
    };
    let offers = session.offers_of(who);
    let mostly = |outcome: PlanOutcome| 2 * outcome.succeeded >= FEW_ROUNDS;
    others.into_iter().find(|other| {
        is_open(other, &offers)
            && !shares_end(session, other)
            && !spoils_truce(session, other)
            && tried(session, other).is_some_and(mostly)
    })
}

/// Whether a draft would end in the same cell as an ally's order, where that costs something.
fn shares_end(session: &Session, draft: &OrderDraft) -> bool {
    let given = declared(session);
    let others = given.iter().filter(|intent| intent.who() != draft.who());
    let costs = session.queries.rules.planning.shared_cell_cost.is_some();
    if !costs || others.clone().next().is_none() {
        return false;
    }
    let situation = session.situation(Some(&draft.intent.plan));
    let view = BoardView::of(session);
    let timeline = situation.and_then(|situation| timeline(&situation, &view, &|| false));
    let Some(timeline) = timeline else {
        return false;
    };
    !risks::shares_end(session, &timeline, &draft.intent, others).is_empty()
}

/// Whether a draft attacks an enemy that an ally asks not to fight, or asks enemies not to fight
/// while allies could fight them.
fn spoils_truce(session: &Session, draft: &OrderDraft) -> bool {
    let (truce, shown) = (session.queries.rules.planning.truce, session.shown());
    let asks = |order: &Choice| !session.queries.ask(|world| truce(world, order)).is_empty();
    let mut allies = shown.members(session.player());
    let has_allies = allies.any(|ally| ally.is_up() && ally.id != draft.who());
    let mut enemies = shown.enemies_of(session.player());
    let attacks_any = draft.intent.plan.order == Order::Guard;
    let ends_one = attacks_any && enemies.any(|enemy| session.truce_with(enemy.id).is_some());
    ends_one
        || ends_truce(session, &draft.intent).is_some()
        || has_allies && draft.orders().iter().any(asks)
}

/// Simulated rounds to see whether a plan can succeed.
const FEW_ROUNDS: u32 = 10;

/// The results of a draft in a few simulated rounds. `None` if it can't be simulated.
fn tried(session: &Session, draft: &OrderDraft) -> Option<PlanOutcome> {
    let situation = session.situation(Some(&draft.intent.plan))?;
    let found = situation.simulate((session.game.seed(), FEW_ROUNDS), &|| false);
    found?.plans.remove(&draft.who())
}

/// The intent to remember for a declared draft, with the enemies shown as possible attackers on its
/// way. `None` if the orders name their target themselves.
pub fn intended(session: &Session, draft: &OrderDraft) -> Option<Intent> {
    if !draft.intent.plan.is_aimed {
        return None;
    }
    let situation = session.situation(Some(&draft.intent.plan));
    let view = BoardView::of(session);
    let timeline = situation.and_then(|situation| timeline(&situation, &view, &|| false));
    let acts = timeline.iter().flat_map(|timeline| &timeline.acts);
    let own = acts.filter(|act| act.who == draft.who());
    let provoked = own.flat_map(|act| &act.provoked);
    let possible_attackers = provoked.fold(0, |enemies, provoked| enemies | provoked.by.bit());
    Some(Intent {
        possible_attackers: timeline.is_some().then_some(possible_attackers),
        ..draft.intent.clone()
    })
}

/// The reason against an order that its unit can't declare.
const CLOSED: &str = "it is not possible now";

/// The declaration that continues or repeats the work that a unit began on its turn, if it has done
/// nothing since.
fn begun_work(session: &mut Session, who: Id) -> Option<Vec<Choice>> {
    let events = session.known_events();
    let acted = events.filter_map(|event| match &event.what {
        EventKind::Acted { choice } if choice.who == Some(who) => Some(choice),
        _ => None,
    });
    let last = acted.last()?.clone();
    let planning = session.queries.rules.planning;
    let mut rows = planning.carried_out.iter();
    let row = rows.find(|row| planning.works.contains(&row.0) && row.1.contains(&last.verb))?;
    let continues = |offer: &&Offer| {
        let choice = &offer.choice;
        let is_same = (choice.at, choice.with) == (last.at, last.with);
        offer.is_legal() && choice.verb == row.0 && is_same
    };
    let offers = session.offers_of(who);
    let found = offers.iter().find(continues)?;
    Some(vec![found.choice.clone()])
}

/// Repeats declarations made with the action bar.
fn said(session: &mut Session, who: Id, orders: Vec<Choice>) -> Result<OrderDraft, String> {
    let offers = session.offers_of(who);
    let draft = OrderDraft::of(session.said(who, orders));
    if is_open(&draft, &offers) {
        return Ok(draft);
    }
    let mut named = draft.orders().iter().filter_map(|order| order.at);
    let gone = named.find_map(|at| gone(session, at));
    Err(gone.unwrap_or_else(|| String::from(CLOSED)))
}

/// The reason that a target is out of the fight, if it is.
fn gone(session: &Session, target: Id) -> Option<String> {
    let gone = session.queries.ask(|world| Reason::gone(world, target));
    gone.map(|reason| reason.text(session.game.names()))
}

/// Repeats an earlier order: an attack or a spell if its target is still up, with the same weapon;
/// a move if the unit has not arrived. Otherwise why not.
fn same(session: &mut Session, last: &Intent) -> Result<OrderDraft, String> {
    let who = last.who();
    let offers = session.offers_of(who);
    if let Some(why) = last.at().and_then(|at| gone(session, at)) {
        return Err(why);
    }
    let enemy = last.at().map(|id| session.shown().unit(id));
    let planning = session.queries.rules.planning;
    // Where a charge is declared as any attack, the unit charges again or attacks from its cell.
    let has_charged = match &last.plan.order {
        Order::Attack { by: Some(by), .. } => {
            planning.charges_by_attack() && planning.is_charge(by)
        }
        _ => false,
    };
    let draft = match (last.key.filter(|_| !has_charged), &last.plan.order) {
        (None, Order::Attack { target, by, with }) => {
            let melee = planning.attacks.first().filter(|_| has_charged);
            let verbs = Vec::from_iter(by.iter().copied().chain(melee.map(|attack| attack.0)));
            let manner = Manner {
                attacks: by.is_some().then_some(&verbs[..]),
                ..Manner::default()
            };
            let names = session.game.names();
            let hindered = || match with {
                Some(item) => format!("{} can't be used now", names.item(*item)),
                None => format!("{} can't be attacked now", names.name(*target)),
            };
            let draft = enemy.and_then(|foe| attack(session, who, foe, *with, &manner));
            draft.ok_or_else(hindered)?
        }
        (None, Order::Move { to }) if session.shown().unit(who).at == *to => {
            return Err(String::from("already there"));
        }
        (None, Order::Move { to }) => {
            let why_not = match session.stuck(who) {
                Some((why, _)) => Reason::Refused { target: None, why },
                None => Reason::NoPath { to: *to },
            };
            let draft = go(session, who, *to);
            draft.ok_or_else(|| why_not.text(session.game.names()))?
        }
        (None, Order::Guard) => stand(session, who),
        _ => {
            let mut draft = OrderDraft::of(last.clone());
            draft.intent.plan.is_begun = false;
            draft.charging(session)
        }
    };
    match is_open(&draft, &offers) {
        true => Ok(draft),
        false => Err(String::from(CLOSED)),
    }
}

/// What the quick AI would declare for a unit, and for what.
fn sensible(session: &Session, who: Id) -> Option<OrderDraft> {
    let Suggestion {
        plan,
        main,
        is_action,
    } = session.situation(None)?.suggest(who)?;
    let label = session.after_declaration(&plan, &session.order_text(&main));
    let mut draft = OrderDraft::new(label, plan);
    if !is_action {
        return Some(draft.charging(session));
    }
    draft.intent.key = main.spell.and(session.queries.key(main.verb));
    Some(draft)
}
