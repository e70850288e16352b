//! `nonius option`

use std::fs;

use crate::{Folder, gzip, nonius, nonius_with_input};

pub(crate) const BOOK: &str = "\
type,exercise,spot,strike,rate,dividend,volatility,maturity,barrier,rebate,dividends
call,,100,100,0.05,,0.2,1,,,
put,american,100,100,0.05,,0.2,1,,,
call,,100,100,0.05,,0.2,1,down-out:90,0,
call,,100,100,0.05,,0.2,1,,,0.5:2.0;0.75:1%
";

/// The first three contracts of the book with their prices, the first of which is exact.
pub(crate) const QUOTES: &str = "\
type,exercise,spot,strike,rate,maturity,price
call,,100,100,0.05,1,10.450583572185565
put,american,100,100,0.05,1,6.09037
";

/// The relative tolerance of prices that the program takes by default.
const DEFAULT: f64 = 1e-6;

/// Exact prices of the first three rows. They come from Black and Scholes, from an engine for
/// American options that is good to 1e-9, and from the closed form of barriers.
const PRICES: [(usize, f64); 3] =
    [(1, 10.450583572185565), (2, 6.09037059096564), (3, 8.665471658245675)];

/// The cells of a written file, row by row.
fn cells(text: &str) -> Vec<Vec<String>> {
    text.lines().map(|line| line.split(',').map(String::from).collect()).collect()
}

#[test]
fn prices_of_a_book() {
    let folder = Folder::new();
    let book = folder.file("book.csv", BOOK);
    let out = folder.path("prices.csv");
    let summary = nonius(["option", "price", &book, "-o", &out, "--sensitivities"]).success();
    assert!(summary.contains("4 contracts, 4 priced"), "{summary}");
    let rows = cells(&fs::read_to_string(&out).unwrap());
    assert_eq!(rows.len(), 5);
    assert_eq!(&rows[0][..7], ["row", "price", "delta", "gamma", "theta", "vega", "rho"]);
    let number = |row: usize, column: usize| rows[row][column].parse::<f64>().unwrap();
    for (row, exact) in PRICES {
        assert!((number(row, 1) / exact - 1.0).abs() < DEFAULT, "{}", rows[row][1]);
    }
    let greeks = [
        0.636830651175619,
        0.018762017345847,
        -6.414027546438198,
        37.524_034_691_693_79,
        53.232_481_545_376_34,
    ];
    // Sensitivities have one digit less than prices.
    for (column, exact) in (2..).zip(greeks) {
        assert!(
            (number(1, column) / exact - 1.0).abs() < 10.0 * DEFAULT,
            "{column}: {}",
            rows[1][column]
        );
    }
    assert_eq!(rows[1][8], "true");

    // Without a file the prices are what is printed, and in JSON they are in the object.
    let ran = nonius(["option", "price", &book, "--grid", "200x100"]);
    let rows = cells(&ran.out);
    assert!(ran.code == 0 && rows.len() == 5 && rows[1][9] == "200x100", "{}", ran.out);
    assert!(ran.err.contains("4 priced"), "{}", ran.err);
    let tolerance = 1e-4;
    let asked = tolerance.to_string();
    let report =
        nonius(["option", "price", &book, "--tolerance", &asked, "--precision", "dd", "--json"])
            .json();
    assert!(report["priced"] == 4 && report["precision"] == "dd", "{report}");
    let price = report["prices"][0]["price"].as_f64().unwrap();
    assert!((price / PRICES[0].1 - 1.0).abs() < tolerance, "{price}");
}

#[test]
fn rows_with_errors_do_not_stop_others() {
    let folder = Folder::new();
    let book = folder.file(
        "book.csv",
        &format!("{BOOK}call,,100,x,0.05,,0.2,1,,,\nput,,100,90,0.05,,0.2,0.5,,,\n"),
    );
    let out = folder.path("prices.csv");
    let ran = nonius(["option", "price", &book, "-o", &out]);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("1 of 6 contracts have no price"), "{}", ran.err);
    assert!(ran.err.contains("row 6, column strike: x is not a number"), "{}", ran.err);
    let rows = cells(&fs::read_to_string(&out).unwrap());
    assert!(rows[5][1].is_empty() && rows[5][0] == "6", "{rows:?}");
    assert!(rows[6][1].parse::<f64>().unwrap() > 0.0);
    let ran = nonius(["option", "price", &book, "--json"]);
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert!(ran.code == 1 && report["priced"] == 5, "{report}");
    assert!(report["prices"][4]["message"].as_str().unwrap().contains("column strike"));
}

