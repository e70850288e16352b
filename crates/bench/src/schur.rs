//! Schur complements of semidefinite programs by one formula for all columns, and as the cost model
//! of each backend chooses for each: what the model's constants are measured with.
//!
//! Programs have one square. All their constraints have as many entries, anywhere or in as few rows
//! as hold them.

use nonius_cuda::Cuda;
use nonius_linalg::Scalar;
use nonius_linalg::backend::Cpu;
use nonius_num::{Dd, Qd, Td};
use nonius_sdp::cone::Cone;
use nonius_sdp::cone::{Place, Program};
use nonius_sdp::cpu::{CpuCone, Kernels, SchurFormula};
use nonius_sdp::cuda::{CudaCone, CudaSchurFormula as OnGpu};

use crate::record::Record;
use crate::timing::best_of;

/// Orders of the square, and entries of a constraint there.
const CASES: [(usize, &[usize]); 3] =
    [(50, &[1, 8, 64, 512]), (200, &[1, 8, 64, 512, 4096]), (600, &[1, 8, 64, 512, 4096])];
/// Constraints.
const CONSTRAINTS: usize = 400;
/// Most multiplications of `f64` in a formula's sums, on the CPU and on a GPU: more take minutes.
const MOST_MULTIPLICATIONS: [usize; 2] = [1_000_000_000, 100_000_000_000];
/// This many multiplications in a product of matrices take as long as one in a sum.
const IN_PRODUCTS: usize = 16;

/// Where the entries of a constraint are.
#[derive(Clone, Copy)]
enum Pattern {
    Anywhere,
    /// In the corner of some rows and columns.
    Together,
}

/// The program with `entries` entries in each constraint.
fn program<T: Scalar>(
    order: usize,
    entries: usize,
    pattern: Pattern,
) -> Result<Program<T>, nonius_linalg::Error> {
    let mut state = 1_u64;
    let mut below = |n: usize| {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((state >> 33) as usize) % n
    };
    let mut places = Vec::new();
    for matrix in 1..=CONSTRAINTS {
        let first = below(order);
        let mut own: Vec<(usize, usize)> = Vec::new();
        match pattern {
            Pattern::Anywhere => {
                own.extend((0..entries).map(|_| (below(order), below(order))));
            }
            Pattern::Together => {
                let all = (0..order).flat_map(|col| (0..=col).map(move |row| (row, col)));
                let moved = |(row, col)| ((row + first) % order, (col + first) % order);
                own.extend(all.take(entries).map(moved));
            }
        }
        let mut own: Vec<(usize, usize)> =
            own.into_iter().map(|(i, j)| (i.min(j), i.max(j))).collect();
        own.sort_unstable();
        own.dedup();
        places.extend(own.into_iter().map(|(row, col)| {
            let [matrix, row, col] = [matrix, row, col].map(|x| x as u32);
            Place { block: 0, matrix, col, row }
        }));
    }
    let values = vec![T::ONE; places.len()];
    Program::new(vec![T::ONE; CONSTRAINTS], &[order], 0, &places, &values)
}

/// Seconds of a Schur complement with two full matrices.
fn seconds<T: Scalar, C: Cone<Number = T>>(cone: &C) -> Result<f64, nonius_linalg::Error> {
    let full = |shift: f64| {
        let n = cone.squares()[0];
        let entry = |at: usize| {
            let (i, j) = (at % n, at / n);
            T::ONE / T::from_f64((i + j) as f64 + shift)
        };
        cone.upload_blocks(&[(0..n * n).map(entry).collect(), Vec::new()])
    };
    let (u, v) = (full(1.5)?, full(0.75)?);
    let (mut b, x) = (cone.schur()?, cone.vector()?);
    let mut failure = None;
    let seconds = best_of(|| {
        cone.form_schur(&u, &v, &mut b);
        // Waits for the device.
        failure = cone.largest(&x).err();
    });
    failure.map_or(Ok(seconds), Err)
}

