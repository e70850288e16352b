//! Rates of matrix products and factorisations.

use std::hint::black_box;

use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::gemm::{
    Arithmetic, Converted, Engine, Factor, Products, gemm, gemm_of, gemm_on,
};
use nonius_linalg::dense::{Cholesky, Lu, Matrix, Side, Transpose, Triangle, syrk};
use nonius_linalg::{MatRef, Scalar};
use nonius_num::{Dd, Qd, Real, Td};

use crate::inputs::{matrix, positive_definite};
use crate::record::Record;
use crate::timing::best_of;

/// Products, factorisations and solutions of order `n` at every precision, on the threads of the current pool.
pub(crate) fn measure(sizes: &[usize], threads: usize) -> Vec<Record> {
    let mut records = Vec::new();
    for &n in sizes {
        one_precision::<f64>(n, threads, &mut records);
        one_precision::<Dd>(n, threads, &mut records);
        products::<Dd>(n, threads, &mut records);
        one_precision::<Td>(n, threads, &mut records);
        products::<Td>(n, threads, &mut records);
        one_precision::<Qd>(n, threads, &mut records);
        products::<Qd>(n, threads, &mut records);
    }
    records
}

/// A row for an operation of `flops` operations in all.
pub(crate) fn row<T: Real>(
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

fn one_precision<T: Scalar>(n: usize, threads: usize, records: &mut Vec<Record>) {
    let cube = (n as f64).powi(3);
    let (a, b) = (matrix::<T>(n, n, 1), matrix::<T>(n, n, 2));
    let mut c = Matrix::zeros(n, n);
    let seconds = product(a.view(), b.view(), &mut c);
    records.push(row::<T>("gemm", [n, n, n], threads, seconds, 2.0 * cube));
    let seconds = best_of(|| {
        syrk(Triangle::Lower, Transpose::No, T::ONE, a.view(), T::ZERO, c.view_mut())
            .expect("shapes fit");
    });
    records.push(row::<T>("syrk", [n, n, n], threads, seconds, cube));
    let seconds = best_of(|| drop(black_box(Lu::factor(a.view()).expect("not singular"))));
    records.push(row::<T>("lu", [n, n, n], threads, seconds, 2.0 / 3.0 * cube));
    let spd = positive_definite::<T>(n, 3);
    let seconds = best_of(|| {
        let factor = Cholesky::factor(Triangle::Lower, spd.view()).expect("positive definite");
        drop(black_box(factor));
    });
    records.push(row::<T>("cholesky", [n, n, n], threads, seconds, cube / 3.0));
}

/// Products by each engine, at dd also in each arithmetic: what [`one_precision`] leaves out.
fn products<T: Scalar>(n: usize, threads: usize, records: &mut Vec<Record>) {
    let engine = |engine| Products { engine: Some(engine), ..Products::default() };
    let arithmetic = |arithmetic| Products { arithmetic, ..Products::default() };
    let all = [
        ("gemm-direct", engine(Engine::Direct)),
        ("gemm-crt", engine(Engine::Crt)),
        ("gemm-ieee", arithmetic(Arithmetic::Ieee)),
        ("gemm-sloppy", arithmetic(Arithmetic::Sloppy)),
    ];
    let (a, b) = (matrix::<T>(n, n, 1), matrix::<T>(n, n, 2));
    let mut c = Matrix::zeros(n, n);
    for (name, products) in &all[..if T::LIMBS == 2 { 4 } else { 2 }] {
        let cpu = Cpu::new(*products);
        let seconds = best_of(|| {
            let (no, a, b, c) = (Transpose::No, a.view(), b.view(), c.view_mut());
            gemm_on(&cpu, no, no, T::ONE, a, b, T::ZERO, c).expect("an arithmetic of this type");
        });
        records.push(row::<T>(name, [n, n, n], threads, seconds, 2.0 * (n as f64).powi(3)));
    }
    let left = Converted::new(Side::Left, Transpose::No, a.view(), 0);
    let right = Converted::new(Side::Right, Transpose::No, b.view(), 0);
    let (left, right) = (Factor::Converted(&left), Factor::Converted(&right));
    let plain = Factor::Matrix(Transpose::No, b.view());
    for (name, right) in [("gemm-one-converted", plain), ("gemm-converted", right)] {
        let seconds = best_of(|| {
            let products = engine(Engine::Crt);
            gemm_of(products, T::ONE, left, right, T::ZERO, c.view_mut()).expect("shapes fit");
        });
        records.push(row::<T>(name, [n, n, n], threads, seconds, 2.0 * (n as f64).powi(3)));
    }
}

/// Seconds that `C ← A·B` takes.
pub(crate) fn product<T: Scalar>(a: MatRef<'_, T>, b: MatRef<'_, T>, c: &mut Matrix<T>) -> f64 {
    best_of(|| {
        gemm(Transpose::No, Transpose::No, T::ONE, a, b, T::ZERO, c.view_mut())
            .expect("shapes fit");
    })
}
