// The elementwise operations that are carried out on a device, by the names of linalg's table
// (crates/linalg/src/operation.rs), for numbers of PRECISION bits.
#pragma once

#include "mp/divide.cuh"

namespace operation {

using Operand = mp::Number<PRECISION>;

DEVICE Operand neg(const Operand &x) { return -x; }
DEVICE Operand abs(const Operand &x) { return x.negated(x.is_negative()); }
DEVICE Operand sqrt(const Operand &x) { return mp::root(x); }
DEVICE Operand add(const Operand &x, const Operand &y) { return x + y; }
DEVICE Operand sub(const Operand &x, const Operand &y) { return x - y; }
DEVICE Operand mul(const Operand &x, const Operand &y) { return x * y; }
DEVICE Operand div(const Operand &x, const Operand &y) { return mp::divide(x, y); }

// The product is rounded before the sum.
DEVICE Operand mul_add(const Operand &x, const Operand &y, const Operand &z) { return x * y + z; }

} // namespace operation
