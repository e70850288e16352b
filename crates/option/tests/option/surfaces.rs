//! Books whose volatilities are in files.

use std::fs;
use std::path::{Path, PathBuf};

use nonius_option::book::{Column, Problem, Row, read};
use nonius_option::{Contract, Exercise, Kind, Surface, Terms, Volatility};

use super::common::{assert_near, priced};

const MARKET: [f64; 3] = [0.05, 0.02, 0.2];

/// A folder with files of volatilities, of one test.
fn folder(name: &str, files: &[(&str, &str)]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).unwrap();
    for (file, text) in files {
        fs::write(folder.join(file), text).unwrap();
    }
    folder
}

/// Rows of an American put and a European call on 100, strike 105, with these volatilities.
fn book(folder: &Path, volatilities: &[&str]) -> Vec<Row<Contract<f64>>> {
    let mut text = "type,exercise,spot,strike,rate,dividend,volatility,maturity\n".to_string();
    for volatility in volatilities {
        text += &format!("put,american,100,105,0.05,0.02,{volatility},1\n");
        text += &format!("call,,100,105,0.05,0.02,{volatility},1\n");
    }
    read((), text.as_bytes(), folder).unwrap()
}

fn contracts(volatility: &Volatility<f64>) -> [Contract<f64>; 2] {
    let of = |kind| Contract {
        volatility: volatility.clone(),
        ..Contract::european(kind, 100.0, 105.0, 1.0, MARKET)
    };
    [Contract { exercise: Exercise::American, ..of(Kind::Put) }, of(Kind::Call)]
}

#[test]
fn a_flat_surface_is_a_constant() {
    let flat = "time,50,100,200\n0,0.2,0.2,0.2\n\n0.5,0.2,0.2,0.2\n";
    let folder = folder("flat", &[("flat.csv", flat)]);
    let rows = book(&folder, &["surface:flat.csv", "0.2"]);
    let tolerance = 1e-6;
    let prices: Vec<f64> =
        rows.into_iter().map(|row| priced(&row.found.unwrap(), tolerance).value).collect();
    assert_near(prices[0], prices[2], 2.0 * tolerance, "put");
    assert_near(prices[1], prices[3], 2.0 * tolerance, "call");
}

#[test]
fn a_surface_of_a_file_is_that_of_its_numbers() {
    let text = "\u{feff},80, 100 ,120\r\n0.25,0.26,0.21,0.19\r\n1,0.25,0.22,0.2\r\n";
    let folder = folder("skewed", &[("a skew.csv", text)]);
    let values = vec![0.26, 0.21, 0.19, 0.25, 0.22, 0.2];
    let surface = Surface::new(vec![80.0, 100.0, 120.0], vec![0.25, 1.0], values).unwrap();
    let expected = contracts(&Volatility::Local(surface));
    let absolute = format!("surface:{}", folder.join("a skew.csv").display());
    let found = book(&folder, &["Surface: a skew.csv", &absolute]);
    for (row, expected) in found.iter().zip(expected.iter().chain(&expected)) {
        assert_eq!(row.found.as_ref().unwrap(), expected);
    }
    let [_, call] = &expected;
    let plain = Contract { volatility: Volatility::Terms(Terms::constant(0.2)), ..call.clone() };
    assert!(priced(call, 1e-5).value > priced(&plain, 1e-5).value + 0.1);
}

#[test]
fn errors_name_the_file_and_its_row() {
    let cases = [
        ("empty", "", "row 1: expected prices of the underlying behind a first cell"),
        ("lonely", "time\n1\n", "row 1: expected prices"),
        ("timeless", "time,80,100\n", "row 1: expected prices"),
        ("ragged", "time,80,100\n\n0.5,0.2\n", "row 3: 2 cells where there are 3 columns"),
        ("word", "time,80,100\n0.5,0.2,x\n", "row 2: x is not a number"),
        ("hole", "time,80,100\n0.5,,0.2\n", "row 2: the cell is empty"),
        ("price", "time,80,1oo\n0.5,0.2,0.2\n", "row 1: 1oo is not a number"),
        ("prices", "time,100,80\n0.5,0.2,0.2\n", "row 1: 80 is not a price, finite and above"),
        ("endless", "time,100,inf\n0.5,0.2,0.2\n", "row 1: inf is not a price, finite and above"),
        ("times", "time,80\n0.5,0.2\n0.5,0.2\n", "row 3: 0.5 is not a time, finite and above"),
        ("never", "time,80\nnan,0.2\n", "row 2: nan is not a time, finite and above"),
    ];
    let folder = folder("broken", &cases.map(|(name, text, _)| (name, text)));
    for (name, _, message) in cases {
        for row in book(&folder, &[&format!("surface:{name}")]) {
            let found = row.found.unwrap_err();
            assert_eq!((found.row, found.column), (row.line, Some(Column::Volatility)), "{name}");
            let message = format!("{}, {message}", folder.join(name).display());
            assert!(found.to_string().contains(&message), "{found}");
        }
    }
    let problem = |volatility| book(&folder, &[volatility]).remove(0).found.unwrap_err();
    assert!(matches!(problem("surface:none.csv").problem, Problem::File { .. }));
    let message = problem("surface:none.csv").to_string();
    assert!(message.contains("none.csv cannot be read: entity not found"), "{message}");
    assert!(matches!(problem("surface:.").problem, Problem::File { .. }));
    let message = problem("surface: ").to_string();
    assert!(message.contains("surface: is not a file of volatilities such as"), "{message}");
    fs::write(folder.join("negative"), "time,80\n0.5,-0.2\n").unwrap();
    let message = problem("surface:negative").to_string();
    assert!(message.contains("column volatility: the volatility is -0.2"), "{message}");
}
