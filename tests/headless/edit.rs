//! The level editor's document: on every shipped level, each kind of edit changes only the lines it
//! must and has the intended result.

mod names;

use fivefoot_core::grid::{Axis, Cell, CellGround, Feature, Space};
use fivefoot_core::levels::edit::{
    At, Document, Edge, History,
    lines::{DiffLine, compare, merge},
    new_level,
    units::written_area,
};
use fivefoot_core::levels::{Awareness, LevelDraft, check_file, draft_file};
use fivefoot_kit::{files::beneath, sample};

fn shipped() -> Vec<(String, String)> {
    let all = beneath("levels", "ron");
    assert!(all.len() > 10);
    all
}

fn document(text: &str) -> Document {
    Document::new(text).expect("a level that can be taken apart")
}

fn draft(text: &str) -> LevelDraft {
    draft_file("a.ron", text)
        .made
        .expect("as far as it can be read")
}

/// Number of lines removed and added.
fn changed(old: &str, new: &str) -> (usize, usize) {
    let all = compare(old, new);
    let went = all.iter().filter(|l| matches!(l, DiffLine::Old(_))).count();
    (
        went,
        all.len()
            - went
            - all
                .iter()
                .filter(|l| matches!(l, DiffLine::Same(..)))
                .count(),
    )
}

/// Asserts that the text changed, with at most `most` lines removed and added.
#[track_caller]
fn within(file: &str, old: &str, new: &str, most: (usize, usize)) {
    let (went, came) = changed(old, new);
    assert!(
        went <= most.0 && came <= most.1,
        "{file}: {went} lines went and {came} came\n{new}"
    );
    assert!(old != new, "{file}: nothing changed");
}

#[test]
fn opening_and_saving_changes_no_byte() {
    for (file, text) in shipped() {
        assert_eq!(document(&text).text(), text, "{file}");
        let history = History::new(&text);
        assert!(history.is_saved() && **history.text() == *text, "{file}");
    }
}

#[test]
fn every_unit_is_found_where_the_level_places_it() {
    for (file, text) in shipped() {
        let level = check_file(&file, &text).unwrap().0;
        let units = document(&text).units();
        assert_eq!(units.len(), level.combatants.len(), "{file}");
        for (placed, combatant) in units.iter().zip(&level.combatants) {
            if let Some(cell) = placed.cell {
                assert_eq!(cell, combatant.cell, "{file}: {}", combatant.name);
            }
            assert_eq!(placed.round, combatant.arrives.map(|n| n as i32), "{file}");
        }
    }
}

#[test]
fn painting_a_cell_changes_only_its_row() {
    for (file, text) in shipped() {
        let board = draft(&text).level.board();
        for n in (0..board.width().min(board.height())).step_by(sample(4, 1)) {
            let cell = Cell::new(n as i16, n as i16);
            let mut doc = document(&text);
            let c = if doc.char_at(cell) == Some('=') {
                '.'
            } else {
                '='
            };
            doc.paint(&[(cell, c)]).unwrap();
            within(&file, &text, doc.text(), (1, 1));
            assert_eq!(doc.text().len(), text.len(), "{file}");
            let feature = draft(doc.text())
                .level
                .board()
                .ground(cell)
                .unwrap()
                .feature
                .clone();
            let is_low = feature == Feature::LowWall;
            assert_eq!(is_low, c == '=', "{file}: {cell}");
        }
    }
}

#[test]
fn a_terrain_reuses_its_character_or_gets_a_legend_entry() {
    let window = CellGround {
        floor: 3,
        feature: Feature::Window(Axis::Y),
        ..CellGround::default()
    };
    for (file, text) in shipped() {
        let mut doc = document(&text);
        let c = doc.char_for(&(window.clone(), 0)).unwrap();
        // One added line, plus the brackets if the level has no legend yet.
        within(&file, &text, doc.text(), (1, 4));
        let before = doc.text().to_string();
        assert_eq!(doc.char_for(&(window.clone(), 0)), Ok(c));
        assert_eq!(doc.text(), before);
        doc.paint(&[(Cell::new(0, 0), c)]).unwrap();
        let board = draft(doc.text()).level.board();
        assert_eq!(board.ground(Cell::new(0, 0)), Some(&window), "{file}");
        // Common terrain needs no legend entry.
        for c in ['.', '#', '=', 'o', '+', '/', ',', '~'] {
            let ground = document(&text).char_meanings()[&c].clone();
            let mut doc = document(&text);
            assert!(doc.char_for(&ground).is_ok());
            assert_eq!(doc.text(), text, "{file}: {c}");
        }
    }
}

