//! Read decimals, compute with elementary functions and print digits at four precisions.
//! `e^(π·√163)` looks like an integer until the precision is high enough.
//!
//! `cargo run --release -p nonius --example 02_numbers`

use std::error::Error;

use nonius::num::mp::Bits;
use nonius::prelude::*;

/// `e^(π·√163)` in a type whose format may be known at run time only.
fn near_integer<T: Number>(format: T::Format) -> T {
    (T::pi(format) * T::from_f64(163.0).to_format(format).sqrt()).exp()
}

fn main() -> Result<(), Box<dyn Error>> {
    let bits = Bits::new(424)?;
    // A decimal is rounded once. Without a number of places, the shortest text that reads back as
    // the same number is printed.
    let (tenth, converted) = ("0.1".parse::<Qd>()?, Qd::from(0.1));
    println!("0.1 as text       {tenth}");
    println!("0.1 as a double   {converted}");
    assert_eq!(tenth.to_string(), "0.1");
    assert!((tenth * 10.0 - 1.0).abs() <= Qd::EPSILON && (converted * 10.0 - 1.0).to_f64() > 1e-17);

    let (dd, td) = (near_integer::<Dd>(()), near_integer::<Td>(()));
    let (qd, mp) = (near_integer::<Qd>(()), near_integer::<Mp>(bits));
    println!("e^(π·√163) in f64 {:.14}", near_integer::<f64>(()));
    println!("           in dd  {dd:.14}");
    println!("           in td  {td:.28}");
    println!("           in qd  {qd:.44}");
    println!("           in mp  {mp}");

    // 640320³ + 744 − e^(π·√163), of which 40 digits are known.
    let known = Mp::from_decimal_in(bits, b"7.499274028018143111206461436626630091373e-13")?;
    let integer = Mp::from_decimal_in(bits, b"262537412640768744")?;
    let difference = integer - mp;
    assert!((difference - known).abs().to_f64() < 1e-52);
    // The exponent is 40, and so is the condition number of the exponential function.
    for (value, unit) in [
        (Mp::from_multifloat(bits, dd), Dd::UNIT_ROUNDOFF),
        (Mp::from_multifloat(bits, td), Td::UNIT_ROUNDOFF),
        (Mp::from_multifloat(bits, qd), Qd::UNIT_ROUNDOFF),
    ] {
        let relative = ((value - mp).abs() / mp).to_f64();
        assert!(relative < 200.0 * unit, "{relative:e}");
    }
    Ok(())
}
