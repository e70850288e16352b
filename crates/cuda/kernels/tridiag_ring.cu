// Periodic tridiagonal systems by systems that are not (crates/linalg/src/tridiag/periodic.rs).
#include "tridiag.cuh"

DEVICE Number gamma_of(const Number &diagonal) { return limb(diagonal, 0) == 0 ? number(-1.0) : negated(diagonal); }

// The diagonal of the open systems, in place, from `batch`, and right sides `corner`, which is zero before.
extern "C" __global__ void open(const __grid_constant__ Batch batch, const Array diagonal, const Array corner) {
    const long long s = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (s >= batch.systems) return;
    const long long first = batch.at(s, 0), last = batch.at(s, batch.size - 1), plane = batch.plane;
    const Number b = batch.diagonal.load(first, plane), gamma = gamma_of(b), c = batch.upper.load(last, plane);
    const Number change = quotient(product(batch.lower.load(first, plane), c), gamma);
    diagonal.store(last, plane, difference(batch.diagonal.load(last, plane), change));
    diagonal.store(first, plane, difference(b, gamma));
    corner.store(first, plane, gamma);
    corner.store(last, plane, c);
}

// The solution in `batch.x`, from that of the open system there and the corrections.
extern "C" __global__ void __launch_bounds__(128) close(const __grid_constant__ Batch batch, const Array correction) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x, plane = batch.plane;
    // A warp for each system.
    const long long s = t / 32;
    if (s >= batch.systems) return;
    const long long first = batch.at(s, 0), last = batch.at(s, batch.size - 1);
    const Array &x = batch.x;
    const Number ratio = quotient(batch.lower.load(first, plane), gamma_of(batch.diagonal.load(first, plane)));
    const Number above = fused(ratio, x.load(last, plane), x.load(first, plane));
    const Number below = fused(ratio, correction.load(last, plane), correction.load(first, plane));
#if LIMBS == 0
    const Number factor = quotient(above, __fadd_rn(1.0f, below));
#else
    const Number factor = quotient(above, number(1.0) + below);
#endif
    __syncwarp();
    if (threadIdx.x % 32 == 0 && !is_number(factor) && batch.faults != nullptr) atomicCAS(batch.faults + s, 0u, ~(PIVOT | (unsigned)(batch.size - 1)));
    for (long long i = threadIdx.x % 32; i < batch.size; i += 32) {
        const long long at = batch.at(s, i);
        x.store(at, plane, fused(negated(factor), correction.load(at, plane), x.load(at, plane)));
    }
}
