//! An element's step: stress, hourglass control, viscosity, and what these add to nodal forces.
//!
//! Nodal forces are `f_I = Σ_p s_p·g_(p,I) + T·G_I + Σ_α Q_α·Γ_(α,I)`. With one point `T = σ + b − H`; with eight `s_p` are deviators, and `T` is the mean pressure and `b`: the mean volume strain alone makes pressure (selective integration).
//! `G` is the mean gradient, `b` the pressure of bulk viscosity. Hourglass modes `Γ_α` have forces `Q_α` that grow with the part `q_α = Γ_α·(Δ − L·x)` of a step that no strain has, and
//! `H = Σ_α Q_α ⊗ (Γ_α·x)/V` keeps them orthogonal to linear fields (Flanagan and Belytschko 1981). Increments follow from `Δ(T·G) = ΔT·(G + q) + T̄·ΔG` and the like, without differences of what is large.

use super::geometry::{
    self, Point, SIGNS, axisymmetric, hexahedron_point, mean_hexahedron, quadrilateral, tetrahedron,
};
use super::law::{Material, Memory, Symmetric, advance, rotation};
use super::real::{Narrow, Real, V3, add, dot, narrow, scale, sub};

/// What nodes an element has, at what points it is integrated, and which modes need control.
pub trait Element<S: Real, A: Narrow<S>, const N: usize, const P: usize, const M: usize> {
    /// Whether the third entry of a gradient is that of hoop strain.
    const AXISYMMETRIC: bool = false;
    /// Hourglass modes: signs of nodes.
    const MODES: [[f64; N]; M];
    /// The points, and the whole element as one.
    fn points(x: &[V3<A>; N], step: &[V3<A>; N]) -> ([Point<S, A, N>; P], Point<S, A, N>);
}

/// C3D8.
pub struct Hexahedron;
/// C3D8R.
pub struct ReducedHexahedron;
/// C3D4.
pub struct Tetrahedron;
/// CPE4R.
pub struct PlaneStrain;
/// CAX4R.
pub struct Axisymmetric;

impl<S: Real, A: Narrow<S>> Element<S, A, 8, 8, 0> for Hexahedron {
    const MODES: [[f64; 8]; 0] = [];
    #[inline(always)]
    fn points(x: &[V3<A>; 8], step: &[V3<A>; 8]) -> ([Point<S, A, 8>; 8], Point<S, A, 8>) {
        let (x, step) = (geometry::modes(x), geometry::modes(step).map(narrow));
        let point = |p: usize| hexahedron_point(&x, &step, p);
        (core::array::from_fn(point), mean_hexahedron(&x, &step))
    }
}

const fn products(first: usize, second: usize) -> [f64; 8] {
    let mut signs = [0.0; 8];
    let mut i = 0;
    while i < 8 {
        signs[i] = SIGNS[i][first] * SIGNS[i][second];
        i += 1;
    }
    signs
}

const fn triple_products() -> [f64; 8] {
    let mut signs = products(0, 1);
    let mut i = 0;
    while i < 8 {
        signs[i] *= SIGNS[i][2];
        i += 1;
    }
    signs
}

impl<S: Real, A: Narrow<S>> Element<S, A, 8, 1, 4> for ReducedHexahedron {
    const MODES: [[f64; 8]; 4] =
        [products(0, 1), products(0, 2), products(1, 2), triple_products()];
    #[inline(always)]
    fn points(x: &[V3<A>; 8], step: &[V3<A>; 8]) -> ([Point<S, A, 8>; 1], Point<S, A, 8>) {
        let (x, step) = (geometry::modes(x), geometry::modes(step).map(narrow));
        let whole = mean_hexahedron(&x, &step);
        ([whole], whole)
    }
}

impl<S: Real, A: Narrow<S>> Element<S, A, 4, 1, 0> for Tetrahedron {
    const MODES: [[f64; 4]; 0] = [];
    #[inline(always)]
    fn points(x: &[V3<A>; 4], step: &[V3<A>; 4]) -> ([Point<S, A, 4>; 1], Point<S, A, 4>) {
        // Of the step only differences count, which must not be those of rounded numbers.
        let relative = step.map(|d| narrow(sub(d, step[0])));
        let whole = tetrahedron(x, &relative);
        ([whole], whole)
    }
}

const PLANE_MODE: [f64; 4] = [1.0, -1.0, 1.0, -1.0];

