//! Values and vectors of limbs.

// Loops over indices are always inlined; adaptors of iterators are not, and what is not inlined is
// compiled without the level's instructions.
#![allow(clippy::needless_range_loop)]

use nonius_num::Lane;

use super::BAND;
use super::multiplies::Multiplies;
use super::triangle::Triangle;
use crate::accumulate::{Accumulator, Sum};
use crate::cpu::limbs::limbs_of;
use crate::cpu::simd::{Kernel, dispatch};
use crate::cpu::threads;
use crate::dense::gemm::Arithmetic;
use crate::reference::{self, spmv::widened};
use crate::sparse::Layout;
use crate::threads::{Grain, chunks, for_each};
use crate::{Numbers, Scalar, Slice, SliceMut};

impl<T: Scalar, V: Scalar> Multiplies<T> for V {
    fn widened(self, (): ()) -> T {
        widened(self)
    }

    fn times_vector<A: Layout<Number = V>>(
        _: Arithmetic,
        a: &A,
        x: Slice<'_, T>,
        y: SliceMut<'_, T>,
        lines: &mut Numbers<T>,
    ) {
        let (x, y) = (x.cells(), y.plain());
        assert_eq!((y.len(), x.len()), a.shape(), "lengths");
        let Some(line_of_row) = a.line_of_row() else { return all(a, x, y) };
        let lines = lines.as_mut_vec();
        lines.resize(y.len(), T::ZERO);
        all(a, x, lines);
        for (y, &line) in y.iter_mut().zip(line_of_row) {
            *y = lines[line as usize];
        }
    }

    /// By the operators.
    fn solve_triangle(
        _: Arithmetic,
        triangle: &Triangle<'_, V>,
        r: Option<&Numbers<T>>,
        z: &mut Numbers<T>,
    ) {
        let (values, inverses) = (triangle.rest.values().plain(), triangle.inverses.plain());
        let (r, z) = (r.map(Numbers::plain), z.plain_mut());
        for row in triangle.rows() {
            let start = r.map_or(z[row], |r| r[row]);
            let terms = triangle.rest.row(row);
            let rest =
                terms.fold(start, |rest, (at, col)| rest - widened::<V, T>(values[at]) * z[col]);
            z[row] = rest * widened::<V, T>(inverses[row]);
        }
    }
}

/// The products of all lines.
fn all<A, V, T>(a: &A, x: &[T], y: &mut [T])
where
    A: Layout<Number = V>,
    V: Scalar,
    T: Scalar,
{
    let band = |index: usize, y: &mut [T]| match (T::LIMBS, V::LIMBS) {
        (1, 1) => band::<A, V, T, 1, 1>(a, x, index * BAND, y),
        (2, 1) => band::<A, V, T, 2, 1>(a, x, index * BAND, y),
        (3, 1) => band::<A, V, T, 3, 1>(a, x, index * BAND, y),
        (4, 1) => band::<A, V, T, 4, 1>(a, x, index * BAND, y),
        (2, _) => band::<A, V, T, 2, 2>(a, x, index * BAND, y),
        (3, _) => band::<A, V, T, 3, 3>(a, x, index * BAND, y),
        _ => band::<A, V, T, 4, 4>(a, x, index * BAND, y),
    };
    let grain = Grain::shared_if(threads::worth::<T>((), a.entries()) > 1);
    for_each(chunks(y, BAND), grain, band);
}

/// The products of the lines from `first` on.
fn band<A, V, T, const N: usize, const M: usize>(a: &A, x: &[T], first: usize, y: &mut [T])
where
    A: Layout<Number = V>,
    V: Scalar,
    T: Scalar,
{
    assert_eq!((T::LIMBS, V::LIMBS), (N, M), "values have one limb, or those of the vectors");
    let sums = dispatch(Band::<A, N, M> {
        a,
        values: limbs_of(a.values().plain()),
        x: limbs_of(x),
        first,
        count: y.len(),
    });
    for (i, y) in y.iter_mut().enumerate() {
        let sum = T::from_limbs(|limb| sums[i][limb]);
        *y = if sum.is_finite() { sum } else { reference::spmv::line(a, first + i, x) };
    }
}

