//! Systems for tests.

pub(crate) use nonius_testkit::krylov::{diagonal, laplacian, matrix, numbers, right_side};
