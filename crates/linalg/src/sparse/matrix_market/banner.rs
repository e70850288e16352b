//! What a banner says.

use std::fmt;

/// How entries are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Row, column and value of each entry that is not zero.
    Coordinate,
    /// Every value, column by column.
    Array,
}

/// What the entries are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Field {
    /// Decimal numbers.
    Real,
    /// Integers.
    Integer,
    /// Ones, which the file leaves out.
    Pattern,
}

/// How the upper triangle follows from the lower.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Symmetry {
    /// It does not: every entry is listed.
    General,
    /// `a[j][i] = a[i][j]`.
    Symmetric,
    /// `a[j][i] = -a[i][j]`, and the diagonal is zero.
    SkewSymmetric,
}

impl Format {
    /// The word in the banner.
    pub fn name(self) -> &'static str {
        match self {
            Self::Coordinate => "coordinate",
            Self::Array => "array",
        }
    }

    /// What the line of sizes holds.
    pub(super) fn sizes(self) -> &'static str {
        match self {
            Self::Coordinate => "rows columns entries",
            Self::Array => "rows columns",
        }
    }
}

impl Symmetry {
    /// The word in the banner.
    pub fn name(self) -> &'static str {
        match self {
            Self::General => "general",
            Self::Symmetric => "symmetric",
            Self::SkewSymmetric => "skew-symmetric",
        }
    }

    /// First row that column `j` of an array file lists.
    pub(super) fn first_row(self, j: usize) -> usize {
        match self {
            Self::General => 0,
            Self::Symmetric => j,
            Self::SkewSymmetric => j + 1,
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl fmt::Display for Field {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Real => "real",
            Self::Integer => "integer",
            Self::Pattern => "pattern",
        })
    }
}

impl fmt::Display for Symmetry {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
