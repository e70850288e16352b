//! The dense routines of MPLAPACK with its calling sequence, on arrays of double-doubles and
//! quad-doubles as the QD library lays them out.
//!
//! M. Nakata, *MPLAPACK version 2.0.1 user manual* (2022, arXiv:2109.13406), names the routines and
//! their arguments; their meaning is that of the routines of BLAS and LAPACK with a D in place of
//! the R. Matrices lie column by column with leading dimensions, and indices of rows count from 1.
//! `nonius_mplapack.hpp` has C++ overloads by the original names.
//!
//! **What is read and written.** Arrays may overlap: an output that shares memory with an input is
//! computed in a copy. So are triangles, products with `β = 0`, and matrices with gaps between
//! their columns; other outputs are computed where they are. Of a triangle alone the routine writes
//! what it states, and never between columns. A call that fails leaves its outputs as they were.
//!
//! **Results** are those of the functions in [`nonius::lapack`], bit for bit.

pub mod dd;
mod operands;
pub mod qd;
mod routines;

/// Two doubles whose sum is the number, the larger one first, as in a `dd_real` of the QD library.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DoubleDouble {
    /// The doubles. They do not overlap.
    pub x: [f64; 2],
}

/// Four doubles whose sum is the number, the largest first, as in a `qd_real` of the QD library.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct QuadDouble {
    /// The doubles. They do not overlap.
    pub x: [f64; 4],
}

/// What `info` is where neither an argument nor a pivot is to blame: nonius_last_error() says what.
pub const NONIUS_INFO_FAILURE: i64 = -1000;
