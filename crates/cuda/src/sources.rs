//! The catalogue of all modules.

use nonius_gpu::Source;

/// Every module that this crate can ask for on an architecture such as `sm_90a`.
pub fn sources(architecture: &str) -> Vec<Source> {
    let mut sources = Vec::new();
    sources.extend(crate::tridiag::sources(0));
    for limbs in 1..=4 {
        sources.extend(crate::tridiag::sources(limbs));
        sources.extend(crate::transfer::sources(limbs));
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
    sources.extend(crate::mp::usual_sources());
    sources.extend(crate::rns::sources());
    sources.extend(crate::judge::sources());
    sources.push(crate::cusolver::source());
    sources.extend(crate::crt::multiplier_sources(architecture));
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
