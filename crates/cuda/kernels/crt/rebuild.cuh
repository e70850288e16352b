// What kernels that make numbers of residues have in common: how residues become bytes.
#pragma once

#include "dense/copy.cuh"
#include "crt/crt.cuh"
#include "dense/factor.cuh"
#include "crt/mma.cuh"
#include "mp/mp.cuh"
#include "arguments.cuh"

enum Part { ALL, LOWER, UPPER };

#ifdef MP

// Rounds the digits of an entry of C, times 2^unit.
template <class Digits> DEVICE void store_rounded(const Rebuild &p, Digits &digits, int row, int column, int unit) {
    const bool negative = digits.make_magnitude();
    const auto &c = p.matrices;
    mp::Word *to = c.data + row * c.row_stride + column * c.column_stride;
    to[c.count] = (unsigned)mp::round_to(digits, negative, unit, c.precision, c.count, to);
}

#endif

// The e of the unit 2^e of an entry's integer.
DEVICE int unit_of(const Rebuild &p, int row, int column) { return p.row_exponents[row] + p.column_exponents[column] - 2 * p.bits; }

// Bytes of residues as tensor cores take them: thread 4·g + t of a warp has those of entries 4·g to
// 4·g + 3 modulo a quarter of the moduli of a step.

// From words of the residues of four entries modulo small moduli 4·s + t of a step.
DEVICE void small_bytes(const unsigned (&words)[4], unsigned (&bytes)[4]) {
    // From entries of a modulus to moduli of an entry.
    const unsigned low[2] = {__byte_perm(words[0], words[1], 0x5140), __byte_perm(words[2], words[3], 0x5140)};
    const unsigned high[2] = {__byte_perm(words[0], words[1], 0x7362), __byte_perm(words[2], words[3], 0x7362)};
    bytes[0] = __byte_perm(low[0], low[1], 0x5410), bytes[1] = __byte_perm(low[0], low[1], 0x7632);
    bytes[2] = __byte_perm(high[0], high[1], 0x5410), bytes[3] = __byte_perm(high[0], high[1], 0x7632);
}

// Two numbers of 16 bits, with 2^15 added, as two balanced digits to base 256 each.
DEVICE unsigned two_digits(unsigned pair) { return __byte_perm(pair, pair + 0x00800080u, 0x7250) ^ 0x80008000u; }

// From the residues of four entries modulo large moduli 4·s + t of a step, as two balanced digits
// to base 256 each: pairs[s][q] has what plane q counts for.
DEVICE void large_bytes(const uint2 (&pairs)[2][3], unsigned (&bytes)[4]) {
    unsigned digits[2][2];
#pragma unroll
    for (int s = 0; s < 2; s++) {
        uint2 sum = make_uint2(0, 0);
#pragma unroll
        for (int q = 0; q < 3; q++) {
            // Biases add up to 2^15: nothing carries from one entry to the next.
            sum.x += pairs[s][q].x, sum.y += pairs[s][q].y;
        }
        digits[s][0] = two_digits(sum.x), digits[s][1] = two_digits(sum.y);
    }
#pragma unroll
    for (int i = 0; i < 2; i++) bytes[2 * i] = __byte_perm(digits[0][i], digits[1][i], 0x5410), bytes[2 * i + 1] = __byte_perm(digits[0][i], digits[1][i], 0x7632);
}
