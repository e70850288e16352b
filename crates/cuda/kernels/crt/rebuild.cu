// C ← α·op(A)·op(B) + β·C, from residues of the sums of products of residues.
//
// A warp computes 32 entries of a column at a time: a thread finishes one, and four threads share
// the work on the residues of four, each with a quarter of the moduli. The integers are a product
// of matrices again, of residues by the bytes of M/m, on tensor cores. While a warp computes, the
// residues of its next entries are on their way to shared memory.

#include "crt/rebuild.cuh"

// DIGITS digits of 48 bits, three words of 16 bits each, in TILES tiles of four words.
constexpr int N = LIMBS, D = DIGITS, GROUPS = (3 * D + 15) / 16, TILES = 4 * GROUPS;
constexpr int WARPS = REBUILD_WARPS, PITCH = 16 * GROUPS + 4;

#ifndef MP

DEVICE_COLD MultiFloat<N> product_by_operators(const Rebuild &p, int i, int j) {
    MultiFloat<N> sum = from_lane<N>(0.0);
    for (long long l = 0; l < p.matrices.k; l++) sum = sum + p.matrices.a.load(i, l) * p.matrices.b.load(l, j);
    return sum;
}

// α·sum + β·C, with the operators of the direct product.
DEVICE_COLD MultiFloat<N> combined(const Rebuild &p, int i, int j, MultiFloat<N> sum) {
    if (p.matrices.alpha.is_minus_one()) sum = -sum;
    else if (!p.matrices.alpha.is_one()) sum = p.matrices.alpha.value() * sum;
    if (!p.matrices.beta.is_zero()) {
        MultiFloat<N> c = p.matrices.c.load(i, j);
        if (!p.matrices.beta.is_one()) c = p.matrices.beta.value() * c;
        sum = c + sum;
    }
    return sum;
}

#endif

// Makes the integer of an entry of C, times 2^unit, a number.
DEVICE void finish(const Rebuild &p, const long long (&values)[D], int row, int column, int unit) {
#ifdef MP
    mp::Digits<mp::InRegisters<D>> digits;
#pragma unroll
    for (int d = 0; d < D; d++) digits.digit[d] = values[d];
    store_rounded(p, digits, row, column, unit);
#else
    Lane digits[D];
    crt::balanced_digits(values, digits);
    MultiFloat<N> x = crt::scaled_by_steps(crt::limbs<N>(digits), unit);
    if (!is_finite(x)) x = product_by_operators(p, row, column);
    if (!p.plain) x = combined(p, row, column, x);
    p.matrices.c.store(row, column, x);
#endif
}

// Where a warp's entries lie in the tile of C.
struct Place {
    int strip, column;

    // By `columns` columns and `strips` strips of 32 rows further.
    DEVICE void advance(int columns, int strips, int all_strips) {
        column += columns, strip += strips;
        if (strip >= all_strips) strip -= all_strips, column++;
    }

    // Whether none of them is in the part of C that is computed.
    DEVICE bool is_outside(const Rebuild &p) const {
        const int first = p.row + 32 * strip, at = p.column + column;
        return (p.part == LOWER && first + 31 < at) || (p.part == UPPER && first > at);
    }
};

// Words of 32 entries' residues of a plane: of a byte, and of a pair.
constexpr int SMALL = 8, LARGE = 16;

// Where a warp's residues are on their way: 16 planes for each step of small moduli, 24 for one of
// large ones.
struct Stage {
    unsigned *small, *large;

    DEVICE Stage(const Rebuild &p, unsigned *memory) : small(memory), large(memory + 16 * SMALL * p.small_steps) {}

    DEVICE static int words(const Rebuild &p) { return 16 * SMALL * p.small_steps + 24 * LARGE * (p.steps - p.small_steps); }

    // Begins the copy of the residues of 32 entries.
    DEVICE void copy(const Rebuild &p, Place place) const {
        if (place.column < p.columns) {
            const int lane = threadIdx.x % 32;
            const long long first = place.column * p.pitch + place.strip * 32;
            copy_planes<SMALL>(small, p.residues + first, p.size, p.small_planes, lane);
            copy_planes<LARGE>(large, p.residues + p.small_planes * p.size + 2 * first, 2 * p.size, p.planes - p.small_planes, lane);
        }
        commit_copies();
    }

    // A plane's words are copied four at a time.
    template <int WORDS> DEVICE static void copy_planes(unsigned *to, const unsigned char *from, long long size, int planes, int lane) {
        constexpr int SHARE = WORDS / 4, STEP = 32 / SHARE;
        to += lane * 4, from += lane / SHARE * size + lane % SHARE * 16;
#pragma unroll 4
        for (int plane = lane / SHARE; plane < planes; plane += STEP, to += 128, from += STEP * size) copy_quad(shared_address(to), from);
    }

    // Residues of four entries modulo small moduli of a step.
    DEVICE void small_residues(int step, unsigned (&bytes)[4]) const {
        const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
        unsigned words[4];
#pragma unroll
        for (int s = 0; s < 4; s++) words[s] = small[(16 * step + 4 * s + t) * SMALL + g];
        small_bytes(words, bytes);
    }

    // Residues of four entries modulo large moduli of a step, each as two balanced digits to
    // base 256.
    DEVICE void large_residues(int step, unsigned (&bytes)[4]) const {
        const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
        uint2 pairs[2][3];
#pragma unroll
        for (int s = 0; s < 2; s++)
#pragma unroll
            for (int q = 0; q < 3; q++) pairs[s][q] = *(const uint2 *)(large + (24 * step + 3 * (4 * s + t) + q) * LARGE + 2 * g);
        large_bytes(pairs, bytes);
    }
};

extern "C" __global__ void __launch_bounds__(WARPS * 32, REBUILD_BLOCKS) rebuild(const __grid_constant__ Rebuild p) {
    extern __shared__ int4 shared[];
    if (p.refused && *p.refused) return;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32, g = lane / 4, t = lane % 4;
    unsigned *memory = (unsigned *)shared;
    const Stage stage(p, memory + warp * Stage::words(p));
    memory += WARPS * Stage::words(p);
    int *exchange = (int *)memory + warp * 32 * PITCH;
    unsigned *weights = memory + WARPS * 32 * PITCH;

    const int strips = (p.rows + 31) / 32, first = blockIdx.x * WARPS + warp, all = gridDim.x * WARPS;
    const int column_step = all / strips, strip_step = all % strips;
    Place place = {first % strips, first / strips};
    auto skip = [&] {
        while (place.column < p.columns && place.is_outside(p)) place.advance(column_step, strip_step, strips);
    };
    skip();
    stage.copy(p, place);
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
            stage.small_residues(step, bytes);
            add_step(step, bytes);
        }
#pragma unroll 1
        for (int step = p.small_steps; step < p.steps; step++) {
            unsigned bytes[4];
            stage.large_residues(step - p.small_steps, bytes);
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
        skip();
        stage.copy(p, place);

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
            finish(p, values, row, column, unit_of(p, row, column));
    }
}
