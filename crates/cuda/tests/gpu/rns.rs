//! Floating-point numbers in residues: operations on a device have the host's bits.

use nonius_cuda::{CudaSpace, CudaVector, RnsOperation};
use nonius_linalg::krylov::RnsSpace;
use nonius_num::RnsFloat;
use nonius_num::mp::{Bits, Mp};
use nonius_num::rns::float::{Format, RnsNumbers};
use nonius_testkit::Random;

use crate::gpu;

fn numbers(format: &Format, n: usize, seed: u64) -> Vec<RnsFloat> {
    let mut random = Random::new(seed);
    let bits = Bits::new(format.bits().max(64)).unwrap();
    let number = |_| {
        let words: Vec<u64> = (0..bits.words()).map(|_| random.bits()).collect();
        match random.below(40) {
            0 => return RnsFloat::zero(format),
            1 => return RnsFloat::infinity(format, true),
            2 => return RnsFloat::nan(format),
            _ => {}
        }
        let exponent = random.below(60) as i64 - 64 * words.len() as i64;
        let x = Mp::rounded(bits, random.below(2) == 0, &words, exponent, false);
        RnsFloat::from_mp(format, x.view())
    };
    (0..n).map(number).collect()
}

fn same(found: &RnsNumbers, expected: impl Iterator<Item = RnsFloat>, what: &str) {
    for (i, right) in expected.enumerate() {
        let found = found.at(i);
        let alike = found.head() == right.head() && found.stored() == right.view().stored();
        let nan = found.head().is_nan() && right.is_nan();
        assert!(alike || nan, "{what}, {i}: {} for {right}", found.to_mp());
    }
}

#[test]
#[ignore = "needs a GPU"]
fn operations_have_the_hosts_bits() {
    let gpu = gpu();
    let primes = [3, 5, 7, 11, 257, 65_537, 1_000_003, (1 << 31) - 1, (1 << 30) + 3];
    let formats = [53, 106, 424, 1000].map(|bits| Format::with_bits(bits).unwrap());
    for format in formats.into_iter().chain([Format::new(&primes).unwrap()]) {
        for n in [0, 1, 127, 128, 129, 1000] {
            let (x, y) = (numbers(&format, n, 1), numbers(&format, n, 2));
            let space = RnsSpace::new(&format).unwrap();
            let space = CudaSpace::rns(&gpu, &space).unwrap();
            let upload = |x: &[RnsFloat]| {
                let mut numbers = RnsNumbers::new(&format);
                x.iter().for_each(|x| numbers.push(x.view()));
                space.upload(&numbers).unwrap()
            };
            let download = |x: &CudaVector| -> RnsNumbers { space.download(x).unwrap() };
            let (a, b) = (upload(&x), upload(&y));
            let pairs = || x.iter().zip(&y);
            let of = |operation| {
                let z = gpu.rns_elementwise(operation, &a, &b).unwrap();
                download(&z)
            };
            same(&of(RnsOperation::Add), pairs().map(|(x, y)| x + y), "+");
            same(&of(RnsOperation::Sub), pairs().map(|(x, y)| x - y), "−");
            same(&of(RnsOperation::Mul), pairs().map(|(x, y)| x * y), "·");
            same(&of(RnsOperation::Div), pairs().map(|(x, y)| x / y), "/");
            let roots = download(&gpu.rns_sqrt(&a).unwrap());
            same(&roots, x.iter().map(RnsFloat::sqrt), "√");
            let scaled = download(&gpu.rns_ldexp(&a, -77).unwrap());
            same(&scaled, x.iter().map(|x| x.clone().ldexp(-77)), "2^k");
            let orders = gpu.rns_compare(&a, &b).unwrap();
            assert!(orders.iter().copied().eq(pairs().map(|(x, y)| x.partial_cmp(y))));
        }
    }
}
