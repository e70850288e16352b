//! Ask for 50 digits instead of a precision. The solver proves that every entry of the solution has
//! them. The entries are weights of the Newton–Cotes rule with 21 nodes.
//!
//! `cargo run --release -p nonius --example 05_proved_digits`

use std::error::Error;

use nonius::num::mp::Bits;
use nonius::prelude::*;

fn main() -> Result<(), Box<dyn Error>> {
    // The rule Σ wⱼ·f(j) for ∫ f(x) dx over [0, 20] is exact for 1, x, …, x²⁰. The least common
    // multiple of 1, …, 21 makes integers of all right-hand sides 20^(i+1)/(i+1).
    let (n, multiple) = (20, 232_792_560);
    let bits = Bits::new(192)?;
    let integer = |k: usize| Mp::from_f64(bits, k as f64);
    let a = Matrix::from_fn_in(bits, n + 1, n + 1, |i, j| integer(j).powi(i as i32));
    let b = Matrix::from_fn_in(bits, n + 1, 1, |i, _| {
        integer(multiple / (i + 1)) * integer(n).powi(i as i32 + 1)
    });
    let (solution, _) = Solve::new(&a).rhs(&b).digits(50).run()?;

    let weight = |j: usize| solution.x.at(j, 0) / integer(multiple);
    let proved = solution.digits.map_or("all".to_string(), |digits| digits.to_string());
    println!("digits proved     {proved}");
    println!("relative error    at most {}", solution.error_bound);
    println!("condition number  {}", solution.condition);
    println!("first weight      {:.50}", weight(0).to_multifloat::<4>());
    println!("middle weight     {:.46}", weight(10).to_multifloat::<4>());

    assert!(solution.digits.is_none_or(|digits| digits >= 50));
    // By rational arithmetic the first weight is 1145302367137/4842604238472.
    let exact = integer(1_145_302_367_137) / integer(4_842_604_238_472);
    assert!((weight(0) / exact - integer(1)).abs().to_f64() < 1e-50);
    for j in 0..=n {
        assert!((weight(j) / weight(n - j) - integer(1)).abs().to_f64() < 1e-49);
    }
    Ok(())
}
