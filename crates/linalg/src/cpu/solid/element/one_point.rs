//! Elements with one point, and hourglass control where they need it.

use super::super::law::{Motion, Substance, rotation, strain_and_spin};
use super::super::vector::{
    M3, Symmetric, V3, add, dot, dot_add, full, narrow, narrow_changes, narrow_tensor, scale,
    scale_add, scale_matrix,
};
use super::shapes::{Axisymmetric, PlaneStrain, ReducedHexahedron, Shape, Tetrahedron};
use super::{
    Advanced, Element, Remembered, Step, Waves, contract, deformation, half_way, stable_step,
    trace_and_bound, viscosity,
};
use crate::cpu::simd::real::{Narrow, Real, each};

/// What hourglass control comes to.
struct Control<S, const M: usize> {
    increments: [V3<S>; M],
    /// What keeps the forces orthogonal to linear fields: before, and what the step adds.
    tensor: M3<S>,
    change: M3<S>,
    work: S,
}

/// Of hourglass modes half way, of the step and of what a linear field has: their forces' increments.
#[inline(always)]
fn control<
    S: Real,
    A: Narrow<S>,
    E: Shape<N, K, M>,
    const N: usize,
    const K: usize,
    const M: usize,
>(
    remembered: &mut Remembered<'_, S::Number, A::Number>,
    gradient: &M3<A>,
    stiffness: S,
    (h, dh): (&[V3<S>; M], &[V3<S>; M]),
    (v_before, v_after, dv): (S, S, S),
) -> Control<S, M> {
    let dims = if E::AXISYMMETRIC { 2 } else { 3 };
    let (zero, half) = (S::zero(), S::splat(0.5));
    let l: M3<S> = narrow_changes(gradient);
    let turn = rotation(strain_and_spin(&l).1);
    let mut control = Control {
        increments: [[zero; 3]; M],
        tensor: [[zero; 3]; 3],
        change: [[zero; 3]; 3],
        work: zero,
    };
    for mode in 0..M {
        let force: V3<S> = each!(3, I => remembered.controls.load(3 * mode + I));
        let increment = &mut control.increments[mode];
        for i in 0..dims {
            let mut linear = l[i][0].mul_add(h[mode][0], l[i][1] * h[mode][1]);
            if dims == 3 {
                linear = l[i][2].mul_add(h[mode][2], linear);
            }
            let free = dh[mode][i] - linear;
            increment[i] = stiffness.mul_add(free, dot(turn[i], force));
            let mean = half.mul_add(increment[i], force[i]);
            control.work = mean.mul_add(free, control.work);
        }
        let increment = *increment;
        let mean = scale_add(half, increment, force);
        let low = scale_add(-half, dh[mode], h[mode]);
        for i in 0..dims {
            for j in 0..dims {
                control.tensor[i][j] = force[i].mul_add(low[j], control.tensor[i][j]);
                let change = increment[i].mul_add(h[mode][j], control.change[i][j]);
                control.change[i][j] = mean[i].mul_add(dh[mode][j], change);
            }
        }
        let after = add(force, increment);
        for (i, force) in after.into_iter().enumerate() {
            remembered.controls.store(3 * mode + i, force);
        }
    }
    let (before, after) = (S::splat(1.0) / v_before, S::splat(1.0) / v_after);
    for i in 0..3 {
        for j in 0..3 {
            let old = control.tensor[i][j] * before;
            control.tensor[i][j] = old;
            control.change[i][j] = (control.change[i][j] - old * dv) * after;
        }
    }
    control
}

/// Takes elements through a step.
#[inline(always)]
fn advance<
    S: Real,
    A: Narrow<S>,
    E: Shape<N, K, M>,
    const N: usize,
    const K: usize,
    const M: usize,
