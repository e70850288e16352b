//! How long systems take that are solved to a number of proved digits.

use nonius_linalg::backend::Cpu;
use nonius_linalg::certified::{Data, Options, Refusal, solve};
use nonius_linalg::dense::gemm::Products;
use nonius_num::Qd;

use crate::inputs;
use crate::record::Record;
use crate::timing::best_of;

/// Powers of ten that matrices have for their condition, but for the first, whose entries are
/// random.
const CONDITIONS: [u32; 3] = [0, 15, 30];

/// One right-hand side for each order, condition and number of digits.
pub(crate) fn measure(
    sizes: &[usize],
    digits: &[u32],
    threads: usize,
) -> Result<Vec<Record>, Refusal> {
    let mut records = Vec::new();
    for &n in sizes {
        let b = Data::from_matrix(inputs::matrix::<f64>(n, 1, 3).view());
        for power in CONDITIONS {
            let a = match power {
                0 => Data::from_matrix(inputs::matrix::<f64>(n, n, 1).view()),
                _ => Data::from_matrix(inputs::conditioned::<Qd>(n, power).view()),
            };
            for &digits in digits {
                let options = Options::new(digits);
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
