// What the error bound of products by residues needs to know of the lines of both operands
// (nonius-linalg's `Profile`), of first limbs alone, and whether it tells that the fewest bits do.
//
// Everything is a maximum, a minimum or a sum of integers, so that the order of threads does not
// matter.

#include "mp/mp.cuh"
#include "num/scale.cuh"

constexpr int THREADS = 256, LINES = 32, LEVELS = 8;
// How far below the largest entry numbers are counted, and the bits of norms: the host's.
constexpr int LEVEL[LEVELS] = {PROFILE_LEVELS};
constexpr int BITS = PROFILE_NORM_BITS;

// All lines together.
struct Summary {
    // The least numbers of entries, the largest norm, whether an entry is not finite.
    unsigned long long least[LEVELS], norm, not_finite;
};

// What `judge` finds: the summaries, then whether the fewest bits do not do.
struct Findings {
    Summary summaries[2];
    unsigned long long refused;
};

#include "arguments.cuh"

DEVICE const Operand &operand(const Profiles &p) { return p.operands[blockIdx.z]; }

#ifdef MP

struct Entry {
    int code;
    mp::Word highest;
};

DEVICE Entry load(const Operand &p, long long at) {
    const mp::Word *words = p.from.data + at;
    return {(int)words[p.from.count] >> 1, words[p.from.count - 1]};
}

// A number that grows with the magnitude, NaN last; zero for zero.
DEVICE unsigned long long key_of(const Entry &x) { return (unsigned)(x.code - mp::ZERO); }

constexpr unsigned long long INFINITE = (unsigned)mp::INFINITE - (unsigned)mp::ZERO;

// The e with 2^(e − 1) <= x < 2^e; 0 for zero.
DEVICE int exponent_of_key(unsigned long long key) { return key == 0 || key >= INFINITE ? 0 : (int)((unsigned)key + (unsigned)mp::ZERO); }

// How the entries of a line are looked at.
struct Measure {
    int e;

    DEVICE void begin(int exponent) { e = exponent; }

    // In units of 2^(e − BITS), rounded.
    DEVICE unsigned units(const Entry &x) const {
        const int below = e - x.code;
        if (below > BITS + 1) return 0;
        const double scale = __longlong_as_double((1023ll - 64 + BITS - below) << 52);
        return __double2uint_rn(__dmul_rn(__ull2double_rn(x.highest), scale));
    }

    // Whether it is at least 2^(e − LEVEL[g]).
    DEVICE bool reaches(const Entry &x, int g) const { return x.code > e - LEVEL[g]; }
};

#else

typedef double Entry;

DEVICE Entry load(const Operand &p, long long at) { return p.from.data[at]; }

// The bits of a magnitude; they are ordered as magnitudes are, NaN last.
DEVICE unsigned long long key_of(Entry x) { return (unsigned long long)__double_as_longlong(x) & 0x7fffffffffffffffull; }

constexpr unsigned long long INFINITE = 0x7ff0000000000000ull;

// The e with 2^(e − 1) <= x < 2^e; 0 for zero.
DEVICE int exponent_of_key(unsigned long long key) { return key == 0 || key >= INFINITE ? 0 : frexp_exponent(__longlong_as_double((long long)key)); }

// How the entries of a line are looked at.
struct Measure {
    double threshold[LEVELS];
    Lane half, rest;

    DEVICE void begin(int e) {
        const int shift = BITS - e;
        half = power_of_two(shift / 2), rest = power_of_two(shift - shift / 2);
#pragma unroll
        for (int g = 0; g < LEVELS; g++) threshold[g] = ldexp_f64(1.0, max(e - LEVEL[g], -1074)).value;
    }

    // In units of 2^(e − BITS), rounded: below 2^31, as an integer in the lowest bits.
    DEVICE unsigned units(Entry x) const { return (unsigned)__double2loint((magnitude(x) * half * rest + 0x1p52).value); }

    // Whether it is at least 2^(e − LEVEL[g]).
    DEVICE bool reaches(Entry x, int g) const { return magnitude(x).value >= threshold[g]; }
};

#endif

// Goes through a block's entries; neighbours in a warp read neighbours in memory. For each line of
// the block that a thread meets, begin(line), visit(x) for entries, then end(line, whether the
// whole warp has this line).
template <class Begin, class Visit, class End> DEVICE void for_each_entry(const Operand &p, Begin begin, Visit visit, End end) {
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const long long first = (long long)blockIdx.x * LINES, start = (long long)blockIdx.y * p.chunk;
    const long long stop = min(start + p.chunk, p.k);
    if (p.from.line_stride < p.from.place_stride) {
        if (first + lane >= p.lines) return;
        begin(lane);
#pragma unroll 8
        for (long long place = start + warp; place < stop; place += THREADS / 32) visit(load(p, (first + lane) * p.from.line_stride + place * p.from.place_stride));
        end(lane, false);
    } else {
        for (int i = warp; i < LINES && first + i < p.lines; i += THREADS / 32) {
            begin(i);
#pragma unroll 8
            for (long long place = start + lane; place < stop; place += 32) visit(load(p, (first + i) * p.from.line_stride + place * p.from.place_stride));
            end(i, true);
        }
    }
}

