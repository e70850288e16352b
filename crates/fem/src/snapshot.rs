//! What a run has come to at a time.

/// Fields at a time. Those of elements are in the order of blocks, and within these of elements;
/// means of an element's points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Snapshot {
    /// The time.
    pub time: f64,
    /// Steps until then.
    pub step: u64,
    /// Displacements of nodes.
    pub displacements: Vec<[f64; 3]>,
    /// Velocities of nodes.
    pub velocities: Vec<[f64; 3]>,
    /// Cauchy stresses: `11, 22, 33, 12, 23, 13` (of axisymmetric elements `rr, zz, θθ, rz, 0, 0`).
    pub stresses: Vec<[f64; 6]>,
    /// Equivalent plastic strains; zero where nothing yields.
    pub plastic_strains: Vec<f64>,
    /// Temperatures.
    pub temperatures: Vec<f64>,
}

/// The stress of von Mises.
///
/// ```
/// use nonius_fem::von_mises;
///
/// // In pure shear τ it is √3·τ; pressure alone has none.
/// assert!((von_mises(&[0.0, 0.0, 0.0, 1.0, 0.0, 0.0]) - 3.0_f64.sqrt()).abs() < 1e-15);
/// assert_eq!(von_mises(&[-5.0, -5.0, -5.0, 0.0, 0.0, 0.0]), 0.0);
/// ```
pub fn von_mises(stress: &[f64; 6]) -> f64 {
    let [xx, yy, zz, xy, yz, zx] = *stress;
    let normal = (xx - yy).powi(2) + (yy - zz).powi(2) + (zz - xx).powi(2);
    (0.5 * normal + 3.0 * (xy * xy + yz * yz + zx * zx)).sqrt()
}

/// Energies at a time; of axisymmetric elements those of whole rings.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energies {
    /// Of motion.
    pub kinetic: f64,
    /// Work of stresses on strains, without the two after the next: what is stored by elasticity,
    /// that of plastic flow, and that on thermal strains, which is negative where heat expands a
    /// body under pressure.
    pub internal: f64,
    /// Work of plastic flow. It is the greater where the work on thermal strains is more negative
    /// than elasticity stores.
    pub plastic: f64,
    /// Work against hourglass modes.
    pub hourglass: f64,
    /// Work of bulk viscosity.
    pub viscous: f64,
    /// Work of loads and given motions.
    pub external: f64,
    /// Kinetic energy at the beginning.
    pub initial: f64,
    /// The largest of them all until now, by magnitude, as far as steps were [looked
    /// at](crate::Simulation::advance).
    pub largest: f64,
}

impl Energies {
    /// What the sum of all energies differs by from what was there and what came from outside; zero
    /// but for errors of the steps and of rounding.
    pub fn balance(&self) -> f64 {
        self.kinetic + self.internal + self.hourglass + self.viscous - self.external - self.initial
    }

    /// The largest of these energies by magnitude.
    pub(crate) fn largest_now(&self) -> f64 {
        let parts = [
            self.kinetic,
            self.internal,
            self.hourglass,
            self.viscous,
            self.external,
            self.initial,
        ];
        parts.into_iter().fold(0.0, |largest: f64, part| largest.max(part.abs()))
    }

    /// The balance as a part of the largest of the energies until now: a body that has come to rest
    /// has errors of what it had.
    pub fn relative_balance(&self) -> f64 {
        let largest = self.largest.max(self.largest_now());
        if largest > 0.0 { self.balance() / largest } else { 0.0 }
    }
}

/// A row of the history.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct HistoryRow {
    /// The time.
    pub time: f64,
    /// Steps until then.
    pub step: u64,
    /// The length of the last step.
    pub increment: f64,
    /// Energies.
    pub energies: Energies,
    /// What the model's probes show, in their order.
    pub probes: Vec<f64>,
}
