use nonius_linalg::mp::{Matrix, Mp, Numbers};
use nonius_linalg::{Error, Matrix as Limbs};
use nonius_num::{Dd, Qd};
use nonius_testkit::Random;

use crate::{bits, matrix};

#[test]
fn storage() {
    let p = bits(130);
    let mut numbers = Numbers::new(p);
    assert!(numbers.is_empty());
    for text in ["0.1", "-3", "inf"] {
        numbers.push(Mp::from_decimal(bits(200), text.as_bytes()).unwrap().view());
    }
    let texts: Vec<String> = (0..numbers.len()).map(|i| numbers.at(i).to_string()).collect();
    assert_eq!(texts, ["0.1", "-3", "inf"]);
    assert_eq!(numbers.as_slice().words().len(), 3 * p.words());
    numbers.set(2, Mp::one(bits(64)).view());
    assert_eq!(numbers.as_slice().range(1..3).at(1), Mp::one(p).view());
    let (first, rest) = numbers.as_mut_slice().split_at(1);
    assert_eq!((first.len(), rest.len()), (1, 2));
    let lengths: Vec<usize> = numbers.as_mut_slice().pieces(2).iter().map(|s| s.len()).collect();
    assert_eq!(lengths, [2, 1]);
    assert!(Matrix::from_columns(2, 2, numbers).is_none());
}

#[test]
fn identity_and_shapes() {
    let eye = Matrix::identity(bits(100), 3);
    assert_eq!(eye, Matrix::identity(bits(300), 3));
    assert!(eye.at(1, 1) == Mp::one(bits(64)).view() && eye.at(0, 1).head().is_zero());
    assert!(eye != Matrix::zeros(bits(100), 3, 3) && eye != Matrix::identity(bits(100), 2));
    let (rows, cols) = (usize::MAX, 2);
    let error = Matrix::try_zeros(bits(64), rows, cols).unwrap_err();
    assert_eq!(error, Error::TooLarge { rows, cols });
    assert!(Matrix::try_zeros(bits(4096), 1 << 40, 1 << 18).is_err());
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
            assert_eq!(narrow.at(i, j), wide.at(i, j).to_mp(bits(64)).view());
        }
    }
    let b = matrix(bits(107), 4, 3, 2);
    let dd = b.to_limbs::<Dd>()[(3, 2)];
    let error = &Mp::from_multifloat(bits(107), dd) - &b.at(3, 2).to_mp(bits(107));
    assert!(error.to_f64().abs() <= 0.5_f64.powi(106) * dd.to_f64().abs());
}

#[test]
fn inverses_by_elimination() {
    use nonius_linalg::dense::Transpose;
    use nonius_linalg::dense::gemm::Products;
    use nonius_linalg::mp::{gemm, inverse};

    let bits = bits(300);
    for n in [0, 1, 2, 9, 30] {
        // Diagonally dominant once its rows are in order: no pivot is where it has to be.
        let entry = |i: usize, j: usize| {
            let far = ((7 * i + 3 * j) % 11) as f64;
            Mp::from_f64(bits, if (i + 1) % n == j { 20.0 * n as f64 } else { far })
        };
        let a = Matrix::from_fn(bits, n, n, entry);
        let r = inverse(&a).unwrap();
        let (no, one) = (Transpose::No, Mp::one(bits));
        let mut c = Matrix::identity(bits, n);
        let minus = -Mp::one(bits);
        gemm(Products::default(), no, no, minus.view(), &a, &r, one.view(), &mut c).unwrap();
        // |I − A·R| <= 3u·|L||U||R| and terms of order u², and |L||U||R| is below 2·n for such matrices.
        let bound = 6.0 * n as f64;
        for i in 0..c.numbers().len() {
            assert!(c.numbers().at(i).to_mp(bits).ldexp(300).to_f64().abs() <= bound, "{n}");
        }
    }
    let singular =
        Matrix::from_fn(bits, 3, 3, |i, j| Mp::from_f64(bits, ((i + 1) * (j + 1)) as f64));
    assert_eq!(inverse(&singular), Err(Error::Singular { column: 1 }));
    let flat = Matrix::zeros(bits, 2, 3);
    assert_eq!(inverse(&flat), Err(Error::NotSquare { rows: 2, cols: 3 }));
}
