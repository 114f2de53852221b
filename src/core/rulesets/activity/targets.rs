//! The actions that carry out a due declaration on a target.

use crate::battle::Action;
use crate::rulesets::common::{leave, verbs};

pub static LEAVE: Action = leave::act("AC-37");

verbs! {
    STRIKE = "strike", "strike {at} with {with}", "strikes at {at} with {with}", "AC-01";
    SHOOT = "shoot", "shoot at {at} with {with}", "shoots at {at} with {with}", "AC-01";
    CHARGE = "charge", "charge {at} with {with} from {to}", "charges {at} with {with}, to {to}", "AC-21";
    MOVE = "move", "move to {to}", "moves to {to}", "AC-01";
    WITHDRAW = "withdraw", "withdraw to {to}", "withdraws to {to}", "AC-36";
    CAST_AT = "cast", "cast {spell} at {at}", "casts {spell} at {at}", "AC-34";
    CAST_TO = "cast to", "cast {spell} towards {to}", "casts {spell} towards {to}", "AC-34";
    STANCH = "stanch", "stanch the blood of {at}", "stanches the blood of {at}", "AC-33";
    PICK_UP = "pick up", "pick up {with} at {to}", "picks up {with} at {to}", "AC-01", PickUp;
    GIVE_UP = "give up", "give it up", "gives it up", "AC-09";
    WAIT = "wait", "wait", "waits", "AC-15";
}
