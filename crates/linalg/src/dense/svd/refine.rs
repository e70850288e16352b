//! Singular vectors in `f64`, refined by products of matrices.
//!
//! Exact singular vectors are `U·(I + F)` and `V·(I + G)`. To first order, that both are
//! orthonormal says `F + Fᵀ = R_U` and `G + Gᵀ = R_V` with `R_U = I − UᵀU` and `R_V = I − VᵀV`, and
//! that they make `A` diagonal is, for the entries of `T = Uᵀ·A·V` and with `P = R_U + R_V` and
//! `Q = R_U − R_V`,
//!
//! - `f_ij + g_ij = p_ij/2 + d_ij/(σ_j − σ_i)`, where `d_ij = t_ij + t_ji + (σ_i + σ_j)/2·p_ij` is
//!   symmetric, and
//! - `f_ij − g_ij = q_ij/2 + d'_ij/(σ_j + σ_i)`, where `d'_ij = t_ij − t_ji + (σ_j − σ_i)/2·q_ij`
//!   is antisymmetric.
//!
//! Singular values are `t_jj/(1 − p_jj/2)`. Of a group of singular values close to each other the
//! second equation still says what it says; `d_ij` is turned away by eigenvectors of the symmetric
//! part of the group's small matrix, or the singular vectors of all of it where the group reaches
//! to zero. Groups and the end are those of [`refinement`](crate::dense::refinement).
//!
//! Source: Ogita and Aishima, *Iterative refinement for singular value decomposition based on
//! matrix multiplication*, J. Comput. Appl. Math. 369 (2020), for singular values apart from each
//! other and from zero.

use core::ops::Range;

use super::{Svd, direct};
use crate::backend::{Diagonalize, Spectrum, View};
use crate::dense::refinement::{
    Groups, Limits, MOST_STEPS, Step, correct, gram, in_f64, ladder, multiply, norm, rounded, turn,
    widened,
};
use crate::dense::{Transpose, Vectors};
use crate::{Error, MatRef, Matrix, Number, Size};

/// Singular values and vectors of a square matrix with entries of about 1; `None` where refinement
/// does not lead there.
pub(super) fn refine<T: Number, B: Diagonalize<T>>(
    backend: &B,
    a: MatRef<'_, T>,
    vectors: Vectors,
) -> Result<Option<Svd<T>>, Error> {
    let backend = &backend.normwise();
    let (u, v) = backend.singular_vectors(in_f64(a).view())?;
    let format = a.format();
    let start = |format, basis| backend.upload(widened::<T>(format, basis).view());
    let a = backend.upload(a);
    let mut found: Option<[B::Matrix; 2]> = None;
    for step in ladder::<T>(format) {
        let mut bases = match &found {
            Some(bases) => bases.each_ref().map(|x| backend.in_format(backend.view(x), step)),
            None => [&u, &v].map(|basis| start(step, basis)),
        };
        if step == format {
            let values = climb(backend, &a, &mut bases, vectors)?;
            return values.map(|values| finish(backend, &values, &bases, vectors)).transpose();
        }
        let near = backend.in_format(backend.view(&a), step);
        found = climb(backend, &near, &mut bases, Vectors::Yes)?.map(|_| bases);
    }
    Ok(None)
}

