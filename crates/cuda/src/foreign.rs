//! Matrices in memory that another library has allocated on a GPU.

use core::any::Any;
use core::fmt;
use std::sync::Arc;

use nonius_gpu::{Error, Place, place_of};
use nonius_linalg::Number;
use nonius_num::Element;

use crate::kind::Kind;
use crate::matrix::{DeviceRef, Layout};

/// An array of `f64` in memory, of any number of dimensions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Strided {
    /// The address of the first number.
    pub address: u64,
    /// Numbers along each dimension.
    pub shape: Vec<usize>,
    /// Numbers from one index to the next along each dimension; may be negative.
    pub strides: Vec<i64>,
}

/// Why an array is no matrix of a GPU.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Refusal {
    /// Neither a matrix nor a vector.
    Dimensions {
        /// Limbs of a number.
        limbs: usize,
        /// The shape of the array.
        found: Vec<usize>,
    },
    /// The last dimension is not that of the limbs.
    Limbs {
        /// Limbs of a number.
        limbs: usize,
        /// The shape of the array.
        found: Vec<usize>,
    },
    /// The address is no multiple of eight bytes.
    Misaligned,
    /// The array reaches beyond all memory.
    TooLarge,
    /// The memory is the host's.
    OnHost,
    /// The memory is another GPU's.
    OtherGpu {
        /// The one that was asked for.
        expected: usize,
        /// The one that has it.
        found: usize,
    },
    /// The driver cannot be asked.
    Driver(Error),
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Driver(error)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dimensions { limbs: 1, found } => {
                write!(
                    f,
                    "expected an array of 1 or 2 dimensions, found the shape {}",
                    Shape(found)
                )
            }
            Self::Dimensions { limbs, found } => write!(
                f,
                "expected an array of 1 or 2 dimensions and a last one of {limbs} limbs, found the shape {}",
                Shape(found)
            ),
            Self::Limbs { limbs, found } => write!(
                f,
                "expected {limbs} limbs along the last dimension, found the shape {}",
                Shape(found)
            ),
            Self::Misaligned => f.write_str("the address is no multiple of 8 bytes"),
            Self::TooLarge => f.write_str("the strides reach beyond all memory"),
            Self::OnHost => f.write_str("the memory is the host's, not a GPU's"),
            Self::OtherGpu { expected, found } => {
                write!(f, "the memory is that of cuda:{found}, not of cuda:{expected}")
            }
            Self::Driver(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for Refusal {}

/// A shape as Python writes it.
struct Shape<'a>(&'a [usize]);

impl fmt::Display for Shape<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let lengths: Vec<String> = self.0.iter().map(usize::to_string).collect();
        let comma = if lengths.len() == 1 { "," } else { "" };
        write!(f, "({}{comma})", lengths.join(", "))
    }
}

impl Strided {
    /// The matrix whose numbers have so many limbs along the last dimension; of one limb there is
    /// no such dimension. A vector is one column. Also whether it is a vector.
    ///
    /// # Errors
    /// [`Refusal`]: of a shape, an address or strides that no matrix has.
    pub fn layout(&self, limbs: usize) -> Result<(Layout, bool), Refusal> {
        let (mut shape, mut strides) = (&self.shape[..], &self.strides[..]);
        assert_eq!(shape.len(), strides.len(), "a stride for each dimension");
        let mut plane = 0;
        if limbs > 1 {
            match (shape.split_last(), strides.split_last()) {
                (Some((&length, rest)), Some((&stride, others))) if length == limbs => {
                    (shape, strides, plane) = (rest, others, stride);
                }
                _ => return Err(Refusal::Limbs { limbs, found: self.shape.clone() }),
            }
        }
        let (rows, cols, row, column) = match (shape, strides) {
            (&[rows], &[row]) => (rows, 1, row, 0),
            (&[rows, cols], &[row, column]) => (rows, cols, row, column),
            _ => return Err(Refusal::Dimensions { limbs, found: self.shape.clone() }),
        };
        if !self.address.is_multiple_of(size_of::<f64>() as u64) {
            return Err(Refusal::Misaligned);
        }
        let length = |count: usize| i64::try_from(count).map_err(|_| Refusal::TooLarge);
        let (rows, cols) = (length(rows)?, length(cols)?);
        let layout = Layout { data: self.address, rows, cols, row, column, plane };
        layout.ends(limbs)?;
        Ok((layout, shape.len() == 1))
    }
}