impl<S: Real, A: Narrow<S>> Element<S, A, 4, 1, 1> for PlaneStrain {
    const MODES: [[f64; 4]; 1] = [PLANE_MODE];
    #[inline(always)]
    fn points(x: &[V3<A>; 4], step: &[V3<A>; 4]) -> ([Point<S, A, 4>; 1], Point<S, A, 4>) {
        let relative = step.map(|d| narrow(sub(d, step[0])));
        let whole = quadrilateral(x, &relative);
        ([whole], whole)
    }
}

impl<S: Real, A: Narrow<S>> Element<S, A, 4, 1, 1> for Axisymmetric {
    const AXISYMMETRIC: bool = true;
    const MODES: [[f64; 4]; 1] = [PLANE_MODE];
    #[inline(always)]
    fn points(x: &[V3<A>; 4], step: &[V3<A>; 4]) -> ([Point<S, A, 4>; 1], Point<S, A, 4>) {
        // Radial motion counts as such.
        let relative = step.map(|d| narrow([d[0], d[1] - step[0][1], d[2]]));
        let whole = axisymmetric(x, &relative);
        ([whole], whole)
    }
}

/// What a step is like for all elements.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// Its length.
    pub dt: f64,
    /// Linear and quadratic bulk viscosity.
    pub viscosity: [f64; 2],
    /// Stiffness against hourglass modes, as a part of the stiffness against strain.
    pub hourglass: f64,
}

/// What an element remembers beside its points.
#[derive(Clone, Copy)]
pub struct Controls<S, const M: usize> {
    /// Forces of hourglass modes.
    pub hourglass: [V3<S>; M],
    /// The pressure of bulk viscosity.
    pub viscous: S,
}

/// What an element's step comes to.
pub struct Advanced<S, const N: usize> {
    /// Increments of nodal forces, which resist the motion.
    pub forces: [V3<S>; N],
    /// The longest stable step.
    pub stable: S,
    /// Work on strains, of plastic flow, against hourglass modes, of viscosity.
    pub work: [S; 4],
    /// Whether its volume is positive at all points, half way and at the end.
    pub positive: bool,
}

