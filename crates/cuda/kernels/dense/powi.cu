// output <- x^n, entry by entry.

#include "num/elementary.cuh"
#include "dense/entries.cuh"
#include "dense/factor.cuh"

__device__ __forceinline__ Number power(const Number &x, int n) {
    if constexpr (LIMBS == 1)
        return {{::pow(x[0].value, (double)n)}};
    else
        return elementary::powi(x, n);
}

extern "C" __global__ void __launch_bounds__(128) powi(const Matrix output, const Matrix x, long long n) {
    for_each<1>(output, [&](long long i, long long j) { output.store(i, j, power(x.load(i, j), (int)n)); });
}
