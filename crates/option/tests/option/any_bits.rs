//! Prices of any number of bits.

use std::path::Path;

use nonius_linalg::Number;
use nonius_num::mp::Bits;
use nonius_num::{Elementary, Mp, Qd, Real};
use nonius_option::{
    Accuracy, Amount, Barrier, Contract, Dividend, Error, Exercise, Field, Grid, Kind, Knock,
    Monitoring, Price, Priced, Quote, Request, Side, Surface, Terms, Volatility,
    implied_volatility,
};

use super::common::{asked, on_grid, request};

fn bits(count: u32) -> Bits {
    Bits::new(count).unwrap()
}

/// Contracts of every kind, whose numbers are doubles or thirds.
fn contracts<T: Number>(format: T::Format) -> Vec<Contract<T>> {
    let number = |x: f64| T::from_f64(x).to_format(format);
    let third = |x: f64| number(x) / number(3.0);
    let market = [third(0.15), third(0.0625), third(0.75)];
    let plain = Contract::european(Kind::Put, number(100.0), third(310.0), number(1.0), market);
    let american = Contract { exercise: Exercise::American, ..plain.clone() };
    let barrier = |side, knock, level: f64, monitoring| {
        Some(Barrier { side, knock, level: third(level), rebate: third(1.0), monitoring })
    };
    let dates = vec![third(1.0), third(2.0)];
    let cash = Dividend { time: third(1.0), amount: Amount::Cash(third(4.0)) };
    let part = Dividend { time: third(2.0), amount: Amount::Proportional(third(0.0625)) };
    let surface = Surface::new(
        vec![number(80.0), number(120.0)],
        vec![third(1.0), number(1.0)],
        [0.9, 0.75, 0.75, 0.6].map(third).to_vec(),
    );
    vec![
        plain.clone(),
        american.clone(),
        Contract { exercise: Exercise::Bermudan(dates.clone()), ..plain.clone() },
        Contract { kind: Kind::Call, dividends: vec![cash, part], ..american.clone() },
        Contract {
            barrier: barrier(Side::Down, Knock::Out, 260.0, Monitoring::Continuous),
            ..plain.clone()
        },
        Contract {
            barrier: barrier(Side::Up, Knock::In, 350.0, Monitoring::Dates(dates)),
            ..plain.clone()
        },
        // Knocked out already.
        Contract {
            barrier: Some(Barrier {
                side: Side::Up,
                knock: Knock::Out,
                level: number(50.0),
                rebate: T::from_f64(3.0),
                monitoring: Monitoring::Continuous,
            }),
            ..plain.clone()
        },
        // Exercise is due.
        Contract { spot: T::from_f64(5.0), ..american.clone() },
        Contract { volatility: Volatility::Local(surface.unwrap()), ..american },
        // Wide deviations: nodes are dense around zero.
        Contract { maturity: number(30.0), ..plain },
    ]
}

/// All numbers of a price.
fn numbers<T: Number>(price: &Price<T>) -> [T; 4] {
    [price.value, price.delta, price.gamma, price.theta]
}

/// Every operation has the bits of the contract, so that prices on a grid agree to roundings of the
/// lower precision; a constant of fewer bits would show.
fn agree<T: Priced, U: Priced>(format: T::Format, other: U::Format, in_bits: impl Fn(U) -> Mp) {
    let u = T::unit_roundoff(format);
    for (short, long) in contracts::<T>(format).iter().zip(contracts::<U>(other)) {
        let (found, expected) = (on_grid(short, 48, 24), on_grid(&long, 48, 24));
        for (found, expected) in numbers(&found).into_iter().zip(numbers(&expected)) {
            assert_eq!(found.format(), format, "{short:?}");
            let (found, expected) = (found.in_bits(bits(4096)), in_bits(expected));
            let error = (found - expected).abs();
            // Steps do not magnify roundings, differences of prices at nodes do: gamma has those of
            // a price divided by the square of the distance of nodes, about one.
            let bound = Mp::from_f64(Bits::FEWEST, 1e6) * T::from_size(u).in_bits(Bits::FEWEST);
            let scale = expected.abs() + Mp::from_f64(Bits::FEWEST, 100.0);
            assert!(error <= bound * scale, "{error} above {bound} of {expected}: {short:?}");
        }
    }
}

