//! The model that a deck says.

use std::collections::HashMap;
use std::collections::hash_map::Entry;

use super::super::check;
use super::super::error::{At, Found, Item, Problem};
use super::super::ignored::Matter;
use super::assemble::Assembly;
use super::name::Name;
use super::raw::{self, Fields, NodeValue, Of, Said};
use crate::model::{
    ElementId, Face, Hardening, Law, Load, Material, Model, Motion, Outputs, Plastic, Prescribed,
    Pressure, Probe, ProbeTarget, Units,
};

pub(super) fn model(
    said: Said,
    units: Option<Units>,
    ignored: &mut Vec<(At, Matter)>,
) -> Found<Model> {
    let assembly = Assembly::new(&said)?;
    let missing = |what| At::default().fault(Problem::Missing { what });
    let time = said.time.ok_or_else(|| missing("*STEP with *DYNAMIC, EXPLICIT"))?;
    let with_mass = assembly.mesh.nodes_with_mass();
    let mut builder = Builder { assembly, with_mass, said: &said, ignored };
    let materials = builder.materials()?;
    let velocities = builder.velocities()?;
    let temperatures = builder.temperatures()?;
    let prescribed = builder.prescribed()?;
    let loads = builder.loads()?;
    let outputs = builder.outputs(time.period)?;
    let mut found = core::mem::take(&mut builder.assembly.ignored);
    let mesh = builder.assembly.mesh;
    ignored.append(&mut found);
    Ok(Model {
        title: said.title,
        units,
        mesh,
        materials,
        amplitudes: said.amplitudes.into_iter().map(|(_, amplitude)| amplitude).collect(),
        velocities,
        temperatures,
        prescribed,
        loads,
        walls: Vec::new(),
        time,
        outputs,
    })
}

struct Builder<'a> {
    assembly: Assembly,
    /// Of each node whether an element has it.
    with_mass: Vec<bool>,
    said: &'a Said,
    ignored: &'a mut Vec<(At, Matter)>,
}

