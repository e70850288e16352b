//! Contracts without a price.

use nonius_linalg::backend::Cpu;
use nonius_option::{
    Accuracy, Amount, Contract, Dividend, Error, Exercise, Field, Grid, Kind, Knock, Monitoring,
    Request, Side, Terms, Volatility, price,
};

use super::common::{MARKET, barrier, request};

fn refusal(spoil: impl FnOnce(&mut Contract<f64>)) -> Error {
    let mut contract = Contract::european(Kind::Put, 100.0, 100.0, 1.0, MARKET);
    spoil(&mut contract);
    let error = price(&Cpu::default(), &[contract], &request(1e-4)).unwrap().remove(0).unwrap_err();
    assert!(!error.to_string().is_empty());
    error
}

fn field(error: &Error) -> Field {
    match error {
        Error::Range { field, .. } | Error::Order { field, .. } => *field,
        other => panic!("{other} names no field"),
    }
}

#[test]
fn numbers_out_of_range_are_named() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0] {
        assert_eq!(field(&refusal(|c| c.spot = bad)), Field::Spot);
        assert_eq!(field(&refusal(|c| c.strike = bad)), Field::Strike);
        assert_eq!(field(&refusal(|c| c.maturity = bad)), Field::Maturity);
        let volatility =
            |c: &mut Contract<f64>| c.volatility = Volatility::Terms(Terms::constant(bad));
        assert_eq!(field(&refusal(volatility)), Field::Volatility);
        let refused = refusal(|c| c.barrier = barrier(Side::Up, Knock::Out, bad));
        let needed = "a positive finite number";
        assert_eq!(field(&refused), Field::Barrier);
        assert!(matches!(refused, Error::Range { needed: found, .. } if found == needed));
        let early = |c: &mut Contract<f64>| {
            c.dividends = vec![Dividend { time: bad, amount: Amount::Cash(1.0) }];
        };
        assert_eq!(field(&refusal(early)), Field::DividendDate);
        assert_eq!(
            field(&refusal(|c| c.exercise = Exercise::Bermudan(vec![bad]))),
            Field::ExerciseDate
        );
    }
    for bad in [f64::NAN, f64::INFINITY] {
        assert_eq!(field(&refusal(|c| c.rates = Terms::constant(bad))), Field::Rate);
        assert_eq!(field(&refusal(|c| c.yields = Terms::constant(bad))), Field::Yield);
    }
    for bad in [f64::NAN, -0.5, 1.0] {
        let amount = Amount::Proportional(bad);
        let dividends = |c: &mut Contract<f64>| c.dividends = vec![Dividend { time: 0.5, amount }];
        assert_eq!(field(&refusal(dividends)), Field::Dividend);
    }
    assert_eq!(
        field(&refusal(|c| c.volatility = Volatility::Terms(Terms::constant(11.0)))),
        Field::Volatility
    );
    assert_eq!(field(&refusal(|c| c.rates = Terms::constant(-11.0))), Field::Rate);
}

#[test]
fn dates_have_to_increase_up_to_maturity() {
    let dates = |dates: Vec<f64>| refusal(|c| c.exercise = Exercise::Bermudan(dates));
    assert_eq!(dates(vec![0.5, 0.5]), Error::Order { field: Field::ExerciseDate, index: 1 });
    assert_eq!(field(&dates(vec![0.5, 1.5])), Field::ExerciseDate);
    let monitoring = refusal(|c| {
        c.barrier = barrier(Side::Down, Knock::Out, 90.0);
        c.barrier.as_mut().unwrap().monitoring = Monitoring::Dates(vec![0.2, 0.1]);
    });
    assert_eq!(monitoring, Error::Order { field: Field::MonitoringDate, index: 1 });
}

#[test]
fn combinations_that_are_not_supported() {
    let knock_in = refusal(|c| {
        c.exercise = Exercise::American;
        c.barrier = barrier(Side::Down, Knock::In, 90.0);
    });
    assert_eq!(knock_in, Error::EarlyExerciseKnockIn);
    let negative = refusal(|c| {
        c.exercise = Exercise::American;
        c.rates = Terms::constant(-0.02);
        c.yields = Terms::constant(-0.05);
    });
    assert_eq!(negative, Error::TwoBoundaries);
}

#[test]
fn requests_are_checked() {
    let contract = Contract::european(Kind::Put, 100.0, 100.0, 1.0, MARKET);
    let of = |accuracy| {
        let request = Request { accuracy, ..Request::default() };
        price(&Cpu::default(), core::slice::from_ref(&contract), &request).unwrap().remove(0)
    };
    for value in [0.0, -1.0, 1.0, f64::INFINITY] {
        assert_eq!(of(Accuracy::Tolerance(value)), Err(Error::Tolerance { value }));
    }
    assert!(of(Accuracy::Tolerance(f64::NAN)).is_err());
    for (space, time) in [(0, 10), (15, 10), (64, 1), (1 << 20, 10), (64, 1 << 30)] {
        assert_eq!(of(Accuracy::Grid(Grid { space, time })), Err(Error::Grid { space, time }));
    }
    assert!(of(Accuracy::Grid(Grid { space: 16, time: 2 })).is_ok());
}
