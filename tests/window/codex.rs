//! The codex in the window: opening, searching, following links.

use super::kit::game::Game;
use bevy::prelude::{ComputedNode, KeyCode, UiGlobalTransform, With, Without};
use fivefoot::{
    battle::Id,
    levels,
    ui::{
        Command, Options, Screen, Session,
        auto_reactions::SetAutoReaction,
        codex::{CodexCommand, CodexModal, CodexState, Opens, books},
        preview::Click,
        profile::AutoReaction,
        screens::title::TitleChoices,
        widgets::{SendOnPress, Tip},
    },
};

fn shelf(game: &Game) -> &CodexState {
    game.app.world().resource::<CodexState>()
}

fn open_entry(game: &Game) -> &'static str {
    &shelf(game).entry.expect("an entry").id
}

fn is_shown(game: &mut Game) -> bool {
    let world = game.app.world_mut();
    let mut modals = world.query_filtered::<(), With<CodexModal>>();
    modals.iter(world).count() == 1
}

/// The first level, at the player's first turn.
fn battle() -> Game {
    let mut game = Game::battle(levels::built_in()[0].clone(), None, 2);
    game.until_own_turn();
    game
}

#[test]
fn the_codex_opens_over_the_title_and_is_searched_by_typing() {
    let mut game = Game::new(Options {
        seed: Some(2),
        ..Options::default()
    });
    game.press(KeyCode::F1);
    assert!(is_shown(&mut game));
    game.type_text("second surprise");
    assert_eq!(shelf(&game).search, "second surprise");
    assert!(!shelf(&game).list().is_empty());
    for rule in shelf(&game).list() {
        let all = format!("{} {}", rule.title, rule.text).to_lowercase();
        assert!(all.contains("second") && all.contains("surprise"), "{all}");
    }
    // Only the codex receives typed letters: the title screen still has seed 2, which the
    // letter R would have changed.
    game.press(KeyCode::ArrowDown);
    game.press(KeyCode::Escape);
    assert!(!is_shown(&mut game));
    assert_eq!(game.screen(), Screen::Title);
    assert_eq!(game.app.world().resource::<TitleChoices>().seed, 2);
}

/// A search without matches shows no page, and Back returns to the one before it.
#[test]
fn a_search_without_matches_shows_no_page() {
    let mut game = battle();
    game.press(KeyCode::F1);
    let title = shelf(&game).entry.expect("an entry").title.clone();
    let shows = |game: &mut Game| game.words().contains(&title);
    assert!(shows(&mut game), "{title}");
    game.type_text("xyzzy");
    game.wait(3);
    assert!(game.says("No rule contains all these words."));
    assert!(!shows(&mut game), "{title}");
    game.send(CodexCommand::Back, 3);
    assert!(shows(&mut game), "{title}");
}

/// Without a link, a battle's codex opens on the rules of its ruleset. A link leads to any book.
#[test]
fn in_a_battle_the_codex_opens_on_its_ruleset() {
    let mut game = battle();
    let open = |game: &mut Game, rule| {
        game.send(CodexCommand::Open(rule), 3);
        books().nth(shelf(game).book).expect("a book")
    };
    let rules = game.session().game.rules();
    assert_eq!(open(&mut game, None), (rules.id, rules.rule_prefix));
    assert!(open_entry(&game).starts_with(rules.rule_prefix));
    game.press(KeyCode::Escape);
    assert_eq!(open(&mut game, Some("GR-22")).1, "GR");
    assert_eq!(open_entry(&game), "GR-22");
}

#[test]
fn a_title_finds_its_rule_first_and_a_book_filters_the_list() {
    let mut game = battle();
    game.press(KeyCode::F1);
    game.type_text("total defense");
    assert_eq!(open_entry(&game), "SK-17");
    game.click_on::<SendOnPress<CodexCommand>>("the tab of the grid", |asks| {
        asks.0 == CodexCommand::Book(1)
    });
    assert!(shelf(&game).list().iter().all(|r| r.id.starts_with("GR")));
    // If a book has no matches, the list shows how many the others have.
    game.type_text(" shock");
    game.wait(2);
    assert_eq!(shelf(&game).list().len(), 0);
    assert!(game.says("No match in this book. "));
}

#[test]
fn a_click_on_a_modifiers_rule_opens_its_entry_and_the_battle_waits() {
    let mut game = battle();
    // Find a unit that can attack an enemy.
    let ids: Vec<Id> = game
        .session()
        .shown()
        .members(game.session().player())
        .map(|p| p.id)
        .collect();
    let enemies = game.enemies();
    let mut rule = None;
    'search: for id in ids {
        game.click_button(&Command::Choose(id));
        for &cell in &enemies {
            game.point(game.screen_point(cell));
            if let Click::Attack(attack) = &game.preview().click
                && let Some(modifier) = attack.modifiers.first()
            {
                rule = Some(modifier.rule);
                break 'search;
            }
        }
    }
    let rule = rule.expect("a unit can be hit");
    // Pin the card, so that the pointer can reach it.
    let at = game.selection().cursor.expect("a cell is pointed at");
    game.click_cell_with(KeyCode::ControlLeft, at);
    game.click_on::<Opens>(rule, |link| link.0 == rule);
    assert!(is_shown(&mut game));
    assert_eq!(open_entry(&game), rule);
    assert_eq!(game.selection().cursor, Some(at));
    // Keys of the battle do nothing, and Esc closes only the codex.
    game.press(KeyCode::KeyE);
    assert!(game.session().is_players_turn() && !game.selection().confirming_end);
    game.press(KeyCode::Escape);
    assert!(!is_shown(&mut game));
}

