//! Solve many tridiagonal systems at once. Five hundred rods of different materials cool down, and
//! an implicit time step of all rods is one batch.
//!
//! `cargo run --release -p nonius --example 11_tridiagonal_batch`

use std::error::Error;

use nonius::Dd;
use nonius::dense::Numbers;
use nonius::tridiag::{Order, Solve, Systems};

fn main() -> Result<(), Box<dyn Error>> {
    // Rods of length 1 have ends of temperature 0. Rod s conducts heat with the diffusivity
    // 1 + s/500. A time step is 0.001, and there are 100 steps.
    let (systems, size, steps, dt) = (500, 31, 100, 1e-3);
    let intervals = (size + 1) as f64;
    let diffusivity = |s: usize| 1.0 + s as f64 / systems as f64;
    let ratio = |s: usize| Dd::from(diffusivity(s)) * dt * intervals * intervals;
    // Numbers lie row by row, the rods side by side.
    let order = Order::Interleaved;
    let array = |entry: &dyn Fn(usize, usize) -> Dd| -> Numbers<Dd> {
        (0..systems * size).map(|at| entry(at % systems, at / systems)).collect::<Vec<_>>().into()
    };
    // At the beginning the temperature is sin πx.
    let mode = |i: usize| (Dd::PI * (i + 1) as f64 / intervals).sin();
    let beside = array(&|s, _| -ratio(s));
    let diagonal = array(&|s, _| ratio(s) * 2.0 + 1.0);
    let matrix = [beside.clone(), diagonal, beside];
    let mut batch = Systems { systems, size, order, matrix, right: array(&|_, i| mode(i)) };
    for _ in 0..steps {
        let (x, report) = Solve::new(&batch).run()?;
        assert!(report.outcome.failures.is_empty());
        batch.right = x;
    }

    // A step divides this mode by 1 + 4·r·sin²(π/2m) exactly, in all its points.
    let half = (Dd::PI / (2.0 * intervals)).sin();
    let worst = (0..systems * size).map(|at| {
        let (i, s) = (at / systems, at % systems);
        let factor = ratio(s) * half * half * 4.0 + 1.0;
        (batch.right.at(at) * factor.powi(steps) / mode(i) - 1.0).abs().to_f64()
    });
    let worst = worst.fold(0.0, f64::max);
    for s in [0, systems - 1] {
        let found = batch.right.at(order.index((systems, size), s, size / 2)).to_f64();
        let time = dt * f64::from(steps);
        let continuous = (-diffusivity(s) * std::f64::consts::PI.powi(2) * time).exp();
        println!("middle of rod {s:3}    {found:.6}, without steps {continuous:.6}");
        assert!((found / continuous - 1.0).abs() < 0.05);
    }
    println!("largest error        {worst:.1e} beside the exact factor of all steps");
    assert!(worst < 1e-27);
    Ok(())
}
