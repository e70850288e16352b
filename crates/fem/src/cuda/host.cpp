// A step of a patch of elements whose kernel runs here, thread by thread: ELEMENT, THE_LAW, SMALL,
// SUM and CONSTANT are defined as for a device.

#include "threads.h"

struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(32) double4 {
    double x, y, z, w;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};

#define __global__
#define __launch_bounds__(...)
#define __grid_constant__
#define __shared__

static void __syncthreads() { wait_for_block(); }
static void __syncwarp() { wait_for_block(); }

inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline float __fsqrt_rn(float a) { return std::sqrt(a); }

// What the thread `distance` further in the warp has; the last threads get their own. Static: the
// libraries of a process run at the same time, and would share a name that is not static.
template <class T> static T __shfl_down_sync(unsigned, T x, int distance) {
    static T all[1024];
    all[threadIdx.x] = x;
    wait_for_block();
    const int other = threadIdx.x % 32 + distance < 32 ? threadIdx.x + distance : threadIdx.x;
    const T found = all[other];
    wait_for_block();
    return found;
}

inline void atomicMin(unsigned long long *to, unsigned long long x) { *to = min(*to, x); }

#define PATCH 128
#define BLOCKS 1
#include "fem/elements.cu"

namespace fem {
double4 room[1 << 12];
}

using namespace fem;

// Numbers between -1 and 1, the same everywhere.
static double random_number() {
    static uint64_t state = 1;
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(int64_t)(state >> 11) / (double)(1ll << 52) - 1.0;
}

inline void set(double x, double &to) { to = x; }
inline void set(double x, float &to) { to = (float)x; }
inline void set(double x, Pair &to) { to = Pair(x); }

// Nodes as elements see them: numbers of all, axis by axis, or rows.
struct Nodes {
    std::vector<Own::Place> x;
    std::vector<Own::Node> u, v;

    explicit Nodes(size_t count) : x(3 * count), u(3 * count), v(3 * count) {}
    // Puts node `node` of `count` nodes: coordinates x, displacements u and velocities v.
    void put(size_t count, size_t node, const double (&x)[3], const double (&u)[3], const double (&v)[3], double dt) { put(this->x.data(), count, node, x, u, v, dt); }
    void put(double *to, size_t count, size_t node, const double (&x)[3], const double (&u)[3], const double (&v)[3], double) {
        for (int k = 0; k < 3; k++) to[k * count + node] = x[k], set(u[k], this->u[k * count + node]), set(v[k], this->v[k * count + node]);
    }
    void put(float4 *to, size_t count, size_t node, const double (&x)[3], const double (&u)[3], const double (&v)[3], double dt) {
        V3<Pair> place, step;
        for (int k = 0; k < 3; k++) place[k] = Pair(x[k] + (u[k] - 0.5 * dt * v[k])), step[k] = Pair(dt * v[k]);
        put_row(to, count, node, Row::of(place, step));
    }
};

// A number that an element remembers, and its place among all of the patch.
inline void remember(double x, int k, int lane, int, Slots<A, PATCH>, std::vector<char> &all) {
    set(x, ((A *)all.data())[k * PATCH + lane]);
}
inline void remember(double x, int k, int lane, int numbers, Sums<PATCH>, std::vector<char> &all) {
    const float high = (float)x;
    ((float *)all.data())[k * PATCH + lane] = high;
    ((Rest *)(all.data() + 4 * PATCH * numbers))[k * PATCH + lane] = rest_of(Pair(high, (float)(x - (double)high)));
}
inline double remembered_number(int k, int lane, int, Slots<A, PATCH>, const std::vector<char> &all) {
    return (double)((const A *)all.data())[k * PATCH + lane];
}
inline double remembered_number(int k, int lane, int numbers, Sums<PATCH>, const std::vector<char> &all) {
    return (double)((const float *)all.data())[k * PATCH + lane] +
           (double)value_of(((const Rest *)(all.data() + 4 * PATCH * numbers))[k * PATCH + lane]);
}

// What is remembered of a pair, and of what a sum has rounded off.
extern "C" void nonius_kept(float hi, float lo, float *pair, float *rest) {
    const Pair x = kept(Pair(hi, lo));
    pair[0] = x.hi, pair[1] = x.lo;
    *rest = value_of(rest_of(Pair(hi, lo)));
}

