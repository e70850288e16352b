//! The fast elementwise kernels against the reference, bit for bit.

use crate::every::at_every_level;
use nonius_linalg::dense::{Operand, Planes, elementwise, powi, sin_cos};
use nonius_linalg::{
    BinaryOp, Error, MatMut, MatRef, Operations, Scalar, TernaryOp, UnaryOp, reference,
};
use nonius_num::{Dd, Qd, Td};
use nonius_testkit::elementwise::same_number;
use nonius_testkit::{Random, Sample};

/// Around the widths of registers and of tiles.
const LENGTHS: [usize; 16] = [0, 1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 127, 128, 129, 300];

/// The operations of a few instructions.
const ARITHMETIC: [&str; 8] = ["neg", "abs", "sqrt", "add", "sub", "mul", "div", "mul_add"];

#[track_caller]
fn assert_same<T: Scalar + Sample>(found: MatRef<'_, T>, expected: MatRef<'_, T>, what: &str) {
    for j in 0..expected.cols() {
        for i in 0..expected.rows() {
            let (x, y) = (found.at(i, j), expected.at(i, j));
            assert!(same_number(x, y), "{} {what} entry ({i}, {j}): {x:?} for {y:?}", T::NAME);
        }
    }
}

fn numbers<T: Scalar + Sample>(random: &mut Random, count: usize) -> Vec<T> {
    (0..count).map(|_| random.special_scalar()).collect()
}

