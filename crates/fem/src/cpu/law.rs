//! How stress follows from strain.
//!
//! **Elasticity** is linear in the rate of deformation, with the stress rate of Jaumann: over a
//! step `σ' = R·(σ + ½·C·ε)·Rᵀ + ½·C·ε` with `C·ε = λ·tr(ε)·1 + 2µ·ε`, where `ε` and the spin are
//! those half way and `R` follows from the spin by Cayley's formula (Hughes and Winget, *Finite
//! rotation effects in numerical integration of rate constitutive equations*, 1980), so that rigid
//! rotations leave no strain. With half of the strain on either side of the rotation the error is
//! of order 2.
//!
//! **Plasticity** of von Mises returns the trial stress to the yield surface along its deviator
//! (Wilkins, *Calculation of elastic-plastic flow*, 1964): the multiplier `Δp` solves
//! `q − 3µ·Δp = σ_y(p + Δp, Δp/Δt, T)` by Newton's method between bounds. The plastic work of a
//! step is that of the mean of the stresses at its ends, as the work on all strains is, which makes
//! it a part of that; nothing flows back into it. Temperatures rise by plastic work,
//! `ΔT = χ·w_p/(ρ·c)`, and thermal strain counts from the next step on.
//!
//! **Neo-Hookean solids** carry the left Cauchy–Green tensor along, `b' = f·b·fᵀ` with `f = (1 −
//! ½L)⁻¹·(1 + ½L)` of the step's gradient `L` half way, which is a rotation where `L` is a spin. It
//! grows by what `f − 1 = (1 − ½L)⁻¹·L` makes. Then
//! `σ = µ/J·dev(b·det(b)^(−⅓)) + K·(J − 1)·1`, with `J` from the volume.

use nonius_linalg::cpu::simd::real::{Narrow, Number, Real, each};
use nonius_num::Lane;

use super::functions::power;
use super::group::{GROUP, Slots};
use crate::model::{Hardening, Lame, Law, Material};
use crate::solid::Memory;
use crate::solid::vector::{
    M3, Symmetric, V3, contraction, cross, deviator, dot, full, product, symmetric_product,
};

/// A material, what its points remember, and what follows from its constants.
pub(super) struct Substance<'a> {
    pub(super) material: &'a Material,
    pub(super) memory: Memory,
    pub(super) lame: Lame,
    /// See [`Material::heating`].
    heating: f64,
}

impl<'a> Substance<'a> {
    pub(super) fn new(material: &'a Material) -> Self {
        let (lame, heating) = (material.lame(), material.heating());
        Self { material, memory: Memory::of(material), lame, heating }
    }
}

/// What happens to a point in a step.
pub(super) struct PointMotion<A> {
    /// The velocity gradient of the whole step, half way.
    pub(super) gradient: M3<A>,
    /// `R − 1` of the rotation.
    pub(super) turn: M3<A>,
    /// The length of the step.
    pub(super) dt: f64,
    /// The volume half way, and the mass.
    pub(super) volume: A,
    pub(super) mass: A,
    /// The volume at the end over that at the beginning of all, where stress
    /// [follows](Substance::expansion) from it.
    pub(super) expansion: A,
}

/// What a step changes.
pub(super) struct Change<A> {
    pub(super) before: Symmetric<A>,
    pub(super) stress: Symmetric<A>,
    /// The strain of the step.
    pub(super) strain: Symmetric<A>,
    /// Plastic work of a unit of volume.
    pub(super) plastic_work: A,
    /// The modulus of compression waves.
    pub(super) modulus: A,
}

