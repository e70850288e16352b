//! What certified solvers ask of a device ([`nonius_linalg::certified::Machine`]).

mod correct;
mod gemv;
mod launch;

use nonius_gpu::{Arguments, Buffer, Entry, Error as DeviceError, Pointer, Shape, Source};
use nonius_linalg::backend::{Diagonalize, Gemm, Gemv, Memory, View};
use nonius_linalg::certified::{
    Bounds, Correction, Held, Judged, Machine, Magnitude, Triangles, inverse_by_factors,
};
use nonius_linalg::dense::gemm::{Accuracy, Products};
use nonius_linalg::dense::{Lu, Transpose};
use nonius_linalg::{Error, mp};
use nonius_num::mp::{Bits, Head, Mp};

use self::launch::{
    COLUMN_CODES, COLUMN_MAXIMA, COLUMN_SUMS, CORRECT, Codes, Conversion, Difference, MOVE_COLUMNS,
    Maxima, NEAREST, Pair, Places, ROUND_NUMBERS, ROW_DEFECTS, ROW_SUMS, Rows, SCALE, SUBTRACT,
    Sums, THREADS, WIDEN,
};
use crate::backend::Cuda;
use crate::cusolver::CuSolver;
use crate::matrix::{DeviceMatrix, DeviceRef};
use crate::mp_numbers::Numbers;
use crate::texts;

const SIDE: usize = 32;
/// Blocks at the most where threads take several numbers.
const BLOCKS: usize = 1 << 16;
/// Columns of which a block adds the entries of rows.
const CHUNK: usize = 256;

pub(crate) fn matrix_source() -> Source {
    texts::of_limbs("mp-matrix", 1, "mp/matrix.cu")
        .entry(ROUND_NUMBERS)
        .entry(SUBTRACT)
        .entry(WIDEN)
        .entry(NEAREST)
        .entry(SCALE)
        .entry(MOVE_COLUMNS)
        .entry(COLUMN_SUMS)
        .entry(COLUMN_CODES)
        .entry(ROW_SUMS)
        .entry(ROW_DEFECTS)
        .entry(COLUMN_MAXIMA)
        .entry(CORRECT)
}

/// Every module of this capability.
pub(crate) fn sources() -> impl Iterator<Item = Source> {
    gemv::sources().chain([matrix_source()])
}

impl Held for DeviceMatrix<Mp> {
    fn bits(&self) -> Bits {
        self.format()
    }

    fn shape(&self) -> (usize, usize) {
        DeviceMatrix::shape(self)
    }
}

/// Blocks with a thread for each of `count` numbers, at most `BLOCKS` of them.
fn blocks(count: usize) -> [u32; 3] {
    [count.div_ceil(THREADS as usize).clamp(1, BLOCKS) as u32, 1, 1]
}

/// A block for each column.
fn columns(a: (usize, usize)) -> [u32; 3] {
    [a.1 as u32, 1, 1]
}

/// Whether a permutation is odd.
fn is_odd(places: &[i64]) -> bool {
    let mut seen = vec![false; places.len()];
    let mut odd = false;
    for start in 0..places.len() {
        let mut at = start;
        while !seen[at] {
            seen[at] = true;
            at = places[at] as usize;
            // A cycle takes an exchange less than it has places.
            odd ^= at != start;
        }
    }
    odd
}

/// A block for each square.
fn squares((rows, cols): (usize, usize)) -> [u32; 3] {
    [rows.div_ceil(SIDE) as u32, cols.div_ceil(SIDE) as u32, 1]
}

impl Cuda {
    fn matrix_kernel<A: Arguments>(
        &self,
        entry: Entry<A>,
        grid: [u32; 3],
        arguments: &A,
    ) -> Result<(), DeviceError> {
        let kernel = self.device().module(&matrix_source())?.kernel(entry)?;
        let shape = Shape { grid, block: [THREADS, 1, 1], shared: 0 };
        // SAFETY: what arguments point to is freed in the order of the stream; what is written is
        // new or borrowed mutably.
        unsafe { kernel.launch(self.stream(), shape, arguments) }
    }

    /// Rounds numbers to those of as large a matrix, which nobody else has.
    pub(crate) fn round_numbers(&self, from: Numbers, to: Numbers) -> Result<(), DeviceError> {
        let (rows, cols) = to.shape();
        self.matrix_kernel(ROUND_NUMBERS, blocks(rows * cols), &Pair { to, from })
    }

    fn square(&self, order: usize) -> Result<DeviceMatrix<f64>, DeviceError> {
        DeviceMatrix::new(self.stream(), order, order)
    }

