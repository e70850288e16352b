//! Arrays of numbers that are `f64` here, and on the device what a scheme has them in.

use nonius_cuda::Cuda;
use nonius_gpu::{Buffer, Error, KernelType, Plain, Pointer};
use rayon::prelude::*;

use super::arguments::{Bytes, Constant};
use crate::solid::Precision;

/// What numbers are in on the device.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Single,
    Double,
    /// `Pair` in `fem/pair.cuh`: two `f32`.
    Pair,
}

impl Format {
    /// Of the nodes of a run.
    pub(super) fn of_nodes(precision: Precision) -> Self {
        match precision {
            Precision::Single => Format::Single,
            Precision::Double => Format::Double,
            Precision::Mixed | Precision::Pairs => Format::Pair,
        }
    }

    /// Of what elements compute.
    pub(super) fn of_elements(precision: Precision) -> Self {
        match precision {
            Precision::Single | Precision::Mixed => Format::Single,
            Precision::Double => Format::Double,
            Precision::Pairs => Format::Pair,
        }
    }

    /// Of constants, and of work.
    pub(super) fn of_constants(precision: Precision) -> Self {
        match precision {
            Precision::Single | Precision::Double => Format::Double,
            Precision::Mixed | Precision::Pairs => Format::Pair,
        }
    }

    /// Its type in the kernels.
    pub(super) fn name(self) -> &'static str {
        match self {
            Format::Single => "float",
            Format::Double => "double",
            Format::Pair => "Pair",
        }
    }

    /// Bytes of a number.
    pub(super) fn size(self) -> usize {
        if self == Format::Single { 4 } else { 8 }
    }

    /// Bytes of a `Force` in `fem/exchange.cuh`.
    pub(super) fn force(self) -> usize {
        if self == Format::Single { 16 } else { 24 }
    }

    /// A constant of a structure, in `f64` or a pair.
    pub(super) fn constant(self, x: f64) -> Constant {
        Constant(if self == Format::Pair { Pair::of(x).bits() } else { x.to_bits() })
    }
}

/// A number as two `f32`: `Pair` in `fem/pair.cuh`.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(8))]
pub(super) struct Pair {
    hi: f32,
    lo: f32,
}

// SAFETY: `repr(C)`, two numbers that fill it.
unsafe impl Plain for Pair {}

impl KernelType for Pair {
    fn declare(name: &str) -> String {
        format!("Pair {name}")
    }
}

impl Pair {
    fn of(x: f64) -> Self {
        let hi = x as f32;
        Self { hi, lo: if hi.is_finite() { (x - f64::from(hi)) as f32 } else { 0.0 } }
    }

    fn value(self) -> f64 {
        f64::from(self.hi) + f64::from(self.lo)
    }

    /// As a device has them, the larger number in the lower half.
    fn bits(self) -> u64 {
        u64::from(self.hi.to_bits()) | u64::from(self.lo.to_bits()) << 32
    }
}

/// A count as an `int` of the kernels.
pub(super) fn int(count: usize) -> Result<i32, Error> {
    let most = i32::MAX;
    i32::try_from(count).map_err(|_| Error::TooManyRows { rows: count, most: most as usize })
}

/// Such an array.
pub(super) struct Numbers {
    buffer: Buffer,
    count: usize,
    format: Format,
}

impl Numbers {
    pub(super) fn new(cuda: &Cuda, numbers: &[f64], format: Format) -> Result<Self, Error> {
        let buffer = match format {
            Format::Single => {
                cuda.numbers(&numbers.iter().map(|&x| x as f32).collect::<Vec<f32>>())?
            }
            Format::Double => cuda.numbers(numbers)?,
            Format::Pair => {
                cuda.numbers(&numbers.iter().map(|&x| Pair::of(x)).collect::<Vec<Pair>>())?
            }
        };
        Ok(Self { buffer, count: numbers.len(), format })
    }

    /// A kernel's pointer to them, by the name that it has for the type.
    pub(super) fn pointer<T>(&self) -> Pointer<T> {
        self.buffer.pointer()
    }

