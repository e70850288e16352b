//! Multiply matrices by both engines: `direct` adds products of numbers, `crt` multiplies integers
//! modulo many small numbers. The sine transform is its own inverse, which shows the errors.
//!
//! `cargo run --release -p nonius --example 04_products`

use std::error::Error;

use nonius::dense::{Engine, Products};
use nonius::prelude::*;

/// The largest magnitude of an entry of `A − B`.
fn distance(a: &Matrix<Qd>, b: &Matrix<Qd>) -> f64 {
    (a - b).iter().fold(0.0, |most: f64, x| most.max(x.abs().to_f64()))
}

fn main() -> Result<(), Box<dyn Error>> {
    // The orthogonal and symmetric matrix of the discrete sine transform: S·S = I.
    let n = 127;
    let sines: Vec<Qd> = (0..2 * (n + 1))
        .map(|k| (Qd::PI * k as f64 / (n + 1) as f64).sin() * Qd::from(2.0 / (n + 1) as f64).sqrt())
        .collect();
    let s = Matrix::from_fn(n, n, |i, j| sines[(i + 1) * (j + 1) % (2 * (n + 1))]);

    let mut squares = Vec::new();
    for engine in Engine::ALL {
        let products = Products { engine: Some(engine), ..Products::default() };
        let (square, report) =
            Multiply::new(&s, &s).products(products).device(Device::Cpu).run()?;
        let error = distance(&square, &Matrix::identity(n));
        let (moduli, milliseconds) = (report.route.moduli, 1e3 * report.time.as_secs_f64());
        println!("{engine:6}      error {error:.1e}, {moduli} moduli, {milliseconds:.1} ms");
        assert_eq!(report.route.engine, engine);
        // Rows of S have length 1, so that the bound of an error is about n units of roundoff.
        assert!(error < n as f64 * Qd::UNIT_ROUNDOFF);
        squares.push(square);
    }
    let difference = distance(&squares[0], &squares[1]);
    println!("difference  {difference:.1e}");
    println!("roundoff    {:.1e}", Qd::UNIT_ROUNDOFF);
    assert!(difference < 2.0 * n as f64 * Qd::UNIT_ROUNDOFF);
    Ok(())
}
