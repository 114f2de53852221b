//! The preview before a click is what happens after it.

use fivefoot::{
    battle::{Choice, Cost, Decision, Event, EventKind, Id, Way},
    grid::Cell,
    levels,
    rulesets::{self, skirmish::OPPORTUNITY},
    ui::{ActionPreview, Selection, Session},
};

fn session(level: usize, seed: u64) -> Session {
    Session::new(&levels::built_in()[level], rulesets::ALL[0], seed)
}

/// Shows all events and lets the AI answer until the player has a decision.
fn settle(session: &mut Session) {
    loop {
        while session.next_event().is_some() {}
        if !session.awaits_ai() {
            return;
        }
        session.think();
    }
}

fn members(session: &Session) -> Vec<Id> {
    session.idle_members().map(|p| p.id).collect()
}

#[test]
fn a_move_goes_and_costs_as_previewed() {
    let mut moved = 0;
    for seed in 0..6 {
        let mut session = session(seed as usize % 3, seed);
        settle(&mut session);
        for who in members(&session) {
            for end in session.queries.reach(who).into_iter().step_by(7) {
                let way = session
                    .queries
                    .way(who, &[], end.cell)
                    .expect("what is in reach has a way");
                if !way.provoked.is_empty() {
                    continue;
                }
                assert_eq!(way.path.last(), Some(&end.cell));
                assert_eq!(way.cost, end.cost);
                let before = session.shown().events;
                session.give(&way.orders).expect("a way is legal");
                while session.next_event().is_some() {}
                let unit = session.shown().unit(who);
                let spent = unit.pips.iter().filter(|p| p.spent).count();
                assert_eq!(spent, if way.orders.len() == 2 { 2 } else { 1 }, "{way:?}");
                assert_eq!(unit.at, end.cell);
                let feet: u16 = session
                    .known_events()
                    .skip(before)
                    .map(|e| feet(&e.what))
                    .sum();
                assert_eq!(feet, way.feet);
                // One undo takes the whole move back, even if it took several orders.
                session.undo();
                assert_eq!(session.shown().events, before);
                moved += 1;
            }
        }
    }
    assert!(moved > 50, "only {moved} moves were tried");
}

fn feet(change: &EventKind) -> u16 {
    if let EventKind::Moved { feet, .. } = change {
        *feet
    } else {
        0
    }
}

/// Plays the player's side with simple orders and checks every attack and every move that
/// provokes one.
#[test]
fn attacks_and_provoked_attacks_are_as_previewed() {
    let (mut attacks, mut openings) = (0, 0);
    for seed in 0..12 {
        let mut session = session(seed as usize % 3, 100 + seed);
        for _ in 0..80 {
            settle(&mut session);
            if session.over().is_some() {
                break;
            }
            if session.awaits_end_of_turn() {
                session.end_turn();
                continue;
            }
            let Some(asked) = session.question().cloned() else {
                break;
            };
            let who = members(&session)
                .first()
                .copied()
                .unwrap_or(asked.actors[0]);
            let offers = session.offers_of(if asked.reaction { asked.actors[0] } else { who });
            let legal: Vec<Choice> = offers
                .iter()
                .filter(|o| o.is_legal())
                .map(|o| o.choice.clone())
                .collect();
            if asked.reaction {
                session.give(&[legal[0].clone()]).expect("a legal reaction");
            } else if let Some(attack) = legal.iter().find_map(|c| session.queries.attack(c)?.ok())
            {
                let before = session.known_events().count();
                session
                    .give(std::slice::from_ref(&attack.choice))
                    .expect("a legal attack");
                let draws = !session.queries.provoked(&attack.choice).is_empty();
                settle(&mut session);
                let rolled = session
                    .known_events()
                    .skip(before)
                    .find_map(|e| match &e.what {
                        EventKind::AttackRolled { rolled_attack }
                            if rolled_attack.attack.by == attack.by =>
                        {
                            Some(rolled_attack.clone())
                        }
                        _ => None,
                    });
                // A held action can come before the attack's die: the target may have
                // dropped prone or stepped behind a wall.
                let others = |e: &&Event| match &e.what {
                    EventKind::Acted { choice } => choice.who.is_some_and(|id| id != attack.by),
                    _ => false,
                };
                let is_rolled = |e: &&Event| matches!(e.what, EventKind::AttackRolled { .. });
                let answered = session
                    .known_events()
                    .skip(before)
                    .take_while(|e| !is_rolled(e))
                    .any(|e| others(&e));
                match rolled {
                    _ if answered => {}
                    // A guarding ally took the attack instead (SK-15).
                    Some(rolled_attack) if rolled_attack.attack.at != attack.at => {}
                    Some(rolled_attack) => {
                        assert_eq!(rolled_attack.roll.modifiers, attack.modifiers);
                        attacks += 1;
                    }
                    None => assert!(draws, "an attack that was shown was never made"),
                }
            } else if let Some(way) = dangerous(&mut session, who) {
                let before = session.known_events().count();
                session.give(&way.orders).expect("a way is legal");
                settle(&mut session);
                let by: Vec<Id> = way.provoked.iter().map(|d| d.by).collect();
                let struck = session
                    .known_events()
                    .skip(before)
                    .filter_map(|e| match &e.what {
                        EventKind::Acted { choice }
                            if choice.verb == &OPPORTUNITY && choice.at == Some(who) =>
                        {
                            choice.who
                        }
                        _ => None,
                    });
                for enemy in struck {
                    assert!(by.contains(&enemy), "an attack was not previewed");
                    openings += 1;
                }
            } else if let Some(way) = closer(&mut session, who) {
                session.give(&way.orders).expect("a way is legal");
            } else {
                session.end_turn();
            }
        }
    }
    assert!(attacks > 40, "only {attacks} attacks were made");
    assert!(openings > 0, "nobody ever took an opening");
}

