//! What interior-point methods for semidefinite programs ask of the machine.

use nonius_linalg::{Element, Error, Number, Numbers, Size, Slice};

use super::rounded::of_doubles;

/// A [program](crate::cone::Program) in a backend's memory, with vectors of one number for each
/// constraint and matrices with the program's blocks on the diagonal.
///
/// Factors `α` are `f64`: they are lengths of steps and weights of an algorithm's own choice.
/// Operations that yield a number wait for the backend and report its first failure; the others may
/// be queued.
pub trait Cone {
    /// The numbers.
    type Number: Number;
    /// A number for each constraint.
    type Vector;
    /// A matrix with the program's blocks on the diagonal; the blocks need not be symmetric.
    type Blocks;
    /// A symmetric matrix with a row for each constraint, or its Cholesky factor.
    type Schur;

    /// What all numbers have in common beside their type.
    fn format(&self) -> <Self::Number as Element>::Format;
    /// The relative error of one rounding, not less than the least normal `f64`.
    fn unit_roundoff(&self) -> f64 {
        Self::Number::unit_roundoff(self.format()).to_f64().max(f64::MIN_POSITIVE)
    }

    /// How many constraints there are.
    fn constraints(&self) -> usize;
    /// The order of each block that is not diagonal.
    fn squares(&self) -> Vec<usize>;
    /// The order of the diagonal block, rows of second-order cones included.
    fn diagonal(&self) -> usize;
    /// The orders of the second-order cones, which are the last rows of the diagonal block.
    fn second_order(&self) -> Vec<usize>;
    /// The order of the matrices.
    fn order(&self) -> usize {
        self.squares().iter().sum::<usize>() + self.diagonal()
    }
    /// `X•Y/μ` where `X` and `Y` are on the central path: the order, with each second-order cone
    /// counted once.
    fn degree(&self) -> usize {
        let cones = self.second_order();
        self.order() - cones.iter().sum::<usize>() + cones.len()
    }

    /// A vector of zeros.
    ///
    /// # Errors
    /// [`Error::TooLarge`]; [`Error::Device`].
    fn vector(&self) -> Result<Self::Vector, Error>;
    /// A matrix of zeros.
    ///
    /// # Errors
    /// As [`vector`](Self::vector).
    fn blocks(&self) -> Result<Self::Blocks, Error>;
    /// A matrix of zeros.
    ///
    /// # Errors
    /// As [`vector`](Self::vector).
    fn schur(&self) -> Result<Self::Schur, Error>;

