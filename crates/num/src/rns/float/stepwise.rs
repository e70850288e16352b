//! Operations on lines of numbers, with every product and every sum rounded by itself.
//!
//! The order is that of [`mp::stepwise`](crate::mp::stepwise), so that results have the bits of
//! binary numbers of the same precision, whatever the moduli. A sum of `k` products is within
//! `k·u·Σ|x||y|` of the exact one, to first order in `u`.
//!
//! **Cost** of a product and a sum, with `n` moduli, in products of words: as the [module
//! documentation](super) says; a product with an `f64` is of `p + 53` bits, of which 53 are rounded
//! off, `2n` for each 26 to 29 bits.

use super::arithmetic::special;
use super::bounds::{Bounds, UNIT};
use super::format::{CAPACITY, Format, GROUP, Tables};
use super::modular::{multiplied, reduced};
use super::numbers::{RnsSlice, RnsSliceMut};
use super::{RnsFloat, RnsRef};
use crate::mp::stepwise::PARTIALS;
use crate::mp::{Head, product_of_specials};

/// Bits of the significand of an `f64`.
const DOUBLE: usize = 53;

/// What numbers are multiplied by.
pub trait Factor: Copy {
    /// The product with a number of the format, rounded to it: its head, bounds and residues.
    #[doc(hidden)]
    fn times(self, y: RnsRef<'_>, to: &mut Register);
}

/// A number in memory of its own.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct Register {
    head: Head,
    bounds: Bounds,
    residues: [u32; CAPACITY],
}

impl Register {
    /// Zero.
    pub(super) fn zero() -> Self {
        Self { head: Head::zero(false), bounds: Bounds::HALF, residues: [0; CAPACITY] }
    }

    fn of(x: RnsRef<'_>) -> Self {
        let mut register = Self { head: x.head, bounds: x.bounds, ..Self::zero() };
        register.residues[..x.residues.len()].copy_from_slice(x.residues);
        register
    }

    fn to_number(&self, format: &Format) -> RnsFloat {
        let Self { head, bounds, residues } = self;
        let residues = residues[..format.lanes()].to_vec();
        RnsFloat { format: format.clone(), head: *head, bounds: *bounds, residues }
    }

    fn view<'a>(&'a self, format: &'a Format) -> RnsRef<'a> {
        let residues = &self.residues[..format.lanes()];
        RnsRef { format, head: self.head, bounds: self.bounds, residues }
    }

    fn set(
        &mut self,
        format: &Format,
        function: impl FnOnce(&Tables, &mut [u32]) -> (Head, Bounds),
    ) {
        let residues = &mut self.residues[..format.lanes()];
        (self.head, self.bounds) = function(format.tables(), residues);
    }
}

impl Factor for RnsRef<'_> {
    #[inline(always)]
    fn times(self, y: RnsRef<'_>, to: &mut Register) {
        to.set(y.format, |tables, to| tables.product(self, y, to));
    }
}

impl Factor for f64 {
    #[inline(always)]
    fn times(self, y: RnsRef<'_>, to: &mut Register) {
        to.set(y.format, |tables, to| tables.product_with_double(self, y, to));
    }
}

/// Sign, significand of 53 bits and exponent `e` of a finite number other than zero: `|x| =
/// significand·2^(e − 53)`.
fn parts(x: f64) -> (bool, u64, i64) {
    const STORED: u32 = 52;
    let bits = x.to_bits();
    let fraction = bits & ((1 << STORED) - 1);
    let code = (bits >> STORED) & 0x7ff;
    let (significand, exponent) = match code {
        0 => {
            let up = fraction.leading_zeros() - (63 - STORED);
            (fraction << up, -1021 - i64::from(up))
        }
        _ => (fraction | 1 << STORED, code as i64 - 1022),
    };
    (bits >> 63 == 1, significand, exponent)
}

impl Tables {
    /// `x·y`, for a number `y` of this format of at least 53 bits.
    fn product_with_double(&self, x: f64, y: RnsRef<'_>, to: &mut [u32]) -> (Head, Bounds) {
        if x == 0.0 || !x.is_finite() || y.head.exponent().is_none() {
            return special(product_of_specials(head(x), y.head), to);
        }
        let (negative, significand, exponent) = parts(x);
        to.copy_from_slice(y.residues);
        self.multiply(to, &self.units[0]);
        self.multiply(to, &self.units[0]);
        // Now `y·2^64`; the factor is `x/2^32`.
        let moduli = self.moduli.as_chunks::<GROUP>().0.iter();
        let moduli = moduli.zip(self.inverses.as_chunks::<GROUP>().0);
        for (to, (m, inverse)) in to.as_chunks_mut::<GROUP>().0.iter_mut().zip(moduli) {
            *to = core::array::from_fn(|i| {
                let factor = reduced(significand, m[i], inverse[i]);
                multiplied(factor, to[i], m[i], inverse[i])
            });
        }
        let wide = |bound: u64| u128::from(bound) * u128::from(significand << (62 - DOUBLE));
        let low = wide(y.bounds.low()) >> 62;
        let high = (wide(y.bounds.high()) + u128::from(UNIT - 1)) >> 62;
        let scale = (self.bits + DOUBLE) as i64 - 62;
        let mut z = self.resolve(to, low as u64, high as u64, scale);
        z.negative = negative != y.head.is_negative();
        let unit = exponent + i64::from(y.head.code()) - (self.bits + DOUBLE) as i64;
        self.finish(to, z, unit)
    }
}

/// The class and sign of a number that is zero or not finite; of others those of one.
fn head(x: f64) -> Head {
    let negative = x.is_sign_negative();
    match x {
        _ if x.is_nan() => Head::NAN,
        _ if x.is_infinite() => Head::infinity(negative),
        0.0 => Head::zero(negative),
        _ => Head::finite(negative, 1),
    }
}

