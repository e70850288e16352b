//! The suites that every backend has to pass, for the two on the host.

use nonius_linalg::Scalar;
use nonius_linalg::backend::{Cpu, Reference};
use nonius_linalg::dense::gemm::{Arithmetic, Engine, Products};
use nonius_linalg::reference;
use nonius_num::{Dd, Qd, Td};
use nonius_testkit::elementwise::{arithmetic, functions, same_number};
use nonius_testkit::products;

fn both<T: Scalar>() {
    products::gemm::<T, _>(&Reference, reference::gemm::error);
    products::syrk::<T, _>(&Reference, reference::gemm::error);
    products::trsm::<T, _>(&Reference, reference::gemm::error);
    let cpu = Cpu::default();
    products::gemm::<T, _>(&cpu, |k| Arithmetic::Delayed.error::<T>(k));
    products::syrk::<T, _>(&cpu, |k| Arithmetic::Delayed.error::<T>(k));
    products::trsm::<T, _>(&cpu, |k| Arithmetic::Delayed.error::<T>(k));
    let cpu = Cpu::new(Products { arithmetic: Arithmetic::Ieee, ..Products::default() });
    products::gemm::<T, _>(&cpu, |k| Arithmetic::Ieee.error::<T>(k));
    products::syrk::<T, _>(&cpu, |k| Arithmetic::Ieee.error::<T>(k));
    // Within the bound of the direct product, whatever the operands are.
    let cpu = Cpu::new(Products { engine: Some(Engine::Crt), ..Products::default() });
    products::gemm::<T, _>(&cpu, |k| Arithmetic::Delayed.error::<T>(k));
    products::syrk::<T, _>(&cpu, |k| Arithmetic::Delayed.error::<T>(k));
}

#[test]
fn products_f64() {
    both::<f64>();
}

fn cheap(arithmetic: Arithmetic, units: fn(usize) -> f64) {
    let cpu = Cpu::new(Products { arithmetic, ..Products::default() });
    products::gemm::<Dd, _>(&cpu, units);
    products::syrk::<Dd, _>(&cpu, units);
}

#[test]
fn products_dd() {
    both::<Dd>();
    cheap(Arithmetic::IeeeSloppy, |k| Arithmetic::IeeeSloppy.error::<Dd>(k));
    cheap(Arithmetic::Cray, |k| Arithmetic::Cray.error::<Dd>(k));
    cheap(Arithmetic::Sloppy, |k| Arithmetic::Sloppy.error::<Dd>(k));
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
    arithmetic::<T, _>(&Cpu::default(), same_number);
    functions::<T, _>(&Cpu::default(), same_number);
}

#[test]
fn elementwise_work() {
    entry_by_entry::<f64>();
    entry_by_entry::<Dd>();
    entry_by_entry::<Td>();
    entry_by_entry::<Qd>();
}
