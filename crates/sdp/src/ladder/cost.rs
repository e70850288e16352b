//! What a run costs, on the host and on a GPU.
//!
//! An iteration takes a time for each of the quantities of a [`Size`], which the program tells
//! before anything is computed. Seconds for each of them are fitted to the runs in
//! `crates/bench/runs/2026-11-24-*`: those of SDPLIB in `f64` and `dd` on two threads of an EPYC
//! with AVX-512, with 424 bits on 16 threads of a Xeon with AVX-512, and in `f64`, `dd` and `qd` on
//! an H200. Runs of one problem differ by their number of iterations, which is three times as large
//! where a problem has no interior: the counts here lie between those of both kinds. Where it has
//! no feasible point there may be five times as many, so that infd1 and infp1 are not in the table.

use nonius_linalg::cpu::simd::Level;
use nonius_num::{Mp, Precision, stored_bytes};

use super::precision::usual_gap;
use crate::Problem;
use crate::cone::Program;
use crate::cpu::SchurWork;

/// Iterations in `f64`, and the least number in each later precision, which otherwise takes one for
/// a digit.
const FIRST_ITERATIONS: f64 = 24.0;
const LEAST_ITERATIONS: f64 = 22.0;
/// Matrices of the order of `X` that a run keeps at a time: points, directions, factors, residuals.
const MATRICES: f64 = 14.0;
/// Matrices of points that the host has at a time, two for each point: the one that a precision
/// begins with, in the precision before and in its own; and the one that it has come to, by
/// squares, by the problem's blocks and in the problem's units.
const MATRICES_OF_POINTS: f64 = 10.0;
/// The bits that the seconds of [`Rates`] for numbers of chosen bits are those of.
const MEASURED_BITS: f64 = 424.0;
/// Seconds of each run on a GPU beside its iterations.
const GPU_SECONDS_OF_A_RUN: f64 = 0.384;

/// What an iteration's time depends on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Size {
    /// Sum of the cubes of the orders of all squares.
    pub(super) cubes: f64,
    /// Multiplications that form the Schur complement in `f64`, in `dd` and in `qd`.
    pub(super) formation: [f64; 3],
    /// Multiplications that factor it.
    pub(super) factor: f64,
    /// Numbers of a matrix `X`, and those of the Schur complement.
    pub(super) numbers: [f64; 2],
    /// How many squares and how many constraints there are.
    pub(super) squares: f64,
    pub(super) constraints: f64,
    /// Numbers of a matrix of a point, with the zeros beside the squares.
    pub(super) points: f64,
}

/// What a run costs, as far as it can be told before.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// The precision that it ends in.
    pub last: Precision,
    /// Seconds on the host that threads share.
    pub shared: f64,
    /// Seconds on the host beside these, however many threads there are.
    pub others: f64,
    /// Seconds on a GPU once it is there.
    pub on_gpu: f64,
    /// Numbers that a GPU would be sent and would return.
    pub numbers: f64,
}

/// Seconds of an iteration for each unit of a size.
#[derive(Clone, Copy, Debug)]
struct Rates {
    /// Of one thread.
    cubes: f64,
    formation: f64,
    factor: f64,
    numbers: [f64; 2],
    /// Of all threads.
    squares: f64,
    constraints: f64,
    iteration: f64,
}

/// On the EPYC in `f64` and `dd`.
const HOST_F64: Rates = Rates {
    cubes: 4.74e-10,
    formation: 1.45e-9,
    factor: 4.56e-11,
    numbers: [3.24e-8, 0.0],
    squares: 1.01e-6,
    constraints: 5.0e-6,
    iteration: 1.02e-4,
};
const HOST_DD: Rates = Rates {
    cubes: 2.15e-9,
    formation: 2.08e-8,
    factor: 1.12e-9,
    numbers: [9.86e-7, 0.0],
    squares: 0.0,
    constraints: 8.08e-6,
    iteration: 1.02e-4,
};
/// On the Xeon with 424 bits.
const HOST_MP: Rates = Rates {
    cubes: 7.84e-7,
    formation: 5.0e-8,
    factor: 1.0e-9,
    numbers: [6.3e-5; 2],
    squares: 1.75e-4,
    constraints: 0.0,
    iteration: 5.65e-3,
};
/// How many times as long as `dd` other numbers of limbs take, by rates of products of matrices.
const TD_BESIDE_DD: f64 = 3.9;
const QD_BESIDE_DD: f64 = 10.0;

/// On the H200.
const GPU_F64: Rates = Rates {
    cubes: 7.17e-13,
    formation: 1.0e-11,
    factor: 0.0,
    numbers: [1.22e-8; 2],
    squares: 0.0,
    constraints: 0.0,
    iteration: 9.4e-3,
};
const GPU_DD: Rates = Rates {
    cubes: 4.28e-12,
    formation: 1.09e-9,
    factor: 0.0,
    numbers: [0.0; 2],
    squares: 0.0,
    constraints: 0.0,
    iteration: 5.5e-3,
};
const GPU_QD: Rates = Rates {
    cubes: 6.68e-10,
    formation: 3.0e-10,
    factor: 0.0,
    numbers: [4.98e-8; 2],
    squares: 0.0,
    constraints: 0.0,
    iteration: 1.64e-3,
};

