//! Option prices by finite differences, to a stated tolerance, whole books in one batch.
//!
//! A [`Contract`] has its underlying, market and terms. [`price`](fn@price) takes many contracts of
//! any kind, on any backend that can [`evolve`] vectors, in any precision. A contract may combine
//! all of these:
//!
//! - European, American or Bermudan [exercise](Exercise)
//! - [barriers](Barrier) that are monitored always or on dates
//! - [dividends](Dividend) in cash or as parts of the price
//! - rates, yields and volatilities that are [constant piece by piece](Terms)
//! - [local volatilities](Surface)
//!
//! [`price_on_ranks`] and [`implied_volatility_on_ranks`] share contracts out among threads, GPUs
//! or the machines of a cluster.
//!
//! [`implied_volatility`] goes the other way. [`book`] reads and writes CSV.
//!
//! **Method.** The Black–Scholes equation by central differences on a grid that is dense around the
//! strike, with strike and barriers on nodes, in time by Crank–Nicolson with Rannacher's start-up,
//! early exercise as a linear complementarity problem by Brennan and Schwartz, and Richardson's
//! extrapolation from grids halved until an estimate of the error is below the tolerance.
//!
//! **Error.** The estimate comes from the extrapolation of halved grids. It is no bound. Random
//! tests compare with exact values over all magnitudes of moneyness, volatility, maturity and
//! drift. There the error of a converged price is within the tolerance or the estimate. Prices
//! never leave their bounds of no arbitrage, converged or not.
//!
//! Begin with [`Contract`] and [`price`](fn@price). An American put:
//!
//! ```
//! use nonius_linalg::backend::Cpu;
//! use nonius_option::{Accuracy, Contract, Kind, Request, price};
//!
//! // Spot and strike 100, one year, rate 5 %, no yield, volatility 20 %.
//! let put = Contract::american(Kind::Put, 100.0, 100.0, 1.0, [0.05, 0.0, 0.2]);
//! let request = Request { accuracy: Accuracy::Tolerance(1e-4), ..Request::default() };
//! let prices = price(&Cpu::default(), &[put], &request)?;
//! let price = prices[0].as_ref().map_err(|error| error.to_string())?;
//! assert!((price.value - 6.0904).abs() < 1e-3 && price.converged);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod book;
mod boundary;
mod bounds;
mod contract;
mod convergence;
mod coordinate;
mod cpu;
#[cfg(feature = "cuda")]
pub mod cuda;
mod discretise;
mod effort;
mod error;
pub mod evolve;
mod extrapolate;
mod format;
mod implied;
mod job;
mod layout;
mod monitoring;
mod part;
mod price;
mod ranks;
mod read;
mod request;
mod sensitivity;
mod surface;
mod terms;
mod timeline;
mod validate;

pub use boundary::BoundaryPoint;
pub use contract::{
    Amount, Barrier, Contract, Dividend, Exercise, Kind, Knock, Monitoring, Side, Volatility,
};
pub use cpu::Kernels;
pub use effort::Effort;
pub use error::{Error, Field};
pub use implied::{Implied, Quote, implied_volatility};
pub use price::{Priced, RequestOf, price};
pub use ranks::{implied_volatility_on_ranks, price_on_ranks};
pub use request::{Accuracy, Grid, Price, Request};
pub use surface::Surface;
pub use terms::{Piece, Terms};
