//! Elements with one point, and hourglass control where they need it.

use super::super::law::{Motion, Substance, rotation, strain_and_spin};
use super::super::vector::{
    M3, Symmetric, V3, add, dot, dot_add, full, narrow, narrow_all, narrow_changes, narrow_tensor,
    scale, scale_add, scale_matrix, sub,
};
use super::shapes::{Axisymmetric, PlaneStrain, ReducedHexahedron, Shape, Tetrahedron};
use super::{
    Advanced, Element, Remembered, Step, Waves, contract, deformation, half_way, trace_and_bound,
};
use crate::cpu::simd::real::{Narrow, Real, each};

/// What hourglass control comes to.
struct Control<S, A, const M: usize> {
    /// What forces grow by.
    increments: [V3<A>; M],
    /// What keeps the forces orthogonal to linear fields: before, what their growth adds, and what the elements' motion does.
    tensor: M3<S>,
    growth: M3<A>,
    change: M3<S>,
    work: S,
}

/// The volume of an element before, one over that after, and its increment.
struct Volumes<S, A> {
    before: S,
    inverse_after: A,
    increment: S,
}

/// Of hourglass modes half way, of the step and of what a linear field has: the increments of their forces, which are remembered from number `first` on.
#[inline(always)]
fn control<
    S: Real,
    A: Narrow<S>,
    E: Shape<N, K, M>,
    const N: usize,
    const K: usize,
    const M: usize,
