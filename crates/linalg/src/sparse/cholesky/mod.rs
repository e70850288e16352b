//! Cholesky factors of sparse symmetric matrices: `P·A·Pᵀ = L·Lᵀ`, for many matrices with one
//! pattern.
//!
//! What depends on the pattern alone is found once ([`Symbolic`]): the order `P` of elimination, an
//! approximate minimum degree ordering; the elimination tree, in which the parent of a column is
//! the row of its first entry below the diagonal; how many entries each column of `L` has; and
//! supernodes, runs of columns with the same rows below, which are stored as dense panels and
//! computed with dense [`Kernels`]. A [`Factor`] is computed from the left: what other supernodes
//! contribute to one is subtracted from it, many at a time, then it is factored. Supernodes of one
//! level of the tree need nothing of each other.
//!
//! Results depend neither on the number of threads nor on which of them does what: the order of all
//! sums is part of the pattern.
//!
//! **Error.** That of a dense factorisation (N. J. Higham, *Accuracy and Stability of Numerical
//! Algorithms*, 2nd ed., Theorem 10.3): an entry of `L` is what is left of one of `A` after sums of
//! products are subtracted. A sum has the kernels' bound for its terms, and there are at most as
//! many sums as terms.
//!
//! Sources: T. A. Davis, *Direct Methods for Sparse Linear Systems*, SIAM 2006, chapters 4 and 7;
//! E. G. Ng and B. W. Peyton, *Block sparse Cholesky algorithms on advanced uniprocessor
//! computers*, SIAM Journal on Scientific Computing 14, 1993; C. Ashcraft and R. Grimes, *The
//! influence of relaxed supernode partitions on the multifrontal method*, ACM Transactions on
//! Mathematical Software 15, 1989.

mod factor;
mod groups;
mod kernels;
mod lower;
mod ordering;
mod shape;
mod solve;
mod supernodes;
mod symbolic;
#[cfg(test)]
mod tests;
mod tree;

pub use factor::Factor;
pub use kernels::Kernels;
pub use lower::Cliques;
pub use lower::Lower;
pub use symbolic::{Limits, Symbolic};
