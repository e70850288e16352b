// Nodes, time and loads of solids in motion, in the order of operations of
// crates/fem/src/cpu/run.rs; see fem/nodes.cuh for what is to be defined.
#include "fem/nodes.cuh"

namespace fem {

// The sides of a face that its corners are on.
DEVICE constexpr double sign_xi(int node) { return (node + 1) % 4 < 2 ? -1.0 : 1.0; }
DEVICE constexpr double sign_eta(int node) { return node % 4 < 2 ? -1.0 : 1.0; }

// ∫N·n dA of a corner of a face, outwards.
DEVICE V3<double> area_of(const Face& face, int corner, const V3<double> (&x)[4]) {
    if (face.count == 2) {
        const V3<double> d = sub(x[1], x[0]);
        const V3<double> normal = {{d[1], -d[0], 0.0}};
        const double a = x[0][0], b = x[1][0];
        const double share = face.is_axisymmetric ? (corner == 0 ? 2.0 * a + b : a + 2.0 * b) / 6.0 * face.thickness : 0.5 * face.thickness;
        return scale(share, normal);
    }
    if (face.count == 3) return scale(1.0 / 6.0, cross(sub(x[1], x[0]), sub(x[2], x[0])));
    const double s[3][4] = {{-1, 1, 1, -1}, {-1, -1, 1, 1}, {1, -1, 1, -1}};
    V3<double> of[3];
    for (int k = 0; k < 3; k++) {
        V3<double> sum = zero3<double>();
        for (int i = 0; i < 4; i++) sum = add(sum, scale(s[k][i], x[i]));
        of[k] = scale(0.25, sum);
    }
    const double xi = sign_xi(corner), eta = sign_eta(corner);
    const V3<double> flat = cross(of[0], of[1]), first = cross(of[0], of[2]), second = cross(of[2], of[1]);
    return add(flat, add(scale(xi / 3.0, first), scale(eta / 3.0, second)));
}

// Forces of pressures at the end of the step under way, or at the time where there is none.
extern "C" __global__ void __launch_bounds__(THREADS) press(const __grid_constant__ Nodes nodes, int is_at_rest) {
    const int i = blockIdx.x * THREADS + threadIdx.x;
    if (i >= nodes.pressed_count || !(is_at_rest || nodes.clock->is_moving)) return;
    V3<double> force = zero3<double>();
    for (unsigned c = nodes.first_corner[i]; c < nodes.first_corner[i + 1]; c++) {
        const Corner corner = nodes.corners[c];
        const double p = nodes.courses.next[corner.course];
        if (p == 0.0) continue;
        const Face face = nodes.faces[corner.face];
        V3<double> x[4];
        for (int n = 0; n < 4; n++)
            for (int k = 0; k < 3; k++) {
                const size_t place = at(nodes, face.nodes[n < face.count ? n : 0], k);
                x[n][k] = nodes.x[place] + double(nodes.u[place]);
            }
        force = sub(force, scale(p, area_of(face, corner.node, x)));
    }
    nodes.pressed_changes[i] = sub(force, nodes.pressed[i]);
    nodes.pressed[i] = force;
}

// Ends the step under way, unless `begins`, and begins the next.
extern "C" __global__ void __launch_bounds__(THREADS) tick(const __grid_constant__ Nodes nodes, int begins, double end, double pause, double factor, double most, long long left) {
    __shared__ double times[5];
    Clock& clock = *nodes.clock;
    if (threadIdx.x == 0) {
        const bool was_moving = !begins && clock.is_moving;
        clock.is_assembling = was_moving && clock.inverted == NONE && clock.broken == NONE;
        clock.is_moving = 0;
        if (begins) clock.end = end, clock.pause = pause, clock.factor = factor, clock.most = most, clock.left = left;
        times[0] = times[1] = times[2] = times[3] = times[4] = clock.time;
        if (clock.is_assembling) {
            const double dt = clock.dt;
            const bool is_last = dt == clock.end - clock.time;
            times[0] = clock.time, times[1] = clock.time + dt;
            clock.time = is_last ? clock.end : times[1];
            clock.last = dt;
            clock.stable = __longlong_as_double(clock.found);
            clock.steps++, clock.left--;
            times[2] = times[3] = times[4] = clock.time;
        }
        if (clock.left > 0 && !has_come(clock) && clock.inverted == NONE && clock.broken == NONE) {
            clock.is_moving = 1;
            clock.found = __double_as_longlong(__longlong_as_double(0x7ff0000000000000ll));
            clock.dt = next_step(clock);
            show_step(clock);
            times[3] = clock.time + clock.dt;
            times[4] = clock.time + 0.5 * clock.dt;
        }
    }
    __syncthreads();
    const Courses& courses = nodes.courses;
    for (int i = threadIdx.x; i < courses.count; i += THREADS) {
        const Course course = courses.courses[i];
        courses.from[i] = at(course, courses.points, times[0]);
        courses.to[i] = at(course, courses.points, times[1]);
        courses.now[i] = at(course, courses.points, times[2]);
        courses.next[i] = at(course, courses.points, times[3]);
        courses.halfway[i] = at(course, courses.points, times[4]);
    }
}

// The sum over a block of threads, in one order; what thread 0 returns counts.
DEVICE double sum_of_block(double x) {
    __shared__ double parts[THREADS / 32];
#pragma unroll
    for (int other = 16; other; other /= 2) x += __shfl_down_sync(~0u, x, other);
    __syncthreads();
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = x;
    __syncthreads();
    double sum = 0;
    for (int warp = 0; warp < THREADS / 32; warp++) sum += parts[warp];
    return sum;
}

// The node of the thread. The rank's own nodes come first, in whole groups; those that it moves
// beside them begin with a block of threads.
struct Place {
    size_t node;
    bool is_own, is_there;
};
DEVICE Place place_of(const Nodes& nodes) {
    const size_t blocks = (nodes.owned + THREADS - 1) / THREADS;
    const bool is_own = blockIdx.x < blocks;
    const size_t first = is_own ? (size_t)blockIdx.x * THREADS : nodes.owned + (blockIdx.x - blocks) * THREADS;
    const size_t node = first + threadIdx.x;
    return {node, is_own, node < (size_t)(is_own ? nodes.owned : nodes.moved)};
}

// A node whose velocity is not finite.
DEVICE void note_broken(const Nodes& nodes, size_t node) { atomicMin(&nodes.clock->broken, (unsigned long long)nodes.numbers[node]); }

// What a node has, while a thread computes with it: rounded at once, unless it is a pair.
template <class T> struct HeldAs {
    typedef T Number;
    static constexpr bool IS_PAIR = false;
};
template <> struct HeldAs<Pair> {
    typedef double Number;
    static constexpr bool IS_PAIR = true;
};
typedef HeldAs<A>::Number H;
constexpr bool ARE_PAIRS = HeldAs<A>::IS_PAIR;

template <class T, class B> DEVICE void increase(T& to, B by) { to = T(to + double(by)); }
template <class B> DEVICE void increase(Pair& to, B by) { to = to + by; }

DEVICE double inverse_of(double mass) { return mass > 0.0 ? 1.0 / mass : 0.0; }

// What the elements around a node sum up to.
template <class T> DEVICE V3<T> force_on(const Nodes& nodes, size_t node) {
    V3<T> force = zero3<T>();
    const uint2 turn = nodes.turns[node];
    const unsigned end = nodes.turns[node + 1].y;
    unsigned place = turn.x, next = turn.y;
    while (place != NOWHERE) {
        const Force<SUM> own = nodes.sums[place];
        place = next < end ? nodes.others[next++] : NOWHERE;
#pragma unroll
        for (int k = 0; k < 3; k++) increase(force[k], own.of[k]);
    }
    return force;
}

// Adds to a node's acceleration what loads change from one time to another, or `all` of the latter;
// `both` gets the sum of the loads of both times.
DEVICE void add_loads(const Nodes& nodes, size_t node, const Role* role, double inverse, const double* from, const double* to, bool all, V3<H>& a, V3<double>& both) {
    if (role) {
        for (unsigned l = role->first_load; l < role->first_load + role->loads; l++) {
            const Load load = nodes.loads[l];
            const double old = from[load.course], by = (to[load.course] - (all ? 0.0 : old)) * inverse;
            for (int k = 0; k < 3; k++)
                if (k == load.axis) {
                    increase(a[k], by);
                    both[k] += to[load.course] + old;
                }
        }
        if (role->pressed) {
            const V3<double> now = nodes.pressed[role->pressed - 1], change = nodes.pressed_changes[role->pressed - 1];
            for (int k = 0; k < 3; k++) {
                increase(a[k], (all ? now[k] : change[k]) * inverse);
                both[k] += 2.0 * now[k] - change[k];
            }
        }
    }
    for (int g = 0; g < nodes.gravities; g++) {
        const Gravity gravity = nodes.gravity[g];
        const double old = from[gravity.course], by = to[gravity.course] - (all ? 0.0 : old);
        const double own = gravity.parts ? gravity.parts[node] : 0.0;
        if (gravity.parts && own == 0.0) continue;
        const double part = own * inverse;
        for (int k = 0; k < 3; k++) {
            const double along = by * gravity.direction[k];
            if (by != 0.0) increase(a[k], gravity.parts ? part * along : along);
            if (gravity.parts) both[k] += own * gravity.direction[k] * (to[gravity.course] + old);
        }
    }
}

// Adds to a node's acceleration what its elements and loads have changed in the last step, or all
// of that; the work of loads.
DEVICE double assemble(const Nodes& nodes, size_t node, const Role* role, double mass, bool all, V3<H>& a, const V3<double>& v, double& size) {
    const double inverse = inverse_of(mass);
    const V3<double> force = force_on<double>(nodes, node);
    for (int k = 0; k < 3; k++) {
        increase(a[k], -inverse * force[k]);
        if (!all) size += mass * fabs((double)a[k]);
    }
    if (!role && nodes.gravities == 0) return 0.0;
    V3<double> both = zero3<double>();
    add_loads(nodes, node, role, inverse, nodes.courses.from, nodes.courses.to, all, a, both);
    const double half = 0.5 * nodes.clock->last;
    return half * (both[0] * v[0] + both[1] * v[1] + both[2] * v[2]);
}

// Takes from a velocity what would carry the node through the wall.
DEVICE void stop(const Wall& wall, const V3<double>& x, const V3<double>& u, V3<double>& v, double dt) {
    double gap = 0.0, speed = 0.0;
    for (int k = 0; k < 3; k++) gap += (x[k] + u[k] - wall.point[k]) * wall.normal[k];
    for (int k = 0; k < 3; k++) speed += v[k] * wall.normal[k];
    if (gap + dt * speed < 0.0) {
        const double change = -gap / dt - speed;
        for (int k = 0; k < 3; k++) v[k] += change * wall.normal[k];
    }
}

// A node's velocity and displacement of the step under way; the work of reactions.
DEVICE double move(const Nodes& nodes, size_t node, const Role* role, double mass, const V3<H>& a, V3<H>& u, V3<H>& v) {
    const Clock& clock = *nodes.clock;
    const double dt = clock.dt, mean = 0.5 * (dt + clock.last), half = 0.5 * dt;
    V3<double> pull = zero3<double>();
    for (int g = 0; g < nodes.gravities; g++) {
        const Gravity gravity = nodes.gravity[g];
        if (gravity.parts) continue;
        const double both = nodes.courses.now[gravity.course] + nodes.courses.next[gravity.course];
        for (int k = 0; k < 3; k++) pull[k] += gravity.direction[k] * both;
    }
    const V3<double> old = as<double>(v);
    V3<double> fresh;
    for (int k = 0; k < 3; k++) fresh[k] = H(old[k] + mean * a[k]);
    const V3<double> free = fresh;
    if (role)
        for (int k = 0; k < 3; k++) {
            if (!role->given[k]) continue;
            const Given motion = nodes.motions[role->given[k] - 1];
            fresh[k] = motion.is_velocity ? nodes.courses.halfway[motion.course] : (nodes.courses.next[motion.course] - u[k]) / dt;
        }
    unsigned walls = nodes.common_walls | (role ? role->walls : 0);
    // Nothing but these does work beside the elements.
    const bool has_work = role || walls || nodes.gravities > 0;
    if (walls) {
        const V3<double> x = three_of(nodes, nodes.x, node);
        for (; walls; walls &= walls - 1) stop(nodes.walls[__ffs(walls) - 1], x, as<double>(u), fresh, dt);
    }
    double work = 0.0;
    bool is_broken = false;
    V3<Pair> place, step;
    for (int k = 0; k < 3; k++) {
        v[k] = H(fresh[k]);
        const double now = v[k];
        if (has_work) work += mass * ((now - free[k]) * (0.5 * (old[k] + now)) + half * pull[k] * now);
        u[k] = H(u[k] + dt * now);
        if (ARE_PAIRS) place[k] = Pair(nodes.x[at(nodes, node, k)] + (u[k] - half * now)), step[k] = Pair(dt * now);
        is_broken = is_broken || !(fabs(now) < __longlong_as_double(0x7ff0000000000000ll));
    }
    if (ARE_PAIRS) put_row(nodes.rows, nodes.count, node, Row::of(place, step));
    if (is_broken) note_broken(nodes, node);
    return work;
}

// How the sums of the last step come to accelerations.
enum Assembly { NOTHING = 0, INCREMENTS = 1, IN_FULL = 2 };

// Ends the last step of a node on which elements alone act, with forces in full, and begins the
// next; all in pairs.
template <class N> DEVICE void glide(Pair, const N& nodes, size_t node, bool is_assembling, bool is_moving, bool keeps) {
    const Clock& clock = *nodes.clock;
    const V3<Pair> before = three_of(nodes, nodes.v, node), from = three_of(nodes, nodes.u, node), origin = three_of(nodes, nodes.origins, node);
    V3<Pair> a;
    if (is_assembling) {
        const Pair inverse = -nodes.inverses[node];
        const V3<Pair> force = force_on<Pair>(nodes, node);
#pragma unroll
        for (int k = 0; k < 3; k++) a[k] = kept(inverse * force[k]);
        if (keeps || !is_moving)
#pragma unroll
            for (int k = 0; k < 3; k++) nodes.a[at(nodes, node, k)] = a[k];
    } else {
        a = three_of(nodes, nodes.a, node);
    }
    if (!is_moving) return;
    const Pair dt = clock.paired.dt, mean = clock.mean;
    V3<Pair> place, step;
    bool is_broken = false;
#pragma unroll
    for (int k = 0; k < 3; k++) {
        const Pair v = kept(mul_add(mean, a[k], before[k]));
        step[k] = dt * v;
        const Pair u = kept(from[k] + step[k]);
        place[k] = origin[k] + (u + Pair(-0.5f * step[k].hi, -0.5f * step[k].lo));
        is_broken = is_broken || !(magnitude(v.hi) < __int_as_float(0x7f800000));
        nodes.v[at(nodes, node, k)] = v, nodes.u[at(nodes, node, k)] = u;
    }
    put_row(nodes.rows, nodes.count, node, Row::of(place, step));
    if (is_broken) note_broken(nodes, node);
}
// Other numbers have nothing to gain.
template <class N> DEVICE void glide(double, const N&, size_t, bool, bool, bool) {}

// Ends the last step of all nodes, if it is to, and begins the next. Accelerations of forces in
// full are kept where they are asked for, or no step follows.
extern "C" __global__ void __launch_bounds__(THREADS, RESIDENT) move_nodes(const __grid_constant__ Nodes nodes, int assembly, int keeps) {
    const Clock& clock = *nodes.clock;
    const Place place = place_of(nodes);
    const size_t node = place.node;
    const bool is_there = place.is_there;
    const unsigned number = is_there && nodes.roles ? nodes.roles[node] : 0;
    const bool is_assembling = assembly != NOTHING && clock.is_assembling, is_moving = clock.is_moving;
    const bool is_in_full = is_assembling && assembly == IN_FULL;
    if (!is_assembling && !is_moving) return;
    // Nothing but roles, gravity and walls does work beside the elements.
    const bool has_work = __syncthreads_or(number) || nodes.gravities > 0 || nodes.common_walls;
    if (ARE_PAIRS && !has_work && assembly != INCREMENTS) {
        if (is_there) glide(A(), nodes, node, is_assembling, is_moving, keeps);
        return;
    }
    double of_loads = 0.0, of_reactions = 0.0, size = 0.0;
    if (is_there) {
        const Role* role = number ? nodes.of_role + (number - 1) : nullptr;
        const double mass = nodes.masses[node];
        V3<H> a, v, u;
        for (int k = 0; k < 3; k++) v[k] = H(nodes.v[at(nodes, node, k)]), u[k] = H(nodes.u[at(nodes, node, k)]);
        for (int k = 0; k < 3; k++) a[k] = is_in_full ? H(0) : H(nodes.a[at(nodes, node, k)]);
        if (is_assembling) {
            of_loads = assemble(nodes, node, role, mass, is_in_full, a, as<double>(v), size);
            if (keeps || !is_moving)
                for (int k = 0; k < 3; k++) nodes.a[at(nodes, node, k)] = A(a[k]);
        }
        if (is_moving) {
            of_reactions = move(nodes, node, role, mass, a, u, v);
            for (int k = 0; k < 3; k++) nodes.u[at(nodes, node, k)] = A(u[k]), nodes.v[at(nodes, node, k)] = A(v[k]);
        }
    }
    // Two sums, whose parts of a step do not depend on where steps stop.
    if (has_work && is_assembling) {
        const double sum = sum_of_block(of_loads);
        if (threadIdx.x == 0) nodes.works[2 * (size_t)blockIdx.x] += sum;
    }
    if (has_work && is_moving) {
        const double sum = sum_of_block(of_reactions);
        if (threadIdx.x == 0) nodes.works[2 * (size_t)blockIdx.x + 1] += sum;
    }
    if (!is_assembling || is_in_full || !place.is_own) return;
    const double own = sum_of_block(size);
    if (threadIdx.x == 0) nodes.sizes[blockIdx.x] = own;
}

// The scale of forces after a step of increments, by the sizes of all groups of all `count` nodes;
// those of group i are sizes[places[i]], or sizes[i] where there are no places.
extern "C" __global__ void __launch_bounds__(THREADS) rescale(const __grid_constant__ Nodes nodes, const double* sizes, const unsigned* places, long long count) {
    Clock& clock = *nodes.clock;
    if (!clock.is_assembling) return;
    double all = 0.0;
    const size_t groups = (count + THREADS - 1) / THREADS;
    for (size_t i = threadIdx.x; i < groups; i += THREADS) all += sizes[places ? places[i] : i];
    all = sum_of_block(all);
    if (threadIdx.x == 0 && all > 0.0 && all < __longlong_as_double(0x7ff0000000000000ll)) {
        double power = rint(-log2(all / (3.0 * count)));
        power = power < -100.0 ? -100.0 : 100.0 < power ? 100.0 : power;
        clock.scale = exp2(power);
        show_step(clock);
    }
}

// Of each block of threads the squares of forces in full: of elements, of all, of what those of
// accelerations differ by.
extern "C" __global__ void __launch_bounds__(THREADS) drift(const __grid_constant__ Nodes nodes, double* to) {
    const size_t node = (size_t)blockIdx.x * THREADS + threadIdx.x;
    double internal = 0.0, all = 0.0, difference = 0.0;
    if (node < (size_t)nodes.owned) {
        const unsigned number = nodes.roles ? nodes.roles[node] : 0;
        const Role* role = number ? nodes.of_role + (number - 1) : nullptr;
        const double mass = nodes.masses[node], inverse = inverse_of(mass);
        const V3<double> force = force_on<double>(nodes, node);
        V3<H> a = zero3<H>();
        V3<double> both = zero3<double>();
        for (int k = 0; k < 3; k++) {
            increase(a[k], -inverse * force[k]);
            internal += (mass * a[k]) * (mass * a[k]);
        }
        add_loads(nodes, node, role, inverse, nodes.courses.now, nodes.courses.now, true, a, both);
        for (int k = 0; k < 3; k++) {
            const double off = mass * ((double)nodes.a[at(nodes, node, k)] - (double)a[k]);
            all += (mass * a[k]) * (mass * a[k]);
            difference += off * off;
        }
    }
    internal = sum_of_block(internal);
    all = sum_of_block(all);
    difference = sum_of_block(difference);
    if (threadIdx.x == 0) to[3 * blockIdx.x] = internal, to[3 * blockIdx.x + 1] = all, to[3 * blockIdx.x + 2] = difference;
}

// Of each block of threads: ½·m·v² of velocities half a step before the time, and what forces do in
// that half step on what moves freely, and on what moves as given.
extern "C" __global__ void __launch_bounds__(THREADS) energies(const __grid_constant__ Nodes nodes, double* to) {
    const size_t node = (size_t)blockIdx.x * THREADS + threadIdx.x;
    double kinetic = 0.0, given = 0.0;
    if (node < (size_t)nodes.owned) {
        const unsigned number = nodes.roles ? nodes.roles[node] : 0;
        const double mass = nodes.masses[node], half = 0.5 * nodes.clock->last;
        for (int k = 0; k < 3; k++) {
            const double v = double(nodes.v[at(nodes, node, k)]), more = half * mass * v * double(nodes.a[at(nodes, node, k)]);
            const bool is_given = number && nodes.of_role[number - 1].given[k];
            kinetic += 0.5 * mass * (v * v) + (is_given ? 0.0 : more);
            given += is_given ? more : 0.0;
        }
    }
    kinetic = sum_of_block(kinetic);
    given = sum_of_block(given);
    if (threadIdx.x == 0) to[2 * blockIdx.x] = kinetic, to[2 * blockIdx.x + 1] = given;
}

// Displacements of the rank's own nodes, and velocities at the time itself, where their names say.
extern "C" __global__ void __launch_bounds__(THREADS) motion(const __grid_constant__ Nodes nodes, double* displacements, double* velocities) {
    const size_t node = (size_t)blockIdx.x * THREADS + threadIdx.x;
    if (node >= (size_t)nodes.owned) return;
    const unsigned number = nodes.roles ? nodes.roles[node] : 0;
    const double half = 0.5 * nodes.clock->last;
    const size_t to = 3 * (size_t)nodes.names[node];
    for (int k = 0; k < 3; k++) {
        const double v = double(nodes.v[at(nodes, node, k)]);
        const unsigned given = number ? nodes.of_role[number - 1].given[k] : 0;
        displacements[to + k] = double(nodes.u[at(nodes, node, k)]);
        if (!given) velocities[to + k] = v + half * double(nodes.a[at(nodes, node, k)]);
        else velocities[to + k] = nodes.motions[given - 1].is_velocity ? nodes.courses.now[nodes.motions[given - 1].course] : v;
    }
}

// Nodes where they are at the time, for elements that are to find forces there.
extern "C" __global__ void __launch_bounds__(THREADS) place_nodes(const __grid_constant__ Nodes nodes) {
    const Place own = place_of(nodes);
    const size_t node = own.node;
    if (!own.is_there) return;
    V3<Pair> place;
    for (int k = 0; k < 3; k++) place[k] = Pair(nodes.x[at(nodes, node, k)] + double(nodes.u[at(nodes, node, k)]));
    put_row(nodes.rows, nodes.count, node, Row::of(place, zero3<Pair>()));
}

// What goes to another rank: sums of some places, then displacements of some nodes.
extern "C" __global__ void __launch_bounds__(THREADS) pack(const __grid_constant__ Nodes nodes, const unsigned* places, long long sums, const unsigned* shown, long long count, Force<SUM>* to, A* displacements) {
    const long long i = (long long)blockIdx.x * THREADS + threadIdx.x, j = i - sums;
    if (i < sums) to[i] = nodes.sums[places[i]];
    else if (j < count)
        for (int k = 0; k < 3; k++) displacements[3 * j + k] = nodes.u[at(nodes, shown[j], k)];
}

// The same that comes, put where the sums of its rank begin, and where its nodes do.
extern "C" __global__ void __launch_bounds__(THREADS) unpack(const __grid_constant__ Nodes nodes, const Force<SUM>* from, long long sums, const A* displacements, long long count, Force<SUM>* to, long long first) {
    const long long i = (long long)blockIdx.x * THREADS + threadIdx.x, j = i - sums;
    if (i < sums) to[i] = from[i];
    else if (j < count)
        for (int k = 0; k < 3; k++) nodes.u[at(nodes, first + j, k)] = displacements[3 * j + k];
}

// What the elements and nodes of another rank have found.
extern "C" __global__ void join(Clock* clock, const Verdict* other) {
    clock->found = clock->found < other->found ? clock->found : other->found;
    clock->inverted = clock->inverted < other->inverted ? clock->inverted : other->inverted;
    clock->broken = clock->broken < other->broken ? clock->broken : other->broken;
}

} // namespace fem

using namespace fem;