#[test]
fn grids_have_the_bits_of_the_contract() {
    let same = |x: Mp| x.in_bits(bits(4096));
    agree::<Mp, Mp>(bits(106), bits(424), same);
    agree::<Mp, Mp>(bits(424), bits(1000), same);
    agree::<Mp, Mp>(bits(1000), bits(2048), same);
}

#[test]
fn grids_agree_with_qd() {
    agree::<Qd, Mp>((), bits(424), |x| x.in_bits(bits(4096)));
}

/// Also sums that are due, bounds of no arbitrage and derivatives that are zero.
#[test]
fn all_numbers_have_the_bits_of_the_contract() {
    let accuracy = Accuracy::Grid(Grid { space: 32, time: 8 });
    let request = Request { accuracy, sensitivities: true, boundary: true };
    for contract in contracts::<Mp>(bits(106)) {
        let price = asked(&contract, &request);
        let points = price.boundary.iter().flat_map(|point| [point.time, point.spot]);
        let derivatives = [price.vega, price.rho].map(|x| x.expect("asked for"));
        for x in numbers(&price).into_iter().chain(derivatives).chain(points) {
            assert_eq!(x.bits(), bits(106), "{contract:?}");
        }
    }
}

/// The normal distribution: `1/2 + φ(x)·Σ x^(2k+1)/(1·3·…·(2k+1))` (Marsaglia, *Evaluating the
/// normal distribution*, 2004).
fn distribution(x: Mp) -> Mp {
    let format = x.bits();
    let number = |k: f64| Mp::from_f64(format, k);
    let density = (-(x * x).ldexp(-1)).exp() / Mp::tau(format).sqrt();
    let (mut term, mut sum, mut k) = (x, x, 1.0);
    while !term.is_zero() && term.abs() > sum.abs().ldexp(-(format.get() as i32) - 8) {
        k += 2.0;
        term = term * x * x / number(k);
        sum += term;
    }
    density * sum + number(0.5)
}

/// Black, Scholes and Merton 1973.
fn black_scholes(contract: &Contract<Mp>) -> Mp {
    let Contract { kind, spot, strike, maturity, .. } = *contract;
    let [r, q] = [&contract.rates, &contract.yields].map(|terms| terms.at(Mp::ZERO));
    let sigma = contract.volatility.at(Mp::ZERO, spot);
    let d = sigma * maturity.sqrt();
    let d1 = ((spot / strike).ln() + (r - q + (sigma * sigma).ldexp(-1)) * maturity) / d;
    let sign = if kind == Kind::Call { Mp::ONE } else { -Mp::ONE };
    let (stock, bond) = (spot * (-q * maturity).exp(), strike * (-r * maturity).exp());
    sign * (stock * distribution(sign * d1) - bond * distribution(sign * (d1 - d)))
}

/// Converged prices are the closed form's within the tolerance, at every number of bits.
#[test]
fn closed_forms() {
    for (bits, tolerance) in [(106, 1e-9), (424, 1e-8), (1000, 1e-7), (2048, 1e-6)] {
        let bits = Bits::new(bits).unwrap();
        let number = |x: f64| Mp::from_f64(bits, x);
        let market = [5.0, 2.0, 25.0].map(|percent| number(percent) / number(100.0));
        for (kind, strike) in [(Kind::Call, 100.0), (Kind::Put, 95.0)] {
            let contract =
                Contract::european(kind, number(100.0), number(strike), number(1.0), market);
            let price = asked(&contract, &request(tolerance));
            let exact = black_scholes(&contract);
            let error = ((price.value - exact) / exact).abs().to_f64();
            assert!(price.converged && error <= tolerance, "{kind:?} {bits}: {error:e}");
            assert_eq!(price.value.bits(), bits);
        }
    }
}

