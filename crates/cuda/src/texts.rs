//! The texts of the kernels.

use std::sync::LazyLock;

use include_dir::{Dir, include_dir};
use nonius_gpu::{Source, Texts};
use nonius_num::mp::Bits;

static FOLDER: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/kernels");

static TABLES: LazyLock<String> = LazyLock::new(crate::tables::text);

static TEXTS: LazyLock<Texts> =
    LazyLock::new(|| Texts::of_folder(&FOLDER).with_file("num/tables.cuh", &TABLES));

/// All files of this crate's `kernels`, and `num/tables.cuh`.
pub fn texts() -> &'static Texts {
    &TEXTS
}

/// Bits for which modules of numbers of any precision are compiled beforehand.
pub(crate) const USUAL_BITS: u32 = 106;

/// The module of a file.
pub(crate) fn module(name: impl Into<String>, file: &str) -> Source {
    Source::new(texts(), name, file)
}

/// The module of a file for numbers of `limbs` limbs; in the file this number is `LIMBS`.
pub(crate) fn of_limbs(name: &str, limbs: usize, file: &str) -> Source {
    of_limbs_in(texts(), name, limbs, file)
}

/// The same of a file among these.
pub(crate) fn of_limbs_in(texts: &'static Texts, name: &str, limbs: usize, file: &str) -> Source {
    Source::new(texts, format!("{name}-{limbs}"), file).define("LIMBS", limbs)
}

/// The module of one of these files for numbers of `bits` bits; in the file this number is
/// `PRECISION`.
pub(crate) fn of_bits_in(texts: &'static Texts, name: &str, bits: Bits, file: &str) -> Source {
    Source::new(texts, format!("{name}-mp{bits}"), file).define("PRECISION", bits)
}
