// Chunks of rows of tridiagonal systems, each in the registers of a thread, and the equations of
// their last rows (Wang 1981; László, Giles and Appleyard 2016). The order of operations is that of
// crates/linalg/src/reference/tridiag.rs.
#pragma once

#include "tridiag/tridiag.cuh"

// x + p (unknown before) + q (unknown after) = r
struct Equation {
    Number p, q, r;
};

STEP Equation over(const Row &row, const Number &w) { return {product(row.lower, w), product(row.upper, w), product(row.right, w)}; }

STEP Number unknown(const Equation &e, const Number &before, const Number &after) {
    return fused(negated(e.q), after, fused(negated(e.p), before, e.r));
}

// Of three equations in a row the middle one by the unknowns beyond the others.
STEP Equation merged(const Equation &e, const Equation &low, const Equation &high) {
    const Number p = negated(e.p), q = negated(e.q);
    const Number w = inverse(fused(q, high.p, fused(p, low.q, number(1.0))));
    return {product(product(p, low.p), w), product(product(q, high.q), w), product(fused(q, high.r, fused(p, low.r, e.r)), w)};
}

// The equation of the thread so far above or below, among W.
template <int W> DEVICE Equation from_lane_below(const Equation &e, int distance) {
    Equation z;
    UNROLLED
    for (int l = 0; l < PLANES; l++) {
        set_limb(z.p, l, __shfl_up_sync(~0u, limb(e.p, l), distance, W));
        set_limb(z.q, l, __shfl_up_sync(~0u, limb(e.q, l), distance, W));
        set_limb(z.r, l, __shfl_up_sync(~0u, limb(e.r, l), distance, W));
    }
    return z;
}

template <int W> DEVICE Equation from_lane_above(const Equation &e, int distance) {
    Equation z;
    UNROLLED
    for (int l = 0; l < PLANES; l++) {
        set_limb(z.p, l, __shfl_down_sync(~0u, limb(e.p, l), distance, W));
        set_limb(z.q, l, __shfl_down_sync(~0u, limb(e.q, l), distance, W));
        set_limb(z.r, l, __shfl_down_sync(~0u, limb(e.r, l), distance, W));
    }
    return z;
}

// The unknown of the thread before; 0 for the first of W.
template <int W> DEVICE Number from_before(const Number &x, int lane) {
    Number z;
    UNROLLED
    for (int l = 0; l < PLANES; l++) set_limb(z, l, __shfl_up_sync(~0u, limb(x, l), 1, W));
    if (lane == 0) z = number(0.0);
    return z;
}

// Cyclic reduction between W threads, each with an equation: its unknown. At the ends, where there
// is no equation beyond, `p` or `q` is zero, and any will do.
template <int W> DEVICE Number cyclic(Equation e) {
    UNROLLED
    for (int h = 1; h < W; h *= 2) e = merged(e, from_lane_below<W>(e, h), from_lane_above<W>(e, h));
    return e.r;
}

template <int K> struct Chunk {
    // The first row by the unknown before the chunk and its last, those between by its first and
    // its last, the last by its first and the unknown behind.
    Equation row[K];

    // Consumes the rows. Returns the place of the first pivot without inverse, or -1; for those who
    // ask.
    STEP int reduce(const Row (&rows)[K]) {
        int spoilt = -1;
        const auto inverted = [&](const Number &pivot, int i) {
            const Number w = inverse(pivot);
            if (spoilt < 0 && !is_number(w)) spoilt = i;
            return w;
        };
        row[1] = over(rows[1], inverted(rows[1].diagonal, 1));
        UNROLLED
        for (int i = 2; i < K; i++) {
            const Number a = negated(rows[i].lower);
            const Equation &before = row[i - 1];
            const Number w = inverted(fused(a, before.q, rows[i].diagonal), i);
            row[i] = {product(product(a, before.p), w), product(rows[i].upper, w), product(fused(a, before.r, rows[i].right), w)};
        }
        UNROLLED
        for (int i = K - 3; i >= 1; i--) {
            const Number q = negated(row[i].q);
            row[i] = {fused(q, row[i + 1].p, row[i].p), product(q, row[i + 1].q), fused(q, row[i + 1].r, row[i].r)};
        }
        if constexpr (K > 2) {
            const Number c = negated(rows[0].upper);
            const Number w = inverted(fused(c, row[1].p, rows[0].diagonal), 0);
            row[0] = {product(rows[0].lower, w), product(product(c, row[1].q), w), product(fused(c, row[1].r, rows[0].right), w)};
        } else {
            row[0] = over(rows[0], inverted(rows[0].diagonal, 0));
        }
        return spoilt;
    }

    // The last row by the last unknowns of the chunks beside; `next` is the first row of the next
    // chunk, if there is one.
    STEP Equation last(bool has_next, const Equation &next) const {
        const Equation &first = row[0];
        const Number zero = number(0.0);
        const Number p = negated(row[K - 1].p), q = has_next ? negated(row[K - 1].q) : zero;
        const Equation high = has_next ? next : Equation{zero, zero, zero};
        const Number w = inverse(fused(q, high.p, fused(p, first.q, number(1.0))));
        return {
            product(product(p, first.p), w), product(product(q, high.q), w), product(fused(q, high.r, fused(p, first.r, row[K - 1].r)), w)};
    }

    // Unknown i, from the last ones of the chunk before and of this one.
    DEVICE Number first(const Number &before, const Number &last) const { return unknown(row[0], before, last); }
    DEVICE Number between(int i, const Number &first, const Number &last) const { return unknown(row[i], first, last); }
};

// A whole system in W threads, each with K rows; all unknowns of the chunk.
template <int K, int W> DEVICE void solve_lanes(const Row (&rows)[K], int lane, Number (&x)[K]) {
    Chunk<K> chunk;
    chunk.reduce(rows);
    const Equation next = from_lane_above<W>(chunk.row[0], 1);
    const Number last = cyclic<W>(chunk.last(lane + 1 < W, next));
    const Number first = chunk.first(from_before<W>(last, lane), last);
    x[0] = first;
    UNROLLED
    for (int i = 1; i < K - 1; i++) x[i] = chunk.between(i, first, last);
    x[K - 1] = last;
}

// Says why unknowns of the K rows from `first` on are not finite.
template <int K> DEVICE_COLD void diagnose(const Batch &batch, long long s, long long first, int spoilt_unknown) {
    Row rows[K];
#pragma unroll 1
    for (int i = 0; i < K; i++) {
        rows[i] = load_row(batch, s, first + i);
        if (!is_finite_row(batch, s, first + i)) return report(batch, s, NOT_FINITE, first + i);
    }
    Chunk<K> chunk;
    const int pivot = chunk.reduce(rows);
    if (pivot >= 0)
        report(batch, s, PIVOT, first + pivot);
    else
        report(batch, s, UNKNOWN, first + spoilt_unknown);
}