/// The last free cell in which a unit can stand.
fn free_cell(text: &str) -> Cell {
    let units = document(text).units();
    let board = draft(text).level.board();
    let cells = (0..board.height() as i16)
        .flat_map(|y| (0..board.width() as i16).map(move |x| Cell::new(x, y)));
    let is_free = |c: &Cell| {
        let stands = board.can_stand(Space::one(*c));
        stands && units.iter().all(|p| p.cell != Some(*c))
    };
    cells.rev().find(is_free).unwrap()
}

#[test]
fn every_unit_can_be_moved() {
    for (file, text) in shipped() {
        let to = free_cell(&text);
        let old = draft(&text).level;
        for who in (0..old.combatants.len()).step_by(sample(4, 1)) {
            let mut doc = document(&text);
            let now = doc.move_unit(who, to).unwrap();
            within(&file, &text, doc.text(), (1, 2));
            assert_eq!(doc.units()[now].cell, Some(to), "{file}: {who}");
            let level = draft(doc.text()).level;
            assert_eq!(level.combatants.len(), old.combatants.len(), "{file}");
            let kind =
                |l: &fivefoot_core::levels::Level, n: usize| l.combatants[n].creature.clone();
            assert_eq!(kind(&level, now), kind(&old, who), "{file}: {who}");
            let places = |doc: &Document, but: usize| {
                let units = doc.units().into_iter().enumerate();
                let mut all: Vec<_> = units.filter(|p| p.0 != but).map(|p| p.1.cell).collect();
                all.sort();
                all
            };
            assert_eq!(
                places(&doc, now),
                places(&document(&text), who),
                "{file}: {who}"
            );
        }
    }
}

#[test]
fn units_can_be_removed_split_off_and_copied() {
    for (file, text) in shipped() {
        let to = free_cell(&text);
        let old = draft(&text).level.combatants;
        for who in (0..old.len()).step_by(sample(4, 1)) {
            let mut doc = document(&text);
            doc.remove_unit(who).unwrap();
            let lines = document(&text)
                .raw(&document(&text).units()[who].entry)
                .unwrap()
                .lines()
                .count();
            // A reinforcement wave without units is removed as a whole, with its comments.
            within(&file, &text, doc.text(), (lines.max(1) + 5, 1));
            assert_eq!(doc.units().len(), old.len() - 1, "{file}: {who}");

            let mut doc = document(&text);
            let new = doc.add_like(who, to).unwrap();
            within(&file, &text, doc.text(), (2, 3));
            let now = draft(doc.text()).level.combatants;
            assert_eq!(now.len(), old.len() + 1);
            assert_eq!(now[new].creature, old[who].creature, "{file}: {who}");
            assert_eq!(doc.units()[new].cell, Some(to), "{file}: {who}");

            let mut doc = document(&text);
            if document(&text).units()[who].of > 1 {
                doc.split_off(who, None).unwrap();
                within(&file, &text, doc.text(), (1, 1 + lines.max(1)));
                assert_eq!(doc.units().len(), old.len(), "{file}: {who}");
            }
        }
        let mut doc = document(&text);
        let side = draft(&text).level.sides[1].id.clone();
        let new = doc.add_unit("goblin", &side, to).unwrap();
        within(&file, &text, doc.text(), (1, 2));
        let combatant = &draft(doc.text()).level.combatants[new];
        assert_eq!(
            (combatant.cell, combatant.creature.id.as_str()),
            (to, "goblin")
        );
    }
}

#[test]
fn a_unit_can_become_a_reinforcement_and_return() {
    for (file, text) in shipped() {
        for who in (0..draft(&text).level.combatants.len()).step_by(sample(4, 1)) {
            let mut doc = document(&text);
            let was = doc.units()[who].round;
            let now = doc.set_round(who, Some(9)).unwrap();
            assert_eq!(doc.units()[now].round, Some(9), "{file}: {who}");
            let arrives = draft(doc.text()).level.combatants[now].arrives;
            assert_eq!(arrives, Some(9), "{file}: {who}\n{}", doc.text());
            let back = doc.set_round(now, was).unwrap();
            assert_eq!(doc.units()[back].round, was, "{file}: {who}");
            assert_eq!(doc.units().len(), document(&text).units().len());
        }
    }
}