/// The products of `count <= BAND` lines, with values of `M` and vectors of `N` limbs.
struct Band<'a, A, const N: usize, const M: usize> {
    a: &'a A,
    values: &'a [f64],
    x: &'a [f64],
    first: usize,
    count: usize,
}

impl<A: Layout, const N: usize, const M: usize> Kernel for Band<'_, A, N, M> {
    type Output = [[f64; N]; BAND];

    #[inline(always)]
    fn run<L: Lane>(self) -> Self::Output {
        let mut result = [[0.0; N]; BAND];
        let mut done = 0;
        while done < self.count {
            let lines = if self.count - done < L::LANES { self.count - done } else { L::LANES };
            let limbs = self.group::<L>(self.first + done, lines);
            for lane in 0..lines {
                for limb in 0..N {
                    result[done + lane][limb] = limbs[limb].lane(lane);
                }
            }
            done += lines;
        }
        result
    }
}

impl<A: Layout, const N: usize, const M: usize> Band<'_, A, N, M> {
    /// The products of as many lines as a register has lanes, or fewer.
    #[inline(always)]
    fn group<L: Lane>(&self, first: usize, lines: usize) -> [L; N] {
        let mut sum = Accumulator::<N, L>::new();
        let steps = self.a.steps(first, lines);
        for k in 0..steps {
            let (mut a, mut x) = ([L::splat(0.0); M], [L::splat(0.0); N]);
            let run = if lines == L::LANES { self.a.run(first, k, lines) } else { None };
            // Lanes whose line has ended keep their limbs as they are.
            let mut alive = L::splat(1.0);
            match run {
                Some(run) => {
                    let from = &self.values[run.at * M..][..L::LANES * M];
                    a = if M == 1 { [L::load(from); M] } else { L::load_limbs::<M>(from) };
                    match run.col {
                        Some(col) => x = L::load_limbs::<N>(&self.x[col * N..][..L::LANES * N]),
                        None => {
                            let mut columns = [0; 8];
                            for lane in 0..L::LANES {
                                columns[lane] = self.a.column(run.at + lane, k) * N;
                            }
                            for limb in 0..N {
                                x[limb] = L::from_fn(|lane| self.x[columns[lane] + limb]);
                            }
                            if N > 1 {
                                alive = L::from_fn(|lane| self.a.is_term(first + lane, k));
                            }
                        }
                    }
                }
                None => {
                    let mut places = [None; 8];
                    for lane in 0..lines {
                        places[lane] = self.a.term(first + lane, k);
                    }
                    for limb in 0..M {
                        a[limb] = L::from_fn(|lane| match places[lane] {
                            Some((at, _)) => self.values[at * M + limb],
                            None => 0.0,
                        });
                    }
                    for limb in 0..N {
                        x[limb] = L::from_fn(|lane| match places[lane] {
                            Some((_, col)) => self.x[col * N + limb],
                            None => 0.0,
                        });
                    }
                    if N > 1 && A::GAPLESS {
                        alive = L::from_fn(|lane| if places[lane].is_some() { 1.0 } else { 0.0 });
                    }
                }
            }
            if M == 1 {
                sum.add_scaled(a[0], x);
            } else {
                let mut wide = [L::splat(0.0); N];
                wide.copy_from_slice(&a[..N]);
                sum.add_product(wide, x);
            }
            if N > 1 && (k + 1) % Accumulator::<N, f64>::PERIOD == 0 {
                let before = sum.limbs();
                sum.carry();
                let mut limbs = sum.limbs();
                let ended = L::equal(alive, L::splat(0.0));
                for limb in 0..N {
                    limbs[limb] = L::select(ended, before[limb], limbs[limb]);
                }
                sum = Accumulator::from_limbs(limbs);
            }
        }
        if N == 1 { sum.limbs() } else { sum.normalized() }
    }
}
