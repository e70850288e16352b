//! Rates of matrix products and factorisations.

use std::hint::black_box;

use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::gemm::{
    Arithmetic, Converted, Engine, Factor, Products, gemm, gemm_of, gemm_on,
};
use nonius_linalg::dense::{Cholesky, Lu, Matrix, Side, Transpose, Triangle, syrk};
use nonius_linalg::{MatRef, Scalar};
use nonius_num::{Dd, Fixed, Qd, Td};

use crate::inputs::{matrix, positive_definite};
use crate::record::Record;
use crate::timing::best_of;

/// Products, factorisations and solutions of order `n` at these precisions (where none is named, at
/// all), on the threads of the current pool; with names in `only`, the operations of these names.
pub(crate) fn measure(
    sizes: &[usize],
    precisions: &[String],
    only: &[String],
    threads: usize,
) -> Vec<Record> {
    let mut run = Run { threads, only, records: Vec::new() };
    let wanted = |name: &str| precisions.is_empty() || precisions.iter().any(|p| p == name);
    for &n in sizes {
        if wanted(f64::NAME) {
            run.common::<f64>(n);
        }
        if wanted(Dd::NAME) {
            run.common::<Dd>(n);
            run.products::<Dd>(n);
        }
        if wanted(Td::NAME) {
            run.common::<Td>(n);
            run.products::<Td>(n);
        }
        if wanted(Qd::NAME) {
            run.common::<Qd>(n);
            run.products::<Qd>(n);
        }
    }
    run.records
}

/// A row for an operation of `flops` operations in all.
pub(crate) fn row<T: Fixed>(
    operation: &str,
    shape: [usize; 3],
    threads: usize,
    seconds: f64,
    flops: f64,
) -> Record {
    let record = Record {
        library: "nonius".into(),
        precision: T::NAME.into(),
        operation: operation.into(),
        m: shape[0],
        n: shape[1],
        k: shape[2],
        threads,
        seconds,
        rate: flops / seconds / 1e9,
        unit: "GFLOPS".into(),
    };
    eprintln!(
        "{:4} {:18} {:5} {:10.4} s {:9.3} GFLOPS",
        T::NAME,
        operation,
        shape[0],
        seconds,
        record.rate
    );
    record
}

/// What is measured, and what was.
struct Run<'a> {
    threads: usize,
    only: &'a [String],
    records: Vec<Record>,
}

impl Run<'_> {
    /// A row for an operation of `flops` operations on matrices of order `n`, where it is wanted.
    fn measure<T: Fixed>(&mut self, operation: &str, n: usize, flops: f64, work: impl FnMut()) {
        if self.only.is_empty() || self.only.iter().any(|name| name == operation) {
            let seconds = best_of(work);
            self.records.push(row::<T>(operation, [n, n, n], self.threads, seconds, flops));
        }
    }

    /// What there is at every precision.
    fn common<T: Scalar>(&mut self, n: usize) {
        let cube = (n as f64).powi(3);
        let (a, b) = (matrix::<T>(n, n, 1), matrix::<T>(n, n, 2));
        let mut c = Matrix::zeros(n, n);
        let no = Transpose::No;
        self.measure::<T>("gemm", n, 2.0 * cube, || {
            gemm(no, no, T::ONE, a.view(), b.view(), T::ZERO, c.view_mut()).expect("shapes fit");
        });
        self.measure::<T>("syrk", n, cube, || {
            syrk(Triangle::Lower, no, T::ONE, a.view(), T::ZERO, c.view_mut()).expect("shapes fit");
        });
        self.measure::<T>("lu", n, 2.0 / 3.0 * cube, || {
            drop(black_box(Lu::factor(a.view()).expect("not singular")));
        });
        let spd = positive_definite::<T>(n, 3);
        self.measure::<T>("cholesky", n, cube / 3.0, || {
            let factor = Cholesky::factor(Triangle::Lower, spd.view()).expect("positive definite");
            drop(black_box(factor));
        });
    }

    /// Products by each engine, at dd also in each arithmetic, and with operands converted before:
    /// what is beyond `f64`.
    fn products<T: Scalar>(&mut self, n: usize) {
        let flops = 2.0 * (n as f64).powi(3);
        let engine = |engine| Products { engine: Some(engine), ..Products::default() };
        let arithmetic = |arithmetic| Products { arithmetic, ..Products::default() };
        let all = [
            ("gemm-direct", engine(Engine::Direct)),
            ("gemm-crt", engine(Engine::Crt)),
            ("gemm-ieee", arithmetic(Arithmetic::Ieee)),
            ("gemm-ieee-sloppy", arithmetic(Arithmetic::IeeeSloppy)),
            ("gemm-cray", arithmetic(Arithmetic::Cray)),
            ("gemm-sloppy", arithmetic(Arithmetic::Sloppy)),
        ];
        let (a, b) = (matrix::<T>(n, n, 1), matrix::<T>(n, n, 2));
        let mut c = Matrix::zeros(n, n);
        for (name, products) in &all[..if T::LIMBS == 2 { all.len() } else { 2 }] {
            let cpu = Cpu::new(*products);
            self.measure::<T>(name, n, flops, || {
                let (no, a, b, c) = (Transpose::No, a.view(), b.view(), c.view_mut());
                gemm_on(&cpu, no, no, T::ONE, a, b, T::ZERO, c).expect("an arithmetic of T");
            });
        }
        let left = Converted::new(Side::Left, Transpose::No, a.view(), 0);
        let right = Converted::new(Side::Right, Transpose::No, b.view(), 0);
        let (left, right) = (Factor::Converted(&left), Factor::Converted(&right));
        let plain = Factor::Matrix(Transpose::No, b.view());
        for (name, right) in [("gemm-one-converted", plain), ("gemm-converted", right)] {
            self.measure::<T>(name, n, flops, || {
                let products = engine(Engine::Crt);
                gemm_of(products, T::ONE, left, right, T::ZERO, c.view_mut()).expect("shapes fit");
            });
        }
    }
}

/// Seconds that `C ← A·B` takes.
pub(crate) fn product<T: Scalar>(a: MatRef<'_, T>, b: MatRef<'_, T>, c: &mut Matrix<T>) -> f64 {
    best_of(|| {
        gemm(Transpose::No, Transpose::No, T::ONE, a, b, T::ZERO, c.view_mut())
            .expect("shapes fit");
    })
}
