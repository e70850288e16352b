//! The texts of the kernels, and which of them a module is made of.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicUsize, Ordering};

use sha2::{Digest, Sha256};

use crate::error::Error;
use crate::nvrtc::{Nvrtc, OPTIONS};

macro_rules! files {
    ($($name:literal)*) => {
        /// Every file under `kernels/`.
        const TEXTS: &[(&str, &str)] = &[$(($name, include_str!(concat!("../kernels/", $name)))),*];
    };
}

files! {
    "accumulate.cuh"
    "add.cuh"
    "arithmetic.cuh"
    "block_sums.cuh"
    "compare.cuh"
    "cone.cu"
    "cone.cuh"
    "cone_schur.cu"
    "cone_small.cu"
    "convert.cu"
    "copy.cuh"
    "crt.cuh"
    "crt_add.cu"
    "crt_meeting.cu"
    "crt_multiply.cu"
    "crt_pack.cu"
    "crt_pack.cuh"
    "crt_pack_wide.cu"
    "crt_profile.cu"
    "crt_rebuild.cu"
    "crt_rebuild.cuh"
    "crt_rebuild_wide.cu"
    "crt_reduce.cu"
    "crt_sums.cuh"
    "diagonalize.cu"
    "div.cuh"
    "eft.cuh"
    "elementary.cuh"
    "elementary/arc.cuh"
    "elementary/circular.cuh"
    "elementary/domain.cuh"
    "elementary/exponential.cuh"
    "elementary/huge.cuh"
    "elementary/hyperbolic.cuh"
    "elementary/inverse_hyperbolic.cuh"
    "elementary/limbs.cuh"
    "elementary/logarithm.cuh"
    "elementary/power.cuh"
    "elementary/quotient.cuh"
    "elementary/reduce.cuh"
    "elementary/root.cuh"
    "elementary/series.cuh"
    "elementary/wide.cuh"
    "elementwise.cu"
    "entries.cuh"
    "evolve.cu"
    "evolve.cuh"
    "evolve_scan.cu"
    "exact.cuh"
    "factor.cuh"
    "fem_clock.cuh"
    "fem_element.cuh"
    "fem_elements.cu"
    "fem_exchange.cuh"
    "fem_geometry.cuh"
    "fem_increments.cu"
    "fem_law.cuh"
    "fem_memory.cuh"
    "fem_nodes.cu"
    "fem_nodes.cuh"
    "fem_one_point.cuh"
    "fem_one_point_increments.cuh"
    "fem_pair.cuh"
    "fem_patch.cuh"
    "fem_selective.cuh"
    "fem_selective_increments.cuh"
    "fem_shapes.cuh"
    "fem_vector.cuh"
    "fma.cuh"
    "gemm_direct.cu"
    "gemv.cu"
    "hopper.cuh"
    "offers.cuh"
    "lane.cuh"
    "limb_space.cuh"
    "limb_terms.cuh"
    "log.cuh"
    "magnitude.cuh"
    "matrix.cuh"
    "mma.cuh"
    "mp.cuh"
    "mp_divide.cuh"
    "mp_fixed.cuh"
    "mp_gemv.cu"
    "mp_matrix.cu"
    "mp_number.cuh"
    "mp_space.cuh"
    "mp_sum.cuh"
    "mp_terms.cuh"
    "mp_vector.cuh"
    "mul.cuh"
    "multifloat.cuh"
    "normalized.cuh"
    "number.cuh"
    "operations.cuh"
    "panel.cu"
    "partition.cuh"
    "powi.cu"
    "reduce.cu"
    "reflect.cu"
    "rns.cu"
    "rns_float.cuh"
    "rns_number.cuh"
    "rns_space.cuh"
    "rns_terms.cuh"
    "rns_vector.cuh"
    "renormalize.cuh"
    "round.cuh"
    "scale.cuh"
    "scan.cuh"
    "sin_cos.cu"
    "space.cu"
    "sparse.cuh"
    "spmv.cu"
    "sqrt.cuh"
    "stepwise_sums.cuh"
    "stepwise_terms.cuh"
    "triangle.cu"
    "triangle_inverse.cu"
    "tridiag.cuh"
    "tridiag_generate.cu"
    "tridiag_pcr.cu"
    "tridiag_ring.cu"
    "tridiag_rows.cuh"
    "tridiag_single.cu"
    "tridiag_split.cu"
    "tridiag_whole.cu"
    "trsm.cu"
    "variants.cuh"
}

