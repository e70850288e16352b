//! Nodes and elements of all instances, and what names and numbers stand for.

use std::borrow::Cow;
use std::collections::BTreeMap;

use nonius_files::room::Meter;

use super::super::error::{At, Fault, Found, Item, Problem};
use super::super::labels::Labels;
use super::name::Name;
use super::raw::{Body, Instance, Member, Of, Said, Set};
use super::types::Type;

/// The place of the scope of names that belong to no instance.
pub(super) const TOP: usize = 0;

/// Nodes and elements, with scopes of names: that of the assembly, then those of instances.
#[derive(Debug, Default)]
pub(super) struct World {
    pub(super) node_labels: Vec<u64>,
    pub(super) positions: Vec<[f64; 3]>,
    pub(super) cells: Vec<Cell>,
    /// Nodes of all cells, one after the other.
    pub(super) corners: Vec<u32>,
    pub(super) scopes: Vec<Scope>,
    meter: Option<Meter>,
}

/// An element of any type.
#[derive(Clone, Copy, Debug)]
pub(super) struct Cell {
    pub(super) label: u64,
    pub(super) kind: Type,
    pub(super) at: At,
    /// Where its nodes begin.
    start: usize,
}

/// What names and numbers stand for.
#[derive(Debug)]
pub(super) struct Scope {
    pub(super) name: Option<Name>,
    nodes: Labels,
    elements: Labels,
    pub(super) node_sets: BTreeMap<String, Members>,
    pub(super) element_sets: BTreeMap<String, Members>,
}

/// The members of a set, by their places.
#[derive(Debug)]
pub(super) struct Members {
    pub(super) name: Name,
    pub(super) places: Vec<u32>,
}

impl World {
    pub(super) fn new(said: &Said) -> Found<Self> {
        let mut world = Self::default();
        if said.instances.is_empty() {
            world.place(None, &[&said.top], None)?;
            return Ok(world);
        }
        let outside = said.top.nodes.first().map(|node| node.at);
        let outside =
            outside.or_else(|| said.top.elements.first()?.labels.first().map(|label| label.1));
        if let Some(at) = outside {
            return at.expected("nodes and elements within parts and instances", "some outside");
        }
        world.place(None, &[], None)?;
        for instance in &said.instances {
            let part = &said.parts[instance.part].body;
            world.place(Some(&instance.name), &[part, &instance.body], Some(instance))?;
        }
        world.sets(TOP, &said.top)?;
        Ok(world)
    }

    /// Counts memory that names and instances multiply: a few lines can stand for much of a mesh.
    fn take(&mut self, bytes: usize, at: At) -> Found<()> {
        let meter =
            self.meter.get_or_insert_with(|| Meter::new("the instances and sets of the deck"));
        meter.take(bytes).map_err(|room| at.fault(Problem::Room(Box::new(room))))
    }

