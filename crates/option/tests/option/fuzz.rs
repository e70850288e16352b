//! Numbers of every magnitude: a price or an error, and no panic.

use nonius_linalg::backend::Cpu;
use nonius_option::{
    Accuracy, Amount, Barrier, Contract, Dividend, Exercise, Grid, Kind, Knock, Monitoring, Piece,
    Quote, Request, Side, Surface, Terms, Volatility, implied_volatility, price,
};
use nonius_testkit::Random;

/// Numbers of every magnitude, ordinary ones more often, and what is none.
fn number(random: &mut Random) -> f64 {
    const ODD: [f64; 14] = [
        0.0,
        5e-324,
        1e-300,
        1e-160,
        1e-30,
        1e-9,
        1e9,
        1e30,
        1e160,
        1e300,
        f64::MAX,
        f64::INFINITY,
        f64::NAN,
        -1.0,
    ];
    match random.below(4) {
        0 => ODD[random.below(ODD.len())],
        1 => 100.0 * (1.0 + 0.3 * random.unit()),
        _ => random.unit().abs(),
    }
}

fn contract(random: &mut Random) -> Contract<f64> {
    let dates = |random: &mut Random| {
        let mut dates: Vec<f64> = (0..random.below(4)).map(|_| number(random)).collect();
        dates.sort_by(f64::total_cmp);
        dates
    };
    let terms = |random: &mut Random| {
        let mut pieces: Vec<Piece<f64>> = (0..1 + random.below(3))
            .map(|_| Piece { until: number(random), value: number(random) })
            .collect();
        pieces.sort_by(|a, b| a.until.total_cmp(&b.until));
        Terms::new(pieces).unwrap_or_else(|| Terms::constant(0.05))
    };
    let kind = if random.below(2) == 0 { Kind::Call } else { Kind::Put };
    let mut ordinary = |x: f64| if random.below(3) == 0 { number(random) } else { x };
    let market = [ordinary(0.05), ordinary(0.02), ordinary(0.2)];
    let mut contract =
        Contract::european(kind, ordinary(100.0), ordinary(110.0), ordinary(1.0), market);
    match random.below(4) {
        0 => contract.exercise = Exercise::American,
        1 => contract.exercise = Exercise::Bermudan(dates(random)),
        _ => {}
    }
    if random.below(3) == 0 {
        contract.rates = terms(random);
        contract.volatility = Volatility::Terms(terms(random));
    }
    if random.below(4) == 0 {
        let spots = vec![number(random), 100.0, 200.0];
        let values = (0..3).map(|_| number(random)).collect();
        let surface = Surface::new(spots, vec![number(random)], values);
        contract.volatility = surface.map_or(contract.volatility, Volatility::Local);
    }
    if random.below(2) == 0 {
        contract.barrier = Some(Barrier {
            side: if random.below(2) == 0 { Side::Up } else { Side::Down },
            knock: if random.below(2) == 0 { Knock::In } else { Knock::Out },
            level: number(random),
            rebate: number(random),
            monitoring: match random.below(2) {
                0 => Monitoring::Continuous,
                _ => Monitoring::Dates(dates(random)),
            },
        });
    }
    for _ in 0..random.below(3) {
        let x = number(random);
        let amount = if random.below(2) == 0 { Amount::Cash(x) } else { Amount::Proportional(x) };
        contract.dividends.push(Dividend { time: number(random), amount });
    }
    contract
}

#[test]
fn any_number_has_a_price_or_an_error() {
    let mut random = Random::new(99);
    let contracts: Vec<_> = (0..4000).map(|_| contract(&mut random)).collect();
    for (space, time) in [(16, 2), (37, 9)] {
        let request = Request {
            accuracy: Accuracy::Grid(Grid { space, time }),
            sensitivities: space == 16,
            boundary: true,
        };
        let prices = price(&Cpu::default(), &contracts, &request).unwrap();
        let sound = prices.iter().flatten().filter(|price| price.value.is_finite()).count();
        assert!(sound > 400, "{sound}");
        for (price, contract) in prices.iter().zip(&contracts) {
            assert!(!matches!(price, Ok(price) if !price.value.is_finite()), "{contract:?}");
        }
    }
}

#[test]
fn any_quote_has_a_volatility_or_an_error() {
    let mut random = Random::new(98);
    let quotes: Vec<_> = (0..100)
        .map(|_| Quote { contract: contract(&mut random), price: number(&mut random) })
        .collect();
    let found = implied_volatility(&Cpu::default(), &quotes, 1e-2).unwrap();
    assert_eq!(found.len(), quotes.len());
}
