//! What a run leaves behind is read back as it was written.

mod checkpoint;
mod history;
mod models;
mod series;
mod view;
mod xml;