#[test]
fn a_field_of_any_unit_can_be_set_and_removed() {
    for (file, text) in shipped() {
        let units = document(&text).units();
        for (who, placed) in units.iter().enumerate().step_by(sample(4, 1)) {
            let mut doc = document(&text);
            let at = placed.entry.field("awareness");
            doc.set(&at, "Alert").unwrap();
            within(&file, &text, doc.text(), (1, 1));
            let aware = draft(doc.text()).level.combatants[who].awareness;
            assert_eq!(aware, Awareness::Alert, "{file}: {who}");
            if document(&text).piece(&at).is_none() {
                doc.remove(&at).unwrap();
                assert_eq!(doc.text(), text, "{file}: {who}");
            }

            let hp = placed.entry.field("with").field("skirmish").field("hp");
            let mut doc = document(&text);
            doc.set(&hp, "17").unwrap();
            within(&file, &text, doc.text(), (1, 1));
            assert_eq!(doc.raw(&hp), Some("17"));
            if document(&text).piece(&hp).is_none() {
                doc.remove(&hp).unwrap();
                assert_eq!(doc.text(), text, "{file}: {who}");
            }
        }
    }
}

#[test]
fn changes_to_a_unit_become_a_kind_of_the_level() {
    for (file, text) in shipped() {
        let old = draft(&text).level.combatants;
        for who in (0..old.len()).step_by(3) {
            let mut doc = document(&text);
            let id = doc.own_kind(who).unwrap();
            let read = draft_file(&file, doc.text());
            // A unit without a name is called after its kind, so its name changes too. Only check
            // problems about kinds.
            let of_kind = |p: &&fivefoot_core::ron_read::Problem| p.what.contains("kind");
            assert_eq!(read.problems.iter().find(of_kind), None, "{file}");
            let now = &read.made.unwrap().level.combatants[who];
            assert_eq!(now.creature.id, id, "{file}");
            assert_eq!(
                now.creature.numbers(),
                old[who].creature.numbers(),
                "{file}"
            );
            // A multi-line entry, and the unit that now uses it.
            within(&file, &text, doc.text(), (4, 20));
        }
    }
}

#[test]
fn entries_of_every_list_can_be_added_and_removed() {
    let entries = [
        ("exits", "(at: (0, 0))"),
        ("objectives", "(side: \"party\", goal: Survive(rounds: 4))"),
        ("reinforcements", "(round: 9, combatants: [])"),
        ("sides", "(id: \"third\")"),
        (
            "combatants",
            "(kind: \"mara\", side: \"party\", at: (0, 0))",
        ),
    ];
    for (file, text) in shipped() {
        for (name, entry) in entries {
            let list = At::root().field(name);
            let mut doc = document(&text);
            let before = doc.count(&list);
            doc.push(&list, entry).unwrap();
            within(&file, &text, doc.text(), (1, 5));
            assert_eq!(doc.count(&list), before + 1, "{file}: {name}");
            doc.remove(&list.nth(before)).unwrap();
            let left = changed(&text, doc.text());
            assert!(left <= (1, 1), "{file}: {name}: {left:?}\n{}", doc.text());
            // Removing an entry keeps the text before and after it.
            for n in 0..before {
                let mut doc = document(&text);
                let long = doc.raw(&list.nth(n)).unwrap().lines().count();
                let whole = doc.raw(&list).unwrap().lines().count();
                doc.remove(&list.nth(n)).unwrap();
                let most = if before == 1 { whole + 1 } else { long };
                within(&file, &text, doc.text(), (most, 1));
                assert_eq!(doc.count(&list), before - 1, "{file}: {name} {n}");
            }
        }
        let mut doc = document(&text);
        doc.set(&At::root().field("last_round"), "12").unwrap();
        within(&file, &text, doc.text(), (1, 2));
        assert_eq!(draft(doc.text()).level.last_round, Some(12), "{file}");
        doc.set(&At::root().field("title"), "\"Other\"").unwrap();
        assert_eq!(draft(doc.text()).level.title, "Other", "{file}");
    }
}

