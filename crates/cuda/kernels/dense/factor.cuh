// Numbers as arguments of kernels, and results that they enter.

#pragma once

#include "dense/matrix.cuh"
#ifndef PRECISION
#include "num/arithmetic.cuh"
#endif

#ifdef PRECISION

// A number as an argument: its head and where its words are, which 0, 1 and −1 have none of.
struct Factor {
    long long head;
    const mp::Word *words;
    long long unused[2];

    DEVICE Number value() const {
        if (words) return mp::load<PRECISION>(words);
        return mp::is_number((int)head) ? Number::one().negated(head & 1) : Number::special((int)head);
    }

    DEVICE bool is_zero() const { return mp::is_zero((int)head); }
    DEVICE bool is_one() const { return words == nullptr && (int)head == mp::head(1, false); }
    DEVICE bool is_minus_one() const { return words == nullptr && (int)head == mp::head(1, true); }
};

#else

// A number as an argument: limbs, then zeros.
struct Factor {
    double limb[4];

    DEVICE Number value() const {
        Number x;
#pragma unroll
        for (int l = 0; l < LIMBS; l++) x[l] = limb[l];
        return x;
    }

    DEVICE bool is(double number) const {
        bool equal = limb[0] == number;
#pragma unroll
        for (int l = 1; l < LIMBS; l++) equal = equal && limb[l] == 0.0;
        return equal;
    }

    DEVICE bool is_zero() const { return is(0.0); }
    DEVICE bool is_one() const { return is(1.0); }
    DEVICE bool is_minus_one() const { return is(-1.0); }
};

#endif

// output(i, j) <- alpha * sum + beta * output(i, j), where factors 1 are not multiplied by and the
// output is not read for beta = 0.
DEVICE void combine(const Factor &alpha, const Number &sum, const Factor &beta, const Matrix &output, long long i, long long j) {
    Number result = alpha.is_one() ? sum : alpha.value() * sum;
    if (beta.is_one())
        result = output.load(i, j) + result;
    else if (!beta.is_zero())
        result = beta.value() * output.load(i, j) + result;
    output.store(i, j, result);
}
