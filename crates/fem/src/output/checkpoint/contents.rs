//! What a checkpoint has.

use std::collections::BTreeMap;

use super::array::{Array, Element};
use super::error::CheckpointError;
use super::scalar::{Scalar, integer, number};

/// Named numbers and arrays; the latter are borrowed where they are written, so that nothing is
/// copied.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Checkpoint<'a> {
    /// Numbers.
    pub scalars: BTreeMap<String, Scalar>,
    /// Arrays.
    pub arrays: BTreeMap<String, Array<'a>>,
}

impl<'a> Checkpoint<'a> {
    /// Adds a number.
    pub fn number(&mut self, name: &str, x: f64) {
        self.scalars.insert(name.to_owned(), Scalar::Number(x));
    }

    /// Adds a whole number.
    pub fn integer(&mut self, name: &str, x: u64) {
        self.scalars.insert(name.to_owned(), Scalar::Integer(x));
    }

    /// Adds an array: a vector, or a slice that somebody else keeps. Of vectors in space it is
    /// their components ([`as_flattened`](slice::as_flattened)).
    pub fn array(&mut self, name: &str, numbers: impl Into<Array<'a>>) {
        self.arrays.insert(name.to_owned(), numbers.into());
    }

    /// A number.
    pub fn get_number(&self, name: &str) -> Result<f64, CheckpointError> {
        number(&self.scalars, name)
    }

    /// A whole number.
    pub fn get_integer(&self, name: &str) -> Result<u64, CheckpointError> {
        integer(&self.scalars, name)
    }

    /// Takes an array out. Nothing is copied if it was read.
    pub fn take<T: Element>(&mut self, name: &str) -> Result<Vec<T>, CheckpointError> {
        let Some(array) = self.arrays.remove(name) else {
            return Err(CheckpointError::Missing { name: name.to_owned() });
        };
        T::vector(array).map_err(|array| {
            let found = array.element_type();
            self.arrays.insert(name.to_owned(), array);
            CheckpointError::wrong_type(name, T::TYPE, found)
        })
    }
}