#[test]
fn units_stay_in_place_when_the_map_grows_or_shrinks() {
    for (file, text) in shipped() {
        let old = draft(&text).level;
        for (edge, by) in [
            (Edge::North, (0, 1)),
            (Edge::West, (1, 0)),
            (Edge::South, (0, 0)),
            (Edge::East, (0, 0)),
        ] {
            let mut doc = document(&text);
            doc.grow(edge).unwrap();
            let read = draft_file(&file, doc.text());
            assert_eq!(read.problems, vec![], "{file} {edge:?}");
            let level = read.made.unwrap().level;
            for (was, is) in old.combatants.iter().zip(&level.combatants) {
                assert_eq!(is.cell, was.cell.offset(by.0, by.1), "{file} {edge:?}");
            }
            for (was, is) in old.exits.iter().zip(&level.exits) {
                let moved: Vec<Cell> = was.cells.iter().map(|c| c.offset(by.0, by.1)).collect();
                assert_eq!(is.cells, moved, "{file} {edge:?}");
            }
            doc.shrink(edge).unwrap();
            assert_eq!(doc.text(), text, "{file} {edge:?}");
        }
    }
}

#[test]
fn edits_follow_the_style_of_the_file() {
    let text = "(\n    // The ground.\n    map: [ \"..\" ], // small\n    sides: [(id: \"a\"), (id: \"b\")],\n\n    combatants: [\n        (kind: \"mara\", side: \"a\"), // first\n        // Two of them.\n        (kind: \"lin\", /* who? */ side: \"b\", count: 2)\n    ]\n)\n";
    let list = At::root().field("combatants");
    let mut doc = document(text);
    doc.push(&list, "(kind: \"wat\", side: \"b\")").unwrap();
    let wanted = "count: 2),\n        (kind: \"wat\", side: \"b\")\n    ]\n)\n";
    assert!(doc.text().ends_with(wanted), "{}", doc.text());
    doc.insert(&list, 1, "(kind: \"osk\", side: \"a\")")
        .unwrap();
    let wanted = "// first\n        (kind: \"osk\", side: \"a\"),\n        // Two of them.";
    assert!(doc.text().contains(wanted), "{}", doc.text());
    doc.remove(&list.nth(2).field("count")).unwrap();
    assert!(
        doc.text()
            .contains("(kind: \"lin\", /* who? */ side: \"b\"),")
    );
    doc.push(&At::root().field("sides"), "(id: \"c\")").unwrap();
    assert!(
        doc.text()
            .contains("[(id: \"a\"), (id: \"b\"), (id: \"c\")]")
    );
    doc.set(&At::root().field("title"), "\"T\"").unwrap();
    assert!(
        doc.text()
            .contains("(\n    title: \"T\",\n    // The ground.\n"),
        "{}",
        doc.text()
    );
    doc.set(&At::root().field("legend").char_key('x'), "Open")
        .unwrap();
    let wanted = "// small\n    legend: {\n        'x': Open,\n    },\n    sides";
    assert!(doc.text().contains(wanted), "{}", doc.text());
    // A file with CRLF line endings keeps them.
    let mut doc = document(&text.replace('\n', "\r\n"));
    doc.push(&list, "(kind: \"wat\", side: \"b\")").unwrap();
    assert_eq!(
        doc.text().matches('\n').count(),
        doc.text().matches("\r\n").count()
    );
}

#[test]
fn escapes_and_raw_strings_can_be_painted() {
    let mut doc = document("(map: [\"a\\\"b\\u{e9}c\", r#\"x\"yz!\"#])");
    assert_eq!(doc.size(), (5, 2));
    doc.paint(&[
        (Cell::new(4, 0), '.'),
        (Cell::new(1, 0), '#'),
        (Cell::new(2, 1), 'ß'),
    ])
    .unwrap();
    assert_eq!(doc.text(), "(map: [\"a#b\\u{e9}.\", r#\"x\"ßz!\"#])");
    assert_eq!(
        doc.cell_at(doc.place_of(Cell::new(3, 1)).unwrap().from),
        Some(Cell::new(3, 1))
    );
    assert!(doc.paint(&[(Cell::new(0, 0), '"')]).is_err());
}

#[test]
fn a_new_level_has_no_problems() {
    let text = new_level("A \"new\" one", 14, 9);
    let (level, hints) = check_file("new.ron", &text).unwrap();
    assert_eq!((level.title.as_str(), hints), ("A \"new\" one", vec![]));
}

