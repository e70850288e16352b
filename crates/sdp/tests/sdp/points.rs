//! Files of points and results: what they hold, that numbers come back the same, and each fault
//! with its line.

use std::fmt::Debug;

use nonius_linalg::{Number, Numbers};
use nonius_num::mp::{Bits, Mp};
use nonius_num::{Dd, Decimal};
use nonius_sdp::input::{ReadError, read_dense_point, read_result, read_sparse, read_sparse_point};
use nonius_sdp::output::{write_result, write_sparse_point};
use nonius_sdp::solver::{End, Phase};
use nonius_sdp::{Block, BlockValues, Interior, Parameters, Problem, Report, Row, Solution, seal};

/// Three constraints and these blocks.
fn problem(blocks: &str) -> Problem {
    let count = blocks.split_whitespace().count();
    read_sparse(format!("3\n{count}\n{blocks}\n1 2 3\n").as_bytes()).unwrap()
}

fn dense(order: usize, entries: Vec<f64>) -> BlockValues<f64> {
    BlockValues::Dense { order, entries: entries.into() }
}

/// The start that comes with SDPA's first example.
fn start_of_example() -> Solution<f64> {
    Solution {
        x: vec![0.0, -4.0, 0.0].into(),
        primal: vec![dense(2, vec![11.0, 0.0, 0.0, 9.0])],
        dual: vec![dense(2, vec![5.9, -1.375, -1.375, 1.0])],
    }
}

#[test]
fn starts_of_sdpa() {
    let problem = problem("2");
    let dense =
        "{0.0, -4.0, 0.0}\n{ {11.0, 0.0}, {0.0, 9.0} }\n{ {5.9,  -1.375}, {-1.375, 1.0} }\n";
    assert_eq!(read_dense_point(dense.as_bytes(), (), &problem).unwrap(), start_of_example());
    let sparse = " 0.0, -4.0, 0.0\n1 1 1 1 11\n1 1 2 2 9\n2 1 1 1 5.9\n2 1 1 2 -1.375\n2 1 2 2 1\n";
    assert_eq!(read_sparse_point(sparse.as_bytes(), (), &problem).unwrap(), start_of_example());
    // Remarks, lines and braces where they please, and entries below the diagonal in any order.
    let sparse = "* a remark\n\"another\n\n{0.0,\n-4d0}\n(0) 2 1 2 1 -1.375\n1 1 1 1 11 1 1 2 2 9\n\
                  2,1,1,1,+5.9\n2 1 2 2 1e0";
    assert_eq!(read_sparse_point(sparse.as_bytes(), (), &problem).unwrap(), start_of_example());
}

/// What SDPA-DD writes for its first example, but for most of the iterations and times.
const RESULT: &str = "SDPA-DD start at Wed Aug 30 14:44:33 2023
\"Example 1: mDim = 3, nBLOCK = 1, {2}\"
data      is example1.dat-s
   mu      thetaP  thetaD  objP      objD      alphaP  alphaD  beta \n 0 1.0e+08 1.0e+00 1.0e+00 -0.00e+00 +1.20e+05 1.0e+00 9.0e-01 3.00e-01

phase.value = pdOPT     \n   Iteration = 44
objValPrimal = -4.1899999999999999e+01

 Total           =       4.400000,  100.000000

xVec = \n{-1.100000000000e+00,-2.737500000000e+00,-5.500000000000e-01}
xMat = \n{
{ {+2.317553223306e-33,+3.186635682045e-33 },
  {+3.186635682045e-33,+1.367356401750e-32 }   }
}
yMat = \n{
{ {+5.900000000000e+00,-1.375000000000e+00 },
  {-1.375000000000e+00,+1.000000000000e+00 }   }
}
    main loop time = 4.400000
        total time = 4.400000
  file   read time = 0.000000
";

