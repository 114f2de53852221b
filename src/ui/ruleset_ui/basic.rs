//! UI defaults for any ruleset: a ruleset without its own table can be played.

use super::{Bar, DeclarationPreview, RulesetUi, Status, StatusBadge, words::spell_lines};
use crate::{
    battle::{Id, State, View, capitalised},
    content::Weapon,
    ui::art::icons::Icon,
};
use bevy::ecs::system::In;

/// The defaults; other tables end with `..BASIC`.
pub const BASIC: RulesetUi = RulesetUi {
    rules: "",
    about: "",
    like: "",
    end_words: "End turn",
    arrival_counts: "the end of the turn",
    status: |world, who| super::run(world, status, who),
    figures: |world, who| super::run(world, figures, who),
    traits: |_, _| vec![],
    figures_tip: "",
    skippable: None,
    costs_action: |_| false,
    spell: |spell| spell_lines(spell, "AC"),
    late_harm: &[],
    screen_checks: &[],
    naturals_decide: false,
    executions: &[],
    preview_declaration: |_, _| DeclarationPreview::default(),
    presets: &[],
};

fn status(In(who): In<Id>, view: View) -> Status {
    let body = view.body(who);
    let prone = body.prone && body.is_up();
    let lasting = view.conditions(who).iter().map(|l| {
        let words = format!(
            "{}, {}",
            capitalised(&l.condition.name),
            l.condition.effect_text()
        );
        StatusBadge::of_condition(&l.condition, words)
    });
    let prone = prone.then(|| StatusBadge::bad(Icon::Prone, "Prone"));
    Status {
        done: !body.is_up(),
        conditions: prone.into_iter().chain(lasting).collect(),
        bars: vec![Bar {
            word: "HP",
            now: body.hp.max(0),
            most: body.max_hp,
        }],
        ..Status::default()
    }
}

fn figures(In(who): In<Id>, view: View) -> Vec<String> {
    let body = view.body(who);
    let mut lines = vec![format!("HP {} of {}", body.hp.max(0), body.max_hp)];
    if body.state == State::Up {
        let held = view.inventory(who).ready().map(|item| view.weapon(item));
        let armed = held.filter(|w| w.make == crate::content::Make::Forged);
        lines.extend(armed.map(|w: &Weapon| capitalised(&w.name)));
    }
    lines
}