#[test]
fn undo_has_no_limit() {
    let mut history = History::new("0");
    for n in 1..500 {
        history.push(&n.to_string(), format!("step {n}"), None);
    }
    for n in (1..500).rev() {
        assert_eq!(history.undo(), Some(format!("step {n}").as_str()));
    }
    assert!(!history.can_undo() && history.is_saved());
    assert_eq!(history.redo(), Some("step 1"));
    history.push("other", "another way", None);
    assert!(!history.can_redo());
    // Typing letter by letter is one edit until something else is done.
    history.push("o", "a name", Some("name".into()));
    history.push("ol", "a name", Some("name".into()));
    assert_eq!(history.last().0, 3);
    history.undo();
    assert_eq!(&**history.text(), "other");
}

#[test]
fn separate_changes_to_one_file_are_merged() {
    let base = "a\nb\nc\nd\ne\nf\n";
    let mine = "a\nB\nc\nd\ne\nf\n";
    let theirs = "a\nb\nc\nd\ne\nnew\nf\nend\n";
    let wanted = "a\nB\nc\nd\ne\nnew\nf\nend\n";
    assert_eq!(merge(base, mine, theirs).as_deref(), Some(wanted));
    assert_eq!(merge(base, theirs, mine).as_deref(), Some(wanted));
    assert_eq!(merge(base, mine, base).as_deref(), Some(mine));
    assert_eq!(merge(base, mine, mine).as_deref(), Some(mine));
    assert_eq!(merge(base, mine, "a\nx\nc\nd\ne\nf\n"), None);
    assert_eq!(merge(base, "a\nc\nd\ne\nf\n", "a\nb\nC\nd\ne\nf\n"), None);
    // Edits of a real level: one copy moves a unit, the other changes the title.
    let (_, text) = &shipped()[0];
    let mut here = document(text);
    here.move_unit(0, free_cell(text)).unwrap();
    let mut there = document(text);
    there.set(&At::root().field("title"), "\"Other\"").unwrap();
    let both = merge(text, here.text(), there.text()).unwrap();
    let both = document(&both);
    assert_eq!(both.string(&At::root().field("title")), Some("Other"));
    assert_eq!(both.units()[0].cell, here.units()[0].cell);
}

#[test]
fn areas_are_written_in_their_shortest_form() {
    let area =
        |cells: &[(i16, i16)]| written_area(&cells.iter().map(|c| Cell::new(c.0, c.1)).collect());
    assert_eq!(area(&[(3, 4)]), "(3, 4)");
    assert_eq!(
        area(&[(1, 1), (2, 1), (1, 2), (2, 2)]),
        "Rect((1, 1), (2, 2))"
    );
    assert_eq!(area(&[(5, 0), (1, 1), (2, 1)]), "[(5, 0), (1, 1), (2, 1)]");
    assert_eq!(Cell::new(0, 9).in_file(), "(0, 9)");
}

/// A legend entry is removed with the last cell that uses its letter.
#[test]
fn a_turned_window_leaves_no_unused_letter() {
    let text = r##"(
    title: "Windows",
    map: [
        "#w#.i",
        "...x.",
    ],
    legend: {
        'w': Window(X),
        'i': Slit(Y), // a slit
        'x': (floor: 5),
    },
    sides: [(id: "party"), (id: "foes", start: 'i')],
    combatants: [],
)"##;
    let window = |axis| (CellGround::of(Feature::Window(axis)), 0);
    let mut doc = document(text);
    // The only cell with its letter: the legend entry changes, and back again.
    doc.change_cell(Cell::new(1, 0), &window(Axis::Y)).unwrap();
    assert_eq!(doc.text(), text.replace("'w': Window(X)", "'w': Window(Y)"));
    doc.change_cell(Cell::new(1, 0), &window(Axis::X)).unwrap();
    assert_eq!(doc.text(), text);
    // An area refers to the letter, so the cell keeps it.
    let slit = (CellGround::of(Feature::Slit(Axis::X)), 0);
    doc.change_cell(Cell::new(4, 0), &slit).unwrap();
    assert_eq!(doc.text(), text.replace("Slit(Y)", "Slit(X)"));
    // One of two cells with the letter: the other keeps it. Turning the window back removes the new
    // letter.
    let two = text.replace("...x.", "w..x.");
    let mut doc = document(&two);
    doc.change_cell(Cell::new(1, 0), &window(Axis::Y)).unwrap();
    assert_ne!(doc.char_at(Cell::new(1, 0)), Some('w'));
    assert_eq!(
        doc.char_meanings().len(),
        document(&two).char_meanings().len() + 1
    );
    doc.change_cell(Cell::new(1, 0), &window(Axis::X)).unwrap();
    assert_eq!(doc.text(), two);
}