/// Takes an element through a step. `x` are coordinates half way, `step` those of the step, `mass` that of each point.
#[inline(always)]
pub fn advance_element<S, A, E, const N: usize, const P: usize, const M: usize>(
    material: &Material,
    step_of_all: &Step,
    (x, step): (&[V3<A>; N], &[V3<A>; N]),
    masses: &[S; P],
    memory: &mut [Memory<A>; P],
    controls: &mut Controls<S, M>,
) -> Advanced<S, N>
where
    S: Real,
    A: Narrow<S>,
    E: Element<S, A, N, P, M>,
{
    let (points, whole) = E::points(x, step);
    let relative: [V3<A>; N] =
        if E::AXISYMMETRIC { *step } else { core::array::from_fn(|i| sub(step[i], step[0])) };
    let one = S::splat(1.0);
    let half = S::splat(0.5);
    let third = A::splat(1.0 / 3.0);
    let gradient = deformation::<S, A, N>(&whole, &relative, E::AXISYMMETRIC);
    let dilatation = gradient[0][0] + gradient[1][1] + gradient[2][2];
    let selective = P > 1;

    let mut forces = [[S::zero(); 3]; N];
    let mut work = [S::zero(); 4];
    let mut least = whole.v;
    // Of the mean gradient: T before the step, and its increment.
    let mut tensor = [[S::zero(); 3]; 3];
    let mut change = [[S::zero(); 3]; 3];
    // Σ p·v before, its increment, and the volume before and after.
    let (mut pressure, mut pressure_change) = (S::zero(), S::zero());
    let (whole_v, whole_dv) = (whole.v.narrow(), whole.dv);
    let (v_before, v_after) = (whole_v - half * whole_dv, whole_v + half * whole_dv);
    for (p, point) in points.iter().enumerate() {
        let own = if selective {
            deformation::<S, A, N>(point, &relative, E::AXISYMMETRIC)
        } else {
            gradient
        };
        let (mut strain, spin) = symmetric_and_spin(&own);
        if selective {
            let correction = third * (dilatation - (strain[0] + strain[1] + strain[2]));
            (0..3).for_each(|k| strain[k] = strain[k] + correction);
        }
        least = least.min(point.v + A::splat(0.5) * A::widen(point.dv)).min(point.v);
        let before: Symmetric<S> = memory[p].stress.map(Narrow::narrow);
        let specific = point.v / A::widen(masses[p]);
        let done = advance(material, &mut memory[p], strain, spin, (step_of_all.dt, specific));
        let increment: Symmetric<S> = done.stress.map(Narrow::narrow);
        let v: S = point.v.narrow();
        let mean: Symmetric<S> = core::array::from_fn(|k| before[k] + half * increment[k]);
        let small: Symmetric<S> = strain.map(Narrow::narrow);
        let normal = mean[0] * small[0] + mean[1] * small[1] + mean[2] * small[2];
        let shear = mean[3] * small[3] + mean[4] * small[4] + mean[5] * small[5];
        work[0] = work[0] + v * (normal + shear + shear);
        work[1] = work[1] + v * done.plastic_work.narrow();
        if selective {
            let (s, p_before) = without_pressure(&before);
            let (ds, dp) = without_pressure(&increment);
            contract::<S, A, N>(&full(&s), &full(&ds), point, false, &mut forces);
            let (low, high) = (v - half * point.dv, v + half * point.dv);
            pressure = pressure + p_before * low;
            pressure_change = pressure_change + dp * high + p_before * point.dv;
        } else {
            tensor = full(&before);
            change = full(&increment);
        }
    }
    if selective {
        let mean = pressure / v_before;
        let mean_change = (pressure_change - mean * whole_dv) / v_after;
        for k in 0..3 {
            tensor[k][k] = mean;
            change[k][k] = mean_change;
        }
    }

    let mass = masses.iter().fold(S::zero(), |sum, &mass| sum + mass);
    let density = mass / v_after;
    let modulus = S::splat(material.lambda + 2.0 * material.mu);
    let speed = (modulus / density).sqrt();
    let (sum, row) = squares::<S, A, N>(&whole, E::AXISYMMETRIC);
    // 1/h, h the distance that a wave has to go.
    let inverse_length = (S::splat(0.25 * N as f64) * row).sqrt();

    // Bulk viscosity.
    let dt = S::splat(step_of_all.dt);
    let rate = dilatation.narrow() / dt;
    let compression = rate.min(S::zero());
    let [linear, quadratic] = step_of_all.viscosity.map(S::splat);
    let slow = linear * density * speed / inverse_length * rate;
    let quick = quadratic / inverse_length * compression;
    let viscous = slow - density * quick * quick;
    let damping = linear - quadratic * quadratic / (speed * inverse_length) * compression;
    let viscous_change = viscous - controls.viscous;
    for k in 0..3 {
        tensor[k][k] = tensor[k][k] + controls.viscous;
        change[k][k] = change[k][k] + viscous_change;
    }
    work[3] = whole_v * half * (viscous + controls.viscous) * dilatation.narrow();
    controls.viscous = viscous;

    // Hourglass modes.
    if M > 0 {
        let stiffness =
            S::splat(step_of_all.hourglass / (3.0 * N as f64)) * modulus * sum / whole_v;
        let turn = rotation(symmetric_and_spin(&gradient).1.map(Narrow::narrow));
        let l: [V3<S>; 3] = gradient.map(narrow);
        let (mut h_tensor, mut h_change) = ([[S::zero(); 3]; 3], [[S::zero(); 3]; 3]);
        for (signs, force) in E::MODES.iter().zip(&mut controls.hourglass) {
            let along =
                |x: &[V3<A>; N]| {
                    let zero = [A::zero(); 3];
                    signs.iter().zip(x).fold(zero, |sum, (&sign, &x)| {
                        if sign > 0.0 { add(sum, x) } else { sub(sum, x) }
                    })
                };
            let h: V3<S> = narrow(along(x));
            let dh: V3<S> = narrow(along(&relative));
            let dims = if E::AXISYMMETRIC { 2 } else { 3 };
            let mut increment = [S::zero(); 3];
            for i in 0..dims {
                let linear = (0..dims).fold(S::zero(), |sum, j| sum + l[i][j] * h[j]);
                let free = dh[i] - linear;
                increment[i] = stiffness * free + dot(turn[i], *force);
                work[2] = work[2] + (force[i] + half * increment[i]) * free;
            }
            let mean = add(*force, scale(half, increment));
            for i in 0..dims {
                for j in 0..dims {
                    let low = h[j] - half * dh[j];
                    h_tensor[i][j] = h_tensor[i][j] + force[i] * low;
                    h_change[i][j] = h_change[i][j] + increment[i] * h[j] + mean[i] * dh[j];
                }
            }
            *force = add(*force, increment);
            for (f, &sign) in forces.iter_mut().zip(signs) {
                *f = if sign > 0.0 { add(*f, increment) } else { sub(*f, increment) };
            }
        }
        for i in 0..3 {
            for j in 0..3 {
                let before = h_tensor[i][j] / v_before;
                tensor[i][j] = tensor[i][j] - before;
                change[i][j] = change[i][j] - (h_change[i][j] - before * whole_dv) / v_after;
            }
        }
    }
    contract::<S, A, N>(&tensor, &change, &whole, E::AXISYMMETRIC, &mut forces);

    let stable = (((one + damping * damping).sqrt()) - damping) / (speed * inverse_length);
    let positive = (0..A::LANES).all(|lane| least.lane(lane) > 0.0);
    Advanced { forces, stable, work, positive }
}

