// C ← op(A)·op(B) as `crt/rebuild.cu` computes it, for integers of any length.
//
// A warp is a block and computes 32 entries of a column, of which a thread finishes one. Bytes of
// residues stay in shared memory and are multiplied for DIGITS digits at a time; digits stay there
// too.

#include "crt/rebuild.cuh"

// Digits of 48 bits, three words of 16 bits each, in GROUPS of 16 words, TILES tiles of four words.
constexpr int DIGITS = 16, GROUPS = 3, TILES = 4 * GROUPS;
// Numbers from one entry to the next where words change threads.
constexpr int PITCH = 2 * 16 * GROUPS + 4;
// The highest digits, by which a sum is compared with M, whose own highest one is not zero: 2^96
// units, or more, are M.
constexpr int HIGHEST = 3;

// Bytes of the residues of four entries modulo small moduli of a step; `from` is where the first
// plane has those of the first of all entries.
DEVICE void small_residues(const Rebuild &p, const unsigned char *from, int step, unsigned (&bytes)[4]) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    unsigned words[4];
#pragma unroll
    for (int s = 0; s < 4; s++) {
        const int plane = 16 * step + 4 * s + t;
        words[s] = plane < p.small_planes ? *(const unsigned *)(from + plane * p.size + 4 * g) : 0;
    }
    small_bytes(words, bytes);
}

// The same modulo large moduli.
DEVICE void large_residues(const Rebuild &p, const unsigned char *from, int step, unsigned (&bytes)[4]) {
    const int g = threadIdx.x / 4, t = threadIdx.x % 4;
    uint2 pairs[2][3];
#pragma unroll
    for (int s = 0; s < 2; s++)
#pragma unroll
        for (int q = 0; q < 3; q++) {
            const int plane = 24 * step + 3 * (4 * s + t) + q;
            pairs[s][q] = plane < p.planes - p.small_planes ? *(const uint2 *)(from + 2 * plane * p.size + 8 * g) : make_uint2(0, 0);
        }
    large_bytes(pairs, bytes);
}

// The digits of a thread's entry from `first` on, as many as there are and at most DIGITS, with
// what the digits before carry; `exchange` is room for the words of a warp.
DEVICE void multiply_digits(const Rebuild &p, const uint4 *residues, int first, int *exchange, const mp::InMemory &digits, long long &carry) {
    const int lane = threadIdx.x, g = lane / 4, t = lane % 4;
    const int all_tiles = (p.digits + DIGITS - 1) / DIGITS * TILES;
    int sums[TILES][2][4] = {};
    const unsigned *weights = p.weights + first / DIGITS * TILES * 32 + lane;
#pragma unroll 1
    for (int step = 0; step < p.steps; step++, weights += all_tiles * 32) {
        const uint4 a = residues[step * 32 + lane];
#pragma unroll
        for (int tile = 0; tile < TILES; tile++) {
            const unsigned b = __ldg(weights + tile * 32);
            multiply_signed(sums[tile][0], a.x, a.y, b);
            multiply_signed(sums[tile][1], a.z, a.w, b);
        }
    }
    // Words, as sums of their lower and of their upper bytes, change from threads that share
    // entries to the threads that have them.
#pragma unroll
    for (int e = 0; e < 4; e++)
#pragma unroll
        for (int tile = 0; tile < TILES; tile++) {
            const int *pair = &sums[tile][e / 2][e % 2 * 2];
            *(int2 *)(exchange + (4 * g + e) * PITCH + 2 * (16 * (tile / 4) + 4 * t + tile % 4)) = make_int2(pair[0], pair[1]);
        }
    __syncwarp();
#pragma unroll
    for (int d = 0; d < DIGITS; d++) {
        if (first + d >= p.digits) break;
        long long digit = 0;
#pragma unroll
        for (int w = 0; w < 3; w++) {
            const int2 pair = *(const int2 *)(exchange + lane * PITCH + 2 * (3 * d + w));
            const long long word = carry + pair.x + (long long)pair.y * 256;
            digit |= (word & 0xffff) << (16 * w);
            carry = word >> 16;
        }
        digits[first + d] = digit;
    }
    __syncwarp();
}

extern "C" __global__ void __launch_bounds__(32) rebuild_wide(const __grid_constant__ Rebuild p) {
    extern __shared__ uint4 shared[];
    if (p.refused && *p.refused) return;
    const int lane = threadIdx.x, strips = (p.rows + 31) / 32;
    const int strip = blockIdx.x % strips * 32, tile_column = blockIdx.x / strips;
    const int row = p.row + strip + lane, column = p.column + tile_column;
    uint4 *residues = shared;
    int *exchange = (int *)(residues + 32 * p.steps);
    mp::Digits<mp::InMemory> digits = {{(long long *)(exchange + 32 * PITCH) + lane, p.digits}};

    const long long place = tile_column * p.pitch + strip;
#pragma unroll 1
    for (int step = 0; step < p.steps; step++) {
        unsigned bytes[4];
        if (step < p.small_steps) small_residues(p, p.residues + place, step, bytes);
        else large_residues(p, p.residues + p.small_planes * p.size + 2 * place, step - p.small_steps, bytes);
        residues[step * 32 + lane] = make_uint4(bytes[0], bytes[1], bytes[2], bytes[3]);
    }
    long long carry = 0;
#pragma unroll 1
    for (int first = 0; first < p.digits; first += DIGITS) multiply_digits(p, residues, first, exchange, digits.digit, carry);
    if (strip + lane >= p.rows || (p.part == LOWER && row < column) || (p.part == UPPER && row > column)) return;

    digits.digit[p.digits - 1] += carry * (1ll << 48);
    long long highest[HIGHEST];
#pragma unroll
    for (int i = 0; i < HIGHEST; i++) highest[i] = digits.digit[p.digits - HIGHEST + i];
    const int quotient = crt::nearest_multiple(highest, p.inverse);
    for (int d = 0; d < p.digits; d++) digits.digit[d] -= quotient * __ldg(p.product + d);
    store_rounded(p, digits, row, column, unit_of(p, row, column));
}
