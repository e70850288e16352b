//! Nonius against MPFR. One program, so that what the tests share is compiled once.

mod cg;
mod dense;
mod functions;
mod groups;
mod krylov;
mod mp;
mod orthogonal;
mod proved;
mod rns;
mod systems;
