//! Specials, exact cases and identities; `oracle` compares with MPFR.

mod specials;
