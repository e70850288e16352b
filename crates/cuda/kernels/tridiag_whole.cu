// Tridiagonal systems by chunks: each system in CHUNKS threads of one block, with CHUNK rows a thread (Partition::Whole in crates/linalg/src/tridiag/method.rs). INTERLEAVED: the systems lie side by side, and so do
// the threads of a chunk. VECTORS: rows lie side by side, and every chunk begins at a multiple of 16 bytes.
#include "partition.cuh"

constexpr int THREADS = INTERLEAVED ? SIDE * CHUNKS : CHUNKS > 32 ? CHUNKS : 128;
// Systems of a block.
constexpr int SYSTEMS = THREADS / CHUNKS;

#if VECTORS
constexpr int WORDS = 16 / sizeof(Word);
struct alignas(16) Vector {
    Word word[WORDS];
};

DEVICE void load_array(const Array &from, long long at, long long plane, int limit, Number (&to)[CHUNK]) {
#pragma unroll
    for (int l = 0; l < PLANES; l++)
#pragma unroll
        for (int i = 0; i < CHUNK; i += WORDS)
            if (i < limit) {
                const Vector v = *(const Vector *)(from.data + at + i + l * plane);
#pragma unroll
                for (int j = 0; j < WORDS; j++) set_limb(to[i + j], l, v.word[j]);
            }
}
#endif

DEVICE void load_rows(const Batch &batch, long long s, long long first, Row (&rows)[CHUNK]) {
#if VECTORS
    const int limit = s < batch.systems ? (int)max(min(batch.size - first, (long long)CHUNK), 0ll) : 0;
    const long long at = batch.at(s, first);
    Number a[CHUNK], b[CHUNK], c[CHUNK], d[CHUNK];
#pragma unroll
    for (int i = 0; i < CHUNK; i++) a[i] = c[i] = d[i] = number(0.0), b[i] = number(1.0);
    load_array(batch.lower, at, batch.plane, limit, a);
    load_array(batch.diagonal, at, batch.plane, limit, b);
    load_array(batch.upper, at, batch.plane, limit, c);
    load_array(batch.right, at, batch.plane, limit, d);
    if (first == 0) a[0] = number(0.0);
#pragma unroll
    for (int i = 0; i < CHUNK; i++) {
        if (first + i + 1 == batch.size) c[i] = number(0.0);
        rows[i] = {a[i], b[i], c[i], d[i]};
    }
#else
#pragma unroll
    for (int i = 0; i < CHUNK; i++) rows[i] = batch.load(s, first + i);
#endif
}

DEVICE void store_unknowns(const Batch &batch, long long s, long long first, const Number (&x)[CHUNK]) {
    if (s >= batch.systems) return;
#if VECTORS
    const long long at = batch.at(s, first);
#pragma unroll
    for (int l = 0; l < PLANES; l++)
#pragma unroll
        for (int i = 0; i < CHUNK; i += WORDS)
            if (first + i < batch.size) {
                Vector v;
#pragma unroll
                for (int j = 0; j < WORDS; j++) v.word[j] = limb(x[i + j], l);
                *(Vector *)(batch.x.data + at + i + l * batch.plane) = v;
            }
#else
#pragma unroll
    for (int i = 0; i < CHUNK; i++)
        if (first + i < batch.size) batch.x.store(batch.at(s, first + i), batch.plane, x[i]);
#endif
    bool finite = true;
#pragma unroll
    for (int i = 0; i < CHUNK; i++) finite = finite && is_number(x[i]);
    if (!finite) {
        int spoilt = 0;
#pragma unroll
        for (int i = CHUNK - 1; i >= 0; i--)
            if (!is_number(x[i])) spoilt = i;
        diagnose<CHUNK>(batch, s, first, spoilt);
    }
}

#if INTERLEAVED || CHUNKS > 32

// The equations of a block's systems, by limbs.
struct Shared {
    // A column more than there are chunks spreads the systems over memory's banks.
    Word words[3][PLANES][SYSTEMS][CHUNKS + 1];

    DEVICE void put(int part, int g, int w, const Number &x) {
#pragma unroll
        for (int l = 0; l < PLANES; l++) words[part][l][g][w] = limb(x, l);
    }
    DEVICE Number get(int part, int g, int w) const {
        Number x;
#pragma unroll
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
#pragma unroll
        for (int i = 0; i < K; i++) {
            const Equation e = shared.get(0, threadIdx.x * K + i);
            rows[i] = {e.p, number(1.0), e.q, e.r};
        }
        solve_lanes<K, 32>(rows, threadIdx.x, x);
#pragma unroll
        for (int i = 0; i < K; i++) shared.put(2, 0, threadIdx.x * K + i, x[i]);
    }
#else
    // Threads side by side now have the chunks of a system.
    const int g = threadIdx.x / CHUNKS, w = threadIdx.x % CHUNKS;
    shared.put(2, g, w, cyclic<CHUNKS>(shared.get(g, w)));
#endif
}

extern "C" __global__ void __launch_bounds__(THREADS) solve(const Batch batch) {
    __shared__ Shared shared;
    const int g = INTERLEAVED ? threadIdx.x % SYSTEMS : 0, w = INTERLEAVED ? threadIdx.x / SYSTEMS : threadIdx.x;
    const long long s = (long long)blockIdx.x * SYSTEMS + g, first = (long long)w * CHUNK;
    Row rows[CHUNK];
    load_rows(batch, s, first, rows);
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
#pragma unroll
    for (int i = 1; i < CHUNK - 1; i++) x[i] = chunk.between(i, x[0], last);
    x[CHUNK - 1] = last;
    store_unknowns(batch, s, first, x);
}

#else

extern "C" __global__ void __launch_bounds__(THREADS) solve(const Batch batch) {
    const int lane = threadIdx.x % CHUNKS;
    const long long s = (long long)blockIdx.x * SYSTEMS + threadIdx.x / CHUNKS, first = (long long)lane * CHUNK;
    Row rows[CHUNK];
    Number x[CHUNK];
    load_rows(batch, s, first, rows);
    solve_lanes<CHUNK, CHUNKS>(rows, lane, x);
    store_unknowns(batch, s, first, x);
}

#endif
