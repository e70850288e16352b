// Blocks of columns that are factored in double-double and corrected from there
// (crates/cuda/src/blocks): entries to limbs and back, corrections by triangles, and how large all
// these are.
//
// Magnitudes are told by exponents: 0 for zero, else one of a code (mp.cuh) and SHIFTED more.

#include "dense/entries.cuh"
#include "dense/operators.cuh"
#include "mp/double.cuh"

#include "arguments.cuh"

constexpr unsigned SHIFTED = (1u << 30) + 1;
// Exponents of doubles that are taken for zero.
constexpr long long LEAST = -900;

DEVICE unsigned exponent_of(int head) { return mp::is_zero(head) ? 0 : (unsigned)(head >> 1) + SHIFTED; }

// The greatest of what all threads have, at `to`.
DEVICE void keep_greatest(unsigned value, unsigned *to) {
    for (int step = 16; step > 0; step /= 2) value = max(value, __shfl_xor_sync(~0u, value, step));
    if (threadIdx.x % 32 == 0 && value > 0) atomicMax(to, value);
}

// The even exponent that numbers are scaled by, so that they are no greater than 1.
DEVICE long long scale_of(const unsigned *exponent) {
    const long long e = *exponent == 0 ? 0 : (long long)*exponent - SHIFTED;
    return e + (e & 1);
}

extern "C" __global__ void largest_exponent(const __grid_constant__ Largest p) {
    unsigned greatest = 0;
    for_each(p.a.rows, p.a.cols, [&](long long i, long long j) {
        if (i >= j || !p.lower) greatest = max(greatest, exponent_of(p.a.head(i, j)));
    });
    keep_greatest(greatest, p.exponent);
}

extern "C" __global__ void largest_double(const __grid_constant__ LargestDouble p) {
    unsigned greatest = 0;
    for_each(p.a.rows, p.a.cols, [&](long long i, long long j) {
        const double x = *p.a.at(i, j);
        const int e = isfinite(x) ? ilogb(x) + 1 : mp::INFINITE;
        if (x != 0.0) greatest = max(greatest, (unsigned)e + SHIFTED);
    });
    keep_greatest(greatest, p.exponent);
}

// 53 bits of a number as an integer. The first of them is `below` bits below the number's highest.
DEVICE double piece(const Number &x, int below) {
    unsigned long long bits = 0;
    for (int digit = 0; digit < 3; digit++) {
        const int place = Number::D - 1 - below / 32 - digit, up = 32 + below % 32 - 32 * digit;
        const unsigned long long value = place >= 0 ? x.digits[place] : 0;
        bits |= up >= 0 ? value << up : value >> -up;
    }
    return (double)(bits >> 11);
}

// The limbs of a number that is at most 1 when it is scaled by 2^-scale, without what is below the
// second; whether scaling leaves all numbers in the range.
extern "C" __global__ void begin(const __grid_constant__ Begin p) {
    const long long scale = scale_of(p.exponent);
    for_each(p.a.rows, p.a.cols, [&](long long i, long long j) {
        const bool top = i < p.a.cols;
        if (p.symmetric && top && i < j) return;
        const Number x = p.a.load(i, j);
        const Number negative = scaled(-x, p.symmetric && !top ? -scale / 2 : -scale);
        if (!mp::is_finite(negative.head) || mp::is_zero(negative.head) != mp::is_zero(x.head)) *p.failed = 1;
        p.negative.store(i, j, negative);
        if (i >= p.doubles.rows) return;
        double first = 0.0, second = 0.0;
        const long long e = x.code() - scale;
        if (!mp::is_finite(x.head)) first = __longlong_as_double(0x7ff0000000000000ll);
        else if (mp::is_number(x.head) && e > LEAST) {
            first = ldexp(piece(x, 0), (int)e - 53), second = ldexp(piece(x, 53), (int)e - 106);
            const double sum = first + second;
            second -= sum - first, first = sum;
            if (x.is_negative()) first = -first, second = -second;
        }
        double *to = p.doubles.at(i, j);
        to[0] = first, to[p.doubles.plane] = second;
    });
}

// A triangle of double-doubles, with zeros beside it; its magnitudes; whether all is finite.
extern "C" __global__ void widen(const __grid_constant__ Widen p) {
    for_each(p.to.rows, p.to.cols, [&](long long i, long long j) {
        const double *from = p.doubles.at(i, j);
        const bool inside = p.upper ? i <= j : i >= j;
        double first = inside ? from[0] : 0.0, second = inside ? from[p.doubles.plane] : 0.0;
        if (p.unit && i == j) first = 1.0, second = 0.0;
        if (!isfinite(first) || !isfinite(second)) *p.failed = 1, first = second = 0.0;
        const Number x = mp::of_double<PRECISION>(first) + mp::of_double<PRECISION>(second);
        p.to.store(i, j, x.negated(p.negate != 0));
        *p.magnitudes.at(i, j) = fabs(first);
    });
}

// Corrections as triangles, zeros beside them; of a symmetric matrix, of which the lower triangle
// is known, the lower one with half of the diagonal. How large they are.
extern "C" __global__ void split(const __grid_constant__ Split p) {
    unsigned greatest = 0;
    for_each(p.f.rows, p.f.cols, [&](long long i, long long j) {
        Number below = Number::zero(), above = below;
        if (i >= j || !p.symmetric) {
            const Number x = p.f.load(i, j);
            greatest = max(greatest, exponent_of(x.head));
            if (p.symmetric) below = i == j ? halved(x) : x;
            else if (i > j) below = x;
            else above = x;
        }
        p.lower.store(i, j, below);
        if (!p.symmetric) p.upper.store(i, j, above);
    });
    keep_greatest(greatest, p.exponent);
}

// The factors in the place of the matrix.
extern "C" __global__ void finish(const __grid_constant__ Finish p) {
    const long long scale = scale_of(p.exponent);
    for_each(p.to.rows, p.to.cols, [&](long long i, long long j) {
        if (p.symmetric) {
            if (i >= j) p.to.store(i, j, scaled(p.lower.load(i, j), scale / 2));
        } else p.to.store(i, j, i > j ? p.lower.load(i, j) : scaled(p.upper.load(i, j), scale));
    });
}

// The sum of a matrix and of one of far smaller entries, and what rounding leaves of it.
extern "C" __global__ void settle(const __grid_constant__ Settle p) {
    for_each(p.near.rows, p.near.cols, [&](long long i, long long j) {
        const Number near = p.near.load(i, j), rest = p.rest.load(i, j), sum = near + rest;
        p.near.store(i, j, sum);
        p.rest.store(i, j, (near - sum) + rest);
    });
}

// A matrix times a power of two: the root of the scale to the power `roots`.
extern "C" __global__ void shift(const __grid_constant__ Shifted p) {
    const long long by = p.roots * (scale_of(p.exponent) / 2);
    for_each(p.from.rows, p.from.cols, [&](long long i, long long j) { p.to.store(i, j, scaled(p.from.load(i, j), by)); });
}
