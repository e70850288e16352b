//! The units of a model's numbers, where its author states them.
//!
//! A unit is its symbol, in ASCII, so that every file and picture can show it. Units convert
//! nothing: they only name what numbers are measured in.

use core::fmt;

/// A unit that can be stated.
#[derive(Debug)]
struct Base {
    symbol: &'static str,
    /// As a power of ten of metres, kilograms or seconds, where it is one.
    power: Option<i32>,
}

const fn decimal(symbol: &'static str, power: i32) -> Base {
    Base { symbol, power: Some(power) }
}

const fn other(symbol: &'static str) -> Base {
    Base { symbol, power: None }
}

static LENGTHS: [Base; 9] = [
    decimal("km", 3),
    decimal("m", 0),
    decimal("dm", -1),
    decimal("cm", -2),
    decimal("mm", -3),
    decimal("um", -6),
    decimal("nm", -9),
    other("in"),
    other("ft"),
];

static MASSES: [Base; 8] = [
    decimal("t", 3),
    decimal("kg", 0),
    decimal("g", -3),
    decimal("mg", -6),
    decimal("ug", -9),
    other("lb"),
    other("slug"),
    other("slinch"),
];

static TIMES: [Base; 6] = [
    decimal("s", 0),
    decimal("ms", -3),
    decimal("us", -6),
    decimal("ns", -9),
    other("min"),
    other("h"),
];

static TEMPERATURES: [Base; 3] = [other("K"), other("degC"), other("degF")];

/// Prefixes of units, by powers of ten.
const PREFIXES: [(i32, &str); 8] =
    [(-9, "n"), (-6, "u"), (-3, "m"), (0, ""), (3, "k"), (6, "M"), (9, "G"), (12, "T")];

/// The units of a model's numbers. Those of forces, stresses and the like follow from them.
#[derive(Clone, Copy)]
pub struct Units {
    length: &'static Base,
    mass: &'static Base,
    time: &'static Base,
    temperature: Option<&'static Base>,
}

/// What numbers measure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantity {
    /// Of coordinates and displacements.
    Length,
    /// Of masses.
    Mass,
    /// Of times.
    Time,
    /// Of temperatures, which a deck may leave without a unit.
    Temperature,
    /// Length over time.
    Velocity,
    /// Mass times length over time squared.
    Force,
    /// Force on a unit of area.
    Stress,
    /// Force times length.
    Energy,
    /// Mass of a unit of volume.
    Density,
}

/// A symbol that names no unit of a quantity.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownUnit {
    /// What is needed: the units of the quantity.
    pub needed: &'static str,
    /// The symbol.
    pub symbol: String,
}

impl fmt::Display for UnknownUnit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { needed, symbol } = self;
        write!(f, "expected {needed}, found {symbol}")
    }
}

impl core::error::Error for UnknownUnit {}

impl Units {
    /// Metres, kilograms and seconds.
    pub const METRES: Self =
        Self { length: &LENGTHS[1], mass: &MASSES[1], time: &TIMES[0], temperature: None };

    /// Millimetres, tonnes and seconds, with degrees Celsius.
    pub const MILLIMETRES: Self = Self {
        length: &LENGTHS[4],
        mass: &MASSES[0],
        time: &TIMES[0],
        temperature: Some(&TEMPERATURES[1]),
    };

    /// The units of these symbols, in which upper and lower case differ.
    ///
    /// ```
    /// use nonius_fem::model::{Quantity, Units};
    ///
    /// let units = Units::new("mm", "t", "s", None).unwrap();
    /// let stress = units.of(Quantity::Stress);
    /// assert_eq!(stress.as_deref(), Some("MPa"));
    /// ```
    ///
    /// # Errors
    /// [`UnknownUnit`].
    pub fn new(
        length: &str,
        mass: &str,
        time: &str,
        temperature: Option<&str>,
    ) -> Result<Self, UnknownUnit> {
        Ok(Self {
            length: named(&LENGTHS, length, "km, m, dm, cm, mm, um, nm, in or ft as length")?,
            mass: named(&MASSES, mass, "t, kg, g, mg, ug, lb, slug or slinch as mass")?,
            time: named(&TIMES, time, "s, ms, us, ns, min or h as time")?,
            temperature: temperature
                .map(|symbol| named(&TEMPERATURES, symbol, "K, degC or degF as temperature"))
                .transpose()?,
        })
    }

    /// The unit of a quantity; `None` of a temperature where nothing is stated.
    pub fn of(&self, quantity: Quantity) -> Option<String> {
        let [length, mass, time] = [self.length, self.mass, self.time].map(|base| base.symbol);
        let text = match quantity {
            Quantity::Length => length.into(),
            Quantity::Mass => mass.into(),
            Quantity::Time => time.into(),
            Quantity::Temperature => return self.temperature.map(|base| base.symbol.into()),
            Quantity::Velocity => format!("{length}/{time}"),
            Quantity::Density => format!("{mass}/{length}^3"),
            Quantity::Force => {
                let pounds = self.pounds().map(|_| "lbf".into());
                let derived = pounds.or_else(|| self.decimal([1, 1, -2], "N"));
                derived.unwrap_or_else(|| format!("{mass} {length}/{time}^2"))
            }
            Quantity::Stress => {
                let pounds = self.pounds().map(|stress| stress.into());
                let derived = pounds.or_else(|| self.decimal([-1, 1, -2], "Pa"));
                derived.unwrap_or_else(|| format!("{mass}/({length} {time}^2)"))
            }
            Quantity::Energy => {
                let pounds = self.pounds().map(|_| format!("{length} lbf"));
                let derived = pounds.or_else(|| self.decimal([2, 1, -2], "J"));
                derived.unwrap_or_else(|| format!("{mass} {length}^2/{time}^2"))
            }
        };
        Some(text)
    }

