// Vectors of numbers of a fixed precision: their heads, and word q of all numbers side by side for
// each q.
#pragma once

#include "mp/number.cuh"

namespace mp {

struct Vector {
    int *heads;
    Word *words;
    // Words from one plane to the next.
    long long plane;

    template <int BITS> DEVICE Number<BITS> load(long long i) const {
        Number<BITS> x;
        x.head = heads[i];
#pragma unroll unrolled(Number<BITS>::WORDS)
        for (int q = 0; q < Number<BITS>::WORDS; q++) {
            const Word word = words[i + q * plane];
            x.digits[2 * q] = (unsigned)word, x.digits[2 * q + 1] = (unsigned)(word >> 32);
        }
        return x;
    }

    template <int BITS> DEVICE void store(long long i, const Number<BITS> &x) const {
        heads[i] = x.head;
#pragma unroll unrolled(Number<BITS>::WORDS)
        for (int q = 0; q < Number<BITS>::WORDS; q++)
            words[i + q * plane] = (Word)x.digits[2 * q + 1] << 32 | x.digits[2 * q];
    }
};

} // namespace mp
