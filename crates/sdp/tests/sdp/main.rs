//! Semidefinite programs: read, solved, proved.

mod absence;
mod certify;
mod common;
mod equalities;
mod input;
mod orders;
mod points;
mod random;
mod ranks;
mod second_order;
mod solver;
