//! Systems with known solutions, and the check of what is promised of the computed ones.

use nonius_linalg::backend::Cpu;
use nonius_linalg::certified::{Data, DigitsIn, Failure, Options, Refusal, Solution, solve};
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::{Products, gemm_on};
use nonius_linalg::mp::{Bits, Matrix, Mp};

pub(crate) fn bits(p: u32) -> Bits {
    Bits::new(p).unwrap()
}

pub(crate) fn options(digits: u32) -> Options {
    Options { digits, digits_in: DigitsIn::Entry, most_bits: bits(Bits::MOST) }
}

pub(crate) fn solved(a: &Data, b: &Data, options: Options) -> Result<Solution, Refusal> {
    solve(&Cpu::new(Products::direct()), a, b, options, &mut |_| {})
}

pub(crate) fn failure(a: &Data, b: &Data, digits: u32) -> Failure {
    solved(a, b, options(digits)).map(|_| ()).unwrap_err().failure
}

/// `f(row, column)`, whose numbers are integers times powers of two.
pub(crate) fn matrix(n: usize, m: usize, f: impl Fn(usize, usize) -> Mp) -> Matrix {
    Matrix::from_fn_in(bits(Bits::MOST), n, m, f)
}

pub(crate) fn number(x: f64) -> Mp {
    Mp::from_f64(bits(Bits::MOST), x)
}

/// `A·X` in 4096 bits, exact for numbers that need less.
pub(crate) fn product(a: &Matrix, x: &Matrix) -> Matrix {
    let p = a.bits();
    let mut b = Matrix::zeros_in(p, a.rows(), x.cols());
    let (one, zero) = (Mp::one(p), Mp::zero(p));
    let (no, direct) = (Transpose::No, Products::direct());
    let (cpu, into) = (Cpu::new(direct), b.view_mut());
    gemm_on(&cpu, no, no, one, a.view(), x.view(), zero, into).unwrap();
    b
}

/// Solves for the product of `A` and `X` and checks that the digits promised are at least those
/// asked for, and that every entry has them.
pub(crate) fn check(a: &Matrix, x: &Matrix, digits: u32) -> Solution {
    let b = product(a, x);
    let found = solved(&Data::exact(a.clone()), &Data::exact(b), options(digits));
    let solution = found.unwrap_or_else(|refusal| panic!("{refusal}"));
    let promised = solution.digits.unwrap_or(u32::MAX);
    assert!(promised >= digits, "{promised} of {digits}");
    compare(&solution, x);
    solution
}

pub(crate) fn compare(solution: &Solution, x: &Matrix) {
    let wide = bits(Bits::MOST);
    assert_eq!(solution.x.shape(), x.shape());
    for j in 0..x.cols() {
        for i in 0..x.rows() {
            // As somebody reads it who reads the decimal text.
            let text = solution.x.at(i, j).to_string();
            let found = Mp::from_decimal(wide, text.as_bytes()).unwrap();
            let difference = (found - x.entry(i, j).to_mp(wide)).abs();
            let bound = match solution.digits {
                None => Mp::zero(wide),
                Some(digits) => {
                    let unit = Mp::from_decimal(wide, format!("0.5e-{digits}").as_bytes()).unwrap();
                    unit * x.entry(i, j).to_mp(wide).abs()
                }
            };
            if solution.digits.is_some() {
                assert!(difference <= bound, "entry ({i}, {j}): {text}, {:?}", solution.digits);
            } else {
                assert!(solution.x.at(i, j) == x.at(i, j), "entry ({i}, {j}): {text}");
            }
        }
    }
}

/// Numbers without structure, in `[-1, 1)`.
pub(crate) struct Random(u64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    pub(crate) fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    pub(crate) fn numbers(&mut self, n: usize, m: usize) -> Matrix {
        let mut all = vec![vec![0.0; m]; n];
        all.iter_mut().flatten().for_each(|x| *x = self.unit());
        matrix(n, m, |i, j| number(all[i][j]))
    }
}