/// All bad rows are named with their lines, and so are prices that miss the tolerance.
#[test]
fn bad_rows_are_named() {
    let folder = Folder::new();
    let text = "type,spot,strike,rate,volatility,maturity\n\
        call,100,100,0.05,0.2,1\ncall,100,x,0.05,0.2,1\n\ncall,100,100,0.05,-1,1\n";
    let book = folder.file("book.csv", text);
    let ran = nonius(["option", "price", &book, "--tolerance", "1e-13", "-q"]);
    let expected = format!(
        "nonius: {book}: 2 of 3 contracts have no price: row 3, column strike: x is not a number; \
         row 5, column volatility: the volatility is -1 where a positive finite number is needed; \
         1 of 1 prices are not within the tolerance: row 2\n"
    );
    assert_eq!((ran.code, ran.err), (1, expected));
    let rows = cells(&ran.out);
    let price: f64 = rows[1][1].parse().unwrap();
    assert!((price / PRICES[0].1 - 1.0).abs() < 1e-9 && rows[1][8] == "false", "{rows:?}");
}

#[test]
fn implied_volatilities() {
    let folder = Folder::new();
    let text = format!("{QUOTES}put,american,80,100,0.05,1,20\ncall,,100,100,0.05,1,dear\n");
    let (good, all) = (folder.file("good.csv", QUOTES), folder.file("all.csv", &text));
    let out = folder.path("volatilities.csv");
    let summary = nonius(["option", "implied", &good, "-o", &out]).success();
    assert!(summary.contains("good.csv: 2 quotes, 2 volatilities"), "{summary}");
    let rows = cells(&fs::read_to_string(&out).unwrap());
    assert_eq!(rows[0], ["row", "volatility", "error", "converged", "grid", "message"]);
    let check = |rows: &[Vec<String>]| {
        for (row, line) in rows[1..=2].iter().zip(["2", "3"]) {
            assert_eq!((row[0].as_str(), row[3].as_str()), (line, "true"), "{row:?}");
            let [volatility, error] = [1, 2].map(|column| row[column].parse::<f64>().unwrap());
            // The second price has six digits, of 37 that it changes by with a volatility of 1.
            assert!((volatility - 0.2).abs() <= error + 1e-7 && error <= 1e-4 * volatility);
        }
    };
    check(&rows);

    let ran = nonius(["option", "implied", &all]);
    let message = "all.csv: 2 of 4 quotes have no volatility: row 4: no volatility explains the \
        price 20: without arbitrage it is above 20 and below 100; \
        row 5, column price: dear is not a number\n";
    assert!(ran.code == 1 && ran.err.ends_with(message), "{}", ran.err);
    let rows = cells(&ran.out);
    check(&rows);
    assert!(rows[3][1].is_empty() && rows[4][1].is_empty() && rows.len() == 5, "{rows:?}");
    let ran = nonius(["option", "implied", &all, "--json", "--tolerance", "1e-5"]);
    let report: serde_json::Value = serde_json::from_str(&ran.out).unwrap();
    assert!(ran.code == 1 && report["found"] == 2 && report["quotes"] == 4, "{report}");
    let first = &report["volatilities"][0];
    let [volatility, error] =
        ["volatility", "error_estimate"].map(|name| first[name].as_f64().unwrap());
    assert!((volatility - 0.2).abs() <= error && error <= 1e-5 * volatility, "{report}");
    assert!(report["volatilities"][2]["message"].as_str().unwrap().contains("row 4: no vol"));

    let more = ["--precision", "dd", "--tolerance", "1e-9", "-q"];
    let alone = folder.file("alone.csv", &QUOTES[..QUOTES.find("put").unwrap()]);
    let found = nonius(["option", "implied", &alone].into_iter().chain(more)).success();
    let volatility: f64 = cells(&found)[1][1].parse().unwrap();
    assert!((volatility - 0.2).abs() <= 2e-10, "{found}");
    let message = nonius(["option", "implied", &folder.file("book.csv", BOOK)]).failure(2);
    assert!(message.contains("the column price is missing"), "{message}");
}

