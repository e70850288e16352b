// What elements remember: numbers that steps add to, STRIDE from one to the next of an element.
#pragma once

#include "fem/vector.cuh"

namespace fem {

// Numbers as they are computed: where they are read, and where they are written.
template <class T, int STRIDE>
struct Slots {
    const T* from;
    T* to;
    DEVICE T load(int k) const { return from[k * STRIDE]; }
    DEVICE void store(int k, T x) const { to[k * STRIDE] = kept(x); }
    // What was x is more now.
    DEVICE void grow(int k, T x, T more) const { store(k, x + more); }
    DEVICE void grow_by_product(int k, T x, T a, T b) const { store(k, mul_add(a, b, x)); }
    DEVICE T difference(int k, int other) const { return load(k) - load(other); }
    DEVICE void copy(int k, int other) const { store(other, load(k)); }
    // Those from number k on.
    DEVICE Slots beyond(int k) const { return {from + k * STRIDE, to + k * STRIDE}; }
};

// A bfloat16: the upper half of an f32.
typedef unsigned short Rest;

DEVICE float value_of(Rest x) { return __int_as_float((int)x << 16); }

// Cut off, never more than lo: a number and its rest are then the only ones whose sum is theirs. A
// state, which is in f64, has 53 bits of it.
DEVICE Rest rest_of(Pair x) {
    const unsigned lo = (unsigned)__float_as_int(x.lo) >> 16;
    const int beyond = (__float_as_int(x.hi) >> 23 & 0xff) - max((int)(lo >> 7 & 0xff), 1) - 45;
    return (Rest)(beyond <= 0 ? lo : beyond < 8 ? lo & -(1u << beyond) : 0);
}

// Numbers of f32, and beside each what its sums have rounded off, in eight bits: together 32 or
// more, which take part in nothing but the next sum.
template <int STRIDE>
struct Sums {
    const float* from;
    const Rest* from_rests;
    float* to;
    Rest* to_rests;
    DEVICE float load(int k) const { return from[k * STRIDE]; }
    DEVICE void store(int k, float x) const { to[k * STRIDE] = x, to_rests[k * STRIDE] = 0; }
    DEVICE void grow(int k, float x, float more) const {
        const Pair sum = two_sum(x, more + value_of(from_rests[k * STRIDE]));
        to[k * STRIDE] = sum.hi, to_rests[k * STRIDE] = rest_of(sum);
    }
    DEVICE void grow_by_product(int k, float x, float a, float b) const { grow(k, x, a * b); }
    DEVICE float difference(int k, int other) const {
        return (load(k) - load(other)) + (value_of(from_rests[k * STRIDE]) - value_of(from_rests[other * STRIDE]));
    }
    DEVICE void copy(int k, int other) const { to[other * STRIDE] = from[k * STRIDE], to_rests[other * STRIDE] = from_rests[k * STRIDE]; }
    DEVICE Sums beyond(int k) const { return {from + k * STRIDE, from_rests + k * STRIDE, to + k * STRIDE, to_rests + k * STRIDE}; }
};

} // namespace fem
