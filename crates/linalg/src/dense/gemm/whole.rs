//! Products of which several devices compute a part each.

use core::fmt;

use super::crt::{Fallback, Plan, Profile};

/// How a product is computed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Way {
    /// By [`Engine::Direct`](super::Engine::Direct); and why [`Engine::Crt`](super::Engine::Crt)
    /// was tried and not taken.
    Direct(Option<Fallback>),
    /// By [`Engine::Crt`](super::Engine::Crt), with the numbers of this plan.
    Crt(Plan),
}

/// All of a product of which a device computes some rows and columns, and other devices the rest.
///
/// Which engine is taken, and with how many bits, depends on the sizes and the entries of whole
/// operands. So devices choose together, and every entry has the bits that it has on one device.
#[derive(Clone, Copy)]
pub struct Whole<'a> {
    /// Rows, columns and terms.
    pub sizes: [usize; 3],
    /// Whether one triangle is computed, of a matrix times its transpose.
    pub triangle: bool,
    /// Whether nobody waits to learn how it is computed, as for
    /// [`queue_gemm`](crate::backend::Gemm::queue_gemm).
    pub queued: bool,
    /// Whether each row meets each column on some device. Where they do not, what only their sums
    /// tell is [not known](super::crt::Fallback::Spread).
    pub meet: bool,
    /// Replaces numbers by the greatest that any device has in their places. All devices call it in
    /// the same order.
    pub greatest: &'a (dyn Fn(&mut [f64]) + Sync),
}

impl Whole<'_> {
    /// A product that one device computes.
    pub fn alone(sizes: [usize; 3], triangle: bool) -> Self {
        Self { sizes, triangle, queued: false, meet: true, greatest: &|_| {} }
    }

    /// The profiles of all rows and columns, without exponents, from those that a device has.
    pub fn joined(&self, parts: [&Profile; 2]) -> [Profile; 2] {
        let of = |profile: &Profile| {
            let shares = profile.shares.map(|share| -share);
            (profile.reach, shares, if profile.finite { 0.0 } else { 1.0 })
        };
        let numbers = parts.map(of).map(|(reach, shares, infinite)| {
            let mut numbers = [reach; SUMMARY];
            numbers[1..SUMMARY - 1].copy_from_slice(&shares);
            numbers[SUMMARY - 1] = infinite;
            numbers
        });
        let mut numbers = numbers.concat();
        (self.greatest)(&mut numbers);
        let (numbers, _) = numbers.as_chunks::<SUMMARY>();
        [0, 1].map(|side| {
            let [reach, shares @ .., infinite] = numbers[side];
            let shares = shares.map(|share: f64| -share);
            Profile { exponents: Vec::new(), reach, shares, finite: infinite == 0.0 }
        })
    }

    /// The least number that any device has.
    pub fn least(&self, x: f64) -> f64 {
        let mut numbers = [-x];
        (self.greatest)(&mut numbers);
        -numbers[0]
    }
}

/// Numbers that tell of a profile.
const SUMMARY: usize = Profile::LEVELS.len() + 2;

impl fmt::Debug for Whole<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { sizes, triangle, queued, .. } = self;
        let mut to = f.debug_struct("Whole");
        to.field("sizes", sizes).field("triangle", triangle).field("queued", queued).finish()
    }
}
