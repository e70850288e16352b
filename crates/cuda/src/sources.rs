//! The catalogue of all modules.

use nonius_gpu::Source;

/// Every module that this crate can ask for on an architecture such as `sm_90a`.
pub fn sources(architecture: &str) -> Vec<Source> {
    let mut sources = Vec::new();
    sources.extend(crate::tridiag::sources(0));
    for limbs in 1..=4 {
        sources.extend(crate::tridiag::sources(limbs));
        sources.extend(crate::transfer::sources(limbs));
        sources.extend(crate::cone::sources(limbs));
        sources.extend(crate::diagonalize::sources(limbs));
        sources.extend(crate::elementwise::sources(limbs));
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

#[cfg(test)]
mod tests {
    use nonius_gpu::compile;

    use super::*;
    use crate::nvrtc;

    #[test]
    fn names_are_unique() {
        let mut names: Vec<_> =
            sources("sm_90a").into_iter().map(|source| source.name().to_string()).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }

    /// What has no instructions of its own compiles for all architectures where it does for one.
    #[test]
    fn what_names_instructions_compiles_for_the_oldest_architecture() {
        let Some(nvrtc) = nvrtc::for_tests() else { return };
        let mut sources = sources("sm_80");
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
