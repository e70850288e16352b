// Elements of a block through a step, with forces in full at its end; see fem_patch.cuh for what is to be defined.
#include "fem_patch.cuh"

namespace fem {

// What the thread's element remembers through a step.
template <class K, class Memory>
DEVICE Found<S, A> deform(const Elements& elements, const Step& step, const Corners& corners, Memory memory, size_t base) {
    const A* masses = elements.masses + base * K::POINTS + threadIdx.x;
    if constexpr (K::POINTS == 1)
        return deform_one_point<K, THE_LAW, S, A>(elements.material, step, corners, masses[0], memory);
    else
        return deform_selective<PATCH, THE_LAW, S, A>(elements.material, step, corners, masses, memory);
}

// Forces of the thread's element in full; its least volume.
template <class K, class Memory>
DEVICE A in_full(const Elements& elements, const Corners& corners, Memory memory, V3<A> (&forces)[K::N]) {
    if constexpr (K::POINTS == 1)
        return forces_of_one_point<K>(elements.material.numbers, corners, memory, forces);
    else
        return forces_of_selective(elements.material.numbers, corners, memory, forces);
}

extern "C" __global__ void __launch_bounds__(PATCH, BLOCKS) advance_in_full(const __grid_constant__ Elements elements) {
    extern __shared__ double shared[];
    Clock& clock = *elements.clock;
    if (!clock.is_moving || clock.broken != NONE) return;
    const Step step = clock.step;
    const Patch patch = patch_of(elements);
    const Ahead ahead = ahead_in(shared, elements);
    const Corners corners = gather(elements, patch, ahead, step.dt, true);
    A* own = COPIES ? ahead.memories + threadIdx.x : memory_of(elements, patch.base);
    const Slots<A, PATCH> memory = {own, own};
    Found<S, A> found = deform<Kind>(elements, step, corners, memory, patch.base);
    // What both halves have in common is read again: registers are few.
    __syncwarp();
    V3<A> forces[N];
    found.least = lesser(found.least, in_full<Kind>(elements, corners, memory, forces));
    check(elements, patch, found.least);
    meet(elements, patch, ahead, forces);
    if (COPIES) {
        const int numbers = remembered(elements);
        const uint4* from = (const uint4*)ahead.memories;
        uint4* to = (uint4*)(elements.memories + patch.base * numbers);
        for (int i = threadIdx.x; i < PATCH * numbers / (16 / (int)sizeof(A)); i += PATCH) to[i] = from[i];
    }
    conclude(elements, patch, found, shared);
}

// Forces in full where nodes are; nothing remembered changes.
extern "C" __global__ void __launch_bounds__(PATCH) forces_in_full(const __grid_constant__ Elements elements) {
    extern __shared__ double shared[];
    const Patch patch = patch_of(elements);
    const Ahead ahead = ahead_in(shared, elements);
    const Corners corners = gather(elements, patch, ahead, 0.0, false);
    A* own = memory_of(elements, patch.base);
    V3<A> forces[N];
    check(elements, patch, in_full<Kind>(elements, corners, Slots<A, PATCH>{own, own}, forces));
    meet(elements, patch, ahead, forces);
}

} // namespace fem
