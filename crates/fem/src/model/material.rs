//! What elements are made of.

/// A material.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Its name.
    pub name: String,
    /// Mass of a unit of volume.
    pub density: f64,
    /// How stress follows from strain.
    pub law: Law,
    /// Thermal expansion: strain of a unit of temperature.
    pub expansion: f64,
    /// Heat that raises the temperature of a unit of mass by one; zero where temperatures stay.
    pub specific_heat: f64,
    /// The part of plastic work that becomes heat.
    pub heat_fraction: f64,
}

impl Material {
    /// The parameters of Lamé; of a neo-Hookean solid those of small strains.
    ///
    /// ```
    /// use nonius_fem::model::{Elastic, Law, Material};
    ///
    /// let steel = Material {
    ///     name: "steel".to_string(),
    ///     density: 7800.0,
    ///     law: Law::Elastic(Elastic { young: 2e11, poisson: 0.25 }),
    ///     expansion: 0.0,
    ///     specific_heat: 0.0,
    ///     heat_fraction: 0.0,
    /// };
    /// // λ = µ = E/2.5 where Poisson's ratio is 1/4.
    /// let lame = steel.lame();
    /// assert!((lame.mu / 8e10 - 1.0).abs() < 1e-15 && (lame.lambda / 8e10 - 1.0).abs() < 1e-15);
    /// ```
    pub fn lame(&self) -> Lame {
        match &self.law {
            Law::Elastic(elastic) | Law::Plastic(elastic, _) => elastic.lame(),
            Law::NeoHookean(law) => law.lame(),
        }
    }

    /// Temperature that a unit of plastic work in a unit of mass makes.
    pub fn heating(&self) -> f64 {
        if self.specific_heat > 0.0 { self.heat_fraction / self.specific_heat } else { 0.0 }
    }
}

/// The parameters of Lamé.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lame {
    /// The first, `λ`.
    pub lambda: f64,
    /// The shear modulus `µ`.
    pub mu: f64,
}

/// How stress follows from strain.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Law {
    /// Linear elasticity of the rate of deformation, with the stress rate of Jaumann.
    Elastic(Elastic),
    /// The same until the stress of von Mises reaches a yield stress.
    Plastic(Elastic, Plastic),
    /// A compressible neo-Hookean solid.
    NeoHookean(NeoHookean),
}

/// Linear isotropic elasticity.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Elastic {
    /// Young's modulus.
    pub young: f64,
    /// Poisson's ratio, above −1 and below 1/2.
    pub poisson: f64,
}

impl Elastic {
    fn lame(self) -> Lame {
        let Self { young, poisson } = self;
        Lame {
            lambda: young * poisson / ((1.0 + poisson) * (1.0 - 2.0 * poisson)),
            mu: young / (2.0 * (1.0 + poisson)),
        }
    }
}

/// Plasticity of von Mises with isotropic hardening.
#[derive(Clone, Debug, PartialEq)]
pub struct Plastic {
    /// The yield stress.
    pub hardening: Hardening,
}

/// How the yield stress depends on plastic strain, its rate and temperature.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Hardening {
    /// Plastic strains, which begin at zero and increase, each with its yield stress; linear
    /// between them, constant beyond.
    Table(Vec<[f64; 2]>),
    /// The law of Johnson and Cook (1983).
    JohnsonCook(JohnsonCook),
}

/// `(A + B·εⁿ)·(1 + C·ln(ε̇/ε̇₀))·(1 − θᵐ)`, where `θ` goes from 0 at the transition temperature to
/// 1 at the melting temperature.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct JohnsonCook {
    /// `A`: the yield stress without plastic strain.
    pub a: f64,
    /// `B`.
    pub b: f64,
    /// `n`.
    pub n: f64,
    /// `C`, which plays no part below the reference rate.
    pub c: f64,
    /// `ε̇₀`, the reference rate of plastic strain.
    pub rate: f64,
    /// `m`.
    pub m: f64,
    /// The melting temperature; infinite where heat plays no part.
    pub melting: f64,
    /// The transition temperature, up to which heat plays no part.
    pub transition: f64,
}

/// The energy of deformation `C₁₀·(Ī₁ − 3) + (J − 1)²/D₁`: `½µ·(Ī₁ − 3) + ½K·(J − 1)²` with
/// `K = λ + ⅔µ`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeoHookean {
    /// `C₁₀`: half the shear modulus.
    pub c10: f64,
    /// `D₁`: two over the bulk modulus.
    pub d1: f64,
}

impl NeoHookean {
    fn lame(self) -> Lame {
        let mu = 2.0 * self.c10;
        Lame { lambda: 2.0 / self.d1 - 2.0 / 3.0 * mu, mu }
    }
}
