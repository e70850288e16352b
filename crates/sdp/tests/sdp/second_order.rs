//! Second-order cones.

use core::fmt::Write;

use nonius_linalg::backend::Cpu;
use nonius_num::mp::Bits;
use nonius_num::{Decimal, Mp};
use nonius_sdp::certify::{Certificate, Unproved};
use nonius_sdp::equalities::Eliminated;
use nonius_sdp::input::{read_result, read_sparse};
use nonius_sdp::solver::{End, Phase};
use nonius_sdp::{
    AnyPoint, Block, Checkpoint, Fingerprint, LastPrecision, Options, Parameters, Problem, Reduced,
    Report, Start, prove, solve_on,
};

use crate::common::Sequence;

/// The precisions of all kinds, each with the digits of an optimum that are proved at least: those
/// of its gap, but for a few.
const PRECISIONS: [(&str, f64); 5] =
    [("f64", 5.0), ("dd", 17.0), ("td", 26.0), ("qd", 36.0), ("mp300", 50.0)];

fn options(precision: &str) -> Options {
    Options {
        precision: LastPrecision::Fixed(precision.parse().unwrap()),
        at_once: false,
        then_proved: true,
        parameters: Parameters::default(),
        gap: None,
        feasibility: None,
    }
}

fn from(problem: &Problem, precision: &str, start: Option<Start>) -> (Report, AnyPoint) {
    solve_on(&Cpu::default(), problem, &options(precision), start, &mut |_, _| true).unwrap()
}

fn solve(problem: &Problem, precision: &str) -> (Report, AnyPoint) {
    from(problem, precision, None)
}

fn proved(problem: &Problem, precision: &str) -> (Report, AnyPoint, Certificate) {
    let (report, point) = solve(problem, precision);
    let proof = prove(&Cpu::default(), problem, (&point, report.phase)).unwrap();
    (report, point, proof)
}

fn wide(text: &str) -> Mp {
    Mp::from_decimal_in(Bits::new(2000).unwrap(), text.as_bytes()).unwrap()
}

fn bound(bound: &Result<String, Unproved>) -> Mp {
    wide(bound.as_ref().unwrap_or_else(|reason| panic!("{reason}")))
}

/// A problem in which the blocks of these numbers, from 0, are second-order cones.
fn problem(text: &str, cones: &[usize]) -> Problem {
    read_sparse(text.as_bytes()).unwrap().with_second_order(cones.iter().copied()).unwrap()
}

/// Solved and proved in every precision: the optimum is this number's root, with its sign.
fn has_root_as_optimum(problem: &Problem, square: &str, is_negative: bool) {
    let root = wide(square).sqrt();
    let optimum = if is_negative { -root } else { root };
    for (precision, digits) in PRECISIONS {
        let (report, _, proof) = proved(problem, precision);
        assert_eq!((report.phase, report.end), (Phase::Optimal, End::Solved), "{precision}");
        assert!(bound(&proof.lower) <= optimum, "{precision}: {proof:?}");
        assert!(bound(&proof.upper) >= optimum, "{precision}: {proof:?}");
        assert!(proof.digits().unwrap() >= digits, "{precision}: {proof:?}");
    }
}

/// The least `t` that is not less than the norm of a vector.
#[test]
fn norms_of_vectors() {
    let pythagoras = "1\n1\n-3\n1\n0 1 2 2 -3\n0 1 3 3 -4\n1 1 1 1 1\n";
    has_root_as_optimum(&problem(pythagoras, &[0]), "25", false);
    let mut text = String::from("1\n1\n-1001\n1\n1 1 1 1 1\n");
    (2..=1001).for_each(|row| writeln!(text, "0 1 {row} {row} {}", row % 3 - 1).unwrap());
    // Two thirds of the numbers are ±1.
    let ones = (2..=1001).filter(|row| row % 3 != 1).count();
    let (report, _, proof) = proved(&problem(&text, &[0]), "dd");
    assert_eq!(report.phase, Phase::Optimal);
    let square = wide(&ones.to_string());
    assert!(bound(&proof.lower) * bound(&proof.lower) <= square);
    assert!(bound(&proof.upper) * bound(&proof.upper) >= square);
    assert!(proof.digits().unwrap() >= 17.0, "{proof:?}");
}

