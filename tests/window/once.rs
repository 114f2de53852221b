//! A forecast is computed only once per state and order.

use super::kit::rounds::to_decision;
use fivefoot::{
    battle::{AttackForecast, Choice, DiceBox, Forecasting, Id, Ruleset, Side, Why, of_unit},
    control::{Player, recording::SideController},
    rulesets::ALL,
    ui::{ActionPreview, Selection, Session},
};
use fivefoot_kit::level;
use std::{
    cell::{Cell, RefCell},
    collections::BTreeMap,
};

type Attack = fn(&mut bevy::ecs::world::World, &Choice) -> Option<Result<AttackForecast, Why>>;

thread_local! {
    static ORIGINAL: Cell<Option<Attack>> = const { Cell::new(None) };
    /// Number of forecasts of each attack, by the positions of its two units.
    static ASKED: RefCell<BTreeMap<String, usize>> = const { RefCell::new(BTreeMap::new()) };
}

fn counted(
    world: &mut bevy::ecs::world::World,
    choice: &Choice,
) -> Option<Result<AttackForecast, Why>> {
    let stands = [choice.who, choice.at].map(|id| {
        let at = |id: Id| of_unit::<fivefoot::battle::Body>(world, id).at;
        id.map(at)
    });
    let what = format!("{choice:?} {stands:?}");
    ASKED.with_borrow_mut(|asked| *asked.entry(what).or_default() += 1);
    ORIGINAL.get().expect("a ruleset")(world, choice)
}

/// A copy of the ruleset that counts its attack forecasts.
fn counting(rules: &Ruleset) -> &'static Ruleset {
    ORIGINAL.set(Some(rules.forecasting.attack));
    let forecasting = Box::leak(Box::new(Forecasting {
        attack: counted,
        ..*rules.forecasting
    }));
    Box::leak(Box::new(Ruleset {
        forecasting,
        ..*rules
    }))
}

#[test]
fn a_hover_computes_each_attack_forecast_once() {
    let text = r#"(
        title: "Two",
        map: ["......", "......"],
        sides: [(id: "party"), (id: "goblins")],
        combatants: [
            (kind: "mara", side: "party", at: (1, 0)),
            (kind: "goblin", side: "goblins", at: (2, 0)),
        ],
    )"#;
    let level = level(text);
    for rules in ALL {
        let rules = counting(rules);
        let controllers = vec![SideController::Human, SideController::Ai(Player::Idle)];
        let dice = (1, DiceBox::steady());
        let mut session = Session::with_dice(&level, rules, dice, controllers);
        let mut hovers = 0;
        for _ in 0..40 {
            to_decision(&mut session);
            let Some(asked) = session.question().cloned() else {
                break;
            };
            if let Some(&who) = asked.actors.first()
                && asked.side == Side(0)
            {
                ASKED.with_borrow_mut(BTreeMap::clear);
                let goblin = session.shown().units[1].at;
                let over = Selection {
                    chosen: Some(who),
                    cursor: Some(goblin),
                    ..Selection::default()
                };
                ActionPreview::of(&mut session, &over);
                // A second look computes nothing new.
                ActionPreview::of(&mut session, &over);
                ASKED.with_borrow(|asked| {
                    hovers += usize::from(!asked.is_empty());
                    let twice: Vec<_> = asked.iter().filter(|one| *one.1 > 1).collect();
                    assert!(twice.is_empty(), "{}: {twice:#?}", rules.id);
                });
            }
            let last = asked.actors.first().and_then(|&who| {
                let offers = session.offers_of(who);
                let last = offers.iter().rfind(|offer| offer.is_legal())?.clone();
                Some(match last.numbers {
                    Some((_, most)) => last.choice.number(most),
                    None => last.choice,
                })
            });
            let last = last.unwrap_or_else(|| asked.common[0].clone());
            session.give(&[last]).expect("it is on offer");
        }
        assert!(hovers > 0, "{}: no attack was asked for", rules.id);
    }
}
