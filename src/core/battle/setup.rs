//! The world in which a level's battle starts.

use super::{
    Body, Conditions, CreatureRef, CurrentLevel, Ground, Inventory, ItemTable, Map, Names,
    PerCombatant, Progress, Roster, Setup, SideInfo, State,
};
use crate::levels::{Combatant, Control, Level};
use bevy_ecs::world::World;
use std::sync::Arc;

/// All items and spells of the units in a level.
pub fn level_stock(level: &Level) -> ItemTable {
    outfits(level).0
}

fn outfits(level: &Level) -> (ItemTable, Vec<(CreatureRef, Inventory)>) {
    let mut stock = ItemTable::default();
    let fists = level.content.unarmed();
    let outfits = level.combatants.iter().map(|c| {
        stock.learn(&c.creature);
        let sheet = sheet(c, &stock);
        (sheet, Inventory::of(&c.creature, fists, &mut stock))
    });
    let outfits = outfits.collect();
    (stock, outfits)
}

/// Puts a level's board and units into a world.
pub fn level_setup(level: &Arc<Level>) -> Setup {
    let level = level.clone();
    // All battles of a level share one cache of lines of sight.
    let board = level.board();
    let (stock, outfits) = outfits(&level);
    let named = |c: &Combatant| (c.name.clone(), c.creature.is_hero());
    let unit_names = level.combatants.iter().map(named).collect();
    let sides = level.sides.iter().map(|s| (s.id.clone(), s.name.clone()));
    let names = Arc::new(Names::new(unit_names, sides.collect(), &stock));
    let stock = Arc::new(stock);
    let infos = level.sides.iter().map(|s| SideInfo {
        name: s.name.clone(),
        player: s.control == Control::Player,
    });
    let infos: Arc<[SideInfo]> = infos.collect();
    Arc::new(move |world: &mut World| {
        world.insert_resource(CurrentLevel(level.clone()));
        world.insert_resource(Map(board.clone()));
        world.init_resource::<Ground>();
        world.insert_resource(Progress::new(level.objectives.len(), level.sides.len()));
        let all = level.combatants.iter();
        world.insert_resource(PerCombatant::from_iter(all.map(body)));
        let (sheets, inventory): (Vec<CreatureRef>, Vec<Inventory>) =
            outfits.iter().cloned().unzip();
        world.insert_resource(PerCombatant::from_iter(sheets));
        world.insert_resource(PerCombatant::from_iter(inventory));
        let none = level.combatants.iter().map(|_| Conditions::default());
        world.insert_resource(PerCombatant::from_iter(none));
        world.insert_resource(Roster {
            units: level.combatants.len(),
            names: names.clone(),
            sides: infos.clone(),
            stock: stock.clone(),
        });
    })
}

fn sheet(c: &Combatant, stock: &ItemTable) -> CreatureRef {
    CreatureRef {
        creature: c.creature.clone(),
        spells: stock.spells_of(&c.creature).into(),
        leader: c.leader,
    }
}

fn body(c: &Combatant) -> Body {
    Body {
        side: c.side.into(),
        at: c.cell,
        size: c.creature.size,
        state: match c.arrives {
            Some(_) => State::Waiting,
            None => State::Up,
        },
        // The ruleset sets the hit points later.
        hp: 1,
        max_hp: 1,
        prone: c.prone,
        flees: false,
        returns: None,
    }
}
