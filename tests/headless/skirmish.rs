//! Skirmish in play: random answers find every action, the AI uses them, and a side learns nothing
//! about hidden units.

use crate::kit;
use bevy_ecs::system::In;
use fivefoot_core::{
    battle::{
        Attack, AttackForecast, Battle, Body, Choice, DiceBox, Event, EventKind, Id, Item, Offer,
        PASS, Replica, Roster, Side, State, level_setup, of_unit, of_unit_mut, run_system,
    },
    control::{Player, bot, statistics::statistics},
    grid::Cell,
    levels::{Level, built_in},
    rulesets::{
        common::damage::Odds,
        skirmish::{
            OPPORTUNITY, RULESET,
            acts::{self, GO_PRONE, charge_attack, defend::DEFEND, maneuver_chance, swarm::SWARM},
            query::SkirmishQuery,
            state::{Fighter, GrappleState, Stance},
        },
    },
};
use fivefoot_kit::{field, level};
use std::{collections::BTreeSet, sync::Arc};

/// A crowded level in which every action is possible: spells, traits, a unit with a high AC, hidden
/// enemies, a door, a ledge, exits.
const ARENA: &str = r#"(
    title: "The arena",
    map: [
        "..............",
        "...,.....^^...",
        ".......#.^^...",
        ".......+......",
        "..~....#......",
        ".......#......",
        "..............",
    ],
    legend: { '^': (floor: 5) },
    sides: [
        (id: "party"),
        (id: "goblins", colour: Vermilion),
    ],
    combatants: [
        (kind: "osk", side: "party", at: (3, 1)),
        (kind: "lin", side: "party", at: (3, 3)),
        (kind: "ysolde", side: "party", at: (1, 3)),
        (kind: "anselm", side: "party", at: (1, 4), hp: 4),
        (kind: "tobin", side: "party", at: (0, 2)),
        (kind: "brandt", side: "party", at: (4, 5), prone: true, with: (skirmish: (ac: 19))),
        (kind: "goblin", side: "goblins", at: [(6, 3), (8, 3), (8, 5), (6, 6)]),
        (kind: "goblin_chief", side: "goblins", at: (9, 4), leader: true),
        (kind: "sergeant", side: "goblins", at: (8, 4)),
        (kind: "goblin_archer", name: "lurker", side: "goblins", at: [(9, 1), (5, 0)], hidden: true),
    ],
    surprise: Check(by: "goblins", how: Stealth),
    exits: [
        (at: Rect((0, 0), (0, 6)), sides: ["party"]),
        (at: Rect((13, 0), (13, 6)), sides: ["goblins"]),
    ],
)"#;

/// An unaware sentry, and two hidden units that have stalked it for the required minute.
const SENTRY: &str = r#"(
    title: "The sentry",
    map: ["........", "........"],
    sides: [
        (id: "party"),
        (id: "bandits", colour: Vermilion, awareness: Unaware),
    ],
    combatants: [
        (kind: "lin", side: "party", at: (2, 0), hidden: true, stalks: "sentry"),
        (kind: "tobin", side: "party", at: (7, 1), hidden: true, stalks: "sentry"),
        (kind: "bandit", name: "sentry", side: "bandits", at: (3, 0)),
    ],
)"#;

/// Two units that must hold a corner, and enemies that must come around the wall.
const CORNER: &str = r#"(
    title: "The corner",
    map: [
        "...#....",
        "...#....",
        "...#....",
        "...#....",
        "...#....",
        "........",
    ],
    sides: [
        (id: "party"),
        (id: "goblins", colour: Vermilion),
    ],
    combatants: [
        (kind: "wat", side: "party", at: [(1, 0), (2, 0)]),
        (kind: "goblin", side: "goblins", at: [(5, 0), (6, 0), (5, 1)]),
    ],
    objectives: [
        (side: "party", goal: Capture(area: Rect((1, 0), (2, 0)), rounds: 8)),
    ],
)"#;

fn arena() -> Arc<Level> {
    level(ARENA)
}

fn fought(level: &Arc<Level>, players: Player, seed: u64) -> Battle {
    play_battle(level, &vec![players; level.sides.len()], seed)
}

fn play_battle(level: &Arc<Level>, players: &[Player], seed: u64) -> Battle {
    let battle = kit::audited(level, &RULESET, players, seed);
    assert!(battle.over().is_some() && battle.is_idle(), "seed {seed}");
    battle
}

/// The names of all chosen actions and reactions.
fn chosen(battle: &Battle) -> impl Iterator<Item = &'static str> {
    battle.answers().iter().map(|choice| choice.verb.name)
}

#[test]
fn random_answers_use_every_action() {
    let levels = [arena(), level(SENTRY)];
    let wanted: BTreeSet<&str> = RULESET.verbs().into_iter().map(|v| v.name).collect();
    let mut seen: BTreeSet<&str> = BTreeSet::new();
    for seed in 0..400 {
        for level in &levels {
            seen.extend(chosen(&fought(level, Player::Random, seed)));
        }
        if seen.is_superset(&wanted) {
            return;
        }
    }
    let missing: Vec<_> = wanted.difference(&seen).collect();
    panic!("never chosen: {missing:?}");
}

#[test]
fn the_ai_uses_its_actions() {
    let levels = [arena(), level(CORNER)];
    let mut wanted: BTreeSet<&str> = [
        "snap attack",
        "snap shot",
        "hold",
        "act now",
        "swarm",
        "swarm strike",
        "screen",
        "spare Main",
        "roll again",
        "total defense",
        "attack of opportunity",
    ]
    .into();
    for seed in 0..150 {
        for level in &levels {
            for name in chosen(&fought(level, Player::Quick, seed)) {
                wanted.remove(name);
            }
        }
        if wanted.is_empty() {
            return;
        }
    }
    panic!("the AI never chose {wanted:?}");
}

