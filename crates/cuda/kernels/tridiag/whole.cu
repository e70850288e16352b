// Tridiagonal systems by chunks: each system in CHUNKS threads of one block, with CHUNK rows a
// thread (Partition::Whole in crates/linalg/src/tridiag/method.rs). INTERLEAVED: the systems lie
// side by side, and so do the threads of a chunk.
#include "tridiag/rows.cuh"

constexpr int THREADS = INTERLEAVED ? SIDE * CHUNKS : CHUNKS > 32 ? CHUNKS : 128;
// Systems of a block.
constexpr int SYSTEMS = THREADS / CHUNKS;

#if STAGED
__shared__ Warp<CHUNK> staged[THREADS / 32];
#define OWN_WARP (staged + threadIdx.x / 32)
#else
#define OWN_WARP ((Warp<CHUNK> *)nullptr)
#endif

// Where the chunk of a thread of this warp begins.
DEVICE Place place_of(int lane) {
    const int t = threadIdx.x / 32 * 32 + lane;
    const int g = INTERLEAVED ? t % SYSTEMS : t / CHUNKS, w = INTERLEAVED ? t / SYSTEMS : t % CHUNKS;
    return {(long long)blockIdx.x * SYSTEMS + g, (long long)w * CHUNK};
}

#if INTERLEAVED || CHUNKS > 32

// The equations of a block's systems, by limbs.
struct Shared {
    // A column more than there are chunks spreads the systems over memory's banks.
    Word words[3][PLANES][SYSTEMS][CHUNKS + 1];

    DEVICE void put(int part, int g, int w, const Number &x) {
        UNROLLED
        for (int l = 0; l < PLANES; l++) words[part][l][g][w] = limb(x, l);
    }
    DEVICE Number get(int part, int g, int w) const {
        Number x;
        UNROLLED
        for (int l = 0; l < PLANES; l++) set_limb(x, l, words[part][l][g][w]);
        return x;
    }
    DEVICE void put(int g, int w, const Equation &e) { put(0, g, w, e.p), put(1, g, w, e.q), put(2, g, w, e.r); }
    DEVICE Equation get(int g, int w) const { return {get(0, g, w), get(1, g, w), get(2, g, w)}; }
};

// The last unknowns of all chunks in place of `r`. All threads come here.
DEVICE void solve_lasts(Shared &shared) {
#if CHUNKS > 32
    constexpr int K = CHUNKS / 32;
    if (threadIdx.x < 32) {
        Row rows[K];
        Number x[K];
        UNROLLED
        for (int i = 0; i < K; i++) {
            const Equation e = shared.get(0, threadIdx.x * K + i);
            rows[i] = {e.p, number(1.0), e.q, e.r};
        }
        solve_lanes<K, 32>(rows, threadIdx.x, x);
        UNROLLED
        for (int i = 0; i < K; i++) shared.put(2, 0, threadIdx.x * K + i, x[i]);
    }
#else
    // Threads side by side now have the chunks of a system.
    const int g = threadIdx.x / CHUNKS, w = threadIdx.x % CHUNKS;
    shared.put(2, g, w, cyclic<CHUNKS>(shared.get(g, w)));
#endif
}

extern "C" __global__ void __launch_bounds__(THREADS) solve(const __grid_constant__ Batch batch) {
    __shared__ Shared shared;
    const int g = INTERLEAVED ? threadIdx.x % SYSTEMS : 0, w = INTERLEAVED ? threadIdx.x / SYSTEMS : threadIdx.x;
    Row rows[CHUNK];
    load_rows(batch, place_of, OWN_WARP, rows);
    Chunk<CHUNK> chunk;
    chunk.reduce(rows);
    shared.put(g, w, chunk.row[0]);
    __syncthreads();
    const bool has_next = w + 1 < CHUNKS;
    const Equation equation = chunk.last(has_next, shared.get(g, has_next ? w + 1 : w));
    __syncthreads();
    shared.put(g, w, equation);
    __syncthreads();
    solve_lasts(shared);
    __syncthreads();
    Number x[CHUNK];
    const Number last = shared.get(2, g, w), before = w > 0 ? shared.get(2, g, w - 1) : number(0.0);
    x[0] = chunk.first(before, last);
    UNROLLED
    for (int i = 1; i < CHUNK - 1; i++) x[i] = chunk.between(i, x[0], last);
    x[CHUNK - 1] = last;
    store_unknowns(batch, place_of, OWN_WARP, x);
    check_unknowns(batch, place_of(threadIdx.x % 32), x);
}

#else

extern "C" __global__ void __launch_bounds__(THREADS) solve(const __grid_constant__ Batch batch) {
    const int lane = threadIdx.x % CHUNKS;
    Row rows[CHUNK];
    Number x[CHUNK];
    load_rows(batch, place_of, OWN_WARP, rows);
    solve_lanes<CHUNK, CHUNKS>(rows, lane, x);
    store_unknowns(batch, place_of, OWN_WARP, x);
    check_unknowns(batch, place_of(threadIdx.x % 32), x);
}

#endif
