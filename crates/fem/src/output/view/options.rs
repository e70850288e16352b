//! What pictures can show.

use super::direction::Direction;
use super::field::Field;
use crate::model::Units;

/// The smallest and the largest size of a picture, in pixels.
pub const SIZES: [u32; 2] = [320, 8192];

/// What is to be seen, and how.
#[derive(Clone, Debug, PartialEq)]
pub struct View {
    /// What colours stand for.
    pub field: Field,
    /// From where; [isometric](Direction::Isometric), or from the [front](Direction::Front) where
    /// all elements are plane, where nothing is said.
    pub direction: Option<Direction>,
    /// What displacements are multiplied by.
    pub deformation: f64,
    /// Whether colours vary within elements, between means at nodes, instead of being one for each.
    pub smooth: bool,
    /// Whether edges of elements are drawn, where these are larger than a few pixels.
    pub edges: bool,
    /// Whether faces that look away from the viewer are darker.
    pub shading: bool,
    /// Values at the ends of the bar of colours, in the model's units; the field's least and
    /// largest where nothing is said.
    pub range: Option<[f64; 2]>,
    /// Two corners of a box that the picture is to show, in the model's units, so that pictures of
    /// several times have one scale; the deformed mesh where nothing is said.
    pub bounds: Option<[[f64; 3]; 2]>,
    /// The units of the model, where they are stated.
    pub units: Option<Units>,
    /// What stands above, before the name of the field and the time.
    pub title: String,
    /// Width and height in pixels.
    pub size: [u32; 2],
}

impl Default for View {
    fn default() -> Self {
        Self {
            field: Field::VonMises,
            direction: None,
            deformation: 1.0,
            smooth: false,
            edges: true,
            shading: true,
            range: None,
            bounds: None,
            units: None,
            title: String::new(),
            size: [1200, 800],
        }
    }
}
