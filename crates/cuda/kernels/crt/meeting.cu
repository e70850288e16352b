// The least entry of |op(A)||op(B)| beside the largest entries of the lines of both: what tells how
// many bits a product by residues takes where profiles say too little (nonius-linalg's
// `cpu/gemm/crt/profile.rs`, whose numbers these are). Entries become their shares of these largest
// ones, first limbs alone; the direct engine multiplies them.

#include "mp/mp.cuh"
#include "num/scale.cuh"
#include "arguments.cuh"

// Lines that are told apart as to whether a share is tiny.
constexpr int LINES = MEETING_LINES;
// Below this, products of shares may underflow to zero.
constexpr double TINY = 1e-150;

// |x|·2^(−e) of an entry: 0 for zero alone.
DEVICE double share(const Shares &p, long long at, int e) {
#ifdef MP
    const mp::Word *words = p.from.data + at;
    const int code = (int)words[p.from.count] >> 1, below = code - e;
    if (code < -mp::GREATEST) return 0.0;
    // The highest word, over 2^64.
    const double highest = __ull2double_rn(words[p.from.count - 1]);
    return below < -600 ? TINY * TINY : __dmul_rn(highest, power_of_two(below - 64).value);
#else
    const Lane x = magnitude(p.from.data[at]);
    const double share = (x * power_of_two(-(e / 2)) * power_of_two(-(e - e / 2))).value;
    return x > 0.0 ? fmax(share, 0x1p-1022) : 0.0;
#endif
}

extern "C" __global__ void __launch_bounds__(256) shares(const __grid_constant__ Shares p) {
    const long long line = (long long)blockIdx.x * 256 + threadIdx.x;
    if (line >= p.lines) return;
    const int e = p.exponents[line];
    bool tiny = false;
    for (long long place = blockIdx.y; place < p.k; place += gridDim.y) {
        double x = share(p, line * p.from.line_stride + place * p.from.place_stride, e);
        if (x > 0.0 && x < TINY) tiny = true, x = 0.0;
        p.to[line + place * p.pitch] = x;
    }
    if (tiny) p.tiny[(p.first + line) / LINES] = 1;
}

extern "C" __global__ void __launch_bounds__(256) least(const __grid_constant__ Least p) {
    const long long i = (long long)blockIdx.x * 256 + threadIdx.x;
    unsigned long long least = ~0ull;
    if (i < p.rows) {
        for (long long j = blockIdx.y; j < p.cols; j += gridDim.y) {
            const double sum = p.sums[i + j * p.pitch];
            // Bits are ordered as positive numbers are.
            if (sum > 0.0) least = min(least, (unsigned long long)__double_as_longlong(sum));
            else p.zero[(p.row + i) / LINES * p.across + (p.column + j) / LINES] = 1;
        }
    }
#pragma unroll
    for (int step = 16; step > 0; step /= 2) least = min(least, __shfl_xor_sync(0xffffffffu, least, step));
    if (threadIdx.x % 32 == 0) atomicMin(p.least, least);
}
