//! The library as its users call it.

mod files;
mod formats;
mod numpy;
mod operators;
mod random;
