//! Products of bytes, summed in 32 bits: unsigned rows times signed columns, four terms an instruction and lane.

// Intrinsics, entered only where the processor has them.
#![allow(unsafe_code)]

use core::sync::atomic::{AtomicU8, Ordering};

use nonius_num::Lane;
use nonius_num::rns::{Moduli, ModuliError, Sign};

use super::unit::{LINES, PAIR, Unit};

/// Multiply-adds of bytes.
pub(super) struct Bytes;

impl Unit for Bytes {
    type Word = u32;
    type Sum = i32;

    const DEPTH: usize = 4;
    // 255·128 times so many, and a residue, stay below 2^31.
    const TERMS: usize = 65_536 - 256;
    const LEFT: Sign = Sign::Positive;
    const RIGHT: Sign = Sign::Balanced;

    fn moduli(bits: f64, _: usize) -> Result<Moduli, ModuliError> {
        Moduli::bytes(bits)
    }

    fn takes_digits(modulus: u32) -> bool {
        modulus > Moduli::LARGEST_OF_ONE_BYTE
    }

    #[inline(always)]
    fn store<L: Lane>(residues: &[L], sign: Sign, to: &mut [u32]) {
        /// The number whose lowest bits are those of the integer that is added to it.
        const ANCHOR: f64 = 4_503_599_627_370_496.0; // 2^52
        // Signed bytes are stored with 128 added, which inverting their highest bit takes back.
        let (offset, mask) = match sign {
            Sign::Positive => (0, 0),
            Sign::Balanced => (0x8080_8080_u32, 0x8080_8080),
        };
        let word = residues[0] + L::splat(ANCHOR + f64::from(offset));
        let word = residues[1].mul_add(L::splat(256.0), word);
        let word = residues[2].mul_add(L::splat(65_536.0), word);
        let word = residues[3].mul_add(L::splat(16_777_216.0), word);
        let mut bits = [0.0; 8];
        word.store(&mut bits);
        let to = &mut to[..L::LANES];
        for i in 0..L::LANES {
            to[i] = bits[i].to_bits() as u32 ^ mask;
        }
    }

    fn multiply(a: [&[u32]; PAIR], b: &[u32], sums: &mut [i32], stride: usize) {
        assert!(a.iter().all(|a| a.len() == b.len()) && b.len().is_multiple_of(LINES));
        assert!(sums.len() >= (LINES - 1) * stride + PAIR * LINES);
        match level() {
            // SAFETY: the level is that of this processor; lengths were checked.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => unsafe { x86::avx512(a, b, sums, stride) },
            // SAFETY: as above.
            #[cfg(target_arch = "x86_64")]
            Level::Avx => unsafe { x86::avx(a, b, sums, stride) },
            _ => plain(a, b, sums, stride),
        }
    }

    #[inline(always)]
    fn load<L: Lane>(from: &[i32]) -> L {
        L::load_integers(from)
    }

    #[inline(always)]
    fn keep<L: Lane>(x: L, to: &mut [i32]) {
        for (i, to) in to[..L::LANES].iter_mut().enumerate() {
            *to = x.lane(i) as i32;
        }
    }
}

/// Instructions that multiply bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Level {
    /// None.
    Plain,
    /// AVX-VNNI.
    Avx,
    /// AVX-512 VNNI.
    Avx512,
}

impl Level {
    const ALL: [Level; 3] = [Level::Plain, Level::Avx, Level::Avx512];

    /// Whether this processor has them.
    fn is_available(self) -> bool {
        match self {
            Level::Plain => true,
            #[cfg(target_arch = "x86_64")]
            Level::Avx => is_x86_feature_detected!("avxvnni"),
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => {
                is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512vnni")
            }
            #[cfg(not(target_arch = "x86_64"))]
            _ => false,
        }
    }
}

/// 0 before the first use, then 1 and the index in [`Level::ALL`].
static CURRENT: AtomicU8 = AtomicU8::new(0);

/// The best that this processor has.
pub(super) fn level() -> Level {
    let known = CURRENT.load(Ordering::Relaxed);
    if known > 0 {
        return Level::ALL[known as usize - 1];
    }
    let best = (0..3).rev().find(|&i| Level::ALL[i].is_available()).unwrap_or(0);
    CURRENT.store(best as u8 + 1, Ordering::Relaxed);
    Level::ALL[best]
}

