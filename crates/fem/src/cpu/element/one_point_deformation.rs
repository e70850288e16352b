//! What a step does to elements with one point, and what hourglass control does there.

use nonius_linalg::cpu::simd::real::{Narrow, Real, each};

use super::super::law::{Change, PointMotion, Substance, rotation};
use super::shapes::Shape;
use super::{Found, Remembered, Step, Waves, deformation, moved, trace_and_bound};
use crate::solid::geometry::Gradients;
use crate::solid::vector::{Symmetric, V3, contraction, dot};

/// Coordinates, and those of hourglass modes.
pub(super) type Coordinates<A, const K: usize, const M: usize> = ([V3<A>; K], [V3<A>; M]);

/// What a step does to an element.
pub(super) struct Deformed<A, const M: usize> {
    pub(super) change: Change<A>,
    /// The pressure of viscosity before, and now.
    pub(super) viscous: [A; 2],
    /// Forces of hourglass modes before, and what they grow by.
    pub(super) held: [V3<A>; M],
    pub(super) growth: [V3<A>; M],
    pub(super) found: Found<A>,
}

/// What elements remember through a step of coordinates `x` half way, where they have `here`, and
/// changes `d`.
#[inline(always)]
pub(super) fn deform<
    A: Real,
    W: Narrow<A>,
    E: Shape<N, K, M>,
    const N: usize,
    const K: usize,
    const M: usize,
>(
    (substance, step): (&Substance<'_>, &Step),
    (x, h): &Coordinates<A, K, M>,
    (d, dh): &Coordinates<A, K, M>,
    here: &Gradients<A, K>,
    remembered: &mut Remembered<'_, A, W>,
) -> Deformed<A, M> {
    let half = A::splat(0.5);
    let v = here.v;
    let inverse = A::splat(1.0) / v;
    let gradient = deformation(&here.g, d, A::splat(E::WEIGHT) * inverse, E::AXISYMMETRIC);
    let turn = rotation(&gradient);
    let lame = substance.lame;
    let elastic = A::splat(lame.lambda + 2.0 * lame.mu);
    let (sum, bound) = trace_and_bound(&E::squares(&here.g));
    let own = substance.memory.numbers;

    let mut work = [A::zero(); 4];
    let (mut held, mut growth) = ([[A::zero(); 3]; M], [[A::zero(); 3]; M]);
    let part = A::splat(step.hourglass * E::HOURGLASS / (3.0 * N as f64));
    let stiffness = part * elastic * sum * inverse;
    for mode in 0..M {
        let first = own + 3 * mode;
        let before: V3<A> = each!(3, I => remembered.memory.load(first + I));
        for i in 0..E::DIMENSIONS {
            let linear = if E::DIMENSIONS == 3 {
                dot(gradient[i], h[mode])
            } else {
                gradient[i][0].mul_add(h[mode][0], gradient[i][1] * h[mode][1])
            };
            let free = dh[mode][i] - linear;
            let more = stiffness.mul_add(free, dot(turn[i], before));
            growth[mode][i] = more;
            let mean = half.mul_add(more, before[i]);
            work[2] = mean.mul_add(free, work[2]);
        }
        for (i, more) in growth[mode].into_iter().enumerate() {
            remembered.memory.grow(first + i, more);
        }
        held[mode] = before;
    }

    let mass: A = remembered.masses.load(0);
    let dilatation = gradient[0][0] + gradient[1][1] + gradient[2][2];
    let after = (A::splat(0.5) * dilatation).mul_add(v, v);
    let inertia = mass * (v * v) / (after * A::splat(0.25 * N as f64));
    let expansion = substance.expansion(mass, || E::gradients(&moved(x, 0.5, d)).v);
    let motion = PointMotion { gradient, turn, dt: step.dt, volume: v, mass, expansion };
    let change = substance.advance(&mut remembered.memory, 0, &motion);

    let waves = Waves::new(step, lame, change.modulus, (inertia, sum, bound), dilatation);
    let place = own + 3 * M;
    let viscous = [remembered.memory.load(place), waves.viscosity(step)];
    remembered.memory.store(place, viscous[1]);

    let stress: Symmetric<A> = each!(6, K => half.mul_add(change.stress[K], change.before[K]));
    work[0] = v * contraction(&stress, &change.strain);
    work[1] = v * change.plastic_work;
    work[2] = A::splat(E::HOURGLASS) * work[2];
    work[3] = v * half * (viscous[0] + viscous[1]) * dilatation;
    let found = Found { stable: waves.stable_step(step), work, least: v.min(after) };
    Deformed { change, viscous, held, growth, found }
}
