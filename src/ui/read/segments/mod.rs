//! What the window reads of a battle under Segments.

mod faces;
mod odds;
mod way;

use super::{
    ActionPip, BASIC, Bar, Clock, Condition, Mark, Reader, Status, Stop, lasting, run,
    words::{armed, held, holding, hp_and_ac, range_words, spell_lines, weapon_words},
};
use crate::rulesets::segments::content::{SegmentsSpell, SegmentsWeapon};
use crate::rulesets::segments::numbers;
use crate::{
    battle::{Id, Side, State, capitalised},
    content::Spell,
    rulesets::segments::{
        Segments,
        declare::AS_ARMED,
        events::{completion, describe_intent},
        se::Se,
    },
    ui::art::{hud::Pip, icons::Icon},
    words::count,
};
use bevy::ecs::system::In;

pub(super) static READER: Reader = Reader {
    rules: "Segments",
    about: "Ten segments a round; initiative decides who acts when; spells take time.",
    acts: faces::FACES,
    planning: &crate::rulesets::segments::planning::PLANNING,
    end_words: "End segment",
    side_words: &[(&AS_ARMED, "Auto-declare the rest")],
    clock: |world| run(world, clock, ()),
    status: |world, who| run(world, status, who),
    figures: |world, who| run(world, figures, who),
    reach: |world, who| run(world, way::reach, who),
    way: way::way,
    beset: &["SE-53"],
    settled: &[
        &crate::rulesets::segments::reactions::AT_BACK,
        &crate::rulesets::segments::reactions::MEET,
    ],
    blow: |world, choice| run(world, odds::blow, choice.clone()),
    spread: |world, choice| run(world, odds::spread, choice.clone()),
    odds: |world, choice| run(world, odds::odds, choice.clone()),
    area: |world, choice| run(world, odds::area, choice.clone()),
    draws: |world, choice| run(world, odds::draws, choice.clone()),
    slips: |world, choice| run(world, odds::slips, choice.clone()),
    threat: |world, who| run(world, threat, who),
    spell,
    ..BASIC
};

/// Ten stops: who acts in each, and whose spell takes effect.
fn clock(In(()): In<()>, se: Se) -> Clock {
    let c = &se.clock;
    let due = |id: &Id, n: u8| se.is_up(*id) && se.fighter(*id).due == n;
    let stop = |n: u8| {
        let acts = se.view.ids().filter(|id| due(id, n)).map(|who| Mark {
            what: what(&se, who).into(),
            ..Mark::new(who)
        });
        let acted = |id: &Id| se.fighter(*id).acted & 1 << n != 0 && !due(id, n);
        let acted = se.view.ids().filter(acted).map(|who| Mark {
            what: "Has acted".into(),
            done: true,
            ..Mark::new(who)
        });
        let spells = se.view.ids().filter_map(|who| {
            let casting = se.casting(who)?;
            let what = format!("{} takes effect", se.view.names().spell(casting.spell));
            let surprise = c.surprise_segment_of(casting.ready).map(i32::from);
            let done = surprise.unwrap_or_else(|| c.segment_of(casting.ready));
            (done == i32::from(n)).then(|| Mark {
                what: what.into(),
                ..Mark::new(who)
            })
        });
        Stop {
            tip: format!("Segment {n}: spells take effect first").into(),
            marks: spells.chain(acted).chain(acts).collect(),
            ..Stop::new(n.to_string(), n.cmp(&c.segment).into())
        }
    };
    let now: Vec<Side> = se
        .view
        .ids()
        .filter(|id| c.segment > 0 && due(id, c.segment))
        .map(|id| se.body(id).side)
        .collect();
    let alone = now.iter().all(|side| Some(side) == now.first());
    let moment = match (c.round, c.segment) {
        (0, n) => format!("Surprise segment {n}"),
        (_, 0) => String::from("Declarations"),
        (_, n) if alone => format!("Segment {n}"),
        (_, n) => format!("Segment {n}: all at once"),
    };
    let ready = |id| se.casting(id).is_some_and(|s| s.ready <= c.now());
    let spells_first = se.view.ids().any(ready);
    let last = if c.round == 0 { c.surprise } else { 10 };
    Clock {
        round: c.round,
        turn: now.first().copied().filter(|_| alone && !spells_first),
        moment: moment.into(),
        track: (1..=last).map(stop).collect(),
    }
}

