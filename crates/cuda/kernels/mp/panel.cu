// Factorisation of a few columns of numbers of any precision: LU with partial pivoting, Cholesky.
// The sums and bits of crates/linalg/src/cpu/mp/panel.rs.
//
// SHARE threads have a row. A column is what is left of the matrix after one sum of products; so is
// the row of U behind a pivot, which every block computes for itself. Rows do not move while the
// panel is factored: `places` says where each is after the exchanges. The host moves them.

#include "dense/matrix.cuh"
#include "dense/offers.cuh"
#include "mp/divisor.cuh"
#include "mp/lines.cuh"
#include "mp/nearest.cuh"

using Divisor = mp::Divisor<PRECISION>;

constexpr int WIDTH = PANEL_WIDTH, THREADS = PANEL_THREADS, SHARE = PANEL_SHARE, GROUPS = THREADS / SHARE;
// Terms of a sum.
constexpr int LOG = 8;
static_assert(WIDTH <= 1 << LOG, "a sum has fewer terms than the panel has columns");

// What the host reads when the panel is done.
struct Outcome {
    // The column without a pivot, or −1.
    long long column;
    double pivot;
    // The row exchanged with each row of the panel.
    long long exchanges[WIDTH];
};

// What a block offers as the next pivot: its size and place, and its row in memory.
struct Candidate {
    Packet offer, row;
};

// The first failure of a Cholesky factorisation: one more than its column, or 0 for none, and what
// stood in the pivot's place.
struct Failure {
    long long place;
    double pivot;
};

#include "arguments.cuh"

// No candidate; magnitudes by exponents and 34 bits; what is not finite wins.
constexpr unsigned long long NONE = 0, NOT_FINITE = ~0ull;

DEVICE unsigned long long size_of(const Number &x) {
    if (!mp::is_finite(x.head)) return NOT_FINITE;
    // Zeros are candidates too.
    if (mp::is_zero(x.head)) return NONE + 1;
    return ((unsigned long long)(x.code() + mp::GREATEST + 1) << 33 | x.digits.highest_word() << 1 >> 31) + 2;
}

// Numbers that the block has for itself, `step` of them from one to the next.
struct Own {
    const mp::Word *first;
    int step;

    DEVICE int head(long long k) const { return (int)first[k * step * LANES + Number::WORDS]; }
    DEVICE Number load(long long k) const { return mp::load<PRECISION>(first + k * step * LANES); }
};

DEVICE double nearest(const Number &x) { return mp::nearest(x.head, x.digits.highest_word()); }

struct LuShared {
    // The row of the pivot: entries of L, then of the matrix.
    mp::Word row[WIDTH * LANES];
    mp::Word divisor[LANES];
    bool multiplies;
    Best<THREADS> inside, outside;
    int blocks[THREADS];
};

