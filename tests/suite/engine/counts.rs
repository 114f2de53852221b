//! Who acts when, by count and by segment: SP-03, SP-06, SE-32.

use super::kit::{
    Toy, Volley, asked, assert_idle, assert_log, assert_never, attack, battle, field, log, noted,
    offer, order, public, toy,
};
use bevy::ecs::system::{In, ResMut};
use fivefoot::{
    battle::{
        Action, Answer, Attack, CheckRoll, Choice, DiceBox, EventKind, Id, Offer, Poll, Roll,
        Ruleset, Side, State, StepOutcome,
    },
    grid::Cell,
    system_step,
};

static STRIKE: Action = Action {
    name: "strike",
    order_text: "strike {at}",
    log_text: "strikes at {at}",
    rule: "SP-03",
};
static STEP: Action = Action {
    name: "step",
    order_text: "step to {to}",
    log_text: "steps to {to}",
    rule: "SE-32",
};

/// Three rounds by count: a d12 each, rolled once; low counts act first, equal
/// ones together. Who is to come enters at count 13 of the first round.
static COUNTS: Ruleset = toy("Counts", || Box::new(Begin));

#[derive(Clone, Debug)]
struct Begin;
system_step!(Begin, begin);

fn begin(In(_): In<Begin>, toy: Toy, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let mut outcome = StepOutcome::default();
    for who in toy.everybody() {
        outcome.emit("SP-02", noted(who, "base", dice.roll(12).into()));
    }
    for round in 1..=3 {
        outcome.push(Round { round });
    }
    outcome
}

#[derive(Clone, Debug)]
struct Round {
    round: u16,
}
system_step!(Round, round);

fn round(In(Round { round }): In<Round>, toy: Toy) -> StepOutcome {
    let mut outcome = StepOutcome::default().and("SP-03", EventKind::RoundBegan { round });
    for who in toy.everybody() {
        outcome.emit("SP-03", noted(who, "acted", 0));
    }
    outcome.then(Count { round })
}

/// Who comes next is found in the state, not kept in a queue: a newcomer
/// needs no surgery.
#[derive(Clone, Debug)]
struct Count {
    round: u16,
}
system_step!(Count, count);

/// The counts at which somebody acts in a round: its own, and before that the
/// one that it missed as it came, 12 lower. In the round in which it came past
/// its count: none.
fn counts(toy: &Toy, who: Id) -> Vec<i32> {
    let own = toy.note(who, "base");
    match (toy.note(who, "missed"), toy.note(who, "owed")) {
        (1, _) => vec![],
        (_, 1) => vec![own - 12, own],
        _ => vec![own],
    }
}

/// The count at which a newcomer enters.
const ENTRY: i32 = 13;

fn count(In(Count { round }): In<Count>, toy: Toy, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let everybody = toy.everybody();
    let next = |&who: &Id| {
        counts(&toy, who)
            .get(toy.note(who, "acted") as usize)
            .copied()
    };
    let now = everybody.iter().filter_map(next).min();
    let mut outcome = StepOutcome::default();
    let waits = |id: &Id| toy.view.body(*id).state == State::Waiting;
    if round == 1
        && now.is_none_or(|now| now > ENTRY)
        && let Some(who) = toy.view.ids().find(waits)
    {
        // It rolls as it comes; its count may have gone by.
        let (at, base) = (Cell::new(0, 0), i32::from(dice.roll(12)));
        outcome.emit("SP-06", EventKind::Entered { who, at });
        outcome.emit("SP-06", noted(who, "base", base));
        outcome.emit("SP-06", noted(who, "missed", (base < ENTRY).into()));
        return outcome.then(Count { round });
    }
    let Some(now) = now else {
        for who in everybody {
            outcome.emit("SP-06", noted(who, "owed", toy.note(who, "missed")));
            outcome.emit("SP-06", noted(who, "missed", 0));
        }
        return outcome;
    };
    let mut blows: Vec<Attack> = vec![];
    for who in everybody.into_iter().filter(|who| next(who) == Some(now)) {
        outcome.emit("SP-03", noted(who, "acts at", now));
        outcome.emit("SP-03", noted(who, "acted", toy.note(who, "acted") + 1));
        let foe = toy.foes_beside(who).first().copied();
        blows.extend(foe.map(|foe| attack(who, foe, "SP-03")));
    }
    outcome.then(Volley::plain(blows)).then(Count { round })
}

