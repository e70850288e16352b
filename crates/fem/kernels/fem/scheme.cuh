// What a module of elements computes in, and what its kernels take. SMALL (what is rounded), SUM
// (what is summed), CONSTANT (what constants are given in) and PATCH are defined.
#pragma once

#include "fem/exchange.cuh"
#include "fem/memory.cuh"
#include "fem/step.cuh"

namespace fem {

typedef SMALL S;
typedef SUM A;
typedef CONSTANT C;

// What differs between schemes, by the type that is computed in and that of constants.
template <class T, class K> struct Scheme;

// Everything in one type; only sums of work, and nodes on their way here, in f64.
template <class T> struct Scheme<T, double> {
    typedef double Place;
    typedef T Node;
    // Of work: all of a patch until now, and what a step adds.
    typedef double Work, Part;
    typedef Slots<T, PATCH> Memory;
    // Bytes of a number in memory, and numbers of a node in shared memory.
    static constexpr int KEPT = sizeof(T), ROW = 6;
    // Whether nodes have more digits than elements compute with, so that these take differences
    // first.
    static constexpr bool TAKES_DIFFERENCES = false;
};

// Nodes and work in pairs of f32. Nodes come in rows, by 16 bytes.
struct OfPairs {
    typedef float4 Place;
    typedef Pair Node, Work;
    typedef float Part;
};

// Everything in pairs of f32.
template <> struct Scheme<Pair, Pair> : OfPairs {
    typedef Slots<Pair, PATCH> Memory;
    static constexpr int KEPT = sizeof(Pair), ROW = 6;
    static constexpr bool TAKES_DIFFERENCES = false;
};

// Everything in f32 but sums, and places of nodes until their differences are taken.
template <> struct Scheme<float, Pair> : OfPairs {
    typedef Sums<PATCH> Memory;
    static constexpr int KEPT = sizeof(float) + sizeof(Rest), ROW = 12;
    static constexpr bool TAKES_DIFFERENCES = true;
};

typedef Scheme<A, C> Own;

#include "arguments.cuh"

} // namespace fem

#include "fem/clock.cuh"