/// SK-03: other sides do not know that a hidden unit is in the battle.
#[test]
fn replicas_do_not_contain_hidden_enemies() {
    let level = arena();
    let mut looked = 0;
    for seed in 0..40 {
        let battle = fought(&level, Player::Random, seed);
        for side in [Side(0), Side(1)] {
            let mut known = Replica::new(&level_setup(&level), &RULESET, Some(side));
            loop {
                for id in known.world.resource::<Roster>().ids() {
                    let (body, stance) = (
                        of_unit::<Body>(&known.world, id),
                        of_unit::<Stance>(&known.world, id),
                    );
                    if stance.hidden && body.side != side {
                        assert_eq!(body.state, State::Waiting, "seed {seed}, {id:?}");
                        looked += 1;
                    }
                }
                if known.next(battle.events()).is_none() {
                    break;
                }
            }
            // At the end, the replica knows everything about units that are no longer hidden.
            for id in known.world.resource::<Roster>().ids() {
                if !of_unit::<Stance>(battle.world(), id).hidden {
                    let (known_body, body) = (
                        of_unit::<Body>(&known.world, id),
                        of_unit::<Body>(battle.world(), id),
                    );
                    assert_eq!(known_body, body, "seed {seed}, {id:?}");
                }
            }
        }
    }
    assert!(looked > 1000);
}

/// An idle side loses the chapel, although it only has to survive there.
#[test]
fn an_idle_side_loses_the_chapel() {
    let chapel = built_in().iter().find(|l| l.id == "chapel");
    let chapel = chapel.expect("the level is built in");
    for seed in 0..12 {
        let battle = play_battle(chapel, &[Player::Idle, Player::Quick], seed);
        assert_eq!(battle.over(), Some(Some(Side(1))), "seed {seed}");
    }
}

/// The log capitalises the names of heroes.
#[test]
fn names_of_heroes_are_capitalised() {
    let battle = fought(&arena(), Player::Quick, 1);
    let texts = kit::lines(&battle);
    let small = ["osk", "lin", "ysolde", "anselm", "tobin", "brandt"];
    for line in &texts {
        let mut words = line.split(|c: char| !c.is_alphabetic());
        assert!(!words.any(|w| small.contains(&w)), "{line}");
    }
    let against = |hero: &&str| {
        let told = format!("against {}{}", hero[..1].to_uppercase(), &hero[1..]);
        texts.iter().any(|l| l.contains(&told))
    };
    assert!(small.iter().any(against), "{texts:?}");
    assert!(texts.iter().any(|l| l.contains("against goblin")));
}

/// SK-04: a unit has eight Free actions per turn, not more.
#[test]
fn a_turn_has_eight_free_actions() {
    fn prone(In(id): In<Id>, sk: SkirmishQuery) -> bool {
        let offers = acts::offers(&sk, id);
        let mut prone = offers.iter().filter(|o| o.choice.verb == &GO_PRONE);
        prone.any(|o| o.is_legal())
    }
    let mut known = Replica::new(&level_setup(&arena()), &RULESET, None);
    for (taken, may) in [(0, true), (7, true), (8, false)] {
        of_unit_mut::<Fighter>(&mut known.world, Id(0)).frees = taken;
        assert_eq!(run_system(&mut known.world, prone, Id(0)), may, "{taken}");
    }
}

/// A protected unit, four allies that can screen it, and two attackers: one at range and one behind
/// it.
const WARD: &str = r#"(
    title: "The ward",
    map: [
        ".......",
        ".......",
        ".......",
    ],
    sides: [
        (id: "party"),
        (id: "goblins", colour: Vermilion),
    ],
    combatants: [
        (kind: "mara", side: "party", at: (0, 1)),
        (kind: "wat", side: "party", at: (6, 2)),
        (kind: "goblin", name: "ward", side: "goblins", at: (5, 1)),
        (kind: "sergeant", side: "goblins", at: [(5, 0), (5, 2), (4, 0), (4, 2)]),
    ],
)"#;

/// A battle in which `guards` of the four allies screen the protected unit.
fn for_the_ward(guards: usize) -> Battle {
    let dice = DiceBox::scripted([(8, 1), (8, 8)]);
    let mut battle = Battle::new(level_setup(&level(WARD)), &RULESET, dice);
    let screens = (1..=guards).map(|n| format!("sergeant {n}: screen ward"));
    for order in screens.chain(["end turn".to_owned()]) {
        battle
            .order(&order)
            .unwrap_or_else(|e| panic!("{order}: {e:?}"));
    }
    battle
}

/// The probability that 2d6 + `mine` is higher than each of `rolls` separate rolls of 2d6 +
/// `theirs`.
fn above_all(mine: i32, theirs: i32, rolls: i32) -> f64 {
    let pairs = || (1..=6).flat_map(|a| (1..=6).map(move |b| a + b));
    let below = |n: i32| pairs().filter(|t| t + theirs < n).count() as f64 / 36.0;
    pairs().map(|n| below(n + mine).powi(rolls)).sum::<f64>() / 36.0
}

fn is(odds: Odds, wanted: f64) -> bool {
    (f64::from(odds.as_f32()) - wanted).abs() < 1e-5
}

/// SK-15: the screening units at the end of a charge count, not those at its start, and all of them
/// count. Mara has STR 2 and Stab 1; the sergeants roll with +2.
#[test]
fn a_charge_is_screened_where_it_ends() {
    fn pass(In(choice): In<Choice>, sk: SkirmishQuery) -> Odds {
        let to = choice.to.expect("a charge ends somewhere");
        let forecast = sk.forecast_from(&charge_attack(&choice), to);
        forecast.expect("it was offered").pass
    }
    for guards in [0, 1, 3, 4] {
        let mut battle = for_the_ward(guards);
        let order = "mara: charge ward with sword from 4,1";
        let choice = battle.find(order).expect("the line is free");
        let odds = battle.read(pass, choice);
        let wanted = above_all(3, 2, guards as i32);
        assert!(is(odds, wanted), "{guards}: {odds:?}, not {wanted}");
    }
}

