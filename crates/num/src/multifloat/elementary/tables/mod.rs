//! Tables of the elementary functions, and the three shapes they come in.
//!
//! Limb `i` of every entry stands in row `i`: `f64` limbs rounded one after the other, *short* ones
//! of 30 bits, or *grid* ones that are multiples of `2^-(42 + 40i)`, so that a few entries can be
//! added limb by limb without error. The script `crates/num/tools/elementary_tables.py` writes the
//! files of this folder; the tests recompute them.

pub(super) mod arc;
pub(super) mod circular;
pub(in super::super) mod constants;
pub(super) mod exponential;
pub mod list;
pub(super) mod logarithm;
pub(super) mod root;
#[cfg(test)]
mod tests;

/// `Σ c[i]·xⁱ` for small `x`.
///
/// The first `terms[0]` coefficients are summed with all `N` limbs, those up to `terms[1]` with
/// `N − 1`, and so on: what they are multiplied by is so small that more would not be seen in the
/// result.
pub(super) struct Polynomial {
    pub(super) coefficients: &'static [[f64; 4]],
    pub(super) terms: [usize; 4],
}

/// Numbers from their bits.
const fn bits<const M: usize>(words: [u64; M]) -> [f64; M] {
    let mut numbers = [0.0; M];
    let mut i = 0;
    while i < M {
        numbers[i] = f64::from_bits(words[i]);
        i += 1;
    }
    numbers
}

/// Rows of numbers from their bits.
const fn planes<const P: usize, const M: usize>(words: [[u64; M]; P]) -> [[f64; M]; P] {
    let mut rows = [[0.0; M]; P];
    let mut i = 0;
    while i < P {
        rows[i] = bits(words[i]);
        i += 1;
    }
    rows
}