impl Builder<'_> {
    fn materials(&mut self) -> Found<Vec<Material>> {
        let mut materials = Vec::new();
        for (place, said) in self.said.materials.iter().enumerate() {
            if self.assembly.materials.contains(&place) {
                materials.push(material(said)?);
            } else {
                let name = said.name.shown.clone();
                self.ignored.push((said.at, Matter::Material { name }));
            }
        }
        Ok(materials)
    }

    /// The axis of a degree of freedom, from 0; nothing where elements do not have it.
    fn axis(&mut self, said: &NodeValue) -> Found<Option<usize>> {
        let axis = said.axis as usize - 1;
        if axis < self.assembly.mesh.dimensions() {
            return Ok(Some(axis));
        }
        if axis == 2 && said.value != 0.0 {
            let needed = "nothing along the third axis of a plane mesh";
            return said.at.expected(needed, said.value.to_string());
        }
        // That nothing goes along the third axis of a plane mesh is true anyway.
        if axis > 2 {
            self.ignored.push((said.at, Matter::Axis { axis: said.axis }));
        }
        Ok(None)
    }

    /// The nodes that a value moves, which have masses where it is not zero.
    fn moved(&self, said: &NodeValue, has: &'static str) -> Found<Vec<u32>> {
        let nodes = self.assembly.nodes(&said.nodes, said.at)?;
        if said.value != 0.0 {
            let checked = check::massive(&self.assembly.mesh, &self.with_mass, &nodes, has);
            checked.map_err(|problem| said.at.fault(problem))?;
        }
        Ok(nodes)
    }

    fn velocities(&mut self) -> Found<Vec<[f64; 3]>> {
        let mut velocities = vec![[0.0; 3]; self.assembly.mesh.coordinates.len()];
        let said = self.said;
        for said in &said.velocities {
            let nodes = self.moved(said, "an initial velocity")?;
            let Some(axis) = self.axis(said)? else { continue };
            for node in nodes {
                velocities[node as usize][axis] = said.value;
            }
        }
        if velocities.iter().all(|velocity| *velocity == [0.0; 3]) {
            velocities.clear();
        }
        Ok(velocities)
    }

    fn temperatures(&self) -> Found<Vec<f64>> {
        if self.said.temperatures.is_empty() {
            return Ok(Vec::new());
        }
        let mut temperatures = vec![0.0; self.assembly.mesh.coordinates.len()];
        for said in &self.said.temperatures {
            for node in self.assembly.nodes(&said.nodes, said.at)? {
                temperatures[node as usize] = said.value;
            }
        }
        Ok(temperatures)
    }

    fn amplitude(&self, said: &Option<(Name, At)>) -> Found<Option<usize>> {
        let Some((name, at)) = said else { return Ok(None) };
        let found = self.said.amplitudes.iter().position(|(known, _)| known.key == name.key);
        found.map(Some).ok_or_else(|| at.undefined(Item::Amplitude, name))
    }

    /// Lines of a keyword that say the same of several nodes are one.
    fn prescribed(&mut self) -> Found<Vec<Prescribed>> {
        let mut prescribed: Vec<Prescribed> = Vec::new();
        let said = self.said;
        for boundary in &said.boundaries {
            let amplitude = self.amplitude(&boundary.amplitude)?;
            let mut known: HashMap<_, usize> = HashMap::new();
            for said in &boundary.values {
                let nodes = self.assembly.nodes(&said.nodes, said.at)?;
                let Some(axis) = self.axis(said)? else { continue };
                let motion = boundary.motion(said.value);
                check::motion(motion, amplitude).map_err(|problem| said.at.fault(problem))?;
                match known.entry((axis, bits(said.value))) {
                    Entry::Occupied(place) => prescribed[*place.get()].nodes.extend(nodes),
                    Entry::Vacant(place) => {
                        place.insert(prescribed.len());
                        prescribed.push(Prescribed { nodes, axis, motion, amplitude });
                    }
                }
            }
        }
        // A node that stays is moved by no amplitude.
        for motion in &mut prescribed {
            if matches!(motion.motion, Motion::Displacement(value) | Motion::Velocity(value) if value == 0.0)
            {
                motion.amplitude = None;
            }
        }
        check::last_motions(&mut prescribed, self.assembly.mesh.coordinates.len());
        Ok(prescribed)
    }

    /// Lines of a keyword that say the same of several nodes or faces are one load.
    fn loads(&mut self) -> Found<Vec<Load>> {
        let mut loads: Vec<Load> = Vec::new();
        let said = self.said;
        for group in &said.loads {
            let amplitude = self.amplitude(&group.amplitude)?;
            let mut known = HashMap::new();
            for said in &group.loads {
                match said {
                    raw::Load::Force(said) => {
                        let nodes = self.moved(said, "a force")?;
                        if let Some(axis) = self.axis(said)? {
                            add_force(&mut loads, &mut known, nodes, axis, said.value, amplitude);
                        }
                    }
                    raw::Load::Gravity { elements, acceleration, at } => {
                        if self.assembly.mesh.dimensions() == 2 && acceleration[2] != 0.0 {
                            let found = acceleration[2].to_string();
                            return at
                                .expected("nothing along the third axis of a plane mesh", found);
                        }
                        let elements =
                            elements.as_ref().map(|name| self.assembly.elements(name, *at));
                        let elements = elements.transpose()?;
                        loads.push(Load::Gravity {
                            acceleration: *acceleration,
                            amplitude,
                            elements,
                        });
                    }
                    raw::Load::Pressure { elements, face, pressure, at } => {
                        let faces = self.assembly.element_faces(elements, *face, *at)?;
                        add_pressure(&mut loads, &mut known, faces, *pressure, amplitude);
                    }
                    raw::Load::SurfacePressure { surface, pressure, at } => {
                        let faces = self.assembly.surface(surface, *at)?;
                        add_pressure(&mut loads, &mut known, faces, *pressure, amplitude);
                    }
                }
            }
        }
        Ok(loads)
    }

    fn outputs(&self, period: f64) -> Found<Outputs> {
        let fields = self.said.fields.iter().map(|fields| match *fields {
            Fields::Number(number) => number,
            Fields::Interval(interval) => {
                ((period / interval).round() as usize).clamp(1, 1_000_000_000)
            }
        });
        let history = self.said.histories.iter().copied().reduce(f64::min);
        let probes = self.said.probes.iter().map(|probe| {
            let target = match probe.of {
                Of::Nodes => ProbeTarget::Nodes(self.assembly.nodes(&probe.name, probe.at)?),
                Of::Elements => ProbeTarget::Elements(self.elements(probe)?),
            };
            Ok(Probe { name: probe.name.shown.clone(), target })
        });
        let [exact_fields, exact_history] = self.said.exact;
        let probes = probes.collect::<Found<_>>()?;
        Ok(Outputs { fields: fields.max(), history, exact_fields, exact_history, probes })
    }

    fn elements(&self, probe: &raw::Probe) -> Found<Vec<ElementId>> {
        let mut elements = self.assembly.elements(&probe.name, probe.at)?;
        elements.sort_unstable();
        Ok(elements)
    }
}

