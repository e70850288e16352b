//! Files that commands read.

use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

/// The order of matrices: some tiles, the last ones cut.
const N: usize = 150;

/// A dense matrix in the format of Matrix Market.
fn array(rows: usize, cols: usize, entry: impl Fn(usize, usize) -> f64) -> String {
    let mut text = format!("%%MatrixMarket matrix array real general\n{rows} {cols}\n");
    for j in 0..cols {
        (0..rows).for_each(|i| writeln!(text, "{}", entry(i, j)).unwrap());
    }
    text
}

/// The matrix `[-1 d -1]` of order `n`.
fn chain(n: usize, diagonal: f64) -> String {
    let head = "%%MatrixMarket matrix coordinate real symmetric";
    let mut text = format!("{head}\n{n} {n} {}\n", 2 * n - 1);
    (1..=n).for_each(|i| writeln!(text, "{i} {i} {diagonal}").unwrap());
    (1..n).for_each(|i| writeln!(text, "{} {i} -1", i + 1).unwrap());
    text
}

/// The least `Σ xᵢ·i` where the symmetric matrices `[xᵢ 1; 1 xᵢ₊₁]` of a chain of blocks are
/// positive semidefinite.
fn program() -> String {
    let constraints = 5;
    let blocks = constraints - 1;
    let sizes = vec!["2"; blocks].join(" ");
    let costs: Vec<String> = (1..=constraints).map(|i| i.to_string()).collect();
    let mut text = format!("{constraints}\n{blocks}\n{sizes}\n{}\n", costs.join(" "));
    for block in 1..=blocks {
        writeln!(text, "0 {block} 1 2 -1\n{block} {block} 1 1 1").unwrap();
        writeln!(text, "{} {block} 2 2 1", block + 1).unwrap();
    }
    // Entries by matrix.
    let (head, entries) = text.split_at(text.match_indices('\n').nth(3).unwrap().0 + 1);
    let mut entries: Vec<&str> = entries.lines().collect();
    entries.sort_by_key(|line| line.split(' ').next().unwrap().parse::<usize>().unwrap());
    format!("{head}{}\n", entries.join("\n"))
}

fn book() -> String {
    let mut text = "type,exercise,spot,strike,rate,dividend,volatility,maturity\n".to_string();
    for i in 0..13 {
        let exercise = if i % 3 == 0 { "american" } else { "european" };
        writeln!(text, "put,{exercise},100,{},0.05,0.01,0.2,{}", 85 + 2 * i, 1 + i % 2).unwrap();
    }
    text
}

/// Puts in the money, with prices from 3 to 27 above what exercise pays.
fn quotes() -> String {
    let mut text = "type,exercise,spot,strike,rate,price,maturity\n".to_string();
    for i in 0..13 {
        let exercise = if i % 3 == 0 { "american" } else { "european" };
        writeln!(text, "put,{exercise},100,{},0.02,{},1", 100 + i, 3 + 3 * i).unwrap();
    }
    text
}

pub(crate) fn write_inputs(folder: &Path) {
    let pattern = |i: usize, j: usize| ((7 * i + 5 * j + i * j) % 13) as f64 - 6.0;
    let general = |i, j| pattern(i, j) / 7.0 + if i == j { 40.0 } else { 0.0 };
    let symmetric =
        |i: usize, j: usize| pattern(i.max(j), i.min(j)) / 7.0 + if i == j { 900.0 } else { 0.0 };
    for (name, text) in [
        ("a.mtx", array(N, N, general)),
        ("s.mtx", array(N, N, symmetric)),
        ("b.mtx", array(N, 3, |i, j| pattern(j, i))),
        ("singular.mtx", array(N, N, |i, _| i as f64)),
        ("long.mtx", chain(9000, 2.5)),
        ("program.dat-s", program()),
        ("book.csv", book()),
        ("quotes.csv", quotes()),
    ] {
        fs::write(folder.join(name), text).unwrap();
    }
    let mut generate = Command::new(super::NONIUS);
    let generate = generate.args(["fem", "generate", "bar", "--elements", "24", "3", "3"]);
    let status = generate.args(["-o", "bar.inp", "--quiet"]).current_dir(folder).status().unwrap();
    assert!(status.success());
}
