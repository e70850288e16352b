// How the rows of chunks come into registers, and unknowns out of them. VECTORS: the rows of a
// system lie side by side and chunks begin at multiples of 16 bytes, so that a thread reads 16
// bytes at a time. STAGED: a warp reads all its chunks side by side through shared memory, for
// memory of the host, where every access is a packet on the bus.
#pragma once

#include "tridiag/partition.cuh"

#if VECTORS || STAGED

constexpr int WORDS = 16 / sizeof(Word);
struct alignas(16) Vector {
    Word word[WORDS];
};

// Chunks one after the other: that of number c of a system.
struct Place {
    long long system, first;
};

// Whole vectors of the warp's 32 chunks by thread, in the order in which they lie.
template <int K> struct Warp {
    // A vector more than a chunk has spreads chunks over memory's banks.
    static constexpr int PITCH = K + WORDS;
    Word words[32 * PITCH];
};

template <int K, class Chunks>
DEVICE void load_array(const Batch &batch, const Array &from, const Chunks &place, Warp<K> *shared, Number (&to)[K]) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int l = 0; l < PLANES; l++) {
#if STAGED
        __syncwarp();
#pragma unroll
        for (int j = 0; j < K / WORDS; j++) {
            const int e = (j * 32 + lane) * WORDS, chunk = e / K, i = e % K;
            const Place p = place(chunk);
            if (p.system < batch.systems && p.first + i < batch.size)
                *(Vector *)(shared->words + chunk * Warp<K>::PITCH + i) = *(const Vector *)(from.data + index_of(batch, p.system, p.first + i) + l * batch.plane);
        }
        __syncwarp();
#endif
        const Place own = place(lane);
#pragma unroll
        for (int i = 0; i < K; i += WORDS)
            if (own.system < batch.systems && own.first + i < batch.size) {
#if STAGED
                const Vector v = *(const Vector *)(shared->words + lane * Warp<K>::PITCH + i);
#else
                const Vector v = *(const Vector *)(from.data + index_of(batch, own.system, own.first + i) + l * batch.plane);
#endif
#pragma unroll
                for (int j = 0; j < WORDS; j++) set_limb(to[i + j], l, v.word[j]);
            }
    }
}

// The rows of this thread's chunk. `place` tells where those of the warp's threads are.
template <int K, class Chunks> DEVICE void load_rows(const Batch &batch, const Chunks &place, Warp<K> *shared, Row (&rows)[K]) {
    Number a[K], b[K], c[K], d[K];
#pragma unroll
    for (int i = 0; i < K; i++) a[i] = c[i] = d[i] = number(0.0), b[i] = number(1.0);
    load_array(batch, batch.lower, place, shared, a);
    load_array(batch, batch.diagonal, place, shared, b);
    load_array(batch, batch.upper, place, shared, c);
    load_array(batch, batch.right, place, shared, d);
    const long long first = place(threadIdx.x % 32).first;
    if (first == 0) a[0] = number(0.0);
#pragma unroll
    for (int i = 0; i < K; i++) {
        if (first + i + 1 == batch.size) c[i] = number(0.0);
        rows[i] = {a[i], b[i], c[i], d[i]};
    }
}

template <int K, class Chunks> DEVICE void store_unknowns(const Batch &batch, const Chunks &place, Warp<K> *shared, const Number (&x)[K]) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int l = 0; l < PLANES; l++) {
#if STAGED
        __syncwarp();
#pragma unroll
        for (int i = 0; i < K; i++) shared->words[lane * Warp<K>::PITCH + i] = limb(x[i], l);
        __syncwarp();
#pragma unroll
        for (int j = 0; j < K / WORDS; j++) {
            const int e = (j * 32 + lane) * WORDS, chunk = e / K, i = e % K;
            const Place p = place(chunk);
            if (p.system < batch.systems && p.first + i < batch.size)
                *(Vector *)(batch.x.data + index_of(batch, p.system, p.first + i) + l * batch.plane) = *(const Vector *)(shared->words + chunk * Warp<K>::PITCH + i);
        }
#else
        const Place own = place(lane);
#pragma unroll
        for (int i = 0; i < K; i += WORDS)
            if (own.system < batch.systems && own.first + i < batch.size) {
                Vector v;
#pragma unroll
                for (int j = 0; j < WORDS; j++) v.word[j] = limb(x[i + j], l);
                *(Vector *)(batch.x.data + index_of(batch, own.system, own.first + i) + l * batch.plane) = v;
            }
#endif
    }
}

#else

struct Place {
    long long system, first;
};

template <int K> struct Warp {};

template <int K, class Chunks> DEVICE void load_rows(const Batch &batch, const Chunks &place, Warp<K> *, Row (&rows)[K]) {
    const Place own = place(threadIdx.x % 32);
    UNROLLED
    for (int i = 0; i < K; i++) rows[i] = load_row(batch, own.system, own.first + i);
}

template <int K, class Chunks> DEVICE void store_unknowns(const Batch &batch, const Chunks &place, Warp<K> *, const Number (&x)[K]) {
    const Place own = place(threadIdx.x % 32);
    UNROLLED
    for (int i = 0; i < K; i++)
        if (own.system < batch.systems && own.first + i < batch.size) store(batch.x, index_of(batch, own.system, own.first + i), batch.plane, x[i]);
}

#endif

// Names the first of a chunk's unknowns that is not finite, if one is not.
template <int K> DEVICE void check_unknowns(const Batch &batch, const Place &own, const Number (&x)[K]) {
    bool finite = true;
    UNROLLED
    for (int i = 0; i < K; i++) finite = finite && is_number(x[i]);
    if (finite || own.system >= batch.systems) return;
    int spoilt = 0;
    UNROLLED
    for (int i = K - 1; i >= 0; i--)
        if (!is_number(x[i])) spoilt = i;
    diagnose<K>(batch, own.system, own.first, spoilt);
}
