//! The mesh: elements by what they are made of, sets and surfaces.

use std::collections::BTreeMap;

use super::super::error::{At, Found, Item, Problem};
use super::super::ignored::Matter;
use super::super::skin::Skin;
use super::name::Name;
use super::raw::{Body, Said, Surface};
use super::types::Type;
use super::world::{Scope, TOP, World};
use crate::model::{Block, ElementId, Face, Kind, Mesh};

/// The mesh with what is needed to look up what the rest of the deck names.
pub(super) struct Assembly {
    pub(super) world: World,
    pub(super) mesh: Mesh,
    /// The places of cells in the mesh, except for those that only name nodes.
    ids: Vec<Option<ElementId>>,
    /// Faces by name, as conditions know them: with instances in front.
    surfaces: BTreeMap<String, Vec<Face>>,
    /// The materials that are used, by their place in the deck.
    pub(super) materials: Vec<usize>,
    pub(super) ignored: Vec<(At, Matter)>,
}

/// What an element is made of.
#[derive(Clone, Copy, PartialEq)]
struct Made {
    material: usize,
    thickness: f64,
}

impl Assembly {
    pub(super) fn new(said: &Said) -> Found<Self> {
        let world = World::new(said)?;
        let mut assembly = Self {
            ids: vec![None; world.cells.len()],
            world,
            mesh: Mesh::default(),
            surfaces: BTreeMap::new(),
            materials: Vec::new(),
            ignored: Vec::new(),
        };
        assembly.dimensions()?;
        let made = assembly.sections(said)?;
        assembly.blocks(&made)?;
        assembly.coordinates()?;
        assembly.sets();
        assembly.all_surfaces(said)?;
        assembly.mesh.node_labels = core::mem::take(&mut assembly.world.node_labels);
        Ok(assembly)
    }

    /// Elements go together, and others are their faces or sides.
    fn dimensions(&mut self) -> Found<()> {
        let group = |kind: Kind| match kind {
            Kind::PlaneStrain | Kind::Axisymmetric => Some(kind),
            _ => None,
        };
        let mut first = None;
        for cell in &self.world.cells {
            let Type::Ours(kind) = cell.kind else { continue };
            let known = *first.get_or_insert(kind);
            if group(known) != group(kind) {
                return Err(cell.at.fault(Problem::MixedElements));
            }
        }
        let mut seen: Vec<&str> = Vec::new();
        for cell in &self.world.cells {
            let Type::Lower(lower) = cell.kind else { continue };
            if first.is_none_or(|kind| lower.dimensions >= kind.dimensions()) {
                let name = lower.name.to_string();
                return Err(cell.at.fault(Problem::ElementType { name }));
            }
            if !seen.contains(&lower.name) {
                seen.push(lower.name);
                self.ignored.push((cell.at, Matter::Elements { name: lower.name.to_string() }));
            }
        }
        match first {
            Some(_) => Ok(()),
            None => Err(At::default().fault(Problem::Missing { what: "element" })),
        }
    }

    /// What each cell is made of.
    fn sections(&mut self, said: &Said) -> Found<Vec<Option<Made>>> {
        let mut made = vec![None; self.world.cells.len()];
        let parts = said.instances.iter().zip(1..).flat_map(|(instance, scope)| {
            [(&said.parts[instance.part].body, scope), (&instance.body, scope)]
        });
        for (body, scope) in [(&said.top, TOP)].into_iter().chain(parts) {
            for section in &body.sections {
                let named = |known: &super::raw::Material| known.name.key == section.material.key;
                let material = said.materials.iter().position(named);
                let material = material
                    .ok_or_else(|| section.at.undefined(Item::Material, &section.material))?;
                let cells = self.world.elements(scope, &section.elements, section.at)?;
                for &place in &*cells {
                    let cell = &self.world.cells[place as usize];
                    let Type::Ours(kind) = cell.kind else {
                        let name = cell.kind.name().to_string();
                        return Err(section.at.fault(Problem::ElementType { name }));
                    };
                    let thickness = match kind {
                        Kind::PlaneStrain => section.thickness.unwrap_or(1.0),
                        _ => 1.0,
                    };
                    if made[place as usize].replace(Made { material, thickness }).is_some() {
                        return Err(section.at.fault(Problem::TwoSections { element: cell.label }));
                    }
                }
            }
        }
        let mut used: Vec<_> = made.iter().flatten().map(|made: &Made| made.material).collect();
        used.sort_unstable();
        used.dedup();
        self.materials = used;
        Ok(made)
    }

