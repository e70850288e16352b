use nonius_linalg::mp::{Lu, Matrix, Mp, Numbers};
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
    let error = Mp::from_multifloat(bits(107), dd) - b.at(3, 2).to_mp(bits(107));
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

#[test]
fn blocks_and_rows() {
    let a = matrix(bits(130), 5, 4, 3);
    let mut b = Matrix::zeros(bits(130), 5, 4);
    for (rows, cols) in [(0..2, 0..3), (2..5, 0..3), (0..2, 3..4), (2..5, 3..4), (1..1, 2..2)] {
        b.set_block(rows.start, cols.start, &a.block(rows, cols));
    }
    assert_eq!(a, b);
    assert_eq!(a.transposed().shape(), (4, 5));
    assert_eq!(a.transposed().transposed(), a);
    let picked = a.with_rows(&[3, 0, 3]);
    assert!((0..4).all(|j| picked.at(2, j) == a.at(3, j) && picked.at(1, j) == a.at(0, j)));
    assert!(a.with_bits(bits(64)).at(4, 3) == a.at(4, 3).to_mp(bits(64)).view());
    assert_eq!(a.with_bits(bits(300)), a);
}

/// `|P·A − L·U| <= (2.1·n + 8)·u·|L||U|`, with products in twice the bits.
#[test]
fn factors() {
    for n in [0, 1, 2, 31, 32, 33, 64, 65, 100, 130] {
        for p in [64, 130, 300] {
            let a = matrix(bits(p), n, n, n as u64);
            let lu = Lu::new(&a).unwrap();
            assert_eq!(lu.order(), n);
            let (rows, factors) = (a.with_rows(lu.rows()), lu.factors());
            let wide = bits(2 * p);
            let one = Mp::one(wide);
            let unit = Mp::from_f64(wide, 2.1 * n as f64 + 8.0).ldexp(-(p as i32));
            for j in 0..n {
                for i in 0..n {
                    let (mut sum, mut size) = (rows.at(i, j).to_mp(wide), Mp::zero(wide));
                    for k in 0..=i.min(j) {
                        let left = if k == i { one } else { factors.at(i, k).to_mp(wide) };
                        let term = left * factors.at(k, j).to_mp(wide);
                        sum -= term;
                        size += term.abs();
                    }
                    assert!(sum.abs() <= unit * size, "n = {n}, p = {p}, ({i}, {j})");
                }
                let below = (j + 1..n).map(|i| factors.at(i, j).to_mp(wide).abs().to_f64());
                // A reciprocal and a product are rounded.
                assert!(below.fold(0.0, f64::max) <= 1.0 + 4.0 * f64::EPSILON);
            }
        }
    }
    let singular = Matrix::from_fn(bits(64), 40, 40, |i, j| Mp::from_f64(bits(64), (i * j) as f64));
    assert!(matches!(Lu::new(&singular), Err(Error::Singular { .. })));
    let wide = Matrix::zeros(bits(64), 2, 3);
    assert_eq!(Lu::new(&wide).unwrap_err(), Error::NotSquare { rows: 2, cols: 3 });
}

/// `|L·Y − I| <= (2.1·n + 10)·u·|L||Y|`, and the same for the transpose of `U`.
#[test]
fn inverses_of_triangles() {
    for n in [1, 32, 33, 70] {
        let lu = Lu::new(&matrix(bits(200), n, n, 7)).unwrap();
        for p in [64, 200] {
            let wide = bits(500);
            let unit = Mp::from_f64(wide, 2.1 * n as f64 + 10.0).ldexp(-(p as i32));
            let one = Mp::one(wide);
            let lower = |i: usize, k: usize| match k == i {
                true => one,
                false => lu.factors().at(i, k).to_mp(wide),
            };
            let upper = |i: usize, k: usize| lu.factors().at(k, i).to_mp(wide);
            let triangles: [&dyn Fn(usize, usize) -> Mp; 2] = [&lower, &upper];
            for (y, l) in lu.inverse_triangles(bits(p)).unwrap().iter().zip(triangles) {
                for j in 0..n {
                    for i in 0..n {
                        let eye = if i == j { one } else { Mp::zero(wide) };
                        let (mut sum, mut size) = (-eye, Mp::zero(wide));
                        for k in 0..=i {
                            let term = l(i, k) * y.at(k, j).to_mp(wide);
                            sum += term;
                            size += term.abs();
                        }
                        assert!(sum.abs() <= unit * size, "n = {n}, p = {p}, ({i}, {j})");
                    }
                }
            }
        }
    }
}
