//! Large products of `f64` on tensor cores, for which both operands are packed first: see
//! `gemm_packed.cu`. Sums and bits are those of the direct engine's other kernel.

use nonius_gpu::{Buffer, Const, Entry, Error, Pointer, Shape, Source, kernel_arguments};
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::Arithmetic;

use super::tile::{Product, SIDE, TILE_OF_F64, Tile};
use crate::backend::Cuda;
use crate::kind::Kind;
use crate::matrix::Layout;
use crate::texts;

const THREADS: usize = SIDE * SIDE;
const STAGES: usize = 4;
const TILE: Tile = Tile { stages: STAGES, padding: 0, ..TILE_OF_F64 };

/// Fewest multiply-adds, terms, and rows or columns of a product whose operands are packed.
const LEAST_PRODUCTS: f64 = (1 << 27) as f64;
const LEAST_TERMS: usize = 128;
const LEAST_LINES: usize = 256;
/// The part of a GPU's memory that a packed operand takes at the most.
const SHARE_OF_MEMORY: u64 = 16;

kernel_arguments! {
    /// An operand whose lines, rows of `op(A)` or columns of `op(B)`, are packed.
    struct Packing {
        from: Layout,
        to: Pointer<f64>,
        /// Whether they are columns of the right operand.
        right: i64,
        /// Where it says no, nothing is packed. May be null.
        only_if: Pointer<u64>,
    }

    /// A product of packed operands.
    struct PackedProduct {
        product: Product,
        left: Pointer<Const<f64>>,
        right: Pointer<Const<f64>>,
    }
}

const PACK: Entry<Packing> = Entry::new(c"pack_lines");
const GEMM: Entry<PackedProduct> = Entry::new(c"gemm_packed");

pub(crate) fn source() -> Source {
    let source = texts::of_limbs("gemm-packed", 1, "dense/gemm_packed.cu");
    TILE.define(source).define("SUM", "Accumulator").entry(PACK).entry(GEMM)
}

impl Cuda {
    /// Whether tensor cores multiply packed operands: those of compute capability 9 sum as fused
    /// multiply-adds do.
    pub(crate) fn packs(&self) -> bool {
        self.device().info().capability >= (9, 0)
    }

    /// A product of `f64` whose operands are packed first; whether it is one of these.
    pub(super) fn multiply_packed(
        &self,
        arithmetic: Arithmetic,
        kind: Kind,
        product: &Product,
    ) -> Result<bool, Error> {
        let [m, n, k] = [product.m as usize, product.n as usize, product.k as usize];
        let products = m as f64 * n as f64 * k as f64;
        let pays = products >= LEAST_PRODUCTS && k >= LEAST_TERMS && m.min(n) >= LEAST_LINES;
        if !(pays && kind == Kind::Limbs(1) && arithmetic == Arithmetic::Delayed && self.packs()) {
            return Ok(false);
        }
        let most = self.device().info().memory / SHARE_OF_MEMORY;
        let Some(left) = self.room_for_packed(m, k, most)? else { return Ok(false) };
        let Some(right) = self.room_for_packed(n, k, most)? else { return Ok(false) };
        let module = self.device().module(&source())?;
        let pack = module.kernel(PACK)?;
        let operands = [(product.a, &left), (product.b.op(Transpose::Yes), &right)];
        for (side, (from, to)) in operands.into_iter().enumerate() {
            let (to, pieces) = (to.pointer(), pieces(from.shape()));
            let packing = Packing { from, to, right: side as i64, only_if: product.only_if };
            let shape =
                Shape { grid: [pieces as u32, 1, 1], block: [THREADS as u32, 1, 1], shared: 0 };
            // SAFETY: the operand's memory is freed in the order of the stream, and there is room
            // for all pieces.
            unsafe { pack.launch(self.stream(), shape, &packing)? };
        }
        let (left, right) = (left.pointer(), right.pointer());
        let (arguments, shape) = self.in_tiles(&TILE, 1, *product)?;
        let arguments = PackedProduct { product: arguments, left, right };
        let kernel = module.kernel(GEMM)?;
        kernel.allow_shared(shape.shared)?;
        // SAFETY: as for products of operands that are not packed; the packed ones are freed in the
        // order of the stream.
        unsafe { kernel.launch(self.stream(), shape, &arguments)? };
        Ok(true)
    }

    /// Room for an operand's pieces; `None` where that is more than `most` bytes, or there is none.
    fn room_for_packed(
        &self,
        lines: usize,
        terms: usize,
        most: u64,
    ) -> Result<Option<Buffer>, Error> {
        let count = pieces((lines, terms)) * TILE.rows() * TILE.depth;
        if (count * size_of::<f64>()) as u64 > most {
            return Ok(None);
        }
        match Buffer::of_numbers(self.stream(), Some(count)) {
            Err(Error::OutOfMemory { .. }) => Ok(None),
            room => room.map(Some),
        }
    }
}

/// Pieces of an operand of so many lines and terms.
fn pieces((lines, terms): (usize, usize)) -> usize {
    lines.div_ceil(TILE.rows()) * terms.div_ceil(TILE.depth)
}