/// What it means to do when its segment comes, as far as one knows.
fn what(se: &Se, who: Id) -> String {
    let f = se.fighter(who);
    match f.intent {
        _ if f.further => String::from("Another attack routine"),
        Some(intent) => capitalised(&describe_intent(intent, se.view.names())),
        None => String::new(),
    }
}

fn status(In(who): In<Id>, se: Se) -> Status {
    let (body, f) = (se.body(who), se.fighter(who));
    let names = se.view.names();
    let waits = is_to_act(&se, who);
    let up = body.is_up();
    let (bad, good) = (Condition::bad::<&str>, Condition::good::<&str>);
    let charged = Condition::mixed(Icon::Charge, "Charged: AC 1 worse this round");
    let bleeds = body.state == State::Down && f.bleeding;
    let mut conditions = holding([
        (up && body.prone, bad(Icon::Prone, "Prone")),
        (
            up && se.is_surprised(who),
            bad(Icon::Surprised, "Surprised: can't act this segment"),
        ),
        (
            up && f.is_set(),
            good(Icon::Spear, "Spear set against a charge"),
        ),
        (up && f.charged == Some(se.clock.round), charged),
    ]);
    conditions.extend(lasting::<Segments>(&se, who).into_iter().filter(|_| up));
    conditions.extend(holding([
        (up && se.is_afraid(who), bad(Icon::Fleeing, "Morale broken")),
        (bleeds, bad(Icon::Bleeding, "Bleeding: 1 HP a round")),
    ]));
    let plan = match (se.casting(who), f.intent) {
        (Some(c), _) => {
            let done = completion(&se.clock, c.ready);
            format!("casting {}, ready {done}", names.spell(c.spell))
        }
        (_, Some(intent)) if waits => {
            format!("{}, segment {}", describe_intent(intent, names), f.due)
        }
        (_, Some(intent)) => describe_intent(intent, names),
        (_, None) if waits => format!("acts in segment {}", f.due),
        _ => String::new(),
    };
    Status {
        pips: vec![ActionPip::new(
            Pip::Diamond,
            "Action",
            !waits && se.clock.segment > 0,
        )],
        plan: plan.into(),
        // Who casts has yet to aim.
        done: !up || se.clock.segment > 0 && !waits && se.casting(who).is_none(),
        conditions,
        bars: vec![Bar::new("HP", body.hp, body.max_hp)],
        ..Status::default()
    }
}

/// Its action of this round is still to come.
fn is_to_act(se: &Se, who: Id) -> bool {
    se.is_up(who) && se.fighter(who).due >= se.clock.segment && se.fighter(who).due > 0
}

fn figures(In(who): In<Id>, se: Se) -> Vec<String> {
    let (body, stats) = (se.body(who), se.stats(who));
    let ac = (se.armour_class(who, false).0, se.armour_class(who, true).0);
    let mut first = hp_and_ac(body.hp, body.max_hp, ac);
    first += &format!("   hits AC 0 on {}", stats.to_hit);
    if let Some(morale) = stats.morale {
        first += &format!("   Morale {morale}%");
    }
    let mut lines = vec![first];
    for item in armed(se.gear(who)) {
        let weapon = se.weapon(item);
        let mut line = weapon_words(weapon) + &range_words(weapon);
        let own = weapon.section::<SegmentsWeapon>();
        if weapon.ranged.is_some() && own.rate > 1 {
            line += &format!(", {} a round", own.rate);
        }
        if own.set {
            line += ", can be set";
        }
        lines.push(line + &held(se.gear(who), item));
    }
    for spell in se.spells(who) {
        let kind = se.view.spell(spell);
        lines.push(format!("{}: {}", capitalised(&kind.name), casting(kind)));
    }
    if body.state == State::Down && se.fighter(who).bleeding {
        let left = body.hp + 10;
        lines.push(format!("Dying: {} left", count(left as usize, "round")));
    }
    lines
}

/// "3 segments".
fn casting(spell: &Spell) -> String {
    let casting = spell.section::<SegmentsSpell>().casting;
    count(usize::try_from(casting).unwrap_or(0), "segment")
}

/// The time that it takes, what it does, how far it reaches.
fn spell(spell: &Spell) -> Vec<String> {
    let mut lines = spell_lines(spell, "AC");
    lines.insert(0, format!("{} to cast", casting(spell)));
    lines
}

fn threat(In(who): In<Id>, se: Se) -> Option<u16> {
    (se.is_armed(who) && !se.is_helpless(who)).then_some(numbers::NEXT_TO)
}
