// Numbers of any precision from doubles.
#pragma once

#include "mp/number.cuh"

namespace mp {

// Exact: numbers have as many bits as a double at least.
template <int BITS> DEVICE_COLD Number<BITS> of_double(double x) {
    constexpr int D = Number<BITS>::D;
    const long long bits = __double_as_longlong(x);
    const bool negative = bits < 0;
    int exponent = (int)(bits >> 52 & 0x7ff);
    Word significand = bits & ((1ll << 52) - 1);
    if (exponent == 0x7ff)
        return Number<BITS>::special(significand ? NOT_A_NUMBER : head(INFINITE, negative));
    if (exponent > 0) significand |= 1ull << 52;
    else exponent = 1;
    if (significand == 0) return Number<BITS>::special(head(ZERO, negative));
    const int up = __clzll((long long)significand);
    significand <<= up;
    Number<BITS> z = Number<BITS>::special(head(exponent - 1075 + 64 - up, negative));
    z.digits[D - 1] = (unsigned)(significand >> 32);
    z.digits[D - 2] = (unsigned)significand;
    return z;
}

} // namespace mp
