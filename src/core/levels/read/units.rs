//! Reads the units and their positions.

use super::sides;
use super::{Book, vary::vary};
use crate::content::{self, Creature, CreatureEntry, Layered};
use crate::grid::{Cell, Space};
use crate::levels::{Awareness, Combatant, CombatantIx, SideIx};
use crate::ron_read::{ByteRange, Fix, Help, Piece, Reader, ValueShape};
use crate::rulesets;
use std::collections::BTreeMap;
use std::sync::Arc;

/// The most units in a level: sets of units are stored as the bits of a number.
pub(super) const MAX: usize = 64;

/// A unit while it is read. What could not be read is `None` and has been reported;
/// references to the unit by name still work.
#[derive(Clone)]
pub(super) struct ReadUnit {
    pub name: String,
    pub creature: Option<Arc<Creature>>,
    pub side: Option<SideIx>,
    pub position: UnitPosition,
    /// The place for problems with its position.
    pub at: ByteRange,
    arrives: Option<Arrival>,
    /// Named by the file, not after its kind.
    given: bool,
    name_at: ByteRange,
    hp: Option<i32>,
    pub awareness: Awareness,
    pub hidden: bool,
    prone: bool,
    leader: bool,
    stalks: Option<(String, ByteRange)>,
    victim: Option<CombatantIx>,
    number: u32,
}

/// When a unit arrives.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Arrival {
    round: u32,
    /// Under Speed: the count of that round at which the unit arrives.
    count: Option<i32>,
}

/// Where a unit stands.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum UnitPosition {
    At(Cell),
    /// Anywhere in the side's starting area; not assigned yet.
    InStart,
    /// The position is invalid and has been reported.
    Unknown,
}

impl ReadUnit {
    pub(super) fn space(&self) -> Option<Space> {
        let UnitPosition::At(cell) = self.position else {
            return None;
        };
        let size = self.creature.as_ref().map_or(1, |c| c.size);
        Some(Space::new(cell, size))
    }

    /// Whether the unit can move at all. An unknown kind can.
    pub(super) fn walks(&self) -> bool {
        self.creature.as_ref().is_none_or(|kind| kind.speed > 0)
    }

    /// Whether it arrives after the start of the battle.
    pub(super) fn comes_later(&self) -> bool {
        self.arrives.is_some()
    }

    /// The finished unit. Unknown parts are replaced by `kind`, the first cell and
    /// the first side.
    pub(super) fn finish(self, kind: &Arc<Creature>) -> Combatant {
        let cell = self.space().map_or(Cell::new(0, 0), |space| space.at);
        let creature = self.creature.unwrap_or_else(|| kind.clone());
        Combatant {
            name: self.name,
            number: self.number,
            side: self.side.unwrap_or(SideIx(0)),
            cell,
            wounds: self.hp.map_or(0, |hp| unhurt(&creature) - hp),
            arrives: self.arrives.map(|a| a.round),
            arrives_at: self.arrives.and_then(|a| a.count),
            awareness: self.awareness,
            hidden: self.hidden,
            prone: self.prone,
            leader: self.leader,
            stalks: self.victim,
            creature,
        }
    }
}

/// Reads and names all units. With `new_sides`, a side is added where it is first
/// named.
pub(super) fn read(
    r: &mut Reader,
    book: &mut Book,
    combatants: Option<&Piece>,
    reinforcements: Option<&Piece>,
    new_sides: bool,
) {
    if let Some(piece) = combatants {
        list(r, book, piece, None, new_sides);
        if matches!(&piece.shape, ValueShape::List(items) if items.is_empty()) {
            let help = "write at least one combatant for each side";
            r.problem(piece.at, "nobody takes part", help);
        }
    }
    if let Some(piece) = reinforcements {
        r.list(piece, |r, p| {
            let mut f = r.fields(p, "a reinforcement")?;
            let round = f.required(r, "round", |r, p| Some((r.whole(p, 2..=1000)?, p.at)));
            let count = f.optional(r, "count", |r, p| r.whole(p, -30..=60));
            if let Some(piece) = f.needed(r, "combatants") {
                // An invalid round has been reported: any round will do.
                book.arrivals.extend(round.map(|(n, at)| (n as u32, at)));
                let round = round.map_or(2, |(n, _)| n as u32);
                let arrival = Arrival { round, count };
                if matches!(&piece.shape, ValueShape::List(items) if items.is_empty()) {
                    let what = "nobody comes in with these";
                    r.hint(piece.at, what, "leave this entry out");
                }
                list(r, book, piece, Some(arrival), new_sides);
            }
            f.finish(r);
            Some(())
        });
    }
    if let Some(unit) = book.units.get(MAX) {
        let what = format!("there are more than {MAX} combatants");
        r.problem(unit.at, what, "leave this one and all after it out");
        book.units.truncate(MAX);
    }
    name_all(r, book);
    find_victims(r, book);
}

