//! Iterations on numbers in residues have the bits of those on binary numbers of the same
//! precision.

use std::ops::ControlFlow;

use nonius_linalg::backend::Space;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{
    Cg, HostSpace, Identity, IncompleteCholesky, LinearOperator, Options, Preconditioner, RnsSpace,
    jacobi,
};
use nonius_linalg::mp::{Bits, Numbers};
use nonius_linalg::sparse::{Dia, Ell, Jad, Layout};
use nonius_num::Mp;
use nonius_num::rns::float::{Format, RnsFloat, RnsNumbers};

use crate::krylov::common::{laplacian, numbers, right_side};

fn options() -> Options {
    Options { tolerance: 1e-25, history: true, ..Options::default() }
}

/// The solution and the history of residuals.
fn solved<S: Space>(
    mut space: S,
    (a, m): (&dyn LinearOperator<S>, &dyn Preconditioner<S>),
    (b, mut x): (S::Vector, S::Vector),
) -> (S::Vector, Vec<f64>) {
    let mut cg = Cg::new(&space, space.length(&b)).unwrap();
    let report =
        cg.solve(&mut space, a, m, &b, &mut x, &options(), |_| ControlFlow::Continue(())).unwrap();
    assert!(report.converged);
    (x, report.history)
}

fn to_rns(format: &Format, x: &[f64]) -> RnsNumbers {
    let mut numbers = RnsNumbers::new(format);
    x.iter().for_each(|&x| numbers.push(RnsFloat::from_f64(format, x).view()));
    numbers
}

fn by_residues<A: Layout<Number = f64>>(
    format: &Format,
    a: &A,
    m: &dyn Preconditioner<RnsSpace>,
    b: &[f64],
) -> (Vec<Mp>, Vec<f64>) {
    let space = RnsSpace::new(format).unwrap();
    let start = to_rns(format, &vec![0.0; b.len()]);
    let (x, history) = solved(space, (a, m), (to_rns(format, b), start));
    ((0..x.len()).map(|i| x.at(i).to_mp()).collect(), history)
}

/// The same preconditioner for binary numbers and for residues.
type Pair<'a> = (&'a dyn Preconditioner<HostSpace<Mp>>, &'a dyn Preconditioner<RnsSpace>);

#[test]
fn iterations_have_the_bits_of_binary_numbers() {
    let a = laplacian(9, 3);
    let b: Vec<f64> = right_side(&a);
    let binary = a.to_format::<Mp>(Bits::FEWEST).unwrap();
    for p in [106, 212, 424, 848] {
        let (bits, format) = (Bits::new(p).unwrap(), Format::with_bits(p).unwrap());
        let space = HostSpace::<Mp>::new(bits).with_arithmetic(Arithmetic::Ieee).unwrap();
        let short = Bits::new(64).unwrap();
        let of_residues = jacobi::<_, f64>(&a, (), |x| 1.0 / x).unwrap();
        let of_binary = jacobi::<_, Mp>(&a, short, |x| Mp::from_f64(short, 1.0 / x)).unwrap();
        let factors = IncompleteCholesky::new(&a).unwrap();
        let binary_factors = factors.to_format::<Mp>(Bits::FEWEST).unwrap();
        let preconditioners: [Pair<'_>; 3] =
            [(&Identity, &Identity), (&of_binary, &of_residues), (&binary_factors, &factors)];
        for (m, of_residues) in preconditioners {
            let start = Numbers::zeros(bits, b.len());
            let (exact, history) =
                solved(space.clone(), (&binary, m), (numbers::<Mp>(bits, &b), start));
            let m = of_residues;
            let check = |(x, steps): (Vec<Mp>, Vec<f64>)| {
                assert_eq!(steps, history, "{p} bits");
                assert!((0..x.len()).all(|i| x[i].view() == exact.entry(i)), "{p} bits");
            };
            check(by_residues(&format, &a, m, &b));
            check(by_residues(&format, &Ell::from_csr(&a).unwrap(), m, &b));
            check(by_residues(&format, &Jad::from_csr(&a).unwrap(), m, &b));
            check(by_residues(&format, &Dia::from_csr(&a).unwrap(), m, &b));
        }
    }
}

#[test]
fn fewer_bits_than_a_double_has_are_refused() {
    assert!(RnsSpace::new(&Format::with_bits(52).unwrap()).is_none());
    assert!(RnsSpace::new(&Format::with_bits(53).unwrap()).is_some());
}
