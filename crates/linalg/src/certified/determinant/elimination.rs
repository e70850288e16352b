//! The determinant by elimination with as many bits as it takes.

use nonius_num::mp::Bits;

use super::super::condition::condition;
use super::super::factors::Factors;
use super::super::inverse::Inverse;
use super::super::machine::Machine;
use super::super::magnitude::Magnitude;
use super::super::system::{System, to_f64};
use super::bound::{Source, Triangles};
use super::found::{Found, Product};
use crate::{Error, Matrix, mp};

/// Bits of the first inverses of triangles.
const TRIANGLES: u32 = 64;

/// What factors with `bits` bits prove, with an estimate of the condition; `None` where elimination
/// meets a zero.
pub(super) fn eliminate<M: Machine>(
    machine: &M,
    system: &System,
    bits: Bits,
) -> Result<Option<(Found, Magnitude)>, Error> {
    match Factors::of(system.rows.with_bits(bits)) {
        Ok(factors) => prove(machine, system, &factors).map(Some),
        Err(Error::Singular { .. }) => Ok(None),
        Err(error) => Err(error),
    }
}

/// Bounds the error of the product of the pivots, by inverses of the triangles with as few bits as
/// do.
fn prove<M: Machine>(
    machine: &M,
    system: &System,
    factors: &Factors,
) -> Result<(Found, Magnitude), Error> {
    let (n, p) = (factors.order(), factors.packed().bits());
    let mut bits = TRIANGLES;
    let (triangles, bound) = loop {
        let q = Bits::new(bits.min(p.get())).unwrap_or(p);
        let [lower, upper] = factors.inverse_triangles(q);
        let triangles = Triangles { factors, lower, upper };
        let bound = triangles.bound(system, Source::All);
        if bound.epsilon.is_finite() || q == p {
            break (triangles, bound);
        }
        let more = bound.defect.exponent().and_then(|e| u32::try_from(e + 4).ok());
        bits = (bits + more.unwrap_or(bits).max(bits)).next_multiple_of(64);
    };
    let condition = estimate(machine, system, &triangles)?;
    // Of n − 1 products, rounded once each.
    let rounding = Magnitude::new(1.01 * n as f64, -i64::from(p.get()));
    let given = if system.is_exact() {
        Magnitude::ZERO
    } else {
        triangles.bound(system, Source::Given).of_determinant(n)
    };
    let rounding = if n < 2 { Magnitude::ZERO } else { rounding };
    let found = Found {
        product: product(factors),
        change: bound.of_determinant(n).plus(rounding),
        given,
        sum: bound.epsilon.times(Magnitude::new(n as f64, 0)),
    };
    Ok((found, condition))
}

/// The condition number by the product of the inverses in `f64`.
fn estimate<M: Machine>(
    machine: &M,
    system: &System,
    triangles: &Triangles<'_>,
) -> Result<Magnitude, Error> {
    let n = system.order();
    let largest = |y: &mp::Matrix| {
        let heads = y.numbers().as_slice().heads();
        heads.iter().filter_map(|head| head.exponent()).max().map_or(0, i64::from)
    };
    let [lower, upper] = [&triangles.lower, &triangles.upper].map(|y| (y, largest(y)));
    let mut place = vec![0; n];
    triangles.factors.rows().iter().enumerate().for_each(|(i, &row)| place[row] = i);
    // A is the transpose of what was factored: A^-1 = Pᵀ·L^-ᵀ·U^-ᵀ.
    let left = Matrix::from_fn(n, n, |i, j| to_f64(lower.0.entry(j, place[i]), -lower.1));
    let right = Matrix::from_fn(n, n, |i, j| to_f64(upper.0.entry(i, j), -upper.1));
    let (left, right) = (machine.upload(left.view()), machine.upload(right.view()));
    let inverse = Inverse::F64(machine.times(machine.view(&left), machine.view(&right))?);
    Ok(condition(machine, system, &inverse)?.shifted(lower.1 + upper.1))
}

/// `±Π u_ii`
pub(super) fn product(factors: &Factors) -> Product {
    let packed = factors.packed();
    let mut product = Product::one(packed.bits());
    (0..factors.order()).for_each(|i| product.multiply(packed.entry(i, i)));
    if factors.is_odd() {
        product.mantissa = -product.mantissa;
    }
    product
}
