//! Which engine computes a product: the one that takes less time by the model below, on all
//! processors the same, as for [limbs](crate::cpu::gemm::choice).

use crate::cpu::gemm::Part;
use crate::dense::gemm::crt::Plan;

/// Time of a term in the direct engine: its sum, and a product of two words.
///
/// These and all figures below are nanoseconds on one core of an EPYC with AVX-512; only their
/// proportions matter.
const DIRECT: [f64; 2] = [8.0, 0.9];
/// Time of a multiply-add in one plane.
const PLANE: f64 = 0.0024;
/// Bits that a plane is worth, beyond the moduli of one byte.
const PLANE_BITS: f64 = 4.66;
/// Bits of the moduli of one byte, and their planes.
const BYTES: [f64; 2] = [341.0, 49.0];
/// Time that an entry of an operand or of `C` takes, and that times the square of the bits.
const ENTRY: [f64; 2] = [60.0, 0.000_66];
/// What a product by residues takes at least, and that times the square of the bits: tables,
/// profiles.
const START: [f64; 2] = [60_000.0, 0.5];

/// How many times the time of the residue engine the direct one takes, where so many rows and
/// columns are converted.
pub(super) fn advantage(
    bits: u32,
    part: Part,
    [m, n, k]: [usize; 3],
    [rows, columns]: [usize; 2],
) -> f64 {
    let share = if matches!(part, Part::All) { 1.0 } else { 0.5 };
    let modulus_bits = Plan::with_bits(k, bits, 1.0).modulus_bits;
    let [small, count] = BYTES;
    let planes =
        count * (modulus_bits / small).min(1.0) + (modulus_bits - small).max(0.0) / PLANE_BITS;
    let [m, n, k] = [m, n, k].map(|x| x as f64);
    let (bits, words) = (f64::from(bits), f64::from(bits.div_ceil(64)));
    let direct = share * m * n * k * (DIRECT[0] + DIRECT[1] * words * words);
    // Lines are multiplied in groups.
    let products = share * planes * m.max(32.0) * n.max(16.0) * k * PLANE;
    let [start, entry] = [START, ENTRY].map(|[least, square]| least + square * bits * bits);
    direct / (start + products + entry * ((rows + columns) as f64 * k + share * m * n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn residues_are_for_all_but_small_products() {
        for bits in [64, 106, 424, 2048] {
            assert!(advantage(bits, Part::All, [4; 3], [4; 2]) < 1.0);
            assert!(advantage(bits, Part::All, [200; 3], [200; 2]) > 2.0);
        }
        assert!(advantage(212, Part::All, [1, 1, 1000], [1, 1]) < 1.0);
    }
}
