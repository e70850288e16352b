//! What tests share: reproducible data and exact sums to judge results by.

mod cases;
pub mod cuda;
mod domain;
pub mod elementwise;
mod exact;
pub mod framed;
mod inputs;
pub mod krylov;
pub mod matrices;
mod mutate;
pub mod orthogonal;
pub mod products;
mod random;
mod sample;
pub mod spectra;
pub mod tridiag;

pub use cases::{comparisons, random_cases};
pub use domain::Domain;
pub use exact::ExactSum;
pub use inputs::{Inputs, is_normal_form, power};
pub use mutate::mutated;
pub use random::Random;
pub use sample::{PRECISIONS, Sample, affordable, order, spread};