    /// Elements of one kind, material and thickness are a block.
    fn blocks(&mut self, made: &[Option<Made>]) -> Found<()> {
        let mut known: Vec<(Kind, Made)> = Vec::new();
        for (place, (cell, made)) in self.world.cells.iter().zip(made).enumerate() {
            let Type::Ours(kind) = cell.kind else { continue };
            let Some(made) = *made else {
                return Err(cell.at.fault(Problem::NoSection { element: cell.label }));
            };
            let found = known.iter().position(|&block| block == (kind, made));
            let block = found.unwrap_or_else(|| {
                known.push((kind, made));
                let used = self.materials.iter().position(|&used| used == made.material);
                self.mesh.blocks.push(Block {
                    kind,
                    material: used.unwrap_or_default(),
                    labels: Vec::new(),
                    nodes: Vec::new(),
                    thickness: made.thickness,
                });
                known.len() - 1
            });
            let corners = self.world.corners(place as u32);
            let id = ElementId {
                block: block as u32,
                element: self.mesh.blocks[block].labels.len() as u32,
            };
            let block = &mut self.mesh.blocks[block];
            block.labels.push(cell.label);
            block.nodes.extend_from_slice(corners);
            self.ids[place] = Some(id);
        }
        Ok(())
    }

    /// Plane meshes are in the plane of the first two axes, axisymmetric ones on one side of the
    /// second.
    fn coordinates(&mut self) -> Found<()> {
        self.mesh.coordinates = core::mem::take(&mut self.world.positions);
        let at = |node: u32| {
            let has = |&cell: &u32| self.world.corners(cell).contains(&node);
            let cell = (0..self.world.cells.len() as u32).find(has);
            cell.map_or(At::default(), |cell| self.world.cells[cell as usize].at)
        };
        let axisymmetric = self.mesh.blocks.iter().any(|block| block.kind == Kind::Axisymmetric);
        let plane = self.mesh.dimensions() == 2;
        for (position, node) in self.mesh.coordinates.iter().zip(0..) {
            let [x, _, z] = *position;
            let (quantity, value, needed) = if position.iter().any(|part| !part.is_finite()) {
                ("coordinate of a node", f64::INFINITY, "that is finite")
            } else if plane && z != 0.0 {
                ("third coordinate of a node", z, "equal to zero")
            } else if axisymmetric && x < 0.0 {
                ("radius of a node", x, "not below zero")
            } else {
                continue;
            };
            return Err(at(node).fault(Problem::Range { quantity, value, needed }));
        }
        Ok(())
    }

    /// Sets with the names that conditions may use; of those that elements of fewer dimensions
    /// make, the nodes.
    fn sets(&mut self) {
        for scope in &self.world.scopes {
            for set in scope.node_sets.values() {
                let name = full(scope, &set.name).shown;
                self.mesh.node_sets.insert(name, set.places.clone());
            }
        }
        for scope in &self.world.scopes {
            for set in scope.element_sets.values() {
                let name = full(scope, &set.name);
                let mut ids: Vec<_> =
                    set.places.iter().filter_map(|&cell| self.ids[cell as usize]).collect();
                if !ids.is_empty() || set.places.is_empty() {
                    ids.sort_unstable();
                    self.mesh.element_sets.insert(name.shown, ids);
                } else if let Ok(nodes) = self.world.nodes(TOP, &name, At::default()) {
                    let nodes = nodes.into_owned();
                    self.mesh.node_sets.entry(name.shown).or_insert(nodes);
                }
            }
        }
    }