// Takes a lattice of elements through a step. Fills in the forces, then the numbers that elements
// remember, then the longest stable step and four works. Returns how many numbers there are.
extern "C" size_t nonius_advance(double *results) {
    constexpr bool IS_FLAT = N == 4;
    const int cells[3] = {8, IS_FLAT ? 16 : 4, IS_FLAT ? 1 : 4}, layers = IS_FLAT ? 1 : cells[2] + 1;
    const double dt = 0.01, far = Kind::AXISYMMETRIC ? 20.0 : 100.0;
    auto node = [&](int i, int j, int k) { return (i * (cells[1] + 1) + j) * layers + k; };
    const unsigned nodes = (cells[0] + 1) * (cells[1] + 1) * layers;
    Nodes all(nodes);
    for (int i = 0; i <= cells[0]; i++)
        for (int j = 0; j <= cells[1]; j++)
            for (int k = 0; k < layers; k++) {
                double x[3], u[3], v[3];
                for (int axis = 0; axis < 3; axis++) {
                    const bool is_used = axis < 2 || !IS_FLAT;
                    const double lattice = axis == 0 ? far + i : axis == 1 ? j : k;
                    const double own[3] = {random_number(), random_number(), random_number()};
                    // What all have in common is large.
                    const double common = Kind::AXISYMMETRIC && axis == 0 ? 0.0 : 50.0;
                    x[axis] = is_used ? lattice + 0.1 * own[0] : 0.0, u[axis] = is_used ? 0.02 * own[1] : 0.0;
                    v[axis] = is_used ? common + own[2] : 0.0;
                }
                all.put(nodes, node(i, j, k), x, u, v, dt);
            }
    std::vector<unsigned short> local;
    for (int i = 0; i < cells[0]; i++)
        for (int j = 0; j < cells[1]; j++)
            for (int k = 0; k < cells[2]; k++)
                for (int layer = 0; layer < N / 4; layer++) {
                    const int at = k + layer;
                    for (int corner : {node(i, j, at), node(i + 1, j, at), node(i + 1, j + 1, at), node(i, j + 1, at)})
                        local.push_back((unsigned short)corner);
                }
    const int stride = (nodes + 1 + 7) / 8 * 8;
    std::vector<unsigned> first = {0, nodes}, own(stride, nodes - 1), names(PATCH);
    std::vector<unsigned short> turns = {0}, corners;
    for (unsigned i = 0; i < nodes; i++) {
        own[i] = i;
        for (int at = 0; at < N; at++)
            for (int lane = 0; lane < PATCH; lane++)
                if (local[lane * N + at] == i) corners.push_back((unsigned short)(at * PATCH + lane));
        turns.push_back((unsigned short)corners.size());
    }
    turns.resize(stride);

    Elements elements = {};
    Material &material = elements.material;
    const double lambda = 1.2e3, mu = 0.8e3;
    set(1.0, material.density), set(lambda, material.lambda), set(mu, material.mu);
    set(lambda + 2.0 * mu, material.elastic), set(3.0 * mu, material.triple), set(lambda + 2.0 / 3.0 * mu, material.bulk);
    // Those of Johnson and Cook.
    set(10.0, material.a), set(8.0, material.b), set(0.168, material.n), set(0.0089, material.c), set(0.7, material.rate);
    set(1.1, material.m), set(1.0 / 1520.0, material.range), set(20.0, material.transition), set(0.3, material.heating);
    set(1e-5, material.expansion);
    const bool flows = THE_LAW == JOHNSON_COOK;
    material.heats = flows, material.numbers = flows ? 9 : 6, material.plastic_strain = flows ? 6 : -1;
    material.temperature = flows ? 7 : -1, material.strained = flows ? 8 : -1, material.stretch = -1;
    const int numbers = Kind::POINTS * material.numbers + 3 * Kind::M + 1;
    std::vector<char> memories((size_t)PATCH * numbers * Own::KEPT);
    for (int k = 0; k < numbers; k++)
        for (int lane = 0; lane < PATCH; lane++) {
            const int of_point = k < Kind::POINTS * material.numbers ? k % material.numbers : -1;
            const double number = of_point >= 7 ? 25.0 : of_point == 6 ? 0.01 : k < numbers - 1 ? random_number() : 0.0;
            remember(number, k, lane, numbers, Own::Memory(), memories);
        }
    std::vector<A> masses(PATCH * Kind::POINTS);
    std::vector<Force<A>> sums(nodes);
    for (A &mass : masses) set(1.0 / Kind::POINTS, mass);
    Own::Work works[4] = {};
    Clock clock = {};
    clock.is_moving = 1, clock.broken = clock.inverted = NONE, clock.found = NONE;
    clock.dt = dt, clock.linear = 0.06, clock.quadratic = 1.2, clock.hourglass = 0.1, clock.scale = 1.0;
    show_step(clock);
    elements.first = first.data(), elements.own = own.data(), elements.local = local.data(), elements.turns = turns.data();
    elements.corners = corners.data(), elements.names = names.data(), elements.masses = masses.data();
    elements.memories = memories.data(), elements.sums = sums.data(), elements.works = works;
    elements.x = all.x.data(), elements.u = all.u.data(), elements.v = all.v.data(), elements.clock = &clock;
    set(1.0, elements.unit), set(1.0, elements.energy);
    elements.count = PATCH, elements.stride = stride, elements.nodes = nodes;
    elements.room = (max((int)(sizeof(Force<A>) / sizeof(A)) * N * PATCH, Own::ROW * stride) + 3) / 4 * 4;

    run_block(PATCH, [&] { advance_in_full(elements); });

    size_t count = 0;
    for (const Force<A> &sum : sums)
        for (int k = 0; k < 3; k++) results[count++] = (double)sum.of[k];
    for (int k = 0; k < numbers; k++)
        for (int lane = 0; lane < PATCH; lane++) results[count++] = remembered_number(k, lane, numbers, Own::Memory(), memories);
    results[count++] = __longlong_as_double((long long)clock.found);
    for (const Own::Work &work : works) results[count++] = (double)work;
    return count;
}
