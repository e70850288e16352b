//! What a run came to, for people and programs.

use nonius::device::Place;
use nonius::fem::input::Ignored;
use nonius::fem::model::{Model, Quantity, Units};
use nonius::fem::{Energies, Operations, Recorded};
use nonius::threads;
use schemars::JsonSchema;
use serde::Serialize;

use super::arguments::{Arguments, Precision};
use crate::common::{device_text, reason_text};
use crate::input::display_name;
use crate::report::{Figure, Report};
use crate::summary::{Summary, time_text};

/// A run that came to its end.
pub(super) struct Ran<'a> {
    pub(super) arguments: &'a Arguments,
    /// The deck's.
    pub(super) name: String,
    pub(super) model: &'a Model,
    pub(super) ignored: Vec<Ignored>,
    pub(super) warnings: Vec<String>,
    pub(super) place: Place,
    /// Steps before it.
    pub(super) begun: u64,
    pub(super) time: f64,
    pub(super) recorded: Recorded,
    pub(super) seconds: f64,
    pub(super) drift: f64,
    pub(super) operations: Operations,
}

/// Energies, in the deck's unit of energy.
#[derive(Serialize, JsonSchema)]
struct EnergyFigures {
    /// Energy of motion.
    kinetic: f64,
    /// Work of stresses on strains: elastic, plastic and thermal.
    internal: f64,
    /// Work of plastic flow, a part of internal.
    plastic: f64,
    /// Work against hourglass modes.
    hourglass: f64,
    /// Work of bulk viscosity.
    viscous: f64,
    /// Work of loads and given motions.
    external: f64,
    /// What the energies lack in their sum, as a part of the largest one.
    #[schemars(with = "Figure")]
    relative_balance: f64,
}

/// Floating-point operations.
#[derive(Serialize, JsonSchema)]
struct OperationFigures {
    /// In f32.
    f32: u64,
    /// In f64.
    f64: u64,
}

/// The units of all numbers, as the deck states or implies them; null where it does not.
#[derive(Serialize, JsonSchema)]
struct UnitFigures {
    /// Of lengths.
    length: Option<String>,
    /// Of masses.
    mass: Option<String>,
    /// Of the model's times.
    time: Option<String>,
    /// Of temperatures.
    temperature: Option<String>,
    /// Of velocities.
    velocity: Option<String>,
    /// Of forces.
    force: Option<String>,
    /// Of stresses and pressures.
    stress: Option<String>,
    /// Of energies and work.
    energy: Option<String>,
    /// Of densities.
    density: Option<String>,
}

/// A simulation came to its end.
#[derive(Serialize, JsonSchema)]
pub(super) struct Figures {
    /// The precision of the numbers: f32, f64, mixed or f32x2.
    precision: &'static str,
    /// Where it was computed: cpu, cuda:0 for the first GPU, or cuda:all for all.
    device: String,
    /// Why --device auto took this device; null where --device names one.
    device_reason: Option<String>,
    /// Nodes of the mesh.
    nodes: usize,
    /// Elements of the mesh.
    elements: usize,
    /// The units of all numbers; null where the deck states none.
    units: Option<UnitFigures>,
    /// Time steps until the end, with those before a checkpoint.
    steps: u64,
    /// The step of the checkpoint; null without --resume.
    resumed_at_step: Option<u64>,
    /// The time of the model at the end, in the deck's unit of time.
    time: f64,
    /// Energies at the end, in the deck's unit of energy.
    energies: EnergyFigures,
    /// By what part forces that are sums of increments differ from those computed in full.
    #[schemars(with = "Figure")]
    drift_of_forces: f64,
    /// Floating-point operations of a time step.
    operations_per_step: OperationFigures,
    /// The number of times whose fields were written.
    fields: usize,
    /// What the program read past in the deck.
    ignored: Vec<String>,
    /// Remarks on the deck.
    warnings: Vec<String>,
    /// The number of threads.
    threads: usize,
    /// Time of the run in seconds, with writing files.
    seconds: f64,
    /// Elements times time steps a second.
    #[schemars(with = "Figure")]
    element_steps_per_second: f64,
}

