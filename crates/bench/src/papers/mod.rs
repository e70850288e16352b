//! The tables of the papers of 2011 and 2012, as published, beside what is measured here.
//!
//! - [`qd_on_cuda`]: Sivkova, Dovgilovich, Voskoboynikova, Sofronov, Keldysh Institute preprint 76,
//!   2011, double-double and quad-double arithmetic by the QD library on three cards;
//! - [`rgemm`]: Nakata, Takao, Noda, Himeno, *A fast implementation of matrix-matrix product in
//!   double-double precision on NVIDIA C2050 and application to semidefinite programming*, 2011;
//! - [`cyclic_reduction`]: Shinkaruk, Shpolyansky, Kosyakov, 2012, batches of tridiagonal systems.
//!
//! `data/papers/*.csv` holds the published figures. Tables are printed in Markdown from records, so
//! that a page is made from raw results.

pub(crate) mod cyclic_reduction;
pub(crate) mod qd_on_cuda;
pub(crate) mod rgemm;

use std::borrow::Borrow;

use serde::de::DeserializeOwned;

/// The rows of a published table.
fn published<R: DeserializeOwned>(text: &str) -> Vec<R> {
    let rows = csv::Reader::from_reader(text.as_bytes()).into_deserialize();
    rows.collect::<Result<_, _>>().expect("a published table has its columns")
}

/// Prints a title and the heads of a Markdown table.
fn heads<S: Borrow<str>>(title: &str, columns: &[S]) {
    println!("\n**{title}**\n\n| {} |", columns.join(" | "));
    println!("|{}", "---|".repeat(columns.len()));
}

/// Prints a row of a Markdown table.
fn line(cells: &[String]) {
    println!("| {} |", cells.join(" | "));
}

/// A figure to three digits; a dash where there is none.
fn figure(x: Option<f64>) -> String {
    let Some(x) = x else { return "—".into() };
    let size = x.abs();
    if size == 0.0 || !(1e-4..1e5).contains(&size) {
        return format!("{x:.2e}");
    }
    // The power of ten that the figure rounds to: 9.996 is 10.0.
    let text = format!("{size:.2e}");
    let power: i32 = text.split_once('e').and_then(|(_, p)| p.parse().ok()).unwrap_or(0);
    let digits = usize::try_from(2 - power).unwrap_or(0);
    format!("{x:.digits$}")
}

/// The quotient of two figures.
fn quotient(x: Option<f64>, y: Option<f64>) -> Option<f64> {
    Some(x? / y?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn figures_have_three_digits() {
        let found = [0.0023, 0.0099996, 1.0, 9.996, 99.95, 1234.5, 127_000.0, 8e-7];
        let texts = found.map(|x| figure(Some(x)));
        let expected = ["0.00230", "0.0100", "1.00", "10.0", "100", "1234", "1.27e5", "8.00e-7"];
        assert_eq!(texts, expected.map(String::from));
        assert_eq!(figure(None), "—");
    }
}