    fn unit_square(&self, order: usize) -> Result<DeviceMatrix<f64>, DeviceError> {
        let mut identity = self.square(order)?;
        identity.set_identity()?;
        Ok(identity)
    }

    /// Replaces a square matrix by its factors, `P·A = L·U`: the row of `A` that each row of `P·A`
    /// is, or the column of a zero in the place of a pivot.
    fn factored(
        &self,
        solver: &CuSolver,
        a: &mut DeviceMatrix<f64>,
    ) -> Result<Result<Vec<i64>, usize>, DeviceError> {
        // SAFETY: a square matrix, borrowed mutably.
        unsafe { solver.factor(self.stream(), a.as_mut().layout) }
    }

    /// Column `i` of one square matrix becomes column `places[i]` of the other.
    fn move_columns(
        &self,
        from: &DeviceMatrix<f64>,
        places: &[i64],
        to: &DeviceMatrix<f64>,
    ) -> Result<(), DeviceError> {
        let places_there = self.numbers(places)?;
        let arguments = Places {
            to: to.as_ref().layout,
            from: from.as_ref().layout,
            places: places_there.pointer(),
        };
        self.matrix_kernel(MOVE_COLUMNS, blocks(places.len() * places.len()), &arguments)
    }

    /// The greatest exponents of the columns, as codes.
    fn codes(&self, a: &DeviceMatrix<Mp>) -> Result<Buffer, DeviceError> {
        let codes = Buffer::new(self.stream(), 4 * a.shape().1)?;
        let arguments = Codes { numbers: a.into(), codes: codes.pointer() };
        self.matrix_kernel(COLUMN_CODES, columns(a.shape()), &arguments)?;
        Ok(codes)
    }

    fn sums(
        &self,
        a: &DeviceMatrix<Mp>,
        weights: &[f64],
        diagonal: Option<usize>,
    ) -> Result<Vec<Magnitude>, Error> {
        self.fetch(|| {
            let (rows, cols) = a.shape();
            let weights = self.numbers(weights)?;
            let sums = Buffer::new(self.stream(), size_of::<launch::Magnitude>() * cols)?;
            let arguments = Sums {
                numbers: a.into(),
                weights: weights.pointer(),
                diagonal: diagonal.map_or(-1, |row| row as i64),
                sums: sums.pointer(),
            };
            self.matrix_kernel(COLUMN_SUMS, columns((rows, cols)), &arguments)?;
            // All roundings together are less than this factor adds.
            let up = 1.0 + 4.0 * (rows as f64 + 16.0) * f64::EPSILON;
            let found = self.read::<launch::Magnitude>(&sums, cols)?;
            Ok(found.into_iter().map(|sum| Magnitude::new(sum.m * up, sum.e)).collect())
        })
    }

    fn sums_of_rows(
        &self,
        entry: Entry<Rows>,
        a: DeviceRef<'_, f64>,
        (weights, first): (&[f64], usize),
    ) -> Result<Vec<f64>, Error> {
        self.fetch(|| {
            let (rows, cols) = a.layout.shape();
            let chunks = cols.div_ceil(CHUNK);
            let weights = self.numbers(weights)?;
            let sums = Buffer::new(self.stream(), 8 * rows * chunks)?;
            let arguments = Rows {
                matrix: a.layout,
                weights: weights.pointer(),
                chunk: CHUNK as i64,
                first: first as i64,
                sums: sums.pointer(),
            };
            let grid = [rows.div_ceil(THREADS as usize) as u32, chunks as u32, 1];
            self.matrix_kernel(entry, grid, &arguments)?;
            let parts = self.read::<f64>(&sums, rows * chunks)?;
            let mut sums = vec![0.0; rows];
            for part in parts.chunks_exact(rows.max(1)) {
                sums.iter_mut().zip(part).for_each(|(sum, x)| *sum += x);
            }
            Ok(sums)
        })
    }
}

impl Machine for Cuda {
    type Numbers = DeviceMatrix<Mp>;

    const TOGETHER: usize = 1;
    // An inverse with this many bits takes a thousandth of the time that the host needs for the
    // rank.
    const SUSPICIOUS: u32 = 640;
    // As above.
    const ELIMINATION: f64 = 1000.0;

    fn hold(&self, a: &mp::Matrix) -> Result<DeviceMatrix<Mp>, Error> {
        Ok(self.upload(a.view()))
    }

    fn fetch(&self, a: &DeviceMatrix<Mp>) -> Result<mp::Matrix, Error> {
        self.download(a.as_ref())
    }

    fn rounded(&self, a: &DeviceMatrix<Mp>, bits: Bits) -> Result<DeviceMatrix<Mp>, Error> {
        self.fetch(|| {
            let (rows, cols) = a.shape();
            let result = DeviceMatrix::new_in(self.stream(), bits, rows, cols)?;
            self.round_numbers(a.into(), (&result).into())?;
            Ok(result)
        })
    }

