//! What points of elements remember.

use crate::model::{Hardening, Kind, Law, Material};

/// What a point of a material remembers, number by number: six of stress
/// (`11, 22, 33, 12, 23, 13`), and what else its law needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Memory {
    /// How many numbers.
    pub numbers: usize,
    /// The place of the plastic strain.
    pub plastic_strain: Option<usize>,
    /// The place of the temperature.
    pub temperature: Option<usize>,
    /// The place of the temperature of which thermal strain has been counted.
    pub strained: Option<usize>,
    /// The place of the first of six numbers of the left Cauchy–Green tensor.
    pub stretch: Option<usize>,
}

impl Memory {
    /// What points of a material remember.
    pub fn of(material: &Material) -> Self {
        let mut numbers = 6;
        let mut take = |count: usize| {
            numbers += count;
            Some(numbers - count)
        };
        let (mut plastic_strain, mut temperature, mut strained, mut stretch) =
            (None, None, None, None);
        match &material.law {
            Law::Elastic(_) => {}
            Law::NeoHookean(_) => stretch = take(6),
            Law::Plastic(_, plastic) => {
                plastic_strain = take(1);
                let heats = material.heating() != 0.0;
                if heats || matches!(plastic.hardening, Hardening::JohnsonCook(_)) {
                    temperature = take(1);
                }
                if heats && material.expansion != 0.0 {
                    strained = take(1);
                }
            }
        }
        Self { numbers, plastic_strain, temperature, strained, stretch }
    }

    /// How many numbers an element of a kind remembers: those of its points, three for each
    /// hourglass mode, and the pressure of viscosity.
    pub fn of_element(self, kind: Kind) -> usize {
        kind.points() * self.numbers + 3 * kind.modes() + 1
    }

    /// What a point remembers that is at rest at a temperature.
    pub fn at_rest(self, temperature: f64) -> Vec<f64> {
        let mut numbers = vec![0.0; self.numbers];
        for place in [self.temperature, self.strained].into_iter().flatten() {
            numbers[place] = temperature;
        }
        if let Some(first) = self.stretch {
            numbers[first..first + 3].fill(1.0);
        }
        numbers
    }
}
