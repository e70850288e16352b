//! The tables that the kernels of the residue engine work with; see `crt/pack.cu`, `crt/sums.cuh`
//! and `crt/rebuild.cu`.

use nonius_linalg::dense::gemm::crt::Plan;
use nonius_num::rns::{Crt, Moduli};

use super::sizes::{Limits, Packing, Rebuilding};

/// Sums of bytes start from the bits of the float `1.5·2^23`, see `crt.cuh`.
const ANCHOR: i32 = 0x4b40_0000;
const ANCHOR_NUMBER: i64 = 12_582_912;

/// What the planes of a modulus of two digits count for:
/// `low + 128·(sum − low − high) + 128²·high`, of the planes low, high, sum.
const KARATSUBA: [i64; 3] = [-127, 128 * 127, 128];
/// What is added to their residues, so that they are not negative: together `2^15`.
const BIASES: [u32; 3] = [10923, 10923, 10922];

/// A part of the tables, in words of 32 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Section {
    pub(super) start: usize,
}

/// What one operand is packed with.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Side {
    pub(super) weights: Section,
    pub(super) columns: Section,
}

/// The tables of one plan.
#[derive(Debug)]
pub(super) struct Tables {
    /// All sections.
    pub(super) words: Vec<u32>,
    pub(super) left: Side,
    pub(super) right: Side,
    /// A `Modulus` for each plane.
    pub(super) sums: Section,
    pub(super) weights: Section,
    pub(super) product: Section,
    /// One over the product of the moduli; of more digits than kernels are compiled for, over what
    /// its highest three are.
    pub(super) inverse: f64,
    /// Number of moduli; of them those of one byte.
    pub(super) moduli: usize,
    pub(super) small: usize,
    /// By which kernels entries become residues, and residues entries.
    pub(super) packing: Packing,
    pub(super) rebuilding: Rebuilding,
}

impl Tables {
    /// The tables of a plan; `None` where there are not enough moduli, or no kernels for such
    /// integers.
    pub(super) fn new(plan: Plan, limits: Limits) -> Option<Self> {
        let crt = Crt::new(Moduli::bytes(plan.modulus_bits).ok()?);
        let values = crt.moduli().values();
        let small = values.iter().take_while(|&&m| m <= Moduli::LARGEST_OF_ONE_BYTE).count();
        let packing = Packing::of(plan.bits, limits)?;
        let rebuilding = Rebuilding::of(crt.digit_count(), (small, values.len()), limits)?;
        let product = crt.product_bytes();
        let lowest = if rebuilding.wide { 6 * (rebuilding.digits - 3) } else { 0 };
        let bytes = product[lowest..].iter().rev();
        let size = bytes.fold(0.0, |x, &byte| f64::mul_add(x, 256.0, f64::from(byte)));
        let mut tables = Self {
            words: Vec::new(),
            left: Side::default(),
            right: Side::default(),
            sums: Section::default(),
            weights: Section::default(),
            product: Section::default(),
            inverse: 1.0 / size,
            moduli: values.len(),
            small,
            packing,
            rebuilding,
        };
        tables.left = tables.add_side(&crt, values.iter().map(|_| 1));
        tables.right = tables.add_side(&crt, crt.inverses().iter().copied());
        tables.add_sums(&crt);
        tables.add_rebuild_weights(&crt);
        let digits = (0..rebuilding.digits).flat_map(|digit| {
            let byte = |i: usize| u64::from(product.get(6 * digit + i).copied().unwrap_or(0));
            let digit = (0..6).fold(0, |x, i| x | byte(i) << (8 * i));
            [digit as u32, (digit >> 32) as u32]
        });
        tables.product = tables.add(digits.collect());
        Some(tables)
    }

    /// Planes of small moduli, and of all.
    pub(super) fn planes(&self) -> (usize, usize) {
        (self.small, self.small + 3 * (self.moduli - self.small))
    }

