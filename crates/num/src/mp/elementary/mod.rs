//! Elementary functions and constants, correctly rounded.
//!
//! Results are the numbers of the precision nearest to the exact values, ties to even (Ziv's strategy): a function is
//! computed as a [ball](ball), a number with a bound of its error, and again with more words while that does not decide the
//! rounding. The bounds are stated and argued where the balls are made. Cases in which the exact value is a number of the
//! precision or lies halfway between two, and those in which it is so close to one that more words would not soon
//! tell, are found first.
//!
//! Specials, signs of zeros and domains follow IEEE 754-2019 and C99 Annex F, as for
//! [`MultiFloat`](crate::MultiFloat). Results beyond the exponents are infinite or zero.
//!
//! Sines, cosines and tangents reduce an argument of exponent `e` with `e` bits of `2/π` more than the precision has. Up to
//! 8600 bits come from a table. Others are computed, and with the standard library kept for the process.

mod ball;
mod digits;
mod functions;
mod generic;
mod inverse_pi;
mod series;
mod short;
mod tables;
mod words;
mod ziv;