/// SK-15: the forecast of an attack names the units that screen its target.
#[test]
fn an_attack_forecast_names_the_screeners() {
    for guards in [0, 1, 3] {
        let mut battle = for_the_ward(guards);
        let order = "mara: charge ward with sword from 4,1";
        let choice = battle.find(order).expect("the line is free");
        let mut known = Replica::new(&level_setup(&level(WARD)), &RULESET, None);
        let attack = (RULESET.forecasting.attack)(battle.known(&mut known), &choice);
        let spec = attack.expect("an attack").expect("it was offered");
        let screeners = spec.screen.as_ref().map_or(&[][..], |screen| &screen.by);
        let wanted: Vec<Id> = (3..3 + guards as u16).map(Id).collect();
        assert_eq!(screeners, wanted);
        assert!(spec.likely_percent() <= spec.percent);
        let odds = (RULESET.planning.odds)(battle.known(&mut known), &choice);
        let odds = odds.expect("a charge");
        assert_eq!((odds.percent, odds.worth), (spec.percent, spec.worth));
        // The screen needs no decision, so the plain numbers count it, and the brief names it.
        assert_eq!(spec.needs.contains("to get past"), guards > 0);
        let spread = (RULESET.forecasting.spread)(battle.known(&mut known), &choice);
        let hits: f32 = spread
            .bars
            .iter()
            .filter(|bar| bar.points > 0)
            .map(|bar| bar.chance)
            .sum();
        let is_less = hits * 100.0 <= above_all(3, 2, guards as i32) as f32 * 100.0 + 0.5;
        assert!(is_less, "{guards}: {hits}");
        assert!(spread.drop_percent().abs_diff(spec.drop_percent) <= 1);
        let brief = ["", "Sergeant 1 screens", "", "3 units screen"][guards];
        assert!(spec.in_brief().contains(brief), "{}", spec.in_brief());
        let is_noted = spec.notes.iter().any(|note| note.text.contains("instead"));
        assert_eq!(is_noted, guards > 0);
        // What the screeners stop is in the chart of the attack.
        if let Some(left) = &spec.answered {
            assert_eq!(left.needs.contains("to get past"), guards > 0);
            let all: f32 = left.spread.bars.iter().map(|bar| bar.chance).sum();
            assert!((all - 1.0).abs() < 1e-3, "{all}");
            let drops = left.spread.drop_percent();
            assert!(drops.abs_diff(left.drop_percent) <= 1, "{drops}%");
        }
    }
}

/// SK-15: the best attack from a cell is chosen with screens included: the halberd does more damage,
/// the javelin, with a better skill, gets past the screen more often.
#[test]
fn the_best_attack_from_a_cell_counts_screens() {
    fn most(In((from, at)): In<(Cell, Id)>, sk: SkirmishQuery) -> Option<i32> {
        let ways = sk.inventory(Id(0)).at_hand();
        let ways = ways.flat_map(|with| [(with, false), (with, true)]);
        let worth = |(with, ranged)| {
            let attack = Attack::new(Id(0), at, with, ranged, "SK-10");
            Some(sk.forecast_from(&attack, from).ok()?.worth())
        };
        ways.filter_map(worth).max()
    }
    let text = r#"(
        title: "A screen", map: ["......", "......", "......"],
        sides: [(id: "party"), (id: "goblins")],
        combatants: [
            (kind: "brandt", name: "alice", side: "party", at: (0, 1), with: (
                weapons: ["halberd", "javelin"], shield: None,
                attributes: (str: 0, dex: 0), skills: (stab: 0, shoot: 3))),
            (kind: "goblin", name: "ward", side: "goblins", at: (3, 1)),
            (kind: "goblin", name: "screener", side: "goblins", at: (3, 0), with: (skill: 3)),
        ],
    )"#;
    let dice = DiceBox::scripted([(8, 1), (8, 8)]);
    let mut battle = Battle::new(level_setup(&level(text)), &RULESET, dice);
    for order in ["screener: screen ward", "end turn"] {
        battle
            .order(order)
            .unwrap_or_else(|e| panic!("{order}: {e:?}"));
    }
    let mut known = battle.replica(Some(Side(0)));
    let world = battle.known(&mut known);
    let (alice, ward, to) = (Id(0), Id(1), Cell::new(1, 1));
    let way = (RULESET.forecasting.way)(world, alice, &[], to).expect("a free cell");
    let shot = way.shots.iter().find(|shot| shot.at == ward);
    let worth = shot.map(|shot| shot.worth);
    assert!(worth.is_some_and(|worth| worth > 0), "{:?}", way.shots);
    assert_eq!(worth, run_system(world, most, (to, ward)));
}

/// SK-13, SK-15: the odds of a swarm count the units that screen its target, like every attack's.
#[test]
fn the_odds_of_a_swarm_count_screens() {
    let chance = |guards: usize| {
        let mut battle = for_the_ward(guards);
        let mut known = battle.replica(Some(Side(0)));
        let world = battle.known(&mut known);
        let (wat, ward) = (Id(1), Id(2));
        let with = run_system(world, weapon, wat).expect("a weapon");
        let choice = Choice::new(&SWARM, wat).at(ward).with(with);
        let odds = (RULESET.forecasting.odds)(world, &choice);
        odds[0].percent.expect("a chance to hit")
    };
    // The second sergeant is in Wat's reach: his check has to beat the sergeant's.
    let (free, screened) = (chance(0), chance(2));
    let pass = above_all(3, 2, 1);
    assert!(screened < free, "{screened} of {free}");
    assert!(
        f64::from(screened) < f64::from(free) * (pass + 0.2),
        "{screened} of {free}"
    );
}

fn weapon(In(who): In<Id>, sk: SkirmishQuery) -> Option<Item> {
    sk.inventory(who).ready().next()
}

/// SK-17: the target of an attack of opportunity can defend against it, and then takes no Shock.
#[test]
fn the_forecast_of_a_reaction_includes_total_defense() {
    let units = [("ann", "party", (1, 1), 9), ("gob", "goblins", (2, 1), 9)];
    let level = field(&["....", "....", "...."], &units);
    let mut known = Replica::new(&level_setup(&level), &RULESET, None);
    let world = &mut known.world;
    let (ann, gob) = (Id(0), Id(1));
    let with = run_system(world, weapon, ann).expect("a weapon");
    let choice = Choice::new(&OPPORTUNITY, ann).at(gob).with(with);
    let mut forecast = |is_defending: bool| {
        of_unit_mut::<Fighter>(world, gob).defending = is_defending;
        let attack = (RULESET.forecasting.attack)(world, &choice);
        attack.expect("an attack").expect("it is adjacent")
    };
    let (free, defending) = (forecast(false), forecast(true));
    let left = free.answered.as_ref().expect("it can defend");
    assert_eq!(left.percent, defending.percent);
    assert_eq!(left.drop_percent, defending.drop_percent);
    assert!(left.percent < free.percent);
    assert_eq!(defending.answered, None);
    let mut shock = free.notes.iter().filter(|note| note.text.contains("Shock"));
    assert!(shock.all(|note| note.text.ends_with("none if it defends")));
}

