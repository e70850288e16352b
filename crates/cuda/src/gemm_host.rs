//! Products of matrices of the host: operands go to the device and the product comes back while the
//! device computes.
//!
//! One operand goes first and as a whole, then the other by panels. As soon as a panel is there,
//! the device computes the panel of `C` that it gives, which comes back while later ones go. On the
//! device matrices lie as on the host, so that the bus alone moves them. Each entry has the bits
//! that the product on the device gives it: sums of the direct engine do not depend on panels, and
//! products by residues are computed with the fewest bits, which has to do for the whole product.
//! Where these do not, the product is computed once more as a whole.

use nonius_gpu::Error;
use nonius_linalg::dense::gemm::Report;
use nonius_linalg::dense::gemm::crt::Target;
use nonius_linalg::dense::{Side, Transpose};
use nonius_linalg::{Error as LinalgError, MatMut, MatRef, Number};
use nonius_num::Element;

use crate::backend::Cuda;
use crate::crt::{Integers, Kept, Outcome, Verdict};
use crate::host::{Part, Place, parts};
use crate::matrix::{DeviceMatrix, Layout};
use crate::multiplication::Multiplication;
use crate::operand::{ALWAYS, Operand};
use crate::traffic::{Down, Stage, Up, Way, carry};
use crate::transfer::{self, Transfer};

/// Bytes of the matrices below which panels gain nothing.
const LEAST_PANELLED_BYTES: usize = 16 << 20;
/// Panels: work on the first and the way of the last are beside nothing else. More would be too
/// narrow for the device.
const PANELS: usize = 8;
/// Lines of a panel: a multiple of those that the device computes at a time.
const UNIT: usize = 256;

/// `op(A)` or `op(B)`, on the host.
#[derive(Clone, Copy)]
struct Factor<'a, T: Element> {
    transpose: Transpose,
    matrix: MatRef<'a, T>,
}

/// A product whose shapes fit.
#[derive(Clone, Copy)]
struct Product<'a, T: Element> {
    factors: [Factor<'a, T>; 2],
    alpha: T,
    beta: T,
    /// `C`'s rows and columns, and terms.
    sizes: [usize; 3],
}

impl Cuda {
    /// `C ← α·op(A)·op(B) + β·C` of matrices in the host's memory, with the bits of
    /// [`gemm`](nonius_linalg::backend::Gemm::gemm) on the device. With `β = 0`, `C` is not read.
    ///
    /// # Errors
    /// [`Shape`](LinalgError::Shape) where the shapes do not fit;
    /// [`Precision`](LinalgError::Precision) where precisions differ;
    /// [`NoArithmetic`](LinalgError::NoArithmetic) and [`NotDirect`](LinalgError::NotDirect) where
    /// there are no such products; [`Device`](LinalgError::Device) where the device fails, and `C`
    /// may have anything in it then.
    #[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
    pub fn gemm_host<T: Number>(
        &self,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: MatRef<'_, T>,
        b: MatRef<'_, T>,
        beta: T,
        c: MatMut<'_, T>,
    ) -> Result<Report, LinalgError> {
        LinalgError::check_product(transpose_a, a.shape(), transpose_b, b.shape(), c.shape())?;
        T::check_products(self.products())?;
        LinalgError::check_format::<T>("a", c.format(), a.format())?;
        LinalgError::check_format::<T>("b", c.format(), b.format())?;
        let ((m, n), (_, k)) = (c.shape(), transpose_a.shape(a.shape()));
        // Without rows there may be any number of columns, which take no memory but would take
        // time.
        if m == 0 || n == 0 {
            return Ok(Report::direct());
        }
        let factor = |transpose, matrix| Factor { transpose, matrix };
        let factors = [factor(transpose_a, a), factor(transpose_b, b)];
        let product = Product { factors, alpha, beta, sizes: [m, n, k] };
        self.fetch(|| self.multiply_host(&product, c))
    }

