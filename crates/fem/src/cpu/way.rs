//! How elements come to forces.

use nonius_linalg::cpu::simd::real::{Narrow, Real};

use super::element::{Element, Found, Remembered, Step, moved};
use super::law::Substance;
use crate::solid::vector::V3;

/// How elements come to forces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Way {
    /// By a step, and in full at its end.
    InFull,
    /// By a step, and what it adds to them: where [elements have fewer digits than
    /// sums](super::precision::Numbers::IS_MIXED).
    Increments,
    /// In full where nodes are, without a step.
    Standing,
}

/// A way.
pub(super) trait Forces<E, const N: usize> {
    /// Nodal forces of elements that are at `x` half way through a step of `d`.
    fn forces<A: Real, W: Narrow<A>>(
        substance: &Substance<'_>,
        step: &Step,
        x: &[V3<A>; N],
        d: &[V3<A>; N],
        remembered: &mut Remembered<'_, A, W>,
    ) -> ([V3<A>; N], Found<A>);
}

/// [`Way::InFull`].
pub(super) struct InFull;

impl<E: Element<N>, const N: usize> Forces<E, N> for InFull {
    #[inline(always)]
    fn forces<A: Real, W: Narrow<A>>(
        substance: &Substance<'_>,
        step: &Step,
        x: &[V3<A>; N],
        d: &[V3<A>; N],
        remembered: &mut Remembered<'_, A, W>,
    ) -> ([V3<A>; N], Found<A>) {
        let found = E::deform(substance, step, x, d, remembered);
        let (forces, least) = E::forces(substance, &moved(x, 0.5, d), remembered);
        (forces, Found { least: found.least.min(least), ..found })
    }
}

/// [`Way::Increments`].
pub(super) struct Increments;

impl<E: Element<N>, const N: usize> Forces<E, N> for Increments {
    #[inline(always)]
    fn forces<A: Real, W: Narrow<A>>(
        substance: &Substance<'_>,
        step: &Step,
        x: &[V3<A>; N],
        d: &[V3<A>; N],
        remembered: &mut Remembered<'_, A, W>,
    ) -> ([V3<A>; N], Found<A>) {
        E::increments(substance, step, x, d, remembered)
    }
}

/// [`Way::Standing`].
pub(super) struct Standing;

impl<E: Element<N>, const N: usize> Forces<E, N> for Standing {
    #[inline(always)]
    fn forces<A: Real, W: Narrow<A>>(
        substance: &Substance<'_>,
        _: &Step,
        x: &[V3<A>; N],
        _: &[V3<A>; N],
        remembered: &mut Remembered<'_, A, W>,
    ) -> ([V3<A>; N], Found<A>) {
        let (forces, least) = E::forces(substance, x, remembered);
        (forces, Found::at_rest(least))
    }
}
