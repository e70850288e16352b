// Division of many numbers by one (crates/linalg/src/cpu/mp/lines.rs).
#pragma once

#include "mp/divide.cuh"

namespace mp {

// A product by the reciprocal where that is in the range.
template <int BITS> struct Divisor {
    Number<BITS> number;
    bool multiplies;

    DEVICE static Divisor of(const Number<BITS> &x) {
        const Number<BITS> reciprocal = mp::reciprocal(x);
        return by(x, reciprocal);
    }

    // By the reciprocal, if it is one.
    DEVICE static Divisor by(const Number<BITS> &x, const Number<BITS> &reciprocal) {
        const bool usable = is_number(reciprocal.head);
        return {usable ? reciprocal : x, usable};
    }

    DEVICE Number<BITS> divide(const Number<BITS> &x) const { return multiplies ? x * number : mp::divide(x, number); }
};

} // namespace mp
