//! Files of SDPA: what they hold, and each fault with its line.

use nonius_sdp::input::{ReadError, read_dense, read_parameters, read_sparse};
use nonius_sdp::{Block, Parameters, Problem};

/// One 2 × 2 block and a diagonal one.
const SPARSE: &str = "\"A remark\n* another\n 2 = mDIM\n 2 = nBLOCK\n (2, -3) = bLOCKsTRUCT\n{48, -8.0}\n\
                      0 1 1 1 -11\n0 1 2 2 2.3d1\n1 1 1 2 0.1\n1 2 3 3 1e-3\n2 1 2 2 -8 2 2 1 1 +5\n";

const DENSE: &str = "* the same\n2 = mDIM\n2 = nBLOCK\n2 -3\n48 -8.0\n\
                     {{-11, 0}, {0, 2.3d1}}\n{0, 0, 0}\n{{0, 0.1}, {1e-1, 0}}\n0 0 1e-3\n\
                     {{0, 0}, {0, -8}}\n{+5, 0, 0.00}\n";

type Plain = (Vec<Block>, Vec<f64>, Vec<([u32; 4], f64)>);

fn plain(problem: &Problem) -> Plain {
    let numbers = problem.numbers().values::<f64>(()).unwrap();
    let objective = problem.objective().iter().map(|&place| numbers.at(place as usize));
    let entries = problem.entries().iter().map(|entry| {
        let place = entry.place;
        let place = [place.matrix, place.block, place.row, place.col];
        (place, numbers.at(entry.value as usize))
    });
    (problem.blocks().to_vec(), objective.collect(), entries.collect())
}

#[test]
fn both_formats_hold_the_same() {
    let sparse = read_sparse(SPARSE.as_bytes()).unwrap();
    let dense = read_dense(DENSE.as_bytes()).unwrap();
    let expected = (
        vec![Block::Dense(2), Block::Diagonal(3)],
        vec![48.0, -8.0],
        vec![
            ([0, 0, 0, 0], -11.0),
            ([0, 0, 1, 1], 23.0),
            ([1, 0, 0, 1], 0.1),
            ([1, 1, 2, 2], 1e-3),
            ([2, 0, 1, 1], -8.0),
            ([2, 1, 0, 0], 5.0),
        ],
    );
    assert_eq!(plain(&sparse), expected);
    assert_eq!(plain(&dense), expected);
    assert_eq!((sparse.constraints(), sparse.order()), (2, 5));
    assert_eq!(sparse.matrix(1).len(), 2);
    assert_eq!(sparse.matrix(3).len(), 0);
    // Decimals stay what they are.
    assert_eq!(sparse.numbers().text(sparse.matrix(1)[0].value), "0.1");
}

/// Below the diagonal, and in any order.
/// What files of SDPA have, too.
#[test]
fn remarks_and_labels_of_all_sorts() {
    let expected = plain(&read_sparse(SPARSE.as_bytes()).unwrap());
    let changes: [(&str, &str); 8] = [
        ("\"A remark", "\u{feff}\"A remark"),
        ("* another", "  \t* another\n \n \"indented"),
        (" 2 = mDIM", "2=mDIM"),
        (" 2 = nBLOCK", " 2=nBLOCK"),
        ("(2, -3) = bLOCKsTRUCT", "2 -3=bLOCKsTRUCT"),
        ("{48, -8.0}", "{48, -8.0} = c"),
        ("{48, -8.0}", "48 -8.0=c 7"),
        ("{48, -8.0}", "48,\n-8.0\t= the objective"),
    ];
    for (from, to) in changes {
        let text = SPARSE.replacen(from, to, 1);
        assert_eq!(plain(&read_sparse(text.as_bytes()).unwrap()), expected, "{to}");
    }
    let dense = DENSE.replace("48 -8.0", "48 -8.0 = c").replace("2 = mDIM", "2=mDIM");
    assert_eq!(plain(&read_dense(dense.as_bytes()).unwrap()), expected);
}

