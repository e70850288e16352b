// Numbers of any precision in planes of 64 bits: their words, lowest first, and behind them the
// head.
#pragma once

#include "mp/number.cuh"

namespace mp {

template <int BITS> DEVICE Word plane(const Number<BITS> &x, int p) {
    if (p == Number<BITS>::WORDS) return (unsigned)x.head;
    return (Word)x.digits[2 * p + 1] << 32 | x.digits[2 * p];
}

template <int BITS> DEVICE void set_plane(Number<BITS> &x, int p, Word value) {
    if (p == Number<BITS>::WORDS) {
        x.head = (int)value;
    } else {
        x.digits[2 * p] = (unsigned)value, x.digits[2 * p + 1] = (unsigned)(value >> 32);
    }
}

} // namespace mp
