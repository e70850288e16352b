// Vectors that evolve under tridiagonal matrices (crates/option/src/evolve), of LIMBS limbs, a
// block of at most THREADS threads for each, in which a thread has a chunk of nodes.
//
// With the pivots' inverses p, z_k = q_k·u_k + f_k·z_(k−1) and v_k = z_k + g_k·v_(k+1), where q =
// p/θ, f = −a·p and g = −c·p; with an obstacle v_k is at least g_k + κ·u_k. So a step is two
// recurrences of first order, the second with lower bounds, and scan.cuh has what comes in to a
// chunk. That is the elimination of crates/option/src/evolve/reference.rs, and the substitution of
// Brennan and Schwartz, in another order of operations.
//
// Pivots are r_k = t_k − c_k where t_k, the sum of what is left of the row and its margin m_k = b_k
// + a_k + c_k, obeys t_k = m_k − a_k·t_(k−1)/r_(k−1). With t_k = x_k/y_(k-1), y_k = x_k −
// c_k·y_(k−1), a matrix takes (x, y) from node to node; where a and c are negative and m is
// positive, nothing is subtracted (Alfa, Xue and Ye, Accurate computation of the smallest
// eigenvalue of a diagonally dominant M-matrix, 2002).
#include "option/evolve.cuh"
#include "option/scan.cuh"

#include "arguments.cuh"

// Vectors of a member beside each other. Those of the generator, u, z, q, f and g as above, the
// obstacle.
enum Vector { LOWER, DIAGONAL, UPPER, U, Z, SCALED_INVERSES, FORWARD, BACKWARD, OBSTACLE, VECTORS };

// Numbers of this magnitude and above are for the host.
DEVICE bool is_in_range(const Number &x) { return (upper_half(x[0]) & 0x7fffffffu) < 0x7e000000u; }

// What a chunk's matrix takes (1, 0) or (0, 1) to.
struct Ratio {
    Number x, y;
};

struct Matrix {
    Ratio first, second;
};

// A row's entries beside the diagonal, with the sign that those of an M-matrix have not, and its
// margin.
struct Row {
    Number before, after, margin;

    DEVICE Ratio operator()(const Ratio &p) const {
        const Number x = fused(margin, p.y, product(before, p.x));
        return {x, fused(after, p.y, x)};
    }
};

DEVICE Ratio applied(const Matrix &m, const Ratio &p) {
    return {
        fused(m.first.x, p.x, product(m.second.x, p.y)),
        fused(m.first.y, p.x, product(m.second.y, p.y))
    };
}

// The power of two by which the greatest of numbers is about one; of each its magnitude's upper
// half.
DEVICE Lane leveller(unsigned greatest) {
    return __hiloint2double((int)((2046u - (greatest >> 20)) << 20), 0);
}
DEVICE unsigned size(const Ratio &p) {
    return max(upper_half(p.x[0]) & 0x7fffffffu, upper_half(p.y[0]) & 0x7fffffffu);
}
DEVICE Ratio scaled(const Ratio &p, Lane power) { return {scale(p.x, power), scale(p.y, power)}; }
DEVICE Ratio levelled(const Ratio &p) { return scaled(p, leveller(size(p))); }

DEVICE Matrix levelled(const Matrix &m) {
    const Lane power = leveller(max(size(m.first), size(m.second)));
    return {scaled(m.first, power), scaled(m.second, power)};
}

DEVICE Ratio of_thread_before(const Ratio &p, int distance) {
    return {of_thread_before<true>(p.x, distance), of_thread_before<true>(p.y, distance)};
}
DEVICE Matrix of_thread_before(const Matrix &m, int distance) {
    return {of_thread_before(m.first, distance), of_thread_before(m.second, distance)};
}

// What warps leave for each other. Sums of one direction are read while those of the other are
// written.
struct Shared {
    Total *up, *down;
    Matrix *matrices;
};

constexpr int UNROLLED = LIMBS == 1 ? 4 : 1;

// For what stands in two places: copies of several limbs take compilers seconds, a call takes f64
// a tenth of a step.
#if LIMBS == 1
#define ONCE DEVICE
#else
#define ONCE DEVICE_CALL
#endif

// A member's vectors, of nodes for all threads: number j of every chunk side by side. Nodes beyond
// the last are zero in all vectors.
struct Member {
    double *data;
    int n, chunk;
    const double *input, *numbers;

