//! What of a history is drawn.

use super::columns::name_and_unit;
use super::{COLUMNS, Table};

/// Curves against time on common axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// What stands above it.
    pub title: String,
    /// What the vertical axis shows.
    pub quantity: String,
    /// The unit of times, where it is known.
    pub time_unit: Option<String>,
    /// Times.
    pub times: Vec<f64>,
    /// Curves, each with a number for every time.
    pub curves: Vec<Curve>,
}

/// A curve of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Its numbers; those that are not finite are left out.
    pub values: Vec<f64>,
}

/// Quantities of probes that are drawn together: how their names begin, and what they are.
const FAMILIES: [(&str, &str); 6] = [
    ("u", "displacement"),
    ("v", "velocity"),
    ("mises", "von Mises stress"),
    ("peeq", STRAIN),
    ("temperature", "temperature"),
    ("s", "stress"),
];

/// The family that has no unit.
const STRAIN: &str = "plastic strain";

/// What an axis shows, with its unit.
pub(super) fn axis(quantity: &str, unit: Option<&str>) -> String {
    if quantity == STRAIN {
        return quantity.to_owned();
    }
    format!("{quantity} ({})", unit.unwrap_or("unit of the deck"))
}

impl Chart {
    /// Energies and their balance.
    pub fn energies(table: &Table) -> Self {
        let curve = |&name: &&str| {
            let values = table.column(name)?.to_vec();
            Some(Curve { name: name.to_owned(), values })
        };
        Self {
            title: "energies".into(),
            quantity: axis("energy", table.unit(COLUMNS[3])),
            time_unit: time_unit(table),
            times: times(table),
            curves: COLUMNS[3..].iter().filter_map(curve).collect(),
        }
    }

    /// A chart for each probe and what it shows: displacements, velocities, components of stress
    /// and so on. Components that are always zero are left out beside others.
    pub fn probes(table: &Table) -> Vec<Self> {
        let mut charts: Vec<Self> = Vec::new();
        for (name, values) in table.names.iter().zip(&table.columns) {
            let (name, unit) = name_and_unit(name);
            let Some((probe, label, quantity)) = parts(name) else { continue };
            let Some(family) = family(quantity) else { continue };
            let family = axis(family, unit);
            let at = charts.iter().position(|c| c.title == probe && c.quantity == family);
            let at = at.unwrap_or_else(|| {
                charts.push(Self {
                    title: probe.to_owned(),
                    quantity: family,
                    time_unit: time_unit(table),
                    times: times(table),
                    curves: Vec::new(),
                });
                charts.len() - 1
            });
            let name = format!("{label} {quantity}");
            charts[at].curves.push(Curve { name, values: values.clone() });
        }
        for chart in &mut charts {
            let zero = |curve: &Curve| curve.values.iter().all(|&x| x == 0.0);
            if !chart.curves.iter().all(zero) {
                chart.curves.retain(|curve| !zero(curve));
            }
        }
        charts
    }
}

fn times(table: &Table) -> Vec<f64> {
    table.column(COLUMNS[0]).unwrap_or_default().to_vec()
}

fn time_unit(table: &Table) -> Option<String> {
    table.unit(COLUMNS[0]).map(str::to_owned)
}

/// Probe, label and quantity of a column's name.
fn parts(name: &str) -> Option<(&str, &str, &str)> {
    let (rest, quantity) = name.rsplit_once(':')?;
    let (probe, label) = rest.rsplit_once(':')?;
    Some((probe, label, quantity))
}

fn family(quantity: &str) -> Option<&'static str> {
    let begin = quantity.trim_end_matches(|c: char| c.is_ascii_digit());
    FAMILIES.into_iter().find(|(name, _)| *name == begin).map(|(_, family)| family)
}
