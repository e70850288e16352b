// Vectors that evolve under tridiagonal matrices (crates/option/src/evolve), of LIMBS limbs or of
// PRECISION bits, in the order of operations of crates/option/src/evolve/reference.rs. A thread has
// a member of the batch; 32 members with the same stages are a tile, whose numbers lie side by side
// node by node. The recurrences are chains: threads wait for nothing but their own numbers, which
// they ask for GROUP nodes at a time.
#include "option/evolve.cuh"

#include "arguments.cuh"

constexpr int WIDTH = 32, GROUP = PLANES == 1 ? 12 : PLANES == 2 ? 4 : PLANES <= 4 ? 2 : 1;

struct Contact {
    unsigned count;
    bool finite;
};

// Numbers node by node.
template <class Limb> struct Nodes {
    Limb *data;
    long long plane;

    DEVICE Number load(int k) const {
        Number x;
#pragma unroll
        for (int l = 0; l < PLANES; l++) set_limb(x, l, data[(long long)k * WIDTH + l * plane]);
        return x;
    }
    DEVICE void store(int k, const Number &x) const {
#pragma unroll
        for (int l = 0; l < PLANES; l++) data[(long long)k * WIDTH + l * plane] = limb(x, l);
    }
};
typedef Nodes<double> Vector;
typedef Nodes<const double> Operand;

struct Member {
    int n;
    long long plane;
    const double *input, *numbers;
    Vector u, y, m, q, e;

    DEVICE Operand vector(int v) const { return {input + (long long)v * PLANES * plane, plane}; }
    DEVICE Number single(int i) const {
        Number x;
#pragma unroll
        for (int l = 0; l < PLANES; l++) set_limb(x, l, numbers[((long long)i * PLANES + l) * WIDTH]);
        return x;
    }

    // A stage's matrix, factored; false where a pivot has no inverse.
    DEVICE bool factor(const Stage &stage, const Number &dt, const Number &theta) const {
        const Operand lower = vector(stage.operand), diagonal = vector(stage.operand + 1), upper = vector(stage.operand + 2);
        const Number s = theta * dt, w = number(1.0) / theta;
        Number p = number(0.0), c = number(0.0);
#pragma unroll 1
        for (int k = 0; k < n; k++) {
            const int i = stage.high_first ? n - 1 - k : k;
            const Number before = (stage.high_first ? upper : lower).load(i), after = (stage.high_first ? lower : upper).load(i);
            Number pivot = number(1.0) - s * diagonal.load(i), multiplier = number(0.0);
            if (k > 0) {
                multiplier = -(s * before) * p;
                pivot = pivot - multiplier * c;
            }
            p = number(1.0) / pivot;
            if (is_zero(pivot) || !is_finite(pivot) || !is_finite(p)) return false;
            c = -(s * after);
            m.store(k, multiplier);
            q.store(k, p * w);
            e.store(k, c * p);
        }
        return true;
    }

    // One step; how many nodes from the end where substitution begins lie on the obstacle, and
    // whether all nodes are finite.
    template <bool OBSTACLE> DEVICE Contact step(bool high_first, const Number &kappa, const Operand &obstacle) const {
        const auto node = [&](int k) { return high_first ? n - 1 - k : k; };
        Number rest = u.load(node(0));
        y.store(0, rest);
#pragma unroll 1
        for (int first = 1; first < n; first += GROUP) {
            Number us[GROUP], ms[GROUP];
#pragma unroll
            for (int j = 0; j < GROUP; j++)
                if (first + j < n) us[j] = u.load(node(first + j)), ms[j] = m.load(first + j);
#pragma unroll
            for (int j = 0; j < GROUP; j++)
                if (first + j < n) {
                    rest = us[j] - ms[j] * rest;
                    y.store(first + j, rest);
                }
        }
        unsigned contact = 0;
        bool finite = true;
        Number v = number(0.0);
#pragma unroll 1
        for (int last = n - 1; last >= 0; last -= GROUP) {
            Number us[GROUP], ys[GROUP], qs[GROUP], es[GROUP], gs[GROUP];
#pragma unroll
            for (int j = 0; j < GROUP; j++)
                if (last - j >= 0) {
                    const int k = last - j;
                    us[j] = u.load(node(k)), ys[j] = y.load(k), qs[j] = q.load(k), es[j] = e.load(k);
                    if (OBSTACLE) gs[j] = obstacle.load(node(k));
                }
#pragma unroll
            for (int j = 0; j < GROUP; j++)
                if (last - j >= 0) {
                    const int k = last - j;
                    const Number own = ys[j] * qs[j], old = kappa * us[j];
                    v = k + 1 == n ? own : own - es[j] * v;
                    Number next = v - old;
                    if (OBSTACLE && is_at_most_zero(next - gs[j])) {
                        if (contact == n - 1 - k) contact++;
                        next = gs[j];
                        v = gs[j] + old;
                    }
                    finite = finite && is_finite(next);
                    u.store(node(k), next);
                }
        }
        return {contact, finite};
    }

