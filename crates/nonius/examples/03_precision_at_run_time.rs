//! Write a computation once and choose its precision on the command line. The program computes `π`
//! with `f64`, `dd`, `td`, `qd`, or with `mp` and a number of bits from 64 to 4096.
//!
//! `cargo run --release -p nonius --example 03_precision_at_run_time -- mp424`

use std::error::Error;

use nonius::dense::Reading;
use nonius::prelude::*;

/// `π` by the arithmetic–geometric mean (Brent 1976, Salamin 1976).
struct Pi;

/// What the job found.
struct Found {
    text: String,
    steps: u32,
    /// The error of the result in units of the roundoff.
    units: Reading,
}

impl Job for Pi {
    type Output = Found;

    fn run<T: Number>(self, format: T::Format) -> Found {
        let bits = T::precision(format).bits();
        // Constants have few bits until they get a format.
        let one = T::ONE.to_format(format);
        let (mut a, mut b, mut rest, mut steps) = (one, one.ldexp(-1).sqrt(), one.ldexp(-2), 0);
        // Each step doubles the number of correct digits.
        while 1 << steps < bits {
            let mean = (a + b).ldexp(-1);
            rest -= ((a - mean) * (a - mean)).ldexp(steps);
            (a, b) = (mean, (a * b).sqrt());
            steps += 1;
        }
        let pi = (a + b) * (a + b) / rest.ldexp(2);
        let mut text = Vec::new();
        pi.append_decimal(&mut text);
        let units = (pi - T::pi(format)).abs().ldexp(bits as i32).leading();
        Found { text: String::from_utf8_lossy(&text).into_owned(), steps: steps as u32, units }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let name = std::env::args().nth(1).unwrap_or_else(|| "qd".to_string());
    let precision: Precision = name.parse()?;
    let found = Pi.at(precision);
    println!("precision  {precision}: {} bits, {} digits", precision.bits(), precision.digits());
    println!("steps      {}", found.steps);
    println!("π          {}", found.text);
    println!("error      {:.1e} units of roundoff", found.units);
    assert!(found.units < 64.0);
    Ok(())
}