impl Substance<'_> {
    /// The expansion of a mass, if stress follows from it: `volume` is that at the end of the step.
    #[inline(always)]
    pub(super) fn expansion<A: Real>(&self, mass: A, volume: impl FnOnce() -> A) -> A {
        if matches!(self.material.law, Law::NeoHookean(_)) {
            A::splat(self.material.density) * volume() / mass
        } else {
            A::splat(1.0)
        }
    }

    /// Takes a point, whose numbers begin at `first`, through a step.
    #[inline(always)]
    pub(super) fn advance<A: Real, W: Narrow<A>>(
        &self,
        numbers: &mut Slots<'_, W>,
        first: usize,
        motion: &PointMotion<A>,
    ) -> Change<A> {
        let strain = strain(&motion.gradient);
        let before: Symmetric<A> = each!(6, K => numbers.load(first + K));
        let lame = self.lame;
        let modulus = A::splat(lame.lambda + 2.0 * lame.mu);
        let (stress, plastic_work, modulus) = match &self.material.law {
            Law::Elastic(_) => (elastic(lame, &before, &strain, &motion.turn), A::zero(), modulus),
            Law::Plastic(_, plastic) => {
                let mut mechanical = strain;
                self.expand(numbers, first, &mut mechanical);
                let trial = elastic(lame, &before, &mechanical, &motion.turn);
                let (stress, work) =
                    self.flow(&plastic.hardening, numbers, first, &before, trial, motion);
                (stress, work, modulus)
            }
            Law::NeoHookean(_) => {
                let (after, modulus) = self.stretch(numbers, first, motion);
                (each!(6, K => after[K] - before[K]), A::zero(), modulus)
            }
        };
        for (k, more) in stress.into_iter().enumerate() {
            numbers.grow(first + k, more);
        }
        Change { before, stress, strain, plastic_work, modulus }
    }

    /// Takes thermal strain from the strain.
    #[inline(always)]
    fn expand<A: Real, W: Narrow<A>>(
        &self,
        numbers: &mut Slots<'_, W>,
        first: usize,
        strain: &mut Symmetric<A>,
    ) {
        if let (Some(now), Some(then)) = (self.memory.temperature, self.memory.strained) {
            let warmer: A = numbers.difference(first + now, first + then);
            let thermal = A::splat(self.material.expansion) * warmer;
            for e in &mut strain[..3] {
                *e = *e - thermal;
            }
            numbers.copy(first + now, first + then);
        }
    }

    /// What is left of a trial change of the stress, and the plastic work.
    #[inline(always)]
    fn flow<A: Real, W: Narrow<A>>(
        &self,
        hardening: &Hardening,
        numbers: &mut Slots<'_, W>,
        first: usize,
        before: &Symmetric<A>,
        mut change: Symmetric<A>,
        motion: &PointMotion<A>,
    ) -> (Symmetric<A>, A) {
        let trial: Symmetric<A> = each!(6, K => before[K] + change[K]);
        let (shape, _) = deviator(&trial);
        let equivalent = von_mises(&shape);
        let place = self.memory.plastic_strain.map_or(first, |place| first + place);
        let p: A = numbers.load(place);
        let temperature = self.memory.temperature.map(|place| first + place);
        let warmth: A = match temperature {
            Some(place) => numbers.load(place),
            None => A::zero(),
        };
        let mu = self.lame.mu;
        let multiplier = multipliers(hardening, equivalent, mu, p, motion.dt, warmth);
        // Where nothing yields the factor is zero, whatever the stress.
        let drop = A::splat(3.0 * mu) * multiplier;
        let some = equivalent.max(A::splat(f64::from(f32::MIN_POSITIVE)));
        let factor = drop / some;
        // Of the stress before the part along the flow.
        let along = A::splat(1.5) * (contraction(before, &shape) / some);
        for k in 0..6 {
            change[k] = (-factor).mul_add(shape[k], change[k]);
        }
        numbers.grow(place, multiplier);
        let mean = A::splat(0.5) * (along + (equivalent - drop));
        let work = mean.max(A::zero()) * multiplier;
        if let (Some(place), true) = (temperature, self.heating != 0.0) {
            let heat = A::splat(self.heating) * motion.volume / motion.mass;
            numbers.grow_by_product(place, heat, work);
        }
        (change, work)
    }

    /// The stress of a neo-Hookean solid, and the modulus.
    #[inline(always)]
    fn stretch<A: Real, W: Narrow<A>>(
        &self,
        numbers: &mut Slots<'_, W>,
        first: usize,
        motion: &PointMotion<A>,
    ) -> (Symmetric<A>, A) {
        let place = self.memory.stretch.map_or(first, |place| first + place);
        let old: Symmetric<A> = each!(6, K => numbers.load(place + K));
        let more = rotated(&old, &relative(&motion.gradient));
        for (k, more) in more.into_iter().enumerate() {
            numbers.grow(place + k, more);
        }
        let b: Symmetric<A> = each!(6, K => old[K] + more[K]);
        let [x, y, z] = full(&b);
        let j = motion.expansion;
        let scale = inverse_cube_root(dot(x, cross(y, z)));
        let mu = self.lame.mu;
        let bulk = self.lame.lambda + 2.0 / 3.0 * mu;
        let factor = A::splat(mu) * scale / j;
        let trace = b[0] + b[1] + b[2];
        let (shape, _) = deviator(&b);
        let pressure = A::splat(bulk) * (j - A::splat(1.0));
        let stress = each!(6, K => {
            if K < 3 { factor.mul_add(shape[K], pressure) } else { factor * shape[K] }
        });
        // Of the acoustic tensor: K·(2J − 1) + µ/J·(4/3·n·b̂·n + 2/9·tr b̂), with a bound of n·b̂·n
        // by rows.
        let greatest = magnitude(x).max(magnitude(y)).max(magnitude(z));
        let shear = factor * A::splat(4.0 / 3.0).mul_add(greatest, A::splat(2.0 / 9.0) * trace);
        let modulus = A::splat(2.0 * bulk).mul_add(j, shear - A::splat(bulk));
        (stress, modulus.max(A::splat(bulk)))
    }
}

