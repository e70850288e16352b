//! What of a history is drawn.

use super::{COLUMNS, Table};

/// Curves against time on common axes.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// What stands above it.
    pub title: String,
    /// What the vertical axis shows.
    pub quantity: String,
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

/// Quantities of probes that are drawn together: how their names begin, and what they are. Strain
/// has no unit.
const FAMILIES: [(&str, &str); 6] = [
    ("u", "displacement (unit of the deck)"),
    ("v", "velocity (unit of the deck)"),
    ("mises", "von Mises stress (unit of the deck)"),
    ("peeq", "plastic strain"),
    ("temperature", "temperature (unit of the deck)"),
    ("s", "stress (unit of the deck)"),
];

impl Chart {
    /// Energies and their balance.
    pub fn energies(table: &Table) -> Self {
        let curve = |&name: &&str| {
            let values = table.column(name)?.to_vec();
            Some(Curve { name: name.to_owned(), values })
        };
        Self {
            title: "energies".into(),
            quantity: "energy (unit of the deck)".into(),
            times: times(table),
            curves: COLUMNS[3..].iter().filter_map(curve).collect(),
        }
    }

    /// A chart for each probe and what it shows: displacements, velocities, components of stress
    /// and so on. Components that are always zero are left out beside others.
    pub fn probes(table: &Table) -> Vec<Self> {
        let mut charts: Vec<Self> = Vec::new();
        for (name, values) in table.names.iter().zip(&table.columns) {
            let Some((probe, label, quantity)) = parts(name) else { continue };
            let Some((_, family)) = family(quantity) else { continue };
            let at = charts.iter().position(|c| c.title == probe && c.quantity == family);
            let at = at.unwrap_or_else(|| {
                charts.push(Self {
                    title: probe.to_owned(),
                    quantity: family.to_owned(),
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

/// Probe, label and quantity of a column's name.
fn parts(name: &str) -> Option<(&str, &str, &str)> {
    let (rest, quantity) = name.rsplit_once(':')?;
    let (probe, label) = rest.rsplit_once(':')?;
    Some((probe, label, quantity))
}

fn family(quantity: &str) -> Option<(&'static str, &'static str)> {
    let begin = quantity.trim_end_matches(|c: char| c.is_ascii_digit());
    FAMILIES.into_iter().find(|(name, _)| *name == begin)
}
