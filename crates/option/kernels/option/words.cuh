// Numbers of PRECISION bits as kernels of evolutions have them, with the bits of the host: words of
// 64 bits, lowest first, and a head, each in the place of a double. Operations are calls: kernels
// have many of them.
#pragma once

#include "mp/divide.cuh"
#include "mp/double.cuh"

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

DEVICE double limb(const Number &x, int l) {
    const mp::Word head = (unsigned)x.value.head;
    const mp::Word word =
        l == Value::WORDS ? head : (mp::Word)x.value.digits[2 * l + 1] << 32 | x.value.digits[2 * l];
    return __longlong_as_double((long long)word);
}
DEVICE void set_limb(Number &x, int l, double lane) {
    const mp::Word word = (mp::Word)__double_as_longlong(lane);
    if (l == Value::WORDS) {
        x.value.head = (int)word;
    } else {
        x.value.digits[2 * l] = (unsigned)word, x.value.digits[2 * l + 1] = (unsigned)(word >> 32);
    }
}
