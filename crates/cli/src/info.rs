//! `nonius info`

use std::path::PathBuf;

use clap::Args;
use nonius::device::Level;
use nonius::device::{CAPABILITIES, Capability, DeviceInfo, KernelCompiler};
use nonius::num::mp::Bits;
use nonius::{Device, Precision, threads};
use schemars::JsonSchema;
use serde::Serialize;

use crate::command::Command;
use crate::common::Common;
use crate::failure::Failure;
use crate::objects::{Object, Objects};
use crate::ranks::{self, Sharing};
use crate::report::Report;
use crate::summary::{Summary, counted};

/// Say what this program and this machine can do
///
/// With --device cuda:1, say also whether that GPU can be used.
#[derive(Args)]
pub(crate) struct Arguments {
    /// Say which commands compute in which precisions on which devices
    #[arg(long)]
    capabilities: bool,

    #[command(flatten)]
    common: Common,
}

/// What the program and the machine can do.
#[derive(Serialize, JsonSchema)]
struct Figures {
    /// The version of the program.
    version: &'static str,
    /// The device of --device.
    device: String,
    /// Whether that device can be used.
    device_available: bool,
    /// Why it cannot be used; null where it can.
    device_reason: Option<String>,
    /// The names of all devices, as --device takes them.
    devices: Vec<String>,
    /// Why there is no GPU; null where there is one.
    no_gpu: Option<String>,
    /// The GPUs.
    gpus: Vec<Gpu>,
    /// The compiler of kernels for GPUs; null where it was not found.
    nvrtc: Option<Compiler>,
    /// Why it was not found; null where it was.
    no_nvrtc: Option<String>,
    /// The library of MPI and its version; null where this program is built without.
    mpi: Option<String>,
    /// How many ranks the run has: 1, or what mpirun was asked for.
    ranks: usize,
    /// The version of NCCL, by which several GPUs send each other messages; null where its library
    /// was not found, and messages go over the host's memory.
    nccl: Option<String>,
    /// The instruction set that the CPU computes with.
    simd: &'static str,
    /// The instruction sets that the CPU has.
    simd_available: Vec<&'static str>,
    /// The number of threads.
    threads: usize,
    /// The precisions with a fixed number of bits.
    precisions: Vec<Row>,
    /// The fewest and the most bits of mp precisions.
    mp_bits: [u32; 2],
}

/// A GPU.
#[derive(Serialize, JsonSchema)]
struct Gpu {
    /// Its name for --device, as cuda:0.
    device: String,
    /// The name of the model.
    name: String,
    /// Its memory in bytes.
    memory_bytes: u64,
    /// The number of its multiprocessors.
    multiprocessors: u32,
    /// Its architecture, as sm_90.
    architecture: String,
}

/// NVRTC.
#[derive(Serialize, JsonSchema)]
struct Compiler {
    /// Its version.
    version: String,
    /// The file of the library; null where the system does not tell it.
    file: Option<PathBuf>,
}

/// A precision.
#[derive(Serialize, JsonSchema)]
struct Row {
    /// Its name, as --precision takes it.
    precision: String,
    /// Bits of a significand.
    bits: u32,
    /// Decimal digits that any number keeps.
    digits: u32,
    /// The largest relative error of one rounding.
    unit_roundoff: f64,
}

/// Devices of a verb, by precision: cpu, cuda.
#[derive(Serialize, JsonSchema)]
struct Verb {
    /// The verb, which is a command or what one does.
    verb: &'static str,
    /// Devices that compute with f32.
    f32: &'static [&'static str],
    /// Devices that compute with f64.
    f64: &'static [&'static str],
    /// Devices that compute with dd.
    dd: &'static [&'static str],
    /// Devices that compute with td.
    td: &'static [&'static str],
    /// Devices that compute with qd.
    qd: &'static [&'static str],
    /// Devices that compute with mp numbers of any number of bits.
    mp: &'static [&'static str],
}

/// With --capabilities: which verbs compute with which numbers on which devices.
#[derive(Serialize, JsonSchema)]
struct Capabilities {
    /// The verbs.
    verbs: [Verb; CAPABILITIES.len()],
}

impl Command for Arguments {
    fn common(&self) -> &Common {
        &self.common
    }

    fn sharing(&self) -> Sharing {
        Sharing::First
    }

    fn run(&self) -> Result<Report, Failure> {
        if self.capabilities {
            return Ok(capabilities());
        }
        let figures = self.common.on_threads(|| Ok(figures(self.common.device)))?;
        let summary = summarize(&figures, self.common.device);
        Ok(Report::new(figures).with_summary(summary))
    }

    fn objects() -> Objects {
        Objects::Of(vec![Object::of_success::<Figures>(), Object::of_success::<Capabilities>()])
    }
}

