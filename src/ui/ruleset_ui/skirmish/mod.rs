//! The Skirmish ruleset's UI.

use super::{
    ActionPip, BASIC, Bar, RulesetUi, Status, StatusBadge, TraitWords, lasting, run,
    words::{
        armed, brawl_words, held, holding, hp_and_ac, morale_words, range_words, trait_words,
        weapon_words,
    },
};
use crate::{
    battle::{Id, Item, State},
    content::{Trait, Weapon},
    rulesets::skirmish::{
        Skirmish,
        acts::{EXECUTE, EXECUTE_SHOT, snap},
        clock,
        numbers::ROUNDS_TO_LIVE,
        query::SkirmishQuery,
    },
    ui::art::{hud::Pip, icons::Icon},
    words::count,
};
use bevy::ecs::system::In;

pub(super) static UI: RulesetUi = RulesetUi {
    rules: "Skirmish",
    about: "Sides take turns. Each unit gets one Main action, one Move and reactions.",
    like: "Plays like XCOM: your whole side, then theirs. Best to start with.",
    end_words: "End turn",
    status: |world, who| run(world, status, who),
    figures: |world, who| run(world, figures, who),
    traits: |world, who| run(world, traits, who),
    figures_tip: "Morale: at its side's first loss, with half of it down, with its leader down and after a parley, the unit rolls 2d6; over its morale it breaks and flees (SK-60)",
    costs_action: snap::spends_main,
    late_harm: &["SK-52", "GR-32"],
    screen_checks: &["SK-15", "SK-16"],
    executions: &[(&EXECUTE, EXECUTED), (&EXECUTE_SHOT, EXECUTED)],
    ..BASIC
};

/// SK-56: what the banner of an execution says after the target's name.
const EXECUTED: [&str; 2] = ["is executed", "survives the execution"];

fn status(In(who): In<Id>, sk: SkirmishQuery) -> Status {
    let (body, fighter) = (sk.body(who), sk.fighter(who));
    let mut pips = vec![ActionPip::new(Pip::Diamond, "Main", fighter.mains == 0)];
    pips.extend((1..fighter.mains).map(|_| ActionPip::new(Pip::Diamond, "Main", false)));
    pips.push(ActionPip::new(Pip::Disc, "Move", fighter.moves == 0));
    let up = body.is_up();
    let (bad, good) = (StatusBadge::bad::<&str>, StatusBadge::good::<&str>);
    let leaves = "Disengaged: leaving provokes no attacks";
    let charged = StatusBadge::mixed(Icon::Charge, "Charged: AC −2 this round");
    let mut conditions = holding([
        (up && body.prone, bad(Icon::Prone, "Prone")),
        (
            up && fighter.defending,
            good(Icon::TotalDefense, "Total defense: AC +2, no Shock"),
        ),
        (up && fighter.disengaged != 0, good(Icon::Disengage, leaves)),
        (up && fighter.charged, charged),
        (up && body.flees, bad(Icon::Fleeing, "Fleeing")),
        (
            rounds_left(&sk, who).is_some(),
            bad(Icon::Bleeding, "Mortally injured"),
        ),
    ]);
    if up {
        conditions.extend(waits(&sk, who));
        conditions.extend(grips(&sk, who));
        conditions.extend(lasting::<Skirmish>(&sk, who));
    }
    Status {
        pips,
        done: clock::is_done(&sk, who),
        conditions,
        dying: rounds_left(&sk, who),
        bars: vec![Bar::new("HP", body.hp.max(0), body.max_hp)],
        ..Status::default()
    }
}

/// SK-61: rounds, with this one, after which a mortally injured unit is dead. `None` for any other
/// unit.
fn rounds_left(sk: &SkirmishQuery, who: Id) -> Option<u16> {
    let rounds = sk.fighter(who).dying?;
    let is_down = sk.body(who).state == State::Down;
    is_down.then(|| ROUNDS_TO_LIVE.saturating_sub(rounds).into())
}

/// Surprise, stealth, held actions, swarming, and allies the unit guards.
fn waits(sk: &SkirmishQuery, who: Id) -> Vec<StatusBadge> {
    let names = sk.view.names();
    let stance = sk.stance(who);
    let is_unseen = !stance.hidden && sk.is_veiled(who);
    let good = StatusBadge::good::<&str>;
    let unseen = good(Icon::Unseen, "Unseen: −4 to ranged attacks against it");
    let mut out = holding([
        (
            stance.surprised,
            StatusBadge::bad(Icon::Surprised, "Surprised"),
        ),
        (stance.hidden, good(Icon::Unseen, "Hidden")),
        (is_unseen, unseen),
        (stance.holding, good(Icon::Hold, "Holds an action")),
    ]);
    if let Some(swarm) = stance.swarm.filter(|s| !s.struck) {
        let words = format!("Swarming {}: one must still attack", names.name(swarm.at));
        out.push(StatusBadge::mixed(Icon::Swarm, words));
    }
    let wards = sk.view.ids().filter(|&w| {
        let guards = sk.stance(w).screened_by & who.bit() != 0;
        guards && sk.is_up(w) && sk.view.within(who, w, 5)
    });
    for ward in wards {
        let ward = names.name(ward);
        let words = match sk.screens_left(who) {
            0 => format!("Guards {ward}: no more attackers this round"),
            n => format!("Guards {ward}: {n} more in reach this round"),
        };
        out.push(StatusBadge::good(Icon::Screen, words));
    }
    out
}

