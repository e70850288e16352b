//! Numbers with so many bits that they count as exact beside those that are tested, and the sums of
//! magnitudes that bounds of error are multiples of.

use core::ops::Range;

use nonius_linalg::mp::{Bits, Mp};

/// The bits, for numbers of up to [`SPARE`] bits less.
pub(super) fn wide() -> Bits {
    Bits::new(704).unwrap_or_else(|_| unreachable!("704 bits are a precision"))
}

/// Bits that exact numbers have beyond those that are tested.
const SPARE: u32 = 280;

/// The bits of exact numbers beside numbers of `bits` bits.
pub(super) fn wide_beside(bits: Bits) -> Bits {
    let wider = Bits::new(bits.get() + SPARE);
    wider.unwrap_or_else(|error| panic!("{error}")).max(wide())
}

/// A number, and what its formula yields with magnitudes in place of numbers and sums in place of
/// differences, rounded.
#[derive(Clone, Debug)]
pub(super) struct Exact {
    pub(super) value: Mp,
    pub(super) size: f64,
}

impl Exact {
    pub(super) fn new(value: &Mp) -> Self {
        Self { value: value.view().to_mp(value.bits().max(wide())), size: value.to_f64().abs() }
    }

    pub(super) fn of(x: f64) -> Self {
        Self { value: Mp::from_f64(wide(), x), size: x.abs() }
    }

    pub(super) fn zero() -> Self {
        Self::of(0.0)
    }

    pub(super) fn add(&mut self, x: &Self) {
        self.value += x.value;
        self.size += x.size;
    }

    pub(super) fn add_product(&mut self, x: &Self, y: &Self) {
        if !x.value.is_zero() && !y.value.is_zero() {
            self.value += x.value * y.value;
            self.size += x.size * y.size;
        }
    }

    pub(super) fn times(&self, alpha: f64) -> Self {
        let mut product = Self::zero();
        product.add_product(&Self::of(alpha), self);
        product
    }

    /// How far a number is from this one.
    pub(super) fn distance(&self, found: &Mp) -> f64 {
        (self.value - found.view().to_mp(found.bits().max(wide()))).abs().to_f64()
    }
}

/// Panics where an error is above its bound, or no number.
pub(super) fn assert_bound(error: f64, bound: f64, what: &str) {
    // Bounds are themselves rounded sums of products, of at most this many terms.
    const TERMS: f64 = 65_536.0;
    assert!(error <= bound * (1.0 + TERMS * f64::EPSILON), "{what}: {error:e} > {bound:e}");
}

/// A matrix with blocks on its diagonal: squares column by column, then the diagonal block.
#[derive(Clone, Debug)]
pub(super) struct Blocks {
    /// Of the squares.
    pub(super) orders: Vec<usize>,
    pub(super) parts: Vec<Vec<Exact>>,
    /// The rows of the diagonal block that second-order cones have.
    pub(super) cones: Vec<Range<usize>>,
}

impl Blocks {
    /// The entries of the squares by block, row and column, and those of the diagonal.
    pub(super) fn from_fn(
        orders: &[usize],
        diagonal: usize,
        cones: &[Range<usize>],
        mut entry: impl FnMut(usize, usize, usize) -> Exact,
    ) -> Self {
        let mut parts: Vec<Vec<Exact>> = Vec::new();
        for (block, &n) in orders.iter().enumerate() {
            parts.push((0..n * n).map(|place| entry(block, place % n, place / n)).collect());
        }
        parts.push((0..diagonal).map(|i| entry(orders.len(), i, i)).collect());
        Self { orders: orders.to_vec(), parts, cones: cones.to_vec() }
    }

    /// The same shape with other entries.
    pub(super) fn with(&self, entry: impl FnMut(usize, usize, usize) -> Exact) -> Self {
        Self::from_fn(&self.orders, self.vectors().len(), &self.cones, entry)
    }

    /// The entries of the diagonal block.
    pub(super) fn vectors(&self) -> &[Exact] {
        &self.parts[self.orders.len()]
    }

    /// Whether an entry is one of a second-order cone, of which squares and rows know nothing.
    pub(super) fn is_of_cone(&self, block: usize, i: usize) -> bool {
        block == self.orders.len() && self.cones.first().is_some_and(|cone| i >= cone.start)
    }

    /// The same with other entries in second-order cones: `f` makes them of those of some matrices.
    pub(super) fn with_cones<const N: usize>(
        mut self,
        from: [&Self; N],
        f: impl Fn([&[Exact]; N]) -> Vec<Exact>,
    ) -> Self {
        let last = self.orders.len();
        for cone in self.cones.clone() {
            let made = f(from.map(|a| &a.vectors()[cone.clone()]));
            self.parts[last][cone].clone_from_slice(&made);
        }
        self
    }

    /// The rows of a block; in the diagonal one an entry stands alone in its row.
    pub(super) fn order(&self, block: usize) -> usize {
        self.orders.get(block).copied().unwrap_or(self.parts[block].len())
    }

    pub(super) fn at(&self, block: usize, i: usize, j: usize) -> &Exact {
        match self.orders.get(block) {
            Some(n) => &self.parts[block][i + j * n],
            None => &self.parts[block][i],
        }
    }

    /// The places where rows of a block have entries beside `i`.
    pub(super) fn terms(&self, block: usize, i: usize) -> std::ops::Range<usize> {
        self.orders.get(block).map_or(i..i + 1, |&n| 0..n)
    }

    pub(super) fn transposed(&self) -> Self {
        self.with(|block, i, j| self.at(block, j, i).clone())
    }

    pub(super) fn times(&self, b: &Self) -> Self {
        self.with(|block, i, j| {
            let mut sum = Exact::zero();
            for k in self.terms(block, i) {
                sum.add_product(self.at(block, i, k), b.at(block, k, j));
            }
            sum
        })
    }

    /// `A·x` for a vector with an entry for each row, those of the diagonal block last.
    pub(super) fn times_vector(&self, x: &[Exact]) -> Vec<Exact> {
        let mut product = Vec::with_capacity(x.len());
        for block in 0..self.parts.len() {
            let (start, order) = (product.len(), self.order(block));
            for i in 0..order {
                let mut sum = Exact::zero();
                for k in self.terms(block, i) {
                    sum.add_product(self.at(block, i, k), &x[start + k]);
                }
                product.push(sum);
            }
        }
        product
    }

    /// Entries that are as large as the sizes of these.
    pub(super) fn sizes(&self) -> Self {
        self.with(|block, i, j| Exact::of(self.at(block, i, j).size))
    }
}
