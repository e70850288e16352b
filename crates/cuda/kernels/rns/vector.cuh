// Vectors of numbers in residues modulo MODULI numbers, with significands of PRECISION bits.
#pragma once

#include "rns/float.cuh"

struct Format {
    static constexpr int COUNT = MODULI, BITS = PRECISION, DIGIT = DIGIT_BITS, COLUMNS = ROW_DIGITS, LANES = STRIDE, LOG = LOGARITHM;
};

namespace rns {

using Residues = Number<Format>::Residues;

// Lower bounds, upper bounds, residues modulo each modulus, and heads: each side by side.
struct Vector {
    Word *bounds;
    // Numbers from one plane to the next.
    long long plane;
    // Those of the format.
    const unsigned *tables;

    DEVICE unsigned *residues() const { return (unsigned *)(bounds + 2 * plane); }
    DEVICE int *heads() const { return (int *)(residues() + Format::COUNT * plane); }
    DEVICE Arithmetic<Format> arithmetic() const { return {{tables}}; }

    DEVICE Number<Format> load(long long i) const {
        Number<Format> x;
        x.head = heads()[i], x.bounds = {bounds[i], bounds[i + plane]};
        for (int k = 0; k < Format::COUNT; k++) x.y[k] = residues()[i + k * plane];
        return x;
    }

    DEVICE void store(long long i, const Number<Format> &x) const {
        heads()[i] = x.head, bounds[i] = x.bounds.low, bounds[i + plane] = x.bounds.high;
        for (int k = 0; k < Format::COUNT; k++) residues()[i + k * plane] = x.y[k];
    }
};

} // namespace rns
