//! Corrections of approximate eigenvectors and singular vectors.

use super::{Cpu, Gemm, Prepare, Syrk};
use crate::dense::Vectors;
use crate::{Error, MatRef, Matrix, Number};

/// What the refinement of eigenvectors and of singular vectors asks for beside products of
/// matrices.
///
/// Matrices here are square and of one order. `G` is a Gram matrix of vectors, of which the lower
/// triangle is read; `R = I − G`.
pub trait Diagonalize<T: Number>: Gemm<T> + Syrk<T> + Prepare<T> {
    /// Whether vectors refined from `f64` come sooner than those that the host computes with
    /// numbers of this type throughout.
    fn refines(&self, format: T::Format, order: usize, vectors: Vectors) -> bool;

    /// The host, with products as this backend has them.
    fn host(&self) -> Cpu;

    /// The same backend with products whose errors are small beside the norms of rows and columns.
    #[must_use]
    fn normwise(&self) -> Self;

    /// The entries rounded to another format.
    fn in_format(&self, a: Self::Ref<'_>, format: T::Format) -> Self::Matrix;

    /// Approximate eigenvectors of a symmetric matrix, in ascending order of the eigenvalues.
    ///
    /// # Errors
    /// [`Error::NoConvergence`]; [`Error::Device`].
    fn eigenvectors(&self, a: MatRef<'_, f64>) -> Result<Matrix<f64>, Error>;

    /// Approximate singular vectors of a square matrix, those on the left and those on the right,
    /// in descending order of the singular values.
    ///
    /// # Errors
    /// As [`eigenvectors`](Self::eigenvectors).
    fn singular_vectors(&self, a: MatRef<'_, f64>) -> Result<(Matrix<f64>, Matrix<f64>), Error>;

    /// The entries on the diagonal.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn diagonal(&self, a: Self::Ref<'_>) -> Result<Vec<T>, Error>;

    /// Corrections of eigenvectors `X`, with `S = Xᵀ·A·X`, of which the lower triangle is read, and
    /// `G = Xᵀ·X`: `e_ij = r_ij/2 + d_ij/(λ_j − λ_i)` with `d_ij = s_ij + (λ_i + λ_j)/2·r_ij`, but
    /// `r_ij/2` on the diagonal, where `λ_i` and `λ_j` are of one group, which keeps `d_ij`, and
    /// where `d_ij` is within the tolerance.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn eigenvector_corrections(
        &self,
        s: Self::Ref<'_>,
        gram: Self::Ref<'_>,
        spectrum: Spectrum<'_, T>,
        e: Option<Self::Mut<'_>>,
    ) -> Result<Corrections<T::Size>, Error>;

    /// Corrections of singular vectors `U` and `V`, with `T = Uᵀ·A·V` and the Gram matrices of
    /// both. With `p = r_U + r_V` and `q = r_U − r_V`
    ///
    /// - `f_ij + g_ij = p_ij/2 + d_ij/(σ_j − σ_i)`, `d_ij = t_ij + t_ji + (σ_i + σ_j)/2·p_ij`,
    /// - `f_ij − g_ij = q_ij/2 + d'_ij/(σ_j + σ_i)`, `d'_ij = t_ij − t_ji + (σ_j − σ_i)/2·q_ij`.
    ///
    /// There is no quotient on the diagonal, where `d_ij` or `d'_ij` is within twice the tolerance,
    /// and of `d_ij` where `σ_i` and `σ_j` are of one group. That keeps `d_ij/2`, and the
    /// [null](Spectrum::null) group `d'_ij/2` too, of which there is no quotient either.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn singular_vector_corrections(
        &self,
        t: Self::Ref<'_>,
        grams: [Self::Ref<'_>; 2],
        spectrum: Spectrum<'_, T>,
        corrections: Option<[Self::Mut<'_>; 2]>,
    ) -> Result<Corrections<T::Size>, Error>;
}

/// Approximate eigenvalues or singular values, and which of them are too close to be told apart.
#[derive(Clone, Copy, Debug)]
pub struct Spectrum<'a, T: Number> {
    /// The values.
    pub values: &'a [T],
    /// For each the number of its group.
    pub groups: &'a [u32],
    /// The number of the group of singular values about zero.
    pub null: Option<u32>,
    /// What is no more than this in magnitude is not distinguished from zero.
    pub tolerance: T::Size,
}

/// How large corrections are.
#[derive(Clone, Debug)]
pub struct Corrections<S> {
    /// The Frobenius norm of the corrections, of both matrices together where there are two.
    pub norm: S,
    /// For each column the sum of the squares of what its group keeps, but for the diagonal.
    pub kept: Vec<S>,
}
