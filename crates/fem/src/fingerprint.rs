//! What tells models apart.

use sha2::{Digest, Sha256};

use crate::model::{
    Amplitude, Block, BulkViscosity, Elastic, ElementId, Face, Hardening, Increments, JohnsonCook,
    Law, Load, Material, Mesh, Model, Motion, NeoHookean, Outputs, Plastic, Prescribed, Pressure,
    Probe, ProbeTarget, Time, Wall,
};
use crate::output::checkpoint::{Element, Fingerprint};

/// A hash of all that the files of a run depend on: the model but for its title, its units and
/// its names of sets, surfaces, materials and amplitudes, and the version of this crate.
pub(crate) fn fingerprint(model: &Model) -> Fingerprint {
    // Whoever adds a field here or below has to say whether runs depend on it.
    let Model {
        title: _,
        units: _,
        mesh,
        materials,
        amplitudes,
        velocities,
        temperatures,
        prescribed,
        loads,
        walls,
        time,
        outputs,
    } = model;
    let mut hash = Hash(Sha256::new());
    hash.text(env!("CARGO_PKG_VERSION"));
    hash.mesh(mesh);
    hash.each(materials, Hash::material);
    hash.each(amplitudes, |hash, amplitude| {
        let Amplitude { name: _, points, smooth } = amplitude;
        hash.array(points.as_flattened());
        hash.whole(u64::from(*smooth));
    });
    hash.array(velocities.as_flattened());
    hash.array(temperatures);
    hash.each(prescribed, Hash::prescribed);
    hash.each(loads, Hash::load);
    hash.each(walls, |hash, wall| {
        let Wall { point, normal, nodes } = wall;
        hash.array(point);
        hash.array(normal);
        hash.perhaps(nodes.as_ref(), |hash, nodes| hash.array(nodes));
    });
    hash.time(time);
    hash.outputs(outputs);
    hash.0.finalize().into()
}

/// Bytes that are hashed at once.
const BUFFER: usize = 1 << 16;

struct Hash(Sha256);

impl Hash {
    fn whole(&mut self, x: u64) {
        self.0.update(x.to_le_bytes());
    }

    fn number(&mut self, x: f64) {
        self.whole(x.to_bits());
    }

    fn text(&mut self, text: &str) {
        self.whole(text.len() as u64);
        self.0.update(text.as_bytes());
    }

    fn array<T: Element>(&mut self, numbers: &[T]) {
        self.whole(numbers.len() as u64);
        let size = T::TYPE.bytes();
        let mut buffer = vec![0; BUFFER.min(numbers.len() * size)];
        for part in numbers.chunks(BUFFER / size) {
            let bytes = &mut buffer[..part.len() * size];
            T::put(part, bytes);
            self.0.update(&*bytes);
        }
    }

    fn each<T>(&mut self, all: &[T], mut hash: impl FnMut(&mut Self, &T)) {
        self.whole(all.len() as u64);
        all.iter().for_each(|one| hash(self, one));
    }

    fn perhaps<T>(&mut self, one: Option<T>, hash: impl FnOnce(&mut Self, T)) {
        self.whole(u64::from(one.is_some()));
        if let Some(one) = one {
            hash(self, one);
        }
    }

    fn place(&mut self, place: Option<usize>) {
        self.perhaps(place, |hash, place| hash.whole(place as u64));
    }

    fn element(&mut self, id: ElementId) {
        let ElementId { block, element } = id;
        self.whole(u64::from(block) << 32 | u64::from(element));
    }

    fn mesh(&mut self, mesh: &Mesh) {
        let Mesh { node_labels, coordinates, blocks, node_sets: _, element_sets: _, surfaces: _ } =
            mesh;
        self.array(node_labels);
        self.array(coordinates.as_flattened());
        self.each(blocks, |hash, block| {
            let Block { kind, material, labels, nodes, thickness } = block;
            hash.text(kind.name());
            hash.whole(*material as u64);
            hash.array(labels);
            hash.array(nodes);
            hash.number(*thickness);
        });
    }

    fn material(&mut self, material: &Material) {
        let Material { name: _, density, law, expansion, specific_heat, heat_fraction } = material;
        self.array(&[*density, *expansion, *specific_heat, *heat_fraction]);
        match law {
            Law::Elastic(elastic) => {
                self.whole(0);
                self.elastic(*elastic);
            }
            Law::Plastic(elastic, Plastic { hardening }) => {
                self.whole(1);
                self.elastic(*elastic);
                self.hardening(hardening);
            }
            Law::NeoHookean(NeoHookean { c10, d1 }) => {
                self.whole(2);
                self.array(&[*c10, *d1]);
            }
        }
    }

