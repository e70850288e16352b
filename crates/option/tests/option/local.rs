//! Volatilities that depend on the underlying.

use nonius_option::{Contract, Exercise, Kind, Surface, Volatility};

use super::common::{assert_near, priced, with_greeks};

/// A flat surface is a constant.
#[test]
fn flat_surfaces() {
    // Vega is a difference of prices over a small change of volatility, which costs two digits.
    const OF_VEGA: f64 = 1e-4;
    let tolerance = 1e-6;
    let flat = Surface::new(vec![50.0, 100.0, 200.0], vec![0.0, 0.5], vec![0.25; 6]).unwrap();
    for exercise in [Exercise::European, Exercise::American] {
        let contract = Contract {
            exercise,
            ..Contract::european(Kind::Put, 100.0, 105.0, 1.0, [0.05, 0.02, 0.25])
        };
        let local = Contract { volatility: Volatility::Local(flat.clone()), ..contract.clone() };
        let (plain, local) = (with_greeks(&contract, tolerance), with_greeks(&local, tolerance));
        assert_near(local.value, plain.value, 2.0 * tolerance, "price");
        assert_near(local.vega.unwrap(), plain.vega.unwrap(), OF_VEGA, "vega");
    }
}

/// Without rate and yield `S + a` is lognormal where `σ(S) = s·(S + a)/S` (Rubinstein's displaced
/// diffusion 1983): the price is that of an option on `S + a` with strike `K + a`.
#[test]
fn displaced_diffusion() {
    let spots: Vec<f64> = (0..2000).map(|i| 10.0 + 0.5 * i as f64).collect();
    let values = spots.iter().map(|spot| 0.2 * (spot + 20.0) / spot).collect();
    let surface = Surface::new(spots, vec![0.0], values).unwrap();
    let contract = Contract {
        volatility: Volatility::Local(surface),
        ..Contract::european(Kind::Call, 100.0, 100.0, 1.0, [0.0; 3])
    };
    // Chords of the surface lie above it by up to h²/8·σ'' = 2·10⁻⁷ near the strike: a part of 10⁻⁶
    // of the volatility.
    const OF_CHORDS: f64 = 2e-6;
    assert_near(priced(&contract, 1e-7).value, 9.558_680_946_486_959, OF_CHORDS, "price");
}

#[test]
fn surfaces_have_to_increase() {
    assert_eq!(Surface::new(vec![1.0, 1.0], vec![0.0], vec![0.2; 2]), None);
    assert_eq!(Surface::new(vec![1.0, 2.0], vec![0.0], vec![0.2; 3]), None);
    assert_eq!(Surface::<f64>::new(Vec::new(), vec![0.0], Vec::new()), None);
    let surface = Surface::new(vec![1.0, 3.0], vec![0.0, 1.0], vec![0.1, 0.3, 0.5, 0.7]).unwrap();
    let at = |time, spot| (surface.at(time, spot) * 1000.0).round() / 1000.0;
    assert_eq!([at(0.0, 1.0), at(0.0, 2.0), at(0.5, 2.0), at(9.0, 9.0)], [0.1, 0.2, 0.4, 0.7]);
}