/// Compares with the reference for every mixture of operands: vectors, the output itself, numbers.
fn compare<const K: usize, T: Scalar + Sample>(operation: impl Operations<K>, random: &mut Random) {
    // The functions are slow one by one, and their kernels meet no other boundaries than a tile's.
    let arithmetic = ARITHMETIC.contains(&operation.name());
    for length in
        LENGTHS.into_iter().filter(|length| arithmetic || [1, 9, 65, 129].contains(length))
    {
        let inputs: [Vec<T>; K] = core::array::from_fn(|_| numbers(random, length));
        let planes = inputs.each_ref().map(|x| Planes::from_slice(x));
        let old = numbers::<T>(random, length);
        let constant = random.special_scalar::<T>();
        for mixture in 0..3_usize.pow(K as u32) {
            let operands: [Operand<T, MatRef<'_, T>>; K] =
                core::array::from_fn(|k| match mixture / 3_usize.pow(k as u32) % 3 {
                    0 => Operand::from(&inputs[k]),
                    1 => Operand::Output,
                    _ => Operand::Scalar(constant),
                });
            let mut expected = old.clone();
            reference::elementwise::elementwise(operation, operands, (&mut expected).into());
            at_every_level(|level| {
                let mut found = old.clone();
                elementwise(operation, operands, &mut found).expect("shapes fit");
                let what = format!(
                    "{} n = {length}, mixture {mixture}, {}",
                    operation.name(),
                    level.name()
                );
                assert_same((&found).into(), (&expected).into(), &what);
                let mut found = Planes::from_slice(&old);
                found
                    .assign(
                        operation,
                        core::array::from_fn(|k| match operands[k] {
                            Operand::Entries(_) => Operand::Entries(&planes[k]),
                            Operand::Scalar(x) => Operand::Scalar(x),
                            Operand::Output => Operand::Output,
                        }),
                    )
                    .expect("lengths fit");
                assert_same((&found.to_vec()).into(), (&expected).into(), &what);
            });
        }
    }
}

fn compare_all<T: Scalar + Sample>() {
    let mut random = Random::new(1);
    for &operation in UnaryOp::ALL {
        compare::<1, T>(operation, &mut random);
    }
    for &operation in BinaryOp::ALL {
        compare::<2, T>(operation, &mut random);
    }
    for &operation in TernaryOp::ALL {
        compare::<3, T>(operation, &mut random);
    }
}

#[test]
fn vectors_get_the_bits_of_the_reference() {
    compare_all::<f64>();
    compare_all::<Dd>();
    compare_all::<Td>();
    compare_all::<Qd>();
}

/// Every pair of special numbers, each pair in each lane of a register.
fn compare_specials<T: Scalar + Sample>() {
    let kinds =
        [0.0, -0.0, 1.0, -1.5, f64::NAN, f64::INFINITY, f64::NEG_INFINITY, f64::MAX, 5e-324];
    let (mut x, mut y) = (Vec::new(), Vec::new());
    for a in kinds {
        for b in kinds {
            for place in 0..8 {
                let at = |special: f64| (0..8).map(move |i| if i == place { special } else { 3.0 });
                x.extend(at(a).map(T::from_f64));
                y.extend(at(b).map(T::from_f64));
            }
        }
    }
    for &operation in BinaryOp::ALL {
        let operands = [Operand::from(&x), Operand::from(&y)];
        let mut expected = x.clone();
        reference::elementwise::elementwise(operation, operands, (&mut expected).into());
        at_every_level(|level| {
            let mut found = y.clone();
            elementwise(operation, operands, &mut found).expect("shapes fit");
            let what = format!("{} of specials, {}", operation.name(), level.name());
            assert_same((&found).into(), (&expected).into(), &what);
        });
    }
}

#[test]
fn specials_in_every_lane() {
    compare_specials::<f64>();
    compare_specials::<Dd>();
    compare_specials::<Td>();
    compare_specials::<Qd>();
}

/// Powers by one exponent, and sines with cosines, against those of single numbers.
fn compare_the_others<T: Scalar + Sample>() {
    let mut random = Random::new(4);
    for length in [0, 1, 9, 65, 129, 3000] {
        let x = numbers::<T>(&mut random, length);
        at_every_level(|level| {
            let found = |text: &str| format!("{text} n = {length}, {}", level.name());
            for n in [0, 1, -1, 2, 3, -7, 511, 512, i32::MIN] {
                let expected: Vec<T> = x.iter().map(|x| x.powi(n)).collect();
                let mut z = x.clone();
                powi(&x, n, &mut z).expect("shapes fit");
                assert_same((&z).into(), (&expected).into(), &found(&format!("powi {n}")));
            }
            let (expected_sin, expected_cos): (Vec<T>, Vec<T>) =
                x.iter().map(|x| x.sin_cos()).unzip();
            let (mut sin, mut cos) = (x.clone(), x.clone());
            sin_cos(&x, &mut sin, &mut cos).expect("shapes fit");
            assert_same((&sin).into(), (&expected_sin).into(), &found("sine"));
            assert_same((&cos).into(), (&expected_cos).into(), &found("cosine"));
        });
    }
    // Columns with gaps.
    let (x, mut sin) = (numbers::<T>(&mut random, 35), numbers::<T>(&mut random, 35));
    let (before, mut cos) = (sin.clone(), numbers::<T>(&mut random, 20));
    let view = MatRef::from_parts(&x, 5, 4, 9);
    sin_cos(view, MatMut::from_parts(&mut sin, 5, 4, 9), MatMut::from_parts(&mut cos, 5, 4, 5))
        .expect("shapes fit");
    for (i, &found) in sin.iter().enumerate() {
        let expected = if i % 9 < 5 { x[i].sin_cos().0 } else { before[i] };
        assert!(same_number(found, expected), "{} sine {i}", T::NAME);
    }
    for (i, &found) in cos.iter().enumerate() {
        assert!(same_number(found, view.at(i % 5, i / 5).sin_cos().1), "{} cosine {i}", T::NAME);
    }
    let shape = Error::Shape { operand: "cos", expected: (20, 1), found: (5, 4) };
    let mut one = cos.clone();
    let outcome = sin_cos(&cos, &mut one, MatMut::from_parts(&mut sin, 5, 4, 9));
    assert_eq!(outcome, Err(shape));
    assert!(powi(&cos, 2, MatMut::from_parts(&mut sin, 5, 4, 9)).is_err());
}

#[test]
fn powers_and_sines_with_cosines() {
    compare_the_others::<f64>();
    compare_the_others::<Dd>();
    compare_the_others::<Td>();
    compare_the_others::<Qd>();
}

#[test]
fn matrices_with_gaps_between_their_columns() {
    let mut random = Random::new(2);
    for (rows, cols, ld) in
        [(0, 3, 0), (3, 0, 5), (1, 1, 1), (5, 4, 5), (5, 4, 9), (16, 3, 17), (700, 90, 701)]
    {
        let stored = if cols == 0 { 0 } else { (cols - 1) * ld + rows };
        let x = numbers::<Td>(&mut random, stored);
        let y = numbers::<Td>(&mut random, rows * cols);
        let old = numbers::<Td>(&mut random, stored);
        let operands = [
            Operand::from(MatRef::from_parts(&x, rows, cols, ld)),
            Operand::from(MatRef::from_parts(&y, rows, cols, rows)),
        ];
        let (mut found, mut expected) = (old.clone(), old);
        let view = MatMut::from_parts(&mut expected, rows, cols, ld);
        reference::elementwise::elementwise(BinaryOp::Sub, operands, view);
        let view = MatMut::from_parts(&mut found, rows, cols, ld);
        elementwise(BinaryOp::Sub, operands, view).expect("shapes fit");
        // What lies between the columns stays.
        assert_same((&found).into(), (&expected).into(), "difference of matrices");
    }
}

#[test]
fn results_do_not_depend_on_threads() {
    let mut random = Random::new(3);
    for length in [(1 << 15) - 1, 1 << 16, 100_003] {
        let (x, y) = (numbers::<Qd>(&mut random, length), numbers::<Qd>(&mut random, length));
        let operands = [Operand::from(&x), Operand::from(&y)];
        let mut expected = y.clone();
        reference::elementwise::elementwise(BinaryOp::Mul, operands, (&mut expected).into());
        for threads in [1, 2, 3] {
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
            let mut found = x.clone();
            pool.install(|| elementwise(BinaryOp::Mul, operands, &mut found)).expect("shapes fit");
            assert_same(
                (&found).into(),
                (&expected).into(),
                &format!("product, {threads} threads"),
            );
        }
    }
}

#[test]
fn shapes_must_fit() {
    let x = vec![1.0; 4];
    let mut z = vec![2.0; 3];
    let outcome = elementwise(BinaryOp::Add, [Operand::Output, Operand::from(&x)], &mut z);
    assert_eq!(outcome, Err(Error::Shape { operand: "y", expected: (3, 1), found: (4, 1) }));
    assert_eq!(z, [2.0; 3]);
    let planes = Planes::from_slice(&x);
    let outcome = Planes::from_slice(&z).assign(UnaryOp::Neg, [Operand::from(&planes)]);
    assert_eq!(outcome, Err(Error::Shape { operand: "x", expected: (3, 1), found: (4, 1) }));
}

#[test]
fn operations_are_found_by_name() {
    assert_eq!(BinaryOp::from_name("div"), Some(BinaryOp::Div));
    assert_eq!(UnaryOp::from_name("div"), None);
}
