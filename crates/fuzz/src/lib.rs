//! What must hold of every reader of files, whatever the bytes.
//!
//! A target hands bytes to a reader by the functions that users call, and panics where the reader
//! breaks a promise: it panics, says what is wrong in more than a line, or reads what it wrote as
//! something else. The tests of this crate run the targets on damaged files; the workspace `fuzz`
//! hands them to a fuzzer.

mod arrays;
mod corpus;
mod facade;
mod matrices;
mod numbers;
mod options;
mod packed;
mod programs;
mod scratch;
mod solids;

use std::fmt::{Debug, Display};

pub use arrays::{csv, npy, npz};
pub use facade::{arrays, form, sdp_checkpoint};
pub use matrices::matrix_market;
pub use numbers::decimal;
pub use options::{book, quotes, surface};
pub use packed::packed;
pub use programs::{sdp_dense, sdp_parameters, sdp_point, sdp_point_dense, sdp_result, sdp_sparse};
pub use solids::{abaqus, fem_checkpoint, gmsh, physics};

/// A reader under test.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name: that of the target's function, and of its folder of the corpus.
    pub name: &'static str,
    /// Reads bytes and asserts what must hold.
    pub read: fn(&[u8]),
    /// Files of the folder `data` that belong to its corpus.
    pub data: &'static [&'static str],
    /// Most bytes of memory that a read takes, whatever the input.
    pub base: usize,
    /// Most bytes of memory that a read takes for each byte of the input beyond that.
    pub per_byte: usize,
}

/// What a reader takes at the start of each read: buffers, tables of fixed size, messages.
const BASE: usize = 256 << 10;

/// A token of two bytes becomes an entry of at most 32 words, and twice that while a vector grows.
const PER_BYTE: usize = 512;

const fn target(
    name: &'static str,
    read: fn(&[u8]),
    data: &'static [&'static str],
    base: usize,
) -> Target {
    Target { name, read, data, base, per_byte: PER_BYTE }
}

/// The block of lines that a reader of matrices holds.
const MATRIX_BLOCK: usize = 4 << 20;
/// Memory that unpacking xz may take.
const XZ_MEMORY: usize = 128 << 20;
/// The buffer through which a checkpoint's numbers pass, twice.
const CHECKPOINT_BUFFER: usize = 2 << 20;

/// Bytes of an archive become a thousand times as many, each of them a number of 8 bytes; there is
/// room for four copies of these.
const PER_BYTE_OF_ARCHIVE: usize = 1032 * 4 * 8;

/// All readers.
pub const TARGETS: &[Target] = &[
    target("matrix_market", matrix_market, &[], BASE + 2 * MATRIX_BLOCK),
    target("arrays", arrays, &[], BASE),
    target("npy", npy, &[], BASE),
    Target { per_byte: PER_BYTE_OF_ARCHIVE, ..target("npz", npz, &[], BASE) },
    target("csv", csv, &[], BASE),
    target("book", book, &["book.csv", "local.csv"], BASE),
    target("quotes", quotes, &[], BASE),
    target("surface", surface, &["surface.csv"], BASE),
    target("abaqus", abaqus, &["fem/dynela/tensile-2d.inp", "fem/dynela/tensile-3d.inp"], BASE),
    target("gmsh", gmsh, &[], BASE),
    target("physics", physics, &["fem/gmsh/bar.toml", "fem/gmsh/cantilever.toml"], BASE),
    target("fem_checkpoint", fem_checkpoint, &[], BASE + CHECKPOINT_BUFFER),
    target("sdp_sparse", sdp_sparse, &[], BASE),
    target("sdp_dense", sdp_dense, &[], BASE),
    target("sdp_parameters", sdp_parameters, &[], BASE),
    target("sdp_point", sdp_point, &[], BASE),
    target("sdp_point_dense", sdp_point_dense, &[], BASE),
    target("sdp_result", sdp_result, &[], BASE),
    target("sdp_checkpoint", sdp_checkpoint, &[], BASE),
    target("packed", packed, &[], BASE + MATRIX_BLOCK + XZ_MEMORY),
    target("decimal", decimal, &[], BASE),
    target("form", form, &[], BASE),
];

/// Asserts that all numbers of what was read are finite.
fn check_finite(read: &dyn Debug) {
    let text = format!("{read:?}");
    let mut words = text.split(|character: char| !character.is_alphanumeric());
    assert!(!words.any(|word| word == "NaN" || word == "inf"), "{text}");
}

/// Longest message, in bytes: what is quoted from a file is cut short.
const LONGEST_MESSAGE: usize = 1000;

/// Asserts that a message is a line that a terminal shows as it is.
fn check_message(error: &dyn Display) {
    let message = error.to_string();
    assert!(!message.is_empty(), "an empty message");
    assert!(message.len() <= LONGEST_MESSAGE, "{} bytes of message", message.len());
    let control = message.chars().find(|character| character.is_control());
    assert_eq!(control, None, "{message:?}");
}
