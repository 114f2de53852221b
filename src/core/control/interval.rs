//! Confidence intervals for counted shares.

/// The two-sided 95% quantile of the normal distribution.
pub const Z: f64 = 1.959_964;

/// Wilson's 95% confidence interval for the share `hits` / `of`, both ends from 0 to 1. A draw
/// may count as half a hit.
pub fn wilson(hits: f64, of: usize) -> (f64, f64) {
    if of == 0 {
        return (0.0, 1.0);
    }
    let n = of as f64;
    let share = hits / n;
    let middle = share + Z * Z / (2.0 * n);
    let reach = Z * (share * (1.0 - share) / n + Z * Z / (4.0 * n * n)).sqrt();
    let all = 1.0 + Z * Z / n;
    // At 0 and 1 the interval includes the end exactly, despite rounding.
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