    DEVICE int size() const { return chunk * blockDim.x; }
    DEVICE int place(int node) const { return node % chunk * blockDim.x + node / chunk; }
    DEVICE Number get(Vector v, int place) const {
        Number x;
#pragma unroll
        for (int l = 0; l < LIMBS; l++) x[l] = data[(v * LIMBS + l) * size() + place];
        return x;
    }
    DEVICE void put(Vector v, int place, const Number &x) const {
#pragma unroll
        for (int l = 0; l < LIMBS; l++) data[(v * LIMBS + l) * size() + place] = x[l];
    }
    // Of the input.
    DEVICE Number entry(int vector, int node) const {
        Number x;
#pragma unroll
        for (int l = 0; l < LIMBS; l++) x[l] = input[((long long)vector * LIMBS + l) * n + node];
        return x;
    }
    DEVICE Number single(int i) const {
        Number x;
#pragma unroll
        for (int l = 0; l < LIMBS; l++) x[l] = numbers[i * LIMBS + l];
        return x;
    }

    // Nodes `from` to `to` of a vector of the input; zero at the others. Between barriers.
    DEVICE void fetch(Vector v, int vector, int from, int to) const {
        for (int i = threadIdx.x; i < size(); i += blockDim.x)
            put(v, place(i), i >= from && i < to ? entry(vector, i) : number(0.0));
    }

    // Whether all nodes are in range after it, where this thread looks.
    DEVICE bool map(const Stage &stage, const int *firsts) const {
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
            const int first = firsts[(long long)stage.numbers * n + i];
            Number sum = entry(stage.operand, i);
#pragma unroll 1
            for (int j = 0; j < 4; j++)
                if (first + j < n)
                    sum = sum + entry(stage.operand + 1 + j, i) * get(U, place(first + j));
            put(Z, place(i), sum);
        }
        return replace();
    }

    DEVICE bool floor(int obstacle) const {
        const auto above = [&](int i) {
            return i >= 0 && i < n ? get(U, place(i)) - entry(obstacle, i) : number(0.0);
        };
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
            Number sum = is_at_most_zero(above(i)) ? entry(obstacle, i) : get(U, place(i));
            // What the crossings behind the node before and behind this one add.
#pragma unroll 1
            for (int j = i - 1; j <= i; j++) {
                const bool inside = j >= 1 && j + 2 < n;
                const Shares shares = inside
                    ? crossing(above(j - 1), above(j), above(j + 1), above(j + 2))
                    : Shares{number(0.0), number(0.0)};
                sum = sum + (j < i ? shares.next : shares.own);
            }
            put(Z, place(i), sum);
        }
        return replace();
    }

    // Puts z into u.
    DEVICE bool replace() const {
        __syncthreads();
        bool sound = true;
        for (int i = threadIdx.x; i < n; i += blockDim.x) {
            const Number x = get(Z, place(i));
            sound = sound && is_in_range(x);
            put(U, place(i), x);
        }
        return sound;
    }
};

// A thread's slopes of a matrix's factors in the two directions; whether no pivot is bad.
struct Factors {
    Slopes up, down;
    bool sound;
};

// A thread's part of a matrix.
struct Chunk {
    Member member;
    Shared shared;
    bool high_first;
    // Where the thread's numbers are, in the order of elimination.
    int first, stride;

    DEVICE Chunk(const Member &member, const Shared &shared, bool high_first)
        : member(member), shared(shared), high_first(high_first) {
        const int threads = blockDim.x;
        first = high_first ? member.size() - 1 - threadIdx.x : threadIdx.x;
        stride = high_first ? -threads : threads;
    }

    DEVICE int place(int j) const { return first + j * stride; }

    DEVICE Row row(int place, const Number &s) const {
        const Number low = member.get(LOWER, place), high = member.get(UPPER, place);
        const Number sum = (low + high) + member.get(DIAGONAL, place);
        return {
            product(s, high_first ? high : low), product(s, high_first ? low : high),
            number(1.0) - product(s, sum)
        };
    }

