// Sums of a triangle's lines with every product and every sum rounded by itself, by a warp.
#pragma once

// rest - the terms, one after the other: a warp forms them together and takes them off in order.
// The space says what a term is, and how a number comes from another lane.
template <class Term, class OfLane>
DEVICE Number less_terms(Number rest, int steps, const Term &term, const OfLane &of_lane) {
    const int lane = threadIdx.x % 32;
#pragma unroll 1
    for (int first = 0; first < steps; first += 32) {
        Number product = zero();
        if (first + lane < steps) product = term(first + lane);
#pragma unroll 1
        for (int k = 0; k < min(32, steps - first); k++) rest = rest - of_lane(product, k);
    }
    return rest;
}
