//! Sixteen integers, where a processor has no instructions for products of bytes.

// Loading is unsafe by its contract.
#![allow(unsafe_code)]

use super::words::Words;

impl Words for [i32; 16] {
    const COLUMNS: usize = 1;
    const GROUPS: usize = 1;

    #[inline(always)]
    fn splat(x: i32) -> Self {
        [x; 16]
    }

    #[inline(always)]
    unsafe fn load(from: *const u32) -> Self {
        // SAFETY: by the contract.
        unsafe { from.cast::<Self>().read_unaligned() }
    }

    #[inline(always)]
    fn store(self, to: &mut [u32]) {
        to[..16].copy_from_slice(&self.map(|x| x as u32));
    }

    #[inline(always)]
    fn store_signed(self, to: &mut [i32]) {
        to[..16].copy_from_slice(&self);
    }

    #[inline(always)]
    fn load_bytes(from: &[i8]) -> Self {
        let from = &from[..16];
        core::array::from_fn(|i| i32::from(from[i]))
    }

    #[inline(always)]
    fn store_bytes(self, to: &mut [i8]) {
        to[..16].copy_from_slice(&self.map(|x| x as i8));
    }

    #[inline(always)]
    fn dot_bytes(self, a: Self, b: Self) -> Self {
        core::array::from_fn(|i| {
            let (a, b) = (a[i].to_le_bytes(), b[i].to_le_bytes());
            (0..4).fold(self[i], |sum, l| sum.wrapping_add(i32::from(a[l]) * i32::from(b[l] as i8)))
        })
    }

    #[inline(always)]
    fn dot_halves(self, a: Self, b: Self) -> Self {
        let low = |x: i32| i32::from(x as i16);
        core::array::from_fn(|i| {
            let sum = self[i].wrapping_add(low(a[i]) * low(b[i]));
            sum.wrapping_add((a[i] >> 16) * (b[i] >> 16))
        })
    }

    #[inline(always)]
    fn scaled(self, factor: f32, addend: f32) -> Self {
        self.map(|x| (x as f32 * factor + addend).round_ties_even() as i32)
    }

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        core::array::from_fn(|i| self[i].wrapping_add(other[i]))
    }

    #[inline(always)]
    fn xor(self, other: Self) -> Self {
        core::array::from_fn(|i| self[i] ^ other[i])
    }

    #[inline(always)]
    fn and(self, other: Self) -> Self {
        core::array::from_fn(|i| self[i] & other[i])
    }

    #[inline(always)]
    fn or(self, other: Self) -> Self {
        core::array::from_fn(|i| self[i] | other[i])
    }

    #[inline(always)]
    fn shift_left<const N: u32>(self) -> Self {
        self.map(|x| x << N)
    }

    #[inline(always)]
    fn shift_right<const N: u32>(self) -> Self {
        self.map(|x| x >> N)
    }

    #[inline(always)]
    fn add_halves(self, other: Self) -> Self {
        each_half([self, other], |[x, y]| x.wrapping_add(y))
    }

    #[inline(always)]
    fn sub_halves(self, other: Self) -> Self {
        each_half([self, other], |[x, y]| x.wrapping_sub(y))
    }

    #[inline(always)]
    fn balance_halves(self, highest: Self, m: Self) -> Self {
        each_half([self, highest, m], |[x, highest, m]| match x {
            x if x > highest => x.wrapping_sub(m),
            x if x < -highest => x.wrapping_add(m),
            x => x,
        })
    }

    #[inline(always)]
    fn add_bytes(self, other: Self) -> Self {
        each_byte([self, other], |[x, y]| x.wrapping_add(y))
    }

    #[inline(always)]
    fn sub_bytes_modulo(self, other: Self, m: Self) -> Self {
        each_byte([self, other, m], |[x, y, m]| {
            x.wrapping_sub(y).wrapping_add(if x < y { m } else { 0 })
        })
    }

    #[inline(always)]
    fn sub_bytes_above(self, highest: Self, m: Self) -> Self {
        each_byte([self, highest, m], |[x, highest, m]| {
            x.wrapping_sub(if x > highest { m } else { 0 })
        })
    }
}

/// A function of bytes.
#[inline(always)]
fn each_byte<const N: usize>(words: [[i32; 16]; N], f: impl Fn([u8; N]) -> u8) -> [i32; 16] {
    core::array::from_fn(|i| {
        let bytes = words.map(|words| words[i].to_le_bytes());
        i32::from_le_bytes(core::array::from_fn(|l| f(bytes.map(|bytes| bytes[l]))))
    })
}

/// A function of signed halves.
#[inline(always)]
fn each_half<const N: usize>(words: [[i32; 16]; N], f: impl Fn([i16; N]) -> i16) -> [i32; 16] {
    core::array::from_fn(|i| {
        let low = f(words.map(|words| words[i] as i16));
        let high = f(words.map(|words| (words[i] >> 16) as i16));
        super::channel::halves(low.into(), high.into())
    })
}
