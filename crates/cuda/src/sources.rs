//! The catalogue of all modules.

use std::collections::HashSet;

use nonius_gpu::Source;

use crate::kind::Kind;

/// Every module that this crate can ask for on an architecture such as `sm_90a`.
pub fn sources(architecture: &str) -> Vec<Source> {
    let mut sources = Vec::new();
    sources.extend(crate::tridiag::sources(Kind::Limbs(0)));
    for kind in Kind::usual() {
        sources.extend(crate::transfer::sources(kind.lanes()));
        sources.extend(crate::diagonalize::sources(kind));
        sources.extend(crate::elementwise::sources(kind));
        sources.extend(crate::gemm::sources(kind));
        sources.extend(crate::crt::sources(kind));
        sources.extend(crate::blocks::sources(kind));
        sources.extend(crate::panel::sources(kind));
        sources.extend(crate::reduce::sources(kind));
        sources.extend(crate::reflect::sources(kind));
        sources.extend(crate::trsm::sources(kind));
        sources.extend(crate::tridiag::sources(kind));
    }
    for limbs in 1..=4 {
        sources.extend(crate::gemv::sources(limbs));
        sources.extend(crate::space::sources(limbs));
        sources.push(crate::triangle_inverse::source(limbs));
    }
    sources.extend(crate::certified::sources());
    sources.extend(crate::space::usual_sources());
    sources.extend(crate::rns::sources());
    sources.extend(crate::judge::sources());
    sources.extend(crate::crt::multiplier_sources(architecture));
    // Numbers of any precision have as many lanes as some of limbs.
    let mut names = HashSet::new();
    sources.retain(|source| names.insert(source.name().to_string()));
    sources
}

#[cfg(test)]
mod tests {
    use nonius_testkit::cuda::every_module_compiles;

    #[test]
    fn all_compile() {
        every_module_compiles(super::sources);
    }
}
