//! Dense matrices of numbers with any number of bits.

use nonius::files;
use nonius::num::Fixed;
use nonius::num::mp::Bits;
use nonius::{Matrix, Mp};
use serde_json::Value;

use super::{Folder, data, nonius};

const PRECISIONS: [u32; 5] = [64, 106, 424, 1000, 4096];

fn read(folder: &Folder, name: &str, bits: u32) -> Matrix<Mp> {
    let bits = Bits::new(bits).unwrap();
    let path = folder.path(name);
    files::read::<Mp>(bits, path.as_ref()).unwrap().into_dense().unwrap()
}

/// The JSON report of a verb with a matrix.
fn report(bits: u32, arguments: &[&str]) -> Value {
    let precision = format!("mp{bits}");
    let flags = ["--device", "cpu", "--json", "--precision", &precision];
    let report = nonius(arguments.iter().copied().chain(flags)).json();
    assert_eq!((&report["precision"], &report["device"]), (&precision.into(), &"cpu".into()));
    report
}

/// The JSON report of a verb with a matrix as it is printed: a [`Value`] has no numbers below the
/// range of `f64`.
fn text(bits: u32, arguments: &[&str]) -> String {
    let precision = format!("mp{bits}");
    let flags = ["--device", "cpu", "--json", "--precision", &precision];
    nonius(arguments.iter().copied().chain(flags)).success()
}

/// The logarithm to the base ten of a figure, from its text.
fn logarithm(report: &str, figure: &str) -> f64 {
    let member = format!("\"{figure}\": ");
    let start = report.find(&member).unwrap_or_else(|| panic!("no {figure} in {report}"));
    let number = report[start + member.len()..].split([',', '\n']).next().unwrap();
    let (significand, exponent) = number.split_once('e').unwrap_or((number, "0"));
    significand.parse::<f64>().unwrap().log10() + exponent.parse::<f64>().unwrap()
}

/// Whether numbers differ by no more than `units·2^-bits` times the second.
fn is_near(x: Mp, y: Mp, units: f64, bits: u32) -> bool {
    (x - y).abs() <= (y.abs() * Mp::from_f64(Bits::FEWEST, units)).ldexp(-(bits as i32))
}

fn number(bits: u32, x: f64) -> Mp {
    Mp::from_f64(Bits::new(bits).unwrap(), x)
}

#[test]
fn systems() {
    for bits in PRECISIONS {
        let report = report(bits, &["solve", &data("hilbert20.mtx")]);
        let digits = report["correct_digits"].as_f64().unwrap();
        if bits < 100 {
            // The condition number is 2.5e28: 19 digits are too few.
            assert!(digits < 1.0, "{report}");
            continue;
        }
        // The residual is computed in higher precision: of the digits no more than the condition is
        // lost.
        let all = f64::from(bits) * 2.0_f64.log10();
        assert!(digits > all - 31.0 && digits <= all, "{bits}: {report}");
        let error = report["max_error"].as_f64().unwrap();
        assert!(error <= 10.0_f64.powf(-digits), "{bits}: {report}");
    }
}

#[test]
fn rectangular_systems() {
    for bits in PRECISIONS {
        let folder = Folder::new();
        let out = folder.path("x.mtx");
        // The line nearest to (0, 1), (1, 1), (2, 4) is 1/2 + 3/2·t.
        let a = folder.matrix("a.mtx", &[&["1", "0"], &["1", "1"], &["1", "2"]]);
        let b = folder.matrix("b.mtx", &[&["1"], &["1"], &["4"]]);
        let found = report(bits, &["solve", &a, &b, "-o", &out]);
        assert_eq!(found["method"], "qr");
        let x = read(&folder, "x.mtx", bits);
        assert!(is_near(x.at(0, 0), number(bits, 0.5), 100.0, bits), "{bits}");
        assert!(is_near(x.at(1, 0), number(bits, 1.5), 100.0, bits), "{bits}");
        // √(3/2): the norm is rounded to `f64`, and so is the root here.
        let norm = found["residual_norm"].as_f64().unwrap();
        assert!((norm - 1.5_f64.sqrt()).abs() <= 4.0 * f64::UNIT_ROUNDOFF, "{bits}: {norm}");
    }
}

