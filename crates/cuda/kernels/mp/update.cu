// C ← α·P + β·C for numbers of a precision that is fixed when this is compiled: the bits of
// crates/linalg/src/cpu/gemm/mp/entries.rs.

#include "mp/number.cuh"

#include "arguments.cuh"

using mp::Word;
using Entry = mp::Number<PRECISION>;

DEVICE Entry load(const Numbers &x, long long i) {
    Entry entry;
    entry.head = x.heads[i];
#pragma unroll mp::unrolled(Entry::WORDS)
    for (int q = 0; q < Entry::WORDS; q++) {
        const Word word = x.words[i * Entry::WORDS + q];
        entry.digits[2 * q] = (unsigned)word, entry.digits[2 * q + 1] = (unsigned)(word >> 32);
    }
    return entry;
}

DEVICE void store(const Numbers &x, long long i, const Entry &entry) {
    x.heads[i] = entry.head;
#pragma unroll mp::unrolled(Entry::WORDS)
    for (int q = 0; q < Entry::WORDS; q++)
        x.words[i * Entry::WORDS + q] = (Word)entry.digits[2 * q + 1] << 32 | entry.digits[2 * q];
}

// What becomes of a term of the sum.
enum Use { ABSENT, UNCHANGED, MULTIPLIED };

// Entry i of a term, whose factor is number `which`.
DEVICE Entry term(const Update &p, const Numbers &x, int use, int which, long long i) {
    const Entry entry = load(x, i);
    return use == MULTIPLIED ? load(p.factors, which) * entry : entry;
}

extern "C" __global__ void __launch_bounds__(UPDATE_THREADS) update(const __grid_constant__ Update p) {
    const long long count = p.c.rows * p.c.cols, step = (long long)gridDim.x * blockDim.x;
    for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < count; i += step) {
        Entry sum = Entry::zero();
        if (p.product_use != ABSENT) sum = term(p, p.product, p.product_use, 0, i);
        if (p.c_use != ABSENT) {
            const Entry c = term(p, p.c, p.c_use, 1, i);
            sum = p.product_use == ABSENT ? c : c + sum;
        }
        store(p.c, i, sum);
    }
}