#[test]
fn entries_have_any_order() {
    let text = "1\n1\n2\n1\n1 1 2 1 3\n0 1 1 1 2\n";
    let problem = read_sparse(text.as_bytes()).unwrap();
    assert_eq!(plain(&problem).2, [([0, 0, 0, 0], 2.0), ([1, 0, 0, 1], 3.0)]);
}

fn refuses(read: impl Fn(&[u8]) -> Result<Problem, ReadError>, cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let error = read(text.as_bytes()).expect_err(text);
        assert_eq!(error.to_string(), *expected, "{text:?}");
    }
}

#[test]
fn faults_of_the_header() {
    let cases = [
        (
            "",
            "line 1: expected the number of constraints, which is positive, found the end of the file",
        ),
        (
            "\"only\n* remarks",
            "line 2: expected the number of constraints, which is positive, found the end of the file",
        ),
        ("x\n", "line 1: expected the number of constraints, which is positive, found `x`"),
        ("0\n", "line 1: expected the number of constraints, which is positive, found `0`"),
        ("4294967295\n", "line 1: expected numbers of constraints, blocks and rows below 2^32"),
        ("2\n-1\n", "line 2: expected the number of blocks, which is positive, found `-1`"),
        (
            "2\n2\n3\n",
            "line 3: expected the order of a block, negative if it is diagonal, found the end of the file",
        ),
        (
            "2\n2\n3 0\n",
            "line 3: expected the order of a block, negative if it is diagonal, found `0`",
        ),
        (
            "2\n1\n99999999999\n",
            "line 3: expected numbers of constraints, blocks and rows below 2^32",
        ),
        ("2\n1\n3\n1.0 ?\n", "line 4: expected a number of the objective, found `?`"),
        ("2\n1\n3\n1.0\n", "line 4: expected a number of the objective, found the end of the file"),
        ("1\n1\n3\n1e999\n", "line 4: expected a finite number, found `1e999`"),
        ("1\n1\n3\nnan\n", "line 4: expected a finite number, found `nan`"),
    ];
    refuses(|text| read_sparse(text), &cases);
    refuses(|text| read_dense(text), &cases);
}

#[test]
fn faults_of_entries() {
    let of = |rest: &str| format!("1\n2\n2 -2\n1\n{rest}");
    let cases = [
        ("2 1 1 1 1", "line 5: expected the number of a matrix from 0 to 1, found `2`"),
        ("1 3 1 1 1", "line 5: expected the number of a block from 1 to 2, found `3`"),
        ("1 1 0 1 1", "line 5: expected the number of a row from 1 to 2, found `0`"),
        ("1 1 1 1.0 1", "line 5: expected the number of a column from 1 to 2, found `1.0`"),
        ("1 1 1 1 inf", "line 5: expected a finite number, found `inf`"),
        ("1 1 1 1 one", "line 5: expected the value of an entry, found `one`"),
        (
            "1 1 1\n",
            "line 5: expected the numbers of matrix, block, row and column, and the value of an entry, found the end of the file",
        ),
        (
            "1 2 1 2 1",
            "line 5: expected an entry of a diagonal, found row 1 and column 2 of block 2, which is diagonal",
        ),
        (
            "1 1 1 2 1\n0 1 1 1 1\n1 1 2 1 1",
            "line 7: expected each entry once, found row 1, column 2 of block 1 of F1 again",
        ),
    ];
    for (rest, expected) in cases {
        refuses(|text| read_sparse(text), &[(&of(rest), expected)]);
    }
}

