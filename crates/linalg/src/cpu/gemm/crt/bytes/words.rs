//! Registers of sixteen integers of 32 bits, with products of bytes.

// Intrinsics, entered only where the processor has them.
#![allow(unsafe_code)]

/// Sixteen integers of 32 bits: one for each line of a group. All arithmetic wraps.
pub(super) trait Words: Copy {
    /// Groups of rows and columns whose sums are kept in registers together.
    const COLUMNS: usize;
    const GROUPS: usize;

    fn splat(x: i32) -> Self;

    /// # Safety
    /// There are sixteen words from here on, aligned or not.
    unsafe fn load(from: *const u32) -> Self;

    fn store(self, to: &mut [u32]);

    /// Stores past the caches, for what is not read again soon: a line that is written whole need
    /// not be fetched first. [`after_stores_past`](Self::after_stores_past) comes before anything
    /// else reads it.
    #[inline(always)]
    fn store_past(self, to: &mut [u32]) {
        self.store(to);
    }

    #[inline(always)]
    fn after_stores_past() {}

    fn store_signed(self, to: &mut [i32]);

    /// Sixteen signed bytes.
    fn load_bytes(from: &[i8]) -> Self;

    /// The lowest byte of each.
    fn store_bytes(self, to: &mut [i8]);

    /// All bytes.
    #[inline(always)]
    fn load_chunk(from: &[i8; 64]) -> Self {
        // SAFETY: the array has the size of sixteen words, which need not be aligned.
        unsafe { Self::load(from.as_ptr().cast()) }
    }

    /// All bytes.
    #[inline(always)]
    fn store_chunk(self, to: &mut [i8; 64]) {
        let mut words = [0; 16];
        self.store(&mut words);
        for (to, word) in to.chunks_exact_mut(4).zip(words) {
            to.copy_from_slice(&word.to_le_bytes().map(|byte| byte as i8));
        }
    }

    /// `self + Σ a_i·b_i` for the unsigned bytes `a_i` of `a` and the signed ones of `b`.
    fn dot_bytes(self, a: Self, b: Self) -> Self;

    /// `self + Σ a_i·b_i` for the signed halves of `a` and `b`.
    fn dot_halves(self, a: Self, b: Self) -> Self;

    /// The integer nearest to `self·factor + addend`, computed in `f32` to within two rounding
    /// errors; three where `self` is `2^24` or more in magnitude.
    fn scaled(self, factor: f32, addend: f32) -> Self;

    fn add(self, other: Self) -> Self;
    fn xor(self, other: Self) -> Self;
    fn and(self, other: Self) -> Self;
    fn or(self, other: Self) -> Self;
    fn shift_left<const N: u32>(self) -> Self;
    /// With copies of the sign.
    fn shift_right<const N: u32>(self) -> Self;
    /// Sums of halves.
    fn add_halves(self, other: Self) -> Self;
    /// Differences of halves.
    fn sub_halves(self, other: Self) -> Self;
    /// Signed halves less `m` where they are above `highest`, and `m` more where they are below
    /// `−highest`.
    fn balance_halves(self, highest: Self, m: Self) -> Self;
    /// Sums byte by byte.
    fn add_bytes(self, other: Self) -> Self;
    /// Bytes modulo `m`: `self − other`, and `m` more where `self` is less, all without sign.
    fn sub_bytes_modulo(self, other: Self, m: Self) -> Self;
    /// Bytes less `m` where they are above `highest`, all without sign.
    fn sub_bytes_above(self, highest: Self, m: Self) -> Self;

    /// The lower halves of two registers as the halves of one.
    #[inline(always)]
    fn paired(low: Self, high: Self) -> Self {
        low.and(Self::splat(0xffff)).or(high.shift_left::<16>())
    }

    /// The lowest bytes of four registers as the four bytes of one.
    #[inline(always)]
    fn joined([a, b, c, d]: [Self; 4]) -> Self {
        let byte = Self::splat(0xff);
        let low = a.and(byte).or(b.and(byte).shift_left::<8>());
        let high = c.and(byte).or(d.shift_left::<8>());
        low.or(high.shift_left::<16>())
    }
}

/// Products of the parts of words, summed.
pub(super) trait Dot {
    /// `sum` and the products of the parts of `x` and `weight`.
    fn add<W: Words>(sum: W, x: W, weight: W) -> W;
}

/// Of bytes, unsigned ones of `x` and signed ones of `weight`.
pub(super) struct OfBytes;
/// Of signed halves.
pub(super) struct OfHalves;

impl Dot for OfBytes {
    #[inline(always)]
    fn add<W: Words>(sum: W, x: W, weight: W) -> W {
        sum.dot_bytes(x, weight)
    }
}

impl Dot for OfHalves {
    #[inline(always)]
    fn add<W: Words>(sum: W, x: W, weight: W) -> W {
        sum.dot_halves(x, weight)
    }
}

/// Work that is written once for all registers.
pub(super) trait Kernel {
    /// Does it. Implementations, and all they call for each register, must be `#[inline(always)]`.
    fn run<W: Words>(self);
}

/// The block once for each index below a constant, at most eight, one after the other: registers
/// have no index, and where the compiler does not unroll a loop over them, they go through memory.
macro_rules! unrolled {
    ($i:ident < $count:expr, $block:block) => {
        unrolled!(@ $i, $count, $block, 0 1 2 3 4 5 6 7)
    };
    (@ $i:ident, $count:expr, $block:block, $($index:literal)*) => {
        const { assert!($count <= 8) };
        $(if $index < $count {
            let $i: usize = $index;
            $block
        })*
    };
}

pub(super) use unrolled;