    /// Copies a vector to the host.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn download_vector(&self, x: &Self::Vector) -> Result<Numbers<Self::Number>, Error>;
    /// Copies a vector of as many numbers as there are constraints from the host, each rounded to
    /// the format.
    ///
    /// Panics where their number differs.
    ///
    /// # Errors
    /// As [`vector`](Self::vector).
    fn upload_vector<'a>(
        &self,
        x: impl Into<Slice<'a, Self::Number>>,
    ) -> Result<Self::Vector, Error>;
    /// Copies a matrix to the host: each square column by column, then the diagonal block.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn download_blocks(&self, a: &Self::Blocks) -> Result<Vec<Numbers<Self::Number>>, Error>;
    /// Copies a matrix from the host, as [`download_blocks`](Self::download_blocks) has it, each
    /// number rounded to the format.
    ///
    /// Panics where the number of blocks or of their entries differs.
    ///
    /// # Errors
    /// As [`vector`](Self::vector).
    fn upload_blocks<'a, P>(&self, a: &'a [P]) -> Result<Self::Blocks, Error>
    where
        &'a P: Into<Slice<'a, Self::Number>>;

    /// [`upload_blocks`](Self::upload_blocks) of numbers that are `f64`.
    ///
    /// # Errors
    /// As [`vector`](Self::vector).
    fn upload_doubles(&self, a: &[Slice<'_, f64>]) -> Result<Self::Blocks, Error> {
        let format = self.format();
        let parts =
            a.iter().map(|&part| of_doubles(part, format)).collect::<Result<Vec<_>, _>>()?;
        self.upload_blocks::<Numbers<Self::Number>>(&parts)
    }

    /// `c`.
    fn objective(&self) -> &Self::Vector;

    /// `y ← x`.
    fn copy_vector(&self, x: &Self::Vector, y: &mut Self::Vector);
    /// `x ← α·x`.
    fn scale_vector(&self, alpha: f64, x: &mut Self::Vector);
    /// `y ← α·x + y`.
    fn add_vector(&self, alpha: f64, x: &Self::Vector, y: &mut Self::Vector);
    /// `Σ xᵢ·yᵢ`.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn dot(&self, x: &Self::Vector, y: &Self::Vector) -> Result<Self::Number, Error>;
    /// The largest magnitude; NaN or infinite where an entry is.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn largest(&self, x: &Self::Vector) -> Result<f64, Error>;

    /// `B ← A`.
    fn copy_blocks(&self, a: &Self::Blocks, b: &mut Self::Blocks);
    /// `A ← α·I`, the unit `(1, 0)` in second-order cones.
    fn identity(&self, alpha: f64, a: &mut Self::Blocks);
    /// `A ← α·A`.
    fn scale_blocks(&self, alpha: f64, a: &mut Self::Blocks);
    /// `B ← α·A + B`.
    fn add_blocks(&self, alpha: f64, a: &Self::Blocks, b: &mut Self::Blocks);
    /// `C ← α·(U·D·V + V·D·U)/2 + β·C` for symmetric matrices, `{U, D, V}` in second-order cones;
    /// `C` is not read where `β = 0`, and what is in `work` afterwards is of no use.
    fn triple(
        &self,
        alpha: f64,
        factors: [&Self::Blocks; 3],
        beta: f64,
        work: &mut Self::Blocks,
        c: &mut Self::Blocks,
    );
    /// `A ← (A + Aᵀ)/2` in the squares.
    fn symmetrize(&self, a: &mut Self::Blocks);
    /// `A•B = Σ a_ij·b_ij`.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn inner(&self, a: &Self::Blocks, b: &Self::Blocks) -> Result<Self::Number, Error>;
    /// The largest magnitude of an entry; NaN or infinite where an entry is.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn largest_entry(&self, a: &Self::Blocks) -> Result<f64, Error>;

    /// `L ← ` the Cholesky factor of a symmetric matrix, with zeros above the diagonal, in
    /// second-order cones the square root of a vector; whether there is one, else `L` is of no use.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn factor(&self, a: &Self::Blocks, l: &mut Self::Blocks) -> Result<bool, Error>;
    /// Whether two symmetric matrices have Cholesky factors; what is in `work` afterwards is of no
    /// use.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn are_definite(&self, a: [&Self::Blocks; 2], work: &mut Self::Blocks) -> Result<bool, Error> {
        for a in a {
            if !self.factor(a, work)? {
                return Ok(false);
            }
        }
        Ok(true)
    }
    /// `M ← L⁻¹` for what [`factor`](Self::factor) yields.
    fn invert_factor(&self, l: &Self::Blocks, m: &mut Self::Blocks);
    /// `M ← L⁻¹` for the Cholesky factors of two symmetric matrices; whether there are such
    /// factors, else both `M` are of no use. So is what is in `work` afterwards.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn invert_factors(
        &self,
        a: [&Self::Blocks; 2],
        work: &mut Self::Blocks,
        m: [&mut Self::Blocks; 2],
    ) -> Result<bool, Error> {
        for (a, m) in a.into_iter().zip(m) {
            if !self.factor(a, work)? {
                return Ok(false);
            }
            self.invert_factor(work, m);
        }
        Ok(true)
    }
    /// `A ← Mᵀ·M` for what [`invert_factor`](Self::invert_factor) yields.
    fn gram(&self, m: &Self::Blocks, a: &mut Self::Blocks);
    /// For each pair of a lower triangular `M` and a symmetric `A` an estimate of the least
    /// eigenvalue of `M·A·Mᵀ`, to a few hundredths of it, as a rule from below, or once it seems to
    /// be at least `enough`: by Lanczos' method in `f64`, with products of this backend's numbers.
    /// In a second-order cone it is that of `{M, A, M}`.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn least_eigenvalues<const N: usize>(
        &self,
        pairs: [(&Self::Blocks, &Self::Blocks); N],
        enough: f64,
    ) -> Result<[f64; N], Error>;
    /// The same for one pair.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn least_eigenvalue(
        &self,
        m: &Self::Blocks,
        a: &Self::Blocks,
        enough: f64,
    ) -> Result<f64, Error> {
        self.least_eigenvalues([(m, a)], enough).map(|[least]| least)
    }

    /// `vᵢ ← Fᵢ•A` for a symmetric `A`.
    fn constraint_products(&self, a: &Self::Blocks, v: &mut Self::Vector);
    /// `F₀•A` for a symmetric `A`.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn constant_product(&self, a: &Self::Blocks) -> Result<Self::Number, Error>;
    /// `A ← Σ xᵢ·Fᵢ + α·F₀`.
    fn combine(&self, x: &Self::Vector, alpha: f64, a: &mut Self::Blocks);

    /// `B_ij ← Fᵢ•(U·Fⱼ·V)` for symmetric `U` and `V`, `Fᵢ•{U, Fⱼ, V}` in second-order cones, in
    /// the lower triangle.
    fn form_schur(&self, u: &Self::Blocks, v: &Self::Blocks, b: &mut Self::Schur);
    /// How large the terms are of which the diagonal of that is made, for positive semidefinite `U`
    /// and `V`: [`Magnitudes::of_schur`](crate::cone::Magnitudes::of_schur).
    ///
    /// # Errors
    /// [`Error::Device`].
    fn schur_sizes(&self, u: &Self::Blocks, v: &Self::Blocks) -> Result<Vec<f64>, Error>;
    /// Adds a number for each constraint, or for none, to the diagonal of `B`, and puts the
    /// Cholesky factor in the place of that; whether there is one, else what is left is of no use.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::Device`].
    fn factor_schur(&self, shifts: &[f64], b: &mut Self::Schur) -> Result<bool, Error>;
    /// `x ← B⁻¹·x` for a factor.
    fn solve_schur(&self, factor: &Self::Schur, x: &mut Self::Vector);
}
