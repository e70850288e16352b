// Patches of a block's elements: a block of threads has a patch, a thread an element. ELEMENT (a
// shape), THE_LAW, SMALL (what is rounded), SUM (what is summed), CONSTANT (what constants are
// given in), PATCH and BLOCKS (that run on a multiprocessor at the same time) are defined. The
// patch's nodes come to shared memory first; there the forces of all corners meet, and each node's
// are summed in the order of crates/fem/src/cpu/block.rs.
#pragma once

#include "dense/copy.cuh"
#include "fem/one_point.cuh"
#include "fem/scheme.cuh"
#include "fem/selective.cuh"

namespace fem {

typedef ELEMENT Kind;
constexpr int N = Kind::N;
constexpr bool COPIES = Kind::POINTS == 1;

// Nodes of an element in shared memory: places of all of the patch's, then their steps; or rows of
// both. Elements are given them times `unit`.
struct Corners {
    const A* rows;
    int stride;
    float unit;
    unsigned short at[N];

    DEVICE void of(bool is_step, V3<A> (&to)[N]) const { of(Own::Place(), is_step, to); }
    DEVICE void of(double, bool is_step, V3<A> (&to)[N]) const {
#pragma unroll
        for (int i = 0; i < N; i++) {
            const A* row = rows + 3 * ((is_step ? stride : 0) + at[i]);
            to[i] = V3<A>{{row[0], row[1], row[2]}};
        }
        see_radii(to);
    }
    template <class T> DEVICE void of(float4, bool is_step, V3<T> (&to)[N]) const {
        V3<float> high[N], low[N];
#pragma unroll
        for (int i = 0; i < N; i++) ((const Row*)rows)[at[i]].read(is_step, high[i], low[i]);
        take(high, low, to);
    }
    // Pairs.
    DEVICE void take(const V3<float> (&high)[N], const V3<float> (&low)[N], V3<Pair> (&to)[N]) const {
#pragma unroll
        for (int i = 0; i < N; i++)
#pragma unroll
            for (int k = 0; k < 3; k++) to[i][k] = {unit * high[i][k], unit * low[i][k]};
        see_radii(to);
    }
    // Differences from the first node, taken before anything is rounded.
    DEVICE void take(const V3<float> (&high)[N], const V3<float> (&low)[N], V3<float> (&to)[N]) const {
#pragma unroll
        for (int i = 0; i < N; i++) {
#pragma unroll
            for (int k = 0; k < 3; k++) to[i][k] = mul_add(unit, high[i][k] - high[0][k], unit * (low[i][k] - low[0][k]));
            if (Kind::AXISYMMETRIC) to[i][2] = to[i][0], to[i][0] = unit * (high[i][0] + low[i][0]);
        }
    }
    // What counts by itself is the radius alone.
    template <class T> DEVICE void see_radii(V3<T> (&to)[N]) const {
#pragma unroll
        for (int i = 0; Kind::AXISYMMETRIC && i < N; i++) to[i][2] = to[i][0] - to[0][0];
    }
    DEVICE void places(V3<A> (&to)[N]) const { of(false, to); }
    DEVICE void steps(V3<A> (&to)[N]) const { of(true, to); }
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

// Where a patch has what it needs in shared memory: nodes and forces; what elements with one point
// remember; corners and where they begin.
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

// A block's patch: its number, that of its first element, that of its first sum and how many nodes
// there are.
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

// Brings a node to where the patch has place i for it: where it is half a step of length dt before
// its displacement, and what it moves by.
template <class E> DEVICE void bring_node(const E& elements, A* rows, int i, size_t node, double dt) {
    const double half = 0.5 * dt, unit = Kind::PART * elements.unit;
#pragma unroll
    for (int k = 0; k < 3; k++) {
        const size_t at = k * (size_t)elements.nodes + node;
        const double speed = elements.v[at];
        rows[3 * i + k] = A(unit * (elements.x[at] + (elements.u[at] - half * speed)));
        rows[3 * (elements.stride + i) + k] = A(unit * (dt * speed));
    }
}
// The same of a row, which nodes have written; waited for with the other copies.
template <class E> DEVICE void bring_node(const E& elements, A* rows, int i, size_t node, Pair) {
    float4* to = (float4*)rows + QUADS * i;
#pragma unroll
    for (int k = 0; k < QUADS; k++) copy_quad(shared_address(to + k), elements.x + (k * (size_t)elements.nodes + node));
}

// Brings all that is read of the patch to shared memory; the thread's corners.
DEVICE Corners gather(const Elements& elements, const Patch& patch, const Ahead& ahead, C dt, bool with_memory) {
    if (COPIES && with_memory) copy_ahead(ahead.memories, memory_on_device(elements, patch.number), (int)bytes_of_memory(elements));
    copy_ahead(ahead.corners, elements.corners + patch.base * N, PATCH * N);
    copy_ahead(ahead.turns, elements.turns + (size_t)patch.number * elements.stride, elements.stride);
    Corners corners;
    corners.rows = ahead.rows, corners.stride = elements.stride, corners.unit = float(Kind::PART) * float(elements.unit);
    const Packed<unsigned short> packed = ((const Packed<unsigned short>*)elements.local)[patch.base + threadIdx.x];
    // Two at a time, so that the second waits for nothing; one may come twice, which changes
    // nothing.
    const unsigned* own = elements.own + (size_t)patch.number * elements.stride;
#pragma unroll 1
    for (int i = threadIdx.x; i < elements.stride; i += 2 * PATCH) {
        const int j = i + PATCH < elements.stride ? i + PATCH : i;
        const unsigned first = own[i], second = own[j];
        bring_node(elements, ahead.rows, i, first, dt);
        bring_node(elements, ahead.rows, j, second, dt);
    }
    commit_copies();
#pragma unroll
    for (int i = 0; i < N; i++) corners.at[i] = packed.at[i];
    wait_for_copies<0>();
    __syncthreads();
    return corners;
}

template <class T> DEVICE T in_units(double k, T x) { return T(k * double(x)); }
template <class T> DEVICE T in_units(Pair k, T x) { return times(k, x); }

// Sums up what each node of the patch gets of its corners: a thread sums a force of f32, or one of
// the three numbers of another.
template <class T> struct Part {
    typedef T Number;
    static constexpr int COUNT = 3;
    DEVICE static void add(T& sum, T part) { sum = sum + part; }
    DEVICE static T scaled(C force, T x) { return in_units(force, x); }
};
template <> struct Part<float> {
    typedef Force<float> Number;
    static constexpr int COUNT = 1;
    DEVICE static void add(Force<float>& sum, const Force<float>& part) { sum.of = fem::add(sum.of, part.of); }
    DEVICE static Force<float> scaled(C force, const Force<float>& x) { return {{{in_units(force, x.of[0]), in_units(force, x.of[1]), in_units(force, x.of[2])}}}; }
};
DEVICE void meet(const Elements& elements, const Patch& patch, const Ahead& ahead, const V3<A> (&forces)[N]) {
    typedef Part<A> P;
    __syncthreads();
#pragma unroll
    for (int i = 0; i < N; i++) ((Force<A>*)ahead.rows)[i * PATCH + threadIdx.x] = Force<A>{forces[i]};
    __syncthreads();
    const typename P::Number* rows = (const typename P::Number*)ahead.rows;
    typename P::Number* sums = (typename P::Number*)(elements.sums + patch.begin);
    const C force = elements.energy * elements.unit;
    for (unsigned i = threadIdx.x; i < P::COUNT * patch.count; i += PATCH) {
        const unsigned node = i / P::COUNT, k = i % P::COUNT, end = ahead.turns[node + 1];
        typename P::Number sum = {};
        for (unsigned t = ahead.turns[node]; t < end; t++) P::add(sum, rows[P::COUNT * ahead.corners[t] + k]);
        sums[i] = P::scaled(force, sum);
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

// The least step and the works of the patch. The last patch is filled with copies of its last
// element, which count for nothing.
DEVICE void conclude(const Elements& elements, const Patch& patch, const Found<S, A>& found, char* shared) {
    typedef Own::Part P;
    P* parts = (P*)shared;
    const int thread = threadIdx.x;
    Own::Work* all = elements.works + 4 * (size_t)patch.number + thread;
    const Own::Work before = thread < 4 ? *all : Own::Work(0.0);
    const bool is_there = patch.base + thread < (size_t)elements.count;
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
    if (thread % 32 == 0) {
        atomicMin(&elements.clock->found, bits_of_time(least));
#pragma unroll
        for (int k = 0; k < 4; k++) parts[4 * (thread / 32) + k] = work[k];
    }
    __syncthreads();
    if (thread < 4) {
        P sum = P(0);
        for (int warp = 0; warp < PATCH / 32; warp++) sum += parts[4 * warp + thread];
        *all = kept(before + P(elements.energy) * sum);
    }
}

} // namespace fem
