// What factorisations by reflections do to diagonals.

#include "dense/matrix.cuh"
#include "dense/operators.cuh"

// Ones on the diagonal, zeros above it.
extern "C" __global__ void unit_lower(const __grid_constant__ Matrix a) {
    const long long j = blockIdx.x;
    for (long long i = threadIdx.x; i <= min(j, a.rows - 1); i += blockDim.x) a.store(i, j, i == j ? one() : zero());
}

extern "C" __global__ void halve_diagonal(const __grid_constant__ Matrix a) {
    const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    if (i < min(a.rows, a.cols)) a.store(i, i, halved(a.load(i, i)));
}