#[test]
fn results_of_sdpa() {
    let expected = Solution {
        x: vec![-1.1, -2.7375, -0.55].into(),
        primal: vec![dense(
            2,
            vec![2.317553223306e-33, 3.186635682045e-33, 3.186635682045e-33, 1.367356401750e-32],
        )],
        dual: start_of_example().dual,
    };
    let problem = problem("2");
    assert_eq!(read_result(RESULT.as_bytes(), (), &problem).unwrap(), expected);
    for text in [RESULT.replace(" = \n{", "=\n{"), RESULT.replace('\n', "\r\n")] {
        assert_eq!(read_result(text.as_bytes(), (), &problem).unwrap(), expected);
    }
    let nearest = |text: &str| Dd::from_decimal(text.as_bytes()).unwrap();
    let solution = read_result::<Dd>(RESULT.as_bytes(), (), &problem).unwrap();
    assert_eq!(solution.x.plain(), ["-1.1", "-2.7375", "-0.55"].map(nearest));
}

/// Numbers that fill the precision, of many magnitudes, in a diagonal and three dense blocks.
fn crowded<T: Number>(format: T::Format) -> Solution<T> {
    let mut count = 0;
    let mut next = || {
        count += 1;
        let sign = ["", "-", "+"][count % 3];
        let digits = "3141592653589793238462643383279502884197".repeat(3);
        let exponent = count as i32 * 37 % 200 - 100;
        let text = format!("{sign}{}.{digits}e{exponent}", count % 7);
        T::from_decimal_in(format, text.as_bytes()).unwrap()
    };
    let mut x = Numbers::zeros(format, 3);
    (0..3).for_each(|i| x.set(i, next()));
    let mut blocks = || {
        let zeros = |block| BlockValues::zeros(block, format).unwrap();
        let dense = |order: usize, next: &mut dyn FnMut() -> T| {
            let mut block = zeros(Block::Dense(order));
            // The first ones stay zero.
            for [i, j] in (0..order).flat_map(|j| (0..=j).map(move |i| [i, j])).skip(order / 2) {
                let value = next();
                block.set(i, j, value);
                block.set(j, i, value);
            }
            block
        };
        let mut diagonal = zeros(Block::Diagonal(4));
        [0, 2, 3].into_iter().for_each(|i| diagonal.set(i, i, next()));
        let [first, second, third] = [3, 1, 5].map(|order| dense(order, &mut next));
        vec![first, diagonal, second, third]
    };
    Solution { x, primal: blocks(), dual: blocks() }
}

fn report() -> Report {
    let row = Row {
        number: 0,
        mu: 1e4,
        infeasibilities: [4.0, 0.0],
        objectives: [0.0, -123.4],
        relative_gap: 1.0,
        centring: f64::NAN,
        steps: [0.0; 2],
        seconds: 0.0,
        precision: "dd".into(),
    };
    let next = Row {
        number: 1,
        mu: 2.5e-100,
        infeasibilities: [1.0, 3e-31],
        objectives: [-41.9, f64::INFINITY],
        centring: 0.3,
        steps: [0.9, 1.0],
        ..row.clone()
    };
    Report {
        phase: Phase::Optimal,
        end: End::Solved,
        iterations: 1,
        mu: 2.5e-100,
        objectives: ["-41.899999999999999999999999999999".into(), "-41.9".into()],
        gap: 1e-30,
        relative_gap: 1e-32,
        infeasibilities: [0.0, 1.5e-31],
        dimacs_errors: [0.0; 6],
        interior: Interior { within: 41.9, least: [0.1; 2], mean: [1.0; 2] },
        equalities: [0; 2],
        seconds: 4.4,
        precision: "dd".into(),
        unit_roundoff: f64::exp2(-104.0),
        parameters: Parameters { start: None, gap: 1e-30, ..Parameters::default() },
        history: vec![row, next],
    }
}

fn comes_back<T: Number + Debug>(format: T::Format) {
    let problem = problem("3 -4 1 5");
    let solution = crowded::<T>(format);
    let mut text = Vec::new();
    write_result(&mut text, "xVec and so on", &report(), &solution).unwrap();
    assert_eq!(read_result(&text[..], format, &problem).unwrap(), solution);
    let mut text = Vec::new();
    write_sparse_point(&mut text, &solution).unwrap();
    assert_eq!(read_sparse_point(&text[..], format, &problem).unwrap(), solution);
}

