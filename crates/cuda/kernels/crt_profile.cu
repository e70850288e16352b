// What the error bound of products by residues needs to know of the lines of an operand (nonius-linalg's `Profile`), of first limbs alone.
//
// Everything is a maximum, a minimum or a sum of integers, so that the order of threads does not matter.

#include "scale.cuh"

constexpr int THREADS = 256, LINES = 32, LEVELS = 8;
// How far below the largest entry numbers are counted, and the bits of norms: the host's.
constexpr int LEVEL[LEVELS] = {PROFILE_LEVELS};
constexpr int BITS = PROFILE_NORM_BITS;

// All lines together.
struct Summary {
    // The least numbers of entries, the largest norm, whether an entry is not finite.
    unsigned long long least[LEVELS], norm, not_finite;
};

struct Profile {
    // Entry `place` of line `line` is data[line·line_stride + place·place_stride].
    const double *data;
    long long line_stride, place_stride;
    long long lines, k;
    // Places that a block looks at.
    long long chunk;
    // For each line, zeros at first: the bits of the largest magnitude, the norm, the numbers of entries for each level.
    unsigned long long *largest, *norms, *counts;
    int *exponents;
    Summary *summary;
};

// The bits of a magnitude; they are ordered as magnitudes are, NaN last.
DEVICE unsigned long long magnitude_bits(double x) { return (unsigned long long)__double_as_longlong(x) & 0x7fffffffffffffffull; }

constexpr unsigned long long INFINITE = 0x7ff0000000000000ull;

// Calls visit(line of the block, x) for a block's entries: neighbours in a warp read neighbours in memory.
template <class Visit> DEVICE void for_each_entry(const Profile &p, Visit visit) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const long long first = (long long)blockIdx.x * LINES, start = (long long)blockIdx.y * p.chunk;
    const long long end = min(start + p.chunk, p.k);
    if (p.line_stride == 1) {
        if (first + lane >= p.lines) return;
        const double *from = p.data + first + lane;
#pragma unroll 8
        for (long long place = start + warp; place < end; place += THREADS / 32) visit(lane, from[place * p.place_stride]);
    } else {
        for (int i = warp; i < LINES && first + i < p.lines; i += THREADS / 32) {
            const double *from = p.data + (first + i) * p.line_stride;
#pragma unroll 8
            for (long long place = start + lane; place < end; place += 32) visit(i, from[place * p.place_stride]);
        }
    }
}

extern "C" __global__ void __launch_bounds__(THREADS) largest(const __grid_constant__ Profile p) {
    __shared__ unsigned long long shared[LINES];
    if (threadIdx.x < LINES) shared[threadIdx.x] = 0;
    __syncthreads();
    unsigned long long most = 0;
    int current = 0;
    for_each_entry(p, [&](int line, double x) {
        if (line != current) {
            atomicMax(&shared[current], most);
            most = 0, current = line;
        }
        most = max(most, magnitude_bits(x));
    });
    atomicMax(&shared[current], most);
    __syncthreads();
    const long long line = (long long)blockIdx.x * LINES + threadIdx.x;
    if (threadIdx.x < LINES && line < p.lines) atomicMax(&p.largest[line], shared[threadIdx.x]);
}

// The e with 2^(e − 1) <= x < 2^e; 0 for zero.
DEVICE int exponent_of_bits(unsigned long long bits) {
    return bits == 0 || bits >= INFINITE ? 0 : frexp_exponent(__longlong_as_double((long long)bits));
}

extern "C" __global__ void __launch_bounds__(THREADS) count(const __grid_constant__ Profile p) {
    __shared__ unsigned long long norms[LINES];
    __shared__ unsigned counts[LINES][LEVELS];
    __shared__ int exponents[LINES];
    const long long first = (long long)blockIdx.x * LINES;
    if (threadIdx.x < LINES) {
        norms[threadIdx.x] = 0;
        exponents[threadIdx.x] = first + threadIdx.x < p.lines ? exponent_of_bits(p.largest[first + threadIdx.x]) : 0;
    }
    for (int i = threadIdx.x; i < LINES * LEVELS; i += THREADS) counts[i / LEVELS][i % LEVELS] = 0;
    __syncthreads();
    int current = -1;
    unsigned found[LEVELS] = {};
    double threshold[LEVELS] = {};
    Lane half = 0.0, rest = 0.0;
    unsigned long long norm = 0;
    auto finish = [&] {
        if (current < 0) return;
        atomicAdd(&norms[current], norm);
#pragma unroll
        for (int g = 0; g < LEVELS; g++) atomicAdd(&counts[current][g], found[g]);
    };
    for_each_entry(p, [&](int line, double x) {
        if (line != current) {
            finish();
            current = line, norm = 0;
            const int e = exponents[line], shift = BITS - e;
            half = power_of_two(shift / 2), rest = power_of_two(shift - shift / 2);
#pragma unroll
            for (int g = 0; g < LEVELS; g++) found[g] = 0, threshold[g] = ldexp_f64(1.0, max(e - LEVEL[g], -1074));
        }
        const Lane size = magnitude(x);
        // Below 2^31, as an integer in the lowest bits.
        norm += (unsigned)__double2loint(size * half * rest + 0x1p52);
#pragma unroll
        for (int g = 0; g < LEVELS; g++) found[g] += size.value >= threshold[g];
    });
    finish();
    __syncthreads();
    for (int i = threadIdx.x; i < LINES * LEVELS; i += THREADS)
        if (first + i / LEVELS < p.lines) atomicAdd(&p.counts[(first + i / LEVELS) * LEVELS + i % LEVELS], (unsigned long long)counts[i / LEVELS][i % LEVELS]);
    if (threadIdx.x < LINES && first + threadIdx.x < p.lines) atomicAdd(&p.norms[first + threadIdx.x], norms[threadIdx.x]);
}

// One block.
extern "C" __global__ void __launch_bounds__(THREADS) summarize(const __grid_constant__ Profile p) {
    __shared__ Summary shared;
    if (threadIdx.x == 0) {
        for (int g = 0; g < LEVELS; g++) shared.least[g] = (unsigned long long)p.k;
        shared.norm = shared.not_finite = 0;
    }
    __syncthreads();
    for (long long line = threadIdx.x; line < p.lines; line += THREADS) {
        const unsigned long long largest = p.largest[line];
        p.exponents[line] = exponent_of_bits(largest);
        if (largest >= INFINITE) atomicMax(&shared.not_finite, 1ull);
        if (largest == 0 || largest >= INFINITE) continue;
        atomicMax(&shared.norm, p.norms[line]);
        for (int g = 0; g < LEVELS; g++) atomicMin(&shared.least[g], p.counts[line * LEVELS + g]);
    }
    __syncthreads();
    if (threadIdx.x == 0) *p.summary = shared;
}
