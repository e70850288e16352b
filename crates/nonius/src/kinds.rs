//! The kinds of numbers: how each multiplies matrices and solves sparse systems.

use nonius_linalg::dense::gemm::{Products, Report};
use nonius_linalg::{Error, mp};
use nonius_num::mp::{Bits, Mp};

use crate::backend::Backend;
use crate::{AnyNumber, Dd, Matmul, Matrix, Number, Precision, Qd, Td};

impl Number for f64 {}

impl Number for Dd {}

impl Number for Td {}

impl Number for Qd {}

macro_rules! fixed {
    ($($number:ty)*) => {$(
        impl AnyNumber for $number {
            fn precision((): ()) -> Precision {
                <Self as nonius_num::Fixed>::KIND
            }

            fn check(products: Products) -> Result<(), Error> {
                products.check::<Self>()
            }

            fn multiply<B: Backend>(
                backend: &B,
                products: Products,
                product: &Matmul<'_, Self>,
                beta: &Self,
                c: &mut Matrix<Self>,
            ) -> Result<Report, Error> {
                backend.multiply(products, product, *beta, c)
            }
        }
    )*};
}

fixed!(f64 Dd Td Qd);

impl AnyNumber for Mp {
    fn precision(bits: Bits) -> Precision {
        Precision::Mp(bits)
    }

    fn check(products: Products) -> Result<(), Error> {
        products.check::<Mp>()
    }

    fn multiply<B: Backend>(
        backend: &B,
        products: Products,
        product: &Matmul<'_, Mp>,
        beta: &Mp,
        c: &mut mp::Matrix,
    ) -> Result<Report, Error> {
        backend.multiply_mp(products, product, beta, c)
    }
}
