//! The determinant by products with inverses of triangular factors in `f64`.
//!
//! **Method.** Let `P·C ≈ L·U` in `f64`, `X_L ≈ L^-1` with ones on its diagonal and `X_U ≈ U^-1`.
//! Both are triangular and taken as exact, so that their determinants are products of the diagonals
//! (columns of `X_U` are scaled by powers of two where `C′` would be large), and `C′ = X_L·P·C·X_U`
//! has the determinant `±det C·det X_U`. The condition of `C′` is about `2^-53·n` times that of
//! `C`, so that a few of these steps lead to `I + D` with a small `D`, whose determinant is a
//! [series](super::series) (S. M. Rump, *Inversion of extremely ill-conditioned matrices in
//! floating-point*, Japan J. Indust. Appl. Math. 26, 2009; T. Ogita, *Accurate matrix
//! factorization: inverse LU and inverse QR factorizations*, SIAM J. Matrix Anal. Appl. 31, 2010).
//! All is products of matrices.
//!
//! **Error of a step.** Let every entry of the transpose of `C` that is held, with `p` bits, be
//! within `α` of the exact one and below `2^f` in magnitude. With `u_i = max_k |X_U|_ki < 2^(e_i)`
//! and `s_j = Σ_k |X_L|_jk`, entry `(i, j)` of `Y = X_Uᵀ·Cᵀ` is within
//! `y_i = n·u_i·α + 3n·2^(e_i + f − p)` ([`Machine::product`]). If `Y` is below `2^g` and rounded
//! to `q` bits, entry `(i, j)` of the transpose of `C′` is within
//! `(y_i + (6n + 1)·2^(g + 1 − q))·s_j`: a power of two beside a line is at most twice its largest
//! magnitude.
//!
//! **Theorem.** Let `|E| <= y·sᵀ` be such a bound and `φ = ‖D‖ < 1` by Frobenius's norm. Then
//! `det(I + D + E) = det(I + D)·(1 + θ)` with `|θ| <= σ/(1 − σ)` for
//! `σ = sᵀy + ‖s‖·‖y‖·φ/(1 − φ) < 1`. For `N = |(I + D)^-1| <= Σ|D|^k`, so that `sᵀ·N·y <= σ`, and
//! the `k`-th trace of `M = (I + D)^-1·E` is at most `tr((N·y·sᵀ)^k) = (sᵀ·N·y)^k`: hence
//! `|log det(I + M)| <= Σ σ^k/k = −log(1 − σ)`.

#[cfg(test)]
mod tests;

use nonius_num::Real;
use nonius_num::mp::{Bits, Mp};

use super::super::condition::condition;
use super::super::inverse::{Inverse, attempts};
use super::super::machine::{Held, Machine, Triangles};
use super::super::magnitude::Magnitude;
use super::super::system::System;
use super::found::{Found, Product};
use super::series;
use crate::Error;
use crate::backend::Memory;

/// The order from which on this takes less time than elimination.
pub(super) const LEAST_ORDER: usize = 64;
/// Entries of `X_U` are below `2^` that much where one step is likely to do.
const ONE_STEP: i64 = 40;
/// Bits for more steps, at first.
const SPARE: u32 = 64;
/// Bits of what is left of a matrix that are worth a factorisation.
const WORTHWHILE: i64 = 40;
/// What a norm of `D` is expected to be after a step that had no trouble.
const AFTER_A_STEP: i64 = -42;
/// Growth by a step that shows no ill condition.
const NO_GROWTH: i64 = 16;
/// Magnitudes of triangles beyond which what is left may be large.
const LARGEST_SAFE_MAGNITUDE: f64 = (1_u64 << 56) as f64;
/// Bits beside the most ones for one step, from which on elimination takes over.
const TOO_MANY: i64 = 1024;

/// Bits that an estimate is worth.
const MOST_OF_ESTIMATE: Bits = match Bits::new(1024) {
    Ok(bits) => bits,
    Err(_) => panic!("a precision"),
};

/// The steps found so far.
pub(super) struct Preconditioning<M: Machine> {
    held: M::Numbers,
    steps: Vec<Step<M>>,
    spare: u32,
}

/// What an attempt with some bits comes to.
#[expect(clippy::large_enum_variant, reason = "one at a time, on its way to the caller")]
pub(super) enum Attempt {
    Found(Found),
    /// This many more bits may be enough.
    More(u32),
    /// Steps gain nothing.
    Stuck,
}

/// A factorisation.
struct Step<M: Machine> {
    triangles: Triangles<<M as Memory<f64>>::Matrix>,
    /// `u_i` and `s_j`
    maxima: Vec<Magnitude>,
    sums: Vec<Magnitude>,
}

