//! Conversions keep every entry, and say what they cannot hold.

use nonius_linalg::Error;
use nonius_linalg::mp::{Bits, Mp};
use nonius_linalg::sparse::{Coo, Csr, Dia, Ell, Jad, Layout, Triplet};
use nonius_num::Dd;
use nonius_testkit::Random;

use crate::sparse::common::{SHAPES, csr, triplets};

/// The entries that are not zero, by row, then column.
fn listed<A: Layout<Number = Dd>>(a: &A) -> Vec<(usize, usize, Dd)> {
    let mut all = Vec::new();
    for row in 0..a.shape().0 {
        let line = a.line_of_row().map_or(row, |lines| lines[row] as usize);
        let mut before = None;
        for (at, col) in (0..a.steps(line, 1)).filter_map(|k| a.term(line, k)) {
            assert!(before < Some(col), "columns ascend");
            before = Some(col);
            if a.values()[at] != Dd::ZERO {
                all.push((row, col, a.values()[at]));
            }
        }
    }
    all
}

#[test]
fn every_format_has_the_entries_of_the_triplets() {
    for (seed, (rows, cols)) in SHAPES.into_iter().enumerate() {
        let coo = triplets(rows, cols, Random::number::<2>, seed as u64);
        let a = csr(coo.clone());
        let mut expected: Vec<_> = coo.triplets().map(|t| (t.row, t.col, t.value)).collect();
        expected.sort_by_key(|&(row, col, _)| (row, col));
        assert_eq!(a.entries(), expected.len());
        expected.retain(|&(_, _, value)| value != Dd::ZERO);
        assert_eq!(listed(&a), expected);
        let (ell, jad) = (Ell::from_csr(&a).unwrap(), Jad::from_csr(&a).unwrap());
        let dia = Dia::from_csr(&a).unwrap();
        assert_eq!(listed(&ell), expected);
        assert_eq!(listed(&jad), expected);
        assert_eq!(listed(&dia), expected);
        assert_eq!((ell.entries(), jad.entries()), (a.entries(), a.entries()));
        assert_eq!(dia.entries(), expected.len());
        for shape in [a.shape(), ell.shape(), jad.shape(), dia.shape()] {
            assert_eq!(shape, (rows, cols));
        }
        let back = csr(a.to_coo());
        assert_eq!(listed(&back), expected);
    }
}

#[test]
fn places_named_twice_are_summed() {
    let t = |row, col, value| Triplet { row, col, value };
    let a = csr(Coo::new(2, 2, vec![t(1, 1, 1.0), t(0, 1, 3.0), t(1, 1, 0.5)]).unwrap());
    assert_eq!(a.entries(), 2);
    assert_eq!(a.diagonal(0), None);
    assert_eq!(a.values()[a.diagonal(1).unwrap()], 1.5);
}

#[test]
fn symmetry_is_checked_by_values() {
    let t = |row, col, value| Triplet { row, col, value };
    let a = |list: Vec<Triplet<f64>>| csr(Coo::new(3, 3, list).unwrap());
    // A stored zero needs no image.
    assert_eq!(a(vec![t(0, 1, 2.0), t(1, 0, 2.0), t(2, 0, 0.0)]).check_symmetric(), Ok(()));
    let error = Err(Error::NotSymmetric { row: 2, col: 0 });
    assert_eq!(a(vec![t(0, 2, 1.0)]).check_symmetric(), error);
    assert_eq!(a(vec![t(0, 2, 1.0), t(2, 0, 1.5)]).check_symmetric(), error);
    let wide = csr(Coo::new(1, 2, vec![t(0, 1, 1.0)]).unwrap());
    assert_eq!(wide.check_symmetric(), Err(Error::NotSquare { rows: 1, cols: 2 }));
}

#[test]
fn the_first_entry_that_is_not_finite_is_named() {
    let t = |row, col, value| Triplet { row, col, value };
    let list = vec![t(0, 0, 1.0), t(1, 0, 1.0), t(1, 2, f64::NAN), t(2, 1, f64::INFINITY)];
    let a = csr(Coo::new(3, 3, list).unwrap());
    let error = Err(Error::NotFinite { operand: "a", row: 1, col: 2 });
    assert_eq!(a.check_finite("a"), error);
    assert_eq!(Ell::from_csr(&a).unwrap().check_finite("a"), error);
    assert_eq!(Jad::from_csr(&a).unwrap().check_finite("a"), error);
    assert_eq!(Dia::from_csr(&a).unwrap().check_finite("a"), error);
}

#[test]
fn what_does_not_fit_is_an_error() {
    let far = Triplet { row: 0, col: 1 << 40, value: 1.0 };
    let a = Coo::new(1, (1 << 40) + 1, vec![far]).unwrap();
    assert!(matches!(Csr::<f64>::from_coo(a), Err(Error::TooLarge { rows: 1, .. })));
    // One row of 2^22 entries makes 2^44 places of 2^22 rows.
    let n = 1 << 22;
    let row = (0..n).map(|col| Triplet { row: 0, col, value: 1.0 }).collect();
    let a = csr(Coo::new(n, n, row).unwrap());
    assert!(matches!(Ell::from_csr(&a), Err(Error::TooLarge { .. })));
    assert!(matches!(Dia::from_csr(&a), Err(Error::TooLarge { .. })));
    assert_eq!(Jad::from_csr(&a).unwrap().entries(), n);
}

#[test]
fn values_of_one_limb_become_numbers_of_64_bits() {
    let a = csr(triplets(20, 30, Random::unit, 5));
    let mp = a.to_format::<Mp>(Bits::FEWEST).unwrap();
    for row in 0..20 {
        for ((at, col), (to, same)) in a.row(row).zip(mp.row(row)) {
            assert_eq!(col, same);
            assert_eq!(mp.values().at(to).to_f64(), a.values()[at]);
        }
    }
    let bits = Bits::new(100).unwrap();
    let wide: Csr<Mp> = a.map(bits, |x| Mp::from_f64(bits, x)).unwrap();
    assert_eq!(wide.values().bits(), bits);
}
