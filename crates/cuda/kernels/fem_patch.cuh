// Patches of a block's elements: a block of threads has a patch, a thread an element. ELEMENT (a
// shape), THE_LAW, SMALL (what is rounded), SUM (what is summed), CONSTANT (what constants are
// given in), PATCH and BLOCKS (that run on a multiprocessor at the same time) are defined.
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
typedef CONSTANT C;
constexpr int N = Kind::N;
constexpr bool COPIES = Kind::POINTS == 1;

// What differs between schemes, by the type that is computed in and that of constants.
template <class T, class K> struct Scheme;

// Everything in one type; only sums of work, and nodes on their way here, in f64.
template <class T> struct Scheme<T, double> {
    typedef double Place;
    typedef T Node;
    // Of work: all of a patch until now, and what a step adds.
    typedef double Work, Part;
    typedef Slots<T, PATCH> Memory;
    // Bytes of a number in memory, and numbers of a node in shared memory.
    static constexpr int KEPT = sizeof(T), ROW = 6;
    // Whether nodes have more digits than elements compute with, so that these take differences
    // first.
    static constexpr bool TAKES_DIFFERENCES = false;
};

// Nodes and work in pairs of f32.
struct OfPairs {
    typedef Pair Place, Node, Work;
    typedef float Part;
};

// Everything in pairs of f32.
template <> struct Scheme<Pair, Pair> : OfPairs {
    typedef Slots<Pair, PATCH> Memory;
    static constexpr int KEPT = sizeof(Pair), ROW = 6;
    static constexpr bool TAKES_DIFFERENCES = false;
};

// Everything in f32 but sums, and places of nodes until their differences are taken.
template <> struct Scheme<float, Pair> : OfPairs {
    typedef Sums<PATCH> Memory;
    static constexpr int KEPT = sizeof(float) + sizeof(Rest), ROW = 12;
    static constexpr bool TAKES_DIFFERENCES = true;
};

typedef Scheme<A, C> Own;

struct Elements {
    // Of each patch where its nodes begin; nodes; of each element its nodes' places; of each node of a patch where its corners begin, and these.
    const unsigned *first, *own;
    const unsigned short *local, *turns, *corners;
    // The elements' places in their block.
    const unsigned* names;
    const A* masses;
    // What elements remember, patch by patch and number by number; of Sums first the numbers of a
    // patch, then what they have rounded off.
    char* memories;
    A* sums;
    Own::Work* works;
    // Where nodes are at the beginning of all, or half way through the step if these are pairs;
    // displacements, which only the former need; velocities.
    const Own::Place* x;
    const Own::Node *u, *v;
    Clock* clock;
    C unit, energy;
    // Elements; the block's number; the first patch; numbers of the room for nodes and forces.
    int count, number, first_patch, room;
    Material<C> material;
};

// A row of a node whose place and step are pairs: both, each with what it has beyond an f32 behind
// it. Rows are read by quarters and eighths.
struct alignas(16) Row {
    float4 place;
    float2 place_rest, step;
    float4 step_rest;

    DEVICE static Row of(const Pair (&place)[3], const Pair (&step)[3]) {
        return {{place[0].hi, place[1].hi, place[2].hi, place[0].lo}, {place[1].lo, place[2].lo}, {step[0].hi, step[1].hi}, {step[2].hi, step[0].lo, step[1].lo, step[2].lo}};
    }
    template <class T>
    DEVICE void places(V3<T>& x, V3<T>& rest) const {
        const float4 a = place;
        const float2 b = place_rest;
        x = V3<T>{{T(a.x), T(a.y), T(a.z)}}, rest = V3<T>{{T(a.w), T(b.x), T(b.y)}};
    }
    template <class T>
    DEVICE void steps(V3<T>& x, V3<T>& rest) const {
        const float2 a = step;
        const float4 b = step_rest;
        x = V3<T>{{T(a.x), T(a.y), T(b.x)}}, rest = V3<T>{{T(b.y), T(b.z), T(b.w)}};
    }
};

// Nodes of an element in shared memory: places of all of the patch's, then their steps; or rows of
// both.
struct Corners {
    const A* rows;
    unsigned count;
    unsigned short at[N];

