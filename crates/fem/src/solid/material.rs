//! What elements are made of.

/// A material, in the numbers that a step needs.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// Mass of a unit of volume at the beginning.
    pub density: f64,
    /// Lamé's first parameter.
    pub lambda: f64,
    /// The shear modulus.
    pub mu: f64,
    /// How stress follows from strain.
    pub law: Law,
    /// Thermal strain of a unit of temperature.
    pub expansion: f64,
    /// Temperature that a unit of plastic work in a unit of mass makes: the part of it that becomes heat over the specific heat.
    pub heating: f64,
}

/// How stress follows from strain.
#[derive(Clone, Debug, PartialEq)]
pub enum Law {
    /// Linear elasticity of the rate of deformation.
    Elastic,
    /// The same up to a yield stress.
    Plastic(Hardening),
    /// The energy `½µ·(Ī₁ − 3) + ½K·(J − 1)²`, `K = λ + ⅔µ`.
    NeoHookean,
}

/// How the yield stress depends on plastic strain, its rate and temperature.
#[derive(Clone, Debug, PartialEq)]
pub enum Hardening {
    /// Plastic strains, which increase from zero, each with its yield stress; linear between, constant beyond.
    Table(Vec<[f64; 2]>),
    /// `(a + b·pⁿ)·(1 + c·ln(ṗ/rate))·(1 − θᵐ)`, `θ` from 0 at `transition` to 1 at `melting`; `c` plays no part below `rate`.
    JohnsonCook {
        /// Yield stress without plastic strain.
        a: f64,
        /// Factor of hardening.
        b: f64,
        /// Exponent of hardening.
        n: f64,
        /// Factor of the rate.
        c: f64,
        /// Reference rate.
        rate: f64,
        /// Exponent of temperature.
        m: f64,
        /// Melting temperature.
        melting: f64,
        /// Transition temperature.
        transition: f64,
    },
}

/// What a point of a material remembers, number by number: six of stress (`11, 22, 33, 12, 23, 13`), and what else its law needs.
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

impl Material {
    /// What its points remember.
    pub fn memory(&self) -> Memory {
        let mut memory = Memory {
            numbers: 6,
            plastic_strain: None,
            temperature: None,
            strained: None,
            stretch: None,
        };
        let mut take = |count: usize| {
            memory.numbers += count;
            Some(memory.numbers - count)
        };
        let (mut plastic_strain, mut temperature, mut strained, mut stretch) =
            (None, None, None, None);
        match &self.law {
            Law::Elastic => {}
            Law::NeoHookean => stretch = take(6),
            Law::Plastic(hardening) => {
                plastic_strain = take(1);
                let heats = self.heating != 0.0;
                if heats || matches!(hardening, Hardening::JohnsonCook { .. }) {
                    temperature = take(1);
                }
                if heats && self.expansion != 0.0 {
                    strained = take(1);
                }
            }
        }
        Memory { plastic_strain, temperature, strained, stretch, ..memory }
    }

    /// What a point remembers that is at rest at a temperature.
    pub fn at_rest(&self, temperature: f64) -> Vec<f64> {
        let memory = self.memory();
        let mut numbers = vec![0.0; memory.numbers];
        for place in [memory.temperature, memory.strained].into_iter().flatten() {
            numbers[place] = temperature;
        }
        if let Some(first) = memory.stretch {
            numbers[first..first + 3].fill(1.0);
        }
        numbers
    }
}