    fn elastic(&mut self, Elastic { young, poisson }: Elastic) {
        self.array(&[young, poisson]);
    }

    fn hardening(&mut self, hardening: &Hardening) {
        match hardening {
            Hardening::Table(points) => {
                self.whole(0);
                self.array(points.as_flattened());
            }
            &Hardening::JohnsonCook(JohnsonCook { a, b, n, c, rate, m, melting, transition }) => {
                self.whole(1);
                self.array(&[a, b, n, c, rate, m, melting, transition]);
            }
        }
    }

    fn prescribed(&mut self, prescribed: &Prescribed) {
        let Prescribed { nodes, axis, motion, amplitude } = prescribed;
        self.array(nodes);
        self.whole(*axis as u64);
        let (kind, value) = match *motion {
            Motion::Displacement(value) => (0, value),
            Motion::Velocity(value) => (1, value),
        };
        self.whole(kind);
        self.number(value);
        self.place(*amplitude);
    }

    fn load(&mut self, load: &Load) {
        match load {
            Load::Concentrated { nodes, axis, force, amplitude } => {
                self.whole(0);
                self.array(nodes);
                self.whole(*axis as u64);
                self.number(*force);
                self.place(*amplitude);
            }
            Load::Pressure(Pressure { faces, pressure, amplitude }) => {
                self.whole(1);
                self.each(faces, |hash, &Face { element, face }| {
                    hash.element(element);
                    hash.whole(u64::from(face));
                });
                self.number(*pressure);
                self.place(*amplitude);
            }
            Load::Gravity { acceleration, amplitude, elements } => {
                self.whole(2);
                self.array(acceleration);
                self.place(*amplitude);
                self.perhaps(elements.as_ref(), |hash, elements| {
                    hash.each(elements, |hash, &id| hash.element(id));
                });
            }
        }
    }

    fn time(&mut self, time: &Time) {
        let Time { period, increments, viscosity: BulkViscosity { linear, quadratic }, adiabatic } =
            time;
        self.array(&[*period, *linear, *quadratic]);
        match *increments {
            Increments::Stable { factor, most } => {
                self.whole(0);
                self.number(factor);
                self.perhaps(most, Self::number);
            }
            Increments::Fixed(dt) => {
                self.whole(1);
                self.number(dt);
            }
        }
        self.whole(u64::from(*adiabatic));
    }

    /// Steps may end at outputs, and files have them.
    fn outputs(&mut self, outputs: &Outputs) {
        let Outputs { fields, history, exact_fields, exact_history, probes } = outputs;
        self.place(*fields);
        self.perhaps(*history, Self::number);
        self.whole(u64::from(*exact_fields) | u64::from(*exact_history) << 1);
        self.each(probes, |hash, Probe { name, target }| {
            hash.text(name);
            match target {
                ProbeTarget::Nodes(nodes) => {
                    hash.whole(0);
                    hash.array(nodes);
                }
                ProbeTarget::Elements(elements) => {
                    hash.whole(1);
                    hash.each(elements, |hash, &id| hash.element(id));
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate;
    use crate::model::Kind;

    #[test]
    fn what_runs_depend_on_is_hashed_and_names_are_not() {
        let taylor = || generate::taylor(Kind::Hexahedron, 1, 1, 2).unwrap();
        let original = fingerprint(&taylor());
        let with = |change: &dyn Fn(&mut Model)| {
            let mut model = taylor();
            change(&mut model);
            fingerprint(&model)
        };
        let changes: [&dyn Fn(&mut Model); 11] = [
            &|model| model.mesh.coordinates[3][1] += 1e-12,
            &|model| model.mesh.blocks[0].nodes.swap(0, 1),
            &|model| model.mesh.blocks[0].kind = Kind::ReducedHexahedron,
            &|model| model.materials[0].density *= 2.0,
            &|model| model.velocities[0][2] = -0.0,
            &|model| model.temperatures.clear(),
            &|model| model.prescribed[0].motion = Motion::Velocity(0.0),
            &|model| model.time.adiabatic = false,
            &|model| model.outputs.history = None,
            &|model| model.outputs.exact_fields = true,
            &|model| model.outputs.probes.truncate(1),
        ];
        for (number, change) in changes.iter().enumerate() {
            assert_ne!(with(change), original, "{number}");
        }
        let renamed = with(&|model| {
            model.title.clear();
            model.materials[0].name.push('!');
            model.mesh.node_sets.clear();
        });
        assert_eq!(renamed, original);
    }
}