/// SK-17: an offer for a bot has the chance if the target defends.
#[test]
fn an_offered_attack_counts_a_defense() {
    let units = [("ann", "party", (1, 1), 9), ("gob", "goblins", (2, 1), 9)];
    let setup = level_setup(&field(&["....", "....", "...."], &units));
    let dice = DiceBox::scripted([(8, 8), (8, 1)]);
    let mut battle = Battle::new(setup.clone(), &RULESET, dice);
    let mut known = bot::SideKnowledge::new(&setup, &RULESET, Side(0));
    known.follow(&battle);
    let offers = bot::legal(&mut battle);
    let mut strikes = offers.iter().filter(|o| o.choice.verb.name == "strike");
    let strike = strikes.next().expect("they are adjacent");
    let json = bot::offer_json(&battle, &mut known, strike);
    let (left, free) = (&json["answered"]["chance"], &json["chance"]);
    assert!(left.as_u64() < free.as_u64() && left.is_u64(), "{json}");
    assert!(json.get("screeners").is_none(), "{json}");
}

/// SK-20: the board shows the answer to a parley over the boldest unit of each side.
#[test]
fn sk_20_each_side_answers_a_parley() {
    let battle = kit::of_scenario("tests/scenarios/skirmish/sk_20_parley.ron");
    let names = battle.names();
    let events = battle.events().iter().filter(|e| e.rule == "SK-20");
    let answers = events.filter(|e| matches!(e.what, EventKind::Ruleset(_)));
    let shown: Vec<String> = answers
        .filter_map(|e| e.cue())
        .filter_map(|cue| Some(format!("{}: {}", names.name(cue.who?), cue.word)))
        .collect();
    assert_eq!(shown, ["goblin 2: wavers", "bandit: will not listen"]);
}

/// The forecast of an attack of opportunity on an adjacent goblin.
fn opportunity() -> AttackForecast {
    let units = [("ann", "party", (1, 1), 9), ("gob", "goblins", (2, 1), 9)];
    let level = field(&["....", "....", "...."], &units);
    let mut known = Replica::new(&level_setup(&level), &RULESET, None);
    let with = run_system(&mut known.world, weapon, Id(0)).expect("a weapon");
    let choice = Choice::new(&OPPORTUNITY, Id(0)).at(Id(1)).with(with);
    let attack = (RULESET.forecasting.attack)(&mut known.world, &choice);
    attack.expect("an attack").expect("it is adjacent")
}

/// SK-12: a snap attack that seldom hits and can't drop its target is not worth a prompt.
#[test]
fn a_snap_attack_that_hardly_helps_is_futile() {
    let snap = |ac: i32, hp: i32| {
        let level = level(&format!(
            r#"(
                title: "A duel", map: ["...", "...", "..."],
                sides: [(id: "party"), (id: "goblins", awareness: Alert)],
                combatants: [
                    (kind: "mara", side: "party", at: (0, 0), with: (weapons: ["sword"])),
                    (kind: "goblin", side: "goblins", at: (1, 0), with: (skirmish: (hp: {hp}, ac: {ac}))),
                ],
            )"#
        ));
        let mut known = Replica::new(&level_setup(&level), &RULESET, None);
        let world = &mut known.world;
        let with = run_system(world, weapon, Id(0)).expect("a weapon");
        let snap = Choice::new(&acts::snap::SNAP, Id(0)).at(Id(1)).with(with);
        (RULESET.forecasting.is_futile)(world, &snap)
    };
    assert!(snap(18, 60));
    assert!(!snap(5, 60));
    assert!(!snap(18, 1));
}

/// SK-19, SK-52: a held unit may disengage, but the forecast says that it has no effect.
#[test]
fn disengaging_in_a_grapple_has_no_effect() {
    let units = [("ann", "party", (1, 1), 9), ("gob", "goblins", (2, 1), 9)];
    let level = field(&["....", "....", "...."], &units);
    let mut known = Replica::new(&level_setup(&level), &RULESET, None);
    let world = &mut known.world;
    let (ann, gob) = (Id(0), Id(1));
    let disengage = Choice::new(&acts::DISENGAGE, ann);
    assert!(!(RULESET.forecasting.is_futile)(world, &disengage));
    assert!((RULESET.forecasting.warnings)(world, &disengage).is_empty());
    of_unit_mut::<GrappleState>(world, ann).held_by = gob.bit();
    assert!((RULESET.forecasting.is_futile)(world, &disengage));
    let why = (RULESET.forecasting.warnings)(world, &disengage);
    assert!(why[0].ends_with("can't leave."), "{why:?}");
}

/// Where further attacks or the damage of a miss make it likelier to drop the target than to hit it,
/// the text says so.
#[test]
fn what_makes_a_drop_likelier_than_a_hit_is_named() {
    let attack = opportunity();
    let drops = |drop_percent: u32, attacks: usize| {
        let attack = AttackForecast {
            drop_percent,
            attacks,
            ..attack.clone()
        };
        attack.drops()
    };
    assert_eq!(
        drops(attack.percent, 2),
        format!("{}% to drop", attack.percent)
    );
    let more = attack.percent + 5;
    assert_eq!(drops(more, 1), format!("{more}% to drop: even a miss can"));
    assert_eq!(drops(more, 2), format!("{more}% to drop with 2 attacks"));
}

