//! Vectors, sparse matrices and iterations on a device have the bits of those on the host.

mod iterations;
mod methods;
mod products;
mod vectors;

use nonius_cuda::{Cuda, CudaSpace, Planar};
use nonius_linalg::backend::Space;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::system::SparseNumber;
use nonius_linalg::krylov::{HostSpace, RnsSpace};
use nonius_linalg::mp::{Bits, Mp};
use nonius_linalg::sparse::{Coo, Csr, Triplet};
use nonius_linalg::{Numbers, Scalar};
use nonius_num::rns::float::{Format, RnsFloat, RnsNumbers};
use nonius_num::{Dd, Qd, Td};
use nonius_testkit::Random;
use nonius_testkit::elementwise::same_number;

/// Vectors of the host whose bits can be compared.
trait Same: Planar {
    fn same(&self, other: &Self) -> bool;
}

impl<T: Sample> Same for Numbers<T> {
    fn same(&self, other: &Self) -> bool {
        let mut pairs = self.as_slice().iter().zip(other.as_slice().iter());
        self.len() == other.len() && pairs.all(|(x, y)| x.same_bits(y))
    }
}

/// Numbers that vectors are filled with.
trait Sample: SparseNumber {
    /// A random number, now and then a special one among `n` where these are asked for.
    fn sample(format: Self::Format, n: usize, specials: bool, random: &mut Random) -> Self;

    /// Whether both have the same bits, where NaN equals NaN.
    fn same_bits(self, other: Self) -> bool;
}

macro_rules! samples_of_limbs {
    ($($number:ty)*) => {$(
        impl Sample for $number {
            fn sample((): (), n: usize, specials: bool, random: &mut Random) -> Self {
                if specials && random.below(n / 2 + 1) == 0 {
                    return random.special_scalar();
                }
                let limbs = random.spread_limbs::<4>(30);
                <Self as Scalar>::from_limbs(|limb| limbs[limb])
            }

            fn same_bits(self, other: Self) -> bool {
                same_number(self, other)
            }
        }
    )*};
}

samples_of_limbs!(f64 Dd Td Qd);

impl Sample for Mp {
    fn sample(bits: Bits, n: usize, specials: bool, random: &mut Random) -> Self {
        let words: Vec<u64> = (0..bits.words()).map(|_| random.bits()).collect();
        let exponent = random.below(80) as i64 - 40;
        let special = if specials { random.below(n / 2 + 4) } else { 4 };
        match special {
            0 => Mp::infinity(bits, random.below(2) == 0),
            1 if random.below(4) == 0 => Mp::nan(bits),
            2 => Mp::zero(bits),
            _ => Mp::rounded(bits, random.below(2) == 0, &words, exponent, false),
        }
    }

    fn same_bits(self, other: Self) -> bool {
        self.head() == other.head() && self.words() == other.words()
    }
}

impl Same for RnsNumbers {
    fn same(&self, other: &Self) -> bool {
        let alike = |i| {
            let (x, y) = (self.at(i), other.at(i));
            x.head() == y.head() && x.stored() == y.stored()
        };
        self.len() == other.len() && (0..self.len()).all(alike)
    }
}

/// A host's space, and how its vectors are filled.
trait Host: Space<Vector: Same> {
    const LENGTHS: &'static [usize];

    fn device(&self, cuda: &Cuda) -> CudaSpace;

    /// Random numbers, some of them special where asked.
    fn random(&self, n: usize, seed: u64, specials: bool) -> Self::Vector;

    fn zeros(&self, n: usize) -> Self::Vector;
}

impl<T: Sample> Host for HostSpace<T> {
    const LENGTHS: &'static [usize] = if size_of::<T>() > size_of::<Qd>() {
        &[0, 1, 2, 31, 33, 255, 256, 257, 1023, 1024, 1025, 2048, 5000]
    } else {
        &[0, 1, 7, 31, 32, 33, 255, 256, 257, 4095, 4096, 4097, 16_385, 70_001]
    };

    fn device(&self, cuda: &Cuda) -> CudaSpace {
        CudaSpace::numbers::<T>(cuda, self.format(), self.arithmetic()).expect("a space")
    }

    fn random(&self, n: usize, seed: u64, specials: bool) -> Numbers<T> {
        let mut random = Random::new(seed);
        let mut numbers = Numbers::new(self.format());
        (0..n).for_each(|_| numbers.push(T::sample(self.format(), n, specials, &mut random)));
        numbers
    }

    fn zeros(&self, n: usize) -> Numbers<T> {
        Numbers::zeros(self.format(), n)
    }
}

impl Host for RnsSpace {
    const LENGTHS: &'static [usize] = &[0, 1, 31, 33, 255, 257, 1023, 1024, 1025, 2500];

    fn device(&self, cuda: &Cuda) -> CudaSpace {
        CudaSpace::rns(cuda, self).expect("a space")
    }

    fn random(&self, n: usize, seed: u64, specials: bool) -> RnsNumbers {
        let bits = Bits::new(self.format().bits().max(Bits::LEAST)).expect("a precision");
        let binary = HostSpace::<Mp>::new(bits).random(n, seed, specials);
        let mut numbers = RnsNumbers::new(self.format());
        let number = |i| RnsFloat::from_mp(self.format(), binary.entry(i));
        (0..n).for_each(|i| numbers.push(number(i).view()));
        numbers
    }

    fn zeros(&self, n: usize) -> RnsNumbers {
        RnsNumbers::try_zeros(self.format(), n).expect("memory")
    }
}

fn rns(bits: u32) -> RnsSpace {
    RnsSpace::new(&Format::with_bits(bits).unwrap()).unwrap()
}

fn mp(bits: u32, arithmetic: Arithmetic) -> HostSpace<Mp> {
    HostSpace::<Mp>::new(Bits::new(bits).unwrap()).with_arithmetic(arithmetic).unwrap()
}

/// A symmetric matrix with a dominant diagonal: neighbours in a plane, and some further entries, in
/// rows of all lengths.
fn matrix(side: usize, long_rows: bool) -> Coo<f64> {
    let n = side * side;
    let mut random = Random::new(5);
    let mut triplets: Vec<Triplet<f64>> = Vec::new();
    let mut put = |row: usize, col: usize, value: f64| {
        if row < n && col < n {
            triplets.push(Triplet { row, col, value });
            if row != col {
                triplets.push(Triplet { row: col, col: row, value });
            }
        }
    };
    for i in 0..n {
        put(i, i, 5.0 + random.unit());
        put(i, i + 1, -1.0 - random.unit() / 8.0);
        put(i, i + side, -1.0);
        if long_rows && i.is_multiple_of(17) {
            (0..i / 17 % 40).for_each(|k| put(i, i + 2 + 3 * k, 1e-3 * random.unit() - 5e-4));
        }
    }
    Coo::new(n, n, triplets).unwrap()
}

fn short(a: &Coo<f64>) -> Csr<f64> {
    Csr::from_coo(a.clone()).unwrap()
}

/// Values with bits in all places.
fn full<T: Sample>(a: &Coo<f64>, format: T::Format) -> Csr<T> {
    let third = T::ONE.to_format(format) / T::from_f64(3.0);
    short(a).map(format, |x| T::from_f64(x) * third).unwrap()
}