/// Refines vectors to the digits of their format; the values, or `None` where that does not lead
/// there. Vectors that are not wanted are left with half of the digits.
fn climb<T: Number, B: Diagonalize<T>>(
    backend: &B,
    a: &B::Matrix,
    bases: &mut [B::Matrix; 2],
    vectors: Vectors,
) -> Result<Option<Vec<T>>, Error> {
    let (n, format) = (backend.view(a).shape().0, backend.view(a).format());
    let made = || backend.copy_of(backend.view(a));
    let (mut y, mut t) = (made(), made());
    let (mut grams, mut corrections) = ([made(), made()], [made(), made()]);
    for _ in 0..MOST_STEPS {
        multiply(backend, Transpose::No, a, &bases[1], &mut y);
        multiply(backend, Transpose::Yes, &bases[0], &y, &mut t);
        bases.iter().zip(&mut grams).for_each(|(basis, g)| gram(backend, basis, g));
        let mut values = backend.diagonal(backend.view(&t))?;
        let lengths = [0, 1].map(|k| backend.diagonal(backend.view(&grams[k])));
        let [left, right] = lengths;
        for ((value, u), v) in values.iter_mut().zip(left?).zip(right?) {
            *value /= (u + v).ldexp(-1);
        }

        let find = |groups: &Groups, null, tolerance, to: Option<&mut [B::Matrix; 2]>| {
            let spectrum = Spectrum { values: &values, groups: &groups.numbers, null, tolerance };
            let grams = [0, 1].map(|k| backend.view(&grams[k]));
            let to = to.map(|to| to.each_mut().map(|to| backend.view_mut(to)));
            backend.singular_vector_corrections(backend.view(&t), grams, spectrum, to)
        };
        let coupling = norm(&find(&Groups::one(n), Some(0), T::Size::ZERO, None)?.kept);
        let judge = Limits::of(format, &values).judge(coupling);
        let groups = Groups::new(&values, judge.gap());
        let null = groups.null(&values, judge.gap());
        let found = find(&groups, null, judge.tolerance(), Some(&mut corrections))?;
        let step = judge.step(found.norm, &found.kept, &groups);
        if step == Step::Lost {
            return Ok(None);
        }
        if step == Step::Done && vectors == Vectors::No {
            return Ok(Some(values));
        }
        for (basis, correction) in bases.iter_mut().zip(&corrections) {
            correct(backend, basis, correction, &mut y);
        }
        match step {
            Step::Lost => {}
            Step::Done => return Ok(Some(values)),
            Step::Next(coupled) if coupled.is_empty() => {}
            Step::Next(coupled) => {
                let of_group = |group: Range<usize>| {
                    let (start, k) = (group.start, group.len());
                    let block = |m| backend.download(backend.view(m).block(start, start, k, k));
                    let small = block(&t)?;
                    let found = if null == Some(groups.numbers[start]) {
                        backend.singular_vectors(rounded(&small).view())?
                    } else {
                        let grams = [block(&grams[0])?, block(&grams[1])?];
                        let small = symmetric_part(&small, &grams, &values[group.clone()]);
                        let found = backend.eigenvectors(rounded(&small).view())?;
                        let found = Matrix::from_fn(k, k, |i, j| found[(i, k - 1 - j)]);
                        (found.clone(), found)
                    };
                    Ok((group, found))
                };
                let found: Vec<_> =
                    coupled.into_iter().map(of_group).collect::<Result<_, Error>>()?;
                let (left, right): (Vec<_>, Vec<_>) = found
                    .into_iter()
                    .map(|(range, (p, q))| ((range.clone(), p), (range, q)))
                    .unzip();
                for (basis, blocks) in bases.iter_mut().zip([left, right]) {
                    turn(backend, basis, &blocks, &mut y);
                }
            }
        }
    }
    Ok(None)
}

/// The symmetric part of what a group's rows and columns of `T` are, to first order, when its
/// vectors are orthonormal, less a multiple of the identity.
fn symmetric_part<T: Number>(t: &Matrix<T>, grams: &[Matrix<T>; 2], values: &[T]) -> Matrix<T> {
    let shift = values[values.len() / 2];
    Matrix::from_fn_in(t.format(), values.len(), values.len(), |i, j| {
        let (row, col) = (i.max(j), i.min(j));
        let both = grams[0].at(row, col) + grams[1].at(row, col);
        if i == j {
            return t.at(i, i) + values[i] * (T::ONE - both.ldexp(-1)) - shift;
        }
        let r = (-both).ldexp(-1);
        ((t.at(i, j) + t.at(j, i)) + (values[i] + values[j]) * r).ldexp(-1)
    })
}

fn finish<T: Number, B: Diagonalize<T>>(
    backend: &B,
    values: &[T],
    bases: &[B::Matrix; 2],
    vectors: Vectors,
) -> Result<Svd<T>, Error> {
    let order = direct::descending(values);
    let fetch = |basis| {
        let basis = backend.download(backend.view(basis))?;
        let entry = |i, j: usize| basis.at(i, order[j]);
        Ok(Matrix::from_fn_in(basis.format(), basis.rows(), basis.cols(), entry))
    };
    let vectors = match vectors {
        Vectors::No => None,
        Vectors::Yes => {
            let v = direct::with_signs(fetch(&bases[1])?, &order, values);
            Some((fetch(&bases[0])?, v))
        }
    };
    Ok(Svd { values: order.iter().map(|&j| values[j].abs()).collect(), vectors })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scalar;
    use crate::backend::Cpu;
    use nonius_num::{Dd, Qd};

    /// Repeated values, zeros and graded ones are not left to the other method.
    fn arrives<T: Scalar>() {
        let ratio = |p: usize, q: usize| T::from_f64(p as f64) / T::from_f64(q as f64);
        let triangle = Matrix::from_fn(9, 9, |i, j| if i <= j { T::ONE } else { T::ZERO });
        let hilbert = Matrix::from_fn(24, 24, |i, j| ratio(1, i + j + 1));
        let turned = Matrix::from_fn(6, 6, |i, j| if i + j == 5 { -T::ONE } else { T::ZERO });
        for a in [Matrix::from_fn(9, 9, |_, _| T::ONE), triangle, hilbert, turned] {
            let found = refine(&Cpu::default(), a.view(), Vectors::Yes).unwrap().unwrap();
            let squares = a.as_slice().iter().fold(T::ZERO, |sum, &x| sum + x * x);
            let sum = found.values.iter().fold(T::ZERO, |sum, &x| sum + x * x);
            assert!((sum - squares).abs().to_f64() <= 1000.0 * T::UNIT_ROUNDOFF * squares.to_f64());
        }
    }

    #[test]
    fn refinement_arrives() {
        arrives::<Dd>();
        arrives::<Qd>();
    }
}
