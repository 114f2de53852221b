//! What the window reads of a Phased battle.

mod faces;
mod odds;

use super::{
    ActionPip, BASIC, Bar, Condition, Cost, Reach, Reader, Status, Way, lasting, run,
    words::{armed, held, holding, hp_and_ac, weapon_words},
};
use crate::{
    battle::{Action, Choice, Id, MoveEnd},
    content::Weapon,
    grid::Cell,
    rulesets::phased::{
        Phased,
        acts::{GO, SHIFT},
        clock,
        content::PhasedArms,
        fast::FLEE,
        ph::Ph,
        state::{Part, Plan},
    },
    ui::art::{hud::Pip, icons::Icon},
};
use bevy::ecs::{system::In, world::World};

pub(super) static READER: Reader = Reader {
    rules: "Phased",
    about: "Everyone declares; then moves, shots, spells and melee resolve in that order.",
    acts: faces::FACES,
    planning: &crate::rulesets::phased::planning::PLANNING,
    end_words: "Continue",
    side_words: &[(
        &crate::rulesets::phased::declare::NO_MORE,
        "Finish declaring",
    )],
    status: |world, who| run(world, status, who),
    figures: |world, who| run(world, figures, who),
    reach: |world, who| run(world, reach, who),
    way,
    settled: &[
        &crate::rulesets::phased::reactions::FREE_ATTACK,
        &crate::rulesets::phased::reactions::IMMEDIATE_ATTACK,
    ],
    trifling: Some(&MINOR_ACTS),
    blow: |world, choice| run(world, odds::blow, choice.clone()),
    spread: |world, choice| run(world, odds::spread, choice.clone()),
    odds: |world, choice| run(world, odds::odds, choice.clone()),
    area: |world, choice| run(world, odds::area, choice.clone()),
    draws: |world, choice| run(world, odds::draws, choice.clone()),
    slips: |world, choice| run(world, odds::slips, choice.clone()),
    threat: |_, _| Some(5),
    cover: odds::cover_between,
    reaction: |world, choice| run(world, odds::reaction, choice.clone()),
    ..BASIC
};

/// Minor acts alone: beside a spell that is under way, or where there is nothing
/// to shoot at yet. They are no reaction: such a turn passes by without a stop,
/// unless the player wants one.
static MINOR_ACTS: Action = Action {
    name: "turns with minor acts alone",
    order_text: "",
    log_text: "",
    rule: "PH-10",
};

fn status(In(who): In<Id>, ph: Ph) -> Status {
    let (body, fighter) = (ph.body(who), ph.fighter(who));
    let mut pips = vec![ActionPip::new(Pip::Diamond, "Major", fighter.spent)];
    pips.extend((0..fighter.routines).map(|_| ActionPip::new(Pip::Disc, "Routine", false)));
    let up = body.is_up();
    let (bad, mixed) = (Condition::bad::<&str>, Condition::mixed::<&str>);
    let good = Condition::good::<&str>;
    let charged = "Charged: AC 1 worse this round";
    let listens = "Listening: won't attack unless attacked";
    let hidden = "Hidden: unknown to the enemy";
    let mut conditions = holding([
        (up && body.prone, bad(Icon::Prone, "Prone")),
        (
            up && fighter.delayed,
            bad(Icon::Hold, "Delayed: acts in LOW, loses ties"),
        ),
        (
            up && fighter.late,
            mixed(Icon::Hold, "Declared a delay: acts in LOW"),
        ),
        (
            up && fighter.casting.is_some(),
            mixed(Icon::Spell, "Casting: lost if hurt"),
        ),
        (
            up && fighter.upkeep.is_some(),
            mixed(Icon::Spell, "Concentrating: half speed"),
        ),
    ]);
    conditions.extend(lasting::<Phased>(&ph, who).into_iter().filter(|_| up));
    conditions.extend(holding([
        (up && fighter.charged, mixed(Icon::Charge, charged)),
        (up && fighter.listens, mixed(Icon::Pass, listens)),
        (up && fighter.hidden, good(Icon::Eye, hidden)),
        (up && fighter.surprised, bad(Icon::Surprised, "Surprised")),
        (up && body.flees, bad(Icon::Fleeing, "Fleeing")),
        (
            !up && fighter.bleeding,
            bad(Icon::Bleeding, "Bleeding: 1 HP a round"),
        ),
    ]));
    Status {
        pips,
        plan: clock::plan(&ph, who).into(),
        done: clock::is_done(&ph, who),
        conditions,
        bars: vec![Bar::new("HP", body.hp, body.max_hp)],
        ..Status::default()
    }
}