/// The sum of products of factors and numbers, from the first to the last.
///
/// Panics unless the format has 53 bits, where factors are `f64`s, or is that of the factors.
pub fn dot<'a, F: Factor>(
    format: &Format,
    terms: impl Iterator<Item = (F, RnsRef<'a>)>,
) -> RnsFloat {
    let mut sum = Register::zero();
    add_products(format, terms, &mut sum);
    sum.to_number(format)
}

/// `(start − Σ x·y)·factor`, with products taken off from the first to the last: a row of a
/// triangle.
///
/// Panics as [`dot`].
pub fn less_products<'a, F: Factor>(
    start: RnsRef<'_>,
    terms: impl Iterator<Item = (F, RnsRef<'a>)>,
    factor: F,
) -> RnsFloat {
    let format = start.format;
    let (mut term, mut next) = (Register::zero(), Register::zero());
    let mut rest = Register::of(start);
    for (x, y) in terms {
        assert!(*y.format == *format, "format");
        x.times(y, &mut term);
        let minus = term.view(format).negated();
        next.set(format, |tables, to| tables.sum(rest.view(format), minus, to));
        core::mem::swap(&mut rest, &mut next);
    }
    factor.times(rest.view(format), &mut term);
    term.to_number(format)
}

/// The same, in place of a number of a line.
pub fn dot_to<'a, F: Factor>(
    terms: impl Iterator<Item = (F, RnsRef<'a>)>,
    to: &mut RnsSliceMut<'_>,
    i: usize,
) {
    let mut sum = Register::zero();
    let format = to.format();
    add_products(format, terms, &mut sum);
    to.set(i, sum.view(format));
}

/// `sum ← sum + Σ x·y`
fn add_products<'a, F: Factor>(
    format: &Format,
    terms: impl Iterator<Item = (F, RnsRef<'a>)>,
    sum: &mut Register,
) {
    let (mut term, mut next) = (Register::zero(), Register::zero());
    for (x, y) in terms {
        assert!(*y.format == *format, "format");
        x.times(y, &mut term);
        next.set(format, |tables, to| tables.sum(sum.view(format), term.view(format), to));
        core::mem::swap(sum, &mut next);
    }
}

/// The sum of the products of two lines of equal length: product `i` belongs to sum `i mod 256`, of
/// [`PARTIALS`], which are added pairwise, neighbours first.
///
/// Panics where the lines differ in length or format.
pub fn strided_dot(x: RnsSlice<'_>, y: RnsSlice<'_>) -> RnsFloat {
    assert_eq!(x.len(), y.len(), "lengths");
    assert!(x.format() == y.format(), "format");
    let format = x.format();
    let mut result = RnsFloat::zero(format);
    // Sums of 1, 2, 4, … partial sums that wait for their neighbours.
    let mut waiting: [Option<RnsFloat>; PARTIALS.ilog2() as usize + 1] = Default::default();
    for partial in 0..PARTIALS {
        let places = (partial..x.len()).step_by(PARTIALS);
        let mut sum = dot(format, places.map(|i| (x.at(i), y.at(i))));
        for level in &mut waiting {
            let Some(neighbour) = level.take() else {
                *level = Some(sum);
                break;
            };
            result.set_sum(neighbour.view(), sum.view());
            sum.clone_from(&result);
        }
    }
    // All partial sums have found their neighbours.
    waiting.into_iter().flatten().next_back().unwrap_or(result)
}

/// `y ← y + α·x`, entry by entry.
///
/// Panics unless all have one format and the lines the same length.
pub fn axpy(alpha: RnsRef<'_>, x: RnsSlice<'_>, y: RnsSliceMut<'_>) {
    each(x, y, |tables, x, y, (term, to)| {
        let format = y.format;
        term.set(format, |_, to| tables.product(alpha, x, to));
        to.set(format, |_, to| tables.sum(y, term.view(format), to));
    });
}

/// `y ← x + β·y`, entry by entry.
///
/// Panics unless all have one format and the lines the same length.
pub fn xpay(x: RnsSlice<'_>, beta: RnsRef<'_>, y: RnsSliceMut<'_>) {
    each(x, y, |tables, x, y, (term, to)| {
        let format = y.format;
        term.set(format, |_, to| tables.product(beta, y, to));
        to.set(format, |_, to| tables.sum(x, term.view(format), to));
    });
}

/// `y ← x·y`, entry by entry.
///
/// Panics unless all have one format and the lines the same length.
pub fn multiply(x: RnsSlice<'_>, y: RnsSliceMut<'_>) {
    each(x, y, |tables, x, y, (_, to)| {
        to.set(y.format, |_, to| tables.product(x, y, to));
    });
}

/// `x ← α·x`, entry by entry.
///
/// Panics unless all have one format.
pub fn scale(alpha: RnsRef<'_>, mut x: RnsSliceMut<'_>) {
    let mut product = Register::zero();
    for i in 0..x.len() {
        alpha.times(x.as_slice().at(i), &mut product);
        x.set(i, product.view(x.format()));
    }
}

/// What becomes of entries, from both and a register for what is between.
fn each(
    x: RnsSlice<'_>,
    mut y: RnsSliceMut<'_>,
    operation: impl Fn(&Tables, RnsRef<'_>, RnsRef<'_>, (&mut Register, &mut Register)),
) {
    assert_eq!(x.len(), y.len(), "lengths");
    assert!(x.format() == y.format(), "format");
    let tables = x.format().tables();
    let (mut term, mut result) = (Register::zero(), Register::zero());
    for i in 0..x.len() {
        operation(tables, x.at(i), y.as_slice().at(i), (&mut term, &mut result));
        y.set(i, result.view(y.format()));
    }
}