DEVICE unsigned long long sum_of_warp(unsigned long long x) {
#pragma unroll
    for (int step = 16; step > 0; step /= 2) x += __shfl_xor_sync(0xffffffffu, x, step);
    return x;
}

DEVICE unsigned long long largest_of_warp(unsigned long long x) {
#pragma unroll
    for (int step = 16; step > 0; step /= 2) x = max(x, __shfl_xor_sync(0xffffffffu, x, step));
    return x;
}

extern "C" __global__ void __launch_bounds__(THREADS) largest(const __grid_constant__ Profiles all) {
    const Operand &p = operand(all);
    if (p.known) return;
    __shared__ unsigned long long shared[LINES];
    if (threadIdx.x < LINES) shared[threadIdx.x] = 0;
    __syncthreads();
    unsigned long long most = 0;
    for_each_entry(
        p, [&](int) { most = 0; }, [&](const Entry &x) { most = max(most, key_of(x)); },
        [&](int line, bool together) {
            if (together) most = largest_of_warp(most);
            if (!together || threadIdx.x % 32 == 0) atomicMax(&shared[line], most);
        });
    __syncthreads();
    const long long line = (long long)blockIdx.x * LINES + threadIdx.x;
    if (threadIdx.x < LINES && line < p.lines) atomicMax(&p.largest[line], shared[threadIdx.x]);
}

extern "C" __global__ void __launch_bounds__(THREADS) count(const __grid_constant__ Profiles all) {
    const Operand &p = operand(all);
    if (p.known) return;
    __shared__ unsigned long long norms[LINES];
    __shared__ unsigned counts[LINES][LEVELS];
    __shared__ int exponents[LINES];
    const long long first = (long long)blockIdx.x * LINES;
    if (threadIdx.x < LINES) {
        norms[threadIdx.x] = 0;
        exponents[threadIdx.x] = first + threadIdx.x < p.lines ? exponent_of_key(p.largest[first + threadIdx.x]) : 0;
    }
    for (int i = threadIdx.x; i < LINES * LEVELS; i += THREADS) counts[i / LEVELS][i % LEVELS] = 0;
    __syncthreads();
    unsigned found[LEVELS] = {};
    unsigned long long norm = 0;
    Measure measure;
    for_each_entry(
        p,
        [&](int line) {
            norm = 0;
            measure.begin(exponents[line]);
#pragma unroll
            for (int g = 0; g < LEVELS; g++) found[g] = 0;
        },
        [&](const Entry &x) {
            norm += measure.units(x);
#pragma unroll
            for (int g = 0; g < LEVELS; g++) found[g] += measure.reaches(x, g);
        },
        [&](int line, bool together) {
            if (together) {
                norm = sum_of_warp(norm);
#pragma unroll
                for (int g = 0; g < LEVELS; g++) found[g] = __reduce_add_sync(0xffffffffu, found[g]);
            }
            if (together && threadIdx.x % 32 > 0) return;
            atomicAdd(&norms[line], norm);
#pragma unroll
            for (int g = 0; g < LEVELS; g++) atomicAdd(&counts[line][g], found[g]);
        });
    __syncthreads();
    for (int i = threadIdx.x; i < LINES * LEVELS; i += THREADS)
        if (first + i / LEVELS < p.lines) atomicAdd(&p.counts[(first + i / LEVELS) * LEVELS + i % LEVELS], (unsigned long long)counts[i / LEVELS][i % LEVELS]);
    if (threadIdx.x < LINES && first + threadIdx.x < p.lines) atomicAdd(&p.norms[first + threadIdx.x], norms[threadIdx.x]);
}

// Where the bound is not asked for: exponents alone, and whether all is finite.
extern "C" __global__ void __launch_bounds__(THREADS) exponents(const __grid_constant__ Profiles all) {
    const Operand &p = operand(all);
    const long long line = (long long)blockIdx.x * THREADS + threadIdx.x;
    if (line >= p.lines) return;
    const unsigned long long largest = p.largest[line];
    p.exponents[line] = exponent_of_key(largest);
    if (largest >= INFINITE) all.findings->refused = 1;
}

constexpr int JUDGES = 1024;

