//! Phased: random and AI battles on every level, rules that hold in all of them, the ruleset's
//! tables, and attack lines.

use crate::kit;
use bevy_ecs::system::In;
use fivefoot_core::control::Controller;
use fivefoot_core::rulesets::{
    common::attacks::ToHit,
    phased::content::{AttackLine, HitDice, PhasedStats, Tag},
};
use fivefoot_core::{
    battle::{
        Attack, Battle, Body, Choice, CueKind, DiceBox, EventKind, Id, Item, LogLevel, Replica,
        Seen, Side, all_units, level_setup, log_lines, of_unit, of_unit_mut, run_system, sum,
    },
    content::{Content, Dice},
    control::{Controllers, Player, Random, statistics::statistics},
    levels::{self, Level},
    rulesets::phased::{
        RULESET,
        acts::CALL,
        numbers::{self, AttackTableRow},
        odds::AttackSpec,
        query::PhasedQuery,
        state::{Clock, Fighter},
    },
};
use std::sync::Arc;

fn fought(level: &Arc<Level>, seed: u64, player: Player) -> Battle {
    kit::fought(level, &RULESET, player, seed)
}

/// The log shows the heading of a part of the round only if a unit does something in it.
#[test]
fn no_log_heading_is_empty() {
    let (mut kept, mut dropped) = (0, 0);
    for level in levels::built_in() {
        let battle = fought(level, 3, Player::Quick);
        let names = battle.names();
        let lines = log_lines(battle.events(), names);
        for pair in lines.windows(2) {
            let [(_, line), (_, next)] = pair else {
                continue;
            };
            if line.depth == LogLevel::Part {
                let empty = matches!(next.depth, LogLevel::Part | LogLevel::Heading);
                assert!(!empty, "{}: {} and {}", level.id, line.text, next.text);
                kept += 1;
            }
        }
        let all = battle.events().iter().filter_map(|e| e.describe(names));
        let parts = all.filter(|line| line.depth == LogLevel::Part).count();
        dropped += parts - lines.iter().filter(|l| l.1.depth == LogLevel::Part).count();
        // Apart from these headings, the log omits only lines that repeat the action above them.
        let mut act: Option<&Choice> = None;
        for event in battle.events() {
            let line = event.describe(names);
            let Some(line) = line.filter(|line| line.depth != LogLevel::Part) else {
                continue;
            };
            let is_shown = lines.iter().any(|(shown, _)| std::ptr::eq(*shown, event));
            assert!(
                is_shown || act.is_some_and(|act| event.what.carries_out(act)),
                "{}: {}",
                level.id,
                line.text
            );
            if let EventKind::Acted { choice } = &event.what {
                act = Some(choice);
            }
        }
    }
    assert!(kept > 50 && dropped > 50, "{kept} kept, {dropped} dropped");
}

/// A replica of all events equals the battle. A side does not know other sides' declarations before
/// they are revealed.
#[test]
fn declarations_are_sealed_and_then_told() {
    let level = levels::default_level();
    let battle = fought(&level, 5, Player::Random);
    let setup = level_setup(&level);
    let mut all = Replica::new(&setup, &RULESET, None);
    all.catch_up(battle.events());
    let (seen, real) = (&all.world, battle.world());
    assert_eq!(all_units::<Body>(seen), all_units::<Body>(real));
    assert_eq!(all_units::<Fighter>(seen), all_units::<Fighter>(real));
    assert!(all.world.get_resource::<Clock>().is_some());
    let mut sealed = 0;
    for event in battle.events() {
        let plans = event
            .describe(battle.names())
            .is_some_and(|l| l.text.contains(" plans "));
        assert_eq!(plans, matches!(event.seen, Seen::Only(_)));
        sealed += usize::from(plans);
    }
    assert!(sealed > 10);
    let sides = [Side(0), Side(1)];
    let hidden = battle
        .events()
        .iter()
        .any(|e| e.seen.by(sides[0]) != e.seen.by(sides[1]));
    assert!(hidden);
}