    // Whether all nodes are finite after it, here and below.
    DEVICE bool map(const Stage &stage, const int *firsts) const {
#pragma unroll 1
        for (int k = 0; k < n; k++) {
            const int first = firsts[(long long)(stage.numbers * n + k) * WIDTH];
            Number sum = vector(stage.operand).load(k);
#pragma unroll
            for (int j = 0; j < 4; j++)
                if (first + j < n) sum = sum + vector(stage.operand + 1 + j).load(k) * u.load(first + j);
            y.store(k, sum);
        }
        bool finite = true;
#pragma unroll 1
        for (int k = 0; k < n; k++) {
            const Number x = y.load(k);
            finite = finite && is_finite(x);
            u.store(k, x);
        }
        return finite;
    }

    DEVICE bool floor(const Operand &obstacle) const {
        const auto above = [&](int k) { return k < n ? u.load(k) - obstacle.load(k) : number(0.0); };
        Number before = number(0.0), here = above(0), after = above(1), last = above(2), carried = number(0.0);
        bool finite = true;
#pragma unroll 1
        for (int k = 0; k < n; k++) {
            const Number floored = is_at_most_zero(here) ? obstacle.load(k) : u.load(k);
            const Shares shares = k >= 1 && k + 2 < n ? crossing(before, here, after, last) : Shares{number(0.0), number(0.0)};
            const Number x = floored + carried + shares.own;
            carried = shares.next;
            before = here, here = after, after = last, last = above(k + 3);
            u.store(k, x);
            finite = finite && is_finite(x);
        }
        return finite;
    }

    // Steps of a stage; false where a pivot has no inverse, or the last step leaves a node that is
    // not finite.
    template <bool OBSTACLE> DEVICE bool steps(const Stage &stage, unsigned *contacts) const {
        const Number dt = single(stage.numbers), theta = single(stage.numbers + 1), kappa = (number(1.0) - theta) / theta;
        if (!factor(stage, dt, theta)) return false;
        const Operand obstacle = vector(OBSTACLE ? stage.obstacle : 0);
        bool finite = true;
#pragma unroll 1
        for (int i = 0; i < stage.count; i++) {
            const Contact contact = step<OBSTACLE>(stage.high_first, kappa, obstacle);
            finite = contact.finite;
            if (OBSTACLE) contacts[(long long)(stage.contact + i) * WIDTH] = contact.count;
        }
        return finite;
    }
};

// `failed` becomes 1 for members of which some number is not finite: whether they have an outcome
// is for the host to find.
extern "C" __global__ void __launch_bounds__(32) evolve(const Tile *tiles, const Stage *stages, const double *input, double *u, double *work, const double *numbers,
                                                        const int *firsts, unsigned *contacts, unsigned *failed, int) {
    const Tile tile = tiles[blockIdx.x];
    const int lane = threadIdx.x;
    if (lane >= tile.members) return;
    const long long plane = (long long)tile.nodes * WIDTH, size = PLANES * plane;
    double *const own = work + tile.work + lane;
    const Member member = {tile.nodes,
                           plane,
                           input + tile.input + lane,
                           numbers + tile.numbers + lane,
                           {u + tile.u + lane, plane},
                           {own, plane},
                           {own + size, plane},
                           {own + 2 * size, plane},
                           {own + 3 * size, plane}};
    bool sound = true;
#pragma unroll 1
    for (int k = 0; k < tile.nodes; k++) {
        const Number x = member.vector(0).load(k);
        sound = sound && is_finite(x);
        member.u.store(k, x);
    }
#pragma unroll 1
    for (int at = 0; at < tile.stages && sound; at++) {
        const Stage stage = stages[tile.first_stage + at];
        if (stage.kind == MAP)
            sound = member.map(stage, firsts + tile.firsts + lane);
        else if (stage.kind == FLOOR)
            sound = member.floor(member.vector(stage.operand));
        else if (stage.obstacle < 0)
            sound = member.steps<false>(stage, contacts);
        else
            sound = member.steps<true>(stage, contacts + tile.contacts + lane);
    }
    failed[blockIdx.x * WIDTH + lane] = sound ? 0 : 1;
}
