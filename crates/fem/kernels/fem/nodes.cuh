// What kernels know of nodes and of what acts on them. NODE, the type of what nodes have, and SUM,
// that of the sums of forces of elements, are defined.
#pragma once

#include "fem/clock.cuh"
#include "fem/exchange.cuh"

namespace fem {

typedef NODE A;
// Threads of a block, and blocks that run on a multiprocessor at the same time.
constexpr int THREADS = 256, RESIDENT = 4;

// Values of courses: when the last step began and when it ended; now; at the end of the step under
// way, and half way through it.
struct Courses {
    const Course* courses;
    const double* points;
    double *from, *to, *now, *next, *halfway;
    int count, unused;
};

// What few nodes have: for each axis one more than the number of a motion; walls that stop it;
// loads; one more than the place among pressed nodes.
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
    // Of pressed nodes: forces and what the last step has changed of them; where their corners
    // begin, and these.
    V3<double>*pressed, *pressed_changes;
    const unsigned* first_corner;
    const Corner* corners;
    const Face* faces;
    // Of each block of threads: work of loads, and of reactions with gravity on everything; the
    // size of accelerations.
    double *works, *sizes;
    long long count;
    int gravities, pressed_count;
    // Walls that stop every node.
    unsigned common_walls, unused;

    // Three numbers of each node: the first of all, then the second, then the third.
    DEVICE size_t at(size_t node, int k) const { return k * (size_t)count + node; }
    template <class T> DEVICE V3<T> three_of(const T* numbers, size_t node) const { return {{numbers[at(node, 0)], numbers[at(node, 1)], numbers[at(node, 2)]}}; }
};

} // namespace fem