fn list(r: &mut Reader, book: &mut Book, piece: &Piece, arrives: Option<Arrival>, new_sides: bool) {
    r.list(piece, |r, p| entry(r, book, p, arrives, new_sides));
}

/// Reads one entry: a unit, or several of the same kind.
fn entry(
    r: &mut Reader,
    book: &mut Book,
    piece: &Piece,
    arrives: Option<Arrival>,
    new_sides: bool,
) -> Option<()> {
    let mut f = r.fields(piece, "a combatant")?;
    let kind_piece = f.needed(r, "kind");
    let name_piece = f.piece("name");
    let side_piece = f.needed(r, "side");
    let at_piece = f.piece("at");
    let count_piece = f.piece("count");
    let hp_piece = f.piece("hp");
    let awareness = f.optional(r, "awareness", |r, p| {
        r.word(p, "an awareness", &Awareness::WORDS)
    });
    let hidden = f.optional(r, "hidden", Reader::yes_no).unwrap_or(false);
    let prone = f.optional(r, "prone", Reader::yes_no).unwrap_or(false);
    let leader = f.optional(r, "leader", |r, p| Some((r.yes_no(p)?, p.at)));
    let stalks = f.optional(r, "stalks", |r, p| Some((r.text(p)?, p.at)));
    let with = f.piece("with");
    f.finish(r);

    let kind = kind_piece.and_then(|p| content::kind(r, p, &book.content));
    let creature = changed(r, book, kind, with, piece.at);
    let hp = hp_piece.and_then(|p| hp(r, p, creature.as_deref()));
    let name = name_piece.and_then(|p| name(r, p));
    if new_sides && let Some(piece) = side_piece {
        sides::add_if_new(r, piece, book);
    }
    let side = side_piece.and_then(|p| sides::named(r, p, book));
    book.has_unread_names |= side.is_none() || name.is_some() != name_piece.is_some();
    let usual = side.map(|side| book.sides[usize::from(side.0)].awareness);
    let positions = positions(r, book, at_piece, count_piece);

    let called = name.clone().or(kind_piece.and_then(after_kind));
    let called = called.unwrap_or_default();
    let number = |nth: usize| match &name {
        Some(name) if positions.len() > 1 => format!("{name} {}", nth + 1),
        _ => called.clone(),
    };
    if let Some((true, at)) = leader
        && positions.len() > 1
    {
        let what = format!("all {} units of this entry lead", positions.len());
        r.hint(at, what, "give the leader an entry of its own");
    }
    for (nth, position) in positions.iter().enumerate() {
        if book.units.len() > MAX {
            break;
        }
        book.units.push(ReadUnit {
            name: number(nth),
            creature: creature.clone(),
            side,
            position: *position,
            at: at_piece.unwrap_or(piece).at,
            arrives,
            given: name.is_some(),
            name_at: name_piece.or(kind_piece).unwrap_or(piece).at,
            hp,
            awareness: awareness.or(usual).unwrap_or_default(),
            hidden,
            prone,
            leader: leader.is_some_and(|(leads, _)| leads),
            stalks: stalks.clone(),
            victim: None,
            number: 1,
        });
    }
    Some(())
}

/// The name that a unit gets from its kind, even an unknown kind.
fn after_kind(piece: &Piece) -> Option<String> {
    match &piece.shape {
        ValueShape::Text(id) => Some(id.replace('_', " ")),
        _ => None,
    }
}

/// The positions of an entry's units: as many as there are cells, or as the count
/// says.
fn positions(
    r: &mut Reader,
    book: &Book,
    at: Option<&Piece>,
    count: Option<&Piece>,
) -> Vec<UnitPosition> {
    let counted = count.map(|p| r.whole(p, 1..=MAX as i32).unwrap_or(1));
    let Some(at) = at else {
        return vec![UnitPosition::InStart; counted.unwrap_or(1) as usize];
    };
    if let Some(count) = count {
        let help = "leave one of the two out";
        r.problem(count.at, "`count` is for units without `at`", help);
    }
    match book.map.places(r, at) {
        Some(cells) if cells.len() <= MAX => cells.into_iter().map(UnitPosition::At).collect(),
        Some(_) => {
            let what = format!("there are more than {MAX} combatants");
            r.problem(at.at, what, "name fewer cells");
            vec![UnitPosition::Unknown]
        }
        None => vec![UnitPosition::Unknown],
    }
}