fn figures(In(who): In<Id>, ph: Ph) -> Vec<String> {
    let (body, stats) = (ph.body(who), ph.stats(who));
    let ac = (ph.armour_class(who, false).0, ph.armour_class(who, true).0);
    let mut first = hp_and_ac(body.hp, body.max_hp, ac);
    first += &format!("   hits AC 0 on {}", stats.row.aac0());
    if let Some(morale) = ph.morale(who) {
        first += &format!("   Morale {morale}");
    }
    let calling = match stats.class {
        Some((class, level)) => format!("Level {level} {}", class.name().to_lowercase()),
        None => format!("{} HD ({})", stats.hit_dice, stats.hp_dice()),
    };
    let saves = stats.saves;
    let mut lines = vec![
        first,
        format!(
            "{calling}   saves: body {}, breath {}, magic {}",
            saves.body, saves.breath, saves.magic
        ),
    ];
    match &stats.attacks {
        Some(line) => lines.push(line.to_string()),
        None => {
            let line = |item| weapon_line(ph.weapon(item)) + &held(ph.gear(who), item);
            lines.extend(armed(ph.gear(who)).into_iter().map(line));
        }
    }
    lines
}

fn weapon_line(weapon: &Weapon) -> String {
    let arms = weapon.section::<PhasedArms>();
    let mut line = weapon_words(weapon);
    if weapon.melee.is_some() {
        line += &format!(", speed {}, needs {} ft of space", arms.speed, arms.space);
    }
    if let Some(ranged) = &weapon.ranged {
        line += &format!(", {} / {} ft", ranged.normal, ranged.long);
        if arms.rate > 1 {
            line += &format!(", {} shots", arms.rate);
        }
    }
    line
}

/// Which walk the moment is for, and its feet.
fn walk(ph: &Ph, who: Id) -> Option<(&'static Action, u16)> {
    let f = ph.fighter(who);
    if !ph.is_up(who) {
        return None;
    }
    let rate = ph.rate(who);
    match ph.clock.part {
        Part::Flee if f.plan == Some(Plan::Flee) => Some((&FLEE, rate)),
        part if part.has_other() && !ph.in_melee(who) => match f.spent {
            false => Some((&GO, rate)),
            true if f.positioned || f.forgone || f.casting.is_some() => None,
            true => Some((&SHIFT, rate.min(ph.tables().numbers.positioning_feet))),
        },
        _ => None,
    }
}

/// Where that walk may end, with what it costs.
fn walk_ends(ph: &Ph, who: Id, verb: &'static Action, feet: u16) -> Vec<MoveEnd> {
    match verb == &FLEE {
        true => ph.flight_ends(who, 0),
        false => ph.ends(who, feet),
    }
}

fn reach(In(who): In<Id>, ph: Ph) -> Vec<Reach> {
    let Some((verb, feet)) = walk(&ph, who) else {
        return vec![];
    };
    let cost = if verb == &GO { Cost::Dear } else { Cost::Plain };
    let ends = walk_ends(&ph, who, verb, feet);
    ends.into_iter()
        .map(|end| Reach {
            cell: end.to,
            feet: end.feet,
            cost,
        })
        .collect()
}

/// How it would go there. Paths laid by hand are for the major move, and the
/// battle prices them.
fn way(world: &mut World, who: Id, via: &[Cell], to: Cell) -> Option<Way> {
    fn look(In((who, to)): In<(Id, Cell)>, ph: Ph) -> Option<Way> {
        let (verb, feet) = walk(&ph, who)?;
        let mut ends = walk_ends(&ph, who, verb, feet).into_iter();
        let feet = ends.find(|end| end.to == to)?.feet;
        let start = std::iter::once(ph.body(who).at);
        let path = match verb == &FLEE {
            true => ph.flight_path(who, to),
            false => ph.path(who, ph.rate(who), to),
        };
        let (cost, price) = match verb == &GO {
            true => (Cost::Dear, "uses the major action"),
            false if verb == &SHIFT => (Cost::Plain, "uses a minor action"),
            false => (Cost::Plain, "declared flight"),
        };
        Some(Way {
            orders: vec![Choice::new(verb, who).to(to)],
            cost,
            price: price.into(),
            feet,
            path: start.chain(path).collect(),
            drawn: vec![],
            fall: 0,
            shots: vec![],
        })
    }
    if !via.is_empty() {
        return None;
    }
    let mut way = run(world, look, (who, to))?;
    way.drawn = run(world, odds::draws, way.orders[0].clone());
    Some(way)
}
