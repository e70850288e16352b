//! The suites that every backend has to pass, for the two on the host.

use nonius_linalg::Scalar;
use nonius_linalg::backend::{Cpu, Reference};
use nonius_linalg::{cpu, reference};
use nonius_num::{Dd, Qd, Td};
use nonius_testkit::elementwise::{arithmetic, functions, same_number};
use nonius_testkit::products;

fn both<T: Scalar>() {
    products::gemm::<T, _>(&Reference, reference::gemm::error);
    products::gemm::<T, _>(&Cpu, cpu::gemm::error::<T>);
    products::syrk::<T, _>(&Reference, reference::gemm::error);
    products::syrk::<T, _>(&Cpu, cpu::gemm::error::<T>);
    products::trsm::<T, _>(&Reference, reference::gemm::error);
    products::trsm::<T, _>(&Cpu, cpu::gemm::error::<T>);
}

#[test]
fn products_f64() {
    both::<f64>();
}

#[test]
fn products_dd() {
    both::<Dd>();
}

#[test]
fn products_td() {
    both::<Td>();
}

#[test]
fn products_qd() {
    both::<Qd>();
}

fn entry_by_entry<T: Scalar>() {
    arithmetic::<T, _>(&Reference, same_number);
    arithmetic::<T, _>(&Cpu, same_number);
    functions::<T, _>(&Cpu, same_number);
}

#[test]
fn elementwise_work() {
    entry_by_entry::<f64>();
    entry_by_entry::<Dd>();
    entry_by_entry::<Td>();
    entry_by_entry::<Qd>();
}
