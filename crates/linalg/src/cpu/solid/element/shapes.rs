//! The kinds of elements, by the coordinates that their gradients consist of.

use super::super::geometry::{
    MEAN_WEIGHT, Point, at_nodes, axisymmetric, mean_hexahedron, modes, quadrilateral, tetrahedron,
};
use super::super::vector::{M3, V3, add, scale, scale_add, sub, widen};
use super::squares;
use crate::cpu::simd::real::{Narrow, Real};

/// C3D8.
pub(in super::super) struct Hexahedron;
/// C3D8R.
pub(in super::super) struct ReducedHexahedron;
/// C3D4.
pub(in super::super) struct Tetrahedron;
/// CPE4R.
pub(in super::super) struct PlaneStrain;
/// CAX4R.
pub(in super::super) struct Axisymmetric;

/// A kind with one point: `N` nodes, `K` coordinates, `M` hourglass modes.
pub(super) trait Shape<const N: usize, const K: usize, const M: usize> {
    /// Whether the third entry of a gradient is that of hoop strain.
    const AXISYMMETRIC: bool = false;
    /// The weight of gradients.
    const WEIGHT: f64 = 1.0;

    /// Coordinates, and `Γ·x` of hourglass modes.
    fn coordinates<A: Real>(x: &[V3<A>; N]) -> ([V3<A>; K], [V3<A>; M]);

    /// The element by its coordinates and what a step adds to them.
    fn point<S: Real, A: Narrow<S>>(x: &[V3<A>; K], d: &[V3<S>; K]) -> Point<S, A, K>;

    /// Nodal forces of those on coordinates, of which a part is `unit` times as large as given, and of those on hourglass modes, which are so too.
    fn nodal<S: Real, A: Narrow<S>>(
        main: &[V3<A>; K],
        rest: &[V3<S>; K],
        modes: &[V3<S>; M],
        unit: A,
    ) -> [V3<A>; N];

    /// `Σ g_I·g_Iᵀ` over nodes.
    fn squares<S: Real, A: Narrow<S>>(g: &[V3<A>; K]) -> M3<S>;
}

impl Shape<8, 6, 4> for ReducedHexahedron {
    const WEIGHT: f64 = MEAN_WEIGHT;

    #[inline(always)]
    fn coordinates<A: Real>(x: &[V3<A>; 8]) -> ([V3<A>; 6], [V3<A>; 4]) {
        let [a1, a2, a3, h12, h13, h23, h123] = modes(x);
        let eight = |mode: V3<A>| scale(A::splat(8.0), mode);
        ([a1, a2, a3, h12, h13, h23], [h12, h13, h23, h123].map(eight))
    }

    #[inline(always)]
    fn point<S: Real, A: Narrow<S>>(x: &[V3<A>; 6], d: &[V3<S>; 6]) -> Point<S, A, 6> {
        mean_hexahedron(x, d)
    }

    #[inline(always)]
    fn nodal<S: Real, A: Narrow<S>>(
        main: &[V3<A>; 6],
        rest: &[V3<S>; 6],
        modes: &[V3<S>; 4],
        unit: A,
    ) -> [V3<A>; 8] {
        let with = |k: usize, other: V3<S>| scale_add(unit, widen(other), main[k]);
        at_nodes(&[
            with(0, rest[0]),
            with(1, rest[1]),
            with(2, rest[2]),
            with(3, add(rest[3], modes[0])),
            with(4, add(rest[4], modes[1])),
            with(5, add(rest[5], modes[2])),
            scale(unit, widen(modes[3])),
        ])
    }

    #[inline(always)]
    fn squares<S: Real, A: Narrow<S>>(g: &[V3<A>; 6]) -> M3<S> {
        // Of each coefficient there are eight nodes.
        squares(g).map(|row| scale(S::splat(8.0), row))
    }
}

impl Shape<4, 3, 0> for Tetrahedron {
    #[inline(always)]
    fn coordinates<A: Real>(x: &[V3<A>; 4]) -> ([V3<A>; 3], [V3<A>; 0]) {
        ([sub(x[1], x[0]), sub(x[2], x[0]), sub(x[3], x[0])], [])
    }