/// Every file, by the name that others include it by.
static FILES: LazyLock<Vec<(&str, &str)>> = LazyLock::new(|| {
    static TABLES: LazyLock<String> = LazyLock::new(crate::tables::text);
    TEXTS.iter().copied().chain([("tables.cuh", TABLES.as_str())]).collect()
});

/// One module: what is compiled at once, for one precision.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Source {
    /// Its name, in messages and in the cache: letters, digits, `_`, `-` and `.`.
    pub(crate) name: String,
    /// The definitions that choose the precision and the operation, then an `#include`.
    pub(crate) text: String,
}

impl Source {
    /// The module of numbers of so many limbs in a file; `LIMBS` is defined there, and so is what `definitions` says.
    pub(crate) fn new(name: &str, limbs: usize, file: &str, definitions: &[(&str, &str)]) -> Self {
        let mut text = format!("#define LIMBS {limbs}\n");
        for (name, value) in definitions {
            text += &format!("#define {name} {value}\n");
        }
        text += &format!("#include \"{file}\"\n");
        Self { name: format!("{name}-{limbs}"), text }
    }

    /// The module of a file with definitions that are numbers.
    pub(crate) fn of_numbers(name: &str, file: &str, definitions: &[(&str, usize)]) -> Self {
        let mut text = String::new();
        for (name, value) in definitions {
            text += &format!("#define {name} {value}\n");
        }
        text += &format!("#include \"{file}\"\n");
        Self { name: name.to_string(), text }
    }

    /// [`new`](Self::new) with definitions that are numbers.
    pub(crate) fn with_numbers(
        name: &str,
        limbs: usize,
        file: &str,
        numbers: &[(&str, usize)],
    ) -> Self {
        let texts: Vec<_> = numbers.iter().map(|(_, number)| number.to_string()).collect();
        let definitions: Vec<_> =
            numbers.iter().zip(&texts).map(|((name, _), text)| (*name, text.as_str())).collect();
        Self::new(name, limbs, file, &definitions)
    }

    /// The same with one more definition.
    pub(crate) fn define(self, name: &str, value: &str) -> Self {
        Self { text: format!("#define {name} {value}\n{}", self.text), ..self }
    }

    /// The files that it includes, directly or not, in the order of their names.
    pub(crate) fn files(&self) -> Vec<(&'static str, &'static str)> {
        let mut needed = vec![false; FILES.len()];
        let mut texts = vec![self.text.as_str()];
        while let Some(text) = texts.pop() {
            for (index, (name, content)) in FILES.iter().enumerate() {
                if !needed[index] && includes(text, name) {
                    needed[index] = true;
                    texts.push(content);
                }
            }
        }
        FILES.iter().zip(needed).filter_map(|(&file, needed)| needed.then_some(file)).collect()
    }

    /// A hash of everything that the machine code depends on but the architecture and the compiler's version.
    pub(crate) fn digest(&self) -> String {
        let mut hash = Sha256::new();
        let mut add = |text: &str| {
            hash.update((text.len() as u64).to_le_bytes());
            hash.update(text.as_bytes());
        };
        OPTIONS.into_iter().for_each(&mut add);
        add(&self.text);
        for (name, content) in self.files() {
            add(name);
            add(content);
        }
        hash.finalize().iter().take(16).map(|byte| format!("{byte:02x}")).collect()
    }
}

