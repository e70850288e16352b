// Aᵀ·y for numbers of any precision and few columns y: a warp for some sums.
//
// Numbers of y become integers of Y words in units of 2^(f − 64·Y), where 2^f exceeds them all. A
// product with a number of A, of A words, is shifted by as much as the exponent of that is below
// the column's, and summed in integers with a word more. What is cut off, of y and of products, is
// less than 2 units for each term.

#include "mp/sum.cuh"

// Whether a number is negative.
using Flag = bool;

#include "arguments.cuh"

using mp::Operand;
using mp::Word;

constexpr int A = MATRIX_WORDS, Y = VECTOR_WORDS;
constexpr int WARPS = 8, COLUMNS = GEMV_COLUMNS;

// A thread for each number.
extern "C" __global__ void __launch_bounds__(32 * WARPS) integers(const __grid_constant__ Integers p) {
    const long long k = (long long)blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y;
    if (k >= p.rows) return;
    const long long at = k + j * p.rows;
    const Word *words = p.y + at * (p.count + 1);
    const Operand y = {words, (int)p.count, (int)words[p.count]};
#pragma unroll
    for (int q = 0; q < Y; q++) p.integers[k + (j * Y + q) * p.rows] = y.is_number() ? y.bits_at(64ll * (q - Y) + p.codes[j] - y.code() + 64ll * y.count) : 0;
    p.negative[at] = y.is_negative();
}

// sum += x for integers of COUNT words, x negated where asked.
template <int COUNT> DEVICE void accumulate(Word (&sum)[COUNT], const Word *x, bool negative) {
    const Word mask = negative ? ~0ull : 0;
    Word carry = negative ? 1 : 0;
#pragma unroll
    for (int q = 0; q < COUNT; q++) {
        const Word partial = sum[q] + (x[q] ^ mask), all = partial + carry;
        carry = (partial < sum[q] ? 1 : 0) | (all < partial ? 1 : 0);
        sum[q] = all;
    }
}

// 32 bits of an integer.
DEVICE unsigned digit(const Word *x, int i) { return (unsigned)(x[i / 2] >> (32 * (i % 2))); }

// The words of the product of a and y from word A on, after a shift down by some bits.
DEVICE void multiply(const Word (&a)[A], const Word *y, long long down, Word (&to)[Y + 1]) {
    constexpr int DIGITS = 2 * (A + Y + 1);
    unsigned product[DIGITS];
#pragma unroll
    for (int q = 0; q < DIGITS; q++) product[q] = 0;
#pragma unroll
    for (int i = 0; i < 2 * A; i++) {
        unsigned carry = 0;
#pragma unroll
        for (int k = 0; k < 2 * Y; k++) {
            const Word sum = (Word)digit(a, i) * digit(y, k) + product[i + k] + carry;
            product[i + k] = (unsigned)sum;
            carry = (unsigned)(sum >> 32);
        }
        product[i + 2 * Y] = carry;
    }
    for (; down >= 32; down -= 32)
#pragma unroll
        for (int q = 0; q < DIGITS - 1; q++) product[q] = product[q + 1];
    // The highest digits are zero.
    auto shifted = [&](int q) { return __funnelshift_r(product[q], q + 1 < DIGITS ? product[q + 1] : 0, (unsigned)down); };
#pragma unroll
    for (int q = 0; q < Y + 1; q++) to[q] = (Word)shifted(2 * (A + q) + 1) << 32 | shifted(2 * (A + q));
}

// Writes a magnitude in units of 2^(e − 64·Y); returns its head.
DEVICE_COLD int round_to(Word (&x)[Y + 1], bool negative, int e, int bits, int count, Word *to) {
    const Operand nothing = {nullptr, 0, mp::head(mp::ZERO, false)};
    int last = Y;
    while (last >= 0 && x[last] == 0) last--;
    if (last < 0) return mp::add(nothing, nothing, bits, count, to);
    // To where the highest bit is set.
    const int up = __clzll(x[last]);
    for (int q = Y; q >= 0; q--) {
        const int from = q - (Y - last);
        const Word word = from >= 0 ? x[from] : 0, below = from >= 1 ? x[from - 1] : 0;
        x[q] = up == 0 ? word : word << up | below >> (64 - up);
    }
    return mp::add({x, Y + 1, mp::head(e + 64 * (last + 1 - Y) - up, negative)}, nothing, bits, count, to);
}

extern "C" __global__ void __launch_bounds__(32 * WARPS) gemv(const __grid_constant__ Gemv p) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const long long first = ((long long)blockIdx.x * WARPS + warp) * COLUMNS, j = blockIdx.y;
    if (first >= p.cols) return;
    int codes[COLUMNS];
    Word sums[COLUMNS][Y + 1];
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
        // Beyond the last column its sum is computed again.
        codes[c] = p.codes[min(first + c, p.cols - 1)];
#pragma unroll
        for (int q = 0; q <= Y; q++) sums[c][q] = 0;
    }
#pragma unroll 2
    for (long long k = lane; k < p.rows; k += 32) {
        Word y[Y];
#pragma unroll
        for (int q = 0; q < Y; q++) y[q] = p.integers[k + (j * Y + q) * p.rows];
        const bool negative = p.negative[k + j * p.rows];
        int heads[COLUMNS];
        Word a[COLUMNS][A];
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) {
            const long long at = k + min(first + c, p.cols - 1) * p.rows;
            const Word *words = p.a + at * (A + 1);
#pragma unroll
            for (int q = 0; q < A; q++) a[c][q] = words[q];
            heads[c] = (int)words[A];
        }
#pragma unroll
        for (int c = 0; c < COLUMNS; c++) {
            const bool zero = heads[c] >> 1 < -mp::GREATEST;
            const long long down = zero ? 64ll * (A + Y + 1) : (long long)codes[c] - (heads[c] >> 1);
            Word product[Y + 1];
            multiply(a[c], y, min(down, 64ll * (A + Y + 1)), product);
            accumulate(sums[c], product, (heads[c] & 1) != negative);
        }
    }
#pragma unroll
    for (int c = 0; c < COLUMNS; c++) {
        const long long i = first + c;
        Word(&sum)[Y + 1] = sums[c];
#pragma unroll 1
        for (int half = 16; half > 0; half /= 2) {
            Word other[Y + 1];
#pragma unroll
            for (int q = 0; q <= Y; q++) other[q] = __shfl_down_sync(~0u, sum[q], half);
            accumulate(sum, other, false);
        }
        if (lane != 0 || i >= p.cols) continue;
        const bool negative = sum[Y] >> 63;
        // From here on in memory, where words have addresses.
        Word whole[Y + 1];
#pragma unroll
        for (int q = 0; q <= Y; q++) whole[q] = 0;
        accumulate(whole, sum, negative);
        Word *to = p.to + (i + j * p.cols) * (p.to_count + 1);
        to[p.to_count] = (unsigned)round_to(whole, negative, codes[c] + p.y_codes[j], (int)p.to_bits, (int)p.to_count, to);
    }
}
