//! How sure a share is that was counted.

/// Of the normal distribution: so far from the middle lie 5 in 100.
pub const Z: f64 = 1.959_964;

/// Wilson's interval that holds the true share 95 times in 100, each 0 to 1.
/// `hits` of `of`; a draw may count as half a hit.
pub fn wilson(hits: f64, of: usize) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let n = of as f64;
    let share = hits / n;
    let middle = share + Z * Z / (2.0 * n);
    let reach = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let all = 1.0 + Z * Z / n;
    // At the ends it reaches the end: rounding must not keep it from that.
    let least = if hits <= 0.0 {
        0.0
    } else {
        (middle - reach) / all
    };
    let most = if hits >= n {
        1.0
    } else {
        (middle + reach) / all
    };
    (least.max(0.0), most.min(1.0))
}