    pub(super) fn read(&self, cuda: &Cuda) -> Result<Vec<f64>, Error> {
        match self.format {
            Format::Single => {
                let numbers: Vec<f32> = cuda.read(&self.buffer, self.count)?;
                Ok(numbers.into_iter().map(f64::from).collect())
            }
            Format::Double => cuda.read(&self.buffer, self.count),
            Format::Pair => {
                let numbers: Vec<Pair> = cuda.read(&self.buffer, self.count)?;
                Ok(numbers.into_iter().map(Pair::value).collect())
            }
        }
    }
}

/// What elements remember, in parts of as many numbers as a patch has: where elements are in `f32`
/// and sums are not, each part is followed by what its numbers have rounded off, in the upper
/// halves of `f32` (`Sums` in `fem/memory.cuh`).
pub(super) struct Memories {
    kept: Kept,
    part: usize,
}

enum Kept {
    Numbers(Numbers),
    /// Halves of `f32`, and how many numbers these make.
    Sums(Buffer, usize),
}

impl Memories {
    pub(super) fn new(
        cuda: &Cuda,
        numbers: &[f64],
        part: usize,
        precision: Precision,
    ) -> Result<Self, Error> {
        let kept = if precision == Precision::Mixed {
            let mut halves: Vec<u16> = Vec::with_capacity(3 * numbers.len());
            for numbers in numbers.chunks(part.max(1)) {
                for bits in numbers.iter().map(|&x| (x as f32).to_bits()) {
                    halves.extend([bits as u16, (bits >> 16) as u16]);
                }
                halves.extend(numbers.iter().map(|&x| rest_of(x)));
            }
            Kept::Sums(cuda.numbers(&halves)?, numbers.len())
        } else {
            Kept::Numbers(Numbers::new(cuda, numbers, Format::of_elements(precision))?)
        };
        Ok(Self { kept, part })
    }

    /// Bytes of a number.
    pub(super) fn size(precision: Precision) -> usize {
        match precision {
            Precision::Mixed => 6,
            _ => Format::of_elements(precision).size(),
        }
    }

    pub(super) fn pointer(&self) -> Pointer<Bytes> {
        match &self.kept {
            Kept::Numbers(numbers) => numbers.pointer(),
            Kept::Sums(buffer, _) => buffer.pointer(),
        }
    }

    pub(super) fn read(&self, cuda: &Cuda) -> Result<Vec<f64>, Error> {
        let (buffer, count) = match &self.kept {
            Kept::Numbers(numbers) => return numbers.read(cuda),
            Kept::Sums(buffer, count) => (buffer, *count),
        };
        let halves: Vec<u16> = cuda.read(buffer, 3 * count)?;
        let part = self.part.max(1);
        let float =
            |low: u16, high: u16| f64::from(f32::from_bits(u32::from(low) | u32::from(high) << 16));
        let mut all = vec![0.0; count];
        all.par_chunks_mut(part).zip(halves.par_chunks(3 * part)).for_each(|(all, halves)| {
            let (numbers, rests) = halves.split_at(2 * all.len());
            for ((x, number), &rest) in all.iter_mut().zip(numbers.chunks_exact(2)).zip(rests) {
                *x = float(number[0], number[1]) + float(0, rest);
            }
        });
        Ok(all)
    }
}

/// What rounding to `f32` takes from a number, cut off to the upper half of an `f32`.
fn rest_of(x: f64) -> u16 {
    let high = x as f32;
    if !high.is_finite() {
        return 0;
    }
    (((x - f64::from(high)) as f32).to_bits() >> 16) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_have_48_bits() {
        for x in [0.0, 1.0, -1.0 / 3.0, core::f64::consts::PI * 1e20, 6.02e-25, f64::INFINITY] {
            let near = Pair::of(x).value();
            assert!(near == x || (near / x - 1.0).abs() < 2f64.powi(-48), "{x}: {near}");
        }
    }

    #[test]
    fn rests_have_eight_bits() {
        for x in [1.0 / 3.0, -core::f64::consts::E * 1e9, 0.1, 1.0] {
            let rest = f64::from(f32::from_bits(u32::from(rest_of(x)) << 16));
            assert!((f64::from(x as f32) + rest - x).abs() <= x.abs() * 2f64.powi(-32), "{x}");
        }
    }
}
