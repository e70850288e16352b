//! Residue by residue, for all residues of a number.
//!
//! Residues come in groups of constant length, which compilers turn into SIMD registers.

use core::array::from_fn;

use super::format::{GROUP, Tables};
use super::modular::{added, multiplied, subtracted};

fn groups(x: &[u32]) -> &[[u32; GROUP]] {
    x.as_chunks().0
}

fn groups_mut(x: &mut [u32]) -> &mut [[u32; GROUP]] {
    x.as_chunks_mut().0
}

impl Tables {
    /// `x·y / 2^32`, in place.
    #[inline(always)]
    pub(super) fn multiply(&self, x: &mut [u32], y: &[u32]) {
        let moduli = groups(&self.moduli).iter().zip(groups(&self.inverses));
        for ((x, y), (m, inverse)) in groups_mut(x).iter_mut().zip(groups(y)).zip(moduli) {
            *x = from_fn(|i| multiplied(x[i], y[i], m[i], inverse[i]));
        }
    }

    /// `x + y`, in place.
    #[inline(always)]
    pub(super) fn add(&self, x: &mut [u32], y: &[u32]) {
        for ((x, y), m) in groups_mut(x).iter_mut().zip(groups(y)).zip(groups(&self.moduli)) {
            *x = from_fn(|i| added(x[i], y[i], m[i]));
        }
    }

    /// `x − y`, in place.
    #[inline(always)]
    pub(super) fn subtract(&self, x: &mut [u32], y: &[u32]) {
        for ((x, y), m) in groups_mut(x).iter_mut().zip(groups(y)).zip(groups(&self.moduli)) {
            *x = from_fn(|i| subtracted(x[i], y[i], m[i]));
        }
    }

    /// `−x`, in place.
    #[inline(always)]
    pub(super) fn negate(&self, x: &mut [u32]) {
        for (x, m) in groups_mut(x).iter_mut().zip(groups(&self.moduli)) {
            *x = from_fn(|i| subtracted(0, x[i], m[i]));
        }
    }

    /// `x·2^e` in place, for any `e >= 0`.
    #[inline(always)]
    pub(super) fn scale_up(&self, x: &mut [u32], e: usize) {
        let mut rest = e;
        while rest > 0 {
            let step = rest.min(self.greatest_power());
            self.multiply(x, self.power(step as isize));
            rest -= step;
        }
    }

    /// The stored form of a product of stored forms, in place.
    #[inline(always)]
    pub(super) fn multiply_stored(&self, x: &mut [u32], y: &[u32]) {
        self.multiply(x, y);
        self.multiply(x, &self.cofactors);
    }

    /// The stored form of `2^e`.
    pub(super) fn stored_power(&self, e: usize, to: &mut [u32]) {
        to.copy_from_slice(&self.one);
        self.scale_up(to, e);
    }

    /// The integer nearest to `Σ y/m`: the rank of `Z`, for `−M/4 <= Z <= 0.26·M`.
    #[inline(always)]
    pub(super) fn rank(&self, y: &[u32]) -> u64 {
        // Terms truncated to 32 bits: the sum is less than 124·2^-31 too small.
        let mut sums = [0_u64; GROUP];
        for (y, share) in groups(y).iter().zip(self.shares.as_chunks::<GROUP>().0) {
            sums = from_fn(|i| sums[i] + ((u64::from(y[i]) * share[i]) >> 32));
        }
        (sums.iter().sum::<u64>() + (1 << 31)) >> 32
    }

    /// `F` with `F <= 2^64·Z/M < F + 2n`, for `−M/2 <= Z < M/2`.
    #[inline(always)]
    pub(super) fn fraction(&self, y: &[u32]) -> i64 {
        let mut sums = [0_u64; GROUP];
        let shares = self.shares.as_chunks::<GROUP>().0.iter().zip(groups(&self.lower_shares));
        for (y, (share, lower)) in groups(y).iter().zip(shares) {
            sums = from_fn(|i| {
                let (y, lower) = (u64::from(y[i]), u64::from(lower[i]));
                sums[i].wrapping_add(y * share[i]).wrapping_add((y * lower) >> 32)
            });
        }
        sums.iter().fold(0_u64, |sum, &term| sum.wrapping_add(term)) as i64
    }
}
