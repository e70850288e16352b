// Residues of sums of products of residues: what is left of a plane's sums for the rebuilding.
#pragma once

#include "crt/crt.cuh"
#include "crt/mma.cuh"

namespace crt {

// What sums of a plane are reduced by. Small moduli: `low` holds the weights of a sum's bytes and
// what their sum starts from. Large ones: `low` and `high` do for the digits to base 128 of the
// residue, times what the plane counts for.
struct __align__(16) Modulus {
    int low_weights, low_start;
    float reciprocal;
    int minus_modulus, high_weights, high_start, bias, unused;
};

// The sum with 2^31 added, so that its bytes are digits.
DEVICE unsigned offset(int sum) { return (unsigned)sum ^ 0x80000000u; }

// A residue in the lowest byte.
DEVICE int small_residue(const Modulus &m, int sum) { return residue_byte(dot_bytes(offset(sum), m.low_weights, m.low_start), m.reciprocal, m.minus_modulus); }

// A residue and the plane's bias in the lowest 16 bits. The sum of a modulus' three planes has a
// bias of 2^15: it is between 2^15 − 3·2^13 − 3 and 2^15 + 3·2^13 + 3.
DEVICE int large_residue(const Modulus &m, int sum) {
    const unsigned bytes = offset(sum);
    const int low = dot_bytes(bytes, m.low_weights, m.low_start), high = dot_bytes(bytes, m.high_weights, m.high_start);
    return residue_pair(low, high, m.reciprocal, m.minus_modulus) + m.bias;
}

// The lowest halves of two numbers.
DEVICE unsigned join_halves(int a, int b) { return __byte_perm((unsigned)a, (unsigned)b, 0x5410); }

} // namespace crt