/// Grapples, being unaware, and stalking.
fn grips(sk: &SkirmishQuery, who: Id) -> Vec<StatusBadge> {
    let names = sk.view.names();
    let mut out = vec![];
    for by in sk.holders(who) {
        let words = format!("Held by {}", names.name(by));
        out.push(StatusBadge::bad(Icon::Grapple, words));
    }
    if let Some(at) = sk.holds(who) {
        let words = format!("Holds {}", names.name(at));
        out.push(StatusBadge::mixed(Icon::Fist, words));
    }
    if sk.is_unaware(who) {
        out.push(StatusBadge::bad(Icon::Unseen, "Unaware"));
    }
    if let Some(stalk) = sk.watch(who).stalk {
        let words = format!("Stalks {}", names.name(stalk.at));
        out.push(StatusBadge::good(Icon::Eye, words));
    }
    out
}

fn figures(In(who): In<Id>, sk: SkirmishQuery) -> Vec<String> {
    let (body, creature) = (sk.body(who), sk.view.creature(who));
    let ac = (sk.armour_class(who, false).0, sk.armour_class(who, true).0);
    let mut first = hp_and_ac(body.hp.max(0), body.max_hp, ac);
    first += &morale_words(sk.breaks(who), body);
    let mut lines = vec![first];
    let mut items = armed(sk.inventory(who));
    if let Some(hands) = strong_hands(&sk, who)
        && !items.contains(&hands)
    {
        items.push(hands);
    }
    for item in items {
        let spent = if sk.is_loaded(who, item) {
            ""
        } else {
            ", not loaded"
        };
        let weapon = sk.weapon(item);
        let brawl = brawl_words(creature, weapon);
        lines.push(weapon_line(weapon) + &brawl + spent + &held(sk.inventory(who), item));
    }
    if let Some(left) = rounds_left(&sk, who) {
        lines.push(format!("Dying: {} left", count(left.into(), "round")));
    }
    lines
}

fn traits(In(who): In<Id>, sk: SkirmishQuery) -> Vec<TraitWords> {
    let rule = |of: &Trait| {
        Some(match of {
            Trait::Disciplined => "SK-12",
            Trait::Minion => "SK-61",
            Trait::ShockImmune => "SK-42",
            Trait::ShockBonus(_) => "SK-40",
            Trait::ShockAnyAc => "SK-41",
            Trait::DamageBonus(_) => "SK-32",
            Trait::Reroll | Trait::SpareMain => "SK-71",
            Trait::Invisible => "SK-31",
            Trait::Speechless => "SK-20",
        })
    };
    let stance = sk.stance(who);
    let spent = [
        stance.rerolled.then_some(Trait::Reroll),
        stance.spare_spent.then_some(Trait::SpareMain),
    ];
    let spent: Vec<Trait> = spent.into_iter().flatten().collect();
    trait_words(sk.view.creature(who), rule, &spent)
}

/// SK-32: bare hands, if the Brawl skill makes them stronger than every weapon of the unit.
fn strong_hands(sk: &SkirmishQuery, who: Id) -> Option<Item> {
    let (creature, inventory) = (sk.view.creature(who), sk.inventory(who));
    let brawl = |item: Item| creature.brawl_damage(sk.weapon(item));
    let twice_mean = |item: Item| sk.weapon(item).damage.twice_mean() + 2 * brawl(item);
    let hands = inventory.at_hand().find(|&item| brawl(item) > 0)?;
    let mut others = inventory.at_hand().filter(|&item| item != hands);
    others
        .all(|item| twice_mean(item) < twice_mean(hands))
        .then_some(hands)
}

fn weapon_line(weapon: &Weapon) -> String {
    let mut line = weapon_words(weapon) + &range_words(weapon);
    if let Some(shock) = weapon.shock {
        let ac = shock.ac.map_or("any AC".into(), |ac| format!("AC {ac}"));
        line += &format!(", Shock {} / {ac}", shock.points);
    }
    line
}