/// The full hit points that levels count in: those of the first ruleset.
fn unhurt(creature: &Creature) -> i32 {
    (rulesets::ALL[0].hit_points)(creature)
}

/// Reads the hit points at the start, at most those of the creature.
fn hp(r: &mut Reader, piece: &Piece, creature: Option<&Creature>) -> Option<i32> {
    let hp = r.whole(piece, 1..=1000)?;
    let most = unhurt(creature?);
    if hp > most {
        let rules = rulesets::ALL[0].id.to_lowercase();
        let help = format!("it has {most}; `with: ({rules}: (hp: {hp}))` gives it more");
        let what = format!("{hp} HP are more than it has unhurt");
        r.problem(piece.at, what, help);
    }
    Some(hp)
}

/// A kind with the unit's own changes and the changes being tried.
fn changed(
    r: &mut Reader,
    book: &Book,
    kind: Option<Arc<Creature>>,
    with: Option<&Piece>,
    at: ByteRange,
) -> Option<Arc<Creature>> {
    let (content, changes) = (&book.content, &book.changes);
    let Some(piece) = with else {
        return vary(r, at, content, kind?, CreatureEntry::default(), changes);
    };
    let mut f = r.fields(piece, "a change of kind")?;
    let before = r.count();
    let entry = CreatureEntry::read(r, &mut f, content);
    f.finish(r);
    if r.count() > before {
        return None;
    }
    let creature = content.changed(r, piece.at, &kind?.id, entry.clone())?;
    vary(r, piece.at, content, creature, entry, changes)
}

/// Reads a name such as "mara" or "goblin 2", by which scenarios and replays refer to
/// a unit.
fn name(r: &mut Reader, piece: &Piece) -> Option<String> {
    let name = r.text(piece)?;
    let plain = |c: char| c.is_lowercase() || c.is_ascii_digit() || " -'_".contains(c);
    let edges = name.trim() == name && name.starts_with(char::is_lowercase);
    if !edges || !name.chars().all(plain) || name.contains("  ") || name.chars().count() > 30 {
        let help = "use up to 30 lower-case letters, digits and single blanks, a letter first";
        r.refuse(piece.at, &name, format!("{name:?} cannot be a name"), help);
        return None;
    }
    Some(name)
}

/// Numbers the units named after their kind, and reports names that occur twice.
fn name_all(r: &mut Reader, book: &mut Book) {
    // Number visible units first, so that no gap in the numbers reveals hidden ones.
    let mut unnamed: Vec<usize> = (0..book.units.len()).collect();
    unnamed.retain(|&nth| !book.units[nth].given);
    unnamed.sort_by_key(|&nth| book.units[nth].hidden);
    // By name of the kind: the number of its units, and how many of them are visible.
    let mut alike: BTreeMap<String, (u32, u32)> = BTreeMap::new();
    for unit in unnamed.iter().map(|&nth| &book.units[nth]) {
        let (all, in_sight) = alike.entry(unit.name.clone()).or_default();
        *all += 1;
        *in_sight += u32::from(!unit.hidden);
    }
    let given = book.units.iter();
    let given: Vec<String> = given.filter(|p| p.given).map(|p| p.name.clone()).collect();
    let mut counted: BTreeMap<String, u32> = BTreeMap::new();
    for nth in unnamed {
        let unit = &mut book.units[nth];
        let base = unit.name.clone();
        let n = counted.entry(base.clone()).or_default();
        let (all, in_sight) = alike[&base];
        if all == 1 || in_sight == 1 && !unit.hidden {
            *n = 1;
            continue;
        }
        loop {
            *n += 1;
            unit.name = format!("{base} {n}");
            if !given.contains(&unit.name) {
                break;
            }
        }
    }
    for nth in 0..book.units.len() {
        let unit = &book.units[nth];
        let (name, at) = (unit.name.clone(), unit.name_at);
        let number = name.rsplit(' ').next().and_then(|last| last.parse().ok());
        book.units[nth].number = number.unwrap_or(1);
        if name.is_empty() {
            continue;
        }
        if book.units[..nth].iter().any(|other| other.name == name) {
            let what = format!("two combatants are called `{name}`");
            r.problem(at, what, "give one another `name`");
        } else if sides::side_named(book, &name).is_some() {
            let what = format!("`{name}` is the id of a side");
            r.problem(at, what, "give it another `name`");
        }
    }
}

