//! Figures of curves: the one place that draws for the program and for the documentation.
//!
//! A [`Figure`] has [`Panel`]s, each with two [`Axis`], [`Curve`]s and [`Reference`] lines.
//! [`Figure::draw`] returns the bytes of an SVG or of a PNG ([`Format`]). Both formats come from
//! one list of lines, shapes and words.
//!
//! - Axes are linear or logarithmic, over all of `f64`'s range. An axis has at most 11 labels.
//! - Every curve has its name beside its end. A legend outside the axes has the names of more than
//!   6 curves, and of curves whose ends leave no room.
//! - Every curve of a panel has a [`Look`] of its own.
//! - NaN, infinities and, on logarithmic axes, numbers up to 0 are left out and leave gaps.
//! - A curve of more than 2000 points is thinned; its extremes stay.
//! - An SVG follows the reader's choice of a light or dark page. A PNG is light.
//!
//! The font of all measurements, and of a PNG's words, is a part of DejaVu Sans that stands in the
//! crate (`fonts/LICENSE.txt`).

mod axis;
mod draw;
mod error;
mod figure;
mod font;
mod format;
mod grid;
mod labels;
mod legend;
mod looks;
pub mod numbers;
mod panel;
mod points;
mod raster;
mod scene;
mod sizes;
mod svg;
mod words;

pub use error::FigureError;
pub use figure::{Axis, Curve, Figure, Markers, Panel, Reference, Scale};
pub use format::Format;
pub use looks::{Colour, Look, Marker};
