//! Computes what each kind is worth from the results of battles. A squad's strength
//! is the sum of its members' worths; of two squads with strengths A and B, the first
//! wins with probability A^b / (A^b + B^b). The worths and b are the
//! maximum-likelihood estimates; their errors follow from the curvature at the
//! maximum.

/// Two squads, as indices of kinds, and the first squad's share: 1 for a win.
pub struct Fought {
    pub squads: [Vec<usize>; 2],
    pub share: f64,
}

/// A kind's worth relative to the reference kind.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Value {
    pub worth: f64,
    /// The standard error of its logarithm.
    pub error: f64,
}

/// The parameters: the logarithm of each worth, and b.
struct FitState {
    logs: Vec<f64>,
    b: f64,
}

/// Steps of the optimisation.
const STEPS: usize = 60;
/// The prior for each worth, as a standard deviation of its logarithm: without it, a
/// kind that always won would be worth infinitely much.
const SPREAD: f64 = 2.0;
/// The largest step, in logarithms.
const STRIDE: f64 = 0.5;

impl FitState {
    /// The logarithm of a squad's strength, and each member's share of it.
    fn strength(&self, squad: &[usize]) -> (f64, Vec<(usize, f64)>) {
        let sum: f64 = squad.iter().map(|&n| self.logs[n].exp()).sum();
        let share = |&n: &usize| (n, self.logs[n].exp() / sum);
        (sum.ln(), squad.iter().map(share).collect())
    }

    /// The first squad's win probability, and its derivative by each parameter.
    fn predict(&self, fought: &Fought) -> (f64, Vec<(usize, f64)>) {
        let [a, b] = [0, 1].map(|n| self.strength(&fought.squads[n]));
        let apart = a.0 - b.0;
        let chance = 1.0 / (1.0 + (-self.b * apart).exp());
        let mut slopes: Vec<(usize, f64)> = vec![];
        let against = b.1.into_iter().map(|(n, by)| (n, -by));
        for (n, by) in a.1.into_iter().chain(against) {
            match slopes.iter_mut().find(|slope| slope.0 == n) {
                Some(slope) => slope.1 += by * self.b,
                None => slopes.push((n, by * self.b)),
            }
        }
        // Use the logarithm of b, so that b stays positive.
        slopes.push((self.logs.len(), self.b * apart));
        (chance, slopes)
    }
}

/// The worth of each of `count` kinds relative to the kind `measure`, and b.
pub fn values(fought: &[Fought], count: usize, measure: usize) -> (Vec<Value>, f64) {
    let mut state = FitState {
        logs: vec![0.0; count],
        b: 1.0,
    };
    let size = count + 1;
    let mut curvature = vec![];
    for _ in 0..STEPS {
        let mut slope = vec![0.0; size];
        curvature = vec![vec![0.0; size]; size];
        for one in fought {
            let (chance, slopes) = state.predict(one);
            let weight = chance * (1.0 - chance);
            for &(i, by) in &slopes {
                slope[i] += (one.share - chance) * by;
                for &(j, other) in &slopes {
                    curvature[i][j] += weight * by * other;
                }
            }
        }
        for n in 0..size {
            let now = match n < count {
                true => state.logs[n],
                false => state.b.ln(),
            };
            slope[n] -= now / (SPREAD * SPREAD);
            curvature[n][n] += 1.0 / (SPREAD * SPREAD);
        }
        let step = solved(&curvature, &slope);
        let mut most: f64 = 0.0;
        for (n, by) in step.into_iter().enumerate() {
            let by = by.clamp(-STRIDE, STRIDE);
            most = most.max(by.abs());
            match n < count {
                true => state.logs[n] += by,
                false => state.b *= by.exp(),
            }
        }
        if most < 1e-6 {
            break;
        }
    }
    let value = |n: usize| {
        let mut apart = vec![0.0; size];
        apart[n] += 1.0;
        apart[measure] -= 1.0;
        let spread = solved(&curvature, &apart);
        let variance: f64 = std::iter::zip(&apart, &spread).map(|(a, b)| a * b).sum();
        Value {
            worth: (state.logs[n] - state.logs[measure]).exp(),
            error: variance.max(0.0).sqrt(),
        }
    };
    ((0..count).map(value).collect(), state.b)
}

/// The first squad's predicted win probability for given worths.
pub fn predicted(squads: &[Vec<usize>; 2], worth: impl Fn(usize) -> f64, b: f64) -> f64 {
    let [one, other] = [0, 1].map(|n| squads[n].iter().map(|&n| worth(n)).sum::<f64>().ln());
    1.0 / (1.0 + (-b * (one - other)).exp())
}

/// Solves a linear system with a symmetric positive definite matrix.
fn solved(matrix: &[Vec<f64>], wanted: &[f64]) -> Vec<f64> {
    let size = wanted.len();
    let mut rows: Vec<Vec<f64>> = matrix.to_vec();
    let mut found = wanted.to_vec();
    for n in 0..size {
        let pivot = (n..size).max_by(|&a, &b| rows[a][n].abs().total_cmp(&rows[b][n].abs()));
        let pivot = pivot.unwrap_or(n);
        rows.swap(n, pivot);
        found.swap(n, pivot);
        for below in n + 1..size {
            let by = rows[below][n] / rows[n][n];
            if by == 0.0 {
                continue;
            }
            let (above, under) = rows.split_at_mut(below);
            for (cell, over) in under[0][n..].iter_mut().zip(&above[n][n..]) {
                *cell -= by * over;
            }
            found[below] -= by * found[n];
        }
    }
    for n in (0..size).rev() {
        let rest: f64 = (n + 1..size).map(|k| rows[n][k] * found[k]).sum();
        found[n] = (found[n] - rest) / rows[n][n];
    }
    found
}