impl Layout {
    /// The addresses of the first and the last byte; none where it has no entries.
    fn ends(self, limbs: usize) -> Result<Option<(u64, u64)>, Refusal> {
        if self.is_empty() {
            return Ok(None);
        }
        let start = i128::from(self.data);
        let (mut first, mut last) = (start, start + 7);
        let steps = [(self.rows, self.row), (self.cols, self.column), (limbs as i64, self.plane)];
        for (count, stride) in steps {
            // Below 2¹²⁷: the product of two of 64 bits.
            let reach = (i128::from(count) - 1)
                .checked_mul(8 * i128::from(stride))
                .ok_or(Refusal::TooLarge)?;
            let end = if reach < 0 { &mut first } else { &mut last };
            *end = end.checked_add(reach).ok_or(Refusal::TooLarge)?;
        }
        let address = |at: i128| {
            let inside = u64::try_from(at).ok().filter(|&at| at != 0 && at <= i64::MAX as u64);
            inside.ok_or(Refusal::TooLarge)
        };
        Ok(Some((address(first)?, address(last)?)))
    }

    /// Whether all kernels take it as it is, or its transpose: one number lies next to the other
    /// down the columns or along the rows, and lines do not overlap.
    pub fn is_usual(self) -> bool {
        let (down, right) = (self.row == 1, self.column == 1);
        let lines = if down {
            (self.cols, self.column, self.rows)
        } else {
            (self.rows, self.row, self.cols)
        };
        let (count, stride, length) = lines;
        (down || right) && (count <= 1 || stride >= length) && stride >= 0 && self.plane >= 0
    }
}

/// A matrix in memory that another library has allocated on a GPU. It is read, and not written.
pub struct ForeignMatrix<T: Element> {
    ordinal: usize,
    layout: Layout,
    format: T::Format,
    /// Keeps the memory.
    #[expect(dead_code, reason = "dropped with the matrix")]
    owner: Arc<dyn Any + Send + Sync>,
}

impl<T: Number> ForeignMatrix<T> {
    /// The matrix that lies so on the GPU of that number; `owner` keeps its memory.
    ///
    /// # Errors
    /// [`Refusal`], where the first or the last byte is no memory of that GPU.
    ///
    /// # Safety
    /// - All entries are memory of one allocation, which lives as long as `owner`.
    /// - Whoever writes to it meanwhile makes the stream of whoever reads it wait for that: work in
    ///   the device's default stream, and in streams that wait for it, is waited for by
    ///   [`wait_for_default`](nonius_gpu::Stream::wait_for_default).
    pub unsafe fn new(
        ordinal: usize,
        format: T::Format,
        layout: Layout,
        owner: Arc<dyn Any + Send + Sync>,
    ) -> Result<Self, Refusal> {
        let limbs = Kind::of::<T>(format).lanes();
        if let Some((first, last)) = layout.ends(limbs)? {
            for address in [first, last] {
                match place_of(address)? {
                    Place::Managed(_) => {}
                    Place::Gpu(found) if found == ordinal => {}
                    Place::Gpu(found) => {
                        return Err(Refusal::OtherGpu { expected: ordinal, found });
                    }
                    _ => return Err(Refusal::OnHost),
                }
            }
        }
        Ok(Self { ordinal, layout, format, owner })
    }

    /// The number of its GPU.
    pub fn ordinal(&self) -> usize {
        self.ordinal
    }

    /// The whole matrix, to be read.
    pub fn as_ref(&self) -> DeviceRef<'_, T> {
        DeviceRef::of(self.layout, self.format)
    }
}

