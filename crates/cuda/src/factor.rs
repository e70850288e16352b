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
    /// Where no number is asked for.
    pub(crate) const NONE: Self = Self([0; 4]);

    /// A number of a format that needs no memory beside it, and the lanes of any other.
    pub(crate) fn alone<T: Number>(x: T, format: T::Format) -> Result<Self, Vec<u64>> {
        let lanes = lanes_of(x, format);
        let mut number = Self::NONE;
        match Kind::of::<T>(format) {
            Kind::Limbs(_) => number.0.iter_mut().zip(&lanes).for_each(|(to, &lane)| *to = lane),
            Kind::Mp(_) if [T::ZERO, T::ONE, -T::ONE].contains(&x) => number.0[0] = head_of(&lanes),
            Kind::Mp(_) => return Err(lanes),
        }
        Ok(number)
    }
}

/// The last lane of a number of any precision.
fn head_of(lanes: &[u64]) -> u64 {
    lanes.last().copied().unwrap_or(0)
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
        let lanes = match Factor::alone(x, format) {
            Ok(number) => return Ok(Held { number, _words: Buffer::empty(self.stream()) }),
            Err(lanes) => lanes,
        };
        let words = self.numbers(&lanes)?;
        let number = Factor([head_of(&lanes), words.address(), 0, 0]);
        Ok(Held { number, _words: words })
    }
}
