//! Compute eigenvalues beyond double precision: the energies of a quantum particle in the potential
//! x⁴, from a matrix in the basis of a harmonic oscillator.
//!
//! `cargo run --release -p nonius --example 08_eigenvalues`

use std::error::Error;

use nonius::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    // H = p² + x⁴. The basis has the eigenfunctions of p² + ω²x², with eigenvalues ω·(2n + 1). In
    // this basis x is tridiagonal. The last four rows of x⁴ lack terms and are left out.
    let (states, omega) = (100, Qd::from(3));
    let x = Matrix::from_fn(states + 4, states + 4, |i, j| {
        let entry = (Qd::from(i.max(j) as f64) / (omega * 2.0)).sqrt();
        if i.abs_diff(j) == 1 { entry } else { Qd::ZERO }
    });
    let x2 = &x * &x;
    let x4 = &x2 * &x2;
    // Even states do not mix with odd ones.
    let h = Matrix::from_fn(states / 2, states / 2, |i, j| {
        let (n, m) = (2 * i, 2 * j);
        let harmonic = if n == m { omega * (2 * n + 1) as f64 } else { Qd::ZERO };
        harmonic - omega * omega * x2[(n, m)] + x4[(n, m)]
    });
    let (found, report) = Eigenvalues::new(&h).run()?;

    println!("ground state        {:.40}", found.values[0]);
    println!("second even state   {:.40}", found.values[1]);
    println!("relative residual   {:.1e}", report.relative_residual.unwrap_or(f64::NAN.into()));
    println!("orthogonality       {:.1e}", report.orthogonality.unwrap_or(f64::NAN.into()));

    let known =
        ["1.060362090484182899647046016692663545515", "7.455697937986738392156591347185767488138"];
    for (value, text) in found.values.iter().zip(known) {
        assert!((*value - text.parse::<Qd>()?).abs().to_f64() < 1e-38);
    }
    assert!(report.relative_residual.is_some_and(|residual| residual < 1e-60));
    Ok(())
}