/// A row's number is its line, with empty lines between.
#[test]
fn rows_are_named_by_their_lines() {
    let folder = Folder::new();
    let book = folder.file("book.csv", &BOOK.replacen("\nput", "\n\n\nput", 1));
    let ran = nonius(["option", "price", &book, "--grid", "64x32"]);
    let rows: Vec<String> = cells(&ran.out).iter().map(|row| row[0].clone()).collect();
    assert_eq!(rows, ["row", "2", "5", "6", "7"]);
    let book = folder.file("broken.csv", &BOOK.replacen("\nput", "\n\n\nputt", 1));
    let ran = nonius(["option", "price", &book, "--grid", "64x32"]);
    assert!(ran.code == 1 && ran.err.contains("row 5, column type: putt is not"), "{}", ran.err);

    let out = folder.path("put.svg");
    let plot = |row| {
        nonius([
            "option", "plot", &book, "--row", row, "-o", &out, "--points", "2", "--grid", "64x32",
        ])
    };
    assert!(plot("5").failure(2).contains("row 5, column type"));
    assert!(plot("4").failure(2).contains("expected a line on which a row begins, up to 7, not 4"));
    plot("6").success();
}

/// Files of volatilities are found beside the book, or in the current folder where it comes by
/// standard input.
#[test]
fn volatilities_from_files() {
    let folder = Folder::new();
    folder.file("flat.csv", "time,50,200\n0,0.2,0.2\n1,0.2,0.2\n");
    let surfaces = BOOK.replace(",0.2,", ",surface:flat.csv,");
    let book = folder.file("book.csv", &surfaces);
    let rows = cells(&nonius(["option", "price", &book]).success());
    for (row, exact) in PRICES {
        let price: f64 = rows[row][1].parse().unwrap();
        // The price by a surface and the exact one may differ by the tolerance of both grids.
        assert!((price / exact - 1.0).abs() < 2.0 * DEFAULT, "{price}");
    }
    let ran = nonius_with_input(["option", "price", "-"], fs::File::open(&book).unwrap());
    let message = "row 2, column volatility: flat.csv cannot be read: no such file";
    assert!(ran.code == 1 && ran.err.contains(message), "{}", ran.err);
    let text = BOOK.replace(",0.2,", ",surface:../../data/surface.csv,");
    let book = folder.file("data.csv", &text);
    let arguments = ["option", "price", "-", "--tolerance", "1e-4"];
    nonius_with_input(arguments, fs::File::open(&book).unwrap()).success();
    let rows = cells(&nonius(["option", "price", "../../data/local.csv"]).success());
    assert_eq!(rows.len(), 5);
    // Both files may be compressed.
    for name in ["book.csv", "flat.csv"] {
        let packed = gzip(&fs::read(folder.path(name)).unwrap());
        fs::write(folder.path(&format!("{name}.gz")), packed).unwrap();
    }
    let prices = |book: &str| nonius(["option", "price", book]).success();
    let book = folder.path("book.csv");
    assert_eq!(prices(&format!("{book}.gz")), prices(&book));
    folder.file("flat.csv", "time,50,200\n0,0.2\n");
    let report = nonius(["option", "price", &folder.path("book.csv"), "--json"]).out;
    assert!(report.contains("flat.csv, row 2: 2 cells where there are 3 columns"), "{report}");
}

/// An American put is exercised below the strike: at less the longer it has to go, but for the
/// distance of nodes.
#[test]
fn boundaries_of_exercise() {
    let folder = Folder::new();
    let book = folder.file("book.csv", BOOK);
    let (out, boundary) = (folder.path("prices.csv"), folder.path("boundary.csv"));
    let price = |output: &str, boundary: &str, more: &[&str]| {
        let fixed = ["option", "price", &book, "-o", output, "--boundary", boundary];
        nonius(fixed.iter().chain(more))
    };
    price(&out, &boundary, &[]).success();
    let rows = cells(&fs::read_to_string(&boundary).unwrap());
    assert_eq!(rows[0], ["row", "time", "spot"]);
    let points: Vec<[f64; 3]> =
        rows[1..].iter().map(|row| [0, 1, 2].map(|column| row[column].parse().unwrap())).collect();
    // The one American contract.
    assert!(points.len() > 100 && points.iter().all(|&[row, ..]| row == 3.0));
    for pair in points.windows(2) {
        assert!(pair[1][1] < pair[0][1] && pair[1][2] <= pair[0][2] + 0.2, "{pair:?}");
    }
    let (first, last) = (points[0], points[points.len() - 1]);
    assert!(first[1] < 1.0 && first[2] > 95.0 && first[2] <= 100.0, "{first:?}");
    assert!(last[1] == 0.0 && (last[2] - 80.88).abs() < 0.2, "{last:?}");

    let prices = fs::read_to_string(&out).unwrap();
    nonius(["option", "price", &book, "-o", &out]).success();
    assert_eq!(fs::read_to_string(&out).unwrap(), prices);
    fs::remove_file(&boundary).unwrap();
    let arguments = ["option", "price", &book, "--json", "--boundary", &boundary];
    assert_eq!(nonius(arguments).json()["priced"], 4);
    assert_eq!(cells(&fs::read_to_string(&boundary).unwrap()), rows);

    let same = folder.path("./prices.csv");
    for other in [&out, &same] {
        let message = price(&out, other, &[]).failure(2);
        assert!(message.contains("--output and --boundary are the same file, "), "{message}");
    }
    let new = folder.path("new.csv");
    assert_eq!(price(&new, &folder.path("./new.csv"), &["--json"]).code, 2);
    assert_eq!(cells(&price(&out, "-", &["-q"]).success()), rows);
    let message = price(&out, &folder.path("no/where.csv"), &[]).failure(2);
    assert!(message.contains("cannot be created"), "{message}");
    assert_eq!(folder.names(), ["book.csv", "boundary.csv", "prices.csv"]);
}

