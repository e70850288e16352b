//! Energies and probes at many times: a table that grows by rows, and pictures of it.
//!
//! The file is CSV. Its columns are `time`, `step`, `increment`, the energies `kinetic`,
//! `internal`, `plastic`, `hourglass`, `viscous` and `external`, their `balance`, and what
//! [`probe_names`] names. Where the model states its units, they follow the names in parentheses:
//! `kinetic (mJ)`. Numbers are the shortest that read back the same. A row is in the file when
//! [`History::append`] returns.

mod chart;
mod columns;
mod error;
mod plot;
mod probes;
mod table;
mod write;

pub use chart::{Chart, Curve};
pub use columns::COLUMNS;
pub use error::HistoryError;
pub use plot::plot;
pub use probes::{probe_names, probe_values};
pub use table::Table;
pub use write::History;
