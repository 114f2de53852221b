//! The strip under the board in rulesets that plan first: presets, repeat, fallback and replay. It
//! stays for the whole battle so that the board does not move.

use crate::ui::{
    Selection, Session,
    art::{
        hud::Panel,
        palette::{self, Rgb},
    },
    input::Key,
    preview::{Offers, Presets},
    selection::Command,
    theme::{TextStyle, text},
    widgets::{Filled, NodeExt, SendOnPress, Tip, TipsAbove, button, hint, refill},
};
use bevy::prelude::*;

#[derive(Component, Default)]
#[require(TipsAbove)]
pub struct PlanStrip;

impl PlanStrip {
    /// Least height in layout pixels.
    pub const MIN: f32 = 32.0;
}

/// A button of the strip.
#[derive(PartialEq)]
pub struct StripSlot {
    words: String,
    key: Option<Key>,
    sends: Command,
    /// What the board shows while the button is hovered.
    offers: Option<Offers>,
    is_open: bool,
    /// Whether the tooltip says why it can't be used. Without a reason, a button that can't be used is
    /// hidden.
    says_why_not: bool,
    tip: Tip,
}

impl StripSlot {
    fn new(words: &str, key: Key, sends: Command, explained: &str) -> Self {
        Self {
            key: Some(key),
            tip: Tip::text(explained).key(key),
            ..Self::without_key(words, sends, explained)
        }
    }

    fn without_key(words: &str, sends: Command, explained: &str) -> Self {
        Self {
            words: words.to_owned(),
            key: None,
            sends,
            offers: None,
            is_open: true,
            says_why_not: false,
            tip: Tip::text(explained),
        }
    }

    fn open(self, is_open: bool) -> Self {
        Self { is_open, ..self }
    }

    fn offers(self, offers: Offers) -> Self {
        Self {
            offers: Some(offers),
            ..self
        }
    }

    fn line(self, words: &str, ink: Rgb) -> Self {
        let tip = self.tip.line(words, TextStyle::Small, ink);
        Self { tip, ..self }
    }
}

const SKIPS: &str = "An order that is no longer possible is left out.";

fn model(session: &Session, selection: &Selection, presets: &Presets) -> Vec<StripSlot> {
    let declares = session.is_declaring();
    let chosen = selection.chosen.map(|id| session.shown().unit(id));
    let name = chosen.map_or(String::from("No unit"), |unit| unit.name.clone());
    let mut slots = vec![];
    // Hidden buttons keep their space, so that the board does not move.
    let repeat = |all, words: &str, explained: &str, is_open: bool| {
        let key = if all { Key::RepeatAll } else { Key::Repeat };
        let sends = Command::Repeat { all };
        match is_open {
            true => StripSlot::new(words, key, sends, explained).open(declares),
            false => StripSlot::without_key(words, sends, explained).open(false),
        }
    };
    let suggest = |all, words: &str, explained: &str| {
        let key = if all { Key::SuggestAll } else { Key::Suggest };
        StripSlot::new(words, key, Command::Suggest { all }, explained).open(declares)
    };
    let words = format!("{name}: give a sensible order");
    slots.push(suggest(false, "Suggest", &words).offers(Offers::Suggested));
    let words = "Give a sensible order to every unit without one";
    slots.push(suggest(true, "Suggest all", words));
    for (n, usual) in session.queries.ruleset_ui.presets.iter().enumerate() {
        let (key, sends) = (Key::Preset(n as u8), Command::Preset(n));
        let slot = StripSlot::new(usual.name, key, sends, usual.help).offers(Offers::Preset(n));
        slots.push(match presets.drafts.get(n) {
            Some(Ok(draft)) => {
                let order = draft.intent.label.to_lowercase();
                slot.line(&format!("{}: {order}", usual.name), palette::TEAL)
            }
            Some(Err(why)) => StripSlot {
                says_why_not: true,
                ..slot.line(why, palette::DANGER).open(false)
            },
            None => slot.open(false),
        });
    }
    if let Some(unit) = chosen {
        let words = format!("On failure: {}", session.fallback(unit.id).words());
        let help = format!("What {name} does if the plan fails. Click to change");
        let sends = Command::Otherwise;
        slots.push(StripSlot::new(&words, Key::Otherwise, sends, &help));
    }
    let repeats = selection.chosen.is_some_and(|who| session.has_ordered(who));
    let words = format!("{name}: repeat the last order");
    let again = repeat(false, "Repeat", &words, repeats);
    slots.push(again.line(SKIPS, palette::FADED_INK).offers(Offers::Again));
    let repeats_all = session.has_any_ordered();
    let words = "Repeat the last order of every unit without one";
    let again = repeat(true, "Repeat all", words, repeats_all);
    slots.push(again.line(SKIPS, palette::FADED_INK));
    let watch = "Replay the last round from its start";
    let watch = StripSlot::new("Replay", Key::Rewatch, Command::Rewatch, watch);
    slots.push(watch.open(session.can_rewatch()));
    slots
}

pub(super) fn refresh(
    session: Res<Session>,
    selection: Res<Selection>,
    presets: Res<Presets>,
    strip: Single<Entity, With<PlanStrip>>,
    mut shown: Local<Filled<Vec<StripSlot>>>,
    mut commands: Commands,
) {
    let now = (*strip, model(&session, &selection, &presets));
    refill(&mut commands, now, &mut shown, |strip, slots| {
        slots.iter().for_each(|slot| show(strip, slot));
    });
}

fn show(strip: &mut ChildSpawnerCommands, slot: &StripSlot) {
    let panel = Panel::Button.pale_if(!slot.is_open);
    let node = Node::default()
        .min_height(px(PlanStrip::MIN - 2.0))
        .column_gap(5.0)
        .padding(8.0, 1.0);
    let parts = (SendOnPress(slot.sends.clone()), slot.tip.clone());
    let mut button = strip.spawn((button(panel, node), parts));
    if !slot.is_open && !slot.says_why_not {
        button.insert(Visibility::Hidden);
    }
    if let Some(offers) = slot.offers.filter(|_| slot.is_open) {
        button.insert(offers);
    }
    button.with_children(|inside| {
        inside.spawn(text(slot.words.clone(), TextStyle::Label, panel.text()));
        // The others name their key only in the tooltip.
        if let Some(key) = slot.key.filter(|_| slot.offers.is_some()) {
            inside.spawn(hint(key, palette::FADED_INK));
        }
    });
}
