// Where a run of solids in motion is, in the memory of the device (crates/fem/src/solid/run.rs).
// Clock is declared before.
#pragma once

#include "fem/step.cuh"

namespace fem {

constexpr unsigned long long NONE = ~0ull;

// What elements see of the step, and the mean of its length and that of the last step.
DEVICE void show_step(Clock& clock) {
    clock.wide = {clock.dt, 1.0 / clock.dt, clock.linear, clock.quadratic, clock.quadratic * clock.quadratic, clock.hourglass / 3.0, clock.scale, 1.0 / clock.scale};
    clock.paired = {Pair(clock.dt), Pair(clock.wide.rate), Pair(clock.linear), Pair(clock.quadratic), Pair(clock.wide.square), Pair(clock.wide.hourglass), Pair(clock.scale), Pair(clock.wide.back)};
    clock.mean = Pair(0.5 * (clock.dt + clock.last));
}
DEVICE const Step<double>& step_of(const Clock& clock, double) { return clock.wide; }
DEVICE const Step<Pair>& step_of(const Clock& clock, Pair) { return clock.paired; }

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
