// Elements of a block through a step, and what it adds to their forces; see fem/patch.cuh for what
// is to be defined.
#include "fem/one_point_increments.cuh"
#include "fem/patch.cuh"
#include "fem/selective_increments.cuh"

namespace fem {

template <class K>
DEVICE Found<S, A> advance(const Elements& elements, const A* masses, A mass, const Step<C>& step, const Corners& corners, const Ahead& ahead, const Patch& patch, V3<A> (&forces)[K::N]) {
    char* own = memory_on_device(elements, patch.number);
    if constexpr (K::POINTS == 1)
        return increments_of_one_point<K, THE_LAW, S, A>(elements.material, step, corners, mass, memory_of(elements, ahead.memories, own), forces);
    else
        return increments_of_selective<PATCH, THE_LAW, S, A>(elements.material, step, corners, masses, memory_of(elements, own, own), forces);
}

extern "C" __global__ void __launch_bounds__(PATCH, BLOCKS) advance_by_increments(const __grid_constant__ Elements elements) {
    extern __shared__ double4 room[];
    char* shared = (char*)room;
    Clock& clock = *elements.clock;
    const Patch patch = patch_of(elements);
    const bool is_moving = clock.is_moving && clock.broken == NONE;
    const Step<C> step = step_of(clock, C());
    const Ahead ahead = ahead_in(shared, elements);
    const A* masses = elements.masses + patch.base * Kind::POINTS + threadIdx.x;
    const A mass = masses[0];
    const Corners corners = gather(elements, patch, ahead, step.dt, true);
    if (!is_moving) return;
    V3<A> forces[N];
    const Found<S, A> found = advance<Kind>(elements, masses, mass, step, corners, ahead, patch, forces);
    check(elements, patch, found.least);
    meet(elements, patch, ahead, forces);
    conclude(elements, patch, found, shared);
}

} // namespace fem

using namespace fem;
