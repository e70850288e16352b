//! How long systems take that are solved to a number of proved digits.

use nonius_linalg::Matrix;
use nonius_linalg::backend::Cpu;
use nonius_linalg::certified::{Data, DigitsIn, Options, Refusal, solve};
use nonius_linalg::dense::gemm::Products;
use nonius_linalg::mp::Bits;
use nonius_num::Qd;

use crate::inputs;
use crate::record::Record;
use crate::timing::best_of;

/// Powers of ten that matrices have for their condition, but for the first, whose entries are random.
const CONDITIONS: [u32; 3] = [0, 15, 30];

/// One right-hand side for each order, condition and number of digits.
pub(crate) fn measure(
    sizes: &[usize],
    digits: &[u32],
    threads: usize,
) -> Result<Vec<Record>, Refusal> {
    let most_bits = Bits::new(Bits::MOST).expect("the most bits are a precision");
    let mut records = Vec::new();
    for &n in sizes {
        let b = Data::from_limbs(inputs::matrix::<f64>(n, 1, 3).view());
        for power in CONDITIONS {
            let a = match power {
                0 => Data::from_limbs(inputs::matrix::<f64>(n, n, 1).view()),
                _ => Data::from_limbs(conditioned(n, power).view()),
            };
            for &digits in digits {
                let options = Options { digits, digits_in: DigitsIn::Entry, most_bits };
                let backend = Cpu::new(Products::direct());
                let mut stages = 0;
                let mut refused = None;
                let seconds = best_of(|| match solve(&backend, &a, &b, options, &mut |_| {}) {
                    Ok(solution) => stages = solution.route.len(),
                    Err(refusal) => refused = Some(refusal),
                });
                if let Some(refusal) = refused {
                    return Err(refusal);
                }
                let record = Record {
                    library: "nonius".into(),
                    precision: format!("digits{digits}"),
                    operation: format!("solve-1e{power}"),
                    m: n,
                    n: 1,
                    k: n,
                    threads,
                    seconds,
                    rate: 2.0 / 3.0 * (n as f64).powi(3) / seconds / 1e9,
                    unit: "GFLOPS".into(),
                };
                eprintln!("{n:5} 1e{power:<2} {digits:4} digits {seconds:10.4} s, {stages} stages");
                records.push(record);
            }
        }
    }
    Ok(records)
}

/// `H·D·K` for reflections `H`, `K` by random vectors, and `D` falling evenly in its exponent from 1 to `10^-power`.
fn conditioned(n: usize, power: u32) -> Matrix<Qd> {
    let [u, v] = [5, 6].map(|seed| {
        let x = inputs::vector::<Qd>(n, seed);
        let norm = x.iter().fold(Qd::ZERO, |sum, &x| sum + x * x).sqrt();
        x.into_iter().map(|x| x / norm).collect::<Vec<Qd>>()
    });
    let step = -f64::from(power) * std::f64::consts::LOG2_10 / (n.max(2) - 1) as f64;
    let d: Vec<Qd> = (0..n).map(|i| Qd::from((step * i as f64).exp2())).collect();
    let middle = (0..n).fold(Qd::ZERO, |sum, i| sum + u[i] * d[i] * v[i]);
    let (two, four) = (Qd::from(2.0), Qd::from(4.0));
    Matrix::from_fn(n, n, |i, j| {
        let diagonal = if i == j { d[i] } else { Qd::ZERO };
        diagonal - two * u[i] * u[j] * d[j] - two * d[i] * v[i] * v[j] + four * u[i] * middle * v[j]
    })
}
