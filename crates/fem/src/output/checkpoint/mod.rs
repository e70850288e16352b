//! Checkpoints: named arrays and numbers in a file, from which a run goes on.
//!
//! All of the file is little-endian, and it says itself what is in it. In front stand `NONIUSCK`, the version (32 bits), the
//! length of the index in bytes (64 bits), the index, and a checksum (CRC-32) of all these. The index has the fingerprint (32
//! bytes), the number of scalars (32 bits) and each of them, the number of arrays (32 bits) and each of these. A scalar is its
//! name (its length, 32 bits, and UTF-8), its type (a byte) and its 64 bits; an array is its name, its type and its length in
//! numbers (64 bits). Then come the arrays' numbers in the order of the index, each with a checksum (CRC-32) behind it. Types
//! are 0 for `f64`, 1 for `f32`, 2 for `u64` and 3 for `u32`.
//!
//! Numbers pass through a buffer of a mebibyte, so that arrays that fill half of the memory can be written and read.

mod array;
mod error;
mod index;
mod read;
mod write;

use std::collections::BTreeMap;
use std::path::Path;

use super::{FileError, file};

pub use array::{Array, Element, Type};
pub use error::CheckpointError;
pub use read::Reader;

/// What tells models apart: a hash of all that a run depends on.
pub type Fingerprint = [u8; 32];

/// The version that is written, and the newest that can be read.
pub const VERSION: u32 = 1;

/// Bytes that are converted at once.
const BUFFER: usize = 1 << 20;

/// A number by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// A number.
    Number(f64),
    /// A whole number.
    Integer(u64),
}

/// Named numbers and arrays; the latter are borrowed where they are written, so that nothing is copied.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checkpoint<'a> {
    /// Numbers.
    pub scalars: BTreeMap<String, Scalar>,
    /// Arrays.
    pub arrays: BTreeMap<String, Array<'a>>,
}

impl<'a> Checkpoint<'a> {
    /// Adds a number.
    pub fn number(&mut self, name: &str, x: f64) {
        self.scalars.insert(name.to_owned(), Scalar::Number(x));
    }

    /// Adds a whole number.
    pub fn integer(&mut self, name: &str, x: u64) {
        self.scalars.insert(name.to_owned(), Scalar::Integer(x));
    }

    /// Adds an array: a vector, or a slice that somebody else keeps. Of vectors in space it is their components
    /// ([`as_flattened`](slice::as_flattened)).
    pub fn array(&mut self, name: &str, numbers: impl Into<Array<'a>>) {
        self.arrays.insert(name.to_owned(), numbers.into());
    }

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

    /// A number.
    pub fn get_number(&self, name: &str) -> Result<f64, CheckpointError> {
        number(&self.scalars, name)
    }

    /// A whole number.
    pub fn get_integer(&self, name: &str) -> Result<u64, CheckpointError> {
        integer(&self.scalars, name)
    }

    /// Takes an array out. Nothing is copied if it was read.
    pub fn take<T: Element>(&mut self, name: &str) -> Result<Vec<T>, CheckpointError> {
        let Some(array) = self.arrays.remove(name) else {
            return Err(CheckpointError::Missing { name: name.to_owned() });
        };
        T::vector(array).map_err(|array| {
            let found = array.element_type();
            self.arrays.insert(name.to_owned(), array);
            CheckpointError::wrong_type(name, T::TYPE, found)
        })
    }
}

fn number(scalars: &BTreeMap<String, Scalar>, name: &str) -> Result<f64, CheckpointError> {
    match scalars.get(name) {
        Some(Scalar::Number(x)) => Ok(*x),
        Some(Scalar::Integer(_)) => Err(CheckpointError::wrong_type(name, Type::F64, Type::U64)),
        None => Err(CheckpointError::Missing { name: name.to_owned() }),
    }
}

fn integer(scalars: &BTreeMap<String, Scalar>, name: &str) -> Result<u64, CheckpointError> {
    match scalars.get(name) {
        Some(Scalar::Integer(x)) => Ok(*x),
        Some(Scalar::Number(_)) => Err(CheckpointError::wrong_type(name, Type::U64, Type::F64)),
        None => Err(CheckpointError::Missing { name: name.to_owned() }),
    }
}