/// A chance to drop the target that is larger than the chance to hit it, or nearly certain, is the
/// number that leads; the chance to hit stands beside it.
#[test]
fn a_likelier_drop_leads() {
    let attack = opportunity();
    let leads = |percent: u32, drop_percent: u32| {
        let attack = AttackForecast {
            percent,
            drop_percent,
            answered: None,
            ..attack.clone()
        };
        let (number, unit) = attack.lead();
        (format!("{number} {unit}"), attack.hit_beside_drop())
    };
    let hit = |percent: u32| Some(format!("{percent}% to hit"));
    assert_eq!(leads(65, 65), ("65% to hit".into(), None));
    assert_eq!(leads(65, 70), ("70% to drop".into(), hit(65)));
    assert_eq!(leads(95, 90), ("90% to drop".into(), hit(95)));
    assert_eq!(leads(95, 85), ("95% to hit".into(), None));
}

/// SK-17, SK-40: the range of the damage is that of the chart, which the Shock raises only without
/// Total Defense. Mara has STR 2, and her sword Shock 2.
#[test]
fn shock_raises_the_range_of_the_damage() {
    let duel = r#"(
        title: "A duel", map: ["...", "...", "..."],
        sides: [(id: "party"), (id: "goblins", awareness: Alert)],
        combatants: [
            (kind: "mara", side: "party", at: (0, 0), with: (weapons: ["sword"])),
            (kind: "goblin", side: "goblins", at: (1, 0), with: (skirmish: (hp: 4, ac: 12))),
        ],
    )"#;
    let dice = DiceBox::scripted([(8, 8), (8, 1)]);
    let mut battle = Battle::new(level_setup(&level(duel)), &RULESET, dice);
    let choice = battle.find("mara: strike goblin with sword");
    let choice = choice.expect("it is in reach");
    let mut known = battle.replica(Some(Side(0)));
    let attack = (RULESET.forecasting.attack)(battle.known(&mut known), &choice);
    let attack = attack.expect("an attack").expect("it is possible");
    assert_eq!(attack.damage, "1d8+2, at least 4 (Shock): 4 to 10");
    assert_eq!(attack.drop_percent, 100);
    let left = attack.answered.expect("the goblin can defend");
    assert_eq!(left.damage, "1d8+2: 3 to 10");
    assert!(left.spread.drop_percent().abs_diff(left.drop_percent) <= 1);
    assert!(left.drop_percent < left.percent, "a 1 does only 3 damage");
}

/// SK-04: what takes a Move also takes the Main in its place, and its help says so.
#[test]
fn the_help_of_an_action_that_takes_a_move_names_the_main() {
    let acts = (RULESET.acts)();
    for name in [
        "screen",
        "go and screen",
        "stand up",
        "open door",
        "close door",
    ] {
        let act = acts.iter().find(|act| act.action.name == name);
        let button = act.and_then(|act| act.button);
        let help = button.unwrap_or_else(|| panic!("{name}: no button")).help;
        assert!(
            help.starts_with("Uses your Move, or Main if spent."),
            "{help}"
        );
    }
}

/// SK-15, SK-50: the forecast of a shove includes screening units. Wat has STR 2 and Brawl 2.
#[test]
fn the_forecast_of_a_shove_includes_screens() {
    fn look(In(choice): In<Choice>, sk: SkirmishQuery) -> (Odds, Odds, f64) {
        let chances = maneuver_chance(&sk, &choice).expect("it was offered");
        let parts = [chances.pass, chances.hit, chances.win];
        let product = parts.map(|odds| f64::from(odds.as_f32())).iter().product();
        (chances.pass, chances.all(), product)
    }
    for guards in [0, 2, 4] {
        let mut battle = for_the_ward(guards);
        let choice = battle.find("wat: shove ward down").expect("it is in reach");
        let (pass, all, product) = battle.read(look, choice);
        // All sergeants except the second are out of Wat's reach and stop nothing.
        let wanted = above_all(4, 2, i32::from(guards > 1));
        assert!(is(pass, wanted), "{guards}: {pass:?}, not {wanted}");
        assert!(is(all, product), "{guards}: {all:?}, not {product}");
    }
}

/// SK-50, GR-32: the forecast of a shove over a ledge says how far the target falls, also
/// before its direction is chosen; a shove on level ground says only where the target goes.
#[test]
fn the_forecast_of_a_shove_says_how_far_the_target_falls() {
    let ledge = r#"(
        title: "A ledge", map: ["...v", "...v", "...v"],
        legend: {'v': (floor: -20)},
        sides: [(id: "party"), (id: "brutes")],
        combatants: [
            (kind: "wat", name: "alice", side: "party", at: (1, 2), with: (weapons: ["cudgel"])),
            (kind: "bugbear", name: "brute", side: "brutes", at: (2, 2), with: (bulk: Ordinary)),
        ],
    )"#;
    let dice = DiceBox::scripted([(8, 8), (8, 1)]);
    let mut battle = Battle::new(level_setup(&level(ledge)), &RULESET, dice);
    let mut known = battle.replica(Some(Side(0)));
    let mut effect = |order: &str, is_aimed: bool| {
        let mut choice = battle.find(order).expect("an offer");
        choice.to = choice.to.filter(|_| is_aimed);
        let odds = (RULESET.forecasting.odds)(battle.known(&mut known), &choice);
        assert!(odds[0].percent.is_some(), "{odds:?}");
        odds[0].text.clone()
    };
    let falls = "5 ft to the east over the edge, falls 20 ft (2d6 damage)";
    let order = "alice: shove brute to 3,2";
    assert_eq!(effect(order, true), format!("pushed {falls}"));
    let open = effect(order, false);
    assert!(
        open.starts_with("pushed away, or ") && open.contains("falls 20 ft"),
        "{open}"
    );
    let level = effect("alice: shove brute to 2,1", true);
    assert_eq!(level, "pushed 5 ft to the north");
    let down = effect("alice: shove brute down", true);
    assert_eq!(down, "knocked prone");
}

