//! Kernels of numbers of any bits on the host, block by block: `blocks.cpp` runs them.
//!
//! Needs a C++ compiler. Where it is absent, as on machines that only test a GPU, the test says so
//! and passes, but not in continuous integration.

use std::collections::HashMap;

use libloading::Library;
use nonius_gpu::Source;
use nonius_linalg::Numbers;
use nonius_linalg::tridiag::{self, Method, Options, Partition, solve};
use nonius_num::Mp;
use nonius_num::mp::Bits;
use nonius_testkit::cuda;
use nonius_testkit::tridiag::{Arrays, ORDERS};

use super::arguments::{Array, Batch};
use super::batch::{ARRAYS, Extent, UNKNOWNS, View};
use super::number::DeviceNumber;
use super::queue::{pcr, pcr_threads, single, split, whole};
use super::ring;
use super::solution::failures_of;
use crate::kind::Kind;

/// What runs the kernels.
const MAIN: (&str, &str) = ("blocks.cpp", include_str!("blocks.cpp"));

/// Threads of a block where each has work of its own.
const THREADS: usize = 32;

/// What `blocks.cpp` calls `Launch`.
#[repr(C)]
struct Launch {
    blocks: i64,
    threads: i64,
    batch: Batch,
    lasts: Batch,
    first: Array,
    second: Array,
    stride: i64,
}

/// The modules that were compiled.
#[derive(Default)]
struct Modules {
    libraries: HashMap<String, Option<Library>>,
}

/// Memory as the device has it: numbers in planes, of any bits before they are written.
fn memory(extent: &Extent, arrays: usize) -> Vec<u64> {
    vec![0x5555_5555_5555_5555; arrays * extent.array() / 8]
}

fn address(memory: &[u64]) -> u64 {
    memory.as_ptr() as u64
}

impl Modules {
    /// Runs kernel number `kernel` of a module, whose kind is a macro of `blocks.cpp`; false where
    /// there is no compiler.
    fn run(&mut self, source: &Source, macro_name: &str, kernel: i32, launch: &Launch) -> bool {
        let library = self.libraries.entry(source.name().into()).or_insert_with(|| {
            let text = source.text();
            let mut files = source.files();
            files.push(("module.cu", &text));
            cuda::build(MAIN, &files, &[format!("-D{macro_name}=1")])
        });
        let Some(library) = library else { return false };
        // SAFETY: the library has a function of that name and type. As on a device: the memory of
        // the arguments has the sizes that the kernels expect.
        unsafe {
            let run = library.get::<unsafe extern "C" fn(i32, *const Launch)>(b"run\0");
            run.expect("the function")(kernel, launch);
        }
        true
    }

    /// As [`queue::solve`](super::queue::solve).
    fn solve(&mut self, view: &View, method: Method, pivoting: bool) -> bool {
        let extent = &view.extent;
        let launch = |blocks: usize, threads: usize, [first, second]: [&[u64]; 2]| Launch {
            blocks: blocks as i64,
            threads: threads as i64,
            batch: view.batch(),
            lasts: view.batch(),
            first: Array::at(address(first)),
            second: Array::at(address(second)),
            stride: 0,
        };
        match method {
            Method::Thomas => {
                let (above, beyond) = (memory(extent, 1), memory(extent, 1));
                let blocks = extent.systems.div_ceil(THREADS);
                let launch = launch(blocks, THREADS, [&above, &beyond]);
                self.run(&single(extent.kind, pivoting), "SINGLE", 0, &launch)
            }
            Method::Pcr => {
                let rows = memory(extent, 4);
                let threads = extent.size.next_multiple_of(32);
                let launch = launch(extent.systems, threads, [&rows, &[]]);
                self.run(&pcr(extent.kind, pcr_threads(extent.size)), "PCR", 0, &launch)
            }
            Method::Auto | Method::Hybrid => {
                match Partition::new(tridiag::Parts::Words, extent.order, extent.size) {
                    Partition::Whole { chunk, chunks } => {
                        let threads = 128;
                        let blocks = extent.systems.div_ceil(threads / chunks);
                        let launch = launch(blocks, threads, [&[], &[]]);
                        self.run(&whole(extent, false, chunk, chunks), "WHOLE", 0, &launch)
                    }
                    Partition::Split { chunk } => {
                        let chunks = Extent { size: extent.size.div_ceil(chunk), ..*extent };
                        let lasts = memory(&chunks, ARRAYS);
                        let lasts = View::new(chunks, address(&lasts), 0);
                        let blocks = chunks.count().div_ceil(THREADS);
                        let launch = launch(blocks, THREADS, [&[], &[]]);
                        let launch = Launch { lasts: lasts.batch(), ..launch };
                        self.run(&split(extent, chunk), "SPLIT", 0, &launch)
                            && self.solve(&lasts, method, false)
                            && self.run(&split(extent, chunk), "SPLIT", 1, &launch)
                    }
                }
            }
        }
    }

