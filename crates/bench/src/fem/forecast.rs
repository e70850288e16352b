//! What a step of solids would take on other GPUs, from counts of instructions and bytes on one.
//!
//! A kernel takes at least the longest of four times: its bytes over the memory's rate, its
//! instructions over those that the multiprocessors issue, its instructions on `f64`, and its
//! conversions from and to `f64`, over the rates of those. What it took beyond that where it was
//! measured it is taken to take elsewhere, by the same factor. Rates are those of NVIDIA's data
//! sheets and of the table of instruction throughput in its programming guide.

use std::collections::BTreeMap;
use std::error::Error;
use std::path::Path;

use nonius_fem::Precision;

/// A GPU: multiprocessors, clock in Hz, bytes a second, results a multiprocessor has in a clock of
/// `f64` and of conversions from and to it.
struct Card {
    name: &'static str,
    units: f64,
    clock: f64,
    memory: f64,
    double: f64,
    conversions: f64,
}

/// Where counts come from first.
const CARDS: [Card; 5] = [
    Card {
        name: "H100",
        units: 132.0,
        clock: 1.98e9,
        memory: 3.35e12,
        double: 64.0,
        conversions: 16.0,
    },
    Card {
        name: "H200",
        units: 132.0,
        clock: 1.98e9,
        memory: 4.8e12,
        double: 64.0,
        conversions: 16.0,
    },
    Card {
        name: "B300",
        units: 160.0,
        clock: 1.92e9,
        memory: 8.0e12,
        double: 2.0,
        conversions: 2.0,
    },
    Card {
        name: "RTX 4090",
        units: 128.0,
        clock: 2.52e9,
        memory: 1.008e12,
        double: 2.0,
        conversions: 2.0,
    },
    Card {
        name: "RTX 5090",
        units: 170.0,
        clock: 2.41e9,
        memory: 1.792e12,
        double: 2.0,
        conversions: 2.0,
    },
];

/// Instructions of any kind that a multiprocessor issues in a clock, by threads.
const ISSUED: f64 = 128.0;
/// Launches of a kernel that `--studies profile` makes in a run, of which the first are left out.
const LAUNCHES: usize = 6;
const LEFT_OUT: usize = 2;

/// Of a kernel, for an element.
#[derive(Clone, Copy, Default)]
struct Counts {
    seconds: f64,
    all: f64,
    single: f64,
    double: f64,
    conversions: f64,
    bytes: f64,
}

impl Counts {
    fn bound(&self, card: &Card) -> f64 {
        let rate = card.units * card.clock;
        let double = self.double / card.double;
        let conversions = self.conversions / card.conversions;
        (self.bytes / card.memory)
            .max(self.all / (ISSUED * rate))
            .max((double + conversions) / rate)
    }
}

/// Prints counts and forecasts from a file that `profile-fem.sh` wrote on `card`, for a model with
/// `elements` elements.
pub(crate) fn print(file: &Path, card: &str, elements: f64) -> Result<(), Box<dyn Error>> {
    let own = CARDS.iter().find(|known| known.name.eq_ignore_ascii_case(card));
    let own = own.ok_or_else(|| {
        let names: Vec<&str> = CARDS.iter().map(|card| card.name).collect();
        format!("`{card}` is none of {}", names.join(", "))
    })?;
    let launches = read(file, elements)?;
    let mut names: Vec<&str> = Precision::ALL.iter().map(|precision| precision.name()).collect();
    names.push("paper");
    for (matter, runs) in ["elastic", "J2"].iter().zip(runs_of(&launches, names.len())) {
        println!("\nC3D8R {matter}, for an element and a step, on an {}", own.name);
        println!(
            "{:6} {:9} {:>8} {:>7} {:>7} {:>11} {:>7} {:>8} {:>9}",
            "", "kernel", "all", "f32", "f64", "conversions", "bytes", "ns", "of bound"
        );
        for (name, kernels) in names.iter().zip(&runs) {
            for (kernel, counts) in kernels {
                println!(
                    "{name:6} {kernel:9} {:8.0} {:7.0} {:7.0} {:11.0} {:7.0} {:8.4} {:8.0} %",
                    counts.all,
                    counts.single,
                    counts.double,
                    counts.conversions,
                    counts.bytes,
                    counts.seconds * 1e9,
                    100.0 * counts.bound(own) / counts.seconds
                );
            }
        }
        println!("{:9} million element updates a second, and over f64", "");
        for card in &CARDS {
            let seconds = |kernels: &BTreeMap<String, Counts>| -> f64 {
                let of = |counts: &Counts| counts.seconds * counts.bound(card) / counts.bound(own);
                kernels.values().map(of).sum()
            };
            let of_double = names.iter().position(|name| *name == Precision::Double.name());
            let double = of_double.and_then(|place| runs.get(place)).map_or(f64::NAN, seconds);
            print!("{:9}", card.name);
            for (name, kernels) in names.iter().zip(&runs) {
                let seconds = seconds(kernels);
                print!("  {name} {:.0} {:.2}", 1e-6 / seconds, double / seconds);
            }
            println!();
        }
    }
    Ok(())
}

