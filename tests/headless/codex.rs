//! The codex is complete and consistent, and every mistake in a codex file is reported at its
//! position.

use fivefoot_core::content::codex::Codex;
use fivefoot_core::grid::{Board, Cell, CellGround, Cover, Feature, Sight, Space};
use std::collections::BTreeSet;

/// Every rule that the game must implement. The gaps in the numbers are intentional.
const LEDGER: &str = "
    GR-00 GR-01 GR-02 GR-03 GR-10 GR-11 GR-12 GR-13 GR-20 GR-20a GR-21 GR-22
    GR-23 GR-30 GR-31 GR-32 GR-33 GR-40 GR-41
    SK-01 SK-02 SK-03 SK-04 SK-05 SK-06 SK-10 SK-11 SK-12 SK-13 SK-14 SK-15
    SK-16 SK-17 SK-18 SK-19 SK-20 SK-21 SK-22 SK-23 SK-24 SK-25 SK-26 SK-30
    SK-31 SK-32 SK-40 SK-41 SK-42 SK-50 SK-51 SK-52 SK-53 SK-54 SK-55 SK-56
    SK-60 SK-61 SK-62 SK-70 SK-71
    SE-01 SE-10 SE-11 SE-12 SE-13 SE-14 SE-20 SE-21 SE-30 SE-31 SE-32 SE-33
    SE-34 SE-35 SE-40 SE-41 SE-50 SE-51 SE-52 SE-53 SE-54 SE-55
    PH-01 PH-02 PH-03 PH-04 PH-05 PH-06 PH-07 PH-10 PH-11 PH-12 PH-13 PH-14
    PH-15 PH-16 PH-17 PH-18 PH-20 PH-21 PH-22 PH-23 PH-24 PH-25 PH-26 PH-27
    PH-30 PH-31 PH-32 PH-33 PH-34 PH-35 PH-36 PH-37 PH-38 PH-40 PH-41 PH-42
    PH-43 PH-50 PH-51 PH-52 PH-60
    SP-01 SP-02 SP-03 SP-04 SP-05 SP-06 SP-07 SP-08 SP-10 SP-11 SP-12 SP-20
    SP-21 SP-22 SP-23 SP-24 SP-25 SP-26 SP-27 SP-30 SP-31 SP-32
    AC-01 AC-02 AC-03 AC-04 AC-09 AC-10 AC-11 AC-12 AC-13 AC-14 AC-15 AC-16 AC-17
    AC-20 AC-21 AC-22 AC-23 AC-24 AC-25 AC-26 AC-30 AC-31 AC-32 AC-33 AC-34 AC-35
    AC-36 AC-37
    OP-01 OP-02 OP-03 OP-04 OP-05 OP-06 OP-07 OP-08
";

#[test]
fn the_built_in_codex_has_no_problems() {
    for (_, (file, text)) in fivefoot_core::rulesets::rule_books() {
        let (codex, hints) = match Codex::built_in().check_file(file, text) {
            Ok(read) => read,
            Err(problems) => {
                let lines: Vec<_> = problems.iter().map(|p| p.to_string()).collect();
                panic!("{}", lines.join("\n"));
            }
        };
        assert!(hints.is_empty(), "{file}: {hints:?}");
        assert!(codex.rules().len() > 0, "{file}");
    }
}

#[test]
fn every_rule_in_the_ledger_has_an_entry_in_order() {
    let ledger: Vec<&str> = LEDGER.split_whitespace().collect();
    let listed: Vec<&str> = Codex::built_in().rules().map(|r| r.id.as_str()).collect();
    assert_eq!(listed, ledger);
}

#[test]
fn every_rule_named_in_the_code_has_an_entry() {
    let sources = fivefoot_kit::files::beneath("src", "rs");
    let literals = sources.iter().flat_map(|(_, text)| text.split('"'));
    let named: BTreeSet<&str> = literals.filter(|text| is_rule_id(text)).collect();
    assert!(
        named.contains("SK-17") && named.contains("GR-00"),
        "{named:?}"
    );
    let missing: Vec<_> = named
        .iter()
        .filter(|id| Codex::built_in().rule(id).is_none())
        .collect();
    assert!(missing.is_empty(), "no entry for {missing:?}");
}

