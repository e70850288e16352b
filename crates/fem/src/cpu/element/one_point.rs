//! Elements with one point, and hourglass control where they need it.

use nonius_linalg::cpu::simd::real::{Narrow, Real, each};

use super::super::law::Substance;
use super::one_point_deformation::deform;
use super::one_point_increments::increments;
use super::shapes::{Axisymmetric, PlaneStrain, ReducedHexahedron, Shape, Tetrahedron};
use super::{Element, Found, Remembered, Step};
use crate::solid::vector::{Symmetric, V3, dot, full};

/// Forces in full of elements whose points remember `own` numbers, and their volumes.
#[inline(always)]
fn forces<
    A: Real,
    W: Narrow<A>,
    E: Shape<N, K, M>,
    const N: usize,
    const K: usize,
    const M: usize,
>(
    own: usize,
    x: &[V3<A>; N],
    remembered: &Remembered<'_, A, W>,
) -> ([V3<A>; N], A) {
    let zero = A::zero();
    let (x, h) = E::coordinates(x);
    let here = E::gradients(&x);
    let stress: Symmetric<A> = each!(6, K => remembered.memory.load(K));
    let viscous: A = remembered.memory.load(own + 3 * M);
    let mut tensor = full(&stress);
    for (k, row) in tensor.iter_mut().enumerate() {
        row[k] = row[k] + viscous;
    }
    let inverse = A::splat(E::HOURGLASS) / here.v;
    let mut modes = [[zero; 3]; M];
    for mode in 0..M {
        let force: V3<A> = each!(3, I => remembered.memory.load(own + 3 * mode + I));
        for i in 0..E::DIMENSIONS {
            let part = -(inverse * force[i]);
            for j in 0..E::DIMENSIONS {
                tensor[i][j] = part.mul_add(h[mode][j], tensor[i][j]);
            }
        }
        modes[mode] = force;
    }
    let mut main = [[zero; 3]; K];
    for (force, &g) in main.iter_mut().zip(&here.g) {
        if E::AXISYMMETRIC {
            for a in 0..2 {
                force[a] = tensor[a][0].mul_add(g[0], tensor[a][1] * g[1]);
            }
            force[0] = tensor[2][2].mul_add(g[2], force[0]);
        } else {
            *force = each!(3, I => dot(tensor[I], g));
        }
    }
    (E::nodal(&main, &modes), here.v)
}

macro_rules! one_point {
    ($($kind:ident $n:literal $k:literal $m:literal;)*) => {$(
        impl Element<$n> for $kind {
            const POINTS: usize = 1;
            const MODES: usize = $m;
            const AXISYMMETRIC: bool = <$kind as Shape<$n, $k, $m>>::AXISYMMETRIC;

            #[inline(always)]
            fn deform<A: Real, W: Narrow<A>>(
                substance: &Substance<'_>,
                step: &Step,
                x: &[V3<A>; $n],
                d: &[V3<A>; $n],
                remembered: &mut Remembered<'_, A, W>,
            ) -> Found<A> {
                let (x, d) = (Self::coordinates(x), Self::coordinates(d));
                let here = Self::gradients(&x.0);
                let all = (substance, step);
                deform::<A, W, $kind, $n, $k, $m>(all, &x, &d, &here, remembered).found
            }

            #[inline(always)]
            fn forces<A: Real, W: Narrow<A>>(
                substance: &Substance<'_>,
                x: &[V3<A>; $n],
                remembered: &Remembered<'_, A, W>,
            ) -> ([V3<A>; $n], A) {
                forces::<A, W, $kind, $n, $k, $m>(substance.memory.numbers, x, remembered)
            }

            #[inline(always)]
            fn increments<A: Real, W: Narrow<A>>(
                substance: &Substance<'_>,
                step: &Step,
                x: &[V3<A>; $n],
                d: &[V3<A>; $n],
                remembered: &mut Remembered<'_, A, W>,
            ) -> ([V3<A>; $n], Found<A>) {
                let all = (substance, step);
                increments::<A, W, $kind, $n, $k, $m>(all, (x, d), remembered)
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
