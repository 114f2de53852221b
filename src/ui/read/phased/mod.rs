//! What the window reads of a Phased battle.

mod clock;
mod faces;
mod odds;

use super::{ActionPip, BASIC, Bar, Condition, Reach, Reader, Status, held, lasting, run};
use super::{Cost, Drawn, Way};
use crate::rulesets::phased::content::PhasedArms;
use crate::{
    battle::{Action, Choice, Id, capitalised},
    content::Weapon,
    grid::Cell,
    rulesets::phased::{
        Phased,
        acts::{GO, SHIFT, SHOOT, STRIKE, THROW, shoot},
        fast::FLEE,
        fighter::{Part, Plan},
        ph::Ph,
        spells,
        turns::{DONE, END_TURN},
    },
    ui::art::{hud::Pip, icons::Icon},
};
use bevy::ecs::{system::In, world::World};

pub(super) static READER: Reader = Reader {
    rules: "Phased",
    about: "Rounds of a minute: everybody declares, then two groups act, kind of act by kind.",
    acts: &faces::FACES,
    walks: &[&GO, &SHIFT, &FLEE],
    end_turn: Some(&END_TURN),
    end_words: "Go on",
    done: &[&DONE],
    clock: |world| run(world, clock::clock, ()),
    status: |world, who| run(world, status, who),
    figures: |world, who| run(world, figures, who),
    reach: |world, who| run(world, reach, who),
    way,
    attacks: &[&STRIKE, &SHOOT, &THROW],
    settled: &[
        &crate::rulesets::phased::reactions::FREE_ATTACK,
        &crate::rulesets::phased::reactions::IMMEDIATE_ATTACK,
    ],
    trifling: Some(&MINOR_ACTS),
    blow: odds::blow,
    spread: odds::spread,
    odds: odds::odds,
    area: odds::area,
    draws: odds::draws,
    slips: odds::slips,
    threat: |_, _| Some(5),
    trifles: |world, who| run(world, trifles, who),
    reaction: odds::reaction,
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
    let action = |pip, word, spent| ActionPip { pip, spent, word };
    let mut pips = vec![action(Pip::Diamond, "Major", fighter.spent)];
    pips.extend((0..fighter.routines).map(|_| action(Pip::Disc, "Routine", false)));
    let mut conditions = vec![];
    let mut add = |holds: bool, condition| conditions.extend(holds.then_some(condition));
    let up = body.is_up();
    add(up && body.prone, Condition::bad(Icon::Prone, "Prone"));
    add(
        up && fighter.delayed,
        Condition::bad(Icon::Hold, "Delayed: LOW, and loses all ties"),
    );
    add(
        up && fighter.late,
        Condition::mixed(Icon::Hold, "Has declared a delay: acts in LOW"),
    );
    add(
        up && fighter.casting.is_some(),
        Condition::mixed(Icon::Spell, "Casts: any harm spoils it"),
    );
    add(
        up && fighter.upkeep.is_some(),
        Condition::mixed(Icon::Spell, "Keeps up a spell: half rate"),
    );
    for condition in lasting::<Phased>(&ph, who) {
        add(up, condition);
    }
    add(
        up && fighter.charged,
        Condition::mixed(Icon::Charge, "Charged: AC worse by 1 this round"),
    );
    add(
        up && fighter.listens,
        Condition::mixed(Icon::Pass, "Listens: does not attack unless attacked"),
    );
    add(
        up && fighter.hidden,
        Condition::good(Icon::Eye, "Hidden: the others do not know of it"),
    );
    add(
        up && fighter.surprised,
        Condition::bad(Icon::Surprised, "Surprised"),
    );
    add(
        up && fighter.fleeing,
        Condition::bad(Icon::Fleeing, "Flees"),
    );
    add(
        !up && fighter.bleeding,
        Condition::bad(Icon::Bleeding, "Bleeds: a point a round"),
    );
    Status {
        pips,
        plan: plan(&ph, who).into(),
        // Who casts may have yet to aim.
        done: !up || fighter.spent && is_through(&ph, who),
        conditions,
        bars: vec![Bar {
            word: "HP",
            now: body.hp,
            most: body.max_hp,
        }],
        ..Status::default()
    }
}

/// Who casts and has aimed may still do minor acts, or delay (PH-10, PH-16);
/// getting up is worth a thought. Among the missiles one may open a door, or
/// pick something up, where there is nothing to shoot at (PH-12).
fn trifles(In(who): In<Id>, ph: Ph) -> bool {
    let casts = ph.fighter(who).casting.is_some() && !spells::must_aim(&ph, who);
    match ph.clock.part {
        Part::Other => casts && !ph.body(who).prone,
        Part::Missile => !shoot::sees_target(&ph, who),
        _ => false,
    }
}

