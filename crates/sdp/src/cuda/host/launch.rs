//! Launches of kernels on this machine.

use core::ffi::{c_char, c_int, c_void};
use std::sync::Arc;

use nonius_cuda::Kind;
use nonius_gpu::{Arguments, Entry, Shape, Source};
use nonius_testkit::cuda::{self, Library};

use crate::cuda::arguments::*;
use crate::cuda::launch::THREADS;
use crate::cuda::sources::{TEXTS, choices};

/// Threads of a block here. There are as many more blocks as these are fewer: kernels go on in
/// steps of the grid, or have nothing to do in the others.
const THREADS_HERE: usize = 64;

/// What runs the kernels.
const MAIN: (&str, &str) = ("kernels.cpp", include_str!("kernels.cpp"));

type Launch = unsafe extern "C" fn(*const c_char, c_int, c_int, *const c_void) -> bool;

/// The kernels as a library of this machine.
#[derive(Clone)]
pub(super) struct Kernels(Arc<Library>);

impl Kernels {
    /// The kernels for numbers of a kind; `None` where there is no C++ compiler.
    pub(super) fn new(kind: Kind) -> Option<Self> {
        let source = Source::of_text(&TEXTS, "host", MAIN.1)
            .entry(COMBINE)
            .entry(SHORT_PRODUCTS)
            .entry(SYMMETRIZE)
            .entry(IDENTITY)
            .entry(ADD_TO_DIAGONAL)
            .entry(LARGEST)
            .entry(SMALL_MULTIPLY)
            .entry(SMALL_CONGRUENCE)
            .entry(SCHUR_SPARSE)
            .entry(SCHUR_LEFT)
            .entry(SCHUR_DIAGONAL)
            .entry(SECOND_ORDER_TRIPLE)
            .entry(SECOND_ORDER_SCHUR);
        let mut definitions = vec![match kind {
            Kind::Mp(bits) => format!("-DPRECISION={bits}"),
            Kind::Limbs(limbs) => format!("-DLIMBS={limbs}"),
        }];
        definitions
            .extend(choices(kind, THREADS_HERE).map(|(name, value)| format!("-D{name}={value}")));
        // Each file of kernels includes the structures.
        let mut files = source.files();
        let guarded = format!("#pragma once\n{}", files[0].1);
        files[0].1 = &guarded;
        cuda::build(MAIN, &files, &definitions).map(|library| Self(Arc::new(library)))
    }

    /// Launches a kernel.
    ///
    /// # Safety
    /// As of a launch on a device.
    pub(super) unsafe fn launch<A: Arguments>(&self, entry: Entry<A>, shape: Shape, arguments: &A) {
        let [x, y, _] = shape.grid.map(|blocks| blocks as c_int);
        let x = x * (THREADS / THREADS_HERE) as c_int;
        // SAFETY: the function has this type; the caller's promise.
        let is_there = unsafe {
            let launch = self.0.get::<Launch>(b"nonius_launch\0").expect("the function");
            launch(entry.name().as_ptr(), x, y, arguments.places()[0])
        };
        assert!(is_there, "{:?}", entry.name());
    }
}
