//! Numbers by themselves.

use std::collections::BTreeMap;

use super::array::Type;
use super::error::CheckpointError;

/// A number by itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Scalar {
    /// A number.
    Number(f64),
    /// A whole number.
    Integer(u64),
}

pub(super) fn number(
    scalars: &BTreeMap<String, Scalar>,
    name: &str,
) -> Result<f64, CheckpointError> {
    match scalars.get(name) {
        Some(Scalar::Number(x)) => Ok(*x),
        Some(Scalar::Integer(_)) => Err(CheckpointError::wrong_type(name, Type::F64, Type::U64)),
        None => Err(CheckpointError::Missing { name: name.to_owned() }),
    }
}

pub(super) fn integer(
    scalars: &BTreeMap<String, Scalar>,
    name: &str,
) -> Result<u64, CheckpointError> {
    match scalars.get(name) {
        Some(Scalar::Integer(x)) => Ok(*x),
        Some(Scalar::Number(_)) => Err(CheckpointError::wrong_type(name, Type::U64, Type::F64)),
        None => Err(CheckpointError::Missing { name: name.to_owned() }),
    }
}