/// A move that provokes attacks, if there is one.
fn dangerous(session: &mut Session, who: Id) -> Option<Way> {
    let ends = session.queries.reach(who);
    let way = ends
        .iter()
        .filter_map(|end| session.queries.way(who, &[], end.cell))
        .find(|w| !w.provoked.is_empty())?;
    for drawn in &way.provoked {
        assert!(
            drawn.step + 1 < way.path.len(),
            "it is drawn by leaving a cell of the path"
        );
        assert!(drawn.percent > 0);
    }
    Some(way)
}

/// A move that ends nearer to the nearest enemy, if there is one.
fn closer(session: &mut Session, who: Id) -> Option<Way> {
    let shown = session.shown();
    let enemies = shown
        .units
        .iter()
        .filter(|p| p.is_up() && p.side != session.player());
    let foes: Vec<Cell> = enemies.map(|p| p.at).collect();
    let apart = |a: Cell, b: Cell| (a.x - b.x).abs().max((a.y - b.y).abs());
    let near = |cell: Cell| {
        foes.iter()
            .map(|&enemy| apart(enemy, cell))
            .min()
            .unwrap_or(0)
    };
    let here = near(shown.unit(who).at);
    let ends = session
        .queries
        .reach(who)
        .into_iter()
        .filter(|e| e.cost == Cost::Plain);
    let best = ends.map(|e| e.cell).min_by_key(|&cell| near(cell))?;
    if near(best) >= here {
        return None;
    }
    session.queries.way(who, &[], best)
}

#[test]
fn the_player_confirms_the_turn_after_all_units_have_acted() {
    let mut session = session(0, 1);
    settle(&mut session);
    let done = session.queries.rules.planning.done[0];
    for who in members(&session) {
        session
            .give(&[Choice::new(done, who)])
            .expect("to be done is legal");
        while session.next_event().is_some() {}
    }
    assert!(session.awaits_end_of_turn());
    assert!(session.can_undo());
    session.undo();
    assert!(session.is_players_turn(), "the last one is back");
    let who = members(&session)[0];
    session
        .give(&[Choice::new(done, who)])
        .expect("to be done is legal");
    session.end_turn();
    assert!(session.awaits_ai() || session.question().is_some());
}

#[test]
fn there_is_no_preview_for_a_unit_that_cannot_act() {
    let mut session = session(0, 1);
    let nothing = ActionPreview::of(&mut session, &Selection::default());
    assert!(nothing.acts.is_empty() && nothing.reach.is_empty());
}

