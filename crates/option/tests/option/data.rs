//! Exact prices: European ones, Greeks and barriers from closed forms at 40 digits, American ones
//! from fixed-point iterations for the exercise boundary (Andersen, Lake and Offengenden 2016) good
//! to about 10⁻⁹, European ones with dividends by integration over the underlying at the dates of
//! dividends.

/// A European call: spot, strike, years; rate, yield, volatility; price; delta, gamma, vega, theta,
/// rho.
pub(crate) struct European {
    pub(crate) terms: [f64; 3],
    pub(crate) market: [f64; 3],
    pub(crate) price: f64,
    pub(crate) greeks: [f64; 5],
}

/// An American put.
pub(crate) struct American {
    pub(crate) terms: [f64; 3],
    pub(crate) market: [f64; 3],
    pub(crate) price: f64,
}

pub(crate) const EUROPEAN: [European; 9] = [
    European {
        terms: [100.0, 100.0, 1.0],
        market: [0.05, 0.0, 0.2],
        price: 10.450583572185566,
        greeks: [
            0.6368306511756191,
            0.018762017345846895,
            37.524034691693785,
            -6.414027546438196,
            53.23248154537634,
        ],
    },
    European {
        terms: [100.0, 90.0, 1.0],
        market: [0.05, 0.0, 0.2],
        price: 16.699448408415996,
        greeks: [
            0.8097030607754921,
            0.013581289746314732,
            27.162579492629465,
            -5.929800832719607,
            64.27085766913322,
        ],
    },
    European {
        terms: [100.0, 110.0, 1.0],
        market: [0.05, 0.0, 0.2],
        price: 6.040088129724236,
        greeks: [
            0.449647930637176,
            0.019788024019409666,
            39.57604803881933,
            -5.903840050581602,
            38.92470493399337,
        ],
    },
    European {
        terms: [100.0, 100.0, 1.0],
        market: [0.05, 0.03, 0.3],
        price: 12.442646395566046,
        greeks: [
            0.5684539367517095,
            0.012605675409791121,
            37.81702622937336,
            -6.187329488131121,
            44.40274727960491,
        ],
    },
    European {
        terms: [100.0, 100.0, 2.0],
        market: [0.01, 0.05, 0.4],
        price: 17.42594564594595,
        greeks: [
            0.5032990362953698,
            0.006317753596510158,
            50.54202877208127,
            -2.866747275567188,
            65.80791596718204,
        ],
    },
    European {
        terms: [36.0, 40.0, 1.0],
        market: [0.06, 0.0, 0.2],
        price: 2.1737264482268928,
        greeks: [
            0.4495483275166151,
            0.0549649809708038,
            14.246923067632345,
            -2.2652931073055096,
            14.01001334237125,
        ],
    },
    European {
        terms: [100.0, 100.0, 0.2],
        market: [0.05, 0.0, 0.2],
        price: 4.068966195561903,
        greeks: [
            0.5621902973226036,
            0.044060047896168374,
            17.624019158467352,
            -11.419512756068599,
            10.430012707339692,
        ],
    },
    European {
        terms: [100.0, 140.0, 3.0],
        market: [0.03, 0.01, 0.6],
        price: 30.59356050047297,
        greeks: [
            0.5823545269981606,
            0.0036074988934467777,
            64.934980082042,
            -6.740400247186332,
            82.92567659802924,
        ],
    },
    European {
        terms: [50.0, 55.0, 0.4],
        market: [0.1, 0.0, 0.4],
        price: 3.8767562968822773,
        greeks: [
            0.46329277800698576,
            0.03140555547251491,
            12.562222189005965,
            -8.209899354849684,
            7.715153041386804,
        ],
    },
];

pub(crate) const AMERICAN: [American; 7] = [
    American { terms: [100.0, 100.0, 1.0], market: [0.05, 0.0, 0.2], price: 6.09037059096564 },
    American { terms: [100.0, 110.0, 1.0], market: [0.05, 0.0, 0.2], price: 11.972826444995194 },
    American { terms: [100.0, 100.0, 2.0], market: [0.01, 0.05, 0.4], price: 24.96235557746548 },
    American { terms: [100.0, 100.0, 0.2], market: [0.05, 0.0, 0.2], price: 3.156964635335364 },
    American { terms: [50.0, 55.0, 0.4], market: [0.1, 0.0, 0.4], price: 7.127292664285381 },
    American { terms: [44.0, 40.0, 2.0], market: [0.06, 0.0, 0.4], price: 5.646731327239018 },
    American { terms: [80.0, 100.0, 3.0], market: [0.08, 0.12, 0.2], price: 25.657768165584102 },
];
