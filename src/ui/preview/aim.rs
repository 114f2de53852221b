//! From an act with many ways to one of them: what is still open.

use crate::{
    battle::{Choice, Id, Offer, SpellId},
    grid::Cell,
    ui::selection::Settled,
};

/// What is to be settled next.
#[derive(Clone, PartialEq, Debug)]
pub enum Open {
    Spell(Vec<SpellId>),
    /// Somebody or a cell on the board.
    Aim {
        people: Vec<Id>,
        places: Vec<Cell>,
    },
    /// One of these few ways.
    Way(Vec<Offer>),
    /// A number for this one.
    Number(Offer),
    Nothing(Choice),
}

/// More places than this are chosen on the board only.
const FEW: usize = 9;

/// What is open of an act's legal ways. `None`: nothing is left of them.
pub fn open(ways: &[Offer], settled: &Settled) -> Option<Open> {
    let left: Vec<&Offer> = ways.iter().filter(|o| settled.allows(&o.choice)).collect();
    let choices = || left.iter().map(|o| &o.choice);
    let spells = distinct(choices().map(|c| c.spell));
    if settled.spell.is_none() && spells.len() > 1 {
        return Some(Open::Spell(spells.into_iter().flatten().collect()));
    }
    let has_aim = |c: &Choice| c.at.is_some() || c.to.is_some();
    if !settled.is_aimed() && choices().any(has_aim) && choices().all(has_aim) {
        let places = choices().filter(|c| c.at.is_none()).map(|c| c.to);
        return Some(Open::Aim {
            people: distinct(choices().filter_map(|c| c.at)),
            places: distinct(places.flatten()),
        });
    }
    let places = distinct(choices().filter_map(|c| c.to));
    if settled.to.is_none() && places.len() > FEW && choices().all(|c| c.to.is_some()) {
        return Some(Open::Aim {
            people: vec![],
            places,
        });
    }
    match &left[..] {
        [] => None,
        [one] if one.numbers.is_some() => Some(Open::Number((*one).clone())),
        [one] => Some(Open::Nothing(one.choice.clone())),
        many => Some(Open::Way(many.iter().map(|o| (*o).clone()).collect())),
    }
}

/// Each once, in the order in which they come.
fn distinct<T: PartialEq>(all: impl Iterator<Item = T>) -> Vec<T> {
    let mut out = vec![];
    for one in all {
        if !out.contains(&one) {
            out.push(one);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battle::{Item, PASS};

    fn offers(choices: impl IntoIterator<Item = Choice>) -> Vec<Offer> {
        choices.into_iter().map(Offer::legal).collect()
    }

    fn choice() -> Choice {
        Choice::new(&PASS, Id(0))
    }

    #[test]
    fn first_the_spell_then_the_target_then_the_rest() {
        let ways = offers([
            choice().spell(SpellId(0)).at(Id(1)),
            choice().spell(SpellId(1)).at(Id(1)).with(Item(0)),
            choice().spell(SpellId(1)).at(Id(1)).with(Item(1)),
            choice().spell(SpellId(1)).at(Id(2)),
        ]);
        let mut settled = Settled::default();
        let spells = vec![SpellId(0), SpellId(1)];
        assert_eq!(open(&ways, &settled), Some(Open::Spell(spells)));
        settled.spell = Some(SpellId(1));
        let aim = Open::Aim {
            people: vec![Id(1), Id(2)],
            places: vec![],
        };
        assert_eq!(open(&ways, &settled), Some(aim));
        settled.at = Some(Id(1));
        assert_eq!(open(&ways, &settled), Some(Open::Way(ways[1..3].to_vec())));
        settled.with = Some(Item(1));
        let last = ways[2].choice.clone();
        assert_eq!(open(&ways, &settled), Some(Open::Nothing(last)));
        settled.with = Some(Item(2));
        assert_eq!(open(&ways, &settled), None);
    }

    #[test]
    fn a_single_target_is_aimed_at_all_the_same() {
        let ways = offers([choice().at(Id(3))]);
        let aim = Open::Aim {
            people: vec![Id(3)],
            places: vec![],
        };
        assert_eq!(open(&ways, &Settled::default()), Some(aim));
    }

    #[test]
    fn many_cells_are_chosen_on_the_board_and_few_in_a_list() {
        let cell = |n| choice().at(Id(1)).to(Cell::new(n, 0));
        let settled = Settled {
            at: Some(Id(1)),
            ..Settled::default()
        };
        let few = open(&offers((0..3).map(cell)), &settled);
        assert!(matches!(few, Some(Open::Way(ways)) if ways.len() == 3));
        let many = open(&offers((0..30).map(cell)), &settled);
        assert!(matches!(many, Some(Open::Aim { places, .. }) if places.len() == 30));
    }

    #[test]
    fn a_number_is_asked_for_last() {
        let ways = vec![Offer::legal(choice().at(Id(1))).ranging(60, 100)];
        let settled = Settled::default().aimed(&ways[0].choice);
        assert!(matches!(open(&ways, &settled), Some(Open::Number(_))));
    }
}
