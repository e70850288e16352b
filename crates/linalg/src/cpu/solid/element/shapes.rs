//! The kinds of elements, by the coordinates that their gradients consist of.

use super::super::geometry::{
    MEAN_WEIGHT, Point, at_nodes, axisymmetric, mean_hexahedron, modes, quadrilateral, tetrahedron,
};
use super::super::vector::{M3, V3, add, negative, scale_add, scale_matrix, sub, widen};
use super::squares;
use crate::cpu::simd::real::{Narrow, Real, each};

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

    /// What the second result of [`coordinates`](Shape::coordinates) is multiplied by to be `Γ·x`.
    const HOURGLASS: f64 = 1.0;

    /// Coordinates, and those of hourglass modes.
    fn coordinates<A: Real>(x: &[V3<A>; N]) -> ([V3<A>; K], [V3<A>; M]);

    /// The element by its coordinates and what a step adds to them.
    fn point<S: Real, A: Narrow<S>>(x: &[V3<A>; K], d: &[V3<S>; K]) -> Point<S, A, K>;

    /// Nodal forces of those on coordinates, of which a part is `unit` times as large as given, and of those on hourglass modes.
    fn nodal<S: Real, A: Narrow<S>>(
        main: &[V3<A>; K],
        rest: &[V3<S>; K],
        modes: &[V3<A>; M],
        unit: A,
    ) -> [V3<A>; N];

    /// `Σ g_I·g_Iᵀ` over nodes.
    fn squares<A: Real>(g: &[V3<A>; K]) -> M3<A>;
}

impl Shape<8, 6, 4> for ReducedHexahedron {
    const WEIGHT: f64 = MEAN_WEIGHT;
    const HOURGLASS: f64 = 8.0;

    #[inline(always)]
    fn coordinates<A: Real>(x: &[V3<A>; 8]) -> ([V3<A>; 6], [V3<A>; 4]) {
        let [a1, a2, a3, h12, h13, h23, h123] = modes(x);
        ([a1, a2, a3, h12, h13, h23], [h12, h13, h23, h123])
    }

    #[inline(always)]
    fn point<S: Real, A: Narrow<S>>(x: &[V3<A>; 6], d: &[V3<S>; 6]) -> Point<S, A, 6> {
        mean_hexahedron(x, d)
    }

    #[inline(always)]
    fn nodal<S: Real, A: Narrow<S>>(
        main: &[V3<A>; 6],
        rest: &[V3<S>; 6],
        modes: &[V3<A>; 4],
        unit: A,
    ) -> [V3<A>; 8] {
        at_nodes(&[
            scale_add(unit, widen(rest[0]), main[0]),
            scale_add(unit, widen(rest[1]), main[1]),
            scale_add(unit, widen(rest[2]), main[2]),
            scale_add(unit, widen(rest[3]), add(main[3], modes[0])),
            scale_add(unit, widen(rest[4]), add(main[4], modes[1])),
            scale_add(unit, widen(rest[5]), add(main[5], modes[2])),
            modes[3],
        ])
    }

    #[inline(always)]
    fn squares<A: Real>(g: &[V3<A>; 6]) -> M3<A> {
        // Of each coefficient there are eight nodes.
        scale_matrix(A::splat(8.0), &squares(g))
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
        _: &[V3<A>; 0],
        unit: A,
    ) -> [V3<A>; 4] {
        let [a, b, c] = each!(3, K => scale_add(unit, widen(rest[K]), main[K]));
        [negative(add(add(a, b), c)), a, b, c]
    }

    #[inline(always)]
    fn squares<A: Real>(g: &[V3<A>; 3]) -> M3<A> {
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
        modes: &[V3<A>; 1],
        unit: A,
    ) -> [V3<A>; 4] {
        let [a, b] = each!(2, K => scale_add(unit, widen(rest[K]), main[K]));
        let h = modes[0];
        [sub(h, a), negative(add(b, h)), add(a, h), sub(b, h)]
    }

    #[inline(always)]
    fn squares<A: Real>(g: &[V3<A>; 2]) -> M3<A> {
        scale_matrix(A::splat(2.0), &squares(g))
    }
}

impl Shape<4, 4, 1> for Axisymmetric {
    const AXISYMMETRIC: bool = true;

    /// Nodes themselves: radial motion counts as such.
    #[inline(always)]
    fn coordinates<A: Real>(x: &[V3<A>; 4]) -> ([V3<A>; 4], [V3<A>; 1]) {
        let mut own = *x;
        for p in &mut own {
            p[1] = p[1] - x[0][1];
        }
        (own, alternating(x))
    }

    #[inline(always)]
    fn point<S: Real, A: Narrow<S>>(x: &[V3<A>; 4], d: &[V3<S>; 4]) -> Point<S, A, 4> {
        axisymmetric(x, d)
    }

    #[inline(always)]
    fn nodal<S: Real, A: Narrow<S>>(
        main: &[V3<A>; 4],
        rest: &[V3<S>; 4],
        modes: &[V3<A>; 1],
        unit: A,
    ) -> [V3<A>; 4] {
        let h = modes[0];
        let mut all = *main;
        for (to, rest) in all.iter_mut().zip(rest) {
            *to = scale_add(unit, widen(*rest), *to);
        }
        [add(all[0], h), sub(all[1], h), add(all[2], h), sub(all[3], h)]
    }

    #[inline(always)]
    fn squares<A: Real>(g: &[V3<A>; 4]) -> M3<A> {
        // Hoop strain is of radial motion.
        let zero = A::zero();
        let (mut flat, mut hoop) = (*g, *g);
        for k in 0..4 {
            flat[k][2] = zero;
            hoop[k] = [g[k][2], zero, zero];
        }
        let (flat, hoop) = (squares(&flat), squares(&hoop));
        let [[a, b, c], second, third] = flat;
        [[a + hoop[0][0], b, c], second, third]
    }
}
