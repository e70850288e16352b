//! Products with vectors: all formats against the textbook, every register against the others.

use crate::every::at_every_level;
use nonius_linalg::accumulate::{Accumulator, Sum};
use nonius_linalg::mp::{Bits, Mp, Numbers};
use nonius_linalg::sparse::{Csr, Dia, Ell, Full, Jad, Layout, Multiplies, spmv};
use nonius_linalg::{Error, Scalar, limbs_of, reference};
use nonius_num::mp::Dot;
use nonius_num::{Dd, Qd, Real, Td};
use nonius_testkit::Random;

use crate::sparse::common::{SHAPES, csr, triplets};

fn product<A: Layout<Number = V>, V: Scalar, T: Scalar>(a: &A, x: &[T]) -> Vec<T> {
    // What was there before does not matter.
    let mut y = vec![T::from_f64(f64::NAN); a.shape().0];
    spmv(a, x, &mut y).unwrap();
    y
}

/// The product by every format; all but those by diagonals and by all entries are the same bits.
fn by_all_formats<V: Scalar, T: Scalar>(a: &Csr<V>, x: &[T]) -> [Vec<T>; 5] {
    [
        product(a, x),
        product(&Ell::from_csr(a).unwrap(), x),
        product(&Jad::from_csr(a).unwrap(), x),
        product(&Dia::from_csr(a).unwrap(), x),
        product(&Full::from_csr(a).unwrap(), x),
    ]
}

fn bits_of<T: Scalar>(x: &[T]) -> Vec<u64> {
    limbs_of(x).iter().map(|x| if x.is_nan() { u64::MAX } else { x.to_bits() }).collect()
}

fn products<V: Scalar, T: Scalar, const N: usize>(number: fn(&mut Random) -> V) {
    for (seed, (rows, cols)) in SHAPES.into_iter().enumerate() {
        let a = csr(triplets(rows, cols, number, 10 + seed as u64));
        let mut random = Random::new(seed as u64);
        let x: Vec<T> = (0..cols)
            .map(|_| {
                let limbs = random.limbs::<N>();
                T::from_limbs(|limb| limbs[limb])
            })
            .collect();
        let mut expected = vec![T::ZERO; rows];
        reference::spmv::spmv(&a, &x, &mut expected);
        let magnitudes: Vec<f64> = (0..rows)
            .map(|row| {
                a.row(row)
                    .map(|(at, col)| a.values()[at].to_f64().abs() * x[col].to_f64().abs())
                    .sum()
            })
            .collect();
        let mut first: Option<Vec<Vec<u64>>> = None;
        at_every_level(|level| {
            let all = by_all_formats(&a, &x);
            for y in &all {
                for (row, (&y, &e)) in y.iter().zip(&expected).enumerate() {
                    // Diagonals have a step for each of theirs, and all entries one each.
                    let terms = rows + cols;
                    // Of either sum; the operators stay below the bound of delayed sums for two
                    // limbs and more.
                    let c = 2.0 * Accumulator::<N, f64>::error(terms);
                    let bound = c * T::UNIT_ROUNDOFF * magnitudes[row];
                    assert!((y - e).abs().to_f64() <= bound, "{} {rows} × {cols}", T::NAME);
                }
            }
            let bits: Vec<_> = all.iter().map(|y| bits_of(y)).collect();
            assert_eq!(bits[0], bits[1]);
            assert_eq!(bits[0], bits[2]);
            assert_eq!(*first.get_or_insert(bits.clone()), bits, "{}", level.name());
        });
    }
}

#[test]
fn f64_values_times_vectors_of_all_limbs() {
    products::<f64, f64, 1>(Random::unit);
    products::<f64, Dd, 2>(Random::unit);
    products::<f64, Td, 3>(Random::unit);
    products::<f64, Qd, 4>(Random::unit);
}

#[test]
fn values_of_the_vectors_precision() {
    products::<Dd, Dd, 2>(Random::number);
    products::<Td, Td, 3>(Random::number);
    products::<Qd, Qd, 4>(Random::number);
}

/// Values of one limb cost less than the same with zeros behind, and yield the same bits.
#[test]
fn one_limb_is_as_good_as_the_same_with_zeros() {
    fn check<T: Scalar, const N: usize>() {
        let short = csr(triplets(65, 40, Random::unit, 3));
        let long = short.map::<T>((), T::from_f64).unwrap();
        let mut random = Random::new(4);
        let x: Vec<T> = (0..40)
            .map(|_| {
                let limbs = random.limbs::<N>();
                T::from_limbs(|limb| limbs[limb])
            })
            .collect();
        let (mut y, mut z) = (vec![T::ZERO; 65], vec![T::ZERO; 65]);
        spmv(&short, &x, &mut y).unwrap();
        spmv(&long, &x, &mut z).unwrap();
        assert_eq!(y, z);
    }
    check::<Dd, 2>();
    check::<Td, 3>();
    check::<Qd, 4>();
}

