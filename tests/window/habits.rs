//! What foes are likely to do is told, and mostly comes.

use super::kit::{
    levels::spoiled::{ARCHER, GOBLIN, LEVEL, MARA},
    rounds::{DECLARED, begun_against, on, plan, point},
};
use fivefoot::{
    battle::{Event, EventKind, Id},
    control::{Player, recording::Seat},
    grid::cells_apart,
    levels::{self, built_in},
    rulesets::{ALL, find},
    ui::{
        Session,
        preview::{
            ActionPreview, Click,
            habits::{Deed, likely},
        },
    },
};
use fivefoot_kit as kit;

/// What each foe is likely to do next is found by rounds that are played out, under every
/// ruleset; and mostly it does one of the likeliest two.
#[test]
fn foes_mostly_do_what_was_likely() {
    for rules in ALL {
        let (mut named, mut possible, mut all) = (0, 0, 0);
        for seed in 1..=kit::sample(5, 10) {
            let level = kit::level(LEVEL);
            let mut session = Session::seated(
                &level,
                rules,
                seed,
                vec![Seat::Human, Seat::Ai(Player::Quick)],
            );
            for _ in 0..200 {
                session.catch_up();
                let asks_all = session.is_declaring() || rules.id == "Skirmish";
                if session.is_players_turn() && asks_all {
                    break;
                }
                on(&mut session);
            }
            let guessed = likely(&session, &|| false);
            let from = session.told().count();
            for _ in 0..200 {
                let round = session.shown().clock.round;
                if session.game.is_over() || round > 2 {
                    break;
                }
                on(&mut session);
            }
            for foe in [GOBLIN, ARCHER, Id(4)] {
                let struck = session.told().skip(from).find_map(|e| match &e.what {
                    EventKind::AttackRolled { shot } if shot.attack.by == foe => {
                        Some(shot.attack.at)
                    }
                    _ => None,
                });
                let Some(at) = struck else { continue };
                let habits = guessed.get(&foe).cloned().unwrap_or_default();
                let place = habits.iter().position(|h| h.deed == Deed::Attacks(at));
                all += 1;
                named += u32::from(place == Some(0));
                possible += u32::from(place.is_some());
            }
        }
        println!(
            "{}: {named} of {all} as likeliest, {possible} among what was likely",
            rules.id
        );
        assert!(all > 0 && possible * 10 >= all * 7, "{}", rules.id);
    }
}

/// What is told of each foe when a round has been declared is mostly what it does: the
/// likeliest as often as its percentages say, and something that was told nearly always.
#[test]
fn foes_mostly_do_what_was_foretold() {
    for id in DECLARED {
        let (mut likeliest, mut named, mut all) = (0, 0, 0);
        // How often the likeliest should come, and the variance of that.
        let (mut expected, mut variance) = (0.0, 0.0);
        for seed in 1..=kit::sample(2, 4) {
            let level = levels::default_level();
            let rules = find(id).expect("a ruleset");
            let mut session = begun_against(Player::Quick, &level, rules, seed);
            for _ in 0..2 {
                attack_the_nearest(&mut session);
                let foretold = likely(&session, &|| false);
                let from = session.told().count();
                let round = session.shown().clock.round;
                while !session.game.is_over() && session.shown().clock.round == round {
                    on(&mut session);
                }
                let is_later =
                    |e: &&Event| matches!(e.what, EventKind::RoundBegan { round: n } if n > round);
                for (foe, habits) in &foretold {
                    let round = session.told().skip(from).take_while(|e| !is_later(e));
                    let done = first_deed(&session, round, *foe);
                    let rest = 100 - habits.iter().map(|habit| habit.percent).sum::<u32>();
                    let most = habits.iter().map(|habit| habit.percent).max();
                    let told = match done {
                        Some(deed) => habits.iter().find(|habit| habit.deed == deed),
                        None => None,
                    };
                    let told = told.map_or(if done.is_none() { rest } else { 0 }, |it| it.percent);
                    let most = most.unwrap_or(0).max(rest);
                    all += 1;
                    named += u32::from(told > 0);
                    likeliest += u32::from(told >= most);
                    let share = f64::from(most) / 100.0;
                    expected += share;
                    variance += share * (1.0 - share);
                }
                while !session.game.is_over() && !session.is_declaring() {
                    on(&mut session);
                }
                if session.game.is_over() {
                    break;
                }
            }
        }
        let told = format!("{id}: {likeliest} of {all} as likeliest, {expected:.1} expected");
        println!("{told}, {named} as told");
        assert!(all > kit::sample(20, 40) && likeliest * 2 > all, "{told}");
        // Twenty rounds are played out: the likeliest of them is a little less likely.
        let off = expected - f64::from(likeliest);
        assert!(
            off < 3.0 * f64::sqrt(variance) + 0.05 * f64::from(all),
            "{told}"
        );
        assert!(named * 20 >= all * 19, "{id}: {named} of {all}");
    }
}