#[test]
fn inverses_and_determinants() {
    for bits in PRECISIONS {
        let folder = Folder::new();
        let out = folder.path("x.mtx");
        let a = folder.matrix("a.mtx", &[&["0", "3"], &["7", "0"]]);
        report(bits, &["inverse", &a, "-o", &out]);
        let x = read(&folder, "x.mtx", bits);
        let one = number(bits, 1.0);
        assert!(is_near(x.at(0, 1), one / number(bits, 7.0), 4.0, bits), "{bits}");
        assert!(is_near(x.at(1, 0), one / number(bits, 3.0), 4.0, bits), "{bits}");
        let found = report(bits, &["determinant", &a]);
        assert_eq!((&found["determinant"], &found["sign"]), (&"-21".into(), &(-1).into()));
        // Beyond the range of f64.
        let large = folder.matrix("large.mtx", &[&["1e300", "0"], &["0", "1e300"]]);
        let found = report(bits, &["determinant", &large]);
        let text = found["determinant"].as_str().unwrap();
        let expected = Mp::from_decimal(Bits::new(bits).unwrap(), b"1e600").unwrap();
        let value = Mp::from_decimal(Bits::new(bits).unwrap(), text.as_bytes()).unwrap();
        assert!(is_near(value, expected, 4.0, bits), "{bits}: {text}");
    }
}

#[test]
fn eigenvalues_and_singular_values() {
    for bits in PRECISIONS {
        let folder = Folder::new();
        let [values, left, right] = ["values.mtx", "u.mtx", "v.mtx"].map(|name| folder.path(name));
        let rows: [&[&str]; 3] = [&["2", "-1", "0"], &["-1", "2", "-1"], &["0", "-1", "2"]];
        let a = folder.matrix("a.mtx", &rows);
        let two = number(bits, 2.0);
        let root = two.sqrt();
        let expected = [two - root, two, two + root];
        let found = text(bits, &["eigen", &a, "-o", &values, "--vectors", &right]);
        for (i, &x) in expected.iter().enumerate() {
            assert!(is_near(read(&folder, "values.mtx", bits).at(i, 0), x, 100.0, bits), "{bits}");
        }
        // The middle vector is (1, 0, −1)/√2, of either sign.
        let middle = read(&folder, "v.mtx", bits).at(0, 1).abs();
        assert!(is_near(middle, root.ldexp(-1), 100.0, bits), "{bits}");
        for figure in ["relative_residual", "orthogonality"] {
            // At most 100 units of 2^-bits.
            let bound = 2.0 - f64::from(bits) * 2.0_f64.log10();
            assert!(logarithm(&found, figure) <= bound, "{bits}: {found}");
        }

        let found = report(bits, &["svd", &a, "-o", &values, "--left", &left, "--right", &right]);
        for (i, &x) in expected.iter().rev().enumerate() {
            assert!(is_near(read(&folder, "values.mtx", bits).at(i, 0), x, 100.0, bits), "{bits}");
        }
        assert_eq!(found["rank"], 3);
        let condition = (expected[2] / expected[0]).to_f64();
        // Both are rounded to `f64`, and so is their quotient.
        let quotient = found["condition"].as_f64().unwrap() / condition;
        assert!((quotient - 1.0).abs() <= 4.0 * f64::UNIT_ROUNDOFF, "{bits}: {found}");
    }
}

/// Figures whose exponents leave the range of `f64` are written as they are.
#[test]
fn small_residuals_are_no_zeros() {
    let a = data("hilbert20.mtx");
    let precision = ["--precision", "mp4096", "--device", "cpu"];
    let summary = nonius(["solve", &a].into_iter().chain(precision)).success();
    let residual = summary.lines().find(|line| line.starts_with("relative residual")).unwrap();
    assert!(residual.contains("e-123"), "{summary}");
    assert!(summary.contains("mp4096: 4096 bits, 1233 digits"), "{summary}");
    let json = nonius(["solve", &a, "--json"].into_iter().chain(precision)).success();
    let residual = json.lines().find(|line| line.contains("relative_residual")).unwrap();
    assert!(residual.contains("e-123"), "{json}");
}

#[test]
fn wrong_bits_are_refused() {
    for command in ["solve", "inverse", "determinant", "eigen", "svd"] {
        let ran = nonius([command, &data("hilbert20.mtx"), "--precision", "mp5000"]);
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("bits from 64 to 4096"), "{}", ran.err);
    }
}
