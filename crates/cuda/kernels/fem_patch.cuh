// Patches of a block's elements: a block of threads has a patch, a thread an element. ELEMENT (a shape), THE_LAW, SMALL (what is rounded), SUM (what is summed), PATCH and BLOCKS (that run on a multiprocessor at the same time) are defined.
// The patch's nodes come to shared memory first; there the forces of all corners meet, and each node's are summed in the order of crates/linalg/src/cpu/solid/block.rs.
#pragma once

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
    // What elements remember, patch by patch and number by number.
    A* memories;
    A* sums;
    double* works;
    const double* x;
    const A *u, *v;
    Clock* clock;
    double unit, energy;
    // Elements; the block's number; the first patch; numbers of the room for nodes and forces.
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
    // Where they are at the end.
    DEVICE void ends(V3<A> (&to)[N]) const {
        V3<A> at[N], d[N];
        places(at);
        steps(d);
        moved(at, 0.5, d, to);
    }
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

// Where a patch has what it needs in shared memory: nodes and forces; what elements with one point remember; corners and where they begin.
struct Ahead {
    A *rows, *memories;
    unsigned short *corners, *turns;
};

constexpr bool COPIES = Kind::POINTS == 1;

// How many numbers an element remembers.
DEVICE int remembered(const Elements& elements) { return Kind::POINTS * elements.material.numbers + 3 * Kind::M + 1; }

// Where the memory of the thread's element is on the device.
DEVICE A* memory_of(const Elements& elements, size_t base) { return elements.memories + base * remembered(elements) + threadIdx.x; }

DEVICE Ahead ahead_in(double* shared, const Elements& elements) {
    Ahead ahead;
    ahead.rows = (A*)shared;
    ahead.memories = ahead.rows + elements.room;
    ahead.corners = (unsigned short*)(ahead.memories + (COPIES ? PATCH * remembered(elements) : 0));
    ahead.turns = ahead.corners + PATCH * N;
    return ahead;
}

// A block's patch: its number, that of its first element, its first node and how many there are.
struct Patch {
    int number;
    size_t base;
    unsigned begin, count;
};

DEVICE Patch patch_of(const Elements& elements) {
    const int number = elements.first_patch + blockIdx.x;
    const unsigned begin = elements.first[number];
    return {number, (size_t)number * PATCH, begin, elements.first[number + 1] - begin};
}

// Brings nodes half a step of length dt before their places, and their steps, to shared memory, and all else that is read there; the thread's corners.
DEVICE Corners gather(const Elements& elements, const Patch& patch, const Ahead& ahead, double dt, bool with_memory) {
    const int numbers = remembered(elements);
    A* rows = ahead.rows;
    if (COPIES && with_memory) copy_ahead(ahead.memories, elements.memories + patch.base * numbers, PATCH * numbers);
    copy_ahead(ahead.corners, elements.corners + patch.base * N, PATCH * N);
    commit_copies();
    Corners corners = {rows, rows + 3 * patch.count};
    const Packed<unsigned short> packed = ((const Packed<unsigned short>*)elements.local)[patch.base + threadIdx.x];
#pragma unroll
    for (int i = 0; i < N; i++) corners.at[i] = packed.at[i];
    for (unsigned i = threadIdx.x; i <= patch.count; i += PATCH) ahead.turns[i] = elements.turns[patch.begin + patch.number + i];
    const double half = 0.5 * dt, unit = Kind::PART * elements.unit;
    for (unsigned i = threadIdx.x; i < 3 * patch.count; i += PATCH) {
        const size_t at = 3 * (size_t)elements.own[patch.begin + i / 3] + i % 3;
        const double speed = elements.v[at];
        rows[i] = A(unit * (elements.x[at] + (elements.u[at] - half * speed)));
        rows[3 * patch.count + i] = A(unit * (dt * speed));
    }
    wait_for_copies<0>();
    __syncthreads();
    return corners;
}

// Sums up what each node of the patch gets of its corners.
DEVICE void meet(const Elements& elements, const Patch& patch, const Ahead& ahead, const V3<A> (&forces)[N]) {
    A* rows = ahead.rows;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < N; i++)
#pragma unroll
        for (int k = 0; k < 3; k++) rows[3 * (i * PATCH + threadIdx.x) + k] = forces[i][k];
    __syncthreads();
    const double force = elements.energy * elements.unit;
    for (unsigned i = threadIdx.x; i < 3 * patch.count; i += PATCH) {
        const unsigned node = i / 3, k = i % 3;
        A sum = A(0);
        for (unsigned t = ahead.turns[node]; t < ahead.turns[node + 1]; t++) sum += rows[3 * ahead.corners[t] + k];
        elements.sums[3 * (size_t)patch.begin + i] = A(force * sum);
    }
}

DEVICE void check(const Elements& elements, const Patch& patch, A least) {
    const size_t element = patch.base + threadIdx.x;
    if (element < elements.count && !(least > A(0))) atomicMin(&elements.clock->inverted, (unsigned long long)elements.number << 32 | elements.names[element]);
}

// The least step and the works of the patch. The last patch is filled with copies of its last element, which count for nothing.
DEVICE void conclude(const Elements& elements, const Patch& patch, const Found<S, A>& found, double* shared) {
    const bool is_there = patch.base + threadIdx.x < elements.count;
    double least = is_there ? (double)found.stable : __longlong_as_double(0x7ff0000000000000ll), work[4];
#pragma unroll
    for (int k = 0; k < 4; k++) work[k] = is_there ? (double)found.work[k] : 0.0;
#pragma unroll
    for (int other = 16; other; other /= 2) {
        least = lesser(least, __shfl_down_sync(~0u, least, other));
#pragma unroll
        for (int k = 0; k < 4; k++) work[k] += __shfl_down_sync(~0u, work[k], other);
    }
    __syncthreads();
    const int thread = threadIdx.x;
    if (thread % 32 == 0) {
        atomicMin(&elements.clock->found, (unsigned long long)__double_as_longlong(least));
#pragma unroll
        for (int k = 0; k < 4; k++) shared[4 * (thread / 32) + k] = work[k];
    }
    __syncthreads();
    if (thread < 4) {
        double sum = 0;
        for (int warp = 0; warp < PATCH / 32; warp++) sum += shared[4 * warp + thread];
        elements.works[4 * (size_t)patch.number + thread] += elements.energy * sum;
    }
}

} // namespace fem
