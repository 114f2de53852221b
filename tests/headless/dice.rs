//! The dice of a battle.

use fivefoot_core::battle::{DiceBox, Id};

/// Recordings depend on these numbers, so they must never change.
#[test]
fn the_dice_sequence_never_changes() {
    let mut dice = DiceBox::seeded(1187);
    let d20: Vec<u16> = (0..12).map(|_| dice.roll(20)).collect();
    let d6: Vec<u16> = (0..12).map(|_| dice.roll(6)).collect();
    assert_eq!(d20, [1, 4, 14, 10, 5, 2, 17, 4, 18, 2, 9, 5]);
    assert_eq!(d6, [3, 1, 5, 6, 5, 5, 6, 3, 5, 6, 5, 3]);
}

#[test]
fn every_face_is_equally_likely() {
    let mut dice = DiceBox::seeded(7);
    let mut faces = [0u32; 6];
    for _ in 0..60_000 {
        faces[usize::from(dice.roll(6)) - 1] += 1;
    }
    assert!(
        faces.iter().all(|n| (9_600..10_400).contains(n)),
        "{faces:?}"
    );
}

/// In simulations that are compared, what one unit rolls does not change the dice of the others.
#[test]
fn each_unit_can_have_dice_of_its_own() {
    let (ann, bob) = (Id(0), Id(1));
    let mut alone = DiceBox::per_unit(5);
    alone.roll_for(bob);
    let wanted: Vec<u16> = (0..20).map(|_| alone.roll(20)).collect();
    let mut dice = DiceBox::per_unit(5);
    let mut others = vec![];
    let rolled: Vec<u16> = (0..20)
        .map(|n| {
            dice.roll_for(ann);
            others.extend((0..n % 3).map(|_| dice.roll(20)));
            dice.roll_for(bob);
            dice.roll(6);
            dice.roll(20)
        })
        .collect();
    assert_eq!(rolled, wanted);
    assert_ne!(others[..10], wanted[..10]);
    assert_eq!(dice.rolled(), 40 + others.len() as u32);
}

#[test]
fn scripted_dice_must_match_the_rolls() {
    let mut dice = DiceBox::scripted([(20, 14), (6, 3)]);
    assert_eq!(dice.roll(20), 14);
    assert_eq!(dice.fault(), None);
    dice.roll(8);
    assert!(dice.fault().unwrap().to_string().contains("d6: 3"));
    dice.roll(4);
    assert_eq!(dice.fault().unwrap().nth, 1);
    assert_eq!(dice.left(), 0);
}

/// Dice that show average results also give average sums: 2d6 to 7.
#[test]
fn average_dice_give_average_sums() {
    let mut dice = DiceBox::middling();
    let mut roll = |sides: &[u16]| -> u16 { sides.iter().map(|&s| dice.roll(s)).sum() };
    assert_eq!(roll(&[6, 6]), 7);
    assert_eq!(roll(&[6, 6]), 7);
    assert_eq!(roll(&[3, 3]), 4);
    assert_eq!(roll(&[8]), 5);
    assert_eq!(roll(&[6]), 4);
}
