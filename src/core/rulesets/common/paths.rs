//! Custom paths: paths that a player plots cell by cell (GR-33).

use super::{
    State, ask,
    moves::{Mover, Moves},
};
use crate::{
    battle::{Action, Choice, Id, Why, movement::Occupancy},
    grid::{Cell, StepRules},
};
use bevy_ecs::world::World;

/// A combat system whose moves may follow custom paths.
pub trait CustomPaths: Moves {
    /// Whether an action follows a path.
    fn is_move(verb: &'static Action) -> bool;

    /// The mover of such an action, without the path; or why it is not possible now.
    fn mover(state: &State<Self>, choice: &Choice, who: Id) -> Result<Mover<Self::MoveMode>, Why>;

    fn may_end(_: &State<Self>, _who: Id, _: &Occupancy, walk: &StepRules, at: Cell) -> bool {
        walk.may_stop(at)
    }
}

/// Whether a choice with a custom path is possible now: its cells are adjacent in order (also over
/// a ledge), the unit can stop at the end, and the feet of the move are enough.
pub fn check_path<R: CustomPaths>(world: &mut World, choice: &Choice) -> Result<(), Why> {
    ask::<R, _, _>(world, check::<R>, choice.clone())
}

fn check<R: CustomPaths>(state: &State<R>, choice: Choice) -> Result<(), Why> {
    let no = |text: String| Err(Why::new("GR-33", text));
    let (Some(who), Some(along)) = (choice.who, &choice.along) else {
        return no("a path needs a unit to walk it".into());
    };
    let Some((last, way)) = along.split_last().filter(|end| Some(*end.0) == choice.to) else {
        return no("a path leads to the end of its move".into());
    };
    if !R::is_move(choice.verb) {
        return no("only a move follows a path".into());
    }
    let (view, mover) = (R::view(state), R::mover(state, &choice, who)?);
    let budget = R::budget(state, &mover)?;
    let occupancy = R::occupancy(state, &mover);
    let start = std::iter::once(view.body(who).at);
    let cells: Vec<Cell> = start.chain(along.iter().copied()).collect();
    let ends = |&at: &Cell| R::ends_at(state, &mover, &occupancy, at);
    if let Some((steps, why)) = (1..).zip(way).find_map(|(n, at)| Some((n, ends(at)?))) {
        let text = format!("the move ends after {} ft", 5 * steps);
        return Err(Why::new(why.rule, text));
    }
    view.walk(who, &occupancy, |walk| match walk.price(&cells) {
        Err(misstep) => Err(misstep.into()),
        Ok(price) if price.feet > budget => no(format!(
            "{} ft, but at most {budget} ft are possible",
            price.feet
        )),
        Ok(_) if !R::may_end(state, who, &occupancy, walk, *last) => {
            Err(Why::new("GR-03", "a unit stands there"))
        }
        Ok(_) => Ok(()),
    })
}
