//! A unit's state for its cards: its round, its wounds, what it keeps for parrying.

use super::plan;
use crate::rulesets::activity::content::{ActivityWeapon, Talent};
use crate::{
    battle::{Id, State, capitalised, numeral, signed, sum},
    rulesets::activity::{
        Activity, clock,
        query::ActivityQuery,
        state::{Lasts, Stage},
        wounds::rounds_to_live,
    },
    ui::{
        art::icons::Icon,
        ruleset_ui::{
            Bar, Status, StatusBadge, TraitWords, lasting,
            words::{held, holding, hp_left},
        },
    },
};
use bevy::ecs::system::In;

pub fn status(In(who): In<Id>, ac: ActivityQuery) -> Status {
    let (body, actor) = (ac.body(who), ac.actor(who));
    let up = body.is_up();
    let left = plan::left(&ac, actor, actor.planned());
    let own = actor.declared || !actor.plan.is_empty();
    let is_over = actor.is_over(ac.clock.stage);
    let power = ac.stats(who).power;
    let mut bars = vec![Bar::new("HP", hp_left(body), body.max_hp)];
    bars.extend((power > 0).then(|| Bar::new("Power", actor.power, power)));
    Status {
        left: (up && own && !is_over).then(|| u8::try_from(left.clamp(0, 255)).unwrap_or(0)),
        plan: clock::plan(&ac, who).into(),
        when: clock::when(&ac, who).unwrap_or_default().into(),
        done: clock::is_done(&ac, who),
        conditions: if body.state == State::Dead {
            vec![]
        } else {
            conditions(&ac, who)
        },
        dying: rounds_to_live(&ac, who),
        bars,
        round: (up && own).then(|| plan::round(&ac, who, usize::MAX)),
        ..Status::default()
    }
}

fn conditions(ac: &ActivityQuery, who: Id) -> Vec<StatusBadge> {
    let (body, actor) = (ac.body(who), ac.actor(who));
    let up = body.is_up();
    let rounds = |n: i32| match n {
        1 => String::from("this round"),
        n => format!("{n} rounds"),
    };
    let bad = StatusBadge::bad::<String>;
    let stunned = format!("Stunned, {}: no actions, no parry", rounds(actor.stunned));
    let bleeds = format!("Bleeding: {} a round until stanched", actor.bleeding);
    let wounds = format!("Wounds: {} to all actions", signed(actor.penalty));
    let clumsy = format!("Wounds: {} more to maneuvers", signed(actor.clumsy));
    let mut all = holding([
        (actor.stunned > 0, bad(Icon::Stunned, stunned)),
        (actor.bleeding > 0, bad(Icon::Bleeding, bleeds)),
        (up && actor.penalty < 0, bad(Icon::Skull, wounds)),
        (up && actor.clumsy < 0, bad(Icon::Skull, clumsy)),
        (up && body.prone, bad(Icon::Prone, String::from("Prone"))),
    ]);
    let (mixed, good) = (StatusBadge::mixed::<String>, StatusBadge::good::<String>);
    if actor.parry > 0 && up {
        let share = actor.parry;
        let no_weapon = format!("Keeps {share} OB, but has no weapon to parry");
        let later = format!("Keeps {share} OB: parry starts once in melee");
        all.push(match (ac.may_parry(who), ac.parry(who)) {
            (true, 0) => mixed(Icon::Parry, no_weapon),
            (true, db) => good(Icon::Parry, format!("Parries melee: DB +{db}, included")),
            (false, _) => mixed(Icon::Parry, later),
        });
    }
    let parries = ac.missile_parries_left(who, actor.position());
    let missiles = match parries {
        1 => String::from("a missile"),
        n => format!("{n} missiles"),
    };
    let ready = String::from("Ready: attacks an enemy that comes into reach");
    let missiles = format!("Parries {missiles}: DB +{}", ac.missile_parry(who));
    all.extend(holding([
        (up && actor.waiting, good(Icon::Strike, ready)),
        (up && parries > 0, good(Icon::Defend, missiles)),
    ]));
    for timed in &actor.lasting {
        let long = rounds(timed.rounds);
        all.push(match timed.what {
            Lasts::Surprised => {
                StatusBadge::bad(Icon::Surprised, "Surprised: no actions, no parry")
            }
            Lasts::Swift => StatusBadge::good(Icon::Run, format!("Swift: 200% activity, {long}")),
            Lasts::QuickLoad => StatusBadge::good(Icon::Reload, format!("Loads in 10%, {long}")),
            Lasts::ChiSpent => continue,
        });
    }
    all.extend(lasting::<Activity>(ac, who).into_iter().filter(|_| up));
    let fleeing = StatusBadge::bad(Icon::Fleeing, "Fleeing: morale broken");
    all.extend(holding([
        (actor.hidden, StatusBadge::good(Icon::Unseen, "Hidden")),
        (up && body.flees, fleeing),
    ]));
    all
}

/// Key figures for the inspect card.
pub fn figures(In(who): In<Id>, ac: ActivityQuery) -> Vec<String> {
    let (body, actor, stats) = (ac.body(who), ac.actor(who), ac.stats(who));
    let defence = ac.defence(who, false);
    let db = sum(&defence);
    let hp = numeral(hp_left(body));
    let mut lines = vec![format!("HP {hp} of {}   DB {}", body.max_hp, numeral(db))];
    if body.hp <= 0 && body.state == State::Down {
        lines.push(format!("Dies at {} HP", signed(-stats.constitution)));
    }
    if stats.power > 0 {
        let (left, most, skill) = (actor.power, stats.power, signed(stats.casting));
        lines.push(format!("Power {left} of {most}   casting {skill}"));
    }
    if !body.is_up() {
        return lines;
    }
    if ac.clock.stage != Stage::Declaring {
        let initiative = numeral(actor.initiative);
        lines.push(format!("Initiative {initiative} this round"));
    }
    for item in ac.inventory(who).at_hand().take(3) {
        let weapon = ac.weapon(item);
        let ranged = weapon.melee.is_none();
        let ob = ac.base_ob(who, item, ranged);
        let section = weapon.section::<ActivityWeapon>();
        let load = match (section.reload > 0, actor.loaded.contains(&item)) {
            (false, _) => "",
            (true, true) => ", loaded",
            (true, false) => ", not loaded",
        };
        let name = capitalised(&weapon.name);
        let size = section.size.grown(stats.stature);
        let held = held(ac.inventory(who), item);
        let (ob, size) = (signed(ob), size.name());
        lines.push(format!("{name}: OB {ob}, {size}{load}{held}"));
    }
    lines
}

/// The talents of a unit.
pub fn traits(In(who): In<Id>, ac: ActivityQuery) -> Vec<TraitWords> {
    let words = |of: &Talent| {
        let (text, meaning, rule) = match of {
            Talent::SpeedLoader => ("speed loader", "Loading costs it half", "AC-24"),
            Talent::MissileDeflection => (
                "missile deflection",
                "Can parry missiles, with its whole OB in melee and without a shield",
                "AC-22",
            ),
            Talent::Chi => (
                "chi",
                "Can try chi speed, for 200% activity in the next round",
                "AC-25",
            ),
            Talent::Herbs => ("herbs ready", "Can stop its own bleeding", "AC-33"),
        };
        TraitWords::new(text, meaning, rule)
    };
    ac.stats(who).talents.iter().map(words).collect()
}