>(
    substance: &Substance<'_>,
    step: &Step,
    (x, d): (&[V3<A>; N], &[V3<A>; N]),
    remembered: &mut Remembered<'_, S::Number, A::Number>,
) -> Advanced<S, A, N> {
    let half = S::splat(0.5);
    let (x, h) = E::coordinates(x);
    let (d, dh) = E::coordinates(d);
    let point = E::point(&x, &narrow_changes(&d));
    let gradient = deformation(&point, &d, E::WEIGHT, E::AXISYMMETRIC);
    let v_after = A::splat(0.5).mul_add(A::widen(point.dv), point.v);
    let mass: A = remembered.masses.load(0);
    let inverse_mass = A::splat(1.0) / mass;
    let motion = Motion {
        gradient,
        dt: step.dt,
        specific_volume: point.v * inverse_mass,
        expansion: A::splat(substance.material.density) * v_after * inverse_mass,
    };
    let done = substance.advance::<S, A>(&mut remembered.memory, 0, &motion);
    let dilatation: S = (gradient[0][0] + gradient[1][1] + gradient[2][2]).narrow();

    let (small_v, small_after): (S, S) = (point.v.narrow(), v_after.narrow());
    let density = mass.narrow() / small_after;
    let (sum, bound) = trace_and_bound(&E::squares(&point.g));
    let inverse = S::splat(1.0) / small_v;
    // 1/h, h the distance that a wave has to go.
    let inverse_length = (S::splat(0.25 * N as f64) * bound).sqrt() * inverse;
    let waves = Waves { speed: (done.modulus / density).sqrt(), inverse_length, density };
    let (viscous, damping) = viscosity(step, &waves, dilatation);
    let viscous_before: S = remembered.controls.load(3 * M);
    remembered.controls.store(3 * M, viscous);

    let before: Symmetric<S> = narrow_tensor(&done.before);
    let increment: Symmetric<S> = narrow_tensor(&done.stress);
    let unit = S::splat(step.scale);
    let mut tensor = scale_matrix(unit, &full(&before));
    let mut change = scale_matrix(unit, &full(&increment));
    let mut other = [[S::zero(); 3]; 3];
    let viscous_change = unit * (viscous - viscous_before);
    for k in 0..3 {
        tensor[k][k] = unit.mul_add(viscous_before, tensor[k][k]);
        other[k][k] = viscous_change;
    }
    let mut work = [S::zero(); 4];
    let mut increments = [[S::zero(); 3]; M];
    if M > 0 {
        let stiffness = S::splat(step.hourglass / (3.0 * N as f64)) * done.modulus * sum * inverse;
        let v_before = (-half).mul_add(point.dv, small_v);
        let volumes = (v_before, small_after, point.dv);
        let (h, dh) = (narrow_changes(&h), narrow_changes(&dh));
        let control =
            control::<S, A, E, N, K, M>(remembered, &gradient, stiffness, (&h, &dh), volumes);
        for i in 0..3 {
            tensor[i] = scale_add(-unit, control.tensor[i], tensor[i]);
            other[i] = scale_add(-unit, control.change[i], other[i]);
        }
        for (to, increment) in increments.iter_mut().zip(control.increments) {
            *to = scale(unit, increment);
        }
        work[2] = control.work;
    }
    for i in 0..3 {
        change[i] = add(change[i], other[i]);
    }
    let mean = half_way(&tensor, &change);
    let stress = full(&done.stress);
    let mut main = [[A::zero(); 3]; K];
    let mut rest = [[S::zero(); 3]; K];
    for k in 0..K {
        let g: V3<S> = narrow(point.g[k]);
        if E::AXISYMMETRIC {
            let (dg, q) = (point.dg[k], point.q[k]);
            for a in 0..2 {
                for b in 0..2 {
                    main[k][a] = stress[a][b].mul_add(point.g[k][b], main[k][a]);
                    let moved = change[a][b].mul_add(q[b], mean[a][b] * dg[b]);
                    rest[k][a] = rest[k][a] + other[a][b].mul_add(g[b], moved);
                }
            }
            main[k][0] = stress[2][2].mul_add(point.g[k][2], main[k][0]);
            let moved = change[2][2].mul_add(q[2], mean[2][2] * dg[2]);
            rest[k][0] = rest[k][0] + other[2][2].mul_add(g[2], moved);
        } else {
            let (first, second) =
                contract(&stress, &mean, &change, (point.g[k], point.dg[k], point.q[k]));
            main[k] = first;
            rest[k] = each!(3, I => dot_add(other[I], g, second[I]));
        }
    }
    let forces = E::nodal(&main, &rest, &increments, A::splat(1.0 / step.scale));

    let stress_mean = each!(6, K => half.mul_add(increment[K], before[K]));
    work[0] = small_v * power(&stress_mean, &narrow_tensor(&done.strain));
    work[1] = small_v * done.plastic_work.narrow();
    work[3] = small_v * half * (viscous + viscous_before) * dilatation;
    let stable = stable_step(&waves, damping);
    Advanced { forces, stable, work, least: point.v.min(v_after) }
}

/// `σ : ε`.
#[inline(always)]
pub(super) fn power<S: Real>(stress: &[S; 6], strain: &[S; 6]) -> S {
    let normal = stress[0].mul_add(strain[0], stress[1].mul_add(strain[1], stress[2] * strain[2]));
    let shear = stress[3].mul_add(strain[3], stress[4].mul_add(strain[4], stress[5] * strain[5]));
    normal + shear + shear
}

macro_rules! one_point {
    ($($kind:ident $n:literal $k:literal $m:literal $d:literal;)*) => {$(
        impl Element<$n> for $kind {
            const POINTS: usize = 1;
            const MODES: usize = $m;
            const DIMENSIONS: f64 = $d;

            #[inline(always)]
            fn advance<S: Real, A: Narrow<S>>(
                substance: &Substance<'_>,
                step: &Step,
                x: &[V3<A>; $n],
                d: &[V3<A>; $n],
                remembered: &mut Remembered<'_, S::Number, A::Number>,
            ) -> Advanced<S, A, $n> {
                advance::<S, A, $kind, $n, $k, $m>(substance, step, (x, d), remembered)
            }
        }
    )*};
}

one_point! {
    ReducedHexahedron 8 6 4 3.0;
    Tetrahedron 4 3 0 3.0;
    PlaneStrain 4 2 1 2.0;
    Axisymmetric 4 4 1 3.0;
}
