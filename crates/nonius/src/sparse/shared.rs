//! Vectors that the caller sees between the operations of an iteration.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use nonius_linalg::backend::{NumberOp, Reading, Sign, Space};
use nonius_linalg::krylov::HostSpace;
use nonius_linalg::{Error, Matrix, Number, Numbers};

/// A vector that several hold. Nobody borrows it between two operations.
pub(super) type Shared<T> = Rc<RefCell<Numbers<T>>>;

/// The [`HostSpace`] with shared vectors: operations have the same bits.
pub(super) struct SharedSpace<T: Number> {
    pub(super) host: HostSpace<T>,
    /// The iterate.
    pub(super) x: Shared<T>,
    /// Whether the iterate has changed since somebody looked.
    pub(super) has_changed: Rc<Cell<bool>>,
}

/// Has `f` look at a vector as a matrix of one column, without a copy.
pub(super) fn lend<T: Number, R>(
    vector: &RefCell<Numbers<T>>,
    f: impl FnOnce(&mut Matrix<T>) -> R,
) -> R {
    let format = vector.borrow().format();
    let numbers = vector.replace(Numbers::new(format));
    let column = Matrix::from_numbers(numbers.len(), 1, numbers);
    let mut column = column.unwrap_or_else(|| unreachable!("one column has all numbers"));
    let found = f(&mut column);
    vector.replace(column.into_numbers());
    found
}

impl<T: Number> Space for SharedSpace<T> {
    type Vector = Shared<T>;
    type Number = T;
    type Log = <HostSpace<T> as Space>::Log;

    const LOOK: usize = <HostSpace<T> as Space>::LOOK;

    fn vector(&self, n: usize) -> Result<Shared<T>, Error> {
        Ok(Rc::new(RefCell::new(self.host.vector(n)?)))
    }

    fn number(&self) -> T {
        self.host.number()
    }

    fn length(&self, x: &Shared<T>) -> usize {
        x.borrow().len()
    }

    fn check_numbers(&self, operand: &'static str, x: &Shared<T>) -> Result<(), Error> {
        self.host.check_numbers(operand, &x.borrow())
    }

    fn set(&mut self, value: f64, to: &mut T) {
        self.host.set(value, to);
    }

    fn copy(&mut self, x: &Shared<T>, y: &mut Shared<T>) {
        self.host.copy(&x.borrow(), &mut y.borrow_mut());
    }

    fn clear(&mut self, x: &mut Shared<T>) {
        self.host.clear(&mut x.borrow_mut());
    }

    fn dot(&mut self, x: &Shared<T>, y: &Shared<T>, to: &mut T) {
        self.host.dot(&x.borrow(), &y.borrow(), to);
    }

    fn axpy(&mut self, sign: Sign, alpha: &T, x: &Shared<T>, y: &mut Shared<T>) {
        self.host.axpy(sign, alpha, &x.borrow(), &mut y.borrow_mut());
        if Rc::ptr_eq(y, &self.x) {
            self.has_changed.set(true);
        }
    }

    fn xpay(&mut self, x: &Shared<T>, sign: Sign, beta: &T, y: &mut Shared<T>) {
        self.host.xpay(&x.borrow(), sign, beta, &mut y.borrow_mut());
    }

    fn scale(&mut self, alpha: &T, x: &mut Shared<T>) {
        self.host.scale(alpha, &mut x.borrow_mut());
    }

    fn multiply(&mut self, x: &Shared<T>, y: &mut Shared<T>) {
        self.host.multiply(&x.borrow(), &mut y.borrow_mut());
    }

    fn norm(&mut self, x: &Shared<T>, to: &mut T) {
        self.host.norm(&x.borrow(), to);
    }

    fn assign(&mut self, a: &T, to: &mut T) {
        self.host.assign(a, to);
    }

    fn compute(&mut self, operation: NumberOp, a: &T, b: &T, to: &mut T) {
        self.host.compute(operation, a, b, to);
    }

    fn root(&mut self, a: &T, to: &mut T) {
        self.host.root(a, to);
    }

    fn log(&self, columns: usize, limit: Reading) -> Self::Log {
        self.host.log(columns, limit)
    }

    fn record<const K: usize>(&mut self, log: &mut Self::Log, row: [&T; K]) {
        self.host.record(log, row);
    }

    fn hold(&mut self, log: &Self::Log) {
        self.host.hold(log);
    }

    fn release(&mut self) {
        self.host.release();
    }

    fn look<'a>(&mut self, log: &'a mut Self::Log) -> Result<&'a [Reading], Error> {
        self.host.look(log)
    }
}
