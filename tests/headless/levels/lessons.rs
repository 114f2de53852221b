//! Lessons: their fields are read, and every mistake in them is reported.

use super::*;

#[test]
fn a_lesson_is_read_step_by_step() {
    use fivefoot_core::levels::{CombatantIx, LessonMark, Panel, Until, tutorial};
    let text = small(
        r#"    rules: Skirmish,
    lesson: (
        seed: 7,
        acts: ["strike", "open door"],
        steps: [
            (text: "Go there.", until: Moved(who: "mara", to: (2, 1)), at: [Cells((2, 1))]),
            (text: "Open it.", until: Opened((4, 1)), at: [Act("open door"), Card]),
            (text: "Strike.", until: Attacked(["foes"]), at: [Person("goblin")]),
            (text: "So it goes."),
        ],
    ),
"#,
        &[],
    );
    let lesson = level(&text).lesson.clone().expect("it teaches");
    assert_eq!(lesson.seed, Some(7));
    assert_eq!(lesson.acts, ["strike", "open door"]);
    assert!(lesson.shows(["throw", "strike"].into_iter()));
    assert!(!lesson.shows(["throw"].into_iter()));
    let waits: Vec<_> = lesson.steps.iter().map(|s| s.until.clone()).collect();
    let goblin = CombatantIx(1);
    assert_eq!(
        waits,
        [
            Some(Until::Moved {
                who: Some(CombatantIx(0)),
                area: vec![Cell::new(2, 1)],
            }),
            Some(Until::Opened(Cell::new(4, 1))),
            Some(Until::Attacked(vec![goblin])),
            None,
        ]
    );
    assert_eq!(
        lesson.steps[1].at,
        [
            LessonMark::Act("open door".into()),
            LessonMark::Panel(Panel::Card)
        ]
    );
    assert_eq!(lesson.steps[2].at, [LessonMark::Unit(goblin)]);
    assert!(tutorial().iter().all(|level| level.lesson.is_some()));
}

#[test]
fn lesson_mistakes_are_reported_at_their_position() {
    let text = small(
        r#"    rules: Skirmish,
    lesson: (steps: [
        (text: "Go.", until: Moved(who: "marra", to: (2, 9))),
        (text: "Do.", until: Used(act: "disengag")),
        (text: "", until: Opened((0, 0))),
        (text: "Look.", until: Rounds(2), at: [Cart]),
    ]),
"#,
        &[],
    );
    expect(
        &text,
        &[
            "16:41: unknown combatant `marra`; did you mean `mara`?",
            "16:54: (2, 9) is off the map; columns run from 0 to 7, rows from 0 to 2",
            "17:40: unknown act `disengag`; did you mean `disengage`?",
            "18:16: this text is empty; write something in it",
            "18:34: there is no door at (0, 0); name the cell of a door",
            "19:32: unknown event `Rounds`; did you mean `Round`?",
            "19:48: unknown place `Cart`; did you mean `Card`?",
        ],
    );
    let text = small(
        "    rules: Skirmish,\n    lesson: (acts: [\"strik\"], steps: [(text: \"Go.\")]),\n",
        &[],
    );
    expect(
        &text,
        &["15:21: unknown act `strik`; did you mean `strike`?"],
    );
    let text = small("    lesson: (steps: [(text: \"Go.\")]),\n", &[]);
    expect(
        &text,
        &[
            "14:13: a lesson is about the rules of one ruleset; name them with `rules: \
           Skirmish` or another",
        ],
    );
}