/// The list scrolls to the entry that a link opened.
#[test]
fn the_list_scrolls_to_the_open_entry() {
    let mut game = battle();
    let world = game.app.world_mut();
    world.write_message(CodexCommand::Open(Some("SK-70")));
    game.wait(4);
    assert_eq!(open_entry(&game), "SK-70");
    let place = |game: &mut Game, of: &'static str| {
        let row = CodexCommand::Open(Some(of));
        game.find::<SendOnPress<CodexCommand>>(|asks| asks.0 == row)
            .expect("its row")
    };
    let row = place(&mut game, "SK-70");
    assert!((100.0..640.0).contains(&row.y), "{row}");
}

#[test]
fn links_within_an_entry_lead_to_others_and_back() {
    let mut game = battle();
    game.press(KeyCode::F1);
    game.type_text("attacks of opportunity");
    assert_eq!(open_entry(&game), "SK-06");
    game.click_span::<Opens>("the link to Run", |link| link.0 == "SK-18");
    assert_eq!(open_entry(&game), "SK-18");
    game.click_on::<SendOnPress<CodexCommand>>("Back", |asks| asks.0 == CodexCommand::Back);
    assert_eq!(open_entry(&game), "SK-06");
}

#[test]
fn the_reason_for_a_blocked_action_links_to_its_rule() {
    let mut game = battle();
    let act = game.preview().acts.iter().find(|a| a.why_not.is_some());
    let act = act.expect("something cannot be done").clone();
    let why = act.why_not.expect("it was looked for");
    // By a click: the toast contains the link.
    game.act(act.key);
    assert!(game.says(&why.text) || game.says(&format!("{}: ", act.label)));
    game.click_span::<Opens>(why.rule, |link| link.0 == why.rule);
    assert_eq!(open_entry(&game), why.rule);
    game.press(KeyCode::Escape);
    // By the key, while the pointer is on the action's row in the list of all actions.
    game.press(KeyCode::KeyQ);
    game.wait(3);
    // Its button in the bar has a tooltip, its row in the list has none.
    let world = game.app.world_mut();
    let mut buttons = world
        .query_filtered::<(&SendOnPress<Command>, &ComputedNode, &UiGlobalTransform), Without<Tip>>(
        );
    let mut rows = buttons.iter(world);
    let row = rows.find(|(sends, ..)| sends.0 == Command::Act(act.key));
    let (_, node, place) = row.expect("its row");
    let place = place.translation * node.inverse_scale_factor;
    let named = |game: &mut Game| game.words().iter().filter(|w| *w == why.rule).count();
    let before = named(&mut game);
    game.point(place);
    game.wait(3);
    assert_eq!(named(&mut game), before, "no tooltip repeats it");
    game.press(KeyCode::F1);
    assert_eq!(open_entry(&game), why.rule);
}

#[test]
fn automatic_reactions_can_be_set_in_the_codex() {
    let mut game = battle();
    game.press(KeyCode::F1);
    game.click_on::<SendOnPress<CodexCommand>>("Your reactions", |asks| {
        asks.0 == CodexCommand::AutoReactions
    });
    let verb = &fivefoot::rulesets::skirmish::OPPORTUNITY;
    let rules = fivefoot::rulesets::find("Skirmish").expect("Skirmish");
    game.click_on::<SetAutoReaction>("never", |s| {
        s.verb == verb && s.auto_reaction == AutoReaction::Never
    });
    let profile = game.app.world().resource::<fivefoot::ui::Profile>();
    assert_eq!(profile.auto_reactions.of(rules, verb), AutoReaction::Never);
}

#[test]
fn the_rules_of_a_level_are_in_the_codex_while_it_is_played() {
    let text = fivefoot_kit::YARD.replacen(
        "(\n",
        "(\n pack: (codex: (codex: {\"LV-01\": (title: \"The well\", text: \"It is deep.\")})),\n",
        1,
    );
    let mut game = Game::battle(fivefoot_kit::level(&text), None, 2);
    game.send(CodexCommand::Open(Some("LV-01")), 3);
    assert_eq!(
        shelf(&game).entry.map(|rule| rule.title.as_str()),
        Some("The well")
    );
    assert!(game.says("It is deep.") && game.says("This level"));
    game.send(CodexCommand::Search("deep well".into()), 3);
    assert_eq!(shelf(&game).list()[0].id, "LV-01");
    // Another battle's codex does not have the level's rules.
    let level = levels::built_in()[0].clone();
    let session = Session::new(&level, fivefoot::rulesets::ALL[0], 2);
    super::kit::shell::show(&mut game, session);
    assert!(shelf(&game).own.is_empty());
    assert!(!game.says("This level"));
}
