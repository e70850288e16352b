//! Files of matrices.

mod malformed;
mod read;
mod write;
