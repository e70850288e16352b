//! Contracts that are shared out have the prices of one device, to the last bit.

use nonius_comm::Communicator;
use nonius_comm::dense::Cargo;
use nonius_linalg::backend::Cpu;
use nonius_num::mp::Bits;
use nonius_num::{Dd, Mp};
use nonius_option::evolve::Evolve;
use nonius_option::{
    Accuracy, Amount, Contract, Dividend, Error, Exercise, Grid, Kind, Price, Priced, Request,
    price_on_ranks,
};

/// Books of numbers of several kinds.
pub(crate) fn check(ranks: &Communicator) -> Result<(), nonius_linalg::Error> {
    for count in [0, 1, 3, 40] {
        book::<f64>(ranks, (), count)?;
    }
    book::<Dd>(ranks, (), 9)?;
    book::<Mp>(ranks, Bits::new(212).unwrap(), 4)
}

fn book<T: Priced + Cargo>(
    ranks: &Communicator,
    format: T::Format,
    count: usize,
) -> Result<(), nonius_linalg::Error>
where
    Cpu: Evolve<T>,
{
    let contracts: Vec<Contract<T>> = (0..count).map(|i| contract(format, i)).collect();
    let cpu = Cpu::default();
    let expected = T::price(&cpu, &contracts, &request)?;
    let found = price_on_ranks(ranks, &cpu, &contracts, &request)?;
    assert_eq!(found, expected);
    let bits = |prices: &[Result<Price<T>, Error>]| -> Vec<String> {
        prices.iter().map(|price| format!("{price:?}")).collect()
    };
    assert_eq!(bits(&found), bits(&expected));
    let errors = found.iter().filter(|outcome| outcome.is_err()).count();
    assert_eq!(errors, (0..count).filter(|i| i % 5 == 3).count());
    ranks.barrier().map_err(Into::into)
}

/// Contracts of several kinds, each fifth of them with a number that is out of range.
fn contract<T: Priced>(format: T::Format, i: usize) -> Contract<T> {
    let number = |x: f64| T::from_f64(x).to_format(format);
    let strike = if i % 5 == 3 { -1.0 } else { 80.0 + i as f64 };
    let market = [0.05, 0.02, 0.1 + 0.01 * i as f64].map(number);
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
