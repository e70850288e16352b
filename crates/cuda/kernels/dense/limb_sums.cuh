// Numbers of LIMBS limbs for reduce.cu: what is different between them and numbers of any
// precision.
#pragma once

#include "dense/block_sums.cuh"
#include "num/sqrt.cuh"

// The norm of a vector by the sum of its squares, and its largest entry. Finite entries have finite
// squares after the shift.
DEVICE Number norm(const Number &largest, const Number &sum, const Shift &shift) {
    const Number top = abs(largest);
    return !is_finite(top) || top[0] == 0.0 ? top : shift.undo(sqrt(sum));
}

// Whether |x| > |y|, with numbers < NaN < infinity.
DEVICE bool is_greater(const Number &x, const Number &y) {
    const Number a = abs(x), b = abs(y);
    if (is_nan(b)) return is_infinite(a);
    return a > b || (is_nan(a) && !is_infinite(b));
}
