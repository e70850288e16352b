//! Keywords of nodes, elements, sets, surfaces and sections.

use super::super::check;
use super::super::error::{At, Found, Problem};
use super::super::ignored::Matter;
use super::super::text::{label, number};
use super::block::Block;
use super::raw::{Elements, Member, Node, Of, Section, Set, Surface};
use super::reader::{Reader, Scope, misplaced};
use super::types::Type;

impl Reader<'_> {
    pub(super) fn nodes(&mut self, block: &Block) -> Found<()> {
        const COORDINATE: &str = "the number of a node and its coordinates";
        block.allow(&["NSET", "INPUT", "SYSTEM"])?;
        block.only("SYSTEM", &["R"])?;
        self.mesh_scope(block)?;
        let mut nodes = Vec::with_capacity(block.data.len());
        let mut members = Vec::new();
        for record in self.deck.records(block) {
            let label = record.label(0)?;
            record.number(1, COORDINATE)?;
            let mut position = [0.0; 3];
            for (axis, coordinate) in position.iter_mut().enumerate() {
                *coordinate = record.maybe(axis + 1, COORDINATE)?.unwrap_or(0.0);
            }
            // Behind the coordinates there may be the direction of a normal, which only shells
            // have.
            record.at_most(7, COORDINATE)?;
            nodes.push(Node { label, position, at: record.at });
            if block.has("NSET") {
                push_label(&mut members, label, record.at);
            }
        }
        self.body().nodes.append(&mut nodes);
        if block.has("NSET") {
            let name = block.name("NSET")?;
            self.body().sets.push(Set { of: Of::Nodes, name, instance: None, members });
        }
        Ok(())
    }

    pub(super) fn elements(&mut self, block: &Block) -> Found<()> {
        const NODES: &str = "the number of an element and those of its nodes";
        block.allow(&["TYPE", "ELSET", "INPUT"])?;
        self.mesh_scope(block)?;
        let name = block.needed("TYPE")?;
        let Some(kind) = Type::named(&name.to_uppercase()) else {
            return Err(block.at.fault(Problem::ElementType { name: name.to_string() }));
        };
        let mut elements = Elements { kind, labels: Vec::new(), nodes: Vec::new() };
        let mut members = Vec::new();
        let mut missing = 0;
        let mut last = block.at;
        for record in self.deck.records(block) {
            let mut cells = record.cells.iter();
            if missing == 0 {
                let Some(first) = cells.next() else { continue };
                let label = label(first, record.at)?;
                elements.labels.push((label, record.at));
                push_label(&mut members, label, record.at);
                missing = kind.nodes();
            }
            for cell in cells {
                if missing == 0 {
                    return record.at.expected(NODES, format!("{cell} behind them"));
                }
                elements.nodes.push(label(cell, record.at)?);
                missing -= 1;
            }
            last = record.at;
        }
        if missing > 0 {
            return last.expected(NODES, "the end of the data");
        }
        self.body().elements.push(elements);
        if block.has("ELSET") {
            let name = block.name("ELSET")?;
            self.body().sets.push(Set { of: Of::Elements, name, instance: None, members });
        }
        Ok(())
    }

    /// Nodes and elements are in parts and instances, or there are none of these.
    fn mesh_scope(&self, block: &Block) -> Found<()> {
        self.before_step(block)?;
        if matches!(self.scope, Scope::Assembly | Scope::Assembled) {
            return Err(misplaced(block, "it in a part or in an instance"));
        }
        Ok(())
    }

    pub(super) fn set(&mut self, block: &Block) -> Found<()> {
        self.before_step(block)?;
        let of = if block.key == "NSET" { Of::Nodes } else { Of::Elements };
        let name = match of {
            Of::Nodes => {
                block.allow(&["NSET", "ELSET", "GENERATE", "INSTANCE", "INTERNAL", "UNSORTED"])?;
                block.name("NSET")?
            }
            Of::Elements => {
                block.allow(&["ELSET", "GENERATE", "INSTANCE", "INTERNAL", "UNSORTED"])?;
                block.name("ELSET")?
            }
        };
        let instance = if block.has("INSTANCE") { Some(block.name("INSTANCE")?) } else { None };
        let mut members = Vec::new();
        if of == Of::Nodes && block.has("ELSET") {
            members.push((Member::NodesOf(block.name("ELSET")?), block.at));
        }
        for record in self.deck.records(block) {
            if block.has("GENERATE") {
                const RANGE: &str = "a first number, a last one and an increment";
                record.at_most(3, RANGE)?;
                let (first, last) = (record.label(0)?, record.label(1)?);
                let step = if record.text(2).is_empty() { 1 } else { record.label(2)? };
                if last < first || !(last - first).is_multiple_of(step) {
                    return record.at.expected(RANGE, record.cells.join(", "));
                }
                let step = usize::try_from(step).unwrap_or(usize::MAX);
                members.push((Member::Range(first..=last, step), record.at));
                continue;
            }
            for (place, cell) in record.cells.iter().enumerate().filter(|cell| !cell.1.is_empty()) {
                match cell.parse() {
                    Ok(label) => push_label(&mut members, label, record.at),
                    Err(_) => {
                        let name = record.name(place, "the name of a set")?;
                        members.push((Member::Set(name), record.at));
                    }
                }
            }
        }
        self.body().sets.push(Set { of, name, instance, members });
        Ok(())
    }

    pub(super) fn surface(&mut self, block: &Block) -> Found<()> {
        self.before_step(block)?;
        block.allow(&["NAME", "TYPE", "INTERNAL", "INSTANCE"])?;
        block.only("TYPE", &["ELEMENT", "NODE"])?;
        let name = block.name("NAME")?;
        let instance = if block.has("INSTANCE") { Some(block.name("INSTANCE")?) } else { None };
        let mut surface = Surface { name, instance, faces: Vec::new(), nodes: Vec::new() };
        for record in self.deck.records(block) {
            if block.word("TYPE").as_deref() == Some("NODE") {
                let nodes = record.name(0, "a node or a set of nodes")?;
                surface.nodes.push((nodes, record.at));
                continue;
            }
            const FACE: &str = "an element or a set of elements and a face such as S1";
            record.at_most(2, FACE)?;
            let elements = record.name(0, FACE)?;
            let face = match record.text(1) {
                "" => None,
                text => match face(text, 'S') {
                    Some(face) => Some(face),
                    None => return record.at.expected(FACE, text),
                },
            };
            surface.faces.push((elements, face, record.at));
        }
        self.body().surfaces.push(surface);
        Ok(())
    }

    pub(super) fn solid_section(&mut self, block: &Block) -> Found<()> {
        self.before_step(block)?;
        block.allow(&["ELSET", "MATERIAL", "CONTROLS", "ORIENTATION"])?;
        self.ignore_parameters(block, &["CONTROLS", "ORIENTATION"]);
        let mut thickness = None;
        for record in self.deck.records(block) {
            thickness = record.maybe(0, "a thickness")?;
            if let Some(value) = thickness {
                check::positive("thickness", value).map_err(|problem| record.at.fault(problem))?;
            }
        }
        let (elements, material) = (block.name("ELSET")?, block.name("MATERIAL")?);
        self.body().sections.push(Section { elements, material, thickness, at: block.at });
        Ok(())
    }

    /// How hourglass modes are held is our own; factors of bulk viscosity would change results.
    pub(super) fn section_controls(&mut self, block: &Block) -> Found<()> {
        block.allow(&[
            "NAME",
            "HOURGLASS",
            "KINEMATIC SPLIT",
            "SECOND ORDER ACCURACY",
            "DISTORTION CONTROL",
            "LENGTH RATIO",
        ])?;
        for record in self.deck.records(block) {
            for place in [3, 4] {
                let text = record.text(place);
                if !text.is_empty() && number(text) != Some(1.0) {
                    return record.at.expected("factors of bulk viscosity equal to 1", text);
                }
            }
        }
        self.ignore(block.at, Matter::Keyword(block.keyword.clone()));
        Ok(())
    }
}

/// Numbers that follow each other are one range.
fn push_label(members: &mut Vec<(Member, At)>, label: u64, at: At) {
    match members.last_mut() {
        Some((Member::Range(range, 1), _)) if range.end().checked_add(1) == Some(label) => {
            *range = *range.start()..=label;
        }
        _ => members.push((Member::Range(label..=label, 1), at)),
    }
}

/// The place of the face that a letter and a number from 1 name.
pub(super) fn face(text: &str, letter: char) -> Option<u8> {
    let number = text.strip_prefix([letter, letter.to_ascii_lowercase()])?;
    number.parse::<u8>().ok().and_then(|number| number.checked_sub(1)).filter(|&face| face < 6)
}
