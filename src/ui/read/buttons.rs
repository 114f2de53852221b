//! The action bar of a ruleset: its action buttons, one for each key.

use crate::{
    battle::{ActInfo, Action, Button as Face, LETTERS, Ruleset},
    ui::art::icons::Icon,
};

/// A button of the action bar. Its actions exclude each other or differ by their targets.
#[derive(Clone, Debug)]
pub struct Button {
    /// Its letter, or a private character that no keyboard has.
    pub key: char,
    pub acts: Vec<ActionLook>,
    /// Whether a click on a target can mean this action without the bar.
    pub plain: bool,
    /// Whether it groups several actions under one name, so that the player has to pick one.
    pub group: bool,
}

/// How an action looks.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct ActionLook {
    pub verb: &'static Action,
    pub label: &'static str,
    pub icon: Icon,
    pub help: &'static str,
    /// Whether a click on an enemy can mean this action instead of an attack.
    pub instead: bool,
    /// Whether it is listed after the button's other actions.
    pub last: bool,
    /// Whether the button means this action only while no other of its actions is possible.
    pub fallback: bool,
}

impl Button {
    pub fn look(&self, verb: &'static Action) -> Option<&ActionLook> {
        self.acts.iter().find(|a| a.verb == verb)
    }

    fn new(key: char, faces: &[(ActInfo, Face)]) -> Self {
        let look = |(act, face): &(ActInfo, Face)| ActionLook {
            verb: act.action,
            label: face.label,
            icon: face.icon,
            help: face.help,
            instead: face.instead,
            last: face.last,
            fallback: face.fallback,
        };
        Self {
            key,
            acts: faces.iter().map(look).collect(),
            plain: faces.iter().any(|(_, face)| face.plain),
            group: faces.iter().any(|(_, face)| face.group),
        }
    }
}

/// All buttons in the bar's order: by letter, then those without one.
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
