//! The act bar of a ruleset: the faces that its reader gives, and a button for
//! each other verb.

use super::{ActFace, Reader};
use crate::{
    battle::{Action, PASS, Ruleset, Words, capitalised},
    ui::{art::icons::Icon, input::TAKEN},
};

/// A button of the act bar. The acts of one button exclude each other, or are
/// told apart by their targets.
#[derive(Clone, Debug)]
pub struct Button {
    /// Its letter, or a sign that is none when all were taken.
    pub key: char,
    pub acts: Vec<Look>,
    /// A click on somebody or something means this act, without the bar.
    pub plain: bool,
    /// Several acts under one name: it says too little to be done at once.
    pub group: bool,
}

/// How an act looks.
#[derive(Clone, PartialEq, Debug)]
pub struct Look {
    pub verb: &'static Action,
    pub label: Words,
    pub icon: Icon,
    pub help: &'static str,
}

impl Button {
    pub fn look(&self, verb: &'static Action) -> Option<&Look> {
        self.acts.iter().find(|a| a.verb == verb)
    }
}

/// Every button, in the bar's order.
pub fn buttons(rules: &Ruleset, reader: &Reader) -> Vec<Button> {
    let look = |a: &ActFace| Look {
        verb: a.verb,
        label: a.label.into(),
        icon: a.icon,
        help: a.help,
    };
    let faces = reader.acts.iter().map(|face| Button {
        key: face.key,
        acts: face.acts.iter().map(look).collect(),
        plain: face.plain,
        group: face.group,
    });
    let mut all: Vec<Button> = faces.collect();
    // A letter that the window needs itself is no face's.
    for n in 0..all.len() {
        if TAKEN.contains(all[n].key) {
            let label = all[n].acts[0].label.to_lowercase();
            all[n].key = free_letter(&label, &all);
        }
    }
    let walks = walks(rules);
    for verb in (rules.verbs)() {
        let ends = rules.planning.end_turn == Some(verb) || rules.planning.done.contains(&verb);
        let known = all.iter().any(|b| b.look(verb).is_some());
        if known || ends || verb == &PASS || walks.first() == Some(&verb) {
            continue;
        }
        let key = free_letter(verb.name, &all);
        all.push(Button {
            key,
            acts: vec![Look {
                verb,
                label: capitalised(verb.name).into(),
                icon: guess(verb.name),
                help: "",
            }],
            plain: reader.acts.is_empty() && verb.order_text.contains("{at}"),
            group: false,
        });
    }
    all
}

/// The verbs that a click on a cell means: those that the ruleset names, or those that sound
/// like it.
pub fn walks(rules: &Ruleset) -> Vec<&'static Action> {
    if !rules.planning.walks.is_empty() {
        return rules.planning.walks.to_vec();
    }
    let is_walk = |v: &&'static Action| {
        let name = ["move", "run", "walk"].contains(&v.name);
        name && v.order_text.contains("{to}") && !v.order_text.contains("{at}")
    };
    (rules.verbs)().into_iter().filter(is_walk).collect()
}

/// The first letter of a name that nothing else has, or any other; after the
/// last letter, signs that are on no keyboard.
fn free_letter(name: &str, all: &[Button]) -> char {
    let own = name.chars().filter(char::is_ascii_lowercase);
    let mut letters = own.chain('a'..='z').chain('\u{E000}'..='\u{E0FF}');
    let is_free = |c: &char| !TAKEN.contains(*c) && all.iter().all(|b| b.key != *c);
    letters.find(is_free).unwrap_or('\u{E0FF}')
}

/// A sign for an act of which no more than its name is known.
fn guess(name: &str) -> Icon {
    const SIGNS: &[(&[&str], Icon)] = &[
        (&["shoot", "fire", "missile"], Icon::Shoot),
        (&["throw", "hurl"], Icon::Throw),
        (&["charge"], Icon::Charge),
        (&["swarm"], Icon::Swarm),
        (&["snap"], Icon::Snap),
        (&["screen"], Icon::Screen),
        (&["parry"], Icon::Parry),
        (&["defen"], Icon::TotalDefense),
        (&["strike", "attack", "melee", "execute"], Icon::Strike),
        (&["withdraw", "disengage"], Icon::Disengage),
        (&["move", "walk", "run", "drag"], Icon::Move),
        (&["cast", "spell"], Icon::Spell),
        (&["hold", "delay", "wait", "act now"], Icon::Hold),
        (&["flee", "leave"], Icon::Fleeing),
        (&["stand", "rise"], Icon::Stand),
        (&["prone", "crawl"], Icon::Prone),
        (&["shove"], Icon::Shove),
        (&["grapple", "release", "break"], Icon::Grapple),
        (
            &["aid", "bind", "heal", "stabil", "stanch", "help"],
            Icon::Aid,
        ),
        (&["open", "close", "door"], Icon::Door),
        (&["pick", "take"], Icon::PickUp),
        (&["load", "nock"], Icon::Reload),
        (&["intimid", "parley", "talk"], Icon::Intimidate),
        (
            &["ready", "stow", "draw", "sheathe", "drop", "change"],
            Icon::Gear,
        ),
        (&["aim"], Icon::Aim),
        (&["climb"], Icon::Climb),
        (&["look", "percep", "search", "stalk"], Icon::Eye),
        (&["nothing", "done", "pass"], Icon::Pass),
    ];
    let found = SIGNS.iter().find(|s| s.0.iter().any(|w| name.contains(w)));
    found.map_or(Icon::ArrowRight, |s| s.1)
}
