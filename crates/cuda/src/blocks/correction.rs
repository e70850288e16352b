//! Steps of corrections: with how many bits, and when they are done.

use nonius_gpu::Error;
use nonius_linalg::backend::{Diagonalize, Gemm, Memory};
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::dense::gemm::crt::Target;
use nonius_linalg::dense::{Diagonal, Transpose, Triangle};
use nonius_linalg::{Number, Scalar};
use nonius_num::Dd;

use super::kernels::{Kernels, Read, STEPS, Word};
use super::outcome::{Rest, Stop};
use crate::backend::Cuda;
use crate::crt::{Integers, Outcome};
use crate::kind::Kind;
use crate::matrix::{DeviceMatrix, DeviceMut, DeviceRef, Layout};
use crate::multiplication::Multiplication;
use crate::operand::{ALWAYS, Operand};
use crate::triangle_inverse::TriangleInverse;

/// Bits that products have beyond the digits that they are to bring.
pub(super) const SPARE: u32 = 48;
/// The largest exponents of `|L||L⁻¹|` and `|U||U⁻¹|` together.
const GROWTH: i64 = 30;
/// Bits of double-double, but for some roundings.
const BITS_OF_DOUBLES: i64 = 104;
/// Digits that factors in double-double are taken to have at first: a correction tells how many.
const DIGITS_OF_DOUBLES: u32 = 80;
/// Digits that a step brings at most, by the inverses in double-double.
const DIGITS_OF_STEP: u32 = 96;
/// Digits without which nothing is corrected.
const LEAST_DIGITS: u32 = 40;
/// Digits by which steps are planned, for products of the same lengths share their tables.
const UNIT: u32 = 16;
/// Exponents beyond these are those of infinity and NaN.
const GREATEST: i64 = 1 << 28;

/// `op(A)`
pub(super) fn no(layout: Layout) -> Operand {
    Operand::new(Transpose::No, layout)
}

pub(super) fn transposed(layout: Layout) -> Operand {
    Operand::new(Transpose::Yes, layout)
}

/// A product `C ← α·op(A)·op(B) + β·C` with integers of `bits` bits. Each row of `op(A)` and each
/// column of `op(B)` has a scale of its own. `C` may be one of the factors.
#[derive(Clone, Copy)]
pub(super) struct Product<T> {
    pub(super) part: Option<Triangle>,
    pub(super) alpha: T,
    pub(super) a: Operand,
    pub(super) b: Operand,
    pub(super) beta: T,
    pub(super) c: Layout,
    pub(super) bits: u32,
}

impl<T: Number> Product<T> {
    /// `C ← op(A)·op(B)`
    pub(super) fn plain(a: Operand, b: Operand, c: Layout, bits: u32) -> Self {
        Self { part: None, alpha: T::ONE, a, b, beta: T::ZERO, c, bits }
    }

    /// The same where only a triangle of `C` is wanted.
    pub(super) fn of(self, triangle: Triangle) -> Self {
        Self { part: Some(triangle), ..self }
    }

    /// `C ← C + α·op(A)·op(B)`
    pub(super) fn added(alpha: T, a: Operand, b: Operand, c: Layout, bits: u32) -> Self {
        Self { part: None, alpha, a, b, beta: T::ONE, c, bits }
    }

    /// Queues it; tells what became of it.
    fn queue(&self, normwise: &Cuda, format: T::Format) -> Result<Outcome, Error> {
        normwise.check()?;
        let (least_bits, most_bits) = (self.bits, Target::MOST_BITS);
        let target = Target { precision: self.bits, factor: 3.0, least_bits, most_bits };
        normwise.multiply_with_residues(
            self.in_format(format),
            [None; 2],
            Integers::Least { target, waits: false },
        )
    }

    /// Queues it for factors that need not be finite, of which `C` is none.
    pub(super) fn queue_in_any_case(
        &self,
        normwise: &Cuda,
        format: T::Format,
    ) -> Result<(), Error> {
        let directly = |only_if| {
            normwise.multiply_directly(Arithmetic::Delayed, self.in_format(format), only_if)
        };
        match self.queue(normwise, format)? {
            Outcome::Done(_) => Ok(()),
            Outcome::Refused(_) => directly(ALWAYS),
            Outcome::Unless(verdict) => directly(verdict.address()),
        }
    }

    fn in_format(&self, format: T::Format) -> Multiplication<T> {
        let Self { part, alpha, a, b, beta, c, .. } = *self;
        Multiplication { format, part, alpha, a, b, beta, c }
    }
}