    /// As [`solution::queue_view`](super::solution::queue_view).
    fn solve_view(&mut self, view: &View, method: Method, options: &Options) -> bool {
        let extent = &view.extent;
        if !options.periodic {
            return self.solve(view, method, options.pivoting);
        }
        let source = ring::source(extent.kind);
        let (diagonal, correction) = (memory(extent, 1), memory(extent, 1));
        let (above, corner) = (memory(extent, 4), memory(extent, 1));
        let launch = |threads: usize, [first, second]: [&[u64]; 2]| Launch {
            blocks: threads.div_ceil(THREADS) as i64,
            threads: THREADS as i64,
            batch: view.batch(),
            lasts: view.batch(),
            first: Array::at(address(first)),
            second: Array::at(address(second)),
            stride: (extent.array() / 8) as i64,
        };
        if options.pivoting {
            return self.run(&source, "RING", 2, &launch(extent.systems, [&above, &[]]));
        }
        // SAFETY: two arrays of this size.
        unsafe {
            core::ptr::copy_nonoverlapping(
                view.arrays[1] as *const u64,
                address(&diagonal) as *mut u64,
                diagonal.len(),
            );
        }
        let [lower, _, upper, right, x] = view.arrays;
        let mut open = View { arrays: [lower, address(&diagonal), upper, right, x], ..*view };
        let opened = self.run(&source, "RING", 0, &launch(extent.systems, [&diagonal, &corner]))
            && self.solve(&open, method, false);
        open.arrays[UNKNOWNS - 1] = address(&corner);
        open.arrays[UNKNOWNS] = address(&correction);
        open.faults = 0;
        opened
            && self.solve(&open, method, false)
            && self.run(&source, "RING", 1, &launch(32 * extent.systems, [&correction, &[]]))
    }

    /// Whether kernels come to the host's bits and failures.
    fn check(&mut self, arrays: &Arrays<Mp>, options: &Options) {
        let batch = arrays.batch();
        let format = batch.format();
        let (systems, size, order) = (batch.systems(), batch.size(), batch.order());
        let extent = Extent { systems, size, order, kind: Kind::Mp(format) };
        let mut there = memory(&extent, ARRAYS);
        let [lower, diagonal, upper] = batch.matrix();
        for (k, from) in [lower, diagonal, upper, batch.right()].into_iter().enumerate() {
            let to = &mut there[k * extent.array() / 8..][..extent.array() / 8];
            for (plane, to) in to.chunks_exact_mut(extent.plane()).enumerate() {
                (0..from.len()).for_each(|i| to[i] = Mp::word(from, i, plane));
            }
        }
        let faults = vec![0_u32; systems];
        let view = View::new(extent, address(&there), faults.as_ptr() as u64);
        let method = options.resolved(Method::Hybrid).unwrap();
        if !self.solve_view(&view, method, options) {
            return;
        }
        let unknowns = &there[UNKNOWNS * extent.array() / 8..];
        let mut x = Numbers::zeros(format, batch.right().len());
        for i in 0..x.len() {
            x.set(i, Mp::of_words(format, |plane| unknowns[plane * extent.plane() + i]));
        }
        let failures = failures_of(faults);
        let failures = tridiag::settle(&batch, options, &mut x, &failures).unwrap();
        let mut expected = Numbers::zeros(format, x.len());
        let report = solve(&batch, &Options { method, ..*options }, &mut expected).unwrap();
        let what = format!("{} {options:?} {order:?} n = {size}", arrays.name());
        assert_eq!(failures, report.failures, "{what}");
        for s in (0..systems).filter(|&s| !failures.iter().any(|failure| failure.system == s)) {
            for i in 0..size {
                let at = batch.index(s, i);
                let same = x.at(at) == expected.at(at) || !expected.at(at).is_finite();
                assert!(same, "{what}: {s} {i}: {} {}", x.at(at), expected.at(at));
            }
        }
    }
}

/// Every kernel at a precision, on systems that have solutions and on others.
fn same_bits(bits: u32, sizes: &[usize]) {
    let (bits, mut modules) = (Bits::new(bits).unwrap(), Modules::default());
    for order in ORDERS {
        for &size in sizes {
            let arrays = Arrays::<Mp>::in_format(bits, (7, size), order, 0.1);
            for method in [Method::Thomas, Method::Pcr, Method::Hybrid] {
                modules.check(&arrays, &Options { method, ..Options::default() });
            }
            let options = Options { pivoting: true, ..Options::default() };
            modules.check(&arrays.clone().weakened(), &options);
            if size >= 3 {
                let rings = arrays.clone().closed();
                for pivoting in [false, true] {
                    modules.check(&rings, &Options { periodic: true, pivoting, ..options });
                }
            }
            let mut failing = arrays;
            let at = |s: usize, i: usize| order.index((7, size), s, i);
            failing.matrix[1].set(at(2, 0), Mp::ZERO);
            failing.right.set(at(3, size - 1), Mp::from_f64(bits, f64::INFINITY));
            failing.matrix[1].set(at(5, size / 2), Mp::from_f64(bits, f64::NAN));
            // Beyond the range of doubles, where pivots are compared.
            for array in failing.matrix.iter_mut().chain([&mut failing.right]) {
                (0..size).for_each(|i| array.set(at(6, i), array.at(at(6, i)).ldexp(-5000)));
            }
            for pivoting in [false, true] {
                for method in [Method::Thomas, Method::Pcr, Method::Hybrid] {
                    if !pivoting || method == Method::Thomas {
                        modules.check(&failing, &Options { method, pivoting, periodic: false });
                    }
                }
            }
        }
    }
}

#[test]
fn kernels_of_424_bits_have_the_bits_of_the_host() {
    same_bits(424, &[1, 2, 5, 20, 200]);
}

#[test]
fn kernels_of_1000_bits_have_the_bits_of_the_host() {
    same_bits(1000, &[6]);
}