    /// Tiles of 8 columns of weights: for small moduli, and all.
    pub(super) fn tiles(&self) -> (usize, usize) {
        let small = self.small.div_ceil(8);
        (small, small + (self.moduli - self.small).div_ceil(4))
    }

    /// Bytes of the residues of `entries` entries, one plane after the other. A residue has one
    /// byte in a plane of a small modulus, else two.
    pub(super) fn residue_bytes(&self, entries: usize) -> usize {
        let (small, planes) = self.planes();
        (2 * planes - small) * entries
    }

    fn add(&mut self, words: Vec<u32>) -> Section {
        let start = self.words.len().next_multiple_of(4);
        self.words.resize(start, 0);
        self.words.extend(words);
        Section { start }
    }

    /// Residues of the powers of `2^8` times a factor, and what each column is reduced by.
    fn add_side(&mut self, crt: &Crt, factors: impl Iterator<Item = u32>) -> Side {
        let bytes = 4 * self.packing.words;
        let (mut weights, mut columns) = (Vec::new(), Vec::new());
        let mut add = |bytes: Vec<i8>, empty: i64, modulus: u32, reciprocal: f32| {
            // The highest byte has 128 added.
            let start = empty - 128 * i64::from(bytes.last().copied().unwrap_or(0));
            let minus = word(-i64::from(modulus));
            columns.extend([word(start), reciprocal.to_bits(), minus, word(empty)]);
            weights.push(bytes);
        };
        let empty = || vec![0_i8; bytes];
        let mut count = 0;
        for (&m, factor) in crt.moduli().values().iter().zip(factors) {
            let (modulus, reciprocal) = (i64::from(m), 1.0 / m as f32);
            let residues = powers(modulus, i64::from(factor), bytes);
            if m <= Moduli::LARGEST_OF_ONE_BYTE {
                add(residues.map(|x| x as i8).collect(), small_start(modulus), m, reciprocal);
                count += 1;
                continue;
            }
            // Large moduli begin with a tile of their own.
            while count < self.small.next_multiple_of(8) {
                add(empty(), i64::from(ANCHOR), 0, 0.0);
                count += 1;
            }
            let (low, high) = residues.map(two_digits).unzip();
            for digits in [low, high] {
                add(digits, i64::from(ANCHOR), m, reciprocal);
                count += 1;
            }
        }
        while count % 8 != 0 {
            add(empty(), i64::from(ANCHOR), 0, 0.0);
            count += 1;
        }
        let mut words = Vec::new();
        for tile in weights.chunks_exact(8) {
            for chain in 0..self.packing.words / 4 {
                for lane in 0..32 {
                    let (g, t) = (lane / 4, lane % 4);
                    let bytes = &tile[g][16 * chain + 4 * t..][..4];
                    words.push(u32::from_le_bytes(core::array::from_fn(|i| bytes[i] as u8)));
                }
            }
        }
        Side { weights: self.add(words), columns: self.add(columns) }
    }

    fn add_sums(&mut self, crt: &Crt) {
        // 2^31 is added to sums.
        const OFFSET: i64 = 1 << 31;
        let (small, large) = crt.moduli().values().split_at(self.small);
        let mut words = Vec::new();
        for &m in small {
            let modulus = i64::from(m);
            let weights = packed(powers(modulus, 1, 4).map(|x| x as i8));
            let start = word(small_start(modulus) - balanced(OFFSET, modulus));
            words.extend([weights, start, (1.0 / m as f32).to_bits(), word(-modulus), 0, 0, 0, 0]);
        }
        for &m in large {
            let modulus = i64::from(m);
            for (factor, bias) in KARATSUBA.into_iter().zip(BIASES) {
                let (low, high): (Vec<_>, Vec<_>) =
                    powers(modulus, factor, 4).map(two_digits).unzip();
                let starts = two_digits(balanced(factor * OFFSET, modulus));
                let [low_start, high_start] =
                    [starts.0, starts.1].map(|start| word(i64::from(ANCHOR) - i64::from(start)));
                let (reciprocal, minus) = ((1.0 / m as f32).to_bits(), word(-modulus));
                words.extend([packed(low), low_start, reciprocal, minus]);
                words.extend([packed(high), high_start, bias, 0]);
            }
        }
        self.sums = self.add(words);
    }

