// Long tridiagonal systems by chunks of CHUNK rows, a thread for each, whose equations are a batch for themselves (Partition::Split in crates/linalg/src/tridiag/method.rs).
#include "partition.cuh"

struct Place {
    long long system, chunk;
};

// Neighbouring threads have neighbouring numbers: chunks, or systems where these lie side by side.
DEVICE Place place(const Batch &batch, long long chunks) {
    const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    return batch.row == 1 ? Place{t / chunks, t % chunks} : Place{t % batch.systems, t / batch.systems};
}

DEVICE void load_chunk(const Batch &batch, long long s, long long first, Row (&rows)[CHUNK]) {
#pragma unroll
    for (int i = 0; i < CHUNK; i++) rows[i] = batch.load(s, first + i);
}

// The equation of each chunk's last row, as a row of `lasts`.
extern "C" __global__ void __launch_bounds__(128) condense(const Batch batch, const Batch lasts) {
    const auto [s, c] = place(batch, lasts.size);
    if (s >= batch.systems || c >= lasts.size) return;
    Row rows[CHUNK];
    Chunk<CHUNK> chunk, next;
    const bool has_next = c + 1 < lasts.size;
    // The neighbour's first row is found twice: that is fewer accesses to memory than to leave it there.
    load_chunk(batch, s, (c + 1) * CHUNK, rows);
    next.reduce(rows);
    const Equation first = next.row[0];
    load_chunk(batch, s, c * CHUNK, rows);
    chunk.reduce(rows);
    const Equation e = chunk.last(has_next, first);
    const long long at = lasts.at(s, c);
    lasts.lower.store(at, lasts.plane, e.p);
    lasts.diagonal.store(at, lasts.plane, number(1.0));
    lasts.upper.store(at, lasts.plane, e.q);
    lasts.right.store(at, lasts.plane, e.r);
}

// All unknowns from those of the last rows.
extern "C" __global__ void __launch_bounds__(128) expand(const Batch batch, const Batch lasts) {
    const auto [s, c] = place(batch, lasts.size);
    if (s >= batch.systems || c >= lasts.size) return;
    Row rows[CHUNK];
    Chunk<CHUNK> chunk;
    const long long begin = c * CHUNK;
    load_chunk(batch, s, begin, rows);
    chunk.reduce(rows);
    const Number last = lasts.x.load(lasts.at(s, c), lasts.plane);
    const Number before = c > 0 ? lasts.x.load(lasts.at(s, c - 1), lasts.plane) : number(0.0);
    const Number first = chunk.first(before, last);
    int spoilt = -1;
#pragma unroll
    for (int i = CHUNK - 1; i >= 0; i--) {
        const Number x = i == 0 ? first : i == CHUNK - 1 ? last : chunk.between(i, first, last);
        if (begin + i < batch.size) batch.x.store(batch.at(s, begin + i), batch.plane, x);
        if (!is_number(x)) spoilt = i;
    }
    if (spoilt >= 0) diagnose<CHUNK>(batch, s, begin, spoilt);
}
