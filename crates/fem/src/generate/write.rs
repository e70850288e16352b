//! Models as decks of Abaqus.

use core::fmt;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};

use crate::model::{
    ElementId, Face, Hardening, Increments, Law, Load, Material, Model, Motion, ProbeTarget,
    Quantity,
};

/// Why a model is not written.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The output fails.
    Write(io::Error),
    /// Something that decks cannot say.
    Inexpressible {
        /// What.
        what: &'static str,
    },
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WriteError::Write(error) => write!(f, "the deck cannot be written: {error}"),
            WriteError::Inexpressible { what } => write!(f, "a deck cannot say {what}"),
        }
    }
}

impl core::error::Error for WriteError {}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        WriteError::Write(error)
    }
}

type Written = Result<(), WriteError>;

/// Writes a flat deck that [`read`](crate::input::abaqus::read) reads as the same model. Numbers of
/// nodes and elements stay if no two are the same; a block whose elements have no name gets one.
///
/// ```
/// use std::path::Path;
///
/// use nonius_fem::model::Kind;
/// use nonius_fem::{generate, input::abaqus};
///
/// let model = generate::cuboid(Kind::ReducedHexahedron, [2, 1, 1])?;
/// let mut deck = Vec::new();
/// generate::write_abaqus(&model, &mut deck)?;
/// let (read, ignored) = abaqus::read(&deck[..], Path::new("cuboid.inp"))?;
/// assert!(ignored.is_empty());
/// assert_eq!(read.mesh, model.mesh);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Of the output, and of a model with walls, with displacements that are at once, with probes and
/// gravity of what has no name, or with names that are empty or have quotes.
pub fn write_abaqus(model: &Model, out: impl Write) -> Written {
    if !model.walls.is_empty() {
        return inexpressible("walls");
    }
    let mut writer = Writer::new(model, io::BufWriter::new(out));
    writer.mesh()?;
    model.materials.iter().try_for_each(|material| writer.material(material))?;
    writer.amplitudes()?;
    writer.initial()?;
    writer.begin()?;
    writer.prescribed()?;
    model.loads.iter().try_for_each(|load| writer.load(load))?;
    writer.outputs()?;
    writeln!(writer.out, "*END STEP")?;
    Ok(writer.out.flush()?)
}

fn inexpressible(what: &'static str) -> Written {
    Err(WriteError::Inexpressible { what })
}

struct Writer<'a, W> {
    model: &'a Model,
    out: W,
    node_labels: Vec<u64>,
    /// Of each block.
    element_labels: Vec<Vec<u64>>,
    /// Sets by what is in them.
    node_names: BTreeMap<&'a [u32], &'a str>,
    element_names: BTreeMap<&'a [ElementId], &'a str>,
    surface_names: BTreeMap<&'a [Face], &'a str>,
}

impl<'a, W: Write> Writer<'a, W> {
    fn new(model: &'a Model, out: W) -> Self {
        let mesh = &model.mesh;
        let mut node_labels = mesh.node_labels.clone();
        if !different(node_labels.iter()) {
            node_labels = (1..=node_labels.len() as u64).collect();
        }
        let mut element_labels: Vec<_> =
            mesh.blocks.iter().map(|block| block.labels.clone()).collect();
        if !different(element_labels.iter().flatten()) {
            let new = element_labels.iter_mut().flatten().zip(1..);
            new.for_each(|(label, new)| *label = new);
        }
        let nodes = mesh.node_sets.iter().rev();
        let elements = mesh.element_sets.iter().rev();
        let surfaces = mesh.surfaces.iter().rev();
        Self {
            model,
            out,
            node_labels,
            element_labels,
            node_names: nodes.map(|(name, nodes)| (nodes.as_slice(), name.as_str())).collect(),
            element_names: elements.map(|(name, ids)| (ids.as_slice(), name.as_str())).collect(),
            surface_names: surfaces
                .map(|(name, faces)| (faces.as_slice(), name.as_str()))
                .collect(),
        }
    }

    fn element_label(&self, id: ElementId) -> u64 {
        self.element_labels[id.block as usize][id.element as usize]
    }

