//! What the entries of `|op(A)||op(B)|` say of the error bound, where profiles say too little.

use nonius_gpu::{
    Arguments, Buffer, Const, Entry, Error, KernelType, Module, Plain, Pointer, Shape, Source,
    bytes_of_mut, kernel_arguments,
};
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::Arithmetic;

use super::matrices::Lines;
use crate::backend::Cuda;
use crate::kind::Kind;
use crate::matrix::{DeviceMatrix, Layout};
use crate::multiplication::Multiplication;
use crate::operand::{ALWAYS, Operand};

/// Lines that are told apart as to whether an entry is tiny: those that the host multiplies at a
/// time.
const LINES: usize = 512;
/// Most lines of either operand that are multiplied at a time, and the fewest.
const MOST_LINES: usize = 8192;
const LEAST_LINES: usize = 64;
/// Bytes for the entries of the lines that are multiplied at a time.
const MEMORY: usize = 1 << 30;
const THREADS: usize = 256;
/// Blocks that share out the places of lines, or the columns of sums.
const BLOCKS: usize = 1024;

kernel_arguments! {
    /// Entries that become their shares of the largest ones of lines.
    struct Shares<N> {
        from: N,
        lines: i64,
        k: i64,
        /// The `e` of each line.
        exponents: Pointer<Const<i32>>,
        /// The share at a place of a line is `to[line + place·pitch]`.
        to: Pointer<f64>,
        pitch: i64,
        /// The first line, of all.
        first: i64,
        /// Whether of [`LINES`] lines some share is tiny.
        tiny: Pointer<u32>,
    }

    /// Sums of products of shares.
    struct Least {
        /// Entry `(i, j)` is `sums[i + j·pitch]`.
        sums: Pointer<Const<f64>>,
        rows: i64,
        cols: i64,
        pitch: i64,
        /// The first row and column, of all; how many times [`LINES`] columns there are.
        row: i64,
        column: i64,
        across: i64,
        /// The bits of the least sum that is not zero.
        least: Pointer<u64>,
        /// Whether of [`LINES`] rows and columns some sum is zero.
        zero: Pointer<u32>,
    }
}

impl<N: KernelType + Plain> Shares<N> {
    const ENTRY: Entry<Self> = Entry::new(c"shares");
}

const LEAST: Entry<Least> = Entry::new(c"least");

pub(super) fn source<N: KernelType + Plain>(kind: Kind) -> Source {
    kind.module_with("crt-meeting", "crt/meeting.cu", &[("MEETING_LINES", LINES)])
        .entry(Shares::<N>::ENTRY)
        .entry(LEAST)
}

/// What kernels find: the bits of the least sum; for each [`LINES`] rows, then columns, whether an
/// entry is tiny; for each pair of these whether a sum is zero.
struct Findings {
    rows: usize,
    columns: usize,
    memory: Buffer,
}

impl Findings {
    fn new(cuda: &Cuda, [m, n]: [usize; 2]) -> Result<Self, Error> {
        let (rows, columns) = (m.div_ceil(LINES), n.div_ceil(LINES));
        let bytes = 8 + 4 * (rows + columns + rows * columns);
        let mut memory = Buffer::new(cuda.stream(), bytes)?;
        memory.clear()?;
        let infinite = f64::INFINITY.to_bits().to_le_bytes();
        // SAFETY: not locked memory.
        unsafe { memory.write(cuda.stream(), 0, &infinite)? };
        Ok(Self { rows, columns, memory })
    }

    fn tiny(&self, side: usize) -> u64 {
        self.memory.address() + 8 + 4 * (side * self.rows) as u64
    }

    fn zero(&self) -> u64 {
        self.tiny(0) + 4 * (self.rows + self.columns) as u64
    }

