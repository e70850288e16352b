// Where a run of solids in motion is, in the memory of the device (crates/fem/src/solid/run.rs).
#pragma once

#include "fem/element.cuh"

namespace fem {

constexpr unsigned long long NONE = ~0ull;

struct Clock {
    // Of the step under way: its length; linear and quadratic bulk viscosity; stiffness against
    // hourglass modes; what rounded parts of forces are multiplied by.
    double dt, linear, quadratic, hourglass, scale;
    // Now; the length of the last step; the longest stable step.
    double time, last, stable;
    // Until when, and how long steps may be: a part of what is stable, and at most so much. Where steps stop, no matter how long.
    double end, factor, most, pause;
    // Steps taken, and steps left.
    long long steps, left;
    // The bits of the longest stable step of the elements so far.
    unsigned long long found;
    // The first block of elements, in the upper half, and the first element there that has turned inside out; the first node that is not finite; or NONE.
    unsigned long long inverted, broken;
    // Whether a step is under way, and whether one has been taken whose forces are not summed up yet.
    int is_moving, is_assembling;
    // Blocks of threads that have summed up their nodes.
    unsigned done, unused;
    // What elements see of the step, with constants in f64 and in pairs.
    Step<double> wide;
    Step<Pair> paired;
    // The mean of its length and that of the last step, by which velocities grow.
    Pair mean;

    DEVICE void show_step() {
        wide = {dt, 1.0 / dt, linear, quadratic, quadratic * quadratic, hourglass / 3.0, scale, 1.0 / scale};
        paired = {Pair(dt), Pair(wide.rate), Pair(linear), Pair(quadratic), Pair(wide.square), Pair(wide.hourglass), Pair(scale), Pair(wide.back)};
        mean = Pair(0.5 * (dt + last));
    }
    DEVICE const Step<double>& step_of(double) const { return wide; }
    DEVICE const Step<Pair>& step_of(Pair) const { return paired; }
};

// A function of time: points[first..first + count].
struct Course {
    double factor;
    int is_smooth, first, count, unused;
};

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

// A number rounded down to seven bits.
DEVICE double few_bits(double x) { return __longlong_as_double(__double_as_longlong(x) & ~(long long)(~0ull >> 18)); }

// By what part a last step may be longer than the longest.
constexpr double SLACK = 1.0 / 1024.0;

// The length of the next step.
DEVICE double next_step(const Clock& clock) {
    const double stable = clock.factor * few_bits(clock.stable);
    const double longest = stable < clock.most ? stable : clock.most;
    const double left = clock.end - clock.time;
    if (!(left < __longlong_as_double(0x7ff0000000000000ll))) return longest;
    const double count = ceil(left / longest - SLACK);
    return left / (count < 1.0 ? 1.0 : count);
}

// Whether the end has come, or the pause is no nearer to the end of the next step than to now.
DEVICE bool has_come(const Clock& clock) { return clock.time >= clock.end || 2.0 * (clock.pause - clock.time) <= next_step(clock); }

} // namespace fem
