//! The kinds of elements, by the coordinates that their gradients consist of.

use nonius_linalg::cpu::simd::real::Real;

use super::squares;
use crate::solid::geometry::{
    Gradients, Growth, MEAN_WEIGHT, RING_WEIGHT, at_nodes, axisymmetric, axisymmetric_growth,
    edges, edges_growth, layer, mean_hexahedron, mean_hexahedron_growth, modes, quadrilateral,
    quadrilateral_growth, ring_modes,
};
use crate::solid::vector::{M3, V3, add, negative, scale_matrix, sub};

/// C3D8.
pub(crate) struct Hexahedron;
/// C3D8R.
pub(crate) struct ReducedHexahedron;
/// C3D4.
pub(crate) struct Tetrahedron;
/// CPE4R.
pub(crate) struct PlaneStrain;
/// CAX4R.
pub(crate) struct Axisymmetric;

/// A kind with one point: `N` nodes, `K` coordinates, `M` hourglass modes.
pub(super) trait Shape<const N: usize, const K: usize, const M: usize> {
    /// Whether the third entry of a gradient is that of hoop strain.
    const AXISYMMETRIC: bool = false;
    /// Along how many axes nodes of hourglass modes move.
    const DIMENSIONS: usize = if Self::AXISYMMETRIC { 2 } else { 3 };
    /// The weight of gradients.
    const WEIGHT: f64 = 1.0;

    /// What the second result of [`coordinates`](Shape::coordinates) is multiplied by to be `Γ·x`.
    const HOURGLASS: f64 = 1.0;

    /// Coordinates, and those of hourglass modes.
    fn coordinates<A: Real>(x: &[V3<A>; N]) -> ([V3<A>; K], [V3<A>; M]);

    /// The element by its coordinates.
    fn gradients<A: Real>(x: &[V3<A>; K]) -> Gradients<A, K>;

    /// What a step of its coordinates changes.
    fn growth<A: Real>(here: &Gradients<A, K>, x: &[V3<A>; K], d: &[V3<A>; K]) -> Growth<A, K>;

    /// Nodal forces of those on coordinates and on hourglass modes.
    fn nodal<A: Real>(main: &[V3<A>; K], modes: &[V3<A>; M]) -> [V3<A>; N];

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
    fn gradients<A: Real>(x: &[V3<A>; 6]) -> Gradients<A, 6> {
        mean_hexahedron(x)
    }

    #[inline(always)]
    fn growth<A: Real>(here: &Gradients<A, 6>, x: &[V3<A>; 6], d: &[V3<A>; 6]) -> Growth<A, 6> {
        mean_hexahedron_growth(here, x, d)
    }

    #[inline(always)]
    fn nodal<A: Real>(main: &[V3<A>; 6], modes: &[V3<A>; 4]) -> [V3<A>; 8] {
        let [a1, a2, a3, h12, h13, h23] = *main;
        let [q12, q13, q23, q123] = *modes;
        at_nodes(&[a1, a2, a3, add(h12, q12), add(h13, q13), add(h23, q23), q123])
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
    fn gradients<A: Real>(x: &[V3<A>; 3]) -> Gradients<A, 3> {
        edges(x, 6.0)
    }

    #[inline(always)]
    fn growth<A: Real>(here: &Gradients<A, 3>, x: &[V3<A>; 3], d: &[V3<A>; 3]) -> Growth<A, 3> {
        edges_growth(here, x, d, 6.0)
    }

    #[inline(always)]
    fn nodal<A: Real>(main: &[V3<A>; 3], _: &[V3<A>; 0]) -> [V3<A>; 4] {
        let [a, b, c] = *main;
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
    fn gradients<A: Real>(x: &[V3<A>; 2]) -> Gradients<A, 2> {
        quadrilateral(x)
    }

    #[inline(always)]
    fn growth<A: Real>(here: &Gradients<A, 2>, _: &[V3<A>; 2], d: &[V3<A>; 2]) -> Growth<A, 2> {
        quadrilateral_growth(here, d)
    }

    #[inline(always)]
    fn nodal<A: Real>(main: &[V3<A>; 2], modes: &[V3<A>; 1]) -> [V3<A>; 4] {
        let ([a, b], [h]) = (*main, *modes);
        [sub(h, a), negative(add(b, h)), add(a, h), sub(b, h)]
    }

    #[inline(always)]
    fn squares<A: Real>(g: &[V3<A>; 2]) -> M3<A> {
        scale_matrix(A::splat(2.0), &squares(g))
    }
}

impl Shape<4, 4, 1> for Axisymmetric {
    const AXISYMMETRIC: bool = true;
    const WEIGHT: f64 = RING_WEIGHT;
    const HOURGLASS: f64 = 4.0;

    /// Third entries of nodes are their radii beside that of the first.
    #[inline(always)]
    fn coordinates<A: Real>(x: &[V3<A>; 4]) -> ([V3<A>; 4], [V3<A>; 1]) {
        let modes = ring_modes(x);
        (modes, [modes[3]])
    }

    #[inline(always)]
    fn gradients<A: Real>(x: &[V3<A>; 4]) -> Gradients<A, 4> {
        axisymmetric(x)
    }

    #[inline(always)]
    fn growth<A: Real>(here: &Gradients<A, 4>, x: &[V3<A>; 4], d: &[V3<A>; 4]) -> Growth<A, 4> {
        axisymmetric_growth(here, x, d)
    }

    #[inline(always)]
    fn nodal<A: Real>(main: &[V3<A>; 4], modes: &[V3<A>; 1]) -> [V3<A>; 4] {
        let ([mean, a, b, h], [q]) = (*main, *modes);
        layer(mean, a, b, add(h, q))
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
        // Of each coefficient there are four nodes.
        scale_matrix(A::splat(4.0), &[[a + hoop[0][0], b, c], second, third])
    }
}
