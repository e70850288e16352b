//! What a run leaves behind: [fields](series) for ParaView, a [history] of energies and probes,
//! [pictures](view), and [checkpoints](checkpoint) from which it goes on.
//!
//! Files appear under their names only when they are complete and on the disk; the history alone
//! grows by rows.

pub mod checkpoint;
mod consistent;
pub mod history;
pub mod series;
pub mod view;

pub use consistent::Inconsistent;
pub use nonius_files::file::{FileError, FileProblem};