fn figures(device: Device) -> Figures {
    let (gpus, no_gpu) = match Device::gpus() {
        Ok(found) => (found.iter().map(gpu).collect(), None),
        Err(reason) => (Vec::new(), Some(reason.to_string())),
    };
    let (nvrtc, no_nvrtc) = match KernelCompiler::find() {
        Ok(KernelCompiler { version, file }) => (Some(Compiler { version, file }), None),
        Err(reason) => (None, Some(reason.to_string())),
    };
    let device_reason = device.check().err().map(|reason| reason.to_string());
    let names = gpus.iter().map(|gpu: &Gpu| gpu.device.clone());
    let all = (gpus.len() > 1).then(|| Device::CudaAll.to_string());
    Figures {
        version: env!("CARGO_PKG_VERSION"),
        device: device.to_string(),
        device_available: device_reason.is_none(),
        device_reason,
        devices: core::iter::once(Device::Cpu.to_string()).chain(names).chain(all).collect(),
        no_gpu,
        gpus,
        nvrtc,
        no_nvrtc,
        mpi: nonius::ranks::library().map(|name| first_words(&name)),
        ranks: ranks::count(),
        nccl: nonius::ranks::nccl(),
        simd: Level::current().name(),
        simd_available: Level::available().map(Level::name).collect(),
        threads: threads::available(),
        precisions: Precision::FIXED.map(row).into(),
        mp_bits: [Bits::LEAST, Bits::MOST],
    }
}

/// What a library says of itself first: `Open MPI v4.1.4`
fn first_words(library: &str) -> String {
    library.split([',', '\n']).next().unwrap_or_default().trim().to_string()
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

fn summarize(figures: &Figures, device: Device) -> Summary {
    let mut summary = Summary::default();
    summary.text(&format!("nonius {}\n\n", figures.version));
    summary.line("devices", figures.devices.join(", "));
    for gpu in &figures.gpus {
        let memory = gpu.memory_bytes as f64 / f64::from(1 << 30);
        let (name, architecture, count) = (&gpu.name, &gpu.architecture, gpu.multiprocessors);
        summary.line(
            &gpu.device,
            format!("{name}, {architecture}, {count} multiprocessors, {memory:.0} GiB"),
        );
    }
    if let Some(reason) = &figures.no_gpu {
        summary.line("no GPU", reason);
    }
    match &figures.device_reason {
        _ if device == Device::Auto => {}
        Some(reason) => summary.line(&figures.device, format!("not available: {reason}")),
        None => summary.line(&figures.device, "available"),
    }
    if let Some(Compiler { version, file }) = &figures.nvrtc {
        let file = file.as_ref().map(|file| format!(", {}", file.display()));
        summary.line("NVRTC", format!("{version}{}", file.unwrap_or_default()));
    }
    if let Some(reason) = &figures.no_nvrtc {
        summary.line("no NVRTC", reason);
    }
    let without = || "not built in: see the feature mpi".to_string();
    let ranks = counted(figures.ranks, "rank");
    let mpi = figures.mpi.as_ref().map(|library| format!("{library}, {ranks}"));
    summary.line("MPI", mpi.unwrap_or_else(without));
    let nccl = figures.nccl.as_deref();
    summary.line("NCCL", nccl.unwrap_or("libnccl.so.2 not found: NONIUS_NCCL may name its file"));
    let all = figures.simd_available.join(", ");
    summary.line("simd", format!("{} (of {all})", figures.simd));
    summary.line("threads", figures.threads);
    let mut table = "\nprecision  bits  digits  unit roundoff\n".to_string();
    for Row { precision, bits, digits, unit_roundoff } in &figures.precisions {
        table += &format!("{precision:<9} {bits:>5} {digits:>7}  {unit_roundoff:.3e}\n");
    }
    let [least, most] = figures.mp_bits;
    table +=
        &format!("mp followed by bits from {least} to {most}, as mp424: see info --capabilities\n");
    summary.text(&table);
    summary
}

fn capabilities() -> Report {
    let verbs = CAPABILITIES.map(|of: Capability| Verb {
        verb: of.verb,
        f32: of.single.names(),
        f64: of.double.names(),
        dd: of.limbs.names(),
        td: of.limbs.names(),
        qd: of.limbs.names(),
        mp: of.any.names(),
    });
    let row = |cells: [&str; 5]| {
        let [verb, single, double, limbs, any] = cells;
        let row = format!("{verb:<12}  {single:<9}  {double:<9}  {limbs:<10}  {any}");
        row.trim_end().to_string() + "\n"
    };
    let any = format!("mp{} to mp{}", Bits::LEAST, Bits::MOST);
    let mut table = row(["", "f32", "f64", "dd, td, qd", &any]);
    for Verb { verb, f32, f64, dd, mp, .. } in &verbs {
        let [single, double, limbs, any] = [f32, f64, dd, mp].map(|places| match places {
            [] => "-".to_string(),
            _ => places.join(", "),
        });
        table += &row([verb, &single, &double, &limbs, &any]);
    }
    table += "\nfem computes with f32 and f64 together, and with pairs of f32, too.\n";
    let mut summary = Summary::default();
    summary.text(&table);
    Report::new(Capabilities { verbs }).with_summary(summary)
}
