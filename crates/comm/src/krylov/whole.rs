//! Preconditioners that no rank can apply to its rows alone.

use nonius_linalg::krylov::Preconditioner;

use super::space::{RankSpace, RankVector};
use super::travel::Travel;

/// A preconditioner of the whole matrix, which every rank applies to the whole vector: one of
/// triangles, whose rows wait for one another. It is the part that does not get faster.
#[derive(Clone, Debug)]
pub struct Whole<M>(pub M);

impl<S: Travel, M: Preconditioner<S>> Preconditioner<RankSpace<S>> for Whole<M> {
    fn apply(
        &self,
        space: &mut RankSpace<S>,
        r: &RankVector<S::Vector>,
        z: &mut RankVector<S::Vector>,
    ) {
        space.attempt(|space| {
            let r = space.whole(r)?;
            let mut whole = space.local.vector(space.local.length(&r))?;
            self.0.apply(&mut space.local, &r, &mut whole);
            space.keep(&whole, z);
            Ok(())
        });
    }
}
