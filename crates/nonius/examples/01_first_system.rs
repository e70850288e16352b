//! Solve a linear system that is too ill-conditioned for double precision. The report says how many
//! digits of the solution are correct.
//!
//! `cargo run --release -p nonius --example 01_first_system`

use std::error::Error;

use nonius::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    // Find the polynomial p of degree 19 with ∫ xⁱ·p(x) dx = 1 over [0, 1] for i = 0, …, 19.
    // The matrix of this system is the Hilbert matrix. In theory p(0) = −20 and p(1) = 400.
    let n = 20;
    let a = Matrix::from_fn(n, n, |i, j| Qd::ONE / Qd::from((i + j + 1) as f64));
    let b = Matrix::from_fn(n, 1, |_, _| Qd::ONE);
    let (p, report) = Solve::new(&a).rhs(&b).run()?;

    let (first, sum) = (p[(0, 0)], p.iter().sum::<Qd>());
    let (correct, carried) = (report.correct_digits, report.precision.digits());
    println!("first coefficient  {first:.30}");
    println!("value at 1         {sum:.25}");
    println!("condition number   {:.1e}", report.condition_estimate);
    println!("correct digits     about {correct:.0} of {carried}");

    // The digits count beside the largest coefficient.
    let tolerance = 10.0_f64.powf(1.0 - correct);
    let largest = p.iter().fold(0.0, |most: f64, x| most.max(x.abs().to_f64()));
    assert!(correct > 30.0);
    assert!((first + 20.0).abs().to_f64() < tolerance * largest);
    assert!((sum - 400.0).abs().to_f64() < 20.0 * tolerance * largest);
    Ok(())
}
