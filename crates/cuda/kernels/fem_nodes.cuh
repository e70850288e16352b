// What kernels know of nodes and of what acts on them. NODE, the type of what nodes have, and SUM,
// that of the sums of forces of elements, are defined.
#pragma once

#include "fem_clock.cuh"
#include "fem_exchange.cuh"

namespace fem {

typedef NODE A;
// Threads of a block, and blocks that run on a multiprocessor at the same time.
constexpr int THREADS = 256, RESIDENT = 4;

// Values of courses: when the last step began, when it ended; now, at the end of the step under way, and half way through it.
struct Courses {
    const Course* courses;
    const double* points;
    double *from, *to, *now, *next, *halfway;
    int count, unused;
};

// What few nodes have: for each axis one more than the number of a motion; walls that stop it; loads; one more than the place among pressed nodes.
struct Role {
    unsigned given[3], walls, first_load, loads, pressed, unused;
};

struct Given {
    int course, is_velocity;
};

struct Load {
    int axis, course;
};

struct Wall {
    double point[3], normal[3];
};

// An acceleration of all nodes, or of the parts of masses that some elements have.
struct Gravity {
    double direction[3];
    const double* parts;
    long long course;
};

struct Face {
    unsigned nodes[4];
    int count, is_axisymmetric;
    double thickness;
};

// A node of a face, and the course of the pressure on it.
struct Corner {
    unsigned face, node, course;
};

// The place of a node's first sum where it has none.
constexpr unsigned NOWHERE = ~0u;

struct Nodes {
    Clock* clock;
    Courses courses;
    // Of each node the place of its first sum, or NOWHERE, and where those of its other sums begin,
    // which follow in an array of their own.
    const uint2* turns;
    const unsigned* others;
    const Force<SUM>* sums;
    const double *x, *masses;
    A *u, *v, *a;
    // Where nodes are pairs: what elements see of them; x, and one over masses.
    float4* rows;
    const A *origins, *inverses;
    // Of each node one more than its role, or 0; its place in the order of the problem.
    const unsigned *roles, *names;
    const Role* of_role;
    const Given* motions;
    const Load* loads;
    const Wall* walls;
    const Gravity* gravity;
    // Of pressed nodes: forces and what the last step has changed of them; where their corners begin, and these.
    V3<double>*pressed, *pressed_changes;
    const unsigned* first_corner;
    const Corner* corners;
    const Face* faces;
    // Of each block of threads: work of loads, and of reactions with gravity on everything; the size of accelerations.
    double *works, *sizes;
    long long count;
    int gravities, pressed_count;
    // Walls that stop every node.
    unsigned common_walls, unused;

    // Three numbers of each node: the first of all, then the second, then the third.
    DEVICE size_t at(size_t node, int k) const { return k * (size_t)count + node; }
    template <class T> DEVICE V3<T> three_of(const T* numbers, size_t node) const { return {{numbers[at(node, 0)], numbers[at(node, 1)], numbers[at(node, 2)]}}; }
};

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

} // namespace fem