    fn mesh(&mut self) -> Written {
        let mesh = &self.model.mesh;
        let plain = |line: &&str| !line.trim().is_empty() && !line.trim_start().starts_with('*');
        let title: Vec<_> = self.model.title.lines().filter(plain).collect();
        if !title.is_empty() {
            writeln!(self.out, "*HEADING\n{}", title.join("\n"))?;
        }
        if let Some(units) = &self.model.units {
            write!(self.out, "**UNITS")?;
            for (name, quantity) in [
                ("LENGTH", Quantity::Length),
                ("MASS", Quantity::Mass),
                ("TIME", Quantity::Time),
                ("TEMPERATURE", Quantity::Temperature),
            ] {
                if let Some(unit) = units.of(quantity) {
                    write!(self.out, ", {name}={unit}")?;
                }
            }
            writeln!(self.out)?;
        }
        writeln!(self.out, "*NODE")?;
        let plane = mesh.dimensions() == 2;
        for (label, [x, y, z]) in self.node_labels.iter().zip(&mesh.coordinates) {
            match plane {
                true => writeln!(self.out, "{label}, {x:?}, {y:?}")?,
                false => writeln!(self.out, "{label}, {x:?}, {y:?}, {z:?}")?,
            }
        }
        let mut written = BTreeSet::new();
        for (block, place) in mesh.blocks.iter().zip(0u32..) {
            let elements = 0..block.labels.len() as u32;
            let ids: Vec<_> = elements.map(|element| ElementId { block: place, element }).collect();
            let named = self.element_names.get(ids.as_slice()).copied();
            let name = match named {
                Some(name) => name.to_string(),
                None => format!("block-{}", place + 1),
            };
            written.insert(name.clone());
            let (kind, name) = (block.kind, quoted(&name)?);
            writeln!(self.out, "*ELEMENT, TYPE={}, ELSET={name}", kind.name())?;
            let elements = block.nodes.chunks_exact(kind.nodes());
            for (label, nodes) in self.element_labels[place as usize].iter().zip(elements) {
                write!(self.out, "{label}")?;
                for &node in nodes {
                    write!(self.out, ", {}", self.node_labels[node as usize])?;
                }
                writeln!(self.out)?;
            }
            let material = quoted(&self.model.materials[block.material].name)?;
            writeln!(self.out, "*SOLID SECTION, ELSET={name}, MATERIAL={material}")?;
            if plane {
                writeln!(self.out, "{:?}", block.thickness)?;
            }
        }
        for (name, nodes) in &mesh.node_sets {
            let labels = nodes.iter().map(|&node| self.node_labels[node as usize]);
            set(&mut self.out, "NSET", name, &labels.collect::<Vec<_>>())?;
        }
        for (name, ids) in mesh.element_sets.iter().filter(|set| !written.contains(set.0)) {
            let labels: Vec<_> = ids.iter().map(|&id| self.element_label(id)).collect();
            set(&mut self.out, "ELSET", name, &labels)?;
        }
        for (name, faces) in &mesh.surfaces {
            writeln!(self.out, "*SURFACE, TYPE=ELEMENT, NAME={}", quoted(name)?)?;
            for face in faces {
                let label = self.element_label(face.element);
                writeln!(self.out, "{label}, S{}", face.face + 1)?;
            }
        }
        Ok(())
    }

    fn material(&mut self, material: &Material) -> Written {
        let out = &mut self.out;
        writeln!(out, "*MATERIAL, NAME={}", quoted(&material.name)?)?;
        writeln!(out, "*DENSITY\n{:?}", material.density)?;
        if let Law::Elastic(law) | Law::Plastic(law, _) = &material.law {
            writeln!(out, "*ELASTIC\n{:?}, {:?}", law.young, law.poisson)?;
        }
        match &material.law {
            Law::Elastic(_) => {}
            Law::NeoHookean(law) => {
                writeln!(out, "*HYPERELASTIC, NEO HOOKE\n{:?}, {:?}", law.c10, law.d1)?;
            }
            Law::Plastic(_, plastic) => match &plastic.hardening {
                Hardening::Table(points) => {
                    writeln!(out, "*PLASTIC")?;
                    for [strain, stress] in points {
                        writeln!(out, "{stress:?}, {strain:?}")?;
                    }
                }
                Hardening::JohnsonCook(law) => {
                    writeln!(out, "*PLASTIC, HARDENING=JOHNSON COOK")?;
                    write!(out, "{:?}, {:?}, {:?}", law.a, law.b, law.n)?;
                    if law.melting.is_finite() {
                        write!(out, ", {:?}, {:?}, {:?}", law.m, law.melting, law.transition)?;
                    }
                    writeln!(out, "\n*RATE DEPENDENT, TYPE=JOHNSON COOK")?;
                    writeln!(out, "{:?}, {:?}", law.c, law.rate)?;
                }
            },
        }
        if material.expansion != 0.0 {
            writeln!(out, "*EXPANSION\n{:?}", material.expansion)?;
        }
        if material.specific_heat != 0.0 {
            writeln!(out, "*SPECIFIC HEAT\n{:?}", material.specific_heat)?;
        }
        if material.heat_fraction != 0.0 {
            writeln!(out, "*INELASTIC HEAT FRACTION\n{:?}", material.heat_fraction)?;
        }
        Ok(())
    }