/// All but the first mean to attack whoever is nearest.
fn attack_the_nearest(session: &mut Session) {
    let own: Vec<Id> = session
        .shown()
        .members(session.player())
        .map(|p| p.id)
        .collect();
    for &who in &own[1..] {
        let (shown, side) = (session.shown(), session.player());
        let me = shown.person(who);
        let foes = shown.people.iter().filter(|p| p.is_up() && p.side != side);
        let nearest = foes.min_by_key(|p| cells_apart(p.space(), me.space()));
        let Some(at) = nearest
            .map(|p| p.at)
            .filter(|_| me.is_up() && session.is_declaring())
        else {
            continue;
        };
        if let Click::Plan(draft) = ActionPreview::of(session, &point(who, at)).click {
            plan(session, &draft);
        }
    }
}

/// An attack or a spell of somebody, or else that they go somewhere.
fn first_deed<'a>(
    session: &Session,
    round: impl Iterator<Item = &'a Event>,
    who: Id,
) -> Option<Deed> {
    let reactions = session.game.reactions();
    let mut reacts = false;
    let deeds = round.filter_map(|event| match &event.what {
        EventKind::Acted { choice } if choice.who == Some(who) && reactions.contains(choice) => {
            reacts = true;
            None
        }
        EventKind::AttackRolled { shot } if shot.attack.by == who && reacts => {
            reacts = false;
            Some(Deed::Reacts)
        }
        EventKind::AttackRolled { shot } if shot.attack.by == who => {
            Some(Deed::Attacks(shot.attack.at))
        }
        EventKind::Acted { choice } if choice.who == Some(who) => {
            let charges = session.reads.reader.planning.is_charge(choice.verb);
            match choice.at.filter(|_| charges || choice.spell.is_some()) {
                None => choice.spell.map(|_| Deed::Casts),
                at => at.map(Deed::Attacks),
            }
        }
        EventKind::Moved { who: mover, .. } if *mover == who => Some(Deed::Goes),
        _ => None,
    });
    let deeds: Vec<Deed> = deeds.collect();
    let is_main = |deed: &&Deed| matches!(deed, Deed::Attacks(_) | Deed::Casts);
    let own = |deed: &&Deed| **deed != Deed::Reacts;
    let found = deeds.iter().find(is_main);
    let found = found.or(deeds.iter().find(own)).or(deeds.first());
    let falls = !session.shown().person(who).is_up();
    found.copied().or(falls.then_some(Deed::Falls))
}

/// A foe who is felled before its time is told of as that, and where one that only goes
/// is going.
#[test]
fn who_only_goes_is_told_of_with_where_and_who_falls_first_too() {
    let level = levels::default_level();
    let (mut places, mut falls) = (0, 0);
    for seed in 1..=4 {
        let rules = find("Activity").expect("a ruleset");
        let mut session = begun_against(Player::Quick, &level, rules, seed);
        attack_the_nearest(&mut session);
        for habit in likely(&session, &|| false).values().flatten() {
            places += u32::from(habit.deed == Deed::Goes && habit.to.is_some());
            falls += u32::from(habit.deed == Deed::Falls);
            assert!(habit.to.is_none() || habit.deed == Deed::Goes, "{habit:?}");
        }
    }
    assert!(places > 4 && falls > 0, "{places} places, {falls} fall");
}

/// Somebody who flees, at whatever time of the round, hides from nobody what the others
/// are likely to do in their turn.
#[test]
fn who_flees_does_not_hide_what_the_others_will_do() {
    let level = built_in().iter().find(|level| level.id == "toll_gate");
    let level = level.expect("a built-in level");
    let rules = find("Skirmish").expect("a ruleset");
    let mut found = 0;
    for seed in 1..=kit::sample(20, 40) {
        let seats = vec![Seat::Human, Seat::Ai(Player::Quick)];
        let mut session = Session::seated(level, rules, seed, seats);
        for _ in 0..400 {
            session.catch_up();
            if session.game.is_over() {
                break;
            }
            let foes = session.shown().people.iter();
            let foes = foes.filter(|p| p.is_up() && p.side != session.player());
            let (bold, fleeing): (Vec<Id>, Vec<Id>) = foes
                .map(|p| p.id)
                .partition(|&id| session.reads.threatens(id));
            let is_begin = session.is_players_turn() && session.idle_members().count() > 1;
            if is_begin && !fleeing.is_empty() && bold.len() > 1 {
                let guessed = likely(&session, &|| false);
                let does = |id: &Id| guessed.get(id).is_some_and(|habits| !habits.is_empty());
                assert!(bold.iter().any(does), "seed {seed}: {guessed:?}");
                found += 1;
                break;
            }
            match session.question().map(|asked| asked.actors.clone()) {
                Some(actors) => {
                    let who = actors.first().copied().unwrap_or(MARA);
                    let choice = session.sensible(who);
                    session.give(&[choice]).expect("it is on offer");
                }
                None => drop(on(&mut session)),
            }
        }
    }
    assert!(found > kit::sample(0, 2), "{found} such moments");
}