fn is_rule_id(text: &str) -> bool {
    let Some((book, number)) = text.split_once('-') else {
        return false;
    };
    let number = number
        .strip_suffix(|c: char| c.is_ascii_lowercase())
        .unwrap_or(number);
    book.len() == 2
        && book.bytes().all(|b| b.is_ascii_uppercase())
        && number.len() == 2
        && number.bytes().all(|b| b.is_ascii_digit())
}

#[test]
fn rule_lookup_ignores_case() {
    let codex = Codex::built_in();
    for id in ["SK-17", "sk-17", " Sk-17 "] {
        assert_eq!(
            codex.rule(id).map(|r| r.title.as_str()),
            Some("Total defense")
        );
    }
    assert_eq!(codex.rule("gr-20A").map(|r| r.id.as_str()), Some("GR-20a"));
    assert!(codex.rule("SK-99").is_none());
    assert!(codex.rule("").is_none());
}

/// Rule texts fit the panel that shows them, and follow one style.
#[test]
fn texts_are_short_and_plain() {
    for rule in Codex::built_in().rules() {
        let (id, title, text) = (&rule.id, &rule.title, &rule.text);
        let words = title.split_whitespace().count();
        assert!(words <= 6 && !title.ends_with('.'), "{id}: {title}");
        assert!(
            title.starts_with(|c: char| c.is_uppercase()),
            "{id}: {title}"
        );
        let sentences = text.matches(". ").count() + 1;
        assert!(
            sentences <= 5 && text.ends_with('.'),
            "{id}: {sentences} sentences"
        );
        assert!(
            text.chars().count() <= 700,
            "{id}: {} characters",
            text.chars().count()
        );
        assert!(!text.contains("  ") && !text.contains('\n'), "{id}: blanks");
        let hyphen = text
            .as_bytes()
            .windows(3)
            .any(|w| w[..2] == *b" -" && w[2].is_ascii_digit());
        assert!(!hyphen, "{id}: a minus is written −");
    }
}

/// The positions in the examples of GR-22 and GR-23.
#[test]
fn the_cover_examples_are_correct() {
    let at = |x, y| Space::one(Cell::new(x, y));
    let mut walled = Board::new(5, 5);
    walled.set(Cell::new(2, 2), CellGround::of(Feature::Wall));
    let (archer, goblin) = (at(2, 1), at(0, 4));
    assert_eq!(walled.sight(archer, goblin).cover, Some(Cover::None));
    assert_eq!(walled.sight(goblin, archer), Sight::seen(4));

    let mut ledge = Board::new(5, 1);
    (0..2).for_each(|x| ledge.set(Cell::new(x, 0), CellGround::floor(5)));
    let (archer, goblin) = (at(0, 0), at(4, 0));
    assert_eq!(ledge.sight(archer, goblin).cover, Some(Cover::None));
    assert_eq!(ledge.sight(goblin, archer), Sight::seen(4));
    for nearer in [at(3, 0), at(2, 0)] {
        assert_eq!(ledge.sight(archer, nearer).cover, Some(Cover::Half));
        assert_eq!(ledge.sight(nearer, archer).cover, Some(Cover::Half));
    }
}

#[track_caller]
fn problems(text: &str) -> Vec<String> {
    let problems = Codex::built_in()
        .check_file("x.ron", text)
        .expect_err("there is something wrong");
    problems.iter().map(|p| p.to_string()).collect()
}

#[test]
fn codex_entries_are_sorted_and_their_lines_joined() {
    let text = r#"(codex: {
        "SK-02": (title: "Two", text: "See
            SK-01,   and GR-10."),
        "SK-01": (title: "One", text: "See sk-77, AC 13, SK-02."),
    })"#;
    let (codex, _) = Codex::built_in()
        .check_file("x.ron", text)
        .expect("all is well");
    let rules: Vec<_> = codex
        .rules()
        .map(|r| (r.id.as_str(), r.text.as_str()))
        .collect();
    let two = ("SK-02", "See SK-01, and GR-10.");
    assert_eq!(rules, [("SK-01", "See sk-77, AC 13, SK-02."), two]);
}

