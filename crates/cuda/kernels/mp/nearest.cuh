// Numbers of any precision as f64.
#pragma once

#include "mp/mp.cuh"

namespace mp {

// The number with this head and highest word, within 2^-52 of it; zero, infinite or NaN as the
// number is, and where its magnitude is beyond the range.
DEVICE double nearest(int head, Word highest) {
    const int code = head >> 1;
    if (code == ZERO) return 0.0;
    if (code > INFINITE) return __hiloint2double(0x7ff80000, 0);
    const double size = code < INFINITE ? ldexp(__ull2double_rn(highest), max(code - 64, -3000)) : __hiloint2double(0x7ff00000, 0);
    return head & 1 ? -size : size;
}

} // namespace mp
