// Elements of a block through a step: a block of threads has a patch, a thread an element. ELEMENT (a shape), THE_LAW, SMALL (what is rounded), SUM (what is summed), PATCH and BLOCKS (that run on a multiprocessor at the same time) are defined.
// The patch's nodes come to shared memory first; there the forces of all corners meet, and each node's are summed in the order of crates/linalg/src/cpu/solid/block.rs.
#include "copy.cuh"
#include "fem_clock.cuh"
#include "fem_one_point.cuh"
#include "fem_selective.cuh"

namespace fem {

typedef ELEMENT Kind;
typedef SMALL S;
typedef SUM A;
constexpr int N = Kind::N;

struct Elements {
    // Of each patch where its nodes begin; nodes; of each element its nodes' places; of each node of a patch where its corners begin, and these.
    const unsigned *first, *own;
    const unsigned short *local, *turns, *corners;
    // The elements' places in their block.
    const unsigned* names;
    const A* masses;
    A* points;
    S* controls;
    A* sums;
    double* works;
    const double* x;
    const A *u, *v;
    Clock* clock;
    double unit, energy;
    int count, number, first_patch, room;
    Material material;
};

// Nodes of an element in shared memory: places of all of the patch's, then their steps.
struct Corners {
    const A *places_of_all, *steps_of_all;
    unsigned short at[N];

