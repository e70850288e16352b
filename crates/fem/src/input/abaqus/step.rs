//! Keywords of the step and of what it writes.

use super::super::check;
use super::super::error::{Found, Problem};
use super::super::ignored::Matter;
use super::block::Block;
use super::raw::{Fields, Of, Probe};
use super::reader::{Output, Reader, Scope, Step, misplaced};
use crate::model::{BulkViscosity, Increments, Time};

impl Reader<'_> {
    pub(super) fn begin_step(&mut self, block: &Block) -> Found<()> {
        block.allow(&["NAME", "NLGEOM", "INC", "EXTRAPOLATION", "UNSYMM"])?;
        block.only("NLGEOM", &["YES", ""])?;
        if self.step != Step::Before {
            return Err(misplaced(block, "a single step"));
        }
        if !matches!(self.scope, Scope::Model | Scope::Assembled) {
            return Err(misplaced(block, "the end of the part or assembly before it"));
        }
        self.step = Step::Inside;
        Ok(())
    }

    pub(super) fn dynamic(&mut self, block: &Block) -> Found<()> {
        self.in_step(block)?;
        if self.said.time.is_some() {
            return Err(misplaced(block, "it once"));
        }
        if !block.has("EXPLICIT") {
            let keyword = block.keyword.clone();
            return Err(block.at.fault(Problem::MissingParameter { keyword, name: "EXPLICIT" }));
        }
        block.allow(&[
            "EXPLICIT",
            "ADIABATIC",
            "DIRECT USER CONTROL",
            "ELEMENT BY ELEMENT",
            "IMPROVED DT METHOD",
            "SCALE FACTOR",
        ])?;
        self.ignore_parameters(block, &["IMPROVED DT METHOD"]);
        const DATA: &str = "an increment where users control it, and the time of the step";
        let Some(record) = self.deck.records(block).next() else {
            return block.at.expected(DATA, "");
        };
        let period = record.number(1, "the time of the step as second number")?;
        let mut time = Time { period, adiabatic: block.has("ADIABATIC"), ..Time::default() };
        let at = |result: Result<(), Problem>| result.map_err(|problem| record.at.fault(problem));
        at(check::positive("time of the step", period))?;
        if block.has("DIRECT USER CONTROL") {
            let increment = record.number(0, "an increment as first number")?;
            let good = increment > 0.0 && increment <= period;
            at(check::range("increment", increment, good, "above zero, at most the step's time"))?;
            time.increments = Increments::Fixed(increment);
        } else {
            let most = record.maybe(3, "the longest increment as fourth number")?;
            if let Some(most) = most {
                at(check::positive("longest increment", most))?;
            }
            let needed = "a number above 0, at most 1";
            let factor = block.number("SCALE FACTOR", needed)?.unwrap_or(0.9);
            let range = check::range("scale factor", factor, factor > 0.0 && factor <= 1.0, needed);
            range.map_err(|problem| block.at.fault(problem))?;
            time.increments = Increments::Stable { factor, most };
        }
        self.said.time = Some(time);
        Ok(())
    }

    pub(super) fn bulk_viscosity(&mut self, block: &Block) -> Found<()> {
        const NEEDED: &str = "a linear and a quadratic coefficient";
        self.in_step(block)?;
        block.allow(&[])?;
        let mut viscosity = BulkViscosity::default();
        if let Some(record) = self.deck.records(block).next() {
            record.at_most(2, NEEDED)?;
            viscosity.linear = record.maybe(0, NEEDED)?.unwrap_or(viscosity.linear);
            viscosity.quadratic = record.maybe(1, NEEDED)?.unwrap_or(viscosity.quadratic);
            for value in [viscosity.linear, viscosity.quadratic] {
                let checked = check::not_negative("coefficient of bulk viscosity", value);
                checked.map_err(|problem| record.at.fault(problem))?;
            }
        }
        match &mut self.said.time {
            Some(time) => time.viscosity = viscosity,
            None => return Err(misplaced(block, "*DYNAMIC, EXPLICIT before it")),
        }
        Ok(())
    }

    pub(super) fn output(&mut self, block: &Block) -> Found<()> {
        self.in_step(block)?;
        block.allow(&[
            "FIELD",
            "HISTORY",
            "DIAGNOSTICS",
            "VARIABLE",
            "NUMBER INTERVAL",
            "TIME INTERVAL",
            "TIME MARKS",
            "TIME POINTS",
            "FREQUENCY",
            "FILTER",
            "NAME",
            "OP",
        ])?;
        self.ignore_parameters(block, &["TIME POINTS", "FREQUENCY", "FILTER"]);
        self.output = match (block.has("FIELD"), block.has("HISTORY")) {
            (true, false) => Output::Field,
            (false, true) => Output::History,
            _ => Output::Nothing,
        };
        block.only("TIME MARKS", &["YES", "NO"])?;
        let is_exact = block.word("TIME MARKS").as_deref() == Some("YES");
        let mut interval = block.number("TIME INTERVAL", "a time above zero")?;
        if let Some(interval) = interval {
            let checked = check::positive("time between outputs", interval);
            checked.map_err(|problem| block.at.fault(problem))?;
        }
        let number = match block.value("NUMBER INTERVAL") {
            None => None,
            Some(text) => match text.parse() {
                Ok(number @ 1..=1_000_000_000) => Some(number),
                _ => return block.at.expected("a number of outputs", text),
            },
        };
        match self.output {
            Output::Field => {
                self.said.exact[0] |= is_exact;
                self.said.fields.extend(number.map(Fields::Number));
                self.said.fields.extend(interval.map(Fields::Interval));
            }
            Output::History => {
                self.said.exact[1] |= is_exact;
                let period = self.said.time.map_or(0.0, |time| time.period);
                if let Some(number) = number.filter(|_| period > 0.0) {
                    interval = interval.or(Some(period / number as f64));
                }
                self.said.histories.extend(interval);
            }
            Output::Nothing => {
                self.ignore(block.at, Matter::Keyword(block.keyword.clone()));
            }
        }
        Ok(())
    }

    /// Of fields there are always all, of histories those of sets.
    pub(super) fn probe(&mut self, block: &Block) -> Found<()> {
        self.in_step(block)?;
        let (of, set) =
            if block.key == "NODEOUTPUT" { (Of::Nodes, "NSET") } else { (Of::Elements, "ELSET") };
        match self.output {
            Output::History if block.has(set) => {
                let name = block.name(set)?;
                let known = |probe: &Probe| probe.of == of && probe.name.key == name.key;
                if !self.said.probes.iter().any(known) {
                    self.said.probes.push(Probe { of, name, at: block.at });
                }
            }
            Output::Field => self.ignore_parameters(block, &[set]),
            _ => self.ignore(block.at, Matter::Keyword(block.keyword.clone())),
        }
        Ok(())
    }
}
