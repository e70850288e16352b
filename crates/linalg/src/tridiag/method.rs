//! The methods, and how the hybrid one divides its work.

use core::fmt;
use core::str::FromStr;

use super::number::Parts;
use super::order::Order;

/// How systems are solved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Method {
    /// Thomas's on a CPU and where rows are exchanged, the hybrid one on a GPU.
    #[default]
    Auto,
    /// Elimination from the first row to the last, and substitution back (Thomas 1949).
    Thomas,
    /// Parallel cyclic reduction (Hockney and Jesshope 1981): every row takes away its neighbours
    /// at distance 1, 2, 4 and so on, until it stands alone.
    Pcr,
    /// Chunks of rows are reduced to one equation each (Wang, *A parallel method for tridiagonal
    /// equations*, 1981), the system of these is solved in the same way, or by cyclic reduction
    /// where it is small; as László, Giles and Appleyard combine them in registers (*Manycore
    /// algorithms for batch scalar and block tridiagonal solvers*, 2016).
    Hybrid,
}

impl Method {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Auto, Self::Thomas, Self::Pcr, Self::Hybrid];

    /// The spelling: `auto`, `thomas`, `pcr`, `hybrid`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Auto => "auto",
            Self::Thomas => "thomas",
            Self::Pcr => "pcr",
            Self::Hybrid => "hybrid",
        }
    }
}

impl fmt::Display for Method {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for Method {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let named = Self::ALL.into_iter().find(|method| method.name() == text);
        named
            .ok_or_else(|| format!("unknown method `{text}`: expected auto, thomas, pcr or hybrid"))
    }
}

/// Chunks of the [hybrid method](Method::Hybrid): what its bits depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Partition {
    /// `chunks` chunks of `chunk` rows, whose equations are solved together. Their number is a
    /// power of two. Up to 32 are solved by cyclic reduction, more in 32 chunks of these.
    Whole {
        /// Rows of a chunk.
        chunk: usize,
        /// Chunks.
        chunks: usize,
    },
    /// Chunks of `chunk` rows, whose equations are a system for themselves.
    Split {
        /// Rows of a chunk.
        chunk: usize,
    },
}

/// Chunks that are reduced by cyclic reduction at the most, a thread of a warp for each.
pub(crate) const WARP: usize = 32;

impl Partition {
    /// That of systems of `size` numbers.
    pub fn new(parts: Parts, order: Order, size: usize) -> Self {
        // Rows that a thread has in registers, by measurement on an H200, and chunks from which on
        // it had better have more of them, up to a limit.
        let short = matches!(parts, Parts::Single | Parts::Limbs(1));
        let usual = match parts {
            Parts::Single | Parts::Limbs(1) => 8,
            Parts::Limbs(2) | Parts::Words => 4,
            Parts::Limbs(_) => 2,
        };
        let (longest, many, most) = match order {
            // No registers hold words, and no other memory of a block the equations of many chunks.
            _ if parts == Parts::Words => (usual, WARP, WARP),
            Order::Contiguous if short => (usual, 256, 256),
            Order::Contiguous => (usual * 2, 64, 256),
            // Neighbouring systems share blocks of threads, of which a system then has 32.
            Order::Interleaved if short => (usual * 4, WARP, WARP),
            Order::Interleaved => (usual * 2, WARP, WARP),
        };
        let mut chunk = usual;
        while chunk < longest && size > chunk * many {
            chunk *= 2;
        }
        match size.div_ceil(chunk).next_power_of_two() {
            chunks if chunks <= most => Self::Whole { chunk, chunks },
            _ => Self::Split { chunk: usual },
        }
    }
}
