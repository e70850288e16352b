//! How stress follows from strain.
//!
//! **Elasticity** is linear in the rate of deformation, with the stress rate of Jaumann: over a step `σ' = R·(σ + ½·C·ε)·Rᵀ + ½·C·ε` with `C·ε = λ·tr(ε)·1 + 2µ·ε`, where `ε` and the spin are those half way and `R` follows from the spin by Cayley's formula (Hughes and Winget, *Finite
//! rotation effects in numerical integration of rate constitutive equations*, 1980), so that rigid rotations leave no strain. With half of the strain on either side of the rotation the error is of order 2.
//!
//! **Plasticity** of von Mises returns the trial stress to the yield surface along its deviator (Wilkins, *Calculation of elastic-plastic flow*, 1964): the multiplier `Δp` solves `q − 3µ·Δp = σ_y(p + Δp, Δp/Δt, T)`
//! by Newton's method between bounds. Temperatures rise by plastic work, `Δ T = χ·σ_y·Δp/(ρ·c)`, and thermal strain counts from the next step on.

use super::real::{Real, V3};

/// A material, in the numbers that a step needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Mass of a unit of volume at the beginning.
    pub density: f64,
    /// Lamé's first parameter.
    pub lambda: f64,
    /// The shear modulus.
    pub mu: f64,
    /// The yield stress, where there is one.
    pub hardening: Option<Hardening>,
    /// Thermal strain of a unit of temperature.
    pub expansion: f64,
    /// Temperature that a unit of plastic work in a unit of mass makes: the part of it that becomes heat over the specific heat.
    pub heating: f64,
}

/// How the yield stress depends on plastic strain, its rate and temperature.
#[derive(Clone, Debug, PartialEq)]
pub enum Hardening {
    /// Plastic strains, which increase from zero, each with its yield stress; linear between, constant beyond.
    Table(Vec<[f64; 2]>),
    /// `(a + b·pⁿ)·(1 + c·ln(ṗ/rate))·(1 − θᵐ)`, `θ` from 0 at `transition` to 1 at `melting`; `c` plays no part below `rate`.
    JohnsonCook {
        /// Yield stress without plastic strain.
        a: f64,
        /// Factor of hardening.
        b: f64,
        /// Exponent of hardening.
        n: f64,
        /// Factor of the rate.
        c: f64,
        /// Reference rate.
        rate: f64,
        /// Exponent of temperature.
        m: f64,
        /// Melting temperature.
        melting: f64,
        /// Transition temperature.
        transition: f64,
    },
}

/// The yield stress, and its derivative with respect to plastic strain at a constant length of the step.
pub(super) struct Yield {
    pub(super) stress: f64,
    pub(super) slope: f64,
}

impl Hardening {
    /// At the plastic strain `p` of which `step` is of a step of length `dt`.
    pub(super) fn at(&self, p: f64, step: f64, dt: f64, temperature: f64) -> Yield {
        match self {
            Hardening::Table(points) => {
                let after = points.partition_point(|point| point[0] <= p);
                if after == 0 || after == points.len() {
                    let stress = points[after.saturating_sub(1)][1];
                    return Yield { stress, slope: 0.0 };
                }
                let ([p0, s0], [p1, s1]) = (points[after - 1], points[after]);
                let slope = (s1 - s0) / (p1 - p0);
                Yield { stress: s0 + slope * (p - p0), slope }
            }
            &Hardening::JohnsonCook { a, b, n, c, rate, m, melting, transition } => {
                let (hard, hardening) = if p > 0.0 {
                    let power = b * p.powf(n);
                    (a + power, n * power / p)
                } else {
                    (a, 0.0)
                };
                let relative = step / (dt * rate);
                let (quick, quickening) =
                    if relative > 1.0 { (1.0 + c * relative.ln(), c / step) } else { (1.0, 0.0) };
                let theta = ((temperature - transition) / (melting - transition)).clamp(0.0, 1.0);
                let soft = if theta > 0.0 { 1.0 - theta.powf(m) } else { 1.0 };
                Yield {
                    stress: hard * quick * soft,
                    slope: (hardening * quick + hard * quickening) * soft,
                }
            }
        }
    }

    /// The multiplier by which a trial stress of von Mises comes back to the yield surface; zero below it.
    pub(super) fn multiplier(&self, trial: f64, mu: f64, p: f64, dt: f64, temperature: f64) -> f64 {
        let residual = |step: f64| {
            let y = self.at(p + step, step, dt, temperature);
            (trial - 3.0 * mu * step - y.stress, -3.0 * mu - y.slope)
        };
        let above = residual(0.0).0;
        if above <= 0.0 || above.is_nan() {
            return 0.0;
        }
        // All of the stress is too much.
        let (mut low, mut high) = (0.0, trial / (3.0 * mu));
        let mut step = high.min(above / (3.0 * mu));
        for _ in 0..60 {
            let (value, slope) = residual(step);
            if value > 0.0 {
                low = step;
            } else {
                high = step;
            }
            let next = step - value / slope;
            let next = if next > low && next < high { next } else { 0.5 * (low + high) };
            if (next - step).abs() <= 1e-15 * (p + high) || next == step {
                return next;
            }
            step = next;
        }
        step
    }
}