impl Size {
    /// That of a program to which a problem was reduced.
    pub(super) fn of(problem: &Problem, program: &Program<f64>) -> Self {
        let orders = program.squares().iter().map(|square| square.order as f64);
        let works = [1, 2, 4].map(|limbs| SchurWork::of(program, limbs));
        let area: f64 = orders.clone().map(|n| n * n).sum();
        Self {
            cubes: orders.map(|n| n * n * n).sum(),
            formation: works.map(|work| work.formation),
            factor: works[0].factor,
            numbers: [area + program.diagonal().order as f64, works[0].numbers],
            squares: program.squares().len() as f64,
            constraints: program.constraints() as f64,
            points: problem.blocks().iter().map(|block| block.size()).sum(),
        }
    }

    /// Bytes that a run takes in this precision.
    pub(super) fn bytes(&self, precision: Precision) -> u128 {
        let [matrix, schur] = self.numbers;
        let numbers = MATRICES * matrix + MATRICES_OF_POINTS * self.points + schur;
        (numbers * bytes_of_number(precision)) as u128
    }

    /// Seconds of an iteration: those that threads share, and others.
    fn iteration(&self, rates: Rates, formation: f64, level: f64) -> [f64; 2] {
        let computed =
            rates.cubes * self.cubes + rates.formation * formation + rates.factor * self.factor;
        let moved: f64 = rates.numbers.iter().zip(&self.numbers).map(|(rate, n)| rate * n).sum();
        let others = rates.squares * self.squares + rates.constraints * self.constraints;
        [level * computed + moved, others + rates.iteration]
    }

    /// Seconds of an iteration on the host.
    fn on_host(&self, precision: Precision, level: Level) -> [f64; 2] {
        let [one, two, four] = self.formation;
        let (rates, formation, times) = match precision {
            Precision::F64 => (HOST_F64, one, 1.0),
            Precision::Dd => (HOST_DD, two, 1.0),
            Precision::Td => (HOST_DD, two, TD_BESIDE_DD),
            Precision::Qd => (HOST_DD, four, QD_BESIDE_DD),
            Precision::Mp(bits) => (HOST_MP, four, f64::from(bits.get()) / MEASURED_BITS),
        };
        self.iteration(rates, formation, level.slowdown()).map(|seconds| times * seconds)
    }

    /// Seconds of an iteration on a GPU. Of numbers of chosen bits there is no measurement. By the
    /// estimate they take as long as `qd` up to as many words as it has limbs, and beyond that they
    /// grow with the square of the words, as multiplications do.
    fn on_gpu(&self, precision: Precision) -> f64 {
        let [one, two, four] = self.formation;
        let (rates, formation, times) = match precision {
            Precision::F64 => (GPU_F64, one, 1.0),
            Precision::Dd => (GPU_DD, two, 1.0),
            Precision::Td | Precision::Qd => (GPU_QD, four, 1.0),
            Precision::Mp(bits) => (GPU_QD, four, (bits.words() as f64 / 4.0).powi(2).max(1.0)),
        };
        times * self.iteration(rates, formation, 1.0).iter().sum::<f64>()
    }

    /// What a run through precisions costs: seconds that threads share, others, and those on a GPU
    /// once it is there.
    pub(super) fn seconds(&self, stages: &[Precision], level: Level) -> [f64; 3] {
        let mut sum = [0.0, 0.0, GPU_SECONDS_OF_A_RUN];
        let mut digits = 0.0;
        for (number, &precision) in stages.iter().enumerate() {
            let reached = -usual_gap(precision).log10();
            let gained = reached - digits;
            let count = if number == 0 && precision == Precision::F64 {
                FIRST_ITERATIONS
            } else {
                gained.max(LEAST_ITERATIONS)
            };
            digits = reached;
            let [shared, others] = self.on_host(precision, level);
            let all = [shared, others, self.on_gpu(precision)];
            sum.iter_mut().zip(all).for_each(|(sum, seconds)| *sum += count * seconds);
        }
        sum
    }

    /// The cost of a run through these precisions on this machine.
    pub(super) fn cost(&self, stages: &[Precision]) -> Cost {
        let [shared, others, on_gpu] = self.seconds(stages, Level::current());
        let last = stages.last().copied().unwrap_or(Precision::F64);
        Cost { last, shared, others, on_gpu, numbers: 2.0 * self.numbers[0] }
    }
}

fn bytes_of_number(precision: Precision) -> f64 {
    match precision {
        Precision::F64 => 8.0,
        Precision::Dd => 16.0,
        Precision::Td => 24.0,
        Precision::Qd => 32.0,
        Precision::Mp(bits) => stored_bytes::<Mp>(bits) as f64,
    }
}

