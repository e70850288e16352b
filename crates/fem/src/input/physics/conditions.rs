//! Motions, loads, time and outputs.

use super::super::check;
use super::super::error::{Found, Item, Problem};
use super::document::{self, Document, Name};
use super::places::Places;
use crate::model::{
    Amplitude, BulkViscosity, ElementId, Increments, Load, Model, Motion, Outputs, Prescribed,
    Pressure, Probe, ProbeTarget, Time, Wall,
};

pub(super) fn conditions(document: &Document, places: &Places<'_>, model: &mut Model) -> Found<()> {
    let with_mass = model.mesh.nodes_with_mass();
    let mut reader = Reader { document, places, with_mass, model };
    reader.amplitudes()?;
    reader.initial()?;
    reader.motions()?;
    reader.forces()?;
    reader.pressures()?;
    reader.gravity()?;
    reader.walls()?;
    reader.time()?;
    reader.outputs()
}

struct Reader<'a> {
    document: &'a Document,
    places: &'a Places<'a>,
    /// Of each node whether an element has it.
    with_mass: Vec<bool>,
    model: &'a mut Model,
}

fn finite(quantity: &'static str, values: &[f64]) -> Result<(), Problem> {
    values.iter().try_for_each(|&value| check::range(quantity, value, true, "that is finite"))
}