/// `Σ Δ_I ⊗ g_I/v`.
#[inline(always)]
fn deformation<S: Real, A: Narrow<S>, const N: usize>(
    point: &Point<S, A, N>,
    step: &[V3<A>; N],
    axisymmetric: bool,
) -> [V3<A>; 3] {
    let mut l = [[A::zero(); 3]; 3];
    let dims = if axisymmetric { 2 } else { 3 };
    for (d, g) in step.iter().zip(&point.g) {
        for i in 0..dims {
            for j in 0..dims {
                l[i][j] = l[i][j] + d[i] * g[j];
            }
        }
        if axisymmetric {
            l[2][2] = l[2][2] + d[0] * g[2];
        }
    }
    let inverse = A::splat(1.0) / point.v;
    l.map(|row| scale(inverse, row))
}

/// The strain, and the axial vector of the spin.
#[inline(always)]
fn symmetric_and_spin<A: Real>(l: &[V3<A>; 3]) -> (Symmetric<A>, V3<A>) {
    let half = A::splat(0.5);
    let shear = |i: usize, j: usize| half * (l[i][j] + l[j][i]);
    let turn = |i: usize, j: usize| half * (l[i][j] - l[j][i]);
    let strain = [l[0][0], l[1][1], l[2][2], shear(0, 1), shear(1, 2), shear(0, 2)];
    (strain, [turn(2, 1), turn(0, 2), turn(1, 0)])
}

/// The deviator and the mean.
#[inline(always)]
fn without_pressure<S: Real>(s: &Symmetric<S>) -> (Symmetric<S>, S) {
    let mean = S::splat(1.0 / 3.0) * (s[0] + s[1] + s[2]);
    (core::array::from_fn(|k| if k < 3 { s[k] - mean } else { s[k] }), mean)
}

#[inline(always)]
fn full<S: Real>(s: &Symmetric<S>) -> [V3<S>; 3] {
    [[s[0], s[3], s[5]], [s[3], s[1], s[4]], [s[5], s[4], s[2]]]
}

/// Adds the increment of `T·g` to the nodes.
#[inline(always)]
fn contract<S: Real, A: Narrow<S>, const N: usize>(
    tensor: &[V3<S>; 3],
    change: &[V3<S>; 3],
    point: &Point<S, A, N>,
    axisymmetric: bool,
    forces: &mut [V3<S>; N],
) {
    let half = S::splat(0.5);
    let dims = if axisymmetric { 2 } else { 3 };
    let means: [V3<S>; 3] = core::array::from_fn(|a| add(tensor[a], scale(half, change[a])));
    let gradients = point.g.iter().zip(&point.dg).zip(&point.q);
    for (force, ((&g, dg), &q)) in forces.iter_mut().zip(gradients) {
        let g = add(narrow(g), q);
        for a in 0..dims {
            for b in 0..dims {
                force[a] = force[a] + change[a][b] * g[b] + means[a][b] * dg[b];
            }
        }
        if axisymmetric {
            force[0] = force[0] + change[2][2] * g[2] + means[2][2] * dg[2];
        }
    }
}

/// Of the matrix `Σ g_I·g_Iᵀ/v²` the trace times `v²`, and a bound of its greatest eigenvalue: the largest sum of a row.
#[inline(always)]
fn squares<S: Real, A: Narrow<S>, const N: usize>(
    point: &Point<S, A, N>,
    axisymmetric: bool,
) -> (S, S) {
    let mut matrix = [[S::zero(); 3]; 3];
    for g in &point.g {
        let g: V3<S> = narrow(*g);
        for i in 0..3 {
            for j in 0..3 {
                let hoop = axisymmetric && (i == 2 || j == 2);
                if !hoop {
                    matrix[i][j] = matrix[i][j] + g[i] * g[j];
                } else if i == j {
                    // Hoop strain is of radial motion.
                    matrix[0][0] = matrix[0][0] + g[2] * g[2];
                }
            }
        }
    }
    let row = |i: usize| matrix[i][0].abs() + matrix[i][1].abs() + matrix[i][2].abs();
    let v: S = point.v.narrow();
    let trace = matrix[0][0] + matrix[1][1] + matrix[2][2];
    (trace, row(0).max(row(1)).max(row(2)) / (v * v))
}