/// A symmetric tensor: `11, 22, 33, 12, 23, 13`.
pub type Symmetric<T> = [T; 6];

/// What a point remembers.
#[derive(Clone, Copy)]
pub struct Memory<A> {
    /// Cauchy stress.
    pub stress: Symmetric<A>,
    /// Equivalent plastic strain.
    pub plastic_strain: A,
    /// Temperature.
    pub temperature: A,
    /// Temperature of which thermal strain has been counted.
    pub strained: A,
}

/// What a step changes.
pub(super) struct Change<A> {
    pub(super) stress: Symmetric<A>,
    /// Plastic work of a unit of volume.
    pub(super) plastic_work: A,
}

/// Takes a point through a step: `strain` and the axial vector `spin` are those of the whole step, half way; `specific_volume` is the volume over the mass.
#[inline(always)]
pub(super) fn advance<A: Real>(
    material: &Material,
    memory: &mut Memory<A>,
    mut strain: Symmetric<A>,
    spin: V3<A>,
    (dt, specific_volume): (f64, A),
) -> Change<A> {
    let (lambda, mu) = (A::splat(material.lambda), A::splat(material.mu));
    if material.expansion != 0.0 {
        let thermal = A::splat(material.expansion) * (memory.temperature - memory.strained);
        memory.strained = memory.temperature;
        (0..3).for_each(|k| strain[k] = strain[k] - thermal);
    }
    let old = memory.stress;
    let volumetric = lambda * (strain[0] + strain[1] + strain[2]);
    // Half of the strain is there before the rotation.
    let mut half = old;
    for k in 0..6 {
        half[k] = half[k] + mu * strain[k];
    }
    let mut change = rotated(&half, spin);
    for k in 0..6 {
        change[k] = change[k] + (mu + mu) * strain[k];
    }
    (0..3).for_each(|k| change[k] = change[k] + volumetric);
    let mut plastic_work = A::zero();
    if let Some(hardening) = &material.hardening {
        let trial: Symmetric<A> = core::array::from_fn(|k| old[k] + change[k]);
        let mean = A::splat(1.0 / 3.0) * (trial[0] + trial[1] + trial[2]);
        let deviator: Symmetric<A> =
            core::array::from_fn(|k| if k < 3 { trial[k] - mean } else { trial[k] });
        let equivalent = von_mises(&deviator);
        let multiplier = A::from_fn(|lane| {
            let p = memory.plastic_strain.lane(lane);
            let temperature = memory.temperature.lane(lane);
            hardening.multiplier(equivalent.lane(lane), material.mu, p, dt, temperature)
        });
        // Where nothing yields the factor is zero, whatever the stress.
        let drop = A::splat(3.0) * mu * multiplier;
        let factor = drop / equivalent.max(A::splat(f64::from(f32::MIN_POSITIVE)));
        for k in 0..6 {
            change[k] = change[k] - factor * deviator[k];
        }
        memory.plastic_strain = memory.plastic_strain + multiplier;
        plastic_work = (equivalent - drop) * multiplier;
        if material.heating != 0.0 {
            let heat = A::splat(material.heating) * specific_volume * plastic_work;
            memory.temperature = memory.temperature + heat;
        }
    }
    memory.stress = core::array::from_fn(|k| old[k] + change[k]);
    Change { stress: change, plastic_work }
}

/// The stress of von Mises of a deviator.
#[inline(always)]
fn von_mises<A: Real>(s: &Symmetric<A>) -> A {
    let normal = s[0] * s[0] + s[1] * s[1] + s[2] * s[2];
    let shear = s[3] * s[3] + s[4] * s[4] + s[5] * s[5];
    (A::splat(1.5) * normal + A::splat(3.0) * shear).sqrt()
}

/// What a rotation by Cayley's formula does to a symmetric tensor: `D·σ + σ·Dᵀ + D·σ·Dᵀ` for `R = 1 + D`.
#[inline(always)]
fn rotated<A: Real>(s: &Symmetric<A>, spin: V3<A>) -> Symmetric<A> {
    let d = rotation(spin);
    let full = [[s[0], s[3], s[5]], [s[3], s[1], s[4]], [s[5], s[4], s[2]]];
    // M = D·σ; the change is M + Mᵀ + M·Dᵀ.
    let m = product(&d, &full);
    let entry = |i: usize, j: usize| {
        let last = m[i][0] * d[j][0] + m[i][1] * d[j][1] + m[i][2] * d[j][2];
        m[i][j] + m[j][i] + last
    };
    [entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(1, 2), entry(0, 2)]
}