fn includes(text: &str, name: &str) -> bool {
    text.lines().any(|line| {
        let line = line.trim_start();
        line.strip_prefix("#include").is_some_and(|file| file.trim().trim_matches('"') == name)
    })
}

/// Every module that this crate can ask for on an architecture.
pub(crate) fn all(architecture: &str) -> Vec<Source> {
    let mut sources = Vec::new();
    sources.extend(crate::tridiag::sources(0));
    for limbs in 1..=4 {
        sources.extend(crate::tridiag::sources(limbs));
        sources.extend(crate::transfer::sources(limbs));
        sources.extend(crate::cone::sources(limbs));
        sources.extend(crate::diagonalize::sources(limbs));
        sources.extend(crate::elementwise::sources(limbs));
        sources.extend(crate::evolve::sources(limbs));
        sources.extend(crate::gemm::sources(limbs));
        sources.extend(crate::crt::sources(crate::crt::Kind::Limbs(limbs)));
        sources.extend(crate::gemv::sources(limbs));
        sources.extend(crate::panel::sources(limbs));
        sources.extend(crate::reduce::sources(limbs));
        sources.extend(crate::reflect::sources(limbs));
        sources.extend(crate::space::sources(limbs));
        sources.extend(crate::trsm::sources(limbs));
    }
    sources.extend(crate::crt::sources(crate::crt::Kind::Mp));
    sources.extend(crate::certified::sources());
    sources.extend(crate::space::usual_sources());
    sources.extend(crate::rns::sources());
    sources.extend(crate::solid::sources());
    sources.push(crate::cusolver::source());
    sources.extend(crate::crt::multiplier_sources(architecture));
    sources
}

/// Compiles modules on all processors, hands each one's machine code to `done`, and returns the bytes of all.
///
/// # Errors
/// The failure of one that failed.
pub(crate) fn compile(
    nvrtc: &Nvrtc,
    sources: &[Source],
    architecture: &str,
    done: impl Fn(&Source, &[u8]) + Sync,
) -> Result<usize, Error> {
    let next = AtomicUsize::new(0);
    let work = || {
        let mut outcomes = Vec::new();
        while let Some(source) = sources.get(next.fetch_add(1, Ordering::Relaxed)) {
            outcomes.push(nvrtc.compile(source, architecture).map(|code| {
                done(source, &code);
                code.len()
            }));
        }
        outcomes.into_iter().sum::<Result<usize, Error>>()
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .sum()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_module_knows_its_files() {
        let source = Source::new("convert", 2, "convert.cu", &[("A", "b")]);
        assert_eq!(source.text, "#define LIMBS 2\n#define A b\n#include \"convert.cu\"\n");
        let names: Vec<_> = source.files().into_iter().map(|file| file.0).collect();
        assert_eq!(names, ["convert.cu", "lane.cuh", "matrix.cuh", "multifloat.cuh"]);
    }

    #[test]
    fn the_digest_depends_on_all_of_the_text() {
        let of = |limbs, definitions| Source::new("x", limbs, "convert.cu", definitions).digest();
        assert_eq!(of(2, &[]), of(2, &[]));
        assert_ne!(of(2, &[]), of(3, &[]));
        assert_ne!(of(2, &[]), of(2, &[("A", "1")]));
        assert_eq!(of(2, &[]).len(), 32);
    }

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> = all("sm_90a").into_iter().map(|source| source.name).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    /// What has no instructions of its own compiles for all architectures where it does for one.
    #[test]
    fn what_names_instructions_compiles_for_the_oldest_architecture() {
        let Some(nvrtc) = Nvrtc::for_tests() else { return };
        let mut sources = all("sm_80");
        let names_instructions = |source: &Source| {
            source
                .files()
                .iter()
                .any(|(_, text)| text.contains("asm") || text.contains("__CUDA_ARCH__"))
        };
        sources.retain(names_instructions);
        assert!(!sources.is_empty());
        compile(nvrtc, &sources, "sm_80", |_, _| {}).unwrap();
    }
}