#[test]
fn pictures() {
    let folder = Folder::new();
    let book = folder.file("book.csv", BOOK);
    let out = folder.path("put.svg");
    let arguments = [
        "option",
        "plot",
        &book,
        "--row",
        "3",
        "-o",
        &out,
        "--points",
        "21",
        "--tolerance",
        "1e-4",
    ];
    nonius(arguments).success();
    let picture = fs::read_to_string(&out).unwrap();
    assert!(picture.starts_with("<svg ") && picture.ends_with("</svg>\n"));
    for name in [
        "price",
        "delta",
        "gamma",
        "theta, per year",
        "vega, per 1 (100 %)",
        "rho, per 1 (100 %)",
        "price of the underlying",
        "row 3",
    ] {
        assert!(picture.contains(name), "{name}");
    }
    let message = nonius(["option", "plot", &book, "--row", "9", "-o", &out]).failure(2);
    assert!(message.contains("expected a line on which a row begins, up to 5, not 9"), "{message}");
    let message =
        nonius(["option", "plot", &book, "--from", "120", "--to", "80", "-o", &out]).failure(2);
    assert!(message.contains("--from"), "{message}");
}

#[test]
fn what_is_refused() {
    let folder = Folder::new();
    let message = nonius(["option", "price", &folder.path("none.csv")]).failure(2);
    assert!(message.contains("cannot be opened"), "{message}");
    let book = folder.file("book.csv", "type,spot\ncall,100\n");
    let message = nonius(["option", "price", &book]).failure(2);
    assert!(message.contains("book.csv: ") && message.contains("strike"), "{message}");
    let book = folder.file("empty.csv", "");
    assert!(nonius(["option", "price", &book]).failure(2).contains("empty.csv"));
    for (flag, value, expected) in [
        ("--grid", "1000", "1000x500"),
        ("--grid", "8x1", "16x2"),
        ("--tolerance", "0", "between 0 and 1"),
        ("--precision", "mp63", "mp63"),
    ] {
        let book = folder.file("book.csv", BOOK);
        let ran = nonius(["option", "price", &book, flag, value]);
        assert!(ran.code == 2 && ran.err.contains(expected), "{}", ran.err);
    }
}

/// On one grid prices of any bits agree with those of `qd` to the roundings of these.
#[test]
fn prices_of_any_bits() {
    let folder = Folder::new();
    let book = folder.file("book.csv", BOOK);
    let prices = |precision: &str| {
        let out = folder.path(&format!("{precision}.csv"));
        let words = ["option", "price", &book, "--grid", "48x24", "--precision", precision];
        nonius(words.into_iter().chain(["-o", &out, "-q"])).success();
        cells(&fs::read_to_string(&out).unwrap())
    };
    let (qd, mp) = (prices("qd"), prices("mp424"));
    assert_eq!((qd.len(), mp.len()), (5, 5));
    for (qd, mp) in qd.iter().zip(&mp).skip(1) {
        // 424 bits are 127 digits, of which the shortest text may lack one.
        assert!(mp[1].len() >= 126, "{}", mp[1]);
        assert_eq!(qd[1][..56], mp[1][..56]);
    }
    let report =
        nonius(["option", "price", &book, "--precision", "mp106", "--json", "--grid", "48x24"]);
    assert_eq!(report.json()["precision"], "mp106");
}
