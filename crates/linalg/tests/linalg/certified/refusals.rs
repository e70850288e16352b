//! Systems that are refused, and what is said of them.

use nonius_linalg::Error;
use nonius_linalg::certified::{Data, Failure, MOST_DIGITS, Options};
use nonius_linalg::mp::Mp;

use crate::certified::common::{Random, bits, failure, matrix, number, options, product, solved};

fn ones(n: usize) -> Data {
    Data::exact(matrix(n, 1, |_, _| number(1.0)))
}

#[test]
fn singular_matrices() {
    let a = |n: usize, f: &dyn Fn(usize, usize) -> f64| {
        Data::exact(matrix(n, n, |i, j| number(f(i, j))))
    };
    let counting = a(3, &|i, j| (3 * i + j + 1) as f64);
    assert_eq!(failure(&counting, &ones(3), 10), Failure::Singular { rank: 2, order: 3 });
    let twelfth = a(12, &|i, j| ((i + 1) * (j + 1)) as f64 * 2.0_f64.powi(40 * i as i32));
    assert_eq!(failure(&twelfth, &ones(12), 10), Failure::Singular { rank: 1, order: 12 });
    let row = a(4, &|i, j| if i == 2 { 0.0 } else { (i + 2 * j + i * j * j) as f64 });
    assert_eq!(failure(&row, &ones(4), 10), Failure::Zero { row: true, index: 2 });
    let column = a(4, &|i, j| if j == 3 { 0.0 } else { (i + 2 * j + 1) as f64 });
    assert_eq!(failure(&column, &ones(4), 10), Failure::Zero { row: false, index: 3 });
    // Two columns share their only row.
    let structure = a(3, &|i, j| f64::from(u8::from(i == 1 || j == 2)));
    assert_eq!(failure(&structure, &ones(3), 10), Failure::Singular { rank: 2, order: 3 });
}

#[test]
fn too_few_bits() {
    let near = matrix(2, 2, |i, j| {
        if (i, j) == (0, 0) { number(1.0) + number(1.0).ldexp(-900) } else { number(1.0) }
    });
    let (a, b) = (Data::exact(near.clone()), Data::exact(matrix(2, 1, |i, _| number(i as f64))));
    let asked = Options { most_bits: bits(512), ..options(10) };
    let refusal = solved(&a, &b, asked).unwrap_err();
    assert_eq!(refusal.failure, Failure::Precision { most: bits(512), nonsingular: false });
    assert!(refusal.route.len() > 3 && refusal.condition.is_some());
    let rank = refusal.rank.as_ref().unwrap();
    assert_eq!((rank.rank, rank.order, rank.bits), (1, 2, bits(512)));
    // What rounding may have done: five units of a pivot of 1, and one of an entry of more bits.
    assert!(rank.tolerance.log10() < -512.0 * 2.0_f64.log10() + 1.0, "{}", rank.tolerance);
    // 900 bits of condition at the most.
    assert!((512..=940).contains(&refusal.bits_needed.unwrap()));
    assert!(refusal.to_string().contains("its numerical rank is 1 of 2"), "{refusal}");
    solved(&a, &b, options(10)).unwrap();
    // Nonsingular, with an entry so small that its digits need more bits than there may be: 100 and
    // those of the digits.
    let a = matrix(2, 2, |i, j| number([[3.0, 1.0], [1.0, 7.0]][i][j]));
    let third = number(1.0) / number(3.0);
    let b = product(&a, &matrix(2, 1, |i, _| third.ldexp(-100 * i as i32)));
    let (a, b) = (Data::exact(a), Data::exact(b));
    let asked = Options { most_bits: bits(128), ..options(20) };
    let refusal = solved(&a, &b, asked).unwrap_err();
    assert_eq!(refusal.failure, Failure::Precision { most: bits(128), nonsingular: true });
    let needed = refusal.bits_needed.unwrap();
    assert!(refusal.rank.is_none() && (129..200).contains(&needed), "{needed}");
    let asked = Options { most_bits: bits(needed), ..asked };
    solved(&a, &b, asked).unwrap();
}

/// Products of integer matrices `n × r` and `r × n`, times powers of two, beside changes `2^-k` of
/// the entries.
#[test]
fn numerical_ranks() {
    let mut random = Random::new(21);
    for (n, r, k) in [(1, 1, 0), (2, 1, 400), (9, 4, 500), (30, 17, 600), (40, 39, 700)] {
        let integer = |random: &mut Random| (random.unit() * 40.0).round();
        let left: Vec<f64> = (0..n * r).map(|_| integer(&mut random)).collect();
        let right: Vec<f64> = (0..n * r).map(|_| integer(&mut random)).collect();
        let noise: Vec<f64> = (0..n * n).map(|_| random.unit()).collect();
        let entry = |i: usize, j: usize| (0..r).map(|l| left[i * r + l] * right[l * n + j]).sum();
        let near = |i: usize, j: usize| {
            let change = number(noise[i * n + j]).ldexp(-k);
            let sum = if k > 0 { number(entry(i, j)) + change } else { number(entry(i, j)) };
            sum.ldexp(5 * i as i32 - 3 * j as i32)
        };
        let (a, b) = (Data::exact(matrix(n, n, near)), ones(n));
        let asked = Options { most_bits: bits(320), ..options(10) };
        if r == n {
            solved(&a, &b, asked).unwrap();
            continue;
        }
        let refusal = solved(&a, &b, asked).unwrap_err();
        assert_eq!(refusal.failure, Failure::Precision { most: bits(320), nonsingular: false });
        let rank = refusal.rank.unwrap();
        assert_eq!((rank.rank, rank.order), (r, n));
        // The tolerance is not below what is left of the change, nor far above the unit of 320
        // bits.
        let log2 = rank.tolerance.log10() / 2.0_f64.log10();
        assert!((-322.0..-300.0).contains(&log2), "{log2}");
        assert!(refusal.bits_needed.unwrap() > 320);
        let exact = Data::exact(matrix(n, n, |i, j| number(entry(i, j))));
        assert_eq!(failure(&exact, &b, 10), Failure::Singular { rank: r, order: n });
    }
}

