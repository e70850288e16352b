//! Find the determinant of an integer matrix exactly. By Kirchhoff's theorem it counts the spanning
//! trees of a graph, here of the square grid of 8 × 8 points.
//!
//! `cargo run --release -p nonius --example 06_determinant`

use std::error::Error;

use nonius::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    let side = 8;
    let neighbours =
        |p: usize, q: usize| (p / side).abs_diff(q / side) + (p % side).abs_diff(q % side) == 1;
    // The Laplacian without the row and the column of the last point.
    let n = side * side;
    let a = Matrix::from_fn(n - 1, n - 1, |p, q| {
        if p == q {
            (0..n).filter(|&other| neighbours(p, other)).count() as f64
        } else {
            -f64::from(u8::from(neighbours(p, q)))
        }
    });

    let (rounded, _) = Determinant::new(&a).run()?;
    let (exact, _) = Determinant::new(&a).digits(10).run()?;

    let in_f64 = rounded.value();
    println!("trees by f64    {in_f64}");
    println!("trees, exactly  {}", exact.value.to_multifloat::<4>());
    println!("is exact        {}", exact.digits.is_none());

    // OEIS A007341(8).
    let known: Mp = "126231322912498539682594816".parse()?;
    assert!(exact.digits.is_none() && exact.value == known);
    assert!((in_f64 / known.to_f64() - 1.0).abs() < 1e-13);
    Ok(())
}
