//! Several reflections as one product of matrices.
//!
//! `H₁·H₂⋯H_k = I − V·T·Vᵀ`, where the columns of `V` are the vectors of the reflections and `T` is
//! upper triangular with `T⁻¹ + T⁻ᵀ = VᵀV`: the inverse of `T` is the upper triangle of `VᵀV` with
//! half its diagonal (the "UT transform").
//!
//! Sources: Schreiber and Van Loan, *A storage-efficient WY representation for products of
//! Householder transformations*, SIAM J. Sci. Stat. Comput. 10 (1989); Joffrain, Low, Quintana-Ortí
//! and van de Geijn, *Accumulating Householder transformations, revisited*, ACM Trans. Math. Softw.
//! 32 (2006), for `T⁻¹`.

use crate::Number;
use crate::backend::{Gemm, Reflecting, Trsm, View, ViewMut};
use crate::dense::halve::halve;
use crate::dense::lu::subtract_product;
use crate::dense::trsm::TriangularSystem;
use crate::dense::{Diagonal, Transpose, Triangle};

/// Orders up to which a triangle is inverted by substitution.
const MOST_SUBSTITUTED_ORDER: usize = 32;

/// The product `I − V·T·Vᵀ` of reflections.
#[derive(Clone, Debug)]
pub(crate) struct Reflectors<M> {
    /// One vector in each column, with ones on the diagonal and zeros above.
    v: M,
    /// The triangle `T`, zeros below.
    t: M,
}

impl<M> Reflectors<M> {
    /// The reflections whose vectors are the columns of `v`, in the order of the columns.
    pub(crate) fn new<T: Number, B: Reflecting<T, Matrix = M>>(backend: &B, v: M) -> Self {
        let ((_, k), format) = (backend.view(&v).shape(), backend.view(&v).format());
        let mut gram = backend.zeros(format, k, k);
        let columns = backend.view(&v);
        let to = backend.view_mut(&mut gram);
        backend.syrk(Triangle::Upper, Transpose::Yes, T::ONE, columns, T::ZERO, to);
        backend.halve_diagonal(backend.view_mut(&mut gram));
        let mut t = backend.identity(format, k, k);
        invert(backend, backend.view(&gram), backend.view_mut(&mut t));
        Self { v, t }
    }

    /// The reflections of a panel that [`qr_panel`](crate::backend::Reflect::qr_panel) or its
    /// blocked form has factored.
    pub(crate) fn of_panel<T: Number, B: Reflecting<T, Matrix = M>>(
        backend: &B,
        panel: B::Ref<'_>,
    ) -> Self {
        Self::new(backend, backend.unit_lower(panel))
    }

    /// `C ← Q·C` or `QᵀC` for their product `Q`.
    pub(crate) fn apply<T: Number, B: Reflecting<T, Matrix = M>>(
        &self,
        backend: &B,
        transpose: Transpose,
        c: B::Mut<'_>,
    ) {
        let (v, t) = (backend.view(&self.v), backend.view(&self.t));
        let ((_, k), (_, cols)) = (v.shape(), c.shape());
        if cols == 0 || k == 0 {
            return;
        }
        // Of the right shape, and overwritten.
        let mut w = backend.copy_of(c.as_ref().block(0, 0, k, cols));
        let mut tw = backend.copy_of(c.as_ref().block(0, 0, k, cols));
        let (yes, no) = (Transpose::Yes, Transpose::No);
        let (entries, to) = (c.as_ref(), backend.view_mut(&mut w));
        backend.queue_gemm(yes, no, T::ONE, v, entries, T::ZERO, to);
        let to = backend.view_mut(&mut tw);
        backend.queue_gemm(transpose, no, T::ONE, t, backend.view(&w), T::ZERO, to);
        subtract_product(backend, v, backend.view(&tw), c);
    }
}

/// A product of many reflections, block by block: block `i` acts on the rows from its `start` on,
/// and leaves columns of the identity before that alone.
#[derive(Clone, Debug)]
pub(crate) struct Blocks<M>(Vec<(usize, Reflectors<M>)>);

impl<M> Blocks<M> {
    pub(crate) fn new() -> Self {
        Self(Vec::new())
    }

    pub(crate) fn push(&mut self, start: usize, reflectors: Reflectors<M>) {
        self.0.push((start, reflectors));
    }

    /// The first `n` columns of the product, of `m` rows.
    pub(crate) fn columns<T, B>(&self, backend: &B, format: T::Format, m: usize, n: usize) -> M
    where
        T: Number,
        B: Reflecting<T, Matrix = M>,
        M: Send + Sync,
    {
        let mut q = backend.identity(format, m, n);
        backend.run(|| {
            for &(start, ref reflectors) in self.0.iter().rev() {
                let part = backend.view_mut(&mut q);
                let part = part.block_mut(start, start, m - start, n.saturating_sub(start));
                reflectors.apply(backend, Transpose::No, part);
            }
        });
        q
    }

    /// `C ← op(Q)·C` for the product `Q`.
    pub(crate) fn apply<T, B>(&self, backend: &B, op: Transpose, mut c: B::Mut<'_>)
    where
        T: Number,
        B: Reflecting<T, Matrix = M>,
        M: Send + Sync,
    {
        let (m, cols) = c.shape();
        backend.run(|| {
            let mut apply = |&(start, ref reflectors): &(usize, Reflectors<M>)| {
                let rows = c.reborrow().block_mut(start, 0, m - start, cols);
                reflectors.apply(backend, op, rows);
            };
            match op {
                Transpose::Yes => self.0.iter().for_each(&mut apply),
                Transpose::No => self.0.iter().rev().for_each(&mut apply),
            }
        });
    }
}

/// Puts the inverse of an upper triangle in the place of the identity.
///
/// Its order is halved: the corner of the inverse is a product of three matrices. That suits
/// triangles as well conditioned as these, whose symmetric part is half a Gram matrix of unit
/// scale.
fn invert<T: Number, B: Gemm<T> + Trsm<T>>(backend: &B, s: B::Ref<'_>, x: B::Mut<'_>) {
    let (n, _) = s.shape();
    if n <= MOST_SUBSTITUTED_ORDER {
        let system = TriangularSystem::left(Triangle::Upper, Transpose::No, Diagonal::NonUnit);
        return system.solve(backend, T::ONE, s, x);
    }
    let half = halve(n, MOST_SUBSTITUTED_ORDER);
    let rest = n - half;
    let (left, mut right) = x.split_cols(half);
    let mut first = left.block_mut(0, 0, half, half);
    invert(backend, s.block(0, 0, half, half), first.reborrow());
    let square = s.block(half, half, rest, rest);
    invert(backend, square, right.reborrow().block_mut(half, 0, rest, rest));
    let no = Transpose::No;
    let corner = s.block(0, half, half, rest);
    let mut product = backend.copy_of(corner);
    let last = right.as_ref().block(half, 0, rest, rest);
    backend.queue_gemm(no, no, T::ONE, corner, last, T::ZERO, backend.view_mut(&mut product));
    let (product, to) = (backend.view(&product), right.block_mut(0, 0, half, rest));
    backend.queue_gemm(no, no, -T::ONE, first.as_ref(), product, T::ZERO, to);
}