    fn multiply_host<T: Number>(
        &self,
        product: &Product<'_, T>,
        mut c: MatMut<'_, T>,
    ) -> Result<Report, Error> {
        if product.is_worth_panels()
            && self.transfer() == Transfer::Asynchronous
            && !Self::is_aside()
        {
            match self.multiply_by_panels(product, c.reborrow()) {
                // Whole, it takes less memory.
                Ok(None) | Err(Error::OutOfMemory { .. }) => {}
                Ok(Some(report)) => return Ok(report),
                Err(error) => return Err(error),
            }
        }
        let (device, stream, mode) = (self.device(), self.stream(), self.transfer());
        let upload = |from: MatRef<'_, T>| {
            let mut to = DeviceMatrix::new_in(stream, from.format(), from.rows(), from.cols())?;
            transfer::upload(device, stream, mode, from, to.as_mut())?;
            Ok::<_, Error>(to)
        };
        let on_device = [upload(product.factors[0].matrix)?, upload(product.factors[1].matrix)?];
        let mut result = if product.beta == T::ZERO {
            DeviceMatrix::new_in(stream, c.format(), c.rows(), c.cols())?
        } else {
            upload(c.as_ref())?
        };
        let [a, b] = [0, 1].map(|side| {
            Operand::new(product.factors[side].transpose, on_device[side].as_ref().layout)
        });
        let multiplication = product.on_device([a, b], result.as_mut().layout);
        let report = self.multiply(multiplication, [None; 2], true)?;
        transfer::download_to(device, stream, mode, result.as_ref(), c)?;
        Ok(report)
    }

    /// `None` where the product has to be computed as a whole; where β is not zero, `C` is as it
    /// was then.
    fn multiply_by_panels<T: Number>(
        &self,
        product: &Product<'_, T>,
        mut c: MatMut<'_, T>,
    ) -> Result<Option<Report>, Error> {
        let (device, stream) = (self.device(), self.stream());
        let &Product { factors, beta, sizes, .. } = product;
        let [m, n, _] = sizes;
        let format = product.format();
        let like_host = |(rows, cols)| DeviceMatrix::<T>::like_host(stream, format, rows, cols);
        let on_device =
            [like_host(factors[0].matrix.shape())?, like_host(factors[1].matrix.shape())?];
        let result = like_host((m, n))?;
        let operands = [0, 1]
            .map(|side| Operand::new(factors[side].transpose, on_device[side].as_ref().layout));
        let to = result.as_ref().layout;

        let Panels { side, width } = product.panels();
        let whole = Up { from: factors[1 - side].matrix, to: operands[1 - side].layout };
        let mut stages = vec![Stage { up: vec![whole], down: Vec::new() }];
        let mut places = Vec::new();
        // What is added to cannot be had again: it stays until the verdict.
        let (added, written) =
            if beta == T::ZERO { (None, Some(c.reborrow())) } else { (Some(c.as_ref()), None) };
        let panel = if side == 0 { (width, n) } else { (m, width) };
        for part in parts((m, n), panel) {
            let lines = factors[side].lines(side, part);
            let from = factors[side].matrix.block(lines.row, lines.col, lines.rows, lines.cols);
            let mut up = vec![Up { from, to: operands[side].layout.part(lines) }];
            if let Some(added) = added {
                let Part { row, col, rows, cols } = part;
                up.push(Up { from: added.block(row, col, rows, cols), to: to.part(part) });
            }
            places.push((lines, part));
            stages.push(Stage { up, down: Vec::new() });
        }
        if let Some(written) = written {
            let down = Place::new(written).cut(panel);
            for (stage, (part, place)) in stages[1..].iter_mut().zip(down) {
                stage.down.push(Down { from: to.part(part), to: place });
            }
        }

        let all = product.on_device(operands, to);
        let target = self.target(&all, m + n, true);
        let mut engine = PanelEngine { target, side, kept: None, verdict: None, refuses: false };
        let last = places.len();
        carry(device, stream, Way::Straight, stages, |stage| {
            let Some(panel) = stage.checked_sub(1) else { return engine.begin(self, all) };
            let (lines, part) = places[panel];
            let mut operands = operands;
            operands[side].layout = operands[side].layout.part(lines);
            if stage == last {
                engine.judge(self, all)?;
            }
            engine.multiply(self, product.on_device(operands, to.part(part)))
        })?;
        let Some(report) = engine.report(self)? else { return Ok(None) };
        if beta != T::ZERO {
            let down = vec![Down { from: to, to: Place::new(c) }];
            let stages = vec![Stage::<T> { up: Vec::new(), down }];
            carry(device, stream, Way::Straight, stages, |_| Ok(()))?;
        }
        Ok(Some(report))
    }
}

