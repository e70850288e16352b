//! Yield stresses, and how much of a step is plastic.

use nonius_num::Lane;

use super::functions::{ln, power};
use crate::model::{Hardening, JohnsonCook};

/// The yield stress, and its derivative with respect to plastic strain at a constant length of the
/// step.
pub(super) struct Yield<L> {
    pub(super) stress: L,
    pub(super) slope: L,
}

/// Plastic strains and powers of them below this count as zero.
const LEAST_PLASTIC_STRAIN: f64 = 1e-250;

/// Newton's method ends after a step that changes its result by less than this part. Where the law
/// is smooth, the remaining error is of the order of its square.
const NEAR: f64 = 1e-9;

/// The rounding error of the residual, as a part of the stress: some units in the last place.
const NOISE: f64 = 1e-15;

impl Hardening {
    /// What temperature does to the yield stress.
    #[inline(always)]
    pub(super) fn softening<L: Lane>(&self, temperature: L) -> L {
        let one = L::splat(1.0);
        let &Hardening::JohnsonCook(JohnsonCook { m, melting, transition, .. }) = self else {
            return one;
        };
        let theta = (temperature - L::splat(transition)) * L::splat(1.0 / (melting - transition));
        let is_cold = L::less(theta, L::splat(LEAST_PLASTIC_STRAIN));
        let is_molten = L::less(one, theta);
        let soft = one - power(L::select(is_cold, one, theta), m);
        L::select(is_cold, one, L::select(is_molten, L::splat(0.0), soft))
    }

    /// At the plastic strain `p` of which `step` is of a step of length `dt`.
    #[inline(always)]
    pub(super) fn at<L: Lane>(&self, p: L, step: L, dt: f64, softening: L) -> Yield<L> {
        match self {
            Hardening::Table(points) => {
                let first = points[0];
                let (mut start, mut height, mut slope) =
                    (L::splat(first[0]), L::splat(first[1]), L::splat(0.0));
                for (k, point) in points.iter().enumerate() {
                    let after = match points.get(k + 1) {
                        Some(next) => (next[1] - point[1]) / (next[0] - point[0]),
                        None => 0.0,
                    };
                    let is_before = L::less(p, L::splat(point[0]));
                    start = L::select(is_before, start, L::splat(point[0]));
                    height = L::select(is_before, height, L::splat(point[1]));
                    slope = L::select(is_before, slope, L::splat(after));
                }
                Yield { stress: slope.mul_add(p - start, height), slope }
            }
            &Hardening::JohnsonCook(JohnsonCook { a, b, n, c, rate, .. }) => {
                let (zero, one) = (L::splat(0.0), L::splat(1.0));
                let is_new = L::less(p, L::splat(LEAST_PLASTIC_STRAIN));
                let some = L::select(is_new, one, p);
                let grown = L::splat(b) * power(some, n);
                let hard = L::splat(a) + L::select(is_new, zero, grown);
                let hardening = L::select(is_new, zero, L::splat(n) * grown / some);
                let relative = step * L::splat(1.0 / (dt * rate));
                let is_quick = L::less(one, relative);
                let ratio = L::select(is_quick, relative, one);
                let quick = L::splat(c).mul_add(ln(ratio), one);
                let quickening =
                    L::select(is_quick, L::splat(c) / L::select(is_quick, step, one), zero);
                Yield {
                    stress: hard * quick * softening,
                    slope: hardening.mul_add(quick, hard * quickening) * softening,
                }
            }
        }
    }

    /// The multipliers by which trial stresses of von Mises come back to the yield surface; zero
    /// below it: Newton's method between bounds.
    #[inline(always)]
    pub(super) fn multiplier<L: Lane>(
        &self,
        trial: L,
        mu: f64,
        p: L,
        dt: f64,
        temperature: L,
    ) -> L {
        let zero = L::splat(0.0);
        let softening = self.softening(temperature);
        let stiffness = L::splat(3.0 * mu);
        let above = trial - self.at(p, zero, dt, softening).stress;
        let is_plastic = L::less(zero, above);
        if L::all(L::less(above, L::splat(f64::MIN_POSITIVE))) {
            return zero;
        }
        // All of the stress is too much.
        let (mut low, mut high) = (zero, trial / stiffness);
        let first = above / stiffness;
        let mut step = L::select(L::less(first, high), first, high);
        // Lanes that are done, or have nothing to do, stay where they are.
        let mut left = L::select(is_plastic, L::splat(1.0), zero);
        let near = match self {
            Hardening::Table(_) => 0.0,
            Hardening::JohnsonCook(_) => NEAR,
        };
        let noise = L::splat(NOISE) * trial;
        for _ in 0..60 {
            let y = self.at(p + step, step, dt, softening);
            let value = trial - stiffness.mul_add(step, y.stress);
            let slope = -(stiffness + y.slope);
            let is_low = L::less(zero, value);
            low = L::select(is_low, step, low);
            high = L::select(is_low, high, step);
            let newton = step - value / slope;
            let middle = L::splat(0.5) * (low + high);
            let next = L::select(L::less(low, newton), newton, middle);
            let next = L::select(L::less(next, high), next, middle);
            left = L::select(L::less(value.abs(), noise), zero, left);
            let is_near = L::less((next - step).abs(), L::splat(near) * next);
            step = L::select(L::less(zero, left), next, step);
            left = L::select(is_near, zero, left);
            if L::all(L::less(left, L::splat(0.5))) {
                break;
            }
        }
        L::select(is_plastic, step, zero)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A bound of the relative rounding error of a stress, which comes from one power and one
    /// logarithm.
    const ROUNDINGS: f64 = 64.0 * f64::EPSILON / 2.0;

    #[test]
    fn johnson_and_cook() {
        let law = Hardening::JohnsonCook(JohnsonCook {
            a: 806.0,
            b: 614.0,
            n: 0.168,
            c: 0.0089,
            rate: 1.0,
            m: 1.1,
            melting: 1540.0,
            transition: 20.0,
        });
        let expected = (806.0 + 614.0 * 0.3f64.powf(0.168))
            * (1.0 + 0.0089 * 1e5f64.ln())
            * (1.0 - (380.0f64 / 1520.0).powf(1.1));
        let softening = law.softening(400.0);
        let (at, by) = (1e-3, 1e-7);
        let found = law.at(0.3, at, 1e-8, softening);
        assert!((found.stress / expected - 1.0).abs() < ROUNDINGS);
        let slope = (law.at(0.3 + by, at + by, 1e-8, softening).stress
            - law.at(0.3 - by, at - by, 1e-8, softening).stress)
            / (2.0 * by);
        // A central difference of ln x errs by a third of (by/x)². The rounding errors of two
        // stresses are divided by twice the change.
        let apart = (by / at).powi(2) + ROUNDINGS * found.stress / (by * slope);
        assert!((found.slope / slope - 1.0).abs() < apart, "{} {slope}", found.slope);
        for trial in [806.0, 807.0, 1500.0, 5e4] {
            let mu = 79e3;
            let step = law.multiplier(trial, mu, 0.0, 1e-8, 20.0);
            let left = trial - 3.0 * mu * step;
            let right = law.at(step, step, 1e-8, 1.0).stress;
            assert!(
                step == 0.0 || (left / right - 1.0).abs() < 8.0 * ROUNDINGS,
                "{trial}: {left} {right}"
            );
        }
    }
}
