//! Files in the formats of SDPA.
//!
//! Numbers of points are the shortest decimals that read back as the same at their precision.

mod number;
mod point;
mod result;
mod summary;

pub use point::write_sparse_point;
pub(crate) use result::TITLE;
pub use result::write_result;
