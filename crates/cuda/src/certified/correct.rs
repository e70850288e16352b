//! The correction of `Y` and what is found of its entries: `correct` in `mp/matrix.cu`.

use nonius_gpu::{Buffer, Error, Plain};
use nonius_linalg::certified::{Bounds, Correction, Judged, Magnitude};

use super::launch::THREADS;
use crate::backend::Cuda;
use crate::mp_matrix::MpMatrix;
use crate::words::Words;

/// Blocks that share out the columns, where these are fewer.
const BLOCKS_OF_ALL: usize = 256;

/// A [`Magnitude`] in `magnitude.cuh`: `m·2^e`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
pub(super) struct Size {
    pub(super) m: f64,
    pub(super) e: i64,
}

/// `Judged` in `mp/matrix.cu`.
#[derive(Clone, Copy, Debug, Default)]
#[repr(C)]
struct RawJudged {
    worst: Size,
    error: Size,
    open: Size,
    least: Size,
    largest: Size,
    bounded: i64,
}

// SAFETY: `repr(C)`, two numbers of eight bytes.
unsafe impl Plain for Size {}
// SAFETY: `repr(C)`, members of eight bytes.
unsafe impl Plain for RawJudged {}

impl From<Magnitude> for Size {
    fn from(x: Magnitude) -> Self {
        let (m, e) = x.parts();
        Self { m, e }
    }
}

impl From<Size> for Magnitude {
    fn from(x: Size) -> Self {
        Self::new(x.m, x.e)
    }
}

impl From<RawJudged> for Judged {
    fn from(raw: RawJudged) -> Self {
        let RawJudged { worst, error, open, least, largest, bounded } = raw;
        Self {
            worst: worst.into(),
            error: error.into(),
            open: open.into(),
            bounded: bounded != 0,
            least: least.into(),
            largest: largest.into(),
        }
    }
}

impl Cuda {
    pub(super) fn corrected(
        &self,
        y: &mut MpMatrix,
        correction: Correction<'_, Self>,
        bounds: &Bounds<'_>,
    ) -> Result<Vec<Judged>, Error> {
        let cols = y.shape().1;
        let sizes = |all: &[Magnitude]| {
            let all: Vec<Size> = all.iter().map(|&x| Size::from(x)).collect();
            self.numbers(&all)
        };
        let exponents;
        let added = match correction {
            Correction::F64(z, by) => {
                exponents = self.numbers(by)?;
                let words = Words::default().long(1).matrix(z.layout);
                words.address(exponents.address()).padded(14)
            }
            Correction::Mp(z) => Words::default().padded(8).and(z.words()),
        };
        let lists = [bounds.row_sums, bounds.noise, bounds.reach, bounds.floors];
        let [row_sums, noise, reach, floors] = lists.map(sizes);
        let [row_sums, noise, reach, floors] = [row_sums?, noise?, reach?, floors?];
        let (shares, scales) = (self.numbers(bounds.shares)?, self.numbers(bounds.scales)?);
        // Few columns are shared out to several blocks.
        let shares_of_rows = y.shape().0.div_ceil(THREADS as usize);
        let parts = (BLOCKS_OF_ALL / cols.max(1)).clamp(1, shares_of_rows.max(1));
        let judged = Buffer::new(self.stream(), size_of::<RawJudged>() * cols * parts)?;
        let tolerance = Size::from(bounds.tolerance);
        let words = y
            .words()
            .and(added)
            .address(row_sums.address())
            .address(shares.address())
            .address(noise.address())
            .address(reach.address())
            .address(floors.address())
            .address(scales.address())
            .long(bounds.result_bits.get() as usize)
            .address(tolerance.m.to_bits())
            .address(tolerance.e as u64)
            .address(judged.address());
        self.matrix_kernel(c"correct", [cols as u32, parts as u32, 1], &words)?;
        let found = self.read::<RawJudged>(&judged, cols * parts)?;
        let column = |part: &[RawJudged]| {
            part.iter().map(|&raw| raw.into()).fold(Judged::NOTHING, Judged::joined)
        };
        Ok(found.chunks_exact(parts).map(column).collect())
    }
}