/// The least distance of (9, 0, 0) from the multiples of (1, 2, 2), which is that of the first:
/// (8, −2, −2).
#[test]
fn distances_from_lines() {
    let text = "2\n1\n-4\n1 0\n0 1 2 2 9\n1 1 1 1 1\n2 1 2 2 1\n2 1 3 3 2\n2 1 4 4 2\n";
    has_root_as_optimum(&problem(text, &[0]), "72", false);
}

/// The least `3x + 4y` in the disc of radius 5 about the origin: a cone of which `t` is constant.
#[test]
fn optima_on_the_boundary_of_a_disc() {
    let text = "2\n1\n-3\n3 4\n0 1 1 1 -5\n1 1 2 2 1\n2 1 3 3 1\n";
    has_root_as_optimum(&problem(text, &[0]), "625", true);
}

/// The least `t + 2u` where `t ≥ |x − 3|`, `u ≥ x ≥ −1`: a cone of order 2, and two of order 1.
#[test]
fn cones_of_few_rows() {
    let text = "3\n3\n-2 -1 -1\n1 2 0\n0 1 2 2 3\n0 3 1 1 -1\n1 1 1 1 1\n2 2 1 1 1\n3 1 2 2 1\n\
        3 2 1 1 -1\n3 3 1 1 1\n";
    let problem = problem(text, &[0, 1, 2]);
    let reduced = Reduced::new(&problem);
    assert_eq!((reduced.order(), reduced.second_order()), (4, &[2][..]));
    has_root_as_optimum(&problem, "4", false);
}

/// The least `t` where `t ≥ |v|` is 0, at the apex; beside it `s ≥ ‖(3, 4)‖`.
#[test]
fn apexes() {
    let text = "3\n2\n-2 -3\n1 0 1\n1 1 1 1 1\n2 1 2 2 1\n3 2 1 1 1\n0 2 2 2 -3\n0 2 3 3 -4\n";
    has_root_as_optimum(&problem(text, &[0, 1]), "25", false);
}

/// `(t, v)` of a program with random integers, `cones` of these orders, a diagonal block and a
/// square, with interior points of both problems; and the same with arrow matrices in the place of
/// cones.
fn random(seed: u64, m: usize, cones: &[usize]) -> [Problem; 2] {
    let mut numbers = Sequence(seed);
    let (square, diagonal) = (3, 4);
    let orders: Vec<String> = cones.iter().map(|order| format!("-{order}")).collect();
    let arrows: Vec<String> = cones.iter().map(usize::to_string).collect();
    let mut texts = [&orders, &arrows].map(|orders| {
        format!("{m}\n{}\n{square} -{diagonal} {}\n", 2 + cones.len(), orders.join(" "))
    });
    let mut c = vec![0_i64; m];
    let mut entries = [String::new(), String::new()];
    let mut put = |k: usize, block: usize, [i, j]: [usize; 2], value: i64| {
        if value == 0 {
            return;
        }
        let [i, j] = [i + 1, j + 1];
        let block = block + 1;
        if block <= 2 {
            entries.iter_mut().for_each(|all| {
                writeln!(all, "{k} {block} {i} {j} {value}").unwrap();
            });
            return;
        }
        writeln!(entries[0], "{k} {block} {i} {i} {value}").unwrap();
        for row in (1..=cones[block - 3]).filter(|_| i == 1) {
            writeln!(entries[1], "{k} {block} {row} {row} {value}").unwrap();
        }
        if i > 1 {
            writeln!(entries[1], "{k} {block} 1 {i} {value}").unwrap();
        }
    };
    for (k, c) in c.iter_mut().enumerate() {
        // `cᵢ = Fᵢ•Y` with the unit times 2 as `Y`, but for one entry of each cone.
        for (i, j) in (0..square).flat_map(|j| (0..=j).map(move |i| (i, j))) {
            let value = numbers.next(3);
            put(k + 1, 0, [i, j], value);
            *c += if i == j { 2 * value } else { 0 };
        }
        for i in 0..diagonal {
            let value = numbers.next(3);
            put(k + 1, 1, [i, i], value);
            *c += 2 * value;
        }
        for (block, &order) in cones.iter().enumerate() {
            for i in 0..order {
                let value = if numbers.next(2) > -1 { numbers.next(4) } else { 0 };
                put(k + 1, block + 2, [i, i], value);
                *c += [3, 1, 0].get(i).unwrap_or(&0) * value;
            }
        }
    }
    // `X` at zero: the unit times 3 and one entry of each cone.
    for i in 0..square {
        put(0, 0, [i, i], -3);
    }
    for i in 0..diagonal {
        put(0, 1, [i, i], -3);
    }
    for (block, &order) in cones.iter().enumerate() {
        put(0, block + 2, [0, 0], -3);
        put(0, block + 2, [order - 1, order - 1], -1);
    }
    let c: Vec<String> = c.iter().map(i64::to_string).collect();
    for (text, entries) in texts.iter_mut().zip(entries) {
        writeln!(text, "{}\n{entries}", c.join(" ")).unwrap();
    }
    let blocks: Vec<usize> = (2..2 + cones.len()).collect();
    [problem(&texts[0], &blocks), problem(&texts[1], &[])]
}

