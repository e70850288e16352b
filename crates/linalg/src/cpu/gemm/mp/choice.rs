//! Which engine computes a product: the one that takes less time by the model below, on all
//! processors the same, as for [limbs](crate::cpu::gemm::choice).

use crate::cpu::gemm::Part;
use crate::cpu::gemm::crt::LINES;
use crate::dense::gemm::crt::{Plan, Target};

/// Time of a term in the direct engine: its sum, and a product of two words.
///
/// These and all figures below are nanoseconds on one core of a Xeon with AVX-512; only their
/// proportions matter.
const DIRECT: [f64; 2] = [22.0, 0.85];
/// Time of a multiply-add in one plane.
const PLANE: f64 = 0.0024;
/// Bits that a plane is worth beyond the moduli of one byte: larger moduli have two.
const PLANE_BITS: f64 = 6.15;
/// Bits of the moduli of one byte, and their planes.
const BYTES: [f64; 2] = [341.0, 49.0];
/// Time that an entry of an operand or of `C` takes, that times the bits of the integers, and that
/// times their square.
const ENTRY: [f64; 3] = [22.0, 0.2, 0.000_18];
/// What a product by residues takes at least, and that times the square of the bits: a quarter of
/// the time of its tables, which most products find made.
const START: [f64; 2] = [100_000.0, 0.35];

/// What the time of a product depends on beside bits.
struct Shape {
    /// The part of `C` that is computed.
    share: f64,
    /// Rows, columns and terms.
    product: [usize; 3],
    /// Rows and columns that are converted, in whole groups.
    lines: usize,
}

impl Shape {
    /// The time of the direct engine, for numbers of `bits` bits.
    fn direct(&self, bits: u32) -> f64 {
        let [m, n, k] = self.product.map(|x| x as f64);
        let words = f64::from(bits.div_ceil(64));
        self.share * m * n * k * (DIRECT[0] + DIRECT[1] * words * words)
    }

    /// The time of the residue engine, for integers of `bits` bits.
    fn by_residues(&self, bits: u32) -> f64 {
        let [m, n, k] = self.product;
        let modulus_bits = Plan::with_bits(k, bits, 1.0).modulus_bits;
        let [small, count] = BYTES;
        let planes =
            count * (modulus_bits / small).min(1.0) + (modulus_bits - small).max(0.0) / PLANE_BITS;
        // Lines are multiplied, converted and put together in groups.
        let products = self.share * planes * (m.max(2 * LINES) * n.max(LINES) * k) as f64 * PLANE;
        let entries = (self.lines * k) as f64 + self.share * (m.next_multiple_of(LINES) * n) as f64;
        let bits = f64::from(bits);
        let entry = ENTRY[0] + bits * (ENTRY[1] + bits * ENTRY[2]);
        START[0] + START[1] * bits * bits + products + entry * entries
    }
}

/// What the residue engine gains, where it converts `rows` rows and `columns` columns.
///
/// A value below 1 is the time of the direct engine over that of the residue engine. Else it is how
/// many times the bits of the numbers the integers may have until the residue engine takes as long
/// as the direct one.
pub(super) fn advantage(
    bits: u32,
    part: Part<'_>,
    product: [usize; 3],
    [rows, columns]: [usize; 2],
) -> f64 {
    let share = if matches!(part, Part::All) { 1.0 } else { 0.5 };
    let lines = rows.next_multiple_of(LINES) + columns.next_multiple_of(LINES);
    let shape = Shape { share, product, lines };
    let direct = shape.direct(bits);
    let ratio = direct / shape.by_residues(bits);
    if ratio < 1.0 {
        return ratio;
    }
    // The time grows with the bits.
    let (mut worth, mut beyond) = (bits, Target::MOST_BITS + 1);
    while beyond - worth > 1 {
        let middle = worth.midpoint(beyond);
        if shape.by_residues(middle) <= direct {
            worth = middle;
        } else {
            beyond = middle;
        }
    }
    f64::from(worth) / f64::from(bits)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of_cube(bits: u32, n: usize) -> f64 {
        advantage(bits, Part::All, [n; 3], [n; 2])
    }

    #[test]
    fn residues_are_for_all_but_small_products() {
        for bits in [64, 106, 424, 1024, 2048] {
            assert!(of_cube(bits, 12) < 1.0, "{bits}");
            assert!(of_cube(bits, 20) >= 1.0, "{bits}");
            assert!(of_cube(bits, 200) > 2.0, "{bits}");
        }
        for bits in [64, 212, 2048] {
            assert!(advantage(bits, Part::All, [1, 1, 1000], [1, 1]) < 1.0, "{bits}");
            assert!(advantage(bits, Part::All, [200, 1, 200], [200, 1]) < 1.0, "{bits}");
        }
        assert!(of_cube(4096, 8) < 1.0 && of_cube(4096, 16) > 1.0);
    }

    /// Integers of many more bits than the numbers have are taken as long as they save time.
    #[test]
    fn integers_have_as_many_bits_as_are_worth_it() {
        for (bits, n) in [(64, 30), (256, 128), (1024, 40), (4096, 100)] {
            let shape = Shape { share: 1.0, product: [n; 3], lines: 2 * n.next_multiple_of(LINES) };
            let most = (f64::from(bits) * of_cube(bits, n)).round() as u32;
            assert!(shape.by_residues(most) <= shape.direct(bits), "{bits} bits, {n}");
            let more = shape.by_residues(most + 1) > shape.direct(bits);
            assert!(more || most == Target::MOST_BITS, "{bits} bits, {n}");
        }
    }
}
