// What kernels know of nodes and of what acts on them. NODE, the type of what nodes have, and SUM,
// that of the sums of forces of elements, are defined.
#pragma once

#include "fem/exchange.cuh"
#include "fem/step.cuh"

namespace fem {

typedef NODE A;
// Threads of a block, and blocks that run on a multiprocessor at the same time.
constexpr int THREADS = 256, RESIDENT = 4;

// The place of a node's first sum where it has none.
constexpr unsigned NOWHERE = ~0u;

#include "arguments.cuh"

// The value of a course at a time.
DEVICE double at(const Course& course, const double* points, double time) {
    const double* p = points + 2 * course.first;
    int after = 0;
    while (after < course.count && p[2 * after] <= time) after++;
    double value = 1.0;
    if (course.count > 0) {
        if (after == 0) value = p[1];
        else if (after == course.count) value = p[2 * after - 1];
        else {
            const double t0 = p[2 * after - 2], x0 = p[2 * after - 1], t1 = p[2 * after], x1 = p[2 * after + 1];
            const double t = (time - t0) / (t1 - t0);
            const double part = course.is_smooth ? t * t * t * (10.0 - 15.0 * t + 6.0 * t * t) : t;
            value = x0 + part * (x1 - x0);
        }
    }
    return course.factor * value;
}

// Three numbers of each node: the first of all, then the second, then the third.
DEVICE size_t at(const Nodes& nodes, size_t node, int k) { return k * (size_t)nodes.count + node; }
template <class T> DEVICE V3<T> three_of(const Nodes& nodes, const T* numbers, size_t node) { return {{numbers[at(nodes, node, 0)], numbers[at(nodes, node, 1)], numbers[at(nodes, node, 2)]}}; }

} // namespace fem

#include "fem/clock.cuh"
