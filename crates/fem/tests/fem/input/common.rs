//! Decks for tests.

use std::path::{Path, PathBuf};

use nonius_fem::input::{Ignored, InputError, abaqus};
use nonius_fem::model::Model;

/// A file of the repository's data.
pub(super) fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../data/fem").join(name)
}

pub(super) fn read(text: &str) -> Result<(Model, Vec<Ignored>), InputError> {
    abaqus::read(text.as_bytes(), Path::new("deck.inp"))
}

/// Two hexahedra in a row along the first axis, of steel. Lines 1 to 14 are nodes, elements and
/// sets.
pub(super) const MESH: &str = "\
*NODE, NSET=all
1, 0, 0, 0
2, 1, 0, 0
3, 1, 1, 0
4, 0, 1, 0
5, 0, 0, 1
6, 1, 0, 1
7, 1, 1, 1
8, 0, 1, 1
9, 2, 0, 0
10, 2, 1, 0
11, 2, 0, 1
12, 2, 1, 1
*ELEMENT, TYPE=C3D8R, ELSET=both
1, 1, 2, 3, 4, 5, 6, 7, 8
2, 2, 9, 10, 3, 6, 11, 12, 7
*SOLID SECTION, ELSET=both, MATERIAL=steel
";

pub(super) const STEEL: &str = "\
*MATERIAL, NAME=steel
*DENSITY
7800
*ELASTIC
2e11, 0.3
";

pub(super) const STEP: &str = "*STEP\n*DYNAMIC, EXPLICIT\n, 1e-3\n";

/// The two hexahedra with more in front of the step and within it.
pub(super) fn two(before: &str, within: &str) -> String {
    format!("{MESH}{STEEL}{before}{STEP}{within}*END STEP\n")
}

pub(super) fn model(text: &str) -> Model {
    match read(text) {
        Ok((model, _)) => model,
        Err(error) => panic!("{error}"),
    }
}
