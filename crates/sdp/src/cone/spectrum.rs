//! The least eigenvalue of `M·A·Mᵀ`, which bounds how far one may go from a positive definite
//! matrix `M⁻¹·M⁻ᵀ` in the direction `A`.
//!
//! Lanczos' method with full orthogonalisation, for all squares of the cone at the same time, each
//! with a tridiagonal matrix of its own, in `f64` but for the products with `M` and `A`, which
//! cancel where `M⁻¹` is near singular. A Ritz value `θ` with residual `ρ` has an eigenvalue within
//! `ρ`, and after as many steps as a square has rows the values are the eigenvalues: small squares
//! are treated exactly. What is returned, `min(θ − ρ)`, is a lower bound of the least one where
//! that is the eigenvalue near `θ`.
//!
//! A small residual does not say that: the eigenvalue may be another one, where the start has
//! little of the least one's vector. After `k` steps from a random start, whatever the eigenvalues,
//! `θ` is above the least one by more than `ε` times the spread of all with a probability below
//! `1.648·√n·exp(−√ε·(2k − 1))`. So steps go on until that is below [`RISK`] too.
//!
//! Sources: K.-C. Toh, *A note on the calculation of step-lengths in interior-point methods for
//! semidefinite programming*, Computational Optimization and Applications 21, 2002. J. Kuczyński
//! and H. Woźniakowski, *Estimating the largest eigenvalue by the power and Lanczos algorithms with
//! a random start*, SIAM Journal on Matrix Analysis and Applications 13, 1992, theorem 4.2.

use nonius_linalg::Error;
use nonius_linalg::dense::diagonalize;

use crate::cone::Cone;

/// The least eigenvalue counts as found when its bounds are within this part of it.
const TOLERANCE: f64 = 0.02;
/// The probability of missing the least eigenvalue by more than this part, at most.
const RISK: f64 = 0.01;
/// Most steps.
const MOST_STEPS: usize = 100;
/// Steps from one look at the Ritz values to the next.
const STEPS_BETWEEN_LOOKS: usize = 4;

/// A cone that multiplies a vector of each of its rows.
pub trait Congruent: Cone {
    /// `w ← M·A·Mᵀ·q` for a lower triangular `M` and a symmetric `A`; vectors have an entry for
    /// each row, those of the diagonal block last. In a second-order cone `M·A·Mᵀ` is the least
    /// eigenvalue of `{M, A, M}` times the identity. Products are those of this backend's numbers,
    /// vectors are rounded to `f64`.
    ///
    /// # Errors
    /// [`Error::Device`].
    fn congruence(
        &self,
        m: &Self::Blocks,
        a: &Self::Blocks,
        q: &[f64],
        w: &mut [f64],
    ) -> Result<(), Error>;
}

/// Replaces bounds by the least that any device has, and words by whether they are so on all of
/// them. All devices call it together.
type Join<'a> = &'a dyn Fn(&mut [f64], &mut [bool]) -> Result<(), Error>;

/// The part of the work that is this device's, and what joins it with the others'.
pub(crate) struct Together<'a> {
    /// Whether this device iterates on a square of a pair.
    pub(crate) has: &'a dyn Fn(usize, usize) -> bool,
    pub(crate) join: Join<'a>,
}

/// [`Cone::least_eigenvalues`] of a device with all blocks.
///
/// # Errors
/// [`Error::Device`].
pub(crate) fn least_eigenvalues<C: Congruent, const N: usize>(
    cone: &C,
    pairs: [(&C::Blocks, &C::Blocks); N],
    enough: f64,
) -> Result<[f64; N], Error> {
    least_of_all(cone, pairs, enough, &Together { has: &|_, _| true, join: &|_, _| Ok(()) })
}

/// The same of devices of which each iterates on some squares.
///
/// # Errors
/// [`Error::Device`]; those of `join`.
pub(crate) fn least_of_all<C: Congruent, const N: usize>(
    cone: &C,
    pairs: [(&C::Blocks, &C::Blocks); N],
    enough: f64,
    together: &Together<'_>,
) -> Result<[f64; N], Error> {
    let mut runs = Vec::with_capacity(N);
    for (number, pair) in pairs.into_iter().enumerate() {
        runs.push(Run::new(cone, pair, &|square| (together.has)(number, square))?);
    }
    join(&mut runs, together)?;
    for step in 1..=MOST_STEPS {
        let looks = step % STEPS_BETWEEN_LOOKS == 0 || step == MOST_STEPS;
        for run in runs.iter_mut().filter(|run| !run.ends) {
            run.extend(looks, step == MOST_STEPS, enough)?;
        }
        if looks {
            join(&mut runs, together)?;
        }
        if runs.iter().all(|run| run.ends) {
            break;
        }
        for run in runs.iter_mut().filter(|run| !run.ends) {
            run.multiply(cone)?;
        }
    }
    Ok(core::array::from_fn(|number| runs[number].least))
}