/// The optima are those of programs with arrow matrices, `[t vᵀ; v t·I]`.
#[test]
fn optima_are_those_of_arrow_matrices() {
    for (seed, m, cones) in [
        (1, 4, &[3, 5][..]),
        (2, 10, &[2, 17, 4]),
        (3, 25, &[8, 3, 3, 12, 2]),
        (4, 40, &[3; 20]),
        (5, 30, &[31]),
    ] {
        let [own, arrows] = random(seed, m, cones);
        for (precision, digits) in &PRECISIONS[..4] {
            let [own, arrows] = [&own, &arrows].map(|problem| proved(problem, precision));
            for (report, _, proof) in [&own, &arrows] {
                assert_eq!(report.phase, Phase::Optimal, "{seed} {precision}");
                assert!(proof.digits().unwrap() >= *digits, "{seed} {precision}: {proof:?}");
            }
            assert!(bound(&own.2.lower) <= bound(&arrows.2.upper), "{seed} {precision}");
            assert!(bound(&arrows.2.lower) <= bound(&own.2.upper), "{seed} {precision}");
        }
    }
}

/// `x ≥ ‖(1, …)‖` and `−x ≥ ‖(1, …)‖`; and `−x` without a bound where `x ≥ ‖(1, y)‖`.
#[test]
fn infeasible_problems_are_proved_to_be_so() {
    let none = "2\n2\n-3 -2\n1 1\n1 1 1 1 1\n0 1 2 2 -1\n2 1 3 3 1\n1 2 1 1 -1\n0 2 2 2 -1\n";
    let unbounded = "2\n1\n-3\n-1 0\n1 1 1 1 1\n0 1 2 2 -1\n2 1 3 3 1\n";
    for (text, cones, phase) in
        [(none, &[0, 1][..], Phase::PrimalInfeasible), (unbounded, &[0], Phase::DualInfeasible)]
    {
        for (precision, _) in &PRECISIONS[..4] {
            let (report, _, proof) = proved(&problem(text, cones), precision);
            assert_eq!((report.phase, report.end), (phase, End::Decided), "{precision}");
            assert_eq!(proof.infeasible, Some(phase), "{precision}");
        }
    }
}

/// `t ≥ ‖(x, 1)‖` and `t ≤ x`: every feasible point is at infinity. No precision calls that solved
/// and proved at the same time.
#[test]
fn weak_infeasibility_is_no_optimum() {
    let text = "2\n2\n-3 -1\n1 1\n1 1 1 1 1\n2 1 2 2 1\n0 1 3 3 -1\n1 2 1 1 -1\n2 2 1 1 1\n";
    for precision in ["f64", "dd"] {
        let (report, _, proof) = proved(&problem(text, &[0]), precision);
        assert!(proof.upper.is_err(), "{precision}: {report:?} {proof:?}");
    }
}

/// A cone is one block: rows of it that nothing connects stay together, rows that no matrix has an
/// entry in are left out, but for the first.
#[test]
fn cones_are_not_split() {
    let text =
        "2\n3\n-6 2 -4\n1 1\n1 1 2 2 1\n2 1 5 5 2\n1 2 1 1 1\n2 2 2 2 1\n1 3 1 1 1\n2 3 4 4 1\n";
    let problem = problem(text, &[0]);
    let reduced = Reduced::new(&problem);
    assert_eq!(reduced.second_order(), [3]);
    assert!(reduced.squares().is_empty());
    let rows = [(1, 0), (1, 1), (2, 0), (2, 3), (0, 0), (0, 1), (0, 4)];
    assert_eq!(reduced.diagonal(), rows);
    assert_eq!(problem.order(), 12);
}

