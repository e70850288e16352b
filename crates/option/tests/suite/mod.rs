//! Contracts that are shared out have the prices of one device, to the last bit.

use core::fmt::Debug;

use nonius_comm::Communicator;
use nonius_comm::dense::Cargo;
use nonius_linalg::backend::Cpu;
use nonius_num::mp::Bits;
use nonius_num::{Dd, Mp};
use nonius_option::evolve::Evolve;
use nonius_option::{
    Accuracy, Amount, Contract, Dividend, Exercise, Grid, Kind, Priced, Quote, Request,
    implied_volatility, implied_volatility_on_ranks, price_on_ranks,
};

/// Books of numbers of several kinds on hosts.
pub(crate) fn check(ranks: &Communicator) -> Result<(), nonius_linalg::Error> {
    let cpu = Cpu::default();
    for count in [0, 1, 3, 40] {
        book::<f64>(ranks, &cpu, (), count)?;
    }
    book::<Dd>(ranks, &cpu, (), 9)?;
    book::<Mp>(ranks, &cpu, Bits::new(212).unwrap(), 4)?;
    quotes::<f64>(ranks, &cpu, (), 12)?;
    quotes::<Mp>(ranks, &cpu, Bits::new(106).unwrap(), 3)
}

/// Prices of as many contracts, by the backends of ranks and by that of one.
pub(crate) fn book<T: Priced + Cargo>(
    ranks: &Communicator,
    backend: &dyn Evolve<T>,
    format: T::Format,
    count: usize,
) -> Result<(), nonius_linalg::Error> {
    let contracts: Vec<Contract<T>> = (0..count).map(|i| contract(format, i)).collect();
    let expected = T::price(&Communicator::alone(), backend, &contracts, &request)?;
    let found = price_on_ranks(ranks, backend, &contracts, &request)?;
    same(&found, &expected);
    let errors = found.iter().filter(|outcome| outcome.is_err()).count();
    assert_eq!(errors, (0..count).filter(|i| i % 5 == 3).count());
    ranks.barrier().map_err(Into::into)
}

/// Implied volatilities of as many quotes, of which some have none.
pub(crate) fn quotes<T: Priced + Cargo>(
    ranks: &Communicator,
    backend: &dyn Evolve<T>,
    format: T::Format,
    count: usize,
) -> Result<(), nonius_linalg::Error> {
    let number = |x: f64| T::from_f64(x).to_format(format);
    let quote = |i: usize| Quote {
        contract: contract(format, i),
        price: number(if i % 4 == 1 { 1e-6 } else { 12.0 + 0.25 * i as f64 }),
    };
    let quotes: Vec<Quote<T>> = (0..count).map(quote).collect();
    let expected = implied_volatility(backend, &quotes, 1e-3)?;
    let found = implied_volatility_on_ranks(ranks, backend, &quotes, 1e-3)?;
    same(&found, &expected);
    assert!(found.iter().any(Result::is_ok) && found.iter().any(Result::is_err));
    ranks.barrier().map_err(Into::into)
}

/// All that a text says of them is the same.
fn same<T: Debug + PartialEq>(found: &[T], expected: &[T]) {
    assert_eq!(found, expected);
    assert_eq!(format!("{found:?}"), format!("{expected:?}"));
}

/// Contracts of several kinds, each fifth of them with a number that is out of range.
fn contract<T: Priced>(format: T::Format, i: usize) -> Contract<T> {
    let number = |x: f64| T::from_f64(x).to_format(format);
    let strike = if i % 5 == 3 { -1.0 } else { 80.0 + (i % 40) as f64 };
    let market = [0.05, 0.02, 0.1 + 0.01 * (i % 40) as f64].map(number);
    let (spot, strike, maturity) = (number(100.0), number(strike), number(1.0));
    let kind = if i.is_multiple_of(2) { Kind::Put } else { Kind::Call };
    let european = Contract::european(kind, spot, strike, maturity, market);
    let cash = Dividend { time: number(0.5), amount: Amount::Cash(number(2.0)) };
    match i % 3 {
        0 => european,
        1 => Contract { exercise: Exercise::American, ..european },
        _ => Contract { dividends: vec![cash], exercise: Exercise::American, ..european },
    }
}

/// Tolerances, grids, sensitivities and boundaries.
fn request(i: usize) -> Request {
    let grid = Accuracy::Grid(Grid { space: 64, time: 16 });
    let accuracy = if i.is_multiple_of(4) { Accuracy::Tolerance(1e-3) } else { grid };
    Request { accuracy, sensitivities: !i.is_multiple_of(2), boundary: !i.is_multiple_of(3) }
}