    fn amplitudes(&mut self) -> Written {
        for amplitude in &self.model.amplitudes {
            let smooth = if amplitude.smooth { ", DEFINITION=SMOOTH STEP" } else { "" };
            writeln!(self.out, "*AMPLITUDE, NAME={}{smooth}", quoted(&amplitude.name)?)?;
            for [time, value] in &amplitude.points {
                writeln!(self.out, "{time:?}, {value:?}")?;
            }
        }
        Ok(())
    }

    /// Nodes by the name of their set or one after the other, with the rest of their lines.
    fn nodes(&mut self, nodes: &[u32], rest: fmt::Arguments<'_>) -> Written {
        if let Some(name) = self.node_names.get(nodes) {
            return Ok(writeln!(self.out, "{}{rest}", quoted(name)?)?);
        }
        for &node in nodes {
            writeln!(self.out, "{}{rest}", self.node_labels[node as usize])?;
        }
        Ok(())
    }

    fn initial(&mut self) -> Written {
        let model = self.model;
        if !model.velocities.is_empty() {
            writeln!(self.out, "*INITIAL CONDITIONS, TYPE=VELOCITY")?;
        }
        for axis in 0..model.mesh.dimensions() {
            let values = model.velocities.iter().map(|velocity| velocity[axis]);
            for (value, nodes) in alike(values).into_iter().filter(|group| group.0 != 0.0) {
                self.nodes(&nodes, format_args!(", {}, {value:?}", axis + 1))?;
            }
        }
        if !model.temperatures.is_empty() {
            writeln!(self.out, "*INITIAL CONDITIONS, TYPE=TEMPERATURE")?;
        }
        for (value, nodes) in alike(model.temperatures.iter().copied()) {
            self.nodes(&nodes, format_args!(", {value:?}"))?;
        }
        Ok(())
    }

    fn begin(&mut self) -> Written {
        let time = &self.model.time;
        let heat = if time.adiabatic { ", ADIABATIC" } else { "" };
        writeln!(self.out, "*STEP, NLGEOM=YES")?;
        match time.increments {
            Increments::Stable { factor, most } => {
                writeln!(self.out, "*DYNAMIC, EXPLICIT{heat}, SCALE FACTOR={factor:?}")?;
                write!(self.out, ", {:?}", time.period)?;
                if let Some(most) = most {
                    write!(self.out, ", , {most:?}")?;
                }
                writeln!(self.out)?;
            }
            Increments::Fixed(increment) => {
                writeln!(self.out, "*DYNAMIC, EXPLICIT{heat}, DIRECT USER CONTROL")?;
                writeln!(self.out, "{increment:?}, {:?}", time.period)?;
            }
        }
        let viscosity = &time.viscosity;
        writeln!(self.out, "*BULK VISCOSITY\n{:?}, {:?}", viscosity.linear, viscosity.quadratic)?;
        Ok(())
    }

    /// The parameter of an amplitude.
    fn amplitude(&self, amplitude: Option<usize>) -> Result<String, WriteError> {
        match amplitude {
            None => Ok(String::new()),
            Some(place) => {
                Ok(format!(", AMPLITUDE={}", quoted(&self.model.amplitudes[place].name)?))
            }
        }
    }

    fn prescribed(&mut self) -> Written {
        for given in &self.model.prescribed {
            let (kind, value) = match given.motion {
                Motion::Displacement(value) => ("DISPLACEMENT", value),
                Motion::Velocity(value) => ("VELOCITY", value),
            };
            if kind == "DISPLACEMENT" && value != 0.0 && given.amplitude.is_none() {
                return inexpressible("displacements that are at once");
            }
            let amplitude = self.amplitude(given.amplitude)?;
            writeln!(self.out, "*BOUNDARY, TYPE={kind}{amplitude}")?;
            let axis = given.axis + 1;
            self.nodes(&given.nodes, format_args!(", {axis}, {axis}, {value:?}"))?;
        }
        Ok(())
    }

    fn load(&mut self, load: &Load) -> Written {
        match load {
            Load::Concentrated { nodes, axis, force, amplitude } => {
                writeln!(self.out, "*CLOAD{}", self.amplitude(*amplitude)?)?;
                self.nodes(nodes, format_args!(", {}, {force:?}", axis + 1))
            }
            Load::Pressure(load) => {
                let amplitude = self.amplitude(load.amplitude)?;
                let pressure = load.pressure;
                if let Some(name) = self.surface_names.get(load.faces.as_slice()) {
                    let name = quoted(name)?;
                    writeln!(self.out, "*DSLOAD{amplitude}\n{name}, P, {pressure:?}")?;
                    return Ok(());
                }
                writeln!(self.out, "*DLOAD{amplitude}")?;
                for face in &load.faces {
                    let label = self.element_label(face.element);
                    writeln!(self.out, "{label}, P{}, {pressure:?}", face.face + 1)?;
                }
                Ok(())
            }
            Load::Gravity { acceleration, amplitude, elements } => {
                writeln!(self.out, "*DLOAD{}", self.amplitude(*amplitude)?)?;
                let length = acceleration.iter().map(|part| part * part).sum::<f64>().sqrt();
                let [x, y, z] = match length {
                    0.0 => [1.0, 0.0, 0.0],
                    _ => acceleration.map(|part| part / length),
                };
                let rest = format!(", GRAV, {length:?}, {x:?}, {y:?}, {z:?}");
                match elements {
                    None => writeln!(self.out, "{rest}")?,
                    Some(ids) => match self.element_names.get(ids.as_slice()) {
                        Some(name) => writeln!(self.out, "{}{rest}", quoted(name)?)?,
                        None => return inexpressible("gravity of elements without a name"),
                    },
                }
                Ok(())
            }
        }
    }