    /// Adds what some bodies say, as a scope of its own.
    fn place(
        &mut self,
        name: Option<&Name>,
        bodies: &[&Body],
        instance: Option<&Instance>,
    ) -> Found<()> {
        let (first_node, first_cell) = (self.positions.len(), self.cells.len());
        let taken = bodies.iter().map(|body| body.memory()).sum();
        self.take(taken, At::default())?;
        for node in bodies.iter().flat_map(|body| &body.nodes) {
            self.node_labels.push(node.label);
            self.positions.push(match instance {
                Some(instance) => moved(node.position, instance),
                None => node.position,
            });
        }
        let at = |place: u32| {
            bodies
                .iter()
                .flat_map(|body| &body.nodes)
                .nth(place as usize - first_node)
                .map(|node| node.at)
        };
        let places = numbered(self.node_labels.len())?;
        let labels = self.node_labels[first_node..].iter().copied().zip(places.skip(first_node));
        let nodes = Labels::new(labels).map_err(|place| {
            at(place).unwrap_or_default().repeated(Item::Node, self.node_labels[place as usize])
        })?;
        for elements in bodies.iter().flat_map(|body| &body.elements) {
            let corners = elements.nodes.chunks_exact(elements.kind.nodes());
            for (&(label, at), corners) in elements.labels.iter().zip(corners) {
                self.cells.push(Cell { label, kind: elements.kind, at, start: self.corners.len() });
                for &corner in corners {
                    let node = nodes.get(corner);
                    self.corners.push(node.ok_or_else(|| at.undefined(Item::Node, corner))?);
                }
            }
        }
        let places = numbered(self.cells.len())?;
        let labels =
            self.cells[first_cell..].iter().map(|cell| cell.label).zip(places.skip(first_cell));
        let elements = Labels::new(labels).map_err(|place| {
            let cell = self.cells[place as usize];
            cell.at.repeated(Item::Element, cell.label)
        })?;
        let scope = Scope {
            name: name.cloned(),
            nodes,
            elements,
            node_sets: BTreeMap::new(),
            element_sets: BTreeMap::new(),
        };
        self.scopes.push(scope);
        bodies.iter().try_for_each(|body| self.sets(self.scopes.len() - 1, body))
    }

    /// The sets of a body, in the order in which they are said: what they name was said before.
    fn sets(&mut self, scope: usize, body: &Body) -> Found<()> {
        for set in &body.sets {
            let places = self.members(scope, set)?;
            let at = set.members.first().map_or(At::default(), |member| member.1);
            self.take(2 * size_of::<u32>() * places.len(), at)?;
            let scope = &mut self.scopes[scope];
            let sets = match set.of {
                Of::Nodes => &mut scope.node_sets,
                Of::Elements => &mut scope.element_sets,
            };
            let name = set.name.clone();
            let known =
                sets.entry(name.key.clone()).or_insert(Members { name, places: Vec::new() });
            known.places.extend(places);
        }
        let scope = &mut self.scopes[scope];
        for set in scope.node_sets.values_mut().chain(scope.element_sets.values_mut()) {
            set.places.sort_unstable();
            set.places.dedup();
        }
        Ok(())
    }

    fn members(&self, scope: usize, set: &Set) -> Found<Vec<u32>> {
        let inner = match &set.instance {
            None => scope,
            Some(name) => {
                let at = set.members.first().map_or(At::default(), |member| member.1);
                self.instance(&name.key).ok_or_else(|| at.undefined(Item::Instance, name))?
            }
        };
        // Names that stand for much may be there often.
        let most = 2 * (self.positions.len() + self.cells.len()) + 1000;
        let mut places: Vec<u32> = Vec::new();
        for (member, at) in &set.members {
            match member {
                Member::Range(range, step) => {
                    let (labels, item) = match set.of {
                        Of::Nodes => (&self.scopes[inner].nodes, Item::Node),
                        Of::Elements => (&self.scopes[inner].elements, Item::Element),
                    };
                    for label in range.clone().step_by(*step) {
                        let place = labels.get(label);
                        places.push(place.ok_or_else(|| at.undefined(item, label))?);
                    }
                }
                Member::Set(name) => match set.of {
                    Of::Nodes => places.extend_from_slice(&self.nodes(inner, name, *at)?),
                    Of::Elements => places.extend_from_slice(&self.elements(inner, name, *at)?),
                },
                Member::NodesOf(name) => {
                    places.extend(self.nodes_of(&self.elements(inner, name, *at)?));
                }
            }
            if places.len() > most {
                places.sort_unstable();
                places.dedup();
            }
        }
        places.sort_unstable();
        places.dedup();
        Ok(places)
    }

    pub(super) fn instance(&self, key: &str) -> Option<usize> {
        let named = |scope: &Scope| scope.name.as_ref().is_some_and(|name| name.key == key);
        self.scopes.iter().position(named)
    }

    /// The nodes of a cell.
    pub(super) fn corners(&self, cell: u32) -> &[u32] {
        let cell = &self.cells[cell as usize];
        &self.corners[cell.start..][..cell.kind.nodes()]
    }