    fn all_surfaces(&mut self, said: &Said) -> Found<()> {
        let parts = said.instances.iter().zip(1..).flat_map(|(instance, scope)| {
            [(&said.parts[instance.part].body, scope), (&instance.body, scope)]
        });
        let bodies: Vec<(&Body, usize)> = [(&said.top, TOP)].into_iter().chain(parts).collect();
        let mut skin = None;
        for (body, scope) in bodies {
            for surface in &body.surfaces {
                let faces = self.faces(scope, surface, &mut skin)?;
                if surface.faces.is_empty() {
                    continue;
                }
                let name = full(&self.world.scopes[scope], &surface.name);
                let known = self.surfaces.entry(name.key).or_default();
                known.extend(faces);
                known.sort_unstable();
                known.dedup();
                self.mesh.surfaces.insert(name.shown, known.clone());
            }
        }
        Ok(())
    }

    fn faces(&self, scope: usize, surface: &Surface, skin: &mut Option<Skin>) -> Found<Vec<Face>> {
        let at = surface.faces.first().map(|face| face.2);
        let at = at.or(surface.nodes.first().map(|node| node.1)).unwrap_or_default();
        let scope = match &surface.instance {
            Some(name) => {
                self.world.instance(&name.key).ok_or_else(|| at.undefined(Item::Instance, name))?
            }
            None => scope,
        };
        for (nodes, at) in &surface.nodes {
            self.world.nodes(scope, nodes, *at)?;
        }
        let mut faces = Vec::new();
        for (elements, face, at) in &surface.faces {
            for &cell in &*self.world.elements(scope, elements, *at)? {
                match (self.ids[cell as usize], face) {
                    (Some(element), Some(face)) => faces.push(self.face(element, *face, *at)?),
                    (Some(element), None) => {
                        let skin = skin.get_or_insert_with(|| Skin::new(&self.mesh.blocks));
                        let nodes = self.mesh.nodes_of(element);
                        let kind = self.mesh.blocks[element.block as usize].kind;
                        for (corners, face) in kind.faces().iter().zip(0..) {
                            if skin.is_free(corners.iter().map(|&corner| nodes[corner])) {
                                faces.push(Face { element, face });
                            }
                        }
                    }
                    (None, _) => {
                        let skin = skin.get_or_insert_with(|| Skin::new(&self.mesh.blocks));
                        let label = self.world.cells[cell as usize].label;
                        let found = skin.face(self.world.corners(cell));
                        faces.push(found.ok_or_else(|| at.undefined(Item::Face, label))?);
                    }
                }
            }
        }
        Ok(faces)
    }

    fn face(&self, element: ElementId, face: u8, at: At) -> Found<Face> {
        let kind = self.mesh.blocks[element.block as usize].kind;
        if usize::from(face) < kind.faces().len() {
            return Ok(Face { element, face });
        }
        let found = format!("face {} of {}", face + 1, kind.name());
        at.expected("a face that the element has", found)
    }

    /// The faces at a place of the elements that a name stands for.
    pub(super) fn element_faces(&self, name: &Name, face: u8, at: At) -> Found<Vec<Face>> {
        self.elements(name, at)?.into_iter().map(|element| self.face(element, face, at)).collect()
    }

    pub(super) fn surface(&self, name: &Name, at: At) -> Found<Vec<Face>> {
        let found = self.surfaces.get(&name.key);
        found.cloned().ok_or_else(|| at.undefined(Item::Surface, name))
    }

    pub(super) fn nodes(&self, name: &Name, at: At) -> Found<Vec<u32>> {
        self.world.nodes(TOP, name, at).map(|nodes| nodes.into_owned())
    }

    pub(super) fn elements(&self, name: &Name, at: At) -> Found<Vec<ElementId>> {
        let cells = self.world.elements(TOP, name, at)?;
        let ids = cells.iter().map(|&cell| {
            self.ids[cell as usize].ok_or_else(|| {
                let name = self.world.cells[cell as usize].kind.name().to_string();
                at.fault(Problem::ElementType { name })
            })
        });
        ids.collect()
    }
}

/// A name with that of its instance.
fn full(scope: &Scope, name: &Name) -> Name {
    match &scope.name {
        Some(instance) => name.within(instance),
        None => name.clone(),
    }
}
