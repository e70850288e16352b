//! Option prices by finite differences, to a stated tolerance, whole books in one batch.
//!
//! A [`Contract`] has its underlying, market and terms; [`price`] takes many of them, whatever they
//! are, on any backend that can [`evolve`] vectors, in any precision. European, American and
//! Bermudan exercise, barriers that are looked at always or on dates, cash and proportional
//! dividends, rates, yields and volatilities constant piece by piece, and local volatilities go
//! together as they come.
//!
//! **Method.** The Black–Scholes equation by central differences on a grid that is dense around the
//! strike, with strike and barriers on nodes, in time by Crank–Nicolson with Rannacher's start-up,
//! early exercise as a linear complementarity problem by Brennan and Schwartz, and Richardson's
//! extrapolation from grids halved until an estimate of the error is below the tolerance.
//!
//! **Error.** The estimate is that of the price, with its reasons in the extrapolation of halved
//! grids; it is no bound. Against exact values random tests find the error of converged prices
//! within the tolerance or the estimate, over all magnitudes of moneyness, volatility, maturity and
//! drift. Prices never leave their bounds of no arbitrage, converged or not.

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
pub use request::{Accuracy, Grid, Price, Request};
pub use surface::Surface;
pub use terms::{Piece, Terms};
