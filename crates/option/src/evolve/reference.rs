//! The evolution of a vector, operation by operation as [`crate::evolve`] lists them.

use core::slice;

use nonius_linalg::Number;

use super::{Constraint, Evolution, Failure, Generator, Outcome, Row, Stage, Steps, in_one_format};

/// Newton's steps from the crossing of a line to that of a cubic polynomial.
const NEWTON: usize = 3;

/// What the vector comes to.
///
/// # Errors
/// As [`Evolution::check`]; [`Failure::Pivot`] and [`Failure::NotFinite`].
pub(crate) fn evolve<T: Number>(evolution: &Evolution<T>) -> Result<Outcome<T>, Failure> {
    evolution.check()?;
    let evolution = &in_one_format(slice::from_ref(evolution))[0];
    let mut outcome = Outcome { u: evolution.start.clone(), contact: Vec::new() };
    for (number, stage) in evolution.stages.iter().enumerate() {
        match stage {
            Stage::Steps(steps) => {
                let factors = Factors::new(&evolution.generators[steps.generator], steps)
                    .map_err(|row| Failure::Pivot { stage: number, row })?;
                for _ in 0..steps.count {
                    let constraint = steps.constraint;
                    let obstacle = constraint.map(|c| &evolution.obstacles[c.obstacle]);
                    let contact = factors.step(&mut outcome.u, obstacle);
                    if let Some(constraint) = constraint {
                        outcome.contact.push(constraint.contact(contact, outcome.u.len()));
                    }
                }
            }
            Stage::Map(rows) => outcome.u = map(rows, &outcome.u),
            Stage::Floor(obstacle) => floor(&mut outcome.u, &evolution.obstacles[*obstacle]),
        }
        if let Some(row) = outcome.u.iter().position(|x| !x.is_finite()) {
            return Err(Failure::NotFinite { stage: number, row });
        }
    }
    Ok(outcome)
}

/// The vector through a map.
pub(crate) fn map<T: Number>(rows: &[Row<T>], u: &[T]) -> Vec<T> {
    let of_row = |row: &Row<T>| {
        let terms = row.weights.iter().zip(&u[row.first..]);
        terms.fold(row.constant, |sum, (&w, &x)| sum + w * x)
    };
    rows.iter().map(of_row).collect()
}

/// The maximum with an obstacle; beside a crossing, nodes take what [`crossing`] says.
pub(crate) fn floor<T: Number>(u: &mut [T], g: &[T]) {
    let n = u.len();
    // Of the node before, this one and the two behind, as far as there are.
    let above = |u: &[T], k: usize| if k < n { u[k] - g[k] } else { T::ZERO };
    let mut window = [T::ZERO, above(u, 0), above(u, 1), above(u, 2)];
    let mut carried = T::ZERO;
    for k in 0..n {
        let floored = if window[1] <= T::ZERO { g[k] } else { u[k] };
        let [own, next] = if k >= 1 && k + 2 < n { crossing(window) } else { [T::ZERO; 2] };
        u[k] = floored + carried + own;
        carried = next;
        let [_, here, after, last] = window;
        window = [here, after, last, above(u, k + 3)];
    }
}

/// What the two nodes in the middle of four take, where the vector crosses the obstacle between
/// these, by how far it is above at each.
///
/// Source: the expansion of sums of functions with a kink (see [`crate::evolve`]).
fn crossing<T: Number>(above: [T; 4]) -> [T; 2] {
    let [low, high] = [above[0] <= T::ZERO, above[3] <= T::ZERO];
    if low == high || (above[1] <= T::ZERO) != low || (above[2] <= T::ZERO) != high {
        return [T::ZERO; 2];
    }
    if low {
        return rising(above);
    }
    let [p, q, r, s] = above;
    let [c, d] = rising([s, r, q, p]);
    [d, c]
}

