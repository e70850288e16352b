//! Eigenvectors in `f64`, refined by products of matrices.
//!
//! Exact eigenvectors are `X·(I + E)`. To first order in `E`, that these are orthonormal says
//! `E + Eᵀ = R` with `R = I − XᵀX`, and that they make `A` diagonal says
//! `s_ij + λ_j·r_ij = (λ_j − λ_i)·e_ij` for the entries of `S = Xᵀ·A·X`, which is
//! `e_ij = r_ij/2 + d_ij/(λ_j − λ_i)` with the symmetric `d_ij = s_ij + (λ_i + λ_j)/2·r_ij`;
//! eigenvalues are `s_jj/(XᵀX)_jj` to second order. So a step of three and a half products doubles
//! the digits. What groups of eigenvalues close to each other take,
//! [`refinement`](crate::dense::refinement) says. What is reached when entries beside the diagonal
//! are below `2·u·‖A‖₂` satisfies the same bounds as the method of reflections and rotations.
//!
//! Source: Ogita and Aishima, *Iterative refinement for symmetric eigenvalue decomposition*, Japan
//! J. Indust. Appl. Math. 35 (2018), and *II: clustered eigenvalues*, ibid. 36 (2019).

use core::ops::Range;

use super::{Eigen, Vectors, direct};
use crate::backend::{Diagonalize, Spectrum, View};
use crate::dense::Transpose;
use crate::dense::refinement::{
    Groups, Limits, MOST_STEPS, Step, correct, gram, in_f64, ladder, multiply, norm, rounded, turn,
    widened,
};
use crate::{Error, MatRef, Matrix, Number, Size};

/// Eigenvalues and eigenvectors of a symmetric matrix with entries of about 1; `None` where
/// refinement does not lead there.
pub(super) fn refine<T: Number, B: Diagonalize<T>>(
    backend: &B,
    a: MatRef<'_, T>,
    vectors: Vectors,
) -> Result<Option<Eigen<T>>, Error> {
    let backend = &backend.normwise();
    let first = backend.eigenvectors(in_f64(a).view())?;
    let format = a.format();
    let start = |format| backend.upload(widened::<T>(format, &first).view());
    let a = backend.upload(a);
    let mut found = None;
    for step in ladder::<T>(format) {
        let mut x = match &found {
            Some(x) => backend.in_format(backend.view(x), step),
            None => start(step),
        };
        if step == format {
            let values = climb(backend, &a, &mut x, vectors)?;
            return values.map(|values| finish(backend, values, &x, vectors)).transpose();
        }
        let near = backend.in_format(backend.view(&a), step);
        found = climb(backend, &near, &mut x, Vectors::Yes)?.map(|_| x);
    }
    Ok(None)
}

