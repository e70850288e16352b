//! What all operations yield, for comparisons bit by bit.

use nonius_linalg::Numbers;
use nonius_linalg::mp::Mp;

use super::exact::wide;
use super::{Case, Data, Kind, Suite, listed, program};
use crate::cone::Cone;

/// The results of all operations, one after the other, on matrices that are worth several threads,
/// and on a program with a sparse Schur complement.
///
/// # Panics
/// Where one fails.
pub(crate) fn outcomes<S: Suite>(suite: &S) -> Vec<Mp> {
    let programs = [program::large(), program::chain()];
    programs.iter().flat_map(|data| outcomes_of(suite, data)).collect()
}

/// The results of all operations on a program.
///
/// # Panics
/// Where one fails.
pub(crate) fn outcomes_of<S: Suite>(suite: &S, data: &Data) -> Vec<Mp> {
    let mut case = Case::new(suite, data);
    let [(x, _), (y, _)] = [Kind::Definite; 2].map(|kind| case.blocks(kind));
    let (a, _) = case.blocks(Kind::Symmetric);
    let cone = &case.cone;
    let [mut l, mut m, mut inverse, mut work] = [(); 4].map(|()| cone.blocks().unwrap());
    let [mut v, mut w] = [(); 2].map(|()| cone.vector().unwrap());
    let mut all: Vec<Mp> = Vec::new();
    let mut keep = |numbers: &Numbers<super::Number<S>>| {
        all.extend(numbers.as_slice().iter().map(|x| suite.exact(&x)));
    };
    assert!(cone.factor(&x, &mut l).unwrap());
    cone.invert_factor(&l, &mut m);
    cone.gram(&m, &mut inverse);
    let [mut product, mut scratch] = [(); 2].map(|()| cone.blocks().unwrap());
    cone.triple(-0.5, [&x, &a, &y], 0.0, &mut scratch, &mut work);
    cone.triple(1.0, [&inverse, &a, &work], 0.0, &mut scratch, &mut product);
    cone.triple(0.7, [&x, &product, &y], 1.0, &mut scratch, &mut work);
    for a in [&l, &m, &inverse, &work] {
        cone.download_blocks(a).unwrap().iter().for_each(&mut keep);
    }
    cone.symmetrize(&mut work);
    cone.scale_blocks(0.3, &mut work);
    cone.add_blocks(-0.7, &a, &mut work);
    cone.download_blocks(&work).unwrap().iter().for_each(&mut keep);
    cone.constraint_products(&work, &mut v);
    keep(&cone.download_vector(&v).unwrap());
    let products = [cone.inner(&x, &y).unwrap(), cone.constant_product(&work).unwrap()];
    keep(&listed(cone, products.into_iter()));
    cone.combine(&v, 0.9, &mut work);
    cone.download_blocks(&work).unwrap().iter().for_each(&mut keep);

    let mut b = cone.schur().unwrap();
    cone.form_schur(&inverse, &y, &mut b);
    keep(&listed(cone, suite.schur(&b).into_iter()));
    assert!(cone.factor_schur(&[], &mut b).unwrap());
    cone.solve_schur(&b, &mut v);
    keep(&cone.download_vector(&v).unwrap());
    cone.copy_vector(cone.objective(), &mut w);
    cone.scale_vector(0.1, &mut w);
    cone.add_vector(0.3, &v, &mut w);
    keep(&cone.download_vector(&w).unwrap());
    keep(&listed(cone, [cone.dot(&v, &w).unwrap()].into_iter()));
    let numbers = [
        cone.largest(&w).unwrap(),
        cone.largest_entry(&work).unwrap(),
        cone.least_eigenvalue(&m, &a, f64::INFINITY).unwrap(),
    ];
    all.extend(numbers.map(|x| Mp::from_f64(wide(), x)));
    all
}
