//! Arrays of numbers that are `f32` or `f64` on the device and `f64` here.

use crate::backend::Cuda;
use crate::error::Error;
use crate::memory::Buffer;

/// Such an array.
pub(super) struct Numbers {
    buffer: Buffer,
    count: usize,
    is_single: bool,
}

impl Numbers {
    pub(super) fn new(cuda: &Cuda, numbers: &[f64], is_single: bool) -> Result<Self, Error> {
        let buffer = if is_single {
            let rounded: Vec<f32> = numbers.iter().map(|&x| x as f32).collect();
            cuda.numbers(&rounded)?
        } else {
            cuda.numbers(numbers)?
        };
        Ok(Self { buffer, count: numbers.len(), is_single })
    }

    pub(super) fn address(&self) -> u64 {
        self.buffer.address()
    }

    pub(super) fn read(&self, cuda: &Cuda) -> Result<Vec<f64>, Error> {
        if self.is_single {
            let numbers: Vec<f32> = cuda.read(&self.buffer, self.count)?;
            Ok(numbers.into_iter().map(f64::from).collect())
        } else {
            cuda.read(&self.buffer, self.count)
        }
    }
}
