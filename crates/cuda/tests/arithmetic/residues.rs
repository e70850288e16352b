//! Integers, residues and numbers of the residue engine.

use nonius_linalg::{Scalar, limbs_of, limbs_of_mut};
use nonius_num::rns::{Crt, FixedPoint, Moduli};
use nonius_num::{Lane, MultiFloat};
use nonius_testkit::Random;

use crate::library::of_width;

type Words = unsafe extern "C" fn(usize, *const f64, *mut u32);
type Residues = unsafe extern "C" fn(usize, *const i32, f32, i32, *mut i32);
type Numbers = unsafe extern "C" fn(usize, *const i64, *const i64, f64, *const i32, *mut f64);

const COUNT: usize = 200_000;
/// The bits of the float that sums start from, and its number.
const ANCHOR: i32 = 0x4b40_0000;
const ANCHOR_NUMBER: i64 = 12_582_912;

fn words<const N: usize>()
where
    MultiFloat<N>: Scalar,
{
    let bits = 53 * N as u32;
    let mut random = Random::new(1);
    let number = |i: usize| -> MultiFloat<N> {
        let limbs: [f64; 4] = random.limbs();
        let x = MultiFloat::from_limbs(core::array::from_fn(|l| limbs[l]));
        // Halves of integers are ties.
        let drop = [0, 1, random.below(bits as usize + 2) as i32][i % 3];
        let x = x.ldexp(bits as i32 - drop);
        if i.is_multiple_of(5) {
            MultiFloat::from(x.limbs()[0].round()) * MultiFloat::from(0.5)
        } else {
            x
        }
    };
    let numbers: Vec<MultiFloat<N>> = (0..COUNT).map(number).collect();
    let mut found = vec![0_u32; 8 * COUNT];
    // SAFETY: the function has this type, reads `COUNT` numbers and writes eight words for each.
    unsafe {
        let function: Words = of_width(N).function("crt_words");
        function(COUNT, limbs_of(&numbers).as_ptr(), found.as_mut_ptr());
    }
    let fixed = FixedPoint::new(bits, 32);
    for (number, found) in numbers.iter().zip(found.chunks_exact(8)) {
        let mut digits = [0.0; 8];
        fixed.split(number.limbs(), |i, digit| digits[i] = digit);
        let mut carry = 0_i64;
        for (i, (digit, &word)) in digits.into_iter().zip(found).enumerate() {
            let digit = (digit / 2.0_f64.powi(32 * i as i32)) as i64 + carry;
            carry = digit >> 32;
            let offset = if i == 7 { 1 << 31 } else { 0 };
            assert_eq!(digit as u32 ^ offset, word, "{number:?}");
        }
    }
}

#[test]
fn integers_have_the_hosts_words() {
    words::<2>();
    words::<3>();
    words::<4>();
}

#[test]
fn residues_are_congruent_and_fit_bytes() {
    let library = of_width(2);
    // SAFETY: the functions have this type.
    let (bytes, pairs): (Residues, Residues) =
        unsafe { (library.function("crt_bytes"), library.function("crt_pairs")) };
    let mut random = Random::new(2);
    let mut sum = |range: i64| random.below(2 * range as usize + 1) as i64 - range;
    for &m in Moduli::bytes(900).unwrap().values() {
        let modulus = i64::from(m);
        let sums: Vec<i64> = (0..20_000).map(|_| sum(1 << 21)).collect();
        let mut found = vec![0_i32; 30_000];
        if m <= Moduli::LARGEST_OF_ONE_BYTE {
            let start = (-ANCHOR_NUMBER).rem_euclid(modulus);
            let started: Vec<i32> =
                sums.iter().map(|x| (i64::from(ANCHOR) + start + x) as i32).collect();
            // SAFETY: as many numbers are read and written as there are.
            unsafe {
                bytes(
                    started.len(),
                    started.as_ptr(),
                    1.0 / m as f32,
                    -(m as i32),
                    found.as_mut_ptr(),
                );
            }
            for (x, &found) in sums.iter().zip(&found) {
                assert_eq!((x - i64::from(found)) % modulus, 0, "{x} modulo {m}: {found}");
            }
            continue;
        }
        let started: Vec<i32> = sums.iter().map(|x| (i64::from(ANCHOR) + x) as i32).collect();
        // SAFETY: two sums are read and three digits written for each.
        unsafe {
            pairs(
                started.len() / 2,
                started.as_ptr(),
                1.0 / m as f32,
                -(m as i32),
                found.as_mut_ptr(),
            );
        }
        for (x, found) in sums.chunks_exact(2).zip(found.chunks_exact(3)) {
            let [low, high, sum] = [0, 1, 2].map(|i| i64::from(found[i]));
            assert!([low, high, sum].iter().all(|digit| (-128..128).contains(digit)));
            assert_eq!(sum, low + high);
            assert_eq!((x[0] + 128 * x[1] - low - 128 * high) % modulus, 0, "{x:?} modulo {m}");
        }
    }
}