/// The ways to shove a unit begin with the longest fall, and its damage counts as dealt by the unit
/// that shoved; it is no damage of the attack, so it is no luck.
#[test]
fn a_fall_after_a_shove_counts_as_dealt() {
    fn offers(In(id): In<Id>, sk: SkirmishQuery) -> Vec<Offer> {
        acts::offers(&sk, id)
    }
    let ledge = r#"(
        title: "A ledge", map: ["....", "...v", "...."],
        legend: {'v': (floor: -24)},
        sides: [(id: "party"), (id: "goblins")],
        combatants: [
            (kind: "wat", name: "alice", side: "party", at: (1, 1), with: (skirmish: (attack: 0))),
            (kind: "goblin", side: "goblins", at: (2, 1), with: (skirmish: (ac: 10, hp: 5))),
        ],
    )"#;
    let setup = level_setup(&level(ledge));
    let dice = [
        (8, 8),
        (8, 1),
        (20, 10),
        (6, 3),
        (6, 3),
        (6, 1),
        (6, 2),
        (6, 3),
        (6, 2),
    ];
    let mut battle = Battle::new(setup.clone(), &RULESET, DiceBox::scripted(dice));
    let offers = battle.read(offers, Id(0));
    let is_shove = |offer: &&Offer| offer.choice.verb == &acts::SHOVE && offer.is_legal();
    let first = offers.iter().find(is_shove).expect("a shove");
    assert_eq!(first.choice.to, Some(Cell::new(3, 1)));
    for order in ["alice: shove goblin to 3,1", "goblin: pass"] {
        let choice = battle.find(order).expect("an offer");
        battle.answer(choice).expect("it is legal");
    }
    let [alice, goblin] = statistics(&battle)[..] else {
        panic!("two units");
    };
    assert_eq!((alice.dealt, alice.felled, goblin.taken), (5, 1, 5));
    assert_eq!(alice.struck, 0);
}

/// SK-17, SK-71: the odds of a reroll count the Total Defense that its target can still use, and say
/// that a second miss does Shock too.
#[test]
fn the_odds_of_a_reroll_count_the_defense_of_its_target() {
    let alley = r#"(
        title: "An alley", map: ["...", "..."],
        sides: [(id: "party"), (id: "bandits")],
        combatants: [
            (kind: "osk", side: "party", at: (0, 0)),
            (kind: "bandit", side: "bandits", at: (1, 0)),
        ],
    )"#;
    // The attack misses.
    let dice = DiceBox::scripted([(8, 8), (8, 1), (20, 2)]);
    let mut battle = Battle::new(level_setup(&level(alley)), &RULESET, dice);
    let order = "osk: strike bandit with battle axe";
    battle.order(order).unwrap_or_else(|e| panic!("{e:?}"));
    let osk = Id(0);
    while let Some(other) = battle.asked().map(|q| q.actors[0]).filter(|&id| id != osk) {
        battle
            .answer(Choice::new(&PASS, other))
            .expect("it may pass");
    }
    let again = battle.find("osk: roll again against bandit");
    let again = again.expect("the roll missed");
    let mut known = battle.replica(Some(Side(0)));
    let world = battle.known(&mut known);
    let mut odds = |is_defending: bool| {
        of_unit_mut::<Fighter>(world, Id(1)).defending = is_defending;
        let odds = (RULESET.forecasting.odds)(world, &again);
        let [line] = &odds[..] else {
            panic!("{odds:?}")
        };
        (line.percent, line.text.clone())
    };
    let (left, words) = odds(false);
    let (defending, plain) = odds(true);
    assert_eq!(left, defending);
    assert_eq!(plain, "The new roll hits");
    let free = left.unwrap_or_default() + 10;
    let wanted = format!("The new roll hits if it defends, else {free}%; a miss still does ");
    assert!(
        words.starts_with(&wanted) && words.ends_with(" Shock unless it defends"),
        "{words}"
    );
}

/// SK-56: stalking an enemy that is near but out of sight says that it needs no line of sight.
#[test]
fn the_forecast_of_a_stalk_says_that_it_needs_no_sight() {
    let walled = r#"(
        title: "Behind a wall", map: ["..#..", "..#.."],
        sides: [(id: "party"), (id: "bandits", awareness: Unaware)],
        combatants: [
            (kind: "lin", side: "party", at: (1, 0)),
            (kind: "bandit", side: "bandits", at: (3, 0)),
        ],
    )"#;
    let notes = |text: &str| {
        let mut battle = Battle::new(level_setup(&level(text)), &RULESET, DiceBox::seeded(1));
        let stalk = battle.find("lin: stalk bandit").expect("an offer");
        let mut known = battle.replica(Some(Side(0)));
        let odds = (RULESET.forecasting.odds)(battle.known(&mut known), &stalk);
        Vec::from_iter(
            odds.into_iter()
                .map(|one| (one.text, one.percent, one.rule)),
        )
    };
    let words = String::from("Needs no line of sight within 30 ft");
    assert_eq!(notes(walled), [(words, None, "SK-56")]);
    assert!(notes(&walled.replace('#', ".")).is_empty());
}

/// SK-56: the forecast of an attack on an unaware unit says how many it alarms, and that of an
/// execution what follows if the save passes.
#[test]
fn the_forecast_of_an_attack_says_whom_it_alarms() {
    let mut battle = Battle::new(level_setup(&level(SENTRY)), &RULESET, DiceBox::seeded(1));
    let mut known = battle.replica(Some(Side(0)));
    let mut alerts = |order: &str| {
        let choice = battle.find(order).expect("an offer");
        (RULESET.forecasting.alerts)(battle.known(&mut known), &choice)
    };
    let strike = alerts("lin: strike sentry with short sword");
    assert_eq!(strike, ["It alarms 1 unaware unit."]);
    let execution = alerts("lin: execute sentry with short sword");
    assert!(
        execution[0].starts_with("If the save passes: "),
        "{execution:?}"
    );
    assert!(execution[0].ends_with(" damage, and it alarms 1 unaware unit."));
    let rolled_attack = alerts("tobin: execute sentry from afar with long bow");
    assert!(rolled_attack[0].starts_with("If it misses, or the save passes ("));
}