#[test]
fn decimals_read_with_too_few_bits() {
    let read = |p: u32, text: &str| {
        let stored = nonius_linalg::sparse::matrix_market::read_as::<nonius_linalg::certified::Datum>(
            bits(p).into(),
            text.as_bytes(),
        );
        stored.unwrap().into_dense().unwrap()
    };
    let near = |p| {
        read(
            p,
            "%%MatrixMarket matrix array real general\n2 2\n0.1\n0.3\n0.1\n0.30000000000000000000000000001\n",
        )
    };
    assert_eq!(failure(&near(64), &ones(2), 30), Failure::Data { bits: bits(64) });
    assert_eq!(failure(&near(128), &ones(2), 30), Failure::Data { bits: bits(128) });
    let b = Data::exact(matrix(2, 1, |i, _| number([1.0, 2.0][i])));
    solved(&near(320), &b, options(30)).unwrap();
    let singular =
        |p| read(p, "%%MatrixMarket matrix array real general\n2 2\n0.1\n0.3\n0.2\n0.6\n");
    assert_eq!(failure(&singular(640), &ones(2), 5), Failure::Data { bits: bits(640) });
    // Repeated entries that cancel leave nothing known.
    let lost =
        read(64, "%%MatrixMarket matrix coordinate real general\n1 1 2\n1 1 0.1\n1 1 -0.1\n");
    assert_eq!(lost.relative_error(), Some(i32::MAX));
    assert_eq!(failure(&lost, &ones(1), 5), Failure::Data { bits: bits(64) });
    let partly =
        read(64, "%%MatrixMarket matrix coordinate real general\n1 1 2\n1 1 0.1\n1 1 -0.09999\n");
    assert!(partly.relative_error().is_some_and(|e| (-55..-45).contains(&e)));
    let whole = read(
        64,
        "%%MatrixMarket matrix coordinate real general\n1 1 3\n1 1 0.5\n1 1 1e15\n1 1 3\n",
    );
    assert!(whole.is_exact());
}

#[test]
fn zeros_that_cannot_be_told() {
    // x = (1/3, 0) for decimals: an error bound never proves the zero.
    let text = "%%MatrixMarket matrix array real general\n2 2\n0.3\n0.6\n0.1\n0.5\n";
    let read = |p: u32| {
        let stored = nonius_linalg::sparse::matrix_market::read_as::<nonius_linalg::certified::Datum>(
            bits(p).into(),
            text.as_bytes(),
        );
        stored.unwrap().into_dense().unwrap()
    };
    let b = Data::exact(matrix(2, 1, |i, _| number([1.0, 2.0][i])));
    let Failure::Undecided(open) = failure(&read(512), &b, 10) else { panic!() };
    assert_eq!((open.len(), open[0].row, open[0].col), (1, 1, 0));
    assert!(open[0].bound.log10() < -20.0);
    assert_eq!(failure(&read(128), &b, 10), Failure::Data { bits: bits(128) });
}

#[test]
fn what_is_no_system() {
    let square = Data::exact(matrix(2, 2, |i, j| number((1 + i * j) as f64)));
    let wide = Data::exact(matrix(2, 3, |_, _| number(1.0)));
    let input = |a: &Data, b: &Data| match failure(a, b, 10) {
        Failure::Input(error) => error,
        other => panic!("{other}"),
    };
    assert_eq!(input(&wide, &ones(2)), Error::NotSquare { rows: 2, cols: 3 });
    let shape = Error::Shape { operand: "b", expected: (2, 1), found: (3, 1) };
    assert_eq!(input(&square, &ones(3)), shape);
    let nan = Data::exact(matrix(2, 2, |i, j| if i > j { Mp::nan(bits(64)) } else { number(1.0) }));
    assert_eq!(input(&nan, &ones(2)), Error::NotFinite { operand: "a", row: 1, col: 0 });
    let infinite = Data::exact(matrix(2, 1, |_, _| Mp::infinity(bits(64), true)));
    assert_eq!(input(&square, &infinite), Error::NotFinite { operand: "b", row: 0, col: 0 });
    let huge = Data::exact(matrix(2, 2, |i, j| number((1 + i * j) as f64).ldexp(1 << 27)));
    assert_eq!(input(&huge, &ones(2)), Error::Overflow { operand: "a", column: 0 });
    let none = Data::exact(matrix(0, 0, |_, _| number(1.0)));
    assert_eq!(
        solved(&none, &Data::exact(matrix(0, 2, |_, _| number(1.0))), options(10))
            .unwrap()
            .x
            .shape(),
        (0, 2)
    );
    assert_eq!(
        failure(&square, &ones(2), MOST_DIGITS + 1),
        Failure::TooManyDigits(MOST_DIGITS + 1)
    );
}