/// A block that is being corrected.
pub(super) struct Correction<'a, T: Number> {
    pub(super) kernels: Kernels<'a>,
    /// The same device, whose products have errors by rows and columns.
    pub(super) normwise: Cuda,
    pub(super) format: T::Format,
}

impl<'a, T: Number> Correction<'a, T> {
    pub(super) fn new(cuda: &'a Cuda, format: T::Format) -> Result<Self, Error> {
        let kernels = Kernels::new(cuda, Kind::of::<T>(format))?;
        Ok(Self { kernels, normwise: Diagonalize::<T>::normwise(cuda), format })
    }

    pub(super) fn cuda(&self) -> &'a Cuda {
        self.kernels.cuda
    }

    /// Bits of a number.
    pub(super) fn bits(&self) -> u32 {
        T::precision(self.format).bits()
    }

    pub(super) fn room(&self, rows: usize, cols: usize) -> Result<DeviceMatrix<T>, Error> {
        DeviceMatrix::new_in(self.cuda().stream(), self.format, rows, cols)
    }

    /// A matrix of zeros.
    pub(super) fn zeros(&self, rows: usize, cols: usize) -> Result<DeviceMatrix<T>, Error> {
        let mut matrix = self.room(rows, cols)?;
        matrix.clear()?;
        Ok(matrix)
    }

    pub(super) fn doubles(&self, rows: usize, cols: usize) -> Result<DeviceMatrix<Dd>, Error> {
        DeviceMatrix::new_in(self.cuda().stream(), (), rows, cols)
    }

    /// Square matrices with anything in them.
    pub(super) fn squares<const N: usize>(
        &self,
        width: usize,
    ) -> Result<[DeviceMatrix<T>; N], Error> {
        let mut squares = Vec::with_capacity(N);
        for _ in 0..N {
            squares.push(self.room(width, width)?);
        }
        Ok(squares.try_into().expect("as many as asked for"))
    }

    /// Two matrices for magnitudes.
    pub(super) fn magnitudes(&self, width: usize) -> Result<[DeviceMatrix<f64>; 2], Error> {
        let one = || DeviceMatrix::new_in(self.cuda().stream(), (), width, width);
        Ok([one()?, one()?])
    }

    /// The inverse of a triangle of double-doubles, with anything beside it, to a matrix that has
    /// anything in it.
    pub(super) fn invert(
        &self,
        (triangle, diagonal): (Triangle, Diagonal),
        from: Layout,
        to: &DeviceMatrix<Dd>,
    ) -> Result<(), Error> {
        let (upper, unit) = (triangle == Triangle::Upper, diagonal == Diagonal::Unit);
        let inverse =
            TriangleInverse { limbs: Dd::LIMBS, from, to: to.as_ref().layout, upper, unit };
        self.cuda().check()?;
        // SAFETY: both are freed in the order of the stream, and `to` was made for this.
        unsafe { inverse.invert(self.cuda()) }
    }

    pub(super) fn identity(&self, to: Layout) {
        let (rows, cols) = to.shape();
        let ones = Memory::<T>::identity(self.cuda(), self.format, rows, cols);
        self.copy(ones.as_ref().layout, to);
    }

    pub(super) fn copy(&self, from: Layout, to: Layout) {
        let (from, to) = (DeviceRef::<T>::of(from, self.format), DeviceMut::of(to, self.format));
        self.cuda().copy(from, to);
    }

    /// Queues a product of finite numbers.
    pub(super) fn product(&self, product: Product<T>) -> Result<(), Stop> {
        match product.queue(&self.normwise, self.format)? {
            Outcome::Refused(_) => Err(Stop::Panels),
            Outcome::Done(_) | Outcome::Unless(_) => Ok(()),
        }
    }

    /// Finds the largest exponent of `|A||B|` for matrices of magnitudes, to some words.
    pub(super) fn growth(
        &self,
        a: &DeviceMatrix<f64>,
        b: &DeviceMatrix<f64>,
        words: &[Word],
    ) -> Result<(), Error> {
        let (rows, cols) = a.shape();
        let mut product = DeviceMatrix::<f64>::new_in(self.cuda().stream(), (), rows, cols)?;
        let (no, a, b) = (Transpose::No, a.as_ref(), b.as_ref());
        Gemm::<f64>::queue_gemm(self.cuda(), no, no, 1.0, a, b, 0.0, product.as_mut());
        words
            .iter()
            .try_for_each(|&word| self.kernels.largest_double(product.as_ref().layout, word))
    }

    /// Corrects until factors have all digits: `step` queues one, with its number and bits of the
    /// residual and of what comes after it. Refines inverses on the way where that saves steps;
    /// returns their digits.
    pub(super) fn correct<const N: usize>(
        &self,
        inverses: [Approximate; N],
        step: impl Fn(usize, [u32; 2]) -> Result<(), Stop>,
    ) -> Result<[u32; N], Stop> {
        let columns = inverses[0].inverse.shape().0;
        let mut steps = Steps::new(self.bits(), columns);
        let mut digits: Option<[u32; N]> = None;
        for number in 0..STEPS {
            step(number, steps.bits())?;
            let read = self.kernels.read()?;
            let mut have = match digits {
                Some(digits) => digits,
                None => first_digits(&read, columns)?,
            };
            let corrections = read.exponent(Word::Correction(number)).map(|e| -e);
            match steps.after(corrections, have.into_iter().min().unwrap_or(0)) {
                Progress::Done => return Ok(have),
                Progress::More => {}
                Progress::Lost => return Err(Stop::Panels),
            }
            while steps.wants_refinement(have.into_iter().min().unwrap_or(0)) {
                for (digits, inverse) in have.iter_mut().zip(&inverses) {
                    let want = steps.refined(*digits);
                    self.refine_to(inverse, *digits, want)?;
                    *digits = want - UNIT;
                }
                steps.count_on(have.into_iter().min().unwrap_or(0));
            }
            digits = Some(have);
        }
        Err(Stop::Panels)
    }

    /// Refines an inverse from `digits` to `want` digits, twice as many at most.
    fn refine_to(&self, inverse: &Approximate, digits: u32, want: u32) -> Result<(), Stop> {
        let error = self.residual(inverse, want + SPARE)?;
        let to = inverse.inverse;
        let [left, right] = inverse.factors(error.as_ref().layout);
        let bits = want.saturating_sub(digits) + SPARE;
        self.product(Product::added(T::ONE, left, right, to, bits).of(inverse.triangle))
    }

    fn residual(&self, inverse: &Approximate, bits: u32) -> Result<DeviceMatrix<T>, Stop> {
        let (rows, cols) = inverse.inverse.shape();
        let error = self.zeros(rows, cols)?;
        let [left, right] = inverse.residual;
        let product = Product::plain(left, right, error.as_ref().layout, bits);
        self.product(product.of(inverse.triangle))?;
        Ok(error)
    }

    /// Refines an inverse that has `digits` digits to all of them. Returns in `room`, a matrix of
    /// zeros, what rounding cuts off.
    pub(super) fn refine(
        &self,
        inverse: &Approximate,
        mut digits: u32,
        room: DeviceMatrix<T>,
    ) -> Result<Rest<T>, Stop> {
        let all = self.bits() + SPARE / 2;
        while 2 * digits < all {
            self.refine_to(inverse, digits, 2 * digits)?;
            digits = 2 * digits - UNIT;
        }
        let error = self.residual(inverse, self.bits() + SPARE)?;
        let bits = all.saturating_sub(digits) + SPARE;
        let [left, right] = inverse.factors(error.as_ref().layout);
        let rest = room.as_ref().layout;
        self.product(Product::plain(left, right, rest, bits).of(inverse.triangle))?;
        self.kernels.settle(inverse.inverse, rest)?;
        Ok(Rest { matrix: room, bits: SPARE + UNIT })
    }
}