/// Its major action spent, nothing but minor acts is left to it.
fn is_through(ph: &Ph, who: Id) -> bool {
    let casts = ph.fighter(who).casting.is_some();
    !spells::must_aim(ph, who) && (casts || ph.in_melee(who))
}

/// What it has declared, as far as the display world knows.
fn plan(ph: &Ph, who: Id) -> String {
    let fighter = ph.fighter(who);
    let plan = without_delay(ph, fighter.plan);
    match (fighter.late, plan.is_empty()) {
        (true, true) => String::from("in LOW"),
        (true, false) => format!("{plan}, in LOW"),
        (false, _) => plan,
    }
}

fn without_delay(ph: &Ph, plan: Option<Plan>) -> String {
    let names = ph.view.names();
    match plan {
        Some(Plan::Parley) => "parley".into(),
        Some(Plan::Flee) => "flight".into(),
        Some(Plan::Charge { at, .. }) => format!("charge at {}", names.name(at)),
        Some(Plan::Cast { spell }) => names.spell(crate::battle::SpellId(spell)).into(),
        Some(Plan::Set { with }) => format!("{} set", names.item(with)),
        Some(Plan::After) => "attack, then a simple act".into(),
        Some(Plan::Work { what }) => what.log_text(names),
        Some(Plan::Open) => "as its turn comes".into(),
        None => String::new(),
    }
}

fn figures(In(who): In<Id>, ph: Ph) -> Vec<String> {
    let (body, stats) = (ph.body(who), ph.stats(who));
    let (melee, ranged) = (ph.armour_class(who, false).0, ph.armour_class(who, true).0);
    let mut first = format!("HP {} of {}   AC {melee}", body.hp, body.max_hp);
    if melee != ranged {
        first += &format!(", missiles {ranged}");
    }
    first += &format!("   AAC0 {}", stats.row.aac0());
    if let Some(morale) = ph.morale(who) {
        first += &format!("   Morale {morale}");
    }
    let calling = match stats.class {
        Some((class, level)) => format!("{} of level {level}", class.name()),
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
            let items: Vec<_> = ph.gear(who).at_hand().collect();
            let armed = items.len() - usize::from(items.len() > 1);
            lines.extend(
                items[..armed]
                    .iter()
                    .map(|&item| weapon_line(ph.weapon(item)) + &held(ph.gear(who), item)),
            );
        }
    }
    lines
}

fn weapon_line(weapon: &Weapon) -> String {
    let arms = weapon.section::<PhasedArms>();
    let mut line = format!("{} {}", capitalised(&weapon.name), weapon.damage);
    if weapon.melee.is_some() {
        line += &format!(", speed {}, {} ft of room", arms.speed, arms.space);
    }
    if let Some(ranged) = &weapon.ranged {
        line += &format!(", {} / {} ft", ranged.normal, ranged.long);
        if arms.rate > 1 {
            line += &format!(", {} a routine", arms.rate);
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

fn reach(In(who): In<Id>, ph: Ph) -> Vec<Reach> {
    let Some((verb, feet)) = walk(&ph, who) else {
        return vec![];
    };
    let cost = if verb == &GO { Cost::Dear } else { Cost::Plain };
    let ends = ph.walk_ends(who, verb, feet);
    ends.into_iter()
        .map(|(cell, feet)| Reach { cell, feet, cost })
        .collect()
}

/// How it would go there. Occupancy laid by hand are for the major move, and the
/// battle prices them.
fn way(world: &mut World, who: Id, by: &[Cell], to: Cell) -> Option<Way> {
    fn look(In((who, to)): In<(Id, Cell)>, ph: Ph) -> Option<Way> {
        let (verb, feet) = walk(&ph, who)?;
        let (_, feet) = ph
            .walk_ends(who, verb, feet)
            .into_iter()
            .find(|e| e.0 == to)?;
        let here = ph.body(who).at;
        let path = std::iter::once(here)
            .chain(ph.walk_path(who, verb, to))
            .collect();
        let price = match verb == &GO {
            true => "the major action",
            false if verb == &SHIFT => "a minor action",
            false => "declared flight",
        };
        Some(Way {
            orders: vec![Choice::new(verb, who).to(to)],
            cost: if verb == &GO { Cost::Dear } else { Cost::Plain },
            price: price.into(),
            feet,
            path,
            drawn: vec![],
            fall: 0,
            shots: vec![],
        })
    }
    if !by.is_empty() {
        return None;
    }
    let mut way = run(world, look, (who, to))?;
    way.drawn = way
        .orders
        .first()
        .map_or_else(Vec::new, |order| odds::draws(world, order));
    Some(way)
}

/// For the attacks that an act draws where one stands.
fn drawn(by: Id, percent: u32) -> Drawn {
    Drawn {
        by,
        step: 0,
        percent,
    }
}