/// What an elastic step changes of the stress.
#[inline(always)]
fn elastic<A: Real>(
    lame: Lame,
    before: &Symmetric<A>,
    strain: &Symmetric<A>,
    turn: &M3<A>,
) -> Symmetric<A> {
    let volumetric = times(lame.lambda, strain[0] + strain[1] + strain[2]);
    let direct: Symmetric<A> = each!(6, K => times(lame.mu, strain[K]));
    // Half of the strain is there before the rotation.
    let half: Symmetric<A> = each!(6, K => before[K] + direct[K]);
    let turned = rotated(&half, turn);
    each!(6, K => {
        let both = direct[K] + direct[K] + turned[K];
        if K < 3 { both + volumetric } else { both }
    })
}

/// `c·x` of a constant in two parts, rounded once: the rounding error of a constant alone would be
/// there in every step. The second part is zero where numbers are `f64`.
#[inline(always)]
fn times<A: Real>(c: f64, x: A) -> A {
    let high = A::Number::rounded(c).get();
    A::splat(high).mul_add(x, A::splat(c - high) * x)
}

/// The sum of magnitudes.
#[inline(always)]
fn magnitude<A: Real>(r: V3<A>) -> A {
    r[0].abs() + r[1].abs() + r[2].abs()
}

/// The multipliers of plastic flow, by `f64`s.
#[inline(always)]
fn multipliers<A: Real>(
    hardening: &Hardening,
    trial: A,
    mu: f64,
    p: A,
    dt: f64,
    temperature: A,
) -> A {
    let (trial, p, temperature) = (doubles(trial), doubles(p), doubles(temperature));
    let mut found = [A::Number::default(); GROUP];
    let lanes = <A::Lane as Lane>::LANES;
    for at in (0..A::LANES).step_by(lanes) {
        let trial = <A::Lane as Lane>::load(&trial[at..]);
        let p = <A::Lane as Lane>::load(&p[at..]);
        let temperature = <A::Lane as Lane>::load(&temperature[at..]);
        let here = hardening.multiplier(trial, mu, p, dt, temperature);
        for i in 0..lanes {
            found[at + i] = A::Number::rounded(here.lane(i));
        }
    }
    A::load(&found)
}

/// `x^(−⅓)`, by `f64`s.
#[inline(always)]
fn inverse_cube_root<A: Real>(x: A) -> A {
    let x = doubles(x);
    let mut found = [A::Number::default(); GROUP];
    let lanes = <A::Lane as Lane>::LANES;
    for at in (0..A::LANES).step_by(lanes) {
        let here = power(<A::Lane as Lane>::load(&x[at..]), -1.0 / 3.0);
        for i in 0..lanes {
            found[at + i] = A::Number::rounded(here.lane(i));
        }
    }
    A::load(&found)
}

#[inline(always)]
fn doubles<A: Real>(x: A) -> [f64; GROUP] {
    let mut numbers = [A::Number::default(); GROUP];
    x.store(&mut numbers);
    let mut found = [0.0; GROUP];
    for (found, x) in found.iter_mut().zip(numbers) {
        *found = x.get();
    }
    found
}

/// `(1 − ½L)⁻¹·(1 + ½L) − 1 = (1 − ½L)⁻¹·L`.
#[inline(always)]
fn relative<A: Real>(l: &M3<A>) -> M3<A> {
    let low = near_one(A::splat(-0.5), l);
    // Columns of the adjugate are cross products of rows.
    let columns = [cross(low[1], low[2]), cross(low[2], low[0]), cross(low[0], low[1])];
    let inverse = A::splat(1.0) / dot(low[0], columns[0]);
    let inverse: M3<A> = each!(3, I => each!(3, J => inverse * columns[J][I]));
    product(&inverse, l)
}

