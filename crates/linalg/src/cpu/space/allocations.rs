//! Iterations allocate nothing: the same solution with more of them asks for no more memory.

#![allow(unsafe_code)]
use std::alloc::{GlobalAlloc, Layout as Memory, System};
use std::cell::Cell;
use std::ops::ControlFlow;

use nonius_num::Dd;
use nonius_num::mp::{Bits, Mp};

use crate::backend::Space;
use crate::dense::gemm::Arithmetic;
use crate::krylov::{
    Algorithm, AnySolver, HostSpace, IncompleteCholesky, LinearOperator, Options, Preconditioner,
    jacobi,
};
use crate::sparse::{Coo, Csr, Jad, Triplet};
use crate::{Error, Number, Numbers};

std::thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
}

/// The system's memory, with a count of what each thread asked for.
struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

// SAFETY: every call goes to the system's allocator as it came.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, memory: Memory) -> *mut u8 {
        // A thread that ends has no counter any more.
        let _ = COUNT.try_with(|count| count.set(count.get() + 1));
        // SAFETY: the caller's promise is that of this function.
        unsafe { System.alloc(memory) }
    }

    unsafe fn dealloc(&self, at: *mut u8, memory: Memory) {
        // SAFETY: as above; the memory came from the same allocator.
        unsafe { System.dealloc(at, memory) }
    }
}

/// A tridiagonal matrix that takes many iterations.
fn matrix() -> Csr<f64> {
    let n = 100;
    let mut triplets = Vec::new();
    for i in 0..n {
        triplets.push(Triplet { row: i, col: i, value: 2.0 });
        if i > 0 {
            triplets.push(Triplet { row: i, col: i - 1, value: -1.0 });
            triplets.push(Triplet { row: i - 1, col: i, value: -1.0 });
        }
    }
    Csr::from_coo(Coo::new(n, n, triplets).unwrap()).unwrap()
}

fn check<S: Space>(
    mut space: S,
    a: &impl LinearOperator<S>,
    m: &impl Preconditioner<S>,
    fill: impl Fn(&mut S::Vector),
) -> Result<(), Error> {
    let mut b = space.vector(100)?;
    fill(&mut b);
    let restart = 7;
    for algorithm in
        [Algorithm::Cg, Algorithm::Bicgstab, Algorithm::Minres, Algorithm::Gmres { restart }]
    {
        let mut counts = [0; 3];
        for (count, max_iterations) in counts.iter_mut().zip([3, 3, 30]) {
            let options = Options { max_iterations, tolerance: 0.0, ..Options::default() };
            let mut x = space.vector(100)?;
            let mut solver = AnySolver::new(&space, 100, algorithm)?;
            let before = COUNT.get();
            let report = solver
                .solve(&mut space, a, m, &b, &mut x, &options, |_| ControlFlow::Continue(()))?;
            *count = COUNT.get() - before;
            assert_eq!(report.iterations, max_iterations, "{algorithm}");
        }
        // The first time the space finds its memory.
        assert_eq!(counts[1], counts[2], "{algorithm}");
    }
    Ok(())
}

/// `0, 1, 2, …`
fn count<T: Number>(b: &mut Numbers<T>) {
    (0..b.len()).for_each(|i| b.set(i, T::from_f64(i as f64)));
}

#[test]
fn iterations_allocate_nothing() -> Result<(), Error> {
    let a = matrix();
    let m = jacobi::<_, f64>(&a, (), |x| 1.0 / x)?;
    check(HostSpace::<Dd>::new(()), &Jad::from_csr(&a)?, &m, count)?;
    // Complete factors would end the iteration at once: those of a diagonal.
    let diagonal = a.map::<f64>((), |x| if x > 0.0 { x } else { 0.0 })?;
    check(HostSpace::<Dd>::new(()), &a, &IncompleteCholesky::new(&diagonal)?, count)?;

    let bits = Bits::new(424).unwrap_or_else(|_| unreachable!("424 bits are a precision"));
    let a = a.to_format::<Mp>(Bits::FEWEST)?;
    let m = jacobi::<_, Mp>(&a, Bits::FEWEST, |x| Mp::ONE / x)?;
    for arithmetic in [Arithmetic::Delayed, Arithmetic::Ieee] {
        check(HostSpace::<Mp>::new(bits).with_arithmetic(arithmetic)?, &a, &m, count)?;
    }
    let diagonal = IncompleteCholesky::new(&diagonal.to_format::<Mp>(Bits::FEWEST)?)?;
    check(HostSpace::<Mp>::new(bits), &a, &diagonal, count)
}
