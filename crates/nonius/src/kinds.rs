//! The kinds of numbers, and how each multiplies matrices.

use nonius_linalg::dense::gemm::{Products, Report};
use nonius_linalg::{Error, Matrix};

use crate::backend::Backend;
use crate::{Dd, FixedNumber, Matmul, Mp, Number, Qd, Td};

macro_rules! kinds {
    ($multiply:ident: $($number:ty)*) => {$(
        impl Number for $number {
            fn multiply_on<B: Backend>(
                backend: &B,
                products: Products,
                product: &Matmul<'_, Self>,
                beta: Self,
                c: &mut Matrix<Self>,
            ) -> Result<Report, Error> {
                backend.$multiply(products, product, beta, c)
            }
        }
    )*};
}

kinds!(multiply: f64 Dd Td Qd);
kinds!(multiply_mp: Mp);

impl FixedNumber for f64 {}

impl FixedNumber for Dd {}

impl FixedNumber for Td {}

impl FixedNumber for Qd {}
