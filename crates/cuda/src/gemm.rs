//! Products of matrices: the choice of the engine, and the direct one, in which every multiply-add is carried out in the element's
//! own arithmetic. Sums and bits are those of the host's kernel; each [`Arithmetic`] is a module of its own.

use nonius_gpu::{Arguments, Entry, Error, Kernel, Pointer, Shape, Source, kernel_arguments};
use nonius_linalg::Scalar;
use nonius_linalg::backend::{Gemm, Syrk};
use nonius_linalg::dense::gemm::crt::Target;
use nonius_linalg::dense::gemm::{Arithmetic, Report};
use nonius_linalg::dense::{Transpose, Triangle};

use crate::backend::Cuda;
use crate::crt::{self, Kept, Outcome};
use crate::matrix::{DeviceMut, DeviceRef, Factor, Layout};
use crate::operand::{ALWAYS, Operand, part_number};
use crate::texts;

/// How a kernel cuts `C`: see `gemm_direct.cu`. By measurement on an H200.
struct Tile {
    height: usize,
    width: usize,
    depth: usize,
    stages: usize,
    blocks: usize,
}

const fn tile(limbs: usize) -> Tile {
    match limbs {
        1 => Tile { height: 8, width: 8, depth: 16, stages: 2, blocks: 1 },
        2 => Tile { height: 4, width: 4, depth: 16, stages: 2, blocks: 2 },
        3 => Tile { height: 4, width: 4, depth: 8, stages: 3, blocks: 1 },
        _ => Tile { height: 2, width: 2, depth: 8, stages: 2, blocks: 2 },
    }
}

/// Threads down a tile, and as many across.
const SIDE: usize = 16;

/// Of the tiles that are left when no multiprocessor is without work, the share below which they are cut into quarters,
/// so that all multiprocessors take part in them.
const CUT_BELOW: (usize, usize) = (7, 10);

impl Tile {
    fn rows(&self) -> usize {
        SIDE * self.height
    }

    fn columns(&self) -> usize {
        SIDE * self.width
    }

    /// Bytes of shared memory.
    fn shared(&self, limbs: usize) -> usize {
        // Rows of shared memory are padded by two.
        limbs * self.depth * self.stages * (self.rows() + self.columns() + 4) * size_of::<f64>()
    }

    /// How many tiles stay whole, and the number of blocks of threads.
    fn partition(&self, m: usize, n: usize, multiprocessors: usize) -> (usize, usize) {
        let inside = (m / self.rows()) * (n / self.columns());
        let tiles = m.div_ceil(self.rows()) * n.div_ceil(self.columns());
        let round = multiprocessors * self.blocks;
        let left = inside % round;
        let cut = left * CUT_BELOW.1 <= round * CUT_BELOW.0;
        let whole = if cut { inside - left } else { inside };
        (whole, whole + 4 * (tiles - whole))
    }
}

kernel_arguments! {
    /// `C ← α·A·B + β·C`
    struct Product {
        k: i64,
        m: i32,
        n: i32,
        /// Whole tiles; the blocks after them compute quarters of the tiles that are left.
        whole: i32,
        /// Which triangle of `C` is computed.
        part: i32,
        /// Whether `A`'s rows and `B`'s columns, rather than `k`, are what lies contiguous.
        rows_contiguous_a: i32,
        columns_contiguous_b: i32,
        a: Layout,
        b: Layout,
        c: Layout,
        alpha: Factor,
        beta: Factor,
        /// Where it says no, `C` stays as it is. May be null.
        only_if: Pointer<u64>,
    }

    /// `C ← β·C`
    struct Scaling {
        m: i64,
        n: i64,
        /// Which triangle.
        part: i64,
        factor: Factor,
        c: Layout,
    }
}

const GEMM: Entry<Product> = Entry::new(c"gemm");
const SCALE: Entry<Scaling> = Entry::new(c"scale_matrix");

/// The module of sums in an arithmetic.
pub(crate) fn source(arithmetic: Arithmetic, limbs: usize) -> Source {
    let tile = tile(limbs);
    // A sum of `accumulate.cuh` or `normalized.cuh`.
    let (name, sum) = match arithmetic {
        Arithmetic::Delayed => ("gemm-direct", "Accumulator"),
        Arithmetic::Ieee => ("gemm-direct-ieee", "Ieee"),
        Arithmetic::IeeeSloppy => ("gemm-direct-ieee-sloppy", "IeeeSloppy"),
        Arithmetic::Cray => ("gemm-direct-cray", "Cray"),
        Arithmetic::Sloppy => ("gemm-direct-sloppy", "Sloppy"),
    };
    let numbers = [
        ("TILE_SIDE", SIDE),
        ("TILE_HEIGHT", tile.height),
        ("TILE_WIDTH", tile.width),
        ("TILE_DEPTH", tile.depth),
        ("TILE_STAGES", tile.stages),
        ("TILE_BLOCKS", tile.blocks),
    ];
    texts::of_limbs(name, limbs, "dense/gemm_direct.cu")
        .define_all(&numbers)
        .define("SUM", sum)
        .entry(GEMM)
        .entry(SCALE)
}

