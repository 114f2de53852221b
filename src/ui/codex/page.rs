//! The look of the open codex: the list on the left, the entry on the right.

use super::{CodexCommand, CodexState, THIS_LEVEL, books, prose, rule_link};
use crate::ui::widgets::SendOnPress;
use crate::{
    content::codex::{Codex, RuleEntry},
    ui::{
        Phase, Profile,
        art::{hud::Panel, palette},
        entry::entry,
        input::FollowsFocus,
        modal::{self, spawn_modal},
        profile::AutoReactions,
        scrollbars::{InSight, scroll_by_page},
        theme::{TextStyle, body_text, colour, faded, heading_text, text},
        widgets::{
            Filled, NodeExt, Skin, SpawnWith, button, card, column, fill_height, list_node,
            message_button, panel_button, panel_style, refill, rigid, row, rule, spacer,
            wide_column, wrapping_row,
        },
    },
};
use bevy::{
    input_focus::AutoFocus,
    prelude::*,
    text::{EditableText, TextEdit, TextEditChange},
    ui_widgets::ScrollArea,
};

pub(super) fn plugin(app: &mut App) {
    app.add_observer(on_search_typed);
    app.add_systems(
        Update,
        scroll_by_page::<EntryPage>
            .in_set(Phase::Input)
            .run_if(modal::is_top::<CodexModal>),
    );
    app.add_systems(
        Update,
        (lay_out, tabs, list, update_page, highlight_open_row)
            .chain()
            .in_set(Phase::Draw)
            .run_if(resource_changed::<CodexState>.or_else(resource_changed::<Profile>)),
    );
}

/// The open codex, over everything.
#[derive(Component)]
pub struct CodexModal;

#[derive(Component)]
struct SearchField;

#[derive(Component)]
struct Tabs;

/// The list of entries.
#[derive(Component)]
struct List;

