//! Approximate eigenvectors and singular vectors, and their corrections, on the host.

use nonius_num::Precision;

use super::gemm::{Accuracy, Products};
use super::refinement::in_format;
use super::{Vectors, eigen, svd};
use crate::backend::{Corrections, Cpu, Diagonalize, Spectrum};
use crate::cpu::diagonalize;
use crate::{Error, MatMut, MatRef, Matrix, Number};

/// From this order on, values alone come sooner with vectors than by reflections and rotations of
/// numbers of any precision.
const LEAST_REFINED: usize = 24;

impl<T: Number> Diagonalize<T> for Cpu {
    fn refines(&self, format: T::Format, order: usize, vectors: Vectors) -> bool {
        match T::precision(format) {
            Precision::F64 => false,
            Precision::Mp(_) => order >= if vectors == Vectors::Yes { 2 } else { LEAST_REFINED },
            _ => order > 1 && vectors == Vectors::Yes,
        }
    }

    fn host(&self) -> Cpu {
        *self
    }

    fn normwise(&self) -> Self {
        Self::new(Products { accuracy: Accuracy::Normwise, ..self.products() })
    }

    fn in_format(&self, a: MatRef<'_, T>, format: T::Format) -> Matrix<T> {
        in_format(a, format)
    }

    fn eigenvectors(&self, a: MatRef<'_, f64>) -> Result<Matrix<f64>, Error> {
        eigen::direct::eigenvectors(a)
    }

    fn singular_vectors(&self, a: MatRef<'_, f64>) -> Result<(Matrix<f64>, Matrix<f64>), Error> {
        svd::direct::singular_vectors(a)
    }

    fn diagonal(&self, a: MatRef<'_, T>) -> Result<Vec<T>, Error> {
        Ok((0..a.cols()).map(|j| a.at(j, j)).collect())
    }

    fn eigenvector_corrections(
        &self,
        s: MatRef<'_, T>,
        gram: MatRef<'_, T>,
        spectrum: Spectrum<'_, T>,
        e: Option<MatMut<'_, T>>,
    ) -> Result<Corrections<T::Size>, Error> {
        diagonalize::eigenvector_corrections(s, gram, spectrum, e)
    }

    fn singular_vector_corrections(
        &self,
        t: MatRef<'_, T>,
        grams: [MatRef<'_, T>; 2],
        spectrum: Spectrum<'_, T>,
        corrections: Option<[MatMut<'_, T>; 2]>,
    ) -> Result<Corrections<T::Size>, Error> {
        Ok(diagonalize::singular_vector_corrections(t, grams, spectrum, corrections))
    }
}