/// An attack's forecast and its resolution have equal modifiers and an equal AC.
#[test]
fn forecast_and_resolution_agree() {
    fn odds(In(spec): In<AttackSpec>, ph: PhasedQuery) -> Option<(i32, i32, u32)> {
        let forecast = ph.forecast(&spec).ok()?;
        Some((
            forecast.bonus(),
            forecast.against(),
            forecast.hit().favourable,
        ))
    }
    let mut compared = 0;
    let battles = levels::built_in()
        .iter()
        .flat_map(|l| (0..6).map(move |seed| (l, seed)));
    for (level, seed) in battles {
        let mut battle = Battle::new(level_setup(level), &RULESET, DiceBox::seeded(seed));
        let mut chance = Random::new(seed);
        for _ in 0..600 {
            if battle.asked().is_none() {
                break;
            }
            let choice = chance.choose(&mut battle);
            let names = ["strike", "shoot", "throw"];
            let plain = choice
                .at
                .zip(choice.with)
                .filter(|_| names.contains(&choice.verb.name));
            let foreseen = plain.and_then(|(at, with)| {
                let by: Id = choice.who?;
                let inventory = of_unit::<fivefoot_core::battle::Inventory>(battle.world(), by);
                let fighter = inventory.off_hand().is_none();
                let attack = Attack {
                    by,
                    at,
                    with,
                    ranged: choice.verb.name != "strike",
                    rule: choice.verb.rule,
                    extra: vec![],
                };
                let spec = AttackSpec {
                    attack,
                    dice: Dice::new(1, 6, 0),
                    times: 1,
                    called: false,
                };
                fighter.then(|| battle.read(odds, spec)).flatten()
            });
            let from = battle.events().len();
            battle
                .answer(choice.clone())
                .expect("chance plays by the rules");
            // Actions of other units at the same moment can change the attack, so stop at the first
            // of them.
            let another = |what: &EventKind| matches!(what, EventKind::Acted { choice: theirs } if theirs.who != choice.who);
            let alone = battle.events()[from..]
                .iter()
                .take_while(|e| !another(&e.what));
            let rolled = alone.clone().find_map(|e| match &e.what {
                EventKind::AttackRolled { rolled_attack }
                    if Some(rolled_attack.attack.by) == choice.who
                        && Some(rolled_attack.attack.at) == choice.at
                        && Some(rolled_attack.attack.with) == choice.with =>
                {
                    Some(rolled_attack.roll.clone())
                }
                _ => None,
            });
            if let (Some((bonus, needs, favourable)), Some(roll)) = (foreseen, rolled) {
                let face = i32::from(roll.dice[0].1);
                assert_eq!(
                    roll.total() - face,
                    bonus,
                    "{} seed {seed} {choice:?}: {roll:?}",
                    level.id
                );
                let good = |f: i32| f == 20 || f != 1 && f + bonus >= needs;
                assert_eq!((1..=20).filter(|&f| good(f)).count() as u32, favourable);
                compared += 1;
            }
        }
    }
    assert!(compared > 20, "only {compared} attacks were compared");
}

/// PH-42: on the descending scale too, a modifier is what is added to the armour class.
#[test]
fn a_charge_adds_one_to_the_armour_class() {
    fn armour(In(of): In<Id>, ph: PhasedQuery) -> (i32, i32) {
        let (ac, modifiers) = ph.armour_class(of, false);
        (ac, sum(&modifiers))
    }
    let setup = level_setup(&levels::default_level());
    let mut known = Replica::new(&setup, &RULESET, None);
    let (before, none) = run_system(&mut known.world, armour, Id(0));
    of_unit_mut::<Fighter>(&mut known.world, Id(0)).charged = true;
    let (after, added) = run_system(&mut known.world, armour, Id(0));
    assert_eq!((none, added, after), (0, 1, before + 1));
}

/// PH-38: the forecast of a called shot names only the roll that hits.
#[test]
fn a_called_shot_needs_no_total() {
    fn weapon(In(who): In<Id>, ph: PhasedQuery) -> Option<Item> {
        ph.inventory(who).ready().next()
    }
    let units = [("ann", "party", (1, 1), 9), ("gob", "goblins", (2, 1), 9)];
    let level = fivefoot_kit::field(&["....", "....", "...."], &units);
    let mut known = Replica::new(&level_setup(&level), &RULESET, None);
    let with = run_system(&mut known.world, weapon, Id(0)).expect("a weapon");
    let call = Choice::new(&CALL, Id(0)).at(Id(1)).with(with);
    let attack = (RULESET.forecasting.attack)(&mut known.world, &call);
    let attack = attack.expect("an attack").expect("it is adjacent");
    assert_eq!(attack.needs, "only a natural 20 hits");
    assert!(!attack.against.contains("total"), "{}", attack.against);
    assert!(attack.notes.iter().any(|note| note.rule == "PH-38"));
    assert_eq!(attack.percent, 5);
}