/// The kernels of each run: elements, nodes.
type Run = BTreeMap<String, Counts>;

/// Launches by run, and runs by material.
fn runs_of(launches: &[(String, Counts)], count: usize) -> Vec<Vec<Run>> {
    let mut runs: Vec<Vec<(String, Counts)>> = Vec::new();
    let mut elements = LAUNCHES;
    for (kernel, counts) in launches {
        if kernel.starts_with("advance") {
            if elements == LAUNCHES {
                runs.push(Vec::new());
                elements = 0;
            }
            elements += 1;
        }
        if let Some(run) = runs.last_mut() {
            run.push((kernel.clone(), *counts));
        }
    }
    let mean = |run: &Vec<(String, Counts)>| -> Run {
        let mut kernels = Run::new();
        for name in ["elements", "nodes"] {
            let own: Vec<&Counts> = run
                .iter()
                .filter(|(kernel, _)| (name == "elements") == kernel.starts_with("advance"))
                .map(|(_, counts)| counts)
                .skip(LEFT_OUT)
                .take(LAUNCHES - LEFT_OUT)
                .collect();
            let of = |number: fn(&Counts) -> f64| {
                own.iter().map(|&counts| number(counts)).sum::<f64>() / own.len() as f64
            };
            let counts = Counts {
                seconds: of(|counts| counts.seconds),
                all: of(|counts| counts.all),
                single: of(|counts| counts.single),
                double: of(|counts| counts.double),
                conversions: of(|counts| counts.conversions),
                bytes: of(|counts| counts.bytes),
            };
            kernels.insert(name.to_string(), counts);
        }
        kernels
    };
    runs.chunks(count).map(|runs| runs.iter().map(mean).collect()).collect()
}

/// Kernels and their counts, launch by launch.
fn read(file: &Path, elements: f64) -> Result<Vec<(String, Counts)>, Box<dyn Error>> {
    let mut reader =
        csv::Reader::from_path(file).map_err(|error| format!("{}: {error}", file.display()))?;
    let head = reader.headers()?.clone();
    let place = |name: &str| {
        let found = head.iter().position(|column| column == name);
        found.ok_or_else(|| format!("{}: there is no column `{name}`", file.display()))
    };
    let kernel = place("Kernel Name")?;
    let operation =
        |name: &str| place(&format!("smsp__sass_thread_inst_executed_op_{name}_pred_on.sum"));
    let [time, all] = [place("gpu__time_duration.sum")?, place("smsp__thread_inst_executed.sum")?];
    let single = [operation("fadd")?, operation("fmul")?, operation("ffma")?];
    let double = [operation("dadd")?, operation("dmul")?, operation("dfma")?];
    let conversions = operation("conversion")?;
    let bytes = [place("dram__bytes_read.sum")?, place("dram__bytes_write.sum")?];
    let mut launches = Vec::new();
    for record in reader.records() {
        let record = record?;
        let number =
            |place: usize| -> Option<f64> { record.get(place)?.replace(',', "").parse().ok() };
        // The line of units has no numbers.
        let Some(nanoseconds) = number(time) else { continue };
        let sum = |places: &[usize]| {
            places.iter().filter_map(|&place| number(place)).sum::<f64>() / elements
        };
        let counts = Counts {
            seconds: nanoseconds * 1e-9 / elements,
            all: sum(&[all]),
            single: sum(&single),
            double: sum(&double),
            conversions: sum(&[conversions]),
            bytes: sum(&bytes),
        };
        launches.push((record.get(kernel).unwrap_or_default().to_string(), counts));
    }
    Ok(launches)
}
