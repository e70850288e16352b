//! The evolution of a vector, operation by operation as [`crate::evolve`] lists them.

use crate::Scalar;
use crate::evolve::{Constraint, Evolution, Failure, Generator, Outcome, Row, Stage, Steps};

/// What the vector comes to.
///
/// # Errors
/// As [`Evolution::check`]; [`Failure::Pivot`] and [`Failure::NotFinite`].
pub fn evolve<T: Scalar>(evolution: &Evolution<T>) -> Result<Outcome<T>, Failure> {
    evolution.check()?;
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
pub(crate) fn map<T: Scalar>(rows: &[Row<T>], u: &[T]) -> Vec<T> {
    let of_row = |row: &Row<T>| {
        let terms = row.weights.iter().zip(&u[row.first..]);
        terms.fold(row.constant, |sum, (&w, &x)| sum + w * x)
    };
    rows.iter().map(of_row).collect()
}

fn floor<T: Scalar>(u: &mut [T], g: &[T]) {
    for (u, &g) in u.iter_mut().zip(g) {
        if *u - g <= T::ZERO {
            *u = g;
        }
    }
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

impl<T: Scalar> Factors<T> {
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