#[test]
fn faults_of_matrices() {
    let of = |rest: &str| format!("1\n2\n2 -1\n1\n{rest}");
    let cases = [
        (
            "1 2 2 1 3\n1 2 2.1 1 3",
            "line 6: expected a symmetric matrix, found other values at (2, 1) and (1, 2) of block 1 of F1",
        ),
        (
            "1 2 2 1 3\n1 0 1 1 3",
            "line 6: expected a symmetric matrix, found other values at (2, 1) and (1, 2) of block 1 of F1",
        ),
        ("1 2 2 1 3\n1 2 2", "line 6: expected an entry of a matrix, found the end of the file"),
        ("1 2 2 1 3\n1 2 x", "line 6: expected an entry of a matrix, found `x`"),
        ("1 2 2 1 3\n1 2 2.0 1 3 4", "line 6: expected the end of the file, found `4`"),
    ];
    for (rest, expected) in cases {
        refuses(|text| read_dense(text), &[(&of(rest), expected)]);
    }
    // Numbers of which 70 digits agree.
    let digits = "123456789".repeat(8);
    let text = of(&format!("1 2.{digits}1 2.{digits}2 1 3\n1 0 0 1 3"));
    let error = read_dense(text.as_bytes()).unwrap_err().to_string();
    assert!(error.contains("found other values at (2, 1) and (1, 2)"), "{error}");
    // The same number written in another way.
    read_dense(of("1 2 2.0 1 3\n1 0.2e1 2.00 1 3").as_bytes()).unwrap();
}

const PARAMETERS: &str = "200\tunsigned int maxIteration;\n1.0E-30 double 0.0 < epsilonStar;\n1.0E4 lambdaStar\n2.0\n\
                          -1.0E5 lowerBound\n1.0E5\n0.1 betaStar\n0.3\n0.9 gammaStar\n1d-30\n%+8.3e\n";

#[test]
fn parameters() {
    let found = read_parameters(PARAMETERS.as_bytes()).unwrap();
    let expected = Parameters {
        most_iterations: 200,
        gap: 1e-30,
        start: Some(1e4),
        lower_bound: -1e5,
        upper_bound: 1e5,
        infeasible_centring: 0.3,
        feasibility: 1e-30,
        ..Parameters::default()
    };
    assert_eq!(found, expected);
    let cases = [
        ("200", "-1", "line 1: expected maxIteration, a number of iterations, found `-1`"),
        ("1.0E-30", "0", "line 2: expected epsilonStar, a number from 1e-300 to 1, found `0`"),
        (
            "1.0E-30",
            "1e-400",
            "line 2: expected epsilonStar, a number from 1e-300 to 1, found `1e-400`",
        ),
        ("1.0E4", "lambda", "line 3: expected lambdaStar, a positive number, found `lambda`"),
        ("2.0", "1.0", "line 4: expected omegaStar, a number above 1, found `1.0`"),
        (
            "\n1.0E5",
            "\n-1.0E5",
            "line 6: expected upperBound, a number above lowerBound, found `-1.0E5`",
        ),
        ("0.1", "1", "line 7: expected betaStar, from 0 to below 1, found `1`"),
        ("0.3", "0.01", "line 8: expected betaBar, from betaStar to below 1, found `0.01`"),
        ("0.9", "1", "line 9: expected gammaStar, above 0 and below 1, found `1`"),
        ("1d-30", "inf", "line 10: expected a finite number, found `inf`"),
    ];
    for (old, new, expected) in cases {
        let error = read_parameters(PARAMETERS.replacen(old, new, 1).as_bytes()).unwrap_err();
        assert_eq!(error.to_string(), expected);
    }
    let error = read_parameters(&b"10\n1e-7\n"[..]).unwrap_err().to_string();
    assert_eq!(error, "line 3: expected lambdaStar, a positive number, found the end of the file");
}

/// Whatever stands in the place of any byte.
#[test]
fn no_input_panics() {
    for text in [SPARSE, DENSE, PARAMETERS] {
        for at in 0..text.len() {
            for byte in *b"\0-9.e,\n\xff" {
                let mut bytes = text.as_bytes().to_vec();
                bytes[at] = byte;
                let _ =
                    (read_sparse(&bytes[..]), read_dense(&bytes[..]), read_parameters(&bytes[..]));
                let _ = (read_sparse(&bytes[..at]), read_dense(&bytes[..at]));
            }
        }
    }
}
