// What kernels that make numbers of residues have in common: their argument, and how residues become bytes.
#pragma once

#include "dense/copy.cuh"
#include "crt/crt.cuh"
#include "dense/factor.cuh"
#include "crt/mma.cuh"
#include "mp/mp.cuh"

enum Part { ALL, LOWER, UPPER };

struct Rebuild {
#ifdef MP
    // Number i of C, whose columns are `column_stride` numbers apart, has heads[i] and the `count` words from words[i·count] on, of which
    // `precision` bits count.
    int *heads;
    mp::Word *words;
    long long count, precision, column_stride;
#else
    Matrix a, b, c;
    Factor alpha, beta;
    long long k;
#endif
    // Entry (i, j) of the tile of C that is computed is number i + j·pitch of the `size` of each plane of residues: first come those of bytes,
    // then those of pairs of bytes (crt/sums.cuh). `pitch` is a multiple of 32.
    const unsigned char *residues;
    long long size, pitch;
    // For each row of op(A) and column of op(B) the e with entries below 2^e.
    const int *row_exponents, *column_exponents;
    // The bytes of M/m as threads hold them, [step][tile][lane]; the digits of M, and one over M, or over what its highest three digits are.
    const unsigned *weights;
    const long long *product;
    double inverse;
    // First row and column of the tile in C, their number.
    int row, column, rows, columns;
    // Which triangle of C is computed; whether α = 1 and β = 0.
    int part, plain;
    int small_steps, steps, small_planes, planes;
    // Bits of an integer; digits of M.
    int bits, digits;
    // Where it says that these bits are not enough, C stays as it is. May be null.
    const unsigned long long *refused;
};

#ifdef MP

// Rounds the digits of an entry of C, times 2^unit.
template <class Digits> DEVICE void store_rounded(const Rebuild &p, Digits &digits, int row, int column, int unit) {
    const bool negative = digits.make_magnitude();
    const long long at = row + column * p.column_stride;
    p.heads[at] = mp::round_to(digits, negative, unit, p.precision, p.count, p.words + at * p.count);
}

#endif

// The e of the unit 2^e of an entry's integer.
DEVICE int unit_of(const Rebuild &p, int row, int column) { return p.row_exponents[row] + p.column_exponents[column] - 2 * p.bits; }

// Bytes of residues as tensor cores take them: thread 4·g + t of a warp has those of entries 4·g to 4·g + 3 modulo a quarter of the moduli of a step.

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

// From the residues of four entries modulo large moduli 4·s + t of a step, as two balanced digits to base 256 each: pairs[s][q] has what plane q counts for.
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
