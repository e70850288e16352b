//! An element's step: stress, hourglass control, viscosity, and what these add to nodal forces.
//!
//! Forces on coordinates are `f_k = Σ_p s_p·g_(p,k) + T·G_k`, and hourglass modes `Γ_α` have forces `Q_α`. With one point `T = σ + b − H`; with eight `s_p` are deviators, and `T` is the mean pressure and `b`: the mean volume strain alone makes pressure (selective integration).
//! `G` is the mean gradient, `b` the pressure of bulk viscosity. The forces `Q_α` grow with the part `q_α = Γ_α·(Δ − L·x)` of a step that no strain has, and
//! `H = Σ_α Q_α ⊗ (Γ_α·x)/V` keeps them orthogonal to linear fields (Flanagan and Belytschko 1981). Increments follow from `Δ(T·G) = ΔT·(G + q) + T̄·ΔG` and the like, without differences of what is large.
//!
//! `Δσ·G` has the precision of sums: it is nearly all of an increment, and rounding it would leave an error that adds up over steps. All else may be rounded, since it is small.

mod one_point;
mod selective;
mod shapes;

use super::geometry::Point;
use super::group::Slots;
use super::law::Substance;
use super::vector::{M3, V3, add_outer, dot, dot_add, narrow, scale_add, scale_matrix};
use crate::cpu::simd::real::{Narrow, Real, each};

pub(super) use shapes::{Axisymmetric, Hexahedron, PlaneStrain, ReducedHexahedron, Tetrahedron};

/// What a step is like for all elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Its length.
    pub(super) dt: f64,
    /// Linear and quadratic bulk viscosity.
    pub(super) viscosity: [f64; 2],
    /// Stiffness against hourglass modes, as a part of the stiffness against strain.
    pub(super) hourglass: f64,
    /// What the rounded part of forces is multiplied by while it is computed: a power of two.
    pub(super) scale: f64,
}

/// What some elements side by side remember: their points' numbers, and those of hourglass control and viscosity.
pub(super) struct Remembered<'a, S, A> {
    pub(super) memory: Slots<'a, A>,
    /// Forces of hourglass modes, and the pressure of bulk viscosity.
    pub(super) controls: Slots<'a, S>,
    /// Masses of points.
    pub(super) masses: Slots<'a, A>,
}

/// What an element's step comes to.
pub(super) struct Advanced<S, A, const N: usize> {
    /// Increments of nodal forces, which resist the motion.
    pub(super) forces: [V3<A>; N],
    /// The longest stable step.
    pub(super) stable: S,
    /// Work on strains, of plastic flow, against hourglass modes, of viscosity.
    pub(super) work: [S; 4],
    /// The least volume of any point, half way and at the end.
    pub(super) least: A,
}

/// A kind of elements with `N` nodes.
pub(super) trait Element<const N: usize> {
    /// How many points remember something.
    const POINTS: usize;
    /// How many hourglass modes there are.
    const MODES: usize;
    /// The power of length that volumes are.
    const DIMENSIONS: f64;

    /// Takes elements through a step. `x` are coordinates half way, `d` displacements of the step.
    fn advance<S: Real, A: Narrow<S>>(
        substance: &Substance<'_>,
        step: &Step,
        x: &[V3<A>; N],
        d: &[V3<A>; N],
        remembered: &mut Remembered<'_, S::Number, A::Number>,
    ) -> Advanced<S, A, N>;
}

/// `w·Σ Δ_k ⊗ g_k/v`.
#[inline(always)]
fn deformation<S: Real, A: Narrow<S>, const K: usize>(
    point: &Point<S, A, K>,
    d: &[V3<A>; K],
    weight: f64,
    axisymmetric: bool,
) -> M3<A> {
    let mut l = [[A::zero(); 3]; 3];
    for (d, g) in d.iter().zip(&point.g) {
        if axisymmetric {
            for i in 0..2 {
                for j in 0..2 {
                    l[i][j] = d[i].mul_add(g[j], l[i][j]);
                }
            }
            l[2][2] = d[0].mul_add(g[2], l[2][2]);
        } else {
            add_outer(&mut l, *d, *g);
        }
    }
    let inverse = A::splat(weight) / point.v;
    scale_matrix(inverse, &l)
}

/// The increment of `T·g`: that by the stress's change half way, and all else.
#[inline(always)]
fn contract<S: Real, A: Narrow<S>>(
    stress: &M3<A>,
    mean: &M3<S>,
    change: &M3<S>,
    (g, dg, q): (V3<A>, V3<S>, V3<S>),
) -> (V3<A>, V3<S>) {
    let rest = each!(3, I => dot_add(change[I], q, dot(mean[I], dg)));
    (each!(3, I => dot(stress[I], g)), rest)
}

/// Waves through an element: the speed, one over the way that they have to go, and the density.
struct Waves<S> {
    speed: S,
    inverse_length: S,
    density: S,
}

/// Bulk viscosity: the pressure, and by what part of the critical damping steps become shorter.
#[inline(always)]
fn viscosity<S: Real>(step: &Step, waves: &Waves<S>, dilatation: S) -> (S, S) {
    let rate = dilatation * S::splat(1.0 / step.dt);
    let compression = rate.min(S::zero());
    let [linear, quadratic] = step.viscosity;
    let slow = S::splat(linear) * waves.density * waves.speed / waves.inverse_length * rate;
    let quick = S::splat(quadratic) / waves.inverse_length * compression;
    let viscous = slow - waves.density * quick * quick;
    let square = S::splat(quadratic * quadratic);
    let damping = S::splat(linear) - square / (waves.speed * waves.inverse_length) * compression;
    (viscous, damping)
}

/// The longest stable step.
#[inline(always)]
fn stable_step<S: Real>(waves: &Waves<S>, damping: S) -> S {
    let root = damping.mul_add(damping, S::splat(1.0)).sqrt();
    (root - damping) / (waves.speed * waves.inverse_length)
}

/// Of the matrix `Σ g_I·g_Iᵀ` over nodes, given as one over coordinates, the trace and a bound of the greatest eigenvalue: the largest sum of a row.
#[inline(always)]
fn trace_and_bound<S: Real>(m: &M3<S>) -> (S, S) {
    let [x, y, z] = each!(3, I => m[I][0].abs() + m[I][1].abs() + m[I][2].abs());
    (m[0][0] + m[1][1] + m[2][2], x.max(y).max(z))
}

/// `Σ g_k·g_kᵀ`.
#[inline(always)]
fn squares<S: Real, A: Narrow<S>, const K: usize>(g: &[V3<A>; K]) -> M3<S> {
    let mut matrix = [[S::zero(); 3]; 3];
    for g in g {
        let g = narrow(*g);
        add_outer(&mut matrix, g, g);
    }
    matrix
}

/// `a + ½·b` of matrices.
#[inline(always)]
fn half_way<S: Real>(a: &M3<S>, b: &M3<S>) -> M3<S> {
    each!(3, I => scale_add(S::splat(0.5), b[I], a[I]))
}