impl Reader<'_> {
    fn nodes(&self, name: &Name) -> Found<Vec<u32>> {
        let found = self.model.mesh.node_sets.get(name.get_ref());
        found.cloned().ok_or_else(|| self.places.at(name).undefined(Item::Group, name.get_ref()))
    }

    /// The nodes of a group, which have masses.
    fn massive_nodes(&self, name: &Name, has: &'static str) -> Found<Vec<u32>> {
        let nodes = self.nodes(name)?;
        let checked = check::massive(&self.model.mesh, &self.with_mass, &nodes, has);
        self.places.check(name, checked)?;
        Ok(nodes)
    }

    fn elements(&self, name: &Name) -> Found<Vec<ElementId>> {
        let found = self.model.mesh.element_sets.get(name.get_ref());
        found.cloned().ok_or_else(|| self.places.at(name).undefined(Item::Elements, name.get_ref()))
    }

    fn amplitude(&self, name: &Option<Name>) -> Found<Option<usize>> {
        let Some(name) = name else { return Ok(None) };
        let named = |known: &Amplitude| known.name == *name.get_ref();
        let found = self.model.amplitudes.iter().position(named);
        let missing = || self.places.at(name).undefined(Item::Amplitude, name.get_ref());
        found.map(Some).ok_or_else(missing)
    }

    fn amplitudes(&mut self) -> Found<()> {
        for table in &self.document.amplitude {
            let document::Amplitude { name, points, smooth } = table.get_ref();
            let amplitude =
                Amplitude { name: name.clone(), points: points.clone(), smooth: *smooth };
            self.places.check(table, check::amplitude(&amplitude))?;
            if self.model.amplitudes.iter().any(|known| known.name == *name) {
                return Err(self.places.at(table).repeated(Item::Amplitude, name));
            }
            self.model.amplitudes.push(amplitude);
        }
        Ok(())
    }

    fn initial(&mut self) -> Found<()> {
        let count = self.model.mesh.coordinates.len();
        let plane = self.model.mesh.dimensions() == 2;
        let (mut velocities, mut temperatures) = (vec![[0.0; 3]; count], Vec::new());
        for table in &self.document.initial {
            let initial = table.get_ref();
            let moves = initial.velocity.is_some_and(|velocity| velocity != [0.0; 3]);
            let nodes = match &initial.group {
                Some(name) if moves => self.massive_nodes(name, "an initial velocity")?,
                Some(name) => self.nodes(name)?,
                None => (0..count as u32).collect(),
            };
            if let Some(velocity) = initial.velocity {
                self.places.check(table, finite("velocity", &velocity))?;
                if plane {
                    self.places.check(table, in_plane("velocity", velocity))?;
                }
                nodes.iter().for_each(|&node| velocities[node as usize] = velocity);
            }
            if let Some(temperature) = initial.temperature {
                self.places.check(table, finite("temperature", &[temperature]))?;
                temperatures.resize(count, 0.0);
                nodes.iter().for_each(|&node| temperatures[node as usize] = temperature);
            }
        }
        if velocities.iter().any(|velocity| *velocity != [0.0; 3]) {
            self.model.velocities = velocities;
        }
        self.model.temperatures = temperatures;
        Ok(())
    }

    fn motions(&mut self) -> Found<()> {
        let mut prescribed = Vec::new();
        let dimensions = self.model.mesh.dimensions();
        for table in &self.document.motion {
            let said = table.get_ref();
            let motion = match (said.displacement, said.velocity) {
                (None, None) => Motion::Displacement(0.0),
                (Some(value), None) => Motion::Displacement(value),
                (None, Some(value)) => Motion::Velocity(value),
                (Some(_), Some(_)) => {
                    let needed = "a displacement or a velocity";
                    return self.places.at(table).expected(needed, "both");
                }
            };
            let mut amplitude = self.amplitude(&said.amplitude)?;
            self.places.check(table, check::motion(motion, amplitude))?;
            // A node that stays is moved by no amplitude.
            if matches!(motion, Motion::Displacement(0.0) | Motion::Velocity(0.0)) {
                amplitude = None;
            }
            let nodes = self.nodes(&said.group)?;
            for letter in said.axes.get_ref().chars() {
                let axis = "xyz".find(letter).filter(|&axis| axis < dimensions);
                let Some(axis) = axis else {
                    let needed = "axes among the x, y and z that the mesh has";
                    return self.places.at(&said.axes).expected(needed, said.axes.get_ref());
                };
                prescribed.push(Prescribed { nodes: nodes.clone(), axis, motion, amplitude });
            }
        }
        check::last_motions(&mut prescribed, self.model.mesh.coordinates.len());
        self.model.prescribed = prescribed;
        Ok(())
    }

    fn forces(&mut self) -> Found<()> {
        for table in &self.document.force {
            let said = table.get_ref();
            self.places.check(table, finite("force", &said.force))?;
            if self.model.mesh.dimensions() == 2 {
                self.places.check(table, in_plane("force", said.force))?;
            }
            let nodes = self.massive_nodes(&said.group, "a force")?;
            let amplitude = self.amplitude(&said.amplitude)?;
            for (axis, force) in said.force.into_iter().enumerate().filter(|part| part.1 != 0.0) {
                let nodes = nodes.clone();
                self.model.loads.push(Load::Concentrated { nodes, axis, force, amplitude });
            }
        }
        Ok(())
    }

    fn pressures(&mut self) -> Found<()> {
        for table in &self.document.pressure {
            let said = table.get_ref();
            self.places.check(table, finite("pressure", &[said.pressure]))?;
            let faces = self.model.mesh.surfaces.get(said.group.get_ref()).cloned();
            let missing =
                || self.places.at(&said.group).undefined(Item::Surface, said.group.get_ref());
            let faces = faces.ok_or_else(missing)?;
            let (pressure, amplitude) = (said.pressure, self.amplitude(&said.amplitude)?);
            self.model.loads.push(Load::Pressure(Pressure { faces, pressure, amplitude }));
        }
        Ok(())
    }

    fn gravity(&mut self) -> Found<()> {
        for table in &self.document.gravity {
            let said = table.get_ref();
            let acceleration = said.acceleration;
            self.places.check(table, finite("acceleration", &acceleration))?;
            if self.model.mesh.dimensions() == 2 {
                self.places.check(table, in_plane("acceleration", acceleration))?;
            }
            let elements = said.group.as_ref().map(|name| self.elements(name)).transpose()?;
            let amplitude = self.amplitude(&said.amplitude)?;
            self.model.loads.push(Load::Gravity { acceleration, amplitude, elements });
        }
        Ok(())
    }

    fn walls(&mut self) -> Found<()> {
        for table in &self.document.wall {
            let said = table.get_ref();
            self.places.check(table, finite("coordinate of a wall", &said.point))?;
            let length = said.normal.iter().map(|part| part * part).sum::<f64>().sqrt();
            self.places.check(table, check::positive("length of the normal", length))?;
            let normal = said.normal.map(|part| part / length);
            if self.model.mesh.dimensions() == 2 {
                self.places.check(table, in_plane("normal", normal))?;
            }
            let nodes = said.group.as_ref().map(|name| self.nodes(name)).transpose()?;
            self.model.walls.push(Wall { point: said.point, normal, nodes });
        }
        Ok(())
    }

    fn time(&mut self) -> Found<()> {
        let table = &self.document.time;
        let said = table.get_ref();
        let usual = BulkViscosity::default();
        let viscosity = BulkViscosity {
            linear: said.linear_viscosity.unwrap_or(usual.linear),
            quadratic: said.quadratic_viscosity.unwrap_or(usual.quadratic),
        };
        self.places.check(table, check::positive("period", said.period))?;
        for value in [viscosity.linear, viscosity.quadratic] {
            self.places
                .check(table, check::not_negative("coefficient of bulk viscosity", value))?;
        }
        let increments = match (said.increment, said.factor, said.longest) {
            (Some(increment), None, None) => {
                let good = increment > 0.0 && increment <= said.period;
                let range =
                    check::range("increment", increment, good, "above zero, at most the period");
                self.places.check(table, range)?;
                Increments::Fixed(increment)
            }
            (Some(_), ..) => {
                let needed = "a fixed increment alone";
                return self.places.at(table).expected(needed, "a factor or the longest beside it");
            }
            (None, factor, most) => {
                let factor = factor.unwrap_or(0.9);
                let good = factor > 0.0 && factor <= 1.0;
                self.places
                    .check(table, check::range("factor", factor, good, "above 0, at most 1"))?;
                if let Some(most) = most {
                    self.places.check(table, check::positive("longest increment", most))?;
                }
                Increments::Stable { factor, most }
            }
        };
        let (period, adiabatic) = (said.period, said.adiabatic);
        self.model.time = Time { period, increments, viscosity, adiabatic };
        Ok(())
    }

    fn outputs(&mut self) -> Found<()> {
        let Some(table) = &self.document.output else { return Ok(()) };
        let said = table.get_ref();
        if said.fields == Some(0) {
            return self.places.at(table).expected("a number of fields above zero", "0");
        }
        if let Some(history) = said.history {
            let checked = check::positive("time between rows of the history", history);
            self.places.check(table, checked)?;
        }
        let mut probes = Vec::new();
        for name in &said.nodes {
            let target = ProbeTarget::Nodes(self.nodes(name)?);
            probes.push(Probe { name: name.get_ref().clone(), target });
        }
        for name in &said.elements {
            let target = ProbeTarget::Elements(self.elements(name)?);
            probes.push(Probe { name: name.get_ref().clone(), target });
        }
        self.model.outputs = Outputs {
            fields: said.fields,
            history: said.history,
            exact_fields: said.exact,
            exact_history: said.exact,
            probes,
        };
        Ok(())
    }
}

/// Nothing goes along the third axis of a plane mesh.
fn in_plane(quantity: &'static str, vector: [f64; 3]) -> Result<(), Problem> {
    let needed = "equal to zero along the third axis of a plane mesh";
    check::range(quantity, vector[2], vector[2] == 0.0, needed)
}