    /// Waits. Zero where a sum is that may have underflowed.
    fn least(&self, cuda: &Cuda) -> Result<f64, Error> {
        let Self { rows, columns, .. } = *self;
        let (mut least, mut flags) = (0_u64, vec![0_i32; rows + columns + rows * columns]);
        // SAFETY: both live, and are not looked at, until the stream has been waited for.
        unsafe {
            let least = core::slice::from_mut(&mut least);
            self.memory.read(cuda.stream(), 0, bytes_of_mut(least))?;
            self.memory.read(cuda.stream(), 8, bytes_of_mut(&mut flags))?;
        }
        cuda.stream().synchronize()?;
        let (tiny, zero) = flags.split_at(rows + columns);
        let underflows = |(i, zero): (usize, &i32)| {
            *zero != 0 && (tiny[i / columns] != 0 || tiny[rows + i % columns] != 0)
        };
        let lost = zero.iter().enumerate().any(underflows);
        Ok(if lost { 0.0 } else { f64::from_bits(least) })
    }
}

impl Cuda {
    /// The least entry other than zero of `|op(A)||op(B)|`, of which the lines are divided by
    /// `2^e`, as the host computes it: zero where it may be below the range of `f64`, infinite
    /// where all are zero or there are none. Waits.
    pub(super) fn least_meeting_sum<L: Lines>(
        &self,
        operands: [L; 2],
        exponents: [u64; 2],
    ) -> Result<f64, Error> {
        let (_, k) = operands[0].shape();
        let lines = operands.map(|operand| operand.shape().0);
        if lines.contains(&0) {
            return Ok(f64::INFINITY);
        }
        let most = (MEMORY / (8 * k)).clamp(LEAST_LINES, MOST_LINES);
        let stream = self.stream();
        let room = |rows: usize, columns: usize| DeviceMatrix::<f64>::new(stream, rows, columns);
        let [height, width] = lines.map(|lines| lines.min(most));
        let (mut left, mut right) = (room(height, k)?, room(width, k)?);
        let mut sums = room(height, width)?;
        let findings = Findings::new(self, lines)?;
        let module = self.device().module(&source::<L::Numbers>(operands[0].kind()))?;
        let shares = |side: usize, first: usize, count: usize, to: Layout| {
            let shares = Shares {
                from: operands[side].numbers([first, 0]),
                lines: count as i64,
                k: k as i64,
                exponents: Pointer::at(exponents[side] + 4 * first as u64),
                to: Pointer::at(to.data),
                pitch: to.column,
                first: first as i64,
                tiny: Pointer::at(findings.tiny(side)),
            };
            self.launch_meeting(&module, Shares::ENTRY, [count, k], &shares)
        };
        for row in (0..lines[0]).step_by(height) {
            let rows = height.min(lines[0] - row);
            let a = left.as_mut().layout.block(0, 0, rows, k);
            shares(0, row, rows, a)?;
            for column in (0..lines[1]).step_by(width) {
                let columns = width.min(lines[1] - column);
                let b = right.as_mut().layout.block(0, 0, columns, k);
                shares(1, column, columns, b)?;
                let c = sums.as_mut().layout.block(0, 0, rows, columns);
                let (a, b) = (Operand::new(Transpose::No, a), Operand::new(Transpose::Yes, b));
                let (part, alpha, beta) = (None, 1.0, 0.0);
                let product = Multiplication { format: (), part, alpha, a, b, beta, c };
                self.multiply_directly(Arithmetic::Delayed, product, ALWAYS)?;
                let least = Least {
                    sums: Pointer::at(c.data),
                    rows: rows as i64,
                    cols: columns as i64,
                    pitch: c.column,
                    row: row as i64,
                    column: column as i64,
                    across: findings.columns as i64,
                    least: findings.memory.pointer(),
                    zero: Pointer::at(findings.zero()),
                };
                self.launch_meeting(&module, LEAST, [rows, columns], &least)?;
            }
        }
        findings.least(self)
    }

    fn launch_meeting<A: Arguments>(
        &self,
        module: &Module,
        entry: Entry<A>,
        [rows, columns]: [usize; 2],
        arguments: &A,
    ) -> Result<(), Error> {
        let grid = [rows.div_ceil(THREADS) as u32, columns.min(BLOCKS) as u32, 1];
        let shape = Shape { grid, block: [THREADS as u32, 1, 1], shared: 0 };
        // SAFETY: operands live in matrices; all else is in memory that is freed in the order of
        // the stream.
        unsafe { module.kernel(entry)?.launch(self.stream(), shape, arguments) }
    }
}