/// Places of a keyword's motions or loads by axis, which pressures do not have, and value.
type Known = HashMap<(usize, u64), usize>;

/// What stands for pressures where forces have an axis.
const NO_AXIS: usize = 3;

/// The bits of a value; those of both zeros are the same.
fn bits(value: f64) -> u64 {
    (value + 0.0).to_bits()
}

/// Another force of the keyword, or a new load.
fn add_force(
    loads: &mut Vec<Load>,
    known: &mut Known,
    added: Vec<u32>,
    axis: usize,
    force: f64,
    amplitude: Option<usize>,
) {
    let place = *known.entry((axis, bits(force))).or_insert(loads.len());
    match loads.get_mut(place) {
        Some(Load::Concentrated { nodes, .. }) => nodes.extend(added),
        _ => loads.push(Load::Concentrated { nodes: added, axis, force, amplitude }),
    }
}

/// The same of a pressure.
fn add_pressure(
    loads: &mut Vec<Load>,
    known: &mut Known,
    faces: Vec<Face>,
    pressure: f64,
    amplitude: Option<usize>,
) {
    let place = *known.entry((NO_AXIS, bits(pressure))).or_insert(loads.len());
    match loads.get_mut(place) {
        Some(Load::Pressure(known)) => known.faces.extend(faces),
        _ => loads.push(Load::Pressure(Pressure { faces, pressure, amplitude })),
    }
}

fn material(said: &raw::Material) -> Found<Material> {
    let name = said.name.shown.clone();
    let lacks = |lacks| said.at.fault(Problem::Material { name: name.clone(), lacks });
    let density = said.density.ok_or_else(|| lacks("density"))?;
    let law = match (said.elastic, &said.hardening, said.hyperelastic) {
        (None, None, Some(law)) => Law::NeoHookean(law),
        (Some(_), _, Some(_)) => {
            return Err(lacks("single law: *ELASTIC and *HYPERELASTIC exclude each other"));
        }
        (None, ..) => return Err(lacks("*ELASTIC")),
        (Some(elastic), None, None) => Law::Elastic(elastic),
        (Some(elastic), Some((hardening, at)), None) => {
            let mut hardening = hardening.clone();
            if let (Some(([c, rate], _)), Hardening::JohnsonCook(law)) = (said.rate, &mut hardening)
            {
                (law.c, law.rate) = (c, rate);
            }
            check::hardening(&hardening).map_err(|problem| at.fault(problem))?;
            Law::Plastic(elastic, Plastic { hardening })
        }
    };
    let is_johnson_cook = matches!(said.hardening, Some((Hardening::JohnsonCook(_), _)));
    if let (Some((_, at)), false) = (said.rate, is_johnson_cook) {
        return at.expected("*RATE DEPENDENT with *PLASTIC, HARDENING=JOHNSON COOK", "another law");
    }
    Ok(Material {
        name,
        density,
        law,
        expansion: said.expansion,
        specific_heat: said.specific_heat,
        heat_fraction: said.heat_fraction,
    })
}