/// `1 + k·L`.
#[inline(always)]
fn near_one<A: Real>(k: A, l: &M3<A>) -> M3<A> {
    let one = A::splat(1.0);
    each!(3, I => each!(3, J => if I == J { k.mul_add(l[I][J], one) } else { k * l[I][J] }))
}

/// The symmetric part of a gradient.
#[inline(always)]
fn strain<A: Real>(l: &M3<A>) -> Symmetric<A> {
    let half = A::splat(0.5);
    [
        l[0][0],
        l[1][1],
        l[2][2],
        half * (l[0][1] + l[1][0]),
        half * (l[1][2] + l[2][1]),
        half * (l[0][2] + l[2][0]),
    ]
}

/// The stress of von Mises of a deviator.
#[inline(always)]
fn von_mises<A: Real>(s: &Symmetric<A>) -> A {
    let normal = s[0].mul_add(s[0], s[1].mul_add(s[1], s[2] * s[2]));
    let shear = s[3].mul_add(s[3], s[4].mul_add(s[4], s[5] * s[5]));
    A::splat(1.5).mul_add(normal, A::splat(3.0) * shear).sqrt()
}

/// What `1 + D`, such as a rotation, does to a symmetric tensor: `D·σ + σ·Dᵀ + D·σ·Dᵀ`.
#[inline(always)]
fn rotated<S: Real>(s: &Symmetric<S>, d: &M3<S>) -> Symmetric<S> {
    // M = D·σ; the change is M + Mᵀ + M·Dᵀ.
    let m = product(d, &full(s));
    let last = symmetric_product(&m, d);
    [
        m[0][0] + m[0][0] + last[0],
        m[1][1] + m[1][1] + last[1],
        m[2][2] + m[2][2] + last[2],
        m[0][1] + m[1][0] + last[3],
        m[1][2] + m[2][1] + last[4],
        m[0][2] + m[2][0] + last[5],
    ]
}