#[cfg(test)]
mod tests {
    use nonius_num::mp::Bits;

    use super::*;

    /// Measured runs: machine, threads, precision, problem, size and seconds, from the raw runs
    /// that the module names.
    const MEASURED: &str = include_str!("measured.csv");
    /// How far an estimate may be off.
    const FACTOR: f64 = 3.0;

    fn stages_to(last: &str) -> Vec<Precision> {
        let all = ["f64", "dd", "qd", "mp424"].map(|name| name.parse().unwrap());
        let end = all.iter().position(|precision: &Precision| precision.to_string() == last);
        all[..=end.unwrap()].to_vec()
    }

    struct Measured<'a> {
        name: String,
        device: &'a str,
        threads: f64,
        stages: Vec<Precision>,
        size: Size,
        seconds: f64,
    }

    fn measured() -> Vec<Measured<'static>> {
        let rows = MEASURED.lines().skip(1).map(|line| {
            let cells: Vec<&str> = line.split(',').collect();
            let number = |k: usize| cells[k].parse::<f64>().unwrap();
            Measured {
                name: format!("{} {} {}", cells[0], cells[2], cells[3]),
                device: cells[0],
                threads: number(1),
                stages: stages_to(cells[2]),
                size: Size {
                    cubes: number(4),
                    formation: [5, 6, 7].map(number),
                    factor: number(8),
                    numbers: [9, 10].map(number),
                    squares: number(11),
                    constraints: number(12),
                    points: 0.0,
                },
                seconds: number(13),
            }
        });
        rows.collect()
    }

    #[test]
    fn estimates_are_within_a_factor_of_three() {
        let mut worst = Vec::new();
        for row in measured() {
            let [shared, others, gpu] = row.size.seconds(&row.stages, Level::Avx512);
            let estimate = if row.device == "H200" { gpu } else { shared / row.threads + others };
            let ratio = estimate / row.seconds;
            if !(1.0 / FACTOR..=FACTOR).contains(&ratio) {
                worst.push(format!("{}: {estimate:.3} s of {:.3} s", row.name, row.seconds));
            }
        }
        assert!(worst.is_empty(), "{}", worst.join("\n"));
    }

    fn mp(bits: u32) -> Precision {
        Precision::Mp(Bits::new(bits).unwrap())
    }

    /// Products of numbers of many words take a time that grows with the square.
    #[test]
    fn more_bits_take_longer_on_a_gpu() {
        let size = measured().remove(0).size;
        let seconds = |precision| size.on_gpu(precision);
        assert_eq!(seconds(mp(106)), seconds(Precision::Qd));
        assert_eq!(seconds(mp(848)), 4.0 * seconds(mp(424)));
        assert!(seconds(mp(424)) > 3.0 * seconds(Precision::Qd));
    }

    /// A block of many rows that no entry connects is as large in a point as any.
    #[test]
    fn points_take_memory_too() {
        let text = "1\n1\n1000\n1\n1 1 1 1 1\n1 1 2 2 1\n";
        let problem = crate::input::read_sparse(text.as_bytes()).unwrap();
        let reduced = crate::Reduced::new(&problem);
        let numbers = problem.numbers().values::<f64>(()).unwrap();
        let size = Size::of(&problem, &reduced.program(&problem, &numbers).unwrap());
        assert!(size.bytes(Precision::F64) >= 10 * 1_000_000 * 8);
        // A head of 32 bits beside two words.
        assert!(size.bytes(mp(106)) >= 10 * 1_000_000 * 20);
        assert!(size.bytes(mp(106)) < 11 * 1_000_000 * 20);
    }

    /// The program counts what the table has, of which another text made the sizes.
    #[test]
    fn sizes_are_those_of_the_table() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../data/sdplib");
        for name in ["truss1", "theta1", "gpp100"] {
            let path = std::path::Path::new(folder).join(format!("{name}.dat-s.xz"));
            let file =
                nonius_files::packed::decompress(std::fs::File::open(&path).unwrap()).unwrap();
            let problem = crate::input::read_sparse(file).unwrap();
            let reduced = crate::Reduced::new(&problem);
            let numbers = problem.numbers().values::<f64>(()).unwrap();
            let size = Size::of(&problem, &reduced.program(&problem, &numbers).unwrap());
            let row = measured().into_iter().find(|row| row.name.ends_with(&format!(" {name}")));
            let of_table = row.unwrap().size;
            let near = |a: f64, b: f64| (a - b).abs() <= 0.1 * (a + b) + 100.0;
            assert!(near(size.cubes, of_table.cubes), "{name}: {size:?} {of_table:?}");
            for k in 0..3 {
                assert!(
                    near(size.formation[k], of_table.formation[k]),
                    "{name}: {size:?} {of_table:?}"
                );
            }
            assert!(near(size.numbers[0], of_table.numbers[0]), "{name}: {size:?} {of_table:?}");
        }
    }
}