#[test]
fn written_points_read_back_the_same_f64() {
    comes_back::<f64>(());
}

#[test]
fn written_points_read_back_the_same_dd() {
    comes_back::<Dd>(());
}

#[test]
fn written_points_read_back_the_same_mp() {
    comes_back::<Mp>(Bits::new(200).unwrap());
}

#[test]
fn the_layout_of_results() {
    let solution = Solution {
        x: vec![0.5, -4.0, 1e-30].into(),
        primal: vec![
            dense(2, vec![11.0, 0.1, 0.1, 9.0]),
            BlockValues::Diagonal(vec![1.0, 2.0].into()),
        ],
        dual: vec![
            dense(2, vec![5.9, -1.375, -1.375, 1.0]),
            BlockValues::Diagonal(vec![0.0, 3.0].into()),
        ],
    };
    let mut text = Vec::new();
    write_result(&mut text, "example1", &report(), &solution).unwrap();
    let expected = concat!(
        "Nonius ",
        env!("CARGO_PKG_VERSION"),
        " example1\n",
        "   mu      thetaP  thetaD  objP      objD      alphaP  alphaD  beta \n",
        " 0 1.0e+04 1.0e+00 0.0e+00 +0.00e+00 -1.23e+02 9.0e-01 1.0e+00 3.00e-01\n",
        " 1 2.5e-100 2.5e-01 3.0e-31 -4.19e+01 +inf 9.0e-01 1.0e+00 3.00e-01\n",
        "\n",
        "phase.value = pdOPT     \n",
        "   Iteration = 1\n",
        "          mu = 2.5000000000000000e-100\n",
        "relative gap = 1.0000000000000001e-32\n",
        "         gap = 1.0000000000000001e-30\n",
        "      digits = 3.2000000000000000e+01\n",
        "objValPrimal = -41.899999999999999999999999999999\n",
        "objValDual   = -41.9\n",
        "p.feas.error = 0.0000000000000000e+00\n",
        "d.feas.error = 1.4999999999999999e-31\n",
        "relative eps = 4.9303806576313238e-32\n",
        "total time   = 4.400\n",
        "\n\n",
        "Parameters are\n",
        "maxIteration =    100\n",
        "epsilonStar  = 1.000e-30\n",
        "lambdaStar   = auto\n",
        "omegaStar    = 2.000e+00\n",
        "lowerBound   = -inf\n",
        "upperBound   = inf\n",
        "betaStar     = 1.000e-01\n",
        "betaBar      = 2.000e-01\n",
        "gammaStar    = 9.000e-01\n",
        "epsilonDash  = 1.000e-07\n",
        "\n",
        "xVec = \n",
        "{0.5,-4,1e-30}\n",
        "xMat = \n{\n",
        "{ {11,0.1 },\n  {0.1,9 }   }\n",
        "{1,2}\n",
        "}\n",
        "yMat = \n{\n",
        "{ {5.9,-1.375 },\n  {-1.375,1 }   }\n",
        "{0,3}\n",
        "}\n",
    );
    seal::check(&text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let (result, sealed) = text.split_at(expected.len());
    assert_eq!(result, expected);
    assert_eq!(sealed.lines().count(), 1);
    let mut text = Vec::new();
    write_sparse_point(&mut text, &solution).unwrap();
    let expected = "0.5, -4, 1e-30\n1 1 1 1 11\n1 1 1 2 0.1\n1 1 2 2 9\n1 2 1 1 1\n1 2 2 2 2\n\
                    2 1 1 1 5.9\n2 1 1 2 -1.375\n2 1 2 2 1\n2 2 2 2 3\n";
    assert_eq!(String::from_utf8(text).unwrap(), expected);
}

/// A run that began where it ended, or not at all.
#[test]
fn short_histories() {
    let solution = start_of_example();
    let table = |count: usize| {
        let mut report = report();
        report.history.truncate(count);
        let mut text = Vec::new();
        write_result(&mut text, "", &report, &solution).unwrap();
        let text = String::from_utf8(text).unwrap();
        text.lines().skip(2).take_while(|line| !line.is_empty()).map(String::from).collect()
    };
    let lines: [Vec<String>; 2] = [0, 1].map(table);
    let row = " 0 1.0e+04 1.0e+00 0.0e+00 +0.00e+00 -1.23e+02 0.0e+00 0.0e+00 nan";
    assert_eq!(lines, [vec![], vec![row.to_string()]]);
}

type Reader = fn(&[u8], &Problem) -> Result<Solution<f64>, ReadError>;

const READERS: [Reader; 3] = [
    |text, problem| read_sparse_point(text, (), problem),
    |text, problem| read_dense_point(text, (), problem),
    |text, problem| read_result(text, (), problem),
];

fn refuses(read: Reader, blocks: &str, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let error = read(text.as_bytes(), &problem(blocks)).expect_err(text);
        assert_eq!(error.to_string(), *expected, "{text:?}");
    }
}

