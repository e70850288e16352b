//! Elementary functions and constants, correctly rounded.
//!
//! **Rounding.** Each result is the number of the precision that is nearest to the exact value,
//! ties to even: the error is at most half a unit of the last place. A function is computed as a
//! [ball](ball), which is a number with a bound of its error. While the bound does not decide the
//! rounding, the function is computed again with more words (Ziv's strategy). The bounds are argued
//! where the balls are made.
//!
//! **Exact cases.** Exact values that are numbers or ties are found first. So are values that are
//! too close to a number for more words to help soon.
//!
//! **Specials**, signs of zeros and domains follow IEEE 754-2019 and C99 Annex F, as for
//! [`MultiFloat`](crate::MultiFloat). A result beyond the exponents is infinite or zero.
//!
//! **Methods.**
//!
//! - exponential, hyperbolic: halvings, series, squarings; `ball/exponential.rs`
//! - sine, cosine, tangent: halvings, series of the cosine, doublings; `ball/circular.rs`
//! - logarithms, inverse hyperbolic: one step of high order with the exponential;
//!   `ball/logarithm.rs`
//! - inverse circular: the same with sine and cosine; `ball/arc.rs`
//! - powers: `e^(y·ln x)`; repeated squaring for small integers `y`; `functions/power.rs`
//! - `cbrt`, `hypot`: roots of integers; `functions/radical.rs`
//!
//! **Large angles.** An argument of exponent `e` is reduced with `e` bits of `2/π` more than the
//! precision has. The first 8704 bits stand in a table. More are computed, and with the standard
//! library kept for the process. The first angle of a size takes 4 ms at `2^20000`, 0.7 s at
//! `2^(2^20)`, 5 s at `2^(2^22)`, and 45 s and 280 MB at `2^(2^24)`. Four times the bits take about
//! nine times the time and four times the memory. Later angles up to that size take microseconds.
//! [`Mp::sin`](crate::Mp::sin) states this for callers.

mod ball;
mod digits;
mod functions;
mod generic;
mod inverse_pi;
mod series;
mod short;
mod tables;
#[cfg(test)]
mod tests;
mod words;
mod ziv;