impl Ran<'_> {
    pub(super) fn report(self) -> Report {
        let summary = self.summary();
        Report::new(self.figures()).with_summary(summary)
    }

    fn elements(&self) -> usize {
        self.model.mesh.blocks.iter().map(|block| block.labels.len()).sum()
    }

    fn rate(&self) -> f64 {
        let steps = self.recorded.steps - self.begun;
        self.elements() as f64 * steps as f64 / self.seconds
    }

    fn figures(self) -> Figures {
        let (elements, rate) = (self.elements(), self.rate());
        let Recorded { steps, energies, fields } = self.recorded;
        Figures {
            precision: self.arguments.precision.of_run().name(),
            device: self.place.device.to_string(),
            device_reason: reason_text(&self.place),
            nodes: self.model.mesh.coordinates.len(),
            elements,
            units: self.model.units.as_ref().map(unit_figures),
            steps,
            resumed_at_step: self.arguments.resume.then_some(self.begun),
            time: self.time,
            energies: EnergyFigures {
                kinetic: energies.kinetic,
                internal: energies.internal,
                plastic: energies.plastic,
                hourglass: energies.hourglass,
                viscous: energies.viscous,
                external: energies.external,
                relative_balance: energies.relative_balance(),
            },
            drift_of_forces: self.drift,
            operations_per_step: OperationFigures {
                f32: self.operations.single,
                f64: self.operations.double,
            },
            fields,
            ignored: self.ignored.iter().map(ToString::to_string).collect(),
            warnings: self.warnings,
            threads: threads::available(),
            seconds: self.seconds,
            element_steps_per_second: rate,
        }
    }

    fn summary(&self) -> Summary {
        let Self { arguments, name, model, place, begun, time, recorded, seconds, .. } = self;
        let Recorded { steps, energies, fields } = recorded;
        let mut summary = Summary::default();
        let (nodes, elements) = (model.mesh.coordinates.len(), self.elements());
        summary.line("model", format!("{name}: {nodes} nodes, {elements} elements"));
        self.ignored.iter().for_each(|ignored| summary.line("ignored", ignored));
        self.warnings.iter().for_each(|warning| summary.warning(warning));
        if let Some(units) = &model.units {
            summary.line("units", units_text(units));
        }
        summary.line("precision", arguments.precision.of_run().name());
        summary.line("device", device_text(place, *seconds));
        let is_mixed = matches!(arguments.precision, Precision::Mixed);
        if is_mixed {
            let part = 100.0 * self.operations.single_part();
            summary.line("operations", format!("{part:.1} % of them in f32"));
        }
        let unit = |quantity| model.units.as_ref().and_then(|units| units.of(quantity));
        let from = if arguments.resume { format!(", resumed at {begun}") } else { String::new() };
        let seconds_of_deck = unit(Quantity::Time).map(|unit| format!(" {unit}"));
        let until = format!("{time:e}{}", seconds_of_deck.unwrap_or_default());
        summary.line("steps", format!("{steps} until {until}{from}"));
        let label = match unit(Quantity::Energy) {
            Some(unit) => format!("energies, {unit}"),
            None => "energies".into(),
        };
        summary.line(&label, energies_text(energies));
        if energies.kinetic < 0.0 {
            summary.line("", NEGATIVE);
        }
        let balance = 100.0 * energies.relative_balance();
        summary.line("energy balance", format!("{balance:.4} % of the largest energy"));
        // Forces that are computed in full in every step have nothing to drift from.
        if is_mixed && arguments.resync.is_some_and(|every| every != 1) {
            summary.line("drift of forces", format!("{:.1e}", self.drift));
        }
        let folder = display_name(&arguments.output);
        summary.line("written", format!("{folder} with fields of {fields} times"));
        let rate = self.rate();
        let time = time_text(*seconds);
        summary.line("time", format!("{time}, {rate:.3e} elements' steps a second"));
        summary
    }
}

/// Why a kinetic energy can be below zero.
const NEGATIVE: &str = "kinetic is below 0: it multiplies velocities half a step before and after";

fn energies_text(energies: &Energies) -> String {
    let Energies { kinetic, internal, plastic, hourglass, .. } = energies;
    format!(
        "kinetic {kinetic:.4e}, internal {internal:.4e}, of it plastic {plastic:.4e}, hourglass {hourglass:.4e}"
    )
}

/// `mm, t, s, degC; force N, stress MPa, energy mJ`
fn units_text(units: &Units) -> String {
    let derived =
        [("force", Quantity::Force), ("stress", Quantity::Stress), ("energy", Quantity::Energy)];
    let derived = derived.map(|(name, quantity)| {
        let unit = units.of(quantity).unwrap_or_default();
        format!("{name} {unit}")
    });
    format!("{units}; {}", derived.join(", "))
}

fn unit_figures(units: &Units) -> UnitFigures {
    UnitFigures {
        length: units.of(Quantity::Length),
        mass: units.of(Quantity::Mass),
        time: units.of(Quantity::Time),
        temperature: units.of(Quantity::Temperature),
        velocity: units.of(Quantity::Velocity),
        force: units.of(Quantity::Force),
        stress: units.of(Quantity::Stress),
        energy: units.of(Quantity::Energy),
        density: units.of(Quantity::Density),
    }
}
