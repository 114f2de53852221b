//! The act bar of a ruleset: the buttons of its actions, one for each key.

use crate::{
    battle::{ActInfo, Action, Button as Face, LETTERS, Ruleset},
    ui::art::icons::Icon,
};

/// A button of the act bar. The acts of one button exclude each other, or are
/// told apart by their targets.
#[derive(Clone, Debug)]
pub struct Button {
    /// Its letter, or a sign that is on no keyboard.
    pub key: char,
    pub acts: Vec<Look>,
    /// A click on somebody or something means this act, without the bar.
    pub plain: bool,
    /// Several acts under one name: it says too little to be done at once.
    pub group: bool,
}

/// How an act looks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Look {
    pub verb: &'static Action,
    pub label: &'static str,
    pub icon: Icon,
    pub help: &'static str,
}

impl Button {
    pub fn look(&self, verb: &'static Action) -> Option<&Look> {
        self.acts.iter().find(|a| a.verb == verb)
    }

    fn new(key: char, faces: &[(ActInfo, Face)]) -> Self {
        let look = |(act, face): &(ActInfo, Face)| Look {
            verb: act.action,
            label: face.label,
            icon: face.icon,
            help: face.help,
        };
        Self {
            key,
            acts: faces.iter().map(look).collect(),
            plain: faces.iter().any(|(_, face)| face.plain),
            group: faces.iter().any(|(_, face)| face.group),
        }
    }
}

/// Every button, in the bar's order: by its letter, then those without one.
pub fn buttons(rules: &Ruleset) -> Vec<Button> {
    let all = (rules.acts)().into_iter();
    let mut faces: Vec<_> = all.filter_map(|act| Some((act, act.button?))).collect();
    let place = |key| LETTERS.find(key).unwrap_or(LETTERS.len());
    faces.sort_by_key(|(_, face)| (place(face.key), face.last));
    let mut unused = '\u{E000}'..;
    let runs = faces.chunk_by(|a, b| a.1.key == b.1.key && a.1.key != ' ');
    let button = |run: &[(ActInfo, Face)]| {
        let key = match run[0].1.key {
            ' ' => unused.next().expect("there are thousands"),
            key => key,
        };
        Button::new(key, run)
    };
    runs.map(button).collect()
}