/// Every module of this capability.
pub(crate) fn sources(limbs: usize) -> Vec<Source> {
    let all = Arithmetic::ALL.into_iter().filter(|arithmetic| arithmetic.exists(limbs));
    all.map(|arithmetic| source(arithmetic, limbs)).collect()
}

/// Most rows or columns of `C` that one launch computes.
const MOST_LAUNCH_LINES: usize = 1 << 30;

impl Cuda {
    fn gemm_kernel<T: Scalar, A: Arguments>(
        &self,
        arithmetic: Arithmetic,
        entry: Entry<A>,
    ) -> Result<Kernel<A>, Error> {
        self.device().module(&source(arithmetic, T::LIMBS))?.kernel(entry)
    }

    /// What residues are asked to keep to, for a product that they are to compute: one that has so many lines to convert.
    pub(crate) fn target<T: Scalar>(
        &self,
        part: Option<Triangle>,
        alpha: T,
        [m, n, k]: [usize; 3],
        lines: usize,
    ) -> Option<Target> {
        if m == 0 || n == 0 || k == 0 || alpha == T::ZERO {
            return None;
        }
        let advantage = || crt::advantage::<T>(part.is_some(), [m, n, k], lines);
        let most = self.products().most_bits::<T>(advantage)?;
        Some(Target::of::<T>(k, most))
    }

    /// `C ← α·op(A)·op(B) + β·C`, or one triangle of it; of `op(A)` and `op(B)` there are residues maybe. The report says how where the host may wait to know.
    pub(crate) fn multiply<T: Scalar>(
        &self,
        part: Option<Triangle>,
        (alpha, a, b): (T, Operand, Operand),
        kept: [Option<&Kept>; 2],
        (beta, c): (T, Layout),
        waits: bool,
    ) -> Result<Report, Error> {
        let ((m, k), (inner, n)) = (a.shape(), b.shape());
        assert_eq!(k, inner, "inner dimensions");
        assert_eq!(c.shape(), (m, n), "shape of C");
        let products = self.products();
        assert_eq!(products.check::<T>(), Ok(()), "arithmetic of the product");
        let mut fallback = None;
        let asked = |kept: Option<&Kept>, lines: usize| if kept.is_some() { 0 } else { lines };
        let lines = asked(kept[0], m) + asked(kept[1], n);
        if let Some(target) = self.target(part, alpha, [m, n, k], lines) {
            let task = crt::Task { a: a.op(), b: b.op(), c, alpha, beta, part };
            // Whoever names the engine gets it where more bits do.
            let waits = waits || products.engine.is_some();
            match self.multiply_by_residues(task, kept, target, waits)? {
                Outcome::Done(report) => return Ok(report),
                Outcome::Refused(reason) => fallback = Some(reason),
                Outcome::Unless(verdict) => {
                    let only_if = verdict.address();
                    let sum = products.arithmetic;
                    self.multiply_directly(sum, part, (alpha, a, b), (beta, c), only_if)?;
                    return Ok(Report::direct());
                }
            }
        }
        self.multiply_directly(products.arithmetic, part, (alpha, a, b), (beta, c), ALWAYS)?;
        Ok(Report { fallback, ..Report::direct() })
    }

