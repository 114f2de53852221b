//! The codex in the game: every rule in words, from the same data as the rules. It opens over any
//! screen.
//!
//! - `auto_reactions`: the page for automatic reactions
//! - `link`: rule ids that open their entries
//! - `page`: the look of the open codex
//! - this file: the open entry and the search

mod auto_reactions;
mod link;
mod page;

pub use link::{Opens, RuleOf, prose, rule_link};
pub use page::CodexModal;

use super::{ActionPreview, Phase, Selection, Session, input::Key, modal, widgets::Tip};
use crate::ui::widgets::send_on_press;
use crate::{
    content::codex::{Codex, OF_LEVELS, RuleEntry},
    rulesets::ALL,
};
use bevy::{picking::hover::Hovered, prelude::*};
use std::sync::{Mutex, PoisonError};

pub(super) fn plugin(app: &mut App) {
    app.init_resource::<CodexState>()
        .add_message::<CodexCommand>();
    app.add_plugins((link::plugin, page::plugin));
    app.add_observer(send_on_press::<CodexCommand>);
    app.add_systems(
        Update,
        (
            take_in.in_set(Phase::Input).run_if(
                resource_exists_and_changed::<Session>.or_else(resource_removed::<Session>),
            ),
            (ask, keys.run_if(modal::is_top::<CodexModal>)).in_set(Phase::Input),
            apply_consults
                .in_set(Phase::Commands)
                .run_if(on_message::<CodexCommand>),
        ),
    );
}

/// A request to the codex.
#[derive(Message, Clone, PartialEq, Debug)]
pub enum CodexCommand {
    /// Open it at a rule; with `None`, at the last entry if it is in the chosen book.
    Open(Option<&'static str>),
    Close,
    /// List only one book, by its index in [`books`]; 0 is all.
    Book(usize),
    /// Show the page for automatic reactions.
    AutoReactions,
    Search(String),
    /// Return to the previous entry.
    Back,
    /// Move this many entries down the list.
    Down(isize),
}

/// Name of the book with the rules that only the current level has.
pub const THIS_LEVEL: &str = "This level";

/// The books and the rule-id prefix of each: all rules, the grid, one for each ruleset, the
/// opponents, and the level.
pub fn books() -> impl Iterator<Item = (&'static str, &'static str)> {
    let shared = [("All", ""), ("Grid", "GR")];
    let own = ALL.iter().map(|r| (r.id, r.rule_prefix));
    let others = [("Opponents", "OP"), (THIS_LEVEL, OF_LEVELS)];
    shared.into_iter().chain(own).chain(others)
}

/// State of the codex: open entry, search, history.
#[derive(Resource, Debug, Default)]
pub struct CodexState {
    pub is_open: bool,
    /// Index in [`books`].
    pub book: usize,
    pub search: String,
    pub entry: Option<&'static RuleEntry>,
    /// Shows the page for automatic reactions in place of an entry.
    pub auto_reactions: bool,
    /// Rules that only the current level has.
    pub own: Vec<&'static RuleEntry>,
    /// The id of the ruleset in play; its book is chosen when a battle begins.
    rules: Option<&'static str>,
    before: Vec<&'static RuleEntry>,
}

impl CodexState {
    /// The listed entries: those of the book that match the search, best first.
    pub fn list(&self) -> Vec<&'static RuleEntry> {
        let prefix = books().nth(self.book).map_or("", |book| book.1);
        let fits = self.found().filter(|r| r.id.starts_with(prefix));
        fits.collect()
    }

    /// The open entry; `None` while a search finds nothing, so that no page stands beside an
    /// empty list.
    fn page(&self) -> Option<&'static RuleEntry> {
        let is_found = self.search.is_empty() || !self.list().is_empty();
        self.entry.filter(|_| is_found)
    }

    /// The entries of all books that match the search.
    fn found(&self) -> impl Iterator<Item = &'static RuleEntry> {
        let own = self.own.iter().copied();
        let own = own.filter(|r| r.has_words(&self.search));
        own.chain(Codex::built_in().search(&self.search))
    }

    /// A rule by its id, from the current level or the game; `None` if there is none.
    pub fn rule(&self, id: &str) -> Option<&'static RuleEntry> {
        let mut own = self.own.iter().copied();
        own.find(|rule| rule.id.eq_ignore_ascii_case(id.trim()))
            .or_else(|| Codex::built_in().rule(id))
    }

    /// The index in [`books`] of the ruleset in play; all books if there is none.
    fn usual_book(&self) -> usize {
        let is_it = |book: (&str, &str)| Some(book.0) == self.rules;
        books().position(is_it).unwrap_or(0)
    }

    /// Opens the first listed entry if the open one is not in the list.
    fn turn_to_listed(&mut self) {
        let list = self.list();
        let first = list.first();
        let first = first.filter(|_| !list.iter().any(|r| Some(*r) == self.entry));
        if let Some(first) = first {
            self.turn_to(first);
        }
    }

    fn turn_to(&mut self, rule: &'static RuleEntry) {
        if self.entry == Some(rule) {
            return;
        }
        self.before.extend(self.entry);
        self.entry = Some(rule);
    }

    fn apply(&mut self, consult: &CodexCommand) {
        self.auto_reactions = *consult == CodexCommand::AutoReactions;
        match consult {
            CodexCommand::AutoReactions => self.is_open = true,
            CodexCommand::Open(id) => {
                let rule = id.and_then(|id| self.rule(id));
                if let Some(rule) = rule {
                    self.turn_to(rule);
                    // The list must contain the open entry.
                    if !self.is_open || !self.list().contains(&rule) {
                        self.search.clear();
                        let of = |book: (&str, &str)| rule.id.starts_with(book.1);
                        let own = books().skip(1).position(of).map_or(0, |n| n + 1);
                        self.book = if self.book == 0 { 0 } else { own };
                    }
                } else {
                    self.turn_to_listed();
                }
                self.is_open = true;
            }
            CodexCommand::Close => self.is_open = false,
            CodexCommand::Book(book) => {
                self.book = *book;
                self.turn_to_listed();
            }
            CodexCommand::Search(words) => {
                self.search.clone_from(words);
                if let Some(first) = self.list().first().filter(|_| !words.is_empty()) {
                    self.entry = Some(first);
                }
            }
            // First back to the page that a search without matches took away.
            CodexCommand::Back if self.page().is_none() => self.search.clear(),
            CodexCommand::Back => self.entry = self.before.pop().or(self.entry),
            CodexCommand::Down(by) => {
                let list = self.list();
                let now = list.iter().position(|r| Some(*r) == self.entry);
                let next = match now {
                    Some(now) => now.saturating_add_signed(*by),
                    None => 0,
                };
                if let Some(rule) = list.get(next.min(list.len().saturating_sub(1))) {
                    self.entry = Some(rule);
                }
            }
        }
        if self.entry.is_none() {
            self.entry = self.list().first().copied();
        }
    }
}

