//! Price an American put to a tolerance, with its sensitivities. The program also prints the price
//! of the underlying below which the holder exercises today.
//!
//! `cargo run --release -p nonius --example 12_option_prices`

use std::error::Error;

use nonius::option::{Accuracy, Contract, Kind, Prices, Request};

fn main() -> Result<(), Box<dyn Error>> {
    // Spot and strike 100, one year, rate 5 %, no yield, volatility 20 %.
    let market = [0.05, 0.0, 0.2];
    let book = [
        Contract::american(Kind::Put, 100.0, 100.0, 1.0, market),
        Contract::european(Kind::Put, 100.0, 100.0, 1.0, market),
    ];
    let tolerance = 1e-5;
    let accuracy = Accuracy::Tolerance(tolerance);
    let request = Request { accuracy, sensitivities: true, boundary: true };
    let (prices, _) = Prices::new(&book).request(request).run()?;
    let [american, european] = prices.try_into().map_err(|_| "a price is missing")?;
    let (american, european) = (american?, european?);

    let [vega, rho] = [american.vega, american.rho].map(|x| x.unwrap_or(f64::NAN));
    let today = american.boundary.last().ok_or("no boundary of early exercise")?;
    println!("american put    {:.5}", american.value);
    println!("error estimate  {:.0e}", american.error.unwrap_or(f64::NAN));
    println!("delta, gamma    {:.4}  {:.4}", american.delta, american.gamma);
    println!("vega, rho       {vega:.3}  {rho:.3}");
    println!("exercise below  {:.1} today", today.spot);
    println!("european put    {:.6}", european.value);

    // By extrapolated binomial trees of 40 000 steps, and by the formula of Black and Scholes.
    assert!(american.converged && european.converged);
    assert!((american.value / 6.09037 - 1.0).abs() < tolerance);
    assert!((european.value / 5.573_526_022 - 1.0).abs() < tolerance);
    assert!((american.delta + 0.4112).abs() < 3e-4 && (american.gamma - 0.0230).abs() < 3e-4);
    assert!((vega - 37.49).abs() < 0.03 && (rho + 30.22).abs() < 0.03);
    assert!(80.0 < today.spot && today.spot < 82.0);
    Ok(())
}
