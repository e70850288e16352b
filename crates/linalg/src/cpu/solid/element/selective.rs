//! Hexahedra with eight points and one volume strain.

use super::super::geometry::{
    add_tangents, at_nodes, hexahedron_point, mean_hexahedron, modes, place, tangents,
};
use super::super::law::{Motion, Substance};
use super::super::vector::{
    Symmetric, V3, add, deviator, dot, full, narrow, narrow_changes, narrow_tensor, scale,
    scale_add, scale_matrix, widen,
};
use super::one_point::power;
use super::shapes::{Hexahedron, ReducedHexahedron, Shape};
use super::{
    Advanced, Element, Remembered, Step, Waves, contract, deformation, half_way, trace_and_bound,
};
use crate::cpu::simd::real::{Narrow, Real, each};

/// The modes that a mean gradient has.
#[inline(always)]
fn six<T: Real>(m: &[V3<T>; 7]) -> [V3<T>; 6] {
    [m[0], m[1], m[2], m[3], m[4], m[5]]
}

impl Element<8> for Hexahedron {
    const POINTS: usize = 8;
    const MODES: usize = 0;

    #[inline(always)]
    fn advance<S: Real, A: Narrow<S>>(
        substance: &Substance<'_>,
        step: &Step,
        x: &[V3<A>; 8],
        d: &[V3<A>; 8],
        remembered: &mut Remembered<'_, A::Number>,
    ) -> Advanced<S, A, 8> {
        let half = S::splat(0.5);
        let third = A::splat(1.0 / 3.0);
        let unit = S::splat(step.scale);
        let (x, d) = (modes(x), modes(d));
        let small = narrow_changes(&d);
        let first = six(&d);
        let whole = mean_hexahedron(&six(&x), &six(&small));
        let weight = A::splat(<ReducedHexahedron as Shape<8, 6, 4>>::WEIGHT);
        let gradient = deformation(&whole, &first, weight / whole.v, false);
        let dilatation = gradient[0][0] + gradient[1][1] + gradient[2][2];
        let whole_after =
            A::splat(0.5).mul_add(A::widen(whole.dv), whole.v + A::widen(whole.bulge));

        let mut main = [[A::zero(); 3]; 7];
        let mut rest = [[S::zero(); 3]; 7];
        let mut work = [S::zero(); 4];
        let mut least = whole.v.min(whole_after);
        let mut mass = A::zero();
        let mut modulus = A::zero();
        // Σ p·v before, its change by pressure and by volume.
        let (mut pressure, mut by_pressure, mut by_volume) = (S::zero(), A::zero(), S::zero());
        for p in 0..8 {
            mass = mass + remembered.masses.load(p);
        }
        let expansion = A::splat(substance.material.density) * whole_after / mass;
        for p in 0..8 {
            let at = place(p);
            let here = tangents(&d, at);
            let point = hexahedron_point(&tangents(&x, at), &tangents(&small, at));
            let mut own = deformation(&point, &here, A::splat(1.0) / point.v, false);
            let correction = third * (dilatation - (own[0][0] + own[1][1] + own[2][2]));
            for (k, row) in own.iter_mut().enumerate() {
                row[k] = row[k] + correction;
            }
            let own_mass: A = remembered.masses.load(p);
            let motion = Motion {
                gradient: own,
                dt: step.dt,
                specific_volume: point.v / own_mass,
                expansion,
            };
            let done = substance.advance::<A>(
                &mut remembered.memory,
                p * substance.memory.numbers,
                &motion,
            );
            modulus = modulus.max(done.modulus);
            let v: S = point.v.narrow();
            let before: Symmetric<S> = narrow_tensor(&done.before);
            let increment: Symmetric<S> = narrow_tensor(&done.stress);
            let mean = each!(6, K => half.mul_add(increment[K], before[K]));
            work[0] = v.mul_add(power(&mean, &narrow_tensor(&done.strain)), work[0]);
            work[1] = v.mul_add(done.plastic_work.narrow(), work[1]);
            // Deviators make forces here, pressures together below.
            let (shape, mean_before) = deviator(&before);
            let (increments, mean_change) = deviator(&done.stress);
            let change = scale_matrix(unit, &full(&narrow_tensor(&increments)));
            let mean = half_way(&scale_matrix(unit, &full(&shape)), &change);
            let stress = full(&increments);
            let mut forces = [[A::zero(); 3]; 3];
            let mut others = [[S::zero(); 3]; 3];
            for k in 0..3 {
                let gradients = (point.g[k], point.dg[k], point.q[k]);
                (forces[k], others[k]) = contract(&stress, &mean, &change, gradients);
            }
            add_tangents(&mut main, &forces, at);
            add_tangents(&mut rest, &others, at);
            let low = (-half).mul_add(point.dv, v + point.bulge);
            pressure = mean_before.mul_add(low, pressure);
            by_volume = mean_before.mul_add(point.dv, by_volume);
            let after = A::splat(0.5).mul_add(A::widen(point.dv), point.v + A::widen(point.bulge));
            by_pressure = mean_change.mul_add(after, by_pressure);
            least = least.min(point.v).min(after);
        }

        let v: S = whole.v.narrow();
        let before = pressure / (-half).mul_add(whole.dv, v + whole.bulge);
        // Of the mean pressure: what new pressures make, and what volumes do that change.
        let inverse_after = A::splat(1.0) / whole_after;
        let fresh = by_pressure * inverse_after;
        let old = before.mul_add(-whole.dv, by_volume) * inverse_after.narrow();

        let (_, bound) = trace_and_bound(&<ReducedHexahedron as Shape<8, 6, 4>>::squares(&whole.g));
        let square = whole.v * whole.v / (A::splat(2.0) * bound);
        let waves = Waves { modulus, density: mass * inverse_after, square };
        let viscous = waves.viscosity(step, dilatation);
        let place = 8 * substance.memory.numbers;
        let viscous_before: A = remembered.memory.load(place);
        remembered.memory.store(place, viscous);
        let small_dilatation: S = dilatation.narrow();
        work[3] = v * half * (viscous + viscous_before).narrow() * small_dilatation;

        // All of this is pressure, for which a number stands.
        let fresh = fresh + (viscous - viscous_before);
        let old = unit * old;
        let change = unit.mul_add(fresh.narrow(), old);
        let mean = half.mul_add(change, unit * (before + viscous_before.narrow()));
        let eighth = S::splat(0.125);
        let mut nodal = [[A::zero(); 3]; 7];
        for k in 0..7 {
            let (mut sum, mut small) = (scale(A::splat(0.125), main[k]), scale(eighth, rest[k]));
            if k < 6 {
                sum = scale_add(fresh, whole.g[k], sum);
                let moved = scale_add(change, whole.q[k], scale(mean, whole.dg[k]));
                small = add(small, scale_add(old, narrow(whole.g[k]), moved));
            }
            nodal[k] = scale_add(A::splat(1.0 / step.scale), widen(small), sum);
        }
        let forces = at_nodes(&nodal);
        let stable = waves.stable_step(step, small_dilatation);
        Advanced { forces, stable, work, least }
    }