#[test]
fn faults_of_sparse_points() {
    let cases = [
        ("", "line 1: expected a number of x, found the end of the file"),
        ("* only\n0 1", "line 2: expected a number of x, found the end of the file"),
        ("0 1\nx", "line 2: expected a number of x, found `x`"),
        ("0 1 1e999", "line 1: expected a finite number, found `1e999`"),
        ("0 1 2\n0 1 1 1 1", "line 2: expected the number of a matrix from 1 to 2, found `0`"),
        (
            "0 1 2 3.5\n1 1 1 1 1",
            "line 1: expected the number of a matrix from 1 to 2, found `3.5`",
        ),
        ("0 1 2\n1 3 1 1 1", "line 2: expected the number of a block from 1 to 2, found `3`"),
        ("0 1 2\n1 1 3 1 1", "line 2: expected the number of a row from 1 to 2, found `3`"),
        ("0 1 2\n1 1 1 -1 1", "line 2: expected the number of a column from 1 to 2, found `-1`"),
        (
            "0 1 2\n1 1 1\n",
            "line 2: expected the numbers of matrix, block, row and column, and the value of an entry, found the end of the file",
        ),
        ("0 1 2\n1 1 1 1", "line 2: expected the value of an entry, found the end of the file"),
        ("0 1 2\n1 1 1 1 one", "line 2: expected the value of an entry, found `one`"),
        ("0 1 2\n1 1 1 1 -inf", "line 2: expected a finite number, found `-inf`"),
        (
            "0 1 2\n2 2 1 2 1",
            "line 2: expected an entry of a diagonal, found row 1 and column 2 of block 2, which is diagonal",
        ),
        (
            "0 1 2\n2 1 1 2 1\n1 1 1 2 1\n2 1 2 1 1\n1 1 2 1 1\n",
            "line 4: expected each entry once, found row 1, column 2 of block 1 of Y again",
        ),
        (
            "0 1 2\n1 2 2 2 0\n1 2 2 2 0\n",
            "line 3: expected each entry once, found row 2, column 2 of block 2 of X again",
        ),
    ];
    refuses(READERS[0], "2 -2", &cases);
}

#[test]
fn blocks_beyond_memory() {
    let expected = "expected blocks that fit in memory, found block 2 of order 4294967295";
    let texts = ["0 1 2\n1 1 1 1 1\n", "0 1 2\n1 5 6", "xVec =\n0 1 2\nxMat =\n1 5 6"];
    for (read, text) in READERS.into_iter().zip(texts) {
        refuses(read, "-1 4294967295", &[(text, expected)]);
    }
}

#[test]
fn faults_of_dense_points() {
    let cases = [
        ("\"only", "line 1: expected a number of x, found the end of the file"),
        ("{0, 1, nan}", "line 1: expected a finite number, found `nan`"),
        ("0 1 2\n{1 2}", "line 2: expected an entry of X, found the end of the file"),
        ("0 1 2\n{1 2} {2 x}", "line 2: expected an entry of X, found `x`"),
        ("0 1 2\n1 2 2 3 4 5\n1\n2", "line 4: expected an entry of Y, found the end of the file"),
        ("0 1 2\n1 2 2 3 inf", "line 2: expected a finite number, found `inf`"),
        (
            "0 1 2\n1 2\n2.5 3",
            "line 3: expected a symmetric matrix, found other values at (2, 1) and (1, 2) of block 1 of X",
        ),
        (
            "0 1 2\n1 2 2 3 4 5\n1 2\n-2 1 0 0",
            "line 4: expected a symmetric matrix, found other values at (2, 1) and (1, 2) of block 1 of Y",
        ),
        ("0 1 2\n1 2 2 3 4 5\n1 0 -0 1 0 0\n7", "line 4: expected the end of the file, found `7`"),
    ];
    refuses(READERS[1], "2 -2", &cases);
}

