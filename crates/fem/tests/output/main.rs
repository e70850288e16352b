//! What a run leaves behind is read back as it was written.

mod models;
mod series;
mod xml;
