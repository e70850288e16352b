// Aᵀ·y for numbers of any precision and few columns y: a warp for each sum.
//
// Numbers of y become integers of Y words in units of 2^(f − 64·Y), where 2^f exceeds them all. A product with a number of A, of A words, is shifted
// by as much as the exponent of that is below the column's, and summed in integers with a word more. What is cut off, of y and of products, is less than 2 units
// for each term.

#include "mp_sum.cuh"

using mp::Operand;
using mp::Word;

constexpr int A = MATRIX_WORDS, Y = VECTOR_WORDS;
constexpr int WARPS = 8, DEPTH = 128;

struct Gemv {
    const int *heads;
    const Word *words;
    // Rows and columns of A.
    long long rows, cols;
    // Greatest exponents of the columns of A.
    const int *codes;
    // y, its words a number, and its greatest exponents column by column.
    const int *y_heads;
    const Word *y_words;
    long long y_count;
    const int *y_codes;
    // The sums, with their words and bits.
    int *to_heads;
    Word *to_words;
    long long to_count, to_bits;
};

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

// The words of the product of a and y from word A on, after a shift down by some bits.
DEVICE void multiply(const Word (&a)[A], const Word *y, long long down, Word (&to)[Y + 1]) {
    Word product[A + Y + 1];
#pragma unroll
    for (int q = 0; q < A + Y + 1; q++) product[q] = 0;
#pragma unroll
    for (int i = 0; i < A; i++) {
        Word carry = 0;
#pragma unroll
        for (int k = 0; k < Y; k++) {
            const Word low = a[i] * y[k], high = __umul64hi(a[i], y[k]);
            const Word partial = product[i + k] + low, all = partial + carry;
            carry = high + (partial < low ? 1 : 0) + (all < partial ? 1 : 0);
            product[i + k] = all;
        }
        product[i + Y] = carry;
    }
    for (; down >= 64; down -= 64)
#pragma unroll
        for (int q = 0; q < A + Y; q++) product[q] = product[q + 1];
    const int offset = (int)down;
#pragma unroll
    for (int q = 0; q < Y + 1; q++) {
        const Word next = q < Y ? product[A + q + 1] : 0;
        to[q] = offset == 0 ? product[A + q] : product[A + q] >> offset | next << (64 - offset);
    }
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
    __shared__ Word integers[Y][DEPTH];
    __shared__ bool signs[DEPTH];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const long long i = (long long)blockIdx.x * WARPS + warp, j = blockIdx.y;
    const int y_code = p.y_codes[j], code = i < p.cols ? p.codes[i] : mp::ZERO;
    Word sum[Y + 1];
#pragma unroll
    for (int q = 0; q <= Y; q++) sum[q] = 0;
    for (long long first = 0; first < p.rows; first += DEPTH) {
        __syncthreads();
        for (int k = threadIdx.x; k < DEPTH; k += 32 * WARPS) {
            const long long at = first + k + j * p.rows;
            const bool inside = first + k < p.rows;
            const Operand y = {p.y_words + (inside ? at * p.y_count : 0), (int)p.y_count, inside ? p.y_heads[at] : mp::head(mp::ZERO, false)};
#pragma unroll
            for (int q = 0; q < Y; q++) integers[q][k] = y.is_number() ? y.bits_at(64ll * (q - Y) + y_code - y.code() + 64ll * y.count) : 0;
            signs[k] = y.is_negative();
        }
        __syncthreads();
        if (i >= p.cols) continue;
        for (int k = lane; k < DEPTH && first + k < p.rows; k += 32) {
            const long long at = first + k + i * p.rows;
            const int head = p.heads[at];
            if (head >> 1 < -mp::GREATEST) continue;
            Word a[A], y[Y], product[Y + 1];
#pragma unroll
            for (int q = 0; q < A; q++) a[q] = p.words[at * A + q];
#pragma unroll
            for (int q = 0; q < Y; q++) y[q] = integers[q][k];
            multiply(a, y, min((long long)code - (head >> 1), 64ll * (A + Y + 1)), product);
            accumulate(sum, product, (head & 1) != signs[k]);
        }
    }
#pragma unroll 1
    for (int half = 16; half > 0; half /= 2) {
        Word other[Y + 1];
#pragma unroll
        for (int q = 0; q <= Y; q++) other[q] = __shfl_down_sync(~0u, sum[q], half);
        accumulate(sum, other, false);
    }
    if (lane != 0 || i >= p.cols) return;
    const bool negative = sum[Y] >> 63;
    // From here on in memory, where words have addresses.
    Word whole[Y + 1];
#pragma unroll
    for (int q = 0; q <= Y; q++) whole[q] = 0;
    accumulate(whole, sum, negative);
    const long long at = i + j * p.cols;
    p.to_heads[at] = round_to(whole, negative, code + y_code, (int)p.to_bits, (int)p.to_count, p.to_words + at * p.to_count);
}