/// Units that cannot act yet have no path and no reach on screen, because a click could not
/// be carried out.
#[test]
fn units_have_no_path_or_reach_before_they_can_act() {
    let mut looked = 0;
    for rules in rulesets::ALL {
        for seed in 0..3 {
            let mut session = Session::new(&levels::built_in()[0], rules, seed);
            for _ in 0..40 {
                let Some(asked) = next_question(&mut session) else {
                    break;
                };
                for who in members_besides(&session, &asked.actors) {
                    let selection = Selection {
                        chosen: Some(who),
                        ..Selection::default()
                    };
                    let preview = ActionPreview::of(&mut session, &selection);
                    assert!(preview.reach.is_empty(), "{}: {who:?}", rules.id);
                    looked += 1;
                }
                take_first(&mut session, asked.actors[0], |c| c.spell.is_some());
            }
        }
    }
    assert!(looked > 50, "only {looked} were checked");
}

/// Phased: the game asks before an unarmed attack by a unit whose weapon attack comes later,
/// and before a spell is left without a target.
#[test]
fn wasted_opportunities_are_warned_of() {
    let rules = rulesets::find("phased").expect("it is one of the five");
    let level = super::kit::levels::level();
    let (mut hands, mut spells) = (0, 0);
    for seed in 0..20 {
        let mut session = Session::new(&level, rules, seed);
        for _ in 0..30 {
            let Some(asked) = next_question(&mut session) else {
                break;
            };
            let who = asked.actors[0];
            for offer in session.offers_of(who).iter().filter(|o| o.is_legal()) {
                let slips = session.queries.warnings(&offer.choice);
                let bare = offer
                    .choice
                    .with
                    .map(|with| session.game.names().item(with));
                if bare.is_some_and(|item| item == "fists") && !slips.is_empty() {
                    assert!(slips[0].contains("acts at speed"), "{slips:?}");
                    hands += 1;
                }
            }
            take_first(&mut session, who, |c| c.verb.name == "strike");
        }
        let mut session = Session::new(&levels::built_in()[0], rules, seed);
        for _ in 0..30 {
            let Some(asked) = next_question(&mut session) else {
                break;
            };
            let who = asked.actors[0];
            let offers = session.offers_of(who);
            if offers.iter().any(|o| o.choice.verb.name.starts_with("aim")) {
                let done = session.done_verb(who).expect("one may let it be");
                let slips = session.queries.warnings(&Choice::new(done, who));
                assert!(slips.iter().any(|s| s.contains("no target")), "{slips:?}");
                spells += 1;
            }
            take_first(&mut session, who, |c| c.spell.is_some());
        }
    }
    assert!(hands > 0 && spells > 0, "{hands} hands, {spells} spells");
}

/// Lets the others play until the player has a decision.
fn next_question(session: &mut Session) -> Option<Decision> {
    loop {
        settle(session);
        match session.question() {
            Some(asked) => return Some(asked.clone()),
            None if session.awaits_end_of_turn() => session.end_turn(),
            None => return None,
        }
    }
}

fn members_besides(session: &Session, asked: &[Id]) -> Vec<Id> {
    let shown = session.shown();
    let own = shown.members(session.player()).filter(|p| p.is_up());
    own.map(|p| p.id).filter(|id| !asked.contains(id)).collect()
}

/// Gives the first legal order that `likes` accepts, or else ends the unit's turn, or else
/// gives any legal order.
fn take_first(session: &mut Session, who: Id, likes: impl Fn(&Choice) -> bool) {
    let offers = session.offers_of(who);
    let legal = offers.iter().filter(|o| o.is_legal()).map(|o| &o.choice);
    let (liked, others): (Vec<_>, Vec<_>) = legal.partition(|c| likes(c));
    let done = session.done_verb(who).map(|verb| Choice::new(verb, who));
    let all = liked
        .into_iter()
        .cloned()
        .chain(done)
        .chain(others.into_iter().cloned());
    for choice in all {
        if session.give(&[choice]).is_ok() {
            return;
        }
    }
    panic!("{who:?} can do nothing");
}
