//! Read the rank of a matrix from its singular values. The rank says how many isotopes decay in a
//! sample. Double precision loses one of the eight in its rounding errors.
//!
//! `cargo run --release -p nonius --example 09_singular_values`

use std::error::Error;

use nonius::prelude::*;

/// Rows and columns of the matrix of samples.
const ORDER: usize = 16;

/// Singular values of the Hankel matrix of samples, and how many of them exceed its roundoff.
fn rank<T: Number>(format: T::Format) -> Result<(Vec<f64>, usize), nonius::dense::Error> {
    // Activity at times 0, 1, 2, …, where isotope k has the decay constant k/24.
    let constant = |k: u32| T::from_f64(-f64::from(k)).to_format(format) / T::from_f64(24.0);
    let activity = |time: usize| {
        (1..=8).map(|k| (constant(k) * T::from_f64(time as f64)).exp()).fold(T::ZERO, |s, x| s + x)
    };
    let samples: Vec<T> = (0..2 * ORDER).map(activity).collect();
    let hankel = Matrix::from_fn_in(format, ORDER, ORDER, |i, j| samples[i + j]);
    let (found, report) = SingularValues::new(&hankel).vectors(Vectors::No).run()?;
    let values: Vec<f64> = found.values.iter().map(|x| x.to_f64()).collect();
    let noise = values[0] * ORDER as f64 * report.precision.unit_roundoff();
    let count = values.iter().filter(|&&x| x > noise).count();
    Ok((values, count))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (rounded, in_f64) = rank::<f64>(())?;
    let (values, in_dd) = rank::<Dd>(())?;
    let text = |values: &[f64]| {
        values[..10].iter().map(|x| format!("{x:.0e}")).collect::<Vec<_>>().join("  ")
    };
    println!("singular values, f64  {}", text(&rounded));
    println!("singular values, dd   {}", text(&values));
    println!("isotopes by f64       {in_f64}");
    println!("isotopes by dd        {in_dd}");
    assert!(in_f64 < 8);
    assert_eq!(in_dd, 8);
    // A gap of many digits between both values makes the decision safe.
    assert!(values[8] < 1e-8 * values[7]);
    Ok(())
}
