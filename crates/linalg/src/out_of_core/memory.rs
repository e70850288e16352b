//! Matrices of the host.

use super::OutOfCore;
use crate::backend::{Cpu, Judge, Memory, Prepare, Rearrange, Schedule, Task};
use crate::dense::Triangle;
use crate::{Error, MatMut, MatRef, Matrix, Number};

/// What copies.
fn host() -> Cpu {
    Cpu::default()
}

impl<T: Number, B: Clone> Memory<T> for OutOfCore<B> {
    type Matrix = Matrix<T>;
    type Ref<'a> = MatRef<'a, T>;
    type Mut<'a> = MatMut<'a, T>;

    fn zeros(&self, format: T::Format, rows: usize, cols: usize) -> Matrix<T> {
        host().zeros(format, rows, cols)
    }

    fn identity(&self, format: T::Format, rows: usize, cols: usize) -> Matrix<T> {
        host().identity(format, rows, cols)
    }

    fn upload(&self, a: MatRef<'_, T>) -> Matrix<T> {
        a.to_matrix()
    }

    fn download(&self, a: MatRef<'_, T>) -> Result<Matrix<T>, Error> {
        self.attempt(|| Ok(a.to_matrix()))
    }

    fn copy_of(&self, a: MatRef<'_, T>) -> Matrix<T> {
        a.to_matrix()
    }

    fn copy(&self, from: MatRef<'_, T>, mut to: MatMut<'_, T>) {
        to.copy_from(from);
    }

    fn view<'a>(&self, a: &'a Matrix<T>) -> MatRef<'a, T> {
        a.view()
    }

    fn view_mut<'a>(&self, a: &'a mut Matrix<T>) -> MatMut<'a, T> {
        a.view_mut()
    }
}

impl<T: Number, B: Clone> Rearrange<T> for OutOfCore<B> {
    fn transpose_of(&self, a: MatRef<'_, T>) -> Matrix<T> {
        host().transpose_of(a)
    }

    fn triangle_of(&self, triangle: Triangle, a: MatRef<'_, T>) -> Matrix<T> {
        host().triangle_of(triangle, a)
    }

    fn diagonal_of(&self, a: MatRef<'_, T>) -> Matrix<T> {
        host().diagonal_of(a)
    }
}

impl<T: Number, B: Clone> Judge<T> for OutOfCore<B> {
    fn mirror_lower(&self, a: MatMut<'_, T>) {
        host().mirror_lower(a);
    }
}

impl<T: Number, B: Prepare<T>> Prepare<T> for OutOfCore<B> {
    fn prepare(&self, task: Task, format: T::Format, order: usize, columns: usize) {
        self.device.prepare(task, format, order, columns);
    }
}

/// Steps follow one another: what each does at the same time are its pieces.
impl<B: Schedule> Schedule for OutOfCore<B> {
    fn run<R: Send>(&self, algorithm: impl FnOnce() -> R + Send) -> R {
        self.device.run(algorithm)
    }
}
