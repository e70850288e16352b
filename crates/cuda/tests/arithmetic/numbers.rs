//! The numbers that the functions are tried on.

use nonius_linalg::Scalar;
use nonius_num::MultiFloat;
use nonius_testkit::{Domain, Inputs, Random};

/// How many numbers are tried at a time: few enough to stay in the processor's caches.
const BATCH: usize = 1 << 12;

/// Batches of three operands: first all pairs of specials, then random and adversarial ones of several domains in turn.
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
    pub(crate) fn new(convert: F, count: usize) -> Self {
        let domains =
            [Domain::all(), Domain::exponents(-3, 3), Domain::exponents(-200, 200)].to_vec();
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
