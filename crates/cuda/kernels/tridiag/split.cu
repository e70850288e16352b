// Long tridiagonal systems by chunks of CHUNK rows, a thread for each, whose equations are a batch
// for themselves (Partition::Split in crates/linalg/src/tridiag/method.rs).
#include "tridiag/rows.cuh"

// Chunks of a batch. Neighbouring threads have neighbouring ones, or neighbouring systems where
// these lie side by side.
struct Chunks {
    const Batch &batch;
    long long count;

    DEVICE Place operator()(int lane) const {
        const long long t = (long long)blockIdx.x * blockDim.x + threadIdx.x / 32 * 32 + lane;
        return batch.row == 1 ? Place{t / count, t % count * CHUNK} : Place{t % batch.systems, t / batch.systems * CHUNK};
    }
};

DEVICE bool is_inside(const Batch &batch, const Place &place) { return place.system < batch.systems && place.first < batch.size; }

// The equation of each chunk's last row, as a row of `lasts`.
extern "C" __global__ void __launch_bounds__(128) condense(const __grid_constant__ Batch batch, const __grid_constant__ Batch lasts) {
    const Chunks place = {batch, lasts.size};
    const int lane = threadIdx.x % 32;
    const Place own = place(lane), after = {own.system, own.first + CHUNK};
    Row rows[CHUNK];
    Chunk<CHUNK> chunk;
    load_rows(batch, place, (Warp<CHUNK> *)nullptr, rows);
    chunk.reduce(rows);
    // The first row of the next chunk, which a neighbour has, or nobody near.
    Equation first = from_lane_above<32>(chunk.row[0], 1);
    const bool has_next = after.first < batch.size;
    if (has_next && (batch.row != 1 || lane == 31)) {
        Chunk<CHUNK> next;
        UNROLLED
        for (int i = 0; i < CHUNK; i++) rows[i] = load_row(batch, after.system, after.first + i);
        next.reduce(rows);
        first = next.row[0];
    }
    if (!is_inside(batch, own)) return;
    const Equation e = chunk.last(has_next, first);
    const long long at = index_of(lasts, own.system, own.first / CHUNK);
    store(lasts.lower, at, lasts.plane, e.p);
    store(lasts.diagonal, at, lasts.plane, number(1.0));
    store(lasts.upper, at, lasts.plane, e.q);
    store(lasts.right, at, lasts.plane, e.r);
}

// All unknowns from those of the last rows.
extern "C" __global__ void __launch_bounds__(128) expand(const __grid_constant__ Batch batch, const __grid_constant__ Batch lasts) {
    const Chunks place = {batch, lasts.size};
    const Place own = place(threadIdx.x % 32);
    Row rows[CHUNK];
    Chunk<CHUNK> chunk;
    Number x[CHUNK];
    load_rows(batch, place, (Warp<CHUNK> *)nullptr, rows);
    chunk.reduce(rows);
    if (!is_inside(batch, own)) return;
    const long long c = own.first / CHUNK;
    const Number last = load(lasts.x, index_of(lasts, own.system, c), lasts.plane);
    const Number before = c > 0 ? load(lasts.x, index_of(lasts, own.system, c - 1), lasts.plane) : number(0.0);
    x[0] = chunk.first(before, last);
    UNROLLED
    for (int i = 1; i < CHUNK - 1; i++) x[i] = chunk.between(i, x[0], last);
    x[CHUNK - 1] = last;
    store_unknowns(batch, place, (Warp<CHUNK> *)nullptr, x);
    check_unknowns(batch, own, x);
}