/// The negative inverse of a triangle, near the right one: `X ← X·(I + E)` makes that of a lower
/// triangle better, `X ← (I + E)·X` that of an upper one.
#[derive(Clone, Copy)]
pub(super) struct Approximate {
    pub(super) inverse: Layout,
    pub(super) triangle: Triangle,
    /// The factors of `E`.
    pub(super) residual: [Operand; 2],
}

impl Approximate {
    /// The factors of what is added to it.
    fn factors(&self, error: Layout) -> [Operand; 2] {
        let factors = match self.triangle {
            Triangle::Lower => [self.inverse, error],
            Triangle::Upper => [error, self.inverse],
        };
        factors.map(no)
    }
}

/// Digits that inverses in double-double have, of `L` and of `U`, where the matrix is finite and
/// its factors grow little.
fn first_digits<const N: usize>(read: &Read, columns: usize) -> Result<[u32; N], Stop> {
    let of = |word| read.exponent(word).unwrap_or(0);
    let growth = [Word::Lower, Word::Upper].map(|word| of(word).max(1));
    if of(Word::Exponent) > GREATEST || read.failed() || growth[0] + growth[1] > GROWTH {
        return Err(Stop::Panels);
    }
    let terms = i64::from(columns.max(1).ilog2()) + 1;
    Ok(core::array::from_fn(|i| (BITS_OF_DOUBLES - growth[i.min(1)] - terms) as u32 / UNIT * UNIT))
}