    fn widened(&self, a: DeviceRef<'_, f64>, bits: Bits) -> Result<DeviceMatrix<Mp>, Error> {
        self.fetch(|| {
            let (rows, cols) = a.layout.shape();
            let result = DeviceMatrix::new_in(self.stream(), bits, cols, rows)?;
            let arguments = Conversion {
                numbers: (&result).into(),
                matrix: a.layout,
                exponents: Pointer::NULL,
            };
            self.matrix_kernel(WIDEN, squares((rows, cols)), &arguments)?;
            Ok(result)
        })
    }

    fn nearest(&self, a: &DeviceMatrix<Mp>) -> Result<DeviceMatrix<f64>, Error> {
        self.fetch(|| {
            let (rows, cols) = a.shape();
            let result = DeviceMatrix::new(self.stream(), cols, rows)?;
            let arguments = Conversion {
                numbers: a.into(),
                matrix: result.as_ref().layout,
                exponents: Pointer::NULL,
            };
            self.matrix_kernel(NEAREST, squares((rows, cols)), &arguments)?;
            Ok(result)
        })
    }

    fn product(
        &self,
        transposed: bool,
        a: &DeviceMatrix<Mp>,
        b: &DeviceMatrix<Mp>,
    ) -> Result<DeviceMatrix<Mp>, Error> {
        if self.by_rows(transposed, [a.format(), b.format()], b.shape().1) {
            return self.fetch(|| self.gemv_mp(a, b));
        }
        let wide = (a.format() < b.format()).then(|| self.rounded(a, b.format()));
        let wide = wide.transpose()?;
        let op = if transposed { Transpose::Yes } else { Transpose::No };
        let a = wide.as_ref().unwrap_or(a).as_ref();
        let (rows, _) = op.shape(a.shape());
        let mut product =
            self.fetch(|| DeviceMatrix::new_in(self.stream(), b.format(), rows, b.shape().1))?;
        let (cuda, no) = (self.for_products(), Transpose::No);
        cuda.gemm(op, no, Mp::ONE, a, b.as_ref(), Mp::ZERO, product.as_mut());
        Ok(product)
    }

    fn for_products(&self) -> Self {
        // Its bound by norms is the one that is promised.
        let products = Products { accuracy: Accuracy::Normwise, ..self.products() };
        self.clone().with_products(products)
    }

    fn by_rows(&self, transposed: bool, bits: [Bits; 2], columns: usize) -> bool {
        transposed && gemv::is_for(bits, columns)
    }

    fn difference(
        &self,
        a: &DeviceMatrix<Mp>,
        b: &DeviceMatrix<Mp>,
    ) -> Result<DeviceMatrix<Mp>, Error> {
        self.fetch(|| {
            let (rows, cols) = a.shape();
            let result = DeviceMatrix::new_in(self.stream(), a.format(), rows, cols)?;
            let (a, b) = (a.into(), b.into());
            let arguments = Difference { to: (&result).into(), a, b };
            self.matrix_kernel(SUBTRACT, blocks(rows * cols), &arguments)?;
            Ok(result)
        })
    }

    fn column_sums(&self, a: &DeviceMatrix<Mp>, weights: &[f64]) -> Result<Vec<Magnitude>, Error> {
        self.sums(a, weights, None)
    }

    fn column_defects(&self, a: &DeviceMatrix<Mp>, first: usize) -> Result<Vec<Magnitude>, Error> {
        self.sums(a, &[], Some(first))
    }

    fn column_exponents(&self, a: &DeviceMatrix<Mp>) -> Result<Vec<Option<i64>>, Error> {
        self.fetch(|| {
            let found = self.read::<i32>(&self.codes(a)?, a.shape().1)?;
            let exponent = |code: i32| (code >= Head::LEAST_EXPONENT).then_some(i64::from(code));
            Ok(found.into_iter().map(exponent).collect())
        })
    }

    fn scaled(&self, a: &DeviceMatrix<Mp>, exponents: &[i64]) -> Result<DeviceMatrix<f64>, Error> {
        self.fetch(|| {
            let (rows, cols) = a.shape();
            let result = DeviceMatrix::new(self.stream(), rows, cols)?;
            let exponents = self.numbers(exponents)?;
            let arguments = Conversion {
                numbers: a.into(),
                matrix: result.as_ref().layout,
                exponents: exponents.pointer(),
            };
            self.matrix_kernel(SCALE, blocks(rows * cols), &arguments)?;
            Ok(result)
        })
    }

