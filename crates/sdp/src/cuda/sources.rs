//! The modules of kernels.

use std::sync::LazyLock;

use include_dir::{Dir, include_dir};
use nonius_cuda::{Cuda, Kind};
use nonius_gpu::{Source, Texts};
use nonius_linalg::backend::Task;
use nonius_linalg::dense::gemm::Arithmetic;
use nonius_num::Precision;

use super::arguments::*;
use super::launch::{LONG_PAIR, SHORT_SUM_THREADS, THREADS};
use super::small;

static FOLDER: Dir<'static> = include_dir!("$CARGO_MANIFEST_DIR/kernels");

static TEXTS: LazyLock<Texts> =
    LazyLock::new(|| Texts::of_folder(&FOLDER).with(nonius_cuda::texts()));

fn source(name: &str, file: &str, limbs: usize) -> Source {
    let numbers = [
        ("CONE_THREADS", THREADS),
        ("CONE_SHARE", SHORT_SUM_THREADS),
        ("CONE_LONG", LONG_PAIR),
        ("CONE_ORDER", small::ORDER),
    ];
    Source::new(&TEXTS, format!("{name}-{limbs}"), file).define("LIMBS", limbs).define_all(&numbers)
}

pub(super) fn cone_source(limbs: usize) -> Source {
    source("cone", "sdp/cone.cu", limbs)
        .entry(COMBINE)
        .entry(SHORT_PRODUCTS)
        .entry(LONG_PRODUCTS)
        .entry(SYMMETRIZE)
        .entry(MIRROR)
        .entry(CLEAR_UPPER)
        .entry(IDENTITY)
        .entry(ADD_TO_DIAGONAL)
        .entry(LARGEST)
}

pub(super) fn small_source(limbs: usize) -> Source {
    source("cone-small", "sdp/small.cu", limbs)
        .entry(SMALL_MULTIPLY)
        .entry(SMALL_SYMMETRIZE)
        .entry(SMALL_IDENTITY)
        .entry(SMALL_FACTOR)
        .entry(SMALL_INVERT)
        .entry(SMALL_GRAM)
        .entry(SMALL_CONGRUENCE)
}

pub(super) fn schur_source(limbs: usize) -> Source {
    source("cone-schur", "sdp/schur.cu", limbs)
        .entry(SCHUR_SPARSE)
        .entry(SCHUR_LEFT)
        .entry(SCHUR_DIAGONAL)
}

fn own_sources(limbs: usize) -> [Source; 3] {
    [cone_source(limbs), small_source(limbs), schur_source(limbs)]
}

/// Every module that cones on a GPU ask for.
pub fn sources() -> Vec<Source> {
    (1..=4).flat_map(own_sources).collect()
}

/// Has a device get ready for programs in some precisions.
pub(crate) fn prepare(gpu: &Cuda, precisions: &[Precision]) {
    gpu.device().prepare(&sources_of(precisions));
}

/// What programs are solved with in some precisions; some modules more than once.
fn sources_of(precisions: &[Precision]) -> Vec<Source> {
    let mut sources: Vec<Source> = Vec::new();
    for precision in precisions {
        let limbs = match precision {
            Precision::F64 => 1,
            Precision::Dd => 2,
            Precision::Td => 3,
            Precision::Qd => 4,
            // On the host.
            Precision::Mp(_) => continue,
        };
        let of = |task| nonius_cuda::sources_of(task, Kind::Limbs(limbs), Arithmetic::Delayed);
        sources.extend(own_sources(limbs));
        sources.extend(of(Task::Eliminate).into_iter().chain(of(Task::Combine)));
    }
    sources
}
