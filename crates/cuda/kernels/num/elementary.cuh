// The elementary functions by the names of linalg's table (crates/linalg/src/operation.rs).

#pragma once

#include "num/elementary/arc.cuh"
#include "num/elementary/circular.cuh"
#include "num/elementary/exponential.cuh"
#include "num/elementary/hyperbolic.cuh"
#include "num/elementary/inverse_hyperbolic.cuh"
#include "num/elementary/logarithm.cuh"
#include "num/elementary/power.cuh"
#include "num/elementary/root.cuh"

namespace operation {

// With one limb these are the compiler's functions, whose last bits are not those of the host's.
#define FUNCTION(name, of_double) \
    template <int N> DEVICE MultiFloat<N> name(const MultiFloat<N> &x) { \
        if constexpr (N == 1) \
            return {{::of_double(x[0].value)}}; \
        else \
            return elementary::name(x); \
    }
#define FUNCTION_OF_TWO(name) \
    template <int N> DEVICE MultiFloat<N> name(const MultiFloat<N> &x, const MultiFloat<N> &y) { \
        if constexpr (N == 1) \
            return {{::name(x[0].value, y[0].value)}}; \
        else \
            return elementary::name(x, y); \
    }
FUNCTION(exp, exp)
FUNCTION(exp2, exp2)
FUNCTION(expm1, expm1)
FUNCTION(ln, log)
FUNCTION(log2, log2)
FUNCTION(log10, log10)
FUNCTION(log1p, log1p)
FUNCTION(cbrt, cbrt)
FUNCTION(sin, sin)
FUNCTION(cos, cos)
FUNCTION(tan, tan)
FUNCTION(asin, asin)
FUNCTION(acos, acos)
FUNCTION(atan, atan)
FUNCTION(sinh, sinh)
FUNCTION(cosh, cosh)
FUNCTION(tanh, tanh)
FUNCTION(asinh, asinh)
FUNCTION(acosh, acosh)
FUNCTION(atanh, atanh)
FUNCTION_OF_TWO(pow)
FUNCTION_OF_TWO(hypot)
FUNCTION_OF_TWO(atan2)
#undef FUNCTION
#undef FUNCTION_OF_TWO

} // namespace operation
