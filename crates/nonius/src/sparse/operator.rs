//! Systems whose matrix, preconditioner or observer is a function of vectors.

use std::cell::{Cell, RefCell};
use std::fmt;
use std::ops::ControlFlow;
use std::rc::Rc;
use std::time::Instant;

use nonius_linalg::Number as _;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_linalg::krylov::{
    Algorithm, AnySolver, HostSpace, Identity, IncompleteCholesky, Inverse, LinearOperator,
    Preconditioner, Step, block_jacobi, jacobi,
};
use nonius_linalg::sparse::{Coo, Csr, Layout, Multiplies};
use nonius_linalg::{Error, Numbers};
use nonius_num::{Real, Ring};

use super::room::check_room;
use super::shared::{Shared, SharedSpace, lend};
use super::{Iteration, Options, Preconditioning, Report, Values};
use crate::device::{Device, Place, Reason};
use crate::{Matrix, Number};

/// `y ← f(x)` for vectors, which are matrices of one column; `y` has any numbers before. A function
/// that breaks off ends the iteration.
pub type Map<'a, T> = &'a mut dyn FnMut(&Matrix<T>, &mut Matrix<T>) -> ControlFlow<()>;

/// Hears of an iteration and of `x`, and may stop it.
type Observe<'a, T> = &'a mut dyn FnMut(Step, &Matrix<T>) -> ControlFlow<()>;

/// The system `A·x = b` on the CPU, where `A` or a preconditioner is a function of vectors, or an
/// observer looks at `x`.
///
/// [`Solve`](super::Solve) is for all other systems: it takes numbers near the ends of their range,
/// and judges the residual with more bits. Iterations of both have the same bits.
///
/// ```
/// use std::ops::ControlFlow::{self, Continue};
///
/// use nonius::prelude::*;
/// use nonius::sparse::SolveOperator;
///
/// // Second differences, by a function.
/// let mut a = |x: &Matrix<Qd>, y: &mut Matrix<Qd>| -> ControlFlow<()> {
///     let n = x.rows();
///     for i in 0..n {
///         let before = if i == 0 { Qd::ZERO } else { x[(i - 1, 0)] };
///         let after = if i + 1 == n { Qd::ZERO } else { x[(i + 1, 0)] };
///         y[(i, 0)] = x[(i, 0)] * 2.0 - before - after;
///     }
///     Continue(())
/// };
/// let b = Matrix::from_fn(9, 1, |_, _| Qd::ONE);
/// let mut seen = 0;
/// let mut count = |_, x: &Matrix<Qd>| {
///     seen += usize::from(x[(4, 0)] > Qd::ZERO);
///     Continue(())
/// };
/// let (x, report) = SolveOperator::new(&mut a, &b).observe(&mut count).run()?;
/// assert!(report.iteration.converged && report.iteration.iterations == seen);
/// assert!((x[(4, 0)] - 12.5).abs().to_f64() < 1e-55);
/// # Ok::<(), nonius::sparse::Error>(())
/// ```
#[must_use = "a system is solved by `run`"]
pub struct SolveOperator<'a, T: Number> {
    a: Given<'a, T>,
    b: &'a Matrix<T>,
    x0: Option<&'a Matrix<T>>,
    m: Option<Inverted<'a, T>>,
    algorithm: Algorithm,
    iteration: Iteration,
    observe: Option<Observe<'a, T>>,
}

/// A matrix, by a function or by its entries.
enum Given<'a, T: Number> {
    Map(Map<'a, T>),
    Entries(Values<T>, Preconditioning),
}

/// The inverse of a preconditioner, likewise.
enum Inverted<'a, T: Number> {
    Map(Map<'a, T>),
    Entries(Values<T>),
}

impl<'a, T: Number> SolveOperator<'a, T> {
    /// A system whose matrix is the function `a`, and the right-hand side `b`, `n × 1`. The report
    /// counts no entries.
    pub fn new(a: Map<'a, T>, b: &'a Matrix<T>) -> Self {
        Self::of(Given::Map(a), b)
    }