/// `R − 1` of a gradient's spin, by Cayley's formula.
#[inline(always)]
pub(super) fn rotation<S: Real>(l: &M3<S>) -> M3<S> {
    let (half, zero) = (S::splat(0.5), S::zero());
    let w = [half * (l[2][1] - l[1][2]), half * (l[0][2] - l[2][0]), half * (l[1][0] - l[0][1])];
    let square = dot(w, w);
    let factor = S::splat(1.0) / S::splat(0.25).mul_add(square, S::splat(1.0));
    let skew = [[zero, -w[2], w[1]], [w[2], zero, -w[0]], [-w[1], w[0], zero]];
    each!(3, I => each!(3, J => {
        let product = if I == J { w[I].mul_add(w[J], -square) } else { w[I] * w[J] };
        factor * half.mul_add(product, skew[I][J])
    }))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{Elastic, Plastic};
    use crate::solid::tests::{cold, neo_hookean_like};

    const ELASTIC: Elastic = Elastic { young: 206e3, poisson: 0.3 };

    fn steel(law: Law) -> Material {
        cold(7.83e-9, law)
    }

    /// Unit roundoff.
    const U: f64 = f64::EPSILON / 2.0;

    /// The numbers of a point of the first element of a group.
    fn at_rest(material: &Material) -> Vec<f64> {
        let numbers = Memory::of(material).at_rest(20.0);
        (0..numbers.len() * GROUP).map(|i| numbers[i / GROUP]).collect()
    }

    /// A step of a volume of one; the plastic work.
    fn turn(material: &Material, numbers: &mut [f64], gradient: M3<f64>, expansion: f64) -> f64 {
        let substance = Substance::new(material);
        let turn = rotation(&gradient);
        let motion = PointMotion { gradient, turn, dt: 1.0, volume: 1.0, mass: 1.0, expansion };
        let mut slots = Slots::new(numbers, 0);
        substance.advance::<f64, f64>(&mut slots, 0, &motion).plastic_work
    }

    fn stress(numbers: &[f64]) -> Symmetric<f64> {
        core::array::from_fn(|k| numbers[k * GROUP])
    }

    /// A full turn in a hundred steps brings the stress back but for the chords' angles, and keeps
    /// its invariants.
    #[test]
    fn rotations_keep_invariants() {
        let material = steel(Law::Elastic(ELASTIC));
        let mut point = at_rest(&material);
        let start = [100.0, -30.0, 20.0, 40.0, 5.0, -7.0];
        (0..6).for_each(|k| point[k * GROUP] = start[k]);
        let (before, trace) = (von_mises(&deviator(&start).0), 90.0);
        // Cayley's formula turns by 2·atan(w/2).
        let w = 2.0 * (core::f64::consts::PI / 100.0).tan();
        let [x, y, z] = [2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0].map(|a: f64| w * a);
        for _ in 0..100 {
            turn(&material, &mut point, [[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]], 1.0);
        }
        // Each of a hundred turns rounds stresses, which are 100 at most, some eight times.
        let roundings = 100.0 * 8.0 * U;
        let s = stress(&point);
        assert!((von_mises(&deviator(&s).0) / before - 1.0).abs() < roundings);
        assert!((s[0] + s[1] + s[2] - trace).abs() < roundings * trace);
        assert!(
            s.iter().zip(&start).all(|(a, b)| (a - b).abs() < 2.0 * roundings * 100.0),
            "{s:?}"
        );
    }

    #[test]
    fn plastic_flow_ends_on_the_yield_surface() {
        let hardening = Hardening::Table(vec![[0.0, 400.0], [0.2, 600.0], [1.0, 650.0]]);
        let plastic = Plastic { hardening: hardening.clone() };
        let material = steel(Law::Plastic(ELASTIC, plastic));
        let mut point = at_rest(&material);
        let mut work = 0.0;
        for _ in 0..400 {
            let strain = [[1e-3, 3e-4, 2e-4], [3e-4, -4e-4, -1e-4], [2e-4, -1e-4, -5e-4]];
            work += turn(&material, &mut point, strain, 1.0);
        }
        let found = von_mises(&deviator(&stress(&point)).0);
        let plastic = point[6 * GROUP];
        let expected = hardening.at(plastic, 0.0, 1.0, 1.0).stress;
        // The return ends at a residual below `NOISE` of the trial stress.
        assert!((found / expected - 1.0).abs() < 128.0 * U, "{found} {expected}");
        assert!(plastic > 0.2 && work > 400.0 * plastic);
    }

    /// A neo-Hookean solid that is stretched to twice its length at constant volume, turned by a
    /// right angle, and brought back.
    #[test]
    fn neo_hookean() {
        let material = steel(neo_hookean_like(ELASTIC));
        let mut point = at_rest(&material);
        let steps = 1000;
        let rate = 2.0f64.ln() / f64::from(steps);
        let along = |axis: usize, sign: f64| -> M3<f64> {
            core::array::from_fn(|i| {
                core::array::from_fn(|j| match (i == j, i == axis) {
                    (true, true) => sign * rate,
                    (true, false) => -0.5 * sign * rate,
                    _ => 0.0,
                })
            })
        };
        for _ in 0..steps {
            turn(&material, &mut point, along(0, 1.0), 1.0);
        }
        let Lame { lambda, mu } = material.lame();
        let expected = mu * (4.0 - 0.5) / 3.0;
        let [xx, yy, ..] = stress(&point);
        // The midpoint rule errs by the order of the square of a step's strain.
        let of_steps = 20.0 * rate.powi(2);
        assert!((xx / (2.0 * expected) - 1.0).abs() < of_steps, "{xx} {expected}");
        assert!((yy / -expected - 1.0).abs() < of_steps, "{yy} {expected}");
        let w = 2.0 * (core::f64::consts::PI / 400.0).tan();
        for _ in 0..100 {
            turn(&material, &mut point, [[0.0, -w, 0.0], [w, 0.0, 0.0], [0.0; 3]], 1.0);
        }
        let [_, turned, ..] = stress(&point);
        assert!((turned / xx - 1.0).abs() < 100.0 * 8.0 * U, "{turned} {xx}");
        for _ in 0..steps {
            turn(&material, &mut point, along(1, -1.0), 1.0);
        }
        let left = 2.0 * rate.powi(2) * mu;
        assert!(stress(&point).iter().all(|s| s.abs() < left), "{:?}", stress(&point));
        // Pressure alone.
        turn(&material, &mut point, [[0.0; 3]; 3], 0.99);
        let bulk = lambda + 2.0 / 3.0 * mu;
        assert!((stress(&point)[0] / (-0.01 * bulk) - 1.0).abs() < 2.0 * left / (0.01 * bulk));
    }
}
