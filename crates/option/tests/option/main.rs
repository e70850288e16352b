//! Prices against exact values, and what has to hold between them.

mod any_bits;
mod books;
mod closed;
mod common;
mod data;
mod fuzz;
mod implied;
mod local;
mod oracle;
mod oracles;
mod order;
mod precision;
mod random;
mod refusals;
mod relations;
mod sensitivities;
mod surfaces;
mod terms;