    #[inline(always)]
    fn forces<S: Real, A: Narrow<S>>(
        substance: &Substance<'_>,
        x: &[V3<A>; 8],
        remembered: &Remembered<'_, A::Number>,
    ) -> Advanced<S, A, 8> {
        let x = modes(x);
        let rest = [[A::zero(); 3]; 6];
        let whole = mean_hexahedron::<A, A>(&six(&x), &rest);
        let mut main = [[A::zero(); 3]; 7];
        let mut pressure = A::zero();
        let mut least = whole.v;
        for p in 0..8 {
            let at = place(p);
            let point = hexahedron_point::<A, A>(&tangents(&x, at), &[[A::zero(); 3]; 3]);
            let first = p * substance.memory.numbers;
            let stress: Symmetric<A> = each!(6, K => remembered.memory.load(first + K));
            let (shape, mean) = deviator(&stress);
            let shape = full(&shape);
            let mut forces = [[A::zero(); 3]; 3];
            for (force, &g) in forces.iter_mut().zip(&point.g) {
                *force = each!(3, I => dot(shape[I], g));
            }
            add_tangents(&mut main, &forces, at);
            pressure = mean.mul_add(point.v, pressure);
            least = least.min(point.v);
        }
        let viscous: A = remembered.memory.load(8 * substance.memory.numbers);
        let pressure = pressure / whole.v + viscous;
        let mut nodal = [[A::zero(); 3]; 7];
        for k in 0..7 {
            nodal[k] = scale(A::splat(0.125), main[k]);
            if k < 6 {
                nodal[k] = scale_add(pressure, whole.g[k], nodal[k]);
            }
        }
        Advanced::at_rest(at_nodes(&nodal), least)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Work on tangents is that on modes.
    #[test]
    fn forces_on_tangents_do_work_on_modes() {
        let m: [V3<f64>; 7] =
            core::array::from_fn(|k| core::array::from_fn(|i| (1.0 + k as f64).sin() + i as f64));
        let f = [[1.0, 2.0, 3.0], [-1.0, 0.5, 2.0], [0.3, -0.2, 1.0]];
        for p in 0..8 {
            let t = tangents(&m, place(p));
            let direct: f64 = (0..3).map(|k| dot(f[k], t[k])).sum();
            let mut on_modes = [[0.0; 3]; 7];
            add_tangents(&mut on_modes, &f, place(p));
            let by_modes: f64 = (0..7).map(|k| dot(on_modes[k], m[k])).sum();
            assert!((direct - by_modes).abs() < 1e-13);
        }
    }
}
