// Elements of a block through a step, with forces in full at its end; see fem/patch.cuh for what is
// to be defined.
#include "fem/patch.cuh"

namespace fem {

// Forces of the thread's element in full where its nodes are at the end of the step; its least
// volume.
template <class K>
DEVICE A in_full(const Elements& elements, const Corners& corners, const Own::Memory& memory, V3<A> (&forces)[K::N]) {
    if constexpr (K::POINTS == 1) {
        V3<A> at[N];
        corners.ends(at);
        return forces_of_one_point<K>(elements.material.numbers, Coordinates<K, A>(at), memory, forces);
    } else {
        return forces_of_selective(elements.material.numbers, corners, memory, forces);
    }
}

// Takes the thread's element through a step, and finds its forces in full at the end.
template <class K>
DEVICE Found<S, A> advance(const Elements& elements, const A* masses, A mass, const Step<C>& step, const Corners& corners, const Own::Memory& memory, V3<A> (&forces)[K::N]) {
    Found<S, A> found;
    if constexpr (K::POINTS == 1) {
        V3<A> at[N];
        corners.places(at);
        const Coordinates<K, A> x(at);
        corners.steps(at);
        const Coordinates<K, A> d(at);
        // Where elements take differences, their coordinates at the end are held in registers,
        // which suffice there.
        if constexpr (Own::TAKES_DIFFERENCES) {
            const Coordinates<K, A> end(x, d);
            found = deform_one_point<K, THE_LAW, S, A>(elements.material, step, x, d, mass, memory);
            found.least = lesser(found.least, forces_of_one_point<K>(elements.material.numbers, end, memory, forces));
            return found;
        }
        found = deform_one_point<K, THE_LAW, S, A>(elements.material, step, x, d, mass, memory);
    } else {
        found = deform_selective<PATCH, THE_LAW, S, A>(elements.material, step, corners, masses, memory);
    }
    // What both halves have in common is read again: registers are few.
    __syncwarp();
    found.least = lesser(found.least, in_full<K>(elements, corners, memory, forces));
    return found;
}

extern "C" __global__ void __launch_bounds__(PATCH, BLOCKS) advance_in_full(const __grid_constant__ Elements elements) {
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
    char* on_device = memory_on_device(elements, patch.number);
    char* own = COPIES ? ahead.memories : on_device;
    const Own::Memory memory = memory_of(elements, own, own);
    V3<A> forces[N];
    const Found<S, A> found = advance<Kind>(elements, masses, mass, step, corners, memory, forces);
    check(elements, patch, found.least);
    meet(elements, patch, ahead, forces);
    if (COPIES) {
        const uint4* from = (const uint4*)ahead.memories;
        uint4* to = (uint4*)on_device;
        for (int i = threadIdx.x; i < (int)(bytes_of_memory(elements) / sizeof(uint4)); i += PATCH) to[i] = from[i];
    }
    conclude(elements, patch, found, shared);
}

// Forces in full where nodes are; nothing remembered changes.
extern "C" __global__ void __launch_bounds__(PATCH) forces_in_full(const __grid_constant__ Elements elements) {
    extern __shared__ double4 room[];
    char* shared = (char*)room;
    const Patch patch = patch_of(elements);
    const Ahead ahead = ahead_in(shared, elements);
    const Corners corners = gather(elements, patch, ahead, C(0.0), false);
    char* own = memory_on_device(elements, patch.number);
    V3<A> forces[N];
    check(elements, patch, in_full<Kind>(elements, corners, memory_of(elements, own, own), forces));
    meet(elements, patch, ahead, forces);
}

} // namespace fem

using namespace fem;
