//! Systems solved on a GPU to a number of proved digits.

use std::error::Error;
use std::time::Instant;

use nonius_cuda::Cuda;
use nonius_linalg::certified::{Data, Event, Options, solve};
use nonius_num::{Dd, Qd};

use crate::inputs;
use crate::record::Record;

/// A system: its order, right-hand sides, digits, and the power of ten that is the condition of its
/// matrix; random entries for 0.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Case {
    pub(crate) n: usize,
    pub(crate) rights: usize,
    pub(crate) digits: u32,
    pub(crate) power: u32,
}

/// Cases that papers and peers have figures for: the last is that of the solver on CUDA of 2011.
pub(crate) const CASES: [Case; 5] = [
    Case { n: 2400, rights: 1, digits: 30, power: 0 },
    Case { n: 2400, rights: 1600, digits: 62, power: 0 },
    Case { n: 2400, rights: 1, digits: 30, power: 30 },
    Case { n: 8192, rights: 1, digits: 30, power: 0 },
    Case { n: 8192, rights: 1, digits: 30, power: 20 },
];

/// `n,rights,digits,power`
pub(crate) fn case(text: &str) -> Result<Case, String> {
    let numbers: Result<Vec<u32>, _> = text.split(',').map(str::parse).collect();
    match numbers.as_deref() {
        Ok([n, rights, digits, power]) => {
            Ok(Case { n: *n as usize, rights: *rights as usize, digits: *digits, power: *power })
        }
        _ => {
            Err("expected the order, right-hand sides, digits, and power, as in 8192,1,30,20"
                .into())
        }
    }
}

/// Figures for some cases: the time from when the system is on the device until the digits are
/// proved, the shorter of two.
pub(crate) fn measure(gpu: &Cuda, cases: &[Case]) -> Result<Vec<Record>, Box<dyn Error>> {
    cases.iter().map(|&case| one(gpu, case)).collect()
}

fn one(gpu: &Cuda, case: Case) -> Result<Record, Box<dyn Error>> {
    let Case { n, rights, digits, power } = case;
    let a = match power {
        0 => Data::from_matrix(inputs::matrix::<f64>(n, n, 1).view()),
        1..24 => Data::from_matrix(inputs::conditioned::<Dd>(n, power).view()),
        _ => Data::from_matrix(inputs::conditioned::<Qd>(n, power).view()),
    };
    let b = Data::from_matrix(inputs::matrix::<f64>(n, rights, 3).view());
    let options = Options::new(digits);
    let mut best = f64::INFINITY;
    for _ in 0..2 {
        let start = Instant::now();
        let mut heard = |event: Event| {
            let seconds = start.elapsed().as_secs_f64();
            match event {
                Event::Inverse(bits) => eprintln!("{seconds:9.4} s, inverse {bits:?}"),
                Event::Step { steps, error_bound, .. } => {
                    eprintln!("{seconds:9.4} s, step {steps}, below {error_bound}");
                }
            }
        };
        let solution = solve(gpu, &a, &b, options, &mut heard)?;
        let whole = start.elapsed().as_secs_f64();
        let on_device: f64 = solution.route.iter().map(|stage| stage.time.as_secs_f64()).sum();
        let stages: Vec<String> = solution
            .route
            .iter()
            .map(|stage| {
                let bits = stage.bits.map_or("f64".into(), |bits| format!("mp{bits}"));
                format!("{bits}: {} steps, {:.4} s", stage.steps, stage.time.as_secs_f64())
            })
            .collect();
        println!(
            "{n:5} × {rights:<5} 1e{power:<2} {digits:4} digits {on_device:9.4} s on the device, {whole:9.4} s with copies; below {}; {}",
            solution.error_bound,
            stages.join("; ")
        );
        best = best.min(on_device);
    }
    Ok(Record {
        library: "nonius-cuda".into(),
        precision: format!("digits{digits}"),
        operation: format!("solve-1e{power}"),
        m: n,
        n: rights,
        k: n,
        threads: 0,
        seconds: best,
        rate: (2.0 / 3.0 * n as f64 + 2.0 * rights as f64) * (n as f64).powi(2) / best / 1e9,
        unit: "GFLOPS".into(),
    })
}