/// Measures each formula and the model's choice, on a GPU where there is one.
pub(crate) fn measure(
    gpu: Option<&Cuda>,
    threads: usize,
) -> Result<Vec<Record>, nonius_linalg::Error> {
    println!(
        "seconds of a Schur complement of {CONSTRAINTS} constraints by one formula; the model's choice, over the least of these"
    );
    let mut records = at_precision::<f64>("f64", gpu, threads)?;
    records.extend(at_precision::<Dd>("dd", gpu, threads)?);
    records.extend(at_precision::<Td>("td", gpu, threads)?);
    records.extend(at_precision::<Qd>("qd", gpu, threads)?);
    Ok(records)
}

fn at_precision<T: Scalar + Kernels>(
    precision: &str,
    gpu: Option<&Cuda>,
    threads: usize,
) -> Result<Vec<Record>, nonius_linalg::Error> {
    let mut records = Vec::new();
    for (order, counts) in CASES {
        for (&entries, pattern) in counts
            .iter()
            .flat_map(|entries| [Pattern::Anywhere, Pattern::Together].map(|p| (entries, p)))
        {
            if entries * 2 > order * order {
                continue;
            }
            let program = program::<T>(order, entries, pattern)?;
            let place = match pattern {
                Pattern::Anywhere => "anywhere",
                Pattern::Together => "together",
            };
            let rows = match pattern {
                Pattern::Anywhere => order.min(2 * entries),
                Pattern::Together => (2 * entries).isqrt(),
            };
            let most = MOST_MULTIPLICATIONS[usize::from(gpu.is_some())] / (T::LIMBS * T::LIMBS);
            // With each constraint as the other one, too.
            let pairs = CONSTRAINTS * CONSTRAINTS / 2 * entries;
            let of_sums = |terms: usize| terms * pairs < most;
            let of_products = rows * order * order * CONSTRAINTS / IN_PRODUCTS < most;
            let mut times: Vec<(String, f64)> = Vec::new();
            if let Some(gpu) = gpu {
                for formula in [OnGpu::Full, OnGpu::Sparse] {
                    let is_short = match formula {
                        OnGpu::Full => true,
                        OnGpu::Sparse => of_sums(entries),
                    };
                    if !is_short {
                        continue;
                    }
                    let cone = CudaCone::with_formula(gpu, &program, formula)?;
                    times.push((format!("{formula:?}"), seconds(&cone)?));
                }
                times.push(("chosen".into(), seconds(&CudaCone::new(gpu, &program)?)?));
            } else {
                for formula in [SchurFormula::Full, SchurFormula::Half, SchurFormula::Sparse] {
                    let is_short = match formula {
                        SchurFormula::Full => of_products,
                        SchurFormula::Half => of_sums(rows),
                        SchurFormula::Sparse => of_sums(entries),
                    };
                    if !is_short {
                        continue;
                    }
                    let cone = CpuCone::with_formula(program.clone(), Cpu::default(), formula);
                    times.push((format!("{formula:?}"), seconds(&cone)?));
                }
                if times.is_empty() {
                    continue;
                }
                let cone = CpuCone::new(program, Cpu::default());
                times.push(("chosen".into(), seconds(&cone)?));
            }
            let (chosen, others) = (times[times.len() - 1].1, &times[..times.len() - 1]);
            let least = others.iter().fold(f64::INFINITY, |least, (_, time)| least.min(*time));
            print!("{precision:>3}  order {order:>4}, {entries:>5} entries {place:<9}");
            for (name, time) in &times {
                print!("  {} {time:.2e}", name.to_lowercase());
            }
            println!("  {:.2}", chosen / least);
            let library = if gpu.is_some() { "nonius-cuda" } else { "nonius" };
            records.extend(times.into_iter().map(|(name, seconds)| Record {
                library: library.into(),
                precision: precision.into(),
                operation: format!("schur-{}-{place}", name.to_lowercase()),
                m: CONSTRAINTS,
                n: order,
                k: entries,
                threads: if gpu.is_some() { 0 } else { threads },
                seconds,
                rate: 1.0 / seconds,
                unit: "/s".into(),
            }));
        }
    }
    Ok(records)
}
