//! An element's step: what it remembers, and the forces on its nodes.
//!
//! Forces on coordinates are `f_k = Σ_p s_p·g_(p,k) + T·G_k`, and hourglass modes `Γ_α` have forces
//! `Q_α`. With one point `T = σ + b − H`; with eight `s_p` are deviators, and `T` is the mean
//! pressure and `b`: the mean volume strain alone makes pressure (selective integration). `G` is
//! the mean gradient, `b` the pressure of bulk viscosity. The forces `Q_α` grow with the part
//! `q_α = Γ_α·(Δ − L·x)` of a step that no strain has, and `H = Σ_α Q_α ⊗ (Γ_α·x)/V` keeps them
//! orthogonal to linear fields (Flanagan and Belytschko 1981).
//!
//! Stresses, `Q` and `b` follow from the step half way ([`Element::deform`]). Forces *in full* are
//! the formulas above, of what is remembered and where nodes are ([`Element::forces`]).
//!
//! Increments of forces ([`Element::increments`]) add up to those: `Δ(T·G) = ΔT·(G + q) + T̄·ΔG`
//! and the like, without differences of what is large.
//!
//! **Numbers.** Elements compute in numbers `A`. They keep what they remember as sums `W`, which
//! have as many digits or more: a step reads them [rounded](Slots::load) and [adds its
//! increments](Slots::grow) to them.
//! So no stress loses what single steps are too short to show in `A`.

mod one_point;
mod one_point_deformation;
mod one_point_increments;
mod selective;
mod selective_deformation;
mod selective_increments;
mod shapes;

use nonius_linalg::cpu::simd::real::{Narrow, Real, each};

use super::group::Slots;
use super::law::Substance;
use crate::model::{BulkViscosity, Lame};
use crate::solid::vector::{M3, V3, add_outer, scale_matrix};

pub(super) use shapes::{Axisymmetric, Hexahedron, PlaneStrain, ReducedHexahedron, Tetrahedron};

/// What a step is like for all elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    /// Its length.
    pub(super) dt: f64,
    /// Linear and quadratic bulk viscosity.
    pub(super) viscosity: BulkViscosity,
    /// Stiffness against hourglass modes, as a part of the stiffness against strain.
    pub(super) hourglass: f64,
    /// What the part of increments that is of the second order in the step is multiplied by while
    /// it is computed, so that it does not underflow: a power of two.
    pub(super) scale: f64,
}

/// What some elements side by side remember, which compute with `A` and keep sums as `W`.
pub(super) struct Remembered<'a, A: Real, W: Real> {
    /// Their points' numbers, then three of the force of each hourglass mode, then the pressure of
    /// bulk viscosity.
    pub(super) memory: Slots<'a, W>,
    /// Masses of points.
    pub(super) masses: Slots<'a, A>,
}

/// What an element's step comes to but for forces.
pub(super) struct Found<A> {
    /// The longest stable step.
    pub(super) stable: A,
    /// Work on strains, of plastic flow, against hourglass modes, of viscosity.
    pub(super) work: [A; 4],
    /// The least volume of any point half way, and of the element at the end as far as it is known.
    pub(super) least: A,
}

impl<A: Real> Found<A> {
    /// Without a step.
    #[inline(always)]
    pub(super) fn at_rest(least: A) -> Self {
        Self { stable: A::splat(f64::INFINITY), work: [A::zero(); 4], least }
    }
}

/// A kind of elements with `N` nodes, which takes [parts](Element::PART) of coordinates and
/// displacements. Forces resist the motion.
pub(super) trait Element<const N: usize> {
    /// How many points remember something.
    const POINTS: usize;
    /// How many hourglass modes there are.
    const MODES: usize;
    /// The part of coordinates and displacements, a power of two.
    const PART: f64 = if N == 8 { 0.125 } else { 1.0 };
    /// Whether elements ask how far nodes are from the axis, and not for differences between nodes
    /// alone.
    const AXISYMMETRIC: bool = false;

    /// Takes what elements remember through a step. `x` are coordinates half way, `d` displacements
    /// of the step.
    fn deform<A: Real, W: Narrow<A>>(
        substance: &Substance<'_>,
        step: &Step,
        x: &[V3<A>; N],
        d: &[V3<A>; N],
        remembered: &mut Remembered<'_, A, W>,
    ) -> Found<A>;

    /// Nodal forces in full of what elements at `x` remember, and their least volumes.
    fn forces<A: Real, W: Narrow<A>>(
        substance: &Substance<'_>,
        x: &[V3<A>; N],
        remembered: &Remembered<'_, A, W>,
    ) -> ([V3<A>; N], A);

