//! Solve a semidefinite program and prove bounds of its optimum. Lovász's number of the pentagon,
//! which bounds what a code for a noisy channel can send, is `√5`.
//!
//! `cargo run --release -p nonius --example 13_semidefinite_program`

use std::error::Error;
use std::fmt::Write;

use nonius::sdp::input::read_sparse;
use nonius::sdp::{Certify, Solve};
use nonius::{Precision, Qd};

fn main() -> Result<(), Box<dyn Error>> {
    // Maximize the sum of all entries of Y, where Y is positive semidefinite and has trace 1 and
    // zeros at the edges. In SDPA's sparse format a line is: matrix, block, row, column, value.
    let mut text = "6\n1\n5\n1 0 0 0 0 0\n".to_string();
    for i in 1..=5 {
        for j in i..=5 {
            writeln!(text, "0 1 {i} {j} 1")?;
        }
        writeln!(text, "1 1 {i} {i} 1")?;
        let next = i % 5 + 1;
        writeln!(text, "{} 1 {} {} 1", i + 1, next.min(i), next.max(i))?;
    }
    let problem = read_sparse(text.as_bytes())?;
    let solve = Solve::new(&problem).precision(Precision::Qd).then_proved(true);
    let (report, point, _) = solve.run()?;
    let proof = Certify::new(&problem, &point, report.phase).run()?;
    let [lower, upper] =
        [proof.lower.clone(), proof.upper.clone()].map(|bound| bound.map_err(|e| e.to_string()));
    let (lower, upper) = (lower?, upper?);
    let digits = proof.digits().unwrap_or(0.0);

    println!("phase          {} after {} iterations", report.phase.name(), report.iterations);
    println!("lower bound    {lower}");
    println!("upper bound    {upper}");
    println!("√5             {:.50}", Qd::from(5).sqrt());
    println!("digits proved  {digits:.1}");

    // Squares, so that no square root is rounded.
    let (lower, upper): (Qd, Qd) = (lower.parse()?, upper.parse()?);
    assert!(lower * lower < 5.0 && upper * upper > 5.0);
    assert!(digits > 38.0);
    Ok(())
}