/// Rows of a cone that are opposites are no equality constraint.
#[test]
fn rows_of_cones_are_no_equalities() {
    let text = "2\n1\n-4\n1 1\n1 1 1 1 1\n0 1 4 4 -1\n2 1 2 2 1\n2 1 3 3 -1\n";
    let rows = problem(text, &[]);
    assert_eq!(Eliminated::new(&rows).unwrap().equalities(), [1, 0]);
    let cone = problem(text, &[0]);
    assert_eq!(Eliminated::new(&cone).unwrap().equalities(), [0, 0]);
}

/// The least `t + x` where `t ≥ ‖(x, 1)‖` and `x = 3/4` is 2.
#[test]
fn equalities_beside_cones_are_eliminated() {
    let text = "2\n2\n-3 -2\n1 1\n1 1 1 1 1\n2 1 2 2 1\n0 1 3 3 -1\n\
        0 2 1 1 0.75\n0 2 2 2 -0.75\n2 2 1 1 1\n2 2 2 2 -1\n";
    let problem = problem(text, &[0]);
    assert_eq!(Eliminated::new(&problem).unwrap().equalities(), [1, 0]);
    has_root_as_optimum(&problem, "4", false);
}

#[test]
fn numbers_of_any_size() {
    for size in ["e-60", "e60"] {
        let text = format!("1\n1\n-3\n1{size}\n0 1 2 2 -3{size}\n0 1 3 3 -4{size}\n1 1 1 1 1\n");
        let (report, _, proof) = proved(&problem(&text, &[0]), "dd");
        assert_eq!(report.phase, Phase::Optimal, "{size}");
        let optimum = wide(&format!("5{size}")) * wide(&format!("1{size}"));
        assert!(bound(&proof.lower) <= optimum && bound(&proof.upper) >= optimum, "{size}");
        assert!(proof.digits().unwrap() >= 17.0, "{size}: {proof:?}");
    }
}

/// A run goes on from its checkpoint, and from its result; not with a diagonal block in the place
/// of a cone.
#[test]
fn checkpoints_and_results_of_cones() {
    let [problem, _] = random(7, 12, &[5, 9]);
    let (report, point) = solve(&problem, "dd");
    let rows = report.iterations;
    let mut file = Vec::new();
    let checkpoint = Checkpoint { point: point.clone(), iterations: rows };
    checkpoint.write(&mut file, &Fingerprint::of(&problem)).unwrap();
    let read = Checkpoint::read(&file[..], &problem).unwrap();
    let start = Some(Start::Point(read.point));
    let (again, _) = from(&problem, "dd", start);
    assert_eq!(again.phase, Phase::Optimal);
    assert!(again.iterations < rows / 2, "{} of {rows}", again.iterations);

    let mut file = Vec::new();
    point.write_result(&mut file, "of a test", &report).unwrap();
    let found = read_result::<nonius_num::Dd>(&file[..], (), &problem).unwrap();
    assert_eq!(found, point.to::<nonius_num::Dd>(()));

    let text = "1\n1\n-3\n1\n0 1 2 2 -3\n0 1 3 3 -4\n1 1 1 1 1\n";
    let [cone, rows] = [&[0][..], &[]].map(|cones| self::problem(text, cones));
    assert_ne!(Fingerprint::of(&cone), Fingerprint::of(&rows));
}

#[test]
fn only_diagonal_blocks_become_cones() {
    let text = "1\n2\n-3 2\n1\n1 1 1 1 1\n1 2 1 1 1\n";
    let read = || read_sparse(text.as_bytes()).unwrap();
    for blocks in [&[1][..], &[2], &[0, 0], &[usize::MAX]] {
        let error = read().with_second_order(blocks.iter().copied()).unwrap_err();
        assert!(error.to_string().contains("is no diagonal block"), "{error}");
    }
    let cone = read().with_second_order([0]).unwrap();
    assert_eq!(cone.blocks(), [Block::SecondOrder(3), Block::Dense(2)]);
}
