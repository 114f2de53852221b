//! The actions that declare a round (AC-09).

use crate::rulesets::common::verbs;

verbs! {
    all VERBS:
    MELEE = "plan melee", "plan melee at {n}%", "plans a melee attack", "AC-02";
    MISSILE = "plan missile", "plan a missile at {n}%", "plans a missile attack", "AC-02";
    CHARGE = "plan charge", "plan a charge at {n}%", "plans a charge", "AC-21";
    MOVE = "plan move", "plan to move at {n}%", "plans to move", "AC-01";
    RELOAD = "plan reload", "plan to load {with}", "plans to load {with}", "AC-01";
    DRAW = "plan draw", "plan to draw {with}", "plans to draw {with}", "AC-01";
    CHANGE = "plan change", "plan to change to {with}", "plans to change to {with}", "AC-01";
    LET_GO = "plan let go", "plan to drop {with}", "plans to drop {with}", "AC-01";
    DROP_PRONE = "plan drop", "plan to drop to the ground", "plans to drop to the ground", "AC-01";
    STAND_UP = "plan stand up", "plan to stand up", "plans to stand up", "AC-01";
    PARRY_MISSILE = "plan missile parry", "plan a missile parry", "plans a missile parry", "AC-22";
    SPELL = "plan spell", "plan {spell} with {n} power points", "plans {spell}", "AC-01";
    HASTEN = "spell time", "take {n}% over it", "plans the time of a spell", "AC-03";
    STANCH = "plan stanch", "plan to stanch blood", "plans to stanch blood", "AC-33";
    HERB = "plan herb", "plan to take a herb", "plans to take a herb", "AC-01";
    PERCEIVE = "plan perception", "plan to look about at {n}%", "plans to look about", "AC-02";
    CHI_SPEED = "plan chi speed", "plan chi speed", "plans chi speed", "AC-25";
    CHI_DEFENSE = "plan chi defense", "plan chi defense", "plans chi defense", "AC-01";
    PICK_UP = "plan pick up", "plan to pick something up", "plans to pick something up", "AC-01";
    DOOR = "plan door", "plan to open or close a door", "plans to open or close a door", "GR-02";
    PARRY = "keep for parry", "keep {n} for parrying", "keeps OB for parrying", "AC-13";
    READY = "declared", "declared", "has declared", "AC-09";
}
