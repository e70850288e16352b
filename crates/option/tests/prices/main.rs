//! Prices against exact values, and what has to hold between them.

mod common;
mod data;
mod local;
mod oracles;
mod order;
mod precision;
mod random;
mod refusals;
mod relations;
mod terms;
