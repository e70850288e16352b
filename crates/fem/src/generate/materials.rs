//! What generated models are made of.

use crate::model::{Elastic, Hardening, JohnsonCook, Law, Material, Plastic};

/// Elastic steel, in kilograms, metres and seconds.
pub(super) fn steel(poisson: f64) -> Material {
    Material {
        name: "steel".to_string(),
        density: 7800.0,
        law: Law::Elastic(Elastic { young: 2e11, poisson }),
        expansion: 0.0,
        specific_heat: 0.0,
        heat_fraction: 0.0,
    }
}

/// Steel that yields by Johnson and Cook, as in O. Pantalé's benchmarks of Taylor's test, in
/// tonnes, millimetres and seconds.
pub(super) fn yielding_steel() -> Material {
    let law = JohnsonCook {
        a: 806.0,
        b: 614.0,
        n: 0.168,
        c: 0.0089,
        rate: 1.0,
        m: 1.1,
        melting: 1540.0,
        transition: 20.0,
    };
    let plastic = Plastic { hardening: Hardening::JohnsonCook(law) };
    Material {
        name: "steel".to_string(),
        density: 7.83e-9,
        law: Law::Plastic(Elastic { young: 206000.0, poisson: 0.3 }, plastic),
        expansion: 1.23e-5,
        specific_heat: 4.6e8,
        heat_fraction: 0.9,
    }
}