/// `R − 1` of a spin.
#[inline(always)]
pub(super) fn rotation<A: Real>(w: V3<A>) -> [V3<A>; 3] {
    let (half, zero) = (A::splat(0.5), A::zero());
    let square = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    let factor = A::splat(1.0) / (A::splat(1.0) + A::splat(0.25) * square);
    let skew = [[zero, -w[2], w[1]], [w[2], zero, -w[0]], [-w[1], w[0], zero]];
    core::array::from_fn(|i| {
        core::array::from_fn(|j| {
            let diagonal = if i == j { square } else { zero };
            factor * (skew[i][j] + half * (w[i] * w[j] - diagonal))
        })
    })
}

#[inline(always)]
fn product<A: Real>(a: &[V3<A>; 3], b: &[V3<A>; 3]) -> [V3<A>; 3] {
    core::array::from_fn(|i| {
        core::array::from_fn(|j| a[i][0] * b[0][j] + a[i][1] * b[1][j] + a[i][2] * b[2][j])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn steel(hardening: Option<Hardening>) -> Material {
        let (young, poisson) = (206e3, 0.3);
        Material {
            density: 7.83e-9,
            lambda: young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
            mu: young / (2.0 * (1.0 + poisson)),
            hardening,
            expansion: 0.0,
            heating: 0.0,
        }
    }

    fn memory(stress: Symmetric<f64>) -> Memory<f64> {
        Memory { stress, plastic_strain: 0.0, temperature: 20.0, strained: 20.0 }
    }

    fn deviator(s: &Symmetric<f64>) -> Symmetric<f64> {
        let mean = (s[0] + s[1] + s[2]) / 3.0;
        core::array::from_fn(|k| if k < 3 { s[k] - mean } else { s[k] })
    }

    /// A full turn in a hundred steps brings the stress back but for the chords' angles, and keeps its invariants.
    #[test]
    fn rotations_keep_invariants() {
        let mut point = memory([100.0, -30.0, 20.0, 40.0, 5.0, -7.0]);
        let (before, trace) = (von_mises(&deviator(&point.stress)), 90.0);
        // Cayley's formula turns by 2·atan(w/2).
        let w = 2.0 * (core::f64::consts::PI / 100.0).tan();
        let axis = [2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0];
        let start = point.stress;
        for _ in 0..100 {
            advance(&steel(None), &mut point, [0.0; 6], axis.map(|a| w * a), (1.0, 1.0));
        }
        let s = point.stress;
        assert!((von_mises(&deviator(&s)) / before - 1.0).abs() < 1e-13);
        assert!((s[0] + s[1] + s[2] - trace).abs() < 1e-11);
        assert!(s.iter().zip(&start).all(|(a, b)| (a - b).abs() < 1e-10), "{s:?}");
    }

    #[test]
    fn plastic_flow_ends_on_the_yield_surface() {
        let hardening = Hardening::Table(vec![[0.0, 400.0], [0.2, 600.0], [1.0, 650.0]]);
        let material = steel(Some(hardening.clone()));
        let mut point = memory([0.0; 6]);
        let mut work = 0.0;
        for _ in 0..400 {
            let strain = [1e-3, -4e-4, -5e-4, 3e-4, -1e-4, 2e-4];
            work += advance(&material, &mut point, strain, [0.0; 3], (1.0, 1.0)).plastic_work;
        }
        let found = von_mises(&deviator(&point.stress));
        let expected = hardening.at(point.plastic_strain, 0.0, 1.0, 20.0).stress;
        assert!((found / expected - 1.0).abs() < 1e-12, "{found} {expected}");
        assert!(point.plastic_strain > 0.2 && work > 400.0 * point.plastic_strain);
    }

    #[test]
    fn johnson_and_cook() {
        let law = Hardening::JohnsonCook {
            a: 806.0,
            b: 614.0,
            n: 0.168,
            c: 0.0089,
            rate: 1.0,
            m: 1.1,
            melting: 1540.0,
            transition: 20.0,
        };
        let expected = (806.0 + 614.0 * 0.3f64.powf(0.168))
            * (1.0 + 0.0089 * 1e5f64.ln())
            * (1.0 - (380.0f64 / 1520.0).powf(1.1));
        let found = law.at(0.3, 1e-3, 1e-8, 400.0);
        assert!((found.stress / expected - 1.0).abs() < 1e-14);
        let slope = (law.at(0.3 + 1e-7, 1e-3 + 1e-7, 1e-8, 400.0).stress
            - law.at(0.3 - 1e-7, 1e-3 - 1e-7, 1e-8, 400.0).stress)
            / 2e-7;
        assert!((found.slope / slope - 1.0).abs() < 1e-6, "{} {slope}", found.slope);
        for trial in [806.0, 807.0, 1500.0, 5e4] {
            let mu = 79e3;
            let step = law.multiplier(trial, mu, 0.0, 1e-8, 20.0);
            let left = trial - 3.0 * mu * step;
            let right = law.at(step, step, 1e-8, 20.0).stress;
            assert!(step == 0.0 || (left / right - 1.0).abs() < 1e-12, "{trial}: {left} {right}");
        }
    }
}
