//! Symmetric systems in MPFR: the judge of solutions.
//!
//! The matrix is read from its decimal text by a few lines of its own, so that the reader of Nonius
//! is judged too. It is factored as `L·D·Lᵀ` inside its profile (the entries of each row from the
//! first that is not zero to the diagonal), where alone `L` has entries; George and Liu, *Computer
//! Solution of Large Sparse Positive Definite Systems* (1981), ch. 4. The relative error of a
//! solution is about `n·κ·2^-p` for `p` bits where the matrix is positive definite; for others
//! there is no bound, so whoever solves has to look at the residual.

use std::fs;
use std::io::Read;
use std::path::Path;

use rug::Float;

/// A symmetric matrix by the rows of its lower triangle, each from its first entry to the diagonal.
#[derive(Clone, Debug)]
pub struct Profile {
    bits: u32,
    rows: Vec<Vec<Float>>,
}

impl Profile {
    /// Reads a real symmetric Matrix Market file, coordinate or array, perhaps packed by xz, and
    /// rounds its decimals to `bits`. Panics where it is anything else.
    pub fn read(path: &Path, bits: u32) -> Self {
        let mut bytes = fs::read(path).expect("the file can be read");
        if path.extension().is_some_and(|extension| extension == "xz") {
            let mut unpacked = Vec::new();
            let mut reader = lzma_rust2::XzReader::new(bytes.as_slice(), false);
            reader.read_to_end(&mut unpacked).expect("the file is whole");
            bytes = unpacked;
        }
        let text = String::from_utf8(bytes).expect("the file is text");
        let (banner, rest) = text.split_once('\n').expect("the file has lines");
        assert!(banner.ends_with("real symmetric"), "{banner}");
        let mut lines = rest.lines().filter(|line| !line.starts_with('%'));
        let size = lines.next().expect("the file has a size");
        let n: usize = size.split_whitespace().next().expect("a number").parse().expect("a number");
        let entries: Vec<(usize, usize, Float)> = if banner.contains("coordinate") {
            lines.map(|line| coordinate(line, bits)).collect()
        } else {
            let places = (0..n).flat_map(|j| (j..n).map(move |i| (i, j)));
            places.zip(lines).map(|((i, j), line)| (i, j, decimal(line, bits))).collect()
        };
        let mut first: Vec<usize> = (0..n).collect();
        for &(i, j, _) in &entries {
            first[i] = first[i].min(j);
        }
        let zeros = |i: usize| vec![Float::new(bits); i + 1 - first[i]];
        let mut rows: Vec<Vec<Float>> = (0..n).map(zeros).collect();
        for (i, j, value) in entries {
            rows[i][j - first[i]] = value;
        }
        Self { bits, rows }
    }

    /// Order of the matrix.
    pub fn order(&self) -> usize {
        self.rows.len()
    }

    fn first(&self, i: usize) -> usize {
        i + 1 - self.rows[i].len()
    }

    /// `A·x`.
    pub fn product(&self, x: &[Float]) -> Vec<Float> {
        let mut y = vec![Float::new(self.bits); self.order()];
        for (i, row) in self.rows.iter().enumerate() {
            for (j, entry) in (self.first(i)..).zip(row) {
                y[i] += entry * &x[j];
                if i != j {
                    y[j] += entry * &x[i];
                }
            }
        }
        y
    }

    /// `L` below and `D` on the diagonal.
    #[must_use]
    pub fn factor(mut self) -> Self {
        for i in 0..self.order() {
            let start = self.first(i);
            let (done, rest) = self.rows.split_at_mut(i);
            let row = &mut rest[0];
            // First the entries of L·D, from left to right; then those of L and the pivot.
            for j in start..i {
                let (before, here) = row.split_at_mut(j - start);
                let other = &done[j];
                let other_start = j + 1 - other.len();
                let common = start.max(other_start);
                for (x, y) in before[common.min(j) - start..]
                    .iter()
                    .zip(&other[common.min(j) - other_start..])
                {
                    here[0] -= x * y;
                }
            }
            let (last, before) = row.split_last_mut().expect("a row has its diagonal");
            for (j, entry) in (start..).zip(before) {
                let pivot = &done[j][done[j].len() - 1];
                let quotient = Float::with_val(self.bits, &*entry / pivot);
                *last -= &quotient * &*entry;
                *entry = quotient;
            }
        }
        self
    }

    /// The solution of `L·D·Lᵀ·x = b` for a [`factor`](Self::factor).
    pub fn solve(&self, b: &[Float]) -> Vec<Float> {
        let mut x: Vec<Float> = b.iter().map(|b| Float::with_val(self.bits, b)).collect();
        for (i, row) in self.rows.iter().enumerate() {
            for (j, entry) in (self.first(i)..i).zip(row) {
                let (before, here) = x.split_at_mut(i);
                here[0] -= entry * &before[j];
            }
        }
        for (x, row) in x.iter_mut().zip(&self.rows) {
            *x /= &row[row.len() - 1];
        }
        for (i, row) in self.rows.iter().enumerate().rev() {
            for (j, entry) in (self.first(i)..i).zip(row) {
                let (before, here) = x.split_at_mut(i);
                before[j] -= entry * &here[0];
            }
        }
        x
    }
}

fn coordinate(line: &str, bits: u32) -> (usize, usize, Float) {
    let mut words = line.split_whitespace();
    let mut word = || words.next().expect("three words");
    let mut index = || word().parse::<usize>().expect("an index") - 1;
    (index(), index(), decimal(word(), bits))
}

fn decimal(text: &str, bits: u32) -> Float {
    Float::with_val(bits, Float::parse(text.trim()).expect("a decimal"))
}

/// `max |x − y| / max |y|`.
pub fn relative_error(x: &[Float], y: &[Float]) -> f64 {
    let largest = |values: &mut dyn Iterator<Item = Float>| {
        values.fold(Float::new(53), |largest, value| largest.max(&value.abs()))
    };
    let difference = largest(&mut x.iter().zip(y).map(|(x, y)| Float::with_val(y.prec(), x - y)));
    (difference / largest(&mut y.iter().cloned())).to_f64()
}