impl<T: Element> fmt::Debug for ForeignMatrix<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ForeignMatrix").field("layout", &self.layout).finish_non_exhaustive()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strided(shape: &[usize], strides: &[i64]) -> Strided {
        Strided { address: 1 << 20, shape: shape.to_vec(), strides: strides.to_vec() }
    }

    #[test]
    fn limbs_are_the_last_dimension() {
        // Row by row, limbs side by side.
        let (layout, is_vector) = strided(&[3, 5, 4], &[20, 4, 1]).layout(4).unwrap();
        let expected = Layout { data: 1 << 20, rows: 3, cols: 5, row: 20, column: 4, plane: 1 };
        assert_eq!((layout, is_vector), (expected, false));
        let (layout, is_vector) = strided(&[3, 2], &[2, 1]).layout(2).unwrap();
        assert_eq!((layout.shape(), layout.row, layout.plane, is_vector), ((3, 1), 2, 1, true));
        let (layout, _) = strided(&[3, 5], &[5, 1]).layout(1).unwrap();
        assert_eq!((layout.shape(), layout.row, layout.column), ((3, 5), 5, 1));
    }

    #[test]
    fn other_shapes_are_refused_in_a_sentence() {
        let refused = |shape: &[usize], limbs| {
            let strides = vec![1; shape.len()];
            strided(shape, &strides).layout(limbs).unwrap_err().to_string()
        };
        assert_eq!(
            refused(&[2, 2, 2], 1),
            "expected an array of 1 or 2 dimensions, found the shape (2, 2, 2)"
        );
        assert_eq!(refused(&[], 1), "expected an array of 1 or 2 dimensions, found the shape ()");
        assert_eq!(
            refused(&[3, 3], 2),
            "expected 2 limbs along the last dimension, found the shape (3, 3)"
        );
        assert_eq!(
            refused(&[2], 2),
            "expected an array of 1 or 2 dimensions and a last one of 2 limbs, found the shape (2,)"
        );
        let odd = Strided { address: 12, ..strided(&[2], &[1]) };
        assert_eq!(odd.layout(1), Err(Refusal::Misaligned));
    }

    #[test]
    fn strides_stay_inside_memory() {
        let ends = |strided: Strided| strided.layout(1).unwrap().0.ends(1).unwrap();
        let start = 1 << 20;
        assert_eq!(ends(strided(&[3, 5], &[5, 1])), Some((start, start + 8 * 15 - 1)));
        // Both dimensions backwards.
        assert_eq!(ends(strided(&[3, 5], &[-5, -1])), Some((start - 8 * 14, start + 7)));
        assert_eq!(ends(strided(&[3, 5], &[0, 0])), Some((start, start + 7)));
        assert_eq!(ends(strided(&[0, 5], &[i64::MAX, i64::MIN])), None);
        for strides in [[i64::MAX, 1], [i64::MIN, 1], [-1 << 20, 1], [1 << 60, 1 << 60]] {
            assert_eq!(strided(&[3, 5], &strides).layout(1), Err(Refusal::TooLarge));
        }
        assert_eq!(strided(&[usize::MAX], &[1]).layout(1), Err(Refusal::TooLarge));
    }

    #[test]
    fn usual_layouts_have_contiguous_lines() {
        let usual = |shape: &[usize], strides: &[i64], limbs| {
            strided(shape, strides).layout(limbs).unwrap().0.is_usual()
        };
        assert!(usual(&[3, 5], &[1, 3], 1) && usual(&[3, 5], &[5, 1], 1));
        assert!(usual(&[3, 5, 2], &[1, 4, 32], 2) && usual(&[4], &[1], 1));
        for strides in [[-5, 1], [5, -1], [10, 2], [0, 1], [1, 2]] {
            assert!(!usual(&[3, 5], &strides, 1), "{strides:?}");
        }
        assert!(!usual(&[3, 5, 2], &[10, 2, 1], 2) && !usual(&[4], &[0], 1));
    }
}
