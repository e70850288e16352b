//! The keywords of a deck, one after the other.

use super::super::error::{At, Found, Item, Problem};
use super::super::ignored::Matter;
use super::block::Block;
use super::name::Name;
use super::raw::{Body, Instance, Part, Said};
use super::source::Deck;

/// What has been read so far.
pub(super) struct Reader<'a> {
    pub(super) deck: &'a Deck,
    pub(super) said: Said,
    pub(super) ignored: Vec<(At, Matter)>,
    pub(super) scope: Scope,
    pub(super) step: Step,
    /// Whether the keyword before was of a material, which the next may add to.
    pub(super) in_material: bool,
    pub(super) output: Output,
    /// Whether a *BOUNDARY of the step has said that it begins anew.
    pub(super) boundaries_anew: bool,
}

/// Between which keywords the reader is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    /// Outside all, in front of any assembly.
    Model,
    Part,
    Assembly,
    Instance,
    /// Behind an assembly.
    Assembled,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    Before,
    Inside,
    After,
}

/// What the last *OUTPUT asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Output {
    Nothing,
    Field,
    History,
}

/// Keywords on which no result depends.
const HARMLESS: [&str; 23] = [
    "CONDUCTIVITY",
    "CONTACTFILE",
    "CONTACTOUTPUT",
    "CONTACTPRINT",
    "DIAGNOSTICS",
    "ELFILE",
    "ELPRINT",
    "ENERGYFILE",
    "ENERGYPRINT",
    "FILEFORMAT",
    "FILEOUTPUT",
    "FILTER",
    "INTEGRATEDOUTPUT",
    "INTEGRATEDOUTPUTSECTION",
    "MONITOR",
    "NODEFILE",
    "NODEPRINT",
    "ORIENTATION",
    "PREPRINT",
    "PRINT",
    "RESTART",
    "SURFACEOUTPUT",
    "TIMEPOINTS",
];

/// Keywords that add to a material.
const OF_MATERIAL: [&str; 10] = [
    "DENSITY",
    "ELASTIC",
    "PLASTIC",
    "RATEDEPENDENT",
    "HYPERELASTIC",
    "EXPANSION",
    "SPECIFICHEAT",
    "INELASTICHEATFRACTION",
    "CONDUCTIVITY",
    "MATERIAL",
];

impl<'a> Reader<'a> {
    pub(super) fn new(deck: &'a Deck) -> Self {
        Self {
            deck,
            said: Said::default(),
            ignored: Vec::new(),
            scope: Scope::Model,
            step: Step::Before,
            in_material: false,
            output: Output::Nothing,
            boundaries_anew: false,
        }
    }

    pub(super) fn block(&mut self, block: &Block) -> Found<()> {
        let of_material = OF_MATERIAL.contains(&block.key.as_str());
        if of_material && block.key != "MATERIAL" && !self.in_material {
            return Err(misplaced(block, "a *MATERIAL before it"));
        }
        self.in_material = of_material;
        match block.key.as_str() {
            "HEADING" => {
                if self.said.title.is_empty() {
                    let lines: Vec<_> = self.deck.texts(block).collect();
                    self.said.title = lines.join("\n");
                }
                Ok(())
            }
            "PART" => self.part(block),
            "ENDPART" => self.end(block, Scope::Part, Scope::Model),
            "ASSEMBLY" => {
                block.allow(&["NAME"])?;
                self.enter(block, Scope::Model, Scope::Assembly)
            }
            "ENDASSEMBLY" => self.end(block, Scope::Assembly, Scope::Assembled),
            "INSTANCE" => self.instance(block),
            "ENDINSTANCE" => self.end(block, Scope::Instance, Scope::Assembly),
            "NODE" => self.nodes(block),
            "ELEMENT" => self.elements(block),
            "NSET" | "ELSET" => self.set(block),
            "SURFACE" => self.surface(block),
            "SOLIDSECTION" => self.solid_section(block),
            "SECTIONCONTROLS" => self.section_controls(block),
            "MATERIAL" => self.material(block),
            "DENSITY" => self.density(block),
            "ELASTIC" => self.elastic(block),
            "PLASTIC" => self.plastic(block),
            "RATEDEPENDENT" => self.rate_dependent(block),
            "HYPERELASTIC" => self.hyperelastic(block),
            "EXPANSION" => self.expansion(block),
            "SPECIFICHEAT" => self.specific_heat(block),
            "INELASTICHEATFRACTION" => self.heat_fraction(block),
            "AMPLITUDE" => self.amplitude(block),
            "INITIALCONDITIONS" => self.initial_conditions(block),
            "BOUNDARY" => self.boundary(block),
            "CLOAD" => self.concentrated(block),
            "DLOAD" => self.distributed(block),
            "DSLOAD" => self.on_surfaces(block),
            "STEP" => self.begin_step(block),
            "ENDSTEP" => {
                self.in_step(block)?;
                self.step = Step::After;
                Ok(())
            }
            "DYNAMIC" => self.dynamic(block),
            "BULKVISCOSITY" => self.bulk_viscosity(block),
            "OUTPUT" => self.output(block),
            "NODEOUTPUT" | "ELEMENTOUTPUT" => self.probe(block),
            "ENERGYOUTPUT" | "INCREMENTATIONOUTPUT" => Ok(()),
            key if HARMLESS.contains(&key) => {
                self.ignore(block.at, Matter::Keyword(block.keyword.clone()));
                Ok(())
            }
            _ => Err(block.at.fault(Problem::Keyword { name: block.keyword.clone() })),
        }
    }