/// What is not finite spoils the rows that meet it, and no others, but where all entries are terms.
#[test]
fn padding_meets_no_infinity() {
    let a = csr(triplets(65, 33, Random::unit, 8));
    for bad in [f64::INFINITY, f64::NAN] {
        let mut x: Vec<Dd> = (0..33).map(|i| Dd::from_f64(f64::from(i) + 0.5)).collect();
        x[17] = Dd::from_f64(bad);
        let [others @ .., full] = by_all_formats(&a, &x);
        assert!(full.iter().all(|y| !y.is_finite()));
        for y in others {
            for (row, y) in y.iter().enumerate() {
                let value = a.row(row).find(|&(_, col)| col == 17).map(|(at, _)| a.values()[at]);
                match value {
                    None => assert!(y.is_finite()),
                    // Formats differ in whether a stored zero is a term.
                    Some(0.0) => {}
                    Some(value) if bad.is_nan() => assert!(y.is_nan(), "{value}"),
                    Some(value) => assert_eq!(y.to_f64(), bad * value),
                }
            }
        }
    }
}

#[test]
fn shapes_are_checked() {
    let a = csr(triplets(3, 4, Random::unit, 1));
    let error = spmv(&a, &[1.0; 3][..], &mut [0.0; 3][..]).unwrap_err();
    assert_eq!(error, Error::Shape { operand: "x", expected: (4, 1), found: (3, 1) });
    let error = spmv(&a, &[1.0; 4][..], &mut [0.0; 4][..]).unwrap_err();
    assert_eq!(error, Error::Shape { operand: "y", expected: (3, 1), found: (4, 1) });
}

/// Random numbers with exponents that spread.
fn numbers(bits: Bits, count: usize, random: &mut Random) -> Numbers {
    let mut numbers = Numbers::zeros(bits, count);
    for i in 0..count {
        let words: Vec<u64> = (0..bits.words()).map(|_| random.bits()).collect();
        let exponent = -64 * words.len() as i64 + random.below(40) as i64;
        let x = Mp::rounded(bits, random.bits() & 1 == 1, &words, exponent, false);
        numbers.put(i, x.view());
    }
    numbers
}

fn mp_product<A: Layout<Number: Multiplies<Mp>>>(a: &A, bits: Bits, x: &Numbers) -> Numbers {
    let mut y = Numbers::zeros(bits, a.shape().0);
    spmv(a, x, &mut y).unwrap();
    y
}

/// Each row is the sum of its terms with one rounding, in every format, for values of 64 and of as
/// many bits as the vector.
#[test]
fn mp_rows_are_sums_of_products() {
    for (seed, p) in [64, 106, 128, 192, 212, 256, 320, 424, 512, 700].into_iter().enumerate() {
        let bits = Bits::new(p).unwrap();
        let mut random = Random::new(seed as u64);
        for (rows, cols) in SHAPES {
            let a = csr(triplets(rows, cols, Random::unit, seed as u64));
            let x = numbers(bits, cols, &mut random);
            for a in [
                a.to_format::<Mp>(Bits::FEWEST).unwrap(),
                a.map(bits, |x| Mp::from_f64(bits, x) / Mp::from_f64(bits, 3.0)).unwrap(),
            ] {
                let all = [
                    mp_product(&a, bits, &x),
                    mp_product(&Ell::from_csr(&a).unwrap(), bits, &x),
                    mp_product(&Jad::from_csr(&a).unwrap(), bits, &x),
                    mp_product(&Dia::from_csr(&a).unwrap(), bits, &x),
                    mp_product(&Full::from_csr(&a).unwrap(), bits, &x),
                ];
                let mut dot = Dot::new(bits);
                for row in 0..rows {
                    let (mut left, mut right) =
                        (Numbers::new(a.values().bits()), Numbers::new(bits));
                    for (at, col) in
                        a.row(row).filter(|&(at, _)| !a.values().at(at).head().is_zero())
                    {
                        left.push(a.values().at(at));
                        right.push(x.at(col));
                    }
                    let (left, right) = (left.as_slice(), right.as_slice());
                    let mut words = vec![1; bits.words()];
                    let head = dot.of(
                        (left.heads(), left.words()),
                        (right.heads(), right.words()),
                        &mut words,
                    );
                    for y in &all {
                        assert_eq!(
                            (y.at(row).head(), y.at(row).words()),
                            (head, &words[..]),
                            "mp{p}"
                        );
                    }
                }
            }
        }
    }
}

/// A matrix with all its entries, by columns, is what it says.
#[test]
fn full_matrices() {
    assert!(Full::from_columns(2, 3, vec![1.0; 5].into()).is_none());
    assert!(Full::from_columns(usize::MAX, 2, vec![1.0; 2].into()).is_none());
    let a = Full::from_columns(2, 3, vec![1.0, 4.0, 2.0, 5.0, 3.0, f64::NAN].into()).unwrap();
    assert_eq!((a.shape(), a.entries()), ((2, 3), 6));
    let error = a.check_finite("a").unwrap_err();
    assert_eq!(error, Error::NotFinite { operand: "a", row: 1, col: 2 });
    let y = product(&a, &[1.0, 10.0, 100.0]);
    assert!(y[0] == 321.0 && y[1].is_nan());
}
