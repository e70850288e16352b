//! What tests share: reproducible data and exact sums to judge results by.

mod exact;
pub mod framed;
pub mod matrices;
pub mod products;
mod random;

pub use exact::ExactSum;
pub use random::Random;