/// `Cᵀ` and its errors.
struct State<M: Machine> {
    c: M::Numbers,
    /// `α`; and without what products and their rounding add.
    all: Magnitude,
    given: Magnitude,
    /// `y`, of the last step.
    rows: Vec<Magnitude>,
    /// `sᵀy` of what was given.
    sum_of_given: Magnitude,
}

fn largest(x: &[Magnitude]) -> Magnitude {
    x.iter().copied().fold(Magnitude::ZERO, Magnitude::max)
}

fn inner(x: &[Magnitude], y: &[Magnitude]) -> Magnitude {
    x.iter().zip(y).fold(Magnitude::ZERO, |sum, (x, y)| sum.plus(x.times(*y)))
}

fn total(x: &[Magnitude]) -> Magnitude {
    x.iter().copied().fold(Magnitude::ZERO, Magnitude::plus)
}

/// `m·2^e`
fn size(m: f64, e: i64) -> Magnitude {
    Magnitude::new(m, e)
}

/// Exponents of zeros do not matter.
fn exponent(x: Magnitude) -> i64 {
    x.exponent().unwrap_or(0)
}

/// The least power above all entries.
fn top<M: Machine>(machine: &M, a: &M::Numbers) -> Result<i64, Error> {
    Ok(machine.column_exponents(a)?.into_iter().flatten().max().unwrap_or(0))
}

fn precision(bits: i64, most: Bits) -> Bits {
    let bits = u32::try_from(bits.max(Bits::LEAST.into())).unwrap_or(Bits::MOST);
    Bits::new(bits.next_multiple_of(8)).map_or(most, |bits| bits.min(most))
}

/// Scales columns of `X_U` by powers of two, so that none of `C′` is much above 1: where the last
/// column of `X_U` is large, what its rounding leaves is large, too.
fn scale<M: Machine>(
    machine: &M,
    a: <M as Memory<f64>>::Ref<'_>,
    triangles: &mut Triangles<<M as Memory<f64>>::Matrix>,
) -> Result<(), Error> {
    let product = machine.times(machine.view(&triangles.lower), a)?;
    let product = machine.times(machine.view(&product), machine.view(&triangles.upper))?;
    let maxima = machine.column_maxima(machine.view(&product))?;
    let down = |x: f64| crate::scalar::exponent(x).map_or(0, |e| e.max(0));
    let mut upper = machine.download(machine.view(&triangles.upper))?;
    let n = maxima.len().max(1);
    let columns = upper.as_mut_slice().chunks_exact_mut(n).zip(&mut triangles.diagonal);
    for (j, ((column, diagonal), x)) in columns.zip(maxima).enumerate() {
        column.iter_mut().for_each(|entry| *entry = entry.ldexp(-down(x)));
        *diagonal = column[j];
    }
    triangles.upper = machine.upload(upper.view());
    Ok(())
}

impl<M: Machine> Step<M> {
    /// `None` where a matrix has no finite triangles, nor those next to it.
    fn new(machine: &M, c: &M::Numbers, seed: u32) -> Result<Option<Self>, Error> {
        let nearest = machine.nearest(c)?;
        attempts(machine, &nearest, seed, |a| {
            let mut triangles = machine.inverse_triangles(a)?;
            let n = triangles.diagonal.len();
            let ones = vec![1.0; n];
            let sums = machine.row_sums(machine.view(&triangles.lower), &ones)?;
            let mut maxima = machine.column_maxima(machine.view(&triangles.upper))?;
            let most = |x: &[f64]| x.iter().copied().fold(0.0, f64::max);
            if most(&maxima) * most(&sums) > LARGEST_SAFE_MAGNITUDE {
                scale(machine, a, &mut triangles)?;
                maxima = machine.column_maxima(machine.view(&triangles.upper))?;
            }
            // Maxima may pass over what is not a number, sums do not.
            let of_upper = machine.row_sums(machine.view(&triangles.upper), &ones)?;
            let up = 1.0 + 4.0 * (n as f64 + 8.0) * f64::EPSILON;
            let finite = maxima.iter().chain(&sums).chain(&of_upper).all(|x| x.is_finite());
            let regular = finite && triangles.diagonal.iter().all(|&x| x != 0.0 && x.is_finite());
            Ok(regular.then(|| Self {
                triangles,
                maxima: maxima.into_iter().map(|x| size(x, 0)).collect(),
                sums: sums.into_iter().map(|x| size(x * up, 0)).collect(),
            }))
        })
    }

    /// `sᵀy` for `α = 2^-p` and entries below `2^f`, without `2^-p`.
    fn amplification(&self, f: i64) -> Magnitude {
        let n = self.sums.len() as f64;
        inner(&self.sums, &self.maxima).times(size(n, 0).plus(size(6.0 * n, f)))
    }

