//! The action bar of a ruleset: its action buttons, one for each key.

use crate::battle::{Action, Button as ActionButton, LETTERS, Ruleset};

/// A button of the action bar. Its actions exclude each other or differ by their targets.
#[derive(Clone, Debug)]
pub struct Button {
    /// Its letter, or a private character that no keyboard has.
    pub key: char,
    pub acts: Vec<(&'static Action, ActionButton)>,
    /// Whether a click on a target can mean this action without the bar.
    pub plain: bool,
    /// Whether it groups several actions under one name, so that the player has to pick one.
    pub group: bool,
}

impl Button {
    /// The name, icon and place of one of its actions.
    pub fn button_of(&self, verb: &'static Action) -> Option<&ActionButton> {
        let act = self.acts.iter().find(|act| act.0 == verb)?;
        Some(&act.1)
    }
}

/// All buttons in the bar's order: by letter, then those without one.
pub fn buttons(rules: &Ruleset) -> Vec<Button> {
    let all = (rules.acts)().into_iter();
    let mut all_buttons: Vec<_> = all
        .filter_map(|act| Some((act.action, act.button?)))
        .collect();
    let place = |key| LETTERS.find(key).unwrap_or(LETTERS.len());
    all_buttons.sort_by_key(|(_, button)| (place(button.key), button.last));
    let mut unused = '\u{E000}'..;
    let runs = all_buttons.chunk_by(|a, b| a.1.key == b.1.key && a.1.key != ' ');
    let button = |run: &[(&'static Action, ActionButton)]| Button {
        key: match run[0].1.key {
            ' ' => unused.next().expect("there are thousands"),
            key => key,
        },
        acts: run.to_vec(),
        plain: run.iter().any(|(_, button)| button.plain),
        group: run.iter().any(|(_, button)| button.group),
    };
    runs.map(button).collect()
}