    /// A system by the entries of its matrix, with a preconditioner made of them.
    pub fn entries(a: Values<T>, preconditioning: Preconditioning, b: &'a Matrix<T>) -> Self {
        Self::of(Given::Entries(a, preconditioning), b)
    }

    fn of(a: Given<'a, T>, b: &'a Matrix<T>) -> Self {
        let (algorithm, iteration) = (Algorithm::default(), Iteration::default());
        Self { a, b, x0: None, m: None, algorithm, iteration, observe: None }
    }

    /// The vector with which the iteration begins, in place of zero.
    pub fn start(mut self, x0: &'a Matrix<T>) -> Self {
        self.x0 = Some(x0);
        self
    }

    /// The inverse of a preconditioner, `z ← M⁻¹·r`, as a function.
    pub fn inverse(mut self, m: Map<'a, T>) -> Self {
        self.m = Some(Inverted::Map(m));
        self
    }

    /// The inverse of a preconditioner by its entries.
    pub fn inverse_entries(mut self, m: Values<T>) -> Self {
        self.m = Some(Inverted::Entries(m));
        self
    }

    /// The method: conjugate gradients by default.
    pub fn algorithm(mut self, algorithm: Algorithm) -> Self {
        self.algorithm = algorithm;
        self
    }

    /// When the iteration ends.
    pub fn iteration(mut self, iteration: Iteration) -> Self {
        self.iteration = iteration;
        self
    }

    /// Has `observe` hear of every iteration, of GMRES every cycle, and of `x` after it. It may
    /// stop the iteration: `x` is then what it came to.
    pub fn observe(
        mut self,
        observe: &'a mut dyn FnMut(Step, &Matrix<T>) -> ControlFlow<()>,
    ) -> Self {
        self.observe = Some(observe);
        self
    }

