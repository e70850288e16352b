use nonius_num::{Dd, Qd, Real};

use super::symbolic::products;
use super::tree::{NONE, Rows, counts, parents, postorder};
use super::{Cliques, Factor, Limits, Lower, Symbolic, ordering};
use crate::backend::Cpu;
use crate::dense::cholesky::Cholesky;
use crate::dense::gemm::Arithmetic;
use crate::dense::{MatRef, Triangle};
use crate::{Matrix, Numbers, Scalar};

const ALL: Limits = Limits { entries: usize::MAX, operations: f64::INFINITY };

/// A congruential sequence.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0 >> 33
    }

    fn below(&mut self, n: usize) -> usize {
        self.next() as usize % n
    }

    /// Between ±1.
    fn unit(&mut self) -> f64 {
        self.next() as f64 / (1_u64 << 30) as f64 - 1.0
    }
}

/// The pattern with entries where row and column are in one of the sets.
fn pattern(order: usize, mut sets: Vec<Vec<u32>>) -> Lower {
    for set in &mut sets {
        set.sort_unstable();
        set.dedup();
    }
    let cliques = Cliques::new(order, sets.iter().map(|set| &set[..])).unwrap();
    cliques.lower(|number| &sets[number], usize::MAX).unwrap()
}

/// Patterns of all kinds with their names.
fn patterns() -> Vec<(String, Lower)> {
    let mut random = Random(1);
    let mut all = Vec::new();
    let mut add = |name: &str, order: usize, sets: Vec<Vec<u32>>| {
        all.push((format!("{name} of order {order}"), pattern(order, sets)));
    };
    for n in [0, 1, 2, 3, 70, 200] {
        let pairs = |step: u32| (0..n as u32).skip(1).map(move |i| vec![i, (i - 1) / step]);
        add("diagonal", n, vec![]);
        add("chain", n, pairs(1).map(|pair| vec![pair[0] - 1, pair[0]]).collect());
        add("tree", n, pairs(3).collect());
        add("arrow", n, (1..n as u32).map(|i| vec![0, i]).collect());
        add("full", n, vec![(0..n as u32).collect()]);
        add("halves", n, vec![(0..n as u32 / 2).collect(), (n as u32 / 2..n as u32).collect()]);
    }
    let at = |row: u32, col: u32| 17 * row + col;
    let cells = || (0..17).flat_map(|i| (0..17).map(move |j| (i, j)));
    let across = cells().filter(|&(_, j)| j < 16).map(|(i, j)| vec![at(i, j), at(i, j + 1)]);
    let down = cells().filter(|&(i, _)| i < 16).map(|(i, j)| vec![at(i, j), at(i + 1, j)]);
    add("grid", 289, across.chain(down).collect());
    let wide = (0..40).map(|s| (0..5).map(|i| 5 + 5 * s + i).chain(0..5).collect());
    add("wide arrow", 205, wide.collect());
    for (n, count, size) in [(30, 10, 3), (100, 60, 3), (100, 200, 2), (150, 12, 20), (300, 280, 2)]
    {
        let set = |random: &mut Random| (0..size).map(|_| random.below(n) as u32).collect();
        add("random", n, (0..count).map(|_| set(&mut random)).collect());
    }
    all
}

/// A matrix with the pattern: its entries, and all of it. Diagonally dominant, but for scales of
/// rows and columns.
fn matrix<T: Scalar>(lower: &Lower, random: &mut Random) -> (Numbers<T>, Matrix<T>) {
    let n = lower.order();
    let mut all = Matrix::<T>::zeros(n, n);
    let mut sums = vec![0.0; n];
    let thin =
        |random: &mut Random| T::from_f64(random.unit()) + T::from_f64(random.unit()).ldexp(-60);
    for j in 0..n {
        for &i in &lower.column(j)[1..] {
            let x = thin(random);
            all[(i as usize, j)] = x;
            sums[i as usize] += x.abs().to_f64();
            sums[j] += x.abs().to_f64();
        }
    }
    (0..n).for_each(|i| all[(i, i)] = thin(random).abs() + T::from_f64(1.0 / 64.0 + sums[i]));
    let scales: Vec<i32> = (0..n).map(|_| random.below(9) as i32).collect();
    for (i, j) in (0..n).flat_map(|j| (j..n).map(move |i| (i, j))) {
        all[(i, j)] = all[(i, j)].ldexp(scales[i] + scales[j]);
        all[(j, i)] = all[(i, j)];
    }
    (entries(lower, &all), all)
}

/// The entries of a matrix that the pattern has.
fn entries<T: Scalar>(lower: &Lower, all: &Matrix<T>) -> Numbers<T> {
    let rows = |j: usize| lower.column(j).iter().map(move |&i| all[(i as usize, j)]);
    (0..lower.order()).flat_map(rows).collect::<Vec<T>>().into()
}

