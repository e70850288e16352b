//! Readers of files on their corpus, on damaged files, and on those that once did harm.

mod messages;
mod random;