/// The same, where the vector is above the obstacle at the last two nodes.
fn rising<T: Number>([p, q, r, s]: [T; 4]) -> [T; 2] {
    let number = T::from_f64;
    // The cubic polynomial through all four, `q + a·t + b·t² + c·t³` at `−1, 0, 1, 2`.
    let b = (p + r) * number(0.5) - q;
    let c = ((s - p) + number(3.0) * (q - r)) / number(6.0);
    let a = ((r - q) - b) - c;
    let line = q / (q - r);
    let mut z = line;
    for _ in 0..NEWTON {
        let value = q + z * (a + z * (b + z * c));
        let slope = a + z * (number(2.0) * b + z * (number(3.0) * c));
        z -= value / slope;
    }
    // NaN too.
    if !(z >= T::ZERO && z - T::ONE <= T::ZERO) {
        z = line;
    }
    let slope = a + z * (number(2.0) * b + z * (number(3.0) * c));
    let curvature = number(2.0) * b + z * (number(6.0) * c);
    if !(slope > T::ZERO && slope.is_finite() && curvature.is_finite()) {
        return [T::ZERO; 2];
    }
    let part = (z * (T::ONE - z)) * number(0.5);
    let third = (number(0.5) - z) / number(3.0);
    let sum = -(part * (slope + third * curvature));
    let moment = -(number(2.0) * (part * (third * slope)));
    let last = moment + z * sum;
    [sum - last, last]
}

/// Where elimination begins.
pub(crate) fn begins_high(constraint: Option<Constraint>) -> bool {
    constraint.is_some_and(Constraint::begins_high)
}

/// A stage's matrix, factored; nodes are counted from where elimination begins.
struct Factors<T> {
    /// `m`, `q` and `e` of the order of operations.
    multipliers: Vec<T>,
    scaled_inverses: Vec<T>,
    couplings: Vec<T>,
    kappa: T,
    high_first: bool,
}

impl<T: Number> Factors<T> {
    /// The row of a pivot that is zero or not finite, where there is one.
    fn new(generator: &Generator<T>, steps: &Steps<T>) -> Result<Self, usize> {
        let n = generator.diagonal.len();
        let s = steps.theta * steps.dt;
        let w = T::ONE / steps.theta;
        let kappa = (T::ONE - steps.theta) / steps.theta;
        let high_first = begins_high(steps.constraint);
        let (before, after) = if high_first {
            (&generator.upper, &generator.lower)
        } else {
            (&generator.lower, &generator.upper)
        };
        let node = |k: usize| if high_first { n - 1 - k } else { k };
        let mut factors = Self {
            multipliers: vec![T::ZERO; n],
            scaled_inverses: vec![T::ZERO; n],
            couplings: vec![T::ZERO; n],
            kappa,
            high_first,
        };
        // Of the node before.
        let (mut p, mut c) = (T::ZERO, T::ZERO);
        for k in 0..n {
            let i = node(k);
            let b = T::ONE - s * generator.diagonal[i];
            let pivot = if k == 0 {
                b
            } else {
                factors.multipliers[k] = -(s * before[i]) * p;
                b - factors.multipliers[k] * c
            };
            p = T::ONE / pivot;
            if pivot == T::ZERO || !pivot.is_finite() || !p.is_finite() {
                return Err(i);
            }
            c = -(s * after[i]);
            factors.scaled_inverses[k] = p * w;
            factors.couplings[k] = c * p;
        }
        Ok(factors)
    }

    /// One step; how many nodes from the end where substitution begins lie on the obstacle.
    fn step(&self, u: &mut [T], obstacle: Option<&Vec<T>>) -> usize {
        let n = u.len();
        let node = |k: usize| if self.high_first { n - 1 - k } else { k };
        let mut y = vec![T::ZERO; n];
        y[0] = u[node(0)];
        for k in 1..n {
            y[k] = u[node(k)] - self.multipliers[k] * y[k - 1];
        }
        let mut contact = 0;
        let mut v = T::ZERO;
        for k in (0..n).rev() {
            let i = node(k);
            let own = y[k] * self.scaled_inverses[k];
            v = if k + 1 == n { own } else { own - self.couplings[k] * v };
            let mut next = v - self.kappa * u[i];
            if let Some(g) = obstacle.map(|g| g[i])
                && next - g <= T::ZERO
            {
                if contact == n - 1 - k {
                    contact += 1;
                }
                next = g;
                v = g + self.kappa * u[i];
            }
            u[i] = next;
        }
        contact
    }
}