    fn outputs(&mut self) -> Written {
        let outputs = &self.model.outputs;
        let marks = |exact: bool| if exact { ", TIME MARKS=YES" } else { "" };
        let (of_fields, of_history) = (marks(outputs.exact_fields), marks(outputs.exact_history));
        match outputs.fields {
            Some(fields) => {
                writeln!(self.out, "*OUTPUT, FIELD, NUMBER INTERVAL={fields}{of_fields}")?;
            }
            None if outputs.exact_fields => writeln!(self.out, "*OUTPUT, FIELD{of_fields}")?,
            None => {}
        }
        match outputs.history {
            Some(history) => {
                writeln!(self.out, "*OUTPUT, HISTORY, TIME INTERVAL={history:?}{of_history}")?;
            }
            None if outputs.probes.is_empty() && !outputs.exact_history => {}
            None => writeln!(self.out, "*OUTPUT, HISTORY{of_history}")?,
        }
        for probe in &outputs.probes {
            let name = quoted(&probe.name)?;
            let sets = &self.model.mesh;
            let (keyword, known) = match &probe.target {
                ProbeTarget::Nodes(nodes) => {
                    ("*NODE OUTPUT, NSET", sets.node_sets.get(&probe.name) == Some(nodes))
                }
                ProbeTarget::Elements(ids) => {
                    ("*ELEMENT OUTPUT, ELSET", sets.element_sets.get(&probe.name) == Some(ids))
                }
            };
            if !known {
                return inexpressible("a probe that has not the name of its nodes or elements");
            }
            let variables = if keyword.starts_with("*NODE") { "U, V" } else { "MISES, PEEQ, TEMP" };
            writeln!(self.out, "{keyword}={name}\n{variables}")?;
        }
        Ok(())
    }
}

fn different<'a>(labels: impl Iterator<Item = &'a u64> + Clone) -> bool {
    let all: BTreeSet<_> = labels.clone().collect();
    all.len() == labels.count()
}

/// Nodes by what they have, the same bits apart.
fn alike(values: impl Iterator<Item = f64>) -> Vec<(f64, Vec<u32>)> {
    let mut groups: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
    for (value, node) in values.zip(0..) {
        groups.entry(value.to_bits()).or_default().push(node);
    }
    groups.into_iter().map(|(bits, nodes)| (f64::from_bits(bits), nodes)).collect()
}

/// A name as decks have it: between quotes its case counts, and blanks and commas are part of it.
fn quoted(name: &str) -> Result<String, WriteError> {
    let plain =
        |character: char| character.is_ascii_uppercase() || "0123456789-_.".contains(character);
    if name.is_empty() || name.contains(['"', '\n', '\r']) || name.trim() != name {
        return Err(WriteError::Inexpressible { what: "names with quotes, or empty ones" });
    }
    if name.chars().all(plain) { Ok(name.to_string()) } else { Ok(format!("\"{name}\"")) }
}

/// A set; numbers at equal distances by the first, the last and the distance.
fn set(out: &mut impl Write, keyword: &str, name: &str, labels: &[u64]) -> Written {
    let name = quoted(name)?;
    let even = |labels: &[u64]| {
        let step = labels[1].checked_sub(labels[0]).filter(|&step| step > 0)?;
        let follows = |pair: &[u64]| pair[0].checked_add(step) == Some(pair[1]);
        labels.windows(2).all(follows).then_some(step)
    };
    if let Some(step) = Some(labels).filter(|labels| labels.len() > 2).and_then(even) {
        let (first, last) = (labels[0], labels[labels.len() - 1]);
        writeln!(out, "*{keyword}, {keyword}={name}, GENERATE\n{first}, {last}, {step}")?;
        return Ok(());
    }
    writeln!(out, "*{keyword}, {keyword}={name}")?;
    for line in labels.chunks(16) {
        let line: Vec<_> = line.iter().map(u64::to_string).collect();
        writeln!(out, "{}", line.join(", "))?;
    }
    Ok(())
}
