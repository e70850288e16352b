//! How numbers are stored.

/// How numbers are stored.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Encoding {
    /// Whether they are compressed by zlib.
    pub compressed: bool,
    /// Whether coordinates and fields are rounded to single precision, which halves the files.
    pub single: bool,
}
