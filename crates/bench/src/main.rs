//! Nonius measured, and the libraries a user would pick instead beside it.
//!
//! Every command prints its figures and appends them as CSV to `runs/<date>-<machine>/`.

mod calls;
mod compare;
mod dense;
mod digits;
mod elementwise;
mod fem;
mod figure2;
mod gpu;
mod inputs;
mod mp;
mod options;
mod orthogonal;
mod papers;
mod pictures;
mod ranks;
mod record;
mod schur;
mod sdp;
mod storage;
mod text;
mod timing;
mod vectors;

use std::error::Error;
use std::path::{Path, PathBuf};

use clap::{Parser, Subcommand};
use nonius_linalg::mp::Bits;

use papers::qd_on_cuda::Part;
use record::Record;

#[derive(Parser)]
#[command(version, about = "Benchmarks of Nonius")]
struct Arguments {
    #[command(subcommand)]
    command: Command,
    /// Threads to compute with.
    #[arg(long, global = true, default_value_t = 1)]
    threads: usize,
    /// Folder of raw results; each day and machine gets a folder in it.
    #[arg(long, global = true, default_value = concat!(env!("CARGO_MANIFEST_DIR"), "/runs"))]
    runs: PathBuf,
}

#[derive(Subcommand)]
enum Command {
    /// Operations and functions on vectors.
    Elementwise {
        /// Elements in a vector.
        #[arg(long, default_value_t = 4096)]
        length: usize,
        /// Only the operations of these names.
        #[arg(long, num_args = 1..)]
        only: Vec<String>,
    },
    /// Tasks of two rows: what a call costs.
    Calls,
    /// Products, factorisations and solutions.
    Dense {
        /// Matrix orders.
        #[arg(default_values_t = [512, 1024])]
        sizes: Vec<usize>,
        /// Only these of f64, dd, td, qd.
        #[arg(long, num_args = 1..)]
        precisions: Vec<String>,
        /// Only the operations of these names.
        #[arg(long, num_args = 1..)]
        only: Vec<String>,
    },
    /// Factorisations by orthogonal matrices: QR, eigenvalues, singular values, with products
    /// beside them.
    Orthogonal {
        /// Matrix orders.
        #[arg(default_values_t = [256, 512])]
        sizes: Vec<usize>,
    },
    /// Products of matrices of any precision.
    Mp {
        /// Matrix orders.
        #[arg(default_values_t = [256, 512])]
        sizes: Vec<usize>,
        /// Bits of the numbers.
        #[arg(long, value_parser = bits, num_args = 1.., default_values = ["106", "212", "424", "1000", "2048"])]
        bits: Vec<Bits>,
    },
    /// Operations on vectors of any precision.
    MpVectors {
        /// Numbers in a vector.
        #[arg(long, default_value_t = 4096)]
        length: usize,
        /// Bits of the numbers.
        #[arg(long, value_parser = bits, num_args = 1.., default_values = ["106", "128", "212", "256", "424", "512"])]
        bits: Vec<Bits>,
    },
    /// Numbers in residues beside positional ones: axpy, dot, a sparse product, iterations of
    /// conjugate gradients.
    Storage {
        /// Points of the side of the square of the Laplacian, whose square vectors have.
        #[arg(long, default_value_t = 64)]
        side: usize,
        /// Bits of the numbers.
        #[arg(long, value_parser = bits, num_args = 1.., default_values = ["106", "212", "424", "848", "1696"])]
        bits: Vec<Bits>,
        /// The GPU that computes, counted from 0, in place of one thread.
        #[arg(long)]
        device: Option<usize>,
    },
    /// Iterations of conjugate gradients by precision: figure 2 of the paper of 2022, with other
    /// orders of sums beside.
    Figure2 {
        /// The folder of bcsstm10, plbuckle, bcsstk27 and aft01, as .mtx.xz of the SuiteSparse
        /// collection.
        matrices: PathBuf,
        /// Numbers of mp precisions in residues, as the paper has them.
        #[arg(long)]
        residues: bool,
        /// The GPU that computes, counted from 0, in place of the CPU.
        #[arg(long)]
        device: Option<usize>,
    },
    /// Systems solved to a number of proved digits.
    Digits {
        /// Matrix orders.
        #[arg(default_values_t = [256, 1024])]
        sizes: Vec<usize>,
        /// Digits asked for.
        #[arg(long, num_args = 1.., default_values_t = [15, 30, 60, 100, 200])]
        digits: Vec<u32>,
    },
    /// Option prices: European calls and American puts on 1000 × 500 nodes and steps, and to
    /// tolerances.
    Options {
        /// Contracts in a book.
        #[arg(default_values_t = [1, 16, 256])]
        counts: Vec<usize>,
        /// The GPU that computes, counted from 0, in each of its ways, with one thread of the CPU
        /// beside.
        #[arg(long)]
        device: Option<usize>,
        /// Only these of f64, dd, td, qd; the CPU alone has f64.
        #[arg(long, num_args = 1.., default_values = ["f64"])]
        precisions: Vec<String>,
    },
    /// Solids in motion: element updates a second by kind, material and precision, and digits that
    /// precisions agree to.
    Fem(fem::Arguments),
    /// Steps of solids on other GPUs, from what `profile-fem.sh` has counted on one.
    FemForecast {
        /// The file of counts.
        counts: PathBuf,
        /// Where it was counted: H100 or H200.
        #[arg(long)]
        card: String,
        /// Elements of the meshes.
        #[arg(long, default_value_t = 262_144)]
        elements: usize,
    },
    /// Processes under MPI beside one process with as many threads: product, Cholesky's method,
    /// conjugate gradients, a solid.
    Ranks {
        /// `nonius`, built with the feature `mpi`.
        program: PathBuf,
        /// Processes.
        #[arg(long, default_value_t = 2)]
        count: usize,
        /// Orders of dense matrices.
        #[arg(long, num_args = 1.., default_values_t = [2000, 4000])]
        orders: Vec<usize>,
    },
    /// Schur complements of semidefinite programs by each formula, and as chosen.
    Schur {
        /// The GPU that computes, counted from 0, in place of the CPU.
        #[arg(long)]
        device: Option<usize>,
    },
    /// Semidefinite programs of a library, SDPLIB for one: time, digits beside the known optima,
    /// and what others take.
    Sdp(sdp::Arguments),
    /// The tables of docs/sdplib.md, from the raw results of `sdp`.
    SdpPage {
        /// The folders of the runs; of repeated measurements the last counts.
        #[arg(required = true)]
        folders: Vec<PathBuf>,
    },
    /// Numbers read from decimal text and written to it.
    Text,
    /// Tables of the paper of 2011 on QD and CUDA, with the paper's figures beside ours.
    Papers {
        /// Divides every dimension of a matrix, for a quick look.
        #[arg(long, default_value_t = 1)]
        shrink: usize,
        /// Only these sections.
        #[arg(long, num_args = 1..)]
        only: Vec<Part>,
        /// Measures nothing and prints the tables from these raw results.
        #[arg(long, num_args = 1.., conflicts_with_all = ["shrink", "only"])]
        from: Vec<PathBuf>,
    },
    /// The same on a GPU, kernels alone and with transfers, with the CPU's threads beside.
    GpuPapers {
        /// Only these sections.
        #[arg(long, num_args = 1..)]
        only: Vec<Part>,
        /// Which GPU, counted from 0.
        #[arg(long, default_value_t = 0)]
        device: usize,
    },
    /// Tables 1 to 4, figure 3 and the residuals of the paper of 2012 on tridiagonal systems: one
    /// thread, and a GPU beside it.
    CyclicReduction {
        /// The GPU, counted from 0.
        #[arg(long)]
        device: Option<usize>,
        /// Measures nothing and prints the tables from these raw results.
        #[arg(long, num_args = 1.., conflicts_with = "device")]
        from: Vec<PathBuf>,
    },
    /// Operations, sums and transfers on a GPU.
    Gpu {
        /// Which GPU, counted from 0.
        #[arg(long, default_value_t = 0)]
        device: usize,
        /// Only these groups of figures.
        #[arg(long, num_args = 1..)]
        only: Vec<gpu::vectors::Group>,
    },
    /// Products, factorisations and solutions on a GPU.
    GpuDense {
        /// Matrix orders.
        #[arg(default_values_t = [1024, 2048, 2400, 4096])]
        sizes: Vec<usize>,
        /// Only factorisations and products by the residue engine, for sizes that take the others
        /// too long.
        #[arg(long)]
        large: bool,
        /// Only products by the residue engine.
        #[arg(long, conflicts_with = "large")]
        residues: bool,
        /// Which GPU, counted from 0.
        #[arg(long, default_value_t = 0)]
        device: usize,
    },
    #[command(flatten)]
    Gpus(gpu::gpus::Command),
    /// Products at dd on a GPU, alone and with the way of matrices of the host there and back,
    /// which `--threads` carry.
    GpuProducts {
        /// Matrix orders.
        #[arg(default_values_t = [512, 1024, 2048, 3072, 4096, 6144, 8192])]
        sizes: Vec<usize>,
        /// Only these figures.
        #[arg(long, num_args = 1..)]
        only: Vec<gpu::products::Figure>,
        /// Which GPU, counted from 0.
        #[arg(long, default_value_t = 0)]
        device: usize,
    },
    /// Products, factorisations, solutions and eigenvectors of numbers of 106 to 2048 bits on a
    /// GPU.
    GpuMp {
        /// Matrix orders.
        #[arg(default_values_t = [1024, 2048, 4096])]
        sizes: Vec<usize>,
        /// Precisions; the last two take the residue engine's kernels for integers of any length.
        #[arg(long, value_delimiter = ',', default_values_t = [106, 159, 212, 318, 424, 1000, 2048])]
        bits: Vec<u32>,
        /// Only the operations of these names.
        #[arg(long, value_delimiter = ',')]
        only: Vec<String>,
        /// Which GPU, counted from 0.
        #[arg(long, default_value_t = 0)]
        device: usize,
    },
    /// Solutions with proved digits on a GPU.
    GpuDigits {
        /// Order, right-hand sides, digits, and the power of ten that is the condition (0: random
        /// entries), as in 8192,1,30,20.
        #[arg(value_parser = gpu::digits::case)]
        cases: Vec<gpu::digits::Case>,
        /// Which GPU, counted from 0.
        #[arg(long, default_value_t = 0)]
        device: usize,
    },
    /// Eigenvalues and singular values on a GPU.
    GpuOrthogonal {
        /// Matrix orders.
        #[arg(default_values_t = [1024, 2048, 4096])]
        sizes: Vec<usize>,
        /// Which GPU, counted from 0.
        #[arg(long, default_value_t = 0)]
        device: usize,
    },
    /// Vectors of iterative methods, products with sparse matrices and conjugate gradients on a
    /// GPU.
    GpuSparse {
        /// Only these.
        #[arg(long, num_args = 1..)]
        only: Vec<gpu::sparse::Part>,
        /// Points of the side of the square of the Laplacian.
        #[arg(long, default_value_t = 4096)]
        side: usize,
        /// Matrix Market files of symmetric systems.
        files: Vec<PathBuf>,
        /// Which GPU, counted from 0.
        #[arg(long, default_value_t = 0)]
        device: usize,
    },
    /// Batches of tridiagonal systems on a GPU: solvers beside cuSPARSE.
    GpuTridiag {
        /// Which GPU, counted from 0.
        #[arg(long, default_value_t = 0)]
        device: usize,
    },
    /// What factorisations on a GPU are made of: panels, and products of few terms by each engine.
    GpuBlocks {
        /// Rows.
        #[arg(default_values_t = [1024, 4096, 8192])]
        sizes: Vec<usize>,
        /// Which GPU, counted from 0.
        #[arg(long, default_value_t = 0)]
        device: usize,
    },
    /// Bytes that cross the bus for each job of the library on a GPU.
    GpuBus {
        /// Order of the matrices.
        #[arg(default_value_t = 1024)]
        order: usize,
        /// Which GPU, counted from 0.
        #[arg(long, default_value_t = 0)]
        device: usize,
    },
    /// The folder that today's results on this machine go to.
    Folder,
    /// A picture of raw results.
    Picture(pictures::Arguments),
    /// Ratios of our rates to the peers', from the CSV files of a run.
    Compare {
        /// The folder of the run.
        folder: PathBuf,
    },
}