    fn row_sums(&self, a: DeviceRef<'_, f64>, weights: &[f64]) -> Result<Vec<f64>, Error> {
        self.sums_of_rows(ROW_SUMS, a, (weights, 0))
    }

    fn row_defects(&self, a: DeviceRef<'_, f64>, first: usize) -> Result<Vec<f64>, Error> {
        self.sums_of_rows(ROW_DEFECTS, a, (&[], first))
    }

    fn times(
        &self,
        a: DeviceRef<'_, f64>,
        x: DeviceRef<'_, f64>,
    ) -> Result<DeviceMatrix<f64>, Error> {
        let mut y = self.fetch(|| {
            let (rows, cols) = (a.layout.shape().0, x.layout.shape().1);
            DeviceMatrix::new(self.stream(), rows, cols)
        })?;
        if x.layout.cols == 1 {
            self.gemv(Transpose::No, 1.0, a, x, 0.0, y.as_mut());
        } else {
            self.queue_gemm(Transpose::No, Transpose::No, 1.0, a, x, 0.0, y.as_mut());
        }
        Ok(y)
    }

    fn column_maxima(&self, a: DeviceRef<'_, f64>) -> Result<Vec<f64>, Error> {
        self.fetch(|| {
            let shape = a.layout.shape();
            let maxima = Buffer::new(self.stream(), 8 * shape.1)?;
            let arguments = Maxima { matrix: a.layout, maxima: maxima.pointer() };
            self.matrix_kernel(COLUMN_MAXIMA, columns(shape), &arguments)?;
            self.read(&maxima, shape.1)
        })
    }

    fn inverts(&self, _: usize) -> bool {
        self.solver().is_some()
    }

    fn inverted(&self, a: DeviceRef<'_, f64>) -> Result<DeviceMatrix<f64>, Error> {
        let Some(solver) = self.solver() else { return inverse_by_factors(self, a) };
        let mut factors = self.copy_of(a);
        let order = a.layout.shape().0;
        self.fetch(|| {
            let rows = match self.factored(&solver, &mut factors)? {
                Ok(rows) => rows,
                Err(column) => return Ok(Err(Error::Singular { column })),
            };
            let (product, mut inverse) = (self.unit_square(order)?, self.square(order)?);
            inverse.clear()?;
            let (from, to) = (product.as_ref().layout, inverse.as_ref().layout);
            // SAFETY: new square matrices of one order.
            unsafe { solver.invert(self, factors.as_ref().layout, from, to)? };
            self.move_columns(&product, &rows, &inverse)?;
            Ok(Ok(inverse))
        })?
    }

    fn inverse_triangles(
        &self,
        a: DeviceRef<'_, f64>,
    ) -> Result<Triangles<DeviceMatrix<f64>>, Error> {
        let order = a.layout.shape().0;
        let Some(solver) = self.solver() else {
            let lu = Lu::new(self.clone(), self.copy_of(a))?;
            let [lower, upper] = lu.inverse_triangles_on()?;
            let diagonal = Diagonalize::diagonal(self, upper.as_ref())?;
            return Ok(Triangles { lower, upper, diagonal, odd: lu.is_odd() });
        };
        let mut factors = self.copy_of(a);
        let (lower, upper, rows) = self.fetch(|| {
            let rows = match self.factored(&solver, &mut factors)? {
                Ok(rows) => rows,
                Err(column) => return Ok(Err(Error::Singular { column })),
            };
            let factors = factors.as_ref().layout;
            let inverted = |of_lower: bool| {
                let (identity, mut x) = (self.unit_square(order)?, self.square(order)?);
                x.clear()?;
                let (from, to) = (identity.as_ref().layout, x.as_ref().layout);
                // SAFETY: new square matrices of one order.
                unsafe {
                    match of_lower {
                        true => solver.invert_lower(self, factors, from, to)?,
                        false => solver.invert_upper(self, factors, from, to)?,
                    }
                }
                Ok::<_, DeviceError>((x, identity))
            };
            let (upper, _) = inverted(false)?;
            let (lower, moved) = inverted(true)?;
            self.move_columns(&lower, &rows, &moved)?;
            Ok(Ok((moved, upper, rows)))
        })??;
        let diagonal = Diagonalize::diagonal(self, upper.as_ref())?;
        Ok(Triangles { lower, upper, diagonal, odd: is_odd(&rows) })
    }

    fn correct(
        &self,
        y: &mut DeviceMatrix<Mp>,
        correction: Correction<'_, Self>,
        bounds: &Bounds<'_>,
    ) -> Result<Vec<Judged>, Error> {
        self.fetch(|| self.corrected(y, correction, bounds))
    }
}
