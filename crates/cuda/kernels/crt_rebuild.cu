// C ← α·op(A)·op(B) + β·C, from sums of products of residues.
//
// A warp computes 32 entries of a column at a time: a thread finishes one, and four threads share the work on the residues of four,
// each reducing the sums of a quarter of the moduli. The integers are a product of matrices again, of residues by the bytes of
// M/m, on tensor cores. While a warp computes, the sums of its next entries are on their way to shared memory.

#include "copy.cuh"
#include "crt.cuh"
#include "factor.cuh"
#include "mma.cuh"
#include "mp.cuh"

// DIGITS digits of 48 bits, three words of 16 bits each, in TILES tiles of four words.
constexpr int N = LIMBS, D = DIGITS, GROUPS = (3 * D + 15) / 16, TILES = 4 * GROUPS;
constexpr int WARPS = REBUILD_WARPS, PITCH = 16 * GROUPS + 4;

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
    // Entry (i, j) of the tile of C that is computed has the sum of plane p at sums[p·size + j·pitch + i]; `pitch` is a multiple
    // of 32, and so is the number of rows.
    const int *sums;
    long long size, pitch;
    // For each row of op(A) and column of op(B) the e with entries below 2^e.
    const int *row_exponents, *column_exponents;
    // Small moduli, 16 a step: weights of the bytes of a sum, what the sum is started from, 1/m, −m. Large moduli, 8 a step: such weights for
    // the low and the high digit of the residue, of three planes each, then two starts, 1/m, −m.
    const int4 *small_moduli, *large_moduli;
    // The bytes of M/m as threads hold them, [step][tile][lane]; the digits of M, and 1/M.
    const unsigned *weights;
    const long long *product;
    double inverse;
    // First row and column of the tile in C, their number.
    int row, column, rows, columns;
    // Which triangle of C is computed; whether α = 1 and β = 0.
    int part, plain;
    int small_steps, steps, small_planes, planes;
    // Planes for which shared memory has room; bits of an integer.
    int room, bits;
    // Where it says that these bits are not enough, C stays as it is. May be null.
    const unsigned long long *refused;
};

#ifndef MP

DEVICE_COLD MultiFloat<N> product_by_operators(const Rebuild &p, int i, int j) {
    MultiFloat<N> sum = from_lane<N>(0.0);
    for (long long l = 0; l < p.k; l++) sum = sum + p.a.load(i, l) * p.b.load(l, j);
    return sum;
}

// α·sum + β·C, with the operators of the direct product.
DEVICE_COLD MultiFloat<N> combined(const Rebuild &p, int i, int j, MultiFloat<N> sum) {
    if (p.alpha.is(-1.0)) sum = -sum;
    else if (!p.alpha.is(1.0)) sum = p.alpha.value() * sum;
    if (!p.beta.is(0.0)) {
        MultiFloat<N> c = p.c.load(i, j);
        if (!p.beta.is(1.0)) c = p.beta.value() * c;
        sum = c + sum;
    }
    return sum;
}

#endif

// Makes the integer of an entry of C, times 2^unit, a number.
DEVICE void finish(const Rebuild &p, const long long (&values)[D], int row, int column, int unit) {
#ifdef MP
    mp::Digits<D> digits;
#pragma unroll
    for (int d = 0; d < D; d++) digits.digit[d] = values[d];
    const bool negative = digits.make_magnitude();
    const long long at = row + column * p.column_stride;
    p.heads[at] = mp::round_to(digits, negative, unit, p.precision, p.count, p.words + at * p.count);
#else
    Lane digits[D];
    crt::balanced_digits(values, digits);
    MultiFloat<N> x = crt::scaled_by_steps(crt::limbs<N>(digits), unit);
    if (!is_finite(x)) x = product_by_operators(p, row, column);
    if (!p.plain) x = combined(p, row, column, x);
    p.c.store(row, column, x);
#endif
}

// Bytes of the sum with 2^31 added.
DEVICE unsigned offset(int sum) { return (unsigned)sum ^ 0x80000000u; }

