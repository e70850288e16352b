//! Solids in motion: decks, and their runs.

use std::io::Cursor;
use std::num::NonZeroU64;
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::time::Instant;

use nonius::Matrix;
use nonius::device::{Place, Reason};
use nonius::fem::input::{self, Input, InputError};
use nonius::fem::model::{Kind, Mesh, Model, Quantity};
use nonius::fem::output::history::Table;
use nonius::fem::output::series::Encoding;
use nonius::fem::output::view::{Direction, Field};
use nonius::fem::{
    self, CHECKPOINT, Energies, Error, Precision, RecordError, Recorded, ResumeError, Settings,
    Simulation, generate,
};
use nonius::files;
use pyo3::exceptions::{PyMemoryError, PyOSError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyDict, PyList};

use crate::linalg::{NoniusError, device_of};
use crate::numpy::to_numpy;

/// Adds the functions to a module.
pub(crate) fn add_to(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add_function(wrap_pyfunction!(fem_generate, module)?)?;
    module.add_function(wrap_pyfunction!(fem_read, module)?)?;
    module.add_function(wrap_pyfunction!(fem_run, module)?)
}

/// A deck: a file, or the text of a TOML file.
#[derive(FromPyObject)]
struct Deck {
    #[pyo3(item)]
    path: PathBuf,
    #[pyo3(item)]
    text: Option<String>,
}

impl Deck {
    fn read(&self) -> PyResult<Input> {
        let read = match &self.text {
            None => input::read_file(&self.path),
            Some(text) => input::physics::read(Cursor::new(text), &self.path)
                .map(|model| Input { model, ignored: Vec::new() }),
        };
        read.map_err(|error| self.refused(&error))
    }

    fn refused(&self, error: &InputError) -> PyErr {
        let InputError { line, problem, .. } = error;
        let problem = problem.to_string();
        let lines = self.text.as_deref().map(|text| text.lines());
        let line = line.and_then(|line| lines?.nth((line as usize).checked_sub(1)?));
        // What lacks in the deck as a whole is at no line.
        let is_at = |line: &&str| line.starts_with('[') || !problem.starts_with("missing field");
        let line = line.filter(is_at);
        PyValueError::new_err(match (&self.text, line) {
            (Some(_), Some(line)) if error.file == self.path => {
                format!("the deck, at {line}: {problem}")
            }
            (Some(_), None) if error.file == self.path => format!("the deck: {problem}"),
            _ => error.to_string(),
        })
    }

    /// What errors call it.
    fn name(&self) -> String {
        match self.text {
            None => self.path.display().to_string(),
            Some(_) => "the deck".into(),
        }
    }
}

/// How a deck is run.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
struct Options {
    precision: String,
    device: String,
    resync: Option<u64>,
    balance: f64,
    output: Option<PathBuf>,
    resume: bool,
    field: String,
    view: Option<String>,
    single_fields: bool,
}

impl Options {
    fn precision(&self) -> PyResult<Precision> {
        let all = [Precision::Double, Precision::Mixed, Precision::Pairs, Precision::Single];
        all.into_iter().find(|precision| precision.name() == self.precision).ok_or_else(|| {
            let names = all.map(|precision| precision.name()).join(", ");
            let found = &self.precision;
            PyValueError::new_err(format!("precision: expected one of {names}, found {found:?}"))
        })
    }

    fn settings(&self) -> PyResult<Settings> {
        if !(self.balance > 0.0 && self.balance.is_finite()) {
            return Err(PyValueError::new_err("balance: expected a positive number such as 0.05"));
        }
        let names = FIELDS.map(|(name, _)| name);
        let field = FIELDS.into_iter().find(|(name, _)| *name == self.field);
        let (_, field) = field.ok_or_else(|| {
            let (names, found) = (names.join(", "), &self.field);
            PyValueError::new_err(format!("field: expected one of {names}, found {found:?}"))
        })?;
        let direction = self.view.as_deref().map(str::parse::<Direction>).transpose();
        let direction =
            direction.map_err(|error| PyValueError::new_err(format!("view: {error}")))?;
        let encoding = Encoding { compressed: true, single: self.single_fields };
        let balance = self.balance;
        Ok(Settings { encoding, balance, field, direction, ..Settings::default() })
    }
}