/// PH-30, PH-31: attack table rows, by the roll that hits AC 0.
#[test]
fn attack_table_rows_give_the_needed_rolls() {
    let needs = |aac0: &str| {
        let row = AttackTableRow::of(aac0).expect("a row");
        [10, 1, 0, -1, -5, -6, -10].map(|ac| row.need(ac))
    };
    assert_eq!(needs("20"), [10, 19, 20, 20, 20, 21, 25]);
    assert_eq!(needs("20*"), [11, 20, 20, 20, 21, 22, 26]);
    assert_eq!(needs("19"), [9, 18, 19, 20, 20, 20, 24]);
    assert_eq!(needs("15"), [5, 14, 15, 16, 20, 20, 20]);
    assert_eq!(needs("21"), [16, 20, 21, 22, 26, 27, 31]);
    for aac0 in ["20*", "20", "12", "-3"] {
        assert_eq!(
            AttackTableRow::of(aac0)
                .map(AttackTableRow::aac0)
                .as_deref(),
            Some(aac0)
        );
    }
    assert!(AttackTableRow::of("x").is_none());
    let twenties =
        (-20..=10).filter(|&ac| AttackTableRow::of("17").is_some_and(|r| r.need(ac) == 20));
    assert_eq!(twenties.count(), 6);
}

/// PH-33, with the examples of the rule's source.
#[test]
fn enhanced_hit_dice_raise_the_attack_row() {
    let of = |text: &str| text.parse::<HitDice>().expect("hit dice");
    assert_eq!(of("1+1").to_attack(), (1, true));
    assert_eq!(of("5+5").to_attack(), (6, false));
    assert_eq!(of("3+13").to_attack(), (4, false));
    assert_eq!(of("5+5").overall(), 7);
    let overall = |plus: i32| HitDice { dice: 5, plus }.overall();
    assert_eq!([0, 1, 4, 5, 8, 9, 13].map(overall), [5, 6, 6, 7, 7, 8, 9]);
    let monsters = &numbers::tables().monsters;
    assert_eq!(monsters.row(1, true).aac0(), "18");
    assert_eq!(monsters.row(1, false).aac0(), "19");
    assert_eq!(monsters.row(6, false), monsters.row(7, false));
    assert_eq!(monsters.saves(7), monsters.saves(8));

    let text = |dice: &str| {
        format!("(creatures: {{\"x\": (hit_dice: 1, phased: (hit_dice: \"{dice}\"))}})")
    };
    let made = |dice: &str| {
        let read = fivefoot_core::content::check_file("x.ron", &text(dice), Content::built_in());
        read.expect("it reads").0.creatures["x"].clone()
    };
    assert_eq!(
        made("4+4").section::<PhasedStats>().hp_dice(),
        Dice::new(4, 8, 16)
    );
    assert_eq!(
        made("5+5").section::<PhasedStats>().hp_dice(),
        Dice::new(5, 8, 25)
    );
    assert_eq!(made("4+4").section::<PhasedStats>().hp, 34);
    assert_eq!(
        made("5+5").section::<PhasedStats>().saves,
        monsters.saves(7)
    );
    assert_eq!(made("4+4").section::<PhasedStats>().steadfast, 4);
    let hero = "(creatures: {\"x\": (level: 1, phased: (hit_dice: \"4+4\"))})";
    assert!(fivefoot_core::content::check_file("x.ron", hero, Content::built_in()).is_err());
}