    /// Iterates. Returns `x`, `n × 1`, and the report.
    ///
    /// # Errors
    /// As [`Solve::run`](super::Solve::run); [`Error::Breakdown`] with the quantity `A·x` or
    /// `M⁻¹·r` where a function broke off.
    pub fn run(self) -> Result<(Matrix<T>, Report), Error> {
        let Self { a, b, x0, m, algorithm, iteration, observe } = self;
        let (start, format, n) = (Instant::now(), b.format(), b.rows());
        let precision = T::precision(format);
        Error::check_shape("b", (n, 1), b.shape())?;
        let options = Options { algorithm, ..Options::default() };
        let (a, named, entries) = match a {
            Given::Map(map) => {
                let empty = Coo::from_parts(n, n, Vec::new(), Numbers::new(()));
                let empty = empty.unwrap_or_else(|| unreachable!("no entry lies outside"));
                check_room::<T>(precision, &Values::Short(empty), &options)
                    .map_err(|refused| Error::NoRoom(Box::new(refused)))?;
                (Operator::Map(n, Called::new("A·x", map)), None, 0)
            }
            Given::Entries(values, preconditioning) => {
                let options = Options { preconditioning, ..options };
                check_room(precision, &values, &options)
                    .map_err(|refused| Error::NoRoom(Box::new(refused)))?;
                let Stored { a, m, entries } = match values {
                    Values::Short(a) => stored(T::short(Csr::from_coo(a)?)?, &options)?,
                    Values::Full(a) => stored(in_format(a, format)?, &options)?,
                };
                (Operator::Entries(a), Some(m), entries)
            }
        };
        let m = match (m, named) {
            (Some(Inverted::Map(map)), _) => Conditioner::Map(Called::new("M⁻¹·r", map)),
            (Some(Inverted::Entries(m)), _) => {
                Error::check_shape("m", (n, n), m.shape())?;
                Conditioner::Named(match m {
                    Values::Short(m) => inverted(T::short(Csr::from_coo(m)?)?)?,
                    Values::Full(m) => inverted(in_format(m, format)?)?,
                })
            }
            (None, Some(m)) => Conditioner::Named(m),
            (None, None) => Conditioner::Named(Box::new(Identity)),
        };
        let x: Shared<T> = Rc::new(RefCell::new(match x0 {
            Some(x0) => x0.numbers().clone(),
            None => Numbers::try_zeros(format, n).ok_or(Error::TooLarge { rows: n, cols: 1 })?,
        }));
        let b = Rc::new(RefCell::new(b.numbers().clone()));
        let has_changed = Rc::new(Cell::new(false));
        let host = HostSpace::new(format);
        let mut space = SharedSpace { host, x: x.clone(), has_changed: has_changed.clone() };
        let mut solver = AnySolver::new(&space, n, algorithm)?;
        let setup_time = start.elapsed();
        let begun = Instant::now();
        let is_cyclic = matches!(algorithm, Algorithm::Gmres { .. });
        let mut unheard = |_: Step, _: &Matrix<T>| ControlFlow::Continue(());
        let observe = observe.unwrap_or(&mut unheard);
        let mut last = None;
        let hear = |step: Step| {
            // GMRES changes `x` after the last iteration of a cycle has been told.
            let before = last.replace(step);
            let due = if is_cyclic { before } else { Some(step) };
            match due {
                Some(due) if !is_cyclic || has_changed.take() => lend(&x, |x| observe(due, x)),
                _ => ControlFlow::Continue(()),
            }
        };
        let mut result = x.clone();
        let solved = solver.solve(&mut space, &a, &m, &b, &mut result, &iteration, hear);
        if let Some((quantity, iteration)) = a.broken().or(m.broken()).map(|name| (name, last)) {
            let iteration = iteration.map_or(0, |step| step.iteration);
            return Err(Error::Breakdown { iteration, quantity, value: f64::NAN });
        }
        let iteration = solved?;
        if let (true, Some(step)) = (has_changed.take() && is_cyclic, last) {
            // Nothing is left to be stopped.
            let _ = lend(&x, |x| observe(step, x));
        }
        let report = Report {
            algorithm,
            iteration,
            inner_iterations: None,
            entries,
            precision,
            arithmetic: Arithmetic::Delayed,
            moduli: None,
            place: Place::new(Device::Cpu, Reason::Asked),
            time: begun.elapsed(),
            setup_time,
        };
        let found = x.replace(Numbers::new(format));
        let found = Matrix::from_numbers(n, 1, found);
        Ok((found.ok_or(Error::TooLarge { rows: n, cols: 1 })?, report))
    }
}

impl<T: Number> fmt::Debug for SolveOperator<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SolveOperator")
            .field("n", &self.b.rows())
            .field("algorithm", &self.algorithm)
            .field("iteration", &self.iteration)
            .finish_non_exhaustive()
    }
}

/// A matrix and its preconditioner on the host.
struct Stored<T: Number> {
    a: Box<dyn LinearOperator<HostSpace<T>>>,
    m: Box<dyn Preconditioner<HostSpace<T>>>,
    entries: usize,
}

fn in_format<T: Number>(a: Coo<T>, format: T::Format) -> Result<Csr<T>, Error> {
    let a = Csr::from_coo(a)?;
    if a.values().format() == format { Ok(a) } else { a.map(format, |x| x.to_format(format)) }
}

/// The preconditioner whose inverse is this matrix.
fn inverted<T: Number, V: Multiplies<T>>(
    m: Csr<V>,
) -> Result<Box<dyn Preconditioner<HostSpace<T>>>, Error> {
    m.check_finite("m")?;
    Ok(Box::new(Inverse(m)))
}