    /// [`multiply`](Self::multiply) by the direct engine, for shapes that fit. Where the number at `only_if` is zero, nothing is done.
    pub(crate) fn multiply_directly<T: Scalar>(
        &self,
        arithmetic: Arithmetic,
        part: Option<Triangle>,
        (alpha, a, b): (T, Operand, Operand),
        (beta, c): (T, Layout),
        only_if: u64,
    ) -> Result<(), Error> {
        let ((m, k), (_, n)) = (a.shape(), b.shape());
        if m == 0 || n == 0 {
            return Ok(());
        }
        if m > MOST_LAUNCH_LINES || n > MOST_LAUNCH_LINES {
            return Err(Error::TooManyRows { rows: m.max(n), most: MOST_LAUNCH_LINES });
        }
        if k == 0 || alpha == T::ZERO {
            return self.scale(part, beta, c);
        }
        let tile = tile(T::LIMBS);
        let multiprocessors = self.device().info().multiprocessors as usize;
        let (whole, blocks) = tile.partition(m, n, multiprocessors);
        // Sides fit by the check above; so do tiles, which a launch has no more than 2³¹ of.
        let whole = i32::try_from(whole)
            .map_err(|_| Error::TooManyRows { rows: m.max(n), most: MOST_LAUNCH_LINES })?;
        let product = Product {
            k: k as i64,
            m: m as i32,
            n: n as i32,
            whole,
            part: part_number(part),
            rows_contiguous_a: (a.transpose == Transpose::No).into(),
            columns_contiguous_b: (b.transpose == Transpose::Yes).into(),
            a: a.op(),
            b: b.op(),
            c,
            alpha: Factor::of(alpha),
            beta: Factor::of(beta),
            only_if: Pointer::at(only_if),
        };
        let kernel = self.gemm_kernel::<T, _>(arithmetic, GEMM)?;
        let shared = tile.shared(T::LIMBS) as u32;
        kernel.allow_shared(shared)?;
        let threads = (SIDE * SIDE) as u32;
        let shape = Shape { grid: [blocks as u32, 1, 1], block: [threads, 1, 1], shared };
        // SAFETY: operands and result lie in matrices whose memory is freed in the order of the stream; the result is
        // borrowed mutably and no operand overlaps it.
        unsafe { kernel.launch(self.stream(), shape, &product) }
    }

    /// `C ← β·C`, or one triangle of it.
    pub(crate) fn scale<T: Scalar>(
        &self,
        part: Option<Triangle>,
        beta: T,
        c: Layout,
    ) -> Result<(), Error> {
        let (m, n) = c.shape();
        if m == 0 || n == 0 || beta == T::ONE {
            return Ok(());
        }
        let (part, factor) = (part_number(part).into(), Factor::of(beta));
        let scaling = Scaling { m: c.rows, n: c.cols, part, factor, c };
        let kernel = self.gemm_kernel::<T, _>(Arithmetic::Delayed, SCALE)?;
        let grid = [m.div_ceil(256).min(1 << 16) as u32, n.min(1 << 15) as u32, 1];
        let shape = Shape { grid, block: [256, 1, 1], shared: 0 };
        // SAFETY: as above.
        unsafe { kernel.launch(self.stream(), shape, &scaling) }
    }
}

impl<T: Scalar> Gemm<T> for Cuda {
    fn check_products(&self) -> Result<(), nonius_linalg::Error> {
        self.products().check::<T>()
    }

    fn gemm(
        &self,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: DeviceRef<'_, T>,
        b: DeviceRef<'_, T>,
        beta: T,
        c: DeviceMut<'_, T>,
    ) -> Report {
        let (a, b) = (Operand::new(transpose_a, a.layout), Operand::new(transpose_b, b.layout));
        let report =
            self.attempt(|| self.multiply(None, (alpha, a, b), [None; 2], (beta, c.layout), true));
        report.unwrap_or(Report::direct())
    }

    fn queue_gemm(
        &self,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: DeviceRef<'_, T>,
        b: DeviceRef<'_, T>,
        beta: T,
        c: DeviceMut<'_, T>,
    ) {
        let (a, b) = (Operand::new(transpose_a, a.layout), Operand::new(transpose_b, b.layout));
        self.attempt(|| self.multiply(None, (alpha, a, b), [None; 2], (beta, c.layout), false));
    }
}

impl<T: Scalar> Syrk<T> for Cuda {
    fn syrk(
        &self,
        triangle: Triangle,
        transpose: Transpose,
        alpha: T,
        a: DeviceRef<'_, T>,
        beta: T,
        c: DeviceMut<'_, T>,
    ) {
        let (_, k) = transpose.shape(a.layout.shape());
        let (rows, cols) = transpose.shape((c.layout.shape().1, k));
        let left = Operand::new(transpose, a.layout);
        let right = Operand::new(transpose.flipped(), a.layout.block(0, 0, rows, cols));
        let triangle = Some(triangle);
        self.attempt(|| {
            self.multiply(triangle, (alpha, left, right), [None; 2], (beta, c.layout), false)
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_tile_is_whole_or_in_quarters() {
        let dd = tile(2);
        // Two tiles for each of 132 multiprocessors make a round.
        assert_eq!(dd.partition(64 * 16, 64 * 16, 132), (256, 256));
        assert_eq!(dd.partition(64 * 33, 64 * 32, 132), (1056, 1056));
        assert_eq!(dd.partition(64 * 33, 64 * 33, 132), (1056, 1056 + 4 * 33));
        assert_eq!(dd.partition(100, 1, 132), (0, 4 * 2));
        assert_eq!(dd.partition(65, 64, 1), (0, 8));
    }
}
