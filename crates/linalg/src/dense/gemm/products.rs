//! How a backend computes products of matrices.

use super::crt::Plan;
use super::{Accuracy, Arithmetic, Engine};
use crate::{Error, Number, Scalar};

/// How a backend computes products of matrices, those inside factorisations included: what
/// [`Gemm`](crate::backend::Gemm) and [`Syrk`](crate::backend::Syrk) do.
///
/// Panels, vectors, and triangular systems up to [`Trsm::ORDER`](crate::backend::Trsm::ORDER) keep
/// to [`Arithmetic::Delayed`] and [`Engine::Direct`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Products {
    /// The engine; `None` leaves the choice to the backend, by size and precision.
    pub engine: Option<Engine>,
    /// The arithmetic of the sums of [`Engine::Direct`], which is taken for any but
    /// [`Arithmetic::Delayed`].
    pub arithmetic: Arithmetic,
    /// What [`Engine::Crt`] promises.
    pub accuracy: Accuracy,
    /// Bytes that [`Engine::Crt`] takes for residues of the factors, at least those of some rows
    /// and columns, besides some megabytes for each thread; `None` leaves it to the backend.
    pub workspace: Option<usize>,
}

impl Products {
    /// Products by [`Engine::Direct`].
    pub fn direct() -> Self {
        Self { engine: Some(Engine::Direct), ..Self::default() }
    }

    /// The bits of an entry up to which [`Engine::Crt`] is to be taken for numbers of such a
    /// format, if it is: [`bits_between`](Self::bits_between) for those of [`Plan`].
    pub fn most_bits<T: Number>(
        self,
        format: T::Format,
        advantage: impl FnOnce() -> f64,
    ) -> Option<u32> {
        let (least, most) = (Plan::least_bits::<T>(format), Plan::most_bits::<T>(format));
        self.bits_between(least, most, advantage)
    }

    /// The bits of an entry up to which [`Engine::Crt`] is to be taken, if it is, where it takes
    /// `least` at least and `most` are possible. Where the choice is the backend's, `advantage`
    /// says how many times the least bits an entry may have until the direct engine takes less
    /// time; below 1 if it does for the least.
    pub fn bits_between(
        self,
        least: u32,
        most: u32,
        advantage: impl FnOnce() -> f64,
    ) -> Option<u32> {
        match (self.engine, self.arithmetic) {
            (Some(Engine::Crt), _) => return Some(most),
            (None, Arithmetic::Delayed) => {}
            (Some(Engine::Direct), _) | (None, _) => return None,
        }
        let worth = (f64::from(least) * advantage()) as u32;
        (worth >= least).then_some(worth.min(most))
    }

    /// `Ok` where products of matrices of such numbers can be computed so.
    ///
    /// ```
    /// use nonius_linalg::Error;
    /// use nonius_linalg::dense::gemm::{Arithmetic, Products};
    /// use nonius_num::{Dd, Qd};
    ///
    /// let products = Products { arithmetic: Arithmetic::Cray, ..Products::default() };
    /// assert!(products.check::<Dd>().is_ok());
    /// assert!(matches!(products.check::<Qd>(), Err(Error::NoArithmetic { .. })));
    /// ```
    ///
    /// # Errors
    /// [`Error::NoArithmetic`] where the numbers have no such arithmetic; [`Error::NotDirect`] for
    /// an arithmetic of the direct engine with another engine.
    pub fn check<T: Number>(self) -> Result<(), Error> {
        T::check_products(self)
    }

    /// [`check`](Self::check) of limbs.
    pub(crate) fn check_limbs<T: Scalar>(self) -> Result<(), Error> {
        match self.engine {
            Some(engine @ Engine::Crt) if self.arithmetic != Arithmetic::Delayed => {
                Err(Error::NotDirect { arithmetic: self.arithmetic, engine })
            }
            _ => self.arithmetic.check::<T>(),
        }
    }
}

impl Arithmetic {
    /// `Ok` where numbers of this type have this arithmetic.
    ///
    /// # Errors
    /// [`Error::NoArithmetic`] where it does not [exist](Self::exists).
    pub fn check<T: Scalar>(self) -> Result<(), Error> {
        if self.exists(T::LIMBS) {
            Ok(())
        } else {
            Err(Error::NoArithmetic { arithmetic: self, precision: T::NAME })
        }
    }
}
