//! What everything in Nonius that reads, writes or takes memory has in common.
//!
//! [`room`] compares what a job needs with the memory and the disk of this machine before anything is taken.
//! [`text`] makes names and words from a file fit to print in a message.

pub mod room;
pub mod text;
