//! Which engine computes a product: the one that takes less time by the model below.
//!
//! The model is that of a processor with instructions for products of bytes, and the choice is the
//! same on all others: engines round differently, and results are to have the same bits everywhere.
//! Without those instructions the other engine may be faster.

use super::operand::Part;
use crate::Scalar;
use crate::dense::gemm::crt::Plan;

/// Time of a multiply-add in the direct engine for 1, 2, 3, 4 limbs.
///
/// These and all figures below are nanoseconds on one core of an EPYC with AVX-512; only their
/// proportions matter.
const DIRECT: [f64; 5] = [0.0, 0.018, 0.14, 0.48, 1.15];
/// Time of a multiply-add in one plane.
const PLANE: f64 = 0.0024;
/// Time that an entry of an operand takes for each plane, and an entry of `C`.
const PACK: f64 = 0.2;
const REBUILD: f64 = 0.35;
/// Bits that a plane is worth.
const PLANE_BITS: f64 = 7.2;
/// What a product by residues takes at least: tables, profiles and rounding up to whole groups.
const START: f64 = 60_000.0;

/// The time of the direct engine over that of the residue engine, which converts `rows` rows and
/// `columns` columns.
pub(super) fn advantage<T: Scalar>(
    part: Part<'_>,
    [m, n, k]: [usize; 3],
    [rows, columns]: [usize; 2],
) -> f64 {
    let share = if matches!(part, Part::All) { 1.0 } else { 0.5 };
    let planes = Plan::with_bits(k, Plan::least_bits::<T>(()), 1.0).modulus_bits / PLANE_BITS;
    let [m, n, k] = [m, n, k].map(|x| x as f64);
    let direct = share * m * n * k * DIRECT[T::LIMBS];
    // Lines are multiplied in groups.
    let products = share * m.max(32.0) * n.max(16.0) * k * PLANE;
    let conversions = (rows + columns) as f64 * k * PACK + share * m * n * REBUILD;
    direct / (START + planes * (products + conversions))
}
