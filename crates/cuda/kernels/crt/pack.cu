// Planes of residues of the rows of op(A), or of the columns of op(B): of lines of k entries.
//
// Entries become integers of WORDS words, by one thread each. The residues are a product of
// matrices: the bytes of the integers by the residues of the powers of 2^8, on tensor cores; what
// is left is their reduction. A modulus up to 256 has one column of weights and one plane, a larger
// one two columns (digits to base 128) and three planes (both digits and their sum).

#include "crt/pack.cuh"

constexpr int N = LIMBS, W = WORDS, CHAINS = W / 4;
// A block computes 16 lines × 64 entries; a warp of it 8 × 16.
constexpr int WARPS = 8, LINES = 16, DEPTH = 64;

#ifndef MP

struct Numbers : Places {
    // Of a place beyond the edge: its number becomes zero.
    static constexpr int NONE = -5000;

    MultiFloat<N> number[4];
    int shift[4];

    DEVICE void load(const Pack &p, long long first_line, long long first_place) {
#pragma unroll
        for (int e = 0; e < 4; e++) {
            const long long i = first_line + line(p, e), l = first_place + place(p, e);
            const bool inside = i < p.lines && l < p.k;
            const double *from = p.from.data + (inside ? i * p.from.line_stride + l * p.from.place_stride : 0);
#pragma unroll
            for (int q = 0; q < N; q++) number[e][q] = from[q * p.from.plane];
            shift[e] = inside ? (int)p.bits - p.exponents[i] : NONE;
        }
    }

    template <class Put> DEVICE void integer(const Pack &p, int e, int, Put put) {
        // Two powers, because one may be beyond the range of doubles.
        const Lane half = shift[e] == NONE ? 0.0 : power_of_two(shift[e] / 2).value, rest = power_of_two(shift[e] - shift[e] / 2);
#pragma unroll
        for (int q = 0; q < N; q++) number[e][q] = number[e][q] * half * rest;
        unsigned words[W];
        crt::offset_words<W>(number[e], words);
#pragma unroll
        for (int w = 0; w < W; w++) put(w, words[w]);
    }
};

#endif

// The integers of a thread's numbers, 2^(32·W − 1) added, to words[entry of a line][chain, line].
DEVICE void store_integers(const Pack &p, Numbers &numbers, uint4 (*words)[8 * CHAINS]) {
#pragma unroll
    for (int e = 0; e < 4; e++) {
        const int i = Places::line(p, e), l = Places::place(p, e);
        unsigned integer[W];
        numbers.integer(p, e, W, [&](int w, unsigned word) { integer[w] = word; });
#pragma unroll
        for (int c = 0; c < CHAINS; c++)
            words[l][c * 8 + (i ^ l % 8)] = make_uint4(integer[4 * c], integer[4 * c + 1], integer[4 * c + 2], integer[4 * c + 3]);
    }
}

// A stage of planes of a tile: [plane][line][piece of 16 bytes].
using Stage = uint4[12][LINES][4];

// Residues of a warp's entries for a tile of columns.
template <bool SMALL> DEVICE void make_residues(const Pack &p, int tile, const unsigned (&a)[16][CHAINS], Stage &to, int line, int piece) {
    const int lane = threadIdx.x % 32, t = lane % 4;
    unsigned b[CHAINS];
#pragma unroll
    for (int c = 0; c < CHAINS; c++) b[c] = __ldg(p.weights + (tile * CHAINS + c) * 32 + lane);
    const int4 left = __ldg(p.columns + tile * 8 + 2 * t), right = __ldg(p.columns + tile * 8 + 2 * t + 1);
    const int start[4] = {left.x, right.x, left.x, right.x};
    constexpr int PLANES = PlaneBytes<SMALL>::PLANES;
    unsigned out[PLANES][4];
#pragma unroll
    for (int word = 0; word < 4; word++) {
        int bytes[PLANES][4];
#pragma unroll
        for (int half = 0; half < 2; half++) {
            int sums[4];
            const int l = word * 4 + half * 2;
            multiply_unsigned(sums, a[l][0], a[l + 1][0], b[0], start);
#pragma unroll
            for (int c = 1; c < CHAINS; c++) multiply_unsigned(sums, a[l][c], a[l + 1][c], b[c], sums);
#pragma unroll
            for (int e = 0; e < 2; e++) {
                const PlaneBytes<SMALL> found(sums[2 * e], sums[2 * e + 1], left, right);
#pragma unroll
                for (int q = 0; q < PLANES; q++) bytes[q][half * 2 + e] = found.byte[q];
            }
        }
#pragma unroll
        for (int q = 0; q < PLANES; q++) out[q][word] = join_bytes(bytes[q][0], bytes[q][1], bytes[q][2], bytes[q][3]);
    }
#pragma unroll
    for (int q = 0; q < PLANES; q++) to[PLANES * t + q][line][piece ^ t] = make_uint4(out[q][0], out[q][1], out[q][2], out[q][3]);
}

extern "C" __global__ void __launch_bounds__(WARPS * 32, PACK_BLOCKS) pack(const __grid_constant__ Pack p) {
    if (p.refused && *p.refused) return;
    // First the integers, WARPS · 16 · 8 · CHAINS pieces of 16 bytes, then two stages that take
    // turns.
    extern __shared__ uint4 shared[];
    Stage *stages = (Stage *)shared;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    uint4 (*words)[8 * CHAINS] = (uint4 (*)[8 * CHAINS])shared + warp * 16;
    // What this thread copies from stages to planes.
    const int to_plane = threadIdx.x / 64, to_line = threadIdx.x / 4 % 16, to_piece = threadIdx.x % 4;

    const int across = (int)((p.pitch + DEPTH - 1) / DEPTH);
    const long long first_line = (long long)(blockIdx.x / across) * LINES, first_place = (long long)(blockIdx.x % across) * DEPTH;
    Numbers numbers;
    numbers.load(p, first_line + warp % 2 * 8, first_place + warp / 2 * 16);
    store_integers(p, numbers, words);
    __syncwarp();
    unsigned a[16][CHAINS];
#pragma unroll
    for (int l = 0; l < 16; l++)
#pragma unroll
        for (int c = 0; c < CHAINS; c++) a[l][c] = ((const unsigned *)&words[l][c * 8 + (g ^ l % 8)])[t];
    __syncthreads();

    const bool inside = first_place + to_piece * 16 < p.pitch;
    signed char *to = p.residues + (first_line + to_line) * p.pitch + first_place + to_piece * 16;
#pragma unroll 1
    for (int tile = 0; tile < p.small_tiles; tile++) {
        Stage &stage = stages[tile % 2];
        make_residues<true>(p, tile, a, stage, warp % 2 * 8 + g, warp / 2);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 2; i++) {
            const int within = to_plane + 4 * i, plane = tile * 8 + within;
            if (inside && plane < p.small_planes) *(uint4 *)(to + plane * p.size) = stage[within][to_line][to_piece ^ within / 2];
        }
    }
#pragma unroll 1
    for (int tile = p.small_tiles; tile < p.tiles; tile++) {
        Stage &stage = stages[tile % 2];
        make_residues<false>(p, tile, a, stage, warp % 2 * 8 + g, warp / 2);
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 3; i++) {
            const int within = to_plane + 4 * i, plane = p.small_planes + (tile - p.small_tiles) * 12 + within;
            if (inside && plane < p.planes) *(uint4 *)(to + plane * p.size) = stage[within][to_line][to_piece ^ within / 3];
        }
    }
}