fn plain(a: [&[u32]; PAIR], b: &[u32], sums: &mut [i32], stride: usize) {
    for (half, a) in a.into_iter().enumerate() {
        for (a, b) in a.chunks_exact(LINES).zip(b.chunks_exact(LINES)) {
            for (j, b) in b.iter().enumerate() {
                let b = b.to_le_bytes().map(|b| i32::from(b as i8));
                let sums = &mut sums[j * stride + half * LINES..][..LINES];
                for (sum, a) in sums.iter_mut().zip(a) {
                    for (a, b) in a.to_le_bytes().into_iter().zip(b) {
                        *sum += i32::from(a) * b;
                    }
                }
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
mod x86 {
    use core::arch::x86_64::*;

    use super::super::unit::{LINES, PAIR};

    /// # Safety
    /// The processor has AVX-512 F and VNNI. The slices of `a` and `b` have the same length, a multiple of 16; `sums` holds
    /// `15·stride + 32` numbers.
    #[target_feature(enable = "avx512f,avx512vnni")]
    pub(super) unsafe fn avx512(a: [&[u32]; PAIR], b: &[u32], sums: &mut [i32], stride: usize) {
        const COLUMNS: usize = 8;
        for first in (0..LINES).step_by(COLUMNS) {
            let mut tile = [[_mm512_setzero_si512(); PAIR]; COLUMNS];
            for word in (0..b.len()).step_by(LINES) {
                // SAFETY: the 16 words of `a` from `word` on, and those of `b`, are in the slices.
                unsafe {
                    let rows = [
                        _mm512_loadu_si512(a[0].as_ptr().add(word).cast()),
                        _mm512_loadu_si512(a[1].as_ptr().add(word).cast()),
                    ];
                    let b = b.as_ptr().add(word + first);
                    for (j, sums) in tile.iter_mut().enumerate() {
                        let x = _mm512_set1_epi32(b.add(j).read() as i32);
                        for (sum, row) in sums.iter_mut().zip(rows) {
                            *sum = _mm512_dpbusd_epi32(*sum, row, x);
                        }
                    }
                }
            }
            for (j, tile) in tile.into_iter().enumerate() {
                for (half, x) in tile.into_iter().enumerate() {
                    // SAFETY: 16 sums from here on are in the slice, by the contract.
                    unsafe {
                        let to = sums.as_mut_ptr().add((first + j) * stride + half * LINES);
                        let sum = _mm512_add_epi32(_mm512_loadu_si512(to.cast()), x);
                        _mm512_storeu_si512(to.cast(), sum);
                    }
                }
            }
        }
    }

    /// # Safety
    /// The processor has AVX2 and AVX-VNNI; the rest as for [`avx512`].
    #[target_feature(enable = "avx2,avxvnni")]
    pub(super) unsafe fn avx(a: [&[u32]; PAIR], b: &[u32], sums: &mut [i32], stride: usize) {
        const COLUMNS: usize = 4;
        const HALF: usize = LINES / 2;
        for (half, a) in a.into_iter().enumerate() {
            for first in (0..LINES).step_by(COLUMNS) {
                let mut tile = [[_mm256_setzero_si256(); 2]; COLUMNS];
                for word in (0..b.len()).step_by(LINES) {
                    // SAFETY: the 16 words of `a` from `word` on, and those of `b`, are in the slices.
                    unsafe {
                        let rows = [
                            _mm256_loadu_si256(a.as_ptr().add(word).cast()),
                            _mm256_loadu_si256(a.as_ptr().add(word + HALF).cast()),
                        ];
                        let b = b.as_ptr().add(word + first);
                        for (j, sums) in tile.iter_mut().enumerate() {
                            let x = _mm256_set1_epi32(b.add(j).read() as i32);
                            for (sum, row) in sums.iter_mut().zip(rows) {
                                *sum = _mm256_dpbusd_avx_epi32(*sum, row, x);
                            }
                        }
                    }
                }
                for (j, tile) in tile.into_iter().enumerate() {
                    for (part, x) in tile.into_iter().enumerate() {
                        // SAFETY: 8 sums from here on are in the slice, by the contract.
                        unsafe {
                            let place = (first + j) * stride + half * LINES + part * HALF;
                            let to = sums.as_mut_ptr().add(place);
                            let sum = _mm256_add_epi32(_mm256_loadu_si256(to.cast()), x);
                            _mm256_storeu_si256(to.cast(), sum);
                        }
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_computes_the_same_sums() {
        let words = |seed: u32, count: usize| -> Vec<u32> {
            let mut state = seed;
            let next = |_| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                state ^ state >> 15
            };
            (0..count).map(next).collect()
        };
        for k in [0, 1, 7, 40] {
            let (a, b) = (words(1, 2 * LINES * k), words(2, LINES * k));
            let a = [&a[..LINES * k], &a[LINES * k..]];
            let stride = 35;
            let start: Vec<i32> = (0..16 * stride as i32).collect();
            let mut expected = start.clone();
            plain(a, &b, &mut expected, stride);
            for level in Level::ALL.into_iter().filter(|level| level.is_available()) {
                CURRENT.store(level as u8 + 1, Ordering::Relaxed);
                let mut sums = start.clone();
                Bytes::multiply(a, &b, &mut sums, stride);
                assert_eq!(sums, expected, "{level:?}");
            }
            CURRENT.store(0, Ordering::Relaxed);
        }
    }
}
