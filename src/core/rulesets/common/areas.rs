//! Spells in space: which cells they cover, which units they catch, how far they reach (GR-41).

use super::{CombatSystem, ask};
use crate::{
    battle::{Choice, Id, Rule, State, View, Why},
    content::{Effect, Spell, SpellArea},
    grid::{Cell, Point, Shape, Space},
};
use bevy_ecs::world::World;

/// The origin and shape of a spell that is aimed at a place. `None` if the spell targets one
/// creature, or if there is no room for it.
pub fn spread(view: &View, who: Id, spell: &Spell, to: Space) -> Option<(Point, Shape)> {
    let feet = |n: i32| n.clamp(0, 30_000) as u16;
    let target = view.board.centre(to)?;
    let hands = view.board.centre(view.body(who).space())?;
    match spell.area {
        SpellArea::One => None,
        SpellArea::Blast(radius) => Some((target, Shape::Blast(feet(radius)))),
        SpellArea::Cone(length) => Some((hands, Shape::Cone(target, feet(length)))),
        SpellArea::Line(length) => Some((hands, Shape::Line(target, feet(length)))),
    }
}

/// Whether the spell starts at the caster's hands and moves away from the caster.
fn leaves_hands(spell: &Spell) -> bool {
    matches!(spell.area, SpellArea::Cone(_) | SpellArea::Line(_))
}

/// The cells that a spell covers when it is aimed at a place.
pub fn cells(view: &View, who: Id, spell: &Spell, to: Space) -> Vec<Cell> {
    if spell.area == SpellArea::One {
        return to.cells().collect();
    }
    let Some((origin, shape)) = spread(view, who, spell, to) else {
        return vec![];
    };
    let mut cells = view.board.area(origin, shape);
    if leaves_hands(spell) {
        let here = view.body(who).space();
        cells.retain(|c| !here.contains(*c));
    }
    cells
}

/// The cells that a spell covers when it is aimed at a cell, for a forecast.
pub fn forecast<R: CombatSystem>(world: &mut World, choice: &Choice) -> Vec<Cell> {
    fn aimed<R: CombatSystem>(state: &super::State<R>, choice: Choice) -> Vec<Cell> {
        let view = R::view(state);
        let (Some(who), Some(spell), Some(to)) = (choice.who, choice.spell, choice.to) else {
            return vec![];
        };
        cells(view, who, view.spell(spell), to.into())
    }
    ask::<R, _, _>(world, aimed::<R>, choice.clone())
}

/// The units in the area of a spell, allies and enemies, in id order, among those for which
/// `may_be` is true. A cone or line never catches its caster.
pub fn caught(
    view: &View,
    who: Id,
    spell: &Spell,
    to: Space,
    may_be: impl Fn(Id) -> bool,
) -> Vec<Id> {
    let Some((origin, shape)) = spread(view, who, spell, to) else {
        return vec![];
    };
    let spares = |id: Id| id == who && leaves_hands(spell);
    let covered = |&id: &Id| {
        let mut cells = view.body(id).space().cells();
        cells.any(|cell| view.board.is_covered(origin, shape, cell))
    };
    let all = view.ids().filter(|&id| !spares(id) && may_be(id));
    all.filter(covered).collect()
}

/// Whether a spell can affect a unit by its state: standing units, and for damage also fallen ones.
pub fn is_exposed(view: &View, spell: &Spell, id: Id) -> bool {
    match view.body(id).state {
        State::Up => true,
        State::Down => matches!(spell.effect, Effect::Damage(_)),
        _ => false,
    }
}

/// Whether a spell on one creature makes sense on this target: harm on standing enemies, help on
/// standing allies, healing also on fallen allies.
pub fn suits(view: &View, who: Id, spell: &Spell, at: Id) -> bool {
    let (mine, theirs) = (view.body(who), view.body(at));
    let cures = matches!(spell.effect, Effect::Heal(_)) && theirs.state == State::Down;
    (mine.side == theirs.side) != spell.effect.harms() && (theirs.is_up() || cures)
}

/// Checks that a place is within this many feet of the caster and in its line of sight.
pub fn in_range(view: &View, who: Id, feet: i32, there: Space, rule: Rule) -> Result<(), Why> {
    let (here, feet) = (view.body(who).space(), feet.clamp(0, 30_000) as u16);
    if here.overlaps(there) {
        return Ok(());
    }
    if !view.board.within(here, there, feet) {
        return Err(Why::new(rule, format!("beyond {feet} ft")));
    }
    Why::new("GR-10", "no line of sight").unless(view.board.sight(here, there).los)
}