/// Joins what devices know of each pair.
fn join<C: Cone>(runs: &mut [Run<'_, C>], together: &Together<'_>) -> Result<(), Error> {
    let (mut least, mut ends): (Vec<f64>, Vec<bool>) =
        runs.iter().map(|run| (run.least, run.ends)).unzip();
    (together.join)(&mut least, &mut ends)?;
    for (run, (least, ends)) in runs.iter_mut().zip(least.into_iter().zip(ends)) {
        (run.least, run.ends) = (least, ends);
    }
    Ok(())
}

/// The iterations in the squares of one pair.
struct Run<'a, C: Cone> {
    pair: (&'a C::Blocks, &'a C::Blocks),
    /// What is multiplied next, and its product.
    q: Vec<f64>,
    w: Vec<f64>,
    squares: Vec<Square>,
    /// The least bound so far.
    least: f64,
    /// Whether all bounds are known.
    ends: bool,
}

impl<'a, C: Congruent> Run<'a, C> {
    /// The bound of the diagonal block, and the first product in each square that this device has.
    fn new(
        cone: &C,
        pair: (&'a C::Blocks, &'a C::Blocks),
        has: &dyn Fn(usize) -> bool,
    ) -> Result<Self, Error> {
        let orders = cone.squares();
        let length: usize = orders.iter().sum();
        let mut q = vec![1.0; length + cone.diagonal()];
        let mut start = 0;
        let mut squares = Vec::with_capacity(orders.len());
        for (number, &order) in orders.iter().enumerate() {
            let part = &mut q[start..start + order];
            let mut square = Square::new(start, order, part);
            if !has(number) {
                square.bound = Some(f64::INFINITY);
                part.fill(0.0);
            }
            squares.push(square);
            start += order;
        }
        let w = vec![0.0; q.len()];
        let mut run = Self { pair, q, w, squares, least: f64::INFINITY, ends: false };
        run.multiply(cone)?;
        // On the diagonal vectors of ones yield the eigenvalues.
        run.least = run.w[length..].iter().copied().fold(f64::INFINITY, least_of);
        run.q[length..].fill(0.0);
        Ok(run)
    }

    fn multiply(&mut self, cone: &C) -> Result<(), Error> {
        let (m, a) = self.pair;
        cone.congruence(m, a, &self.q, &mut self.w)
    }

    /// Takes the products, and looks at what they say of bounds.
    fn extend(&mut self, looks: bool, last: bool, enough: f64) -> Result<(), Error> {
        let Self { q, w, squares, least, ends, .. } = self;
        for square in squares.iter_mut().filter(|square| square.bound.is_none()) {
            let range = square.start..square.start + square.order;
            square.extend(&mut w[range.clone()]);
            if looks || square.is_exhausted() {
                square.look(last, enough.min(*least))?;
            }
            match square.bound {
                Some(_) => q[range].fill(0.0),
                None => q[range].copy_from_slice(&square.basis[square.basis.len() - 1]),
            }
        }
        if looks {
            *ends = squares.iter().all(|square| square.bound.is_some());
            *least = squares.iter().filter_map(|square| square.bound).fold(*least, least_of);
        }
        Ok(())
    }
}

/// The lesser one; NaN where one of them is.
fn least_of(x: f64, y: f64) -> f64 {
    if x.is_nan() || x <= y { x } else { y }
}

/// The iteration in one square.
struct Square {
    start: usize,
    order: usize,
    /// Orthonormal vectors, the last of which is multiplied next.
    basis: Vec<Vec<f64>>,
    diagonal: Vec<f64>,
    beside: Vec<f64>,
    /// The lower bound, when it is good enough.
    bound: Option<f64>,
}

/// A remainder below this part of the coefficients is rounding error, some tens of units of
/// roundoff.
const NOTHING: f64 = 1e-14;
/// A vector that has at least this part of its length left without those along others is orthogonal
/// to them (Daniel, Gragg, Kaufman and Stewart, Mathematics of Computation 30, 1976).
const ENOUGH_LEFT: f64 = core::f64::consts::FRAC_1_SQRT_2;

impl Square {
    /// Puts the first vector into `q`.
    fn new(start: usize, order: usize, q: &mut [f64]) -> Self {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(order as u64 + 1);
        for x in q.iter_mut() {
            // xorshift, G. Marsaglia, Journal of Statistical Software 8, 2003.
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            *x = (state >> 11) as f64 * 2.0_f64.powi(-52) - 1.0;
        }
        let norm = norm_of(q);
        q.iter_mut().for_each(|x| *x /= norm);
        let bound = (order == 0).then_some(f64::INFINITY);
        let basis = vec![q.to_vec()];
        Self { start, order, basis, diagonal: Vec::new(), beside: Vec::new(), bound }
    }

