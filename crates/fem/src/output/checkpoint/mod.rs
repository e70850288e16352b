//! Checkpoints: named arrays and numbers in a file, from which a run goes on.
//!
//! All of the file is little-endian, and it says itself what is in it. In front stand `NONIUSCK`,
//! the version (32 bits), the length of the index in bytes (64 bits), the index, and a checksum
//! (CRC-32) of all these. The index has the fingerprint (32 bytes), the number of scalars (32 bits)
//! and each of them, the number of arrays (32 bits) and each of these. A scalar is its name (its
//! length, 32 bits, and UTF-8), its type (a byte) and its 64 bits; an array is its name, its type
//! and its length in numbers (64 bits). Then come the arrays' numbers in the order of the index,
//! each with a checksum (CRC-32) behind it. Types are 0 for `f64`, 1 for `f32`, 2 for `u64` and 3
//! for `u32`.
//!
//! Numbers pass through a buffer of a mebibyte, so that arrays that fill half of the memory can be
//! written and read.

mod array;
mod contents;
mod error;
mod format;
mod index;
mod read;
mod scalar;
mod write;

use std::path::Path;

use nonius_files::file::{self, FileError};

pub use array::{Array, Element, Type};
pub use contents::Checkpoint;
pub use error::CheckpointError;
pub use format::{Fingerprint, VERSION};
pub use read::Reader;
pub use scalar::Scalar;

impl Checkpoint<'_> {
    /// Writes a file, which appears under its name only when it is complete and on the disk.
    pub fn write(&self, path: &Path, fingerprint: &Fingerprint) -> Result<(), FileError> {
        file::write(path, |out| write::write(out, self, fingerprint))
    }

    /// Reads a whole file that was written with the same fingerprint.
    pub fn read(
        path: &Path,
        fingerprint: &Fingerprint,
    ) -> Result<Checkpoint<'static>, CheckpointError> {
        Reader::open(path, fingerprint)?.read_all()
    }
}