// Sums up the lines of an operand; `shared` has the summary in the end.
DEVICE void summarize(const Operand &p, Summary &shared) {
    if (threadIdx.x < LEVELS) shared.least[threadIdx.x] = (unsigned long long)p.k;
    if (threadIdx.x == 0) shared.norm = shared.not_finite = 0;
    __syncthreads();
    unsigned long long least[LEVELS], norm = 0;
    bool not_finite = false;
#pragma unroll
    for (int g = 0; g < LEVELS; g++) least[g] = (unsigned long long)p.k;
    for (long long line = threadIdx.x; line < p.lines; line += JUDGES) {
        const unsigned long long largest = p.largest[line];
        p.exponents[line] = exponent_of_key(largest);
        not_finite |= largest >= INFINITE;
        if (largest == 0 || largest >= INFINITE) continue;
        norm = max(norm, p.norms[line]);
#pragma unroll
        for (int g = 0; g < LEVELS; g++) least[g] = min(least[g], p.counts[line * LEVELS + g]);
    }
    if (__any_sync(0xffffffffu, not_finite) && threadIdx.x % 32 == 0) shared.not_finite = 1;
    norm = largest_of_warp(norm);
#pragma unroll
    for (int g = 0; g < LEVELS; g++) least[g] = ~largest_of_warp(~least[g]);
    if (threadIdx.x % 32 == 0) {
        atomicMax(&shared.norm, norm);
#pragma unroll
        for (int g = 0; g < LEVELS; g++) atomicMin(&shared.least[g], least[g]);
    }
    __syncthreads();
}

// The bound of `Profile::meeting`, by one warp. An operand of zeros has no norm, and any share.
DEVICE double meeting(const Summary (&summaries)[2], double k) {
    static_assert(LEVELS == 8, "pairs of levels share out to a warp");
    const bool zero[2] = {summaries[0].norm == 0, summaries[1].norm == 0};
    double reach = 0.0, most = 0.0;
#pragma unroll
    for (int o = 0; o < 2; o++)
        if (!zero[o]) reach = __dadd_rn(reach, __ddiv_rn(__dadd_rn((double)summaries[o].norm, k), __dmul_rn(k, (double)(1ll << BITS))));
    auto share = [&](int o, int level) { return zero[o] ? 1.0 : __ddiv_rn((double)summaries[o].least[level], k); };
    const double own = share(0, threadIdx.x / 4 % 8);
#pragma unroll
    for (int i = 0; i < 2; i++) {
        const int g = threadIdx.x / 4 % 8, h = threadIdx.x % 4 * 2 + i;
        const double both = __dadd_rn(__dadd_rn(own, share(1, h)), -1.0);
        // A power of two.
        const double scale = __longlong_as_double((1023ll - LEVEL[g] - LEVEL[h]) << 52);
        most = fmax(most, __dmul_rn(both, scale));
    }
#pragma unroll
    for (int step = 16; step > 0; step /= 2) most = fmax(most, __shfl_xor_sync(0xffffffffu, most, step));
    return __ddiv_rn(__dmul_rn(most, 1.0 - 1e-9), reach);
}

// Whether the fewest bits do for lines with these summaries. By one warp.
DEVICE void decide(const Profiles &p, const Summary (&summaries)[2]) {
    const double found = meeting(summaries, (double)p.operands[0].k);
    if (threadIdx.x > 0) return;
    const bool finite = !summaries[0].not_finite && !summaries[1].not_finite;
    const unsigned long long refused = !(finite && (p.least_meeting < 0.0 || found >= p.least_meeting));
    *p.findings = {{summaries[0], summaries[1]}, refused};
    if (p.for_host) *p.for_host = {{summaries[0], summaries[1]}, refused};
}

// One block.
extern "C" __global__ void __launch_bounds__(JUDGES) judge(const __grid_constant__ Profiles p) {
    __shared__ Summary shared[2];
    summarize(p.operands[0], shared[0]);
    summarize(p.operands[1], shared[1]);
    if (threadIdx.x < 32) decide(p, shared);
}

// Where other devices have more lines: summaries of which the greatest words are that of all lines.
// One block.
extern "C" __global__ void __launch_bounds__(JUDGES) summaries(const __grid_constant__ Profiles p) {
    __shared__ Summary shared[2];
    summarize(p.operands[0], shared[0]);
    summarize(p.operands[1], shared[1]);
    if (threadIdx.x >= 2) return;
    Summary &own = shared[threadIdx.x];
    for (int g = 0; g < LEVELS; g++) own.least[g] = ~own.least[g];
    p.findings->summaries[threadIdx.x] = own;
}

// The verdict from these words. One warp.
extern "C" __global__ void __launch_bounds__(32) verdict(const __grid_constant__ Profiles p) {
    __shared__ Summary shared[2];
    if (threadIdx.x < 2) {
        Summary &all = shared[threadIdx.x];
        all = p.findings->summaries[threadIdx.x];
        for (int g = 0; g < LEVELS; g++) all.least[g] = ~all.least[g];
    }
    __syncwarp();
    decide(p, shared);
}
