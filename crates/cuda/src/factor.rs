//! Numbers as arguments of kernels.

use nonius_gpu::{Buffer, Error, KernelType, Plain};
use nonius_linalg::Number;

use crate::backend::Cuda;
use crate::kind::Kind;
use crate::matrix::lanes_of;

/// A number as kernels receive it (`Factor` in `factor.cuh`): limbs, then zeros; or a head and the
/// address of words, which zero, one and minus one have none of.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Factor([u64; 4]);

impl KernelType for Factor {
    fn declare(name: &str) -> String {
        format!("Factor {name}")
    }
}

// SAFETY: `repr(C)`, four numbers.
unsafe impl Plain for Factor {}

impl Factor {
    /// Zero limbs.
    pub(crate) const ZERO: Self = Self([0; 4]);
}

/// A factor with the memory that it refers to, which is freed in the order of the stream.
#[derive(Debug)]
pub struct Held {
    /// The factor.
    pub number: Factor,
    _words: Buffer,
}

impl Cuda {
    /// A number of a format for kernels.
    #[doc(hidden)]
    pub fn factor<T: Number>(&self, x: T, format: T::Format) -> Result<Held, Error> {
        let lanes = lanes_of(x, format);
        let mut number = Factor::ZERO;
        let Kind::Mp(_) = Kind::of::<T>(format) else {
            number.0.iter_mut().zip(&lanes).for_each(|(to, &lane)| *to = lane);
            return Ok(Held { number, _words: Buffer::empty(self.stream()) });
        };
        number.0[0] = lanes.last().copied().unwrap_or(0);
        if [T::ZERO, T::ONE, -T::ONE].contains(&x) {
            return Ok(Held { number, _words: Buffer::empty(self.stream()) });
        }
        let words = self.numbers(&lanes)?;
        number.0[1] = words.address();
        Ok(Held { number, _words: words })
    }
}