    /// The nodes of cells, ascending.
    fn nodes_of(&self, cells: &[u32]) -> Vec<u32> {
        let mut nodes: Vec<_> =
            cells.iter().flat_map(|&cell| self.corners(cell)).copied().collect();
        nodes.sort_unstable();
        nodes.dedup();
        nodes
    }

    /// The nodes that a name stands for: a set of nodes, a node, or a set of elements.
    pub(super) fn nodes(&self, scope: usize, name: &Name, at: At) -> Found<Cow<'_, [u32]>> {
        let found = self.scoped(scope, &name.key, &|scope, key| {
            if let Some(set) = scope.node_sets.get(key) {
                return Some(Cow::Borrowed(set.places.as_slice()));
            }
            let node = key.parse().ok().and_then(|label| scope.nodes.get(label));
            if let Some(node) = node {
                return Some(Cow::Owned(vec![node]));
            }
            scope.element_sets.get(key).map(|set| Cow::Owned(self.nodes_of(&set.places)))
        });
        found.ok_or_else(|| at.undefined(Item::Nodes, name))
    }

    /// The cells that a name stands for: a set or an element.
    pub(super) fn elements(&self, scope: usize, name: &Name, at: At) -> Found<Cow<'_, [u32]>> {
        let found = self.scoped(scope, &name.key, &|scope, key| {
            if let Some(set) = scope.element_sets.get(key) {
                return Some(Cow::Borrowed(set.places.as_slice()));
            }
            let cell = key.parse().ok().and_then(|label| scope.elements.get(label));
            cell.map(|cell| Cow::Owned(vec![cell]))
        });
        found.ok_or_else(|| at.undefined(Item::Elements, name))
    }

    /// What a scope or, behind the name of an instance and a dot, another one has.
    pub(super) fn scoped<'a, T>(
        &'a self,
        scope: usize,
        key: &str,
        get: &dyn Fn(&'a Scope, &str) -> Option<T>,
    ) -> Option<T> {
        get(&self.scopes[scope], key).or_else(|| {
            key.match_indices('.').find_map(|(dot, _)| {
                let scope = self.instance(&key[..dot])?;
                get(&self.scopes[scope], &key[dot + 1..])
            })
        })
    }
}

/// Places below a length, where these can be numbered.
fn numbered(length: usize) -> Found<core::ops::Range<u32>> {
    match u32::try_from(length) {
        Ok(length) if length < u32::MAX => Ok(0..length),
        _ => Err(Fault { at: At::default(), problem: Problem::Size }),
    }
}

/// A point moved, then turned, by what an instance says.
fn moved(mut point: [f64; 3], instance: &Instance) -> [f64; 3] {
    for (coordinate, part) in point.iter_mut().zip(instance.translation) {
        *coordinate += part;
    }
    let Some([ax, ay, az, bx, by, bz, degrees]) = instance.rotation else { return point };
    let axis = [bx - ax, by - ay, bz - az];
    let length = axis.iter().map(|part| part * part).sum::<f64>().sqrt();
    let [x, y, z] = axis.map(|part| part / length);
    let [px, py, pz] = [point[0] - ax, point[1] - ay, point[2] - az];
    let (sine, cosine) = match degrees.rem_euclid(360.0) {
        0.0 => (0.0, 1.0),
        90.0 => (1.0, 0.0),
        180.0 => (0.0, -1.0),
        270.0 => (-1.0, 0.0),
        other => other.to_radians().sin_cos(),
    };
    // Rodrigues: p·cos + (e × p)·sin + e·(e·p)·(1 − cos).
    let along = (x * px + y * py + z * pz) * (1.0 - cosine);
    [
        ax + px * cosine + (y * pz - z * py) * sine + x * along,
        ay + py * cosine + (z * px - x * pz) * sine + y * along,
        az + pz * cosine + (x * py - y * px) * sine + z * along,
    ]
}
