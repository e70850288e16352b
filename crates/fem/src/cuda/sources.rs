//! Sources of kernels.

use std::sync::LazyLock;

use include_dir::{Dir, include_dir};
use nonius_gpu::{Source, Texts};

use super::arguments::{
    ADVANCE_BY_INCREMENTS, ADVANCE_IN_FULL, DRIFT, ENERGIES, FORCES_IN_FULL, JOIN, MOTION,
    MOVE_NODES, PACK, PLACE_NODES, PRESS, RESCALE, TICK, UNPACK,
};
use super::numbers::Format;
use crate::model::{Block, Hardening, Kind, Law};
use crate::solid::{PATCH, Precision, Problem};

static FOLDER: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/kernels");

pub(super) static TEXTS: LazyLock<Texts> =
    LazyLock::new(|| Texts::of_folder(&FOLDER).with(nonius_cuda::texts()));

/// The types of numbers that are rounded, of those that are summed and of constants.
fn types(precision: Precision) -> [&'static str; 3] {
    let small = if precision == Precision::Double { "double" } else { "float" };
    let (sum, constant) = (Format::of_elements(precision), Format::of_constants(precision));
    [small, sum.name(), constant.name()]
}

/// The number of a law in `fem/law.cuh`, and its name.
fn law_of(law: &Law) -> (u32, &'static str) {
    match law {
        Law::Elastic(_) => (0, "elastic"),
        Law::Plastic(_, plastic) => match plastic.hardening {
            Hardening::Table(_) => (1, "table"),
            Hardening::JohnsonCook(_) => (2, "johnson-cook"),
        },
        Law::NeoHookean(_) => (3, "neo-hookean"),
    }
}

/// The shape of `fem/shapes.cuh` and `fem/selective.cuh`.
fn shape_of(kind: Kind) -> &'static str {
    match kind {
        Kind::Hexahedron => "Hexahedron",
        Kind::ReducedHexahedron => "ReducedHexahedron",
        Kind::Tetrahedron => "Tetrahedron",
        Kind::PlaneStrain => "PlaneStrain",
        Kind::Axisymmetric => "Axisymmetric",
    }
}

/// How many blocks of threads of 128 elements are to run on a multiprocessor at the same time: what
/// one has of registers follows from it. Measured on one H200.
fn resident(kind: Kind, precision: Precision) -> usize {
    match (kind, precision) {
        (_, Precision::Pairs) => 2,
        (_, Precision::Single) => 6,
        (_, Precision::Mixed) => 5,
        (Kind::Hexahedron, _) => 3,
        _ => 4,
    }
}

/// The same of steps by increments.
fn resident_by_increments(kind: Kind) -> usize {
    match kind {
        Kind::Hexahedron | Kind::ReducedHexahedron => 4,
        _ => 5,
    }
}

/// A file of kernels for elements, of which `resident` blocks of 128 threads are to be resident.
fn source_of(
    (file, name): (&str, &str),
    kind: Kind,
    law: (u32, &str),
    precision: Precision,
    (patch, resident): (usize, usize),
) -> Source {
    let [small, sum, constant] = types(precision);
    let (law, law_name) = law;
    let blocks = (resident * PATCH / patch).max(1);
    let definitions = [
        ("ELEMENT", shape_of(kind).to_string()),
        ("THE_LAW", law.to_string()),
        ("SMALL", small.to_string()),
        ("SUM", sum.to_string()),
        ("CONSTANT", constant.to_string()),
        ("PATCH", patch.to_string()),
        ("BLOCKS", blocks.to_string()),
    ];
    let (shape, precision) = (shape_of(kind).to_lowercase(), precision.name());
    let name = format!("{name}-{shape}-{law_name}-{precision}-{patch}");
    Source::new(&TEXTS, name, file).define_all(&definitions)
}

pub(super) fn element_source(
    kind: Kind,
    law: (u32, &str),
    precision: Precision,
    patch: usize,
) -> Source {
    let size = (patch, resident(kind, precision));
    source_of(("fem/elements.cu", "fem"), kind, law, precision, size)
        .entry(ADVANCE_IN_FULL)
        .entry(FORCES_IN_FULL)
}

/// Of steps by increments.
fn increments_source(kind: Kind, law: (u32, &str), patch: usize) -> Source {
    let size = (patch, resident_by_increments(kind));
    source_of(("fem/increments.cu", "fem-increments"), kind, law, Precision::Mixed, size)
        .entry(ADVANCE_BY_INCREMENTS)
}

pub(super) fn source_of_block(
    problem: &Problem,
    block: &Block,
    precision: Precision,
    patch: usize,
) -> Source {
    let law = law_of(&problem.materials[block.material].law);
    element_source(block.kind, law, precision, patch)
}

pub(super) fn increments_of_block(problem: &Problem, block: &Block, patch: usize) -> Source {
    increments_source(block.kind, law_of(&problem.materials[block.material].law), patch)
}

pub(super) fn node_source(precision: Precision) -> Source {
    let (node, sum) = (Format::of_nodes(precision).name(), Format::of_elements(precision).name());
    let name = format!("fem-nodes-{}", precision.name());
    Source::new(&TEXTS, name, "fem/nodes.cu")
        .define("NODE", node)
        .define("SUM", sum)
        .entry(PRESS)
        .entry(TICK)
        .entry(MOVE_NODES)
        .entry(DRIFT)
        .entry(ENERGIES)
        .entry(MOTION)
        .entry(PLACE_NODES)
        .entry(RESCALE)
        .entry(PACK)
        .entry(UNPACK)
        .entry(JOIN)
}

/// Every module of this capability but those of patches of other sizes.
pub fn sources() -> Vec<Source> {
    let laws = [(0, "elastic"), (1, "table"), (2, "johnson-cook"), (3, "neo-hookean")];
    let mut sources: Vec<Source> = Precision::ALL.map(node_source).into();
    for kind in Kind::ALL {
        for law in laws {
            for precision in Precision::ALL {
                sources.push(element_source(kind, law, precision, PATCH));
            }
            sources.push(increments_source(kind, law, PATCH));
        }
    }
    sources
}