/// Refines vectors to the digits of their format; the values, or `None` where that does not lead
/// there. Vectors that are not wanted are left with half of the digits.
fn climb<T: Number, B: Diagonalize<T>>(
    backend: &B,
    a: &B::Matrix,
    x: &mut B::Matrix,
    vectors: Vectors,
) -> Result<Option<Vec<T>>, Error> {
    let (n, format) = (backend.view(x).shape().0, backend.view(x).format());
    let [mut y, mut s, mut g, mut e] = core::array::from_fn(|_| backend.copy_of(backend.view(x)));
    for _ in 0..MOST_STEPS {
        multiply(backend, Transpose::No, a, x, &mut y);
        multiply(backend, Transpose::Yes, x, &y, &mut s);
        gram(backend, x, &mut g);
        let lengths = backend.diagonal(backend.view(&g))?;
        let mut values = backend.diagonal(backend.view(&s))?;
        values.iter_mut().zip(lengths).for_each(|(value, length)| *value /= length);

        let find = |groups: &Groups, tolerance, e: Option<&mut B::Matrix>| {
            let spectrum =
                Spectrum { values: &values, groups: &groups.numbers, null: None, tolerance };
            let (s, g) = (backend.view(&s), backend.view(&g));
            backend.eigenvector_corrections(s, g, spectrum, e.map(|e| backend.view_mut(e)))
        };
        let judge = Limits::of(format, &values)
            .judge(norm(&find(&Groups::one(n), T::Size::ZERO, None)?.kept));
        let groups = Groups::new(&values, judge.gap());
        let found = find(&groups, judge.tolerance(), Some(&mut e))?;
        let step = judge.step(found.norm, &found.kept, &groups);
        if step == Step::Lost {
            return Ok(None);
        }
        if step == Step::Done && vectors == Vectors::No {
            return Ok(Some(values));
        }
        correct(backend, x, &e, &mut y);
        match step {
            Step::Lost => {}
            Step::Done => return Ok(Some(values)),
            Step::Next(coupled) if coupled.is_empty() => {}
            Step::Next(coupled) => {
                let of_group = |group: Range<usize>| {
                    let (start, k) = (group.start, group.len());
                    let block = |m| backend.download(backend.view(m).block(start, start, k, k));
                    let small = small_matrix(&block(&s)?, &block(&g)?, &values[group.clone()]);
                    Ok((group, backend.eigenvectors(rounded(&small).view())?))
                };
                let blocks: Vec<_> =
                    coupled.into_iter().map(of_group).collect::<Result<_, Error>>()?;
                turn(backend, x, &blocks, &mut y);
            }
        }
    }
    Ok(None)
}

/// What a group's rows and columns of `S` are, to first order, when its vectors are orthonormal,
/// less a multiple of the identity.
fn small_matrix<T: Number>(s: &Matrix<T>, gram: &Matrix<T>, values: &[T]) -> Matrix<T> {
    let shift = values[values.len() / 2];
    Matrix::from_fn_in(s.format(), values.len(), values.len(), |i, j| {
        let (row, col) = (i.max(j), i.min(j));
        let (s, gram) = (s.at(row, col), gram.at(row, col));
        if i == j {
            return s + values[i] * (T::ONE - gram) - shift;
        }
        s - ((values[i] + values[j]) * gram).ldexp(-1)
    })
}

fn finish<T: Number, B: Diagonalize<T>>(
    backend: &B,
    values: Vec<T>,
    x: &B::Matrix,
    vectors: Vectors,
) -> Result<Eigen<T>, Error> {
    let order = direct::ascending(&values);
    let vectors = match vectors {
        Vectors::No => None,
        Vectors::Yes => {
            let x = backend.download(backend.view(x))?;
            Some(Matrix::from_fn_in(x.format(), x.rows(), x.cols(), |i, j| x.at(i, order[j])))
        }
    };
    Ok(Eigen { values: order.iter().map(|&j| values[j]).collect(), vectors })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Scalar;
    use crate::backend::Cpu;
    use nonius_num::{Dd, Qd};

    /// Close values, repeated ones and graded ones are not left to the other method.
    fn arrives<T: Scalar>() {
        let ratio = |p: usize, q: usize| T::from_f64(p as f64) / T::from_f64(q as f64);
        let wilkinson = Matrix::from_fn(21, 21, |i, j| match i.abs_diff(j) {
            0 => ratio(i.abs_diff(10), 16),
            1 => ratio(1, 16),
            _ => T::ZERO,
        });
        let hilbert = Matrix::from_fn(24, 24, |i, j| ratio(1, i + j + 1));
        for a in [Matrix::from_fn(9, 9, |_, _| T::ONE), Matrix::identity(5), wilkinson, hilbert] {
            let found = refine(&Cpu::default(), a.view(), Vectors::Yes).unwrap();
            let trace = (0..a.rows()).fold(T::ZERO, |sum, i| sum + a[(i, i)]);
            let sum = found.unwrap().values.into_iter().fold(T::ZERO, |sum, x| sum + x);
            assert!((sum - trace).abs().to_f64() <= 1000.0 * T::UNIT_ROUNDOFF * trace.to_f64());
        }
    }

    #[test]
    fn refinement_arrives() {
        arrives::<Dd>();
        arrives::<Qd>();
    }
}
