use std::fs;
use std::fs::File;

use nonius::num::Decimal;
use nonius::{Dd, Qd};

use crate::{Folder, data, nonius, nonius_with_input};

/// The values of an array file.
fn values(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with('%')).skip(1).collect()
}

#[test]
fn a_tenth_at_each_precision() {
    let folder = Folder::new();
    let tenth = folder.matrix("tenth.mtx", &[&["0.1"]]);
    for precision in ["f64", "dd", "td", "qd"] {
        let out = nonius(["convert", &tenth, "--precision", precision]).success();
        // The shortest text that reads back as the number nearest to 1/10 is 1/10 itself.
        let value = values(&out)[0].parse::<f64>().unwrap();
        assert_eq!(value, 0.1);
        assert!(values(&out)[0].len() < 8, "{out}");
    }
    let third = folder.matrix("third.mtx", &[&[&format!("0.{}", "3".repeat(100))]]);
    let digits = |precision| {
        let out = nonius(["convert", &third, "--precision", precision]).success();
        values(&out)[0].bytes().filter(|&b| b == b'3').count()
    };
    assert!(digits("f64") >= 15 && digits("f64") <= 17);
    assert!(digits("dd") >= 31 && digits("dd") <= 34);
    assert!(digits("td") >= 46 && digits("td") <= 50);
    assert!(digits("qd") >= 62 && digits("qd") <= 66);
}

#[test]
fn precision_survives() {
    let folder = Folder::new();
    let text =
        "2.71828182845904523536028747135266249775724709369995957496696762772407663035354759457138";
    let a = folder.matrix("a.mtx", &[&[text, "-1e-30"], &["0.1", "7"]]);
    for name in ["first.mtx", "second.mtx"] {
        nonius(["convert", &a, "--precision", "qd", "-o", &folder.path(name)]).success();
    }
    let (first, second) = (folder.read::<Qd>("first.mtx"), folder.read::<Qd>("second.mtx"));
    assert_eq!(first, second);
    assert_eq!(first[(0, 0)], Qd::from_decimal(text.as_bytes()).unwrap());
    assert_eq!(first[(1, 0)], Qd::from_decimal(b"0.1").unwrap());
    let again = folder.path("again.mtx");
    nonius(["convert", &folder.path("first.mtx"), "-o", &again]).success();
    assert_eq!(fs::read(&again).unwrap(), fs::read(folder.path("first.mtx")).unwrap());
    // To dd, the numbers of qd are rounded, not cut off.
    nonius(["convert", &a, "--precision", "dd", "-o", &again]).success();
    let low = folder.read::<Dd>("again.mtx")[(0, 0)];
    assert_eq!(low, Dd::from_decimal(text.as_bytes()).unwrap());
    assert!((first[(0, 0)] - low.convert()).abs().to_f64() <= 4.0 * Dd::UNIT_ROUNDOFF);
}

#[test]
fn formats_and_symmetries() {
    let folder = Folder::new();
    let out = |name: &str, arguments: &[&str]| {
        let input = data("nos4.mtx.xz");
        let path = folder.path(name);
        let all = ["convert", &input, "-o", &path].into_iter().chain(arguments.iter().copied());
        let summary = nonius(all).success();
        assert!(summary.contains("read "), "{summary}");
        let text = fs::read_to_string(&path).unwrap();
        (text.lines().next().unwrap().to_string(), folder.read::<Qd>(name))
    };
    let (banner, a) = out("same.mtx", &[]);
    assert_eq!(banner, "%%MatrixMarket matrix coordinate real symmetric");
    let (banner, b) = out("general.mtx", &["--symmetry", "general"]);
    assert_eq!(banner, "%%MatrixMarket matrix coordinate real general");
    let (banner, c) = out("array.mtx", &["--format", "array"]);
    assert_eq!(banner, "%%MatrixMarket matrix array real symmetric");
    assert!(a == b && b == c);
    let path = folder.path("back.mtx");
    let arguments =
        ["convert", &folder.path("general.mtx"), "--symmetry", "symmetric", "-o", &path];
    nonius(arguments).success();
    assert_eq!(fs::read(path).unwrap(), fs::read(folder.path("same.mtx")).unwrap());
}

#[test]
fn a_symmetry_that_is_not_there() {
    let folder = Folder::new();
    let a = folder.matrix("a.mtx", &[&["1", "2"], &["2.5", "4"]]);
    let path = folder.path("out.mtx");
    assert_eq!(
        nonius(["convert", &a, "--symmetry", "symmetric", "-o", &path]).failure(2),
        format!(
            "{path}: the matrix is not symmetric: the entry in row 2, column 1 contradicts its mirror image"
        )
    );
    assert_eq!(folder.names(), ["a.mtx"]);
    let b = folder.matrix("b.mtx", &[&["1", "2"]]);
    let message = nonius(["convert", &b, "--symmetry", "skew-symmetric"]).failure(2);
    assert!(message.ends_with("a matrix of 1 rows and 2 columns cannot be skew-symmetric"));
}

#[test]
fn standard_streams() {
    let folder = Folder::new();
    let text = "%%MatrixMarket matrix coordinate integer general\n2 2 3\n1 1 3\n2 1 -4\n1 1 2\n";
    let a = folder.file("a.mtx", text);
    let ran = nonius_with_input(["convert", "-", "--quiet"], File::open(a).unwrap());
    assert_eq!(ran.err, "");
    let out = ran.success();
    let lines: Vec<&str> = out.lines().filter(|line| !line.starts_with("% ")).collect();
    assert_eq!(lines[..2], ["%%MatrixMarket matrix coordinate real general", "2 2 2"]);
    // Entries listed twice are summed.
    assert!(lines[2].starts_with("1 1 5") && lines[3].starts_with("2 1 -4"));
}

#[test]
fn json() {
    let folder = Folder::new();
    let path = folder.path("out.mtx");
    let report = nonius(["convert", &data("bcsstk01.mtx.xz"), "-o", &path, "--json"]).json();
    for (key, value) in [("precision", "qd"), ("device", "cpu"), ("format", "coordinate")] {
        assert_eq!(report[key], value);
    }
    assert_eq!((&report["rows"], &report["columns"]), (&48.into(), &48.into()));
    assert!(report.get("cols").is_none());
    assert!(report["seconds"].as_f64().unwrap() > 0.0);
    assert_eq!(folder.names(), ["out.mtx"]);
}

#[test]
fn any_number_of_bits_survives() {
    let folder = Folder::new();
    let third = format!("0.{}", "3".repeat(400));
    let a = folder.matrix("a.mtx", &[&["0.1", "1e-30000"], &[&third, "-7"]]);
    let convert = |input: &str, precision: &str| {
        nonius(["convert", input, "--precision", precision]).success()
    };
    let wide = convert(&a, "mp2048");
    let (digits, _) = (wide.lines().nth(4).unwrap(), ());
    assert_eq!(digits, third);
    assert!(wide.contains("\n1e-30000\n") && wide.contains("in mp2048\n"), "{wide}");
    let narrow = convert(&a, "mp424");
    let again = folder.file("again.mtx", &narrow);
    assert_eq!(convert(&again, "mp424"), narrow);
    // ⌈1 + 424·log10 2⌉ digits at the most.
    let digits = narrow.lines().nth(4).unwrap().len() - 2;
    assert!((126..=129).contains(&digits), "{narrow}");
}
