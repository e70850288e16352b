//! `C ← α·op(A)·op(B) + β·C`, and on a triangle of `C`: the engines that compute it, and the choice
//! among them.
//!
//! `direct` carries out every multiply-add in the element's own arithmetic, `crt` multiplies
//! integers modulo many numbers. Either's result depends on the operands alone.

mod choice;
pub(super) mod crt;
mod direct;
mod entries;
pub(super) mod mp;
mod operand;

pub(crate) use self::crt::Converted;

pub(super) use self::operand::{Factors, Operand, Part};

use self::crt::Options;

use crate::dense::gemm::crt::Fallback;
use crate::dense::gemm::{Products, Report, Way, Whole};
use crate::dense::{MatMut, MatRef, Side, Transpose, Triangle};
use crate::reference::gemm::scale_entry;
use crate::{Number, Scalar};

/// `C ← α·op(A)·op(B) + β·C`. With `β = 0`, `C` is not read; with `α = 0` or no terms, `A` and `B`
/// are not. `α` and `β` are rounded to the format of `C` first.
///
/// Panics when the shapes do not fit or [`Products::check`] says no.
#[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
pub fn gemm<T: Number>(
    products: Products,
    transpose_a: Transpose,
    transpose_b: Transpose,
    alpha: T,
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
    beta: T,
    c: MatMut<'_, T>,
) -> Report {
    gemm_of(products, alpha, [(transpose_a, a), (transpose_b, b)], [None; 2], beta, c)
}

/// [`gemm`] with operands of which some are converted.
pub(crate) fn gemm_of<T: Number>(
    products: Products,
    alpha: T,
    operands: [(Transpose, MatRef<'_, T>); 2],
    converted: [Option<&Converted>; 2],
    beta: T,
    c: MatMut<'_, T>,
) -> Report {
    let operands = operands.map(|(transpose, matrix)| Operand::new(transpose, matrix));
    multiply(products, None, operands, converted, Factors { alpha, beta }, Part::All, c)
}

/// The rows of the left operand of products, or the columns of the right one, as residues.
pub(crate) fn convert<T: Number>(
    side: Side,
    transpose: Transpose,
    a: MatRef<'_, T>,
    bits: u32,
) -> Result<Converted, Fallback> {
    T::convert(side, Operand::new(transpose, a), bits)
}

/// How a product is computed of which these are some rows of `op(A)` and some columns of `op(B)`.
pub fn way<T: Number>(
    products: Products,
    whole: &Whole<'_>,
    operands: [(Transpose, MatRef<'_, T>); 2],
) -> Way {
    if whole.sizes.contains(&0) {
        return Way::Direct(None);
    }
    let operands = operands.map(|(transpose, matrix)| Operand::new(transpose, matrix));
    T::way(products, whole, operands)
}

/// [`gemm`] in a way that was chosen.
#[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
pub fn gemm_by<T: Number>(
    products: Products,
    way: Way,
    transpose_a: Transpose,
    transpose_b: Transpose,
    alpha: T,
    a: MatRef<'_, T>,
    b: MatRef<'_, T>,
    beta: T,
    c: MatMut<'_, T>,
) -> Report {
    let operands = [Operand::new(transpose_a, a), Operand::new(transpose_b, b)];
    let factors = Factors { alpha, beta };
    multiply(products, Some(way), operands, [None; 2], factors, Part::All, c)
}

/// [`gemm`] on a part of `C`, in a way that was chosen already or is chosen here; the rest is
/// neither read nor written.
pub(super) fn multiply<T: Number>(
    products: Products,
    way: Option<Way>,
    operands: [Operand<'_, T>; 2],
    converted: [Option<&Converted>; 2],
    factors: Factors<T>,
    part: Part<'_>,
    mut c: MatMut<'_, T>,
) -> Report {
    let [(m, k), (k_b, n)] = operands.map(|operand| operand.shape());
    assert_eq!(k, k_b, "inner dimensions");
    assert_eq!(c.shape(), (m, n), "shape of C");
    let check = T::check_products(products);
    assert!(check.is_ok(), "{check:?}");
    let factors = factors.in_format(c.format());
    if m == 0 || n == 0 {
        return Report::direct();
    }
    if k == 0 || factors.alpha == T::ZERO {
        for j in 0..n {
            for i in part.of(0..m, j) {
                let mut entry = c.at(i, j);
                scale_entry(factors.beta, &mut entry);
                c.set(i, j, entry);
            }
        }
        return Report::direct();
    }
    T::multiply(products, way, operands, converted, factors, part, c)
}

/// [`multiply`] where there is something to multiply.
pub(super) fn multiply_by_engine<T: Scalar>(
    products: Products,
    way: Option<Way>,
    [a, b]: [Operand<'_, T>; 2],
    converted: [Option<&Converted>; 2],
    factors: Factors<T>,
    part: Part<'_>,
    mut c: MatMut<'_, T>,
) -> Report {
    let ((m, k), (_, n)) = (a.shape(), b.shape());
    let advantage = || choice::advantage::<T>(part, [m, n, k], lines([m, n], part, converted));
    let options = match way {
        Some(way) => Options::of_way(products, way),
        None => Options::new::<T>(products, (), advantage).ok_or(None),
    };
    let operands = [a, b];
    let computed = options.and_then(|options| {
        crt::multiply(options, operands, converted, factors, part, c.reborrow()).map_err(Some)
    });
    computed.unwrap_or_else(|fallback| {
        direct::multiply(products.arithmetic, a, b, factors, part, c);
        Report { fallback, ..Report::direct() }
    })
}

/// How a product of limbs is computed of which these are some rows and columns.
pub(super) fn way_of_limbs<T: Scalar>(
    products: Products,
    whole: &Whole<'_>,
    operands: [Operand<'_, T>; 2],
) -> Way {
    let (part, [m, n, _]) = (part_of(whole), whole.sizes);
    let lines = lines([m, n], part, [None; 2]);
    let advantage = || choice::advantage::<T>(part, whole.sizes, lines);
    let Some(options) = Options::new::<T>(products, (), advantage) else {
        return Way::Direct(None);
    };
    crt::plan(options, whole, operands).map_or_else(|reason| Way::Direct(Some(reason)), Way::Crt)
}

/// The part of a product that is computed.
fn part_of(whole: &Whole<'_>) -> Part<'static> {
    if whole.triangle { Part::Only(Triangle::Lower) } else { Part::All }
}

/// Rows and columns that are converted. Where one triangle is computed they are the same lines.
fn lines([m, n]: [usize; 2], part: Part<'_>, converted: [Option<&Converted>; 2]) -> [usize; 2] {
    let n = if matches!(part, Part::Only(_)) { 0 } else { n };
    [(m, converted[0]), (n, converted[1])]
        .map(|(lines, converted)| if converted.is_some() { 0 } else { lines })
}