pub(super) fn unit_named(book: &Book, name: &str) -> Option<CombatantIx> {
    let nth = book.units.iter().position(|p| p.name == name)?;
    Some(CombatantIx(nth as u16))
}

fn find_victims(r: &mut Reader, book: &mut Book) {
    for nth in 0..book.units.len() {
        let Some((name, at)) = book.units[nth].stalks.clone() else {
            continue;
        };
        let Some(victim) = unit_named(book, &name) else {
            let known = book.units.iter().map(|p| p.name.as_str());
            r.unknown(at, "a combatant", &name, known);
            continue;
        };
        if book.units[usize::from(victim.0)].side == book.units[nth].side {
            let what = format!("`{name}` is on the same side");
            r.problem(at, what, "a unit stalks an enemy");
        }
        if book.units[usize::from(victim.0)].awareness != Awareness::Unaware {
            let help = "only a unit with `awareness: Unaware` can be stalked";
            r.problem(at, format!("`{name}` is not unaware"), help);
        }
        book.units[nth].victim = Some(victim);
    }
}

/// Assigns a position to every unit, and reports those without enough space.
pub(super) fn place(r: &mut Reader, book: &mut Book) {
    let mut misplaced = Vec::new();
    for nth in 0..book.units.len() {
        let unit = &book.units[nth];
        let (Some(space), name) = (unit.space(), &unit.name) else {
            continue;
        };
        let (cell, size) = (space.at, space.size);
        let (what, help) = if !book.map.board.holds(space) {
            let what = format!("`{name}` takes {size} by {size} cells and would leave the map");
            (what, "its cell is the north-west one")
        } else if !book.map.board.can_stand(space) {
            let cell = cell.in_file();
            let what = format!("`{name}` cannot stand in {cell}: something solid is there");
            (what, "move it to a free cell")
        } else if let Some(other) = in_the_way(book, nth, space, nth) {
            let (other, cell) = (&book.units[other].name, cell.in_file());
            let what = format!("`{name}` and `{other}` are both in {cell}");
            (what, "move one of them")
        } else {
            continue;
        };
        r.problem(unit.at, what, Help::fix(help, Fix::Move(Some(cell))));
        misplaced.push(nth);
    }
    let mut without = Vec::new();
    for nth in 0..book.units.len() {
        if book.units[nth].position == UnitPosition::InStart && !find_room(book, nth) {
            without.push(nth);
        }
    }
    // The units of one entry are reported together.
    for units in without.chunk_by(|a, b| book.units[*a].at == book.units[*b].at) {
        report_no_room(r, book, units);
    }
    for nth in misplaced {
        book.units[nth].position = UnitPosition::Unknown;
    }
}

/// Assigns a free cell of the side's starting area to a unit. Returns whether there is
/// one; a unit that could not be read needs none.
fn find_room(book: &mut Book, nth: usize) -> bool {
    let unit = &book.units[nth];
    let (Some(side), Some(creature)) = (unit.side, &unit.creature) else {
        return true;
    };
    let start = &book.sides[usize::from(side.0)].side.start;
    let all_units = book.units.len();
    let fits = |cell: &&Cell| {
        let space = Space::new(**cell, creature.size);
        let free = in_the_way(book, nth, space, all_units).is_none();
        book.map.board.can_stand(space) && free
    };
    let found = start.iter().find(fits).copied();
    if let Some(cell) = found {
        book.units[nth].position = UnitPosition::At(cell);
    }
    found.is_some()
}

/// Reports units of one entry that have no cell.
fn report_no_room(r: &mut Reader, book: &Book, units: &[usize]) {
    let unit = &book.units[units[0]];
    let Some(side) = unit.side else { return };
    let side = &book.sides[usize::from(side.0)].side;
    let (name, id) = (&unit.name, &side.id);
    if side.start.is_empty() {
        let help = format!("write `at: (column, row)`, or give `{id}` a `start`");
        let help = Help::fix(help, Fix::Move(None));
        r.problem(unit.at, format!("`{name}` has no place"), help);
        return;
    }
    let others = match units.len() - 1 {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let what = format!("no room for `{name}`{others} in the start area of `{id}`");
    r.problem(unit.at, what, "make it larger");
}

/// The first of the units `0..among` that arrives at the same time and overlaps the
/// space.
fn in_the_way(book: &Book, nth: usize, space: Space, among: usize) -> Option<usize> {
    let arrives = book.units[nth].arrives;
    (0..among).find(|other| {
        let other_unit = &book.units[*other];
        *other != nth
            && other_unit.arrives == arrives
            && other_unit.space().is_some_and(|s| s.overlaps(space))
    })
}