/// Where the factor of a permuted matrix has entries, by elimination of one row after the other.
fn filled(lower: &Lower, places: &[u32]) -> Vec<Vec<bool>> {
    let n = lower.order();
    let mut is_entry = vec![vec![false; n]; n];
    for j in 0..n {
        for &i in lower.column(j) {
            let (i, j) = (places[i as usize] as usize, places[j] as usize);
            is_entry[i.max(j)][i.min(j)] = true;
        }
    }
    for k in 0..n {
        let rows: Vec<usize> = (k + 1..n).filter(|&i| is_entry[i][k]).collect();
        for (at, &j) in rows.iter().enumerate() {
            rows[at..].iter().for_each(|&i| is_entry[i][j] = true);
        }
    }
    is_entry
}

#[test]
fn trees_and_counts_are_those_of_elimination() {
    for (name, lower) in patterns() {
        let n = lower.order();
        let order = ordering::fill_reducing(&lower);
        let places = ordering::inverse(&order);
        let mut sorted = order.clone();
        sorted.sort_unstable();
        assert!(sorted.iter().copied().eq(0..n as u32), "{name}");
        let (is_entry, rows) = (filled(&lower, &places), Rows::new(&lower, &places));
        let tree = parents(&rows);
        let found = counts(&rows, &tree, usize::MAX).unwrap();
        for j in 0..n {
            let below = (j + 1..n).filter(|&i| is_entry[i][j]);
            assert_eq!(tree[j], below.clone().next().map_or(NONE, |i| i as u32), "{name}, {j}");
            assert_eq!(found[j] as usize, 1 + below.count(), "{name}, {j}");
        }
        let all = found.iter().map(|&count| count as usize).sum();
        assert!(counts(&rows, &tree, all).is_some(), "{name}");
        assert!(n == 0 || counts(&rows, &tree, all - 1).is_none(), "{name}");
        // Descendants of a column are those right before it.
        let places = ordering::inverse(&postorder(&tree));
        let mut sizes = vec![1; n];
        for j in 0..n {
            if tree[j] != NONE {
                let parent = tree[j] as usize;
                assert!(places[j] < places[parent], "{name}");
                sizes[parent] += sizes[j];
            }
        }
        for j in (0..n).filter(|&j| tree[j] != NONE) {
            let parent = tree[j] as usize;
            assert!(places[parent] - places[j] < sizes[parent], "{name}");
            assert!(places[j] + sizes[parent] >= places[parent] + sizes[j], "{name}");
        }
    }
}

#[test]
fn panels_have_all_entries_of_the_factor() {
    for (name, lower) in patterns() {
        let n = lower.order();
        let symbolic = Symbolic::new(lower, ALL).unwrap();
        let is_entry = filled(symbolic.lower(), &ordering::inverse(symbolic.order()));
        let (shape, mut stored, mut needed) = (symbolic.shape(), 0, 0);
        for s in 0..shape.len() {
            let below = shape.below(s);
            assert!(below.is_sorted_by(|x, y| x < y), "{name}");
            for j in shape.columns(s) {
                let rows: Vec<usize> = (j..n).filter(|&i| is_entry[i][j]).collect();
                let in_panel = |&i: &usize| {
                    shape.columns(s).contains(&i) || below.binary_search(&(i as u32)).is_ok()
                };
                assert!(rows.iter().all(in_panel), "{name}, column {j}");
                needed += rows.len();
                stored += shape.height(s) - (j - shape.columns(s).start);
            }
        }
        assert!(stored <= 2 * needed, "{name}: {stored} instead of {needed}");
    }
}

#[test]
fn limits_are_met() {
    for (name, lower) in patterns() {
        let symbolic = Symbolic::new(lower.clone(), ALL).unwrap();
        let shape = symbolic.shape();
        let panels: usize = (0..shape.len()).map(|s| shape.width(s) * shape.height(s)).sum();
        let (_, _, _, operations) = products(shape);
        let exact = Limits { entries: panels + lower.entries(), operations };
        assert!(Symbolic::new(lower.clone(), exact).is_some(), "{name}");
        if lower.order() > 0 {
            let entries = Limits { entries: exact.entries - 1, ..exact };
            assert!(Symbolic::new(lower.clone(), entries).is_none(), "{name}");
            let operations = Limits { operations: 0.999 * exact.operations, ..exact };
            assert!(Symbolic::new(lower, operations).is_none(), "{name}");
        }
    }
}

/// The factor with its rows and columns in the order of elimination.
fn dense<T: Scalar>(symbolic: &Symbolic, factor: &Factor<T>) -> Matrix<T> {
    let (n, shape) = (symbolic.lower().order(), symbolic.shape());
    let mut l = Matrix::zeros(n, n);
    for s in 0..shape.len() {
        let (panel, own) = (factor.panel(symbolic, s), shape.columns(s));
        let rows: Vec<usize> =
            own.clone().chain(shape.below(s).iter().map(|&row| row as usize)).collect();
        for (at, j) in own.enumerate() {
            (at..rows.len()).for_each(|i| l[(rows[i], j)] = panel[(i, at)]);
        }
    }
    l
}