/// Doubles stand for themselves beside numbers of more bits.
#[test]
fn contracts_of_several_formats() {
    let wide = &contracts::<Mp>(bits(424))[0];
    let mixed = Contract { spot: Mp::from_f64(Bits::FEWEST, 100.0), ..wide.clone() };
    assert_eq!(mixed.format(), bits(424));
    let mixed = Contract { rates: Terms::constant(Mp::from_f64(Bits::FEWEST, 0.0625)), ..mixed };
    let whole = mixed.in_format(bits(424));
    assert_eq!(on_grid(&mixed, 32, 16), on_grid(&whole, 32, 16));
}

#[test]
fn implied_volatilities() {
    let mut contract = contracts::<Mp>(bits(424)).remove(0);
    let volatility = Mp::from_f64(bits(424), 1.0) / Mp::from_f64(bits(424), 5.0);
    contract.volatility = Volatility::Terms(Terms::constant(volatility));
    let price = black_scholes(&contract);
    let quote = Quote { contract, price };
    let cpu = nonius_linalg::backend::Cpu::default();
    let found = implied_volatility(&cpu, &[quote], 1e-6).unwrap().remove(0).unwrap();
    let error = (found.volatility - volatility).abs().to_f64();
    assert!(error <= found.error && found.error <= 0.2e-6, "{error:e} {found:?}");
    assert_eq!(found.volatility.bits(), bits(424));
}

/// A volatility has the widest format of all numbers of its quote.
#[test]
fn implied_volatilities_of_several_formats() {
    let cpu = nonius_linalg::backend::Cpu::default();
    let doubles = |x: f64| Mp::from_f64(Bits::FEWEST, x);
    let market = [0.0625, 0.03125, 0.25].map(doubles);
    let contract = Contract::european(Kind::Put, doubles(100.0), doubles(104.0), Mp::ONE, market);
    let wide = |x: Mp| x.in_bits(bits(424));
    let quote = Quote { price: doubles(9.0), contract };
    let quotes = [
        Quote { price: wide(quote.price), ..quote.clone() },
        Quote {
            contract: Contract { strike: wide(quote.contract.strike), ..quote.contract.clone() },
            ..quote.clone()
        },
        Quote {
            contract: Contract {
                rates: Terms::constant(wide(doubles(0.0625))),
                ..quote.contract.clone()
            },
            ..quote
        },
    ];
    let found = implied_volatility(&cpu, &quotes, 1e-3).unwrap();
    let found: Vec<Mp> = found.into_iter().map(|found| found.unwrap().volatility).collect();
    for volatility in &found {
        assert_eq!(volatility.bits(), bits(424));
        assert_eq!(*volatility, found[0]);
    }
}

/// Grids are laid out in `f64`.
#[test]
fn prices_beyond_the_range_of_doubles() {
    let contract = &contracts::<Mp>(bits(106))[0];
    let far = Contract { spot: contract.spot.ldexp(5000), ..contract.clone() };
    assert!(matches!(far.validate(), Err(Error::Range { field: Field::Spot, .. })));
    let near = Contract { strike: contract.strike.ldexp(-5000), ..contract.clone() };
    assert!(matches!(near.validate(), Err(Error::Range { field: Field::Strike, .. })));
}

/// Books are read with all bits.
#[test]
fn books() {
    let digits = "104.33333333333333333333333333333333333333333333333333333333333333333333333333";
    let text = format!("type,spot,strike,rate,volatility,maturity\nput,100,{digits},0.05,0.2,1\n");
    let rows = nonius_option::book::read::<Mp>(bits(300), text.as_bytes(), Path::new("")).unwrap();
    let contract = rows[0].found.as_ref().unwrap();
    let error = contract.strike - Mp::from_f64(bits(300), 313.0) / Mp::from_f64(bits(300), 3.0);
    assert!(error.abs().to_f64() < 1e-73, "{error}");
    assert_eq!(contract.format(), bits(300));
}
