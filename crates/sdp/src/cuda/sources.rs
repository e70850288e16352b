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

pub(super) static TEXTS: LazyLock<Texts> =
    LazyLock::new(|| Texts::of_folder(&FOLDER).with(nonius_cuda::texts()));

/// What the host chooses for the kernels, whose blocks have `threads` threads.
pub(super) fn choices(kind: Kind, threads: usize) -> [(&'static str, usize); 4] {
    [
        ("CONE_THREADS", threads),
        ("CONE_SHARE", SHORT_SUM_THREADS),
        ("CONE_LONG", LONG_PAIR),
        ("CONE_ORDER", small::most_rows(kind)),
    ]
}

fn source(name: &str, file: &str, kind: Kind) -> Source {
    kind.source(&TEXTS, name, file).define_all(&choices(kind, THREADS))
}

pub(super) fn cone_source(kind: Kind) -> Source {
    source("cone", "sdp/cone.cu", kind)
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

pub(super) fn small_source(kind: Kind) -> Source {
    source("cone-small", "sdp/small.cu", kind)
        .entry(SMALL_MULTIPLY)
        .entry(SMALL_SYMMETRIZE)
        .entry(SMALL_IDENTITY)
        .entry(SMALL_FACTOR)
        .entry(SMALL_INVERT)
        .entry(SMALL_GRAM)
        .entry(SMALL_CONGRUENCE)
}

pub(super) fn schur_source(kind: Kind) -> Source {
    source("cone-schur", "sdp/schur.cu", kind)
        .entry(SCHUR_SPARSE)
        .entry(SCHUR_LEFT)
        .entry(SCHUR_DIAGONAL)
}

pub(super) fn second_order_source(kind: Kind) -> Source {
    source("cone-second-order", "sdp/second_order.cu", kind)
        .entry(SECOND_ORDER_IDENTITY)
        .entry(SECOND_ORDER_ROOT)
        .entry(SECOND_ORDER_INVERT)
        .entry(SECOND_ORDER_SQUARE)
        .entry(SECOND_ORDER_TRIPLE)
        .entry(SECOND_ORDER_LEAST)
        .entry(SECOND_ORDER_WEIGHTS)
        .entry(SECOND_ORDER_PRODUCTS)
        .entry(SECOND_ORDER_SCHUR)
}

fn own_sources(kind: Kind) -> [Source; 3] {
    [cone_source(kind), small_source(kind), schur_source(kind)]
}

/// Every module that cones on a GPU ask for; those of numbers of any precision with usual bits.
pub fn sources() -> Vec<Source> {
    let all = |kind| own_sources(kind).into_iter().chain([second_order_source(kind)]);
    Kind::usual().flat_map(all).collect()
}

/// Has a device get ready for programs in some precisions.
pub(crate) fn prepare(gpu: &Cuda, precisions: &[Precision]) {
    gpu.device().prepare(&sources_of(precisions));
}

/// What programs are solved with in some precisions; some modules more than once.
fn sources_of(precisions: &[Precision]) -> Vec<Source> {
    let mut sources: Vec<Source> = Vec::new();
    for precision in precisions {
        let kind = Kind::from(*precision);
        let of = |task| nonius_cuda::sources_of(task, kind, Arithmetic::Delayed);
        sources.extend(own_sources(kind));
        sources.extend(of(Task::Eliminate).into_iter().chain(of(Task::Combine)));
    }
    sources
}