#[test]
fn sums_of_residues_are_balanced() {
    type Sums = unsafe extern "C" fn(usize, *const i32, i32, *mut i32);
    // SAFETY: the function has this type.
    let sums: Sums = unsafe { of_width(2).function("crt_sums") };
    let moduli = Moduli::bytes(900).unwrap();
    for &modulus in &moduli.values()[..80] {
        let m = modulus as i32;
        let most = m / 2 + 1;
        let near = [-most, -most + 1, 1 - m / 2, -1, 0, 1, m / 2 - 1, most - 1, most];
        let pairs: Vec<i32> =
            near.iter().flat_map(|&x| near.into_iter().flat_map(move |y| [x, y])).collect();
        let mut found = vec![0; pairs.len() / 2];
        // SAFETY: two numbers are read and one is written for each.
        unsafe { sums(found.len(), pairs.as_ptr(), m, found.as_mut_ptr()) };
        for (pair, &found) in pairs.chunks_exact(2).zip(&found) {
            assert_eq!((pair[0] + pair[1] - found) % m, 0, "{pair:?} modulo {m}");
            assert!(2 * found.abs() <= m, "{pair:?} modulo {m}: {found}");
        }
    }
}

fn numbers<const N: usize>()
where
    MultiFloat<N>: Scalar,
{
    let crt = Crt::new(Moduli::bytes(440).unwrap());
    let product: Vec<i64> = crt
        .product_bytes()
        .chunks_exact(6)
        .map(|bytes| bytes.iter().rev().fold(0, |x, &byte| x << 8 | i64::from(byte)))
        .collect();
    assert_eq!(product.len(), 10);
    let inverse = product.iter().rev().fold(0.0, |x, &digit| x * 2.0_f64.powi(48) + digit as f64);
    let mut random = Random::new(3);
    let mut half = |ends: bool| {
        if ends { 1 << 23 } else { random.below(1 << 24) as i64 - (1 << 23) + 1 }
    };
    let mut canonical = Vec::new();
    for i in 0..COUNT {
        // The highest digit is below half of the product's.
        let count = if i % 7 == 0 { i % 9 } else { 9 };
        for d in 0..10 {
            let digit = if d < count { half((i + d) % 11 == 0) << 24 } else { 0 };
            let low = if d < count { half((i * d) % 13 == 5) } else { 0 };
            canonical.push(digit + low);
        }
    }
    let mut random = Random::new(4);
    let mut values = canonical.clone();
    for values in values.chunks_exact_mut(10) {
        let times = random.below(41) as i64 - 20;
        for (value, digit) in values.iter_mut().zip(&product) {
            *value += times * digit;
        }
        for d in 0..9 {
            let carry = random.below(1 << 12) as i64 - (1 << 11);
            values[d] -= carry << 48;
            values[d + 1] += carry;
        }
    }
    let units: Vec<i32> = (0..COUNT)
        .map(|i| if i % 2 == 0 { -424 } else { random.below(3000) as i32 - 1900 })
        .collect();
    let mut found = vec![MultiFloat::<N>::ZERO; COUNT];
    // SAFETY: the function has this type, reads ten digits and a unit for each number and writes
    // the number.
    unsafe {
        let function: Numbers = of_width(N).function("crt_numbers");
        let to = limbs_of_mut(&mut found).as_mut_ptr();
        function(COUNT, values.as_ptr(), product.as_ptr(), 1.0 / inverse, units.as_ptr(), to);
    }
    for ((digits, &unit), found) in canonical.chunks_exact(10).zip(&units).zip(&found) {
        let mut digits: Vec<[f64; 1]> = digits.iter().map(|&digit| [digit as f64]).collect();
        let [mut expected] = Crt::limbs::<N, 1, f64>(&mut digits);
        let quarter = (f64::from(unit) * 0.25).round_small();
        let step = f64::exp2_integer(quarter);
        for limb in &mut expected {
            *limb = *limb * step * step * step * f64::exp2_integer(f64::from(unit) - 3.0 * quarter);
        }
        assert_eq!(found.limbs().map(f64::to_bits), expected.map(f64::to_bits), "{digits:?}");
    }
}

#[test]
fn numbers_have_the_hosts_bits() {
    numbers::<2>();
    numbers::<3>();
    numbers::<4>();
}
