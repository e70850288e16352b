//! Explicit dynamics of solids: element updates a second, and digits that precisions agree to.

mod ccx;
mod device;
mod digits;
pub(crate) mod forecast;
mod models;
mod rates;

use std::error::Error;
use std::path::PathBuf;

use clap::{Args, ValueEnum};
use nonius_fem::model::Kind;

use crate::record::Record;
use models::Matter;

/// What is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Part {
    /// Element updates a second.
    Rates,
    /// Digits of displacements.
    Digits,
    /// CalculiX's explicit dynamics beside ours.
    Ccx,
}

/// How it is measured.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Only these.
    #[arg(long, num_args = 1..)]
    only: Vec<Part>,
    /// Elements of the meshes whose rates are measured, about.
    #[arg(long, default_value_t = 32_768)]
    elements: usize,
    /// Only these of C3D8, C3D8R, C3D4, CPE4R, CAX4R.
    #[arg(long, num_args = 1.., value_parser = kind)]
    kinds: Vec<Kind>,
    /// Only these materials.
    #[arg(long, num_args = 1..)]
    materials: Vec<Matter>,
    /// CalculiX's program, to have it beside ours.
    #[arg(long)]
    ccx: Option<PathBuf>,
    /// The GPU that computes, counted from 0, in place of the CPU.
    #[arg(long)]
    pub(crate) device: Option<usize>,
    /// Only these figures of a GPU.
    #[arg(long, num_args = 1.., requires = "device")]
    studies: Vec<device::Study>,
}

/// The figures of a GPU.
pub(crate) fn measure_on(
    gpu: &nonius_cuda::Cuda,
    arguments: &Arguments,
) -> Result<Vec<Record>, Box<dyn Error>> {
    let (kinds, matters) = (kinds(arguments), matters(arguments));
    device::measure(gpu, &arguments.studies, arguments.elements, kinds, matters)
}

fn kinds(arguments: &Arguments) -> &[Kind] {
    if arguments.kinds.is_empty() { &Kind::ALL[..] } else { &arguments.kinds }
}

fn matters(arguments: &Arguments) -> &[Matter] {
    match arguments.materials.as_slice() {
        [] => Matter::value_variants(),
        some => some,
    }
}

fn kind(text: &str) -> Result<Kind, String> {
    let found = Kind::ALL.into_iter().find(|kind| kind.name().eq_ignore_ascii_case(text));
    found.ok_or_else(|| "expected C3D8, C3D8R, C3D4, CPE4R or CAX4R".to_string())
}

/// The figures of all parts that are asked for, or of all.
pub(crate) fn measure(
    arguments: &Arguments,
    threads: usize,
) -> Result<Vec<Record>, Box<dyn Error>> {
    let mut records = Vec::new();
    let wanted = |part: Part| arguments.only.is_empty() || arguments.only.contains(&part);
    let (kinds, matters) = (kinds(arguments), matters(arguments));
    if wanted(Part::Rates) {
        rates::measure(arguments.elements, kinds, matters, threads, &mut records)?;
    }
    if wanted(Part::Digits) {
        digits::measure(None, kinds, &mut records)?;
    }
    if wanted(Part::Ccx)
        && let Some(ccx) = &arguments.ccx
    {
        ccx::measure(ccx, kinds, &mut records)?;
    }
    Ok(records)
}