fn bits(text: &str) -> Result<Bits, Box<dyn Error + Send + Sync>> {
    Ok(Bits::new(text.parse()?)?)
}

fn main() -> Result<(), Box<dyn Error>> {
    let arguments = Arguments::parse();
    rayon::ThreadPoolBuilder::new().num_threads(arguments.threads).build_global()?;
    let threads = arguments.threads;
    match arguments.command {
        Command::Elementwise { length, only } => {
            keep(&arguments.runs, "elementwise", &elementwise::measure(length, threads, &only))
        }
        Command::Calls => keep(&arguments.runs, "calls", &calls::measure(threads)),
        Command::Dense { sizes, precisions, only } => {
            let records = dense::measure(&sizes, &precisions, &only, threads);
            keep(&arguments.runs, "dense", &records)
        }
        Command::Orthogonal { sizes } => {
            keep(&arguments.runs, "orthogonal", &orthogonal::measure(&sizes, threads))
        }
        Command::Mp { sizes, bits } => {
            keep(&arguments.runs, "mp", &mp::measure(&sizes, &bits, threads))
        }
        Command::MpVectors { length, bits } => {
            keep(&arguments.runs, "mp-vectors", &vectors::measure(length, &bits, threads))
        }
        Command::Storage { side, bits, device: None } => {
            let records = storage::measure(&storage::Place::Thread, side, &bits)?;
            keep(&arguments.runs, "storage", &records)
        }
        Command::Storage { side, bits, device: Some(device) } => {
            let device = nonius_cuda::Device::new(device)?;
            let gpu = nonius_cuda::Cuda::new(&device)?;
            let records = storage::measure(&storage::Place::Gpu(&gpu), side, &bits)?;
            keep_for(&arguments.runs, &device.info().name, "gpu-storage", &records)
        }
        Command::Figure2 { matrices, residues, device } => {
            let machine = match device {
                Some(device) => nonius_cuda::DeviceInfo::of(device)?.name,
                None => record::this_processor(),
            };
            let name = if residues { "figure2-residues" } else { "figure2" };
            let command = if residues { "figure2 MATRICES --residues" } else { "figure2 MATRICES" };
            let folder = record::run_folder(&arguments.runs, &machine, command)?;
            let device = device.map_or(nonius::Device::Cpu, nonius::Device::Cuda);
            let setting = figure2::Setting { device, residues };
            figure2::measure(&matrices, &setting, &folder.join(name))
        }
        Command::Digits { sizes, digits } => {
            keep(&arguments.runs, "digits", &digits::measure(&sizes, &digits, threads)?)
        }
        Command::Options { counts, device: None, .. } => {
            let backend = nonius_linalg::backend::Cpu::default();
            let records = options::measure::<f64>(&backend, "nonius", &counts, threads);
            keep(&arguments.runs, "options", &records)
        }
        Command::Options { counts, device: Some(device), precisions } => {
            let device = nonius_cuda::Device::new(device)?;
            let gpu = nonius_cuda::Cuda::new(&device)?;
            let records = options::measure_on(&gpu, &counts, &precisions, threads)?;
            keep_for(&arguments.runs, &device.info().name, "gpu-options", &records)
        }
        Command::Fem(wanted) => match wanted.device {
            None => keep(&arguments.runs, "fem", &fem::measure(&wanted, threads)?),
            Some(device) => {
                let device = nonius_cuda::Device::new(device)?;
                let records = fem::measure_on(&nonius_cuda::Cuda::new(&device)?, &wanted)?;
                keep_for(&arguments.runs, &device.info().name, "gpu-fem", &records)
            }
        },
        Command::FemForecast { counts, card, elements } => {
            fem::forecast::print(&counts, &card, elements as f64)
        }
        Command::Sdp(wanted) => sdp::measure(&wanted, threads, &arguments.runs),
        Command::SdpPage { folders } => sdp::print_page(&folders),
        Command::Ranks { program, count, orders } => {
            keep(&arguments.runs, "ranks", &ranks::measure(&program, count, &orders)?)
        }
        Command::Schur { device: None } => {
            keep(&arguments.runs, "schur", &schur::measure(None, threads)?)
        }
        Command::Schur { device: Some(device) } => {
            let device = nonius_cuda::Device::new(device)?;
            let gpu = nonius_cuda::Cuda::new(&device)?;
            let records = schur::measure(Some(&gpu), threads)?;
            keep_for(&arguments.runs, &device.info().name, "gpu-schur", &records)
        }
        Command::Text => keep(&arguments.runs, "text", &text::measure()),
        Command::Papers { from, .. } if !from.is_empty() => {
            papers::qd_on_cuda::print(&record::read_all(&from)?);
            Ok(())
        }
        Command::Papers { shrink, only, .. } => {
            let records = papers::qd_on_cuda::measure(shrink.max(1), threads, &only);
            papers::qd_on_cuda::print(&records);
            keep(&arguments.runs, "papers", &records)
        }
        Command::GpuPapers { only, device } => {
            let device = nonius_cuda::Device::new(device)?;
            let mut records = papers::qd_on_cuda::measure(1, threads, &only);
            records.extend(gpu::papers::measure(&nonius_cuda::Cuda::new(&device)?, &only)?);
            papers::qd_on_cuda::print(&records);
            keep_for(&arguments.runs, &device.info().name, "gpu-papers", &records)
        }
        Command::CyclicReduction { from, .. } if !from.is_empty() => {
            papers::cyclic_reduction::print(&record::read_all(&from)?);
            Ok(())
        }
        Command::CyclicReduction { device: None, .. } => {
            let records = papers::cyclic_reduction::measure()?;
            papers::cyclic_reduction::print(&records);
            keep(&arguments.runs, "cyclic-reduction", &records)
        }
        Command::CyclicReduction { device: Some(device), .. } => {
            let device = nonius_cuda::Device::new(device)?;
            let mut records = papers::cyclic_reduction::measure()?;
            records.extend(gpu::tridiag::paper(&nonius_cuda::Cuda::new(&device)?)?);
            papers::cyclic_reduction::print(&records);
            keep_for(&arguments.runs, &device.info().name, "gpu-cyclic-reduction", &records)
        }
        Command::Gpu { device, only } => {
            let device = nonius_cuda::Device::new(device)?;
            let records = gpu::vectors::measure(&nonius_cuda::Cuda::new(&device)?, &only)?;
            keep_for(&arguments.runs, &device.info().name, "gpu", &records)
        }
        Command::GpuDense { sizes, large, residues, device } => {
            let device = nonius_cuda::Device::new(device)?;
            let gpu = nonius_cuda::Cuda::new(&device)?;
            let measure = match (large, residues) {
                (true, _) => gpu::dense::large,
                (_, true) => gpu::dense::residues,
                _ => gpu::dense::measure,
            };
            let records = measure(&gpu, &sizes)?;
            keep_for(&arguments.runs, &device.info().name, "gpu-dense", &records)
        }
        Command::Gpus(command) => {
            command.run(|machine, name, records| keep_for(&arguments.runs, machine, name, records))
        }
        Command::GpuProducts { sizes, only, device } => {
            let device = nonius_cuda::Device::new(device)?;
            let gpu = nonius_cuda::Cuda::new(&device)?;
            let records = gpu::products::measure(&gpu, &sizes, &only, threads)?;
            keep_for(&arguments.runs, &device.info().name, "gpu-products", &records)
        }
        Command::GpuMp { sizes, bits, only, device } => {
            let device = nonius_cuda::Device::new(device)?;
            let records =
                gpu::mp::measure(&nonius_cuda::Cuda::new(&device)?, &sizes, &bits, &only)?;
            keep_for(&arguments.runs, &device.info().name, "gpu-mp", &records)
        }
        Command::GpuDigits { cases, device } => {
            let device = nonius_cuda::Device::new(device)?;
            let cases = if cases.is_empty() { &gpu::digits::CASES } else { &*cases };
            let records = gpu::digits::measure(&nonius_cuda::Cuda::new(&device)?, cases)?;
            keep_for(&arguments.runs, &device.info().name, "gpu-digits", &records)
        }
        Command::GpuOrthogonal { sizes, device } => {
            let device = nonius_cuda::Device::new(device)?;
            let records = gpu::orthogonal::measure(&nonius_cuda::Cuda::new(&device)?, &sizes);
            keep_for(&arguments.runs, &device.info().name, "gpu-orthogonal", &records)
        }
        Command::GpuSparse { only, side, files, device } => {
            let device = nonius_cuda::Device::new(device)?;
            let gpu = nonius_cuda::Cuda::new(&device)?;
            let records = gpu::sparse::measure(&gpu, &only, side, &files)?;
            keep_for(&arguments.runs, &device.info().name, "gpu-sparse", &records)
        }
        Command::GpuTridiag { device } => {
            let device = nonius_cuda::Device::new(device)?;
            let records = gpu::tridiag::measure(&nonius_cuda::Cuda::new(&device)?)?;
            keep_for(&arguments.runs, &device.info().name, "gpu-tridiag", &records)
        }
        Command::GpuBlocks { sizes, device } => {
            let device = nonius_cuda::Device::new(device)?;
            let records = gpu::blocks::measure(&nonius_cuda::Cuda::new(&device)?, &sizes)?;
            keep_for(&arguments.runs, &device.info().name, "gpu-blocks", &records)
        }
        Command::GpuBus { order, device } => {
            let records = gpu::bus::measure(device, order)?;
            let name = nonius_cuda::Device::new(device)?.info().name.clone();
            keep_for(&arguments.runs, &name, "gpu-bus", &records)
        }
        Command::Folder => {
            let machine = record::this_processor();
            println!("{}", record::folder_of_today(&arguments.runs, &machine).display());
            Ok(())
        }
        Command::Picture(arguments) => pictures::draw(&arguments),
        Command::Compare { folder } => compare::print(&folder),
    }
}

/// Appends records to `<name>.csv` in the folder of today's runs on the processor.
fn keep(runs: &Path, name: &str, records: &[Record]) -> Result<(), Box<dyn Error>> {
    keep_for(runs, &record::this_processor(), name, records)
}

/// Appends records to `<name>.csv` in the folder of today's runs on a machine.
fn keep_for(
    runs: &Path,
    machine: &str,
    name: &str,
    records: &[Record],
) -> Result<(), Box<dyn Error>> {
    let command: Vec<String> = std::env::args().skip(1).collect();
    let folder = record::run_folder(runs, machine, &command.join(" "))?;
    let file = folder.join(format!("{name}.csv"));
    record::append(&file, records)?;
    eprintln!("raw results: {}", file.display());
    Ok(())
}