/// SK-12: the forecast of an attack says that an enemy may make a snap attack first: one that is
/// trained for it, and could drop the attacker or be dropped.
#[test]
fn the_forecast_of_an_attack_says_who_may_snap_first() {
    let first = |hp: i32, enemies: &str| {
        let text = format!(
            r#"(
                title: "A brawl", map: [".....", ".....", "....."],
                sides: [(id: "party"), (id: "brutes")],
                combatants: [
                    (kind: "mara", name: "alice", side: "party", at: (1, 1),
                        with: (skirmish: (hp: {hp}))),
                    {enemies}
                ],
            )"#
        );
        let dice = DiceBox::scripted([(8, 8), (8, 1)]);
        let mut battle = Battle::new(level_setup(&level(&text)), &RULESET, dice);
        let mut known = battle.replica(Some(Side(0)));
        let choice = battle.find("alice: strike brute with sword");
        let choice = choice.expect("an offer");
        let forecast = RULESET.forecasting.of(battle.known(&mut known), &choice);
        let json = bot::forecast_json(&forecast, battle.names());
        let told = json.get("interrupts").and_then(|words| words.as_str());
        assert_eq!(told, forecast.interrupts.as_deref());
        forecast.interrupts.unwrap_or_default()
    };
    let brute = |kind: &str, hp: i32| {
        let with = format!("with: (skirmish: (hp: {hp}))");
        format!(r#"(kind: "{kind}", name: "brute", side: "brutes", at: (2, 1), {with}),"#)
    };
    assert_eq!(first(5, &brute("goblin", 5)), "");
    assert_eq!(first(60, &brute("sergeant", 60)), "");
    let sergeant = brute("sergeant", 60);
    let one = first(5, &sergeant);
    assert!(one.starts_with("Brute may snap first: "), "{one}");
    let other = r#"(kind: "sergeant", side: "brutes", at: (1, 2)),"#;
    let two = first(5, &format!("{sergeant} {other}"));
    let wanted = "Brute and 1 other may snap first: up to ";
    assert!(two.starts_with(wanted), "{two}");
    let doomed = first(60, &brute("sergeant", 5));
    assert!(doomed.starts_with("Brute may snap first: "), "{doomed}");
}

/// SK-12: a snap attack with bare hands beside one with a weapon is legal, but no player is offered it
/// by default.
#[test]
fn bare_hands_are_a_rare_snap_attack_beside_a_weapon() {
    let level = level(
        r#"(
            title: "A brawl", map: ["........"],
            sides: [(id: "party"), (id: "brutes")],
            combatants: [
                (kind: "mara", name: "alice", side: "party", at: (1, 0)),
                (kind: "goblin", name: "brute", side: "brutes", at: (4, 0), with: (skirmish: (hp: 1))),
            ],
        )"#,
    );
    let dice = DiceBox::scripted([(8, 1), (8, 8)]);
    let mut battle = Battle::new(level_setup(&level), &RULESET, dice);
    let comes = battle.find("brute: run to 2,0").expect("its turn");
    battle.answer(comes).expect("it may");
    let offers = battle.offers_of(Id(0));
    let snaps = offers.iter().filter(|o| o.choice.verb == &acts::snap::SNAP);
    let item = |offer: &Offer| offer.choice.with.map(|with| battle.names().item(with));
    let found: Vec<_> = snaps.map(|offer| (item(offer), offer.rare)).collect();
    assert!(found.contains(&(Some("sword"), false)), "{found:?}");
    assert!(found.contains(&(Some("fists"), true)), "{found:?}");
}

/// SK-56: opening a door and coming into view alarm nobody, and their forecasts say so.
#[test]
fn the_forecast_of_a_door_and_of_a_move_says_that_they_alarm_nobody() {
    let level = level(
        r#"(
            title: "A sentry behind a door",
            map: ["..+..", "..#..", "..#..", "....."],
            sides: [(id: "party"), (id: "bandits", awareness: Unaware)],
            combatants: [
                (kind: "lin", side: "party", at: (1, 0)),
                (kind: "bandit", name: "sentry", side: "bandits", at: (4, 0)),
            ],
        )"#,
    );
    let mut battle = Battle::new(level_setup(&level), &RULESET, DiceBox::seeded(1));
    let mut known = battle.replica(Some(Side(0)));
    let mut reassures = |order: &str| {
        let choice = battle.find(order).expect("an offer");
        (RULESET.forecasting.reassures)(battle.known(&mut known), &choice)
    };
    let door = reassures("lin: open door at 2,0");
    assert_eq!(door, Some("Opening it alarms nobody."));
    let seen = reassures("lin: run to 3,3");
    assert_eq!(seen, Some("Being seen there alarms nobody."));
    assert_eq!(reassures("lin: run to 0,1"), None);
}

/// SK-56: a harmful spell alarms like an attack, and its forecast says so.
#[test]
fn the_forecast_of_a_harmful_spell_says_whom_it_alarms() {
    let text = SENTRY.replace(
        r#""lin", side: "party", at: (2, 0), hidden: true, stalks: "sentry""#,
        r#""ysolde", side: "party", at: (2, 0)"#,
    );
    let mut battle = Battle::new(level_setup(&level(&text)), &RULESET, DiceBox::seeded(1));
    let cast = battle.find("ysolde: cast fire bolt at sentry");
    let cast = cast.expect("an offer");
    let mut known = battle.replica(Some(Side(0)));
    let alerts = (RULESET.forecasting.alerts)(battle.known(&mut known), &cast);
    assert_eq!(alerts, ["It alarms 1 unaware unit."]);
}

