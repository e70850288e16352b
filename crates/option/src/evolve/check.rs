//! Whether an evolution makes sense, before anything is computed.

use nonius_linalg::Number;

use super::{Evolution, Failure, Stage};

impl<T: Number> Evolution<T> {
    /// `Ok` where all lengths and numbers fit, so that whoever computes need not look.
    ///
    /// # Errors
    /// The first [`Failure`] that can be told from shapes and from theta.
    pub fn check(&self) -> Result<(), Failure> {
        let n = self.start.len();
        if n == 0 || u32::try_from(n).is_err() {
            return Err(Failure::Nodes { found: n });
        }
        for (index, generator) in self.generators.iter().enumerate() {
            for entries in [&generator.lower, &generator.diagonal, &generator.upper] {
                length("generator", index, n, entries.len())?;
            }
        }
        for (index, obstacle) in self.obstacles.iter().enumerate() {
            length("obstacle", index, n, obstacle.len())?;
        }
        self.stages.iter().enumerate().try_for_each(|(stage, what)| self.check_stage(stage, what))
    }

    fn check_stage(&self, stage: usize, what: &Stage<T>) -> Result<(), Failure> {
        let n = self.start.len();
        let named = |operand, index, count| {
            if index < count { Ok(()) } else { Err(Failure::Missing { stage, operand, index }) }
        };
        match what {
            Stage::Steps(steps) => {
                named("generator", steps.generator, self.generators.len())?;
                if let Some(constraint) = steps.constraint {
                    named("obstacle", constraint.obstacle, self.obstacles.len())?;
                }
                // NaN is in no range.
                let sound = steps.theta > T::ZERO && steps.theta <= T::ONE;
                if sound { Ok(()) } else { Err(Failure::Theta { stage }) }
            }
            Stage::Map(rows) => {
                length("the map of stage", stage, n, rows.len())?;
                let beyond = rows.iter().position(|row| {
                    let inside = n.saturating_sub(row.first).min(row.weights.len());
                    inside == 0 || row.weights[inside..].iter().any(|&w| w != T::ZERO)
                });
                beyond.map_or(Ok(()), |row| Err(Failure::Weight { stage, row }))
            }
            Stage::Floor(obstacle) => named("obstacle", *obstacle, self.obstacles.len()),
        }
    }
}

fn length(
    operand: &'static str,
    index: usize,
    expected: usize,
    found: usize,
) -> Result<(), Failure> {
    if expected == found {
        Ok(())
    } else {
        Err(Failure::Length { operand, index, expected, found })
    }
}
