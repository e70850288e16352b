//! A space whose host looks late, as that of a device does: what is queued after the row that meets
//! the log is not done.

use std::cell::Cell;
use std::rc::Rc;

use nonius_linalg::Error;
use nonius_linalg::backend::{NumberOp, Reading, Sign, Space};
use nonius_linalg::krylov::{HostSpace, LinearOperator, Preconditioner};
use nonius_linalg::mp::Bits;
use nonius_linalg::sparse::Csr;
use nonius_num::{Dd, Mp};
use nonius_testkit::krylov::{Suite, suite};

struct Late<S> {
    space: S,
    held: Option<Rc<Cell<bool>>>,
}

struct LateLog {
    columns: usize,
    limit: Reading,
    met: Rc<Cell<bool>>,
    rows: Vec<Reading>,
    seen: usize,
}

impl<S> Late<S> {
    fn new(space: S) -> Self {
        Self { space, held: None }
    }

    fn go_on(&mut self) -> Option<&mut S> {
        let met = self.held.as_ref().is_some_and(|met| met.get());
        if met { None } else { Some(&mut self.space) }
    }
}

/// Operations that are not done once the log is met.
macro_rules! operations {
    ($($name:ident($($operand:ident: $type:ty),*);)*) => {$(
        fn $name(&mut self, $($operand: $type),*) {
            if let Some(space) = self.go_on() {
                space.$name($($operand),*);
            }
        }
    )*};
}

impl<S: Space> Space for Late<S> {
    type Vector = S::Vector;
    type Number = S::Number;
    type Log = LateLog;

    const LOOK: usize = 7;

    fn vector(&self, n: usize) -> Result<S::Vector, Error> {
        self.space.vector(n)
    }

    fn number(&self) -> S::Number {
        self.space.number()
    }

    fn length(&self, x: &S::Vector) -> usize {
        self.space.length(x)
    }

    operations! {
        set(value: f64, to: &mut S::Number);
        copy(x: &S::Vector, y: &mut S::Vector);
        clear(x: &mut S::Vector);
        dot(x: &S::Vector, y: &S::Vector, to: &mut S::Number);
        axpy(sign: Sign, alpha: &S::Number, x: &S::Vector, y: &mut S::Vector);
        xpay(x: &S::Vector, sign: Sign, beta: &S::Number, y: &mut S::Vector);
        scale(alpha: &S::Number, x: &mut S::Vector);
        multiply(x: &S::Vector, y: &mut S::Vector);
        norm(x: &S::Vector, to: &mut S::Number);
        assign(a: &S::Number, to: &mut S::Number);
        compute(operation: NumberOp, a: &S::Number, b: &S::Number, to: &mut S::Number);
        root(a: &S::Number, to: &mut S::Number);
    }

    fn log(&self, columns: usize, limit: Reading) -> LateLog {
        LateLog { columns, limit, met: Rc::default(), rows: Vec::new(), seen: 0 }
    }

    fn record<const K: usize>(&mut self, log: &mut LateLog, row: [&S::Number; K]) {
        assert_eq!(log.columns, K);
        if log.met.get() {
            return;
        }
        let mut inner = self.space.log(K, log.limit);
        self.space.record(&mut inner, row);
        let row = self.space.look(&mut inner).unwrap();
        log.met.set(row[0].at_most(log.limit));
        log.rows.extend_from_slice(row);
    }

    fn hold(&mut self, log: &LateLog) {
        self.held = Some(log.met.clone());
    }

    fn release(&mut self) {
        self.held = None;
    }

    fn look<'a>(&mut self, log: &'a mut LateLog) -> Result<&'a [Reading], Error> {
        let new = &log.rows[log.seen..];
        log.seen = log.rows.len();
        Ok(new)
    }
}

struct Held<A>(A);

impl<S: Space, A: LinearOperator<S>> LinearOperator<Late<S>> for Held<A> {
    fn size(&self) -> (usize, usize) {
        self.0.size()
    }

    fn apply(&self, space: &mut Late<S>, x: &S::Vector, y: &mut S::Vector) {
        if let Some(space) = space.go_on() {
            self.0.apply(space, x, y);
        }
    }
}

impl<S: Space, M: Preconditioner<S>> Preconditioner<Late<S>> for Held<M> {
    fn apply(&self, space: &mut Late<S>, r: &S::Vector, z: &mut S::Vector) {
        if let Some(space) = space.go_on() {
            self.0.apply(space, r, z);
        }
    }
}

impl<S: Space + Suite<Space = S>> Suite for Late<S> {
    type Space = Self;
    type Matrix = Held<S::Matrix>;
    type Diagonal = Held<S::Diagonal>;

    fn space(&mut self) -> &mut Self {
        self
    }

    fn unit_roundoff(&self) -> f64 {
        self.space.unit_roundoff()
    }

    fn matrix(&self, a: &Csr<f64>) -> Self::Matrix {
        Held(self.space.matrix(a))
    }

    fn diagonal(&self, inverse: &[f64]) -> Self::Diagonal {
        Held(self.space.diagonal(inverse))
    }

    fn to_space(&self, x: &[f64]) -> S::Vector {
        self.space.to_space(x)
    }

    fn to_host(&self, x: &S::Vector) -> Vec<f64> {
        self.space.to_host(x)
    }
}

#[test]
fn iterations_queued_beyond_the_last() {
    suite(&mut Late::new(HostSpace::<f64>::new(())));
    suite(&mut Late::new(HostSpace::<Dd>::new(())));
    suite(&mut Late::new(HostSpace::<Mp>::new(Bits::new(212).unwrap())));
}
