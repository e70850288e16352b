// Numbers and arrays of batches of tridiagonal systems (crates/linalg/src/tridiag): LIMBS limbs of
// f64 in planes, or f32 where LIMBS is 0, or numbers of PRECISION bits. The order of operations is
// that of crates/linalg/src/reference/tridiag.rs.
#pragma once

#ifdef PRECISION

#include "tridiag/words.cuh"

#elif LIMBS == 0

#define DEVICE __device__ __forceinline__
#define DEVICE_COLD static __device__ __noinline__

typedef float Word;
typedef float Number;
constexpr int PLANES = 1;

DEVICE Number number(double x) { return (float)x; }
DEVICE Number negated(Number x) { return -x; }
DEVICE Number product(Number x, Number y) { return __fmul_rn(x, y); }
DEVICE Number quotient(Number x, Number y) { return __fdiv_rn(x, y); }
DEVICE Number sum(Number x, Number y) { return __fadd_rn(x, y); }
DEVICE Number difference(Number x, Number y) { return __fsub_rn(x, y); }
DEVICE Number inverse(Number x) { return __frcp_rn(x); }
// x y + z
DEVICE Number fused(Number x, Number y, Number z) { return __fmaf_rn(x, y, z); }
DEVICE bool is_number(Number x) { return (__float_as_int(x) & 0x7f800000) != 0x7f800000; }
DEVICE double size_of(Number x) { return fabs((double)x); }
DEVICE Word limb(Number x, int) { return x; }
DEVICE void set_limb(Number &x, int, Word value) { x = value; }

#else

#include "num/number.cuh"

DEVICE Number sum(const Number &x, const Number &y) { return x + y; }

#endif

#ifndef PRECISION

// Numbers lie in registers.
#define UNROLLED _Pragma("unroll")
#define STEP DEVICE

// Magnitudes, as pivots are chosen by.
typedef double Size;

DEVICE Size larger(Size x, Size y) { return max(x, y); }
DEVICE bool is_zero(const Number &x) { return limb(x, 0) == 0; }

#endif

#include "arguments.cuh"

DEVICE Number load(const Array &array, long long at, long long plane) {
    Number x;
    UNROLLED
    for (int l = 0; l < PLANES; l++) set_limb(x, l, array.data[at + l * plane]);
    return x;
}

DEVICE void store(const Array &array, long long at, long long plane, const Number &x) {
    UNROLLED
    for (int l = 0; l < PLANES; l++) array.data[at + l * plane] = limb(x, l);
}

struct Row {
    Number lower, diagonal, upper, right;
};

// Where row i of system s lies in every array.
DEVICE long long index_of(const Batch &batch, long long s, long long i) { return s * batch.system + i * batch.row; }

// Row i of system s; beyond the last one of the identity.
DEVICE Row load_row(const Batch &batch, long long s, long long i) {
    const Number zero = number(0.0);
    Row r = {zero, number(1.0), zero, zero};
    if (i < batch.size && s < batch.systems) {
        const long long place = index_of(batch, s, i);
        if (i > 0) r.lower = load(batch.lower, place, batch.plane);
        r.diagonal = load(batch.diagonal, place, batch.plane);
        if (i + 1 < batch.size) r.upper = load(batch.upper, place, batch.plane);
        r.right = load(batch.right, place, batch.plane);
    }
    return r;
}

DEVICE bool is_finite_row(const Batch &batch, long long s, long long i) {
    const Row r = load_row(batch, s, i);
    return is_number(r.lower) && is_number(r.diagonal) && is_number(r.upper) && is_number(r.right);
}

// Why a system was not solved, the first in this order: a row that is not finite, a pivot, an
// unknown that is not finite; each with its row.
enum Fault : unsigned { NOT_FINITE = 0u, PIVOT = 1u << 30, UNKNOWN = 2u << 30 };

DEVICE void report(const Batch &batch, long long s, Fault fault, long long row) {
    if (batch.faults != nullptr) atomicMax(batch.faults + s, ~(fault | (unsigned)row));
}
