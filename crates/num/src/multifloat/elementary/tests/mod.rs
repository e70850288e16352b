//! Specials, exact cases, known values, lanes against scalars; `oracle` compares with MPFR.

mod exact;
mod known;
mod lanes;
mod specials;
