//! Keywords of what is at the beginning, of boundaries and of loads.

use super::super::error::{At, Found};
use super::super::text::number;
use super::block::{Block, Record};
use super::mesh::face;
use super::raw::{Boundary, Load, Loads, NodeValue, Temperature};
use super::reader::{Reader, Step, misplaced};

const NODES: &str = "a node or a set of nodes";
const AXIS: &str = "a degree of freedom from 1 to 6";

/// The displacements that a word holds; the rotations that it holds too, solids do not have.
const FIXED: [(&str, &[u64]); 5] = [
    ("XSYMM", &[1]),
    ("YSYMM", &[2]),
    ("ZSYMM", &[3]),
    ("PINNED", &[1, 2, 3]),
    ("ENCASTRE", &[1, 2, 3]),
];

fn axis(record: &Record<'_>, place: usize) -> Found<u64> {
    let text = record.text(place);
    match text.parse() {
        Ok(axis @ 1..=6) => Ok(axis),
        _ => record.at.expected(AXIS, text),
    }
}

impl Reader<'_> {
    pub(super) fn initial_conditions(&mut self, block: &Block) -> Found<()> {
        block.allow(&["TYPE", "INPUT"])?;
        block.needed("TYPE")?;
        block.only("TYPE", &["VELOCITY", "TEMPERATURE"])?;
        self.before_step(block)?;
        let velocity = block.word("TYPE").as_deref() == Some("VELOCITY");
        for record in self.deck.records(block) {
            let (nodes, at) = (record.name(0, NODES)?, record.at);
            if velocity {
                record.at_most(3, "nodes, a degree of freedom and a velocity")?;
                let value = record.number(2, "a velocity")?;
                let axis = axis(&record, 1)?;
                self.said.velocities.push(NodeValue { nodes, axis, value, at });
            } else {
                // More temperatures would be those of points through the thickness of shells.
                record.at_most(2, "nodes and a temperature")?;
                let value = record.number(1, "a temperature")?;
                self.said.temperatures.push(Temperature { nodes, value, at });
            }
        }
        Ok(())
    }

    pub(super) fn boundary(&mut self, block: &Block) -> Found<()> {
        block.allow(&["TYPE", "AMPLITUDE", "OP", "INPUT"])?;
        block.only("TYPE", &["DISPLACEMENT", "VELOCITY"])?;
        block.only("OP", &["MOD", "NEW"])?;
        if self.step == Step::After {
            return Err(misplaced(block, "it before *END STEP"));
        }
        let anew = self.step == Step::Inside && block.word("OP").as_deref() == Some("NEW");
        if anew && !self.boundaries_anew {
            self.boundaries_anew = true;
            self.said.boundaries.clear();
        }
        let mut values = Vec::new();
        for record in self.deck.records(block) {
            let (nodes, at) = (record.name(0, NODES)?, record.at);
            let word = record.text(1).to_uppercase();
            if let Some((_, axes)) = FIXED.iter().find(|(name, _)| *name == word) {
                record.at_most(2, "nodes and a word such as ENCASTRE")?;
                let fixed = axes.iter().map(|&axis| NodeValue {
                    nodes: nodes.clone(),
                    axis,
                    value: 0.0,
                    at,
                });
                values.extend(fixed);
                continue;
            }
            const DATA: &str = "nodes, a first and a last degree of freedom and a value";
            record.at_most(4, DATA)?;
            if number(&word).is_none() {
                const WORD: &str =
                    "a degree of freedom, XSYMM, YSYMM, ZSYMM, PINNED or ENCASTRE behind the nodes";
                return record.at.expected(WORD, record.text(1));
            }
            let first = axis(&record, 1)?;
            let last = if record.text(2).is_empty() { first } else { axis(&record, 2)? };
            let value = record.maybe(3, "a value")?.unwrap_or(0.0);
            if last < first {
                return record.at.expected(DATA, record.cells.join(", "));
            }
            if self.step == Step::Before && value != 0.0 {
                return record
                    .at
                    .expected("a motion in front of *STEP that is zero", record.text(3));
            }
            let along =
                (first..=last).map(|axis| NodeValue { nodes: nodes.clone(), axis, value, at });
            values.extend(along);
        }
        let amplitude = self.amplitude_of(block)?;
        let velocity = block.word("TYPE").as_deref() == Some("VELOCITY");
        self.said.boundaries.push(Boundary { amplitude, velocity, values });
        Ok(())
    }

    /// What keywords of loads have in common.
    fn loads(&mut self, block: &Block, load: impl Fn(&Record<'_>, At) -> Found<Load>) -> Found<()> {
        block.allow(&["AMPLITUDE", "OP", "INPUT"])?;
        block.only("OP", &["MOD", "NEW"])?;
        self.in_step(block)?;
        let records = self.deck.records(block);
        let loads = records.map(|record| load(&record, record.at)).collect::<Found<_>>()?;
        let amplitude = self.amplitude_of(block)?;
        self.said.loads.push(Loads { amplitude, loads });
        Ok(())
    }

    pub(super) fn concentrated(&mut self, block: &Block) -> Found<()> {
        self.loads(block, |record, at| {
            record.at_most(3, "nodes, a degree of freedom and a force")?;
            let (nodes, axis) = (record.name(0, NODES)?, axis(record, 1)?);
            Ok(Load::Force(NodeValue { nodes, axis, value: record.number(2, "a force")?, at }))
        })
    }

    pub(super) fn distributed(&mut self, block: &Block) -> Found<()> {
        self.loads(block, |record, at| {
            const KIND: &str = "GRAV or a face such as P1";
            let kind = record.text(1).to_uppercase();
            if kind == "GRAV" {
                /// Decks may write directions to three digits, and lengths err by this.
                const THREE_DIGITS: f64 = 1e-3;
                const NEEDED: &str = "GRAV, an acceleration and a direction of length 1";
                record.at_most(6, NEEDED)?;
                let magnitude = record.number(2, NEEDED)?;
                let mut direction = [0.0; 3];
                for (axis, part) in direction.iter_mut().enumerate() {
                    *part = record.maybe(axis + 3, NEEDED)?.unwrap_or(0.0);
                }
                let length = direction.iter().map(|part| part * part).sum::<f64>().sqrt();
                if (length - 1.0).abs() > THREE_DIGITS {
                    return record.at.expected(NEEDED, format!("a direction of length {length}"));
                }
                let acceleration = direction.map(|part| magnitude * (part / length));
                let elements =
                    if record.text(0).is_empty() { None } else { Some(record.name(0, KIND)?) };
                return Ok(Load::Gravity { elements, acceleration, at });
            }
            let Some(face) = face(&kind, 'P') else {
                return record.at.expected(KIND, record.text(1));
            };
            record.at_most(3, "elements, a face and a pressure")?;
            let elements = record.name(0, "an element or a set of elements")?;
            Ok(Load::Pressure { elements, face, pressure: record.number(2, "a pressure")?, at })
        })
    }

    pub(super) fn on_surfaces(&mut self, block: &Block) -> Found<()> {
        self.loads(block, |record, at| {
            record.at_most(3, "a surface, P and a pressure")?;
            if !record.text(1).eq_ignore_ascii_case("P") {
                return record.at.expected("P behind the surface", record.text(1));
            }
            let surface = record.name(0, "a surface")?;
            let pressure = record.number(2, "a pressure")?;
            Ok(Load::SurfacePressure { surface, pressure, at })
        })
    }
}
