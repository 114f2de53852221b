//! How the quick AI scores offers: how it plans a unit's 100%, which enemies it attacks, and
//! where it moves. It reads only what its side knows.

mod declaring;

use super::{
    Activity,
    acts::{self, load_first},
    content::{ActivitySpell, Grant},
    declared,
    odds::{Forecast, RollResult},
    plan,
    query::{ActivityQuery, Striking},
    spells,
    state::{ActionKind, Lasts},
    targets,
};
use crate::{
    battle::{Choice, Few, Id, Item, MoveEnd, Offer, State},
    content::Spell,
    grid::Cell,
    rulesets::common::{
        act::{self, attack_of},
        ai::{self, AttackOption, Charge, EndWorth, HURT, Hit, KILL, QuickAi},
    },
};
use std::cell::OnceCell;

type Evaluation<'a, 'w, 's> = ai::Evaluation<'a, 'w, 's, Activity>;

/// Base worth of moving as planned or staying, far above doing nothing.
const MOVE: i32 = 1_000_000;

impl QuickAi for Activity {
    act::acts!(Activity: act::grouped(acts::ACTS), acts::OTHERS);

    /// The cells from which the unit could attack, if it has planned a melee after its move.
    type Own = OnceCell<Option<Striking>>;
    /// Wound penalty; whether the unit is helpless; its parry in melee and against missiles.
    type Traits = (i32, bool, [i32; 2]);
    /// A unit that advances uses up the share of the round that an attack needs, so it pays to
    /// let the enemy advance.
    const CAUTION: i32 = 150;
    const HASTE: (i32, i32) = (0, 50);

    fn enemies(ac: &ActivityQuery, who: Id) -> Vec<Id> {
        ac.enemies(who).collect()
    }

    fn aim(ac: &ActivityQuery, by: Id, at: Id, option: &mut AttackOption) {
        if option.ranged {
            option.adjacent_penalty = Some(-ac.tables().foe_in_reach / 5);
        }
        let plain = ac.plain(by, at, option.item, option.ranged);
        option.hits.push(sketch(&plain));
    }

    fn traits(ac: &ActivityQuery, id: Id) -> Option<Self::Traits> {
        let (may_parry, penalty) = (ac.may_parry(id), ac.actor(id).penalty);
        let parry = if may_parry { ac.parry(id) } else { 0 };
        let missiles = match may_parry && ac.missile_parries_left(id, ac.actor(id).position()) > 0 {
            true => ac.missile_parry(id),
            false => 0,
        };
        Some((penalty, ac.is_helpless(id), [parry, missiles]))
    }

    fn approach_feet(ac: &ActivityQuery, enemy: Id) -> Option<u16> {
        let (least, full) = ac.tables().costs.melee;
        let able = !ac.is_helpless(enemy) && !ac.body(enemy).flees;
        able.then(|| ac.feet(enemy, full - least, false))
    }

    fn feet_before_shooting(ac: &ActivityQuery, enemy: Id, item: Item) -> u16 {
        let (least, _) = ac.tables().costs.missile;
        let (_, full) = ac.tables().costs.melee;
        let left = full - least - load_first(ac, enemy, item);
        ac.feet(enemy, left.max(0), false)
    }

    fn charge(ac: &ActivityQuery, enemy: Id) -> Option<Charge> {
        let feet = Self::approach_feet(ac, enemy).filter(|_| !ac.body(enemy).prone)?;
        Some(Charge {
            who: enemy,
            // The run may be too short for a charge (AC-21).
            least: ac.tables().charge_least,
            feet,
            occupancy: ac.occupancy(enemy, false),
        })
    }

    fn hinder_feet(ac: &ActivityQuery, enemy: Id) -> Option<u16> {
        ac.strike_reach(enemy)
    }

    fn harm(ac: &ActivityQuery, who: Id, spell: &Spell, id: Id) -> Option<i32> {
        let points = spell.section::<ActivitySpell>().points;
        Some(worth(&spells::spell_forecast(ac, who, id, spell, points)))
    }

    /// Compares average hits, so that a side is not bolder, or first to advance, just because
    /// its units have more hits than the enemy's.
    fn fear(ac: &ActivityQuery, who: Id) -> (i64, i64) {
        let own = ac.body(who).side;
        let (mut ours, mut theirs) = ((0, 0), (0, 0));
        for id in ac.view.ids() {
            let body = ac.body(id);
            let hits = i64::from(body.max_hp.max(1));
            let is_known = !ac.actor(id).hidden && body.state != State::Waiting;
            match body.side == own {
                true => ours = (ours.0 + hits, ours.1 + 1),
                false if is_known => theirs = (theirs.0 + hits, theirs.1 + 1),
                false => {}
            }
        }
        (ours.0 * theirs.1, theirs.0 * ours.1)
    }

    fn is_held(ac: &ActivityQuery, id: Id) -> bool {
        ac.is_helpless(id)
    }

    /// A unit that has planned its whole round only decides how much to parry.
    fn sufficient_offers(ac: &ActivityQuery, who: Id) -> Option<Few> {
        let actor = ac.actor(who);
        let is_full =
            actor.planned() >= actor.capacity || actor.actions() >= ac.tables().max_actions;
        let is_carried = actor.plan.first().is_some_and(|first| first.carried);
        if !is_full || is_carried || actor.naming.is_some() {
            return None;
        }
        let mut offers = vec![];
        plan::parry(ac, who, &mut offers);
        offers.push(Offer::legal(Choice::new(&declared::READY, who)));
        Some(Few::only(offers))
    }

