use nonius_linalg::mp::{Matrix, Mp, Numbers};
use nonius_linalg::{Error, Matrix as Limbs};
use nonius_num::{Dd, Qd};
use nonius_testkit::Random;

use crate::mp::{bits, matrix};

#[test]
fn storage() {
    let p = bits(130);
    let mut numbers = Numbers::new(p);
    assert!(numbers.is_empty());
    for text in ["0.1", "-3", "inf"] {
        numbers.push(Mp::from_decimal(bits(200), text.as_bytes()).unwrap());
    }
    let texts: Vec<String> = (0..numbers.len()).map(|i| numbers.at(i).to_string()).collect();
    assert_eq!(texts, ["0.1", "-3", "inf"]);
    assert_eq!(numbers.as_slice().words().len(), 3 * p.words());
    numbers.put(2, Mp::one(bits(64)).view());
    assert_eq!(numbers.as_slice().range(1..3).entry(1), Mp::one(p).view());
    let (first, rest) = numbers.as_mut_slice().split_at(1);
    assert_eq!((first.len(), rest.len()), (1, 2));
    let lengths: Vec<usize> = numbers.as_mut_slice().pieces(2).iter().map(|s| s.len()).collect();
    assert_eq!(lengths, [2, 1]);
    assert!(Matrix::from_numbers(2, 2, numbers).is_none());
}

#[test]
fn identity_and_shapes() {
    let eye = Matrix::identity_in(bits(100), 3);
    assert_eq!(eye, Matrix::identity_in(bits(300), 3));
    assert!(eye.entry(1, 1) == Mp::one(bits(64)).view() && eye.entry(0, 1).head().is_zero());
    assert!(eye != Matrix::zeros_in(bits(100), 3, 3) && eye != Matrix::identity_in(bits(100), 2));
    let (rows, cols) = (usize::MAX, 2);
    let error = Matrix::try_zeros_in(bits(64), rows, cols).unwrap_err();
    assert_eq!(error, Error::TooLarge { rows, cols });
    assert!(Matrix::try_zeros_in(bits(4096), 1 << 40, 1 << 18).is_err());
}

#[test]
fn limbs_there_and_back() {
    let mut random = Random::new(1);
    let a = Limbs::from_fn(7, 5, |_, _| random.number::<4>());
    // Wide enough for the widest gaps between limbs.
    let wide = Matrix::from_limbs(bits(1000), a.view());
    assert_eq!(wide.to_limbs::<Qd>(), a);
    assert_eq!(wide.to_limbs::<f64>(), a.map(Qd::to_f64));
    let narrow = Matrix::from_limbs(bits(64), a.view());
    for j in 0..5 {
        for i in 0..7 {
            assert_eq!(narrow.entry(i, j), wide.entry(i, j).to_mp(bits(64)).view());
        }
    }
    let b = matrix(bits(107), 4, 3, 2);
    let dd = b.to_limbs::<Dd>()[(3, 2)];
    let error = Mp::from_multifloat(bits(107), dd) - b.entry(3, 2).to_mp(bits(107));
    assert!(error.to_f64().abs() <= 0.5_f64.powi(106) * dd.to_f64().abs());
}

#[test]
fn transposes_and_more_bits() {
    let a = matrix(bits(130), 5, 4, 3);
    assert_eq!(a.transposed().shape(), (4, 5));
    assert_eq!(a.transposed().transposed(), a);
    assert!(a.with_bits(bits(64)).entry(4, 3) == a.entry(4, 3).to_mp(bits(64)).view());
    assert_eq!(a.with_bits(bits(300)), a);
}
