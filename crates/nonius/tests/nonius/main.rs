//! The library as its users call it.

mod factors;
mod files;
mod formats;
mod numpy;
mod operators;
mod random;
mod ranks;
