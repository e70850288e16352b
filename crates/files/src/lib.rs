//! What everything in Nonius that reads, writes or takes memory has in common.
//!
//! [`mod@write`] puts a file in place when it is complete.
//! [`mod@file`] does so with errors that name the file, and [`packed`] reads files that gzip or xz
//! have compressed. [`same`] tells whether two names are of one file. [`room`] compares what a job
//! needs with the memory and the disk of this machine before anything is taken. [`text`] makes
//! names and words from a file fit to print in a message.

pub mod file;
pub mod packed;
pub mod room;
pub mod same;
pub mod text;
pub mod write;
