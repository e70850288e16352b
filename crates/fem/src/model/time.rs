//! The period of a run, and its increments.

/// The period of a run, its increments and what damps it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Time {
    /// The time at the end.
    pub period: f64,
    /// The lengths of increments.
    pub increments: Increments,
    /// Pressure against compression waves.
    pub viscosity: BulkViscosity,
    /// Whether plastic work heats the material.
    pub adiabatic: bool,
}

/// The lengths of increments of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Increments {
    /// A part, at most 1, of the stable increment at each time.
    Stable {
        /// The part.
        factor: f64,
        /// The longest allowed.
        most: Option<f64>,
    },
    /// Always this length.
    Fixed(f64),
}

/// Bulk viscosity: the pressure `b₁·ρ·c·h·|ε̇|` in compression and expansion, and `ρ·(b₂·h·ε̇)²` in
/// compression.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BulkViscosity {
    /// `b₁`.
    pub linear: f64,
    /// `b₂`.
    pub quadratic: f64,
}

impl BulkViscosity {
    /// No pressure at all.
    pub const NONE: Self = Self { linear: 0.0, quadratic: 0.0 };
}

impl Default for BulkViscosity {
    /// Abaqus's.
    fn default() -> Self {
        Self { linear: 0.06, quadratic: 1.2 }
    }
}

impl Default for Time {
    fn default() -> Self {
        Self {
            period: 0.0,
            increments: Increments::Stable { factor: 0.9, most: None },
            viscosity: BulkViscosity::default(),
            adiabatic: false,
        }
    }
}