/// PH-36: attack lines survive parsing and printing.
#[test]
fn attack_lines_are_parsed_and_printed() {
    for line in [
        "bite (1d6) and 2 stings (1d4/1d4)",
        "2 claws (1d8/1d8) and bite (2d6)",
        "2 longbow arrows (1d6/1d6)",
        "bite (1d6), 2 claws (1d4/1d4) and tail (1d8 cold; AAC0 15) plus poison",
        "bite (1d6; AAC0 20*)",
        "slam (1d8+2)",
    ] {
        let read: AttackLine = line.parse().expect(line);
        assert_eq!(read.to_string(), line);
    }
    // The AAC0 inside the attack line becomes the creature's attack row.
    let text = "(creatures: {\"x\": (hit_dice: 1, weapons: [\"bite\"], phased: (attacks: \"bite (1d6; AAC0 12)\"))}, weapons: {\"bite\": (make: Natural, melee: (), damage: \"1d6\")})";
    let read = fivefoot_core::content::check_file("x.ron", text, Content::built_in());
    let made = read.expect("it reads").0.creatures["x"].clone();
    assert_eq!(made.section::<PhasedStats>().row.aac0(), "12");
    let stings: AttackLine = "bite (1d6) and 2 stings (1d4/1d4)".parse().expect("a line");
    assert_eq!(stings.parts.len(), 2);
    assert_eq!(stings.parts[1].damage, [Dice::new(1, 4, 0); 2]);
    assert!(stings.parts[1].is_of("sting") && !stings.parts[1].is_of("bite"));
    for wrong in [
        "",
        "bite",
        "2 claws (1d8)",
        "(1d6)",
        "bite (1d6) 2 claws (1d4/1d4)",
        "bite (x)",
        "bite (1d6; AC 15)",
        "bite (1d6; AAC0 15) and claw (1d4; AAC0 16)",
    ] {
        assert!(wrong.parse::<AttackLine>().is_err(), "{wrong}");
    }
}

/// PH-37: only the immune unit's side learns of the immunity; for other sides the attack just
/// misses.
#[test]
fn ph_37_only_its_own_side_learns_of_an_immunity() {
    let battle = kit::of_scenario("tests/scenarios/phased/ph_37_immune.ron");
    let events = battle.events().iter().filter(|e| e.rule == "PH-37");
    let seen: Vec<Seen> = events.map(|e| e.seen).collect();
    assert_eq!(seen, [Seen::Only(Side(1))]);
}

/// PH-04: the board shows the result of a parley over its speaker and over each unit that listens.
#[test]
fn ph_04_a_parley_is_shown_over_its_units() {
    let battle = kit::of_scenario("tests/scenarios/phased/ph_04_parley.ron");
    let events = battle.events().iter().filter(|e| e.rule == "PH-04");
    let cues = events.filter_map(|e| e.cue());
    let shown: Vec<_> = cues
        .filter(|cue| matches!(cue.kind, CueKind::Pass | CueKind::Good))
        .map(|cue| (cue.who, cue.word.into_owned()))
        .collect();
    let wanted = [
        (Id(0), "parley: passes"),
        (Id(2), "listens"),
        (Id(3), "listens"),
    ];
    let wanted = wanted.map(|(who, word)| (Some(who), String::from(word)));
    assert_eq!(shown, wanted);
}

/// PH-27: the highest threshold reached sets the penalty.
#[test]
fn cover_penalties_follow_their_thresholds() {
    let cover = |percent| numbers::penalty(&numbers::tables().cover, percent);
    assert_eq!(
        [0, 24, 25, 49, 50, 74, 75, 89, 90, 99].map(cover),
        [0, 0, 2, 2, 4, 4, 7, 7, 10, 10]
    );
}

/// PH-43: a tag includes the tags it implies.
#[test]
fn tags_imply_others() {
    let all = numbers::tables().all_tags([Tag::Fear]);
    assert_eq!(all, [Tag::Fear, Tag::MindAffecting]);
    assert_eq!(numbers::tables().all_tags([Tag::Fire]), [Tag::Fire]);
}

#[test]
fn tables_are_valid_and_mistakes_are_reported() {
    let text = include_str!("../../assets/tables/phased.ron");
    let read = |text: &str| numbers::read("phased.ron", text);
    assert!(read(text).is_ok());
    let wrong = text.replace("aac0: \"19\"", "aac0: \"nineteen\"");
    assert!(read(&wrong).unwrap_err().what.contains("nineteen"));
    let unknown = text.replacen("dead_at", "dead_on", 1);
    assert!(read(&unknown).unwrap_err().line > 1);
}