// Where a warp's sums of a plane lie in shared memory, those of entries 4·quarter to 4·quarter + 3: threads of a warp that read at the same
// time find them in different banks.
DEVICE int4 *slot(int4 *sums, int plane, int quarter) { return sums + plane * 8 + (quarter ^ plane % 4 * 2); }

// Where a warp's entries lie in the tile of C.
struct Place {
    int strip, column;

    // By `columns` columns and `strips` strips of 32 rows further.
    DEVICE void advance(int columns, int strips, int all_strips) {
        column += columns, strip += strips;
        if (strip >= all_strips) strip -= all_strips, column++;
    }
};

// Begins the copy of the sums of 32 entries.
DEVICE void copy_sums(const Rebuild &p, Place place, int4 *sums) {
    if (place.column < p.columns) {
        const int lane = threadIdx.x % 32;
        const int *from = p.sums + place.column * p.pitch + place.strip * 32 + lane % 8 * 4 + lane / 8 * p.size;
#pragma unroll 4
        for (int plane = lane / 8; plane < p.planes; plane += 4, from += 4 * p.size)
            copy_quad(shared_address(slot(sums, plane, lane % 8)), from);
    }
    commit_copies();
}

// Residues of four entries modulo small moduli of a step, as bytes.
DEVICE void small_residues(const int4 *moduli, int4 *from, int first, unsigned (&bytes)[4]) {
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    int residues[4][4];
#pragma unroll
    for (int s = 0; s < 4; s++) {
        const int channel = first + 4 * s + t;
        const int4 modulus = moduli[channel], sums = *slot(from, channel, g);
        const int sum[4] = {sums.x, sums.y, sums.z, sums.w};
#pragma unroll
        for (int e = 0; e < 4; e++)
            residues[e][s] = crt::residue_byte(dot_bytes(offset(sum[e]), modulus.x, modulus.y), __int_as_float(modulus.z), modulus.w);
    }
#pragma unroll
    for (int e = 0; e < 4; e++) bytes[e] = join_bytes(residues[e][0], residues[e][1], residues[e][2], residues[e][3]);
}

// Residues of four entries modulo large moduli of a step, each as two balanced digits to base 256.
DEVICE void large_residues(const int4 *moduli, int4 *from, int first, int first_plane, unsigned (&bytes)[4]) {
    const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
    int residues[4][2];
#pragma unroll
    for (int s = 0; s < 2; s++) {
        const int channel = first + 4 * s + t;
        const int4 low = moduli[3 * channel], high = moduli[3 * channel + 1], rest = moduli[3 * channel + 2];
        const int low_weights[3] = {low.x, low.y, low.z}, high_weights[3] = {high.x, high.y, high.z};
        int x[4] = {low.w, low.w, low.w, low.w}, y[4] = {high.w, high.w, high.w, high.w};
#pragma unroll
        for (int q = 0; q < 3; q++) {
            const int4 sums = *slot(from, first_plane + 3 * channel + q, g);
            const int sum[4] = {sums.x, sums.y, sums.z, sums.w};
#pragma unroll
            for (int e = 0; e < 4; e++) {
                x[e] = dot_bytes(offset(sum[e]), low_weights[q], x[e]);
                y[e] = dot_bytes(offset(sum[e]), high_weights[q], y[e]);
            }
        }
#pragma unroll
        for (int e = 0; e < 4; e++) residues[e][s] = crt::residue_pair(x[e], y[e], __int_as_float(rest.x), rest.y);
    }
#pragma unroll
    for (int e = 0; e < 4; e++)
        bytes[e] = join_bytes(residues[e][0], (residues[e][0] + 128) >> 8, residues[e][1], (residues[e][1] + 128) >> 8);
}

