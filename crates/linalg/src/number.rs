//! The kinds of numbers that matrices have.

use nonius_num::mp::{Bits, Head};
use nonius_num::{Decimal, Elementary, Mp};

use crate::backend::Reading;
use crate::cpu::kernels::Kernels;
use crate::{Scalar, Size, Slice};

/// A kind of numbers: sums of limbs ([`Scalar`]), or numbers of any precision ([`Mp`]).
///
/// All algorithms are generic over this trait. A [format](nonius_num::Element::Format) holds the
/// bits where the type does not.
///
/// ```
/// use nonius_linalg::{Matrix, Number};
/// use nonius_num::mp::Bits;
/// use nonius_num::{Mp, Qd};
///
/// /// The last entry of the first column of a Hilbert matrix, 1/3.
/// fn corner<T: Number>(format: T::Format) -> T {
///     let one = T::ONE.to_format(format);
///     Matrix::from_fn_in(format, 3, 3, |i, j| one / T::from_f64((i + j + 1) as f64)).at(2, 0)
/// }
/// assert!((corner::<Qd>(()) * 3.0 - 1.0).abs().to_f64() < 1e-61);
/// assert_eq!(corner::<Mp>(Bits::new(424).unwrap()).bits().get(), 424);
/// ```
pub trait Number: Elementary + Decimal + Kernels {
    /// The smallest positive number is about two to this power.
    const LEAST_EXPONENT: i32;

    /// Columns of `X` from which on products of `f64` matrices find the largest residuals of
    /// `A·X = B` faster than sums find all of them: measured at `n = 1600`. The largest number for
    /// numbers without such products.
    const SLICING: usize;

    /// Magnitudes of such numbers.
    type Size: Size;

    /// Into what pieces algorithms of matrices cut their work on the host.
    const BLOCKING: Blocking;

    /// The number rounded to the significand of an `f64`: limbs to the first of them.
    fn leading(self) -> Reading;

    /// The number rounded to nearest with the significand of an `f64`.
    fn nearest(self) -> Reading;

    /// The number rounded to `bits`; exact where it has no more.
    ///
    /// ```
    /// use nonius_linalg::Number;
    /// use nonius_num::mp::Bits;
    /// use nonius_num::Dd;
    ///
    /// let third = Dd::ONE / 3.0;
    /// assert_eq!(third.in_bits(Bits::new(1000)?).to_multifloat(), third);
    /// // The sign of zero stays.
    /// assert!((-Dd::ZERO).in_bits(Bits::FEWEST).head().is_negative());
    /// # Ok::<(), nonius_num::mp::BitsError>(())
    /// ```
    fn in_bits(self, bits: Bits) -> Mp;

    /// Bits of a significand that holds the number exactly; 0 for zero.
    fn span(self) -> u32;

    /// The magnitude of the [leading](Self::leading) part.
    fn size(self) -> Self::Size;

    /// The number that has this size, exactly.
    fn from_size(size: Self::Size) -> Self;

    /// `u = 2^-p` for numbers of `p` bits: bounds are multiples of it.
    fn unit_roundoff(format: Self::Format) -> Self::Size;

    /// The `e` with `2^e <= |x| < 2^(e+1)`, of the [leading](Self::leading) part; `None` for zero,
    /// infinities and NaN.
    fn exponent(self) -> Option<i32>;

    /// The sizes of all.
    fn sizes(numbers: Slice<'_, Self>) -> impl Iterator<Item = Self::Size> {
        numbers.iter().map(Self::size)
    }

    /// The exponents of all.
    fn exponents(numbers: Slice<'_, Self>) -> impl Iterator<Item = Option<i32>> {
        numbers.iter().map(Self::exponent)
    }

    /// The exponent of the largest finite magnitude; `None` where all finite numbers are zero.
    fn largest_exponent(numbers: Slice<'_, Self>) -> Option<i32> {
        Self::exponents(numbers).flatten().max()
    }

    /// Whether all are finite.
    fn are_finite(numbers: Slice<'_, Self>) -> bool {
        numbers.iter().fold(true, |finite, x| finite & x.is_finite())
    }

    /// What a multiplication and an addition cost, in units of a fused one of `f64`: by
    /// measurement.
    fn cost(format: Self::Format) -> usize;

    /// A format with half of the bits and some more, from where one step that doubles bits leads to
    /// all of them; `None` where numbers have no other format, or so few bits that nothing is
    /// gained.
    fn halved(_format: Self::Format) -> Option<Self::Format> {
        None
    }
}

/// Columns and orders at which algorithms of matrices change their ways on the host.
#[derive(Clone, Copy, Debug)]
pub struct Blocking {
    /// [`Panel::WIDTH`](crate::backend::Panel::WIDTH)
    pub panel: usize,
    /// [`Panel::BLOCK`](crate::backend::Panel::BLOCK)
    pub block: usize,
    /// [`Panel::SPAN`](crate::backend::Panel::SPAN) and
    /// [`Trsm::ORDER`](crate::backend::Trsm::ORDER): from these on, products of half as many terms
    /// gain from [`Engine::Crt`](crate::dense::gemm::Engine::Crt).
    pub span: usize,
    /// Unknowns of a triangular system that are found by substitution at a time.
    pub substitution: usize,
    /// [`Reflect::TOGETHER`](crate::backend::Reflect::TOGETHER): products of this many terms are
    /// nearly as fast as longer ones, and what triangles of this order cost is small beside them.
    pub together: usize,
    /// Reflections whose effect on the rest of a matrix is put off: the more numbers cost, the more
    /// longer products gain.
    pub reflections: usize,
    /// Multiplications up to which a product that is subtracted from a panel of a sparse factor is
    /// computed entry by entry; none where sums are rounded once.
    pub entrywise: usize,
}