    /// The next `Cᵀ`.
    fn apply(&self, machine: &M, state: &State<M>) -> Result<State<M>, Error> {
        let (n, p) = (self.sums.len() as f64, state.c.bits());
        let f = top(machine, &state.c)?;
        let row = |u: &Magnitude| {
            let power =
                u.exponent().map_or(Magnitude::ZERO, |e| size(3.0 * n, e + f - i64::from(p.get())));
            u.times(state.all).times(size(n, 0)).plus(power)
        };
        let rows: Vec<Magnitude> = self.maxima.iter().map(row).collect();
        let upper =
            machine.widened(machine.view(&self.triangles.upper), super::super::least_bits())?;
        let y = machine.product(false, &upper, &state.c)?;
        let g = top(machine, &y)?;
        // What rounding adds to sᵀy is to be a quarter of that.
        let added = total(&self.sums).times(size(6.0 * n + 1.0, g + 1));
        let q = precision(exponent(added) - exponent(inner(&self.sums, &rows)) + 3, p);
        let y = machine.rounded(&y, q)?;
        let c = machine.product(
            false,
            &y,
            &machine.widened(machine.view(&self.triangles.lower), q)?,
        )?;
        let added = size(6.0 * n + 1.0, g + 1 - i64::from(q.get()));
        let rows: Vec<Magnitude> = rows.into_iter().map(|y| y.plus(added)).collect();
        let most = largest(&self.sums);
        let of_given = state.given.times(size(n, 0));
        Ok(State {
            c,
            all: largest(&rows).times(most),
            given: largest(&self.maxima).times(of_given).times(most),
            rows,
            sum_of_given: inner(&self.sums, &self.maxima).times(of_given),
        })
    }
}

impl<M: Machine> Preconditioning<M> {
    pub(super) fn new(machine: &M, system: &System) -> Result<Self, Error> {
        let held = machine.hold(&system.rows)?;
        Ok(Self { held, steps: Vec::new(), spare: SPARE })
    }

    /// The bits of the first attempt for a relative error of `2^-goal`, where the bits of all
    /// products are likely to be fewer than `most_work`; else `None`.
    pub(super) fn first_bits(
        &mut self,
        machine: &M,
        goal: i64,
        most_work: f64,
    ) -> Result<Option<u32>, Error> {
        if self.steps.is_empty() {
            let Some(step) = Step::new(machine, &self.held, 0)? else { return Ok(None) };
            self.steps.push(step);
        }
        let step = &self.steps[0];
        let amplification = exponent(step.amplification(top(machine, &self.held)?));
        if amplification > TOO_MANY {
            return Ok(None);
        }
        let one = exponent(largest(&step.maxima)) <= ONE_STEP;
        let more = if one { 0 } else { self.spare };
        let bits = goal + amplification + 1 + i64::from(more);
        // Random matrices have half of this.
        let norms = [&step.sums, &step.maxima].map(|x| inner(x, x).sqrt());
        let norm = if one {
            norms[0].times(norms[1]).shifted(-53)
        } else {
            Magnitude::power(AFTER_A_STEP)
        };
        let work = bits * if one { 2 } else { 4 } + series::work(norm, goal);
        let worthwhile = (work as f64) < most_work;
        Ok(u32::try_from(bits).ok().filter(|_| worthwhile).map(|bits| bits.next_multiple_of(8)))
    }

    /// How many factorisations there are.
    pub(super) fn steps(&self) -> usize {
        self.steps.len()
    }

    /// The determinant by products with `bits` bits. Its relative error is about `2^-goal` if they
    /// suffice.
    pub(super) fn attempt(
        &mut self,
        machine: &M,
        system: &System,
        bits: Bits,
        goal: i64,
    ) -> Result<Attempt, Error> {
        let unit = Magnitude::power(-i64::from(bits.get()));
        let cut = if self.held.bits() > bits { unit } else { Magnitude::ZERO };
        // No entry exceeds 1.
        let mut state = State {
            c: machine.rounded(&self.held, bits)?,
            all: system.matrix_error.plus(cut),
            given: system.matrix_error,
            rows: Vec::new(),
            sum_of_given: Magnitude::ZERO,
        };
        let most_steps = 4 + bits.get() as usize / 16;
        let mut without_growth = 0;
        for k in 0.. {
            if k == self.steps.len() {
                if !state.all.less(Magnitude::power(-WORTHWHILE)) {
                    return Ok(self.more());
                }
                let step = Step::new(machine, &state.c, k as u32)?.filter(|_| k < most_steps);
                let Some(step) = step else { return Ok(Attempt::Stuck) };
                let growth = largest(&step.maxima).times(largest(&step.sums));
                without_growth = if exponent(growth) < NO_GROWTH { without_growth + 1 } else { 0 };
                if without_growth > 2 {
                    return Ok(Attempt::Stuck);
                }
                self.steps.push(step);
            }
            state = self.steps[k].apply(machine, &state)?;
            if k + 1 == self.steps.len()
                && let Some(found) = self.judge(machine, &state, goal)?
            {
                return Ok(found);
            }
        }
        Ok(Attempt::Stuck)
    }