>(
    (remembered, first): (&mut Remembered<'_, A::Number>, usize),
    l: &M3<A>,
    stiffness: A,
    (h, dh): (&[V3<A>; M], &[V3<A>; M]),
    volumes: &Volumes<S, A>,
) -> Control<S, A, M> {
    let dims = if E::AXISYMMETRIC { 2 } else { 3 };
    let (zero, half) = (S::zero(), S::splat(0.5));
    let turn = rotation(strain_and_spin(&narrow_changes(l)).1);
    let mut control = Control {
        increments: [[A::zero(); 3]; M],
        tensor: [[zero; 3]; 3],
        growth: [[A::zero(); 3]; 3],
        change: [[zero; 3]; 3],
        work: zero,
    };
    let (small_h, small_dh): ([V3<S>; M], [V3<S>; M]) = (narrow_all(h), narrow_changes(dh));
    let (part, small_part) = (A::splat(E::HOURGLASS), S::splat(E::HOURGLASS));
    let stiffness = part * stiffness;
    for mode in 0..M {
        let before: V3<A> = each!(3, I => remembered.memory.load(first + 3 * mode + I));
        let force: V3<S> = narrow(before);
        let increment = &mut control.increments[mode];
        let mut small = [zero; 3];
        for i in 0..dims {
            let mut linear = l[i][0].mul_add(h[mode][0], l[i][1] * h[mode][1]);
            if dims == 3 {
                linear = l[i][2].mul_add(h[mode][2], linear);
            }
            let free = dh[mode][i] - linear;
            increment[i] = stiffness.mul_add(free, A::widen(dot(turn[i], force)));
            small[i] = increment[i].narrow();
            let mean = half.mul_add(small[i], force[i]);
            control.work = mean.mul_add(free.narrow(), control.work);
        }
        let increment = *increment;
        let mean = scale_add(half, small, force);
        let low = scale_add(-half, small_dh[mode], small_h[mode]);
        for i in 0..dims {
            for j in 0..dims {
                control.tensor[i][j] = force[i].mul_add(low[j], control.tensor[i][j]);
                control.growth[i][j] = increment[i].mul_add(h[mode][j], control.growth[i][j]);
                control.change[i][j] = mean[i].mul_add(small_dh[mode][j], control.change[i][j]);
            }
        }
        let after = add(before, increment);
        for (i, force) in after.into_iter().enumerate() {
            remembered.memory.store(first + 3 * mode + i, force);
        }
    }
    control.work = small_part * control.work;
    let before = small_part / volumes.before;
    let after = part * volumes.inverse_after;
    let small_after: S = volumes.inverse_after.narrow();
    for i in 0..3 {
        for j in 0..3 {
            let old = control.tensor[i][j] * before;
            control.tensor[i][j] = old;
            control.growth[i][j] = control.growth[i][j] * after;
            let change = small_part.mul_add(control.change[i][j], -(old * volumes.increment));
            control.change[i][j] = change * small_after;
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
    remembered: &mut Remembered<'_, A::Number>,
) -> Advanced<S, A, N> {
    let half = S::splat(0.5);
    let (x, h) = E::coordinates(x);
    let (d, dh) = E::coordinates(d);
    let point = E::point(&x, &narrow_changes(&d));
    let inverse = A::splat(1.0) / point.v;
    let gradient = deformation(&point, &d, A::splat(E::WEIGHT) * inverse, E::AXISYMMETRIC);
    let v_after = A::splat(0.5).mul_add(A::widen(point.dv), point.v + A::widen(point.bulge));
    let inverse_after = A::splat(1.0) / v_after;
    let mass: A = remembered.masses.load(0);
    let inverse_mass = A::splat(1.0) / mass;
    let motion = Motion {
        gradient,
        dt: step.dt,
        specific_volume: point.v * inverse_mass,
        expansion: A::splat(substance.material.density) * v_after * inverse_mass,
    };
    let done = substance.advance::<A>(&mut remembered.memory, 0, &motion);
    let dilatation = gradient[0][0] + gradient[1][1] + gradient[2][2];

    let (sum, bound) = trace_and_bound(&E::squares(&point.g));
    let waves = Waves {
        modulus: done.modulus,
        density: mass * inverse_after,
        square: point.v * point.v / (A::splat(0.25 * N as f64) * bound),
    };
    let viscous = waves.viscosity(step, dilatation);
    let own = substance.memory.numbers;
    let place = own + 3 * M;
    let viscous_before: A = remembered.memory.load(place);
    remembered.memory.store(place, viscous);

    // Of the first order in the step.
    let mut first = full(&done.stress);
    // Of the second, and what is there before.
    let mut second = [[S::zero(); 3]; 3];
    let unit = S::splat(step.scale);
    let before: Symmetric<S> = narrow_tensor(&done.before);
    let mut tensor = scale_matrix(unit, &full(&before));
    for k in 0..3 {
        first[k][k] = first[k][k] + (viscous - viscous_before);
        tensor[k][k] = unit.mul_add(viscous_before.narrow(), tensor[k][k]);
    }
    let small_v: S = point.v.narrow();
    let mut work = [S::zero(); 4];
    let mut increments = [[A::zero(); 3]; M];
    if M > 0 {
        let stiffness = A::splat(step.hourglass / (3.0 * N as f64)) * done.modulus * sum * inverse;
        let volumes = Volumes {
            before: (-half).mul_add(point.dv, small_v + point.bulge),
            inverse_after,
            increment: point.dv,
        };
        let control = control::<S, A, E, N, K, M>(
            (remembered, own),
            &gradient,
            stiffness,
            (&h, &dh),
            &volumes,
        );
        for i in 0..3 {
            first[i] = sub(first[i], control.growth[i]);
            tensor[i] = scale_add(-unit, control.tensor[i], tensor[i]);
            second[i] = scale(-unit, control.change[i]);
        }
        increments = control.increments;
        work[2] = control.work;
    }
    let change: M3<S> = each!(3, I => scale_add(unit, narrow(first[I]), second[I]));
    let mean = half_way(&tensor, &change);
    let mut main = [[A::zero(); 3]; K];
    let mut rest = [[S::zero(); 3]; K];
    for k in 0..K {
        let g: V3<S> = narrow(point.g[k]);
        if E::AXISYMMETRIC {
            let (dg, q) = (point.dg[k], point.q[k]);
            for a in 0..2 {
                for b in 0..2 {
                    main[k][a] = first[a][b].mul_add(point.g[k][b], main[k][a]);
                    let moved = change[a][b].mul_add(q[b], mean[a][b] * dg[b]);
                    rest[k][a] = rest[k][a] + second[a][b].mul_add(g[b], moved);
                }
            }
            main[k][0] = first[2][2].mul_add(point.g[k][2], main[k][0]);
            let moved = change[2][2].mul_add(q[2], mean[2][2] * dg[2]);
            rest[k][0] = rest[k][0] + second[2][2].mul_add(g[2], moved);
        } else {
            let (by_first, others) =
                contract(&first, &mean, &change, (point.g[k], point.dg[k], point.q[k]));
            main[k] = by_first;
            rest[k] = each!(3, I => dot_add(second[I], g, others[I]));
        }
    }
    let forces = E::nodal(&main, &rest, &increments, A::splat(1.0 / step.scale));

    let increment: Symmetric<S> = narrow_tensor(&done.stress);
    let stress_mean = each!(6, K => half.mul_add(increment[K], before[K]));
    work[0] = small_v * power(&stress_mean, &narrow_tensor(&done.strain));
    work[1] = small_v * done.plastic_work.narrow();
    let small_dilatation: S = dilatation.narrow();
    work[3] = small_v * half * (viscous + viscous_before).narrow() * small_dilatation;
    let stable = waves.stable_step(step, small_dilatation);
    Advanced { forces, stable, work, least: point.v.min(v_after) }
}

/// Forces in full of elements whose points remember `own` numbers.
#[inline(always)]
fn forces<
    S: Real,
    A: Narrow<S>,
    E: Shape<N, K, M>,
    const N: usize,
    const K: usize,
    const M: usize,
>(
    own: usize,
    x: &[V3<A>; N],
    remembered: &Remembered<'_, A::Number>,
) -> Advanced<S, A, N> {
    let zero = A::zero();
    let (x, h) = E::coordinates(x);
    let point = E::point::<A, A>(&x, &[[zero; 3]; K]);
    let stress: Symmetric<A> = each!(6, K => remembered.memory.load(K));
    let viscous: A = remembered.memory.load(own + 3 * M);
    let mut tensor = full(&stress);
    for (k, row) in tensor.iter_mut().enumerate() {
        row[k] = row[k] + viscous;
    }
    let inverse = A::splat(E::HOURGLASS) / point.v;
    let dims = if E::AXISYMMETRIC { 2 } else { 3 };
    let mut modes = [[zero; 3]; M];
    for mode in 0..M {
        let force: V3<A> = each!(3, I => remembered.memory.load(own + 3 * mode + I));
        for i in 0..dims {
            let part = -(inverse * force[i]);
            for j in 0..dims {
                tensor[i][j] = part.mul_add(h[mode][j], tensor[i][j]);
            }
        }
        modes[mode] = force;
    }
    let mut main = [[zero; 3]; K];
    for (force, &g) in main.iter_mut().zip(&point.g) {
        if E::AXISYMMETRIC {
            for a in 0..2 {
                force[a] = tensor[a][0].mul_add(g[0], tensor[a][1] * g[1]);
            }
            force[0] = tensor[2][2].mul_add(g[2], force[0]);
        } else {
            *force = each!(3, I => dot(tensor[I], g));
        }
    }
    let forces = E::nodal::<A, A>(&main, &[[zero; 3]; K], &modes, A::splat(1.0));
    Advanced::at_rest(forces, point.v)
}

/// `σ : ε`.
#[inline(always)]
pub(super) fn power<S: Real>(stress: &[S; 6], strain: &[S; 6]) -> S {
    let normal = stress[0].mul_add(strain[0], stress[1].mul_add(strain[1], stress[2] * strain[2]));
    let shear = stress[3].mul_add(strain[3], stress[4].mul_add(strain[4], stress[5] * strain[5]));
    normal + shear + shear
}

macro_rules! one_point {
    ($($kind:ident $n:literal $k:literal $m:literal;)*) => {$(
        impl Element<$n> for $kind {
            const POINTS: usize = 1;
            const MODES: usize = $m;

            #[inline(always)]
            fn advance<S: Real, A: Narrow<S>>(
                substance: &Substance<'_>,
                step: &Step,
                x: &[V3<A>; $n],
                d: &[V3<A>; $n],
                remembered: &mut Remembered<'_, A::Number>,
            ) -> Advanced<S, A, $n> {
                advance::<S, A, $kind, $n, $k, $m>(substance, step, (x, d), remembered)
            }

            #[inline(always)]
            fn forces<S: Real, A: Narrow<S>>(
                substance: &Substance<'_>,
                x: &[V3<A>; $n],
                remembered: &Remembered<'_, A::Number>,
            ) -> Advanced<S, A, $n> {
                forces::<S, A, $kind, $n, $k, $m>(substance.memory.numbers, x, remembered)
            }
        }
    )*};
}

one_point! {
    ReducedHexahedron 8 6 4;
    Tetrahedron 4 3 0;
    PlaneStrain 4 2 1;
    Axisymmetric 4 4 1;
}