    DEVICE void of(const A* rows, V3<A> (&to)[N]) const {
#pragma unroll
        for (int i = 0; i < N; i++) {
            const A* row = rows + 3 * at[i];
            to[i] = V3<A>{{row[0], row[1], row[2]}};
        }
    }
    DEVICE void places(V3<A> (&to)[N]) const { of(places_of_all, to); }
    DEVICE void steps(V3<A> (&to)[N]) const { of(steps_of_all, to); }
};

template <class T>
struct alignas(2 * N) Packed {
    T at[N];
};

// Begins the copy of numbers to shared memory; both begin at a multiple of 16 bytes.
template <class T>
DEVICE void copy_ahead(T* to, const T* from, int count) {
    for (int i = threadIdx.x * (16 / (int)sizeof(T)); i < count; i += PATCH * (16 / (int)sizeof(T)))
        copy_quad(shared_address(to + i), from + i);
}

// Where a patch has what it needs in shared memory: nodes and forces, corners and where they begin; what elements with one point remember.
struct Ahead {
    A* rows;
    A* points;
    S* controls;
    unsigned short *corners, *turns;
};

constexpr int MODES = 3 * Kind::M;
constexpr bool COPIES = Kind::POINTS == 1;

// `room` is that of nodes and forces, in numbers.
DEVICE Ahead ahead_in(double* shared, int room, int numbers) {
    Ahead ahead;
    ahead.rows = (A*)shared;
    ahead.points = ahead.rows + room;
    ahead.controls = (S*)(ahead.points + (COPIES ? PATCH * numbers : 0));
    ahead.corners = (unsigned short*)(ahead.controls + (COPIES ? PATCH * MODES : 0));
    ahead.turns = ahead.corners + PATCH * N;
    return ahead;
}

template <class K>
DEVICE Advanced<S, A> advance(const Elements& elements, const Step& step, const Corners& corners, const Ahead& ahead, size_t base, int thread, V3<A> (&forces)[K::N]) {
    const A* masses = elements.masses + base * K::POINTS + thread;
    A* points = elements.points + base * (K::POINTS * elements.material.numbers + 1) + thread;
    S* controls = elements.controls + base * MODES + thread;
    if constexpr (K::POINTS == 1)
        return advance_one_point<K, THE_LAW, S, A>(elements.material, step, corners, masses[0], Slots<A, PATCH>{ahead.points + thread, points},
                                                   Slots<S, PATCH>{ahead.controls + thread, controls}, forces);
    else
        return advance_selective<PATCH, THE_LAW, S, A>(elements.material, step, corners, masses, Slots<A, PATCH>{points, points}, forces);
}

extern "C" __global__ void __launch_bounds__(PATCH, BLOCKS) advance_elements(const __grid_constant__ Elements elements) {
    extern __shared__ double shared[];
    Clock& clock = *elements.clock;
    if (!clock.is_moving || clock.broken != NONE) return;
    const Step step = clock.step;
    const int patch = elements.first_patch + blockIdx.x, thread = threadIdx.x;
    const unsigned begin = elements.first[patch], count = elements.first[patch + 1] - begin;
    const size_t base = (size_t)patch * PATCH;
    const bool is_there = base + thread < elements.count;
    const int numbers = Kind::POINTS * elements.material.numbers + 1;
    const Ahead ahead = ahead_in(shared, elements.room, numbers);
    A* rows = ahead.rows;
    if (COPIES) {
        copy_ahead(ahead.points, elements.points + base * numbers, PATCH * numbers);
        copy_ahead(ahead.controls, elements.controls + base * MODES, PATCH * MODES);
    }
    copy_ahead(ahead.corners, elements.corners + base * N, PATCH * N);
    commit_copies();
    Corners corners = {rows, rows + 3 * count};
    const Packed<unsigned short> packed = ((const Packed<unsigned short>*)elements.local)[base + thread];
#pragma unroll
    for (int i = 0; i < N; i++) corners.at[i] = packed.at[i];
    for (unsigned i = thread; i <= count; i += PATCH) ahead.turns[i] = elements.turns[begin + patch + i];
    const double half = 0.5 * step.dt, unit = Kind::PART * elements.unit;
    for (unsigned i = thread; i < 3 * count; i += PATCH) {
        const size_t at = 3 * (size_t)elements.own[begin + i / 3] + i % 3;
        const double speed = elements.v[at];
        rows[i] = A(unit * (elements.x[at] + (elements.u[at] - half * speed)));
        rows[3 * count + i] = A(unit * (step.dt * speed));
    }
    wait_for_copies<0>();
    __syncthreads();
    // The last patch is filled with copies of its last element, which count for nothing.
    V3<A> forces[N];
    Advanced<S, A> done = advance<Kind>(elements, step, corners, ahead, base, thread, forces);
    if (is_there && !(done.least > A(0))) atomicMin(&clock.inverted, (unsigned long long)elements.number << 32 | elements.names[base + thread]);
    __syncthreads();
#pragma unroll
    for (int i = 0; i < N; i++)
#pragma unroll
        for (int k = 0; k < 3; k++) rows[3 * (i * PATCH + thread) + k] = forces[i][k];
    __syncthreads();
    const double force = elements.energy * elements.unit;
    for (unsigned i = thread; i < 3 * count; i += PATCH) {
        const unsigned node = i / 3, k = i % 3;
        A sum = A(0);
        for (unsigned t = ahead.turns[node]; t < ahead.turns[node + 1]; t++) sum += rows[3 * ahead.corners[t] + k];
        elements.sums[3 * (size_t)begin + i] = A(force * sum);
    }
    // The least step and the works of the patch.
    double least = is_there ? (double)done.stable : __longlong_as_double(0x7ff0000000000000ll), work[4];
#pragma unroll
    for (int k = 0; k < 4; k++) work[k] = is_there ? (double)done.work[k] : 0.0;
#pragma unroll
    for (int other = 16; other; other /= 2) {
        least = lesser(least, __shfl_down_sync(~0u, least, other));
#pragma unroll
        for (int k = 0; k < 4; k++) work[k] += __shfl_down_sync(~0u, work[k], other);
    }
    __syncthreads();
    if (thread % 32 == 0) {
        atomicMin(&clock.found, (unsigned long long)__double_as_longlong(least));
#pragma unroll
        for (int k = 0; k < 4; k++) shared[4 * (thread / 32) + k] = work[k];
    }
    __syncthreads();
    if (thread < 4) {
        double sum = 0;
        for (int warp = 0; warp < PATCH / 32; warp++) sum += shared[4 * warp + thread];
        elements.works[4 * (size_t)patch + thread] += elements.energy * sum;
    }
}

} // namespace fem
