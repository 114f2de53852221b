//! The probability distribution of an attack's damage.

use fivefoot_core::battle::Spread;

/// The spread of an attack for 1d4 that hits half the time.
fn half_d4(enough: i32) -> Spread {
    let at_least = |n: i32| (5 - n).clamp(0, 4) as f32 / 4.0;
    Spread::of(0.5, (1, 4), at_least, 0, enough)
}

#[test]
fn chances_add_up_and_bars_are_sorted() {
    let spread = half_d4(4);
    let points: Vec<i32> = spread.bars.iter().map(|b| b.points).collect();
    assert_eq!(points, [0, 1, 2, 3, 4]);
    let all: f32 = spread.bars.iter().map(|b| b.chance).sum();
    let drops: f32 = spread.bars.iter().map(|b| b.drops).sum();
    assert!((all - 1.0).abs() < 1e-6 && (drops - 0.125).abs() < 1e-6);
    assert!((spread.mean() - 1.25).abs() < 1e-6);
}

#[test]
fn damage_on_a_miss_is_included() {
    let spread = Spread::of(0.5, (1, 1), |n| f32::from(u8::from(n <= 1)), 1, 9);
    assert_eq!(spread.bars.len(), 1);
    assert!((spread.bars[0].chance - 1.0).abs() < 1e-6);
}

#[test]
fn two_attacks_add_up() {
    let both = half_d4(99).and(&half_d4(99), 8);
    assert_eq!(both.bars.last().map(|b| b.points), Some(8));
    let drops: f32 = both.bars.iter().map(|b| b.drops).sum();
    assert!((drops - 1.0 / 64.0).abs() < 1e-6);
    assert!((both.mean() - 2.5).abs() < 1e-5);
}

#[test]
fn a_wide_spread_is_grouped_into_few_bars() {
    let at_least = |n: i32| (101 - n).clamp(0, 100) as f32 / 100.0;
    let few = Spread::of(1.0, (1, 100), at_least, 0, 50).at_most(20);
    assert_eq!(few.len(), 20);
    let drops: f32 = few.iter().map(|b| b.drops).sum();
    assert!((drops - 0.51).abs() < 1e-5, "{drops}");
}