/// What the colours of the last picture show.
const FIELDS: [(&str, Field); 5] = [
    ("mises", Field::VonMises),
    ("plastic-strain", Field::PlasticStrain),
    ("temperature", Field::Temperature),
    ("displacement", Field::Displacement),
    ("velocity", Field::Velocity),
];

/// Writes a deck of Abaqus of a shape.
#[pyfunction]
fn fem_generate(
    py: Python<'_>,
    path: PathBuf,
    shape: &str,
    elements: [usize; 3],
    kind: &str,
) -> PyResult<()> {
    let kinds = [Kind::Hexahedron, Kind::ReducedHexahedron, Kind::Tetrahedron];
    let found = kinds.into_iter().find(|known| known.name().eq_ignore_ascii_case(kind));
    let kind = found.ok_or_else(|| {
        let names = kinds.map(Kind::name).join(", ");
        PyValueError::new_err(format!("kind: expected one of {names}, found {kind:?}"))
    })?;
    let wrong = |error: &dyn std::fmt::Display| PyValueError::new_err(error.to_string());
    let size = match shape {
        "taylor" => generate::Size::of_cylinder(elements),
        _ => generate::Size::of_box(kind, elements),
    };
    size.check_numbers().map_err(|error| wrong(&error))?;
    size.check_room(kind, path.parent()).map_err(|error| wrong(&error))?;
    let model = match shape {
        "bar" => generate::bar(kind, elements),
        "cantilever" => generate::cantilever(kind, elements),
        "box" => generate::cuboid(kind, elements),
        "taylor" => generate::taylor(kind, elements[0], elements[1], elements[2]),
        _ => {
            let text = format!("shape: expected bar, cantilever, box or taylor, found {shape:?}");
            return Err(PyValueError::new_err(text));
        }
    };
    let model = model.map_err(|error| wrong(&error))?;
    let contents = |out: &mut dyn std::io::Write| {
        let written = generate::write_abaqus(&model, out);
        Ok(written.map_err(std::io::Error::other)?)
    };
    let written = py.detach(|| files::write(&path, contents));
    written.map_err(|error| PyOSError::new_err(error.to_string()))
}

/// What a deck says.
#[pyfunction]
fn fem_read<'py>(py: Python<'py>, deck: Deck) -> PyResult<Bound<'py, PyDict>> {
    let Input { model, ignored } = py.detach(|| deck.read())?;
    let told = of_mesh(py, &model.mesh)?;
    told.set_item("title", &model.title)?;
    told.set_item("period", model.time.period)?;
    told.set_item("units", units(py, &model)?)?;
    told.set_item("materials", model.materials.iter().map(|m| &m.name).collect::<Vec<_>>())?;
    told.set_item("ignored", ignored.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    Ok(told)
}

