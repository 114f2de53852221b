//! What the window reads of a Phased battle.

mod clock;
mod faces;
mod odds;

use super::{
    ActionPip, Arms, BASIC, Bar, Condition, Cost, Reach, Reader, Status, Way, blows, lasting, run,
    words::{armed, held, holding, hp_and_ac, weapon_words},
};
use crate::{
    battle::{Action, Choice, Id, Item, MoveEnd},
    content::Weapon,
    grid::Cell,
    rulesets::phased::{
        Phased,
        acts::{DONE, GO, SHIFT, SHOOT, STRIKE, THROW, later_arms, shoot},
        content::PhasedArms,
        declare,
        fast::FLEE,
        ph::Ph,
        spells,
        state::{Group, Part, Plan},
        turns::END_TURN,
    },
    ui::art::{hud::Pip, icons::Icon},
};
use bevy::ecs::{system::In, world::World};

pub(super) static READER: Reader = Reader {
    rules: "Phased",
    about: "Everyone declares; then moves, shots, spells and melee resolve in that order.",
    acts: faces::FACES,
    walks: &[&GO, &SHIFT, &FLEE],
    end_turn: Some(&END_TURN),
    end_words: "Continue",
    side_words: &[(&declare::NO_MORE, "Finish declaring")],
    done: &[&DONE],
    clock: |world| run(world, clock::clock, ()),
    status: |world, who| run(world, status, who),
    figures: |world, who| run(world, figures, who),
    reach: |world, who| run(world, reach, who),
    way,
    attacks: &[
        (&STRIKE, Arms::Any),
        (&SHOOT, Arms::Shot),
        (&THROW, Arms::Thrown),
    ],
    charge: &[&declare::CHARGE, &declare::CHARGE],
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
    trifles: |world, who| run(world, trifles, who),
    cover: odds::cover_between,
    reaction: |world, choice| run(world, odds::reaction, choice.clone()),
    declaring: |world| run(world, declaring, ()),
    // What needs no word beforehand is done as its turn comes.
    declare: |_, who, _| vec![Choice::new(&declare::NOTHING, who)],
    idle: &[&declare::NOTHING],
    waits,
    later: |world, choice| run(world, later, choice.clone()),
    ..BASIC
};

fn declaring(In(()): In<()>, ph: Ph) -> bool {
    ph.clock.part == Part::Declare
}

/// Before all else comes the rest of a group's turn is still to come, for who can
/// still go where it is to be done; for who is slow to shoot the missiles of the
/// others are (PH-03).
fn later(In(choice): In<Choice>, ph: Ph) -> Vec<Item> {
    let arms = later_arms(&ph, &choice);
    arms.into_iter().map(|(item, _)| item).collect()
}

fn waits(world: &mut World, who: Id) -> bool {
    fn later(In(who): In<Id>, ph: Ph) -> (bool, Vec<Id>) {
        let (part, group) = (ph.clock.part, ph.clock.group);
        let is_slow = group == Group::High && ph.shooting_group(who) == Group::Low;
        let foes = match part == Part::Other && is_slow {
            true => ph.foes_seen(who).collect(),
            false => vec![],
        };
        let is_early = match part {
            Part::Innate | Part::Missile => true,
            // Who is in a melee has nothing to wait for: it cannot go elsewhere.
            Part::Multi | Part::Melee => !ph.in_melee(who),
            _ => false,
        };
        (is_early, foes)
    }
    let (is_early, foes) = run(world, later, who);
    let mut shots = foes
        .into_iter()
        .flat_map(|foe| blows(&READER, world, who, foe));
    is_early || shots.any(|blow| blow.choice.verb != &STRIKE)
}

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
        plan: plan(&ph, who).into(),
        // Who casts may have yet to aim.
        done: !up || fighter.spent && is_through(&ph, who),
        conditions,
        bars: vec![Bar::new("HP", body.hp, body.max_hp)],
        ..Status::default()
    }
}

/// Who casts and has aimed may still do minor acts, or delay (PH-10, PH-16);
/// getting up is worth a thought. Among the missiles one may open a door, or
/// pick something up, where there is nothing to shoot at (PH-12). Who stands
/// beside a foe with a weapon for it in hand is there to strike: that comes
/// later, and a throw would take it.
fn trifles(In(who): In<Id>, ph: Ph) -> bool {
    let casts = ph.fighter(who).casting.is_some() && !spells::must_aim(&ph, who);
    match ph.clock.part {
        Part::Other => casts && !ph.body(who).prone,
        Part::Missile => {
            let strikes = |item| ph.weapon(item).arms_for_melee();
            let fights = ph.in_melee(who) && ph.gear(who).in_hand().is_some_and(strikes);
            fights || !shoot::sees_target(&ph, who)
        }
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
        Some(Plan::After) => "attack, then a simple action".into(),
        Some(Plan::Work { what }) => what.describe(names),
        Some(Plan::Open) => "decides on their turn".into(),
        None => String::new(),
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
