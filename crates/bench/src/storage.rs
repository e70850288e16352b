//! Numbers in residues beside positional ones of the same precision: operations on vectors, a
//! sparse product, and iterations of conjugate gradients, on one thread or on a GPU.

use std::error::Error;
use std::ops::ControlFlow;
use std::time::Instant;

use nonius_cuda::{Cuda, CudaSpace};
use nonius_linalg::backend::{NumberOp, Sign, Space};
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{Cg, HostSpace, Identity, LinearOperator, Options, RnsSpace};
use nonius_linalg::mp::{Bits, Mp, Numbers};
use nonius_num::RnsFloat;
use nonius_num::rns::float::{Format, RnsNumbers};
use rand::{SeedableRng, rngs::StdRng};

use crate::inputs::five_points;
use crate::record::Record;
use crate::vectors::line;

/// Iterations that are timed.
const ITERATIONS: usize = 30;
/// Seconds that an operation is repeated for, at least.
const LEAST_SECONDS: f64 = 0.05;

/// Where it is measured, and the name that its rows have.
pub(crate) enum Place<'a> {
    Thread,
    Gpu(&'a Cuda),
}

/// Rows for vectors of `side²` numbers and the five-point Laplacian of a square of that side.
pub(crate) fn measure(
    place: &Place<'_>,
    side: usize,
    bits: &[Bits],
) -> Result<Vec<Record>, Box<dyn Error>> {
    let a = five_points(side)?;
    let mut records = Vec::new();
    for &bits in bits {
        let mut random = StdRng::seed_from_u64(1);
        let (x, y) = (line(bits, side * side, &mut random), line(bits, side * side, &mut random));
        let words = 8 * bits.words() + 4;
        for arithmetic in [Arithmetic::Delayed, Arithmetic::Ieee] {
            let name = match arithmetic {
                Arithmetic::Ieee => format!("mp{bits}-ieee"),
                _ => format!("mp{bits}"),
            };
            let mut rows = Rows { place, name, bytes: words, records: &mut records };
            let mut space = HostSpace::<Mp>::new(bits).with_arithmetic(arithmetic)?;
            let long = a.to_format::<Mp>(Bits::FEWEST)?;
            match place {
                Place::Thread => rows.of(&mut space, &long, (x.clone(), y.clone()))?,
                Place::Gpu(gpu) => {
                    let mut space = CudaSpace::numbers::<Mp>(gpu, bits, arithmetic)?;
                    let (a, vectors) = (space.upload_matrix(&long)?, (&x, &y));
                    let vectors = (space.upload(vectors.0)?, space.upload(vectors.1)?);
                    rows.of(&mut space, &a, vectors)?;
                }
            }
        }
        let format = Format::with_bits(bits.get())?;
        let mut space = RnsSpace::new(&format).ok_or("fewer bits than an f64 has")?;
        let vectors = (in_residues(&format, &x), in_residues(&format, &y));
        let bytes = 20 + 4 * format.moduli().len();
        let mut rows = Rows { place, name: format!("rns{bits}"), bytes, records: &mut records };
        match place {
            Place::Thread => rows.of(&mut space, &a, vectors)?,
            Place::Gpu(gpu) => {
                let mut space = CudaSpace::rns(gpu, &space)?;
                let on_device = space.upload_matrix(&a)?;
                let vectors = (space.upload(&vectors.0)?, space.upload(&vectors.1)?);
                rows.of(&mut space, &on_device, vectors)?;
            }
        }
    }
    Ok(records)
}

fn in_residues(format: &Format, x: &Numbers) -> RnsNumbers {
    let mut numbers = RnsNumbers::new(format);
    (0..x.len()).for_each(|i| numbers.push(RnsFloat::from_mp(format, x.entry(i)).view()));
    numbers
}

/// Rows of one kind of numbers.
struct Rows<'a> {
    place: &'a Place<'a>,
    name: String,
    /// Of a number.
    bytes: usize,
    records: &'a mut Vec<Record>,
}

impl Rows<'_> {
    fn of<S: Space>(
        &mut self,
        space: &mut S,
        a: &impl LinearOperator<S>,
        (x, mut y): (S::Vector, S::Vector),
    ) -> Result<(), Box<dyn Error>> {
        let n = space.length(&x);
        // A number with bits in all places.
        let (mut one, mut three) = (space.number(), space.number());
        space.set(1.0, &mut one);
        space.set(3.0, &mut three);
        let (mut third, mut sum) = (space.number(), space.number());
        space.compute(NumberOp::Div, &one, &three, &mut third);
        let seconds = self.each(|| space.axpy(Sign::Plus, &third, &x, &mut y))?;
        self.row("axpy", n, seconds);
        let seconds = self.each(|| space.dot(&x, &y, &mut sum))?;
        self.row("dot", n, seconds);
        let seconds = self.each(|| a.apply(space, &x, &mut y))?;
        self.row("spmv", n, seconds);
        let options = Options { max_iterations: ITERATIONS, tolerance: 0.0, ..Options::default() };
        let mut best = f64::INFINITY;
        for _ in 0..3 {
            let (mut cg, mut solution) = (Cg::new(space, n)?, space.vector(n)?);
            self.finish()?;
            let start = Instant::now();
            let m = &Identity;
            let report =
                cg.solve(space, a, m, &x, &mut solution, &options, |_| ControlFlow::Continue(()))?;
            self.finish()?;
            best = best.min(start.elapsed().as_secs_f64() / report.iterations.max(1) as f64);
        }
        self.row("cg", n, best);
        Ok(())
    }

    fn finish(&self) -> Result<(), Box<dyn Error>> {
        match self.place {
            Place::Thread => Ok(()),
            Place::Gpu(gpu) => Ok(gpu.finish()?),
        }
    }

    /// Seconds of one of many, the best of three.
    fn each(&self, mut work: impl FnMut()) -> Result<f64, Box<dyn Error>> {
        let (mut best, mut repeats) = (f64::INFINITY, 1);
        work();
        self.finish()?;
        let mut runs = 0;
        while runs < 3 {
            let start = Instant::now();
            (0..repeats).for_each(|_| work());
            self.finish()?;
            let seconds = start.elapsed().as_secs_f64();
            if seconds < LEAST_SECONDS && runs == 0 {
                repeats *= 2;
                continue;
            }
            best = best.min(seconds / f64::from(repeats));
            runs += 1;
        }
        Ok(best)
    }

    fn row(&mut self, operation: &str, n: usize, seconds: f64) {
        let (nanoseconds, rate) = (1e9 * seconds / n as f64, n as f64 / seconds / 1e6);
        println!(
            "{:12} {operation:5} {:5} bytes a number {nanoseconds:12.4} ns each {rate:12.3} M/s",
            self.name, self.bytes
        );
        self.records.push(Record {
            library: match self.place {
                Place::Thread => "nonius".into(),
                Place::Gpu(_) => "nonius-cuda".into(),
            },
            precision: self.name.clone(),
            operation: operation.into(),
            m: n,
            n: 1,
            k: 1,
            threads: usize::from(matches!(self.place, Place::Thread)),
            seconds,
            rate,
            unit: "M/s".into(),
        });
    }
}