/// The panels of `C`: `width` rows each where `side` is 0, else `width` columns each.
#[derive(Clone, Copy)]
struct Panels {
    side: usize,
    width: usize,
}

impl<T: Number> Product<'_, T> {
    fn format(&self) -> T::Format {
        self.factors[0].matrix.format()
    }

    fn on_device(&self, [a, b]: [Operand; 2], c: Layout) -> Multiplication<T> {
        let (alpha, beta) = (self.alpha, self.beta);
        Multiplication { format: self.format(), part: None, alpha, a, b, beta, c }
    }

    /// Panels go straight to where they are multiplied, which only limbs can.
    fn is_worth_panels(&self) -> bool {
        let [m, n, k] = self.sizes;
        let numbers = m.saturating_mul(k).saturating_add(k.saturating_mul(n));
        let bytes = numbers.saturating_add(m.saturating_mul(n)).saturating_mul(size_of::<T>());
        T::words(self.format()) == 0
            && bytes > LEAST_PANELLED_BYTES
            && k > 0
            && self.alpha != T::ZERO
    }

    /// The smaller operand goes as a whole.
    fn panels(&self) -> Panels {
        let [m, n, _] = self.sizes;
        let side = usize::from(n >= m);
        Panels { side, width: m.max(n).div_ceil(PANELS).next_multiple_of(UNIT) }
    }
}

impl<T: Number> Factor<'_, T> {
    /// The part of the matrix that gives a panel of `C`, for the left factor or the right one.
    fn lines(&self, side: usize, panel: Part) -> Part {
        let (rows, cols) = self.matrix.shape();
        let (first, count) =
            if side == 0 { (panel.row, panel.rows) } else { (panel.col, panel.cols) };
        if (side == 0) == (self.transpose == Transpose::No) {
            Part { row: first, col: 0, rows: count, cols }
        } else {
            Part { row: 0, col: first, rows, cols: count }
        }
    }
}

/// What computes panels: the direct engine, or residues with the fewest bits.
struct PanelEngine {
    /// `None` for the direct engine.
    target: Option<Target>,
    /// The operand that comes in panels.
    side: usize,
    /// The other one.
    kept: Option<Kept>,
    verdict: Option<Verdict>,
    /// Whether something else has to compute the product.
    refuses: bool,
}

impl PanelEngine {
    fn kept(&self) -> [Option<&Kept>; 2] {
        let mut kept = [None; 2];
        kept[1 - self.side] = self.kept.as_ref();
        kept
    }

    /// The operand that goes first is there.
    fn begin<T: Number>(&mut self, cuda: &Cuda, product: Multiplication<T>) -> Result<(), Error> {
        if let Some(target) = self.target {
            let side = [Side::Left, Side::Right][1 - self.side];
            self.kept = cuda.kept_operand(side, &product, target.least_bits)?;
            self.refuses = self.kept.is_none();
        }
        Ok(())
    }

    /// Both operands are there.
    fn judge<T: Number>(&mut self, cuda: &Cuda, product: Multiplication<T>) -> Result<(), Error> {
        if let (Some(target), false) = (self.target, self.refuses) {
            self.verdict = Some(cuda.judge_product(product, self.kept(), target)?);
        }
        Ok(())
    }

    fn multiply<T: Number>(&mut self, cuda: &Cuda, panel: Multiplication<T>) -> Result<(), Error> {
        let Some(target) = self.target else {
            return cuda.multiply_directly(cuda.products().arithmetic, panel, ALWAYS);
        };
        if !self.refuses {
            let outcome = cuda.multiply_with_residues(
                panel,
                self.kept(),
                Integers::Least { target, waits: false },
            )?;
            self.refuses = matches!(outcome, Outcome::Refused(_));
        }
        Ok(())
    }

    /// `None` where something else has to compute the product; waits.
    fn report(self, cuda: &Cuda) -> Result<Option<Report>, Error> {
        if self.target.is_none() {
            return Ok(Some(Report::direct()));
        }
        match (self.verdict, self.kept) {
            (Some(verdict), Some(kept)) if !self.refuses && !verdict.refuses(cuda)? => {
                Ok(Some(kept.report()))
            }
            _ => Ok(None),
        }
    }
}
