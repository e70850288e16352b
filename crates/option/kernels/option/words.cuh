// Numbers of PRECISION bits as kernels of evolutions have them, with the bits of the host: words of
// 64 bits, lowest first, and a head, each in the place of a double. Operations are calls: kernels
// have many of them.
#pragma once

#include "mp/divide.cuh"
#include "mp/double.cuh"
#include "mp/planes.cuh"

typedef mp::Number<PRECISION> Value;

struct Number {
    Value value;
};

constexpr int PLANES = Value::WORDS + 1;

DEVICE Number number(double x) { return {mp::of_double<PRECISION>(x)}; }

DEVICE Number operator-(const Number &x) { return {-x.value}; }
DEVICE_COLD Number operator+(const Number x, const Number y) { return {x.value + y.value}; }
DEVICE_COLD Number operator-(const Number x, const Number y) { return {x.value - y.value}; }
DEVICE_COLD Number operator*(const Number x, const Number y) { return {x.value * y.value}; }
DEVICE Number operator/(const Number &x, const Number &y) { return {mp::divide(x.value, y.value)}; }

DEVICE bool is_finite(const Number &x) { return mp::is_finite(x.value.head); }
DEVICE bool is_zero(const Number &x) { return mp::is_zero(x.value.head); }

// Of NaN none of these holds.
DEVICE bool is_at_most_zero(const Number &x) {
    return !mp::is_nan(x.value.head) && (is_zero(x) || x.value.is_negative());
}
DEVICE bool is_at_least_zero(const Number &x) {
    return !mp::is_nan(x.value.head) && (is_zero(x) || !x.value.is_negative());
}
DEVICE bool is_positive(const Number &x) { return is_at_least_zero(x) && !is_zero(x); }

// A plane in the place of a limb.
DEVICE double limb(const Number &x, int l) {
    return __longlong_as_double((long long)mp::plane(x.value, l));
}
DEVICE void set_limb(Number &x, int l, double value) {
    mp::set_plane(x.value, l, (mp::Word)__double_as_longlong(value));
}
