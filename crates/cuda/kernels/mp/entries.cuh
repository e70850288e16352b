// Entries of matrices of numbers of any precision, and f64 beside them. `Numbers` is in
// arguments.cuh, which files include before.
#pragma once

#include "mp/sum.cuh"

namespace mp {

DEVICE Word *words_at(const Numbers &x, long long i, long long j) { return x.data + i * x.row + j * x.column; }

// The head stands behind the words.
DEVICE int head_at(const Numbers &x, long long i, long long j) { return (int)words_at(x, i, j)[x.count]; }
DEVICE void set_head(const Numbers &x, long long i, long long j, int head) { words_at(x, i, j)[x.count] = (unsigned)head; }

DEVICE Operand at(const Numbers &x, long long i, long long j) { return {words_at(x, i, j), (int)x.count, head_at(x, i, j)}; }

// The highest word as a float, which is within 2^-53 of the number, and 2^64 times its unit: for
// numbers other than zero.
DEVICE double leading(const Operand &x) { return __ull2double_rn(x.words[x.count - 1]); }

// A finite f64 times 2^shift as a number of one word.
struct Short {
    Word word;
    int head;

    DEVICE Short(double x, long long shift) : word(0), head(mp::head(ZERO, false)) {
        if (x == 0.0) return;
        double size = fabs(x);
        if (!is_normal(Lane(size))) size = __dmul_rn(size, 0x1p100), shift -= 100;
        const long long bits = __double_as_longlong(size);
        word = (Word)(bits & 0xfffffffffffffll | 1ll << 52) << 11;
        head = mp::head((int)((bits >> 52) - 1022 + shift), x < 0.0);
    }

    DEVICE Operand operand() const { return {&word, 1, head}; }
};

} // namespace mp