    fn choose(eval: &Evaluation) -> (Choice, i32) {
        // Offers of the same action are adjacent.
        let mut runs = eval.offers.chunk_by(|a, b| a.choice.verb == b.choice.verb);
        match runs.any(|run| declared::VERBS.contains(&run[0].choice.verb)) {
            true => (eval.declare(), 0),
            false => ai::best_of(eval, |_| true),
        }
    }

    fn score_of_move(eval: &Evaluation, _: &Offer, end: MoveEnd, there: &EndWorth) -> i32 {
        let strikes = eval.strikes_from(end.to);
        let then = if strikes { there.offense } else { 0 };
        MOVE - eval.cost_of_provoking(end.provoked) + there.place + then
    }
}

/// An approximate attack result, from one roll for each face of a d20.
fn sketch(f: &Forecast) -> Hit {
    let (mut outcomes, mut worth, hits) = (0, 0, f.hits.max(1));
    let judge = f.judge();
    for face in 0..20 {
        let first = 5 * face + 3;
        // The highest face rolls again (AC-30).
        let roll = if face == 19 { first + 50 } else { first };
        if let RollResult::Hit(total) = judge.comes(first, roll)
            && let Some(row) = judge.row(total)
        {
            let drops = row.dead || row.hits >= hits;
            outcomes += 1;
            worth += row.hits.min(hits) * HURT / hits + 10 * row.stun;
            worth += if drops { KILL } else { 0 };
        }
    }
    Hit::new(outcomes, worth / outcomes.max(1))
}

/// The worth of an attack; dropping the target counts most.
fn worth(forecast: &Forecast) -> i32 {
    let chances = forecast.chances();
    let hits = chances.mean_hits_by_10k as i32 / 100;
    let share = hits.min(forecast.hits * 100) * 6 / forecast.hits.max(1);
    chances.drop as i32 / 10 + share + chances.mean_stun_by_10k as i32 / 1000 - 1
}

impl Evaluation<'_, '_, '_> {
    /// The worth of a spell with this aim: enemies hurt, minus allies hurt.
    pub fn spell_worth(&self, choice: &Choice) -> i32 {
        let ac = self.state;
        let Some(kind) = choice.spell.map(|s| self.view.spell(s)) else {
            return 0;
        };
        let caught = match (choice.at, choice.to) {
            (Some(at), _) => vec![at],
            (_, Some(to)) => spells::caught(ac, self.who, kind, to),
            _ => vec![],
        };
        let Some(grant) = kind.section::<ActivitySpell>().grants else {
            return self.spell_on_all(kind, caught);
        };
        let granted = |id: Id| {
            let friend = ac.body(id).side == self.side();
            self.help(friend, self.grant_worth(id, grant))
        };
        caught.into_iter().map(granted).sum()
    }

    /// The worth of a spell that lets a unit do more in a round.
    fn grant_worth(&self, id: Id, grant: Grant) -> i32 {
        let ac = self.state;
        let (actor, mut weapons) = (ac.actor(id), ac.inventory(id).ready());
        // Only weapons that take longer to load gain enough.
        let is_slow = |n| ac.reload(n) > 30;
        match grant {
            Grant::Swift if actor.has(Lasts::Swift) => 0,
            Grant::Swift => 50 + 60 * i32::from(ac.is_threatened(id)),
            Grant::QuickLoad if actor.has(Lasts::QuickLoad) => 0,
            Grant::QuickLoad => 90 * i32::from(weapons.any(is_slow)),
        }
    }

    /// Skipping the action that is due.
    pub fn give_up(&self) -> i32 {
        // With an enemy in reach, the move before the attack is not needed any more and would only
        // cost OB (AC-23).
        let strikes = self.strikes_from(self.here);
        if strikes { 2 * MOVE } else { 0 }
    }

    /// Not using the leftover activity.
    pub fn stay_here(&self) -> i32 {
        MOVE + self.stay() + 1
    }

    /// The score of an attack, with its planned share of the round.
    pub fn attack(&self, choice: &Choice) -> i32 {
        let attack = attack_of::<Activity>(self.state, choice);
        let forecast = attack.and_then(|(it, from)| self.state.forecast_from(&it, from).ok());
        forecast.map_or(0, |f| 1 + worth(&f))
    }

    /// Whether the unit has planned a melee after its move, and could attack from `at`.
    fn strikes_from(&self, at: Cell) -> bool {
        let striking = self.own.get_or_init(|| {
            let actor = self.state.actor(self.who);
            let moves = actor.coming().is_some_and(|p| p.kind == ActionKind::Move);
            let mut after = actor.plan.iter().skip(actor.next + 1);
            let comes = moves && after.any(|p| p.kind == ActionKind::Melee);
            comes.then(|| self.state.striking(self.who))
        });
        let reaches = |striking: &Striking| striking.reaches(&self.view.board, self.space(at));
        striking.as_ref().is_some_and(reaches)
    }
}
