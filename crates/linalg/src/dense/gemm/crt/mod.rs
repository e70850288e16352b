//! Products of matrices through residues: a few hundred bits an entry, at the price of a product of
//! short integers for every modulus.
//!
//! **Method.** Row `i` of `op(A)` is scaled by `2^(t − e_i)`, where `2^(e_i)` exceeds its entries,
//! and column `j` of `op(B)` by `2^(t − f_j)`; both are rounded to integers `A'`, `B'` of magnitude
//! up to `2^t`. Their product is computed exactly, from products of residues modulo numbers whose
//! product exceeds `2^(2t + 1)` times `k`, or less where the operands' norms are less, by the
//! Chinese remainder theorem ([`nonius_num::rns`]). Its entries, rounded to the precision of `C`
//! and scaled back, are those of `op(A)·op(B)`; then follow `α` and `β` as in the direct product.
//!
//! **Error.** Rounding changes an entry of `A'` and `B'` by less than 1, and zeros not at all. So
//! an entry of the product differs from the exact one by at most
//! `2^(−t)·(2^(e_i)·‖b_j‖₁ + 2^(f_j)·‖a_i‖₁)` and its final rounding. Whether that is within the
//! bound `c·u·(|A||B|)_ij` ([`Target`]: for limbs that of the direct product, for numbers of any
//! precision `c = k + 3`) depends on how the exponents spread in row `i` and column `j`. `t` is
//! chosen such that it is, for every entry, from a lower bound for `(|A||B|)_ij` ([`Profile`],
//! [`Plan`]): large entries of a row and of a column that together are more than `k` have to meet.
//! Where that says too little, the entries of `|A||B|` are computed in `f64`. Where the bits would
//! cost more than they save, the product is not done this way.
//!
//! The result depends on the operands alone: not on the moduli, nor on the unit that multiplies, on
//! tiles or threads.
//!
//! On a processor with instructions for products of bytes, the environment variable
//! `NONIUS_RESIDUES`, set to `floats`, has residues multiplied as on one without, in `f64`.
//!
//! Sources: Ozaki, Uchino, Imamura, *Ozaki scheme II* (2025, arXiv 2504.08009); the guard is ours,
//! in the spirit of the exponent span estimates of arXiv 2511.13778.

mod plan;

pub use plan::{Fallback, Plan, Profile, Target};