/// Takes a deck to its end. `progress` hears step, time and energies now and then, and stops the
/// run where it returns `False`.
#[pyfunction]
fn fem_run<'py>(
    py: Python<'py>,
    deck: Deck,
    options: Options,
    progress: Option<Py<PyAny>>,
) -> PyResult<Bound<'py, PyDict>> {
    let (precision, settings) = (options.precision()?, options.settings()?);
    let device = device_of(&options.device)?;
    if options.resync.is_some() && !matches!(precision, Precision::Mixed) {
        let text = format!("resync is for precision mixed, not for {}", precision.name());
        return Err(PyValueError::new_err(text));
    }
    let Input { model, ignored } = py.detach(|| deck.read())?;
    let name = deck.name();
    let (mut simulation, place) =
        py.detach(|| begin(&model, precision, device, &options, &name))?;
    let dense = fem::dense_outputs(&model, &simulation);
    let excess = simulation.excess().map(|excess| excess.to_string());
    let warnings: Vec<_> =
        excess.into_iter().chain(dense.iter().map(ToString::to_string)).collect();
    let resumed_at = options.resume.then_some(simulation.steps());

    let mut raised = None;
    let watch = |simulation: &Simulation<'_>| match heard(simulation, progress.as_ref()) {
        Ok(true) => ControlFlow::Continue(()),
        Ok(false) => ControlFlow::Break(()),
        Err(error) => {
            raised = Some(error);
            ControlFlow::Break(())
        }
    };
    let clock = Instant::now();
    let went = py.detach(|| go(&model, &mut simulation, &options, &settings, watch));
    let seconds = clock.elapsed().as_secs_f64();
    if let Some(error) = raised {
        return Err(error);
    }
    let (table, fields) = went.map_err(|error| broken(&name, error))?;

    let found = |error| failed(&name, &error);
    let told = of_mesh(py, &model.mesh)?;
    let snapshot = py.detach(|| simulation.snapshot()).map_err(found)?;
    told.set_item("displacements", vectors(py, &snapshot.displacements)?)?;
    told.set_item("velocities", vectors(py, &snapshot.velocities)?)?;
    told.set_item("stresses", vectors(py, &snapshot.stresses)?)?;
    told.set_item("plastic_strains", vector(py, &snapshot.plastic_strains)?)?;
    told.set_item("temperatures", vector(py, &snapshot.temperatures)?)?;
    let history = PyDict::new(py);
    for (name, column) in table.bare_names().zip(&table.columns) {
        history.set_item(name, vector(py, column)?)?;
    }
    told.set_item("history", history)?;
    told.set_item("energies", energies(py, &simulation.energies().map_err(found)?)?)?;
    told.set_item("steps", simulation.steps())?;
    told.set_item("time", simulation.time())?;
    told.set_item("finished", simulation.time() >= model.time.period)?;
    let operations = simulation.operations().map_err(found)?;
    told.set_item("single_part", operations.single_part())?;
    told.set_item("drift_of_forces", py.detach(|| simulation.drift()).map_err(found)?)?;

    let info = PyDict::new(py);
    info.set_item("title", &model.title)?;
    info.set_item("precision", precision.name())?;
    info.set_item("device", place.device.to_string())?;
    let reason = (place.reason != Reason::Asked).then(|| place.reason.to_string());
    info.set_item("device_reason", reason)?;
    info.set_item("units", units(py, &model)?)?;
    let operations_per_step = PyDict::new(py);
    operations_per_step.set_item("f32", operations.single)?;
    operations_per_step.set_item("f64", operations.double)?;
    info.set_item("operations_per_step", operations_per_step)?;
    info.set_item("resumed_at_step", resumed_at)?;
    info.set_item("fields", fields)?;
    info.set_item("ignored", ignored.iter().map(ToString::to_string).collect::<Vec<_>>())?;
    info.set_item("warnings", warnings)?;
    info.set_item("seconds", seconds)?;
    told.set_item("info", info)?;
    Ok(told)
}

/// A simulation at its beginning or its checkpoint, on its device.
fn begin<'a>(
    model: &'a Model,
    precision: Precision,
    device: nonius::Device,
    options: &Options,
    name: &str,
) -> PyResult<(Simulation<'a>, Place)> {
    let mut simulation = match &options.output {
        Some(folder) if options.resume => {
            let resumed = Simulation::resume(model, precision, &folder.join(CHECKPOINT));
            resumed.map_err(|error| match error {
                ResumeError::Simulation(error) => failed(name, &error),
                _ => PyValueError::new_err(error.to_string()),
            })?
        }
        None if options.resume => {
            let text = "resume: expected output, the folder of the run that goes on";
            return Err(PyValueError::new_err(text));
        }
        _ => Simulation::new(model, precision).map_err(|error| failed(name, &error))?,
    };
    if let Some(steps) = options.resync {
        simulation.resynchronise_every(NonZeroU64::new(steps));
    }
    let place = fem::place(&mut simulation, model, device).map_err(|error| failed(name, &error))?;
    Ok((simulation, place))
}

/// Goes on to the end, or until whoever watches stops the run. Returns the history, and how many
/// files of fields there are.
fn go(
    model: &Model,
    simulation: &mut Simulation<'_>,
    options: &Options,
    settings: &Settings,
    watch: impl FnMut(&Simulation<'_>) -> ControlFlow<()>,
) -> Result<(Table, Option<usize>), RecordError> {
    let Some(folder) = &options.output else {
        let rows = fem::observe(model, simulation, settings, watch)?;
        return Ok((Table::of_rows(model, &rows), None));
    };
    let fields = match fem::record(model, simulation, folder, settings, watch) {
        Ok(Recorded { fields, .. }) => Some(fields),
        Err(RecordError::Stopped { .. }) => None,
        Err(error) => return Err(error),
    };
    Ok((Table::read(&folder.join("history.csv"))?, fields))
}

/// Whether a simulation goes on: a signal, or whoever hears of it, may stop it.
fn heard(simulation: &Simulation<'_>, progress: Option<&Py<PyAny>>) -> PyResult<bool> {
    Python::attach(|py| {
        py.check_signals()?;
        let Some(progress) = progress else { return Ok(true) };
        let now = simulation.energies();
        let now = now.map_err(|error| PyRuntimeError::new_err(error.to_string()))?;
        let told = (simulation.steps(), simulation.time(), energies(py, &now)?);
        let answer = progress.call1(py, told)?.into_bound(py);
        Ok(!answer.is(PyBool::new(py, false)))
    })
}

/// Energies by name, with what they lack in their sum as a part of the largest one.
fn energies<'py>(py: Python<'py>, energies: &Energies) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("kinetic", energies.kinetic)?;
    told.set_item("internal", energies.internal)?;
    told.set_item("plastic", energies.plastic)?;
    told.set_item("hourglass", energies.hourglass)?;
    told.set_item("viscous", energies.viscous)?;
    told.set_item("external", energies.external)?;
    told.set_item("relative_balance", energies.relative_balance())?;
    Ok(told)
}

