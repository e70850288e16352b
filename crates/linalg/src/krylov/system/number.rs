//! Numbers of sparse systems.

use nonius_num::mp::{Bits, Mp};

use crate::sparse::{Csr, Multiplies};
use crate::{Error, Number, Scalar};

/// Numbers of sparse systems, and those that hold an `f64` beside them.
pub trait SparseNumber: Number + Multiplies<Self> {
    /// What holds an `f64` in a matrix that is multiplied with vectors of these numbers: one limb,
    /// or 64 bits.
    type Short: Multiplies<Self>;

    /// The number rounded to that.
    fn shorten(self) -> Self::Short;

    /// A matrix of `f64`s, exactly.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    fn short(a: Csr<f64>) -> Result<Csr<Self::Short>, Error>;
}

impl<T: Scalar> SparseNumber for T {
    type Short = f64;

    fn shorten(self) -> f64 {
        self.to_f64()
    }

    fn short(a: Csr<f64>) -> Result<Csr<f64>, Error> {
        Ok(a)
    }
}

impl SparseNumber for Mp {
    type Short = Mp;

    fn shorten(self) -> Mp {
        self.in_bits(Bits::FEWEST)
    }

    fn short(a: Csr<f64>) -> Result<Csr<Mp>, Error> {
        a.to_format(Bits::FEWEST)
    }
}
