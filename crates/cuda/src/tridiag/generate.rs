//! Batches whose coefficients a device forms.

use nonius_gpu::{Entry, Shape, Source};
use nonius_linalg::Error as LinalgError;
use nonius_linalg::tridiag::Order;

use super::arguments;
use super::batch::DeviceBatch;
use super::number::DeviceNumber;
use crate::backend::Cuda;
use crate::kind::Kind;

/// Threads of a block.
const THREADS: usize = 256;

const GENERATE: Entry<arguments::Batch> = Entry::new(c"generate");

/// How the coefficients of a row are formed: statements of CUDA C++ that assign the `double`s
/// `lower`, `diagonal`, `upper` and `right`, which are 0 before, from the integers `system`, `row`,
/// `systems` and `size`, of 64 bits and counted from 0.
///
/// ```
/// let heat = nonius_cuda::Generator::new(
///     "diagonal = 2.0; lower = upper = -1.0; right = 1.0 / (row + 1);",
/// );
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generator {
    body: String,
}

impl Generator {
    /// The generator with these statements. That they are no C++ is said by whoever uses it.
    pub fn new(body: impl Into<String>) -> Self {
        Self { body: body.into() }
    }

    fn source(&self, kind: Kind) -> Source {
        let Self { body } = self;
        let text = format!(
            "#include \"tridiag/tridiag.cuh\"\n\
             DEVICE void form(long long system, long long row, long long systems, long long size, \
             double &lower, double &diagonal, double &upper, double &right) {{\n\
             #line 1 \"generator\"\n{body}\n}}\n#include \"tridiag/generate.cu\"\n"
        );
        kind.text("tridiag-generate", text).entry(GENERATE)
    }
}

impl Cuda {
    /// A batch whose coefficients are formed in the device's memory.
    ///
    /// # Errors
    /// [`LinalgError::Device`]: memory, or statements that the compiler does not take, with what it
    /// says of them.
    pub fn generate_tridiagonal<T: DeviceNumber>(
        &self,
        format: T::Format,
        (systems, size): (usize, usize),
        order: Order,
        generator: &Generator,
    ) -> Result<DeviceBatch<T>, LinalgError> {
        self.fetch(|| {
            let batch = DeviceBatch::<T>::new(self, format, (systems, size), order)?;
            let kernel =
                self.device().module(&generator.source(T::kind(format)))?.kernel(GENERATE)?;
            let blocks = (systems * size).div_ceil(THREADS).min(1 << 20) as u32;
            let shape = Shape { grid: [blocks, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 };
            // SAFETY: nobody else has the batch, whose memory is freed in the order of the stream.
            unsafe { kernel.launch(self.stream(), shape, &batch.view().batch())? };
            Ok(batch)
        })
    }
}
