//! How sure a share is that was counted.

/// Wilson's interval that holds the true share 95 times in 100, each 0 to 1.
/// `hits` of `of`; a draw may count as half a hit.
pub fn wilson(hits: f64, of: usize) -> (f64, f64) {
    const Z: f64 = 1.959_964;
    if of == 0 {
        return (0.0, 1.0);
    }
    let n = of as f64;
    let share = hits / n;
    let middle = share + Z * Z / (2.0 * n);
    let reach = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let all = 1.0 + Z * Z / n;
    (
        ((middle - reach) / all).max(0.0),
        ((middle + reach) / all).min(1.0),
    )
}

#[cfg(test)]
mod tests {
    use super::wilson;

    #[test]
    fn an_interval_holds_its_share_and_stays_within_0_and_1() {
        let near =
            |(a, b): (f64, f64), c: f64, d: f64| (a - c).abs() < 5e-4 && (b - d).abs() < 5e-4;
        assert!(near(wilson(0.0, 10), 0.0, 0.2775));
        assert!(near(wilson(10.0, 10), 0.7225, 1.0));
        assert!(near(wilson(50.0, 100), 0.4038, 0.5962));
        assert_eq!(wilson(0.0, 0), (0.0, 1.0));
    }
}
