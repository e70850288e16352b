//! Where kernels read numbers from and write them to, in either layout.

use nonius_num::Lane;

use crate::{Pack, Scalar};

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

    /// A register's worth of numbers from number `at` on.
    #[inline(always)]
    pub(super) fn load<P: Pack>(&self, at: usize, sink: &Sink<'_>) -> P {
        match self {
            Source::Interleaved(x) => load_interleaved(x, at),
            Source::Planar(x) => load_planar([x[0], x[1], x[2], x[3]], at),
            Source::Constant(x) => P::from_limbs(|limb| P::Lane::splat(x[limb])),
            Source::Sink => sink.load(at),
        }
    }

    /// As [`load`](Self::load) with `count` numbers; the last one fills the lanes that are left.
    #[inline(always)]
    pub(super) fn load_some<P: Pack>(&self, at: usize, count: usize, sink: &Sink<'_>) -> P {
        P::from_limbs(|limb| {
            P::Lane::from_fn(|lane| {
                let i = at + lane.min(count - 1);
                match self {
                    Source::Interleaved(x) => x[i * P::LIMBS + limb],
                    Source::Planar(x) => x[limb][i],
                    Source::Constant(x) => x[limb],
                    Source::Sink => match sink {
                        Sink::Interleaved(z) => z[i * P::LIMBS + limb],
                        Sink::Planar(z) => z[limb][i],
                    },
                }
            })
        })
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

    /// How many numbers, fewer than `lanes`, come before the first that is aligned as registers are; 0 where none is,
    /// and for vectors so short that it does not matter.
    pub(super) fn unaligned(&self, limbs: usize, lanes: usize) -> usize {
        let (begin, number) = match self {
            Sink::Interleaved(z) => (z.as_ptr(), limbs),
            Sink::Planar(z) => (z[0].as_ptr(), 1),
        };
        if self.len(limbs) < 16 * lanes {
            return 0;
        }
        let begin = begin as usize / size_of::<f64>();
        (0..lanes).find(|count| (begin + count * number).is_multiple_of(lanes)).unwrap_or(0)
    }

    #[inline(always)]
    fn load<P: Pack>(&self, at: usize) -> P {
        match self {
            Sink::Interleaved(z) => load_interleaved(z, at),
            Sink::Planar(z) => load_planar([&*z[0], &*z[1], &*z[2], &*z[3]], at),
        }
    }

    /// Writes a register's worth of numbers from number `at` on.
    #[inline(always)]
    pub(super) fn store<P: Pack>(&mut self, at: usize, x: P) {
        match self {
            Sink::Interleaved(z) => {
                let begin = at * P::LIMBS;
                x.store(&mut z[begin..begin + P::LIMBS * P::Lane::LANES]);
            }
            Sink::Planar(z) => {
                for limb in 0..P::LIMBS {
                    x.limb(limb).store(&mut z[limb][at..]);
                }
            }
        }
    }

    /// As [`store`](Self::store) with `count` numbers.
    #[inline(always)]
    pub(super) fn store_some<P: Pack>(&mut self, at: usize, count: usize, x: P) {
        for limb in 0..P::LIMBS {
            for i in 0..count {
                let value = x.limb(limb).lane(i);
                match self {
                    Sink::Interleaved(z) => z[(at + i) * P::LIMBS + limb] = value,
                    Sink::Planar(z) => z[limb][at + i] = value,
                }
            }
        }
    }
}

#[inline(always)]
fn load_interleaved<P: Pack>(x: &[f64], at: usize) -> P {
    let begin = at * P::LIMBS;
    P::load(&x[begin..begin + P::LIMBS * P::Lane::LANES])
}

#[inline(always)]
fn load_planar<P: Pack>(x: [&[f64]; LIMBS], at: usize) -> P {
    let mut limbs = [P::Lane::splat(0.0); LIMBS];
    for limb in 0..P::LIMBS {
        limbs[limb] = P::Lane::load(&x[limb][at..]);
    }
    P::from_limbs(|limb| limbs[limb])
}