    /// Where forces are pounds, the unit of stress.
    fn pounds(&self) -> Option<&'static str> {
        match (self.length.symbol, self.mass.symbol, self.time.symbol) {
            ("in", "slinch", "s") => Some("psi"),
            ("ft", "slug", "s") => Some("lbf/ft^2"),
            _ => None,
        }
    }

    /// A product of powers of length, mass and time as a unit with a prefix.
    fn decimal(&self, powers: [i32; 3], symbol: &str) -> Option<String> {
        let bases = [self.length, self.mass, self.time];
        let parts = bases.iter().zip(powers).map(|(base, power)| Some(power * base.power?));
        let sum = parts.sum::<Option<i32>>()?;
        let (_, prefix) = PREFIXES.iter().find(|(power, _)| *power == sum)?;
        Some(format!("{prefix}{symbol}"))
    }
}

fn named(
    bases: &'static [Base],
    symbol: &str,
    needed: &'static str,
) -> Result<&'static Base, UnknownUnit> {
    let found = bases.iter().find(|base| base.symbol == symbol);
    found.ok_or_else(|| UnknownUnit { needed, symbol: symbol.to_owned() })
}

impl PartialEq for Units {
    fn eq(&self, other: &Self) -> bool {
        let symbols = |units: &Self| {
            let temperature = units.temperature.map(|base| base.symbol);
            (units.length.symbol, units.mass.symbol, units.time.symbol, temperature)
        };
        symbols(self) == symbols(other)
    }
}

impl Eq for Units {}

impl fmt::Debug for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// `mm, t, s, degC`
impl fmt::Display for Units {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}, {}, {}", self.length.symbol, self.mass.symbol, self.time.symbol)?;
        match self.temperature {
            Some(temperature) => write!(f, ", {}", temperature.symbol),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(symbols: [&str; 3]) -> Units {
        let [length, mass, time] = symbols;
        Units::new(length, mass, time, None).unwrap()
    }

    #[test]
    fn derived_units() {
        let derived = [Quantity::Force, Quantity::Stress, Quantity::Energy, Quantity::Density];
        for (symbols, expected) in [
            (["m", "kg", "s"], ["N", "Pa", "J", "kg/m^3"]),
            (["mm", "t", "s"], ["N", "MPa", "mJ", "t/mm^3"]),
            (["mm", "kg", "ms"], ["kN", "GPa", "J", "kg/mm^3"]),
            (["mm", "g", "ms"], ["N", "MPa", "mJ", "g/mm^3"]),
            (["um", "ug", "us"], ["mN", "GPa", "nJ", "ug/um^3"]),
            (["cm", "g", "us"], ["g cm/us^2", "g/(cm us^2)", "g cm^2/us^2", "g/cm^3"]),
            (["in", "slinch", "s"], ["lbf", "psi", "in lbf", "slinch/in^3"]),
            (["ft", "slug", "s"], ["lbf", "lbf/ft^2", "ft lbf", "slug/ft^3"]),
            (["in", "lb", "ms"], ["lb in/ms^2", "lb/(in ms^2)", "lb in^2/ms^2", "lb/in^3"]),
            (["m", "kg", "h"], ["kg m/h^2", "kg/(m h^2)", "kg m^2/h^2", "kg/m^3"]),
        ] {
            let found = derived.map(|quantity| units(symbols).of(quantity).unwrap());
            assert_eq!(found, expected, "{symbols:?}");
        }
    }

    #[test]
    fn symbols() {
        let all = Units::new("mm", "t", "s", Some("degC")).unwrap();
        assert_eq!(all.to_string(), "mm, t, s, degC");
        assert_eq!(all.of(Quantity::Temperature).as_deref(), Some("degC"));
        assert_eq!(all.of(Quantity::Velocity).as_deref(), Some("mm/s"));
        let without = units(["mm", "t", "s"]);
        assert!(without != all && without == units(["mm", "t", "s"]));
        assert_eq!(Units::MILLIMETRES, all);
        assert_eq!(Units::METRES, units(["m", "kg", "s"]));
        assert_eq!(without.of(Quantity::Temperature), None);
        // Mm is a megametre, and T a tesla.
        for [length, mass, time, temperature] in [
            ["Mm", "t", "s", "K"],
            ["mm", "T", "s", "K"],
            ["mm", "t", "sec", "K"],
            ["mm", "t", "s", "C"],
            ["", "t", "s", "K"],
        ] {
            let refused = Units::new(length, mass, time, Some(temperature)).unwrap_err();
            assert!(refused.to_string().starts_with("expected "), "{refused}");
        }
    }
}
