//! Keywords of materials and amplitudes.

use super::super::check;
use super::super::error::{At, Found, Item, Problem};
use super::block::{Block, Record};
use super::raw::Material;
use super::reader::{Reader, Step, misplaced};
use crate::model::{Amplitude, Elastic, Hardening, JohnsonCook, NeoHookean};

/// A problem of a line.
fn at<T>(at: At, result: Result<T, Problem>) -> Found<T> {
    result.map_err(|problem| at.fault(problem))
}

impl Reader<'_> {
    pub(super) fn material(&mut self, block: &Block) -> Found<()> {
        block.allow(&["NAME"])?;
        self.before_step(block)?;
        let name = block.name("NAME")?;
        if self.said.materials.iter().any(|material| material.name.key == name.key) {
            return Err(block.at.repeated(Item::Material, name));
        }
        self.said.materials.push(Material {
            name,
            at: block.at,
            density: None,
            elastic: None,
            hardening: None,
            rate: None,
            hyperelastic: None,
            expansion: 0.0,
            specific_heat: 0.0,
            heat_fraction: 0.0,
        });
        Ok(())
    }

    /// The material that keywords add to.
    fn current(&mut self, block: &Block) -> Found<&mut Material> {
        let last = self.said.materials.last_mut();
        last.ok_or_else(|| misplaced(block, "a *MATERIAL before it"))
    }

    /// The only line of data of a property that does not depend on temperature.
    fn constant(&self, block: &Block, needed: &'static str) -> Found<Record<'_>> {
        let mut records = self.deck.records(block);
        let Some(first) = records.next() else { return block.at.expected(needed, "") };
        match records.next() {
            Some(second) => second
                .at
                .expected("properties that do not change with temperature", "a second line"),
            None => Ok(first),
        }
    }

    /// The only number of such a property.
    fn single(&self, block: &Block, needed: &'static str) -> Found<(f64, At)> {
        let record = self.constant(block, needed)?;
        Ok((record.number(0, needed)?, record.at))
    }

    pub(super) fn density(&mut self, block: &Block) -> Found<()> {
        block.allow(&[])?;
        let (density, line) = self.single(block, "a density")?;
        at(line, check::positive("density", density))?;
        self.current(block)?.density = Some(density);
        Ok(())
    }

    pub(super) fn elastic(&mut self, block: &Block) -> Found<()> {
        const NEEDED: &str = "Young's modulus and Poisson's ratio";
        block.allow(&["TYPE", "MODULI"])?;
        block.only("TYPE", &["ISOTROPIC", "ISO"])?;
        let record = self.constant(block, NEEDED)?;
        let elastic =
            Elastic { young: record.number(0, NEEDED)?, poisson: record.number(1, NEEDED)? };
        at(record.at, check::elastic(&elastic))?;
        self.current(block)?.elastic = Some(elastic);
        Ok(())
    }

    pub(super) fn plastic(&mut self, block: &Block) -> Found<()> {
        block.allow(&["HARDENING"])?;
        block.only("HARDENING", &["ISOTROPIC", "JOHNSONCOOK"])?;
        let hardening = if block.word("HARDENING").as_deref() == Some("JOHNSONCOOK") {
            self.johnson_cook(block)?
        } else {
            self.table(block)?
        };
        at(block.at, check::hardening(&hardening))?;
        self.current(block)?.hardening = Some((hardening, block.at));
        Ok(())
    }

    fn johnson_cook(&self, block: &Block) -> Found<Hardening> {
        const NEEDED: &str = "A, B, n, m, the melting and the transition temperature";
        let record = self.constant(block, NEEDED)?;
        record.at_most(6, NEEDED)?;
        // Without temperatures heat plays no part.
        let heat = record.cells.len() > 3;
        let or = |place, other| if heat { record.number(place, NEEDED) } else { Ok(other) };
        Ok(Hardening::JohnsonCook(JohnsonCook {
            a: record.number(0, NEEDED)?,
            b: record.number(1, NEEDED)?,
            n: record.number(2, NEEDED)?,
            c: 0.0,
            rate: 1.0,
            m: or(3, 1.0)?,
            melting: or(4, f64::INFINITY)?,
            transition: or(5, 0.0)?,
        }))
    }

    fn table(&self, block: &Block) -> Found<Hardening> {
        const NEEDED: &str = "a yield stress and a plastic strain";
        let mut points = Vec::new();
        for record in self.deck.records(block) {
            // A temperature may stand behind a single line alone.
            record.at_most(if block.data.len() == 1 { 3 } else { 2 }, NEEDED)?;
            let stress = record.number(0, NEEDED)?;
            points.push([record.maybe(1, NEEDED)?.unwrap_or(0.0), stress]);
        }
        Ok(Hardening::Table(points))
    }

    pub(super) fn rate_dependent(&mut self, block: &Block) -> Found<()> {
        const NEEDED: &str = "C and the reference rate";
        block.allow(&["TYPE"])?;
        block.needed("TYPE")?;
        block.only("TYPE", &["JOHNSONCOOK"])?;
        let record = self.constant(block, NEEDED)?;
        record.at_most(2, NEEDED)?;
        let values = [record.number(0, NEEDED)?, record.number(1, NEEDED)?];
        self.current(block)?.rate = Some((values, record.at));
        Ok(())
    }

    pub(super) fn hyperelastic(&mut self, block: &Block) -> Found<()> {
        const NEEDED: &str = "C10 and D1";
        block.allow(&["NEO HOOKE", "MODULI"])?;
        if !block.has("NEO HOOKE") {
            let keyword = block.keyword.clone();
            return Err(block.at.fault(Problem::MissingParameter { keyword, name: "NEO HOOKE" }));
        }
        let record = self.constant(block, NEEDED)?;
        let law = NeoHookean { c10: record.number(0, NEEDED)?, d1: record.number(1, NEEDED)? };
        at(record.at, check::neo_hookean(&law))?;
        self.current(block)?.hyperelastic = Some(law);
        Ok(())
    }

    /// With a coefficient that does not change, strains are from the temperature at the beginning,
    /// whatever ZERO is.
    pub(super) fn expansion(&mut self, block: &Block) -> Found<()> {
        block.allow(&["TYPE", "ZERO"])?;
        block.only("TYPE", &["ISO", "ISOTROPIC"])?;
        self.ignore_parameters(block, &["ZERO"]);
        self.current(block)?.expansion = self.single(block, "a coefficient of expansion")?.0;
        Ok(())
    }

    pub(super) fn specific_heat(&mut self, block: &Block) -> Found<()> {
        block.allow(&[])?;
        let (value, line) = self.single(block, "a specific heat")?;
        at(line, check::positive("specific heat", value))?;
        self.current(block)?.specific_heat = value;
        Ok(())
    }

    pub(super) fn heat_fraction(&mut self, block: &Block) -> Found<()> {
        block.allow(&[])?;
        let (value, line) = match block.data.is_empty() {
            true => (0.9, block.at),
            false => self.single(block, "a part of plastic work")?,
        };
        at(line, check::heat_fraction(value))?;
        self.current(block)?.heat_fraction = value;
        Ok(())
    }

    pub(super) fn amplitude(&mut self, block: &Block) -> Found<()> {
        const NEEDED: &str = "times and values";
        block.allow(&["NAME", "DEFINITION", "TIME", "VALUE", "SMOOTH", "INPUT"])?;
        block.only("DEFINITION", &["TABULAR", "SMOOTHSTEP"])?;
        // There is one step, which begins at time zero.
        block.only("TIME", &["STEPTIME", "TOTALTIME"])?;
        block.only("VALUE", &["RELATIVE"])?;
        block.only("SMOOTH", &["0", "0.", "0.0"])?;
        if self.step == Step::After {
            return Err(misplaced(block, "it before *END STEP"));
        }
        let name = block.name("NAME")?;
        if self.said.amplitudes.iter().any(|(known, _)| known.key == name.key) {
            return Err(block.at.repeated(Item::Amplitude, name));
        }
        let mut points = Vec::new();
        for record in self.deck.records(block) {
            for place in (0..record.cells.len()).step_by(2) {
                points.push([record.number(place, NEEDED)?, record.number(place + 1, NEEDED)?]);
            }
        }
        let smooth = block.word("DEFINITION").as_deref() == Some("SMOOTHSTEP");
        let amplitude = Amplitude { name: name.shown.clone(), points, smooth };
        at(block.at, check::amplitude(&amplitude))?;
        self.said.amplitudes.push((name, amplitude));
        Ok(())
    }
}