#[test]
fn all_codex_mistakes_are_reported_at_their_position() {
    let text = r#"(
    codex: {
        "SK-01": (title: "One", texts: "A text."),
        "SK-1": (title: "Short", text: "A text."),
        "KS-02": (title: "Turned", text: "A text."),
        "SK-03": (title: " ", text: ""),
        "SK-04": (title: "Four", text: "A text."),
        "SK-04": (title: "Four", text: "A text."),
        sk05: (title: "Five", text: "A text."),
        "SK-06": "Six",
        "SK-07": (title: "Seven"),
    },
    more: 1,
)"#;
    assert_eq!(
        problems(text),
        [
            "x.ron:3:33: unknown field `texts`; did you mean `text`?",
            "x.ron:4:9: \"SK-1\" cannot be a rule's id; two capitals, a dash and two digits, as in `SK-07`",
            "x.ron:5:9: unknown rule book `KS`; did you mean `SK`?",
            "x.ron:6:26: this text is empty; write something in it",
            "x.ron:6:37: this text is empty; write something in it",
            "x.ron:8:9: `SK-04` is here twice; keep one",
            "x.ron:9:9: expected text in double quotes, found `sk05`; write `\"sk05\"`",
            "x.ron:10:18: expected a rule as `(name: value, …)`, found \"Six\"",
            "x.ron:11:18: a rule needs the field `text`",
            "x.ron:13:5: unknown field `more`; known are `codex`",
        ]
    );
    assert_eq!(
        problems("(codex: {})"),
        ["x.ron:1:9: there is no rule in this codex; add one, or delete it"]
    );
    assert_eq!(
        problems("()"),
        ["x.ron:1:1: a codex needs the field `codex`"]
    );
    assert_eq!(
        problems("(codex: [])"),
        ["x.ron:1:9: expected a map `{key: value, …}`, found a list `[…]`"]
    );
}

#[test]
fn a_text_can_only_name_existing_rules() {
    let text = r#"(codex: {
        "SK-01": (title: "One", text: "That is
            −2 (SK-31), by (SK-99) and GR-21,
            GR-77 too."),
        "SK-31": (title: "Other", text: "SK-17: not in this file, which has to have all of its book."),
    })"#;
    let found = problems(text);
    assert_eq!(found.len(), 3, "{found:#?}");
    assert!(
        found[0].starts_with("x.ron:3:29: unknown rule `SK-99`"),
        "{}",
        found[0]
    );
    assert!(
        found[1].starts_with("x.ron:4:13: unknown rule `GR-77`"),
        "{}",
        found[1]
    );
    assert!(
        found[2].starts_with("x.ron:5:42: unknown rule `SK-17`"),
        "{}",
        found[2]
    );
}

#[test]
fn a_search_finds_titles_before_texts() {
    let codex = Codex::built_in();
    let ids = |words: &str| -> Vec<&str> {
        let found = codex.search(words);
        found.iter().map(|r| r.id.as_str()).collect()
    };
    assert_eq!(ids("").len(), codex.rules().len());
    assert_eq!(ids("sk-17")[0], "SK-17");
    assert_eq!(ids("total def")[0], "SK-17");
    // The entry must contain every word.
    let found = ids("half cover");
    assert_eq!(found[0], "GR-21", "{found:?}");
    assert!(found.contains(&"SK-31"));
    assert!(ids("no such words as these").is_empty());
}

#[test]
fn a_text_is_split_at_the_rules_it_names() {
    use fivefoot_core::content::codex::TextPart::{Rule, Words};
    let codex = Codex::built_in();
    let rule = |id| Rule(codex.rule(id).unwrap());
    assert_eq!(
        codex.parts("−2 (SK-31), GR-21."),
        [
            Words("−2 ("),
            rule("SK-31"),
            Words("), "),
            rule("GR-21"),
            Words(".")
        ]
    );
    assert_eq!(codex.parts("SK-99"), [Words("SK-99")], "no such rule");
    assert_eq!(codex.parts(""), []);
}