#[test]
fn equal_counts_strike_at_once_and_both_may_fall_sp_03() {
    let people = [
        ("alice", "party", (0, 0), 3),
        ("goblin", "goblins", (1, 0), 3),
    ];
    let level = field(&["...", "..."], &people);
    let dice = [(12, 7), (12, 7), (20, 12), (20, 11), (6, 3), (6, 4)];
    let b = battle(&COUNTS, &level, &dice);
    assert_idle(&b);
    assert_log(
        &b,
        &[
            "alice: acts at 7",
            "goblin: acts at 7",
            "Goblin takes 3",
            "Alice takes 4",
            "Alice falls",
            "Goblin falls",
        ],
    );
}

#[test]
fn the_lower_count_strikes_first_and_the_fallen_do_not_strike_sp_03() {
    let people = [
        ("alice", "party", (0, 0), 3),
        ("goblin", "goblins", (1, 0), 3),
    ];
    let level = field(&["...", "..."], &people);
    let b = battle(&COUNTS, &level, &[(12, 8), (12, 7), (20, 12), (6, 3)]);
    assert_idle(&b);
    assert_log(&b, &["goblin: acts at 7", "Alice falls"]);
    assert_never(&b, "Goblin takes");
}

#[test]
fn a_newcomer_whose_count_is_past_acts_twice_in_the_next_round_sp_06() {
    let people = [
        ("alice", "party", (5, 1), 9),
        ("goblin", "goblins", (5, 5), 9),
        ("ghoul", "goblins late", (0, 0), 9),
    ];
    let level = field(&["......"; 6], &people);
    // Alice 10, the goblin 2; the ghoul comes at 13 and rolls 8.
    let b = battle(&COUNTS, &level, &[(12, 10), (12, 2), (12, 8)]);
    assert_idle(&b);
    let counts: Vec<String> = log(&b)
        .into_iter()
        .filter(|l| l.contains("acts at") || l.contains("Round") || l.contains("enters"))
        .collect();
    assert_eq!(
        counts,
        [
            "SP-03 Round 1",
            "SP-03 goblin: acts at 2",
            "SP-03 alice: acts at 10",
            "SP-06 Ghoul enters at 0,0",
            "SP-03 Round 2",
            "SP-03 ghoul: acts at -4",
            "SP-03 goblin: acts at 2",
            "SP-03 ghoul: acts at 8",
            "SP-03 alice: acts at 10",
            "SP-03 Round 3",
            "SP-03 goblin: acts at 2",
            "SP-03 ghoul: acts at 8",
            "SP-03 alice: acts at 10",
        ]
    );
}

/// One round by segments: a d6 for each side, the winner acts first; a tie is
/// one moment for both.
static SEGMENTS: Ruleset = toy("Segments", || Box::new(Initiative));

#[derive(Clone, Debug)]
struct Initiative;
system_step!(Initiative, initiative);

fn initiative(In(_): In<Initiative>, toy: Toy, mut dice: ResMut<DiceBox>) -> StepOutcome {
    let rolls = [dice.roll(6), dice.roll(6)];
    let mut outcome = StepOutcome::default();
    for (n, die) in rolls.into_iter().enumerate() {
        let checked = CheckRoll::of(Side(n as u8), "initiative", Roll::one(6, die, vec![])).event();
        outcome.emit("SE-30", checked);
    }
    let act = |sides: Vec<Side>| {
        let of_them = |id: &Id| sides.contains(&toy.side(*id));
        let who: Vec<Id> = toy.everybody().into_iter().filter(of_them).collect();
        Together(Poll::of(who))
    };
    match rolls[0].cmp(&rolls[1]) {
        std::cmp::Ordering::Equal => outcome.then(act(vec![Side(0), Side(1)])),
        std::cmp::Ordering::Greater => outcome.then(act(vec![Side(0)])).then(act(vec![Side(1)])),
        std::cmp::Ordering::Less => outcome.then(act(vec![Side(1)])).then(act(vec![Side(0)])),
    }
}