    DEVICE void of(unsigned part, V3<A> (&to)[N]) const {
        if constexpr (Own::TAKES_DIFFERENCES) {
            // Differences from the first node are taken before anything is rounded.
            V3<A> rest[N];
#pragma unroll
            for (int i = 0; i < N; i++) {
                const Row& row = ((const Row*)rows)[at[i]];
                if (part == 0) row.places(to[i], rest[i]);
                else row.steps(to[i], rest[i]);
            }
            const V3<A> origin = to[0], beyond = rest[0];
#pragma unroll
            for (int i = 0; i < N; i++) {
                const A whole = to[i][0] + rest[i][0];
                to[i] = add(sub(to[i], origin), sub(rest[i], beyond));
                if (Kind::AXISYMMETRIC) to[i][2] = to[i][0], to[i][0] = whole;
            }
        } else {
#pragma unroll
            for (int i = 0; i < N; i++) {
                const A* row = rows + 3 * (part * count + at[i]);
                to[i] = V3<A>{{row[0], row[1], row[2]}};
            }
            // What counts by itself is the radius alone.
#pragma unroll
            for (int i = 0; Kind::AXISYMMETRIC && i < N; i++) to[i][2] = to[i][0] - to[0][0];
        }
    }
    DEVICE void places(V3<A> (&to)[N]) const { of(0, to); }
    DEVICE void steps(V3<A> (&to)[N]) const { of(1, to); }
    // Where they are at the end.
    DEVICE void ends(V3<A> (&to)[N]) const {
        V3<A> at[N], d[N];
        places(at);
        steps(d);
        moved(at, A(0.5), d, to);
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
    A* rows;
    char* memories;
    unsigned short *corners, *turns;
};

// How many numbers an element remembers.
DEVICE int remembered(const Elements& elements) { return Kind::POINTS * elements.material.numbers + 3 * Kind::M + 1; }

// What the thread's element remembers, of a patch's numbers that are read in one place and written
// in another: these, then what Sums have rounded off.
template <class T>
DEVICE Slots<T, PATCH> memory_of(const Elements&, Slots<T, PATCH>, const char* from, char* to) {
    return {(const T*)from + threadIdx.x, (T*)to + threadIdx.x};
}
DEVICE Sums<PATCH> memory_of(const Elements& elements, Sums<PATCH>, const char* from, char* to) {
    const size_t rests = (size_t)PATCH * remembered(elements) * sizeof(float);
    return {(const float*)from + threadIdx.x, (const Rest*)(from + rests) + threadIdx.x, (float*)to + threadIdx.x, (Rest*)(to + rests) + threadIdx.x};
}
DEVICE Own::Memory memory_of(const Elements& elements, const char* from, char* to) { return memory_of(elements, Own::Memory(), from, to); }

// Bytes that a patch's elements remember, and where these are on the device.
DEVICE size_t bytes_of_memory(const Elements& elements) { return (size_t)PATCH * remembered(elements) * Own::KEPT; }
DEVICE char* memory_on_device(const Elements& elements, int patch) { return elements.memories + patch * bytes_of_memory(elements); }

DEVICE Ahead ahead_in(char* shared, const Elements& elements) {
    Ahead ahead;
    ahead.rows = (A*)shared;
    ahead.memories = shared + elements.room * sizeof(A);
    ahead.corners = (unsigned short*)(ahead.memories + (COPIES ? bytes_of_memory(elements) : 0));
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

// Brings to shared memory where nodes are, half a step of length dt before their displacements, and
// what they move by.
template <class E, class T> DEVICE void bring_nodes(const E& elements, const Patch& patch, T* rows, double dt) {
    const double half = 0.5 * dt, unit = Kind::PART * elements.unit;
    for (unsigned i = threadIdx.x; i < 3 * patch.count; i += PATCH) {
        const size_t at = 3 * (size_t)elements.own[patch.begin + i / 3] + i % 3;
        const double speed = elements.v[at];
        rows[i] = T(unit * (elements.x[at] + (elements.u[at] - half * speed)));
        rows[3 * patch.count + i] = T(unit * (dt * speed));
    }
}

// The same in pairs, of nodes that are where elements see them.
template <class E, class Put>
DEVICE void bring_pairs(const E& elements, const Patch& patch, Pair dt, Put put) {
    const float unit = float(Kind::PART) * elements.unit.hi;
    const Pair length = {unit * dt.hi, unit * dt.lo};
    for (unsigned i = threadIdx.x; i < patch.count; i += PATCH) {
        const size_t at = 3 * (size_t)elements.own[patch.begin + i];
        Pair place[3], step[3];
#pragma unroll
        for (int k = 0; k < 3; k++) {
            const Pair x = elements.x[at + k];
            place[k] = {unit * x.hi, unit * x.lo};
            step[k] = length * elements.v[at + k];
        }
        put(i, place, step);
    }
}
template <class E> DEVICE void bring_nodes(const E& elements, const Patch& patch, Pair* rows, Pair dt) {
    const unsigned count = patch.count;
    bring_pairs(elements, patch, dt, [=](unsigned i, const Pair (&place)[3], const Pair (&step)[3]) {
#pragma unroll
        for (int k = 0; k < 3; k++) rows[3 * i + k] = place[k], rows[3 * (count + i) + k] = step[k];
    });
}
template <class E> DEVICE void bring_nodes(const E& elements, const Patch& patch, float* rows, Pair dt) {
    bring_pairs(elements, patch, dt, [=](unsigned i, const Pair (&place)[3], const Pair (&step)[3]) { ((Row*)rows)[i] = Row::of(place, step); });
}

// Brings all that is read of the patch to shared memory; the thread's corners.
DEVICE Corners gather(const Elements& elements, const Patch& patch, const Ahead& ahead, C dt, bool with_memory) {
    A* rows = ahead.rows;
    if (COPIES && with_memory) copy_ahead(ahead.memories, memory_on_device(elements, patch.number), (int)bytes_of_memory(elements));
    copy_ahead(ahead.corners, elements.corners + patch.base * N, PATCH * N);
    commit_copies();
    Corners corners;
    corners.rows = rows, corners.count = patch.count;
    const Packed<unsigned short> packed = ((const Packed<unsigned short>*)elements.local)[patch.base + threadIdx.x];
#pragma unroll
    for (int i = 0; i < N; i++) corners.at[i] = packed.at[i];
    for (unsigned i = threadIdx.x; i <= patch.count; i += PATCH) ahead.turns[i] = elements.turns[patch.begin + patch.number + i];
    bring_nodes(elements, patch, rows, dt);
    wait_for_copies<0>();
    __syncthreads();
    return corners;
}

DEVICE A in_units(double k, A x) { return A(k * double(x)); }
DEVICE A in_units(Pair k, A x) { return times(k, x); }

// Sums up what each node of the patch gets of its corners.
DEVICE void meet(const Elements& elements, const Patch& patch, const Ahead& ahead, const V3<A> (&forces)[N]) {
    A* rows = ahead.rows;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < N; i++)
#pragma unroll
        for (int k = 0; k < 3; k++) rows[3 * (i * PATCH + threadIdx.x) + k] = forces[i][k];
    __syncthreads();
    const C force = elements.energy * elements.unit;
    for (unsigned i = threadIdx.x; i < 3 * patch.count; i += PATCH) {
        const unsigned node = i / 3, k = i % 3;
        A sum = A(0);
        for (unsigned t = ahead.turns[node]; t < ahead.turns[node + 1]; t++) sum = sum + rows[3 * ahead.corners[t] + k];
        elements.sums[3 * (size_t)patch.begin + i] = in_units(force, sum);
    }
}

DEVICE void check(const Elements& elements, const Patch& patch, A least) {
    const size_t element = patch.base + threadIdx.x;
    if (element < (size_t)elements.count && !(least > A(0))) atomicMin(&elements.clock->inverted, (unsigned long long)elements.number << 32 | elements.names[element]);
}

// The bits of a time that is a positive number as an f64, or of infinity.
DEVICE unsigned long long bits_of_time(double x) { return (unsigned long long)__double_as_longlong(x); }
DEVICE unsigned long long bits_of_time(float x) {
    const unsigned bits = (unsigned)__float_as_int(x);
    return bits < 0x7f800000u ? ((unsigned long long)bits << 29) + (896ull << 52) : 0x7ff0000000000000ull;
}

// The least step and the works of the patch. The last patch is filled with copies of its last element, which count for nothing.
DEVICE void conclude(const Elements& elements, const Patch& patch, const Found<S, A>& found, char* shared) {
    typedef Own::Part P;
    P* parts = (P*)shared;
    const bool is_there = patch.base + threadIdx.x < (size_t)elements.count;
    P least = is_there ? P(found.stable) : P(__int_as_float(0x7f800000)), work[4];
#pragma unroll
    for (int k = 0; k < 4; k++) work[k] = is_there ? P(found.work[k]) : P(0);
#pragma unroll
    for (int other = 16; other; other /= 2) {
        least = lesser(least, __shfl_down_sync(~0u, least, other));
#pragma unroll
        for (int k = 0; k < 4; k++) work[k] += __shfl_down_sync(~0u, work[k], other);
    }
    __syncthreads();
    const int thread = threadIdx.x;
    if (thread % 32 == 0) {
        atomicMin(&elements.clock->found, bits_of_time(least));
#pragma unroll
        for (int k = 0; k < 4; k++) parts[4 * (thread / 32) + k] = work[k];
    }
    __syncthreads();
    if (thread < 4) {
        P sum = P(0);
        for (int warp = 0; warp < PATCH / 32; warp++) sum += parts[4 * warp + thread];
        Own::Work& all = elements.works[4 * (size_t)patch.number + thread];
        all = all + P(elements.energy) * sum;
    }
}

} // namespace fem
