// Asynchronous copies from device to shared memory. A compiler of another machine, which tests
// kernels there, has them at once.
#pragma once

#include "num/lane.cuh"

#ifdef __CUDACC__

// Begins the copy of one limb; where it is not inside, zero is written and nothing read.
DEVICE void copy_limb(unsigned to, const double *from, bool inside) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, %2;\n" ::"r"(to), "l"(from), "r"(inside ? 8 : 0));
}

// Ends a group of copies.
DEVICE void commit_copies() {
    asm volatile("cp.async.commit_group;\n");
}

// Waits until at most `PENDING` groups are under way; a barrier shows the numbers to other threads.
template <int PENDING>
DEVICE void wait_for_copies() {
    asm volatile("cp.async.wait_group %0;\n" ::"n"(PENDING) : "memory");
}

DEVICE unsigned shared_address(const void *place) {
    return (unsigned)__cvta_generic_to_shared(place);
}

// Begins the copy of 16 bytes that are read once.
DEVICE void copy_quad(unsigned to, const void *from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(to), "l"(from));
}

#else

template <class T> T *shared_address(T *place) { return place; }
template <class T> void copy_quad(T *to, const void *from) { std::memcpy((void *)to, from, 16); }
inline void commit_copies() {}
template <int PENDING> void wait_for_copies() {}

#endif
