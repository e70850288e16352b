//! Increments of forces of elements with one point.

use nonius_linalg::cpu::simd::real::{Narrow, Real, each};

use super::super::law::Substance;
use super::one_point_deformation::{Deformed, deform};
use super::shapes::Shape;
use super::{Found, Remembered, Step};
use crate::solid::vector::{
    M3, V3, dot, dot_add, full, scale, scale_add, scale_matrix, sub, without_tiny,
};

/// What keeps forces of hourglass modes orthogonal to linear fields.
struct Balance<A> {
    /// What there is before.
    tensor: M3<A>,
    /// What their growth adds.
    growth: M3<A>,
    /// What the elements' motion adds.
    change: M3<A>,
}

/// Of hourglass modes half way and their steps; the volume before and its increment, and one over
/// that after.
#[inline(always)]
fn balance<A: Real, E: Shape<N, K, M>, const N: usize, const K: usize, const M: usize>(
    deformed: &Deformed<A, M>,
    (h, dh): (&[V3<A>; M], &[V3<A>; M]),
    [v_before, dv]: [A; 2],
    inverse_after: A,
) -> Balance<A> {
    let (zero, half) = (A::zero(), A::splat(0.5));
    let mut balance =
        Balance { tensor: [[zero; 3]; 3], growth: [[zero; 3]; 3], change: [[zero; 3]; 3] };
    let dh = without_tiny(dh);
    for mode in 0..M {
        let (force, growth) = (deformed.held[mode], deformed.growth[mode]);
        let mean = scale_add(half, growth, force);
        let low = scale_add(-half, dh[mode], h[mode]);
        for i in 0..E::DIMENSIONS {
            for j in 0..E::DIMENSIONS {
                balance.tensor[i][j] = force[i].mul_add(low[j], balance.tensor[i][j]);
                balance.growth[i][j] = growth[i].mul_add(h[mode][j], balance.growth[i][j]);
                balance.change[i][j] = mean[i].mul_add(dh[mode][j], balance.change[i][j]);
            }
        }
    }
    let part = A::splat(E::HOURGLASS);
    let before = part / v_before;
    let after = part * inverse_after;
    for i in 0..3 {
        for j in 0..3 {
            let old = balance.tensor[i][j] * before;
            balance.tensor[i][j] = old;
            balance.growth[i][j] = balance.growth[i][j] * after;
            let change = part.mul_add(balance.change[i][j], -(old * dv));
            balance.change[i][j] = change * inverse_after;
        }
    }
    balance
}

/// Takes elements through a step, and finds what it adds to their forces.
#[inline(always)]
pub(super) fn increments<
    A: Real,
    W: Narrow<A>,
    E: Shape<N, K, M>,
    const N: usize,
    const K: usize,
    const M: usize,
>(
    (substance, step): (&Substance<'_>, &Step),
    (x, d): (&[V3<A>; N], &[V3<A>; N]),
    remembered: &mut Remembered<'_, A, W>,
) -> ([V3<A>; N], Found<A>) {
    let half = A::splat(0.5);
    let (x, d) = (E::coordinates(x), E::coordinates(d));
    let here = E::gradients(&x.0);
    let growth = E::growth(&here, &x.0, &without_tiny(&d.0));
    let mut deformed = deform::<A, W, E, N, K, M>((substance, step), &x, &d, &here, remembered);
    let [viscous_before, viscous] = deformed.viscous;
    let v_after = half.mul_add(growth.dv, here.v + growth.bulge);

    // Of the first order in the step.
    let mut first = full(&deformed.change.stress);
    // Of the second, and what is there before.
    let mut second = [[A::zero(); 3]; 3];
    let unit = A::splat(step.scale);
    let mut tensor = scale_matrix(unit, &full(&deformed.change.before));
    for k in 0..3 {
        first[k][k] = first[k][k] + (viscous - viscous_before);
        tensor[k][k] = unit.mul_add(viscous_before, tensor[k][k]);
    }
    if M > 0 {
        let volumes = [(-half).mul_add(growth.dv, here.v + growth.bulge), growth.dv];
        let inverse_after = A::splat(1.0) / v_after;
        let balance = balance::<A, E, N, K, M>(&deformed, (&x.1, &d.1), volumes, inverse_after);
        for i in 0..3 {
            first[i] = sub(first[i], balance.growth[i]);
            tensor[i] = scale_add(-unit, balance.tensor[i], tensor[i]);
            second[i] = scale(-unit, balance.change[i]);
        }
    }
    let change: M3<A> = each!(3, I => scale_add(unit, first[I], second[I]));
    let mean: M3<A> = each!(3, I => scale_add(half, change[I], tensor[I]));
    let back = A::splat(1.0 / step.scale);
    let mut main = [[A::zero(); 3]; K];
    for (k, main) in main.iter_mut().enumerate() {
        let (g, dg, q) = (here.g[k], growth.dg[k], growth.q[k]);
        let mut rest = [A::zero(); 3];
        if E::AXISYMMETRIC {
            for a in 0..2 {
                for b in 0..2 {
                    main[a] = first[a][b].mul_add(g[b], main[a]);
                    let moved = change[a][b].mul_add(q[b], mean[a][b] * dg[b]);
                    rest[a] = rest[a] + second[a][b].mul_add(g[b], moved);
                }
            }
            main[0] = first[2][2].mul_add(g[2], main[0]);
            let moved = change[2][2].mul_add(q[2], mean[2][2] * dg[2]);
            rest[0] = rest[0] + second[2][2].mul_add(g[2], moved);
        } else {
            *main = each!(3, I => dot(first[I], g));
            rest = each!(3, I => dot_add(second[I], g, dot_add(change[I], q, dot(mean[I], dg))));
        }
        *main = each!(3, I => back.mul_add(rest[I], main[I]));
    }
    deformed.found.least = deformed.found.least.min(v_after);
    (E::nodal(&main, &deformed.growth), deformed.found)
}
