//! Solutions and determinants with proved digits.
//!
//! [`Solve`] and [`Determinant`] take matrices whose entries are exact binary numbers, or have a
//! known error: [`Data`]. [`SolveDecimals`] and [`DeterminantDecimals`] read decimals and round
//! none of them, unless the limit of bits makes them. What is proved, and how, says
//! [`nonius_linalg::certified`].

mod decimals;
mod determinant;
mod solve;
mod work;

pub use nonius_linalg::certified::{
    By, Data, Datum, DatumList, Determinant as Certified, DigitsIn, Event, Failure, MOST_DIGITS,
    Magnitude, NumericalRank, Open, Options, Reading, Refusal, Solution, Stage,
};

pub use decimals::{DecimalsError, DeterminantDecimals, SolveDecimals};
pub use determinant::{DecimalDeterminant, Determinant};
pub use solve::Solve;