#[test]
fn the_step_of_the_round_matches_its_name() {
    let level = &levels::built_in()[0];
    let (mut battle, mut controllers) = kit::with_controllers(level, &RULESET, Player::Quick, 3);
    let (mut stepped, mut plain) = (0, 0);
    while let Some(asked) = battle.asked() {
        let side = asked.side.index();
        let clock = battle.with_world(|world| (RULESET.planning.clock)(world));
        let now = clock.now;
        let step = now.name.strip_prefix(&format!("{}: ", now.label));
        assert_eq!(now.step, step.unwrap_or_default(), "{}", now.name);
        match step {
            Some(_) => stepped += 1,
            None => plain += 1,
        }
        let choice = controllers.0[side].choose(&mut battle);
        battle.answer(choice).expect("an AI answers what is legal");
    }
    assert!(stepped > 10 && plain > 10, "{stepped}, {plain}");
}

/// PH-03: a unit that shoots in HIGH while its side acts in LOW is on the track twice, and both marks
/// say why.
#[test]
fn ph_03_the_track_says_why_a_unit_acts_twice() {
    let mut all = levels::built_in().iter();
    let mill = all.find(|level| level.id == "mill").expect("the mill");
    let setup = level_setup(mill);
    let players = vec![Player::Quick; mill.sides.len()];
    let mut controllers = Controllers::new(&players, &setup, &RULESET, 3);
    let mut battle = Battle::new(setup, &RULESET, DiceBox::seeded(3));
    let mut twice = 0;
    while let Some(asked) = battle.asked() {
        let side = asked.side.index();
        let clock = battle.with_world(|world| (RULESET.planning.clock)(world));
        let part = |label: &str| clock.track.iter().find(|part| part.label == label);
        let (high, low) = (part("HIGH").expect("HIGH"), part("LOW").expect("LOW"));
        for early in &high.marks {
            let Some(late) = low.marks.iter().find(|mark| mark.who == early.who) else {
                continue;
            };
            assert!(!early.why.is_empty() && !late.why.is_empty());
            twice += 1;
        }
        let choice = controllers.0[side].choose(&mut battle);
        battle.answer(choice).expect("an AI answers what is legal");
    }
    assert!(twice > 0);
}

/// On level ground all damage has an author, the bleeding of fallen units included.
#[test]
fn bleeding_counts_as_dealt() {
    let level = fivefoot_kit::brawl();
    let mut bled = 0;
    for seed in 1..=10 {
        let battle = fought(&level, seed, Player::Quick);
        let all = statistics(&battle);
        let dealt: i32 = all.iter().map(|unit| unit.dealt).sum();
        let taken: i32 = all.iter().map(|unit| unit.taken).sum();
        assert_eq!(dealt, taken, "seed {seed}");
        // Without healing, no unit loses more than it had.
        let is_help = |what: &EventKind| matches!(what, EventKind::Healed { .. });
        let is_helped = battle.events().iter().any(|e| is_help(&e.what));
        let bodies = all_units::<Body>(battle.world()).iter();
        for (unit, body) in all.iter().zip(bodies).filter(|_| !is_helped) {
            assert!(unit.taken <= body.max_hp, "seed {seed}");
        }
        let is_bleeding = |what: &EventKind| matches!(what, EventKind::Damaged { by: None, .. });
        bled += battle
            .events()
            .iter()
            .filter(|e| is_bleeding(&e.what))
            .count();
    }
    assert!(bled > 0);
}

/// Surprised enemies can't attack anyway, so the quick AI saves its parley for a later round.
#[test]
fn surprised_enemies_are_offered_no_parley() {
    let mill = levels::built_in().iter().find(|level| level.id == "mill");
    let setup = level_setup(mill.expect("a built-in level"));
    let mut battle = Battle::new(setup, &RULESET, DiceBox::seeded(3));
    let asked = battle.asked().expect("a question").clone();
    assert_eq!((asked.side, asked.actors.len()), (Side(0), 4));
    for who in asked.actors {
        let (choice, _) = battle.quick_answer_of(who, None);
        assert_ne!(choice.verb.name, "declare parley");
    }
}
