//! Matrix products: which method computes them.
//!
//! [`Engine::Direct`] carries out every multiply-add in the element's own arithmetic, which
//! [`Arithmetic`] chooses. It needs no simpler twin for small matrices: from 3 × 3 × 3 on it beats
//! the textbook loop at every multi-limb precision, from 8 × 8 × 8 on at f64, and a product of
//! single numbers takes 0.1 µs. [`Engine::Crt`] is for large matrices beyond f64. A backend takes
//! the faster one by size and precision alone, so that a result has the same bits on every
//! processor; GPUs have another rule than processors. [`Products`] may name an engine instead: each
//! yields the same bits everywhere. An operand of many products by [`Engine::Crt`] is converted
//! once: [`Converted`].

mod arithmetic;
mod converted;
pub mod crt;
mod engine;
mod places;
mod products;
mod report;
mod whole;

pub use arithmetic::{Arithmetic, UnknownArithmetic};
pub use converted::{Converted, Factor, gemm_of};
pub use engine::{Accuracy, Engine};
pub use places::Places;
pub use products::Products;
pub use report::Report;
pub use whole::{Way, Whole};

use crate::backend::{Cpu, Gemm, View, ViewMut};
use crate::dense::{MatMut, MatRef, Transpose};
use crate::{Error, Number};

/// Multiplies matrices on the host's processor: `C ← α·op(A)·op(B) + β·C`.
///
/// `op` is nothing or the transpose.
///
/// With `β = 0`, `C` is not read and may hold anything; with `α = 0` or no terms, `A` and `B` are
/// not read. The result is the same, bit for bit, for any number of threads, and on every
/// processor.
///
/// **Error.** With `k` terms an entry of `op(A)·op(B)` is within `c·u·(|A||B|)_ij` of the exact
/// one. Factors `α` and `β` other than 0, 1 and −1 take a rounding each, and so does the sum with
/// `C`.
///
/// | numbers | engine | `c` |
/// |---|---|---|
/// | limbs | both | [`Arithmetic::error`] |
/// | any precision | [`Engine::Direct`], whose sums are rounded once | `1 + 2^-61` |
/// | any precision | [`Engine::Crt`] | `k + 3` |
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::dense::Transpose;
/// use nonius_linalg::dense::gemm::gemm;
/// use nonius_num::Dd;
///
/// let a = Matrix::from_fn(2, 2, |i, j| Dd::from([[1.0, 1e16], [0.0, 1.0]][i][j]));
/// let b = Matrix::from_fn(2, 1, |i, _| Dd::from([1.0, 1.0][i]));
/// let mut c = Matrix::zeros(2, 1);
/// let (no, one) = (Transpose::No, Dd::ONE);
/// gemm(no, no, one, a.view(), b.view(), Dd::ZERO, c.view_mut())?;
/// assert_eq!(c[(0, 0)] - 1e16, 1.0); // `f64` has no 10¹⁶ + 1
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`] when the shapes do not fit, [`Error::Precision`] when the precisions differ.
pub fn gemm<T: Number>(
    transpose_a: Transpose,
    transpose_b: Transpose,
    alpha: T,
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
    beta: T,
    c: MatMut<'_, T>,
) -> Result<Report, Error> {
    gemm_on(&Cpu::default(), transpose_a, transpose_b, alpha, a, b, beta, c)
}

/// [`gemm`] on the backend of one's choice.
///
/// ```
/// use nonius_linalg::Matrix;
/// use nonius_linalg::backend::Cpu;
/// use nonius_linalg::dense::Transpose;
/// use nonius_linalg::dense::gemm::{Engine, Products, gemm_on};
/// use nonius_num::Qd;
///
/// let a = Matrix::from_fn(40, 40, |i, j| Qd::ONE / (i + j + 1) as f64);
/// let mut c = Matrix::zeros(40, 40);
/// let backend = Cpu::new(Products { engine: Some(Engine::Crt), ..Products::default() });
/// let (no, a) = (Transpose::No, a.view());
/// let report = gemm_on(&backend, no, no, Qd::ONE, a, a, Qd::ZERO, c.view_mut())?;
/// assert_eq!(report.engine, Engine::Crt);
/// // The sum of 1/k² for k from 1 to 40.
/// let sum: Qd = (1..=40).map(|k| Qd::ONE / f64::from(k * k)).sum();
/// assert!((c[(0, 0)] - sum).abs().to_f64() < 1e-60);
/// # Ok::<(), nonius_linalg::Error>(())
/// ```
///
/// # Errors
/// [`Error::Shape`] when the shapes do not fit, [`Error::Precision`] when the precisions differ,
/// [`Error::NoArithmetic`] when numbers of this type do not have the backend's arithmetic. Whoever
/// fetches the result reports what fails on a device.
#[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
pub fn gemm_on<T: Number, B: Gemm<T>>(
    backend: &B,
    transpose_a: Transpose,
    transpose_b: Transpose,
    alpha: T,
    a: B::Ref<'_>,
    b: B::Ref<'_>,
    beta: T,
    c: B::Mut<'_>,
) -> Result<Report, Error> {
    let (m, n) = c.shape();
    Error::check_product(transpose_a, a.shape(), transpose_b, b.shape(), (m, n))?;
    Error::check_format::<T>("a", c.format(), a.format())?;
    Error::check_format::<T>("b", c.format(), b.format())?;
    backend.check_products()?;
    // Without rows there may be any number of columns, which take no memory but would take time.
    if m == 0 || n == 0 {
        return Ok(Report::direct());
    }
    Ok(backend.gemm(transpose_a, transpose_b, alpha, a, b, beta, c))
}
