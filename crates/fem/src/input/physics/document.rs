//! The tables of a file.

use std::path::PathBuf;

use serde::Deserialize;
use toml::Spanned;

/// A table with its place.
type Table<T> = Spanned<T>;
/// A name with its place.
pub(super) type Name = Spanned<String>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Document {
    #[serde(default)]
    pub(super) title: String,
    pub(super) mesh: Spanned<PathBuf>,
    #[serde(default)]
    pub(super) units: Option<Table<Units>>,
    #[serde(default)]
    pub(super) material: Vec<Table<Material>>,
    #[serde(default)]
    pub(super) body: Vec<Table<Body>>,
    #[serde(default)]
    pub(super) amplitude: Vec<Table<Amplitude>>,
    #[serde(default)]
    pub(super) initial: Vec<Table<Initial>>,
    #[serde(default)]
    pub(super) motion: Vec<Table<Motion>>,
    #[serde(default)]
    pub(super) force: Vec<Table<Force>>,
    #[serde(default)]
    pub(super) pressure: Vec<Table<Pressure>>,
    #[serde(default)]
    pub(super) gravity: Vec<Table<Gravity>>,
    #[serde(default)]
    pub(super) wall: Vec<Table<Wall>>,
    pub(super) time: Table<Time>,
    #[serde(default)]
    pub(super) output: Option<Table<Output>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Units {
    pub(super) length: String,
    pub(super) mass: String,
    pub(super) time: String,
    pub(super) temperature: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Material {
    pub(super) name: String,
    pub(super) density: f64,
    pub(super) young: Option<f64>,
    pub(super) poisson: Option<f64>,
    pub(super) plastic: Option<Vec<[f64; 2]>>,
    pub(super) johnson_cook: Option<JohnsonCook>,
    pub(super) neo_hooke: Option<NeoHooke>,
    #[serde(default)]
    pub(super) expansion: f64,
    #[serde(default)]
    pub(super) specific_heat: f64,
    #[serde(default)]
    pub(super) heat_fraction: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct JohnsonCook {
    pub(super) a: f64,
    pub(super) b: f64,
    pub(super) n: f64,
    #[serde(default)]
    pub(super) c: f64,
    #[serde(default = "one")]
    pub(super) rate: f64,
    #[serde(default = "one")]
    pub(super) m: f64,
    #[serde(default = "infinity")]
    pub(super) melting: f64,
    #[serde(default)]
    pub(super) transition: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct NeoHooke {
    pub(super) c10: f64,
    pub(super) d1: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Body {
    pub(super) group: Option<Name>,
    pub(super) material: Name,
    pub(super) element: Option<Name>,
    #[serde(default = "one")]
    pub(super) thickness: f64,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Amplitude {
    pub(super) name: String,
    pub(super) points: Vec<[f64; 2]>,
    #[serde(default)]
    pub(super) smooth: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Initial {
    pub(super) group: Option<Name>,
    pub(super) velocity: Option<[f64; 3]>,
    pub(super) temperature: Option<f64>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Motion {
    pub(super) group: Name,
    pub(super) axes: Name,
    pub(super) displacement: Option<f64>,
    pub(super) velocity: Option<f64>,
    pub(super) amplitude: Option<Name>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Force {
    pub(super) group: Name,
    pub(super) force: [f64; 3],
    pub(super) amplitude: Option<Name>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Pressure {
    pub(super) group: Name,
    pub(super) pressure: f64,
    pub(super) amplitude: Option<Name>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Gravity {
    pub(super) group: Option<Name>,
    pub(super) acceleration: [f64; 3],
    pub(super) amplitude: Option<Name>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Wall {
    pub(super) group: Option<Name>,
    pub(super) point: [f64; 3],
    pub(super) normal: [f64; 3],
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub(super) struct Time {
    pub(super) period: f64,
    pub(super) factor: Option<f64>,
    pub(super) longest: Option<f64>,
    pub(super) increment: Option<f64>,
    pub(super) linear_viscosity: Option<f64>,
    pub(super) quadratic_viscosity: Option<f64>,
    #[serde(default)]
    pub(super) adiabatic: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Output {
    pub(super) fields: Option<usize>,
    pub(super) history: Option<f64>,
    #[serde(default)]
    pub(super) exact: bool,
    #[serde(default)]
    pub(super) nodes: Vec<Name>,
    #[serde(default)]
    pub(super) elements: Vec<Name>,
}

fn one() -> f64 {
    1.0
}

fn infinity() -> f64 {
    f64::INFINITY
}
