//! The suites that every backend has to pass, for the two on the host.

use nonius_linalg::Scalar;
use nonius_linalg::backend::{Cpu, Gemm, Reference, Syrk};
use nonius_linalg::dense::gemm::{Arithmetic, Engine, Products};
use nonius_linalg::reference;
use nonius_num::mp::Bits;
use nonius_num::{Dd, Mp, Qd, Td};
use nonius_testkit::elementwise::{arithmetic, functions, same_number};
use nonius_testkit::products::{Units, gemm, syrk, trsm};
use nonius_testkit::{PRECISIONS, Sample};

fn products<T: Sample, B: Gemm<T> + Syrk<T>>(backend: &B, format: T::Format, units: Units) {
    gemm::<T, _>(backend, format, units);
    syrk::<T, _>(backend, format, units);
}

fn both<T: Sample>(format: T::Format) {
    products::<T, _>(&Reference, format, reference::gemm::error);
    trsm::<T, _>(&Reference, format, reference::gemm::error);
    let cpu = Cpu::default();
    products::<T, _>(&cpu, format, T::sum_error);
    trsm::<T, _>(&cpu, format, T::sum_error);
    // Within the bound of the direct product, whatever the operands are.
    let cpu = Cpu::new(Products { engine: Some(Engine::Crt), ..Products::default() });
    products::<T, _>(&cpu, format, T::sum_error);
}

fn of_limbs<T: Sample + Scalar>() {
    both::<T>(());
    let cpu = Cpu::new(Products { arithmetic: Arithmetic::Ieee, ..Products::default() });
    products::<T, _>(&cpu, (), |k| Arithmetic::Ieee.error::<T>(k));
}

#[test]
fn products_f64() {
    of_limbs::<f64>();
}

fn cheap(arithmetic: Arithmetic, units: Units) {
    let cpu = Cpu::new(Products { arithmetic, ..Products::default() });
    products::<Dd, _>(&cpu, (), units);
}

#[test]
fn products_dd() {
    of_limbs::<Dd>();
    cheap(Arithmetic::IeeeSloppy, |k| Arithmetic::IeeeSloppy.error::<Dd>(k));
    cheap(Arithmetic::Cray, |k| Arithmetic::Cray.error::<Dd>(k));
    cheap(Arithmetic::Sloppy, |k| Arithmetic::Sloppy.error::<Dd>(k));
}

#[test]
fn products_td() {
    of_limbs::<Td>();
}

#[test]
fn products_qd() {
    of_limbs::<Qd>();
}

#[test]
fn products_mp() {
    for bits in PRECISIONS {
        let bits = Bits::new(bits).unwrap();
        both::<Mp>(bits);
        // Sums that are rounded once.
        products::<Mp, _>(&Cpu::new(Products::direct()), bits, |_| 1.0);
    }
}

fn entry_by_entry<T: Sample>(format: T::Format) {
    arithmetic::<T, _>(&Reference, format, same_number);
    arithmetic::<T, _>(&Cpu::default(), format, same_number);
    functions::<T, _>(&Cpu::default(), format, same_number);
}

#[test]
fn elementwise_work() {
    at_every_precision!(entry_by_entry);
}
