//! Where kernels read numbers from and write them to, in either layout.

use crate::Scalar;

/// Most limbs that a number has.
pub(super) const LIMBS: usize = 4;

/// The operand of a kernel.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Source<'a> {
    /// Numbers one after the other, limb by limb.
    Interleaved(&'a [f64]),
    /// One slice for each limb; the slices beyond the last limb are empty.
    Planar([&'a [f64]; LIMBS]),
    /// The same number everywhere.
    Constant([f64; LIMBS]),
    /// What the sink holds.
    Sink,
}

/// The result of a kernel.
#[derive(Debug)]
pub(crate) enum Sink<'a> {
    /// Numbers one after the other, limb by limb.
    Interleaved(&'a mut [f64]),
    /// One slice for each limb; the slices beyond the last limb are empty.
    Planar([&'a mut [f64]; LIMBS]),
}

impl<'a> Source<'a> {
    /// The number `x` everywhere.
    pub(crate) fn constant<T: Scalar>(x: T) -> Self {
        Source::Constant(core::array::from_fn(|i| if i < T::LIMBS { x.limb(i) } else { 0.0 }))
    }

    /// The numbers before and from number `at` on.
    pub(super) fn split_at(self, at: usize, limbs: usize) -> (Self, Self) {
        match self {
            Source::Interleaved(x) => {
                let (left, right) = x.split_at(at * limbs);
                (Source::Interleaved(left), Source::Interleaved(right))
            }
            Source::Planar(x) => {
                let cut = |plane: &'a [f64]| plane.split_at(at.min(plane.len()));
                (Source::Planar(x.map(|x| cut(x).0)), Source::Planar(x.map(|x| cut(x).1)))
            }
            Source::Constant(_) | Source::Sink => (self, self),
        }
    }
}

impl Sink<'_> {
    /// What it holds.
    pub(super) fn source(&self) -> Source<'_> {
        match self {
            Sink::Interleaved(z) => Source::Interleaved(z),
            Sink::Planar(z) => Source::Planar(z.each_ref().map(|plane| &**plane)),
        }
    }

    /// The same sink for a shorter time.
    pub(super) fn reborrow(&mut self) -> Sink<'_> {
        match self {
            Sink::Interleaved(z) => Sink::Interleaved(z),
            Sink::Planar(z) => Sink::Planar(z.each_mut().map(|plane| &mut **plane)),
        }
    }

    /// How many numbers it takes.
    pub(super) fn len(&self, limbs: usize) -> usize {
        match self {
            Sink::Interleaved(z) => z.len() / limbs,
            Sink::Planar(z) => z[0].len(),
        }
    }

    /// The numbers before and from number `at` on.
    pub(super) fn split_at(self, at: usize, limbs: usize) -> (Self, Self) {
        match self {
            Sink::Interleaved(z) => {
                let (left, right) = z.split_at_mut(at * limbs);
                (Sink::Interleaved(left), Sink::Interleaved(right))
            }
            Sink::Planar(z) => {
                let (mut left, mut right): ([&mut [f64]; LIMBS], [&mut [f64]; LIMBS]) =
                    Default::default();
                for (limb, plane) in z.into_iter().enumerate() {
                    let at = at.min(plane.len());
                    (left[limb], right[limb]) = plane.split_at_mut(at);
                }
                (Sink::Planar(left), Sink::Planar(right))
            }
        }
    }
}
