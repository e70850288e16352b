//! `nonius info`

use clap::Args;
use nonius::linalg::cpu::simd::Level;
use nonius::num::mp::Bits;
use nonius::{CAPABILITIES, Capability, Device, DeviceInfo, Precision, available_threads};
use serde::Serialize;

use crate::common::Common;
use crate::failure::Failure;
use crate::output::{print_json, print_text};

/// Say what this program and this machine can do
#[derive(Args)]
pub(crate) struct Arguments {
    /// Say which verbs compute with which numbers on which devices
    #[arg(long)]
    capabilities: bool,

    #[command(flatten)]
    pub(crate) common: Common,
}

#[derive(Serialize)]
struct Report {
    version: &'static str,
    devices: Vec<String>,
    /// Why there is no GPU.
    no_gpu: Option<String>,
    gpus: Vec<Gpu>,
    simd: &'static str,
    simd_available: Vec<&'static str>,
    threads: usize,
    precisions: Vec<Row>,
    /// The fewest and the most bits of `mp`.
    mp_bits: [u32; 2],
}

#[derive(Serialize)]
struct Gpu {
    device: String,
    name: String,
    memory_bytes: u64,
    multiprocessors: u32,
    architecture: String,
}

#[derive(Serialize)]
struct Row {
    precision: String,
    bits: u32,
    digits: u32,
    unit_roundoff: f64,
}

/// Devices of a verb.
#[derive(Serialize)]
struct Verb {
    verb: &'static str,
    /// With f64, dd, td and qd.
    fixed: &'static [&'static str],
    /// With any number of bits.
    mp: &'static [&'static str],
}

#[derive(Serialize)]
struct Capabilities {
    verbs: [Verb; CAPABILITIES.len()],
}

pub(crate) fn run(arguments: &Arguments) -> Result<(), Failure> {
    let common = &arguments.common;
    if arguments.capabilities {
        return common.run(|| capabilities(common));
    }
    let report = common.run(|| {
        let (gpus, no_gpu) = match Device::gpus() {
            Ok(found) => (found.iter().map(gpu).collect(), None),
            Err(reason) => (Vec::new(), Some(reason.to_string())),
        };
        let names = gpus.iter().map(|gpu: &Gpu| gpu.device.clone());
        Ok(Report {
            version: env!("CARGO_PKG_VERSION"),
            devices: core::iter::once(Device::Cpu.to_string()).chain(names).collect(),
            no_gpu,
            gpus,
            simd: Level::current().name(),
            simd_available: Level::available().map(Level::name).collect(),
            threads: available_threads(),
            precisions: Precision::FIXED.map(row).into(),
            mp_bits: [Bits::LEAST, Bits::MOST],
        })
    })?;
    common.note("looked at the machine from cpu: there is no work for a GPU");
    match common {
        Common { json: true, .. } => print_json(&report),
        Common { quiet: true, .. } => Ok(()),
        _ => print_text(&text(&report)),
    }
}

fn capabilities(common: &Common) -> Result<(), Failure> {
    let verbs = CAPABILITIES.map(|of: Capability| Verb {
        verb: of.verb,
        fixed: of.fixed.names(),
        mp: of.any.names(),
    });
    if common.json {
        return print_json(&Capabilities { verbs });
    }
    if common.quiet {
        return Ok(());
    }
    let mut text =
        format!("{:<12}  {:<13}  mp{} to mp{}\n", "", "f64 to qd", Bits::LEAST, Bits::MOST);
    for Verb { verb, fixed, mp } in verbs {
        text += &format!("{verb:<12}  {:<13}  {}\n", fixed.join(", "), mp.join(", "));
    }
    text += "\ntridiag computes in f32 too, fem in f32, f64 and both together.\n";
    print_text(&text)
}

fn gpu(info: &DeviceInfo) -> Gpu {
    Gpu {
        device: Device::Cuda(info.ordinal).to_string(),
        name: info.name.clone(),
        memory_bytes: info.memory,
        multiprocessors: info.multiprocessors,
        architecture: info.architecture(),
    }
}

fn row(precision: Precision) -> Row {
    Row {
        precision: precision.to_string(),
        bits: precision.bits(),
        digits: precision.digits(),
        unit_roundoff: precision.unit_roundoff(),
    }
}

fn text(report: &Report) -> String {
    let mut text = format!(
        "nonius {}\n\ndevices  {}\nsimd     {} (of {})\nthreads  {}\n",
        report.version,
        report.devices.join(", "),
        report.simd,
        report.simd_available.join(", "),
        report.threads,
    );
    for gpu in &report.gpus {
        text += &format!(
            "{}   {}, {}, {} multiprocessors, {:.0} GiB\n",
            gpu.device,
            gpu.name,
            gpu.architecture,
            gpu.multiprocessors,
            gpu.memory_bytes as f64 / f64::from(1 << 30)
        );
    }
    if let Some(reason) = &report.no_gpu {
        text += &format!("no GPU   {reason}\n");
    }
    text += "\nprecision  bits  digits  unit roundoff\n";
    for row in &report.precisions {
        text += &format!(
            "{:<9} {:>5} {:>7}  {:.3e}\n",
            row.precision, row.bits, row.digits, row.unit_roundoff
        );
    }
    let [least, most] = report.mp_bits;
    text +=
        &format!("mp followed by bits from {least} to {most}, as mp424: see info --capabilities\n");
    text
}