/// Chooses the book of the ruleset of a new battle. Adds the rules of the current level to the
/// codex and removes those of earlier levels.
fn take_in(mut shelf: ResMut<CodexState>, session: Option<Res<Session>>) {
    let ruleset = session.as_ref().map(|session| session.game.rules().id);
    if shelf.rules != ruleset {
        shelf.rules = ruleset;
        shelf.book = shelf.usual_book();
    }
    let rules = session.as_ref().map(|session| &session.game.level().codex);
    let rules = rules.map_or(&[][..], |rules| &rules[..]);
    if std::iter::zip(rules, &shelf.own).all(|(a, b)| a == *b) && rules.len() == shelf.own.len() {
        return;
    }
    shelf.own = rules.iter().map(leaked).collect();
    let own = shelf.own.clone();
    let is_gone = |rule: &RuleEntry| rule.id.starts_with(OF_LEVELS) && !own.contains(&rule);
    shelf.before.retain(|rule| !is_gone(rule));
    shelf.entry = shelf.entry.filter(|rule| !is_gone(rule));
    let of_level = books().position(|book| book.0 == THIS_LEVEL);
    if own.is_empty() && Some(shelf.book) == of_level {
        shelf.book = shelf.usual_book();
    }
}

/// An equal rule with static lifetime, leaked once: a level has few rules.
fn leaked(rule: &RuleEntry) -> &'static RuleEntry {
    static ALL: Mutex<Vec<&'static RuleEntry>> = Mutex::new(vec![]);
    let mut all = ALL.lock().unwrap_or_else(PoisonError::into_inner);
    let found = all.iter().copied().find(|known| *known == rule);
    found.unwrap_or_else(|| {
        let rule: &'static RuleEntry = Box::leak(Box::new(rule.clone()));
        all.push(rule);
        rule
    })
}

fn apply_consults(mut shelf: ResMut<CodexState>, mut consults: MessageReader<CodexCommand>) {
    for consult in consults.read() {
        shelf.apply(consult);
    }
}

/// The codex key opens the rule of the hovered row or tooltip, the open menu, the armed action, or
/// the last toast.
fn ask(
    keys: Res<ButtonInput<Key>>,
    shelf: Res<CodexState>,
    (rows, tips): (Query<(&RuleOf, &Hovered)>, Query<(&Tip, &Hovered)>),
    preview: Res<ActionPreview>,
    selection: Res<Selection>,
    mut out: MessageWriter<CodexCommand>,
) {
    if !keys.just_pressed(Key::Codex) {
        return;
    }
    if shelf.is_open {
        out.write(CodexCommand::Close);
        return;
    }
    let codex = Codex::built_in();
    let row = rows.iter().find(|(_, hovered)| hovered.get());
    let of_row = row.and_then(|(rule, _)| codex.rule(rule.0));
    let hovered = tips.iter().filter(|(_, hovered)| hovered.get());
    let lines = hovered.flat_map(|(tip, _)| &tip.0);
    let of_tip = || lines.filter_map(|line| codex.rule(&line.text)).last();
    let of_menu = || codex.rule(preview.menu.as_ref()?.rule);
    let of_word = || {
        let word = &selection.toast.as_ref()?.text;
        codex.rules_in(word).last()
    };
    let of_act = || codex.rule(preview.acts.iter().find(|a| a.is_on)?.rule);
    let rule = of_row.or_else(of_tip).or_else(of_menu).or_else(of_act);
    let rule = rule.or_else(of_word);
    out.write(CodexCommand::Open(rule.map(|r| r.id.as_str())));
}

fn keys(
    keys: Res<ButtonInput<Key>>,
    time: Res<Time>,
    mut repeat: Local<super::input::Repeat>,
    mut out: MessageWriter<CodexCommand>,
) {
    if keys.just_pressed(Key::Back) {
        out.write(CodexCommand::Close);
    }
    let (_, south) = super::input::arrows(&keys, &time, &mut repeat);
    if south != 0 {
        out.write(CodexCommand::Down(south.into()));
    }
}