    fn more(&mut self) -> Attempt {
        let more = self.spare;
        self.spare = more.saturating_mul(2);
        Attempt::More(more)
    }

    /// `None` where one more step is to be taken.
    fn judge(
        &mut self,
        machine: &M,
        state: &State<M>,
        goal: i64,
    ) -> Result<Option<Attempt>, Error> {
        let n = self.steps[0].sums.len();
        let sums = machine.column_defects(&state.c, 0)?.into_iter();
        // The norm is not above this, and not below 1/√n of it.
        let sum = sums.fold(Magnitude::ZERO, |sum, x| sum.plus(x.times(x))).sqrt();
        if !sum
            .less(Magnitude::power(series::LARGEST_NORM_EXPONENT).times(size((n as f64).sqrt(), 0)))
        {
            return Ok(None);
        }
        let mut d = machine.fetch(&state.c)?;
        let one = Mp::one(d.bits());
        for i in 0..n {
            // Exact where the norm is below 1/2.
            let x = d.entry(i, i) - one.view();
            d.put(i, i, x.view());
        }
        let (norm, q) = (series::norm(&d), i64::from(state.c.bits().get()));
        let after = Magnitude::power(AFTER_A_STEP);
        let worth_a_step = 2 * q + series::work(after, goal) < series::work(norm, goal);
        let known = state.all.less(Magnitude::power(-WORTHWHILE));
        if !norm.less(Magnitude::power(series::LARGEST_NORM_EXPONENT)) || known && worth_a_step {
            return Ok(None);
        }
        let one = Magnitude::power(0);
        let Some(step) = self.steps.last() else { return Ok(None) };
        let norms = [&step.sums, &state.rows].map(|x| inner(x, x).sqrt());
        let share = norms[0].times(norms[1]).times(norm).over_difference(one, norm);
        let sum = inner(&step.sums, &state.rows).plus(share);
        if !sum.less(Magnitude::power(-1)) {
            return Ok(Some(self.more()));
        }
        let Some(value) = series::determinant(machine, d, goal)? else { return Ok(None) };
        let relative = sum.over_difference(one, sum);
        let given = state.sum_of_given;
        let (product, rounding) = self.product(&value.number);
        let change = relative.plus(value.error).plus(relative.times(value.error));
        let change = change.plus(rounding).plus(change.times(rounding));
        Ok(Some(Attempt::Found(Found {
            product,
            change,
            given: given.over_difference(one, given),
            sum,
        })))
    }

    /// `±x/Π (X_U)_ii`, for all steps, with a bound of its relative error.
    fn product(&self, x: &Mp) -> (Product, Magnitude) {
        let (bits, mut odd) = (x.bits(), false);
        let mut below = Product::one(bits);
        for step in &self.steps {
            odd ^= step.triangles.odd;
            for &x in &step.triangles.diagonal {
                below.multiply(Mp::from_f64(super::super::least_bits(), x).view());
            }
        }
        let x = if odd { -*x } else { *x };
        let mut product =
            Product { exponent: -below.exponent, mantissa: x.view() / below.mantissa.view() };
        product.normalize();
        let roundings = self.steps.iter().map(|step| step.sums.len()).sum::<usize>() + 1;
        (product, size(1.02 * roundings as f64, -i64::from(bits.get())))
    }

    /// The condition number by the product of all triangles.
    pub(super) fn condition(&self, machine: &M, system: &System) -> Result<Magnitude, Error> {
        let view = |x| machine.view(x);
        if let [step] = &self.steps[..] {
            let Triangles { lower, upper, .. } = &step.triangles;
            return condition(
                machine,
                system,
                &Inverse::F64(machine.times(view(upper), view(lower))?),
            );
        }
        // The transpose of X_U·X_U′⋯X_L′·P′·X_L·P. Its entries may differ by as much as the
        // condition is.
        let bits = precision(64 * self.steps.len() as i64, MOST_OF_ESTIMATE);
        let lower = self.steps.iter().map(|step| &step.triangles.lower);
        let upper = self.steps.iter().rev().map(|step| &step.triangles.upper);
        let mut factors = lower.chain(upper).map(|x| machine.widened(view(x), bits));
        let Some(first) = factors.next() else { return Ok(Magnitude::INFINITE) };
        let inverse =
            factors.try_fold(first?, |product, x| machine.product(false, &product, &x?))?;
        condition(machine, system, &Inverse::Mp(inverse))
    }
}