extern "C" __global__ void __launch_bounds__(THREADS) lu_panel(const __grid_constant__ LuPanel p) {
    __shared__ LuShared shared;
    mp::Word *const u = p.rows_of_u + (long long)blockIdx.x * WIDTH * WIDTH * LANES;
    const int share = threadIdx.x % SHARE, group = threadIdx.x / SHARE;
    const long long first = (long long)blockIdx.x * GROUPS + group, step = (long long)gridDim.x * GROUPS;
    const int columns = (int)p.columns;
    const auto at = [&](int i, int j) { return u + (i * WIDTH + j) * LANES; };
    // Threads of a warp go through as many rows.
    const long long rounds = (p.rows + step - 1) / step;
    for (long long round = 0; round < rounds; round++) {
        const long long row = first + round * step;
        if (share == 0 && row < p.rows) p.places[row] = row;
    }
    __syncwarp();
    long long last_row = -1;
    for (int j = 0; j < columns; j++) {
        const unsigned turn = j + 1;
        Offer best = {NONE, (unsigned)p.rows};
        long long best_row = -1;
        for (long long round = 0; round < rounds; round++) {
            const long long row = first + round * step;
            const long long place = row < p.rows ? p.places[row] : -1;
            const bool present = place >= j;
            // The groups of a warp come together.
            const Number sum = mp::dot<SHARE, LOG>(present ? j : 0, mp::Row{p.a, row}, Own{at(0, j), WIDTH});
            if (!present || share != 0) continue;
            const Number b = p.a.load(row, j), x = j == 0 ? b : b - sum;
            p.a.store(row, j, x);
            const Offer offer = {size_of(x), (unsigned)place};
            if (wins(offer, best)) best = offer, best_row = row;
        }
        __threadfence();
        const int owner = shared.inside.of_block(best);
        if (threadIdx.x == owner) {
            Candidate &mine = p.candidates[2 * blockIdx.x + j % 2];
            publish(&mine.row, (unsigned long long)best_row, turn);
            publish_offer(&mine.offer, best, turn);
        }
        best = {NONE, (unsigned)p.rows};
        shared.blocks[threadIdx.x] = 0;
        for (int b = threadIdx.x; b < gridDim.x; b += THREADS) {
            const Offer offer = await_offer(&p.candidates[2 * b + j % 2].offer, turn);
            if (wins(offer, best)) best = offer, shared.blocks[threadIdx.x] = b;
        }
        const Candidate &winner = p.candidates[2 * shared.blocks[shared.outside.of_block(best)] + j % 2];
        const long long best_place = best.place;
        Packet packet;
        do packet = peek(&winner.row);
        while ((unsigned)packet.tail != turn);
        const long long pivot_row = (long long)packet.data;
        __threadfence();
        // All blocks have done with the entries whose place the last row of U takes.
        if (blockIdx.x == 0 && last_row >= 0)
            for (int e = threadIdx.x; e < (columns - j) * LANES; e += THREADS)
                ((mp::Word *)p.a.at(last_row, j + e / LANES))[e % LANES] = at(j - 1, j)[e];
        last_row = pivot_row;
        for (int e = threadIdx.x; e < columns * LANES; e += THREADS) shared.row[e] = __ldcg(p.a.words(pivot_row, e / LANES) + e % LANES);
        __syncthreads();
        const Number pivot = mp::load<PRECISION>(shared.row + j * LANES);
        if (blockIdx.x == 0 && threadIdx.x == 0) p.outcome->exchanges[j] = best_place;
        if (!mp::is_number(pivot.head)) {
            if (blockIdx.x == 0 && threadIdx.x == 0) {
                p.outcome->column = j;
                p.outcome->pivot = mp::is_zero(pivot.head) ? 0.0 : __hiloint2double(0x7ff80000, 0);
            }
            return;
        }
        // The row of U by all warps but the last, which finds the divisor.
        constexpr int U_GROUPS = GROUPS - 32 / SHARE;
        if (threadIdx.x >= THREADS - 32) {
            const Divisor divisor = Divisor::of(pivot);
            if (threadIdx.x == THREADS - 1) mp::store(shared.divisor, divisor.number), shared.multiplies = divisor.multiplies;
        } else {
            for (int c = j + 1; c < columns; c += U_GROUPS) {
                const int column = c + group;
                const bool present = column < columns;
                const Number sum = mp::dot<SHARE, LOG>(present ? j : 0, Own{shared.row, 1}, Own{at(0, present ? column : 0), WIDTH});
                if (!present || share != 0) continue;
                const Number b = mp::load<PRECISION>(shared.row + column * LANES);
                mp::store(at(j, column), j == 0 ? b : b - sum);
            }
        }
        __syncthreads();
        const Divisor divisor = {mp::load<PRECISION>(shared.divisor), shared.multiplies};
        for (long long round = 0; round < rounds; round++) {
            const long long row = first + round * step;
            const long long place = row < p.rows ? p.places[row] : -1;
            __syncwarp();
            if (place < j || share != 0) continue;
            if (place == best_place) {
                p.places[row] = j;
            } else {
                if (place == j) p.places[row] = best_place;
                p.a.store(row, j, divisor.divide(p.a.load(row, j)));
            }
        }
        __syncthreads();
    }
    if (blockIdx.x == 0 && threadIdx.x == 0) p.outcome->column = -1;
}

// The square on top, by one block. Rows below it are for a substitution.
extern "C" __global__ void __launch_bounds__(THREADS) cholesky_panel(const __grid_constant__ CholeskyPanel p) {
    __shared__ mp::Word divisor_lanes[LANES];
    __shared__ bool multiplies;
    if (p.failure->place != 0) return;
    const int share = threadIdx.x % SHARE, group = threadIdx.x / SHARE, columns = (int)p.columns;
    for (int j = 0; j < columns; j++) {
        // Threads of a warp go through as many rows.
        for (int first = j; first < columns; first += GROUPS) {
            const int i = first + group;
            const bool present = i < columns;
            const Number sum = mp::dot<SHARE, LOG>(present ? j : 0, mp::Row{p.a, present ? i : 0}, mp::Row{p.a, j});
            if (!present || share != 0) continue;
            const Number b = p.a.load(i, j);
            p.a.store(i, j, j == 0 ? b : b - sum);
        }
        __syncthreads();
        const Number square = p.a.load(j, j);
        if (!mp::is_number(square.head) || square.is_negative()) {
            if (threadIdx.x == 0) p.failure->pivot = nearest(square), p.failure->place = p.column + j + 1;
            return;
        }
        __syncthreads();
        if (threadIdx.x == 0) {
            const mp::Root<PRECISION> root = mp::root_of(square);
            p.a.store(j, j, root.root);
            const Divisor divisor = Divisor::by(root.root, mp::reciprocal_of_root(root));
            mp::store(divisor_lanes, divisor.number), multiplies = divisor.multiplies;
        }
        __syncthreads();
        const Divisor divisor = {mp::load<PRECISION>(divisor_lanes), multiplies};
        for (int i = j + 1 + (int)threadIdx.x; i < columns; i += THREADS) p.a.store(i, j, divisor.divide(p.a.load(i, j)));
        __syncthreads();
    }
}