/// A row of the list, with its rule id.
#[derive(Component)]
struct ListRow(&'static str);

/// The page on the right.
#[derive(Component)]
struct EntryPage;

#[derive(PartialEq)]
enum PageContent {
    Entry(&'static RuleEntry),
    AutoReactions(AutoReactions),
}

fn lay_out(
    state: Res<CodexState>,
    shown: Query<Entity, With<CodexModal>>,
    mut fields: Query<&mut EditableText, With<SearchField>>,
    mut commands: Commands,
) {
    match (state.is_open, shown.iter().next()) {
        (false, Some(modal)) => return commands.entity(modal).despawn(),
        (true, None) => {}
        _ => {
            // A link may have cleared the search.
            for mut field in &mut fields {
                if state.search.is_empty() && !field.value().to_string().is_empty() {
                    field.queue_edit(TextEdit::SelectAll);
                    field.queue_edit(TextEdit::Delete);
                }
            }
            return;
        }
    }
    let book = card()
        .size(980.0, 640.0)
        .max_width(percent(94))
        .max_height(percent(94))
        .row_gap(6.0);
    let book = (book, panel_style(Panel::CardLight));
    spawn_modal(&mut commands, ("Codex", 60), CodexModal, book, |book| {
        head(book, &state)
    });
}

fn head(book: &mut ChildSpawnerCommands, state: &CodexState) {
    book.spawn_with(rigid(row(12.0)), |top| {
        top.spawn(heading_text("Codex"));
        let any = |c: char| !c.is_control();
        let field = entry("Search the rules", &state.search, 300.0, MAX_SEARCHED, any);
        top.spawn((SearchField, AutoFocus, field));
        top.spawn(faded("search"));
        top.spawn(spacer());
        message_button(top, "Back", CodexCommand::Back);
        let close = ("Close (Esc)", Panel::ButtonPrimary);
        panel_button(top, close, CodexCommand::Close);
    });
    book.spawn((Tabs, rigid(wrapping_row(6.0, 4.0)), Pickable::IGNORE));
    book.spawn(rule());
    let body = fill_height(default()).column_gap(18.0);
    book.spawn_with(body, |body| {
        let node = Node {
            padding: UiRect::right(px(6)),
            ..rigid(column(3.0).width(percent(36)).scrolling())
        };
        body.spawn((List, ScrollArea, node));
        body.spawn((EntryPage, ScrollArea, wide_column(8.0).scrolling()));
    });
    let words = "Type to search. Up and Down: choose. F1 or Esc: close.";
    book.spawn(faded(words));
}

/// Most characters of a search.
const MAX_SEARCHED: usize = 60;

fn on_search_typed(
    on: On<TextEditChange>,
    fields: Query<&EditableText, With<SearchField>>,
    state: Res<CodexState>,
    mut out: MessageWriter<CodexCommand>,
) {
    if let Ok(field) = fields.get(on.event_target()) {
        let words = field.value().to_string();
        if words != state.search {
            out.write(CodexCommand::Search(words));
        }
    }
}

fn tabs(state: Res<CodexState>, tabs: Query<Entity, With<Tabs>>, mut commands: Commands) {
    for tabs in &tabs {
        let mut tabs = commands.entity(tabs);
        tabs.despawn_children().with_children(|tabs| {
            for (n, (name, _)) in books().enumerate() {
                if name == THIS_LEVEL && state.own.is_empty() {
                    continue;
                }
                let panel = Panel::Card.active_if(n == state.book);
                panel_button(tabs, (name, panel), CodexCommand::Book(n));
            }
            tabs.spawn(spacer());
            let panel = Panel::Card.active_if(state.auto_reactions);
            panel_button(tabs, ("Your reactions", panel), CodexCommand::AutoReactions);
        });
    }
}

fn list(
    state: Res<CodexState>,
    list: Single<Entity, With<List>>,
    mut shown: Local<Filled<(usize, String)>>,
    mut commands: Commands,
) {
    let now = (*list, (state.book, state.search.clone()));
    let is_new = refill(&mut commands, now, &mut shown, |list, _| {
        let rules = state.list();
        if rules.is_empty() {
            let words = match state.found().count() {
                0 => String::from("No rule contains all these words."),
                n => format!("No match in this book. There are {n} under All."),
            };
            list.spawn(faded(words));
        }
        rules.iter().for_each(|rule| list_row(list, rule));
    });
    if is_new {
        commands.entity(*list).insert(ScrollPosition::default());
    }
}

fn list_row(list: &mut ChildSpawnerCommands, rule: &'static RuleEntry) {
    let node = list_node(28.0, 8.0).padding(8.0, 2.0);
    let parts = (
        ListRow(&rule.id),
        FollowsFocus,
        SendOnPress(CodexCommand::Open(Some(&rule.id))),
        button(Panel::Card, node),
    );
    list.spawn_with(parts, |line| {
        let id = text(rule.id.clone(), TextStyle::Small, palette::LINK);
        let place = rigid(Node::default().min_width(px(58)));
        line.spawn((place, children![id]));
        line.spawn(text(rule.title.clone(), TextStyle::Label, palette::INK));
    });
}

/// Highlights the row of the open entry and requests that it be scrolled into view.
fn highlight_open_row(
    state: Res<CodexState>,
    mut rows: Query<(Entity, &ListRow, &mut Skin, &mut BorderColor)>,
    mut commands: Commands,
) {
    for (entity, row, mut skin, mut line) in &mut rows {
        let is_open = state.entry.is_some_and(|e| e.id == row.0);
        let (panel, ink) = match is_open {
            true => (Panel::CardActive, palette::GOLD),
            false => (Panel::Card, palette::ROCK),
        };
        skin.set_if_neq(Skin(panel));
        line.set_if_neq(BorderColor::all(colour(ink)));
        if is_open {
            commands.entity(entity).insert(InSight::default());
        }
    }
}

fn update_page(
    state: Res<CodexState>,
    profile: Res<Profile>,
    page: Single<Entity, With<EntryPage>>,
    mut shown: Local<Filled<Option<PageContent>>>,
    mut commands: Commands,
) {
    let content = match state.auto_reactions {
        true => Some(PageContent::AutoReactions(profile.auto_reactions.clone())),
        false => state.page().map(PageContent::Entry),
    };
    let has_reactions = matches!(&*shown, Some((_, Some(PageContent::AutoReactions(_)))));
    let now = (*page, content);
    let is_new = refill(
        &mut commands,
        now,
        &mut shown,
        |page, content| match content {
            Some(PageContent::Entry(rule)) => show(page, rule),
            Some(PageContent::AutoReactions(all)) => super::auto_reactions::show(page, all),
            None => {}
        },
    );
    // A page that only changes keeps its scroll position.
    if is_new && !(has_reactions && state.auto_reactions) {
        commands.entity(*page).insert(ScrollPosition::default());
    }
}

fn show(page: &mut ChildSpawnerCommands, entry: &RuleEntry) {
    let head = row(10.0).align(AlignItems::Baseline);
    page.spawn_with(head, |head| {
        head.spawn(heading_text(entry.title.clone()));
        head.spawn(spacer());
        head.spawn(text(entry.id.clone(), TextStyle::Strong, palette::LINK));
    });
    page.spawn(rule());
    prose(page, &entry.text, TextStyle::Body, palette::INK);
    let codex = Codex::built_in();
    let lists = [
        ("See also", codex.rules_in(&entry.text).collect()),
        ("Used by", codex.that_name(&entry.id)),
    ];
    for (words, mut rules) in lists {
        rules.retain(|r: &&RuleEntry| r.id != entry.id);
        rules.dedup();
        if rules.is_empty() {
            continue;
        }
        page.spawn(rule());
        page.spawn(faded(words));
        for other in rules {
            page.spawn_with(row(8.0), |line| {
                let id = Node::default().min_width(px(58));
                line.spawn_with(id, |id| rule_link(id, &other.id));
                line.spawn(body_text(other.title.clone()));
            });
        }
    }
}