#[test]
fn faults_of_results() {
    let of = |matrices: &str| format!("SDPA\n\nxVec = \n{{1,2,3}}\n{matrices}");
    let cases = [
        ("", "line 1: expected a line that begins with `xVec =`, found the end of the file"),
        (
            "SDPA\nthe xVec =\n1 2 3\nxVec\n",
            "line 5: expected a line that begins with `xVec =`, found the end of the file",
        ),
        (
            "xMat =\n{1}\nyMat =\n{1}\n",
            "line 5: expected a line that begins with `xVec =`, found the end of the file",
        ),
        ("xVec =\n{1,2\nxMat =", "line 3: expected a number of x, found `xMat`"),
    ];
    refuses(READERS[2], "2 -2", &cases);
    let cases = [
        ("", "line 4: expected a line that begins with `xMat =`, found the end of the file"),
        ("4", "line 5: expected a line that begins with `xMat =`, found `4`"),
        ("xVec = \n", "line 5: expected a line that begins with `xMat =`, found `xVec`"),
        ("xMat 1", "line 5: expected a line that begins with `xMat =`, found `xMat`"),
        ("xMat = 1 2 2 3 4 inf", "line 5: expected a finite number, found `inf`"),
        (
            "xMat = 1 2 2 3 4 5\nxMat = 1",
            "line 6: expected a line that begins with `yMat =`, found `xMat`",
        ),
        (
            "xMat = 1 2 2 3 4 5\nyMat = 1\n2\n3",
            "line 8: expected a symmetric matrix, found other values at (2, 1) and (1, 2) of block 1 of Y",
        ),
        (
            "xMat = 1 2 2 3 4 5\nyMat = 1 2 2 3 4",
            "line 6: expected an entry of Y, found the end of the file",
        ),
        ("xMat = 1 2 2 3 4 5\nyMat = 1 2 2 3 4 5\n6", "line 7: expected the end of Y, found `6`"),
    ];
    for (rest, expected) in cases {
        refuses(READERS[2], "2 -2", &[(&of(rest), expected)]);
    }
    READERS[2](of("xMat = 1 2 2 3 4 5\nyMat = 1 2 2 3 4 5\n? 6").as_bytes(), &problem("2 -2"))
        .unwrap();
}

/// Whatever stands in the place of any byte.
#[test]
fn no_input_panics() {
    let problem = problem("2 -1");
    let solution = Solution {
        x: vec![0.5, -4.0, 1e-30].into(),
        primal: vec![dense(2, vec![11.0, 0.1, 0.1, 9.0]), BlockValues::Diagonal(vec![1.0].into())],
        dual: vec![dense(2, vec![5.9, -1.5, -1.5, 1.0]), BlockValues::Diagonal(vec![2.0].into())],
    };
    let [mut sparse, mut result] = [Vec::new(), Vec::new()];
    write_sparse_point(&mut sparse, &solution).unwrap();
    write_result(&mut result, "", &report(), &solution).unwrap();
    let dense = b"{0.5,-4,1e-30}\n{{11 0.1} {.1 9}} 1\n{{5.9 -1.5} {-1.5 1}} 2\n".to_vec();
    for (read, text) in READERS.into_iter().zip([sparse, dense, result]) {
        assert_eq!(read(&text, &problem).unwrap(), solution);
        for at in 0..text.len() {
            for byte in *b"\0-9.e,=\n\xff" {
                let mut bytes = text.clone();
                bytes[at] = byte;
                let _ = (read(&bytes, &problem), read(&bytes[..at], &problem));
            }
        }
    }
}
