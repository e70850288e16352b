//! What is measured on one GPU of this machine and on all.

use std::error::Error;
use std::path::PathBuf;

use clap::Subcommand;
use nonius_cuda::Cuda;
use nonius_gpu::{Device, DeviceInfo};

use super::{many, many_cg, many_sdp, model, parts, shared};
use crate::record::Record;

#[derive(Subcommand)]
pub(crate) enum Command {
    /// Products and factors at dd on one GPU and on all of this machine.
    Gpus {
        /// Matrix orders.
        #[arg(default_values_t = [16384, 32768])]
        sizes: Vec<usize>,
        /// The order of tiles.
        #[arg(long, default_value_t = 1024)]
        tile: usize,
        /// Only these tasks.
        #[arg(long, num_args = 1..)]
        only: Vec<many::Task>,
    },
    /// A book of options and a bar of hexahedra on one GPU and on all of this machine.
    GpusShared {
        /// Options of the book.
        #[arg(long, default_value_t = 100_000)]
        options: usize,
        /// Elements of the bar.
        #[arg(long, default_value_t = 10_000_000)]
        elements: usize,
    },
    /// What the parts of factorisations at dd take on one GPU, and messages between two.
    GpusParts {
        /// Rows of the matrices.
        #[arg(default_values_t = [4096, 16384, 32768])]
        sizes: Vec<usize>,
    },
    /// What a model says of products and factors at dd on up to 1024 GPUs.
    GpusModel {
        /// What `gpus-parts` measured, as CSV: on one GPU, and messages between two.
        #[arg(required = true)]
        parts: Vec<PathBuf>,
        /// What `gpus` measured, to have beside it.
        #[arg(long, num_args = 1..)]
        measured: Vec<PathBuf>,
        /// The order of tiles.
        #[arg(long, default_value_t = 1024)]
        tile: usize,
    },
    /// Conjugate gradients at dd on one GPU and on all of this machine.
    GpusCg {
        /// Points along a side of the grid.
        #[arg(default_values_t = [2048, 4096])]
        sides: Vec<usize>,
    },
    /// Semidefinite programs on one GPU and on all of this machine.
    GpusSdp {
        /// Files in SDPA's sparse format.
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The precision to end in.
        #[arg(long, default_value = "dd")]
        precision: nonius_sdp::LastPrecision,
    },
}

impl Command {
    /// Measures, and has records kept with the GPU's name and the file's.
    pub(crate) fn run(
        self,
        keep: impl Fn(&str, &str, &[Record]) -> Result<(), Box<dyn Error>>,
    ) -> Result<(), Box<dyn Error>> {
        let (name, records) = match self {
            Self::GpusModel { parts, measured, tile } => {
                return model::print(&parts, &measured, tile);
            }
            Self::Gpus { sizes, tile, only } => ("gpus", many::measure(&sizes, tile, &only)?),
            Self::GpusShared { options, elements } => {
                let counts = many::counts()?;
                let mut records = shared::book(options, &counts);
                records.extend(shared::bar(elements, &counts));
                ("gpus-shared", records)
            }
            Self::GpusParts { sizes } => {
                ("gpus-parts", parts::measure(&Cuda::new(&Device::new(0)?)?, &sizes)?)
            }
            Self::GpusCg { sides } => ("gpus-cg", many_cg::measure(&sides)?),
            Self::GpusSdp { files, precision } => {
                ("gpus-sdp", many_sdp::measure(&files, precision)?)
            }
        };
        keep(&DeviceInfo::of(0)?.name, name, &records)
    }
}