extern "C" __global__ void __launch_bounds__(WARPS * 32, REBUILD_BLOCKS) rebuild(const __grid_constant__ Rebuild p) {
    extern __shared__ int4 shared[];
    if (p.refused && *p.refused) return;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    int4 *small_moduli = shared;
    int4 *large_moduli = small_moduli + 16 * p.small_steps;
    int4 *sums = large_moduli + 24 * (p.steps - p.small_steps) + warp * p.room * 8;
    int *exchange = (int *)(sums + (WARPS - warp) * p.room * 8) + warp * 32 * PITCH;
    unsigned *weights = (unsigned *)(exchange + (WARPS - warp) * 32 * PITCH);

    const int strips = (p.rows + 31) / 32, first = blockIdx.x * WARPS + warp, all = gridDim.x * WARPS;
    const int column_step = all / strips, strip_step = all % strips;
    Place place = {first % strips, first / strips};
    copy_sums(p, place, sums);
    for (int i = threadIdx.x; i < 16 * p.small_steps; i += WARPS * 32) small_moduli[i] = p.small_moduli[i];
    for (int i = threadIdx.x; i < 24 * (p.steps - p.small_steps); i += WARPS * 32) large_moduli[i] = p.large_moduli[i];
    for (int i = threadIdx.x; i < p.steps * TILES * 32; i += WARPS * 32) weights[i] = p.weights[i];
    __syncthreads();

    while (place.column < p.columns) {
        int words[TILES][2][4];
#pragma unroll
        for (int tile = 0; tile < TILES; tile++)
#pragma unroll
            for (int half = 0; half < 2; half++)
#pragma unroll
                for (int e = 0; e < 4; e++) words[tile][half][e] = 0;
        wait_for_copies<0>();
        __syncwarp();
        auto add_step = [&](int step, const unsigned (&a)[4]) {
#pragma unroll
            for (int tile = 0; tile < TILES; tile++) {
                const unsigned b = weights[(step * TILES + tile) * 32 + lane];
                multiply_signed(words[tile][0], a[0], a[1], b);
                multiply_signed(words[tile][1], a[2], a[3], b);
            }
        };
#pragma unroll 1
        for (int step = 0; step < p.small_steps; step++) {
            unsigned bytes[4];
            small_residues(small_moduli, sums, 16 * step, bytes);
            add_step(step, bytes);
        }
#pragma unroll 1
        for (int step = p.small_steps; step < p.steps; step++) {
            unsigned bytes[4];
            large_residues(large_moduli, sums, 8 * (step - p.small_steps), p.small_planes, bytes);
            add_step(step, bytes);
        }
        // Words of 16 bits change from threads that share entries to the threads that have them.
#pragma unroll
        for (int e = 0; e < 4; e++)
#pragma unroll
            for (int group = 0; group < GROUPS; group++) {
                int word[4];
#pragma unroll
                for (int s = 0; s < 4; s++) {
                    const int *pair = &words[4 * group + s][e / 2][e % 2 * 2];
                    word[s] = pair[0] + (pair[1] << 8);
                }
                *(int4 *)(exchange + (4 * g + e) * PITCH + 16 * group + 4 * t) = make_int4(word[0], word[1], word[2], word[3]);
            }
        __syncwarp();
        const int strip = place.strip * 32, row = p.row + strip + lane, column = p.column + place.column;
        place.advance(column_step, strip_step, strips);
        copy_sums(p, place, sums);

        int word[16 * GROUPS];
#pragma unroll
        for (int s = 0; s < (3 * D + 3) / 4; s++) *(int4 *)(word + 4 * s) = *(const int4 *)(exchange + lane * PITCH + 4 * s);
        long long values[D];
#pragma unroll
        for (int d = 0; d < D; d++)
            values[d] = (long long)word[3 * d] + (long long)word[3 * d + 1] * 65536 + ((long long)word[3 * d + 2] << 32);
        const int quotient = crt::nearest_multiple(values, p.inverse);
#pragma unroll
        for (int d = 0; d < D; d++) values[d] -= quotient * __ldg(p.product + d);
        if (strip + lane < p.rows && !(p.part == LOWER && row < column) && !(p.part == UPPER && row > column))
            finish(p, values, row, column, p.row_exponents[row] + p.column_exponents[column] - 2 * p.bits);
    }
}