    /// [`deform`](Element::deform), and what it adds to nodal forces.
    fn increments<A: Real, W: Narrow<A>>(
        substance: &Substance<'_>,
        step: &Step,
        x: &[V3<A>; N],
        d: &[V3<A>; N],
        remembered: &mut Remembered<'_, A, W>,
    ) -> ([V3<A>; N], Found<A>);
}

/// `a + k·b` of vectors.
#[inline(always)]
pub(super) fn moved<A: Real, const K: usize>(a: &[V3<A>; K], k: f64, b: &[V3<A>; K]) -> [V3<A>; K] {
    let k = A::splat(k);
    let mut all = *a;
    for (to, b) in all.iter_mut().zip(b) {
        *to = each!(3, I => k.mul_add(b[I], to[I]));
    }
    all
}

/// `Σ Δ_k ⊗ g_k`, times a factor.
#[inline(always)]
fn deformation<A: Real, const K: usize>(
    g: &[V3<A>; K],
    d: &[V3<A>; K],
    factor: A,
    axisymmetric: bool,
) -> M3<A> {
    let mut l = [[A::zero(); 3]; 3];
    for (d, g) in d.iter().zip(g) {
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

/// Waves through an element.
struct Waves<A> {
    /// The modulus of compression.
    modulus: A,
    /// The time in which one goes through.
    time: A,
    /// How fast the volume grows, as a part of it in a unit of time.
    rate: A,
    /// The modulus of compression times the trace beside the whole stiffness: how much more
    /// viscosity damps than it does in a wave through many elements.
    swelling: A,
}

impl<A: Real> Waves<A> {
    /// Of a material its parameters and the modulus that its law has. Of gradients the trace and
    /// the bound that [`trace_and_bound`] finds, times the volume's square over a node's mass.
    ///
    /// `uᵀKu = V·(λ·(Σ u_I·b_I)² + 2µ·|ε|²)` for gradients `b_I` and motions `u_I` of nodes: the
    /// first sum is at most `|u|²` times the trace of `Σ b_I·b_Iᵀ`, and `|ε|² ≤ |∇u|²` at most
    /// `|u|²` times its greatest eigenvalue. So `2/time` is no less than the element's greatest
    /// frequency, free or not.
    #[inline(always)]
    fn new(
        step: &Step,
        lame: Lame,
        modulus: A,
        (mass_by_square, trace, bound): (A, A, A),
        dilatation: A,
    ) -> Self {
        let rate = dilatation * A::splat(1.0 / step.dt);
        let shear = A::splat(2.0 * lame.mu);
        let stiffness = (modulus - shear).max(A::zero()).mul_add(trace, shear * bound);
        let time = (mass_by_square / stiffness).sqrt();
        Self { modulus, time, rate, swelling: modulus * trace / stiffness }
    }

    /// The pressure of bulk viscosity, `ρ·(b₁·c·ℓ·ε̇ − (b₂·ℓ·ε̇)²)` of the speed `c`, the way `ℓ`
    /// and, in the second part, compression alone.
    #[inline(always)]
    fn viscosity(&self, step: &Step) -> A {
        let BulkViscosity { linear, quadratic } = step.viscosity;
        let slow = A::splat(linear) * self.rate;
        let quick = A::splat(quadratic) * self.time * self.rate.min(A::zero());
        self.modulus * (self.time * slow - quick * quick)
    }

    /// The longest stable step, which viscosity makes shorter.
    ///
    /// A frequency `ω ≤ 2/t` with the damping `2ξω` is stable for steps with
    /// `(ω·dt)²/4 + ξω·dt ≤ 1`. The matrix of viscosity is at most `b·t·M·(Σ u_I·b_I)²` with the
    /// modulus `M`, so that `ξω·t ≤ 2·b·M·trace/stiffness`.
    #[inline(always)]
    fn stable_step(&self, step: &Step) -> A {
        let BulkViscosity { linear, quadratic } = step.viscosity;
        let compression = self.rate.min(A::zero());
        let damping = A::splat(linear) - A::splat(quadratic * quadratic) * self.time * compression;
        let damping = damping * self.swelling;
        let root = damping.mul_add(damping, A::splat(1.0)).sqrt();
        (root - damping) * self.time
    }
}

/// Of the matrix `Σ g_I·g_Iᵀ` over nodes, given as one over coordinates, the trace and a bound of
/// the greatest eigenvalue: the largest sum of a row.
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
