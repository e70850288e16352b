//! Finite elements: from decks to what a run leaves behind.

mod input;
mod output;
mod record;
mod simulation;