/// SK-12, SK-17: before its side's turn, a unit that reacts pays with the Main of that turn, and
/// the prompt says so.
#[test]
fn a_reaction_before_the_turn_uses_the_main_of_the_turn() {
    let level = &built_in()[0];
    let mut found = BTreeSet::new();
    for seed in 0..12 {
        let setup = level_setup(level);
        let controller = |player: Player, n| player.controller(&setup, &RULESET, n, seed);
        let mut ais = [controller(Player::Idle, 0), controller(Player::Quick, 1)];
        let mut battle = Battle::new(setup.clone(), &RULESET, DiceBox::seeded(seed));
        while let Some(asked) = battle.asked().cloned().filter(|_| found.len() < 2) {
            let defend = Choice::new(&DEFEND, asked.actors[0]);
            if asked.side == Side(0) && asked.reaction && battle.check(&defend).is_ok() {
                let is_turn = |e: &Event| match e.what {
                    EventKind::RoundBegan { .. } => Some(false),
                    EventKind::TurnBegan { side: Side(0) } => Some(true),
                    _ => None,
                };
                let has_begun = battle.events().iter().rev().find_map(is_turn) == Some(true);
                let mut known = battle.replica(Some(Side(0)));
                let changes = RULESET.forecasting.changes;
                let lines = changes(battle.known(&mut known), &defend);
                let price = match has_begun {
                    true => "uses Main",
                    false => "uses next turn's Main",
                };
                assert_eq!(lines.last().map(String::as_str), Some(price), "{seed}");
                let forfeits = (RULESET.forecasting.forfeits)(battle.known(&mut known), &defend);
                let name = battle.names().title(asked.actors[0]);
                let words = format!("{name} can't attack next turn");
                assert_eq!(forfeits, (!has_begun).then_some(words), "{seed}");
                found.insert(has_begun);
            }
            let choice = ais[asked.side.index()].choose(&mut battle);
            battle.answer(choice).expect("the AI answers what is legal");
        }
    }
    assert_eq!(found.len(), 2, "before and after the turn");
}

/// SK-12: a total defense raises the total that an attack needs which is already rolled.
#[test]
fn a_rolled_attack_needs_more_after_a_total_defense() {
    let level = &built_in()[0];
    for seed in 0..12 {
        let setup = level_setup(level);
        let controller = |player: Player, n| player.controller(&setup, &RULESET, n, seed);
        let mut ais = [controller(Player::Idle, 0), controller(Player::Quick, 1)];
        let mut battle = Battle::new(setup.clone(), &RULESET, DiceBox::seeded(seed));
        while let Some(asked) = battle.asked().cloned() {
            let who = asked.actors[0];
            let at_me = |e: &Event| match &e.what {
                EventKind::AttackRolled { rolled_attack } if rolled_attack.attack.at == who => {
                    Some(rolled_attack.clone())
                }
                _ => None,
            };
            let defends = battle.check(&Choice::new(&DEFEND, who)).is_ok();
            if asked.side == Side(0)
                && asked.reaction
                && defends
                && let Some(rolled_attack) = battle.events().iter().rev().find_map(at_me)
            {
                let mut known = battle.replica(Some(Side(0)));
                let world = battle.known(&mut known);
                let before =
                    (RULESET.needed)(world, &rolled_attack.attack).expect("it can still hit");
                of_unit_mut::<Fighter>(world, who).defending = true;
                let after = (RULESET.needed)(world, &rolled_attack.attack);
                assert_eq!(after, Some(before + 2));
                return;
            }
            let choice = ais[asked.side.index()].choose(&mut battle);
            battle.answer(choice).expect("the AI answers what is legal");
        }
    }
    panic!("no unit can defend");
}

/// SK-40, SK-70: the warning about a spell beside an enemy names Shock, which spoils the spell
/// even if the attack misses, and its forecast gives it no chance.
#[test]
fn a_spell_beside_an_enemy_warns_of_shock() {
    fn offers(In(id): In<Id>, sk: SkirmishQuery) -> Vec<Offer> {
        acts::offers(&sk, id)
    }
    let warned = |goblin: &str| {
        let text = WARD.replace("kind: \"mara\"", "kind: \"ysolde\"");
        let level = level(&text.replace("(5, 1)", goblin));
        let mut known = Replica::new(&level_setup(&level), &RULESET, None);
        let offers = run_system(&mut known.world, offers, Id(0));
        let mut casts = offers
            .iter()
            .filter(|offer| offer.is_legal() && offer.choice.spell.is_some());
        let cast = casts.next().expect("a spell is on offer").choice.clone();
        let odds = (RULESET.forecasting.odds)(&mut known.world, &cast);
        let chances: Vec<u32> = odds.iter().filter_map(|odds| odds.percent).collect();
        let warnings = (RULESET.forecasting.warnings)(&mut known.world, &cast);
        (warnings, chances)
    };
    let (beside, chances) = warned("(1, 1)");
    assert!(beside[0].starts_with("Ward's Shock"), "{beside:?}");
    assert_eq!(chances, [0, 0]);
    let (far, chances) = warned("(3, 1)");
    assert_eq!(far, Vec::<String>::new());
    assert_eq!(chances, [100]);
}

/// SK-13: an order to swarm shows no odds if no ally has a Main left to join, since no attack
/// follows.
#[test]
fn a_swarm_that_nobody_can_join_shows_no_odds() {
    let mut battle = for_the_ward(0);
    let swarm = battle
        .find("wat: swarm ward with fists")
        .expect("it is in reach");
    let odds = |battle: &mut Battle| {
        let mut known = battle.replica(Some(Side(0)));
        (RULESET.forecasting.odds)(battle.known(&mut known), &swarm)
    };
    let chance = |battle: &mut Battle| odds(battle).iter().any(|odds| odds.percent.is_some());
    assert!(chance(&mut battle), "Mara could still join");
    // What a helper adds is part of the text: "1d2+2, +1 for helpers (dice up to 2): 4 to 4".
    let told = odds(&mut battle);
    let part = ", +1 for helpers (dice up to 2): ";
    assert!(told.iter().any(|odds| odds.text.contains(part)), "{told:?}");
    assert!(told.iter().any(|odds| odds.text.ends_with("% to drop")));
    battle.order("mara: done").expect("she may end her turn");
    assert!(!chance(&mut battle));
}

/// SK-04: the price of a move names only what it still costs.
#[test]
fn a_second_move_uses_only_the_main() {
    let mut battle = for_the_ward(0);
    let price = |battle: &mut Battle, x: i16| {
        let mut known = battle.replica(Some(Side(0)));
        let world = battle.known(&mut known);
        let way = (RULESET.forecasting.way)(world, Id(0), &[], Cell::new(x, 1));
        way.expect("it is in reach").price.into_owned()
    };
    assert_eq!(price(&mut battle, 1), "uses Move");
    battle.order("mara: run to 1,1").expect("it is in reach");
    assert_eq!(price(&mut battle, 2), "uses Main");
}
