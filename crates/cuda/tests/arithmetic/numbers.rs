//! The numbers that the functions are tried on.

use nonius_linalg::Scalar;
use nonius_num::{MultiFloat, Qd};
use nonius_testkit::{Domain, Inputs, Random};

/// How many numbers are tried at a time: few enough to stay in the processor's caches.
const BATCH: usize = 1 << 12;

/// Of all exponents and of moderate ones, pressed around the points.
pub(crate) fn domains(points: &[[f64; 4]]) -> Vec<Domain> {
    let exponents = [(-1074, 1023), (-3, 3), (-200, 200), (-20, 9)];
    exponents
        .map(|(low, high)| Domain::exponents(low, high).around(points.iter().copied()))
        .to_vec()
}

/// Where algebraic functions, logarithms and inverse functions change their parts.
pub(crate) fn ordinary_points() -> Vec<[f64; 4]> {
    let fractions = (1..=255).step_by(2).map(|i| Qd::from(i) / 256.0);
    let roots = [Qd::SQRT_2, Qd::FRAC_1_SQRT_2];
    let limits = [1.0, 300.0, 708.0, 80.0, 712.0, 2_f64.powi(240), 2_f64.powi(-112)];
    let powers = (-30..=40).map(|k| Qd::ONE.ldexp(k));
    let all = fractions.chain(roots).chain(limits.map(Qd::from)).chain(powers);
    all.flat_map(|x| [x.limbs(), (-x).limbs(), (Qd::ONE + x).limbs()]).collect()
}

/// Where the parts of the exponential's argument change, and the ends of its range.
pub(crate) fn exponential_points() -> Vec<[f64; 4]> {
    let steps = [1, -1, 2, 3, 63, 64, 65, -4095, 8192, -8192, 3 * 8192, -700 * 8192, 1000 * 8192];
    let natural = steps.map(|k| Qd::LN_2 * Qd::from(k) / 8192.0);
    let binary = steps.map(|k| Qd::from(k) / 8192.0);
    let limits = [708.0, 709.78, 745.13, 746.0, 1021.0, 1024.0, 1075.0, 1076.0].map(Qd::from);
    let all = natural.into_iter().chain(binary).chain(limits);
    all.flat_map(|x| [x.limbs(), (-x).limbs()]).collect()
}

/// Multiples of π/2 and π/512 of all sizes.
pub(crate) fn circular_points() -> Vec<[f64; 4]> {
    let small = [1, 2, 3, 4, 5, 7, 64, 100, 101, 355, 1000, 12_345, 65_536, 1_000_003, 500_000_000];
    let multiples = small.map(|k| Qd::PI * Qd::from(k)).into_iter();
    let large = [40, 60, 100, 200, 300, 500, 700, 1000, 1020].map(|k| (Qd::PI * 3.0).ldexp(k));
    multiples.chain(large).flat_map(|x| [(x / 2.0).limbs(), (x / 512.0).limbs()]).collect()
}

/// Batches of three operands: first all pairs of specials, then random and adversarial ones of
/// several domains in turn.
pub(crate) struct Numbers<const N: usize, F> {
    convert: F,
    left: usize,
    domains: Vec<Domain>,
    turn: usize,
    inputs: Inputs<N>,
    random: Random,
}

impl<const N: usize, F> Numbers<N, F> {
    /// About `count` of them.
    pub(crate) fn new(convert: F, domains: Vec<Domain>, count: usize) -> Self {
        Self {
            convert,
            left: count.div_ceil(BATCH),
            domains,
            turn: 0,
            inputs: Inputs::new(1, "cuda"),
            random: Random::new(1),
        }
    }

    /// Three operands of a domain, or where it is none, with all limbs random.
    fn draw(&mut self, domain: Option<usize>) -> [MultiFloat<N>; 3] {
        let Some(domain) = domain.map(|i| &self.domains[i]) else {
            return core::array::from_fn(|_| self.random.number());
        };
        let [x, y] = self.inputs.two([domain, domain]);
        [x, y, if self.random.bits().is_multiple_of(2) { -self.inputs.neighbour(x * y) } else { y }]
    }
}

impl<const N: usize, T: Scalar, F: Fn(MultiFloat<N>) -> T> Iterator for Numbers<N, F> {
    type Item = [Vec<T>; 3];

    fn next(&mut self) -> Option<[Vec<T>; 3]> {
        let mut operands = [const { Vec::new() }; 3];
        let mut push = |numbers: [MultiFloat<N>; 3]| {
            for (operand, number) in operands.iter_mut().zip(numbers) {
                operand.push((self.convert)(number));
            }
        };
        if self.turn == 0 {
            let specials = Inputs::<N>::specials();
            for &x in &specials {
                for (i, &y) in specials.iter().enumerate() {
                    push([x, y, specials[(7 * i + 3) % specials.len()]]);
                }
            }
            self.turn = 1;
            return Some(operands);
        }
        self.left = self.left.checked_sub(1)?;
        self.turn += 1;
        let kinds = self.domains.len() + 1;
        let domain = Some(self.turn % kinds).filter(|&i| i < self.domains.len());
        for _ in 0..BATCH {
            let numbers = self.draw(domain);
            for (operand, number) in operands.iter_mut().zip(numbers) {
                operand.push((self.convert)(number));
            }
        }
        Some(operands)
    }
}
