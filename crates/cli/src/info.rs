//! `nonius info`

use clap::Args;
use nonius::linalg::cpu::simd::Level;
use nonius::{Device, Precision, available_threads};
use serde::Serialize;

use crate::common::Common;
use crate::failure::Failure;
use crate::output::{print_json, print_text};

/// Say what this program and this machine can do
#[derive(Args)]
pub(crate) struct Arguments {
    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    devices: Vec<&'static str>,
    simd: &'static str,
    simd_available: Vec<&'static str>,
    threads: usize,
    precisions: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    precision: &'static str,
    bits: u32,
    digits: u32,
    unit_roundoff: f64,
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let common = &arguments.common;
    let report = common.run(|| {
        Ok(Report {
            version: env!("CARGO_PKG_VERSION"),
            devices: vec![Device::Cpu.name()],
            simd: Level::current().name(),
            simd_available: Level::available().map(Level::name).collect(),
            threads: available_threads(),
            precisions: Precision::ALL.map(row).into(),
        })
    })?;
    match common {
        Common { json: true, .. } => print_json(&report),
        Common { quiet: true, .. } => Ok(()),
        _ => print_text(&text(&report)),
    }
}

fn row(precision: Precision) -> Row {
    Row {
        precision: precision.name(),
        bits: precision.bits(),
        digits: precision.digits(),
        unit_roundoff: precision.unit_roundoff(),
    }
}

fn text(report: &Report) -> String {
    let mut text = format!(
        "nonius {}\n\ndevices  {}\nsimd     {} (of {})\nthreads  {}\n\nprecision  bits  digits  unit roundoff\n",
        report.version,
        report.devices.join(", "),
        report.simd,
        report.simd_available.join(", "),
        report.threads,
    );
    for row in &report.precisions {
        text += &format!(
            "{:<9} {:>5} {:>7}  {:.3e}\n",
            row.precision, row.bits, row.digits, row.unit_roundoff
        );
    }
    text
}