impl<T: Scalar> Number for T {
    const BLOCKING: Blocking = Blocking {
        panel: 16,
        block: 128,
        span: [0, usize::MAX, 512, 256, 128][T::LIMBS],
        substitution: 64,
        together: [0, 64, 128, 128, 128][T::LIMBS],
        reflections: [0, 32, 32, 64, 64][T::LIMBS],
        entrywise: 512,
    };

    const LEAST_EXPONENT: i32 = -1074;

    const SLICING: usize = [0, 40, 24, 8, 8][T::LIMBS];

    type Size = f64;

    #[inline(always)]
    fn leading(self) -> Reading {
        Reading::of(self.limb(0))
    }

    fn nearest(self) -> Reading {
        Reading::of(self.to_f64())
    }

    fn in_bits(self, bits: Bits) -> Mp {
        let limbs: [f64; 4] =
            std::array::from_fn(|limb| if limb < T::LIMBS { self.limb(limb) } else { 0.0 });
        Mp::from_limbs(bits, &limbs[..T::LIMBS])
    }

    /// Gaps between limbs may make a number longer than its type's precision.
    fn span(self) -> u32 {
        let first = crate::scalar::exponent(self.limb(0));
        let last = (0..T::LIMBS).rev().find_map(|l| crate::scalar::exponent(self.limb(l)));
        first.zip(last).map_or(0, |(first, last)| (first - last + 53) as u32)
    }

    #[inline(always)]
    fn size(self) -> f64 {
        self.limb(0).abs()
    }

    #[inline(always)]
    fn from_size(size: f64) -> Self {
        T::from_f64(size)
    }

    #[inline(always)]
    fn unit_roundoff((): ()) -> f64 {
        T::UNIT_ROUNDOFF
    }

    #[inline]
    fn exponent(self) -> Option<i32> {
        crate::scalar::exponent(self.limb(0))
    }

    /// Instructions, and for one limb the memory that they wait for.
    #[inline(always)]
    fn cost((): ()) -> usize {
        [0, 2, 10, 41, 106][T::LIMBS]
    }
}

/// A number of this head and highest word, within `2^-52` of itself.
fn leading(head: Head, highest: u64) -> Reading {
    let Some(exponent) = head.exponent() else {
        let zero_or_infinite = if head.is_zero() { 0.0 } else { f64::INFINITY };
        let size = if head.is_nan() { f64::NAN } else { zero_or_infinite };
        return Reading::of(if head.is_negative() { -size } else { size });
    };
    // 2^64
    let significand = highest as f64 / 18_446_744_073_709_551_616.0;
    let signed = if head.is_negative() { -significand } else { significand };
    Reading::of(signed).scaled(i64::from(exponent))
}

impl Number for Mp {
    const BLOCKING: Blocking = Blocking {
        panel: 16,
        block: 32,
        span: 32,
        substitution: 16,
        together: 64,
        reflections: 32,
        entrywise: 0,
    };

    const LEAST_EXPONENT: i32 = Head::LEAST_EXPONENT;

    const SLICING: usize = usize::MAX;

    type Size = Reading;

    /// Within `2^-52` of itself.
    fn leading(self) -> Reading {
        leading(self.head(), self.words().last().copied().unwrap_or(0))
    }

    fn nearest(self) -> Reading {
        let Some(e) = self.head().exponent() else { return Reading::of(self.to_f64()) };
        let near = Reading::of(self.ldexp(-e).to_f64());
        Reading { exponent: near.exponent + i64::from(e), ..near }
    }

    fn in_bits(self, bits: Bits) -> Mp {
        self.view().to_mp(bits)
    }

    fn span(self) -> u32 {
        if self.head().is_zero() { 0 } else { self.bits().get() }
    }

    fn size(self) -> Reading {
        self.leading().abs()
    }

    fn from_size(size: Reading) -> Self {
        Mp::from_f64(Bits::FEWEST, size.significand)
            .ldexp(size.exponent.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
    }

    fn unit_roundoff(bits: Bits) -> Reading {
        Reading { significand: 0.5, exponent: 1 - i64::from(bits.get()) }
    }

    fn halved(bits: Bits) -> Option<Bits> {
        /// Bits that a step does not bring.
        const SPARE: u32 = 32;
        /// An `f64` and two steps have as many bits.
        const FEWEST: u32 = 160;
        let half = Bits::new(bits.get().div_ceil(2) + SPARE).ok();
        half.filter(|_| bits.get() > FEWEST)
    }

    fn exponent(self) -> Option<i32> {
        self.head().exponent().map(|e| e - 1)
    }

    /// Without the numbers, which are large.
    fn sizes(numbers: Slice<'_, Self>) -> impl Iterator<Item = Reading> {
        let words = numbers.words().chunks_exact(numbers.bits().words());
        let highest = words.map(|words| words.last().copied().unwrap_or(0));
        numbers.heads().iter().zip(highest).map(|(&head, word)| leading(head, word).abs())
    }

    fn exponents(numbers: Slice<'_, Self>) -> impl Iterator<Item = Option<i32>> {
        numbers.heads().iter().map(|head| head.exponent().map(|e| e - 1))
    }

    fn are_finite(numbers: Slice<'_, Self>) -> bool {
        numbers.heads().iter().fold(true, |finite, head| finite & head.is_finite())
    }

    fn cost(bits: Bits) -> usize {
        900 + 100 * bits.words() * bits.words()
    }
}