/// Digits on their way.
struct Steps {
    bits: u32,
    /// Digits that sums lose.
    lost: u32,
    /// Digits that factors are known to have, and those that they are to have after the step.
    known: u32,
    want: u32,
    /// Digits that a step is to bring.
    brings: u32,
}

#[derive(Debug, PartialEq)]
enum Progress {
    Done,
    More,
    Lost,
}

impl Steps {
    fn new(bits: u32, columns: usize) -> Self {
        let (brings, lost) = (DIGITS_OF_STEP, columns.max(1).ilog2() + 2);
        let want = (DIGITS_OF_DOUBLES + brings).min(bits);
        Self { bits, lost, known: LEAST_DIGITS, want, brings }
    }

    /// Bits of the residual's integers, and of those of the products after it.
    fn bits(&self) -> [u32; 2] {
        [self.want + SPARE, self.brings + SPARE]
    }

    /// What comes after corrections below `2^-digits`, made by inverses with `of_inverses` digits.
    /// `digits` is `None` where the corrections are zero.
    fn after(&mut self, digits: Option<i64>, of_inverses: u32) -> Progress {
        let digits = digits.unwrap_or(i64::MAX / 4);
        if digits < LEAST_DIGITS.into() {
            return Progress::Lost;
        }
        // Squares of corrections, and errors of corrections.
        let brings = of_inverses.saturating_sub(self.lost).min(self.brings);
        let reached = (2 * digits - i64::from(self.lost)).min(digits + i64::from(brings));
        if self.want == self.bits && reached >= i64::from(self.bits) {
            return Progress::Done;
        }
        let known = reached.min(self.want.into()) as u32 / UNIT * UNIT;
        if known <= self.known {
            return Progress::Lost;
        }
        *self = Self { known, want: (known + self.brings).min(self.bits), ..*self };
        Progress::More
    }

    /// Whether it saves a step to refine inverses with `of_inverses` digits now: they are refined
    /// in any case.
    fn wants_refinement(&self, of_inverses: u32) -> bool {
        self.bits - self.known > self.brings && self.refined(of_inverses) - UNIT > self.brings
    }

    /// The digits that inverses with `digits` digits reach by a refinement: no more than factors
    /// have.
    fn refined(&self, digits: u32) -> u32 {
        (2 * digits).min(self.known)
    }

    /// Plans the next steps with inverses of `of_inverses` digits.
    fn count_on(&mut self, of_inverses: u32) {
        let brings = of_inverses / UNIT * UNIT;
        *self = Self { brings, want: (self.known + brings).min(self.bits), ..*self };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What comes after each step, for corrections that have these `digits` one after the other.
    fn walk(bits: u32, digits: &[Option<i64>]) -> Vec<Progress> {
        let mut steps = Steps::new(bits, 512);
        digits.iter().map(|&digits| steps.after(digits, 86)).collect()
    }

    #[test]
    fn steps_go_on_until_there_are_all_digits() {
        use Progress::{Done, Lost, More};
        assert_eq!(
            walk(424, &[Some(91), Some(180), Some(270), Some(365)]),
            [More, More, More, Done]
        );
        assert_eq!(walk(106, &[Some(91)]), [Done]);
        assert_eq!(walk(64, &[Some(90)]), [Done]);
        // Factors without error at first are exact; it shows when the residual has all digits.
        assert_eq!(walk(300, &[None, None, None]), [More, More, Done]);
        assert_eq!(walk(424, &[Some(39)]), [Lost]);
        assert_eq!(walk(424, &[Some(91), Some(70)]), [More, Lost]);
    }

    #[test]
    fn residuals_have_the_digits_of_their_step() {
        let mut steps = Steps::new(424, 512);
        assert_eq!(steps.bits(), [224, 144]);
        steps.after(Some(91), 86);
        assert_eq!(steps.bits(), [304, 144]);
        steps.after(Some(290), 86);
        assert_eq!(steps.bits(), [400, 144]);
        steps.after(Some(370), 86);
        assert_eq!(steps.bits(), [472, 144]);
    }

    #[test]
    fn long_numbers_are_worth_better_inverses() {
        for bits in [424, 2048] {
            let mut steps = Steps::new(bits, 512);
            steps.after(Some(91), 86);
            assert!(steps.wants_refinement(80));
            assert_eq!(steps.refined(80), 160);
            steps.count_on(144);
            assert_eq!(steps.bits(), [160 + 144 + SPARE, 144 + SPARE]);
            // No more than factors have.
            assert!(!steps.wants_refinement(144));
        }
        // One step more is enough.
        let mut steps = Steps::new(212, 512);
        steps.after(Some(91), 86);
        assert!(!steps.wants_refinement(80));
    }
}
