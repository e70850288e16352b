//! What `nonius fem run` is asked.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use nonius::fem;
use nonius::fem::output::view::{Direction, Field};

use crate::common::Common;

/// Compute what a deck describes
///
/// The deck is an input file of Abaqus (.inp), or TOML that names a mesh of Gmsh. The folder gets
/// fields.pvd with its .vtu files for ParaView, history.csv and history.svg with energies and
/// probes, end.png, and a checkpoint, from which --resume goes on. In f32 and f64, fields on a GPU
/// are those on the CPU, bit for bit. Where the deck states its units, all outputs show them: TOML
/// has a table [units], and a deck of Abaqus a comment such as **UNITS, LENGTH=mm, MASS=t, TIME=s.
#[derive(Args)]
pub(crate) struct Arguments {
    /// The deck, .inp or .toml; `-` is a deck of Abaqus on standard input
    #[arg(value_name = "DECK")]
    pub(super) deck: PathBuf,

    /// Write all files into FOLDER, which is made where it is not there
    #[arg(long, short, value_name = "FOLDER")]
    pub(super) output: PathBuf,

    /// Go on from the checkpoint in the folder, with the bits of a run without interruption; deck,
    /// precision and --resync have to be those of the run before
    #[arg(long)]
    pub(super) resume: bool,

    /// Precision of numbers: f32 or f64 everywhere; mixed, elements in f32, motions and sums over
    /// steps in f64, which keeps 7 to 8 digits where f32 keeps 5 to 6, and is for GPUs: on a CPU it
    /// is slower than f64; or f32x2, pairs of f32 in place of f64, for GPUs whose f64 is slow, and
    /// on the CPU the same as f64
    #[arg(long, value_name = "PRECISION", default_value = "f64")]
    pub(super) precision: Precision,

    /// With --precision mixed, compute forces in full every K time steps; between, they are sums of
    /// increments, which costs digits; 0 is never [default: 1]
    #[arg(long, value_name = "K")]
    pub(super) resync: Option<u64>,

    /// Stop where the sum of all energies has changed by PART of the largest one
    #[arg(long, value_name = "PART", default_value_t = 0.05)]
    pub(super) balance: f64,

    /// What the colours of end.png show
    #[arg(long, value_name = "FIELD", default_value = "mises")]
    pub(super) field: Coloured,

    /// From where end.png shows the mesh: front, back, right, left, top, bottom, isometric, or a
    /// direction such as -1,0.5,-1 [default: isometric; plane meshes from the front]
    #[arg(long, value_name = "DIRECTION", allow_hyphen_values = true)]
    pub(super) view: Option<Direction>,

    /// Round fields to single precision in files, which halves their size
    #[arg(long)]
    pub(super) single_fields: bool,

    #[command(flatten)]
    pub(super) common: Common,
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Precision {
    F32,
    Mixed,
    #[value(name = "f32x2")]
    Pairs,
    F64,
}

impl Precision {
    pub(super) fn of_run(self) -> fem::Precision {
        match self {
            Precision::F32 => fem::Precision::Single,
            Precision::Mixed => fem::Precision::Mixed,
            Precision::Pairs => fem::Precision::Pairs,
            Precision::F64 => fem::Precision::Double,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub(super) enum Coloured {
    Mises,
    PlasticStrain,
    Temperature,
    Displacement,
    Velocity,
}

impl Coloured {
    pub(super) fn field(self) -> Field {
        match self {
            Coloured::Mises => Field::VonMises,
            Coloured::PlasticStrain => Field::PlasticStrain,
            Coloured::Temperature => Field::Temperature,
            Coloured::Displacement => Field::Displacement,
            Coloured::Velocity => Field::Velocity,
        }
    }
}