    pub(super) fn ignore(&mut self, at: At, matter: Matter) {
        self.ignored.push((at, matter));
    }

    /// Parameters of which no result depends on any value.
    pub(super) fn ignore_parameters(&mut self, block: &Block, names: &[&str]) {
        for &name in names.iter().filter(|name| block.has(name)) {
            let keyword = block.keyword.clone();
            self.ignore(block.at, Matter::Parameter { keyword, name: name.to_string() });
        }
    }

    /// What nodes, elements and sets belong to.
    pub(super) fn body(&mut self) -> &mut Body {
        let said = &mut self.said;
        let inner = match self.scope {
            Scope::Part => said.parts.last_mut().map(|part| &mut part.body),
            Scope::Instance => said.instances.last_mut().map(|instance| &mut instance.body),
            _ => None,
        };
        inner.unwrap_or(&mut said.top)
    }

    pub(super) fn in_step(&self, block: &Block) -> Found<()> {
        if self.step == Step::Inside { Ok(()) } else { Err(misplaced(block, "a *STEP before it")) }
    }

    pub(super) fn before_step(&self, block: &Block) -> Found<()> {
        if self.step == Step::Before { Ok(()) } else { Err(misplaced(block, "it before *STEP")) }
    }

    fn enter(&mut self, block: &Block, from: Scope, to: Scope) -> Found<()> {
        self.before_step(block)?;
        if self.scope != from {
            return Err(misplaced(block, "the end of what is open, and one assembly"));
        }
        self.scope = to;
        Ok(())
    }

    fn end(&mut self, block: &Block, from: Scope, to: Scope) -> Found<()> {
        if self.scope != from {
            return Err(misplaced(block, "what it ends to be open"));
        }
        self.scope = to;
        Ok(())
    }

    fn part(&mut self, block: &Block) -> Found<()> {
        block.allow(&["NAME"])?;
        let name = block.name("NAME")?;
        self.enter(block, Scope::Model, Scope::Part)?;
        if self.said.parts.iter().any(|part| part.name.key == name.key) {
            return Err(block.at.repeated(Item::Part, name));
        }
        self.said.parts.push(Part { name, body: Body::default() });
        Ok(())
    }

    fn instance(&mut self, block: &Block) -> Found<()> {
        block.allow(&["NAME", "PART"])?;
        let name = block.name("NAME")?;
        let part = block.name("PART")?;
        self.enter(block, Scope::Assembly, Scope::Instance)?;
        if self.said.instances.iter().any(|instance| instance.name.key == name.key) {
            return Err(block.at.repeated(Item::Instance, name));
        }
        let found = self.said.parts.iter().position(|known| known.name.key == part.key);
        let part = found.ok_or_else(|| block.at.undefined(Item::Part, part))?;
        let (mut translation, mut rotation) = ([0.0; 3], None);
        for (record, line) in self.deck.records(block).zip(0..) {
            const TRANSLATION: &str = "three numbers of a translation";
            const ROTATION: &str = "two points of an axis and an angle in degrees";
            if line == 0 {
                record.at_most(3, TRANSLATION)?;
                for (axis, value) in translation.iter_mut().enumerate() {
                    *value = record.maybe(axis, TRANSLATION)?.unwrap_or(0.0);
                }
            } else if line == 1 {
                record.at_most(7, ROTATION)?;
                let mut values = [0.0; 7];
                for (place, value) in values.iter_mut().enumerate() {
                    *value = record.number(place, ROTATION)?;
                }
                if values[..3] == values[3..6] {
                    return record.at.expected(ROTATION, "the same point twice");
                }
                rotation = Some(values);
            } else {
                return record.at.expected("at most two lines of data", "a third");
            }
        }
        let body = Body::default();
        self.said.instances.push(Instance { name, part, body, translation, rotation });
        Ok(())
    }

    /// The amplitude that a keyword names.
    pub(super) fn amplitude_of(&self, block: &Block) -> Found<Option<(Name, At)>> {
        if !block.has("AMPLITUDE") {
            return Ok(None);
        }
        Ok(Some((block.name("AMPLITUDE")?, block.at)))
    }
}

pub(super) fn misplaced(block: &Block, needed: &'static str) -> super::super::error::Fault {
    block.at.fault(Problem::Misplaced { keyword: block.keyword.clone(), needed })
}
