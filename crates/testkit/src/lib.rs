//! What tests share: reproducible data and exact sums to judge results by.

mod exact;
pub mod matrices;
mod random;

pub use exact::ExactSum;
pub use random::Random;