/// The matrix, and the preconditioner with the values that [`Solve`](super::Solve) gives it.
fn stored<T: Number, V: Multiplies<T>>(a: Csr<V>, options: &Options) -> Result<Stored<T>, Error> {
    let Options { algorithm, preconditioning, .. } = *options;
    Error::check_square(a.shape())?;
    a.check_finite("a")?;
    if algorithm.needs_symmetry() || preconditioning == Preconditioning::IncompleteCholesky {
        a.check_symmetric()?;
    }
    let short = T::Short::ZERO.format();
    let one = V::ONE.to_format(a.values().format());
    let m: Box<dyn Preconditioner<HostSpace<T>>> = match preconditioning {
        Preconditioning::None => Box::new(Identity),
        Preconditioning::Jacobi => {
            let inverse = |x: V| T::Short::from_size((one / x).nearest().into());
            Box::new(jacobi::<V, T::Short>(&a, short, inverse)?)
        }
        Preconditioning::BlockJacobi(size) => {
            Box::new(Inverse(T::short(block_jacobi(&a, size)?.0)?))
        }
        Preconditioning::IncompleteCholesky => {
            let factors = IncompleteCholesky::new(&a.map::<f64>((), V::to_f64)?)?;
            Box::new(factors.to_format::<T::Short>(short)?)
        }
    };
    let entries = a.entries();
    Ok(Stored { a: Box::new(a), m, entries })
}

/// A function of vectors, until it breaks off.
struct Called<'a, T: Number> {
    name: &'static str,
    map: RefCell<Map<'a, T>>,
    is_broken: Cell<bool>,
}

impl<'a, T: Number> Called<'a, T> {
    fn new(name: &'static str, map: Map<'a, T>) -> Self {
        Self { name, map: RefCell::new(map), is_broken: Cell::new(false) }
    }

    /// `y ← f(x)`; NaN from where the function broke off, which ends the iteration.
    fn call(&self, x: &Shared<T>, y: &Shared<T>) {
        if !self.is_broken.get() {
            let called = lend(x, |x| lend(y, |y| (self.map.borrow_mut())(x, y)));
            self.is_broken.set(called.is_break());
        }
        if self.is_broken.get() {
            let mut y = y.borrow_mut();
            let nan = T::from_f64(f64::NAN).to_format(y.format());
            (0..y.len()).for_each(|i| y.set(i, nan));
        }
    }

    fn broken(&self) -> Option<&'static str> {
        self.is_broken.get().then_some(self.name)
    }
}

/// A matrix as an operator on shared vectors.
enum Operator<'a, T: Number> {
    /// Of this order.
    Map(usize, Called<'a, T>),
    Entries(Box<dyn LinearOperator<HostSpace<T>>>),
}

impl<T: Number> Operator<'_, T> {
    fn broken(&self) -> Option<&'static str> {
        match self {
            Self::Map(_, map) => map.broken(),
            Self::Entries(_) => None,
        }
    }
}

impl<T: Number> LinearOperator<SharedSpace<T>> for Operator<'_, T> {
    fn size(&self) -> (usize, usize) {
        match self {
            Self::Map(n, _) => (*n, *n),
            Self::Entries(a) => a.size(),
        }
    }

    fn apply(&self, space: &mut SharedSpace<T>, x: &Shared<T>, y: &mut Shared<T>) {
        match self {
            Self::Map(_, map) => map.call(x, y),
            Self::Entries(a) => a.apply(&mut space.host, &x.borrow(), &mut y.borrow_mut()),
        }
    }
}

/// A preconditioner of shared vectors.
enum Conditioner<'a, T: Number> {
    Map(Called<'a, T>),
    Named(Box<dyn Preconditioner<HostSpace<T>>>),
}

impl<T: Number> Conditioner<'_, T> {
    fn broken(&self) -> Option<&'static str> {
        match self {
            Self::Map(map) => map.broken(),
            Self::Named(_) => None,
        }
    }
}

impl<T: Number> Preconditioner<SharedSpace<T>> for Conditioner<'_, T> {
    fn apply(&self, space: &mut SharedSpace<T>, r: &Shared<T>, z: &mut Shared<T>) {
        match self {
            Self::Map(map) => map.call(r, z),
            Self::Named(m) => m.apply(&mut space.host, &r.borrow(), &mut z.borrow_mut()),
        }
    }

    fn is_identity(&self) -> bool {
        matches!(self, Self::Named(m) if m.is_identity())
    }
}
