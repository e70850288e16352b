// sine <- sin x and cosine <- cos x, entry by entry.

#include "num/elementary.cuh"
#include "dense/entries.cuh"
#include "dense/factor.cuh"

extern "C" __global__ void __launch_bounds__(128) sin_cos(const Matrix sine, const Matrix cosine, const Matrix x) {
    for_each<1>(x, [&](long long i, long long j) {
        const Number argument = x.load(i, j);
        Number s, c;
        if constexpr (LIMBS == 1)
            ::sincos(argument[0].value, &s[0].value, &c[0].value);
        else
            elementary::sin_cos(argument, s, c);
        sine.store(i, j, s);
        cosine.store(i, j, c);
    });
}
