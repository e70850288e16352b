//! Products of matrices: the choice of the engine, and the direct one, in which every multiply-add
//! is carried out in the element's own arithmetic. Sums and bits are those of the host's kernel;
//! each [`Arithmetic`] is a module of its own.

use nonius_gpu::{Arguments, Entry, Error, Kernel, Pointer, Shape, Source, kernel_arguments};
use nonius_linalg::Number;
use nonius_linalg::backend::{Gemm, Syrk};
use nonius_linalg::dense::gemm::crt::Target;
use nonius_linalg::dense::gemm::{Arithmetic, Report};
use nonius_linalg::dense::{Side, Transpose, Triangle};

use crate::backend::Cuda;
use crate::crt::{self, Integers, Kept, LimbRows, MpRows, MpTask, Outcome, Task, Verdict};
use crate::factor::Factor;
use crate::kind::Kind;
use crate::matrix::{DeviceMatrix, DeviceMut, DeviceRef, Layout};
use crate::multiplication::{Multiplication, multiplication, update};
use crate::operand::{ALWAYS, part_number};
use crate::texts;

#[cfg(all(test, target_os = "linux"))]
mod here;
pub(crate) mod packed;
mod tile;

use tile::{MOST_LAUNCH_LINES, Product, tile_of};

kernel_arguments! {
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

kernel_arguments! {
    /// `C ← α·P + β·C` for a product that residues have.
    struct Update {
        product: Layout,
        c: Layout,
        alpha: Factor,
        beta: Factor,
        /// Which triangle.
        part: i64,
        /// Where it does not say zero, `C` stays as it is. May be null.
        refused: Pointer<u64>,
    }
}

const GEMM: Entry<Product> = Entry::new(c"gemm");
const GEMM_FEW: Entry<Product> = Entry::new(c"gemm_few");
const GEMM_SOME: Entry<Product> = Entry::new(c"gemm_some");
const SCALE: Entry<Scaling> = Entry::new(c"scale_matrix");
const UPDATE: Entry<Update> = Entry::new(c"update");

/// The module of sums in an arithmetic; numbers of any precision have one.
pub(crate) fn source(arithmetic: Arithmetic, kind: Kind) -> Source {
    match kind {
        Kind::Limbs(limbs) => limb_source(arithmetic, limbs),
        Kind::Mp(_) => kind
            .module("gemm-direct", "mp/gemm.cu")
            .define_all(&[("GEMM_THREADS", MP_THREADS)])
            .entry(GEMM)
            .entry(GEMM_FEW)
            .entry(GEMM_SOME)
            .entry(SCALE)
            .entry(UPDATE),
    }
}

fn limb_source(arithmetic: Arithmetic, limbs: usize) -> Source {
    // A sum of `accumulate.cuh` or `normalized.cuh`.
    let (name, sum) = match arithmetic {
        Arithmetic::Delayed => ("gemm-direct", "Accumulator"),
        Arithmetic::Ieee => ("gemm-direct-ieee", "Ieee"),
        Arithmetic::IeeeSloppy => ("gemm-direct-ieee-sloppy", "IeeeSloppy"),
        Arithmetic::Cray => ("gemm-direct-cray", "Cray"),
        Arithmetic::Sloppy => ("gemm-direct-sloppy", "Sloppy"),
    };
    let source = texts::of_limbs(name, limbs, "dense/gemm_direct.cu");
    let source = tile_of(limbs).define(source).define("SUM", sum).entry(GEMM).entry(SCALE);
    // Those of compute capability 9 sum as fused multiply-adds do.
    match (arithmetic, limbs) {
        (Arithmetic::Delayed, 1) => source.define("TENSOR_CORES", "1"),
        _ => source,
    }
}

/// Every module of this capability.
pub(crate) fn sources(kind: Kind) -> Vec<Source> {
    let exists = |arithmetic: &Arithmetic| match kind {
        Kind::Limbs(limbs) => arithmetic.exists(limbs),
        Kind::Mp(_) => *arithmetic == Arithmetic::Delayed,
    };
    let all = Arithmetic::ALL.into_iter().filter(exists);
    let packed = (kind == Kind::Limbs(1)).then(packed::source);
    all.map(|arithmetic| source(arithmetic, kind)).chain(packed).collect()
}

/// Bits that integers have more than numbers of any precision where nobody waits to learn whether
/// they are enough.
const SPARE_BITS: u32 = 32;
/// Threads of a block of the kernels for numbers of any precision.
const MP_THREADS: usize = 128;
/// A block sums the terms of each entry of `C` where there are fewer entries than `FEW_ENTRIES` and
/// at least `MANY_TERMS` terms. Eight threads sum them where there are fewer entries than
/// `SOME_ENTRIES`.
const FEW_ENTRIES: usize = 1 << 12;
const MANY_TERMS: usize = 256;
const SOME_ENTRIES: usize = 1 << 16;

impl Cuda {
    fn gemm_kernel<A: Arguments>(
        &self,
        arithmetic: Arithmetic,
        kind: Kind,
        entry: Entry<A>,
    ) -> Result<Kernel<A>, Error> {
        self.device().module(&source(arithmetic, kind))?.kernel(entry)
    }

    /// What residues are asked to keep to for a product that has `lines` lines to convert; `None`
    /// where they are not to compute it.
    pub(crate) fn target<T: Number>(
        &self,
        product: &Multiplication<T>,
        lines: usize,
        waits: bool,
    ) -> Option<Target> {
        let (format, sizes, triangle) = (product.format, product.sizes(), product.part.is_some());
        if product.alpha == T::ZERO {
            return None;
        }
        self.target_of::<T>(format, sizes, triangle, lines, waits)
    }

    /// The same for a product of so many rows, columns and terms, or one triangle of it.
    pub(crate) fn target_of<T: Number>(
        &self,
        format: T::Format,
        sizes: [usize; 3],
        triangle: bool,
        lines: usize,
        waits: bool,
    ) -> Option<Target> {
        if sizes.contains(&0) {
            return None;
        }
        let kind = Kind::of::<T>(format);
        let advantage = || crt::advantage(kind, triangle, sizes, lines);
        let most = self.products().most_bits::<T>(format, advantage)?;
        let mut target = Target::of::<T>(format, sizes[2], most);
        if let (Kind::Mp(_), false) = (kind, waits) {
            // The other way is far slower than some more bits, of which factors nearly always have
            // enough.
            target.least_bits = (target.least_bits + SPARE_BITS).min(target.most_bits);
        }
        Some(target)
    }

    /// Whether the host waits to learn how a product is computed that is to be queued. Whoever
    /// names the engine gets it where more bits do; and so does a product that takes the direct
    /// engine long.
    pub(crate) fn waits(&self, kind: Kind, sizes: [usize; 3], triangle: bool) -> bool {
        self.products().engine.is_some() || crt::is_long(kind, triangle, sizes)
    }

    /// The product; of `op(A)` and `op(B)` there are residues maybe. The report says how where the
    /// host may wait to know.
    pub(crate) fn multiply<T: Number>(
        &self,
        product: Multiplication<T>,
        kept: [Option<&Kept>; 2],
        waits: bool,
    ) -> Result<Report, Error> {
        let [m, n, _] = product.sizes();
        let products = self.products();
        assert_eq!(T::check_products(products), Ok(()), "arithmetic of the product");
        let mut fallback = None;
        let asked = |kept: Option<&Kept>, lines: usize| if kept.is_some() { 0 } else { lines };
        let lines = asked(kept[0], m) + asked(kept[1], n);
        let waits = waits || self.waits(product.kind(), product.sizes(), product.part.is_some());
        if let Some(target) = self.target(&product, lines, waits) {
            match self.multiply_with_residues(product, kept, Integers::Least { target, waits })? {
                Outcome::Done(report) => return Ok(report),
                Outcome::Refused(reason) => fallback = Some(reason),
                Outcome::Unless(verdict) => {
                    let only_if = verdict.address();
                    self.multiply_directly(products.arithmetic, product, only_if)?;
                    return Ok(Report::direct());
                }
            }
        }
        self.multiply_directly(products.arithmetic, product, ALWAYS)?;
        Ok(Report { fallback, ..Report::direct() })
    }

    /// The residues of one operand, as integers of `bits` bits; `None` where it has none.
    pub(crate) fn kept_operand<T: Number>(
        &self,
        side: Side,
        product: &Multiplication<T>,
        bits: u32,
    ) -> Result<Option<Kept>, Error> {
        let operand = match side {
            Side::Left => product.a.op(),
            Side::Right => product.b.op().op(Transpose::Yes),
        };
        self.kept(side, product.kind(), operand, bits)
    }

    /// The residues of the lines of a left or a right operand.
    pub(crate) fn kept(
        &self,
        side: Side,
        kind: Kind,
        layout: Layout,
        bits: u32,
    ) -> Result<Option<Kept>, Error> {
        let side = usize::from(side == Side::Right);
        match kind {
            Kind::Limbs(limbs) => Kept::new(self, side, LimbRows { limbs, layout }, bits),
            Kind::Mp(precision) => Kept::new(self, side, MpRows { bits: precision, layout }, bits),
        }
    }

    /// Queues the verdict whether the fewest bits do for a product.
    pub(crate) fn judge_product<T: Number>(
        &self,
        product: Multiplication<T>,
        kept: [Option<&Kept>; 2],
        target: Target,
    ) -> Result<Verdict, Error> {
        let [a, b] = [product.a.op(), product.b.op().op(Transpose::Yes)];
        match product.kind() {
            Kind::Limbs(limbs) => {
                self.judge([a, b].map(|layout| LimbRows { limbs, layout }), kept, target)
            }
            Kind::Mp(bits) => {
                self.judge([a, b].map(|layout| MpRows { bits, layout }), kept, target)
            }
        }
    }

    /// The product by residues, where they do not refuse it.
    pub(crate) fn multiply_with_residues<T: Number>(
        &self,
        product: Multiplication<T>,
        kept: [Option<&Kept>; 2],
        integers: Integers,
    ) -> Result<Outcome, Error> {
        let Multiplication { format, part, a, b, c, .. } = product;
        let (alpha, beta) =
            (self.factor(product.alpha, format)?, self.factor(product.beta, format)?);
        let plain = product.alpha == T::ONE && product.beta == T::ZERO;
        let bits = match product.kind() {
            Kind::Limbs(limbs) => {
                let factors = [alpha.number, beta.number];
                let task = Task { limbs, a: a.op(), b: b.op(), c, factors, plain, part };
                return self.multiply_by_residues(task, kept, integers);
            }
            Kind::Mp(bits) => bits,
        };
        let (m, n) = c.shape();
        let room = if plain { (0, 0) } else { (m, n) };
        let room = DeviceMatrix::<T>::new_in(self.stream(), format, room.0, room.1)?;
        let to = if plain { c } else { room.as_ref().layout };
        let task = MpTask { bits, a: a.op(), b: b.op(), sums: bits, c: to, part };
        let outcome = self.multiply_by_residues(task, kept, integers)?;
        if plain || matches!(outcome, Outcome::Refused(_)) || c.is_empty() {
            return Ok(outcome);
        }
        let refused = match (&outcome, integers) {
            (Outcome::Unless(verdict), _) => verdict.address(),
            (_, Integers::Unless(_, refused)) => refused,
            _ => ALWAYS,
        };
        let update = Update {
            product: to,
            c,
            alpha: alpha.number,
            beta: beta.number,
            part: part_number(part).into(),
            refused: Pointer::at(refused),
        };
        let kernel = self.gemm_kernel(Arithmetic::Delayed, product.kind(), UPDATE)?;
        // SAFETY: the product has the shape of `C`, which is borrowed mutably; the memory of both
        // is freed in the order of the stream, as is that of factors and verdict.
        unsafe { kernel.launch(self.stream(), mp_shape(m * n), &update)? };
        Ok(outcome)
    }

    /// [`multiply`](Self::multiply) by the direct engine. Where the number at `only_if` is zero,
    /// nothing is done.
    pub(crate) fn multiply_directly<T: Number>(
        &self,
        arithmetic: Arithmetic,
        product: Multiplication<T>,
        only_if: u64,
    ) -> Result<(), Error> {
        let Multiplication { format, part, alpha, a, b, beta, c } = product;
        let [m, n, k] = product.sizes();
        if m == 0 || n == 0 {
            return Ok(());
        }
        if m > MOST_LAUNCH_LINES || n > MOST_LAUNCH_LINES {
            return Err(Error::TooManyRows { rows: m.max(n), most: MOST_LAUNCH_LINES });
        }
        if k == 0 || alpha == T::ZERO {
            return self.scale(part, beta, c, format);
        }
        let (alpha, beta) = (self.factor(alpha, format)?, self.factor(beta, format)?);
        let mut arguments = Product {
            k: k as i64,
            m: m as i32,
            n: n as i32,
            whole: 0,
            part: part_number(part),
            rows_contiguous_a: (a.transpose == Transpose::No).into(),
            columns_contiguous_b: (b.transpose == Transpose::Yes).into(),
            a: a.op(),
            b: b.op(),
            c,
            alpha: alpha.number,
            beta: beta.number,
            only_if: Pointer::at(only_if),
        };
        let kind = product.kind();
        if self.multiply_packed(arithmetic, kind, &arguments)? {
            return Ok(());
        }
        let (entry, shape) = match kind {
            Kind::Limbs(limbs) => {
                let shape;
                (arguments, shape) = self.in_tiles(&tile_of(limbs), limbs, arguments)?;
                (GEMM, shape)
            }
            Kind::Mp(_) if m * n < FEW_ENTRIES && k >= MANY_TERMS => {
                (GEMM_FEW, mp_shape(MP_THREADS * m * n))
            }
            Kind::Mp(_) if m * n < SOME_ENTRIES => (GEMM_SOME, mp_shape(8 * m * n)),
            Kind::Mp(_) => (GEMM, mp_shape(m * n)),
        };
        let kernel = self.gemm_kernel(arithmetic, kind, entry)?;
        kernel.allow_shared(shape.shared)?;
        // SAFETY: operands and result lie in matrices whose memory is freed in the order of the
        // stream; the result is borrowed mutably and no operand overlaps it.
        unsafe { kernel.launch(self.stream(), shape, &arguments) }
    }

    /// `C ← β·C`, or one triangle of it.
    pub(crate) fn scale<T: Number>(
        &self,
        part: Option<Triangle>,
        beta: T,
        c: Layout,
        format: T::Format,
    ) -> Result<(), Error> {
        let (m, n) = c.shape();
        if m == 0 || n == 0 || beta == T::ONE {
            return Ok(());
        }
        let kind = Kind::of::<T>(format);
        let (part, factor) = (part_number(part).into(), self.factor(beta, format)?);
        let scaling = Scaling { m: c.rows, n: c.cols, part, factor: factor.number, c };
        let kernel = self.gemm_kernel(Arithmetic::Delayed, kind, SCALE)?;
        let shape = match kind {
            Kind::Limbs(_) => {
                let grid = [m.div_ceil(256).min(1 << 16) as u32, n.min(1 << 15) as u32, 1];
                Shape { grid, block: [256, 1, 1], shared: 0 }
            }
            Kind::Mp(_) => mp_shape(m * n),
        };
        // SAFETY: as above.
        unsafe { kernel.launch(self.stream(), shape, &scaling) }
    }
}

/// The shape of `count` threads.
fn mp_shape(count: usize) -> Shape {
    let blocks = count.div_ceil(MP_THREADS).min(i32::MAX as usize) as u32;
    Shape { grid: [blocks, 1, 1], block: [MP_THREADS as u32, 1, 1], shared: 0 }
}

impl<T: Number> Gemm<T> for Cuda {
    fn check_products(&self) -> Result<(), nonius_linalg::Error> {
        T::check_products(self.products())
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
        let product = multiplication((transpose_a, a), (transpose_b, b), alpha, beta, c);
        let report = self.attempt(|| self.multiply(product, [None; 2], true));
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
        let product = multiplication((transpose_a, a), (transpose_b, b), alpha, beta, c);
        self.attempt(|| self.multiply(product, [None; 2], false));
    }
}

impl<T: Number> Syrk<T> for Cuda {
    fn syrk(
        &self,
        triangle: Triangle,
        transpose: Transpose,
        alpha: T,
        a: DeviceRef<'_, T>,
        beta: T,
        c: DeviceMut<'_, T>,
    ) {
        let product = update(triangle, (transpose, a), alpha, beta, c);
        self.attempt(|| self.multiply(product, [None; 2], false));
    }
}
