// Planes of residues as `crt/pack.cu` makes them, of integers of any length.
//
// A warp is a block and has 8 lines × 16 entries. Their integers stay in shared memory, from where
// they are read for each tile of columns. Sums of more than 64 bytes of an integer would leave the
// range of the anchor: sums go on from residues of what there is.

#include "crt/pack.cuh"

constexpr int LINES = 8, DEPTH = 16;
// Pieces of 16 bytes whose products are summed before residues are made.
constexpr int TOGETHER = 4;

// Where words w to w + 3 of an integer are, of a line and a place of it.
DEVICE int piece_of(const Pack &p, int place, int line, int w) { return place * LINES * p.chains + w / 4 * LINES + (line ^ place % LINES); }

DEVICE void store_integers(const Pack &p, const Numbers &numbers, uint4 *words) {
#pragma unroll 1
    for (int e = 0; e < 4; e++) {
        const int i = Places::line(p, e), l = Places::place(p, e);
        numbers.integer(p, e, 4 * p.chains, [&](int w, unsigned word) { ((unsigned *)(words + piece_of(p, l, i, w)))[w % 4] = word; });
    }
}

// What sums of the next pieces are started from: the residues of those before.
template <bool SMALL> DEVICE void start_again(int &low, int &high, const int4 &left, const int4 &right) {
    if constexpr (SMALL) {
        low = left.w + (signed char)crt::residue_byte(low, __int_as_float(left.y), left.z);
        high = right.w + (signed char)crt::residue_byte(high, __int_as_float(right.y), right.z);
    } else {
        low = crt::FLOAT_ANCHOR_BITS + (short)crt::residue_pair(low, high, __int_as_float(left.y), left.z);
        high = crt::FLOAT_ANCHOR_BITS;
    }
}

// Residues of the entries of a line for a tile of columns, to planes from `plane` on, of which
// there are some.
template <bool SMALL> DEVICE void make_residues(const Pack &p, int tile, const uint4 *words, signed char *to, int plane, int planes) {
    const int lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    const int4 left = __ldg(p.columns + tile * 8 + 2 * t), right = __ldg(p.columns + tile * 8 + 2 * t + 1);
    // Of pairs of places.
    int sums[8][4];
#pragma unroll
    for (int pair = 0; pair < 8; pair++) sums[pair][0] = sums[pair][2] = left.x, sums[pair][1] = sums[pair][3] = right.x;
#pragma unroll 1
    for (int chain = 0; chain < p.chains; chain++) {
        if (chain > 0 && chain % TOGETHER == 0) {
#pragma unroll
            for (int pair = 0; pair < 8; pair++)
#pragma unroll
                for (int e = 0; e < 2; e++) start_again<SMALL>(sums[pair][2 * e], sums[pair][2 * e + 1], left, right);
        }
        const unsigned b = __ldg(p.weights + (tile * p.chains + chain) * 32 + lane);
#pragma unroll
        for (int pair = 0; pair < 8; pair++) {
            unsigned a[2];
#pragma unroll
            for (int e = 0; e < 2; e++) a[e] = ((const unsigned *)(words + piece_of(p, 2 * pair + e, g, 4 * chain)))[t];
            multiply_unsigned(sums[pair], a[0], a[1], b, sums[pair]);
        }
    }
    constexpr int PLANES = PlaneBytes<SMALL>::PLANES;
    unsigned out[PLANES][4];
#pragma unroll
    for (int word = 0; word < 4; word++) {
        int bytes[PLANES][4];
#pragma unroll
        for (int i = 0; i < 4; i++) {
            const int *columns = sums[2 * word + i / 2] + 2 * (i % 2);
            const PlaneBytes<SMALL> found(columns[0], columns[1], left, right);
#pragma unroll
            for (int q = 0; q < PLANES; q++) bytes[q][i] = found.byte[q];
        }
#pragma unroll
        for (int q = 0; q < PLANES; q++) out[q][word] = join_bytes(bytes[q][0], bytes[q][1], bytes[q][2], bytes[q][3]);
    }
    plane += PLANES * t;
#pragma unroll
    for (int q = 0; q < PLANES; q++)
        if (plane + q < planes) *(uint4 *)(to + (plane + q) * p.size) = make_uint4(out[q][0], out[q][1], out[q][2], out[q][3]);
}

extern "C" __global__ void __launch_bounds__(32) pack_wide(const __grid_constant__ Pack p) {
    if (p.refused && *p.refused) return;
    // LINES · DEPTH · chains pieces of 16 bytes.
    extern __shared__ uint4 words[];
    const int across = (int)(p.pitch / DEPTH);
    const long long first_line = (long long)(blockIdx.x / across) * LINES, first_place = (long long)(blockIdx.x % across) * DEPTH;
    Numbers numbers;
    numbers.load(p, first_line, first_place);
    store_integers(p, numbers, words);
    __syncwarp();
    signed char *to = p.residues + (first_line + threadIdx.x / 4) * p.pitch + first_place;
#pragma unroll 1
    for (int tile = 0; tile < p.small_tiles; tile++) make_residues<true>(p, tile, words, to, tile * 8, p.small_planes);
#pragma unroll 1
    for (int tile = p.small_tiles; tile < p.tiles; tile++) make_residues<false>(p, tile, words, to, p.small_planes + (tile - p.small_tiles) * 12, p.planes);
}