    #[inline(always)]
    fn point<S: Real, A: Narrow<S>>(x: &[V3<A>; 3], d: &[V3<S>; 3]) -> Point<S, A, 3> {
        tetrahedron(x, d)
    }

    #[inline(always)]
    fn nodal<S: Real, A: Narrow<S>>(
        main: &[V3<A>; 3],
        rest: &[V3<S>; 3],
        _: &[V3<S>; 0],
        unit: A,
    ) -> [V3<A>; 4] {
        let [a, b, c] = core::array::from_fn(|k| scale_add(unit, widen(rest[k]), main[k]));
        [add(add(a, b), c).map(|f| -f), a, b, c]
    }

    #[inline(always)]
    fn squares<S: Real, A: Narrow<S>>(g: &[V3<A>; 3]) -> M3<S> {
        squares(&[add(add(g[0], g[1]), g[2]), g[0], g[1], g[2]])
    }
}

/// `x₀ − x₁ + x₂ − x₃`.
#[inline(always)]
fn alternating<A: Real>(x: &[V3<A>; 4]) -> [V3<A>; 1] {
    [add(sub(x[0], x[1]), sub(x[2], x[3]))]
}

impl Shape<4, 2, 1> for PlaneStrain {
    #[inline(always)]
    fn coordinates<A: Real>(x: &[V3<A>; 4]) -> ([V3<A>; 2], [V3<A>; 1]) {
        ([sub(x[2], x[0]), sub(x[3], x[1])], alternating(x))
    }

    #[inline(always)]
    fn point<S: Real, A: Narrow<S>>(x: &[V3<A>; 2], d: &[V3<S>; 2]) -> Point<S, A, 2> {
        quadrilateral(x, d)
    }

    #[inline(always)]
    fn nodal<S: Real, A: Narrow<S>>(
        main: &[V3<A>; 2],
        rest: &[V3<S>; 2],
        modes: &[V3<S>; 1],
        unit: A,
    ) -> [V3<A>; 4] {
        let [a, b] = core::array::from_fn(|k| scale_add(unit, widen(rest[k]), main[k]));
        let h = scale(unit, widen(modes[0]));
        [sub(h, a), sub(b.map(|f| -f), h), add(a, h), sub(b, h)]
    }

    #[inline(always)]
    fn squares<S: Real, A: Narrow<S>>(g: &[V3<A>; 2]) -> M3<S> {
        squares(g).map(|row| scale(S::splat(2.0), row))
    }
}

impl Shape<4, 4, 1> for Axisymmetric {
    const AXISYMMETRIC: bool = true;

    /// Nodes themselves: radial motion counts as such.
    #[inline(always)]
    fn coordinates<A: Real>(x: &[V3<A>; 4]) -> ([V3<A>; 4], [V3<A>; 1]) {
        (x.map(|p| [p[0], p[1] - x[0][1], p[2]]), alternating(x))
    }

    #[inline(always)]
    fn point<S: Real, A: Narrow<S>>(x: &[V3<A>; 4], d: &[V3<S>; 4]) -> Point<S, A, 4> {
        axisymmetric(x, d)
    }

    #[inline(always)]
    fn nodal<S: Real, A: Narrow<S>>(
        main: &[V3<A>; 4],
        rest: &[V3<S>; 4],
        modes: &[V3<S>; 1],
        unit: A,
    ) -> [V3<A>; 4] {
        let h = scale(unit, widen(modes[0]));
        let all = |k: usize| scale_add(unit, widen(rest[k]), main[k]);
        [add(all(0), h), sub(all(1), h), add(all(2), h), sub(all(3), h)]
    }

    #[inline(always)]
    fn squares<S: Real, A: Narrow<S>>(g: &[V3<A>; 4]) -> M3<S> {
        // Hoop strain is of radial motion.
        let zero = A::zero();
        let flat = squares(&g.map(|g| [g[0], g[1], zero]));
        let hoop = squares(&g.map(|g| [g[2], zero, zero]));
        let [[a, b, c], second, third] = flat;
        [[a + hoop[0][0], b, c], second, third]
    }
}