    // What elimination brings to the thread's first node. A barrier.
    DEVICE Ratio eliminated(const Number &s) const {
        const Number one = number(1.0), zero = number(0.0);
        Matrix own = {{one, zero}, {zero, one}};
#pragma unroll 1
        for (int j = 0; j < member.chunk; j++) {
            const Row r = row(place(j), s);
            own = levelled(Matrix{r(own.first), r(own.second)});
        }
#pragma unroll 1
        for (int distance = 1; distance < WARP; distance *= 2) {
            const Matrix before = of_thread_before(own, distance);
            const Matrix both =
                levelled(Matrix{applied(own, before.first), applied(own, before.second)});
            if (before_in_warp<true>() >= distance) own = both;
        }
        const int warp = warp_of_block();
        if (before_in_warp<true>() == WARP - 1) shared.matrices[warp] = own;
        const Matrix in_warp = of_thread_before(own, 1);
        __syncthreads();
        Ratio p = {zero, one};
#pragma unroll 1
        for (int i = 0; i < warp; i++) p = levelled(applied(shared.matrices[i], p));
        return before_in_warp<true>() == 0 ? p : levelled(applied(in_warp, p));
    }

    // Leaves the matrix's factors; pivots that are not positive are bad. A barrier.
    ONCE Factors factors(const Number &dt, const Number &theta) const {
        const Number s = product(theta, dt), w = quotient(number(1.0), theta);
        Ratio p = eliminated(s);
        Number forward = number(1.0), backward = number(1.0);
        bool sound = true;
#pragma unroll 1
        for (int j = 0; j < member.chunk; j++) {
            const int at = place(j);
            const Row r = row(at, s);
            const Ratio next = r(p);
            const Number inverse = quotient(p.y, next.y), f = product(r.before, inverse),
                         g = product(r.after, inverse);
            sound = sound && p.y[0] > 0.0 && next.y[0] > 0.0 && is_finite(inverse);
            member.put(SCALED_INVERSES, at, product(inverse, w));
            member.put(FORWARD, at, f);
            member.put(BACKWARD, at, g);
            forward = product(forward, f), backward = product(backward, g);
            p = levelled(next);
        }
        return {composed<true>(forward, shared.up), composed<false>(backward, shared.down), sound};
    }
};

// A thread's part of steps of one matrix.
struct Steps : Chunk {
    Slopes up, down;

    DEVICE Steps(const Chunk &chunk, const Slopes &up, const Slopes &down)
        : Chunk(chunk), up(up), down(down) {}

    // Leaves z. A barrier.
    DEVICE void forwards() const {
        Number sum = number(0.0);
#pragma unroll UNROLLED
        for (int j = 0; j < member.chunk; j++) {
            const int at = place(j);
            const Number own = product(member.get(SCALED_INVERSES, at), member.get(U, at));
            member.put(Z, at, own);
            sum = fused(member.get(FORWARD, at), sum, own);
        }
        Number z = carried<true>(sum, up, shared.up);
#pragma unroll UNROLLED
        for (int j = 0; j < member.chunk; j++) {
            const int at = place(j);
            z = fused(member.get(FORWARD, at), z, member.get(Z, at));
            member.put(Z, at, z);
        }
    }

    // What comes in from behind to the chunk of z. A barrier.
    template <bool OBSTACLE_BELOW> DEVICE Number behind(const Number &kappa) const {
        if constexpr (OBSTACLE_BELOW) {
            Bounded f = {number(0.0), number(-BOUNDLESS), number(BOUNDLESS)};
#pragma unroll UNROLLED
            for (int j = member.chunk - 1; j >= 0; j--) {
                const int at = place(j);
                const Number low = fused(kappa, member.get(U, at), member.get(OBSTACLE, at));
                f = after(
                    Bounded{member.get(Z, at), low, number(BOUNDLESS)}, member.get(BACKWARD, at), f
                );
            }
            return carried<false>(f, down, shared.down);
        } else {
            Number sum = number(0.0);
#pragma unroll UNROLLED
            for (int j = member.chunk - 1; j >= 0; j--)
                sum = fused(member.get(BACKWARD, place(j)), sum, member.get(Z, place(j)));
            return carried<false>(sum, down, shared.down);
        }
    }

    // A step. With an obstacle `untouched` becomes the greatest number of a node of the thread
    // above it, as counted from one in the order of elimination, or 0. Two barriers.
    template <bool OBSTACLE_BELOW> DEVICE bool step(const Number &kappa, int &untouched) const {
        forwards();
        Number v = behind<OBSTACLE_BELOW>(kappa);
        bool sound = true;
        // Nodes that are not there come first where the last one does.
        const int skipped = high_first ? member.size() - member.n : 0;
        untouched = 0;
#pragma unroll UNROLLED
        for (int j = member.chunk - 1; j >= 0; j--) {
            const int at = place(j);
            const Number old = product(kappa, member.get(U, at));
            v = fused(member.get(BACKWARD, at), v, member.get(Z, at));
            Number next = v - old;
            if constexpr (OBSTACLE_BELOW) {
                const Number g = member.get(OBSTACLE, at);
                if (is_at_most_zero(next - g))
                    next = g, v = g + old;
                else
                    untouched = max(untouched, (int)threadIdx.x * member.chunk + j + 1 - skipped);
            }
            sound = sound && is_in_range(next);
            member.put(U, at, next);
        }
        return sound;
    }
};

