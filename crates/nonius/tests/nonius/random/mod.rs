//! Random problems over the whole range of inputs, against independent oracles.

mod krylov;
mod products;
