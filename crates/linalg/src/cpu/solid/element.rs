//! An element's step: stress, hourglass control, viscosity, and what these add to nodal forces.
//!
//! Forces on coordinates are `f_k = Σ_p s_p·g_(p,k) + T·G_k`, and hourglass modes `Γ_α` have forces `Q_α`. With one point `T = σ + b − H`; with eight `s_p` are deviators, and `T` is the mean pressure and `b`: the mean volume strain alone makes pressure (selective integration).
//! `G` is the mean gradient, `b` the pressure of bulk viscosity. The forces `Q_α` grow with the part `q_α = Γ_α·(Δ − L·x)` of a step that no strain has, and
//! `H = Σ_α Q_α ⊗ (Γ_α·x)/V` keeps them orthogonal to linear fields (Flanagan and Belytschko 1981). Increments follow from `Δ(T·G) = ΔT·(G + q) + T̄·ΔG` and the like, without differences of what is large.
//!
//! What is of the first order in the step, `ΔT·G` and `ΔQ`, has the precision of sums: rounding it would leave errors that add up over steps. All else is smaller by a strain and may be rounded.
//!
//! Forces *in full*, to which increments add up, are those formulas themselves, of what is remembered and where nodes are: `T·G` and `Q` in the precision of sums.

mod one_point;
mod selective;
mod shapes;

use super::geometry::Point;
use super::group::Slots;
use super::law::Substance;
use super::vector::{M3, V3, add_outer, dot, dot_add, scale_add, scale_matrix};
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
    /// Whether forces are asked for in full, where nodes are, and not increments; nothing remembered changes then.
    pub(super) total: bool,
}

/// What some elements side by side remember.
pub(super) struct Remembered<'a, A> {
    /// Their points' numbers, then three of the force of each hourglass mode, then the pressure of bulk viscosity.
    pub(super) memory: Slots<'a, A>,
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
    /// The part of coordinates and displacements that [`advance`](Element::advance) takes, a power of two.
    const PART: f64 = if N == 8 { 0.125 } else { 1.0 };

    /// Takes elements through a step. `x` are the [parts](Element::PART) of coordinates half way, `d` those of displacements of the step.
    fn advance<S: Real, A: Narrow<S>>(
        substance: &Substance<'_>,
        step: &Step,
        x: &[V3<A>; N],
        d: &[V3<A>; N],
        remembered: &mut Remembered<'_, A::Number>,
    ) -> Advanced<S, A, N>;

    /// Nodal forces in full of what elements at `x` remember.
    fn forces<S: Real, A: Narrow<S>>(
        substance: &Substance<'_>,
        x: &[V3<A>; N],
        remembered: &Remembered<'_, A::Number>,
    ) -> Advanced<S, A, N>;
}

impl<S: Real, A: Narrow<S>, const N: usize> Advanced<S, A, N> {
    /// Forces without a step.
    #[inline(always)]
    fn at_rest(forces: [V3<A>; N], least: A) -> Self {
        Self { forces, stable: S::splat(f64::INFINITY), work: [S::zero(); 4], least }
    }
}

/// `Σ Δ_k ⊗ g_k`, times a factor.
#[inline(always)]
fn deformation<S: Real, A: Narrow<S>, const K: usize>(
    point: &Point<S, A, K>,
    d: &[V3<A>; K],
    factor: A,
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
    scale_matrix(factor, &l)
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

/// Waves through an element.
struct Waves<A> {
    /// The modulus of compression.
    modulus: A,
    density: A,
    /// The square of the way that they have to go.
    square: A,
}

impl<A: Real> Waves<A> {
    /// The pressure of bulk viscosity.
    #[inline(always)]
    fn viscosity(&self, step: &Step, dilatation: A) -> A {
        let [linear, quadratic] = step.viscosity;
        let rate = dilatation * A::splat(1.0 / step.dt);
        let compression = rate.min(A::zero());
        let inertia = self.density * self.square;
        let slow = A::splat(linear) * (self.modulus * inertia).sqrt() * rate;
        let quick = A::splat(quadratic * quadratic) * inertia;
        slow - quick * (compression * compression)
    }

    /// The longest stable step, which viscosity makes shorter.
    #[inline(always)]
    fn stable_step<S: Real>(&self, step: &Step, dilatation: S) -> S
    where
        A: Narrow<S>,
    {
        let [linear, quadratic] = step.viscosity;
        let compression = (dilatation * S::splat(1.0 / step.dt)).min(S::zero());
        let inertia = self.density.narrow() * self.square.narrow();
        let time = (inertia / self.modulus.narrow()).sqrt();
        let damping = S::splat(linear) - S::splat(quadratic * quadratic) * time * compression;
        let root = damping.mul_add(damping, S::splat(1.0)).sqrt();
        (root - damping) * time
    }
}

/// Of the matrix `Σ g_I·g_Iᵀ` over nodes, given as one over coordinates, the trace and a bound of the greatest eigenvalue: the largest sum of a row.
#[inline(always)]
fn trace_and_bound<A: Real>(m: &M3<A>) -> (A, A) {
    let [x, y, z] = each!(3, I => m[I][0].abs() + m[I][1].abs() + m[I][2].abs());
    (m[0][0] + m[1][1] + m[2][2], x.max(y).max(z))
}

/// `Σ g_k·g_kᵀ`.
#[inline(always)]
fn squares<A: Real, const K: usize>(g: &[V3<A>; K]) -> M3<A> {
    let mut matrix = [[A::zero(); 3]; 3];
    for g in g {
        add_outer(&mut matrix, *g, *g);
    }
    matrix
}

/// `a + ½·b` of matrices.
#[inline(always)]
fn half_way<S: Real>(a: &M3<S>, b: &M3<S>) -> M3<S> {
    each!(3, I => scale_add(S::splat(0.5), b[I], a[I]))
}
