//! What a device's cone has to say so that ranks can share its program.

use nonius_comm::dense::Link;
use nonius_linalg::Error;

use super::cone::RanksCone;
use crate::cone::Blockwise;

/// A cone on one device of a kind of which every rank has one, and the Schur complement that ranks
/// with such devices form, factor and solve systems with. All ranks call all functions together.
pub trait Shared<B: Link>: Blockwise + Sized {
    /// The Schur complement, or its factor.
    type OnRanks;

    /// A Schur complement of zeros.
    ///
    /// # Errors
    /// [`Error::TooLarge`]; [`Error::Device`].
    fn schur_on_ranks(cone: &RanksCone<Self, B>) -> Result<Self::OnRanks, Error>;

    /// Forms it, where each rank has its blocks of `U` and `V`.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn form_on_ranks(
        cone: &RanksCone<Self, B>,
        u: &Self::Blocks,
        v: &Self::Blocks,
        b: &mut Self::OnRanks,
    ) -> Result<(), Error>;

    /// As [`factor_schur`](crate::cone::Cone::factor_schur).
    ///
    /// # Errors
    /// [`Error::TooLarge`]; [`Error::Device`].
    fn factor_on_ranks(
        cone: &RanksCone<Self, B>,
        shifts: &[f64],
        b: &mut Self::OnRanks,
    ) -> Result<bool, Error>;

    /// As [`solve_schur`](crate::cone::Cone::solve_schur).
    ///
    /// # Errors
    /// [`Error::Device`].
    fn solve_on_ranks(
        cone: &RanksCone<Self, B>,
        factor: &Self::OnRanks,
        x: &mut Self::Vector,
    ) -> Result<(), Error>;
}
