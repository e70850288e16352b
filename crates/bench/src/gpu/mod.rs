//! A GPU: time of kernels, between marks in the stream, and time with transfers, by the clock.

pub(crate) mod blocks;
pub(crate) mod bus;
pub(crate) mod dense;
pub(crate) mod digits;
pub(crate) mod gpus;
mod many;
mod many_cg;
mod many_sdp;
mod model;
pub(crate) mod mp;
pub(crate) mod orthogonal;
pub(crate) mod papers;
mod parts;
mod peers;
pub(crate) mod products;
mod rows;
mod shared;
pub(crate) mod sparse;
pub(crate) mod tridiag;
pub(crate) mod vectors;