/// Why a simulation does not begin, or has no result.
fn failed(name: &str, error: &Error) -> PyErr {
    let text = format!("{name}: {error}");
    match error {
        Error::Unsupported(_) => PyValueError::new_err(text),
        Error::NoRoom(_) => PyMemoryError::new_err(text),
        Error::Device(_) => PyRuntimeError::new_err(text),
        _ => NoniusError::new_err(text),
    }
}

/// Why a run broke off.
fn broken(name: &str, error: RecordError) -> PyErr {
    match error {
        RecordError::File(text) => PyOSError::new_err(text),
        RecordError::Endless { .. } => PyValueError::new_err(format!("{name}: {error}")),
        _ => NoniusError::new_err(format!("{name}: {error}")),
    }
}

/// The units that a deck states.
fn units<'py>(py: Python<'py>, model: &Model) -> PyResult<Option<Bound<'py, PyDict>>> {
    let Some(units) = &model.units else { return Ok(None) };
    let told = PyDict::new(py);
    for (name, quantity) in [
        ("length", Quantity::Length),
        ("mass", Quantity::Mass),
        ("time", Quantity::Time),
        ("temperature", Quantity::Temperature),
        ("velocity", Quantity::Velocity),
        ("force", Quantity::Force),
        ("stress", Quantity::Stress),
        ("energy", Quantity::Energy),
        ("density", Quantity::Density),
    ] {
        told.set_item(name, units.of(quantity))?;
    }
    Ok(Some(told))
}

/// Nodes and elements.
fn of_mesh<'py>(py: Python<'py>, mesh: &Mesh) -> PyResult<Bound<'py, PyDict>> {
    let told = PyDict::new(py);
    told.set_item("coordinates", vectors(py, &mesh.coordinates)?)?;
    told.set_item("node_labels", integers(py, mesh.node_labels.iter().copied()))?;
    let labels = mesh.blocks.iter().flat_map(|block| block.labels.iter().copied());
    told.set_item("element_labels", integers(py, labels))?;
    let blocks = PyList::empty(py);
    for block in &mesh.blocks {
        let nodes = integers(py, block.nodes.iter().map(|&node| node.into()));
        blocks.append((block.kind.name(), nodes, block.kind.nodes()))?;
    }
    told.set_item("blocks", blocks)?;
    let sets = PyDict::new(py);
    for (name, nodes) in &mesh.node_sets {
        sets.set_item(name, integers(py, nodes.iter().map(|&node| node.into())))?;
    }
    told.set_item("node_sets", sets)?;
    Ok(told)
}

/// Integers of 64 bits, for `numpy.frombuffer`.
fn integers(py: Python<'_>, all: impl Iterator<Item = u64>) -> Bound<'_, PyBytes> {
    PyBytes::new(py, &all.flat_map(u64::to_ne_bytes).collect::<Vec<u8>>())
}

fn vector<'py>(py: Python<'py>, numbers: &[f64]) -> PyResult<Bound<'py, PyAny>> {
    to_numpy(py, Matrix::from_fn(numbers.len(), 1, |i, _| numbers[i]), true)
}

/// An array with a row for each vector.
fn vectors<'py, const N: usize>(py: Python<'py>, all: &[[f64; N]]) -> PyResult<Bound<'py, PyAny>> {
    to_numpy(py, Matrix::from_fn(N, all.len(), |i, j| all[j][i]), false)?.getattr("T")
}
