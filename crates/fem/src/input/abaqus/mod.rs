//! Decks of Abaqus: `.inp`.
//!
//! A deck is flat or has parts and instances of these, and one step with `*DYNAMIC, EXPLICIT`.
//! Names are those of Abaqus, in any case.
//!
//! - files: `*INCLUDE`, and `INPUT=` of others: relative to the folder of the file that names them
//! - meshes: `*NODE`, `*ELEMENT` of the types `C3D8`, `C3D8R`, `C3D4`, `CPE4R` and `CAX4R`,
//!   `*NSET`, `*ELSET`, `*SURFACE`, `*SOLID SECTION`, `*PART`, `*ASSEMBLY`, `*INSTANCE`
//! - materials: `*MATERIAL`, `*DENSITY`, `*ELASTIC`, `*PLASTIC` as a table or
//!   `HARDENING=JOHNSON COOK`, `*RATE DEPENDENT, TYPE=JOHNSON COOK`, `*HYPERELASTIC, NEO HOOKE`,
//!   `*EXPANSION`, `*SPECIFIC HEAT`, `*INELASTIC HEAT FRACTION`
//! - the beginning: `*INITIAL CONDITIONS` of the types `VELOCITY` and `TEMPERATURE`
//! - motions: `*BOUNDARY` of displacements and velocities, and `XSYMM`, `YSYMM`, `ZSYMM`, `PINNED`,
//!   `ENCASTRE`; `*AMPLITUDE`
//! - loads: `*CLOAD`, `*DLOAD` with `GRAV` and `P1` to `P6`, `*DSLOAD` with `P`
//! - time: `*STEP`, `*DYNAMIC, EXPLICIT`, `*BULK VISCOSITY`
//! - results: `*OUTPUT` with intervals and `TIME MARKS`; `*NODE OUTPUT, NSET=` and
//!   `*ELEMENT OUTPUT, ELSET=` of histories
//!
//! Any other keyword is an error unless results cannot depend on it. Around an axis (`CAX4R`),
//! concentrated forces, masses, reactions and energies are totals of whole rings, as in Abaqus;
//! pressures are forces on a unit of area, and gravity acts on a unit of mass. A velocity that is
//! given holds half way through a step, a displacement at its end.
//!
//! A comment may state the units, as `**UNITS, LENGTH=mm, MASS=t, TIME=s, TEMPERATURE=degC`. Units
//! convert nothing; outputs show them.
//!
//! Four things are our own:
//!
//! - Elements of fewer dimensions, which mesh generators write beside the others, only name nodes
//!   and faces. Where nodes are asked for, the name of a set of elements stands for their nodes; on
//!   a surface, such elements stand for the faces of others with the same nodes.
//! - Of two motions of a node along an axis, the later one holds.
//! - What is to be written at a time goes with the increment that ends nearest to it, where Abaqus
//!   takes the next one; with `TIME MARKS=YES` an increment ends at the time.
//! - Increments are 0.9 of what is stable where no `SCALE FACTOR` says otherwise.
//!
//! A cube of steel falls for a tenth of a second:
//!
//! ```
//! use std::path::Path;
//!
//! use nonius_fem::{Precision, Simulation, input::abaqus};
//!
//! let deck = "*NODE\n1, 0, 0, 0\n2, 1, 0, 0\n3, 1, 1, 0\n4, 0, 1, 0\n\
//!     5, 0, 0, 1\n6, 1, 0, 1\n7, 1, 1, 1\n8, 0, 1, 1\n\
//!     *ELEMENT, TYPE=C3D8R, ELSET=cube\n1, 1, 2, 3, 4, 5, 6, 7, 8\n\
//!     *SOLID SECTION, ELSET=cube, MATERIAL=steel\n\
//!     *MATERIAL, NAME=steel\n*DENSITY\n7800\n*ELASTIC\n2e11, 0.3\n\
//!     *STEP\n*DYNAMIC, EXPLICIT\n, 0.1\n*DLOAD\ncube, GRAV, 9.81, 0, 0, -1\n*END STEP\n";
//! let (model, _) = abaqus::read(deck.as_bytes(), Path::new("cube.inp"))?;
//! let mut simulation = Simulation::new(&model, Precision::Double)?;
//! simulation.advance_to(model.time.period)?;
//! let fall = simulation.snapshot()?.displacements[0][2];
//! assert!((fall / (-0.5 * 9.81 * 0.01) - 1.0).abs() < 1e-9);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod assemble;
mod block;
mod condition;
mod material;
mod mesh;
mod model;
mod name;
mod raw;
mod reader;
mod source;
mod step;
mod types;
mod units;
mod world;

use std::io::Read;
use std::path::Path;

use nonius_files::room::read_whole;

use super::error::{Found, InputError};
use super::ignored::Ignored;
use crate::model::Model;
use reader::Reader;
use source::Deck;

/// The model that a deck says, and what was read past. Errors call the deck `name`; files that it
/// includes are relative to the folder of that.
///
/// ```
/// use std::path::Path;
///
/// let text = "*HEADING\nnothing\n*NODE\n1, 0, 0, 0\n1, 1, 0, 0\n\
///     *STEP\n*DYNAMIC, EXPLICIT\n, 1\n*END STEP\n";
/// let error = nonius_fem::input::abaqus::read(text.as_bytes(), Path::new("two.inp")).unwrap_err();
/// assert_eq!(error.to_string(), "two.inp:5: the node 1 is there twice");
/// ```
///
/// # Errors
/// Of input that cannot be read, that is no deck, or that results depend on and that is not
/// supported.
pub fn read(input: impl Read, name: &Path) -> Result<(Model, Vec<Ignored>), InputError> {
    let text = read_whole(input).map_err(|error| InputError::unreadable(name, &error))?;
    let deck = Deck::load(text, name)?;
    let mut ignored = Vec::new();
    let model = model(&deck, &mut ignored).map_err(|fault| deck.named(fault))?;
    ignored.sort_by_key(|(at, _)| (at.file, at.line));
    let ignored = ignored.into_iter().map(|(at, matter)| Ignored {
        file: deck.path(at).to_path_buf(),
        line: u64::from(at.line),
        matter,
    });
    Ok((model, ignored.collect()))
}

fn model(
    deck: &Deck,
    ignored: &mut Vec<(super::error::At, super::ignored::Matter)>,
) -> Found<Model> {
    let mut reader = Reader::new(deck);
    deck.blocks.iter().try_for_each(|block| reader.block(block))?;
    ignored.append(&mut reader.ignored);
    model::model(reader.said, deck.units, ignored)
}