/// The factor's product is within the bound of the module, and solutions are those of a dense
/// factor.
fn check<T: Scalar>() {
    let (cpu, mut random) = (Cpu::default(), Random(2));
    for (name, lower) in patterns() {
        let n = lower.order();
        let (values, all) = matrix::<T>(&lower, &mut random);
        let symbolic = Symbolic::new(lower, ALL).unwrap();
        let mut factor = Factor::<T>::new((), &symbolic).unwrap();
        // Nothing of an earlier factor is left.
        for _ in 0..2 {
            assert!(factor.factor(&cpu, &symbolic, &values).unwrap(), "{name}");
        }
        let l = dense(&symbolic, &factor);
        let error = |terms| Arithmetic::Delayed.error::<T>(terms);
        let bound = error(n) + n as f64 * (error(0) + 2.0) + 8.0;
        let order = symbolic.order();
        for (i, j) in (0..n).flat_map(|j| (j..n).map(move |i| (i, j))) {
            let (mut rest, mut size) = (all[(order[i] as usize, order[j] as usize)], 0.0);
            for k in 0..=j {
                rest -= l[(i, k)] * l[(j, k)];
                size += (l[(i, k)] * l[(j, k)]).abs().to_f64();
            }
            // The test's own rounding is as large.
            let units = rest.abs().to_f64() / T::UNIT_ROUNDOFF;
            assert!(units <= 2.0 * bound * size, "{name}, ({i}, {j}): {units} units of {size}");
        }

        let right: Vec<T> = (0..n).map(|_| T::from_f64(random.unit())).collect();
        let (mut x, mut work): (Numbers<T>, Numbers<T>) =
            (right.clone().into(), right.clone().into());
        factor.solve(&cpu, &symbolic, &mut x, &mut work);
        let reference = Cholesky::factor(Triangle::Lower, all.view()).unwrap();
        let y = reference.solve(MatRef::from_column(&right)).unwrap();
        for i in 0..n {
            let terms = |x: &[T]| (0..n).map(|j| all[(i, j)] * x[j]).fold(T::ZERO, |s, x| s + x);
            let residual = (terms(x.plain()) - right[i]).abs().to_f64() / T::UNIT_ROUNDOFF;
            let size =
                |x: T, j: usize| x.abs().to_f64() * (all[(i, i)] * all[(j, j)]).sqrt().to_f64();
            let size: f64 = x.plain().iter().enumerate().map(|(j, &x)| size(x, j)).sum();
            assert!(residual <= 4.0 * bound * size, "{name}, row {i}: {residual} units of {size}");
            let other = (terms(y.as_slice()) - right[i]).abs().to_f64() / T::UNIT_ROUNDOFF;
            assert!(other <= 4.0 * bound * size, "{name}, row {i} of the dense solution");
        }
    }
}

#[test]
fn factors_of_f64() {
    check::<f64>();
}

#[test]
fn factors_of_dd() {
    check::<Dd>();
}

#[test]
fn factors_of_qd() {
    check::<Qd>();
}

#[test]
fn what_is_not_definite_has_no_factor() {
    let (cpu, mut random) = (Cpu::default(), Random(3));
    for (name, lower) in patterns() {
        let n = lower.order();
        let (_, all) = matrix::<Dd>(&lower, &mut random);
        let symbolic = Symbolic::new(lower, ALL).unwrap();
        let mut factor = Factor::<Dd>::new((), &symbolic).unwrap();
        let mut places = vec![0, n / 2, n.saturating_sub(1)];
        places.truncate(n);
        for i in places {
            let pivot = all[(i, i)];
            for other in [-pivot, Dd::ZERO, Dd::from_f64(f64::NAN), Dd::from_f64(f64::INFINITY)] {
                let mut spoilt = all.clone();
                spoilt[(i, i)] = other;
                let values = entries(symbolic.lower(), &spoilt);
                let found = factor.factor(&cpu, &symbolic, &values).unwrap();
                assert!(!found, "{name}, pivot {i}: {other:?}");
            }
        }
        if n > 0 {
            let values = entries(symbolic.lower(), &all);
            assert!(factor.factor(&cpu, &symbolic, &values).unwrap(), "{name}");
        }
    }
}

#[test]
fn threads_do_not_change_a_factor() {
    let mut random = Random(4);
    for (name, lower) in patterns() {
        let (values, _) = matrix::<Dd>(&lower, &mut random);
        let symbolic = Symbolic::new(lower, ALL).unwrap();
        let run = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| {
                let mut factor = Factor::<Dd>::new((), &symbolic).unwrap();
                assert!(factor.factor(&Cpu::default(), &symbolic, &values).unwrap(), "{name}");
                dense(&symbolic, &factor)
            })
        };
        let one = run(1);
        for threads in [2, 5] {
            assert!(run(threads) == one, "{name}, {threads} threads");
        }
    }
}
