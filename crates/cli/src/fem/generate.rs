//! `nonius fem generate`

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use nonius::fem::generate;
use nonius::fem::model::Kind;
use nonius::files::matrix_market::WriteError;
use schemars::JsonSchema;
use serde::Serialize;

use crate::command::Command;
use crate::common::Common;
use crate::failure::Failure;
use crate::input::display_name;
use crate::names::{Contents, Names};
use crate::objects::{Object, Objects};
use crate::output::Output;
use crate::ranks::Sharing;
use crate::report::Report;
use crate::summary::Summary;

/// Write a deck of any size
#[derive(Args)]
pub(crate) struct Arguments {
    /// What the deck describes
    shape: Shape,

    /// Elements along each axis, from 1 to 4096; of a cylinder across its core, across the ring
    /// around it, and along it
    #[arg(long, value_names = ["NX", "NY", "NZ"], required = true, value_parser = clap::value_parser!(u32).range(1..=4096))]
    elements: Vec<u32>,

    /// The kind of elements
    #[arg(long, value_name = "KIND", default_value = "c3d8r")]
    kind: Element,

    /// Write the deck to DECK.inp, which appears complete or not at all; `-` is standard output
    #[arg(long, short, value_name = "DECK.inp")]
    output: PathBuf,

    #[command(flatten)]
    common: Common,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Shape {
    /// A bar with a wave
    Bar,
    /// A cantilever that swings
    Cantilever,
    /// A box under pressure
    Box,
    /// A cylinder that hits a wall
    Taylor,
}

#[derive(Clone, Copy, ValueEnum)]
enum Element {
    /// Hexahedra with eight points of integration
    C3d8,
    /// Hexahedra with one point of integration and hourglass control
    C3d8r,
    /// Tetrahedra with four nodes
    C3d4,
}

/// A deck was written.
#[derive(Serialize, JsonSchema)]
struct Figures {
    /// Nodes of the mesh.
    nodes: usize,
    /// Elements of the mesh.
    elements: usize,
    /// The type of the elements, as C3D8R.
    kind: &'static str,
    /// The title of the deck.
    title: String,
}

impl Command for Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn sharing(&self) -> Sharing {
        Sharing::First
    }

    fn run(&self) -> Result<Report, Failure> {
        let Self { output, common, .. } = self;
        common.refuse_gpu("a new deck")?;
        Names::default().written("--output", Contents::Deck, output).check(common.json)?;
        common.run(|| generate(self))
    }

    fn objects() -> Objects {
        Objects::Of(vec![Object::of_success::<Figures>()])
    }
}

fn generate(arguments: &Arguments) -> Result<Report, Failure> {
    let &[x, y, z] = &arguments.elements[..] else {
        return Err(Failure::input("--elements: expected three numbers"));
    };
    let (x, y, z) = (x as usize, y as usize, z as usize);
    let kind = match arguments.kind {
        Element::C3d8 => Kind::Hexahedron,
        Element::C3d8r => Kind::ReducedHexahedron,
        Element::C3d4 => Kind::Tetrahedron,
    };
    let size = match arguments.shape {
        Shape::Taylor => generate::Size::of_cylinder([x, y, z]),
        _ => generate::Size::of_box(kind, [x, y, z]),
    };
    let output = Output::beside(Some(&arguments.output));
    let folder = arguments.output.parent().filter(|_| !output.is_standard());
    size.check_numbers().map_err(Failure::input)?;
    size.check_room(kind, folder).map_err(Failure::input)?;
    let model = match arguments.shape {
        Shape::Bar => generate::bar(kind, [x, y, z]),
        Shape::Cantilever => generate::cantilever(kind, [x, y, z]),
        Shape::Box => generate::cuboid(kind, [x, y, z]),
        Shape::Taylor => generate::taylor(kind, x, y, z),
    }
    .map_err(Failure::input)?;
    let deck = |out: &mut dyn std::io::Write| {
        generate::write_abaqus(&model, out).map_err(|error| match error {
            generate::WriteError::Write(error) => WriteError::Io(error),
            error => WriteError::Io(std::io::Error::other(error)),
        })
    };
    output.write(deck)?;
    let nodes = model.mesh.coordinates.len();
    let elements = model.mesh.blocks.iter().map(|block| block.labels.len()).sum();
    let name = if output.is_standard() {
        "standard output".to_string()
    } else {
        display_name(&arguments.output)
    };
    let mut summary = Summary::default();
    let contents = format!("{nodes} nodes, {elements} elements of type {}", kind.name());
    summary.line("deck", format!("{name}: {contents}"));
    let figures = Figures { nodes, elements, kind: kind.name(), title: model.title };
    Ok(Report::new(figures).with_summary(summary).beside([&output]))
}
