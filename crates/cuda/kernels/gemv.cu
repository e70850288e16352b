// y <- alpha * A * x + beta * y, row by row: a thread takes the columns one after the other, as crates/linalg/src/cpu/gemv.rs does.

#include "accumulate.cuh"
#include "layout.cuh"
#include "scalar.cuh"

// The product of row i term by term, with the operators.
static __device__ __noinline__ Number row_in_order(const View &a, const View &x, long long i) {
    Number sum = from_lane<LIMBS>(0.0);
    for (long long j = 0; j < a.cols; j++) sum = sum + load(a, i, j) * load(x, j, 0);
    return sum;
}

extern "C" __global__ void __launch_bounds__(64)
    gemv(const View a, const View x, const View y, const Factor alpha, const Factor beta) {
    constexpr int PERIOD = LIMBS == 1 ? 16 : Accumulator<LIMBS>::PERIOD;
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < a.rows; i += step) {
        Accumulator<LIMBS> sum = Accumulator<LIMBS>::zero();
        long long j = 0;
        for (; j + PERIOD <= a.cols; j += PERIOD) {
            Number entries[PERIOD];
#pragma unroll
            for (int k = 0; k < PERIOD; k++) entries[k] = load(a, i, j + k);
#pragma unroll
            for (int k = 0; k < PERIOD; k++) sum.add_product(entries[k], load(x, j + k, 0));
            if (LIMBS > 1) sum.carry();
        }
        for (; j < a.cols; j++) sum.add_product(load(a, i, j), load(x, j, 0));
        Number total = LIMBS == 1 ? sum.sum : sum.normalized();
        if (!is_finite(total)) total = row_in_order(a, x, i);
        combine(alpha, total, beta, y, i, 0);
    }
}

// y <- beta * y; y is not read for beta = 0.
extern "C" __global__ void __launch_bounds__(256) scale(const View y, const Factor beta) {
    const long long step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < y.rows; i += step) {
        if (beta.is(0.0))
            store(y, i, 0, from_lane<LIMBS>(0.0));
        else if (!beta.is(1.0))
            store(y, i, 0, beta.value() * load(y, i, 0));
    }
}
