//! The correction of `Y` and what is found of its entries: `correct` in `mp/matrix.cu`.

use nonius_gpu::{Buffer, Error, Pointer};
use nonius_linalg::certified::{Bounds, Correction, Judged, Magnitude};
use nonius_num::Mp;

use super::launch::{self, CORRECT, THREADS};
use crate::backend::Cuda;
use crate::matrix::{DeviceMatrix, Layout};
use crate::mp_numbers::Numbers;

/// Blocks that share out the columns, where these are fewer.
const BLOCKS_OF_ALL: usize = 256;

impl From<Magnitude> for launch::Magnitude {
    fn from(x: Magnitude) -> Self {
        let (m, e) = x.parts();
        Self { m, e }
    }
}

impl From<launch::Magnitude> for Magnitude {
    fn from(x: launch::Magnitude) -> Self {
        Self::new(x.m, x.e)
    }
}

impl From<launch::Judged> for Judged {
    fn from(found: launch::Judged) -> Self {
        let launch::Judged { worst, error, open, least, largest, bounded } = found;
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
        y: &mut DeviceMatrix<Mp>,
        correction: Correction<'_, Self>,
        bounds: &Bounds<'_>,
    ) -> Result<Vec<Judged>, Error> {
        let cols = y.shape().1;
        let magnitudes = |all: &[Magnitude]| {
            let all: Vec<launch::Magnitude> = all.iter().map(|&x| x.into()).collect();
            self.numbers(&all)
        };
        let there;
        let (in_f64, z, exponents, numbers) = match correction {
            Correction::F64(z, by) => {
                there = self.numbers(&by)?;
                (1, z.layout, there.pointer(), Numbers::NONE)
            }
            Correction::Mp(z) => (0, Layout::NONE, Pointer::NULL, z.into()),
        };
        let lists = [bounds.row_sums, bounds.noise, bounds.reach, bounds.floors];
        let [row_sums, noise, reach, floors] = lists.map(magnitudes);
        let [row_sums, noise, reach, floors] = [row_sums?, noise?, reach?, floors?];
        let (shares, scales) = (self.numbers(bounds.shares)?, self.numbers(bounds.scales)?);
        // Few columns are shared out to several blocks.
        let shares_of_rows = y.shape().0.div_ceil(THREADS as usize);
        let parts = (BLOCKS_OF_ALL / cols.max(1)).clamp(1, shares_of_rows.max(1));
        let judged = Buffer::new(self.stream(), size_of::<launch::Judged>() * cols * parts)?;
        let arguments = launch::Correction {
            y: (&*y).into(),
            in_f64,
            z,
            exponents,
            numbers,
            row_sums: row_sums.pointer(),
            shares: shares.pointer(),
            noise: noise.pointer(),
            reach: reach.pointer(),
            floors: floors.pointer(),
            scales: scales.pointer(),
            result_bits: bounds.result_bits.get().into(),
            tolerance: bounds.tolerance.into(),
            judged: judged.pointer(),
        };
        self.matrix_kernel(CORRECT, [cols as u32, parts as u32, 1], &arguments)?;
        let found = self.read::<launch::Judged>(&judged, cols * parts)?;
        let column = |part: &[launch::Judged]| {
            part.iter().map(|&found| found.into()).fold(Judged::NOTHING, Judged::joined)
        };
        Ok(found.chunks_exact(parts).map(column).collect())
    }
}
