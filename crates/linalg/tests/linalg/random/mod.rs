//! Random problems over the whole range of inputs, against exact arithmetic.

mod certified;
mod convert;
mod determinants;
mod eigen;
mod exact;
mod inputs;
mod least_squares;
mod products;
mod solve;
