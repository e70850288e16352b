// y <- A x for a sparse matrix, line by line: vectors of LIMBS limbs or PRECISION bits with values
// of VALUES of these, or in residues with values in f64.

#if defined LIMBS
#include "sparse/limb_terms.cuh"
#elif defined MODULI
#include "sparse/rns_terms.cuh"
#else
#include "sparse/mp_terms.cuh"
#endif

extern "C" __global__ void __launch_bounds__(128)
    spmv(const __grid_constant__ Sparse a, const __grid_constant__ Values values, const __grid_constant__ Vector x, const __grid_constant__ Vector y,
         const Log *held) {
    if (is_held(held)) return;
    const long long line = ((long long)blockIdx.x * blockDim.x + threadIdx.x) / SHARES;
    // Lines are shared within a warp, whose threads stay together.
    if (SHARES == 1 && line >= a.rows) return;
    const Number product = line_product(a, values, x, line);
    if (line < a.rows && threadIdx.x % SHARES == 0) y.store(row_of(a, line), product);
}
