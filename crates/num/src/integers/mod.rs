//! Integers in words of 64 bits, least significant word first.
//!
//! [`words`] has the steps, [`karatsuba`] products of long integers, [`big`] integers that own
//! their words.

pub(crate) mod big;
pub(crate) mod karatsuba;
mod transform;
pub(crate) mod words;
