//! Markets that change with time.

use nonius_option::{Contract, Exercise, Kind, Piece, Terms, Volatility};

use super::common::{assert_near, priced};

fn pieces(values: &[(f64, f64)]) -> Terms<f64> {
    Terms::new(values.iter().map(|&(until, value)| Piece { until, value }).collect()).unwrap()
}

/// A European option knows means only: of rate, yield and variance.
#[test]
fn european_options_know_means() {
    let mut contract = Contract::european(Kind::Call, 100.0, 105.0, 1.0, [0.0; 3]);
    contract.rates = pieces(&[(0.25, 0.01), (0.75, 0.04), (2.0, 0.09)]);
    contract.yields = pieces(&[(0.6, 0.0), (1.5, 0.03)]);
    contract.volatility = Volatility::Terms(pieces(&[(0.4, 0.35), (0.5, 0.2), (3.0, 0.15)]));
    let rate = 0.25 * 0.01 + 0.5 * 0.04 + 0.25 * 0.09;
    let dividend_yield = 0.4 * 0.03;
    let variance: f64 = 0.4 * 0.35 * 0.35 + 0.1 * 0.2 * 0.2 + 0.5 * 0.15 * 0.15;
    let means = [rate, dividend_yield, variance.sqrt()];
    let mean = Contract::european(Kind::Call, 100.0, 105.0, 1.0, means);
    let tolerance = 1e-8;
    let [pieces, mean] = [contract, mean].map(|contract| priced(&contract, tolerance).value);
    assert_near(pieces, mean, 2.0 * tolerance, "price");
}

/// Pieces of one number are that number.
#[test]
fn equal_pieces_are_one() {
    for exercise in [Exercise::European, Exercise::American] {
        let market = [0.05, 0.01, 0.3];
        let whole =
            Contract { exercise, ..Contract::european(Kind::Put, 100.0, 110.0, 0.7, market) };
        let mut cut = whole.clone();
        cut.rates = pieces(&[(0.1, 0.05), (0.33, 0.05)]);
        cut.volatility = Volatility::Terms(pieces(&[(0.5, 0.3), (0.6, 0.3), (0.7, 0.3)]));
        let tolerance = 1e-6;
        let [cut, whole] = [cut, whole].map(|contract| priced(&contract, tolerance).value);
        assert_near(cut, whole, 2.0 * tolerance, "price");
    }
}

#[test]
fn pieces_have_to_increase() {
    let piece = |until, value| Piece { until, value };
    assert_eq!(Terms::<f64>::new(Vec::new()), None);
    assert_eq!(Terms::new(vec![piece(0.5, 1.0), piece(0.5, 2.0)]), None);
    assert_eq!(Terms::new(vec![piece(0.0, 1.0), piece(0.5, 2.0)]), None);
    assert_eq!(Terms::new(vec![piece(f64::NAN, 1.0)]), None);
    let terms = pieces(&[(0.5, 1.0), (1.0, 2.0)]);
    assert_eq!([0.0, 0.49, 0.5, 1.0, 9.0].map(|time| terms.at(time)), [1.0, 1.0, 2.0, 2.0, 2.0]);
}