    /// Takes the product of the last vector, of which the part that is orthogonal to all so far is
    /// the next one.
    fn extend(&mut self, w: &mut [f64]) {
        let last = &self.basis[self.basis.len() - 1];
        self.diagonal.push(dot(last, w));
        subtract(self.diagonal[self.diagonal.len() - 1], last, w);
        if let [.., before, _] = &self.basis[..] {
            subtract(self.beside[self.beside.len() - 1], before, w);
        }
        let mut norm = norm_of(w);
        // Twice is enough (Giraud, Langou, Rozložník and van den Eshof, 2005).
        for _ in 0..2 {
            for v in &self.basis {
                subtract(dot(v, w), v, w);
            }
            let before = core::mem::replace(&mut norm, norm_of(w));
            if norm >= ENOUGH_LEFT * before {
                break;
            }
        }
        self.beside.push(norm);
        w.iter_mut().for_each(|x| *x /= norm);
        self.basis.push(w.to_vec());
    }

    /// Whether the last step left less than [`NOTHING`], or there is no direction left.
    fn is_exhausted(&self) -> bool {
        let k = self.diagonal.len();
        let scale = self.diagonal.iter().chain(&self.beside).fold(0.0, |a: f64, x| a.max(x.abs()));
        let rest = self.beside[k - 1];
        k == self.order || rest.is_nan() || rest <= NOTHING * scale
    }

    /// Accepts the bound where it is good enough, or at the last.
    fn look(&mut self, last: bool, enough: f64) -> Result<(), Error> {
        let k = self.diagonal.len();
        let exhausted = self.is_exhausted();
        let mut values = self.diagonal.clone();
        if !values.iter().chain(&self.beside[..k - 1]).all(|x| x.is_finite()) {
            self.bound = Some(f64::NAN);
            return Ok(());
        }
        let mut beside = self.beside[..k - 1].to_vec();
        // Last entries of the eigenvectors.
        let mut ends = vec![0.0; k];
        ends[k - 1] = 1.0;
        diagonalize((), &mut values, &mut beside, |rotations| {
            for r in rotations {
                let (x, y) = (ends[r.first], ends[r.second]);
                ends[r.first] = r.c * x - r.s * y;
                ends[r.second] = r.s * x + r.c * y;
            }
        })?;
        let least = (0..k).min_by(|&i, &j| values[i].total_cmp(&values[j])).unwrap_or(0);
        let residual = if exhausted { 0.0 } else { self.beside[k - 1] * ends[least].abs() };
        let bound = values[least] - residual;
        let error = TOLERANCE * bound.abs();
        let greatest = values.iter().copied().fold(values[least], f64::max);
        // How far above the least eigenvalue the value may be.
        let distance = if bound >= enough { error.max(values[least] - enough) } else { error };
        let settled = (residual <= error || bound >= enough)
            && self.risk(distance / (greatest - values[least] + distance)) <= RISK;
        if last || exhausted || settled {
            self.bound = Some(bound);
        }
        Ok(())
    }

    /// How probable it is at most that the least Ritz value is above the least eigenvalue by more
    /// than this part of the spread.
    fn risk(&self, part: f64) -> f64 {
        let steps = self.diagonal.len() as f64;
        1.648 * (self.order as f64).sqrt() * (-part.sqrt() * (2.0 * steps - 1.0)).exp()
    }
}

/// `w ← w − α·v`
fn subtract(alpha: f64, v: &[f64], w: &mut [f64]) {
    w.iter_mut().zip(v).for_each(|(w, v)| *w -= alpha * v);
}

/// In as many sums as a processor adds at a time.
fn dot(x: &[f64], y: &[f64]) -> f64 {
    const SUMS: usize = 16;
    let ((x, rest_of_x), (y, rest_of_y)) = (x.as_chunks::<SUMS>(), y.as_chunks::<SUMS>());
    let mut sums = [0.0; SUMS];
    for (x, y) in x.iter().zip(y) {
        for (sum, (x, y)) in sums.iter_mut().zip(x.iter().zip(y)) {
            *sum += x * y;
        }
    }
    let rest: f64 = rest_of_x.iter().zip(rest_of_y).map(|(x, y)| x * y).sum();
    sums.iter().sum::<f64>() + rest
}

fn norm_of(x: &[f64]) -> f64 {
    dot(x, x).sqrt()
}