// All of a stage; of every step with an obstacle the number of nodes up to the last in the order of
// elimination that is above it. What steps use is copied, so that it stays in registers.
template <bool OBSTACLE_BELOW>
DEVICE bool all_steps(const Chunk &chunk, const Stage &stage, unsigned *contacts) {
    const Number dt = chunk.member.single(stage.numbers),
                 theta = chunk.member.single(stage.numbers + 1);
    const Number kappa = quotient(number(1.0) - theta, theta);
    const Factors factors = chunk.factors(dt, theta);
    const Steps steps(chunk, factors.up, factors.down);
    const int count = stage.count;
    bool sound = factors.sound;
    if constexpr (OBSTACLE_BELOW) contacts += stage.contact;
#pragma unroll 1
    for (int i = 0; i < count; i++) {
        int untouched;
        const bool in_range = steps.step<OBSTACLE_BELOW>(kappa, untouched);
        sound = sound && in_range;
        if constexpr (OBSTACLE_BELOW) {
            const unsigned most = __reduce_max_sync(~0u, (unsigned)untouched);
            if (threadIdx.x % WARP == 0 && most > 0) atomicMax(contacts + i, most);
        }
    }
    return sound;
}

// `failed` becomes 1 for members of which some number is not in range: whether they have an outcome
// is for the host to find. `contacts` are zero before. Vectors lie in shared memory, or in that of
// work.
extern "C" __global__ void __launch_bounds__(THREADS) evolve(
    const Tile *tiles, const Stage *stages, const double *input, double *u, double *work,
    const double *numbers, const int *firsts, unsigned *contacts, unsigned *failed, int in_work
) {
    extern __shared__ double memory[];
    const Tile tile = tiles[blockIdx.x];
    const int n = tile.nodes, threads = blockDim.x, warps = warps_of_block();
    Total *const totals = (Total *)memory;
    const Shared shared = {totals, totals + warps, (Matrix *)(totals + 2 * warps)};
    double *const vectors = in_work ? work + tile.work : (double *)(shared.matrices + warps);
    const Member member = {
        vectors, n, (n + threads - 1) / threads, input + tile.input, numbers + tile.numbers
    };
    bool sound = true;
    member.fetch(U, 0, 0, n);
    // Which vectors of the input the generator and the obstacle are.
    int generator = -1, obstacle = -1;
#pragma unroll 1
    for (int at = 0; at < tile.stages && sound; at++) {
        const Stage stage = stages[tile.first_stage + at];
        __syncthreads();
        if (stage.kind == STEPS) {
            if (generator != stage.operand) {
                generator = stage.operand;
                member.fetch(LOWER, generator, 1, n);
                member.fetch(DIAGONAL, generator + 1, 0, n);
                member.fetch(UPPER, generator + 2, 0, n - 1);
            }
            if (stage.obstacle >= 0 && obstacle != stage.obstacle) {
                obstacle = stage.obstacle;
                member.fetch(OBSTACLE, obstacle, 0, n);
            }
            __syncthreads();
            const Chunk chunk(member, shared, stage.high_first);
            sound = stage.obstacle < 0 ? all_steps<false>(chunk, stage, nullptr)
                                       : all_steps<true>(chunk, stage, contacts + tile.contacts);
        } else if (stage.kind == MAP) {
            sound = member.map(stage, firsts + tile.firsts);
        } else {
            sound = member.floor(stage.operand);
        }
        sound = __syncthreads_and(sound);
    }
    for (int i = threadIdx.x; i < n; i += threads) {
        const Number x = member.get(U, member.place(i));
        sound = sound && is_in_range(x);
#pragma unroll
        for (int l = 0; l < LIMBS; l++) u[tile.u + l * n + i] = x[l];
    }
    sound = __syncthreads_and(sound);
    if (threadIdx.x == 0) failed[blockIdx.x] = sound ? 0 : 1;
}