    /// The bytes of `M/m`, and for large moduli of `256·M/m`.
    fn add_rebuild_weights(&mut self, crt: &Crt) {
        let cofactors: Vec<_> = (0..self.moduli).map(|index| crt.cofactor_bytes(index)).collect();
        let (small_steps, steps) = self.rebuilding.steps;
        let byte = |channel: usize, place: Option<usize>| {
            let bytes = cofactors.get(channel);
            bytes.zip(place).and_then(|(bytes, place)| bytes.get(place)).copied().unwrap_or(0)
        };
        let mut words = Vec::new();
        for step in 0..steps {
            for tile in 0..self.rebuilding.word_tiles() {
                for lane in 0..32 {
                    let (g, t) = (lane / 4, lane % 4);
                    let place = 2 * (16 * (tile / 4) + 4 * (g / 2) + tile % 4) + g % 2;
                    words.push(u32::from_le_bytes(core::array::from_fn(|i| {
                        if step < small_steps {
                            let channel = 16 * step + 4 * i + t;
                            byte(
                                if channel < self.small { channel } else { usize::MAX },
                                Some(place),
                            )
                        } else {
                            let channel = 8 * (step - small_steps) + 4 * (i / 2) + t;
                            byte(self.small + channel, place.checked_sub(i % 2))
                        }
                    })));
                }
            }
        }
        self.weights = self.add(words);
    }
}

/// `x mod m` from `−m/2` to `(m − 1)/2`.
fn balanced(x: i64, modulus: i64) -> i64 {
    let residue = x.rem_euclid(modulus);
    if 2 * residue >= modulus { residue - modulus } else { residue }
}

/// Balanced residues of `factor·2^(8i)`.
fn powers(modulus: i64, factor: i64, count: usize) -> impl Iterator<Item = i64> {
    let next = move |&x: &i64| Some(balanced(x * 256, modulus));
    core::iter::successors(Some(balanced(factor, modulus)), next).take(count)
}

/// Balanced digits to base 128.
fn two_digits(x: i64) -> (i8, i8) {
    let low = (x + 64).rem_euclid(128) - 64;
    (low as i8, ((x - low) / 128) as i8)
}

/// What sums for a small modulus start from: its float is a multiple of the modulus.
fn small_start(modulus: i64) -> i64 {
    i64::from(ANCHOR) + balanced(-ANCHOR_NUMBER, modulus)
}

fn word(x: i64) -> u32 {
    x as u32
}

fn packed(bytes: impl IntoIterator<Item = i8>) -> u32 {
    bytes
        .into_iter()
        .zip([0, 8, 16, 24])
        .fold(0, |word, (byte, at)| word | u32::from(byte as u8) << at)
}

#[cfg(test)]
mod tests {
    use nonius_num::Qd;

    use super::*;

    #[test]
    fn tables_of_four_limbs() {
        let plan = Plan::with_bits(1024, Plan::least_bits::<Qd>(()), 1.0);
        let limits = Limits { any_length: false, shared: 99 << 10 };
        let tables = Tables::new(plan, limits).unwrap();
        assert_eq!((tables.packing.words, tables.rebuilding.digits, tables.small), (8, 10, 49));
        assert_eq!(tables.rebuilding.steps, (4, 5));
        assert_eq!(tables.tiles(), (7, 9));
        assert_eq!(tables.planes(), (49, 49 + 3 * (tables.moduli - 49)));
        assert_eq!(tables.residue_bytes(10), 490 + 60 * (tables.moduli - 49));
    }
}
