//! From and to matrices of numbers that are sums of limbs.

use nonius_num::mp::{Bits, Mp};

use super::Matrix;
use crate::threads::{Grain, for_each};
use crate::{MatRef, Scalar};

impl Matrix {
    /// The entries of a matrix of limbs, each rounded to the precision.
    ///
    /// ```
    /// use nonius_linalg::mp::{Bits, Matrix};
    /// use nonius_num::Qd;
    ///
    /// let a = nonius_linalg::Matrix::from_fn(2, 2, |i, j| Qd::from((i + j + 2) as f64).sqrt());
    /// let any = Matrix::from_limbs(Bits::new(424)?, a.view());
    /// assert_eq!(any.to_limbs::<Qd>(), a);
    /// # Ok::<(), nonius_num::mp::BitsError>(())
    /// ```
    pub fn from_limbs<T: Scalar>(bits: Bits, a: MatRef<'_, T>) -> Self {
        let limbs = |x: T| {
            core::array::from_fn::<f64, 4, _>(|l| if l < T::LIMBS { x.limb(l) } else { 0.0 })
        };
        let mut result = Self::zeros_in(bits, a.rows(), a.cols());
        for_each(&mut result.numbers_mut().pieces(a.rows().max(1))[..], Grain::ANY, |j, column| {
            for (i, &x) in a.col(j).iter().enumerate() {
                column.put(i, Mp::from_limbs(bits, &limbs(x)).view());
            }
        });
        result
    }

    /// The matrix of limbs whose entries are the nearest to these; infinite beyond the range of
    /// `f64`.
    pub fn to_limbs<T: Scalar>(&self) -> crate::Matrix<T> {
        crate::Matrix::from_fn(self.rows(), self.cols(), |i, j| {
            let x = self.entry(i, j);
            match T::LIMBS {
                1 => number(x.to_limbs::<1>()),
                2 => number(x.to_limbs::<2>()),
                3 => number(x.to_limbs::<3>()),
                _ => number(x.to_limbs::<4>()),
            }
        })
    }
}

fn number<T: Scalar, const N: usize>(limbs: [f64; N]) -> T {
    T::from_limbs(|l| limbs[l])
}