/// All who act in one segment choose, none seeing what the others chose; then
/// they move, one by one in the order of the sides, and then they strike at once.
#[derive(Clone, Debug)]
struct Together(Poll);
system_step!(Together, together);

fn together(
    In(Together(mut poll)): In<Together>,
    toy: Toy,
    mut answer: ResMut<Answer>,
) -> StepOutcome {
    let ask = |id: Id| {
        let free = |cell: &Cell| toy.view.board.contains(*cell) && toy.view.on(*cell).is_none();
        let steps = toy.cell(id).neighbours().filter(free);
        let steps = steps.map(|to| Offer::legal(Choice::new(&STEP, id).to(to)));
        let foes = toy.foes_beside(id);
        let blows = foes.iter().map(|&at| offer(&STRIKE, id, at));
        let offers = blows.chain(steps).collect();
        toy.is_up(id).then(|| toy.ask(id, "Your segment", offers))
    };
    if let Some(question) = poll.next(&mut answer, ask) {
        return StepOutcome::ask(question, Together(poll));
    }
    let mut outcome = StepOutcome::default();
    for choice in &poll.said {
        if let (Some(who), Some(to)) = (choice.who, choice.to) {
            outcome.push(Walk { who, to });
        }
    }
    let blows = poll.said.iter().filter_map(|c| Some((c.who?, c.at?)));
    let blows = blows.map(|(who, at)| attack(who, at, "SE-32")).collect();
    outcome.then(Volley::plain(blows))
}

#[derive(Clone, Debug)]
struct Walk {
    who: Id,
    to: Cell,
}
system_step!(Walk, walk);

fn walk(In(Walk { who, to }): In<Walk>, toy: Toy) -> StepOutcome {
    if toy.view.on(to).is_some() {
        let why = "somebody is there already".into();
        return StepOutcome::default().and("SE-32", EventKind::Stopped { who, why });
    }
    let (from, feet) = (toy.cell(who), 5);
    let moved = EventKind::Moved {
        who,
        from,
        to,
        feet,
    };
    StepOutcome::default().and("SE-32", moved)
}

const PAIR: [(&str, &str, (i16, i16), i32); 2] = [
    ("alice", "party", (0, 0), 3),
    ("goblin", "goblins", (1, 0), 3),
];

#[test]
fn a_tie_is_one_moment_and_both_blows_land_se_32() {
    let level = field(&["....", "...."], &PAIR);
    let dice = [(6, 4), (6, 4), (20, 10), (20, 10), (6, 3), (6, 3)];
    let mut b = battle(&SEGMENTS, &level, &dice);
    let before = public(&b);
    order(&mut b, &["alice: strike goblin"]);
    // The goblin decides without knowing.
    assert_eq!((public(&b), asked(&b)), (before, vec!["goblin".to_owned()]));
    order(&mut b, &["goblin: strike alice"]);
    assert_idle(&b);
    assert_log(
        &b,
        &[
            "Goblin takes 3",
            "Alice takes 3",
            "Alice falls",
            "Goblin falls",
        ],
    );
}

#[test]
fn without_a_tie_the_fallen_strike_nobody_se_32() {
    let level = field(&["....", "...."], &PAIR);
    let mut b = battle(&SEGMENTS, &level, &[(6, 5), (6, 4), (20, 10), (6, 3)]);
    order(&mut b, &["alice: strike goblin"]);
    assert_idle(&b);
    assert_log(&b, &["Goblin falls"]);
    assert_never(&b, "Alice takes");
}

#[test]
fn two_who_move_at_once_do_not_share_a_cell_se_32() {
    let people = [
        ("alice", "party", (0, 0), 3),
        ("goblin", "goblins", (2, 0), 3),
    ];
    let level = field(&["...", "..."], &people);
    let mut b = battle(&SEGMENTS, &level, &[(6, 4), (6, 4)]);
    order(&mut b, &["alice: step to 1,1", "goblin: step to 1,1"]);
    assert_idle(&b);
    assert_log(
        &b,
        &[
            "Alice moves to 1,1",
            "Goblin stops: somebody is there already",
        ],
    );
}
